"""Seeds: what a user hands over as ``rng`` becomes one integer that a result can carry."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from weightlab.exceptions import InputError

RngLike: TypeAlias = int | np.random.Generator | None
"""A seed, a generator that one is drawn from, or nothing: then the seed is fresh."""


MOST_DRAWS = 10**8
"""More are never drawn, and never believed of a document: re-checking draws them again."""
A_SECOND = 100_000
"""So many draws take a second, give or take a factor of ten."""


def ensure_few_draws(name: str, count: int) -> None:
    """Raise InputError where a number of draws is beyond what ends, with the time it would take.

    Examples
    --------
    >>> ensure_few_draws("samples", 10**12)
    Traceback (most recent call last):
    ...
    weightlab.exceptions.InputError: samples must be at most 100,000,000; 1,000,000,000,000 would take some 115 days
    """
    if count > MOST_DRAWS:
        days = int(count) // (A_SECOND * 86_400)
        takes = f"some {days:,} days" if days < 10**6 else "more than 2,700 years"
        shown = f"{count:,}" if count < 10**18 else "that many"
        raise InputError(f"{name} must be at most {MOST_DRAWS:,}; {shown} would take {takes}")


def seed_of(rng: Any) -> int:
    """Return the integer from which all draws of one question follow.

    Parameters
    ----------
    rng : int, Generator or None
        A seed that is not negative is taken as it is. A generator gives the next of its integers, so that asking
        twice draws twice. None gives a seed that was never used before.

    Raises
    ------
    InputError
        For anything else.

    Examples
    --------
    >>> seed_of(7)
    7
    >>> seed_of(np.random.default_rng(7)) == seed_of(np.random.default_rng(7))
    True
    """
    if rng is None:
        return int(np.random.default_rng().integers(2**63))
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer) or rng < 0:
        raise InputError(f"rng must be a seed (0, 1, 2, ...), a numpy Generator or None; got {rng!r}")
    return int(rng)
