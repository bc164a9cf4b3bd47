"""Named score tables: what suites (datasets) and instances (tasks) both are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from weightlab._validate import Faults, checked_names, is_scalar
from weightlab.data.frame.cells import Cells

__all__ = ["Table", "as_frame", "check_filled", "first_appearances", "tables_from_frames"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Scores of some models under some columns, without empty rows or columns.

    Attributes
    ----------
    models, columns : tuple of str
        Names of the rows and columns.
    cells : Cells
        The scores.
    """

    models: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Cells

    def frame(self) -> pd.DataFrame:
        """Return the scores as doubles, models x columns."""
        return pd.DataFrame(self.cells.floats.copy(), index=list(self.models), columns=list(self.columns))

    def exact_frame(self) -> pd.DataFrame:
        """Return the scores, those that no double holds as fractions."""
        if not self.cells.exact:
            return self.frame()
        cells: Any = self.cells.floats.astype(object)
        for place, value in self.cells.exact.items():
            cells[place] = value
        return pd.DataFrame(cells, index=list(self.models), columns=list(self.columns))

    def select(self, *, models: Iterable[str] | None = None, columns: Iterable[str] | None = None) -> Table:
        """Return what the table has of some models and columns, in the given order and once each.

        Rows and columns that are left without a score are left out.
        """
        row = {name: position for position, name in enumerate(self.models)}
        column = {name: position for position, name in enumerate(self.columns)}
        rows = [row[name] for name in dict.fromkeys(self.models if models is None else models) if name in row]
        taken = [column[name] for name in dict.fromkeys(self.columns if columns is None else columns) if name in column]
        return filled(
            Table(
                models=tuple(self.models[i] for i in rows),
                columns=tuple(self.columns[j] for j in taken),
                cells=self.cells.take(rows, taken),
            )
        )

    def equals(self, other: Table) -> bool:
        """Tell whether another table has the same names and exact scores."""
        return (self.models, self.columns) == (other.models, other.columns) and self.cells.equals(other.cells)


def filled(table: Table) -> Table:
    """Return the table without rows and columns that have no score at all."""
    present = ~table.cells.missing
    if present.size and present.any(axis=1).all() and present.any(axis=0).all():
        return table
    rows = np.flatnonzero(present.any(axis=1)).tolist()
    columns = np.flatnonzero(present.any(axis=0)).tolist()
    return Table(
        models=tuple(table.models[row] for row in rows),
        columns=tuple(table.columns[column] for column in columns),
        cells=table.cells.take(rows, columns),
    )


def check_filled(cells: Cells, models: Sequence[str], tasks: Sequence[str], faults: Faults) -> None:
    """Note what a leaderboard lacks: two models, a task, a score in each row and column."""
    if len(models) < 2:
        faults.add(f"a leaderboard needs at least two models; got {len(models)}")
    if not tasks:
        faults.add("a leaderboard needs at least one task; got none")
    if faults or not models or not tasks:
        return
    missing = cells.missing
    for row in np.flatnonzero(missing.all(axis=1)):
        faults.add(f"model {models[row]!r} has no score at all")
    for column in np.flatnonzero(missing.all(axis=0)):
        faults.add(f"task {tasks[column]!r} has no score at all")


def as_frame(given: Any, faults: Faults) -> pd.DataFrame:
    """Return what is given as a frame, noting what cannot be one."""
    if isinstance(given, pd.DataFrame):
        return given
    if isinstance(given, pd.Series):
        return given.to_frame()
    try:
        if given is not None and not is_scalar(given):
            return pd.DataFrame(given)
        faults.add(f"a table of scores is needed; got {given!r}")
    except (TypeError, ValueError) as error:
        faults.add(f"a table of scores is needed; what is given is not one: {error}")
    return pd.DataFrame()


def tables_from_frames(frames: Any, faults: Faults, *, name_kind: str, column_kind: str) -> dict[str, Table]:
    """Return a table a frame (models x columns), noting every fault with the name of the frame it is in."""
    if not isinstance(frames, Mapping):
        faults.add(f"a mapping from {name_kind}s to tables is needed; got a {type(frames).__name__}")
        return {}
    names = checked_names(frames, name_kind, faults)
    tables: dict[str, Table] = {}
    for name, given in zip(names, frames.values(), strict=True):
        own = Faults()
        frame = as_frame(given, own)
        table = Table(
            models=checked_names(frame.index, "model", own),
            columns=checked_names(frame.columns, column_kind, own),
            cells=Cells.from_frame(frame, own, row_kind="model", column_kind=column_kind),
        )
        faults.include(own, f"{name_kind} {name!r}")
        # With faults the table is whole, so that its names are known where the other declarations are checked.
        tables[name] = table if own else filled(table)
        if not own and not tables[name].models:
            faults.add(f"{name_kind} {name!r} has no score at all")
    if not names:
        faults.add(f"at least one {name_kind} is needed; got none")
    return tables


def first_appearances(sequences: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the distinct names in order of first appearance."""
    return tuple(dict.fromkeys(name for names in sequences for name in names))
