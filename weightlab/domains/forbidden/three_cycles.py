"""Orders chosen by integer programs: rows against cycles of three and against whatever else must not be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from weightlab._exact import BoolArray
from weightlab._solver import Rows


def three_cycles(before: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Yield a cycle of three through each thing that is on one; none exactly if the choices are an order.

    Parameters
    ----------
    before : ndarray of bool, things x things
        Of any two things exactly one is before the other; the diagonal is False.
    """
    wins = before.sum(axis=1)
    # The wins of an order are all different, and a tournament whose wins are is an order.
    if len(np.unique(wins)) == len(wins):
        return
    for a in range(len(before)):
        after, ahead = np.flatnonzero(before[a]), np.flatnonzero(before[:, a])
        back = np.argwhere(before[np.ix_(after, ahead)])
        if len(back):
            yield a, int(after[back[0][0]]), int(ahead[back[0][1]])


def clause_rows(clauses: Sequence[Sequence[tuple[int, bool]]], width: int) -> Rows:
    """Return rows that ask that not all choices of a clause are made; a choice is a column, and whether at 0.

    As in satisfiability a clause becomes a row: of its literals, x or 1 - x, at least one must be 0.
    """
    entries: list[dict[int, int]] = []
    for clause in clauses:
        entry: dict[int, int] = {}
        for column, at_zero in clause:
            entry[column] = entry.get(column, 0) + (1 if at_zero else -1)
        entries.append(entry)
    least = [1 - sum(not at_zero for _, at_zero in clause) for clause in clauses]
    labels = [f"not all of {len(clause)} choices" for clause in clauses]
    return Rows.from_dicts(entries, width=width, lower=least, labels=labels)
