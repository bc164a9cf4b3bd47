"""Tables and profiles for hypothesis: small, with many ties, weights that are no integers, and gaps where wanted."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from tests.dice import DICE
from weightlab.data import Leaderboard, Profile

NAMES = "abcdefgh"
WEIGHTS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1, 3), Fraction(1, 10), Fraction(3))


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


def profiles(*, ties=True, gaps=False, weighted=True, most_models=5, most_voters=5, least_models=2):
    """Return a profile of complete weak orders, strict ones or ones with gaps."""

    def rolled(dice):
        count, voters = dice.between(least_models, most_models), dice.between(1, most_voters)
        models, orders = tuple(NAMES[:count]), []
        for _ in range(voters):
            if ties:
                levels = [dice.between(-1 if gaps else 0, count - 1) for _ in models]
            else:
                levels = dice.shuffled(range(count))
            places = sorted({level for level in levels if level >= 0})
            orders.append([[m for m, level in zip(models, levels, strict=True) if level == place] for place in places])
        weights = dice.many_of(WEIGHTS, voters) if weighted else None
        return Profile.from_orders(orders, models=models, weights=weights)

    return DICE.map(rolled)


def boards(*, gaps=False, positive=False, lower=False, most_models=5, most_tasks=4):
    """Return a leaderboard of scores of which many are equal."""
    cells = (1, 2, 3, 4, 6, 8, 9, 12) if positive else (-2, 0, 1, 2, 3, 4.5, 0.1, 0.2, 0.3)

    def rolled(dice):
        count, tasks = dice.between(2, most_models), dice.between(1, most_tasks)
        models, names = list(NAMES[:count]), [f"t{place}" for place in range(tasks)]
        # With gaps, half of the cells are missing.
        rows = [[None if gaps and dice.flag() else dice.one_of(cells) for _ in names] for _ in models]
        for row in rows:
            if all(value is None for value in row):
                row[dice.below(tasks)] = dice.one_of(cells)
        for place in range(tasks):
            if all(row[place] is None for row in rows):
                rows[dice.below(count)][place] = dice.one_of(cells)
        weights = dict(zip(names, dice.many_of(WEIGHTS, tasks), strict=True))
        down = dice.some_of(names) if lower else ()
        frame = pd.DataFrame(rows, index=models, columns=names, dtype=object)
        return Leaderboard(frame, weights=weights, lower_is_better=sorted(down))

    return DICE.map(rolled)
