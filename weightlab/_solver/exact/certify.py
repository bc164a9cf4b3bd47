"""From a solver's floats to an exact optimum, or to an exact proof that none exists."""

from __future__ import annotations

from fractions import Fraction

from weightlab._result import Frozen
from weightlab._solver.exact.basis_near import basis_near
from weightlab._solver.exact.simplex import (
    ExactOptimum,
    NoPointError,
    NotFinishedError,
    SingularBasisError,
    exact_simplex,
    proved_bound,
)
from weightlab._solver.program import Formulation, Rows, Sense
from weightlab._solver.solution import Basis, Solution, Status, deadline_in, is_past, seconds_left
from weightlab._solver.solve import LazyRows, OpenProgram, opened, solve_open
from weightlab.exceptions import ImpossibleError, InputError, ProofError, SolverError, TimeLimitError, UnprovedError


def exact_optimum(
    formulation: Formulation, *, lazy: LazyRows | None = None, time_limit: float | None = None
) -> ExactOptimum:
    """Return the exact optimum of a linear program, checked.

    Parameters
    ----------
    formulation : Formulation
        A linear program.
    lazy : LazyRows or None
        Further rows, added when they are violated; the result satisfies all of them exactly.
    time_limit : float or None
        Seconds for the whole call.

    Raises
    ------
    ImpossibleError
        When no point satisfies the rows; its ``proof`` is an ``Infeasibility``.
    SolverError
        When the objective has no finite optimum.
    TimeLimitError, UnprovedError
        When the proof was not finished; ``known`` has the solver's float ``value``, or None.

    Notes
    -----
    The basis of a float optimum is solved exactly; if that is not optimal, exact pivots correct it. Nothing is returned
    that has not passed ``ExactOptimum.check``.
    """
    if formulation.is_integer_program:
        raise InputError(f"{formulation.name}: an integer program has no dual proof; relax it, or ask integer_optimum")
    deadline = deadline_in(time_limit)
    with opened(formulation) as program:
        # The program holds only some of the rows. A relaxation's optimum that satisfies every row is the optimum of the
        # whole, and here "satisfies" is decided exactly, not by the solver's tolerance.
        while True:
            solution = solve_open(program, lazy, deadline)
            optimum = _exact(program, solution, deadline)
            rows = None if lazy is None else lazy.violated_exactly(optimum.x)
            if rows is None or not len(rows):
                return optimum
            program.add_rows(rows)


def exact_infeasibility(formulation: Formulation, *, time_limit: float | None = None) -> Infeasibility | None:
    """Return the exact proof that no point satisfies a linear program, or None when one does.

    Parameters
    ----------
    formulation : Formulation
        A program, whose objective and integrality play no part.
    time_limit : float or None
        Seconds for the whole call.

    Notes
    -----
    Asks the question that always has an answer: how little can the worst violation of a row be? If more than zero,
    the multipliers that prove so prove the infeasibility.
    """
    # Phase one is feasible and bounded below by 0, so it has an optimum whatever the program; by Farkas' lemma its
    # multipliers contradict the rows exactly when that optimum is positive.
    deadline = deadline_in(time_limit)
    with opened(phase_one(formulation)) as program:
        relaxed = _exact(program, solve_open(program, None, deadline), deadline, has_point=True)
    return proof_from(formulation, relaxed) if relaxed.value > 0 else None


def _exact(
    program: OpenProgram, solution: Solution, deadline: float | None, *, has_point: bool = False
) -> ExactOptimum:
    """Return the exact optimum of an open program from what a solver says of it; that it has a point may be known."""
    formulation = program.formulation
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError(f"{formulation.name}: the time limit came before an optimum", known={"value": None})
    if solution.status is Status.UNBOUNDED:
        raise SolverError(f"{formulation.name} is unbounded: its objective improves without end")
    basis = program.basis() if solution.status is Status.OPTIMAL else None
    try:
        # "Infeasible" from floats is an opinion: either it gets a proof here, or a point exists and is found below.
        if solution.status is Status.INFEASIBLE and not has_point:
            _raise_if_impossible(formulation, deadline)
        return proved(formulation, solution, basis, deadline)
    except NoPointError:
        if not has_point:
            _raise_if_impossible(formulation, deadline)
        raise SolverError(f"{formulation.name}: found both a point and a proof that no point exists") from None


def _raise_if_impossible(formulation: Formulation, deadline: float | None) -> None:
    proof = exact_infeasibility(formulation, time_limit=seconds_left(deadline))
    if proof is not None:
        raise ImpossibleError(f"{formulation.name}: {proof}", proof=proof)


def proved(
    formulation: Formulation, proposal: Solution, basis: Basis | None, deadline: float | None = None
) -> ExactOptimum:
    """Return the exact optimum near a solver's proposal, checked.

    Parameters
    ----------
    formulation : Formulation
        A linear program.
    proposal : Solution
        Floats, wrong as they may be.
    basis : Basis or None
        The solver's basis, where it gives one.
    deadline : float or None
        The ``time.monotonic()`` at which to give up.

    Raises
    ------
    NoPointError
        When no point satisfies the rows.
    """
    try:
        # A vertex is the solution of a square system, so an exact solve of its basis yields it whatever its
        # denominators.
        optimum = _from_basis(formulation, proposal, basis, deadline)
    except NotFinishedError:
        late = is_past(deadline)
        message = f"{formulation.name}: no exact optimum was found within the {'time' if late else 'pivots'} allowed"
        raise (TimeLimitError if late else UnprovedError)(message, known={"value": proposal.value}) from None
    optimum.check()
    return optimum


def _from_basis(
    formulation: Formulation, proposal: Solution, basis: Basis | None, deadline: float | None
) -> ExactOptimum:
    if basis is not None:
        try:
            return exact_simplex(formulation, basis, deadline=deadline)
        except SingularBasisError:
            pass  # a solver that misjudged its own basis; the one found below is regular
    return exact_simplex(formulation, basis_near(formulation, proposal), deadline=deadline)


# The exact proof that no point satisfies the rows of a program.


class Infeasibility(Frozen):
    """Multipliers of rows and bounds that add up to a contradiction (Farkas' lemma; Schrijver 1986, section 7.3).

    Attributes
    ----------
    formulation : Formulation
        The program that no point satisfies.
    multipliers : tuple of Fraction
        One per row; their absolute values sum to 1. A positive one uses the row's lower bound, a negative one its
        upper bound.
    gap : Fraction
        What the right-hand sides add up to, with those bounds of the variables that make everything cancel on the left:
        positive, though a feasible point would make it at most 0. It is also the least possible value of the largest
        violation of a row.
    """

    formulation: Formulation
    multipliers: tuple[Fraction, ...]
    gap: Fraction

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that contradict each other (with the bounds of the variables): those with a multiplier."""
        return tuple(row for row, one in enumerate(self.multipliers) if one)

    def __str__(self) -> str:
        labels = ", ".join(repr(self.formulation.rows.labels[row]) for row in self.rows)
        return f"no point satisfies these rows together: {labels} (some row fails by at least {self.gap})"

    def check(self) -> None:
        """Re-check the contradiction in exact arithmetic.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        formulation, rows = self.formulation, len(self.formulation.rows)
        if len(self.multipliers) != rows:
            raise ProofError(f"{formulation.name}: {rows} rows need as many multipliers, got {len(self.multipliers)}")
        # Rows and columns times their multipliers sum to the objective 0 at every x. If their bounds force the same sum
        # to be at least a positive gap, no x satisfies them.
        total = proved_bound(formulation, (0,) * len(formulation.columns), self.multipliers, Sense.MINIMISE)
        if total != self.gap or total <= 0:
            raise ProofError(
                f"{formulation.name}: the right-hand sides add up to {total}, not to a positive {self.gap}"
            )


def phase_one(formulation: Formulation) -> Formulation:
    """Return the program that minimises the largest violation of a row within the variables' bounds.

    Its last variable is that violation; a row with two bounds appears once for each. It always has an optimum.
    """
    rows, width = formulation.rows, len(formulation.columns)
    below, above = _sides(rows)
    # The violation is added to what is to be large, and taken from what is to be small.
    elastic = [rows.matrix.row(row) | {width: sign} for sign, some in ((1, below), (-1, above)) for row in some]
    rows = Rows.from_dicts(
        elastic,
        width=width + 1,
        lower=[*(rows.lower[row] for row in below), *[None] * len(above)],
        upper=[*[None] * len(below), *(rows.upper[row] for row in above)],
        labels=[rows.labels[row] for row in (*below, *above)],
    )
    return Formulation(
        name=f"least violation of {formulation.name}",
        sense=Sense.MINIMISE,
        columns=(*formulation.columns, "violation"),
        objective=(0,) * width + (1,),
        rows=rows,
        lower=(*formulation.lower, 0),
        upper=(*formulation.upper, None),
    )


def proof_from(formulation: Formulation, least_violation: ExactOptimum) -> Infeasibility:
    """Return the proof that the exact optimum of ``phase_one`` holds, when its value is positive."""
    below, above = _sides(formulation.rows)
    multipliers = [Fraction(0)] * len(formulation.rows)
    # A row with two bounds stands in phase one twice. Both copies cannot be tight at a positive violation v (``lower -
    # v`` would equal ``upper + v``), so at most one of the two duals is not 0 and the sum loses nothing.
    for row, dual in zip(below + above, least_violation.duals, strict=True):
        multipliers[row] += dual
    proof = Infeasibility(formulation=formulation, multipliers=tuple(multipliers), gap=least_violation.value)
    proof.check()
    return proof


def _sides(rows: Rows) -> tuple[list[int], list[int]]:
    """Return which rows have a lower and which have an upper bound."""
    below = [row for row, bound in enumerate(rows.lower) if bound is not None]
    return below, [row for row, bound in enumerate(rows.upper) if bound is not None]
