"""The linear ordering program: the order of all models that costs least, proved.

Kemeny's rule, Slater's rule and minimum feedback arc sets are this one question. It is NP-hard; what makes real tables
easy is done first:

1. The models fall into blocks of which one beats the other wholly; each block is ordered by itself.
2. Within a block only the strongly connected components of the majorities cost anything.
3. For each of these the relaxation by triangles is solved, its rows added when they are violated.
4. Its multipliers give a bound that is re-checked in integers. A pair that would cost more than the room between bound
   and target is settled, and the orders that are left are searched exactly.
5. Only where these are too many is integrality demanded of the solver, whose bound is then what the proof relies on.
"""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, BoolArray
from weightlab._result import Frozen
from weightlab._solver import OpenProgram, is_past
from weightlab.graph.median_orders import branching, condensation
from weightlab.graph.median_orders.triangle_relaxation import Triangles, finest_scale, integral_optimum, relaxed_optimum
from weightlab.graph.paths import topological

LARGEST_COMPONENT = 400
"""A strongly connected component of more models has too many pairs (80,000) for the program."""


class _Relaxed(Frozen):
    """What the relaxation says of a block.

    ``order`` is a good order, ``triangles`` prove a bound, ``components`` are the strong components (places of their
    models) with their open programs.
    """

    order: AnyArray
    triangles: Triangles
    components: list[tuple[AnyArray, OpenProgram | None]]


def least_order(net: AnyArray, deadline: float | None = None) -> list[condensation.Block]:
    """Return the blocks of the order that costs least, best first.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    deadline : float or None
        The ``time.monotonic()`` at which to stop. Blocks that are not proved by then, and those with a component of
        more than ``LARGEST_COMPONENT`` models, have ``BlockProof.NOTHING``.

    Returns
    -------
    list of Block
        Every model is in one.
    """
    return [_block(net[np.ix_(models, models)], models, deadline) for models in condensation.blocks_of(net)]


def _block(net: AnyArray, models: AnyArray, deadline: float | None) -> condensation.Block:
    relaxed = _relaxed(net, deadline)
    if relaxed is None:
        order = improved_order(net, np.argsort(-np.asarray(net > 0).sum(axis=1), kind="stable"))
        return _partly_known(net, models, order, Triangles.none(), condensation.BlockProof.NOTHING)
    if is_past(deadline):
        return _partly_known(net, models, relaxed.order, relaxed.triangles, condensation.BlockProof.NOTHING)
    try:
        settled = _search(net, relaxed, condensation.sure_pairs(net))
    except branching.TooManyIdealsError:
        return _without_full_search(net, models, relaxed, deadline)
    return condensation.Block(
        models=models,
        order=settled.order,
        cost=settled.cost,
        shared=settled.shared,
        number=settled.number,
        means=condensation.BlockProof.SEARCH,
        triangles=relaxed.triangles,
    )


def _relaxed(net: AnyArray, deadline: float | None) -> _Relaxed | None:
    """Solve the relaxation of every strong component; None where one is too large."""
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Between components the pairs stand as their topological order has them; the relaxation fills the squares within.
    position = np.asarray(place[:, None] < place, dtype=np.float64)
    sizes = np.bincount(place)
    if sizes.max() > LARGEST_COMPONENT:
        return None
    scale = finest_scale(net)
    proofs, components = [Triangles.none(scale)], []
    # Two models are no cycle: components of one are settled, and there are none of two.
    for one in np.flatnonzero(sizes > 2):
        members = np.flatnonzero(place == one)
        square = np.ix_(members, members)
        position[square], triangles, program = relaxed_optimum(net[square], scale, deadline)
        proofs.append(triangles.among(members))
        components.append((members, program))
    order = improved_order(net, np.argsort(-position.sum(axis=1), kind="stable"))
    return _Relaxed(order=order, triangles=Triangles.joined(proofs), components=components)


def _search(net: AnyArray, relaxed: _Relaxed, given: BoolArray) -> branching.OptimaWithin:
    """Return the optimum, the target growing from the bound to the cost of the order at hand."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    upper = branching.order_cost(net, relaxed.order)
    # Costs are integers, so the bound may be rounded up.
    lower = target = -(-bound // relaxed.triangles.scale)
    # A small target leaves a small room and few orders, and doubling steps need few searches. The first that finds an
    # order within its target has found the least cost.
    while True:
        settled = branching.optima_within(net, relaxed.triangles, min(target, upper), given)
        if settled is not None:
            return settled
        if target >= upper:
            raise AssertionError("an order exceeds its own cost")  # pragma: no cover - it is within the target
        target += target - lower + 1


def _without_full_search(
    net: AnyArray, models: AnyArray, relaxed: _Relaxed, deadline: float | None
) -> condensation.Block:
    """Return the block where too many orders may be of least cost: first one of them, then what they share."""
    order = _one_of_least_cost(net, relaxed)
    if order is None:
        return _by_solver(net, models, relaxed, deadline)
    # Start by claiming all pairs of one least order. Each tilted optimum either turns some claimed pairs, which are
    # struck off, or shows that no least order turns any of those left. At least one goes a round, so this ends.
    claimed = condensation.stands_above(order)
    turned: list[AnyArray] = []
    while True:
        costs = condensation.tilted(net, claimed)
        tilted_relaxed = _relaxed(costs, deadline)
        best = None if tilted_relaxed is None else _one_of_least_cost(costs, tilted_relaxed)
        if tilted_relaxed is None or best is None:
            return _partly_known(net, models, order, relaxed.triangles, condensation.BlockProof.COST)
        if branching.order_cost(costs, best) == branching.order_cost(costs, order):
            return condensation.Block(
                models=models,
                order=order,
                cost=branching.order_cost(net, order),
                shared=claimed,
                number=None,
                means=condensation.BlockProof.TILTED,
                triangles=tilted_relaxed.triangles,
                turned=tuple(turned),
            )
        claimed = claimed & condensation.stands_above(best)
        turned.append(best)


def _one_of_least_cost(net: AnyArray, relaxed: _Relaxed) -> AnyArray | None:
    """Return an order of least cost, by the bound or by searching the strong components; None if neither will do."""
    bound, _ = relaxed.triangles.bound_and_excess(net)
    if bound > (branching.order_cost(net, relaxed.order) - 1) * relaxed.triangles.scale:
        return relaxed.order
    try:
        return _search(net, relaxed, condensation.component_pairs(net)).order
    except branching.TooManyIdealsError:
        return None


def _by_solver(net: AnyArray, models: AnyArray, relaxed: _Relaxed, deadline: float | None) -> condensation.Block:
    place = topological(np.asarray(net > 0, dtype=np.bool_))
    # Sorted by component, the order costs no more, and each component is one stretch that can be replaced by itself.
    order = relaxed.order[np.argsort(place[relaxed.order], kind="stable")]  # component after component
    for members, program in relaxed.components:
        inside = np.isin(order, members)
        start = np.searchsorted(members, order[inside])
        found = None if program is None else integral_optimum(program, start, deadline)
        if found is None:
            return _partly_known(net, models, relaxed.order, relaxed.triangles, condensation.BlockProof.NOTHING)
        order[inside] = members[found]
    means = condensation.BlockProof.SOLVER
    bound, _ = relaxed.triangles.bound_and_excess(net)
    if bound > (branching.order_cost(net, order) - 1) * relaxed.triangles.scale:
        means = condensation.BlockProof.COST
    return _partly_known(net, models, order, relaxed.triangles, means)


def _partly_known(
    net: AnyArray, models: AnyArray, order: AnyArray, triangles: Triangles, means: condensation.BlockProof
) -> condensation.Block:
    """Return the block of an order of which no more is known than what the bound settles."""
    cost = branching.order_cost(net, order)
    return condensation.Block(
        models=models,
        order=order,
        cost=cost,
        shared=branching.forced_pairs(net, triangles, cost, condensation.sure_pairs(net)),
        number=None,
        means=means,
        triangles=triangles,
    )


# Local search for a good order: each model in turn moves to where it costs least.


def improved_order(net: AnyArray, order: AnyArray) -> AnyArray:
    """Return an order, best first, that no move of a single model betters.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    order : ndarray of int
        Where to start. The result costs no more.

    Notes
    -----
    A pass over the models takes O(n^2); every move gains at least one.
    """
    listed = [int(one) for one in order]
    moved = True
    while moved:
        moved = False
        for model in list(listed):
            place = listed.index(model)
            rest = listed[:place] + listed[place + 1 :]
            best = _best_place(net[model][rest])
            if best[1] > best[0][place]:
                rest.insert(int(np.argmax(best[0])), model)
                listed, moved = rest, True
    return np.array(listed, dtype=np.int64)


def _best_place(gains: AnyArray) -> tuple[AnyArray, int]:
    """Return the worth of each place that a model can take among the others, and the greatest."""
    # ``before[p]``: what the model wins over the first p others. At place p it stands below these and above the rest,
    # so it gains ``before[-1] - before[p]`` and forgoes ``before[p]``.
    before = np.append(0, np.cumsum(gains))
    worth = before[-1] - 2 * before
    return worth, int(worth.max())
