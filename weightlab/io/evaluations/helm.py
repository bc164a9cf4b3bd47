"""Run folders of HELM, one run or whole suites of them: run_spec.json, stats.json and per_instance_stats.json."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._cures import Cure
from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, UnknownNameError
from weightlab.io.evaluations.engine import (
    AwkwardFileError,
    Number,
    PlacesLike,
    Program,
    Run,
    part,
    read_samples,
    results_of,
)
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.tables.json_table import finite_number, json_file
from weightlab.io.tables.sheet import FileFaults


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistic:
    """One statistic.

    Attributes
    ----------
    name, metric, split, perturbation, computed_on : str
        Its description; empty if missing. The metric is the name with its part of the split.
    mean : float or Fraction or None
        The decimal in the file, exactly; None where it has none, or no finite one.
    """

    name: str
    metric: str
    split: str
    perturbation: str
    computed_on: str
    mean: Number | None

    @classmethod
    def listed(cls, entries: Any, where: str, faults: FileFaults) -> Iterator[Statistic]:
        """Iterate over a list of statistics, noting entries that are not statistics."""
        if not isinstance(entries, list):
            faults.add(f"{where}a list of statistics is needed")
            return
        for position, entry in enumerate(entries, start=1):
            told, under = part(entry, "name"), part(entry, "name", "perturbation")
            if not isinstance(told.get("name"), str):
                faults.add(f"{where}statistic {position} has no name.name")
                continue
            yield cls(
                name=told["name"],
                metric=",".join(filter(None, (told["name"], str(told.get("sub_split") or "")))),
                split=str(told.get("split") or ""),
                perturbation=str(under.get("name") or ""),
                computed_on=str(under.get("computed_on") or ""),
                mean=finite_number(entry.get("mean")),
            )


@dataclass(kw_only=True)
class Choice:
    """Which statistics count.

    Attributes
    ----------
    split : str or None
        The split that counts; by default ``test`` where a metric has it, or else ``valid``, or else what has none.
    perturbation : str or None
        The perturbation that counts; by default none does.
    metrics : sequence of str or None
        The metrics to read; by default all but bookkeeping.
    """

    split: str | None
    perturbation: str | None
    metrics: Sequence[str] | None
    seen: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, split: str | None, perturbation: str | None, metrics: str | Iterable[str] | None) -> Choice:
        """Return the requested selection."""
        wanted = None if metrics is None else (metrics,) if isinstance(metrics, str) else tuple(metrics)
        return cls(split=split, perturbation=perturbation, metrics=wanted)

    def keeps(self, stat: Statistic, cases: Cases) -> bool:
        """Return whether a statistic belongs to a metric to read."""
        self.seen[stat.name] = self.seen[stat.metric] = None
        if self.metrics is not None:
            return stat.name in self.metrics or stat.metric in self.metrics
        if is_bookkeeping(stat.name):
            cure = Cure("metrics", [...], "to read nothing else")
            cases.add("Left out as counts without a direction", stat.name, noun="metric", cure=cure)
            return False
        return True

    def leave_perturbation(self, name: str, cases: Cases) -> None:
        """Say that statistics under another perturbation are left out."""
        cure = Cure("perturbation", name, "to read it instead") if name else None
        cases.add("Left out, by perturbation", name or "none", noun="perturbation", cure=cure)

    def scores(
        self, statistics: Iterable[tuple[Any, Statistic]], owner: str, cases: Cases
    ) -> tuple[dict[Any, Number], dict[str, str]]:
        """Return the means that count by key, and the split that counts of each metric; say what is left out."""
        by_metric: dict[str, dict[str, dict[Any, set[Number | None]]]] = {}
        for key, stat in statistics:
            by_metric.setdefault(stat.metric, {}).setdefault(stat.split, {}).setdefault(key, set()).add(stat.mean)
        scores: dict[Any, Number] = {}
        counted: dict[str, str] = {}
        for metric, splits in by_metric.items():
            ordered = ("test", "valid", "") if self.split is None else (self.split,)
            counts = next((split for split in ordered if split in splits), None)
            for other in splits:
                if other != counts:
                    cure = Cure("split", other, "to read it instead") if other else None
                    cases.add("Left out, by split, where another counts", other or "none", noun="split", cure=cure)
            for key, means in splits[counts].items() if counts is not None else ():
                mean = next(iter(means))
                if len(means) > 1 or mean is None:
                    what = "there more than once with different means" if len(means) > 1 else "no mean"
                    on = owner if key == metric else f"{owner}, {key[1][0]}"
                    cases.add(f"Left out, {what}", f"{metric} of {on}", noun="score")
                else:
                    scores[key], counted[metric] = mean, counts or ""
        return scores, counted

    def ensure_known(self) -> None:
        """Refuse metrics that no file has."""
        for metric in self.metrics or ():
            if self.seen and metric not in self.seen:
                raise UnknownNameError("metric", metric, tuple(self.seen), holder="set of runs")


# In which direction the metrics of HELM lead: what its own schemas say, and nothing else.

_VARIANT = re.compile(r"@[0-9]+$| \(topk=[0-9]+\)$")
"""What the name of a metric may end in, without a change of what it measures."""


@cache
def direction_of(metric: str) -> bool | None:
    """Return whether higher is better by HELM's schemas, or None where they say nothing or contradict each other.

    A part of a split may follow the name (``toxic_frac,nontoxic``), and so may HELM's suffix for the best of
    several outputs (``exact_match@10``) or for a choice among candidates.
    """
    name = metric.partition(",")[0]
    said = _direction(name)
    return _direction(_VARIANT.sub("", name)) if said is None else said


@cache
def is_bookkeeping(metric: str) -> bool:
    """Return whether a metric only counts operations, and has no direction."""
    return _like_any(metric, _table()["bookkeeping_patterns"])


def _direction(name: str) -> bool | None:
    table = _table()
    if name in table["lower"] or _like_any(name, table["lower_patterns"]):
        return False
    return True if name in table["higher"] or _like_any(name, table["higher_patterns"]) else None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("helm_metrics.toml").read_text(encoding="utf-8"))


def _like_any(name: str, patterns: list[str]) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in patterns)


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
        A dataset is a scenario with its arguments, ``mmlu:anatomy``; the model is that of the run spec. ``metric,part``
        is a metric on a part of a split. Directions are those of HELM's own schemas, and None for a metric that they
        omit, or list with both: `Results.leaderboard` and `Results.suite` ask for it. Datasets of one scenario are a
        group.

    Raises
    ------
    FileFormatError
        If there is no such folder, or no score; then with all that was left out, such as files that cannot be read.
    InputError
        If a metric is in no file.

    Notes
    -----
    If a model has several runs on a dataset, those of the most frequent setting count, by their exact mean. A setting
    is what was evaluated and how: scenario, adapter, perturbations and deployment. The notes name such pairs, models
    that were evaluated in different ways or have scores on different splits, splits and perturbations that were
    excluded, and statistics without a mean. There are no standard errors: spread in the files is over trials, mostly
    one.

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
        Tasks of the result, or metrics, on which a lower score is better. Needed if HELM's schemas do not give
        directions; then the others are taken as higher is better.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks.

    Returns
    -------
    Instances
        A task a dataset, or ``metric/dataset`` where any has several metrics. An instance is called like its
        ``instance_id``, followed by ``#0``, ``#1``, ... if a dataset has several trials (choices of the examples in the
        prompt), and by the perturbation in brackets if any.

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
            raise FileFormatError(path, f"no {SPEC} is in its folder, which would name its model and scenario")
        if not path.is_file():
            raise AwkwardFileError(f"a {SPEC} without {file}")
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
        setting=json.dumps(setting, sort_keys=True),
        asked={key: str(adapter[key]) for key in ASKED if adapter.get(key) is not None},
        group=called,
    )


def _scenario(class_name: str) -> str:
    """Return ``mmlu`` for ``helm.benchmark.scenarios.mmlu_scenario.MMLUScenario``.

    A module with several scenarios is named with the class: ``commonsense.HellaSwag``.
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
