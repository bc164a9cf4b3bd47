"""Naming a group of tasks where a task could be meant too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from weightlab.exceptions import InputError, UnknownNameError

__all__ = ["Group", "TasksLike", "group", "listed_tasks", "tasks_named"]


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
    """Return the tasks that are meant, once each, in the order of the table.

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
