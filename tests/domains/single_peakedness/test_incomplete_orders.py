"""Rankings that leave models out: solved on request, against all axes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains import brute_force
from tests.domains.test_domains import LETTERS, travelled
from weightlab.domains.single_peakedness.incomplete_orders import ClashingSides, sides_of


@st.composite
def gappy_profiles(draw):
    """Draw weak orders of some of the models, half of the time along an axis."""
    models = draw(st.integers(3, 5))
    along = draw(st.booleans())
    orders = []
    for _ in range(draw(st.integers(2, 5))):
        order = draw(st.permutations(range(models)))
        if along:
            peak = draw(st.floats(0, models - 1))
            order = sorted(range(models), key=lambda one: abs(one - peak))
        kept = [LETTERS[one] for one in order if draw(st.integers(0, 9)) < 7]
        places = [[one] for one in kept]
        if len(places) > 1 and draw(st.booleans()):
            places[-2:] = [places[-2] + places[-1]]
        orders.append(places)
    return wl.Profile.from_orders(orders, models=LETTERS[:models])


@given(gappy_profiles())
@settings(max_examples=80)
def test_an_axis_is_found_when_one_of_all_fits_what_each_voter_ranks(profile):
    peaked = wl.domains.single_peaked(profile, incomplete="solve")
    assert peaked.holds == bool(brute_force.axes(profile.ranks))
    assert travelled(peaked).verify(profile)
    upside_down = np.where(profile.ranks > 0, profile.ranks.max() + 1 - profile.ranks, 0)
    caved = wl.domains.single_caved(profile, incomplete="solve")
    assert caved.holds == bool(brute_force.axes(upside_down))
    assert travelled(caved).verify(profile)


def test_a_no_without_a_short_proof_names_the_solver_it_relies_on():
    """Every three of the six voters leave a common axis, and no statement about sides contradicts another one."""
    for seed in range(3_000):
        rng = np.random.default_rng(seed)
        orders = [[LETTERS[one] for one in rng.permutation(5)[:3]] for _ in range(6)]
        profile = wl.Profile.from_orders(orders, models=LETTERS[:5])
        result = wl.domains.single_peaked(profile, incomplete="solve")
        if result.solver:
            break
    assert not result
    assert result.witness is None
    assert not brute_force.axes(profile.ranks)
    assert "exact_witness" in str(result.proof)
    assert travelled(result).verify(profile)


def test_gaps_are_refused_with_the_names_unless_asked_for():
    profile = wl.Profile.from_orders([["a", "b", "c"], ["a", "c"]])
    with pytest.raises(wl.InputError, match="voter '2' does not rank 'b'"):
        wl.domains.single_peaked(profile)
    with pytest.raises(wl.InputError, match="incomplete"):
        wl.domains.single_peaked(profile, incomplete="guess")


def sides_by_spreading(ranks):
    """Return for all ordered pairs the least pair of the same direction, or None where one is its own reverse."""
    size = ranks.shape[1]
    group = {(x, y): (x, y) for x in range(size) for y in range(size) if x != y}
    equal = [
        ends
        for row in ranks
        for x, y, z in permutations(range(size), 3)
        if 0 < row[x] < row[z] and 0 < row[y] < row[z]
        for ends in (((x, z), (y, z)), ((z, x), (z, y)))
    ]
    for _ in group:
        for one, other in equal:
            group[one] = group[other] = min(group[one], group[other])
    return None if any(group[x, y] == group[y, x] for x, y in group) else group


def test_two_models_above_a_third_are_on_the_same_side_of_it():
    clashes = 0
    for seed in range(150):
        ranks = np.random.default_rng(seed).integers(0, 4, (2 + seed % 6, 4))
        found, expected = sides_of(ranks), sides_by_spreading(ranks)
        clashes += expected is None
        assert (found is None) == (expected is None)
        if found is not None:
            pairs = list(combinations(expected, 2))
            assert all((found[one] == found[other]) == (expected[one] == expected[other]) for one, other in pairs)
    assert 10 < clashes < 100


def test_no_models_contradict_nobody():
    assert sides_of(np.zeros((2, 0), dtype=np.int64)).shape == (0, 0)


def test_a_contradiction_is_named_in_full_and_re_checked():
    profile = wl.Profile.from_orders([list("abcd"), list("bca"), list("cab"), list("da")])
    witness = wl.domains.single_peaked(profile, incomplete="solve").witness
    assert isinstance(witness, ClashingSides)
    assert (set(witness.models), set(witness.voters)) == (set("abc"), set("123"))
    witness.check(profile)
    replace(witness, models=profile.models, voters=profile.voters).check(profile)
    for changes, error in (
        ({"models": ("a", "b", "c", "z")}, "a model is not in the profile"),
        ({"voters": ("1", "2", "3", "9")}, "a voter is not in the profile"),
        ({"models": ("a", "b")}, "the statements do not contradict each other"),
        ({"voters": ("1", "2")}, "the statements do not contradict each other"),
    ):
        with pytest.raises(wl.ProofError, match=f"^{error}$"):
            replace(witness, **changes).check(profile)
