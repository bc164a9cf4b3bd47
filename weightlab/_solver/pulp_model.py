"""The readable face of a formulation: the same program as a PuLP problem."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from weightlab._solver.highs_library import load_pulp
from weightlab._solver.program import FloatRows, Formulation, Sense, float_rows

pulp = load_pulp()

_ILLEGIBLE = re.compile(r"[^A-Za-z0-9]+")
_LONGEST = 40  # PuLP refuses to write names beyond 100 characters; numbers and suffixes need room, too


def to_pulp(formulation: Formulation, *, column_prefix: str = "x", row_prefix: str = "r") -> Any:
    """Return the formulation as a PuLP problem.

    Parameters
    ----------
    formulation : Formulation
        What to render.
    column_prefix, row_prefix : str
        What the names of variables and constraints begin with: a letter other than e.

    Returns
    -------
    pulp.LpProblem
        Variables are called ``x03_CoLA``: the number keeps ``c-d`` and ``c d`` apart, which file formats cannot, and
        keeps them in order when sorted; the rest is for the reader. A row with two different bounds becomes two
        constraints, ``..._low`` and ``..._high``. ``problem.column_labels`` and ``problem.row_labels`` map the names
        to the labels as they were given. A maximum is stated as the minimum of the negative, as ``writeMPS`` loses
        the sense of a maximisation: readers take every MPS file for a minimisation.

    Notes
    -----
    PuLP computes in floats: coefficients and bounds are rounded as floats round.
    """
    names = _names(column_prefix, formulation.columns)
    problem = pulp.LpProblem(_legible(formulation.name) or "program", pulp.LpMinimize)
    variables = _variables(problem, formulation, names)
    problem.column_labels = dict(zip(names, formulation.columns, strict=True))
    problem.row_labels = {}
    _add_rows(problem, formulation, variables, row_prefix)
    used = {variable.name for constraint in problem.constraints() for variable in constraint}
    sign = -1.0 if formulation.sense is Sense.MAXIMISE else 1.0
    costs = zip(variables, (sign * formulation.float_objective).tolist(), strict=True)
    # PuLP forgets variables that occur nowhere, so those of no constraint are named here even with a zero.
    problem.setObjective(pulp.LpAffineExpression({one: cost for one, cost in costs if cost or one.name not in used}))
    return problem


def _variables(problem: Any, formulation: Formulation, names: Sequence[str]) -> list[Any]:
    integral = formulation.integral or (False,) * len(names)
    return [
        problem.add_variable(
            name,
            low if math.isfinite(low) else None,
            high if math.isfinite(high) else None,
            pulp.LpInteger if whole else pulp.LpContinuous,
        )
        for name, low, high, whole in zip(
            names, formulation.float_lower.tolist(), formulation.float_upper.tolist(), integral, strict=True
        )
    ]


def _add_rows(problem: Any, formulation: Formulation, variables: Sequence[Any], prefix: str) -> None:
    # Unscaled where floats hold the coefficients, so that a reader recognises them.
    rows, floats = formulation.rows, float_rows(formulation.rows, moderate=2**53)
    for row, name in enumerate(_names(prefix, rows.labels)):
        entries = slice(int(rows.matrix.starts[row]), int(rows.matrix.starts[row + 1]))
        terms = {
            variables[column]: value
            for column, value in zip(rows.matrix.indices[entries], floats.values[entries].tolist(), strict=True)
        }
        for full_name, sense, bound in _sides(name, floats, row):
            # An empty constraint cannot be written to a file; zero times some variable can.
            expression = pulp.LpAffineExpression(terms or {variables[0]: 0.0})
            problem.addConstraint(pulp.LpConstraint(expression, sense, full_name, bound))
            problem.row_labels[full_name] = rows.labels[row]


def _sides(name: str, floats: FloatRows, row: int) -> list[tuple[str, int, float]]:
    """Return the constraints that a row amounts to: name, sense, right-hand side."""
    low, high = float(floats.lower[row]), float(floats.upper[row])
    if low == high:
        return [(name, pulp.LpConstraintEQ, low)]
    sides = [(f"{name}_low", pulp.LpConstraintGE, low), (f"{name}_high", pulp.LpConstraintLE, high)]
    finite = [side for side in sides if math.isfinite(side[2])]
    return finite if len(finite) > 1 else [(name, sense, bound) for _, sense, bound in finite]


def _names(prefix: str, labels: Sequence[str]) -> list[str]:
    digits = len(str(len(labels)))
    return [f"{prefix}{number:0{digits}}_{_legible(label)}".rstrip("_") for number, label in enumerate(labels, start=1)]


def _legible(label: str) -> str:
    """Return the part of a label that file formats can hold."""
    return _ILLEGIBLE.sub("_", label)[:_LONGEST].strip("_")
