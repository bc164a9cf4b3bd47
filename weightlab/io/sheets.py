"""The sheet of a source, whatever its format."""

from __future__ import annotations

from weightlab.io.delimited import delimited_sheet
from weightlab.io.jsontable import json_sheet
from weightlab.io.parquet import parquet_sheet
from weightlab.io.sheet import FileFaults, Sheet
from weightlab.io.source import Source

__all__ = ["sheet_of"]


def sheet_of(source: Source, faults: FileFaults) -> Sheet:
    """Return the sheet of a source.

    Raises
    ------
    FileFormatError
        If it cannot be read as what it is meant to be.
    """
    if source.format == "json":
        return json_sheet(source, faults)
    return parquet_sheet(source) if source.format == "parquet" else delimited_sheet(source, faults)
