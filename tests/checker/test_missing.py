"""Missing scores as unknown numbers: what one of the two checkers refuses the other refuses as well."""

from __future__ import annotations

import json
import random

import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries
from weightlab import checker

SEEDS = [2, 3, 5, 8]
RULES = ("majority", "mean", "borda")


def tables(seed):
    """Return a table with gaps, what is declared about it, and its text."""
    frame, rng = board(seed, models=4, tasks=3, highest=4), random.Random(seed)  # noqa: S311 - tables, no secrets
    for _ in range(2):
        frame.iloc[rng.randrange(4), rng.randrange(3)] = None
    lower = ["t1"] if seed > 4 else []
    table = wl.Leaderboard(frame, lower_is_better=lower, weights={"t0": 2})
    declared = checker.Declared(lower=tuple(lower), weights={"t0": checker.Fraction(2)})
    return table, declared, csv_of(frame)


def claims(table):
    """Return what is known of missing scores by each rule, with bounds and without, and with free weights."""
    space = wl.lp.WeightSpace(table).at_most("t0", "0.5").near(None, "0.6")
    for rule in RULES:
        yield wl.lp.missing(table, rule=rule, bounds=(0, 4))
        if rule != "mean":
            yield wl.lp.missing(table, rule=rule, bounds={"t2": (1, None)})
        if rule != "borda":
            yield wl.lp.missing(table, rule=rule, bounds=(1, 3), space=space)


@pytest.mark.parametrize("seed", SEEDS)
def test_true_claims_are_accepted_and_those_of_another_table_are_not(seed):
    table, declared, text = tables(seed)
    changed = text.replace(",4.0", ",2.5", 1) if ",4.0" in text else text.replace(",3.0", ",2.5", 1)
    for found in claims(table):
        document = json.dumps(document_of(found))
        report = checker.check(document, text, declared)
        assert report.code == 0, report.lines
        with pytest.raises(checker.FalseClaimError, match="are not the table"):
            checker.check(document, changed, declared)
        if found.space is None:
            with pytest.raises(checker.FalseClaimError, match="the weights differ"):
                checker.check(document, text, declared._replace(weights={}))


@pytest.mark.parametrize("seed", SEEDS)
def test_both_refuse_the_same_forgeries(seed):
    table, _, _ = tables(seed)
    for found in claims(table):
        for forged in some_forgeries(document_of(found), 50, seed=seed):
            code, words = code_of(forged)
            if forged.get("kind") == "missing" and code != 2:
                assert package_holds(forged, None) == (code == 0), (forged, words)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_nearest_false_claims_are_refused(seed):
    table, _, _ = tables(seed)
    for found in claims(table):
        document = document_of(found)
        for name in ("possible", "necessary", "whatever_values", "whatever_weights", "undecided"):
            for model in table.models:
                forged = json.loads(json.dumps(document))
                kept = [one for one in table.models if (one in document[name]) != (one == model)]
                forged[name] = kept
                assert code_of(forged)[0] == 1, (name, model)


def test_what_is_not_known_is_named_as_not_checked():
    table, _, _ = tables(3)
    tolerant = wl.Leaderboard(table.scores, tolerance=1)
    code, told = code_of(document_of(wl.lp.missing(tolerant, rule="majority")))
    assert code == 3
    assert "tolerances" in told
