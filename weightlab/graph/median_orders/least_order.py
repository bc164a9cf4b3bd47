"""The linear ordering program: the order of all models that costs least, proved.

Kemeny's rule, Slater's rule and minimum feedback arc sets are this one question. It is NP-hard; the steps that make
real tables easy come first:

1. The models fall into blocks, each of which beats all later ones wholly; each block is ordered by itself.
2. Within a block only the strongly connected components of the majorities cost anything.
3. For the models in these the relaxation by triangles is solved, its rows added when they are violated. Where it is
   large its multipliers are raised step by step first: where it is too large, these steps are all.
4. Its multipliers give a bound that is re-checked in integers. A pair that would cost more than the room between
   bound and target is settled, and the orders that are left are searched exactly.
5. Where these are too many, odd walks of triangles are added to the program, which raise the bound; and the orders
   that are left then are searched.
6. Only where these are still too many does the solver search by itself, and then the proof relies on its bound.
   Costs tilted towards a question, how far a model goes or what all orders share, answer it for orders of least cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen
from weightlab._solver import is_past, part_of
from weightlab.data.components import topological
from weightlab.graph.median_orders import blocks, exact_search
from weightlab.graph.median_orders.blocks import Block, BlockProof, tilted
from weightlab.graph.median_orders.exact_search import order_cost
from weightlab.graph.median_orders.good_orders import good_order, improved_order, raised_bound
from weightlab.graph.median_orders.triangle_relaxation import CuttingPlanes, Triangles, finest_scale

LARGEST = 400
"""More models that are in cycles have too many pairs (80,000) for the program."""
WITHOUT_HOPE = 3.0
"""Without a limit, seconds spent on the order and the bound of models whose order cannot be proved."""
LARGE = 60
"""The program of more models starts from multipliers raised without it, and no search comes before the walks."""
SHARE_OF_BOUND, SHARE_OF_SEARCH = 0.7, 0.1
"""Parts of the time left for the bound and a search of what it leaves; the rest is for the solver's own search."""
SHARE_OF_PLACES = 0.7
"""Part of the time left, once a block's cost is proved, for how far its models go; the rest is for shared pairs."""


class _Relaxed(Frozen):
    """What the relaxation says of a block: a good order, a bound, and the open program of the models in cycles.

    There is no program where there is no cycle, and where these hold too many models.
    """

    order: AnyArray
    triangles: Triangles
    cyclic: AnyArray
    planes: CuttingPlanes | None


def least_order(net: AnyArray, deadline: float | None = None) -> list[Block]:
    """Return the blocks of the order that costs least, best first.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    deadline : float or None
        The ``time.monotonic()`` at which to stop. Blocks that are not proved by then, and those with more
        than ``LARGEST`` models in cycles, have ``BlockProof.NOTHING``.

    Returns
    -------
    list of Block
        Every model is in one.
    """
    parts = blocks.blocks_of(net)
    found = {id(one): _block(net[np.ix_(one, one)], one, deadline) for one in sorted(parts, key=len)}
    return [found[id(one)] for one in parts]


def _block(net: AnyArray, models: AnyArray, deadline: float | None) -> Block:
    relaxed = _relaxed(net, deadline)
    too_large = relaxed.planes is None and len(relaxed.cyclic) > 0
    if too_large or is_past(deadline):
        return _partly_known(net, models, relaxed, BlockProof.NOTHING)
    settled = _searched(net, relaxed, blocks.sure_pairs, deadline) if len(net) <= LARGE else None
    if settled is None:
        relaxed = _tightened(net, relaxed, deadline)
        settled = _searched(net, relaxed, blocks.sure_pairs, deadline)
    if settled is not None:
        return Block(models=models, means=BlockProof.SEARCH, triangles=relaxed.triangles, **vars(settled))
    # Too many orders may be of least cost: one of them, how far they go, what they share.
    order = _one_of_least_cost(net, relaxed, deadline)
    if order is None:
        known = _by_solver(net, models, relaxed, deadline)
    else:
        known = _partly_known(net, models, replace(relaxed, order=order), BlockProof.COST)
    if known.means is not BlockProof.NOTHING:
        known = _with_far_orders(net, known, part_of(deadline, SHARE_OF_PLACES))
    return _with_shared_pairs(net, known, deadline) if known.means is BlockProof.COST else known


def _relaxed(net: AnyArray, deadline: float | None, known: Triangles | None = None) -> _Relaxed:
    """Solve the relaxation of the models in cycles, nearly where these are too many, and look for a good order.

    The program starts from known triangles of these models; else, where it is large, from multipliers raised without.
    """
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Between components the pairs stand as their topological order has them; the relaxation settles those within.
    position = np.asarray(place[:, None] < place, dtype=np.float64)
    cyclic = np.flatnonzero(np.bincount(place)[place] > 1)
    square, scale, planes = np.ix_(cyclic, cyclic), finest_scale(net), None
    inside, triangles = net[square], Triangles.none(scale) if known is None else known.within(cyclic)
    if len(cyclic) > LARGEST and deadline is None:
        deadline = time.monotonic() + WITHOUT_HOPE
    early = part_of(deadline, SHARE_OF_BOUND)
    if len(cyclic) > (LARGE if known is None else LARGEST):
        order = improved_order(inside, np.argsort(-np.asarray(inside > 0).sum(axis=1), kind="stable"))
        triangles, position[square] = raised_bound(inside, order, scale, early), blocks.stands_above(order)
    if 0 < len(cyclic) <= LARGEST:
        planes = CuttingPlanes(inside, blocks.component_pairs(inside))
        planes.lower(triangles, early)
        triangles, position[square] = planes.proof(scale), planes.position
    triangles = triangles.among(cyclic)
    order = improved_order(net, np.argsort(-position.sum(axis=1), kind="stable"))
    bound, _ = triangles.bound_and_excess(net)
    order = good_order(net, order, -(-bound // scale), deadline)
    return _Relaxed(order=order, triangles=triangles, cyclic=cyclic, planes=planes)


def _tightened(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> _Relaxed:
    """Return the relaxation with odd walks where it has a program, as many as help to prove that none costs less.

    A new program that starts from the conditions that matter takes less time than the old one, whose rows are many.
    """
    if relaxed.planes is None:
        return relaxed
    cyclic, inside = relaxed.cyclic, net[np.ix_(relaxed.cyclic, relaxed.cyclic)]
    planes = CuttingPlanes(inside, blocks.component_pairs(inside))
    cost = order_cost(net, relaxed.order[np.isin(relaxed.order, cyclic)])
    planes.lower(relaxed.triangles.within(cyclic), part_of(deadline, SHARE_OF_BOUND), cost)
    return replace(relaxed, triangles=planes.proof(relaxed.triangles.scale).among(cyclic), planes=planes)


def _searched(
    net: AnyArray, relaxed: _Relaxed, given: Callable[[AnyArray], BoolArray], deadline: float | None
) -> exact_search.Optima | None:
    """Return the optimum, the given pairs standing so; None where the bound leaves more orders than can be searched."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    upper, few = order_cost(net, relaxed.order), len(net) <= exact_search.MOST_MODELS
    # Few models are settled for sure, so the search may take all the time.
    deadline, stands = deadline if few else part_of(deadline, SHARE_OF_SEARCH), given(net)
    # Costs are integers, so the bound may be rounded up. A small target leaves a small room and few orders, and
    # doubling steps need few searches: the first that finds an order within its target has found the least cost. All
    # sets of a few models are gone through whatever the target: once is enough.
    lower = target = -(-bound // relaxed.triangles.scale)
    settled = None
    while settled is None:
        try:
            settled = exact_search.optima_within(net, relaxed.triangles, min(target, upper), stands, deadline)
        except exact_search.TooManyIdealsError:
            return None
        target = upper if few else 2 * target - lower + 1
    return settled


def _one_of_least_cost(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> AnyArray | None:
    """Return an order of least cost, by the bound or by searching the strong components; None if neither suffices."""
    if relaxed.triangles.settle(net, order_cost(net, relaxed.order)):
        return relaxed.order
    settled = _searched(net, relaxed, blocks.component_pairs, deadline)
    return None if settled is None else settled.order


def _by_solver(net: AnyArray, models: AnyArray, relaxed: _Relaxed, deadline: float | None) -> Block:
    """Return the block of the order that a solver finds in the program as it stands, on its word."""
    planes, place = relaxed.planes, topological(np.asarray(net > 0, dtype=np.bool_))
    found = None if planes is None or planes.unit > 1 else planes.best_order(deadline)
    if found is None:
        return _partly_known(net, models, relaxed, BlockProof.NOTHING)
    # Sorted by component, the order costs no more, and those in cycles can be replaced by themselves.
    order = relaxed.order[np.argsort(place[relaxed.order], kind="stable")]
    order[np.isin(order, relaxed.cyclic)] = relaxed.cyclic[found]
    return _partly_known(net, models, replace(relaxed, order=order), BlockProof.SOLVER)


def _partly_known(net: AnyArray, models: AnyArray, relaxed: _Relaxed, means: BlockProof) -> Block:
    """Return the block of an order about which only what the bound settles is known."""
    order, triangles = relaxed.order, relaxed.triangles
    cost, place = order_cost(net, order), np.argsort(order)
    return Block(
        models=models,
        order=order,
        cost=cost,
        shared=exact_search.forced_pairs(net, triangles, cost, blocks.sure_pairs(net)),
        number=None,
        means=BlockProof.COST if triangles.settle(net, cost) else means,
        triangles=triangles,
        first=place,
        last=place,
    )


def _with_orders(block: Block, turned: Sequence[AnyArray]) -> Block:
    """Return a block with other orders of least cost, and the places that models take in them."""
    first, last = blocks.places_in(block.order, *turned)
    return replace(block, turned=tuple(turned), first=first, last=last)


def _with_far_orders(net: AnyArray, block: Block, deadline: float | None) -> Block:
    """Return a block with orders of least cost that take models far, and bounds that say that none goes farther.

    For each end that is open, winners first and then what is most open, costs are tilted towards orders that take the
    model farther. Local search finds one, or the relaxation does; and its multipliers, which bound the costs as they
    were just as well, say beyond which place the model is in no order of least cost. Each time half of what was open is
    closed, the orders that are left are searched: all is known once these are few enough.
    """
    count, cost, orders, ends = len(net), block.cost, [block.order], list[Triangles]()
    least, most = blocks.proved_ends(net, block)
    given_up, open_ends = np.zeros((count, 2), dtype=np.bool_), int((most - least).sum())
    while not is_past(deadline):
        first, last = blocks.places_in(*orders)
        left = np.column_stack([first - least, most - last])
        if left.sum() <= open_ends / 2:
            open_ends = int(left.sum())
            settled = _searched_within(net, block, ends, deadline)
            if settled is not None:
                return settled
        left = np.where(given_up, 0, left)
        left[least == 0, 0] *= count
        if not left.any():
            break
        model, side = np.unravel_index(left.argmax(), left.shape)
        turned = np.zeros(net.shape, dtype=np.bool_)
        turned[(slice(None), model) if side == 0 else (model, slice(None))] = True
        turned[model, model] = False
        costs = tilted(net, turned)
        near = min(orders, key=lambda order: order_cost(costs, order))
        found = improved_order(costs, near, deadline)
        if order_cost(costs, found) >= order_cost(costs, near):
            given_up[model, side] = True
            relaxed = _relaxed(costs, deadline, block.triangles)
            found, proof = relaxed.order, replace(relaxed.triangles, scale=relaxed.triangles.scale * count)
            closer = exact_search.places_within(net, proof, cost, block.shared)
            if (closer[0] > least).any() or (closer[1] < most).any():
                ends.append(proof)
                least, most = np.maximum(least, closer[0]), np.minimum(most, closer[1])
        if order_cost(net, found) == cost and order_cost(costs, found) < order_cost(costs, near):
            orders.append(found)
        else:
            given_up[model, side] = True
    return _with_orders(replace(block, ends=tuple(ends)), orders[1:])


def _searched_within(net: AnyArray, block: Block, ends: Sequence[Triangles], deadline: float | None) -> Block | None:
    """Return the block with all about its orders of least cost, if bounds leave few enough to search."""
    given = blocks.known_pairs(net, ends, block.cost)
    try:
        soon = part_of(deadline, SHARE_OF_SEARCH)
        settled = exact_search.optima_within(net, block.triangles, block.cost, given, soon)
    except exact_search.TooManyIdealsError:
        return None
    if settled is None:
        return None
    return replace(block, means=BlockProof.SEARCH, ends=tuple(ends), **vars(settled))


def _with_shared_pairs(net: AnyArray, block: Block, deadline: float | None) -> Block:
    """Return a block of proved cost with all pairs that its orders of least cost share, where there is time for it."""
    # Start by claiming what the least orders at hand share. Each tilted optimum either turns some claimed pairs, which
    # are struck off, or shows that no least order turns any of those left. At least one goes a round, so this ends.
    order, turned = block.order, list(block.turned)
    claimed = np.all([blocks.stands_above(one) for one in (order, *turned)], axis=0)
    while True:
        costs = tilted(net, claimed)
        relaxed = _relaxed(costs, deadline, block.triangles)
        best = _one_of_least_cost(costs, relaxed, deadline)
        if best is None:
            return _with_orders(block, turned)
        if order_cost(costs, best) == order_cost(costs, order):
            means = BlockProof.TILTED
            return _with_orders(replace(block, shared=claimed, means=means, triangles=relaxed.triangles), turned)
        claimed = claimed & blocks.stands_above(best)
        turned.append(best)
