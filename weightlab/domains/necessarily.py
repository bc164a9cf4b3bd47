"""Whether a domain holds however the ties are broken, each voter's ties independently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from weightlab._record import Record
from weightlab._result import ensure
from weightlab._typing import AnyArray
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile, is_breaking
from weightlab.domains.claim import Claim, admitted
from weightlab.domains.distance import swap_distances
from weightlab.domains.forbidden import Forbidden, Pattern
from weightlab.domains.realisable import Demand, realisable_crossed, realisable_opposed, realisable_triple
from weightlab.domains.realisable_crossing import realisable_crossing
from weightlab.domains.registry import domain_words
from weightlab.exceptions import InputError, UnknownNameError

__all__ = ["FarApart", "Necessarily", "necessarily"]


@dataclass(frozen=True, kw_only=True, eq=False)
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
        return f"{' and '.join(self.voters)} can disagree on {self.distance} pairs of models"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the orders break the voters' ties and are so far apart."""
        ensure(len(set(self.voters)) == 2 and set(self.voters) <= set(profile.voters), "two voters are needed")
        ensure(len(self.orders) == 2, "two orders are needed")
        rows = []
        for voter, order in zip(self.voters, self.orders, strict=True):
            ensure(sorted(order) == sorted(profile.models), f"the order of voter {voter!r} is not one of the models")
            rank = {model: place for place, model in enumerate(order, start=1)}
            row = np.array([rank[model] for model in profile.models])
            given = profile.ranks[profile.voters.index(voter)]
            ensure(is_breaking(row, given), f"the order of voter {voter!r} contradicts its ranking")
            rows.append(row)
        apart = int(swap_distances(np.array(rows))[0, 1])
        ensure(apart == self.distance, f"they disagree on {apart} pairs, not {self.distance}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Necessarily(Claim, kind="necessarily"):
    """Whether rankings belong to a domain under every breaking of their ties.

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

    def __str__(self) -> str:
        """Say that it always holds, or how it can fail."""
        name = domain_words(self.domain)
        if self.witness is None:
            return f"The rankings are {name} however their ties are broken."
        return f"Not {name} under every breaking of the ties: it may be that {self.witness}."

    def check(self) -> None:
        """Raise ProofError unless the witness breaks the ties as said, or no breaking makes what is forbidden."""
        ensure(self.domain in SEARCHES or self.domain == "distance_restricted", f"no domain {self.domain!r}")
        ensure((self.degree is not None) == (self.domain == "distance_restricted"), "only distances have a degree")
        ensure((self.witness is None) == self.holds, "a witness is what the answer no rests on")
        if self.witness is None:
            ensure(_found(self.profile, self.domain, self.degree) is None, "some breaking makes what is forbidden")
        elif isinstance(self.witness, FarApart):
            ensure(self.degree is not None and self.witness.distance > self.degree, "they are not too far apart")
            self.witness.check(self.profile)
        else:
            allowed = FORBIDDEN.get(self.domain, set())
            ensure(self.witness.pattern in allowed, f"the pattern {self.witness.pattern} is not forbidden here")
            self.witness.check(self.profile, broken=True)


def necessarily(source: ProfileLike, domain: str, *, degree: int | None = None) -> Necessarily:
    """Test whether rankings belong to a domain under every breaking of their ties.

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
        True when it holds; else with a breaking of a few voters' ties that is a forbidden sub-profile.

    Raises
    ------
    InputError
        If a voter leaves models out, or the domain is not known by forbidden sub-profiles of bounded size
        (``"single_peaked_on_tree"``, ``"one_euclidean"``).
    UnknownNameError
        If there is no such domain.

    Notes
    -----
    Polynomial: no breaking realises a forbidden sub-profile. O(models^3 x voters^2) at most, for single-crossing
    O(models^2 x voters^4).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], [("a", "b", "c")]])
    >>> print(wl.domains.necessarily(profile, "value_restricted"))
    Not value-restricted under every breaking of the ties: it may be that 1 ranks a > b > c, 2 ranks b > c > a and \
3 ranks c > a > b.
    """
    if domain in {"single_peaked_on_tree", "one_euclidean"}:
        raise InputError(f"{domain!r} has no forbidden sub-profiles of bounded size: not decided for every breaking")
    if domain not in SEARCHES and domain != "distance_restricted":
        raise UnknownNameError("domain", domain, [*SEARCHES, "distance_restricted"], holder="module")
    if degree is not None and domain != "distance_restricted":
        raise InputError(f"only distance_restricted has a degree; got {degree} for {domain!r}")
    if domain == "distance_restricted":
        degree = 1 if degree is None else degree
    given = admitted(source, f"being {domain} under every breaking", ties=True)
    witness = _found(given["profile"], domain, degree)
    result = Necessarily(**given, holds=witness is None, domain=domain, degree=degree, witness=witness)
    if witness is not None:
        result.check()
    return result


def _found(profile: Profile, domain: str, degree: int | None) -> Forbidden | FarApart | None:
    """Return a breaking that is forbidden, or None when there is none."""
    if degree is not None:
        return _far_apart(profile, degree)
    demand = SEARCHES[domain](profile.ranks)
    if demand is None:
        return None
    pattern, voters, roles, orders = demand
    return Forbidden(
        pattern=pattern,
        roles=tuple(profile.models[role] for role in roles),
        voters=tuple(profile.voters[voter] for voter in voters),
        orders=tuple(tuple((profile.models[model],) for model in order) for order in orders),
    )


def _far_apart(profile: Profile, degree: int) -> FarApart | None:
    """Return two voters who can disagree on more pairs than the degree, if there are any.

    All pairs that two voters do not rank alike and strictly can be made to disagree at once: the second voter breaks
    its ties against the first one's ranking, and then the first breaks its own against the second's.
    """
    for i in range(len(profile.voters)):
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


def _peaked(ranks: AnyArray) -> Demand | None:
    return realisable_triple(ranks, Pattern.THREE_WORST) or realisable_opposed(ranks)


def _caved(ranks: AnyArray) -> Demand | None:
    found = realisable_triple(ranks, Pattern.THREE_BEST)
    if found is not None:
        return found
    turned = realisable_opposed(ranks.max(axis=1, keepdims=True, initial=0) + 1 - ranks)
    if turned is None:
        return None
    _, voters, (a, b, c, d), orders = turned
    return Pattern.OPPOSED_ABOVE, voters, [c, b, a, d], [order[::-1] for order in orders]


def _separable(ranks: AnyArray) -> Demand | None:
    return realisable_triple(ranks, Pattern.THREE_MIDDLE) or realisable_crossed(ranks)


def _restricted(ranks: AnyArray) -> Demand | None:
    return realisable_triple(ranks, Pattern.CYCLE)


SEARCHES: dict[str, Callable[[AnyArray], Demand | None]] = {
    "single_peaked": _peaked,
    "single_caved": _caved,
    "group_separable": _separable,
    "single_crossing": realisable_crossing,
    "value_restricted": _restricted,
    "condorcet_domain": _restricted,
}

FORBIDDEN: dict[str, set[Pattern]] = {
    "single_peaked": {Pattern.THREE_WORST, Pattern.OPPOSED_BELOW},
    "single_caved": {Pattern.THREE_BEST, Pattern.OPPOSED_ABOVE},
    "group_separable": {Pattern.THREE_MIDDLE, Pattern.CROSSED},
    "single_crossing": {Pattern.EACH_ALONE, Pattern.ALL_FOUR},
    "value_restricted": {Pattern.CYCLE},
    "condorcet_domain": {Pattern.CYCLE},
}
