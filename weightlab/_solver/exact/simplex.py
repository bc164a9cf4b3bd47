"""The exact optimum of a linear program: by the simplex method from a basis, and what checks it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction

from weightlab._exact import common_denominator
from weightlab._result import Frozen
from weightlab._solver.exact.integer_system import IntegerSystem
from weightlab._solver.program import Bound, Formulation, Number, Sense, within
from weightlab._solver.solution import Basis, Place
from weightlab.exceptions import ProofError, SolverError


class ExactOptimum(Frozen):
    """An optimal point of a linear program with the multipliers that prove it optimal.

    Attributes
    ----------
    formulation : Formulation
        The program that is proved, with every row that was generated on the way.
    value : Fraction
        The optimal value.
    x : tuple of Fraction
        A point that attains it.
    duals : tuple of Fraction
        A multiplier for each row: the rate at which the value changes with the row's bound, in the sign convention
        of ``Solution``.

    Notes
    -----
    By ``proved_bound`` no feasible point is better than what the multipliers contribute. When that is the value at
    ``x``, which is feasible, both are optimal.
    """

    formulation: Formulation
    value: Fraction
    x: tuple[Fraction, ...]
    duals: tuple[Fraction, ...]

    def check(self) -> None:
        """Re-check feasibility, multipliers and value in exact arithmetic; no solver takes part.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        formulation = self.formulation
        if len(self.x) != len(formulation.columns) or len(self.duals) != len(formulation.rows):
            raise ProofError(f"{formulation.name}: the point or the multipliers have the wrong length")
        for fault in primal_faults(formulation, self.x):
            raise ProofError(fault)
        attained = dot(formulation.objective, self.x)
        if attained != self.value:
            raise ProofError(f"{formulation.name}: the objective at the point is {attained}, not {self.value}")
        total = proved_bound(formulation, formulation.objective, self.duals, formulation.sense)
        # Weak duality makes the total a bound for every feasible point. Equal to the value at a feasible point, it
        # proves both optimal, wherever they come from.
        if total != self.value:
            raise ProofError(f"{formulation.name}: the multipliers prove the bound {total}, not the value {self.value}")


def proved_bound(
    formulation: Formulation, objective: Sequence[Number], duals: Sequence[Fraction], sense: Sense
) -> Fraction:
    """Return the bound of an objective, from below (``MINIMISE``) or above, that multipliers of the rows prove.

    The objective is the sum of the rows times ``duals`` and of the variables times what these leave of it, their
    reduced costs. Weak duality of linear programming (Schrijver, Theory of Linear and Integer Programming, 1986,
    section 7.4): when minimising, a positive multiplier times the lower bound of its row or column, or a negative one
    times the upper bound, is its smallest possible contribution. Maximising exchanges the two.

    Raises
    ------
    ProofError
        If a row or column has a multiplier, but not the bound that its sign calls for.
    """
    # Integers over one denominator throughout: a Fraction for each row and column would cost more than all else here.
    rows, sign = formulation.rows, 1 if sense is Sense.MAXIMISE else -1
    numerators, over = common_denominator(duals)
    costs, scale = common_denominator(objective)
    products = rows.matrix.products(numerators, transposed=True)
    reduced = [cost * over - product * scale for cost, product in zip(costs, products, strict=True)]
    total = Fraction(0)
    for kind, labels, multipliers, denominator, lower, upper in (
        ("row", rows.labels, numerators, over, rows.lower, rows.upper),
        ("column", formulation.columns, reduced, over * scale, formulation.lower, formulation.upper),
    ):
        for index, multiplier in enumerate(multipliers):
            if multiplier:
                # ``sign * multiplier > 0``: the product grows with the activity and the sense asks for an upper
                # estimate (or the mirror image), so the upper bound limits it.
                bound = upper[index] if sign * multiplier > 0 else lower[index]
                if bound is None:
                    name = f"{kind} {labels[index]!r} has a multiplier of {Fraction(multiplier, denominator)}"
                    raise ProofError(f"{formulation.name}: {name} but no bound")
                if bound:
                    total += Fraction(multiplier, denominator) * bound
    return total


def primal_faults(formulation: Formulation, x: Sequence[Fraction]) -> Iterator[str]:
    """Yield which bounds and rows a point violates."""
    # Over one common denominator all activities are integer products: far faster than a Fraction for each entry.
    numerators, denominator = common_denominator(x)
    for column, numerator in enumerate(numerators):
        low, high = formulation.lower[column], formulation.upper[column]
        if not within(numerator, denominator, low, high):
            yield f"{formulation.name}: column {formulation.columns[column]!r} is {x[column]}, {_outside(low, high)}"
    rows = formulation.rows
    for row in rows.violated_exactly(numerators, denominator):
        activity = Fraction(rows.matrix.take([row]).products(numerators)[0], denominator)
        outside = _outside(rows.lower[row], rows.upper[row])
        yield f"{formulation.name}: row {rows.labels[row]!r} is {activity}, {outside}"


def dot(coefficients: Sequence[Number], x: Sequence[Fraction]) -> Fraction:
    """Return the exact inner product."""
    return sum((one * value for one, value in zip(coefficients, x, strict=True) if one and value), start=Fraction(0))


def _outside(lower: Bound, upper: Bound) -> str:
    if lower is None:
        return f"above {upper}"
    return f"below {lower}" if upper is None else f"outside {lower} to {upper}"


# The simplex method in whole numbers.


class SingularBasisError(Exception):
    """The proposed basis is singular: its system has no unique solution."""


class NoPointError(Exception):
    """No point satisfies the rows and the bounds."""


class UnboundedError(SolverError):
    """The objective improves without end."""


class NotFinishedError(Exception):
    """The limit of pivots or of time came first."""


class _Vertex(Frozen):
    """The basic solution: values and reduced costs of all variables, each list over one denominator."""

    values: list[int]
    values_over: int
    costs: list[int]
    costs_over: int


def exact_simplex(
    formulation: Formulation, basis: Basis, *, pivots: int = 1_000, deadline: float | None = None
) -> ExactOptimum:
    """Return the exact optimum, found from a basis.

    Parameters
    ----------
    formulation : Formulation
        A linear program.
    basis : Basis
        Where to start.
    pivots : int
        How many to allow.
    deadline : float or None
        The ``time.monotonic()`` at which to give up.

    Raises
    ------
    SingularBasisError, NoPointError, NotFinishedError
        See there.
    UnboundedError
        When the objective has no finite optimum.
    """
    tableau = _Tableau(formulation, basis, pivots, deadline)
    vertex = tableau.vertex(formulation.objective)
    if tableau.misplaced(vertex) is not None:
        # Dual pivots keep the optimality they start from: that of the objective if it has it, else that of nothing.
        # Either way the dual method starts dual feasible: with the objective 0 every basis is, and the loop is then a
        # phase one without artificial variables. Its end is primal feasible.
        keeps = tableau.improving(vertex) is None
        costs = formulation.objective if keeps else (0,) * len(formulation.columns)
        vertex = tableau.vertex(costs)
        while (leaving := tableau.misplaced(vertex)) is not None:
            tableau.dual_pivot(vertex, leaving)
            vertex = tableau.vertex(costs)
        if not keeps:
            vertex = tableau.vertex(formulation.objective)
    # Bland's rule throughout: the first index that may enter or leave, the first among equal ratios. It cannot cycle,
    # at whatever degenerate vertex (Bland, "New finite pivoting rules for the simplex method", 1977).
    while (entering := tableau.improving(vertex)) is not None:
        tableau.primal_pivot(vertex, entering)
        vertex = tableau.vertex(formulation.objective)
    return tableau.optimum(vertex)


class _Tableau:
    """A basis on the move."""

    def __init__(self, formulation: Formulation, basis: Basis, pivots: int, deadline: float | None) -> None:
        self.formulation = formulation
        self.matrix = formulation.rows.matrix
        self.width = len(formulation.columns)
        self.lower: tuple[Bound, ...] = formulation.lower + formulation.rows.lower
        self.upper: tuple[Bound, ...] = formulation.upper + formulation.rows.upper
        self.sign = 1 if formulation.sense is Sense.MAXIMISE else -1
        self.places = [self._possible(index, place) for index, place in enumerate(basis.columns + basis.rows)]
        self.pivots_left = pivots
        self.deadline = deadline
        self._factorise()

    def _possible(self, index: int, place: Place) -> Place:
        """Return the place, or the nearest one that the variable's bounds allow."""
        if place is Place.BASIC:
            return place
        if place is Place.UPPER and self.upper[index] is not None:
            return place
        if self.lower[index] is not None:
            return Place.LOWER
        return Place.UPPER if self.upper[index] is not None else Place.FREE

    def _factorise(self) -> None:
        width = self.width
        self.basic_columns = [j for j in range(width) if self.places[j] is Place.BASIC]
        self.tight_rows = [i for i in range(len(self.matrix)) if self.places[width + i] is not Place.BASIC]
        # A vertex solves a square system: each tight row is an equation, each basic column an unknown.
        if len(self.basic_columns) != len(self.tight_rows):
            raise SingularBasisError
        self.system = IntegerSystem(self.matrix.block(self.tight_rows, self.basic_columns))
        if self.system.is_singular:
            raise SingularBasisError

    def _solve(self, right: list[Number], *, transposed: bool = False) -> tuple[list[int], int]:
        solved = self.system.solve_over_common(right, transposed=transposed)
        if solved is None:
            raise SingularBasisError
        return solved

    def _resting(self, index: int) -> Number:
        """Return the value of a nonbasic variable."""
        bound = {Place.LOWER: self.lower, Place.UPPER: self.upper}.get(self.places[index])
        value = None if bound is None else bound[index]
        return 0 if value is None else value

    def vertex(self, objective: tuple[Number, ...]) -> _Vertex:
        """Return the values and the reduced costs, for some objective, of all variables."""
        # The basis system is solved twice: for the values ``B x_B = b - N x_N``, and transposed for the duals ``B^T y =
        # c_B``.
        values, values_over = self._values()
        duals = [0] * len(self.matrix)
        tight, duals_over = self._solve([objective[j] for j in self.basic_columns], transposed=True)
        # Rows that are not tight have the dual 0 (complementary slackness).
        for row, value in zip(self.tight_rows, tight, strict=True):
            duals[row] = value
        scaled, scale = common_denominator(objective)
        products = self.matrix.products(duals, transposed=True)
        # In terms of the nonbasic variables the objective is ``sum duals[i] * row_i + sum costs[j] * x_j`` plus a
        # constant: so the dual of a row is the reduced cost of the variable that stands for its value.
        costs = [cost * duals_over - product * scale for cost, product in zip(scaled, products, strict=True)]
        return _Vertex(
            values=values,
            values_over=values_over,
            costs=costs + [dual * scale for dual in duals],
            costs_over=duals_over * scale,
        )

    def _values(self) -> tuple[list[int], int]:
        resting: list[Number] = [0 if self.places[j] is Place.BASIC else self._resting(j) for j in range(self.width)]
        x, over = common_denominator(resting)
        moved = self.matrix.take(self.tight_rows).products(x)
        right: list[Number] = [
            # The right-hand side that the basic columns have to make up: what the row rests on less what the others
            # give it.
            self._resting(self.width + row) - Fraction(one, over)
            for row, one in zip(self.tight_rows, moved, strict=True)
        ]
        solved, solved_over = self._solve(right)
        common = math.lcm(over, solved_over)
        x = [one * (common // over) for one in x]
        for column, value in zip(self.basic_columns, solved, strict=True):
            x[column] = value * (common // solved_over)
        return x + self.matrix.products(x), common

    def misplaced(self, vertex: _Vertex) -> int | None:
        """Return the first basic variable beyond its bounds."""
        for index, place in enumerate(self.places):
            if place is Place.BASIC:
                value, bounds = vertex.values[index], (self.lower[index], self.upper[index])
                if not within(value, vertex.values_over, *bounds):
                    return index
        return None

    def improving(self, vertex: _Vertex) -> int | None:
        """Return the first nonbasic variable whose move from its bound would improve the objective."""
        for index, cost in enumerate(vertex.costs):
            if cost and self.places[index] is not Place.BASIC:
                direction = 1 if self.sign * cost > 0 else -1
                if self._may_move(index, direction):
                    return index
        return None

    def _may_move(self, index: int, direction: int) -> bool:
        place = self.places[index]
        if place is Place.FREE:
            return True
        # A fixed variable never moves, so its reduced cost may have either sign.
        if self.lower[index] == self.upper[index]:
            return False
        return direction == (1 if place is Place.LOWER else -1)

    def _effects(self, index: int) -> list[int]:
        """Return how fast each variable moves, up to one positive factor, when one nonbasic variable grows."""
        right: list[Number] = [0] * len(self.tight_rows)
        if index < self.width:
            for place, row in enumerate(self.tight_rows):
                right[place] = -self.matrix.row(row).get(index, 0)
        else:
            right[self.tight_rows.index(index - self.width)] = 1
        solved, over = self._solve(right)
        effects = [0] * self.width
        if index < self.width:
            # Only ratios and signs of the effects are used, so they stay integers over the (positive) denominator,
            # undivided.
            effects[index] = over
        for column, value in zip(self.basic_columns, solved, strict=True):
            effects[column] = value
        return effects + self.matrix.products(effects)

    def primal_pivot(self, vertex: _Vertex, entering: int) -> None:
        """Move one nonbasic variable until the first basic variable, or its own other bound, stops it."""
        direction = 1 if self.sign * vertex.costs[entering] > 0 else -1
        best: tuple[Fraction, int, Place] | None = None
        # The entering variable takes part itself: it may reach its other bound before any basic variable stops it.
        for index, effect in enumerate(self._effects(entering)):
            speed = effect * direction
            if not speed or (self.places[index] is not Place.BASIC and index != entering):
                continue
            stop = self.upper[index] if speed > 0 else self.lower[index]
            if stop is not None:
                # ``speed`` is scaled by the same positive factor for all, so the steps compare as they should. On ties
                # the first index stays: Bland.
                step = (stop - Fraction(vertex.values[index], vertex.values_over)) / speed
                if best is None or step < best[0]:
                    best = (step, index, Place.UPPER if speed > 0 else Place.LOWER)
        if best is None:
            raise UnboundedError(f"{self.formulation.name} is unbounded: its objective improves without end")
        self._exchange(entering, best[1], best[2])

    def dual_pivot(self, vertex: _Vertex, leaving: int) -> None:
        """Send one basic variable to the bound it violates, by the nonbasic variable that costs least."""
        low = self.lower[leaving]
        too_low = low is not None and not within(vertex.values[leaving], vertex.values_over, low, None)
        best: tuple[Fraction, int] | None = None
        for index, influence in enumerate(self._influences(leaving)):
            if not influence or self.places[index] is Place.BASIC:
                continue
            direction = 1 if (influence > 0) == too_low else -1
            if self._may_move(index, direction):
                # The least price per unit of influence keeps every reduced cost on its side of 0: dual feasibility is
                # the invariant.
                price = abs(Fraction(vertex.costs[index], influence))
                if best is None or price < best[0]:
                    best = (price, index)
        # No variable can push it towards its bound: the tableau's row alone contradicts the bounds.
        if best is None:
            raise NoPointError
        self._exchange(best[1], leaving, Place.LOWER if too_low else Place.UPPER)

    def _influences(self, index: int) -> list[int]:
        """Return how fast one basic variable moves, up to one positive factor, when each nonbasic variable grows."""
        row = self.matrix.row(index - self.width) if index >= self.width else {index: 1}
        # Row of the tableau for the leaving variable: the transposed system with its unit vector (or its matrix row).
        solved, over = self._solve([row.get(column, 0) for column in self.basic_columns], transposed=True)
        on_rows = [0] * len(self.matrix)
        for tight, value in zip(self.tight_rows, solved, strict=True):
            on_rows[tight] = value
        products = self.matrix.products(on_rows, transposed=True)
        return [row.get(j, 0) * over - product for j, product in enumerate(products)] + on_rows

    def _exchange(self, entering: int, leaving: int, place: Place) -> None:
        self.pivots_left -= 1
        if self.pivots_left < 0 or (self.deadline is not None and time.monotonic() > self.deadline):
            raise NotFinishedError
        # In this order, since a variable stopped by its own other bound both enters and leaves: it must end nonbasic.
        self.places[entering] = Place.BASIC
        self.places[leaving] = place
        # Factorised again, not updated: exact updates grow fractions, and after a float solver few pivots remain.
        self._factorise()

    def optimum(self, vertex: _Vertex) -> ExactOptimum:
        """Return the optimum that the vertex proves."""
        x = tuple([Fraction(one, vertex.values_over) for one in vertex.values[: self.width]])
        return ExactOptimum(
            formulation=self.formulation,
            value=dot(self.formulation.objective, x),
            x=x,
            duals=tuple([Fraction(one, vertex.costs_over) for one in vertex.costs[self.width :]]),
        )
