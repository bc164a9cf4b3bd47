"""Copeland and minimax at given weights, and rivals that no weights put behind: exact, from signs alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._typing import AnyArray, SignArray
from weightlab.data.margins import Margins
from weightlab.data.signs import Signs

__all__ = ["DUEL_RULES", "all_signs", "lead_of", "never_ahead", "strictly_ahead"]

DUEL_RULES = ("copeland", "minimax")
"""Rules that read the margins of the duels; minimax measures a defeat by its margin."""


def lead_of(rule: str, signs: Signs, position: int, weights: Sequence[Fraction]) -> Fraction:
    """Return by how much a model is ahead of its best rival: in duels for Copeland, in margin for minimax.

    Copeland counts duels won minus duels lost; minimax is minus the margin of the worst defeat (of the closest win,
    where there is no defeat).
    """
    margins = Margins.from_signs(signs, weights)
    scores = _copeland(margins.array) if rule == "copeland" else _minimax(margins.array)
    best = max(score for row, score in enumerate(scores) if row != position)
    unit = 1 if rule == "copeland" else margins.denominator
    return Fraction(scores[position] - best, unit)


def all_signs(signs: Signs) -> SignArray:
    """Return the signs of every model over every model (models x models x tasks)."""
    return np.array([signs.over_all(position) for position in range(len(signs.models))])


def never_ahead(signs: Signs, position: int) -> int | None:
    """Return a rival that no weights put behind the model, by Copeland or minimax, or None.

    On every task it is level with the model or ahead, and does against everybody else at least as well. Then it has
    no less of every margin, whatever the weights.
    """
    own = signs.over_all(position)
    for rival in np.flatnonzero((own <= 0).all(axis=1)).tolist():
        if rival != position and _does_no_worse(signs.over_all(rival), own, position, rival):
            return int(rival)
    return None


def strictly_ahead(signs: Signs, position: int, rival: int, rule: str) -> bool:
    """Tell whether a rival leads the model on every task, and so keeps it from the first place under all weights.

    By Copeland the rival, which does no worse against everybody else, wins one duel more and loses one less. By
    minimax the model's worst defeat is as bad as can be, while under any weights some model is not led by another on
    every task that has weight: scores cannot run in a circle.
    """
    own = signs.over_all(position)
    if rival == position or not bool((own[rival] == -1).all()):
        return False
    return rule == "minimax" or _does_no_worse(signs.over_all(rival), own, position, rival)


def _does_no_worse(signs: SignArray, own: SignArray, position: int, rival: int) -> bool:
    others = np.ones(len(own), dtype=np.bool_)
    others[[position, rival]] = False
    return bool((signs[others] >= own[others]).all())


def _copeland(margins: AnyArray) -> list[int]:
    return [int(score) for score in (margins > 0).sum(axis=1) - (margins < 0).sum(axis=1)]


def _minimax(margins: AnyArray) -> list[int]:
    count = len(margins)
    return [-max(int(margins[rival, model]) for rival in range(count) if rival != model) for model in range(count)]
