"""The linear ordering program: the order of all models that costs least, proved.

Kemeny's rule, Slater's rule and minimum feedback arc sets are this one question. It is NP-hard; what makes real tables
easy is done first:

1. The models fall into blocks, each of which beats all later ones wholly; each block is ordered by itself.
2. Within a block only the strongly connected components of the majorities cost anything.
3. For the models in these the relaxation by triangles is solved, its rows added when they are violated. Where it is
   large its multipliers are raised step by step first: where it is too large, these steps are all.
4. Its multipliers give a bound that is re-checked in integers. A pair that would cost more than the room between
   bound and target is settled, and the orders that are left are searched exactly.
5. Where these are too many, odd walks of triangles are added to the program, which raise the bound; and the orders
   that are left then are searched.
6. Only where these are still too many does the solver search by itself, and then the proof relies on its bound.
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
from weightlab.graph.median_orders import branching, condensation
from weightlab.graph.median_orders.condensation import Block, BlockProof
from weightlab.graph.median_orders.farthest import Farthest
from weightlab.graph.median_orders.good_orders import good_order, improved_order, raised_bound
from weightlab.graph.median_orders.triangle_relaxation import CuttingPlanes, Triangles, finest_scale

LARGEST = 400
"""More models that are in cycles have too many pairs (80,000) for the program."""
WITHOUT_HOPE = 3.0
"""Without a limit, seconds spent on the order and the bound of models whose order cannot be proved."""
LARGE = 60
"""The program of more models starts from multipliers that are raised without it."""
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

    @property
    def too_large(self) -> bool:
        """Whether there is no program for the cycles that there are."""
        return self.planes is None and len(self.cyclic) > 0

    def proving(self, net: AnyArray, triangles: Triangles) -> _Relaxed:
        """Return this with other triangles, those of the models in cycles, if they prove more."""
        both = (triangles.among(self.cyclic), self.triangles)
        return replace(self, triangles=max(both, key=lambda one: one.bound_and_excess(net)[0]))


def least_order(net: AnyArray, deadline: float | None = None, *, cost_alone: bool = False) -> list[Block]:
    """Return the blocks of the order that costs least, best first.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    deadline : float or None
        The ``time.monotonic()`` at which to stop. Blocks that are not proved by then, and those with more
        than ``LARGEST`` models in cycles, have ``BlockProof.NOTHING``.
    cost_alone : bool
        Do not look, where the search is not full, for what else is true of the orders of least cost.

    Returns
    -------
    list of Block
        Every model is in one.
    """
    parts = condensation.blocks_of(net)
    found = {id(one): _block(net[np.ix_(one, one)], one, deadline, cost_alone) for one in sorted(parts, key=len)}
    return [found[id(one)] for one in parts]


def with_first_places(
    net: AnyArray, blocks: list[Block], deadline: float | None
) -> tuple[list[Block], dict[int, tuple[Block, ...]]]:
    """Return the blocks with orders that put first whoever may be, and for others the least order of all but them.

    A full search knows who is first in some order of least cost. Elsewhere, for each model that is not first in any
    order at hand and that nothing else keeps from being so, the best order of the rest of the block says what it costs
    to put it first. Those for whom time did not suffice are among neither.
    """
    best = blocks[0] if blocks else None
    beaten: dict[int, tuple[Block, ...]] = {}
    if best is None or best.means in (BlockProof.SEARCH, BlockProof.NOTHING):
        return blocks, beaten
    inside, turned = net[np.ix_(best.models, best.models)], list(best.turned)
    for one in np.flatnonzero((best.least == 0) & (best.first > 0)).tolist():
        rest = np.delete(np.arange(len(best.models)), one)
        parts = least_order(inside[np.ix_(rest, rest)], deadline, cost_alone=True)
        if any(part.means is BlockProof.NOTHING for part in parts):
            continue
        order = np.append(one, [rest[place] for part in parts for place in part.models[part.order]])
        if branching.order_cost(inside, order) == best.cost:
            turned.append(order)
        else:
            beaten[int(best.models[one])] = tuple(
                replace(part, models=best.models[rest[part.models]]) for part in parts
            )
    return [_with_orders(inside, best, turned), *blocks[1:]], beaten


def _block(net: AnyArray, models: AnyArray, deadline: float | None, cost_alone: bool) -> Block:  # noqa: FBT001
    relaxed = _relaxed(net, deadline)
    if relaxed.too_large or is_past(deadline):
        return _partly_known(net, models, relaxed.order, relaxed.triangles, BlockProof.NOTHING)
    # Of many models a search that fails takes longer than the walks without which it would fail.
    tight = len(net) > LARGE
    relaxed = _tightened(net, relaxed, deadline) if tight else relaxed
    settled = _searched(net, relaxed, condensation.sure_pairs, deadline)
    if settled is None and not tight:
        relaxed = _tightened(net, relaxed, deadline)
        settled = _searched(net, relaxed, condensation.sure_pairs, deadline)
    if settled is None:
        return _without_full_search(net, models, relaxed, deadline, cost_alone)
    return _fully_known(models, settled, relaxed.triangles)


def _fully_known(
    models: AnyArray, settled: branching.Optima, triangles: Triangles, ends: tuple[Triangles, ...] = ()
) -> Block:
    means, least, most = BlockProof.SEARCH, settled.first, settled.last
    return Block(models=models, means=means, triangles=triangles, ends=ends, least=least, most=most, **vars(settled))


def _relaxed(net: AnyArray, deadline: float | None) -> _Relaxed:
    """Solve the relaxation of the models in cycles, nearly where these are too many, and look for a good order."""
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Between components the pairs stand as their topological order has them; the relaxation settles those within.
    position = np.asarray(place[:, None] < place, dtype=np.float64)
    cyclic = np.flatnonzero(np.bincount(place)[place] > 1)
    too_large, scale, planes = len(cyclic) > LARGEST, finest_scale(net), None
    if too_large and deadline is None:
        deadline = time.monotonic() + WITHOUT_HOPE
    early, square = part_of(deadline, SHARE_OF_BOUND), np.ix_(cyclic, cyclic)
    relaxed = _Relaxed(order=place, triangles=Triangles.none(scale), cyclic=cyclic, planes=None)
    inside = net[square]
    if len(cyclic) > LARGE:
        order = improved_order(inside, np.argsort(-np.asarray(inside > 0).sum(axis=1), kind="stable"))
        relaxed = relaxed.proving(net, raised_bound(inside, order, scale, early))
        position[square] = condensation.stands_above(order)
    if len(cyclic) and not too_large:
        planes = _planes_of(net, cyclic)
        planes.lower(early, relaxed.triangles.within(cyclic))
        relaxed = relaxed.proving(net, planes.proof(scale))
        position[square] = planes.position
    order = improved_order(net, np.argsort(-position.sum(axis=1), kind="stable"))
    bound, _ = relaxed.triangles.bound_and_excess(net)
    return replace(relaxed, order=good_order(net, order, -(-bound // scale), deadline), planes=planes)


def _tightened(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> _Relaxed:
    """Return the relaxation with odd walks where it has a program, as many as help to prove that none costs less."""
    if relaxed.planes is None:
        return relaxed
    cyclic, planes = relaxed.cyclic, _planes_of(net, relaxed.cyclic)
    cost = branching.order_cost(net, relaxed.order[np.isin(relaxed.order, cyclic)])
    planes.lower(part_of(deadline, SHARE_OF_BOUND), relaxed.triangles.within(cyclic), cost)
    return replace(relaxed.proving(net, planes.proof(relaxed.triangles.scale)), planes=planes)


def _planes_of(net: AnyArray, cyclic: AnyArray) -> CuttingPlanes:
    """Open the program of the models in cycles."""
    inside = net[np.ix_(cyclic, cyclic)]
    return CuttingPlanes(inside, condensation.component_pairs(inside))


def _searched(
    net: AnyArray, relaxed: _Relaxed, given: Callable[[AnyArray], BoolArray], deadline: float | None
) -> branching.Optima | None:
    """Return the optimum, the given pairs standing so; None where the bound leaves more orders than can be searched."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    upper, few = branching.order_cost(net, relaxed.order), len(net) <= branching.MOST_MODELS
    # Few models are settled for sure, so the search may take all the time.
    deadline, stands = deadline if few else part_of(deadline, SHARE_OF_SEARCH), given(net)
    # Costs are integers, so the bound may be rounded up. A small target leaves a small room and few orders, and
    # doubling steps need few searches: the first that finds an order within its target has found the least cost. All
    # sets of a few models are gone through whatever the target: once is enough.
    lower = target = -(-bound // relaxed.triangles.scale)
    settled = None
    while settled is None:
        try:
            settled = branching.optima_within(net, relaxed.triangles, min(target, upper), stands, deadline)
        except branching.TooManyIdealsError:
            return None
        target = upper if few else 2 * target - lower + 1
    return settled


def _without_full_search(
    net: AnyArray,
    models: AnyArray,
    relaxed: _Relaxed,
    deadline: float | None,
    cost_alone: bool,  # noqa: FBT001
) -> Block:
    """Return the block where too many orders may be of least cost: one of them, how far they go, what they share."""
    order = _one_of_least_cost(net, relaxed, deadline)
    if order is None:
        known = _by_solver(net, models, relaxed, deadline)
    else:
        known = _partly_known(net, models, order, relaxed.triangles, BlockProof.COST)
    if cost_alone or known.means is BlockProof.NOTHING:
        return known
    far = Farthest(net, known.order, relaxed.triangles, part_of(deadline, SHARE_OF_PLACES))
    if far.settled is not None:
        return _fully_known(models, far.settled, relaxed.triangles, tuple(far.proofs))
    known = _with_orders(net, replace(known, ends=tuple(far.proofs)), far.orders[1:])
    return known if order is None else _with_shared_pairs(net, known, deadline)


def _with_shared_pairs(net: AnyArray, block: Block, deadline: float | None) -> Block:
    """Return a block of proved cost with all pairs that its orders of least cost share, where there is time for it."""
    # Start by claiming what the least orders at hand share. Each tilted optimum either turns some claimed pairs, which
    # are struck off, or shows that no least order turns any of those left. At least one goes a round, so this ends.
    order, turned = block.order, list(block.turned)
    claimed = condensation.stands_above(order)
    for other in turned:
        claimed &= condensation.stands_above(other)
    while True:
        costs = condensation.tilted(net, claimed)
        relaxed = _relaxed(costs, deadline)
        best = _one_of_least_cost(costs, relaxed, deadline)
        if best is None:
            return _with_orders(net, block, turned)
        if branching.order_cost(costs, best) == branching.order_cost(costs, order):
            means = BlockProof.TILTED
            found = replace(block, shared=claimed, means=means, triangles=relaxed.triangles)
            return _with_orders(net, found, turned)
        claimed = claimed & condensation.stands_above(best)
        turned.append(best)


def _one_of_least_cost(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> AnyArray | None:
    """Return an order of least cost, by the bound or by searching the strong components; None if neither suffices."""
    if relaxed.triangles.settle(net, branching.order_cost(net, relaxed.order)):
        return relaxed.order
    settled = _searched(net, relaxed, condensation.component_pairs, deadline)
    return None if settled is None else settled.order


def _by_solver(net: AnyArray, models: AnyArray, relaxed: _Relaxed, deadline: float | None) -> Block:
    place, planes = topological(np.asarray(net > 0, dtype=np.bool_)), relaxed.planes
    # Sorted by component, the order costs no more, and those in cycles can be replaced by themselves.
    order = relaxed.order[np.argsort(place[relaxed.order], kind="stable")]  # component after component
    found = None if planes is None or planes.unit > 1 else planes.best_order(deadline)
    if found is not None:
        order[np.isin(order, relaxed.cyclic)] = relaxed.cyclic[found]
    means = BlockProof.NOTHING if found is None else BlockProof.SOLVER
    return _partly_known(net, models, order, relaxed.triangles, means)


def _partly_known(net: AnyArray, models: AnyArray, order: AnyArray, triangles: Triangles, means: BlockProof) -> Block:
    """Return the block of an order about which only what the bound settles is known."""
    cost, place = branching.order_cost(net, order), np.argsort(order)
    shared = branching.forced_pairs(net, triangles, cost, condensation.sure_pairs(net))
    return Block(
        models=models,
        order=order,
        cost=cost,
        shared=shared,
        number=None,
        means=BlockProof.COST if triangles.settle(net, cost) else means,
        triangles=triangles,
        first=place,
        last=place,
        least=shared.sum(axis=0),
        most=len(order) - 1 - shared.sum(axis=1),
    )


def _with_orders(net: AnyArray, block: Block, turned: Sequence[AnyArray]) -> Block:
    """Return a block with other orders of least cost, and the places that they and its proofs say."""
    first, last = condensation.places_in(block.order, *turned)
    least, most = condensation.proved_ends(net, block)
    return replace(block, turned=tuple(turned), first=first, last=last, least=least, most=most)
