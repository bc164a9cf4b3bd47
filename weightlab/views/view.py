"""What an answer says, once: a headline, facts, tables, sentences, a picture; every form of it is made from here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from weightlab._result import Proof, Result
from weightlab._text import quoted

Fact: TypeAlias = tuple[str, Sequence[str]]
"""A heading and its lines."""
PROVED_BY = {Proof.EXACT: "proved", Proof.EXACT_WITNESS: "proved by witness", Proof.SAMPLED: "sampled"}
"""Words for a proof."""


@dataclass(frozen=True)
class Table:
    """Rows of text under headings; the first column names the rows.

    Attributes
    ----------
    headings : sequence of str
        One per column.
    rows : sequence of sequence of str
        The cells.
    right : sequence of int
        The columns of numbers.
    caption : str
        What the table shows.
    most : int or None
        Rows that a screen shows unless all are requested; None for all.
    titled : bool
        Whether a screen shows the caption, too.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()
    caption: str = ""
    most: int | None = 20
    titled: bool = False

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, caption: str = "", most: int | None = 30) -> Table:
        """Return a human-readable table; the index of the frame, unless it only counts, is the first column."""
        whole = with_index(frame)
        right = tuple(place for place in range(len(whole.columns)) if is_numbers(whole.iloc[:, place]))
        rows = [tuple(map(cell_words, row)) for row in whole.itertuples(index=False, name=None)]
        columns: list[Any] = whole.columns.tolist()
        headings = [" / ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in columns]
        return cls([one.replace("_", " ") for one in headings], rows, right, caption, most)


@dataclass(frozen=True)
class Facts:
    """Headed lines.

    Attributes
    ----------
    lines : sequence of (str, sequence of str)
        Each heading with its text.
    caption : str
        What they are about.
    wide : int
        Columns of a screen that headings take at least.
    """

    lines: Sequence[Fact]
    caption: str = ""
    wide: int = 33


Lines: TypeAlias = tuple[str, ...]
"""Sentences, which stand below one another."""
Block: TypeAlias = Table | Facts | Lines | str
"""A part of an answer."""


@dataclass(frozen=True, kw_only=True)
class View:
    """An answer, as all its forms say it. Names are as they are: each form escapes them.

    Attributes
    ----------
    headline : str or tuple of str
        One or several sentences, a line each.
    blocks : sequence of Block
        Tables, facts and texts in the order of reading.
    results : sequence of Result
        Results that the answer rests on; the headline states the first.
    picture : object
        Subject of its plot; None without a plot.
    drawn : mapping
        Options of the plot: its ``kind`` and others.
    files : mapping from str to callable
        By the ending of a file's name, what it holds where that is not made of the blocks.
    close : bool
        Whether a screen shows it right below the view before.
    """

    headline: Lines | str = ""
    blocks: Sequence[Block] = ()
    results: Sequence[Result] = ()
    picture: Any = None
    drawn: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    close: bool = False

    @property
    def parts(self) -> list[Table | Facts | Lines]:
        """Headline and blocks, without those that say nothing."""
        blocks = [(one,) if isinstance(one, str) else one for one in (self.headline, *self.blocks)]
        return [one for one in blocks if _says(one)]


def _says(block: Table | Facts | Lines) -> bool:
    if isinstance(block, tuple):
        return any(block)
    return bool(block.rows if isinstance(block, Table) else block.lines)


# Frames as tables.


def frame_files(frame: Callable[[], pd.DataFrame]) -> dict[str, Callable[[], str]]:
    """Return writers of CSV and TSV files for a frame."""

    def text(sign: str) -> Callable[[], str]:
        return lambda: str(frame().to_csv(index=False, lineterminator="\n", sep=sign))

    return {".csv": text(","), ".tsv": text("\t")}


def with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose index, unless it only counts, is its first column."""
    if isinstance(frame.index, pd.RangeIndex):
        return frame
    return frame.rename_axis([name or "" for name in frame.index.names]).reset_index(allow_duplicates=True)


def is_numbers(column: pd.Series) -> bool:
    """Return whether a column holds numbers, apart from gaps."""
    kept = [cell for cell in column.tolist() if not _is_gap(cell)]
    return bool(kept) and all(isinstance(cell, Real) and not isinstance(cell, bool | np.bool_) for cell in kept)


def _is_gap(cell: Any) -> bool:
    return cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell))


def cell_words(cell: Any) -> str:
    """Return a cell as people read it: three decimals, yes or no, gaps as nothing; no number is cut to 0."""
    if _is_gap(cell):
        return ""
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else "no"
    if isinstance(cell, tuple | list):
        return ", ".join(quoted(one) if isinstance(one, str) else cell_words(one) for one in cell)
    if not isinstance(cell, float):
        return str(cell)
    if (cell and abs(cell) < 0.0005) or abs(cell) > 1e15:
        return f"{cell:.1e}"
    text = f"{cell:.3f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
