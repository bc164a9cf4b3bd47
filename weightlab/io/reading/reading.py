"""The reading of a table: what each of its columns is, which way it counts, why, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

import pandas as pd

from weightlab._result import Frozen
from weightlab._text import counted, shown
from weightlab.io.reading.drafts import Total
from weightlab.io.reading.scales import ReadingQuestion

NAMED = 3
"""Names of columns that a sentence gives of each kind."""
SUFFIX = "_stderr"
"""What evaluation programs append to the name of a metric to call its standard error."""
LISTED = 6
"""Columns that a sentence lists one by one."""


class Role(StrEnum):
    """What a column is."""

    TASK = "task"
    KEY = "key"
    DATASET = "dataset"
    METRIC = "metric"
    DIRECTION = "direction"
    FACT = "fact"
    AGGREGATE = "aggregate"
    ERROR = "error"
    REPEAT = "repeat"
    TEXT = "text"
    DROPPED = "dropped"


class Certainty(StrEnum):
    """How sure a reading is: declared by its owner, certain, likely (asked about), assumed (said)."""

    DECLARED = "declared"
    CERTAIN = "certain"
    LIKELY = "likely"
    ASSUMED = "assumed"


class ColumnReading(Frozen, eq=True):
    """How one column is read.

    Attributes
    ----------
    name : str
        What it is called.
    role : Role
        What it is.
    lower : bool or None
        Of a task whether lower is better; None of all else.
    why : str
        The evidence.
    certainty : Certainty
        How sure that is.
    total : Total or None
        Of an aggregate, how it is made of other columns.
    dressed : bool
        Whether its numbers come with marks or a unit.
    spread : bool
        Whether something follows its numbers (a spread, a place, a gain) and nothing says what.
    divided : str
        The sign between its scores where its cells hold several, and nothing says so.
    fractions : bool
        Whether its numbers are declared in percent, and those without a percent sign are fractions.
    unit, out_of : str and int
        What follows all its numbers: a unit of its own, or the number of cases they count out of.
    missing : tuple of str
        Values in it that likely stand for a missing score.
    doubts : tuple of str
        What else is likely of it.
    """

    name: str
    role: Role
    lower: bool | None
    why: str
    certainty: Certainty
    total: Total | None = None
    dressed: bool = False
    spread: bool = False
    divided: str = ""
    fractions: bool = False
    unit: str = ""
    out_of: int = 0
    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def direction(self) -> str:
        """Which way it counts: ``"lower"``, ``"higher"`` or nothing."""
        return "" if self.lower is None else "lower" if self.lower else "higher"


class Reading(Frozen):
    """How a table is read.

    Attributes
    ----------
    source : str
        The file.
    columns : tuple of ColumnReading
        As they stand in the file; of a table whose rows are tasks, these rows behind them.
    models : int
        Number of models.
    transposed : bool
        Whether rows are tasks.
    notes : tuple of str
        What else is likely, and refused until it is declared or accepted: rows that are tasks, values that stand for
        nothing.
    questions : tuple of ReadingQuestion
        What no acceptance covers.
    blockers : tuple of str
        What else must be known before the table can be read at all.
    remarks : tuple of str
        What else was made of the cells, as the line says behind all else.
    held : str
        Of what is no table of scores by task, what it holds, as the line counts it.
    summaries : tuple of str
        Rows that are likely no models but sum up the others; they are left out.
    says : mapping
        Keywords of the reader that say how rows were read, where that is only likely.
    """

    source: str
    columns: tuple[ColumnReading, ...]
    models: int
    transposed: bool
    notes: tuple[str, ...]
    questions: tuple[ReadingQuestion, ...]
    blockers: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    held: str = ""
    summaries: tuple[str, ...] = ()
    says: Mapping[str, Any] = field(default_factory=dict)

    def of(self, role: Role) -> tuple[ColumnReading, ...]:
        """Return the columns of a role."""
        return tuple(one for one in self.columns if one.role is role)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks."""
        return tuple(one.name for one in self.of(Role.TASK))

    @property
    def lower(self) -> tuple[str, ...]:
        """The tasks on which lower is better."""
        return tuple(one.name for one in self.of(Role.TASK) if one.lower)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The columns, of a table whose rows are tasks also rows, that are left out."""
        return tuple(dict.fromkeys(one.name for one in self.columns if one.name.strip() and self._is_left_out(one)))

    def _is_left_out(self, one: ColumnReading) -> bool:
        """Return whether a column is neither a task nor tells rows apart nor holds standard errors."""
        if one.role is Role.ERROR:
            return not (one.certainty is Certainty.DECLARED or one.name.removesuffix(SUFFIX) in self.tasks)
        return one.role not in {Role.TASK, Role.KEY, Role.REPEAT}

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that name the models."""
        return tuple(one.name for one in self.of(Role.KEY))

    @property
    def likely(self) -> tuple[ColumnReading, ...]:
        """The columns that are only likely what they are read as."""
        return tuple(one for one in self.columns if one.certainty is Certainty.LIKELY)

    @property
    def is_doubtful(self) -> bool:
        """Whether the table is refused until the reading is declared or accepted."""
        return bool(self.likely or self.notes or self.questions or self.blockers)

    @property
    def is_answerable(self) -> bool:
        """Whether accepting it settles every doubt."""
        return not (self.questions or self.blockers)

    @property
    def line(self) -> str:
        """The reading in one line, as every answer begins."""
        rows = " (rows are tasks)" if self.transposed else ""
        left = self._left_out()
        held = self.held or f"{counted(self.models, 'model')}, {counted(len(self.tasks), 'task')}{rows}"
        directions = f", {self._directions()}" if self.tasks else ""
        more = [*([f"left out: {left}"] if left else []), *self.remarks]
        return f"{'; '.join([f'Read {shown_name(self.source)}: {held}{directions}', *more])}."

    def _directions(self) -> str:
        tasks = self.of(Role.TASK)
        header = ["", *(one.name for one in self.columns)]
        lower, higher = ([one for one in tasks if bool(one.lower) is way] for way in (True, False))
        told = []
        for its, way in ((lower, "lower"), (higher, "higher")):
            assumed = [one for one in its if one.certainty is Certainty.ASSUMED]
            whole = len(its) == len(tasks)
            which = "all" if len(its) > 1 else "it"
            on = (
                f" on {which}"
                if whole and len(its) > 1
                else ""
                if whole
                else f" on {named_columns([one.name for one in its], header)}"
            )
            few = f"assumed on {named_columns([one.name for one in assumed], header)}"
            said = "" if not assumed else f" ({'assumed' if len(assumed) == len(its) else few})"
            told += [f"{way} is better{on}{said}"] if its else []
        return ", ".join(told)

    def _left_out(self) -> str:
        left = [
            one
            for one in self.columns
            if one.role not in {Role.TASK, Role.KEY, Role.DATASET, Role.METRIC, Role.DIRECTION}
        ]
        if len(left) <= LISTED:
            return ", ".join(f"{shown(one.name) or 'a column without a name'} ({_reason(one)})" for one in left)
        kinds: dict[str, list[str]] = {}
        for one in left:
            kinds.setdefault(_kind(one), []).append(one.name)
        header = ["", *(one.name for one in self.columns)]
        named = ((kind, len(names), named_columns(names, header)) for kind, names in kinds.items())
        return ", ".join(f"{counted(count, kind)} ({some})" for kind, count, some in named)

    def summary(self) -> pd.DataFrame:
        """Return a row per column: its role, direction, certainty and the evidence."""
        rows = [(str(one.role), one.direction, str(one.certainty), one.why) for one in self.columns]
        names = pd.Index([one.name for one in self.columns], name="column")
        return pd.DataFrame(rows, index=names, columns=["role", "direction", "certainty", "why"])

    def to_dict(self) -> dict[str, Any]:
        """Return the reading ready for JSON."""
        columns = [
            {
                "name": one.name,
                "role": str(one.role),
                "direction": one.direction,
                "certainty": str(one.certainty),
                "why": one.why,
            }
            for one in self.columns
        ]
        return {
            "line": self.line,
            "models": self.models,
            "transposed": self.transposed,
            "columns": columns,
            "summaries": [*self.summaries],
        }

    def reasons(self) -> list[str]:
        """Return why each column is read as it is, a line per column that is no plain task."""
        return [
            f"{one.name}: {one.role}{f', {one.direction} is better' if one.lower else ''} ({one.why}; {one.certainty})"
            for one in self.columns
            if one.role is not Role.TASK or one.lower or one.certainty is Certainty.LIKELY
        ]

    def doubts(self) -> list[str]:
        """Return the doubts, a sentence each, columns of one kind together."""
        if self.blockers:
            return [*self.blockers]
        told = [*self.notes]
        kinds: dict[str, list[str]] = {}
        for one in self.likely:
            task = "lower is better" if one.lower else "a task, higher is better"
            known = {Role.TASK: task, Role.DROPPED: "to be left out"}
            what = known.get(one.role, f"no task but {_a(one.role)}")
            kinds.setdefault(f"{what} ({one.why})", []).append(one.name)
        header = [one.name for one in self.columns]
        told += [f"{named_columns(names, header, LISTED)}: likely {kind}" for kind, names in kinds.items()]
        return told + [one.asked for one in self.questions]

    def __str__(self) -> str:
        """Return the line, and the doubts."""
        return "\n".join([self.line, *(f"  - {one}" for one in self.doubts())])

    __repr__ = __str__


def shown_name(source: str) -> str:
    """Return how a sentence names a file: without its folder."""
    return shown(source.rsplit("/", 1)[-1])


def is_dropped(one: ColumnReading) -> bool:
    """Return whether a column is declared to be left out."""
    return one.role is Role.DROPPED and one.certainty is Certainty.DECLARED


def some_names(names: Sequence[str], most: int = NAMED) -> str:
    """Return some names as a sentence gives them, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown(one) for one in names[:most]) + more


def named_columns(names: Sequence[str], header: Sequence[str], most: int = NAMED) -> str:
    """Return columns as a sentence names them: those of a kind by their pattern, and all as all."""
    found = in_patterns(names, header)
    return f"all {len(names)} columns" if found == ["*"] else some_names(found, most)


def in_patterns(names: Sequence[str], header: Sequence[str]) -> list[str]:
    """Return names of columns as patterns where they are many and all columns of a kind: those of a score, or all."""
    if len(names) <= LISTED:
        return [*names]
    if {*names} >= {*header[1:]}:
        return ["*"]
    there, meant = (Counter(start for one in its for start in _starts(one)) for its in ({*header}, {*names}))
    whole = {one for one, count in meant.items() if count == there[one] > 1}
    made = [next((f"{as_pattern(one)}*" for one in _starts(name) if one in whole), name) for name in names]
    return [*dict.fromkeys(made)]


def _starts(name: str) -> list[str]:
    """Return the beginnings of a name up to each of its slashes, the shortest first."""
    return [name[: at + 1] for at, sign in enumerate(name) if sign == "/"]


def as_pattern(name: str) -> str:
    """Return the pattern that means a name alone."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _a(role: Role) -> str:
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


def _reason(one: ColumnReading) -> str:
    if one.certainty is Certainty.DECLARED:
        return "as declared"
    return one.why


def _kind(one: ColumnReading) -> str:
    if one.certainty is Certainty.DECLARED:
        return "declared column"
    return {Role.TEXT: "text column", Role.ERROR: "spread", Role.DROPPED: "sparse column"}.get(one.role, str(one.role))
