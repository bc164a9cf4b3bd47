"""Depth against its definition over all orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains.test_domains import travelled, weak_profiles
from weightlab.domains.depth.tukey import WeightedRelations


def depth(relation, array):
    return 1 - max(Fraction(int(one), len(array)) for one in (array != relation).sum(axis=0).ravel())


@given(weak_profiles(most_models=4, most_voters=5), st.sampled_from([None, "both", "neither"]))
@settings(max_examples=60)
def test_no_order_is_deeper_than_the_deepest(profile, ties):
    relations = profile.relations()
    result = wl.domains.deepest_order(relations, ties=ties)
    assert travelled(result).verify(relations)
    best = 0
    size = len(profile.models)
    for levels in product(range(size), repeat=size):
        row = np.array(levels)
        if ties is None and len(set(levels)) < size:
            continue
        relation = row[:, None] <= row if ties == "both" else (row[:, None] < row) | np.eye(size, dtype=bool)
        best = max(best, depth(relation, relations.array))
    assert best == result.depth


@given(weak_profiles(most_models=4, most_voters=5))
@settings(max_examples=40)
def test_tukey_depth_is_one_minus_the_largest_share_against(profile):
    relations = profile.relations()
    result = wl.domains.tukey_depth(relations)
    assert result.depths.tolist() == [depth(one, relations.array) for one in relations.array]
    assert travelled(result).verify(relations)
    shared = wl.domains.commonality_sharing(relations)
    assert shared.items == result.deepest
    assert travelled(shared).verify(relations)


def test_depths_are_checked_by_counts_of_their_own(monkeypatch):
    paradox = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    monkeypatch.setattr(WeightedRelations, "counts", property(lambda self: np.full((3, 3), self.whole)))
    for question in (wl.domains.tukey_depth, wl.domains.commonality_sharing):
        with pytest.raises(wl.ProofError, match="depth"):
            question(paradox).verify()
