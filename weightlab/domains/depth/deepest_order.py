"""The deepest order of all, also among those that were not observed."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, WeightsLike
from weightlab._result import Result, ensure
from weightlab.data import Order
from weightlab.data.components import cycle_through, strong_components, topological
from weightlab.data.convert import RelationsLike, as_tables
from weightlab.domains.depth.tukey import WeightedRelations, in_order
from weightlab.exceptions import InputError

Ties: TypeAlias = Literal["both", "neither"] | None
"""How a tie is written in a relation, related both ways or neither way; None when the order has none."""


class DeepestOrder(Result, kind="deepest_order", table_of=as_tables):
    """An order of greatest Tukey depth among all orders of the models.

    Attributes
    ----------
    order : tuple of tuple of str
        The order, best first.
    depth : Fraction
        Its depth: the least share of relations that treat some pair as it does.
    ties : {"both", "neither", None}
        Whether the order may tie models, and how relations write that.
    cycle : tuple of str
        Why no order is deeper: going round, each model would have to be ranked at least as high as the next, and at
        some step a tie is excluded, too. Empty when the depth is 1.
    data : WeightedRelations
        The relations with their weights.
    """

    order: Order
    depth: Fraction
    ties: Ties
    cycle: tuple[str, ...]
    data: WeightedRelations

    def __str__(self) -> str:
        """Say the order and its depth."""
        kind = "linear order" if self.ties is None else "weak order"
        why = f" (none is deeper, because of the cycle {' - '.join(self.cycle)})" if self.cycle else ""
        return f"The deepest {kind} has depth {self.depth}: {in_order(self.order)}{why}.{self.data.said}"

    def to_frame(self) -> pd.DataFrame:
        """Return the ranks of the models."""
        places = {model: place for place, tied in enumerate(self.order, start=1) for model in tied}
        return pd.DataFrame({"place": list(places.values())}, index=list(places))

    def verify(self, source: RelationsLike | None = None) -> bool:
        """Re-check the depth of the order pair by pair, and that the cycle keeps every order from being deeper.

        Raises
        ------
        ProofError
            Naming the first condition that fails.
        """
        self.data.check_source(source)
        models = self.data.relations.models
        listed = [model for place in self.order for model in place]
        ensure(sorted(listed) == sorted(models), "the order is not one of the models")
        ensure(self.ties is not None or all(len(place) == 1 for place in self.order), "a linear order has no ties")
        depth = self.data.depth_anew(relation_of(self.order, models, self.ties))
        ensure(depth == self.depth, f"the depth of the order is {depth}, not {self.depth}")
        if self.depth < 1:
            self._check_cycle()
        return True

    def _check_cycle(self) -> None:
        place = {model: position for position, model in enumerate(self.data.relations.models)}
        ensure(set(self.cycle) <= set(place) and len(self.cycle) > 1, "the cycle is not one of the models")
        above, tied = _costs(self.data, self.ties)
        limit = self.depth * self.data.whole
        excluded = False
        for step, model in enumerate(self.cycle):
            x, y = place[model], place[self.cycle[(step + 1) % len(self.cycle)]]
            ensure(above[y, x] <= limit, f"nothing keeps {model!r} from being below the next of the cycle")
            excluded |= bool(tied[x, y] <= limit)
        ensure(excluded, "all of the cycle may tie")


def deepest_order(source: RelationsLike, *, ties: Ties = None, weights: WeightsLike | None = None) -> DeepestOrder:
    """Find an order of greatest Tukey depth among all orders, observed or not.

    Parameters
    ----------
    source : Relations, Suite or Profile
        Relations over the same models.
    ties : {None, "both", "neither"}
        Whether the order may tie models. If so, how the relations write a tie: weak majority relations and weak
        orders relate tied models both ways, strict majority relations neither way.
    weights : mapping or sequence, optional
        Weights of the relations, exact as written; by default those of a profile's voters, and 1 for any other
        relation. Relations of weight 0 are left out and named.

    Returns
    -------
    DeepestOrder
        With the cycle that keeps every order from being deeper.

    Raises
    ------
    InputError
        If there are no relations, or the weights are not fit.

    Notes
    -----
    An order of depth at least t exists if and only if the pairs that t forces have no cycle (linear orders), or
    only cycles whose models may all tie (weak orders). The greatest such t is found by bisection among the shares
    of pairs: O(models^2 (relations + log models)). The proof is in the explanation of depth.

    Examples
    --------
    >>> import weightlab as wl
    >>> paradox = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    >>> wl.domains.deepest_order(paradox).depth
    Fraction(1, 3)
    >>> tied = wl.Profile.from_orders([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], [("a", "b", "c")]])
    >>> wl.domains.deepest_order(tied, ties="both").order
    (('a', 'b', 'c'),)
    """
    if ties not in (None, "both", "neither"):
        raise InputError(f"ties must be None, 'both' or 'neither'; got {ties!r}")
    data = WeightedRelations.from_source(source, weights)
    costs = _costs(data, ties)
    candidates = np.unique(np.concatenate([*map(np.ravel, costs), [0, data.whole]]))
    # The deeper an order must be, the more is forced: what is impossible at one depth is so at all greater ones.
    limit = candidates[bisect_left(candidates, x=True, lo=1, key=lambda depth: _cycle(costs, depth) is not None) - 1]
    models = data.relations.models
    place = topological(_forced(costs, limit)[0])
    # Depths are whole numbers in the unit of counts, so the next one is all that has to be excluded.
    cycle = _cycle(costs, limit + 1) if limit < data.whole else None
    return DeepestOrder(
        order=tuple(tuple(models[model] for model in np.flatnonzero(place == one)) for one in np.unique(place)),
        depth=data.share(limit),
        ties=ties,
        cycle=tuple(models[model] for model in cycle or ()),
        data=data,
    ).verified()


def relation_of(order: Order, models: tuple[str, ...], ties: Ties) -> BoolArray:
    """Return an order as a relation, ties written as asked."""
    level = {model: place for place, tied in enumerate(order) for model in tied}
    row = np.array([level[model] for model in models])
    relation = row[:, None] < row
    if ties == "both":
        relation |= row[:, None] == row
    return np.asarray(relation | np.eye(len(models), dtype=np.bool_))


def _costs(data: WeightedRelations, ties: Ties) -> tuple[AnyArray, AnyArray]:
    """Return how many relations treat two models x and y as an order does that puts x above y, or ties them."""
    held, lacked = data.counts, data.whole - data.counts
    # An order with x above y holds (x, y) and lacks (y, x): both conditions must be shared by enough relations.
    above = np.minimum(held, lacked.T)
    if ties is None:
        tied = np.full_like(above, -1)
    else:
        tied = np.minimum(held, held.T) if ties == "both" else np.minimum(lacked, lacked.T)
    np.fill_diagonal(above, data.whole)
    np.fill_diagonal(tied, data.whole)
    return above, tied


def _forced(costs: tuple[AnyArray, AnyArray], least: int) -> tuple[BoolArray, BoolArray]:
    """Return which models have to be at least as high as which in an order of some depth, and which even above."""
    # Fewer agree with y above x than the depth asks for: so x is at least as high as y in every such order.
    above, tied = costs
    forced = np.asarray(least > above.T)
    return forced, forced & np.asarray(tied < least)


def _cycle(costs: tuple[AnyArray, AnyArray], least: int) -> list[int] | None:
    """Return a cycle that excludes any order of some depth, or None when there is such an order."""
    forced, strict = _forced(costs, least)
    part = strong_components(forced)[1]
    # Within a strongly connected part all models would have to tie, which a strict step forbids.
    inside = np.argwhere(strict & (part[:, None] == part))
    return cycle_through(forced, *inside[0].tolist()) if len(inside) else None
