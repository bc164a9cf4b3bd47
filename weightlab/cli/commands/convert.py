"""``weightlab convert``: one form of a table to another."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from weightlab import io
from weightlab._files import write_whole
from weightlab._text import among, listed, shown, without
from weightlab.cli.inputs import tables
from weightlab.cli.inputs.conversion import Conversion, Data, Kind, kind_of
from weightlab.cli.inputs.preflib import holds_orders, with_unlisted
from weightlab.cli.options.shared import Quiet
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.documents import ensure_apart
from weightlab.cli.terminal.show import NOTES, note
from weightlab.data import Leaderboard, Profile, Suite
from weightlab.exceptions import FileFormatError, InputError, nearest_name
from weightlab.io.evaluations.detect import holds_results, is_samples_file
from weightlab.io.formats.open_sheet import columns_of
from weightlab.io.preflib.margins import PAIRS
from weightlab.io.preflib.orders import ORDERS
from weightlab.io.tables.declarations import ConfigLike
from weightlab.io.tables.declarations import beside as declaration
from weightlab.io.tables.sheet import FORMATS


def convert(
    source: Source,
    file: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="Table, votes, file or folder of results, or PrefLib file; '-' for standard input."
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
        typer.Option("--from", metavar="KIND", help="Kind or format of SOURCE, if its name does not show it."),
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
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite existing files.")] = False,
    quiet: Quiet = False,  # noqa: ARG001 - its callback hears it
) -> None:
    """Write a table in another form, exactly, and say what the new form does not hold.

    Examples
    --------
    weightlab convert superglue.csv superglue.json
    weightlab convert runs/ table.csv
    weightlab convert helm_long.csv boolq.csv --to leaderboard --dataset BoolQ
    weightlab convert superglue.csv votes.toc --complete
    weightlab convert superglue.csv votes.soc --complete --break-ties alphabetical
    weightlab convert votes.soc - --to wmd
    """
    ensure_apart({"TARGET": target}, file, source.config)
    asked = [*(read_as or []), *([] if source.format is None else [source.format])]
    reads, writes = Form.of(file, asked, "--from"), Form.of(target, to or [], "--to")
    if target != "-" and writes.format is None and not to:
        raise InputError(f"{target}: the extension tells no format; --to names one, such as --to csv")
    data = read(replace(source, format=reads.format), reads, writes.kind)
    if source.complete:
        data = _complete(data)
    told = kind_of(data) if writes.format is None or kind_of(data) not in DEFAULTS else Kind.LEADERBOARD
    form = writes.filled(told)
    steps = Conversion(dataset=dataset, break_ties=tables.breaking(break_ties))
    made = steps.to(form.kind or told, data)
    name = "table" if target == "-" else Path(target).name
    found = written_table(made, name, form, scaled=scaled, rounded=rounded)
    beside = _print(found) if target == "-" else _save(found, Path(target), form, (file, source.config), force=force)
    for text in (*steps.lost, *beside):
        note(shown(text))


def _complete(data: Data) -> Data:
    if not isinstance(data, Leaderboard | Suite):
        raise InputError(f"--complete is about leaderboards and suites; this is {kind_of(data).words}")
    return data.complete()


def _print(found: WrittenTable) -> list[str]:
    NOTES.aside()
    sys.stdout.flush()
    sys.stdout.buffer.write(found.table)
    sys.stdout.buffer.flush()
    keys = found.keys()
    return [f"Lost on standard output, which has no TOML file: {listed(keys)}."] if keys else []


def _save(
    found: WrittenTable, target: Path, form: Form, read_from: tuple[str, str | None], *, force: bool
) -> list[str]:
    """Write the file and its declarations next to it, and return the notes on both.

    Raises
    ------
    InputError
        If something is there that may not be replaced.
    """
    if target.exists() and not force:
        raise InputError(f"{target} already exists; pass --force to overwrite")
    beside = target.with_suffix(".toml")
    if form.kind in DEFAULTS or not (found.declared or beside.is_file()):
        write_whole((target, [found.table]))
        return []
    if beside.is_file():
        if _declares_the_same(found, target.name, form, beside):
            write_whole((target, [found.table]))
            return [f"{beside} declares the same and stays as it is."]
        _ensure_replaceable(beside, target, read_from, force=force)
    write_whole((target, [found.table]), (beside, [found.declared]))
    return [f"Declared in {beside}: {listed(found.keys())}."] if found.declared else []


def _ensure_replaceable(beside: Path, target: Path, read_from: tuple[str, str | None], *, force: bool) -> None:
    source, config = read_from
    own = [declaration(Path(source)), *([] if config is None else [Path(config)])]
    if source != "-" and any(one.is_file() and one.samefile(beside) for one in own):
        raise InputError(
            f"{beside}: what this file declares about {source} cannot be read with {target}; name another TARGET"
        )
    if not force:
        raise InputError(f"{beside} already exists and would be read with {target}; pass --force to overwrite")


# What ``weightlab convert`` reads and writes: the kind and the format of a file, from its name or from options.

EVERY = {**FORMATS, **ORDERS, **PAIRS}
"""All formats by extension."""
DEFAULTS = {Kind.PROFILE: "toi", Kind.MARGINS: "wmd"}
"""Default formats that hold all data of a kind; any other kind is a CSV table."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """Kind, if known, and format of a file.

    Attributes
    ----------
    kind : Kind or None
        None for a table, which may be of several kinds.
    format : str or None
        None for a folder, and for ``-`` without an option.
    """

    kind: Kind | None
    format: str | None

    @classmethod
    def of(cls, file: str, named: Sequence[str], option: str) -> Form:
        """Return the form of a file: what its name says, and what an option names, a kind or a format or both.

        Raises
        ------
        InputError
            If there is no such kind or format, or the format does not hold that kind.
        """
        words = [word.casefold() for word in named]
        known = [*Kind, *dict.fromkeys(EVERY.values())]
        for word in words:
            if word not in known:
                hint = nearest_name(word, known)
                more = f" (did you mean {hint!r}?)" if hint else ""
                raise InputError(f"{option} {word!r}: there are the kinds {', '.join(Kind)}, and formats{more}")
        kinds, formats = [Kind(word) for word in among(words, Kind)], without(words, Kind)
        if len(kinds) > 1 or len(formats) > 1:
            raise InputError(f"{option} is given twice: {', '.join(words)}; pass one kind, one format or one of each")
        suffix = "" if file == "-" else Path(file).suffix.casefold()
        format_ = formats[0] if formats else EVERY.get(suffix)
        held = Kind.PROFILE if format_ in ORDERS.values() else Kind.MARGINS if format_ in PAIRS.values() else None
        kind = kinds[0] if kinds else held
        if format_ is not None and held is not kind and (held or kind in DEFAULTS):
            holds, names = ("a table" if one is None else one.words for one in (held, kind))
            raise InputError(f"{option}: a {format_} file holds {holds}, not {names}")
        return cls(kind=kind, format=format_)

    def filled(self, kind: Kind) -> Form:
        """Return the form with a kind and a format where they are not known."""
        known = self.kind or kind
        return Form(kind=known, format=self.format or DEFAULTS.get(known, "csv"))


def read(source: Source, form: Form, target: Kind | None) -> Data:
    """Read a file as what it is; results of programs are read as what they are to become, where they can be.

    Raises
    ------
    InputError
        If it cannot be read, or something is said that says nothing of it.
    """
    file = str(source.file)
    if file != "-" and form.format in {None, "json"} and (is_samples_file(file) or holds_results(file)):
        kind = form.kind or (Kind.INSTANCES if is_samples_file(file) else target)
        kept = kind if kind in {Kind.SUITE, Kind.INSTANCES} else Kind.LEADERBOARD
        return _declared_table(replace(source, format=None), kept)
    if form.kind in DEFAULTS:
        if source.config is not None:
            raise InputError(f"--config {source.config!r} does not apply to a PrefLib file")
        written, file_ = form.filled(form.kind).format, tables.rewound(file)
        if form.kind is Kind.MARGINS:
            return tables.chosen_of_orders(io.read_margins(file_, format=written), replace(source, format=None))
        return _profile(io.read_profile(file_, format=written, unlisted="unknown"), source, target)
    if form.kind is None and holds_orders(file):
        return _profile(io.read_profile(file, unlisted="unknown"), source, target)
    kind = form.kind or _kind_of_columns(source)
    return _declared_table(source, kind)


def _profile(profile: Profile, source: Source, target: Kind | None) -> Data:
    """Return rankings as they are to become others, and with the models that one does not list last for all else."""
    kept = (
        profile
        if target in {None, Kind.PROFILE} and source.unlisted != "last"
        else with_unlisted(profile, source.unlisted)
    )
    return tables.chosen_of_orders(kept, replace(source, format=None))


def _kind_of_columns(source: Source) -> Kind:
    """Return the kind of table that the columns tell, as other commands see it; votes are read as margins."""
    if tables.is_votes(source):
        return Kind.MARGINS
    header = set(
        columns_of(
            tables.rewound(str(source.file), source.size_limit),
            source.format,
            source.config,
            source.separator,
            source.table,
            **source.opening,
        )[0]
    )
    if {"model", "instance"} <= header:
        return Kind.INSTANCES
    return Kind.SUITE if tables.is_long(source) else Kind.LEADERBOARD


READERS: Mapping[Kind, tuple[Callable[..., Any], Collection[str] | None]] = {
    Kind.LEADERBOARD: (io.read_leaderboard, None),
    Kind.SUITE: (io.read_suite, tables.OF_SUITES),
    Kind.INSTANCES: (io.read_instances, tables.OF_INSTANCES),
    Kind.MARGINS: (io.read_votes, tables.OF_VOTES),
}
"""What reads which kind of table, and what can be said of it at the prompt."""


def _declared_table(source: Source, kind: Kind) -> Data:
    reader, takes = READERS[kind]
    return cast("Data", tables.read_declared(reader, source, takes=takes, what=kind.words))


def _table(source: Path, kind: Kind, config: ConfigLike | None, format_: str | None) -> Any:
    return READERS[kind][0](source, config=config, format=format_)


@dataclass(frozen=True, kw_only=True)
class WrittenTable:
    """A file in a folder that will be gone, with what is declared beside it.

    Attributes
    ----------
    table : bytes
        The file.
    declared : bytes
        The TOML file beside it, empty without one.
    """

    table: bytes
    declared: bytes

    def keys(self) -> tuple[str, ...]:
        """Return the declarations."""
        return tuple(io.read_config(BytesIO(self.declared))) if self.declared else ()


def written_table(data: Data, name: str, form: Form, *, scaled: bool, rounded: bool) -> WrittenTable:
    """Return data as the bytes of a file of this name, and of the TOML file beside it.

    Raises
    ------
    InputError
        If the format cannot hold them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        _write(data, path, form.format, scaled=scaled, rounded=rounded)
        beside = path.with_suffix(".toml")
        return WrittenTable(table=path.read_bytes(), declared=beside.read_bytes() if beside.is_file() else b"")


def _declares_the_same(found: WrittenTable, name: str, form: Form, beside: Path) -> bool:
    """Return whether an existing TOML file already makes the declarations of a table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(found.table)
        kind = form.kind or Kind.LEADERBOARD
        meant = _table(path, kind, io.read_config(BytesIO(found.declared)) if found.declared else {}, form.format)
        try:
            is_read = _table(path, kind, str(beside), form.format)
        except InputError:
            return False
    return bool(meant.equals(is_read))


WRITERS: Mapping[Kind, Callable[..., None]] = {
    Kind.LEADERBOARD: io.write_leaderboard,
    Kind.SUITE: io.write_suite,
    Kind.INSTANCES: io.write_instances,
    Kind.PROFILE: io.write_profile,
    Kind.MARGINS: io.write_margins,
}


def _write(data: Data, path: Path, format_: str | None, *, scaled: bool, rounded: bool) -> None:
    try:
        kind = kind_of(data)
        how = {"title": path.stem, "scaled": scaled} if kind in DEFAULTS else {"rounded": rounded}
        WRITERS[kind](data, path, format=format_, **how)
    except FileFormatError as error:  # of the folder it is written in first
        raise FileFormatError(path.name, error.faults) from None
