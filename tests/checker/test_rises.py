"""Rises of scores, by the mean and head-to-head: what one of the two checkers refuses the other refuses as well."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction

import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries
from weightlab import checker

SEEDS = [2, 4, 6, 8]
LOWER = ("t1",)


def tables(seed):
    """Return a table, what is declared about it, and its text."""
    frame = board(seed, models=4, tasks=4, highest=9)
    declared = checker.Declared(lower=LOWER, weights={"t0": Fraction(2)})
    return wl.Leaderboard(frame, lower_is_better=LOWER, weights={"t0": 2}), declared, csv_of(frame)


def claims(table):
    """Return what two models need at most, with prices and limits, at today's weights and at some."""
    near = wl.lp.WeightSpace(table).near(None, "0.4")
    for model in table.models[:2]:
        for options in (
            {"rule": "mean"},
            {"rule": "mean", "cost": {"t0": 3, "t2": "1/2"}},
            {"rule": "mean", "cost": {"t0": 3, "t2": 0}, "best": {"t1": 0, "t2": 10, "t3": 10, "t0": 10}},
            {"rule": "mean", "space": "any"},
            {"rule": "mean", "space": near, "cost": {"t3": 2}, "at_most": 5},
            {},
            {"space": near, "cost": {"t0": 2}},
            {"kind": "result", "cost": {"t0": 2}},
            {"kind": "result", "space": near, "at_most": 3},
        ):
            try:
                yield wl.lp.upset(table, model, **options)
            except wl.ImpossibleError:
                continue


def is_open(found):
    """Tell whether it stays open that nothing cheaper is enough: a solver's word."""
    return found.kind == "upset" and bool(found.solver)


@pytest.mark.parametrize("seed", SEEDS)
def test_true_claims_are_accepted_and_those_of_another_table_are_not(seed):
    table, declared, text = tables(seed)
    for found in claims(table):
        document = json.dumps(document_of(found))
        report = checker.check(document, text, declared)
        assert report.code == (3 if is_open(found) else 0), report.lines
        with pytest.raises(checker.FalseClaimError, match="are not the table"):
            checker.check(document, csv_of(table.scores + 1), declared)
        if found.space is None:
            with pytest.raises(checker.FalseClaimError, match="the weights differ"):
                checker.check(document, text, declared._replace(weights={}))


@pytest.mark.parametrize("seed", SEEDS)
def test_both_refuse_the_same_forgeries(seed):
    table, _, _ = tables(seed)
    for found in claims(table):
        for forged in some_forgeries(document_of(found), 50, seed=seed):
            code, words = code_of(forged)
            if code == 0 or (code == 1 and forged.get("kind") == found.kind):
                assert package_holds(forged, None) == (code == 0), (forged, words)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_smaller_cost_is_refused(seed):
    table, _, _ = tables(seed)
    for found in claims(table):
        document = document_of(found)
        if found.cost:
            for other in (found.cost / 2, found.cost * 2):
                assert code_of(document | {"cost": f"{other.numerator}/{other.denominator}"})[0] == 1
            assert code_of(document | {"scores": {}, "cost": "0/1"})[0] == 1
        if found.kind == "mean_upset" and found.space is not None and found.cost:
            assert code_of(document | {"refused": []})[0] == 1


def test_what_is_not_known_is_named_as_not_checked():
    table, _, _ = tables(2)
    found = wl.lp.upset(wl.Leaderboard(table.scores, groups={"g": ["t0"]}), "m0")
    code, told = code_of(document_of(found))
    assert code == 3
    assert "groups" in told


@pytest.mark.parametrize("seed", SEEDS)
def test_forged_trees_and_costs_of_one_unit_less_are_refused(seed):
    table, _, _ = tables(seed)
    rng = random.Random(seed)  # noqa: S311 - trees, no secrets
    for found in claims(table):
        if found.kind != "upset" or found.tree is None or is_open(found):
            continue
        document = document_of(found)
        for _ in range(20):
            forged = copy.deepcopy(document)
            nodes, place = forged["tree"]["nodes"], rng.randrange(len(found.tree.nodes))
            way = rng.randrange(4)
            if way == 0:
                nodes.pop(place)
            elif way == 1:
                nodes.insert(place, nodes[rng.randrange(len(nodes))])
            elif way == 2 and "rows" in nodes[place]:
                nodes[place]["multipliers"] = [0 for _ in nodes[place]["multipliers"]]
            else:
                forged["against"], forged["refused"] = [], []
            assert code_of(forged)[0] == 1
            assert not package_holds(forged, None)
