"""Scores on single instances in a Parquet file that may be larger than memory."""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from inspect import signature
from pathlib import Path
from typing import IO, Any

import numpy as np

from weightlab._exact import IntArray
from weightlab._text import counted
from weightlab._validate import Faults
from weightlab.data import Instances
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.declarations import Declarations
from weightlab.data.frame.long import repeated
from weightlab.data.frame.named_tables import Table, first_appearances
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.read.instances import DECLARED, KEYWORDS, Layout, read_instances
from weightlab.io.tables.columns import ColumnData, Scores
from weightlab.io.tables.open_sheet import open_sheet
from weightlab.io.tables.parquet import needed
from weightlab.io.tables.sheet import FileFaults, Sheet, Source, check_there, format_of

ROWS_OF_A_PART = 1 << 18
"""The rows of a file are divided into parts of about so many, ..."""
MOST_PARTS = 200
"""... as long as these are no more than so many open files."""
BLOCKS_AT_ONCE = 25
"""Blocks of rows that are divided together."""


class InstanceStream(Instances):
    """Scores on single instances that stay on disk: `Instances` of which a part is read at a time where that will do.

    It will do for `one_level` and `two_level` by plurality, veto, Borda and Dowdall, and for `two_level` by the mean.
    Whatever needs all scores at once (another rule, ``table``, ``verify``, ``to_dict``) reads the file whole.
    """

    def __init__(self, path: Path, given: dict[str, Any]) -> None:
        check_there(path)
        self._whole, self._path, self._state = partial(read_instances, path, **given), path, _state(path)
        source = Source(name=str(path), data=b"", format="parquet", path=path)
        own = {keyword: value for keyword, value in given.items() if keyword in KEYWORDS}
        sheet, declared, faults = open_sheet(
            source, None, given.get("config"), own, allowed=KEYWORDS, reader="stream_instances"
        )
        layout = Layout.declared(sheet, declared, faults)
        tasks, told = tuple(sheet.header[column] for column in layout.scores), Faults()
        options = {keyword: value for keyword, value in declared.values.items() if keyword in DECLARED}
        self._declared = Declarations.checked(tasks, told, holder=self._holder, **options)
        self._rows: int = needed("reading")[1].read_metadata(path).num_rows
        self._folder = Path(tempfile.mkdtemp(prefix="weightlab-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._names: dict[str, int] = {}
        self._places: dict[str, set[int]] = {task: set() for task in tasks}
        self._divide(sheet, layout, faults)
        if told or faults or not all(self._places.values()):
            self._whole()  # raises the error that lists all faults
        self._declared.warn()

    def __repr__(self) -> str:
        """Return one honest line."""
        counts = ((len(self.tasks), "task"), (len(self.models), "model"), (self._rows, "row"))
        return "InstanceStream: " + ", ".join(counted(count, noun) for count, noun in counts)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(self._places)

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all tasks, in order of first appearance."""
        return first_appearances(map(self._models_of, self.tasks))

    @cached_property
    def _tables(self) -> dict[str, Table]:  # type: ignore[override]
        if _state(self._path) != self._state:
            raise FileFormatError(self._path, "the file is another than when the stream was opened")
        whole = self._whole()
        return {task: whole.table(task) for task in whole.tasks}

    def slices(self, tasks: Sequence[str]) -> Iterator[list[Table]]:
        """Go through some instances after others: tables of those of each task, with all models of the task.

        Raises
        ------
        FileFormatError
            If a model has two rows for one instance.
        """
        for path in sorted(self._folder.iterdir()):
            pieces, across = [], dict[str, int]()
            with path.open("rb") as file:
                while file.peek(1):
                    rows, names, codes, scores = pickle.load(file)  # noqa: S301 - written below, by this process
                    columns = [across.setdefault(name, len(across)) for name in names]
                    pieces.append((rows, np.array(columns)[codes], scores))
            if not pieces:
                continue
            where = [np.concatenate([piece[axis] for piece in pieces]) for axis in (0, 1)]
            if len(repeated(where[0] * len(across) + where[1])):
                _ = self._tables  # raises the error that names the rows
            yield [self._joined(task, pieces, tuple(across)) for task in tasks]

    def _models_of(self, task: str) -> tuple[str, ...]:
        places = self._places[task]
        return tuple(name for name, place in self._names.items() if place in places)

    def _joined(self, task: str, pieces: list[tuple[Any, ...]], across: tuple[str, ...]) -> Table:
        """Return the table of the instances of a part, those without a score left out."""
        position, models = self.tasks.index(task), self._models_of(task)
        row_of = np.zeros(len(self._names), dtype=np.int64)
        row_of[[self._names[name] for name in models]] = range(len(models))
        floats = np.full((len(models), len(across)), np.nan)
        exact = {}
        for rows, columns, scores in pieces:
            own = scores[position]
            there = ~np.isnan(own.floats)
            floats[row_of[rows[there]], columns[there]] = own.floats[there]
            exact.update({(int(row_of[rows[at]]), int(columns[at])): number for at, number in own.exact.items()})
        kept = np.flatnonzero(~np.isnan(floats).all(axis=0)).tolist()
        cells = Cells(floats=floats, exact=exact).take(range(len(models)), kept)
        return Table(models=models, columns=tuple(across[column] for column in kept), cells=cells)

    def _divide(self, sheet: Sheet, layout: Layout, faults: FileFaults) -> None:
        """Write the rows to files, all rows of an instance to the same one, until a row is faulty."""
        count = min(MOST_PARTS, 1 + self._rows // ROWS_OF_A_PART)
        files = [(self._folder / f"{part}").open("wb") for part in range(count)]
        try:
            # A range that ends first takes no block too many.
            while blocks := [block for _, block in zip(range(BLOCKS_AT_ONCE), sheet.blocks, strict=False)]:
                found = layout.read(replace(sheet, blocks=iter(blocks)), faults)
                if faults:
                    return
                self._write(found, layout, files)
        finally:
            for file in files:
                file.close()

    def _write(self, found: ColumnData, layout: Layout, files: Sequence[IO[bytes]]) -> None:
        models, instances = found.names[layout.models], found.names[layout.instances]
        places = [self._names.setdefault(name, len(self._names)) for name in models.distinct]
        rows = np.array(places)[models.codes]
        for its, scores in zip(self._places.values(), found.scores.values(), strict=True):
            its.update(np.unique(rows[~np.isnan(scores.floats)]).tolist())
        part_of = np.array([hash(name) % len(files) for name in instances.distinct])[instances.codes]
        order = np.argsort(part_of, kind="stable")
        for chosen in np.split(order, np.flatnonzero(np.diff(part_of[order])) + 1):
            kept, codes = np.unique(instances.codes[chosen], return_inverse=True)
            names = [instances.distinct[code] for code in kept.tolist()]
            own = [_chosen(scores, chosen) for scores in found.scores.values()]
            pickle.dump((rows[chosen], names, codes, own), files[part_of[chosen[0]]])


def _chosen(scores: Scores, rows: IntArray) -> Scores:
    """Return some rows of a column."""
    new = {row: at for at, row in enumerate(rows.tolist())} if scores.exact else {}
    exact = {new[row]: number for row, number in scores.exact.items() if row in new}
    return Scores(floats=scores.floats[rows], exact=exact)


def stream_instances(path: str | os.PathLike[str], **given: Any) -> Instances:
    """Open scores on single instances in a Parquet file for ranking, in memory that does not grow with the file.

    Parameters
    ----------
    path : path
        As for `read_instances`: a row a model and instance, in any order.
    **given
        The other parameters of `read_instances`.

    Returns
    -------
    InstanceStream
        `Instances` that give the same answers as those of `read_instances`. `one_level` and `two_level` by plurality,
        veto, Borda and Dowdall, and `two_level` by the mean, read a part of the rows at a time; anything else, and a
        ranking's ``verify`` and ``to_dict``, reads the file whole.

    Raises
    ------
    FileFormatError
        As `read_instances`; two rows of a model for one instance are found when a question is asked.
    InputError
        If it is no path, the file is not of the Parquet format, or pyarrow is not installed.

    Notes
    -----
    The rows are read once and divided by instance into temporary files, which together are about as large as the scores
    and names in memory and go when the stream does. Memory: some 100 thousand rows, and then one part at a time, a
    table of all models by the instances of a quarter of a million rows, or of a 200th of the rows where that is more.

    Examples
    --------
    >>> import tempfile
    >>> import weightlab as wl
    >>> instances = wl.Instances({"qa": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}}})
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +SKIP
    ...     wl.write_instances(instances, f"{folder}/answers.parquet")
    ...     wl.rules.two_level(wl.io.stream_instances(f"{folder}/answers.parquet"), "borda").winners
    ('a',)
    """
    signature(read_instances).bind(path, **given)
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"a path is needed; got {path!r}")
    where = Path(path)
    if format_of(where, given.get("format")) != "parquet":
        raise InputError(
            f"{where}: only Parquet files are read in parts; read_instances reads other formats, and 'weightlab "
            f"convert' writes them as Parquet"
        )
    return InstanceStream(where, given)


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns
