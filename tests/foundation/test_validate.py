"""Checks of what users hand over: written numbers are read exactly, and every fault is said at once."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import decimals, names, written_numbers
from weightlab._validate import (
    Faults,
    checked_names,
    exact_cell,
    exact_numbers,
    is_missing,
    is_scalar,
    named_subset,
    nearest_or_exact,
    number_from_text,
)
from weightlab.exceptions import FileFormatError, InputError


def exact(cell):
    """Return what a cell stands for."""
    return cell if isinstance(cell, Fraction) else Fraction(repr(cell))


# Faults ---------------------------------------------------------------------------------------------------------------


def test_no_fault_is_no_error():
    Faults().raise_if_any()
    assert not Faults()


def test_all_faults_are_raised_together():
    faults = Faults()
    faults.add("first")
    faults.add(lambda: "second")
    with pytest.raises(InputError) as caught:
        faults.raise_if_any()
    assert caught.value.faults == ("first", "second")


def test_past_twenty_faults_the_rest_is_counted_and_not_even_worded():
    faults = Faults()
    for number in range(20):
        faults.add(f"fault {number}")
    for _ in range(3):
        faults.add(lambda: pytest.fail("worded"))
    assert faults.listed == (*(f"fault {number}" for number in range(20)), "... and 3 more")


def test_faults_of_a_part_are_named_and_counted_whole():
    part, whole = Faults(), Faults()
    for number in range(25):
        part.add(f"fault {chr(ord('a') + number)}")
    whole.add("another")
    whole.include(part, "dataset 'x'")
    assert whole.listed[:2] == ("another", "dataset 'x': fault a")
    assert whole.listed[-1] == "... and 6 more"
    assert len(whole.listed) == 21


def test_the_kind_of_error_can_be_chosen():
    faults = Faults()
    faults.add("it is empty")
    with pytest.raises(FileFormatError, match=r"a\.csv: it is empty"):
        faults.raise_if_any(lambda listed: FileFormatError("a.csv", listed))


# Numbers --------------------------------------------------------------------------------------------------------------


@given(written_numbers())
def test_a_number_is_the_decimal_that_was_written(case):
    number, meant = case
    assert exact(exact_cell(number)) == meant


@given(decimals(), decimals())
def test_equal_decimals_are_equal_cells_and_different_ones_differ(one, other):
    same = Fraction(Decimal(one)) == Fraction(Decimal(other))
    assert (number_from_text(one) == number_from_text(other)) == same


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_reads_back_from_its_text(value):
    assert number_from_text(repr(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_narrow_float_is_the_decimal_it_prints_as(value):
    assert exact(exact_cell(np.float32(value))) == Fraction(str(np.float32(value)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("+5.", Fraction(5)),
        (".5", Fraction(1, 2)),
        ("-0.0", Fraction(0)),
        ("0" * 900 + "1", Fraction(1)),
        ("0.30000000000000004", Fraction(30000000000000004, 10**17)),
        ("12345678901234567890", Fraction(12345678901234567890)),
        ("0.12345678901234567890", Fraction(1234567890123456789, 10**19)),
        ("9007199254740993", Fraction(9007199254740993)),
        ("5e-324", Fraction(5, 10**324)),
        ("1.7976931348623157e308", Fraction(17976931348623157 * 10**292)),
        # Subnormal doubles keep fewer digits than were written.
        ("0." + "0" * 315 + "123456789", Fraction(123456789, 10**324)),
        ("1e-400", Fraction(1, 10**400)),
    ],
)
def test_text_is_read_exactly(text, value):
    assert exact(number_from_text(text)) == value


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("abc", "is not a number"),
        ("", "is text, not a number; a missing score is None or NaN"),
        ("NaN", "is text, not a number; a missing score is None or NaN"),
        ("n/a", "is text, not a number; a missing score is None or NaN"),
        ("-", "is text, not a number; a missing score is None or NaN"),
        ("\u2014", "is text, not a number; a missing score is None or NaN"),
        ("inf", "is infinite"),
        ("-Infinity", "is infinite"),
        ("93.9%", "is a percentage"),
        ("93.9/91.8", "holds several numbers"),
        ("1,234", "has thousands separators; write the number without them"),
        ("1 234 567.5", "has thousands separators; write the number without them"),
        ("0,5", "has a comma; write the decimal point as '.'"),
        ("\u22120.5", "has the sign U+2212; write '-'"),
        ("1e309", "is out of range"),
        ("1e401", "is out of range"),
        ("1e-401", "is out of range"),
        ("1" * 1001, "has more than 1000 digits"),
        ("1e9999999", "is out of range"),
        ("1_000", "is not a number"),
        ("0x10", "is not a number"),
        ("\u0663", "is not a number"),
        (".", "is not a number"),
        ("1.2.3", "is not a number"),
    ],
)
def test_text_that_is_no_plain_decimal_is_refused_with_what_it_looks_like(text, fault):
    with pytest.raises(ValueError, match=re.escape(fault)) as caught:
        number_from_text(text)
    assert str(caught.value) == fault


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (float("inf"), "is infinite"),
        (np.float32("-inf"), "is infinite"),
        (np.longdouble("inf"), "is infinite"),
        (Decimal("-Infinity"), "is infinite"),
        (Decimal("1e400"), "is out of range"),
        (10**400, "is out of range"),
        (Fraction(1, 3**6000), "has more than 8192 binary digits"),
        (1 + 2j, "is not a number"),
        (b"1", "is not a number"),
        ([1, 2], "is not a number"),
        (np.array([1, 2]), "is not a number"),
        (dt.date(2020, 1, 1), "is not a number"),
        (pd.Timestamp("2020-01-01"), "is not a number"),
        (pd.Timedelta(1), "is not a number"),
        (object(), "is not a number"),
    ],
)
def test_what_is_no_finite_number_is_refused(value, fault):
    with pytest.raises(ValueError, match=re.escape(fault)) as caught:
        exact_cell(value)
    assert str(caught.value) == fault


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long doubles are doubles here")
def test_a_long_double_beyond_all_doubles_is_out_of_range():
    with pytest.raises(ValueError, match="is out of range"):
        exact_cell(np.longdouble("1e4000"))


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), np.float32("nan"), np.longdouble("nan"), Decimal("NaN"), Decimal("sNaN"), pd.NA, pd.NaT],
)
def test_missing_values_of_every_type_are_missing(value):
    assert is_missing(value)
    assert np.isnan(exact_cell(value))


@pytest.mark.parametrize("value", [0, 0.0, "", "nan", False, Decimal(0), float("inf"), [], np.array([np.nan])])
def test_other_values_are_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize(("value", "number"), [(True, 1), (False, 0), (np.True_, 1), (np.int8(-3), -3), ("  4 ", 4)])
def test_truth_values_and_small_integers_are_numbers(value, number):
    assert exact_cell(value) == number


def test_a_double_stays_a_double_and_other_numbers_stay_exact():
    assert isinstance(exact_cell(np.float64(0.5)), float)
    assert isinstance(exact_cell("0.30000000000000001"), Fraction)
    assert exact_cell(2**53 + 1) == Fraction(2**53 + 1)
    assert isinstance(nearest_or_exact(Fraction(1, 10)), float)
    assert isinstance(nearest_or_exact(Fraction(1, 3)), Fraction)


def test_scalars_are_told_from_tables():
    assert all(map(is_scalar, [1, 0.5, "x", Decimal(1), Fraction(1), np.int64(1), np.float32(1), True]))
    assert not any(map(is_scalar, [{}, [], (), None, pd.Series([1]), np.array([1])]))


# Names ----------------------------------------------------------------------------------------------------------------


@given(names())
def test_good_names_pass_unchanged(given_names):
    faults = Faults()
    assert checked_names(given_names, "model", faults) == tuple(given_names)
    assert not faults


@pytest.mark.parametrize(
    ("listed", "faults"),
    [
        (["a", "", " \t"], ["model number 2 has an empty name", "model number 3 has an empty name"]),
        (["a", None, float("nan"), pd.NA], [f"model number {place} has no name" for place in (2, 3, 4)]),
        (["a", "b", "a", "b", "a"], ["duplicate model name 'a'", "duplicate model name 'b'"]),
        ([1, "1"], ["duplicate model name '1'"]),
        (
            [("a", "x"), ("a", "y")],
            ["model names have several levels, such as ('a', 'x'); join them into one text each"],
        ),
    ],
)
def test_bad_names_are_all_noted(listed, faults):
    found = Faults()
    checked_names(listed, "model", found)
    assert list(found.listed) == faults


def test_numbers_are_names_as_text():
    assert checked_names([1, 2.5, True], "model", Faults()) == ("1", "2.5", "True")


@given(names(), st.data())
def test_known_names_are_kept_in_order_and_once(known, data):
    chosen = data.draw(st.lists(st.sampled_from(known)))
    faults = Faults()
    assert named_subset(chosen, known, "task", faults, holder="board") == tuple(dict.fromkeys(chosen))
    assert not faults


def test_one_name_is_no_list_of_letters():
    assert named_subset("ada", ["a", "d", "ada"], "task", Faults(), holder="board") == ("ada",)


def test_unknown_names_are_noted_with_the_nearest():
    faults = Faults()
    kept = named_subset(["x", "acuracy"], ["accuracy", "x"], "task", faults, holder="suite", where="weights")
    assert kept == ("x",)
    assert faults.listed == (
        "weights: no task named 'acuracy'; the suite has 'accuracy', 'x' (did you mean 'accuracy'?)",
    )


@pytest.mark.parametrize("given_names", [True, 3, {"seconds": False}])
def test_what_is_not_a_list_of_names_is_refused(given_names):
    faults = Faults()
    assert named_subset(given_names, ["seconds"], "task", faults, holder="board", where="lower_is_better") == ()
    assert faults.listed == (f"lower_is_better: task names are needed, one or a list; got {given_names!r}",)


# Numbers by name ------------------------------------------------------------------------------------------------------


def read(given_numbers, known=("a", "b")):
    faults = Faults()
    return exact_numbers(given_numbers, known, "task", faults, what="weight", holder="board"), faults.listed


@pytest.mark.parametrize(
    "given_numbers",
    [
        {"a": "0.1", "b": 2},
        {"b": 2, "a": 0.1},
        pd.Series({"a": 0.1, "b": 2}),
        pd.Series([0.1, 2], index=["a", "b"], dtype="float32"),
        [0.1, 2],
        (np.float32(0.1), Decimal(2)),
        np.array([0.1, 2.0]),
        pd.Index(["1/10", "2"]),
        (number for number in ("0.1", 2)),
    ],
    ids=lambda given_numbers: type(given_numbers).__name__,
)
def test_numbers_by_name_come_in_many_shapes(given_numbers):
    assert read(given_numbers) == ({"a": Fraction(1, 10), "b": Fraction(2)}, ())


def test_names_that_are_no_text_are_looked_up_as_text():
    assert read({1: "0.5"}, known=("1", "2")) == ({"1": Fraction(1, 2)}, ())


@pytest.mark.parametrize(
    ("given_numbers", "fault"),
    [
        ([1], "1 weight for 2 tasks; give one a task, or a mapping by name"),
        ([1, 2, 3], "3 weights for 2 tasks; give one a task, or a mapping by name"),
        (3, "weights: a mapping from tasks to numbers, or one number a task, is needed; got 3"),
        ("ab", "weights: a mapping from tasks to numbers, or one number a task, is needed; got 'ab'"),
        (None, "weights: a mapping from tasks to numbers, or one number a task, is needed; got None"),
        (
            pd.DataFrame({"a": [1], "b": [2]}),
            "weights: a mapping from tasks to numbers, or one number a task, is needed; got DataFrame",
        ),
        (
            np.array([[1, 2]]),
            "weights: a mapping from tasks to numbers, or one number a task, is needed; got ndarray",
        ),
        ({"c": 1}, "weights: no task named 'c'; the board has 'a', 'b'"),
        ({"a": "x"}, "weight of task 'a': 'x' is not a finite number"),
        ({"a": float("nan")}, "weight of task 'a': nan is not a finite number"),
        ({"a": None}, "weight of task 'a': None is not a finite number"),
        ({"a": True}, "weight of task 'a': True is not a finite number"),
        ({"a": "1/0"}, "weight of task 'a': '1/0' is not a finite number"),
        ({"a": "1e400000000"}, "weight of task 'a': a number with an exponent beyond 1000: '1e400000000'"),
        (
            {"a": "9" * 1_900_000},
            f"weight of task 'a': a number with too many digits: {'9' * 20}... (1,900,000 characters)",
        ),
        (
            {"a": "1/" + "9" * 5000},
            f"weight of task 'a': a number with too many digits: 1/{'9' * 18}... (5,002 characters)",
        ),
        (pd.Series([1, 2], index=["a", "a"]), "weights: task 'a' is there more than once"),
    ],
)
def test_numbers_that_do_not_fit_are_noted(given_numbers, fault):
    assert read(given_numbers)[1] == (fault,)


def test_all_faults_of_numbers_are_noted():
    assert len(read({"a": "x", "c": 1, "d": None})[1]) == 4


def test_faults_that_differ_in_place_numbers_and_quoted_words_are_one_sentence_with_three_places():
    faults = Faults()
    for line, word in enumerate(("a", "b", "c", "d"), start=2):
        faults.add(f"line {line}, column 'x': {word!r} is no number")
    faults.add("line 9, column 'y': 'e' is no number")
    faults.add("line 9, column 'x': 'e' is no name")
    assert faults.listed == (
        "line 2, column 'x': 'a' is no number (and 3 more likewise: line 3, line 4, ...)",
        "line 9, column 'y': 'e' is no number",
        "line 9, column 'x': 'e' is no name",
    )


def test_names_that_are_not_known_are_each_told():
    faults = Faults()
    for name in ("x", "y"):
        faults.add(f"no task named {name!r}; the leaderboard has 'a'")
    assert len(faults.listed) == 2
