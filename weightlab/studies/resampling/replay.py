"""Replays: how much of a complete table had to be measured until a claim was proved, by the advice of `lp.settle`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Proof, Result, ensure
from weightlab._text import counted, percent
from weightlab._validate import RngLike, ensure_few_draws, seed_of
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import RuleLike
from weightlab.exceptions import InputError
from weightlab.lp.unknown_scores.bounds import Bounds
from weightlab.lp.unknown_scores.claims import OPEN, WINNER, Claim, judged
from weightlab.lp.unknown_scores.least_proof import LeastProof, least_proof
from weightlab.lp.unknown_scores.next_scores import choices
from weightlab.lp.unknown_scores.proof_cells import total_cost
from weightlab.lp.unknown_scores.settle import CostLike
from weightlab.lp.unknown_scores.spans import Spans


class Replay(Result, kind="replay"):
    """What a claim cost to prove when the scores of a complete table came in as `lp.settle` asked for them.

    Attributes
    ----------
    hindsight : LeastProof
        The claim, and the cheapest scores that prove it once all are known.
    costs : tuple of Fraction
        For each random order of models and tasks, what was measured until the claim was proved.
    batch : int
        How many scores were requested at once.
    seed : int
        Of the orders.
    """

    derived = ("share", "ratio")
    hindsight: LeastProof
    costs: tuple[Fraction, ...]
    batch: int
    seed: int

    @property
    def _mean(self) -> Fraction:
        return sum(self.costs, Fraction(0)) / len(self.costs)

    @property
    def share(self) -> Fraction:
        """The mean cost over the orders, as a share of what all scores cost."""
        return self._mean / self.hindsight.total

    @property
    def ratio(self) -> Fraction:
        """The mean cost over the orders, over what is needed in hindsight at least."""
        ensure(self.hindsight.bound > 0, "no proof costs nothing")
        return self._mean / self.hindsight.bound

    @property
    def curve(self) -> pd.DataFrame:
        """By share of the cost of all scores (Fraction), the share of orders in which the claim was proved by then."""
        steps = sorted(one / self.hindsight.total for one in self.costs)
        proved = [Fraction(place, len(steps)) for place in range(1, len(steps) + 1)]
        return pd.DataFrame({"cost": steps, "proved": proved}, dtype=object)

    @property
    def proofs(self) -> dict[str, Proof]:
        """Costs depend on random orders; what is needed in hindsight as `LeastProof` says."""
        return {"what was measured": Proof.SAMPLED, "what is needed in hindsight": self.hindsight.proof}

    def __str__(self) -> str:
        """Say which share of the scores was enough, and which was needed."""
        what = "the cost of all scores" if self.hindsight.prices else "these scores"
        orders = counted(len(self.costs), "random order")
        claimed = f"{self.hindsight.claim.words} {self.hindsight.rule.by}"
        enough = (
            f"{percent(self.share)} of {what} {'was' if self.hindsight.prices else 'were'} enough to prove {claimed}"
        )
        return f"{enough} ({orders}); at least {percent(self.hindsight.bound / self.hindsight.total)} were needed."

    def to_frame(self) -> pd.DataFrame:
        """Return, by order, the share of results measured until the claim was proved, and its ratio to the minimum."""
        shares = [one / self.hindsight.total for one in self.costs]
        ratios = [one / self.hindsight.bound for one in self.costs]
        return pd.DataFrame({"share": shares, "over hindsight": ratios}, dtype=object)

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check the hindsight, and that what was measured lies between it and all scores; the orders are draws.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        self.hindsight.verify(source)
        fits = self.costs and self.batch >= 1 and self.seed >= 0
        ensure(fits, "there must be orders, a seed of them, and a score asked for at a time")
        for cost in self.costs:
            ensure(self.hindsight.bound <= cost <= self.hindsight.total, f"no proof costs {cost}")
        return True


def replay(
    board: LeaderboardLike,
    claim: str = WINNER,
    *,
    k: int | None = None,
    models: str | Sequence[str] | None = None,
    rule: RuleLike | None = None,
    bounds: Bounds | None = None,
    cost: CostLike | None = None,
    orders: int = 20,
    batch: int = 1,
    rng: RngLike = 0,
) -> Replay:
    """Measure a complete table as `lp.settle` advises, from nothing, until a claim is proved.

    Parameters
    ----------
    board : Leaderboard
        A table without missing scores.
    claim, k, models, rule, bounds, cost
        As for `lp.settle`.
    orders : int
        Random orders of models and tasks, which decide between what is predicted alike.
    batch : int
        Scores requested at once.
    rng : int, Generator or SeedSequence
        Of the orders.

    Returns
    -------
    Replay

    Raises
    ------
    InputError, UnknownNameError
        As for `lp.least_proof`; if orders or batch are not whole numbers, 1 or more.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 90, "b": 40, "c": 10}, "y": {"a": 80, "b": 50, "c": 20}})
    >>> print(wl.studies.replay(board, rule="mean", bounds=(0, 100), orders=5))
    70% of these scores were enough to prove the winner by average (5 random orders); at least 66.7% were needed.
    """
    for name, count in (("orders", orders), ("batch", batch)):
        if type(count) is not int or count < 1:
            raise InputError(f"{name} must be a whole number, 1 or more; got {count!r}")
    ensure_few_draws("orders", orders)
    seed = seed_of(rng)
    least = least_proof(board, claim, k=k, models=models, rule=rule, bounds=bounds, cost=cost)
    found = least.claimed
    draw, named = np.random.default_rng(seed), [found.table.models.index(model) for model in found.claim.models]
    costs = []
    for _ in range(orders):
        rows, columns = draw.permutation(found.costs.shape[0]), draw.permutation(found.costs.shape[1])
        prices = found.float_costs[np.ix_(rows, columns)]
        asked = [int(np.flatnonzero(rows == row)[0]) for row in named]
        measured = _measured(_permuted(found.spans, rows, columns), found.claim, asked, prices, batch)
        costs.append(total_cost(measured, found.costs[np.ix_(rows, columns)]))
    return Replay(hindsight=least, costs=tuple(costs), batch=batch, seed=seed).verified()


def _permuted(spans: Spans, rows: AnyArray, columns: AnyArray) -> Spans:
    """Return the table with models and tasks in another order."""
    names = ("least", "most", "scores", "measured", "bounded")
    cells = {name: getattr(spans, name)[np.ix_(rows, columns)] for name in names}
    weights = [spans.weights[column] for column in columns.tolist()]
    return replace(spans, **cells, weights=weights, tolerances=spans.tolerances[:, columns])


def _measured(spans: Spans, claim: Claim, named: Sequence[int], cost: FloatArray, batch: int) -> BoolArray:
    """Return which scores were measured until a claim was decided."""
    measured: BoolArray = (
        spans.measured & ~spans.bounded & (spans.least == spans.most)
    )  # known from the start, without bounds
    while judged(now := spans.knowing(measured), claim, named)[0] == OPEN:
        measured, asked = measured.copy(), 0
        for row, task, _ in choices(now, claim, named, cost):
            measured[row, task], asked = True, asked + 1
            if asked == batch:
                break
    return measured
