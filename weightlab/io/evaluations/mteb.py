"""Result folders of MTEB: <model>/<revision>/<Task>.json."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from weightlab._exact import fraction
from weightlab._validate import nearest_or_exact
from weightlab.exceptions import FileFormatError
from weightlab.io.evaluations.results import ResultCell, Results, listed_briefly
from weightlab.io.tables.json_table import finite_number, json_file

__all__ = ["META", "is_mteb", "read_mteb"]

META = "model_meta.json"
METRIC = "main_score"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The main scores of one model on one task and split, by subset."""

    path: Path
    model: str
    revision: str
    task: str
    split: str
    scores: Mapping[str, float | Fraction]


def read_mteb(
    path: str | os.PathLike[str], *, split: str | None = None, languages: str | Iterable[str] | None = None
) -> Results:
    """Read the main scores that MTEB wrote: a file of one task, or a folder of results, at any depth.

    Parameters
    ----------
    path : path
        ``<model>/<revision>/<Task>.json``, or a folder above such files.
    split : str, optional
        Which split counts; by default ``test`` where a task has it, or else its only one.
    languages : str or iterable of str, optional
        Keep only subsets in one of these languages, such as ``"eng"`` or ``"eng-Latn"``.

    Returns
    -------
    Results
        A dataset a task. Its score is the exact mean of ``main_score`` over the subsets that are kept, as in MTEB's own
        tables. The files do not say in which direction a score leads: `Results.leaderboard` asks for it.

    Raises
    ------
    FileFormatError
        If nothing is recognised, or a task has several splits and none is ``test``.

    Notes
    -----
    A model with several revisions is as many models, ``name@revision``. The notes name these, splits and scores that
    were left out, and tasks on which models were asked for different subsets: their means are hard to compare.

    References
    ----------
    N. Muennighoff et al., "MTEB: Massive Text Embedding Benchmark", EACL 2023.
    """
    root = Path(path)
    notes: list[str] = []
    wanted = None if languages is None else (languages,) if isinstance(languages, str) else tuple(languages)
    wrong: dict[str, list[str]] = {}
    entries = [entry for file in _files(root) for entry in _entries(file, split, wanted, notes, wrong)]
    notes.extend(form.format(models=listed_briefly(models)) for form, models in wrong.items())
    if not entries:
        none = "no task file of MTEB ('task_name' and 'scores') with such a score is in it"
        raise FileFormatError(root, (none, *dict.fromkeys(notes)))
    revisions: dict[str, set[str]] = {}
    for entry in entries:
        revisions.setdefault(entry.model, set()).add(entry.revision)
    cells: dict[tuple[str, str], ResultCell] = {}
    for entry in entries:
        model = entry.model if len(revisions[entry.model]) == 1 else f"{entry.model}@{entry.revision}"
        if (model, entry.task) in cells:
            raise FileFormatError(entry.path, f"{model!r} has a score on {entry.task!r} in another file, too")
        mean = sum(map(fraction, entry.scores.values()), Fraction(0)) / len(entry.scores)
        cells[model, entry.task] = ResultCell(
            dataset=entry.task, metric=METRIC, model=model, score=nearest_or_exact(mean), file=str(entry.path)
        )
    for model, its in revisions.items():
        if len(its) > 1:
            notes.append(f"Several revisions of {model!r}, each a model of its own: {listed_briefly(sorted(its))}.")
    notes.extend(_unlike(entries))
    return Results(kind="MTEB", cells=tuple(cells.values()), notes=tuple(dict.fromkeys(notes)))


def is_mteb(document: Any) -> bool:
    """Tell whether a JSON document is of one task: its name, and scores by split."""
    return (
        isinstance(document, Mapping)
        and isinstance(document.get("task_name"), str)
        and isinstance(document.get("scores"), Mapping)
    )


def _files(root: Path) -> list[Path]:
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise FileFormatError(root, "there is no such file or folder")
    return [file for file in sorted(root.rglob("*.json")) if file.name != META]


def _entries(
    path: Path, split: str | None, languages: Iterable[str] | None, notes: list[str], wrong: dict[str, list[str]]
) -> list[Entry]:
    """Return what one file holds: nothing unless it is of MTEB and has the split and the languages.

    What is left out goes to the notes, or where it is of one model under a sentence with room for names of models.
    """
    document = json_file(path)
    if not is_mteb(document):
        return []
    task, scores = document["task_name"], document["scores"]
    chosen = split or ("test" if "test" in scores else next(iter(scores), "") if len(scores) == 1 else None)
    if chosen is None:
        raise FileFormatError(path, f"several splits and no 'test': {listed_briefly(scores)}; say which, split=...")
    model, revision = _model(path)
    if others := [name for name in scores if name != chosen]:
        notes.append(f"Left out: {listed_briefly(others)} of {task!r} (another split counts).")
    kept: dict[str, float | Fraction] = {}
    rows = scores.get(chosen)
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, Mapping) and _speaks(row, languages):
            subset = str(row.get("hf_subset", "default"))
            score = finite_number(row.get(METRIC))
            if score is None:
                wrong.setdefault(_sentence(f"Left out, no number: {subset!r} of {task!r} for"), []).append(model)
            elif subset in kept:
                raise FileFormatError(path, f"subset {subset!r} is there twice")
            else:
                kept[subset] = score
    if not kept:
        wrong.setdefault(_sentence(f"Left out, no such score: {task!r} on {chosen!r} for"), []).append(model)
        return []
    return [Entry(path=path, model=model, revision=revision, task=task, split=chosen, scores=kept)]


def _sentence(begin: str) -> str:
    """Return the form of a sentence that ends with models."""
    return begin.replace("{", "{{").replace("}", "}}") + " {models}."


def _model(path: Path) -> tuple[str, str]:
    """Return the model and its revision: as the file beside says, or else as the folders are called."""
    folder = path.resolve().parent
    meta = json_file(folder / META) if (folder / META).is_file() else {}
    said = meta if isinstance(meta, Mapping) else {}
    name, revision = said.get("name"), said.get("revision")
    return str(name or folder.parent.name.replace("__", "/")), str(revision or folder.name)


def _speaks(row: Mapping[str, Any], languages: Iterable[str] | None) -> bool:
    spoken = row.get("languages")
    listed = [str(one) for one in spoken] if isinstance(spoken, list) else []
    return languages is None or any(one in (whole, whole.split("-")[0]) for one in languages for whole in listed)


def _unlike(entries: Iterable[Entry]) -> list[str]:
    """Say on which tasks the means of models are over different subsets, or of different splits."""
    asked: dict[str, dict[tuple[str, frozenset[str]], str]] = {}
    for entry in entries:
        asked.setdefault(entry.task, {}).setdefault((entry.split, frozenset(entry.scores)), entry.model)
    return [
        f"Different subsets or splits on {task!r}: "
        + ", ".join(f"{len(subsets)} of {split!r} for {model!r}" for (split, subsets), model in ways.items())
        + "."
        for task, ways in asked.items()
        if len(ways) > 1
    ]
