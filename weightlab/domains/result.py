"""What the results of all domain tests share: the tested profile, the answer, the check against a source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen, Result, ensure, ensure_same_names
from weightlab._text import first_few
from weightlab.data import Profile
from weightlab.data.components import is_cyclic
from weightlab.data.convert import ProfileLike, as_profile
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import majority_relation
from weightlab.exceptions import InputError, ProofError, UnprovedError

MOST_STEPS = 10**10
"""Most steps of a check: some grow with the third power of the models, or the fourth of the voters."""
T = TypeVar("T")


class Claim(Result, ABC):
    """Whether a profile belongs to a domain; true in a condition when it does.

    Attributes
    ----------
    holds : bool
        The answer.
    profile : Profile
        The rankings that were tested: those of the voters whose weight is not 0.
    left_out : tuple of str
        The voters of weight 0, who were left out.
    """

    holds: bool
    profile: Profile
    left_out: tuple[str, ...] = ()

    takes_breakings: ClassVar[bool] = True
    """Whether the claim may concern one way of breaking the source's ties; a claim about all ways may not."""

    takes_ties: ClassVar[bool] = True
    """Whether the question also accepts rankings with ties."""

    takes_gaps: ClassVar[bool] = False
    """Whether the question also accepts rankings that omit models."""

    def __bool__(self) -> bool:
        """Return whether the profile belongs to the domain."""
        return self.holds

    @cached_property
    def guarantee(self) -> Guarantee:
        """What is certain about the majority relation of this very profile, and by which theorem."""
        return self._implied() if self.holds else NO_GUARANTEE

    theorem: ClassVar[str] = ""
    """By which majorities of strict orders of the domain are transitive; empty where none says so."""

    theorem_with_ties: ClassVar[tuple[str, str]] = "", ""
    """Guarantees for strict majorities of any orders of the domain, with the theorem."""

    def _implied(self) -> Guarantee:
        """Return the implications of the domain for this profile, which belongs to it."""
        return condorcet_guarantee(self.profile, self.theorem, self.theorem_with_ties) if self.theorem else NO_GUARANTEE

    by_triples: ClassVar[bool] = False
    """Whether the check of a yes looks at all triples of models, for all voters."""

    @property
    def steps(self) -> int:
        """How many steps the check takes, to an order of magnitude, where they can be very many: see `MOST_STEPS`."""
        return len(self.profile.models) ** 3 * len(self.profile.voters) if self.by_triples and self.holds else 0

    @abstractmethod
    def check(self) -> None:
        """Raise ProofError unless the witness shows what the result says."""

    def checked(self) -> Self:
        """Return the result itself once its witness is checked."""
        self.check()
        return self

    def verify(self, source: ProfileLike | None = None) -> bool:
        """Re-check the answer from its witness, and the guarantee on the majority relation itself.

        Parameters
        ----------
        source : Leaderboard or Profile, optional
            The table; the tested rankings must be its own, or break its ties unless the claim itself concerns
            tie-breaking.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        InputError
            If the source has no rankings, such as a whole suite.
        UnprovedError
            If the check would take hours: a short document must not start such a computation.
        """
        check_profile(self.profile)
        if self.steps > MOST_STEPS:
            size = f"{len(self.profile.models)} models and {len(self.profile.voters)} voters"
            raise UnprovedError(f"that there is no exception among {size} takes too long to check")
        ensure(self.takes_ties or self.profile.is_strict, "the question is asked of strict rankings, and some tie")
        ensure(self.takes_gaps or self.profile.is_complete, "the question is asked of rankings of all models")
        if source is not None:
            if not isinstance(source, Leaderboard | Profile):
                raise InputError(f"rankings are those of a leaderboard or a profile; got a {type(source).__name__}")
            check_source(self.profile, self.left_out, as_profile(source), breakings=self.takes_breakings)
        self.check()
        self.guarantee.check(self.profile)
        return True

    def to_frame(self) -> pd.DataFrame:
        """Return the answer and the guarantee as a table."""
        rows = {"holds": str(self.holds), "voters": str(len(self.profile.voters)), "guarantee": str(self.guarantee)}
        return pd.DataFrame({"value": list(rows.values())}, index=list(rows))


def profile_fields(
    source: ProfileLike, question: str, *, ties: bool = False, gaps: bool = False
) -> tuple[Profile, dict[str, Any]]:
    """Return the profile to test; and again, with the voters of weight 0, as fields of a result.

    Parameters
    ----------
    source : Leaderboard or Profile
        The table or the rankings.
    question : str
        The question, for the message.
    ties, gaps : bool
        Whether tied and missing models are fine.

    Raises
    ------
    InputError
        If orders have ties or leave models out and that is not fine; the message names voters and models.
    """
    given = as_profile(source)
    kept = [voter for voter, weight in zip(given.voters, given.weights, strict=True) if weight]
    left_out = tuple(voter for voter, weight in zip(given.voters, given.weights, strict=True) if not weight)
    profile = given.select(voters=kept) if left_out else given
    if not gaps and not profile.is_complete:
        raise InputError(_gaps(profile, question))
    if not ties and not profile.is_strict:
        raise InputError(_ties(profile, question))
    return profile, {"profile": profile, "left_out": left_out}


def check_profile(profile: Profile) -> None:
    """Raise ProofError unless the voters, who count with weights above 0, and the models are each named once."""
    ensure(profile.models and profile.voters, "there are no rankings")
    ensure(len(set(profile.voters)) == len(profile.voters), "a voter is named twice")
    ensure(len(set(profile.models)) == len(profile.models), "a model is named twice")
    ensure(all(weight > 0 for weight in profile.weights), "a tested voter has no weight")


def check_source(profile: Profile, left_out: tuple[str, ...], source: Profile, *, breakings: bool) -> None:
    """Raise ProofError unless the profile is the source without its voters of weight 0, or breaks its ties."""
    weight = dict(zip(source.voters, source.weights, strict=True))
    ensure_same_names("voters of weight 0", left_out, [voter for voter in source.voters if not weight[voter]])
    kept = source.select(voters=[voter for voter in source.voters if weight[voter]])
    profile.ensure_same(kept, broken=breakings)


def distinct(reasons: Iterable[T]) -> tuple[T, ...]:
    """Return reasons without those that say the same as one before them."""
    return tuple({str((type(one), getattr(one, "__dict__", one))): one for one in reasons}.values())


def ensure_distinct(what: str, reasons: Sequence[Any]) -> None:
    """Raise ProofError if a reason is duplicated."""
    ensure(len(distinct(reasons)) == len(reasons), f"{what} is listed twice")


def ranks_of_part(profile: Profile, models: Sequence[str], voters: Sequence[str], *, gaps: bool = False) -> AnyArray:
    """Return how some voters rank some models, voters x models, among all models, for a witness.

    Raises
    ------
    ProofError
        If a name is not the profile's, or is duplicated; or if a voter omits one of the models, unless gaps are
        allowed. Such a model has rank 0, which is not a position: nothing is above it, below it or tied with it.
    """
    for what, named, known in (("model", models, profile.models), ("voter", voters, profile.voters)):
        ensure(set(named) <= set(known), f"a {what} is not in the profile")
        ensure(len(set(named)) == len(named), f"a {what} is named twice")
    rows, columns = [profile.voters.index(one) for one in voters], [profile.models.index(one) for one in models]
    ranks = profile.ranks[np.ix_(rows, columns)]
    for row, column in np.argwhere(ranks == 0)[: not gaps]:
        raise ProofError(f"voter {voters[row]!r} does not rank {models[column]!r}")
    return ranks


def _gaps(profile: Profile, question: str) -> list[str]:
    return [
        f"{question} needs rankings of all models; voter {voter!r} does not rank {first_few(map(repr, missing))}"
        for voter, missing in profile.unranked.items()
    ]


def _ties(profile: Profile, question: str) -> str:
    tied = [
        f"{voter!r} ties {' and '.join(map(repr, place[:3]))}"
        for voter, order in zip(profile.voters, profile.orders, strict=True)
        for place in order
        if len(place) > 1
    ]
    return (
        f"{question} is asked of strict rankings: {first_few(tied, 3)}; "
        "break the ties (rankings(break_ties='alphabetical')) or ask possibly(...) or necessarily(...)"
    )


# Guarantees: what a theorem says about the majority relation of the very profile that was tested.


class Guarantee(Frozen, eq=True):
    """What is certain about the majority relation, by which theorem, under which hypotheses.

    Attributes
    ----------
    strict : {"transitive", "acyclic", ""}
        What the strict majority relation (margin > 0) is known to be.
    weak : {"transitive", ""}
        What the weak majority relation (margin >= 0) is known to be.
    undefeated : bool
        Whether some model is known to lose no head-to-head; implied by the above.
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
            return f"Some model is guaranteed to be undefeated ({self.theorem}); nothing more about majorities."
        lacking = [text for text, has in self.hypotheses if not has]
        if not self.strict:
            return "Nothing is guaranteed about majorities" + (f": not {lacking[0]}." if lacking else ".")
        if self.weak:
            return f"Majorities are guaranteed to be {self.weak} ({self.theorem})."
        caution = f"; with ties counted it need not be, since not: {lacking[0]}" if lacking else ""
        return f"The majority relation is guaranteed to be {self.strict} ({self.theorem}){caution}."

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the majority relation of the profile has the guaranteed properties."""
        if not self.strict and not self.undefeated:
            return
        margins = profile.margins().array
        ensure((margins >= 0).all(axis=1).any(), "every model loses a duel")
        if not self.strict:
            return
        strict = majority_relation(margins, strict=True)
        what = is_transitive(strict) if self.strict == "transitive" else is_acyclic(strict)
        ensure(what, f"the strict majority relation is not {self.strict}")
        weak = majority_relation(margins, strict=False)
        ensure(not self.weak or is_transitive(weak), "the weak majority relation is not transitive")


NO_GUARANTEE = Guarantee(strict="", weak="", theorem="", hypotheses=())


def condorcet_guarantee(profile: Profile, theorem: str, with_ties: tuple[str, str]) -> Guarantee:
    """Return the guarantees for strict orders of a Condorcet domain, whatever the weights of the voters.

    The strict majority relation is transitive. The weak one is if no two models tie in weight, which an odd number
    of voters with equal weights ensures. For other orders, what the strict majority relation is, and by which theorem.
    """
    if not (profile.is_strict and profile.is_complete):
        strict, theorem = with_ties
        return Guarantee(strict=strict, weak="", theorem=theorem, hypotheses=(("strict orders of all models", False),))
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
    margins = profile.margins().array
    tied = np.argwhere(np.triu(margins == 0, k=1))
    return None if len(tied) == 0 else (profile.models[int(tied[0][0])], profile.models[int(tied[0][1])])


def is_transitive(relation: BoolArray) -> bool:
    """Return whether x R y and y R z imply x R z; the diagonal counts as related."""
    reach = relation.astype(np.float32)
    return not bool(((reach @ reach > 0) & ~relation).any())


def is_acyclic(relation: BoolArray) -> bool:
    """Return whether no steps x R y, y R z, ... between different models lead back to x."""
    return not is_cyclic(relation & ~np.eye(len(relation), dtype=np.bool_))
