"""Decision matrices as tools of multi-criteria decisions write them, which say how each criterion counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from weightlab._text import counted
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.sheet import Block, Decided, Sheet

LOWER = frozenset({"min", "minimize", "minimise", "minimum", "cost", "lower", "-1", "-1.0"})
HIGHER = frozenset({"max", "maximize", "maximise", "maximum", "benefit", "profit", "higher", "1", "1.0", "+1"})
"""How objectives are written."""


def decision_sheet(document: Any, name: str, number: Callable[[Any], float | Fraction | None]) -> Sheet | None:
    """Return the sheet of a decision matrix, whose objectives and weights are declarations; None of all else.

    It is an object with ``matrix``, a list of rows, and ``objectives``, each ``min`` or ``max``, or -1 or 1. It may
    hold ``weights``, ``alternatives`` and ``criteria``, too.

    Raises
    ------
    FileFormatError
        If its parts do not fit each other.
    """
    if not isinstance(document, Mapping) or not {"matrix", "objectives"} <= document.keys():
        return None
    rows, ways = document["matrix"], document["objectives"]
    if not all(isinstance(one, list) for one in (rows, ways)) or not all(isinstance(row, list) for row in rows):
        return None
    criteria = _names(document, "criteria", len(ways), name)
    models = _names(document, "alternatives", len(rows), name)
    shares = [*map(number, _names(document, "weights", len(ways), name))] if document.get("weights") else []
    wrong = [f"row {at} has {counted(len(row), 'score')}" for at, row in enumerate(rows, 1) if len(row) != len(ways)]
    wrong += [
        f"row {at} holds {str(one)[:60]}, which is not a score"
        for at, row in enumerate(rows, 1)
        for one in row
        if isinstance(one, Mapping | list)
    ]
    wrong += [f"the objective {one!r} is neither min nor max" for one in ways if _told(one) not in LOWER | HIGHER]
    wrong += ["a weight is not a number from 0 on"] * any(share is None or share < 0 for share in shares)
    if wrong:
        raise FileFormatError(name, [*dict.fromkeys(wrong)])
    decided = {
        task: Decided(lower=_told(way) in LOWER, certainty="certain", why="its objective")
        for task, way in zip(criteria, ways, strict=True)
    }
    columns = [models, *(list(column) for column in zip(*rows, strict=True))]
    return Sheet(
        header=("", *criteria),
        blocks=iter([Block(rows=range(1, len(rows) + 1), columns=columns)] if rows else []),
        place="row {}".format,
        labelled=True,
        decided=decided,
        remarks=(f"objectives{' and weights' * bool(shares)} as the file declares them",),
        says={"weights": dict(zip(criteria, shares, strict=True))} if shares else {},
    )


def _names(document: Mapping[str, Any], kind: str, due: int, name: str) -> Sequence[Any]:
    """Return the matrix's label of each row or column, or their numbers if it has none."""
    held = document.get(kind) or [f"{kind[0].upper()}{at}" for at in range(due)]
    if not isinstance(held, list) or len(held) != due:
        raise FileFormatError(name, f"a list of {due} {kind} is needed, one for each; got {str(held)[:60]}")
    if kind == "weights":
        return held
    called = Counter(map(str, held))
    if len(called) < due:
        raise FileFormatError(name, f"{called.most_common(1)[0][0]!r} stands twice in {kind}")
    return [*map(str, held)]


def _told(objective: Any) -> str:
    return str(objective).strip().casefold()
