"""Rank sets under many weightings: what stands holds under each of them, by sorting instead of a solver."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.lp import WeightSpace
from weightlab.studies import rank_sets
from weightlab.studies.confidence.weighted_noise import extremes

NAMES, TASKS = list("abcde"), [f"t{place}" for place in range(6)]


def board_of(seed, gap=0.0, size=1.0):
    rng = np.random.default_rng(seed)
    scores = size * rng.standard_normal((5, 6)).round(6) - gap * np.arange(5)[:, None]
    frame = pd.DataFrame(scores, index=NAMES, columns=TASKS)
    return wl.Leaderboard(frame, standard_errors=frame * 0 + size, weights=dict.fromkeys(TASKS[:2], 2))


@settings(max_examples=40)
@given(dice=DICE)
def test_sorting_finds_what_a_linear_program_does(dice):
    count = dice.between(2, 5)
    least = np.array([dice.between(0, 3) / 16 for _ in range(count)])
    most = least + np.array([dice.between(0, 9) / 8 for _ in range(count)])
    values = np.array([[dice.between(-5, 5) for _ in range(count)] for _ in range(3)], dtype=float)
    if not least.sum() <= 1 <= most.sum():
        return
    low, high = extremes(values, least, most)
    for row, one, other in zip(values, low, high, strict=True):
        for sign, end in ((1, one), (-1, other)):
            told = linprog(sign * row, A_eq=[[1] * count], b_eq=[1], bounds=list(zip(least, most, strict=True)))
            assert sign * told.fun == pytest.approx(end)


def test_wider_spaces_separate_fewer_pairs_and_no_space_is_todays_weights():
    board = board_of(0, gap=1.2, size=0.3)
    spaces = [WeightSpace(board).within(part) for part in (0, "0.5", 1)]
    found = [rank_sets(board, "mean", over="standard_errors", space=space) for space in spaces]
    assert found[0].separated >= found[1].separated >= found[2].separated > 0
    assert (found[1].low <= found[0].low + 1e-9).all()
    assert (found[1].high >= found[0].high - 1e-9).all()
    plain = rank_sets(board, "mean", over="standard_errors")
    assert np.allclose(found[0].difference, plain.difference)
    assert np.allclose(found[0].high - found[0].low, plain.high - plain.low, rtol=0.1)
    assert "Conditions: each task between 1/2 and 3/2 times its share" in str(found[1])
    again = result_from_dict(found[1].to_dict())
    assert again.verify(board)
    with pytest.raises(ProofError, match="gives another"):
        again.verify(board_of(1, gap=1.2, size=0.3))


def test_what_is_separated_stays_so_under_drawn_weights():
    board = board_of(3, gap=1.5, size=0.4)
    space = WeightSpace(board).within("0.8")
    found = rank_sets(board, "mean", over="standard_errors", space=space)
    rng, centre = np.random.default_rng(0), np.array([float(one) for one in space.today.values()])
    scores = board.scores.to_numpy()
    for _ in range(300):
        weights = centre * (1 + 0.8 * rng.uniform(-1, 1, size=6))
        if (np.abs(weights / weights.sum() / centre - 1) <= 0.8).all():
            mean = scores @ weights / weights.sum()
            rows, columns = np.triu_indices(5, 1)
            assert (found.low <= mean[rows] - mean[columns]).all()
            assert (found.high >= mean[rows] - mean[columns]).all()


def test_equal_models_are_seldom_separated_under_todays_weights_alone():
    some = 0
    for seed in range(200):
        board = board_of(seed)
        space = WeightSpace(board).within(0)
        drawn = {"space": space, "repeats": 300, "rng": seed + 10**6}
        some += rank_sets(board, "mean", over="standard_errors", **drawn).separated > 0
    # Above 0.12 with a chance of one in a thousand where 0.05 is true.
    assert some < 0.12 * 200


def test_instances_have_the_noise_that_they_show():
    rng = np.random.default_rng(0)
    tables = {
        task: pd.DataFrame(
            rng.exponential(size=(5, 40)).round(4) + gap * np.arange(5)[:, None],
            index=NAMES,
            columns=[f"q{place}" for place in range(40)],
        )
        for task, gap in (("x", 2), ("y", 2), ("z", 1))
    }
    source = wl.Instances(tables)
    found = rank_sets(source, over="instances", space=WeightSpace(source.means()).within("0.5"))
    assert found.verify(source)
    assert found.contenders == ("e",)


@pytest.mark.parametrize(
    ("rule", "over", "cut", "error"),
    [
        ("mean", "tasks", lambda space: space.within("0.5"), "where tasks are drawn a task's weight has no fixed"),
        ("borda", "standard_errors", lambda space: space.within("0.5"), "are by the mean over instances"),
        ("mean", "standard_errors", lambda space: space.no_less("t0", "t1"), "t0 at least t1 is another condition"),
        ("mean", "standard_errors", lambda space: space.at_most("t0", 0), "today's weights are not among them"),
    ],
)
def test_other_questions_are_refused(rule, over, cut, error):
    board = board_of(0)
    with pytest.raises(InputError, match=error):
        rank_sets(board, rule, over=over, space=cut(WeightSpace(board)))


def test_a_space_must_be_one():
    with pytest.raises(InputError, match="space must be a WeightSpace or None; got a float"):
        rank_sets(board_of(0), over="standard_errors", space=0.5)


def test_few_instances_widen_as_students_t_does():
    scores = np.random.default_rng(0).normal(size=(2, 6)).round(3)
    table = pd.DataFrame(scores, index=["a", "b"], columns=[f"q{place}" for place in range(6)])
    source = wl.Instances({"x": table})
    space = wl.lp.WeightSpace(source.means()).within("0")
    found = wl.studies.rank_sets(source, over="instances", space=space, repeats=20_000)
    gaps = scores[0] - scores[1]
    half = stats.t.isf(0.025, 5) * gaps.std(ddof=1) / 6**0.5
    assert found.high[0] - found.difference[0] == pytest.approx(half, rel=0.02)
