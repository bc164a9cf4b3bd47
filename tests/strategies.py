"""Hypothesis strategies: boards, suites, instances and profiles as users hold them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product

import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE

FEWER = settings(max_examples=max(1, settings.default.max_examples * 2 // 5))
"""For properties that stand beside a stronger one: not so many examples, also when all are searched for long."""

AWKWARD_NAMES = [
    "[red]bold[/red]",
    "<b>html</b>",
    'with "quotes" and, comma',
    "two\nlines",
    "tab\there",
    "bell\a",
    "\x1b[31mred",
    "نموذج",
    "模型",
    "🦊",
    "e\u0301",
    "\u00e9",
    " padded ",
    "c-d",
    "c d",
    "nan",
    "None",
    "0",
    "-1",
    "@nli",
    "a=b",
    "a/b",
    "__class__",
]


WORDS = [*"abcdexyz" * 4, *("".join(word) for length in (2, 3) for word in product("abcdexyz", repeat=length))][:128]
ANY_NAME = st.one_of(
    st.text("abcdexyz", min_size=1, max_size=3),
    st.sampled_from(AWKWARD_NAMES),
    st.text(min_size=1, max_size=8).filter(str.strip),
)
MISSING = (None, float("nan"), pd.NA)
FEW_SCORES = (0, 1, 1, 2, 2, 3, 0.1, 0.2, 0.3, "0.30", Decimal("0.2"), Fraction(1, 3))
WEIGHTS = (
    0,
    0,
    1,
    1,
    2,
    3,
    "0.1",
    "0.2",
    "0.3",
    "1/3",
    0.1,
    0.2,
    0.3,
    Decimal("0.25"),
    Fraction(3, 7),
    10**40,
    "1e-30",
)
TOLERANCES = (0, "0.1", 0.2, 1, Fraction(1, 3), 10**20)


# Strategies are made once where that is possible: hypothesis spends most of its time on making them.
@cache
def names(*, least=1, most=6, plain=False):
    """Return lists of distinct names, of letters alone or of all kinds."""
    chosen = st.binary(min_size=least, max_size=most)
    if plain:
        return chosen.map(distinct_names)
    return st.builds(distinct_names, chosen, st.text(min_size=2 * least, max_size=8 * most))


def distinct_names(chosen, text=None):
    """Return a name for each byte: a word or, where there is a text, also an awkward name or a piece of the text."""
    found, start = [], 0
    for byte in chosen:
        number, kind = (byte, 0) if text is None else divmod(byte, 3)
        name = AWKWARD_NAMES[number % len(AWKWARD_NAMES)] if kind == 1 else ""
        if kind == 2:
            name = text[start : start + 1 + number % 8]
            start += len(name)
        while not name.strip() or name in found:
            name, number = WORDS[number % len(WORDS)], number + 1
        found.append(name)
    return found


@cache
def decimals():
    """Return the text of decimals: few digits, many digits, large integers, exponents, signs, neighbours of doubles."""
    short = st.decimals(-100, 100, places=1).map(str)
    long = st.decimals(-2, 2, places=20).map(str)
    large = st.integers(2**53 - 2, 2**53 + 8).map(str)
    exponents = st.builds("{}e{}".format, st.integers(-99, 99), st.integers(-300, 300))
    doubles = st.floats(allow_nan=False, allow_infinity=False).map(repr)
    special = ["0", "-0", "-0.0", "0.30", "0.3", "0.30000000000000004", "0.30000000000000000001", ".5", "5.", "+5"]
    return st.one_of(short, long, large, exponents, doubles, st.sampled_from(special))


@cache
def few_scores():
    """Return scores among which ties are common."""
    return st.sampled_from(FEW_SCORES)


@cache
def written_numbers():
    """Return pairs of a number in one of the types that are accepted, and the exact value that is meant."""
    texts = decimals().map(lambda text: (text, Fraction(Decimal(text))))
    floats = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: (value, Fraction(repr(value))))
    integers = st.integers(-(10**30), 10**30).map(lambda value: (value, Fraction(value)))
    exact = st.fractions(-100, 100).map(lambda value: (value, value))
    decimal = decimals().map(lambda text: (Decimal(text), Fraction(Decimal(text))))
    return st.one_of(texts, floats, integers, exact, decimal)


def weights_of(dice, count):
    """Return that many weights, not negative and not all 0, as people write them."""
    drawn = dice.many_of(WEIGHTS, count)
    return drawn if any(Fraction(str(one)) for one in drawn) else [1, *drawn[1:]]


@cache
def weights(count):
    """Return lists of that many weights, not negative and not all 0, as people write them."""
    return DICE.map(lambda dice: weights_of(dice, count))


@st.composite
def frames(draw, **shape):
    """Return frames of scores, models x tasks, in which every model and task has a score."""
    return drawn_frame(draw, draw(DICE), **shape)


def drawn_frame(draw, dice, *, models=(2, 5), tasks=(1, 4), missing=True, cells=None, plain=False):
    """Return a frame of names that are drawn, and of scores from dice or, where wanted, of a strategy for cells."""
    rows = draw(names(least=models[0], most=models[1], plain=plain))
    columns = draw(names(least=tasks[0], most=tasks[1], plain=plain))
    if cells is None:
        return frame_of(dice, rows, columns, missing=missing)
    cell = st.one_of(cells, st.sampled_from(MISSING)) if missing else cells
    table = [[draw(cell) for _ in columns] for _ in rows]
    return filled_frame(table, rows, columns, lambda: draw(cells))


def frame_of(dice, rows, columns, *, missing=True):
    """Return a frame of scores among which ties are common."""
    cells = FEW_SCORES + MISSING if missing else FEW_SCORES
    table = [dice.many_of(cells, len(columns)) for _ in rows]
    return filled_frame(table, rows, columns, lambda: dice.one_of(FEW_SCORES))


def filled_frame(table, rows, columns, score):
    """Return the frame of a table, with one more score where a row or a column has none."""
    for place, row in enumerate(table):
        if all(pd.isna(value) for value in row):
            row[place % len(columns)] = score()
    for place in range(len(columns)):
        if all(pd.isna(row[place]) for row in table):
            table[place % len(rows)][place] = score()
    return pd.DataFrame(table, index=rows, columns=columns, dtype=object)


def declarations(tasks, *, weighted=True, tolerant=False):
    """Return keywords of a leaderboard: directions, weights, groups and, where wanted, tolerances."""
    return DICE.map(lambda dice: declarations_of(dice, tasks, weighted=weighted, tolerant=tolerant))


def declarations_of(dice, tasks, *, weighted=True, tolerant=False):
    """Return keywords of a leaderboard as dice choose them."""
    chosen = {"lower_is_better": dice.some_of(tasks)}
    if weighted:
        chosen["weights"] = dict(zip(tasks, weights_of(dice, len(tasks)), strict=True))
    groups = {name: dice.some_of(tasks) for name in ("nli", tasks[0])}
    chosen["groups"] = {name: members for name, members in groups.items() if members}
    if tolerant:
        sizes = dict(zip(tasks, dice.many_of(TOLERANCES, len(tasks)), strict=True))
        relative = dice.some_of(tasks)
        chosen["tolerance"] = {task: size for task, size in sizes.items() if task not in relative}
        chosen["relative_tolerance"] = {task: sizes[task] for task in relative}
    return chosen


@st.composite
def boards(draw, *, weighted=True, tolerant=False, **shape):
    """Return leaderboards with ties, gaps, directions, weights and names of all kinds."""
    dice = draw(DICE)
    frame = drawn_frame(draw, dice, **shape)
    return wl.Leaderboard(frame, **declarations_of(dice, list(frame.columns), weighted=weighted, tolerant=tolerant))


@st.composite
def suites(draw, *, datasets=(1, 3), models=(2, 4), metrics=(1, 3), missing=True, plain=False):
    """Return suites whose datasets need not have every model and metric."""
    rows = draw(names(least=models[0], most=models[1], plain=plain))
    columns = draw(names(least=metrics[0], most=metrics[1], plain=plain))
    dice, tables = draw(DICE), {}
    for dataset in draw(names(least=datasets[0], most=datasets[1], plain=plain)):
        height = dice.between(2, len(rows)) if missing else len(rows)
        width = dice.between(1, len(columns)) if missing else len(columns)
        tables[dataset] = frame_of(dice, rows[:height], columns[:width], missing=missing)
    metrics_there = list(dict.fromkeys(metric for table in tables.values() for metric in table.columns))
    options = declarations_of(dice, metrics_there)
    del options["groups"]
    # Every dataset has the first metric: with weight on it no dataset is without any.
    options["weights"][columns[0]] = options["weights"][columns[0]] or 1
    return wl.Suite(tables, **options)


def orders(models, *, strict=False, complete=True):
    """Return weak orders of the models, best first, as lists of names and lists of tied names."""
    return DICE.map(lambda dice: order_of(dice, models, strict=strict, complete=complete))


def order_of(dice, models, *, strict=False, complete=True):
    """Return a weak order of the models as dice choose it."""
    left = dice.shuffled(models)
    left = left if complete else left[: dice.between(0, len(left))]
    order = []
    while left:
        tied = 1 if strict else dice.between(1, len(left))
        order.append(left[0] if tied == 1 else left[:tied])
        left = left[tied:]
    return order


@st.composite
def profiles(draw, *, models=(1, 5), voters=(1, 5), strict=False, complete=True, weighted=True, plain=True):
    """Return profiles of weak (or strict), complete (or not) orders with weights."""
    ranked = draw(names(least=models[0], most=models[1], plain=plain))
    dice = draw(DICE)
    cast = [order_of(dice, ranked, strict=strict, complete=complete) for _ in range(dice.between(*voters))]
    shares = weights_of(dice, len(cast)) if weighted else None
    return wl.Profile.from_orders(cast, models=ranked, weights=shares)
