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

from weightlab._exact import INT64_SAFE, AnyArray
from weightlab._result import Proof, Result, ensure, name_index, on_word_of, told_of
from weightlab._solver import Solver, deadline_in, is_past, solver_name
from weightlab.data import Order
from weightlab.data.margins import Margins
from weightlab.exceptions import ProofError, TimeLimitError, UnprovedError
from weightlab.graph.majority_graph import MajorityLike, check_margins
from weightlab.graph.median_orders.blocks import Block, BlockProof, check_block, proved_ends
from weightlab.graph.median_orders.least_order import least_order
from weightlab.graph.rankings.ranking import relation_frame


class OptimalOrder(Result):
    """An order of all models that no order betters, or whose distance from the best is bounded.

    Attributes
    ----------
    margins : Margins
        The margins that the claim is about.
    blocks : tuple of Block
        The proof, block by block: the parts of the order, best first.
    solver : Solver or None
        The solver on whose bound the optimality rests; None where it is proved in exact arithmetic.
    """

    derived: ClassVar[tuple[str, ...]] = ("order", "cost", "bound", "unique", "number", "winners", "places")

    margins: Margins
    blocks: tuple[Block, ...] = ()
    solver: Solver | None = None

    @cached_property
    def order(self) -> Order:
        """One of the orders of least cost, best first, one model at each place: the witness. ``ranks`` cover all."""
        return tuple((self.models[one],) for block in self.blocks for one in block.models[block.order].tolist())

    @cached_property
    def cost(self) -> Fraction:
        """What the order costs."""
        _, unit = self._net()
        return self._constant() + unit * sum(block.cost for block in self.blocks)

    @cached_property
    def bound(self) -> Fraction:
        """What every order costs at least: ``cost`` where this one is proved to be of least cost."""
        net, unit = self._net()
        least = sum(block.cost for block in self.blocks if block.means is not BlockProof.NOTHING)
        for block in self.blocks:
            if block.means is BlockProof.NOTHING:
                bound, _ = block.triangles.bound_and_excess(net[np.ix_(block.models, block.models)])
                least += -(-bound // block.triangles.scale)
        return self._constant() + unit * least

    @property
    def gap(self) -> Fraction:
        """By how much an order may cost less than this one: 0 where none does."""
        return self.cost - self.bound

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

    @property
    def at_least(self) -> int:
        """How many orders of least cost are at hand, where they were not counted: no more are claimed."""
        return math.prod(
            block.number or len({one.tobytes() for one in (block.order, *block.turned)}) for block in self.blocks
        )

    @cached_property
    def shared(self) -> pd.DataFrame:
        """Whether the row is proved to stand above the column in every order of least cost, models x models.

        All such pairs, unless ``unique`` is None.
        """
        shared = np.zeros((len(self.models),) * 2, dtype=np.bool_)
        below = np.ones(len(self.models), dtype=np.bool_)
        # Blocks come best first: all that follow stand below in every order of least cost.
        for block in self.blocks:
            below[block.models] = False
            shared[np.ix_(block.models, np.flatnonzero(below))] = True
            shared[np.ix_(block.models, block.models)] = block.shared
        return relation_frame(shared, self.models)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in board order."""
        return self.margins.models

    @cached_property
    def ranges(self) -> pd.DataFrame:
        """Between which ranks each model is in the orders of least cost, by model in board order.

        ``best`` and ``worst`` are taken in some orders of least cost. Where ``best_proved``, or ``worst_proved``, is
        False, it is not known whether others take it further.
        """
        first, last, least, most = ends = np.ones((4, len(self.models)), dtype=np.int64)
        net, _ = self._net()
        done = 0
        for block in self.blocks:
            proved = proved_ends(net[np.ix_(block.models, block.models)], block)
            ends[:, block.models] += done + np.array([block.first, block.last, *proved])
            done += len(block.models)
        return pd.DataFrame(
            {"best": first, "worst": last, "best_proved": first <= least, "worst_proved": last >= most},
            index=name_index(self.models),
        )

    @property
    def ranks(self) -> pd.Series:
        """The best rank that each model takes in an order of least cost, best first; equals in board order."""
        return self.ranges["best"].sort_values(kind="stable").rename("rank")

    @property
    def places(self) -> tuple[str, ...]:
        """Between which ranks each model is, in words such as ``1 to 3``, in board order."""
        return tuple(range_text(*row) for row in self.ranges.itertuples(index=False, name=None))

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that are first in some order of least cost, in board order."""
        return tuple(self.models[place] for place in np.flatnonzero(self.ranges["best"] == 1))

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        least = f"no order costs less than {self.bound}" if self.gap else "no order costs less"
        return {"cost": Proof.EXACT, least: on_word_of(self.solver)}

    def to_frame(self) -> pd.DataFrame:
        """Return for each model its ranks, and how many models stand above and below it in every order of least cost.

        By best rank; the order itself is ``order``.
        """
        names = list(self.ranks.index)
        said = dict(zip(self.models, self.places, strict=True))
        shared = self.shared.loc[names, names].to_numpy()
        ranks, above, below = [said[name] for name in names], shared.sum(axis=0), shared.sum(axis=1)
        return pd.DataFrame({"ranks": ranks, "always_above": above, "always_below": below}, index=names)

    def verify(self, source: MajorityLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic, without a solver; given the source, also that the margins are its.

        Returns
        -------
        bool
            True. Where ``solver`` is not None this does not cover that no order costs less than ``bound``.

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
        ensure(self._needs_solver == (self.solver is not None), "the solver named is not the one that was needed")
        places = [place for block in self.blocks for place in block.models[block.order].tolist()]
        counted = self._cost_of(np.array(places, dtype=np.int64))
        ensure(self.cost == counted, f"the order costs {counted}, not {self.cost}")
        return True

    def _check_partition(self, net: AnyArray) -> None:
        """Ensure that each block beats all later ones, so that every order of least cost keeps them apart so."""
        places = [place for block in self.blocks for place in block.models.tolist()]
        ensure(sorted(places) == list(range(len(self.models))), "the blocks do not hold every model once")
        sorted_all = all(block.models.tolist() == sorted(block.models.tolist()) for block in self.blocks)
        ensure(sorted_all, "a block's models are not in board order")
        which = np.repeat(np.arange(len(self.blocks)), [len(block.models) for block in self.blocks])
        ahead = net[np.ix_(places, places)][which[:, None] < which] > 0
        whole = all(len(block.models) for block in self.blocks) and bool(ahead.all())
        ensure(whole, "the blocks are not those of the margins: one is empty, or does not beat all later ones")

    def solved(self, time_limit: float | None) -> Self:
        """Return the result with an order of least cost, all of whose blocks are proved.

        Raises
        ------
        TimeLimitError, UnprovedError
            Where that failed; ``known`` has an ``order``, its ``cost``, a ``bound`` below every cost, and all this as a
            ``result`` that can be verified.
        """
        deadline = deadline_in(time_limit)
        net, _ = self._net()
        found = replace(self, blocks=tuple(least_order(net, deadline)))
        found = replace(found, solver=solver_name() if found._needs_solver else None)  # noqa: SLF001 - its own
        if found.gap:
            raise found.unproved(late=is_past(deadline))
        return found

    def unproved(self, *, late: bool) -> UnprovedError:
        """Return the error that carries this order where another may cost less."""
        cost, bound = self.cost, self.bound
        message = f"no order was proved to be of least cost: one at {cost} is known, and none is below {bound}"
        known = {"order": self.order, "cost": cost, "bound": bound, "result": self}
        if late:
            return TimeLimitError(f"the time limit came: {message}", known=known)
        largest = max(len(block.models) for block in self.blocks if block.means is BlockProof.NOTHING)
        return UnprovedError(f"{largest} models are too entangled: {message}", known=known)

    @property
    def _needs_solver(self) -> bool:
        return any(block.means is BlockProof.SOLVER for block in self.blocks)

    def _how_sure(self, only: str, several: str, none: str) -> str:
        """Return how much is known of other orders, in the words of a question, and on whose word."""
        if self.gap:
            return f"that is not proved to be the least: the bound is {self.bound}"
        said = f"{orders_text(self.number, self.at_least)} {several}"
        told = {True: only, False: said, None: none}[self.unique]
        return told if self.solver is None else f"{told} (by {self.solver}'s bound)"

    def _net(self) -> tuple[AnyArray, Fraction]:
        """Return the costs as antisymmetric integers, and the unit that they count: the margins, unless stated."""
        net = self.margins.array
        factor = math.gcd(*[int(one) for one in np.unique(np.abs(net))]) or 1
        whole = net // factor
        small = int(np.abs(whole).max(initial=0)) * whole.size < INT64_SAFE
        return whole.astype(np.int64 if small else object), Fraction(factor, self.margins.denominator)

    def _constant(self) -> Fraction:
        """Return the cost that every order has."""
        return Fraction(0)

    def _cost_of(self, places: AnyArray) -> Fraction:
        """Return the cost of an order, from the margins alone."""
        raise ProofError(f"a {type(self).__name__} of no question has no costs for {len(places)} models")


FEW_ORDERS = 10
"""Orders of least cost counted in a sentence."""


def orders_text(number: int | None, at_least: int) -> str:
    """Return how many orders there are, counted as far as is useful; None where only some are at hand."""
    if (number or at_least) > FEW_ORDERS:
        return f"more than {FEW_ORDERS} orders"
    return f"at least {at_least} orders" if number is None else f"{number} orders"


def either(names: Sequence[str]) -> str:
    """Return names as alternatives: a, b or c."""
    few = list(names) if len(names) <= 5 else [*names[:4], f"{len(names) - 4} others"]
    return " or ".join([", ".join(few[:-1]), few[-1]]) if few[1:] else few[0]


def range_text(best: int, worst: int, best_proved: bool, worst_proved: bool) -> str:  # noqa: FBT001
    """Return between which ranks a model is, in words."""
    if best == worst and best_proved and worst_proved:
        return str(best)
    low, high = ("" if best_proved else " or better"), ("" if worst_proved else " or worse")
    if best == worst and not (low and high):
        return f"{best}{low}{high}"
    return f"{best}{low} to {worst}{high}"
