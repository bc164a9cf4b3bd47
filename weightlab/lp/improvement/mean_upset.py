"""Rises of scores that make a model win, and the least total one that makes it first by the mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, largest_entry
from weightlab._result import ByName, Record, Result, Seen, ensure, exact_series
from weightlab._text import first_few, in_words, rounded
from weightlab.data import Leaderboard
from weightlab.data.frame.cells import exact_text
from weightlab.data.linear_rule import MEAN, LinearRule
from weightlab.data.points import Points
from weightlab.exceptions import ImpossibleError, UnprovedError
from weightlab.lp.by_model import Asked
from weightlab.lp.certificate import (
    check_bound,
    check_exact,
    check_weights,
    column_sums,
    leads,
    least_lead,
    series_dict,
)
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.improvement import costs, score_column
from weightlab.lp.space.conditions import ZERO
from weightlab.lp.space.space import Vectors, WeightSpace, shares_of
from weightlab.lp.verdicts.prospect import linear_prospect

What: TypeAlias = Literal["level", "ahead"]
"""What is refused: that the model then ties for the first place, or that it is ahead."""
MOST_SETS = 1_000
"""Largest number of sets of tasks at their limits that are looked through."""
DIGITS = 7
"""Scores of more characters are rounded in sentences."""


class Rise(Result):
    """Base of upsets.

    Attributes
    ----------
    model : str
        Who is to win.
    table : Leaderboard
        The table as it is.
    scores : Series of Fraction by task
        The model's new scores on the tasks on which it improves.
    cost : Fraction
        What they cost together.
    weights : Series of Fraction by task
        Shares of total weight under which it then wins: today's, or some of the space.
    space : WeightSpace or None
        The weights that were allowed; None means today's.
    terms : mapping from task to ImprovementCosts
        Prices and limits.
    """

    model: str
    table: Leaderboard
    scores: Seen[pd.Series] = ByName()
    cost: Fraction
    weights: Seen[pd.Series] = ByName("table.tasks")
    space: WeightSpace | None
    terms: Mapping[str, costs.ImprovementCosts]

    def board(self) -> Leaderboard:
        """Return the table with the new scores."""
        return improved(self.table, self.model, series_dict(self.scores))

    @property
    def rivals(self) -> tuple[str, ...]:
        """All other models, in board order."""
        return tuple(one for one in self.table.models if one != self.model)

    def check_plan(self, source: Leaderboard | None, *, tolerances: bool = True) -> None:
        """Ensure that names, terms and weights are those of the table, and the table that of a source if given."""
        if source is not None:
            weighed = None if self.space is not None else "shares"
            self.table.ensure_same(source, weights=weighed, groups=False, tolerances=tolerances)  # type: ignore[arg-type]
        ensure(self.model in self.table.models, f"the table has no model {self.model!r}")
        ensure(tuple(self.terms) == self.table.tasks, "the terms are not about the tasks of the table, in order")
        check_exact(cost=self.cost)
        improving = {*series_dict(self.scores)}
        ensure(improving <= {*self.table.tasks}, "the new scores name a task that the table does not have")
        for terms in self.terms.values():
            terms.check()
        weights = series_dict(self.weights)
        if self.space is None:
            ensure(weights == shares_of(self.table.weights, self.table.tasks), "the weights are not today's")
            return
        ensure(self.space.tasks == self.table.tasks, "the space is not about the tasks of the table, in order")
        check_weights(weights, self.space)


def improved(table: Leaderboard, model: str, scores: Mapping[str, Fraction]) -> Leaderboard:
    """Return a table with new scores of a model, by task."""
    return score_column.with_scores(table, {(model, task): score for task, score in scores.items()})


class Refusal(Record):
    """Rises with which no weights of the space put the model first, with what proves it.

    Attributes
    ----------
    rises : mapping from task to Fraction
        By how much scores rise.
    blockers : mapping from rival to Fraction
        A mixture of rivals that stays ahead, or level.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    bound : Fraction
        The lead over the mixture that no weights exceed: 0 or less.
    """

    rises: Mapping[str, Fraction]
    blockers: Mapping[str, Fraction]
    vectors: Vectors
    bound: Fraction

    def covers(self, rises: Mapping[str, Fraction], what: What) -> bool:
        """Return whether it refutes that these rises put the model level, or ahead."""
        enough = self.bound < 0 if what == "level" else self.bound <= 0
        return enough and all(rise <= self.rises.get(task, ZERO) for task, rise in rises.items())


class MeanUpset(Rise, kind="mean_upset"):
    """The least total rise of a model's scores that makes it first by the mean, level with others at least.

    Attributes
    ----------
    model, table, scores, cost, weights, space, terms
        As of a `Rise`: no rival is then ahead under the weights. New scores are any numbers, not only decimals; without
        a best score of its own a task is limited by the best score in the table.
    refused : tuple of Refusal
        Where weights are free, rises that are not enough: they cover all that would cost less.
    """

    refused: tuple[Refusal, ...]

    @property
    def rises(self) -> dict[str, Fraction]:
        """By how much the score gets better, on each task on which it does."""
        position, columns = self.table.models.index(self.model), self._columns
        return {
            task: columns[task].score(new) - _own(columns[task], position)
            for task, new in series_dict(self.scores).items()
        }

    @cached_property
    def _columns(self) -> dict[str, score_column.ScoreColumn]:
        return {one.task: one for one in score_column.score_columns(self.table)}

    @property
    def level(self) -> tuple[str, ...]:
        """The rivals that tie with the model then, in board order."""
        rows = _whole(_points(self.table), self.model, self.rises)[0]
        found = leads(rows, self.weights.tolist())
        return tuple(rival for rival, lead in zip(self.rivals, found, strict=True) if not lead)

    def to_frame(self) -> pd.DataFrame:
        """Return for each task that improves the score before and after, by how much it gets better and the cost."""
        position = self.table.models.index(self.model)
        olds = {task: one.score(_own(one, position)) for task, one in self._columns.items()}
        rises = self.rises
        rows = [(olds[task], self.scores[task], rise, rise * self.terms[task].cost) for task, rise in rises.items()]
        names = pd.Index([*self.rises], name="task", dtype=object)
        return pd.DataFrame(rows, index=names, columns=["from", "to", "rise", "cost"], dtype=object)

    def __str__(self) -> str:
        """Say in one sentence what must rise; others name the terms and the conditions."""
        where = "under some weights" if self.space is not None else "with the current weights"
        equal = self.space is None and len(set(self.table.weights)) == 1
        where = "with equal weights" if equal else where
        words = self.space.conditions_sentence if self.space is not None else ""
        frame = self.to_frame()
        if frame.empty:
            return f"{self.model} is first by average {where} as it is: nothing has to rise.{words}"
        verbs = {task: "lower" if task in self.table.lower_is_better else "raise" for task in map(str, frame.index)}
        ends = zip(verbs.items(), frame["from"], frame["to"], strict=True)
        steps = [f"{verb} {task} from {_text(old)} to {_text(new)}" for (task, verb), old, new in ends]
        level = f", tied with {first_few(self.level, 3)}" if self.level else ""
        total = f"{_text(self.cost)} in total"
        columns = tuple(self._columns.values())
        told = costs.costs_text(self.terms, columns, by_score=False)
        return (
            f"{self.model} is first by average {where}{level}, if it can {in_words(steps, costs.MOST)}: {total}, and "
            f"no less is enough.{told}{words}"
        )

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic, without a solver, that the rises are allowed and enough, and the cheapest.

        At today's weights the rises that buy most for their price come first, which is the optimum of a fractional
        knapsack. Where weights are free each refusal is re-checked, and that they cover all cheaper rises.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores and declarations must be those that the result carries, and the weights too when
            ``space`` is None.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        self.check_plan(source, tolerances=False)
        limits, rises = limits_of(self.table, self.model, self.terms), self.rises
        for task, rise in rises.items():
            ensure(0 < rise <= limits[task], f"{task!r} rises by {rise}, where up to {limits[task]} is allowed")
        total = sum((rise * self.terms[task].cost for task, rise in rises.items()), ZERO)
        ensure(total == self.cost, f"the rises cost {total}, not {self.cost}")
        weights = series_dict(self.weights)
        points = _points(self.table)
        rows, _ = _whole(points, self.model, rises)
        lead = least_lead(rows, list(weights.values()))
        ensure(lead >= 0, f"some rival is ahead of {self.model!r} under the weights")
        if self.space is None:
            cheapest = cheapest_at(points, self.model, limits, self.terms, list(weights.values()))
            ensure(_cost(cheapest or {}, self.terms) == total, "other rises cost less")
            return True
        for one in self.refused:
            ensure(all(rise >= 0 for rise in one.rises.values()), "a rise that is refused is negative")
            ensure({*one.rises} <= {*self.table.tasks}, "a rise that is refused is on no task of the table")
            scaled, unit = _whole(points, self.model, one.rises)
            vectors = _times(one.vectors, unit)
            check_bound(scaled, self.rivals, one.blockers, vectors, self.space, bound=one.bound, unit=unit)
        open_ = not_refused(
            limits, self.terms, self.cost, lambda some, what: any(one.covers(some, what) for one in self.refused)
        )
        on = ", ".join(open_ or ()) or "no task"
        ensure(open_ is None, f"nothing shows that rises on {on} are not enough for less")
        return True


def least_rise(
    table: Leaderboard,
    model: str,
    terms: Mapping[str, costs.ImprovementCosts],
    space: WeightSpace | None,
) -> MeanUpset:
    """Return the cheapest rises that make a model first by the mean.

    Raises
    ------
    ImpossibleError
        If all rises to their limits are not enough; its ``proof`` is the Prospect of the model with these.
    MissingScoresError
        If a score is missing.
    UnprovedError
        If too many sets of tasks at their limits cost less.

    Notes
    -----
    Today's weights: a fractional knapsack. Free weights: a product of weight and rise, but rises that are *not* enough
    form a convex set, and with rises all smaller ones belong to it, too. For weights at which cheapest rises are enough
    every rise that adds as much is; so some cheapest one has tasks at their limits, one task between, and none else
    (Hillestad and Jacobsen, Reverse convex programming, 1980). For tasks at their limits and one more each least rise
    is a linear-fractional program, solved by `widest_margin` with ever smaller rises (Dinkelbach 1967). Without
    conditions, and up to the best scores in the table, one task alone is cheapest.
    """
    if space is None:
        weights, refused = list(shares_of(table.weights, table.tasks).values()), tuple[Refusal, ...]()
        rises = cheapest_at(_points(table), model, limits_of(table, model, terms), terms, weights)
        if rises is None:
            _refuse(table, model, terms, WeightSpace(table).near(None, 0, norm="linf"))
    else:
        search = _Search(table, model, terms, space)
        rises, weights, refused = search.rises, search.weights, tuple(search.refused)
    position = table.models.index(model)
    columns = {one.task: one for one in score_column.score_columns(table)}
    scores = {task: columns[task].score(_own(columns[task], position) + rise) for task, rise in (rises or {}).items()}
    return MeanUpset(
        model=model,
        table=table,
        scores=exact_series(list(scores.values()), list(scores), "score"),
        cost=_cost(rises or {}, terms),
        weights=exact_series(weights, table.tasks, "weight"),
        space=space,
        terms=terms,
        refused=refused,
    ).verified()


class _Search:
    """The cheapest rises where weights are free, with refusals of all that cost less."""

    def __init__(
        self, table: Leaderboard, model: str, terms: Mapping[str, costs.ImprovementCosts], space: WeightSpace
    ) -> None:
        self.table, self.model, self.terms, self.space = table, model, terms, space
        self.points = _points(table)
        self.rivals = [one for one in table.models if one != model]
        self.limits = limits_of(table, model, terms)
        self.refused: list[Refusal] = []
        whole = {task: limit for task, limit in self.limits.items() if limit}
        self.weights: list[Fraction] = []
        if self._refused(whole, "level"):
            _refuse(table, model, terms, space)
            raise UnprovedError("least rise: the highest scores are refused and accepted", known={})
        # What is found lowers the cost that has to be beaten, and what was refused stays so.
        found: dict[str, Fraction] | None = whole
        while found is not None:
            self.rises = cheapest_at(self.points, model, self.limits, terms, self.weights) or {}
            own = self.weights
            found = self._together() or not_refused(self.limits, terms, _cost(self.rises, terms), self._refused)
        self.weights = own

    def _together(self) -> dict[str, Fraction] | None:
        """Refuse rises on many tasks at once, halves of those that are not; return cheaper rises if some turn up."""
        cost = _cost(self.rises, self.terms)
        free = {task: limit for task, limit in self.limits.items() if limit and not self.terms[task].cost}
        priced = [task for task, limit in self.limits.items() if limit and self.terms[task].cost]
        most = {task: min(cost / self.terms[task].cost, self.limits[task]) for task in priced}
        parts = [priced] if cost else []
        while parts:
            some = parts.pop()
            if len(some) < 2 or self._refused(free | {task: most[task] for task in some}, "ahead"):
                continue
            rises = cheapest_at(self.points, self.model, self.limits, self.terms, self.weights)
            if rises is not None and _cost(rises, self.terms) < cost:
                return rises
            parts += [some[: len(some) // 2], some[len(some) // 2 :]]
        return None

    def _refused(self, rises: Mapping[str, Fraction], what: What) -> bool:
        """Return whether rises are refused, noting the proof; where they are not, the weights with which they do."""
        if any(one.covers(rises, what) for one in self.refused):
            return True
        scaled, unit = _whole(self.points, self.model, rises)
        proof = widest_margin(scaled, self.rivals, self.space)
        if proof.upper > 0 or (what == "level" and proof.upper == 0):
            self.weights = list(proof.weights)
            return False
        at_most = {task: rise for task, rise in rises.items() if rise}
        if what == "ahead":
            # The same mixture refuses more: each task may rise by itself until the mixture ties there.
            pairs = zip(self.space.conditions, proof.vectors, strict=True)
            right = sum((condition.support(vector) for condition, vector in pairs), ZERO)
            sums = zip(self.space.tasks, column_sums(scaled, proof.blockers), strict=True)
            beside = {task: sum((one.get(task, ZERO) for one in proof.vectors), ZERO) for task in self.space.tasks}
            at_most = {task: rises.get(task, ZERO) - (led - beside[task] + right) / unit for task, led in sums}
        bound = ZERO if what == "ahead" else proof.upper / unit
        vectors = _times(proof.vectors, Fraction(1, unit))
        self.refused.append(Refusal(rises=at_most, blockers=proof.mixture, vectors=vectors, bound=bound))
        return True


def not_refused(
    limits: Mapping[str, Fraction],
    terms: Mapping[str, costs.ImprovementCosts],
    cost: Fraction,
    refused: Callable[[Mapping[str, Fraction], What], bool],
) -> dict[str, Fraction] | None:
    """Return rises that might be enough for less, None where all are refused; the last task's may be lower.

    Some tasks are at their limits and one more, last, as high as the cost or its own limit allows: in the first case
    these must not put the model ahead, in the second not even level.
    Sets of tasks at their limits are searched one by one, except those whose remaining rises are refused at
    once: all other tasks as high as each may be, or each alone as high as the cost allows, whatever its limit,
    as all other rises of that cost lie between these (rises that are refused form a convex set).
    """
    if cost <= 0:
        return None
    free = {task: limit for task, limit in limits.items() if limit and not terms[task].cost}
    priced = [task for task, limit in limits.items() if limit and terms[task].cost]
    if not refused(free, "level"):
        return free
    stack: list[tuple[tuple[str, ...], int]] = [((), 0)]
    for _ in range(MOST_SETS):
        if not stack:
            return None
        chosen, start = stack.pop()
        base = free | {task: limits[task] for task in chosen}
        spent = _cost(base, terms)
        most = {task: (cost - spent) / terms[task].cost for task in priced if task not in base}
        for task, rise in most.items():
            one = base | {task: min(rise, limits[task])}
            if not refused(one, "level" if rise > limits[task] else "ahead"):
                return one
        over = [task for task, rise in most.items() if rise > limits[task]]
        if all(refused(base | {task: most[task]}, "ahead") for task in over) or refused(
            base | {task: min(rise, limits[task]) for task, rise in most.items()}, "level"
        ):
            continue
        places = range(start, len(priced))
        fits = (one for one in places if spent + limits[priced[one]] * terms[priced[one]].cost < cost)
        stack.extend(((*chosen, priced[one]), one + 1) for one in fits)
    told = f"least rise: more than {MOST_SETS:,} sets of tasks at their limits cost less"
    raise UnprovedError(told, known={"value": cost})


def limits_of(table: Leaderboard, model: str, terms: Mapping[str, costs.ImprovementCosts]) -> dict[str, Fraction]:
    """Return by how much the model's score may get better on each task."""
    position, limits = table.models.index(model), dict[str, Fraction]()
    for column in score_column.score_columns(table):
        one, own = terms[column.task], _own(column, position)
        best = max(gain for gain in column.gains if gain is not None) if one.best is None else column.score(one.best)
        room = max(ZERO, best - own)
        limits[column.task] = room if one.most is None else min(room, one.most)
    return limits


def cheapest_at(
    points: Points,
    model: str,
    limits: Mapping[str, Fraction],
    terms: Mapping[str, costs.ImprovementCosts],
    weights: Sequence[Fraction],
) -> dict[str, Fraction] | None:
    """Return the cheapest rises at given weights, None where none are enough: most weight for the price first."""
    rows, unit = _whole(points, model, {})
    lacking, rises = max(ZERO, -least_lead(rows, weights) / unit), dict[str, Fraction]()
    shares = {task: weight for task, weight in zip(points.tasks, weights, strict=True) if weight}
    for task in sorted(shares, key=lambda task: terms[task].cost / shares[task]):
        rise = min(limits[task], lacking / shares[task])
        lacking -= rise * shares[task]
        rises |= {task: rise} if rise else {}
    return None if lacking else {task: rises[task] for task in points.tasks if task in rises}


def _cost(rises: Mapping[str, Fraction], terms: Mapping[str, costs.ImprovementCosts]) -> Fraction:
    return sum((rise * terms[task].cost for task, rise in rises.items()), ZERO)


def _times(vectors: Vectors, factor: Fraction | int) -> Vectors:
    return tuple({task: value * factor for task, value in one.items()} for one in vectors)


def _text(value: Fraction) -> str:
    """Return a score as its decimal, what it rounds to where that is long."""
    text = exact_text(value)
    return text if len(text) <= DIGITS else rounded(value, 3)


def _points(table: Leaderboard) -> Points:
    return LinearRule(name=MEAN).points(table)


def _own(column: score_column.ScoreColumn, position: int) -> Fraction:
    own = column.gains[position]
    ensure(own is not None, f"the model has no score on {column.task!r}")
    return own or ZERO


def _whole(points: Points, model: str, rises: Mapping[str, Fraction]) -> tuple[AnyArray, int]:
    """Return the leads over all rivals by task with some rises, as whole numbers, and their unit."""
    rows, unit = points.matrix(model), points.denominator
    by = {points.tasks.index(task): rise * unit for task, rise in rises.items() if rise}
    finer = math.lcm(1, *(rise.denominator for rise in by.values()))
    if not by:
        return rows, unit
    raised = {place: int(rise * finer) for place, rise in by.items()}
    fits = largest_entry(rows) * finer + max(map(abs, raised.values())) < INT64_SAFE // 2
    scaled = rows.astype(np.int64 if fits else object) * finer
    for place, rise in raised.items():
        scaled[:, place] += rise
    return scaled, unit * finer


def _refuse(table: Leaderboard, model: str, terms: Mapping[str, costs.ImprovementCosts], space: WeightSpace) -> None:
    """Raise ImpossibleError with the Prospect of the model at the limits of all tasks."""
    position = table.models.index(model)
    columns = {one.task: one for one in score_column.score_columns(table)}
    limits = {task: limit for task, limit in limits_of(table, model, terms).items() if limit}
    best = {task: columns[task].score(_own(columns[task], position) + rise) for task, rise in limits.items()}
    found = linear_prospect(Asked.of(improved(table, model, best), MEAN, space=space), model)
    if found.margin < 0:
        told = f"{model!r} is not first by average, however much it rises within the limits: some rival stays ahead by"
        raise ImpossibleError(f"{told} {_text(-found.margin)}", proof=found)


def mean_terms(
    table: Leaderboard,
    model: str,
    *,
    cost: costs.ByTask,
    at_most: costs.ByTask | None,
    best: costs.ByTask | None,
) -> dict[str, costs.ImprovementCosts]:
    """Return the terms of all tasks; scores of means are any numbers, so that there are no steps."""
    table.points("scores")  # refuses missing scores
    columns, position = score_column.score_columns(table), table.models.index(model)
    terms = costs.costs_of(columns, position, "score", table.bounds, cost=cost, at_most=at_most, best=best, step=1)
    return {task: replace(one, step=Fraction(1)) for task, one in zip(table.tasks, terms, strict=True)}
