"""Margins that travel inside a result, so that its claim can be checked anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.data.margins import Margins
from weightlab.exceptions import InputError, ProofError
from weightlab.graph.majority import MajorityLike, margins_of

__all__ = ["check_margins", "margins_from_json", "margins_to_json"]

INT64_SAFE = 2**62


def margins_to_json(margins: Margins) -> dict[str, Any]:
    """Return margins ready for JSON: integer wins and ties over one denominator."""
    return {
        "models": list(margins.models),
        "denominator": int(margins.denominator),
        "wins": margins.wins.tolist(),
        "ties": margins.ties.tolist(),
    }


def margins_from_json(document: Any) -> Margins:
    """Return the margins that ``margins_to_json`` wrote.

    Raises
    ------
    InputError
        If they are of another form.
    """
    if not isinstance(document, Mapping):
        raise InputError("margins are an object with 'models', 'denominator', 'wins' and 'ties'")
    models = tuple(document["models"])
    denominator = document["denominator"]
    if not all(isinstance(model, str) for model in models) or len(set(models)) < len(models):
        raise InputError("the models of the margins are not distinct names")
    if not _is_integer(denominator) or denominator < 1:
        raise InputError(f"the denominator of the margins is no positive integer: {denominator!r}")
    wins = _square(document["wins"], len(models), "wins")
    ties = _square(document["ties"], len(models), "ties")
    return Margins(models=models, wins=wins, ties=ties, denominator=denominator)


def check_margins(margins: Margins, source: MajorityLike | None) -> None:
    """Raise ProofError unless margins are well formed and, where a source is given, are that source's own."""
    wins, ties = margins.wins, margins.ties
    ensure(not np.any(wins < 0) and not np.any(ties < 0), "the margins carried have negative wins or ties")
    ensure(np.array_equal(ties, ties.T), "the ties carried are not the same from both sides")
    ensure(not np.diagonal(wins).any() and not np.diagonal(ties).any(), "a model has a duel with itself")
    if source is None:
        return
    own = margins_of(source)
    ensure(own.models == margins.models, "the models carried are not those of the source, in its order")
    for what, carried, given in (("wins", wins, own.wins), ("ties", ties, own.ties)):
        differ = np.argwhere(carried.astype(object) * own.denominator != given.astype(object) * margins.denominator)
        if len(differ):
            row, column = differ[0].tolist()
            raise ProofError(
                f"{what} of {margins.models[row]!r} over {margins.models[column]!r}: the result carries "
                f"{Fraction(int(carried[row, column]), margins.denominator)}, the source has "
                f"{Fraction(int(given[row, column]), own.denominator)}"
            )


def _square(rows: Any, count: int, what: str) -> AnyArray:
    listed = list(rows)
    if len(listed) != count or any(not isinstance(row, list) or len(row) != count for row in listed):
        raise InputError(f"{what}: {count} rows of {count} integers are needed")
    if not all(_is_integer(one) for row in listed for one in row):
        raise InputError(f"{what}: a cell is not an integer")
    largest = max((abs(one) for row in listed for one in row), default=0)
    return np.array(listed, dtype=np.int64 if largest < INT64_SAFE else object).reshape(count, count)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
