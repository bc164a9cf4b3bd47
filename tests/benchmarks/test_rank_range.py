"""How fast rank ranges are, beside one integer program an end without any proof; ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import importlib
import itertools
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

import weightlab as wl
from tests.benchmarks.test_scale import made_board
from weightlab.lp.ranks.rank_range import rank_end


def seconds(function, *arguments, **options):
    start = time.process_time()
    result = function(*arguments, **options)
    return time.process_time() - start, result


def random_board(models, tasks):
    """Return a table of a common strength and noise: on pure noise every model can be first and last."""
    rng = np.random.default_rng(0)
    scores = (rng.random((models, 1)) * 1.5 + rng.random((models, tasks))).round(3)
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))


def plain_ranges(board, models=None):
    """Return best ranks by SciPy's integer program over all rivals, in floats, with nothing settled beforehand."""
    return [plain_best(board, model, None)[0] for model in models or board.models]


def plain_best(board, model, limit):
    """Return one best rank, or the best found within so many seconds, and whether it was settled."""
    rows = (board.scores.loc[model] - board.scores.drop(model)).to_numpy()
    rivals, tasks = rows.shape
    switched = np.hstack([rows, np.diag(np.abs(rows).max(axis=1))])
    total = np.concatenate([np.ones(tasks), np.zeros(rivals)])
    found = milp(
        np.concatenate([np.zeros(tasks), np.ones(rivals)]),
        constraints=[LinearConstraint(switched, lb=np.zeros(rivals)), LinearConstraint(total[None], 1, 1)],
        integrality=np.concatenate([np.zeros(tasks), np.ones(rivals)]),
        bounds=Bounds(0, 1),
        options={} if limit is None else {"time_limit": limit},
    )
    return (rivals if found.x is None else 1 + round(found.fun)), found.status == 0


def best_ranks(board):
    """Return the best ranks alone, so that both sides answer the same."""
    allowed = wl.lp.WeightSpace(board)
    points = board.points("scores")
    return [rank_end(points, model, allowed, "best").rank for model in board.models]


@pytest.mark.parametrize(("models", "tasks"), [(30, 8), (60, 14)])
def test_best_ranks_beside_plain_integer_programs(models, tasks, capsys):
    board = random_board(models, tasks)
    plain, expected = seconds(plain_ranges, board)
    proved, found = seconds(best_ranks, board)
    with capsys.disabled():
        print(
            f"\n{models} x {tasks}, all best ranks: plain programs {plain:.1f} s, weightlab {proved:.1f} s "
            f"({plain / proved:.1f} times as fast)"
        )
    assert found == expected


def test_all_ranges_of_glue(shared_data, capsys):
    board = wl.read_leaderboard(shared_data / "votenrank" / "glue.csv").complete()
    took, found = seconds(wl.lp.rank_ranges, board)
    checked, _ = seconds(found.verify, board)
    open_ends = sum(end.solver is not None for both in found.ends for end in both)
    with capsys.disabled():
        print(
            f"\nGLUE, all ranges of {len(board.models)} models: {took:.1f} s, re-checked in {checked:.1f} s; "
            f"{open_ends} of {2 * len(board.models)} ends rest on a solver"
        )
    assert found.worst["T5"] < len(board.models)


@pytest.mark.parametrize(("models", "tasks", "limit"), [(98, 57, 20), (200, 50, 60)])
def test_all_ranges_on_two_processes_beside_plain_integer_programs(models, tasks, limit, capsys):
    """The plain programs are those of some ends, each stopped after 20 seconds: their time is at least what is told."""
    pytest.importorskip("joblib", reason="joblib is not installed")
    board = made_board(models, tasks)
    start = time.perf_counter()
    found = wl.lp.rank_ranges(board, n_jobs=2)
    passed = time.perf_counter() - start
    some = board.models[::25]
    plain, ends = seconds(lambda: [plain_best(board, model, 20) for model in some])
    whole = plain * 2 * models / len(some) / 2  # two ends a model, shared out to two processes
    with capsys.disabled():
        print(
            f"\n{models} x {tasks}, all ranges: {passed:.0f} s by the clock on two processes (at most {limit} s); "
            f"plain programs, {sum(settled for _, settled in ends)} of {len(some)} settled: {whole:.0f} s or more "
            f"({whole / passed:.0f} times as long)"
        )
    assert found.settled.all()
    for model, (best, settled) in zip(some, ends, strict=True):
        assert found.best[model] == best if settled else found.best[model] <= best


def test_ranges_cut_short(capsys):
    """How much of 98 x 57 is settled after 20 seconds; what is open has ranks found and ranks excluded."""
    took, found = seconds(wl.lp.rank_ranges, random_board(98, 57), time_limit=20)
    gaps = [abs(end.rank - end.bound) for both in found.ends for end in both]
    with capsys.disabled():
        print(f"\n98 x 57, 20 s: {sum(found.settled)} of 98 models settled in {took:.0f} s; {sum(gaps)} ranks open")
    assert len(found) == 98


PUBLIC = [
    *(f"votenrank/{name}.csv" for name in ("glue", "superglue")),
    *(f"leaderboards/{name}.csv" for name in ("openllm", "bigbench_hard", "vtab")),
    *(f"colombo/{name}.csv" for name in ("glue105", "superglue24", "xtreme15")),
]


@pytest.mark.parametrize("name", PUBLIC)
def test_ends_that_rest_on_no_solver(shared_data, name, capsys):
    board = wl.read_leaderboard(shared_data / name).complete()
    taken, found = seconds(wl.lp.rank_ranges, board, rule="mean", time_limit=40)
    ends = [end for model in board.models for end in (found[model].top, found[model].bottom)]
    proved = sum(end.solver is None for end in ends)
    with capsys.disabled():
        print(f"\n{name}: {proved} of {len(ends)} ends proved, the others rest on a solver's bound or are open")
        print(f"{taken:.1f} s")
    assert found.verify(board)


# Branch trees: how many close, by question and board.

LIMIT = 20
"""Seconds for each question."""
MODELS = 8
"""Models of a board that are asked about one by one, from the first to the last by mean."""
WITH_TREES = (
    "_solver.covers",
    "lp.scenarios.fewest_tasks",
    "lp.scenarios.cheapest_set",
    "lp.scenarios.fixed_weights",
    "lp.improvement.upsets",
    "lp.choosing.shortlist_search",
)


def questions(board):
    """Yield what is asked of a board: the question's name, and a call."""
    means = board.to_pandas().mean(axis=1).sort_values(ascending=False)
    some = list(means.index[:: max(1, len(means) // MODELS)])[:MODELS]
    for model, rule in itertools.product(some, ("majority", "mean")):
        yield "fewest_task_sets", partial(wl.lp.fewest_task_sets, board, model, rule=rule)
    for rule in ("majority", "mean", "borda"):
        yield "fewest_lifts", partial(wl.lp.fewest_lifts, board, None, rule)
    for model, kind, space in itertools.product(some, ("score", "result"), (None, "any")):
        yield "upset", partial(wl.lp.upset, board, model, kind=kind, space=space)
    cost = dict(zip(board.tasks, range(3, 3 + len(board.tasks)), strict=True))
    for keep, options in (
        *itertools.product(("winner", "top", "order"), ({"weights": "free"}, {"weights": "equal"}, {"cost": cost})),
        ("top", {"tolerance": 1}),
        ("order", {"tolerance": 1}),
    ):
        yield "smallest_benchmark", partial(wl.lp.smallest_benchmark, board, keep=keep, k=5, halves=False, **options)
    for rule, size in itertools.product(("mean", "borda"), (5, 8)):
        yield "shortlist", partial(wl.lp.shortlist, board, rule=rule, size=min(size, len(board.models)))
    loss = wl.lp.shortlist(board, size=3).loss
    prices = dict(zip(board.models, range(3, 3 + len(board.models)), strict=True))
    yield "shortlist", partial(wl.lp.shortlist, board, loss=loss, cost=prices)
    yield "shortlist", partial(wl.lp.shortlist, board, cost=prices)


@pytest.mark.parametrize("name", PUBLIC)
def test_trees_that_close(shared_data, name, capsys, monkeypatch):
    board = wl.read_leaderboard(shared_data / name).complete()
    tried, asked = {}, {}
    for path in WITH_TREES:
        module = importlib.import_module(f"weightlab.{path}")

        def counted(*arguments, _real=module.branch_tree, **options):
            tree = _real(*arguments, **options)
            tried.setdefault(question, []).append(None if tree is None else len(tree.nodes))
            return tree

        monkeypatch.setattr(module, "branch_tree", counted)
    start = time.process_time()
    for question, call in questions(board):
        try:
            call(time_limit=LIMIT)
            how = "answered"
        except wl.ImpossibleError:
            how = "impossible"
        except wl.UnprovedError:
            how = "out of time"
        asked.setdefault(question, []).append(how)
    with capsys.disabled():
        print(f"\n{name}, {time.process_time() - start:.0f} s")
        for question, ends in asked.items():
            nodes = [one for one in tried.get(question, ()) if one is not None]
            counts = ", ".join(f"{ends.count(one)} {one}" for one in sorted(set(ends)))
            trees = (
                f"{len(nodes)} of {len(tried.get(question, ()))} trees closed, at most {max(nodes, default=0)} nodes"
            )
            print(f"  {question}: {trees}; {counts}")
    assert any(tried.values())
