"""Rules in rounds: models leave until those that are left tie, or one alone is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import BoolArray, IntArray
from weightlab._validate import one_of
from weightlab.data import Profile
from weightlab.data.points import Ties
from weightlab.rules.inputs import Missing, complete_ranks
from weightlab.rules.outcome import Outcome, PositionOrder, Round, tied_groups
from weightlab.rules.scoring.positional import Ballots, PairPoints, Tally

Leaving: TypeAlias = Callable[[IntArray, IntArray], BoolArray]
"""Which of the models that are left leave, from their positions and scores; all of them means that they tie."""


def baldwin(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Let the models with the fewest Borda points among those left leave, all at once, until all that are left tie."""
    points = PairPoints(profile, complete_ranks(profile, missing), ties)
    return eliminate(profile.models, points.among, _lowest)


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
    one_of("leaves", leaves, ("at or below", "below"))
    points = PairPoints(profile, complete_ranks(profile, missing), ties)
    return eliminate(profile.models, points.among, _at_or_below_mean if leaves == "at or below" else _below_mean)


def instant_runoff(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Let the models with the least weight of first places among those left leave, until all that are left tie."""
    ballots = Ballots(profile, complete_ranks(profile, missing), ties)
    return eliminate(profile.models, ballots.firsts, _lowest)


def coombs(
    profile: Profile, *, majority_stop: bool = True, ties: Ties = "average", missing: Missing = "error"
) -> Outcome:
    """Let the models with the most weight of last places among those left leave, until all that are left tie.

    With ``majority_stop`` a model that is first on more than half of the weight ends the rounds and wins.
    """
    ballots = Ballots(profile, complete_ranks(profile, missing), ties)

    def leaving(alive: IntArray, scores: IntArray) -> BoolArray:
        majority = ballots.majority(alive)
        return ~majority if majority_stop and majority.sum() == 1 else _lowest(alive, scores)

    return eliminate(profile.models, ballots.not_lasts, leaving)


def threshold(profile: Profile, *, ties: Ties = "average", missing: Missing = "error") -> Outcome:
    """Keep the models that most seldom come last; of those, the ones most seldom among the last two; and so on.

    The places are those of the whole table in every round (Vote'n'Rank, section 2.2.2), and models that leave in a
    round are ranked by their score in it: only the top of the ranking has its ties broken.
    """
    ballots = Ballots(profile, complete_ranks(profile, missing), ties)
    contest = _Contest(profile.models)
    for places in range(len(profile.models) - 1, 0, -1):
        tally = ballots.tops(contest.alive, places)
        contest.end_round(tally, np.asarray(tally[0] < tally[0].max(), dtype=np.bool_))
        if len(contest.alive) == 1:
            break
    return contest.outcome()


def eliminate(models: tuple[str, ...], tallied: Callable[[IntArray], Tally], leaving: Leaving) -> Outcome:
    """Return the outcome of rounds in which models leave; those that leave later, or with a better score, go first."""
    contest = _Contest(models)
    while len(contest.alive) > 1:
        tally = tallied(contest.alive)
        leave = leaving(contest.alive, tally[0])
        if leave.all():
            contest.end_round(tally, ~leave)
            break
        contest.end_round(tally, leave)
    return contest.outcome()


class _Contest:
    """Who is left, round after round, and the order of those who are not."""

    def __init__(self, models: tuple[str, ...]) -> None:
        self.names = np.array(models, dtype=object)
        self.alive: IntArray = np.arange(len(models))
        self.rounds: list[Round] = []
        self.departures: list[PositionOrder] = []

    def end_round(self, tally: Tally, leave: BoolArray) -> None:
        """Note the scores of a round, and let some leave."""
        scores, denominator = np.array(tally[0]), tally[1]
        gone = self.alive[leave]
        self.rounds.append(
            Round(
                models=tuple(self.names[self.alive].tolist()),
                numerators=tuple(scores.tolist()),
                denominator=denominator,
                left=tuple(self.names[gone].tolist()),
            )
        )
        self.departures.append(
            tied_groups({place: -score for place, score in zip(gone.tolist(), scores[leave].tolist(), strict=True)})
        )
        self.alive = self.alive[~leave]

    def outcome(self) -> Outcome:
        """Return the order in which those go first that leave later, or in the same round with a better score."""
        order: list[tuple[int, ...]] = [tuple(self.alive.tolist())]
        for groups in reversed(self.departures):
            order.extend(groups)
        return Outcome.by_order(order, rounds=tuple(self.rounds))


def _lowest(_: IntArray, scores: IntArray) -> BoolArray:
    return np.asarray(scores == scores.min(), dtype=np.bool_)


def _at_or_below_mean(_: IntArray, scores: IntArray) -> BoolArray:
    # At or below the mean without dividing: Python integers, so that the products cannot overflow.
    return np.asarray(scores.astype(object) * len(scores) <= sum(scores.tolist()), dtype=np.bool_)


def _below_mean(_: IntArray, scores: IntArray) -> BoolArray:
    below = np.asarray(scores.astype(object) * len(scores) < sum(scores.tolist()), dtype=np.bool_)
    # Nobody is below the mean only when all are at it.
    return below if below.any() else ~below
