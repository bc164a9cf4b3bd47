"""How fast the tests of domains are, in processor time.

``python -m pytest -m benchmark -n 0 -s -p no:randomly tests/benchmarks/test_domains.py`` prints the figures.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

import weightlab as wl


def seconds(what, question, rounds=3):
    """Return the least processor time of a few rounds, and print it."""
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        question()
        taken.append(time.process_time() - begun)
    print(f"\n{what}: {1000 * min(taken):.1f} ms")
    return min(taken)


def peaked(models, voters, ties=0.0):
    rng = np.random.default_rng(0)
    orders = []
    for _ in range(voters):
        low = high = int(rng.integers(models))
        order = [[str(low)]]
        while high - low < models - 1:
            left = high == models - 1 or (low > 0 and rng.random() < 0.5)
            low, high = (low - 1, high) if left else (low, high + 1)
            if rng.random() < ties:
                order[-1].append(str(low if left else high))
            else:
                order.append([str(low if left else high)])
        orders.append(order)
    return wl.Profile.from_orders(orders, models=[str(model) for model in range(models)])


def caterpillar(models, voters):
    rng = np.random.default_rng(0)
    orders = []
    for _ in range(voters):
        top = rng.random(models) < 0.5
        orders.append([str(m) for m in np.flatnonzero(top)] + [str(m) for m in np.flatnonzero(~top)[::-1]])
    return wl.Profile.from_orders(orders, models=[str(model) for model in range(models)])


def at_random(models, voters):
    rng = np.random.default_rng(0)
    return wl.Profile.from_orders([[str(model) for model in rng.permutation(models)] for _ in range(voters)])


@pytest.mark.parametrize(("models", "limit"), [(200, 0.03), (1000, 1.0)])
def test_strict_orders_of_fifty_voters(models, limit):
    profile = peaked(models, 50)
    assert wl.domains.single_peaked(profile)
    assert seconds(f"single-peaked, {models} x 50", lambda: wl.domains.single_peaked(profile)) < limit


def test_strict_orders_that_have_no_axis():
    profile = at_random(200, 50)
    assert not wl.domains.single_peaked(profile)
    assert seconds("not single-peaked, 200 x 50", lambda: wl.domains.single_peaked(profile)) < 0.03


def test_weak_orders_of_a_hundred_models():
    profile = peaked(100, 20, ties=0.3)
    assert wl.domains.single_peaked(profile)
    assert seconds("single-peaked weak orders, 100 x 20", lambda: wl.domains.single_peaked(profile)) < 1


def test_group_separable_orders_of_two_hundred_models():
    profile = caterpillar(200, 50)
    assert wl.domains.group_separable(profile)
    assert seconds("group-separable, 200 x 50", lambda: wl.domains.group_separable(profile)) < 1


def test_orders_of_two_hundred_models_that_are_not_group_separable():
    profile = at_random(200, 50)
    assert not wl.domains.group_separable(profile)
    assert seconds("not group-separable, 200 x 50", lambda: wl.domains.group_separable(profile)) < 1


def test_never_conditions_of_fifty_models():
    profile = at_random(50, 9)
    asked = seconds("never-conditions, 50 x 9", lambda: wl.domains.value_restricted(profile).restrictions)
    assert asked < 0.3


def test_tukey_depth_of_a_suite():
    relations = at_random(50, 57).relations()
    assert seconds("Tukey depth, 57 relations on 50 models", lambda: wl.domains.tukey_depth(relations)) < 0.1


def test_the_deepest_order_of_a_suite():
    relations = at_random(50, 57).relations()
    asked = seconds("deepest order, 57 relations on 50 models", lambda: wl.domains.deepest_order(relations))
    assert asked < 0.5
