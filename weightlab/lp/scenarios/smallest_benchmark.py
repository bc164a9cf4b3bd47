"""The smallest benchmark that says the same: the fewest tasks that keep the winner, the top or the whole order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import floor

import numpy as np
import pandas as pd

from weightlab._exact import Number, common_denominator, fraction
from weightlab._result import Proof, Record, Result, ensure, exact_series, told_of
from weightlab._solver import deadline_in, seconds_left
from weightlab._text import among, counted, first_few, number, percent, without
from weightlab._validate import RngLike, one_of, seed_of
from weightlab.data import Leaderboard, LeaderboardLike, TieBreak
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import EmptySpaceError, ImpossibleError, InputError, UnprovedError
from weightlab.lp.certificate import nonzero
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.improvement.lift_rules import LiftMissing, LiftRule, LiftRuleLike
from weightlab.lp.improvement.score_column import board_with_scores
from weightlab.lp.scenarios import kept_order
from weightlab.lp.scenarios.cheapest_set import CheapestSet, SetProgram, cheapest_set
from weightlab.lp.scenarios.fewest_tasks import SmallestSets, smallest_sets
from weightlab.lp.scenarios.fewest_tasks_search import TaskCut
from weightlab.lp.scenarios.fixed_weights import FixedSets, fewest_at_fixed, shares_on
from weightlab.lp.space.space import WeightSpace, space_for

MOST_COMPROMISES = 3
"""Further models that may fail, one by one, before the search for a compromise stops."""
WEIGHTED = {"free": "weights of their own", "today": "today's rescaled weights", "equal": "equal weights"}


class SizeStep(Record):
    """Some tasks with weights on them, and the share of the pairs that these keep.

    Attributes
    ----------
    tasks : tuple of str
        In the order of the table.
    weights : mapping from task to Fraction
        Of those that have weight.
    kept : Fraction
        Of the pairs of a kept model and any model below it (or tied with it), those that stand as today.
    """

    tasks: tuple[str, ...]
    weights: Mapping[str, Fraction]
    kept: Fraction


class HalfCheck(Record):
    """The tasks that keep the order of a random half of the models, tried on the other half.

    Attributes
    ----------
    models : tuple of str
        The half that they were chosen on, in the order of the table.
    weights : mapping from task to Fraction
        Of the tasks that were chosen; empty where no tasks keep that half's order.
    kept : Fraction or None
        The share of the pairs of the other half, led by one of the two today, that the same model leads under these
        weights; None where there is no such pair, or nothing was chosen.
    """

    models: tuple[str, ...]
    weights: Mapping[str, Fraction]
    kept: Fraction | None


class SmallestBenchmark(Result, kind="smallest_benchmark"):
    """The fewest tasks under which the top of today's order stays what it is, or the proof that no tasks do.

    Attributes
    ----------
    question : KeepQuestion
        What is kept, by which rule, with what lead.
    found : SmallestSets, FixedSets or CheapestSet
        The sets of tasks with their weights, why no smaller set does; with costs or a tolerance, why none is cheaper.
    steps : tuple of SizeStep
        One set a size, tasks dropped one by one: what is still kept.
    halves : tuple of HalfCheck
        The same question for random halves of the models.
    space : WeightSpace
        The weights that were allowed.
    table : Leaderboard
        The table as it is.
    compromises : tuple of CheapestSet
        Where no fewer than all tasks keep all: the same with one more model that may fail, with two, and so on, until
        fewer tasks do (the nearest compromise, the last of them) or the search ends.
    """

    derived = ("tasks", "kept")
    question: kept_order.KeepQuestion
    found: SmallestSets | FixedSets | CheapestSet
    steps: tuple[SizeStep, ...]
    halves: tuple[HalfCheck, ...]
    space: WeightSpace
    table: Leaderboard
    compromises: tuple[CheapestSet, ...] = ()

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets that were found, tasks in the order of the table; none where no tasks keep the order."""
        return self.found.sets

    @property
    def tasks(self) -> tuple[str, ...] | None:
        """The first set; None where no tasks keep the order."""
        return self.sets[0] if self.sets else None

    @property
    def weights(self) -> pd.Series:
        """The weights of these tasks, as shares."""
        own = self.found.weights[0] if self.sets else exact_series([], [], "weight")
        return own[[bool(weight) for weight in own]]

    @property
    def failing(self) -> tuple[str, ...]:
        """The kept models that may stand anywhere under these weights: at most as many as the tolerance."""
        return self.found.failing if isinstance(self.found, CheapestSet) else ()

    @property
    def compromise(self) -> CheapestSet | None:
        """Fewer than all tasks, which keep all but a few of the models; None where it is not needed, or not found."""
        last = self.compromises[-1] if self.compromises else None
        return last if last is not None and _is_smaller(last, self.table, self.question) else None

    @property
    def cost(self) -> Fraction | None:
        """What the first set costs; None without costs."""
        costs = self.question.costs
        return sum((costs[task] for task in self.tasks or ()), Fraction(0)) if costs and self.tasks else None

    @cached_property
    def _order(self) -> kept_order.KeptOrder:
        return kept_order.KeptOrder.of(self.table, self.question)

    @property
    def kept(self) -> tuple[tuple[str, ...], ...]:
        """The models that keep their places, best first, those that tie together."""
        return tuple(tuple(self.table.models[row] for row in level) for level in self._order.levels)

    @property
    def curve(self) -> pd.Series:
        """The share of the pairs that is kept (Fraction) by number of tasks, from all tasks to one.

        Where the weights are free, larger sets keep all that the smallest one does. Otherwise tasks are dropped one by
        one, each time that which costs least: better sets of the same size may exist, except where all is kept.
        """
        found = {len(one.tasks): one.kept for one in self.steps}
        least, most = min(found, default=1), max(found, default=0)
        sizes = range(len(self.table.tasks), least - 1, -1) if found else range(0)
        return pd.Series([found[min(size, most)] for size in sizes], index=list(sizes), dtype=object, name="kept")

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        more = {f"with {one.tolerance} that may fail no set is smaller": one.proof for one in self.compromises}
        if not self.sets:
            return {"no tasks keep the order": self.found.proof, **more}
        fewest = "no other set is as small" if self.found.is_complete else "fewer tasks do not keep the order"
        fewest = "no cheaper set keeps the order" if self.question.costs else fewest
        return {"the tasks keep the order": Proof.EXACT, fewest: self.found.proof, **more}

    def __str__(self) -> str:
        """Say which tasks keep what, how it is known that no smaller set does, and the result on half of the models."""
        rule, margin = self.question.rule, percent(self.question.margin, floor)
        of_what = {"majority": "weight", "mean": "range of today's means"}.get(rule.name, "range of today's points")
        how = f"{rule_words(rule)} with leads of at least {margin} of the {of_what}"
        conditions = self.space.conditions_sentence
        if self.tasks is None:
            weights, what = WEIGHTED[self.question.weights], self._what((), self.question.tolerance)
            return f"No tasks with {weights} keep {what} {how}.{self._compromise_words}{conditions}"
        count, whole = len(self.tasks), len(self.table.tasks)
        tasks = f"{count} of {counted(whole, 'task')} ({first_few(self.tasks)})"
        held = "alone keeps" if count == 1 else f"with {WEIGHTED[self.question.weights]} keep"
        fewer = "no cheaper set does" if self.cost is not None else "no smaller set does"
        may_fail = self.question.tolerance
        fewer = f"{fewer}, whichever {counted(may_fail, 'model')} may fail" if may_fail else fewer
        fewer = f"by {self.found.solver}'s bound {fewer}" if self.found.solver else fewer
        if self.cost is not None:
            whole_cost = sum(self.question.costs.values(), Fraction(0))
            fewer = f"the cost is {number(self.cost)} of {number(whole_cost)}, and {fewer}"
        also = f" So do {counted(len(self.sets) - 1, 'other set')} of that size." if len(self.sets) > 1 else ""
        what = self._what(self.failing, len(self.failing))
        said = f"{tasks} {held} {what} {how}; {fewer}."
        return f"{said}{also}{self._compromise_words}{conditions}{self._fits}"

    @property
    def _compromise_words(self) -> str:
        one = self.compromise
        if one is None:
            return ""
        tasks = f"{len(one.sets[0])} of {counted(len(self.table.tasks), 'task')} ({first_few(one.sets[0])})"
        verb = "keeps" if len(one.sets[0]) == 1 else "keep"
        return f" The nearest compromise: {tasks} {verb} {self._what(one.failing, len(one.failing))}."

    def _what(self, failing: Sequence[str], count_failing: int) -> str:
        levels = self.kept
        count = sum(map(len, levels))
        if count_failing:
            but = f" (all but {first_few(failing)})" if failing else ""
            top = "models in order" if count == len(self.table.models) else f"of the top {count}"
            top = f"of {count} {top}" if count == len(self.table.models) else top
            return f"{count - count_failing} {top}{but}"
        if count == len(self.table.models):
            return "the whole order"
        if len(levels) == 1:
            return (
                f"the tie of {first_few(levels[0])} for first place" if count > 1 else f"{levels[0][0]} in first place"
            )
        ties = ", ties included," if count > len(levels) else ""
        return f"the top {count}{ties}"

    @property
    def _fits(self) -> str:
        shares = [percent(one.kept) for one in self.halves if one.kept is not None]
        if not shares:
            return f" This fits these {len(self.table.models)} models; it was tried on no others."
        swapped = "".join(f" ({share} with the halves swapped)" for share in shares[1:])
        chosen = "tasks chosen in the same way on a random half of them keep the order"
        whom = f"{chosen} of {shares[0]} of the pairs in the other half{swapped}"
        return f" This fits these {len(self.table.models)} models: {whom}."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per task of the first set: its weight."""
        return self.weights.to_frame("weight").rename_axis(index="task")

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic, without a solver, that the tasks keep the order, and that no smaller set does.

        The latter relies on the solver, where it is named. What the steps keep, and what tasks chosen on a half of the
        models keep of the other half, is counted again.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores, declarations and shares of weight must be those that the result carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.table.ensure_same(source, weights="shares", groups=False)
        ensure(self.space.tasks == self.table.tasks, "the tasks of the space are not those of the table, in order")
        ensure(self.sets or self.found.is_complete, "there is no set, but there may be others")
        matrix, names = self._order.rows
        known = set(self.question.costs) in (set(), set(self.table.tasks))
        ensure(known, "there must be one cost per task")
        least = 0 <= self.question.tolerance <= max(self.question.most_failing(len(self.table.models)), 0)
        ensure(least, f"a tolerance of {self.question.tolerance} has no meaning here")
        priced = bool(self.question.costs or self.question.tolerance)
        ensure(isinstance(self.found, CheapestSet) == priced, "costs or a tolerance are kept where none were given")
        tolerances = [self.question.tolerance + extra for extra in range(1, len(self.compromises) + 1)]
        ensure([one.tolerance for one in self.compromises] == tolerances, "the compromises do not follow one another")
        early = [one for one in self.compromises[:-1] if _is_smaller(one, self.table, self.question)]
        ensure(not early, "a nearer compromise is known")
        for one in self.compromises:
            one.check(_program(self.table, self.question, self.space, tolerance=one.tolerance))
        if isinstance(self.found, CheapestSet):
            self.found.check(_program(self.table, self.question, self.space))
        elif isinstance(self.found, FixedSets):
            ensure(self.question.weights != "free" and not self.space.conditions, "the weights are not free to choose")
            self.found.check(matrix, names, self.table.tasks, _fixed(self.table, self.question))
        else:
            # That no weights at all keep the order says the same of fixed ones.
            ensure(self.question.weights == "free" or not self.sets, "the weights are fixed")
            ensure(self.found.least == 0 and not self.found.strict, "a different lead was requested")
            self.found.check(matrix, names, self.space)
        self._check_steps()
        for half in self.halves:
            self._check_half(half)
        return True

    def _check_steps(self) -> None:
        sizes = [len(step.tasks) for step in self.steps]
        falling = list(range(sizes[0], sizes[-1] - 1, -1)) if sizes else []
        ensure(sizes == falling and bool(sizes) == bool(self.sets), "the sizes do not fall one by one")
        for step in self.steps:
            ensure(step.tasks == tuple(among(self.table.tasks, step.tasks)), "tasks of a step are not the table's")
            ensure(set(step.weights) <= set(step.tasks), f"{len(step.tasks)} tasks: a weight is of another task")
            found = self._order.share_kept(self._allowed(step.weights))
            ensure(found == step.kept, f"{len(step.tasks)} tasks keep {found} of the pairs, not {step.kept}")

    def _allowed(self, weights: Mapping[str, Fraction]) -> list[int]:
        """Return weights as integers in proportion, ensuring that the question allows them."""
        integers, tasks = _integers(weights, self.table), self.table.tasks
        shares = [weights.get(task, Fraction(0)) for task in tasks]
        if self.question.weights == "free":
            ensure(sum(shares) == 1 and self.space.contains(shares), "weights are not in the space, or not shares")
            return integers
        fixed = _fixed(self.table, self.question)
        chosen = [place for place, share in enumerate(shares) if share]
        ensure(all(fixed[place] for place in chosen), "a task without weight has some")
        ensure(shares_on(chosen, fixed) == shares, "weights are not the fixed ones of their tasks")
        return integers

    def _check_half(self, half: HalfCheck) -> None:
        rest = [model for model in self.table.models if model not in half.models]
        ensure(len(half.models) + len(rest) == len(self.table.models), "a half is not of models of the table")
        ensure(abs(len(half.models) - len(rest)) <= 1, "the two parts are not halves")
        if not half.weights:
            ensure(half.kept is None, "nothing was chosen on a half, but it keeps something")
            return
        integers = self._allowed(half.weights)
        part = self.question.of_part(len(half.models), len(self.table.models))
        own = kept_order.KeptOrder.of(self.table, part, half.models)
        ensure(own.holds(integers), "the tasks chosen on a half do not keep its order")
        found = kept_order.share_alike(self.table, rest, self.question.rule, integers)
        ensure(found == half.kept, f"of the pairs of the other half {found} is kept, not {half.kept}")


def smallest_benchmark(
    board: LeaderboardLike,
    *,
    keep: kept_order.Keep = "winner",
    k: int = 10,
    weights: kept_order.WeightsOf = "free",
    rule: LiftRuleLike | None = None,
    margin: Number = "1/100",
    space: WeightSpace | None = None,
    break_ties: TieBreak = None,
    missing: LiftMissing = "error",
    cost: Mapping[str, Number] | pd.Series | None = None,
    tolerance: int = 0,
    most: int = 1,
    halves: bool = True,
    rng: RngLike = 0,
    time_limit: float | None = None,
) -> SmallestBenchmark:
    """Find the fewest tasks under which the winner, the top or the whole order stays what it is under today's weights.

    Parameters
    ----------
    board : Leaderboard
        The table; today's weights say what is kept.
    keep : {"winner", "top", "order"}
        The first place; the top ``k`` in their order, ahead of all others; or the whole order.
    k : int
        For the top: how many models. Those that tie the last of them are kept, too.
    weights : {"free", "today", "equal"}
        Those of the chosen tasks: any, today's rescaled, or equal ones.
    rule : str or sequence of numbers
        ``"mean"``, ``"majority"``, ``"borda"`` or another scoring rule by name, or the points of the places, best
        first; by default the table's own (`Leaderboard.rule`).
    margin : number
        Least lead of each kept pair, above 0: a share of the weight by majority, of the range of the rule's scores
        today otherwise.
    space : WeightSpace, optional
        Allowed weights, where they are free.
    break_ties : {"alphabetical", "reverse", None}
        Models that tie today must tie, or the first (last) in the alphabet must lead.
    missing : {"error", "last"}
        Missing scores are refused, or come last by points; by majority they tie.
    cost : mapping or Series from task to number, optional
        Positive, one for each task: the result is the cheapest set, not the fewest tasks.
    tolerance : int
        Greatest number of kept models that may fail. A model that fails may stand anywhere; all pairs of the others
        stand as today. With ``keep="top"``, ``k`` - ``tolerance`` of the top ``k`` stay in their order, ahead of all
        models below the top (ties for the last place widen the top); at most ``k`` - 1. With ``keep="order"`` that many
        models may be anywhere in the order; at most all but two. With ``keep="winner"`` it has no meaning and is
        refused.
    most : int
        Number of sets of the smallest size to look for; 1 with ``cost`` or ``tolerance``.
    halves : bool
        Whether two random halves of the models are also solved, and each answer is tried on the other half; not
        with ``tolerance``.
    rng : int, Generator or None
        The seed of the halves.
    time_limit : float, optional
        Seconds for each search.

    Returns
    -------
    SmallestBenchmark
        ``.tasks``, ``.weights``, ``.kept``, ``.curve``, ``.sets``, ``.halves``, ``.cost``, ``.failing``,
        ``.compromise``.

    Raises
    ------
    ImpossibleError
        If no tasks do it; its ``proof`` is the SmallestBenchmark that shows it.
    InputError
        If there are fewer models than are to be kept, majorities go round in a cycle (which is named), the margin is
        not positive, weights are not free but a space is given, costs are not positive or not one for each task, or the
        tolerance has no meaning.
    UnknownNameError, MissingScoresError, EmptySpaceError
        For an unknown rule, missing scores that may not be, and a space without weights.
    UnprovedError, TimeLimitError
        If the optimum was not shown. With ``cost`` or ``tolerance``, ``known`` has what tasks cost at least
        (``"least"``), and some that keep the order (``"tasks"``, ``"weights"``).

    Notes
    -----
    NP-hard. Free weights: a set of tasks on which no weights do it has a mixture of kept pairs that proves it (Farkas'
    lemma), hence a cut: some task outside of the set, widened as far as it goes, must be taken. The smallest set that
    meets all cuts is found by exhaustive search, so the minimum is checked exactly, up to a budget; beyond it the
    solver's bound is named. Fixed weights: an integer program, with an exhaustive search of all smaller sets. With
    ``cost`` or ``tolerance`` an integer program over tasks and failing models, whose bound a branch tree shows; the
    same where no fewer than all tasks keep all, for the nearest compromise: up to 3 more models may fail.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 9, "b": 5, "c": 1}, "y": {"a": 8, "b": 7, "c": 2}, "z": {"a": 1, "b": 2, "c": 0}}
    >>> board = wl.Leaderboard(scores)
    >>> print(wl.lp.smallest_benchmark(board, keep="order"))
    1 of 3 tasks (x) alone keeps the whole order by average with leads of at least 1% of the \
range of today's means; no smaller set does. This fits these 3 models; it was tried on no others.
    """
    table = board_with_scores(board)
    rule = table.rule if rule is None else rule
    one_of("keep", keep, ("winner", "top", "order"))
    if type(most) is not int or most < 1:
        raise InputError(f"most must be an integer of at least 1; got {most!r}")
    question = kept_order.KeepQuestion(
        k={"winner": 1, "order": len(table.models)}.get(keep, k),
        rule=LiftRule.of(rule, missing),
        weights=weights,
        margin=fraction(margin),
        break_ties=break_ties,
        tolerance=tolerance,
        costs=_costs(cost, table),
    )
    _ensure_meant(question, keep, len(table.models), most)
    if space is not None and question.weights != "free":
        raise InputError("a space is for free weights; today's and equal weights are fixed")
    allowed = space_for(table.signs(), space)
    deadline = deadline_in(time_limit)
    found = _smallest(table, question, allowed, most=most, time_limit=seconds_left(deadline))
    tried = not tolerance and halves and found.sets
    result = SmallestBenchmark(
        question=question,
        found=found,
        steps=tuple(_steps(table, question, allowed, found)),
        halves=tuple(_halves(table, question, allowed, seed_of(rng), time_limit)) if tried else (),
        space=allowed,
        table=table,
        compromises=tuple(_compromises(table, question, allowed, found, deadline)),
    ).verified()
    if result.tasks is None:
        raise ImpossibleError(str(result), proof=result)
    return result


def _costs(cost: Mapping[str, Number] | pd.Series | None, table: Leaderboard) -> dict[str, Fraction]:
    """Return the exact cost of each task, in the order of the table; none where tasks are counted."""
    if cost is None:
        return {}
    if not isinstance(cost, Mapping | pd.Series):
        raise InputError(f"cost must be a mapping or a Series from task to number; got a {type(cost).__name__}")
    given = {str(task): own for task, own in cost.items()}
    for name in [*without(list(given), table.tasks)][:1]:
        raise InputError(f"cost names {name!r}, which is not a task of the table")
    for task in without(table.tasks, list(given))[:1]:
        raise InputError(f"cost has no entry for {task!r}; give each task a cost")
    costs = {}
    for task in table.tasks:
        with told_of(f"the cost of {task!r}", InputError):
            costs[task] = fraction(given[task])
    return costs


def _ensure_meant(question: kept_order.KeepQuestion, keep: kept_order.Keep, count: int, most: int) -> None:
    """Refuse a tolerance that has no meaning, and more than one set with costs or a tolerance."""
    allowed, given = max(question.most_failing(count), 0), question.tolerance
    if type(given) is not int or given < 0:
        raise InputError(f"tolerance must be an integer of at least 0; got {given!r}")
    if given and keep == "winner":
        raise InputError("tolerance has no meaning for keep='winner', since one place is kept; use keep='top'")
    if given > allowed:
        raise InputError(
            f"tolerance is {given}, but with k = {question.k} of {count} models at most {allowed} may fail"
        )
    if most > 1 and (given or question.costs):
        raise InputError("with cost or tolerance only one set is found; omit most")


def _program(
    table: Leaderboard,
    question: kept_order.KeepQuestion,
    space: WeightSpace,
    *,
    tolerance: int | None = None,
    models: Sequence[str] | None = None,
) -> SetProgram:
    """Return the program for the cheapest set, by the question's own tolerance unless another is given."""
    return SetProgram(
        kept_order.KeptOrder.of(table, question, models),
        space,
        None if question.weights == "free" else _fixed(table, question),
        [question.costs.get(task, Fraction(1)) for task in table.tasks],
        question.tolerance if tolerance is None else tolerance,
    )


def _is_smaller(
    found: SmallestSets | FixedSets | CheapestSet, table: Leaderboard, question: kept_order.KeepQuestion
) -> bool:
    """Return whether fewer tasks do it than all that may have weight."""
    whole = len(table.tasks) if question.weights == "free" else sum(weight > 0 for weight in _fixed(table, question))
    return bool(found.sets) and len(found.sets[0]) < whole


def _compromises(
    table: Leaderboard,
    question: kept_order.KeepQuestion,
    space: WeightSpace,
    found: SmallestSets | FixedSets | CheapestSet,
    deadline: float | None,
) -> Iterator[CheapestSet]:
    """Yield, where only all tasks do it, or none, the cheapest sets with more and more models that may fail."""
    last = min(question.most_failing(len(table.models)), question.tolerance + MOST_COMPROMISES)
    tolerance = question.tolerance
    while not _is_smaller(found, table, question) and tolerance < last:
        tolerance += 1
        try:
            program = _program(table, question, space, tolerance=tolerance)
            found = cheapest_set(program, time_limit=seconds_left(deadline))
        except UnprovedError:
            return  # what is known stays: the answer itself
        yield found


def _smallest(
    table: Leaderboard,
    question: kept_order.KeepQuestion,
    space: WeightSpace,
    *,
    most: int = 1,
    time_limit: float | None,
    models: Sequence[str] | None = None,
) -> SmallestSets | FixedSets | CheapestSet:
    if question.costs or question.tolerance:
        return cheapest_set(_program(table, question, space, models=models), time_limit=time_limit)
    matrix, names = kept_order.KeptOrder.of(table, question, models).rows
    widest = widest_margin(matrix, names, space, time_limit=time_limit)
    if widest.upper >= 0 and question.weights != "free":
        return fewest_at_fixed(matrix, table.tasks, _fixed(table, question), most=most, time_limit=time_limit)
    if widest.upper >= 0:
        return smallest_sets(
            matrix, names, space, least=Fraction(0), strict=False, most=most, widen=True, time_limit=time_limit
        )
    never = TaskCut(
        mixture={name: share for name, share in zip(names, widest.blockers, strict=True) if share},
        vectors=widest.vectors,
    )
    return SmallestSets(
        least=Fraction(0), strict=False, size=None, weights=(), is_complete=True, cuts=(never,), proof=Proof.EXACT
    )


def _fixed(table: Leaderboard, question: kept_order.KeepQuestion) -> list[int]:
    return kept_order.todays_weights(table) if question.weights == "today" else [1] * len(table.tasks)


def _integers(weights: Mapping[str, Fraction], table: Leaderboard) -> list[int]:
    """Return weights by task as integers in proportion, 0 for tasks that are not listed."""
    ensure(weights and all(one > 0 for one in weights.values()), "a weight is not positive")
    ensure(set(weights) <= set(table.tasks), "a weight is of no task of the table")
    return common_denominator([weights.get(task, Fraction(0)) for task in table.tasks])[0]


def _steps(
    table: Leaderboard,
    question: kept_order.KeepQuestion,
    space: WeightSpace,
    found: SmallestSets | FixedSets | CheapestSet,
) -> Iterator[SizeStep]:
    """Yield one set a size: from all tasks to the smallest set where weights are fixed, and on to one task."""
    kept = kept_order.KeptOrder.of(table, question)
    matrix, names = kept.rows

    def step(chosen: Sequence[str], own: pd.Series | None = None) -> SizeStep | None:
        places = [table.tasks.index(task) for task in chosen]
        outside = without(table.tasks, chosen)
        if own is not None:
            weights = own.tolist()
        elif question.weights != "free":
            weights = shares_on(places, _fixed(table, question))
        else:
            try:
                weights = list(widest_margin(matrix, names, space.at_most(outside, 0)).weights)
            except EmptySpaceError:
                return None
        used = nonzero(weights, table.tasks)
        return SizeStep(tasks=tuple(chosen), weights=used, kept=kept.share_kept(_integers(used, table)))

    def dropping(chosen: Sequence[str], last: int) -> Iterator[SizeStep]:
        while len(chosen) > last:
            tried = [step([one for one in chosen if one != task]) for task in chosen]
            best = max((one for one in tried if one is not None), key=lambda one: one.kept, default=None)
            if best is None:
                return
            yield best
            chosen = best.tasks

    for smallest, weights in zip(found.sets[:1], found.weights, strict=False):
        if question.weights != "free":
            weighing = [task for task, weight in zip(table.tasks, _fixed(table, question), strict=True) if weight]
            whole = step(weighing) if len(weighing) > len(smallest) else None
            yield from () if whole is None else (whole, *dropping(weighing, len(smallest) + 1))
        alone = step(smallest, weights)
        yield from () if alone is None else (alone, *dropping(smallest, 1))


def _halves(
    table: Leaderboard, question: kept_order.KeepQuestion, space: WeightSpace, seed: int, time_limit: float | None
) -> Iterator[HalfCheck]:
    """Yield what tasks chosen on each of two random halves of the models keep of the other; nothing below 4 models."""
    order = np.random.default_rng(seed).permutation(len(table.models)).tolist()
    middle = (len(order) + 1) // 2
    for rows, others in ((order[:middle], order[middle:]), (order[middle:], order[:middle])) if len(order) > 3 else ():
        half, rest = (tuple(table.models[row] for row in sorted(own)) for own in (rows, others))
        weights, kept = dict[str, Fraction](), None
        try:
            part = question.of_part(len(rows), len(order))
            found = _smallest(table, part, space, time_limit=time_limit, models=half)
        except (ImpossibleError, InputError, UnprovedError):
            found = None  # a half has no such order, or it takes too long: there is nothing to be tried
        if found is not None and found.sets:
            weights = nonzero(found.weights[0].tolist(), table.tasks)
            kept = kept_order.share_alike(table, rest, question.rule, _integers(weights, table))
        yield HalfCheck(models=half, weights=weights, kept=kept)
