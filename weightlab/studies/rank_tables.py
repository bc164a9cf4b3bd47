"""The ranks behind a suite, small enough to travel to other processes: all that a cell of a sweep reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from weightlab._typing import BoolArray
from weightlab.data import Profile, Suite
from weightlab.data.profile import TieBreak, dense_ranks
from weightlab.exceptions import InputError

__all__ = ["fingerprint", "part_of_table", "rank_tables"]


def part_of_table(
    table: Profile, models: Sequence[str], metrics: Sequence[str], break_ties: TieBreak
) -> Profile | None:
    """Return the rankings of the models that have a score on all the metrics; None of fewer than two models.

    Metrics that rank none of the models are left out.
    """
    place = {model: column for column, model in enumerate(table.models)}
    columns = [place[model] for model in models if model in place]
    row = {metric: position for position, metric in enumerate(table.voters)}
    rows = [row[metric] for metric in metrics if metric in row]
    part = table.ranks[np.ix_(rows, columns)]
    there: BoolArray = np.asarray((part > 0).any(axis=1))
    part = part[there]
    whole: BoolArray = np.asarray((part > 0).all(axis=0))
    if whole.sum() < 2 or not len(part):
        return None
    part = part[:, whole]
    used = [position for position, kept in zip(rows, there, strict=True) if kept]
    kept = [table.models[column] for column, has in zip(columns, whole, strict=True) if has]
    levels = [np.unique(line, return_inverse=True)[1].reshape(-1) + 1 for line in part]
    return Profile(
        models=tuple(kept),
        voters=tuple(table.voters[position] for position in used),
        ranks=np.array(levels, dtype=np.int32),
        weights=tuple(table.weights[position] for position in used),
    ).break_ties(break_ties)


def rank_tables(suite: Suite) -> dict[str, Profile]:
    """Return how the metrics of every dataset rank the models, without those of weight 0.

    Models without a score are not ranked.

    Raises
    ------
    InputError
        If scores of a metric tie within a tolerance, which is not transitive.
    """
    tolerant = sorted({*suite.tolerance, *suite.relative_tolerance})
    if tolerant:
        raise InputError(
            "rankings need transitive ties, and ties within a score tolerance are not transitive; "
            f"metrics with a tolerance: {', '.join(map(repr, tolerant))}"
        )
    weights, lower = suite.weights, set(suite.lower_is_better)
    found = {}
    for dataset in suite.datasets:
        table = suite.table(dataset)
        directions = np.array([metric in lower for metric in table.columns], dtype=np.bool_)
        levels = table.cells.levels(lower_is_better=directions)
        kept = [column for column, metric in enumerate(table.columns) if weights[metric]]
        found[dataset] = Profile(
            models=table.models,
            voters=tuple(table.columns[column] for column in kept),
            ranks=dense_ranks(levels[:, kept].T),
            weights=tuple(weights[table.columns[column]] for column in kept),
        )
    return found


def fingerprint(tables: Mapping[str, Profile]) -> str:
    """Return a text that differs when any name, rank or weight does."""
    written = json.dumps({dataset: one.to_dict() for dataset, one in tables.items()}, sort_keys=True)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
