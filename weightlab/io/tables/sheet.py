"""A table as written in a file: named columns, and rows that come block by block with their positions."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import IO, Any, TypeAlias

from weightlab._cures import Cure, Fault, reworded
from weightlab._exact import IntArray
from weightlab._result import Frozen
from weightlab._text import counted
from weightlab._validate import Faults
from weightlab.data.frame.dataframes import FrameLike, is_dataframe, pandas_columns
from weightlab.exceptions import FileFormatError, InputError, nearest_name
from weightlab.io.sources.packed import PACKED
from weightlab.io.sources.packed import unpacked as unpacked_bytes
from weightlab.io.sources.urls import as_stream, is_url
from weightlab.io.tables.exact_numbers import ReadNumber

# Where a table's bytes come from, and what they must be: an existing file or open stream, in a known format.

PathLike: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str] | FrameLike
"""A path, an open stream of bytes or text, or a frame."""
WRITTEN = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "tsv",
    ".json": "json",
    ".md": "markdown",
    ".parquet": "parquet",
}
"""Formats that are written, by file extension."""
FORMATS = {
    **WRITTEN,
    ".jsonl": "jsonl",
    ".xlsx": "xlsx",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".arff": "arff",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
}
"""Formats that are read."""
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # before that of UTF-16, which begins the same way
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What files of other encodings than UTF-8 begin with, where spreadsheets and shells of Windows write them."""
PICKLE = "this is a pickle, which runs code when it is read; save the table as CSV, JSON or Parquet"
_NO_TEXT = {
    b"PAR1": Fault("this is a Parquet file", Cure("format", "parquet")),
    b"PK\x03\x04": Fault("this is an Excel workbook", Cure("format", "xlsx")),
    b"SQLite format 3\0": Fault("this is a SQLite database", Cure("format", "sqlite")),
    **dict.fromkeys((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), PICKLE),
}
LFS = b"version https://git-lfs.github.com/spec/"
HTML = Fault("this is an HTML page", Cure("format", "html"))
LATEX = Fault("this is LaTeX", Cure("format", "latex"))
CAT = "PrefLib's categorical data (.cat) rank nothing and are not read; its files of orders and of margins are"
_REFUSED = {".cat": CAT, **dict.fromkeys((".pkl", ".pickle", ".joblib"), PICKLE)}
_BEGINS = re.compile(
    rb"\s*(?:<(?:!doctype html|html|table|body|div)\b|(?:%[^\n]*\n\s*)*(\\(?:begin|documentclass)\b))", re.IGNORECASE
)
"""How HTML begins, or LaTeX."""
_TYPED = {b"PK\x03\x04": "xlsx", b"PAR1": "parquet", b"SQLite format 3\0": "sqlite"}
"""Binary formats, by their first bytes."""
_DASHES = re.compile(rb"[|:\s]*-[|:\s-]*")
"""The line below the header of a Markdown table."""


class Source(Frozen, eq=True):
    """The bytes of a file.

    Attributes
    ----------
    name : str
        What messages call it.
    data : bytes
        All of it.
    format : str
        One of the known ones: of tables ``"csv"``, ``"tsv"``, ``"json"``, ``"jsonl"``, ``"markdown"``, ``"parquet"``,
        ``"xlsx"``; ``"folder"`` is a folder of such, whose data is the pattern of the files to read.
    path : Path or None
        Where it is; None for a stream.
    is_text : bool
        Whether it is from an open file of text, whose encoding was chosen when it was opened.
    frame : DataFrame or None
        Of the format ``"frame"`` the table itself.
    """

    name: str
    data: bytes
    format: str
    path: Path | None
    is_text: bool = False
    frame: Any = None


def opened(
    path: PathLike,
    format: str | None = None,  # noqa: A002 (pandas and pyarrow call it so, too)
    formats: Mapping[str, str] = FORMATS,
    *,
    member: str | None = None,
    size_limit: float | None = None,
    remote: bool = False,
) -> Source:
    """Return the content of a path or stream, unpacked, in one of the formats, recognised by extension.

    Of a zip archive it is the file that ``member`` names; ``size_limit`` is how many MiB may be fetched or
    unpacked, and ``remote`` whether it may be an address on the web.

    Raises
    ------
    FileFormatError
        If there is no such file, or it cannot be read.
    InputError
        If the format is not known.
    """
    if is_dataframe(path):
        return Source(name="frame", data=b"", format="frame", path=None, frame=pandas_columns(path))
    if remote and is_url(path):
        path = as_stream(str(path), size_limit)
    if isinstance(path, str | os.PathLike):
        where = Path(path)
        if format is None and formats is FORMATS and os.path.isdir(path):  # noqa: PTH112 (also of names none can have)
            return Source(name=str(where), data=(member or "").encode(), format="folder", path=where)
        check_there(where)
        if where.suffix.casefold() != ".zip":
            format_of(where, format, formats)  # before it is read
        data, inside = unpacked_bytes(_read(where), str(where), member, size_limit)
        known = format_of(Path(inside), format, formats)
        return Source(name=str(where), data=_in_utf8(data, str(where)), format=known, path=where)
    if not hasattr(path, "read"):
        raise InputError(f"a path or an open file is needed; got {path!r}")
    named = getattr(path, "name", None)
    name = {"<stdin>": "standard input"}.get(named, named) if isinstance(named, str) else "<stream>"
    held = _content(path, name)
    try:
        text = held.encode("utf-8") if isinstance(held, str) else held
    except UnicodeEncodeError as error:
        raise FileFormatError(name, f"half of a surrogate pair is no letter: {error}") from None
    is_text = isinstance(held, str)
    data, inside = (text, name) if is_text else unpacked_bytes(text, name, member, size_limit)
    data = data if is_text else _in_utf8(data, name)
    told = format is not None or Path(inside).suffix.casefold() in formats or formats is not FORMATS
    known = format_of(Path(inside), format, formats) if told else _format_of_content(data)
    return Source(name=name, data=data, format=known, path=None, is_text=is_text)


def format_of(path: Path, format: str | None = None, formats: Mapping[str, str] = FORMATS) -> str:  # noqa: A002
    """Return the format that is named, or else the one that the file's extension stands for."""
    suffix = unpacked(path).suffix.casefold()
    known = ", ".join(dict.fromkeys(formats.values()))
    meant = format or FORMATS.get(suffix)
    if formats is WRITTEN and meant in {*FORMATS.values()} - {*WRITTEN.values()}:
        raise InputError(f"the format {meant} is read, not written; use {known}")
    if format is not None:
        if format not in formats.values():
            raise InputError(f"no format named {format!r}; there are {known}")
        return format
    if suffix in _REFUSED:
        raise FileFormatError(path, _REFUSED[suffix])
    if suffix not in formats:
        ends = f"ends in {path.suffix!r}" if suffix else "has no extension"
        known, first = ", ".join(formats), next(iter(formats.values()))
        raise FileFormatError(path, Fault(f"the name {ends}; known are {known}", Cure("format", first)))
    return formats[suffix]


def decoded(source: Source, *, markup: bool = False) -> str:
    """Return the text of a source, which must be UTF-8, with or without a byte order mark; markup only where expected.

    Raises
    ------
    FileFormatError
        With the position of the first byte that is not UTF-8.
    """
    check_text(source, markup=markup)
    try:
        return source.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf8(source) from None


def check_text(source: Source, *, markup: bool = False) -> None:
    """Refuse what holds nothing, what is not text at all, and HTML and LaTeX unless markup is expected."""
    text = source.data.removeprefix(b"\xef\xbb\xbf")
    if not text or text.isspace():
        raise FileFormatError(source.name, "the file is empty")
    for start, kind in _NO_TEXT.items():
        if source.data.startswith(start):
            raise FileFormatError(source.name, kind)
    if not markup and (found := _BEGINS.match(source.data)):
        raise FileFormatError(source.name, LATEX if found[1] else HTML)
    null = source.data.find(b"\0")
    if null >= 0:
        utf16 = () if null > 1 else (Cure("encoding", "utf-16-le", "if it is UTF-16"),)
        raise FileFormatError(source.name, Fault(f"byte {null} is NUL; this is not a text file", *utf16))


def not_utf8(source: Source) -> FileFormatError:
    """Return the error that names the first byte that is not UTF-8; bytes count from 0, lines from 1."""
    try:
        source.data.decode("utf-8")
        position = len(source.data) - 1
    except UnicodeDecodeError as error:
        position = error.start
    line = source.data.count(b"\n", 0, position) + 1
    byte = f"byte {position} (line {line}) is 0x{source.data[position]:02x}"
    return FileFormatError(source.name, f"{byte}, which is not UTF-8; save the file as UTF-8, or declare its encoding")


def _format_of_content(data: bytes) -> str:
    """Return the format of a table without a name: JSON begins as no other does, and tabs divide TSV."""
    begin = data.removeprefix(codecs.BOM_UTF8).lstrip()
    if found := _BEGINS.match(data):
        return "latex" if found[1] else "html"
    if begin.startswith((b"{", b"[")):
        # Every line of JSON Lines is an object; in a single object of several lines the second one names a key.
        first, _, rest = begin.partition(b"\n")
        return "jsonl" if first.rstrip().endswith(b"}") and rest[:100].lstrip().startswith(b"{") else "json"
    if known := next((kind for mark, kind in _TYPED.items() if data.startswith(mark)), None):
        return known
    header, below, *_ = (*begin.split(b"\n", 2), b"", b"")
    if b"|" in header and _DASHES.fullmatch(below.strip()):
        return "markdown"
    return "tsv" if b"\t" in header and b"," not in header else "csv"


def unpacked(path: Path) -> Path:
    """Return the name of a file once unpacked: without ``.gz`` and the like."""
    return path.with_suffix("") if path.suffix.casefold() in PACKED else path


def _in_utf8(data: bytes, name: str) -> bytes:
    """Return data with the byte order mark of another encoding as UTF-8, and other data unchanged; refuse pointers."""
    if data.startswith(LFS):
        raise FileFormatError(
            name, "this is a pointer of Git LFS, not the file it stands for; 'git lfs pull' fetches that"
        )
    encoding = next((encoding for mark, encoding in _MARKS.items() if data.startswith(mark)), None)
    if encoding is None:
        return data
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        told = f"the file begins as {encoding.upper()} does, and byte {error.start} is not of it: {error.reason}"
        raise FileFormatError(name, told) from None


def check_there(path: Path) -> None:
    """Raise FileFormatError unless there is a file of that name."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError(path, f"there is no such file{_meant(path)}") from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if stat.S_ISDIR(mode):
        raise FileFormatError(path, "this is a folder; give a file")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: object, error: Exception) -> FileFormatError:
    return FileFormatError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _meant(path: Path) -> str:
    try:
        nearest = nearest_name(path.name, sorted(one.name for one in path.parent.iterdir()))
    except OSError:
        return ""
    return f" (did you mean {str(path.with_name(nearest))!r}?)" if nearest else ""


def _content(stream: Any, name: str) -> bytes | str:
    """Return the rest of a stream."""
    try:
        content = stream.read()
        return content if isinstance(content, str) else bytes(content)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from None


# The sheet of a file: its header, and its cells block by block.


ENOUGH_FAULTS = 10_000
"""Errors after which reading stops: prose has one per word."""


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
        """Note a possible explanation of the errors; it follows the last one."""
        self._remarks.append(remark)

    @property
    def listed(self) -> tuple[str, ...]:
        """The faults, the first twenty in words and the rest as a count, with the remarks behind the last."""
        listed = super().listed
        if not listed or not self._remarks:
            return listed
        told = f"{listed[-1]} ({'; '.join(self._remarks)})"
        return (*listed[:-1], reworded(told, listed[-1], *self._remarks))

    def raise_here(self) -> None:
        """Raise one error that names the file and lists all errors, if there are any."""
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


class Decided(Frozen, eq=True):
    """Decisions about a column before its cells are examined, and open questions."""

    lower: bool | None
    certainty: str
    why: str
    role: str = "task"
    questions: tuple[str, ...] = ()


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
        Whether columns are identified by name, as in JSON, so that their order has no meaning.
    labelled : bool
        Whether the first column is known to hold labels of the rows, besides the columns that have names.
    spelt : function
        From the way to read plain numbers to the one to read those of this file.
    turned : mapping from str to str
        Of a transposed sheet, how a message names the row of the file that became a column; otherwise empty.
    labels : sequence of str
        Of a transposed sheet, the columns of the file that became rows.
    levels : int
        Of a file in which objects of numbers stand in objects, how many of the first columns name where a number
        stood; 0 of all others.
    remarks : tuple of str
        What was opened or left out to find the table.
    decided : mapping from str to Decided
        Columns whose kind is known.
    doubts : tuple of str
        Uncertainties in how its rows were identified.
    says : mapping
        The keywords that say so.
    heading : str
        Heading above the table on its page.
    objects : bool
        Whether it was an object of objects; models may name either level.
    steadiest : str
        Of a table with a row per score and several scores, the one whose scale differs least between data sets.
    apart : str
        Of a table with several rows per model and data set, the column that tells these apart, where they are no runs.
    """

    header: tuple[str, ...]
    blocks: Iterator[Block]
    place: Callable[[int], str]
    keyed: bool = False
    labelled: bool = False
    spelt: Callable[[ReadNumber], ReadNumber] = as_plain
    turned: Mapping[str, str] = field(default_factory=dict)
    labels: Sequence[str] = ()
    levels: int = 0
    remarks: tuple[str, ...] = ()
    decided: Mapping[str, Decided] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    says: Mapping[str, Any] = field(default_factory=dict)
    heading: str = ""
    objects: bool = False
    steadiest: str = ""
    apart: str = ""

    def cell(self, row: int, column: str) -> str:
        """Return how a message names a cell: as it stands in the file."""
        across = self.turned.get(column)
        return f"{self.place(row)}, column {column!r}" if across is None else f"{across}, {self.place(row)}"


def with_joined_names(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    """Return the sheet whose first column joins some columns by ``" / "``, and whose other columns are the rest."""
    rest = [place for place in range(len(sheet.header)) if place not in columns]

    def joined(block: Block) -> Block:
        parts = (block.columns[place] for place in columns)
        names = [" / ".join("" if cell is None else str(cell) for cell in row) for row in zip(*parts, strict=True)]
        return Block(rows=block.rows, columns=[names, *(block.columns[place] for place in rest)])

    heading = " / ".join(sheet.header[place] for place in columns)
    return replace(sheet, header=(heading, *(sheet.header[at] for at in rest)), blocks=map(joined, sheet.blocks))


def transposed(
    sheet: Sheet, faults: FileFaults, columns: Sequence[int], called: Callable[[str], str | None] = lambda name: name
) -> Sheet:
    """Return the sheet whose header is the first of some columns, and whose rows are the others; it is read whole.

    Rows that ``called`` gives no name are left out.

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
    given = [called("" if name is None else str(name)) for name in cells[0]]
    kept = [at for at, name in enumerate(given) if name is not None]
    names = [name for name in given if name is not None]
    rows, cells = [rows[at] for at in kept], [[its[at] for at in kept] for its in cells]
    first: dict[str, int] = {}
    heading, *across = (sheet.header[column] for column in columns)
    if again := [row for row, name in zip(rows, names, strict=True) if first.setdefault(name, row) != row]:
        name = names[rows.index(again[0])]
        more = f" (and {counted(len(again) - 1, 'more row')} too)" if len(again) > 1 else ""
        told = f"{sheet.place(again[0])}: task {name!r} is already in {sheet.place(first[name])}{more}"
        faults.add(Fault(told, Cure("drop", [heading], "if it does not name the tasks")))
    faults.raise_here()
    turned = zip(*([name, *its] for name, its in zip(across, cells[1:], strict=True)), strict=True)
    block = Block(rows=range(len(across)), columns=list(turned))
    return Sheet(
        header=(heading, *names),
        blocks=iter([block] if across else []),
        place=lambda row: f"column {across[row]!r}",
        labelled=True,
        spelt=sheet.spelt,
        labels=across,
        turned={name: sheet.place(row) for name, row in first.items()},
    )
