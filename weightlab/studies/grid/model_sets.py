"""Sets of models to ask about: named by the user, or drawn at random without repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Any, TypeAlias

import numpy as np

from weightlab._random import ensure_few_draws
from weightlab._validate import Faults, named_subset
from weightlab.data import Suite, SuiteLike, as_tables
from weightlab.exceptions import InputError

SetsLike: TypeAlias = Mapping[str, Iterable[str]] | Sequence[Iterable[str]] | None
"""Sets by name, or a list of sets; None is one set of everything."""


def random_model_sets(
    models: SuiteLike | Sequence[str], *, size: int, count: int, rng: int | np.random.Generator | None = None
) -> dict[str, tuple[str, ...]]:
    """Draw different sets of models, each equally likely.

    Parameters
    ----------
    models : Suite or sequence of str
        Whose models to draw from.
    size : int
        How many models a set has.
    count : int
        How many sets.
    rng : int or Generator, optional
        The seed; the same one gives the same sets.

    Returns
    -------
    dict from str to tuple of str
        ``"random 1"``, ``"random 2"``, ... with the models in their given order.

    Raises
    ------
    InputError
        If there are not so many models, or not so many different sets.

    Notes
    -----
    O(count x models). Where most of the sets are asked for, they are drawn by number instead.

    Examples
    --------
    >>> from weightlab.studies import random_model_sets
    >>> random_model_sets(["a", "b", "c"], size=2, count=2, rng=0)
    {'random 1': ('b', 'c'), 'random 2': ('a', 'b')}
    """
    given: Suite | Sequence[str] = as_tables(models)
    known = given.models if isinstance(given, Suite) else tuple(dict.fromkeys(map(str, given)))
    if not 1 <= size <= len(known) or count < 0:
        raise InputError(f"sets of 1 to {len(known)} models can be drawn; got size {size} and count {count}")
    ensure_few_draws("count", int(count))
    total = comb(len(known), size)
    if count > total:
        there = "is 1 set" if total == 1 else f"are {total} different sets"
        raise InputError(f"of {len(known)} models there {there} of {size}; {count} were asked for")
    generator = np.random.default_rng(rng)
    drawn: dict[tuple[int, ...], None] = {}
    if total <= 4 * count:
        drawn = dict.fromkeys(_numbered(int(one), len(known), size) for one in generator.permutation(total)[:count])
    while len(drawn) < count:
        drawn[tuple(sorted(int(one) for one in generator.permutation(len(known))[:size]))] = None
    return {f"random {place}": tuple(known[i] for i in one) for place, one in enumerate(drawn, start=1)}


def named_sets(given: SetsLike, known: Sequence[str], kind: str) -> dict[str, tuple[str, ...]]:
    """Return sets by name, each in the order of the suite; unnamed ones are called by their number.

    Raises
    ------
    InputError
        Listing every fault: unknown names, empty sets, no set at all, text in place of a set.
    """
    if given is None:
        return {"all": tuple(known)}
    faults = Faults()
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise InputError(f"sets of {kind}s are a mapping from names to sets, or a list of sets; got {given!r}")
    pairs: list[tuple[Any, Any]] = (
        list(given.items()) if isinstance(given, Mapping) else list(enumerate(given, start=1))
    )
    found = {}
    for name, one in pairs:
        where = f"{kind} set {str(name)!r}"
        if isinstance(one, str):
            faults.add(f"{where}: a list of {kind}s is needed; got {one!r}")
            continue
        members = set(named_subset(one, known, kind, faults, holder="suite", where=where))
        if not members and not faults:
            faults.add(f"{where} is empty")
        found[str(name)] = tuple(member for member in known if member in members)
    if not pairs:
        faults.add(f"at least one set of {kind}s is needed; got none")
    faults.raise_if_any()
    return found


def _numbered(number: int, count: int, size: int) -> tuple[int, ...]:
    """Return the set of this number among all sets of so many positions, in lexicographic order."""
    found: list[int] = []
    for place in range(count):
        if len(found) == size:
            break
        with_place = comb(count - place - 1, size - len(found) - 1)
        if number < with_place:
            found.append(place)
        else:
            number -= with_place
    return tuple(found)
