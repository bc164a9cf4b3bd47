"""Tables of Markdown or HTML pages: finding them, and selecting one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from typing import TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._result import Frozen
from weightlab._text import counted, shortened, shown
from weightlab.exceptions import FileFormatError
from weightlab.io.tables.columns import cleaned
from weightlab.io.tables.delimited import of_other_width
from weightlab.io.tables.sheet import Block, FileFaults, Sheet, Source, decoded

# Tables in Markdown files: rows of cells between bars, below a header and a line of dashes.


_DASHES = re.compile(r"\s*+(?:\|\s*+)?:?-+:?\s*+(?:\|\s*+:?-+:?\s*+)*(?:\|\s*+)?")
"""The line below a header; it must hold a bar, too."""
_TAG = re.compile(r"<[^<>]*+>")
_BEGINS = re.compile(r"[\s*_\[~$\\]*+[+-]?+\.?\d")
MOST_DIGITS = 6
LOWER, NEAR = "lower is better", 4
"""Remark about a table, and how many lines below the table it may appear."""
FEW_ROWS, MOST_OFFERED = 4, 3
"""Tables of a page with fewer rows come last; tables that an error message offers."""
_BAR = re.compile(r"(?<!\\)\|")
"""Separator of cells; a bar within a cell is escaped with a backslash."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SPAN = re.compile(r"^(?P<fence>`+)(?!`)(?P<inside>(?:(?!(?<!`)(?P=fence)(?!`)).)+)(?<!`)(?P=fence)$")
"""A cell that is code as a whole, which shows what is inside."""


class Found(Frozen):
    """A table of a Markdown page: the line of its header from 1, the heading above it, and its cells."""

    line: int
    heading: str
    header: tuple[str, ...]
    rows: Mapping[int, list[str]]
    end: int
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return it as a list of tables names it."""
        below = f", {shortened(self.heading)}" if self.heading else ""
        return f"line {self.line}{below}: {len(self.rows):,} x {len(self.header) - 1}"

    @property
    def numeric(self) -> int:
        """In how many columns behind the first half of the cells are numbers: in none where a row is called as each."""
        if len({row[0] for row in self.rows.values()} & {*self.header[1:]}) * 2 >= len(self.header[1:]) > 1:
            return 0  # a value for a pair, such as which of two is ahead, is not a score
        columns = [*zip(*(row for row in self.rows.values() if len(row) == len(self.header)), strict=True)][1:]
        return sum(sum(map(_begins_as_number, column)) * 2 >= len(column) for column in columns)


NEEDED = {
    "markdown": "a header such as | model | CoLA | and below it |---|---|",
    "html": "rows of cells between <table> and </table>",
    "latex": "rows of cells between \\begin{tabular} and \\end{tabular}",
}
"""What a table of a page is made of."""
Tables: TypeAlias = Callable[[str, str], list["Found"]]


def page_sheet(
    source: Source, faults: FileFaults, table: str | None = None, tables_in_markup: Tables | None = None
) -> Sheet:
    """Return the sheet of a table in a page of Markdown, HTML or LaTeX, whose cells have no blanks around them.

    If there are several, it is the one requested by its number, from 1, or by the heading above it; or the only one
    that holds numbers. Short rows are filled up with empty cells, as pages show them.

    Raises
    ------
    FileFormatError
        If there is no table, or several could be meant.
    """
    is_plain = tables_in_markup is None
    lines = decoded(source, markup=True).splitlines()
    text = "\n".join(lines)
    tables = _tables(lines) if tables_in_markup is None else tables_in_markup(text, source.name)
    if is_plain and "<table" in text.casefold():
        tables = sorted([*tables, *html_tables(text, source.name)], key=lambda one: one.line)
    if not tables:
        raise FileFormatError(source.name, f"there is no table: {NEEDED[source.format]} are needed")
    chosen = _with_one_header(_chosen(tables, table, source.name))
    number = next(at for at, one in enumerate(tables, start=1) if one.line == chosen.line)
    remarks = [f"table {number} of {len(tables)} ({chosen})"] if len(tables) > 1 else []
    width = len(chosen.header)
    for line, cells in chosen.rows.items():
        if len(cells) > width:
            faults.add(partial(of_other_width, line, len(cells), width))
    if len(tables) == 1 and is_plain:
        for at in range(chosen.end, len(lines)):
            if len(_cells(lines[at])) == width > 1:
                faults.add(f"line {at + 1}: this looks like a row, but the table ended above; close the gap")
    remarks += chosen.remarks
    if short := [line for line, cells in chosen.rows.items() if len(cells) < width]:
        remarks.append(f"{counted(len(short), 'short row')} filled up (line {', '.join(map(str, short[:3]))})")
    whole = {line: [*cells, *[""] * (width - len(cells))] for line, cells in chosen.rows.items() if len(cells) <= width}
    block = Block(rows=list(whole), columns=list(zip(*whole.values(), strict=True)))
    blocks = iter([block] if whole else [])
    header = tuple(cleaned(_BREAK.sub(" ", one)) if "**" in one or "<" in one else one for one in chosen.header)
    sheet = Sheet(header=header, blocks=blocks, place="line {}".format, remarks=tuple(remarks))
    near = " ".join(lines[chosen.end : chosen.end + NEAR])
    return replace(sheet, heading=f"{chosen.heading}: {LOWER}" if LOWER in near.casefold() else chosen.heading)


def _with_one_header(found: Found) -> Found:
    """Return a table without empty rows, a first row of names below its header joined to it."""
    rows = {line: cells for line, cells in found.rows.items() if any(cells)}
    first = next(iter(rows.values()), [])
    named = len(first) == len(found.header) and not first[0] and all(first[1:]) and len(rows) > 1
    if named and not any(map(_begins_as_number, first)):
        rows.pop(next(iter(rows)))
        header = [f"{above} {own}".strip() for above, own in zip(found.header, first, strict=True)]
        return replace(found, header=tuple(header), rows=rows)
    return replace(found, rows=rows)


def _tables(lines: Sequence[str]) -> list[Found]:
    """Return the tables of a page."""
    made: list[Found] = []
    heading, end = "", 0
    for at, line in enumerate(lines):
        if line.startswith("#") or line.strip().startswith("<summary"):
            heading = _heading(line)
        if at < max(1, end) or "|" not in lines[at - 1] or "|" not in line or not _DASHES.fullmatch(line):
            continue
        end = next((below for below in range(at + 1, len(lines)) if "|" not in lines[below]), len(lines))
        rows = {below + 1: _cells(lines[below]) for below in range(at + 1, end)}
        made.append(Found(line=at, heading=heading, header=tuple(_cells(lines[at - 1])), rows=rows, end=end))
    return made


def _heading(line: str) -> str:
    """Return the text of a heading."""
    return shown(_TAG.sub("", line).strip("# ").strip())


def _chosen(tables: Sequence[Found], asked: str | None, name: str) -> Found:
    able = sorted((one for one in tables if one.numeric), key=lambda one: (len(one.rows) < FEW_ROWS, -one.numeric))
    if asked is not None:
        numbered = int(asked) if asked.isdecimal() and len(asked) < MOST_DIGITS else 0
        named = [one for one in tables if asked.casefold() in one.heading.casefold()]
        if 0 < numbered <= len(tables):
            return tables[numbered - 1]
        if len(named) == 1:
            return named[0]
        raise FileFormatError(name, f"no one table is called {asked!r}; there are {_listed(tables)}")
    if len(tables) == 1 or len(able) == 1:
        return (able or tables)[0]
    cures = (Cure("table", str(tables.index(one) + 1)) for one in (able or tables)[:MOST_OFFERED])
    raise FileFormatError(name, Fault(f"there are {len(tables)} tables: {_listed(tables)}", *cures))


def _listed(tables: Sequence[Found]) -> str:
    return "; ".join(f"{at} ({one})" for at, one in enumerate(tables, start=1))


def _begins_as_number(cell: str) -> bool:
    return bool(_BEGINS.match(_TAG.sub("", cell)))


def _cells(line: str) -> list[str]:
    inside = line.strip().removeprefix("|")
    parts = _BAR.split(inside)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [_SPAN.sub(_shown, part.strip().replace("\\|", "|")) for part in parts]


def _shown(span: re.Match[str]) -> str:
    """Return the visible text of code: a blank at both ends only separates backticks from its own."""
    inside = span["inside"]
    return inside[1:-1] if inside[0] == inside[-1] == " " and inside.strip() else inside


# Tables in HTML: rows of cells, which may span several columns and rows.

MOST_SPANNED, MOST_CELLS = 1_000, 10_000_000
"""Columns or rows that one cell is taken to span, and cells in all; more is a page that means harm."""


class Cell(Frozen, eq=True):
    """A cell of HTML: its text, the columns and rows it spans, and whether it belongs to a header."""

    text: str
    across: int
    down: int
    heads: bool


class _Page(HTMLParser):
    """Collects the tables of a page, each with the line it begins at, the heading above it, and its rows of cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[tuple[int, str, dict[int, list[Cell]]]] = []
        self.open: list[dict[int, list[Cell]]] = []
        self.heading = ""
        self.texts: list[list[str]] = []
        self.spans: list[tuple[int, int, bool]] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row, a cell or a heading."""
        said = {name: value or "" for name, value in attrs}
        if tag in {"script", "style"}:
            self.unseen += 1
        elif tag == "table":
            self.open.append({})
            self.tables.append((self.getpos()[0], self.heading, self.open[-1]))
        elif tag == "tr" and self.open:
            self._close_cell()
            self.open[-1][self._free(self.getpos()[0])] = []
        elif tag in {"td", "th"} and self.open and self.open[-1]:
            self._close_cell()
            self.texts.append([])
            self.spans.append((_span(said.get("colspan", "")), _span(said.get("rowspan", "")), tag == "th"))
        elif tag in HEADINGS:
            self.texts.append([])
        elif tag == "br" and self.texts:
            self.texts[-1].append(" ")

    def _free(self, line: int) -> int:
        while line in self.open[-1]:
            line += 1
        return line

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        if tag in {"script", "style"}:
            self.unseen = max(0, self.unseen - 1)
        elif tag in {"td", "th", "tr"}:
            self._close_cell()
        elif tag == "table" and self.open:
            self._close_cell()
            self.open.pop()
        elif tag in HEADINGS and self.texts:
            self.heading = shown(" ".join("".join(self.texts.pop()).split()))

    def handle_data(self, data: str) -> None:
        """Add the text of what is open."""
        if self.texts and not self.unseen:
            self.texts[-1].append(data)

    def _close_cell(self) -> None:
        if self.spans and self.texts and self.open and self.open[-1]:
            across, down, heads = self.spans.pop()
            text = " ".join("".join(self.texts.pop()).split())
            self.open[-1][next(reversed(self.open[-1]))].append(Cell(text=text, across=across, down=down, heads=heads))


HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "caption"}


def _span(written: str) -> int:
    return min(max(int(written), 1), MOST_SPANNED) if written.isascii() and written.isdecimal() else 1


def html_tables(text: str, name: str = "") -> list[Found]:
    """Return the tables of an HTML page; rows that one text spans, such as hidden commands, are left out and said."""
    page = _Page()
    page.feed(text)
    page.close()
    made = []
    for line, heading, cells in page.tables:
        if sum(one.across for row in cells.values() for one in row) > MOST_CELLS:
            raise FileFormatError(name, f"the cells of a table span more than {MOST_CELLS:,} places")
        if table := table_of(line, heading, cells):
            made.append(table)
    return made


def table_of(line: int, heading: str, cells: Mapping[int, Sequence[Cell]]) -> Found | None:
    """Return the table of some rows of cells, its header rows joined; None where it has no header or no row below."""
    rows = _spread_out(cells)
    width = max((len(row) for row in rows.values()), default=0)
    heads: list[int] = []
    for at in rows:
        if not heads or all(one.heads for one in cells[at]):
            heads.append(at)
        else:
            break
    if width < 2 or len(rows) == len(heads):
        return None
    header = tuple(_joined(column) for column in zip(*(_filled(rows[at], width) for at in heads), strict=True))
    body = {at: _filled(row, width) for at, row in rows.items() if at not in heads}
    spanned = [at for at in body if _is_one_text(cells[at])]
    empty = [at for at in body if not any(body[at])]
    kept = {at: row for at, row in body.items() if at not in {*spanned, *empty}}
    remarks = (f"{counted(len(spanned), 'row')} of one text over several columns left out",) if spanned else ()
    return Found(line=line, heading=heading, header=header, rows=kept, end=line, remarks=remarks)


def _is_one_text(cells: Sequence[Cell]) -> bool:
    """Return whether a row below the header is a text over several columns, such as a title or a hidden command."""
    held = [one for one in cells if one.text]
    return len(held) == 1 and held[0].across > 1


def _spread_out(rows: Mapping[int, Sequence[Cell]]) -> dict[int, list[str]]:
    """Return the texts of rows, each cell in all columns and rows that it spans."""
    below: dict[int, tuple[int, str]] = {}
    made: dict[int, list[str]] = {}
    for at, cells in rows.items():
        row: list[str] = []
        left = list(cells)
        while left or len(row) in below:
            if len(row) in below:
                more, text = below.pop(len(row))
                if more > 1:
                    below[len(row)] = (more - 1, text)
                row.append(text)
                continue
            cell = left.pop(0)
            for _ in range(cell.across):
                if cell.down > 1:
                    below[len(row)] = (cell.down - 1, cell.text)
                row.append(cell.text)
        made[at] = row
    return made


def _filled(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _joined(names: Sequence[str]) -> str:
    """Return the names of a column in several header rows as one, each once."""
    return " ".join(dict.fromkeys(filter(None, names)))
