"""Hypothesis strategies: boards, suites, instances and profiles as users hold them."""

from __future__ import annotations

import math
import struct
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
ANY_TEXT = st.text(min_size=2, max_size=48)
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
SPECIAL_DECIMALS = ["0", "-0", "-0.0", "0.30", "0.3", "0.30000000000000004", "0.30000000000000000001", ".5", "5.", "+5"]
SPECIAL_DOUBLES = [0.0, -0.0, 0.1, 0.5, 1 / 3, 2.0**53 + 2, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
TOLERANCES = (0, "0.1", 0.2, 1, Fraction(1, 3), 10**20)


# Strategies are made once where that is possible: hypothesis spends most of its time on making them.
@cache
def names(*, least=1, most=6, plain=False):
    """Return lists of distinct names, of letters alone or of all kinds."""
    if plain:
        return DICE.map(lambda dice: names_of(dice, (least, most)))
    return st.builds(lambda dice, text: names_of(dice, (least, most), text), DICE, ANY_TEXT)


def names_of(dice, numbers, text=None, *, awkward=AWKWARD_NAMES):
    """Return so many distinct names: words or, where there is a text, also awkward names and pieces of the text."""
    found = []
    for _ in range(dice.between(*numbers)):
        number, kind = dice.below(128), "word" if text is None else dice.one_of(["word", "awkward", "piece"])
        name = awkward[number % len(awkward)] if kind == "awkward" else ""
        if kind == "piece":
            start = dice.below(max(1, len(text)))
            name = text[start : start + 1 + number % 8]
        while not name.strip() or name in found:
            name, number = WORDS[number % len(WORDS)], number + 1
        found.append(name)
    return found


@cache
def decimals():
    """Return the text of decimals: few digits, many digits, large integers, exponents, signs, neighbours of doubles."""
    return DICE.map(decimal_of)


def decimal_of(dice):
    """Return the text of a decimal as dice choose it."""
    kind = dice.one_of(["short", "long", "large", "exponent", "double", "special"])
    if kind == "short":
        return str(Decimal(dice.between(-1000, 1000)) / 10)
    if kind == "long":
        return str(Decimal(dice.between(-2 * 10**20, 2 * 10**20)).scaleb(-20))
    if kind == "large":
        return str(dice.between(2**53 - 2, 2**53 + 8))
    if kind == "exponent":
        return f"{dice.between(-99, 99)}e{dice.between(-300, 300)}"
    return repr(double_of(dice)) if kind == "double" else dice.one_of(SPECIAL_DECIMALS)


def double_of(dice):
    """Return any finite double: all bits as dice choose them, or a whole number, or one at an end of the range."""
    kind = dice.below(3)
    if kind == 0:
        return float(dice.between(-1000, 1000))
    if kind == 1:
        return dice.one_of(SPECIAL_DOUBLES)
    (found,) = struct.unpack(">d", dice.below(2**64).to_bytes(8, "big"))
    return found if math.isfinite(found) else -1.5


@cache
def written_numbers():
    """Return pairs of a number in one of the types that are accepted, and the exact value that is meant."""
    return DICE.map(written_number_of)


def written_number_of(dice):
    """Return a number in one of the types that are accepted, and the exact value that is meant."""
    kind = dice.one_of(["text", "float", "integer", "exact", "decimal"])
    if kind in {"text", "decimal"}:
        text = decimal_of(dice)
        return text if kind == "text" else Decimal(text), Fraction(Decimal(text))
    if kind == "float":
        value = double_of(dice)
        return value, Fraction(repr(value))
    denominator = 1 if kind == "integer" else dice.between(1, 10**6)
    value = Fraction(
        dice.between(-(10**30), 10**30) if kind == "integer" else dice.between(-(10**8), 10**8), denominator
    )
    return int(value) if kind == "integer" else value, value


def weights_of(dice, count):
    """Return that many weights, not negative and not all 0, as people write them."""
    drawn = dice.many_of(WEIGHTS, count)
    return drawn if any(drawn) else [1, *drawn[1:]]


@cache
def weights(count):
    """Return lists of that many weights, not negative and not all 0, as people write them."""
    return DICE.map(lambda dice: weights_of(dice, count))


def rolled(make, *, plain=False):
    """Return what ``make(dice, text)`` makes: of dice alone where names are plain, else of dice and a text."""
    return DICE.map(lambda dice: make(dice, None)) if plain else st.builds(make, DICE, ANY_TEXT)


def frames(*, plain=False, **shape):
    """Return frames of scores, models x tasks, in which every model and task has a score."""
    return rolled(lambda dice, text: frame_of(dice, text, **shape), plain=plain)


def frame_of(dice, text=None, *, models=(2, 5), tasks=(1, 4), **options):
    """Return a frame of scores as dice choose them, with names of a text or plain ones."""
    rows = names_of(dice, models, text)
    return filled_frame(dice, rows, names_of(dice, tasks, text), **options)


def filled_frame(dice, rows, columns, *, missing=True, cells=None):
    """Return a frame in which every row and column has a score, of few scores or as ``cells(dice)`` chooses."""
    if cells is None:
        options = FEW_SCORES + MISSING if missing else FEW_SCORES
        table = [dice.many_of(options, len(columns)) for _ in rows]
    else:
        table = [[_gap_or(dice, cells) if missing else cells(dice) for _ in columns] for _ in rows]
    score = cells or _few_score
    for place, row in enumerate(table):
        if all(pd.isna(value) for value in row):
            row[place % len(columns)] = score(dice)
    for place in range(len(columns)):
        if all(pd.isna(row[place]) for row in table):
            table[place % len(rows)][place] = score(dice)
    return pd.DataFrame(table, index=rows, columns=columns, dtype=object)


def _gap_or(dice, cells):
    return dice.one_of(MISSING) if dice.flag() else cells(dice)


def _few_score(dice):
    return dice.one_of(FEW_SCORES)


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


def boards(*, weighted=True, tolerant=False, plain=False, **shape):
    """Return leaderboards with ties, gaps, directions, weights and names of all kinds."""

    def board(dice, text):
        frame = frame_of(dice, text, **shape)
        return wl.Leaderboard(frame, **declarations_of(dice, list(frame.columns), weighted=weighted, tolerant=tolerant))

    return rolled(board, plain=plain)


def suites(*, datasets=(1, 3), models=(2, 4), metrics=(1, 3), missing=True, plain=False):
    """Return suites whose datasets need not have every model and metric."""

    def suite(dice, text):
        rows, columns, tables = names_of(dice, models, text), names_of(dice, metrics, text), {}
        for dataset in names_of(dice, datasets, text):
            height = dice.between(2, len(rows)) if missing else len(rows)
            width = dice.between(1, len(columns)) if missing else len(columns)
            tables[dataset] = filled_frame(dice, rows[:height], columns[:width], missing=missing)
        metrics_there = list(dict.fromkeys(metric for table in tables.values() for metric in table.columns))
        options = declarations_of(dice, metrics_there)
        del options["groups"]
        # Every dataset has the first metric: with weight on it no dataset is without any.
        options["weights"][columns[0]] = options["weights"][columns[0]] or 1
        return wl.Suite(tables, **options)

    return rolled(suite, plain=plain)


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


def profiles(*, models=(1, 5), voters=(1, 5), strict=False, complete=True, weighted=True, plain=True):
    """Return profiles of weak (or strict), complete (or not) orders with weights."""

    def profile(dice, text):
        ranked = names_of(dice, models, text)
        cast = [order_of(dice, ranked, strict=strict, complete=complete) for _ in range(dice.between(*voters))]
        shares = weights_of(dice, len(cast)) if weighted else None
        return wl.Profile.from_orders(cast, models=ranked, weights=shares)

    return rolled(profile, plain=plain)
