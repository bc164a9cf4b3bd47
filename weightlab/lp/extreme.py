"""The least and the most that some tasks together may weigh among winning weights, each with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from weightlab._record import Exact, Record
from weightlab._result import ensure, exact_series
from weightlab._solver import Sense
from weightlab._typing import SignArray
from weightlab.exceptions import SolverError
from weightlab.lp.certificate import least_lead, series_dict
from weightlab.lp.margin import widest_margin
from weightlab.lp.objectives import LinearObjective, weight_of
from weightlab.lp.optimum import Optimum, best_over
from weightlab.lp.space import Multipliers, TaskShares, WeightSpace

__all__ = ["Extreme", "ExtremeSearch"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Extreme(Record):
    """The least or the most weight of some tasks together, over weights with leads of at least ``least``.

    Attributes
    ----------
    tasks : tuple of str
        Whose weights are added, in the order of the table.
    sense : Sense
        Whether it is the least weight or the most.
    least : Fraction
        Least lead in every duel.
    value : Fraction
        The extreme.
    weights : Series of Fraction by task
        Weights that attain it; they win strictly if any that attain it do.
    duel_multipliers : Series of Fraction by rival
        Multipliers of duels that are not 0, all positive. Weights that attain the extreme lead these rivals by
        ``least`` exactly.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space.
    """

    tasks: tuple[str, ...]
    sense: Sense
    least: Fraction
    value: Fraction
    weights: TaskShares
    duel_multipliers: Exact
    multipliers: Multipliers

    @property
    def attained(self) -> bool:
        """Whether some weights that attain the extreme win strictly.

        They do not when a duel takes part in the proof: all of them tie it.
        """
        return self.least > 0 or not len(self.duel_multipliers)

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the weights attain the extreme, that none goes beyond, and what ``attained`` says."""
        factors, rows = series_dict(self.duel_multipliers), {rival: row for row, rival in enumerate(rivals)}
        strange = [name for name in factors if name not in rows]
        ensure(not strange, f"there are multipliers of {strange[:1]}, which are no duels")
        ensure(all(factors.values()), "a multiplier of a duel that is listed is 0")
        Optimum(
            objective=weight_of(self.tasks, self.sense),
            least=self.least,
            value=self.value,
            weights=self.weights,
            duel_multipliers=self.duel_multipliers,
            multipliers=self.multipliers,
        ).check(signs[[rows[name] for name in factors]], space)
        lead = least_lead(signs, self.weights.tolist())
        ensure(lead >= self.least, f"the least lead is {lead}, below {self.least}")
        if self.attained:
            ensure(lead > 0, f"the extreme is not attained by a strict win: the least lead is {lead}")


class ExtremeSearch:
    """Finds extremes one after the other, and remembers winning weights: they settle many extremes at sight.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    rivals : sequence of str
        Names of its rows.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns.
    least : Fraction
        Least lead in every duel.
    time_limit : float, optional
        Seconds for each program.
    """

    def __init__(
        self,
        signs: SignArray,
        rivals: Sequence[str],
        space: WeightSpace,
        *,
        least: Fraction,
        time_limit: float | None = None,
    ) -> None:
        self._signs, self._rivals, self._space = signs, rivals, space
        self._least, self._time_limit = least, time_limit
        self._wins: list[tuple[dict[str, Fraction], pd.Series]] = []

    def remember(self, weights: pd.Series) -> None:
        """Keep weights that win strictly with leads of at least ``least``; others are passed over."""
        lead = least_lead(self._signs, weights.tolist())
        if lead > 0 and lead >= self._least:
            self._wins.append((series_dict(weights), weights))

    def extreme(self, tasks: tuple[str, ...], sense: Sense) -> Extreme:
        """Return the least or the most that some tasks together may weigh."""
        objective = weight_of(tasks, sense)
        bound = Fraction(0 if sense is Sense.MINIMISE else 1)
        # A remembered win at the bound that no weights can pass settles the question: its proof needs no multipliers.
        known = self._known(tasks, bound)
        if known is not None:
            return self._made(objective, bound, known)
        if not self._space.conditions and sense is Sense.MINIMISE and len(tasks) < len(self._space.tasks):
            at_bound = self._at(objective, bound)
            if at_bound is not None:
                return at_bound
        found = best_over(
            self._signs, self._rivals, self._space, objective, least=self._least, time_limit=self._time_limit
        )
        if self._least or any(found.duel_multipliers):
            self.remember(found.weights)
            duels, rows = found.duel_multipliers.tolist(), found.multipliers.tolist()
            return self._made(objective, found.value, found.weights, duels, rows)
        # No duel takes part in the proof, so it does not exclude a strict win at the optimum; whether there is one is
        # open.
        known = self._known(tasks, found.value)
        if known is not None:
            return self._made(objective, found.value, known, rows=found.multipliers.tolist())
        at_best = self._at(objective, found.value, found.multipliers.tolist())
        if at_best is None:
            raise SolverError(f"no winning weights have a {objective.text} of {found.value}, though some do")
        return at_best

    def _known(self, tasks: tuple[str, ...], value: Fraction) -> pd.Series | None:
        """Return weights met before that win strictly and give the tasks this weight."""
        fits = (one for shares, one in self._wins if sum((shares[task] for task in tasks), Fraction(0)) == value)
        return next(fits, None)

    def _at(self, objective: LinearObjective, value: Fraction, rows: Sequence[Fraction] = ()) -> Extreme | None:
        """Return the extreme, when it is no better than ``value``; ``rows`` are multipliers that prove it no worse.

        The widest margin among weights of that value says which. When it is 0, its proof is one of the bound, too:
        with the multiplier of the row that holds the objective to the value, the two proofs add up to one in which
        duels take part.
        """
        cut = self._space.and_condition(objective.at_optimum(value))
        found = widest_margin(self._signs, self._rivals, cut, time_limit=self._time_limit)
        if found.lower < self._least:
            return None
        weights = exact_series(found.weights, self._space.tasks, "weight")
        self.remember(weights)
        before = list(rows) or [Fraction(0)] * len(self._space.rows)
        if found.lower > 0:
            return self._made(objective, value, weights, rows=before)
        own = len(before)  # the row that holds the objective to the value comes after those of the space
        # Two proofs are added: that of the bound, and that of the margin 0 with the multiplier m of the objective's
        # row. The sum speaks of 1 + |m| times the objective, hence the division.
        scale = 1 / (1 + abs(sum(found.multipliers[own:], Fraction(0))))
        duels = [share * scale for share in found.blockers]
        total = [(one - other) * scale for one, other in zip(before, found.multipliers[:own], strict=True)]
        return self._made(objective, value, weights, duels, total)

    def _made(
        self,
        objective: LinearObjective,
        value: Fraction,
        weights: pd.Series,
        duels: Sequence[Fraction] = (),
        rows: Sequence[Fraction] = (),
    ) -> Extreme:
        used = [(name, factor) for name, factor in zip(self._rivals, duels, strict=False) if factor]
        names = [row.name for row in self._space.rows]
        return Extreme(
            tasks=tuple(objective.tasks),
            sense=objective.sense,
            least=self._least,
            value=value,
            weights=weights,
            duel_multipliers=exact_series([factor for _, factor in used], [name for name, _ in used], "multiplier"),
            multipliers=exact_series(list(rows) or [Fraction(0)] * len(names), names, "multiplier"),
        )
