"""Rank ranges: the best and the worst rank that weights can give a model, or every model, by a linear rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import pandas as pd

from weightlab._exact import AnyArray
from weightlab._result import ByName, Proof, Record, Result, Seen, ensure, exact_series, told_of
from weightlab._solver import Solver, deadline_in, is_past, seconds_left
from weightlab._text import counted
from weightlab._validate import ensure_jobs
from weightlab.data.linear_rule import LinearRule, PointsLike, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.exceptions import InputError
from weightlab.lp.by_model import ByModel
from weightlab.lp.certificate import check_weighting
from weightlab.lp.ranks.max_satisfiable import Conflict, check_conflicts, most_nearby, most_rows, satisfied
from weightlab.lp.space.space import WeightSpace, space_for
from weightlab.lp.verdicts.all_models import in_processes, processes

PARTS = 64
"""Largest number of parts into which models are divided among processes."""
UNSETTLED = "The time limit came before all ranks were settled."
"""Sentence for ranges with ranks that are not excluded."""


class RankRange(Result, kind="rank_range"):
    """The best and the worst rank of a model over all weights of a space, with weights that give them.

    A rank is 1 plus the number of models strictly above: models that tie share the least rank. Where a time limit came
    first, they are the best and the worst that were found, and ``.settled`` is False.

    Attributes
    ----------
    model : str
        Whose ranks they are.
    rule : LinearRule
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
    rule: LinearRule
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
    def settled(self) -> bool:
        """Whether both ends are settled: no weights give a better rank than ``best``, none a worse than ``worst``."""
        return self.top.settled and self.bottom.settled

    @property
    def not_excluded(self) -> str:
        """The ranks that are not excluded: more than were found where the time limit came first."""
        return f"{self.top.bound} to {self.bottom.bound}"

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Both ranks are taken; that none is better, or worse, may be the solver's claim."""
        ends = {_denied(self.top, "better"): self.top.proof, _denied(self.bottom, "worse"): self.bottom.proof}
        return {"the ranks under the weights": Proof.EXACT} | ends

    def __str__(self) -> str:
        """Say the range in one sentence; others say what a time limit left open, and name the conditions."""
        count = len(self.points.models)
        if self.settled and self.best == self.worst:
            sentence = f"{self.model} ranks {self.best} of {count} {self.rule.by} under all weights."
        else:
            sentence = f"{self.model} can rank from {self.best} to {self.worst} of {count} {self.rule.by}."
        if not self.settled:
            sentence += f" Ranks from {self.not_excluded} are not excluded."
        return sentence + self.space.conditions_sentence

    def to_frame(self) -> pd.DataFrame:
        """Return the weights behind both ranks, tasks without weight in both left out."""
        frame = pd.DataFrame({"best": self.best_weights, "worst": self.worst_weights})
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
        self.rule.check(self.points, self.space.tasks, source)
        ensure(self.model in self.points.models, f"{self.model!r} is not among the models")
        check_end(self.top, self.points, self.model, self.space, "best")
        check_end(self.bottom, self.points, self.model, self.space, "worst")
        ensure(self.best <= self.worst, f"a range from {self.best} to {self.worst} is empty")
        return True


def rank_range(
    board: PointsLike,
    model: str,
    rule: RuleLike = "mean",
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
) -> RankRange:
    """Return the best and the worst rank that weights can give a model by a linear rule.

    Parameters
    ----------
    board : Leaderboard or Profile
        The table; its weights play no part.
    model : str
        The model.
    rule : str or sequence of numbers
        ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"``, or the points of the places, best first.
    ties, missing : str, optional
        As for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights.
    time_limit : float, optional
        Seconds for the whole question; then open ends are given as ranks found and ranks not excluded.

    Returns
    -------
    RankRange

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError
        As for `prospect`.

    Notes
    -----
    To tie or be above as many rivals as possible is the maximum feasible subsystem of linear inequalities,
    which is NP-hard. Rivals that are above, or not above, under all weights are settled first; conflicts (rivals
    such that at least one is above, whatever the weights) bound the rank exactly; branch and cut over conflicts does
    the rest. On real tables of a hundred models it takes some hundredths of a second, rarely a second.

    Whether a model can be first, and whether it can be last, is exact unless a time limit leaves it open.

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
    a can rank from 1 to 2 of 3 by average.
    """
    linear = LinearRule.of(rule, ties=ties, missing=missing, scaled=scaled)
    points = linear.points(board)
    allowed = space_for(points, space)
    name = str(model)
    [(top, bottom)] = _ranges([name], points=points, space=allowed, deadline=deadline_in(time_limit))
    return RankRange(model=name, rule=linear, top=top, bottom=bottom, points=points, space=allowed).verified()


# One end of a rank range: a rank that weights give a model, and why none give it a better (or worse) one.

End: TypeAlias = Literal["best", "worst"]


class RankEnd(Record):
    """The best or the worst rank that a model can have.

    Attributes
    ----------
    rank : int
        1 plus the number of models strictly above it under ``weights``.
    bound : int
        No weights give a better (or worse) one than this: ``rank``, unless a time limit came first.
    weights : Series of Fraction by task
        Weights that give it that rank.
    conflicts : tuple of Conflict
        Sets of rivals, none in two of them. Of each, whatever the weights, at least one is above the model (best rank),
        or at least one is not above it (worst rank).
    solver : Solver or None
        Whose word ``bound`` is; None where the conflicts show it.
    """

    rank: int
    bound: int
    weights: Seen[pd.Series] = ByName()
    conflicts: tuple[Conflict, ...]
    solver: Solver | None

    @property
    def settled(self) -> bool:
        """Whether no weights give a better (or worse) rank."""
        return self.rank == self.bound

    @property
    def proof(self) -> Proof:
        """``exact`` where there are as many conflicts as it takes, else ``exact_witness``."""
        return Proof.EXACT if self.solver is None else Proof.EXACT_WITNESS


def rank_end(
    points: Points, model: str, space: WeightSpace, end: End, *, deadline: float | None = None, search: bool = True
) -> RankEnd:
    """Return the best or the worst rank of a model over a space; without search, or after a deadline, what is known."""
    # Ranks count who is above, ties going to the model: best ranks want many rivals level or below, worst ones many
    # strictly above.
    rivals = points.rivals(model)
    rows, strictly = _rows(points, model, end), end == "worst"
    found = most_rows(rows, rivals, space, strictly=strictly, deadline=deadline, search=search)
    return RankEnd(
        rank=_rank(end, found.count, len(rivals)),
        bound=_rank(end, found.most, len(rivals)),
        weights=exact_series(found.weights, points.tasks, "weight"),
        conflicts=found.conflicts,
        solver=found.solver,
    )


def _ranges(
    models: Sequence[str],
    *,
    points: Points,
    space: WeightSpace,
    deadline: float | None,
    progress: Callable[[int], None] | None = None,
) -> list[tuple[RankEnd, RankEnd]]:
    """Return both ends of some models' ranges.

    With a deadline what takes linear programs alone comes first, for all. Then each end that is open has an equal share
    of the time that is left, so that none loses all for one that is hard; what others leave of theirs goes to
    those that are still open, which begin again.
    """
    asked: list[tuple[str, End]] = [(model, end) for model in models for end in ("best", "worst")]
    found = {one: rank_end(points, one[0], space, one[1], deadline=deadline, search=deadline is None) for one in asked}
    waiting = [one for one in asked if not found[one].settled]
    open_models = {model for model, _ in waiting}

    def tell(done: set[str]) -> None:
        if progress is not None and done:
            progress(len(done))
        open_models.difference_update(done)

    tell({*models} - open_models)
    while waiting and deadline is not None and not is_past(deadline):
        for place, (model, end) in enumerate(waiting):
            until = deadline_in((seconds_left(deadline) or 0.0) / (len(waiting) - place))
            longer = rank_end(points, model, space, end, deadline=until)
            if abs(longer.rank - longer.bound) <= abs(found[model, end].rank - found[model, end].bound):
                found[model, end] = longer
            tell({model} & open_models - {one for one, _ in waiting[place + 1 : place + 2]})
        waiting = [one for one in waiting if not found[one].settled]
    tell({*open_models})
    return [_widened(found[model, "best"], found[model, "worst"]) for model in models]


def _widened(top: RankEnd, bottom: RankEnd) -> tuple[RankEnd, RankEnd]:
    """Return both ends of a range; where the limit left the weights of one to be the better ones for the other, so."""
    if top.rank <= bottom.rank:
        return top, bottom
    return (replace(top, rank=bottom.rank, weights=bottom.weights), replace(bottom, rank=top.rank, weights=top.weights))


def check_end(claim: RankEnd, points: Points, model: str, space: WeightSpace, end: End) -> None:
    """Ensure that the weights give the rank, that conflicts hold, and that a solver is named where it is needed."""
    rivals, rows = points.rivals(model), _rows(points, model, end)
    strictly = end == "worst"
    check_weighting(claim.weights, space)
    found = _rank(end, satisfied(rows, claim.weights.tolist(), strictly=strictly), len(rivals))
    ensure(found == claim.rank, f"the weights rank {model!r} {found}, not {claim.rank}")
    check_conflicts(claim.conflicts, rows, rivals, space, strictly=strictly)
    shown = _rank(end, len(rivals) - len(claim.conflicts), len(rivals))
    ensure(claim.bound in _between(shown, claim.rank), f"a bound of {claim.bound} is not between {shown} and {found}")
    if claim.bound == shown:
        ensure(claim.solver is None, f"the {end} rank of {model!r} is exact and does not rely on a solver")
    else:
        ensure(claim.solver, f"the conflicts show a {end} rank of {shown} at most; a solver's bound must say {found}")
        ensure(claim.conflicts, f"that no weights rank {model!r} {shown} needs a conflict")
        count, tried = most_nearby(rows, space, claim.weights.tolist(), strictly=strictly)
        rank = _rank(end, count, len(rivals))
        better = rank < claim.bound if end == "best" else rank > claim.bound
        ensure(not better, f"the weights {', '.join(map(str, tried))} rank {model!r} {rank}, not {claim.bound}")


def _between(one: int, other: int) -> range:
    return range(min(one, other), max(one, other) + 1)


def _denied(end: RankEnd, which: str) -> str:
    """Say which ranks a bound excludes."""
    return f"no {which} rank" if end.settled else f"no {which} rank than {end.bound}"


def _rows(points: Points, model: str, end: End) -> AnyArray:
    """Return rows that are 0 or more where a rival is tied or below (best), or above 0 where it is above (worst)."""
    rows = points.matrix(model)
    return rows if end == "best" else -rows


def _rank(end: End, count: int, rivals: int) -> int:
    """Return the rank when ``count`` of the rows hold."""
    return 1 + rivals - count if end == "best" else 1 + count


class RankRanges(ByModel[RankRange], Result, kind="rank_ranges"):
    """The best and the worst rank of every model; ``ranges["T5"]`` is one model's `RankRange`.

    Attributes
    ----------
    rule : LinearRule
        What a place or a score is worth.
    points : Points
        Points of all models on all tasks.
    space : WeightSpace
        The weights that were allowed.
    ends : tuple of (RankEnd, RankEnd)
        The best and the worst rank of each model, in board order.
    """

    rule: LinearRule
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
    def settled(self) -> pd.Series:
        """Whether both ends of a model's range are settled, by model; True for all without a time limit."""
        settled = [top.settled and bottom.settled for top, bottom in self.ends]
        return pd.Series(settled, index=list(self.models), name="settled")

    @property
    def possible_winners(self) -> tuple[str, ...]:
        """The models that some weights put first, alone or tied, in board order; with open ones those found."""
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
        return tuple(model for model, (_, bottom) in zip(self.models, self.ends, strict=True) if bottom.bound <= count)

    def _ensure_count(self, count: Any) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= len(self.models):
            raise InputError(f"a number of places from 1 to {len(self.models)} is needed; got {count!r}")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """All ranks are taken; that none is better, or worse, may be the solver's claim."""
        ends = {
            f"{_denied(end, which)} of {model}": end.proof
            for model, both in zip(self.models, self.ends, strict=True)
            for which, end in zip(("better", "worse"), both, strict=True)
        }
        return {"the ranks under the weights": Proof.EXACT} | ends

    def _one(self, position: int) -> RankRange:
        top, bottom = self.ends[position]
        model = self.models[position]
        return RankRange(model=model, rule=self.rule, top=top, bottom=bottom, points=self.points, space=self.space)

    def __str__(self) -> str:
        """Say in one sentence how many models can be first; others say what rests on a solver, and the conditions."""
        fixed = sum(top.bound == bottom.bound for top, bottom in self.ends)
        first = counted(len(self.possible_winners), "model")
        have = "has" if fixed == 1 else "have"
        sentence = (
            f"{first} of {len(self)} can be first {self.rule.by}; {fixed} {have} the same rank under all weights."
        )
        unsettled = len(self) - int(self.settled.sum())
        if unsettled:
            sentence += f" For {counted(unsettled, 'model')} the time limit came first: other ranks are not excluded."
        open_ends = [end.solver for both in self.ends for end in both if end.solver is not None]
        if open_ends:
            sentence += f" {len(open_ends)} of {2 * len(self)} bounds are {open_ends[0]}'s, not re-proved here."
        return sentence + self.space.conditions_sentence

    def to_frame(self) -> pd.DataFrame:
        """Return best and worst ranks with what proves them, one row per model, in the order of the best ranks.

        With open ranges, two more columns have the ranks that are not excluded.
        """
        bounds = {"best not excluded": [top.bound for top, _ in self.ends]}
        bounds |= {"worst not excluded": [bottom.bound for _, bottom in self.ends]}
        frame = pd.DataFrame(
            {
                "best": self.best,
                "worst": self.worst,
                "best proof": [str(top.proof) for top, _ in self.ends],
                "worst proof": [str(bottom.proof) for _, bottom in self.ends],
                **({} if self.settled.all() else bounds),
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
        self.rule.check(self.points, self.space.tasks, source)
        for model, (top, bottom) in zip(self.models, self.ends, strict=True):
            with told_of(repr(model)):
                check_end(top, self.points, model, self.space, "best")
                check_end(bottom, self.points, model, self.space, "worst")
                ensure(top.rank <= bottom.rank, f"a range from {top.rank} to {bottom.rank} is empty")
        solvers = {end.solver for both in self.ends for end in both if end.solver is not None}
        ensure(len(solvers) < 2, f"several solvers are named: {', '.join(sorted(solvers))}")
        return True


def rank_ranges(
    board: PointsLike,
    rule: RuleLike = "mean",
    *,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    time_limit: float | None = None,
    n_jobs: int = 1,
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
        Seconds for the whole question; ``.settled`` then shows the models with ranks that are not excluded.
    n_jobs : int
        Processes, not 0; more than one needs the extra ``weightlab[parallel]``. -1 takes all cores, -2 all but one.
    progress : callable, optional
        Called with the number of models done since the last call.

    Returns
    -------
    RankRanges

    Raises
    ------
    UnknownNameError, InputError, MissingScoresError, EmptySpaceError
        As for `rank_range`.

    Notes
    -----
    Twice as many searches as models at most, each as for `rank_range`; a table of 200 models and 50 tasks, far from all
    of whose models can be first, takes some three minutes by two processes.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 2, "b": 4, "c": 1}})
    >>> ranges = wl.lp.rank_ranges(board)
    >>> ranges.possible_winners, ranges.always_in_top(2)
    (('a', 'b'), ('a',))
    """
    ensure_jobs(n_jobs)
    linear = LinearRule.of(rule, ties=ties, missing=missing, scaled=scaled)
    points = linear.points(board)
    allowed = space_for(points, space)
    deadline = deadline_in(time_limit)
    # With a limit each process has one part, whose time it shares out; models far apart make up a part, so that all
    # parts are about as hard.
    count = min(len(points.models), PARTS if deadline is None else processes(n_jobs))
    parts = [points.models[first::count] for first in range(count)]
    own = progress if n_jobs == 1 else None  # else other processes work, and report each finished part
    work = partial(_ranges, points=points, space=allowed, deadline=deadline, progress=own)
    pairs: dict[str, tuple[RankEnd, RankEnd]] = {}
    for part, found in zip(parts, in_processes(work, parts, n_jobs), strict=True):
        pairs |= zip(part, found, strict=True)
        if progress is not None and own is None:
            progress(len(part))
    return RankRanges(
        rule=linear, points=points, space=allowed, ends=tuple(pairs[model] for model in points.models)
    ).verified()
