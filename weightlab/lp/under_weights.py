"""Whether a model wins under some or under all weights of a space, each answer with what proves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weightlab._record import Exact, Record
from weightlab._result import ensure, exact_series
from weightlab._typing import SignArray
from weightlab.lp.certificate import check_bound, check_weights, leads, series_dict
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.space import Multipliers, TaskShares, WeightSpace

__all__ = ["Answer", "answers"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Block(Record):
    """A mixture of rivals with multipliers of the space's rows, and the bound of a lead that they prove."""

    # The rivals with a share alone: there may be a block a rival.
    bound: Fraction
    blockers: Exact
    multipliers: Multipliers

    @classmethod
    def of(cls, proof: MarginProof, space: WeightSpace) -> Block:
        """Return what a proof of a widest margin says about its upper bound."""
        shares = {rival: share for rival, share in zip(proof.rivals, proof.blockers, strict=True) if share}
        return cls(
            bound=proof.upper,
            blockers=exact_series(list(shares.values()), list(shares), "blocker"),
            multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer(Record):
    """Whether a model beats every rival under some weights of a space, and whether under all.

    Attributes
    ----------
    some, every : bool
        The answers.
    wins : Series of Fraction by task, or None
        Weights under which it does, for "some".
    fails : Series of Fraction by task, or None
        Weights under which it does not, for "not all".
    blocks : tuple of Block
        For "none": blockers with a bound of at most 0. For "all": a block a rival, of the negated signs.
    """

    some: bool
    every: bool
    wins: TaskShares | None
    fails: TaskShares | None
    blocks: tuple[Block, ...]

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that weights and blocks prove the answers about these signs."""
        ensure(self.some or not self.every, "what wins under all weights wins under some")
        ensure((self.wins is not None) == self.some, "weights that win belong to a model that can")
        ensure((self.fails is not None) == (not self.every), "weights that fail belong to a model that can fail")
        for weights, win in ((self.wins, True), (self.fails, False)):
            if weights is not None:
                ensure(tuple(weights.index) == space.tasks, "the weights are not about the tasks, in order")
                check_weights(series_dict(weights), space.rows, space.auxiliaries)
                least = min(leads(signs, weights.tolist()))
                ensure((least > 0) == win, f"the least lead under the weights is {least}")
        if not self.some:
            ensure(len(self.blocks) == 1 and self.blocks[0].bound <= 0, "no blockers show that no weights win")
            self._check_block(self.blocks[0], signs, rivals, space)
        if self.every:
            ensure(len(self.blocks) == len(rivals), "not every rival is shown to be beaten under all weights")
            for row, block in enumerate(self.blocks):
                ensure(series_dict(block.blockers) == {rivals[row]: 1}, "a block is about another rival")
                ensure(block.bound < 0, f"the lead over {rivals[row]!r} is only shown to be at least {-block.bound}")
                self._check_block(block, -signs, rivals, space)

    def _check_block(self, block: Block, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        shares = series_dict(block.blockers)
        ensure(set(shares) <= set(rivals), "a blocker is no rival")
        blockers = exact_series([shares.get(rival, Fraction(0)) for rival in rivals], rivals, "blocker")
        check_bound(signs, blockers, block.multipliers, space, block.bound)


def answers(signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None) -> Answer:
    """Return under which weights of a space a model with these signs beats every rival.

    One linear program decides whether some do; then one a rival whether all do, until one does not.
    """
    widest = widest_margin(signs, rivals, space, time_limit=time_limit)
    weights = exact_series(widest.weights, space.tasks, "weight")
    if widest.upper <= 0:
        return Answer(some=False, every=False, wins=None, fails=weights, blocks=(Block.of(widest, space),))
    blocks: dict[int, Block] = {}
    for row in np.argsort(signs.sum(axis=1, dtype=np.int64), kind="stable").tolist():
        least = widest_margin(-signs[[row]], [rivals[row]], space, time_limit=time_limit)
        if least.upper >= 0:
            fails = exact_series(least.weights, space.tasks, "weight")
            return Answer(some=True, every=False, wins=weights, fails=fails, blocks=())
        multipliers = exact_series(least.multipliers, [one.name for one in space.rows], "multiplier")
        blockers = exact_series([Fraction(1)], [rivals[row]], "blocker")
        blocks[row] = Block(bound=least.upper, blockers=blockers, multipliers=multipliers)
    ordered = tuple(blocks[row] for row in range(len(rivals)))
    return Answer(some=True, every=True, wins=weights, fails=None, blocks=ordered)
