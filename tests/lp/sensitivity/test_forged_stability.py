"""Forged claims about stability and duels: whatever is done to a document, it is refused or still true."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import weightlab as wl
from tests.lp.forging import FALSE, some_forgeries
from tests.lp.truth import answer
from weightlab._result import result_from_dict
from weightlab.lp import WeightSpace

BOARD = wl.Leaderboard(
    pd.DataFrame([[5, 4, 1, 3], [1, 5, 3, 2], [4, 1, 5, 0], [2, 2, 2, 4]], index=list("ABCD"), columns=list("wxyz")),
    weights={"w": 3, "x": 2, "y": 1, "z": 2},
)
CYCLE = [("A", "B"), ("B", "C"), ("C", "A")]
SPACE = WeightSpace(BOARD).at_most("w", "0.5").near(None, "0.9").no_less("x", "y")

RESULTS = {
    "a winner": lambda: wl.lp.stability(BOARD, rule="majority"),
    "a winner in a space": lambda: wl.lp.stability(BOARD, space=SPACE, rule="majority"),
    "a ranking": lambda: wl.lp.stability(BOARD, rule="borda", norm="l1", of="ranking"),
    "first by points": lambda: wl.lp.stability(BOARD, rule="borda", norm="l1"),
    "a ranking by scores in a space": lambda: wl.lp.stability(
        BOARD, rule="mean", norm="linf", space=SPACE, of="ranking"
    ),
    "all duels": lambda: wl.lp.duels(BOARD),
    "all duels in a space": lambda: wl.lp.duels(BOARD, space=SPACE),
    "a cycle wanted": lambda: wl.lp.realise(BOARD, CYCLE, space=SPACE),
    "an order wanted": lambda: wl.lp.realise(BOARD, CYCLE[:2], margin="1/5"),
    "the nearest winner": lambda: wl.lp.break_cycle(BOARD, norm="linf"),
    "the nearest winner in a space": lambda: wl.lp.break_cycle(BOARD, space=SPACE.at_most("w", "0.2")),
}


def asked_again(claim):
    """Return what the question that a result answers is answered with, and what the result says, to be compared."""
    space = claim.space
    if claim.kind == "stability" and claim.points is None:
        again = answer(wl.lp.stability, BOARD, rule="majority", space=space)
        return [
            (again.model, claim.model),
            *((again.distances(norm).to_dict(), claim.distances(norm).to_dict()) for norm in claim.norms),
            (again.least_leads.to_dict(), claim.least_leads.to_dict()),
            (again.leads.to_dict(), claim.leads.to_dict()),
        ]
    if claim.kind == "stability":
        rule = "mean" if claim.rule.name == "mean" else claim.rule.vector or claim.rule.name
        ties = None if rule == "mean" else claim.rule.ties
        again = answer(wl.lp.stability, BOARD, rule=rule, of=claim.of, ties=ties, space=space)
        return [
            (again.order, claim.order),
            *((again.distances(norm).to_dict(), claim.distances(norm).to_dict()) for norm in claim.norms),
            (again.least_leads.to_dict(), claim.least_leads.to_dict()),
        ]
    if claim.kind == "duels":
        again = answer(wl.lp.duels, BOARD, space=space)
        names = list(BOARD.models)
        return [(again.greatest.loc[names, names].to_dict(), claim.greatest.loc[names, names].to_dict())]
    if claim.kind == "realisation":
        again = answer(wl.lp.realise, BOARD, claim.duels, space=space, margin=claim.wanted)
        return [(again.margin, claim.margin), (again.holds, claim.holds)]
    again = answer(wl.lp.break_cycle, BOARD, norm=claim.norm, space=space)
    return [(again.value, claim.value), (set(again.models), set(claim.models)), (again.attained, claim.attained)]


def holds(document):
    """Tell whether a document is accepted; what is accepted must be true."""
    try:
        claim = result_from_dict(document)
        claim.verify(BOARD)
    except FALSE:
        return False
    assert all(again == said for again, said in asked_again(claim)), json.dumps(document)
    return True


@pytest.fixture(scope="module", params=list(RESULTS))
def document(request):
    return json.loads(json.dumps(RESULTS[request.param]().to_dict()))


def test_the_untouched_document_holds(document):
    assert holds(document)


def test_no_part_of_a_document_can_be_replaced_so_that_a_false_claim_is_accepted(document):
    made = some_forgeries(document, 75)
    assert sum(map(holds, made)) < len(made) / 5


def test_no_part_of_a_document_can_be_left_out(document):
    for key in document:
        assert not holds({name: value for name, value in document.items() if name != key})


def test_a_rival_that_can_only_tie_cannot_be_said_to_stay_behind():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 1}})
    document = wl.lp.stability(board, norm="l1", rule="majority").to_dict()
    assert document["reversals"]["least"][0]["value"] == "0/1"
    document["reversals"]["points"]["l1"] = [None]
    with pytest.raises(wl.ProofError, match="a total of 0 is possible, but no reversal is given"):
        result_from_dict(document).verify(board)


def test_a_lead_that_is_bounded_but_possible_blocks_nobody():
    document = wl.lp.break_cycle(BOARD).to_dict()
    others = {one["model"]: one for one in document["others"] if "blockers" not in one}
    model = next(name for name in others if wl.lp.prospect(BOARD, name).margin > 0)
    widest = wl.lp.prospect(BOARD, model).to_dict()
    forged = {"model": model, "upper": widest["upper"], "blockers": widest["blockers"], "vectors": []}
    document["others"][document["others"].index(others[model])] = forged
    with pytest.raises(wl.ProofError, match=f"{model!r} is only proved to lead by"):
        result_from_dict(document).verify(BOARD)
