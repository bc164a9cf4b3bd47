"""From the text of a cell to its exact number."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import decimals
from weightlab.io.tables.exact_numbers import MISSING, number, numbers, percentage, shown, stands_for_nothing

TEXTS = st.one_of(decimals(), st.sampled_from(sorted(MISSING)), st.text(max_size=6), st.floats().map(repr))


def alone(cell):
    """Return the number of one cell, NaN where it has none, and what is wrong with it."""
    try:
        return number(cell), None
    except ValueError as error:
        return math.nan, str(error)


def meant(value):
    return value if isinstance(value, Fraction) else Fraction(repr(value))


@given(decimals())
def test_a_decimal_is_read_exactly_with_blanks_around_it_or_not(text):
    assert meant(number(text)) == Fraction(Decimal(text))
    assert meant(number(f" {text}\t")) == Fraction(Decimal(text))


@given(st.lists(TEXTS, max_size=8))
@example(["1_000", "1"])
@example(["1", "2", "\u0661"])
@example(["1e-320", "0.30000000000000000001"])
@example(["nan", "0.1"])
@example(["0.1", "inf"])
@example(["0.1", "1e400"])
@example(["-0", "0"])
def test_a_column_is_read_as_its_cells_one_by_one(cells):
    column = numbers(cells)
    for position, cell in enumerate(cells):
        value, wrong = alone(cell)
        assert column.wrong.get(position) == wrong
        assert column.exact.get(position) == (value if isinstance(value, Fraction) else None)
        assert np.array_equal(column.floats[position], float(value), equal_nan=True)


@pytest.mark.parametrize("text", ["", "-", "NA", "na", "Na", "N/A", "n/a", "nan", "NaN", "NAN", " - ", "\tNA "])
def test_these_are_missing_in_capitals_or_not(text):
    assert math.isnan(number(text))
    assert stands_for_nothing(text)


@pytest.mark.parametrize("cell", [None, float("nan"), Decimal("NaN")])
def test_so_is_nothing_at_all(cell):
    assert stands_for_nothing(cell)
    assert math.isnan(number(cell))


NO_NUMBER = "is not a number (a missing score is empty, '-', 'NA', 'N/A' or 'nan')"


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("hello", NO_NUMBER),
        ("--", NO_NUMBER),
        ("\u2012", NO_NUMBER),
        ("?", NO_NUMBER),
        ("1_000", NO_NUMBER),
        ("0x1", NO_NUMBER),
        ("\u0661", NO_NUMBER),
        ("True", "is not a number; write 1 for true and 0 for false"),
        ("93.9%", "is a percentage"),
        ("93.9/91.8", "holds several numbers"),
        (
            "1,234",
            "has thousands separators",
        ),
        (
            "1,234,567.8",
            "has thousands separators",
        ),
        ("93,9", "has a comma"),
        ("inf", "is infinite"),
        ("-Infinity", "is infinite"),
        ("1e999", "is out of range"),
    ],
)
def test_what_is_no_plain_decimal_is_not_guessed(text, matter):
    with pytest.raises(ValueError, match=r".") as refused:
        number(text)
    assert str(refused.value) == matter


@given(decimals())
def test_a_percentage_is_the_number_before_the_sign(text):
    assert meant(percentage(f"{text}%")) == meant(percentage(f" {text} % ")) == Fraction(Decimal(text))


@pytest.mark.parametrize("cell", ["", "-", "NA", None])
def test_a_percentage_may_be_missing(cell):
    assert math.isnan(percentage(cell))


@pytest.mark.parametrize("cell", ["93.9", 93.9, 94])
def test_a_percentage_without_the_sign_may_be_a_share_and_is_refused(cell):
    with pytest.raises(ValueError, match=r"^has no percent sign, though its column is declared in percent$"):
        percentage(cell)


def test_doubles_are_taken_as_they_are():
    column = np.array([1.5, np.nan, np.inf])
    read = numbers(column)
    assert read.floats is column
    assert read.wrong == {2: "is infinite"}


@pytest.mark.parametrize(
    ("cell", "value"),
    [(True, 1.0), (3, 3.0), (2**60 + 1, Fraction(2**60 + 1)), (Decimal("0.1"), 0.1), (np.float32(0.1), 0.1)],
)
def test_typed_cells_are_what_they_print_as(cell, value):
    column = numbers([cell, None])
    assert (column.exact.get(0, column.floats[0]), math.isnan(column.floats[1])) == (value, True)


def test_a_long_cell_is_cut_in_messages():
    assert shown("x" * 200) == f"'{'x' * 56}..."
    assert shown("x") == "'x'"
