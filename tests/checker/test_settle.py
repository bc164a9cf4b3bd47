"""Claims whatever the missing scores are, and what proofs cost at least: both checkers accept and refuse alike."""

from __future__ import annotations

import contextlib
import json
import random

import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries
from weightlab import checker

SEEDS = range(2)
RULES = ("mean", "majority", "borda")
DECLARED = {"tolerance": {"t0": "1/2", "t1": 1}, "relative_tolerance": {"t2": "1/4"}}


def tables(seed, gaps=3, **declared):
    """Return a table with gaps, what the checker is told of it, and its text."""
    frame, rng = board(2 * seed, models=4, tasks=3, highest=9), random.Random(seed)  # noqa: S311 - tables, no secrets
    for _ in range(gaps):
        frame.iloc[rng.randrange(4), rng.randrange(3)] = None
    told = {name: {task: checker.Fraction(one) for task, one in own.items()} for name, own in declared.items()}
    table = wl.Leaderboard(frame, lower_is_better=["t1"], weights={"t0": 2}, **declared)
    return table, checker.Declared(lower=("t1",), weights={"t0": checker.Fraction(2)}, **told), csv_of(frame)


def free_claims(seed, **declared):
    """Return claims about free weights, on tables without and with tolerances."""
    table, told, text = tables(seed, **declared)
    space = wl.lp.WeightSpace(table).at_most("t0", "0.6").near(None, "0.9")
    for what in ("can", "never"):
        for model in table.models[:2]:
            for bounds, allowed in ((None, None), ({"t2": (0, 9)}, space)):
                yield wl.lp.settle(table, what, models=model, bounds=bounds, space=allowed), told, text


def claims_with_ties(seed):
    """Return claims at fixed weights on tables where scores tie within tolerances."""
    table, told, text = tables(seed, **DECLARED)
    for what, options in (("winner", {}), ("top", {"k": 2}), ("order", {"models": ["m2", "m0"]})):
        for rule, bounds in (("majority", None), ("majority", (0, 9)), ("mean", (0, 9))):
            yield wl.lp.settle(table, what, rule=rule, bounds=bounds, **options), told, text


def proofs_in_hindsight(seed):
    """Return least proofs by each rule, with costs and without, and replays."""
    table, told, text = tables(seed, gaps=0)
    bounded = dict.fromkeys(table.tasks, (0, 9))
    asked = [("winner", {}), ("top", {"k": 2}), ("order", {"k": 2})]
    for what, options in asked:
        for rule in RULES:
            for cost in (None, {"m0": "1/2"}, {"t0": "5/2"}):
                for bounds in (bounded, dict.fromkeys(table.tasks[1:], (0, 9))):
                    ask = wl.lp.least_proof if cost is None else wl.studies.replay
                    more = {} if cost is None else {"orders": 2, "batch": 2}
                    with contextlib.suppress(wl.InputError):  # where scores tie, the claim does not hold
                        yield ask(table, what, rule=rule, cost=cost, bounds=bounds, **options, **more), told, text


def each(seed):
    yield from free_claims(seed)
    yield from free_claims(seed, **DECLARED)
    yield from claims_with_ties(seed)
    yield from proofs_in_hindsight(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_true_claims_are_accepted_with_their_table_and_without_it_and_not_with_another(seed):
    kinds = set()
    for found, told, text in each(seed):
        document = json.dumps(document_of(found))
        expected = 0 if found.proof == "exact" else 3
        report = checker.check(document, text, told)
        assert (report.code, checker.check(document).code) == (expected, expected), report.lines
        changed = text.replace("m1,", "m1,1", 1)
        with pytest.raises(checker.FalseClaimError, match="different scores for"):
            checker.check(document, changed, told)
        if told.tolerance:
            with pytest.raises(checker.FalseClaimError, match="tolerance"):
                checker.check(document, text, told._replace(tolerance=checker.ZERO))
        kinds.add((found.kind, getattr(found, "verdict", None)))
    assert {("least_proof", None), ("replay", None), ("settle", "open"), ("settle", "refuted")} <= kinds


@pytest.mark.parametrize("seed", SEEDS)
def test_both_refuse_the_same_forgeries(seed):
    for place, (found, _, _) in enumerate(each(seed)):
        for forged in some_forgeries(document_of(found), 12, seed=100 * seed + place):
            code, words = code_of(forged)
            if forged.get("kind") == found.kind and code in {0, 1}:  # what is not checked is not accepted either
                assert package_holds(forged, None) == (code == 0), (forged, words)


def nearest(document):
    """Yield documents that say the next best thing: another verdict, another model, one cell fewer, one unit less."""
    if document["kind"] == "replay":
        for inner in nearest(document["hindsight"]):
            yield {**document, "hindsight": inner}
        yield {**document, "costs": ["1/1000000", *document["costs"][1:]]}
        yield {**document, "share": "1/7"}
        return
    if document["kind"] == "settle":
        others = ["m3"] if document["certain"] != ["m3"] else ["m2"]
        yield from ({**document, "verdict": one} for one in {"certain", "refuted", "open"} - {document["verdict"]})
        yield {**document, "certain": others}
    else:
        yield {**document, "cost": "1/7"}
        step = checker.Fraction(1, 2) if not document["solver"] else checker.Fraction(10**6)
        for own in (step, -step) if not document["solver"] else (step,):
            bound = checker.Fraction(document["bound"]) + own
            yield {**document, "bound": f"{bound.numerator}/{bound.denominator}"}
    for row, own in enumerate(document["cells"] or []):
        for place, mark in enumerate(own):
            if mark == "1":
                fewer = [*document["cells"]]
                fewer[row] = own[:place] + "0" + own[place + 1 :]
                yield {**document, "cells": fewer}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_nearest_false_claims_are_refused_by_both(seed):
    for found, _, _ in each(seed):
        for forged in nearest(document_of(found)):
            assert code_of(forged)[0] == 1, forged
            assert not package_holds(forged, None), forged


@pytest.mark.parametrize("cost", [None, {"m0": 3, "m1": "1/2"}])
@pytest.mark.parametrize("seed", range(12))
def test_what_proofs_cost_at_least_is_found_in_another_way(seed, cost):
    frame = board(2 * seed, models=5, tasks=4, highest=30)
    for what, k in (("winner", None), ("top", 2)):
        try:
            found = wl.lp.least_proof(wl.Leaderboard(frame), what, k=k, rule="mean", bounds=(0, 30), cost=cost)
        except wl.InputError:
            continue
        code, words = code_of(document_of(found), csv_of(frame))
        assert (code, f"cost less than {found.bound}" in words) == (0, True), words
