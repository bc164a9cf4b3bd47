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
from weightlab.lp import WeightSpace
from weightlab.lp.conditions import Condition

SCENARIOS = [name for name in RESULTS if "weights" in name or "change" in name or "task" in name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_number_of_a_scenario_can_be_changed(name):
    claim = RESULTS[name]()
    tiny = Fraction(1, 10**12)
    for field in ("value", "slack"):
        for step in (tiny, -tiny):
            assert refuses(claim, **{field: getattr(claim, field) + step}), (field, step)
    assert tells_no_lie(claim, margin=claim.margin + tiny)
    assert refuses(claim, margin=-tiny)
    for field in ("value", "slack", "margin"):
        for other in (-1 - getattr(claim, field), float(getattr(claim, field)), float("nan"), None):
            assert refuses(claim, **{field: other}), (field, other)


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_weight_or_multiplier_of_a_scenario_can_be_changed(name):
    claim = RESULTS[name]()
    for field in ("weights", "strict_weights"):
        for other in moved(getattr(claim, field)):
            assert refuses(claim, **{field: other}), field
    for field in ("weights", "strict_weights", "duel_multipliers", "multipliers"):
        series = getattr(claim, field)
        for other in (*moved(series), *exchanged(series)):
            assert tells_no_lie(claim, **{field: other}), field
        assert len(series) < 2 or refuses(claim, **{field: series.iloc[::-1]}), field
    assert refuses(claim, strict_weights=None)
    assert refuses(claim, slack=None)


@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_else_of_a_scenario_can_be_changed(name):
    claim, objective = RESULTS[name](), RESULTS[name]().objective
    found = claim.at_optimum
    assert refuses(claim, model="G")
    assert refuses(claim, at_optimum=wl.lp.prospect(BOARD, claim.model))
    assert refuses(claim, at_optimum=dataclasses.replace(found, model="G"))
    renamed = found.blockers.set_axis([f"{rival}?" for rival in claim.rivals])
    assert refuses(claim, at_optimum=dataclasses.replace(found, blockers=renamed))
    assert refuses(claim, space=claim.space.at_most("w", "1/100"))
    for place in np.ndindex(claim.signs.shape):
        signs = claim.signs.copy()
        signs[place] = -signs[place] if signs[place] else 1
        assert refuses(claim, signs=signs)
    assert refuses(claim, objective=dataclasses.replace(objective, text="distance from something else"))
    assert refuses(claim, objective=dataclasses.replace(objective, tasks={"w": Fraction(2)}))
    opposite = next(sense for sense in type(objective.sense) if sense is not objective.sense)
    assert refuses(claim, objective=dataclasses.replace(objective, sense=opposite))
    if objective.auxiliaries:
        assert refuses(claim, objective=dataclasses.replace(objective, auxiliaries={}))
        assert refuses(claim, objective=dataclasses.replace(objective, condition=Condition(text="", rows=())))


def test_an_objective_cannot_borrow_a_variable_of_the_space():
    cut = wl.lp.scenario(BOARD, "D", wl.lp.closest_to([3, 1, 1, 1])).at_optimum.space
    claim = wl.lp.scenario(BOARD, "D", wl.lp.closest_to(), space=cut)
    assert not set(cut.auxiliaries) & set(claim.objective.auxiliaries)
    document = claim.to_dict()
    text = json.dumps(document).replace("objective 2: ", "objective: ")
    assert not holds(json.loads(text))


def test_an_objective_cannot_hide_its_cost():
    """Rows whose least auxiliary values do not satisfy them would make every weighting look free."""
    claim = wl.lp.scenario(BOARD, "A", wl.lp.closest_to())
    document = claim.to_dict()
    for row in document["objective"]["condition"]["rows"]:
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
