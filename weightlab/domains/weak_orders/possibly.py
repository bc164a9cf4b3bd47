"""Whether a domain holds for some way of breaking ties, each voter's ties independently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Proof, Record, ensure, on_word_of
from weightlab._solver import Formulation, Rows, SolverIfAny, integer_optimum, solver_name
from weightlab.data.convert import ProfileLike
from weightlab.data.profile import Profile, is_breaking
from weightlab.domains.distance_restricted import DistanceRestricted, distance_restricted, swapped_pairs
from weightlab.domains.forbidden import clause_rows, minimal_part, three_cycles
from weightlab.domains.registry import HEREDITARY, UNDECIDED_WITH_TIES, checked_degree, domain_words, obstruction_of
from weightlab.domains.result import Claim, profile_fields, ranks_of_part
from weightlab.domains.single_peakedness.consecutive_ones import ClashingSets
from weightlab.domains.single_peakedness.single_peaked import single_caved, single_peaked
from weightlab.domains.weak_orders.necessarily import StrictCycles, near_consensus
from weightlab.exceptions import ImpossibleError, InputError


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
        ranks = ranks_of_part(profile, self.models, self.voters)
        ensure(weak_separation(ranks) is None, "the models can be separated")


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
        own = ranks_of_part(profile, models, self.voters)
        ensure(all(sorted(order) == sorted(models) for order in self.orders), "the orders are of different models")
        broken = Profile.from_orders(self.orders, models=models, voters=self.voters)
        for voter, ranks, given in zip(self.voters, broken.ranks, own, strict=True):
            fits = is_breaking(ranks, given) and not (forced and len(np.unique(given)) < len(given))
            ensure(fits, f"voter {voter!r} {'does not' if forced else 'cannot'} rank so")
        ensure(not _claim(broken, domain, degree), "the domain allows these rankings")


class Possibly(Claim, kind="possibly"):
    """Whether rankings belong to a domain once their ties are broken in some way.

    Attributes
    ----------
    domain : str
        Which domain.
    degree : int or None
        The degree of distance restriction; None for other domains.
    broken : Profile or None
        Rankings with ties broken so that they do.
    witness : ClashingSets, Inseparable, StrictCycles, ForbiddenOrders or None
        When none does, and one reason alone shows it.
    avoided : tuple of ForbiddenOrders
        Otherwise the rankings that breaking ties would have to avoid; only the solver shows that it cannot avoid all.
    solver : Solver, or an empty text
        Whose word that is; empty when the answer does not rest on it.
    """

    domain: str
    degree: int | None
    broken: Profile | None = None
    witness: ClashingSets | Inseparable | StrictCycles | ForbiddenOrders | None = None
    avoided: tuple[ForbiddenOrders, ...] = ()
    solver: SolverIfAny = ""

    takes_breakings: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Raise InputError unless there is such a domain, with a degree where it has one."""
        checked_degree(self.domain, self.degree)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"rankings": Proof.EXACT, "no breaking of the ties is in the domain": on_word_of(self.solver)}

    def __str__(self) -> str:
        """Say that some way of breaking ties works, or why none does."""
        name = domain_words(self.domain)
        if self.holds:
            return f"The rankings are {name} under some breaking of their ties."
        reason = f"{self.solver} finds none" if self.witness is None else str(self.witness)
        return f"Not {name} under any breaking of the ties: {reason}."

    def check(self) -> None:
        """Raise ProofError unless the ties are broken correctly and within the domain, or the reason is valid."""
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
            ensure(_claim(self.broken, self.domain, self.degree), "the breaking is not of the domain")
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
    """Test whether rankings belong to a domain once their ties are broken in some way.

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
        Seconds for the integer program, if one is used.

    Returns
    -------
    Possibly
        True if it holds, with the ties broken; otherwise with the reason.

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
    cut) and for distances up to 1. For the others an integer program picks a way of breaking ties and forbids the
    violations that the domain test finds; a negative answer then relies on the solver unless a forbidden sub-profile
    has no ties.

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
    profile, given = profile_fields(source, f"being {domain} under some breaking", ties=True)
    found = _answer(profile, domain, degree, time_limit)
    return Possibly(**given, domain=domain, degree=degree, holds="broken" in found, **found).checked()


def _answer(profile: Profile, domain: str, degree: int | None, time_limit: float | None) -> dict[str, Any]:
    """Return the broken ties or the reason, as fields of the result."""
    if domain == "group_separable":
        return _separated(profile)
    if degree is not None and degree <= 1:
        near = near_consensus(profile, degree)
        return {"witness": near} if isinstance(near, StrictCycles) else {"broken": replace(profile, ranks=near)}
    if domain in {"single_peaked", "single_caved"} and not profile.is_strict:
        claim = single_peaked(profile) if domain == "single_peaked" else single_caved(profile)
        return {"broken": claim.broken} if claim else {"witness": claim.witness}
    return _broken_by_program(profile, domain, degree, time_limit)


def _by_program(domain: str, degree: int | None) -> bool:
    """Return whether the question needs an integer program, whose negative answer may come without a reason."""
    polynomial = domain in {"single_peaked", "single_caved", "group_separable"}
    return not polynomial and (degree is None or degree > 1)


def _separated(profile: Profile) -> dict[str, Any]:
    cuts, inseparable = weak_cuts(profile.ranks)
    if inseparable is not None:
        block = profile.ranks[:, inseparable]
        voters = minimal_part(range(len(block)), lambda some: bool(some) and _uncut(block[some]))
        models = minimal_part(range(block.shape[1]), lambda some: bool(some) and _uncut(block[voters][:, some]))
        witness = Inseparable(
            models=tuple(profile.models[inseparable[model]] for model in models),
            voters=tuple(profile.voters[voter] for voter in voters),
        )
        return {"witness": witness}
    ranks = np.empty_like(profile.ranks)
    for row, levels in zip(ranks, profile.ranks, strict=True):
        # A row of keys, coarser blocks first: on top of its sibling or not.
        place = np.zeros(len(levels), dtype=np.int64)
        for part, other in cuts:
            upper, lower = (part, other) if levels[part].max() <= levels[other].min() else (other, part)
            both = [*upper, *lower]
            place[lower] = place[both].min() + len(upper)
            place[upper] = place[both].min()
        row[:] = place + 1
    return {"broken": replace(profile, ranks=ranks)}


def _uncut(ranks: AnyArray) -> bool:
    return weak_cuts(ranks)[1] is not None


def _claim(profile: Profile, domain: str, degree: int | None) -> Claim:
    return HEREDITARY[domain](profile) if degree is None else distance_restricted(profile, degree=degree)


def _offence(profile: Profile, domain: str, degree: int | None) -> tuple[list[int], list[int]] | None:
    """Return voters and models among whom strict orders leave a domain, or None when they do not."""
    claim = _claim(profile, domain, degree)
    if isinstance(claim, DistanceRestricted) and not claim:
        voters = [profile.voters.index(voter) for voter in claim.farthest]
        # Of the pairs on which both differ, ``degree + 1`` are one too many already.
        return voters, np.unique(swapped_pairs(profile.ranks[voters])[: claim.degree + 1]).tolist()
    obstruction = obstruction_of(claim)
    if obstruction is None:
        return None
    models = [profile.models.index(model) for model in obstruction.models]
    return [profile.voters.index(voter) for voter in obstruction.voters], models


# An integer program that looks for a way of breaking ties under which a domain holds.


Above: TypeAlias = tuple[int, int, int]
"""A voter ranks one model above another."""
Ranking: TypeAlias = tuple[int, list[int]]
"""A voter ranks some models in an order, best first."""


def _broken_by_program(profile: Profile, domain: str, degree: int | None, time_limit: float | None) -> dict[str, Any]:
    """Return broken ties without a forbidden pattern, or what makes that impossible.

    Notes
    -----
    NP-hard for all that is known. A variable says for each voter and tied pair which of the two goes first; rows keep
    the orders transitive, and forbid what is forbidden, both only as they are needed.
    """
    program = _TieProgram(profile, domain, degree)
    # Some forbidden patterns of the alphabetical tie-breaking may have no tied pair.
    forced = program.untied(program.forbidden(profile.break_ties()))
    if forced is None and not program.columns:
        return {"broken": profile}
    if forced is None:
        try:
            optimum = integer_optimum(program.formulation(), lazy=program, time_limit=time_limit)
        except ImpossibleError:
            forced = program.untied(program.found)
        else:
            return {"broken": program.broken(optimum.x)}
    if forced is not None:
        return {"witness": program.named(forced)}
    return {"avoided": tuple(map(program.named, program.found)), "solver": solver_name()}


class _TieProgram:
    """Variables for tied pairs, and rows for the orders that broken ties must avoid."""

    def __init__(self, profile: Profile, domain: str, degree: int | None) -> None:
        self.profile, self.domain, self.degree = profile, domain, degree
        self.columns: dict[Above, int] = {}
        for voter, row in enumerate(profile.ranks):
            for a, b in np.argwhere(np.triu(row[:, None] == row, k=1)).tolist():
                self.columns[voter, a, b] = len(self.columns)
        self.found: list[list[Ranking]] = []

    def forbidden(self, profile: Profile) -> Iterator[list[Ranking]]:
        """Yield rankings of a few models by a few voters that leave the domain; none for orders inside it."""
        # Disjoint sets of models, so that one round of the program learns as many rows as can be.
        left = list(range(len(profile.models)))
        while len(left) > 1:
            part = profile.select(models=[profile.models[model] for model in left])
            some = _offence(part, self.domain, self.degree)
            if some is None:
                return
            offending = [left[model] for model in some[1]]
            yield [(voter, sorted(offending, key=profile.ranks[voter].__getitem__)) for voter in some[0]]
            left = [model for model in left if model not in offending]

    def named(self, rankings: Sequence[Ranking]) -> ForbiddenOrders:
        """Return rankings by name."""
        return ForbiddenOrders(
            voters=tuple(self.profile.voters[voter] for voter, _ in rankings),
            orders=tuple(tuple(self.profile.models[model] for model in order) for _, order in rankings),
        )

    def formulation(self) -> Formulation:
        """Return the program without the rows that are not needed yet."""
        labels = [
            f"{self.profile.voters[voter]}: {self.profile.models[a]} above {self.profile.models[b]}"
            for voter, a, b in self.columns
        ]
        none = Rows.none(len(labels))
        return Formulation.over(labels, none, name="a breaking of the ties", upper=1, integral=True)

    def untied(self, found: Iterable[list[Ranking]]) -> list[Ranking] | None:
        """Return the first forbidden pattern without a tied pair, which alone proves that breaking ties cannot help."""
        return next((one for one in found if not self.tied_of(one)), None)

    def tied_of(self, rankings: Sequence[Ranking]) -> list[Above]:
        """Return those pairs of some rankings that the voters tie."""
        ranks = self.profile.ranks
        return [
            (voter, a, b)
            for voter, order in rankings
            for place, a in enumerate(order)
            for b in order[place + 1 :]
            if ranks[voter, a] == ranks[voter, b]
        ]

    def violated(self, x: FloatArray | Sequence[Fraction]) -> Rows | None:
        """Return rows that a rounded point violates, or None if its broken ties contain nothing forbidden."""
        # A cycle of three lies within one tie: a strict step would carry over to the third model, as ties and strict
        # steps together are transitive. So all its pairs have variables. Without such a cycle the choices are
        # transitive.
        cycles = [
            [(voter, a, b), (voter, b, c), (voter, c, a)]
            for voter, above in enumerate(self._above(x))
            for a, b, c in three_cycles(above)
        ]
        if cycles:
            return self._rows(cycles)
        found = list(self.forbidden(self.broken(x)))
        self.found += found
        return self._rows([self.tied_of(one) for one in found]) if found else None

    violated_exactly = violated

    def broken(self, x: FloatArray | Sequence[Fraction]) -> Profile:
        """Return the broken ties of a point whose choices are transitive."""
        ranks = np.empty_like(self.profile.ranks)
        # The choices are transitive, so models have different numbers of others below them, and these sort them.
        for voter, above in enumerate(self._above(x)):
            ranks[voter, np.argsort(-above.sum(axis=1), kind="stable")] = np.arange(1, len(above) + 1)
        return replace(self.profile, ranks=ranks)

    def _above(self, x: FloatArray | Sequence[Fraction]) -> list[BoolArray]:
        """Return for each voter who is above whom."""
        above = [row[:, None] < row for row in self.profile.ranks]
        for (voter, a, b), column in self.columns.items():
            above[voter][a, b] = 2 * x[column] > 1
            above[voter][b, a] = not above[voter][a, b]
        return above

    def _rows(self, forbidden: Sequence[Sequence[Above]]) -> Rows:
        """Return rows that ask for one of the pairs of each list the other way round."""
        clauses = [[(self.columns[voter, min(a, b), max(a, b)], a > b) for voter, a, b in one] for one in forbidden]
        return clause_rows(clauses, len(self.columns))


# Separations of weak orders: two parts of the models such that each voter can put one of them on top by breaking ties.
#
# A part B of a block can be put above the rest by a voter if no model outside B is strictly above one inside, and below
# it if the reverse holds. Fix one model a inside B and one model b outside. A voter who prefers a to b then has B on
# top, and one who prefers b has it at the bottom: whether a model is inside decides others. A voter who ties a and b
# has it either way, but only at that tie: all that is above goes inside and all that is below outside, or the reverse.
# So each statement links two decisions (2-satisfiability): trying one way and following what it forces, and the other
# way if that contradicts itself, never has to be undone.


Cut: TypeAlias = tuple[list[int], list[int]]
"""The two parts of a block."""


def weak_cuts(ranks: AnyArray) -> tuple[list[Cut], list[int] | None]:
    """Return cuts of weak orders, down to single models if some tie-breaking is group-separable, else the block to cut.

    Each block is cut before its parts; a block is returned that has no separation.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.

    Notes
    -----
    Any separation works: separable tie-breakings of the two parts combine into one of the whole, which puts, for each
    voter, all of one part before all of the other among models that the voter ties. O(models) blocks, models a block
    and voters a model are tried, each in O(models x voters).
    """
    cuts: list[Cut] = []
    blocks = [list(range(ranks.shape[1]))]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        inside = weak_separation(ranks[:, block])
        if inside is None:
            return cuts, block
        parts = [[model for model, one in zip(block, inside, strict=True) if one == side] for side in (True, False)]
        cuts.append((parts[0], parts[1]))
        blocks += [parts[1], parts[0]]
    return cuts, None


def weak_separation(ranks: AnyArray) -> BoolArray | None:
    """Return which models of a block to put on one side, or None if it has no separation."""
    # The two sides are alike until something is decided, so model 0 can be assumed to be inside. Some model is outside.
    found = (_Sides(ranks, outside).decided() for outside in range(1, ranks.shape[1]))
    return next((one for one in found if one is not None), None)


class _Sides:
    """Which models are known to be inside and outside, with model 0 inside and another one outside."""

    def __init__(self, ranks: AnyArray, outside: int) -> None:
        self.ranks = ranks
        count = ranks.shape[1]
        self.inside = np.zeros(count, dtype=np.bool_)
        self.outside = np.zeros(count, dtype=np.bool_)
        self.inside[0] = self.outside[outside] = True
        # Voters who prefer model 0 to the one outside have the inside on top, those who prefer the other have it below.
        self.up = ranks[ranks[:, 0] < ranks[:, outside]]
        self.down = ranks[ranks[:, 0] > ranks[:, outside]]
        tied = ranks[:, 0] == ranks[:, outside]
        self.above = ranks[tied] < ranks[tied, :1]
        self.below = ranks[tied] > ranks[tied, :1]

    def decided(self) -> BoolArray | None:
        """Return which models are inside, or None when that contradicts itself."""
        if not self._follow():
            return None
        for above, below in zip(self.above, self.below, strict=True):
            if ((above | below) & (self.inside | self.outside)).any() or not (above | below).any():
                continue
            # If following a choice meets no contradiction, the choice can stay: what is left open does not depend on it
            # (limited backtracking for 2-satisfiability, as in Even, Itai and Shamir 1976).
            before = self.inside.copy(), self.outside.copy()
            self.inside |= above
            self.outside |= below
            if not self._follow():
                self.inside, self.outside = before
                self.inside |= below
                self.outside |= above
                if not self._follow():
                    return None
        # What is left open is linked to nothing that is decided, and may all be inside.
        return ~self.outside

    def _follow(self) -> bool:
        """Decide what follows from what is decided; tell whether that goes without contradiction."""
        while True:
            known = self.inside.sum() + self.outside.sum()
            self._follow_untied(self.up)
            # Negated ranks turn "below" into "on top".
            self._follow_untied(-self.down)
            self._follow_tied()
            if (self.inside & self.outside).any():
                return False
            if self.inside.sum() + self.outside.sum() == known:
                return True

    def _follow_untied(self, ranks: AnyArray) -> None:
        """With the inside on top, whatever is above a model inside is inside, and below one outside is outside."""
        if len(ranks):
            lowest = ranks[:, self.inside].max(axis=1, keepdims=True)
            highest = ranks[:, self.outside].min(axis=1, keepdims=True)
            self.inside |= (ranks < lowest).any(axis=0)
            self.outside |= (ranks > highest).any(axis=0)

    def _follow_tied(self) -> None:
        if len(self.above):
            on_top = (self.above & self.inside).any(axis=1) | (self.below & self.outside).any(axis=1)
            at_bottom = (self.above & self.outside).any(axis=1) | (self.below & self.inside).any(axis=1)
            self.inside |= self.above[on_top].any(axis=0) | self.below[at_bottom].any(axis=0)
            self.outside |= self.below[on_top].any(axis=0) | self.above[at_bottom].any(axis=0)
