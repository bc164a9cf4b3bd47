"""Parquet files, through pyarrow where that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._validate import is_missing
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.sources.packed import SIZE_LIMIT
from weightlab.io.tables.sheet import Block, Sheet, Source, rows_of_a_block

DAMAGE = (OSError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""Errors that pyarrow raises for damaged files, besides its own."""


LONG = 1_000
"""Letters of a long text."""
MOST_CELLS = 200_000_000
"""Cells that are read: a small file can repeat one value any number of times."""


class Nested:
    """A cell of a type that is neither a name nor a number."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        """Return the type in angle brackets."""
        return f"<{self.kind}>"


def parquet_sheet(source: Source) -> Sheet:
    """Return the sheet of a Parquet file; an index that pandas stored comes first.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    FileFormatError
        If this is no Parquet file.
    """
    arrow, parquet = needed("reading")
    try:
        file = parquet.ParquetFile(arrow.BufferReader(source.data))
        schema = file.schema_arrow
        names = [str(name) for name in schema.names]
        long = _long_texts(source, arrow, parquet, [one.name for one in schema if _is_text(one.type)])
        file = parquet.ParquetFile(arrow.BufferReader(source.data), read_dictionary=long) if long else file
        index = [name for name in (schema.pandas_metadata or {}).get("index_columns", ()) if isinstance(name, str)]
    except (arrow.ArrowException, *DAMAGE) as error:
        raise FileFormatError(source.name, f"not a Parquet file: {_first_line(error)}") from None
    if file.metadata.num_rows * max(1, len(names)) > MOST_CELLS:
        raise FileFormatError(source.name, f"more than {MOST_CELLS:,} cells, which a file of few bytes can say it has")
    positions = sorted(range(len(names)), key=lambda position: names[position] not in index)
    ordered = [names[position] for position in positions]
    return Sheet(
        header=tuple("" if name in index and name.startswith("__index_level_") else name for name in ordered),
        blocks=_blocks(source, file, positions, arrow),
        place="row {}".format,
        labelled=len(index) == 1,
    )


def _long_texts(source: Source, arrow: Any, parquet: Any, names: Sequence[str]) -> list[str]:
    """Return the columns of long texts that a file holds once: they are not to be made again for every row."""
    file = parquet.ParquetFile(arrow.BufferReader(source.data), read_dictionary=names)
    found: dict[str, None] = {}
    for group in range(file.num_row_groups if names else 0):
        rows: Iterator[Any] = file.iter_batches(1, row_groups=[group], columns=names, use_threads=False)
        columns = [] if (first := next(rows, None)) is None else first.columns
        for name, column in zip(names if columns else (), columns, strict=True):
            held = column.dictionary.to_pylist()
            if max((len(one) for one in held if one is not None), default=0) > LONG:
                found[name] = None
    return list(found)


MOST_RECORDS, RECORDS = 1_000_000, 100
"""Rows of a file of records that are read, and at a time: a text that is stored once is unpacked in each of these."""


def parquet_records(source: Source, written: Callable[[Any], Any]) -> list[Any]:
    """Return the rows of a Parquet file as objects, each as ``written`` makes it.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    FileFormatError
        If this is no Parquet file, has more than a million rows, or is larger than 512 MiB unpacked.
    """
    arrow, parquet = needed("reading")
    made: list[Any] = []
    try:
        file = parquet.ParquetFile(arrow.BufferReader(source.data))
        if file.metadata.num_rows > MOST_RECORDS:
            raise FileFormatError(source.name, f"more than {MOST_RECORDS:,} records")
        size = 0
        for batch in file.iter_batches(RECORDS, use_threads=False):
            size += batch.nbytes
            if size > SIZE_LIMIT << 20:
                raise FileFormatError(source.name, f"more than {SIZE_LIMIT} MiB when unpacked")
            made += map(written, batch.to_pylist())
    except (arrow.ArrowException, *DAMAGE) as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(source.name, f"not a Parquet file: {_first_line(error)}") from None
    return made


def needed(doing: str) -> tuple[Any, Any]:
    """Return pyarrow and its Parquet part, or raise InputError saying how to install them."""
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise InputError(f"{doing} Parquet files needs pyarrow: pip install 'weightlab[parquet]'") from None
    return pa, pq


def _blocks(source: Source, file: Any, positions: Sequence[int], arrow: Any) -> Iterator[Block]:
    start = 1
    try:
        for batch in file.iter_batches(batch_size=rows_of_a_block(len(positions)), use_threads=False):
            columns = [_cells(batch.column(position), arrow.types) for position in positions]
            yield Block(rows=range(start, start + batch.num_rows), columns=columns)
            start += batch.num_rows
    except (arrow.ArrowException, *DAMAGE) as error:
        raise FileFormatError(source.name, f"cannot be read: {_first_line(error)}") from None


def _cells(array: Any, types: Any) -> Sequence[Any]:
    """Return the cells of an array: a NumPy array of doubles or integers if these are stored."""
    if types.is_dictionary(array.type):
        own = array.indices.dictionary_encode()  # of a dictionary for many blocks what this one needs, each text once
        if _is_text(array.type.value_type):
            texts = array.dictionary.take(own.dictionary).to_pylist()
            return [None if at is None else texts[at] for at in own.indices.to_pylist()]
        array = array.dictionary_decode()
    if types.is_nested(array.type):
        return [Nested(str(array.type))] * len(array)
    if types.is_float64(array.type):
        return np.array(array.to_numpy(zero_copy_only=False))  # type: ignore[return-value]
    if types.is_floating(array.type):
        return list(array.to_numpy(zero_copy_only=False))
    if types.is_integer(array.type) and array.null_count == 0:
        return array.to_numpy()  # type: ignore[no-any-return]
    return array.to_pylist()  # type: ignore[no-any-return]


def _is_text(kind: Any) -> bool:
    return str(kind) in {"string", "large_string"}


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


# Frames of pandas, Polars and PyArrow: read as a file of the same columns is.


def frame_sheet(source: Source) -> Sheet:
    """Return the sheet of a frame; an index that is more than a count of the rows comes first, and holds labels.

    Raises
    ------
    FileFormatError
        If its rows or columns have several levels.
    """
    frame: pd.DataFrame = source.frame
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise FileFormatError(
            source.name, "rows or columns of several levels: frame.reset_index() makes columns of rows"
        )
    labelled = not isinstance(frame.index, pd.RangeIndex)
    columns = [_cells_of_series(frame.iloc[:, at]) for at in range(frame.shape[1])]
    header = [str(name) for name in frame.columns]
    if labelled:
        columns.insert(0, _cells_of_series(frame.index.to_series()))
        header.insert(0, "" if frame.index.name is None else str(frame.index.name))
    block = Block(rows=range(1, len(frame) + 1), columns=columns)
    return Sheet(
        header=tuple(header), blocks=iter([block] if len(frame) else []), place="row {}".format, labelled=labelled
    )


def _cells_of_series(series: pd.Series) -> Any:
    """Return the cells of a column: an array of doubles or of integers where it is one, else what each cell is."""
    if series.dtype in (np.dtype("float64"), np.dtype("int64")):
        return series.to_numpy()
    if series.dtype.kind == "f":
        return list(series.to_numpy())  # narrow doubles stay narrow
    return [_plain_cell(one) for one in series.astype(object).tolist()]


def _plain_cell(value: Any) -> Any:
    if is_missing(value):
        return None
    return (
        value if isinstance(value, str | bool | int | float | np.number) or hasattr(value, "as_tuple") else str(value)
    )
