"""The nearest weights under which a model wins by rules of duels, and linear conditions hold: an integer program."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from weightlab._exact import largest_entry
from weightlab._solver import IntegerOptimum, Number, integer_optimum
from weightlab._typing import AnyArray, SignArray
from weightlab.lp.distance import Norm
from weightlab.lp.duel_program import Draft, duel_binaries, score_difference, worst_duels
from weightlab.lp.space import WeightSpace

__all__ = ["nearest_by_duels"]


def nearest_by_duels(
    signs: SignArray,
    model: int,
    rules: Sequence[str],
    rows: AnyArray,
    space: WeightSpace,
    *,
    centre: Sequence[Fraction],
    norm: Norm,
    time_limit: float | None = None,
) -> IntegerOptimum:
    """Return the nearest weights at which a model has the best record of duels by each of some rules.

    Parameters
    ----------
    signs : ndarray of int8, models x models x tasks
        Signs of all over all.
    model : int
        Who is to be among the winners.
    rules : sequence of str
        Of ``"copeland"`` and ``"minimax"`` (by margins).
    rows : ndarray of int, conditions x tasks
        Linear conditions: the total of each row is to be 0 or more.
    space : WeightSpace
        Allowed weights.
    centre : sequence of Fraction
        From where the distance is counted.
    norm : {"l1", "linf"}
        How.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    IntegerOptimum
        The weights are the first of its point, one a task; its value is minus the distance.

    Raises
    ------
    ImpossibleError
        If there are none, on the solver's word.
    UnprovedError, TimeLimitError
        If the optimum was not shown.

    Notes
    -----
    NP-hard. By Copeland duels that are decided by less than `SLACK` count as tied or are avoided.
    """
    draft = Draft(space=space)
    nearness = _nearness(draft, centre, norm)
    for row in rows:
        unit = largest_entry(row) or 1
        draft.at_least(0, {task: Fraction(int(number), unit) for task, number in enumerate(row.tolist()) if number})
    if "copeland" in rules:
        _add_copeland(draft, signs, model)
    if "minimax" in rules:
        _add_minimax(draft, signs, model)
    return integer_optimum(draft.formulation("nearest weights for both rules", nearness), time_limit=time_limit)


def _nearness(draft: Draft, centre: Sequence[Fraction], norm: Norm) -> int:
    """Add a variable that is at most minus the distance from the centre, and return its position."""
    nearness = draft.column("nearness", -2, 0, integral=False)
    total: dict[int, Number] = {nearness: -1}
    for task, share in enumerate(centre):
        if norm == "linf":
            draft.at_least(-share, {task: -1, nearness: -1})
            draft.at_least(share, {task: 1, nearness: -1})
            continue
        # What tasks gain others lose: the sum of changes is twice the gains.
        gain = draft.column(f"gain {task}", 0, None, integral=False)
        draft.at_least(-share, {task: -1, gain: 1})
        total[gain] = -2
    if norm == "l1":
        draft.at_least(0, total)
    return nearness


def _add_copeland(draft: Draft, signs: SignArray, model: int) -> None:
    """Add the rows that no rival has the better Copeland score."""
    count = len(signs)
    won: dict[tuple[int, int], int] = {}
    for one in range(count):
        for other in range(one + 1, count):
            won[one, other], won[other, one] = duel_binaries(draft, signs[one, other], f"{one} {other}")
    for rival in range(count):
        if rival != model:
            draft.at_least(0, score_difference(won, model, rival, count))


def _add_minimax(draft: Draft, signs: SignArray, model: int) -> None:
    """Add the rows that each rival has a defeat as bad as the model's worst: a binary says which."""
    worst = draft.column("worst defeat", -1, 1, integral=False)
    for rival in range(len(signs)):
        if rival == model:
            continue
        draft.at_least(0, {worst: 1}, signs[rival, model], -1)
        picks: dict[int, Number] = {}
        for number, duel in enumerate(worst_duels(signs, rival)):
            pick = draft.column(f"{rival} by {number}", 0, 1)
            room = 1 - int(duel.min())
            draft.at_least(-room, {worst: -1, pick: -room}, duel)
            picks[pick] = 1
        draft.at_least(1, picks)
