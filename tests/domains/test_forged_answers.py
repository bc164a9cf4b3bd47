"""Answers that were written by hand: a wrong one is refused, whatever solver is said to vouch for it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import weightlab as wl
from tests.checker.documents import code_of
from weightlab._result import GROUNDS, Reading, result_from_dict
from weightlab.data import Relations
from weightlab.exceptions import InputError, ProofError, UnprovedError

ALIKE = wl.Profile.from_orders([list("abc")] * 3)
CYCLIC = wl.Profile.from_orders([list("abcd"), list("bcda"), list("cabd")])
TIED = wl.Profile.from_orders([[("a", "b", "c")], ["a", ("b", "c")], [("a", "b"), "c"]])
NONE_FOUND = {"holds": False, "axis": None, "broken": None, "witness": None, "solver": "HiGHS"}


def forged(result, **changes):
    """Return a result with changed parts, as a forger writes it who makes the lists of what is believed fit."""
    document = json.loads(json.dumps(result.to_dict()))
    changed = document | {name: value for name, value in changes.items() if name in document}
    return type(result).read_part(
        {name: value for name, value in changed.items() if name not in {"format", *GROUNDS}}, "", Reading()
    )


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


@pytest.mark.parametrize("test", [wl.domains.single_peaked, wl.domains.group_separable, wl.domains.one_euclidean])
def test_a_claim_about_no_rankings_is_none(test):
    profile = test(ALIKE).to_dict()["profile"]
    with pytest.raises(ProofError, match="no rankings"):
        forged(test(ALIKE), profile=profile | {"ranks": {}}).verify()


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


GAPS = wl.Profile.from_orders([["a", "b", "c"], ["b", "c"], ["c", "a"], ["a", "b"]], models="abc")
CYCLE_OF_SETS = [["2", ["a", "b"]], ["3", ["b", "c"]], ["1", ["a", "c"]]]


@pytest.mark.parametrize(("test", "lower"), [(wl.domains.single_peaked, False), (wl.domains.single_caved, True)])
@pytest.mark.parametrize("rows", [CYCLE_OF_SETS, [["2", ["a"]], ["2", ["a", "b"]], ["3", ["b", "c"]]]])
def test_a_model_that_a_voter_leaves_out_is_neither_above_nor_below_another(test, lower, rows):
    found = test(GAPS, incomplete="solve")
    assert found.holds
    witness = {"models": ["a", "b", "c"], "rows": rows, "lower": lower}
    document = json.loads(json.dumps(found.to_dict())) | {"holds": False, "axis": None, "witness": witness}
    for source in (GAPS, None):
        with pytest.raises(ProofError, match="does not rank"):
            result_from_dict(document).verify(source)
    code, words = code_of(document)
    assert (code, words.splitlines()[0]) == (
        (3, "single_caved: not checked: a kind that is not known here.")
        if lower
        else (1, f"single_peaked: voter '{rows[0][0]}' does not rank such a set")
    )


def test_sets_of_voters_who_rank_all_of_them_clash_whatever_others_leave_out():
    tied = [[("a", "b"), "c"], [("b", "c"), "a"], [("c", "a"), "b"]]
    witness = wl.domains.single_peaked(wl.Profile.from_orders(tied)).to_dict()["witness"]
    gaps = wl.Profile.from_orders([*tied, ["a", "d"]])
    found = wl.domains.single_peaked(gaps, incomplete="solve")
    document = json.loads(json.dumps(found.to_dict() | {"witness": witness}))
    assert result_from_dict(document).verify(gaps)
    assert code_of(document)[0] == 0


@pytest.mark.parametrize("voters", [["1", "2", "2"], ["1", "1"], ["1"], []])
def test_two_voters_who_are_far_apart_are_two(voters):
    found = wl.domains.necessarily(TIED, "distance_restricted", degree=1)
    with pytest.raises(ProofError, match=r"two voters are needed|voter is named twice"):
        forged(found, witness=found.to_dict()["witness"] | {"voters": voters}).verify(TIED)


@pytest.mark.parametrize(
    "found",
    [
        wl.domains.distance_restricted(ALIKE),
        wl.domains.possibly(TIED, "distance_restricted"),
        wl.domains.necessarily(TIED, "distance_restricted"),
    ],
)
def test_no_degree_is_negative(found):
    with pytest.raises(InputError, match="degree must be 0 or more; got -1"):
        forged(found, degree=-1, holds=False)


def test_the_checker_knows_no_negative_degree():
    document = wl.domains.distance_restricted(ALIKE).to_dict() | {"degree": -1, "holds": False}
    assert code_of(document) == (1, "distance_restricted: the degree must be 0 or more; got -1")


@pytest.mark.parametrize("kind", ["possibly", "necessarily"])
def test_a_domain_that_there_is_not_is_refused_on_reading(kind):
    found = getattr(wl.domains, kind)(TIED, "single_peaked")
    for domain in ("single_peaked_on_tree", "harmless"):
        with pytest.raises(InputError, match="no domain"):
            forged(found, domain=domain)


DEPTHS = [wl.domains.tukey_depth, wl.domains.commonality_sharing, wl.domains.deepest_order]
WEIGHTED = wl.Profile.from_orders(
    [list("abc"), list("bca"), list("cab"), list("acb")], voters="wxyz", weights=[3, 1, 0, "1/2"]
)


@pytest.mark.parametrize("measure", DEPTHS)
def test_the_depth_of_a_profile_is_that_of_its_weights(measure):
    found = measure(WEIGHTED)
    given = measure(WEIGHTED.relations(), weights=WEIGHTED.weights)
    assert found.data.left_out == ("y",)
    assert found.to_dict()["data"] == given.to_dict()["data"] | {"own": True}
    assert {name: part for name, part in found.to_dict().items() if name != "data"} == {
        name: part for name, part in given.to_dict().items() if name != "data"
    }
    assert str(found).endswith(" Weights: w 3, x 1, z 1/2. Left out, with weight 0: y.")
    assert str(given).endswith(" Weights given: w 3, x 1, z 1/2. Left out, with weight 0: y.")
    assert found.verify(WEIGHTED)
    assert given.verify(WEIGHTED)


@pytest.mark.parametrize("measure", DEPTHS)
def test_weights_that_are_not_the_sources_are_not_said_to_be(measure):
    other = wl.Profile.from_orders(WEIGHTED.orders, voters=WEIGHTED.voters, weights=[3, 1, 0, "1/3"])
    zero = wl.Profile.from_orders(WEIGHTED.orders, voters=WEIGHTED.voters, weights=[3, 1, 1, "1/2"])
    for source, voter in ((other, "z"), (zero, "y"), (WEIGHTED.relations(), "w")):
        with pytest.raises(ProofError, match=f"the weight of '{voter}' is"):
            measure(WEIGHTED).verify(source)
        claimed = measure(WEIGHTED.relations(), weights=WEIGHTED.weights)
        assert claimed.verify(source)
        document = claimed.to_dict()
        with pytest.raises(ProofError, match="the weight of"):
            result_from_dict(document | {"data": document["data"] | {"own": True}}).verify(source)


@pytest.mark.parametrize("left_out", [["y", "y"], ["y", "w"]])
@pytest.mark.parametrize("measure", DEPTHS)
def test_no_relation_is_named_twice(measure, left_out):
    document = measure(WEIGHTED).to_dict()
    with pytest.raises(InputError, match="named twice"):
        result_from_dict(document | {"data": document["data"] | {"left_out": left_out}})


def test_relations_have_each_name_once():
    array = np.ones((2, 2, 2), dtype=bool)
    for names in ({"items": ("x", "x"), "models": ("a", "b")}, {"items": ("x", "y"), "models": ("a", "a")}):
        with pytest.raises(InputError, match="named twice"):
            Relations(array=array, **names)


def of_size(found, models, voters):
    """Return the document of a claim with its rankings replaced by many that are all alike."""
    names = [f"m{place}" for place in range(models)]
    ranks = {str(voter): list(range(1, models + 1)) for voter in range(voters)}
    return json.loads(json.dumps(found.to_dict())) | {"profile": {"models": names, "ranks": ranks, "weights": {}}}


@pytest.mark.parametrize(
    ("found", "models", "voters"),
    [
        (wl.domains.value_restricted(ALIKE), 1_500, 3),
        (wl.domains.condorcet_domain(ALIKE), 1_500, 3),
        (wl.domains.necessarily(ALIKE, "single_peaked"), 1_500, 3),
        (wl.domains.necessarily(ALIKE, "single_crossing"), 4, 400),
        (wl.domains.nearest(ALIKE, "value_restricted"), 1_500, 3),
    ],
)
def test_a_short_document_does_not_ask_for_hours(found, models, voters):
    with pytest.raises(UnprovedError, match=f"among {models} models and {voters} voters takes too long"):
        result_from_dict(of_size(found, models, voters)).verify()
    assert result_from_dict(of_size(found, 4, 4)).verify()
