"""Cells are the decimals that were written, whatever type they come in."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import FEWER, decimal_of, frames, written_numbers
from weightlab._validate import Faults, exact_cell, is_missing
from weightlab.data.frame.cells import Cells, exact_text

TENTHS = [Fraction(1, 10), Fraction(3, 10)]


def read(frame):
    """Return the cells of a frame and the faults."""
    faults = Faults()
    return Cells.from_frame(frame, faults, row_kind="model", column_kind="task"), faults.listed


def column(values, **options):
    """Return the exact cells of one column."""
    series = pd.Series(values, index=[f"m{place}" for place in range(len(values))], **options)
    cells, faults = read(series.to_frame("x"))
    assert faults == ()
    return cells.column(0)


@given(st.lists(st.one_of(written_numbers(), st.just((None, None))), min_size=1, max_size=6))
def test_a_column_holds_the_numbers_that_were_written(cases):
    assert column([number for number, _ in cases], dtype=object) == [meant for _, meant in cases]


@FEWER
@given(frames(cells=decimal_of))
def test_a_frame_is_read_cell_by_cell(frame):
    cells, faults = read(frame)
    assert faults == ()
    for place in range(frame.shape[1]):
        expected = [None if is_missing(text) else Fraction(Decimal(text)) for text in frame.iloc[:, place]]
        assert cells.column(place) == expected
    assert cells.missing.tolist() == [[is_missing(text) for text in row] for row in frame.to_numpy()]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "Float64", "Float32", "object", "category", "str"])
def test_floats_of_every_width_are_the_decimals_they_print_as(dtype):
    assert column([0.1, 0.3], dtype=dtype) == TENTHS


@pytest.mark.parametrize("kind", ["float64", "float32", "float16"])
def test_floats_of_every_width_in_arrow_columns(kind):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    values = np.array([0.1, 0.3], dtype=kind)
    assert column(pd.array(values, dtype=pd.ArrowDtype(arrow.from_numpy_dtype(values.dtype)))) == TENTHS


@pytest.mark.parametrize("dtype", ["float32", "Float32"])
def test_a_missing_cell_of_a_narrow_column_is_missing(dtype):
    assert column([0.1, None, 0.3], dtype=dtype) == [TENTHS[0], None, TENTHS[1]]


def test_decimals_of_arrow_columns_keep_their_digits():
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    written = [Decimal("0.30000000000000000001"), Decimal("0.3"), None]
    dtype = pd.ArrowDtype(arrow.decimal128(38, 20))
    assert column(pd.array(written, dtype=dtype)) == [Fraction(written[0]), Fraction(3, 10), None]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", "UInt64", "object"])
def test_integers_keep_every_digit(dtype):
    largest = [2**53, 2**53 + 1, 2**63 - 1]
    assert column(largest, dtype=dtype) == largest


def test_integers_beyond_every_machine_type_keep_every_digit():
    assert column([10**30, 10**30 + 1], dtype=object) == [10**30, 10**30 + 1]


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]"])
def test_large_nullable_integers_keep_every_digit(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow", reason="pyarrow is absent")
    assert column([2**53 + 1, None, 1], dtype=dtype) == [2**53 + 1, None, 1]


@pytest.mark.parametrize("dtype", ["bool", "boolean", "object", "category"])
def test_truth_values_are_1_and_0(dtype):
    assert column([True, False], dtype=dtype) == [1, 0]


@pytest.mark.parametrize("dtype", ["boolean", "category", "object", "bool[pyarrow]"])
def test_missing_truth_values_are_missing(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow", reason="pyarrow is absent")
    assert column([True, None, False], dtype=dtype) == [1, None, 0]


def test_sparse_columns_are_read():
    assert column(pd.arrays.SparseArray([1.5, 0.0, np.nan])) == [Fraction(3, 2), 0, None]
    assert column(pd.arrays.SparseArray(np.array([0.1, 0.0], dtype="float32"), fill_value=0)) == [TENTHS[0], 0]
    assert column(pd.arrays.SparseArray([2, 0], fill_value=0)) == [2, 0]


def test_categories_are_read_by_what_they_stand_for():
    narrow = pd.Categorical.from_codes([1, 0, -1], categories=np.array([0.1, 0.3], dtype="float32"))
    assert column(narrow) == [TENTHS[1], TENTHS[0], None]
    assert column(pd.Categorical(["0.3", "0.1"])) == TENTHS[::-1]


def test_a_long_double_is_the_decimal_it_prints_as():
    values = np.array([0.5, np.longdouble("0.1")], dtype=np.longdouble)
    assert column(values) == [Fraction(1, 2), Fraction(str(np.longdouble("0.1")))]


def test_neighbouring_decimals_stay_apart():
    texts = ["0.3", "0.30000000000000004", "0.30000000000000000001", "0.300"]
    first, second, third, fourth = column(texts)
    assert first == fourth
    assert first < third < second


def test_zero_has_one_value():
    zeros = column([0.0, -0.0, "-0", Decimal("-0.0"), 0])
    assert zeros == [0] * 5


@given(frames(cells=decimal_of), st.data())
def test_levels_order_each_column_as_its_scores(frame, data):
    cells, _ = read(frame)
    lower = data.draw(st.lists(st.booleans(), min_size=frame.shape[1], max_size=frame.shape[1]))
    levels = cells.levels(lower_is_better=np.array(lower))
    for place, down in enumerate(lower):
        values = cells.column(place)
        for one, value in enumerate(values):
            for other, rival in enumerate(values):
                if value is None or rival is None:
                    assert np.isnan(levels[one if value is None else other, place])
                    continue
                leads = value < rival if down else value > rival
                assert (levels[one, place] > levels[other, place]) == leads
                assert (levels[one, place] == levels[other, place]) == (value == rival)


@FEWER
@given(frames(cells=decimal_of))
def test_integers_of_a_column_are_its_scores_over_one_denominator(frame):
    cells, _ = read(frame)
    for place in range(frame.shape[1]):
        numbers, denominator = cells.integers(place)
        values = cells.column(place)
        assert [Fraction(int(number), denominator) for number in numbers] == [value or 0 for value in values]
        differences = [abs(int(one) - int(other)) for one in numbers for other in numbers]
        assert numbers.dtype == object or max(differences) < 2**63


@FEWER
@given(frames(cells=decimal_of))
def test_the_texts_of_a_column_read_back_to_the_same_numbers(frame):
    cells, _ = read(frame)
    for place in range(frame.shape[1]):
        back = pd.Series([text or None for text in cells.texts(place)], dtype=object)
        assert column(back.tolist(), dtype=object) == cells.column(place)


@FEWER
@given(frames(cells=decimal_of), st.data())
def test_taken_rows_and_columns_keep_their_exact_cells(frame, data):
    cells, _ = read(frame)
    rows = data.draw(st.lists(st.sampled_from(range(frame.shape[0])), unique=True))
    columns = data.draw(st.lists(st.sampled_from(range(frame.shape[1])), unique=True))
    taken = cells.take(rows, columns)
    assert taken.floats.shape == (len(rows), len(columns))
    for new, old in enumerate(columns):
        assert taken.column(new) == [cells.column(old)[row] for row in rows]


@FEWER
@given(st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.fractions(), max_size=5))
def test_cells_of_fractions_are_those_fractions(numbers):
    cells = Cells.from_fractions(numbers, (3, 3))
    assert {(row, place): cells.column(place)[row] for row, place in numbers} == numbers
    assert int(cells.missing.sum()) == 9 - len(numbers)


@FEWER
@given(frames(cells=decimal_of))
def test_equal_cells_are_those_with_the_same_decimals(frame):
    cells, _ = read(frame)
    assert cells.equals(read(frame.map(lambda text: None if is_missing(text) else Decimal(text)))[0])
    changed = cells.column(0)[0]
    other = frame.copy()
    other.iloc[0, 0] = Fraction(1, 3) if changed is None else changed + Fraction(1, 3**300)
    assert not cells.equals(read(other)[0])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 3), "1/3"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(123456789012345678901, 10**20), "1.23456789012345678901"),
        (Fraction(10**25), "1" + "0" * 25),
        (Fraction(1, 2**600), None),
        (Fraction(1, 2**601), f"1/{2**601}"),
        (Fraction(7, 10 * 3), "7/30"),
    ],
)
def test_fractions_are_written_as_decimals_where_that_is_short(number, text):
    written = exact_text(number)
    assert text is None or written == text
    assert Fraction(written) == number


@FEWER
@given(st.fractions(), st.integers(0, 30))
def test_the_text_of_a_fraction_is_that_fraction(number, places):
    assert Fraction(exact_text(number)) == number
    tens = Fraction(number.numerator, 10**places)
    assert "/" not in exact_text(tens)
    assert Fraction(exact_text(tens)) == tens


def test_numbers_with_many_places_read_back_from_their_text():
    number = Fraction(10**308 - 1, 2**600)
    assert exact_cell(exact_text(number)) == number


def test_every_bad_cell_is_noted_with_row_column_and_value():
    frame = pd.DataFrame({"x": [float("inf"), 1.0], "y": ["abc", 1 + 2j], "z": [b"1", "x" * 80]}, index=["a", "b"])
    assert read(frame)[1] == (
        "model 'a', task 'x': inf is infinite",
        "model 'a', task 'y': 'abc' is not a number",
        "model 'b', task 'y': (1+2j) is not a number",
        "model 'a', task 'z': b'1' is not a number",
        f"model 'b', task 'z': '{'x' * 56}... is not a number",
    )


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (pd.to_datetime(["2020-01-01"]), "Timestamp('2020-01-01 00:00:00')"),
        (pd.to_timedelta([1], unit="s"), "Timedelta('0 days 00:00:01')"),
        (pd.period_range("2020", periods=1, freq="Y"), "Period('2020', 'Y-DEC')"),
        (np.array([1 + 2j]), "(1+2j)"),
        (pd.Categorical(["good"]), "'good'"),
    ],
)
def test_columns_of_other_types_are_refused_cell_by_cell(values, shown):
    frame = pd.DataFrame({"x": values, "y": [1]}).set_axis(["a"])
    assert read(frame)[1] == (f"model 'a', task 'x': {shown} is not a number",)


def test_names_in_the_first_column_are_pointed_out_once():
    frame = pd.DataFrame({"model": ["ada", "bo", None], "x": [1, 2, 3], "y": [1, "bad", 2]})
    hint, other = read(frame)[1]
    assert hint.startswith("column 'model' holds text and the rows are only numbered: ")
    assert hint.endswith("if it names the models, pass frame.set_index('model')")
    assert other == "model '1', task 'y': 'bad' is not a number"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": ["0.5", "bad"], "y": [1, 2]}),
        pd.DataFrame({"x": ["ada", "bo"], "y": [1, 2]}, index=["a", "b"]),
        pd.DataFrame({"x": ["ada", 1], "y": [1, 2]}),
        pd.DataFrame({"x": ["ada", "bo"]}),
    ],
)
def test_other_text_is_refused_cell_by_cell(frame):
    assert all("is not a number" in fault for fault in read(frame)[1])
    assert read(frame)[1]


def test_an_empty_first_column_is_not_taken_for_names():
    assert read(pd.DataFrame({"x": [None, None], "y": [1, 2]}))[1] == ()


def test_a_thousand_bad_cells_are_counted():
    faults = read(pd.DataFrame({"x": ["bad"] * 1000}, index=[f"m{place}" for place in range(1000)]))[1]
    likewise = "(and 999 more likewise: model 'm1', model 'm2', ...)"
    assert faults == (f"model 'm0', task 'x': 'bad' is not a number {likewise}",)


def test_cells_cannot_be_changed():
    cells, _ = read(pd.DataFrame({"x": [1.0, 2.0]}))
    for one in (cells, pickle.loads(pickle.dumps(cells))):  # noqa: S301 (our own pickle)
        with pytest.raises(ValueError, match="read-only"):
            one.floats[0, 0] = 5


def test_cells_do_not_change_with_the_frame_they_came_from():
    frame = pd.DataFrame({"x": [1.0, 2.0]})
    cells, _ = read(frame)
    frame.iloc[0, 0] = 5
    assert cells.column(0) == [1, 2]


@given(
    st.lists(
        st.sampled_from(
            [
                pd.Series([1, 2**53 - 1], dtype=np.int64),
                pd.Series([2**53 + 1, 0], dtype=np.int64),
                pd.Series([0, 255], dtype=np.uint8),
                pd.Series([True, False]),
                pd.Series([0.1, np.nan]),
                pd.Series([1e300, np.inf]),
                pd.Series([0.1, 0.3], dtype=np.float32),
                pd.Series([3, None], dtype="Int64"),
            ]
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_table_is_read_as_its_columns_are_one_by_one(series):
    frame = pd.DataFrame({f"x{place}": one.to_numpy() for place, one in enumerate(series)}, index=["a", "b"])
    for name, one in zip(frame.columns, series, strict=True):
        frame[name] = one.array
    together, faults = read(frame)
    single = [read(frame[[name]]) for name in frame.columns]
    assert faults == tuple(fault for _, listed in single for fault in listed)
    assert [together.column(place) for place in range(len(series)) if np.isfinite(together.floats[1, place])] == [
        cells.column(0) for cells, _ in single if np.isfinite(cells.floats[1, 0])
    ]
