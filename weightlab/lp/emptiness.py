"""Empty weight spaces: which conditions contradict each other, with the multipliers that show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

import pandas as pd

from weightlab._result import Result, ensure, exact_series, read_fraction, to_json
from weightlab._solver import Formulation, Infeasibility, Rows, Sense, exact_infeasibility
from weightlab.exceptions import EmptySpaceError, SolverError
from weightlab.lp.certificate import check_multipliers, series_dict
from weightlab.lp.conditions import Condition, LinearRow
from weightlab.lp.program import linear_rows, row_duals, weight_rows
from weightlab.lp.space import WeightSpace

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
    """

    tasks: tuple[str, ...]
    conditions: tuple[Condition, ...]
    multipliers: pd.Series
    total: Fraction
    gap: Fraction

    def __str__(self) -> str:
        """Say which conditions contradict each other."""
        texts = [condition.text for condition in self.conditions]
        if len(texts) == 1:
            return f"no weights satisfy {texts[0]!r}, since weights are not negative and sum to 1"
        return f"no weights satisfy these conditions together: {'; '.join(texts)}"

    def summary(self) -> pd.DataFrame:
        """Return the rows with their multipliers."""
        return pd.DataFrame({"multiplier": [float(value) for value in self.multipliers]}, index=self.multipliers.index)

    def verify(self, source: Any = None) -> bool:
        """Re-check the contradiction in exact arithmetic; a source plays no part."""
        del source
        rows = [row for condition in self.conditions for row in condition.rows]
        multipliers = series_dict(self.multipliers)
        ensure(set(multipliers) == {row.name for row in rows}, "the multipliers are not those of the conditions' rows")
        check_multipliers(multipliers, rows, sign=-1)
        for task in self.tasks:
            left = _column(rows, multipliers, task, auxiliary=False) + self.total
            ensure(left <= 0, f"the left-hand sides add up to {left} > 0 for the weight of {task!r}")
        for condition in self.conditions:
            for name in condition.auxiliaries:
                left = _column(rows, multipliers, name, auxiliary=True)
                ensure(left <= 0, f"the left-hand sides add up to {left} > 0 for {name!r}")
        right = sum((multipliers[row.name] * row.bound for row in rows), self.total)
        ensure(right == self.gap, f"the right-hand sides add up to {right}, not to {self.gap}")
        ensure(self.gap > 0, f"the right-hand sides add up to {self.gap}, which is no contradiction")
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return the contradiction ready for JSON."""
        return {
            "kind": self.kind,
            "tasks": list(self.tasks),
            "conditions": [condition.to_dict() for condition in self.conditions],
            "multipliers": to_json(self.multipliers),
            "total": to_json(self.total),
            "gap": to_json(self.gap),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Contradiction:
        """Return the contradiction that ``to_dict`` wrote."""
        conditions = tuple(Condition.from_dict(one) for one in document["conditions"])
        names = [row.name for condition in conditions for row in condition.rows]
        return cls(
            tasks=tuple(map(str, document["tasks"])),
            conditions=conditions,
            multipliers=exact_series(document["multipliers"], names, "multiplier"),
            total=read_fraction(document["total"], "total"),
            gap=read_fraction(document["gap"], "gap"),
        )


def refuse_empty(space: WeightSpace) -> NoReturn:
    """Raise EmptySpaceError for a space that has no weighting, naming an irreducible set of its conditions.

    Conditions are dropped one by one as long as the rest is still contradictory: what stays is irreducible. Takes one
    linear program a condition.
    """
    kept = list(space.conditions)
    proof = _infeasibility(space.tasks, kept)
    for condition in space.conditions:
        rest = [one for one in kept if one is not condition]
        without = _infeasibility(space.tasks, rest)
        if without is not None:
            kept, proof = rest, without
    if proof is None:
        raise SolverError("a solver found no weights in a space that has some")
    contradiction = _contradiction(space.tasks, kept, proof)
    contradiction.verify()
    raise EmptySpaceError(str(contradiction), conditions=[condition.text for condition in kept], proof=contradiction)


def _infeasibility(tasks: Sequence[str], conditions: Sequence[Condition]) -> Infeasibility | None:
    auxiliaries = [name for condition in conditions for name in condition.auxiliaries]
    rows = [row for condition in conditions for row in condition.rows]
    width = len(tasks) + len(auxiliaries)
    program = Formulation(
        name="some weights",
        sense=Sense.MAXIMISE,
        columns=(*tasks, *auxiliaries),
        objective=(0,) * width,
        rows=Rows.join(
            weight_rows(len(tasks), width),
            linear_rows(
                rows,
                {task: position for position, task in enumerate(tasks)},
                {name: len(tasks) + position for position, name in enumerate(auxiliaries)},
                width,
            ),
        ),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    return exact_infeasibility(program)


def _contradiction(tasks: Sequence[str], conditions: Sequence[Condition], proof: Infeasibility) -> Contradiction:
    rows = [row for condition in conditions for row in condition.rows]
    multipliers = row_duals(proof.multipliers, rows, 1)
    total = proof.multipliers[0]
    return Contradiction(
        tasks=tuple(tasks),
        conditions=tuple(conditions),
        multipliers=exact_series(multipliers, [row.name for row in rows], "multiplier"),
        total=total,
        gap=sum((m * row.bound for m, row in zip(multipliers, rows, strict=True)), total),
    )


def _column(rows: Sequence[LinearRow], multipliers: Mapping[str, Fraction], name: str, *, auxiliary: bool) -> Fraction:
    parts = ((row.auxiliaries if auxiliary else row.tasks, multipliers[row.name]) for row in rows)
    return sum((multiplier * part[name] for part, multiplier in parts if name in part), Fraction(0))
