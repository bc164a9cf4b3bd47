"""From a suite to the table of each dataset that can be audited, and what had to be left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from weightlab._validate import Faults, counted, named_subset
from weightlab.data import Leaderboard, Suite
from weightlab.data.tables import Table
from weightlab.exceptions import InputError

__all__ = ["Chosen", "Narrowed", "as_suite", "chosen", "narrowed", "tolerance_fault"]


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The models and metrics that are asked about, in the given order.

    Attributes
    ----------
    models, metrics : tuple of str
        The names; metrics of weight 0 are not among them.
    weightless : tuple of str
        Metrics of weight 0, which have no say.
    """

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    weightless: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Narrowed:
    """One dataset as it can be audited.

    Attributes
    ----------
    board : Leaderboard or None
        The models with every score; None where there are not two.
    left_out : dict from str to tuple of str
        The models that were asked for and left out, with the metrics on which they have no score.
    lacking : tuple of str
        The metrics that were asked for and have no score here at all.
    reason : str
        Why there is no board; empty where there is one.
    """

    board: Leaderboard | None
    left_out: dict[str, tuple[str, ...]]
    lacking: tuple[str, ...]
    reason: str = ""


def as_suite(source: object) -> Suite:
    """Return a source that is a suite.

    Raises
    ------
    InputError
        If it is something else, such as the table of one dataset.
    """
    if not isinstance(source, Suite):
        raise InputError(f"the claim is about a suite: a long table is its source, not a {type(source).__name__}")
    return source


def chosen(suite: Suite, models: Iterable[str] | None, metrics: Iterable[str] | None) -> Chosen:
    """Return which models and metrics are asked about, all by default.

    Raises
    ------
    InputError
        Listing every fault: unknown names, fewer than two models, no metric of a weight above 0, metrics whose scores
        tie within a tolerance (such ties are not transitive, hence no ranking).
    """
    faults = Faults()
    rows = suite.models if models is None else named_subset(models, suite.models, "model", faults, holder="suite")
    columns = (
        suite.metrics if metrics is None else named_subset(metrics, suite.metrics, "metric", faults, holder="suite")
    )
    weights = suite.weights
    kept = tuple(metric for metric in columns if weights[metric])
    if not faults and len(rows) < 2:
        faults.add(f"two models are needed; got {counted(len(rows), 'model')}")
    if not faults and not kept:
        faults.add("a metric with a weight above 0 is needed; got none")
    tolerant = tolerance_fault(suite, kept)
    if tolerant:
        faults.add(tolerant)
    faults.raise_if_any()
    weightless = tuple(metric for metric in columns if not weights[metric])
    return Chosen(models=tuple(rows), metrics=kept, weightless=weightless)


def tolerance_fault(suite: Suite, metrics: Iterable[str]) -> str:
    """Return why metrics cannot rank models, if some of them have a score tolerance; else nothing."""
    tolerant = [metric for metric in metrics if metric in suite.tolerance or metric in suite.relative_tolerance]
    if not tolerant:
        return ""
    return (
        f"rankings need transitive ties, and ties within a score tolerance are not transitive; "
        f"metrics with a tolerance: {', '.join(map(repr, tolerant))}"
    )


def narrowed(suite: Suite, dataset: str, asked: Chosen) -> Narrowed:
    """Return one dataset over the models that have a score on every metric that it has."""
    table = suite.table(dataset).select(models=asked.models, columns=asked.metrics)
    lacking = tuple(metric for metric in asked.metrics if metric not in table.columns)
    gaps = table.cells.missing
    left_out = {
        model: tuple(metric for metric, gap in zip(table.columns, row, strict=True) if gap)
        for model, row in zip(table.models, gaps, strict=True)
        if row.any()
    }
    absent = set(asked.models) - set(table.models)
    left_out |= {model: table.columns for model in asked.models if model in absent}
    left_out = {model: left_out[model] for model in asked.models if model in left_out}
    whole = np.flatnonzero(~gaps.any(axis=1)).tolist()
    if len(whole) < 2 or not table.columns:
        return Narrowed(board=None, left_out=left_out, lacking=lacking, reason=_reason(table, len(whole)))
    board = Leaderboard.from_cells(
        tuple(table.models[row] for row in whole),
        table.columns,
        table.cells.take(whole, range(len(table.columns))),
        lower_is_better=[metric for metric in suite.lower_is_better if metric in table.columns],
        weights={metric: suite.weights[metric] for metric in table.columns},
    )
    return Narrowed(board=board, left_out=left_out, lacking=lacking)


def boards_of(suite: Suite, asked: Chosen) -> dict[str, Narrowed]:
    """Return all datasets of a suite, narrowed.

    Raises
    ------
    InputError
        If no dataset has two models with every score.
    """
    found = {dataset: narrowed(suite, dataset, asked) for dataset in suite.datasets}
    if all(one.board is None for one in found.values()):
        faults = [f"dataset {dataset!r}: {one.reason}" for dataset, one in found.items()]
        raise InputError(["no dataset has two models with every score", *faults])
    return found


def _reason(table: Table, whole: int) -> str:
    if not table.models:
        return "none of the models has a score on any of the metrics"
    has = counted(whole, "model") + (" has" if whole == 1 else " have")
    gaps = table.cells.missing.sum(axis=0)
    worst = int(gaps.argmax())
    most = f"; {table.columns[worst]!r} lacks {int(gaps[worst])} of {len(table.models)} scores" if gaps.any() else ""
    return f"only {has} every score, and two are needed{most}"
