"""How far scores may move before a cycle breaks: its buffer and its radius."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, Number, common_denominator, fraction
from weightlab._result import Frozen, Record, Result, ensure
from weightlab._text import first_few
from weightlab.data import Leaderboard, LeaderboardLike, as_table
from weightlab.data.frame.cells import SAFE_INTEGER
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.graph.cycles.cycles import from_first, largest_threshold, strongest_cycle
from weightlab.graph.majority_graph import beats, margins_of, names_where
from weightlab.graph.paths import cycle_of_three, shortest_cycle_of


class CycleRobustness(Result, kind="cycle_robustness"):
    """A majority cycle of a leaderboard, the gaps behind it, its buffer and its radius.

    Attributes
    ----------
    cycle : tuple of str
        Each model beats the next, and the last the first.
    buffer : Fraction
        The least gap that supports a win of the cycle, in the units of the scale, as is the radius.
    buffer_duel : tuple of str
        Winner and loser of the head-to-head with that gap.
    buffer_task : str
        The task with that gap.
    radius : Fraction
        The least e such that moving every score by at most e can undo a win of the cycle.
    radius_attained : bool
        Whether moves of just that size can; otherwise those of any larger size.
    radius_duel : tuple of str
        Winner and loser of the win that is undone first.
    table : GapTable
        The exact scores of the cycle's models.
    """

    cycle: tuple[str, ...]
    buffer: Fraction
    buffer_duel: tuple[str, str]
    buffer_task: str
    radius: Fraction
    radius_attained: bool
    radius_duel: tuple[str, str]
    table: GapTable

    @property
    def duels(self) -> tuple[tuple[str, str], ...]:
        """Winner and loser of each head-to-head of the cycle."""
        return _duels(self.cycle)

    @property
    def support(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The tasks that make the cycle: for each head-to-head those on which its winner leads."""
        leads = self.table.around(self.cycle).leads
        return {duel: names_where(self.table.tasks, row) for duel, row in zip(self.duels, leads, strict=True)}

    @property
    def gaps(self) -> pd.DataFrame:
        """Lead of each model of the cycle (rows) over the next by task, in units of the scale; None where missing."""
        found = self.table.around(self.cycle)
        cells = [
            [found.part * int(gap) if shared else None for gap, shared in zip(*row, strict=True)]
            for row in zip(found.sizes, found.shared, strict=True)
        ]
        return pd.DataFrame(cells, index=list(self.cycle), columns=list(self.table.tasks), dtype=object)

    def changes(self, slack: Number = 0) -> pd.DataFrame:
        """Return the amounts to add to the scores of two models to undo the win of ``radius_duel``, models x tasks.

        Parameters
        ----------
        slack : number
            Added to the radius, in its units; where the radius is not attained it must be positive for the win to go.

        Returns
        -------
        DataFrame of Fraction
            Raw scores; 0 where the two cannot be compared, or all scores of a task are equal in ``scale="range"``.
        """
        size = self.radius + fraction(slack)
        first, second = (self.table.scores[model] for model in self.radius_duel)
        better = [
            size * unit * (None not in both) * (-1 if task in self.table.lower_is_better else 1)
            for task, unit, *both in zip(self.table.tasks, self.table.units, first, second, strict=True)
        ]
        cells = [[-one for one in better], better]
        return pd.DataFrame(cells, index=list(self.radius_duel), columns=list(self.table.tasks), dtype=object)

    def __str__(self) -> str:
        """Return the sentence that gives buffer and radius, and the units that are not raw scores."""
        around = " > ".join([*self.cycle, self.cycle[0]])
        scaled = [pair for pair in zip(self.table.tasks, self.table.units, strict=True) if pair[1] != 1]
        units = (
            f" Units in scores: {first_few(f'{_shown(unit)} on {task}' for task, unit in scaled)}." if scaled else ""
        )
        moves = "moving every score by" if self.radius_attained else "moving scores by any more than"
        return (
            f"{around}: the least gap behind it is {_shown(self.buffer)} ({self.buffer_duel[0]} over "
            f"{self.buffer_duel[1]} on {self.buffer_task}); {moves} {_shown(self.radius)} can break it "
            f"({self.radius_duel[0]} over {self.radius_duel[1]}).{units}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return for each head-to-head the tasks that make it, its margin, buffer and radius."""
        gaps = self.table.around(self.cycle)
        around = {"winner": list(self.cycle), "loser": [loser for _, loser in self.duels]}
        tasks = [", ".join(tasks) for tasks in self.support.values()]
        buffers = [gaps.part * int(size) for size in gaps.buffers]
        radii = [gaps.part * (int(event) // 2) / 2 for event in gaps.undone]
        sizes = {"margin": gaps.margins, "buffer": buffers, "radius": radii}
        return pd.DataFrame({**around, "tasks": tasks, **sizes})

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check buffer and radius from the exact scores; given the leaderboard, also that they are its own.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(len(set(self.cycle)) == len(self.cycle) >= 3, "a cycle has three distinct models or more")
        ensure(set(self.table.scores) == set(self.cycle), "the scores are not those of the cycle's models")
        numbers = (*self.table.units, *self.table.tolerances, *self.table.weights)
        ensure(all(number >= 0 for number in numbers), "a unit, tolerance or weight is negative")
        self._check_fixed(self.table)
        for (winner, loser), margin in zip(self.duels, self.table.around(self.cycle).margins, strict=True):
            ensure(margin > 0, f"{winner!r} does not beat {loser!r}: its margin is {margin}")
        for name, expected in _measures(self.table, self.cycle).items():
            ensure(getattr(self, name) == expected, f"{name} is {expected}, not {getattr(self, name)}")
        if source is not None:
            self._check_source(source)
        return True

    def _check_fixed(self, table: GapTable) -> None:
        """Raise ProofError if scores are taken to be fixed on a task of a table on which they differ."""
        for place, (task, unit) in enumerate(zip(self.table.tasks, self.table.units, strict=True)):
            values = {scores[place] for scores in table.scores.values()} - {None}
            ensure(unit or len(values) <= 1, f"the unit of {task!r} is 0, and scores on it differ")

    def _check_source(self, source: Leaderboard) -> None:
        own = GapTable.of(source, None)
        for name in ("tasks", "weights", "tolerances", "lower_is_better"):
            same = getattr(own, name) == getattr(self.table, name)
            ensure(same, f"the {name.replace('_', ' ')} are not those of the leaderboard")
        for model, scores in self.table.scores.items():
            ensure(own.scores.get(model) == scores, f"the scores of {model!r} are not those of the leaderboard")
        self._check_fixed(own)


def cycle_robustness(
    board: LeaderboardLike, cycle: Sequence[str] | None = None, *, scale: Scale = None
) -> CycleRobustness | None:
    """Return how far the scores behind a majority cycle may move before it breaks, exactly.

    Parameters
    ----------
    board : Leaderboard
        Tasks count with their weights; those of weight 0 take no part. Best with few tasks.
    cycle : sequence of str, optional
        Models each of which beats the next, and the last the first; by default the strongest cycle.
    scale : None, "range", or mapping from task to number
        What one unit of gaps and moves is: a raw score, so that unlike units are compared as they are; the range of
        the task's scores over the board; or a number of raw scores for each task (1 where not listed).

    Returns
    -------
    CycleRobustness or None
        ``.buffer``, ``.radius``, each with its pair; ``.support``: the tasks that make the cycle. None when there is
        no cycle to take by default.

    Raises
    ------
    InputError
        If the models given are no cycle, or the board has a relative tolerance.

    Notes
    -----
    The *buffer* is the least gap among the tasks that support a win, over all wins of the cycle. It is not how far
    scores may move: leads of 1, 5 and 5 on three equal tasks have buffer 1, and two of them must go; leads of 5, 0 and
    0 have buffer 5, and any move of the tied tasks undoes the win. The *radius* is the answer: the least e such that
    moving every score by at most e, up or down, can undo a win (a gap then moves by 2e): 5/2 and 0 here. A tie undoes
    a win. Scores are taken to be free to move either way, also beyond 0 and 1.

    References
    ----------
    Beyond Arrow, appendix A.6, for the buffer.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 3, "b": 2, "c": 0}, "y": {"a": 0, "b": 9, "c": 5}, "z": {"a": 4, "b": 0, "c": 6}}
    >>> result = cycle_robustness(wl.Leaderboard(scores))
    >>> result.buffer, result.radius
    (Fraction(1, 1), Fraction(1, 2))
    >>> print(result)
    a > b > c > a: the least gap behind it is 1 (a over b on x); moving every score by 0.5 can break it (a over b).
    """
    board = as_table(board)
    table = GapTable.of(board, scale)
    if cycle is None:
        strongest = strongest_cycle(board)
        if strongest is None:
            return None
        cycle = strongest.models
    return _measured(table, _checked(table, cycle))


def most_robust_cycle(
    board: LeaderboardLike, *, by: Literal["radius", "buffer"] = "radius", of_three: bool = False
) -> CycleRobustness | None:
    """Return a majority cycle whose radius, or buffer, is as large as that of any cycle, or None if there is no cycle.

    Parameters
    ----------
    board : Leaderboard
        Tasks count with their weights. Best with few tasks.
    by : {"radius", "buffer"}
        What is to be large.
    of_three : bool
        Look at cycles of three models only, as Beyond Arrow does.

    Returns
    -------
    CycleRobustness or None
        Of the cycles that share the largest value, one with fewest models.

    Notes
    -----
    Radius and buffer of a cycle are the least of its pairs, so it is a question of the largest threshold that leaves
    a cycle: O(models^2 tasks^2) for all pairs, then strong components for O(log models) thresholds.

    References
    ----------
    Beyond Arrow, appendix A.6: the most robust witnessed cycle.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 3, "b": 2, "c": 0}, "y": {"a": 0, "b": 9, "c": 5}, "z": {"a": 4, "b": 0, "c": 6}}
    >>> most_robust_cycle(wl.Leaderboard(scores), by="buffer").cycle
    ('a', 'b', 'c')
    """
    board = as_table(board)
    if by not in {"radius", "buffer"}:
        raise InputError(f"by must be 'radius' or 'buffer'; got {by!r}")
    table = GapTable.of(board, None)
    won = beats(margins_of(board))
    if largest_threshold(won.astype(np.int64), of_three=of_three) is None:
        return None  # before the gaps of many tasks are compared
    # Thresholds are compared only, so ranks stand in for sizes: the search then works on integers of 64 bits.
    every = (table.gaps(row, slice(None)) for row in range(len(won)))
    worth = np.array([gaps.undone if by == "radius" else gaps.buffers for gaps in every])
    links = np.zeros(won.shape, dtype=np.int64)
    links[won] = 1 + np.unique(worth[won], return_inverse=True)[1]
    threshold = largest_threshold(links, of_three=of_three)
    found = cycle_of_three(links >= threshold) if of_three else shortest_cycle_of(links >= threshold)
    return _measured(table, tuple(board.models[place] for place in from_first(found)))


def _measured(table: GapTable, cycle: tuple[str, ...]) -> CycleRobustness:
    own = table.among(cycle)
    return CycleRobustness(cycle=cycle, table=own, **_measures(own, cycle))


def _measures(table: GapTable, cycle: Sequence[str]) -> dict[str, Any]:
    """Return buffer and radius of a cycle with their head-to-heads; of equal ones the first."""
    duels = _duels(cycle)
    gaps = table.around(cycle)
    # A cycle breaks where it is weakest: the least over its head-to-heads, for both measures.
    thin, weak = int(gaps.buffers.argmin()), int(gaps.undone.argmin())
    task = np.flatnonzero(gaps.leads[thin] & (gaps.sizes[thin] == gaps.buffers[thin]))[0]
    shrunk, beyond = divmod(int(gaps.undone[weak]), 2)
    return {
        "buffer": gaps.part * int(gaps.buffers[thin]),
        "buffer_duel": duels[thin],
        "buffer_task": table.tasks[task],
        # Moving both models of a head-to-head by a radius shrinks its gaps by twice as much.
        "radius": gaps.part * shrunk / 2,
        "radius_attained": not beyond,
        "radius_duel": duels[weak],
    }


def _checked(table: GapTable, cycle: Sequence[str]) -> tuple[str, ...]:
    names = tuple(str(name) for name in cycle)
    for name in names:
        if name not in table.scores:
            raise UnknownNameError("model", name, tuple(table.scores))
    if len(set(names)) < len(names) or len(names) < 3:
        raise InputError(f"a cycle has three distinct models or more; got {', '.join(map(repr, names)) or 'none'}")
    for (winner, loser), margin in zip(_duels(names), table.around(names).margins, strict=True):
        if margin <= 0:
            raise InputError(f"{winner!r} does not beat {loser!r}, so this is no cycle: the margin is {margin}")
    return names


def _duels(cycle: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(cycle, (*cycle[1:], cycle[0]), strict=True)) if cycle else ()


def _shown(size: Fraction) -> str:
    return f"{Decimal(size.numerator) / size.denominator:.6g}"


# What the winners of some duels may lose before they no longer win.


class Gaps(Frozen):
    """The gaps of some duels on each task, as integers.

    Attributes
    ----------
    sizes : ndarray of int, duels x tasks
        By how much the first model leads, negative where it trails.
    shared : ndarray of bool, duels x tasks
        Whether both models have a score; the gap says nothing elsewhere.
    tied : ndarray of int, tasks
        Gaps up to this size are ties.
    weights : ndarray of int, tasks
        Weights of the tasks, 0 of those whose scores cannot move: all their scores are equal.
    part, share : Fraction
        What a gap of 1 is in units of the scale, and what a weight of 1 is.
    """

    sizes: AnyArray
    shared: BoolArray
    tied: AnyArray
    weights: AnyArray
    part: Fraction
    share: Fraction

    @property
    def leads(self) -> BoolArray:
        """Whether the first model leads (duels x tasks)."""
        return np.asarray(self.shared & (self.sizes > self.tied))

    @property
    def margins(self) -> list[Fraction]:
        """The margin of each head-to-head."""
        trails = self.shared & (self.sizes < -self.tied)
        return [self.share * int(margin) for margin in (1 * self.leads - trails) @ self.weights]

    @property
    def buffers(self) -> AnyArray:
        """The least gap of a task on which the first model leads, for each head-to-head that it wins."""
        return np.asarray(np.where(self.leads, self.sizes, self.sizes.max(initial=0)).min(axis=1))

    @cached_property
    def undone(self) -> AnyArray:
        """Return how much the gaps of each won head-to-head shrink until it is not won: twice that, and 1 if by more.

        The margin changes only where a gap reaches what is tied (the lead is lost, an even number) and beyond the
        negative of it (the tie is lost, an odd one), each time by the task's weight. These events in their order,
        the win is undone at the first that leaves no margin of all leads; at the last the model leads on nothing.
        """
        events = np.concatenate([2 * (self.sizes - self.tied), 2 * (self.sizes + self.tied) + 1], axis=1)
        lost = np.tile(np.where(self.shared, self.weights, 0), 2)
        order = np.argsort(events, axis=1, kind="stable")
        left = lost.sum(axis=1, keepdims=True) // 2 - np.cumsum(np.take_along_axis(lost, order, axis=1), axis=1)
        first = (left <= 0).argmax(axis=1)[:, None]
        return np.take_along_axis(events, np.take_along_axis(order, first, axis=1), axis=1)[:, 0]


# The leads of models over one another in exact scores, in raw units or those of a scale.

Scale: TypeAlias = Literal["range"] | Mapping[str, Number] | None
"""Units of gaps: raw scores, the range of each task's scores, or a number of raw scores per task (1 if unlisted)."""


class GapTable(Record):
    """Exact scores, greater being better, of the tasks that have a weight.

    Attributes
    ----------
    scores : dict from str to tuple of Fraction or None
        For each model its scores by task, raw, negated where lower is better; None where missing.
    tasks : tuple of str
        The tasks.
    weights, tolerances, units : tuple of Fraction
        By task: its weight, the raw gap up to which scores tie, and how many raw scores are one unit.
    lower_is_better : tuple of str
        Tasks on which a lower score is better.
    """

    scores: dict[str, tuple[Fraction | None, ...]]
    tasks: tuple[str, ...]
    weights: tuple[Fraction, ...]
    tolerances: tuple[Fraction, ...]
    units: tuple[Fraction, ...]
    lower_is_better: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse rows without exactly one number for each task."""
        rows = [self.weights, self.tolerances, self.units, *self.scores.values()]
        if any(len(row) != len(self.tasks) for row in rows):
            raise InputError(f"a table of gaps with {len(self.tasks)} tasks needs as many numbers in every row")

    @classmethod
    def of(cls, board: Leaderboard, scale: Scale) -> GapTable:
        """Return the table of a leaderboard in the units of a scale.

        Raises
        ------
        InputError
            If the board has a relative tolerance, under which gaps have no fixed limit, or the scale is wrong.
        """
        if not isinstance(board, Leaderboard):
            raise TypeError(f"gaps between scores need a Leaderboard; got {type(board).__name__}")
        if board.relative_tolerance:
            names = ", ".join(map(repr, board.relative_tolerance))
            raise InputError(
                f"how far scores may move is not defined under a relative tolerance; tasks with one: {names}"
            )
        weights = board.weights
        tasks = tuple(task for task in board.tasks if weights[task])
        lower = tuple(task for task in tasks if task in board.lower_is_better)
        columns = {
            task: [None if one is None else -one if task in lower else one for one in board.cells.column(column)]
            for column, task in enumerate(board.tasks)
            if task in tasks
        }
        return cls(
            scores={model: tuple(columns[task][row] for task in tasks) for row, model in enumerate(board.models)},
            tasks=tasks,
            weights=tuple(weights[task] for task in tasks),
            tolerances=tuple(board.tolerance.get(task, Fraction(0)) for task in tasks),
            units=_units(scale, columns, board.tasks),
            lower_is_better=lower,
        )

    def among(self, models: Sequence[str]) -> GapTable:
        """Return the table of some models."""
        return replace(self, scores={model: self.scores[model] for model in models})

    def around(self, cycle: Sequence[str]) -> Gaps:
        """Return the gaps of the head-to-heads of a cycle, each model over the next."""
        places = np.arange(len(cycle))
        return self.among(cycle).gaps(places, np.roll(places, -1))

    def gaps(self, winners: int | AnyArray, losers: slice | AnyArray) -> Gaps:
        """Return the gaps of some models, by position, over others."""
        scores, known = self._whole.sizes, self._whole.shared
        return replace(self._whole, sizes=scores[winners] - scores[losers], shared=known[winners] & known[losers])

    @cached_property
    def _whole(self) -> Gaps:
        """The scores themselves, models x tasks, as gaps over nothing."""
        units = [unit or Fraction(1) for unit in self.units]
        rows = [self.tolerances, *self.scores.values()]
        exact = [(one or 0) / unit for row in rows for one, unit in zip(row, units, strict=True)]
        whole, parts = common_denominator(exact)
        weights, shares = common_denominator(
            [one * (unit > 0) for one, unit in zip(self.weights, self.units, strict=True)]
        )
        kind = np.int64 if max(map(abs, [*whole, sum(weights)])) < SAFE_INTEGER // 4 else object
        tied, *sizes = np.array(whole, dtype=kind).reshape(len(rows), len(units))
        known = np.array([[score is not None for score in row] for row in self.scores.values()], dtype=np.bool_)
        counted, part, share = np.array(weights, dtype=kind), Fraction(1, parts), Fraction(1, shares)
        return Gaps(sizes=np.array(sizes), shared=known, tied=tied, weights=counted, part=part, share=share)


def _units(
    scale: Scale, columns: Mapping[str, Sequence[Fraction | None]], known: Sequence[str]
) -> tuple[Fraction, ...]:
    if scale is None:
        return (Fraction(1),) * len(columns)
    if isinstance(scale, str):
        if scale != "range":
            raise InputError(f"scale must be None, 'range', or a mapping from task to a positive number; got {scale!r}")
        present = {task: [value for value in column if value is not None] for task, column in columns.items()}
        return tuple(max(values) - min(values) for values in present.values())
    given = {str(task): fraction(unit) for task, unit in scale.items()}
    for task, unit in given.items():
        if task not in known:
            raise UnknownNameError("task", task, known)
        if unit <= 0:
            raise InputError(f"the scale of task {task!r} must be positive; got {unit}")
    return tuple(given.get(task, Fraction(1)) for task in columns)
