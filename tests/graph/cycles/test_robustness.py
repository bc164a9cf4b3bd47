"""Buffer and radius of a cycle: moving scores by the radius breaks it, moving them by less does not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weightlab as wl
from tests import brute_force as twins
from tests.dice import DICE
from tests.graph import brute_force
from tests.graph.brute_force import Duels
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.strategies import FEWER
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.graph import CycleRobustness, cycle_robustness, most_robust_cycle, strongest_cycle
from weightlab.graph.cycles.robustness import GapTable

SCORES = {"x": {"a": 3, "b": 2, "c": 0}, "y": {"a": 0, "b": 9, "c": 5}, "z": {"a": 4, "b": 0, "c": 6}}
BOARD = wl.Leaderboard(SCORES)
HALF_STEPS = st.integers(-6, 6).map(lambda value: Fraction(value, 2))
QUARTERS = [Fraction(value, 4) for value in sorted(range(-6, 7), key=abs)]


@st.composite
def cyclic_boards(draw, *, least=3, most=4):
    """Return boards that are mostly Condorcet's paradox, moved about: ties, gaps, weights, directions, tolerances."""
    dice = draw(DICE)
    models, tasks = dice.between(least, most), dice.between(3, 4)
    names = list("wxyz")[:tasks]
    rows = [[3 * ((row + column) % 3) + dice.one_of(QUARTERS) for column in range(tasks)] for row in range(models)]
    lower = dice.some_of(names)
    rows = [[-score if name in lower else score for name, score in zip(names, row, strict=True)] for row in rows]
    gap = dice.one_of([None, None, (0, 0), (1, 2)])
    if gap is not None:
        rows[gap[0]][gap[1]] = None
    return wl.Leaderboard(
        pd.DataFrame(rows, index=list("abcd")[:models], columns=names, dtype=object),
        lower_is_better=lower,
        weights=[1, 1, 1, dice.one_of([0, 1, "1/2"])][:tasks],
        tolerance=dice.one_of([0, "1/4", 1]),
    )


def moved(board, changes):
    """Return the board with changes (models x tasks) added to its scores."""
    by_task = changes.to_dict()
    columns = {
        task: [
            None if score is None else score + by_task.get(task, {}).get(model, 0)
            for model, score in zip(board.models, board.cells.column(place), strict=True)
        ]
        for place, task in enumerate(board.tasks)
    }
    return wl.Leaderboard(
        pd.DataFrame(columns, index=list(board.models), dtype=object),
        lower_is_better=list(board.lower_is_better),
        weights=board.weights.to_dict(),
        tolerance=dict(board.tolerance),
    )


def against(board, pair, size):
    """Return the changes that move every score of a duel by a size, the first model's down and the second's up."""
    rows = [[-size if task not in board.lower_is_better else size for task in board.tasks]]
    rows.append([-one for one in rows[0]])
    return pd.DataFrame(rows, index=list(pair), columns=list(board.tasks), dtype=object)


@given(cyclic_boards())
def test_moves_of_the_radius_break_the_cycle_and_smaller_ones_do_not(board):
    result = cycle_robustness(board)
    assume(result is not None)
    slack = 0 if result.radius_attained else Fraction(1, 1000)
    winner, loser = result.radius_duel
    changes = result.changes(slack)
    assert max(abs(value) for row in changes.to_numpy() for value in row) <= result.radius + slack
    assert moved(board, changes).margins().margin(winner, loser) <= 0
    for pair in result.duels:
        if result.radius:
            less = moved(board, against(board, pair, result.radius * Fraction(999, 1000)))
            assert less.margins().margin(*pair) > 0
        if not result.radius_attained:
            assert moved(board, against(board, pair, result.radius)).margins().margin(*pair) > 0


@given(cyclic_boards())
def test_the_buffer_is_the_least_gap_of_a_task_that_supports_a_win(board):
    result = cycle_robustness(board)
    assume(result is not None)
    gaps = {}
    for winner, loser in result.duels:
        for task in board.tasks:
            if twins.sign(board, winner, loser, task) == 1 and twins.weights(board)[task]:
                there = twins.scores(board)[task]
                gaps[winner, loser, task] = abs(there[winner] - there[loser])
    assert result.buffer == min(gaps.values()) == gaps[*result.buffer_duel, result.buffer_task]
    assert {(*duel, task) for duel, tasks in result.support.items() for task in tasks} == set(gaps)


@given(cyclic_boards())
def test_robustness_verifies_and_travels(board):
    result = cycle_robustness(board, scale="range")
    assume(result is not None)
    assert result.verify(board)
    again = travelled(result)
    assert again.verify(board)
    assert str(again) == str(result)
    assert again.gaps.equals(result.gaps)
    assert result.summary()["buffer"].min() == pytest.approx(float(result.buffer))
    assert result.summary()["radius"].min() == pytest.approx(float(result.radius))


@FEWER
@pytest.mark.parametrize("of_three", [True, False])
@pytest.mark.parametrize("by", ["radius", "buffer"])
@given(board=cyclic_boards())
def test_no_cycle_is_more_robust_than_the_most_robust_one(board, by, of_three):
    cycles = [one for one in brute_force.cycles(Duels(board.margins())) if len(one) == 3 or not of_three]
    found = most_robust_cycle(board, by=by, of_three=of_three)
    assert (found is None) == (cycles == [])
    if found is not None:
        worth = {one: getattr(cycle_robustness(board, one), by) for one in cycles}
        assert found.cycle in worth
        assert getattr(found, by) == worth[found.cycle] == max(worth.values())
        assert found.verify(board)


def shrunk_margin(gaps, tolerance, shrunk):
    """Return the margin of a duel on equal tasks once all its gaps have shrunk by so much."""
    left = [gap - shrunk for gap in gaps]
    return sum((one > tolerance) - (one < -tolerance) for one in left)


def duel(*gaps, tolerance=0):
    """Return the gaps of a model over another one, on equal tasks."""
    tasks = tuple(map(str, range(len(gaps))))
    ones = (Fraction(1),) * len(gaps)
    scores = {"a": tuple(map(Fraction, gaps)), "b": (Fraction(0),) * len(gaps)}
    ties = (Fraction(tolerance),) * len(gaps)
    table = GapTable(scores=scores, tasks=tasks, weights=ones, tolerances=ties, units=ones, lower_is_better=())
    return table.gaps(np.array([0]), np.array([1]))


def radius(gaps):
    """Return the radius of the one duel, and whether it is attained."""
    shrunk, beyond = divmod(int(gaps.undone[0]), 2)
    return gaps.part * shrunk / 2, not beyond


def test_the_buffer_is_not_how_far_scores_may_move():
    assert duel(1, 5, 5).buffers.tolist() == [1]
    assert radius(duel(1, 5, 5)) == (Fraction(5, 2), True)
    assert duel(5, 0, 0).buffers.tolist() == [5]
    assert radius(duel(5, 0, 0)) == (0, False)


@given(st.lists(HALF_STEPS, min_size=1, max_size=5), st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(2)]))
def test_the_radius_is_where_the_margin_first_falls_to_0(gaps, tolerance):
    assume(shrunk_margin(gaps, tolerance, 0) > 0)
    tasks = duel(*gaps, tolerance=tolerance)
    assert tasks.margins == [shrunk_margin(gaps, tolerance, 0)]
    size, attained = radius(tasks)
    for quarter in range(60):
        shrunk = Fraction(quarter, 4)
        undone = shrunk_margin(gaps, tolerance, shrunk) <= 0
        assert undone == (shrunk > 2 * size or (shrunk == 2 * size and attained))


@given(board=cyclic_boards(), scale=st.sampled_from([None, "range"]))
def test_the_gaps_of_a_model_over_all_are_those_of_its_duels(board, scale):
    table = GapTable.of(board, scale)
    for row in range(len(board.models)):
        rivals = np.arange(len(board.models))
        duels, every = table.gaps(np.full(len(rivals), row), rivals), table.gaps(row, slice(None))
        assert duels.margins == every.margins
        won = [margin > 0 for margin in every.margins]
        assert duels.undone[won].tolist() == every.undone[won].tolist()
        assert duels.buffers[won].tolist() == every.buffers[won].tolist()


def test_units_are_raw_or_ranges_or_given():
    raw = cycle_robustness(BOARD)
    ranged = cycle_robustness(BOARD, scale="range")
    assert (raw.buffer, ranged.buffer) == (1, Fraction(1, 3))
    assert ranged.gaps.loc["a", "y"] == -1
    assert cycle_robustness(BOARD, scale={"x": 10, "y": 10, "z": 10}).radius == raw.radius / 10
    assert cycle_robustness(BOARD, scale={"x": "1/2"}).gaps.loc["a", "x"] == 2


def test_a_task_on_which_all_are_equal_cannot_move_in_ranges():
    same = wl.Leaderboard({**SCORES, "flat": dict.fromkeys("abc", 1)})
    assert cycle_robustness(same, scale="range").changes(1)["flat"].tolist() == [0, 0]
    assert cycle_robustness(same, scale="range").radius == cycle_robustness(BOARD, scale="range").radius
    assert cycle_robustness(same).radius == Fraction(0)


def test_by_default_the_strongest_cycle_is_measured_and_there_may_be_none():
    assert cycle_robustness(BOARD).cycle == strongest_cycle(BOARD).models
    sorted_board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 0}})
    assert cycle_robustness(sorted_board) is None
    assert most_robust_cycle(sorted_board) is None


def test_a_cycle_may_begin_anywhere():
    assert cycle_robustness(BOARD, ["b", "c", "a"]).radius == cycle_robustness(BOARD).radius


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: cycle_robustness(BOARD, ["a", "c", "b"]),
            "'a' does not beat 'c', so this is no cycle: the margin is -1",
        ),
        (lambda: cycle_robustness(BOARD, ["a", "b"]), "a cycle has three distinct models or more; got 'a', 'b'"),
        (lambda: cycle_robustness(BOARD, []), "a cycle has three distinct models or more; got none"),
        (lambda: cycle_robustness(BOARD, ["a", "b", "b"]), "a cycle has three distinct models or more"),
        (lambda: cycle_robustness(BOARD, scale="spread"), "scale must be None, 'range', or a mapping .*; got 'spread'"),
        (lambda: cycle_robustness(BOARD, scale={"x": 0}), "the scale of task 'x' must be positive; got 0"),
        (lambda: most_robust_cycle(BOARD, by="width"), "by must be 'radius' or 'buffer'; got 'width'"),
        (
            lambda: cycle_robustness(wl.Leaderboard(SCORES, relative_tolerance={"x": "0.1"})),
            "not defined under a relative tolerance; tasks with one: 'x'",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, message):
    with pytest.raises(InputError, match=message):
        ask()


def test_names_and_boards_are_checked():
    with pytest.raises(UnknownNameError, match="no model named 'z'"):
        cycle_robustness(BOARD, ["a", "b", "z"])
    with pytest.raises(UnknownNameError, match="no task named 'v'"):
        cycle_robustness(BOARD, scale={"v": 1})
    with pytest.raises(TypeError, match="gaps between scores need a Leaderboard; got Margins"):
        cycle_robustness(BOARD.margins())


def test_each_corrupted_field_is_seen():
    result = cycle_robustness(BOARD)
    table = result.table
    wider = {model: tuple(2 * score for score in scores) for model, scores in table.scores.items()}
    spoilt = {
        "cycle": [("a", "c", "b"), ("a", "b"), ("a", "b", "b")],
        "buffer": [result.buffer + 1],
        "buffer_duel": [("b", "c")],
        "buffer_task": ["y"],
        "radius": [result.radius + 1],
        "radius_attained": [not result.radius_attained],
        "radius_duel": [("b", "c")],
        "table": [
            replace(table, scores=wider),
            replace(table, scores={model: table.scores[model] for model in "ab"}),
            replace(table, weights=(Fraction(-1), Fraction(1), Fraction(1))),
            replace(table, weights=(Fraction(1), Fraction(0), Fraction(0))),
            replace(table, tolerances=(Fraction(9),) * 3),
            replace(table, units=(Fraction(-1),) * 3),
            replace(table, units=(Fraction(1, 2),) * 3),
        ],
    }
    assert_each_spoilt_field_is_seen(result, spoilt)


def test_each_part_that_is_not_the_leaderboards_is_seen():
    result = cycle_robustness(BOARD)
    for other, what in (
        (wl.Leaderboard({**SCORES, "x": {"a": 9, "b": 2, "c": 0}}), "the scores of 'a'"),
        (wl.Leaderboard(SCORES, weights={"x": 2}), "the weights"),
        (wl.Leaderboard(SCORES, tolerance={"x": "1/2"}), "the tolerances"),
        (wl.Leaderboard({"x": SCORES["x"], "y": SCORES["y"]}), "the tasks"),
        (wl.Leaderboard(SCORES, lower_is_better=["x"]), "the lower is better"),
    ):
        with pytest.raises(ProofError, match=f"{what} are not those of the leaderboard"):
            result.verify(other)


def test_each_corrupted_part_of_a_document_is_seen():
    spoilt = [
        (("cycle",), ["a", "c", "b"]),
        (("buffer",), "2/1"),
        (("buffer_duel",), ["a"]),
        (("buffer_task",), "z"),
        (("radius",), "1/4"),
        (("radius_attained",), None),
        (("radius_duel",), ["b", "c"]),
        (("table", "scores", "a"), ["1/1"]),
        (("table", "scores", "a", 0), 3),
        (("table", "weights"), ["1/1"]),
        (("table", "units", 0), "2/1"),
        (("table", "tolerances", 0), "-1/1"),
    ]
    assert_each_spoilt_part_is_seen(cycle_robustness(BOARD), spoilt)


def test_the_sentence_says_whether_the_radius_itself_is_enough():
    assert str(cycle_robustness(BOARD)) == (
        "a > b > c > a: the least gap behind it is 1 (a over b on x); "
        "moving every score by 0.5 can break it (a over b)."
    )
    flat = wl.Leaderboard({**SCORES, "flat": dict.fromkeys("abc", 1)})
    assert "moving scores by any more than 0 can break it" in str(cycle_robustness(flat))


def test_the_sentence_names_units_that_are_not_raw_scores():
    sentence = str(cycle_robustness(BOARD, scale={"x": 10, "y": "1/2"}))
    assert sentence.endswith("(a over b). Units in scores: 10 on x, 0.5 on y.")
    many = wl.Leaderboard({f"{task}{copy}": scores for task, scores in SCORES.items() for copy in range(3)})
    assert str(cycle_robustness(many, scale=dict.fromkeys(many.tasks, 2))).endswith("2 on y0, 2 on y1 and 4 more.")


def test_scores_that_differ_are_not_taken_to_be_fixed():
    flat = {**SCORES, "flat": dict.fromkeys("abc", 1)}
    result = cycle_robustness(wl.Leaderboard(flat), scale="range")
    assert result.verify(wl.Leaderboard(flat))
    document = result.to_dict()
    document["table"]["units"] = ["0/1"] * 4
    with pytest.raises(ProofError, match="the unit of 'x' is 0, and scores on it differ"):
        CycleRobustness.from_dict(document).verify()
    wider = wl.Leaderboard(
        {**{task: {**scores, "d": 0} for task, scores in SCORES.items()}, "flat": {**flat["flat"], "d": 5}}
    )
    with pytest.raises(ProofError, match="the unit of 'flat' is 0, and scores on it differ"):
        result.verify(wider)
