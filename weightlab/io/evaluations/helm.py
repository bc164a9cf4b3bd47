"""Run folders of HELM, one run or whole suites of them: run_spec.json, stats.json and per_instance_stats.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import pandas as pd

from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, InputError, UnknownNameError, warn_caller
from weightlab.io.evaluations import helm_stats, results
from weightlab.io.evaluations.helm_runs import (
    PER_INSTANCE,
    STATS,
    FoldersLike,
    HelmRun,
    document,
    helm_runs,
    kept_runs,
    unlike,
)
from weightlab.io.tables.sheet import FileFaults

KIND = "HELM"
HelmPreprocessing: TypeAlias = Literal["beyond_arrow"]
"""What else may be done with statistics than to take those of one split without perturbation."""
Values: TypeAlias = Mapping[str, list[tuple[str, helm_stats.Number]]]
"""What is to be averaged, by metric: each number with its split."""


def read_helm(
    path: FoldersLike,
    *,
    split: str | None = None,
    perturbation: str | None = None,
    metrics: str | Iterable[str] | None = None,
    preprocessing: HelmPreprocessing | None = None,
) -> results.Results:
    """Read what HELM wrote: run folders, or folders with any number of them, at any depth.

    Parameters
    ----------
    path : path or iterable of paths
        A run folder with ``run_spec.json`` and ``stats.json``, or a folder above such, as ``runs/<suite>`` is.
    split : str, optional
        Which split counts; by default ``test`` where a metric has it, or else ``valid``, or else what has no split.
    perturbation : str, optional
        Read the scores under this perturbation, such as ``"robustness"``: the worst of an instance and its perturbed
        copies, as in HELM's own tables. By default those without any.
    metrics : str or iterable of str, optional
        The metrics to read. By default all but the counts of what was done (``num_prompt_tokens``, ...), which have no
        direction.
    preprocessing : {"beyond_arrow"}, optional
        Average over all splits and perturbations instead, as the study of HELM MMLU below does (section 6.1).

    Returns
    -------
    Results
        A dataset a scenario with its arguments, ``mmlu:anatomy``; the model is that of the run spec. ``metric,part``
        is a metric on a part of a split. Directions are those of HELM's own schemas, and None for a metric of which
        they say nothing, or both: `Results.leaderboard` and `Results.suite` ask for it. Datasets of one scenario are a
        group.

    Raises
    ------
    FileFormatError
        Listing every file that cannot be read, with what is wrong; if there is no run, or no score.
    InputError
        If a metric is in no file, or the preprocessing is not known or leaves nothing to choose.

    Notes
    -----
    Of several runs of a model on a dataset those of the most frequent setting count, and their exact mean. A setting is
    what was asked and how: scenario, adapter, perturbations and deployment. The notes name such pairs, models that were
    asked in different ways or have scores on different splits, splits and perturbations that were left out, and
    statistics without a mean. There are no standard errors: what the files tell of spread is over trials, mostly one.

    ``"beyond_arrow"`` does what the script of the paper does. Every statistic that has a mean counts, whatever its
    split and perturbation; a setting is the whole run spec without the model; it is as frequent as it has such
    statistics of the metrics that are read, so say which ones; ``num_bytes`` of 0 or less is left out; less output is
    better, in bytes and in tokens, and so is a shorter prompt. Where settings are as frequent as each other the script
    takes the one whose hash is first, and this reader the one whose folder is.

    References
    ----------
    P. Liang et al., "Holistic Evaluation of Language Models", TMLR 2023.
    Gordienko et al., Beyond Arrow, section 6.1.
    """
    _check(preprocessing, split, perturbation)
    wanted = None if metrics is None else (metrics,) if isinstance(metrics, str) else tuple(metrics)
    directed = frozenset[str]() if preprocessing is None else helm_stats.beyond_arrow_lower()
    choice = helm_stats.Choice(split=split, perturbation=perturbation, metrics=wanted, directed=directed)
    runs, faults = helm_runs(path, STATS)
    notes: list[str] = []
    values = _values(runs, choice, preprocessing, faults, notes)
    choice.check_metrics()
    kept = _kept([run for run in runs if run.folder in values], values, preprocessing, notes)
    cells = _cells(kept, values, preprocessing, notes)
    if not cells:
        raise FileFormatError(faults.name, "the runs hold no such score")
    notes += [*choice.notes(), *unlike(kept)]
    if preprocessing is None:
        notes += _unlike_splits(kept, values)
    read = [run for its in kept.values() for run in its]
    return results.Results(kind=KIND, cells=cells, groups=_groups(read), notes=tuple(dict.fromkeys(notes)))


def _groups(runs: Iterable[HelmRun]) -> dict[str, tuple[str, ...]]:
    """Return the datasets of each scenario that has several."""
    datasets: dict[str, dict[str, None]] = {}
    for run in runs:
        datasets.setdefault(run.scenario, {})[run.dataset] = None
    return {scenario: tuple(its) for scenario, its in datasets.items() if len(its) > 1}


def _check(preprocessing: str | None, split: str | None, perturbation: str | None) -> None:
    known = get_args(HelmPreprocessing)
    if preprocessing is not None and preprocessing not in known:
        raise UnknownNameError("preprocessing", preprocessing, known, holder="reader of HELM's folders")
    if preprocessing is not None and (split is not None or perturbation is not None):
        raise InputError(f"{preprocessing!r} averages over all splits and perturbations; it leaves none to choose")


def _values(
    runs: Iterable[HelmRun], choice: helm_stats.Choice, preprocessing: str | None, faults: FileFaults, notes: list[str]
) -> dict[Path, Values]:
    """Return the values of every run that has statistics, by its folder."""
    values: dict[Path, Values] = {}
    unfinished = []
    for run in runs:
        path = run.folder / STATS
        if not path.is_file():
            unfinished.append(run.folder.name)
            continue
        stats = helm_stats.helm_stats(document(path, faults), str(path), faults)
        if preprocessing is None:
            scores = choice.scores(stats, f"{run.model} on {run.dataset}")
            values[run.folder] = {metric: [counts] for metric, counts in scores.items()}
        else:
            values[run.folder] = _all_means(stats, choice)
    faults.raise_here()
    if unfinished:
        notes.append(f"Left out, no {STATS}: {results.listed_briefly(unfinished)}.")
    return values


def _all_means(stats: Iterable[helm_stats.HelmStat], choice: helm_stats.Choice) -> Values:
    """Return every mean by metric, whatever its split and perturbation."""
    pooled: dict[str, list[tuple[str, helm_stats.Number]]] = {}
    for stat in stats:
        if choice.keeps(stat) and stat.mean is not None:
            pooled.setdefault(stat.name, []).append((stat.split, stat.mean))
    return pooled


def _kept(
    runs: list[HelmRun], values: Mapping[Path, Values], preprocessing: str | None, notes: list[str]
) -> dict[tuple[str, str], list[HelmRun]]:
    if preprocessing is None:
        return kept_runs(runs, notes)
    notes.append("Every score is a mean over all splits and perturbations.")
    count = {folder: sum(map(len, its.values())) for folder, its in values.items()}
    counted = [run for run in runs if count[run.folder]]  # a run without such statistics comes before no other
    return kept_runs(counted, notes, setting=lambda run: run.whole_setting, count=lambda run: count[run.folder])


def _cells(
    kept: Mapping[tuple[str, str], list[HelmRun]],
    values: Mapping[Path, Values],
    preprocessing: str | None,
    notes: list[str],
) -> tuple[results.ResultCell, ...]:
    cells = []
    dropped = []
    for (dataset, model), runs in kept.items():
        pooled: dict[str, list[helm_stats.Number]] = {}
        for run in runs:
            for metric, its in values[run.folder].items():
                pooled.setdefault(metric, []).extend(number for _, number in its)
        for metric, numbers in pooled.items():
            mean = helm_stats.exact_mean(numbers)
            if preprocessing is not None and metric == "num_bytes" and mean <= 0:
                dropped.append(f"{model} on {dataset}")
                continue
            lower = preprocessing is not None and metric in helm_stats.beyond_arrow_lower()
            cells.append(
                results.ResultCell(
                    dataset=dataset,
                    metric=metric,
                    model=model,
                    score=mean,
                    higher_is_better=False if lower else helm_stats.direction_of(metric),
                    file=str(runs[0].folder / STATS),
                )
            )
    if dropped:
        notes.append(f"Left out, 'num_bytes' of 0 or less: {results.listed_briefly(dropped)}.")
    return tuple(cells)


def _unlike_splits(kept: Mapping[tuple[str, str], list[HelmRun]], values: Mapping[Path, Values]) -> Iterator[str]:
    """Say where the scores of models are of different splits."""
    splits: dict[tuple[str, str], dict[str, str]] = {}
    for (dataset, model), runs in kept.items():
        for run in runs:
            for metric, its in values[run.folder].items():
                for split, _ in its:
                    splits.setdefault((dataset, metric), {}).setdefault(split or "none", model)
    for (dataset, metric), ways in splits.items():
        if len(ways) > 1:
            told = ", ".join(f"{split!r} for {model!r}" for split, model in ways.items())
            yield f"Different splits of {metric!r} on {dataset!r}: {told}."


ALL = "all"
"""Instead of the name of a perturbation: the instances as they are, and under every perturbation."""
Task = tuple[str, str]
"""A dataset and a metric."""
Column = tuple[str, str, str]
"""An instance, the trial and the perturbation."""
Scores = dict[tuple[str, Column], list[helm_stats.Number]]
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
    choice = helm_stats.Choice(split=split, perturbation=perturbation, metrics=wanted)
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
        warn_caller(results.ResultsWarning([*dict.fromkeys(notes)]))
    return results.instances_of(
        scores,
        lambda _, metric: (helm_stats.direction_of(metric),),
        lower_is_better=lower_is_better,
        weights=weights,
        frame_of=_frame,
    )


def _unfinished(runs: Iterable[HelmRun], finished: list[HelmRun]) -> list[str]:
    left = [run.folder.name for run in runs if run not in finished]
    return [f"Left out, no {PER_INSTANCE}: {results.listed_briefly(left)}."] if left else []


def _add(run: HelmRun, choice: helm_stats.Choice, scores: dict[Task, Scores], faults: FileFaults) -> None:
    """Add what one run holds to the scores of all."""
    path = run.folder / PER_INSTANCE
    by_metric: dict[str, dict[str, dict[Column, set[helm_stats.Number | None]]]] = {}
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


def _stats(entries: Any, where: str, faults: FileFaults) -> Iterator[tuple[Column, helm_stats.HelmStat]]:
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
        for stat in helm_stats.helm_stats(entry.get("stats", "nothing"), f"{where}, entry {position}", faults):
            yield column, stat


def _frame(scores: Scores) -> pd.DataFrame:
    table = results.wide_frame({key: helm_stats.exact_mean(its) for key, its in scores.items()})
    columns: Any = table.columns
    numbered = len({trial for _, trial, _ in columns}) > 1
    return table.set_axis([_called(column, numbered=numbered) for column in columns], axis=1)


def _called(column: Column, *, numbered: bool) -> str:
    instance, trial, perturbation = column
    return (f"{instance}#{trial}" if numbered else instance) + (f" ({perturbation})" if perturbation else "")
