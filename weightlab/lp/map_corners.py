"""The three corners of a map: tasks, or groups whose weight is spread over their tasks in fixed proportions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import common_denominator
from weightlab._result import ensure
from weightlab._typing import WeightsLike
from weightlab.data.convert import SignsLike
from weightlab.data.groups import Group, TasksLike, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError
from weightlab.lp.convex_polygons import TRIANGLE, Polygon, clipped
from weightlab.lp.half_spaces import half_spaces
from weightlab.lp.space import WeightSpace, shares_of

__all__ = ["allowed_part", "check_corners", "corner_leads", "corners_of"]


def corners_of(
    board: SignsLike,
    signs: Signs,
    tasks: Sequence[str | Group] | None,
    groups: Mapping[str, TasksLike | WeightsLike] | None,
) -> pd.DataFrame:
    """Return how each of three corners spreads its weight: tasks x corners, exact, columns that sum to 1.

    Raises
    ------
    InputError
        If there are not three of them, or not exactly one of ``tasks`` and ``groups`` says which.
    UnknownNameError
        If a task or group is not known.
    """
    if tasks is not None and groups is not None:
        raise InputError("say either tasks= or groups=, not both")
    known = dict(board.groups) if isinstance(board, Leaderboard) else {}
    if groups is not None:
        if not isinstance(groups, Mapping):
            raise InputError(f"groups must be a mapping from three names to their tasks; got {groups!r}")
        named: dict[str, Any] = {str(name): members for name, members in groups.items()}
    else:
        if isinstance(tasks, str) or not isinstance(tasks, Iterable | None):
            raise InputError(f"three tasks are needed; got {tasks!r}")
        listed = list(signs.tasks if tasks is None else tasks)
        named = {str(one): [one] for one in listed}
        if len(named) != len(listed):
            raise InputError(f"the corners must be three different ones; got {', '.join(map(str, listed))}")
    if len(named) != 3:
        hint = "; say which three with tasks= or groups=" if tasks is None and groups is None else ""
        raise InputError(f"a map needs three tasks or groups; got {len(named)}{hint}")
    return pd.DataFrame(
        {name: _spread(name, members, signs, known) for name, members in named.items()},
        index=list(signs.tasks),
        dtype=object,
    )


def _spread(name: str, members: Any, signs: Signs, known: Mapping[str, Sequence[str]]) -> list[Fraction]:
    if isinstance(members, Mapping | pd.Series):
        chosen = tasks_named([str(task) for task in members.keys()], signs.tasks, {})  # noqa: SIM118 - also a Series
        shares = shares_of(members, chosen)
    else:
        chosen = tasks_named(members, signs.tasks, known)
        shares = {task: Fraction(1, len(chosen)) for task in chosen}
    if not shares:
        raise InputError(f"group {name!r} has no task")
    return [shares.get(task, Fraction(0)) for task in signs.tasks]


def corner_leads(signs: Signs, corners: pd.DataFrame, position: int) -> NDArray[Any]:
    """Return the leads of one model over all models at the three corners, as integers up to one common scale."""
    columns = [corners[name].tolist() for name in corners.columns]
    numerators, _ = common_denominator([share for column in columns for share in column])
    spread = np.array(numerators, dtype=object).reshape(3, len(signs.tasks))
    used = np.flatnonzero((spread != 0).any(axis=0))
    # A lead is linear in the weights, so its values at the three corners are all there is to know.
    return np.asarray(signs.over_all(position)[:, used].astype(object) @ spread[:, used].T, dtype=object)


def allowed_part(corners: pd.DataFrame, space: WeightSpace) -> Polygon:
    """Return the part of the triangle that the conditions of a space on the weights of the tasks allow.

    Raises
    ------
    InputError
        If no area is left, or the conditions come to too many inequalities.
    """
    left = TRIANGLE
    if not space.conditions:
        return left
    nobody = np.zeros((0, len(space.tasks)), dtype=np.int8)
    # A condition on tasks becomes one on the triangle by its values at the corners, for the same reason.
    spread = [corners[name].tolist() for name in corners.columns]
    for _, row in half_spaces(nobody, space).conditions:
        ends = [sum((one * share for one, share in zip(row, shares, strict=True)), Fraction(0)) for shares in spread]
        a, b, c = common_denominator(ends)[0]
        left = clipped(left, (a, b, c))
    if len(left) < 3:
        shapes = ("nothing", "one weighting", "a segment")
        raise InputError(f"the conditions leave {shapes[len(left)]} of the triangle, and a map needs an area ({space})")
    return left


def check_corners(corners: pd.DataFrame, signs: Signs) -> None:
    """Ensure that corners are three weightings of the tasks."""
    ensure(tuple(corners.index) == signs.tasks, "the corners are about other tasks")
    ensure(len(set(corners.columns)) == 3 == len(corners.columns), "there must be three different corners")
    for name in corners.columns:
        shares = corners[name].tolist()
        ensure(all(isinstance(share, Fraction) and share >= 0 for share in shares), f"corner {name!r} is no weighting")
        ensure(sum(shares, Fraction(0)) == 1, f"the weights of corner {name!r} do not sum to 1")
