"""The ranks behind a suite, small enough to travel to other processes: all that a cell of a sweep reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from weightlab._result import fractions_to_json, read_fraction
from weightlab._typing import BoolArray, IntArray
from weightlab.data import Profile, Suite
from weightlab.data.profile import TieBreak
from weightlab.domains.claim import names
from weightlab.exceptions import InputError

__all__ = ["RankTable", "fingerprint", "rank_tables"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RankTable:
    """How the metrics of one dataset rank the models.

    Attributes
    ----------
    models, metrics : tuple of str
        The names.
    ranks : ndarray of int, metrics x models
        From 1, the best; models that tie share one; 0 where a score is missing.
    weights : tuple of Fraction
        One a metric, above 0.
    """

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    ranks: IntArray
    weights: tuple[Fraction, ...]

    def profile(self, models: Sequence[str], metrics: Sequence[str], break_ties: TieBreak) -> Profile | None:
        """Return the rankings of the models that have a score on all the metrics; None of fewer than two models.

        Metrics that rank none of the models are left out.
        """
        place = {model: column for column, model in enumerate(self.models)}
        columns = [place[model] for model in models if model in place]
        row = {metric: position for position, metric in enumerate(self.metrics)}
        rows = [row[metric] for metric in metrics if metric in row]
        part = self.ranks[np.ix_(rows, columns)]
        there: BoolArray = np.asarray((part > 0).any(axis=1))
        part = part[there]
        whole: BoolArray = np.asarray((part > 0).all(axis=0))
        if whole.sum() < 2 or not len(part):
            return None
        part = part[:, whole]
        used = [position for position, kept in zip(rows, there, strict=True) if kept]
        kept = [self.models[column] for column, has in zip(columns, whole, strict=True) if has]
        levels = [np.unique(line, return_inverse=True)[1].reshape(-1) + 1 for line in part]
        return Profile(
            models=tuple(kept),
            voters=tuple(self.metrics[position] for position in used),
            ranks=np.array(levels, dtype=np.int32),
            weights=tuple(self.weights[position] for position in used),
        ).break_ties(break_ties)

    def to_dict(self) -> dict[str, Any]:
        """Return the ranks ready for JSON."""
        return {
            "models": list(self.models),
            "metrics": list(self.metrics),
            "ranks": self.ranks.tolist(),
            "weights": fractions_to_json(self.weights),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the ranks that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If they are not a table of integers, metrics x models.
        """
        models, metrics, ranks = names(document["models"]), names(document["metrics"]), document["ranks"]
        if len(ranks) != len(metrics) or any(len(row) != len(models) for row in ranks):
            raise InputError("the ranks must be a table, metrics x models")
        if not all(type(rank) is int and 0 <= rank <= len(models) for row in ranks for rank in row):
            raise InputError("ranks must be integers from 0 to the number of models")
        weights = tuple(read_fraction(text, "weight of a metric") for text in document["weights"])
        if len(weights) != len(metrics) or any(weight <= 0 for weight in weights):
            raise InputError("each metric needs a weight above 0")
        array = np.array(ranks, dtype=np.int64).reshape(len(metrics), len(models))
        return cls(models=models, metrics=metrics, ranks=array, weights=weights)


def rank_tables(suite: Suite) -> dict[str, RankTable]:
    """Return the ranks of every dataset, without the metrics of weight 0.

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
        found[dataset] = RankTable(
            models=table.models,
            metrics=tuple(table.columns[column] for column in kept),
            ranks=np.array([_ranked(levels[:, column]) for column in kept], dtype=np.int64).reshape(
                len(kept), len(table.models)
            ),
            weights=tuple(weights[table.columns[column]] for column in kept),
        )
    return found


def fingerprint(tables: Mapping[str, RankTable]) -> str:
    """Return a text that differs when any name, rank or weight does."""
    written = json.dumps({dataset: one.to_dict() for dataset, one in tables.items()}, sort_keys=True)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


def _ranked(levels: np.ndarray) -> np.ndarray:
    ranks = np.zeros(len(levels), dtype=np.int64)
    there = ~np.isnan(levels)
    ranks[there] = np.unique(-levels[there], return_inverse=True)[1].reshape(-1) + 1
    return ranks
