"""Output of evaluation programs passed as a table: folders and files, recognised by their contents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from weightlab._text import first_few, without
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import FileFormatError, InputError, ResultsWarning, warn_caller
from weightlab.io.evaluations import helm, hugging_face, lm_eval, records
from weightlab.io.evaluations.engine import Program
from weightlab.io.evaluations.hugging_face import read_hugging_face
from weightlab.io.evaluations.mteb import META, is_mteb, read_mteb
from weightlab.io.evaluations.open_llm import is_open_llm, open_llm_source, read_open_llm
from weightlab.io.evaluations.results import Results, listed_briefly
from weightlab.io.formats.folders import is_folder_of_tables
from weightlab.io.formats.open_sheet import sheet_of
from weightlab.io.tables.declarations import ConfigLike, beside, settings
from weightlab.io.tables.sheet import FORMATS, FileFaults, Source


@dataclass(frozen=True)
class Reader:
    """How results of a program are found and read.

    Attributes
    ----------
    name : str
        The program.
    read : function
        Reads a file or folder of results.
    said : tuple of str
        What may be declared of how they are read.
    file : str
        What a file is called that tells a folder of this program; empty where no name does.
    on_instances : function
        Reads scores on single instances.
    samples : str
        What their files are called; empty where no name tells them.
    tells : function from JSON document to bool
        Tells one of its files, if it is JSON with such marks.
    marks : tuple of tuples of bytes
        As of `Program`.
    """

    name: str
    read: Callable[..., Results]
    said: tuple[str, ...] = ()
    file: str = ""
    on_instances: Callable[..., Instances] | None = None
    samples: str = ""
    tells: Callable[[Any], bool] = lambda _: False
    marks: tuple[tuple[bytes, ...], ...] = ()


def _reader(program: Program, read: Callable[..., Results], said: tuple[str, ...], *on_instances: Any) -> Reader:
    name, file, samples = program.name, program.called, "" if len(on_instances) < 2 else on_instances[1]
    return Reader(name, read, said, file, on_instances[0], samples, program.is_one, program.marks)


OPEN_LLM, HUGGING_FACE = "the Open LLM Leaderboard", "Hugging Face"
OF_HELM, OF_MTEB = ("split", "perturbation"), ("tasks", "split", "subsets", "languages", "revision")
MTEB_MARKS = ((b'"task_name"', b'"scores"'), (b'"mteb_dataset_name"',))
OF_OPEN_LLM = ("tasks", "raw", "precision", "flagged", "duplicates")
READERS = (
    Reader("HELM", helm.read_helm, OF_HELM, helm.SPEC, helm.read_helm_instances, helm.PER_INSTANCE),
    _reader(lm_eval.LM_EVAL, lm_eval.read_lm_eval, ("name",), lm_eval.read_lm_eval_samples, lm_eval.SAMPLES),
    Reader("MTEB", read_mteb, OF_MTEB, META, tells=is_mteb, marks=MTEB_MARKS),
    _reader(records.EVERY, records.read_every_eval_ever, (), records.read_record_instances, records.SAMPLES),
    _reader(records.INSPECT, records.read_inspect, (), records.read_record_instances),
    Reader(HUGGING_FACE, read_hugging_face, file=f"{hugging_face.FOLDER}/*.y*ml"),
    Reader(OPEN_LLM, read_open_llm, OF_OPEN_LLM),
)
"""The programs whose results are read, those first whose files tell most surely that a folder is theirs."""
NAMED = {reader.name: reader for reader in READERS}
SAMPLES = tuple(reader.samples for reader in READERS if reader.samples and "*" in reader.samples)
MARK = b"Precision"
"""What a table of the Open LLM Leaderboard has in it, near one of its ends."""
ENOUGH = 1 << 18
"""Bytes examined at each end of a file."""
LOOKED_AT = 20
"""Files examined if no file name identifies a program."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """What a path holds that evaluation programs wrote.

    Attributes
    ----------
    path : Path
        A file or a folder.
    program : str
        Whose results a file holds; empty of a folder, which is looked into when it is read.
    on_instances : bool
        Whether it is a file of scores on single instances.
    """

    path: Path
    program: str = ""
    on_instances: bool = False


def sniff(path: object) -> Held | None:
    """Return which program's output a path holds, or that it is a folder; None for tables and streams.

    Raises
    ------
    FileFormatError
        If it is one of the files of a run of HELM, which only together say what was scored.
    """
    if not isinstance(path, str | os.PathLike):
        return None
    place = Path(path)
    if os.path.isdir(place):  # noqa: PTH112 - an impossible path is reported when it is opened
        return None if _is_of_tables(place) else Held(path=place)
    if any(map(place.match, SAMPLES)):
        return Held(path=place, on_instances=True)
    program = program_of(place)
    return None if program is None else Held(path=place, program=program)


def holds_results(path: object) -> bool:
    """Return whether a path is that of a folder, or of a file that an evaluation program wrote."""
    return sniff(path) is not None


def is_samples_file(path: object) -> bool:
    """Return whether a path holds scores on single instances, by its name, which contains the task."""
    return isinstance(path, str | os.PathLike) and any(map(Path(path).match, SAMPLES))


def program_of(path: Path) -> str | None:
    """Return the program that wrote a file of results; None for any other file, and if there is no file.

    Raises
    ------
    FileFormatError
        If it is one of the files of a run of HELM, which only together say what was scored.
    """
    if path.name in {helm.SPEC, helm.STATS, helm.PER_INSTANCE} and path.with_name(helm.SPEC).is_file():
        raise FileFormatError(path, "this is one file of a run of HELM; give the folder that holds the runs' folders")
    suffix = path.suffix.casefold()
    if suffix not in {*FORMATS, records.ARCHIVE} or not os.path.isfile(path):  # noqa: PTH113 - told where opened
        return None
    try:
        if suffix == records.ARCHIVE:
            return records.INSPECT.name if records.is_inspect(records.log_in(path)) else None
        data = path.read_bytes() if suffix == ".json" else _ends(path) if suffix == records.PARQUET else b""
        marked = [one for one in READERS if any(all(mark in data for mark in row) for row in one.marks)]
        document = records.load_records(path) if marked else None
        if found := next((one.name for one in marked if one.tells(document)), None):
            return found
        return OPEN_LLM if MARK in _ends(path) and _is_open_llm(path) else None
    except OSError:
        return None  # reading it as a table reports the reason


def _ends(path: Path) -> bytes:
    """Return the begin of a file, where text names its columns, and the end, where Parquet does."""
    with path.open("rb") as file:
        begin = file.read(ENOUGH)
        file.seek(max(len(begin), path.stat().st_size - ENOUGH))
        return begin + file.read(ENOUGH)


def _is_open_llm(path: Path) -> bool:
    """Return whether the columns are those of the Open LLM Leaderboard; its reader reports any errors."""
    try:
        source = open_llm_source(path, None)
        return is_open_llm(sheet_of(source, FileFaults(source.name)).header)
    except InputError:
        return False


def _programs_in(root: Path, *, on_instances: bool = False) -> list[str]:
    """Return the programs whose results are in a folder, the surest first.

    Raises
    ------
    FileFormatError
        If no program is recognised; the message lists what was found.
    """
    names = {one.name: one.samples if on_instances else one.file for one in READERS}
    if there := [program for program, name in names.items() if name and any(root.rglob(name))]:
        return there
    held = list(dict.fromkeys(map(_program_if_whole, _first_of(root))))
    if there := [one for one in NAMED if one in held and (not on_instances or one == records.INSPECT.name)]:
        return there
    if not on_instances and any(map(hugging_face.is_card_file, _cards_of(root))):
        return [HUGGING_FACE]
    every = {program: name or "*.json" for program, name in names.items() if program != OPEN_LLM}
    every["Every Eval Ever"] = "*.json or *.parquet" if not on_instances else every["Every Eval Ever"]
    every[HUGGING_FACE] = f"README.md with model-index or {hugging_face.FOLDER}"
    every["Inspect"] = "*.json or *.eval"
    asked = [program for program in every if not on_instances or NAMED[program].on_instances]
    wanted = ", ".join(f"{every[program]} of {program}" for program in asked)
    known = [
        f"{name} of {one.name}" for one in READERS for name in (one.file, one.samples) if name and any(root.rglob(name))
    ]
    other = f"; there are {', '.join(known)}" if known else ""
    tables = sorted(one.name for one in root.iterdir() if one.suffix.casefold() in FORMATS)
    broken = [told for told in held if told and told not in NAMED]
    found = f"; give one of its tables: {listed_briefly(tables)}" if tables else ""
    found += f"; not read: {first_few(broken, 3)}" if broken else ""
    raise FileFormatError(root, f"this is a folder, and in it is none of {wanted}{other}{found}")


def _is_of_tables(root: Path) -> bool:
    """Return whether a folder holds tables, and results of no program."""
    for on_instances in (False, True):
        with suppress(FileFormatError):
            return not _programs_in(root, on_instances=on_instances)
    return is_folder_of_tables(root)


def _program_if_whole(file: Path) -> str | None:
    """Return which program a file is of, or what is wrong with one that cannot be read."""
    try:
        return program_of(file)
    except FileFormatError as error:
        return f"{file.name} ({error.faults[0]})"


def _cards_of(root: Path) -> Iterator[Path]:
    """Return the first files that may be model cards."""
    return (file for file, _ in zip(root.rglob("README.md"), range(LOOKED_AT), strict=False))


def _first_of(root: Path) -> Iterator[Path]:
    """Return the first files: a folder without the file that tells its program may hold any number of others."""
    ends = (root.rglob(f"*{end}") for end in (".json", records.ARCHIVE, records.PARQUET))
    return (file for files in ends for file, _ in zip(files, range(LOOKED_AT), strict=False))


# Their contents in the requested form, with declarations from keywords or the TOML file next to them.

Made = TypeVar("Made", Leaderboard, Suite)
READING = tuple(dict.fromkeys(keyword for one in READERS for keyword in one.said))
SUITE = ("metrics", *READING, "models", "lower_is_better", "higher_is_better", "weights")
BOARD = (*SUITE, "groups", "tolerance", "relative_tolerance", "rule", "bounds")
INSTANCES = ("lower_is_better", "weights")


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
        If there is no such file or folder, or nothing in it is recognised: the message lists what was found and what is
        recognised.
    """
    held = sniff(path) or (Held(path=Path(path)) if os.path.isdir(path) else None)  # noqa: PTH112 (as in `sniff`)
    if held is None:
        *programs, last = (one.name for one in READERS if one.file != helm.SPEC)
        there = os.path.isfile(path)  # noqa: PTH113 - an impossible path gets the same message
        told = f"this is not a file of results of {', '.join(programs)} or {last}"
        raise FileFormatError(path, told if there else "there is no such file or folder")
    return _results(held, {})


def board_of(held: Held, config: ConfigLike | None, given: Mapping[str, Any]) -> Leaderboard:
    """Return the leaderboard of results, with declarations from keywords or the TOML file next to them.

    Raises
    ------
    FileFormatError
        Also if a direction is not known, or what is declared does not fit the results.
    InputError
        If a declaration does not apply to results.
    """
    options = _options(held, config, given, BOARD, "read_leaderboard")
    results = _results(held, options)
    kept = {what: options.pop(what) for what in ("models", "tasks") if what in options}
    several = () if options.get("metrics") else results.datasets_of_several_metrics
    many = f"Every metric is a task of its own, and these datasets have several: {listed_briefly(several)}; "
    _warn(results, options, *([f"{many}'metrics' in {beside(held.path).name} keeps some."] if several else []))
    return _made(held, lambda: results.leaderboard(**options).select(**kept))


def suite_of(held: Held, config: ConfigLike | None, given: Mapping[str, Any]) -> Suite:
    """Return the suite of results, as `board_of` does."""
    options = _options(held, config, given, SUITE, "read_suite")
    results = _results(held, options)
    kept = {name: options.pop(what) for what, name in (("models", "models"), ("tasks", "metrics")) if what in options}
    _warn(results, options)
    return _made(held, lambda: results.suite(**options).select(**kept))


def _made(held: Held, make: Callable[[], Made]) -> Made:
    """Convert results; an error names them."""
    try:
        return make()
    except InputError as error:
        raise FileFormatError(held.path, error.faults) from None


def instances_of(held: Held, config: ConfigLike | None, given: Mapping[str, Any]) -> Instances:
    """Return the scores on single instances among results, as `board_of` does."""
    options = _options(held, config, given, INSTANCES, "read_instances")
    others: list[str] = []
    if held.on_instances:
        program = next(one.name for one in READERS if one.samples and held.path.match(one.samples))
    else:
        program, *others = [held.program] if held.program else _programs_in(held.path, on_instances=True)
    read = NAMED[program].on_instances
    if held.program not in ("", records.INSPECT.name) or read is None:
        raise FileFormatError(held.path, "this file holds scores of whole tasks, not on single instances")
    if others:
        warn_caller(ResultsWarning([_left_out({other: NAMED[other].samples for other in others})]))
    return read(held.path, **options)


def _left_out(others: Mapping[str, str]) -> str:
    """Return the note that lists the other programs and the file names that identify them."""
    told = ", ".join(f"{name} of {other}" if name else other for other, name in others.items())
    return f"Left out, of other programs: {told}."


def _results(held: Held, options: dict[str, Any]) -> Results:
    """Return the results in a folder or file; the reading options are removed from the given ones."""
    if held.on_instances:
        raise FileFormatError(held.path, "this file holds scores on single instances, which studies of instances read")
    program, *others = [held.program] if held.program else _programs_in(held.path)
    said = _said(held.path, options, program)
    if program == "HELM":
        said["metrics"] = _metrics(options.get("metrics"))
    results = NAMED[program].read(held.path, **said)
    more = [_left_out({other: NAMED[other].file for other in others})] if others else []
    return replace(results, notes=(*results.notes, *more))


def _said(root: Path, options: dict[str, Any], program: str) -> dict[str, Any]:
    """Remove and return the options for reading results of a program, refusing those of other programs.

    Tasks stay if the reader does not accept them: they are selected after reading.
    """
    own = NAMED[program].said
    said = {one: options.pop(one) for one in READING if one in options and (one != "tasks" or one in own)}
    for keyword in without(said, own):
        owners = " or ".join(one.name for one in READERS if keyword in one.said)
        raise InputError(f"{root}: {keyword} is for results of {owners}; these are of {program}")
    if isinstance(said.get("split"), Mapping) and program != "MTEB":
        raise InputError(f"{root}: of results split is the name of the split that counts; got {said['split']!r}")
    return said


def _metrics(declared: Any) -> Any:
    """Return the metrics that are declared, without the datasets for which they are."""
    return tuple(dict.fromkeys(map(str, declared.values()))) if isinstance(declared, Mapping) else declared


def _warn(results: Results, options: Mapping[str, Any], *more: str) -> None:
    """Warn of excluded or uncertain results, except for warnings given when the scores become a table."""
    notes = [*(note for note in results.notes if note not in results.doubts), *more]
    if metrics := options.get("metrics"):
        notes += results.left_out_by(metrics)
    if notes:
        warning = ResultsWarning(notes)
        warning.cases = results.cases
        warn_caller(warning)


def _options(
    held: Held, config: ConfigLike | None, given: Mapping[str, Any], allowed: Iterable[str], reader: str
) -> dict[str, Any]:
    read_as = "" if held.path.is_dir() else FORMATS.get(held.path.suffix.casefold(), "jsonl")
    given = {keyword: value for keyword, value in given.items() if (keyword, value) != ("format", read_as)}
    folder = Source(name=str(held.path), data=b"", format="folder", path=held.path)
    declared = settings(folder, config, given, allowed, f"{reader} of results")
    if idle := without(declared.values, allowed):
        raise InputError(f"{held.path}: this holds results, to which {listed_briefly(idle)} does not apply")
    return dict(declared.values)
