"""Tables in which a model stands several times, once a repeat of the measurement: a seed, a fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from weightlab._text import first_few
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.errors import standard_error
from weightlab.exceptions import ResultsWarning, warn_caller
from weightlab.io.tables.columns import Names, Scores


def means_over_repeats(columns: Mapping[str, Scores], models: Names, repeats: Names) -> tuple[Cells, Cells]:
    """Return the exact mean scores of the models, and the standard errors of these means.

    A score that is missing in a repeat is left out of the mean; a warning says where models have different repeats.
    """
    rows_of: list[list[int]] = [[] for _ in models.distinct]
    for row, model in enumerate(models.codes.tolist()):
        rows_of[model].append(row)
    shape = (len(rows_of), len(columns))
    means: dict[tuple[int, int], Fraction] = {}
    errors = np.full(shape, np.nan)
    unequal: list[str] = []
    for column, (task, scores) in enumerate(columns.items()):
        values = Cells(
            floats=scores.floats[:, None], exact={(row, 0): value for row, value in scores.exact.items()}
        ).column(0)
        held: dict[int, frozenset[int]] = {}
        for model, rows in enumerate(rows_of):
            there = [(row, value) for row in rows if (value := values[row]) is not None]
            if there:
                listed = [value for _, value in there]
                means[model, column] = sum(listed) / Fraction(len(listed))
                errors[model, column] = standard_error(listed)
                held[model] = frozenset(int(repeats.codes[row]) for row, _ in there)
        unequal += _unequal(task, held, models.distinct)
    if unequal:
        warn_caller(ResultsWarning(f"Means over unequal repeats: {first_few(unequal)}."))
    return Cells.from_fractions(means, shape), Cells(floats=errors, exact={})


def _unequal(task: str, held: Mapping[int, frozenset[int]], models: Sequence[str]) -> list[str]:
    """Return who lacks repeats on a task that others have."""
    every = frozenset[int]().union(*held.values())
    return [
        f"{models[model]!r} on {task!r} ({len(own)} of {len(every)})"
        for model, own in held.items()
        if len(own) < len(every)
    ]
