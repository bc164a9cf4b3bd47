"""Tukey depth of relations, and the deepest of them: the commonality sharing rule."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from weightlab._exact import INT64_SAFE, AnyArray, BoolArray, WeightsLike, common_denominator
from weightlab._result import ByName, Record, Result, Seen, ensure, exact_series
from weightlab._validate import Faults
from weightlab.data import Order, Profile
from weightlab.data.convert import RelationsLike, as_relations, as_tables
from weightlab.data.frame.declarations import exact_weights
from weightlab.data.frame.parts import ensure_same_cells
from weightlab.data.margins import Relations
from weightlab.data.suite import Suite
from weightlab.domains.result import is_acyclic
from weightlab.exceptions import InputError


class TukeyDepth(Result, kind="tukey_depth", table_of=as_tables):
    """How deep each relation lies among all of them.

    Attributes
    ----------
    depths : Series of Fraction by item
        1 minus the largest share of relations that hold a pair which the relation lacks, or lack one it holds.
    data : WeightedRelations
        The relations with their weights.
    """

    depths: Seen[pd.Series] = ByName()
    data: WeightedRelations

    @property
    def deepest(self) -> tuple[str, ...]:
        """The items of greatest depth, all of them."""
        greatest = max(self.depths)
        return tuple(str(item) for item, depth in self.depths.items() if depth == greatest)

    def limits(self, item: str) -> pd.DataFrame:
        """Return the pairs that limit a relation's depth: one row per pair, whether the relation has it, and its share.

        Raises
        ------
        UnknownNameError
            If there is no such item.
        """
        relation = self.data.relations.of(item).to_numpy()
        agreeing = agreement(self.data, relation)
        # A pair of a model with itself says nothing, so it must never be the least.
        np.fill_diagonal(agreeing, self.data.whole + 1)
        models = self.data.relations.models
        rows = [
            (models[int(x)], models[int(y)], bool(relation[x, y]), self.data.share(self.data.counts[x, y]))
            for x, y in np.argwhere(agreeing == agreeing.min())
            if agreeing[x, y] <= self.data.whole
        ]
        return pd.DataFrame(rows, columns=["model", "other", "related", "share"])

    def __str__(self) -> str:
        """Say who is deepest."""
        whose, most = " and ".join(self.deepest), max(self.depths)
        return f"Of {len(self.depths)} relations the deepest is {whose}, with depth {most}.{self.data.said}"

    def to_frame(self) -> pd.DataFrame:
        """Return the depths, deepest first."""
        return pd.DataFrame({"depth": self.depths}).sort_values("depth", ascending=False, kind="stable")

    def verify(self, source: RelationsLike | None = None) -> bool:
        """Re-check every depth by its definition, counting the relations anew, one by one.

        Raises
        ------
        ProofError
            Naming the first depth that is wrong.
        """
        self.data.check_source(source)
        ensure(tuple(self.depths.index) == self.data.relations.items, "the depths are of other items")
        for (item, depth), relation in zip(self.depths.items(), self.data.relations.array, strict=True):
            expected = self.data.depth_anew(relation)
            ensure(depth == expected, f"the depth of {item!r} is {expected}, not {depth}")
        return True


class CommonalitySharing(Result, kind="commonality_sharing", table_of=as_tables):
    """The relations of greatest Tukey depth: what a suite's rankings have in common, they share.

    Attributes
    ----------
    items : tuple of str
        All items whose relation is deepest.
    depth : Fraction
        How deep.
    data : WeightedRelations
        The relations with their weights.
    """

    items: tuple[str, ...]
    depth: Fraction
    data: WeightedRelations

    @cached_property
    def orders(self) -> dict[str, Order | None]:
        """Each deepest relation as a weak order, best first; None for one that is no weak order."""
        models = self.data.relations.models
        return {item: as_order(self.data.relations.of(item).to_numpy(), models) for item in self.items}

    @property
    def order(self) -> Order | None:
        """The one weak order that all deepest relations are; None if they differ or are not weak orders."""
        found = set(self.orders.values())
        return found.pop() if len(found) == 1 else None

    @property
    def cyclic(self) -> tuple[str, ...]:
        """The items, among all, whose strict part has a cycle: on these the rule says nothing about an order."""
        array = self.data.relations.array
        return tuple(
            item
            for item, relation in zip(self.data.relations.items, array, strict=True)
            if not is_acyclic(relation & ~relation.T)
        )

    def __str__(self) -> str:
        """Say which ranking represents the others, or why none does."""
        return f"{self._deepest_said()}{self.data.said}"

    def _deepest_said(self) -> str:
        whose = " and ".join(self.items)
        if self.order is not None:
            return f"The representative ranking is that of {whose}, with depth {self.depth}: {in_order(self.order)}."
        if None in self.orders.values():
            return f"The deepest relation is that of {whose}, with depth {self.depth}, and it is no ranking."
        return f"{len(set(self.orders.values()))} rankings are deepest, with depth {self.depth}: those of {whose}."

    def to_frame(self) -> pd.DataFrame:
        """Return the deepest relations' orders."""
        told = ["no ranking" if order is None else in_order(order) for order in self.orders.values()]
        return pd.DataFrame({"order": told, "depth": self.depth}, index=list(self.orders))

    def verify(self, source: RelationsLike | None = None) -> bool:
        """Re-check that these are the deepest, all of them, and how deep, counting the relations anew, one by one.

        Raises
        ------
        ProofError
            Naming the first item that is wrong.
        """
        self.data.check_source(source)
        depths = [self.data.depth_anew(relation) for relation in self.data.relations.array]
        greatest = max(depths)
        ensure(greatest == self.depth, f"the greatest depth is {greatest}, not {self.depth}")
        deepest = tuple(i for i, depth in zip(self.data.relations.items, depths, strict=True) if depth == greatest)
        ensure(deepest == self.items, f"the deepest are {deepest}, not {self.items}")
        return True


def tukey_depth(source: RelationsLike, *, weights: WeightsLike | None = None) -> TukeyDepth:
    """Measure how deep each relation lies among all of them.

    *Tukey depth* of a relation: 1 minus the largest share of relations that hold a pair which it lacks, or lack a
    pair which it holds. A relation of depth d shares with every part of more than 1 - d of the relations whatever
    that part has in common.

    Parameters
    ----------
    source : Relations, Suite or Profile
        Relations over the same models: the weak majority relations of a suite's datasets, the weak orders of a
        profile's voters, or any others.
    weights : mapping or sequence, optional
        Weights of the relations, exact as written; by default those of a profile's voters, and 1 for any other
        relation. Relations of weight 0 are left out and named.

    Returns
    -------
    TukeyDepth

    Raises
    ------
    InputError
        If there are no relations, or the weights are not fit.

    Notes
    -----
    O(models^2 x relations).

    References
    ----------
    Gordienko et al., Beyond Arrow, section 4.3. Blocher and Schollmeyer, "Data depth functions for non-standard data
    by use of formal concept analysis", Journal of Multivariate Analysis 205 (2025).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["a", "b", "c"], ["c", "b", "a"], ["a", "c", "b"]])
    >>> wl.domains.tukey_depth(profile).depths.tolist()
    [Fraction(1, 2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 2)]
    """
    data = WeightedRelations.from_source(source, weights)
    depths = depths_of(data)
    return TukeyDepth(depths=exact_series(depths, data.relations.items, "depth"), data=data)


def commonality_sharing(source: RelationsLike, *, weights: WeightsLike | None = None) -> CommonalitySharing:
    """Find the observed relations of greatest Tukey depth: the rankings that best represent all of them.

    Parameters
    ----------
    source : Relations, Suite or Profile
        Relations over the same models.
    weights : mapping or sequence, optional
        Weights of the relations, exact as written; by default those of a profile's voters, and 1 for any other
        relation. Relations of weight 0 are left out and named.

    Returns
    -------
    CommonalitySharing
        All deepest relations, with their orders where they are orders.

    Raises
    ------
    InputError
        If there are no relations, or the weights are not fit.

    Notes
    -----
    The rule is meant for relations without cycles; those that have one are named in ``cyclic``. The deepest order
    of all, also among those not observed, is ``deepest_order``.

    References
    ----------
    Gordienko et al., Beyond Arrow, section 4.3. Jansen, Schollmeyer and Augustin, "A probabilistic evaluation
    framework for preference aggregation reflecting group homogeneity", Mathematical Social Sciences 96 (2018).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["a", "b", "c"], ["b", "a", "c"]])
    >>> print(wl.domains.commonality_sharing(profile))
    The representative ranking is that of 1 and 2, with depth 2/3: a > b > c.
    """
    data = WeightedRelations.from_source(source, weights)
    depths = depths_of(data)
    greatest = max(depths)
    items = tuple(item for item, depth in zip(data.relations.items, depths, strict=True) if depth == greatest)
    return CommonalitySharing(items=items, depth=greatest, data=data)


def agreement(data: WeightedRelations, relation: BoolArray) -> AnyArray:
    """Return for each ordered pair the weight of the relations that treat it as this one does."""
    return np.where(relation, data.counts, data.whole - data.counts)


def depths_of(data: WeightedRelations) -> list[Fraction]:
    """Return the depth of each relation: the least share that agrees with it on some pair."""
    # The pair on which fewest agree decides: that share is the depth.
    return [data.share(min(data.whole, agreement(data, relation).min())) for relation in data.relations.array]


def in_order(order: Order) -> str:
    """Return an order as text, best first: ``a > b ~ c``."""
    return " > ".join(" ~ ".join(place) for place in order)


def as_order(relation: BoolArray, models: tuple[str, ...]) -> Order | None:
    """Return a relation as a weak order, best first, or None if it is not one.

    Ties may be written as pairs related both ways, or neither way.
    """
    above = relation & ~relation.T  # who is related to whom but not back
    beaten = above.sum(axis=1)
    marks = relation[~(above | above.T | np.eye(len(models), dtype=np.bool_))]
    # A relation is the strict part of a weak order exactly if it relates those who beat more to those who beat fewer.
    if (marks.any() and not marks.all()) or (above != (beaten[:, None] > beaten)).any():
        return None
    levels = sorted({int(one) for one in beaten}, reverse=True)
    return tuple(tuple(models[int(i)] for i in np.flatnonzero(beaten == level)) for level in levels)


# How many of some relations hold each pair, weighted and exact: what every notion of depth reads.


class WeightedRelations(Record):
    """Relations over the same models, each with a weight above 0.

    Attributes
    ----------
    relations : Relations
        Those whose weight is not 0.
    weights : tuple of Fraction
        One a relation.
    left_out : tuple of str
        The items of weight 0.
    own : bool
        Whether these are the weights of the source itself: those of a profile's voters, 1 of any other relation.
    """

    relations: Relations
    weights: tuple[Fraction, ...]
    left_out: tuple[str, ...] = ()
    own: bool = True

    @classmethod
    def from_source(cls, source: RelationsLike, weights: WeightsLike | None) -> Self:
        """Return the relations of a source with exact weights, by default its own.

        Raises
        ------
        InputError
            If there are no relations or models, or the weights are not fit.
        """
        relations = as_relations(source)
        faults = Faults()
        if not relations.items or not relations.models:
            faults.add("depth needs at least one relation of at least one model")
        given = _own_weights(source, relations) if weights is None else weights
        exact = exact_weights(given, relations.items, "item", "set of relations", faults)
        faults.raise_if_any()
        kept = [item for item, weight in exact.items() if weight]
        return cls(
            relations=relations if len(kept) == len(exact) else relations.select(kept),
            weights=tuple(exact[item] for item in kept),
            left_out=tuple(item for item, weight in exact.items() if not weight),
            own=weights is None,
        )

    def __post_init__(self) -> None:
        """Refuse weights that are not one above 0 for each relation, and names that stand twice."""
        positive = len(self.weights) == len(self.relations.items) and all(weight > 0 for weight in self.weights)
        if not positive or not self.relations.items:
            raise InputError("a weight above 0 is needed for each of the relations, of which there must be some")
        items = (*self.relations.items, *self.left_out)
        if len(set(items)) < len(items):
            raise InputError("a relation is named twice, or left out and counted")

    @cached_property
    def counts(self) -> AnyArray:
        """For each ordered pair the weight of the relations that hold it, times ``whole / total weight``."""
        numerators, _ = common_denominator(self.weights)
        array = self.relations.array
        if sum(numerators) < 2**53:
            # Sums of integers below 2**53 are exact in floats, in whatever order they are added.
            flat = np.array(numerators, dtype=np.float64) @ array.reshape(len(array), -1).astype(np.float64)
            return np.asarray(flat.reshape(array.shape[1:]).astype(np.int64))
        return np.asarray(np.tensordot(np.array(numerators, dtype=object), array.astype(object), axes=1))

    @cached_property
    def whole(self) -> int:
        """The weight of all relations in the unit of ``counts``."""
        return sum(common_denominator(self.weights)[0])

    @cached_property
    def _recounted(self) -> AnyArray:
        """The same as `counts`, added up relation by relation: a check rests on no count that it is to check."""
        numerators, _ = common_denominator(self.weights)
        held = np.zeros(self.relations.array.shape[1:], dtype=np.int64 if self.whole < INT64_SAFE else object)
        for weight, relation in zip(numerators, self.relations.array, strict=True):
            held[relation] += weight
        return held

    def depth_anew(self, relation: BoolArray) -> Fraction:
        """Return 1 minus the largest share of relations that hold a pair which one lacks, or lack one that it holds."""
        against = np.where(relation, self.whole - self._recounted, self._recounted)
        return 1 - self.share(against.max())

    def share(self, count: int) -> Fraction:
        """Return a count as a share of all."""
        return Fraction(int(count), self.whole)

    @property
    def said(self) -> str:
        """What a sentence adds: the weights, unless they are all the same, and the items that have none."""
        equal = len(set(self.weights)) == 1
        whose = "" if self.own else " given"
        listed = ", ".join(f"{item} {weight}" for item, weight in zip(self.relations.items, self.weights, strict=True))
        left = f" Left out, with weight 0: {', '.join(self.left_out)}." if self.left_out else ""
        return f"{'' if equal else f' Weights{whose}: {listed}.'}{left}"

    def check_source(self, source: RelationsLike | None) -> None:
        """Raise ProofError unless the relations are those of a source, if one is given, without the items of weight 0.

        Weights declared as the source's own are compared with it; weights that were given may differ.

        Raises
        ------
        InputError
            If the source has no relations.
        """
        if source is None:
            return
        if not isinstance(source, Relations | Suite | Profile):
            raise InputError(f"relations are those of a suite or a profile; got a {type(source).__name__}")
        given = as_relations(source)
        ensure(set(self.left_out) <= set(given.items), f"the source has no relations {', '.join(self.left_out)}")
        self.relations.ensure_same(given.select(item for item in given.items if item not in self.left_out))
        if self.own:
            claimed = dict(zip(self.relations.items, self.weights, strict=True))
            mine, theirs = [claimed.get(item, 0) for item in given.items], _own_weights(source, given)
            ensure_same_cells("the weight of {} is", [given.items], mine, theirs)


def _own_weights(source: RelationsLike, relations: Relations) -> list[Fraction]:
    """Return the weights of a profile's voters; other relations weigh the same."""
    return list(source.weights) if isinstance(source, Profile) else [Fraction(1)] * len(relations.items)
