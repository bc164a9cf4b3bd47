"""Compact letter displays: models that share a letter are not separated, and those that are not share one."""

from __future__ import annotations

from string import ascii_letters

import numpy as np

from weightlab._exact import BoolArray

READABLE = 8
"""Longer rows of letters say little at a glance: human-readable tables and pictures omit them."""


def compact_letters(separated: BoolArray) -> list[str]:
    """Return the letters of each model, best first.

    Parameters
    ----------
    separated : ndarray of bool, models x models
        Which pairs are separated, symmetric, the models from the best to the last.

    Notes
    -----
    Each letter is a clique of the relation "not separated", and together they cover it: of the first model that shares
    no letter yet with a later one it takes the last of those, then every further model that fits, the nearest to that
    one first. O(letters x models^2), where Piepho's insert-and-absorb can take exponentially many columns. After 52
    letters come numbers in brackets.

    References
    ----------
    H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons", Journal of
    Computational and Graphical Statistics 13 (2004).

    Examples
    --------
    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    count = len(separated)
    together = ~separated
    open_pairs = np.triu(together)  # a model with itself: one that is separated from all others has a letter, too
    found = [""] * count
    number = 0
    while open_pairs.any():
        first = int(np.flatnonzero(open_pairs.any(axis=1))[0])
        last = int(np.flatnonzero(open_pairs[first])[-1])
        members = [first]
        for model in sorted(range(count), key=lambda place: abs(place - last)):
            if model != first and together[model, members].all():
                members.append(model)
        letter = ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
        for model in members:
            found[model] += letter
        open_pairs[np.ix_(members, members)] = False
        number += 1
    return found
