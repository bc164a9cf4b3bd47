"""The card, the fewest tasks to drop, and what is left out in turn: both checkers take and refuse the same."""

from __future__ import annotations

import contextlib
import copy
import itertools
from fractions import Fraction

import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries

RULES = ("mean", "borda", "majority", "dowdall", "plurality", "veto")


def tables(seed):
    """Return a table of small integers, of another scale where the seed is large."""
    return board(seed, models=4, tasks=5, highest=9) + (200 if seed > 5 else 0)


def claims(frame):
    """Return cards by each rule, and each task and model left out in turn by those that are sums."""
    table = wl.Leaderboard(frame)
    for rule in RULES:
        with contextlib.suppress(wl.NoWinnerError):
            yield wl.studies.card(table, rule)
        for drop in ("tasks", "models") if rule != "majority" else ():
            yield wl.studies.leave_one_out(table, rule, drop=drop, top=3)


@pytest.mark.parametrize("seed", [2, 4, 6, 8, 3, 5])
def test_true_claims_are_accepted_and_those_of_another_table_are_not(seed):
    frame = tables(seed)
    for found in claims(frame):
        document = document_of(found)
        assert code_of(document) == (0, code_of(document)[1])
        assert code_of(document, csv_of(frame))[0] == 0, code_of(document, csv_of(frame))
        other = frame.copy()
        other.iloc[1, 1] += 1
        assert code_of(document, csv_of(other))[0] == 1
        assert not package_holds(document, wl.Leaderboard(other))


@pytest.mark.parametrize("seed", [2, 6, 3])
def test_both_refuse_the_same_forgeries(seed):
    frame = tables(seed)
    source = wl.Leaderboard(frame)
    for found in claims(frame):
        for forged in some_forgeries(document_of(found), 60, seed=seed):
            accepted = code_of(forged, csv_of(frame))[0] == 0
            assert accepted == package_holds(forged, source), (found.kind, forged)


@pytest.mark.parametrize("seed", [2, 4, 6, 8])
def test_the_nearest_false_claims_are_refused(seed):
    frame, seen = tables(seed), set()
    for found in claims(frame):
        document = document_of(found)
        for forged, part in nearest(document):
            seen.add(part)
            assert code_of(forged)[0] == 1, (part, forged)
            assert not package_holds(forged, None), (part, forged)
    assert {"fewer", "more", "error", "weight", "swaps"} <= seen


def nearest(document):
    """Yield claims one unit better or worse than a true one, and which part was changed."""
    if document["kind"] == "leave_one_out":
        for step in (-1, 1):
            forged = copy.deepcopy(document)
            forged["parts"][0]["swaps"] += step
            yield forged, "swaps"
        return
    for step, part in itertools.product((-1, 1), ("error", "weight")):
        if document[part] is not None:
            forged = copy.deepcopy(document)
            value = Fraction(document[part]) + Fraction(step, 100_000)
            forged[part] = f"{value.numerator}/{value.denominator}"
            yield forged, part
    drops = document["drops"]
    if drops and drops["dropped"]:
        more = [one for one in scores_of(document) if one not in drops["dropped"]][:1]
        for names, part in ((drops["dropped"][1:], "fewer"), ([*drops["dropped"], *more], "more")):
            forged = copy.deepcopy(document)
            chosen = [one for one in scores_of(document) if one in names]
            forged["drops"] |= {"dropped": chosen, "count": len(chosen)}
            forged["tasks"] = len(chosen)
            yield forged, part


def test_a_shift_among_some_weights_is_not_that_of_a_card():
    table = wl.Leaderboard(tables(4))
    document = document_of(wl.studies.card(table, "borda"))
    bound = wl.lp.WeightSpace(table.tasks).at_most(table.tasks[0], "0.2")
    for options in ({"space": bound}, {"ties": "min"}):
        forged = copy.deepcopy(document)
        moved = wl.lp.stability(table, rule="borda", norm="l1", **options)
        forged["move"] = {name: part for name, part in document_of(moved).items() if name in document["move"]}
        shift = moved.radius("l1") / 2
        forged["weight"] = f"{shift.numerator}/{shift.denominator}"
        assert (code_of(forged)[0], package_holds(forged, None)) == (1, False)
    assert (code_of(document)[0], package_holds(document, None)) == (0, True)


def scores_of(document):
    """Return the tasks of the table that a card carries."""
    (table,) = document["shared_tables"] if "shared_tables" in document else (document["board"],)
    return [*table["scores"]]


def test_what_is_not_known_is_named_as_not_checked():
    frame = tables(2)
    document = document_of(wl.studies.leave_one_out(wl.Leaderboard(frame), "copeland"))
    code, said = code_of(document, csv_of(frame))
    assert code == 3
    assert "not checked: one left out in turn by copeland" in said
    dropped = document_of(
        wl.lp.fewest_drops(
            wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 3, "b": 1}}), "median"
        )
    )
    assert code_of(dropped)[0] == 3
