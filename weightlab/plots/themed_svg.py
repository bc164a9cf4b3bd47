"""One SVG for light and for dark paper: a picture drawn in light colours, with these as variables of its own style."""

from __future__ import annotations

import re

from weightlab.plots.canvas import THEMES

DARK = "(prefers-color-scheme:dark)"
"""When a picture is dark: a page with a switch of its own may replace this."""
_LIGHT, _DARK = (THEMES[name] for name in ("light", "dark"))
_ROLES = ("ink", "faint", "grid", "paper", *(role for role in _LIGHT.roles if role not in {"for", "even", "against"}))
PAIRS = {_LIGHT.colour(role).lower(): _DARK.colour(role).lower() for role in _ROLES}
PAIRS |= {one.lower(): other.lower() for one, other in zip(_LIGHT.series, _DARK.series, strict=True)}
"""The dark colour that takes the place of a light one; heat maps, whose shades lie between colours, are turned over."""


def themed_svg(picture: str) -> str:
    """Return an SVG that matplotlib drew in the light theme as one for both themes, shorter, to be shown as an image.

    Colours become CSS variables, equal styles one class, numbers have five digits, and no groups or names are kept
    but those that are referred to. Texts stay as they are.
    """
    classes: dict[str, str] = {}  # by style
    used = dict.fromkeys(re.findall(r"(?:#|url\(#)([\w-]+)[\")]", picture))

    def shorter(tag: re.Match[str]) -> str:
        text = re.sub(r"(?<!\d)\d+\.\d\d+", lambda found: f"{float(found[0]):.5g}", tag[0].replace("\n", " "))
        text = re.sub('(?<==")#[0-9a-f]{6}(?=")', lambda found: _variable(found[0]), text)
        text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
        text = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", text)
        style = r' style="([^"]*)"'
        text = re.sub(style, lambda found: f' class="{classes.setdefault(found[1], f"c{len(classes)}")}"', text)
        return text.replace('"', "'")

    body = picture[picture.index("<svg") :]
    body = re.sub(r"<style[^<]*</style>|(?<=>)\s+(?=<)", "", body)
    body = re.sub(r"<[^<>]*>", shorter, body)
    while (without := re.sub(r"<g>((?:(?!</?g[ >]).)*)</g>|<g/>", r"\1", body)) != body:
        body = without
    light, dark = ("".join(f"--{place}:{pair[theme]};" for place, pair in enumerate(PAIRS.items())) for theme in (0, 1))
    style = "".join(f".{name}{{{rule}}}" for rule, name in classes.items())
    style = re.sub("#[0-9a-f]{6}", lambda found: _variable(found[0]), style)
    head, rest = body.split(">", 1)
    both = f"svg{{{light}}}@media screen and {DARK}{{svg{{{dark}}}image{{filter:invert(1) hue-rotate(180deg)}}}}"
    return f"{head}><style>*{{stroke-linejoin:round;stroke-linecap:butt}}{both}{style}</style>{rest}"


def _variable(colour: str) -> str:
    return f"var(--{list(PAIRS).index(colour)})" if colour in PAIRS else colour
