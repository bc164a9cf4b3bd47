"""A question to a board whose tasks are counted several times or not at all: what a bootstrap asks a thousand times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from weightlab._exact import FLOAT_EXACT, AnyArray, BoolArray, IntArray, common_denominator
from weightlab._result import Frozen
from weightlab._text import among
from weightlab.data import Leaderboard, Margins, Profile, Signs
from weightlab.data.points import NAMED_VECTORS
from weightlab.graph.copeland_minimax import copeland_values, minimax_values
from weightlab.rules import Outcome, Rule
from weightlab.rules.inputs import Needs, place_data, score_data
from weightlab.rules.refusal import NO_ANSWER
from weightlab.rules.scoring.bradley_terry import round_robin_points
from weightlab.rules.scoring.positional import points_by_task
from weightlab.studies.question import Question

Places: TypeAlias = "tuple[IntArray, BoolArray] | None"
"""The place of each model from 0, those that tie sharing one, and who wins; None where there is no answer."""
SUMS_OVER_TASKS = frozenset(
    {*NAMED_VECTORS, "k_approval", "scoring", "mean", "optimality_gap", "mean_rank", "mean_win_rate"}
)
"""Rules whose score is a weighted sum (or mean) over the tasks of what each task alone gives, on complete tables."""
DUEL_SCORES: dict[str, tuple[Callable[[Margins, str], AnyArray], str]] = {
    "copeland": (copeland_values, "difference"),
    "minimax": (minimax_values, "winning_votes"),
}
"""Rules whose scores are counted from the duels at once, and how they score unless told otherwise."""


class AdditiveQuestion(Frozen):
    """A rule that sums over the tasks: what each task gives is worked out once.

    Attributes
    ----------
    points : ndarray of int, models x tasks
        What each task adds to a model's total each time it is counted, over some common denominator; the greatest
        total goes first. int64 or Python integers.
    """

    points: AnyArray

    def __call__(self, counts: IntArray) -> Places:
        """Return the places when each task is counted so many times."""
        levels, first = self.all_places(counts[:, None])
        return levels[0], first[0]

    def all_places(self, counts: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the places (draws x models) and who wins for each column of counts (tasks x draws)."""
        levels = levels_of_totals(_products(self.points, counts).T)
        return levels, levels == 0


Reweighed: TypeAlias = Callable[[IntArray], Places]
"""A question that is asked with each task counted so many times."""


def duel_places(rule: Rule, signs: Signs, weights: Sequence[Fraction], counts: IntArray) -> Places:
    """Return what a rule says that reads duels: who leads whom on each task was worked out once."""
    return places_of_duels(rule, Margins.from_signs(signs, _times(weights, counts)))


def profile_places(rule: Rule, profile: Profile, counts: IntArray) -> Places:
    """Return what a rule says that reads places: how each task ranks the models was worked out once."""
    rows = np.flatnonzero(counts)
    weights = _times(profile.weights, counts)
    drawn = Profile(
        models=profile.models,
        voters=tuple(profile.voters[row] for row in rows.tolist()),
        ranks=profile.ranks[rows],
        weights=tuple(weights[row] for row in rows.tolist()),
    )
    return places_of_rule(rule, drawn)


def score_places(rule: Rule, board: Leaderboard, counts: IntArray) -> Places:
    """Return what a rule says that reads scores, or reads each drawn table anew."""
    drawn = np.flatnonzero(counts).tolist()
    weights = _times(board.weights.tolist(), counts)
    tasks = [board.tasks[column] for column in drawn]
    table = Leaderboard.from_cells(
        board.models,
        tasks,
        board.cells.take(range(len(board.models)), drawn),
        lower_is_better=among(board.lower_is_better, tasks),
        weights=dict(zip(tasks, [weights[column] for column in drawn], strict=True)),
    )
    return places_of_rule(rule, table)


def function_places(question: Question, board: Leaderboard, counts: IntArray) -> Places:
    """Return what a function says of a board with a copy of a task for each time that it is counted."""
    copies = [column for column, count in enumerate(counts.tolist()) for _ in range(count)]
    return places_of_function(question, with_copies(board, copies))


def reweighed(question: Question, board: Leaderboard) -> Reweighed:
    """Return the fastest exact way to ask a question of a board, all of whose tasks weigh, again and again.

    Raises
    ------
    MissingScoresError, InputError
        If the rule cannot read the board.
    """
    rule = question.rule
    if rule is None:
        return partial(function_places, question, board)
    missing = rule.options.get("missing", "error")
    if rule.needs is Needs.MARGINS:
        return partial(duel_places, rule, board.signs(), tuple(board.weights))
    data = score_data(board, missing) if rule.needs is Needs.SCORES else place_data(board, missing)
    if rule.name in SUMS_OVER_TASKS and (missing == "last" or _complete(data)):
        return _additive(rule, data)
    if isinstance(data, Profile):
        return partial(profile_places, rule, data)
    return partial(score_places, rule, data)


def with_copies(board: Leaderboard, columns: Sequence[int]) -> Leaderboard:
    """Return the board of some tasks in this order; copies of a task are called by its name and their number."""
    seen: dict[int, int] = {}
    names: list[str] = []
    taken = set(board.tasks)
    of: dict[str, str] = {}
    for column in columns:
        seen[column] = seen.get(column, 0) + 1
        name = board.tasks[column]
        if seen[column] > 1:
            name = f"{name} #{seen[column]}"
            while name in taken or name in of:
                name += "'"
        of[name] = board.tasks[column]
        names.append(name)

    def copied(declared: Any) -> dict[str, Any]:
        return {name: declared[original] for name, original in of.items() if original in declared}

    groups = {group: [name for name in names if of[name] in tasks] for group, tasks in board.groups.items()}
    return Leaderboard.from_cells(
        board.models,
        names,
        board.cells.take(range(len(board.models)), columns),
        lower_is_better=[name for name in names if of[name] in board.lower_is_better],
        weights=copied(board.weights.to_dict()),
        groups={group: members for group, members in groups.items() if members},
        tolerance=copied(board.tolerance),
        relative_tolerance=copied(board.relative_tolerance),
    )


def levels_of_totals(totals: AnyArray) -> IntArray:
    """Return the places from 0 of each row of totals, the greatest first; equal totals share one."""
    order = np.argsort(-totals, axis=1, kind="stable")
    ordered = np.take_along_axis(totals, order, axis=1)
    steps = np.zeros(totals.shape, dtype=np.int64)
    steps[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    levels = np.empty_like(steps)
    np.put_along_axis(levels, order, np.cumsum(steps, axis=1), axis=1)
    return levels


def task_points(rule: Rule, data: Profile | Leaderboard) -> tuple[AnyArray, int]:
    """Return what each task alone gives to each model by a rule that sums over tasks, the greater the better.

    Returns
    -------
    (ndarray of int, int)
        Tasks x models, without the tasks' weights, and the denominator of all.
    """
    if isinstance(data, Profile) and rule.name in NAMED_VECTORS:
        return points_by_task(data, rule.name, **rule.options)
    names = data.voters if isinstance(data, Profile) else data.tasks
    exact: list[Fraction] = []
    for name in names:
        # A sum counts the weight of its one task, a mean does not: with a weight of 1 both are what the task gives.
        one = (
            replace(data.select(voters=[name]), weights=(Fraction(1),))
            if isinstance(data, Profile)
            else data.select(tasks=[name])
        )
        sign = -1 if rule.lower_is_better else 1
        exact.extend(sign * Fraction(score) for score in rule.apply(one).scores)
    flat, denominator = common_denominator(exact)
    fits = sum(map(abs, flat)) < FLOAT_EXACT
    return np.array(flat, dtype=np.int64 if fits else object).reshape(len(names), len(data.models)), denominator


def _additive(rule: Rule, data: Profile | Leaderboard) -> AdditiveQuestion:
    """Return what each task gives to each model, times its weight."""
    numerators, _ = task_points(rule, data)
    weights = list(data.weights)
    integers, _ = common_denominator(weights)
    fits = len(weights) * max(integers) * int(np.abs(numerators).max(initial=0)) < FLOAT_EXACT
    column = np.array(integers, dtype=np.int64 if fits else object)[:, None]
    return AdditiveQuestion(points=(numerators.astype(column.dtype) * column).T)


def _products(points: AnyArray, counts: IntArray) -> AnyArray:
    """Return ``points @ counts`` exactly."""
    if points.dtype != object:
        # Below 2**53 a product in doubles is exact in whatever order it is summed, and far faster than one of integers.
        largest = int(np.abs(points).max(initial=0)) * int(counts.sum(axis=0).max(initial=0))
        if largest < FLOAT_EXACT:
            return (points.astype(np.float64) @ counts.astype(np.float64)).astype(np.int64)
    return np.asarray(points.astype(object) @ counts.astype(object))


def _times(weights: Sequence[Fraction], counts: IntArray) -> list[Fraction]:
    return [weight * count for weight, count in zip(weights, counts.tolist(), strict=True)]


def _complete(data: Profile | Leaderboard) -> bool:
    return data.is_complete if isinstance(data, Profile) else not data.missing_cells


def places_of_duels(rule: Rule, margins: Margins) -> Places:
    """Return what a rule that reads duels says about them; None where it has no answer."""
    totals = None
    if rule.name in DUEL_SCORES:
        values, usual = DUEL_SCORES[rule.name]
        totals = values(margins, rule.options.get("score", usual))
    elif rule.name == "bradley_terry":
        totals = round_robin_points(margins)
    if totals is None:
        return places_of_rule(rule, margins)
    levels = levels_of_totals(totals[None, :])[0]
    return levels, levels == 0


def places_of_rule(rule: Rule, data: Any) -> Places:
    """Return what a rule says about what it reads; None where it has no answer."""
    try:
        outcome: Outcome = rule.apply(data)
    except NO_ANSWER:
        return None
    levels = np.empty(len(outcome.scores), dtype=np.int64)
    for level, group in enumerate(outcome.order):
        levels[list(group)] = level
    first = np.zeros(len(levels), dtype=np.bool_)
    first[list(outcome.order[0] if outcome.winners is None else outcome.winners)] = True
    return levels, first


def places_of_function(question: Question, board: Leaderboard) -> Places:
    """Return what a function says about a board; None where it has no answer."""
    try:
        answer = question.answer(board)
    except NO_ANSWER:
        return None
    return answer.levels(board.models), np.isin(np.array(board.models), list(answer.winners))
