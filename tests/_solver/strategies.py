"""Programs to draw: small, with much degeneracy, redundancy and equality."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from tests.dice import DICE
from weightlab._solver import Formulation, Rows, Sense

SENSES = list(Sense)
SMALL = sorted(range(-3, 4), key=abs)
SIXTHS = {Fraction(over, under) for under in range(1, 7) for over in range(-3 * under, 3 * under + 1)}
# Half of them whole: ties and redundant rows are then common.
NUMBERS = [*SMALL * (len(SIXTHS) // len(SMALL)), *sorted(SIXTHS, key=lambda one: (one.denominator, abs(one)))]

LARGE = [*SMALL, 10**6, -(10**6), 333_333, -123_457, 10_001]
"""Some with as many digits as CBC writes, or nearly."""


def bounds_of(dice, numbers=NUMBERS, *, finite=False):
    """Return a lower and an upper bound, equal at times, absent at times."""
    low, high = sorted(dice.many_of(numbers, 2))
    if finite:
        return low, high
    return dice.one_of([(low, high), (low, low), (low, None), (None, high), (None, None), (0, None)])


def row_of(dice, width, numbers=NUMBERS, *, least=0):
    """Return a row as a mapping from some of the columns."""
    row = {column: dice.one_of(numbers) for column in dice.some_of(range(width))}
    return row if len(row) >= least else {dice.below(width): dice.one_of(numbers)}


@st.composite
def formulations(draw, *, finite=False, columns=3, rows=4, integral=False, numbers=NUMBERS):
    """Draw a program; with ``finite`` every variable has bounds."""
    dice = draw(DICE)
    width = dice.between(1, columns)
    count = dice.between(0, rows)
    entries = SMALL if integral else numbers
    drawn = [row_of(dice, width, entries) for _ in range(count)]
    row_bounds = [bounds_of(dice, numbers) for _ in range(count)]
    if count and dice.flag():  # the same row twice, once with other bounds
        drawn.append(drawn[0])
        row_bounds.append(bounds_of(dice, numbers))
    column_bounds = [bounds_of(dice, entries, finite=finite) for _ in range(width)]
    return Formulation(
        name="drawn",
        sense=dice.one_of(SENSES),
        columns=tuple(f"c{column}" for column in range(width)),
        objective=tuple(dice.many_of(entries, width)),
        rows=Rows.from_dicts(
            drawn,
            width=width,
            lower=[low for low, _ in row_bounds],
            upper=[high for _, high in row_bounds],
            labels=tuple(f"r{row}" for row in range(len(drawn))),
        ),
        lower=tuple(low for low, _ in column_bounds),
        upper=tuple(high for _, high in column_bounds),
        integral=tuple(dice.flag() for _ in range(width)) if integral else (),
    )


@st.composite
def feasible_formulations(draw, *, columns=3, rows=4):
    """Draw a program whose variables have bounds and that a drawn point satisfies, so that it has an optimum."""
    dice = draw(DICE)
    width = dice.between(1, columns)
    box = [bounds_of(dice, finite=True) for _ in range(width)]
    point = [dice.one_of([low, high, Fraction(low + high) / 2]) for low, high in box]
    drawn, lower, upper = [], [], []
    for _ in range(dice.between(0, rows)):
        row = row_of(dice, width, least=1)
        activity = sum((value * point[column] for column, value in row.items()), start=Fraction(0))
        below, above = dice.one_of([(0, 0), (0, 1), (1, 0), (2, 3), (0, None), (None, 0), (None, 1)])
        drawn.append(row)
        lower.append(None if below is None else activity - below)
        upper.append(None if above is None else activity + above)
    return Formulation(
        name="feasible",
        sense=dice.one_of(SENSES),
        columns=tuple(f"c{column}" for column in range(width)),
        objective=tuple(dice.many_of(NUMBERS, width)),
        rows=Rows.from_dicts(
            drawn, width=width, lower=lower, upper=upper, labels=tuple(f"r{row}" for row in range(len(drawn)))
        ),
        lower=tuple(low for low, _ in box),
        upper=tuple(high for _, high in box),
    )
