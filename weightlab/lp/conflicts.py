"""Conflicts: rows that no weights satisfy together, with the mixture that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._record import Exact, Record
from weightlab._result import ensure, exact_series
from weightlab._typing import AnyArray
from weightlab.lp.certificate import check_bound
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.space import Multipliers, WeightSpace

__all__ = ["Conflict", "Packing", "check_conflicts", "disjoint_conflicts", "is_refuted"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Conflict(Record):
    """Some rivals whose rows no weights satisfy together.

    Attributes
    ----------
    mixture : Series of Fraction by rival
        Shares of these rivals, positive and summing to 1: the rows mixed so are nowhere above ``bound``.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space that take part in the proof; empty without conditions.
    bound : Fraction
        In whole units of the rows. Below 0, or 0 where the rows are to be above 0.
    """

    mixture: Exact
    multipliers: Multipliers
    bound: Fraction

    @property
    def rivals(self) -> tuple[str, ...]:
        """Whose rows they are, in board order."""
        return tuple(str(name) for name in self.mixture.index)


@dataclass(frozen=True, kw_only=True, eq=False)
class Packing:
    """Conflicts no two of which share a rival, and weights that satisfy all other rows.

    Attributes
    ----------
    conflicts : tuple of Conflict
        Of each at least one row is not satisfied: so many rows in all are not, whatever the weights.
    weights : tuple of Fraction
        Weights under which the rows of all rivals outside the conflicts hold.
    """

    conflicts: tuple[Conflict, ...]
    weights: tuple[Fraction, ...]


def is_refuted(bound: Fraction | int, *, strictly: bool) -> bool:
    """Tell whether a row that is at most ``bound`` cannot be above 0 (``strictly``), or cannot be 0 or above."""
    return bound <= 0 if strictly else bound < 0


def disjoint_conflicts(
    rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool, time_limit: float | None = None
) -> Packing:
    """Return conflicts without a common rival, found one after the other until the other rows hold together.

    Parameters
    ----------
    rows : ndarray of int, rivals x tasks
        To be satisfied: ``rows @ weights > 0`` (``strictly``) or ``>= 0``.
    rivals : sequence of str
        Names of the rows.
    space : WeightSpace
        Allowed weights.
    strictly : bool
        Which of the two.
    time_limit : float, optional
        Seconds for each program.

    Notes
    -----
    Rows that fail on every task are conflicts of one; each further conflict takes a linear program.
    """
    kept = np.ones(len(rows), dtype=np.bool_)
    found: list[Conflict] = []
    for row, most in enumerate(rows.max(axis=1).tolist()):
        if is_refuted(most, strictly=strictly):
            kept[row] = False
            found.append(_alone(rivals[row], most, space))
    while kept.any():
        left = np.flatnonzero(kept)
        proof = widest_margin(rows[left], [rivals[row] for row in left], space, time_limit=time_limit)
        if not is_refuted(proof.upper, strictly=strictly):
            return Packing(conflicts=tuple(found), weights=proof.weights)
        found.append(conflict_of(proof, space))
        kept[left[[share > 0 for share in proof.blockers]]] = False
    anywhere = widest_margin(rows[:1], rivals[:1], space, time_limit=time_limit)
    return Packing(conflicts=tuple(found), weights=anywhere.weights)


def conflict_of(proof: MarginProof, space: WeightSpace) -> Conflict:
    """Return the conflict that a negative margin over some rows proves."""
    named = [(rival, share) for rival, share in zip(proof.rivals, proof.blockers, strict=True) if share]
    return Conflict(
        mixture=exact_series([share for _, share in named], [rival for rival, _ in named], "share"),
        multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        bound=proof.upper,
    )


def _alone(rival: str, most: int, space: WeightSpace) -> Conflict:
    return Conflict(
        mixture=exact_series([Fraction(1)], [rival], "share"),
        multipliers=exact_series([Fraction(0)] * len(space.rows), [row.name for row in space.rows], "multiplier"),
        bound=Fraction(most),
    )


def check_conflicts(
    conflicts: Sequence[Conflict], rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool
) -> None:
    """Ensure that conflicts are conflicts, and that no two of them share a rival."""
    position = {rival: row for row, rival in enumerate(rivals)}
    taken: set[str] = set()
    for conflict in conflicts:
        for rival, share in conflict.mixture.items():
            ensure(rival in position, f"a conflict names {rival!r}, who is no rival")
            ensure(rival not in taken, f"{rival!r} is in two conflicts, or twice in one")
            ensure(isinstance(share, Fraction) and share > 0, f"{rival!r} is in a conflict with a share of {share}")
            taken.add(str(rival))
        ensure(isinstance(conflict.bound, Fraction), f"the bound {conflict.bound!r} is no exact number")
        ensure(is_refuted(conflict.bound, strictly=strictly), f"a bound of {conflict.bound} is no conflict")
        own = rows[[position[rival] for rival in conflict.rivals]]
        check_bound(own, conflict.mixture, conflict.multipliers, space, conflict.bound)
