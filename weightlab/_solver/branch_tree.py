"""Branch trees: the bound of an integer program, shown without a solver's claim.

For any multipliers y >= 0 of rows ``A x >= b`` and any x of a box l <= x <= u

    c.x  >=  b.y + sum_j min over [l_j, u_j] of (c - A'y)_j x_j,

which is weak duality with the bounds of the box counted exactly (Neumaier and Shcherbina, "Safe bounds in linear and
mixed-integer linear programming", Mathematical Programming 99, 2004). A tree splits the box of a program at integers;
each leaf has multipliers whose bound reaches what is claimed, or, with c = 0, is above 0: then the leaf is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, FloatArray
from weightlab._result import Frozen, Record, ensure
from weightlab._solver.program import Formulation, Rows
from weightlab._solver.solution import Status, deadline_in, is_past, seconds_left
from weightlab._solver.solve import OpenProgram, opened

MOST_NODES = 20_000
"""Largest tree that is built."""
PARTS = 2**24
"""Multipliers are rounded to multiples of one in this many."""
LONG = 20
"""Costs of more bits are divided for the solver."""
NEARLY = 1e-6
"""A float within this distance of an integer counts as it when a variable to split is chosen."""


class Split(Record):
    """A node: below it a variable is at most ``at``, or at least one more.

    Attributes
    ----------
    column, at : int
        The variable's place, and the greatest value of the first branch.
    """

    column: int
    at: int


class Leaf(Record):
    """A leaf: multipliers of rows that show its bound.

    Attributes
    ----------
    rows, multipliers : tuple of int
        Places of rows, and their multipliers times ``over``.
    over : int
        Their denominator; 0 where the multipliers show that the leaf is empty.
    """

    rows: tuple[int, ...]
    multipliers: tuple[int, ...]
    over: int


class IntegerRows(Frozen):
    """An integer program: ``costs . x`` is to be small, for integers of a box with ``matrix x >= least``.

    All numbers are Python integers (arrays of objects).
    """

    matrix: AnyArray
    least: AnyArray
    costs: AnyArray
    lower: AnyArray
    upper: AnyArray

    @classmethod
    def binary(cls, matrix: AnyArray, least: Sequence[int], costs: Sequence[int] | None = None) -> IntegerRows:
        """Return the program over variables that are 0 or 1; by default each costs 1."""
        width = matrix.shape[1]
        return cls(
            matrix=matrix.astype(object),
            least=np.array(list(least), dtype=object),
            costs=np.array([1] * width if costs is None else list(costs), dtype=object),
            lower=np.array([0] * width, dtype=object),
            upper=np.array([1] * width, dtype=object),
        )

    def bound(self, leaf: Leaf, lower: AnyArray, upper: AnyArray) -> int:
        """Return the lower bound on ``costs . x`` in a box that a leaf shows, times its denominator."""
        rows, shares = list(leaf.rows), np.array(leaf.multipliers, dtype=object)
        ensure(len(rows) == len(set(rows)) == len(shares), "a leaf needs one multiplier per row")
        ensure(all(0 <= row < len(self.least) for row in rows), "a leaf names a row that does not exist")
        ensure(min(leaf.multipliers, default=0) >= 0 and leaf.over >= 0, "a multiplier of a leaf is negative")
        left = leaf.over * self.costs - shares @ self.matrix[rows] if rows else leaf.over * self.costs
        own = sum((share * self.least[row] for row, share in zip(rows, leaf.multipliers, strict=True)), 0)
        return int(own + np.minimum(left * lower, left * upper).sum())


class BranchTree(Record):
    """A tree that shows an integer program's optimum to be at least some integer.

    Attributes
    ----------
    nodes : tuple of Split or Leaf
        Depth first, the branch of small values before that of large ones.
    """

    nodes: tuple[Split | Leaf, ...]

    def check(self, program: IntegerRows, claim: int) -> None:
        """Ensure that no integers of the program cost less than ``claim``.

        Raises
        ------
        ProofError
            Naming the first node that fails.
        """
        boxes = [(program.lower, program.upper)]
        for place, node in enumerate(self.nodes):
            ensure(boxes, f"the tree goes on after its last leaf, at node {place}")
            lower, upper = boxes.pop()
            if isinstance(node, Split):
                fits = 0 <= node.column < len(lower) and lower[node.column] <= node.at < upper[node.column]
                ensure(fits, f"node {place} of the tree splits nothing")
                boxes += [(_with(lower, node.column, node.at + 1), upper), (lower, _with(upper, node.column, node.at))]
                continue
            # Costs are integers, so a bound above claim - 1 is one of claim.
            short = node.over * (claim - 1) if node.over else 0
            ensure(program.bound(node, lower, upper) > short, f"leaf {place} of the tree does not reach {claim}")
        ensure(not boxes, "the tree ends before all its branches do")


def _with(bounds: AnyArray, column: int, value: int) -> AnyArray:
    changed = bounds.copy()
    changed[column] = value
    return changed


def branch_tree(program: IntegerRows, claim: int, *, time_limit: float | None = None) -> BranchTree | None:
    """Return a tree that shows that nothing costs less than ``claim``; None where it has too many nodes or takes long.

    Notes
    -----
    Depth first over linear programs of HiGHS, whose multipliers are rounded: what they show is computed exactly. The
    optimum is known, so the order of the nodes does not matter.
    """
    deadline = deadline_in(time_limit)
    width = len(program.costs)
    names = [str(one) for one in range(width)]
    labels = [str(row) for row in range(len(program.least))]
    rows = Rows.from_matrix(program.matrix, lower=program.least.tolist(), labels=labels)
    bounds = {"lower": program.lower.tolist(), "upper": program.upper.tolist()}
    price = 1 << _price(program)
    prices = [Fraction(one, price) for one in program.costs.tolist()]
    plain = Formulation.over(names, rows, name="branch tree", objective=prices, **bounds)
    sizes = np.array([1 << _size(row) for row in program.matrix], dtype=object)
    slack = np.hstack([program.matrix, np.eye(len(rows), dtype=np.int64).astype(object) * sizes])
    elastic = Formulation.over(
        [*names, *(f"slack {row}" for row in range(len(rows)))],
        Rows.from_matrix(slack, lower=program.least.tolist(), labels=labels),
        name="empty leaf",
        objective=[0] * width + [1] * len(rows),
        lower=[*bounds["lower"], *[0] * len(rows)],
        upper=[*bounds["upper"], *[None] * len(rows)],
    )
    with opened(plain) as costs, opened(elastic) as slacks:
        nodes: list[Split | Leaf] = []
        for node in _grown(program, claim, costs, slacks, deadline):
            if node is None or len(nodes) >= MOST_NODES:
                return None
            nodes.append(node)
    return BranchTree(nodes=tuple(nodes))


def _grown(
    program: IntegerRows, claim: int, costs: OpenProgram, slacks: OpenProgram, deadline: float | None
) -> Iterator[Split | Leaf | None]:
    """Yield the nodes of a tree, depth first; None where one cannot be had."""
    boxes = [(program.lower, program.upper)]
    width, none = len(program.costs), np.zeros(len(program.least))
    # The multiplier of a row of long numbers is small: it is rounded in proportion.
    sizes, price = [_size(row) for row in program.matrix], _price(program)
    largest = max(sizes, default=0)
    while boxes:
        lower, upper = boxes.pop()
        ends = [one.astype(np.float64) for one in (lower, upper)]
        costs.confine(*ends)
        solution = costs.solve(seconds_left(deadline))
        over = PARTS << largest
        if solution.status is Status.INFEASIBLE:
            slacks.confine(np.append(ends[0], none), np.append(ends[1], none + np.inf))
            solution, over = slacks.solve(seconds_left(deadline)), 0
        if solution.x is None or solution.duals is None or is_past(deadline):
            yield None
            return
        shares = np.rint(np.ldexp(np.maximum(solution.duals, 0) * PARTS, sizes))
        rows = np.flatnonzero(shares).tolist()
        whole = [int(shares[row]) << largest - sizes[row] + price for row in rows]
        leaves = [Leaf(rows=tuple(rows), multipliers=tuple(whole), over=over), *_plain_leaves(program, lower, upper)]
        shown = [one for one in leaves if program.bound(one, lower, upper) > one.over * (claim - 1)]
        if shown:
            yield shown[0]
            continue
        split = _split(solution.x[:width], np.where(program.costs < 0, upper, lower), lower, upper)
        yield split
        if split is None:
            return
        boxes += [(_with(lower, split.column, split.at + 1), upper), (lower, _with(upper, split.column, split.at))]


def _plain_leaves(program: IntegerRows, lower: AnyArray, upper: AnyArray) -> Iterator[Leaf]:
    """Yield leaves that need no program: costs alone, and for a single point the row that it misses by most."""
    yield Leaf(rows=(), multipliers=(), over=1)
    if (lower == upper).all():
        row = int(np.argmax(program.least - program.matrix @ lower))
        yield Leaf(rows=(row,), multipliers=(1,), over=0)


def _size(numbers: AnyArray) -> int:
    """Return the greatest power of two that is at most the largest of some integers."""
    return max(0, max(abs(int(one)) for one in numbers).bit_length() - 1)


def _price(program: IntegerRows) -> int:
    """Return the power of two by which long costs are divided for a solver."""
    return max(0, _size(program.costs) - LONG)


def _split(x: FloatArray, cheap: AnyArray, lower: AnyArray, upper: AnyArray) -> Split | None:
    """Return the split of the variable that is farthest from an integer; None where the box is one point.

    Where all are integers floats are too short to show the bound: a variable that is not at its cheap end is split, so
    that in the end costs alone show it.
    """
    free = lower != upper
    for away in (np.abs(x - np.rint(x)) * free, (np.rint(x) != cheap) & free, free):
        column = int(np.argmax(away))
        if away[column] > NEARLY:
            at = min(max(int(np.floor(x[column])), int(lower[column])), int(upper[column]) - 1)
            return Split(column=column, at=at)
    return None
