"""How a text file spells its table: what divides its columns, how its numbers are written, and in which encoding."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from weightlab._validate import Faults
from weightlab.exceptions import FileFormatError
from weightlab.io.config import Settings
from weightlab.io.numbers import ReadNumber, stands_for_nothing
from weightlab.io.source import Source

__all__ = ["SPELT", "Dialect", "Spelling", "dialect", "recoded"]

SPELT = ("separator", "decimal", "thousands", "encoding")
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
        What stands before the decimals.
    thousands : str
        What stands between the thousands; a blank stands for those that do not break a line, too. Empty: nothing does.
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
        return re.compile(rf"(\s*[+-]?)({whole}){decimals}((?:[eE][+-]?[0-9]+)?\s*%?\s*)")

    def _read(self, read: ReadNumber, cell: Any) -> Any:
        if type(cell) is not str or stands_for_nothing(cell):
            return read(cell)  # a number of JSON or Parquet, which has one spelling
        found = self._form.fullmatch(cell)
        if found is None:
            read(self._bare(cell))  # raises what is the matter with it, unless it is a number in another spelling
            told = f" and {self.thousands!r} between thousands" if self.thousands else ""
            raise ValueError(f"is no number with {self.decimal!r} before decimals{told}, as is declared")
        before, whole, decimals, after = found.groups()
        digits = "".join(filter(str.isdigit, whole))
        return read(f"{before}{digits}{'' if decimals is None else f'.{decimals}'}{after}")

    def _bare(self, cell: str) -> str:
        return cell.replace(self.thousands, "").replace(self.decimal, ".")


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """What is declared of how a file is written; None where nothing is."""

    separator: str | None
    encoding: str | None
    spelling: Spelling


def dialect(source: Source, declared: Settings) -> Dialect:
    """Return what is declared of how a file is written.

    Raises
    ------
    FileFormatError
        If it is none of what can be declared, or says nothing of a file of that format.
    """
    said = {keyword: declared.values[keyword] for keyword in SPELT if keyword in declared.values}
    faults = Faults()
    for keyword, value in said.items():
        if not isinstance(value, str) or not _MEANT[keyword][0](value):
            faults.add(f"{declared.place(keyword)} must be {_MEANT[keyword][1]}; got {value!r}")
    decimal, thousands = said.get("decimal", "."), said.get("thousands", "")
    if decimal == thousands:
        faults.add(f"{declared.place('thousands')}: {thousands!r} stands before decimals, so nothing tells thousands")
    if "separator" in said and source.format not in TEXTS:
        faults.add(f"{declared.place('separator')} is of CSV and TSV files; this is {source.format}")
    if "encoding" in said and source.format == "parquet":
        faults.add(f"{declared.place('encoding')} is of files of text; this is {source.format}")
    faults.raise_if_any(lambda found: FileFormatError(source.name, found))
    spelling = Spelling(decimal, thousands)
    return Dialect(separator=said.get("separator"), encoding=said.get("encoding"), spelling=spelling)


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
}
