"""Tables with a row per score: told by their columns, and turned into one row per model and one column per task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import IntArray
from weightlab._result import Frozen
from weightlab._text import first_few, shown
from weightlab.io.reading.drafts import Draft
from weightlab.io.reading.layouts import KEYS
from weightlab.io.reading.propose import peeked
from weightlab.io.reading.roles import decide_roles
from weightlab.io.reading.words import hit, is_called, words_of
from weightlab.io.tables.columns import RUNS
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.sheet import Block, Decided, FileFaults, Sheet

FEWEST_SHARED = 2
"""Data sets that half of the models have, at least, where each row is a score."""
ROW = "row"
"""What numbers the rows of one model and data set where no column does."""
_LEVEL_ROLES = ("lower", "higher", "data set name", "data set")


class Long(Frozen):
    """Where things stand in a table with a row per score: places of columns.

    Attributes
    ----------
    data : tuple of int
        What names the data sets, parts joined by ``/``.
    model, metric, repeats : int, int or None, int or None
        What names the models and the metrics, and what tells repeats apart.
    scores : tuple of int
        The scores, a column per metric unless one names it.
    """

    data: tuple[int, ...]
    model: int
    metric: int | None
    repeats: int | None
    scores: tuple[int, ...]


def widened(sheet: Sheet, declared: Settings) -> Sheet:
    """Return a sheet with a row per model, whose columns are tasks, of one with a row per score; others as they are.

    A task is called by its data set, behind the name of the score where there are several scores. Which way a task
    counts is decided where the scores of all data sets stand in one column, and carried over.
    """
    if "transpose" in declared.values or len(sheet.header) < 3:
        return sheet
    sheet, cells = peeked(sheet)
    drafts = [Draft.of(name, at, its) for at, (name, its) in enumerate(zip(sheet.header, cells, strict=True))]
    found = _levels(drafts) if sheet.levels else _found(drafts, declared)
    if found is None:
        return sheet
    sheet, cells = peeked(sheet, None)
    return _pivoted(sheet, cells, found, drafts)


def _found(drafts: Sequence[Draft], declared: Settings) -> Long | None:
    """Return where things stand in a table with a row per score; None of any other.

    Its data sets and its models are columns that are called so, neither of which tells rows apart, and half of the
    models have two data sets or more.
    """
    dropped = declared.columns("drop", [one.name for one in drafts], FileFaults(""))
    free = [one for one in drafts if one.name not in dropped]
    texts = [one for one in free if one.kinds["text"] > one.kinds["number"]]
    names = [*texts, *(one for one in free if one.numeric and one.whole and not one.dressed)]
    models = sorted((one for one in texts if is_called(one.name, "key")), key=_rank)
    data = [one for one in names if is_called(one.name, "data set column") and one not in models[:1]]
    if not models or not data:
        return None
    model, sets = models[0], data[0]
    metric = next((one for one in free if is_called(one.name, "metric column") and one not in (model, sets)), None)
    keys = [model, sets, *([metric] if metric else [])]
    codes = _code([one.codes for one in keys])
    shared = pd.Series(sets.codes).groupby(model.codes).nunique()
    if len(set(model.codes.tolist())) in {1, len(model.codes)} or shared.median() < FEWEST_SHARED:
        return None
    repeated = len(np.unique(codes)) < len(codes)
    runs = [one for one in free if one not in keys and one.name.strip().casefold() in RUNS]
    given = declared.values.get("repeats_by")
    repeats = next((one for one in free if one.name == given), runs[0] if runs and repeated else None)
    rest = [one for one in drafts if one not in keys and one is not repeats and one in free]
    for one in rest:
        if not one.numeric and not one.some_numbers:
            one.decide("text", "certain", "text")
    decide_roles(rest)
    tasks = [one for one in rest if one.role == "task"]
    named = [one for one in rest if one.numeric and is_called(one.name, "score column") and not _is_metric(one.name)]
    for one in named:
        if one.role != "task":  # a score looks like a total of what stands beside it
            one.decide("task", "assumed", "not declared", lower=False)
    scores = named if len(named) == 1 else tasks
    if not scores or (metric is not None and len(scores) > 1):
        return None
    return Long(
        data=(sets.place,),
        model=model.place,
        metric=None if metric is None else metric.place,
        repeats=None if repeats is None else repeats.place,
        scores=tuple(one.place for one in scores),
    )


def _is_metric(name: str) -> bool:
    return any(hit(name, role) for role in ("lower", "higher"))


def _rank(draft: Draft) -> tuple[int, bool, int]:
    """Return how well a header names models: one that could name data sets comes last, as an algorithm can."""
    joined = " ".join(words_of(draft.name))
    known = KEYS.index(joined) if joined in KEYS[:6] else len(KEYS)
    return known, is_called(draft.name, "data set column"), draft.place


def _levels(drafts: Sequence[Draft]) -> Long:
    """Return which level of objects in objects holds the models: the last, unless its names are those of tasks."""
    *levels, score = drafts
    likeness = [np.mean([_is_of_a_task(name) for name in {*one.cells}]) for one in levels]
    model = levels[0] if likeness[-1] > 0.5 >= likeness[0] else levels[-1]
    score.decide("task", "assumed", "not declared", lower=False)
    data = tuple(one.place for one in levels if one is not model)
    return Long(data=data, model=model.place, metric=None, repeats=None, scores=(score.place,))


def _is_of_a_task(name: str) -> bool:
    """Return whether a name is that of a metric, a data set, or a pair of languages."""
    parts = name.split("-")
    languages = len(parts) == 2 and all(len(one) in {2, 3} and one.isalpha() and one.islower() for one in parts)
    return languages or any(hit(name, role) for role in _LEVEL_ROLES) or is_called(name, "data set name")


def _code(codes: Sequence[IntArray]) -> IntArray:
    """Return a number for each row, the same for rows that are the same in all columns."""
    made = np.zeros(len(codes[0]), dtype=np.int64)
    for one in codes:
        made = np.unique(made * (int(one.max(initial=0)) + 1) + one, return_inverse=True)[1]
    return made


def _pivoted(sheet: Sheet, cells: Sequence[Sequence[Any]], found: Long, drafts: Sequence[Draft]) -> Sheet:
    model, models = _factorized(cells[found.model])
    parts = [cells[place] for place in (*([] if found.metric is None else [found.metric]), *found.data)]
    task, tasks = _factorized(["/".join(map(str, row)) for row in zip(*parts, strict=True)])
    # Rows of one model and data set are repeats: a wide row for each, told apart by their column or by their number.
    if found.repeats is not None:
        repeat, repeats = _factorized(cells[found.repeats])
    else:
        repeat = np.asarray(pd.Series(task).groupby([model, task]).cumcount(), dtype=np.int64)
        repeats = [str(one + 1) for one in range(int(repeat.max(initial=0)) + 1)]
    row, rows = pd.factorize(model * len(repeats) + repeat, sort=True)
    if len(np.unique(row * len(tasks) + task)) < len(row):
        return sheet  # two scores for one place: the reader of wide tables names the rows
    header, columns, decided = [sheet.header[found.model]], [[models[one // len(repeats)] for one in rows]], {}
    if found.repeats is not None or len(repeats) > 1:
        header.append(ROW if found.repeats is None else sheet.header[found.repeats])
        columns.append([repeats[one % len(repeats)] for one in rows])
        decided[header[1]] = Decided(lower=None, certainty="certain", why="tells repeats apart", role="repeat")
    by_metric = {} if found.metric is None else _by_metric(cells[found.metric], cells[found.scores[0]])
    order = np.argsort(task, kind="stable")
    of_tasks = np.split(order, np.searchsorted(task[order], np.arange(1, len(tasks))))
    for place in found.scores:
        for name, its in zip(tasks, of_tasks, strict=True):
            column: list[Any] = [None] * len(rows)
            for one in its.tolist():
                column[row[one]] = cells[place][one]
            header.append(f"{sheet.header[place]}/{name}" if len(found.scores) > 1 else name)
            columns.append(column)
            draft = drafts[place] if found.metric is None else by_metric[cells[found.metric][its[0]]]
            decided[header[-1]] = Decided(lower=bool(draft.lower), certainty=draft.certainty, why=draft.why)
    block = Block(rows=range(1, len(rows) + 1), columns=columns)
    wide = replace(sheet, header=tuple(header), blocks=iter([block]), place=_places(columns[0]), keyed=False)
    return replace(wide, labelled=True, levels=0, decided=decided, remarks=(*sheet.remarks, _told(sheet, found)))


def _factorized(cells: Sequence[Any]) -> tuple[IntArray, list[str]]:
    """Return a number for each cell, the same for the same text, and the texts in order of first appearance."""
    codes, texts = pd.factorize(np.array([str(one) for one in cells], dtype=object))
    return codes.astype(np.int64), [str(one) for one in texts]


def _by_metric(metrics: Sequence[Any], scores: Sequence[Any]) -> dict[Any, Draft]:
    """Return a decided draft of the scores by each metric."""
    held: dict[Any, list[Any]] = {}
    for metric, score in zip(metrics, scores, strict=True):
        held.setdefault(metric, []).append(score)
    drafts = {metric: Draft.of(str(metric), at, its) for at, (metric, its) in enumerate(held.items())}
    for draft in drafts.values():
        decide_roles([draft])
        if draft.role != "task":
            draft.decide("task", "assumed", "not declared", lower=False)
    return drafts


def _places(models: Sequence[str]) -> Any:
    return lambda row: f"the scores of {models[row - 1]!r}"


def _told(sheet: Sheet, found: Long) -> str:
    """Return how a long table was read."""

    def called(places: Sequence[int]) -> str:
        return first_few((shown(sheet.header[one]) for one in places), 3)

    metric = "" if found.metric is None else f", metrics from {called([found.metric])}"
    return f"a row per score: data sets from {called(found.data)}{metric}, scores from {called(found.scores)}"
