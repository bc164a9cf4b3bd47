"""Claims to forge, and whether a forged one is refused or still true."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import os
import random
from fractions import Fraction

import pandas as pd
import pytest

import weightlab as wl
from tests.lp.truth import is_true
from weightlab._result import result_from_dict
from weightlab.lp import WeightSpace

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
FALSE = (wl.ProofError, wl.InputError)

BOARD = wl.Leaderboard(
    pd.DataFrame(
        [[5, 1, 1, 0], [1, 5, 1, 1], [1, 1, 5, 2], [3, 3, 3, 2], [2, 2, 2, 3], [1, 2, 4, 4], [0, 4, 0, 4]],
        index=list("ABCDEFG"),
        columns=list("wxyz"),
    )
)
SPACE = WeightSpace(BOARD).at_most("w", "0.4").near([1, 1, 1, 1], "1.2").no_less("x", "y")


def contradiction():
    space = WeightSpace(BOARD).at_least(["w", "x"], "0.7").near([1, 1, 1, 1], "0.3").at_most("z", 1)
    with pytest.raises(wl.EmptySpaceError) as caught:
        wl.lp.prospect(BOARD, "A", space=space)
    return caught.value.proof


FEW_THEN_NEAR = [wl.lp.fewest_tasks(strict=True), wl.lp.closest_to(norm="linf")]

RESULTS = {
    "a strict model": lambda: wl.lp.prospect(BOARD, "D"),
    "a model that never wins": lambda: wl.lp.prospect(BOARD, "E", fewest_blockers=True),
    "a weak model in a space": lambda: wl.lp.prospect(BOARD, "D", space=WeightSpace(BOARD).fixed(["w", "x"], "2/3")),
    "a blocked model in a space": lambda: wl.lp.prospect(BOARD, "B", space=SPACE, fewest_blockers=True),
    "all models": lambda: wl.lp.prospects(BOARD),
    "all models in a space": lambda: wl.lp.prospects(BOARD, space=WeightSpace(BOARD).at_most("w", "0.4")),
    "the nearest weights": lambda: wl.lp.scenario(BOARD, "A", wl.lp.closest_to()),
    "the nearest weights in a space": lambda: wl.lp.scenario(BOARD, "D", wl.lp.closest_to([3, 1, 1, 1]), space=SPACE),
    "the least change": lambda: wl.lp.scenario(BOARD, "C", wl.lp.closest_to(norm="linf"), margin="1/10"),
    "the most balanced weights": lambda: wl.lp.scenario(BOARD, "F", wl.lp.most_balanced()),
    "the most of one task": lambda: wl.lp.scenario(BOARD, "D", wl.lp.most_weight(["w", "z"])),
    "a contradiction": contradiction,
    "the widest lead, then few": lambda: wl.lp.scenario(BOARD, "D", [wl.lp.widest_margin(), wl.lp.fewest_tasks()]),
    "few, then near": lambda: wl.lp.scenario(BOARD, "C", [wl.lp.fewest_tasks(), wl.lp.closest_to()]),
    "few that win, then near": lambda: wl.lp.scenario(BOARD, "D", FEW_THEN_NEAR, space=SPACE),
    "as few as win": lambda: wl.lp.fewest_task_sets(BOARD, "C", strict=True),
    "as few as win in a space": lambda: wl.lp.fewest_task_sets(BOARD, "D", strict=True, space=SPACE),
    "a winning region": lambda: wl.lp.winning_region(BOARD, "G"),
    "a winning region in a space": lambda: wl.lp.winning_region(BOARD, "D", space=SPACE),
    "the region of a weak model": lambda: wl.lp.winning_region(BOARD, "E"),
    "a map of winners": lambda: wl.lp.map_of_winners(BOARD, ["w", "x", "z"]),
    "a winner by Borda": lambda: wl.lp.prospect(BOARD, "D", rule="borda"),
    "a loser by the mean in a space": lambda: wl.lp.prospect(BOARD, "E", rule="mean", space=SPACE),
    "a model by custom points": lambda: wl.lp.prospect(BOARD, "F", rule=[9, 5, 3, 2, 1, 0, 0], ties="max"),
    "a winner by Copeland": lambda: wl.lp.prospect(BOARD, "D", rule="copeland"),
    "a model by minimax": lambda: wl.lp.prospect(BOARD, "E", rule="minimax"),
    "a rank range": lambda: wl.lp.rank_range(BOARD, "F", "dowdall", space=SPACE),
    "all rank ranges": lambda: wl.lp.rank_ranges(BOARD, "borda", space=SPACE),
    "what each must carry": lambda: wl.lp.weight_ranges(BOARD, "D", space=SPACE),
}


def refuses(claim, **changes):
    """Tell whether an object with some fields replaced is refused."""
    try:
        dataclasses.replace(claim, **changes).verify(BOARD)
    except FALSE:
        return True
    return False


def tells_no_lie(claim, **changes):
    """Tell whether an object with some fields replaced is refused or, its witnesses being others, still true."""
    return refuses(claim, **changes) or is_true(dataclasses.replace(claim, **changes), BOARD)


def moved(series, *, by=Fraction(1, 10**6)):
    """Yield series that differ in one place."""
    for place in range(len(series)):
        other = series.copy()
        other.iloc[place] += by
        yield other


def exchanged(series, *, by=Fraction(1, 10**6)):
    """Yield series with the same sum that differ in two places."""
    for place, other in enumerate(moved(series, by=by)):
        other.iloc[place - 1] -= by
        yield other


def holds(document):
    """Tell whether a document is accepted; what is accepted must be true."""
    try:
        claim = result_from_dict(document)
        claim.verify(BOARD)
    except FALSE:
        return False
    told = json.dumps(claim.to_dict(), sort_keys=True)
    if told not in _TRUE:
        assert is_true(claim, BOARD), json.dumps(document)
        _TRUE.add(told)
    return True


_TRUE = set()
"""Claims about the board that hold: a forgery that says the same again is as true."""


def places(document, path=()):
    """Yield the path of every part of a document."""
    if path:
        yield path
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from places(document[key], (*path, key))


def part_of(document, path):
    for key in path:
        document = document[key]
    return document


def changed(document, path, change):
    """Return a document in which ``change(holder, key)`` has been done at a path; all else it shares with the first."""
    forged = holder = copy.copy(document)
    for key in path[:-1]:
        holder[key] = holder = copy.copy(holder[key])
    change(holder, path[-1])
    return forged


def replacements(value):
    """Return what to put in the place of a value."""
    if isinstance(value, str):
        if "/" in value and value.replace("/", "").replace("-", "").isdigit():
            number = Fraction(value)
            others = [number + 1, -number, number / 2, number + Fraction(1, 10**9), Fraction(0)]
            wrong = ["1/0", "nan", "1e3", "0.5", value + " ", 0.5, True, None, [], float("nan")]
            return [f"{one.numerator}/{one.denominator}" for one in others if one != number] + wrong
        return ["", value + "?", value[::-1] + "+", value.swapcase() + "0", 1, None]
    if isinstance(value, list):
        return [[], value[1:], value[:-1], value + value[:1], value[::-1] if value[::-1] != value else [0], {}, None]
    if isinstance(value, dict):
        pairs = list(value.items())
        return [{}, dict(pairs[1:]), dict(pairs[::-1]), {**value, "ghost": "1/2"}, list(value.values()), "no", None]
    return [True, 10**400, -1, 0, "1", 1.5]


def some_forgeries(document, count, *, seed=1):
    """Return documents in which one part has been replaced by another: so many, of as many parts as can be, or all."""
    rng = random.Random(seed)  # noqa: S311 - a sample, no secret
    by_part = []
    for path in places(document):
        part = part_of(document, path)
        written = json.dumps(part)
        by_part.append([(path, other) for other in replacements(part) if json.dumps(other) != written])
        rng.shuffle(by_part[-1])
    rng.shuffle(by_part)
    made = [one for layer in itertools.zip_longest(*by_part) for one in layer if one is not None]
    return [
        changed(document, path, lambda holder, key, other=other: holder.__setitem__(key, other))
        for path, other in (made if THOROUGH else made[:count])
    ]
