"""Programs to draw: small, with much degeneracy, redundancy and equality."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from weightlab._solver import Formulation, Rows, Sense

SENSES = st.sampled_from(list(Sense))
SMALL = st.integers(-3, 3)
NUMBERS = SMALL | st.fractions(min_value=-3, max_value=3, max_denominator=6)


@st.composite
def bounds(draw, numbers=NUMBERS, *, finite=False):
    """Draw a lower and an upper bound, equal at times, absent at times."""
    low, high = sorted((draw(numbers), draw(numbers)))
    if finite:
        return low, high
    return draw(st.sampled_from([(low, high), (low, low), (low, None), (None, high), (None, None), (0, None)]))


@st.composite
def formulations(draw, *, finite=False, columns=3, rows=4, integral=False):
    """Draw a program; with ``finite`` every variable has bounds."""
    width = draw(st.integers(1, columns))
    count = draw(st.integers(0, rows))
    numbers = SMALL if integral else NUMBERS
    drawn = [draw(st.dictionaries(st.integers(0, width - 1), numbers, max_size=width)) for _ in range(count)]
    row_bounds = [draw(bounds()) for _ in range(count)]
    if count and draw(st.booleans()):  # the same row twice, once with other bounds
        drawn.append(drawn[0])
        row_bounds.append(draw(bounds()))
    column_bounds = [draw(bounds(numbers, finite=finite)) for _ in range(width)]
    return Formulation(
        name="drawn",
        sense=draw(SENSES),
        columns=tuple(f"c{column}" for column in range(width)),
        objective=tuple(draw(numbers) for _ in range(width)),
        rows=Rows.from_dicts(
            drawn,
            width=width,
            lower=[low for low, _ in row_bounds],
            upper=[high for _, high in row_bounds],
            labels=tuple(f"r{row}" for row in range(len(drawn))),
        ),
        lower=tuple(low for low, _ in column_bounds),
        upper=tuple(high for _, high in column_bounds),
        integral=tuple(draw(st.booleans()) for _ in range(width)) if integral else (),
    )


@st.composite
def feasible_formulations(draw, *, columns=3, rows=4):
    """Draw a program whose variables have bounds and that a drawn point satisfies, so that it has an optimum."""
    width = draw(st.integers(1, columns))
    box = [draw(bounds(finite=True)) for _ in range(width)]
    point = [draw(st.sampled_from([low, high, Fraction(low + high) / 2])) for low, high in box]
    drawn, lower, upper = [], [], []
    for _ in range(draw(st.integers(0, rows))):
        row = draw(st.dictionaries(st.integers(0, width - 1), NUMBERS, min_size=1, max_size=width))
        activity = sum((value * point[column] for column, value in row.items()), start=Fraction(0))
        below, above = draw(st.sampled_from([(0, 0), (0, 1), (1, 0), (2, 3), (0, None), (None, 0), (None, 1)]))
        drawn.append(row)
        lower.append(None if below is None else activity - below)
        upper.append(None if above is None else activity + above)
    return Formulation(
        name="feasible",
        sense=draw(SENSES),
        columns=tuple(f"c{column}" for column in range(width)),
        objective=tuple(draw(NUMBERS) for _ in range(width)),
        rows=Rows.from_dicts(
            drawn, width=width, lower=lower, upper=upper, labels=tuple(f"r{row}" for row in range(len(drawn)))
        ),
        lower=tuple(low for low, _ in box),
        upper=tuple(high for _, high in box),
    )
