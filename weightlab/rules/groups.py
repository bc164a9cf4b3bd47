"""Groups of tasks as voters: each with a weight of its own (Vote'n'Rank, figure 1, B), or with a ranking (C)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from weightlab._typing import Number
from weightlab._validate import Faults, exact_numbers
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.rules.ranking import Ranking, rank
from weightlab.rules.registry import RuleLike
from weightlab.rules.two_step import TwoStepRanking, in_two_steps

__all__ = ["group_weighted", "grouped", "two_step"]


def grouped(
    board: Leaderboard,
    rule: RuleLike = "borda",
    /,
    *,
    group_weights: Mapping[str, Number] | None = None,
    **options: Any,
) -> Ranking:
    """Rank the models by a rule with a weight a group, shared among its tasks.

    Parameters
    ----------
    board : Leaderboard
        With groups that hold every task that weighs.
    rule : str or Rule
        As for `rank`.
    group_weights : mapping from group to number, optional
        Exact as written; unlisted groups weigh 1.
    **options
        Options of the rule.

    Returns
    -------
    Ranking
        Of the board that `group_weighted` returns.

    Raises
    ------
    InputError
        If a task that weighs is in no group, naming all such tasks.

    References
    ----------
    Vote'n'Rank, section 2.4 and figure 1, B.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 3, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 3}},
    ...     groups={"speed": ["x", "y"], "quality": ["z"]},
    ... )
    >>> rank(board, "plurality").winners, grouped(board, "plurality").winners
    (('a',), ('a', 'b'))
    """
    return rank(group_weighted(board, group_weights), rule, **options)


def group_weighted(board: Leaderboard, group_weights: Mapping[str, Number] | None = None) -> Leaderboard:
    """Return the board in which each group has its weight, shared among its tasks in proportion to their weights.

    A task in several groups gets a share of each.

    Raises
    ------
    InputError
        If a task that weighs is in no group, or a weight is negative, unknown or all are 0.
    """
    weights = _checked_weights(board, group_weights)
    _refuse_ungrouped(board)
    own = board.weights
    shares = dict.fromkeys(board.tasks, Fraction(0))
    for name, tasks in board.groups.items():
        total = sum(own[list(tasks)].tolist(), Fraction(0))
        if not total and weights[name]:
            raise InputError(f"group {name!r} weighs {weights[name]}, but all its tasks have weight 0")
        for task in tasks if total else ():
            shares[task] += weights[name] * own[task] / total
    return Leaderboard.from_cells(
        board.models,
        board.tasks,
        board.cells,
        lower_is_better=board.lower_is_better,
        weights=shares,
        groups=board.groups,
        tolerance=board.tolerance,
        relative_tolerance=board.relative_tolerance,
    )


def two_step(
    board: Leaderboard,
    rule: RuleLike = "borda",
    /,
    *,
    then: RuleLike | None = None,
    group_weights: Mapping[str, Number] | None = None,
    **options: Any,
) -> TwoStepRanking:
    """Rank the models in each group of tasks, then rank the groups' rankings.

    Parameters
    ----------
    board : Leaderboard
        With groups that do not overlap and hold every task that weighs.
    rule : str or Rule
        For the first step, on the tasks of each group with their weights.
    then : str or Rule, optional
        For the second step, with the groups as voters: the first rule by default. A mean of scores reads the scores of
        the first step, any other rule its orders with their ties.
    group_weights : mapping from group to number, optional
        Weights of the groups in the second step, exact as written; unlisted groups weigh 1, and groups of weight 0
        take no part.
    **options
        Options of the first rule, and of the second where it is the same.

    Returns
    -------
    TwoStepRanking
        ``.steps`` (a `Ranking` a group), ``.final``, and its ``.scores`` ``.ranks`` ``.order`` ``.winners``.

    Raises
    ------
    InputError
        If a task that weighs is in no group or in several, naming them.

    Notes
    -----
    A model without any score in a group is not ranked there: what the second step makes of that is its ``missing``.

    References
    ----------
    Vote'n'Rank, section 2.4 and figure 1, C.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 3, "c": 1}, "z": {"a": 1, "b": 3, "c": 2}},
    ...     groups={"speed": ["x"], "quality": ["y", "z"]},
    ... )
    >>> ranking = two_step(board, "borda", group_weights={"speed": 3})
    >>> ranking.steps["quality"].winners, ranking.winners
    (('b',), ('a',))
    """
    weights = _checked_weights(board, group_weights)
    _refuse_ungrouped(board)
    _refuse_overlaps(board)
    boards = {name: _of_group(board, tasks) for name, tasks in board.groups.items() if weights[name]}
    return in_two_steps(boards, weights, board.models, rule=rule, then=then, options=options)


def _of_group(board: Leaderboard, tasks: tuple[str, ...]) -> Leaderboard:
    weighing = [task for task in tasks if board.weights[task]]
    if not weighing:
        raise InputError(f"all tasks of a group have weight 0: {', '.join(map(repr, tasks))}")
    there = board.missing[weighing].all(axis=1)
    return board.select(models=[model for model in board.models if not there[model]], tasks=weighing)


def _checked_weights(board: Leaderboard, given: Mapping[str, Number] | None) -> dict[str, Fraction]:
    names = tuple(board.groups)
    if not names:
        raise InputError("the leaderboard has no groups; say groups={name: tasks, ...} when it is made")
    faults = Faults()
    exact = exact_numbers(given or {}, names, "group", faults, what="weight", holder="leaderboard")
    weights = {name: exact.get(name, Fraction(1)) for name in names}
    for name, weight in weights.items():
        if weight < 0:
            faults.add(f"weight of group {name!r} is negative: {weight}")
    if not any(weights.values()):
        faults.add("all groups have weight 0")
    faults.raise_if_any()
    return weights


def _refuse_ungrouped(board: Leaderboard) -> None:
    members = {task for tasks in board.groups.values() for task in tasks}
    outside = [task for task, weight in board.weights.items() if weight and task not in members]
    if outside:
        noun = "task is" if len(outside) == 1 else "tasks are"
        listed = ", ".join(map(repr, outside))
        raise InputError(
            f"{len(outside)} {noun} in no group: {listed}; group every task that weighs, or give it weight 0"
        )


def _refuse_overlaps(board: Leaderboard) -> None:
    homes: dict[str, list[str]] = {}
    for name, tasks in board.groups.items():
        for task in tasks:
            if board.weights[task]:
                homes.setdefault(task, []).append(name)
    shared = [f"{task!r} ({', '.join(map(repr, names))})" for task, names in homes.items() if len(names) > 1]
    if shared:
        raise InputError(
            f"the groups of a two-step aggregation may not overlap; in several groups: {', '.join(shared)}"
        )
