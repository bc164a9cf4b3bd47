"""The weights that satisfy the most rows: conflicts (rows that exclude each other) that prove it, or a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, common_denominator, exact_products
from weightlab._result import Frozen, Record, ensure
from weightlab._solver import Solver, is_past, seconds_left, solver_name
from weightlab.exceptions import TimeLimitError
from weightlab.lp.certificate import check_bound, nearby_steps, nonzero
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.ranks.branch_and_cut import BranchAndCut
from weightlab.lp.space.space import Vectors, WeightSpace


class MostRows(Frozen):
    """Weights that satisfy many rows, and how many none exceed.

    Attributes
    ----------
    count : int
        How many they satisfy.
    most : int
        No weights satisfy more; ``count`` unless a limit came first.
    weights : tuple of Fraction
        The weights.
    conflicts : tuple of Conflict
        No two with a common rival: each costs a row under all weights.
    solver : Solver or None
        Whose bound ``most`` is, where it is below what the conflicts show.
    """

    count: int
    most: int
    weights: tuple[Fraction, ...]
    conflicts: tuple[Conflict, ...]
    solver: Solver | None


def satisfied(rows: AnyArray, weights: Sequence[Fraction], *, strictly: bool) -> int:
    """Return how many rows are above 0 (``strictly``), or 0 and above, at exact weights."""
    totals = exact_products(rows, common_denominator(weights)[0])
    return int((totals > 0).sum() if strictly else (totals >= 0).sum())


def most_rows(
    rows: AnyArray,
    rivals: Sequence[str],
    space: WeightSpace,
    *,
    strictly: bool,
    deadline: float | None = None,
    search: bool = True,
) -> MostRows:
    """Return weights of a space that satisfy as many rows as any: ``rows @ weights > 0`` or ``>= 0``.

    Parameters
    ----------
    rows : ndarray of int, rivals x tasks
        At least one.
    rivals : sequence of str
        Names of the rows.
    space : WeightSpace
        Allowed weights.
    strictly : bool
        Whether rows are to be above 0.
    deadline : float, optional
        A ``time.monotonic()`` at which the search ends with what it has.
    search : bool
        Whether the number is searched for where disjoint conflicts do not settle it.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions of the space.

    Notes
    -----
    NP-hard (the maximum feasible subsystem). Disjoint conflicts come first: where weights satisfy all rows but one of
    each, the number is exact. Else `BranchAndCut` proposes rows; whether they can be satisfied is decided exactly.
    """
    packing = disjoint_conflicts(rows, rivals, space, strictly=strictly, deadline=deadline)
    count, weights = satisfied(rows, packing.weights, strictly=strictly), packing.weights
    # Conflicts without a common row cost one row each: no weights satisfy more than the rest.
    shown = most = len(rows) - len(packing.conflicts)
    if search and packing.conflicts and count < most and not is_past(deadline):
        program = _Search(rows, rivals, space, packing, strictly=strictly, deadline=deadline)
        count, weights = _improved(rows, space, program.count, program.weights, strictly=strictly)
        most = min(shown, max(program.most, count))
    solver = solver_name() if most < shown else None
    return MostRows(count=count, most=most, weights=weights, conflicts=packing.conflicts, solver=solver)


def _improved(
    rows: AnyArray, space: WeightSpace, count: int, weights: tuple[Fraction, ...], *, strictly: bool
) -> tuple[int, tuple[Fraction, ...]]:
    """Return weights that satisfy more rows if some tried nearby do, whatever a solver says."""
    more, tried = most_nearby(rows, space, weights, strictly=strictly)
    return (count, weights) if more <= count else _improved(rows, space, more, tried, strictly=strictly)


def most_nearby(
    rows: AnyArray, space: WeightSpace, weights: Sequence[Fraction], *, strictly: bool
) -> tuple[int, tuple[Fraction, ...]]:
    """Return how many rows hold where most do of the weightings on the way to each task alone and to all alike."""
    numerators, denominator = common_denominator(weights)
    here = exact_products(rows, numerators).astype(object)
    columns = [column * denominator for column in rows.T.astype(object)]
    count, best = -1, (Fraction(0), tuple(weights))
    for step, corner in nearby_steps(space, weights):
        # Linear in the weights: totals there are a mixture of those here and those at the corner, in common units.
        some = [column for column, one in zip(columns, corner, strict=True) if one.numerator]
        there = sum(some[1:], start=some[0]) * step.numerator
        totals = here * ((step.denominator - step.numerator) * len(some)) + there
        found = int((totals > 0).sum() if strictly else (totals >= 0).sum())
        if found > count:
            count, best = found, (step, corner)
    step, corner = best
    return count, tuple(own * (1 - step) + step * one for one, own in zip(corner, weights, strict=True))


class _Search:
    """Branch and cut over the rows that can be either way, each set of them that it proposes being decided exactly.

    Parameters
    ----------
    rows, rivals, space, strictly, deadline
        As for `most_rows`.
    packing : Packing
        What is known to begin with: ``count`` and ``weights`` start from it, ``most`` is the bound in the end.
    """

    def __init__(
        self,
        rows: AnyArray,
        rivals: Sequence[str],
        space: WeightSpace,
        packing: Packing,
        *,
        strictly: bool,
        deadline: float | None,
    ) -> None:
        self.rows, self.rivals, self.space, self.strictly, self.deadline = rows, rivals, space, strictly, deadline
        self.weights, self.count = packing.weights, satisfied(rows, packing.weights, strictly=strictly)
        most, least = rows.max(axis=1), rows.min(axis=1)
        # Weights are not negative and sum to 1, so the extreme entries of a row bound its value.
        never, always = (most <= 0, least > 0) if strictly else (most < 0, least >= 0)
        self.open, self.always = np.flatnonzero(~never & ~always), np.flatnonzero(always)
        place = {rivals[row]: number for number, row in enumerate(self.open.tolist())}
        known = [[place[rival] for rival in one.rivals if rival in place] for one in packing.conflicts]
        some = len(self.always) + len(self.open)
        search = BranchAndCut(
            rows[self.open],
            space,
            strictly=strictly,
            conflicts=[one for one in known if one],
            fewest=some - self.count,
            decide=self._decide,
        )
        search.run(deadline)
        self.most = some - search.least

    def _decide(self, kept: Sequence[int]) -> list[int] | None:
        """Return None where weights satisfy these open rows, which are kept if better, else those of a conflict.

        Rows that fail together hold a conflict, and every solution breaks each conflict.
        """
        chosen = [*self.always.tolist(), *self.open[list(kept)].tolist()]
        names = [self.rivals[row] for row in chosen]
        proof = widest_margin(self.rows[chosen], names, self.space, time_limit=seconds_left(self.deadline))
        if is_refuted(proof.upper, strictly=self.strictly):
            return [row for row, share in zip(kept, proof.blockers[len(self.always) :], strict=True) if share]
        count = satisfied(self.rows, proof.weights, strictly=self.strictly)
        if count > self.count:
            self.count, self.weights = count, proof.weights
        return None


# Conflicts: rows that no weights satisfy together, with the mixture that shows it.


class Conflict(Record):
    """Some rivals whose rows no weights satisfy together.

    Attributes
    ----------
    mixture : mapping from rival to Fraction
        Shares of these rivals, positive and summing to 1: the rows mixed so are nowhere above ``bound``.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space; empty without conditions.
    bound : Fraction
        In whole units of the rows. Below 0, or 0 where the rows are to be above 0.
    """

    mixture: Mapping[str, Fraction]
    vectors: Vectors
    bound: Fraction

    @property
    def rivals(self) -> tuple[str, ...]:
        """Whose rows they are, in board order."""
        return tuple(self.mixture)


class Packing(Frozen):
    """Conflicts, no two with a common rival, and weights that satisfy all other rows if there was time.

    Attributes
    ----------
    conflicts : tuple of Conflict
        Each has a row that is not satisfied, which bounds the number of unsatisfied rows, whatever the weights.
    weights : tuple of Fraction
        Weights under which the rows of all rivals outside the conflicts hold; any weights after a deadline.
    """

    conflicts: tuple[Conflict, ...]
    weights: tuple[Fraction, ...]


def is_refuted(bound: Fraction | int, *, strictly: bool) -> bool:
    """Return whether a row that is at most ``bound`` cannot be above 0 (``strictly``), or cannot be 0 or above."""
    return bound <= 0 if strictly else bound < 0


def disjoint_conflicts(
    rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool, deadline: float | None = None
) -> Packing:
    """Return conflicts without a common rival, found one by one until all other rows can be satisfied.

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
    deadline : float, optional
        A ``time.monotonic()`` after which the search for conflicts ends.

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
    # Each conflict's rows are taken out before the next search, so no two share one: their number is a bound.
    while kept.any() and not is_past(deadline):
        left = np.flatnonzero(kept)
        try:
            proof = widest_margin(rows[left], [rivals[row] for row in left], space, time_limit=seconds_left(deadline))
        except TimeLimitError:
            break
        if not is_refuted(proof.upper, strictly=strictly):
            return Packing(conflicts=tuple(found), weights=proof.weights)
        found.append(conflict_of(proof))
        kept[left[[share > 0 for share in proof.blockers]]] = False
    anywhere = widest_margin(rows[:1], rivals[:1], space)
    return Packing(conflicts=tuple(found), weights=anywhere.weights)


def conflict_of(proof: MarginProof) -> Conflict:
    """Return the conflict that a negative margin over some rows proves."""
    # Rivals without a share take no part in the contradiction: what remains is a smaller conflict.
    return Conflict(
        mixture=nonzero(proof.blockers, proof.rivals),
        vectors=proof.vectors,
        bound=proof.upper,
    )


def _alone(rival: str, most: int, space: WeightSpace) -> Conflict:
    return Conflict(
        mixture={rival: Fraction(1)},
        vectors=({},) * len(space.conditions),
        bound=Fraction(most),
    )


def check_conflicts(
    conflicts: Sequence[Conflict], rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool
) -> None:
    """Ensure that conflicts are conflicts, and that no two of them share per rival."""
    taken: set[str] = set()
    for conflict in conflicts:
        for rival, share in conflict.mixture.items():
            ensure(rival not in taken, f"{rival!r} is in two conflicts, or twice in one")
            ensure(share > 0, f"{rival!r} is in a conflict with a share of {share}")
            taken.add(rival)
        ensure(isinstance(conflict.bound, Fraction), f"the bound {conflict.bound!r} is not an exact number")
        ensure(is_refuted(conflict.bound, strictly=strictly), f"a bound of {conflict.bound} is not a conflict")
        check_bound(rows, rivals, conflict.mixture, conflict.vectors, space, bound=conflict.bound)
