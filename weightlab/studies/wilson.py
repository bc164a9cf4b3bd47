"""Wilson's interval: what a count among few datasets says of the share among all such datasets."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from weightlab.exceptions import InputError

__all__ = ["wilson_interval"]


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a share of which ``successes`` of ``trials`` independent cases were seen.

    Parameters
    ----------
    successes, trials : int
        The counts; ``0 <= successes <= trials`` and at least one trial.
    level : float
        How sure the interval is to cover the share, between 0 and 1.

    Returns
    -------
    tuple of float
        The low and the high end, within 0 and 1.

    Raises
    ------
    InputError
        If the counts or the level are not fit.

    Notes
    -----
    The shares p with ``|successes / trials - p| <= z sqrt(p (1 - p) / trials)``: the ends are the roots of a
    quadratic. Unlike the usual interval it stays informative when nothing or everything was seen.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927).

    Examples
    --------
    >>> low, high = wilson_interval(0, 16)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.194)
    """
    if not 0 <= successes <= trials or trials < 1:
        raise InputError(f"0 <= successes <= trials and a trial are needed; got {successes} of {trials}")
    if not 0 < level < 1:
        raise InputError(f"the level must be between 0 and 1; got {level!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    # Nothing seen makes 0 possible and everything seen makes 1: exactly, whatever rounding says.
    low = 0.0 if successes == 0 else max(0.0, (centre - reach) / whole)
    high = 1.0 if successes == trials else min(1.0, (centre + reach) / whole)
    return low, high
