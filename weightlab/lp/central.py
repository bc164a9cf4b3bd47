"""Central weights: the mean of the weightings under which something happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from weightlab._record import read_list
from weightlab._result import ensure
from weightlab._typing import FloatArray, IntArray
from weightlab.exceptions import InputError

__all__ = ["NEAR", "central_frame", "central_from_json", "central_to_json", "check_central"]

NEAR = 1e-9
"""Means of the same weightings differ by less, whatever the order in which they were added."""


def central_frame(sums: FloatArray, counts: IntArray, models: Sequence[str], tasks: Sequence[str]) -> pd.DataFrame:
    """Return the means (models x tasks) of models with a count, from sums of weightings."""
    kept = np.flatnonzero(counts)
    means = sums[kept] / counts[kept, None]
    return pd.DataFrame(means, index=[models[place] for place in kept], columns=list(tasks))


def check_central(
    sums: FloatArray, counts: IntArray, again: FloatArray, again_counts: IntArray, apart: FloatArray
) -> None:
    """Ensure that sums are of so many weightings, and that means are no farther ``apart`` from those found anew.

    Parameters
    ----------
    sums, again : ndarray of float, models x tasks
        Sums of weightings.
    counts, again_counts : ndarray of int, models
        Of so many.
    apart : ndarray of float, models
        How far the means may be apart, beside rounding.

    Raises
    ------
    ProofError
        Naming what fails.
    """
    ensure(
        sums.shape[:1] == counts.shape and np.isfinite(sums).all(), "central weights must be finite, one row a model"
    )
    ensure((sums >= 0).all(), "a central weight is negative")
    room = NEAR * np.maximum(counts, 1)
    ensure((np.abs(sums.sum(axis=1) - counts) <= room).all(), "central weights do not sum to 1")
    both = (counts > 0) & (again_counts > 0)
    means, others = sums[both] / counts[both, None], again[both] / again_counts[both, None]
    near = (np.abs(means - others) <= NEAR + apart[both, None]).all()
    ensure(near, "weights drawn anew give other central weights")


def central_to_json(sums: FloatArray) -> list[list[float] | None]:
    """Return sums of weightings ready for JSON, a list of numbers a model, null for models that have none."""
    return [row.tolist() if row.any() else None for row in sums]


def central_from_json(listed: Any, what: str, models: Sequence[str], tasks: Sequence[str]) -> FloatArray:
    """Return the sums of weightings that ``central_to_json`` wrote, models x tasks."""
    sums = np.zeros((len(models), len(tasks)))
    if len(read_list(listed, what)) != len(models):
        raise InputError(f"{what}: there must be one entry a model")
    for place, row in enumerate(listed):
        if row is None:
            continue
        if not isinstance(row, list) or len(row) != len(tasks) or any(type(one) is not float for one in row):
            raise InputError(f"{what} of {models[place]!r} must be {len(tasks)} numbers")
        sums[place] = row
    return sums
