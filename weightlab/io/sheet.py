"""A table as it stands in a file: named columns, and rows that come block by block with the place they stand at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weightlab._validate import Faults
from weightlab.exceptions import FileFormatError

__all__ = ["ROWS_OF_A_BLOCK", "Block", "FileFaults", "Sheet"]

ROWS_OF_A_BLOCK = 50_000
"""So many rows are held as Python objects at a time."""


class FileFaults(Faults):
    """Everything that is wrong with one file, raised as one FileFormatError."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def raise_here(self) -> None:
        """Raise one error that names the file and lists all faults, if there are any."""
        self.raise_if_any(lambda listed: FileFormatError(self.name, listed))


@dataclass(frozen=True, kw_only=True)
class Block:
    """Some rows of a sheet.

    Attributes
    ----------
    rows : sequence of int
        The line or number of each row.
    columns : sequence of sequences
        The cells of each column: text as written, or whatever a typed format holds.
    """

    rows: Sequence[int]
    columns: Sequence[Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Sheet:
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
    """

    header: tuple[str, ...]
    blocks: Iterator[Block]
    place: Callable[[int], str]
    keyed: bool = False
    labelled: bool = False
