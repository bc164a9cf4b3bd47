"""CSV and TSV files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen
from weightlab._validate import EXACT_DIGITS, Faults
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.declarations import Settings
from weightlab.io.tables.exact_numbers import Coded, ReadNumber, stands_for_nothing
from weightlab.io.tables.heads import with_one_header
from weightlab.io.tables.sheet import Block, FileFaults, Sheet, Source, check_text, not_utf8, rows_of_a_block

DELIMITERS = {"csv": ",", "tsv": "\t"}
_PLURALS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
_SAID = re.compile(rb"(?:\xef\xbb\xbf)?sep=([\x20-\x7e\t])\r?\n", re.IGNORECASE)
"""The line before the header in which Excel declares the column separator."""


def delimited_sheet(source: Source, faults: FileFaults, separator: str | None = None) -> Sheet:
    """Return the sheet of a CSV or TSV file: quotes as spreadsheets write them, any line ending, no blank lines.

    Columns are divided by what is declared, by keyword or in a first line ``sep=;``, or else as the format says.

    Raises
    ------
    FileFormatError
        If the file is empty, not UTF-8, or has another delimiter.
    """
    check_text(source)
    said = _SAID.match(source.data)
    first = said[1].decode("ascii") if said else None
    if separator and first and separator != first:
        raise FileFormatError(source.name, f"line 1 says sep={first}, and separator={separator!r} is declared")
    divides = separator or first or DELIMITERS[source.format]
    if source.data.startswith(b"#") and b"# ALTERNATIVE NAME" in source.data:
        raise FileFormatError(source.name, "this is a PrefLib file; give one whose name ends in .soc, .toi, .wmd, ...")
    source, remarks = with_one_header(source, divides, said.end() if said else 0)
    records = _Records(source, faults, divides, said.end() if said else 0, 1 if said else 0)
    line, header = records.header()
    if not header:
        faults.add("there is no header, only blank lines")
    faults.raise_here()
    _check_delimiter(source, header, line, records.separator)
    if header[0].startswith("#"):
        faults.remark("the header begins with '#'; if that line is a comment, take it out")
    return Sheet(header=tuple(header), blocks=_blocks(records, header, line), place="line {}".format, remarks=remarks)


def _blocks(records: _Records, header: list[str], line: int) -> Iterator[Block]:
    """Yield the rows below a header that begins in a line: as long as they are plain by NumPy, the rest one by one."""
    data, start = records.source.data, 0
    for _ in range(line):
        start = data.find(b"\n", start) + 1 or len(data)
    quoted = b'"' in data[:start] or b"\r" in data[:start]  # then only the other reader knows where it ends
    while start < len(data) and not quoted:
        end = data.rfind(b"\n", start, start + BLOCK) + 1 or data.find(b"\n", start) + 1 or len(data)
        rows = PlainRows.cut(data[start:end], records.separator, len(header))
        if rows is None:
            records = _Records(records.source, records.faults, records.separator, start, line)
            break
        yield Block(rows=np.arange(len(rows.ends)) + line + 1, columns=rows)
        start, line = end, line + len(rows.ends)
    yield from records.blocks(header) if quoted or start < len(data) else ()


class _Records:
    """The records of a file, with the line on which each begins."""

    def __init__(self, source: Source, faults: FileFaults, separator: str, start: int, before: int) -> None:
        held = io.BytesIO(source.data)
        held.seek(start)
        text = io.TextIOWrapper(held, encoding="utf-8" if start else "utf-8-sig", newline="")
        self.reader = csv.reader(text, delimiter=separator, strict=True)
        self.separator = separator
        self.before = before
        self.source = source
        self.faults = faults

    def some(self, most: int) -> tuple[list[int], list[list[str]]]:
        """Return the next records, including blank ones, with their lines; none at the end or after an error."""
        reader = self.reader
        last = self.before + reader.line_num
        ends: list[int] = []
        records: list[list[str]] = []
        try:
            for record in reader:
                records.append(record)
                ends.append(self.before + reader.line_num)
                if len(records) == most:
                    break
        except csv.Error as error:
            begins = (ends[-1] if ends else last) + 1
            self.faults.add(f"line {begins}: {_quoting(str(error))}")
            self.reader = csv.reader([])  # what follows is not known to be rows
        except UnicodeDecodeError:
            raise not_utf8(self.source) from None
        return [end + 1 for end in (last, *ends[:-1])], records

    def header(self) -> tuple[int, list[str]]:
        """Return the first record that is not blank."""
        while True:
            lines, records = self.some(1)
            if not records:
                return 1, []
            if not _is_blank(records[0]):
                return lines[0], records[0]

    def blocks(self, header: list[str]) -> Iterator[Block]:
        """Yield the records below the header, noting those of another width."""
        width = len(header)
        while True:
            lines, records = self.some(rows_of_a_block(width))
            if not records:
                return
            columns = list(zip(*records, strict=True)) if set(map(len, records)) == {width} else []
            if not columns or not all(map(str.strip, columns[0])):
                lines, records = self._whole(lines, records, header)
                columns = list(zip(*records, strict=True))
            if records:
                yield Block(rows=lines, columns=columns)

    def _whole(
        self, lines: list[int], records: list[list[str]], header: list[str]
    ) -> tuple[list[int], list[list[str]]]:
        """Return the records that are neither blank nor of another width."""
        kept = [at for at, record in enumerate(records) if not _is_blank(record)]
        for at in kept:
            if len(records[at]) != len(header):
                self.faults.add(partial(of_other_width, lines[at], len(records[at]), len(header)))
        whole = [at for at in kept if len(records[at]) == len(header)]
        return [lines[at] for at in whole], [records[at] for at in whole]


BLOCK = 1 << 22
"""Bytes of plain rows read at a time."""
_LONGEST = 64
"""Cells of more bytes are compared by Python."""
_POWERS = np.array([float(f"1e{power}") for power in range(EXACT_DIGITS + 1)])
_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype="<u8")
"""Masks that keep the first bytes of a word."""


@dataclass(frozen=True, eq=False)
class PlainRows(Sequence[Sequence[str]]):
    """The columns of rows without quotes, blank names or lines of another width than the header's.

    There a record is a line and every separator divides, so that NumPy finds where each cell of ``text`` ends (rows x
    columns), and Python sees the distinct ones alone, of the columns that are read. All other rows are for `_Records`,
    which also tells what is wrong.
    """

    text: bytes
    ends: IntArray

    @classmethod
    def cut(cls, lines: bytes, separator: str, width: int) -> PlainRows | None:
        """Return the cells of whole lines, or None if these are not so plain."""
        is_utf8 = lines.isascii() or lines.decode(errors="ignore").encode() == lines
        if not separator.isascii() or b'"' in lines or b"\r" in lines or not is_utf8:
            return None
        # Behind the last cell there are bytes enough to read words from each of its own.
        text = b"".join([lines, b"" if lines.endswith(b"\n") else b"\n", bytes(_LONGEST)])
        held = np.frombuffer(text, dtype=np.uint8)[:-_LONGEST]
        is_last = held == ord("\n")
        ends = np.flatnonzero(is_last | (held == ord(separator)))
        if len(ends) != width * np.count_nonzero(is_last):
            return None
        ends = ends.reshape(-1, width)
        starts = np.append(0, ends[:-1, -1] + 1)
        begin = held[starts]
        named = ((begin > ord(" ")) & (begin <= ord("~")) & (begin != ord(separator))).all()
        short = (ends[:, -1] - starts).max() < csv.field_size_limit()
        return cls(text, ends) if named and short and is_last[ends[:, -1]].all() else None

    def __len__(self) -> int:
        """Return the number of columns."""
        return int(self.ends.shape[1])

    def _spans(self, column: int) -> tuple[IntArray, IntArray]:
        """Return where the cells of a column begin, and how long they are."""
        starts = (self.ends[:, column - 1] if column else np.append(-1, self.ends[:-1, -1])) + 1
        return starts, self.ends[:, column] - starts

    def decimals(self, columns: Sequence[int]) -> dict[int, FloatArray]:
        """Return the doubles nearest to the cells of those columns that are all decimals of few digits, as ``-0.25``.

        A double holds the digits as a whole number, and the power of ten, without rounding, so that their quotient is
        rounded once: it equals ``float`` of the text, and prints as it.
        """
        short = {one: its for one in columns if 0 < (its := self._spans(one))[1].max() <= EXACT_DIGITS}
        if not short:
            return {}
        starts, sizes = (np.column_stack(its) for its in zip(*short.values(), strict=True))
        held = np.frombuffer(self.text, dtype=np.uint8)
        first = held[starts]
        is_signed = (first == ord("-")) | (first == ord("+"))
        digits, points, behind, others = (np.zeros(starts.shape, dtype=np.int8) for _ in range(4))
        value = np.zeros(starts.shape)
        for place in range(int(sizes.max())):
            letters = held[starts + place]
            number, is_own = letters - np.uint8(ord("0")), place < sizes
            is_digit, is_point = is_own & (number < 10), is_own & (letters == ord("."))
            value = np.where(is_digit, value * 10 + number, value)
            digits += is_digit
            behind += is_digit & (points > 0)
            points += is_point
            others += is_own
        is_plain = ((digits > 0) & (points <= 1) & (others == digits + points + is_signed)).all(axis=0)
        value /= _POWERS[behind]
        value = np.where(first == ord("-"), -value, value)
        return {column: value[:, place].copy() for place, column in enumerate(short) if is_plain[place]}

    def __getitem__(self, column: Any) -> Any:
        """Return the cells of a column, each distinct one once."""
        starts, sizes = self._spans(column)
        # The eight bytes from each on, as a number; of a cell's last word only what belongs to it.
        held = np.ndarray((len(self.text) - 7,), dtype="<u8", buffer=self.text, strides=(1,))
        words = [
            held[starts + done] & _FIRST_BYTES[np.clip(sizes - done, 0, 8)]
            for done in range(0, max(1, min(int(sizes.max()), _LONGEST)), 8)
        ]
        # A cell that repeats the one above it needs no look-up: long tables are sorted by all columns but one or two.
        is_new = np.ones(len(starts), dtype=np.bool_)
        is_new[1:] = np.logical_or.reduce([word[1:] != word[:-1] for word in words])
        heads = np.flatnonzero(is_new)
        own = [word[heads] for word in words]
        mixed = own[0]
        for word in own[1:]:
            mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) ^ word
        codes, distinct = pd.factorize(mixed)
        first = np.empty(len(distinct), dtype=np.int64)
        first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the earliest of each is written last
        # Two texts may mix to the same number: cells of one code must have the same words. If all words but the last
        # one are the same, and the number is, so is the last.
        if sizes.max() <= _LONGEST and all((word[first][codes] == word).all() for word in own[:-1]):
            bare = np.column_stack([word[first] for word in own]).view(f"S{8 * len(own)}")
            spread = np.repeat(codes, np.diff(heads, append=len(starts)))
            return Coded(distinct=b"\n".join(bare.ravel().tolist()).decode().split("\n"), codes=spread)
        bounds = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
        codes, texts = pd.factorize(np.array([self.text[start:end].decode() for start, end in bounds], dtype=object))
        return Coded(distinct=texts.tolist(), codes=codes)


def _is_blank(record: list[str]) -> bool:
    return not any(field.strip() for field in record)


def _check_delimiter(source: Source, header: list[str], line: int, own: str) -> None:
    if len(header) != 1:
        return
    for other, plural in _PLURALS.items():
        if other != own and other in header[0]:
            told = f"line {line}: the header has {plural} and no {_PLURALS.get(own, repr(own))}"
            raise FileFormatError(source.name, Fault(told, Cure("separator", other)))


def of_other_width(line: int, count: int, width: int) -> str:
    """Return the error for a row that has more fields than the header, or fewer."""
    return f"line {line}: {'1 field' if count == 1 else f'{count} fields'} where the header has {width}"


def _quoting(error: str) -> str:
    if "unexpected end" in error:
        return "a quote opens here and is not closed"
    if "expected after" in error:
        return "text follows a closing quote; inside a quoted name a quote is written twice"
    if "field limit" in error:
        return f"a field has more than {csv.field_size_limit()} characters; is a quote not closed?"
    return f"cannot be read: {error}"


# How a text file spells its table: its separator, its number format and its encoding.

SPELT = ("separator", "decimal", "thousands", "encoding", "table", "member", "size_limit")
"""What is declared of it."""
TEXTS = ("csv", "tsv")
DECIMALS = (".", ",")
BLANKS = " \u00a0\u202f"
THOUSANDS = (*DECIMALS, *BLANKS, "'", "\u2019", "_")


@dataclass(frozen=True)
class Spelling:
    """How numbers are written.

    Attributes
    ----------
    decimal : str
        Decimal mark.
    thousands : str
        Thousands separator; a blank also stands for no-break spaces. Empty for none.
    """

    decimal: str = "."
    thousands: str = ""

    def __call__(self, read: ReadNumber) -> ReadNumber:
        """Return the way to read numbers that are written so, made of the one to read plain ones."""
        return read if self == Spelling() else partial(self._read, read)

    @cached_property
    def _form(self) -> re.Pattern[str]:
        between = f"[{BLANKS}]" if self.thousands in tuple(BLANKS) else re.escape(self.thousands)
        # One to three digits, then groups of three: a separator anywhere else is no thousands separator.
        whole = rf"[0-9]{{1,3}}(?:{between}[0-9]{{3}})+|[0-9]*" if self.thousands else "[0-9]*"
        decimals = rf"(?:{re.escape(self.decimal)}([0-9]*))?"
        behind = r"(?:[eE][+-]?[0-9]+)?\s*(?:%\s*)?|[^0-9.,eE+-][^0-9]*"  # a unit, a mark
        return re.compile(rf"(\s*+[^0-9.,eE+\s-]{{0,3}}\s?[+-]?)({whole}){decimals}({behind})")

    def _read(self, read: ReadNumber, cell: Any) -> Any:
        if type(cell) is not str or stands_for_nothing(cell):
            return read(cell)  # a number of JSON or Parquet, which has one spelling
        found = self._form.fullmatch(cell)
        if found is None:
            read(self._bare(cell))  # raises what is the matter with it, unless it is a number in another spelling
            told = f" and {self.thousands!r} between thousands" if self.thousands else ""
            raise ValueError(f"is not a number with {self.decimal!r} before decimals{told}, as is declared")
        before, whole, decimals, after = found.groups()
        digits = "".join(filter(str.isdigit, whole))
        return read(f"{before}{digits}{'' if decimals is None else f'.{decimals}'}{after}")

    def _bare(self, cell: str) -> str:
        return cell.replace(self.thousands, "").replace(self.decimal, ".")


class Dialect(Frozen, eq=True):
    """What is declared of how a file is written; None where nothing is."""

    separator: str | None
    encoding: str | None
    spelling: Spelling
    table: str | None = None


def dialect(source: Source, declared: Settings) -> Dialect:
    """Return the declared spelling of a file.

    Raises
    ------
    FileFormatError
        If it is not a valid declaration, or does not apply to that format.
    """
    said = {keyword: declared.values[keyword] for keyword in _MEANT if keyword in declared.values}
    said |= {"table": str(said["table"])} if type(said.get("table")) is int else {}
    faults = Faults()
    for keyword, value in said.items():
        if not isinstance(value, str) or not _MEANT[keyword][0](value):
            faults.add(f"{declared.place(keyword)} must be {_MEANT[keyword][1]}; got {value!r}")
    decimal, thousands = said.get("decimal", "."), said.get("thousands", "")
    if decimal == thousands:
        faults.add(f"{declared.place('thousands')}: {thousands!r} stands before decimals, so nothing marks thousands")
    if "separator" in said and source.format not in {*TEXTS, "folder"}:
        faults.add(f"{declared.place('separator')} is of CSV and TSV files; this is {source.format}")
    if "encoding" in said and source.format in {"parquet", "xlsx", "sqlite", "frame"}:
        faults.add(f"{declared.place('encoding')} is of files of text; this is {source.format}")
    if "table" in said and source.format not in {
        "markdown",
        "html",
        "latex",
        "xlsx",
        "json",
        "yaml",
        "sqlite",
        "folder",
    }:
        faults.add(f"{declared.place('table')} is of pages, workbooks, JSON and YAML; this is {source.format}")
    faults.raise_if_any(lambda found: FileFormatError(source.name, found))
    spelling = Spelling(decimal, thousands)
    return Dialect(
        separator=said.get("separator"), encoding=said.get("encoding"), spelling=spelling, table=said.get("table")
    )


def recoded(source: Source, encoding: str | None) -> Source:
    """Return the source in UTF-8, from the encoding that is declared; an open file of text has none.

    Raises
    ------
    FileFormatError
        With the position of the first byte that is not of that encoding.
    """
    if encoding is None or source.is_text:
        return source
    try:
        return replace(source, data=source.data.decode(encoding).encode("utf-8"))
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} is 0x{source.data[error.start]:02x}"
        raise FileFormatError(source.name, f"{byte}, which is not {encoding}, as is declared") from None


def _is_separator(value: str) -> bool:
    return len(value) == 1 and not value.isalnum() and value not in '"\r\n.'


def _is_encoding(value: str) -> bool:
    try:
        "a".encode(value)  # codecs of other things than text, such as hex, refuse this
    except (LookupError, ValueError):
        return False
    return True


_MEANT = {
    "separator": (_is_separator, "one character such as ';' or a tab"),
    "decimal": (DECIMALS.__contains__, "'.' or ','"),
    "thousands": (THOUSANDS.__contains__, "'.', ',', a blank, an apostrophe or '_'"),
    "encoding": (_is_encoding, "the name of an encoding such as 'cp1252'"),
    "table": (bool, "the number or the name of a table"),
}
