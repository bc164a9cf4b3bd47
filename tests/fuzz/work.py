"""What a process does: one unit after the other, within limits."""

from __future__ import annotations

import resource
from collections import Counter

from tests.fuzz.documents import Unit
from tests.fuzz.verdicts import Outcome, Verdict, raised

ALTERATIONS = 100
"""Of each document."""
MEMORY = 4 << 30
"""Bytes that a process may take."""
GROWTH = 300 << 20
"""Bytes that no alteration may add to what a process has taken so far."""


def peak():
    """Return the most bytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def work(pipe, seed, names):
    """Do units as they are asked for, telling before each alteration which it is."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while (number := pipe.recv()) is not None:
        pipe.send(("at", number, -1))
        unit = Unit(seed, number, names)
        counts, found = Counter(), []
        for one in range(ALTERATIONS):
            pipe.send(("at", number, one))
            made = unit.altered(one)
            verdict = measured(unit, made)
            counts[str(verdict.outcome)] += 1
            if verdict.signature:
                found.append(failure(unit, number, one, made, verdict))
        pipe.send(("done", number, (unit.name, counts, found)))


def measured(unit, made):
    """Return the verdict on an alteration, which is a fault where it took much memory."""
    taken = peak()
    try:
        verdict = unit.verdict(made)
    except Exception as error:  # noqa: BLE001 - a fault of these tests, not of what they test
        return raised(error, "these tests")
    more = peak() - taken
    return Verdict(Outcome.MEMORY, f"{more >> 20} MB more") if more > GROWTH else verdict


def failure(unit, number, one, made, verdict):
    """Return all that is needed to try an alteration again."""
    table, declared = made.world.csv()
    return {
        "kind": unit.name,
        "outcome": str(verdict.outcome),
        "signature": verdict.signature,
        "where": made.where,
        "unit": number,
        "alteration": one,
        "with_table": made.with_table,
        "detail": verdict.detail,
        "table": table,
        "declared": str(declared),
        "text": made.text[:200_000],
    }
