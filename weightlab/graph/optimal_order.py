"""The order of least cost as a result: what Kemeny's, Slater's and the feedback arc question have in common."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np
import pandas as pd

from weightlab._result import Proof, Result, ensure, read_fraction, to_json
from weightlab._solver import solver_name
from weightlab._typing import AnyArray, BoolArray, Order
from weightlab._validate import truth
from weightlab.data.margins import Margins
from weightlab.exceptions import ProofError, TimeLimitError, UnprovedError
from weightlab.graph.blocks import Block, Means, blocks_of, check_block
from weightlab.graph.blocks_json import block_from_json, block_to_json, integers
from weightlab.graph.carried import check_margins, margins_from_json, margins_to_json
from weightlab.graph.linear_order import is_past, least_order
from weightlab.graph.majority import MajorityLike
from weightlab.graph.ranking import relation_frame

__all__ = ["OptimalOrder", "order_fields", "proved_blocks", "reduced"]

INT64_SAFE = 2**62


@dataclass(frozen=True, kw_only=True, eq=False)
class OptimalOrder(Result):
    """An order of all models that no order betters.

    Attributes
    ----------
    order : tuple of tuples of str
        Best first, one model a place.
    cost : Fraction
        What the order costs.
    unique : bool or None
        Whether every other order costs more; None where that was not decided.
    number : int or None
        How many orders cost as little, this one included; None where they were not counted.
    shared : DataFrame of bool, models x models
        Whether the row is proved to stand above the column in every order of least cost: all such pairs, unless
        ``unique`` is None.
    margins : Margins
        The margins that the claim is about.
    blocks : tuple of Block
        The proof, block by block.
    solver : str or None
        The solver on whose bound the optimality rests; None where it is proved in exact arithmetic.
    """

    order: Order
    cost: Fraction
    unique: bool | None
    number: int | None
    shared: pd.DataFrame = field(repr=False)
    margins: Margins = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)
    solver: str | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @property
    def winners(self) -> tuple[str, ...]:
        """The model in the first place of this order."""
        return self.order[0] if self.order else ()

    @property
    def proof(self) -> Proof:
        """``exact``, unless the optimality rests on a solver's bound."""
        return Proof.EXACT if self.solver is None else Proof.EXACT_WITNESS

    @property
    def relies_on(self) -> str:
        """What the proof relies on besides arithmetic: nothing, or the bound of a solver for some of the models."""
        models = [self.models[place] for block in self.blocks if block.means is Means.SOLVER for place in block.models]
        if not models:
            return "nothing"
        return f"{self.solver}'s bound for the order of {len(models)} models among themselves: {', '.join(models)}"

    @property
    def shared_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs proved to stand so in every order of least cost, in the order's sequence."""
        names = [name for place in self.order for name in place]
        together = self.shared.loc[names, names].to_numpy()
        return tuple((names[row], names[column]) for row, column in np.argwhere(together).tolist())

    def summary(self) -> pd.DataFrame:
        """Return the order with, for each model, how many models stand above and below it in every least order."""
        names = [name for place in self.order for name in place]
        shared = self.shared.loc[names, names].to_numpy()
        return pd.DataFrame(
            {
                "place": range(1, len(names) + 1),
                "always_above": shared.sum(axis=0),
                "always_below": shared.sum(axis=1),
            },
            index=names,
        )

    def verify(self, source: MajorityLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver; given the source, also that the margins are its.

        Returns
        -------
        bool
            True. Where ``solver`` is not None this does not cover that no order costs less.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        check_margins(self.margins, source)
        net, unit = self._net()
        places = self._places()
        expected = [models.tolist() for models in blocks_of(net)]
        ensure([block.models.tolist() for block in self.blocks] == expected, "the blocks are not those of the margins")
        for block in self.blocks:
            try:
                check_block(net[np.ix_(block.models, block.models)], block)
            except ProofError as error:
                names = ", ".join(self.models[place] for place in block.models)
                raise ProofError(f"among {names}: {error}") from error
            ensure(block.means is not Means.NOTHING, "a block is not proved")
            solved = block.means is not Means.SOLVER or self.solver is not None
            ensure(solved, "a block's optimality rests on a solver, and none is named")
        together = [place for block in self.blocks for place in block.models[block.order].tolist()]
        ensure(together == places.tolist(), "the order is not that of its blocks")
        total = self._constant() + unit * sum(block.cost for block in self.blocks)
        ensure(self.cost == total == self._cost_of(places), f"the order costs {self._cost_of(places)}, not {self.cost}")
        self._check_sharing()
        return True

    def _check_sharing(self) -> None:
        ensure(list(self.shared.index) == list(self.models) == list(self.shared.columns), "shared has other models")
        expected = _shared(self.blocks, len(self.models))
        ensure(np.array_equal(self.shared.to_numpy(), expected), "the shared pairs are not those of the blocks")
        ensure(self.unique is _unique(self.blocks), f"unique is {_unique(self.blocks)}, not {self.unique}")
        ensure(self.number == _number(self.blocks), f"the number of orders is {_number(self.blocks)}")
        needed = any(block.means is Means.SOLVER for block in self.blocks)
        ensure(needed == (self.solver is not None), "the solver named is not the one that was needed")

    def _places(self) -> AnyArray:
        ensure(all(len(place) == 1 for place in self.order), "a place of the order holds several models")
        names = [name for place in self.order for name in place]
        ensure(sorted(names) == sorted(self.models), "the order does not hold every model once")
        row = {model: position for position, model in enumerate(self.models)}
        return np.array([row[name] for name in names], dtype=np.int64)

    def _net(self) -> tuple[AnyArray, Fraction]:
        """Return the costs as antisymmetric integers, and the unit that they count."""
        raise ProofError(f"a {type(self).__name__} of no question has no costs")

    def _constant(self) -> Fraction:
        """Return what every order costs."""
        return Fraction(0)

    def _cost_of(self, places: AnyArray) -> Fraction:
        """Return what an order costs, from the margins alone."""
        raise ProofError(f"a {type(self).__name__} of no question has no costs for {len(places)} models")

    def to_dict(self) -> dict[str, Any]:
        """Return the result ready for JSON, with its margins and its proof."""
        return {
            "kind": self.kind,
            "order": to_json(self.order),
            "cost": to_json(self.cost),
            "unique": self.unique,
            "number": self.number,
            "solver": self.solver,
            "margins": margins_to_json(self.margins),
            "blocks": [block_to_json(block) for block in self.blocks],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Return the result that ``to_dict`` wrote."""
        margins = margins_from_json(document["margins"])
        blocks = tuple(block_from_json(one, len(margins.models)) for one in document["blocks"])
        return cls(
            order=tuple(tuple(str(name) for name in place) for place in document["order"]),
            cost=read_fraction(document["cost"], "cost"),
            unique=None if document["unique"] is None else truth(document["unique"], "unique"),
            number=None if document["number"] is None else integers([document["number"]], "number")[0],
            shared=relation_frame(_shared(blocks, len(margins.models)), margins.models),
            margins=margins,
            blocks=blocks,
            solver=None if document["solver"] is None else str(document["solver"]),
            **cls._more_from_dict(document, margins),
        )

    @classmethod
    def _more_from_dict(cls, document: Mapping[str, Any], margins: Margins) -> dict[str, Any]:
        """Return the fields that the question adds."""
        del document, margins
        return {}


def proved_blocks(
    net: AnyArray, unit: Fraction, constant: Fraction, models: Sequence[str], time_limit: float | None
) -> tuple[Block, ...]:
    """Return the blocks of the order of least cost, all of them proved.

    Raises
    ------
    TimeLimitError, UnprovedError
        Where that failed; ``known`` has an ``order``, its ``cost``, and a ``bound`` below every cost.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    blocks = tuple(least_order(net, deadline))
    open_ones = [block for block in blocks if block.means is Means.NOTHING]
    if not open_ones:
        return blocks
    known = {
        "order": tuple((models[place],) for block in blocks for place in block.models[block.order].tolist()),
        "cost": constant + unit * sum(block.cost for block in blocks),
        "bound": constant + unit * sum(_least_possible(net, block) for block in blocks),
    }
    largest = max(len(block.models) for block in open_ones)
    message = (
        f"no order was proved to be of least cost: one at {known['cost']} is known, and none is below {known['bound']}"
    )
    if is_past(deadline):
        raise TimeLimitError(f"the time limit came: {message}", known=known)
    raise UnprovedError(f"{largest} models are too entangled: {message}", known=known)


def _least_possible(net: AnyArray, block: Block) -> int:
    if block.means is not Means.NOTHING:
        return block.cost
    bound, _ = block.triangles.bound_and_excess(net[np.ix_(block.models, block.models)])
    return -(-bound // block.triangles.scale)


def reduced(net: AnyArray) -> tuple[AnyArray, int]:
    """Return integers without a common factor, and that factor."""
    factor = math.gcd(*[int(one) for one in np.unique(np.abs(net))]) or 1
    whole = net // factor
    small = int(np.abs(whole).max(initial=0)) * whole.size < INT64_SAFE
    return whole.astype(np.int64 if small else object), factor


def order_fields(blocks: tuple[Block, ...], models: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a result that its blocks make."""
    return {
        "order": tuple((models[place],) for block in blocks for place in block.models[block.order].tolist()),
        "unique": _unique(blocks),
        "number": _number(blocks),
        "shared": relation_frame(_shared(blocks, len(models)), models),
        "blocks": blocks,
        "solver": solver_name() if any(block.means is Means.SOLVER for block in blocks) else None,
    }


def _shared(blocks: Sequence[Block], count: int) -> BoolArray:
    shared = np.zeros((count, count), dtype=np.bool_)
    below = np.ones(count, dtype=np.bool_)
    # Blocks come best first: all that follow stand below in every order of least cost.
    for block in blocks:
        below[block.models] = False
        shared[np.ix_(block.models, np.flatnonzero(below))] = True
        shared[np.ix_(block.models, block.models)] = block.shared
    return shared


def _unique(blocks: Sequence[Block]) -> bool | None:
    known = [block.is_unique for block in blocks]
    if False in known:
        return False
    return None if None in known else True


def _number(blocks: Sequence[Block]) -> int | None:
    numbers = [block.number for block in blocks]
    return None if None in numbers else math.prod(number for number in numbers if number is not None)
