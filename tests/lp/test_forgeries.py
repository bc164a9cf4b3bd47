"""Forged claims: whatever is done to a result or to its document, it is refused or still true."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.lp.forging import (
    BOARD,
    RESULTS,
    changed,
    exchanged,
    holds,
    moved,
    part_of,
    places,
    refuses,
    some_forgeries,
    tells_no_lie,
)
from weightlab._result import Proof, result_from_dict
from weightlab.lp import WeightSpace


@pytest.fixture(scope="module", params=list(RESULTS))
def result(request):
    return RESULTS[request.param]()


def test_the_untouched_document_holds(result):
    document = json.loads(json.dumps(result.to_dict()))
    assert holds(document)
    assert result_from_dict(document).to_dict() == document


def test_no_part_of_a_document_can_be_replaced_so_that_a_false_claim_is_accepted(result):
    made = some_forgeries(json.loads(json.dumps(result.to_dict())), 100)
    assert sum(map(holds, made)) < len(made) / 5


def test_no_part_of_a_document_can_be_left_out(result):
    document = json.loads(json.dumps(result.to_dict()))
    for key in document:
        assert not holds({name: value for name, value in document.items() if name != key})


NUMBERS = {"lower", "upper", "bound", "value", "slack", "gap", "total", "radius", "unbeaten"}


def test_no_number_of_a_claim_can_be_moved(result):
    document = json.loads(json.dumps(result.to_dict()))
    about_weights = {"space", "conditions", "condition"}
    for path in places(document):
        value = part_of(document, path)
        if path[-1] in NUMBERS and value is not None and not about_weights & set(path):
            for step in (Fraction(1, 10**12), -Fraction(1, 10**12)):
                moved = Fraction(value) + step
                text = f"{moved.numerator}/{moved.denominator}"
                assert not holds(changed(document, path, lambda holder, key, text=text: holder.__setitem__(key, text)))


@pytest.mark.parametrize("name", ["a strict model", "a model that never wins", "a blocked model in a space"])
def test_no_field_of_a_prospect_can_be_changed(name):
    claim = RESULTS[name]()
    tiny = Fraction(1, 10**12)
    assert refuses(claim, model="C")
    assert refuses(claim, model="nobody")
    assert refuses(claim, model=claim.rivals[0])
    for field in ("lower", "upper"):
        value = getattr(claim, field)
        for other in (value + tiny, value - tiny, -value - 1, float(value), float("nan"), None, True):
            assert refuses(claim, **{field: other}), (field, other)
    for field in ("weights", "blockers"):
        for other in moved(getattr(claim, field)):
            assert refuses(claim, **{field: other}), field
        for other in exchanged(getattr(claim, field)):
            assert tells_no_lie(claim, **{field: other}), field
    for place, vector in enumerate(claim.vectors):
        for task in claim.tasks:
            for step in (tiny, -tiny):
                other = {**vector, task: vector.get(task, Fraction(0)) + step}
                assert tells_no_lie(claim, vectors=(*claim.vectors[:place], other, *claim.vectors[place + 1 :])), task
    assert refuses(claim, vectors=(*claim.vectors, {}))
    assert dataclasses.replace(claim, weights=claim.weights.iloc[::-1]).weights.equals(claim.weights)
    assert refuses(claim, blockers=claim.blockers.iloc[::-1])
    assert refuses(claim, weights=claim.weights.astype(float))
    assert refuses(claim, weights=-claim.weights)
    for place in np.ndindex(claim.signs.shape):
        signs = claim.signs.copy()
        signs[place] = -signs[place] if signs[place] else 1
        assert refuses(claim, signs=signs)
    assert refuses(claim, signs=claim.signs[1:])
    assert refuses(claim, signs=claim.signs.astype(float))
    assert refuses(claim, space=WeightSpace(["w", "x", "y"]))
    assert refuses(claim, space=claim.space.at_most("w", 0).at_most("x", 0).at_most("y", 0))


def test_tasks_cannot_be_exchanged_between_space_and_signs():
    claim = wl.lp.prospect(BOARD, "D", space=WeightSpace(BOARD).at_most("z", "0.9").at_least("w", "0.1"))
    for order in (["z", "y", "x", "w"], ["x", "w", "y", "z"]):
        assert refuses(claim, space=claim.space.ordered(order))


def test_names_cannot_occur_twice():
    claim = wl.lp.prospect(BOARD, "D")
    twice = claim.weights.set_axis(["w", "w", "y", "z"])
    assert refuses(claim, weights=twice)
    assert refuses(claim, blockers=claim.blockers.set_axis(["A", "A", *claim.rivals[2:]]))
    document = wl.lp.prospects(BOARD).to_dict()
    document["signs"]["models"][1] = document["prospects"][1]["model"] = "A"
    assert not holds(document)


def test_no_field_of_the_fewest_blockers_can_be_changed():
    claim = wl.lp.prospect(BOARD, "E", fewest_blockers=True)
    few = claim.fewest

    def forged(**changes):
        return refuses(claim, fewest=dataclasses.replace(few, **changes))

    assert forged(bound=few.bound + Fraction(1, 10**9))
    assert forged(bound=few.bound - Fraction(1, 10**9))
    assert forged(bound=float(few.bound))
    assert forged(proof=Proof.SAMPLED)
    assert forged(proof=Proof.EXACT_WITNESS)
    assert forged(proof=Proof.EXACT_WITNESS, solver="HiGHS")
    assert forged(solver="HiGHS")
    assert forged(blockers=few.blockers.set_axis([f"{name}?" for name in few.rivals]))
    for other in moved(few.blockers):
        assert forged(blockers=other)
    idle = next(rival for rival in claim.rivals if rival not in few.rivals)
    assert forged(blockers=pd.concat([few.blockers, pd.Series({idle: Fraction(0)}, dtype=object)]))
    assert forged(vectors=(*few.vectors, {}))


def test_more_blockers_than_needed_are_not_the_fewest():
    rows = {"own": [0, 0, 0], "one": [1, 0, 1], "two": [0, 1, 0], "three": [1, 1, 1]}
    board = wl.Leaderboard(pd.DataFrame(rows, index=["x", "y", "z"]).T)
    claim = wl.lp.prospect(board, "own", fewest_blockers=True)
    half = pd.Series([Fraction(1, 2)] * 2, index=["one", "two"], dtype=object, name="blocker")
    for proof, solver in ((Proof.EXACT, None), (Proof.EXACT_WITNESS, "HiGHS")):
        more = dataclasses.replace(claim.fewest, blockers=half, bound=Fraction(0), proof=proof, solver=solver)
        with pytest.raises(wl.ProofError):
            dataclasses.replace(claim, fewest=more).verify(board)


def test_three_blockers_where_two_suffice_are_not_the_fewest():
    signs = [[1, -1, -1], [-1, 1, 0], [0, -1, 1]]
    rows = {"own": [0, 0, 0]} | {f"r{number}": [-one for one in row] for number, row in enumerate(signs)}
    board = wl.Leaderboard(pd.DataFrame(rows, index=["x", "y", "z"]).T)
    claim = wl.lp.prospect(board, "own", fewest_blockers=True)
    assert claim.fewest.rivals == ("r0", "r1")
    shares = [Fraction(4, 9), Fraction(4, 9), Fraction(1, 9)]
    mixed = pd.Series(shares, index=["r0", "r1", "r2"], dtype=object, name="blocker")
    worst = max(sum(share * row[task] for share, row in zip(shares, signs, strict=True)) for task in range(3))
    more = dataclasses.replace(claim.fewest, blockers=mixed, bound=worst)
    assert worst <= 0
    with pytest.raises(wl.ProofError, match="block, so 3 blockers are not the fewest"):
        dataclasses.replace(claim, fewest=more).verify(board)


def test_no_number_behind_prospects_can_be_changed():
    claim = wl.lp.prospects(BOARD)
    tiny = Fraction(1, 2**60)

    def forged(position, **changes):
        entries = list(claim.prospects)
        entries[position] = dataclasses.replace(entries[position], **changes)
        return refuses(claim, prospects=tuple(entries))

    for position, one in enumerate(claim.prospects):
        task, rival = next(iter(one.weights)), next(iter(one.blockers))
        assert forged(position, lower=one.lower + tiny)
        assert forged(position, lower=one.lower - tiny)
        assert forged(position, upper=one.upper + tiny)
        assert forged(position, upper=float(one.upper))
        for lie in ({**one.weights, task: one.weights[task] + tiny}, {"w": Fraction(-1), "x": Fraction(2)}, {}):
            assert forged(position, weights=lie)
        assert forged(position, weights={**one.weights, "ghost": Fraction(0)})
        assert forged(position, blockers={**one.blockers, rival: one.blockers[rival] + tiny})
        assert forged(position, blockers={})
        assert forged(position, blockers={one.model: Fraction(1)})
        assert forged(position, blockers={"ghost": Fraction(1)})
        assert forged(position, vectors=({},))
        assert forged(position, model="ghost")
    assert refuses(claim, prospects=claim.prospects[1:])
    assert refuses(claim, prospects=claim.prospects[::-1])
    assert refuses(claim, space=claim.space.ordered(["z", "y", "x", "w"]))
    assert refuses(claim, space=WeightSpace(["w"]))


def test_rivals_left_out_are_seen_with_the_table():
    few = BOARD.select(models=["E", "A", "B"])
    claim = wl.lp.prospect(few, "E")
    assert claim.verify(few)
    with pytest.raises(wl.ProofError, match="the source has different rivals: more: 'C', 'D', 'F', 'G'"):
        claim.verify(BOARD)
    with pytest.raises(wl.ProofError, match="the source has different tasks: fewer: 'z'"):
        wl.lp.prospect(BOARD, "E").verify(BOARD.select(tasks=["w", "x", "y"]))
    with pytest.raises(wl.ProofError, match="the source has no model 'E'"):
        wl.lp.prospect(BOARD, "E").verify(BOARD.select(models=["A", "B"]))


@pytest.mark.parametrize(
    "document", [None, [], "prospect", {}, {"kind": None}, {"kind": "nothing"}, {"kind": "prospect"}]
)
def test_what_is_no_result_is_refused_as_input(document):
    with pytest.raises(wl.InputError):
        result_from_dict(document)
