"""What was not proved, or not in time: said after what was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from weightlab.exceptions import UnprovedError
from weightlab.lp import Verdict
from weightlab.report.text.words import shown

__all__ = ["Late", "verdicts_known"]

T = TypeVar("T")


class Late:
    """Questions that ended without a proof, kept so that the answers to the others can be shown first."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def ask(self, what: str, question: Callable[[], T]) -> T | None:
        """Return the answer, or None when it is not proved."""
        try:
            return question()
        except UnprovedError as error:
            self.add(what, error)
            return None

    def add(self, what: str, error: UnprovedError) -> None:
        """Keep what was asked, why it is not proved, and the numbers that are known."""
        numbers = {name: value for name, value in error.known.items() if isinstance(value, int | float | Fraction)}
        self.messages += [f"{what}: {error}", *(f"{name}: {value}" for name, value in numbers.items())]

    def raise_if_any(self) -> None:
        """Raise UnprovedError with a line for each question that ended without a proof, if there is any."""
        if self.messages:
            raise UnprovedError("\n".join(self.messages))


def verdicts_known(error: UnprovedError, count: int) -> UnprovedError:
    """Return an error of `prospects` with the verdicts that it knows in words, counted and by name."""
    verdicts: Mapping[str, Verdict] = error.known.get("verdicts", {})
    known: dict[str, Any] = {name: value for name, value in error.known.items() if name != "verdicts"}
    known["settled"] = f"{len(verdicts)} of {count} models"
    for verdict in Verdict:
        names = [shown(model) for model, found in verdicts.items() if found is verdict]
        known[f"{verdict} ({len(names)})"] = ", ".join(names) or None
    return type(error)(str(error), known=known)
