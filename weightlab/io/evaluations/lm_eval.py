"""Result files of lm-evaluation-harness, from version 0.3 on, and its scores on single instances."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weightlab._cures import Cure
from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.evaluations.engine import NOTHING, Number, Program, Run, part, read_samples, results_of
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.tables.json_table import finite_number, json_file, json_records
from weightlab.io.tables.sheet import FileFaults

RESULTS = "results*.json"
"""File names since version 0.4; older files are recognised by their contents."""
NAMES = ("model", "file", "folder", "model_args")
"""What may tell models apart."""
LOADED = ("pretrained", "model")
"""The arguments that say which model was loaded."""
LIGHTEVAL = "config_general"
"""What LightEval, and the fork of the harness behind the first Open LLM Leaderboard, write instead of ``config``."""
NO_METRICS = {"alias", "name", "samples", "sample_len", "sample_count"}
"""Entries among the metrics of a task that are not metrics."""
STAMP = re.compile(r"_([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}(?:\.[0-9]+)?)\.jsonl?$")
SAMPLES = "samples_*.jsonl"
SAMPLES_NAME = re.compile(r"samples_(.+)_[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9.-]+\.jsonl")
ASKED = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "schedule"),
    }
)
"""Fields of an instance other than metrics: older versions have no list of metrics."""


def read_lm_eval(path: str | os.PathLike[str], *, name: str = "model") -> Results:
    """Read what lm-evaluation-harness wrote: a results file, or a folder with any number of them, at any depth.

    Parameters
    ----------
    path : path
        A results file, or a folder such as its ``--output_path``, whose JSON files are recognised by their contents.
    name : {"model", "file", "folder", "model_args"}
        What a model is called: as the file says; after the file, without its extension; after the folder that the file
        is in; or as the file says with the other arguments that it was loaded with, such as ``revision=step1000``.

    Returns
    -------
    Results
        A dataset a task, and a metric a ``metric,filter`` key; the filter ``none`` is left out of the name.
        ``higher_is_better`` is the file's, standard errors too. Rows of groups whose subtasks are all there are
        left out, since they are means of these; the subtasks become groups.

    Raises
    ------
    FileFormatError
        If there is no such file, or the only one cannot be read, or nothing tells which of two runs of a model on a
        task is newer.
    InputError
        If models cannot be named so.

    Notes
    -----
    If a model has several runs on a task, the newest counts, by the time in the name of the file or else by the dates
    in the files. Directions come from the files since version 0.4; older ones require them, metric by metric. The notes
    list which runs and files were excluded, which scores come from a part of the instances (``--limit``), where models
    were evaluated with different numbers of shots or versions of a task, which models were run with different arguments
    (a revision, say), and which values are not numbers. Files of LightEval have the same form and are read, without
    their ``all``.

    References
    ----------
    EleutherAI, "Language Model Evaluation Harness", versions 0.3 and 0.4.
    """
    if name not in NAMES:
        raise InputError(f"name must be {', '.join(map(repr, NAMES[:-1]))} or {NAMES[-1]!r}; got {name!r}")
    return results_of(replace(LM_EVAL, runs=lambda path, document, cases: _runs(path, document, cases, name)), path)


def is_lm_eval(document: Any) -> bool:
    """Return whether a JSON document is a results file: results by task, and the configuration."""
    if not isinstance(document, Mapping) or not isinstance(document.get("results"), Mapping):
        return False
    own = {"configs", "config", "versions"} & set(document)
    return bool(own) and all(isinstance(row, Mapping) for row in document["results"].values())


def _runs(path: Path, document: Mapping[str, Any], cases: Cases, name: str) -> Iterator[Run]:
    """Give a run a task; a row that is the mean of others is none of scores."""
    given, stamp = part(document, "config").get("model_args") or "", _stamp(path, document)
    model = _model(path, document, given if isinstance(given, Mapping) else dict(_pairs(str(given))), name)
    ways = [(what, part(document, key)) for key, what in (("n-shot", "shots"), ("versions", "version"))]
    said = part(document, "higher_is_better")
    for task, row in document["results"].items():
        mean_of = _mean_of(document, task)
        directions = part(said, task)
        scores, higher, errors = dict[str, Number](), dict[str, bool](), dict[str, Number]()
        for key, value in row.items():
            bare, _, filtered = key.partition(",")
            if mean_of is not None or not bare.strip() or "_stderr" in bare or bare in NO_METRICS:
                continue
            score, metric = finite_number(value), bare if filtered in ("", "none") else key
            if score is None:
                cases.add("Left out, no number", f"{bare} of {model} on {task}", noun="score")
                continue
            scores[metric] = score
            error = finite_number(row.get(f"{bare}_stderr,{filtered}" if filtered else f"{bare}_stderr"))
            if error is not None:
                errors[metric] = error
            if isinstance(directions.get(bare), bool):
                higher[metric] = directions[bare]
        asked = {what: str(its[task]) for what, its in ways if mean_of is None and its.get(task) is not None}
        yield Run(
            model=model,
            dataset=task,
            scores=scores,
            higher=higher or NOTHING,
            errors=errors or NOTHING,
            stamp=stamp,
            loaded=str(given),
            mean_of=mean_of,
            asked=asked or NOTHING,
            remarks={"From a part of the instances": f"{model} on {task}"} if _is_limited(document, task) else NOTHING,
        )


def _stamp(path: Path, document: Mapping[str, Any]) -> str:
    """Return the time in the name of a file, or else its date, as seconds that sort as text; empty without one."""
    named = STAMP.search(path.name)
    if named:
        time = datetime.strptime(named[1].partition(".")[0], "%Y-%m-%dT%H-%M-%S").replace(tzinfo=UTC).timestamp()
        return f"{time + float('0.' + (named[1].partition('.')[2] or '0')):020.6f}"
    date = finite_number(document.get("date"))
    return "" if date is None else f"{float(date):020.6f}"


def _model(path: Path, document: Mapping[str, Any], arguments: Mapping[str, Any], name: str) -> str:
    """Return the name of a model: from the file, or else from its folder."""
    folder = path.resolve().parent.name.replace("__", "/")
    if name in ("file", "folder"):
        return path.stem if name == "file" else folder
    said = (document.get("model_name"), part(document, LIGHTEVAL).get("model_name"), *map(arguments.get, LOADED))
    model = next((one for one in said if isinstance(one, str) and one.strip()), folder)
    others = arguments.items() if name == "model_args" else ()
    return ",".join([model, *(f"{key}={value}" for key, value in others if key not in LOADED)])


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for one in text.split(","):
        key, _, value = one.partition("=")
        if key.strip():
            yield key.strip(), value.strip()


def _is_limited(document: Mapping[str, Any], task: str) -> bool:
    """Return whether the scores on a task come from a part of its instances."""
    counts = part(document, "n-samples", task)
    effective, original = (finite_number(counts.get(key)) for key in ("effective", "original"))
    return effective < original if effective and original else part(document, "config").get("limit") is not None


def _mean_of(document: Mapping[str, Any], group: str) -> tuple[str, ...] | None:
    """Return the tasks in a group and in the groups inside it, where it is the mean of them and all are there."""
    if LIGHTEVAL in document and (group == "all" or ":_average|" in group):
        return ()
    if group not in part(document, "group_subtasks"):
        return None
    leaves: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [group]
    while waiting:
        name = waiting.pop(0)
        members = part(document, "group_subtasks").get(name)
        if isinstance(members, list) and members and name not in seen:
            waiting.extend(str(member) for member in members if member != name)
        elif name != group:
            leaves[name] = None
        seen.add(name)
    return tuple(leaves) if leaves and all(leaf in document["results"] for leaf in leaves) else None


LM_EVAL = Program(
    name="lm-evaluation-harness",
    form="'results' by task and 'configs'",
    runs=lambda path, document, cases: _runs(path, document, cases, "model"),
    is_one=is_lm_eval,
    called=RESULTS,
    marks=((b'"results"', b'"config'), (b'"results"', b'"versions"')),
    undecided=tuple(Cure("name", way, "to tell two models apart") for way in NAMES[1:]),
)


# Scores on single instances: samples_<task>_<time>.jsonl, next to the results.


def read_lm_eval_samples(
    path: str | os.PathLike[str],
    *,
    lower_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
) -> Instances:
    """Read the scores on single instances that lm-evaluation-harness wrote with ``--log_samples``.

    Parameters
    ----------
    path : path
        A file ``samples_<task>_<time>.jsonl``, or a folder with any number of them, at any depth.
    lower_is_better : str or iterable of str, optional
        Tasks of the result, or metrics, on which a lower score is better. Needed if no results file next to the samples
        gives directions; then the others are taken as higher is better.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks.

    Returns
    -------
    Instances
        A task is a task of the harness, or ``metric/task`` if any has several metrics; an instance is a ``doc_id``. The
        model is named by the results file next to the samples, or else by the folder.

    Raises
    ------
    FileFormatError
        Listing what is wrong, with the line.
    InputError
        If a direction is not known.

    Warns
    -----
    ResultsWarning
        For metrics that are not a single number per instance, such as pairs that enter a corpus score: they are
        excluded. For older runs: only the newest counts.
    """
    folder = Path(path) if Path(path).is_dir() else Path(path).resolve().parent
    called: dict[Path, dict[str, None]] = {}
    said: dict[tuple[str, str], set[bool]] = {}
    for file in folder.rglob("*.json") if Path(path).is_dir() else folder.glob("*.json"):
        if LM_EVAL.may_be(file) and is_lm_eval(document := json_file(file)):
            for run in LM_EVAL.runs(file, document, Cases("file")):
                called.setdefault(file.resolve().parent, {})[run.model] = None
                for metric, higher in run.higher.items():
                    said.setdefault((run.dataset, metric.partition(",")[0]), set()).add(higher)
    program = replace(SAMPLES_OF_LM_EVAL, runs=lambda path, records, cases: _samples(path, records, cases, called))
    return read_samples(
        [program],
        path,
        lambda task, metric: said.get((task, metric.partition(",")[0]), ()),
        lower_is_better=lower_is_better,
        weights=weights,
    )


def _samples(
    path: Path, records: Mapping[int, Mapping[str, Any]], cases: Cases, called: Mapping[Path, Mapping[str, None]]
) -> Iterator[Run]:
    """Give the run of one file; its model is named by the results next to it, or by the folder."""
    folder, named = path.resolve().parent, SAMPLES_NAME.fullmatch(path.name)
    if named is None:
        raise FileFormatError(path, "the name is not samples_<task>_<time>.jsonl, which would tell the task")
    models = list(called.get(folder, ()))
    run = Run(
        model=models[0] if len(models) == 1 else folder.name.replace("__", "/"),
        dataset=named[1],
        scores={},
        stamp=_stamp(path, {}),
    )
    scores: dict[tuple[str, str], Number] = {}
    faults = FileFaults(str(path))
    for line, record in records.items():
        instance, metrics = record.get("doc_id"), record.get("metrics", [key for key in record if key not in ASKED])
        names = metrics if isinstance(metrics, list) else []
        if instance is None or not names:
            faults.add(f"line {line}: a sample needs 'doc_id' and metrics")
        for name in map(str, names if instance is not None else ()):
            filtered, value = str(record.get("filter", "none")), record.get(name)
            metric = name if filtered == "none" else f"{name},{filtered}"
            score = float(value) if isinstance(value, bool) else finite_number(value)
            if score is None:
                cases.add("Left out, no single number", f"{metric} of {run.pair}", noun="metric")
            elif (metric, str(instance)) in scores:
                faults.add(f"line {line}: doc_id {instance} has a score on {metric!r} already")
            else:
                scores[metric, str(instance)] = score
    faults.raise_here()
    yield replace(run, scores=scores)


SAMPLES_OF_LM_EVAL = Program(
    name="lm-evaluation-harness",
    form=f"single instances in {SAMPLES}",
    runs=lambda path, records, cases: _samples(path, records, cases, {}),
    is_one=lambda records: records is not None,
    files=lambda root: root.rglob(SAMPLES),
    load=json_records,
    undecided=(),
)
