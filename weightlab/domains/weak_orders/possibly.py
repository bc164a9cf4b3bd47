"""Whether a domain holds under some breaking of the ties, each voter's ties independently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from weightlab._exact import AnyArray
from weightlab._result import Proof, Record, ensure, on_word_of
from weightlab._solver import SolverIfAny
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile, is_breaking
from weightlab.domains.distance_restricted import distance_restricted
from weightlab.domains.forbidden.subprofiles import minimal_part
from weightlab.domains.registry import HEREDITARY, UNDECIDED_WITH_TIES, checked_degree, domain_words, obstruction_of
from weightlab.domains.result import Claim, has_no_ties, profile_fields, ranked_part
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets
from weightlab.domains.single_peakedness.single_peaked import single_caved, single_peaked
from weightlab.domains.weak_orders import tie_breaking_program
from weightlab.domains.weak_orders.necessarily import StrictCycles, near_consensus
from weightlab.exceptions import InputError


class Inseparable(Record):
    """Models that no cut separates for all of some voters, however their ties are broken."""

    models: tuple[str, ...]
    voters: tuple[str, ...]

    def __str__(self) -> str:
        """Name them."""
        return (
            f"{', '.join(self.voters)} cannot all put one part of {', '.join(self.models)} above the rest or below it"
        )

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless these models have no separation for these voters."""
        ensure(len(self.models) > 1 and len(self.voters) > 0, "a single model needs no separation")
        ranks = ranked_part(profile, self.models, self.voters).ranks
        ensure(tie_breaking_program.weak_separation(ranks) is None, "the models can be separated")


class ForbiddenOrders(Record):
    """Strict rankings of some models by some voters that the domain does not allow.

    Attributes
    ----------
    voters : tuple of str
        Who ranks.
    orders : tuple of tuple of str
        How, best first.
    """

    voters: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        """Quote the rankings."""
        listed = [f"{voter} ranks {' > '.join(order)}" for voter, order in zip(self.voters, self.orders, strict=True)]
        return " and ".join(listed)

    def check(self, profile: Profile, domain: str, degree: int | None, *, forced: bool) -> None:
        """Raise ProofError unless the voters can rank so (or must, when forced), and the domain does not allow it."""
        ensure(len(self.orders) == len(self.voters) > 0, "an order is missing")
        models = self.orders[0]
        own = ranked_part(profile, models, self.voters)
        ensure(all(sorted(order) == sorted(models) for order in self.orders), "the orders are of different models")
        broken = Profile.from_orders(self.orders, models=models, voters=self.voters)
        for voter, ranks, given in zip(self.voters, broken.ranks, own.ranks, strict=True):
            fits = np.array_equal(ranks, given) if forced else is_breaking(ranks, given)
            ensure(fits, f"voter {voter!r} {'does not' if forced else 'cannot'} rank so")
        ensure(not _holds(broken, domain, degree), "the domain allows these rankings")


class Possibly(Claim, kind="possibly"):
    """Whether rankings belong to a domain under some breaking of their ties.

    Attributes
    ----------
    domain : str
        Which domain.
    degree : int or None
        The degree of distance restriction; None for other domains.
    broken : Profile or None
        A breaking under which they do.
    witness : ClashingSets, Inseparable, StrictCycles, ForbiddenOrders or None
        When none does, and one reason alone shows it.
    avoided : tuple of ForbiddenOrders
        Otherwise the rankings that a breaking would have to avoid; that it cannot avoid them all is the solver's word.
    solver : Solver, or an empty text
        Whose word that is; empty when the answer does not rest on it.
    """

    domain: str
    degree: int | None
    broken: Profile | None
    witness: ClashingSets | Inseparable | StrictCycles | ForbiddenOrders | None
    avoided: tuple[ForbiddenOrders, ...]
    solver: SolverIfAny

    takes_breakings: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raise InputError unless there is such a domain, with a degree where it has one."""
        checked_degree(self.domain, self.degree)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"rankings": Proof.EXACT, "no breaking of the ties is in the domain": on_word_of(self.solver)}

    def __str__(self) -> str:
        """Say that some breaking does, or why none."""
        name = domain_words(self.domain)
        if self.holds:
            return f"The rankings are {name} under some breaking of their ties."
        reason = f"{self.solver} finds none" if self.witness is None else str(self.witness)
        return f"Not {name} under any breaking of the ties: {reason}."

    def check(self) -> None:
        """Raise ProofError unless the breaking is one and of the domain, or the reason stands."""
        ensure((self.degree is not None) == (self.domain == "distance_restricted"), "only distances have a degree")
        ensure((self.broken is not None) == self.holds, "a breaking is what the answer yes consists of")
        rests = not self.holds and self.witness is None
        ensure(bool(self.solver) == rests, "a solver is named exactly where its word is needed")
        if self.broken is not None:
            same = (self.broken.models, self.broken.voters) == (self.profile.models, self.profile.voters)
            ensure(same, "the breaking is of another profile")
            for voter, ranks, given in zip(self.profile.voters, self.broken.ranks, self.profile.ranks, strict=True):
                ensure(is_breaking(ranks, given), f"the breaking contradicts voter {voter!r}")
            ensure(self.broken.weights == self.profile.weights, "the breaking has other weights")
            ensure(_holds(self.broken, self.domain, self.degree), "the breaking is not of the domain")
        elif self.witness is None:
            ensure(_by_program(self.domain, self.degree), f"an answer no has a reason for {self.domain!r}")
            ensure(self.avoided, "without rankings to avoid any breaking will do")
            for orders in self.avoided:
                orders.check(self.profile, self.domain, self.degree, forced=False)
        elif isinstance(self.witness, ForbiddenOrders):
            self.witness.check(self.profile, self.domain, self.degree, forced=True)
        elif isinstance(self.witness, StrictCycles):
            ensure(self.degree is not None, f"a reason that is none for {self.domain!r}")
            self.witness.check(self.profile, self.degree or 0)
        else:
            expected = Inseparable if self.domain == "group_separable" else ClashingSets
            ensure(isinstance(self.witness, expected), f"a reason that is none for {self.domain!r}")
            if isinstance(self.witness, ClashingSets):
                ensure(self.witness.lower == (self.domain == "single_caved"), "sets at the wrong end of the rankings")
                ensure(self.domain in {"single_peaked", "single_caved"}, f"{self.domain!r} is not about axes")
            self.witness.check(self.profile)


def possibly(
    source: ProfileLike, domain: str, *, degree: int | None = None, time_limit: float | None = None
) -> Possibly:
    """Test whether rankings belong to a domain under some breaking of their ties.

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
    time_limit : float, optional
        Seconds for the integer program, where there is one.

    Returns
    -------
    Possibly
        True when it holds, with a breaking; else with the reason.

    Raises
    ------
    InputError
        If a voter leaves models out, or the question is not decided for the domain (``"single_peaked_on_tree"``,
        ``"one_euclidean"``).
    UnknownNameError
        If there is no such domain.
    TimeLimitError
        If time ran out.

    Notes
    -----
    Polynomial for single-peaked and single-caved (consecutive ones), for group-separable (2-satisfiability for each
    cut) and for distances up to 1. For the others an integer program picks a breaking and forbids what the test of
    the domain finds in it; a no then rests on the solver unless a forbidden sub-profile has no ties.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], [("a", "b", "c")]])
    >>> result = wl.domains.possibly(profile, "value_restricted")
    >>> bool(result), result.broken.is_strict
    (True, True)
    """
    if domain in UNDECIDED_WITH_TIES:
        raise InputError(f"whether some breaking of the ties is {domain!r} is not decided here")
    degree = checked_degree(domain, degree)
    given = profile_fields(source, f"being {domain} under some breaking", ties=True)
    found = _answer(given["profile"], domain, degree, time_limit)
    return Possibly(**given, domain=domain, degree=degree, holds=found["broken"] is not None, **found).checked()


def _answer(profile: Profile, domain: str, degree: int | None, time_limit: float | None) -> dict[str, Any]:
    """Return the breaking or the reason, as fields of the result."""
    found: dict[str, Any] = {"broken": None, "witness": None, "avoided": (), "solver": ""}
    if domain == "group_separable":
        found |= _separated(profile)
    elif degree is not None and degree <= 1:
        near = near_consensus(profile, degree)
        found |= {"witness": near} if isinstance(near, StrictCycles) else {"broken": replace(profile, ranks=near)}
    elif domain in {"single_peaked", "single_caved"} and not has_no_ties(profile):
        claim = single_peaked(profile) if domain == "single_peaked" else single_caved(profile)
        found |= {"broken": claim.broken} if claim else {"witness": claim.witness}
    else:
        answer = tie_breaking_program.breaking_by_program(profile, _forbidden(domain, degree), time_limit=time_limit)
        found |= _read_off(profile, answer)
    return found


def _by_program(domain: str, degree: int | None) -> bool:
    """Tell whether the question takes an integer program, whose answer no may have no reason that is shown."""
    polynomial = domain in {"single_peaked", "single_caved", "group_separable"}
    return not polynomial and (degree is None or degree > 1)


def _separated(profile: Profile) -> dict[str, Any]:
    found = tie_breaking_program.weak_cuts(profile.ranks)
    if found.inseparable is not None:
        block = profile.ranks[:, found.inseparable]
        voters = minimal_part(range(len(block)), lambda some: bool(some) and _uncut(block[some]))
        models = minimal_part(range(block.shape[1]), lambda some: bool(some) and _uncut(block[voters][:, some]))
        witness = Inseparable(
            models=tuple(profile.models[found.inseparable[model]] for model in models),
            voters=tuple(profile.voters[voter] for voter in voters),
        )
        return {"witness": witness}
    ranks = np.empty_like(profile.ranks)
    for row, levels in zip(ranks, profile.ranks, strict=True):
        # A row of keys, coarser blocks first: on top of its sibling or not.
        place = np.zeros(len(levels), dtype=np.int64)
        for part, other in found.cuts:
            upper, lower = (part, other) if levels[part].max() <= levels[other].min() else (other, part)
            both = [*upper, *lower]
            place[lower] = place[both].min() + len(upper)
            place[upper] = place[both].min()
        row[:] = place + 1
    return {"broken": replace(profile, ranks=ranks)}


def _uncut(ranks: AnyArray) -> bool:
    return tie_breaking_program.weak_cuts(ranks).inseparable is not None


def _forbidden(domain: str, degree: int | None) -> tie_breaking_program.FindForbidden:
    """Return what is forbidden in strict orders, found in disjoint sets of models."""

    def found(profile: Profile) -> list[list[tie_breaking_program.Ranking]]:
        rankings: list[list[tie_breaking_program.Ranking]] = []
        # Disjoint sets of models, so that one round of the program learns as many rows as can be.
        left = list(range(len(profile.models)))
        while len(left) > 1:
            some = _offence(profile.select(models=[profile.models[model] for model in left]), domain, degree)
            if some is None:
                break
            voters, models = some
            offending = [left[model] for model in models]
            placed = [(voter, np.argsort(profile.ranks[voter, offending])) for voter in voters]
            rankings.append([(voter, [offending[int(place)] for place in order]) for voter, order in placed])
            left = [model for model in left if model not in offending]
        return rankings

    return found


def _offence(profile: Profile, domain: str, degree: int | None) -> tuple[list[int], list[int]] | None:
    """Return voters and models among whom strict orders leave a domain, or None when they do not."""
    if degree is not None:
        return _too_far(profile, degree)
    obstruction = obstruction_of(HEREDITARY[domain](profile))
    if obstruction is None:
        return None
    models = [profile.models.index(model) for model in obstruction.models]
    return [profile.voters.index(voter) for voter in obstruction.voters], models


def _too_far(profile: Profile, degree: int) -> tuple[list[int], list[int]] | None:
    claim = distance_restricted(profile, degree=degree)
    if claim:
        return None
    i, j = (profile.voters.index(voter) for voter in claim.farthest)
    one, other = (profile.ranks[voter][:, None] < profile.ranks[voter] for voter in (i, j))
    # Of the pairs on which both differ, ``degree + 1`` are one too many already.
    pairs = np.argwhere(one & other.T)[: degree + 1]
    return [i, j], [int(model) for model in np.unique(pairs)]


def _read_off(profile: Profile, answer: AnyArray | tie_breaking_program.NoBreaking) -> dict[str, Any]:
    if not isinstance(answer, tie_breaking_program.NoBreaking):
        return {"broken": replace(profile, ranks=answer)}
    rankings = tuple(
        ForbiddenOrders(
            voters=tuple(profile.voters[voter] for voter, _ in some),
            orders=tuple(tuple(profile.models[model] for model in order) for _, order in some),
        )
        for some in answer.forbidden
    )
    return {"avoided": rankings, "solver": answer.solver} if answer.solver else {"witness": rankings[0]}


def _holds(profile: Profile, domain: str, degree: int | None) -> bool:
    """Tell whether strict rankings are of a domain."""
    if degree is not None:
        return distance_restricted(profile, degree=degree).holds
    ensure(domain in HEREDITARY, f"no domain {domain!r}")
    return HEREDITARY[domain](profile).holds
