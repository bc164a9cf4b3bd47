"""Rules against pref_voting on the same profile in one run, and instances ranked task by task.

``python -m pytest -m benchmark -n 0 -s tests/benchmarks/test_rules.py`` prints the table.
"""

from __future__ import annotations

from functools import partial
from time import process_time
from timeit import repeat

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.peer import asked
from tests.rules import peers

MODELS, VOTERS = 200, 50
RULES = ["plurality", "borda", "instant_runoff", "coombs", "baldwin", "nanson"]
A_MOMENT = 0.003
"""Seconds: pref_voting's plurality counts 50 first places and no more; a ranking with exact scores takes longer."""


def impartial_culture(count, voters, seed):
    """Return random linear orders of numbers, and the profile whose models are named by them."""
    orders = np.argsort(np.random.default_rng(seed).random((voters, count)), axis=1)
    ranks = np.argsort(orders, axis=1).astype(np.int32) + 1
    names, votes = tuple(map(str, range(count))), tuple(f"v{place}" for place in range(voters))
    return orders.tolist(), wl.Profile(models=names, voters=votes, ranks=ranks, weights=(1,) * voters)


@pytest.mark.peers
@pytest.mark.parametrize("name", RULES)
def test_no_rule_takes_longer_than_pref_voting_takes_or_a_moment(name):
    orders, profile = impartial_culture(MODELS, VOTERS, seed=0)
    theirs, winners = asked("pref_voting", peers.seconds, name, orders, 5)
    ours = min(repeat(lambda: wl.rules.rank(profile, name), number=1, repeat=15))
    print(f"\n{name:15} {1e3 * ours:8.2f} ms   pref_voting {1e3 * theirs:8.2f} ms   {theirs / ours:7.1f} times")
    assert list(wl.rules.winners(profile, name)) == [str(winner) for winner in winners]
    assert ours < max(theirs, A_MOMENT)


def test_ten_tasks_of_instances_are_ranked_in_two_levels():
    """Processor time, which depends less on who else is at work."""
    rng = np.random.default_rng(0)
    models = [f"m{place:03}" for place in range(200)]
    tables = {
        f"task {task}": {
            f"i{place}": dict(zip(models, rng.random(200).round(3).tolist(), strict=True)) for place in range(5)
        }
        for task in range(10)
    }
    instances = wl.Instances(tables)
    taken = min(repeat(lambda: wl.rules.two_level(instances, "borda"), timer=process_time, number=1, repeat=50))
    print(f"\ntwo_level, Borda, 10 tasks x 200 models x 5 instances: {1e3 * taken:.1f} ms")
    assert taken < 0.030


def test_a_hundred_refits_by_bradley_terry_take_little_longer_than_resamples_by_copeland():
    """Processor time in one run; where all pairs meet alike, the order needs no strengths."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(107, 1)) + rng.normal(size=(107, 27)).round(2)
    board = wl.Leaderboard(pd.DataFrame(scores, index=[f"m{place}" for place in range(107)]))

    def seconds(rule):
        asked = partial(wl.studies.bootstrap, board, rule, repeats=100, rng=0)
        return min(repeat(asked, timer=process_time, number=1, repeat=5))

    ours, theirs = seconds("bradley_terry"), seconds("copeland")
    fit = min(repeat(lambda: wl.rules.rank(board, "bradley_terry"), timer=process_time, number=1, repeat=20))
    print(f"\n100 resamples, 107 x 27: Bradley-Terry {ours:.3f} s, Copeland {theirs:.3f} s; one fit {1e3 * fit:.1f} ms")
    assert ours < 2 * theirs
    assert fit < ours / 5
