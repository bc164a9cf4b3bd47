"""Two models whose order is another once a third has come or gone; who is best of those that stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, get_args

from weightlab.exceptions import InputError
from weightlab.studies.order_change import REVERSED, SPLIT, TIED

__all__ = ["Change", "LeaderChange", "OrderFlip"]

Change: TypeAlias = Literal["added", "removed"]

PLACES = {1: "ahead of", 0: "level with", -1: "behind"}


@dataclass(frozen=True, kw_only=True)
class OrderFlip:
    """Two models whose order is another once a third has come or gone.

    Attributes
    ----------
    rule : str
        By which rule.
    change : {"added", "removed"}
        What happened to ``model``.
    model : str
        The third.
    first, second : str
        The one that was ahead, or where they were level the one that is ahead now; and the other.
    before, after : int
        1 where the first is ahead, 0 where they are level, -1 where the second is.
    """

    rule: str
    change: Change
    model: str
    first: str
    second: str
    before: int
    after: int

    @property
    def kind(self) -> str:
        """Reversed, tied or split."""
        return SPLIT if not self.before else TIED if not self.after else REVERSED

    def __str__(self) -> str:
        """Say what happens."""
        return (
            f"By {self.rule} {self.first} is {PLACES[self.before]} {self.second}; once {self.model} is {self.change}, "
            f"it is {PLACES[self.after]} {self.second}."
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the flip of a document."""
        before, after = document["before"], document["after"]
        if type(before) is not int or type(after) is not int or not {before, after} <= set(PLACES):
            raise InputError(f"before and after a flip are 1, 0 or -1; got {before!r} and {after!r}")
        return cls(
            **{part: str(document[part]) for part in ("rule", "model", "first", "second")},
            change=_read_change(document["change"]),
            before=before,
            after=after,
        )


@dataclass(frozen=True, kw_only=True)
class LeaderChange:
    """Who is best of the models that stay, before and after a model comes or goes.

    Attributes
    ----------
    rule, change, model
        As of an `OrderFlip`.
    before, after : tuple of str
        The best of those that stay, without regard to the model that comes or goes.
    """

    rule: str
    change: Change
    model: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    def __str__(self) -> str:
        """Say what happens."""
        now, was = (" and ".join(names) for names in (self.after, self.before))
        return f"Once {self.model} is {self.change}, {self.rule} puts {now} first of the others, not {was}."

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the change of a document."""
        return cls(
            rule=str(document["rule"]),
            model=str(document["model"]),
            change=_read_change(document["change"]),
            before=tuple(map(str, document["before"])),
            after=tuple(map(str, document["after"])),
        )


def _read_change(text: Any) -> Change:
    if text not in get_args(Change):
        raise InputError(f"a model is 'added' or 'removed'; got {text!r}")
    change: Change = text
    return change
