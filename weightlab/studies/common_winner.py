"""The least change of weights under which two rules have a winner in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self, TypeAlias

import pandas as pd

from weightlab._result import Proof, Result, ensure, exact_series, read_fraction, to_json
from weightlab._solver import solver_name
from weightlab.data import Leaderboard
from weightlab.exceptions import ImpossibleError, UnknownNameError
from weightlab.lp.certificate import check_weights, series_dict, series_from_json
from weightlab.lp.distance import Norm, checked_norm, distance
from weightlab.studies.answers import Answers, ask
from weightlab.studies.questions import AskedRule
from weightlab.studies.weighed import Weighed, far_words
from weightlab.studies.winning_conditions import Bound, WinningConditions

__all__ = ["CommonWinner", "common_winner", "winner_of"]

Point: TypeAlias = "tuple[str | None, pd.Series | None, Fraction | None]"
"""A winner, weights and their distance from today's; None where there are none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CommonWinner(Result, kind="common_winner"):
    """The nearest weights under which two rules have a winner in common.

    Attributes
    ----------
    answers : Answers
        What the rules say today, with the board.
    norm : {"l1", "linf"}
        How changes of weights are measured: their sum, or the largest of them.
    asked : str or None
        Who was to be the winner; None for anybody.
    winner : str or None
        Who is, there; None where nobody can be under any weights.
    weights : Series of Fraction by task (or group), or None
        The weights, of the tasks that weigh today (of groups, where an average by group is asked). Both rules have
        the winner among theirs: ties count.
    value : Fraction or None
        The distance from today's.
    bounds : mapping from model to Bound
        For each candidate how near it can win by the linear rules, proved.
    solver : str or None
        Whose word it is that there is nothing nearer; None where the bounds prove it.
    """

    answers: Answers
    norm: Norm
    asked: str | None
    winner: str | None
    weights: pd.Series | None
    value: Fraction | None
    bounds: Mapping[str, Bound] = field(repr=False)
    solver: str | None

    @property
    def rules(self) -> tuple[str, str]:
        """The two rules."""
        return self.answers.pair

    @property
    def winners_there(self) -> dict[str, tuple[str, ...]]:
        """Who wins by each rule under the weights; as today where there are none."""
        if self.weights is None:
            return {name: one.winners for name, one in self.answers.items()}
        asked, shares = self.answers.questions, self.weights
        return {name: self.weighed.answer(question, shares).winners for name, question in asked.items()}

    @property
    def weighed(self) -> Weighed:
        """What has the weights: tasks or groups."""
        return Weighed.of(self.answers.questions, self.answers.board)

    @property
    def proof(self) -> Proof:
        """``exact`` unless a solver is named."""
        return Proof.EXACT if self.solver is None else Proof.EXACT_WITNESS

    def __str__(self) -> str:
        """Say who can be the winner of both, and how far away."""
        one, other = self.rules
        word = f" (by {self.solver}'s bound)" if self.solver else ""
        if self.winner is None or self.value is None:
            who = "no model" if self.asked is None else f"not {self.asked}"
            return f"{one} and {other} have {who} for a common winner, whatever the weights{word}."
        if not self.value:
            return f"{one} and {other} have a common winner at today's weights: {self.winner}."
        far = far_words(self.value)
        whom = "a common winner" if self.asked is None else "this common winner"
        weights = "the groups' weights" if self.weighed.by_group else "weights"
        return (
            f"{one} and {other} have {self.winner} for {whom} after a change of {weights} by {far}: the least{word}, "
            f"{'the sum of changes' if self.norm == 'l1' else 'the largest change'} counted."
        )

    def summary(self) -> pd.DataFrame:
        """Return today's weights (as shares of 1) and those found, as floats, by task or group."""
        weighed = self.weighed
        today = pd.Series([float(share) for share in weighed.today], index=list(weighed.units))
        table = pd.DataFrame({"today": today})
        if self.weights is not None:
            table["there"] = self.weights.astype(float)
            table["change"] = table["there"] - today
        return table

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check both rankings, that both rules have the winner there, the distance, and what bounds it.

        Everything is exact and without a solver, but for what rests on the word of one that is named.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        self.answers.verify(source)
        ensure(len(self.answers) == 2, "two rules have a common winner, no more and no fewer")
        conditions = WinningConditions.of(self.answers.questions, self.answers.board, self.norm)
        candidates = conditions.models if self.asked is None else (self.asked,)
        ensure(tuple(self.bounds) == candidates, "the bounds are not about the candidates, in order")
        for model, bound in self.bounds.items():
            conditions.check(model, bound)
        least = min((one.value for one in self.bounds.values() if one.value is not None), default=None)
        self._verify_point(conditions, candidates)
        if least is None or self.value is None:
            proved = least is None
        else:
            ensure(self.value >= least, f"a distance of {self.value} is below {least}, which the linear rules ask for")
            proved = self.value == least
        ensure(proved == (self.solver is None), "a solver is named where, and only where, its word is relied on")
        ensure(self.solver is None or conditions.duels, "linear rules need no solver's word")
        return True

    def _verify_point(self, conditions: WinningConditions, candidates: tuple[str, ...]) -> None:
        together = {self.winner is None, self.weights is None, self.value is None}
        ensure(len(together) == 1, "winner, weights and distance belong together")
        if self.weights is None or self.value is None:
            return
        ensure(self.winner in candidates, f"{self.winner!r} is not among the candidates")
        ensure(
            tuple(self.weights.index) == conditions.units,
            f"the weights are not about the {conditions.weighed.noun}s, in order",
        )
        check_weights(series_dict(self.weights), (), ())
        for name, winners in self.winners_there.items():
            ensure(self.winner in winners, f"by {name} the winners there are {', '.join(winners)}")
        far = distance(self.norm, self.weights.tolist(), conditions.centre)
        ensure(far == self.value, f"the distance is {far}, not {self.value}")

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON.

        Raises
        ------
        InputError
            If a question is a function.
        """
        return {
            "kind": self.kind,
            "norm": self.norm,
            "asked": self.asked,
            "winner": self.winner,
            "weights": None if self.weights is None else to_json(self.weights),
            "value": None if self.value is None else to_json(self.value),
            "bounds": {model: bound.to_dict() for model, bound in self.bounds.items()},
            "solver": self.solver,
            "rules": list(self.rules),
            "answers": self.answers.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        answers = Answers.of_two(document)
        units = Weighed.of(answers.questions, answers.board).units
        weights, value = document["weights"], document["value"]
        names = {
            part: None if document[part] is None else str(document[part]) for part in ("asked", "winner", "solver")
        }
        return cls(
            answers=answers,
            norm=checked_norm(document["norm"]),
            weights=None if weights is None else series_from_json(weights, "weight", list(units)),
            value=None if value is None else read_fraction(value, "value"),
            bounds={str(k): Bound.from_dict(v) for k, v in document["bounds"].items()},
            **names,
        )


def common_winner(
    board: Leaderboard,
    rule_a: AskedRule,
    rule_b: AskedRule,
    *,
    model: str | None = None,
    options: Mapping[str, Any] | None = None,
    norm: str = "l1",
    time_limit: float | None = None,
) -> CommonWinner:
    """Find the least change of weights under which two rules have a winner in common.

    Parameters
    ----------
    board : Leaderboard
        What is ranked.
    rule_a, rule_b : str or Rule
        Linear rules (mean, Borda, plurality, veto, Dowdall), ``"macro_average"``, ``"two_step_average"``, Copeland, or
        minimax by margins (by any defeats where nobody ties or lacks a score).
    model : str, optional
        Who is to be the winner; anybody by default.
    options : mapping, optional
        Options for both rules, where they have them.
    norm : {"l1", "linf"}
        How changes of weights (as shares of 1) are measured: their sum, between 0 and 2, or the largest of them.
    time_limit : float, optional
        Seconds for each program.

    Returns
    -------
    CommonWinner
        ``.winner`` ``.weights`` ``.value`` ``.winners_there`` ``.proof`` ``.verify()``.

    Raises
    ------
    InputError
        If a rule is another one, or another function; if Copeland or minimax is asked beside an average by group.
    UnknownNameError
        If there is no such model.
    UnprovedError, TimeLimitError
        If a program was not solved.

    Notes
    -----
    Beside an average by group the weights are those of groups, all equal today: of a group's mean or ranking there, and
    a factor for the weights of its tasks in the other rule. In the weights of tasks these averages are not linear.

    A model that ties for the first place wins, too: the winners by linear rules alone only come as near as one likes.
    With two linear rules one linear program a candidate, all proved exactly. With Copeland or minimax these bound how
    near a candidate can win, and an integer program a candidate, NP-hard, finds weights for those whose bound is
    below the best so far; that there are none nearer is the solver's word unless a bound is attained. Duels that are
    decided by less than 1/10000 count as tied by Copeland, or are avoided.

    References
    ----------
    Vote'n'Rank, section 3.2 and table 2 (prospective winners by rule).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}}
    ... )
    >>> found = common_winner(board, "mean", "borda")
    >>> print(found)
    mean and borda have a for a common winner after a change of weights by 1/3 (0.3333): the least, the sum of \
changes counted.
    >>> found.winners_there
    {'mean': ('a',), 'borda': ('a', 'b')}
    """
    return winner_of(ask(board, [rule_a, rule_b], options=options), model=model, norm=norm, time_limit=time_limit)


def winner_of(answers: Answers, *, model: str | None, norm: str, time_limit: float | None) -> CommonWinner:
    """Return the least change of weights under which the two rules that answered have a winner in common."""
    measured = checked_norm(norm)
    board = answers.board
    conditions = WinningConditions.of(answers.questions, board, measured)
    if model is not None and str(model) not in board.models:
        raise UnknownNameError("model", model, board.models)
    candidates = conditions.models if model is None else (str(model),)
    bounds = {one: conditions.bound(one, time_limit) for one in candidates}
    both = set(candidates).intersection(*(one.winners for one in answers.values()))
    if both:
        first = next(one for one in candidates if one in both)
        point: Point = (first, exact_series(conditions.centre, conditions.units, "weight"), Fraction(0))
    else:
        point = _nearest(conditions, bounds, time_limit)
    winner, weights, value = point
    least = min((one.value for one in bounds.values() if one.value is not None), default=None)
    found = CommonWinner(
        answers=answers,
        norm=measured,
        asked=None if model is None else str(model),
        winner=winner,
        weights=weights,
        value=value,
        bounds=bounds,
        solver=None if value == least else solver_name(),
    )
    found.verify()
    return found


def _nearest(conditions: WinningConditions, bounds: Mapping[str, Bound], time_limit: float | None) -> Point:
    """Return the candidate that can win nearest to today's weights, where, and how far that is."""
    reach = {model: (bound.value, bound.nearest) for model, bound in bounds.items()}
    near = sorted((value, place, model) for place, (model, (value, _)) in enumerate(reach.items()) if value is not None)
    best: Point = (None, None, None)
    for value, _, model in near:
        if best[2] is not None and value >= best[2]:
            break
        point = reach[model][1]
        if not conditions.duels and point is not None:
            return model, point.weights, value
        try:
            found = conditions.nearest(model, time_limit)
        except ImpossibleError:
            continue
        units = conditions.units
        weights = exact_series(found.x[: len(units)], units, "weight")
        far = distance(conditions.norm, weights.tolist(), conditions.centre)
        if best[2] is None or far < best[2]:
            best = (model, weights, far)
    return best
