"""Synthetic scores of systems whose true order is known, with tasks that are reversed or rescaled."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import fraction
from weightlab._random import RngLike, seed_of
from weightlab._typing import IntArray, Number
from weightlab.data import Instances
from weightlab.exceptions import InputError
from weightlab.studies.repeats import checked_count, generator_of

__all__ = ["MICRO", "Noise", "checked_dispersion", "checked_factor", "gumbel_scores", "system_names"]

MICRO = 10**6
"""Scores are whole numbers of millionths, so that sums and means of them are exact."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Noise:
    """The random part of all scores, from which the scores of any setting follow.

    Attributes
    ----------
    honest, reversed_ : ndarray of float, tasks x models x instances
        Samples of the Gumbel distribution, for a task as it is and as it is when reversed.
    """

    honest: np.ndarray
    reversed_: np.ndarray

    @classmethod
    def drawn(cls, models: int, tasks: int, instances: int, rng: np.random.Generator) -> Noise:
        """Return new noise."""
        shape = (tasks, models, instances)
        return cls(honest=rng.gumbel(size=shape), reversed_=rng.gumbel(size=shape))

    def scores(self, dispersion: float) -> tuple[IntArray, IntArray]:
        """Return the scores of all tasks as they are, and as they are when reversed, in millionths."""
        place = np.arange(1, self.honest.shape[1] + 1, dtype=np.float64)[None, :, None]
        found = (self.honest + dispersion * place, self.reversed_ - place)
        honest, turned = (np.rint(one * MICRO).astype(np.int64) for one in found)
        return honest, turned


def gumbel_scores(
    *,
    models: int = 20,
    tasks: int = 20,
    instances: int = 20,
    dispersion: float = 0.5,
    reversed_tasks: int = 0,
    rescaled: int = 0,
    factor: Number = 1,
    rng: RngLike = None,
) -> Instances:
    """Return synthetic scores of systems whose true order is known: the last is the best.

    Parameters
    ----------
    models, tasks, instances : int
        How many systems, tasks, and instances a task.
    dispersion : float
        How far the systems are apart: scores of system n are from the Gumbel distribution of scale 1 at
        ``dispersion * n``.
    reversed_tasks : int
        On so many tasks, the first ones, system n has scores at ``-n`` instead: their order is the opposite one.
    rescaled : int
        The scores of so many tasks, again the first ones, are multiplied by ``factor``.
    factor : number
        Positive.
    rng : int or Generator, optional
        The seed.

    Returns
    -------
    Instances
        Of ``system 1`` to ``system N``; scores are rounded to six decimals before they are multiplied.

    References
    ----------
    Colombo et al., section 4.1. Rankings of one instance follow the Plackett-Luce distribution, whose weights are
    ``exp(dispersion * n)``: the paper's remark 1 has the locations themselves.

    Examples
    --------
    >>> scores = gumbel_scores(models=4, tasks=3, instances=50, dispersion=1, reversed_tasks=1, rng=0)
    >>> scores.leaderboard("task 2").models
    ('system 1', 'system 2', 'system 3', 'system 4')
    >>> means = scores.means().scores
    >>> means.idxmax().to_dict()
    {'task 1': 'system 1', 'task 2': 'system 4', 'task 3': 'system 4'}
    """
    shape = [checked_count(name, one, least=1) for name, one in (("tasks", tasks), ("instances", instances))]
    count = checked_count("models", models, least=2)
    turned, scaled = (checked_count("tasks to change", one, least=0) for one in (reversed_tasks, rescaled))
    if max(turned, scaled) > shape[0]:
        raise InputError(f"at most all {shape[0]} tasks can be changed; got {max(turned, scaled)}")
    times = checked_factor(factor)
    noise = Noise.drawn(count, shape[0], shape[1], generator_of(seed_of(rng), 0))
    honest, opposite = noise.scores(checked_dispersion(dispersion))
    return as_instances(np.concatenate([opposite[:turned], honest[turned:]]), scaled, times)


def as_instances(scores: IntArray, rescaled: int, factor: Fraction) -> Instances:
    """Return scores in millionths (tasks x models x instances) as a user has them, the first tasks rescaled."""
    names = list(system_names(scores.shape[1]))
    tables: dict[str, Any] = {}
    for place, table in enumerate(scores, start=1):
        columns = [f"instance {number}" for number in range(1, table.shape[1] + 1)]
        if place <= rescaled and factor != 1:
            cells: Any = [[Fraction(int(one), MICRO) * factor for one in row] for row in table.tolist()]
            tables[f"task {place}"] = pd.DataFrame(cells, index=names, columns=columns, dtype=object)
        else:
            # The shortest decimal of k / 10^6 is k / 10^6 itself.
            tables[f"task {place}"] = pd.DataFrame(table / MICRO, index=names, columns=columns)
    return Instances(tables)


def system_names(count: int) -> tuple[str, ...]:
    """Return the names of the systems, the worst first."""
    return tuple(f"system {place}" for place in range(1, count + 1))


def checked_dispersion(given: Any) -> float:
    """Return a dispersion, or raise InputError."""
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not 0 <= float(given) <= MICRO:
        raise InputError(f"dispersion must be a number from 0; got {given!r}")
    return float(given)


def checked_factor(given: Number) -> Fraction:
    """Return the exact factor of a rescaled task, or raise InputError."""
    try:
        factor = fraction(given)
    except InputError as error:
        raise InputError(f"factor: {error}") from None
    if factor <= 0:
        raise InputError(f"a task is rescaled by a positive factor; got {given!r}")
    return factor
