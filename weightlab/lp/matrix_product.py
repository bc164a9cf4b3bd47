"""Matrix products that call no second thread: for small matrices calling one takes longer than multiplying."""

from __future__ import annotations

import numpy as np

from weightlab._typing import FloatArray

__all__ = ["product"]

ALONE = 2**18
"""Products of so many multiplications are done by one thread (OpenBLAS)."""


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return ``left @ right``, multiplied in parts of few rows.

    Examples
    --------
    >>> product(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    found = np.empty((len(left), right.shape[1]))
    rows = max(1, ALONE // max(1, right.size))
    for start in range(0, len(left), rows):
        np.matmul(left[start : start + rows], right, out=found[start : start + rows])
    return found
