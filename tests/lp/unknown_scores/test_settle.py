from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.checker.documents import code_of, document_of
from weightlab.exceptions import InputError, ProofError, UnknownNameError

GRID = [Fraction(n, 4) for n in range(9)]
RULES = ("mean", "majority", "borda")


def random_board(seed, *, models=4, tasks=3, most=3, complete=False):
    """Return a table of small scores with ties, weights, a task where lower is better and a few gaps."""
    rng = random.Random(seed)  # noqa: S311
    names, columns = [f"m{n}" for n in range(models)], [f"t{n}" for n in range(tasks)]
    scores = {task: {name: rng.randint(0, 2) for name in names} for task in columns}
    cells = rng.sample(list(itertools.product(names, columns)), 0 if complete else rng.randint(1, most))
    for name, task in cells:
        scores[task][name] = None
    for task in columns:
        if all(one is None for one in scores[task].values()):
            scores[task][names[0]] = 1
    for name in names:
        if all(scores[task][name] is None for task in columns):
            scores[columns[0]][name] = 1
    weights = {task: rng.choice([1, 1, 2, 0]) for task in columns[1:]} | {columns[0]: 1}
    return wl.Leaderboard(scores, weights=weights, lower_is_better=rng.choice([[], [columns[-1]]]))


def gains(board, tried):
    """Return the table with its gaps filled in each way, in quarters, greater being better: ways x models x tasks."""
    turn = np.array([-1 if task in board.lower_is_better else 1 for task in board.tasks])
    tables = np.tile(np.nan_to_num(board.scores.to_numpy(dtype=float)) * 4, (len(tried), 1, 1))
    for place, (model, task) in enumerate(board.missing_cells):
        tables[:, board.models.index(model), board.tasks.index(task)] = [int(4 * values[place]) for values in tried]
    return tables.astype(int) * turn


def leads_of(board, tables, rule):
    """Return the lead of each model over each other, as the rule compares them: ways x models x models."""
    signs = np.sign(tables[:, :, None] - tables[:, None])
    points = {"mean": tables, "majority": None, "borda": signs.sum(axis=2)}[rule]
    rows = signs if points is None else points[:, :, None] - points[:, None]
    return rows @ np.array([int(one) for one in board.weights])


def holds(claim, rows, leads):
    """Tell in each way whether models are ahead."""
    before = [rows[: at + 1] if claim == "order" else rows for at in range(len(rows))]
    pairs = [(x, y) for x, own in zip(rows, before, strict=True) for y in range(leads.shape[1]) if y not in own]
    return np.all([leads[:, x, y] > 0 for x, y in pairs], axis=0)


def candidates(board, claim, k, named):
    if named:
        return [[board.models.index(model) for model in named]]
    return [*(itertools.permutations if claim == "order" else itertools.combinations)(range(len(board.models)), k)]


def enumerated(board, rule, claim, k, named):
    """Return the verdict by trying all completions on a grid."""
    leads = leads_of(board, gains(board, [*itertools.product(GRID, repeat=len(board.missing_cells))]), rule)
    found = [holds(claim, rows, leads) for rows in candidates(board, claim, k, named)]
    return "certain" if any(one.all() for one in found) else "open" if np.any(found) else "refuted"


def asked(seed, board):
    rng = random.Random(seed)  # noqa: S311
    claim = rng.choice(["winner", "top", "order"])
    k = 1 if claim == "winner" else rng.randint(1, len(board.models) - 1)
    named = tuple(rng.sample(board.models, k)) if rng.random() < 0.5 else ()
    return claim, k, named


@pytest.mark.parametrize("seed", range(300))
def test_verdicts_are_those_of_all_completions(seed):
    board = random_board(seed, most=3 if seed % 3 else 2)
    claim, k, named = asked(seed, board)
    rule = RULES[seed % 3]
    found = wl.lp.settle(board, claim, k=k, models=named or None, rule=rule, bounds=(0, 2))
    truth = enumerated(board, rule, claim, k, named)
    exact = rule == "mean" or (rule == "majority" and (claim == "winner" or (claim == "top" and named)))
    if exact or truth != "refuted":
        assert found.verdict == truth
    else:
        assert found.verdict in ("refuted", "open")
    assert found.verify(board)
    again = type(found).from_dict(found.to_dict())
    assert again.verify(board)
    assert again.verdict == found.verdict


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**6), st.sampled_from(RULES))
@example(51957, "majority")  # who is ahead of whom is known while a score is not
def test_idle_scores_never_matter(seed, rule):
    board = random_board(seed, most=6)
    claim, k, named = asked(seed, board)
    options = {"k": k, "models": named or None, "rule": rule, "bounds": (0, 2)}
    found = wl.lp.settle(board, claim, **options)
    rng = random.Random(seed)  # noqa: S311
    others = {cell: rng.choice(GRID) for cell in board.missing_cells if rng.random() < 0.5}
    idle = {(row.model, row.task) for row in found.idle.itertuples()}
    verdicts = set()
    for _ in range(4):
        filled = {cell: rng.choice(GRID) for cell in idle if rng.random() < 0.7}
        kept = {cell: value for cell, value in others.items() if cell not in idle}
        after = found.with_scores(filled | kept) if filled | kept else found
        verdicts.add(after.verdict)
    assert len(verdicts) == 1


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**6), st.sampled_from(RULES))
def test_following_the_advice_settles_the_claim(seed, rule):
    board = random_board(seed, most=8)
    rng = random.Random(seed)  # noqa: S311
    truth = {cell: rng.choice(GRID) for cell in board.missing_cells}
    claim, k, named = asked(seed, board)
    found = wl.lp.settle(board, claim, k=k, models=named or None, rule=rule, bounds=(0, 2))
    while len(advised := found.next(2)):
        found = found.with_scores({(row.model, row.task): truth[row.model, row.task] for row in advised.itertuples()})
    leads = leads_of(board, gains(board, [[*truth.values()]]), rule)
    whole = any(holds(claim, rows, leads).all() for rows in candidates(board, claim, k, named))
    assert found.verdict == ("certain" if whole else "refuted")


@pytest.mark.parametrize("seed", range(60))
def test_what_is_open_depends_on_some_score(seed):
    """From nothing, in the order of a complete table: an open claim always has a score that can still matter."""
    board, rng = random_board(seed, models=5, tasks=4, complete=True), random.Random(seed)  # noqa: S311
    gaps = rng.sample([*itertools.product(board.models, board.tasks)], rng.randint(4, 12))
    scores = board.scores.astype(object)
    for model, task in gaps:
        scores.loc[model, task] = None
    table = wl.Leaderboard(scores.dropna(how="all").dropna(how="all", axis=1))
    for rule in RULES:
        for claim, k in (("top", 2), ("order", 2), ("order", len(table.models) - 1)):
            found = wl.lp.settle(table, claim, k=k, rule=rule, bounds=(0, 2))
            assert found.matter.any() == (found.verdict == "open")
            assert len(found.next()) == found.matter.any()


def test_a_model_that_is_out_is_still_to_be_beaten():
    scores = {"x": {"a": 1, "b": 0, "c": 9, "d": 2}, "y": {"a": 1, "b": None, "c": 3, "d": None}}
    scores |= {"z": {"a": 1, "b": 9, "c": 4, "d": 5}}
    board = wl.Leaderboard(scores, lower_is_better=["x"], weights={"z": 2})
    found = wl.lp.settle(board, "top", k=2, rule="majority", bounds={"y": (0, 9)})
    assert (found.verdict, found.models) == ("open", ("b", "d"))
    assert len(found.next()) == 1


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**6), st.sampled_from(RULES))
def test_no_cell_of_a_certificate_can_be_left_out(seed, rule):
    board = random_board(seed, most=2)
    claim, k, named = asked(seed, board)
    cost = {board.tasks[0]: 3, board.models[0]: "1/2"} if seed % 2 else None
    found = wl.lp.settle(board, claim, k=k, models=named or None, rule=rule, bounds=(0, 2), cost=cost)
    assert (found.certificate is None) == (found.verdict != "certain")
    for at in range(len(found.certificate) if found.certificate is not None else 0):
        cells = found.cells.copy()
        row, task = np.argwhere(cells)[at]
        cells[row, task] = False
        forged = found.to_dict() | {"cells": ["".join("01"[one] for one in line) for line in cells.tolist()]}
        with pytest.raises(ProofError, match="do not prove"):
            type(found).from_dict(forged).verify(board)


def test_forged_verdicts_are_refused():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}}, rule="mean")
    found = wl.lp.settle(board, bounds=(0, 100))
    assert found.verdict == "open"
    with pytest.raises(ProofError, match="does not prove verdict"):
        type(found).from_dict(found.to_dict() | {"verdict": "certain"})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"bounds": (0, 80)}, "the score of 'a' on 'x', 90, is outside its bounds, 0 to 80"),
        ({"bounds": (5, 1)}, "the lowest score comes first"),
        ({}, "needs bounds on both sides"),
        ({"bounds": (0, 100), "cost": {"x": 0}}, "must be positive"),
        ({"bounds": (0, 100), "cost": [1]}, "cost must be a mapping"),
        (
            {"bounds": {("a", "x"): (0, 1)}},
            "'a' on 'x', 90, is outside its bounds, 0 to 1: widen the bounds",
        ),
        ({"bounds": (0, 100), "cost": {"z": 1}}, "'z' is not a model, a task"),
        ({"bounds": (0, 100), "claim": "best"}, "claim must be 'winner'"),
        ({"bounds": (0, 100), "claim": "top", "k": 2}, "k must be from 1 to 1"),
        (
            {"bounds": (0, 100), "claim": "top", "k": 1, "models": ["a", "b"]},
            "about 1 model, not about the 2 names in models=",
        ),
        ({"bounds": (0, 100), "models": 3}, "models is a name or a list of names; got 3"),
        ({"bounds": (0, 100), "rule": "veto"}, "analysed by mean, majority or borda; got veto"),
        ({"bounds": (0, 100), "rule": "copeland"}, "analysed by mean, majority or borda; got copeland"),
    ],
)
def test_what_is_wrong_is_told(call, message):
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}}, rule="mean")
    with pytest.raises(InputError, match=message):
        wl.lp.settle(board, **call)


def test_a_score_of_no_cell_is_refused():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}}, rule="mean")
    with pytest.raises(InputError, match="a score is given for a pair"):
        wl.lp.settle(board, bounds=(0, 100)).with_scores({"a": 70})


def test_bounds_of_a_score_hold_once_it_is_measured():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}}, rule="mean")
    bounds = {"x": (0, 100), "y": (0, 100), ("a", "y"): (20, 90)}
    found = wl.lp.settle(board, bounds=bounds).with_scores({("a", "y"): 70})
    again = wl.lp.settle(found.table, bounds=bounds)
    assert again.verify(found.table)
    assert (again.verdict, again.certificate.to_dict()) == (found.verdict, found.certificate.to_dict())
    assert code_of(document_of(again))[0] == 0
    assert wl.lp.missing(found.table, rule="mean", bounds=bounds).necessary == ("a",)


def test_an_unknown_model_is_told():
    board = wl.Leaderboard({"x": {"a": 90, "b": 40}, "y": {"a": None, "b": 80}}, rule="mean")
    with pytest.raises(UnknownNameError):
        wl.lp.settle(board, models="nobody", bounds=(0, 100))


def test_the_largest_doubles_are_compared():
    table = wl.Leaderboard({"a": {"x": 1e308, "y": 3, "z": None}, "b": {"x": 2, "y": 4, "z": 1}})
    assert wl.lp.settle(table, models=["x"], rule="majority").verdict == "refuted"


@pytest.mark.parametrize("rule", ["majority", "borda"])
def test_advice_does_not_depend_on_the_scale_of_a_task(rule):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (8, 6)).astype(float)
    scores[rng.random(scores.shape) < 0.4] = np.nan
    stretched = scores.copy()
    stretched[:, 0] = scores[:, 0] ** 3
    names = [f"m{row}" for row in range(8)]
    found, other = (
        wl.lp.settle(
            wl.Leaderboard({f"t{task}": dict(zip(names, one[:, task], strict=True)) for task in range(6)}), rule=rule
        )
        for one in (scores, stretched)
    )
    assert found.verdict == "open"
    assert found.plan.equals(other.plan)
