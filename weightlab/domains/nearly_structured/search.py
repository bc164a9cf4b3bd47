"""The search for the fewest things to drop: forbidden sub-profiles are found as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import FloatArray, places_of
from weightlab._result import Frozen
from weightlab._solver import Rows, SolverIfAny, deadline_in, integer_optimum, is_past, seconds_left
from weightlab._solver.propose import smallest_program
from weightlab.data import Profile
from weightlab.domains.nearly_structured.hitting import WORK, HittingSearch
from weightlab.domains.nearly_structured.threes import as_bits, forbidden_few, has_pairs
from weightlab.domains.registry import Obstruction, obstruction_of
from weightlab.domains.result import Claim
from weightlab.exceptions import TimeLimitError, UnprovedError

Drop: TypeAlias = Literal["models", "voters"]
"""What may be left out."""


class Deletion(Frozen, eq=True):
    """A smallest selection, as bits, and the sets that prove that no smaller one suffices.

    ``proved`` is empty if optimality rests on the solver alone, and ``solver`` is empty if it was not used.
    """

    selection: int
    proved: list[int]
    solver: SolverIfAny


class DeletionSearch:
    """Forbidden sub-profiles of a profile, as sets of the things that may be dropped.

    Parameters
    ----------
    profile : Profile
        What to repair.
    test : callable
        The test of the domain, whose witness of a no names models and voters.
    drop : {"models", "voters"}
        What may be dropped.
    shown : mapping
        Sets known to be forbidden from the start, as bits, and what gives the forbidden sub-profile of each.
    time_limit : float or None
        Seconds for everything.
    """

    def __init__(
        self,
        profile: Profile,
        test: Callable[[Profile], Claim],
        drop: Drop,
        *,
        shown: Mapping[int, Callable[[], Obstruction]] | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.profile, self.test, self.drop = profile, test, drop
        self.things = things_of(profile, drop)
        self.place = {thing: position for position, thing in enumerate(self.things)}
        self.shown = dict(shown or {})
        self.pool = list(self.shown)
        self.deadline = deadline_in(time_limit)
        self._everything = self.best = (1 << len(self.things)) - 1

    def fewest(self) -> Deletion:
        """Return a smallest selection to drop.

        Notes
        -----
        A search asks for selections that meet all forbidden sets known so far, each time fewer; the test of what one
        leaves adds sets that it overlooked. Where the search takes too long an integer program goes on.
        """

        def more(selection: int) -> bool:
            found = self._extend(selection)
            search.size = self.best.bit_count() - 1
            return found

        search = HittingSearch(self.pool, len(self.things), more=more, work=WORK, deadline=self.deadline)
        try:
            list(search)
        except UnprovedError:
            self._check_time()
            return self._by_program()
        # The search was exhaustive: no smaller selection meets the sets that it used.
        return Deletion(selection=self.best, proved=sorted(search.used), solver="")

    def all_as_few(self, size: int, proved: list[int]) -> tuple[list[int], list[int]]:
        """Return all selections of the smallest size, and the sets that prove that there are no others.

        Raises
        ------
        UnprovedError
            If there are too many to list.
        """
        selections = list(HittingSearch(self.pool, size, more=self._extend))
        # The fewest sets that leave no stray selection: each stray one adds a set that it does not meet.
        enough = set(proved)
        while True:
            stray = set(HittingSearch(sorted(enough), size)).difference(selections)
            if not stray:
                return selections, sorted(enough)
            enough.update(next(one for one in self.pool if not one & selection) for selection in stray)

    def named(self, bits: int) -> tuple[str, ...]:
        """Return the names of a selection, in the order of the profile."""
        return tuple(self.things[place] for place in places_of(bits))

    def witness(self, bits: int) -> Obstruction:
        """Return the forbidden sub-profile that a set was found by."""
        return self.shown[bits]()

    def learn(self, domain: str) -> None:
        """Add the forbidden sets of a domain that are found all at once: of two voters, and of three things."""
        self.shown |= forbidden_few(self.profile, domain, self.drop)
        if self.drop == "voters" and has_pairs(domain) and not self.profile.is_strict:
            for pair in np.argwhere(np.tri(len(self.things), k=-1)).tolist():
                self._found(as_bits(pair))
        pairs = [one for one in self.shown if one.bit_count() == 2]
        self.pool = [one for one in self.shown if one in pairs or not any(one & pair == pair for pair in pairs)]

    def _found(self, rest: int) -> int | None:
        """Return a forbidden set among some things, and keep what shows it; None where they pass the test."""
        self._check_time()
        obstruction = obstruction_of(self.test(restricted_to(self.profile, self.drop, self.named(rest))))
        if obstruction is None:
            return None
        found = as_bits(self.place[thing] for thing in things_of(obstruction, self.drop))
        self.shown[found] = lambda: obstruction
        return found

    def _extend(self, selection: int) -> bool:
        """Add disjoint forbidden sets that a selection does not meet; return whether there are any."""
        # Every forbidden set found must be met, whatever the selection: each is a constraint for good.
        rest = self._everything & ~selection
        before = len(self.pool)
        while rest and (found := self._found(rest)) is not None:
            self.pool.append(found)
            rest &= ~found
        # What is left passes.
        self.best = min(self.best, self._everything & ~rest, key=int.bit_count)
        return len(self.pool) > before

    def _by_program(self) -> Deletion:
        # As few things as possible, at least one of each forbidden set.
        program = smallest_program(self.things, self._rows(self.pool), f"fewest {self.drop} to drop")
        try:
            optimum = integer_optimum(program, lazy=self, time_limit=seconds_left(self.deadline))
        except TimeLimitError as stopped:
            raise self._stopped(stopped.known["bound"]) from None
        selection = as_bits(place for place, gone in enumerate(optimum.x) if gone)
        return Deletion(selection=selection, proved=[], solver=optimum.solver)

    def _rows(self, sets: Sequence[int]) -> Rows:
        """Return the rows of some forbidden sets."""
        entries = [dict.fromkeys(places_of(one), 1) for one in sets]
        labels = [f"one of {', '.join(self.named(one))}" for one in sets]
        return Rows.from_dicts(entries, width=len(self.things), lower=1, labels=labels)

    def violated(self, x: FloatArray | Sequence[Fraction]) -> Rows | None:
        """Return rows for forbidden sets that a rounded point does not meet; None if there are none."""
        before = len(self.pool)
        self._extend(as_bits(place for place, one in enumerate(x) if 2 * one >= 1))
        return self._rows(self.pool[before:]) if len(self.pool) > before else None

    violated_exactly = violated

    def _check_time(self) -> None:
        if is_past(self.deadline):
            raise self._stopped()

    def _stopped(self, bound: float = 0) -> TimeLimitError:
        """Return the error that the time is over, with the best selection and how many are needed at least."""
        least = max(HittingSearch(self.pool, 0).bound(), ceil(bound - 1e-6) if bound > 0 else 0)
        between = f"{least:,} to {self.best.bit_count():,} of {len(self.things):,}"
        return TimeLimitError(
            f"fewest {self.drop} to drop ({between}): the time limit came before the optimum was shown",
            known={"value": self.best.bit_count(), "x": self.named(self.best), "bound": float(least)},
        )


def things_of(holder: Profile | Obstruction, drop: Drop) -> tuple[str, ...]:
    """Return the models, or the voters, of a profile; or of a forbidden sub-profile, one of which must be dropped."""
    return holder.models if drop == "models" else holder.voters


def restricted_to(profile: Profile, drop: Drop, kept: Sequence[str]) -> Profile:
    """Return the profile of what is kept."""
    return profile.select(models=kept) if drop == "models" else profile.select(voters=kept)
