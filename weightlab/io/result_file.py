"""One file that an evaluation program wrote, told from a table by what is in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weightlab.exceptions import FileFormatError
from weightlab.io.jsontable import json_document
from weightlab.io.lm_eval import is_lm_eval, read_lm_eval
from weightlab.io.lm_eval_samples import SAMPLES
from weightlab.io.mteb import is_mteb, read_mteb
from weightlab.io.results import Results
from weightlab.io.sheet import FileFaults
from weightlab.io.source import opened

__all__ = ["is_result_file", "is_samples_file", "read_result_file"]

MARKS = ((b'"results"', b'"config'), (b'"results"', b'"versions"'), (b'"task_name"', b'"scores"'))
"""What a file of results has in it: only where one of these pairs stands is it worth a closer look."""


def is_samples_file(path: object) -> bool:
    """Tell whether a path is that of scores on single instances: by its name, which tells the task."""
    return isinstance(path, str | os.PathLike) and Path(path).match(SAMPLES)


def is_result_file(path: object) -> bool:
    """Tell whether a path is that of a JSON file with results of lm-evaluation-harness or MTEB."""
    if not isinstance(path, str | os.PathLike) or Path(path).suffix.casefold() != ".json":
        return False
    if not os.path.isfile(path):  # noqa: PTH113 - a path that no file can have is told of where it is opened
        return False
    document = _document(Path(path))
    return is_lm_eval(document) or is_mteb(document)


def read_result_file(path: Path) -> Results:
    """Read one file of results, whichever known program wrote it.

    Raises
    ------
    FileFormatError
        If none did.
    """
    document = _document(path)
    if is_lm_eval(document):
        return read_lm_eval(path)
    if is_mteb(document):
        return read_mteb(path)
    raise FileFormatError(path, "this is no file of results of lm-evaluation-harness or MTEB")


def _document(path: Path) -> Any:
    """Return the JSON in a file, or nothing where it cannot be of results; a long table is not taken apart for that."""
    data = path.read_bytes() if os.access(path, os.R_OK) else b""
    if not any(all(mark in data for mark in marks) for marks in MARKS):
        return None
    faults = FileFaults(str(path))
    document = json_document(opened(path, "json"), faults)
    faults.raise_here()
    return document if isinstance(document, Mapping) else None
