"""Tasks on which all duels go alike are solved as one: thousands of voters hold few different opinions.

What is solved is small, and what is found is carried over to every task, so that nothing is proved of the small table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import SignArray
from weightlab._result import Frozen
from weightlab.lp.certificates.objectives import DistanceFrom
from weightlab.lp.space.conditions import Near
from weightlab.lp.space.space import WeightSpace

ENOUGH = 500
"""Fewer tasks are solved one by one."""


class EqualTasks(Frozen):
    """A program whose tasks are classes of tasks with equal signs.

    Attributes
    ----------
    signs : ndarray of int, duels x classes
        The signs of each class.
    space : WeightSpace
        The conditions on the weights of classes.
    objective : DistanceFrom, optional
        The distance between weights of classes.
    class_of : list of int
        The class of each task.
    shares : list of Fraction
        What of the weight of its class each task gets.

    Notes
    -----
    Let a class have the weight W, and C in the weights from which the distance (l1) is measured. Its tasks change by
    |W - C| at least in sum, by the triangle inequality, and by no more where each gets W c / C, in proportion to its
    own share c: so the distance of the classes is the least distance of the tasks. Leads depend on W alone. In the
    proof each class has one entry of a vector; given to each of its tasks it has the same greatest and least one, and c
    summed over the class is C: so it proves the same bound of the whole table.
    """

    signs: SignArray
    space: WeightSpace
    objective: DistanceFrom | None
    class_of: list[int]
    shares: list[Fraction]

    def weights(self, of_classes: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return the weights of all tasks."""
        return tuple(of_classes[one] * share for one, share in zip(self.class_of, self.shares, strict=True))

    def vector(self, of_classes: Mapping[str, Fraction], tasks: Sequence[str]) -> dict[str, Fraction]:
        """Return a vector over all tasks: each has the entry of its class."""
        pairs = ((task, of_classes.get(str(one))) for task, one in zip(tasks, self.class_of, strict=True))
        return {task: entry for task, entry in pairs if entry}


def equal_tasks(signs: SignArray, space: WeightSpace, objective: object = None) -> EqualTasks | None:
    """Return the program over classes of equal tasks, or None where there are too few or conditions tell them apart.

    The conditions, and the objective, may only be about the distance (l1) from the same weights.
    """
    if len(space.tasks) < ENOUGH or signs.dtype == object:
        return None
    parts = [*space.conditions, *([] if objective is None else [objective])]
    near = [one for one in parts if isinstance(one, Near | DistanceFrom) and one.norm == "l1"]
    if len(near) < len(parts) or any(one.centre != near[0].centre for one in near):
        return None
    columns, found = np.unique(signs, axis=1, return_inverse=True)
    class_of = found.reshape(-1).tolist()
    count = columns.shape[1]
    if 2 * count > len(space.tasks):
        return None
    own = [near[0].centre[task] for task in space.tasks] if near else [Fraction(0)] * len(space.tasks)
    totals, sizes = [Fraction(0)] * count, [0] * count
    for one, share in zip(class_of, own, strict=True):
        totals[one] += share
        sizes[one] += 1
    names = [str(one) for one in range(count)]
    centre = dict(zip(names, totals, strict=True))
    conditions = [Near(norm="l1", radius=one.radius, centre=centre) for one in near if isinstance(one, Near)]
    pairs = zip(class_of, own, strict=True)
    return EqualTasks(
        signs=columns,
        space=WeightSpace(names).and_condition(*conditions),
        objective=None if objective is None else DistanceFrom(centre=centre, norm="l1", todays=False),
        class_of=class_of,
        shares=[share / totals[one] if totals[one] else Fraction(1, sizes[one]) for one, share in pairs],
    )
