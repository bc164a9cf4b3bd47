"""Hypothesis strategies: margins of all kinds, tied and not, with few and with many different sizes."""

from __future__ import annotations

import numpy as np

from tests.dice import DICE
from weightlab.data import Margins

NAMES = ("dee", "ada", "fay", "bo", "gus", "cy", "eve", "hal")
"""Not in alphabetical order, so that board order and alphabetical order differ."""


def margins(*, models=(1, 6), tied=True, least=0, most=3, denominators=(1, 1, 2, 6)):
    """Return margins of a few models; every duel has wins on both sides and tasks on which both tie."""

    def rolled(dice):
        count = dice.between(*models)
        wins = np.zeros((count, count), dtype=np.int64)
        ties = np.zeros((count, count), dtype=np.int64)
        for row in range(count):
            for column in range(row + 1, count):
                wins[row, column], wins[column, row] = dice.between(least, most), dice.between(least, most)
                if not tied and wins[row, column] == wins[column, row]:
                    wins[row, column] += 1
                ties[row, column] = ties[column, row] = dice.below(2)
        return Margins(models=NAMES[:count], wins=wins, ties=ties, denominator=dice.one_of(denominators))

    return DICE.map(rolled)


def distinct_margins(*, models=(1, 6)):
    """Return margins of which no two are of one size and none is 0."""

    def rolled(dice):
        count = dice.between(*models)
        pairs = [(row, column) for row in range(count) for column in range(row + 1, count)]
        wins = np.zeros((count, count), dtype=np.int64)
        for (row, column), size in zip(pairs, dice.shuffled(range(1, len(pairs) + 1)), strict=True):
            wins[(row, column) if dice.flag() else (column, row)] = size
        return Margins(models=NAMES[:count], wins=wins, ties=np.zeros_like(wins), denominator=1)

    return DICE.map(rolled)


def huge_margins(*, models=(2, 5)):
    """Return margins beyond every machine integer."""
    return margins(models=models).map(_huge)


def _huge(small):
    return Margins(
        models=small.models,
        wins=small.wins.astype(object) * 10**30 + np.triu(np.ones_like(small.wins), 1).astype(object),
        ties=small.ties.astype(object) * 10**30,
        denominator=7,
    )
