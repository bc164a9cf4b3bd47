"""Records of single evaluations that follow the schemas of Every Eval Ever, and their samples."""

from __future__ import annotations

import math
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from weightlab._exact import WeightsLike
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.engine import (
    AwkwardFileError,
    Number,
    Program,
    Run,
    objects,
    part,
    read_samples,
    results_of,
)
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.sources.packed import SIZE_LIMIT, read_member
from weightlab.io.tables.json_table import WrittenNumber, finite_number, json_document, json_file, json_records
from weightlab.io.tables.sheet import FileFaults, Source, opened
from weightlab.io.tables.typed_columns import parquet_records

STATISTICS = ("stderr", "std", "var", "bootstrap_stderr", "bootstrap_std")
"""Entries that Inspect lists as metrics although they are not."""
VALUES: Mapping[Any, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's letters for correct, partly correct, incorrect and no answer, as its accuracy counts them."""
ARCHIVE = ".eval"
"""What logs of Inspect end in that are zip archives of JSON files."""
ZSTANDARD = getattr(getattr(zipfile, "zstd", None), "ZstdError", zipfile.BadZipFile)
"""What a broken entry compressed by Zstandard raises where Python reads such: from 3.14 on."""


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
        Each task is a dataset; metrics are those of its scorer, with the name of the scorer and how it reduced the
        epochs if a task has several. ``stderr`` is the standard error of the ``accuracy`` or ``mean`` next to it.
        Inspect gives no directions: higher is better for ``accuracy``, and other metrics need a declaration.

    Raises
    ------
    FileFormatError
        If there is no such file, the only one cannot be read, or nothing tells which of two logs of a model and task is
        newer.

    Notes
    -----
    Logs without results (cancelled, failed) are left out with a note; one says which come from a part of the samples.

    References
    ----------
    UK AI Security Institute, "Inspect", log format version 2.
    """
    return results_of(INSPECT, path)


def is_inspect(document: Any) -> bool:
    """Return whether a JSON document is a log of Inspect."""
    return "model" in part(document, "eval") and ("plan" in document or "results" in document)


def log_in(path: Path, *, samples: bool = False) -> Any:
    """Return the JSON document in a file, or of an archive the header, with the samples where asked for.

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
            left: float = SIZE_LIMIT
            for name in ("header.json", *(scores if samples else ())):
                data = read_member(archive, name, str(path), left)
                left -= len(data) / (1 << 20)
                source = Source(name=f"{path}: {name}", data=data, format="json", path=path)
                parts[name] = json_document(source, faults)
    except KeyError:
        raise FileFormatError(path, "no header.json is in this log: its run did not finish") from None
    except (zipfile.BadZipFile, zlib.error, ZSTANDARD, NotImplementedError, RuntimeError, OSError) as error:
        remedy = "'inspect log convert FILE --to json --output-dir FOLDER' writes one that can"
        raise FileFormatError(path, f"this log cannot be read ({error}); {remedy}") from None
    faults.raise_here()
    header, reduced = parts.pop("header.json"), parts.pop("reductions.json", None)
    return {**part({"header": header}, "header"), "reductions": reduced, "samples": list(parts.values())}


def _of_log(_: Path, document: Mapping[str, Any], cases: Cases) -> Iterator[Run]:
    """Give a run a metric of a scorer."""
    about, scorers = part(document, "eval"), list(objects(part(document, "results").get("scores")))
    model, task, stamp = (str(about.get(key, "")) for key in ("model", "task", "created"))
    if document.get("status", "success") != "success" or not scorers:
        raise AwkwardFileError("a run without results or not finished")
    asked, whole = (part(about, "dataset").get(key) for key in ("sample_ids", "samples"))
    if isinstance(asked, list) and len(asked) < (finite_number(whole) or 0):
        cases.add("From a part of the samples", f"{model} on {task} ({len(asked)} of {whole})", noun="run")
    for scorer in scorers:
        error = finite_number(part(scorer, "metrics", "stderr").get("value"))
        for name in part(scorer, "metrics"):
            score = finite_number(part(scorer, "metrics", name).get("value"))
            if name in STATISTICS or score is None:
                continue
            called = (scorer.get("name"), scorer.get("reducer"), name) if len(scorers) > 1 else (name,)
            metric = "/".join(str(one) for one in called if one)
            yield Run(
                model=model,
                dataset=task,
                scores={metric: score},
                higher={metric: True} if name == "accuracy" else {},
                errors={metric: error} if name in ("accuracy", "mean") and error is not None else {},
                part=metric,
                stamp=stamp,
            )


def _samples_of_log(path: Path, document: Mapping[str, Any], _: Cases) -> Iterator[Run]:
    """Give a run a scorer: scores as Inspect reduced them over epochs, or where it did not, as its letters stand for.

    Higher is better: the accuracy is the mean of the samples.
    """
    task, model, stamp = (str(part(document, "eval").get(key)) for key in ("task", "model", "created"))
    found: dict[str, dict[tuple[str, str], Number]] = {}

    def add(scorer: str, instance: Any, value: Any) -> None:
        score = VALUES.get(value) if isinstance(value, str) and value in VALUES else finite_number(value)
        if score is not None and found.setdefault(scorer, {}).setdefault((scorer, str(instance)), score) is not score:
            raise FileFormatError(path, f"model {model!r} has two scores on instance {str(instance)!r} of {task!r}")

    reduced = [*objects(document.get("reductions"))]
    for one in reduced:
        called = "/".join(str(its) for its in (one.get("scorer"), one.get("reducer")) if its)
        for sample in objects(one.get("samples")):
            add(called, sample.get("sample_id"), sample.get("value"))
    for sample in () if reduced else objects(document.get("samples")):
        for scorer in part(sample, "scores"):
            add(scorer, sample.get("id"), part(sample, "scores", scorer).get("value"))
    for scorer, scores in found.items():
        yield Run(model=model, dataset=task, scores=scores, higher={scorer: True}, part=scorer, stamp=stamp)


def _logs(root: Path) -> Iterator[Path]:
    return (path for end in (".json", ARCHIVE) for path in root.rglob(f"*{end}") if path.is_file())


MARKS = ((b'"eval"', b'"model"'), (b"PK\x03\x04",))
_log = partial(Program, name="Inspect", is_one=is_inspect, marks=MARKS, files=_logs, undecided=())
INSPECT = _log(form="'eval' and 'results'", runs=_of_log, load=log_in)
_whole_log = partial(log_in, samples=True)
SAMPLES_OF_INSPECT = _log(form="single instances of a log", runs=_samples_of_log, load=_whole_log)


TIMES = ("evaluation_timestamp", "retrieved_timestamp")
PARQUET, PARQUET_MARK = ".parquet", b"PAR1"
SAMPLES = "*_samples.jsonl"
"""What its files of scores on single instances are called."""


def read_every_eval_ever(path: str | os.PathLike[str]) -> Results:
    """Read records of Every Eval Ever: JSON files, one per model and source, or Parquet files of them, or a folder.

    Parameters
    ----------
    path : path
        A record, or a folder with records at any depth, of schema version 0.2 or 0.3.

    Returns
    -------
    Results
        A dataset an ``evaluation_name``, a metric what ``metric_config`` names (id, name or kind). The direction is
        ``lower_is_better``; the standard error is the record's, or its standard deviation over the root of the number
        of samples. A score of -1 is missing if the metric has levels and one of them means unknown.

    Raises
    ------
    FileFormatError
        If there is no such file, the only one cannot be read, or nothing tells which of two scores of a model is newer.

    Notes
    -----
    If a model has several scores by one metric on one dataset, the newest counts, by ``evaluation_timestamp`` or else
    ``retrieved_timestamp``; the notes list these, and the scores with an interval but no standard error.

    References
    ----------
    EvalEval Coalition, "Every Eval Ever", schemas of versions 0.2 and 0.3.
    """
    return results_of(EVERY, path)


def is_every(document: Any) -> bool:
    """Return whether a document is a record of Every Eval Ever, or a list of records."""
    if isinstance(document, list):
        return bool(document) and all(map(is_every, document))
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("evaluation_results"), list)
        and "model_info" in document
    )


def load_records(path: Path) -> Any:
    """Return the record in a JSON file, or those in a Parquet file, one per row.

    Raises
    ------
    FileFormatError
        If it cannot be read.
    InputError
        If pyarrow is needed and not installed.
    """
    if path.suffix.casefold() != PARQUET:
        return json_file(path)
    return parquet_records(opened(path), _written)


def _written(value: Any) -> Any:
    """Return a value of a typed file as a JSON file holds it: numbers as they are written."""
    if isinstance(value, dict):
        return {str(key): _written(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_written(one) for one in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return WrittenNumber(repr(value)) if is_number else value


def _runs(path: Path, document: Any, cases: Cases) -> Iterator[Run]:
    """Give a run a result: each has a time of its own."""
    if isinstance(document, list):
        for record in document:
            yield from _runs(path, record, cases)
        return
    info = part(document, "model_info")
    model = str(info.get("id") or info.get("name") or "")
    if not model.strip():
        raise FileFormatError(path, "model_info has neither 'id' nor 'name'")
    for one in objects(document["evaluation_results"]):
        config, details = part(one, "metric_config"), part(one, "score_details")
        dataset = str(one.get("evaluation_name") or part(one, "source_data").get("dataset_name"))
        metric = str(next(filter(None, map(config.get, ("metric_id", "metric_name", "metric_kind"))), "score"))
        score, lower = finite_number(details.get("score")), config.get("lower_is_better")
        if score is None or (score == -1 and config.get("has_unknown_level") is True):
            cases.add("Left out, no number or an unknown level", f"{metric} of {model} on {dataset}", noun="score")
            continue
        error = _error(part(details, "uncertainty"))
        if part(details, "uncertainty").get("confidence_interval") and error is None:
            cases.add("With an interval and no standard error", f"{metric} of {model} on {dataset}", noun="score")
        yield Run(
            model=model,
            dataset=dataset,
            scores={metric: score},
            higher={metric: not lower} if isinstance(lower, bool) else {},
            errors={} if error is None else {metric: error},
            part=metric,
            stamp=_sortable(next(filter(None, (its.get(key) for key in TIMES for its in (one, document))), None)),
        )


def _error(uncertainty: Mapping[str, Any]) -> Number | None:
    """Return the standard error that is given, or that of a mean with this deviation and number of samples."""
    given = finite_number(part(uncertainty, "standard_error").get("value"))
    deviation, count = (finite_number(uncertainty.get(key)) for key in ("standard_deviation", "num_samples"))
    return float(deviation) / math.sqrt(count) if given is None and deviation is not None and count else given


def _sortable(stamp: Any) -> str:
    """Return a time, in seconds or as a date, as a text that sorts as times do."""
    try:
        return f"{float(stamp):020.6f}"
    except (TypeError, ValueError):
        return str(stamp or "")


EVERY = Program(
    name="Every Eval Ever",
    form="'evaluation_results' and 'model_info'",
    runs=_runs,
    is_one=is_every,
    marks=((b'"evaluation_results"', b'"model_info"'), (PARQUET_MARK, b"evaluation_results", b"model_info")),
    files=lambda root: (path for end in ("*.json", f"*{PARQUET}") for path in root.rglob(end) if path.is_file()),
    load=load_records,
    undecided=(),
)


# Scores on single instances: samples beside records.


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
        Tasks on which a lower score is better, or a higher one; as for `read_lm_eval_samples`. Records in the folder
        give directions, too, and for Inspect's samples higher is better: its accuracy is their mean.
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
        If nothing is found, a model has two scores on one instance of a task in one file, or nothing tells which of two
        files is newer.
    InputError
        If a direction is not known.
    """
    root, directed = Path(path), dict[tuple[str, str], set[bool]]()
    for file in root.rglob("*.json") if root.is_dir() else root.resolve().parent.glob("*.json"):
        document: Any = json_file(file) if EVERY.may_be(file) else None
        for one in objects(document["evaluation_results"]) if is_every(document) else ():
            lower = part(one, "metric_config").get("lower_is_better")
            for result in (str(one.get("evaluation_result_id") or ""), ""):
                directed.setdefault((str(one.get("evaluation_name")), result), set()).add(lower is not True)
    programs = [SAMPLES_OF_EVERY, SAMPLES_OF_INSPECT]
    if not root.is_dir():
        programs = programs[:1] if root.match(SAMPLES) else programs[1:]
    return read_samples(
        programs,
        path,
        lambda task, metric: directed.get((task, metric), ()),
        lower_is_better=lower_is_better,
        higher_is_better=higher_is_better,
        weights=weights,
    )


def _samples(path: Path, records: Mapping[int, Mapping[str, Any]], _: Cases) -> Iterator[Run]:
    """Give a run a model and task, whose metric is the result that the samples are of."""
    faults = FileFaults(str(path))
    found: dict[tuple[str, str, str], dict[tuple[str, str], Number]] = {}
    for line, record in records.items():
        score = finite_number(part(record, "evaluation").get("score"))
        names = [record.get(key) for key in ("model_id", "evaluation_name", "sample_id")]
        if score is None or None in names:
            faults.add(f"line {line}: a sample needs 'evaluation_name', 'model_id', 'sample_id' and a score")
            continue
        model, task, instance = map(str, names)
        result = str(record.get("evaluation_result_id") or "")
        its = found.setdefault((model, task, result), {})
        if its.setdefault((result, instance), score) is not score:
            faults.add(f"line {line}: model {model!r} has two scores on instance {instance!r} of {task!r}")
    faults.raise_here()
    for (model, task, result), scores in found.items():
        yield Run(model=model, dataset=task, scores=scores, part=result)


SAMPLES_OF_EVERY = Program(
    name="Every Eval Ever",
    form=f"single instances in {SAMPLES}",
    runs=_samples,
    is_one=lambda records: records is not None,
    files=lambda root: root.rglob(SAMPLES),
    load=json_records,
    undecided=(),
)
