"""A rule: its name, its function, what it reads, what its scores count, where it is defined and what it satisfies."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from weightlab._result import Frozen
from weightlab.exceptions import InputError, nearest_name
from weightlab.rules.inputs import InapplicableError, Needs
from weightlab.rules.outcome import Outcome


class Rule(Frozen):
    """A rule with the options it is to be used with.

    Attributes
    ----------
    name : str
        As in the registry.
    function : callable
        From what the rule reads, and its options as keywords, to an `Outcome`.
    needs : Needs
        What it reads: the scores, the places on each task, or the margins of the duels.
    counts : str
        What a score of the rule counts; of one that gives an order, the models behind.
    source : str
        Where the rule is defined.
    properties : mapping from Property to Claim
        What is known about it, with these options.
    exceptions : mapping from (str, object) to mapping from Property to Claim
        What else is known where an option is set to a value.
    lower_is_better : bool
        Whether the lower score goes first.
    read : callable, optional
        From the result that proves an order, and the options as keywords, to the outcome, where running the rule again
        would not check it. Refuses a result that another rule made, or this one with other options.
    options : mapping
        Options that are set; the others have their defaults.
    """

    name: str
    function: Callable[..., Outcome]
    needs: Needs
    counts: str = "models behind"
    source: str
    properties: Mapping[Property, Claim] = field(default_factory=dict)
    exceptions: Mapping[tuple[str, Any], Mapping[Property, Claim]] = field(default_factory=dict)
    lower_is_better: bool = False
    read: Callable[..., Outcome] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the name, with the options that are set."""
        listed = ", ".join(f"{name}={value}" for name, value in self.options.items() if name != "time_limit")
        return f"{self.name}({listed})" if listed else self.name

    @property
    def parameters(self) -> dict[str, Any]:
        """Options that the rule takes, with their defaults; ``inspect.Parameter.empty`` where one must be given."""
        return dict(_keywords(self.function))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Options that must be given and are not."""
        empty = inspect.Parameter.empty
        return tuple(name for name, default in self.parameters.items() if default is empty and name not in self.options)

    def using(self, **options: Any) -> Rule:
        """Return the rule with more options set.

        Raises
        ------
        InputError
            If it has no option of that name.
        """
        known = self.parameters
        for name in options:
            if name not in known:
                nearest = nearest_name(name, tuple(known))
                hint = f" (did you mean {nearest!r}?)" if nearest else ""
                has = f"it has {', '.join(map(repr, known))}" if known else "it has none"
                raise InputError(f"the rule {self.name!r} has no option {name!r}; {has}{hint}")
        known_now = dict(self.properties)
        for (name, value), claimed in self.exceptions.items():
            known_now |= claimed if name in options and options[name] == value else {}
        return replace(self, options={**self.options, **options}, properties=known_now)

    def apply(self, data: Any) -> Outcome:
        """Return what the rule says about data that it reads.

        Raises
        ------
        InapplicableError
            If an option that must be given is not.
        """
        if self.lacking:
            raise InapplicableError(f"the rule {self.name!r} needs the option {' and '.join(self.lacking)}")
        return self.function(data, **self.options)


@lru_cache(maxsize=256)
def _keywords(function: Callable[..., Outcome]) -> Mapping[str, Any]:
    """Return the keyword-only parameters of a function with their defaults."""
    listed = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in listed if one.kind is inspect.Parameter.KEYWORD_ONLY}


# Which of the eight properties of Vote'n'Rank, table 8, each rule has, and where that is shown.


class Property(StrEnum):
    """A property of a rule on complete tables without ties inside a task, all tasks weighing the same.

    Where a rule has no answer it ranks no models, and none wins: so it has no property that demands a ranking or a
    winner there.
    """

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


class Claim(Frozen, eq=True):
    """Whether a rule has a property, and where that is shown.

    Attributes
    ----------
    holds : bool or None
        None where that depends on an option that must be given.
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
        Letters of properties that depend on an option that must be given.
    """
    own = notes or {}
    return {
        name: Claim(holds=None if letter in unasked else letter in letters, source=own.get(letter, source))
        for letter, name in LETTERS.items()
    }
