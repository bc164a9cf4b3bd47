"""Seeds: what a user hands over as ``rng`` becomes one integer that a result can carry."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from weightlab.exceptions import InputError

__all__ = ["RngLike", "seed_of"]

RngLike: TypeAlias = int | np.random.Generator | None
"""A seed, a generator that one is drawn from, or nothing: then the seed is fresh."""


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
