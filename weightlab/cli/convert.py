"""``weightlab convert``: one form of a table to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from weightlab.cli.conversion import Conversion, Data, Kind, kind_of
from weightlab.cli.convert_files import DEFAULTS, Form, Stored, read, serves, stored
from weightlab.cli.documents import ensure_apart
from weightlab.cli.folder_notes import notes_of_folders
from weightlab.cli.options import Config, Quiet
from weightlab.cli.show import listed, note, shown
from weightlab.cli.suites import breaking
from weightlab.data import Leaderboard, Suite
from weightlab.exceptions import InputError
from weightlab.io.tables.declarations import beside as declaration

__all__ = ["EXAMPLES", "convert"]

EXAMPLES = """\b
Examples:
  weightlab convert superglue.csv superglue.json
  weightlab convert runs/ table.csv
  weightlab convert helm_long.csv boolq.csv --dataset BoolQ
  weightlab convert superglue.csv votes.toc --complete
  weightlab convert superglue.csv votes.soc --complete --break-ties alphabetical
  weightlab convert votes.soc - --to wmd
"""


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="Table, file or folder of results, or PrefLib file; '-' for standard input."
        ),
    ],
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="File to write; its extension says as what. '-' prints it.")
    ],
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="KIND",
            help="leaderboard, suite, instances, profile or margins; or a format such as json or soc; repeatable.",
        ),
    ] = None,
    read_as: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="KIND", help="What SOURCE is, likewise, where its name does not tell."),
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", metavar="NAME", help="Of a suite only this one; what a table is called in a suite."),
    ] = None,
    break_ties: Annotated[
        str, typer.Option("--break-ties", metavar="HOW", help="In orders: alphabetical, reverse, or keep ties.")
    ] = "keep",
    scaled: Annotated[
        bool, typer.Option("--scaled", help="Multiply weights that PrefLib cannot hold by their common denominator.")
    ] = False,
    rounded: Annotated[
        bool, typer.Option("--rounded", help="Round scores that no decimal equals, such as 1/3, to doubles.")
    ] = False,
    complete: Annotated[bool, typer.Option("--complete", help="Keep only the models with every score.")] = False,
    config: Config = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace files that are there.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a table in another form, exactly, and say what the new form does not hold."""
    ensure_apart({"TARGET": target}, source, config)
    reads, writes = Form.of(source, read_as or [], "--from"), Form.of(target, to or [], "--to")
    if target != "-" and writes.format is None and not to:
        raise InputError(f"{target}: the extension tells no format; --to names one, such as --to csv")
    with notes_of_folders(quiet=quiet):
        data = read(source, reads, config, writes.kind)
    if complete:
        data = _complete(data)
    told = kind_of(data) if writes.format is None else _of_table(kind_of(data))
    form = writes.filled(told)
    steps = Conversion(dataset=dataset, break_ties=breaking(break_ties))
    made = steps.to(form.kind or told, data)
    name = "table" if target == "-" else Path(target).name
    found = stored(made, name, form, scaled=scaled, rounded=rounded)
    beside = _print(found) if target == "-" else _save(found, Path(target), form, (source, config), force=force)
    if not quiet:
        for text in (*steps.lost, *beside):
            note(shown(text))


def _of_table(kind: Kind) -> Kind:
    """Return the kind that a table of the same data is."""
    return Kind.LEADERBOARD if kind in DEFAULTS else kind


def _complete(data: Data) -> Data:
    if not isinstance(data, Leaderboard | Suite):
        raise InputError(f"--complete is about leaderboards and suites; this is {kind_of(data).words}")
    return data.complete()


def _print(found: Stored) -> list[str]:
    sys.stdout.flush()
    sys.stdout.buffer.write(found.table)
    sys.stdout.buffer.flush()
    keys = found.keys()
    return [f"Not kept on standard output, where no TOML file stands beside it: {listed(keys)}."] if keys else []


def _save(found: Stored, target: Path, form: Form, read_from: tuple[str, str | None], *, force: bool) -> list[str]:
    """Write the file and what is declared beside it, and return what is to be said of that.

    Raises
    ------
    InputError
        If something is there that may not be replaced.
    """
    if target.exists() and not force:
        raise InputError(f"{target}: this file is there already; --force replaces it")
    beside = target.with_suffix(".toml")
    if form.kind in DEFAULTS or not (found.declared or beside.is_file()):
        target.write_bytes(found.table)
        return []
    if beside.is_file():
        if serves(found, target.name, form, beside):
            target.write_bytes(found.table)
            return [f"{beside} declares the same and stays as it is."]
        _ensure_replaceable(beside, target, read_from, force=force)
    target.write_bytes(found.table)
    beside.write_bytes(found.declared)
    return [f"Declared in {beside}: {listed(found.keys())}."] if found.declared else []


def _ensure_replaceable(beside: Path, target: Path, read_from: tuple[str, str | None], *, force: bool) -> None:
    source, config = read_from
    own = [declaration(Path(source)), *([] if config is None else [Path(config)])]
    if source != "-" and any(one.is_file() and one.samefile(beside) for one in own):
        raise InputError(
            f"{beside}: what this file declares about {source} cannot be read with {target}; name another TARGET"
        )
    if not force:
        raise InputError(f"{beside}: this file is there already and would be read with {target}; --force replaces it")
