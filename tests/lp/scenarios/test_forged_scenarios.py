"""Forged scenarios and contradictions: whatever is changed, the claim is refused or still true."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.lp.forging import BOARD, RESULTS, contradiction, exchanged, holds, moved, refuses, tells_no_lie
from weightlab._result import result_from_dict
from weightlab.lp import WeightSpace
from weightlab.lp.space.conditions import Condition

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
    for field in ("weights", "duel_multipliers", "multipliers"):
        series = getattr(optimum, field)
        for other in (*moved(series), *exchanged(series)):
            assert tells_no_lie(claim, **with_optimum(claim, **{field: other})), field
        assert len(series) < 2 or refuses(claim, **with_optimum(claim, **{field: series.iloc[::-1]})), field
    for other in exchanged(claim.strict_weights):
        assert tells_no_lie(claim, strict_weights=other)
    assert refuses(claim, strict_weights=claim.strict_weights.iloc[::-1])
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
    changes = [{"text": "distance from something else"}, {"tasks": {"w": Fraction(2)}}, {"sense": opposite}]
    if objective.auxiliaries:
        changes += [{"auxiliaries": {}}, {"condition": Condition(text="", rows=())}]
    for change in changes:
        assert refuses(claim, **with_optimum(claim, objective=dataclasses.replace(objective, **change))), change


def test_an_objective_cannot_borrow_a_variable_of_the_space():
    cut = wl.lp.scenario(BOARD, "D", wl.lp.closest_to([3, 1, 1, 1])).at_optimum.space
    claim = wl.lp.scenario(BOARD, "D", wl.lp.closest_to(), space=cut)
    assert not set(cut.auxiliaries) & set(claim.stages[0].objective.auxiliaries)
    document = claim.to_dict()
    text = json.dumps(document).replace("objective 2: ", "objective: ")
    assert not holds(json.loads(text))


def test_an_objective_cannot_hide_its_cost():
    """Rows whose least auxiliary values do not satisfy them would make every weighting look free."""
    claim = wl.lp.scenario(BOARD, "A", wl.lp.closest_to())
    document = claim.to_dict()
    for row in document["stages"][0]["optima"][0]["objective"]["condition"]["rows"]:
        row["auxiliaries"] |= {"objective: gain of w": "-1/1", "objective: gain of x": "-1/1"}
    assert not holds(document)


@pytest.mark.parametrize("field", ["multipliers", "total", "gap", "tasks", "conditions", "without"])
def test_no_field_of_a_contradiction_can_be_changed(field):
    claim = contradiction()
    value = getattr(claim, field)
    if isinstance(value, pd.Series):
        others = [*moved(value, by=Fraction(1)), value.iloc[::-1], value.astype(float), value * 0]
    elif isinstance(value, Fraction):
        others = [value + 1, -value, Fraction(0), float(value), float("nan")]
    else:
        others = [value[1:], value[:-1], value + value[:1], ()]
    for other in others:
        if not (isinstance(value, Fraction) and repr(other) == repr(value)):
            assert refuses(claim, **{field: other}), other


def test_a_condition_that_can_be_spared_is_not_part_of_a_contradiction():
    claim = contradiction()
    spare = WeightSpace(BOARD).at_most("y", "0.9").conditions
    more = pd.concat([claim.multipliers, pd.Series([Fraction(0)], index=[spare[0].rows[0].name], dtype=object)])
    changes = {"conditions": claim.conditions + spare, "multipliers": more.rename("multiplier")}
    for weights in claim.without:
        assert refuses(claim, **changes, without=(*claim.without, weights))


def test_the_signs_of_a_model_travel_once():
    claim = wl.lp.scenario(BOARD, "D", [wl.lp.widest_margin(), wl.lp.fewest_tasks()])
    document = claim.to_dict()
    assert json.dumps(document).count('"signs"') == 1
    for holder in (document["ends"][0], document["stages"][0]["prospects"][0]):
        holder["signs"] = document["signs"]
        with pytest.raises(wl.InputError, match="model and signs are those of the result that holds a prospect"):
            result_from_dict(document)
        del holder["signs"]
    assert result_from_dict(document).verify(BOARD)


def test_the_signs_of_the_nearest_winners_are_those_of_the_table():
    document = wl.lp.break_cycle(wl.Leaderboard({"x": [3, 2, 1], "y": [1, 3, 2], "z": [2, 1, 3]})).to_dict()
    assert json.dumps(document).count('"signs"') == 1
    document["nearest"][0]["signs"] = ["+++", "+++"]
    with pytest.raises(wl.InputError, match=r"nearest\[0\] has no part 'signs'"):
        result_from_dict(document)
