"""The same answers as preflibtools gives, and yes to what prefsampling draws from the domains."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl


def profile_of(votes):
    return wl.Profile.from_orders([[str(model) for model in vote] for vote in votes])


@pytest.mark.parametrize("seed", range(10))
def test_profiles_drawn_from_a_domain_are_of_it(seed):
    ordinal = pytest.importorskip("prefsampling.ordinal")
    assert wl.domains.single_peaked(profile_of(ordinal.single_peaked_walsh(6, 9, seed=seed)))
    assert wl.domains.single_peaked(profile_of(ordinal.single_peaked_conitzer(6, 9, seed=seed)))
    assert wl.domains.single_crossing(profile_of(ordinal.single_crossing(6, 7, seed=seed)))


@pytest.mark.parametrize("seed", range(40))
def test_single_peakedness_and_crossing_are_what_preflibtools_says(seed):
    instances = pytest.importorskip("preflibtools.instances")
    peaked = pytest.importorskip("preflibtools.properties.subdomains.ordinal.singlepeaked.singlepeakedness")
    rng = np.random.default_rng(seed)
    votes = [tuple(int(one) for one in rng.permutation(4)) for _ in range(3)]
    instance = instances.OrdinalInstance()
    instance.append_order_list([tuple((one,) for one in vote) for vote in votes])
    assert wl.domains.single_peaked(profile_of(votes)).holds == peaked.is_single_peaked(instance)[0]
