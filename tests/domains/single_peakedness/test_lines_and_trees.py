"""Points on a line and trees, against all axes with a linear program each and against all trees."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.domains.test_domains import profile_of, travelled


def fits_axis(ranks, axis):
    """Tell, in floats, whether models in this order have positions such that every voter ranks by distance."""
    voters, models = ranks.shape
    place = {model: position for position, model in enumerate(axis)}
    rows = []
    for one, other in pairwise(axis):
        rows.append([(model == other) - (model == one) for model in range(models)] + [0] * voters)
    for voter, row in enumerate(ranks):
        for near, far in pairwise(np.argsort(row)):
            side = 1 if place[near] < place[far] else -1
            middle = [-2 * side * (one == voter) for one in range(voters)]
            rows.append([side * (model in (near, far)) for model in range(models)] + middle)
    found = linprog(np.zeros(models + voters), A_ub=-np.array(rows), b_ub=-np.ones(len(rows)), bounds=(None, None))
    return found.status == 0


def euclidean(ranks):
    models = ranks.shape[1]
    return models == 1 or any(fits_axis(ranks, axis) for axis in permutations(range(models)) if axis[0] < axis[-1])


def trees(size):
    """Yield the edges of all trees, from their Prüfer codes."""
    if size < 3:
        yield list(pairwise(range(size)))
        return
    for code in product(range(size), repeat=size - 2):
        degree = [1 + code.count(one) for one in range(size)]
        edges = []
        for one in code:
            leaf = degree.index(1)
            edges.append((leaf, one))
            degree[leaf] -= 1
            degree[one] -= 1
        edges.append(tuple(one for one in range(size) if degree[one] == 1))
        yield edges


def on_tree(ranks):
    def fits(edges):
        return all(
            len({one if row[one] > row[other] else other for one, other in edges}) == len(edges) for row in ranks
        )

    return any(fits(edges) for edges in trees(ranks.shape[1]))


@pytest.mark.parametrize("models", [1, 2, 3])
def test_all_small_profiles_fit_a_tree_and_a_line_when_one_of_all_fits(models):
    rows = list(permutations(range(1, models + 1)))
    for some in combinations_with_replacement(rows, 3):
        ranks, profile = np.array(some), profile_of(some)
        for test, truth in ((wl.domains.single_peaked_on_tree, on_tree), (wl.domains.one_euclidean, euclidean)):
            result = test(profile)
            assert result.holds == truth(ranks)
            assert travelled(result).verify(profile)


@st.composite
def near_a_line(draw):
    """Draw rankings by distance on a line, now and then with two neighbours exchanged."""
    models, voters = draw(st.integers(3, 5)), draw(st.integers(2, 4))
    at = draw(st.lists(st.integers(0, 60), min_size=models, max_size=models, unique=True))
    ranks = []
    for _ in range(voters):
        home = draw(st.integers(-10, 70)) + draw(st.sampled_from([0.26, 0.4]))
        order = sorted(range(models), key=lambda one: abs(at[one] - home))
        if draw(st.integers(0, 3)) == 0:
            first = draw(st.integers(0, models - 2))
            order[first], order[first + 1] = order[first + 1], order[first]
        ranks.append(np.argsort(order) + 1)
    return np.array(ranks)


@given(near_a_line())
@settings(max_examples=60)
def test_rankings_near_a_line_fit_a_line_and_a_tree_when_one_of_all_fits(ranks):
    profile = profile_of(ranks)
    line, tree = wl.domains.one_euclidean(profile), wl.domains.single_peaked_on_tree(profile)
    assert (line.holds, tree.holds) == (euclidean(ranks), on_tree(ranks))
    assert travelled(line).verify(profile)
    assert travelled(tree).verify(profile)


def test_rankings_can_be_single_peaked_and_single_crossing_without_fitting_a_line():
    profile = wl.Profile.from_orders([list("dbaefg"), list("debfga"), list("fedgba")])
    assert wl.domains.single_peaked(profile)
    assert wl.domains.single_crossing(profile)
    result = wl.domains.one_euclidean(profile)
    assert isinstance(result.witness, wl.domains.ClashingDistances)
    assert not euclidean(profile.ranks)
    assert travelled(result).verify(profile)


def test_a_star_is_a_tree_without_an_axis():
    profile = wl.Profile.from_orders([["hub", "a", "b", "c"], ["hub", "b", "c", "a"], ["hub", "c", "a", "b"]])
    result = wl.domains.single_peaked_on_tree(profile)
    assert result
    assert {frozenset(edge) for edge in result.edges} == {frozenset({"hub", leaf}) for leaf in "abc"}
    assert not wl.domains.single_peaked(profile)
