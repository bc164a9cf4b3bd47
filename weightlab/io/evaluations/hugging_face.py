"""Results in repositories of models on Hugging Face: in model cards, and in files below ``.eval_results``."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from weightlab.exceptions import InputError
from weightlab.io.evaluations.engine import Program, Run, objects, part, results_of
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.reading.words import hit
from weightlab.io.tables.json_table import WrittenNumber, finite_number, yaml_document
from weightlab.io.tables.sheet import FileFaults, Source, opened

FOLDER = ".eval_results"
"""Where a repository of a model keeps its results, a file per data set."""
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
"""YAML front matter of a model card."""
PLAIN = (None, "", "default", "all", "test")
"""Omitted from dataset names: the usual configuration and split."""


def read_hugging_face(path: str | os.PathLike[str]) -> Results:
    """Read results of models on Hugging Face: a folder with repositories of models at any depth.

    Parameters
    ----------
    path : path
        A folder with model cards (``README.md``) that hold ``model-index``, or with files ``.eval_results/*.yaml``; or
        one such file. Needs the extra ``yaml``.

    Returns
    -------
    Results
        Of a card a dataset a data set with its configuration, and a metric a type of metric, or of several of one type
        its name; of ``.eval_results`` a dataset a data set with its task, and the metric ``score``. The files give no
        direction: a metric named by a word such as ``accuracy`` or ``loss`` has the direction of the word, and all
        others must be declared.

    Raises
    ------
    FileFormatError
        If there is no such file or folder, the only one cannot be read, or it holds no results.
    InputError
        If PyYAML is not installed.
    """
    place = Path(path)
    return results_of(EVAL_RESULTS if _has_eval_results(place) else CARDS, path)


def _has_eval_results(place: Path) -> bool:
    return FOLDER in place.parts or (place.is_dir() and any(_eval_files(place)))


def _eval_files(root: Path) -> Iterable[Path]:
    return [*root.rglob(f"{FOLDER}/*.yaml"), *root.rglob(f"{FOLDER}/*.yml")]


def _load(path: Path) -> Any:
    """Return the YAML of a file, or above a model card; None of a card without results."""
    source = opened(path, "yaml")
    if path.suffix.casefold() == ".md":
        head = _HEAD.match(source.data)
        if head is None or b"model-index" not in head[1]:
            return None
        source = Source(name=source.name, data=head[1], format="yaml", path=path)
    faults = FileFaults(source.name)
    document = yaml_document(source, faults, WrittenNumber)
    faults.raise_here()
    return document


def is_card(document: Any) -> bool:
    """Return whether the front matter of a model card holds results."""
    return isinstance(document, dict) and isinstance(document.get("model-index"), list)


def is_card_file(path: Path) -> bool:
    """Return whether a file is a model card with results."""
    try:
        return path.suffix.casefold() == ".md" and is_card(_load(path))
    except (InputError, OSError):
        return False


def _of_card(path: Path, document: Any, cases: Cases) -> Iterator[Run]:
    for entry in objects(document["model-index"]):
        model = str(entry.get("name") or path.resolve().parent.name)
        for result in objects(entry.get("results")):
            about = part(result, "dataset")
            more = [str(about[key]) for key in ("config", "split") if about.get(key) not in PLAIN]
            dataset = str(about.get("name") or about.get("type") or part(result, "task").get("type") or "")
            dataset = f"{dataset} ({', '.join(more)})" if more and ", ".join(more) not in dataset else dataset
            metrics = [*objects(result.get("metrics"))]
            types = Counter(one.get("type") for one in metrics)
            for one in metrics:  # of several of one type the names tell them apart
                told = (
                    (one.get("name"), one.get("type"))
                    if types[one.get("type")] > 1
                    else (one.get("type"), one.get("name"))
                )
                metric = str(next(filter(None, told), "score"))
                run = Run(model=model, dataset=dataset, scores={})
                yield from _run(run, metric, one.get("value"), cases)


def is_eval_results(document: Any) -> bool:
    """Return whether a YAML document is a list of results of one model."""
    return bool(isinstance(document, list) and document) and all(
        isinstance(one, dict) and "value" in one and part(one, "dataset").get("id") for one in document
    )


def _of_eval_results(path: Path, document: Any, cases: Cases) -> Iterator[Run]:
    folder = path.resolve().parent.parent
    for one in objects(document):
        about = part(one, "dataset")
        task = about.get("task_id")
        dataset = str(about["id"]) + ("" if task in PLAIN else f"/{task}")
        stamp = str(one.get("date") or "")
        run = Run(model=folder.name, dataset=dataset, scores={}, stamp=stamp)
        yield from _run(run, "score", one["value"], cases)


def _run(run: Run, metric: str, value: Any, cases: Cases) -> Iterator[Run]:
    """Give a run with its score, whose direction a word that is the whole metric tells."""
    score = finite_number(value)
    if score is None:
        cases.add("Left out, no number", f"{metric} of {run.pair}", noun="score")
        return
    ways = {way: (found := hit(metric, way)) is not None and found.at == "whole" for way in ("higher", "lower")}
    known = {metric: ways["higher"]} if ways["higher"] != ways["lower"] else {}
    yield replace(run, scores={metric: score}, higher=known, part=metric)


CARDS = Program(
    name="Hugging Face model cards",
    form="'model-index' above a README.md",
    runs=_of_card,
    is_one=is_card,
    files=lambda root: (path for path in root.rglob("*.md") if path.is_file()),
    load=_load,
)
EVAL_RESULTS = Program(
    name="Hugging Face .eval_results",
    form=f"{FOLDER}/*.yaml",
    runs=_of_eval_results,
    is_one=is_eval_results,
    files=_eval_files,
    load=_load,
)
