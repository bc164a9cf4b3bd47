"""Frames of Polars and PyArrow hold what a frame of pandas holds, and a column of theirs names the models."""

from __future__ import annotations

import sys
import warnings
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given

import weightlab as wl
from tests.strategies import FEWER, double_of, frames
from weightlab.exceptions import DirectionWarning, InputError

NUMBERS = {"x": [1.0, 2.0], "y": [0.25, 0.5]}


def polars(columns):
    """Return a frame of Polars."""
    pytest.importorskip("narwhals", reason="narwhals is absent", minversion="2.0")
    return pytest.importorskip("polars", reason="polars is absent").DataFrame(columns)


def pyarrow(columns):
    """Return a table of PyArrow."""
    pytest.importorskip("narwhals", reason="narwhals is absent", minversion="2.0")
    return pytest.importorskip("pyarrow", reason="pyarrow is absent").table(columns)


BOTH = pytest.mark.parametrize("made", [polars, pyarrow])


@BOTH
@FEWER
@given(frame=frames(cells=double_of))
def test_a_board_and_its_answers_are_those_of_the_pandas_frame(made, frame):
    assume("model" not in frame.columns)
    scores = {name: [None if score is pd.NA else score for score in frame[name]] for name in frame.columns}
    columns = {"model": list(frame.index), **scores}
    assert answered(made(columns)) == answered(pd.DataFrame(columns))


def answered(frame):
    """Return what is answered about a frame, or why it is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DirectionWarning)
        try:
            return wl.Leaderboard(frame).to_dict(), wl.lp.prospects(frame).to_dict()
        except InputError as error:
            return str(error)


@BOTH
def test_every_digit_stays_and_nulls_are_missing(made):
    columns = {
        "name": ["a", "b", "c"],
        "integer": [2**60 + 1, None, -3],
        "decimal": [Decimal("0.30000000000000000001"), None, Decimal("1.50000000000000000000")],
        "double": [0.1, 2.5, float("nan")],
        "truth": [True, None, False],
        "text": ["0.10", None, "7"],
    }
    board = wl.Leaderboard(made(columns), keep="*")
    exact = [board.cells.column(column) for column in range(len(board.tasks))]
    assert board.models == ("a", "b", "c")
    assert exact == [
        [2**60 + 1, None, -3],
        [Fraction("0.30000000000000000001"), None, Fraction(3, 2)],
        [Fraction(1, 10), Fraction(5, 2), None],
        [1, None, 0],
        [Fraction(1, 10), None, 7],
    ]


def test_narrow_floats_and_categories_of_polars():
    frame = polars({"m": ["a", "b", "c"], "x": [0.1, None, 0.3], "y": ["1.5", "2", None]})
    pl = pytest.importorskip("polars")
    narrow = frame.with_columns(
        pl.col("m").cast(pl.Categorical), pl.col("x").cast(pl.Float32), pl.col("y").cast(pl.Categorical)
    )
    board = wl.Leaderboard(narrow)
    assert board.models == ("a", "b", "c")
    assert board.cells.column(0) == [Fraction(1, 10), None, Fraction(3, 10)]
    assert board.cells.column(1) == [Fraction(3, 2), 2, None]


def test_narrow_floats_and_dictionaries_of_pyarrow():
    pa = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    columns = {
        "m": pa.array(["a", "b"]).dictionary_encode(),
        "x": pa.array([0.1, None], pa.float32()),
        "y": pa.array([1, 2]),
    }
    board = wl.Leaderboard(pyarrow(columns))
    assert board.models == ("a", "b")
    assert board.cells.column(0) == [Fraction(1, 10), None]


@BOTH
@pytest.mark.parametrize(
    ("columns", "models", "tasks"),
    [
        ({**NUMBERS, "model": ["a", "b"]}, ("a", "b"), ("x", "y")),
        ({**NUMBERS, "MODEL": ["a", "b"], "name": [3, 4]}, ("a", "b"), ("x", "y", "name")),
        ({**NUMBERS, " Name ": ["a", "b"]}, ("a", "b"), ("x", "y")),
        ({"system": ["a", "b"], **NUMBERS}, ("a", "b"), ("x", "y")),
        ({"model": [7, 8], **NUMBERS}, ("7", "8"), ("x", "y")),
        (NUMBERS, ("0", "1"), ("x", "y")),
        ({"x": ["1", "2"], "y": [0.25, 0.5]}, ("0", "1"), ("x", "y")),
    ],
)
def test_which_column_names_the_models(made, columns, models, tasks):
    board = wl.Leaderboard(made(columns))
    assert (board.models, board.tasks) == (models, tasks)


@BOTH
def test_numbers_alone_take_names_from_the_call(made):
    assert wl.Leaderboard(made(NUMBERS), models=["a", "b"]).models == ("a", "b")


@BOTH
@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"model": ["a", None], **NUMBERS}, "row 2, column .model.: None is not a name"),
        ({"model": ["a", "a"], **NUMBERS}, "row 2: model .a. is already in row 1"),
        ({"model": ["a", "b"], "x": [[1], [2]]}, r"column .x. holds no number but .\[1\]., .\[2\]."),
        ({"model": ["a", "b"], "x": [1.0, float("inf")]}, "row 2, column .x.: inf is infinite"),
        ({}, "a leaderboard needs at least two models; got 0"),
    ],
)
def test_faults_are_those_of_any_frame(made, columns, fault):
    with pytest.raises(InputError, match=fault):
        wl.Leaderboard(made(columns))


def test_a_lazy_frame_is_refused_without_looking_at_its_columns():
    with pytest.raises(InputError, match=r"^a LazyFrame of polars is lazy; give frame.collect\(\)$"):
        wl.rules.rank(polars(NUMBERS).lazy())


def test_what_narwhals_does_not_read_is_refused_in_one_line():
    pa = pytest.importorskip("pyarrow", reason="pyarrow is absent")
    pytest.importorskip("narwhals", reason="narwhals is absent", minversion="2.0")
    twice = pa.table([[1, 2], [3, 4]], names=["x", "x"])
    for frame in (twice, pa.record_batch({"x": [1, 2]})):
        with pytest.raises(
            InputError, match=r"^a \w+ of pyarrow cannot be read: [^\n]+; give frame.to_pandas\(\) with"
        ):
            wl.Leaderboard(frame)


def test_without_narwhals_the_extra_and_the_way_around_it_are_named(monkeypatch):
    class Frame:
        columns = ("x",)

        def to_pandas(self):
            raise AssertionError

    monkeypatch.setitem(sys.modules, "narwhals", None)
    Frame.__module__ = "polars.dataframe"
    with pytest.raises(InputError) as refused:
        wl.Leaderboard(Frame())
    assert str(refused.value) == (
        "a Frame of polars needs narwhals: pip install 'weightlab[frames]'; "
        "or give frame.to_pandas() with the names of the models as its index"
    )


@BOTH
def test_suites_and_instances_and_standard_errors_take_them(made):
    frame = made({"model": ["a", "b"], **NUMBERS})
    expected = pd.DataFrame(NUMBERS, index=["a", "b"])
    assert wl.Suite({"d": frame}).equals(wl.Suite({"d": expected}))
    assert wl.Instances({"t": frame}).equals(wl.Instances({"t": expected}))
    assert wl.Leaderboard(frame, standard_errors=frame).equals(wl.Leaderboard(expected, standard_errors=expected))


@BOTH
def test_a_long_suite(made):
    long = {"dataset": ["d"] * 2, "metric": ["f1"] * 2, "model": ["a", "b"], "score": [1, None]}
    assert wl.Suite.from_long(made(long)).equals(wl.Suite.from_long(pd.DataFrame(long)))


@BOTH
def test_a_result_is_checked_against_them(made):
    frame = made({"model": ["a", "b"], **NUMBERS})
    found = wl.lp.prospects(frame)
    assert found.verify(frame)
    with pytest.raises(wl.ProofError):
        found.verify(made({"model": ["a", "b"], "x": [2.0, 1.0], "y": [0.25, 0.5]}))


def test_models_may_be_called_by_numbers():
    board = wl.Leaderboard(pd.DataFrame({"model": [7, 12], "x": [1.5, 2.5]}))
    assert (board.models, board.tasks) == (("7", "12"), ("x",))
