"""On which datasets some three metrics make a majority cycle: the incoherence that motivates Beyond Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd

from weightlab._exact import Number, fraction
from weightlab._result import Record, Result, ensure, same_json, to_json
from weightlab._text import counted
from weightlab._validate import Faults, named_subset
from weightlab.data import Leaderboard, Suite, SuiteLike, as_tables
from weightlab.exceptions import InputError
from weightlab.graph import CycleRobustness, is_acyclic, most_robust_cycle
from weightlab.studies.structure.audit import ByDataset
from weightlab.studies.structure.dataset import as_suite, board_of, ensure_same_datasets
from weightlab.studies.structure.properties import triples_of


class DatasetCycles(Record):
    """The cycles of one dataset.

    Attributes
    ----------
    examined : int
        Number of triples of metrics examined: those with three models that have all three scores.
    cyclic : tuple of tuple of str
        The triples under which three models beat one another in a cycle.
    widest : CycleRobustness or None
        Of all these cycles one of largest buffer; None without a cycle.
    """

    examined: int
    cyclic: tuple[tuple[str, ...], ...]
    widest: CycleRobustness | None


class MetricCycles(Result, ByDataset[DatasetCycles], kind="metric_cycles", table_of=as_tables):
    """On which datasets some three metrics make a majority cycle.

    Attributes
    ----------
    metrics : tuple of str
        All their triples were examined.
    tolerance : dict from str to Fraction
        Scores of a metric that differ by no more are a tie; 0 where not listed.
    boards : dict from str to Leaderboard
        The exact scores of each dataset.
    datasets : dict from str to DatasetCycles
        What was found.
    """

    metrics: tuple[str, ...]
    tolerance: Mapping[str, Fraction]
    boards: Mapping[str, Leaderboard]
    datasets: Mapping[str, DatasetCycles]

    @property
    def cyclic(self) -> tuple[str, ...]:
        """The datasets with a cycle."""
        return tuple(dataset for dataset, one in self.datasets.items() if one.cyclic)

    def __str__(self) -> str:
        """Say on how many datasets there is a cycle."""
        every = counted(len(self.datasets), "dataset")
        return f"Some three metrics make a majority cycle of three models on {len(self.cyclic)} of {every}."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per dataset: examined triples of metrics, those with a cycle, the widest and its buffer."""
        rows = [
            {
                "examined": one.examined,
                "cyclic": len(one.cyclic),
                "cycle": None if one.widest is None else " > ".join(one.widest.cycle),
                "metrics": None if one.widest is None else ", ".join(one.widest.table.tasks),
                "buffer": None if one.widest is None else one.widest.buffer,
                "radius": None if one.widest is None else one.widest.radius,
            }
            for one in self.datasets.values()
        ]
        return pd.DataFrame(rows, index=pd.Index(list(self.datasets), name="dataset"))

    def verify(self, source: Suite | None = None) -> bool:
        """Look at all triples of metrics again; given the suite, also check that the scores are its own.

        Parameters
        ----------
        source : Suite, optional
            The suite in question.

        Raises
        ------
        ProofError
            Naming the dataset and the first thing that does not hold.
        """
        ensure(set(self.datasets) == set(self.boards), "the datasets and their scores do not fit")
        ensure(len(set(self.metrics)) == len(self.metrics), "a metric is named twice")
        ensure(all(value >= 0 for value in self.tolerance.values()), "a tolerance is negative")
        ensure(set(self.tolerance) <= set(self.metrics), "a tolerance is of no metric asked about")
        for dataset, one in self.datasets.items():
            board = self.boards[dataset]
            ensure(set(board.tasks) <= set(self.metrics), f"{dataset!r} has metrics that were not asked about")
            own = _cycles(board, self.tolerance)
            for what in ("examined", "cyclic"):
                ensure(getattr(own, what) == getattr(one, what), f"{dataset!r}: {what} is {getattr(own, what)}")
            same = same_json(to_json(own.widest), to_json(one.widest))
            ensure(same, f"{dataset!r}: the widest cycle is {own.widest}")
        if source is not None:
            ensure(set(self.metrics) <= set(as_suite(source).metrics), "the source lacks a metric")
            ensure_same_datasets(self.boards, boards_with(as_suite(source), self.metrics))
        return True


def metric_cycles(
    suite: SuiteLike, *, metrics: Iterable[str] | None = None, tolerance: Number | Mapping[str, Number] | None = None
) -> MetricCycles:
    """Look at all triples of metrics of every dataset for a majority cycle of three models.

    Each metric of a triple votes on each pair of the models that have all three scores, unless the two scores tie.

    Parameters
    ----------
    suite : Suite
        Weights of metrics count; those of weight 0 are not looked at.
    metrics : iterable of str, optional
        Of which the triples are taken; all by default.
    tolerance : number or mapping from metric to number, optional
        Scores that differ by no more are a tie; by default as the suite declares.

    Returns
    -------
    MetricCycles
        With the cycle of largest buffer for each dataset, and its radius: how far scores may really move.

    Raises
    ------
    InputError
        If metrics are unknown or fewer than three, or the suite declares a tolerance relative to the scores and none
        is given here.

    Notes
    -----
    O(metrics^3 x models^3) for each dataset. The *buffer* of a cycle is the least gap behind its wins, in raw scores
    of unlike units, as the paper has it.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 3 (Table 1) and appendix A.6.

    Examples
    --------
    >>> import weightlab as wl
    >>> paradox = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
    >>> print(wl.studies.metric_cycles(wl.Suite({"qa": paradox})))
    Some three metrics make a majority cycle of three models on 1 of 1 dataset.
    """
    suite = as_tables(suite)
    chosen = voting_metrics(suite, metrics)
    if len(chosen) < 3:
        raise InputError(
            f"three metrics with a weight above 0 are needed; got {', '.join(map(repr, chosen)) or 'none'}"
        )
    if tolerance is None:
        tolerance = _declared(suite, chosen)
    given = {str(m): fraction(t) for m, t in tolerance.items()} if isinstance(tolerance, Mapping) else None
    exact = dict.fromkeys(chosen, fraction(tolerance)) if given is None else given
    for metric, value in exact.items():
        if metric not in chosen or value < 0:
            raise InputError(f"a tolerance is not negative and of a metric asked about; got {value} for {metric!r}")
    boards = boards_with(suite, chosen)
    return MetricCycles(
        metrics=chosen,
        tolerance={metric: value for metric, value in exact.items() if value},
        boards=boards,
        datasets={dataset: _cycles(board, exact) for dataset, board in boards.items()},
    )


def _declared(suite: Suite, metrics: Iterable[str]) -> dict[str, Fraction]:
    """Return the tolerances that a suite declares for some metrics."""
    relative = [metric for metric in metrics if metric in suite.relative_tolerance]
    if relative:
        raise InputError(
            f"gaps are measured in raw scores, and some tolerances are relative to them: "
            f"{', '.join(map(repr, relative))}; declare them in raw scores"
        )
    return {metric: suite.tolerance[metric] for metric in metrics if metric in suite.tolerance}


def voting_metrics(suite: Suite, metrics: Iterable[str] | None) -> tuple[str, ...]:
    """Return the metrics asked for, all by default, that have a weight above 0.

    Raises
    ------
    InputError
        If a name is unknown.
    """
    faults = Faults()
    listed = (
        suite.metrics if metrics is None else named_subset(metrics, suite.metrics, "metric", faults, holder="suite")
    )
    faults.raise_if_any()
    weights = suite.weights
    return tuple(metric for metric in listed if weights[metric])


def boards_with(suite: Suite, metrics: tuple[str, ...]) -> dict[str, Leaderboard]:
    """Return the leaderboard of each dataset that has two models and any of the metrics, gaps and all."""
    tables = {dataset: suite.table(dataset).select(columns=metrics) for dataset in suite.datasets}
    return {dataset: board_of(suite, table) for dataset, table in tables.items() if len(table.models) >= 2}


def _triple(board: Leaderboard, metrics: tuple[str, ...], tolerance: Mapping[str, Fraction]) -> Leaderboard | None:
    """Return the models with all three scores, or None if there are not three."""
    missing = board.missing[list(metrics)].any(axis=1)
    models = [model for model in board.models if not missing[model]]
    if len(models) < 3:
        return None
    part = board.select(models=models, tasks=metrics)
    given = {metric: tolerance[metric] for metric in part.tasks if metric in tolerance}
    return Leaderboard.from_cells(
        part.models,
        part.tasks,
        part.cells,
        lower_is_better=part.lower_is_better,
        weights=dict(zip(part.tasks, part.weights, strict=True)),
        tolerance=given,
    )


def _cycles(board: Leaderboard, tolerance: Mapping[str, Fraction]) -> DatasetCycles:
    examined, cyclic, widest = 0, [], None
    for places in triples_of(len(board.tasks)).tolist():
        metrics = tuple(board.tasks[place] for place in places)
        part = _triple(board, metrics, tolerance)
        if part is None:
            continue
        examined += 1
        found = None if is_acyclic(part) else most_robust_cycle(part, by="buffer", of_three=True)
        if found is not None:
            cyclic.append(metrics)
            widest = found if widest is None or found.buffer > widest.buffer else widest
    return DatasetCycles(examined=examined, cyclic=tuple(cyclic), widest=widest)
