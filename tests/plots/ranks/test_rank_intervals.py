"""Ranks with their intervals: the numbers of the bootstrap, and a line where the draws keep an order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

CLEAR = wl.Leaderboard({f"t{place}": {"a": 3, "b": 2 - place % 2, "c": 1 + place % 2} for place in range(6)})


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(1, 4), missing=False))
def test_models_lines_and_contenders_are_those_of_the_bootstrap(board):
    found = wl.studies.bootstrap(board, "borda", repeats=12, rng=0)
    marks = wl.plots.rank_intervals_marks(found)
    rows, table = rows_of(marks, "model"), found.intervals()
    assert [one.name for one in rows] == list(table.index)
    assert [[one.rank, one.low, one.high, one.wins] for one in rows] == table.iloc[:, :4].to_numpy().tolist()
    assert {one.name for one in rows if one.role == "contender"} == set(found.contenders)
    kept = [place for place, one in enumerate(found.adjacent()["separable"]) if one]
    assert [one.y for one in rows_of(marks, "gap")] == [place + 0.5 for place in kept]
    assert title_of(marks) == "Rank intervals, each by itself (borda)"
    assert f"({len(kept)} of {len(rows) - 1} adjacent pairs)" in notes_of(marks)[0]


@settings(max_examples=15)
@given(boards(models=(2, 5), tasks=(2, 6), missing=False))
def test_joint_sets_letters_and_contenders_are_those_of_the_rank_sets(board):
    if not board.margins().wins.any() or sum(map(bool, board.weights)) < 2:
        return
    found = wl.studies.rank_sets(board.with_groups({}), "borda", level=0.5, repeats=100)
    marks = wl.plots.rank_intervals_marks(found)
    rows = rows_of(marks, "model")
    assert {one.name: (one.low, one.high) for one in rows} == found.rank_sets
    assert [one.label for one in rows] == found.classes.tolist()
    assert {one.name for one in rows if one.role == "contender"} == set(found.contenders)
    apart = [found.above.loc[one, other] for one, other in zip(found.order, found.order[1:], strict=False)]
    assert [one.y for one in rows_of(marks, "gap")] == [place + 0.5 for place, one in enumerate(apart) if one]
    assert title_of(marks) == "Joint rank intervals (borda)"


def test_how_often_a_model_is_first_is_written_beside_it():
    marks = wl.plots.rank_intervals_marks(wl.studies.bootstrap(CLEAR, "borda", repeats=50, rng=0))
    assert [one.label for one in rows_of(marks, "model")] == ["first in 100%", "", ""]
    assert notes_of(marks)[0].startswith("Dots: ranks on the table itself; bars: 95% of 50 resamples of the tasks,")


def test_of_many_models_the_first_are_shown_and_the_note_counts_all():
    board = wl.Leaderboard({f"t{task}": {f"m{place}": place for place in range(9)} for task in range(3)})
    marks = wl.plots.rank_intervals_marks(wl.studies.bootstrap(board, "borda", repeats=5, rng=0), most=4)
    assert [one.name for one in rows_of(marks, "model")] == ["m8", "m7", "m6", "m5"]
    assert [one.y for one in rows_of(marks, "gap")] == [0.5, 1.5, 2.5]
    assert "(8 of 8 adjacent pairs)" in notes_of(marks)[0]
    assert notes_of(marks)[0].endswith("Shown are the first 4 of 9 models.")


def test_how_instances_were_ranked_is_said():
    instances = wl.Instances({"x": {"i": {"a": 1, "b": 0}, "j": {"a": 1, "b": 1}}, "y": {"i": {"a": 0, "b": 1}}})
    marks = wl.plots.rank_intervals_marks(wl.studies.bootstrap(instances, "borda", how="one_level", repeats=5, rng=0))
    assert "one level" in notes_of(marks)[0]


@pytest.mark.parametrize(("share", "text"), [(0, ""), (0.003, "first in under 1%"), (0.25, "first in 25%")])
def test_rare_wins_are_not_none(share, text):
    from weightlab.plots.ranks.rank_intervals import _wins

    assert _wins(share) == text


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({
        task: {name: (3 * place + shift) % 7 for place, name in enumerate(AWKWARD)} for shift, task in enumerate("xyz")
    })  # fmt: skip
    found = wl.studies.bootstrap(board, "borda", repeats=20, rng=0)
    assert_is_drawn(wl.studies.rank_sets(board, "borda"), "rank_intervals", names=["模型"])
    assert_is_drawn(found, "rank_intervals", names=["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07"])
