"""The smallest benchmark: against every set of tasks, against a plain integer program, and forged."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.optimize import Bounds, LinearConstraint, milp

import weightlab as wl
from tests.dice import DICE
from tests.lp.answers import read_back
from tests.lp.improvement.test_lifts import a_board
from tests.lp.scenarios import brute_force_smallest as brute
from weightlab._result import Proof
from weightlab.lp.scenarios import fixed_weights
from weightlab.lp.scenarios.kept_order import KeptOrder

MARGINS = [Fraction(1, 100), Fraction(1, 7), Fraction(1, 3)]


def answer(board, **options):
    return read_back(wl.lp.smallest_benchmark, board, **options)


@pytest.mark.parametrize("how", ["free", "today", "equal"])
@pytest.mark.parametrize("rule", ["mean", "borda", "majority"])
def test_no_smaller_set_keeps_the_order(rule, how):
    @settings(max_examples=20)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, gaps=rule == "majority", tolerances=rule == "majority")
        keep, margin = dice.one_of(["winner", "top", "order"]), dice.one_of(MARGINS)
        k, breaking = dice.between(1, len(board.models)), dice.one_of([None, None, "alphabetical", "reverse"])
        count = {"winner": 1, "order": len(board.models)}.get(keep, k)
        options = {"keep": keep, "k": k, "rule": rule, "weights": how, "margin": margin, "break_ties": breaking}
        pairs = brute.pairs_of(board, rule, count, margin, breaking)
        if pairs is None:
            with pytest.raises(wl.InputError, match="by majority there is no such order"):
                wl.lp.smallest_benchmark(board, **options)
            return
        if breaking and not any(least for _, least, _ in pairs):
            with pytest.raises(wl.InputError, match="all models tie today"):
                wl.lp.smallest_benchmark(board, **options)
            return
        expected = brute.smallest(board, rule, how, pairs)
        found = answer(board, **options, most=99, halves=False)
        assert set(found.sets) == set(expected)
        assert found.tasks == (found.sets[0] if expected else None)
        first = answer(board, **options)
        assert first.tasks in (expected or [None])
        assert first.proof is Proof.EXACT or not expected
        if expected:
            assert found.curve[len(expected[0])] == 1
            shares = found.weights.reindex(list(board.tasks)).fillna(Fraction(0)).tolist()
            assert brute.keeps(pairs, shares)

    agrees()


@settings(max_examples=40)
@given(DICE)
def test_more_to_keep_and_wider_leads_take_no_fewer_tasks(dice):
    board = a_board(dice, gaps=False)
    rule = dice.one_of(["mean", "borda"])

    def size(k, margin):
        found = answer(board, keep="top", k=k, rule=rule, margin=margin, halves=False)
        return 99 if found.tasks is None else len(found.tasks)

    sizes = [size(k, "1/100") for k in range(1, len(board.models) + 1)]
    assert sizes == sorted(sizes)
    by_margin = [size(1, margin) for margin in MARGINS]
    assert by_margin == sorted(by_margin)


@settings(max_examples=20)
@given(DICE)
def test_a_plain_integer_program_finds_as_few_tasks(dice):
    board = a_board(dice, tasks=(3, 6), models=(4, 7), gaps=False)
    pairs = brute.pairs_of(board, "mean", 2, Fraction(1, 100))
    width = len(board.tasks)
    rows = [[float(one) - float(least) for one in own] + [0] * width for own, least, sign in pairs if sign]
    level = [[float(one) for one in own] + [0] * width for own, _, sign in pairs if not sign]
    own = np.eye(width)
    constraints = [
        LinearConstraint([[1] * width + [0] * width], 1, 1),
        LinearConstraint(np.hstack([own, -own]), -np.inf, 0),
        *([LinearConstraint(rows, 0, np.inf)] if rows else []),
        *([LinearConstraint(level, 0, 0)] if level else []),
    ]
    solved = milp(
        [0] * width + [1] * width, integrality=[0] * width + [1] * width, bounds=Bounds(0, 1), constraints=constraints
    )
    found = answer(board, keep="top", k=2, rule="mean")
    assert (found.tasks is None) == (solved.x is None)
    if found.tasks is not None:
        assert len(found.tasks) == round(solved.fun)


def test_a_space_bounds_free_weights():
    board = wl.Leaderboard(
        {"x": {"a": 9, "b": 5, "c": 1}, "y": {"a": 8, "b": 7, "c": 2}, "z": {"a": 1, "b": 2, "c": 0}}
    )
    assert answer(board).tasks == ("x",)
    space = wl.lp.WeightSpace(board).at_most("x", "1/2").at_least("z", "1/10")
    found = answer(board, space=space)
    assert len(found.tasks) == 3 or set(found.tasks) == {"x", "z"}
    assert (
        "x at most" in str(found)
        or "conditions" in str(found)
        or space.contains(found.weights.reindex(list("xyz")).fillna(0))
    )
    with pytest.raises(wl.InputError, match="a space is for free weights"):
        wl.lp.smallest_benchmark(board, weights="equal", space=space)


def test_a_cycle_is_named_and_a_tie_is_kept():
    cyclic = wl.Leaderboard(
        {"x": {"a": 3, "b": 2, "c": 1}, "y": {"b": 3, "c": 2, "a": 1}, "z": {"c": 3, "a": 2, "b": 1}}
    )
    with pytest.raises(wl.InputError, match="b beats c, c beats a and a beats b"):
        wl.lp.smallest_benchmark(cyclic, rule="majority", keep="order")
    tied = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 0}, "y": {"a": 1, "b": 3, "c": 0}, "z": {"a": 2, "b": 2, "c": 1}})
    found = answer(tied)
    assert found.kept == (("a", "b"),)
    assert found.tasks == ("z",)
    assert "the tie of a, b for first place" in str(found)
    broken = answer(tied, break_ties="reverse")
    assert broken.kept == (("b",),)
    assert broken.tasks == ("y",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 4, "keep": "top"}, "k is 4, but the table has 3 models"),
        ({"k": 0, "keep": "top"}, "k must be an integer of at least 1"),
        ({"margin": 0}, "margin must be above 0"),
        ({"keep": "all"}, "keep must be"),
        ({"weights": "own"}, "weights must be"),
        ({"rule": "median"}, "found by majority, by mean"),
        ({"rule": "nonsense"}, "nonsense"),
        ({"most": 0}, "most must be"),
        ({"break_ties": "random"}, "break_ties must be"),
    ],
)
def test_bad_input_is_refused(options, message):
    board = wl.Leaderboard({"x": {"a": 9, "b": 5, "c": 1}})
    with pytest.raises(wl.InputError, match=message):
        wl.lp.smallest_benchmark(board, **options)


def test_a_solver_is_named_where_no_tree_closes(monkeypatch):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 9, size=(9, 8)).tolist()
    board = wl.Leaderboard({f"t{task}": {f"m{row}": scores[row][task] for row in range(9)} for task in range(8)})
    exact = answer(board, keep="top", k=4, weights="equal", margin="1/1000")
    monkeypatch.setattr(fixed_weights, "branch_tree", lambda *_, **__: None)
    believed = wl.lp.smallest_benchmark(board, keep="top", k=4, weights="equal", margin="1/1000", halves=False)
    assert believed.proof is Proof.EXACT_WITNESS
    assert f"by {believed.found.solver}'s bound no smaller set does" in str(believed)
    assert len(believed.tasks) == len(exact.tasks)


def test_the_curve_tells_what_each_size_keeps():
    scores = np.random.default_rng(3).integers(0, 9, size=(8, 6)).tolist()
    board = wl.Leaderboard({f"t{task}": {f"m{row}": scores[row][task] for row in range(8)} for task in range(6)})
    for how in ("free", "today"):
        found = answer(board, keep="top", k=3, weights=how, margin="1/1000")
        assert list(found.curve.index) == [6, 5, 4, 3, 2, 1]
        question = found.question
        for step in found.steps:
            kept = KeptOrder.of(board, question)
            integers = [int(step.weights.get(task, Fraction(0)) * 10**12) for task in board.tasks]
            assert how == "free" or kept.share_kept(integers) == step.kept == found.curve[len(step.tasks)]


CLAIMS = {
    how: lambda how=how: wl.lp.smallest_benchmark(
        wl.Leaderboard(
            {
                "x": {"a": 9, "b": 5, "c": 1, "d": 0},
                "y": {"a": 8, "b": 7, "c": 2, "d": 3},
                "z": {"a": 1, "b": 2, "c": 4, "d": 0},
            }
        ),
        keep="order",
        weights=how,
    )
    for how in ("free", "today", "equal")
}


@pytest.mark.parametrize("how", CLAIMS)
def test_forged_parts_are_refused(how):
    claim = CLAIMS[how]()
    assert claim.verify()
    weights = claim.found.weights[0].copy()
    weights.iloc[0] += Fraction(1, 10**9)
    step = claim.steps[-1]
    half = claim.halves[0]
    for changes in (
        {"found": dataclasses.replace(claim.found, weights=(weights,))},
        {"steps": (*claim.steps[:-1], dataclasses.replace(step, kept=step.kept - Fraction(1, 9)))},
        {"steps": ()},
        {"halves": (dataclasses.replace(half, kept=Fraction(1, 99)),)},
        {"halves": (dataclasses.replace(half, models=claim.table.models),)},
        {"question": dataclasses.replace(claim.question, margin=Fraction(99, 100))},
    ):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, **changes).verify()


GAPPED = {"a": [2, None, None], "b": [3, None, 1], "c": [0, 1, 0], "d": [3, 2, None]}


@pytest.mark.parametrize("how", ["free", "today", "equal"])
@pytest.mark.parametrize(("rule", "missing"), [("majority", "error"), ("borda", "last"), ("veto", "last")])
@pytest.mark.parametrize("seed", range(4))
def test_a_half_may_have_no_score_on_a_task(rule, missing, how, seed):
    """It puts none of them ahead of another, as if its weight were spent on a tie of all."""
    scores = {f"t{place}": {model: row[place] for model, row in GAPPED.items()} for place in range(3)}
    board = wl.Leaderboard(scores, weights={"t0": 1, "t1": 2, "t2": 0})
    found = wl.lp.smallest_benchmark(board, rule=rule, missing=missing, weights=how, margin="1/50", rng=seed)
    assert found.verify(board)
    for half in found.halves:
        rows = {task: {model: scores[task][model] for model in half.models} for task in scores}
        silent = [task for task, own in rows.items() if all(one is None for one in own.values())]
        rows |= {task: dict.fromkeys(half.models, 0) for task in silent}
        alone = KeptOrder.of(wl.Leaderboard(rows, weights=board.weights), found.question)
        own = KeptOrder.of(board, found.question, half.models)
        assert (own.levels, own.pairs, own.signs) == (alone.levels, alone.pairs, alone.signs)
        unit = Fraction(abs(alone.matrix).max() or 1) / (abs(own.matrix).max() or 1)
        assert (own.matrix * unit).tolist() == alone.matrix.tolist()
        assert own.least * unit == alone.least


def test_all_tasks_on_which_a_half_has_scores_may_have_weight_0():
    board = wl.Leaderboard({"x": {"e": 1}, "y": {"a": 0, "b": 3, "c": 0, "d": 1, "e": 1}}, weights={"x": 1, "y": 0})
    for seed in range(4):
        assert wl.lp.smallest_benchmark(board, rule="majority", rng=seed).verify(board)


@pytest.mark.parametrize("seed", range(6))
def test_each_step_drops_the_task_that_costs_least(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 9, (6, 5))
    board = wl.Leaderboard({f"t{one}": {f"m{row}": int(s) for row, s in enumerate(scores[:, one])} for one in range(5)})
    asked = {"keep": "order", "weights": "equal", "margin": "1/1000", "break_ties": "alphabetical", "halves": False}
    try:
        found = wl.lp.smallest_benchmark(board, **asked)
    except wl.ImpossibleError:
        return
    order = KeptOrder.of(board, found.question)
    for before, then in itertools.pairwise(found.steps):
        left = [[one for one in before.tasks if one != task] for task in before.tasks]
        shares = [order.share_kept([int(task in one) for task in board.tasks]) for one in left]
        assert then.kept == max(shares) or then.tasks == found.tasks


def test_where_time_is_up_what_is_known_is_told():
    draw = np.random.default_rng(0)
    scores = draw.normal(50, 8, (60, 1)) + draw.normal(0, 10, (1, 57)) + draw.normal(0, 6, (60, 57))
    board = wl.Leaderboard(
        pd.DataFrame(np.round(scores, 1), [f"m{n}" for n in range(60)], [f"t{n}" for n in range(57)])
    )
    with pytest.raises(
        wl.TimeLimitError, match=r"they cost at least .* by .*'s bound; .* tasks that keep the order"
    ) as late:
        wl.lp.smallest_benchmark(board, keep="top", k=10, rule="mean", tolerance=1, time_limit=1)
    known = late.value.known
    assert 0 < known["least"] <= len(known["tasks"]) < 57
    exact = board.scores.map(lambda one: Fraction(str(one)))
    means, now = (exact @ known["weights"]), exact.sum(axis=1)
    top = [one.sort_values(ascending=False, kind="stable").index[:10].tolist() for one in (means, now)]
    assert top[0] == top[1]
