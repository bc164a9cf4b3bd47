"""Guarantees: what a theorem says about the majority relation of the very profile that was tested."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from weightlab._result import ensure
from weightlab._typing import BoolArray
from weightlab.data.profile import Profile
from weightlab.data.relations import majority_relation

__all__ = ["NO_GUARANTEE", "Guarantee", "condorcet_guarantee", "is_acyclic", "is_transitive"]


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """What is certain about the majority relation, by which theorem, under which hypotheses.

    Attributes
    ----------
    strict : {"transitive", "acyclic", ""}
        What the strict majority relation (margin > 0) is known to be.
    weak : {"transitive", ""}
        What the weak majority relation (margin >= 0) is known to be.
    undefeated : bool
        Whether some model is known to lose no duel; the above imply it.
    theorem : str
        The source.
    hypotheses : tuple of (str, bool)
        What the theorem asks for and whether this profile has it; ``weak`` needs all of them.
    """

    strict: str
    weak: str
    theorem: str
    hypotheses: tuple[tuple[str, bool], ...]
    undefeated: bool = False

    def __str__(self) -> str:
        """Say what is certain and why, or what is lacking."""
        if not self.strict and self.undefeated:
            return f"Some model is guaranteed to lose no duel ({self.theorem}); nothing more about majorities."
        if not self.strict:
            lacking = [text for text, has in self.hypotheses if not has]
            return "Nothing is guaranteed about majorities" + (f": not {lacking[0]}." if lacking else ".")
        if self.weak:
            return f"Majorities are guaranteed to be {self.weak} ({self.theorem})."
        lacking = [text for text, has in self.hypotheses if not has]
        caution = f"; with ties the weak one need not be, since not: {lacking[0]}" if lacking else ""
        return f"The strict majority relation is guaranteed to be {self.strict} ({self.theorem}){caution}."

    def summary(self) -> pd.DataFrame:
        """Return the hypotheses and whether they hold."""
        return pd.DataFrame(
            {"holds": [has for _, has in self.hypotheses]}, index=[text for text, _ in self.hypotheses], dtype=bool
        )

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the majority relation of the profile is what is guaranteed."""
        if not self.strict and not self.undefeated:
            return
        margins = profile.margins().array
        ensure((margins >= 0).all(axis=1).any(), "every model loses a duel")
        if not self.strict:
            return
        strict = majority_relation(margins, strict=True)
        what = is_transitive(strict) if self.strict == "transitive" else is_acyclic(strict)
        ensure(what, f"the strict majority relation is not {self.strict}")
        if self.weak:
            ensure(
                is_transitive(majority_relation(margins, strict=False)), "the weak majority relation is not transitive"
            )


NO_GUARANTEE = Guarantee(strict="", weak="", theorem="", hypotheses=())


def condorcet_guarantee(profile: Profile, theorem: str) -> Guarantee:
    """Return what holds for strict orders of a Condorcet domain, whatever the weights of the voters.

    The strict majority relation is transitive. The weak one is if no two models tie in weight, which an odd number
    of voters with equal weights ensures.
    """
    pair = tied_pair(profile)
    no_tie = "no two models tie" if pair is None else f"no two models tie ({pair[0]} and {pair[1]} have margin 0)"
    return Guarantee(
        strict="transitive",
        weak="transitive" if pair is None else "",
        theorem=theorem,
        hypotheses=(("strict orders of all models", True), (no_tie, pair is None)),
    )


def tied_pair(profile: Profile) -> tuple[str, str] | None:
    """Return the first two models whose margin is 0, if any."""
    if profile.is_strict and profile.is_complete and len(set(profile.weights)) == 1 and len(profile.voters) % 2:
        return None
    margins = profile.margins().array
    tied = np.argwhere(np.triu(margins == 0, k=1))
    return None if len(tied) == 0 else (profile.models[int(tied[0][0])], profile.models[int(tied[0][1])])


def is_transitive(relation: BoolArray) -> bool:
    """Tell whether x R y and y R z imply x R z; the diagonal counts as related."""
    reach = relation.astype(np.float32)
    return not bool(((reach @ reach > 0) & ~relation).any())


def is_acyclic(relation: BoolArray) -> bool:
    """Tell whether no steps x R y, y R z, ... between different models lead back to x."""
    left = np.ones(len(relation), dtype=np.bool_)
    into = relation & ~np.eye(len(relation), dtype=np.bool_)
    while left.any():
        sources = left & ~into[left].any(axis=0)
        if not sources.any():
            return False
        left &= ~sources
    return True
