"""Scenarios: among all weights under which a model wins, those that serve an objective best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._exact import fraction
from weightlab._result import Result, ensure, exact_series, read_fraction, to_json
from weightlab._solver import Sense
from weightlab._typing import Number, SignArray
from weightlab.data.convert import SignsLike, as_signs
from weightlab.exceptions import ImpossibleError, InputError, SolverError
from weightlab.lp.certificate import (
    check_exact,
    check_form,
    check_signs_are_of,
    leads,
    series_dict,
    series_from_json,
    signs_from_json,
    signs_to_json,
)
from weightlab.lp.objectives import LinearObjective, Objective, is_as_worded, objective_for, objective_value
from weightlab.lp.optimum import Optimum, best_over, check_attains
from weightlab.lp.prospect import Prospect, prospect, space_for
from weightlab.lp.space import WeightSpace
from weightlab.lp.verdict import Verdict
from weightlab.lp.wording import given

__all__ = ["Scenario", "scenario"]

SLACK = Fraction(1, 1000)
"""Weights that win strictly may miss an optimum that no strict win attains by at most so much."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scenario(Result, kind="scenario"):
    """Winning weights that serve an objective best, with the multipliers that prove it.

    Attributes
    ----------
    model : str
        Who is to win.
    objective : LinearObjective
        What was made small or large.
    margin : Fraction
        Least lead that was asked for; 0 means "loses to nobody".
    value : Fraction
        The optimum over all weights with leads of at least ``margin``.
    weights : Series of Fraction by task
        Weights that attain it; they win strictly if any that attain it do.
    duel_multipliers : Series of Fraction by rival
        Multipliers of the duels, not negative.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space and of the objective.
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        The weights that were allowed.
    at_optimum : Prospect
        The same model in the space cut down to optimal weights: the proof of ``attained``.
    strict_weights : Series of Fraction by task, or None
        Weights that win strictly and whose objective misses ``value`` by ``slack``. A weak model has none; that it is
        weak is for its `Prospect` to prove, so None claims nothing.
    slack : Fraction or None
        What they miss; 0 when the optimum is attained.
    """

    model: str
    objective: LinearObjective
    margin: Fraction
    value: Fraction
    weights: pd.Series
    duel_multipliers: pd.Series
    multipliers: pd.Series
    signs: SignArray
    space: WeightSpace
    at_optimum: Prospect
    strict_weights: pd.Series | None
    slack: Fraction | None

    @property
    def attained(self) -> bool:
        """Whether some optimal weights win strictly: otherwise strict winners only come as near as one likes."""
        return self.at_optimum.verdict is Verdict.STRICT

    @property
    def verdict(self) -> Verdict:
        """What ``weights`` do: ``strict`` when they win every duel, ``weak`` when they tie some."""
        return Verdict.STRICT if min(self.duels) > 0 else Verdict.WEAK

    @property
    def rivals(self) -> tuple[str, ...]:
        """Rows of the signs."""
        return tuple(str(name) for name in self.duel_multipliers.index)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Columns of the signs."""
        return tuple(str(name) for name in self.weights.index)

    @property
    def duels(self) -> pd.Series:
        """The exact lead over each rival under ``weights``."""
        return exact_series(leads(self.signs, self.weights.tolist()), self.rivals, "lead")

    def __str__(self) -> str:
        """Say the optimum in one sentence; another one names the conditions, if there are any."""
        word = "least" if self.objective.sense is Sense.MINIMISE else "greatest"
        wins = "wins" if self.verdict is Verdict.STRICT else "is beaten by nobody"
        optimum = f"{word} {self.objective.text} {self.value} ({float(self.value):.4g})"
        asked = f", leading everybody by at least {self.margin}" if self.margin else ""
        return f"{self.model} {wins} with {optimum}{asked}.{given(self.space)}"

    def summary(self) -> pd.DataFrame:
        """Return the weights as floats: the optimal ones and, where there are any, those that win strictly."""
        columns = {"optimal": self.weights.astype(float)}
        if self.strict_weights is not None:
            columns["strict"] = self.strict_weights.astype(float)
        return pd.DataFrame(columns)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check feasibility, optimality and ``attained`` in exact arithmetic, without a solver.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        check_form(self.model, self.rivals, self.tasks, self.signs, self.space)
        self._verify_objective()
        if source is not None:
            check_signs_are_of(source, self.model, self.rivals, self.tasks, self.signs)
        self._optimum.check(self.signs, self.space)
        self._verify_attained()
        self._verify_strict()
        return True

    @property
    def _optimum(self) -> Optimum:
        return Optimum(
            objective=self.objective,
            least=self.margin,
            value=self.value,
            weights=self.weights,
            duel_multipliers=self.duel_multipliers,
            multipliers=self.multipliers,
        )

    def _verify_objective(self) -> None:
        check_exact(margin=self.margin, value=self.value)
        ensure(self.margin >= 0, f"a margin of {self.margin} is no win")
        ensure(
            is_as_worded(self.objective, self.space), f"the rows of the objective do not say {self.objective.text!r}"
        )

    def _verify_attained(self) -> None:
        found = self.at_optimum
        cut = self.space.and_condition(self.objective.at_optimum(self.value))
        ensure(found.space.to_dict() == cut.to_dict(), "the space of optimal weights is not this optimum's")
        ensure(found.rivals == self.rivals, "the space of optimal weights has other rivals")
        found.verify()
        ensure((found.signs == self.signs).all(), "the space of optimal weights has other signs")
        ensure(found.model == self.model, "the space of optimal weights is about another model")

    def _verify_strict(self) -> None:
        strict, slack = self.strict_weights, self.slack
        ensure((strict is None) == (slack is None), "strict weights and slack belong together")
        if strict is None or slack is None:
            ensure(not self.attained, "strict weights attain the optimum, but none are given")
            return
        check_exact(slack=slack)
        ensure(slack >= 0, f"the slack is negative: {slack}")
        ensure(tuple(strict.index) == tuple(self.weights.index), "the strict weights are about other tasks")
        ensure(not (self.attained and slack), f"strict weights attain the optimum, but those given miss it by {slack}")
        value = self.value + (slack if self.objective.sense is Sense.MINIMISE else -slack)
        check_attains(self.objective, strict, value, self.signs, self.rivals, space=self.space, least=self.margin)
        least = min(leads(self.signs, strict.tolist()))
        ensure(least > 0, f"the strict weights win a duel only by {least}")

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON."""
        return {
            "kind": self.kind,
            "model": self.model,
            "objective": self.objective.to_dict(),
            "margin": to_json(self.margin),
            "value": to_json(self.value),
            "weights": to_json(self.weights),
            "duel_multipliers": to_json(self.duel_multipliers),
            "multipliers": to_json(self.multipliers),
            "signs": signs_to_json(self.signs),
            "space": self.space.to_dict(),
            "at_optimum": self.at_optimum.to_dict(),
            "strict_weights": None if self.strict_weights is None else to_json(self.strict_weights),
            "slack": None if self.slack is None else to_json(self.slack),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Scenario:
        """Return the result that ``to_dict`` wrote."""
        space = WeightSpace.from_dict(document["space"])
        objective = LinearObjective.from_dict(document["objective"])
        weights = series_from_json(document["weights"], "weight")
        duels = series_from_json(document["duel_multipliers"], "multiplier")
        strict, slack = document["strict_weights"], document["slack"]
        names = [row.name for row in (*space.rows, *objective.condition.rows)]
        return cls(
            model=str(document["model"]),
            objective=objective,
            margin=read_fraction(document["margin"], "margin"),
            value=read_fraction(document["value"], "value"),
            weights=weights,
            duel_multipliers=duels,
            multipliers=series_from_json(document["multipliers"], "multiplier", names),
            signs=signs_from_json(document["signs"], len(duels), len(weights)),
            space=space,
            at_optimum=Prospect.from_dict(document["at_optimum"]),
            strict_weights=None if strict is None else series_from_json(strict, "weight", list(weights.index)),
            slack=None if slack is None else read_fraction(slack, "slack"),
        )


def scenario(
    board: SignsLike,
    model: str,
    objective: Objective,
    *,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> Scenario:
    """Find, among all weights under which a model loses to nobody, those that serve an objective best.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table.
    model : str
        Who is to win.
    objective : Objective
        `closest_to`, `most_balanced`, `least_weight` or `most_weight`.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        Least lead over every rival, as a share of total weight; not negative.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    Scenario

    Raises
    ------
    ImpossibleError
        If no weights of the space give such leads; its ``proof`` is the Prospect that shows it.
    InputError
        If the margin is negative.
    UnknownNameError, EmptySpaceError, UnprovedError
        As for `prospect`.

    Notes
    -----
    Winning every duel is an open condition, so the best strictly winning weights need not exist: the optimum is over
    leads of at least ``margin``, ``attained`` says whether strict winners reach it, and ``strict_weights`` come within
    1/1000 of it.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 ("a linear function that needs to be optimised").

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 2}})
    >>> print(wl.lp.scenario(board, "a", wl.lp.closest_to()))
    a is beaten by nobody with least distance from equal weights (sum of changes) 1/3 (0.3333).
    """
    signs = as_signs(board)
    allowed = space_for(signs, space)
    linear = objective_for(objective, board, allowed)
    least = fraction(margin)
    if least < 0:
        raise InputError(f"margin must not be negative, since a model that trails somebody does not win; got {least}")
    widest = prospect(signs, model, space=allowed, time_limit=time_limit)
    if widest.margin < least:
        raise ImpossibleError(
            f"no weights give {model!r} a lead of {least} over every rival; the best possible is {widest.margin}",
            proof=widest,
        )
    matrix, rivals = signs.matrix(model), signs.rivals(model)
    best = best_over(matrix, rivals, allowed, linear, least=least, time_limit=time_limit)
    cut = allowed.and_condition(linear.at_optimum(best.value))
    at_optimum = prospect(signs, model, space=cut, time_limit=time_limit)
    if at_optimum.margin < least:
        raise SolverError("the optimal weights lose a duel that they were made to win")
    strict, slack = _strict(linear, best.value, widest, at_optimum)
    result = Scenario(
        model=model,
        objective=linear,
        margin=least,
        value=best.value,
        weights=at_optimum.weights,
        duel_multipliers=best.duel_multipliers,
        multipliers=best.multipliers,
        signs=matrix,
        space=allowed,
        at_optimum=at_optimum,
        strict_weights=strict,
        slack=slack,
    )
    result.verify()
    return result


def _strict(
    objective: LinearObjective, value: Fraction, widest: Prospect, at_optimum: Prospect
) -> tuple[pd.Series | None, Fraction | None]:
    """Return strictly winning weights near the optimum: optimal ones moved a little towards the widest margin."""
    if widest.verdict is not Verdict.STRICT:
        return None, None
    if at_optimum.verdict is Verdict.STRICT:
        return at_optimum.weights, Fraction(0)
    far = abs(objective_value(objective, series_dict(widest.weights)) - value)
    step = min(Fraction(1), SLACK / far) if far else Fraction(1)
    mixed = [
        (1 - step) * here + step * there
        for here, there in zip(at_optimum.weights.tolist(), widest.weights.tolist(), strict=True)
    ]
    weights = exact_series(mixed, at_optimum.tasks, "weight")
    return weights, abs(objective_value(objective, series_dict(weights)) - value)
