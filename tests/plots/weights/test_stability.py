"""Stability as pairs of weights: both ends exact, and of many tasks those that change."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 2}})
CYCLE = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})
WIDE = wl.Leaderboard({f"t{place}": {"a": 1 + (place % 5 > 0), "b": 2 - (place % 5 > 0)} for place in range(60)})


@settings(max_examples=25)
@given(boards(models=(2, 4), tasks=(1, 5)))
def test_the_weights_are_those_of_today_and_of_the_least_change(board):
    try:
        found = wl.lp.stability(board, rule="majority")
    except wl.NoWinnerError as error:
        assume(error.nearest is not None)
        found = error.nearest
    norms = [found.norm] if isinstance(found, wl.lp.BrokenCycle) else found.norms
    for norm in norms:
        if not isinstance(found, wl.lp.BrokenCycle) and found.radius(norm) is None:
            with pytest.raises(wl.InputError, match=r"^no allowed weights change anything: "):
                wl.plots.stability_marks(found, norm=norm)
            continue
        rows = rows_of(wl.plots.stability_marks(found, norm=norm), "task")
        nearest = found.strict_weights if isinstance(found, wl.lp.BrokenCycle) else found.weights_at(norm=norm)
        assert [(one.name, one.today, one.nearest) for one in rows] == [
            (task, found.weights[task], nearest[task]) for task in board.tasks
        ]
        changes = [one.change for one in rows]
        assert changes == [one.nearest - one.today for one in rows]
        assert [one.role for one in rows] == [
            "more" if change > 0 else "less" if change < 0 else "same" for change in changes
        ]
        size = sum(map(abs, changes)) if norm == "l1" else max(map(abs, changes))
        slack = found.slack if isinstance(found, wl.lp.BrokenCycle) else 0
        assert size == (found.value if isinstance(found, wl.lp.BrokenCycle) else found.radius(norm)) + slack


def test_of_many_tasks_those_that_change_have_a_row_and_one_counts_the_others():
    found = wl.lp.stability(WIDE, norm="l1", rule="majority")
    rows = rows_of(wl.plots.stability_marks(found), "task")
    *own, rest = rows
    assert 0 < len(own) < 24
    assert all(one.change for one in own)
    assert (rest.name, rest.role, rest.label) == (f"{60 - len(own)} other tasks", "rest", "do not change")
    assert sum(one.today for one in rows) == sum(one.nearest for one in rows) == 1


def test_others_that_change_too_are_added_up():
    found = wl.lp.stability(WIDE, norm="linf", rule="majority")
    rows = rows_of(wl.plots.stability_marks(found, norm="linf", most=3), "task")
    assert [one.role for one in rows][-1] == "rest"
    assert len(rows) == 4
    assert rows[-1].label.startswith("change by ")
    with pytest.raises(wl.InputError, match=r"^most must be at least 1; got 0$"):
        wl.plots.stability_marks(found, most=0)


def test_a_ranking_says_who_draws_level():
    marks = wl.plots.stability_marks(wl.lp.stability(BOARD, rule="mean", of="ranking"))
    assert title_of(marks) == "The ranking by average stays until a and b tie"
    assert "At least 16.7% of the weight has to move." in notes_of(marks)[0]


def test_without_a_winner_the_nearest_one_is_shown():
    marks = wl.plots.stability_marks(wl.lp.break_cycle(CYCLE))
    assert title_of(marks) == "No model beats all others today; a does at the nearest weights found"
    with pytest.raises(wl.InputError, match=r"^changes were measured by 'l1', not by 'linf'$"):
        wl.plots.stability_marks(wl.lp.break_cycle(CYCLE), norm="linf")


def test_it_is_drawn_whatever_the_tasks_are_called():
    pytest.importorskip("matplotlib")
    names = ["$x_1$", "<script>alert(1)</script>", "模型", "a_b^c"]
    assert set(names) <= set(AWKWARD)
    board = wl.Leaderboard({name: {"a": 2 - (place > 2), "b": 1 + (place > 2)} for place, name in enumerate(names)})
    assert_is_drawn(wl.lp.stability(board, rule="majority"), "stability", names=names)


def test_neighbours_that_are_level_today_are_said_to_be():
    tied = wl.Leaderboard({"x": {"a": 1, "b": 1, "c": 0}})
    marks = wl.plots.stability_marks(wl.lp.stability(tied, rule="mean", of="ranking"))
    assert title_of(marks) == "The ranking by average: a and b tie today"
