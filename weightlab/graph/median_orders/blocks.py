"""Blocks of a least order, each with the proof that it is one, and how the proof is checked."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from weightlab._exact import INT64_SAFE, AnyArray, BoolArray
from weightlab._result import BoolMatrix, Record, ensure
from weightlab.data.components import topological
from weightlab.exceptions import InputError, ProofError
from weightlab.graph.median_orders.exact_search import (
    TooManyIdealsError,
    forced_pairs,
    optima_within,
    order_cost,
    places_within,
)
from weightlab.graph.median_orders.triangle_relaxation import Integers, Triangles
from weightlab.graph.paths import transitive_closure


class BlockProof(StrEnum):
    """How much of a block is proved, and how."""

    SEARCH = "search"
    """All orders within the bound were searched: the cost, the shared pairs and the number of orders are exact."""

    TILTED = "tilted search"
    """Cost and shared pairs are exact: no least order turns a shared pair, and some turn each of the others."""

    COST = "cost search"
    """The cost is exact; whether all cheapest orders share more pairs than those given is not known."""

    SOLVER = "solver"
    """Optimality relies on the solver's results for the linear programs of branch and bound."""

    NOTHING = "nothing"
    """A good order and a bound, and no more."""


class Block(Record):
    """The least order of models that beat, or are beaten by, all others alike.

    Attributes
    ----------
    models : ndarray of int
        Places of the models in the whole. All other arrays count within the block.
    order : ndarray of int
        Best first.
    cost : int
        What the order costs.
    shared : ndarray of bool
        Pairs that are proved to stand so in every order of least cost.
    number : int or None
        How many orders of least cost there are, where that is known.
    means : BlockProof
        How that is proved.
    triangles : Triangles
        The multipliers of the bound: on the block's costs or, with ``BlockProof.TILTED``, on those tilted.
    turned : tuple of ndarray
        Other orders of least cost; with ``BlockProof.TILTED`` they turn, between them, every pair that is not shared.
    first, last : ndarray of int
        The least and the greatest place, from 0, at which each model stands in some order of least cost: of all of
        them with ``BlockProof.SEARCH``, else of those at hand.
    ends : tuple of Triangles
        Multipliers that say how far models go in orders of least cost, where these are too many to search without.
    """

    models: Integers
    order: Integers
    cost: int
    shared: BoolMatrix
    number: int | None
    means: BlockProof
    triangles: Triangles
    turned: tuple[Integers, ...] = ()
    first: Integers
    last: Integers
    ends: tuple[Triangles, ...] = ()

    def __post_init__(self) -> None:
        """Refuse parts that are not of one size."""
        size = len(self.models)
        rows = (self.shared, *self.shared, self.order, *self.turned, self.first, self.last)
        if any(len(row) != size for row in rows):
            raise InputError(f"a block of {size} models needs orders and places of {size}, and {size} x {size} pairs")

    @property
    def is_unique(self) -> bool | None:
        """Whether no other order costs as little; None where that is not known."""
        if np.array_equal(self.shared, stands_above(self.order)):
            return True
        return False if self.turned or self.means in (BlockProof.SEARCH, BlockProof.TILTED) else None


def blocks_of(net: AnyArray) -> list[AnyArray]:
    """Return the places of the models of each block, best block first: each beats all that follow."""
    if not len(net):
        return []
    # The strong components of "beats or ties" are totally ordered: each beats the later ones wholly. Every order of
    # least cost keeps them apart in this order (the extended Condorcet criterion, Truchon 1998).
    place = topological(np.asarray(net >= 0, dtype=np.bool_))
    order = np.argsort(place, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(place[order])) + 1)


def stands_above(order: AnyArray) -> BoolArray:
    """Return whether the row stands above the column in an order, best first."""
    place = np.argsort(order)
    return np.asarray(place[:, None] < place, dtype=np.bool_)


def places_in(*orders: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Return the least and the greatest place of each model in some orders, from 0."""
    places = np.array([np.argsort(order) for order in orders])
    return places.min(axis=0), places.max(axis=0)


def proved_ends(net: AnyArray, block: Block) -> tuple[AnyArray, AnyArray]:
    """Return the places beyond which no order of least cost has a model: by a full search, else as bounds say."""
    if block.means is BlockProof.SEARCH:
        return block.first, block.last
    return _ends_within(net, block.ends, block.cost, block.shared)


def _ends_within(net: AnyArray, ends: Sequence[Triangles], cost: int, given: BoolArray) -> tuple[AnyArray, AnyArray]:
    """Return the least and the greatest place of each model in orders of some cost, by some multipliers."""
    least, most = given.sum(axis=0), len(net) - 1 - given.sum(axis=1)
    for triangles in ends:
        closer = places_within(net, triangles, cost, given)
        least, most = np.maximum(least, closer[0]), np.minimum(most, closer[1])
    return least, most


def known_pairs(net: AnyArray, ends: Sequence[Triangles], cost: int) -> BoolArray:
    """Return the pairs that stand so in all orders of least cost, if that is the cost, by some multipliers."""
    given = sure_pairs(net)
    for triangles in ends:
        given = forced_pairs(net, triangles, cost, given)
    least, most = _ends_within(net, ends, cost, given)
    # A model whose last place is before another's first stands above it.
    return transitive_closure((most[:, None] < least) | given)


def sure_pairs(net: AnyArray) -> BoolArray:
    """Return the pairs that no order of least cost turns: won duels between different strong components."""
    # An order that takes the strong components of "beats" in turn reverses nothing between them, and inside
    # them it can be as good as any. To turn a head-to-head between two of them is then pure loss.
    return np.asarray((net > 0) & component_pairs(net), dtype=np.bool_)


def component_pairs(net: AnyArray) -> BoolArray:
    """Return the pairs of different strong components in one order of these that costs nothing."""
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    return np.asarray(place[:, None] < place, dtype=np.bool_)


def tilted(net: AnyArray, claimed: BoolArray) -> AnyArray:
    """Return costs under which, of the orders of least cost, those come first that turn most of the claimed pairs.

    One unit of the old costs outweighs turning all of them.
    """
    # Lexicographic in one number: a unit of the true cost counts more than all claimed pairs, each of which counts 1.
    pairs = int(claimed.sum())
    fits = int(np.abs(net).max(initial=1)) * (pairs + 1) < INT64_SAFE
    whole = net.astype(np.int64 if fits else object)
    turn = claimed.astype(np.int8).astype(whole.dtype)
    return np.asarray((pairs + 1) * whole - turn + turn.T)


def check_block(net: AnyArray, block: Block) -> None:
    """Raise ProofError unless every claim about a block holds, re-checked in integers without a solver.

    Parameters
    ----------
    net : ndarray of int, models of the block x models of the block
        The costs: antisymmetric, positive where it costs something to put the column above the row.
    """
    _ensure_order(net, block.order, block.cost)
    sound = all(triangles.are_sound(len(net)) for triangles in (block.triangles, *block.ends))
    ensure(sound, "a triangle has a negative multiplier, or not three corners")
    ensure((block.number is not None) == (block.means is BlockProof.SEARCH), "only a full search counts orders")
    without = block.means in (BlockProof.SEARCH, BlockProof.NOTHING)
    ensure(not (without and block.turned), "a full search, or none, needs no other orders")
    for order in block.turned:
        _ensure_order(net, order, block.cost)
        ensure(not np.array_equal(order, block.order), "another order is the same")
    if block.means is not BlockProof.SEARCH:
        ends = places_in(block.order, *block.turned)
        same = np.array_equal(ends[0], block.first) and np.array_equal(ends[1], block.last)
        ensure(same, "the places of the models are not those in the orders given")
    in_order = not np.any(block.shared & ~stands_above(block.order))
    ensure(in_order, "a pair said to be shared by all orders of least cost is not in this one")
    try:
        checks = {BlockProof.SEARCH: _check_search, BlockProof.TILTED: _check_tilted}
        checks.get(block.means, _check_forced)(net, block)
    except TooManyIdealsError:
        raise ProofError("the bound leaves more orders than can be searched") from None


def _ensure_order(net: AnyArray, order: AnyArray, cost: int) -> None:
    ensure(sorted(order.tolist()) == list(range(len(net))), "an order does not hold every model once")
    ensure(order_cost(net, order) == cost, f"an order costs {order_cost(net, order)}, not {cost}")


def _check_search(net: AnyArray, block: Block) -> None:
    settled = optima_within(net, block.triangles, block.cost, known_pairs(net, block.ends, block.cost))
    if settled is None or settled.cost != block.cost:
        raise ProofError(f"the least cost is not {block.cost}")
    same = np.array_equal(settled.shared, block.shared)
    ensure(same, "the pairs that all orders of least cost share are others")
    ends = np.array_equal(settled.first, block.first) and np.array_equal(settled.last, block.last)
    ensure(ends, "the places that models take in orders of least cost are others")
    ensure(settled.number == block.number, f"{settled.number} orders have the least cost, not {block.number}")


def _check_tilted(net: AnyArray, block: Block) -> None:
    costs = tilted(net, block.shared)
    least = _is_least(costs, block.triangles, order_cost(costs, block.order))
    ensure(least, "an order costs less, or as little while it turns a pair said to be shared")
    left = stands_above(block.order) & ~block.shared
    for order in block.turned:
        left &= stands_above(order)
    ensure(not left.any(), "a pair said not to be shared is turned by none of the orders given")


def _check_forced(net: AnyArray, block: Block) -> None:
    if block.means is BlockProof.COST:
        ensure(_is_least(net, block.triangles, block.cost), f"an order costs less than {block.cost}")
    forced = forced_pairs(net, block.triangles, block.cost, sure_pairs(net))
    ensure(np.array_equal(forced, block.shared), "the pairs that the bound settles are others")


def _is_least(net: AnyArray, triangles: Triangles, cost: int) -> bool:
    """Return whether no order costs less, by the bound alone or by a search of what it leaves."""
    if triangles.settle(net, cost):
        return True
    # For the least cost alone any order of the components does, so all pairs between them may be taken as given; for
    # the shared pairs only the sure ones may.
    settled = optima_within(net, triangles, cost, component_pairs(net))
    return settled is not None and settled.cost == cost
