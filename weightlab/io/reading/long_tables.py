"""Tables with a row per score: told by their columns, and turned into one row per model and one column per task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import IntArray
from weightlab._result import Frozen
from weightlab._text import counted, first_few, shown
from weightlab._validate import is_missing
from weightlab.io.reading.drafts import Draft, headers_recur
from weightlab.io.reading.layouts import is_of_a_task
from weightlab.io.reading.propose import peeked
from weightlab.io.reading.roles import decide_roles, has_unit
from weightlab.io.reading.spelled import taken_apart
from weightlab.io.reading.words import FEWEST_INSTANCES, NAMING, hit, is_called, names_instances, words_of
from weightlab.io.tables.columns import RUNS, plain_name
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.heads import KEYS
from weightlab.io.tables.sheet import Block, Decided, FileFaults, Sheet

FEWEST_SHARED = 2
"""Data sets that half of the models have, at least, where each row is a score."""
ROW = "row"
"""What numbers the rows of one model and data set where no column does."""
YES, NO = {"true", "1", "1.0", "yes"}, {"false", "0", "0.0", "no"}
"""How a column says that a direction holds, or the other."""
SUCCESSES = {"true": "1", "false": "0", "yes": "1", "no": "0", "pass": "1", "fail": "0", "passed": "1", "failed": "0"}
"""How a column says whether something succeeded."""
SETTINGS = frozenset({"config", "configuration", "options", "parameters", "params", "setting", "settings", "variant"})
"""What columns are called that tell apart settings of one model."""
NAME_PARTS = " / "
"""What joins the parts of a name."""
OF_TIME = frozenset({"year", "season", "month", "week", "day", "date", "round", "version", "id"})
"""Words for what may be repeats as well as tasks."""
FEWEST_OFFERED = 4
"""Scores of a data set from which one alone is offered."""
FEWEST_CROSSED, MOST_CROSSED, MOST_TRIED = 2, 0.7, 8
"""Names that each of two columns has at least, the share of their pairs that occurs, and how many columns are tried."""


class Long(Frozen):
    """Where things stand in a table with a row per score: places of columns.

    Attributes
    ----------
    data : tuple of int
        What names the data sets, parts joined by ``/``.
    model : tuple of int
        What names the models, likewise.
    metric, repeats : int or None
        The column of the metrics, and the one that tells repeats apart.
    scores : tuple of int
        The scores, a column per metric unless one names it.
    doubt : str
        Why this is only likely; nothing where it is certain or declared.
    """

    data: tuple[int, ...]
    model: tuple[int, ...]
    metric: int | None
    repeats: int | None
    scores: tuple[int, ...]
    doubt: str


def widened(sheet: Sheet, declared: Settings) -> Sheet:
    """Return a sheet with a row per model, whose columns are tasks, of one with a row per score; others as they are.

    A task is called by its data set, behind the name of the score where there are several scores. Which way a task
    counts is decided where the scores of all data sets stand in one column, and carried over.
    """
    if "transpose" in declared.values or len(sheet.header) < 3:
        return sheet
    sheet, cells = peeked(sheet)
    cells = _with_successes(sheet.header, cells)
    drafts = [Draft.of(name, at, its) for at, (name, its) in enumerate(zip(sheet.header, cells, strict=True))]
    found = _levels(drafts) if sheet.levels else _found(drafts, declared)
    if found is None:
        return sheet
    sheet, cells = peeked(sheet, None)
    cells = _with_successes(sheet.header, cells)
    named = [found.model[0], *found.data, *([] if found.metric is None else [found.metric])]
    blank = [
        at
        for at, names in enumerate(zip(*(cells[place] for place in named), strict=True))
        if any(map(_is_blank, names))
    ]
    if len(blank) == len(cells[0]):
        return sheet
    if blank:
        left = {*blank}
        cells = [[cell for at, cell in enumerate(column) if at not in left] for column in cells]
        told = f"{counted(len(blank), 'row')} without a name of its model or data set left out"
        sheet = replace(sheet, remarks=(*sheet.remarks, told))
    wide = _pivoted(sheet, cells, found, drafts)
    apart = next((one.name for one in drafts if ROW in wide.header and _is_of_one_row(one, found)), "")
    return replace(wide, steadiest=_steadiest(drafts, found), apart=apart)


def _with_successes(header: Sequence[str], cells: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the columns, those that say in words whether something succeeded as 1 and 0."""
    made = [*cells]
    for at, name in enumerate(header):
        held = {str(one).strip().casefold() for one in cells[at]} if is_called(name, "success") else set[str]()
        if held and held <= {*SUCCESSES, ""}:
            made[at] = [SUCCESSES.get(str(one).strip().casefold(), "") for one in cells[at]]
    return made


def _is_blank(cell: Any) -> bool:
    return is_missing(cell) or not str(cell).strip()


def _found(drafts: Sequence[Draft], declared: Settings) -> Long | None:
    """Return where things stand in a table with a row per score; None of any other.

    Its data sets and its models are columns named or declared as such, neither tells rows apart, and some model has two
    data sets or more. Where rows are not told apart by these, further columns do it; where
    nothing is called so, two columns of text that together tell rows apart and whose pairs nearly all occur.
    """
    dropped = declared.columns("drop", [one.name for one in drafts], FileFaults(""))
    free = [one for one in drafts if one.name not in dropped]
    names, given = _names(free), declared.values.get("repeats_by")
    if headers_recur(drafts):
        return None
    plan = _declared(free, declared) or _called(free, names) or _crossed(names, free)
    plan = plan or (_by_setting(free, names) if given is None else None)
    if plan is None:
        return None
    model, data, metric, doubt = plan
    keys = [*data, *([metric] if metric else []), *model]
    repeated = not _tells_apart(keys)
    repeats = next((one for one in free if one.name == given), None)
    if repeated and repeats is None:
        repeats, over = _runs([one for one in free if one not in keys], model, data)
        doubt = doubt or over
    set_so = [one for one in names if one not in keys and one.name.strip().casefold() in SETTINGS]
    if repeated and repeats is None and set_so:
        set_so = _in_fewer_words(set_so, keys, names)
        model, keys = [*model, *set_so], [*keys, *set_so]
        doubt = doubt or f"{set_so[0].name} belongs to the names of models"
        repeated = not _tells_apart(keys)
    apart = _tells_apart([*keys, *([repeats] if repeats else [])])
    if not apart and given is None and (more := _completing([*keys, *([repeats] if repeats else [])], names, free)):
        # What belongs to one model each, as its version does, is part of its name; all else tells data sets apart.
        finer = [one for one in more if _determines([one], model) or _begins_alike(one, model[0])]
        model, data = [*model, *finer], [*data, *(one for one in more if one not in finer)]
        keys = [*keys, *more]
        doubt = doubt or "only these tell rows apart"
    scores = _scores([one for one in free if one not in keys and one is not repeats])
    if not scores or (metric is not None and len(scores) > 1):
        return None
    return Long(
        data=tuple(one.place for one in data),
        model=tuple(one.place for one in model),
        metric=None if metric is None else metric.place,
        repeats=None if repeats is None else repeats.place,
        scores=tuple(one.place for one in scores),
        doubt=doubt,
    )


_Plan: TypeAlias = tuple[list[Draft], list[Draft], Draft | None, str]
"""The columns that name models, data sets and metrics, and the doubt about that."""


def _names(free: Sequence[Draft]) -> list[Draft]:
    """Return the columns that may name something: texts, and whole numbers."""
    texts = [one for one in free if one.kinds["text"] > one.kinds["number"]]
    return [*texts, *(one for one in free if one.numeric and one.whole and not one.dressed)]


def _declared(free: Sequence[Draft], declared: Settings) -> _Plan | None:
    """Return the columns as they are declared: those of data sets, and by name or by its header that of models."""
    if "dataset_column" not in declared.values:
        return None
    faults = FileFaults(declared.origin or "the table")
    meant = {*declared.columns("dataset_column", [one.name for one in free], faults)}
    faults.raise_here()
    data = [one for one in free if one.name in meant]
    named = [one for one in free if one.name in declared.listed("name_column")]
    rest = [one for one in free if one not in data and one.kinds["text"] > one.kinds["number"]]
    model = named or sorted((one for one in rest if is_called(one.name, "key")), key=_rank)[:1] or rest[:1]
    metric = next((one for one in data if is_called(one.name, "metric column")), None)
    return (model, [one for one in data if one is not metric], metric, "") if model else None


def _called(free: Sequence[Draft], names: Sequence[Draft]) -> _Plan | None:
    """Return the columns that are called so, where half of the models have two data sets or more."""
    texts = [one for one in names if one.kinds["text"] > one.kinds["number"]]
    models = sorted((one for one in texts if is_called(one.name, "key")), key=_rank)
    data = [one for one in names if is_called(one.name, "data set column") and one not in models[:1]]
    if not models or not data:
        return None
    sets = next((one for one in data if _count(one) > 1), data[0])
    models = [one for one in models if one is not sets]
    model = next((one for one in models if _tells_apart([sets, one])), models[0])
    metric = next((one for one in free if is_called(one.name, "metric column") and one not in (model, sets)), None)
    shared = pd.Series(sets.codes).groupby(model.codes).nunique()
    if len(set(model.codes.tolist())) in {1, len(model.codes)} or shared.max() < FEWEST_SHARED:
        return None
    if shared.median() < FEWEST_SHARED and len(texts) > 1 and any(_tells_apart([one]) for one in texts):
        return None
    return [model], [sets], metric, ""


def _crossed(names: Sequence[Draft], free: Sequence[Draft]) -> _Plan | None:
    """Return two columns of text whose pairs nearly all occur, once each, where no column of text tells rows apart.

    Where neither is called by data sets and many scores stand beside them that no metric names, these are the data
    sets, and the two together name the models: ``encoder, learner, CoLA, SST, RTE, MRPC``.
    """
    texts = [one for one in names if one.kinds["text"] and not one.kinds["number"]][:MOST_TRIED]
    rows = len(texts[0].codes) if texts else 0
    if any(_count(one) == rows for one in texts):
        return None
    for at, one in enumerate(texts):
        for two in texts[at + 1 :]:
            pairs = _count(one) * _count(two)
            if is_called(one.name, "key") and is_called(two.name, "key"):
                continue  # two parts of one name
            dense = min(_count(one), _count(two)) >= FEWEST_CROSSED and rows >= MOST_CROSSED * pairs
            if dense and _tells_apart([one, two]):
                turned = is_called(one.name, "key") and not is_called(two.name, "key")
                turned = turned or (is_called(two.name, "rows are tasks") and not is_called(one.name, "rows are tasks"))
                model, data = (one, two) if turned else (two, one)
                told = "nearly all pairs of these occur, once each"
                if is_called(model.name, "metric column"):
                    model, data = data, model
                metric = data if is_called(data.name, "metric column") else None
                beside = [one.name for one in free if one.numeric and one not in (model, data)]
                metrics = sum(any(hit(one, role) for role in ("lower", "higher")) for one in beside)
                if not _names_sets(data) and len(beside) >= FEWEST_OFFERED and metrics * 2 < len(beside):
                    return None
                return [model], [] if metric else [data], metric, told
    return None


def _names_sets(draft: Draft) -> bool:
    return any(is_called(draft.name, role) for role in ("data set column", "rows are tasks", "metric column"))


def _by_setting(free: Sequence[Draft], names: Sequence[Draft]) -> _Plan | None:
    """Return the column that names models, and the one or two of numbers that nearly all models have alike.

    ``system, threads, seconds`` is such a table, or ``method, noise, accuracy``: a row per model and setting.
    """
    texts = [one for one in names if one.kinds["text"] > one.kinds["number"]]
    model = next(iter(sorted((one for one in texts if is_called(one.name, "key")), key=_rank)), None)
    if model is None and len(texts) == 1:
        model = texts[0]
    rows = len(model.codes) if model is not None else 0
    if any(one.name.strip().casefold() in RUNS for one in free):
        return None  # which tells repeats apart
    if model is None or not FEWEST_CROSSED <= _count(model) < rows or any(_count(one) == rows for one in texts):
        return None
    able = [one for one in free if one.numeric and not one.dressed and _count(one) >= FEWEST_CROSSED]
    # Each stands for two models on average, unless called as a size, up to which not all models may have been run.
    able = [one for one in able if _count(one) <= rows / 2 or (one.whole and (hit(one.name, "fact") or _is_n(one)))]
    able = [one for one in able if not OF_TIME & {*words_of(one.name)}][:MOST_TRIED]
    for some in [*([one] for one in able), *([one, two] for at, one in enumerate(able) for two in able[at + 1 :])]:
        pairs = _count(model) * int(np.prod([_count(one) for one in some]))
        if rows >= MOST_CROSSED * pairs and _tells_apart([model, *some]):
            return [model], some, None, "only these tell rows apart"
    some = able if _tells_apart([model, *able]) else []
    for one in reversed(some):  # those behind are rather scores than settings
        rest = [other for other in some if other is not one]
        some = rest if _tells_apart([model, *rest]) else some
    dense = rows >= MOST_CROSSED * _count(model) * int(np.prod([_count(one) for one in some]))
    return ([model], some, None, "only these tell rows apart") if some and dense else None


def _runs(free: Sequence[Draft], model: Sequence[Draft], data: Sequence[Draft]) -> tuple[Draft | None, str]:
    """Return the column that tells repeats apart, of runs or else of instances, and the doubt about that."""
    runs = [one for one in free if one.name.strip().casefold() in RUNS]
    if varied := next((one for one in runs if _count(one) > 1), None):
        return varied, ""
    if found := next((one for one in _names(free) if _is_instance(one, model, data)), None):
        return found, f"means over {found.name}"
    return next(iter(runs), None), ""  # one run alone tells nothing apart: a score given twice is a fault


def _is_instance(draft: Draft, model: Sequence[Draft], data: Sequence[Draft]) -> bool:
    """Return whether a column names the instances of data sets, such as questions: each model has each of them once."""
    if not names_instances(draft.name) or not _tells_apart([draft, *data, *model]):
        return False
    sets, instances = (len(np.unique(_code([one.codes for one in some]))) for some in (data, [*data, draft]))
    return instances >= FEWEST_INSTANCES * sets


def _is_n(draft: Draft) -> bool:
    return draft.name.strip().casefold() in {"n", "k"}


def _count(draft: Draft) -> int:
    return len(np.unique(draft.codes))


def _tells_apart(keys: Sequence[Draft]) -> bool:
    codes = _code([one.codes for one in keys])
    return len(np.unique(codes)) == len(codes)


def _determines(some: Sequence[Draft], others: Sequence[Draft]) -> bool:
    """Return whether rows that are the same in some columns are the same in others."""
    codes = _code([one.codes for one in some])
    return len(np.unique(_code([codes, *(one.codes for one in others)]))) == len(np.unique(codes))


def _in_fewer_words(settings: Sequence[Draft], keys: Sequence[Draft], names: Sequence[Draft]) -> list[Draft]:
    """Return the column with the fewest texts that tells rows apart, such as default or tuned, else the settings."""
    able = [one for one in names if one not in keys and one.kinds["text"] and _tells_apart([*keys, one])]
    return sorted(able, key=_count)[:1] or [*settings]


def _begins_alike(one: Draft, other: Draft) -> bool:
    """Return whether a header is another one with more words, as Solver Version is of Solver."""
    words = words_of(other.name)
    return words_of(one.name)[: len(words)] == words


def _completing(keys: Sequence[Draft], names: Sequence[Draft], free: Sequence[Draft]) -> list[Draft]:
    """Return the fewest further columns, one or two, that together with some tell all rows apart."""
    rows = len(keys[0].codes)
    more = [one for one in free if one.numeric and not one.dressed and one not in names]
    able = [
        one for one in (*names, *more) if one not in keys and 1 < _count(one) <= rows / 4 and not _is_metric(one.name)
    ]
    able = able[:MOST_TRIED]
    for some in [*([one] for one in able), *([one, two] for at, one in enumerate(able) for two in able[at + 1 :])]:
        if _tells_apart([*keys, *some]):
            return some
    return []


def _scores(rest: Sequence[Draft]) -> list[Draft]:
    """Decide what all other columns are, and return those that hold the scores."""
    for one in rest:
        if not one.numeric and not one.some_numbers:
            one.decide("text", "certain", "text")
    decide_roles(rest)
    named = [one for one in rest if one.numeric and is_called(one.name, "score column") and not _is_metric(one.name)]
    measured = [one for one in rest if one.role == "task" and one.lower and one not in named]
    if measured:
        named = [one for one in named if one.role != "fact"]  # a result that only shows that the work was done
    for one in named:
        if one.role != "task":  # a score looks like a total of the columns next to it
            one.decide("task", "assumed", "not declared", lower=False)
    return named if len(named) == 1 else [one for one in rest if one.role == "task"]


def _is_metric(name: str) -> bool:
    return has_unit(name) or any(hit(name, role) for role in ("lower", "higher"))


def _rank(draft: Draft) -> tuple[int, bool, int]:
    """Return how well a header names models: one that could name data sets comes last, as an algorithm can."""
    joined = " ".join(one for one in words_of(draft.name) if one not in NAMING) or "name"
    known = KEYS.index(joined) if joined in KEYS[:6] else len(KEYS)
    return known, is_called(draft.name, "data set column"), draft.place


def _levels(drafts: Sequence[Draft]) -> Long:
    """Return which level of objects in objects holds the models: the last, unless its names are those of tasks."""
    *levels, score = drafts
    likeness = [np.mean([is_of_a_task(name) for name in {*one.cells}]) for one in levels]
    model = levels[0] if likeness[-1] > 0.5 >= likeness[0] else levels[-1]
    score.decide("task", "assumed", "not declared", lower=False)
    data = tuple(one.place for one in levels if one is not model)
    return Long(data=data, model=(model.place,), metric=None, repeats=None, scores=(score.place,), doubt="")


def _code(codes: Sequence[IntArray]) -> IntArray:
    """Return a number for each row, the same for rows that are the same in all columns."""
    made = np.zeros(len(codes[0]), dtype=np.int64)
    for one in codes:
        made = np.unique(made * (int(one.max(initial=0)) + 1) + one, return_inverse=True)[1]
    return made


def _pivoted(sheet: Sheet, cells: Sequence[Sequence[Any]], found: Long, drafts: Sequence[Draft]) -> Sheet:
    model, models = _factorized(_joined([cells[place] for place in found.model], NAME_PARTS))
    parts = [cells[place] for place in (*([] if found.metric is None else [found.metric]), *found.data)]
    task, tasks = _factorized(_joined(parts, "/"))
    repeat, repeats = _repeats(cells, found, model, task)
    row, rows = pd.factorize(model * len(repeats) + repeat, sort=True)
    if len(np.unique(row * len(tasks) + task)) < len(row):
        return sheet  # two scores for one place: the reader of wide tables names the rows
    header, columns, decided = (
        [NAME_PARTS.join(sheet.header[one] for one in found.model)],
        [[models[one // len(repeats)] for one in rows]],
        {},
    )
    if found.repeats is not None or len(repeats) > 1:
        header.append(ROW if found.repeats is None else sheet.header[found.repeats])
        columns.append([repeats[one % len(repeats)] for one in rows])
        decided[header[1]] = Decided(lower=None, certainty="certain", why="tells repeats apart", role="repeat")
    by_metric = {} if found.metric is None else _by_metric(cells[found.metric], cells[found.scores[0]])
    order = np.argsort(task, kind="stable")
    of_tasks = np.split(order, np.searchsorted(task[order], np.arange(1, len(tasks))))
    empty = 0
    for place in found.scores:
        nothing = {None, *(one for one in {*cells[place]} if taken_apart(one).kind == "missing")}
        for name, its in zip(tasks, of_tasks, strict=True):
            column: list[Any] = [None] * len(rows)
            for one in its.tolist():
                column[row[one]] = cells[place][one]
            if nothing.issuperset(column):
                empty += 1
                continue
            header.append(f"{sheet.header[place]}/{name}" if len(found.scores) > 1 else name)
            columns.append(column)
            draft = drafts[place] if found.metric is None else by_metric[cells[found.metric][its[0]]]
            own = name.rsplit("/", 1)[-1] if len(found.scores) == 1 else ""
            decided[header[-1]] = _as_written(sheet, cells, its) or _decision(draft, own, column)
    blocks = iter([Block(rows=range(1, len(rows) + 1), columns=columns)])
    wide = replace(sheet, header=tuple(header), blocks=blocks, place=_places(columns[0]), keyed=False)
    told = _told(sheet, found)
    more = _left_out(drafts, found) + ([f"{counted(empty, 'task')} without a score left out"] if empty else [])
    wide = replace(wide, labelled=True, levels=0, decided=decided, remarks=(*sheet.remarks, told, *more))
    return _with_doubt(wide, sheet.header, found, told)


def _is_of_one_row(draft: Draft, found: Long) -> bool:
    """Return whether a column of text names each row by itself, as the name of an experiment does."""
    return draft.kinds["text"] > draft.kinds["number"] and draft.place not in found.model and _tells_apart([draft])


def _steadiest(drafts: Sequence[Draft], found: Long) -> str:
    """Return which of several scores has the scale that differs least between data sets: its values compare best.

    A scale is the median of absolute values; how it differs is the standard deviation of its logarithm.
    """
    data = pd.Series(_code([drafts[place].codes for place in found.data])) if found.data else pd.Series(dtype=np.int64)
    ways = {drafts[place].lower for place in found.scores}
    if len(found.scores) < FEWEST_OFFERED or data.nunique() < FEWEST_SHARED or len(ways) > 1:
        return ""
    spread = {}
    for one in (drafts[place] for place in found.scores):
        sizes = pd.Series(np.abs(one.values)).groupby(data).median().dropna()
        if len(sizes) and sizes.min() > 0:
            spread[one.name] = float(np.std(np.log(sizes)))
    return min(spread, key=lambda name: spread[name], default="")


def _repeats(
    cells: Sequence[Sequence[Any]], found: Long, model: IntArray, task: IntArray
) -> tuple[IntArray, list[str]]:
    """Return which repeat of its model and task each row is, and how they are called."""
    if found.repeats is not None:
        return _factorized(cells[found.repeats])
    repeat = np.asarray(pd.Series(task).groupby([model, task]).cumcount(), dtype=np.int64)
    return repeat, [str(one + 1) for one in range(int(repeat.max(initial=0)) + 1)]


def _as_written(sheet: Sheet, cells: Sequence[Sequence[Any]], rows: IntArray) -> Decided | None:
    """Return which way a task counts as a column of the file says it in all of its rows; None where none does."""
    for name, column in zip(sheet.header, cells, strict=True):
        if is_called(name, "direction column"):
            said = {str(column[row]).strip().casefold() for row in rows.tolist()}
            way = {True: said <= YES, False: said <= NO}
            if way[True] != way[False]:
                lower = way[True] == ("lower" in words_of(name))
                return Decided(lower=lower, certainty="certain", why=f"the column {name}")
    return None


def _decision(draft: Draft, name: str, column: Sequence[Any]) -> Decided:
    """Return what a task is, by the scores that it is of, or where nothing is known of these by the name of its own."""
    role = "task"
    if draft.certainty == "assumed" and name and (own := _by_its_name(name, column)):
        draft, role = own, own.role
    way, asked = bool(draft.lower), tuple(draft.questions)
    return Decided(lower=way, certainty=draft.certainty, why=draft.why, role=role, questions=asked)


def _with_doubt(wide: Sheet, header: Sequence[str], found: Long, told: str) -> Sheet:
    """Return a sheet that says how its rows were read, where that is only likely, and how to declare it."""
    if not found.doubt:
        return wide
    named = (*found.data, *([] if found.metric is None else [found.metric]))
    says: dict[str, Any] = {
        "dataset_column": [header[one] for one in named],
        "name_column": [header[one] for one in found.model],
    }
    if found.repeats is not None:
        says["repeats_by"] = header[found.repeats]
    return replace(wide, doubts=(*wide.doubts, f"{told} ({found.doubt})"), says={**wide.says, **says})


def _joined(parts: Sequence[Sequence[Any]], sign: str) -> list[str]:
    """Return for each row its cells in some columns as one text."""
    return [sign.join(str(one) for one in row if not _is_blank(one)) for row in zip(*parts, strict=True)]


def _factorized(cells: Sequence[Any]) -> tuple[IntArray, list[str]]:
    """Return a number for each cell, the same for the same text, and the texts in order of first appearance."""
    codes, texts = pd.factorize(np.array([plain_name(str(one)) for one in cells], dtype=object))
    return codes.astype(np.int64), [str(one) for one in texts]


def _by_its_name(name: str, column: Sequence[Any]) -> Draft | None:
    """Return a decided draft of a task whose data set is called as a metric or as a total of others; None of others."""
    total = hit(name, "aggregate")
    if not (hit(name, "lower") or hit(name, "higher") or (total and total.at == "whole")):
        return None
    draft = Draft.of(name, 0, [one for one in column if one is not None])
    decide_roles([draft])
    if total and total.at == "whole":
        draft.decide("aggregate", "likely", f"the word {total.word}")
    return draft if draft.role in {"task", "aggregate"} else None


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


def _left_out(drafts: Sequence[Draft], found: Long) -> list[str]:
    """Return the sentence about the unused columns of a long table."""
    used = {*found.data, *found.model, *found.scores, found.metric, found.repeats}
    left = [one for one in drafts if one.place not in used and one.name.strip()]
    left = [one for one in left if not is_called(one.name, "direction column")]
    told = first_few([f"{shown(one.name)} ({one.why or 'as declared'})" for one in left], 3)
    return [f"left out of each row: {told}"] if left else []


def _told(sheet: Sheet, found: Long) -> str:
    """Return how a long table was read."""

    def called(places: Sequence[int]) -> str:
        return first_few((shown(sheet.header[one]) for one in places), 3)

    named = {"data sets": found.data, "models": found.model if found.doubt else ()}
    named |= {"metrics": () if found.metric is None else (found.metric,), "scores": found.scores}
    return f"a row per score: {', '.join(f'{what} from {called(its)}' for what, its in named.items() if its)}"
