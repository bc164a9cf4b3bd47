"""An axis for rankings that leave models out: what is not ranked may stand anywhere.

If a voter ranks two models above a third, both stand on the same side of it. For complete rankings these statements
decide the question; where models are left out they need not, and to find an axis that obeys them is NP-complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Record, ensure
from weightlab._solver import Formulation, Rows, Solver, integer_optimum, solver_name
from weightlab.data import Profile
from weightlab.domains.forbidden import clause_rows, minimal_part, three_cycles
from weightlab.domains.result import ranks_of_part
from weightlab.domains.single_peakedness.consecutive_ones import sides_of
from weightlab.exceptions import ImpossibleError


class ClashingSides(Record):
    """Models and voters whose rankings imply contradictory statements about which models are on the same side."""

    models: tuple[str, ...]
    voters: tuple[str, ...]

    def __str__(self) -> str:
        """Name them."""
        voters, models = ", ".join(self.voters), ", ".join(self.models)
        return f"{voters} contradict each other in which of {models} stand on the same side of which"

    def check(self, profile: Profile) -> None:
        """Raise ProofError unless the rankings of these models by these voters contradict each other."""
        ranks = ranks_of_part(profile, self.models, self.voters, gaps=True)
        ensure(sides_of(ranks) is None, "the statements do not contradict each other")


def axis_with_gaps(profile: Profile, *, time_limit: float | None) -> list[int] | ClashingSides | Solver:
    """Return an axis for rankings that may leave models out, or why there is none, which may be only the solver's name.

    Notes
    -----
    Statements about sides are first merged, in O(models^2 x voters); a contradiction among them is a proof. Then an
    integer program picks directions for what they leave open, with rows against cycles as they are needed.
    """
    sides = sides_of(profile.ranks)
    if sides is None:
        voters = minimal_part(range(len(profile.voters)), lambda some: sides_of(profile.ranks[some]) is None)
        ranks = profile.ranks[voters]
        models = minimal_part(range(len(profile.models)), lambda some: sides_of(ranks[:, some]) is None)
        return ClashingSides(
            models=tuple(profile.models[model] for model in models),
            voters=tuple(profile.voters[voter] for voter in voters),
        )
    program = _DirectionProgram(sides)
    try:
        point = integer_optimum(program.formulation(profile.models), lazy=program, time_limit=time_limit).x
    except ImpossibleError:
        return solver_name()
    before = program.before(point)
    return [int(model) for model in np.argsort(-before.sum(axis=1), kind="stable")]


class _DirectionProgram:
    """A variable for each group of pairs with one direction; the reversed pairs are its negation."""

    def __init__(self, sides: AnyArray) -> None:
        self.size = len(sides)
        self.column = np.zeros((self.size, self.size), dtype=np.intp)
        self.negated = np.zeros((self.size, self.size), dtype=np.bool_)
        known: dict[int, tuple[int, bool]] = {}
        self.pairs: list[tuple[int, int]] = []
        for a in range(self.size):
            for b in range(a + 1, self.size):
                if int(sides[a, b]) not in known:
                    known[int(sides[a, b])] = len(self.pairs), False
                    known[int(sides[b, a])] = len(self.pairs), True
                    self.pairs.append((a, b))
                for x, y in ((a, b), (b, a)):
                    self.column[x, y], self.negated[x, y] = known[int(sides[x, y])]

    def formulation(self, models: Sequence[str]) -> Formulation:
        """Return the program without rows; it has no objective."""
        columns = [f"{models[a]} before {models[b]}" for a, b in self.pairs]
        return Formulation.over(columns, Rows.none(len(columns)), name="an axis", upper=1, integral=True)

    def before(self, chosen: Sequence[Fraction] | FloatArray) -> BoolArray:
        """Return who is before whom at a point of zeros and ones."""
        picked = np.array([2 * one > 1 for one in [*chosen, 0]], dtype=np.bool_)[self.column] != self.negated
        np.fill_diagonal(picked, val=False)
        return np.asarray(picked)

    def violated(self, x: Sequence[Fraction] | FloatArray) -> Rows:
        """Return rows against cycles at a point, once it is rounded; none when it is an order."""
        # A tournament without a cycle of three is an order, so rows against these are all that is needed.
        cycles = [
            [(int(self.column[x, y]), bool(self.negated[x, y])) for x, y in ((a, b), (b, c), (c, a))]
            for a, b, c in three_cycles(self.before(x))
        ]
        return clause_rows(cycles, len(self.pairs))

    violated_exactly = violated
