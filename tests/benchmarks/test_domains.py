"""How fast the tests of domains are."""

from __future__ import annotations

import time

import numpy as np
import pytest

import weightlab as wl


def best_of(question, rounds=3):
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        question()
        taken.append(time.perf_counter() - begun)
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


@pytest.mark.parametrize(("models", "seconds"), [(200, 0.03), (1000, 1.0)])
def test_strict_orders_of_fifty_voters(models, seconds):
    profile = peaked(models, 50)
    assert wl.domains.single_peaked(profile)
    assert best_of(lambda: wl.domains.single_peaked(profile)) < seconds


def test_weak_orders_of_a_hundred_models():
    profile = peaked(100, 20, ties=0.3)
    assert wl.domains.single_peaked(profile)
    assert best_of(lambda: wl.domains.single_peaked(profile)) < 1


def test_group_separable_orders_of_two_hundred_models():
    profile = caterpillar(200, 50)
    assert wl.domains.group_separable(profile)
    assert best_of(lambda: wl.domains.group_separable(profile)) < 1


def test_never_conditions_of_fifty_models():
    rng = np.random.default_rng(0)
    profile = wl.Profile.from_orders([[str(model) for model in rng.permutation(50)] for _ in range(9)])
    assert best_of(lambda: wl.domains.value_restricted(profile).conditions) < 0.3


def test_tukey_depth_of_a_suite():
    rng = np.random.default_rng(0)
    profile = wl.Profile.from_orders([[str(model) for model in rng.permutation(50)] for _ in range(57)])
    relations = profile.relations()
    assert best_of(lambda: wl.domains.tukey_depth(relations)) < 0.1
