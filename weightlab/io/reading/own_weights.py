"""Totals by weights of the board's own, found by linear programs: their columns, and the weight of each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from weightlab._exact import FloatArray
from weightlab.io.reading.drafts import Draft, Total
from weightlab.io.reading.words import hit

MOST_TRIED = 10
"""Columns that a program is solved for."""
FEW_FITTED, MOST_FITTED = 2_000, 10_000
"""Numbers in a program; what it finds on some rows is verified on all."""
FEWEST_ROWS = 12
LARGEST_DENOMINATOR = 20
TINY = 1e-6
"""Weights below it count as 0."""
LEAST_SHARE = 0.005
"""Of a total's spread, what each part makes at least."""


def find_own_weights(drafts: Sequence[Draft]) -> None:
    """Decide which columns are totals of others by non-negative weights, those of fewest parts first.

    Tried are columns with a word for a total, and those that least squares on all others meet within rounding; what
    was found becomes a part of the next. Without the floor of rows half of a table's true tasks are totals of others.
    """
    for _ in range(MOST_TRIED):
        found = [(draft, total) for draft in _candidates(drafts) if (total := _total(draft, drafts))]
        sure = [one for one in found if one[1].rows >= 3 * len(one[1].parts) and _tells(*one, drafts)]
        named = [one for one in found if hit(one[0].name, "aggregate")]
        if not sure and not named:
            return
        draft, total = min(sure or named, key=lambda one: len(one[1].parts))
        draft.decide("aggregate", *(("certain", str(total)) if sure else ("likely", f"{total}, and its name")))
        draft.total = total


def _candidates(drafts: Sequence[Draft]) -> list[Draft]:
    open_ = [one for one in drafts if one.role == "" and len(np.unique(one.good)) > 2]
    named = [one for one in open_ if hit(one.name, "aggregate")]
    if len(open_) > 200:
        return named[:MOST_TRIED]
    return [*named, *(one for one in open_ if one not in named and _meets(one, drafts))][:MOST_TRIED]


def _meets(draft: Draft, drafts: Sequence[Draft]) -> bool:
    """Return whether least squares on all possible parts come within rounding of a column."""
    parts = _parts(draft, drafts)
    table, total = _rows(draft, parts)
    if len(parts) < 2 or 3 * len(parts) > len(total):
        return False
    off = np.abs(table @ np.linalg.lstsq(table, total, rcond=None)[0] - total).max()
    return bool(off <= 2 * (draft.half_unit + max(one.half_unit for one in parts)))


def _parts(draft: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """Return the possible parts of a column: totals found before, and open columns that are in none of these."""
    totals = [one for one in drafts if one.total is not None and one is not draft]
    inside = {name for one in totals if one.total for name in one.total.parts}
    word = hit(draft.name, "aggregate") is not None
    free = [one for one in drafts if one.role == "" and one is not draft and one.name not in inside]
    free = [one for one in free if not (word and hit(one.name, "aggregate"))]
    parts = [*(one for one in totals if one.name not in inside), *free]
    full = [one for one in parts if np.isnan(one.values).mean() < 0.2]
    return full if len(full) > 1 else parts


def _rows(draft: Draft, parts: Sequence[Draft]) -> tuple[FloatArray, FloatArray]:
    """Return the rows that have a column and all parts."""
    table = np.column_stack([one.values for one in (draft, *parts)])
    table = table[~np.isnan(table).any(axis=1)]
    return table[:, 1:], table[:, 0]


def _total(draft: Draft, drafts: Sequence[Draft]) -> Total | None:
    """Return the weighted mean, or by its name the weighted sum, that a column is; None if it is neither.

    Totals found before are tried as parts first, then the columns that they are made of.
    """
    parts, leaves = _parts(draft, drafts), [one for one in drafts if one.role == "" and one is not draft]
    leaves = [one for one in leaves if not hit(one.name, "aggregate")]
    found = _made_of(draft, parts)
    return found or (_made_of(draft, leaves) if {*map(id, leaves)} != {*map(id, parts)} else None)


def _made_of(draft: Draft, parts: Sequence[Draft]) -> Total | None:
    if len(parts) < 2:
        return None
    table, total = _rows(draft, parts)
    if 3 * len(parts) > len(total) or len(total) < FEWEST_ROWS:
        return None
    own, rounding = 2 * draft.half_unit, np.array([0.0 if one.whole else one.half_unit for one in parts])
    off = table @ np.linalg.lstsq(table, total, rcond=None)[0] - total
    for kind in ("weighted mean", "weighted sum")[: 2 if hit(draft.name, "aggregate") else 1]:
        # Least squares are nearest of all in the mean square, so where they are too far every program is, too.
        if float(np.sqrt(np.mean(off**2))) > own + (rounding.max() if kind == "weighted mean" else rounding.sum()):
            continue
        used = [*range(len(parts))]
        weights = _least_violation(table, total, own, rounding, kind)
        if weights is None:
            continue
        found = weights
        while weights is not None:
            fewer = [one for one, weight in zip(used, weights.tolist(), strict=True) if weight > TINY]
            if len(fewer) == len(used):
                least = int(np.argmin(weights))
                fewer = used[:least] + used[least + 1 :]
            weights = _least_violation(table[:, fewer], total, own, rounding[fewer], kind) if len(fewer) > 1 else None
            found, used = (weights, fewer) if weights is not None else (found, used)
        if len(used) >= 2 and _all_matter(found, table[:, used], total):
            return Total(kind=kind, parts=tuple(parts[one].name for one in used), rows=len(total), agree=len(total))
    return None


def _least_violation(
    table: FloatArray, total: FloatArray, own: float, rounding: FloatArray, kind: str
) -> FloatArray | None:
    """Return weights such that ``|total - table w| <= own + rounding w`` in every row; None if none fit."""
    from scipy.optimize import linprog  # noqa: PLC0415 (loaded late: it takes longer than most tables)

    count = table.shape[1]
    found: Any = None
    slack = 1e-11 * max(1.0, float(np.abs(total).max()))
    for most in (FEW_FITTED, MOST_FITTED):  # what some rows forbid, all do
        step = max(1, table.size // most)
        some, fitted = table[::step], total[::step]
        rows = len(some)
        found = linprog(
            np.r_[np.zeros(count), 1],
            A_ub=np.r_[np.c_[some - rounding, -np.ones(rows)], np.c_[-some - rounding, -np.ones(rows)]],
            b_ub=np.r_[fitted + own, own - fitted],
            A_eq=np.r_[np.ones(count), 0][None] if kind == "weighted mean" else None,
            b_eq=[1] if kind == "weighted mean" else None,
            method="highs",
        )
        if found.status or found.fun > 1e-6 * max(1.0, float(np.abs(total).max())):
            return None
        if step == 1:
            break
    weights = np.asarray(found.x[:count])
    # The program is solved to seven digits or so, which of doubles that are not rounded would decide by chance.
    # Least squares on the weights above zero are exact there, to the last digits; where they leave the cone or the sum,
    # the program's own weights must do, which decimals rounded by hand forgive.
    above = weights > TINY
    exact = np.zeros(count)
    exact[above] = np.linalg.lstsq(table[:, above], total, rcond=None)[0]
    for one in (weights, exact):
        off = np.abs(table @ one - total) - own - rounding @ one
        unit = kind == "weighted sum" or abs(one.sum() - 1) <= 1e-9
        if (one >= 0).all() and unit and off.max() <= slack:
            return one
    return None


def _all_matter(weights: FloatArray, table: FloatArray, total: FloatArray) -> bool:
    """Return whether each part moves the total, and no part alone makes it: else it is a column equal to another."""
    shares = weights * table.std(axis=0) / (total.std() or 1.0)
    return bool(shares.min() >= LEAST_SHARE and weights.max() <= (1 - LEAST_SHARE) * weights.sum())


def _tells(draft: Draft, total: Total, drafts: Sequence[Draft]) -> bool:
    """Return whether the rounding is fine enough to tell: within a row parts differ, and so do totals of rows."""
    parts = [one for one in drafts if one.name in total.parts]
    table, values = _rows(draft, parts)
    coarse = max(one.half_unit for one in parts)
    spread = float(np.median(np.ptp(table, axis=1)))
    return (
        coarse <= spread / 4
        and 2 * draft.half_unit + coarse <= 0.1 * float(values.std())
        and not (total.kind == "weighted sum" and not hit(draft.name, "aggregate"))
    )


def weight_ranges(draft: Draft, drafts: Sequence[Draft]) -> tuple[tuple[float, float], ...]:
    """Return the least and the greatest weight of each part that the rows allow: two programs per part."""
    from scipy.optimize import linprog  # noqa: PLC0415

    assert draft.total is not None  # noqa: S101 - that of which weights are asked
    by_name = {one.name: one for one in drafts}
    parts = [by_name[name] for name in draft.total.parts]
    table, values = _rows(draft, parts)
    rounding = np.array([0.0 if one.whole else one.half_unit for one in parts])
    own = 2 * draft.half_unit
    step = max(1, table.size // MOST_FITTED)
    rows, limits = table[::step], values[::step]
    equal: dict[str, Any] = (
        {"A_eq": np.ones((1, len(parts))), "b_eq": [1]} if draft.total.kind != "weighted sum" else {}
    )
    inside: dict[str, Any] = {
        "A_ub": np.r_[rows - rounding, -rows - rounding],
        "b_ub": np.r_[limits + own, own - limits],
    }

    def least(aim: FloatArray) -> float:
        found: Any = linprog(aim, **inside, **equal, method="highs")
        return float(found.fun)

    units = np.eye(len(parts))
    return tuple((least(unit), -least(-unit)) for unit in units)


def named_fractions(ranges: Sequence[tuple[float, float]]) -> tuple[Fraction, ...] | None:
    """Return the weights of one common denominator up to 20 that fit every range and sum to 1; None unless unique.

    For each denominator the least choice is tried first; several choices for one denominator count as none.
    """
    for below in range(1, LARGEST_DENOMINATOR + 1):
        choices = [
            [top for top in range(ceil(low * below - 1e-6), floor(high * below + 1e-6) + 1) if top > 0]
            for low, high in ranges
        ]
        if all(len(one) == 1 for one in choices) and sum(one[0] for one in choices) == below:
            return tuple(Fraction(one[0], below) for one in choices)
    return None
