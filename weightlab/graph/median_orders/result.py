"""The order of least cost as a result: what Kemeny's, Slater's and the feedback arc question have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, BoolArray
from weightlab._result import Frozen, Proof, Result, ensure, on_word_of, told_of
from weightlab._solver import OpenProgram, Solver, deadline_in, is_past, solver_name
from weightlab.data import Order
from weightlab.data.margins import Margins
from weightlab.exceptions import ProofError, TimeLimitError, UnprovedError
from weightlab.graph.majority_graph import MajorityLike, check_margins
from weightlab.graph.median_orders import branching, condensation
from weightlab.graph.median_orders.condensation import Block, BlockProof, check_block
from weightlab.graph.median_orders.triangle_relaxation import Triangles, finest_scale, integral_optimum, relaxed_optimum
from weightlab.graph.paths import topological
from weightlab.graph.rankings.ranking import relation_frame


class OptimalOrder(Result):
    """An order of all models that no order betters.

    Attributes
    ----------
    margins : Margins
        The margins that the claim is about.
    blocks : tuple of Block
        The proof, block by block: the parts of the order, best first.
    solver : Solver or None
        The solver on whose bound the optimality rests; None where it is proved in exact arithmetic.
    """

    derived: ClassVar[tuple[str, ...]] = ("order", "cost", "unique", "number")

    margins: Margins
    blocks: tuple[Block, ...] = ()
    solver: Solver | None = None

    @cached_property
    def order(self) -> Order:
        """The order, best first, one model a place."""
        return tuple((self.models[one],) for block in self.blocks for one in block.models[block.order].tolist())

    @cached_property
    def cost(self) -> Fraction:
        """What the order costs."""
        _, unit = self._net()
        return self._constant() + unit * sum(block.cost for block in self.blocks)

    @property
    def unique(self) -> bool | None:
        """Whether every other order costs more; None where that was not decided."""
        known = [block.is_unique for block in self.blocks]
        if False in known:
            return False
        return None if None in known else True

    @property
    def number(self) -> int | None:
        """How many orders cost as little, this one included; None where they were not counted."""
        numbers = [block.number for block in self.blocks]
        return None if None in numbers else math.prod(number for number in numbers if number is not None)

    @cached_property
    def shared(self) -> pd.DataFrame:
        """Whether the row is proved to stand above the column in every order of least cost, models x models.

        All such pairs, unless ``unique`` is None.
        """
        return relation_frame(_shared(self.blocks, len(self.models)), self.models)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @property
    def winners(self) -> tuple[str, ...]:
        """The model in the first place of this order."""
        return self.order[0] if self.order else ()

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"cost": Proof.EXACT, "no order costs less": on_word_of(self.solver)}

    @property
    def relies_on(self) -> str:
        """What the proof relies on besides arithmetic: nothing, or the bound of a solver for some of the models."""
        models = [
            self.models[place] for block in self.blocks if block.means is BlockProof.SOLVER for place in block.models
        ]
        if not models:
            return "nothing"
        return f"{self.solver}'s bound for the order of {len(models)} models among themselves: {', '.join(models)}"

    @property
    def shared_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs proved to stand so in every order of least cost, in the order's sequence."""
        names = [name for place in self.order for name in place]
        together = self.shared.loc[names, names].to_numpy()
        return tuple((names[row], names[column]) for row, column in np.argwhere(together).tolist())

    def to_frame(self) -> pd.DataFrame:
        """Return the order with, for each model, how many models stand above and below it in every least order."""
        names = [name for place in self.order for name in place]
        shared = self.shared.loc[names, names].to_numpy()
        return pd.DataFrame(
            {"place": range(1, len(names) + 1), "always_above": shared.sum(axis=0), "always_below": shared.sum(axis=1)},
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
        net, _ = self._net()
        self._check_partition(net)
        for block in self.blocks:
            with told_of(f"among {', '.join(self.models[place] for place in block.models)}"):
                check_block(net[np.ix_(block.models, block.models)], block)
            ensure(block.means is not BlockProof.NOTHING, "a block is not proved")
            solved = block.means is not BlockProof.SOLVER or self.solver is not None
            ensure(solved, "a block's optimality rests on a solver, and none is named")
        needed = any(block.means is BlockProof.SOLVER for block in self.blocks)
        ensure(needed == (self.solver is not None), "the solver named is not the one that was needed")
        places = [place for block in self.blocks for place in block.models[block.order].tolist()]
        counted = self._cost_of(np.array(places, dtype=np.int64))
        ensure(self.cost == counted, f"the order costs {counted}, not {self.cost}")
        return True

    def _check_partition(self, net: AnyArray) -> None:
        """Ensure that each block beats all later ones, so that every order of least cost keeps them apart so."""
        places = [place for block in self.blocks for place in block.models.tolist()]
        ensure(sorted(places) == list(range(len(self.models))), "the blocks do not hold every model once")
        done = 0
        for block in self.blocks:
            done += len(block.models)
            ensure(block.models.tolist() == sorted(block.models.tolist()), "a block's models are not in board order")
            ahead = len(block.models) and (net[np.ix_(block.models, places[done:])] > 0).all()
            ensure(ahead, "the blocks are not those of the margins: one is empty, or does not beat all later ones")

    def solved(self, time_limit: float | None) -> Self:
        """Return the result with an order of least cost, all of whose blocks are proved.

        Raises
        ------
        TimeLimitError, UnprovedError
            Where that failed; ``known`` has an ``order``, its ``cost``, and a ``bound`` below every cost.
        """
        deadline = deadline_in(time_limit)
        net, unit = self._net()
        found = replace(self, blocks=tuple(least_order(net, deadline)))
        open_ones = [block for block in found.blocks if block.means is BlockProof.NOTHING]
        if not open_ones:
            by_solver = any(block.means is BlockProof.SOLVER for block in found.blocks)
            return replace(found, solver=solver_name() if by_solver else None)
        bound = self._constant() + unit * sum(_least_possible(net, block) for block in found.blocks)
        known = {"order": found.order, "cost": found.cost, "bound": bound}
        message = f"no order was proved to be of least cost: one at {found.cost} is known, and none is below {bound}"
        if is_past(deadline):
            raise TimeLimitError(f"the time limit came: {message}", known=known)
        largest = max(len(block.models) for block in open_ones)
        raise UnprovedError(f"{largest} models are too entangled: {message}", known=known)

    def _net(self) -> tuple[AnyArray, Fraction]:
        """Return the costs as antisymmetric integers, and the unit that they count."""
        raise ProofError(f"a {type(self).__name__} of no question has no costs")

    def _constant(self) -> Fraction:
        """Return what every order costs."""
        return Fraction(0)

    def _cost_of(self, places: AnyArray) -> Fraction:
        """Return what an order costs, from the margins alone."""
        raise ProofError(f"a {type(self).__name__} of no question has no costs for {len(places)} models")


def _least_possible(net: AnyArray, block: Block) -> int:
    if block.means is not BlockProof.NOTHING:
        return block.cost
    bound, _ = block.triangles.bound_and_excess(net[np.ix_(block.models, block.models)])
    return -(-bound // block.triangles.scale)


def without_common_factor(net: AnyArray) -> tuple[AnyArray, int]:
    """Return integers without a common factor, and that factor."""
    factor = math.gcd(*[int(one) for one in np.unique(np.abs(net))]) or 1
    whole = net // factor
    small = int(np.abs(whole).max(initial=0)) * whole.size < INT64_SAFE
    return whole.astype(np.int64 if small else object), factor


def _shared(blocks: Sequence[Block], count: int) -> BoolArray:
    shared = np.zeros((count, count), dtype=np.bool_)
    below = np.ones(count, dtype=np.bool_)
    # Blocks come best first: all that follow stand below in every order of least cost.
    for block in blocks:
        below[block.models] = False
        shared[np.ix_(block.models, np.flatnonzero(below))] = True
        shared[np.ix_(block.models, block.models)] = block.shared
    return shared


# The linear ordering program: the order of all models that costs least, proved.
#
# Kemeny's rule, Slater's rule and minimum feedback arc sets are this one question. It is NP-hard; what makes real
# tables easy is done first:
#
# 1. The models fall into blocks of which one beats the other wholly; each block is ordered by itself.
# 2. Within a block only the strongly connected components of the majorities cost anything.
# 3. For each of these the relaxation by triangles is solved, its rows added when they are violated.
# 4. Its multipliers give a bound that is re-checked in integers. A pair that would cost more than the room between
#    bound and target is settled, and the orders that are left are searched exactly.
# 5. Only where these are too many is integrality demanded of the solver, whose bound is then what the proof relies on.


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
