"""Branch and bound: where the relaxation leaves too many orders, pairs are settled one after the other."""

from __future__ import annotations

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Frozen
from weightlab._solver import OpenProgram, Status, seconds_left
from weightlab.graph.median_orders.branching import order_cost, transitive_closure
from weightlab.graph.median_orders.local_search import improved_order
from weightlab.graph.median_orders.triangle_relaxation import SATISFIED, Pairs, each_alone, violated_triangles


class _Node(Frozen):
    """The relaxation where some pairs are settled.

    ``position`` is a point that costs ``value``, and ``settled`` the pairs that every order keeps that costs less than
    the best one known.
    """

    settled: BoolArray
    position: FloatArray
    value: float


class _OutOfTimeError(Exception):
    """The solver has no answer, by the deadline or at all."""


def least_by_branching(
    net: AnyArray, program: OpenProgram, order: AnyArray, deadline: float | None
) -> tuple[AnyArray, bool]:
    """Return the best order, best first, and whether it is one of least cost on the solver's word.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    program : OpenProgram
        The relaxation with the triangles that it needed; whatever others are violated are added.
    order : ndarray of int
        The places of an order to start from.
    deadline : float or None
        The ``time.monotonic()`` at which to give up.

    Notes
    -----
    Depth first. One program stays open: from node to node only bounds of its columns change, so that the simplex method
    starts from where it stands. Reduced costs and transitivity settle further pairs in each node.
    """
    best, cost = order, order_cost(net, order)
    waiting = [np.zeros(net.shape, dtype=np.bool_)]
    try:
        while waiting:
            node = _relaxed_node(net, program, waiting.pop(), cost - 1, deadline)
            if node is None:
                continue
            found = improved_order(net, np.argsort(-node.position.sum(axis=1), kind="stable"))
            if order_cost(net, found) < cost:
                best, cost = found, order_cost(net, found)
            # An integral point without a violated triangle is an order, and the best one here.
            open_share = np.minimum(node.position, node.position.T)
            if open_share.max() > SATISFIED:
                waiting += _branches(net, node, open_share)
            elif cost > node.value + 0.5:
                return best, False
    except _OutOfTimeError:
        return best, False
    return best, True


def _relaxed_node(
    net: AnyArray, program: OpenProgram, settled: BoolArray, target: int, deadline: float | None
) -> _Node | None:
    """Return the relaxation where these pairs are settled, or None where no order is within the target."""
    pairs = Pairs(len(net))
    constant = int(np.maximum(net, 0)[pairs.above].sum())
    while True:
        lower, upper = settled[pairs.above], ~settled.T[pairs.above]
        program.confine(lower.astype(np.float64), upper.astype(np.float64))
        solution = program.solve(seconds_left(deadline))
        if solution.status is Status.INFEASIBLE:
            return None
        if solution.status is not Status.OPTIMAL or solution.x is None:
            raise _OutOfTimeError
        value = solution.value + constant
        # More than what the floats of a solver are off by, and less than a unit, which is what costs are apart.
        room = target - value + 1e-4 + 1e-8 * abs(value)
        if room < 0:
            return None
        if solution.reduced_costs is not None:
            settled = transitive_closure(settled | _settled_by(pairs, solution.x, solution.reduced_costs, room))
        if np.diagonal(settled).any():
            return None
        position = pairs.square(solution.x)
        fresh = each_alone(violated_triangles(position))
        if not len(fresh[1]):
            return _Node(settled=settled, position=position, value=value)
        program.add_rows(pairs.rows(*fresh))


def _settled_by(pairs: Pairs, x: FloatArray, reduced: FloatArray, room: float) -> BoolArray:
    """Return the pairs that cannot be turned: by its reduced cost each costs more than the room."""
    settled = np.zeros((pairs.count, pairs.count), dtype=np.bool_)
    above, below = (reduced < -room) & (x > 0.5), (reduced > room) & (x < 0.5)
    settled[pairs.above[0][above], pairs.above[1][above]] = True
    settled[pairs.above[1][below], pairs.above[0][below]] = True
    return settled


def _branches(net: AnyArray, node: _Node, open_share: FloatArray) -> list[BoolArray]:
    """Return both ways to settle the pair that is most open and costs most, the likelier one last."""
    weight = open_share * (1 + np.abs(net) / max(1.0, float(np.abs(net).mean())))
    one, other = (int(place) for place in np.unravel_index(weight.argmax(), weight.shape))
    branches = []
    for high, low in sorted([(one, other), (other, one)], key=lambda pair: node.position[pair]):
        settled = node.settled.copy()
        settled[high, low] = True
        settled = transitive_closure(settled)
        if not np.diagonal(settled).any():
            branches.append(settled)
    return branches
