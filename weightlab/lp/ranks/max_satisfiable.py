"""The weights that satisfy the most rows: conflicts (rows that exclude each other) that prove it, or a program."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab import _solver
from weightlab._exact import AnyArray, common_denominator, exact_products
from weightlab._result import Exact, Frozen, Record, ensure, exact_series
from weightlab.exceptions import UnprovedError
from weightlab.lp.certificates.dual import check_bound
from weightlab.lp.certificates.lp_rows import allowed_rows
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.certificates.primal import nearby_weightings, nonzero_series
from weightlab.lp.space.space import Multipliers, WeightSpace

MOST_ROUNDS = 500
"""So often rows that a solver proposes are refuted exactly before the search ends without an answer."""


class MostRows(Frozen):
    """Weights that satisfy as many rows as any.

    Attributes
    ----------
    count : int
        How many they satisfy.
    weights : tuple of Fraction
        The weights.
    conflicts : tuple of Conflict
        No two with a common rival: each costs a row under all weights.
    solver : Solver or None
        Whose bound says that no weights satisfy more, where the conflicts do not.
    """

    count: int
    weights: tuple[Fraction, ...]
    conflicts: tuple[Conflict, ...]
    solver: _solver.Solver | None


def satisfied(rows: AnyArray, weights: Sequence[Fraction], *, strictly: bool) -> int:
    """Return how many rows are above 0 (``strictly``), or 0 and above, at exact weights."""
    totals = exact_products(rows, common_denominator(weights)[0])
    return int((totals > 0).sum() if strictly else (totals >= 0).sum())


def most_rows(
    rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool, time_limit: float | None = None
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
    time_limit : float, optional
        Seconds for the whole question.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    TimeLimitError, UnprovedError
        ``known`` has a ``count`` that is attained, its ``weights``, and ``most``, a count that is not excluded.

    Notes
    -----
    NP-hard (the maximum feasible subsystem). Disjoint conflicts come first: where weights satisfy all rows but one of
    each, the number is exact. Else an integer program with a binary a row that can be either way proposes rows; that
    they hold together is decided exactly, and a set that does not is a conflict, hence a further row of the program.
    """
    deadline = _solver.deadline_in(time_limit)
    packing = disjoint_conflicts(rows, rivals, space, strictly=strictly, time_limit=time_limit)
    count, weights = satisfied(rows, packing.weights, strictly=strictly), packing.weights
    solver = None
    # Conflicts without a common row cost one row each: no weights satisfy more than the rest.
    if count < len(rows) - len(packing.conflicts):
        search = _Search(rows, rivals, space, strictly=strictly)
        for conflict in packing.conflicts:
            search.exclude(conflict)
        count, weights = search.best(count, weights, deadline)
        count, weights = _improved(rows, space, count, weights, strictly=strictly)
        if count < len(rows) - len(packing.conflicts):
            solver = _solver.solver_name()
    return MostRows(count=count, weights=weights, conflicts=packing.conflicts, solver=solver)


def _improved(
    rows: AnyArray, space: WeightSpace, count: int, weights: tuple[Fraction, ...], *, strictly: bool
) -> tuple[int, tuple[Fraction, ...]]:
    """Return weights that satisfy more rows where some that are tried beside them do, whatever a solver says."""
    for tried in nearby_weightings(space, weights):
        more = satisfied(rows, tried, strictly=strictly)
        if more > count:
            return _improved(rows, space, more, tried, strictly=strictly)
    return count, weights


class _Search:
    """The integer program, which grows by conflicts.

    Parameters
    ----------
    rows, rivals, space, strictly
        As for `most_rows`.
    """

    def __init__(self, rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool) -> None:
        self.rows, self.rivals, self.space, self.strictly = rows, rivals, space, strictly
        most, least = rows.max(axis=1), rows.min(axis=1)
        # Weights are not negative and sum to 1, so the extreme entries of a row bound its value.
        never, always = (most <= 0, least > 0) if strictly else (most < 0, least >= 0)
        self.open = np.flatnonzero(~never & ~always)
        self.always = np.flatnonzero(always)
        self.column = {int(row): place for place, row in enumerate(self.open, start=self._first)}
        self.position = {rival: row for row, rival in enumerate(rivals)}
        self.program = self._program()

    @property
    def _first(self) -> int:
        return len(self.space.tasks) + len(self.space.auxiliaries)

    def exclude(self, conflict: Conflict) -> None:
        """Add the row that not all of a conflict are satisfied."""
        columns = [self.column.get(self.position[rival]) for rival in conflict.rivals]
        entries = {column: 1 for column in columns if column is not None}
        if entries:
            always = sum(self.position[rival] in set(self.always.tolist()) for rival in conflict.rivals)
            row = _solver.Rows.from_dicts(
                [entries], width=len(self.program.columns), upper=len(conflict.rivals) - 1 - always, labels=["conflict"]
            )
            self.program = self.program.with_rows(row)

    def best(
        self, count: int, weights: tuple[Fraction, ...], deadline: float | None
    ) -> tuple[int, tuple[Fraction, ...]]:
        """Return the greatest number of rows that are satisfied, and weights, from those known to begin with."""
        for _ in range(MOST_ROUNDS):
            chosen = self._chosen(count, weights, deadline)
            if len(chosen) <= count:
                return count, weights
            # The proposal is decided exactly. Rows that fail together hold a conflict, and every solution breaks each
            # conflict (covers of infeasible subsystems: Parker and Ryan 1996).
            names = [self.rivals[row] for row in chosen]
            proof = widest_margin(self.rows[chosen], names, self.space, time_limit=_solver.seconds_left(deadline))
            if not is_refuted(proof.upper, strictly=self.strictly):
                return satisfied(self.rows, proof.weights, strictly=self.strictly), proof.weights
            self.exclude(conflict_of(proof, self.space))
        known = {"count": count, "weights": weights, "most": len(chosen)}
        raise UnprovedError(
            f"after {MOST_ROUNDS} rounds {_solver.solver_name()} has found no rows that hold together", known=known
        )

    def _chosen(self, count: int, weights: tuple[Fraction, ...], deadline: float | None) -> list[int]:
        """Return the rows that the solver proposes."""
        solution = _solver.solve(self.program, time_limit=_solver.seconds_left(deadline))
        # The number of rows is whole, so the bound is rounded down, with room for the solver's floats.
        most = len(self.rows) if np.isnan(solution.bound) else int(solution.bound + 1e-6) + len(self.always)
        point = _solver.optimal_point(solution, self.program.name, {"count": count, "weights": weights, "most": most})
        taken = np.rint(point[self._first :]) > 0
        return [*self.always.tolist(), *self.open[taken].tolist()]

    def _program(self) -> _solver.Formulation:
        space, width = self.space, self._first + len(self.open)
        allowed = allowed_rows(space.tasks, space.auxiliaries, space.rows, width)
        return _solver.Formulation.over(
            (*space.tasks, *space.auxiliaries, *(self.rivals[row] for row in self.open)),
            _solver.Rows.join(allowed, self._switched(width)),
            name="most rows",
            sense=_solver.Sense.MAXIMISE,
            objective=(*(0,) * self._first, *(1,) * len(self.open)),
            upper=(*(None,) * self._first, *(1,) * len(self.open)),
            integral=(*(False,) * self._first, *(True,) * len(self.open)),
        )

    def _switched(self, width: int) -> _solver.Rows:
        """Return the open rows, each to hold where its binary is 1: margins are bounded, so that nothing is lost."""
        dicts, least = [], []
        for row in self.open.tolist():
            # Switched by a big M that is as small as can be: the row's own least value over all weights. Rows that are
            # to be above 0 are only asked not to be below, so that however narrow the space is none are overlooked.
            values = [int(value) for value in self.rows[row].tolist()]
            room = -min(values)
            dicts.append(dict(enumerate(values)) | {self.column[row]: -room})
            least.append(-room)
        return _solver.Rows.from_dicts(dicts, width=width, lower=least, labels=[self.rivals[row] for row in self.open])


# Conflicts: rows that no weights satisfy together, with the mixture that shows it.


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


class Packing(Frozen):
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
    # Each conflict's rows are taken out before the next is sought, so no two share one: their number is a bound.
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
    # Rivals without a share take no part in the contradiction: what remains is a smaller conflict.
    return Conflict(
        mixture=nonzero_series(proof.blockers, proof.rivals, "share"),
        multipliers=exact_series(proof.multipliers, space.row_names, "multiplier"),
        bound=proof.upper,
    )


def _alone(rival: str, most: int, space: WeightSpace) -> Conflict:
    return Conflict(
        mixture=exact_series([Fraction(1)], [rival], "share"),
        multipliers=exact_series([Fraction(0)] * len(space.rows), space.row_names, "multiplier"),
        bound=Fraction(most),
    )


def check_conflicts(
    conflicts: Sequence[Conflict], rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool
) -> None:
    """Ensure that conflicts are conflicts, and that no two of them share a rival."""
    taken: set[str] = set()
    for conflict in conflicts:
        for rival, share in conflict.mixture.items():
            ensure(rival not in taken, f"{rival!r} is in two conflicts, or twice in one")
            ensure(isinstance(share, Fraction) and share > 0, f"{rival!r} is in a conflict with a share of {share}")
            taken.add(str(rival))
        ensure(isinstance(conflict.bound, Fraction), f"the bound {conflict.bound!r} is no exact number")
        ensure(is_refuted(conflict.bound, strictly=strictly), f"a bound of {conflict.bound} is no conflict")
        check_bound(rows, rivals, conflict.mixture, conflict.multipliers, space, bound=conflict.bound)
