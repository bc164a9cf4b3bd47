"""Logs of Inspect, JSON or zip archives of it, and the samples in them."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.engine import AwkwardFileError, Number, Program, Run, objects, part, results_of
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.sources.packed import SIZE_LIMIT, read_member
from weightlab.io.tables.json_table import finite_number, json_document, json_file
from weightlab.io.tables.sheet import FileFaults, Source

STATISTICS = ("stderr", "std", "var", "bootstrap_stderr", "bootstrap_std")
"""What Inspect counts among metrics and is none."""
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
        A dataset a task, a metric one of its scorer's, with the name of the scorer and how it reduced the epochs where
        a task has several. ``stderr`` is the standard error of the ``accuracy`` or ``mean`` beside it. Inspect says no
        directions: of ``accuracy`` higher is better, and those of other metrics are asked for.

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
    """Tell whether a JSON document is a log of Inspect."""
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


def _runs(path: Path, document: Mapping[str, Any], cases: Cases) -> Iterator[Run]:
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
                file=str(path),
                higher={metric: True} if name == "accuracy" else {},
                errors={metric: error} if name in ("accuracy", "mean") and error is not None else {},
                part=metric,
                stamp=stamp,
            )


def _samples(path: Path, document: Mapping[str, Any], _: Cases) -> Iterator[Run]:
    """Give a run a scorer: scores as Inspect reduced them over epochs, or where it did not, as its letters stand for.

    The higher score leads: samples are what the accuracy is the mean of.
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
        yield Run(
            model=model,
            dataset=task,
            scores=scores,
            file=str(path),
            higher={scorer: True},
            part=scorer,
            stamp=stamp,
        )


def _logs(root: Path) -> Iterator[Path]:
    return (path for end in (".json", ARCHIVE) for path in root.rglob(f"*{end}") if path.is_file())


INSPECT = Program(
    name="Inspect",
    form="'eval' and 'results'",
    runs=_runs,
    is_one=is_inspect,
    marks=((b'"eval"', b'"model"'), (b"PK\x03\x04",)),
    files=_logs,
    load=log_in,
    undecided=(),
)
SAMPLES_OF_INSPECT = Program(
    name="Inspect",
    form="single instances of a log",
    runs=_samples,
    is_one=is_inspect,
    marks=INSPECT.marks,
    files=_logs,
    load=partial(log_in, samples=True),
    undecided=(),
)
