"""Records of single evaluations: those that follow the schemas of Every Eval Ever, and logs of Inspect."""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.lm_eval import newest_runs
from weightlab.io.evaluations.lm_eval_samples import records_of
from weightlab.io.evaluations.results import Cases, ResultCell, Results, instances_of
from weightlab.io.tables.json_table import finite_number, json_document, json_file
from weightlab.io.tables.sheet import FileFaults, Source, opened

EVERY, INSPECT = "Every Eval Ever", "Inspect"
MARKS = ((b'"evaluation_results"', b'"model_info"'), (b'"eval"', b'"scores"', b'"plan"'))
"""What stands in such a file."""
TIMES = ("evaluation_timestamp", "retrieved_timestamp")
STATISTICS = ("stderr", "std", "var", "bootstrap_stderr", "bootstrap_std")
"""What Inspect counts among metrics and is none."""
KNOWN = {"accuracy": True}
"""Of which of Inspect's metrics it is known whether higher is better."""
VALUES: Mapping[Any, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's letters for correct, partly correct, incorrect and no answer, as its accuracy counts them."""
ARCHIVE = ".eval"
"""What logs of Inspect end in that are zip archives of JSON files."""
ZSTANDARD = getattr(getattr(zipfile, "zstd", None), "ZstdError", zipfile.BadZipFile)
"""What a broken entry compressed by Zstandard raises where Python reads such: from 3.14 on."""
Found = tuple[str, str, str, ResultCell]
"""Model, dataset with metric, time, and the score."""


def is_every(document: Any) -> bool:
    """Tell whether a JSON document is a record of Every Eval Ever."""
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("evaluation_results"), list)
        and "model_info" in document
    )


def is_inspect(document: Any) -> bool:
    """Tell whether a JSON document is a log of Inspect."""
    parts = document if isinstance(document, Mapping) else {}
    return (
        isinstance(parts.get("eval"), Mapping) and "model" in parts["eval"] and ("plan" in parts or "results" in parts)
    )


def document_in(path: Path, *, samples: bool = False) -> Any:
    """Return the JSON document in a file, or of an archive of Inspect the header, with the samples where asked for.

    Raises
    ------
    FileFormatError
        If it cannot be read.
    """
    if path.suffix.casefold() != ARCHIVE:
        return json_file(path)
    faults = FileFaults(str(path))
    parts: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            scores = [name for name in archive.namelist() if name.startswith("samples/") or name == "reductions.json"]
            for name in ("header.json", *(scores if samples else ())):
                source = Source(name=f"{path}: {name}", data=archive.read(name), format="json", path=path)
                parts[name] = json_document(source, faults)
    except KeyError:
        raise FileFormatError(path, "no header.json is in this log: its run did not finish") from None
    except (zipfile.BadZipFile, zlib.error, ZSTANDARD, NotImplementedError, RuntimeError, OSError) as error:
        remedy = "'inspect log convert FILE --to json --output-dir FOLDER' writes one that can"
        raise FileFormatError(path, f"this log cannot be read ({error}); {remedy}") from None
    faults.raise_here()
    header, reduced = parts.pop("header.json"), parts.pop("reductions.json", None)
    return {**_part({"header": header}, "header"), "reductions": reduced, "samples": list(parts.values())}


def read_every_eval_ever(path: str | os.PathLike[str]) -> Results:
    """Read records of Every Eval Ever: a JSON file a model and source, or a folder with any number of them.

    Parameters
    ----------
    path : path
        A record, or a folder with records at any depth, of schema version 0.2 or 0.3.

    Returns
    -------
    Results
        A dataset an ``evaluation_name``, a metric what ``metric_config`` names (id, name or kind). The direction is
        ``lower_is_better``; the standard error is the record's, or its standard deviation over the root of the number
        of samples. A score of -1 of a metric with levels, one of which is unknown, is missing.

    Raises
    ------
    FileFormatError
        If there is no such file, one cannot be read, or two scores of a model do not tell which is newer.

    Notes
    -----
    Of several scores of a model by one metric on one dataset the newest counts, by ``evaluation_timestamp`` or else
    ``retrieved_timestamp``; the notes say so, and of which scores there is an interval and no standard error.

    References
    ----------
    EvalEval Coalition, "Every Eval Ever", schemas of versions 0.2 and 0.3.
    """
    return _read(Path(path), EVERY, is_every, _every_cells)


def read_inspect(path: str | os.PathLike[str]) -> Results:
    """Read logs of Inspect, JSON or ``.eval``: one, or a folder with any number of them.

    Parameters
    ----------
    path : path
        A log, or a folder with logs at any depth. An ``.eval`` log compressed as Python cannot undo becomes JSON by
        ``inspect log convert``.

    Returns
    -------
    Results
        A dataset a task, a metric one of its scorer's, with the name of the scorer and how it reduced the epochs where
        a task has several. ``stderr`` is the standard error of the ``accuracy`` or ``mean`` beside it. Inspect says no
        directions: of ``accuracy`` higher is better, and those of other metrics are asked for.

    Raises
    ------
    FileFormatError
        If there is no such file, one cannot be read, or two logs of a model and task do not tell which is newer.

    Notes
    -----
    Logs without results (cancelled, failed) are left out with a note; one says which come from a part of the samples.

    References
    ----------
    UK AI Security Institute, "Inspect", log format version 2.
    """
    return _read(Path(path), INSPECT, is_inspect, _inspect_cells)


def _read(
    root: Path, kind: str, is_one: Callable[[Any], bool], cells_of: Callable[[Path, Any, Cases], Iterator[Found]]
) -> Results:
    left = Cases("file")
    found: list[Found] = []
    for path in _files_in(root):
        try:
            document = document_in(path)
        except FileFormatError as error:
            if path == root:
                raise
            left.add(f"Left out, cannot be read ({error.faults[0]})", str(path.relative_to(root)))
            continue
        if is_one(document):
            found += cells_of(path, document, left)
        elif path == root:
            raise FileFormatError(root, f"this is no file of {kind}")
        else:
            left.add(f"Left out, nothing of {kind}", str(path.relative_to(root)))
    notes: list[str] = []
    newest = newest_runs([(model, key, stamp, _Placed(cell)) for model, key, stamp, cell in found], notes, alike=_alike)
    if not newest:
        raise FileFormatError(root, (f"there is no score of {kind}", *left.notes()))
    cells = tuple(placed.cell for placed in newest.values())
    cases = left.by_note()
    return Results(kind=kind, cells=cells, notes=(*dict.fromkeys(notes), *cases), cases=cases, names_metrics=True)


def _files_in(root: Path) -> list[Path]:
    """Return the files that may be records or logs."""
    return sorted(path for end in (".json", ARCHIVE) for path in root.rglob(f"*{end}")) if root.is_dir() else [root]


class _Placed:
    """A score where it stands."""

    def __init__(self, cell: ResultCell) -> None:
        self.cell, self.path = cell, cell.file


def _alike(one: _Placed, other: _Placed, _key: str) -> bool:
    return one.cell.score == other.cell.score


def _part(document: Any, *keys: str) -> Mapping[str, Any]:
    """Return the object under some keys, empty where there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document if isinstance(document, Mapping) else {}


def _every_cells(path: Path, document: Mapping[str, Any], left: Cases) -> Iterator[Found]:
    info = _part(document, "model_info")
    model = str(info.get("id") or info.get("name") or "")
    if not model.strip():
        raise FileFormatError(path, "model_info has neither 'id' nor 'name'")
    for one in _objects(document["evaluation_results"]):
        config, details = _part(one, "metric_config"), _part(one, "score_details")
        dataset = str(one.get("evaluation_name") or _part(one, "source_data").get("dataset_name"))
        metric = str(next(filter(None, map(config.get, ("metric_id", "metric_name", "metric_kind"))), "score"))
        score = finite_number(details.get("score"))
        if score is None or (score == -1 and config.get("has_unknown_level") is True):
            left.add("Left out, no number or an unknown level", f"{metric} of {model} on {dataset}", noun="score")
            continue
        lower = config.get("lower_is_better")
        uncertainty = _part(details, "uncertainty")
        error = _error(uncertainty)
        if uncertainty.get("confidence_interval") and math.isnan(error):
            left.add("With an interval and no standard error", f"{metric} of {model} on {dataset}", noun="score")
        stamp = next(filter(None, (part.get(key) for key in TIMES for part in (one, document))), None)
        cell = ResultCell(
            dataset=dataset,
            metric=metric,
            model=model,
            score=score,
            higher_is_better=not lower if isinstance(lower, bool) else None,
            error=error,
            file=str(path),
        )
        yield model, f"{metric}/{dataset}", _sortable(stamp), cell


def _error(uncertainty: Mapping[str, Any]) -> float | Fraction:
    """Return the standard error that is given, or that of a mean with this deviation and number of samples."""
    given = finite_number(_part(uncertainty, "standard_error").get("value"))
    deviation, count = (finite_number(uncertainty.get(key)) for key in ("standard_deviation", "num_samples"))
    if given is None and deviation is not None and count:
        return float(deviation) / math.sqrt(count)
    return math.nan if given is None else given


def _sortable(stamp: Any) -> str:
    """Return a time, in seconds or as a date, as a text that sorts as times do."""
    try:
        return f"{float(stamp):020.6f}"
    except (TypeError, ValueError):
        return str(stamp or "")


def _inspect_cells(path: Path, document: Mapping[str, Any], left: Cases) -> Iterator[Found]:
    about, results = _part(document, "eval"), _part(document, "results")
    model, task, stamp = (str(about.get(key, "")) for key in ("model", "task", "created"))
    scorers = results.get("scores") or []
    if document.get("status", "success") != "success" or not scorers:
        left.add("Left out, a run without results or not finished", str(path), noun="log")
        return
    asked, whole = (_part(about, "dataset").get(key) for key in ("sample_ids", "samples"))
    if isinstance(asked, list) and len(asked) < (finite_number(whole) or 0):
        left.add("From a part of the samples", f"{model} on {task} ({len(asked)} of {whole})", noun="run")
    for scorer in _objects(scorers):
        metrics = _part(scorer, "metrics")
        error = finite_number(_part(metrics, "stderr").get("value"))
        for name in metrics:
            score = finite_number(_part(metrics, name).get("value"))
            if name in STATISTICS or score is None:
                continue
            parts = (scorer.get("name"), scorer.get("reducer"), name) if len(scorers) > 1 else (name,)
            metric = "/".join(str(part) for part in parts if part)
            own = error if name in ("accuracy", "mean") else None
            cell = ResultCell(
                dataset=task,
                metric=metric,
                model=model,
                score=score,
                higher_is_better=KNOWN.get(name),
                error=math.nan if own is None else own,
                file=str(path),
            )
            yield model, f"{metric}/{task}", stamp, cell


def _objects(listed: Any) -> Iterator[Mapping[str, Any]]:
    """Return the objects in a list."""
    return (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, Mapping))


# Scores on single instances: samples beside records, and in logs.

SAMPLES = "*_samples.jsonl"
"""What such files of Every Eval Ever are called."""


def read_record_instances(
    path: str | os.PathLike[str],
    *,
    lower_is_better: str | Iterable[str] | None = None,
    higher_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
) -> Instances:
    """Read scores on single instances from files of Every Eval Ever, or from logs of Inspect.

    Parameters
    ----------
    path : path
        A file ``*_samples.jsonl`` of Every Eval Ever, a log of Inspect, or a folder with any number of them.
    lower_is_better, higher_is_better : str or iterable of str, optional
        Tasks on which the lower score leads, or the higher one; as for `read_lm_eval_samples`. Records in the folder
        say it, too, and of Inspect's samples the higher score leads: they are what its accuracy is the mean of.
    weights : mapping, Series or sequence, optional
        Exact weights of the tasks.

    Returns
    -------
    Instances
        A task an ``evaluation_name``, or a task of Inspect, with its scorer, and how that reduced the epochs, where it
        has several.

    Raises
    ------
    FileFormatError
        If nothing is found, or a model has two scores on one instance of a task.
    InputError
        If a direction is not known.
    """
    root = Path(path)
    scores: dict[tuple[str, str], dict[tuple[str, str], float | Fraction]] = {}
    directed: dict[tuple[str, str], set[bool]] = {}
    for file in sorted({*root.rglob(SAMPLES), *_files_in(root)}) if root.is_dir() else [root]:
        document = None if file.match(SAMPLES) else document_in(file, samples=True)
        found = list(_every_samples(file)) if file.match(SAMPLES) else []
        if isinstance(document, Mapping) and is_inspect(document):
            found = list(_inspect_samples(document))
            directed.update((key, {True}) for key, *_ in found)
        for key, model, instance, score in found:
            if scores.setdefault(key, {}).setdefault((model, instance), score) is not score:
                raise FileFormatError(file, f"model {model!r} has two scores on instance {instance!r} of {key[0]!r}")
    for record in [*root.rglob("*.json")] if root.is_dir() else [*root.resolve().parent.glob("*.json")]:
        document = json_file(record)
        for one in _objects(document["evaluation_results"]) if is_every(document) else ():
            lower = _part(one, "metric_config").get("lower_is_better")
            for result in (str(one.get("evaluation_result_id") or ""), ""):
                directed.setdefault((str(one.get("evaluation_name")), result), set()).add(lower is not True)
    if not scores:
        raise FileFormatError(root, f"there are no scores on single instances of {EVERY} or {INSPECT}")
    return instances_of(
        scores,
        lambda task, metric: directed.get((task, metric), ()),
        lower_is_better=lower_is_better,
        higher_is_better=higher_is_better,
        weights=weights,
    )


Sample = tuple[tuple[str, str], str, str, float | Fraction]
"""Task with metric, model, instance and score."""


def _every_samples(path: Path) -> Iterator[Sample]:
    faults = FileFaults(str(path))
    for line, record in records_of(opened(path, "jsonl"), faults):
        score = finite_number(_part(record, "evaluation").get("score"))
        names = [record.get(key) for key in ("evaluation_name", "model_id", "sample_id")]
        if score is None or None in names:
            faults.add(f"line {line}: a sample needs 'evaluation_name', 'model_id', 'sample_id' and a score")
            continue
        task, model, instance = map(str, names)
        yield (task, str(record.get("evaluation_result_id") or "")), model, instance, score
    faults.raise_here()


def _inspect_samples(document: Mapping[str, Any]) -> Iterator[Sample]:
    """Return scores as Inspect reduced them over epochs, or where it did not, as its letters stand for."""
    task, model = (str(_part(document, "eval").get(key)) for key in ("task", "model"))
    reduced = [*_objects(document.get("reductions"))]
    for one in reduced:
        for sample in _objects(one.get("samples")):
            if (score := _worth(sample.get("value"))) is not None:
                called = "/".join(str(part) for part in (one.get("scorer"), one.get("reducer")) if part)
                yield (task, called), model, str(sample.get("sample_id")), score
    for sample in () if reduced else _objects(document.get("samples")):
        for scorer in _part(sample, "scores"):
            if (score := _worth(_part(sample, "scores", scorer).get("value"))) is not None:
                yield (task, scorer), model, str(sample.get("id")), score


def _worth(value: Any) -> float | Fraction | None:
    """Return the number that a value of a sample is, or stands for."""
    return VALUES.get(value) if isinstance(value, str) and value in VALUES else finite_number(value)
