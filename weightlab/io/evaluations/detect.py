"""What evaluation programs wrote where a table is asked for: folders and files, told by what is in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from weightlab._text import first_few, without
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import FileFormatError, InputError, warn_caller
from weightlab.io.evaluations.helm import read_helm, read_helm_instances
from weightlab.io.evaluations.helm_runs import PER_INSTANCE, SPEC, STATS
from weightlab.io.evaluations.lm_eval import MARKS as LM_EVAL_MARKS
from weightlab.io.evaluations.lm_eval import PATTERN, is_lm_eval, read_lm_eval
from weightlab.io.evaluations.lm_eval_samples import SAMPLES, read_lm_eval_samples
from weightlab.io.evaluations.mteb import is_mteb, read_mteb
from weightlab.io.evaluations.mteb_files import META
from weightlab.io.evaluations.open_llm import is_open_llm, open_llm_source, read_open_llm
from weightlab.io.evaluations.records import (
    ARCHIVE,
    EVERY,
    INSPECT,
    document_in,
    is_every,
    is_inspect,
    read_every_eval_ever,
    read_inspect,
    read_record_instances,
)
from weightlab.io.evaluations.records import MARKS as RECORD_MARKS
from weightlab.io.evaluations.records import SAMPLES as RECORD_SAMPLES
from weightlab.io.evaluations.results import Results, ResultsWarning, listed_briefly
from weightlab.io.tables.declarations import ConfigLike, beside, settings
from weightlab.io.tables.json_table import json_file
from weightlab.io.tables.open_sheet import sheet_of
from weightlab.io.tables.sheet import FORMATS, FileFaults, Source

# One file that an evaluation program wrote, told from a table of scores by what is in it.

OPEN_LLM = "the Open LLM Leaderboard"
RECORDS: Mapping[str, Callable[[Path], Results]] = {EVERY: read_every_eval_ever, INSPECT: read_inspect}
"""Readers of programs whose files no name tells."""
READERS: Mapping[str, Callable[..., Results]] = {
    "lm-evaluation-harness": read_lm_eval,
    "MTEB": read_mteb,
    **RECORDS,
    OPEN_LLM: read_open_llm,
}
TELLERS = {"lm-evaluation-harness": is_lm_eval, "MTEB": is_mteb, EVERY: is_every, INSPECT: is_inspect}
MARKS = (*LM_EVAL_MARKS, *RECORD_MARKS, (b'"task_name"', b'"scores"'), (b'"mteb_dataset_name"',))
"""What a file of results has in it: only where all of one row are there is it worth a closer look."""
MARK = b"Precision"
"""What a table of the Open LLM Leaderboard has in it, near one of its ends."""
ENOUGH = 1 << 18
"""So many bytes at either end are looked at."""


def is_samples_file(path: object) -> bool:
    """Tell whether a path is that of scores on single instances: by its name, which tells the task."""
    return isinstance(path, str | os.PathLike) and any(map(Path(path).match, (SAMPLES, RECORD_SAMPLES)))


def is_result_file(path: object) -> bool:
    """Tell whether a path is that of a file with results of lm-evaluation-harness, MTEB or the Open LLM Leaderboard."""
    return isinstance(path, str | os.PathLike) and program_of(Path(path)) is not None


def program_of(path: Path) -> str | None:
    """Return which program a file of results is of; None for any other file, and where there is none.

    Raises
    ------
    FileFormatError
        If it is one of the files of a run of HELM, which only together say what was scored.
    """
    if path.name in {SPEC, STATS, PER_INSTANCE} and path.with_name(SPEC).is_file():
        raise FileFormatError(path, "this is one file of a run of HELM; give the folder that holds the runs' folders")
    suffix = path.suffix.casefold()
    if suffix not in {*FORMATS, ARCHIVE} or not os.path.isfile(path):  # noqa: PTH113 - told of where it is opened
        return None
    try:
        if suffix == ARCHIVE:
            return INSPECT if is_inspect(document_in(path)) else None
        if suffix == ".json" and _has_marks(path.read_bytes()):
            document = json_file(path)
            if found := next((program for program, tells in TELLERS.items() if tells(document)), None):
                return found
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
    if program is None:
        *programs, last = READERS
        raise FileFormatError(path, f"this is no file of results of {', '.join(programs)} or {last}")
    return READERS[program](path, **said)


def _has_marks(data: bytes) -> bool:
    return any(all(mark in data for mark in marks) for marks in MARKS)


def _ends(path: Path) -> bytes:
    """Return the begin of a file, where text names its columns, and the end, where Parquet does."""
    with path.open("rb") as file:
        begin = file.read(ENOUGH)
        file.seek(max(len(begin), path.stat().st_size - ENOUGH))
        return begin + file.read(ENOUGH)


def _is_open_llm(path: Path) -> bool:
    """Tell whether the columns are those of the Open LLM Leaderboard; its reader tells what is wrong with it."""
    try:
        source = open_llm_source(path, None)
        return is_open_llm(sheet_of(source, FileFaults(source.name)).header)
    except InputError:
        return False


READS = {
    "HELM": ("preprocessing", "split", "perturbation"),
    "lm-evaluation-harness": ("name",),
    "MTEB": ("tasks", "split", "subsets", "languages", "revision"),
    OPEN_LLM: ("tasks", "raw", "precision", "flagged", "duplicates"),
}
"""What may be declared of how results of a program are read."""
READING = tuple(dict.fromkeys(keyword for its in READS.values() for keyword in its))
SUITE = ("metrics", *READING, "models", "lower_is_better", "higher_is_better", "weights")
BOARD = (*SUITE, "groups", "tolerance", "relative_tolerance")
INSTANCES = ("lower_is_better", "weights")
PROGRAMS = {SPEC: "HELM", PATTERN: "lm-evaluation-harness", META: "MTEB"}
"""Which file tells which program, the surest first."""
LOOKED_AT = 20
"""So many JSON files are looked at where no name of a file tells a program."""
ON_INSTANCES = {PER_INSTANCE: "HELM", SAMPLES: "lm-evaluation-harness"}
"""Which file tells scores on single instances of which program."""


def holds_results(path: object) -> bool:
    """Tell whether a path is that of a folder, or of a file that an evaluation program wrote."""
    if not isinstance(path, str | os.PathLike):
        return False
    if os.path.isdir(path):  # noqa: PTH112 - a path that no file can have is told of where it is opened
        return True
    return is_samples_file(path) or is_result_file(path)


def read_results(path: str | os.PathLike[str]) -> Results:
    """Read the results in a folder or file, whichever known program wrote them.

    Parameters
    ----------
    path : path
        A file of lm-evaluation-harness, MTEB, Every Eval Ever (`read_every_eval_ever`), Inspect (`read_inspect`) or
        the Open LLM Leaderboard (`read_open_llm`), told by what is in it; a folder with records or logs of the third or
        fourth; or a folder with result files at any depth: of HELM, told by
        ``run_spec.json`` (`read_helm`), of lm-evaluation-harness, told by ``results*.json`` (`read_lm_eval`), or of
        MTEB, told by ``model_meta.json`` (`read_mteb`). Where it has files of several, those of the first of them are
        read, and a note names the others.

    Raises
    ------
    FileFormatError
        If there is no such file or folder, or nothing in it is recognised: then it says what is there and what would
        be.
    """
    return _results(Path(path), {})


def board_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Leaderboard:
    """Return the leaderboard of a folder of results, under what is declared by keyword or in the TOML file beside it.

    Raises
    ------
    FileFormatError
        Also if a direction is not known, or what is declared does not fit the results.
    InputError
        If something is declared that says nothing of a folder.
    """
    options = _options(path, config, given, BOARD, "read_leaderboard")
    results = _results(Path(path), options)
    kept = {what: options.pop(what) for what in ("models", "tasks") if what in options}
    several = () if options.get("metrics") else results.datasets_of_several_metrics
    many = f"Every metric is a task of its own, and these datasets have several: {listed_briefly(several)}; "
    more = (f"{many}'metrics' in {beside(Path(path)).name} keeps some.",) if several else ()
    _warn(results, options, *more)
    try:
        return results.leaderboard(**options).select(**kept)
    except InputError as error:
        raise FileFormatError(path, error.faults) from None


def suite_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Suite:
    """Return the suite of a folder of results, as `board_of_folder` does."""
    options = _options(path, config, given, SUITE, "read_suite")
    results = _results(Path(path), options)
    kept = {name: options.pop(what) for what, name in (("models", "models"), ("tasks", "metrics")) if what in options}
    _warn(results, options)
    try:
        return results.suite(**options).select(**kept)
    except InputError as error:
        raise FileFormatError(path, error.faults) from None


def instances_of_folder(path: Any, config: ConfigLike | None, given: Mapping[str, Any]) -> Instances:
    """Return the scores on single instances in a folder, as `board_of_folder` does."""
    options = _options(path, config, given, INSTANCES, "read_instances")
    if Path(path).match(SAMPLES):
        return read_lm_eval_samples(path, **options)
    if Path(path).match(RECORD_SAMPLES) or (Path(path).is_file() and program_of(Path(path)) == INSPECT):
        return read_record_instances(path, **options)
    if Path(path).is_file():
        raise FileFormatError(path, "this file holds scores of whole tasks, not on single instances")
    held = map(_program_if_whole, _first_of(Path(path)))
    if any(Path(path).rglob(RECORD_SAMPLES)) or INSPECT in held:
        return read_record_instances(path, **options)
    if _patterns_in(Path(path), ON_INSTANCES)[0] == PER_INSTANCE:
        return read_helm_instances(path, **options)
    return read_lm_eval_samples(path, **options)


def _results(root: Path, options: dict[str, Any]) -> Results:
    """Return the results in a folder or file; what is said of how to read them is taken out of the options."""
    if root.is_file():
        if is_samples_file(root):
            raise FileFormatError(root, "this file holds scores on single instances, which studies of instances read")
        return read_result_file(root, **_said(root, options, program_of(root) or ""))
    if not root.is_dir():
        raise FileFormatError(root, "there is no such file or folder")
    pattern, *others = _patterns_in(root, PROGRAMS)
    said = _said(root, options, PROGRAMS.get(pattern, pattern))
    if pattern in RECORDS:
        return RECORDS[pattern](root, **said)
    if pattern == SPEC:
        results = read_helm(root, metrics=_metrics(options.get("metrics")), **said)
    else:
        results = read_lm_eval(root, **said) if pattern == PATTERN else read_mteb(root, **said)
    if not others:
        return results
    told = ", ".join(f"{other} of {PROGRAMS[other]}" if other in PROGRAMS else other for other in others)
    return replace(results, notes=(*results.notes, f"Left out, of other programs: {told}."))


def _said(root: Path, options: dict[str, Any], program: str) -> dict[str, Any]:
    """Take out of the options what is said of how to read results of a program, refusing what is of other programs.

    Tasks are left in where the reader knows nothing of them: they are chosen from what was read.
    """
    said = {
        one: options.pop(one) for one in READING if one in options and (one != "tasks" or one in READS.get(program, ()))
    }
    for keyword in said:
        if keyword not in READS.get(program, ()):
            owners = " or ".join(owner for owner, its in READS.items() if keyword in its)
            what = f"these are of {program}" if program else "this is no such file"
            raise InputError(f"{root}: {keyword} is for results of {owners}; {what}")
    if isinstance(said.get("split"), Mapping) and program != "MTEB":
        raise InputError(f"{root}: of results split is the name of the split that counts; got {said['split']!r}")
    return said


def _metrics(declared: Any) -> Any:
    """Return the metrics that are declared, without the datasets for which they are."""
    return tuple(dict.fromkeys(map(str, declared.values()))) if isinstance(declared, Mapping) else declared


def _patterns_in(root: Path, programs: Mapping[str, str]) -> list[str]:
    """Return the patterns that are in a folder, or raise the error that says what is."""
    there = [pattern for pattern in programs if any(root.rglob(pattern))]
    if there:
        return there
    held = list(dict.fromkeys(map(_program_if_whole, _first_of(root)))) if META in programs else []
    if told := [pattern for pattern in (PATTERN, META) if PROGRAMS[pattern] in held] + [
        program for program in RECORDS if program in held
    ]:
        return told
    every = {**programs, (RECORD_SAMPLES if programs is ON_INSTANCES else "*.json"): EVERY, "*.json or *.eval": INSPECT}
    wanted = ", ".join(f"{pattern} of {program}" for pattern, program in every.items())
    known = [f"{pattern} of {its}" for pattern, its in (PROGRAMS | ON_INSTANCES).items() if any(root.rglob(pattern))]
    other = f"; there are {', '.join(known)}" if known else ""
    tables = sorted(one.name for one in root.iterdir() if one.suffix.casefold() in FORMATS)
    broken = [told for told in held if told and told not in READERS]
    found = f"; give one of its tables: {listed_briefly(tables)}" if tables else ""
    found += f"; not read: {first_few(broken, 3)}" if broken else ""
    raise FileFormatError(root, f"this is a folder, and in it is none of {wanted}{other}{found}")


def _program_if_whole(file: Path) -> str | None:
    """Return which program a file is of, or what is wrong with one that cannot be read."""
    try:
        return program_of(file)
    except FileFormatError as error:
        return f"{file.name} ({error.faults[0]})"


def _first_of(root: Path) -> Iterator[Path]:
    """Return the first files: a folder without the file that tells its program may hold any number of others."""
    ends = (root.rglob(f"*{end}") for end in (".json", ARCHIVE))
    return (file for files in ends for file, _ in zip(files, range(LOOKED_AT), strict=False))


def _warn(results: Results, options: Mapping[str, Any], *more: str) -> None:
    """Warn of what is left out or doubtful, but for what is said when the scores become a table."""
    notes = [*(note for note in results.notes if note not in results.doubts), *more]
    if metrics := options.get("metrics"):
        notes += results.left_out_by(metrics)
    if notes:
        warning = ResultsWarning(notes)
        warning.cases = results.cases
        warn_caller(warning)


def _options(
    path: Any, config: ConfigLike | None, given: Mapping[str, Any], allowed: Iterable[str], reader: str
) -> dict[str, Any]:
    read_as = "" if Path(path).is_dir() else FORMATS.get(Path(path).suffix.casefold(), "jsonl")
    given = {keyword: value for keyword, value in given.items() if (keyword, value) != ("format", read_as)}
    folder = Source(name=str(path), data=b"", format="folder", path=Path(path))
    declared = settings(folder, config, given, allowed, f"{reader} of results")
    idle = without(declared.values, allowed)
    if idle:
        raise InputError(f"{path}: this holds results, of which {listed_briefly(idle)} says nothing")
    return dict(declared.values)
