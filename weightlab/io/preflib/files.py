"""What all PrefLib files share: a header that names numbered alternatives, and rows of text below it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from weightlab._result import Frozen
from weightlab._text import counted
from weightlab._validate import Faults
from weightlab.io.tables.sheet import FileFaults, PathLike, decoded, opened
from weightlab.io.writing.write import write_files

_NAME = re.compile(r"ALTERNATIVE NAME ([0-9]{1,9})\s*:(.*)")
_OLD_NAME = re.compile(r"\s*([0-9]{1,9})\s*,(.*)")
_NUMBER = re.compile(r"[0-9]{1,400}")
_OLD_PAIRS = re.compile(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})")
"""How an old file of weighted pairs begins: the numbers of alternatives and of rows."""
BLANKS = " \t\r\n"
"""What may stand around a name."""


class PrefLibText(Frozen, eq=True):
    """A PrefLib file taken apart as far as all kinds are the same.

    Attributes
    ----------
    name : str
        What messages call it.
    kind : str
        Its extension without the dot: ``"soc"``, ``"wmd"``, ...
    old : bool
        Whether it is of the form that was used before 2022: no ``#``, the number of alternatives first.
    alternatives : dict from int to str
        Names by number.
    fields : dict from str to str
        What the header says otherwise, such as ``NUMBER VOTERS``.
    rows : list of (int, str)
        Lines that are not blank, with their numbers.
    """

    name: str
    kind: str
    old: bool
    alternatives: dict[int, str] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, str]] = field(default_factory=list)

    @property
    def models(self) -> tuple[str, ...]:
        """The names in the order of their numbers."""
        return tuple(self.alternatives[number] for number in sorted(self.alternatives))

    @property
    def column(self) -> dict[int, int]:
        """The position of each number in that order."""
        return {number: position for position, number in enumerate(sorted(self.alternatives))}

    def check(self, key: str, found: int, what: str, faults: Faults) -> None:
        """Note when the header states another number than the file holds: then a part of it may be missing."""
        stated = self.fields.get(key, "")
        if stated and stated != str(found):
            faults.add(f"{key} says {stated}, and there are {counted(found, what)}")


def preflib_text(
    path: PathLike,
    format: str | None,  # noqa: A002
    formats: Mapping[str, str],
) -> tuple[PrefLibText, FileFaults]:
    """Return the header and rows of a file, and the list for what is wrong with it.

    Raises
    ------
    FileFormatError
        If the file cannot be read as text, or names no alternatives.
    """
    source = opened(path, format, formats, remote=True)
    # Other characters that Python takes for line ends or blanks, such as U+0085, stand in names.
    split = enumerate(decoded(source).split("\n"), start=1)
    lines = [(number, line.strip(BLANKS)) for number, line in split if line.strip()]
    faults = FileFaults(source.name)
    old = not lines[0][1].startswith("#")
    text = PrefLibText(name=source.name, kind=source.format, old=old)
    (_read_old if old else _read_new)(text, lines, faults)
    if not text.alternatives:
        faults.add("no alternative is named; a line '# ALTERNATIVE NAME 1: ...' is needed for each")
    faults.raise_here()
    said = text.fields.get("DATA TYPE", text.kind).casefold()
    if said != text.kind:
        faults.add(f"DATA TYPE says {said!r}, and the file is read as {text.kind!r}")
    text.check("NUMBER ALTERNATIVES", len(text.alternatives), "named alternative", faults)
    _check_distinct(text, faults)
    return text, faults


def _read_new(text: PrefLibText, lines: Sequence[tuple[int, str]], faults: FileFaults) -> None:
    for number, line in lines:
        if not line.startswith("#"):
            text.rows.append((number, line))
            continue
        said = line[1:].strip()
        named = _NAME.fullmatch(said)
        if named:
            _name(text, int(named[1]), named[2].strip(BLANKS), number, faults)
        else:
            key, _, value = said.partition(":")
            text.fields[key.strip()] = value.strip()


def _read_old(text: PrefLibText, lines: Sequence[tuple[int, str]], faults: FileFaults) -> None:
    """Read: the number of alternatives, their names, then how many voters, their sum, and how many rows."""
    first, head = lines[0]
    if text.kind == "wmd" and (counted_ := _OLD_PAIRS.fullmatch(head)):
        head, text.fields["NUMBER EDGES"] = counted_.groups()
    if not _NUMBER.fullmatch(head):
        faults.add(
            f"line {first}: {head[:40]!r} is neither a header line ('# KEY: value') nor a number of alternatives"
        )
        faults.raise_here()
    text.fields["NUMBER ALTERNATIVES"] = head
    names = lines[1 : 1 + int(head)]
    for number, line in names:
        named = _OLD_NAME.fullmatch(line)
        if named is None:
            faults.add(f"line {number}: {line[:40]!r} is not a name of an alternative, such as '1,ada'")
        else:
            # Its pairs are of alternatives counted from 0, although their names are counted from 1.
            _name(text, int(named[1]) - ("NUMBER EDGES" in text.fields), named[2].strip(BLANKS), number, faults)
    if "NUMBER EDGES" in text.fields:
        text.rows.extend(lines[1 + len(names) :])
        return
    after = lines[1 + len(names) :]
    counts = [part.strip() for part in after[0][1].split(",")] if after else []
    if len(counts) != 3 or not all(map(_NUMBER.fullmatch, counts)):
        faults.add("the names must be followed by 'voters,sum of counts,number of rows', three whole numbers")
        faults.raise_here()
    keys = ("NUMBER VOTERS", "SUM OF COUNTS", "NUMBER ROWS")
    text.fields.update({key: str(int(count)) for key, count in zip(keys, counts, strict=True)})
    text.rows.extend(after[1:])


def _name(text: PrefLibText, number: int, name: str, line: int, faults: FileFaults) -> None:
    if not name:
        faults.add(f"line {line}: alternative {number} has an empty name")
    if number in text.alternatives:
        faults.add(f"line {line}: alternative {number} is already called {text.alternatives[number]!r}")
    text.alternatives[number] = name


def _check_distinct(text: PrefLibText, faults: FileFaults) -> None:
    first: dict[str, int] = {}
    for number, name in sorted(text.alternatives.items()):
        if name in first:
            faults.add(f"alternatives {first[name]} and {number} are both called {name!r}")
        first.setdefault(name, number)


def check_alternatives(models: Sequence[str], faults: Faults) -> None:
    """Note names that would not read back: PrefLib has one line per name, without blanks around it."""
    for model in models:
        if model != model.strip(BLANKS) or {"\n", "\r", "\ufeff", "\0"} & set(model):
            faults.add(
                f"PrefLib cannot hold the name {model!r}: it has blanks around it, breaks a line or is not a text"
            )


def header_lines(path: Path, kind: str, title: str, numbers: Mapping[str, int], models: Sequence[str]) -> list[str]:
    """Return the lines of a header of today's form."""
    fields = {"FILE NAME": path.name, "TITLE": title, "DATA TYPE": kind, **numbers}
    named = [f"# ALTERNATIVE NAME {number}: {model}" for number, model in enumerate(models, start=1)]
    return [*(f"# {key}: {' '.join(str(value).split())}" for key, value in fields.items()), *named]


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write lines as UTF-8.

    Raises
    ------
    FileFormatError
        If the file cannot be written.
    """
    write_files((path, (f"{line}\n".encode("utf-8", errors="backslashreplace") for line in lines)))
