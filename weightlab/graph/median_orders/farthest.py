"""How far each model goes in orders of least cost, where these are too many to search: orders propose, bounds prove."""

from __future__ import annotations

import math

import numpy as np

from weightlab._exact import AnyArray
from weightlab._solver import is_past, part_of
from weightlab.graph.median_orders import branching
from weightlab.graph.median_orders.branching import Optima, forced_pairs, order_cost, places_within
from weightlab.graph.median_orders.condensation import known_pairs, places_in, sure_pairs, tilted
from weightlab.graph.median_orders.good_orders import good_order, improved_order
from weightlab.graph.median_orders.odd_walks import violated_walks
from weightlab.graph.median_orders.triangle_relaxation import (
    CuttingPlanes,
    Triangles,
    violated_triangles,
)

WORTH = 0.05
"""A round of odd walks after which the program costs less than this much more is the last."""
SHARE_OF_SEARCH = 0.1
"""Part of the time left for a search of the orders that the proofs leave."""


class Farthest:
    """How far models are shown to go, and not to go, in orders of least cost.

    Parameters
    ----------
    net : ndarray of int, models x models
        Antisymmetric: what it costs to put the column above the row, where positive.
    order : ndarray of int
        One of least cost.
    triangles : Triangles
        Multipliers that give a bound.
    deadline : float or None
        The ``time.monotonic()`` at which to stop.

    Attributes
    ----------
    orders : list of ndarray
        Orders of least cost that take models far, the one given first.
    proofs : list of Triangles
        Multipliers that prove of some models that no order of least cost takes them farther.
    settled : Optima or None
        All about the orders of least cost, once there are few enough to search.

    Notes
    -----
    For each end that is open, local search looks for an order of least cost that takes the model farther; and the
    relaxation in which it stands farther than in any order at hand, solved from where the last one ended, proves with
    its multipliers that there is none, where it costs more. That program is all pairs of a model at once: "x before y
    at no greater cost?" for each y leaves open whether it passes several together. Who may be first comes first, then
    what is most open; each time half of that is closed, the orders that are left are searched.
    """

    def __init__(self, net: AnyArray, order: AnyArray, triangles: Triangles, deadline: float | None) -> None:
        self._net, self._deadline, self._triangles = net, deadline, triangles
        self._cost = order_cost(net, order)
        self._shared = forced_pairs(net, triangles, self._cost, sure_pairs(net))
        self._planes: CuttingPlanes | None = None
        self.orders, self.proofs = [order], list[Triangles]()
        self.first, self.last = places_in(order)
        self._least, self._most = self._shared.sum(axis=0), len(net) - 1 - self._shared.sum(axis=1)
        self._prove(triangles)
        self._settle_winners()
        self.settled = self._settle_all()

    def _settle_winners(self) -> None:
        """Show of each model that may be first that it is, or that it is not."""
        for model in np.flatnonzero((self._least == 0) & (self.first > 0)).tolist():
            while self.first[model] > 0 and self._gone_farther(model, best=True):
                pass
            if self.first[model] > 0 and self._least[model] == 0 and not is_past(self._deadline):
                self._shut(model, 0, 0)

    def _settle_all(self) -> Optima | None:
        """Show how far models go, the most open ends first; return all optima once they are few enough to search."""
        given_up, enough = np.zeros((len(self._net), 2), dtype=np.bool_), self._openness().sum()
        while not is_past(self._deadline):
            left = np.where(given_up, 0, self._openness())
            if not left.any():
                break
            model, side = np.unravel_index(left.argmax(), left.shape)
            given_up[model, side] = not self._closer(int(model), best=side == 0)
            if self._openness().sum() <= enough / 2:
                enough = self._openness().sum()
                settled = self._searched()
                if settled is not None:
                    return settled
        return self._searched()

    def _openness(self) -> AnyArray:
        """Return by how many places each end of each model is open, models x 2."""
        return np.column_stack([self.first - self._least, self._most - self.last])

    def _searched(self) -> Optima | None:
        given = known_pairs(self._net, self.proofs, self._cost)
        try:
            soon = part_of(self._deadline, SHARE_OF_SEARCH)
            return branching.optima_within(self._net, self._triangles, self._cost, given, soon)
        except branching.TooManyIdealsError:
            return None

    def _closer(self, model: int, *, best: bool) -> bool:
        """Look for an order that takes a model farther, or a proof that there is none; return whether one is found."""
        if self._gone_farther(model, best=best):
            return True
        beyond = (0, int(self.first[model]) - 1) if best else (int(self.last[model]) + 1, len(self._net) - 1)
        point = self._shut(model, *beyond)
        return point is None or self._gone_farther(model, best=best, start=point)

    def _gone_farther(self, model: int, *, best: bool, start: AnyArray | None = None) -> bool:
        """Look near the order that takes a model farthest, or a given one, for one that takes it farther."""
        turned = np.zeros(self._net.shape, dtype=np.bool_)
        turned[(slice(None), model) if best else (model, slice(None))] = True
        turned[model, model] = False
        costs = tilted(self._net, turned)
        places = [int(np.flatnonzero(order == model)[0]) for order in self.orders]
        near = self.orders[places.index(min(places) if best else max(places))]
        if start is None:
            found = improved_order(costs, near, self._deadline)
        else:
            left = self._openness()[model, 0 if best else 1]
            found = improved_order(self._net, start, self._deadline)
            if order_cost(self._net, found) > self._cost or order_cost(costs, found) >= order_cost(costs, near):
                found = good_order(costs, start, order_cost(costs, near) - int(left), self._deadline)
        if order_cost(self._net, found) > self._cost or order_cost(costs, found) >= order_cost(costs, near):
            return False
        self.orders.append(found)
        self.first, self.last = places_in(*self.orders)
        return True

    def _prove(self, triangles: Triangles) -> bool:
        """Keep multipliers if they narrow a range."""
        least, most = places_within(self._net, triangles, self._cost, self._shared)
        if not ((least > self._least) | (most < self._most)).any():
            return False
        self._least, self._most = np.maximum(least, self._least), np.minimum(most, self._most)
        self.proofs.append(triangles)
        return True

    def _shut(self, model: int, low: int, high: int) -> AnyArray | None:
        """Prove that no order of least cost has a model at these places; return an order near the point that may be."""
        fresh = (np.zeros((0, 3), dtype=np.int64), np.zeros(0, dtype=np.int64))
        if self._planes is None:
            self._planes = CuttingPlanes(self._net, places=True)
            fresh = (self._triangles.corners, self._triangles.sizes)
        planes, before = self._planes, -math.inf
        planes.confine(model, low, high)
        while not is_past(self._deadline) and planes.moved_by(*fresh, self._deadline):
            if planes.value > self._cost and self._prove(planes.proof(self._triangles.scale)):
                return None
            fresh = violated_triangles(planes.position)
            if not len(fresh[1]) and planes.value > before:
                before, fresh = planes.value + WORTH * planes.unit, violated_walks(planes.position)
            if not len(fresh[1]):
                return np.argsort(-planes.position.sum(axis=1), kind="stable")
        return None
