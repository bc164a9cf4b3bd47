"""What proving the winner costs by the advice of `settle`, in hindsight, and by other policies.

``pytest -m benchmark -n 0 -s tests/lp/unknown_scores/test_settle_peers.py`` prints the table: of the five public boards
and of the CSV files in the folder that ``WEIGHTLAB_BOARDS`` names, a row per model and a column per task.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.lp.unknown_scores.test_settle_boards import BOARDS, full

ORDERS = 5


def boards(data):
    """Return complete boards by name, with the bounds of their scores."""
    found = {Path(name).stem: full(data, name) for name in BOARDS}
    for path in sorted(Path(os.environ.get("WEIGHTLAB_BOARDS", os.devnull)).glob("*.csv")):
        board = wl.Leaderboard(pd.read_csv(path, index_col=0)).complete()
        values = board.scores.to_numpy()
        top = 1 if abs(values).max() <= 1 else 100
        bounds = {task: (-top if (board.scores[task] < 0).any() else 0, top) for task in board.tasks}
        # Errors, negated, have no known bounds: these are asked about head-to-head alone.
        found[path.stem] = board, None if values.max() > top or values.max() <= 0 else bounds
    return found


def predicted_totals(values, known):
    """Return sums of scores, missing ones predicted by a mean with row and column effects (ridge 1, six sweeps)."""
    mean = values[known].mean() if known.any() else 0
    row, column = np.zeros(len(values)), np.zeros(values.shape[1])
    rest = np.where(known, values - mean, 0)
    for _ in range(6):
        row = (rest.sum(axis=1) - known @ column) / (known.sum(axis=1) + 1)
        column = (rest.sum(axis=0) - row @ known) / (known.sum(axis=0) + 1)
    return np.where(known, values, mean + row[:, None] + column).sum(axis=1)


def by_predicted_means(values, known, open_models, rng, *, bonus=1.0):
    """UCB-E on predicted means (Zhou et al., arXiv 2407.06172): a task at random of the model of greatest index."""
    count, spread = known.sum(axis=1), values.std()
    index = predicted_totals(values, known) / values.shape[1] + bonus * spread / np.sqrt(count + 1)
    row = max(open_models, key=lambda one: index[one])
    return row, int(rng.choice(np.flatnonzero(~known[row])))


def by_round_robin(values, known, open_models, rng):
    """Successive elimination: a task at random of the undecided model with fewest scores."""
    del values
    row = min(open_models, key=lambda one: known[one].sum())
    return row, int(rng.choice(np.flatnonzero(~known[row])))


def by_column(values, known, open_models, rng):
    """One task after the other, each for all models."""
    del values, open_models, rng
    task = int(np.flatnonzero(~known.all(axis=0))[0])
    return int(np.flatnonzero(~known[:, task])[0]), task


PEERS = {"predicted means": by_predicted_means, "round robin": by_round_robin, "by column": by_column}


def measured(board, bounds, policy, seed):
    """Return which share of the scores a policy measures until the winner by mean is proved, tasks in random order."""
    rng = np.random.default_rng(seed)
    tasks = rng.permutation(board.tasks)
    values = board.scores[tasks].to_numpy()[rng.permutation(len(board.models))]
    ends = np.array([bounds[task] if isinstance(bounds, dict) else bounds for task in tasks], dtype=float).T
    known = np.zeros(values.shape, dtype=bool)
    worst, best = (np.full(len(values), end.sum()) for end in ends)
    while True:
        leader = int(np.argmax(worst))
        if worst[leader] > np.delete(best, leader).max() + 1e-9:
            return known.mean()
        row, task = policy(values, known, [*np.flatnonzero((best >= worst.max()) & ~known.all(axis=1))], rng)
        known[row, task] = True
        worst[row] += values[row, task] - ends[0, task]
        best[row] -= ends[1, task] - values[row, task]


def advised(board, rule, bounds):
    """Return what is needed in hindsight and measured by the advice as shares, and the one over the other."""
    try:
        found = wl.studies.replay(board, rule=rule, bounds=bounds, orders=ORDERS)
    except wl.InputError:
        return None
    return float(found.hindsight.bound / found.hindsight.total), float(found.share), float(found.ratio)


def told(found):
    """Return these as text."""
    return "no such winner" if found is None else "{:7.1%} {:7.1%} {:5.2f}".format(*found)


@pytest.mark.benchmark
def test_the_advice_beside_other_policies(shared_data, capsys):
    names = "  ".join(PEERS)
    with capsys.disabled():
        sys.stdout.write(f"\n{'winner':<20} {'size':>9}  by mean: hindsight, settle, ratio; {names}  head-to-head\n")
    for name, (board, bounds) in boards(shared_data).items():
        size = f"{len(board.models)} x {len(board.tasks)}"
        mean, shares = "no bounds", []
        if bounds is not None:
            found = advised(board, "mean", bounds)
            shares = [np.mean([measured(board, bounds, one, seed) for seed in range(ORDERS)]) for one in PEERS.values()]
            assert all(found[1] < share for share in shares), name
            mean = told(found)
        with capsys.disabled():
            peers, majority = "  ".join(f"{share:7.1%}" for share in shares), told(advised(board, "majority", None))
            sys.stdout.write(f"{name:<20} {size:>9}  {mean:<22}  {peers:<27}  {majority}\n")
