"""What is declared about tasks (or a suite's metrics): directions, weights, groups, tolerances."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

import pandas as pd

from weightlab._cures import Cure, Fault
from weightlab._exact import Number, fraction
from weightlab._frames import Rules
from weightlab._result import (
    Frozen,
    name_index,
    read_fraction,
    read_items,
    read_list,
    read_names,
    read_numbers,
)
from weightlab._text import first_few, is_text
from weightlab._validate import Faults, exact_numbers, is_scalar, named_subset, said_of
from weightlab.data.frame.parts import Data, Reader
from weightlab.exceptions import DirectionWarning, InputError, UnknownNameError, warn_caller

LOWER_WORDS = frozenset(
    {"cer", "cost", "costs", "err", "error", "errors", "latency", "loss", "mae", "memory", "mse", "perplexity", "ppl"}
    | {"mape", "mase", "rmse", "smape", "time", "wer", "wql"}
)
"""Whole words in names of quantities where lower is usually better."""


Range: TypeAlias = tuple[Fraction | None, Fraction | None]
"""The lowest and the highest score that a cell can have; None where there is no limit."""
Pair: TypeAlias = "str | Sequence[Number | None]"
"""The two as they are declared, as a pair or as a text ``"0:100"``."""
BoundsLike: TypeAlias = "Pair | Mapping[str, Pair]"
"""Bounds of all scores, or by task."""


def suggests_lower(name: str) -> bool:
    """Return whether a word in a task's name suggests that less of it is better."""
    return not LOWER_WORDS.isdisjoint(re.findall("[a-z]+", name.casefold()))


class Declarations(Frozen, eq=True):
    """Directions, exact weights, groups and score tolerances, checked against the tasks.

    Each is called like the keyword that declares it.

    Attributes
    ----------
    lower_is_better : frozenset of str
        Tasks on which a lower score is better.
    higher_is_better : frozenset of str
        Tasks declared as higher is better, which is also assumed of all tasks not in ``lower_is_better``.
    weights : dict from task to Fraction
        One for every task.
    groups : dict from name to tuple of tasks
        In board order.
    tolerance, relative_tolerance : dict from task to Fraction
        Tolerances that are not 0.
    rule : str
        The rule by which the table ranks; empty if none is declared.
    bounds : dict from task to (lowest, highest)
        Between which numbers scores lie; None for a side without a limit.
    """

    lower_is_better: frozenset[str] = frozenset()
    higher_is_better: frozenset[str] = field(default=frozenset(), compare=False)
    tolerance: dict[str, Fraction] = field(default_factory=dict)
    relative_tolerance: dict[str, Fraction] = field(default_factory=dict)
    weights: dict[str, Fraction]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rule: str = ""
    bounds: dict[str, Range] = field(default_factory=dict)

    @classmethod
    def checked(
        cls, tasks: tuple[str, ...], faults: Faults, *, kind: str = "task", holder: str = "leaderboard", **declared: Any
    ) -> Declarations:
        """Return the keywords as declarations, noting unknown names, bad or all-zero weights and contradictions."""
        read, given = _Reader(tasks, kind, holder, faults), {"weights": None} | declared
        made = {name: getattr(read, name)(given.pop(name)) for name in cls.__dataclass_fields__ if name in given}
        return cls(**made, **given)  # refuses other keywords

    @property
    def doubtful(self) -> tuple[str, ...]:
        """Tasks where higher is better although their name suggests that lower is better."""
        return tuple(task for task in self.weights if task not in self.lower_is_better and suggests_lower(task))

    @property
    def undeclared(self) -> tuple[str, ...]:
        """Those that are not declared as higher is better."""
        return tuple(task for task in self.doubtful if task not in self.higher_is_better)

    def doubt(self, kind: str = "task") -> DirectionWarning | None:
        """Return a warning of those tasks, with how a direction is declared, if there are any."""
        if not (names := self.undeclared):
            return None
        told = f"{kind}{'s' * (len(names) > 1)} {first_few(map(repr, names), 6)}"
        text = f"Higher scores lead on {told}, though the name suggests that less is better."
        turned = Cure("lower_is_better", [*names], "to turn that around")
        return DirectionWarning(Fault(text, turned, Cure("higher_is_better", [*names], "to confirm it")))

    def warn(self, kind: str = "task") -> None:
        """Warn of tasks whose direction was not declared and whose name suggests another than they have."""
        if told := self.doubt(kind):
            warn_caller(told)

    @property
    def tolerant(self) -> frozenset[str]:
        """Tasks with a tolerance of either kind."""
        return frozenset(self.tolerance) | frozenset(self.relative_tolerance)

    @property
    def lower_names(self) -> tuple[str, ...]:
        """Tasks on which a lower score is better, in order."""
        return tuple(task for task in self.weights if task in self.lower_is_better)

    @property
    def weight_list(self) -> list[Fraction]:
        """The weights of the tasks, in order."""
        return list(self.weights.values())

    def options(self) -> dict[str, Any]:
        """Return the declarations as the keywords that a leaderboard takes."""
        return dict(vars(self))

    def renamed(self, old: Mapping[str, str]) -> Declarations:
        """Return the declarations about some tasks, given the old name of each; drop groups that lose all tasks."""

        def among(tasks: Collection[str]) -> tuple[str, ...]:
            return tuple(name for name, task in old.items() if task in tasks)

        made: dict[str, Any] = {}
        for what, said in vars(self).items():
            if isinstance(said, dict) and what != "groups":
                made[what] = {name: said[old[name]] for name in among(said)}
            elif isinstance(said, frozenset):
                made[what] = frozenset(among(said))
        groups = {name: among(members) for name, members in self.groups.items()}
        return replace(self, **made, groups={name: members for name, members in groups.items() if members})

    def restricted(self, tasks: Sequence[str]) -> Declarations:
        """Return the declarations about some of the tasks, in this order; drop groups that lose all tasks."""
        return self.renamed({task: task for task in tasks})

    def parts(self, *, whole: bool = False) -> dict[str, Any]:
        """Return the declarations by keyword, without empty ones unless ``whole``."""
        weights = {task: weight for task, weight in self.weights.items() if whole or weight != 1}
        declared = self.options() | {"lower_is_better": self.lower_names, "weights": weights}
        return {name: declared[name] for name in READERS if whole or declared[name]}


def declared_in(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of some arguments that declare something."""
    return {name: given for name, given in arguments.items() if name in Declarations.__dataclass_fields__}


def _read_groups(value: Any, what: str) -> dict[str, tuple[str, ...]]:
    groups = {name: read_names(tasks, f"{what} of {name!r}") for name, tasks in read_items(value, what)}
    for name, tasks in groups.items():
        if len(set(tasks)) < len(tasks):
            raise InputError(f"{what} of {name!r}: a task is named twice")
    return groups


def _read_rule(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{what}: the name of a rule is needed; got {value!r}")
    return value


def _read_bounds(value: Any, what: str) -> dict[str, Range]:
    read: dict[str, Range] = {}
    for task, ends in read_items(value, what):
        both = [None if one is None else read_fraction(one, f"{what} of {task!r}") for one in read_list(ends, what)]
        read[task] = score_range(both)
    return read


READERS: dict[str, Reader] = {
    "lower_is_better": read_names,
    "weights": read_numbers,
    "groups": _read_groups,
    "tolerance": read_numbers,
    "relative_tolerance": read_numbers,
    "rule": _read_rule,
    "bounds": _read_bounds,
}
"""Declarations about tasks in a document, and how it is read; it does not list tasks where higher is better."""


def all_declared(read: Mapping[str, Any], tasks: Collection[str]) -> dict[str, Any]:
    """Return the declarations that a document has as keywords: what is not lower-is-better is higher-is-better."""
    declared = {name: read[name] for name in READERS if name in read}
    return declared | {"higher_is_better": {*tasks} - {*declared.get("lower_is_better", ())}}


class Declared(Data):
    """What score tables share that hold declarations."""

    __slots__ = ()
    _declared: Declarations

    @property
    def declarations(self) -> Declarations:
        """What is declared, by name."""
        return self._declared

    @property
    def lower_is_better(self) -> tuple[str, ...]:
        """Names of the tasks where lower is better, in order."""
        return self._declared.lower_names

    @property
    def weights(self) -> pd.Series:
        """Exact weights (Fraction) by name, as given; what is unlisted weighs 1."""
        return pd.Series(self._declared.weight_list, index=name_index(tuple(self._declared.weights)), dtype=object)

    @property
    def tolerance(self) -> Mapping[str, Fraction]:
        """Absolute score tolerances that are not 0, by name."""
        return MappingProxyType(self._declared.tolerance)

    @property
    def relative_tolerance(self) -> Mapping[str, Fraction]:
        """Relative score tolerances that are not 0, by name."""
        return MappingProxyType(self._declared.relative_tolerance)


def exact_weights(given: Any, names: tuple[str, ...], kind: str, holder: str, faults: Faults) -> dict[str, Fraction]:
    """Return exact weights of all names, 1 by default, noting negative ones and those that are all 0."""
    return _Reader(names, kind, holder, faults).weights(given)


class _Reader:
    """Reads what is declared under each keyword, in their order, noting faults in the words of what holds the names."""

    def __init__(self, names: tuple[str, ...], kind: str, holder: str, faults: Faults) -> None:
        self.names, self.kind, self.holder, self.faults = names, kind, holder, faults
        self.lower, self.absolute = frozenset[str](), dict[str, Fraction]()

    def named(self, given: Any, where: str) -> tuple[str, ...]:
        """Return names that are known, noting others."""
        return named_subset(given, self.names, self.kind, self.faults, holder=self.holder, where=where)

    def lower_is_better(self, given: Any) -> frozenset[str]:
        """Return the tasks on which a lower score is better."""
        self.lower = frozenset(self.named(given, "lower is better"))
        return self.lower

    def higher_is_better(self, given: Any) -> frozenset[str]:
        """Return the tasks declared as higher is better, noting those also declared as lower is better."""
        higher = frozenset(self.named(given, "higher is better"))
        for name in sorted(higher & self.lower):
            self.faults.add(f"both lower and higher are declared better on {self.kind} {name!r}")
        return higher

    def numbers(self, given: Any, what: str) -> dict[str, Fraction]:
        """Return exact numbers by name, noting those that are negative."""
        exact = exact_numbers(given, self.names, self.kind, self.faults, what=what, holder=self.holder)
        for name, number in exact.items():
            if number < 0:
                self.faults.add(f"{what} of {self.kind} {name!r} is negative: {number}")
        return exact

    def weights(self, given: Any) -> dict[str, Fraction]:
        """Return the weights of all names, 1 by default."""
        listed = {} if given is None else self.numbers(given, "weight")
        weights = {name: listed.get(name, Fraction(1)) for name in self.names}
        if weights and not any(weights.values()):
            self.faults.add("all weights are 0")
        return weights

    def tolerance(self, given: Any) -> dict[str, Fraction]:
        """Return the absolute tolerances that are not 0."""
        self.absolute = self._tolerances(given, "tolerance")
        return self.absolute

    def relative_tolerance(self, given: Any) -> dict[str, Fraction]:
        """Return the relative tolerances that are not 0, noting what has an absolute one, too."""
        relative = self._tolerances(given, "relative tolerance")
        for name in self.names:
            if name in self.absolute and name in relative:
                self.faults.add(f"{self.kind} {name!r} has both a tolerance and a relative tolerance; give one")
        return relative

    def _tolerances(self, given: Any, what: str) -> dict[str, Fraction]:
        """Return the tolerances that are not 0, from one number for all or numbers by name."""
        if not is_scalar(given):
            return {name: size for name, size in self.numbers(given, what).items() if size}
        try:
            size = fraction(given)
        except InputError as error:
            self.faults.add(f"{what} must be a finite number; got {said_of(given, error)}")
            return {}
        if size < 0:
            self.faults.add(f"{what} is negative: {size}")
        return dict.fromkeys(self.names, size) if size else {}

    def rule(self, given: Any) -> str:
        """Return the name of a rule as the registry has it, noting one that it does not have."""
        if isinstance(given, str) and given.casefold().strip() in ("majority", "condorcet"):
            return "majority"
        try:
            return Rules.called(_read_rule(given, "rule")) if given else ""
        except InputError as error:
            self.faults.add(f"rule: {str(error).removeprefix('rule: ')}")
            return ""

    def bounds(self, given: Any) -> dict[str, Range]:
        """Return the lowest and the highest score by task, from one pair for all or pairs by name."""
        by_name = given if isinstance(given, Mapping) else dict.fromkeys(self.names, given) if given else {}
        self.named(tuple(by_name), "bounds")
        found: dict[str, Range] = {}
        for name, pair in by_name.items():
            try:
                found[str(name)] = score_range(pair)
            except InputError as error:
                self.faults.add(f"bounds of {str(name)!r}: {error}")
        return {name: found[name] for name in self.names if found.get(name, (None, None)) != (None, None)}

    def groups(self, given: Any) -> dict[str, tuple[str, ...]]:
        """Return the members of each group, in the order of the names."""
        if not isinstance(given or {}, Mapping):
            self.faults.add(f"groups: a mapping from group names to {self.kind}s is needed; got {given!r}")
            return {}
        checked: dict[str, tuple[str, ...]] = {}
        for name, members in (given or {}).items():
            where = f"group {str(name)!r}"
            several = isinstance(members, Iterable) and not isinstance(members, str | Mapping)
            listed = tuple(members) if several else str(members) if isinstance(members, Group) else members
            if not str(name).strip():
                self.faults.add("a group has an empty name")
            elif not is_text(str(name)):
                self.faults.add(f"the name of {where} is no text")
            elif str(name) in checked:
                self.faults.add(f"{where} is there more than once")
            chosen = self.named(listed, where)
            if listed == ():
                self.faults.add(f"{where} has no {self.kind}s")
            checked[str(name)] = tuple(one for one in self.names if one in chosen)
        return checked


def score_range(pair: Any) -> Range:
    """Return a lowest and a highest score, None for a side without a limit, from a pair or a text ``"0:100"``.

    Raises
    ------
    InputError
        If it is neither, or the lowest is above the highest.
    """
    parts = pair.split(":") if isinstance(pair, str) else pair
    try:
        low, high = (None if one is None or one == "" else fraction(one) for one in list(parts))
    except (InputError, TypeError, ValueError):
        low = high = parts = None
    if isinstance(parts, Sequence):  # a set has no lowest and highest place
        if low is None or high is None or low <= high:
            return low, high
        raise InputError(f"the lowest score comes first: write {high}:{low}")
    raise InputError(f"a lowest and a highest score (or None) are needed, in order; got {pair!r}")


# Naming a group of tasks where a task could be meant too.


@dataclass(frozen=True)
class Group:
    """A group of tasks by name; made by `group`, since a plain string names a task."""

    name: str

    def __str__(self) -> str:
        """Return the name as the command line writes it."""
        return f"@{self.name}"


TasksLike: TypeAlias = str | Group | Iterable[str | Group]
"""A task, a group, or several of either: the tasks meant are all of them, once each."""


def group(name: str) -> Group:
    """Name a group of tasks, so that it is not taken for a task of the same name.

    Parameters
    ----------
    name : str
        A group of the leaderboard.

    Returns
    -------
    Group

    Examples
    --------
    >>> import weightlab as wl
    >>> str(wl.group("nli"))
    '@nli'
    """
    return Group(str(name))


def listed_tasks(given: TasksLike) -> tuple[str | Group, ...]:
    """Return the tasks and groups that are named, one or several, as a tuple.

    Raises
    ------
    InputError
        If these are no names at all, or a mapping, whose values would be passed over.
    """
    if isinstance(given, str | Group):
        return (given,)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise InputError(f"task names are needed, one or a list; got {given!r}")
    return tuple(given)


def tasks_named(given: TasksLike, tasks: Sequence[str], groups: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the tasks referred to, once each, in the order of the table.

    Raises
    ------
    UnknownNameError
        If a task or group is not known.
    InputError
        If these are no names at all, or a mapping, whose values would be passed over.
    """
    listed = listed_tasks(given)
    known = set(tasks)
    meant: set[str] = set()
    for one in listed:
        if isinstance(one, Group):
            if one.name not in groups:
                raise UnknownNameError("group", one.name, tuple(groups))
            meant.update(groups[one.name])
        elif str(one) not in known:
            raise UnknownNameError("task", one, tasks)
        else:
            meant.add(str(one))
    return tuple(task for task in tasks if task in meant)


NAMED = 5
"""Columns named in a line; the others are counted."""


def told_with(data: Any) -> str:
    """Return the line of a table or suite, and on which columns lower is better or the weight is not 1."""
    notes = [repr(data)]
    if data.lower_is_better:
        notes.append(f"lower is better: {first_few(data.lower_is_better, NAMED)}")
    heavy = [f"{name} {weight}" for name, weight in data.weights.items() if weight != 1]
    if heavy:
        notes.append(f"weights: {first_few(heavy, NAMED)}{'' if len(heavy) == len(data.weights) else ', the others 1'}")
    return "; ".join(notes)
