"""What improving costs: prices, steps and limits, task by task; and improvements in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from weightlab._cures import Cure, Fault
from weightlab._exact import Number, fraction
from weightlab._result import Frozen, Record, ensure
from weightlab._text import in_words
from weightlab._validate import Faults, exact_numbers, is_scalar, said_of
from weightlab.data.frame.cells import exact_text
from weightlab.data.frame.declarations import Range
from weightlab.exceptions import InputError
from weightlab.lp.certificate import check_exact
from weightlab.lp.improvement.score_column import ScoreColumn
from weightlab.lp.space.conditions import options_sentence

ByTask = Number | Mapping[str, Number]
"""One number for all tasks, or numbers by task."""
CostUnit = Literal["score", "result"]
"""What improving costs: units of score, or results that change."""


class ImprovementCosts(Record, eq=True):
    """On what terms one task may be improved.

    Attributes
    ----------
    cost : Fraction
        Price of one unit of score, or of one changed result; not negative.
    step : Fraction
        Scores move by multiples of it; positive.
    most : Fraction or None
        The largest improvement, in units of score, or the most results that may change.
    best : Fraction or None
        The best possible score.
    """

    cost: Fraction
    step: Fraction
    most: Fraction | None = None
    best: Fraction | None = None

    def check(self) -> None:
        """Ensure that the numbers are exact and of the right sign."""
        check_exact(**{name: value for name, value in vars(self).items() if value is not None})
        ensure(self.cost >= 0 and self.step > 0, "a price is negative, or a step is not positive")


def costs_of(
    columns: Sequence[ScoreColumn],
    model: int,
    cost_unit: CostUnit,
    bounds: Mapping[str, Range],
    *,
    cost: ByTask,
    at_most: ByTask | None,
    best: ByTask | None,
    step: ByTask | None,
) -> tuple[ImprovementCosts, ...]:
    """Return the terms of every task from what a user says about them, and from the bounds that the table declares.

    Raises
    ------
    InputError
        Listing every error: unknown tasks, negative numbers, steps of 0, a best score that the model has passed
        already, tasks whose scores are no decimals and that have no step.
    """
    if cost_unit == "result" and step is not None:
        raise InputError("step= is about scores: it needs kind='score'")
    faults, tasks = Faults(), [column.task for column in columns]
    given = {
        "cost": _by_task(cost, tasks, "cost", faults),
        "at_most": _by_task(at_most, tasks, "at_most", faults),
        "best": _ends(columns, bounds) | _by_task(best, tasks, "best score", faults),
        "step": _by_task(step, tasks, "step", faults),
    }
    terms = tuple(_costs(column, model, cost_unit, given, faults) for column in columns)
    faults.raise_if_any()
    return terms


def _ends(columns: Sequence[ScoreColumn], bounds: Mapping[str, Range]) -> dict[str, Fraction]:
    """Return the better end of the scores of each task that has one."""
    ends = {column.task: bounds.get(column.task, (None, None))[not column.lower_is_better] for column in columns}
    return {task: end for task, end in ends.items() if end is not None}


def _by_task(given: Any, tasks: Sequence[str], what: str, faults: Faults) -> dict[str, Fraction]:
    if given is None:
        return {}
    if not is_scalar(given):
        return exact_numbers(given, tasks, "task", faults, what=what, holder="leaderboard")
    try:
        return dict.fromkeys(tasks, fraction(given))
    except InputError as error:
        faults.add(f"{what} must be a finite number, or numbers by task; got {said_of(given, error)}")
        return {}


def _costs(
    column: ScoreColumn, model: int, cost_unit: CostUnit, given: Mapping[str, Mapping[str, Fraction]], faults: Faults
) -> ImprovementCosts:
    task, own = column.task, column.gains[model]
    cost, most, best = given["cost"].get(task, Fraction(1)), given["at_most"].get(task), given["best"].get(task)
    if cost < 0 or (most is not None and most < 0):
        faults.add(f"cost and at_most of task {task!r} must not be negative; got {cost if cost < 0 else most}")
    unit = column.last_place()
    step = given["step"].get(task, unit or Fraction(1))
    if step <= 0:
        faults.add(f"step of task {task!r} must be positive; got {step}")
    if own is not None and most != 0:
        if cost_unit == "score" and unit is None and task not in given["step"]:
            told = f"scores of task {task!r} are not all decimals, so they have no last place"
            faults.add(Fault(told, Cure("step", "1/10")))
        if best is not None and column.score(best) < own:
            has = exact_text(column.score(own))
            faults.add(f"the best score of task {task!r} is {exact_text(best)}, but the model has {has} already")
    return ImprovementCosts(cost=cost, step=step, most=most, best=best)


def costs_text(terms: Mapping[str, ImprovementCosts], columns: Sequence[ScoreColumn], *, by_score: bool) -> str:
    """Return a sentence that names all terms other than the defaults; empty if there are no others."""
    wishes = [
        {task: f"price {exact_text(one.cost)}" for task, one in terms.items() if one.cost != 1},
        {task: f"at most {exact_text(one.most)}" for task, one in terms.items() if one.most is not None},
        {task: f"best score {exact_text(one.best)}" for task, one in terms.items() if one.best is not None},
    ]
    if by_score:
        units = {column.task: column.last_place() for column in columns}
        steps = {task: one.step for task, one in terms.items() if one.most != 0 and one.step != units[task]}
        wishes.append({task: f"steps of {exact_text(step)}" for task, step in steps.items()})
    return options_sentence("Terms", wishes, len(terms), "every task")


# What a model improves on one task, and how that is worded.

MOST = 8
"""Largest number of improvements, or of rivals passed in one, that are named; the rest is counted."""


class Improvement(Frozen, eq=True):
    """One task's improvement.

    Attributes
    ----------
    task : str
        Where.
    old, new : Fraction
        The model's score before and after.
    passed, tied : tuple of str
        Rivals that the model newly leads, and that it newly ties, in board order.
    amount : Fraction
        How much that is: units of score, or results that change.
    cost : Fraction
        Its price.
    """

    task: str
    old: Fraction
    new: Fraction
    passed: tuple[str, ...]
    tied: tuple[str, ...]
    amount: Fraction
    cost: Fraction


def improvement_text(improvements: Sequence[Improvement], lower_is_better: Collection[str], *, by_score: bool) -> str:
    """Return the improvements in words, such as ``raise RTE from 92.5 to 93.1 and WSC from 93.8 to 95.9``."""
    if by_score:
        moved: dict[str, list[str]] = {"raise": [], "lower": []}
        for one in improvements:
            verb = "lower" if one.task in lower_is_better else "raise"
            moved[verb].append(f"{one.task} from {exact_text(one.old)} to {exact_text(one.new)}")
        return " and ".join(f"{verb} {in_words(said, MOST)}" for verb, said in moved.items() if said)
    passing = [f"pass {in_words(one.passed, MOST)} on {one.task}" for one in improvements if one.passed]
    tying = [f"tie {in_words(one.tied, MOST)} on {one.task}" for one in improvements if one.tied]
    return in_words([*passing, *tying], MOST)
