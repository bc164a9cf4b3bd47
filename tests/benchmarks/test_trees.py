"""How many branch trees close, by question and board; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import importlib
import itertools
import time
from functools import partial

import pytest

import weightlab as wl
from tests.benchmarks.test_rank_range import PUBLIC

LIMIT = 20
"""Seconds for each question."""
MODELS = 8
"""Models of a board that are asked about one by one, from the first to the last by mean."""
WITH_TREES = (
    "_solver.covers",
    "lp.scenarios.fewest_tasks",
    "lp.scenarios.cheapest_set",
    "lp.improvement.improve",
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
