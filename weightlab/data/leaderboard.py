"""Leaderboards: one score table, models x tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from weightlab._cures import Fault
from weightlab._exact import FloatArray, Number, WeightsLike
from weightlab._frames import Frames
from weightlab._pictures import Pictures
from weightlab._result import ensure, read_names
from weightlab._text import counted
from weightlab._validate import Faults, checked_names
from weightlab.data.frame.arrays import places_in, positions
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.declarations import (
    READERS,
    BoundsLike,
    Declarations,
    Declared,
    Range,
    TasksLike,
    all_declared,
    declared_in,
    tasks_named,
    told_with,
)
from weightlab.data.frame.errors import error_cells
from weightlab.data.frame.labels import grouped_columns, labelled, renamed
from weightlab.data.frame.named_tables import Table, as_frame, read_columns, unread_frame
from weightlab.data.frame.parts import Readers, as_written, ensure_same_cells
from weightlab.data.margins import Margins
from weightlab.data.own_rule import own_rule
from weightlab.data.points import Missing, Points, Ties, check_options, made_complete, missing_scores, scoring_vector
from weightlab.data.profile import Profile, TieBreak
from weightlab.data.signs import Signs, TolerantColumn
from weightlab.exceptions import InputError, ProofError


class Leaderboard(Declared):
    """A table of scores, models x tasks, with directions, weights and groups of tasks. Immutable.

    Parameters
    ----------
    scores : DataFrame, or anything that ``DataFrame(...)`` takes
        Rows are models (the index holds their names), columns are tasks. A frame whose rows are only numbered and in
        which some column holds text, as ``pd.read_csv`` gives it, is read like a file with the same columns: names,
        text, facts and totals are distinguished from scores, as in `read_leaderboard`. Numbers stand for the decimals
        that they print as; text such as ``"93.9"`` is read as that decimal. None and NaN are missing scores. Where
        columns have two levels, the first names groups and the second tasks. A frame of Polars or PyArrow (extra
        ``frames``) has no index: a column names its models, the one called ``model``, else ``name``, in any case, else
        the first if it holds only text that is not a number. A lazy frame is refused.
    models, tasks : list of str, optional
        Names for a table that has none, such as a NumPy array, models x tasks.
    lower_is_better : str or iterable of str
        Tasks on which a lower score is better. Never guessed from names: a DirectionWarning asks about one such as
        ``latency`` that is named neither here nor in ``higher_is_better``.
    higher_is_better : str or iterable of str
        Tasks declared as higher is better, which is also the default for all others. For a task
        such as ``latency`` this avoids the DirectionWarning.
    weights : mapping, Series or sequence, optional
        Not negative and not all 0, exact as written (0.1 is 1/10); unlisted tasks weigh 1.
    groups : mapping from str to tasks, optional
        Named groups of tasks; they may overlap. Given, those of the columns do not count.
    tolerance : number or mapping from task to number
        Scores that differ by no more tie. Default 0.
    relative_tolerance : number or mapping from task to number
        The same as a share of the larger of the two sizes; a task has one kind of tolerance at most.
    rule : str, optional
        The rule by which the table ranks, as in the registry, such as ``"mean"`` or ``"kemeny"``, or ``"majority"``;
        the default of questions that take any rule. See `Leaderboard.rule`.
    bounds : (lowest, highest), or mapping of such pairs by task, optional
        Between which numbers scores lie; None for a side without a limit, and the text ``"0:100"`` is a pair, too.
        Only what missing scores may be depends on them; see `lp.missing`.
    standard_errors : DataFrame, or anything that ``DataFrame(...)`` takes, optional
        Standard errors of the scores, by model and task like the scores, each 0 or more. An absent task or model, None
        and NaN mean unknown, which is not the same as 0. No ranking and no head-to-head depends on them.
    **reading
        Other keywords of `read_leaderboard`, such as ``accept_reading``, of a frame whose columns are read.

    Raises
    ------
    InputError
        Listing every error: duplicate or empty names, cells that are not finite numbers, unknown names in weights,
        groups or directions, bad weights, a model or task without any score, fewer than two models, standard errors
        that are negative or of no score.
    ReadingError
        If of a frame whose columns are read it is only likely what they are.

    Notes
    -----
    With a tolerance ties are not transitive: signs and margins use it, rankings and points by place refuse it.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"accuracy": {"ada": 0.9, "bo": 0.8}, "seconds": {"ada": 3, "bo": 1}}, lower_is_better=["seconds"]
    ... )
    >>> board
    Leaderboard: 2 models x 2 tasks
    >>> board.models
    ('ada', 'bo')
    """

    own_part = "scores"
    __slots__ = ("_declared", "_signs", "_table")

    def __init__(
        self,
        scores: Any,
        *,
        models: Iterable[str] | None = None,
        tasks: Iterable[str] | None = None,
        lower_is_better: str | Iterable[str] = (),
        higher_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
        groups: Mapping[str, TasksLike] | None = None,
        tolerance: Number | Mapping[str, Number] = 0,
        relative_tolerance: Number | Mapping[str, Number] = 0,
        rule: str | None = None,
        bounds: BoundsLike | None = None,
        standard_errors: Any = None,
        **reading: Any,
    ) -> None:
        faults = Faults()
        declared = declared_in(locals())
        unread = None if models or tasks or standard_errors is not None else unread_frame(scores)
        if unread is not None:
            # What says nothing is left out: a reader tells what is declared from what is not.
            said = {name: one for name, one in declared.items() if not isinstance(one, int | tuple | None) or one}
            made = Frames.read(unread, config={}, **said, **reading)
            for name in self.__slots__:
                setattr(self, name, getattr(made, name))
            return
        if reading:
            told = "of frames in which a column names the models, and this table has its names"
            raise InputError(f"{', '.join(reading)}: {told}")
        named = labelled(as_frame(scores, faults), faults, models=models, columns=tasks)
        frame, found = grouped_columns(named, faults)
        faults.raise_if_any()
        rows, columns = checked_names(frame.index, "model", faults), checked_names(frame.columns, "task", faults)
        cells = Cells.from_frame(frame, faults, row_kind="model", column_kind="task")
        table = Table(models=rows, columns=columns, cells=cells)
        by_group = found if groups is None else groups
        self._declared = Declarations.checked(columns, faults, **declared | {"groups": by_group})
        self._signs: Signs | None = None
        table.note_gaps(faults)
        self._table = table.with_errors(None if faults else error_cells(standard_errors, rows, columns, faults), faults)
        faults.raise_if_any()
        self._declared.warn()

    @classmethod
    def from_cells(
        cls,
        models: Sequence[str],
        tasks: Sequence[str],
        cells: Cells,
        *,
        standard_errors: Cells | None = None,
        **declared: Any,
    ) -> Leaderboard:
        """Return the leaderboard of cells that are already exact; what is declared is as for the class."""
        if cells.floats.shape != (len(models), len(tasks)):
            raise InputError(f"{len(models)} models x {len(tasks)} tasks for cells of shape {cells.floats.shape}")
        faults = Faults()
        names, rows = checked_names(tasks, "task", faults), checked_names(models, "model", faults)
        table = Table(models=rows, columns=names, cells=cells, errors=standard_errors)
        return cls.from_checked(table, Declarations.checked(names, faults, **declared), faults)

    @classmethod
    def from_checked(cls, table: Table, declared: Declarations, faults: Faults) -> Leaderboard:
        """Return the leaderboard of parts that are checked, unless faults were noted or a row or column is empty."""
        made = object.__new__(cls)
        made._declared, made._signs = declared, None
        table.note_gaps(faults)
        made._table = table.with_errors(table.errors, faults)
        faults.raise_if_any()
        return made

    def __repr__(self) -> str:
        """Return one honest line."""
        gaps = int(self.cells.missing.sum())
        missing = f", {counted(gaps, 'missing score')}" if gaps else ""
        known = 0 if self.error_cells is None else int((~self.error_cells.missing).sum())
        errors = f", {counted(known, 'standard error')}" if known else ""
        size = f"{counted(len(self.models), 'model')} x {counted(len(self.tasks), 'task')}"
        return f"Leaderboard: {size}{missing}{errors}"

    def _repr_html_(self) -> str:
        return Pictures.frame(told_with(self), self.scores, "Scores", ".scores")

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the rows."""
        return self._table.models

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self._table.columns

    @property
    def scores(self) -> pd.DataFrame:
        """The scores as doubles, models x tasks; NaN where missing. A copy."""
        return self._table.frame()

    @property
    def cells(self) -> Cells:
        """The scores with the exact values of those that no double holds."""
        return self._table.cells

    @property
    def standard_errors(self) -> pd.DataFrame:
        """The standard errors as doubles, models x tasks; NaN where a score has none. A copy."""
        errors = self.error_cells or self.cells.nowhere()
        return pd.DataFrame(errors.floats.copy(), index=list(self.models), columns=list(self.tasks))

    @property
    def error_cells(self) -> Cells | None:
        """The standard errors with their exact values; None where no score has one."""
        return self._table.errors

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Tasks of each group, in board order."""
        return MappingProxyType(self._declared.groups)

    @property
    def bounds(self) -> Mapping[str, Range]:
        """The lowest and the highest score that are declared, by task; None for a side without a limit."""
        return MappingProxyType(self._declared.bounds)

    @property
    def rule(self) -> str:
        """The table's own rule: declared, else ``"mean"`` where all tasks share a unit, else ``"borda"``.

        Tasks share a unit where all count in one direction, none is a time, cost, count, size or energy by its name,
        and all scores are shares (within -1 to 1), or all percentages (within -100 to 100, on each task some above
        1.5). ``rule_reason`` says why it is that one.
        """
        return self._declared.rule or self.usual_rule[0]

    @property
    def rule_reason(self) -> str:
        """Why this `rule` is used, as a clause for a sentence."""
        return "declared" if self._declared.rule else self.usual_rule[1]

    @property
    def usual_rule(self) -> tuple[str, str]:
        """The default rule of such a table if none is declared, and why."""
        return own_rule(self.tasks, self._declared.lower_names, self.cells.floats)

    @property
    def missing(self) -> pd.DataFrame:
        """Where scores are missing, models x tasks."""
        return pd.DataFrame(self.cells.missing, index=list(self.models), columns=list(self.tasks))

    @property
    def missing_cells(self) -> tuple[tuple[str, str], ...]:
        """The (model, task) pairs without a score, row by row."""
        return tuple((self.models[row], self.tasks[column]) for row, column in np.argwhere(self.cells.missing))

    def tasks_named(self, given: TasksLike) -> tuple[str, ...]:
        """Return the tasks meant by names and groups, once each, in board order.

        Raises
        ------
        UnknownNameError
            If a task or group is not known.
        """
        return tasks_named(given, self.tasks, self._declared.groups)

    def equals(self, other: Leaderboard) -> bool:
        """Return whether another leaderboard has the same names, exact scores, standard errors and declarations."""
        return self._table.equals(other._table) and self._declared == other._declared

    readers: ClassVar[Readers] = {"models": read_names, "scores": as_written, **READERS, "standard_errors": as_written}
    optional = frozenset({*READERS, "standard_errors"})

    def parts(self) -> dict[str, Any]:
        """Return the models, exact scores by task, None where missing, and what is declared.

        What says nothing is left out: no groups, no tolerance, a weight of 1, a task without standard errors.
        """
        own = self.error_cells
        known = {} if own is None else {task: own.column(column) for column, task in enumerate(self.tasks)}
        errors = {task: one for task, one in known.items() if any(error is not None for error in one)}
        return self._table.parts() | self._declared.parts() | ({"standard_errors": errors} if errors else {})

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Leaderboard:
        """Return the leaderboard of parts that were read from a document."""
        models = read["models"]
        columns = read_columns(read["scores"], "score", models)
        errors = read_columns(read.get("standard_errors", {}), "standard error", models)
        for task in sorted(errors.keys() - columns.keys()):
            raise InputError(f"there are standard errors of {task!r}, which is no task of the leaderboard")
        known = Cells.from_columns([errors.get(one, [np.nan] * len(models)) for one in columns])
        declared = all_declared(read, columns) | {"standard_errors": known}
        return cls.from_cells(models, [*columns], Cells.from_columns(columns.values()), **declared)

    def ensure_same(
        self,
        source: object,
        *,
        weights: Literal["exact", "shares"] | None = "exact",
        groups: bool = True,
        tolerances: bool = True,
        in_order: bool = False,
    ) -> None:
        """Raise ProofError, naming the first difference, unless a source has the same names, scores and declarations.

        Parameters
        ----------
        source : Leaderboard
            Table that a result claims to describe.
        weights : {"exact", "shares", None}
            Weights must be the same, or the same shares of their sum, or play no part.
        groups, tolerances : bool
            Whether these declarations take part in the claim.
        in_order : bool
            Whether models and tasks must stand in the same order, too.
        """
        if not isinstance(source, Leaderboard):
            raise ProofError(f"the source must be a Leaderboard, not a {type(source).__name__}")
        board: Leaderboard = source
        rows, columns = places_in(self, board, "models", "tasks", in_order=in_order)
        self._table.ensure_same(board._table.take(rows, columns))
        for name in ["lower_is_better"] + ["groups"] * groups + ["tolerance", "relative_tolerance"] * tolerances:
            same = _unordered(getattr(self, name)) == _unordered(getattr(source, name))
            ensure(same, f"the source declares another {name}")
        if weights is not None:
            units = (1, 1) if weights == "exact" else (sum(self.weights), sum(source.weights))
            own, other = self.weights.to_numpy(), source.weights.to_numpy()[columns]
            told = "the weight of {} is" if weights == "exact" else "the share of the weight that {} has is"
            ensure_same_cells(told, [self.tasks], own, other, units=units)

    def select(self, *, models: Iterable[str] | None = None, tasks: TasksLike | None = None) -> Leaderboard:
        """Return the leaderboard of some models and tasks; groups shrink to the tasks that stay.

        Parameters
        ----------
        models : iterable of str, optional
            Models to keep, in this order and once each; all by default.
        tasks : tasks or groups, optional
            Tasks to keep, in board order; all by default.

        Raises
        ------
        UnknownNameError
            If a name is not known.
        InputError
            If what stays is not a leaderboard, such as a task that no model kept has a score on.
        """
        if models is None and tasks is None:
            return self
        kept = None if tasks is None else self.tasks_named(tasks)
        return self._taken(positions(models, self.models, "model"), positions(kept, self.tasks, "task"))

    def to_pandas(self) -> pd.DataFrame:
        """Return the scores as a frame that `Leaderboard` reads back exactly, models x tasks.

        A column is of doubles, NaN where a score is missing, if each double prints as its score, and otherwise of exact
        numbers (Fraction), None if a score is missing. Directions, weights, groups, tolerances and standard errors are
        not scores and not part of a frame.
        """
        return self._table.exact_frame()

    def with_weights(self, weights: WeightsLike) -> Leaderboard:
        """Return the leaderboard with other weights, all else the same; unlisted tasks weigh 1.

        Raises
        ------
        InputError
            If a task is not known, or the weights are no weights: negative or all 0.
        """
        return self.replace(weights=weights)

    def with_groups(self, groups: Mapping[str, TasksLike]) -> Leaderboard:
        """Return the leaderboard with other groups of tasks in place of its own, all else the same.

        Raises
        ------
        InputError
            If a task is not known, or a group has none.
        """
        return self.replace(groups=groups)

    def rename(self, *, models: Mapping[str, str] | None = None, tasks: Mapping[str, str] | None = None) -> Leaderboard:
        """Return the leaderboard with models and tasks renamed; all declarations follow the new names.

        Parameters
        ----------
        models, tasks : mapping from str to str, optional
            New names by old ones; what is not listed keeps its name. Two may change their names for one another.

        Raises
        ------
        InputError
            If an old name is not known, or a new one is empty or already taken.
        """
        faults = Faults()
        rows, columns = renamed(self.models, models, "model", faults), renamed(self.tasks, tasks, "task", faults)
        faults.raise_if_any()
        declared = self._declared.renamed(dict(zip(columns, self.tasks, strict=True)))
        return self.from_checked(replace(self._table, models=tuple(rows), columns=tuple(columns)), declared, faults)

    def replace(self, *, cells: Cells | None = None, **declared: Any) -> Leaderboard:
        """Return the leaderboard with other cells, or with other weights, groups and so on, all else the same.

        Of other cells, those keep their standard error that had one and are not missing.
        """
        made = self.cells if cells is None else cells
        errors = None if self.error_cells is None else self.error_cells.where(~made.missing)
        return self.from_cells(
            self.models, self.tasks, made, standard_errors=errors, **self._declared.options() | declared
        )

    def complete(self) -> Leaderboard:
        """Return the leaderboard of the models that have every score.

        Raises
        ------
        InputError
            If fewer than two models are complete.
        """
        rows = np.flatnonzero(~self.cells.missing.any(axis=1)).tolist()
        if len(rows) < 2:
            found = f"{len(rows)} of {len(self.models)} models {'has' if len(rows) == 1 else 'have'} every score"
            cure = made_complete(self.missing_cells, self.models, self.tasks)
            raise InputError(Fault(f"only {found}; a leaderboard needs two", *cure))
        return self._taken(rows, list(range(len(self.tasks))))

    def _taken(self, rows: Sequence[int], columns: Sequence[int]) -> Leaderboard:
        table, faults = self._table.take(rows, columns), Faults()
        declared = self._declared.restricted(table.columns)
        if table.columns and not any(declared.weights.values()):
            faults.add("all tasks that stay have weight 0")
        return self.from_checked(table, declared, faults)

    def signs(self) -> Signs:
        """Return the signs of every model over every rival on every task (weights play no part); made once."""
        if self._signs is None:
            some = self._declared.tolerant
            tolerant = {at: self._tolerant_column(at, task) for at, task in enumerate(self.tasks) if task in some}
            self._signs = Signs(models=self.models, tasks=self.tasks, levels=self._levels(), tolerant=tolerant)
        return self._signs

    def margins(self, weights: WeightsLike | None = None) -> Margins:
        """Return the exact weighted majority margins of every head-to-head, in the units of the weights.

        Parameters
        ----------
        weights : mapping, Series or sequence, optional
            Instead of the board's own weights; unlisted tasks weigh 1.
        """
        declared = self._declared
        if weights is not None:
            faults = Faults()
            declared = Declarations.checked(self.tasks, faults, weights=weights)
            faults.raise_if_any()
        return Margins.from_signs(self.signs(), declared.weight_list)

    def rankings(self, break_ties: TieBreak = None) -> Profile:
        """Return the profile whose voters are the tasks, with their weights; models without a score are not ranked.

        Parameters
        ----------
        break_ties : {"alphabetical", "reverse", None}
            Among tied models the one first by code point goes first, or last; None keeps the ties.

        Raises
        ------
        InputError
            If a task has a score tolerance: ties within one are not transitive, hence no order.
        """
        self._refuse_tolerance("a ranking")
        weights = self._declared.weight_list
        return Profile.from_levels(self.models, self.tasks, self._levels(), weights).break_ties(break_ties)

    def points(
        self, vector: str | Sequence[Number] = "borda", *, ties: Ties = "average", missing: Missing = "error"
    ) -> Points:
        """Return the exact points of every model on every task.

        Parameters
        ----------
        vector : str or sequence of numbers
            ``"borda"``, ``"plurality"``, ``"veto"``, ``"dowdall"``, points by rank (best first, one per model), or
            ``"scores"``: the scores themselves, negated where lower is better.
        ties : {"average", "min", "max"}
            Points of tied models: the mean of their places', those of the least rank, or of the greatest.
        missing : {"error", "last"}
            Refuse missing scores, or let them tie for the last places (not for ``"scores"``).

        Raises
        ------
        MissingScoresError
            If scores are missing and may not be.
        InputError
            If the vector is wrong, or a task has a score tolerance and points go by place (the scores themselves
            are points whatever ties).
        """
        of_scores = isinstance(vector, str) and vector == "scores"
        check_options(vector, ties, missing)
        if self.missing_cells and (missing == "error" or of_scores):
            raise missing_scores(self.missing_cells, self.models, self.tasks, *(() if of_scores else ("last",)))
        if of_scores:
            exact = [
                -value if task in self._declared.lower_is_better else value
                for column, task in enumerate(self.tasks)
                for value in self.cells.column(column)
                if value is not None
            ]
            return Points.from_fractions(self.models, self.tasks, exact)
        self._refuse_tolerance("points by place")
        levels = np.nan_to_num(self._levels(), nan=-np.inf)
        places = scoring_vector(vector, len(self.models))
        return Points.from_levels(self.models, self.tasks, levels, places, ties)

    def _levels(self) -> FloatArray:
        """Return numbers that order each task as its scores do, greater being better; NaN where a score is missing."""
        lower = np.array([task in self._declared.lower_is_better for task in self.tasks], dtype=np.bool_)
        return self.cells.levels(lower_is_better=lower)

    def _tolerant_column(self, column: int, task: str) -> TolerantColumn:
        sign = -1 if task in self._declared.lower_is_better else 1
        scores = [None if one is None else sign * one for one in self.cells.column(column)]
        relative = task in self._declared.relative_tolerance
        sizes = self._declared.relative_tolerance if relative else self._declared.tolerance
        return TolerantColumn.of(scores, sizes[task], relative=relative)

    def _refuse_tolerance(self, what: str) -> None:
        declared = self._declared.tolerant
        tolerant = [task for task in self.tasks if task in declared]
        if tolerant:
            raise InputError(
                f"{what} needs transitive ties, and ties within a score tolerance are not transitive; "
                f"tasks with a tolerance: {', '.join(map(repr, tolerant))}"
            )


def _unordered(declared: Any) -> Any:
    """Return the declarations in a form that does not depend on the order of tasks."""
    if isinstance(declared, Mapping):
        return {name: _unordered(one) for name, one in declared.items()}
    return set(declared) if isinstance(declared, tuple) else declared
