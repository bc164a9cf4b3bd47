"""The colours of a page: legible in both themes."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = (files("weightlab.report") / "templates" / "page.css").read_text(encoding="utf-8")
PAPERS = ("paper", "panel", "stripe")
INKS = ("ink", "quiet", "accent", "proved", "witness", "sampled", "warned")


def palettes():
    """The light colours, and the dark ones in both places where they stand."""
    blocks = [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block)) for block in re.findall(r"\{([^{}]*)\}", STYLE)]
    return [block for block in blocks if "paper" in block and "ink" in block]


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_reckoned_as_the_guidelines_do():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_there_is_one_light_palette_and_one_dark_one():
    light, by_system, by_button = palettes()
    assert by_system == by_button
    assert set(light) == set(by_system)
    assert luminance(light["paper"]) > 0.9
    assert luminance(by_system["paper"]) < 0.1


@pytest.mark.parametrize("place", [0, 1])
def test_every_text_has_contrast_in_both_themes(place):
    palette = palettes()[place]
    for paper in PAPERS:
        for ink in INKS:
            assert contrast(palette[paper], palette[ink]) >= 4.5, (paper, ink)
    assert contrast(palette["accent"], palette["on-accent"]) >= 4.5


def test_colours_are_named_in_one_place():
    assert set(re.findall(r"#[0-9a-f]{3,8}\b", STYLE)) <= {colour for one in palettes() for colour in one.values()}
