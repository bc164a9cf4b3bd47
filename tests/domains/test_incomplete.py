"""Rankings that leave models out: solved on request, against all axes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains import brute_force
from tests.domains.test_domains import LETTERS, travelled


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
