"""The least to drop from a suite, against all selections."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.studies import brute_force
from tests.studies.strategies import suites
from weightlab._result import result_from_dict
from weightlab.domains.registry import HEREDITARY
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.graph import is_acyclic
from weightlab.studies import Repair, audit
from weightlab.studies.structure.repair import least_repair

FEW = settings(max_examples=6)
STRICT = (1, 2, 3, 4, 5, 6, 7, 8)

PARADOX = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
PROFILES = {
    "first": wl.Profile.from_orders(PARADOX, voters=["x", "y", "z"]),
    "second": wl.Profile.from_orders(PARADOX, voters=["x", "y", "z"], models=["a", "b", "c"]),
    "third": wl.Profile.from_orders([["a", "b"], ["b", "a"]], voters=["x", "y"]),
}


def profiles_of(suite):
    return {name: one.profile for name, one in audit(suite, repair=False).datasets.items()}


def reaches(goal, profile):
    return is_acyclic(profile) if goal == "acyclic" else HEREDITARY[goal](profile).holds


@pytest.mark.parametrize("goal", ["acyclic", *HEREDITARY])
@given(suite=suites(most_models=5, least_models=4, scores=STRICT), dice=DICE)
@FEW
def test_no_fewer_models_metrics_or_datasets_would_do(goal, suite, dice):
    profiles = profiles_of(suite)
    drop = dice.one_of(["models", "datasets", *(["metrics"] if goal != "acyclic" else [])])
    found = least_repair(profiles, goal, drop=drop)
    assert found.verify(profiles)
    assert travelled(found).verify(profiles)

    def good(kept):
        if drop == "datasets":
            return all(reaches(goal, profiles[name]) for name in kept)
        parts = []
        for one in profiles.values():
            own = [name for name in (one.models if drop == "models" else one.voters) if name in kept]
            if own:
                parts.append(one.select(models=own) if drop == "models" else one.select(voters=own))
        return all(reaches(goal, part) for part in parts)

    models = list(dict.fromkeys(name for one in profiles.values() for name in one.models))
    voters = list(dict.fromkeys(name for one in profiles.values() for name in one.voters))
    things = {"models": models, "metrics": voters, "datasets": list(profiles)}[drop]
    assert good([one for one in things if one not in found.dropped])
    assert len(found.dropped) == brute_force.fewest(things, good)


def test_one_model_dropped_everywhere_repairs_all_datasets_at_once():
    found = least_repair(PROFILES, "acyclic")
    assert len(found.dropped) == 1
    assert set(found.reasons) <= set(PROFILES)
    assert str(found) == (
        f"Without 1 model ({found.dropped[0]}) on all of 3 datasets the majority relation is acyclic; "
        "this number is minimal."
    )
    assert least_repair(PROFILES, "acyclic", drop="datasets").dropped == ("first", "second")
    assert len(least_repair(PROFILES, "condorcet_domain", drop="metrics").dropped) == 1
    assert str(least_repair({"third": PROFILES["third"]}, "single_peaked")) == (
        "On all of 1 dataset the rankings are single-peaked as they are."
    )


def test_wrong_goals_and_things_to_drop_are_refused():
    with pytest.raises(InputError, match="ask 'acyclic' of models or datasets"):
        least_repair(PROFILES, "acyclic", drop="metrics")
    with pytest.raises(InputError, match="drop must be"):
        least_repair(PROFILES, "acyclic", drop="voters")
    with pytest.raises(UnknownNameError):
        least_repair(PROFILES, "single_peeked")


@pytest.mark.parametrize("drop", ["models", "metrics", "datasets"])
def test_each_spoilt_field_is_seen(drop):
    found = least_repair(PROFILES, "condorcet_domain", drop=drop)
    other = {"models": "datasets", "metrics": "models", "datasets": "models"}[drop]
    cycle = least_repair(PROFILES, "acyclic").obstructions
    assert_each_spoilt_field_is_seen(
        found,
        {
            "goal": ["acyclic"] if drop == "metrics" else [],
            "drop": [other, "voters"],
            "dropped": [(), ("a", "b"), ("x", "y"), ("first",), (*found.dropped, *found.dropped), ("nobody",)],
            "models": [("a", "b"), ("a", "b", "c", "c")],
            "metrics": [("x", "y"), ("x", "x", "y", "z")],
            "profiles": [{"first": PROFILES["third"]}, {"third": PROFILES["third"]}],
            "obstructions": [(), *([cycle] if drop == "metrics" else [])],
            "exact": [False],
            "solver": ["HiGHS"] if drop == "datasets" else [],
        },
    )


def test_a_forged_circle_is_seen():
    found = least_repair(PROFILES, "acyclic")
    models = list(found.obstructions[0].models)
    spoilt = [
        (("obstructions", 0, "models"), models[::-1]),
        (("obstructions", 0, "models"), models[:2]),
        (("obstructions", 0, "voters"), ["0 x", "1 y", "1 z"]),
        (("obstructions", 0, "voters"), ["5 x"]),
        (("drop",), "voters"),
    ]
    assert_each_spoilt_part_is_seen(found, spoilt)


def test_a_proof_for_one_goal_is_none_for_another():
    profiles = {"first": wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["a", "c", "b"]])}
    found = least_repair(profiles, "single_peaked")
    assert len(found.dropped) == 1
    assert not least_repair(profiles, "value_restricted").dropped
    with pytest.raises(ProofError, match="is not forbidden"):
        replace(found, goal="value_restricted").verify()


def test_rankings_other_than_those_asked_about_are_seen():
    found = least_repair(PROFILES, "acyclic")
    with pytest.raises(ProofError):
        found.verify({**PROFILES, "third": PROFILES["first"]})
    with pytest.raises(ProofError):
        found.verify({"first": PROFILES["first"]})
    assert isinstance(replace(found, dropped=("b",)), Repair)


TABLES = {
    name: {
        metric: {m: -one.ranks[row, column] for column, m in enumerate(one.models)}
        for row, metric in enumerate(one.voters)
    }
    for name, one in PROFILES.items()
}
SUITE = wl.Suite(TABLES)


def repaired():
    return json.loads(json.dumps(audit(SUITE).repair("acyclic").to_dict()))


def test_a_dataset_that_is_dropped_from_a_repair_is_missed():
    written = repaired()
    assert result_from_dict(written).verify(SUITE)
    del written["profiles"]["third"]
    with pytest.raises(ProofError, match="the source has different datasets: more: 'third'"):
        result_from_dict(written).verify(SUITE)


def test_a_model_or_a_metric_that_is_dropped_from_a_dataset_is_missed():
    for part, name in (("models", "models"), ("metrics", "voters")):
        found = audit(SUITE).repair("acyclic")
        fewer = found.profiles["third"].select(**{name: ["a"] if name == "models" else ["x"]})
        with pytest.raises(ProofError, match=f"the source has different {name}"):
            replace(found, profiles={**found.profiles, "third": fewer}).verify(SUITE)
        with pytest.raises(ProofError, match="not asked about"):
            replace(found, **{part: getattr(found, part)[1:]}).verify(SUITE)
        with pytest.raises(ProofError, match="named twice"):
            replace(found, **{part: getattr(found, part) * 2}).verify(SUITE)


def test_a_repair_of_some_models_and_metrics_verifies_against_the_whole_suite():
    wider = wl.Suite({**TABLES, "fourth": {"w": {"a": 1, "d": 2}}})
    for suite, options in ((wider, {}), (wider, {"models": ["a", "b"]}), (wider, {"metrics": ["x", "y"]})):
        found = audit(suite, **options).repair("acyclic")
        assert travelled(found).verify(suite)


def test_an_obstruction_that_is_listed_twice_is_seen():
    written = repaired()
    written["obstructions"] *= 2
    with pytest.raises(ProofError, match="an obstruction is listed twice"):
        result_from_dict(written).verify(SUITE)


def test_a_voter_of_a_cycle_is_named_once():
    written = repaired()
    written["obstructions"][0]["voters"] *= 2
    with pytest.raises(ProofError, match="a voter is named twice"):
        result_from_dict(written).verify(SUITE)


@pytest.mark.parametrize("drop", ["models", "datasets"])
def test_a_cycle_of_some_voters_is_no_cycle_of_the_majority(drop):
    profile = wl.Profile.from_orders([*PARADOX, ["a", "c", "b"]], voters=["x", "y", "z", "w"])
    assert is_acyclic(profile)
    found = least_repair({"only": profile}, "single_peaked", drop=drop)
    assert "0 w" not in found.obstructions[0].voters
    with pytest.raises(ProofError, match=r"of some metrics of a dataset, not of all|the datasets that fail are"):
        replace(found, goal="acyclic").verify()
