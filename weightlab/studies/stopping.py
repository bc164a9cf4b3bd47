"""When to stop drawing: bounds that hold after every draw at once, from Hoeffding's inequality and from Bernstein's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import FloatArray

__all__ = ["Bound", "Stop", "radii", "stop_at"]

Bound: TypeAlias = Literal["bernstein", "hoeffding"]
"""Whose inequality bounds the mean: the empirical Bernstein bound gains where draws vary little."""

POWER = 1.1
"""The chance of failure is shared among the draws as 1 / t^POWER (Mnih et al.)."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Where drawing stops, or stands.

    Attributes
    ----------
    draws : int
        How many draws were used.
    low, high : float
        The mean is between them, with the confidence asked for, whenever one stops.
    estimate : float
        Within the relative error of the mean if ``reached``.
    reached : bool
        Whether the bounds are as near as the error asks for.
    """

    draws: int
    low: float
    high: float
    estimate: float
    reached: bool


def radii(shares: FloatArray, bound: Bound, failure: float) -> FloatArray:
    """Return after each draw how far the mean so far may be from the true one: all hold but with this chance.

    Parameters
    ----------
    shares : ndarray of float
        Independent draws between 0 and 1.
    bound : {"bernstein", "hoeffding"}
        Which inequality.
    failure : float
        The chance that any of the bounds fails.

    References
    ----------
    Audibert, Munos and Szepesvári, "Variance estimates and exploration function in multi-armed bandits", 2007;
    Mnih, Szepesvári and Audibert, "Empirical Bernstein stopping", ICML 2008, section 3.
    """
    number = np.arange(1, len(shares) + 1)
    chance = failure * (POWER - 1) / POWER / number**POWER
    if bound == "hoeffding":
        return np.asarray(np.sqrt(np.log(2 / chance) / (2 * number)))
    means = np.cumsum(shares) / number
    variances = np.maximum(np.cumsum(shares**2) / number - means**2, 0)
    wide = np.log(3 / chance) / number
    return np.asarray(np.sqrt(2 * variances * wide) + 3 * wide)


def stop_at(shares: FloatArray, bound: Bound, *, error: float, failure: float) -> Stop:
    """Return where drawing stops: as soon as (1 + error) low >= (1 - error) high.

    Then the estimate, halfway between the two sides, is within ``error`` times the mean of it.
    """
    number = np.arange(1, len(shares) + 1)
    means = np.cumsum(shares) / number
    reach = radii(shares, bound, failure)
    # All bounds hold together, so the best so far do.
    low = np.maximum(np.maximum.accumulate(means - reach), 0)
    high = np.minimum(np.minimum.accumulate(means + reach), 1)
    near = np.flatnonzero((1 + error) * low >= (1 - error) * high)
    at = int(near[0]) if len(near) else len(shares) - 1
    estimate = ((1 + error) * low[at] + (1 - error) * high[at]) / 2 if len(near) else means[at]
    return Stop(
        draws=at + 1, low=float(low[at]), high=float(high[at]), estimate=float(estimate), reached=bool(len(near))
    )
