"""Named score tables: what suites (datasets) and instances (tasks) both are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from weightlab._result import Frozen, part, read_fraction, read_items, read_list, read_names, refuse_others
from weightlab._validate import Faults, checked_names, exact_cell, is_scalar
from weightlab.data.frame.cells import Cells, holds_text
from weightlab.data.frame.dataframes import is_dataframe, pandas_columns, with_models
from weightlab.data.frame.declarations import Declarations, Declared
from weightlab.data.frame.parts import ensure_same_cells
from weightlab.exceptions import InputError, UnknownNameError


class Table(Frozen):
    """Scores of some models under some columns, without empty rows or columns, and what is known of their errors.

    Attributes
    ----------
    models, columns : tuple of str
        Names of the rows and columns.
    cells : Cells
        The scores.
    errors : Cells or None
        Their standard errors; None where no score has one.
    """

    models: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Cells
    errors: Cells | None = None

    def frame(self) -> pd.DataFrame:
        """Return the scores as doubles, models x columns."""
        return pd.DataFrame(self.cells.floats.copy(), index=list(self.models), columns=list(self.columns))

    def exact_frame(self) -> pd.DataFrame:
        """Return the scores; columns with a score that is not a double hold exact numbers, None for missing ones."""
        frame = self.frame()
        for column in {column for _, column in self.cells.exact}:
            frame.isetitem(column, np.array(self.cells.column(column), dtype=object))
        return frame

    def select(self, *, models: Iterable[str] | None = None, columns: Iterable[str] | None = None) -> Table:
        """Return the part of the table with some models and columns, in the given order and once each.

        Rows and columns that are left without a score are left out.
        """
        taken = []
        for known, wanted in ((self.models, models), (self.columns, columns)):
            place = {name: position for position, name in enumerate(known)}
            taken.append([place[name] for name in dict.fromkeys(known if wanted is None else wanted) if name in place])
        return self.take(*taken).filled()

    def filled(self) -> Table:
        """Return the table without rows and columns that have no score at all."""
        present = ~self.cells.missing
        if present.size and present.any(axis=1).all() and present.any(axis=0).all():
            return self
        rows, columns = (np.flatnonzero(present.any(axis=axis)).tolist() for axis in (1, 0))
        return self.take(rows, columns)

    def take(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return the chosen rows and columns, in the given order."""
        return Table(
            models=tuple(self.models[row] for row in rows),
            columns=tuple(self.columns[column] for column in columns),
            cells=self.cells.take(rows, columns),
            errors=None if self.errors is None else self.errors.take(rows, columns),
        )

    def equals(self, other: Table) -> bool:
        """Return whether another table has the same names, exact scores and standard errors."""
        names = (self.models, self.columns) == (other.models, other.columns)
        return names and self.cells.equals(other.cells) and self.has_errors(other.errors)

    def ensure_same(self, source: Table) -> None:
        """Raise ProofError, naming the first score or standard error that differs from those of a table like this."""
        none = self.cells.nowhere()
        parts = (("score", self.cells, source.cells), ("standard error", self.errors or none, source.errors or none))
        for what, *both in parts if not self.equals(source) else ():
            own, other = (np.array([*map(one.column, range(len(self.columns)))], dtype=object).T for one in both)
            ensure_same_cells(f"the {what} of {{}} on {{}} is", (self.models, self.columns), own, other)

    def parts(self) -> dict[str, Any]:
        """Return the models and the exact scores by column, None where missing; standard errors are left out."""
        return {"models": self.models, "scores": {one: self.cells.column(at) for at, one in enumerate(self.columns)}}

    def has_errors(self, errors: Cells | None) -> bool:
        """Return whether the standard errors are equal, cell by cell."""
        return self.errors is errors if self.errors is None or errors is None else self.errors.equals(errors)

    def note_gaps(self, faults: Faults) -> None:
        """Note what a leaderboard lacks: two models, a task, a score in each row and column."""
        models, tasks = self.models, self.columns
        if len(models) < 2:
            faults.add(f"a leaderboard needs at least two models; got {f'1: {models[0]!r}' if models else 0}")
        if not tasks:
            faults.add("a leaderboard needs at least one task; got none")
        if faults or not models or not tasks:
            return
        missing = self.cells.missing
        for row in np.flatnonzero(missing.all(axis=1)):
            faults.add(f"model {models[row]!r} has no score at all")
        for column in np.flatnonzero(missing.all(axis=0)):
            faults.add(f"task {tasks[column]!r} has no score at all")

    def with_errors(self, errors: Cells | None, faults: Faults) -> Table:
        """Return the table with standard errors of its scores, noting those that are negative or of no score."""
        if errors is None or not errors.floats.size or errors.missing.all():
            return self if self.errors is None else replace(self, errors=None)
        if errors.floats.shape != self.cells.floats.shape:
            faults.add(f"standard errors of shape {errors.floats.shape} for scores of shape {self.cells.floats.shape}")
            return self
        alone = self.cells.missing & ~errors.missing
        for row, column in np.argwhere(alone | (errors.floats < 0)).tolist():
            what = "has a standard error and no score" if alone[row, column] else "has a negative standard error"
            faults.add(f"model {self.models[row]!r}, task {self.columns[column]!r} {what}")
        return replace(self, errors=errors)


def as_frame(given: Any, faults: Faults) -> pd.DataFrame:
    """Return the given value as a frame, noting an error if it cannot be one."""
    if isinstance(given, pd.DataFrame):
        return given
    if isinstance(given, pd.Series):
        return given.to_frame()
    if is_dataframe(given):
        return with_models(pandas_columns(given))
    try:
        if given is not None and not is_scalar(given):
            return pd.DataFrame(given)
        faults.add(f"a table of scores is needed; got {given!r}")
    except (TypeError, ValueError) as error:
        faults.add(f"a table of scores is needed; what is given is not one: {error}")
    return pd.DataFrame()


def unread_frame(given: Any) -> pd.DataFrame | None:
    """Return a frame with rows that are only numbered, and a column of text or of models; None of anything else."""
    if is_dataframe(given):
        frame = pandas_columns(given)
    elif isinstance(given, Mapping) and given and all(isinstance(one, list | np.ndarray) for one in given.values()):
        try:
            frame = pd.DataFrame(given)
        except ValueError:
            return None
    else:
        return None
    numbered = isinstance(frame.index, pd.RangeIndex) and frame.columns.nlevels == 1
    named = any(str(one).casefold() == "model" for one in frame.columns)
    return frame if numbered and (named or any(holds_text(frame.iloc[:, at]) for at in range(frame.shape[1]))) else None


def tables_from_frames(frames: Any, faults: Faults, *, name_kind: str, column_kind: str) -> dict[str, Table]:
    """Return one table per frame (models x columns), noting every error with the name of its frame."""
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
        tables[name] = table if own else table.filled()
        if not own and not tables[name].models:
            faults.add(f"{name_kind} {name!r} has no score at all")
    if not names:
        faults.add(f"at least one {name_kind} is needed; got none")
    return tables


class NamedTables(Declared):
    """Score tables by name, and what is declared about their columns or, of instances, about the tables. Immutable."""

    __slots__ = ("_declared", "_tables")

    _kind: ClassVar[str]
    """What messages call a table."""

    _holder: ClassVar[str]
    """What they call all of them together."""

    _tables: dict[str, Table]
    _declared: Declarations

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all tables, in order of first appearance."""
        return first_appearances(table.models for table in self._tables.values())

    def table(self, name: str) -> Table:
        """Return one of the tables, or raise UnknownNameError."""
        if name not in self._tables:
            raise UnknownNameError(self._kind, name, tuple(self._tables), holder=self._holder)
        return self._tables[name]

    def equals(self, other: Self) -> bool:
        """Return whether others have the same names, exact scores and declarations."""
        return (
            list(self._tables) == list(other._tables)
            and all(table.equals(other._tables[name]) for name, table in self._tables.items())
            and self._declared == other._declared
        )

    def _with(self, tables: dict[str, Table], declared_of: str) -> Self:
        """Return the same of some tables that are left, refusing those without a score and weights that are all 0."""
        faults = Faults()
        for name in (name for name, table in tables.items() if not table.models):
            faults.add(f"{self._kind} {name!r} has no score of what is kept")
        if not tables:
            faults.add(f"at least one {self._kind} is needed; got none")
        made = object.__new__(type(self))
        made._tables = tables
        made._declared = self._declared.restricted(getattr(made, declared_of))
        if tables and not faults and not any(made._declared.weight_list):
            faults.add(f"all {declared_of} that stay have weight 0")
        faults.raise_if_any()
        return made

    @classmethod
    def read_tables(cls, document: Any, what: str) -> dict[str, pd.DataFrame]:
        """Return frames of the exact scores of a document's tables."""
        tables = {}
        for name, written in read_items(document, what):
            what = f"{cls._kind} {name!r}"
            models = read_names(part(written, "models", what), "models")
            refuse_others(written, ("models", "scores"), what)
            columns = read_columns(part(written, "scores", what), "score", models)
            tables[name] = pd.DataFrame(columns, index=list(models), dtype=object)
        return tables


def read_columns(document: Any, what: str, models: Sequence[str]) -> dict[str, list[float | Fraction]]:
    """Return numbers by column as `Cells` hold them, from lists with one number per model; InputError for others."""
    columns: dict[str, list[float | Fraction]] = {}
    for name, written in read_items(document, f"{what}s"):
        where = f"{what} on {name!r}"
        if len(read_list(written, f"{what}s on {name!r}")) != len(models):
            raise InputError(f"task {name!r} needs a list of {len(models)} {what}s, one a model")
        numbers = [None if one is None else read_fraction(one, where) for one in written]
        try:
            columns[name] = [*map(exact_cell, numbers)]
        except ValueError as error:
            raise InputError(f"{where}: a number {error}") from None
    return columns


def first_appearances(sequences: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the distinct names in order of first appearance."""
    return tuple(dict.fromkeys(name for names in sequences for name in names))
