"""Rank ranges: the best and the worst rank that weights can give a model by a linear rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from weightlab._result import Proof, Result, ensure
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import UnknownNameError
from weightlab.lp.allowed import space_for
from weightlab.lp.most_rows import SLACK
from weightlab.lp.point_rule import PointRule, PointsLike, RuleLike, check_points
from weightlab.lp.rank_end import RankEnd, check_end, rank_end
from weightlab.lp.space import WeightSpace
from weightlab.lp.wording import given

__all__ = ["RankRange", "rank_range"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RankRange(Result, kind="rank_range"):
    """The best and the worst rank of a model over all weights of a space, with weights that give them.

    A rank is 1 plus the number of models strictly above: models that tie share the least rank.

    Attributes
    ----------
    model : str
        Whose ranks they are.
    rule : PointRule
        What a place or a score is worth.
    top, bottom : RankEnd
        The best and the worst rank with weights that give it, and what shows that none give a better or worse one.
    points : Points
        Points of all models on all tasks.
    space : WeightSpace
        The weights that were allowed.
    """

    derived = ("best", "worst")

    model: str
    rule: PointRule
    top: RankEnd
    bottom: RankEnd
    points: Points
    space: WeightSpace

    @property
    def best(self) -> int:
        """The best rank that weights of the space give the model."""
        return self.top.rank

    @property
    def worst(self) -> int:
        """The worst rank that weights of the space give the model."""
        return self.bottom.rank

    @property
    def best_weights(self) -> pd.Series:
        """Weights that give it the best rank."""
        return self.top.weights

    @property
    def worst_weights(self) -> pd.Series:
        """Weights that give it the worst rank."""
        return self.bottom.weights

    @property
    def slack(self) -> Fraction | None:
        """By how little a rival may be above without counting in the solver's bound of the worst rank.

        As a share of the largest difference between the two models' points on a task. None where the worst rank is
        exact; the best rank has none, since "level or below" includes its boundary.
        """
        return None if self.bottom.solver is None else SLACK

    @property
    def proof(self) -> Proof:
        """``exact`` when both ends are, else ``exact_witness``; each end has its own ``proof``."""
        exact = self.top.proof is self.bottom.proof is Proof.EXACT
        return Proof.EXACT if exact else Proof.EXACT_WITNESS

    def __str__(self) -> str:
        """Say the range in one sentence; others say what rests on a solver, and name the conditions."""
        count = len(self.points.models)
        if self.best == self.worst:
            said = f"{self.model} ranks {self.best} of {count} by {self.rule} under all weights."
        else:
            said = f"{self.model} can rank from {self.best} to {self.worst} of {count} by {self.rule}."
        return said + self._grounds() + given(self.space)

    def _grounds(self) -> str:
        parts = []
        if self.top.solver is not None:
            parts.append(f"that no weights rank it higher is {self.top.solver}'s bound")
        if self.bottom.solver is not None:
            aside = f"rivals above by less than {SLACK} of their largest difference on a task aside"
            parts.append(f"that none rank it lower is {self.bottom.solver}'s bound, {aside}")
        text = "; ".join(parts)
        return f" {text[0].upper()}{text[1:]}." if text else ""

    def summary(self) -> pd.DataFrame:
        """Return the weights behind both ranks as floats, tasks without weight in both left out."""
        frame = pd.DataFrame({"best": self.best_weights.astype(float), "worst": self.worst_weights.astype(float)})
        return frame[(frame != 0).any(axis=1)]

    def verify(self, source: PointsLike | None = None) -> bool:
        """Re-check, in exact arithmetic, both ranks and every conflict; what rests on a solver is not re-checked.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; the points that the rule gives for it must be those that the result carries. Any numbers can be
            scores, so that for the mean only this tells whose points they are.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first claim that fails.
        """
        check_points(self.points, self.space.tasks)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        self.rule.check(self.points)
        if source is not None:
            self.rule.check_source(self.points, source)
        check_end(self.top, self.points, self.model, self.space, "best")
        check_end(self.bottom, self.points, self.model, self.space, "worst")
        ensure(self.best <= self.worst, f"a range from {self.best} to {self.worst} is none")
        return True


def rank_range(
    board: PointsLike,
    model: str,
    rule: RuleLike = "mean",
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RankRange:
    """Return the best and the worst rank that weights can give a model by a linear rule.

    Parameters
    ----------
    board : Leaderboard or Profile
        The table; its weights play no part.
    model : str
        Whose ranks are asked for.
    rule : str or sequence of numbers
        ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"``, or the points of the places, best first.
    ties, missing : str, optional
        As for `prospect`.
    space : WeightSpace, optional
        Allowed weights.
    time_limit : float, optional
        Seconds for each end of the range.

    Returns
    -------
    RankRange

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError
        As for `prospect`.
    TimeLimitError, UnprovedError
        ``known`` has a ``rank`` that some weights give the model, the ``weights``, and the ``bound`` that is not
        excluded, for the ``end`` ("best" or "worst") that was not settled.

    Notes
    -----
    To be level with or above as many rivals as possible is the maximum feasible subsystem of linear inequalities,
    which is NP-hard. Rivals that are above, or not above, under all weights are settled first; conflicts (rivals of
    whom one at least is above, whatever the weights) bound the rank exactly; an integer program with a binary for each
    rival that is left does the rest. On real tables of a hundred models it takes some tenths of a second.

    Whether a model can be first, and whether it can be last, is always exact.

    References
    ----------
    Amaldi and Kann, 'The complexity and approximability of finding maximum feasible subsystems of linear relations',
    Theoretical Computer Science 147 (1995). Salo and Punkka, 'Ranking intervals and dominance relations for
    ratio-based efficiency analysis', Management Science 57 (2011).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 2, "b": 4, "c": 1}})
    >>> print(wl.lp.rank_range(board, "a"))
    a can rank from 1 to 2 of 3 by mean.
    """
    linear = PointRule.of(rule, ties=ties, missing=missing)
    points = linear.points(board)
    allowed = space_for(points, space)
    name = str(model)
    if name not in points.models:
        raise UnknownNameError("model", model, points.models)
    top = rank_end(points, name, allowed, "best", time_limit=time_limit)
    bottom = rank_end(points, name, allowed, "worst", time_limit=time_limit)
    result = RankRange(model=name, rule=linear, top=top, bottom=bottom, points=points, space=allowed)
    result.verify()
    return result
