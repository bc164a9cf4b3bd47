"""What ``weightlab convert`` reads and writes: kinds and formats of files, and the TOML file next to a table."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from weightlab import io
from weightlab._files import write_whole
from weightlab._text import among, listed, without
from weightlab.cli.inputs import tables
from weightlab.cli.inputs.conversion import Conversion, Data, Kind, kind_of
from weightlab.cli.inputs.preflib import holds_orders, with_unlisted
from weightlab.cli.options.table import Source
from weightlab.cli.terminal.answered import ensure_apart
from weightlab.cli.terminal.show import NOTES, note
from weightlab.data import Leaderboard, Profile, Suite
from weightlab.exceptions import FileFormatError, InputError, nearest_name
from weightlab.io.evaluations.detect import holds_results, is_samples_file
from weightlab.io.preflib.margins import PAIRS
from weightlab.io.preflib.orders import ORDERS
from weightlab.io.tables.declarations import beside as declaration
from weightlab.io.tables.sheet import FORMATS


def convert(
    source: Source,
    file: str,
    target: str,
    to: Sequence[str],
    read_as: Sequence[str],
    *,
    dataset: str | None,
    break_ties: str,
    scaled: bool,
    rounded: bool,
    force: bool,
) -> None:
    """Write a table in another form, with its declarations in a TOML file, and note what the form does not hold."""
    ensure_apart({"TARGET": target}, file, source.config)
    reads, writes = Form.of(file, read_as, "--from"), Form.of(target, to, "--to")
    if target != "-" and writes.format is None and not to:
        raise InputError(f"{target}: the extension tells no format; --to names one, such as --to csv")
    data = read(replace(source, file=file, format=reads.format), reads, writes.kind)
    if source.complete:
        data = _complete(data)
    told = kind_of(data) if writes.format is None or kind_of(data) not in DEFAULTS else Kind.LEADERBOARD
    form = writes.filled(told)
    steps = Conversion(dataset=dataset, break_ties=tables.breaking(break_ties))
    made = steps.to(form.kind or told, data)
    table, declared = _written(
        made, "table" if target == "-" else Path(target).name, form, scaled=scaled, rounded=rounded
    )
    keys = tuple(io.read_config(BytesIO(declared))) if declared else ()
    if target == "-":
        NOTES.aside()
        sys.stdout.flush()
        sys.stdout.buffer.write(table)
        sys.stdout.buffer.flush()
        more = [f"Lost on standard output, which has no TOML file: {listed(keys)}."] if keys else []
    else:
        beside = Path(target).with_suffix(".toml")
        same = bool(keys) and beside.is_file() and io.read_config(str(beside)) == io.read_config(BytesIO(declared))
        _save(Path(target), form, table, b"" if same else declared, (file, source.config), force=force, same=same)
        more = [f"{beside} declares the same and stays as it is."] if same else []
        more += [f"Declared in {beside}: {listed(keys)}."] if keys and not same else []
    for text in (*steps.lost, *more):
        note(text)


def _complete(data: Data) -> Data:
    if not isinstance(data, Leaderboard | Suite):
        raise InputError(f"--complete is about leaderboards and suites; this is {kind_of(data).words}")
    return data.complete()


def _save(
    target: Path,
    form: Form,
    table: bytes,
    declared: bytes,
    read_from: tuple[str, str | None],
    *,
    force: bool,
    same: bool,
) -> None:
    """Write a file and its declarations next to it.

    Raises
    ------
    InputError
        If something is there that may not be replaced.
    """
    if target.exists() and not force:
        raise InputError(f"{target} already exists; pass --force to overwrite")
    beside = target.with_suffix(".toml")
    if same or form.kind in DEFAULTS or not (declared or beside.is_file()):
        write_whole((target, [table]))
        return
    source, config = read_from
    own = [declaration(Path(source)), *([] if config is None else [Path(config)])]
    if beside.is_file() and source != "-" and any(one.is_file() and one.samefile(beside) for one in own):
        raise InputError(
            f"{beside}: what this file declares about {source} cannot be read with {target}; name another TARGET"
        )
    if beside.is_file() and not force:
        raise InputError(f"{beside} already exists and would be read with {target}; pass --force to overwrite")
    write_whole((target, [table]), (beside, [declared]))


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
        If it cannot be read, or an option does not apply to it.
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
    header = {*tables.columns_there(source)[0]}
    if {"model", "instance"} <= header:
        return Kind.INSTANCES
    return Kind.SUITE if tables.is_long(source) else Kind.LEADERBOARD


READERS: Mapping[Kind, tuple[Callable[..., Any], Collection[str] | None]] = {
    Kind.LEADERBOARD: (io.read_leaderboard, None),
    Kind.SUITE: (io.read_suite, tables.OF_SUITES),
    Kind.INSTANCES: (io.read_instances, tables.OF_INSTANCES),
    Kind.MARGINS: (io.read_votes, tables.OF_VOTES),
}
"""Reader of each kind of table, and the options that apply to it."""


def _declared_table(source: Source, kind: Kind) -> Data:
    reader, takes = READERS[kind]
    return cast("Data", tables.read_declared(reader, source, takes=takes, what=kind.words))


def _written(data: Data, name: str, form: Form, *, scaled: bool, rounded: bool) -> tuple[bytes, bytes]:
    """Return data as the bytes of a file of this name, and of the TOML file next to it, empty without one.

    Raises
    ------
    InputError
        If the format cannot hold them.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        _write(data, path, form.format, scaled=scaled, rounded=rounded)
        beside = path.with_suffix(".toml")
        return path.read_bytes(), beside.read_bytes() if beside.is_file() else b""


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
