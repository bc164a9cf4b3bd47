"""The weights that satisfy the most rows: conflicts (rows that exclude each other) that prove it, or a program."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, common_denominator, exact_products
from weightlab._result import Exact, Frozen, Record, ensure, exact_series
from weightlab._solver import Formulation, Rows, Sense, Solver, Status, is_past, seconds_left, solve, solver_name
from weightlab.exceptions import TimeLimitError
from weightlab.lp.certificates.dual import check_bound, nearby_weightings, nonzero_series
from weightlab.lp.certificates.lp_rows import allowed_rows
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.space.space import Multipliers, WeightSpace

MOST_ROUNDS = 500
"""So often rows that a solver proposes are refuted exactly before the search ends with what it has."""
MOST_PRODUCTS = 10**9
"""So many products of two rows' entries, a few seconds' work, are formed to see which rows exclude each other."""


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
        Whether an integer program is solved where conflicts do not settle it.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions of the space.

    Notes
    -----
    NP-hard (the maximum feasible subsystem). Disjoint conflicts come first: where weights satisfy all rows but one of
    each, the number is exact. Else an integer program with a binary a row that can be either way proposes rows; that
    they hold together is decided exactly, and a set that does not is a conflict, hence a further row of the program.
    """
    packing = disjoint_conflicts(rows, rivals, space, strictly=strictly, deadline=deadline)
    count, weights = satisfied(rows, packing.weights, strictly=strictly), packing.weights
    # Conflicts without a common row cost one row each: no weights satisfy more than the rest.
    shown = most = len(rows) - len(packing.conflicts)
    if search and packing.conflicts and count < most and not is_past(deadline):
        program = _Search(rows, rivals, space, strictly=strictly)
        for conflict in packing.conflicts:
            program.exclude(conflict)
        count, weights, bound = program.best(count, weights, deadline)
        count, weights = _improved(rows, space, count, weights, strictly=strictly)
        most = min(shown, max(bound, count))
    solver = solver_name() if most < shown else None
    return MostRows(count=count, most=most, weights=weights, conflicts=packing.conflicts, solver=solver)


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
        for exclusive in _exclusive(rows[self.open]):
            self._exclude({self._first + place: 1 for place in exclusive}, 1)

    @property
    def _first(self) -> int:
        return len(self.space.tasks) + len(self.space.auxiliaries)

    def exclude(self, conflict: Conflict) -> None:
        """Add the row that not all of a conflict are satisfied."""
        columns = [self.column.get(self.position[rival]) for rival in conflict.rivals]
        entries = {column: 1 for column in columns if column is not None}
        if entries:
            always = sum(self.position[rival] in set(self.always.tolist()) for rival in conflict.rivals)
            self._exclude(entries, len(conflict.rivals) - 1 - always)

    def _exclude(self, entries: dict[int, int], upper: int) -> None:
        row = Rows.from_dicts([entries], width=len(self.program.columns), upper=upper, labels=["conflict"])
        self.program = self.program.with_rows(row)

    def best(
        self, count: int, weights: tuple[Fraction, ...], deadline: float | None
    ) -> tuple[int, tuple[Fraction, ...], int]:
        """Return how many rows are satisfied, by which weights, and how many the solver says none exceed.

        From a number and weights that are known to begin with; a deadline or too many rounds leave a gap.
        """
        most = len(self.rows)
        for _ in range(MOST_ROUNDS):
            solution = solve(self.program, time_limit=seconds_left(deadline))
            if np.isfinite(solution.bound):
                # The number of rows is whole, so the bound is rounded down, with room for the solver's floats.
                most = min(most, int(solution.bound + 1e-6) + len(self.always))
            chosen = [] if solution.x is None else self._chosen(solution.x)
            if len(chosen) > count:
                # The proposal is decided exactly. Rows that fail together hold a conflict, and every solution breaks
                # each conflict (covers of infeasible subsystems: Parker and Ryan 1996).
                proof = widest_margin(self.rows[chosen], [self.rivals[row] for row in chosen], self.space)
                if is_refuted(proof.upper, strictly=self.strictly):
                    self.exclude(conflict_of(proof, self.space))
                    continue
                count, weights = satisfied(self.rows, proof.weights, strictly=self.strictly), proof.weights
            # Rows are counted that the solver takes to hold: where it proposes no more than are known, none do.
            return count, weights, count if solution.status is Status.OPTIMAL else most
        return count, weights, most

    def _chosen(self, point: AnyArray) -> list[int]:
        """Return the rows that the solver proposes."""
        return [*self.always.tolist(), *self.open[np.rint(point[self._first :]) > 0].tolist()]

    def _program(self) -> Formulation:
        space, width = self.space, self._first + len(self.open)
        allowed = allowed_rows(space.tasks, space.auxiliaries, space.rows, width)
        return Formulation.over(
            (*space.tasks, *space.auxiliaries, *(self.rivals[row] for row in self.open)),
            Rows.join(allowed, self._switched(width)),
            name="most rows",
            sense=Sense.MAXIMISE,
            objective=(*(0,) * self._first, *(1,) * len(self.open)),
            upper=(*(None,) * self._first, *(1,) * len(self.open)),
            integral=(*(False,) * self._first, *(True,) * len(self.open)),
        )

    def _switched(self, width: int) -> Rows:
        """Return the open rows, each to hold where its binary is 1: margins are bounded, so that nothing is lost."""
        dicts, least = [], []
        for row in self.open.tolist():
            # Switched by a big M that is as small as can be: the row's own least value over all weights. Rows that are
            # to be above 0 are only asked not to be below, so that however narrow the space is none are overlooked.
            values = [int(value) for value in self.rows[row].tolist()]
            room = -min(values)
            dicts.append(dict(enumerate(values)) | {self.column[row]: -room})
            least.append(-room)
        return Rows.from_dicts(dicts, width=width, lower=least, labels=[self.rivals[row] for row in self.open])


def _exclusive(rows: AnyArray) -> list[list[int]]:
    """Return sets of rows, given by their places, of which no weights satisfy two; each such pair lies in one.

    Two rows a and b exclude each other if a mixture s a + (1 - s) b is negative on every task: an interval of shares s,
    whose ends are quotients. Such sets, cliques of that relation, are the rows that a program with big M misses most:
    its relaxation satisfies both of a pair by half. O(rows^2 tasks).
    """
    if len(rows) ** 2 * rows.shape[1] > MOST_PRODUCTS:
        return []
    # Each row in units of its own greatest entry: floats will do for rows that are only to speed up the search.
    scaled = (rows / abs(rows).max(axis=1, keepdims=True)).astype(float)
    pairs = np.array([_excluded_by(row, scaled) for row in scaled], dtype=np.bool_).reshape(len(rows), len(rows))
    np.fill_diagonal(pairs, val=False)
    left, found = pairs.copy(), []
    while left.any():
        clique = [int(left.sum(axis=1).argmax())]
        clique.append(int(left[clique[0]].argmax()))
        both = pairs[clique].all(axis=0)
        while both.any():
            clique.append(int(np.where(both, left[clique].sum(axis=0), -1).argmax()))
            both &= pairs[clique[-1]]
        left[np.ix_(clique, clique)] = False
        found.append(clique)
    return found


def _excluded_by(row: AnyArray, rows: AnyArray) -> AnyArray:
    """Tell of each row whether some mixture with one given row is negative on every task, by a clear margin."""
    slopes = row - rows
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = -rows / slopes
    least = np.where(slopes < 0, ends, 0).max(axis=1)
    most = np.where(slopes > 0, ends, 1).min(axis=1)
    level = (slopes == 0) & (rows >= 0)
    excluded: AnyArray = (np.maximum(least, 0) + 1e-9 < np.minimum(most, 1)) & ~level.any(axis=1)
    return excluded


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
    """Conflicts no two of which share a rival, and weights that satisfy all other rows if there was time to find them.

    Attributes
    ----------
    conflicts : tuple of Conflict
        Of each at least one row is not satisfied: so many rows in all are not, whatever the weights.
    weights : tuple of Fraction
        Weights under which the rows of all rivals outside the conflicts hold; any weights after a deadline.
    """

    conflicts: tuple[Conflict, ...]
    weights: tuple[Fraction, ...]


def is_refuted(bound: Fraction | int, *, strictly: bool) -> bool:
    """Tell whether a row that is at most ``bound`` cannot be above 0 (``strictly``), or cannot be 0 or above."""
    return bound <= 0 if strictly else bound < 0


def disjoint_conflicts(
    rows: AnyArray, rivals: Sequence[str], space: WeightSpace, *, strictly: bool, deadline: float | None = None
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
    deadline : float, optional
        A ``time.monotonic()`` after which no more conflicts are sought.

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
    while kept.any() and not is_past(deadline):
        left = np.flatnonzero(kept)
        try:
            proof = widest_margin(rows[left], [rivals[row] for row in left], space, time_limit=seconds_left(deadline))
        except TimeLimitError:
            break
        if not is_refuted(proof.upper, strictly=strictly):
            return Packing(conflicts=tuple(found), weights=proof.weights)
        found.append(conflict_of(proof, space))
        kept[left[[share > 0 for share in proof.blockers]]] = False
    anywhere = widest_margin(rows[:1], rivals[:1], space)
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
