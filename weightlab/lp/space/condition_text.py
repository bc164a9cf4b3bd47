"""Conditions in words, read off the rows that say what they mean: a label may promise anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from weightlab._text import in_words
from weightlab.lp.space.conditions import Condition, LinearRow, Relation, near_in_each, near_in_sum, same_proportions

__all__ = ["RELATIONS", "condition_text", "conditions_sentence", "options_sentence"]

RELATIONS = {Relation.AT_MOST: "at most", Relation.AT_LEAST: "at least", Relation.EQUAL: "exactly"}
"""What each relation is called."""
MOST = 8
"""So many terms of a sum are written out."""
MOST_NAMES = 6
"""So many names, or different wishes, are listed; the rest is counted."""


class Space(Protocol):
    """What conditions are about."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks whose weights are meant."""

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Groups of tasks, for naming their sums."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions, in the order given."""


def conditions_sentence(space: Space) -> str:
    """Return a sentence that names the conditions of a space, to follow a claim; nothing when there are none."""
    if not space.conditions:
        return ""
    return f" Conditions: {'; '.join(condition_text(condition, space) for condition in space.conditions)}."


def condition_text(condition: Condition, space: Space) -> str:
    """Return what the rows of a condition say."""
    for words in (_near_in_sum, _near_in_each, _in_proportion):
        text = words(condition, space)
        if text is not None:
            return text
    return " and ".join(_row(row, space.groups) for row in condition.rows) or "nothing"


def _row(row: LinearRow, groups: Mapping[str, Sequence[str]]) -> str:
    terms = {**row.tasks, **row.auxiliaries}
    plus = {name: value for name, value in terms.items() if value > 0}
    minus = {name: -value for name, value in terms.items() if value < 0}
    word = RELATIONS[row.relation]
    if not plus and not minus:
        return "nothing" if row.relation.holds(Fraction(0), row.bound) else f"0 {word} {row.bound}"
    if plus and minus and not row.bound:
        return f"{_sum(plus, groups)} {word} {_sum(minus, groups)}"
    less = f" less {_sum(minus, groups)}" if minus else ""
    return f"{_sum(plus, groups)}{less} {word} {row.bound}"


def _sum(terms: Mapping[str, Fraction], groups: Mapping[str, Sequence[str]]) -> str:
    factors = set(terms.values())
    named = next((name for name, members in groups.items() if len(factors) == 1 and set(members) == set(terms)), None)
    if named is not None and len(terms) > 1:
        (factor,) = factors
        return f"@{named}" if factor == 1 else f"{factor} @{named}"
    parts = [name if value == 1 else f"{value} {name}" for name, value in terms.items()]
    more = f" + ... ({len(parts)} in all)" if len(parts) > MOST else ""
    return (" + ".join(parts[:MOST]) or "0") + more


def _near_in_sum(condition: Condition, space: Space) -> str | None:
    *gains, total = condition.rows or (None,)
    if total is None or len(gains) != len(space.tasks) or len(condition.auxiliaries) != len(gains):
        return None
    centre = {next(iter(row.tasks), ""): row.bound for row in gains}
    return _if_same(near_in_sum(centre, 2 * total.bound, "", ""), condition, centre, 2 * total.bound, "sum of changes")


def _near_in_each(condition: Condition, space: Space) -> str | None:
    most, least = condition.rows[::2], condition.rows[1::2]
    if len(most) != len(space.tasks) or len(least) != len(most):
        return None
    centre = {next(iter(up.tasks), ""): (up.bound + down.bound) / 2 for up, down in zip(most, least, strict=True)}
    radius = (most[0].bound - least[0].bound) / 2
    return _if_same(near_in_each(centre, radius, ""), condition, centre, radius, "largest change")


def _if_same(
    made: Condition, condition: Condition, centre: Mapping[str, Fraction], radius: Fraction, norm: str
) -> str | None:
    if sum(centre.values()) != 1 or not _same(made, condition):
        return None
    where = "equal weights" if len(set(centre.values())) == 1 else "given weights"
    return f"within {radius} of {where} ({norm})"


def _in_proportion(condition: Condition, space: Space) -> str | None:
    rows = condition.rows
    if len(rows) < 2 or any(row.relation is not Relation.EQUAL or row.bound for row in rows):
        return None
    own = [next(iter(row.tasks), "") for row in rows]
    others = {name for row in rows for name in row.tasks} - set(own)
    if len(others) != 1:
        return None
    (anchor,) = others
    shares = {anchor: Fraction(1)}
    shares |= {task: -row.tasks.get(anchor, Fraction(0)) for task, row in zip(own, rows, strict=True)}
    return f"{_sum(shares, space.groups)} in proportion" if _same(same_proportions(shares, ""), condition) else None


def _same(made: Condition, condition: Condition) -> bool:
    """Tell whether two conditions have the same rows, names aside."""
    return _nameless(made) == _nameless(condition)


def _nameless(condition: Condition) -> list[tuple[object, ...]]:
    number = {name: position for position, name in enumerate(condition.auxiliaries)}
    return [
        (dict(row.tasks), {number[name]: value for name, value in row.auxiliaries.items()}, row.relation, row.bound)
        for row in condition.rows
    ]


def options_sentence(heading: str, wishes: Sequence[Mapping[str, str]], names: int, everything: str) -> str:
    """Return a sentence such as `` Bounds: 0 to 1 for every missing score.``, empty where nothing was asked for.

    Besides weights a question may set bounds of scores, prices and limits: no answer hides them.

    Parameters
    ----------
    heading : str
        Its first word.
    wishes : sequence of mappings from name to text
        What was asked for, by the name that it is about; equal wishes are said once.
    names : int
        How many names there are.
    everything : str
        What all of them are called.
    """
    who: dict[str, list[str]] = {}
    for one in wishes:
        for name, text in one.items():
            who.setdefault(text, []).append(name)
    parts = [
        f"{text} for {everything if len(own) == names else in_words(own, MOST_NAMES)}" for text, own in who.items()
    ]
    if len(parts) > MOST_NAMES:
        parts = [*parts[:MOST_NAMES], f"{len(parts) - MOST_NAMES} more"]
    return f" {heading}: {'; '.join(parts)}." if parts else ""
