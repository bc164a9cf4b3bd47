"""One file that an evaluation program wrote, told from a table of scores by what is in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.jsontable import json_document
from weightlab.io.lm_eval import is_lm_eval, read_lm_eval
from weightlab.io.lm_eval_samples import SAMPLES
from weightlab.io.mteb import is_mteb, read_mteb
from weightlab.io.open_llm import is_open_llm, open_llm_source, read_open_llm
from weightlab.io.results import Results
from weightlab.io.sheet import FileFaults
from weightlab.io.sheets import sheet_of
from weightlab.io.source import FORMATS, opened

__all__ = ["OPEN_LLM", "is_result_file", "is_samples_file", "program_of", "read_result_file"]

OPEN_LLM = "the Open LLM Leaderboard"
PROGRAMS = ("lm-evaluation-harness", "MTEB", OPEN_LLM)

MARKS = ((b'"results"', b'"config'), (b'"results"', b'"versions"'), (b'"task_name"', b'"scores"'))
"""What a file of results has in it: only where one of these pairs stands is it worth a closer look."""

MARK = b"Precision"
"""What a table of the Open LLM Leaderboard has in it, near one of its ends."""

ENOUGH = 1 << 18
"""So many bytes at either end are looked at."""


def is_samples_file(path: object) -> bool:
    """Tell whether a path is that of scores on single instances: by its name, which tells the task."""
    return isinstance(path, str | os.PathLike) and Path(path).match(SAMPLES)


def is_result_file(path: object) -> bool:
    """Tell whether a path is that of a file with results of lm-evaluation-harness, MTEB or the Open LLM Leaderboard."""
    return isinstance(path, str | os.PathLike) and program_of(Path(path)) is not None


def program_of(path: Path) -> str | None:
    """Return which program a file of results is of; None for any other file, and where there is none."""
    suffix = path.suffix.casefold()
    if suffix not in {*FORMATS, ".jsonl"} or not os.path.isfile(path):  # noqa: PTH113 - told of where it is opened
        return None
    try:
        if suffix == ".json" and _has_marks(path.read_bytes()):
            document = _document(path)
            if is_lm_eval(document):
                return "lm-evaluation-harness"
            if is_mteb(document):
                return "MTEB"
        return OPEN_LLM if MARK in _ends(path) and _is_open_llm(path) else None
    except OSError:
        return None  # whoever reads it as a table tells why it cannot be read


def read_result_file(path: Path, **said: Any) -> Results:
    """Read one file of results, whichever known program wrote it, as is said by keywords of its reader.

    Raises
    ------
    FileFormatError
        If none did.
    """
    program = program_of(path)
    if program == "lm-evaluation-harness":
        return read_lm_eval(path)
    if program == "MTEB":
        return read_mteb(path, **said)
    if program == OPEN_LLM:
        return read_open_llm(path, **said)
    raise FileFormatError(path, f"this is no file of results of {', '.join(PROGRAMS[:-1])} or {PROGRAMS[-1]}")


def _has_marks(data: bytes) -> bool:
    return any(all(mark in data for mark in marks) for marks in MARKS)


def _ends(path: Path) -> bytes:
    """Return the begin of a file, where text names its columns, and the end, where Parquet does."""
    with path.open("rb") as file:
        begin = file.read(ENOUGH)
        file.seek(max(len(begin), path.stat().st_size - ENOUGH))
        return begin + file.read(ENOUGH)


def _document(path: Path) -> Any:
    faults = FileFaults(str(path))
    document = json_document(opened(path, "json"), faults)
    faults.raise_here()
    return document if isinstance(document, Mapping) else None


def _is_open_llm(path: Path) -> bool:
    """Tell whether the columns are those of the Open LLM Leaderboard; its reader tells what is wrong with it."""
    try:
        source = open_llm_source(path, None)
        return is_open_llm(sheet_of(source, FileFaults(source.name)).header)
    except InputError:
        return False
