"""Union-free generic depth of partial orders, exact for few of them and sampled for more."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, WeightsLike
from weightlab._result import ByName, Proof, Result, Seen, ensure, exact_series
from weightlab._validate import MOST_DRAWS, ensure_few_draws
from weightlab.data.convert import RelationsLike, as_tables
from weightlab.domains.depth.tukey import WeightedRelations
from weightlab.domains.result import is_transitive
from weightlab.exceptions import InputError, UnprovedError

MOST_SETS = 100_000
"""So many sets are looked at before the exact depth is refused."""


class UfgDepth(Result, kind="ufg_depth", table_of=as_tables):
    """Union-free generic depths of partial orders.

    Attributes
    ----------
    depths : Series of Fraction by item
        Exact, or estimates when they were sampled: how many of the draws.
    error : float
        0 when exact; else with probability 95% no estimate is further off.
    samples : int
        How many union-free generic sets were drawn; 0 when exact.
    data : WeightedRelations
        The partial orders with their weights.
    """

    depths: Seen[pd.Series] = ByName()
    error: float
    samples: int
    data: WeightedRelations

    def __post_init__(self) -> None:
        """Raise InputError unless the relations are partial orders that differ."""
        _ensure_orders(self.data)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"depths": Proof.SAMPLED if self.samples else Proof.EXACT}

    @property
    def deepest(self) -> tuple[str, ...]:
        """The items of greatest depth, all of them; of estimates those that may be deepest within the error."""
        least = max(self.depths) - 2 * Fraction(self.error)
        return tuple(str(item) for item, depth in self.depths.items() if depth >= least)

    def __str__(self) -> str:
        """Say who is deepest."""
        about = f" (sampled, +- {self.error:.3f})" if self.samples else ""
        most = float(max(self.depths))
        whose = " and ".join(self.deepest)
        return f"The greatest union-free generic depth is {most:.4g}{about}, that of {whose}.{self.data.said}"

    def to_frame(self) -> pd.DataFrame:
        """Return the depths, deepest first."""
        return pd.DataFrame({"depth": self.depths}).sort_values("depth", ascending=False, kind="stable")

    def verify(self, source: RelationsLike | None = None) -> bool:
        """Re-check exact depths by counting again; of estimates only that they are shares of the same relations.

        Raises
        ------
        ProofError
            Naming the first depth that is wrong.
        """
        self.data.check_source(source)
        ensure(tuple(self.depths.index) == self.data.relations.items, "the depths are of other items")
        ensure(0 <= self.samples <= MOST_DRAWS, "so many samples cannot be drawn")
        if self.samples:
            shares = all(0 <= depth <= 1 and (depth * self.samples).denominator == 1 for depth in self.depths)
            ensure(shares, "a depth is a share of the samples")
            ensure(self.error == _error(len(self.depths), self.samples), "the error is not that of so many samples")
            return True
        ensure(self.error == 0, "exact depths have no error")
        for item, depth, expected in zip(self.depths.index, self.depths, _exact(self.data), strict=True):
            ensure(depth == expected, f"the depth of {item!r} is {expected}, not {depth}")
        return True


def ufg_depth(
    source: RelationsLike,
    *,
    weights: WeightsLike | None = None,
    samples: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> UfgDepth:
    """Measure the union-free generic depth of partial orders.

    A set of observed orders is *union-free generic* if some partial order lies between its intersection and its union
    but between those of no smaller part. The depth of an order is the share of such sets that it lies between, each
    set weighing the product of its members' shares.

    Parameters
    ----------
    source : Relations, Suite or Profile
        Partial orders of the same models (antisymmetric and transitive), such as strict orders or the strict majority
        relations of a suite where these are transitive.
    weights : mapping or sequence, optional
        Weights of the orders, exact as written; by default those of a profile's voters, and 1 for any other order.
        Orders of weight 0 are left out and named.
    samples : int, optional
        Estimate from so many union-free generic sets, drawn at random in proportion to their weight.
    rng : int or Generator, optional
        Seed of the draws.

    Returns
    -------
    UfgDepth

    Raises
    ------
    InputError
        If some relation is no partial order (with its name), or no two differ.
    UnprovedError
        If there are too many sets to look at; ask for samples.

    Notes
    -----
    The number of sets grows exponentially with the number of different orders. Drawing each order with odds equal to
    its share, until a union-free generic set comes up, draws sets in proportion to their weight; an estimate is then
    a mean of independent draws, and Hoeffding's inequality bounds the error of all of them together. Where no set is
    union-free generic, as with two orders that differ in one pair, all depths are 0.

    References
    ----------
    Blocher, Schollmeyer, Nalenz and Jansen, "Comparing machine learning algorithms by union-free generic depth",
    International Journal of Approximate Reasoning 169 (2024).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]])
    >>> wl.domains.ufg_depth(profile).depths.tolist()
    [Fraction(2, 3), Fraction(1, 1), Fraction(2, 3)]
    """
    data = WeightedRelations.from_source(source, weights)
    _ensure_orders(data)
    if samples is None:
        found, error = _exact(data), 0.0
    elif samples >= 1:
        ensure_few_draws("samples", int(samples))
        found = _sampled(data, int(samples), np.random.default_rng(rng))
        error = _error(len(found), samples)
    else:
        raise InputError(f"at least one sample is needed; got {samples}")
    depths = exact_series(found, data.relations.items, "depth")
    return UfgDepth(depths=depths, error=error, samples=int(samples or 0), data=data)


def _ensure_orders(data: WeightedRelations) -> None:
    for item, relation in zip(data.relations.items, data.relations.array, strict=True):
        if not is_partial_order(relation):
            raise InputError(f"union-free generic depth is about partial orders, and that of {item!r} is none")
    if len(np.unique(data.relations.array, axis=0)) < 2:
        raise InputError("union-free generic depth needs at least two different orders")


def _distinct(data: WeightedRelations) -> tuple[BoolArray, list[Fraction], list[int]]:
    """Return the different orders, their shares, and which of them each item has."""
    orders, which = np.unique(data.relations.array, axis=0, return_inverse=True)
    place = [int(one) for one in which.ravel()]
    total = sum(data.weights, Fraction(0))
    shares = [Fraction(0)] * len(orders)
    for one, weight in zip(place, data.weights, strict=True):
        shares[one] += weight / total
    return orders, shares, place


def _exact(data: WeightedRelations) -> list[Fraction]:
    orders, shares, place = _distinct(data)
    whole = Fraction(0)
    parts = [Fraction(0)] * len(orders)
    # A set weighs the product of its members' shares.
    for some in _generic_sets(orders):
        weight = math.prod((shares[one] for one in some), start=Fraction(1))
        whole += weight
        for one in np.flatnonzero(between(orders, some)):
            parts[int(one)] += weight
    return [parts[one] / whole if whole else Fraction(0) for one in place]


def _generic_sets(orders: BoolArray) -> Iterator[list[int]]:
    """Yield the union-free generic sets, grown from sets whose members stand apart."""
    looked = 0
    stack = [[one] for one in range(len(orders))]
    while stack:
        some = stack.pop()
        # Members ascend, so that each set is built once; no set that passes holds one that fails ``distinguishable``.
        for one in range(some[-1] + 1, len(orders)):
            larger = [*some, one]
            looked += 1
            if looked > MOST_SETS:
                raise UnprovedError(f"more than {MOST_SETS} sets of orders; ask for samples", known={"sets": looked})
            if distinguishable(orders, larger):
                stack.append(larger)
                if is_union_free_generic(orders, larger):
                    yield larger


def _sampled(data: WeightedRelations, samples: int, rng: np.random.Generator) -> list[Fraction]:
    orders, shares, place = _distinct(data)
    odds = np.array([float(share) for share in shares])
    hits = np.zeros(len(orders), dtype=np.int64)
    if next(_generic_sets(orders), None) is None:
        return [Fraction(0)] * len(place)
    drawn = 0
    while drawn < samples:
        # Each order by itself with the odds of its share: the sets that come up do so in proportion to the product of
        # their members' odds, and those that are not generic are thrown away.
        for row in rng.random((256, len(orders))) < odds / (1 + odds):
            some = np.flatnonzero(row).tolist()
            if (
                drawn < samples
                and len(some) > 1
                and distinguishable(orders, some)
                and is_union_free_generic(orders, some)
            ):
                hits += between(orders, some)
                drawn += 1
    return [Fraction(int(hits[one]), samples) for one in place]


def _error(count: int, samples: int) -> float:
    """Return the bound that holds for so many means of samples together with probability 95%."""
    # Hoeffding's inequality for each mean, and the sum of all their probabilities of failing at 5%.
    return math.sqrt(math.log(2 * count / 0.05) / (2 * samples))


# Union-free generic sets of partial orders, of which union-free generic depth counts the products of shares.


def between(orders: BoolArray, some: Sequence[int]) -> BoolArray:
    """Return which of the orders lie between the intersection and the union of some of them."""
    chosen = orders[list(some)]
    common, any_of = chosen.all(axis=0), chosen.any(axis=0)
    return np.asarray((orders | ~common).all(axis=(1, 2)) & (~orders | any_of).all(axis=(1, 2)))


def distinguishable(orders: BoolArray, some: Sequence[int]) -> bool:
    """Tell whether each of some orders alone holds some pair, or alone lacks one.

    Any union-free generic set is so, and so is every part of it.
    """
    counts = orders[list(some)].sum(axis=0)
    alone, lacking = counts == 1, counts == len(some) - 1
    return all(bool((alone & orders[one]).any() or (lacking & ~orders[one]).any()) for one in some)


def is_union_free_generic(orders: BoolArray, some: Sequence[int]) -> bool:
    """Tell whether some partial order lies between these orders and between no smaller selection of them.

    Such an order either has, for each of these, a pair that only this one holds, or lacks a pair that all but this
    one hold. The least order with the pairs that were chosen decides: it lacks what any other lacks.

    Parameters
    ----------
    orders : ndarray of bool, orders x items x items
        Partial orders with True diagonals.
    some : sequence of int
        At least two different ones.
    """
    chosen = orders[list(some)]
    counts = chosen.sum(axis=0)
    # Each member must be needed: it brings a pair that no other has, or it lacks one that all others have.
    own = [np.argwhere((counts == 1) & one) for one in chosen]
    missing = [(counts == len(chosen) - 1) & ~one for one in chosen]
    stack: list[tuple[int, BoolArray, tuple[int, ...]]] = [(0, np.asarray(chosen.all(axis=0)), ())]
    union = chosen.any(axis=0)
    while stack:
        place, order, by_lack = stack.pop()
        # A pair that a member was to lack has come in through transitivity.
        if any(not (missing[member] & ~order).any() for member in by_lack):
            continue
        if place == len(chosen):
            return True
        for x, y in own[place]:
            # Whatever is at or above x is now above whatever is at or below y: the transitive closure in one step.
            larger = np.asarray(order | np.outer(order[:, x], order[y]))
            # Beyond the union, or no order any more: choosing more pairs cannot mend either.
            if (~larger | union).all() and not (larger & larger.T & ~np.eye(len(larger), dtype=np.bool_)).any():
                stack.append((place + 1, larger, by_lack))
        stack.append((place + 1, order, (*by_lack, place)))
    return False


def is_partial_order(relation: AnyArray) -> bool:
    """Tell whether a relation with a True diagonal is a partial order."""
    return is_transitive(relation) and not (relation & relation.T & ~np.eye(len(relation), dtype=np.bool_)).any()
