"""A table as it stands in a file: named columns, and rows that come block by block with the place they stand at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weightlab._validate import SHOWN_FAULTS, Faults
from weightlab.exceptions import FileFormatError

__all__ = ["Block", "FileFaults", "Sheet"]

ENOUGH = 1_000
"""After so many faults reading stops: a file of prose has one a word."""


class FileFaults(Faults):
    """Faults of one file, raised as one FileFormatError."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def enough(self) -> bool:
        """Whether there are so many that reading on helps nobody."""
        return len(self._found) >= ENOUGH

    @property
    def listed(self) -> tuple[str, ...]:
        """The faults, the first twenty in words and the rest as a count."""
        if not self.enough:
            return super().listed
        return (*self._found[:SHOWN_FAULTS], f"... and at least {ENOUGH - SHOWN_FAULTS} more; reading stopped")

    def raise_here(self) -> None:
        """Raise one error that names the file and lists all faults, if there are any."""
        self.raise_if_any(lambda listed: FileFormatError(self.name, listed))


@dataclass(frozen=True, kw_only=True)
class Block:
    """Some rows of a sheet.

    Attributes
    ----------
    places : sequence of int
        The line or number of each row.
    columns : list of sequences
        The cells of each column.
    """

    places: Sequence[int]
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
    row : str
        What messages call the place of a row: ``"line"``, ``"record"``, ``"row"``.
    """

    header: tuple[str, ...]
    blocks: Iterator[Block]
    row: str
