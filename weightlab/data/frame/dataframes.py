"""Frames of Polars and PyArrow, which have no index: a column names the models. They come in through narwhals."""

from __future__ import annotations

from typing import Any, Protocol

import pandas as pd

from weightlab.data.frame.cells import names_in_first_column
from weightlab.data.frame.labels import called_like
from weightlab.exceptions import InputError


class FrameLike(Protocol):
    """A frame of pandas, Polars or PyArrow."""

    columns: Any


def is_dataframe(given: object) -> bool:
    """Return whether this is a frame of any package, including a lazy one."""
    kind = type(given)
    # Asked of the type: a lazy frame would work out its columns, with a warning.
    return isinstance(given, pd.DataFrame) or (
        hasattr(kind, "columns") and (hasattr(kind, "to_pandas") or hasattr(kind, "collect"))
    )


def pandas_columns(given: Any) -> Any:
    """Return the columns of a frame as those of pandas, each cell as it was written; others as they are.

    Narrow floats stay narrow, integers and decimals keep every digit, and what is null is missing.

    Raises
    ------
    InputError
        If the frame is lazy, narwhals is not installed, or narwhals does not know the frame.
    """
    if isinstance(given, pd.DataFrame) or not is_dataframe(given):
        return given
    kind = f"a {type(given).__name__} of {type(given).__module__.partition('.')[0]}"
    if not hasattr(type(given), "to_pandas"):
        raise InputError(f"{kind} is lazy; give frame.collect()")
    pandas = "frame.to_pandas() with the names of the models as its index"
    try:
        import narwhals as nw  # noqa: PLC0415 (an extra)

        columns = list(nw.from_native(given, eager_only=True).iter_columns())
    except ImportError:
        raise InputError(f"{kind} needs narwhals: pip install 'weightlab[frames]'; or give {pandas}") from None
    except (TypeError, ValueError) as error:
        raise InputError(f"{kind} cannot be read: {' '.join(str(error).split())}; give {pandas}") from error
    return pd.DataFrame({column.name: _cells(column) for column in columns})


def _cells(column: Any) -> pd.Series:
    if column.dtype.is_float():
        return pd.Series(column.to_numpy())
    # Whole numbers in a column with a null would become doubles: stored as objects they keep their digits.
    return pd.Series(column.to_list(), dtype=object if column.null_count() else None)


def with_models(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame without index with the models as its index, where a column names them.

    It is the one called ``model``, else ``name``, in any case, else the first if it holds only text that is not a
    number.
    """
    header = list(frame.columns)
    called = next((one for one in (called_like(name, header) for name in ("model", "name")) if one in header), None)
    if called is None and names_in_first_column(frame):
        called = header[0]
    return frame if called is None else frame.set_index(called)
