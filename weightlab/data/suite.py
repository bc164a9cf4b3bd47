"""Suites: one score table, models x metrics, a dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from weightlab._cures import at
from weightlab._exact import Number, WeightsLike
from weightlab._pictures import Pictures
from weightlab._text import counted, first_few
from weightlab._validate import Faults, named_subset
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.dataframes import FrameLike, pandas_columns
from weightlab.data.frame.declarations import READERS, Declarations, all_declared, declared_in, listed_tasks, told_with
from weightlab.data.frame.labels import tables_from_array, tables_from_levels
from weightlab.data.frame.long import lower_metrics, tables_from_long
from weightlab.data.frame.named_tables import NamedTables, Table, first_appearances, tables_from_frames
from weightlab.data.frame.parts import Readers, as_written
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import Relations, majority_relation
from weightlab.exceptions import InputError

ALL_TASKS = "All tasks"
"""What a score table is called as a suite: one dataset, on which its tasks are the metrics."""

DECLARED = ("lower_is_better", "weights", "tolerance", "relative_tolerance")
"""What a document of a suite declares of its metrics."""


class Suite(NamedTables):
    """Score tables over datasets, each models x metrics, with one direction a metric. Immutable.

    Parameters
    ----------
    tables : mapping from dataset to DataFrame, or DataFrame, or array
        Rows are models, columns are metrics; cells as for `Leaderboard`. A dataset need not have every model and
        metric; what has no score on it is left out of it. A frame has columns in two levels (dataset, metric) or rows
        in two levels (dataset, model); levels that are called dataset, metric or model may stand anywhere. So may the
        three levels of a Series. An array has three dimensions, datasets x models x metrics.
    datasets, models, metrics : list of str, optional
        Names for an array.
    lower_is_better : str or iterable of str
        Metrics on which a lower score is better.
    higher_is_better : str or iterable of str
        Metrics declared as higher is better, as for `Leaderboard`.
    weights : mapping, Series or sequence, optional
        Exact weights of the metrics; unlisted ones weigh 1.
    tolerance, relative_tolerance : number or mapping from metric to number
        As for `Leaderboard`.

    Raises
    ------
    InputError
        Listing every error with its dataset.

    Examples
    --------
    >>> import weightlab as wl
    >>> suite = wl.Suite({"qa": {"f1": {"a": 1, "b": 2}, "seconds": {"a": 1, "b": 2}}}, lower_is_better="seconds")
    >>> suite
    Suite: 1 dataset, 2 metrics, 2 models
    >>> wl.Suite(suite.scores, lower_is_better="seconds").equals(suite)
    True
    """

    __slots__ = ()

    _kind: ClassVar[str] = "dataset"
    _holder: ClassVar[str] = "suite"
    readers: ClassVar[Readers] = {"datasets": as_written, **{name: READERS[name] for name in DECLARED}}

    def __init__(
        self,
        tables: Mapping[str, Any] | pd.DataFrame | pd.Series | np.ndarray[Any, Any],
        *,
        datasets: Iterable[str] | None = None,
        models: Iterable[str] | None = None,
        metrics: Iterable[str] | None = None,
        lower_is_better: str | Iterable[str] = (),
        higher_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
        tolerance: Number | Mapping[str, Number] = 0,
        relative_tolerance: Number | Mapping[str, Number] = 0,
    ) -> None:
        declared, faults = declared_in(locals()), Faults()
        mapped = _by_dataset(tables, (datasets, models, metrics), faults)
        faults.raise_if_any()
        self._tables = tables_from_frames(mapped, faults, name_kind="dataset", column_kind="metric")
        self._declared = Declarations.checked(self.metrics, faults, kind="metric", holder="suite", **declared)
        faults.raise_if_any()
        self._declared.warn("metric")

    @classmethod
    def from_long(
        cls, frame: FrameLike, *, lower_is_better: str | Iterable[str] | None = None, **options: Any
    ) -> Suite:
        """Return the suite of a long frame with columns dataset, metric, model, score[, higher_is_better].

        Parameters
        ----------
        frame : DataFrame, of Polars or PyArrow, too
            One row a score; names are taken as text. Other columns are not read.
        lower_is_better : str or iterable of str, optional
            Metrics on which a lower score is better, if there is no column higher_is_better; otherwise the two must
            agree. In the column a metric may be declared in some of its rows and left empty in others.
        **options
            Passed on to `Suite`.

        Raises
        ------
        InputError
            Listing every error: missing columns, rows without a name, a duplicated (dataset, metric, model), directions
            that are missing or contradict each other.
        """
        faults = Faults()
        long = pandas_columns(frame)
        tables = tables_from_long(long, faults)
        lower = lower_metrics(long, faults, lower_is_better) if tables else ()
        faults.raise_if_any()
        if "higher_is_better" in long.columns:
            certain = {metric for table in tables.values() for metric in table.columns} - {*lower}
            options["higher_is_better"] = sorted({*listed_tasks(options.get("higher_is_better") or ()), *certain})
        return cls(tables, lower_is_better=lower, **options)

    def __repr__(self) -> str:
        """Return one honest line."""
        counts = ((len(self.datasets), "dataset"), (len(self.metrics), "metric"), (len(self.models), "model"))
        return "Suite: " + ", ".join(counted(count, noun) for count, noun in counts)

    def _repr_html_(self) -> str:
        return Pictures.frame(told_with(self), self.summary(), "Datasets", "summary()")

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""
        return tuple(self._tables)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of all datasets, in order of first appearance."""
        return first_appearances(table.columns for table in self._tables.values())

    @property
    def scores(self) -> pd.DataFrame:
        """The scores as doubles, models x (dataset, metric); NaN where missing. A copy."""
        frames = {dataset: table.frame() for dataset, table in self._tables.items()}
        return pd.concat(frames, axis=1, names=["dataset", "metric"]).reindex(list(self.models))

    def summary(self) -> pd.DataFrame:
        """Return one row per dataset: models, metrics, missing scores, models with every score."""
        rows = [
            (len(t.models), len(t.columns), int(t.cells.missing.sum()), int((~t.cells.missing.any(axis=1)).sum()))
            for t in self._tables.values()
        ]
        return pd.DataFrame(rows, index=list(self.datasets), columns=["models", "metrics", "missing", "complete"])

    def leaderboard(self, dataset: str) -> Leaderboard:
        """Return the table of one dataset: the models and metrics that have a score on it.

        Raises
        ------
        UnknownNameError
            If there is no such dataset.
        InputError
            If it has fewer than two models, or all its metrics have weight 0.
        """
        table = self.table(dataset)
        options = self._declared.restricted(table.columns).options()
        try:
            return Leaderboard.from_cells(table.models, table.columns, table.cells, **options)
        except InputError as error:
            raise InputError([at(f"dataset {dataset!r}", fault) for fault in error.faults]) from error

    def to_leaderboard(
        self, groups: Mapping[str, str | Iterable[str]] | None = None, *, separator: str = "/"
    ) -> Leaderboard:
        """Return one leaderboard over all datasets, a task ``metric/dataset`` for each table column, metric by metric.

        Parameters
        ----------
        groups : mapping from str to metrics, optional
            Groups of tasks by metrics; by default one group a metric.
        separator : str
            Text between the two names.

        Raises
        ------
        InputError
            If two tasks would have the same name, or a group names an unknown metric.
        """
        place = {metric: position for position, metric in enumerate(self.metrics)}
        columns = [(d, j, m) for d, t in self._tables.items() for j, m in enumerate(t.columns)]
        columns.sort(key=lambda column: place[column[2]])
        faults = Faults()
        task_of: dict[str, tuple[str, str]] = {}
        for dataset, _, metric in columns:
            task = f"{metric}{separator}{dataset}"
            if task in task_of:
                both = " and ".join(f"metric {m!r} on dataset {d!r}" for m, d in (task_of[task], (metric, dataset)))
                faults.add(f"{both} would both be the task {task!r}; choose another separator")
            task_of[task] = (metric, dataset)
        metric_of = {task: metric for task, (metric, _) in task_of.items()}
        by_group: dict[str, list[str]] = {}
        for name, given in ({name: (name,) for name in self.metrics} if groups is None else groups).items():
            where = f"group {str(name)!r}"
            members = named_subset(given, self.metrics, "metric", faults, holder="suite", where=where)
            by_group[str(name)] = [task for task, metric in metric_of.items() if metric in members]
        faults.raise_if_any()
        cells = _joined([(self._tables[dataset], j) for dataset, j, _ in columns], self.models)
        declared = self._declared.renamed(metric_of).options() | {"groups": by_group}
        return Leaderboard.from_cells(self.models, tuple(metric_of), cells, **declared)

    def select(
        self,
        *,
        datasets: Iterable[str] | None = None,
        models: Iterable[str] | None = None,
        metrics: Iterable[str] | None = None,
    ) -> Suite:
        """Return the suite of some datasets, models and metrics; in each table they stand in the given order.

        Raises
        ------
        InputError
            Listing every error: unknown names, no dataset, datasets without a score among the models and metrics kept.
        """
        faults = Faults()
        chosen = self._chosen(datasets, self.datasets, "dataset", faults)
        rows = self._chosen(models, self.models, "model", faults)
        columns = self._chosen(metrics, self.metrics, "metric", faults)
        faults.raise_if_any()
        return self._with({d: self._tables[d].select(models=rows, columns=columns) for d in chosen}, "metrics")

    @staticmethod
    def _chosen(names: Iterable[str] | None, known: tuple[str, ...], kind: str, faults: Faults) -> tuple[str, ...]:
        return known if names is None else named_subset(names, known, kind, faults, holder="suite")

    def complete(self) -> Suite:
        """Return the suite of the models that have every score on every dataset (of the metrics it has).

        Raises
        ------
        InputError
            If there are no two such models.
        """
        kept = tuple(model for model in self.models if all(_complete_on(t, model) for t in self._tables.values()))
        if len(kept) < 2:
            found = f"{len(kept)} of {len(self.models)} models {'has' if len(kept) == 1 else 'have'} every score"
            raise InputError(f"only {found} on every dataset; two are needed")
        return self._with({dataset: table.select(models=kept) for dataset, table in self._tables.items()}, "metrics")

    def parts(self) -> dict[str, Any]:
        """Return the tables by dataset, and what is declared of the metrics."""
        declared = self._declared.parts(whole=True)
        tables = {name: table.parts() for name, table in self._tables.items()}
        return {"datasets": tables} | {name: declared[name] for name in DECLARED}

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Suite:
        """Return the suite of parts that were read from a document."""
        tables = cls.read_tables(read["datasets"], "the datasets")
        metrics = {metric for table in tables.values() for metric in table.columns}
        return cls(tables, **all_declared(read, metrics))

    def majority_relations(self, *, strict: bool = False) -> Relations:
        """Return each dataset's weighted majority relation over the models.

        Parameters
        ----------
        strict : bool
            Whether a pair is related when the margin is positive, not already when it is 0.

        Raises
        ------
        InputError
            If a model has no score on some dataset: `complete` or `select` first.
        """
        models = self.models
        faults = Faults()
        for dataset, table in self._tables.items():
            there = set(table.models)
            absent = [model for model in models if model not in there]
            if absent:
                faults.add(f"dataset {dataset!r} has no score of {first_few(map(repr, absent))}")
        faults.raise_if_any()
        margins = [self.leaderboard(dataset).margins().select(models).array for dataset in self.datasets]
        relations = np.array([majority_relation(one, strict=strict) for one in margins], dtype=np.bool_)
        return Relations(items=self.datasets, models=models, array=relations)


def _by_dataset(tables: Any, names: tuple[Iterable[str] | None, ...], faults: Faults) -> Any:
    """Return the tables by dataset, of a frame with levels or of an array too."""
    if isinstance(tables, np.ndarray):
        return tables_from_array(tables, names, faults)
    for kind, given in zip(("datasets", "models", "metrics"), names, strict=True):
        if given is not None:
            faults.add(f"{kind}=... names what an array holds; got a {type(tables).__name__}")
    return tables_from_levels(tables, faults) if isinstance(tables, pd.DataFrame | pd.Series) else tables


def _complete_on(table: Table, model: str) -> bool:
    return model in table.models and not bool(table.cells.missing[table.models.index(model)].any())


def _joined(columns: list[tuple[Table, int]], models: tuple[str, ...]) -> Cells:
    row = {model: position for position, model in enumerate(models)}
    floats = np.full((len(models), len(columns)), np.nan)
    exact: dict[tuple[int, int], Fraction] = {}
    for new, (table, old) in enumerate(columns):
        rows = [row[model] for model in table.models]
        floats[rows, new] = table.cells.floats[:, old]
        exact.update({(row[table.models[i]], new): v for (i, j), v in table.cells.exact.items() if j == old})
    return Cells(floats=floats, exact=exact)
