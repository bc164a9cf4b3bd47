"""Whether a model wins under some or under all weights of a space, each answer with what proves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._result import ensure, exact_series, read_fraction, to_json
from weightlab._typing import SignArray
from weightlab.lp.certificate import check_weights, leads, series_dict, series_from_json
from weightlab.lp.dual_bound import check_bound
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.space import WeightSpace

__all__ = ["Answer", "answers"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Block:
    """A mixture of rivals with multipliers of the space's rows, and the bound of a lead that they prove."""

    bound: Fraction
    blockers: pd.Series
    multipliers: pd.Series

    @classmethod
    def of(cls, proof: MarginProof, space: WeightSpace) -> Block:
        """Return what a proof of a widest margin says about its upper bound."""
        return cls(
            bound=proof.upper,
            blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
            multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the block ready for JSON; rivals without a share are left out."""
        shares = {str(name): to_json(share) for name, share in self.blockers.items() if share}
        return {"bound": to_json(self.bound), "blockers": shares, "multipliers": to_json(self.multipliers)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rivals: Sequence[str], space: WeightSpace) -> Block:
        """Return the block about these rivals that ``to_dict`` wrote."""
        shares = dict.fromkeys(rivals, "0/1") | dict(document["blockers"])
        return cls(
            bound=read_fraction(document["bound"], "bound"),
            blockers=exact_series(shares, rivals, "blocker"),
            multipliers=series_from_json(document["multipliers"], "multiplier", [row.name for row in space.rows]),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
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
    wins: pd.Series | None
    fails: pd.Series | None
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
                alone = [Fraction(int(place == row)) for place in range(len(rivals))]
                ensure(block.blockers.tolist() == alone, "a block is about another rival")
                ensure(block.bound < 0, f"the lead over {rivals[row]!r} is only shown to be at least {-block.bound}")
                self._check_block(block, -signs, rivals, space)

    def _check_block(self, block: Block, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        ensure(tuple(block.blockers.index) == tuple(rivals), "the blockers are not the rivals, in order")
        check_bound(signs, block.blockers, block.multipliers, space, block.bound)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer ready for JSON."""
        return {
            "some": self.some,
            "every": self.every,
            "wins": None if self.wins is None else to_json(self.wins),
            "fails": None if self.fails is None else to_json(self.fails),
            "blocks": [block.to_dict() for block in self.blocks],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rivals: Sequence[str], space: WeightSpace) -> Answer:
        """Return the answer about these rivals that ``to_dict`` wrote."""
        wins, fails = (
            None if document[one] is None else series_from_json(document[one], "weight", list(space.tasks))
            for one in ("wins", "fails")
        )
        return cls(
            some=document["some"] is True,
            every=document["every"] is True,
            wins=wins,
            fails=fails,
            blocks=tuple(Block.from_dict(one, rivals, space) for one in document["blocks"]),
        )


def answers(signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, time_limit: float | None = None) -> Answer:
    """Return under which weights of a space a model with these signs beats every rival.

    One linear program decides whether some do; then one a rival whether all do, until one does not.
    """
    widest = widest_margin(signs, rivals, space, time_limit=time_limit)
    weights = exact_series(widest.weights, space.tasks, "weight")
    if widest.upper <= 0:
        return Answer(some=False, every=False, wins=None, fails=weights, blocks=(Block.of(widest, space),))
    blocks: dict[int, Block] = {}
    # Rivals that are led on few tasks first: if some weights fail, they are met soon.
    for row in np.argsort(signs.sum(axis=1, dtype=np.int64), kind="stable").tolist():
        # The rival's greatest lead over the model, as the widest margin of the turned signs: below 0, the model is
        # ahead under all weights.
        least = widest_margin(-signs[[row]], [rivals[row]], space, time_limit=time_limit)
        if least.upper >= 0:
            fails = exact_series(least.weights, space.tasks, "weight")
            return Answer(some=True, every=False, wins=weights, fails=fails, blocks=())
        alone = [Fraction(int(place == row)) for place in range(len(rivals))]
        multipliers = exact_series(least.multipliers, [one.name for one in space.rows], "multiplier")
        blockers = exact_series(alone, rivals, "blocker")
        blocks[row] = Block(bound=least.upper, blockers=blockers, multipliers=multipliers)
    ordered = tuple(blocks[row] for row in range(len(rivals)))
    return Answer(some=True, every=True, wins=weights, fails=None, blocks=ordered)
