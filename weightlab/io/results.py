"""Reading results that travelled as JSON."""

from __future__ import annotations

import json

from weightlab._result import Result, result_from_dict
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.source import PathLike, decoded, opened

__all__ = ["read_result"]


def read_result(path: PathLike) -> Result:
    """Read a result that was written as JSON, ready to be verified."""
    source = opened(path, "json")
    text = decoded(source)
    try:
        return result_from_dict(json.loads(text))
    except InputError as error:
        raise FileFormatError(source.name, error.faults) from None
    except RecursionError:
        raise FileFormatError(source.name, "too deeply nested") from None
    except ValueError as error:
        raise FileFormatError(source.name, f"not JSON: {error}") from None
