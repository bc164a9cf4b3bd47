"""Groups of tasks as voters: each with a weight of its own (Vote'n'Rank, figure 1, B), or with a ranking (C)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weightlab._typing import Number
from weightlab.data import Leaderboard, LeaderboardLike, as_table
from weightlab.exceptions import InputError
from weightlab.rules.aggregation.two_step import TwoStepRanking, in_two_steps
from weightlab.rules.preparation import Preparation, checked_group_weights, refuse_ungrouped
from weightlab.rules.ranking import Ranking, prepared_rank
from weightlab.rules.registry import RuleLike


def grouped(
    board: LeaderboardLike,
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
    >>> wl.rules.rank(board, "plurality").winners, grouped(board, "plurality").winners
    (('a',), ('a', 'b'))
    """
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    return prepared_rank(board, Preparation(how="grouped", group_weights=weights), rule, **options)


def two_step(
    board: LeaderboardLike,
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
    board = as_table(board)
    weights = checked_group_weights(board, group_weights)
    refuse_ungrouped(board)
    _refuse_overlaps(board)
    return in_two_steps(board, weights, rule=rule, then=then, options=options)


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
