"""Rungs at which a model still does not win, raised as far as the same proof goes: what cuts are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._exact import exact_products
from weightlab.lp.certificate import combination
from weightlab.lp.ladder import Ladder, signs_at
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.space import WeightSpace

__all__ = ["BlockedRungs", "rungs_behind"]

MOST = 20
"""So many rivals at most are asked about at a time."""


def rungs_behind(ladders: Sequence[Ladder], rungs: Sequence[int], weights: Sequence[int]) -> list[list[int]]:
    """Return, for the rivals that are led least at fixed weights, rungs raised while that rival is not beaten.

    None when all rivals are beaten at the rungs given.
    """
    found = exact_products(signs_at(ladders, rungs), weights).tolist()
    worst = sorted(range(len(found)), key=lambda rival: int(found[rival]))[:MOST]
    return [_under_a_rival(ladders, rungs, weights, rival, -int(found[rival])) for rival in worst if found[rival] <= 0]


def _under_a_rival(
    ladders: Sequence[Ladder], rungs: Sequence[int], weights: Sequence[int], rival: int, room: int
) -> list[int]:
    """Return rungs raised, light tasks first, while the lead over one rival grows by no more than the room."""
    # Each cut is lifted: the higher the rungs that still lose, the more proposals it excludes.
    raised = list(rungs)
    # Light tasks first: there a rung uses up least of the room, so that many tasks rise far.
    for task in sorted(range(len(ladders)), key=lambda task: weights[task]):
        ladder = ladders[task]
        while raised[task] + 1 < len(ladder):
            rises = int(ladder.tie_at[rival] == raised[task] + 1) + int(ladder.lead_at[rival] == raised[task] + 1)
            if rises * weights[task] > room:
                break
            room -= rises * weights[task]
            raised[task] += 1
    return raised


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockedRungs:
    """Who blocks rungs under all weights of a space."""

    ladders: Sequence[Ladder]
    space: WeightSpace
    time_limit: float | None

    def higher(self, rungs: Sequence[int]) -> list[list[int]]:
        """Return rungs raised until no blockers allow more, or nothing when some weights win already."""
        raised, proof = list(rungs), self._margin(rungs)
        if proof.upper > 0:
            return []
        # The same blockers prove more than was asked. New blockers at the raised rungs may allow more still; rungs are
        # finitely many, so this ends.
        while True:
            higher = self._under(raised, proof)
            if higher == raised:
                return [raised]
            raised, proof = higher, self._margin(higher)

    def _margin(self, rungs: Sequence[int]) -> MarginProof:
        signs = signs_at(self.ladders, rungs)
        return widest_margin(signs, [str(rival) for rival in range(len(signs))], self.space, time_limit=self.time_limit)

    def _under(self, rungs: Sequence[int], proof: MarginProof) -> list[int]:
        """Return the highest rungs at which the same blockers and multipliers still prove a margin of at most 0."""
        factors = dict(zip([row.name for row in self.space.rows], proof.multipliers, strict=True))
        tasks, _, right = combination(self.space.rows, factors)
        blocking = [(rival, share) for rival, share in enumerate(proof.blockers) if share]
        return [
            _highest(ladder, rung, blocking, tasks.get(task, Fraction(0)) - right)
            for task, ladder, rung in zip(self.space.tasks, self.ladders, rungs, strict=True)
        ]


def _highest(ladder: Ladder, rung: int, mixture: Sequence[tuple[int, Fraction]], allowed: Fraction) -> int:
    """Return the highest rung from the given one on at which the lead over a mixture of rivals is at most so much."""
    # The proof holds as long as, task by task, the mixture's lead stays below what the multipliers of the rows add:
    # each task may rise by itself.
    firsts = ((int(ladder.tie_at[rival]), int(ladder.lead_at[rival]), share) for rival, share in mixture)
    rises = sorted((first, share) for tie, lead, share in firsts for first in (tie, lead))
    # Below all thresholds the model trails every blocker: -1 each; every threshold adds one.
    lead = -sum((share for _, share in mixture), Fraction(0))
    for first, share in rises:
        lead += share
        if lead > allowed:
            return max(rung, first - 1)
    return len(ladder) - 1
