"""The sheet of a source in any format."""

from __future__ import annotations

from weightlab.io.delimited import delimited_sheet
from weightlab.io.sheet import FileFaults, Sheet
from weightlab.io.source import Source

__all__ = ["sheet_of"]


def sheet_of(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of a source."""
    return delimited_sheet(source, faults)
