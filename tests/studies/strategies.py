"""Suites for studies: few models and metrics, ties and gaps common."""

from __future__ import annotations

from hypothesis import strategies as st

import weightlab as wl

METRICS = "xyzw"


@st.composite
def suites(draw, *, most_models=4, most_metrics=3, most_datasets=3, gaps=True, least_models=3, scores=(1, 2, 3)):
    """Return a suite of which some dataset has two models with every score."""
    models = [f"m{place}" for place in range(draw(st.integers(least_models, most_models)))]
    metrics = METRICS[: draw(st.integers(1, most_metrics))]
    cell = st.sampled_from([*scores, *([None] if gaps else [])])
    tables = {}
    for place in range(draw(st.integers(1, most_datasets))):
        columns = {m: {model: draw(cell) for model in models} for m in metrics}
        if place == 0:
            for column in columns.values():
                column.update({model: column[model] or 1 for model in models[:2]})
        if any(value is not None for column in columns.values() for value in column.values()):
            tables[f"d{place}"] = columns
    lower = draw(st.sets(st.sampled_from(metrics)))
    present = {
        m for table in tables.values() for m, column in table.items() if any(v is not None for v in column.values())
    }
    return wl.Suite(tables, lower_is_better=sorted(lower & present))
