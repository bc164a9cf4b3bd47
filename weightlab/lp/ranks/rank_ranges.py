"""Rank ranges of all models by a linear rule: who can be first, who is always among the first few."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from weightlab._result import Proof, Result, ensure, told_of
from weightlab._validate import counted
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp.ranks.rank_range import RankEnd, RankRange, check_end, rank_end
from weightlab.lp.space.condition_text import conditions_sentence
from weightlab.lp.space.space import WeightSpace, space_for
from weightlab.lp.verdicts.scoring_rule import PointRule, PointsLike, RuleLike


class RankRanges(Result, kind="rank_ranges"):
    """The best and the worst rank of every model; ``ranges["T5"]`` is one model's `RankRange`.

    Attributes
    ----------
    rule : PointRule
        What a place or a score is worth.
    points : Points
        Points of all models on all tasks.
    space : WeightSpace
        The weights that were allowed.
    ends : tuple of (RankEnd, RankEnd)
        The best and the worst rank of each model, in board order.
    """

    rule: PointRule
    points: Points
    space: WeightSpace
    ends: tuple[tuple[RankEnd, RankEnd], ...]

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.points.models

    @property
    def best(self) -> pd.Series:
        """The best rank by model."""
        return pd.Series([top.rank for top, _ in self.ends], index=list(self.models), name="best")

    @property
    def worst(self) -> pd.Series:
        """The worst rank by model."""
        return pd.Series([bottom.rank for _, bottom in self.ends], index=list(self.models), name="worst")

    @property
    def possible_winners(self) -> tuple[str, ...]:
        """The models that some weights put first, alone or tied, in board order; always exact."""
        return self.possibly_in_top(1)

    @property
    def necessary_winners(self) -> tuple[str, ...]:
        """The models that all weights put first, alone or tied, in board order."""
        return self.always_in_top(1)

    def possibly_in_top(self, count: int) -> tuple[str, ...]:
        """Return the models that some weights rank ``count`` or better, in board order."""
        self._ensure_count(count)
        return tuple(model for model in self.models if self.best[model] <= count)

    def always_in_top(self, count: int) -> tuple[str, ...]:
        """Return the models that all weights rank ``count`` or better, in board order."""
        self._ensure_count(count)
        return tuple(model for model in self.models if self.worst[model] <= count)

    def _ensure_count(self, count: Any) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= len(self.models):
            raise InputError(f"a number of places from 1 to {len(self.models)} is needed; got {count!r}")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """All ranks are taken; that none is better, or worse, may be the solver's word."""
        ends = {
            f"no {which} rank of {model}": end.proof
            for model, both in zip(self.models, self.ends, strict=True)
            for which, end in zip(("better", "worse"), both, strict=True)
        }
        return {"the ranks under the weights": Proof.EXACT} | ends

    def __getitem__(self, model: str) -> RankRange:
        """Return one model's range."""
        if model not in self.models:
            raise UnknownNameError("model", model, self.models)
        top, bottom = self.ends[self.models.index(model)]
        return RankRange(model=model, rule=self.rule, top=top, bottom=bottom, points=self.points, space=self.space)

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.ends)

    def __iter__(self) -> Iterator[str]:
        """Go through the models' names, in board order."""
        return iter(self.models)

    def __str__(self) -> str:
        """Say in one sentence how many models can be first; others say what rests on a solver, and the conditions."""
        fixed = sum(top.rank == bottom.rank for top, bottom in self.ends)
        first = counted(len(self.possible_winners), "model")
        have = "has" if fixed == 1 else "have"
        sentence = (
            f"By {self.rule} {first} of {len(self)} can be first; {fixed} {have} the same rank under all weights."
        )
        open_ends = [end.solver for both in self.ends for end in both if end.solver is not None]
        if open_ends:
            sentence += f" {len(open_ends)} of {2 * len(self)} bounds are {open_ends[0]}'s, not re-proved here."
        return sentence + conditions_sentence(self.space)

    def summary(self) -> pd.DataFrame:
        """Return best and worst ranks with what proves them, one row a model, in the order of the best ranks."""
        frame = pd.DataFrame(
            {
                "best": self.best,
                "worst": self.worst,
                "best proof": [str(top.proof) for top, _ in self.ends],
                "worst proof": [str(bottom.proof) for _, bottom in self.ends],
            }
        )
        return frame.sort_values(["best", "worst"], kind="stable")

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check every end of every range, as `RankRange.verify` does.

        Raises
        ------
        ProofError
            Naming the first model and claim that fail.
        """
        ensure(len(self.ends) == len(self.models), "there must be a best and a worst rank a model")
        self.rule.check(self.points, self.space, source)
        for model, (top, bottom) in zip(self.models, self.ends, strict=True):
            with told_of(repr(model)):
                check_end(top, self.points, model, self.space, "best")
                check_end(bottom, self.points, model, self.space, "worst")
                ensure(top.rank <= bottom.rank, f"a range from {top.rank} to {bottom.rank} is none")
        solvers = {end.solver for both in self.ends for end in both if end.solver is not None}
        ensure(len(solvers) < 2, f"several solvers are named: {', '.join(sorted(solvers))}")
        return True


def rank_ranges(
    board: PointsLike,
    rule: RuleLike = "mean",
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> RankRanges:
    """Return the best and the worst rank that weights can give each model by a linear rule.

    Parameters
    ----------
    board : Leaderboard or Profile
        The table; its weights play no part.
    rule, ties, missing, space
        As for `rank_range`.
    time_limit : float, optional
        Seconds for each end of each range.
    progress : callable, optional
        Called with the number of models done since the last call.

    Returns
    -------
    RankRanges

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError, TimeLimitError, UnprovedError
        As for `rank_range`; ``known["ranges"]`` has the ranges found before, by model, as pairs of ranks.

    Notes
    -----
    Twice as many integer programs as models at most; most are settled without one. Verdicts on first places are exact.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 2, "b": 4, "c": 1}})
    >>> ranges = wl.lp.rank_ranges(board)
    >>> ranges.possible_winners, ranges.always_in_top(2)
    (('a', 'b'), ('a',))
    """
    linear = PointRule.of(rule, ties=ties, missing=missing)
    points = linear.points(board)
    allowed = space_for(points, space)
    ends: list[tuple[RankEnd, RankEnd]] = []
    for model in points.models:
        try:
            top = rank_end(points, model, allowed, "best", time_limit=time_limit)
            ends.append((top, rank_end(points, model, allowed, "worst", time_limit=time_limit)))
        except UnprovedError as error:
            found = zip(points.models, ends, strict=False)
            error.known |= {"model": model, "ranges": {name: (one.rank, two.rank) for name, (one, two) in found}}
            raise type(error)(f"{model!r}: {error}", known=error.known) from error
        if progress is not None:
            progress(1)
    return RankRanges(rule=linear, points=points, space=allowed, ends=tuple(ends)).verified()
