"""Names as text: nothing is markup, nothing is invisible, what was distinct stays distinct."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import ANY_NAME
from weightlab.plots.canvas import short_names, short_number, shown, width_of, wrapped

LONG = st.text("ab", min_size=1, max_size=60)


@given(ANY_NAME)
def test_what_is_shown_is_one_line_of_visible_characters(name):
    assert not [one for one in shown(name) if unicodedata.category(one) in {"Cc", "Cs", "Cn", "Zl", "Zp"}]


@given(st.lists(LONG, unique=True, max_size=8), st.integers(5, 30))
def test_names_that_differ_still_differ_when_they_are_shortened(names, width):
    short = short_names(names, width)
    assert len(set(short)) == len(names)
    assert all(one == name for one, name in zip(short, names, strict=True) if width_of(name) <= width)


@given(st.lists(ANY_NAME, max_size=8), st.integers(5, 30))
def test_a_name_that_no_other_is_like_keeps_to_the_width(names, width):
    short = short_names(names, width)
    assert len(short) == len(names)
    if len({shown(name) for name in names}) == 1:
        assert all(width_of(one) <= width or "…" not in one for one in short)


def test_the_middle_is_left_out_where_that_tells_names_apart():
    assert short_names(["model-a-of-some-maker", "model-b-of-some-maker"], 14) == ["model-a-of…ker", "model-b-of…ker"]
    assert short_names(["x" * 40], 11) == ["xxxxx…xxxxx"]


def test_wide_characters_count_twice_and_accents_not_at_all():
    assert (width_of("模型"), width_of("e\u0301"), width_of("ab")) == (4, 1, 2)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(0), "0"),
        (Fraction(5), "5"),
        (Fraction(-5, 2), "\u22122.5"),
        (Fraction(1, 3), "0.333"),
        (Fraction(123456), "123456"),
        (Fraction(1999, 10), "200"),
        (Fraction(10) ** 40, "1.00e+40"),
        (Fraction(1, 10**30), "1.00e-30"),
        (Fraction(99999, 1000), "100"),
    ],
)
def test_numbers_are_written_short(value, written):
    assert short_number(value) == written


@given(st.text("ab ", max_size=80), st.integers(1, 30))
def test_lines_are_no_longer_than_asked_for(text, width):
    assert all(len(line) <= max(12, width) for line in wrapped(text, width).splitlines())
    assert wrapped(text, width).split() == text.split() or max(map(len, text.split()), default=0) > max(12, width)
