"""Suites: one score table, models x metrics, a dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._typing import BoolArray, Number, WeightsLike
from weightlab._validate import Faults, exact_numbers, named_subset
from weightlab.data.groups import TasksLike
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import Margins
from weightlab.data.relations import Relations, majority_relation
from weightlab.data.tables import Table, first_appearances, tables_from_frames
from weightlab.exceptions import InputError, UnknownNameError

__all__ = ["Suite"]


class Suite:
    """Score tables over datasets, each models x metrics, with one direction a metric. Immutable.

    Parameters
    ----------
    tables : mapping from dataset to DataFrame
        Rows are models, columns are metrics; cells as for `Leaderboard`. A dataset need not have every model and
        metric; what has no score on it is left out of it.
    lower_is_better : str or iterable of str
        Metrics on which the lower score leads.
    weights : mapping, Series or sequence, optional
        Exact weights of the metrics; unlisted ones weigh 1.
    tolerance, relative_tolerance : number or mapping from metric to number
        As for `Leaderboard`.

    Raises
    ------
    InputError
        Listing every fault with the dataset it is in.

    Examples
    --------
    >>> import weightlab as wl
    >>> suite = wl.Suite({"qa": {"f1": {"a": 1, "b": 2}, "seconds": {"a": 1, "b": 2}}}, lower_is_better="seconds")
    >>> suite
    Suite: 1 dataset, 2 metrics, 2 models
    """

    __slots__ = ("_lower", "_options", "_tables")

    def __init__(
        self,
        tables: Mapping[str, Any],
        *,
        lower_is_better: str | Iterable[str] = (),
        weights: WeightsLike | None = None,
        tolerance: Number | Mapping[str, Number] = 0,
        relative_tolerance: Number | Mapping[str, Number] = 0,
    ) -> None:
        faults = Faults()
        self._tables = tables_from_frames(tables, faults, name_kind="dataset", column_kind="metric")
        metrics = first_appearances(table.columns for table in self._tables.values())
        known = named_subset(lower_is_better, metrics, "metric", faults, holder="suite", where="lower_is_better")
        self._lower = frozenset(known)
        self._options: dict[str, dict[str, Fraction]] = {}
        given = {
            "weights": {} if weights is None else weights,
            "tolerance": tolerance,
            "relative_tolerance": relative_tolerance,
        }
        for option, value in given.items():
            by_metric = value if not isinstance(value, int | float | str) else dict.fromkeys(metrics, value)
            what = option.removesuffix("s").replace("_", " ")
            self._options[option] = exact_numbers(by_metric, metrics, "metric", faults, what=what, holder="suite")
            for metric, number in self._options[option].items():
                if number < 0:
                    faults.add(f"{what} of metric {metric!r} is negative: {number}")
        faults.raise_if_any()

    @classmethod
    def from_long(
        cls, frame: pd.DataFrame, *, lower_is_better: str | Iterable[str] | None = None, **options: Any
    ) -> Suite:
        """Return the suite of a long frame with columns dataset, metric, model, score[, higher_is_better].

        Parameters
        ----------
        frame : DataFrame
            One row a score; names are taken as text.
        lower_is_better : str or iterable of str, optional
            Directions, when there is no such column.
        **options
            Passed on to `Suite`.

        Raises
        ------
        InputError
            If columns are missing, a (dataset, metric, model) is there twice, or directions contradict each other.
        """
        faults = Faults()
        for column in ("dataset", "metric", "model", "score"):
            if column not in frame.columns:
                faults.add(f"no column {column!r}; there are {', '.join(map(repr, map(str, frame.columns)))}")
        faults.raise_if_any()
        names = frame[["dataset", "metric", "model"]].astype(str)
        for key in names[names.duplicated()].drop_duplicates().itertuples(index=False):
            faults.add(f"dataset {key.dataset!r}, metric {key.metric!r}, model {key.model!r} is there more than once")
        if lower_is_better is None:
            lower_is_better = _lower_metrics(frame, faults) if "higher_is_better" in frame.columns else ()
        faults.raise_if_any()
        tables = {
            str(dataset): _wide(names.loc[rows.index], frame["score"].loc[rows.index])
            for dataset, rows in names.groupby("dataset", sort=False)
        }
        return cls(tables, lower_is_better=lower_is_better, **options)

    def __repr__(self) -> str:
        """Return one honest line."""
        counts = ((len(self.datasets), "dataset"), (len(self.metrics), "metric"), (len(self.models), "model"))
        return "Suite: " + ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.summary().to_html()}"

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""
        return tuple(self._tables)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics of all datasets, in order of first appearance."""
        return first_appearances(table.columns for table in self._tables.values())

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all datasets, in order of first appearance."""
        return first_appearances(table.models for table in self._tables.values())

    @property
    def lower_is_better(self) -> tuple[str, ...]:
        """Metrics on which the lower score leads."""
        return tuple(metric for metric in self.metrics if metric in self._lower)

    @property
    def weights(self) -> pd.Series:
        """Exact weights (Fraction) by metric."""
        given = self._options["weights"]
        metrics = self.metrics
        return pd.Series([given.get(metric, Fraction(1)) for metric in metrics], index=list(metrics), dtype=object)

    def table(self, dataset: str) -> Table:
        """Return the scores of one dataset, or raise UnknownNameError."""
        if dataset not in self._tables:
            raise UnknownNameError("dataset", dataset, self.datasets, holder="suite")
        return self._tables[dataset]

    def summary(self) -> pd.DataFrame:
        """Return one row a dataset: models, metrics, missing scores, models with every score."""
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
            If it has fewer than two models.
        """
        table = self.table(dataset)
        return Leaderboard.from_cells(
            table.models,
            table.columns,
            table.cells,
            lower_is_better=self._lower & set(table.columns),
            **self._of(table.columns),
        )

    def _of(self, metrics: Iterable[str]) -> dict[str, Any]:
        kept = set(metrics)
        return {
            option: {metric: number for metric, number in given.items() if metric in kept}
            for option, given in self._options.items()
        }

    def to_leaderboard(self, groups: Mapping[str, str | Iterable[str]] | None = None) -> Leaderboard:
        """Return one leaderboard over all datasets, a task ``metric/dataset`` for each table column.

        Parameters
        ----------
        groups : mapping from str to metrics, optional
            Groups of tasks by metrics; by default one group a metric.
        """
        columns = [(d, j, f"{m}/{d}") for d, t in self._tables.items() for j, m in enumerate(t.columns)]
        columns.sort(key=lambda column: self.metrics.index(self._tables[column[0]].columns[column[1]]))
        models = self.models
        cells = _joined([(self._tables[dataset], j) for dataset, j, _ in columns], models)
        metric = {task: self._tables[dataset].columns[j] for dataset, j, task in columns}
        tasks = tuple(metric)
        wanted = {name: (name,) for name in self.metrics} if groups is None else groups
        by_metric = {n: {ms} if isinstance(ms, str) else set(ms) for n, ms in wanted.items()}
        faults = Faults()
        for name, members in by_metric.items():
            named_subset(members, self.metrics, "metric", faults, holder="suite", where=f"group {name!r}")
        faults.raise_if_any()
        by_group: dict[str, TasksLike] = {
            name: [task for task in tasks if metric[task] in members] for name, members in by_metric.items()
        }
        options: dict[str, Any] = {
            option: {task: given[metric[task]] for task in tasks if metric[task] in given}
            for option, given in self._options.items()
        }
        lower = [task for task in tasks if metric[task] in self._lower]
        return Leaderboard.from_cells(models, tasks, cells, lower_is_better=lower, groups=by_group, **options)

    def select(
        self,
        *,
        datasets: Iterable[str] | None = None,
        models: Iterable[str] | None = None,
        metrics: Iterable[str] | None = None,
    ) -> Suite:
        """Return the suite of some datasets, models and metrics, in the given order; empty tables are refused."""
        faults = Faults()
        chosen = self.datasets if datasets is None else tuple(datasets)
        for kind, names, known in (
            ("dataset", chosen, self.datasets),
            ("model", models, self.models),
            ("metric", metrics, self.metrics),
        ):
            named_subset(known if names is None else names, known, kind, faults, holder="suite")
        faults.raise_if_any()
        rows, columns = (None if names is None else tuple(names) for names in (models, metrics))
        return self._with({d: self._tables[d].select(models=rows, columns=columns) for d in chosen})

    def complete(self) -> Suite:
        """Return the suite of the models that have every score on every dataset (of the metrics it has).

        Raises
        ------
        InputError
            If there are no two such models.
        """
        kept = tuple(model for model in self.models if all(_complete_on(t, model) for t in self._tables.values()))
        if len(kept) < 2:
            raise InputError(f"only {len(kept)} of {len(self.models)} models have every score on every dataset")
        return self._with({dataset: table.select(models=kept) for dataset, table in self._tables.items()})

    def _with(self, tables: dict[str, Table]) -> Suite:
        empty = [dataset for dataset, table in tables.items() if not table.models]
        if empty:
            raise InputError([f"dataset {dataset!r} has no score of what is kept" for dataset in empty])
        made = object.__new__(Suite)
        made._tables = tables
        metrics = set(made.metrics)
        made._lower = self._lower & metrics
        made._options = self._of(metrics)
        return made

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
            absent = [model for model in models if model not in set(table.models)]
            if absent:
                faults.add(f"dataset {dataset!r} has no score of {', '.join(map(repr, absent[:5]))}")
        faults.raise_if_any()
        relations: list[BoolArray] = []
        for dataset in self.datasets:
            board = self.leaderboard(dataset)
            margins: Margins = board.margins().select(models)
            relations.append(majority_relation(margins.array, strict=strict))
        return Relations(items=self.datasets, models=models, array=np.array(relations, dtype=np.bool_))

    def equals(self, other: Suite) -> bool:
        """Tell whether another suite has the same names, exact scores, directions and options."""
        return (
            self.datasets == other.datasets
            and all(self._tables[d].equals(other._tables[d]) for d in self.datasets)
            and (self._lower, self._options) == (other._lower, other._options)
        )


def _lower_metrics(frame: pd.DataFrame, faults: Faults) -> list[str]:
    truth = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    higher: dict[str, set[bool]] = {}
    for metric, text in frame.groupby(frame["metric"].astype(str), sort=False)["higher_is_better"]:
        values = {str(value).strip().casefold() for value in text}
        for value in sorted(values - set(truth)):
            faults.add(f"metric {metric!r}: higher_is_better is {value!r}; it must be true or false")
        higher[str(metric)] = {truth[value] for value in values & set(truth)}
        if len(higher[str(metric)]) > 1:
            faults.add(f"metric {metric!r} is declared both higher_is_better true and false")
    return [metric for metric, directions in higher.items() if directions == {False}]


def _wide(names: pd.DataFrame, scores: pd.Series) -> pd.DataFrame:
    """Return models x metrics in order of first appearance, cells untouched."""
    models, metrics = (list(dict.fromkeys(names[column])) for column in ("model", "metric"))
    row, column = ({name: i for i, name in enumerate(kind)} for kind in (models, metrics))
    wide = np.full((len(models), len(metrics)), None, dtype=object)
    for model, metric, score in zip(names["model"], names["metric"], scores.tolist(), strict=True):
        wide[row[model], column[metric]] = score
    return pd.DataFrame(wide, index=models, columns=metrics)


def _complete_on(table: Table, model: str) -> bool:
    return model in table.models and not bool(table.cells.missing[table.models.index(model)].any())


def _joined(columns: list[tuple[Table, int]], models: tuple[str, ...]) -> Any:
    row = {model: position for position, model in enumerate(models)}
    floats = np.full((len(models), len(columns)), np.nan)
    exact: dict[tuple[int, int], Fraction] = {}
    for new, (table, old) in enumerate(columns):
        rows = [row[model] for model in table.models]
        floats[rows, new] = table.cells.floats[:, old]
        exact.update({(row[table.models[i]], new): v for (i, j), v in table.cells.exact.items() if j == old})
    return type(columns[0][0].cells)(floats=floats, exact=exact)
