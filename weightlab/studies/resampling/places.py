"""A question to many changes of one table: what every change leaves alone is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import FLOAT_EXACT, AnyArray, BoolArray, IntArray, common_denominator, exact_products
from weightlab._text import among
from weightlab.data import Instances, Leaderboard, Margins, Profile, Signs
from weightlab.data.frame.cells import Cells
from weightlab.data.points import NAMED_VECTORS
from weightlab.graph.copeland_minimax import copeland_values, minimax_values
from weightlab.rules import Rule, rank
from weightlab.rules.inputs import InapplicableError, Needs, has_gaps, place_data, score_data
from weightlab.rules.refusal import NO_ANSWER
from weightlab.rules.scoring.bradley_terry import round_robin_points
from weightlab.rules.scoring.positional import points_by_task
from weightlab.studies.question import Question

Asked: TypeAlias = Callable[[Sequence[Any]], IntArray]
"""From changes of a table to the places of the models from 0 (changes x models); -1 throughout without an answer."""
SUMS_OVER_TASKS = frozenset(
    {*NAMED_VECTORS, "k_approval", "scoring", "mean", "optimality_gap", "mean_rank", "mean_win_rate"}
)
"""Rules whose score is a weighted sum (or mean) over the tasks of what each task alone gives, on complete tables."""
DUEL_SCORES: dict[str, tuple[Callable[[Margins, str], AnyArray], str]] = {
    "copeland": (copeland_values, "difference"),
    "minimax": (minimax_values, "winning_votes"),
}
"""Rules whose scores are counted directly from head-to-heads, and how they score by default."""


def each(models: int, one: Callable[[Any], IntArray | None]) -> Asked:
    """Return a function that evaluates many changes one by one; None means no answer."""

    def asked(changes: Sequence[Any]) -> IntArray:
        levels = np.full((len(changes), models), -1, dtype=np.int64)
        for place, change in enumerate(changes):
            if (found := one(change)) is not None:
                levels[place] = found
        return levels

    return asked


def levels_of_totals(totals: AnyArray) -> IntArray:
    """Return the places from 0 of each row of totals, the greatest first; equal totals share one."""
    order = np.argsort(-totals, axis=1, kind="stable")
    ordered = np.take_along_axis(totals, order, axis=1)
    steps = np.zeros(totals.shape, dtype=np.int64)
    steps[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    levels = np.empty_like(steps)
    np.put_along_axis(levels, order, np.cumsum(steps, axis=1), axis=1)
    return levels


def applied(rule: Rule, data: Any) -> IntArray | None:
    """Return the places by a rule on its input; None where it has no answer."""
    totals = None
    if rule.name in DUEL_SCORES:
        values, usual = DUEL_SCORES[rule.name]
        totals = values(data, rule.options.get("score", usual))
    elif rule.name == "bradley_terry":
        totals = round_robin_points(data)
    if totals is not None:
        return np.asarray(levels_of_totals(totals[None, :])[0])
    try:
        outcome = rule.apply(data)
    except NO_ANSWER:
        return None
    levels = np.empty(len(outcome.scores), dtype=np.int64)
    for level, group in enumerate(outcome.order):
        levels[list(group)] = level
    return levels


def answered(question: Question, board: Leaderboard) -> IntArray | None:
    """Return the places by a question to a board; None where it has no answer."""
    try:
        return question.answer(board).levels(board.models)
    except NO_ANSWER:
        return None


# Boards whose columns count several times, or not at all: how often each does is a change.


def of_columns(question: Question, board: Leaderboard) -> Asked:
    """Return the fastest exact way to ask a question of a board each of whose columns, all with weight, is counted.

    A model without any score on the columns that count has no place. Sums over the tasks take one product of matrices
    for all changes, O(models x tasks) each; rules that read duels O(models^2 x tasks).

    Raises
    ------
    MissingScoresError, InputError
        If the rule cannot read the board.
    """
    rule, present = question.rule, ~board.cells.missing
    if rule is None:
        asked = each(len(board.models), lambda counts: answered(question, with_copies(board, counts)))
    else:
        declared, missing = rule.declared(board), rule.own_options.get("missing", "error")
        if not has_gaps(declared):  # a score that stands for missing ones, or a last place, is there in every draw
            present = np.ones_like(present)
        if rule.needs is Needs.MARGINS:
            data: Any = declared.signs()
        else:
            data = score_data(declared, missing) if rule.needs is Needs.SCORES else place_data(declared, missing)
        whole = data.is_complete if isinstance(data, Profile) else not getattr(data, "missing_cells", ())
        if rule.name in SUMS_OVER_TASKS and (missing == "last" or whole):
            points = _weighted_points(rule, data)
            asked = lambda changes: levels_of_totals(_products(points, np.array(changes).T).T)  # noqa: E731
        else:
            weights = tuple(declared.weights)
            asked = each(len(board.models), lambda counts: applied(rule, counted(data, weights, counts)))

    def scored(changes: Sequence[IntArray]) -> IntArray:
        if present.all():
            return asked(changes)
        levels = np.full((len(changes), len(present)), -1, dtype=np.int64)
        there = [place for place, counts in enumerate(changes) if present[:, counts > 0].any(axis=1).all()]
        if there:
            levels[there] = asked([changes[place] for place in there])
        return levels

    return scored


def counted(data: Any, weights: Sequence[Fraction], counts: IntArray) -> Any:
    """Return the data of a rule with each task counted the given number of times."""
    own = [weight * count for weight, count in zip(weights, counts.tolist(), strict=True)]
    if isinstance(data, Signs):
        return Margins.from_signs(data, own)
    kept = np.flatnonzero(counts).tolist()
    if isinstance(data, Profile):
        voters, weighted = tuple(data.voters[row] for row in kept), tuple(own[row] for row in kept)
        return replace(data, voters=voters, ranks=data.ranks[kept], weights=weighted)
    tasks = [data.tasks[column] for column in kept]
    return Leaderboard.from_cells(
        data.models,
        tasks,
        data.cells.take(range(len(data.models)), kept),
        lower_is_better=among(data.lower_is_better, tasks),
        weights={task: own[column] for task, column in zip(tasks, kept, strict=True)},
    )


def with_copies(board: Leaderboard, counts: IntArray) -> Leaderboard:
    """Return the board with each task as often as it counts; copies are called by its name and their number."""
    columns = [column for column, count in enumerate(counts.tolist()) for _ in range(count)]
    of: dict[str, str] = {}
    for place, column in enumerate(columns):
        task = name = board.tasks[column]
        if place and columns[place - 1] == column:
            name = f"{task} #{place - columns.index(column) + 1}"
            while name in board.tasks or name in of:
                name += "'"
        of[name] = task

    def copied(declared: Any) -> dict[str, Any]:
        return {name: declared[task] for name, task in of.items() if task in declared}

    groups = {group: [name for name, task in of.items() if task in tasks] for group, tasks in board.groups.items()}
    return Leaderboard.from_cells(
        board.models,
        tuple(of),
        board.cells.take(range(len(board.models)), columns),
        lower_is_better=[name for name, task in of.items() if task in board.lower_is_better],
        weights=copied(board.weights.to_dict()),
        groups={group: members for group, members in groups.items() if members},
        tolerance=copied(board.tolerance),
        relative_tolerance=copied(board.relative_tolerance),
    )


def task_points(rule: Rule, data: Profile | Leaderboard) -> tuple[AnyArray, int]:
    """Return the contribution of each task to each model by a rule that sums over tasks (higher is better).

    Returns
    -------
    (ndarray of int, int)
        Tasks x models, without the tasks' weights, and the denominator of all.
    """
    if isinstance(data, Profile) and rule.name in NAMED_VECTORS:
        return points_by_task(data, rule.name, **rule.own_options)
    names = data.voters if isinstance(data, Profile) else data.tasks
    sign = -1 if rule.lower_is_better else 1
    exact: list[Fraction] = []
    for name in names:
        # A sum counts the weight of its one task, a mean does not: with a weight of 1 both equal the task's value.
        one = (
            replace(data.select(voters=[name]), weights=(Fraction(1),))
            if isinstance(data, Profile)
            else data.select(tasks=[name])
        )
        exact.extend(sign * Fraction(score) for score in rule.apply(one).scores)
    flat, denominator = common_denominator(exact)
    fits = sum(map(abs, flat)) < FLOAT_EXACT
    return np.array(flat, dtype=np.int64 if fits else object).reshape(len(names), len(data.models)), denominator


def _weighted_points(rule: Rule, data: Profile | Leaderboard) -> AnyArray:
    """Return each task's addition to a model's total each time it counts (models x tasks), over a denominator."""
    points, integers = task_points(rule, data)[0], common_denominator(list(data.weights))[0]
    fits = len(integers) * max(integers) * int(np.abs(points).max(initial=0)) < FLOAT_EXACT
    column = np.array(integers, dtype=np.int64 if fits else object)[:, None]
    return np.asarray((points.astype(column.dtype) * column).T)


def _products(points: AnyArray, counts: IntArray) -> AnyArray:
    """Return ``points @ counts`` exactly: below 2**53 in doubles, whose products are exact in whatever order."""
    largest = int(np.abs(points).max(initial=0)) * int(counts.sum(axis=0).max(initial=0))
    if points.dtype != object and largest < FLOAT_EXACT:
        return (points.astype(np.float64) @ counts.astype(np.float64)).astype(np.int64)
    return np.asarray(points.astype(object) @ counts.astype(object))


def of_cells(question: Question, board: Leaderboard) -> Asked:
    """Return how to ask a question of a board without some of its scores; a change says which are gone."""
    rule, signs = question.rule, None
    if rule is not None and rule.needs is Needs.MARGINS and not (board.tolerance or board.relative_tolerance):
        signs = None if rule.fills else board.signs()  # the others lead each other as before

    def one(gone: BoolArray) -> IntArray | None:
        if rule is not None and signs is not None:
            left = replace(signs, levels=np.where(gone, np.nan, signs.levels))
            return applied(rule, Margins.from_signs(left, board.weights.tolist()))
        cut = board.replace(cells=board.cells.where(~gone))
        return answered(question, cut) if rule is None else applied(rule, rule.data_of(cut))

    return each(len(board.models), one)


# Instances, the same ones for all models: how often each of every task's own counts, a list by task, is a change.


def of_means(question: Question, instances: Instances) -> Asked:
    """Return how to ask a question of the exact means of the tasks over instances."""
    whole = instances.means()
    rule, shape = question.rule, whole.cells.floats.shape
    place = {model: row for row, model in enumerate(whole.models)}
    tables = []
    for name in whole.tasks:
        table = instances.table(name)
        columns = [table.cells.integers(column) for column in range(len(table.columns))]
        below = common_denominator([Fraction(1, bottom) for _, bottom in columns])[1]
        tops = np.column_stack([np.asarray(column, dtype=object) * (below // bottom) for column, bottom in columns])
        small = sum(map(abs, tops.ravel().tolist())) < FLOAT_EXACT
        rows = [place[model] for model in table.models]
        tables.append((rows, tops.astype(np.int64) if small else tops, below, (~table.cells.missing).astype(np.int64)))

    def one(counts: Sequence[IntArray]) -> IntArray | None:
        means: dict[tuple[int, int], Fraction] = {}
        for column, ((rows, tops, below, present), own) in enumerate(zip(tables, counts, strict=True)):
            for row, total, count in zip(rows, exact_products(tops, own), exact_products(present, own), strict=True):
                if count:
                    means[row, column] = Fraction(int(total), int(count) * below)
        if len({row for row, _ in means}) < len(place):
            return None
        drawn = whole.replace(cells=Cells.from_fractions(means, shape))
        return answered(question, drawn) if rule is None else applied(rule, rule.data_of(drawn))

    return each(len(place), one)


def of_two_levels(question: Question, instances: Instances) -> Asked:
    """Return how to ask a rule of what it says about each task."""
    rule = ranking_by_task(question)
    place = {model: row for row, model in enumerate(instances.models)}
    boards = [instances.leaderboard(task) for task in instances.tasks]
    steps = [(of_columns(question, board), [place[model] for model in board.models]) for board in boards]

    def one(counts: Sequence[IntArray]) -> IntArray | None:
        ranks = np.zeros((len(steps), len(place)), dtype=np.int32)
        for task, ((asked, rows), own) in enumerate(zip(steps, counts, strict=True)):
            levels = asked([own])[0]
            if levels[0] < 0:
                return None
            ranks[task, rows] = levels + 1
        second = Profile(models=tuple(place), voters=instances.tasks, ranks=ranks, weights=tuple(instances.weights))
        return applied(rule, rule.data_of(second))

    return each(len(place), one)


def orders_by_task(question: Question, instances: Instances) -> Leaderboard:
    """Return the first of two levels as a board: each task scores a model by how many places are behind its own."""
    rule, row = ranking_by_task(question), {model: place for place, model in enumerate(instances.models)}
    floats = np.full((len(row), len(instances.tasks)), np.nan)
    for column, task in enumerate(instances.tasks):
        for level, group in enumerate(reversed(rank(instances.leaderboard(task), rule).places)):
            floats[[row[model] for model in group], column] = level
    cells = Cells(floats=floats, exact={})
    return Leaderboard.from_cells(tuple(row), instances.tasks, cells, weights=instances.weights)


def ranking_by_task(question: Question) -> Rule:
    """Return the rule of both of two levels, or raise InapplicableError for a function or a mean of scores."""
    if question.rule is None or question.rule.needs is Needs.SCORES:
        cure = Cure("how", "means", "to rank the means of the instances")
        raise InapplicableError(Fault(f"{question.name} reads no places or duels", cure))
    return question.rule
