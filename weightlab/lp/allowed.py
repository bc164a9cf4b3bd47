"""Which weights a question about a table allows."""

from __future__ import annotations

from typing import Protocol

from weightlab.exceptions import InputError
from weightlab.lp.space import WeightSpace

__all__ = ["space_for"]


class Table(Protocol):
    """What has models and tasks: signs or points."""

    @property
    def models(self) -> tuple[str, ...]:
        """The rows."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The columns."""


def space_for(table: Table, space: WeightSpace | None) -> WeightSpace:
    """Return the space with the tasks in the order of the table; all weightings by default.

    Raises
    ------
    InputError
        If the space is none, or about other tasks, or there are fewer than two models.
    """
    if len(table.models) < 2:
        raise InputError(f"a question about winning needs at least two models; got {len(table.models)}")
    if space is None:
        return WeightSpace(table.tasks)
    if not isinstance(space, WeightSpace):
        raise InputError(f"space must be a WeightSpace or None; got a {type(space).__name__}")
    if set(space.tasks) != set(table.tasks):
        missing = [task for task in table.tasks if task not in set(space.tasks)]
        strange = [task for task in space.tasks if task not in set(table.tasks)]
        raise InputError(f"the weight space has other tasks than the table: lacks {missing}, has besides {strange}")
    return space.ordered(table.tasks)
