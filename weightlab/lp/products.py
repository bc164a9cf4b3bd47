"""Products of weights and binaries as variables: exact where the weights lie in a box and a binary is 0 or 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from weightlab._solver import Formulation, Rows, Sense, exact_optimum
from weightlab.lp.ladder import Ladder
from weightlab.lp.program import linear_rows, weight_rows
from weightlab.lp.space import WeightSpace

__all__ = ["Products", "weight_box"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Products:
    """The columns after the binaries of a choice of rungs: a product a binary, then weights and auxiliary variables.

    Attributes
    ----------
    ladders : sequence of Ladder
        One a task.
    space : WeightSpace
        The weights that are allowed.
    box : tuple of (Fraction, Fraction)
        The least and greatest weight of each task in the space.

    Notes
    -----
    The product p of a weight w and the binary x of its rung satisfies ``low x <= p <= high x``, and a task's products
    sum to its weight: with one binary of the task at 1 they say that the product there is w and the others are 0
    (McCormick's inequalities for this choice).
    """

    ladders: Sequence[Ladder]
    space: WeightSpace
    box: tuple[tuple[Fraction, Fraction], ...]

    @classmethod
    def of(cls, ladders: Sequence[Ladder], space: WeightSpace) -> Products:
        """Return the products for ladders and a space, its box computed exactly."""
        return cls(ladders=ladders, space=space, box=weight_box(space))

    @property
    def binaries(self) -> int:
        """The number of rungs."""
        return sum(map(len, self.ladders))

    @property
    def width(self) -> int:
        """The number of these columns."""
        return self.binaries + len(self.space.tasks) + len(self.space.auxiliaries)

    def rows(self) -> Rows:
        """Return the rows over binaries and these columns: what products and weights are, and no lead is negative."""
        width = self.binaries + self.width
        weights = range(2 * self.binaries, 2 * self.binaries + len(self.ladders))
        columns = dict(zip(self.space.tasks, weights, strict=True))
        extra = {name: weights.stop + place for place, name in enumerate(self.space.auxiliaries)}
        total = Rows.from_dicts([dict.fromkeys(weights, 1)], width=width, lower=1, upper=1, labels=["total"])
        return Rows.join(
            total, linear_rows(self.space.rows, columns, extra, width), self._products(width), self._leads(width)
        )

    def _products(self, width: int) -> Rows:
        least: list[Mapping[int, Fraction | int]] = []
        most: list[Mapping[int, Fraction | int]] = []
        sums: list[Mapping[int, Fraction | int]] = []
        first = 0
        # Columns: all binaries, then as many products, then weights, then auxiliary variables.
        for task, (ladder, (low, high)) in enumerate(zip(self.ladders, self.box, strict=True)):
            binaries = range(first, first + len(ladder))
            first += len(ladder)
            sums.append({self.binaries + one: 1 for one in binaries} | {2 * self.binaries + task: -1})
            most += [{self.binaries + one: -1, one: high} for one in binaries]
            least += [{self.binaries + one: 1, one: -low} for one in binaries if low]
        bounded = [*most, *least]
        return Rows.join(
            Rows.from_dicts(sums, width=width, lower=0, upper=0, labels=["weight"] * len(sums)),
            Rows.from_dicts(bounded, width=width, lower=0, labels=["product"] * len(bounded)),
        )

    def _leads(self, width: int) -> Rows:
        # A lead is the sum of signs times products, as the product is the weight at the rung that is taken and 0
        # elsewhere.
        signs = np.concatenate([ladder.all_signs() for ladder in self.ladders], axis=1)
        matrix = np.zeros((len(signs), width), dtype=np.int8)
        matrix[:, self.binaries : 2 * self.binaries] = signs
        return Rows.from_matrix(matrix, lower=0, labels=["duel"] * len(signs))


def weight_box(space: WeightSpace) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the exact least and greatest weight of each task in a space that is not empty."""
    count = len(space.tasks)
    width = count + len(space.auxiliaries)
    extra = {name: count + place for place, name in enumerate(space.auxiliaries)}
    columns = {task: place for place, task in enumerate(space.tasks)}
    program = Formulation(
        name="bounds of a weight",
        sense=Sense.MINIMISE,
        columns=(*space.tasks, *space.auxiliaries),
        objective=(0,) * width,
        rows=Rows.join(weight_rows(count, width), linear_rows(space.rows, columns, extra, width)),
        lower=(0,) * width,
        upper=(None,) * width,
    )
    box = []
    for task in range(count):
        # The box is exact: with a float's bound too small, weights would be lost.
        objective = tuple(int(column == task) for column in range(width))
        low, high = (
            exact_optimum(replace(program, sense=sense, objective=objective)).value
            for sense in (Sense.MINIMISE, Sense.MAXIMISE)
        )
        box.append((low, high))
    return tuple(box)
