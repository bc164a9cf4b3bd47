"""The tests that accept ties, on all profiles of weak orders with up to four models and three voters."""

from __future__ import annotations

import os
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

import weightlab as wl
from tests.domains import brute_force
from tests.domains.test_domains import LETTERS, travelled

STEP = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 29
"""Of the largest profiles (some twenty thousand) every one in a long search, one in so many otherwise."""


def weak_orders(models):
    """Return all weak orders of some models, as rows of ranks 1, 2, ... without a gap."""
    rows = product(range(1, models + 1), repeat=models)
    return [row for row in rows if set(row) == set(range(1, max(row) + 1))]


def profiles(models, voters):
    """Yield all profiles up to the names of models: some voter's ranks do not fall along them."""
    rows = weak_orders(models)
    rising = {row for row in rows if list(row) == sorted(row)}
    found = [some for some in combinations_with_replacement(rows, voters) if rising & set(some)]
    yield from found[:: STEP if (models, voters) == (4, 3) else 1]


@cache
def all_electorates(voters):
    """Return how many of each voter there are, from none to six."""
    return np.array(list(product(range(7), repeat=voters)))


def cyclic_electorate(ranks):
    """Tell whether some of each voter make three models beat each other in a cycle; six of each are enough.

    The electorates that do are a cone whose edges have entries up to 2, minors of two rows of signs; a point inside is
    a sum of at most three of them.
    """
    electorates = all_electorates(len(ranks))
    for x, y, z in combinations(range(ranks.shape[1]), 3):
        for cycle in (((x, y), (y, z), (z, x)), ((x, z), (z, y), (y, x))):
            signs = np.array([np.sign(ranks[:, worse] - ranks[:, better]) for better, worse in cycle])
            if (electorates @ signs.T > 0).all(axis=1).any():
                return True
    return False


TRUTHS = {
    "single_peaked": lambda ranks: bool(brute_force.axes(ranks)),
    "single_caved": lambda ranks: bool(brute_force.axes(ranks.max() + 1 - ranks)),
    "value_restricted": brute_force.value_restricted,
    "condorcet_domain": lambda ranks: not cyclic_electorate(ranks),
}


@cache
def all_profiles(models, voters):
    """Return the profiles, made once for all domains."""
    found = []
    for some in profiles(models, voters):
        orders = [
            [[LETTERS[one] for one in np.flatnonzero(row == place)] for place in range(1, row.max() + 1)]
            for row in np.array(some, dtype=np.int32)
        ]
        found.append(wl.Profile.from_orders(orders, models=LETTERS[:models]))
    return found


@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize(("models", "voters"), [(2, 3), (3, 1), (3, 2), (3, 3), (4, 1)])
def test_each_domain_is_its_definition_on_all_weak_profiles(name, models, voters):
    check_all(name, models, voters)


@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("voters", [2, 3])
def test_each_domain_is_its_definition_on_all_weak_profiles_of_four_models(name, voters):
    check_all(name, 4, voters)


def check_all(name, models, voters):
    """Check that a domain is its definition on all profiles of a size."""
    test, truth = getattr(wl.domains, name), TRUTHS[name]
    for number, profile in enumerate(all_profiles(models, voters)):
        result = test(profile)
        assert result.holds == truth(profile.ranks), profile.ranks
        if number % 13 == 0:
            assert travelled(result).verify(profile)


def test_there_are_as_many_weak_orders_as_are_known():
    assert [len(weak_orders(models)) for models in (1, 2, 3, 4)] == [1, 3, 13, 75]
