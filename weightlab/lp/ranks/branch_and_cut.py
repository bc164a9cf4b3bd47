"""Branch and cut over conflicts: the fewest rows to give up so that weights satisfy all others.

A conflict is a set of rows that no weights satisfy jointly. Giving up some rows is enough exactly when it hits every
conflict (Parker and Ryan 1996): the search is for a smallest hitting set, with conflicts added when they are violated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from weightlab._exact import AnyArray, FloatArray, largest_entry
from weightlab._solver import (
    Formulation,
    Number,
    OpenProgram,
    Rows,
    Solution,
    Status,
    is_past,
    opened,
    optimal_point,
    seconds_left,
)
from weightlab.exceptions import TimeLimitError, UnprovedError
from weightlab.lp.certificates.lp_rows import allowed_rows
from weightlab.lp.space.conditions import Relation
from weightlab.lp.space.space import WeightSpace

MOST_PRODUCTS = 10**9
"""Largest number of products of two rows' entries, a few seconds' work, formed to see which rows exclude each other."""
ROUNDS = 15
"""Largest number of searches for conflicts at one node, while each raises the bound by ``GAIN``."""
GAIN = 0.02
STARTS = 2
"""Number of sets of rows in which each round looks for conflicts."""
TRIES = 60
"""Number of costs of violated rows tried in the search for good weights before the first branching."""
CANDIDATES = 4
"""Number of rows compared before a branching."""
MOST_KEPT = 400
"""With more conflicts those that are not tight are dropped; they can be found again."""
ROOM = 1e-6
"""Tolerance of floats: of bounds, and of the violation (in units of a row) that a conflict shows."""
NOTHING = 1e-9
"""Shares and violations up to this count as 0."""


@dataclass(eq=False)
class _Node:
    """What is left to search: rows between ``lower`` (1: given up) and ``upper`` (0: kept), and a bound there."""

    bound: float
    lower: FloatArray
    upper: FloatArray


class BranchAndCut:
    """The search for the fewest rows to give up.

    Parameters
    ----------
    rows : ndarray of int, rows x tasks
        To be 0 or above, or above 0 (``strictly``), at weights of the space; each is negative on some task.
    space : WeightSpace
        Allowed weights.
    strictly : bool
        Which of the two. In floats rows that are to be above 0 are only asked not to be below, so that however narrow
        the space is, no weights are overlooked.
    conflicts : sequence of sequence of int
        Numbers of rows that are known to exclude each other.
    fewest : int
        Number of rows that are known to be enough to give up.
    decide : callable
        Tells exactly of numbers of rows whether weights satisfy them all: None if so, else those of a conflict.

    Notes
    -----
    Bounds are those of the linear relaxation of the hitting set. A conflict is a vertex of the polyhedron of mixtures
    of rows that are negative at all weights (Gleeson and Ryan 1990); where its rows are given up by less than 1 in
    all, it is a cut. A conflict has few rows and far fewer conflicts than rows' switches are needed, so that the bound
    is better, and the program smaller, than with a big M for each row. Rows that exclude each other in pairs are joined
    to cliques: but one of each clique is given up.

    Weights are proposed by minimising the weighted sum of violations, each row's cost then being the inverse of its
    violation, which drives most to 0 (Candes, Wakin and Boyd 2008).

    References
    ----------
    Parker and Ryan, 'Finding the minimum weight IIS cover of an infeasible system of linear inequalities', Annals of
    Mathematics and Artificial Intelligence 17 (1996). Gleeson and Ryan, 'Identifying minimally infeasible subsystems of
    inequalities', ORSA Journal on Computing 2 (1990). Candes, Wakin and Boyd, 'Enhancing sparsity by reweighted l1
    minimization', Journal of Fourier Analysis and Applications 14 (2008).
    """

    def __init__(
        self,
        rows: AnyArray,
        space: WeightSpace,
        *,
        strictly: bool,
        conflicts: Sequence[Sequence[int]],
        fewest: int,
        decide: Callable[[list[int]], Sequence[int] | None],
    ) -> None:
        count, unit = len(rows), largest_entry(rows)
        # Times powers of two the greatest entries of all rows are alike, within a factor of two.
        factors = [1 << (unit // int(most)).bit_length() - 1 for most in abs(rows).max(axis=1)]
        self.rows = rows = rows.astype(object) * np.array(factors, dtype=object)[:, None]
        self.space, self.fewest = space, fewest
        self._decide, self._certain = decide, [tuple(one) for one in conflicts]
        self._found: list[tuple[int, ...]] = []
        self._cliques = exclusive(rows)
        self._mixed, self._elastic = _mixtures(rows, space, unit), _violations(rows, space, unit, strictly=strictly)
        self._nodes = [_Node(0.0, np.zeros(count), np.ones(count))]
        self._violation: FloatArray | None = None
        self._draw = np.random.default_rng(0)
        self._deadline: float | None = None

    @property
    def least(self) -> int:
        """No fewer rows than this are enough to give up, as far as the solver's floats prove anything."""
        return ceil(min([self.fewest, *(node.bound for node in self._nodes)]) - ROOM)

    def run(self, deadline: float | None) -> None:
        """Search until all is searched, until a deadline, or until the solver fails; ``least`` tells what is known."""
        self._deadline = deadline
        with (
            opened(self._relaxation()) as self._relaxed,
            opened(self._mixed) as self._mixtures,
            opened(self._elastic) as self._violations,
        ):
            while self._nodes and not is_past(deadline):
                # The last node first: what is known of its rows is good for the next one.
                node = self._nodes.pop()
                try:
                    self._explore(node)
                except UnprovedError:
                    self._nodes.append(node)
                    return

    def _explore(self, node: _Node) -> None:
        """Bound a node, improve what is known, and branch where that does not close it."""
        if self._closed(node.bound) or (point := self._cut(node)) is None:
            return
        self._propose(1.01 - point, tries=1 if self._violation is not None else TRIES, least=node.bound)
        if self._closed(node.bound):
            return
        split = np.flatnonzero(abs(point - np.rint(point)) > ROOM)
        if not len(split):
            # Weights satisfy all rows that are kept, or there is one more conflict and the node is bounded again.
            if self._settle(point < 1 / 2) is not None:
                self._nodes.append(node)
            return
        middle = split[np.argsort(abs(point[split] - 1 / 2), kind="stable")[:CANDIDATES]]
        pairs = [self._children(node, int(row)) for row in middle]
        rises = [[min(child.bound, self.fewest) - node.bound + 1e-3 for child in pair] for pair in pairs]
        chosen = pairs[int(np.argmax([one * other for one, other in rises]))]
        self._nodes += sorted(chosen, key=lambda child: -child.bound)

    def _children(self, node: _Node, row: int) -> tuple[_Node, _Node]:
        """Return the nodes in which a row is kept, and given up."""
        kept, given_up = node.upper.copy(), node.lower.copy()
        kept[row], given_up[row] = 0, 1
        pair = _Node(node.bound, node.lower, kept), _Node(node.bound, given_up, node.upper)
        for child in pair:
            self._bound(child)
        return pair

    def _closed(self, bound: float) -> bool:
        """Return whether a bound leaves no room for fewer rows than are known to be enough."""
        return bound > self.fewest - 1 + ROOM

    def _solved(self, program: OpenProgram) -> Solution:
        solution = program.solve(seconds_left(self._deadline))
        if solution.status is Status.TIME_LIMIT:
            raise TimeLimitError("the time limit came before all rows were searched", known={})
        return solution

    # The relaxation of the hitting set, and its cuts.

    def _relaxation(self) -> Formulation:
        count = len(self.rows)
        cliques = [dict.fromkeys(clique, 1) for clique in self._cliques]
        least = [len(clique) - 1 for clique in self._cliques]
        rows = Rows.from_dicts(cliques, width=count, lower=least, labels=["clique"] * len(cliques))
        rows = Rows.join(rows, self._cuts([*self._certain, *self._found]))
        return Formulation.over(_row_names(count), rows, name="fewest rows given up", objective=1, upper=1)

    def _cuts(self, conflicts: Sequence[Sequence[int]]) -> Rows:
        entries = [dict.fromkeys(conflict, 1) for conflict in conflicts]
        return Rows.from_dicts(entries, width=len(self.rows), lower=1, labels=["conflict"] * len(entries))

    def _bound(self, node: _Node) -> FloatArray | None:
        """Raise a node's bound to that of the relaxation, and return its point; None where the node is closed."""
        self._relaxed.confine(node.lower, node.upper)
        solution = self._solved(self._relaxed)
        if solution.status is Status.INFEASIBLE:
            node.bound = np.inf
            return None
        point = optimal_point(solution, "fewest rows given up")
        if len(point) != len(self.rows):
            raise UnprovedError("the solver gives a point of another program")
        node.bound = max(node.bound, solution.value)
        return None if self._closed(node.bound) else point.clip(0, 1)

    def _cut(self, node: _Node) -> FloatArray | None:
        """Return the relaxation's point at a node when conflicts cut off no more of it; None if that closes it."""
        point, before = self._bound(node), -np.inf
        for _ in range(ROUNDS):
            if point is None or node.bound < before + GAIN or not (found := self._violated(point)):
                break
            before = node.bound
            self._add(found, point)
            point = self._bound(node)
        return point

    def _violated(self, point: FloatArray) -> set[tuple[int, ...]]:
        """Return conflicts that a point violates: from all rows, and from rows drawn as the point keeps them."""
        found: set[tuple[int, ...]] = set()
        for start in range(STARTS):
            kept = self._draw.random(len(point)) >= (point if start else 0)
            while (conflict := self._conflict(point + 0.01 + 0.05 * self._draw.random(len(point)), kept)) is not None:
                if point[conflict].sum() > 1 - 1e-3:
                    break
                found.add(tuple(conflict.tolist()))
                # The row with the largest share given up is left out, so that the next conflict differs.
                kept[conflict[np.argmax(point[conflict] + 0.1 * self._draw.random(len(conflict)))]] = False
        return found

    def _conflict(self, costs: FloatArray, kept: AnyArray) -> AnyArray | None:
        """Return a conflict among the rows kept whose mixture costs least; None where floats show none clearly."""
        others = len(self._mixed.columns) - len(self.rows)
        self._mixtures.confine(
            self._mixed.float_lower,
            np.concatenate([np.where(kept, np.inf, 0), self._mixed.float_upper[len(self.rows) :]]),
        )
        self._mixtures.aim(np.concatenate([costs, np.zeros(others)]))
        solution = self._solved(self._mixtures)
        if solution.status is not Status.OPTIMAL or solution.x is None:
            return None
        shares = solution.x[: len(self.rows)]
        conflict = np.flatnonzero(shares > NOTHING)
        # Mixed to shares that sum to 1, rows violate by the inverse of this sum.
        return conflict if len(conflict) and shares.sum() * ROOM < 1 else None

    def _add(self, conflicts: set[tuple[int, ...]], point: FloatArray) -> None:
        new = sorted(conflicts)
        if len(self._found) + len(new) <= MOST_KEPT:
            self._relaxed.add_rows(self._cuts(new))
            self._found += new
            return
        self._found = [one for one in self._found if point[list(one)].sum() < 1 + ROOM] + new
        self._relaxed.replace(self._relaxation())

    # Weights that give up few rows.

    def _propose(self, costs: FloatArray, *, tries: int, least: float) -> None:
        """Look for weights that violate few rows, first at given costs of violation, then at costs drawn."""
        best: AnyArray | None = None
        for number in range(tries):
            drawn = costs if number % 2 == 0 or self._violation is None else _inverse(self._violation)
            for violation in self._reweighted(drawn * self._draw.random(len(costs)) if number else costs):
                if (violation > 0).sum() < (self.fewest if best is None else best.sum()):
                    best, self._violation = violation > 0, violation
                if self._violation is None:
                    self._violation = violation
            if best is not None and best.sum() - 1 + ROOM < least:
                break
        if best is not None:
            self._settle(~best)

    def _reweighted(self, costs: FloatArray) -> list[FloatArray]:
        """Return the rows' violations at weights of least cost, and at costs inverse to them, while they get fewer."""
        count, others = len(self.rows), len(self._elastic.columns) - len(self.rows)
        found: list[FloatArray] = []
        while len(found) < 2 or (found[-1] > 0).sum() < (found[-2] > 0).sum():
            self._violations.aim(np.concatenate([np.zeros(others), costs / costs.max()]))
            solution = self._solved(self._violations)
            if solution.status is not Status.OPTIMAL or solution.x is None or len(solution.x) != others + count:
                break
            found.append(np.where(solution.x[others:] > NOTHING, solution.x[others:], 0))
            costs = _inverse(found[-1])
        return found

    def _settle(self, kept: AnyArray) -> Sequence[int] | None:
        """Decide rows to be kept: weights that satisfy them all are known then, else the conflict is added."""
        conflict = self._conflict(np.ones(len(kept)), kept)
        if conflict is not None:
            cut = tuple(int(row) for row in conflict)
            self._add({cut}, np.zeros(len(kept)))
            return cut
        exact = self._decide(np.flatnonzero(kept).tolist())
        if exact is None:
            self.fewest = min(self.fewest, int((~kept).sum()))
        elif not exact or tuple(exact) in self._certain:
            raise UnprovedError("the solver violates a row that it has")
        else:
            self._certain.append(tuple(exact))
            self._relaxed.add_rows(self._cuts([exact]))
        return exact


def _inverse(violation: FloatArray) -> FloatArray:
    most = violation.max()
    inverse: FloatArray = 1 / (violation + 0.02 * most) if most > 0 else np.ones(len(violation))
    return inverse


def _row_names(count: int) -> list[str]:
    """Return names for the columns, which only errors show."""
    return [f"row {number}" for number in range(1, count + 1)]


def _mixtures(rows: AnyArray, space: WeightSpace, unit: int) -> Formulation:
    """Return the polyhedron of mixtures of rows that are negative at all weights (Farkas' lemma): ``-unit`` or less.

    Multipliers y of the rows, and u of those of the space, of the sign that keeps its row's direction: since weights
    sum to 1, a row A w + B a >= b is (A - b) w + B a >= 0, and the sum is to be negative on every task.
    """
    count, tasks = len(rows), {task: place for place, task in enumerate(space.tasks)}
    auxiliaries = {name: place for place, name in enumerate(space.auxiliaries, len(tasks))}
    entries: list[dict[int, Number]] = [dict(enumerate(column)) for column in rows.T.tolist()]
    entries += [{} for _ in auxiliaries]
    for column, row in enumerate(space.rows, count):
        for task, place in tasks.items():
            entries[place][column] = row.tasks.get(task, Fraction(0)) - row.bound
        for name, value in row.auxiliaries.items():
            entries[auxiliaries[name]][column] = value
    return Formulation.over(
        [*_row_names(count), *space.row_names],
        Rows.from_dicts(
            entries,
            width=count + len(space.rows),
            upper=[-unit] * len(tasks) + [0] * len(auxiliaries),
            labels=[*tasks, *auxiliaries],
        ),
        name="conflict of rows",
        lower=[0] * count + [0 if row.relation is Relation.AT_LEAST else None for row in space.rows],
        upper=[None] * count + [0 if row.relation is Relation.AT_MOST else None for row in space.rows],
    )


def _violations(rows: AnyArray, space: WeightSpace, unit: int, *, strictly: bool) -> Formulation:
    """Return the program over allowed weights and the violation of each row, in units."""
    first, count = len(space.tasks) + len(space.auxiliaries), len(rows)
    elastic = Rows.from_dicts(
        [dict(enumerate(row)) | {first + place: unit} for place, row in enumerate(rows.tolist())],
        width=first + count,
        # Rows that are to be above 0 are held so far above that floats tell.
        lower=Fraction(unit, 10**6) if strictly else 0,
        labels=_row_names(count),
    )
    allowed = allowed_rows(space.tasks, space.auxiliaries, space.rows, first + count)
    names = (*space.tasks, *space.auxiliaries, *_row_names(count))
    return Formulation.over(names, Rows.join(allowed, elastic), name="least violations", objective=1)


def exclusive(rows: AnyArray) -> list[list[int]]:
    """Return sets of rows, given by their places, in which any two exclude each other; each such pair lies in one.

    Two rows a and b exclude each other if a mixture s a + (1 - s) b is negative on every task: an interval of shares s,
    whose ends are quotients. Such sets, cliques of that relation, are the rows that a program with big M misses most:
    its relaxation satisfies both of a pair by half. O(rows^2 tasks).
    """
    if len(rows) ** 2 * rows.shape[1] > MOST_PRODUCTS:
        return []
    # Each row in units of its own greatest entry: floats suffice for rows that only speed up the search.
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
