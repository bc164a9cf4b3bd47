"""From the cells of a table to its reading, before any number is interpreted; what is declared wins."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from weightlab._text import counted, first_few, shown, without
from weightlab.io.reading.drafts import Draft, headers_recur
from weightlab.io.reading.layouts import is_prose, is_unique, pick_key, why_model_first, why_turned
from weightlab.io.reading.own_weights import weight_ranges
from weightlab.io.reading.reading import LISTED, Certainty, ColumnReading, Reading, Role, named_columns, some_names
from weightlab.io.reading.roles import Crowd, decide_roles, doubt_parts_of_lower
from weightlab.io.reading.scales import (
    ReadingQuestion,
    metric_question,
    scale_questions,
    split_question,
    zero_question,
)
from weightlab.io.reading.spelled import taken_apart
from weightlab.io.reading.words import FEWEST_INSTANCES, Hit, hit, is_called, names_instances
from weightlab.io.tables.columns import cleaned
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.delimited import PlainRows
from weightlab.io.tables.pages import LOWER
from weightlab.io.tables.parted_cells import error_columns, missing_values, stands_there
from weightlab.io.tables.sheet import Block, FileFaults, Sheet

UNITS = {"second", "sec", "s", "minute", "min", "hour", "h", "ms", "kg", "mb", "gb"}
"""Words of a heading that say nothing about the table below it."""
MOST_ROWS = 10_000
"""Rows that a reading is made of; the table's own reader sees all."""
MOST_IN_HEADER = 2
"""Decimals that a header has where it is a number, such as a threshold."""
MOST_SUMMARIES = 2
"""Rows that may sum up the others."""
ROLES = {"place": Role.AGGREGATE, "count": Role.FACT}


def peeked(sheet: Sheet, most: int | None = MOST_ROWS) -> tuple[Sheet, list[Sequence[Any]]]:
    """Return a sheet that can still be read whole, and the cells of its first rows or of all, column by column."""
    most = sys.maxsize if most is None else most
    held: list[Block] = []
    parts: list[list[Sequence[Any]]] = [[] for _ in sheet.header]
    rows = 0
    for block in sheet.blocks:
        held.append(block)
        cells, left = block.columns, most - rows
        if isinstance(cells, PlainRows):
            cells = _texts(cells, left)
        for part, column in zip(parts, cells, strict=True):
            part.append(column if len(column) <= left else column[:left])
        rows += min(left, len(block.rows))
        if rows >= most:
            break
    columns = [part[0] if len(part) == 1 else [cell for one in part for cell in one] for part in parts]
    return replace(sheet, blocks=_again(held, sheet.blocks)), columns


def _texts(rows: PlainRows, most: int) -> list[tuple[str, ...]]:
    """Return the columns of the first plain rows: without quotes, every separator divides."""
    ends = rows.ends[:most]
    divides = chr(rows.text[ends[0, 0]]) if ends.shape[1] > 1 else None
    lines = rows.text[: int(ends[-1, -1])].decode().split("\n")
    return [*zip(*(line.split(divides) if divides else (line,) for line in lines), strict=True)]


def _again(held: Sequence[Block], rest: Iterator[Block]) -> Iterator[Block]:
    yield from held
    yield from rest


def propose(source: str, sheet: Sheet, columns: Sequence[Sequence[Any]], declared: Settings) -> Reading:
    """Return the reading of a table from its columns of cells and what is declared of it."""
    with np.errstate(all="ignore"):  # numbers of a table of strangers may be of any size
        found = _proposed(source, sheet, columns, declared)
    notes = (*sheet.doubts, *found.notes)
    over = [one.name for one in found.columns if one.role is Role.REPEAT and one.certainty == "likely"]
    says = {**sheet.says, **({"repeats_by": over[0]} if over else {})}
    return replace(found, remarks=(*sheet.remarks, *found.remarks), notes=notes, says=says)


def _proposed(source: str, sheet: Sheet, columns: Sequence[Sequence[Any]], declared: Settings) -> Reading:
    taken, columns = _without_missing(sheet.header, columns, declared)
    drafts = [Draft.of(name, at, cells) for at, (name, cells) in enumerate(zip(sheet.header, columns, strict=True))]
    said = _said(declared, sheet.header)
    for draft in drafts:
        unlabelled = not (sheet.labelled and draft.place == 0)  # labels may be called NA
        if unlabelled and not draft.name.strip() and not draft.kinds["number"] + draft.kinds["text"]:
            draft.decide("dropped", "certain", "empty")
    notes: list[str] = []
    turned = declared.values.get("transpose")
    if turned is None and "keep" not in said and not sheet.decided:
        why = why_model_first(drafts) if sheet.objects else ""
        if not why and why_turned(drafts):  # dropped columns must not turn a table
            why = why_turned([one for one in drafts if one.name not in said.get("drop", ())])
        turned, notes = bool(why), [f"rows are tasks ({why}): --transpose"] if why else []
    if turned:
        return _turned(source, drafts, declared, said, notes, heading=sheet.heading)
    for draft in drafts:
        if (known := sheet.decided.get(draft.name)) is not None:
            draft.decide(known.role, known.certainty, known.why, lower=known.lower)
            draft.questions += known.questions
    _decide(drafts, declared, said, labelled=sheet.labelled, made=bool(sheet.decided))
    if "keep" not in said:
        _by_heading(drafts, sheet.heading)
    places = _names_of_rows(drafts)
    notes = [*notes, *_joined_names(drafts)]
    alone = (*_no_header(drafts), *_one_model(drafts, declared, said), *_no_runs(sheet, drafts, declared))
    alone += _no_names(drafts, declared)
    summaries = _summaries(places) if "keep" not in said else ()
    if summaries:
        notes = [*notes, f"{some_names(summaries)}: likely no model but a summary of the rows"]
    made = _reading(source, drafts, said, notes, transposed=False, places=places)
    remarks = _taken_as_missing({**_likely_missing(drafts), **taken}, made, places)
    return replace(made, remarks=remarks, blockers=alone, summaries=summaries)


def _summaries(places: Sequence[str]) -> tuple[str, ...]:
    """Return the names of rows that are called as a total of the others is, where they are one or two of many."""
    found = tuple(name for name in places if (word := hit(name, "aggregate")) and word.at == "whole")
    return found if 0 < len(found) <= MOST_SUMMARIES < len(places) else ()


def _joined_names(drafts: Sequence[Draft]) -> list[str]:
    """Return the doubt about names that several columns make together, none of them named for it."""
    keys = [one for one in drafts if one.role == "key" and one.certainty != "declared"]
    joined = [one.name for one in keys]
    few = 2 if any(is_called(one, "key") for one in joined) and not any(one.numeric for one in keys) else 1
    if {"model_a", "model_b"} <= {*joined} or len(joined) <= few:
        return []  # the names of votes are those of pairs, and no table of scores
    return [f"models are likely named by {first_few(map(shown, joined), 5)} together (only these tell rows apart)"]


def _no_header(drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Return the fault where all headers of numbers are numbers like those below them: the first row is data."""
    if any(not one.name or is_called(one.name, "key") or is_called(one.name, "data set column") for one in drafts):
        return ()
    tasks = [one for one in drafts if one.role == "task" and one.numeric]
    heads = [taken_apart(one.name) for one in tasks]
    if tasks and headers_recur(drafts):
        return (_first_line(drafts, tasks),)
    if not tasks or any(one.kind != "number" or one.dressed for one in heads):
        return ()
    values = [float(one.text.replace(",", "")) for one in heads]
    exact = all(len(one.text.partition(".")[2]) > MOST_IN_HEADER for one in heads)
    steps = {*np.sign(np.diff(values)).tolist()}
    inside = all(one.least <= 2 * value and value <= 2 * one.most for one, value in zip(tasks, values, strict=True))
    if not inside or not (exact or (len(tasks) > 2 and len(steps) > 1) or _is_row_before(drafts[0])):
        return ()
    return (_first_line(drafts, tasks),)


def _is_row_before(draft: Draft) -> bool:
    """Return whether a column numbers its rows, and its header is the number before the first of them."""
    head = taken_apart(draft.name)
    if draft.role != "key" or not draft.numeric or head.kind != "number" or len(draft.good) < len(draft.codes):
        return False
    return bool((np.diff([float(head.text.replace(",", "")), *draft.good]) == 1).all())


def _first_line(drafts: Sequence[Draft], tasks: Sequence[Draft]) -> str:
    first = f"{shown(drafts[0].name)}, {shown(tasks[0].name)}"
    return f"the first line holds a row ({first}), not the names of columns: write these above"


def _one_model(drafts: Sequence[Draft], declared: Settings, said: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the fault where all rows are of one model and are named by a column that is not for names."""
    key = [one for one in drafts if one.role == "key"]
    named = any(is_called(one.name, "key") and len(one.texts) > 1 for one in key)
    if "name_column" in declared.values or named:
        return ()
    for draft in drafts:
        apart = draft.role == "text" or (draft.role == "key" and len(key) > 1)
        name = next(iter({*draft.cells}), "") if apart and len(draft.texts) == 1 else ""
        if name and len(draft.codes) > 1 and is_called(draft.name, "key") and draft.name not in said.get("drop", ()):
            return (f"all {len(draft.codes)} rows are of one {draft.name}, {name!r}: a table needs two models or more",)
    return ()


def _no_names(drafts: Sequence[Draft], declared: Settings) -> tuple[str, ...]:
    """Return the fault where rows are numbered texts: questions with the answers of one model."""
    key = [one for one in drafts if one.role == "key"]
    if "name_column" in declared.values or any(one.kinds["text"] for one in key):
        return ()
    texts = next((one.name for one in drafts if one.role == "text" and is_prose(one)), None)
    told = f"the rows are numbered texts, such as those of {texts!r}: no column names the models that they are of"
    return () if texts is None else (told,)


def _no_runs(sheet: Sheet, drafts: Sequence[Draft], declared: Settings) -> tuple[str, ...]:
    """Return the fault where the rows of a model and data set are not runs: each has a name of its own."""
    if not sheet.apart or "repeats_by" in declared.values:
        return ()
    key = next(one for one in drafts if one.role == "key")
    name, count = Counter(key.cells).most_common(1)[0]
    told = f"{counted(count, 'row')} of {name!r} on one data set differ in {sheet.apart!r}, so they are not runs"
    return (f"{told}: keep one row for each model and data set, or rows whose settings make them one model each",)


def _by_heading(drafts: Sequence[Draft], heading: str) -> None:
    """Decide which way tasks count where the heading of the table tells it, and no header says anything of it."""
    told = any(hit(one.name, way) for one in drafts if one.role != "text" for way in ("lower", "higher"))
    if told:
        return
    words = [] if hit(heading, "higher") else [word for one in heading.split(":") if (word := hit(one, "lower"))]
    found = [f"the heading: {one.word}" for one in words if one.at and one.word not in UNITS]
    found = ["said below it"] if heading.endswith(LOWER) else found
    for draft in drafts if found else ():
        if draft.role == "task" and not draft.lower and draft.certainty in {"assumed", "likely"}:
            draft.decide("task", "likely", found[0], lower=True)


def _without_missing(
    header: Sequence[str], columns: Sequence[Sequence[Any]], declared: Settings
) -> tuple[dict[str, tuple[str, list[int]]], list[Sequence[Any]]]:
    """Return the cells with those empty that stand for nothing as is declared, and in plain spelling; and which."""
    values = missing_values(declared, header, FileFaults(""))
    point, between = (str(declared.values.get(one, "")) for one in ("decimal", "thousands"))
    found: dict[str, tuple[str, list[int]]] = {}
    made: list[Sequence[Any]] = []
    for name, cells in zip(header, columns, strict=True):
        its = cells
        if point or between:
            its = [_plainly(one, point, between) for one in its]
        if name in values:
            tells = stands_there(values[name])
            if rows := [at for at, cell in enumerate(its) if tells(cell)]:
                found[name] = (", ".join(map(repr, values[name])), rows)
                its = [*its]
                for at in rows:
                    its[at] = ""
        made.append(its)
    return found, made


def _plainly(cell: Any, point: str, between: str) -> Any:
    """Return a number that is spelt as is declared with a point before its decimals."""
    if not isinstance(cell, str):
        return cell
    plain = cell.replace(between, "") if between else cell
    return plain.replace(point, ".") if point else plain


def _taken_as_missing(
    found: Mapping[str, tuple[str, list[int]]], reading: Reading, places: Sequence[str]
) -> tuple[str, ...]:
    """Return the sentence about cells of tasks that count as missing because of their value."""
    tasks = {*reading.tasks}
    its = {name: one for name, one in found.items() if name in tasks}
    rows = sorted({row for _, some in its.values() for row in some})
    told: dict[str, int] = {}
    for value, some in its.values():
        told[value] = told.get(value, 0) + len(some)
    names = some_names([places[row] for row in rows] if places else ["rows without a name"])
    return tuple(f"{counted(count, 'cell')} with {value} taken as missing ({names})" for value, count in told.items())


def _likely_missing(drafts: Sequence[Draft]) -> dict[str, tuple[str, list[int]]]:
    """Return the cells of tasks that likely stand for a missing score, and what they hold."""
    found: dict[str, tuple[str, list[int]]] = {}
    for one in drafts if any(one.sentinels for one in drafts) else ():
        codes = [code for code, text in enumerate(one.texts) if text in one.sentinels]
        if one.role == "task" and one.questions and codes:
            rows = np.flatnonzero(np.isin(one.codes, codes)).tolist()
            found[one.name] = (", ".join(repr(one.texts[code]) for code in codes), rows)
    return found


def _said(declared: Settings, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the declared columns by keyword, patterns spelt out; unknown names are for others to note.

    Those that only a pattern means stand under the keyword and ``~``: a direction makes no task of them.
    """
    known = set(names)
    found: dict[str, list[str]] = {}
    for keyword in ("drop", "keep", "lower_is_better", "higher_is_better", "percent", "split", "spread", "weights"):
        if keyword not in declared.values:
            continue
        listed = declared.listed(keyword)
        exact = [one for one in listed if one in known]
        found[keyword] = exact
        if keyword not in {"split", "spread", "weights"}:
            every = [one for one in declared.columns(keyword, names, FileFaults("")) if one in known]
            found[keyword] = every
            found[f"~{keyword}"] = without(every, exact)
            narrow = declared.with_values(**{keyword: [one for one in listed if one != "*"]})
            found[f"*{keyword}"] = without(every, narrow.columns(keyword, names, FileFaults("")))
    return found


def _decide(
    drafts: Sequence[Draft], declared: Settings, said: Mapping[str, Sequence[str]], *, labelled: bool, made: bool
) -> None:
    """Decide the roles of all columns of a wide table, its key first; what is declared comes last and wins."""
    free = [one for one in drafts if one.role == "" and one.name not in said.get("drop", ())]
    parted = {name for keyword in ("split", "spread") for name in said.get(keyword, ())}
    _decide_texts([one for one in free if one.name not in parted])
    known = any(one.role == "key" for one in drafts) and "name_column" not in declared.values
    for draft in () if known else _key(free, declared, said, labelled=labelled):
        draft.decide("key", "declared" if "name_column" in declared.values else "certain", "names the models")
    if "repeats_by" not in declared.values:
        _instances(drafts)
    repeats = declared.values.get("repeats_by")
    for draft in drafts:
        if draft.name == repeats:
            draft.decide("repeat", "declared", "as declared")
        elif draft.name in parted and draft.role == "":
            draft.decide("task", "declared", "as declared", lower=False)
    _roles_beside_errors(drafts, declared)
    if "keep" not in said:
        doubt_parts_of_lower([one for one in drafts if one.name not in said.get("drop", ())])
    _doubt_sparse([] if made else [one for one in drafts if one.role == "task" and one.numeric])
    _declare(drafts, said)
    _weigh(drafts, declared.values.get("weights_from"))
    if not any(one.role == "task" for one in drafts):
        _fall_back(drafts, said)


def _instances(drafts: Sequence[Draft]) -> None:
    """Decide that a column of instances tells repeats of the models apart, and that 0 and 1 in others are successes."""
    keys = [one for one in drafts if one.role == "key" and one.certainty != "declared"]
    some = [one for one in keys if names_instances(one.name) and not is_called(one.name, "key")]
    named = [one for one in keys if one not in some]
    models = len({*zip(*(one.cells for one in named), strict=True)}) if named else len(drafts[0].codes)
    if len(some) != 1 or not any(is_called(one.name, "key") for one in named):
        return
    if len(some[0].codes) >= FEWEST_INSTANCES * models:
        some[0].decide("repeat", "likely", "means over these")
        for draft in drafts:
            if draft.role == "" and draft.numeric and {*np.unique(draft.good)} == {0, 1}:
                draft.decide("task", "assumed", "not declared", lower=False)


def _doubt_sparse(tasks: Sequence[Draft]) -> None:
    """Decide that tasks which most rows lack are likely left out, where most rows have some others."""
    if not tasks:
        return
    given = ~np.isnan(np.column_stack([one.values for one in tasks]))
    rows = given.any(axis=1).sum()
    counts = given.sum(axis=0).tolist()
    full = given[:, given.sum(axis=0) * 2 >= rows]
    sparse = given[:, given.sum(axis=0) * 2 < rows]
    together = sparse.shape[1] > full.shape[1] and bool((sparse == sparse[:, :1]).all())
    if max(counts) * 2 <= rows or together:
        return  # rows that lack nearly all tasks were not measured: the tasks are none the less
    for draft, count in zip(tasks, counts, strict=True):
        if (count + draft.kinds["not yet"]) * 2 < rows:  # a run that failed is not a row that lacks the task
            draft.decide("dropped", "likely", f"{rows - count} of {rows} rows lack it")
            draft.questions.clear()


def _weigh(drafts: Sequence[Draft], name: str | None) -> None:
    """Find between what the weights of a total are, and of the totals that it is made of."""
    names = {one.name: one for one in drafts if one.total is not None}
    left = [] if name is None else [name]
    while left:
        draft = names.pop(left.pop(), None)
        if draft is not None and draft.total is not None:
            left += draft.total.parts
            draft.total = replace(draft.total, weights=weight_ranges(draft, drafts))


def _decide_texts(drafts: Sequence[Draft]) -> None:
    """Decide which columns hold text; of cells that hold several numbers the reader says what would part them."""
    for draft in drafts:
        if draft.in_parts and (word := hit(draft.name, "fact")):
            draft.decide("fact", "certain", f"the words {word.word}, and several numbers in a cell")
        elif draft.in_parts:
            draft.decide("task", "assumed", "not declared", lower=False)
        elif not draft.numeric and not draft.some_numbers:
            draft.decide_text()


def _roles_beside_errors(drafts: Sequence[Draft], declared: Settings) -> None:
    """Decide the roles of columns that have none, those of standard errors as is declared."""
    told = "standard_errors" in declared.values
    errors = error_columns([one.name for one in drafts], range(len(drafts)), set(), declared, FileFaults(""))
    for draft in drafts if told else ():
        if draft.place in errors.all and draft.role == "":
            draft.decide("error", "declared", "as declared")
    decide_roles([one for one in drafts if one.role in {"", "text"}])
    for draft in drafts if told and declared.values["standard_errors"] is False else ():
        if draft.role == "error":
            draft.decide("task", "declared", "no standard errors, as declared", lower=False)


def _key(
    free: Sequence[Draft], declared: Settings, said: Mapping[str, Sequence[str]], *, labelled: bool
) -> list[Draft]:
    names = declared.values.get("name_column")
    listed = [] if names is None else [names] if isinstance(names, str) else list(names)
    if listed and (not labelled or free[0].name in listed):
        return [one for one in free if one.name in listed]
    if labelled:
        return list(free[:1])
    # A pattern of directions means tasks, whatever else it fits: it takes no column of names.
    scores = {
        name
        for keyword in ("keep", "lower_is_better", "higher_is_better")
        for name in said.get(keyword, ())
        if keyword == "keep" or name not in said.get(f"~{keyword}", ())
    }
    names_models = {one.name for one in free if one.role == "text" and is_called(one.name, "key")}
    able = [
        one for one in free if one.name not in scores - names_models and one.name != declared.values.get("repeats_by")
    ]
    return pick_key(able)[0] or able[:1]


def _declare(drafts: Sequence[Draft], said: Mapping[str, Sequence[str]]) -> None:
    """Let what is declared win over what was found."""
    keep = said.get("keep")
    for draft in drafts:
        if draft.role in {"key", "repeat"}:
            continue
        dropped = draft.name in said.get("drop", ())
        if dropped or (keep is not None and draft.name not in keep):
            if dropped or draft.role != "error":
                draft.decide("dropped", "declared", "as declared")
            continue
        if keep is not None:
            draft.decide("task", "declared", draft.why if draft.lower else "as declared", lower=bool(draft.lower))
            draft.questions.clear()
        if (lower := _turned_by(draft, said)) is not None:
            draft.decide("task", "declared", "as declared", lower=lower)
            draft.questions.clear()
        elif draft.role not in {"task", "error"} and draft.name in {*said.get("percent", ()), *said.get("weights", ())}:
            draft.decide("task", "declared", "as declared", lower=False)


def _turned_by(draft: Draft, said: Mapping[str, Sequence[str]]) -> bool | None:
    """Return whether lower is declared better on a column; a pattern is only of tasks, ``*`` only of undecided ones."""
    for keyword, lower in (("lower_is_better", True), ("higher_is_better", False)):
        if draft.name in said.get(keyword, ()):
            by_pattern = draft.name in said.get(f"~{keyword}", ())
            every = by_pattern and draft.name in said.get(f"*{keyword}", ())
            open_ = draft.certainty == "assumed" or (draft.certainty == "likely" and not draft.lower)
            if not by_pattern or (draft.role == "task" and (open_ or not every)):
                return lower
    return None


def _fall_back(drafts: Sequence[Draft], said: Mapping[str, Sequence[str]]) -> None:
    """Read all columns but the key as tasks where none looks like one: the reader then says what is wrong with each."""
    for draft in drafts:
        free = draft.role not in {"key", "repeat", "dropped"} or draft.why == "empty"
        if free and draft.name.strip() and draft.name not in said.get("drop", ()):
            draft.decide("task", "assumed", "not declared", lower=False)


def _names_of_rows(drafts: Sequence[Draft]) -> list[str]:
    keys = [one.cells for one in drafts if one.role == "key"]
    return [" / ".join(parts) for parts in zip(*keys, strict=True)]


def _turned(
    source: str,
    drafts: Sequence[Draft],
    declared: Settings,
    said: Mapping[str, Sequence[str]],
    notes: list[str],
    *,
    heading: str,
) -> Reading:
    """Return the reading of a table whose rows are tasks: its columns, then its rows, read in the same way."""
    free = [one for one in drafts if one.role == "" and one.name not in said.get("drop", ())]
    for draft in drafts:
        if draft.name in said.get("drop", ()) or ("keep" in said and draft.name not in said["keep"]):
            draft.decide("dropped", "declared", "as declared")
    texts = [one for one in free if not one.numeric and not one.some_numbers]
    for draft in texts:
        draft.decide_text()
    called = [one for one in texts if is_called(one.name, "rows are tasks") and is_unique([one])]
    label = called[:1] or pick_key(texts)[0][:1] or texts[:1] or list(free[:1])
    for draft in label:
        draft.decide("key", "certain", "names the tasks")
    numbers = [one for one in free if one.role == "" or (one.role == "dropped" and one in free and "keep" not in said)]
    kept = said.get("keep", ())
    models = _without_facts(numbers, kept)
    parted = {name for keyword in ("split", "spread") for name in declared.listed(keyword)}
    rows = _rows(label[0].cells if label else [], models)
    for draft in rows:
        if draft.name in parted:
            draft.decide("task", "declared", "as declared", lower=False)
    decide_roles([one for one in rows if one.role == ""])
    _by_metrics(rows, texts, models)
    if not kept:
        _by_heading(rows, heading)
    every = {"keep": [one.name for one in rows]} if kept else {}
    _declare(rows, {**_said_of_rows(declared, rows), **every})
    if not any(one.role == "task" for one in rows):
        _fall_back(rows, {})
    for draft in models:
        draft.decide("model", "certain", "a model")
    reading = _reading(source, [*drafts, *rows], said, notes, transposed=True, places=[one.name for one in models])
    asked = [] if kept else metric_question([one.name for one in models])
    return replace(reading, models=len(models), questions=(*reading.questions, *asked))


def _by_metrics(rows: Sequence[Draft], texts: Sequence[Draft], models: Sequence[Draft]) -> None:
    """Decide which way tasks in rows count: by the metric beside each, or by the word that all models end with."""
    named = next((one for one in texts if is_called(one.name, "metric column") and one.role != "key"), None)
    called = [one.name for one in models]
    shared = next((word for one in called[:1] if (word := hit(one, "lower")) and word.at == "last"), None)
    everywhere = called[0] if shared and all(hit(one, "lower") == shared for one in called) else ""
    for draft in rows if named is not None or everywhere else ():
        metric = named.cells[draft.place] if named is not None else everywhere
        lower, higher = (hit(metric, way) for way in ("lower", "higher"))
        if draft.role in {"task", "fact"} and bool(lower) != bool(higher):
            its = (lower or higher or Hit(word="", at="")).word
            draft.decide("task", "certain", f"the metric {its}" if named else f"the word {its}", lower=bool(lower))


def _without_facts(numbers: Sequence[Draft], kept: Collection[str]) -> list[Draft]:
    """Return the columns that are models, deciding which others hold facts of the tasks in their rows."""
    odd = [one for one in numbers if one.name not in kept and (hit(one.name, "fact") or hit(one.name, "count"))]
    usual = Crowd([one for one in numbers if one not in odd])
    for draft in odd:
        if not usual.alike(draft):
            draft.decide("fact", "certain", "a fact of the tasks")
    facts = [one for one in odd if one.role == "fact"]
    models = [one for one in numbers if one.role == ""]
    # What facts have in their names and no model has is a word of facts, such as anomaly beside num_anomaly.
    of_facts = Counter(word for one in facts for word in _pieces(one.name))
    shared = {word for word, count in of_facts.items() if count > 1}
    for draft in models:
        flag = draft.distinct == 2 and {*np.unique(draft.good)} == {0, 1}
        if draft.name not in kept and facts and (flag or shared & _pieces(draft.name)):
            draft.decide("fact", "likely", "a fact of the tasks, like its neighbours")
    return [one for one in numbers if one.role == ""]


def _pieces(name: str) -> set[str]:
    """Return the parts of a name between signs and blanks, as written: AnomalyTransformer does not hold anomaly."""
    return {one for one in re.split(r"[\W_]+", name) if one}


def _said_of_rows(declared: Settings, rows: Sequence[Draft]) -> dict[str, list[str]]:
    names = [one.name for one in rows]
    kept = {
        name: one for name, one in declared.values.items() if name in {"lower_is_better", "higher_is_better", "drop"}
    }
    return _said(replace(declared, values=kept), names)


def _rows(names: Sequence[str], models: Sequence[Draft]) -> list[Draft]:
    """Return the rows of a table as drafts, without those that lack a name or any score."""
    cells = [[one.texts[code] for code in one.codes.tolist()] for one in models]
    rows = [Draft.of(cleaned(name), at, [its[at] for its in cells]) for at, name in enumerate(names) if name.strip()]
    for one in rows:
        if not one.kinds["number"] and not one.kinds["text"]:
            one.decide("dropped", "certain", "no score")
    return rows


def _reading(
    source: str,
    drafts: Sequence[Draft],
    said: Mapping[str, Sequence[str]],
    notes: list[str],
    *,
    transposed: bool,
    places: Sequence[str],
) -> Reading:
    tasks = [one for one in drafts if one.role == "task"]
    questions = [] if "keep" in said else scale_questions(tasks, places) if "percent" not in said else []
    every = [one.name for one in tasks]
    questions = [_of_all(one, every) for one in questions]
    questions += [] if "keep" in said else [*zero_question(tasks, places), *split_question(tasks)]
    kinds: dict[str, list[str]] = {}
    for one in tasks:
        for told in one.questions:
            kinds.setdefault(told, []).append(one.name)
    header = [one.name for one in drafts]
    notes = notes + [f"{named_columns(names, header, LISTED)}: {told}" for told, names in kinds.items()]
    behind = [one for one in tasks if one.spread and not {"spread", "keep"} & said.keys()]
    if behind:
        cell = next(text for text in behind[0].texts if taken_apart(text).spread)
        told = f"{some_names([one.name for one in behind])}: more than a score stands in cells such as {cell!r}"
        notes = [*notes, told]
    parted = [one for one in tasks if one.divides and one.certainty != "declared"]
    if parted and "keep" not in said:
        cell = next(text for text in parted[0].texts if parted[0].divides in text)
        told = f"{some_names([one.name for one in parted])}: several scores stand in cells such as {cell!r}"
        notes = [*notes, told]
    columns = tuple(
        _column(one, places, spread=one in behind, percent=one.name in said.get("percent", ()))
        for one in drafts
        if one.role != "model" and not (one.why == "empty" and not one.name)
    )
    given = np.zeros(len(places), dtype=np.bool_)
    for one in tasks:
        given |= ~np.isnan(one.values) if len(one.values) == len(given) else True
    return Reading(
        source=source,
        columns=columns,
        models=len({name for name, there in zip(places, given.tolist(), strict=True) if there}),
        transposed=transposed,
        notes=tuple(notes),
        questions=tuple(questions),
    )


def _of_all(question: ReadingQuestion, tasks: Sequence[str]) -> ReadingQuestion:
    """Return a question whose answers keep all tasks where they keep some: what is kept is all that is left."""
    answers = (
        (told, {name: [*tasks] if name == "keep" else its for name, its in way.items()})
        for told, way in question.answers
    )
    return replace(question, answers=tuple(answers))


def _column(draft: Draft, places: Sequence[str], *, spread: bool, percent: bool) -> ColumnReading:
    total = draft.total
    if total is not None and total.wrong and len(places) == len(draft.codes):
        named = ((places[int(row)], there, due) for row, there, due in total.wrong)
        total = replace(total, wrong=tuple(named))
    return ColumnReading(
        name=draft.name,
        role=ROLES.get(draft.role) or Role(draft.role),
        lower=draft.lower if draft.role == "task" else None,
        why=draft.why,
        certainty=Certainty(draft.certainty),
        total=total,
        spread=spread,
        divided=draft.divides if draft.role == "task" and draft.certainty != "declared" else "",
        fractions=percent and draft.fractions,
        unit=draft.own_unit,
        out_of=draft.out_of,
        dressed=draft.dressed and draft.one_unit and not draft.spread,
        missing=tuple(draft.sentinels) if draft.role == "task" and draft.questions else (),
        doubts=tuple(draft.questions) if draft.role == "task" else (),
    )
