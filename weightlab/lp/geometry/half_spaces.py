"""The bounds of a winning region as rows of integers: duels, conditions, and tasks that all of them treat alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from weightlab._exact import SignArray, common_denominator
from weightlab._result import Frozen
from weightlab.exceptions import InputError
from weightlab.lp.geometry.double_description import IntegerRow, primitive
from weightlab.lp.space.conditions import Condition, LinearRow, Relation
from weightlab.lp.space.space import WeightSpace

MOST_ROWS = 200
"""A condition with auxiliary variables may come to so many inequalities on the weights: a distance over seven tasks."""


class HalfSpaces(Frozen, eq=True):
    """Rows with ``row . w >= 0`` over the tasks, and the same over classes of tasks with equal columns in all rows.

    Attributes
    ----------
    tasks : tuple of str
        Columns of the rows.
    duels : tuple of tuples of int
        One row a rival: its signs.
    conditions : tuple of (str, tuple of int)
        What the space asks for beyond weights that are not negative, in words and as a row.
    classes : tuple of tuples of str
        Tasks with the same column, in the order of their first.
    """

    tasks: tuple[str, ...]
    duels: tuple[IntegerRow, ...]
    conditions: tuple[tuple[str, IntegerRow], ...]
    classes: tuple[tuple[str, ...], ...]

    @property
    def multiplicities(self) -> tuple[int, ...]:
        """How many tasks each class has."""
        return tuple(len(members) for members in self.classes)

    def merged(self, row: IntegerRow) -> IntegerRow:
        """Return a row over the classes."""
        position = {task: place for place, task in enumerate(self.tasks)}
        return tuple(row[position[members[0]]] for members in self.classes)

    def merged_conditions(self) -> list[IntegerRow]:
        """Return the rows of the space over the classes."""
        return [self.merged(row) for _, row in self.conditions]

    def merged_duels(self) -> list[IntegerRow]:
        """Return the duels over the classes."""
        return [self.merged(row) for row in self.duels]


def half_spaces(signs: SignArray, space: WeightSpace) -> HalfSpaces:
    """Return the bounds of the region in which a model with these signs loses no duel.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        Its tasks in the order of the columns.
    """
    duels = tuple(tuple(row) for row in signs.tolist())
    conditions = tuple(
        (condition.text(space.groups), row)
        for condition in space.conditions
        for row in _rows_of(condition, space.tasks)
        # A row without a negative entry holds for all weights, which are not negative: it bounds nothing.
        if min(row) < 0
    )
    # Equal in duels and in conditions, so that every bound sees only the sum of such tasks' weights.
    rows = [*duels, *(row for _, row in conditions)]
    classes: dict[tuple[int, ...], list[str]] = {}
    for place, task in enumerate(space.tasks):
        classes.setdefault(tuple(row[place] for row in rows), []).append(task)
    return HalfSpaces(
        tasks=space.tasks, duels=duels, conditions=conditions, classes=tuple(map(tuple, classes.values()))
    )


def _rows_of(condition: Condition, tasks: Sequence[str]) -> list[IntegerRow]:
    """Return a condition on weights that sum to 1 as rows without a constant and without auxiliary variables."""
    rows = condition.rows(1)
    auxiliaries = tuple(dict.fromkeys(name for row in rows for name in row.auxiliaries))
    made = [one for row in rows for one in _homogeneous(row, tasks, auxiliaries)]
    return _projected(made, len(tasks), len(tasks) + len(auxiliaries)) if auxiliaries else made


def _homogeneous(row: LinearRow, tasks: Sequence[str], auxiliaries: Sequence[str]) -> list[IntegerRow]:
    # The weights sum to 1, so ``row >= bound`` is ``row - bound * (sum of the weights) >= 0``: a cone, no constant.
    zero = Fraction(0)
    terms = [row.tasks.get(task, zero) - row.bound for task in tasks]
    numerators, _ = common_denominator([*terms, *(row.auxiliaries.get(name, zero) for name in auxiliaries)])
    up = primitive(numerators)
    down = tuple(-one for one in up)
    return {Relation.AT_LEAST: [up], Relation.AT_MOST: [down], Relation.EQUAL: [up, down]}[row.relation]


def _projected(rows: Sequence[IntegerRow], kept: int, width: int) -> list[IntegerRow]:
    """Return what rows over weights and auxiliary variables, which are not negative, say about the weights alone.

    Fourier-Motzkin elimination: for each variable every lower bound must stay below every upper bound. A distance from
    given weights, summed over n tasks, becomes 2^n rows: no set of tasks may gain too much.
    """
    # The auxiliary variables' own bounds (not negative) are rows like others until these variables are gone.
    left = dict.fromkeys([*rows, *(tuple(int(one == place) for one in range(width)) for place in range(kept, width))])
    for column in range(kept, width):
        above = [row for row in left if row[column] < 0]
        below = [row for row in left if row[column] > 0]
        count = len(left) - len(above) - len(below) + len(above) * len(below)
        if count > MOST_ROWS:
            raise InputError(
                f"the conditions come to {count} inequalities or more, and at most {MOST_ROWS} are taken; "
                "winning_shares estimates the share under any conditions"
            )
        met = [
            # A positive combination of the two that has a 0 in this column: what they say together about all others.
            primitive([low[column] * up - high[column] * down for up, down in zip(high, low, strict=True)])
            for low, high in ((one, other) for one in below for other in above)
        ]
        left = dict.fromkeys([*(row for row in left if not row[column]), *met])
    return [row[:kept] for row in left]
