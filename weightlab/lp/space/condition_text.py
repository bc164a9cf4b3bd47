"""Weights and conditions in words: what is said follows from the numbers alone, and says no two things alike."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from weightlab._text import in_words

Groups = Mapping[str, Sequence[str]]

RELATIONS = {"<=": "at most", ">=": "at least", "=": "exactly"}
"""What each relation is called."""
MOST_NAMES = 6
"""So many names, or different wishes, are listed; the rest is counted."""
OWN_WORDS = {"+", "most", "least", "exactly", "less", "every", "proportion"}
"""Words that sentences are made of: a task whose name has one of them stands in quotes, as do ``1 a`` and ``a,b``."""

_PLAIN = re.compile(r"""(?!['"@])[^\s,;]+""")
_NUMBER = re.compile(r"-?\d+(/\d+)?")


def named(task: str) -> str:
    """Return a task's name, in quotes where it could be taken for a part of the sentence."""
    words = task.split(" ")
    plain = task.isprintable() and all(_PLAIN.fullmatch(word) and word not in OWN_WORDS for word in words)
    return task if plain and not _NUMBER.fullmatch(words[0]) else repr(task)


def row_text(tasks: Mapping[str, Fraction], relation: str, bound: Fraction, groups: Groups | None = None) -> str:
    """Return a row in words, such as ``a + 2 b at most 1/3`` or ``a at least @nli``."""
    plus = {task: value for task, value in tasks.items() if value > 0}
    minus = {task: -value for task, value in tasks.items() if value < 0}
    word = RELATIONS[relation]
    if plus and minus and not bound:
        return f"{_sum(plus, groups)} {word} {_sum(minus, groups)}"
    less = f" less {_sum(minus, groups)}" if minus else ""
    return f"{_sum(plus, groups)}{less} {word} {bound}"


def _sum(terms: Mapping[str, Fraction], groups: Groups | None) -> str:
    factors = set(terms.values())
    if len(terms) > 1 and len(factors) == 1:
        group = next((name for name, members in (groups or {}).items() if terms.keys() == set(members)), None)
        if group is not None:
            (factor,) = factors
            return f"{'' if factor == 1 else f'{factor} '}@{named(group)}"
    return " + ".join(named(task) if value == 1 else f"{value} {named(task)}" for task, value in terms.items()) or "0"


def _whole(shares: Mapping[str, Fraction]) -> dict[str, int]:
    """Return the least whole numbers in the proportions of shares."""
    scale = math.lcm(*(share.denominator for share in shares.values()))
    numbers = {task: int(share * scale) for task, share in shares.items()}
    unit = math.gcd(*numbers.values()) or 1
    return {task: number // unit for task, number in numbers.items()}


def weights_text(shares: Mapping[str, Fraction], whose: str = "the") -> str:
    """Return weights of all tasks in words: ``equal weights``, or ``the weights CoLA 2, every other task 1``."""
    numbers = _whole(shares)
    if len(set(numbers.values())) == 1:
        return "equal weights"
    ((usual, count),) = Counter(numbers.values()).most_common(1)
    listed = [f"{named(task)} {number}" for task, number in numbers.items() if count == 1 or number != usual]
    return f"{whose} weights {', '.join(listed)}" + (f", every other task {usual}" if count > 1 else "")


def proportion_text(shares: Mapping[str, Fraction]) -> str:
    """Return in words that some tasks keep the proportions of shares: ``a, b in proportion 1 : 2``."""
    numbers = list(_whole(shares).values())
    how = "equal proportion" if len(set(numbers)) == 1 else f"proportion {' : '.join(map(str, numbers))}"
    return f"{', '.join(map(named, shares))} in {how}"


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
