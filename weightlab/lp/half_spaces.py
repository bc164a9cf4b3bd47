"""The bounds of a winning region as rows of integers: duels, conditions, and tasks that all of them treat alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._exact import common_denominator
from weightlab._typing import SignArray
from weightlab.lp.conditions import Condition, LinearRow, Relation
from weightlab.lp.double_description import IntegerRow, generators, primitive
from weightlab.lp.space import WeightSpace
from weightlab.lp.wording import said

__all__ = ["HalfSpaces", "half_spaces"]


@dataclass(frozen=True, kw_only=True)
class HalfSpaces:
    """Rows with ``row . w >= 0`` over the tasks, and the same over classes of tasks with equal columns in all rows.

    Attributes
    ----------
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
    """Return the bounds of the region in which a model with these signs loses to nobody.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    space : WeightSpace
        Its tasks in the order of the columns.
    """
    duels = tuple(tuple(row) for row in signs.tolist())
    conditions = tuple(
        (said(condition, space), row)
        for condition in space.conditions
        for row in _rows_of(condition, space.tasks)
        if min(row) < 0
    )
    columns = np.array([*duels, *(row for _, row in conditions)], dtype=object).T.tolist()
    classes: dict[tuple[int, ...], list[str]] = {}
    for task, column in zip(space.tasks, columns, strict=True):
        classes.setdefault(tuple(column), []).append(task)
    return HalfSpaces(
        tasks=space.tasks, duels=duels, conditions=conditions, classes=tuple(map(tuple, classes.values()))
    )


def _rows_of(condition: Condition, tasks: Sequence[str]) -> list[IntegerRow]:
    """Return a condition on weights that sum to 1 as rows without a constant and without auxiliary variables."""
    names = [*tasks, *condition.auxiliaries]
    rows = [made for row in condition.rows for made in _homogeneous(row, tasks, names)]
    return _projected(rows, len(tasks), len(names)) if condition.auxiliaries else rows


def _homogeneous(row: LinearRow, tasks: Sequence[str], names: Sequence[str]) -> list[IntegerRow]:
    bound: Mapping[str, Fraction] = dict.fromkeys(tasks, row.bound)
    terms = {**row.tasks, **row.auxiliaries}
    numerators, _ = common_denominator([terms.get(name, Fraction(0)) - bound.get(name, 0) for name in names])
    up = primitive(numerators)
    down = tuple(-one for one in up)
    return {Relation.AT_LEAST: [up], Relation.AT_MOST: [down], Relation.EQUAL: [up, down]}[row.relation]


def _projected(rows: Sequence[IntegerRow], kept: int, width: int) -> list[IntegerRow]:
    """Return what rows over weights and auxiliary variables, none negative, say about the weights alone.

    The extreme rays of the cone without their last entries generate its shadow; the rows of the shadow are the
    extreme rays of the cone of all rows that hold for these generators.
    """
    units = [tuple(int(place == other) for other in range(width)) for place in range(width)]
    cone = generators([*units, *rows], width)
    shadow = [ray[:kept] for ray in cone.rays if any(ray[:kept])]
    valid = generators(list(dict.fromkeys(shadow)), kept)
    equations = [row for line in valid.lines for row in (line, tuple(-one for one in line))]
    return [*equations, *valid.rays]
