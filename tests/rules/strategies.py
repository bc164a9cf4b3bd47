"""Tables and profiles for hypothesis: small, with many ties, weights that are no integers, and gaps where wanted."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
from hypothesis import strategies as st

from weightlab.data import Leaderboard, Profile

NAMES = "abcdefgh"
WEIGHTS = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 3), Fraction(1, 10), Fraction(3)])


def profile_of(orders, **options):
    """Return a profile of orders, of which a text is read letter by letter."""
    return Profile.from_orders([list(order) for order in orders], **options)


def weighted_points(board, points):
    """Return each model's points summed over the tasks with their weights."""
    weights = board.weights.tolist()
    return {
        model: sum(Fraction(int(one), points.denominator) * weight for one, weight in zip(row, weights, strict=True))
        for model, row in zip(points.models, points.numerators, strict=True)
    }


@st.composite
def profiles(draw, *, ties=True, gaps=False, weighted=True, most_models=5, most_voters=5, least_models=2):
    """Return a profile of complete weak orders, strict ones or ones with gaps."""
    count = draw(st.integers(least_models, most_models))
    voters = draw(st.integers(1, most_voters))
    models = tuple(NAMES[:count])
    orders = []
    for _ in range(voters):
        if ties:
            levels = draw(st.lists(st.integers(-1 if gaps else 0, count - 1), min_size=count, max_size=count))
        else:
            levels = draw(st.permutations(range(count)))
        places = sorted({level for level in levels if level >= 0})
        orders.append([[m for m, level in zip(models, levels, strict=True) if level == place] for place in places])
    weights = draw(st.lists(WEIGHTS, min_size=voters, max_size=voters)) if weighted else None
    return Profile.from_orders(orders, models=models, weights=weights)


@st.composite
def boards(draw, *, gaps=False, positive=False, lower=False, most_models=5, most_tasks=4, values=None):
    """Return a leaderboard of scores of which many are equal."""
    count = draw(st.integers(2, most_models))
    tasks = draw(st.integers(1, most_tasks))
    cells = values or st.sampled_from([1, 2, 3, 4, 6, 8, 9, 12] if positive else [-2, 0, 1, 2, 3, 4.5, 0.1, 0.2, 0.3])
    cell = st.one_of(cells, st.none()) if gaps else cells
    models, names = list(NAMES[:count]), [f"t{place}" for place in range(tasks)]
    rows = [draw(st.lists(cell, min_size=tasks, max_size=tasks)) for _ in models]
    for row in rows:
        if all(value is None for value in row):
            row[draw(st.integers(0, tasks - 1))] = draw(cells)
    for place in range(tasks):
        if all(row[place] is None for row in rows):
            rows[draw(st.integers(0, count - 1))][place] = draw(cells)
    weights = dict(zip(names, draw(st.lists(WEIGHTS, min_size=tasks, max_size=tasks)), strict=True))
    down = draw(st.sets(st.sampled_from(names))) if lower else ()
    frame = pd.DataFrame(rows, index=models, columns=names, dtype=object)
    return Leaderboard(frame, weights=weights, lower_is_better=sorted(down))
