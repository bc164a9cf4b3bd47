"""What becomes of an answer: shown view by view, written as a document or in another form, drawn.

A command reads, asks, and yields views; all else is done here for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from weightlab.cli.options.shared import HERE, Ends, Theme
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.show import NOTES, say, screen
from weightlab.exceptions import InputError, WeightlabError

if TYPE_CHECKING:
    from weightlab.views.view import View

PICTURES = (".png", ".svg", ".pdf")
NOWHERE = Source()


def answered(name: str, ask: Callable[..., Iterable[View] | None], given: Mapping[str, Any]) -> None:
    """Ask, show each view as it is found, write and draw what the options request; an error still writes what is known.

    Raises
    ------
    InputError
        If a file cannot be written, or would replace one that is read, before anything is computed.
    UnprovedError
        In the end, with a line for each question that ended without a proof.
    """
    ends = next((one for one in given.values() if isinstance(one, Ends)), HERE)
    source = next((one for one in given.values() if isinstance(one, Source)), NOWHERE)
    _ensure_writable(source, ends)
    NOTES.begin(as_json=ends.as_json)
    views: list[View] = []
    try:
        for view in ask(**given) or ():
            if not ends.as_json:
                parts = [*screen(view, every=ends.every, first=not any(one.parts for one in views))]
                if parts:
                    say(*parts)
            views.append(view)
    except (WeightlabError, KeyboardInterrupt, typer.Exit):
        _write(name, views, source, ends)
        raise
    _write(name, views, source, ends)
    if ends.plot is not None:
        _draw(views, ends)
    NOTES.unproved.raise_if_any()


def _ensure_writable(source: Source, ends: Ends) -> None:
    if ends.plot is None and ends.theme is not None:
        raise InputError(f"--theme {ends.theme} requires --plot")
    if ends.plot is not None:
        if Path(ends.plot).suffix.lower() not in PICTURES:
            known = f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}"
            raise InputError(f"--plot {ends.plot!r}: a picture is written as {known}")
        if not Path(ends.plot).parent.is_dir():
            raise InputError(f"--plot {ends.plot!r}: there is no folder {str(Path(ends.plot).parent)!r}")
        from weightlab.plots.canvas import needed

        needed()
    ensure_apart({"--plot": ends.plot, "--output": ends.output}, source.file, source.config)


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


def _write(name: str, views: Sequence[View], source: Source, ends: Ends) -> None:
    """Write the answer to the file that is named, if any, and print the document if JSON is requested."""
    results = tuple(one for view in views for one in view.results)
    if not results or not (ends.as_json or ends.output):
        return
    from weightlab._files import write_whole
    from weightlab.report import Document
    from weightlab.views.forms import is_form, written

    document = Document(
        results=results,
        options=source.options() | {one: told for one, told in NOTES.origin.items() if one != "command"},
        command=NOTES.origin.get("command", name),
        notes=tuple(NOTES),
        reading=reading(source),
    )
    ending = Path(ends.output or "").suffix.casefold()
    if ends.output is not None and (is_form(ending) or any(ending in view.files for view in views)):
        write_whole((ends.output, written(views, ending, f"weightlab {name}")))
    elif ends.output is not None:
        write_whole((ends.output, f"{document.to_json(table=True)}\n"))
    if ends.as_json:
        NOTES.pending.clear()  # the document says it
        put_text(f"{document.to_json(table=True)}\n")


def reading(source: Source) -> dict[str, Any] | None:
    """Return how the table was read, as in a document; None for the bundled table."""
    return NOTES.readings[0].to_dict() if NOTES.readings and source.file is not None else None


def put_text(text: str, output: str | None = None) -> None:
    """Write UTF-8 to a file or to standard output, whatever the encoding of the terminal: JSON and pages say UTF-8."""
    if output is not None:
        from weightlab._files import write_whole

        write_whole((output, text))
    elif hasattr(sys.stdout, "buffer"):
        NOTES.aside()
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:  # redirected within the process, to something that takes text alone
        sys.stdout.write(text)


def _draw(views: Sequence[View], ends: Ends) -> None:
    """Write the picture of the first view that has one."""
    from weightlab._result import told_of
    from weightlab.plots import pictures_of, save

    view = next((one for one in views if one.picture is not None and pictures_of(one.picture)), None)
    if view is None:
        NOTES.unproved.raise_if_any()
        kinds = dict.fromkeys(type(one).__name__ for view in views for one in view.results)
        raise InputError(f"--plot: there is no picture of this answer, a {', a '.join(kinds)}")
    with told_of("--plot", InputError):
        save(view.picture, str(ends.plot), theme=str(ends.theme or Theme.LIGHT), **view.drawn)
