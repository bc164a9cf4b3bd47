"""Tables of SQLite databases, read from a copy in memory: no view, no function of the file is run."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

from weightlab._cures import Cure, Fault
from weightlab._text import first_few
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.tables.pages import MOST_CELLS, MOST_OFFERED
from weightlab.io.tables.sheet import Block, Sheet, Source
from weightlab.io.tables.typed_columns import Nested

MAGIC = b"SQLite format 3\0"
SECONDS = 20.0
"""Time for all queries."""
STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""
CELLS, LONGEST, MOST_TEXT = 100, 1 << 20, 1 << 29
"""Cells that are read at a time, letters of each, and letters in all."""
LOOKED_AT = 50
"""Rows that tell whether a table holds numbers."""
READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}
"""What the file may make SQLite do."""


def sqlite_sheet(source: Source, table: str | None = None) -> Sheet:
    """Return the sheet of a table in a database: the requested one, or the only one that holds numbers.

    Raises
    ------
    FileFormatError
        If it is no such database, several tables could be meant, or reading takes too long.
    """
    if not source.data.startswith(MAGIC):
        raise FileFormatError(source.name, "not a SQLite database")
    held = sqlite3.connect(":memory:")
    try:
        held.deserialize(source.data[:18] + b"\x01\x01" + source.data[20:])  # whatever its journal
        held.execute("PRAGMA trusted_schema = OFF")
        held.execute("PRAGMA query_only = ON")
        held.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        until = monotonic() + SECONDS
        held.set_progress_handler(lambda: int(monotonic() > until), STEPS)
        listed = held.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        )
        names = [name for name, sql in listed if not str(sql).casefold().startswith("create virtual")]
        columns = {name: _columns(held, name) for name in names}
        held.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READS else sqlite3.SQLITE_DENY)
        return _sheet(held, columns, _chosen(held, columns, table, source.name), source.name)
    except AttributeError:
        raise InputError("this Python's SQLite reads no database from memory; save the table as CSV") from None
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        told = f"not read within {SECONDS:g} seconds" if "interrupted" in str(error) else f"cannot be read: {error}"
        raise FileFormatError(source.name, told) from None
    finally:
        held.close()


def _chosen(held: sqlite3.Connection, columns: Mapping[str, Sequence[str]], asked: str | None, where: str) -> str:
    names = list(columns)
    if asked is not None:
        found = [name for at, name in enumerate(names, start=1) if asked in {name, str(at)}]
        if not found:
            raise FileFormatError(where, f"there is no table {asked!r}, but {first_few(map(repr, names), 6) or 'none'}")
        return found[0]
    able = [name for name in names if _holds_numbers(held, name, columns[name])]
    if len(names) == 1 or len(able) == 1:
        return (able or names)[0]
    some = able or names
    told = (
        f"{len(some)} of its {len(names)} tables hold numbers: {first_few(map(repr, some), 6)}"
        if names
        else "there is no table"
    )
    raise FileFormatError(where, Fault(told, *(Cure("table", name) for name in some[:MOST_OFFERED])))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _columns(held: sqlite3.Connection, name: str) -> list[str]:
    """Return the columns of a table that hold what is stored: others are worked out by what the file says."""
    return [str(row[1]) for row in held.execute(f"PRAGMA table_xinfo({_quoted(name)})") if row[6] == 0]


def _holds_numbers(held: sqlite3.Connection, name: str, columns: Sequence[str]) -> bool:
    listed = ", ".join(map(_quoted, columns))
    rows = held.execute(f"SELECT {listed} FROM {_quoted(name)} LIMIT {LOOKED_AT}").fetchall()  # noqa: S608 (quoted)
    return len(rows) > 1 and any(isinstance(one, float | int) for one in rows[0][1:])


def _sheet(held: sqlite3.Connection, columns: Mapping[str, Sequence[str]], name: str, where: str) -> Sheet:
    header = columns[name]
    found = held.execute(f"SELECT {', '.join(map(_quoted, header))} FROM {_quoted(name)}")  # noqa: S608 (quoted)
    rows: list[Any] = []
    size = 0
    while some := found.fetchmany(max(1, CELLS // len(header))):
        rows += some
        size += sum(len(one) for row in some for one in row if isinstance(one, str | bytes))
        if size > MOST_TEXT:
            raise FileFormatError(where, f"table {name!r} has more than {MOST_TEXT:,} letters")
        if len(rows) * len(header) > MOST_CELLS:
            raise FileFormatError(where, f"table {name!r} has more than {MOST_CELLS:,} cells")
    cells = [
        [Nested("blob") if isinstance(one, bytes) else one for one in column] for column in zip(*rows, strict=True)
    ]
    block = Block(rows=range(1, len(rows) + 1), columns=cells)
    return Sheet(header=tuple(header), blocks=iter([block] if rows else []), place="row {}".format, heading=name)
