"""One end of a rank range: a rank that weights give a model, and why none give it a better (or worse) one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from weightlab._record import Record
from weightlab._result import Proof, ensure, exact_series
from weightlab._typing import AnyArray
from weightlab.data.points import Points
from weightlab.exceptions import UnprovedError
from weightlab.lp.certificate import check_weights, series_dict
from weightlab.lp.conflicts import Conflict, check_conflicts
from weightlab.lp.most_rows import most_rows, satisfied
from weightlab.lp.rule_prospect import differences, rivals_of
from weightlab.lp.space import TaskShares, WeightSpace

__all__ = ["End", "RankEnd", "check_end", "rank_end"]

End: TypeAlias = Literal["best", "worst"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RankEnd(Record):
    """The best or the worst rank that a model can have.

    Attributes
    ----------
    rank : int
        1 plus the number of models strictly above it under ``weights``.
    weights : Series of Fraction by task
        Weights that give it that rank.
    conflicts : tuple of Conflict
        Sets of rivals, none in two of them. Of each, whatever the weights, at least one is above the model (best rank),
        or at least one is not above it (worst rank).
    solver : str or None
        Whose bound says that no weights give a better (or worse) rank; None where the conflicts show it.
    """

    rank: int
    weights: TaskShares
    conflicts: tuple[Conflict, ...]
    solver: str | None

    @property
    def proof(self) -> Proof:
        """``exact`` where there are as many conflicts as it takes, else ``exact_witness``."""
        return Proof.EXACT if self.solver is None else Proof.EXACT_WITNESS


def rank_end(points: Points, model: str, space: WeightSpace, end: End, *, time_limit: float | None = None) -> RankEnd:
    """Return the best or the worst rank of a model over a space.

    Raises
    ------
    TimeLimitError, UnprovedError
        ``known`` has a ``rank`` that some weights give, these ``weights``, and the ``bound`` that is not excluded.
    """
    rivals = rivals_of(points, model)
    rows = _rows(points, model, end)
    try:
        found = most_rows(rows, rivals, space, strictly=end == "worst", time_limit=time_limit)
    except UnprovedError as error:
        if "count" in error.known:
            count, most = error.known.pop("count"), error.known.pop("most")
            ranks = (_rank(end, one, len(rivals)) for one in (count, most))
            error.known |= {"end": end, **dict(zip(("rank", "bound"), ranks, strict=True))}
            error.known["weights"] = exact_series(error.known["weights"], points.tasks, "weight")
        raise
    return RankEnd(
        rank=_rank(end, found.count, len(rivals)),
        weights=exact_series(found.weights, points.tasks, "weight"),
        conflicts=found.conflicts,
        solver=found.solver,
    )


def check_end(claim: RankEnd, points: Points, model: str, space: WeightSpace, end: End) -> None:
    """Ensure that the weights give the rank, that conflicts hold, and that a solver is named where one is needed."""
    rivals, rows = rivals_of(points, model), _rows(points, model, end)
    strictly = end == "worst"
    ensure(tuple(claim.weights.index) == points.tasks, "the weights are not about the tasks of the points, in order")
    check_weights(series_dict(claim.weights), space.rows, space.auxiliaries)
    found = _rank(end, satisfied(rows, claim.weights.tolist(), strictly=strictly), len(rivals))
    ensure(found == claim.rank, f"the weights rank {model!r} {found}, not {claim.rank}")
    check_conflicts(claim.conflicts, rows, rivals, space, strictly=strictly)
    shown = _rank(end, len(rivals) - len(claim.conflicts), len(rivals))
    limit = 1 if end == "best" else len(points.models)
    ensure(claim.rank == limit or claim.conflicts, f"that no weights rank {model!r} {limit} needs a conflict")
    if shown == claim.rank:
        ensure(claim.solver is None, f"the {end} rank of {model!r} is exact, not on a solver's word")
    else:
        ensure(claim.solver, f"the conflicts show a {end} rank of {shown} at most; a solver's bound must say {found}")


def _rows(points: Points, model: str, end: End) -> AnyArray:
    """Return what is to hold for as many rivals as can be: their being level or below (best), or above (worst)."""
    rows = differences(points, model)
    return rows if end == "best" else -rows


def _rank(end: End, count: int, rivals: int) -> int:
    """Return the rank when so many of the rows hold."""
    return 1 + rivals - count if end == "best" else 1 + count
