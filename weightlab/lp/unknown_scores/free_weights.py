"""Whether a model can win head-to-head under some allowed weights in a completion, with what proves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from weightlab._exact import BoolArray, FloatArray, SignArray, common_denominator
from weightlab._result import Record, ensure
from weightlab.exceptions import ProofError
from weightlab.lp.certificate import check_weighting, leads
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.unknown_scores.claims import CAN, WINNER, Claim
from weightlab.lp.unknown_scores.missing_scores import LeadBound
from weightlab.lp.unknown_scores.next_scores import Choice
from weightlab.lp.unknown_scores.proof_cells import pruned
from weightlab.lp.unknown_scores.spans import Spans


class Reach(Record):
    """What one completion says of a model: weights under which it wins, or a mixture of rivals that never lets it.

    Attributes
    ----------
    weights : mapping from task to Fraction, or None
        Under these it beats every rival.
    bound : LeadBound or None
        A mixture over which its lead is at most 0 under all allowed weights.
    """

    weights: Mapping[str, Fraction] | None
    bound: LeadBound | None

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the weights, or the mixture, prove it for these signs over the rivals."""
        ensure((self.weights is None) != (self.bound is None), "there must be weights or a bound, and not both")
        if self.weights is not None:
            check_weighting(self.weights, space)
            least = min(leads(signs, [*self.weights.values()]))
            ensure(least > 0, f"the least lead under the weights is {least}")
        if self.bound is not None:
            ensure(self.bound.bound <= 0, f"the mixture only bounds the lead by {self.bound.bound}")
            self.bound.check(signs, rivals, space)


def reach_of(signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> Reach:
    """Return whether a model with these signs beats every rival under some weights of a space."""
    widest = widest_margin(signs, rivals, space)
    if widest.upper <= 0:
        return Reach(weights=None, bound=LeadBound.of(widest))
    return Reach(weights=dict(zip(space.tasks, widest.weights, strict=True)), bound=None)


def reach_cells(
    spans: Spans, claim: Claim, row: int, proof: tuple[Reach, Sequence[str], WeightSpace], cost: FloatArray
) -> BoolArray:
    """Return measured cells that prove that a model can win head-to-head, or never; none can be left out."""
    reach, rivals, space = proof
    if claim.what == CAN and reach.weights is not None:
        # At the weights that prove it the claim is that of a winner.
        numerators, _ = common_denominator([*reach.weights.values()])
        own = replace(spans, weights=numerators)
        kept = spans.measured & (spans.least < spans.most) & np.array([one > 0 for one in numerators])
        return pruned(own, Claim(what=WINNER, k=1, models=()), [row], kept, cost)
    blockers = set() if reach.bound is None else {*reach.bound.blockers}
    places = [place for place in range(len(spans.scores)) if place != row]
    near = [row, *(place for place, rival in zip(places, rivals, strict=True) if rival in blockers)]
    kept = np.zeros_like(spans.measured)
    kept[near] = spans.measured[near]
    for place, task in sorted(np.argwhere(kept).tolist(), key=lambda cell: (-cost[tuple(cell)], *cell)):
        kept[place, task] = False
        try:
            reach.check(spans.knowing(kept).rows(row, best=True), rivals, space)
        except ProofError:
            kept[place, task] = True
    return kept


def reach_choices(
    spans: Spans, row: int, shares: Mapping[int, Fraction], free: BoolArray, cost: FloatArray
) -> Iterator[Choice]:
    """Yield cells of the model and of its blockers where a sign can still change, then all others that matter.

    Parameters
    ----------
    spans : Spans
        The table.
    row : int
        Of the model.
    shares : mapping from row to Fraction
        The blockers of its worst completion.
    free : ndarray of bool, models x tasks
        Cells that can matter.
    cost : ndarray of float, models x tasks
        What each cell costs.
    """
    every = slice(None)
    worth = np.zeros(free.shape)
    for rival, share in shares.items():
        least = spans.signs(every, spans.low[row], spans.high[rival])
        most = spans.signs(every, spans.high[row], spans.low[rival])
        worth[row] += float(share) * (most - least)
        worth[rival] = float(share) * (most - least)
    ranked = np.where(free, worth / cost, -1.0)
    for place in np.argsort(-ranked, axis=None, kind="stable")[: int(free.sum())].tolist():
        model, task = divmod(place, free.shape[1])
        near = "its own sign is open" if model == row else "a blocker, whose sign is open"
        yield model, task, near if worth[model, task] > 0 else "a rival's sign is open"
