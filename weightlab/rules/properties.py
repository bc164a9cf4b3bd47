"""Which of the eight properties of Vote'n'Rank, table 8, each rule has, and where that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

__all__ = ["Claim", "Property", "claims"]


class Property(StrEnum):
    """A property of a rule on complete tables without ties inside a task, all tasks weighing the same."""

    TRANSITIVITY = "transitivity"
    """The rule ranks all models in a weak order."""

    ANONYMITY = "anonymity"
    """Exchanging two tasks changes nothing."""

    UNANIMITY = "unanimity"
    """A model that another one leads on every task neither stands above that one nor wins."""

    INDEPENDENCE = "independence"
    """How two models are ranked does not change when a third one leaves the table."""

    MONOTONICITY = "monotonicity"
    """A winner that rises on a task, all else the same, still wins."""

    MAJORITY = "majority"
    """A model that is first on more than half of the tasks wins alone."""

    CONDORCET_WINNER = "condorcet winner"
    """A model that wins all its duels wins alone."""

    CONDORCET_LOSER = "condorcet loser"
    """A model that loses all its duels does not win."""


LETTERS = MappingProxyType(dict(zip("TAUIMJWL", Property, strict=True)))
"""One letter a property, in the order of table 8."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Whether a rule has a property, and where that is shown.

    Attributes
    ----------
    holds : bool or None
        None where the question does not arise: the rule has no answer on some tables.
    source : str
        A publication, or the reason in a line.
    """

    holds: bool | None
    source: str


def claims(
    letters: str, source: str, *, notes: Mapping[str, str] | None = None, unasked: str = ""
) -> dict[Property, Claim]:
    """Return the claims about a rule from the letters of the properties that it has.

    Parameters
    ----------
    letters : str
        Of T(ransitivity), A(nonymity), U(nanimity), I(ndependence), M(onotonicity), (ma)J(ority), (condorcet) W(inner)
        and (condorcet) L(oser).
    source : str
        Where this is shown, for properties without a note.
    notes : mapping from letter to str, optional
        Sources of single claims.
    unasked : str
        Letters of properties that the rule cannot be asked about.
    """
    own = notes or {}
    return {
        name: Claim(holds=None if letter in unasked else letter in letters, source=own.get(letter, source))
        for letter, name in LETTERS.items()
    }
