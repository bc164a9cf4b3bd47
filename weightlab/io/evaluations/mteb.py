"""Result folders of MTEB: <model>/<revision>/<Task>.json, read as one table whatever lies among them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._exact import fraction
from weightlab._validate import Faults, named_subset, nearest_or_exact
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.evaluations.mteb_files import META, METRIC, AwkwardFileError, Row, TaskFile, model_of, task_file
from weightlab.io.evaluations.results import Cases, ResultCell, Results

Names: TypeAlias = str | Iterable[str]
NEWEST = "newest"
UNNAMED = {"external", "no_revision_available"}
"""Folders for results of no known revision."""
CONVENTION = Fault(
    f"Higher {METRIC} is taken as better, as is the convention of MTEB, whose files do not say it.",
    Cure("lower_is_better", [METRIC], "where lower ones lead"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """The mean of the main scores of one model on one task and split, and the subsets that it is over."""

    path: str
    revision: str
    split: str
    subsets: frozenset[str]
    score: float | Fraction
    when: tuple[tuple[int, ...], float]


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
        A dataset a task. Its score is the exact mean of ``main_score`` over the subsets that are kept, as in MTEB's own
        tables. Higher is taken as better, by MTEB's convention, with a warning unless `Results.leaderboard` is told
        ``lower_is_better``; so are means over different subsets or splits ranked with a warning.

    Raises
    ------
    FileFormatError
        If no score is found.
    InputError
        If a task, subset or language that is asked for is in no file.

    Notes
    -----
    What cannot be placed is left out, and what may be hard to compare is kept, with one note a kind: how many files,
    and three of them; ``cases`` of the results lists all. Files of MTEB 1.0 to 1.10 that say no main score are read by
    the metric that MTEB ranks the task by. A run with other arguments (``experiments/<arguments>``) is a model of its
    own. Time grows with the size of the files; only scores are held in memory.

    References
    ----------
    N. Muennighoff et al., "MTEB: Massive Text Embedding Benchmark", EACL 2023.
    """
    if revision not in (None, NEWEST):
        raise InputError(f"revision must be {NEWEST!r} or left out; got {revision!r}")
    reading = _Reading(Path(path), _Choice(tasks, split, subsets, languages))
    for file in _files(reading.root):
        reading.add(file)
    reading.choice.ensure_known()
    kept = reading.newest() if revision == NEWEST else reading.by_revision()
    if not kept:
        none = "no task file of MTEB ('task_name' and 'scores') with such a score is in it"
        raise FileFormatError(reading.root, (none, *reading.cases.notes()))
    told = reading.cases.by_note()
    unlike = Cases("task")
    _note_unlike(kept, unlike)
    cells = tuple(
        ResultCell(dataset=task, metric=METRIC, model=model, score=entry.score, file=entry.path)
        for (model, task), entry in kept.items()
    )
    told |= unlike.by_note()
    return Results(
        kind="MTEB", cells=cells, notes=tuple(told), cases=told, doubts=unlike.notes(), convention=CONVENTION
    )


def is_mteb(document: Any) -> bool:
    """Tell whether a JSON document is of one task: its name, and scores by split."""
    if not isinstance(document, Mapping):
        return False
    named = isinstance(document.get("task_name"), str) and isinstance(document.get("scores"), Mapping)
    return named or isinstance(document.get("mteb_dataset_name"), str)


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    if not root.is_dir():
        raise FileFormatError(root, "there is no such file or folder")
    for folder, inside, names in os.walk(root):
        inside.sort()
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".json") and name != META)


class _Choice:
    """What is asked for, and which of it was met."""

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
        self.known_tasks: set[str] = set()
        self.known_subsets: set[str] = set()
        self.known_languages: set[str] = set()

    def split_of(self, file: TaskFile) -> str:
        """Return the split that counts, or raise the error that says why there is none."""
        said = self.split.get(file.task) if isinstance(self.split, Mapping) else self.split
        if said is not None:
            if said not in file.splits:
                raise AwkwardFileError("not on the split that is asked for")
            return said
        if "test" in file.splits or len(file.splits) == 1:
            return "test" if "test" in file.splits else next(iter(file.splits))
        raise AwkwardFileError("several splits and none is 'test' (split says by task which counts)")

    def wants(self, task: str, row: Row) -> bool:
        """Tell whether an entry is asked for."""
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
        """Refuse what is asked for and in no file."""
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


class _Reading:
    """The scores read so far, by model, revision and task, and what was met on the way."""

    def __init__(self, root: Path, choice: _Choice) -> None:
        self.root, self.choice, self.cases = root, choice, Cases("file")
        self._entries: dict[tuple[str, str, str], Entry | None] = {}
        self._folders: dict[Path, tuple[str, str]] = {}
        self._alike: dict[frozenset[str], frozenset[str]] = {}

    def add(self, path: Path) -> None:
        """Read a file, or note why not."""
        where = str(path.relative_to(self.root)) if path != self.root else path.name
        task = ""
        try:
            file = task_file(path)
            task = file.task
            self.choice.known_tasks.add(task)
            if self.choice.tasks is not None and task not in self.choice.tasks:
                return
            split = self.choice.split_of(file)
            scores = self._scores(file, split, where)
            model, revision = self._model(path.parent)
        except AwkwardFileError as kind:
            self.cases.add(f"Left out, {kind}", where, of=task)
            return
        if len(file.splits) > 1:
            self.cases.add("Left out, splits beside the one that counts", where, of=task)
        subsets = frozenset(scores)
        entry = Entry(
            path=str(path),
            revision=revision,
            split=split,
            subsets=self._alike.setdefault(subsets, subsets),
            score=_mean(list(scores.values())),
            when=file.when,
        )
        self._place((model, revision, file.task), entry, where)

    def _model(self, folder: Path) -> tuple[str, str]:
        if folder not in self._folders:
            self._folders[folder] = model_of(folder)
        return self._folders[folder]

    def _scores(self, file: TaskFile, split: str, where: str) -> dict[str, float | Fraction]:
        """Return the scores by subset, noting those that are left out."""
        scores: dict[str, float | Fraction] = {}
        every = list(file.rows(split))
        rows = [row for row in every if self.choice.wants(file.task, row)]
        if self.choice.languages is not None and not all(row.languages for row in every):
            self.cases.add("Left out, subsets whose languages are not said, where languages are asked for", where)
        for row in rows:
            if row.score is not None and scores.setdefault(row.subset, row.score) != row.score:
                raise AwkwardFileError("a subset twice, with different scores")
        if not scores:
            raise AwkwardFileError("no score that is a number" if rows or not every else "no subset that is asked for")
        known = [row for row in rows if row.score is not None]
        if len(known) < len(rows):
            self.cases.add("Left out, subsets without a number as score", where, of=file.task)
        if len(known) > len(scores):
            self.cases.add("Read once, a subset twice with the same score", where, of=file.task)
        if metrics := sorted({row.metric for row in known} - {METRIC}):
            told = f"Written by MTEB 1.0 to 1.10 without {METRIC}, so read by the metric that ranks such tasks"
            self.cases.add(told, f"{where}: {', '.join(metrics)}", of=file.task)
        return scores

    def _place(self, key: tuple[str, str, str], entry: Entry, where: str) -> None:
        there = self._entries.setdefault(key, entry)
        if there is entry:
            return
        if there is not None and (there.split, there.subsets, there.score) == (entry.split, entry.subsets, entry.score):
            self.cases.add("Read once, a task twice for one revision of a model, with the same score", where)
            return
        if there is not None:
            self.cases.add(_TWICE, os.path.relpath(there.path, self.root))
        self.cases.add(_TWICE, where)
        self._entries[key] = None

    def by_revision(self) -> dict[tuple[str, str], Entry]:
        """Return the scores by model and task, of several revisions of a model each as a model of its own."""
        revisions: dict[str, set[str]] = {}
        for (model, revision, _), entry in self._entries.items():
            if entry is not None:
                revisions.setdefault(model, set()).add(revision)
        for model, its in revisions.items():
            if len(its) > 1:
                told = f"Several revisions, each a model of its own (revision={NEWEST!r} keeps one a task)"
                self.cases.add(told, f"{model}: {', '.join(sorted(its))}", noun="model")
        return {
            (model if len(revisions[model]) == 1 else f"{model}@{revision}", task): entry
            for (model, revision, task), entry in self._entries.items()
            if entry is not None
        }

    def newest(self) -> dict[tuple[str, str], Entry]:
        """Return the scores by model and task, those of the newest revision that has them."""
        rivals: dict[tuple[str, str], list[Entry]] = {}
        for (model, _, task), entry in self._entries.items():
            if entry is not None:
                rivals.setdefault((model, task), []).append(entry)
        kept, used = {}, dict[str, set[str]]()
        for (model, task), its in rivals.items():
            ranked = sorted(its, key=lambda entry: (*_age(entry), entry.revision))
            kept[model, task] = ranked[-1]
            used.setdefault(model, set()).add(ranked[-1].revision)
            if len(its) > 1:
                self.cases.add("Left out, a newer revision has the task", f"{task} of {model}", noun="score")
            if len(its) > 1 and _age(ranked[-1]) == _age(ranked[-2]):
                told = "Of revisions that neither version nor date tells apart the last by name counts"
                self.cases.add(told, f"{task} of {model}", noun="score")
        for model, revisions in used.items():
            if len(revisions) > 1:
                told = "Scores of several revisions under one name, since none has all tasks as the newest"
                self.cases.add(told, f"{model}: {', '.join(sorted(revisions))}", noun="model")
        return kept


_TWICE = "Left out, a task twice for one revision of a model, with different scores"


def _age(entry: Entry) -> tuple[bool, tuple[tuple[int, ...], float]]:
    return entry.revision not in UNNAMED, entry.when


def _names(given: Names) -> Iterable[str]:
    return (given,) if isinstance(given, str) else given


def _mean(scores: list[float | Fraction]) -> float | Fraction:
    """Return the exact mean."""
    if len(scores) == 1:
        return scores[0]
    if all(isinstance(score, float) for score in scores):
        with localcontext(prec=1_000):  # doubles have fewer decimal digits between the first and the last: all is exact
            total = Fraction(sum((Decimal(repr(score)) for score in scores), Decimal(0)))
    else:
        total = sum(map(fraction, scores), Fraction(0))
    return nearest_or_exact(total / len(scores))


def _note_unlike(kept: Mapping[tuple[str, str], Entry], cases: Cases) -> None:
    """Note the tasks on which the means of models are over different subsets, or of different splits."""
    asked: dict[str, dict[tuple[str, frozenset[str]], str]] = {}
    for (model, task), entry in kept.items():
        asked.setdefault(task, {}).setdefault((entry.split, entry.subsets), model)
    for task, ways in asked.items():
        if len(ways) > 1:
            several = sorted(ways.items(), key=lambda way: (-len(way[0][1]), way[1]))
            told = [f"{len(subsets)} of {split!r} for {model}" for (split, subsets), model in several]
            more = "" if len(told) == 2 else f"; {len(told)} ways in all"
            kind = (
                "Means over different subsets or splits, hard to compare (subsets, languages or split makes them alike)"
            )
            cases.add(kind, f"{task} ({told[0]}, {told[-1]}{more})")
