"""Run folders of HELM, one run or whole suites of them: run_spec.json, stats.json and per_instance_stats.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.engine import (
    AwkwardFileError,
    PlacesLike,
    Program,
    Run,
    part,
    read_samples,
    results_of,
)
from weightlab.io.evaluations.helm_stats import Choice, Statistic, direction_of
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.tables.json_table import json_file
from weightlab.io.tables.sheet import FileFaults

SPEC = "run_spec.json"
STATS = "stats.json"
PER_INSTANCE = "per_instance_stats.json"
ASKED = ("method", "max_train_instances", "num_train_trials", "max_eval_instances", "temperature")
"""What in the adapter makes the scores of two models hard to compare."""
ALL = "all"
"""Instead of the name of a perturbation: the instances as they are, and under every perturbation."""
Column: TypeAlias = tuple[str, str, str]
"""An instance, the trial and the perturbation."""


def read_helm(
    path: PlacesLike,
    *,
    split: str | None = None,
    perturbation: str | None = None,
    metrics: str | Iterable[str] | None = None,
) -> Results:
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
        If there is no such folder, or no score; then with all that was left out, such as files that cannot be read.
    InputError
        If a metric is in no file.

    Notes
    -----
    Of several runs of a model on a dataset those of the most frequent setting count, and their exact mean. A setting is
    what was asked and how: scenario, adapter, perturbations and deployment. The notes name such pairs, models that were
    asked in different ways or have scores on different splits, splits and perturbations that were left out, and
    statistics without a mean. There are no standard errors: what the files tell of spread is over trials, mostly one.

    References
    ----------
    P. Liang et al., "Holistic Evaluation of Language Models", TMLR 2023.
    """
    return results_of(_program(STATS, _of_whole, Choice.of(split, perturbation, metrics)), path, by_metric_alone=False)


def read_helm_instances(
    path: PlacesLike,
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
        As `read_helm`.
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
    program = replace(
        _program(PER_INSTANCE, _on_instances, Choice.of(split, perturbation, metrics)), settled=_with_instances_named
    )
    return read_samples([program], path, lambda *_: (), lower_is_better=lower_is_better, weights=weights)


Statistics: TypeAlias = Callable[[Any, Choice, Cases, FileFaults], Iterator[tuple[Any, Statistic]]]
"""From what is in a file to its statistics that may count, each with the key of what it is of."""


def _program(file: str, statistics: Statistics, choice: Choice) -> Program:
    """Return how runs are read whose scores are in a file of this name."""

    def runs(path: Path, document: Mapping[str, Any], cases: Cases) -> Iterator[Run]:
        run, faults = _run(path, document["spec"]), FileFaults(str(path))
        counted = list(statistics(document["scores"], choice, cases, faults))
        faults.raise_here()
        scores, splits = choice.scores(counted, run.pair, cases)
        yield replace(
            run,
            scores=scores,
            higher={metric: higher for metric in splits for higher in (direction_of(metric),) if higher is not None},
            asked={**run.asked, **{f"split of {metric!r}": split or "none" for metric, split in splits.items()}},
        )

    def load(path: Path) -> Any:
        if not path.with_name(SPEC).is_file():
            raise FileFormatError(path, f"no {SPEC} is beside it, which would say of which model and scenario it is")
        if not path.is_file():
            raise AwkwardFileError(f"no {file} beside a {SPEC}")
        spec = json_file(path.with_name(SPEC))
        return {"spec": part(spec, "run_spec") or spec, "scores": json_file(path)}

    return Program(
        name="HELM",
        form=f"{SPEC} and {file}",
        runs=runs,
        is_one=bool,
        files=lambda root: {one.parent / file for name in (SPEC, file) for one in root.rglob(name)},
        load=load,
        repeats=True,
        ensure_known=choice.ensure_known,
    )


def _run(path: Path, spec: Any) -> Run:
    """Return the run that a spec tells of, without scores."""
    scenario, adapter = part(spec, "scenario_spec"), part(spec, "adapter_spec")
    name, model = scenario.get("class_name"), adapter.get("model") or adapter.get("model_deployment")
    if not (isinstance(name, str) and name.strip() and isinstance(model, str) and model.strip()):
        told = "a run spec needs scenario_spec.class_name, and adapter_spec.model or model_deployment"
        raise FileFormatError(path.with_name(SPEC), told)
    setting = {key: spec.get(key) for key in ("scenario_spec", "data_augmenter_spec")}
    setting["adapter_spec"] = {key: value for key, value in adapter.items() if key != "model"}
    called = _scenario(name)
    return Run(
        model=model,
        dataset=_dataset(called, scenario.get("args")),
        scores={},
        file=str(path),
        setting=json.dumps(setting, sort_keys=True),
        asked={key: str(adapter[key]) for key in ASKED if adapter.get(key) is not None},
        group=called,
    )


def _scenario(class_name: str) -> str:
    """Return ``mmlu`` for ``helm.benchmark.scenarios.mmlu_scenario.MMLUScenario``.

    A module that holds several scenarios is told with the class: ``commonsense.HellaSwag``.
    """
    *_, module, name = ("", *class_name.split("."))
    module, name = re.sub(r"_scenarios?$", "", module), name.removesuffix("Scenario") or name
    if module.replace("_", "").casefold() == name.replace("_", "").casefold():
        return module
    return f"{module}.{name}" if module else name


def _dataset(scenario: str, arguments: Any) -> str:
    """Return the scenario with its arguments; of the subject the value alone, first."""
    given = dict(arguments) if isinstance(arguments, Mapping) else {}
    subject = given.pop("subject", None)
    parts = [] if subject is None else [_text(subject)]
    parts += [f"{key}={_text(given[key])}" for key in sorted(given) if given[key] is not None]
    return f"{scenario}:{','.join(parts)}" if parts else scenario


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _of_whole(stats: Any, choice: Choice, cases: Cases, faults: FileFaults) -> Iterator[tuple[str, Statistic]]:
    """Give the statistics of a run that are under the perturbation which counts.

    Of a perturbation HELM's own tables take the worst of an instance and its perturbed copies: so does this.
    """
    for stat in Statistic.listed(stats, "", faults):
        if not choice.keeps(stat, cases):
            continue
        if stat.perturbation != (choice.perturbation or ""):
            choice.leave_perturbation(stat.perturbation, cases)
        elif not stat.perturbation or stat.computed_on == "worst":
            yield stat.metric, stat


def _on_instances(
    entries: Any, choice: Choice, cases: Cases, faults: FileFaults
) -> Iterator[tuple[tuple[str, Column], Statistic]]:
    """Give the statistics of each instance that are under the perturbation which counts."""
    if not isinstance(entries, list):
        faults.add("a list of instances is needed")
        return
    for position, entry in enumerate(entries, start=1):
        instance = entry.get("instance_id") if isinstance(entry, Mapping) else None
        if not isinstance(instance, str):
            faults.add(f"entry {position} has no instance_id")
            continue
        perturbation = str(part(entry, "perturbation").get("name") or "")
        column = (instance, str(entry.get("train_trial_index", "0")), perturbation)
        for stat in Statistic.listed(entry.get("stats", "nothing"), f"entry {position}: ", faults):
            if not choice.keeps(stat, cases):
                continue
            if choice.perturbation not in (ALL, perturbation or None):
                choice.leave_perturbation(perturbation, cases)
            else:
                yield (stat.metric, column), stat


def _with_instances_named(runs: list[Run], _: Cases) -> list[Run]:
    """Return the runs with names for instances: with the trial where the dataset has several, and the perturbation."""
    trials: dict[str, set[str]] = {}
    for run in runs:
        trials.setdefault(run.dataset, set()).update(trial for _, (_, trial, _) in run.scores)
    named = []
    for run in runs:
        numbered = len(trials[run.dataset]) > 1
        scores = {
            (metric, (f"{one}#{trial}" if numbered else one) + (f" ({how})" if how else "")): score
            for (metric, (one, trial, how)), score in run.scores.items()
        }
        named.append(replace(run, scores=scores))
    return named
