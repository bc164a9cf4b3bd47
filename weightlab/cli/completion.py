"""What a shell may complete a line with, besides commands, options and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

__all__ = ["LINEAR", "Completion", "rules", "studies", "words"]

Completion: TypeAlias = Callable[[str], list[str]]
"""From the beginning of a word to the words it may become."""

LINEAR = ("mean", "borda", "plurality", "veto", "dowdall")
"""Rules under which a model's score is a weighted sum of its points."""

# ruff: noqa: PLC0415 - what a shell asks for while somebody types loads no more than it must


def words(*known: str) -> Completion:
    """Return what completes one of some words."""

    def completion(incomplete: str) -> list[str]:
        return _beginning(incomplete, known)

    return completion


def rules(incomplete: str) -> list[str]:
    """Return the names of rules that begin so."""
    from weightlab.rules import RULES

    return _beginning(incomplete, RULES)


def studies(incomplete: str) -> list[str]:
    """Return the names of studies that begin so."""
    from weightlab.cli.study_registry import STUDIES

    return _beginning(incomplete, STUDIES)


def _beginning(incomplete: str, known: Iterable[str]) -> list[str]:
    return [word for word in known if word.startswith(incomplete)]
