"""What reconciles rules among which are averages by group: weights of groups, and scores."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.studies.test_common_winner import grid
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.rules import grouped, rank, reversed_pairs, two_step
from weightlab.studies import common_winner, disagreement, reconciling_scores

AVERAGES = ["macro_average", "two_step_average"]
TWO = st.sampled_from(
    [(one, other) for one in AVERAGES for other in ["mean", "borda", "plurality"]] + [tuple(AVERAGES)]
)
GROUPS = {"one": ["x", "y"], "two": ["z"], "three": ["u"]}
BOARD = wl.Leaderboard(
    {"x": {"a": 9, "b": 1}, "y": {"a": 1, "b": 4}, "z": {"a": 1, "b": 4}}, groups={"one": ["x", "y"], "rest": ["z"]}
)


@st.composite
def boards_of_groups(draw):
    """Return three models on four tasks in three groups, one of two tasks, with weights and a direction."""
    tasks = [task for tasks in GROUPS.values() for task in tasks]
    scores = {task: dict(zip("abc", draw(st.tuples(*[st.integers(0, 3)] * 3)), strict=True)) for task in tasks}
    weights = {task: draw(st.sampled_from([1, 2])) for task in tasks}
    return wl.Leaderboard(scores, weights=weights, lower_is_better=draw(st.sampled_from([[], ["y"]])), groups=GROUPS)


def said(board, name, shares):
    """Return the ranking by a rule when the groups have some weights."""
    if name == "macro_average":
        return grouped(board, "mean", group_weights=shares)
    if name == "two_step_average":
        return two_step(board, "mean", then="borda", group_weights=shares)
    factor = {task: share for group, share in shares.items() for task in GROUPS[group]}
    weights = {task: weight * factor[task] for task, weight in board.weights.items()}
    return rank(wl.Leaderboard(board.scores, weights=weights, lower_is_better=board.lower_is_better), name)


def totals_by_group(board, name):
    """Return what each group adds to each model's score: by asking about the group alone."""
    found = []
    for group, tasks in GROUPS.items():
        alone = dict.fromkeys(GROUPS, 0) | {group: 1}
        scores = said(board, name, alone).scores.reindex(board.models).astype(float).to_numpy()
        # The mean divides by the weights of the tasks that weigh.
        found.append(scores * (float(sum(board.weights[tasks])) if name == "mean" else 1))
    return np.array(found).T


@settings(max_examples=12, deadline=None)
@given(board=boards_of_groups(), two=TWO)
def test_the_nearest_weights_of_groups_are_those_of_programs(board, two):
    found, expected = common_winner(board, *two), []
    for model in range(3):
        leads = np.vstack(
            [table[model] - np.delete(table, model, 0) for table in (totals_by_group(board, n) for n in two)]
        )
        bounds = np.vstack([np.hstack([sign * np.eye(3), -np.eye(3)]) for sign in (1, -1)])
        rows = np.vstack([np.hstack([-leads, np.zeros((len(leads), 3))]), bounds])
        right = np.concatenate([np.zeros(len(leads)), [1 / 3] * 3, [-1 / 3] * 3])
        solved = linprog([0] * 3 + [1] * 3, A_ub=rows, b_ub=right, A_eq=[[1] * 3 + [0] * 3], b_eq=[1])
        expected += [solved.fun] if solved.status == 0 else []
    assert found.proof is Proof.EXACT
    assert (found.value is None) == (not expected)
    if found.value is not None:
        assert float(found.value) == pytest.approx(min(expected), abs=1e-7)
        assert list(found.weights.index) == list(GROUPS)
        assert all(found.winner in said(board, name, found.weights.to_dict()).winners for name in two)


@settings(max_examples=8, deadline=None)
@given(board=boards_of_groups(), two=TWO)
def test_no_nearer_weights_of_groups_reconcile_a_pair(board, two):
    found = disagreement(board, *two, reconcile=False)
    assert found.verify(board)
    for pair in found.disputed:
        tip = found.nearest(*pair)
        far = Fraction(3) if tip is None else tip.value
        for weights in grid(3, 6):
            shares = dict(zip(GROUPS, (one / 6 for one in weights), strict=True))
            if sum(abs(one - Fraction(1, 3)) for one in shares.values()) < far:
                assert pair in reversed_pairs(*(said(board, name, shares).order for name in two))
        if tip is not None:
            there = dict(zip(GROUPS, tip.weights, strict=True))
            assert pair not in reversed_pairs(*(said(board, name, there).order for name in two))


@settings(max_examples=8, deadline=None)
@given(board=boards_of_groups(), two=TWO)
def test_all_that_is_found_travels_and_is_proved(board, two):
    found = disagreement(board, *two)
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert (str(back), back.proof, back.rules) == (str(found), found.proof, two)
    assert back.reconciled.scores.cost == found.reconciled.scores.cost
    assert back.reconciled.weights.value == found.reconciled.weights.value


def least_of_all_changes(board, model):
    """Return the least sum of changes of any scores after which a model is first by the mean and the macro average."""
    count, tasks = len(board.models), list(board.tasks)
    micro = [float(board.weights[task]) for task in tasks]
    macro = [float(board.weights[t] / sum(board.weights[own])) for t in tasks for own in GROUPS.values() if t in own]
    signs = [-1 if task in board.lower_is_better else 1 for task in tasks]
    gains, rows, right = board.scores[tasks].to_numpy(dtype=float) * signs, [], []
    for factors in (np.array(micro), np.array(macro)):
        for rival in set(range(count)) - {model}:
            row = np.zeros((count, len(tasks)))
            row[model], row[rival] = -factors, factors
            rows.append(np.hstack([row.ravel(), -row.ravel()]))
            right.append(factors @ (gains[model] - gains[rival]))
    return linprog(np.ones(2 * gains.size), A_ub=rows, b_ub=right).fun


@settings(max_examples=8, deadline=None)
@given(board=boards_of_groups())
def test_by_means_no_change_of_any_scores_is_less_than_that_of_one_model_that_improves(board):
    fine = wl.Leaderboard(
        board.scores * 1000, weights=board.weights, lower_is_better=board.lower_is_better, groups=GROUPS
    )
    found = reconciling_scores(fine, "mean", "macro_average", kind="score")
    least = min(least_of_all_changes(fine, model) for model in range(3))
    # Scores move by whole numbers, on two tasks at most.
    assert least - 1e-6 <= found.cost <= least + 2


def test_averages_by_group_are_reconciled_by_weights_of_groups():
    found = disagreement(BOARD, "mean", "macro_average")
    # In all a has 11/3 on average and b 3; by group a has 5 and 1, b has 5/2 and 4. Half and half is today's: the macro
    # average is level where 5/2 f = 3 (1 - f), the mean where 5 f = 3 (1 - f).
    assert found.changes.tolist() == [Fraction(1, 11)]
    assert found.reconciled.weights.weights.to_dict() == {"one": Fraction(6, 11), "rest": Fraction(5, 11)}
    assert "after a change of the groups' weights by 1/11" in str(found)
    table = found.by_task("a", "b")
    assert sum(table["macro_average"]) == Fraction(-1, 4)
    assert table["to_level_macro"].tolist() == [1, 1, Fraction(1, 2)]


def test_a_pair_is_reconciled_by_scores_where_the_rules_have_a_winner_in_common():
    board = wl.Leaderboard(
        {"x": {"w": 99, "a": 9, "b": 1}, "y": {"w": 99, "a": 1, "b": 2}, "z": {"w": 99, "a": 3, "b": 4}}
    )
    found = disagreement(board, "mean", "borda").reconciled
    assert (found.weights.value, found.scores.goal.pair) == (0, ("a", "b"))
    assert found.scores.cost > 0


def test_no_score_goes_beyond_the_best_that_there_is():
    free, capped = (disagreement(BOARD, "mean", "plurality", best=best).reconciled.scores for best in (None, 9))
    assert capped.cost >= free.cost
    assert max(capped.scores) <= 9
    low = disagreement(BOARD, "mean", "plurality", best={"x": 3})
    assert "the best score of task 'x' is 3, but the model has 9" in low.reconciled.unknown["scores"]


@pytest.mark.parametrize(("best", "said"), [("high", "high"), ({"q": 1}, "no task named 'q'"), ({"x": "high"}, "high")])
def test_a_best_score_that_is_none_is_refused(best, said):
    with pytest.raises(InputError, match=said):
        disagreement(BOARD, "mean", "plurality", best=best)


def test_where_the_rules_have_a_winner_in_common_no_weights_need_be_known():
    alike = wl.Leaderboard(
        {"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 2, "b": 1, "c": 3}, "z": {"a": 2, "b": 1, "c": 0}}
    )
    said = str(disagreement(alike, "copeland", "minimax"))
    assert "No least change of weights is given: none is needed for a common winner, a." in said


def test_what_is_not_known_is_said_with_the_reason():
    board = wl.Leaderboard(
        {"x": {"a": 9, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 2}}, groups={"one": ["x"], "rest": ["y", "z"]}
    )
    found = disagreement(board, "macro_average", "copeland")
    assert set(found.reconciled.unknown) == {"weights"}
    assert "No least change of weights is given: the nearest weights of groups under which 'copeland'" in str(found)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)
    assert set(disagreement(BOARD, "kemeny", "schulze").reconciled.unknown) == {"weights"}
    with pytest.raises(InputError, match="two_step_average can have 'a' ahead while no result changes"):
        reconciling_scores(BOARD, "two_step_average", "copeland", model="a")


@pytest.mark.parametrize("part", ["reason", "none", "other", "rankings"])
def test_a_false_reconciliation_is_seen(part):
    found = disagreement(BOARD, "mean", "macro_average")
    own = found.reconciled
    other = disagreement(BOARD, "macro_average", "mean").reconciled
    false = {
        "reason": replace(own, unknown={"scores": "it is not known"}),
        "none": replace(own, weights=None),
        "other": replace(own, weights=other.weights),
        "rankings": replace(own, scores=reconciling_scores(BOARD.select(tasks=["x"]), "mean", "macro_average")),
    }[part]
    with pytest.raises(ProofError):
        replace(found, reconciled=false).verify()
