"""Sources of resampled tables, and what a question says about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import FLOAT_EXACT, AnyArray, BoolArray, FloatArray, IntArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._text import among
from weightlab.data import Instances, Leaderboard, Margins, Profile, Signs
from weightlab.data.convert import as_scores
from weightlab.data.frame.cells import Cells
from weightlab.data.points import NAMED_VECTORS
from weightlab.exceptions import InputError
from weightlab.graph.copeland_minimax import copeland_values, minimax_values
from weightlab.rules import Outcome, Rule, pooled, two_level
from weightlab.rules.inputs import Needs, has_gaps, place_data, score_data, weighing
from weightlab.rules.refusal import NO_ANSWER
from weightlab.rules.scoring.bradley_terry import round_robin_points
from weightlab.rules.scoring.positional import points_by_task
from weightlab.rules.scoring.score_table import decimals
from weightlab.studies.parallel import generator_of, map_draws
from weightlab.studies.question import Answer, Question

# A question to a board whose tasks are counted several times or not at all: what a bootstrap asks a thousand times.

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
    """Return the result of a rule that reads head-to-heads, computed once for each task."""
    return places_of_duels(rule, Margins.from_signs(signs, _times(weights, counts)))


def profile_places(rule: Rule, profile: Profile, counts: IntArray) -> Places:
    """Return the result of a rule that reads ranks, computed once for each task."""
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
    """Return the result of a rule that reads scores, or that reads each drawn table."""
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
    """Return a function's result on a board where tasks are repeated as often as they are counted."""
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
    board, missing = rule.declared(board), rule.own_options.get("missing", "error")
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
    """Return the contribution of each task to each model by a rule that sums over tasks (higher is better).

    Returns
    -------
    (ndarray of int, int)
        Tasks x models, without the tasks' weights, and the denominator of all.
    """
    if isinstance(data, Profile) and rule.name in NAMED_VECTORS:
        return points_by_task(data, rule.name, **rule.own_options)
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
    """Return the weighted contribution of each task to each model."""
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
    """Return the result of a rule that reads head-to-heads, or None without an answer."""
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
    """Return the result of a rule on its input, or None without an answer."""
    try:
        outcome: Outcome = rule.apply(data)
    except NO_ANSWER:
        return None
    levels = np.empty(len(outcome.scores), dtype=np.int64)
    for level, group in enumerate(outcome.order):
        levels[list(group)] = level
    first = np.zeros(len(levels), dtype=np.bool_)
    first[list(outcome.order[0])] = True
    return levels, first


def places_of_function(question: Question, board: Leaderboard) -> Places:
    """Return a function's result on a board, or None without an answer."""
    try:
        answer = question.answer(board)
    except NO_ANSWER:
        return None
    return answer.levels(board.models), np.isin(np.array(board.models), list(answer.winners))


# Tasks and instances drawn again, and the rankings that they give.


Over: TypeAlias = Literal["tasks", "instances"]
"""What is resampled."""
HowInstances: TypeAlias = Literal["means", "one_level", "two_level"]
"""A ranking of instances: by a rule on the means of the tasks, with all instances as voters, or task by task."""


class Resampled(Frozen):
    """A source of resampled tables.

    Attributes
    ----------
    models : tuple of str
        In board order.
    own : callable
        Returns what the question says about the source itself.
    draw : callable
        From a random generator to what the question says about one drawn table; None where there is no answer.
    columns : ColumnBoard or None
        Where sums over its columns are worked out for many draws together.
    """

    models: tuple[str, ...]
    own: Callable[[], Answer]
    draw: Callable[[np.random.Generator], Places] = field(repr=False)
    columns: ColumnBoard | None = field(default=None, repr=False)

    def draws(
        self, repeats: int, seed: int, *, n_jobs: int = 1, progress: Callable[[int], None] | None = None
    ) -> tuple[IntArray, BoolArray]:
        """Return the places (draws x models, -1 in a draw without an answer) and who wins in each draw."""
        columns = self.columns
        if columns is not None and isinstance(columns.asked, AdditiveQuestion):
            return places_together(columns, columns.asked, repeats, seed, progress)
        levels = np.full((repeats, len(self.models)), -1, dtype=np.int64)
        first = np.zeros(levels.shape, dtype=np.bool_)
        answers = map_draws(self.draw, repeats=repeats, seed=seed, n_jobs=n_jobs, progress=progress)
        for number, places in enumerate(answers):
            if places is not None:
                levels[number], first[number] = places
        return levels, first


def resampled(source: Any, question: Question, over: Over, how: HowInstances | None) -> Resampled:
    """Return the tables that can be drawn from a source.

    Raises
    ------
    InputError
        If there are no instances to draw, or the rule cannot be asked so.
    """
    source = as_scores(source, "a bootstrap draws from")
    if over == "tasks":
        board = weighing(source.means() if isinstance(source, Instances) else source)
        return _of_board(question, board, [len(board.tasks)])
    if not isinstance(source, Instances):
        raise InputError(Fault("a Leaderboard has no instances to draw", Cure("over", "tasks")))
    kept = source.select(tasks=[str(task) for task, weight in source.weights.items() if weight])
    if how == "one_level":
        return _of_board(question, pooled(kept), [len(kept.table(task).columns) for task in kept.tasks])
    if how == "means":
        board = kept.means()
        means = DrawnMeans(question=question, board=board, table=MeansTable.of(kept))
        return Resampled(models=board.models, own=partial(question.answer, board), draw=means.draw)
    levels = DrawnTwoLevels.of(question, kept)
    return Resampled(models=levels.models, own=lambda: two_level(kept, levels.rule).final, draw=levels.draw)


def _of_board(question: Question, board: Leaderboard, strata: Sequence[int]) -> Resampled:
    columns = ColumnBoard.of(question, board, strata)
    return Resampled(models=board.models, own=partial(question.answer, board), draw=columns.draw, columns=columns)


# Resampled instances: the same ones for all models, as many of each task as it has.


class DrawnMeans(Frozen):
    """A question to the board of the tasks' means over resampled instances.

    Attributes
    ----------
    question : Question
        What is asked.
    board : Leaderboard
        The means over the instances as they are.
    table : MeansTable
        The scores.
    """

    question: Question
    board: Leaderboard
    table: MeansTable

    def draw(self, rng: np.random.Generator) -> Places:
        """Return the result of one draw, or nothing if a model has no score in it."""
        counts = [drawn_counts(size, rng) for size in self.table.sizes]
        rule = self.question.rule
        # Places and duels need the order of the means alone, which sums of integers give without a fraction.
        if rule is not None and rule.needs is not Needs.SCORES and not rule.fills:
            levels = self.table.levels(counts)
            if levels is not None:
                return self._by_levels(rule, levels)
        means = self.table.means(counts)
        if len({row for row, _ in means}) < len(self.board.models):
            return None
        drawn = self._board(means)
        return places_of_function(self.question, drawn) if rule is None else places_of_rule(rule, _read(rule, drawn))

    def _by_levels(self, rule: Rule, levels: FloatArray) -> Places:
        """Return the result of a rule that reads ranks or head-to-heads, without a board."""
        board = self.board
        if np.isnan(levels).all(axis=1).any():
            return None
        if rule.needs is Needs.MARGINS:
            signs = Signs(models=board.models, tasks=board.tasks, levels=levels)
            return places_of_rule(rule, Margins.from_signs(signs, board.weights.tolist()))
        return places_of_rule(rule, Profile.from_levels(board.models, board.tasks, levels, board.weights.tolist()))

    def _board(self, means: dict[tuple[int, int], Fraction]) -> Leaderboard:
        """Return the board of drawn means."""
        return Leaderboard.from_cells(
            self.board.models,
            self.board.tasks,
            Cells.from_fractions(means, (len(self.board.models), len(self.board.tasks))),
            lower_is_better=self.board.lower_is_better,
            weights=self.board.weights,
        )


class DrawnTwoLevels(Frozen):
    """A rule over what it says about each task's resampled instances.

    Attributes
    ----------
    rule : Rule
        Of both levels.
    models, tasks : tuple of str
        The names.
    weights : tuple of Fraction
        One a task.
    steps : tuple of ColumnBoard
        The instances of each task.
    rows : tuple of lists of int
        Where the models of each task stand among all.
    """

    rule: Rule
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    weights: tuple[Fraction, ...]
    steps: tuple[ColumnBoard, ...]
    rows: tuple[list[int], ...]

    @classmethod
    def of(cls, question: Question, instances: Instances) -> Self:
        """Return the tasks of some instances, all of which weigh.

        Raises
        ------
        InputError
            If the question is a function or a mean of scores.
        """
        rule = question.rule
        if rule is None or rule.needs is Needs.SCORES:
            raise InputError(
                Fault(
                    f"{question.name} reads no places or duels",
                    Cure("how", "means", "to rank the means of the instances"),
                )
            )
        boards = [instances.leaderboard(task) for task in instances.tasks]
        position = {model: row for row, model in enumerate(instances.models)}
        return cls(
            rule=rule,
            models=instances.models,
            tasks=instances.tasks,
            weights=tuple(instances.weights),
            steps=tuple(ColumnBoard.of(question, board, [len(board.tasks)]) for board in boards),
            rows=tuple([position[model] for model in board.models] for board in boards),
        )

    def draw(self, rng: np.random.Generator) -> Places:
        """Return the result of one draw, or nothing if a task has no ranking in it."""
        ranks = np.zeros((len(self.tasks), len(self.models)), dtype=np.int32)
        for row, (step, own) in enumerate(zip(self.steps, self.rows, strict=True)):
            found = step.draw(rng)
            if found is None:
                return None
            levels: IntArray = found[0]
            ranks[row, own] = levels + 1
        second = Profile(models=self.models, voters=self.tasks, ranks=ranks, weights=self.weights)
        return places_of_rule(self.rule, _read(self.rule, second))


def _read(rule: Rule, source: Leaderboard | Profile) -> Leaderboard | Profile | Margins:
    return rule.data_of(source)


# Boards whose columns are resampled with replacement: all tasks, or the instances of each task.

BLOCK_CELLS = 1 << 24
"""Counts of draws are held in blocks of so many."""


class ColumnBoard(Frozen):
    """A board of whose columns some are drawn together: all tasks, or the instances of each task.

    Attributes
    ----------
    asked : Reweighed
        What is asked.
    present : ndarray of bool, models x columns
        Which scores there are, or are declared.
    strata : sequence of int
        How many columns there are of each kind, in order; of each kind as many are drawn.
    """

    asked: Reweighed
    present: BoolArray
    strata: Sequence[int]

    @classmethod
    def of(cls, question: Question, board: Leaderboard, strata: Sequence[int]) -> ColumnBoard:
        """Return the columns of a board, all of which weigh, to ask one question of."""
        asked, rule = reweighed(question, board), question.rule
        # A score that stands for missing ones, and a last place, are known of whatever columns are drawn.
        known = rule is not None and not has_gaps(rule.declared(board))
        return cls(asked=asked, present=~board.cells.missing | known, strata=strata)

    def counts(self, rng: np.random.Generator) -> IntArray:
        """Return how often each column is drawn."""
        return np.concatenate([drawn_counts(size, rng) for size in self.strata])

    def scored(self, counts: IntArray) -> bool:
        """Return whether each model has a score on some column that was drawn."""
        return bool(self.present[:, counts > 0].any(axis=1).all())

    def places(self, counts: IntArray) -> Places:
        """Return the answer for columns with these counts; None if a model has no score there."""
        return self.asked(counts) if self.scored(counts) else None

    def draw(self, rng: np.random.Generator) -> Places:
        """Return the result of one draw."""
        return self.places(self.counts(rng))


def drawn_counts(size: int, rng: np.random.Generator) -> IntArray:
    """Return how often each of so many things is drawn when as many are, each equally likely."""
    return np.bincount(rng.integers(size, size=size), minlength=size)


def places_together(
    columns: ColumnBoard, asked: AdditiveQuestion, repeats: int, seed: int, progress: Callable[[int], None] | None
) -> tuple[IntArray, BoolArray]:
    """Return the results of sums over the columns for all draws, many of them in one product."""
    size = max(1, BLOCK_CELLS // sum(columns.strata))
    found: list[tuple[IntArray, BoolArray]] = []
    for start in range(0, repeats, size):
        numbers = range(start, min(start + size, repeats))
        # A generator for each draw by its number: neither blocks nor parallel jobs change what is drawn.
        counts = np.array([columns.counts(generator_of(seed, number)) for number in numbers]).T
        levels, first = asked.all_places(counts)
        if not columns.present.all():
            blind = [place for place in range(len(numbers)) if not columns.scored(counts[:, place])]
            levels[blind], first[blind] = -1, False
        found.append((levels, first))
        if progress is not None:
            progress(len(numbers))
    return np.concatenate([levels for levels, _ in found]), np.concatenate([first for _, first in found])


# Exact means of resampled instances: sums of integers, one product a task and draw.


class TaskScores(Frozen):
    """The scores of one task as integers over a denominator.

    Attributes
    ----------
    rows : list of int
        Positions of its models among all.
    numerators : ndarray of int, models x instances
        Scores times ``denominator``, 0 where missing.
    denominator : int
        Common denominator.
    present : ndarray of bool or None
        Which scores there are; None where there are all.
    sign : int
        -1 where lower is better.
    """

    rows: list[int]
    numerators: AnyArray
    denominator: int
    present: BoolArray | None
    sign: int

    def sums(self, counts: IntArray) -> tuple[list[int], list[int]]:
        """Return each model's sum over the drawn instances times the denominator, and how many it has scores of."""
        sums = [int(one) for one in exact_products(self.numerators, counts)]
        if self.present is None:
            return sums, [int(counts.sum())] * len(sums)
        return sums, [int(one) for one in exact_products(self.present.astype(np.int64), counts)]


class MeansTable(Frozen):
    """All tasks of some instances, ready to be averaged over resampled instances.

    Attributes
    ----------
    models : int
        How many models there are.
    tasks : tuple of TaskScores
        One a task.
    """

    models: int
    tasks: tuple[TaskScores, ...]

    @classmethod
    def of(cls, instances: Instances) -> MeansTable:
        """Return the scores of instances as integers."""
        position = {model: row for row, model in enumerate(instances.models)}
        lower = set(instances.lower_is_better)
        tasks = []
        for name in instances.tasks:
            table = instances.table(name)
            numerators, denominator = _integers(table.cells)
            present = ~table.cells.missing
            tasks.append(
                TaskScores(
                    rows=[position[model] for model in table.models],
                    numerators=numerators,
                    denominator=denominator,
                    present=None if present.all() else present,
                    sign=-1 if name in lower else 1,
                )
            )
        return cls(models=len(position), tasks=tuple(tasks))

    @property
    def sizes(self) -> list[int]:
        """How many instances each task has."""
        return [task.numerators.shape[1] for task in self.tasks]

    def means(self, counts: Sequence[IntArray]) -> dict[tuple[int, int], Fraction]:
        """Return the exact means by (model, task); models without a score on the drawn instances have none."""
        found: dict[tuple[int, int], Fraction] = {}
        for column, (task, own) in enumerate(zip(self.tasks, counts, strict=True)):
            for row, total, count in zip(task.rows, *task.sums(own), strict=True):
                if count:
                    found[row, column] = Fraction(total, count * task.denominator)
        return found

    def levels(self, counts: Sequence[IntArray]) -> FloatArray | None:
        """Return numbers that order each task as the means do (models x tasks), NaN without a score.

        None where they would not be exact.
        """
        levels = np.full((self.models, len(self.tasks)), np.nan)
        for column, (task, own) in enumerate(zip(self.tasks, counts, strict=True)):
            sums, present = task.sums(own)
            # With equal counts sums order as means do; otherwise the means are brought to a common denominator.
            if len(set(present)) > 1:
                means = [
                    Fraction(total, count) if count else Fraction(0) for total, count in zip(sums, present, strict=True)
                ]
                sums = common_denominator(means)[0]
            if max(map(abs, sums)) >= FLOAT_EXACT:
                return None
            for row, total, count in zip(task.rows, sums, present, strict=True):
                levels[row, column] = task.sign * total if count else np.nan
        return levels


def _integers(cells: Cells) -> tuple[AnyArray, int]:
    """Return scores as integers over a denominator, 0 where missing."""
    if not cells.exact:
        found = decimals(np.nan_to_num(cells.floats))
        if found is not None:
            return found
    columns = [cells.column(column) for column in range(cells.floats.shape[1])]
    numerators, denominator = common_denominator([score or Fraction(0) for column in columns for score in column])
    return np.array(numerators, dtype=object).reshape(len(columns), -1).T, denominator
