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
from weightlab.io.tables.declarations import Settings


def means_over_repeats(
    columns: Mapping[str, Scores], models: Names, repeats: Names
) -> tuple[Cells, Cells, dict[str, Fraction]]:
    """Return the exact mean scores of the models, the standard errors of these means, and how many repeats a task has.

    A score that is missing in a repeat is left out of the mean; a warning says where models have different repeats.
    How many is the mean over the models that have a score on the task.
    """
    rows_of: list[list[int]] = [[] for _ in models.distinct]
    for row, model in enumerate(models.codes.tolist()):
        rows_of[model].append(row)
    shape = (len(rows_of), len(columns))
    means: dict[tuple[int, int], Fraction] = {}
    errors = np.full(shape, np.nan)
    unequal: list[str] = []
    runs: dict[str, Fraction] = {}
    for column, (task, scores) in enumerate(columns.items()):
        values = Cells(
            floats=scores.floats[:, None], exact={(row, 0): value for row, value in scores.exact.items()}
        ).column(0)
        held: dict[int, frozenset[int]] = {}
        count = 0
        for model, rows in enumerate(rows_of):
            there = [(row, value) for row in rows if (value := values[row]) is not None]
            if there:
                listed = [value for _, value in there]
                count += len(listed)
                means[model, column] = sum(listed) / Fraction(len(listed))
                errors[model, column] = standard_error(listed)
                held[model] = frozenset(int(repeats.codes[row]) for row, _ in there)
        runs[task] = Fraction(count, max(len(held), 1))
        unequal += _unequal(task, held, models.distinct)
    if unequal:
        warn_caller(ResultsWarning(f"Means over unequal repeats: {first_few(unequal)}."))
    return Cells.from_fractions(means, shape), Cells(floats=errors, exact={}), runs


def weigh_by_repeats(declared: Settings) -> bool:
    """Return whether tasks are weighted by their number of repeats: their weights come from the column of repeats."""
    return "repeats_by" in declared.values and declared.values.get("weights_from") == declared.values["repeats_by"]


def weights_of_repeats(runs: Mapping[str, Fraction], declared: Settings) -> dict[str, dict[str, Fraction]]:
    """Return the weights of tasks by their repeats as an option, if requested; warn if tasks differ."""
    asked = weigh_by_repeats(declared)
    told = "Each task counts by its own weight, however many repeats it has"
    told = "Each repeat counts once: tasks weigh as many as a model has on them" if asked else told
    if len(set(runs.values())) > 1:
        listed = first_few(f"{task!r} {float(count):.3g}" for task, count in runs.items())
        warn_caller(ResultsWarning(f"{told} ({listed})."))
    return {"weights": dict(runs)} if asked else {}


def _unequal(task: str, held: Mapping[int, frozenset[int]], models: Sequence[str]) -> list[str]:
    """Return who lacks repeats on a task that others have."""
    every = frozenset[int]().union(*held.values())
    return [
        f"{models[model]!r} on {task!r} ({len(own)} of {len(every)})"
        for model, own in held.items()
        if len(own) < len(every)
    ]
