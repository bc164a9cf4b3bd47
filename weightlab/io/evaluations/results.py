"""Contents of the result files of an evaluation program: scores, directions and uncertainties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import Number, WeightsLike
from weightlab._result import Frozen
from weightlab._text import counted, first_few, shown
from weightlab._validate import Faults, named_subset
from weightlab.data import Leaderboard, Suite, TasksLike
from weightlab.data.frame.declarations import BoundsLike
from weightlab.exceptions import InputError, ResultsWarning, UnknownNameError, warn_caller

Metrics = str | Iterable[str] | Mapping[str, str] | None
"""Metrics to keep: some names, or one for each dataset."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultCell:
    """One score in a result file.

    Attributes
    ----------
    dataset, metric, model : str
        What was measured, how, and for which model.
    score : float or Fraction
        The decimal in the file, exactly; NaN is missing.
    higher_is_better : bool or None
        What the file says; None when it does not.
    error : float or Fraction
        Standard error, exactly; NaN when the file has none.
    file : str
        Where it stands.
    """

    dataset: str
    metric: str
    model: str
    score: float | Fraction
    higher_is_better: bool | None = None
    error: float | Fraction = float("nan")
    file: str = ""


class Results(Frozen):
    """The scores that an evaluation program wrote, before it is decided which of them are tasks.

    Attributes
    ----------
    kind : str
        Which program wrote them.
    cells : tuple of ResultCell
        One a dataset, metric and model.
    groups : mapping from str to tuple of str
        Groups of datasets that the files name.
    notes : tuple of str
        Excluded results, and conditions that make scores hard to compare.
    names_metrics : bool
        Whether metric names determine directions: then directions are declared by metric.
    cases : mapping from str to tuple of str
        All that a note counts and names but some of; ready for JSON.
    doubts : tuple of str
        Those of the notes that make scores hard to compare and are warned of when scores become a table.
    convention : str
        The sentence that higher is better by convention, if no file gives a direction. Empty if a direction must be
        declared.
    """

    kind: str
    cells: tuple[ResultCell, ...]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    names_metrics: bool = False
    cases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    convention: str = ""

    def __repr__(self) -> str:
        """Return one honest line."""
        counts = ((self.models, "model"), (self.datasets, "dataset"), (self.metrics, "metric"))
        told = ", ".join(counted(len(names), noun) for names, noun in counts)
        return f"Results of {self.kind}: {told}" + (f"; {counted(len(self.notes), 'note')}" if self.notes else "")

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in order of first appearance."""
        return tuple(dict.fromkeys(cell.model for cell in self.cells))

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets, in order of first appearance."""
        return tuple(dict.fromkeys(cell.dataset for cell in self.cells))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in order of first appearance."""
        return tuple(dict.fromkeys(cell.metric for cell in self.cells))

    @property
    def datasets_of_several_metrics(self) -> tuple[str, ...]:
        """The datasets on which there are scores by several metrics."""
        counted_ = Counter(dataset for dataset, _ in {(cell.dataset, cell.metric) for cell in self.cells})
        return tuple(dataset for dataset in self.datasets if counted_[dataset] > 1)

    def left_out_by(self, metrics: Metrics) -> tuple[str, ...]:
        """Return a sentence that names the datasets which have none of these metrics, if there are any."""
        kept = {cell.dataset for cell in self._chosen(metrics)}
        left = [dataset for dataset in self.datasets if dataset not in kept]
        return (f"Left out, without a metric that is kept: {listed_briefly(left)}.",) if left else ()

    def frame(self) -> pd.DataFrame:
        """Return one row per score: dataset, metric, model, score, higher_is_better, error, file."""
        columns = ("dataset", "metric", "model", "score", "higher_is_better", "error", "file")
        rows = [[getattr(cell, column) for column in columns] for cell in self.cells]
        return pd.DataFrame(rows, columns=list(columns), dtype=object)

    def suite(
        self,
        *,
        metrics: Metrics = None,
        lower_is_better: str | Iterable[str] | None = None,
        higher_is_better: str | Iterable[str] | None = None,
        weights: WeightsLike | None = None,
    ) -> Suite:
        """Return one score table a dataset; a suite has no standard errors.

        Parameters
        ----------
        metrics : str, iterable of str or mapping from dataset to metric, optional
            The metrics to keep; by default all.
        lower_is_better : str or iterable of str, optional
            Metrics on which a lower score is better; must agree with the files. Needed if the files omit some: then the
            others are taken as higher is better.
        higher_is_better : str or iterable of str, optional
            Metrics on which a higher score is better, with the same rules.
        weights : mapping, Series or sequence, optional
            Exact weights of the metrics.

        Raises
        ------
        InputError
            Listing every error: unknown names, directions that are unknown or contradictory.
        """
        chosen = self._chosen(metrics)
        lower_is_better = self._declared(lower_is_better)
        directions = known_directions(chosen, lower_is_better, lambda cell: cell.metric, higher_is_better)
        frame = Results(kind=self.kind, cells=chosen).frame().drop(columns=["higher_is_better", "error", "file"])
        lower = [metric for metric, higher in directions.items() if not higher]
        higher = [metric for metric in directions if metric not in lower]
        return Suite.from_long(frame, lower_is_better=lower, higher_is_better=higher, weights=weights)

    def leaderboard(
        self,
        *,
        metrics: Metrics = None,
        lower_is_better: str | Iterable[str] | None = None,
        higher_is_better: str | Iterable[str] | None = None,
        weights: WeightsLike | None = None,
        groups: Mapping[str, TasksLike] | None = None,
        tolerance: Number | Mapping[str, Number] = 0,
        relative_tolerance: Number | Mapping[str, Number] = 0,
        rule: str | None = None,
        bounds: BoundsLike | None = None,
    ) -> Leaderboard:
        """Return one score table, a task a dataset, or ``metric/dataset`` when a dataset keeps several metrics.

        Parameters
        ----------
        metrics : str, iterable of str or mapping from dataset to metric, optional
            The metrics to keep; by default all. Datasets without any of them are left out.
        lower_is_better : str or iterable of str, optional
            Tasks or metrics on which a lower score is better, as for `suite`.
        higher_is_better : str or iterable of str, optional
            Tasks or metrics on which a higher score is better, with the same rules.
        weights, tolerance, relative_tolerance, rule, bounds
            As for `Leaderboard`.
        groups : mapping from str to tasks, optional
            By default the groups of datasets that the files name.

        Raises
        ------
        InputError
            Listing every error: unknown names, directions that are unknown or contradictory.
        """
        chosen = self._chosen(metrics)
        pairs = dict.fromkeys((cell.dataset, cell.metric) for cell in chosen)
        several = len(pairs) > len({dataset for dataset, _ in pairs})
        task_of = {(d, m): f"{m}/{d}" if several else d for d, m in pairs}
        lower_is_better = self._declared(lower_is_better)
        directions = known_directions(
            chosen,
            lower_is_better,
            lambda cell: task_of[cell.dataset, cell.metric],
            higher_is_better,
            by_metric_alone=self.names_metrics,
        )
        table, errors = (
            wide_frame({(cell.model, (cell.dataset, cell.metric)): getattr(cell, what) for cell in chosen})
            for what in ("score", "error")
        )
        if len(table) == 1:
            raise InputError(
                f"these are results of one model, {table.index[0]!r}, on {counted(len(task_of), 'task')}, and a "
                "leaderboard needs two: give the folder that holds those of other models too"
            )
        return Leaderboard(
            table.set_axis(list(task_of.values()), axis=1),
            lower_is_better=[task for task, higher in directions.items() if not higher],
            higher_is_better=[task for task, higher in directions.items() if higher],
            weights=weights,
            groups=self._groups(task_of) if groups is None else groups,
            tolerance=tolerance,
            relative_tolerance=relative_tolerance,
            rule=rule,
            bounds=bounds,
            standard_errors=errors.set_axis(list(task_of.values()), axis=1),
        )

    def _declared(self, lower_is_better: str | Iterable[str] | None) -> str | Iterable[str] | None:
        """Return the declared or conventional directions; warn of the latter and of uncertain ones."""
        assumed = lower_is_better is None and self.convention != ""
        if told := [*self.doubts, *([self.convention] if assumed else [])]:
            warn_caller(ResultsWarning(told))
        return () if assumed else lower_is_better

    def _chosen(self, metrics: Metrics) -> tuple[ResultCell, ...]:
        if metrics is None:
            return self.cells
        faults = Faults()
        if isinstance(metrics, Mapping):
            wanted = {str(dataset): str(metric) for dataset, metric in metrics.items()}
            named_subset(list(wanted), self.datasets, "dataset", faults, holder="set of results")
            named_subset(list(wanted.values()), self.metrics, "metric", faults, holder="set of results")
            faults.raise_if_any()
            kept = [cell for cell in self.cells if wanted.get(cell.dataset) == cell.metric]
            for dataset in set(wanted) - {cell.dataset for cell in kept}:
                raise UnknownNameError(
                    "metric", wanted[dataset], self._metrics_of(dataset), holder=f"dataset {dataset!r}"
                )
        else:
            names = named_subset(metrics, self.metrics, "metric", faults, holder="set of results")
            faults.raise_if_any()
            kept = [cell for cell in self.cells if cell.metric in names]
        if not kept:
            raise InputError("no metric is kept")
        return tuple(kept)

    def _metrics_of(self, dataset: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(cell.metric for cell in self.cells if cell.dataset == dataset))

    def _groups(self, task_of: Mapping[tuple[str, str], str]) -> dict[str, list[str]]:
        made = {
            name: [task for (dataset, _), task in task_of.items() if dataset in members]
            for name, members in self.groups.items()
        }
        return {name: tasks for name, tasks in made.items() if tasks}


class Cases:
    """What was met, by kind: a note tells how often and where, with a few examples.

    Parameters
    ----------
    noun : str
        Noun for the counted items, by default.
    """

    EXAMPLES = 3

    def __init__(self, noun: str) -> None:
        self.noun, self.where = noun, ""
        self._cures: dict[str, Cure] = {}
        self._met: dict[tuple[str, str], dict[str, str]] = {}

    def add(self, kind: str, case: str = "", *, of: str = "", noun: str = "", cure: Cure | None = None) -> None:
        """Note a case of a kind, by default the file being read, and its task; a repeated case counts once.

        The first cure of a kind is reported with it; one with the value ``[...]`` is for all cases.
        """
        self._met.setdefault((kind, noun or self.noun), {})[case or self.where] = of
        if cure is not None:
            self._cures.setdefault(kind, cure)

    def by_note(self) -> dict[str, tuple[str, ...]]:
        """Return all cases by the sentence that tells of them."""
        told: dict[str, tuple[str, ...]] = {}
        for (kind, noun), met in self._met.items():
            cures = [self._cures[kind].of(*met)] if kind in self._cures else []
            told[Fault(self._note(kind, noun, met), *cures)] = tuple(met)
        return told

    def notes(self) -> tuple[str, ...]:
        """Return a sentence a kind."""
        return tuple(self.by_note())

    def _note(self, kind: str, noun: str, met: Mapping[str, str]) -> str:
        """Return the sentence: its examples are of different tasks as far as there are any."""
        first_of: dict[str, str] = {}
        for case, of in met.items():
            first_of.setdefault(of, case)
        examples = [*dict.fromkeys((*first_of.values(), *list(met)[: self.EXAMPLES]))][: self.EXAMPLES]
        among = f" of {counted(len(first_of), 'task')}" if len(first_of) > 1 else ""
        more = f" and {len(met) - len(examples):,} more" if len(met) > len(examples) else ""
        return f"{kind}: {counted(len(met), noun)}{among} ({', '.join(map(shown, examples))}{more})."


def wide_frame(scores: Mapping[tuple[str, Any], float | Fraction]) -> pd.DataFrame:
    """Return scores by model and column as a table, both in order of first appearance; None is missing."""
    models, columns = (list(dict.fromkeys(key[part] for key in scores)) for part in (0, 1))
    row, place = ({name: position for position, name in enumerate(names)} for names in (models, columns))
    cells: Any = np.full((len(models), len(columns)), None, dtype=object)
    for (model, column), score in scores.items():
        cells[row[model], place[column]] = score
    return pd.DataFrame(cells, index=models, columns=pd.Index(columns, tupleize_cols=False))


def known_directions(
    cells: Iterable[ResultCell],
    lower_is_better: str | Iterable[str] | None,
    name_of: Callable[[ResultCell], str],
    higher_is_better: str | Iterable[str] | None = None,
    *,
    by_metric_alone: bool = False,
) -> dict[str, bool]:
    """Return for each name whether higher is better: what the files say, or else what is declared.

    If a file gives no direction for a metric on one dataset, that of the other datasets applies. If none gives it, it
    must be declared by name, or once per metric.
    """
    by_name: dict[str, set[bool]] = {}
    by_metric: dict[str, set[bool]] = {}
    metric_of: dict[str, str] = {}
    for cell in cells:
        metric_of[name_of(cell)] = cell.metric
        for said in (by_name.setdefault(name_of(cell), set()), by_metric.setdefault(cell.metric, set())):
            if cell.higher_is_better is not None:
                said.add(cell.higher_is_better)
    faults = Faults()
    known = tuple(dict.fromkeys((*metric_of, *by_metric)))
    lower, higher = (
        set(named_subset(given or (), known, "task or metric", faults, holder="set of results", where=where))
        for where, given in (("lower is better", lower_is_better), ("higher is better", higher_is_better))
    )
    made: dict[str, bool] = {}
    unknown = []
    for name, metric in metric_of.items():
        said = by_name[name] or by_metric[metric]
        declared_lower, declared_higher = bool({name, metric} & lower), bool({name, metric} & higher)
        if len(said) > 1:
            faults.add(f"{name!r} is declared both lower and higher is better in the files")
        elif said and declared_lower and said == {True}:
            faults.add(f"{name!r} is declared lower is better, and the files say higher is better")
        elif declared_higher and (declared_lower or said == {False}):
            other = "lower is better, too" if declared_lower else "the files say lower is better"
            faults.add(f"{name!r} is declared higher is better, and {other}")
        elif not said and lower_is_better is None and not declared_higher:
            unknown.append(metric if by_metric_alone else name)
        made[name] = said == {True} if said else not declared_lower
    if unknown:
        unknown = [*dict.fromkeys(unknown)]
        told = f"the files do not say in which direction {listed_briefly(unknown, 6)} lead"
        declared = Cure("lower_is_better", unknown, "where lower scores lead")
        faults.add(Fault(told, declared, Cure("higher_is_better", unknown, "where higher ones do")))
    faults.raise_if_any()
    return made


def listed_briefly(names: Iterable[str], most: int = 3) -> str:
    """Return some names in quotes, the first few and how many more."""
    return first_few(map(repr, dict.fromkeys(names)), most)
