"""Documents of results: printed whole for other programs, and written where they replace no input."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from weightlab._files import write_whole
from weightlab._result import Result
from weightlab.cli.options.shared import Destination
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import NOTES
from weightlab.exceptions import InputError
from weightlab.report import Document, write_document


def put_document(
    command: str, found: Iterable[Result], source: Source, ends: Destination, *, origin: Mapping[str, Any] | None = None
) -> bool:
    """Write what a command found to the file that is named, if any, and print it where JSON is asked for.

    Parameters
    ----------
    command : str
        Which one.
    found : iterable of Result
        What it found.
    source : Source
        What was read.
    ends : Destination
        Where the document goes.
    origin : mapping, optional
        How it was read, if otherwise than the source says.

    Returns
    -------
    bool
        Whether JSON was asked for.

    Raises
    ------
    InputError
        If the file is the one that was read.
    """
    options = source.options() if origin is None else origin
    document = Document(
        results=tuple(found), options=options, command=command, notes=tuple(NOTES), reading=reading(source)
    )
    if ends.output is not None:
        _save(document, ends.output, source.file)
    if ends.as_json:
        NOTES.pending.clear()  # the document says it
        put_text(f"{document.to_json(table=True)}\n")
    return ends.as_json


def reading(source: Source) -> dict[str, Any] | None:
    """Return how the table was read, as in a document; None for the bundled table."""
    return NOTES.readings[0].to_dict() if NOTES.readings and source.file is not None else None


def put_text(text: str, output: str | None = None) -> None:
    """Write UTF-8 to a file or to standard output, whatever the encoding of the terminal: JSON and pages say UTF-8."""
    if output is not None:
        write_whole((output, text))
    elif hasattr(sys.stdout, "buffer"):
        NOTES.aside()
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:  # redirected within the process, to something that takes text alone
        sys.stdout.write(text)


def _save(document: Document, path: str, read: str | None) -> None:
    target = Path(path)
    if target.exists() and read is not None and Path(read).exists() and target.samefile(read):
        raise InputError(f"--output {path!r} is the file that was read; name another one")
    write_document(document, path, table=True)


def ensure_apart(written: Mapping[str, str | None], *read: str | None) -> None:
    """Raise InputError if two files that are written are one, or one would replace a file that is read."""
    places = {option: Path(name).resolve() for option, name in written.items() if name not in {None, "-"} and name}
    taken = {Path(one).resolve() for one in read if one not in {None, "-"} and one}
    for option, place in places.items():
        if place in taken:
            raise InputError(f"{option} {written[option]!r} is a file that is read; name another one")
        same = [other for other, another in places.items() if another == place and other != option]
        if same:
            raise InputError(f"{option} and {same[0]} are the same file, {written[option]!r}; name another one")
