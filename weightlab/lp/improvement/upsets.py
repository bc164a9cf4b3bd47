"""Upsets: the least improvement with which a model wins, at today's weights or under some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Literal, TypedDict, Unpack, overload

import numpy as np
import pandas as pd

from weightlab._exact import SignArray, common_denominator, exact_products
from weightlab._result import Proof, Record, ensure, exact_series, on_word_of
from weightlab._solver import Solver, within
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab._solver.covers import Cover
from weightlab._text import percent
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.frame.cells import exact_text
from weightlab.data.linear_rule import CONDORCET, MAJORITY, MEAN
from weightlab.exceptions import ImpossibleError, InputError, UnknownNameError
from weightlab.lp.by_model import Asked
from weightlab.lp.certificate import leads, nearby_weightings
from weightlab.lp.improvement import costs, score_column
from weightlab.lp.improvement.cheapest_levels import (
    MOST_CELLS,
    CheapestLevels,
    blocked_rows,
    cheapest_at,
    cheapest_in,
    cheapest_levels,
    duel_cover,
)
from weightlab.lp.improvement.mean_upset import MeanUpset, Rise, improved, least_rise, mean_terms
from weightlab.lp.improvement.thresholds import (
    ScoreThresholds,
    places_changed,
    signs_at,
    thresholds_by_result,
    thresholds_by_score,
)
from weightlab.lp.space.space import Vectors, WeightSpace, shares_of, space_for
from weightlab.lp.verdicts.prospect import linear_prospect


class Blocked(Record):
    """A mixture of rivals that no winning weights trail: it blocks improvements that leave it ahead.

    Attributes
    ----------
    blockers : mapping from rival to Fraction
        Shares of rivals, at least 0.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    """

    blockers: Mapping[str, Fraction]
    vectors: Vectors


class Upset(Rise, kind="upset"):
    """The least to improve so that a model beats every rival.

    Attributes
    ----------
    model, table, scores, cost, weights, space, terms
        As of a `Rise`: under the weights it leads every rival.
    cost_unit : str
        What improving costs: ``"score"`` (units of score) or ``"result"`` (results that change).
    against : tuple of str
        At today's weights: rivals that nothing cheaper beats, as the tree shows.
    refused : tuple of Blocked
        With a space: mixtures of rivals which the tree shows to block all that costs less.
    tree : BranchTree or None
        The proof of optimality: the bound on the cost of all improvements.
    solver : Solver or None
        Whose bound says so where no tree does; None, too, where it is clear without one.
    """

    cost_unit: costs.CostUnit
    against: tuple[str, ...] = ()
    refused: tuple[Blocked, ...] = ()
    tree: BranchTree | None = None
    solver: Solver | None = None

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Optimality is the solver's claim unless a tree proves it or it is evident."""
        return {"the improvements win": Proof.EXACT, "nothing cheaper does": on_word_of(self.solver)}

    @property
    def duels(self) -> pd.Series:
        """The exact lead over each rival, with the new scores, under ``weights``."""
        return exact_series(leads(self._after, self.weights.tolist()), self.rivals, "lead")

    @property
    def improvements(self) -> tuple[costs.Improvement, ...]:
        """The improvements, one per task, with what each changes and costs."""
        today, after, rivals = self._signs(self.table), self._after, self.rivals
        return tuple(self._improvement(task, today, after, rivals) for task in map(str, self.scores.index))

    def _improvement(self, task: str, today: SignArray, after: SignArray, rivals: Sequence[str]) -> costs.Improvement:
        column = self.table.tasks.index(task)
        before, now = today[:, column], after[:, column]
        old = self.table.cells.column(column)[self.table.models.index(self.model)]
        ensure(old is not None, f"{self.model!r} has no score on {task!r} that could improve")
        amount = abs(self.scores[task] - (old or 0)) if self.cost_unit == "score" else places_changed(before, now)
        return costs.Improvement(
            task=task,
            old=old or Fraction(0),
            new=self.scores[task],
            passed=tuple(rivals[one] for one in np.flatnonzero((now > before) & (now > 0))),
            tied=tuple(rivals[one] for one in np.flatnonzero((now > before) & (now == 0))),
            amount=Fraction(amount),
            cost=amount * self.terms[task].cost,
        )

    @cached_property
    def _after(self) -> SignArray:
        return self._signs(self.board())

    def _signs(self, board: Leaderboard) -> SignArray:
        return board.signs().matrix(self.model)

    @property
    def changes(self) -> pd.DataFrame:
        """The improvements as a tidy frame: task, from, to, passed, tied, cost; exact numbers."""
        rows = [(one.task, one.old, one.new, one.passed, one.tied, one.cost) for one in self.improvements]
        return pd.DataFrame(rows, columns=["task", "from", "to", "passed", "tied", "cost"], dtype=object)

    def __str__(self) -> str:
        """Say what to improve in one sentence; others name the terms and the conditions, if there are any."""
        where = where_it_wins(self.table, self.space)
        words = self.space.conditions_sentence if self.space is not None else ""
        improvements = self.improvements
        if not improvements:
            return f"{self.model} wins {where} as it is: nothing has to improve.{words}"
        least = "the minimum that is" if self.cost_unit == "score" else "the fewest results that are"
        rests = f"; optimality relies on the bound of {self.solver}" if self.solver else ""
        lower = set(self.table.lower_is_better)
        todo = costs.improvement_text(improvements, lower, by_score=self.cost_unit == "score")
        terms = costs.costs_text(self.terms, score_column.score_columns(self.table), by_score=self.cost_unit == "score")
        return f"{self.model} wins {where} if it can {todo}: {least} enough{rests}.{terms}{words}"

    def to_frame(self) -> pd.DataFrame:
        """Return the improvements, with the rivals passed and tied as text."""
        frame = self.changes
        for column in ("passed", "tied"):
            frame[column] = [", ".join(names) for names in frame[column]]
        return frame.set_index("task")

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic, without a solver, that the improvements are allowed, win, and cost so much.

        Optimality is re-checked by the tree if the result has one, and is the solver's claim
        otherwise; but then no improvement may be smaller, or left out, for less, while the others stay. What the
        solver's floats may still overlook is a change of several tasks at once that saves about a ten-millionth of the
        cost.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores and declarations must be those that the result carries, and the weights too when
            ``space`` is None.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        self.check_plan(source)
        self._check_terms()
        improvements = self.improvements
        for improvement in improvements:
            self._check_improvement(improvement)
        total = sum((improvement.cost for improvement in improvements), Fraction(0))
        ensure(total == self.cost, f"the improvements cost {total}, not {self.cost}")
        for rival, lead in self.duels.items():
            ensure(lead > 0, f"the lead over {rival!r} is {lead}: that duel is not won")
        trivial = self.is_clearly_least
        shown = trivial + (self.tree is not None) + (self.solver is not None)
        ensure(shown == 1, "a solver is named where, and only where, its bound is relied on")
        tree, free = self.tree is not None, self.space is not None
        ensure(not (self.against and (free or not tree)), "rivals of a tree stand without it")
        ensure(not self.refused or (free and tree), "refusals of a tree stand without it")
        if self.tree is not None:
            program, unit = self.program
            ensure((self.cost / unit).denominator == 1, "no levels cost so much")
            self.tree.check(program, int(self.cost / unit))
        elif not trivial:
            self._check_needed(improvements)
        return True

    @cached_property
    def program(self) -> tuple[IntegerRows, Fraction]:
        """The program whose optimum the cost is, and the unit of its costs."""
        position, rivals = self.table.models.index(self.model), self.rivals
        ensure(set(self.against) <= set(rivals), "the tree is about rivals that the table does not have")
        beaten = np.array([self.space is not None or one in self.against for one in rivals], dtype=np.bool_)
        make = thresholds_by_score if self.cost_unit == "score" else thresholds_by_result
        columns = score_column.score_columns(self.table)
        every = [make(one, position, self.terms[one.task], beaten) for one in columns]
        if self.space is None:
            weights, _ = common_denominator(self.weights.tolist())
            whole = [weight // gcd(*weights) for weight in weights]
            some = [one.against(np.flatnonzero(beaten)) for one in every]
            return cheapest_levels(some, duel_cover(some, whole))
        pairs = list[tuple[list[int], int]]()
        for one in self.refused:
            ensure(set(one.blockers) <= set(rivals), "a blocker is not a rival")
            ensure(min(one.blockers.values(), default=0) >= 0, "a share of a blocker is negative")
            ensure(len(one.vectors) == len(self.space.conditions), "there must be one vector per condition")
            named = {rivals.index(rival): share for rival, share in one.blockers.items()}
            pairs += blocked_rows(every, self.space, named, one.vectors)
        width = sum(len(one) - 1 for one in every)
        gains = np.array([own for own, _ in pairs], dtype=object).reshape(len(pairs), width)
        return cheapest_levels(every, Cover.of(gains, [lacking for _, lacking in pairs]))

    def _check_terms(self) -> None:
        ensure(self.cost_unit in ("score", "result"), f"improving costs scores or results, not {self.cost_unit!r}")
        for terms, column in zip(self.terms.values(), score_column.score_columns(self.table), strict=True):
            own = column.gains[self.table.models.index(self.model)]
            possible = terms.best is None or own is None or column.score(terms.best) >= own
            ensure(possible, f"the best score on {column.task!r} is worse than today's")

    def _check_improvement(self, improvement: costs.Improvement) -> None:
        terms, lower = self.terms[improvement.task], improvement.task in self.table.lower_is_better
        better = improvement.old - improvement.new if lower else improvement.new - improvement.old
        ensure(better > 0, f"{improvement.new} is not an improvement on {improvement.old} on {improvement.task!r}")
        within = terms.most is None or improvement.amount <= terms.most
        ensure(within, f"{improvement.task!r} improves by {improvement.amount}, more than {terms.most}")
        if self.cost_unit == "score":
            steps = better / terms.step
            ensure(steps.denominator == 1, f"{improvement.task!r} improves by {steps} steps")
        reached = terms.best is None or (improvement.new >= terms.best if lower else improvement.new <= terms.best)
        ensure(reached, f"{improvement.new} on {improvement.task!r} is beyond the best score {terms.best}")

    def _check_needed(self, improvements: Sequence[costs.Improvement]) -> None:
        """Ensure that no weighting has the model win where one improvement is a smaller one that costs less."""
        own = tuple(self.weights.tolist())
        weightings = [own, *(() if self.space is None else nearby_weightings(self.space, own))]
        signs, position = self._after, self.table.models.index(self.model)
        scaled = [common_denominator(weights)[0] for weights in weightings]
        led = [exact_products(signs, weights) for weights in scaled]
        for improvement in improvements:
            place = self.table.tasks.index(improvement.task)
            column = score_column.score_column(self.table, place)
            # A score that rises loses nothing: where the highest that costs less does not win, none below it does.
            for less, after in self._next_cheaper(improvement, column, position):
                lost = signs[:, place] - after
                lowered = [own - w[place] * lost.astype(own.dtype) for own, w in zip(led, scaled, strict=True)]
                wins = any(one.min() > 0 for one in lowered)
                ensure(not wins, f"{exact_text(column.score(less))} on {improvement.task!r} would be enough, for less")

    def _next_cheaper(
        self, improvement: costs.Improvement, column: score_column.ScoreColumn, position: int
    ) -> Iterator[tuple[Fraction, SignArray]]:
        """Yield the highest gain that costs less, if there is one, and its signs over the rivals."""
        terms, gain = self.terms[improvement.task], column.score(improvement.new)
        if self.cost_unit == "score":
            if terms.cost:
                less, others = gain - terms.step, (*column.gains[:position], *column.gains[position + 1 :])
                yield less, np.array([column.sign(less, other) for other in others], dtype=np.int8)
            return
        levels = thresholds_by_result(column, position, terms, np.ones(len(self.rivals), dtype=np.bool_))
        cheaper = [
            (less, level)
            for level, (less, cost) in enumerate(zip(levels.gains, levels.costs, strict=True))
            if less is not None and less < gain and cost < improvement.cost
        ]
        for less, level in cheaper[-1:]:
            yield less, levels.signs(level)

    @property
    def is_clearly_least(self) -> bool:
        """Whether nothing can be cheaper: it costs nothing, or no more than any change does, and some is needed."""
        if self.cost == 0:
            return True
        if self.space is not None or min(leads(self._signs(self.table), self.weights.tolist())) > 0:
            return False
        single = [one.cost * (one.step if self.cost_unit == "score" else 1) for one in self.terms.values()]
        return self.cost == min(single)


class UpsetOptions(TypedDict, total=False):
    """What `upset` takes besides the table, the model and the rule."""

    space: WeightSpace | Literal["any"] | None
    kind: costs.CostUnit
    cost: costs.ByTask
    at_most: costs.ByTask | None
    best: costs.ByTask | None
    step: costs.ByTask | None
    time_limit: float | None


@overload
def upset(
    board: LeaderboardLike, model: str, *, rule: Literal["majority", "condorcet"] = ..., **options: Unpack[UpsetOptions]
) -> Upset: ...


@overload
def upset(board: LeaderboardLike, model: str, *, rule: str, **options: Unpack[UpsetOptions]) -> Upset | MeanUpset: ...


def upset(
    board: LeaderboardLike,
    model: str,
    *,
    space: WeightSpace | Literal["any"] | None = None,
    kind: costs.CostUnit = "score",
    cost: costs.ByTask = 1,
    at_most: costs.ByTask | None = None,
    best: costs.ByTask | None = None,
    step: costs.ByTask | None = None,
    rule: str = MAJORITY,
    time_limit: float | None = None,
) -> Upset | MeanUpset:
    """Find the least improvement that makes a model the Condorcet winner, or first by the mean.

    Parameters
    ----------
    board : Leaderboard
        The table.
    model : str
        Who is to win.
    space : WeightSpace or "any", optional
        None keeps today's weights, ``board.weights``. With a space the model must win under some weights of it, and
        ``"any"`` is the space of all weightings.
    kind : {"score", "result"}
        What is kept small: how far the model's own scores move, or how many results change. A result is the sign
        against one rival on one task. It counts once when it changes, be it from a loss or tie to a win or from a
        loss to a tie; a model that passes a rival has passed all rivals below.
    cost : number or mapping from task to number
        Price of one unit of score, or of one result; not negative. Scores of tasks in different units (points and
        seconds) are only comparable through it.
    at_most : number or mapping from task to number, optional
        The largest improvement of a score, or the most results that change, in a task; 0 keeps a task as it is.
    best : number or mapping from task to number, optional
        The best possible score, such as 100; by default the better end of the bounds that the table declares.
    step : number or mapping from task to number, optional
        A score moves by multiples of it; for ``kind="score"``. By default one unit of the last decimal place that is
        written anywhere in the task's column.
    rule : {"majority", "mean"}
        Whether it is to have a positive lead over every rival, or by the mean no rival ahead of it: then scores rise
        continuously, by the least total (times ``cost``), each up to ``best``, by default the end of the declared
        bounds, or else the best score in the table;
        ``kind`` and ``step`` play no part.
    time_limit : float, optional
        Seconds for each program; by the mean for all together.

    Returns
    -------
    Upset or MeanUpset
        The second by the mean.

    Raises
    ------
    ImpossibleError
        If no improvement within the limits wins; its ``proof`` is a Prospect of the best signs there can be.
    InputError
        If limits or prices are wrong, or a task has a relative tolerance above 1.
    EmptySpaceError
        If no weights satisfy the conditions of the space.
    UnprovedError, TimeLimitError
        If the optimum was not shown; ``known`` has the value and bound there are.

    Notes
    -----
    NP-hard. A rival is passed by the table's own comparison, tolerances included, and lower scores win where lower is
    better. A score that the model does not have stays missing, so it ties there; so do rivals' missing scores. To ask
    about a new score, put one in the table.

    Only finitely many scores of a task matter: the smallest score that ties, or beats, each rival. At fixed
    weights an integer program with a binary for each of these picks one per task, with exact whole-number leads;
    reduced costs of its linear relaxation, tightened by parities where weights are equal, leave few levels to try. With
    a space, the program has no weights: levels that it proposes are tried by the exact program of `prospect`, and the
    blockers found there become a cut (logic-based Benders decomposition), which replaces the products of weights and
    binaries and a least lead.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 (the signs); Hooker and Ottosson, Logic-based Benders decomposition,
    2003 (the cuts).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2.5, "b": 3.1}, "y": {"a": 7.0, "b": 6.2}, "z": {"a": 1, "b": 4}})
    >>> print(wl.lp.upset(board, "a"))
    a wins head-to-head at equal weights if it can raise x from 2.5 to 3.2: the minimum that is enough.
    """
    table = score_column.board_with_scores(board)
    position = table.signs().position(model)
    model = table.models[position]
    allowed = None if space is None else space_for(table.signs(), None if space == "any" else _a_space(space))
    _check_kind(rule, kind, step)
    if rule == MEAN:
        with within(time_limit):
            return least_rise(table, model, mean_terms(table, model, cost=cost, at_most=at_most, best=best), allowed)
    columns = score_column.score_columns(table)
    score_column.refuse_wide_tolerances([one for one in columns if one.gains[position] is not None], "an upset")
    terms = costs.costs_of(columns, position, kind, table.bounds, cost=cost, at_most=at_most, best=best, step=step)
    weights = list(shares_of(table.weights, table.tasks).values())
    today = leads(table.signs().matrix(model), weights)
    relevant = np.array([allowed is not None or lead <= 0 for lead in today], dtype=np.bool_)
    make = thresholds_by_score if kind == "score" else thresholds_by_result
    thresholds = [make(column, position, one, relevant) for column, one in zip(columns, terms, strict=True)]
    highest = [len(one) - 1 for one in thresholds]
    if allowed is not None or min(leads(signs_at(thresholds, highest), weights)) <= 0:
        _refuse_impossible(table, model, _scores_at(columns, thresholds, highest), allowed, time_limit)
    if allowed is None:
        cheapest = cheapest_at(thresholds, weights, time_limit=time_limit)
    else:
        cheapest = cheapest_in(thresholds, allowed, time_limit=time_limit)
    scores = _scores_at(columns, thresholds, cheapest.levels)
    if allowed is not None:
        found = linear_prospect(Asked.of(improved(table, model, scores), space=allowed), model, time_limit=time_limit)
        weights = found.weights.tolist()
    result = Upset(
        model=model,
        cost_unit=kind,
        table=table,
        scores=exact_series(list(scores.values()), list(scores), "score"),
        cost=cheapest.cost,
        weights=exact_series(weights, table.tasks, "weight"),
        space=allowed,
        terms=dict(zip(table.tasks, terms, strict=True)),
        solver=cheapest.solver,
    )
    return _proved(result, cheapest, thresholds, time_limit).verified()


def _proved(
    result: Upset, found: CheapestLevels, thresholds: Sequence[ScoreThresholds], time_limit: float | None
) -> Upset:
    """Return an upset with a tree that shows that nothing is cheaper, if it is needed and one closes."""
    if result.is_clearly_least:
        return replace(result, solver=None)
    tasks, rivals = result.table.tasks, result.rivals
    refused = [
        Blocked(
            blockers={rival: share for rival, share in zip(rivals, proof.blockers, strict=True) if share},
            vectors=proof.vectors,
        )
        for proof in found.refused
    ]
    most = 2 * len(found.rivals)
    columns = sum(min(len(own), most) if most else len(own) for own in thresholds)
    if columns * (len(tasks) + (most or len(refused))) > MOST_CELLS:
        return result
    shown = replace(result, against=tuple(rivals[one] for one in found.rivals), refused=tuple(refused), solver=None)
    program, unit = shown.program
    tree = branch_tree(program, int(result.cost / unit), time_limit=time_limit)
    return result if tree is None else replace(shown, tree=tree)


def _check_kind(rule: str, kind: str, step: object) -> None:
    """Refuse a rule that there is not, and what it does not take."""
    if rule not in (MAJORITY, CONDORCET, MEAN):
        raise UnknownNameError("rule", rule, (MAJORITY, MEAN), holder="list of rules for upsets")
    if rule == MEAN and (kind != "score" or step is not None):
        raise InputError("by the mean scores rise continuously: it takes no kind= and no step=")
    if kind not in ("score", "result"):
        raise InputError(f"kind must be 'score' or 'result'; got {kind!r}")


def _a_space(space: object) -> WeightSpace:
    if not isinstance(space, WeightSpace):
        raise InputError(f"space must be a WeightSpace, 'any', or None for today's weights; got {space!r}")
    return space


def _scores_at(
    columns: Sequence[score_column.ScoreColumn], thresholds: Sequence[ScoreThresholds], levels: Sequence[int]
) -> dict[str, Fraction]:
    """Return the new scores, by task, that reach given levels."""
    reached = zip(columns, thresholds, levels, strict=True)
    gains = {column: own.gains[level] for column, own, level in reached if level}
    return {column.task: column.score(gain) for column, gain in gains.items() if gain is not None}


def _refuse_impossible(
    table: Leaderboard, model: str, best: Mapping[str, Fraction], space: WeightSpace | None, time_limit: float | None
) -> None:
    """Raise ImpossibleError unless the model wins with the best scores it can have."""
    allowed = space or WeightSpace(table).near(None, 0, norm="linf")
    found = linear_prospect(Asked.of(improved(table, model, best), space=allowed), model, time_limit=time_limit)
    if found.margin <= 0:
        still = f"leads it by {percent(-found.margin)} of the weight" if found.margin else "ties it"
        where = f"{where_it_wins(table, space)}, however much it improves within the limits"
        raise ImpossibleError(f"{model!r} does not win {where}: some rival still {still}", proof=found)


def where_it_wins(table: Leaderboard, space: WeightSpace | None) -> str:
    """Return by which rule and under which weights, in words."""
    if space is not None:
        return "head-to-head under some weights"
    return f"head-to-head {weights_words(table)}"


def weights_words(table: Leaderboard) -> str:
    """Return at which weights today's are, in words."""
    return "at equal weights" if len(set(table.weights)) == 1 else "at today's weights"
