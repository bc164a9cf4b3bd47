"""One SVG for light and for dark paper: the same picture, in the colours of either theme."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import weightlab as wl
from weightlab.plots.canvas import THEMES
from weightlab.plots.themed_svg import DARK, PAIRS, themed_svg

pytest.importorskip("matplotlib", reason="matplotlib is not installed (weightlab[plot])")
NAME = "\"a\" 'b' <c> & #112233"
BOARD = wl.Leaderboard({"x": {NAME: 3, "b": 2, "c": 1}, "y": {NAME: 1, "b": 3, "c": 2}, "z": {NAME: 2, "b": 1, "c": 3}})
DRAWN = {
    "shares": lambda: (wl.lp.winning_shares(BOARD, samples=50, rng=0), None),
    "graph": lambda: (BOARD, "majority_graph"),
    "margins": lambda: (BOARD, "margins"),
    "ranks": lambda: (wl.rules.compare(BOARD, ["mean", "borda", "copeland"]), "ranks"),
}


@pytest.fixture(scope="module", params=DRAWN)
def drawn(request):
    """The picture as it is drawn in both themes, and the one that stands for both."""
    thing, kind = DRAWN[request.param]()
    light, dark = (wl.plots.rendered(thing, "svg", kind=kind, theme=theme).decode() for theme in ("light", "dark"))
    return light, dark, themed_svg(light)


def texts(svg):
    return [one.text for one in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314 - our own


def styles_of_texts(svg):
    """The colour of every text, with classes and variables replaced in one theme."""
    return [re.search("fill: (#[0-9a-f]{6})", one)[1] for one in re.findall('<text style="([^"]*)"', svg)]


def in_theme(both, theme):
    rules = dict(re.findall(r"[.](c\d+)\{([^{}]*)\}", both))
    colours = [pair[theme] for pair in PAIRS.items()]
    fills = [
        re.search(r"fill: (?:var\(--(\d+)\)|(#[0-9a-f]{6}))", rules[one])
        for one in re.findall("<text class='(c\\d+)'", both)
    ]
    return [colours[int(one[1])] if one[1] else one[2] for one in fills]


def test_texts_stay_as_they_are_and_names_are_no_markup(drawn):
    light, _, both = drawn
    assert texts(both) == texts(light)
    assert any(NAME in str(one) for one in texts(both))


def test_texts_have_the_colours_of_either_theme(drawn):
    """Also those upon colours: what is legible on a light series is legible on the dark one in its place."""
    light, dark, both = drawn
    if "<image" not in both:  # the shades of a heat map are turned over as a whole
        assert in_theme(both, 0) == styles_of_texts(light)
        assert in_theme(both, 1) == styles_of_texts(dark)


def test_no_colour_of_a_theme_is_left_outside_the_variables(drawn):
    _, _, both = drawn
    body = both[both.index("</style>") :]
    assert not re.findall("['(]#[0-9a-f]{6}['; ]", body)
    assert both.count(DARK) == 1


def test_it_is_shorter_and_refers_to_nothing_that_is_gone(drawn):
    light, _, both = drawn
    assert len(both) < len(light)
    ids = set(re.findall(" id='([^']*)'", both))
    assert set(re.findall("href='#([^']*)'|url\\(#([^)]*)\\)", both)) <= {(one, "") for one in ids} | {
        ("", one) for one in ids
    }


def test_every_light_colour_has_a_dark_one():
    for role in ("ink", "paper", "first", "second", "other"):
        assert PAIRS[THEMES["light"].colour(role).lower()] == THEMES["dark"].colour(role).lower()
