"""A file that grows by one line a finished cell, so that a sweep that was stopped goes on where it was."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Self

from weightlab.exceptions import FileFormatError
from weightlab.studies.grid.cell import Cell, Facts, misfit

FORM = "weightlab sweep, cells line by line"


class PartialFile:
    """The finished cells of a sweep.

    While it is open no other sweep can open it (where the system has locks of files).

    The first line says which scores and properties the cells are of; each further line is one cell, written at once
    and whole. A last line that was torn when the writer was stopped is cut off.

    Parameters
    ----------
    path : path
        Need not exist.
    header : mapping
        What the cells are of; a file with another header is refused.
    datasets, properties : sequence of str
        Of which every cell has the facts.

    Raises
    ------
    FileFormatError
        If the file is not such a file, has different scores or properties, or a line before the last is broken or lacks
        facts; or if another sweep has it open.
    OSError
        If it cannot be written.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        header: Mapping[str, Any],
        *,
        datasets: Sequence[str],
        properties: Sequence[str],
    ) -> None:
        self.path = Path(path)
        self.datasets, self.properties = tuple(datasets), tuple(properties)
        self.header = {"form": FORM, **header}
        self.cells: dict[str, dict[str, Facts]] = {}
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            self._lock()
            if self.path.stat().st_size:
                self._read()
            if not self.path.stat().st_size:
                self._append(self.header)
        except BaseException:
            os.close(self._descriptor)
            raise

    def __enter__(self) -> Self:
        """Return it, open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it, so that another sweep may resume it."""
        os.close(self._descriptor)

    def add(self, cell: Cell, facts: Mapping[str, Facts]) -> None:
        """Write a finished cell."""
        key = cell_key(cell)
        self._append({"cell": json.loads(key), "facts": facts})
        self.cells[key] = dict(facts)

    def _append(self, document: Mapping[str, Any]) -> None:
        line = json.dumps(document).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def _lock(self) -> None:
        try:
            import fcntl  # noqa: PLC0415 - not everywhere
        except ImportError:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileFormatError(
                self.path, "another sweep is writing this file; wait until it ends, or choose another file"
            ) from None
        except OSError:  # a file system without locks
            return

    def _read(self) -> None:
        raw = self.path.read_bytes()
        whole, newline, torn = raw.rpartition(b"\n")
        lines = whole.split(b"\n") if newline else []
        documents = [self._line(number, line) for number, line in enumerate(lines, start=1)]
        begun = json.dumps(self.header).encode().startswith(torn)
        if not (documents[0].get("form") == FORM if documents else begun):
            raise FileFormatError(self.path, "not a checkpoint of a sweep: its first line does not say so")
        for part in self.header if documents else ():
            if documents[0].get(part) != self.header[part]:
                raise FileFormatError(
                    self.path, f"its cells have different {part}; choose another file, or delete this one"
                )
        for number, document in enumerate(documents[1:], start=2):
            self._keep(number, document)
        if torn:
            os.truncate(self._descriptor, len(raw) - len(torn))

    def _line(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            document = json.loads(line.decode("utf-8"))
        except ValueError as error:
            raise FileFormatError(self.path, f"line {number}: not JSON: {error}") from None
        if not isinstance(document, dict):
            raise FileFormatError(self.path, f"line {number}: a JSON object is needed")
        return document

    def _keep(self, number: int, document: Mapping[str, Any]) -> None:
        if not isinstance(document.get("cell"), list) or not isinstance(document.get("facts"), dict):
            raise FileFormatError(self.path, f"line {number}: an object with 'cell' and 'facts' is needed")
        wrong = misfit(document["facts"], self.datasets, self.properties)
        if wrong:
            raise FileFormatError(self.path, f"line {number}: {wrong}")
        key = json.dumps(document["cell"])
        if key in self.cells and self.cells[key] != document["facts"]:
            raise FileFormatError(self.path, f"line {number}: a cell is duplicated, with different facts")
        self.cells[key] = document["facts"]


def cell_key(cell: Cell) -> str:
    """Return the key of a cell in a file: its models, metrics and tie-breaking, regardless of the names of sets."""
    return json.dumps([list(cell.models), list(cell.metrics), cell.break_ties])
