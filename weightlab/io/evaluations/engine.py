"""One procedure for the files of any evaluation program: reading, choosing among runs, notes.

A program is a `Program`: which files are its own, and a generator from one document to the runs in it.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._exact import WeightsLike, fraction
from weightlab._text import first_few
from weightlab._validate import nearest_or_exact
from weightlab.data import Instances
from weightlab.exceptions import FileFormatError, ResultsWarning, warn_caller
from weightlab.io.evaluations.results import Cases, ResultCell, Results, known_directions, listed_briefly, wide_frame
from weightlab.io.tables.json_table import json_file

Number: TypeAlias = float | Fraction
"""A decimal of a file, exactly: a double that prints as it, or else a fraction."""
PlacesLike: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A file or a folder, or several."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What is nothing for all runs: a hundred thousand of them have few mappings of their own."""
Directions: TypeAlias = Callable[[str, str], Iterable[bool]]
"""Direction of a metric on a dataset: whether higher is better."""


class AwkwardFileError(Exception):
    """A file, or a part of one, without a score; the message gives its kind, ``of`` the task."""

    def __init__(self, kind: str, of: str = "") -> None:
        super().__init__(kind)
        self.of = of


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run of a program says of one model on one dataset.

    Attributes
    ----------
    model, dataset : str
        The model and the dataset it was evaluated on.
    scores : mapping from metric to number
        Of scores on single instances the keys are pairs of a metric and an instance.
    file : str
        Where they stand: the file that was read.
    higher : mapping from metric to bool
        What the file says of directions.
    errors : mapping from metric to number
        Standard errors.
    part : str
        Runs of a model on a dataset are several runs of the same only where this is equal.
    stamp : str
        When it was; later ones sort behind, and empty is unknown.
    setting : str
        How it was evaluated, if runs of the most frequent setting count.
    asked : mapping from str to str
        Conditions that make scores of two models hard to compare if they differ.
    loaded : str
        How the model was loaded.
    mean_of : tuple of str or None
        The datasets whose mean these scores are, as far as they are named; None if they are not means.
    group : str
        What several datasets have in common.
    basis : tuple
        Over what each score is a mean: a split and its subsets.
    remarks : mapping from str to str
        Notes on this run if it counts: kinds of cases, each with the case.
    """

    model: str
    dataset: str
    scores: Mapping[Any, Number]
    file: str = ""
    higher: Mapping[str, bool] = field(default_factory=lambda: NOTHING)
    errors: Mapping[str, Number] = field(default_factory=lambda: NOTHING)
    part: str = ""
    stamp: str = ""
    setting: str = ""
    asked: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    loaded: str = ""
    mean_of: tuple[str, ...] | None = None
    group: str = ""
    basis: tuple[Any, ...] = ()
    remarks: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    @property
    def pair(self) -> str:
        """How a note names the run."""
        return f"{self.model} on {self.dataset}"


def json_files(root: Path) -> Iterator[Path]:
    """Go through the JSON files below a folder."""
    return (path for path in root.rglob("*.json") if path.is_file())


@dataclass(frozen=True, kw_only=True)
class Program:
    """An evaluation program, and how its results are read.

    Attributes
    ----------
    name, form : str
        Its name, and what identifies its files.
    runs : function from file, document and cases to runs
        Goes through one document, and adds to the cases what is left out.
    is_one : function from document to bool
        Tells a document of this program.
    called : str
        What its files are called that are taken apart in any case; empty where no name tells them.
    marks : tuple of tuples of bytes
        Contents of such a file: only files that hold every mark of some row are parsed. Empty if unknown.
    files : function from folder to paths
        The files to look into.
    load : function from path to document
        Reads one.
    repeats : bool
        Whether runs of one setting are repeats, whose exact mean counts; otherwise the newest counts.
    undecided : tuple of Cure or None
        What would help where nothing tells which of two runs is newer, which is refused; None where both are left out.
    settled : function from runs and cases to runs
        A last look at all runs before one of several is chosen.
    ensure_known : function
        Refuses requested names that are in no file.
    """

    name: str
    form: str
    runs: Callable[[Path, Any, Cases], Iterable[Run]]
    is_one: Callable[[Any], bool]
    called: str = ""
    marks: tuple[tuple[bytes, ...], ...] = ()
    files: Callable[[Path], Iterable[Path]] = json_files
    load: Callable[[Path], Any] = json_file
    repeats: bool = False
    undecided: tuple[Cure, ...] | None = None
    settled: Callable[[list[Run], Cases], list[Run]] = field(default=lambda runs, _: runs)
    ensure_known: Callable[[], None] = field(default=lambda: None)

    def may_be(self, path: Path) -> bool:
        """Return whether a file may be of this program, from its name and contents."""
        if not self.marks or (self.called and path.match(self.called)):
            return True
        data = path.read_bytes()
        return any(all(mark in data for mark in row) for row in self.marks)


def read_runs(program: Program, place: PlacesLike) -> tuple[list[Run], Cases]:
    """Return the runs that count, one per model and dataset, and the cases found on the way.

    Raises
    ------
    FileFormatError
        If there is no such file or folder, the only file cannot be read, nothing tells which of two runs is newer, or
        there is no run; then it says all that was left out.
    """
    roots = [Path(place)] if isinstance(place, str | os.PathLike) else [Path(one) for one in place]
    cases = Cases("file")
    found: dict[Path, Path] = {}
    for root in roots:
        if not root.exists():
            raise FileFormatError(root, "there is no such file or folder")
        found |= dict.fromkeys(sorted(program.files(root)) if root.is_dir() else [root], root)
    runs: list[Run] = []
    for path, root in found.items():
        cases.where = str(path.relative_to(root)) if path != root else path.name
        try:
            runs += _runs_in(path, program, cases, sure=path == root)
        except AwkwardFileError as kind:
            if path == root:
                raise FileFormatError(path, f"no score of {program.name} ({program.form}) is in it: {kind}") from None
            cases.add(f"Left out, {kind}", of=kind.of)
        except FileFormatError as error:
            if path == root:
                raise
            cases.add("Left out, cannot be read", f"{cases.where}: {'; '.join(error.faults)}")
    program.ensure_known()
    name = ", ".join(map(str, roots)) or "no folder"
    kept = _one_of_each(program, program.settled(runs, cases), cases, name)
    if not any(run.scores for run in kept if run.mean_of is None):
        raise FileFormatError(name, (f"no score of {program.name} ({program.form}) is in it", *cases.notes()))
    return kept, cases


def _runs_in(path: Path, program: Program, cases: Cases, *, sure: bool) -> list[Run]:
    """Return the runs in one file, which is taken apart where it is sure, or may be one of the program."""
    document = program.load(path) if sure or program.may_be(path) else None
    if not program.is_one(document):
        raise AwkwardFileError(f"nothing of {program.name}")
    return [replace(run, file=str(path)) for run in program.runs(path, document, cases)]


def _one_of_each(program: Program, runs: Iterable[Run], cases: Cases, name: str) -> list[Run]:
    """Return the run that counts of each model and dataset, saying which models were loaded in several ways."""
    rivals: dict[tuple[str, str, str], list[Run]] = {}
    loaded: dict[str, dict[str, None]] = {}
    for run in runs:
        rivals.setdefault((run.model, run.dataset, run.part), []).append(run)
        if run.loaded:
            loaded.setdefault(run.model, {})[run.loaded] = None
    for model, ways in loaded.items():
        if len(ways) > 1:
            kind = "Loaded in several ways, whose runs count as those of one model"
            cases.add(kind, f"{model}: {first_few(ways)}", noun="model")
    doubts = cases if program.undecided is None else Cases("case")
    kept = [_chosen(its, program, cases, doubts) if len(its) > 1 else its[0] for its in rivals.values()]
    if program.undecided is not None and doubts.notes():
        raise FileFormatError(name, [Fault(note, *program.undecided) for note in doubts.notes()])
    return [run for run in kept if run is not None]


def _chosen(runs: Sequence[Run], program: Program, cases: Cases, doubts: Cases) -> Run | None:
    """Return the run that counts of several: of the most frequent setting the newest, or the mean of all."""
    pair = runs[0].pair
    settings = Counter(run.setting for run in runs)
    most = max(settings.values())
    if len(settings) > 1:
        tied = sum(count == most for count in settings.values()) > 1
        told = "equally frequent, so that of the first folder" if tied else "so the most frequent"
        cases.add(f"Several settings, {told} counts", pair, noun="case")
    usual = next(setting for setting, count in settings.items() if count == most)
    same = [run for run in runs if run.setting == usual]
    if program.repeats and len(same) > 1:
        cases.add("Several runs of one setting: their mean counts", pair, noun="case")
        return replace(same[0], scores=_means([run.scores for run in same]))
    newest = max(run.stamp for run in same)
    last = [run for run in same if run.stamp == newest] if all(run.stamp for run in same) else same
    if len(last) < len(same):
        cases.add("Several runs: the newest counts", pair, noun="case")
    if any(run.scores != last[0].scores for run in last):
        files = first_few(dict.fromkeys(run.file for run in last), 2)
        kind = "Nothing tells which of several scores is the newest" + (", all left out" if doubts is cases else "")
        doubts.add(kind, f"{pair} in {files}", noun="case")
        return None
    if len(last) > 1:
        cases.add("Several times with the same scores", pair, noun="case")
    return last[0]


def _means(scores: Iterable[Mapping[Any, Number]]) -> dict[Any, Number]:
    """Return the exact mean of each score over those that have it."""
    pooled: dict[Any, list[Number]] = {}
    for its in scores:
        for key, number in its.items():
            pooled.setdefault(key, []).append(number)
    return {key: exact_mean(numbers) for key, numbers in pooled.items()}


def exact_mean(numbers: Sequence[Number]) -> Number:
    """Return the mean of at least one number, exactly."""
    if len(numbers) == 1:
        return numbers[0]
    if all(isinstance(one, float) for one in numbers):
        with localcontext(prec=1_000):  # doubles have fewer decimal digits between the first and the last: all is exact
            total = Fraction(sum((Decimal(repr(one)) for one in numbers), Decimal(0)))
    else:
        total = sum(map(fraction, numbers), Fraction(0))
    return nearest_or_exact(total / len(numbers))


# What the runs that count become: results of whole datasets, or scores on single instances.


def results_of(program: Program, place: PlacesLike, *, convention: str = "", by_metric_alone: bool = True) -> Results:
    """Return the results of a program: the scores that count, their groups, and all notes.

    Raises
    ------
    FileFormatError
        As `read_runs`.
    """
    runs, cases = read_runs(program, place)
    groups = _groups(runs, cases)
    counted = [run for run in runs if run.mean_of is None]
    unlike = _unlike_bases(counted)
    told = cases.by_note() | unlike.by_note()
    cells = tuple(
        ResultCell(
            dataset=run.dataset,
            metric=metric,
            model=run.model,
            score=score,
            higher_is_better=run.higher.get(metric),
            error=run.errors.get(metric, math.nan),
            file=run.file,
        )
        for run in counted
        for metric, score in run.scores.items()
    )
    return Results(
        kind=program.name,
        cells=cells,
        groups=groups,
        notes=(*told, *_unlike(counted)),
        names_metrics=by_metric_alone,
        cases=told,
        doubts=unlike.notes(),
        convention=convention,
    )


def _groups(runs: Iterable[Run], cases: Cases) -> dict[str, tuple[str, ...]]:
    """Return the groups of datasets that are named, and say what else the runs that count say of themselves."""
    means = {run.dataset: run.mean_of for run in runs if run.mean_of is not None}
    for dataset in means:
        cases.add("Left out as means of their subtasks", dataset, noun="task")
    grouped: dict[str, dict[str, None]] = {}
    for run in runs:
        if run.mean_of is not None:
            continue
        for kind, case in run.remarks.items():
            cases.add(kind, case, noun="case")
        if run.dataset in means:
            cases.add("Without scores of the subtasks for some models, which have the mean", run.dataset, noun="task")
        if run.group:
            grouped.setdefault(run.group, {})[run.dataset] = None
    named = {name: tuple(its) for name, its in grouped.items() if len(its) > 1}
    return {name: its for name, its in means.items() if its} | named


def _unlike(runs: Iterable[Run]) -> Iterator[str]:
    """Name the datasets on which models were evaluated in different ways."""
    asked: dict[tuple[str, str], dict[str, str]] = {}
    for run in runs:
        for key, value in run.asked.items():
            asked.setdefault((key, run.dataset), {}).setdefault(value, run.model)
    alike: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for (key, dataset), ways in asked.items():
        if len(ways) > 1:
            alike.setdefault((key, tuple(ways.items())), []).append(dataset)
    for (key, listed), datasets in alike.items():
        told = ", ".join(f"{way} for {model!r}" for way, model in listed)
        yield f"Different {key} on {listed_briefly(datasets)}: {told}."


def _unlike_bases(runs: Iterable[Run]) -> Cases:
    """Note the tasks on which the means of models are over different subsets, or of different splits."""
    cases = Cases("task")
    ways: dict[str, dict[tuple[Any, ...], str]] = {}
    for run in runs:
        if run.basis:
            ways.setdefault(run.dataset, {}).setdefault(run.basis, run.model)
    for task, its in ways.items():
        if len(its) > 1:
            several = sorted(its.items(), key=lambda way: (-len(way[0][1]), way[1]))
            told = [f"{len(subsets)} of {split!r} for {model}" for (split, subsets), model in several]
            more = "" if len(told) == 2 else f"; {len(told)} ways in all"
            kind = (
                "Means over different subsets or splits, hard to compare (subsets, languages or split makes them alike)"
            )
            cases.add(kind, f"{task} ({told[0]}, {told[-1]}{more})")
    return cases


def read_samples(
    programs: Iterable[Program],
    place: PlacesLike,
    said: Directions,
    *,
    lower_is_better: str | Iterable[str] | None,
    higher_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None,
) -> Instances:
    """Return the scores on single instances that programs wrote: of their runs the keys are metric and instance.

    A task is a dataset, or ``metric/dataset`` where any has several metrics.

    Raises
    ------
    FileFormatError
        As `read_runs`, of the last of the programs.
    InputError
        If a direction is not known.
    """
    scores: dict[tuple[str, str], dict[tuple[str, Any], Number]] = {}
    directed: dict[tuple[str, str], set[bool]] = {}
    notes: list[str] = []
    refused: list[FileFormatError] = []
    for program in programs:
        try:
            runs, cases = read_runs(program, place)
        except FileFormatError as error:
            refused.append(error)
            continue
        notes += cases.notes()
        for run in runs:
            for (metric, instance), score in run.scores.items():
                scores.setdefault((run.dataset, metric), {})[run.model, instance] = score
            for metric, higher in run.higher.items():
                directed.setdefault((run.dataset, metric), set()).add(higher)
    if not scores:
        raise refused[-1]
    if notes:
        warn_caller(ResultsWarning([*dict.fromkeys(notes)]))
    several = len(scores) > len({dataset for dataset, _ in scores})
    called = {(dataset, metric): f"{metric}/{dataset}" if several else dataset for dataset, metric in scores}
    cells = [
        ResultCell(dataset=dataset, metric=metric, model="", score=math.nan, higher_is_better=higher)
        for dataset, metric in scores
        for higher in directed.get((dataset, metric)) or said(dataset, metric) or (None,)
    ]
    leading = known_directions(cells, lower_is_better, lambda cell: called[cell.dataset, cell.metric], higher_is_better)
    return Instances(
        {called[key]: wide_frame(its) for key, its in scores.items()},
        lower_is_better=[name for name, higher in leading.items() if not higher],
        higher_is_better=[name for name, higher in leading.items() if higher],
        weights=weights,
    )


# Paths inside a document.


def part(document: Any, *keys: str) -> Mapping[str, Any]:
    """Return the object under some keys, empty if absent."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else NOTHING


def objects(listed: Any) -> Iterator[Mapping[str, Any]]:
    """Go through the objects in a list."""
    return (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, dict))
