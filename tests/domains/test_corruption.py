"""Edited documents: refused, or still saying the truth about the profile."""

from __future__ import annotations

import copy
import json

import pytest

import weightlab as wl
from tests.domains.test_domains import travelled
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError

PEAKED = wl.Profile.from_orders([list("abcd"), list("bcad"), list("cbda")])
CYCLIC = wl.Profile.from_orders([list("abcd"), list("bcda"), list("cabd")], weights=[1, 2, "1/2"])
CROSSED = wl.Profile.from_orders([list("abcd"), list("badc"), list("abdc"), list("bacd")])
TIED = wl.Profile.from_orders([["a", ("b", "c")], ["b", ("c", "a")], ["c", "a", "b"]])
STUCK = wl.Profile.from_orders([list("abcd"), list("cdab"), list("badc"), list("dcba")])
LINE = wl.Profile.from_orders([list("dbaefg"), list("debfga"), list("fedgba")])
CLASH = wl.Profile.from_orders([[("a", "b"), "c"], [("b", "c"), "a"], [("c", "a"), "b"]])
GAPS = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "d"]])

CLAIMS = {
    "peaked": (wl.domains.single_peaked, PEAKED),
    "not peaked": (wl.domains.single_peaked, CYCLIC),
    "weak orders not peaked": (wl.domains.single_peaked, CLASH),
    "caved": (wl.domains.single_caved, wl.Profile.from_orders([list("dcba"), list("dacb"), list("adbc")])),
    "not caved": (wl.domains.single_caved, CYCLIC),
    "gaps": (lambda source: wl.domains.single_peaked(source, incomplete="solve"), GAPS),
    "separable": (wl.domains.group_separable, wl.Profile.from_orders([list("abcd"), list("cdba"), list("badc")])),
    "not separable": (wl.domains.group_separable, STUCK),
    "crossing": (wl.domains.single_crossing, wl.Profile.from_orders([list("abc"), list("bac"), list("bca")])),
    "not crossing": (wl.domains.single_crossing, CROSSED),
    "restricted": (wl.domains.value_restricted, PEAKED),
    "not restricted": (wl.domains.value_restricted, CYCLIC),
    "condorcet": (wl.domains.condorcet_domain, PEAKED),
    "not condorcet": (wl.domains.condorcet_domain, CYCLIC),
    "near": (wl.domains.distance_restricted, wl.Profile.from_orders([list("abc"), list("bac")])),
    "far": (wl.domains.distance_restricted, CYCLIC),
    "line": (wl.domains.one_euclidean, PEAKED),
    "no line": (wl.domains.one_euclidean, LINE),
    "tree": (wl.domains.single_peaked_on_tree, PEAKED),
    "no tree": (wl.domains.single_peaked_on_tree, CYCLIC),
    "always": (lambda source: wl.domains.necessarily(source, "single_peaked"), TIED),
    "ever": (lambda source: wl.domains.possibly(source, "value_restricted"), TIED),
    "ever separable": (lambda source: wl.domains.possibly(source, "group_separable"), CLASH),
    "drop models": (lambda source: wl.domains.nearest(source, "single_peaked"), CYCLIC),
    "drop voters": (lambda source: wl.domains.nearest(source, "value_restricted", drop="voters"), CYCLIC),
    "all ways to drop": (lambda source: wl.domains.nearest(source, "group_separable", all_optima=True), STUCK),
    "never near": (lambda source: wl.domains.possibly(source, "distance_restricted", degree=1), STUCK),
}

# Where an answer gives an example, it may give another one that is right.
FREE_CHOICES = {
    "axis",
    "cuts",
    "order",
    "row",
    "edges",
    "swapped",
    "farthest",
    "solver",
    "broken",
    "avoided",
    "dropped",
    "exact",
}


def leaves(value, path=()):
    """Yield the path of every text, number, truth value and null."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, place))
    else:
        yield path


def changed(value, names):
    """Return other values of the same kind, and one of another kind."""
    if isinstance(value, bool):
        return [not value, "yes"]
    if value is None:
        return [0, "a"]
    if isinstance(value, int):
        return [value + 1, value - 1, "x"]
    return [next(name for name in names if name != value), "nobody", 7]


def edited(document, path, value):
    spoilt = copy.deepcopy(document)
    part = spoilt
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return spoilt


def stands(document, profile):
    try:
        return result_from_dict(document).verify(profile)
    except (InputError, ProofError):
        return False


def asked_again(document, profile):
    """Return the answer for the degree that a document was given."""
    if document["kind"] == "possibly":
        return wl.domains.possibly(profile, document["domain"], degree=document["degree"]).holds
    return wl.domains.distance_restricted(profile, degree=document["degree"]).holds


@pytest.mark.parametrize("name", CLAIMS)
def test_an_edited_document_is_refused_or_still_true(name):
    test, profile = CLAIMS[name]
    result = test(profile)
    document = json.loads(json.dumps(result.to_dict()))
    assert travelled(result).verify(profile)
    names = (*profile.models, *profile.voters)
    refused = 0
    for path in leaves(document):
        for value in changed(_at(document, path), names):
            spoilt = edited(document, path, value)
            if not stands(spoilt, profile):
                refused += 1
                continue
            if path == ("degree",):
                assert asked_again(spoilt, profile) == spoilt["holds"]
                continue
            assert spoilt["holds"] == result.holds
            assert path[0] in FREE_CHOICES | {"witness"}, path
    assert refused


@pytest.mark.parametrize("name", CLAIMS)
def test_a_document_without_its_witness_or_with_the_other_answer_is_refused(name):
    test, profile = CLAIMS[name]
    document = json.loads(json.dumps(test(profile).to_dict()))
    assert not stands(document | {"holds": not document["holds"]}, profile)
    for key in set(document) - {"kind"}:
        assert not stands({one: part for one, part in document.items() if one != key}, profile), key
    assert not stands(document | {"left_out": ["1"]}, profile)
    other = profile.select(voters=profile.voters[1:])
    with pytest.raises(ProofError):
        test(profile).verify(other)


def _at(document, path):
    for step in path:
        document = document[step]
    return document


RELATIONS = CROSSED.relations()
DEPTHS = {
    "tukey": (wl.domains.tukey_depth, "depths"),
    "commonality": (wl.domains.commonality_sharing, "depth"),
    "deepest": (wl.domains.deepest_order, "depth"),
}


@pytest.mark.parametrize("name", DEPTHS)
def test_an_edited_depth_is_refused(name):
    measure, claim = DEPTHS[name]
    document = json.loads(json.dumps(measure(RELATIONS).to_dict()))
    assert stands(document, RELATIONS)
    standing = []
    for path in leaves(document):
        for value in changed(_at(document, path), (*RELATIONS.items, *RELATIONS.models, "1/7")):
            spoilt = edited(document, path, value)
            if stands(spoilt, RELATIONS):
                standing.append(path)
                assert spoilt[claim] == document[claim]
    # Weights of 1 each may be the source's, or given; and 1 may be written "1".
    assert {path[:2] for path in standing if path[0] not in {"order", "cycle"}} == {
        ("data", "own"),
        ("data", "weights"),
    }
