"""Rules in rounds: models leave until those that are left tie, or one alone is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from weightlab._typing import BoolArray, IntArray
from weightlab.data import Profile
from weightlab.data.points import Ties
from weightlab.exceptions import InputError
from weightlab.rules.entry import Missing, completed
from weightlab.rules.outcome import Outcome, Round, tied_groups
from weightlab.rules.places import Ballots, PairPoints, Tally

__all__ = ["baldwin", "coombs", "instant_runoff", "nanson", "threshold"]

Leaving: TypeAlias = Callable[[IntArray, IntArray], BoolArray]
"""Which of the models that are left leave, from their positions and scores; all of them means that they tie."""


def baldwin(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Let the models with the fewest Borda points among those left leave, all at once, until all that are left tie."""
    points = PairPoints(profile, completed(profile, missing), ties)
    return eliminated(profile.models, points.among, _lowest)


def nanson(
    profile: Profile,
    *,
    leaves: Literal["at or below", "below"] = "at or below",
    ties: Ties = "average",
    missing: Missing = "error",
) -> Outcome:
    """Let the models at or below the mean Borda points of those left leave, until all that are left tie.

    ``leaves="below"`` is Schwartz's variant, in which models exactly at the mean stay.
    """
    if leaves not in {"at or below", "below"}:
        raise InputError(f"leaves must be 'at or below' or 'below'; got {leaves!r}")
    points = PairPoints(profile, completed(profile, missing), ties)
    return eliminated(profile.models, points.among, _at_or_below_mean if leaves == "at or below" else _below_mean)


def instant_runoff(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Let the models with the least weight of first places among those left leave, until all that are left tie."""
    ballots = Ballots(profile, completed(profile, missing), ties)
    return eliminated(profile.models, ballots.firsts, _lowest)


def coombs(
    profile: Profile, *, majority_stop: bool = True, ties: Ties = "average", missing: Missing = "error"
) -> Outcome:
    """Let the models with the most weight of last places among those left leave, until all that are left tie.

    With ``majority_stop`` a model that is first on more than half of the weight ends the rounds and wins.
    """
    ballots = Ballots(profile, completed(profile, missing), ties)

    def leaving(alive: IntArray, scores: IntArray) -> BoolArray:
        majority = ballots.majority(alive)
        return ~majority if majority_stop and majority.sum() == 1 else _lowest(alive, scores)

    return eliminated(profile.models, ballots.not_lasts, leaving)


def threshold(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Keep the models that most seldom come last; of those, the ones most seldom among the last two; and so on.

    The places are those of the whole table in every round (Vote'n'Rank, section 2.2.2), and models that leave in a
    round are ranked by their score in it: only the top of the ranking has its ties broken.
    """
    ballots = Ballots(profile, completed(profile, missing), ties)
    alive = np.arange(len(profile.models))
    rounds: list[Round] = []
    for places in range(len(profile.models) - 1, 0, -1):
        tally = ballots.tops(alive, places)
        stays = np.asarray(tally[0] == tally[0].max(), dtype=np.bool_)
        rounds.append(_round(profile.models, alive, tally, ~stays))
        alive = alive[stays]
        if len(alive) == 1:
            break
    return _by_rounds(profile.models, alive, rounds)


def eliminated(models: tuple[str, ...], tallied: Callable[[IntArray], Tally], leaving: Leaving) -> Outcome:
    """Return the outcome of rounds in which models leave; those that leave later, or with a better score, go first."""
    alive = np.arange(len(models))
    rounds: list[Round] = []
    while len(alive) > 1:
        tally = tallied(alive)
        leave = leaving(alive, tally[0])
        if leave.all():
            rounds.append(_round(models, alive, tally, ~leave))
            break
        rounds.append(_round(models, alive, tally, leave))
        alive = alive[~leave]
    return _by_rounds(models, alive, rounds)


def _lowest(_: IntArray, scores: IntArray) -> BoolArray:
    return np.asarray(scores == scores.min(), dtype=np.bool_)


def _at_or_below_mean(_: IntArray, scores: IntArray) -> BoolArray:
    return np.asarray(scores.astype(object) * len(scores) <= sum(scores.tolist()), dtype=np.bool_)


def _below_mean(_: IntArray, scores: IntArray) -> BoolArray:
    below = np.asarray(scores.astype(object) * len(scores) < sum(scores.tolist()), dtype=np.bool_)
    # Nobody is below the mean only when all are at it.
    return below if below.any() else ~below


def _round(models: tuple[str, ...], alive: IntArray, tally: Tally, leave: BoolArray) -> Round:
    names = tuple(models[int(i)] for i in alive)
    left = tuple(name for name, leaves in zip(names, leave.tolist(), strict=True) if leaves)
    return Round(models=names, numerators=np.array(tally[0]), denominator=tally[1], left=left)


def _by_rounds(models: tuple[str, ...], alive: IntArray, rounds: list[Round]) -> Outcome:
    position = {model: place for place, model in enumerate(models)}
    order: list[tuple[int, ...]] = [tuple(alive.tolist())]
    for one in reversed(rounds):
        scores = dict(zip((position[model] for model in one.models), one.numerators.tolist(), strict=True))
        order.extend(tied_groups({position[model]: -scores[position[model]] for model in one.left}))
    return Outcome.by_order(order, rounds=tuple(rounds))
