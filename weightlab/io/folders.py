"""Folders where files are asked for: recognised by what is in them, or refused with what would be."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.config import ConfigLike, settings
from weightlab.io.lm_eval import PATTERN, read_lm_eval
from weightlab.io.lm_eval_samples import SAMPLES, read_lm_eval_samples
from weightlab.io.mteb import META, read_mteb
from weightlab.io.results import Results, ResultsWarning, listed_briefly
from weightlab.io.source import FORMATS, Source

__all__ = ["board_of_folder", "instances_of_folder", "is_folder", "read_results", "suite_of_folder"]

BOARD = ("metrics", "lower_is_better", "weights", "groups", "tolerance", "relative_tolerance")
SUITE = ("metrics", "lower_is_better", "weights")
INSTANCES = ("lower_is_better", "weights")

LM_EVAL = "lm-evaluation-harness"
KNOWN = f"{PATTERN} or {SAMPLES} of {LM_EVAL}"


def is_folder(path: object) -> bool:
    """Tell whether a path is that of a folder."""
    if not isinstance(path, str | os.PathLike):
        return False
    return os.path.isdir(path)  # noqa: PTH112 - a path that no file can have is told of where it is opened


def read_results(path: str | os.PathLike[str]) -> Results:
    """Read the results in a folder, whichever known program wrote them.

    Parameters
    ----------
    path : path
        A folder with result files at any depth: of lm-evaluation-harness (`read_lm_eval`), or of MTEB, told by
        ``model_meta.json`` (`read_mteb`).

    Raises
    ------
    FileFormatError
        If there is no such folder, or nothing in it is recognised: then it says what is there and what would be.
    """
    root = Path(path)
    if not root.is_dir():
        raise FileFormatError(root, "there is no such folder")
    if any(root.rglob(PATTERN)):
        return read_lm_eval(root)
    if any(root.rglob(META)):
        return read_mteb(root)
    raise _unrecognised(root, f"{PATTERN} of {LM_EVAL} or {META} of MTEB")


def board_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Leaderboard:
    """Return the leaderboard of a folder of results, under what is declared by keyword or in the TOML file beside it.

    Raises
    ------
    InputError
        If something is declared that says nothing of a folder, or a direction is not known.
    """
    return _told(read_results(path)).leaderboard(**_options(path, config, given, BOARD, "read_leaderboard"))


def suite_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Suite:
    """Return the suite of a folder of results, as `board_of_folder` does."""
    return _told(read_results(path)).suite(**_options(path, config, given, SUITE, "read_suite"))


def instances_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Instances:
    """Return the scores on single instances in a folder, as `board_of_folder` does."""
    options = _options(path, config, given, INSTANCES, "read_instances")
    if not any(Path(path).rglob(SAMPLES)):
        raise _unrecognised(Path(path), f"{SAMPLES} of {LM_EVAL}")
    return read_lm_eval_samples(path, **options)


def _told(results: Results) -> Results:
    if results.notes:
        warnings.warn("\n".join(results.notes), ResultsWarning, stacklevel=4)
    return results


def _options(
    path: Any, config: ConfigLike | None, given: Mapping[str, Any], allowed: Iterable[str], reader: str
) -> dict[str, Any]:
    folder = Source(name=str(path), data=b"", format="folder", path=Path(path).resolve())
    declared = settings(folder, config, given, allowed, f"{reader} of a folder")
    idle = [keyword for keyword in declared.values if keyword not in tuple(allowed)]
    if idle:
        raise InputError(f"{path}: this is a folder of results, of which {listed_briefly(idle)} says nothing")
    return dict(declared.values)


def _unrecognised(root: Path, wanted: str) -> FileFormatError:
    there = sorted(one.name for one in root.iterdir() if one.suffix.casefold() in FORMATS)
    found = f"; give one of its tables: {listed_briefly(there)}" if there else ""
    other = f"; there are {KNOWN}" if any(root.rglob(PATTERN)) or any(root.rglob(SAMPLES)) else ""
    return FileFormatError(root, f"this is a folder, and no file {wanted} is in it{other}{found}")
