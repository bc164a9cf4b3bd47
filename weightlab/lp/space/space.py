"""Weight spaces: which weightings are allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from weightlab._exact import Number, WeightsLike, common_denominator, fraction
from weightlab._result import (
    Reading,
    part,
    read_list,
    read_names,
    read_own,
    refuse_others,
    told_of,
)
from weightlab._text import among, without
from weightlab._validate import Faults, checked_names, exact_numbers
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.frame.declarations import TasksLike, tasks_named
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.linear_rule import LinearRule, RuleLike, Scale
from weightlab.data.points import Missing, Points, Ties
from weightlab.data.signs import Signs
from weightlab.exceptions import EmptySpaceError, InputError
from weightlab.lp.space.conditions import (
    Bounded,
    Condition,
    LinearRow,
    Near,
    Norm,
    Proportional,
    Relation,
    added_up,
    checked_norm,
    compared_sums,
)

Vectors: TypeAlias = tuple[Mapping[str, Fraction], ...]
"""One per condition of a space, by task; others are 0. With `Condition.support` they are all that a proof needs."""


_PART_KEYS = {"tasks", "parts"}
_SHARE_KEYS = {"at_least": Relation.AT_LEAST, "at_most": Relation.AT_MOST, "share": Relation.EQUAL}
"""How a part's share of its parent may be bounded."""


def _share_of(part: Sequence[str], parent: Sequence[str], key: str, share: Number, place: str) -> Bounded:
    """Return the condition on a part's share of its parent's weight, or of the total weight without a parent."""
    with told_of(f"part {place!r}", InputError):
        bound = fraction(share)
        if not 0 <= bound <= 1:
            raise InputError(f"{key} is a share of the part that it stands in, between 0 and 1; got {bound}")
    if parent:
        return compared_sums(part, parent, bound, _SHARE_KEYS[key])
    return Bounded(tasks=dict.fromkeys(part, Fraction(1)), relation=_SHARE_KEYS[key], bound=bound)


class WeightSpace:
    """All weightings (not negative, summing to 1) that meet some conditions. Immutable: methods return new spaces.

    Parameters
    ----------
    tasks : Leaderboard or iterable of str
        The tasks; a leaderboard brings its groups and today's weights along.
    groups : mapping from str to iterable of str, optional
        Groups that conditions may name through ``group("nli")``.

    Notes
    -----
    Bounds are shares of total weight and exact as written: ``0.3`` and ``"0.3"`` are 3/10. Several tasks or a group
    stand for the sum of their weights. Whether any weighting is left is decided exactly when an analysis uses
    the space: an empty one is refused with the conditions that contradict each other.

    Examples
    --------
    >>> import weightlab as wl
    >>> space = wl.lp.WeightSpace(["CoLA", "RTE", "WNLI"]).at_most("CoLA", "0.3").no_less("RTE", "WNLI")
    >>> print(space)
    weights of 3 tasks: CoLA at most 3/10; RTE at least WNLI
    >>> space.contains({"CoLA": 0.2, "RTE": 0.4, "WNLI": 0.4})
    True
    """

    def __init__(
        self, tasks: Leaderboard | Iterable[str], *, groups: Mapping[str, Iterable[str]] | None = None
    ) -> None:
        board = tasks if isinstance(tasks, Leaderboard) else None
        faults = Faults()
        names = tasks.tasks if isinstance(tasks, Leaderboard) else checked_names(tasks, "task", faults)
        if not names:
            faults.add("a weight space needs at least one task")
        faults.raise_if_any()
        known = dict(board.groups) if board is not None and groups is None else {**(groups or {})}
        self._tasks = tuple(names)
        self._groups = {str(name): tasks_named(list(members), self._tasks, {}) for name, members in known.items()}
        self._today = None if board is None else shares_of(board.weights, self._tasks)
        self._board = board
        self._conditions: tuple[Condition, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks."""
        return self._tasks

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Groups of tasks that conditions may name."""
        return MappingProxyType(self._groups)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions, in the order given."""
        return self._conditions

    @property
    def conditions_sentence(self) -> str:
        """A sentence that names the conditions, to follow a claim; empty without conditions."""
        said = "; ".join(condition.text(self._groups) for condition in self._conditions)
        return f" Conditions: {said}." if said else ""

    @cached_property
    def _own_rows(self) -> tuple[tuple[LinearRow, ...], ...]:
        return tuple(condition.rows(place) for place, condition in enumerate(self._conditions, start=1))

    @cached_property
    def rows(self) -> tuple[LinearRow, ...]:
        """All rows of all conditions; of those that say the same the later ones have a number."""
        found: dict[str, LinearRow] = {}
        for own in self._own_rows:
            for row in own:
                name, number = row.name, 1
                while name in found:
                    number += 1
                    name = f"{row.name} [{number}]"
                found[name] = row if number == 1 else replace(row, name=name)
        return tuple(found.values())

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of all rows, which multipliers go by."""
        return tuple(row.name for row in self.rows)

    @cached_property
    def auxiliaries(self) -> tuple[str, ...]:
        """All auxiliary variables of all conditions."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.auxiliaries))

    def vectors(self, multipliers: Sequence[Fraction]) -> Vectors:
        """Return for each condition the sum of its rows times multipliers of all rows, in their order.

        Auxiliary variables are left out: what they add is in the condition's `support`, which is no larger than what
        the rows prove, as it is the least number that is true.
        """
        left = iter(multipliers)
        return tuple(added_up([(next(left), row) for row in own]) for own in self._own_rows)

    def __str__(self) -> str:
        """Return the conditions in words."""
        conditions = "; ".join(condition.text(self._groups) for condition in self._conditions)
        return f"weights of {len(self._tasks)} tasks" + (f": {conditions}" if conditions else "")

    def __repr__(self) -> str:
        """Return the conditions in words."""
        return f"WeightSpace({self})"

    def at_most(self, tasks: TasksLike, share: Number) -> WeightSpace:
        """Return the space in which the tasks together have at most this share of the weight.

        Parameters
        ----------
        tasks : str, Group or iterable of these
            A task, ``wl.group(name)``, or several: their weights are added, each task once.
        share : number or str
            Exact as written, a share of the total weight.

        Returns
        -------
        WeightSpace

        Raises
        ------
        UnknownNameError, InputError
            If a task or group is not known, no tasks are given, or the share is not a number.
        """
        return self._bounded(tasks, Relation.AT_MOST, share)

    def at_least(self, tasks: TasksLike, share: Number) -> WeightSpace:
        """Return the space in which the tasks together have at least this share of the weight. See `at_most`."""
        return self._bounded(tasks, Relation.AT_LEAST, share)

    def fixed(self, tasks: TasksLike, share: Number) -> WeightSpace:
        """Return the space in which the tasks together have exactly this share of the weight. See `at_most`."""
        return self._bounded(tasks, Relation.EQUAL, share)

    def _bounded(self, tasks: TasksLike, relation: Relation, share: Number) -> WeightSpace:
        weighed = dict.fromkeys(self._named(tasks), Fraction(1))
        return self.and_condition(Bounded(tasks=weighed, relation=relation, bound=fraction(share)))

    def no_less(self, tasks: TasksLike, others: TasksLike) -> WeightSpace:
        """Return the space in which the tasks together weigh no less than the others together.

        Parameters
        ----------
        tasks, others : str, Group or iterable of these
            Tasks or ``wl.group(name)``, whose weights are added.

        Returns
        -------
        WeightSpace

        Raises
        ------
        UnknownNameError, InputError
            If a task or group is not known, or a side names no task.
        """
        return self.ratio(tasks, others, at_least=1)

    def ratio(
        self, tasks: TasksLike, others: TasksLike, *, at_least: Number | None = None, at_most: Number | None = None
    ) -> WeightSpace:
        """Return the space in which the tasks weigh at least, or at most, a given multiple of what the others weigh.

        Parameters
        ----------
        tasks, others : str, Group or iterable of these
            Tasks or ``wl.group(name)``, whose weights are added.
        at_least, at_most : number or str, optional
            Exact factors; at least one of them is needed.

        Returns
        -------
        WeightSpace

        Raises
        ------
        UnknownNameError, InputError
            If a task or group is not known, or neither factor is given.
        """
        if at_least is None and at_most is None:
            raise InputError("a ratio needs at_least=, at_most= or both")
        space = self
        for limit, relation in ((at_least, Relation.AT_LEAST), (at_most, Relation.AT_MOST)):
            if limit is not None:
                sums = self._named(tasks), self._named(others)
                space = space.and_condition(compared_sums(*sums, fraction(limit), relation))
        return space

    def nested(self, parts: Mapping[str, Mapping[str, Any]]) -> WeightSpace:
        """Return the space in which groups have bounded shares of the weight, and parts of them such shares of these.

        Parameters
        ----------
        parts : mapping from name to part
            A part is a mapping with ``"tasks"`` (what a condition may name: tasks or ``wl.group(name)``) or ``"parts"``
            (a mapping like this one), and any of ``"at_least"``, ``"at_most"`` and ``"share"``: exact bounds, or the
            value, of its share *of the part that it stands in*; at the top, of the total weight.

        Returns
        -------
        WeightSpace

        Raises
        ------
        UnknownNameError, InputError
            If a task or group is not known, a task lies in two parts, a part has no task or has other keys than these,
            or a share is not between 0 and 1.
        EmptySpaceError
            If one bound leaves no weights by itself.

        Notes
        -----
        A share b of the parent is the row ``sum(part) >= b sum(parent)``, so it is void where the parent has no
        weight. Tasks of no part are free.

        Examples
        --------
        >>> import weightlab as wl
        >>> space = wl.lp.WeightSpace(["de", "fr", "sw", "code"]).nested(
        ...     {
        ...         "languages": {
        ...             "at_least": "0.6",
        ...             "parts": {"high": {"tasks": ["de", "fr"], "at_most": "0.75"}, "low": {"tasks": "sw"}},
        ...         }
        ...     }
        ... )
        >>> print(space)
        weights of 4 tasks: de + fr + sw at least 3/5; 1/4 de + 1/4 fr at most 3/4 sw
        >>> [space.contains(weights) for weights in ([3, 3, 2, 1], [6, 0, 1, 1])]
        [True, False]
        """
        taken: dict[str, str] = {}
        rows = self._nested(parts, (), "", taken)
        return self.and_condition(*rows)

    def _nested(self, parts: Any, parent: tuple[str, ...], where: str, taken: dict[str, str]) -> list[Condition]:
        """Return the conditions on the parts of a parent; ``taken`` says in which part each task lies already."""
        if not isinstance(parts, Mapping) or not parts:
            raise InputError(f"{where or 'nested'}: parts by name are needed; got {parts!r}")
        rows: list[Condition] = []
        for name, one in parts.items():
            place = f"{where}{name}"
            keys = {*one} if isinstance(one, Mapping) else set[str]()
            if not keys or not keys <= {*_PART_KEYS, *_SHARE_KEYS} or len(keys & _PART_KEYS) != 1:
                also = ", ".join(_SHARE_KEYS)
                raise InputError(f"part {place!r}: tasks or parts are needed, and {also} may be given; got {one!r}")
            own = self._tasks_of_part(one, place)
            asked = [_share_of(own, parent, key, one[key], place) for key in _SHARE_KEYS if key in keys]
            rows += [row for row in asked if row.tasks]  # a part that is all of its parent has any share of it
            if "parts" in keys:
                rows += self._nested(one["parts"], own, f"{place}/", taken)
                continue
            for task in own:
                if task in taken:
                    raise InputError(f"task {task!r} lies in two parts: {taken[task]!r} and {place!r}")
                taken[task] = place
        return rows

    def _tasks_of_part(self, part: Mapping[str, Any], place: str) -> tuple[str, ...]:
        """Return all tasks of a part and of the parts in it, in the order of the space."""
        if "tasks" in part:
            with told_of(f"part {place!r}", InputError):
                return self._named(part["tasks"])
        inner = part["parts"]
        if not isinstance(inner, Mapping) or not all(isinstance(one, Mapping) for one in inner.values()):
            raise InputError(f"part {place!r}: parts by name are needed; got {inner!r}")
        found = {
            task
            for name, one in inner.items()
            if len(_PART_KEYS & {*one}) == 1  # others are refused when they are met
            for task in self._tasks_of_part(one, f"{place}/{name}")
        }
        if not found:
            raise InputError(f"part {place!r}: there is no task in it")
        return tuple(among(self._tasks, found))

    def near(self, weights: WeightsLike | None, distance: Number, *, norm: Norm = "l1") -> WeightSpace:
        """Return the space of weightings near a given one.

        Parameters
        ----------
        weights : mapping, Series or sequence, or None
            Not negative, one per task; scaled to sum to 1. None means today's weights of the leaderboard.
        distance : number
            Greatest distance, as a share of total weight.
        norm : {"l1", "linf"}
            The sum of all changes (at most 2), or the largest single change.
        """
        centre = self.today if weights is None else shares_of(weights, self._tasks)
        return self.and_condition(Near(norm=checked_norm(norm), radius=fraction(distance), centre=centre))

    def within(self, change: Number, weights: WeightsLike | None = None) -> WeightSpace:
        """Return the space in which each task's share of the weight changes by at most a fraction of it.

        Parameters
        ----------
        change : number or str
            From 0 to 1, exact as written: with ``"0.5"`` each task has between half and one and a half times the share
            that it has today. A task without weight gets none.
        weights : mapping, Series or sequence, optional
            Not negative, one per task; scaled to sum to 1. By default today's weights of the leaderboard.

        Returns
        -------
        WeightSpace

        Raises
        ------
        InputError
            If the change is not between 0 and 1, or there are no weights of today.
        """
        part = fraction(change)
        if not 0 <= part <= 1:
            raise InputError(f"weights move by a part of themselves, from 0 to 1; got {part}")
        centre = self.today if weights is None else shares_of(weights, self._tasks)
        return self.and_condition(Near(norm="relative", radius=part, centre=centre))

    def proportional(self, tasks: TasksLike, weights: WeightsLike | None = None) -> WeightSpace:
        """Return the space in which the tasks keep the proportions that the given (or today's) weights have.

        Parameters
        ----------
        tasks : str, Group or iterable of these
            Tasks or ``wl.group(name)``; only their sum moves.
        weights : mapping, Series or sequence, optional
            Not negative, one per task of the space; by default today's weights of the leaderboard.

        Returns
        -------
        WeightSpace

        Raises
        ------
        UnknownNameError, InputError
            If a name is not known, the tasks have no weight to be proportional to, or there are no weights of today.
        """
        shares = self.today if weights is None else shares_of(weights, self._tasks)
        return self.and_condition(Proportional.of({task: shares[task] for task in self._named(tasks)}))

    def prefers(
        self,
        above: str,
        below: str,
        *,
        rule: RuleLike | None = None,
        ties: Ties | None = None,
        missing: Missing | None = None,
        scaled: Scale | None = None,
    ) -> WeightSpace:
        """Return the space in which one model of the leaderboard is not behind another one: a tie is allowed.

        Parameters
        ----------
        above, below : str
            The models.
        rule : str or sequence of numbers
            By which it is not behind: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``,
            ``"veto"`` or the points of the places; by default the leaderboard's own (`Leaderboard.rule`).
        ties, missing : str, optional
            Options of rules by place, as for `prospect`.
        scaled : {"range", "z"}, optional
            By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.

        Returns
        -------
        WeightSpace
            With one condition more, on the weights of the tasks: what puts the one ahead weighs no less than what puts
            the other ahead. None where they tie on every task.

        Raises
        ------
        UnknownNameError, InputError, MissingScoresError
            If there is no such model or rule, both are one model, the rule has no such option or reads what the table
            does not have, or the space was not made from a leaderboard.
        EmptySpaceError
            If it is behind under all weights.

        Examples
        --------
        >>> import weightlab as wl
        >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1}, "y": {"a": 1, "b": 2}, "z": {"a": 1, "b": 1}})
        >>> print(wl.lp.WeightSpace(board).prefers("b", "a", rule="mean"))
        weights of 3 tasks: y at least 2 x
        """
        if self._board is None:
            raise InputError("this space knows no models; make it from the leaderboard")
        if above == below:
            raise InputError(f"a preference is between two models; got {above!r} twice")
        leads = LinearRule.or_own(rule, self._board, ties=ties, missing=missing, scaled=scaled).leads(self._board)
        row = [int(one) for one in leads.over_all(leads.position(above))[leads.position(below)].tolist()]
        unit = math.gcd(*row)
        terms = {task: Fraction(one, unit) for task, one in zip(leads.tasks, row, strict=True) if one}
        if not terms:
            return self
        ordered = {task: terms[task] for task in self._tasks if task in terms}
        return self.and_condition(Bounded(tasks=ordered, relation=Relation.AT_LEAST, bound=Fraction(0)))

    @property
    def today(self) -> dict[str, Fraction]:
        """Today's weights of the leaderboard as shares.

        Raises
        ------
        InputError
            If the space was not made from a leaderboard.
        """
        if self._today is None:
            raise InputError("this space knows no weights; make it from the leaderboard")
        return dict(self._today)

    def contains(self, weights: WeightsLike) -> bool:
        """Return whether a weighting, scaled to sum to 1, meets every condition, exactly.

        Parameters
        ----------
        weights : mapping, Series or sequence
            Not negative, one per task.

        Returns
        -------
        bool

        Raises
        ------
        UnknownNameError, InputError
            If a task is not known or has no weight, a weight is negative, or all are 0.
        """
        shares = shares_of(weights, self._tasks)
        numerators, denominator = common_denominator(list(shares.values()))
        return self.has(dict(zip(shares, numerators, strict=True)), denominator)

    def has(self, weights: Mapping[str, int], units: int) -> bool:
        """Return whether weights, given times ``units``, meet every condition, exactly."""
        return all(condition.holds(weights, units) for condition in self._conditions)

    def to_dict(self) -> dict[str, Any]:
        """Return the space ready for JSON."""
        return {"tasks": list(self._tasks), "conditions": [one.to_dict() for one in self._conditions]}

    @classmethod
    def from_dict(cls, document: Any) -> WeightSpace:
        """Return the space that ``to_dict`` wrote, without groups and today's weights."""
        space = cls(read_names(part(document, "tasks", "the space"), "tasks of the space"))
        refuse_others(document, ("tasks", "conditions"), "the space")
        for position, condition in enumerate(read_list(part(document, "conditions", "the space"), "conditions")):
            space = space.and_condition(read_own(Condition, condition, f"conditions[{position}]", Reading()))
        return space

    def ordered(self, tasks: Sequence[str]) -> WeightSpace:
        """Return the same space with its tasks in another order."""
        if self._tasks == tuple(tasks):
            return self
        return self._with(tuple(tasks), tuple(one.in_order(tasks) for one in self._conditions))

    def only(self, conditions: Iterable[Condition]) -> WeightSpace:
        """Return the space with some of its conditions alone."""
        return self._with(self._tasks, tuple(conditions))

    def _with(self, tasks: tuple[str, ...], conditions: tuple[Condition, ...]) -> WeightSpace:
        space = object.__new__(WeightSpace)
        space._tasks, space._groups, space._conditions = tasks, self._groups, conditions
        space._today, space._board = self._today, self._board
        return space

    def _named(self, tasks: TasksLike) -> tuple[str, ...]:
        named = tasks_named(tasks, self._tasks, self._groups)
        if not named:
            raise InputError("a condition needs at least one task")
        return named

    def and_condition(self, *conditions: Condition) -> WeightSpace:
        """Return the space with more conditions, such as the methods above make; one that it has changes nothing.

        Raises
        ------
        InputError
            If one is about other tasks, or its numbers do not belong together.
        EmptySpaceError
            If one leaves no weights by itself.
        """
        faults = Faults()
        for fault in (fault for condition in conditions for fault in condition.faults(self._tasks)):
            faults.add(fault)
        faults.raise_if_any()
        for condition in conditions:
            if condition.is_empty(self._tasks):
                text = condition.text(self._groups)
                raise EmptySpaceError(
                    f"no weights satisfy {text!r}, since weights are not negative and sum to 1", conditions=[text]
                )
        # Only conditions on the same tasks can be the same: of a bound for each of 5,000 tasks no two are compared.
        held: dict[frozenset[str], list[Condition]] = {}
        for one in self._conditions:
            held.setdefault(one.about, []).append(one)
        added: list[Condition] = []
        for condition in conditions:
            alike = held.setdefault(condition.about, [])
            if condition not in alike:
                added.append(condition.in_order(self._tasks))
                alike.append(added[-1])
        return self._with(self._tasks, (*self._conditions, *added)) if added else self


def shares_of(weights: WeightsLike, tasks: Sequence[str]) -> dict[str, Fraction]:
    """Return weights as exact shares that sum to 1, one for each task.

    Raises
    ------
    InputError
        If a task has no weight, a name is unknown, a weight is negative or all are 0.
    """
    faults = Faults()
    numbers = exact_numbers(weights, tuple(tasks), "task", faults, what="weight", holder="weight space")
    for task in tasks:
        if task not in numbers and not faults:
            faults.add(f"no weight for task {task!r}; every task needs one (0 if it does not count)")
    for task, weight in numbers.items():
        if weight < 0:
            faults.add(f"weight of task {task!r} is negative: {weight}")
    total = sum(numbers.values(), Fraction(0))
    if total == 0 and not faults:
        faults.add("all weights are 0")
    faults.raise_if_any()
    return {task: numbers[task] / total for task in tasks}


def signs_and_space(board: SignsLike, space: WeightSpace | None) -> tuple[Signs, WeightSpace]:
    """Return the signs of a board, and the space for a question about them; see `space_for`."""
    signs = as_signs(board)
    return signs, space_for(signs, space)


def space_for(table: Signs | Points, space: WeightSpace | None) -> WeightSpace:
    """Return the space with the tasks in the order of the table; all weightings by default.

    Raises
    ------
    InputError
        If ``space`` is not a WeightSpace, its tasks differ, or there are fewer than two models.
    """
    if len(table.models) < 2:
        raise InputError(f"a question about winning needs at least two models; got {len(table.models)}")
    if space is None:
        return WeightSpace(table.tasks)
    if not isinstance(space, WeightSpace):
        raise InputError(f"space must be a WeightSpace or None; got a {type(space).__name__}")
    if set(space.tasks) != set(table.tasks):
        missing = without(table.tasks, space.tasks)
        strange = without(space.tasks, table.tasks)
        raise InputError(f"the weight space has different tasks than the table: lacks {missing}, has besides {strange}")
    return space.ordered(table.tasks)
