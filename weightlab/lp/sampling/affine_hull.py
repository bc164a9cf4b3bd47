"""The affine hull of a weight space, found and proved exactly: what is constant on the space, and what moves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from weightlab._exact import BoolArray, FloatArray, common_denominator
from weightlab._result import Record, ensure, exact_series
from weightlab._solver import ExactOptimum, Formulation, Rows, Sense, exact_optimum
from weightlab.exceptions import ImpossibleError
from weightlab.lp.certificates.dual import check_exact, series_dict
from weightlab.lp.certificates.infeasible_space import refuse_empty
from weightlab.lp.space.conditions import LinearRow, Relation
from weightlab.lp.space.space import TaskShares, WeightSpace


class AffineHull(Record):
    """A point in the relative interior of a weight space, with the proof which inequalities hold with equality on it.

    Attributes
    ----------
    space : WeightSpace
        The weights that are allowed.
    point : Series of Fraction by task
        Weights that meet with room to spare every inequality that has any.
    auxiliaries : tuple of Fraction
        Values of the space's auxiliary variables there, likewise.
    rows : tuple of Fraction, one a row of the space
        Multipliers: an inequality with one above 0 holds with equality on the whole space.
    least : tuple of Fraction, a task and an auxiliary variable
        The same for "not negative", tasks first.
    total : Fraction
        The same for "weights sum to 1".

    Notes
    -----
    The slacks of all rows and variables times their multipliers add up to 0 identically. As slacks are not negative
    on the space, each one with a positive multiplier is 0 there.

    References
    ----------
    Freund, Roundy and Todd, "Identifying the set of always-active constraints in a system of linear inequalities by a
    single linear program", MIT Sloan working paper 1674-85, 1985.
    """

    space: WeightSpace
    point: TaskShares
    auxiliaries: tuple[Fraction, ...]
    rows: tuple[Fraction, ...]
    least: tuple[Fraction, ...]
    total: Fraction

    @cached_property
    def active(self) -> frozenset[str]:
        """Names of the rows that hold with equality on the whole space, equations included."""
        pairs = zip(self.space.rows, self.rows, strict=True)
        return frozenset(row.name for row, factor in pairs if row.relation is Relation.EQUAL or factor)

    @cached_property
    def zeros(self) -> BoolArray:
        """Which tasks, then auxiliary variables, are 0 on the whole space."""
        return np.array([bool(one) for one in self.least], dtype=np.bool_)

    @cached_property
    def directions(self) -> tuple[tuple[Fraction, ...], ...]:
        """A basis of the directions in which weights of the space differ, one number a task each."""
        return _null_space(*self._reduced, len(self.space.tasks))

    @property
    def dimension(self) -> int:
        """Dimension of the space of weights: 0 for one point."""
        return len(self.space.tasks) - len(self._reduced[0])

    @cached_property
    def _reduced(self) -> tuple[list[list[Fraction]], list[int]]:
        """What holds with equality as rows of reduced echelon form, and the column of the first 1 of each."""
        reduced = _reduced(self._equations(), len(self.space.tasks))
        return reduced, [next(column for column, value in enumerate(row) if value) for row in reduced]

    @cached_property
    def moving(self) -> BoolArray:
        """Which tasks have a weight that is not the same on the whole space."""
        moving = np.ones(len(self.space.tasks), dtype=np.bool_)
        for row, pivot in zip(*self._reduced, strict=True):
            moving[pivot] = any(row[pivot + 1 :])
        return moving

    @property
    def is_simplex(self) -> bool:
        """Whether the hull is that of the tasks that move, the others being fixed: nothing but their sum is given."""
        return self.dimension == int(self.moving.sum()) - 1

    @cached_property
    def basis(self) -> FloatArray:
        """Orthonormal directions as columns (tasks x dimension)."""
        columns = np.array([[float(one) for one in vector] for vector in self.directions]).reshape(-1, len(self.point))
        return np.asarray(np.linalg.qr(columns.T)[0], dtype=np.float64)

    def constant(self, matrix: np.ndarray) -> BoolArray:
        """Tell which rows (integers, one column a task) come to the same under all weights of the space, exactly."""
        # The equations imply it: without them, each as often as its first column asks for, nothing is left of it.
        reduced, pivots = self._reduced
        flat, scale = common_denominator([value for row in reduced for value in row])
        most = int(abs(matrix).max(initial=0)) * (scale + len(pivots) * max(map(abs, flat)))
        kind = np.int64 if most < 1 << 62 else object
        equations = np.array(flat, dtype=kind).reshape(len(reduced), -1)
        own = matrix.astype(kind)
        return np.asarray((own * scale == own[:, pivots] @ equations).all(axis=1), dtype=np.bool_)

    def _equations(self) -> list[list[Fraction]]:
        """Return coefficients of what holds with equality, over tasks alone."""
        tasks, names = self.space.tasks, self.space.auxiliaries
        width, zero = len(names) + len(tasks), Fraction(0)
        # Auxiliary variables come first, so that elimination gets rid of them: the rows left without any are the
        # equations that weights alone must satisfy.
        equations = [[zero] * len(names) + [Fraction(1)] * len(tasks)]
        for row in self.space.rows:
            if row.name in self.active:
                own = [row.auxiliaries.get(name, zero) for name in names]
                equations.append(own + [row.tasks.get(task, zero) for task in tasks])
        for place in np.flatnonzero(self.zeros).tolist():
            # ``zeros`` lists tasks before auxiliary variables, the equations the other way round.
            column = (place + len(names)) % width
            equations.append([Fraction(column == other) for other in range(width)])
        reduced = _reduced(equations, width)
        return [row[len(names) :] for row in reduced if not any(row[: len(names)])]

    def check(self) -> None:
        """Ensure that the point is in the space, and that exactly the slacks without a multiplier are positive there.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        tasks, names = self.space.tasks, self.space.auxiliaries
        ensure(tuple(self.point.index) == tasks, "the interior point is not about the tasks of the space, in order")
        ensure(len(self.auxiliaries) == len(names), "the interior point lacks an auxiliary variable")
        ensure(len(self.least) == len(tasks) + len(names), "a multiplier of 'not negative' is missing")
        ensure(len(self.rows) == len(self.space.rows), "the multipliers are not those of the rows")
        weights, values = series_dict(self.point), dict(zip(names, self.auxiliaries, strict=True))
        exact = {"a value": self.auxiliaries, "a multiplier": (*self.rows, *self.least, self.total)}
        for what, numbers in exact.items():
            for number in numbers:
                check_exact(**{what: number})
        ensure(sum(weights.values()) == 1, "the weights of the interior point do not sum to 1")
        for row, factor in zip(self.space.rows, self.rows, strict=True):
            short = row.bound - row.total(weights, values)
            slack = -short if row.relation is Relation.AT_LEAST else short
            _check_slack(row.name, slack, factor, row.relation)
        for name, value, factor in zip(
            (*tasks, *names), (*weights.values(), *values.values()), self.least, strict=True
        ):
            _check_slack(f"{name!r} not negative", value, factor, Relation.AT_LEAST)
        self._check_identity()

    def _check_identity(self) -> None:
        """Ensure that slacks times multipliers add up to 0, column by column."""
        # As the weights sum to 1, ``total`` times that equation makes constants and coefficients comparable.
        count = len(self.space.tasks)
        columns = dict.fromkeys(self.space.tasks, -self.total)
        extra = dict.fromkeys(self.space.auxiliaries, Fraction(0))
        constant = self.total
        for row, multiplier in zip(self.space.rows, self.rows, strict=True):
            factor = -multiplier if row.relation is Relation.AT_LEAST else multiplier
            if factor:
                constant += factor * row.bound
                for own, sums in ((row.tasks, columns), (row.auxiliaries, extra)):
                    for name, value in own.items():
                        sums[name] -= factor * value
        least = self.least
        for (name, found), factor in zip((*columns.items(), *extra.items()), least, strict=True):
            ensure(found + factor == 0, f"the slacks add up to {found + factor} of {name!r}, not to 0")
        ensure(constant == 0 and len(least) == count + len(extra), f"the slacks add up to {constant}, not to 0")


def hull_of(space: WeightSpace, *, time_limit: float | None = None) -> AffineHull:
    """Return the affine hull of a weight space with a point in its relative interior.

    Raises
    ------
    EmptySpaceError
        If no weights satisfy the conditions.
    UnprovedError, TimeLimitError
        If no exact proof was found.

    Notes
    -----
    Unless equal weights do, one linear program: every slack counts for at most 1, the space being blown up as far as
    need be. Those that stay at 0 are 0 on the whole space, and the multipliers show it.
    """
    # Equal weights that meet every inequality with room to spare are such a point, and the same with every solver.
    centre = dict.fromkeys(space.tasks, Fraction(1, len(space.tasks)))
    if not space.auxiliaries and all(_has_room(row, row.bound - row.total(centre, {})) for row in space.rows):
        return AffineHull(
            space=space,
            point=exact_series(list(centre.values()), space.tasks, "weight"),
            auxiliaries=(),
            rows=(Fraction(0),) * len(space.rows),
            least=(Fraction(0),) * len(centre),
            total=Fraction(0),
        )
    try:
        optimum = exact_optimum(_program(space), time_limit=time_limit)
    except ImpossibleError:
        refuse_empty(space)
    found = _hull_at(optimum, space)
    found.check()
    return found


def _program(space: WeightSpace) -> Formulation:
    """Return the program whose columns are weights, auxiliary variables, slacks of both, slacks of rows, and size."""
    names = (*space.tasks, *space.auxiliaries)
    first, width = 2 * len(names), 2 * len(names) + len(space.rows) + 1
    tasks = {task: position for position, task in enumerate(space.tasks)}
    extra = {name: len(tasks) + position for position, name in enumerate(space.auxiliaries)}
    # Homogenised: all numbers are multiplied by ``size``, and divided by it in the end. So each slack that can be
    # positive can be 1, and the optimum counts them (Freund, Roundy and Todd).
    size = width - 1
    rows: list[dict[int, int]] = [{**dict.fromkeys(range(len(tasks)), 1), size: -1}]
    relations = [Relation.EQUAL]
    for number, row in enumerate(space.rows):
        numerators, _ = _integers(row)
        *entries, bound = numerators
        columns = [*(tasks[task] for task in row.tasks), *(extra[name] for name in row.auxiliaries)]
        own = dict(zip(columns, entries, strict=True))
        if row.relation is not Relation.EQUAL:
            own[first + number] = 1 if row.relation is Relation.AT_MOST else -1
        rows.append(own | {size: -bound} if bound else own)
        relations.append(row.relation)
    for position in range(len(names)):
        rows.append({position: 1, len(names) + position: -1})
        relations.append(Relation.AT_LEAST)
    slacks = width - 1 - len(names)
    return Formulation(
        name="relative interior",
        sense=Sense.MAXIMISE,
        columns=tuple(f"column {number}" for number in range(width)),
        objective=(0,) * len(names) + (1,) * slacks + (0,),
        rows=Rows.from_dicts(
            rows,
            width=width,
            lower=[None if relation is Relation.AT_MOST else 0 for relation in relations],
            upper=[None if relation is Relation.AT_LEAST else 0 for relation in relations],
            labels=[f"row {number}" for number in range(len(rows))],
        ),
        lower=(None,) * len(names) + (0,) * slacks + (1,),
        upper=(None,) * len(names)
        + (1,) * len(names)
        + tuple(0 if row.relation is Relation.EQUAL else 1 for row in space.rows)
        + (None,),
    )


def _integers(row: LinearRow) -> tuple[list[int], int]:
    """Return coefficients and bound as integers, and what they were multiplied with."""
    return common_denominator([*row.tasks.values(), *row.auxiliaries.values(), row.bound])


def _hull_at(optimum: ExactOptimum, space: WeightSpace) -> AffineHull:
    names = (*space.tasks, *space.auxiliaries)
    size = optimum.x[-1]
    x = [value / size for value in optimum.x[: len(names)]]
    duals = optimum.duals
    factors = []
    for row, dual in zip(space.rows, duals[1:], strict=False):
        # Multipliers of the row as written: with its own scale, and positive for a slack that is not negative.
        factors.append(dual * _integers(row)[1] * (-1 if row.relation is Relation.AT_LEAST else 1))
    count = len(space.tasks)
    return AffineHull(
        space=space,
        point=exact_series(x[:count], space.tasks, "weight"),
        auxiliaries=tuple(x[count:]),
        rows=tuple(factors),
        least=tuple(-dual for dual in duals[1 + len(space.rows) :]),
        total=duals[0],
    )


def _has_room(row: LinearRow, short: Fraction) -> bool:
    return {Relation.AT_MOST: short > 0, Relation.AT_LEAST: short < 0, Relation.EQUAL: short == 0}[row.relation]


def _check_slack(name: str, slack: Fraction, factor: Fraction, relation: Relation) -> None:
    if relation is Relation.EQUAL:
        ensure(slack == 0, f"{name}: the interior point misses it by {slack}")
        return
    ensure(factor >= 0, f"{name}: its multiplier is negative: {factor}")
    ensure(slack == 0 if factor else slack > 0, f"{name}: the interior point has a slack of {slack}")


def _reduced(rows: Sequence[Sequence[Fraction]], width: int) -> list[list[Fraction]]:
    """Return the rows that Gauss-Jordan elimination leaves, first columns first; none of them is 0."""
    left = [list(row) for row in rows]
    done = 0
    for column in range(width):
        # Exact, so any entry that is not 0 is as good a pivot as any other.
        pivot = next((place for place in range(done, len(left)) if left[place][column]), None)
        if pivot is None:
            continue
        left[done], left[pivot] = left[pivot], left[done]
        head = left[done][column]
        lead = left[done] = [value / head for value in left[done]]
        for place, row in enumerate(left):
            factor = row[column]
            if place != done and factor:
                left[place] = [a - factor * b if b else a for a, b in zip(row, lead, strict=True)]
        done += 1
    return left[:done]


def _null_space(
    reduced: Sequence[Sequence[Fraction]], pivots: Sequence[int], width: int
) -> tuple[tuple[Fraction, ...], ...]:
    """Return a basis of the vectors on which all rows are 0, which are in reduced echelon form with these pivots."""
    basis = []
    for free in sorted(set(range(width)) - set(pivots)):
        vector = [Fraction(free == column) for column in range(width)]
        # A free column is 1 and the pivots balance it: a vector for each free column, independent by construction.
        for pivot, row in zip(pivots, reduced, strict=True):
            vector[pivot] = -row[free]
        basis.append(tuple(vector))
    return tuple(basis)
