"""Scores on single instances from HELM: per_instance_stats.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from weightlab._typing import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, warn_caller
from weightlab.io.evaluations.helm_runs import PER_INSTANCE, FoldersLike, HelmRun, document, helm_runs, kept_runs
from weightlab.io.evaluations.helm_stats import Choice, HelmStat, Number, direction_of, exact_mean, helm_stats
from weightlab.io.evaluations.results import ResultsWarning, instances_of, listed_briefly, wide_frame
from weightlab.io.tables.sheet import FileFaults

ALL = "all"
"""Instead of the name of a perturbation: the instances as they are, and under every perturbation."""
Task = tuple[str, str]
"""A dataset and a metric."""
Column = tuple[str, str, str]
"""An instance, the trial and the perturbation."""
Scores = dict[tuple[str, Column], list[Number]]
"""By model and column: one a run."""


def read_helm_instances(
    path: FoldersLike,
    *,
    split: str | None = None,
    perturbation: str | None = None,
    metrics: str | Iterable[str] | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
) -> Instances:
    """Read the scores on single instances that HELM wrote: run folders, or folders of them, at any depth.

    Parameters
    ----------
    path : path or iterable of paths
        A run folder with ``run_spec.json`` and ``per_instance_stats.json``, or a folder above such.
    split : str, optional
        As for `read_helm`.
    perturbation : str, optional
        The name of a perturbation, such as ``"typos"``, or ``"all"``; by default the instances as they are.
    metrics : str or iterable of str, optional
        As for `read_helm`.
    lower_is_better : str or iterable of str, optional
        Tasks of the result, or metrics, on which the lower score leads. Needed where HELM's schemas do not say it;
        then the others are taken as higher is better.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks.

    Returns
    -------
    Instances
        A task a dataset, or ``metric/dataset`` where any has several metrics. An instance is called like its
        ``instance_id``, with ``#0``, ``#1``, ... behind it where a dataset has several trials (choices of the examples
        in the prompt), and with the perturbation in brackets where there is one.

    Raises
    ------
    FileFormatError
        Listing every file that cannot be read, with what is wrong; if there is no run, or no score.
    InputError
        If a metric is in no file, or a direction is not known.

    Warns
    -----
    ResultsWarning
        For what is left out, and for pairs of a model and a dataset with several runs: as for `read_helm`, those of the
        most frequent setting count, and their exact mean.

    References
    ----------
    P. Liang et al., "Holistic Evaluation of Language Models", TMLR 2023.
    """
    wanted = None if metrics is None else (metrics,) if isinstance(metrics, str) else tuple(metrics)
    choice = Choice(split=split, perturbation=perturbation, metrics=wanted)
    runs, faults = helm_runs(path, PER_INSTANCE)
    finished = [run for run in runs if (run.folder / PER_INSTANCE).is_file()]
    notes: list[str] = []
    kept = kept_runs(finished, notes)
    scores: dict[Task, Scores] = {}
    for its in kept.values():
        for run in its:
            _add(run, choice, scores, faults)
    faults.raise_here()
    choice.check_metrics()
    if not scores:
        raise FileFormatError(faults.name, f"no {PER_INSTANCE} in it holds such a score")
    notes += _unfinished(runs, finished) + choice.notes()
    if notes:
        warn_caller(ResultsWarning("\n".join(dict.fromkeys(notes))))
    return instances_of(
        scores,
        lambda _, metric: (direction_of(metric),),
        lower_is_better=lower_is_better,
        weights=weights,
        frame_of=_frame,
    )


def _unfinished(runs: Iterable[HelmRun], finished: list[HelmRun]) -> list[str]:
    left = [run.folder.name for run in runs if run not in finished]
    return [f"Left out, no {PER_INSTANCE}: {listed_briefly(left)}."] if left else []


def _add(run: HelmRun, choice: Choice, scores: dict[Task, Scores], faults: FileFaults) -> None:
    """Add what one run holds to the scores of all."""
    path = run.folder / PER_INSTANCE
    by_metric: dict[str, dict[str, dict[Column, set[Number | None]]]] = {}
    for column, stat in _stats(document(path, faults), str(path), faults):
        if not choice.keeps(stat):
            continue
        if choice.perturbation != ALL and column[2] != (choice.perturbation or ""):
            choice.leave("perturbation", column[2] or "none")
            continue
        columns = by_metric.setdefault(stat.metric, {}).setdefault(stat.split, {})
        columns.setdefault(column, set()).add(stat.mean)
    for metric, splits in by_metric.items():
        for column, means in splits.get(choice.split_of(splits), {}).items():
            if len(means) == 1 and None not in means:
                its = scores.setdefault((run.dataset, metric), {}).setdefault((run.model, column), [])
                its.extend(mean for mean in means if mean is not None)
            else:
                what = "no mean" if means == {None} else "different means"
                choice.leave(what, f"{run.model} on {column[0]} of {run.dataset}", metric)


def _stats(entries: Any, where: str, faults: FileFaults) -> Iterator[tuple[Column, HelmStat]]:
    """Return every statistic with its instance, trial and perturbation."""
    if entries is None:
        return  # noted where it was read
    if not isinstance(entries, list):
        faults.add(f"{where}: a list of instances is needed")
        return
    for position, entry in enumerate(entries, start=1):
        instance = entry.get("instance_id") if isinstance(entry, Mapping) else None
        if not isinstance(instance, str):
            faults.add(f"{where}: entry {position} has no instance_id")
            continue
        perturbation = entry.get("perturbation")
        name = perturbation.get("name") if isinstance(perturbation, Mapping) else None
        column = (instance, str(entry.get("train_trial_index", "0")), str(name or ""))
        for stat in helm_stats(entry.get("stats", "nothing"), f"{where}, entry {position}", faults):
            yield column, stat


def _frame(scores: Scores) -> pd.DataFrame:
    table = wide_frame({key: exact_mean(its) for key, its in scores.items()})
    columns: Any = table.columns
    numbered = len({trial for _, trial, _ in columns}) > 1
    return table.set_axis([_called(column, numbered=numbered) for column in columns], axis=1)


def _called(column: Column, *, numbered: bool) -> str:
    instance, trial, perturbation = column
    return (f"{instance}#{trial}" if numbered else instance) + (f" ({perturbation})" if perturbation else "")
