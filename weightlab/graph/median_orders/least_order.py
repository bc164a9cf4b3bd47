"""The linear ordering program: the order of all models that costs least, proved.

Kemeny's rule, Slater's rule and minimum feedback arc sets are this one question. It is NP-hard; what makes real tables
easy is done first:

1. The models fall into blocks of which one beats the other wholly; each block is ordered by itself.
2. Within a block only the strongly connected components of the majorities cost anything.
3. For each of these the relaxation by triangles is solved, its rows added when they are violated. Where it is large its
   multipliers are raised step by step first: where it is too large, these steps are all.
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

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._solver import OpenProgram, Status, is_past, part_of, seconds_left
from weightlab.data.components import topological
from weightlab.graph.median_orders import branching, condensation
from weightlab.graph.median_orders.farthest import farthest_places
from weightlab.graph.median_orders.good_orders import good_order, improved_order, raised_bound
from weightlab.graph.median_orders.triangle_relaxation import (
    Pairs,
    Triangles,
    each_alone,
    finest_scale,
    relaxed_optimum,
    violated_triangles,
)

LARGEST_COMPONENT = 400
"""A strongly connected component of more models has too many pairs (80,000) for the program."""
WITHOUT_HOPE = 3.0
"""Without a limit so many seconds go into the order and the bound of models no order of which can be proved."""
LARGE_COMPONENT = 60
"""The program of more models starts from multipliers that are raised without it."""
SHARE_OF_BOUND, SHARE_OF_SEARCH = 0.7, 0.1
"""Parts of the time left for the bound and a search of what it leaves; the rest is for the solver's own search."""
SHARE_OF_PLACES = 0.7
"""Part of the time left, once a block's cost is proved, for how far its models go; the rest is for shared pairs."""


class _Component(Frozen):
    """What the relaxation says of a strong component: its models' places, a bound, and the open program if any."""

    members: AnyArray
    triangles: Triangles
    program: OpenProgram | None


class _Relaxed(Frozen):
    """What the relaxation says of a block.

    ``order`` is a good order, ``triangles`` prove a bound, ``components`` are those of more than one model;
    ``too_large`` where one of them has no program.
    """

    order: AnyArray
    triangles: Triangles
    components: list[_Component]
    too_large: bool


def least_order(net: AnyArray, deadline: float | None = None, *, cost_alone: bool = False) -> list[condensation.Block]:
    """Return the blocks of the order that costs least, best first.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    deadline : float or None
        The ``time.monotonic()`` at which to stop. Blocks that are not proved by then, and those with a component of
        more than ``LARGEST_COMPONENT`` models, have ``BlockProof.NOTHING``.
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
    net: AnyArray, blocks: list[condensation.Block], deadline: float | None
) -> tuple[list[condensation.Block], dict[int, tuple[condensation.Block, ...]]]:
    """Return the blocks with orders that put first whoever may be, and for others the least order of all but them.

    A full search knows who is first in some order of least cost. Elsewhere, for each model that is not first in any
    order at hand and that nothing else keeps from being so, the best order of the rest of the block says what it costs
    to put it first. Those for whom time did not suffice are among neither.
    """
    best = blocks[0] if blocks else None
    beaten: dict[int, tuple[condensation.Block, ...]] = {}
    if best is None or best.means in (condensation.BlockProof.SEARCH, condensation.BlockProof.NOTHING):
        return blocks, beaten
    inside, turned = net[np.ix_(best.models, best.models)], list(best.turned)
    for one in np.flatnonzero((best.least == 0) & (best.first > 0)).tolist():
        rest = np.delete(np.arange(len(best.models)), one)
        parts = least_order(inside[np.ix_(rest, rest)], deadline, cost_alone=True)
        if any(part.means is condensation.BlockProof.NOTHING for part in parts):
            continue
        order = np.append(one, [rest[place] for part in parts for place in part.models[part.order]])
        if branching.order_cost(inside, order) == best.cost:
            turned.append(order)
        else:
            beaten[int(best.models[one])] = tuple(
                replace(part, models=best.models[rest[part.models]]) for part in parts
            )
    return [_with_orders(inside, best, turned), *blocks[1:]], beaten


def _block(net: AnyArray, models: AnyArray, deadline: float | None, cost_alone: bool) -> condensation.Block:  # noqa: FBT001
    relaxed = _relaxed(net, deadline)
    if relaxed.too_large or is_past(deadline):
        return _partly_known(net, models, relaxed.order, relaxed.triangles, condensation.BlockProof.NOTHING)
    # Of many models a search that fails takes longer than the walks without which it would fail.
    tight = len(net) > LARGE_COMPONENT
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
) -> condensation.Block:
    return condensation.Block(
        models=models,
        order=settled.order,
        cost=settled.cost,
        shared=settled.shared,
        number=settled.number,
        means=condensation.BlockProof.SEARCH,
        triangles=triangles,
        first=settled.first,
        last=settled.last,
        ends=ends,
        least=settled.first,
        most=settled.last,
    )


def _relaxed(net: AnyArray, deadline: float | None) -> _Relaxed:
    """Solve the relaxation of every strong component, of one that is too large nearly, and look for a good order."""
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Between components the pairs stand as their topological order has them; the relaxation fills the squares within.
    position = np.asarray(place[:, None] < place, dtype=np.float64)
    sizes = np.bincount(place)
    scale = finest_scale(net)
    too_large = int(sizes.max()) > LARGEST_COMPONENT
    if too_large and deadline is None:
        deadline = time.monotonic() + WITHOUT_HOPE
    early = part_of(deadline, SHARE_OF_BOUND)
    proofs, components = [Triangles.none(scale)], []
    # Two models are no cycle: components of one are settled, and there are none of two. Small ones come first, so that
    # they do not wait for a large one until the time is over; so do small blocks.
    for one in sorted(np.flatnonzero(sizes > 2), key=lambda one: sizes[one]):
        members = np.flatnonzero(place == one)
        square = np.ix_(members, members)
        position[square], triangles, program = _relaxed_component(net[square], scale, early)
        proofs.append(triangles.among(members))
        components.append(_Component(members=members, triangles=triangles, program=program))
    triangles = Triangles.joined(proofs)
    bound, _ = triangles.bound_and_excess(net)
    order = improved_order(net, np.argsort(-position.sum(axis=1), kind="stable"))
    order = good_order(net, order, -(-bound // scale), deadline)
    return _Relaxed(order=order, triangles=triangles, components=components, too_large=too_large)


def _relaxed_component(
    net: AnyArray, scale: int, deadline: float | None
) -> tuple[FloatArray, Triangles, OpenProgram | None]:
    if len(net) <= LARGE_COMPONENT:
        return relaxed_optimum(net, scale, deadline)
    order = improved_order(net, np.argsort(-np.asarray(net > 0).sum(axis=1), kind="stable"))
    triangles = raised_bound(net, order, scale, deadline)
    if len(net) <= LARGEST_COMPONENT:
        return relaxed_optimum(net, scale, deadline, triangles)
    return condensation.stands_above(order).astype(np.float64), triangles, None


def _tightened(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> _Relaxed:
    """Return the relaxation with odd walks where it has a program, as many as help to prove that none costs less."""
    early = part_of(deadline, SHARE_OF_BOUND)
    components = []
    for one in relaxed.components:
        if one.program is None:
            components.append(one)
            continue
        inside = net[np.ix_(one.members, one.members)]
        order = np.searchsorted(one.members, relaxed.order[np.isin(relaxed.order, one.members)])
        cost = branching.order_cost(inside, order)
        _, triangles, program = relaxed_optimum(inside, one.triangles.scale, early, one.triangles, cost)
        components.append(_Component(members=one.members, triangles=triangles, program=program))
    proofs = [Triangles.none(relaxed.triangles.scale), *(one.triangles.among(one.members) for one in components)]
    return replace(relaxed, triangles=Triangles.joined(proofs), components=components)


def _searched(
    net: AnyArray, relaxed: _Relaxed, given: Callable[[AnyArray], BoolArray], deadline: float | None
) -> branching.Optima | None:
    """Return the optimum, the given pairs standing so; None where the bound leaves more orders than can be searched."""
    try:
        return _search(net, relaxed, given(net), deadline)
    except branching.TooManyIdealsError:
        return None


def _search(net: AnyArray, relaxed: _Relaxed, given: BoolArray, deadline: float | None) -> branching.Optima:
    """Return the optimum, the target growing from the bound to the cost of the order at hand."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    upper = branching.order_cost(net, relaxed.order)
    # Few models are settled for sure, so the search may take all the time.
    deadline = deadline if len(net) <= branching.MOST_MODELS else part_of(deadline, SHARE_OF_SEARCH)
    # Costs are integers, so the bound may be rounded up.
    lower = target = -(-bound // relaxed.triangles.scale)
    # A small target leaves a small room and few orders, and doubling steps need few searches. The first that finds an
    # order within its target has found the least cost.
    while True:
        settled = branching.optima_within(net, relaxed.triangles, min(target, upper), given, deadline)
        if settled is not None:
            return settled
        if target >= upper:
            raise AssertionError("an order exceeds its own cost")  # pragma: no cover - it is within the target
        # All sets of a few models are gone through whatever the target: once is enough.
        target = upper if len(net) <= branching.MOST_MODELS else 2 * target - lower + 1


def _without_full_search(
    net: AnyArray,
    models: AnyArray,
    relaxed: _Relaxed,
    deadline: float | None,
    cost_alone: bool,  # noqa: FBT001
) -> condensation.Block:
    """Return the block where too many orders may be of least cost: one of them, how far they go, what they share."""
    order = _one_of_least_cost(net, relaxed, deadline)
    known = (
        _by_solver(net, models, relaxed, deadline)
        if order is None
        else _partly_known(net, models, order, relaxed.triangles, condensation.BlockProof.COST)
    )
    if cost_alone or known.means is condensation.BlockProof.NOTHING:
        return known
    far = farthest_places(net, known.order, relaxed.triangles, part_of(deadline, SHARE_OF_PLACES))
    if far.settled is not None:
        return _fully_known(models, far.settled, relaxed.triangles, far.proofs)
    known = _with_orders(net, replace(known, ends=far.proofs), far.orders[1:])
    return known if order is None else _with_shared_pairs(net, known, deadline)


def _with_shared_pairs(net: AnyArray, block: condensation.Block, deadline: float | None) -> condensation.Block:
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
            means = condensation.BlockProof.TILTED
            found = replace(block, shared=claimed, means=means, triangles=relaxed.triangles)
            return _with_orders(net, found, turned)
        claimed = claimed & condensation.stands_above(best)
        turned.append(best)


def _one_of_least_cost(net: AnyArray, relaxed: _Relaxed, deadline: float | None) -> AnyArray | None:
    """Return an order of least cost, by the bound or by searching the strong components; None if neither will do."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    if bound > (branching.order_cost(net, relaxed.order) - 1) * relaxed.triangles.scale:
        return relaxed.order
    settled = _searched(net, relaxed, condensation.component_pairs, deadline)
    return None if settled is None else settled.order


def _by_solver(net: AnyArray, models: AnyArray, relaxed: _Relaxed, deadline: float | None) -> condensation.Block:
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Sorted by component, the order costs no more, and each component is one stretch that can be replaced by itself.
    order = relaxed.order[np.argsort(place[relaxed.order], kind="stable")]  # component after component
    proved = True
    for one in relaxed.components:
        members, program = one.members, one.program
        inside = np.isin(order, members)
        start = np.searchsorted(members, order[inside])
        if program is None:
            proved = False
            continue
        found = by_integers(program, len(members), deadline)
        proved &= found is not None
        order[inside] = members[start if found is None else found]
    means = condensation.BlockProof.SOLVER if proved else condensation.BlockProof.NOTHING
    return _partly_known(net, models, order, relaxed.triangles, means)


def by_integers(program: OpenProgram, count: int, deadline: float | None) -> AnyArray | None:
    """Return an order of least cost, best first, by the solver's branch and bound; None where it found none in time."""
    pairs = Pairs(count)
    program.make_integral()
    while True:
        solution = program.solve(seconds_left(deadline))
        if solution.status is not Status.OPTIMAL or solution.x is None:
            return None
        position = pairs.square(np.rint(solution.x))
        # A point of integers without a violated triangle is an order.
        fresh = each_alone(violated_triangles(position))
        if not len(fresh[1]):
            return np.argsort(-position.sum(axis=1), kind="stable")
        program.add_rows(pairs.rows(*fresh))


def _partly_known(
    net: AnyArray, models: AnyArray, order: AnyArray, triangles: Triangles, means: condensation.BlockProof
) -> condensation.Block:
    """Return the block of an order of which no more is known than what the bound settles."""
    cost = branching.order_cost(net, order)
    bound, _ = triangles.bound_and_excess(net)
    if bound > (cost - 1) * triangles.scale:
        means = condensation.BlockProof.COST
    place = np.argsort(order)
    shared = branching.forced_pairs(net, triangles, cost, condensation.sure_pairs(net))
    return condensation.Block(
        models=models,
        order=order,
        cost=cost,
        shared=shared,
        number=None,
        means=means,
        triangles=triangles,
        first=place,
        last=place,
        least=shared.sum(axis=0),
        most=len(order) - 1 - shared.sum(axis=1),
    )


def _with_orders(net: AnyArray, block: condensation.Block, turned: Sequence[AnyArray]) -> condensation.Block:
    """Return a block with other orders of least cost, and the places that they and its proofs say."""
    first, last = condensation.places_in(block.order, *turned)
    least, most = condensation.proved_ends(net, block)
    return replace(block, turned=tuple(turned), first=first, last=last, least=least, most=most)
