"""Empty weight spaces: which conditions contradict each other, with the multipliers that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NoReturn, cast

import pandas as pd

from weightlab._record import Exact, Over
from weightlab._result import Result, ensure, exact_series
from weightlab._solver import Formulation, Infeasibility, Sense, exact_optimum
from weightlab.data.convert import SignsLike, as_signs
from weightlab.exceptions import EmptySpaceError, ImpossibleError, SolverError
from weightlab.lp.certificates.dual import DualBound
from weightlab.lp.certificates.lp_rows import allowed_rows, row_duals
from weightlab.lp.certificates.primal import check_exact, check_weights, series_dict
from weightlab.lp.space.conditions import Condition
from weightlab.lp.space.space import WeightSpace

__all__ = ["Contradiction", "refuse_empty"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Contradiction(Result, kind="contradiction"):
    """Conditions on weights that cannot hold together, though any all but one of them can.

    Attributes
    ----------
    tasks : tuple of str
        The tasks whose weights are meant.
    conditions : tuple of Condition
        The irreducible set.
    multipliers : Series of Fraction by row name
        The rows times these, and the total weight times ``total``, add up to something impossible.
    total : Fraction
        Multiplier of "weights sum to 1".
    gap : Fraction
        What the right-hand sides add up to: positive, while the left-hand sides add up to nothing above 0.
    without : tuple of Series of Fraction by task
        For each condition, weights that meet all the others: none can be spared.
    """

    tasks: tuple[str, ...]
    conditions: tuple[Condition, ...]
    multipliers: Exact
    total: Fraction
    gap: Fraction
    without: tuple[Annotated[pd.Series, Over("tasks", "weight")], ...]

    def __str__(self) -> str:
        """Say which conditions contradict each other."""
        texts = [condition.text for condition in self.conditions]
        if len(texts) == 1:
            return f"no weights satisfy {texts[0]!r}, since weights are not negative and sum to 1"
        return f"no weights satisfy these conditions together: {'; '.join(texts)}"

    def summary(self) -> pd.DataFrame:
        """Return the rows with their multipliers."""
        return pd.DataFrame({"multiplier": [float(value) for value in self.multipliers]}, index=self.multipliers.index)

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the contradiction, and that no condition can be spared, in exact arithmetic.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            A table; its tasks must be those whose weights are meant.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        if source is not None:
            ensure(set(as_signs(source).tasks) == set(self.tasks), "the source has other tasks")
        self._verify_form()
        rows = [row for condition in self.conditions for row in condition.rows]
        # Farkas' lemma: of nothing at all, which is 0, rows and "weights sum to 1" prove that it is at least gap > 0.
        costs, right = DualBound(tasks=self.tasks, rows=rows, multipliers=series_dict(self.multipliers)).reduced_costs()
        for task, cost in zip(self.tasks, costs, strict=True):
            left = self.total - cost
            ensure(left <= 0, f"the left-hand sides add up to {left} > 0 for the weight of {task!r}")
        right += self.total
        ensure(right == self.gap, f"the right-hand sides add up to {right}, not to {self.gap}")
        ensure(self.gap > 0, f"the right-hand sides add up to {self.gap}, which is no contradiction")
        self._verify_irreducible()
        return True

    def _verify_form(self) -> None:
        check_exact(total=self.total, gap=self.gap)
        ensure(self.tasks and len(set(self.tasks)) == len(self.tasks), "the tasks must be some, and distinct")
        for condition in self.conditions:
            for fault in condition.faults(self.tasks):
                ensure(holds=False, failure=fault)
        names = [name for condition in self.conditions for name in condition.names]
        ensure(len(set(names)) == len(names), "two conditions have rows or variables of the same name")

    def _verify_irreducible(self) -> None:
        ensure(len(self.without) == len(self.conditions), "weights must be given for each condition left out")
        for spared, weights in zip(self.conditions, self.without, strict=True):
            ensure(tuple(weights.index) == self.tasks, "weights that meet the other conditions are about other tasks")
            others = [condition for condition in self.conditions if condition is not spared]
            rows = [row for condition in others for row in condition.rows]
            names = [name for condition in others for name in condition.auxiliaries]
            check_weights(series_dict(weights), rows, names)


def refuse_empty(space: WeightSpace) -> NoReturn:
    """Raise EmptySpaceError for a space that has no weighting, naming an irreducible set of its conditions.

    The deletion filter (Chinneck and Dravnieks, ORSA Journal on Computing 3, 1991): conditions are dropped one by one
    as long as the rest is still contradictory. What stays is irreducible, since the weights that met all others when a
    condition was kept also meet the fewer that are left at the end. Takes one linear program a condition.
    """
    kept = list(space.conditions)
    proof = _weights_or_proof(space.tasks, kept)
    without: dict[int, pd.Series] = {}
    for condition in space.conditions:
        rest = [one for one in kept if one is not condition]
        found = _weights_or_proof(space.tasks, rest)
        if isinstance(found, Infeasibility):
            kept, proof = rest, found
        else:
            without[id(condition)] = found
    if not isinstance(proof, Infeasibility):
        raise SolverError("a solver found no weights in a space that has some")
    contradiction = _contradiction(space.tasks, kept, proof, [without[id(condition)] for condition in kept])
    contradiction.verify()
    raise EmptySpaceError(str(contradiction), conditions=[condition.text for condition in kept], proof=contradiction)


def _weights_or_proof(tasks: Sequence[str], conditions: Sequence[Condition]) -> pd.Series | Infeasibility:
    """Return weights that meet the conditions, or the proof that there are none."""
    auxiliaries = [name for condition in conditions for name in condition.auxiliaries]
    rows = [row for condition in conditions for row in condition.rows]
    width = len(tasks) + len(auxiliaries)
    program = Formulation(
        name="some weights",
        sense=Sense.MAXIMISE,
        columns=(*tasks, *auxiliaries),
        objective=(0,) * width,
        rows=allowed_rows(tasks, auxiliaries, rows, width),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    try:
        found = exact_optimum(program)
    except ImpossibleError as error:
        return cast("Infeasibility", error.proof)
    return exact_series(found.x[: len(tasks)], tasks, "weight")


def _contradiction(
    tasks: Sequence[str], conditions: Sequence[Condition], proof: Infeasibility, without: Sequence[pd.Series]
) -> Contradiction:
    rows = [row for condition in conditions for row in condition.rows]
    multipliers = row_duals(proof.multipliers, rows, 1)
    total = proof.multipliers[0]
    return Contradiction(
        tasks=tuple(tasks),
        conditions=tuple(conditions),
        multipliers=exact_series(multipliers, [row.name for row in rows], "multiplier"),
        total=total,
        gap=sum((m * row.bound for m, row in zip(multipliers, rows, strict=True)), total),
        without=tuple(without),
    )
