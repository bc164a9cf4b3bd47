"""Every test of a domain against its definition, over all small profiles and many random ones."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.domains import brute_force
from weightlab.exceptions import InputError, ProofError

LETTERS = "abcdefg"
TESTS = {
    "single_peaked": lambda ranks: bool(brute_force.axes(ranks)),
    "single_caved": lambda ranks: bool(brute_force.axes(ranks.max() + 1 - ranks)),
    "group_separable": brute_force.group_separable,
    "single_crossing": brute_force.single_crossing,
    "value_restricted": brute_force.value_restricted,
    "condorcet_domain": brute_force.value_restricted,
    "distance_restricted": lambda ranks: brute_force.largest_distance(ranks) <= 1,
}


def profile_of(ranks):
    orders = [[LETTERS[model] for model in np.argsort(row)] for row in np.asarray(ranks)]
    return wl.Profile.from_orders(orders, models=LETTERS[: len(orders[0])])


@st.composite
def weak_profiles(draw, most_models=5, most_voters=4):
    models = draw(st.integers(2, most_models))
    row = st.lists(st.integers(0, models - 1), min_size=models, max_size=models)
    rows = draw(st.lists(row, min_size=1, max_size=most_voters))
    orders = [
        [[LETTERS[m] for m in range(models) if levels[m] == level] for level in sorted(set(levels))] for levels in rows
    ]
    return wl.Profile.from_orders(orders, models=LETTERS[:models])


def travelled(result):
    return type(result).from_dict(result.to_dict())


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("models", [1, 2, 3, 4])
def test_each_domain_is_its_definition_on_all_profiles_of_three_voters(name, models):
    test, expected = getattr(wl.domains, name), TESTS[name]
    rows = list(permutations(range(1, models + 1)))
    # Names of models do not matter: it is enough to look at profiles in which some voter ranks them in their order.
    chosen = [some for some in combinations_with_replacement(rows, 3) if rows[0] in some]
    for number, some in enumerate(chosen):
        profile = profile_of(some)
        result = test(profile)
        assert result.holds == bool(result) == expected(np.array(some))
        if number % 7 == 0:
            assert result.verify(profile)
            assert travelled(result).verify(profile)


@given(weak_profiles(), st.sampled_from(["single_peaked", "group_separable", "single_crossing", "value_restricted"]))
@settings(max_examples=60)
def test_necessarily_and_possibly_quantify_over_all_breakings(profile, name):
    broken = brute_force.breakings(profile)
    if broken is None:
        return
    answers = [TESTS[name](one.ranks) for one in broken]
    always, ever = wl.domains.necessarily(profile, name), wl.domains.possibly(profile, name)
    assert (always.holds, ever.holds) == (all(answers), any(answers))
    assert travelled(always).verify(profile)
    assert travelled(ever).verify(profile)


@given(weak_profiles(most_models=6, most_voters=5))
@settings(max_examples=80)
def test_weak_orders_are_single_peaked_when_some_axis_has_their_upper_sets_together(profile):
    result = wl.domains.single_peaked(profile)
    axes = brute_force.axes(profile.ranks)
    assert result.holds == bool(axes)
    assert result.verify(profile)
    if axes:
        assert tuple(profile.models.index(model) for model in result.axis) in axes
        assert not any(map(brute_force.has_valley, result.broken.ranks, [brute_force.axes(result.broken.ranks)[0]] * 9))


def test_possibly_single_peaked_weak_orders_can_have_a_majority_cycle():
    profile = wl.Profile.from_orders(
        [["a", ("b", "c")], ["a", ("b", "c")], ["b", "a", "c"], ["c", "b", "a"], ["c", "b", "a"]]
    )
    result = wl.domains.single_peaked(profile)
    assert result
    assert not result.guarantee.strict
    margins = profile.margins()
    assert min(margins.margin("b", "a"), margins.margin("a", "c"), margins.margin("c", "b")) > 0


def test_the_weak_majority_of_an_even_number_of_single_peaked_voters_is_not_guaranteed():
    profile = wl.Profile.from_orders([["0", "1", "2"], ["1", "2", "0"]])
    guarantee = wl.domains.single_peaked(profile).guarantee
    assert (guarantee.strict, guarantee.weak) == ("transitive", "")


def test_voters_without_weight_are_left_out_and_named():
    profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]], weights=[1, 1, 0])
    result = wl.domains.single_peaked(profile)
    assert (bool(result), result.left_out) == (True, ("3",))
    assert result.verify(profile)


def test_ties_and_gaps_are_refused_with_the_names():
    with pytest.raises(InputError, match="'1' ties 'b' and 'c'"):
        wl.domains.group_separable(wl.Profile.from_orders([["a", ("b", "c")]]))
    with pytest.raises(InputError, match="voter '2' does not rank 'c'"):
        wl.domains.single_peaked(wl.Profile.from_orders([["a", "b", "c"], ["a", "b"]]))


@pytest.mark.parametrize("name", [*TESTS, "one_euclidean", "single_peaked_on_tree"])
def test_the_opposite_of_an_answer_is_found_false(name):
    for orders in ([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]], [["a", "b", "c"], ["b", "a", "c"]]):
        result = getattr(wl.domains, name)(wl.Profile.from_orders(orders))
        document = result.to_dict() | {"holds": not result.holds}
        with pytest.raises(ProofError):
            type(result).from_dict(document).verify()


IMPLIED = {
    "distance_restricted": ["single_caved", "group_separable", "one_euclidean"],
    "one_euclidean": ["single_peaked", "single_crossing"],
    "single_peaked": ["value_restricted", "single_peaked_on_tree"],
    "single_caved": ["value_restricted"],
    "group_separable": ["value_restricted"],
    "single_crossing": ["value_restricted"],
    "value_restricted": ["condorcet_domain"],
    "condorcet_domain": ["value_restricted"],
}


@given(st.data())
@settings(max_examples=150)
def test_each_arrow_on_the_map_of_domains_is_true(data):
    models = data.draw(st.integers(3, 5))
    first = data.draw(st.permutations(LETTERS[:models]))
    orders = [list(first)]
    for _ in range(data.draw(st.integers(1, 3))):
        order = list(orders[-1])
        for place in data.draw(st.lists(st.integers(0, models - 2), max_size=3)):
            order[place], order[place + 1] = order[place + 1], order[place]
        orders.append(order)
    profile = wl.Profile.from_orders(orders, models=LETTERS[:models])
    holds = {name: bool(getattr(wl.domains, name)(profile)) for name in IMPLIED}
    holds["single_peaked_on_tree"] = bool(wl.domains.single_peaked_on_tree(profile))
    for name, followers in IMPLIED.items():
        assert not holds[name] or all(holds[one] for one in followers), name
    places = {"single_peaked": "worst", "single_caved": "best", "group_separable": "medium"}
    restrictions = wl.domains.value_restricted(profile).restrictions
    for name, place in places.items():
        assert not holds[name] or place in restrictions, name
