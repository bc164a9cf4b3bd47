"""Suites for studies: few models and metrics, ties and gaps common."""

from __future__ import annotations

import weightlab as wl
from tests.dice import DICE

METRICS = "xyzw"


def suites(*, most_models=4, most_metrics=3, most_datasets=3, gaps=True, least_models=3, scores=(1, 2, 3)):
    """Return a suite of which some dataset has two models with every score."""

    def rolled(dice):
        models = [f"m{place}" for place in range(dice.between(least_models, most_models))]
        metrics = METRICS[: dice.between(1, most_metrics)]
        cells, tables = [*scores, *([None] if gaps else [])], {}
        for place in range(dice.between(1, most_datasets)):
            columns = {m: dict(zip(models, dice.many_of(cells, len(models)), strict=True)) for m in metrics}
            if place == 0:
                for column in columns.values():
                    column.update({model: column[model] or 1 for model in models[:2]})
            if any(value is not None for column in columns.values() for value in column.values()):
                tables[f"d{place}"] = columns
        present = {
            m for table in tables.values() for m, column in table.items() if any(v is not None for v in column.values())
        }
        return wl.Suite(tables, lower_is_better=sorted(set(dice.some_of(metrics)) & present))

    return DICE.map(rolled)
