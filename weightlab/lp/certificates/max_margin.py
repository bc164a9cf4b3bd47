"""The widest margin: the largest t with G w >= t, its weights, and the mixture of rivals that proves it largest.

Its sign is the verdict: what weights can do for a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

import pandas as pd

from weightlab._exact import SignArray, largest_entry
from weightlab._result import Frozen
from weightlab._solver import ExactOptimum, exact_optimum
from weightlab.exceptions import EmptySpaceError, ImpossibleError
from weightlab.lp.certificates.equal_tasks import equal_tasks
from weightlab.lp.certificates.infeasible_space import refuse_empty
from weightlab.lp.certificates.lp_rows import RivalRows, margin_program, rival_duals, row_duals
from weightlab.lp.space.space import Vectors, WeightSpace


class MarginProof(Frozen):
    """Bounds of a margin with what proves them.

    Attributes
    ----------
    rivals : tuple of str
        Names of the rows of G.
    lower, upper : Fraction
        Bounds of the margin, equal when it is exact.
    weights : tuple of Fraction
        One a task; the least lead under them is ``lower``.
    blockers : tuple of Fraction
        One a rival; no weights lead by more than ``upper`` over this mixture.
    vectors : tuple of mappings from task to Fraction
        One a condition of the space.
    """

    rivals: tuple[str, ...]
    lower: Fraction
    upper: Fraction
    weights: tuple[Fraction, ...]
    blockers: tuple[Fraction, ...]
    vectors: Vectors


def widest_margin(
    signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None
) -> MarginProof:
    """Return the exact margin over some rivals with weights, blockers and multipliers.

    One linear program with a column a task and a row a rival, rivals added when they are violated. It always has an
    optimum unless the space is empty: read the margin by its sign. The rows may hold any integers: the program counts
    its margin in units of the largest, so that the solver's floats are near one.

    Without conditions this is a matrix game (von Neumann 1928): the weights are one player's mixed strategy, the
    blockers the other's, and the margin is the value of the game. `most` states what the blockers prove.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    UnprovedError, TimeLimitError
        If no exact proof was found.
    """
    if (merged := equal_tasks(signs, space)) is not None:
        try:
            found = widest_margin(merged.signs, rivals, merged.space, time_limit=time_limit)
        except EmptySpaceError:
            refuse_empty(space)
        vectors = tuple(merged.vector(one, space.tasks) for one in found.vectors)
        return replace(found, weights=merged.weights(found.weights), vectors=vectors)
    program = margin_program(space.tasks, space.rows, space.auxiliaries)
    fixed = len(program.rows)
    unit = max(1, largest_entry(signs))
    width = len(program.columns)
    duels = RivalRows(signs, rivals, width=width, margin_column=width - 1, unit=unit)
    try:
        optimum = exact_optimum(program.with_rows(duels.rows(duels.first())), lazy=duels, time_limit=time_limit)
    except ImpossibleError:
        refuse_empty(space)
    return _proof(optimum, fixed, rivals, space, unit)


def _proof(optimum: ExactOptimum, fixed: int, rivals: Sequence[str], space: WeightSpace, unit: int) -> MarginProof:
    # The program maximises s with G w - unit s >= 0. The column of s, whose cost is 1, makes the duals of the duels sum
    # to -1 / unit: times -unit they are shares. The margin is unit s, so the multipliers of the other rows scale along.
    margin = optimum.value * unit
    return MarginProof(
        rivals=tuple(rivals),
        lower=margin,
        upper=margin,
        weights=optimum.x[: len(space.tasks)],
        blockers=tuple(-dual * unit if dual else dual for dual in rival_duals(optimum, fixed, rivals)),
        vectors=space.vectors([dual * unit for dual in row_duals(optimum.duals, space.rows, 1)]),
    )


def shares_frame(weights: pd.Series, blockers: pd.Series) -> pd.DataFrame:
    """Return the weights and blockers that are not 0."""
    parts = {("weight", str(task)): share for task, share in weights.items() if share}
    parts |= {("blocker", str(rival)): share for rival, share in blockers.items() if share}
    index = pd.MultiIndex.from_tuples(list(parts), names=["kind", "name"])
    return pd.DataFrame({"share": list(parts.values())}, index=index)


class Verdict(StrEnum):
    """What weights can do for a model: win every duel, at best tie one, or not even that."""

    STRICT = "strict"
    """Some weights make it beat every rival: it can be the Condorcet winner."""

    WEAK = "weak"
    """Some weights leave it undefeated, but it ties at least one rival under all of those."""

    NEVER = "never"
    """Under all weights it loses to some rival."""

    @property
    def words(self) -> str:
        """What a person reads beside a rule: a model can win, ties at best, or can never win."""
        return {"strict": "can win", "weak": "ties at best", "never": "can never win"}[self]


def verdict_between(lower: Fraction, upper: Fraction) -> Verdict | None:
    """Return the verdict that bounds of the margin prove, or None when they prove none."""
    if lower > 0:
        return Verdict.STRICT
    if upper < 0:
        return Verdict.NEVER
    return Verdict.WEAK if lower == 0 == upper else None


def verdict_at(margin: Fraction) -> Verdict:
    """Return the verdict that an exact margin proves."""
    if margin > 0:
        return Verdict.STRICT
    return Verdict.WEAK if margin == 0 else Verdict.NEVER
