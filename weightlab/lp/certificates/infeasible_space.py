"""Empty weight spaces: which conditions contradict each other, with the multipliers that show it."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn, cast

import pandas as pd

from weightlab._result import ByName, Result, Seen, ensure, exact_series
from weightlab._solver import Infeasibility, exact_optimum
from weightlab.data.convert import SignsLike, as_signs
from weightlab.exceptions import EmptySpaceError, ImpossibleError, SolverError
from weightlab.lp.certificate import check_exact, check_weighting, most, multipliers_of
from weightlab.lp.certificates.lp_rows import row_duals, weights_program
from weightlab.lp.space.space import Vectors, WeightSpace


class Contradiction(Result, kind="contradiction"):
    """Conditions on weights that contradict each other, though without any one of them the rest do not.

    Attributes
    ----------
    space : WeightSpace
        The tasks, and the irreducible set of conditions.
    vectors : tuple of mappings from task to Fraction
        One per condition. For weights that met all conditions, 0 would be at least ``gap``.
    gap : Fraction
        Positive.
    without : tuple of Series of Fraction by task
        For each condition, weights that meet all the others: every condition is needed.
    """

    space: WeightSpace
    vectors: Vectors
    gap: Fraction
    without: Seen[tuple[pd.Series, ...]] = ByName("space.tasks", called="weight")

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks."""
        return self.space.tasks

    @property
    def conditions(self) -> tuple[str, ...]:
        """The irreducible set of conditions, in words."""
        return tuple(condition.text(self.space.groups) for condition in self.space.conditions)

    def __str__(self) -> str:
        """Say which conditions contradict each other."""
        if len(self.conditions) == 1:
            return f"no weights satisfy {self.conditions[0]!r}, since weights are not negative and sum to 1"
        return f"no weights satisfy these conditions together: {'; '.join(self.conditions)}"

    def to_frame(self) -> pd.DataFrame:
        """Return the conditions with how much each counts."""
        return multipliers_of(self.space, self.vectors).to_frame()

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the contradiction, and that every condition is needed, in exact arithmetic.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            A table; its tasks must be the same.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        if source is not None:
            ensure(set(as_signs(source).tasks) == set(self.tasks), "the source has different tasks")
        check_exact(gap=self.gap)
        # Farkas' lemma: of nothing at all, which is 0, the vectors prove that it is at most -gap < 0.
        bound = most(self.space, self.vectors)
        ensure(bound == -self.gap, f"the vectors prove that 0 is at least {-bound}, not {self.gap}")
        ensure(self.gap > 0, f"that 0 is at least {self.gap} is no contradiction")
        self._verify_irreducible()
        return True

    def _verify_irreducible(self) -> None:
        conditions = self.space.conditions
        ensure(len(self.without) == len(conditions), "weights must be given for each condition left out")
        for spared, weights in zip(conditions, self.without, strict=True):
            check_weighting(weights, self.space.only(one for one in conditions if one is not spared))


def refuse_empty(space: WeightSpace) -> NoReturn:
    """Raise EmptySpaceError for a space that has no weighting, naming an irreducible set of its conditions.

    The deletion filter (Chinneck and Dravnieks, ORSA Journal on Computing 3, 1991): conditions are dropped one by one
    as long as the rest is still contradictory. What stays is irreducible, since the weights that met all others when a
    condition was kept also meet the fewer that are left at the end. Takes one linear program per condition.
    """
    kept = space
    proof = _weights_or_proof(space)
    without: dict[int, pd.Series] = {}
    for condition in space.conditions:
        rest = kept.only(one for one in kept.conditions if one is not condition)
        found = _weights_or_proof(rest)
        if isinstance(found, Infeasibility):
            kept, proof = rest, found
        else:
            without[id(condition)] = found
    if not isinstance(proof, Infeasibility):
        raise SolverError("a solver found no weights in a space that has some")
    vectors = kept.vectors([-one for one in row_duals(proof.multipliers, kept.rows, 1)])
    contradiction = Contradiction(
        space=kept,
        vectors=vectors,
        gap=-most(kept, vectors),
        without=tuple(without[id(condition)] for condition in kept.conditions),
    )
    contradiction.verify()
    raise EmptySpaceError(str(contradiction), conditions=contradiction.conditions, proof=contradiction)


def _weights_or_proof(space: WeightSpace) -> pd.Series | Infeasibility:
    """Return weights of a space, or the proof that it has none."""
    try:
        found = exact_optimum(weights_program(space.tasks, space.auxiliaries, space.rows, name="some weights"))
    except ImpossibleError as error:
        return cast("Infeasibility", error.proof)
    return exact_series(found.x[: len(space.tasks)], space.tasks, "weight")
