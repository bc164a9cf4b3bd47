"""Colours: what is written can be read on what it is written on, in both themes."""

from __future__ import annotations

import pytest

import weightlab as wl
from weightlab.plots.canvas import LINES, MARKERS, THEMES, _contrast, theme_of

EVERY = pytest.mark.parametrize("look", THEMES.values(), ids=list(THEMES))


@EVERY
def test_text_stands_out_from_the_paper(look):
    assert _contrast(look.ink, look.paper) > 7
    assert _contrast(look.faint, look.paper) > 4.5


@EVERY
def test_what_is_drawn_stands_out_from_the_paper(look):
    for role in ("first", "second", "third", "other", "for", "against"):
        assert _contrast(look.colour(role), look.paper) > 3
    assert all(_contrast(one, look.paper) > 2 for one in look.series)


@EVERY
def test_text_can_be_read_on_every_colour(look):
    for colour in (*look.series, *look.roles.values()):
        assert _contrast(look.text_on(colour), colour) > 4


@EVERY
def test_series_differ(look):
    assert len(set(look.series)) == len(look.series) == 7
    assert len(set(MARKERS)) >= len(look.series)
    assert len(set(LINES)) == len(LINES)


def test_both_themes_know_the_same_roles():
    assert set(THEMES["light"].roles) == set(THEMES["dark"].roles)


def test_a_role_that_is_not_known_is_refused_by_name():
    with pytest.raises(wl.UnknownNameError, match=r"^no role named 'frist'; the theme has .*did you mean 'first'\?\)$"):
        theme_of("light").colour("frist")


def test_contrast_is_that_of_the_guidelines():
    assert _contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert _contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
