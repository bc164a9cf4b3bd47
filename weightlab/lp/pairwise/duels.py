"""Duels over a weight space: who beats whom under all, some or no weights."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._record import exact_series
from weightlab._result import Result
from weightlab._typing import BoolArray
from weightlab._validate import counted
from weightlab.data.convert import SignsLike
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.certificates.primal import check_table
from weightlab.lp.pairwise.max_margins import PairBounds, pair_bounds
from weightlab.lp.space.condition_text import conditions_sentence
from weightlab.lp.space.space import WeightSpace, signs_and_space


class Outcome(StrEnum):
    """What becomes of a duel under the weights of a space, seen from its first model."""

    ALWAYS_WINS = "always wins"
    NEVER_LOSES = "never loses"
    ALWAYS_TIES = "always ties"
    EITHER = "either wins"
    NEVER_WINS = "never wins"
    ALWAYS_LOSES = "always loses"

    @classmethod
    def between(cls, least: Fraction, greatest: Fraction) -> Outcome:
        """Return what margins from ``least`` to ``greatest`` mean."""
        if least > 0:
            return cls.ALWAYS_WINS
        if greatest < 0:
            return cls.ALWAYS_LOSES
        if least == 0:
            return cls.NEVER_LOSES if greatest else cls.ALWAYS_TIES
        return cls.EITHER if greatest else cls.NEVER_WINS


class Duels(Result, kind="duels"):
    """For every pair of models the least and the greatest margin over the weights of a space.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    space : WeightSpace
        The weights that were allowed.
    bounds : PairBounds
        The greatest margin of every model over every other, with the weights that attain it and the multipliers that
        prove it greatest; the least margin is what the other one's greatest leaves.
    """

    signs: Signs
    space: WeightSpace
    bounds: PairBounds

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @property
    def greatest(self) -> pd.DataFrame:
        """The greatest margin of the row over the column (Fractions, shares of total weight; 0 on the diagonal)."""
        return self._square(self.bounds.greatest)

    @property
    def least(self) -> pd.DataFrame:
        """The least margin of the row over the column."""
        return self._square(-self.bounds.greatest.T)

    def _square(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(self.models))

    def margins(self, model: str, rival: str) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest margin of one model over another.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        row, column = self._pair(model, rival)
        return -self.bounds.greatest[column, row], self.bounds.greatest[row, column]

    def outcome(self, model: str, rival: str) -> Outcome:
        """Return what becomes of one model's duel with another."""
        return Outcome.between(*self.margins(model, rival))

    def weights(self, model: str, rival: str) -> pd.Series:
        """Return weights under which one model's margin over another is the greatest."""
        row, column = self._pair(model, rival)
        return exact_series(self.bounds.weights[self.bounds.attained[row, column]], self.signs.tasks, "weight")

    def _pair(self, model: str, rival: str) -> tuple[int, int]:
        row, column = self.signs.position(model), self.signs.position(rival)
        if row == column:
            raise InputError(f"{model!r} has no duel with itself")
        return row, column

    @property
    def under_all(self) -> pd.DataFrame:
        """Whether the row beats the column under all weights of the space."""
        return self._square((-self.bounds.greatest.T > 0).astype(np.bool_))

    @property
    def under_some(self) -> pd.DataFrame:
        """Whether the row beats the column under some weights of the space."""
        return self._square((self.bounds.greatest > 0).astype(np.bool_))

    @property
    def necessary_winners(self) -> tuple[str, ...]:
        """The model that beats every rival under all weights, if there is one."""
        return self._models_where((-self.bounds.greatest.T > 0).sum(axis=1) == len(self.models) - 1)

    @property
    def never_beaten(self) -> tuple[str, ...]:
        """Models that are undefeated under all weights, in board order."""
        return self._models_where(np.all(self.bounds.greatest.T <= 0, axis=1))

    def _models_where(self, holds: BoolArray | np.bool_) -> tuple[str, ...]:
        return tuple(model for model, one in zip(self.models, np.asarray(holds).tolist(), strict=True) if one)

    def counts(self) -> dict[Outcome, int]:
        """Return how many pairs have each outcome; a win or a loss of the first model is counted as a win."""
        above = np.triu_indices(len(self.models), 1)
        least, greatest = -self.bounds.greatest.T[above], self.bounds.greatest[above]
        mirrored = {Outcome.ALWAYS_LOSES: Outcome.ALWAYS_WINS, Outcome.NEVER_WINS: Outcome.NEVER_LOSES}
        found = [Outcome.between(*pair) for pair in zip(least.tolist(), greatest.tolist(), strict=True)]
        kinds = [mirrored.get(one, one) for one in found]
        return {kind: kinds.count(kind) for kind in Outcome if kind not in mirrored}

    def __str__(self) -> str:
        """Count the outcomes in one sentence; another one names the conditions, if there are any."""
        counts = self.counts()
        total = sum(counts.values())
        fixed, loose = counts[Outcome.ALWAYS_WINS], counts[Outcome.EITHER]
        one_way = counts[Outcome.NEVER_LOSES]
        parts = [f"{fixed} have the same winner under all weights", f"{loose} can go either way"]
        parts += [f"{one_way} can be won by one side alone or tied"] if one_way else []
        parts += [f"{counts[Outcome.ALWAYS_TIES]} always tied"] if counts[Outcome.ALWAYS_TIES] else []
        winner = "".join(f" {model} beats every rival under all weights." for model in self.necessary_winners)
        return f"Of {counted(total, 'head-to-head')} {', '.join(parts)}.{winner}{conditions_sentence(self.space)}"

    def summary(self) -> pd.DataFrame:
        """Return the least and greatest margin of each pair as floats, and in words what becomes of its duel."""
        rows, columns = np.triu_indices(len(self.models), 1)
        least, greatest = -self.bounds.greatest[columns, rows], self.bounds.greatest[rows, columns]
        names = [(self.models[row], self.models[column]) for row, column in zip(rows, columns, strict=True)]
        outcomes = [str(Outcome.between(*pair)) for pair in zip(least.tolist(), greatest.tolist(), strict=True)]
        table = {"least": least.astype(float), "greatest": greatest.astype(float), "outcome": outcomes}
        return pd.DataFrame(table, index=pd.MultiIndex.from_tuples(names, names=["model", "rival"]))

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check every least and greatest margin in exact arithmetic, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first pair and inequality that fail.
        """
        check_table(self.signs, self.space, source)
        self.bounds.check(self.signs, self.space)
        return True


def duels(board: SignsLike, *, space: WeightSpace | None = None, time_limit: float | None = None) -> Duels:
    """Find for every pair of models who beats whom under all, some or no weights.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    Duels
        With the least and greatest margin of every pair, exact.

    Raises
    ------
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    Without conditions the margin of a pair lies between its least and its greatest sign: O(models^2 x tasks), no
    program. In a space each of the models x (models - 1) greatest margins is a linear program; the weights and
    multipliers of those already solved settle most of the others, exactly, and are carried once for all of them.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}})
    >>> found = wl.lp.duels(board)
    >>> print(found)
    Of 3 head-to-heads 2 have the same winner under all weights, 1 can go either way. \
a beats every rival under all weights.
    >>> found.outcome("b", "c")
    <Outcome.EITHER: 'either wins'>
    """
    signs, allowed = signs_and_space(board, space)
    return Duels(signs=signs, space=allowed, bounds=pair_bounds(signs, allowed, time_limit=time_limit)).verified()
