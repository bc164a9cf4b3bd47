"""Audits that were edited with care, several parts at once: what they say of ties, degrees and names is checked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import weightlab as wl
from weightlab._result import GROUNDS, result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.studies import audit, flips, metric_cycles, sweep
from weightlab.studies.structure.proportions import counts_of

PARADOX = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
TIED = {"x": {"a": 3, "b": 2, "c": 2}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 1, "c": 2}}
SUITE = wl.Suite({"paradox": PARADOX, "tied": TIED, "short": {"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}}})
FOUND = audit(SUITE)


def document():
    return json.loads(json.dumps(FOUND.to_dict()))


def refused(written, why):
    with pytest.raises(ProofError, match=why):
        result_from_dict(written).verify(SUITE)


def test_an_audit_is_about_distances_of_one_pair():
    written = document()
    claim = written["datasets"]["paradox"]["claims"]["distance_restricted"]
    assert not claim["holds"]
    claim |= {"degree": claim["largest_distance"], "holds": True}
    read = result_from_dict(written)
    counts = counts_of(list(read.datasets.values()))
    assert counts["distance_restricted"].holds == FOUND.counts["distance_restricted"].holds + 1
    refused(written | {"counts": {name: one.to_dict() for name, one in counts.items()}}, "another degree")


@pytest.mark.parametrize("why", ["it fails under all of them", ""])
def test_what_is_not_decided_is_said_in_the_words_of_the_audit(why):
    written = document()
    written["datasets"]["tied"]["ties"]["undecided"]["one_euclidean"] = why
    refused(written, "not decided for all ways to break ties")


def test_what_is_decided_is_not_said_to_be_undecided():
    written = document()
    ties = written["datasets"]["tied"]["ties"]
    ties["undecided"]["single_peaked"] = "whether for some way to break ties: time ran out"
    refused(written, "it is not given once whether")
    del ties["every"]["single_peaked"]
    refused(written, "under all tie-breaks")


@pytest.mark.parametrize("name", ["models", "metrics"])
def test_nothing_is_named_twice(name):
    written = document()
    refused(written | {name: [*written[name], written[name][0]]}, "named twice")


def test_no_metric_is_lacking_twice():
    written = document()
    written["datasets"]["short"]["lacking"] *= 2
    refused(written, "named twice")


@pytest.mark.parametrize("voter", ["", "x", "9 x"])
def test_a_reason_names_a_dataset_that_is_there(voter):
    written = document()
    cycle = written["repairs"][0]["obstructions"][0]
    cycle["voters"][0] = voter
    refused(written, "a voter is not in the profile")


@pytest.mark.parametrize("study", [metric_cycles, sweep, lambda suite: flips(suite, by="x", top=2)])
def test_no_study_is_of_a_metric_or_property_twice(study):
    found = study(SUITE.select(datasets=["paradox"]))
    written = json.loads(json.dumps(found.to_dict()))
    part = written.get("drawn", written)
    name = "properties" if "properties" in part else "metrics"
    part[name].append(part[name][0])
    with pytest.raises(ProofError, match="named twice"):
        result_from_dict(written).verify()


def test_the_models_and_voters_of_what_is_compared_among_datasets_are_those_of_the_datasets():
    one, other = {"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3}
    found = audit(wl.Suite({"first": {"x": one, "y": other}, "second": {"x": one, "y": one}}), repair=False)
    together, document = found.together, found.together.profiles["first"].to_dict()
    ranks = dict(zip(["x", "z"], document["ranks"].values(), strict=True))
    for change in ({"models": ["z", "b", "c"]}, {"ranks": ranks}, {"weights": {"x": "2/1"}}):
        lie = {**together.profiles, "first": wl.Profile.from_dict({**document, **change})}
        with pytest.raises(ProofError, match="the rankings on 'first' are others"):
            replace(found, among={**found.among, "alphabetical": replace(together, profiles=lie)}).verify()


def test_the_voters_of_the_ties_are_those_of_the_dataset():
    one = FOUND["tied"]
    document = one.ties.profile.to_dict()
    lie = wl.Profile.from_dict({**document, "ranks": {f"{name}?": own for name, own in document["ranks"].items()}})
    with pytest.raises(ProofError, match="the ties are those of other rankings"):
        replace(one, ties=replace(one.ties, profile=lie)).verify()


def test_each_dataset_counts_once_in_the_representative_ranking():
    one, other = {"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3}
    suite = wl.Suite({"first": {"x": one, "y": one}, "second": {"x": one, "y": one}, "third": {"x": other, "y": other}})
    found = audit(suite, repair=False)
    assert found.together.sharing.order == (("a",), ("b",), ("c",))
    weighted = wl.domains.commonality_sharing(found.together.relations, weights={"third": 9})
    assert weighted.order == (("c",), ("b",), ("a",))
    written = json.loads(json.dumps(found.to_dict()))
    written["among"]["alphabetical"]["sharing"] = {
        n: one for n, one in json.loads(json.dumps(weighted.to_dict())).items() if n not in {"format", *GROUNDS}
    }
    with pytest.raises(ProofError, match="counts once"):
        result_from_dict(written).verify(suite)
    written = json.loads(json.dumps(found.to_dict()))
    written["among"]["alphabetical"]["sharing"]["data"]["own"] = False  # as if the weights were somebody's
    with pytest.raises(ProofError, match="counts once"):
        result_from_dict(written).verify()
    together = replace(found.together, sharing=weighted)
    with pytest.raises(ProofError, match="counts once"):
        replace(found, among={**found.among, "alphabetical": together}).verify(suite)


STUDIES = {
    "audit": FOUND,
    "dataset": FOUND["tied"],
    "repair": FOUND.repair("acyclic"),
    "sweep": sweep(SUITE),
    "cycles": metric_cycles(SUITE),
    "flips": flips(SUITE, by="x", top=2),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_source_of_another_kind_is_said_to_be_one(name):
    source = SUITE.leaderboard("tied")
    if name == "dataset":
        assert STUDIES[name].verify(source)
        source = source.rankings()
    with pytest.raises(InputError, match="about a suite: a long table is its source"):
        STUDIES[name].verify(source)
