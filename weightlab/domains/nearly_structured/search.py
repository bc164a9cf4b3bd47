"""The search for the fewest things to drop: forbidden sub-profiles are found as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, FloatArray, places_of
from weightlab._result import Frozen, ensure
from weightlab._solver import Formulation, Rows, SolverIfAny, deadline_in, integer_optimum, is_past, seconds_left
from weightlab.data import Profile
from weightlab.domains.condorcet_domain import cyclic_triples
from weightlab.domains.registry import Obstruction, obstruction_of
from weightlab.domains.result import Claim, has_no_ties
from weightlab.domains.value_restricted import ALL_SEEN, places_seen, signs_of_triples
from weightlab.exceptions import TimeLimitError, UnprovedError

Drop: TypeAlias = Literal["models", "voters"]
"""What may be left out."""


class Deletion(Frozen, eq=True):
    """A smallest selection, as bits, and the sets that prove that no smaller one will do.

    ``proved`` is empty when the solver's word is all there is, and ``solver`` is empty when it was not asked.
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
    pool : sequence of int
        Sets known to be forbidden from the start, as bits.
    time_limit : float or None
        Seconds for everything.
    """

    def __init__(
        self,
        profile: Profile,
        test: Callable[[Profile], Claim],
        drop: Drop,
        *,
        pool: Sequence[int] = (),
        time_limit: float | None = None,
    ) -> None:
        self.profile, self.test, self.drop = profile, test, drop
        self.things = profile.models if drop == "models" else profile.voters
        self.place = {thing: position for position, thing in enumerate(self.things)}
        self.pool = list(dict.fromkeys(pool))
        self.deadline = deadline_in(time_limit)
        self.least = 0
        """So many are known to have to go."""
        self._everything = (1 << len(self.things)) - 1

    def fewest(self) -> Deletion:
        """Return a smallest selection to drop.

        Notes
        -----
        From the number of disjoint forbidden sets upwards, a search asks for a selection of that size that meets all
        forbidden sets known so far; the test of what it leaves adds those that it overlooked. Where the search takes
        too long an integer program goes on.
        """
        self._extend(0)
        # Disjoint forbidden sets need a thing each: the size to begin with.
        proved = packing(self.pool)
        size = len(proved)
        while True:
            self.least = size
            self._check_time()
            search = HittingSearch(self.pool, size, deadline=self.deadline)
            try:
                selection = search.first()
            except UnprovedError:
                self._check_time()
                return self._by_program()
            if selection is None:
                # The search is exhaustive: no selection of this size meets the sets that it used, and these are the
                # proof.
                proved, size = sorted(search.used), size + 1
            elif not self._extend(selection):
                return Deletion(selection=selection, proved=proved, solver="")

    def all_as_few(self, size: int, proved: list[int]) -> tuple[list[int], list[int]]:
        """Return all selections of the smallest size, and the sets that prove that there are no others.

        Raises
        ------
        UnprovedError
            If there are too many to list.
        """
        while True:
            selections = list(HittingSearch(self.pool, size))
            if not sum(self._extend(selection) for selection in selections):
                break
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
        """Return the forbidden sub-profile among the things of a forbidden set."""
        obstruction = obstruction_of(self.test(restricted_to(self.profile, self.drop, self.named(bits))))
        if obstruction is None:
            raise AssertionError("a forbidden set holds a forbidden sub-profile")
        return obstruction

    def _extend(self, selection: int) -> bool:
        """Add forbidden sets that a selection does not meet, no two of which meet; tell whether there are any."""
        # Every forbidden set found must be met, whatever the selection: each is a constraint for good.
        rest = self._everything & ~selection
        before = len(self.pool)
        while rest:
            self._check_time()
            obstruction = obstruction_of(self.test(restricted_to(self.profile, self.drop, self.named(rest))))
            if obstruction is None:
                break
            found = sum(1 << self.place[thing] for thing in offenders(obstruction, self.drop))
            self.pool.append(found)
            rest &= ~found
        return len(self.pool) > before

    def _by_program(self) -> Deletion:
        optimum = integer_optimum(self._formulation(), lazy=self, time_limit=seconds_left(self.deadline))
        selection = sum(1 << place for place, gone in enumerate(optimum.x) if gone)
        return Deletion(selection=selection, proved=[], solver=optimum.solver)

    def _formulation(self) -> Formulation:
        """Return the integer program: as few things as possible, at least one of each forbidden set."""
        name = f"fewest {self.drop} to drop"
        return Formulation.over(self.things, self._rows(self.pool), name=name, objective=1, upper=1, integral=True)

    def _rows(self, sets: Sequence[int]) -> Rows:
        """Return the rows of some forbidden sets."""
        entries = [dict.fromkeys(places_of(one), 1) for one in sets]
        labels = [f"one of {', '.join(self.named(one))}" for one in sets]
        return Rows.from_dicts(entries, width=len(self.things), lower=1, labels=labels)

    def violated(self, x: FloatArray) -> Rows | None:
        """Return rows for forbidden sets that a float point, once it is rounded, does not meet."""
        return self._new_rows([bool(one >= 0.5) for one in x])

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows for forbidden sets that an exact point does not meet, or None when there are none."""
        return self._new_rows([2 * one >= 1 for one in x])

    def _new_rows(self, gone: Sequence[bool]) -> Rows | None:
        before = len(self.pool)
        self._extend(sum(1 << place for place, one in enumerate(gone) if one))
        return self._rows(self.pool[before:]) if len(self.pool) > before else None

    def _check_time(self) -> None:
        if is_past(self.deadline):
            known = f" ({self.least:,} or more of {len(self.things):,})" if self.least else ""
            raise TimeLimitError(
                f"fewest {self.drop} to drop{known}: the time limit came before the optimum was shown",
                known={"value": None, "x": None, "bound": float(self.least)},
            )


def offenders(obstruction: Obstruction, drop: Drop) -> tuple[str, ...]:
    """Return the things of a forbidden sub-profile one of which has to go."""
    return obstruction.models if drop == "models" else obstruction.voters


def restricted_to(profile: Profile, drop: Drop, kept: Sequence[str]) -> Profile:
    """Return the profile of what is kept."""
    return profile.select(models=kept) if drop == "models" else profile.select(voters=kept)


# Forbidden sets of three models, all at once.

SEEN = {
    "single_peaked": 0b100100100,
    "single_caved": 0b001001001,
    "group_separable": 0b010010010,
    "value_restricted": ALL_SEEN,
    "condorcet_domain": ALL_SEEN,
}
"""What is forbidden to be seen of three models, in strict orders: each worst, each best, each in the middle, all."""
HEXAGON = (24, 18, 20, 2, 8, 6)
"""The ways of ranking i, j, k strictly (see ``signs_of_triples``), each one swap of neighbours from the next."""


def forbidden_triples(profile: Profile, domain: str) -> list[int]:
    """Return the sets of three models, as bits, that already keep complete rankings from being of a domain.

    None are returned for weak orders and domains that are about some breaking of their ties.
    """
    if not profile.is_complete or len(profile.models) < 3:
        return []
    strict = has_no_ties(profile)
    if domain == "condorcet_domain" and not strict:
        triples = cyclic_triples(profile.ranks)
    elif domain == "single_crossing" and strict:
        triples = _crossing_back(profile)
    elif domain in SEEN and (strict or domain == "value_restricted"):
        found = places_seen(profile.ranks)
        triples = found.models[found.values & SEEN[domain] == SEEN[domain]]
    else:
        return []
    return [sum(1 << model for model in triple) for triple in triples.tolist()]


def _crossing_back(profile: Profile) -> AnyArray:
    """Return the triples that are not single-crossing: the ways they are ranked fit on no half of the hexagon."""
    found = signs_of_triples(profile.ranks)
    halves = [sum(1 << HEXAGON[(first + step) % 6] for step in range(4)) for first in range(6)]
    back = [value for value in np.unique(found.values).tolist() if all(value & ~half for half in halves)]
    return np.asarray(found.models[np.isin(found.values, back)])


# Hitting sets: the fewest things that meet each of some sets, with a proof that fewer do not.


WORK = 10_000_000
"""So many sets are looked at, over all branches, before the search is given up: a few seconds."""


@dataclass
class HittingSearch:
    """A search for sets of at most ``size`` things (as bits) that meet all given sets.

    Parameters
    ----------
    sets : sequence of int
        What has to be met, each as bits.
    size : int
        How many things there may be.
    work : int
        How many sets may be looked at, over all branches.
    deadline : float, optional
        The ``time.monotonic()`` at which to give up.

    Attributes
    ----------
    used : set of int
        The given sets on which a search that found nothing rests.

    Notes
    -----
    A set that is not met has to be met by one of its things, so the search branches over a smallest one; things
    tried before are barred, so that no selection is found twice. A branch ends when sets of which no two meet ask
    for more things than are left. O(largest set ** size) branches at worst. No solver takes part.
    """

    sets: Sequence[int]
    size: int
    work: int = WORK
    deadline: float | None = None
    used: set[int] = field(default_factory=set)

    def first(self) -> int | None:
        """Return a selection, or None: then fewer than ``size + 1`` things do not do.

        Raises
        ------
        UnprovedError
            If the work or the time ran out.
        """
        return next(iter(self), None)

    def __iter__(self) -> Iterator[int]:
        """Yield selections: every smallest one of at most ``size`` things is among them."""
        taken = 0
        # Depth first on a stack of one's own. Each entry: what is chosen, how many more may be, what is not met yet.
        stack = [(0, self.size, [(one, one) for one in self.sets])]
        while stack:
            chosen, room, left = stack.pop()
            taken += len(left)
            if taken > self.work or is_past(self.deadline):
                raise UnprovedError(f"a selection of {self.size} takes too long to search", known={"size": self.size})
            if not left:
                yield chosen
                continue
            left.sort(key=_size_of_rest)
            apart = _apart(left)
            # Sets without a common open thing need one each. More of them than there is room for end the branch, and
            # show why.
            if len(apart) > room or not left[0][0]:
                self.used.update(whole for _, whole in apart[: room + 1])
                continue
            self.used.add(left[0][1])
            stack.extend(_branches(chosen, room, left))


def ensure_fewest(things: Sequence[str], forbidden: Iterable[Sequence[str]], size: int) -> list[int]:
    """Raise ProofError if fewer things than so many meet all forbidden sets; return these sets, as bits.

    Exhaustive and without a solver.
    """
    place = {thing: position for position, thing in enumerate(things)}
    sets = [sum(1 << place[thing] for thing in set(one)) for one in forbidden]
    fewer = HittingSearch(sets, size - 1).first() if size else None
    smaller = [things[one] for one in places_of(fewer or 0)]
    ensure(fewer is None, f"{smaller} meet all the forbidden sub-profiles, and they are fewer")
    return sets


def packing(sets: Sequence[int]) -> list[int]:
    """Return sets no two of which meet, small ones first: each needs a thing of its own."""
    return [whole for _, whole in _apart(sorted(((one, one) for one in sets), key=_size_of_rest))]


_Left = list[tuple[int, int]]
"""What is not barred of each set that is not met yet, and the set."""


def _branches(chosen: int, room: int, left: _Left) -> list[tuple[int, int, _Left]]:
    """Return the branches over the first set, the most promising thing last, where the search goes on."""
    things = [1 << place for place in places_of(left[0][0])]
    things.sort(key=lambda thing: -sum(1 for rest, _ in left if rest & thing))
    branches = []
    barred = 0
    # Things tried before are barred from later branches: selections with them have been met there.
    for thing in things:
        unmet = [(rest & ~barred, whole) for rest, whole in left if not rest & thing]
        branches.append((chosen | thing, room - 1, unmet))
        barred |= thing
    return branches[::-1]


def _apart(left: _Left) -> _Left:
    taken = 0
    apart = []
    for rest, whole in left:
        if not rest & taken:
            taken |= rest
            apart.append((rest, whole))
    return apart


def _size_of_rest(one: tuple[int, int]) -> int:
    return one[0].bit_count()
