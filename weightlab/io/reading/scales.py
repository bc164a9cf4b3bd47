"""Scores that may not be what they look like: of two scales, of two splits, or zeros of models that were not run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weightlab._result import Frozen
from weightlab._text import counted, first_few
from weightlab.io.reading.drafts import Draft
from weightlab.io.reading.words import hit

NARROW = 6
"""Zeros are doubted where the least other score is more than this many times as far from 0 as the others are apart."""
MANY_ZEROS = 5
"""... in at least this number of columns, or a tenth of the cells of one."""
LEAST_PERCENT = 10
"""Where all other scores of a column are at least this, one below 1 may be a fraction."""
MOST_NAMED = 6
"""Columns whose zeros are declared one by one."""
_SPLIT = re.compile(r"(validation|valid|val|dev|test)[._/ -]+(.+)", re.IGNORECASE)
"""A header that begins with a split of data."""
_OF_METRIC = re.compile(r"(.+)[_./: -]([^_./: -]+)")
"""A header that ends with a metric."""


class ReadingQuestion(Frozen, eq=True):
    """What only the owner of a table knows, and that no acceptance of a reading covers.

    Attributes
    ----------
    asked : str
        A sentence.
    columns : tuple of str
        The columns it is about.
    answers : tuple of (str, mapping)
        What may be declared, with the words for it.
    """

    asked: str
    columns: tuple[str, ...]
    answers: tuple[tuple[str, Mapping[str, Any]], ...] = ()


def scale_questions(drafts: Sequence[Draft], names: Sequence[str]) -> list[ReadingQuestion]:
    """Return doubts that some columns or rows are fractions beside others in percent."""
    tasks = [one for one in drafts if one.role == "task" and one.lower is False and len(one.good) > 1]
    if len(tasks) < 3:
        return []
    mixed = [one.name for one in tasks if {"", "%"} <= one.units]
    asked = (
        [
            ReadingQuestion(
                asked=f"some cells of {_told(mixed)} have a percent sign and some have none",
                columns=tuple(mixed),
                answers=(("all are in percent", {"percent": mixed}),),
            )
        ]
        if mixed
        else []
    )
    small = [one for one in tasks if one.good.min() >= 0 and one.good.max() <= 1 and "%" not in one.units]
    big = [one for one in tasks if 20 < one.good.max() <= 100 and one.good.min() >= 0]
    odd = []
    usual = float(np.median([np.median(one.good) for one in big])) if big else 0
    if len(big) >= max(2, len(small)) and usual > 0:
        odd = [one.name for one in small if 0.02 < 100 * float(np.median(one.good)) / usual < 3]
    asked += [question for one in tasks for question in _cells_of_another_scale(one, tasks, names)]
    if odd:
        asked.append(
            ReadingQuestion(
                asked=f"{_told(odd)} {'looks' if len(odd) == 1 else 'look'} like fractions beside percentages",
                columns=tuple(odd),
                answers=(
                    ("fractions of what the others give in percent", {"percent": odd}),
                    ("each column has its own scale", {"keep": [one.name for one in tasks]}),
                ),
            )
        )
    return asked + _rows_of_another_scale(tasks, names)


def _cells_of_another_scale(one: Draft, tasks: Sequence[Draft], names: Sequence[str]) -> list[ReadingQuestion]:
    """Return the doubt that a few cells of a column are fractions beside percentages."""
    fine, rest = one.good[(one.good > 0) & (one.good <= 1)], one.good[one.good > 1]
    # A tenth of the rest at most; in percent each would lie among them, with as many digits as they have.
    if not 0 < 10 * len(fine) <= len(rest) or rest.min() < LEAST_PERCENT or rest.max() > 100 or one.good.min() < 0:
        return []
    among = rest.min() <= 100 * fine.min() and 100 * fine.max() <= rest.max()
    if not among or min(map(_places, fine.tolist())) <= max(map(_places, rest.tolist())):
        return []
    rows = [names[row] for row in np.flatnonzero(np.isin(one.values, fine))]
    told = f"{one.name!r} of {_told(rows)} looks like a fraction beside percentages"
    answer = ("its scale is that of the others", {"keep": [other.name for other in tasks]})
    return [ReadingQuestion(asked=told, columns=(one.name,), answers=(answer,))]


def _places(number: float) -> int:
    """Return how many digits a number has behind the point."""
    text = repr(number)
    return 0 if "e" in text or text.endswith(".0") else len(text.partition(".")[2])


def _rows_of_another_scale(tasks: Sequence[Draft], names: Sequence[str]) -> list[ReadingQuestion]:
    table = np.column_stack([one.values for one in tasks])
    given = ~np.isnan(table)
    enough = given.sum(axis=1) >= 2
    most = np.where(given, table, -np.inf).max(axis=1)
    whole = table[given]
    usual = float(np.median(whole)) if len(whole) else 0.0
    middle = np.where(enough, np.sort(table, axis=1)[np.arange(len(table)), (given.sum(axis=1) - 1) // 2], 0)
    fine = enough & (most <= 1) & (middle > 0)
    percent = enough & (most > 20)
    if (
        len(whole)
        and whole.min() >= 0
        and whole.max() <= 100
        and fine.any()
        and percent.any()
        and fine.sum() != enough.sum()
    ):
        usual = float(np.median(whole[whole > 1.5])) if (whole > 1.5).any() else usual
        fine &= (middle * 100 > usual / 3) & (middle * 100 < usual * 3)
    else:
        fine = np.zeros(len(table), dtype=np.bool_)
    rows = np.flatnonzero(fine).tolist()
    if not rows or any(one.good.max() <= 1 for one in tasks):
        return []
    told = first_few([repr(names[row]) for row in rows], 3)
    return [
        ReadingQuestion(
            asked=f"{counted(len(rows), 'row')} ({told}) in fractions beside rows in percent",
            columns=(),
            answers=(("all rows are of one scale", {"keep": [one.name for one in tasks]}),),
        )
    ]


def zero_question(drafts: Sequence[Draft], names: Sequence[str]) -> list[ReadingQuestion]:
    """Return the doubt that zeros, far below the narrow band of all other scores, are of models that were not run."""
    found: list[tuple[Draft, float]] = []
    for draft in drafts:
        others = draft.good[draft.good != 0] if draft.role == "task" else np.empty(0)
        if 2 < len(others) < len(draft.good) and others.min() > NARROW * np.ptp(others) > 0:
            found.append((draft, 1 - len(others) / len(draft.good)))
    kept = [draft for draft, share in found if len(found) >= MANY_ZEROS or share >= 0.1]
    if not kept:
        return []
    zeros = sum(int((one.good == 0).sum()) for one in kept)
    rows = np.flatnonzero(np.any([one.values == 0 for one in kept], axis=0)).tolist()
    columns = tuple(one.name for one in kept)
    models = first_few([repr(names[row]) for row in rows], 3)
    told = f"{counted(zeros, 'zero')} far below all other scores ({_told(columns)}; {models})"
    tasks = [one.name for one in drafts if one.role == "task"]
    zero = [one.name for one in drafts if one.role == "task" and (one.good == 0).any()]
    every = len(columns) > MOST_NAMED or {*zero} == {*columns}
    gone = ["0"] if every else [f"{name}=0" for name in columns]
    answers = (("not run", {"missing_value": gone}), ("scores", {"keep": tasks}))
    return [ReadingQuestion(asked=f"{told}: were these not run?", columns=columns, answers=answers)]


def split_question(tasks: Sequence[Draft]) -> list[ReadingQuestion]:
    """Return the doubt that some tasks count twice: two or more of them have a column for several splits each."""
    splits: dict[str, dict[str, Draft]] = {}
    for one in tasks:
        if found := _SPLIT.fullmatch(one.name):
            splits.setdefault(found[1], {})[found[2]] = one
    shared = [
        word
        for word, its in splits.items()
        if any(len(its.keys() & more.keys()) > 1 for one, more in splits.items() if one != word)
    ]
    if not shared:
        return []
    shared.sort(key=lambda word: -sum(len(one.good) for one in splits[word].values()))
    every = [one for word in shared for one in splits[word].values()]
    rest = [one.name for one in tasks if one not in every]
    answers = [(word, {"keep": [*(one.name for one in splits[word].values()), *rest]}) for word in shared]
    told = " and ".join(repr(word) for word in shared)
    return [
        ReadingQuestion(
            asked=f"the same tasks occur by the splits {told}: which of them, or all, as tasks of their own?",
            columns=tuple(one.name for one in every),
            answers=(*answers, ("all", {"keep": [one.name for one in tasks]})),
        )
    ]


def metric_question(models: Sequence[str]) -> list[ReadingQuestion]:
    """Return the doubt that columns are of fewer models, each by several metrics: ``a_time, a_steps, b_time, b_steps``.

    They are splits where the parts before and after the last sign occur in all pairs, and some part is a metric.
    """
    parts = [match for one in models if (match := _OF_METRIC.fullmatch(one))]
    held = {(one[1], one[2]) for one in parts}
    stems, metrics = ([*dict.fromkeys(one[at] for one in parts)] for at in (1, 2))
    known = [one for one in metrics if hit(one, "lower") or hit(one, "higher")]
    if min(len(stems), len(metrics)) < 2 or len(held) != len(stems) * len(metrics) or not known:
        return []
    told = f"the columns are of {counted(len(stems), 'model')} by {' and '.join(map(repr, metrics))}"
    answers = [
        (one, {"keep": [part[0] for part in parts if part[2] == one], "transpose": True})
        for one in sorted(metrics, key=lambda one: one not in known)
    ]
    return [ReadingQuestion(asked=f"{told}: which of them counts?", columns=(), answers=tuple(answers))]


def _told(names: Sequence[str]) -> str:
    return first_few([repr(one) for one in names], 3)
