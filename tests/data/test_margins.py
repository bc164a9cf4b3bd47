"""Margins are weighted sums of signs, exact for all weights."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weightlab as wl
from tests import brute_force
from tests.strategies import FEWER, boards, decimal_of, profiles
from weightlab.exceptions import InputError, UnknownNameError

FALSE_WINNER = {"x": {"a": 1, "b": 0}, "y": {"a": 1, "b": 0}, "z": {"a": 0, "b": 1}}
"""a leads on x and y, b on z."""


def assert_as_defined(margins, board):
    for row, model in enumerate(board.models):
        for column, rival in enumerate(board.models):
            assert Fraction(int(margins.wins[row, column]), margins.denominator) == brute_force.wins(
                board, model, rival
            )
            assert Fraction(int(margins.ties[row, column]), margins.denominator) == brute_force.ties(
                board, model, rival
            )
            assert margins.margin(model, rival) == brute_force.margin(board, model, rival)


@given(boards())
def test_margins_are_those_of_the_definition(board):
    assert_as_defined(board.margins(), board)


@given(boards(tolerant=True, models=(2, 4)))
def test_margins_use_tolerances(board):
    assert_as_defined(board.margins(), board)


@FEWER
@given(boards(cells=decimal_of, models=(2, 4), tasks=(1, 3)))
def test_margins_compare_the_decimals_that_were_written(board):
    assert_as_defined(board.margins(), board)


@FEWER
@given(boards())
def test_margins_are_antisymmetric_and_ties_symmetric(board):
    margins = board.margins()
    assert (margins.array == -margins.array.T).all()
    assert (margins.ties == margins.ties.T).all()
    assert not np.diag(margins.wins).any()
    assert not np.diag(margins.ties).any()


@FEWER
@given(boards(missing=False))
def test_wins_losses_and_ties_of_complete_models_add_up_to_all_weight(board):
    margins = board.margins()
    total = sum(board.weights) * margins.denominator
    off_diagonal = ~np.eye(len(board.models), dtype=bool)
    assert set((margins.wins + margins.wins.T + margins.ties)[off_diagonal].tolist()) == {total}


@FEWER
@given(boards(), st.fractions(Fraction(1, 50), 50))
def test_scaling_the_weights_scales_the_margins(board, factor):
    scaled = board.margins({task: weight * factor for task, weight in board.weights.items()})
    model, rival = board.models[:2]
    assert scaled.margin(model, rival) == factor * board.margins().margin(model, rival)


@FEWER
@given(boards())
def test_doubling_a_task_is_doubling_its_weight(board):
    task = board.tasks[0]
    twin = task + "'"
    assume(twin not in board.tasks)
    doubled = wl.Leaderboard(
        board.scores.assign(**{twin: board.scores[task]}),
        lower_is_better=[*board.lower_is_better, *([twin] if task in board.lower_is_better else [])],
        weights={**board.weights, twin: board.weights[task]},
    )
    heavier = wl.Leaderboard(board.scores, lower_is_better=board.lower_is_better)
    weights = {**board.weights, task: 2 * board.weights[task]}
    one, other = doubled.margins(), heavier.margins(weights)
    assert one.frame().equals(other.frame())


@FEWER
@given(boards())
def test_other_weights_can_be_asked_about(board):
    ones = wl.Leaderboard.from_cells(board.models, board.tasks, board.cells, lower_is_better=board.lower_is_better)
    assert board.margins({}).frame().equals(ones.margins().frame())
    assert board.margins([1] * len(board.tasks)).frame().equals(ones.margins().frame())


def test_weights_that_do_not_fit_are_refused():
    board = wl.Leaderboard(FALSE_WINNER)
    with pytest.raises(InputError) as caught:
        board.margins({"x": -1, "v": 2})
    assert caught.value.faults == (
        "weights: no task named 'v'; the leaderboard has 'x', 'y', 'z'",
        "weight of task 'x' is negative: -1",
    )
    with pytest.raises(InputError, match=r"^all weights are 0$"):
        board.margins([0, 0, 0])


# Exactness ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [[0.1, 0.2, 0.3], ["0.1", "0.2", "0.3"], ["1/10", "1/5", "3/10"]])
def test_a_tenth_and_two_tenths_against_three_tenths_is_a_tie(weights):
    board = wl.Leaderboard(FALSE_WINNER, weights=weights)
    assert board.margins().margin("a", "b") == 0
    assert brute_force.condorcet_winners(board) == []
    assert sum(weight * sign for weight, sign in zip([0.1, 0.2, 0.3], [1, 1, -1], strict=True)) > 0  # in doubles


@pytest.mark.parametrize("count", [1, 127, 128, 255, 256, 257, 300, 600])
def test_any_number_of_equal_tasks_is_counted(count):
    scores = pd.DataFrame(np.arange(3.0)[:, None].repeat(count, axis=1), index=list("abc"))
    margins = wl.Leaderboard(scores).margins()
    assert margins.margin("c", "a") == margins.margin("b", "a") == count
    assert margins.wins.max() == count


@pytest.mark.parametrize(
    ("weight", "dtype"),
    [(1, np.int32), (2**30 - 1, np.int32), (2**30, np.int64), (2**61 - 1, np.int64), (2**61, object), (10**40, object)],
)
def test_counters_are_as_wide_as_the_weights_need(weight, dtype):
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}}, weights=[weight, weight])
    margins = board.margins()
    assert margins.wins.dtype == margins.ties.dtype == dtype
    assert margins.margin("a", "b") == 0
    assert_as_defined(margins, board)


def test_a_featherweight_decides_between_giants():
    tasks = {"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}, "z": {"a": 1, "b": 0}}
    margins = wl.Leaderboard(tasks, weights=[10**40, 10**40, Fraction(1, 10**40)]).margins()
    assert margins.margin("a", "b") == Fraction(1, 10**40)
    assert margins.frame().loc["a", "b"] == 1e-40


@pytest.mark.parametrize(
    "weights", [[2**53, 1, 1], [2**52, 2**52, 1], [2**61, 1, 1], [10**40, 1, "1e-40"], [2**51, 2**102, 2**153 - 1]]
)
def test_missing_scores_are_left_out_exactly_beyond_the_integers_of_doubles(weights):
    frame = pd.DataFrame([[1, 1, None], [0, 1, 2], [None, 1, 3]], index=list("abc"), columns=list("xyz"))
    board = wl.Leaderboard(frame, weights=weights)
    assert_as_defined(board.margins(), board)


def test_many_models_are_counted_in_several_blocks(monkeypatch):
    monkeypatch.setattr("weightlab.data.margins.BLOCK_CELLS", 40)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 4, (13, 5)).astype(float), index=[f"m{row}" for row in range(13)])
    frame[rng.random(frame.shape) < 0.1] = np.nan
    frame[0] = 1.0
    board = wl.Leaderboard(frame, weights=[1, 1, 2, 2, "1/3"], tolerance={"4": 1})
    assert_as_defined(board.margins(), board)


@FEWER
@given(boards(weighted=False, models=(2, 4), tasks=(2, 4)), st.lists(st.integers(0, 2**200), min_size=4, max_size=4))
def test_weights_of_any_size_are_added_exactly(board, weights):
    weights = weights[: len(board.tasks) - 1]
    board = wl.Leaderboard.from_cells(
        board.models, board.tasks, board.cells, lower_is_better=board.lower_is_better, weights=[1, *weights]
    )
    assert_as_defined(board.margins(), board)


def test_nobody_to_vote_makes_every_duel_a_tie():
    nobody = wl.Profile.from_orders([["a", "b"]]).select(voters=[])
    assert nobody.margins().margin("a", "b") == 0


# Margins as they are --------------------------------------------------------------------------------------------------


@FEWER
@given(boards())
def test_a_frame_of_margins_holds_them_as_floats(board):
    margins = board.margins()
    frame = margins.frame()
    assert (tuple(frame.index), tuple(frame.columns)) == (board.models, board.models)
    for model in board.models:
        for rival in board.models:
            assert frame.loc[model, rival] == pytest.approx(float(margins.margin(model, rival)), rel=1e-15)


@FEWER
@given(boards(), st.data())
def test_selecting_models_keeps_their_margins(board, data):
    chosen = data.draw(st.lists(st.sampled_from(board.models), min_size=1, unique=True))
    margins = board.margins()
    some = margins.select([*chosen, chosen[0]])
    assert some.models == tuple(chosen)
    for model in chosen:
        for rival in chosen:
            assert some.margin(model, rival) == margins.margin(model, rival)
            places = (some.position(model), some.position(rival)), (margins.position(model), margins.position(rival))
            assert some.ties[places[0]] == margins.ties[places[1]]


def test_unknown_models_are_refused():
    margins = wl.Leaderboard(FALSE_WINNER).margins()
    for ask in (lambda: margins.margin("a", "c"), lambda: margins.select(["c"]), lambda: margins.position("c")):
        with pytest.raises(UnknownNameError, match="no model named 'c'"):
            ask()
    assert margins.select("a").models == ("a",)


@FEWER
@given(profiles(complete=False))
def test_a_profile_has_the_margins_of_its_orders(profile):
    margins = profile.margins()
    for one in profile.models:
        for other in profile.models:
            lead = Fraction(0)
            for order, weight in zip(profile.orders, profile.weights, strict=True):
                place = {model: rank for rank, tied in enumerate(order) for model in tied}
                if one in place and other in place:
                    lead += weight * ((place[one] < place[other]) - (place[one] > place[other]))
            assert margins.margin(one, other) == lead


@FEWER
@given(boards())
def test_margins_survive_pickling_and_cannot_be_changed(board):
    margins = board.margins()
    back = pickle.loads(pickle.dumps(margins))  # noqa: S301 (our own pickle)
    assert back.frame().equals(margins.frame())
    for one in (margins, back):
        assert not one.wins.flags.writeable
        assert not one.ties.flags.writeable
