"""What properties of rankings and of their majorities are called in pictures."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["words_of"]

WORDS: Mapping[str, str] = {
    "single_peaked": "single-peaked",
    "single_caved": "single-caved",
    "group_separable": "group-separable",
    "distance_restricted": "distance-restricted",
    "single_crossing": "single-crossing",
    "value_restricted": "value-restricted",
    "condorcet_domain": "Condorcet domain",
    "one_euclidean": "one-Euclidean",
    "single_peaked_on_tree": "single-peaked on a tree",
    "condorcet_winner": "Condorcet winner",
}


def words_of(name: str) -> str:
    """Return what a property is called.

    Examples
    --------
    >>> words_of("group_separable"), words_of("weakly_transitive")
    ('group-separable', 'weakly transitive')
    """
    return WORDS.get(name, name.replace("_", " "))
