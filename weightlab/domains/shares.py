"""How many of some relations hold each pair, weighted and exact: what every notion of depth reads."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from weightlab._exact import common_denominator
from weightlab._record import Record
from weightlab._result import ensure
from weightlab._typing import AnyArray, WeightsLike
from weightlab._validate import Faults, exact_numbers
from weightlab.data.convert import RelationsLike, as_relations
from weightlab.data.profile import Profile
from weightlab.data.relations import Relations
from weightlab.data.suite import Suite
from weightlab.exceptions import InputError

__all__ = ["Weighted"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighted(Record):
    """Relations over the same models, each with a weight above 0.

    Attributes
    ----------
    relations : Relations
        Those whose weight is not 0.
    weights : tuple of Fraction
        One a relation.
    left_out : tuple of str
        The items of weight 0.
    """

    relations: Relations
    weights: tuple[Fraction, ...]
    left_out: tuple[str, ...] = ()

    @classmethod
    def admitted(cls, source: RelationsLike, weights: WeightsLike | None) -> Self:
        """Return the relations of a source with exact weights, 1 by default.

        Raises
        ------
        InputError
            If there are no relations or models, or the weights are not fit.
        """
        relations = as_relations(source)
        faults = Faults()
        if not relations.items or not relations.models:
            faults.add("depth needs at least one relation of at least one model")
        given = (
            {}
            if weights is None
            else exact_numbers(weights, relations.items, "item", faults, what="weight", holder="set of relations")
        )
        exact = [given.get(item, Fraction(1)) for item in relations.items]
        for item, weight in zip(relations.items, exact, strict=True):
            if weight < 0:
                faults.add(f"weight of item {item!r} is negative: {weight}")
        if relations.items and not any(exact):
            faults.add("all weights are 0")
        faults.raise_if_any()
        kept = [item for item, weight in zip(relations.items, exact, strict=True) if weight]
        return cls(
            relations=relations if len(kept) == len(exact) else relations.select(kept),
            weights=tuple(weight for weight in exact if weight),
            left_out=tuple(item for item, weight in zip(relations.items, exact, strict=True) if not weight),
        )

    def __post_init__(self) -> None:
        """Refuse weights that are not one above 0 for each relation, and names that stand twice."""
        positive = len(self.weights) == len(self.relations.items) and all(weight > 0 for weight in self.weights)
        if not positive or not self.relations.items:
            raise InputError("a weight above 0 is needed for each of the relations, of which there must be some")
        if len(set(self.relations.models)) < len(self.relations.models):
            raise InputError("a model of the relations is named twice")

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

    def share(self, count: int) -> Fraction:
        """Return a count as a share of all."""
        return Fraction(int(count), self.whole)

    def check_source(self, source: RelationsLike) -> None:
        """Raise ProofError unless the relations are those of a source, without the items of weight 0.

        Raises
        ------
        InputError
            If the source is none that has relations.
        """
        if not isinstance(source, Relations | Suite | Profile):
            raise InputError(f"relations are those of a suite or a profile; got a {type(source).__name__}")
        given = as_relations(source)
        ensure(set(self.left_out) <= set(given.items), f"the source has no relations {', '.join(self.left_out)}")
        self.relations.ensure_same(given.select(item for item in given.items if item not in self.left_out))
