"""Every breaking of ties, some breaking: each domain against all breakings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains import brute_force
from tests.domains.test_domains import TESTS, travelled, weak_profiles
from weightlab.exceptions import InputError

SMALL = {"most_models": 4, "most_voters": 4}


@given(weak_profiles(**SMALL), st.integers(0, 2))
@settings(max_examples=60)
def test_distances_under_all_breakings(profile, degree):
    broken = brute_force.breakings(profile)
    if broken is None:
        return
    answers = [brute_force.largest_distance(one.ranks) <= degree for one in broken]
    always = wl.domains.necessarily(profile, "distance_restricted", degree=degree)
    ever = wl.domains.possibly(profile, "distance_restricted", degree=degree)
    assert (always.holds, ever.holds) == (all(answers), any(answers))
    assert travelled(always).verify(profile)
    assert travelled(ever).verify(profile)


@pytest.mark.parametrize("name", ["single_caved", "condorcet_domain"])
@given(profile=weak_profiles(**SMALL))
@settings(max_examples=40)
def test_further_domains_under_all_breakings(name, profile):
    broken = brute_force.breakings(profile)
    if broken is None:
        return
    answers = [TESTS[name](one.ranks) for one in broken]
    always, ever = wl.domains.necessarily(profile, name), wl.domains.possibly(profile, name)
    assert (always.holds, ever.holds) == (all(answers), any(answers))
    assert travelled(always).verify(profile)
    assert travelled(ever).verify(profile)


@given(weak_profiles(**SMALL))
@settings(max_examples=40)
def test_what_always_holds_holds_now_and_then(profile):
    for name in ("single_peaked", "group_separable", "single_crossing", "value_restricted"):
        if wl.domains.necessarily(profile, name):
            assert wl.domains.possibly(profile, name)
            assert getattr(wl.domains, name)(profile.break_ties("alphabetical"))


def test_a_claim_about_all_breakings_of_another_profile_is_seen():
    tied = wl.Profile.from_orders([["a", ("b", "c")], ["b", "c", "a"], ["c", ("a", "b")]])
    broken = wl.Profile.from_orders([list("acb"), list("bca"), list("cab")])
    claim = wl.domains.necessarily(broken, "value_restricted")
    assert claim.verify(broken)
    assert claim.holds != wl.domains.necessarily(tied, "value_restricted").holds
    with pytest.raises(wl.ProofError, match="the rank that"):
        claim.verify(tied)


def test_unknown_domains_and_needless_degrees_are_refused():
    profile = wl.Profile.from_orders([["a", "b"]])
    for ask in (wl.domains.necessarily, wl.domains.possibly):
        with pytest.raises(InputError, match="single_peked"):
            ask(profile, "single_peked")
        with pytest.raises(InputError, match="degree"):
            ask(profile, "single_peaked", degree=1)
