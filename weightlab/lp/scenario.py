"""Scenarios: among all weights under which a model wins, those that serve an objective best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._exact import fraction
from weightlab._result import Result, ensure, exact_series, read_fraction, to_json
from weightlab._solver import ExactOptimum, Formulation, Rows, Sense, exact_optimum
from weightlab._typing import Number, SignArray
from weightlab.data.convert import SignsLike, as_signs
from weightlab.exceptions import ImpossibleError, SolverError
from weightlab.lp.certificate import (
    check_multipliers,
    check_signs_are_of,
    check_weights,
    column_sums,
    leads,
    least_auxiliaries,
    series_dict,
    signs_from_json,
    signs_to_json,
)
from weightlab.lp.objectives import LinearObjective, Objective, objective_for
from weightlab.lp.program import RivalRows, linear_rows, rival_duals, row_duals, weight_rows
from weightlab.lp.prospect import Prospect, prospect, space_for
from weightlab.lp.space import WeightSpace
from weightlab.lp.verdict import Verdict

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
        Weights that win strictly and whose objective misses ``value`` by at most ``slack``; None for a weak model.
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
        """Say the optimum in one sentence."""
        word = "least" if self.objective.sense is Sense.MINIMISE else "greatest"
        wins = "wins" if self.verdict is Verdict.STRICT else "is beaten by nobody"
        return f"{self.model} {wins} with {word} {self.objective.text} {self.value} ({float(self.value):.4g})."

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
        ensure(self.signs.shape == (len(self.rivals), len(self.tasks)), "the signs do not fit the rivals and tasks")
        ensure(set(self.space.tasks) == set(self.tasks), "the space has other tasks than the signs")
        if source is not None:
            check_signs_are_of(source, self.model, self.rivals, self.tasks, self.signs)
        self._verify_weights(self.weights, self.margin, self.value)
        self._verify_optimality()
        cut = self.space.and_condition(self.objective.at_optimum(self.value))
        ensure(self.at_optimum.space.to_dict() == cut.to_dict(), "the space of optimal weights is not this optimum's")
        ensure((self.at_optimum.signs == self.signs).all(), "the space of optimal weights has other signs")
        ensure(self.at_optimum.model == self.model, "the space of optimal weights is about another model")
        self.at_optimum.verify()
        ensure((self.strict_weights is None) == (self.slack is None), "strict weights and slack belong together")
        if self.strict_weights is not None and self.slack is not None:
            missed = self.value + (self.slack if self.objective.sense is Sense.MINIMISE else -self.slack)
            self._verify_weights(self.strict_weights, self.margin, missed)
            least = min(leads(self.signs, self.strict_weights.tolist()))
            ensure(least > 0, f"the strict weights win a duel only by {least}")
        return True

    def _verify_weights(self, weights: pd.Series, margin: Fraction, value: Fraction) -> None:
        exact = series_dict(weights)
        check_weights(exact, self.space.rows, self.space.auxiliaries)
        for rival, lead in zip(self.rivals, leads(self.signs, weights.tolist()), strict=True):
            ensure(lead >= margin, f"the lead over {rival!r} is {lead}, below {margin}")
        found = objective_value(self.objective, exact)
        ensure(found == value, f"the {self.objective.text} is {found}, not {value}")

    def _verify_optimality(self) -> None:
        """Ensure that the multipliers bound the objective by ``value`` for all weights with leads >= ``margin``."""
        sign = 1 if self.objective.sense is Sense.MINIMISE else -1
        rows = (*self.space.rows, *self.objective.condition.rows)
        factors, duels = series_dict(self.multipliers), series_dict(self.duel_multipliers)
        ensure(list(factors) == [row.name for row in rows], "the multipliers are not those of the rows")
        check_multipliers(factors, rows, sign=-1)
        for rival, factor in duels.items():
            ensure(factor >= 0, f"the multiplier of the duel with {rival!r} is negative: {factor}")
        right = sum((factors[row.name] * row.bound for row in rows), self.margin * sum(duels.values(), Fraction(0)))
        rest = sign * self.value - right
        for task, lead in zip(self.tasks, column_sums(self.signs, list(duels.values())), strict=True):
            used = lead + rest + sum((factors[row.name] * row.tasks.get(task, 0) for row in rows), Fraction(0))
            cost = sign * self.objective.tasks.get(task, Fraction(0))
            ensure(used <= cost, f"the multipliers sum to {used} on {task!r}, above {cost}")
        for name in (*self.space.auxiliaries, *self.objective.condition.auxiliaries):
            used = sum((factors[row.name] * row.auxiliaries.get(name, 0) for row in rows), Fraction(0))
            cost = sign * self.objective.auxiliaries.get(name, Fraction(0))
            ensure(used <= cost, f"the multipliers sum to {used} for {name!r}, above {cost}")

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
        tasks, rivals = list(document["weights"]), list(document["duel_multipliers"])
        strict, slack = document["strict_weights"], document["slack"]
        names = [row.name for row in (*space.rows, *objective.condition.rows)]
        return cls(
            model=str(document["model"]),
            objective=objective,
            margin=read_fraction(document["margin"], "margin"),
            value=read_fraction(document["value"], "value"),
            weights=exact_series(document["weights"], tasks, "weight"),
            duel_multipliers=exact_series(document["duel_multipliers"], rivals, "multiplier"),
            multipliers=exact_series(document["multipliers"], names, "multiplier"),
            signs=signs_from_json(document["signs"], len(rivals), len(tasks)),
            space=space,
            at_optimum=Prospect.from_dict(document["at_optimum"]),
            strict_weights=None if strict is None else exact_series(strict, tasks, "weight"),
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
        Least lead over every rival, as a share of total weight.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    Scenario

    Raises
    ------
    ImpossibleError
        If no weights of the space give such leads; its ``proof`` is the Prospect that shows it.
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
    widest = prospect(signs, model, space=allowed, time_limit=time_limit)
    if widest.margin < least:
        raise ImpossibleError(
            f"no weights give {model!r} a lead of {least} over every rival; the best possible is {widest.margin}",
            proof=widest,
        )
    matrix, rivals = signs.matrix(model), signs.rivals(model)
    duels, optimum = _optimum(matrix, rivals, allowed, linear, margin=least, time_limit=time_limit)
    cut = allowed.and_condition(linear.at_optimum(optimum.value))
    at_optimum = prospect(signs, model, space=cut, time_limit=time_limit)
    if at_optimum.margin < least:
        raise SolverError("the optimal weights lose a duel that they were made to win")
    rows = (*allowed.rows, *linear.condition.rows)
    sign = 1 if linear.sense is Sense.MINIMISE else -1
    strict, slack = _strict(linear, optimum.value, widest, at_optimum)
    result = Scenario(
        model=model,
        objective=linear,
        margin=least,
        value=optimum.value,
        weights=at_optimum.weights,
        duel_multipliers=exact_series([sign * dual for dual in duels], rivals, "multiplier"),
        multipliers=exact_series(
            [sign * dual for dual in row_duals(optimum.duals, rows, 1)], [row.name for row in rows], "multiplier"
        ),
        signs=matrix,
        space=allowed,
        at_optimum=at_optimum,
        strict_weights=strict,
        slack=slack,
    )
    result.verify()
    return result


def objective_value(objective: LinearObjective, weights: Mapping[str, Fraction]) -> Fraction:
    """Return the objective at some weights, its auxiliary variables at the least values that their rows ask for."""
    values = least_auxiliaries(weights, objective.condition.rows, objective.condition.auxiliaries)
    terms = [value * weights[task] for task, value in objective.tasks.items()]
    terms += [value * values[name] for name, value in objective.auxiliaries.items()]
    return sum(terms, Fraction(0))


def _optimum(
    matrix: SignArray,
    rivals: tuple[str, ...],
    space: WeightSpace,
    objective: LinearObjective,
    *,
    margin: Fraction,
    time_limit: float | None,
) -> tuple[list[Fraction], ExactOptimum]:
    auxiliaries = (*space.auxiliaries, *objective.condition.auxiliaries)
    rows = (*space.rows, *objective.condition.rows)
    columns = {task: position for position, task in enumerate(space.tasks)}
    extra = {name: len(columns) + position for position, name in enumerate(auxiliaries)}
    width = len(columns) + len(extra)
    costs = {columns[task]: value for task, value in objective.tasks.items()}
    costs |= {extra[name]: value for name, value in objective.auxiliaries.items()}
    program = Formulation(
        name=objective.text,
        sense=objective.sense,
        columns=(*space.tasks, *auxiliaries),
        objective=tuple(costs.get(column, Fraction(0)) for column in range(width)),
        rows=Rows.join(weight_rows(len(columns), width), linear_rows(rows, columns, extra, width)),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    duels = RivalRows(matrix, rivals, width=width, least=margin)
    optimum = exact_optimum(program.with_rows(duels.rows(duels.first())), lazy=duels, time_limit=time_limit)
    return rival_duals(optimum, len(program.rows), rivals), optimum


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
