"""A thousand resampled leaderboards in a second or two, joint rank sets, and dispersion beside plain counts.

``python -m pytest -m benchmark -n 0 -s tests/benchmarks/test_bootstrap.py`` prints the table.
"""

from __future__ import annotations

from functools import partial
from time import process_time

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import weightlab as wl
from weightlab.studies.rules.dispersion import distance

MODELS, TASKS, REPEATS = 200, 50, 1000
DRAWS = 2000


def board(models, tasks, digits=3):
    """Return random scores on which later models are better."""
    rng = np.random.default_rng(0)
    scores = (rng.random((models, tasks)) + np.linspace(0, 0.6, models)[:, None]).round(digits)
    names, columns = [f"m{place}" for place in range(models)], [f"t{place}" for place in range(tasks)]
    return wl.Leaderboard(pd.DataFrame(scores, names, columns))


def timed(work):
    """Return what work returns, and its processor time, which depends less on who else is at work."""
    start = process_time()
    return work(), process_time() - start


def rank_again_and_again(table, rule, repeats):
    """Rank resampled tables as one would by hand, one board a draw."""
    rng = np.random.default_rng(0)
    for _ in range(repeats):
        drawn = table.scores.iloc[:, rng.integers(TASKS, size=TASKS)]
        drawn.columns = range(TASKS)
        wl.rules.rank(wl.Leaderboard(drawn), rule)


@pytest.mark.parametrize(("rule", "seconds"), [("borda", 2), ("mean", 2), ("plurality", 2), ("copeland", 8)])
def test_a_thousand_draws_of_tasks(rule, seconds):
    table = board(MODELS, TASKS)
    found, ours = timed(lambda: wl.studies.bootstrap(table, rule, repeats=REPEATS, rng=0).summary())
    _, twenty = timed(lambda: rank_again_and_again(table, rule, 20))
    theirs = twenty * REPEATS / 20
    print(
        f"\n{rule:10} {MODELS} models x {TASKS} tasks, {REPEATS} draws: {ours:.2f} s, one board a draw {theirs:.1f} s, "
        f"{theirs / ours:.0f} times"
    )
    assert len(found) == MODELS
    assert ours < seconds
    assert ours < theirs


def test_a_thousand_draws_of_instances():
    rng = np.random.default_rng(0)
    tables = {
        f"t{task}": pd.DataFrame(
            rng.random((50, 500)).round(2), [f"m{place}" for place in range(50)], [f"i{place}" for place in range(500)]
        )
        for task in range(10)
    }
    instances = wl.Instances(tables)
    for how in ("means", "one_level", "two_level"):
        _, ours = timed(lambda how=how: wl.studies.bootstrap(instances, "borda", how=how, repeats=100, rng=0))
        print(f"\nborda, {how}: 50 models x 10 tasks x 500 instances, 100 draws: {ours:.2f} s")
        assert ours < 20


def test_dispersion_is_counted_from_the_duels():
    profile = board(100, 200)
    found, ours = timed(lambda: wl.studies.dispersion(profile, "borda", repeats=0))
    ranks = profile.rankings().ranks
    half = found.tie_penalty
    some, theirs = timed(lambda: [distance(ranks[0], ranks[other], half) for other in range(100)])
    theirs *= 200 * 200 / 100
    print(f"\n100 models x 200 tasks: {ours:.2f} s, pair of tasks by pair {theirs:.0f} s, {theirs / ours:.0f} times")
    assert float(found.between) == pytest.approx(float(sum(some)) / 100, rel=0.3)
    assert theirs > 3 * ours


@pytest.mark.parametrize(("models", "tasks", "seconds"), [(97, 14, 1), (181, 41, 5)])
def test_all_rules_of_a_leaderboard(models, tasks, seconds):
    table = board(models, tasks)
    table.signs()
    for rule in ("mean", "borda", "copeland"):
        found, ours = timed(lambda rule=rule: wl.studies.rank_sets(table, rule, repeats=DRAWS).summary())
        print(f"\n{rule:10} {models} models x {tasks} tasks, {DRAWS} draws: {ours:.2f} s")
        assert len(found) == models
        assert ours < seconds


def test_the_bootstrap_is_faster_than_tests_pair_by_pair():
    table = board(60, 30)
    _, ours = timed(lambda: wl.studies.rank_sets(table, "mean", repeats=DRAWS))
    rest = table.scores.to_numpy().T
    rest = rest - rest.mean(axis=0)
    rows, columns = np.triu_indices(60, 1)
    signs = np.random.default_rng(0).integers(2, size=(20, 30)) * 2 - 1
    _, twenty = timed(lambda: [stats.ttest_1samp((rest * own[:, None])[:, rows] - (rest * own[:, None])[:, columns], 0)
                               for own in signs])  # fmt: skip
    theirs = twenty * DRAWS / 20
    print(f"\n60 models x 30 tasks, {DRAWS} draws: {ours:.2f} s, a test of all pairs a draw {theirs:.1f} s")
    assert ours < theirs


def test_rank_sets_under_all_weights_within_a_half():
    table = board(100, 50)
    errors = pd.DataFrame(0.1, index=list(table.models), columns=list(table.tasks))
    noisy = wl.Leaderboard(table.scores, standard_errors=errors)
    space = wl.lp.WeightSpace(noisy).within("0.5")
    ask = partial(wl.studies.rank_sets, noisy, over="standard_errors", space=space, repeats=1000)
    _, ours = timed(ask)
    print(f"\n100 models x 50 tasks, 1,000 draws, every weight within a half: {ours:.1f} s")
    assert ours < 60


def test_a_million_votes():
    rng, strengths = np.random.default_rng(0), np.linspace(0, 3, 150)
    one = rng.integers(150, size=10**6)
    other = (one + rng.integers(1, 150, size=10**6)) % 150
    won = rng.random(10**6) < 1 / (1 + np.exp(strengths[other] - strengths[one]))
    wins = np.zeros((150, 150), dtype=np.int64)
    np.add.at(wins, (np.where(won, one, other), np.where(won, other, one)), 1)
    votes = wl.Margins(models=tuple(f"m{place}" for place in range(150)), wins=wins, ties=0 * wins, denominator=1)
    found, ours = timed(lambda: wl.studies.rank_sets(votes))
    print(f"\nBradley-Terry, a million votes between 150 models, {found.repeats} draws: {ours:.2f} s")
    assert ours < 5
