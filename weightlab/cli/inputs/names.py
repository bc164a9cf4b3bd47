"""Forgiving names: part of a name is enough at a prompt; documents carry the whole one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weightlab._text import listed, shown
from weightlab.cli.options.table import parted
from weightlab.cli.terminal.show import note
from weightlab.data import Group, Leaderboard, group
from weightlab.exceptions import InputError, UnknownNameError


def _printed(known: Iterable[str], mark: str = "") -> dict[str, str]:
    """Return names by all ways in which they are printed: as they are, escaped or in quotes, groups with their @."""
    ways = (str, shown, repr, lambda text: f"{mark}{text.removeprefix(mark)!r}")
    return {way(mark + one): one for way in reversed(ways) for one in known}


def meant(name: str, known: Sequence[str], kind: str, *, holder: str = "leaderboard") -> str:
    """Return the matching name: exact match, then case-insensitive, prefix, substring.

    Standard error names the match if it is printed differently.

    Raises
    ------
    UnknownNameError
        If it is none.
    InputError
        If there are several.
    """
    printed = {} if name in known else _printed(known)
    whole = name if name in known else printed.get(name, printed.get(name.strip()))
    if whole is not None:
        return whole
    part = name.casefold()
    folded = {one: one.casefold() for one in known}
    ways = (str.__eq__, str.startswith, str.__contains__)
    by_way = ([one for one, text in folded.items() if part and way(text, part)] for way in ways)
    found = next(filter(None, by_way), [])
    if not found:
        raise UnknownNameError(kind, name, tuple(known), holder=holder)
    if len(found) > 1:
        raise InputError(f"{kind} {name!r} matches {len(found)} names: {listed(map(shown, found), 6)}; use more of it")
    note(f"{kind.capitalize()} {name!r} is read as {shown(found[0])!r}.")
    return found[0]


def meant_models(names: Sequence[str] | None, board: Leaderboard) -> tuple[str, ...]:
    """Return the models that match, or raise InputError that names every one missing from the table."""
    found, faults = [], []
    for one in names or ():
        try:
            found.append(meant(one, board.models, "model"))
        except InputError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError([str(one) for one in faults])
    return tuple(dict.fromkeys(found))


def named(name: str, board: Leaderboard) -> str | Group:
    """Return the matching task, or for ``@nli`` the group, unless a task has that name.

    Raises
    ------
    InputError
        If there is no such task, or group, or there are several; a group that is named without its @ is suggested.
    """
    name = name if name in board.tasks else name.strip()
    if name not in _printed(board.tasks) and (name.startswith("@") or name in _printed(board.groups, "@")):
        return group(group_named(name, tuple(board.groups)))
    of = {one.casefold(): one for one in board.groups}.get(name.casefold())
    if of is not None and name.casefold() not in map(str.casefold, board.tasks):
        raise InputError(f"no task named {name!r}; there is a group of that name (did you mean '@{of}'?)")
    return meant(name, board.tasks, "task")


def group_named(name: str, groups: Sequence[str]) -> str:
    """Return the matching group, with its @ or without, or raise InputError as `meant` does."""
    return _printed(groups, "@").get(name) or meant(name.removeprefix("@"), groups, "group")


def several(given: Sequence[str], known: Sequence[str], kind: str, *, holder: str = "suite") -> tuple[str, ...]:
    """Return the names in texts, once each; a text is a name or several, comma-separated."""
    return tuple(dict.fromkeys(meant(part, known, kind, holder=holder) for part in names_in(given, known)))


def names_in(given: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the names in texts; a text is a name as printed, or several, comma-separated."""
    printed = _printed(known)
    return [part for text in given for part in ([text] if text in printed else parted(text))]


READINGS = 32
"""Largest number of readings of names with > in them."""


def pairs_of(text: str, option: str, models: Sequence[str]) -> list[tuple[str, str]]:
    """Return the head-to-heads of ``A > B`` or ``A > B > C``; names may contain >."""
    parts = text.split(">")
    if len(parts) < 2:
        raise InputError(f"{option} {text!r}: write 'A > B', the winner first")
    known = set(models)
    readings = [names for names in _readings(parts, known) if len(names) > 1]
    if not readings:
        unknown = next((part.strip() for part in parts if part.strip() not in known), text)
        raise InputError(f"{option} {text!r}: {UnknownNameError('model', unknown, models)}")
    # No model beats itself: a reading that says so is dropped if others remain.
    sound = [names for names in readings if all(one != two for one, two in _neighbours(names))] or readings
    if len(sound) > 1:
        ways = " or ".join(", ".join(f"{a!r} over {b!r}" for a, b in _neighbours(names)) for names in sound[:2])
        raise InputError(
            f"{option} {text!r} can be read as {ways}: say each pair in a {option} of its own, or rename the models"
        )
    return _neighbours(sound[0])


def _neighbours(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each name with the next one."""
    return [(names[place], names[place + 1]) for place in range(len(names) - 1)]


def _readings(parts: Sequence[str], models: set[str]) -> list[list[str]]:
    """Return all ways in which parts between > make up names, those with shorter first names first."""
    endings: list[list[list[str]]] = [[] for _ in parts] + [[[]]]
    for start in range(len(parts) - 1, -1, -1):
        for end in range(start + 1, len(parts) + 1):
            name = ">".join(parts[start:end]).strip()
            if name in models:
                endings[start] = [*endings[start], *([name, *rest] for rest in endings[end])][:READINGS]
    return endings[0]
