"""A table as it stands in a file: named columns, and rows that come block by block with the place they stand at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from weightlab._exact import IntArray
from weightlab._result import Frozen
from weightlab._text import counted
from weightlab._validate import Faults
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.exact_numbers import ReadNumber

ENOUGH_FAULTS = 10_000
"""After so many faults reading stops: prose has one a word."""


class FileFaults(Faults):
    """Everything that is wrong with one file, raised as one FileFormatError."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.count = 0
        self._remarks: list[str] = []

    @property
    def enough(self) -> bool:
        """Whether there are so many that reading on would not help."""
        return self.count >= ENOUGH_FAULTS

    def add(self, fault: str | Callable[[], str]) -> None:
        """Note one fault."""
        self.count += 1
        super().add(fault)

    def remark(self, remark: str) -> None:
        """Note what may explain the faults; it is told behind the last one."""
        self._remarks.append(remark)

    @property
    def listed(self) -> tuple[str, ...]:
        """The faults, the first twenty in words and the rest as a count, with the remarks behind the last."""
        listed = super().listed
        if not listed or not self._remarks:
            return listed
        return (*listed[:-1], f"{listed[-1]} ({'; '.join(self._remarks)})")

    def raise_here(self) -> None:
        """Raise one error that names the file and lists all faults, if there are any."""
        self.raise_if_any(lambda listed: FileFormatError(self.name, listed))


def rows_of_a_block(columns: int) -> int:
    """Return how many rows are held as Python objects at a time.

    They are few enough to be gone before the garbage collector looks at them, which would double the time.
    """
    return max(50, min(2_000, 100_000 // max(columns, 1)))


def as_plain(read: ReadNumber) -> ReadNumber:
    """Return the way to read numbers that are written plainly: the one that is given."""
    return read


class Block(Frozen, eq=True):
    """Some rows of a sheet.

    Attributes
    ----------
    rows : sequence or array of int
        The line or number of each row.
    columns : sequence of sequences
        The cells of each column: text as written, or whatever a typed format holds.
    """

    rows: Sequence[int] | IntArray
    columns: Sequence[Sequence[Any]]


class Sheet(Frozen, eq=True):
    """Named columns and the blocks of rows below them.

    Attributes
    ----------
    header : tuple of str
        The names as written; they may repeat or be empty.
    blocks : iterator of Block
        Read once.
    place : function from int to str
        How a message names a row: ``"line 7"``.
    keyed : bool
        Whether columns are told apart by name, as in JSON, so that their order says nothing.
    labelled : bool
        Whether the first column is known to hold labels of the rows, beside the columns that have names.
    spelt : function
        From the way to read plain numbers to the one to read those of this file.
    turned : mapping from str to str
        Of a transposed sheet, how a message names the row of the file that became a column; otherwise empty.
    labels : sequence of str
        Of a transposed sheet, the columns of the file that became rows.
    """

    header: tuple[str, ...]
    blocks: Iterator[Block]
    place: Callable[[int], str]
    keyed: bool = False
    labelled: bool = False
    spelt: Callable[[ReadNumber], ReadNumber] = as_plain
    turned: Mapping[str, str] = field(default_factory=dict)
    labels: Sequence[str] = ()

    def cell(self, row: int, column: str) -> str:
        """Return how a message names a cell: as it stands in the file."""
        across = self.turned.get(column)
        return f"{self.place(row)}, column {column!r}" if across is None else f"{across}, {self.place(row)}"


def transposed(sheet: Sheet, faults: FileFaults, columns: Sequence[int]) -> Sheet:
    """Return the sheet whose header is the first of some columns, and whose rows are the others; it is read whole.

    Raises
    ------
    FileFormatError
        If two rows have the same name.
    """
    rows: list[int] = []
    cells: list[list[Any]] = [[] for _ in columns]
    for block in sheet.blocks:
        rows.extend(block.rows)
        for held, column in zip(cells, columns, strict=True):
            held.extend(block.columns[column])
    names = ["" if name is None else str(name) for name in cells[0]]
    first: dict[str, int] = {}
    heading, *called = (sheet.header[column] for column in columns)
    if again := [row for row, name in zip(rows, names, strict=True) if first.setdefault(name, row) != row]:
        name = names[rows.index(again[0])]
        more = f" (and {counted(len(again) - 1, 'more row')} likewise)" if len(again) > 1 else ""
        told = f"{sheet.place(again[0])}: task {name!r} is already in {sheet.place(first[name])}{more}"
        faults.add(f"{told}; if tasks are not named in column {heading!r}, drop={[heading]} leaves it out")
    faults.raise_here()
    across = zip(*([name, *its] for name, its in zip(called, cells[1:], strict=True)), strict=True)
    block = Block(rows=range(len(called)), columns=list(across))
    return Sheet(
        header=(heading, *names),
        blocks=iter([block] if called else []),
        place=lambda row: f"column {called[row]!r}",
        labelled=True,
        spelt=sheet.spelt,
        labels=called,
        turned={name: sheet.place(row) for name, row in first.items()},
    )
