"""Frames of pandas go through the same reading as a file of the same columns."""

from __future__ import annotations

import io
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import InputError

TABLE = "rank,name,licence,wer,f1,params\n1,a,MIT,0.3,0.9,7B\n2,b,GPL,0.2,0.8,1B\n3,c,MIT,0.1,0.7,3B\n"


def outcome(read, *given):
    """Return the table that is read, or why it is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read(*given).to_dict()
        except InputError as error:
            return str(error).partition(": ")[2]


def test_what_pandas_reads_is_what_is_read():
    frame = pd.read_csv(io.StringIO(TABLE))
    board = wl.Leaderboard(frame)
    assert board.equals(wl.read_leaderboard(io.StringIO(TABLE)))
    assert (board.models, board.tasks, board.lower_is_better) == (("a", "b", "c"), ("wer", "f1"), ("wer",))
    assert (
        wl.propose_reading(frame).line.partition(": ")[2]
        == wl.propose_reading(io.StringIO(TABLE)).line.partition(": ")[2]
    )
    assert wl.lp.prospect(frame, "c").verdict.value == "strict"  # every question takes it


NAMES = st.lists(st.sampled_from(["acc", "rank", "loss", "size", "avg", "x", "latency_ms"]), min_size=1, unique=True)


@given(NAMES, st.randoms(use_true_random=False))
def test_a_frame_is_read_as_its_file_is(columns, dice):
    rows = [[f"m{row}", *(dice.choice(["", *map(str, range(9)), "0.5", "99.25"]) for _ in columns)] for row in range(4)]
    text = "\n".join(map(",".join, [["model", *columns], *rows])) + "\n"
    assert outcome(wl.Leaderboard, pd.read_csv(io.StringIO(text))) == outcome(wl.read_leaderboard, io.StringIO(text))


def test_what_is_only_likely_is_asked_about_and_declared_here_too():
    frame = pd.DataFrame({"model": ["a", "b"], "p95 request cost": [1, 2]})
    with pytest.raises(wl.ReadingError, match="pass accept_reading=True"):
        wl.Leaderboard(frame)
    assert wl.Leaderboard(frame, accept_reading=True).lower_is_better == ("p95 request cost",)
    assert wl.Leaderboard(frame, higher_is_better="p95 request cost").lower_is_better == ()
    assert wl.Leaderboard(frame, lower_is_better="p95 request cost", weights=[2]).weights.tolist() == [2]


def test_what_says_how_columns_are_read_is_refused_where_they_are_not():
    with pytest.raises(InputError, match="accept_reading: of frames in which a column names the models"):
        wl.Leaderboard({"x": {"a": 1, "b": 2}}, accept_reading=True)


def test_a_frame_with_names_is_taken_as_it_stands():
    frame = pd.DataFrame({"rank": [1, 2], "avg": [3, 4]}, index=["a", "b"])
    assert wl.Leaderboard(frame).tasks == ("rank", "avg")
    assert wl.Leaderboard(pd.DataFrame({"x": ["0.1", "2"]})).models == ("0", "1")  # text of numbers is numbers


def test_cells_keep_every_digit():
    cells = {"model": ["a", "b", "c"], "d": [Decimal("0.30000000000000000001"), None, 1], "n": [2**60 + 1, None, -3]}
    frame = pd.DataFrame({name: pd.Series(its, dtype=object) for name, its in cells.items()})
    frame["f"] = np.array([0.1, 0.2, np.nan], dtype=np.float32)
    board = wl.Leaderboard(frame, keep="*")
    columns = [board.cells.column(at) for at in range(3)]
    assert columns[0] == [Fraction("0.30000000000000000001"), None, 1]
    assert columns[1:] == [[2**60 + 1, None, -3], [Fraction(1, 10), Fraction(1, 5), None]]


def test_an_index_of_names_holds_the_labels_of_a_file():
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["a", "b"], name="system"))
    assert wl.read_leaderboard(frame).models == ("a", "b")


def test_long_frames_become_tables():
    frame = pd.DataFrame({"dataset": ["d", "d", "e", "e"], "model": [*"abab"], "accuracy": [0.1, 0.2, 0.3, 0.4]})
    board = wl.Leaderboard(frame)
    assert (board.models, board.tasks) == (("a", "b"), ("d", "e"))


def test_a_frame_of_tasks_by_models_is_asked_about():
    frame = pd.DataFrame(
        {"task_name": ["Banking77", "STS12", "NFCorpus"], "org/a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.4]}
    )
    with pytest.raises(wl.ReadingError, match="rows are tasks") as asked:
        wl.Leaderboard(frame)
    assert wl.Leaderboard(frame, **asked.value.ways[0]).models == ("org/a", "b")


def test_votes_and_suites_are_read_from_frames():
    assert wl.read_votes(pd.DataFrame({"model_a": ["a"], "model_b": ["b"], "winner": ["tie"]})).models == ("a", "b")
    long = pd.DataFrame({"dataset": ["d"] * 2, "metric": ["f1"] * 2, "model": [*"ab"], "score": [0.1, 0.2]})
    assert wl.read_suite(long).datasets == ("d",)


def test_several_levels_are_refused():
    frame = pd.DataFrame({("a", "x"): [1, 2], ("a", "y"): ["a", "b"]})
    with pytest.raises(InputError, match="reset_index"):
        wl.read_leaderboard(frame)
