"""Hypothesis strategies: boards, suites, instances and profiles as users hold them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import compress

import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

import weightlab as wl

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


LETTERS = st.text("abcdexyz", min_size=1, max_size=3)
ANY_NAME = st.one_of(LETTERS, st.sampled_from(AWKWARD_NAMES), st.text(min_size=1, max_size=8).filter(str.strip))
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
ONE_WEIGHT = st.sampled_from(WEIGHTS)
TOLERANCE = st.sampled_from([0, "0.1", 0.2, 1, Fraction(1, 3), 10**20])


# Strategies are made once where that is possible: hypothesis spends most of its time on making them.
@cache
def names(*, least=1, most=6, plain=False):
    """Return lists of distinct names, of letters alone or of all kinds."""
    return st.lists(LETTERS if plain else ANY_NAME, min_size=least, max_size=most, unique=True)


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


@st.composite
def weights(draw, count):
    """Return that many weights, not negative and not all 0, as people write them."""
    drawn = [draw(ONE_WEIGHT) for _ in range(count)]
    return drawn if any(Fraction(str(one)) for one in drawn) else [1, *drawn[1:]]


@cache
def gaps(score):
    """Return scores of which some are missing."""
    return (
        st.sampled_from(FEW_SCORES + MISSING) if score is few_scores() else st.one_of(score, st.sampled_from(MISSING))
    )


@cache
def subsets(count):
    """Return tuples that say of so many things which are chosen."""
    return st.integers(0, 2**count - 1).map(lambda chosen: tuple(bool(chosen >> place & 1) for place in range(count)))


@st.composite
def frames(draw, *, models=(2, 5), tasks=(1, 4), missing=True, cells=None, plain=False):
    """Return frames of scores, models x tasks, in which every model and task has a score."""
    rows = draw(names(least=models[0], most=models[1], plain=plain))
    columns = draw(names(least=tasks[0], most=tasks[1], plain=plain))
    score = few_scores() if cells is None else cells
    gap = gaps(score) if missing else score
    table = [[draw(gap) for _ in columns] for _ in rows]
    for place, row in enumerate(table):
        if all(pd.isna(value) for value in row):
            row[place % len(columns)] = draw(score)
    for place in range(len(columns)):
        if all(pd.isna(row[place]) for row in table):
            table[place % len(rows)][place] = draw(score)
    return pd.DataFrame(table, index=rows, columns=columns, dtype=object)


@st.composite
def declarations(draw, tasks, *, weighted=True, tolerant=False):
    """Return keywords of a leaderboard: directions, weights, groups and, where wanted, tolerances."""
    drawn = {"lower_is_better": list(compress(tasks, draw(subsets(len(tasks)))))}
    if weighted:
        drawn["weights"] = dict(zip(tasks, draw(weights(len(tasks))), strict=True))
    groups = {name: list(compress(tasks, draw(subsets(len(tasks))))) for name in ("nli", tasks[0])}
    drawn["groups"] = {name: members for name, members in groups.items() if members}
    if tolerant:
        sizes = {task: draw(TOLERANCE) for task in tasks}
        relative = list(compress(tasks, draw(subsets(len(tasks)))))
        drawn["tolerance"] = {task: size for task, size in sizes.items() if task not in relative}
        drawn["relative_tolerance"] = {task: sizes[task] for task in relative}
    return drawn


@st.composite
def boards(draw, *, weighted=True, tolerant=False, **shape):
    """Return leaderboards with ties, gaps, directions, weights and names of all kinds."""
    frame = draw(frames(**shape))
    return wl.Leaderboard(frame, **draw(declarations(list(frame.columns), weighted=weighted, tolerant=tolerant)))


@st.composite
def suites(draw, *, datasets=(1, 3), models=(2, 4), metrics=(1, 3), missing=True, plain=False):
    """Return suites whose datasets need not have every model and metric."""
    rows = draw(names(least=models[0], most=models[1], plain=plain))
    columns = draw(names(least=metrics[0], most=metrics[1], plain=plain))
    tables = {}
    for dataset in draw(names(least=datasets[0], most=datasets[1], plain=plain)):
        height, width = st.just(len(rows)), st.just(len(columns))
        if missing:
            height, width = st.integers(2, len(rows)), st.integers(1, len(columns))
        shape = draw(st.tuples(height, width))
        frame = draw(frames(models=shape[:1] * 2, tasks=shape[1:] * 2, missing=missing, plain=True))
        tables[dataset] = frame.set_axis(rows[: shape[0]], axis=0).set_axis(columns[: shape[1]], axis=1)
    metrics_there = list(dict.fromkeys(metric for table in tables.values() for metric in table.columns))
    options = draw(declarations(metrics_there))
    del options["groups"]
    # Every dataset has the first metric: with weight on it no dataset is without any.
    options["weights"][columns[0]] = options["weights"][columns[0]] or 1
    return wl.Suite(tables, **options)


@st.composite
def orders(draw, models, *, strict=False, complete=True):
    """Return weak orders of the models, best first, as lists of names and lists of tied names."""
    left = draw(st.permutations(models))
    left = left if complete else left[: draw(st.integers(0, len(left)))]
    order = []
    while left:
        tied = 1 if strict else draw(st.integers(1, len(left)))
        order.append(left[0] if tied == 1 else left[:tied])
        left = left[tied:]
    return order


@st.composite
def profiles(draw, *, models=(1, 5), voters=(1, 5), strict=False, complete=True, weighted=True, plain=True):
    """Return profiles of weak (or strict), complete (or not) orders with weights."""
    ranked = draw(names(least=models[0], most=models[1], plain=plain))
    each = orders(ranked, strict=strict, complete=complete)
    cast = draw(st.lists(each, min_size=voters[0], max_size=voters[1]))
    shares = draw(weights(len(cast))) if weighted else None
    return wl.Profile.from_orders(cast, models=ranked, weights=shares)
