"""Union-free generic depth against its definition over all partial orders."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains.test_domains import LETTERS, travelled
from weightlab.data import Relations


@cache
def partial_orders(size):
    """Return all partial orders of so many models, stacked."""
    found = []
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    for chosen in product([False, True], repeat=len(pairs)):
        order = np.eye(size, dtype=bool)
        for (one, other), leads in zip(pairs, chosen, strict=True):
            order[one, other] |= leads
        if not (order & order.T & ~np.eye(size, dtype=bool)).any() and not ((order @ order) & ~order).any():
            found.append(order)
    return np.array(found)


def covered(some, orders):
    """Return which orders lie between the intersection and the union of some."""
    least, most = np.all(some, axis=0), np.any(some, axis=0)
    return (orders | ~least).all(axis=(1, 2)) & (~orders | most).all(axis=(1, 2))


def is_generic(some):
    every = partial_orders(some[0].shape[0])
    by_parts = [covered(part, every) for size in range(1, len(some)) for part in combinations(some, size)]
    return len(some) > 1 and bool((covered(some, every) & ~np.any(by_parts, axis=0)).any())


def depths(observed):
    """Return the depth of each observed order, straight from the definition."""
    distinct, which = np.unique(observed, axis=0, return_inverse=True)
    shares = [Fraction(int((which.ravel() == one).sum()), len(observed)) for one in range(len(distinct))]
    whole, parts = Fraction(0), [Fraction(0)] * len(distinct)
    for size in range(2, len(distinct) + 1):
        for some in combinations(range(len(distinct)), size):
            if is_generic([distinct[one] for one in some]):
                weight = prod((shares[one] for one in some), start=Fraction(1))
                whole += weight
                for one in np.flatnonzero(covered([distinct[one] for one in some], distinct)):
                    parts[one] += weight
    return [parts[one] / whole if whole else Fraction(0) for one in which.ravel()]


@st.composite
def observations(draw):
    size = draw(st.integers(2, 3))
    every = partial_orders(size)
    chosen = draw(
        st.lists(st.integers(0, len(every) - 1), min_size=2, max_size=6).filter(lambda one: len(set(one)) > 1)
    )
    names = tuple(f"d{number}" for number in range(len(chosen)))
    return Relations(items=names, models=tuple(LETTERS[:size]), array=every[chosen])


def test_there_are_as_many_partial_orders_as_are_known():
    assert [len(partial_orders(size)) for size in (1, 2, 3)] == [1, 3, 19]


@given(observations())
@settings(max_examples=40)
def test_generic_depth_is_the_share_of_generic_sets_around_an_order(relations):
    result = wl.domains.ufg_depth(relations)
    assert result.depths.tolist() == depths(relations.array)
    assert travelled(result).verify(relations)


@given(observations(), st.integers(0, 1_000))
@settings(max_examples=5)
def test_sampled_depth_is_near_the_exact_one_and_repeats_with_its_seed(relations, seed):
    exact, sampled = wl.domains.ufg_depth(relations), wl.domains.ufg_depth(relations, samples=1_000, rng=seed)
    # The bound fails once in twenty seeds; twice the bound fails once in some ten million.
    assert abs(exact.depths.astype(float) - sampled.depths).max() < 2 * sampled.error
    assert sampled.depths.equals(wl.domains.ufg_depth(relations, samples=1_000, rng=seed).depths)
    assert travelled(sampled).verify(relations)


@pytest.mark.parametrize("samples", [None, 50])
def test_without_a_generic_set_all_depths_are_zero(samples):
    every = partial_orders(2)
    relations = Relations(items=("x", "y"), models=("a", "b"), array=every[:2])
    assert wl.domains.ufg_depth(relations, samples=samples, rng=0).depths.tolist() == [0, 0]


def test_relations_that_are_no_partial_orders_are_refused_with_their_name():
    tied = np.array([np.ones((2, 2), dtype=bool), np.eye(2, dtype=bool)])
    with pytest.raises(wl.InputError, match="'both'"):
        wl.domains.ufg_depth(Relations(items=("both", "none"), models=("a", "b"), array=tied))
    alike = Relations(items=("x", "y"), models=("a", "b"), array=np.array([np.eye(2, dtype=bool)] * 2))
    with pytest.raises(wl.InputError, match="at least two different orders"):
        wl.domains.ufg_depth(alike)
    with pytest.raises(wl.InputError, match="at least one sample"):
        wl.domains.ufg_depth(wl.Profile.from_orders([["a", "b"], ["b", "a"]]), samples=0)
