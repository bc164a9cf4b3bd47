"""Whether a domain holds however the ties are broken, each voter's ties independently."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Record, ensure
from weightlab.data.components import cycle_through, strong_components, topological
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile, is_breaking
from weightlab.domains.distance_restricted import swap_distances
from weightlab.domains.forbidden import FORBIDDEN, Forbidden, forbidden_at, realisable
from weightlab.domains.registry import UNDECIDED_WITH_TIES, checked_degree, domain_words
from weightlab.domains.result import Claim, ensure_distinct, profile_fields, ranks_of_part
from weightlab.exceptions import InputError


class FarApart(Record):
    """Two voters whose ties can be broken so that they disagree on many pairs of models.

    Attributes
    ----------
    voters : tuple of str
        The two.
    orders : tuple of tuple of str
        Their rankings of all models, ties broken, best first.
    distance : int
        How many pairs they then disagree on.
    """

    voters: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    distance: int

    def __str__(self) -> str:
        """Say how far apart they can be."""
        return f"{' and '.join(self.voters)} can disagree on {self.distance:,} pairs of models"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the orders break the voters' ties and are so far apart."""
        own = ranks_of_part(profile, profile.models, self.voters)
        ensure(len(self.voters) == len(self.orders) == 2, "two voters are needed, each with an order")
        for voter, order in zip(self.voters, self.orders, strict=True):
            ensure(sorted(order) == sorted(profile.models), f"the order of voter {voter!r} is not one of the models")
        broken = Profile.from_orders(self.orders, models=profile.models, voters=self.voters)
        for voter, row, given in zip(self.voters, broken.ranks, own, strict=True):
            ensure(is_breaking(row, given), f"the order of voter {voter!r} contradicts its ranking")
        apart = int(swap_distances(broken.ranks)[0, 1])
        ensure(apart == self.distance, f"they disagree on {apart} pairs, not {self.distance}")


class Necessarily(Claim, kind="necessarily"):
    """Whether rankings belong to a domain however their ties are broken.

    Attributes
    ----------
    domain : str
        Which domain.
    degree : int or None
        The degree of distance restriction; None for other domains.
    witness : Forbidden, FarApart or None
        When they do not: strict orders that break the ties and are a forbidden sub-profile.
    """

    domain: str
    degree: int | None
    witness: Forbidden | FarApart | None

    takes_breakings: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raise InputError unless there is such a domain, with a degree where it has one."""
        checked_degree(self.domain, self.degree)

    def __str__(self) -> str:
        """Say that it always holds, or how it can fail."""
        name = domain_words(self.domain)
        if self.witness is None:
            return f"The rankings are {name} however their ties are broken."
        return f"Not {name} under every breaking of the ties: it may be that {self.witness}."

    @property
    def steps(self) -> int:
        """Without a witness every forbidden sub-profile is searched for."""
        models, voters = len(self.profile.models), len(self.profile.voters)
        often = models**2 * voters**4 // 10 if self.domain == "single_crossing" else models**3 * voters**2
        return often if self.holds else 0

    def check(self) -> None:
        """Raise ProofError unless the witness breaks the ties as claimed, or no way of breaking them is forbidden."""
        ensure((self.degree is not None) == (self.domain == "distance_restricted"), "only distances have a degree")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.witness is None:
            found = _forbidden_breaking(self.profile, self.domain, self.degree)
            ensure(found is None, "some breaking makes what is forbidden")
        elif isinstance(self.witness, FarApart):
            ensure(self.degree is not None and self.witness.distance > self.degree, "they are not too far apart")
            self.witness.check(self.profile)
        else:
            self.witness.check(self.profile, allowed=FORBIDDEN.get(self.domain, ()), broken=True)


def necessarily(source: ProfileLike, domain: str, *, degree: int | None = None) -> Necessarily:
    """Test whether rankings belong to a domain however their ties are broken.

    Parameters
    ----------
    source : Profile or Leaderboard
        Rankings of all models by every voter, ties allowed. Voters of weight 0 are left out and named. The ties of
        each voter break independently.
    domain : str
        ``"single_peaked"``, ``"single_caved"``, ``"group_separable"``, ``"single_crossing"``,
        ``"value_restricted"``, ``"condorcet_domain"`` or ``"distance_restricted"``.
    degree : int, optional
        For distance restriction; 1 by default.

    Returns
    -------
    Necessarily
        True if it holds; otherwise with a few voters' ties broken into a forbidden sub-profile.

    Raises
    ------
    InputError
        If a voter leaves models out, or the domain is not known by forbidden sub-profiles of bounded size
        (``"single_peaked_on_tree"``, ``"one_euclidean"``).
    UnknownNameError
        If there is no such domain.

    Notes
    -----
    Polynomial: no way of breaking ties realises a forbidden sub-profile. O(models^3 x voters^2) at most, for
    single-crossing O(models^2 x voters^4).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], [("a", "b", "c")]])
    >>> print(wl.domains.necessarily(profile, "value_restricted"))
    Not value-restricted under every breaking of the ties: it may be that 1 ranks a > b > c, 2 ranks b > c > a and \
3 ranks c > a > b.
    """
    if domain in UNDECIDED_WITH_TIES:
        raise InputError(f"{domain!r} has no forbidden sub-profiles of bounded size: not decided for every breaking")
    degree = checked_degree(domain, degree)
    profile, given = profile_fields(source, f"being {domain} under every breaking", ties=True)
    witness = _forbidden_breaking(profile, domain, degree)
    result = Necessarily(**given, holds=witness is None, domain=domain, degree=degree, witness=witness)
    return result.checked() if witness is not None else result


def _forbidden_breaking(profile: Profile, domain: str, degree: int | None) -> Forbidden | FarApart | None:
    """Return a forbidden way of breaking ties, or None if there is none."""
    if degree is not None:
        return _far_apart(profile, degree)
    found = realisable(profile.ranks, domain)
    return None if found is None else forbidden_at(profile, found[0], voters=found[1], roles=found[2])


def _far_apart(profile: Profile, degree: int) -> FarApart | None:
    """Return two voters who can disagree on more pairs than the degree, if there are any.

    All pairs that two voters do not rank alike and strictly can be made to disagree at once: the second voter breaks
    its ties against the first one's ranking, and then the first breaks its own against the second's.
    """
    for i in range(len(profile.voters)):
        # The last key of lexsort counts first: by the own ranking, and within ties against the other's.
        for j in range(i + 1, len(profile.voters)):
            one, other = profile.ranks[i], profile.ranks[j]
            second = np.lexsort((-one, other))
            place = np.argsort(second)
            first = np.lexsort((-place, one))
            apart = int(swap_distances(np.array([np.argsort(first), place]))[0, 1])
            if apart > degree:
                orders = tuple(tuple(profile.models[int(model)] for model in order) for order in (first, second))
                return FarApart(voters=(profile.voters[i], profile.voters[j]), orders=orders, distance=apart)
    return None


# Whether ties can be broken so that all voters rank alike, or alike except for one pair of models.

Step = tuple[str, str, str]
"""A voter, a model, and one that the voter ranks strictly below it."""


class StrictCycles(Record):
    """Strict preferences of several voters that lead back to where they start.

    One cycle shows that not all voters can rank alike. They cannot rank alike except for one pair of neighbours either
    if a cycle has three models or more (between the two of the pair there would be a third), or if two pairs of
    models are each ranked in both ways.

    Attributes
    ----------
    cycles : tuple of cycles
        Each a tuple of steps: a voter, a model and one that the voter ranks strictly below it, where the next step
        begins.
    """

    cycles: tuple[tuple[Step, ...], ...]

    def __str__(self) -> str:
        """Quote the steps."""
        listed = [", ".join(f"{voter} ranks {a} above {b}" for voter, a, b in cycle) for cycle in self.cycles]
        return "; ".join(listed)

    def check(self, profile: Profile, degree: int) -> None:
        """Raise ProofError unless the voters rank so and that excludes a distance of at most the degree."""
        ensure(degree <= 1, "cycles say nothing about larger distances")
        place = {model: position for position, model in enumerate(profile.models)}
        ensure_distinct("a cycle", self.cycles)
        for cycle in self.cycles:
            ensure(len({a for _, a, _ in cycle}) == len(cycle) > 1, "a cycle passes through a model twice")
            for step, (voter, a, b) in enumerate(cycle):
                ensure(b == cycle[(step + 1) % len(cycle)][1], "the steps do not follow each other")
                ensure(voter in profile.voters and a in place and b in place, "a step leads out of the profile")
                row = profile.ranks[profile.voters.index(voter)]
                ensure(row[place[a]] < row[place[b]], f"voter {voter!r} does not rank {a!r} above {b!r}")
        pairs = {frozenset(a for _, a, _ in cycle) for cycle in self.cycles}
        enough = len(pairs) > degree or any(len(one) > 2 for one in pairs)
        ensure(enough, "one pair ranked in both ways is allowed")


def near_consensus(profile: Profile, degree: int) -> AnyArray | StrictCycles:
    """Return strict ranks that break the ties so that no two voters disagree on more than ``degree`` pairs.

    Parameters
    ----------
    profile : Profile
        Weak orders of all models.
    degree : {0, 1}
        How many pairs two voters may disagree on.

    Notes
    -----
    By Lemma A.6 all orders are then one order, some of them with one and the same pair of neighbours swapped. So draw
    an arrow from x to y when some voter ranks x strictly above y: there is such an order if at most ``degree`` pairs
    have arrows both ways and, with such a pair merged into one, the arrows have no cycle.
    O(models^2 x voters).
    """
    ranks = profile.ranks
    arrows = np.array([(ranks[:, model, None] < ranks).any(axis=0) for model in range(ranks.shape[1])])
    both = np.argwhere(np.triu(arrows & arrows.T)).tolist()
    if len(both) > degree:
        return StrictCycles(cycles=tuple(_cycle(profile, pair) for pair in both[: degree + 1]))
    part = strong_components(arrows)[1]
    # A step between models of one part that is none of the pair's: the way back from it passes through others.
    steps = np.argwhere(arrows & ~arrows.T & (part[:, None] == part))
    if len(steps):
        return StrictCycles(cycles=(_cycle(profile, cycle_through(arrows, *steps[0].tolist())),))
    # One order for all; voters who rank the only pair the other way have its two neighbours swapped.
    broken = np.empty_like(ranks)
    broken[:, np.argsort(topological(arrows), kind="stable")] = np.arange(1, ranks.shape[1] + 1)
    for a, b in both:
        swapped = np.ix_(ranks[:, a] > ranks[:, b], [a, b])
        broken[swapped] = broken[swapped][:, ::-1]
    return broken


def _cycle(profile: Profile, models: list[int]) -> tuple[Step, ...]:
    steps = []
    for a, b in zip(models, models[1:] + models[:1], strict=True):
        voter = int((profile.ranks[:, a] < profile.ranks[:, b]).argmax())
        steps.append((profile.voters[voter], profile.models[a], profile.models[b]))
    return tuple(steps)
