"""Points: what each place of each task is worth to a linear rule, exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import INT64_SAFE, AnyArray, FloatArray, Number, common_denominator, fraction
from weightlab._result import IntMatrix, Record
from weightlab._text import counted, first_few
from weightlab._validate import one_of
from weightlab.data.frame.arrays import Leads
from weightlab.data.frame.scales import on_own_scale
from weightlab.exceptions import InputError, MissingScoresError

Ties: TypeAlias = Literal["average", "min", "max"]
"""Which rank tied models get: the mean of the points of their places, the least rank, or the greatest."""
Missing: TypeAlias = Literal["error", "last"]
"""What becomes of missing scores: they are refused, or tie for the last places."""
NAMED_VECTORS: MappingProxyType[str, Callable[[int], list[Fraction]]] = MappingProxyType(
    {
        "plurality": lambda n: [Fraction(place == 0) for place in range(n)],
        "veto": lambda n: [Fraction(place < n - 1) for place in range(n)],
        "borda": lambda n: [Fraction(n - 1 - place) for place in range(n)],
        "dowdall": lambda n: [Fraction(1, place + 1) for place in range(n)],
    }
)
"""Scoring vectors by name, as functions of the number of models (Vote'n'Rank, section 2.2.1)."""


class Points(Leads, Record):
    """Points of every model on every task, as integers over one denominator; weights still free.

    Attributes
    ----------
    models, tasks : tuple of str
        Rows and columns.
    numerators : ndarray of int, models x tasks
        Points times ``denominator``; Python integers where they do not fit int64. Read-only.
    denominator : int
        Common denominator.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 2}})
    >>> board.points("borda").frame()
         x
    a  2.0
    b  0.5
    c  0.5
    """

    own_part: ClassVar[str] = "numerators"

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    numerators: IntMatrix
    denominator: int

    @classmethod
    def from_levels(
        cls, models: tuple[str, ...], tasks: tuple[str, ...], levels: FloatArray, vector: Sequence[Fraction], ties: Ties
    ) -> Points:
        """Return the points of places: in every column of ``levels`` (no NaN) the greatest number is first."""
        one_of("ties", ties, get_args(Ties))
        exact = [value for column in levels.T for value in _task_points(column, vector, ties)]
        return cls.from_fractions(models, tasks, exact)

    @classmethod
    def from_fractions(cls, models: tuple[str, ...], tasks: tuple[str, ...], exact: Sequence[Fraction]) -> Points:
        """Return points given as fractions, task by task."""
        numerators, denominator = common_denominator(exact)
        fits = max(map(abs, numerators), default=0) < INT64_SAFE // 2  # so that differences fit, too
        array = np.array(numerators, dtype=np.int64 if fits else object).reshape(len(tasks), len(models)).T.copy()
        return cls(models=models, tasks=tasks, numerators=array, denominator=denominator)

    def on_own_scales(self, scaled: str) -> Points:
        """Return the points of each task on a scale of its own: see `on_own_scale`."""
        exact = [
            value
            for column in self.numerators.T.tolist()
            for value in on_own_scale([Fraction(one, self.denominator) for one in column], scaled)
        ]
        return self.from_fractions(self.models, self.tasks, exact)

    @property
    def unit(self) -> int:
        """The common denominator."""
        return self.denominator

    def over_all(self, position: int) -> AnyArray:
        """Return a model's points less those of every model, itself included, times the denominator."""
        return np.asarray(self.numerators[position] - self.numerators)

    def frame(self) -> pd.DataFrame:
        """Return the points as floats, models x tasks."""
        shares = [[float(Fraction(int(number), self.denominator)) for number in row] for row in self.numerators]
        return pd.DataFrame(shares, index=list(self.models), columns=list(self.tasks))


def check_options(vector: str | Sequence[Number], ties: str, missing: str) -> None:
    """Raise InputError for a name of a vector, or a way with ties or missing scores, that there is not."""
    if isinstance(vector, str) and vector not in {*NAMED_VECTORS, "scores"}:
        raise InputError(f"no points named {vector!r}; there are {', '.join(map(repr, [*NAMED_VECTORS, 'scores']))}")
    one_of("ties", ties, get_args(Ties))
    one_of("missing", missing, get_args(Missing))


def missing_scores(
    cells: Sequence[tuple[str, str]], models: Sequence[str], tasks: Sequence[str], *ways: str, votes: bool = False
) -> MissingScoresError:
    """Return the error that names the missing scores (model, task), the first five in words, and what can be done.

    Parameters
    ----------
    cells : sequence of pairs
        The missing scores.
    models, tasks : sequences of str
        All there are.
    *ways : str
        What may become of missing scores.
    votes : bool
        Whether a profile lacks them: it chooses no tasks.
    """
    shown = first_few(f"{model!r} on {task!r}" for model, task in cells)
    kept = made_complete(cells, models, tasks)
    cures = [*(one for one in kept if not (votes and one.also)), *(Cure("missing", way) for way in ways)]
    alone = "" if cures else "; no two models have scores on the same tasks"
    return MissingScoresError(Fault(f"{counted(len(cells), 'missing score')}: {shown}{alone}", *cures))


def made_complete(cells: Sequence[tuple[str, str]], models: Sequence[str], tasks: Sequence[str]) -> tuple[Cure, ...]:
    """Return a table with at least two complete models, on all tasks or without those that lack most scores.

    Nothing where no two models have a score on the same task.
    """
    lacking = Counter(model for model, _ in cells)
    if len(lacking) < len(models) - 1:
        return (Cure(".complete", {}, f"({len(models) - len(lacking)} of {len(models)} models have every score)"),)
    by_task: dict[str, list[str]] = {}
    for model, task in cells:
        by_task.setdefault(task, []).append(model)
    worst = sorted(by_task, key=lambda task: (-len(by_task[task]), task))[: len(tasks) - 1]
    for count, task in enumerate(worst, start=1):
        lacking -= Counter(by_task[task])
        if len(lacking) < len(models) - 1:
            kept = [one for one in tasks if one not in worst[:count]]
            whole = Cure(".complete", {}, f"({len(models) - len(lacking)} of {len(models)} models have these scores)")
            return (Cure(".select", {"tasks": kept}, also=whole),)
    return ()


def scoring_vector(vector: str | Sequence[Number], count: int) -> list[Fraction]:
    """Return the points of the places 1 to ``count``.

    Parameters
    ----------
    vector : str or sequence of numbers
        A name of `NAMED_VECTORS`, or the points themselves, best rank first, one per model, never increasing.
    count : int
        Number of models.

    Raises
    ------
    InputError
        If the name is unknown, the length is wrong or the points rise.
    """
    if isinstance(vector, str):
        if vector not in NAMED_VECTORS:
            raise InputError(f"no scoring vector named {vector!r}; there are {', '.join(map(repr, NAMED_VECTORS))}")
        return NAMED_VECTORS[vector](count)
    exact = [fraction(value) for value in vector]
    if len(exact) != count:
        raise InputError(f"a scoring vector for {count} models needs {count} numbers; got {len(exact)}")
    if any(exact[place] > exact[place - 1] for place in range(1, count)):
        raise InputError("a scoring vector must not rise from one place to the next")
    return exact


def _task_points(column: FloatArray, vector: Sequence[Fraction], ties: Ties) -> list[Fraction]:
    _, place, counts = np.unique(-column, return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    worth: list[Fraction] = []
    for start, count in zip(starts.tolist(), counts.tolist(), strict=True):
        # Models that tie share the places from here on: they get the mean of their points, the first or the last.
        tied = vector[start : start + count]
        worth.append({"average": sum(tied, Fraction(0)) / count, "min": tied[0], "max": tied[-1]}[ties])
    return [worth[index] for index in place.tolist()]
