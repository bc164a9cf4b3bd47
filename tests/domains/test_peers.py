"""The same answers as preflibtools gives, and yes to what prefsampling draws from the domains."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl

pytestmark = pytest.mark.peers

ORDINAL = "preflibtools.properties.subdomains.ordinal"


def profile_of(votes):
    models = sorted({str(model) for model in votes[0]})
    return wl.Profile.from_orders([[str(model) for model in vote] for vote in votes], models=models)


def peer(package, reason):
    return pytest.importorskip(package, reason=f"{reason} is absent: it gives the second opinion (extra 'peers')")


def sampled():
    return peer("prefsampling.ordinal", "prefsampling")


def preflib(part):
    return peer(f"{ORDINAL}.{part}", "preflibtools")


def instance_of(votes):
    instance = peer("preflibtools.instances", "preflibtools").OrdinalInstance()
    instance.append_order_list([tuple((one,) for one in vote) for vote in votes])
    return instance


@pytest.mark.parametrize("seed", range(10))
def test_profiles_drawn_from_a_domain_are_of_it(seed):
    ordinal = sampled()
    assert wl.domains.single_peaked(profile_of(ordinal.single_peaked_walsh(6, 9, seed=seed)))
    assert wl.domains.single_peaked(profile_of(ordinal.single_peaked_conitzer(6, 9, seed=seed)))
    assert wl.domains.single_crossing(profile_of(ordinal.single_crossing(6, 7, seed=seed)))
    alike = wl.domains.nearest(profile_of(ordinal.identity(4, 6)), "single_peaked")
    assert (alike.holds, alike.dropped) == (True, ())


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("tree", ["CATERPILLAR", "BALANCED", "SCHROEDER_UNIFORM"])
def test_profiles_drawn_along_a_tree_of_groups_are_group_separable(seed, tree):
    kinds = peer("prefsampling.ordinal", "prefsampling").TreeSampler
    votes = sampled().group_separable(6, 8, tree_sampler=getattr(kinds, tree), seed=seed)
    assert wl.domains.group_separable(profile_of(votes))


@pytest.mark.parametrize("seed", range(10))
def test_profiles_drawn_on_a_line_are_euclidean(seed):
    rng = np.random.default_rng(seed)
    points = rng.random(7)
    votes = [np.argsort(abs(points - home)).tolist() for home in rng.random(5)]
    profile = profile_of(votes)
    assert wl.domains.one_euclidean(profile)
    assert wl.domains.single_peaked(profile)
    assert wl.domains.single_crossing(profile)


def votes_of(seed, models, voters):
    rng = np.random.default_rng(seed)
    return [tuple(int(one) for one in rng.permutation(models)) for _ in range(voters)]


@pytest.mark.parametrize("seed", range(40))
def test_single_peakedness_and_crossing_are_what_preflibtools_says(seed):
    votes = votes_of(seed, 4, 3)
    profile, instance = profile_of(votes), instance_of(votes)
    assert (
        wl.domains.single_peaked(profile).holds
        == preflib("singlepeaked.singlepeakedness").is_single_peaked(instance)[0]
    )
    assert wl.domains.single_crossing(profile).holds == preflib("singlecrossing").is_single_crossing(instance)[0]


@pytest.mark.parametrize("seed", range(40))
def test_trees_are_what_preflibtools_says_where_its_tree_fits(seed):
    """It says yes to 12 of these profiles that fit no tree: only its noes, and trees of its that fit, are opinions."""
    votes = votes_of(seed, 5, 3)
    says, edges = preflib("singlepeaked.single_peaked_tree").is_single_peaked_on_tree(instance_of(votes))
    profile = profile_of(votes)
    ranks = [dict(zip(profile.models, row, strict=True)) for row in profile.ranks.tolist()]
    fits = says and all(
        len({max(edge, key=lambda one, row=row: row[str(one)]) for edge in edges}) == len(edges) for row in ranks
    )
    ours = wl.domains.single_peaked_on_tree(profile)
    assert ours or not fits
    assert says or not ours


@pytest.mark.parametrize("seed", range(20))
def test_the_fewest_models_to_drop_are_what_preflibtools_says(seed):
    votes = votes_of(seed, 6, 3)
    _, dropped = preflib("singlepeaked.k_alternative_deletion").k_alternative_deletion(instance_of(votes))
    assert len(wl.domains.nearest(profile_of(votes), "single_peaked").dropped) == len(dropped)
