"""Hypothesis strategies: margins of all kinds, tied and not, with few and with many different sizes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from weightlab.data import Margins

NAMES = ("dee", "ada", "fay", "bo", "gus", "cy", "eve", "hal")
"""Not in alphabetical order, so that board order and alphabetical order differ."""


@st.composite
def margins(draw, *, models=(1, 6), tied=True, least=0, most=3, denominators=(1, 1, 2, 6)):
    """Return margins of a few models; every duel has wins on both sides and tasks on which both tie."""
    count = draw(st.integers(*models))
    wins = np.zeros((count, count), dtype=np.int64)
    ties = np.zeros((count, count), dtype=np.int64)
    side = st.integers(least, most)
    for row in range(count):
        for column in range(row + 1, count):
            wins[row, column], wins[column, row] = draw(side), draw(side)
            if not tied and wins[row, column] == wins[column, row]:
                wins[row, column] += 1
            ties[row, column] = ties[column, row] = draw(st.integers(0, 1))
    return Margins(models=NAMES[:count], wins=wins, ties=ties, denominator=draw(st.sampled_from(denominators)))


@st.composite
def distinct_margins(draw, *, models=(1, 6)):
    """Return margins of which no two are of one size and none is 0."""
    count = draw(st.integers(*models))
    pairs = [(row, column) for row in range(count) for column in range(row + 1, count)]
    sizes = draw(st.permutations(range(1, len(pairs) + 1)))
    wins = np.zeros((count, count), dtype=np.int64)
    for (row, column), size in zip(pairs, sizes, strict=True):
        winner, loser = (row, column) if draw(st.booleans()) else (column, row)
        wins[winner, loser] = size
    return Margins(models=NAMES[:count], wins=wins, ties=np.zeros_like(wins), denominator=1)


@st.composite
def huge_margins(draw, *, models=(2, 5)):
    """Return margins beyond every machine integer."""
    small = draw(margins(models=models))
    return Margins(
        models=small.models,
        wins=small.wins.astype(object) * 10**30 + np.triu(np.ones_like(small.wins), 1).astype(object),
        ties=small.ties.astype(object) * 10**30,
        denominator=7,
    )
