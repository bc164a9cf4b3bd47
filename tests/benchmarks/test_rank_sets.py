"""Rank sets of whole leaderboards in seconds, beside one test a pair and draw.

``python -m pytest -m benchmark -n 0 -s tests/benchmarks/test_rank_sets.py`` prints the table.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import weightlab as wl
from tests.benchmarks.test_bootstrap import board, timed

REPEATS = 2000


@pytest.mark.parametrize(("models", "tasks", "seconds"), [(97, 14, 1), (181, 41, 5)])
def test_all_rules_of_a_leaderboard(models, tasks, seconds):
    table = board(models, tasks)
    table.signs()
    for rule in ("mean", "borda", "copeland"):
        found, ours = timed(lambda rule=rule: wl.studies.rank_sets(table, rule, repeats=REPEATS).summary())
        print(f"\n{rule:10} {models} models x {tasks} tasks, {REPEATS} draws: {ours:.2f} s")
        assert len(found) == models
        assert ours < seconds


def test_flips_are_faster_than_tests_pair_by_pair():
    table = board(60, 30)
    _, ours = timed(lambda: wl.studies.rank_sets(table, "mean", repeats=REPEATS))
    rest = table.scores.to_numpy().T
    rest = rest - rest.mean(axis=0)
    rows, columns = np.triu_indices(60, 1)
    signs = np.random.default_rng(0).integers(2, size=(20, 30)) * 2 - 1
    _, twenty = timed(lambda: [stats.ttest_1samp((rest * own[:, None])[:, rows] - (rest * own[:, None])[:, columns], 0)
                               for own in signs])  # fmt: skip
    theirs = twenty * REPEATS / 20
    print(f"\n60 models x 30 tasks, {REPEATS} draws: {ours:.2f} s, a test of all pairs a draw {theirs:.1f} s")
    assert ours < theirs
