"""Winning by linear rules: against every vertex, the rules themselves, and forged claims."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.lp.verdicts import brute_force_rules
from tests.strategies import boards, profiles
from weightlab._result import result_from_dict
from weightlab.lp import Prospect, Verdict

NAMES = ["mean", "borda", "dowdall", "plurality", "veto"]
SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True}
WHOLE = boards(missing=False, **SMALL)
FALSE = (wl.ProofError, wl.InputError)


@st.composite
def vectors(draw, count):
    return sorted(draw(st.lists(st.fractions(-3, 3, max_denominator=4), min_size=count, max_size=count)), reverse=True)


@settings(max_examples=20)
@given(WHOLE, st.sampled_from(NAMES))
def test_the_margin_by_a_rule_is_the_best_vertex(board, rule):
    table = brute_force_rules.points(board, rule)
    for model in board.models:
        found = wl.lp.prospect(board, model, rule=rule)
        assert found.margin == brute_force_rules.margin(table, model)
        assert found.verify(board)


@settings(max_examples=20)
@given(st.data())
def test_any_vector_with_any_ties_and_missing_scores_last(data):
    board = data.draw(boards(**SMALL))
    rule = data.draw(st.one_of(st.sampled_from(NAMES[1:]), vectors(len(board.models))))
    ties = data.draw(st.sampled_from(["average", "min", "max"]))
    table = brute_force_rules.points(board, rule, ties=ties)
    for model in board.models:
        found = wl.lp.prospect(board, model, rule=rule, ties=ties, missing="last")
        assert found.margin == brute_force_rules.margin(table, model)
        assert found.verify(board)
        assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)


@settings(max_examples=15)
@given(WHOLE, DICE)
def test_the_margin_in_a_space_is_the_best_vertex_of_the_space(board, dice):
    some = cuts_of(dice, board.tasks, 1, 2)
    rule = dice.one_of(NAMES)
    model = dice.one_of(board.models)
    expected = brute_force_rules.margin(brute_force_rules.points(board, rule), model, inequalities_of(some))
    space = space_of(board.tasks, some)
    if expected is None:
        with pytest.raises(wl.EmptySpaceError):
            wl.lp.prospect(board, model, rule=rule, space=space)
        return
    found = wl.lp.prospect(board, model, rule=rule, space=space)
    assert found.margin == expected
    assert found.verify(board)


def reweighted(board, weights):
    return wl.Leaderboard.from_cells(
        board.models, board.tasks, board.cells, lower_is_better=board.lower_is_better, weights=weights.to_dict()
    )


@settings(max_examples=20)
@given(WHOLE, st.sampled_from(NAMES))
def test_the_rule_itself_agrees_at_the_weights(board, rule):
    for model in board.models:
        found = wl.lp.prospect(board, model, rule=rule)
        ranking = wl.rules.rank(reweighted(board, found.weights), rule)
        lead = ranking.scores[model] - max(ranking.scores.drop(model))
        if rule == "mean":
            assert lead == found.margin
        assert (lead > 0) - (lead < 0) == (found.margin > 0) - (found.margin < 0)
        if found.verdict is Verdict.STRICT:
            assert ranking.winners == (model,)
        elif found.verdict is Verdict.WEAK:
            assert model in ranking.winners


def test_the_names_are_those_of_the_registry():
    from weightlab.data.linear_rule import CONDORCET, POINT_RULES, SCORING
    from weightlab.lp.verdicts.majority_prospect import DUEL_RULES

    assert {CONDORCET, *DUEL_RULES, *POINT_RULES, SCORING} <= set(wl.rules.RULES)


@settings(max_examples=15)
@given(WHOLE)
def test_with_two_models_all_positional_rules_ask_for_the_same_duel(board):
    pair = board.select(models=board.models[:2])
    margin = wl.lp.prospect(pair, board.models[0]).margin
    assert wl.lp.prospect(pair, board.models[0], rule="borda").margin == margin
    assert wl.lp.prospect(pair, board.models[0], rule="plurality").margin == margin
    assert wl.lp.prospect(pair, board.models[0], rule="dowdall").margin == margin / 2


@settings(max_examples=10)
@given(profiles(models=(2, 4), voters=(1, 3)))
def test_a_profile_serves_rules_by_place(profile):
    for model in profile.models:
        assert wl.lp.prospect(profile, model, rule="borda").verify(profile)
    with pytest.raises(wl.InputError, match="the mean needs scores, and a profile has none"):
        wl.lp.prospect(profile, profile.models[0], rule="mean")


def test_scores_of_very_different_sizes_are_decided_exactly():
    rows = {
        "a": ["0.91", "1e12", "3e-9"],
        "b": ["0.90", "2e12", "2e-9"],
        "c": ["0.9000000001", "1000000000001", "1e-9"],
    }
    board = wl.Leaderboard(pd.DataFrame(rows, index=["x", "y", "z"]).T, lower_is_better=["y"])
    for model in "abc":
        found = wl.lp.prospect(board, model, rule="mean")
        assert found.margin == brute_force_rules.margin(brute_force_rules.points(board, "mean"), model)
        assert found.verify(board)
    assert wl.lp.prospect(board, "a", rule="mean").margin > 0
    assert wl.lp.prospect(board, "c", rule="mean").verdict is Verdict.NEVER


BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}})


def test_what_is_said():
    board = wl.Leaderboard({"x": {"a": 4, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 4}})
    told = [str(wl.lp.prospect(board, model, rule="mean")) for model in "ab"]
    assert told == [
        "a can be the only winner by average: its best possible lead is 2 points.",
        "b can never win by average: under all weights some rival is 0.5 points or more ahead.",
    ]
    assert str(wl.lp.prospect(board, "b", rule=[3, 2, 0])).startswith("b can be the only winner by scoring (3, 2, 0)")
    tied = wl.lp.prospect(board, "b", rule="borda", ties="min")
    assert str(tied) == "b can share the first place by Borda, ties=min but never have it alone."


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"rule": "schulze"}, wl.UnknownNameError, "no rule named 'schulze'; the list of rules for weights has"),
        ({"rule": "mean", "ties": "max"}, wl.InputError, "the mean reads scores, not places"),
        ({"rule": "mean", "missing": "last"}, wl.InputError, "no points for a missing score"),
        ({"rule": "copeland", "ties": "max"}, wl.InputError, "copeland reads duels"),
        ({"missing": "last"}, wl.InputError, "majority reads duels"),
        ({"rule": "borda", "missing": "median"}, wl.InputError, "missing must be 'error' or 'last'"),
        ({"rule": "borda", "ties": "first"}, wl.InputError, "ties must be"),
        ({"rule": "borda", "fewest_blockers": True}, wl.InputError, "fewest_blockers is about Condorcet winners"),
        ({"rule": [3, 2]}, wl.InputError, "a scoring vector for 3 models needs 3 numbers; got 2"),
        ({"rule": 3}, wl.InputError, "a rule is a name or a list of the points of the places, best first; got 3"),
        ({"rule": {3, 2, 1}}, wl.InputError, "a rule is a name or a list"),
        ({"rule": []}, wl.InputError, "a rule is a name or a list"),
        ({"rule": [1, 2, 3]}, wl.InputError, "must not rise"),
        ({"rule": "borda", "model": "d"}, wl.UnknownNameError, "no model named 'd'"),
    ],
)
def test_calls_that_are_wrong(options, error, words):
    model = options.pop("model", "a")
    with pytest.raises(error, match=words.replace("(", r"\(")):
        wl.lp.prospect(BOARD, model, **options)


def test_missing_scores_are_refused_unless_they_are_last():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": None, "b": 2}})
    for rule in ("mean", "borda"):
        with pytest.raises(wl.MissingScoresError, match="1 missing score: 'a' on 'y'"):
            wl.lp.prospect(board, "a", rule=rule)
    assert wl.lp.prospect(board, "b", rule="borda", missing="last").margin == 1
    with pytest.raises(wl.InputError, match="points are made from a Leaderboard or a Profile; got Signs"):
        wl.lp.prospect(board.signs(), "a", rule="borda")


@pytest.fixture(params=["mean", "borda", "plurality", "in a space"], scope="module")
def claim(request):
    space = wl.lp.WeightSpace(BOARD).at_most("x", "0.4").near([1, 1, 1], "0.8")
    if request.param == "in a space":
        return wl.lp.prospect(BOARD, "a", rule="dowdall", space=space)
    return wl.lp.prospect(BOARD, "a", rule=request.param)


def refused(claim, **changes):
    try:
        dataclasses.replace(claim, **changes).verify(BOARD)
    except FALSE:
        return True
    return False


def test_no_field_can_be_changed(claim):
    tiny = Fraction(1, 10**12)
    for other in (claim.margin + tiny, claim.margin - tiny, float(claim.margin), None):
        assert refused(claim, lower=other)
        assert refused(claim, upper=other)
    for field in ("weights", "blockers"):
        for place in range(len(getattr(claim, field))):
            series = getattr(claim, field).copy()
            series.iloc[place] += tiny
            assert refused(claim, **{field: series})
    assert refused(claim, blockers=claim.blockers.iloc[::-1])
    assert dataclasses.replace(claim, weights=claim.weights.iloc[::-1]).weights.equals(claim.weights)
    for model in ("b", "nobody"):
        assert refused(claim, model=model)
    for place in np.ndindex(claim.points.numerators.shape):
        numerators = claim.points.numerators.copy()
        numerators[place] += 1
        assert refused(claim, points=dataclasses.replace(claim.points, numerators=numerators))
    assert refused(claim, points=dataclasses.replace(claim.points, denominator=claim.points.denominator + 1))
    assert refused(claim, rule=dataclasses.replace(claim.rule, name="veto"))
    assert refused(claim, space=wl.lp.WeightSpace(["x", "y"]))


def test_a_rule_is_no_mere_label_even_without_the_table(claim):
    document = claim.to_dict()
    for name in {"borda", "dowdall", "plurality", "veto"} - {claim.rule.name}:
        forged = result_from_dict({**document, "rule": {**document["rule"], "name": name}})
        with pytest.raises(wl.ProofError, match=r"by the rule .*, not"):
            forged.verify()


def test_another_table_is_seen(claim):
    other = wl.Leaderboard(BOARD.scores.assign(z=[2, 1, 1]))
    with pytest.raises(wl.ProofError, match=r"the points of '[ab]' on 'z'"):
        claim.verify(other)
    with pytest.raises(wl.ProofError, match="the source has different models"):
        claim.verify(BOARD.select(models=["a", "b"]))
    with pytest.raises(wl.ProofError, match="the source has different tasks"):
        claim.verify(BOARD.select(tasks=["x", "y"]))
    assert claim.verify(BOARD.select(models=["c", "b", "a"]))


def test_a_document_cannot_say_another_verdict(claim):
    document = json.loads(json.dumps(claim.to_dict()))
    assert result_from_dict(document).to_dict() == document
    for verdict in {"strict", "weak", "never"} - {document["verdict"]}:
        with pytest.raises(wl.ProofError, match="does not prove"):
            result_from_dict({**document, "verdict": verdict})
    for part in document:
        with pytest.raises(FALSE):
            result_from_dict({name: value for name, value in document.items() if name != part}).verify(BOARD)


@pytest.mark.parametrize(
    "points",
    [
        {"numerators": [[1, 2, 3]]},
        {"numerators": [[1, 2, 3], [1, 2], [1, 2, 3]]},
        {"numerators": "none"},
        {"numerators": [[1.0, 2, 3]] * 3},
        {"numerators": [[True, 2, 3]] * 3},
        {"denominator": 0},
        {"denominator": 1.5},
        {"models": ["a", "a", "c"]},
    ],
)
def test_points_of_the_wrong_form_are_refused(points):
    document = wl.lp.prospect(BOARD, "a", rule="mean").to_dict()
    with pytest.raises(FALSE):
        result_from_dict({**document, "points": {**document["points"], **points}}).verify()


def test_the_summary_and_type_of_a_prospect_by_points():
    found = wl.lp.prospect(BOARD, "a", rule="borda")
    assert isinstance(found, Prospect)
    assert found.summary()["share"].groupby(level=0).sum().round(12).tolist() == [1.0, 1.0]
    assert found.leads.min() == found.margin


def test_a_named_rule_has_no_vector_of_points_not_even_an_empty_one():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}})
    found = [
        wl.lp.rank_range(board, "a", "borda"),
        wl.lp.rank_ranges(board, "borda"),
        wl.lp.rank_ranges(board, [2, 1, 0]),
    ]
    for one in found:
        document = json.loads(json.dumps(one.to_dict()))
        assert result_from_dict(document).verify(board)
        with pytest.raises(wl.InputError, match="the points of the places are needed"):
            result_from_dict(document | {"rule": document["rule"] | {"vector": []}})
