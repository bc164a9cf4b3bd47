"""Answers that were written by hand: a wrong one is refused, whatever solver is said to vouch for it."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError

ALIKE = wl.Profile.from_orders([list("abc")] * 3)
CYCLIC = wl.Profile.from_orders([list("abcd"), list("bcda"), list("cabd")])
TIED = wl.Profile.from_orders([[("a", "b", "c")], ["a", ("b", "c")], [("a", "b"), "c"]])
NONE_FOUND = {"holds": False, "axis": None, "broken": None, "witness": None, "solver": "HiGHS"}


def forged(result, **changes):
    document = json.loads(json.dumps(result.to_dict()))
    return result_from_dict(document | {name: value for name, value in changes.items() if name in document})


@pytest.mark.parametrize("test", [wl.domains.single_peaked, wl.domains.single_caved])
@pytest.mark.parametrize("profile", [ALIKE, TIED])
def test_no_solver_can_deny_rankings_of_all_models_an_axis(test, profile):
    with pytest.raises(ProofError, match="have a witness"):
        forged(test(profile), **NONE_FOUND).verify(profile)


@pytest.mark.parametrize("domain", ["single_peaked", "single_caved", "group_separable", "distance_restricted"])
def test_no_solver_can_deny_a_breaking_where_the_question_is_polynomial(domain):
    with pytest.raises(ProofError, match="has a reason"):
        forged(wl.domains.possibly(TIED, domain), **NONE_FOUND).verify(TIED)


@pytest.mark.parametrize("domain", ["single_crossing", "value_restricted", "condorcet_domain"])
def test_a_solver_who_finds_no_breaking_names_what_cannot_be_avoided(domain):
    with pytest.raises(ProofError, match="any breaking will do"):
        forged(wl.domains.possibly(TIED, domain), **NONE_FOUND).verify(TIED)


def test_a_breaking_has_the_weights_of_the_profile():
    claim = wl.domains.possibly(TIED, "single_peaked")
    broken = claim.to_dict()["broken"]
    with pytest.raises(ProofError, match="other weights"):
        forged(claim, broken=broken | {"weights": {"2": "2/1"}}).verify(TIED)


@pytest.mark.parametrize(
    "test",
    [
        wl.domains.group_separable,
        wl.domains.distance_restricted,
        wl.domains.single_crossing,
        wl.domains.one_euclidean,
        wl.domains.single_peaked_on_tree,
    ],
)
def test_what_is_asked_of_strict_rankings_is_not_answered_for_ties(test):
    tied = test(ALIKE).to_dict()["profile"]
    with pytest.raises(ProofError, match="strict rankings"):
        forged(test(ALIKE), profile=tied | {"ranks": TIED.to_dict()["ranks"]}).verify(TIED)


@pytest.mark.parametrize("test", [wl.domains.value_restricted, wl.domains.condorcet_domain])
def test_what_is_asked_of_rankings_of_all_models_is_not_answered_for_others(test):
    gaps = test(ALIKE).to_dict()["profile"] | {"ranks": {"1": [1, 2, 0], "2": [1, 2, 3], "3": [1, 2, 3]}}
    with pytest.raises(ProofError, match="all models"):
        forged(test(ALIKE), profile=gaps).verify()


@pytest.mark.parametrize("test", [wl.domains.value_restricted, wl.domains.condorcet_domain])
def test_three_models_are_three(test):
    claim = test(CYCLIC)
    witness = claim.to_dict()["witness"]
    with pytest.raises(ProofError, match="three models are needed"):
        forged(claim, witness=witness | {"models": [*witness["models"], witness["models"][0]]}).verify(CYCLIC)


def test_a_leaf_that_is_the_last_model_left_excludes_no_tree():
    witness = {"peeled": [["c", "1"], ["b", "1"]], "leaf": "a", "last_for": "1", "refused": []}
    claim = wl.domains.single_peaked_on_tree(ALIKE)
    with pytest.raises(ProofError, match="'a' is the only model that is left"):
        forged(claim, holds=False, edges=None, witness=witness).verify(ALIKE)


def test_weights_of_voters_are_not_negative():
    broken = wl.domains.possibly(TIED, "single_peaked").to_dict()["broken"]
    with pytest.raises(InputError, match="negative"):
        forged(wl.domains.possibly(TIED, "single_peaked"), broken=broken | {"weights": {"2": "-1/1"}})


def test_the_nearest_profile_names_a_solver_exactly_where_its_word_is_needed():
    claim = wl.domains.nearest(CYCLIC, "single_peaked")
    for changes in ({"solver": "HiGHS"}, {"exact": False}):
        with pytest.raises(ProofError, match="a solver is named exactly"):
            forged(claim, **changes).verify(CYCLIC)


def test_a_source_of_another_kind_is_said_to_be_one():
    suite = wl.Suite({"q": {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}}})
    with pytest.raises(InputError, match="of a leaderboard or a profile; got a Suite"):
        wl.domains.single_peaked(ALIKE).verify(suite)
    for measure in (wl.domains.tukey_depth, wl.domains.deepest_order):
        with pytest.raises(InputError, match="of a suite or a profile; got a Leaderboard"):
            measure(suite).verify(suite.leaderboard("q"))
