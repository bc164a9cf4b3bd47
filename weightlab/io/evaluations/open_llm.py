"""Tables of the Open LLM Leaderboard: which column is a task, which a fact about the model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import Any, Literal, TypeAlias, get_args

from weightlab._cures import Cure, Fault, as_fault, reworded
from weightlab._exact import fraction
from weightlab._result import Frozen
from weightlab._validate import is_missing, named_subset
from weightlab.exceptions import FileFormatError, UnknownNameError
from weightlab.io.evaluations.results import ResultCell, Results, listed_briefly
from weightlab.io.formats.open_sheet import sheet_of
from weightlab.io.tables.columns import ColumnData, read_columns
from weightlab.io.tables.exact_numbers import number
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet, Source, opened

KIND = "the Open LLM Leaderboard"
TASKS = frozenset(
    {
        # First version, 2023-05 to 2024-06
        *("arc", "hellaswag", "mmlu", "truthfulqa", "winogrande", "gsm8k", "drop"),
        # Second version, 2024-06 to 2025-03
        *("ifeval", "bbh", "mathlvl5", "gpqa", "musr", "mmlupro"),
    }
)
"""The tasks of both versions, as `_key` writes them. Higher is better on all of them."""
FACTS = frozenset(
    {
        *("evalname", "precision", "type", "t", "weighttype", "architecture", "model", "fullname", "modelsha"),
        *("average", "hublicense", "hub", "params", "availableonthehub", "moe", "merged", "flagged", "chattemplate"),
        *("co2cost", "maintainershighlight", "officialproviders", "uploadtohubdate", "submissiondate", "generation"),
        *("basemodel", "date", "modelnameforquery"),
    }
)
"""What else the tables tell of a model, as `_key` writes it."""
NAMES = ("fullname", "modelnameforquery", "model")
"""Columns that name the models, the plainest first."""
TOLD = ("precision", "modelsha", "flagged", "submissiondate", "date")
"""Facts that distinguish or exclude rows of one model."""
TELLING = frozenset({"precision", "modelsha", "hublicense", "flagged", "evalname", "fullname", "weighttype"})
"""Facts that identify the leaderboard: its tables have at least two, and hardly any other table does."""
MANY = 2
"""Fewest of its tasks for a table to be examined further."""
# Each stops at the character it begins with, so that a long text of openings is not searched from every one to its end.
DETAILS = "\N{BOOKMARK TABS}"
_TAG = re.compile(r"<[^<>]*>")


class Columns(Frozen, eq=True):
    """Kinds of the columns, by position: the name, the tasks, and facts that distinguish rows of one model."""

    name: int
    tasks: dict[int, tuple[str, str]]
    told: dict[str, int]


def read_open_llm(
    path: PathLike,
    *,
    tasks: str | Iterable[str] | None = None,
    raw: bool = False,
    precision: str | Iterable[str] | None = None,
    flagged: bool = True,
    duplicates: Duplicates | None = None,
    format: str | None = None,  # noqa: A002
) -> Results:
    r"""Read a table of the Open LLM Leaderboard, of its first or second version.

    Parameters
    ----------
    path : path or open file
        CSV, TSV, JSON (records, or one a line in ``.jsonl``) or Parquet with the columns of the public data sets
        ``open-llm-leaderboard/contents`` and ``open-llm-leaderboard-old/contents``.
    tasks : str or iterable of str, optional
        The columns to read as tasks; by default those that are tasks of the leaderboard.
    raw : bool
        Read ``IFEval Raw``, ... instead of ``IFEval``, ..., which are rescaled so that chance is 0.
    precision : str or iterable of str, optional
        Keep only rows of these precisions, such as ``"bfloat16"``.
    flagged : bool
        Whether to keep models that the leaderboard flags.
    duplicates : {"separate", "best", "newest", "first"}, optional
        What to do where a model has several rows with different scores: make them models of their own, which are
        called by their precision (and revision, where that is the same); or keep the row with the highest mean of the
        tasks, the one that was submitted last, or the first in the table. By default they are refused.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Results
        Each task is a dataset, with the metric ``score`` or ``raw``, or ``value`` for a column that is not a task. The
        model is named by ``fullname``, or else by ``Model`` without its links. Higher is better on the tasks of the
        leaderboard; for other columns `Results.leaderboard` asks.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong with the file, with line, column and value; if it has no task of the
        leaderboard, no column that names models, or a model has several rows and nothing says which counts.
    InputError
        If a column or a precision is not there, or pyarrow is needed and not installed.

    Notes
    -----
    The notes list which columns were ignored, which models had several rows and which row counts, which models are
    flagged, and which have no score at all.

    References
    ----------
    C. Fourrier et al., "Open LLM Leaderboard v2", Hugging Face, 2024.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> table = io.StringIO(
    ...     "T,Model,fullname,Average,IFEval,BBH,Flagged\n"
    ...     'x,"<a href=""h"">a/b</a>",a/b,45,40,50,False\n'
    ...     'x,"<a href=""h"">c/d</a>",c/d,45,60,30,False\n'
    ... )
    >>> wl.io.read_open_llm(table).leaderboard().scores
         IFEval   BBH
    a/b    40.0  50.0
    c/d    60.0  30.0
    """
    source = open_llm_source(path, format)
    faults = FileFaults(source.name)
    sheet = sheet_of(source, faults)
    notes: list[str] = []
    columns = _columns(sheet, tasks, faults, notes, raw=raw)
    read = _rows(sheet, columns, faults)
    faults.raise_here()
    rows = _one_a_model(read, notes, faults, precision=precision, flagged=flagged, duplicates=duplicates)
    faults.raise_here()
    cells = [
        ResultCell(
            dataset=task,
            metric=metric,
            model=row.model,
            score=row.scores[position],
            higher_is_better=True if _key(task) in TASKS else None,
            file=source.name,
        )
        for row in rows
        for position, (task, metric) in columns.tasks.items()
        if position in row.scores
    ]
    if not cells:
        raise FileFormatError(source.name, "no row is left that has a score")
    return Results(kind=KIND, cells=tuple(cells), notes=tuple(notes))


def is_open_llm(header: Sequence[str]) -> bool:
    """Return whether columns are those of the leaderboard's own tables: tasks of one version, and their facts.

    A table with its tasks alone is a table of scores like any other.
    """
    keys = set(map(_key, header))
    return len(keys & TASKS) >= MANY and any(key in keys for key in NAMES) and len(keys & TELLING) > 1


def open_llm_source(path: PathLike, format: str | None) -> Source:  # noqa: A002
    """Return the content of a path or stream; JSON lines become a JSON list."""
    named = str(getattr(path, "name", path)).casefold().endswith(".jsonl")
    if format != "jsonl" and not (format is None and named):
        return opened(path, format)
    source = opened(path, "json")
    lines = [line for line in source.data.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
    return Source(name=source.name, data=b"[" + b",\n".join(lines) + b"]", format="json", path=source.path)


def _columns(
    sheet: Sheet, tasks: str | Iterable[str] | None, faults: FileFaults, notes: list[str], *, raw: bool
) -> Columns:
    """Return the kinds of the columns, noting which are ignored."""
    keys = [_key(name) for name in sheet.header]
    chosen = named_subset(tasks or (), sheet.header, "column", faults, holder="file")
    faults.raise_here()
    raws = {position for position, key in enumerate(keys) if key.endswith("raw") and key[:-3] in TASKS}
    plain = {position for position, key in enumerate(keys) if key in TASKS}
    read = {position for position, name in enumerate(sheet.header) if name in chosen} or (raws if raw else plain)
    name = next((keys.index(key) for key in NAMES if key in keys), None)
    if name is None:
        faults.add(f"no column 'fullname' or 'Model' names the models; there are {listed_briefly(sheet.header)}")
    if not read:
        wanted = "'IFEval Raw', 'BBH Raw', ..." if raw else "'IFEval', 'BBH', ... or 'ARC', 'HellaSwag', ..."
        faults.add(f"no column is a task of the leaderboard ({wanted}); there are {listed_briefly(sheet.header)}")
    faults.raise_here()
    _note_left_out(sheet, {*read, name}, {**dict.fromkeys(plain, False), **dict.fromkeys(raws, True)}, notes)
    return Columns(
        name=name or 0,
        tasks={position: _task(sheet.header[position], is_raw=position in raws) for position in sorted(read)},
        told={key: keys.index(key) for key in TOLD if key in keys},
    )


def _note_left_out(sheet: Sheet, read: set[int | None], scores: dict[int, bool], notes: list[str]) -> None:
    left: dict[Fault, list[str]] = {}
    for position, name in enumerate(sheet.header):
        if position in read or not name.strip():
            continue
        if position in scores:
            kind = Fault("Left out, other scores: {}.", Cure("raw", scores[position], "to read them"))
        elif _key(name) in FACTS:
            kind = Fault("Left out as facts about the models: {}.")
        else:
            kind = Fault("Left out, not known as a task: {}.", Cure("tasks", [...], "to read nothing else"))
        left.setdefault(kind, []).append(name)
    notes.extend(reworded(kind.format(listed_briefly(names)), kind.of(*names)) for kind, names in left.items())


def _task(name: str, *, is_raw: bool) -> tuple[str, str]:
    """Return the task and the metric of a column."""
    if is_raw:
        bare = name.rstrip()
        return bare[:-3].rstrip() if bare[-3:].casefold() == "raw" else name, "raw"
    return name, "score" if _key(name) in TASKS else "value"


def _number(cell: Any) -> float | Fraction:
    try:
        return number(cell)
    except ValueError as error:
        told = as_fault(error.args[0])
    columnwise = any(cure.argument not in {"decimal", "thousands"} for cure in told.cure)
    raise ValueError("is not a single number" if columnwise else told)


def _rows(sheet: Sheet, columns: Columns, faults: FileFaults) -> list[OpenLlmRow]:
    found = read_columns(
        sheet,
        faults,
        names=[columns.name],
        scores=dict.fromkeys(columns.tasks, _number),
        texts=list(dict.fromkeys(columns.told.values())),
    )
    names = found.names[columns.name]
    plain = [_plain(name) for name in names.distinct]
    rows = []
    for row, code in enumerate(names.codes.tolist()):
        place = sheet.place(int(found.rows[row]))
        if not plain[code]:
            faults.add(f"{place}: {names.distinct[code]!r} holds no name")
        told = {key: found.texts[position][row] for key, position in columns.told.items()}
        rows.append(OpenLlmRow(model=plain[code], place=place, scores=_scores(found, row), told=told))
    return rows


def _scores(found: ColumnData, row: int) -> dict[int, float | Fraction]:
    """Return the scores that a row has, by column."""
    scores: dict[int, float | Fraction] = {}
    for column, its in found.scores.items():
        value = its.exact.get(row, float(its.floats[row]))
        if value == value:  # noqa: PLR0124 - not NaN
            scores[column] = value
    return scores


def _plain(name: str) -> str:
    """Return a name without the tags that the leaderboard puts around it and the link to details behind it."""
    return unescape(_TAG.sub("", name.partition(DETAILS)[0])).strip()


def _key(name: str) -> str:
    """Return the key of a column, without arrows, hearts, capitals and remarks in brackets."""
    bare = re.sub(r"\([^()]*\)", "", unicodedata.normalize("NFKC", name)).casefold()
    return "".join(filter(str.isalnum, bare))


# Rows of the Open LLM Leaderboard: one per model, chosen by the declarations and never silently.

Duplicates: TypeAlias = Literal["separate", "best", "newest", "first"]
"""What is done where a model has several rows with different scores."""


class OpenLlmRow(Frozen, eq=True):
    """One row.

    Attributes
    ----------
    model, place : str
        Whose it is, and where it stands.
    scores : mapping from int to number
        By the position of the column; missing ones are absent.
    told : mapping from str to cell
        Facts that distinguish it from other rows of the model, and whether it is flagged.
    """

    model: str
    place: str
    scores: Mapping[int, float | Fraction]
    told: Mapping[str, Any]

    def text(self, key: str) -> str:
        """Return the value of a column as text; empty if absent."""
        cell = self.told.get(key)
        return "" if is_missing(cell) else str(cell).strip()

    @property
    def submitted(self) -> str:
        """When it was submitted, as a text that sorts by time."""
        return self.text("submissiondate") or self.text("date")

    @property
    def flagged(self) -> bool:
        """Whether the leaderboard flags it."""
        return self.text("flagged").casefold() in {"true", "1", "yes"}

    @property
    def mean(self) -> Fraction:
        """The exact mean of its scores."""
        return sum(map(fraction, self.scores.values()), Fraction(0)) / len(self.scores)


def _one_a_model(
    rows: Sequence[OpenLlmRow],
    notes: list[str],
    faults: FileFaults,
    *,
    precision: str | Iterable[str] | None,
    flagged: bool,
    duplicates: Duplicates | None,
) -> list[OpenLlmRow]:
    """Return one row per model, noting the others; note an error if no rule decides which counts."""
    if duplicates is not None and duplicates not in get_args(Duplicates):
        raise UnknownNameError(
            "way with duplicates", duplicates, get_args(Duplicates), holder="reader of the leaderboard"
        )
    kept = _of_precision(rows, precision, notes, faults)
    kept = _by_flag(kept, notes, keep=flagged)
    if empty := [row.model for row in kept if not row.scores]:
        notes.append(f"Left out, no score: {listed_briefly(empty)}.")
    by_model: dict[str, list[OpenLlmRow]] = {}
    for row in kept:
        if row.scores:
            by_model.setdefault(row.model, []).append(row)
    chosen: list[OpenLlmRow] = []
    alike, several = [], []
    for model, its in by_model.items():
        distinct = _distinct(its)
        if len(distinct) < len(its):
            alike.append(model)
        if len(distinct) > 1:
            several.append(model)
        chosen += _chosen(distinct, duplicates, faults) if len(distinct) > 1 else distinct
    if alike:
        notes.append(f"Several rows with the same scores (the first counts): {listed_briefly(alike)}.")
    if several and duplicates is not None:
        notes.append(f"Several rows with different scores ({_SAID[duplicates]}): {listed_briefly(several)}.")
    return chosen


_SAID: Mapping[Duplicates, str] = {
    "separate": "each a model of its own",
    "best": "the one with the highest mean counts, the first of equals",
    "newest": "the one submitted last counts",
    "first": "the first counts",
}


def _of_precision(
    rows: Sequence[OpenLlmRow], precision: str | Iterable[str] | None, notes: list[str], faults: FileFaults
) -> list[OpenLlmRow]:
    if precision is None:
        return list(rows)
    known = tuple(dict.fromkeys(row.text("precision") for row in rows))
    wanted = named_subset(precision, known, "precision", faults, holder="file")
    left = [row.model for row in rows if row.text("precision") not in wanted]
    if left:
        notes.append(f"Left out, rows of other precisions: {len(left)}, of {listed_briefly(left)}.")
    return [row for row in rows if row.text("precision") in wanted]


def _by_flag(rows: Sequence[OpenLlmRow], notes: list[str], *, keep: bool) -> list[OpenLlmRow]:
    named = listed_briefly(row.model for row in rows if row.flagged)
    if named and keep:
        notes.append(f"Flagged by the leaderboard, and kept: {named}; flagged=False leaves them out.")
    elif named:
        notes.append(f"Left out, flagged by the leaderboard: {named}.")
    return [row for row in rows if keep or not row.flagged]


def _distinct(rows: Iterable[OpenLlmRow]) -> list[OpenLlmRow]:
    """Return the first of rows with the same scores."""
    kept: list[OpenLlmRow] = []
    for row in rows:
        if not any(row.scores == other.scores for other in kept):
            kept.append(row)
    return kept


def _chosen(rows: list[OpenLlmRow], duplicates: Duplicates | None, faults: FileFaults) -> list[OpenLlmRow]:
    """Return the row that counts among the different rows of one model, or note that none is declared."""
    places = ", ".join(row.place for row in rows)
    if duplicates is None:
        of = [*dict.fromkeys(row.text("precision") for row in rows)]
        told = ", ".join(one or "unknown" for one in of)
        told = f"{rows[0].model!r} has {len(rows)} rows with different scores ({places}; precision {told})"
        ways = (Cure("duplicates", way) for way in get_args(Duplicates))
        faults.add(Fault(told, *(Cure("precision", one) for one in of[:1] if one and len(of) > 1), *ways))
        return []
    if duplicates == "separate":
        return _separate(rows)
    if duplicates == "first":
        return rows[:1]
    if duplicates == "best":
        return [max(rows, key=lambda row: row.mean)]
    last = max(row.submitted for row in rows)
    newest = [row for row in rows if row.submitted == last]
    if len(newest) > 1 or not last:
        faults.add(f"{rows[0].model!r}: no date tells which of its rows is the newest ({places})")
    return newest[:1]


def _separate(rows: list[OpenLlmRow]) -> list[OpenLlmRow]:
    """Return the rows under names of their own: with the precision, and what more is needed to tell them apart."""
    labels = [[row.text("precision"), row.text("modelsha")[:7], row.place] for row in rows]
    for parts in range(1, 4):
        names = [", ".join(filter(None, label[:parts])) for label in labels]
        if all(names) and len(set(names)) == len(names):
            break
    return [replace(row, model=f"{row.model} ({name})") for row, name in zip(rows, names, strict=True)]
