"""What each unit, task or instance, gives to each model under rules that are means over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._text import counted, first_few
from weightlab.data import Instances, Leaderboard, Profile
from weightlab.data.points import made_complete
from weightlab.exceptions import InputError
from weightlab.rules import Rule
from weightlab.rules import rule as registered
from weightlab.rules.inputs import InapplicableError, Needs, as_declared, is_score, place_data, score_data
from weightlab.studies.confidence.simultaneous import (
    Differences,
    Stratum,
    ensure_spread,
    estimated,
    joint_intervals,
    normal_differences,
    reach_of,
)
from weightlab.studies.resampling.places import task_points

OF_SCORES = frozenset({"mean", "optimality_gap"})
"""Rules that are means of what scores give; the others of `SUMS_OVER_TASKS` are means of what places give."""
OF_RIVALS = frozenset({"borda", "mean_rank", "mean_win_rate"})
"""Rules that count the rivals which a model is ahead of."""
LEAST_SHARED = 5
"""Pairs with fewer tasks in common do not show their spread."""
LEAST_OF_A_GROUP = 3
"""Fewest tasks that show the spread within a group."""


def readable(board: Leaderboard, rule: Rule, over: str) -> Leaderboard:
    """Return the board of the models that a rule reads: those with every score, unless it can do with fewer.

    Raises
    ------
    InputError
        If fewer than two models have every score, the rule would average over the tasks that each model has, or it
        ranks models last where they have no score.
    """
    missing = rule.options.get("missing", "error")
    if is_score(missing):
        board = as_declared(board, rule.needs, missing=missing)
    if rule.options.get("unlisted") == "last" and board.missing_cells:
        told = f"rank sets do not read {rule}: missing=NUMBER says what a missing score counts as"
        raise InapplicableError(Fault(told, *made_complete(board.missing_cells, board.models, board.tasks)))
    able = rule.needs is Needs.MARGINS or missing in ("last", "median") or (rule.name == "mean" and over == "tasks")
    able = able or (is_pairwise(rule) and over in ("tasks", "groups"))
    if not board.missing_cells or (able and over != "standard_errors"):
        return board
    if missing == "skip":
        told = f"{rule.name} that skips missing scores compares models on different tasks"
        raise InapplicableError(Fault(told, Cure("missing", "median"), Cure(".complete", {})))
    try:
        return board.complete()
    except InputError as error:
        pairwise = rule.name in OF_RIVALS and over in {"tasks", "groups"} and few_shared(board) is None
        skip = [Cure("missing", "skip", "to compare each pair on the tasks that both have")] if pairwise else []
        raise InputError(Fault(error.message, *skip, *error.cure)) from error


def task_values(board: Leaderboard, rule: Rule) -> FloatArray:
    """Return the contribution of each task to each model (tasks x models, higher is better; NaN if missing)."""
    missing = rule.options.get("missing", "error")
    if rule.name == "mean":
        board = score_data(board, "median" if missing == "median" else "error")
        lower = [task in board.lower_is_better for task in board.tasks]
        return np.where(lower, -board.cells.floats, board.cells.floats).T
    if is_pairwise(rule):
        return pairwise_values(board, rule)
    data = score_data(board, missing) if rule.needs is Needs.SCORES else place_data(board, missing)
    points, denominator = task_points(rule, data)
    return np.asarray(points / denominator, dtype=np.float64)


def is_pairwise(rule: Rule) -> bool:
    """Return whether a rule counts rivals ahead and behind, and is to skip missing scores: pair by pair."""
    return rule.name in OF_RIVALS and rule.options.get("missing") == "skip"


def pairwise_values(board: Leaderboard, rule: Rule) -> FloatArray:
    """Return the contribution of each task to each model if each pair is compared on its shared tasks.

    Raises
    ------
    InputError
        If a pair shares fewer than `LEAST_SHARED` tasks.

    Notes
    -----
    A model's score is the sum over rivals of the share of the common tasks on which it is ahead, ties half: on complete
    tables Borda's points a task. To it each task adds its influence: of each pair its result less the pair's mean, over
    the share of the tasks that the pair has, as in a linearised variance. Their mean is the score, their spread that of
    the score. For pairs of fewer tasks it is made larger, as the variance of their t is.
    """
    signs, there, share = board.signs(), ~board.cells.missing, shares(board)
    models, tasks = there.shape
    if few := few_shared(board):
        one, other, count = few
        both = f"{board.models[one]!r} and {board.models[other]!r} both have scores on {counted(count, 'task')}"
        raise InputError(Fault(f"{both}; pairs are compared on {LEAST_SHARED} or more", Cure("missing", "median")))
    values = np.zeros((tasks, models))
    for place in range(models):
        common = there & there[place]
        common[place] = False
        count, weight = common.sum(axis=1), common @ share
        won = np.where(common, (signs.over_all(place) + 1) / 2, 0.0)
        others = np.arange(models) != place
        won, common, count, weight = won[others], common[others], count[others], weight[others]
        mean = won @ share / weight
        larger = np.sqrt(count / (count - 3) * (tasks - 3) / tasks) / weight
        values[:, place] = mean.sum() + (np.where(common, won - mean[:, None], 0.0) * larger[:, None]).sum(axis=0)
    return values / (models - 1) if rule.name == "mean_win_rate" else values


def few_shared(board: Leaderboard) -> tuple[int, int, int] | None:
    """Return the first two models that share fewer tasks than `LEAST_SHARED`, with how many; None where none do."""
    there = (~board.cells.missing).astype(np.float64)
    count = (there @ there.T).astype(np.int64)
    few = np.argwhere(np.triu(count < LEAST_SHARED, 1)).tolist()
    return (few[0][0], few[0][1], int(count[tuple(few[0])])) if few else None


def shares(board: Leaderboard) -> FloatArray:
    """Return the weights of a board's tasks as shares of their sum."""
    weights = np.array(board.weights.tolist(), dtype=np.float64)
    return np.asarray(weights / weights.sum())


def strata_fault(board: Leaderboard) -> str:
    """Return why tasks cannot be drawn within a board's groups; empty where they can, or without groups."""
    group = _group_of(board)
    if sum(map(len, board.groups.values())) > len(group):
        return "tasks are drawn within groups, and these groups overlap; give a table without them"
    sizes = Counter(group.get(task, "") for task in board.tasks)
    name, size = min(sizes.items(), key=lambda one: one[1])
    if size >= LEAST_OF_A_GROUP or len(sizes) == 1:
        return ""
    whose = f"group {name!r} has" if name else "outside all groups there are"
    return (
        f"tasks are drawn within groups, and {whose} {counted(size, 'task')}: fewer than {LEAST_OF_A_GROUP} do not "
        "show their spread; join it to another group, or give a table without groups"
    )


def _group_of(board: Leaderboard) -> dict[str, str]:
    return {task: name for name, tasks in board.groups.items() for task in tasks}


def task_strata(board: Leaderboard, values: AnyArray) -> list[Stratum]:
    """Return the tasks in the groups within which they are drawn, in one stratum where there are no groups.

    Raises
    ------
    InputError
        If groups overlap, or one has fewer tasks than `LEAST_OF_A_GROUP`.
    """
    if fault := strata_fault(board):
        raise InputError(fault)
    share, group = shares(board), _group_of(board)
    names = np.array([group.get(task, "") for task in board.tasks])
    insides = [names == name for name in dict.fromkeys(names.tolist())]
    return [Stratum(values=values[one], weights=share[one], share=float(share[one].sum())) for one in insides]


def group_stratum(board: Leaderboard, values: AnyArray) -> Stratum:
    """Return whole groups as what is drawn, each with its weighted mean and weight; tasks outside all are on their own.

    Raises
    ------
    InputError
        If there are no groups, they overlap, or a task outside all has the name of one.
    """
    if not board.groups:
        raise InputError(Fault("no groups of tasks are named, so none can be drawn", Cure("over", "tasks")))
    group = _group_of(board)
    if sum(map(len, board.groups.values())) > len(group):
        raise InputError(Fault("whole groups are drawn, and these groups overlap", Cure("over", "tasks")))
    if alike := next((task for task in board.tasks if task in board.groups and task not in group), None):
        told = f"whole groups are drawn, and {alike!r} is a group as well as a task outside all groups"
        raise InputError(Fault(told, Cure("over", "tasks")))
    members = membership(board).astype(np.float64) * shares(board)
    weights = members.sum(axis=1)
    return Stratum(values=members @ values / weights[:, None], weights=weights)


def group_names(board: Leaderboard) -> tuple[str, ...]:
    """Return the groups in the order of their first tasks, each task outside all groups as one of its own."""
    group = _group_of(board)
    return tuple(dict.fromkeys(group.get(task, task) for task in board.tasks))


def membership(board: Leaderboard) -> BoolArray:
    """Return which task is in which of the groups, groups x tasks."""
    group = _group_of(board)
    own = np.array([group.get(task, task) for task in board.tasks], dtype=object)
    return np.asarray([own == name for name in group_names(board)], dtype=np.bool_)


def instance_strata(instances: Instances) -> list[Stratum]:
    """Return the instances of each task that weighs, each task a stratum with its weight.

    Raises
    ------
    InputError
        If a task has one instance only.
    """
    total = sum(instances.weights, Fraction(0))
    row = {model: place for place, model in enumerate(instances.models)}
    strata = []
    for task, weight in ((task, weight) for task, weight in instances.weights.items() if weight):
        table = instances.table(str(task))
        count = len(table.columns)
        if count < 2:
            raise InputError(f"task {task!r} has one instance: its spread cannot be known; leave the task out")
        values = np.full((count, len(row)), np.nan)
        sign = -1 if task in instances.lower_is_better else 1
        values[:, [row[model] for model in table.models]] = sign * table.cells.floats.T
        strata.append(Stratum(values=values, weights=np.ones(count), share=float(weight / total)))
    return strata


def score_errors(board: Leaderboard) -> FloatArray:
    """Return the standard errors of a board's scores, tasks x models.

    Raises
    ------
    InputError
        If a score has none.
    """
    errors = board.standard_errors.to_numpy().T
    lacking = np.argwhere(np.isnan(errors) & ~board.cells.missing.T)
    if len(lacking):
        named = first_few((f"{board.models[model]!r} on {board.tasks[task]!r}" for task, model in lacking), 3)
        found = counted(len(lacking), "score")
        raise InputError(f"over='standard_errors' needs one of every score; {found} without: {named}")
    ensure_spread(errors, "standard errors")
    return errors


# Rules that read places or majorities, on tasks whose scores are measured with noise: by who surely leads whom.


def sure_signs(found: Sequence[tuple[Differences, float]], level: float) -> FloatArray:
    """Return who surely leads whom on each task, all together at a level: -1, 0 (open) or 1, tasks x pairs.

    Parameters
    ----------
    found : sequence of (Differences, float)
        Of the scores on each task, with the largest difference between two models on one unit.
    level : float
        Of all pairs on all tasks.
    """
    each = 1 - (1 - level) / len(found)
    joint = [joint_intervals(one, level=each, reach=reach) for one, reach in found]
    return np.array([np.where(one.low > 0, 1.0, np.where(one.high < 0, -1.0, 0.0)) for one in joint])


def noisy_tasks(source: Leaderboard | Instances) -> list[tuple[Differences, float]]:
    """Return the input of `sure_signs`: the instances of each task, or scores with normal errors."""
    if isinstance(source, Instances):
        return [(estimated([replace(one, share=1.0)]), reach_of([one])) for one in instance_strata(source)]
    scores, errors = task_values(source, registered("mean")), score_errors(source)
    return [(normal_differences(score, np.diag(error)), 0.0) for score, error in zip(scores, errors, strict=True)]


def worth_of_places(rule: Rule, board: Leaderboard) -> FloatArray:
    """Return the points of a rule by places for the first model of a task, the second, and so on, where none tie."""
    points, denominator = task_points(rule, Profile.from_orders([board.models]))
    return np.asarray(points[0] / denominator, dtype=np.float64)


def place_bounds(rule: Rule, board: Leaderboard, sure: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return between what a rule by places can give a model more than a rival, tasks x pairs, given the sure leads."""
    count = len(board.models)
    rows, columns = np.triu_indices(count, 1)
    worth = worth_of_places(rule, board)
    leads = np.zeros((len(sure), count, count), dtype=np.bool_)
    leads[:, rows, columns], leads[:, columns, rows] = sure > 0, sure < 0
    best, worst = worth[leads.sum(axis=1)], worth[count - 1 - leads.sum(axis=2)]
    low, high = worst[:, rows] - best[:, columns], best[:, rows] - worst[:, columns]
    return np.where(sure > 0, np.maximum(low, 0), low), np.where(sure < 0, np.minimum(high, 0), high)
