"""An integer program that looks for a breaking of ties under which a domain holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._solver import Formulation, Rows, SolverIfAny, integer_optimum, solver_name
from weightlab.data.profile import Profile
from weightlab.domains.forbidden.three_cycles import clause_rows, three_cycles
from weightlab.exceptions import ImpossibleError

Literal: TypeAlias = tuple[int, int, int]
"""A voter ranks one model above another."""
Ranking: TypeAlias = tuple[int, list[int]]
"""A voter ranks some models in an order, best first."""
FindForbidden: TypeAlias = Callable[[Profile], list[list[Ranking]]]
"""Given strict orders, rankings of a few models by a few voters that leave the domain; none for orders inside it."""


class NoBreaking(Frozen):
    """No breaking does.

    Attributes
    ----------
    forbidden : list of list of rankings
        What was found to be forbidden; one without any pair that is tied proves it alone.
    solver : Solver, or an empty text
        Who says that these cannot all be avoided; empty when one list alone proves it.
    """

    forbidden: list[list[Ranking]]
    solver: SolverIfAny


def breaking_by_program(
    profile: Profile, forbidden: FindForbidden, *, time_limit: float | None
) -> AnyArray | NoBreaking:
    """Return strict ranks that break the ties, in which nothing forbidden is found, or what makes that impossible.

    Notes
    -----
    NP-hard for all that is known. A variable says for each voter and tied pair which of the two goes first; rows keep
    the orders transitive, and forbid what is forbidden, both only as they are needed.
    """
    program = _TieProgram(profile, forbidden)
    at_once = program.unavoidable()
    if at_once is not None:
        return NoBreaking(forbidden=[at_once], solver="")
    if not program.columns:
        return profile.ranks
    try:
        optimum = integer_optimum(program.formulation(), lazy=program, time_limit=time_limit)
    except ImpossibleError:
        forced = [one for one in program.found if not program.tied_of(one)]
        return NoBreaking(forbidden=forced[:1] or program.found, solver="" if forced else solver_name())
    return program.ranks_at([2 * one > 1 for one in optimum.x])


class _TieProgram:
    """Variables for tied pairs, and rows for what a breaking must not do."""

    def __init__(self, profile: Profile, forbidden: FindForbidden) -> None:
        self.profile, self.forbidden = profile, forbidden
        self.columns: dict[Literal, int] = {}
        for voter, row in enumerate(profile.ranks):
            one, other = np.nonzero(np.triu(row[:, None] == row, k=1))
            for a, b in zip(one.tolist(), other.tolist(), strict=True):
                self.columns[voter, a, b] = len(self.columns)
        self.found: list[list[Ranking]] = []

    def formulation(self) -> Formulation:
        """Return the program without the rows that are not needed yet."""
        labels = [
            f"{self.profile.voters[voter]}: {self.profile.models[a]} above {self.profile.models[b]}"
            for voter, a, b in self.columns
        ]
        none = Rows.none(len(labels))
        return Formulation.over(labels, none, name="a breaking of the ties", upper=1, integral=True)

    def unavoidable(self) -> list[Ranking] | None:
        """Return something forbidden of which no pair is tied, as the alphabetical breaking shows it, if any."""
        found = self.forbidden(self.profile.break_ties())
        return next((one for one in found if not self.tied_of(one)), None)

    def tied_of(self, rankings: Sequence[Ranking]) -> list[Literal]:
        """Return those pairs of some rankings that the voters tie."""
        ranks = self.profile.ranks
        return [
            (voter, a, b)
            for voter, order in rankings
            for place, a in enumerate(order)
            for b in order[place + 1 :]
            if ranks[voter, a] == ranks[voter, b]
        ]

    def violated(self, x: FloatArray) -> Rows | None:
        """Return rows that a float point violates once it is rounded."""
        return self._rows_against((np.asarray(x) > 0.5).tolist())

    def violated_exactly(self, x: Sequence[Fraction]) -> Rows | None:
        """Return rows that an exact point violates, or None when it is a breaking in which nothing is forbidden."""
        return self._rows_against([2 * one > 1 for one in x])

    def ranks_at(self, first: Sequence[bool]) -> AnyArray:
        """Return the strict ranks of a point whose choices are transitive."""
        ranks = np.empty_like(self.profile.ranks)
        # The choices are transitive, so models have different numbers of others below them, and these sort them.
        for voter, above in enumerate(self._above(first)):
            ranks[voter, np.argsort(-above.sum(axis=1), kind="stable")] = np.arange(1, len(above) + 1)
        return ranks

    def _above(self, first: Sequence[bool]) -> Iterator[BoolArray]:
        """Yield for each voter who is above whom."""
        above = [row[:, None] < row for row in self.profile.ranks]
        for (voter, a, b), column in self.columns.items():
            above[voter][a, b] = first[column]
            above[voter][b, a] = not first[column]
        yield from above

    def _rows_against(self, first: Sequence[bool]) -> Rows | None:
        # A cycle of three lies within one tie: a strict step would carry over to the third model, as ties and strict
        # steps together are transitive. So all its pairs have variables. Without such a cycle the choices are
        # transitive.
        cycles = [
            [(voter, a, b), (voter, b, c), (voter, c, a)]
            for voter, above in enumerate(self._above(first))
            for a, b, c in three_cycles(above)
        ]
        if cycles:
            return self._rows(cycles)
        found = self.forbidden(replace(self.profile, ranks=self.ranks_at(first)))
        self.found += found
        return self._rows([self.tied_of(one) for one in found]) if found else None

    def _rows(self, forbidden: Sequence[Sequence[Literal]]) -> Rows:
        """Return rows that ask for one of the pairs of each list the other way round."""
        clauses = [[(self.columns[voter, min(a, b), max(a, b)], a > b) for voter, a, b in one] for one in forbidden]
        return clause_rows(clauses, len(self.columns))


# Separations of weak orders: two parts of the models one of which each voter can put on top by breaking ties.
#
# A part B of a block can be put above the rest by a voter if no model outside B is strictly above one inside, and below
# it if the reverse holds. Fix one model a inside B and one model b outside. A voter who prefers a to b then has B on
# top, and one who prefers b has it at the bottom: whether a model is inside decides others. A voter who ties a and b
# has it either way, but only at that tie: all that is above goes inside and all that is below outside, or the reverse.
# So each statement links two decisions (2-satisfiability): trying one way and following what it forces, and the other
# way if that contradicts itself, never has to be undone.


class WeakCuts(Frozen):
    """Blocks cut in two from the whole down to single models, or down to one that cannot be cut.

    Attributes
    ----------
    cuts : list of (list of int, list of int)
        The two parts of each block, each block before its parts.
    inseparable : list of int or None
        A block that has no separation.
    """

    cuts: list[tuple[list[int], list[int]]]
    inseparable: list[int] | None


def weak_cuts(ranks: AnyArray) -> WeakCuts:
    """Return how weak orders can be cut, down to single models if some breaking of their ties is group-separable.

    Parameters
    ----------
    ranks : ndarray of int, voters x models
        Ranks of all models, ties allowed.

    Notes
    -----
    Any separation will do: breakings of the two parts that are separable give one of the whole, which puts, for each
    voter, all of one part before all of the other among models that the voter ties. O(models) blocks, models a block
    and voters a model are tried, each in O(models x voters).
    """
    cuts: list[tuple[list[int], list[int]]] = []
    blocks = [list(range(ranks.shape[1]))]
    while blocks:
        block = blocks.pop()
        if len(block) < 2:
            continue
        inside = weak_separation(ranks[:, block])
        if inside is None:
            return WeakCuts(cuts=cuts, inseparable=block)
        parts = [[model for model, one in zip(block, inside, strict=True) if one == side] for side in (True, False)]
        cuts.append((parts[0], parts[1]))
        blocks += [parts[1], parts[0]]
    return WeakCuts(cuts=cuts, inseparable=None)


def weak_separation(ranks: AnyArray) -> list[bool] | None:
    """Return which models of a block to put on one side, or None when it has no separation."""
    # The two sides are alike until something is decided, so model 0 may be said to be inside. Some model is outside.
    for outside in range(1, ranks.shape[1]):
        found = _Sides(ranks, outside).decided()
        if found is not None:
            return [bool(one) for one in found]
    return None


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
