"""A folder of tables that have the same columns: parts of one table, or a file per model or data set."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._result import Frozen
from weightlab._text import counted
from weightlab.exceptions import FileFormatError
from weightlab.io.reading.words import is_called
from weightlab.io.sources.packed import SIZE_LIMIT
from weightlab.io.tables.columns import plain_name
from weightlab.io.tables.sheet import FORMATS, Block, FileFaults, Sheet, Source, opened, unpacked

Read: TypeAlias = Callable[[Source, FileFaults], Sheet]
"""How one file is read."""
MOST_FILES = 10_000
"""Files of a folder that are read."""
PAGES = {"markdown", "html", "latex", "txt"}
"""Formats of files that tell of a folder, where it holds tables of other formats."""
ENDS = "_/"
"""Where names of files may be cut: names of models hold all other signs."""
FEWEST = 2


class Part(Frozen):
    """One file of a folder: its path below the folder, and its table."""

    name: str
    header: tuple[str, ...]
    columns: list[list[Any]]
    rows: list[int]
    place: Callable[[int], str]


def tables_in(root: Path, member: str | None = None) -> list[Path]:
    """Return the files below a folder that may be tables of one form: those of its most common format, or as requested.

    Other files are skipped: hidden files, settings, licences and the like.
    """
    found: dict[Path, str] = {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for file in sorted(files):
            path = Path(folder, file)
            kind = FORMATS.get(unpacked(path).suffix.casefold(), "")
            if file.startswith((".", "_SUCCESS")) or not kind or not path.is_file():
                continue
            if member is not None and not fnmatchcase(path.relative_to(root).as_posix(), member):
                continue
            found[path] = "txt" if unpacked(path).suffix.casefold() == ".txt" else kind
    kinds = Counter(found.values())
    usual = max(kinds, key=lambda kind: (kind not in PAGES, kind != "json", kinds[kind]), default="")
    return [path for path, kind in found.items() if kind == usual]


def is_folder_of_tables(root: Path) -> bool:
    """Return whether a folder holds two files or more that may be tables of one form."""
    return len(tables_in(root)) >= FEWEST


def folder_sheet(source: Source, faults: FileFaults, read: Read) -> Sheet:
    """Return the sheet of a folder whose files have the same columns, their rows joined.

    Where the files name no models, or name the same ones, a column tells from which file a row is: of models or of data
    sets, as the first column of the files tells. Columns called 0, 1, 2, ... are repeats of one score.

    Raises
    ------
    FileFormatError
        If there are fewer than two tables, or their columns differ.
    """
    assert source.path is not None  # noqa: S101 - for readers and type checkers: folders have one
    member = source.data.decode() or None
    paths = tables_in(source.path, member)
    if member is not None and len(paths) == 1:
        return read(opened(paths[0]), faults)
    if len(paths) < FEWEST or len(paths) > MOST_FILES:
        told = f"{counted(len(paths), 'table')} in this folder, of at least {FEWEST} and at most {MOST_FILES:,}"
        raise FileFormatError(source.name, told)
    parts = _parts(paths, source, faults, read)
    kinds: dict[frozenset[str], list[Part]] = {}
    for part in parts:
        kinds.setdefault(frozenset(part.header), []).append(part)
    if len(kinds) > 1:
        some = sorted(kinds.values(), key=len, reverse=True)
        told = "; ".join(f"{counted(len(one), 'file')} such as {one[0].name}" for one in some[:3])
        cures = (Cure("member", _pattern([one.name for one in its], parts)) for its in some[:2])
        told = f"its {len(parts)} tables have {len(kinds)} kinds of columns: {told}"
        raise FileFormatError(source.name, Fault(told, *(one for one in cures if one.value)))
    return _joined(parts)


def _parts(paths: Sequence[Path], source: Source, faults: FileFaults, read: Read) -> list[Part]:
    """Return the tables in files, noting all their errors."""
    parts: list[Part] = []
    left: float = SIZE_LIMIT
    for path in paths:
        assert source.path is not None  # noqa: S101 - as above
        name = path.relative_to(source.path).as_posix()
        own = opened(path, size_limit=left)
        if unpacked(path) != path:
            left -= len(own.data) / (1 << 20)
        wrong = FileFaults(name)
        sheet = read(own, wrong)
        columns: list[list[Any]] = [[] for _ in sheet.header]
        rows: list[int] = []
        for block in sheet.blocks:
            rows += map(int, block.rows)
            for held, column in zip(columns, block.columns, strict=True):
                held.extend(column)
        for fault in wrong.listed:
            faults.add(f"{name}: {fault}")
        header = tuple(map(plain_name, sheet.header))
        parts.append(Part(name=name, header=header, columns=columns, rows=rows, place=sheet.place))
    faults.raise_here()
    return parts


def _joined(parts: Sequence[Part]) -> Sheet:
    """Return the rows of all parts as one sheet, with a column for their names where the rows do not tell them."""
    header = parts[0].header
    texts = [at for at, name in enumerate(header) if any(map(_is_text, parts[0].columns[at])) and name]
    key = next((at for at in texts if is_called(header[at], "key")), texts[0] if texts else None)
    of_file, doubt = _of_file(parts, key)
    columns: list[list[Any]] = [[] for _ in header]
    names: list[str] = []
    places: list[tuple[Part, int]] = []
    for name, part in zip(names_of([part.name for part in parts]), parts, strict=True):
        order = [part.header.index(one) for one in header]
        for held, at in zip(columns, order, strict=True):
            held.extend(part.columns[at])
        names += [name] * len(part.rows)
        places += [(part, row) for row in part.rows]
    told = f"{counted(len(parts), 'file')} joined"
    if of_file:
        header, columns = (of_file, *header), [names, *columns]
        told = f"{len(parts)} files, one per {of_file}"
    block = Block(rows=range(len(places)), columns=columns)

    def place(row: int) -> str:
        part, its = places[row]
        return f"{part.name}, {part.place(its)}"

    made = Sheet(header=header, blocks=iter([block] if places else []), place=place, remarks=(told,))
    repeats = _repeats(header)
    made = replace(made, doubts=(f"{told} ({doubt})",) if doubt and not repeats else ())
    return _with_repeats(made, block, repeats) if of_file == "model" and repeats else made


def _of_file(parts: Sequence[Part], key: int | None) -> tuple[str, str]:
    """Return the meaning of a file's name, empty if its rows decide, and why that is only likely."""
    if key is None:
        return "model", ""
    name = parts[0].header[key]
    named = [{plain_name(str(one)) for one in part.columns[part.header.index(name)]} for part in parts]
    counts = Counter(one for names in named for one in names)
    if max(counts.values(), default=0) < FEWEST:
        return "", ""  # parts of one table, or a model in each
    if is_called(name, "key"):
        return "dataset", ""
    sure = not name or is_called(name, "data set column") or is_called(name, "rows are tasks")
    return "model", "" if sure else f"each has the same names in its column {name!r}"


def _repeats(header: Sequence[str]) -> list[int]:
    """Return the columns called 0, 1, 2, ..., if there are such, which are repeats of one score."""
    numbers = [at for at, name in enumerate(header) if name.isascii() and name.isdecimal()]
    return (
        numbers if len(numbers) >= FEWEST and [header[at] for at in numbers] == [*map(str, range(len(numbers)))] else []
    )


def _with_repeats(sheet: Sheet, block: Block, numbers: Sequence[int]) -> Sheet:
    """Return a sheet with a row per score of one in which some columns are repeats of one score."""
    rest = [at for at in range(len(sheet.header)) if at not in numbers]
    names = ["dataset" if at == 1 else sheet.header[at] for at in rest]
    columns = [[one for one in block.columns[at] for _ in numbers] for at in rest]
    columns.append([sheet.header[at] for _ in block.rows for at in numbers])
    columns.append([one for row in zip(*(block.columns[at] for at in numbers), strict=True) for one in row])
    long = Block(rows=[row for row in block.rows for _ in numbers], columns=columns)
    told = f"{len(numbers)} columns are repeats of one score"
    return replace(
        sheet,
        header=(*names, "repeat", "score"),
        blocks=iter([long]),
        remarks=(*sheet.remarks, told),
        says={"repeats_by": "repeat"},
    )


def _is_text(cell: Any) -> bool:
    if not isinstance(cell, str):
        return False
    try:
        float(cell)
    except ValueError:
        return bool(cell.strip())
    return False


def names_of(paths: Sequence[str]) -> list[str]:
    """Return the distinguishing parts of paths: without the common beginning and end, cut at word boundaries."""
    bare = [str(unpacked(Path(one)).with_suffix("")) for one in paths]
    begin = _begin(bare)
    begin = begin[: max(map(begin.rfind, ENDS)) + 1]
    rest = [one[len(begin) :] for one in bare]
    end = _begin([one[::-1] for one in rest])[::-1]
    cuts = [at for at in map(end.find, ENDS) if at >= 0]
    end = end[min(cuts) :] if cuts else ""
    names = [one.removesuffix(end) for one in rest]
    return next((its for its in (names, bare) if all(its) and len({*its}) == len(its)), [*paths])


def _begin(names: Sequence[str]) -> str:
    """Return how all names begin."""
    first, last = min(names), max(names)
    return first[: next((at for at, pair in enumerate(zip(first, last, strict=False)) if len({*pair}) > 1), len(first))]


def _pattern(names: Sequence[str], parts: Sequence[Part]) -> str:
    """Return a pattern that only these of all files fit; nothing where there is no simple one."""
    if len(names) == 1:
        return names[0]
    begin, end = _begin(names), _begin([one[::-1] for one in names])[::-1]
    for made in (f"*{end}", f"{begin}*", f"{begin}*{end}"):
        if {part.name for part in parts if fnmatchcase(part.name, made)} == {*names}:
            return made
    return ""
