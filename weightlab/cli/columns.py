"""What a table is, told by its columns: a long table of a suite, or a score table."""

from __future__ import annotations

import io
import sys
from typing import BinaryIO

from weightlab.cli.preflib import is_preflib
from weightlab.io.evaluations.detect import holds_results
from weightlab.io.tables.declarations import KEYS
from weightlab.io.tables.open_sheet import begun

__all__ = ["is_long", "rewound"]

MARKS = ("dataset", "metric")
"""Columns of a long table that no score table has; a configuration may call them otherwise."""


def rewound(file: str) -> str | BinaryIO:
    """Return a file's name, or standard input from its beginning: it is read whole, for it may be read twice."""
    if file != "-":
        return file
    held = sys.stdin.buffer
    if not isinstance(held, io.BytesIO):
        held = io.BytesIO(held.read())
        held.name = "<stdin>"  # messages call it so
        sys.stdin = io.TextIOWrapper(held, encoding="utf-8")
    held.seek(0)
    return held


def is_long(file: str | None, config: str | None) -> bool:
    """Tell whether a file is a long table of a suite; folders, results of programs and PrefLib files are not."""
    if file is None or is_preflib(file) or (file != "-" and holds_results(file)):
        return False
    sheet, declared, _ = begun(rewound(file), None, config, {}, allowed=KEYS, reader="weightlab")
    rewound(file)
    return any(declared.values.get(mark, mark) in sheet.header for mark in MARKS)
