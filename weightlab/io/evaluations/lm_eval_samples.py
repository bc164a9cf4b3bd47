"""Scores on single instances from lm-evaluation-harness: samples_<task>_<time>.jsonl."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from weightlab._exact import WeightsLike
from weightlab._result import Frozen
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, warn_caller
from weightlab.io.evaluations.lm_eval import Run, newest_runs, runs_in, stamp_of
from weightlab.io.evaluations.results import ResultsWarning, instances_of, listed_briefly
from weightlab.io.tables.json_table import finite_number, json_document
from weightlab.io.tables.sheet import FileFaults, Source, decoded, opened

SAMPLES = "samples_*.jsonl"
ASKED = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "schedule"),
    }
)
"""What an instance holds beside its metrics: older versions have no list of these."""
_NAME = re.compile(r"samples_(.+)_[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9.-]+\.jsonl")
Scores = dict[tuple[str, str], float | Fraction]
"""By model and instance."""


class Samples(Frozen, eq=True):
    """One file of samples."""

    path: Path
    model: str
    task: str


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
        Tasks of the result, or metrics, on which the lower score leads. Needed where no results file beside the
        samples says it; then the others are taken as higher is better.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks.

    Returns
    -------
    Instances
        A task a task of the harness, or ``metric/task`` where any has several metrics; an instance a ``doc_id``. The
        model is the one that the results file beside it names, or else what the folder is called.

    Raises
    ------
    FileFormatError
        Listing what is wrong, with the line.
    InputError
        If a direction is not known.

    Warns
    -----
    ResultsWarning
        For metrics that are no single number on an instance, such as pairs from which a corpus score is made: they are
        left out. For older runs, of which the newest counts.
    """
    root = Path(path)
    notes: list[str] = []
    files = _files(root)
    found = [(one.model, one.task, stamp_of(one.path), one) for one in files]
    scores: dict[tuple[str, str], Scores] = {}
    for one in newest_runs(found, notes).values():
        _add(one, scores, notes)
    if not scores:
        raise FileFormatError(root, "the samples hold no score")
    if notes:
        warn_caller(ResultsWarning([*dict.fromkeys(notes)]))
    said = _directions(runs_in(root) if root.is_dir() else runs_in(root.resolve().parent, deep=False))
    return instances_of(
        scores,
        lambda task, metric: said.get((task, metric.partition(",")[0]), ()),
        lower_is_better=lower_is_better,
        weights=weights,
    )


def _files(root: Path) -> list[Samples]:
    paths = sorted(root.rglob(SAMPLES)) if root.is_dir() else [root]
    if not paths:
        raise FileFormatError(root, f"no file {SAMPLES} is in this folder")
    files = []
    model_in: dict[Path, str] = {}
    for path in paths:
        named = _NAME.fullmatch(path.name)
        if named is None:
            raise FileFormatError(path, "the name is not samples_<task>_<time>.jsonl, which would tell the task")
        folder = path.resolve().parent
        if folder not in model_in:
            models = {run.model for run in runs_in(folder, deep=False)}
            model_in[folder] = models.pop() if len(models) == 1 else folder.name.replace("__", "/")
        files.append(Samples(path=path, model=model_in[folder], task=named[1]))
    return files


def _add(one: Samples, scores: dict[tuple[str, str], Scores], notes: list[str]) -> None:
    """Add what one file holds."""
    source = opened(one.path, "jsonl", {".jsonl": "jsonl"})
    faults = FileFaults(source.name)
    dropped: dict[str, None] = {}
    for line, record in records_of(source, faults):
        instance, metrics = record.get("doc_id"), record.get("metrics", [key for key in record if key not in ASKED])
        names = metrics if isinstance(metrics, list) else []
        if instance is None or not names:
            faults.add(f"line {line}: a sample needs 'doc_id' and metrics")
            continue
        filtered = str(record.get("filter", "none"))
        for name in map(str, names):
            metric = name if filtered == "none" else f"{name},{filtered}"
            score = _score(record.get(name))
            if score is None:
                dropped[metric] = None
                continue
            its = scores.setdefault((one.task, metric), {})
            if (one.model, str(instance)) in its:
                faults.add(f"line {line}: doc_id {instance} has a score on {metric!r} already")
            its[one.model, str(instance)] = score
    faults.raise_here()
    if dropped:
        notes.append(f"Left out, no single number: {listed_briefly(dropped)} of {one.model!r} on {one.task!r}.")


def records_of(source: Source, faults: FileFaults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of JSON Lines with their lines, noting lines that are none."""
    for line, text in enumerate(decoded(source).split("\n"), start=1):
        if not text.strip():
            continue
        part = Source(name=f"{source.name}, line {line}", data=text.encode("utf-8"), format="json", path=source.path)
        record = json_document(part, faults)
        if isinstance(record, Mapping):
            yield line, record
        else:
            faults.add(f"line {line}: an object is needed, got {text[:40]!r}")


def _score(value: Any) -> float | Fraction | None:
    """Return a finite number, with true as 1, or None."""
    return float(value) if isinstance(value, bool) else finite_number(value)


def _directions(runs: Iterable[Run]) -> dict[tuple[str, str], set[bool]]:
    """Return what results files say of each task and metric: whether higher is better."""
    said: dict[tuple[str, str], set[bool]] = {}
    for run in runs:
        for task, metrics in run.part("higher_is_better").items():
            for metric, higher in metrics.items() if isinstance(metrics, Mapping) else ():
                if isinstance(higher, bool):
                    said.setdefault((str(task), str(metric)), set()).add(higher)
    return said
