"""Forged scenarios and contradictions: whatever is changed, the claim is refused or still true."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest

import weightlab as wl
from tests.lp.forging import BOARD, RESULTS, contradiction, exchanged, moved, refuses, tells_no_lie
from weightlab._result import result_from_dict
from weightlab.lp import WeightSpace
from weightlab.lp.certificates.objectives import DistanceFrom, LargestWeight, WeightOf

SCENARIOS = [name for name in RESULTS if "weights" in name or "change" in name or "task" in name]


def with_optimum(claim, **changes):
    """Return the claim with parts of its only optimum replaced."""
    (stage,) = claim.stages
    (optimum,) = stage.optima
    return {"stages": (dataclasses.replace(stage, optima=(dataclasses.replace(optimum, **changes),)),)}


def with_end(claim, **changes):
    """Return the claim with parts of its only end replaced."""
    (end,) = claim.ends
    return {"ends": (dataclasses.replace(end, **changes),)}


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_number_of_a_scenario_can_be_changed(name):
    claim = RESULTS[name]()
    tiny = Fraction(1, 10**12)
    for step in (tiny, -tiny):
        assert refuses(claim, slacks=(claim.slack + step,)), step
        assert refuses(claim, **with_optimum(claim, value=claim.value + step)), step
    assert tells_no_lie(claim, margin=claim.margin + tiny)
    assert refuses(claim, margin=-tiny)
    for other in (Fraction(-1), float(claim.slack), float("nan"), None):
        assert refuses(claim, slacks=(other,)), other
    for other in (-1 - claim.value, float(claim.value), float("nan"), None):
        assert refuses(claim, **with_optimum(claim, value=other)), other
    for other in (-1 - claim.margin, float(claim.margin), float("nan"), None):
        assert refuses(claim, margin=other), other
    for chosen in (1, -1, None, 0.0, False):
        assert refuses(claim, chosen=chosen), chosen
    assert refuses(claim, slacks=())


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_weight_or_multiplier_of_a_scenario_can_be_changed(name):
    claim = RESULTS[name]()
    for other in moved(claim.weights):
        assert refuses(claim, **with_end(claim, weights=other))
    for other in moved(claim.strict_weights):
        assert refuses(claim, strict_weights=other)
    (optimum,) = claim.stages[0].optima
    tiny = Fraction(1, 10**6)
    for field in ("weights", "mixture", "slope"):
        value = getattr(optimum, field)
        for key in value:
            for step in (tiny, -tiny):
                assert tells_no_lie(claim, **with_optimum(claim, **{field: {**value, key: value[key] + step}})), field
            rest = {other: one for other, one in value.items() if other != key}
            assert tells_no_lie(claim, **with_optimum(claim, **{field: rest})), field
        assert refuses(claim, **with_optimum(claim, **{field: {**value, "ghost": tiny}})), field
    for place, vector in enumerate(optimum.vectors):
        for task in claim.tasks:
            other = {**vector, task: vector.get(task, Fraction(0)) + tiny}
            vectors = (*optimum.vectors[:place], other, *optimum.vectors[place + 1 :])
            assert tells_no_lie(claim, **with_optimum(claim, vectors=vectors))
    assert refuses(claim, **with_optimum(claim, vectors=(*optimum.vectors, {})))
    for other in exchanged(claim.strict_weights):
        assert tells_no_lie(claim, strict_weights=other)
    turned = dataclasses.replace(claim, strict_weights=claim.strict_weights.iloc[::-1])
    assert turned.strict_weights.equals(claim.strict_weights)
    assert refuses(claim, strict_weights=None)
    assert refuses(claim, slacks=None)


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_else_of_a_scenario_can_be_changed(name):
    claim = RESULTS[name]()
    objective, found = claim.stages[0].objective, claim.at_optimum
    assert refuses(claim, model="G")
    assert refuses(claim, stages=())
    assert refuses(claim, stages=claim.stages * 2)
    assert refuses(claim, ends=())
    assert refuses(claim, ends=claim.ends * 2)
    assert refuses(claim, ends=(wl.lp.prospect(BOARD, claim.model),))
    assert refuses(claim, **with_end(claim, model="G"))
    renamed = found.blockers.set_axis([f"{rival}?" for rival in claim.rivals])
    assert refuses(claim, **with_end(claim, blockers=renamed))
    assert refuses(claim, space=claim.space.at_most("w", "1/100"))
    for place in np.ndindex(claim.signs.shape):
        signs = claim.signs.copy()
        signs[place] = -signs[place] if signs[place] else 1
        assert refuses(claim, signs=signs)
    opposite = next(sense for sense in type(objective.sense) if sense is not objective.sense)
    shifted = dict.fromkeys(claim.tasks, Fraction(0)) | {"z": Fraction(1)}
    others = [WeightOf(tasks=("z", "w"), goal=opposite), WeightOf(tasks=(), goal=objective.sense)]
    others += [LargestWeight(tasks=claim.tasks[1:]), LargestWeight(tasks=())]
    others += [DistanceFrom(centre=shifted, norm=norm, todays=False) for norm in ("l1", "linf")]
    others += [DistanceFrom(centre={"w": Fraction(1)}, norm="l1", todays=False)]
    if isinstance(objective, DistanceFrom):
        turned = "linf" if objective.norm == "l1" else "l1"
        others += [dataclasses.replace(objective, norm=turned), dataclasses.replace(objective, centre=shifted)]
    for other in others:
        assert refuses(claim, stages=(dataclasses.replace(claim.stages[0], objective=other),)), other


def test_an_objective_cannot_borrow_a_variable_of_the_space():
    cut = wl.lp.scenario(BOARD, "D", wl.lp.closest_to([3, 1, 1, 1])).at_optimum.space
    claim = wl.lp.scenario(BOARD, "D", wl.lp.closest_to(), space=cut)
    assert not set(cut.auxiliaries) & set(claim.stages[0].objective.costs)


@pytest.mark.parametrize("norm", ["l1", "linf"])
def test_weights_that_are_said_to_be_todays_are_those_of_the_table(norm):
    claim = wl.lp.scenario(BOARD, "A", wl.lp.closest_to(norm=norm))
    heavier = wl.Leaderboard(BOARD.scores, weights={"w": 7})
    assert claim.verify(BOARD)
    with pytest.raises(wl.ProofError, match="today's weight of 'w' is 7/10 in the source, not 1/4"):
        claim.verify(heavier)
    named = wl.lp.scenario(BOARD, "A", wl.lp.closest_to([7, 1, 1, 1], norm=norm))
    assert " from the weights w 7, every other task 1, " in str(named)
    assert named.verify(BOARD)
    own = wl.lp.scenario(heavier, "A", wl.lp.closest_to(norm=norm))
    assert " from today's weights w 7, every other task 1, " in str(own)
    assert own.verify(heavier)
    document = json.loads(json.dumps(own.to_dict()).replace('"todays": true', '"todays": false'))
    assert " from the weights w 7" in str(result_from_dict(document))


@pytest.mark.parametrize("field", ["vectors", "gap", "space", "without"])
def test_no_field_of_a_contradiction_can_be_changed(field):
    claim = contradiction()
    value = getattr(claim, field)
    if field == "vectors":
        others = [value[1:], value[::-1], ({},) * len(value), (*value, {})]
        others += [tuple({task: scale * one for task, one in own.items()} for own in value) for scale in (2, -1, 0.5)]
    elif isinstance(value, Fraction):
        others = [value + 1, -value, Fraction(0), float(value), float("nan")]
    elif isinstance(value, WeightSpace):
        others = [value.only(value.conditions[1:]), value.only(()), value.only(value.conditions * 2)]
        others += [value.at_most("y", "0.9"), WeightSpace(["w", "x"])]
    else:
        others = [value[1:], value[:-1], value + value[:1], ()]
    for other in others:
        if not (isinstance(value, Fraction) and repr(other) == repr(value)):
            assert refuses(claim, **{field: other}), other


def test_a_condition_that_can_be_spared_is_not_part_of_a_contradiction():
    claim = contradiction()
    space = claim.space.at_most("y", "0.9")
    changes = {"space": space, "vectors": (*claim.vectors, {})}
    for weights in claim.without:
        assert refuses(claim, **changes, without=(*claim.without, weights))


def test_the_signs_of_a_model_travel_once_and_are_its_own_in_each_place():
    claim = wl.lp.scenario(BOARD, "D", [wl.lp.widest_margin(), wl.lp.fewest_tasks()])
    document = json.loads(json.dumps(claim.to_dict()))
    assert document["signs"] == document["ends"][0]["signs"] == document["stages"][0]["prospects"][0]["signs"]
    (place,) = [document["signs"]["table"]]
    other = [row.translate(str.maketrans("+-", "-+")) for row in document["shared_tables"][place]]
    for where in (document, document["ends"][0], document["stages"][0]["prospects"][0]):
        for name, forged in (("signs", other), ("model", "A")):
            kept, where[name] = where[name], forged
            with pytest.raises((wl.ProofError, wl.InputError)):
                result_from_dict(document).verify()
            where[name] = kept
    assert result_from_dict(document).verify(BOARD)


def test_the_signs_of_the_nearest_winners_are_those_of_the_table():
    document = wl.lp.break_cycle(wl.Leaderboard({"x": [3, 2, 1], "y": [1, 3, 2], "z": [2, 1, 3]})).to_dict()
    document["nearest"][0]["signs"] = ["+++", "+++"]
    with pytest.raises(wl.ProofError):
        result_from_dict(document).verify()
