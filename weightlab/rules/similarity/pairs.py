"""One pair of models under two rules: where the rankings part, and what each task adds."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from weightlab.data import Leaderboard, LeaderboardLike, Order, as_table
from weightlab.data.points import Ties
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.rules.inputs import weighing


def reversed_pairs(first: Order, second: Order) -> tuple[tuple[str, str], ...]:
    """Return the pairs of models that one weak order has one way round and another one the other.

    Parameters
    ----------
    first, second : tuple of tuples of str
        Weak orders of the same models, best first, such as ``ranking.order``.

    Returns
    -------
    tuple of (str, str)
        Pairs whose first model stands above the second in the first order and below it in the second, in the sequence
        of the first order. A pair that either order ties is not counted.

    Raises
    ------
    InputError
        If they do not order the same models.

    Notes
    -----
    O(models^2).

    Examples
    --------
    >>> reversed_pairs((("a",), ("b",), ("c",)), (("b",), ("a", "c")))
    (('a', 'b'),)
    """
    level = {model: place for place, group in enumerate(second) for model in group}
    listed = [(model, place) for place, group in enumerate(first) for model in group]
    if sorted(model for model, _ in listed) != sorted(level) or len(level) != sum(map(len, second)):
        raise InputError("rankings can be compared only if they rank the same models")
    return tuple(
        (upper, lower)
        for position, (upper, above) in enumerate(listed)
        for lower, below in listed[position + 1 :]
        if above < below and level[upper] > level[lower]
    )


def pair_by_task(board: LeaderboardLike, model: str, rival: str, *, ties: Ties = "average") -> pd.DataFrame:
    """Return each task's contribution to the lead of one model over another, in the mean and in Borda points.

    Parameters
    ----------
    board : Leaderboard
        Complete; tasks of weight 0 take no part.
    model, rival : str
        Two models.
    ties : {"average", "min", "max"}
        What tied places count, for Borda.

    Returns
    -------
    DataFrame
        Tasks x ``lead`` (the difference of the scores, negated where lower is better), ``mean`` (its part of the
        difference of the weighted means) and ``borda`` (points), exact. The columns ``mean`` and ``borda`` add up to
        the differences of the two models' scores by the rules.

    Raises
    ------
    MissingScoresError
        If the board has missing scores.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard(
    ...     {"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 9}}
    ... )
    >>> pair_by_task(board, "a", "b").astype(float)
       lead      mean  borda
    x   8.0  2.666667    1.0
    y  -1.0 -0.333333   -1.0
    z  -1.0 -0.333333   -1.0
    """
    kept = weighing(as_table(board))
    points = kept.points("borda", ties=ties)
    row, other = (_position(kept, name) for name in (model, rival))
    total = sum(kept.weights.tolist(), Fraction(0))
    lower = set(kept.lower_is_better)
    rows = []
    for place, (task, weight) in enumerate(kept.weights.items()):
        scores = kept.cells.column(place)
        lead = (scores[row] or Fraction(0)) - (scores[other] or Fraction(0))
        lead = -lead if task in lower else lead
        more = int(points.numerators[row, place]) - int(points.numerators[other, place])
        rows.append((lead, weight * lead / total, weight * Fraction(more, points.denominator)))
    return pd.DataFrame(rows, index=list(kept.tasks), columns=["lead", "mean", "borda"], dtype=object)


def _position(board: Leaderboard, name: str) -> int:
    if name not in board.models:
        raise UnknownNameError("model", name, board.models)
    return board.models.index(name)
