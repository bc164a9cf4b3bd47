"""Weight ranges: how much each task must weigh, and how much it may, for a model to win; each bound with its proof."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, IntArray, Number, fraction, largest_entry
from weightlab._result import Record, ensure, exact_series
from weightlab._solver import Sense, within
from weightlab._text import among, first_few, percent
from weightlab.data.convert import SignsLike, as_table
from weightlab.data.frame.declarations import Group, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.linear_rule import MAJORITY, LeadsLike, RuleLike, Scale
from weightlab.data.points import Missing, Ties
from weightlab.exceptions import ProofError, SolverError, UnknownNameError
from weightlab.lp.by_model import Asked, OfModel
from weightlab.lp.certificate import Optimum, check_exact, least_lead, nonzero, series_dict
from weightlab.lp.certificates.max_margin import MANY, best_over, first_tasks, unheld_tasks, widest_margin
from weightlab.lp.certificates.objectives import WeightOf
from weightlab.lp.space.conditions import ONE, ZERO, named
from weightlab.lp.space.space import Vectors, WeightSpace
from weightlab.lp.verdicts.prospect import prospect_with_margin

NAMED = 3
"""Number of tasks, and of groups, named in a sentence."""
HALF = Fraction(1, 2)


class WeightRange(Record):
    """The least and the greatest weight of a task, or of a group of tasks together.

    Attributes
    ----------
    name : str
        The task, or the group.
    is_group : bool
        Which of both.
    tasks : tuple of str
        Whose weights are added, in the order of the table.
    least, most : Optimum
        The bounds; weights that attain one win strictly if any that attain it do. All of them lead the rivals in its
        mixture by the margin exactly.
    """

    name: str
    is_group: bool
    tasks: tuple[str, ...]
    least: Optimum
    most: Optimum

    @property
    def label(self) -> str:
        """The name as it is written in tables: a group with ``@``."""
        return str(Group(self.name)) if self.is_group else self.name

    @property
    def low(self) -> Fraction:
        """The least weight."""
        return self.least.value

    @property
    def high(self) -> Fraction:
        """The most weight."""
        return self.most.value

    @property
    def is_indispensable(self) -> bool:
        """Whether there is not a winning without it."""
        return self.low > 0

    @property
    def is_useless(self) -> bool:
        """Whether it has no weight in any win."""
        return self.high == 0

    def __str__(self) -> str:
        """Say the range in per cent, rounded outwards."""
        label = named(self.name)
        if self.is_group:
            label = f"@{label} ({first_few(map(named, self.tasks), NAMED)})"
        if self.low == self.high:
            exactly = {Fraction(0): "nothing", Fraction(1): "everything"}.get(self.low, f"exactly {percent(self.low)}")
            return f"{label} must carry {exactly}"
        least = f"must carry at least {percent(self.low, math.floor)}" if self.low else "may carry nothing"
        most = f"may carry at most {percent(self.high, math.ceil)}" if self.high < 1 else "may carry everything"
        return f"{label} {least} and {most}" if self.low else f"{label} {least}, and {most}"


class WeightRanges(OfModel, kind="weight_ranges"):
    """The least and the most weight of each task and group among all weights under which a model wins.

    Attributes
    ----------
    model, rule, signs, points, space
        As of an `OfModel`.
    margin : Fraction
        Least lead over every rival, as a share of weight or in points; 0 means "undefeated".
    ranges : tuple of WeightRange
        One per task, in the order of the table, then one per group.
    rivals : tuple of str
        All models but the one, in board order.
    """

    margin: Fraction
    ranges: tuple[WeightRange, ...]
    rivals: tuple[str, ...]

    @property
    def low(self) -> pd.Series:
        """The exact least weight of each task."""
        return exact_series([one.low for one in self._of_tasks()], self.tasks, "low")

    @property
    def high(self) -> pd.Series:
        """The exact most weight of each task."""
        return exact_series([one.high for one in self._of_tasks()], self.tasks, "high")

    @property
    def indispensable(self) -> tuple[str, ...]:
        """Tasks that have weight in every win."""
        return tuple(one.name for one in self._of_tasks() if one.is_indispensable)

    @property
    def useless(self) -> tuple[str, ...]:
        """Tasks that have no weight in any win."""
        return tuple(one.name for one in self._of_tasks() if one.is_useless)

    def attained(self, bound: Optimum) -> bool:
        """Return whether some weights that attain a bound of a range win strictly.

        They do not when a head-to-head takes part in its proof: by complementary slackness all of them tie it.
        """
        return self.margin > 0 or not bound.mixture

    def _of_tasks(self) -> Iterator[WeightRange]:
        return (one for one in self.ranges if not one.is_group)

    def __getitem__(self, name: str | Group) -> WeightRange:
        """Return the range of a task, or of a group named by ``group(name)``.

        Raises
        ------
        UnknownNameError
            If there is no such task or group.
        """
        is_group = isinstance(name, Group)
        key = name.name if isinstance(name, Group) else name
        known = [one for one in self.ranges if one.is_group == is_group]
        for one in known:
            if one.name == key:
                return one
        raise UnknownNameError("group" if is_group else "task", key, [one.name for one in known], holder="result")

    def __str__(self) -> str:
        """Say which tasks are indispensable and how much they must carry."""
        how = self.rule.by
        wins = f"lead every rival {how} by at least {self.lead_words(self.margin)}"
        wins = wins if self.margin else f"be undefeated {how}"
        sentences = [_named([one for one in self._of_tasks() if one.is_indispensable]) or "no task is indispensable"]
        parts = [one for one in self.ranges if one.is_group and len(one.tasks) < len(self.tasks)]
        sentences += filter(None, [_named([one for one in parts if one.is_indispensable])])
        if self.useless:
            sentences.append(f"{len(self.useless)} of {len(self.tasks)} tasks must carry nothing")
        return f"For {self.model} to {wins}, {'; '.join(sentences)}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return for each task, then each group (as ``@name``), its least and most weight, and whether wins attain it.

        Returns
        -------
        DataFrame
            Columns ``low`` and ``high`` (Fraction), ``low_attained`` and ``high_attained`` (bool): whether some weights
            that beat every rival give it just so much. Where there are groups, ``tasks`` (str) names those of each.
        """
        members = [", ".join(one.tasks) if one.is_group else "" for one in self.ranges]
        return pd.DataFrame(
            {
                "low": [one.low for one in self.ranges],
                "high": [one.high for one in self.ranges],
                "low_attained": [self.attained(one.least) for one in self.ranges],
                "high_attained": [self.attained(one.most) for one in self.ranges],
            }
            | ({"tasks": members} if any(members) else {}),
            index=[one.label for one in self.ranges],
        )

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check every bound, and whether strict wins attain it, in exact arithmetic, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries, and its groups those that have a range.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.check_rows(self.rivals, source)
        check_exact(margin=self.margin)
        ensure(self.margin >= 0, f"a margin of {self.margin} is not a win")
        self._verify_names(source.groups if isinstance(source, Leaderboard) else None)
        rows, unit = self.rows, self.unit
        for one in self.ranges:
            for found, goal in ((one.least, Sense.MINIMISE), (one.most, Sense.MAXIMISE)):
                objective = WeightOf(tasks=one.tasks, goal=goal)
                lead = found.check(rows, self.rivals, self.space, objective, self.margin * unit)
                if self.attained(found):
                    ensure(lead > 0, f"the extreme is not attained by a strict win: the least lead is {lead}")
        return True

    def _verify_names(self, groups: Mapping[str, tuple[str, ...]] | None) -> None:
        own = [one for one in self.ranges if not one.is_group]
        ensure([one.name for one in own] == list(self.tasks), "the ranges are not those of the tasks, in order")
        ensure(list(self.ranges[: len(own)]) == own, "the ranges of groups do not come last")
        named = [one.name for one in self.ranges[len(own) :]]
        ensure(len(set(named)) == len(named), "a group occurs twice")
        for one in self.ranges:
            ordered = tuple(among(self.tasks, one.tasks))
            ensure(one.tasks and one.tasks == ordered, f"{one.label} has unknown tasks, or none")
            meant = (one.name,) if not one.is_group else one.tasks if groups is None else groups.get(one.name)
            if meant is None:
                raise ProofError(f"the source has no group {one.name!r}")
            ensure(set(one.tasks) == set(meant), f"{one.label} stands for other tasks than {one.tasks}")
        lacking = [str(Group(name)) for name in groups or {} if name not in named]
        ensure(not lacking, f"the source has a group whose range is missing: {', '.join(lacking)}")


def weight_ranges(
    board: LeadsLike,
    model: str,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> WeightRanges:
    """Find the least and the most weight that each task and group can have when a model wins.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; a leaderboard's groups (else those of the space) have ranges, too. Missing scores count as ties.
    model : str
        Who is to win.
    rule : str or sequence of numbers
        By which it wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or the
        points of the places.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    margin : number
        Least lead over every rival, as a share of total weight (by other rules in their points); not negative. 0 asks
        for weights under which the model is undefeated.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    WeightRanges

    Raises
    ------
    ImpossibleError
        If no weights of the space give such leads; its ``proof`` is the Prospect that shows it.
    InputError
        If the margin is negative.
    UnknownNameError, EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`; ``known["ranges"]`` has those that were found.

    Notes
    -----
    At most four linear programs a task and group, and mostly none: weights found on the way settle many bounds at
    sight, and so does a second task that makes up for what one task loses. Bounds are over leads of at least
    ``margin``; each says whether weights that win strictly attain it. Where they do not, a head-to-head takes part in
    the bound's proof, hence every weighting that attains it ties that duel.
    A table of 200 models and 50 tasks takes about a second.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2 ("the minimum weight of a task with which the model wins").

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}}
    >>> board = wl.Leaderboard(scores)
    >>> ranges = wl.lp.weight_ranges(board, "a")
    >>> print(ranges["x"])
    x must carry at least 50% and may carry everything
    >>> ranges.indispensable, ranges.low["x"], ranges.high["y"]
    (('x',), Fraction(1, 2), Fraction(1, 2))
    """
    board = as_table(board)
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    allowed, least = asked.space, fraction(margin)
    groups = board.groups if isinstance(board, Leaderboard) else allowed.groups
    named: list[tuple[str, bool, tuple[str, ...]]] = [(task, False, (task,)) for task in allowed.tasks]
    named += [(name, True, tasks_named(list(members), allowed.tasks, {})) for name, members in groups.items()]
    ranges: list[WeightRange] = []
    with within(time_limit, ranges=ranges):
        widest = prospect_with_margin(asked, model, least)
        search = ExtremeSearch(widest.rows, widest.rivals, allowed, least=least * widest.unit)
        search.remember(series_dict(widest.weights))
        for name, is_group, tasks in named:
            if tasks:
                high, low = search.extreme(tasks, Sense.MAXIMISE), search.extreme(tasks, Sense.MINIMISE)
                ranges.append(WeightRange(name=name, is_group=is_group, tasks=tasks, most=high, least=low))
    return WeightRanges(
        model=model,
        **asked.fields(model),
        margin=least,
        ranges=tuple(ranges),
        rivals=widest.rivals,
        space=allowed,
    ).verified()


def _named(needed: Sequence[WeightRange]) -> str:
    """Say what those that need most must carry, and how many others there are."""
    ranges = [str(one) for one in sorted(needed, key=lambda one: -one.low)[:NAMED]]
    more = len(needed) - len(ranges)
    return "; ".join(ranges) + (f"; {more} more are indispensable" if more else "")


@dataclass(eq=False)
class ExtremeSearch:
    """Finds extremes one by one, and remembers winning weights, which settle many extremes without a program.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    rivals : sequence of str
        Names of its rows.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns.
    least : Fraction
        Least lead over every rival.
    wins : list of mappings from task to Fraction
        Weights met so far that win strictly.
    columns : ndarray of int
        Of many tasks those that programs begin with: some weights on these lead enough.
    """

    signs: AnyArray
    rivals: Sequence[str]
    space: WeightSpace
    _: KW_ONLY
    least: Fraction
    wins: list[Mapping[str, Fraction]] = field(default_factory=list)
    columns: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def remember(self, weights: Mapping[str, Fraction]) -> None:
        """Keep weights that win strictly with leads of at least ``least``; others are passed over."""
        used = [place for place, task in enumerate(self.space.tasks) if weights.get(task)]
        lead = least_lead(self.signs[:, used], [weights[self.space.tasks[place]] for place in used])
        if lead >= self.least and not len(self.columns):
            self.columns = np.union1d(first_tasks(self.signs), used)
        if lead > 0 and lead >= self.least:
            self.wins.append(weights)

    def extreme(self, tasks: tuple[str, ...], sense: Sense) -> Optimum:
        """Return the least or the most that some tasks together may weigh."""
        objective = WeightOf(tasks=tasks, goal=sense)
        bound = Fraction(0 if sense is Sense.MINIMISE else 1)
        # A remembered win at the bound that no weights can pass settles the question: its proof needs no multipliers.
        known = self._known(tasks, bound)
        if known is not None:
            return self._made(bound, known)
        if not self.space.conditions and sense is Sense.MINIMISE and len(tasks) < len(self.space.tasks):
            at_bound = self._at(objective, bound)
            if at_bound is not None:
                return at_bound
        if sense is Sense.MAXIMISE and (by_two := self._by_two(objective)) is not None:
            return by_two
        found = self._best(objective)
        if self.least or found.mixture:
            self.remember(found.weights)
            return found
        # No head-to-head takes part in the proof, so it does not exclude a strict win at the optimum; whether there is
        # one is open.
        known = self._known(tasks, found.value)
        if known is not None:
            return replace(found, weights=known)
        at_best = self._at(objective, found.value, found.vectors)
        if at_best is None:
            raise SolverError(f"no winning weights have a {objective.text} of {found.value}, though some do")
        return at_best

    def _best(self, objective: WeightOf) -> Optimum:
        """Return the optimum; of many tasks over few, to which those are added that its proof does not hold down.

        Its mixture bounds the weight of tasks that are not in the program, too, where it is tied on them; see
        `widest_margin`.
        """
        if self.space.conditions or len(self.space.tasks) < MANY:
            return best_over(self.signs, self.rivals, self.space, objective, least=self.least)
        sign = 1 if objective.sense is Sense.MAXIMISE else -1
        own = [self.space.tasks.index(task) for task in objective.tasks]
        while True:
            chosen = np.union1d(self.columns, own)
            some = WeightSpace([self.space.tasks[place] for place in chosen.tolist()])
            found = best_over(self.signs[:, chosen], self.rivals, some, objective, least=self.least)
            shares = [found.mixture.get(rival, ZERO) for rival in self.rivals]
            bound = sign * found.value + self.least * sum(shares, ZERO)
            more = unheld_tasks(self.signs, shares, bound, chosen)
            if not len(more):
                return found
            self.columns = np.union1d(self.columns, more)

    def _by_two(self, objective: WeightOf) -> Optimum | None:
        """Return the most weight of a task that loses no head-to-head, or for whose losses a second task makes up.

        That is all weight; or what remains next to the rival that is soonest ahead, if with the rest on the task that
        is best against it no other is: by signs half, since a head-to-head that the task loses would be lost with more.
        No program is needed.
        """
        if self.least or self.space.conditions or len(objective.tasks) > 1 or not len(self.signs):
            return None
        (task,) = objective.tasks
        own, best = self.signs[:, self.space.tasks.index(task)], self._best_against
        rival = int(np.argmin(own)) if own.min() >= 0 else int(np.argmin(own / np.maximum(best, 1)))
        lost, most = int(own[rival]), int(best[rival])
        if lost >= 0:
            # With all weight the lead over this rival, if it is 0, is a tie; its row is no more than 1 anywhere.
            share = min(HALF, Fraction(1, max(1, most)))
            return self._made(ONE, {task: ONE}, {self.rivals[rival]: share} if lost == 0 else {})
        partners = np.flatnonzero(self.signs[rival] == most)
        totals = self._multiples(-lost, partners) + self._multiples(most, [self.space.tasks.index(task)])
        partners = partners[(totals >= 0).all(axis=0)]
        if most <= 0 or not len(partners):
            return None
        # No more: 1 + z G is at most z times the best on every task, where z = 1 / (best - own).
        high = Fraction(most, most - lost)
        weights = {task: high, self.space.tasks[partners[0]]: 1 - high}
        return self._made(high, weights, {self.rivals[rival]: Fraction(1, most - lost)})

    @cached_property
    def _best_against(self) -> AnyArray:
        """The most that any task brings against each rival."""
        return np.asarray(self.signs.max(axis=1))

    def _multiples(self, factor: int, columns: Sequence[int] | IntArray) -> AnyArray:
        """Return some columns times a whole number, in integers that hold it."""
        fits = self._largest * abs(factor) < INT64_SAFE // 2
        return np.asarray(self.signs[:, columns].astype(np.int64 if fits else object) * factor)

    @cached_property
    def _largest(self) -> int:
        """The largest size of an entry."""
        return int(largest_entry(self.signs))

    def _known(self, tasks: tuple[str, ...], value: Fraction) -> Mapping[str, Fraction] | None:
        """Return weights met before that win strictly and give the tasks this weight."""
        fits = (one for one in self.wins if sum((one.get(task, ZERO) for task in tasks), ZERO) == value)
        return next(fits, None)

    def _at(self, objective: WeightOf, value: Fraction, vectors: Vectors | None = None) -> Optimum | None:
        """Return the extreme, when it is no better than ``value``; ``vectors`` prove it no worse.

        The widest margin among weights of that value says which. When it is 0, its proof is one of the bound, too:
        with the multiplier of the condition that holds the objective to the value, the two proofs add up to one in
        which duels take part.
        """
        (bound,) = objective.no_worse_than(value)
        cut = self.space.and_condition(bound)
        found = widest_margin(self.signs, self.rivals, cut)
        if found.lower < self.least:
            return None
        weights = nonzero(found.weights, self.space.tasks)
        self.remember(weights)
        before = vectors or self._nothing
        if found.lower > 0:
            return self._made(value, weights, vectors=before)
        # Two proofs are added: that of the bound, and that of the margin 0 with the multiplier m of the objective's
        # condition, which comes after those of the space. The sum is about 1 + |m| times the objective, hence the
        # division.
        held = [bound.multiplier(one) for one in found.vectors[len(before) :]]
        scale = 1 / (1 + abs(sum(held, ZERO)))
        mixture = {rival: share * scale for rival, share in found.mixture.items()}
        both = zip(before, found.vectors, strict=False)
        return self._made(value, weights, mixture, tuple(_added(*pair, scale) for pair in both))

    @property
    def _nothing(self) -> Vectors:
        return ({},) * len(self.space.conditions)

    def _made(
        self,
        value: Fraction,
        weights: Mapping[str, Fraction],
        mixture: Mapping[str, Fraction] | None = None,
        vectors: Vectors | None = None,
    ) -> Optimum:
        used = {task: weight for task, weight in weights.items() if weight}
        return Optimum(value=value, weights=used, mixture=mixture or {}, vectors=vectors or self._nothing, slope={})


def _added(one: Mapping[str, Fraction], other: Mapping[str, Fraction], scale: Fraction) -> dict[str, Fraction]:
    """Return the sum of two vectors, scaled."""
    return {task: (one.get(task, ZERO) + other.get(task, ZERO)) * scale for task in {**one, **other}}
