"""What a leaderboard's policy asks of each new version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields
from fractions import Fraction
from os import PathLike
from typing import Any, TypeAlias

from weightlab._exact import fraction, fraction_or_percent
from weightlab._result import Record, told_of
from weightlab._validate import Faults
from weightlab.exceptions import InputError, UnknownNameError, unknown_name
from weightlab.io.tables.declarations import read_toml
from weightlab.io.tables.sheet import opened
from weightlab.rules import rule as registered


class Policy(Record, eq=True):
    """What a new version must keep; a rule that is None, False or empty has no effect.

    Attributes
    ----------
    winner_stable_by : Fraction or None
        Today's first by the table's own rule stays first when this share of the weight moves between tasks.
    never_above_place : int or None
        No model that can never win head-to-head stands above this place by the table's own rule.
    acyclic_top : bool
        The Smith set, which beats all others, holds no majority cycle.
    directions_declared : bool
        Of every task it is declared whether higher or lower scores are better.
    missing : int or None
        Maximum number of missing scores.
    score_range : dict from task to (Fraction, Fraction)
        Between which numbers its scores lie.
    saturated : int or None
        On no task more models than this are statistically indistinguishable from the best.
    rank_level : Fraction or None
        Only one model may be first by average at this level of confidence.
    unmoved_by_newcomers : str or None
        By this rule new models leave the order of the others as it is.
    totals_add_up : bool
        In each row of the file every total matches its parts, within rounding.
    """

    winner_stable_by: Fraction | None = None
    never_above_place: int | None = None
    acyclic_top: bool = False
    directions_declared: bool = False
    missing: int | None = None
    score_range: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    saturated: int | None = None
    rank_level: Fraction | None = None
    unmoved_by_newcomers: str | None = None
    totals_add_up: bool = False

    @property
    def asked(self) -> tuple[str, ...]:
        """The rules that ask something."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return tuple(name for name, value in values.items() if value not in (None, {}) and value is not False)


PolicyLike: TypeAlias = Policy | Mapping[str, Any] | str | PathLike[str]
"""A policy, its rules by name, or the TOML file that holds them."""


def policy_of(given: PolicyLike | None, tasks: Sequence[str]) -> Policy:
    """Return a policy for a table of these tasks.

    Raises
    ------
    InputError
        If a rule is unknown or has a value that it cannot have, a task or voting rule is unknown, or it is no TOML.
    """
    if given is None or isinstance(given, Policy):
        return given or Policy()
    if isinstance(given, str | PathLike):
        declared = read_toml(opened(given, "csv"))
        with told_of(str(given), InputError):
            return policy_of(declared, tasks)
    faults, found = Faults(), {}
    for name, value in given.items():
        if name not in READERS:
            faults.add(unknown_name("rule", str(name), tuple(READERS), holder="list of rules"))
            continue
        try:
            found[name] = READERS[name][0](value, tasks)
        except UnknownNameError as error:
            faults.add(f"{name}: {error}")
        except (InputError, TypeError):
            faults.add(f"{name} must be {READERS[name][1]}; got {value!r}")
    faults.raise_if_any()
    return Policy(**found)


def _whole(least: int) -> Callable[[Any, Sequence[str]], int]:
    def read(value: Any, _: Sequence[str]) -> int:
        if type(value) is not int or value < least:
            raise TypeError
        return value

    return read


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _share(value: Any, _: Sequence[str]) -> Fraction:
    share = fraction_or_percent(value) if isinstance(value, str) else fraction(value)
    if not 0 < share < 1:
        raise TypeError
    return share


def _ranges(value: Any, tasks: Sequence[str]) -> dict[str, tuple[Fraction, Fraction]]:
    by_task = value if isinstance(value, Mapping) else dict.fromkeys(tasks, value)
    for task in by_task:
        if task not in tasks:
            raise UnknownNameError("task", str(task), tuple(tasks))
    found = {}
    for task, ends in by_task.items():
        low, high = map(fraction, ends if isinstance(ends, list | tuple) and len(ends) == 2 else (1, 0))
        if low > high:
            raise TypeError
        found[task] = (low, high)
    return found


READERS: Mapping[str, tuple[Callable[[Any, Sequence[str]], Any], str]] = {
    "winner_stable_by": (_share, 'a share of the weight, such as "5%"'),
    "never_above_place": (_whole(1), "a whole number, 1 or more"),
    "acyclic_top": (lambda value, _: _of(bool, value), "true or false"),
    "directions_declared": (lambda value, _: _of(bool, value), "true or false"),
    "missing": (_whole(0), "a whole number, 0 or more"),
    "score_range": (_ranges, "the least and the greatest score, such as [0, 100], or a table of such by task"),
    "saturated": (_whole(1), "a whole number, 1 or more"),
    "rank_level": (_share, 'a level of confidence between 0 and 1, such as "95%"'),
    "unmoved_by_newcomers": (lambda value, _: registered(_of(str, value)).name, "the name of a voting rule"),
    "totals_add_up": (lambda value, _: _of(bool, value), "true or false"),
}
"""How the value of each rule is read, given the tasks, and what it must be."""
