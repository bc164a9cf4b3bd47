"""Result folders of MTEB: <model>/<revision>/<Task>.json, read as one table whatever lies among them."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._exact import fraction
from weightlab._validate import Faults, named_subset
from weightlab.exceptions import InputError
from weightlab.io.evaluations.engine import AwkwardFileError, Number, Program, Run, exact_mean, results_of
from weightlab.io.evaluations.results import Cases, Results
from weightlab.io.tables.exact_numbers import number

META = "model_meta.json"
METRIC = "main_score"
EXPERIMENTS = "experiments"
"""The folder below a revision in which MTEB keeps runs with other arguments, a folder each."""
MAIN_OF_TASK = {
    "BSARDRetrieval": "recall_at_100",
    "Cmnli": "max_accuracy",
    "LEMBNeedleRetrieval": "ndcg_at_1",
    "LEMBPasskeyRetrieval": "ndcg_at_1",
    "Ocnli": "max_accuracy",
}
MAIN_OF_KIND = ("p-MRR", "ndcg_at_10", "v_measure", "map", "cosine_spearman", "max_ap")
"""Which metric files of MTEB 1.0 to 1.10 without ``main_score`` are ranked by: that of the task, or of its kind.

Checked against later files of the same tasks, which say their main score.
"""
SIMILARITIES = ("cos_sim", "dot", "euclidean", "manhattan", "max")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One entry of a split.

    Attributes
    ----------
    subset : str
        Its name.
    languages : tuple of str or None
        None where the file does not say.
    score : float, Fraction or None
        The decimal in the file, exactly; None where there is no finite number.
    metric : str
        Under which name the score stands.
    """

    subset: str
    languages: tuple[str, ...] | None
    score: float | Fraction | None
    metric: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskFile:
    """What a file of one task says.

    Attributes
    ----------
    task : str
        Its name.
    splits : mapping from str to Any
        What is under each split, as it stands in the JSON.
    old : bool
        Whether the splits are at the top level, as MTEB 1.0 to 1.10 wrote them.
    when : tuple
        Grows with the version of MTEB and the date of the run, as far as they are known.
    """

    task: str
    splits: Mapping[str, Any]
    old: bool
    when: tuple[tuple[int, ...], float]

    def rows(self, split: str) -> Iterator[Row]:
        """Give the entries of a split; what is no entry is left out."""
        inside = self.splits[split]
        if not self.old:
            yield from (_row(one) for one in inside if isinstance(one, dict)) if isinstance(inside, list) else ()
            return
        whole = _old_row(self.task, "default", inside)
        if whole.metric:
            yield whole
            return
        yield from (_old_row(self.task, subset, one) for subset, one in inside.items() if isinstance(one, dict))


def task_file(path: Path) -> TaskFile:
    """Read a task file.

    Raises
    ------
    AwkwardFileError
        If it is not a results file, or is ambiguous.
    """
    document = _document(path)
    task = document.get("task_name", document.get("mteb_dataset_name"))
    scores, old = document.get("scores"), "mteb_dataset_name" in document and "scores" not in document
    if old:
        scores = {key: value for key, value in document.items() if isinstance(value, dict)}
    if not isinstance(task, str) or not isinstance(scores, dict):
        raise AwkwardFileError("other JSON than results on a task")
    return TaskFile(
        task=_text(task),
        splits=scores,
        old=old,
        when=(_version(document.get("mteb_version")), _date(document.get("date"))),
    )


def model_of(folder: Path) -> tuple[str, str]:
    """Return the model and the revision of the files in a folder: as its ``model_meta.json`` says, or else by its path.

    A run in ``<revision>/experiments/<arguments>`` is a model of its own, named after its arguments.

    Raises
    ------
    AwkwardFileError
        If a folder's name is not text.
    """
    folder = folder.resolve()
    whole = folder.parent.parent if folder.parent.name == EXPERIMENTS else folder
    try:
        said = _document(next((place for place in (folder / META, whole / META) if place.is_file()), whole))
        name, revision = (_text(its) if isinstance(its, str) else "" for its in map(said.get, ("name", "revision")))
    except AwkwardFileError:
        name = revision = ""
    variant = "" if whole == folder else f" ({folder.name})"
    return _text((name or whole.parent.name.replace("__", "/")) + variant), _text(revision or whole.name)


def _document(path: Path) -> dict[str, Any]:
    try:
        document = _DECODER.decode(path.read_bytes().decode("utf-8-sig"))
    except OSError:
        raise AwkwardFileError("files that cannot be opened") from None
    except RecursionError:
        raise AwkwardFileError("JSON that is too deeply nested") from None
    except ValueError:
        raise AwkwardFileError("not JSON") from None
    return document if isinstance(document, dict) else {}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs) and any(value != made[key] for key, value in pairs):
        raise AwkwardFileError("a JSON key twice in one object, with different values")
    if not all(map(str.isascii, made)):
        for key in made:
            _text(key)
    return made


# A number becomes bytes, which nothing else in JSON does: its decimal stays as it is written, at the speed of C.
_DECODER = json.JSONDecoder(
    parse_float=str.encode, parse_int=str.encode, parse_constant=str.encode, object_pairs_hook=_object
)


def _text(name: str) -> str:
    """Return a name that any text can hold."""
    if not name.isascii():
        try:
            name.encode()
        except UnicodeEncodeError:
            raise AwkwardFileError("names with half a surrogate pair, which stands for no character") from None
    return name


def _number(value: Any) -> float | Fraction | None:
    """Return the number in a file, or None if it is absent or outside the range of doubles."""
    if not isinstance(value, bytes):
        return None
    try:
        found = number(value.decode("ascii"))
        return found if math.isfinite(found) else None
    except (ValueError, OverflowError):
        return None


def _row(entry: Mapping[str, Any]) -> Row:
    subset, spoken = entry.get("hf_subset", "default"), entry.get("languages")
    listed = tuple(one for one in spoken if isinstance(one, str)) if isinstance(spoken, list) else ()
    return Row(
        subset=_text(subset) if isinstance(subset, str) else "default",
        languages=listed or None,
        score=_number(entry.get(METRIC)),
        metric=METRIC,
    )


def _old_row(task: str, subset: str, entry: Mapping[str, Any]) -> Row:
    """Return an entry as MTEB 1.0 to 1.10 wrote it; its metric is empty if unknown."""
    found: dict[str, Any] = dict(entry)
    cosine = entry.get("cos_sim")
    if isinstance(cosine, dict) and "spearman" in cosine:
        found["cosine_spearman"] = cosine["spearman"]
    for metric in ("ap", "accuracy"):
        values = [one[metric] for one in map(entry.get, SIMILARITIES) if isinstance(one, dict) and metric in one]
        known = [value for value in values if _number(value) is not None]
        if known:
            found[f"max_{metric}"] = max(known, key=lambda value: fraction(_number(value)))
    of_kind = (*MAIN_OF_KIND, "f1" if {"precision", "recall"} <= found.keys() else "accuracy")
    metric = next((key for key in (METRIC, MAIN_OF_TASK.get(task), *of_kind) if key in found), "") or ""
    return Row(subset=subset, languages=None, score=_number(found.get(metric)), metric=metric)


def _version(text: Any) -> tuple[int, ...]:
    numbers = re.match(r"[0-9]{1,6}(\.[0-9]{1,6})*", text) if isinstance(text, str) else None
    return tuple(map(int, numbers[0].split("."))) if numbers else ()


def _date(value: Any) -> float:
    """Return the seconds of a date, given as such or as text; 0 where it is not known."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    return float(_number(value) or 0)


Names: TypeAlias = str | Iterable[str]
NEWEST = "newest"
UNNAMED = {"external", "no_revision_available"}
"""Folders for results of no known revision."""
CONVENTION = Fault(
    f"Higher {METRIC} is taken as better, as is the convention of MTEB, whose files do not say it.",
    Cure("lower_is_better", [METRIC], "where lower ones lead"),
)


def read_mteb(
    path: str | os.PathLike[str],
    *,
    tasks: Names | None = None,
    split: str | Mapping[str, str] | None = None,
    subsets: Names | Mapping[str, Names] | None = None,
    languages: Names | None = None,
    revision: str | None = None,
) -> Results:
    """Read the main scores that MTEB wrote: a file of one task, or a folder of results, at any depth.

    Parameters
    ----------
    path : path
        ``<model>/<revision>/<Task>.json``, or a folder above such files.
    tasks : str or iterable of str, optional
        The tasks to read, such as those of one benchmark; by default all.
    split : str or mapping from task to split, optional
        Which split counts; by default ``test`` where a file has it, or else its only one.
    subsets : str, iterable of str or mapping from task to such, optional
        Keep only subsets of these names.
    languages : str or iterable of str, optional
        Keep only subsets whose languages are all among these, such as ``"eng"`` or ``"eng-Latn"``.
    revision : {"newest"}, optional
        Of the revisions of a model count on each task the one that was run by the newest MTEB, at equal versions at the
        latest date; ``external`` and ``no_revision_available`` only where there is no other. By default a model with
        several revisions is as many models, ``name@revision``.

    Returns
    -------
    Results
        Each dataset is a task. Its score is the exact mean of ``main_score`` over the subsets that are kept, as in
        MTEB's own tables. Higher is taken as better, by MTEB's convention, with a warning unless `Results.leaderboard`
        receives ``lower_is_better``; so are means over different subsets or splits ranked with a warning.

    Raises
    ------
    FileFormatError
        If no score is found.
    InputError
        If a requested task, subset or language is in no file.

    Notes
    -----
    What cannot be placed is left out, and what may be hard to compare is kept, with one note a kind: how many files,
    and three of them; ``cases`` of the results lists all. Files of MTEB 1.0 to 1.10 that say no main score are read by
    the metric that MTEB ranks the task by. A run with other arguments (``experiments/<arguments>``) is a model of its
    own. Time grows with the size of the files; only scores are held in memory. MTEB names a file after its task: of a
    folder only the files of the ``tasks`` are opened.

    References
    ----------
    N. Muennighoff et al., "MTEB: Massive Text Embedding Benchmark", EACL 2023.
    """
    if revision not in (None, NEWEST):
        raise InputError(f"revision must be {NEWEST!r} or left out; got {revision!r}")
    choice = _Choice(tasks, split, subsets, languages)
    program = replace(
        MTEB,
        files=choice.files,
        runs=lambda path, file, cases: _runs(path, file, cases, choice),
        ensure_known=choice.ensure_known,
        settled=_newest if revision == NEWEST else _by_revision,
    )
    return results_of(program, path, convention=CONVENTION, by_metric_alone=False)


def is_mteb(document: Any) -> bool:
    """Return whether a JSON document is of one task: its name, and scores by split."""
    if not isinstance(document, Mapping):
        return False
    named = isinstance(document.get("task_name"), str) and isinstance(document.get("scores"), Mapping)
    return named or isinstance(document.get("mteb_dataset_name"), str)


def _files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        yield from (Path(folder, name) for name in names if name.endswith(".json") and name != META)


def tasks_in(root: Path) -> frozenset[str]:
    """Return the tasks that files below a folder are named after; none where MTEB did not write them."""
    names = {name for _, _, its in os.walk(root) for name in its}
    return frozenset(name.removesuffix(".json") for name in names if name.endswith(".json") and META in names)


def _names(given: Names) -> Iterable[str]:
    return (given,) if isinstance(given, str) else given


class _Choice:
    """The requested names, and which of them were found."""

    def __init__(
        self,
        tasks: Names | None,
        split: str | Mapping[str, str] | None,
        subsets: Names | Mapping[str, Names] | None,
        languages: Names | None,
    ) -> None:
        self.tasks = None if tasks is None else frozenset(_names(tasks))
        self.split = split
        by_task = subsets if isinstance(subsets, Mapping) else {}
        self.of_tasks = {task: frozenset(_names(its)) for task, its in by_task.items()}
        self.subsets = None if subsets is None or isinstance(subsets, Mapping) else frozenset(_names(subsets))
        self.languages = None if languages is None else frozenset(_names(languages))
        self.model_of = cache(model_of)
        self.known_tasks: set[str] = set()
        self.known_subsets: set[str] = set()
        self.known_languages: set[str] = set()

    def files(self, root: Path) -> Iterator[Path]:
        """Yield the files that may belong to the requested tasks, by their names."""
        for path in _files(root):
            if self.tasks is None or path.stem in self.tasks:
                yield path
            else:
                self.known_tasks.add(path.stem)

    def split_of(self, file: TaskFile) -> str:
        """Return the split that counts, or raise the error that explains why none counts."""
        said = self.split.get(file.task) if isinstance(self.split, Mapping) else self.split
        if said is not None:
            if said not in file.splits:
                raise AwkwardFileError("not on the requested split", file.task)
            return said
        if "test" in file.splits or len(file.splits) == 1:
            return "test" if "test" in file.splits else next(iter(file.splits))
        raise AwkwardFileError("several splits and none is 'test' (split says by task which counts)", file.task)

    def wants(self, task: str, row: Row) -> bool:
        """Return whether an entry is requested."""
        spoken = row.languages or ()
        self.known_subsets.add(row.subset)
        self.known_languages.update(spoken, (one.split("-")[0] for one in spoken))
        wanted = self.of_tasks.get(task, self.subsets)
        if wanted is not None and row.subset not in wanted:
            return False
        if self.languages is None:
            return True
        return bool(spoken) and all({one, one.split("-")[0]} & self.languages for one in spoken)

    def ensure_known(self) -> None:
        """Refuse requested names that are in no file."""
        faults = Faults()
        by_task = {*self.of_tasks, *(self.split if isinstance(self.split, Mapping) else ())}
        subsets = frozenset[str]().union(self.subsets or (), *self.of_tasks.values())
        for wanted, known, kind in (
            ((self.tasks or frozenset()) | by_task, self.known_tasks, "task"),
            (subsets, self.known_subsets, "subset"),
            (self.languages or frozenset(), self.known_languages, "language"),
        ):
            if known:
                named_subset(sorted(wanted), sorted(known), kind, faults, holder="set of results")
        faults.raise_if_any()


def _runs(path: Path, file: TaskFile, cases: Cases, choice: _Choice) -> Iterator[Run]:
    """Give the run of a file, whose score is the mean over the subsets that count."""
    choice.known_tasks.add(file.task)
    if choice.tasks is not None and file.task not in choice.tasks:
        return
    split = choice.split_of(file)
    scores = _scores(file, split, cases, choice)
    model, revision = choice.model_of(path.parent)
    if len(file.splits) > 1:
        cases.add("Left out, splits other than the one that counts", of=file.task)
    numbers, seconds = file.when
    version = ".".join(f"{number:06d}" for number in numbers)
    yield Run(
        model=model,
        dataset=file.task,
        scores={METRIC: exact_mean([*scores.values()])},
        part=revision,
        stamp=f"{revision not in UNNAMED:d} {version} {seconds:020.6f}",
        basis=(split, frozenset(scores)),
    )


def _scores(file: TaskFile, split: str, cases: Cases, choice: _Choice) -> dict[str, Number]:
    """Return the scores by subset, noting those that are left out."""
    scores: dict[str, Number] = {}
    every = list(file.rows(split))
    rows = [row for row in every if choice.wants(file.task, row)]
    if choice.languages is not None and not all(row.languages for row in every):
        cases.add("Left out, subsets of unknown language, since languages are selected")
    for row in rows:
        if row.score is not None and scores.setdefault(row.subset, row.score) != row.score:
            raise AwkwardFileError("a subset twice, with different scores", file.task)
    if not scores:
        kind = "no score that is a number" if rows or not every else "no requested subset"
        raise AwkwardFileError(kind, file.task)
    known = [row for row in rows if row.score is not None]
    if len(known) < len(rows):
        cases.add("Left out, subsets without a number as score", of=file.task)
    if len(known) > len(scores):
        cases.add("Read once, a subset twice with the same score", of=file.task)
    if metrics := sorted({row.metric for row in known} - {METRIC}):
        told = f"Written by MTEB 1.0 to 1.10 without {METRIC}, so read by the metric that ranks such tasks"
        cases.add(told, f"{cases.where}: {', '.join(metrics)}", of=file.task)
    return scores


def _by_revision(runs: list[Run], cases: Cases) -> list[Run]:
    """Return the runs; each of several revisions of a model counts as its own model."""
    revisions: dict[str, set[str]] = {}
    for run in runs:
        revisions.setdefault(run.model, set()).add(run.part)
    for model, its in revisions.items():
        if len(its) > 1:
            told = f"Several revisions, each a model of its own (revision={NEWEST!r} keeps one per task)"
            cases.add(told, f"{model}: {', '.join(sorted(its))}", noun="model")
    return [
        replace(run, model=run.model if len(revisions[run.model]) == 1 else f"{run.model}@{run.part}", stamp="")
        for run in runs
    ]


def _newest(runs: list[Run], cases: Cases) -> list[Run]:
    """Return the runs of the newest revision that has a task, of each model."""
    rivals: dict[tuple[str, str], dict[str, str]] = {}
    for run in runs:
        its = rivals.setdefault((run.model, run.dataset), {})
        its[run.part] = max(run.stamp, its.get(run.part, ""))
    used: dict[str, set[str]] = {}
    best: dict[tuple[str, str], str] = {}
    for (model, task), its in rivals.items():
        *others, newest = sorted(its, key=lambda revision: (its[revision], revision))
        used.setdefault(model, set()).add(newest)
        best[model, task] = newest
        if others:
            cases.add("Left out, a newer revision has the task", f"{task} of {model}", noun="score")
        if others and its[others[-1]] == its[newest]:
            told = "Of revisions that neither version nor date tells apart the last by name counts"
            cases.add(told, f"{task} of {model}", noun="score")
    for model, revisions in used.items():
        if len(revisions) > 1:
            told = "Scores of several revisions under one name, since none has all tasks as the newest"
            cases.add(told, f"{model}: {', '.join(sorted(revisions))}", noun="model")
    return [replace(run, stamp="") for run in runs if run.part == best[run.model, run.dataset]]


MTEB = Program(
    name="MTEB",
    form="'task_name' and 'scores'",
    runs=lambda path, file, cases: _runs(path, file, cases, _Choice(None, None, None, None)),
    is_one=lambda file: isinstance(file, TaskFile),
    files=_files,
    load=task_file,
    settled=_by_revision,
)
