"""Profiles: a weak order of the models for each voter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, FloatArray, WeightsLike
from weightlab._result import read_integers, read_items, read_names, read_numbers
from weightlab._text import counted
from weightlab._validate import Faults, checked_names, one_of
from weightlab.data.frame.arrays import FrozenArrays, places_in, positions
from weightlab.data.frame.declarations import exact_weights
from weightlab.data.frame.parts import Data, Readers, ensure_same_cells
from weightlab.data.margins import Margins, Relations
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError

Order: TypeAlias = tuple[tuple[str, ...], ...]
"""A weak order, best first: a tuple of tuples of tied names."""

TieBreak: TypeAlias = Literal["alphabetical", "reverse"] | None
"""How ties inside an order are broken: by code point, against it, or not at all."""
TIE_BREAKS: tuple[TieBreak, ...] = ("alphabetical", "reverse", None)
RanksArray: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int32]]
BLOCK_CELLS = 1 << 16
"""Cells per block when sorting rows, so that a block stays in the processor's cache."""


class Profile(FrozenArrays, Data):
    """One weak order a voter, possibly incomplete, weighted.

    Attributes
    ----------
    models : tuple of str
        What is ranked.
    voters : tuple of str
        Who ranks: the tasks of a leaderboard, the metrics of a dataset.
    ranks : ndarray of int32, voters x models
        Dense ranks from 1 (best); models that tie share one; 0 where a voter does not rank a model. Read-only.
    weights : tuple of Fraction
        One a voter, not negative; not all 0 unless all voters with weight were left out.

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"], ["b", ("a", "c")]])
    >>> profile.orders[1]
    (('b',), ('a', 'c'))
    >>> profile.is_strict
    False
    """

    own_part: ClassVar[str] = "ranks"

    models: tuple[str, ...]
    voters: tuple[str, ...]
    ranks: RanksArray
    weights: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        """Check the shapes and that the ranks are dense, and make the array read-only."""
        expected = (len(self.voters), len(self.models))
        if self.ranks.shape != expected or self.ranks.dtype != np.int32:
            found = f"{self.ranks.dtype} {self.ranks.shape}"
            raise InputError(f"a profile needs ranks of int32 and shape {expected} (voters x models); got {found}")
        if len(self.weights) != len(self.voters):
            raise InputError(f"{counted(len(self.weights), 'weight')} for {counted(len(self.voters), 'voter')}")
        for voter, dense in zip(self.voters, _is_dense(self.ranks).tolist(), strict=True):
            if not dense:
                raise InputError(f"the ranks of voter {voter!r} must be 1, 2, ... without a gap, and 0 for unranked")
        super().__post_init__()

    @classmethod
    def from_levels(
        cls, models: Sequence[str], voters: Sequence[str], levels: FloatArray, weights: Sequence[Fraction]
    ) -> Profile:
        """Return the profile of numbers (models x voters): the greatest is first, NaN is not ranked."""
        ranks = dense_ranks(levels.T)
        return cls(models=tuple(models), voters=tuple(voters), ranks=ranks, weights=tuple(weights))

    @classmethod
    def from_orders(
        cls,
        orders: Iterable[Iterable[str | Iterable[str]]],
        *,
        models: Sequence[str] | None = None,
        voters: Sequence[str] | None = None,
        weights: WeightsLike | None = None,
    ) -> Profile:
        """Return the profile of some orders, best first; ties are inner tuples, lists or sets.

        Parameters
        ----------
        orders : iterable of orders
            One a voter. Models that an order leaves out are not ranked by that voter. Numbers are taken as names.
        models : sequence of str, optional
            All models; by default those that occur, in order of first appearance.
        voters : sequence of str, optional
            Names; by default ``"1"``, ``"2"``, ...
        weights : mapping or sequence, optional
            Weights of the voters, exact as written; 1 by default.

        Raises
        ------
        InputError
            Listing every error: an order that is text, a model twice in one order, an unknown model, bad weights.
        """
        faults = Faults()
        listed = [_places(order, f"order {number}", faults) for number, order in enumerate(orders, start=1)]
        occurring = dict.fromkeys(name for order in listed for place in order for name in place)
        names = checked_names(occurring if models is None else models, "model", faults)
        labels = checked_names(map(str, range(1, len(listed) + 1)) if voters is None else voters, "voter", faults)
        if len(labels) != len(listed):
            faults.add(f"{counted(len(labels), 'voter name')} for {counted(len(listed), 'order')}")
        if not listed:
            faults.add("a profile needs at least one order")
        elif not names:
            faults.add("a profile needs at least one model")
        ranks = _ranks(listed, names, faults)
        exact = exact_weights(weights, labels, "voter", "profile", faults)
        faults.raise_if_any()
        return cls(models=names, voters=labels, ranks=ranks, weights=tuple(exact.values()))

    @property
    def orders(self) -> tuple[Order, ...]:
        """The weak orders, best first, one a voter; tied models in board order."""
        return tuple(_order(row, self.models) for row in self.ranks)

    @property
    def is_strict(self) -> bool:
        """Whether no voter ties any two models."""
        return bool((self.ranks.max(axis=1, initial=0) == np.count_nonzero(self.ranks, axis=1)).all())

    @property
    def is_complete(self) -> bool:
        """Whether every voter ranks every model."""
        return bool((self.ranks > 0).all())

    @property
    def unranked(self) -> dict[str, tuple[str, ...]]:
        """The models that each voter leaves out, for the voters that leave any out."""
        return {
            voter: tuple(model for model, rank in zip(self.models, row, strict=True) if rank == 0)
            for voter, row in zip(self.voters, self.ranks, strict=True)
            if (row == 0).any()
        }

    frame_caption = "Ranks of the models, for each voter"

    def frame(self) -> pd.DataFrame:
        """Return the ranks as nullable integers, voters x models."""
        frame = pd.DataFrame(self.ranks, index=list(self.voters), columns=list(self.models)).astype("Int64")
        return frame.mask(frame == 0)

    def break_ties(self, how: TieBreak = "alphabetical") -> Profile:
        """Return the profile with the ties of every voter broken by model name.

        Parameters
        ----------
        how : {"alphabetical", "reverse", None}
            Among tied models the one first by code point goes first, or last; None keeps the ties.
        """
        if how is None:
            return self
        one_of("break_ties", how, TIE_BREAKS)
        key = np.argsort(sorted(range(len(self.models)), key=self.models.__getitem__, reverse=how == "reverse"))
        broken = np.zeros_like(self.ranks)
        for row, ranks in enumerate(self.ranks):
            ranked = np.flatnonzero(ranks)
            order = ranked[np.lexsort((key[ranked], ranks[ranked]))]
            broken[row, order] = np.arange(1, len(order) + 1)
        return replace(self, ranks=broken)

    def select(self, *, models: Iterable[str] | None = None, voters: Iterable[str] | None = None) -> Profile:
        """Return the profile of some models and voters, in the given order and once each.

        Raises
        ------
        UnknownNameError
            If a name is not known.
        """
        columns = positions(models, self.models, "model", holder="profile")
        rows = positions(voters, self.voters, "voter", holder="profile")
        kept = self.ranks[np.ix_(rows, columns)]
        return Profile(
            models=tuple(self.models[i] for i in columns),
            voters=tuple(self.voters[i] for i in rows),
            ranks=kept if models is None else dense_ranks(np.where(kept > 0, -kept.astype(np.float64), np.nan)),
            weights=tuple(self.weights[i] for i in rows),
        )

    def complete(self) -> Profile:
        """Return the profile of the models that every voter ranks."""
        return self.select(models=[self.models[one] for one in np.flatnonzero((self.ranks > 0).all(axis=0))])

    def with_unlisted_last(self) -> Profile:
        """Return the profile in which models that a voter does not rank tie behind all that the voter ranks."""
        last = self.ranks.max(axis=1, keepdims=True) + 1
        ranks = np.where(self.ranks > 0, self.ranks, last).astype(self.ranks.dtype)
        return replace(self, ranks=ranks)

    readers: ClassVar[Readers] = {"models": read_names, "ranks": read_items, "weights": read_numbers}

    def parts(self) -> dict[str, Any]:
        """Return the models, the ranks by voter, and the weights that are not 1."""
        weights = zip(self.voters, self.weights, strict=True)
        ranks = dict(zip(self.voters, self.ranks, strict=True))
        return {"models": self.models, "ranks": ranks, "weights": {voter: one for voter, one in weights if one != 1}}

    @classmethod
    def from_parts(cls, read: Mapping[str, Any]) -> Profile:
        """Return the profile of parts that were read from a document."""
        faults, models, listed = Faults(), read["models"], dict(read["ranks"])
        checked_names(models, "model", faults)
        exact = exact_weights(read["weights"], tuple(listed), "voter", "profile", faults)
        ranks = read_integers(list(listed.values()), "ranks", len(models))
        if ((ranks < 0) | (ranks > len(models))).any():
            faults.add("ranks must be integers from 0 to the number of models")
        faults.raise_if_any()
        return cls(models=models, voters=tuple(listed), ranks=ranks.astype(np.int32), weights=tuple(exact.values()))

    def ensure_same(self, source: Any, *, weights: bool = True, in_order: bool = False, broken: bool = False) -> None:
        """Raise ProofError, naming the first difference, unless a source has these models, voters, ranks and weights.

        Parameters
        ----------
        source : Profile, or a leaderboard for its rankings
            Source that a result claims to describe.
        weights : bool
            Whether the weights take part in the claim.
        in_order : bool
            Whether models and voters must stand in the same order, too.
        broken : bool
            Whether these rankings may break the source's ties.
        """
        given = source if isinstance(source, Profile) else source.rankings()
        columns, rows = places_in(self, given, "models", "voters", in_order=in_order)
        if weights:
            theirs = [given.weights[row] for row in rows]
            ensure_same_cells("the weight of {} is", [self.voters], self.weights, theirs)
        ranks = given.ranks[np.ix_(rows, columns)]
        if broken:
            ties = [is_breaking(mine, theirs) for mine, theirs in zip(self.ranks, ranks, strict=True)]
            ranks[ties] = self.ranks[ties]
        ensure_same_cells("the rank that {} gives {} is", (self.voters, self.models), self.ranks, ranks)

    def signs(self) -> Signs:
        """Return the signs of the models, the voters as tasks."""
        levels = np.where(self.ranks > 0, -self.ranks.astype(np.float64), np.nan).T.copy()
        return Signs(models=self.models, tasks=self.voters, levels=levels)

    def margins(self) -> Margins:
        """Return the weighted majority margins of the profile, in the units of its weights."""
        return Margins.from_signs(self.signs(), self.weights)

    def relations(self) -> Relations:
        """Return each voter's weak order as a relation; a model that a voter leaves out is related to itself only."""
        ranks = self.ranks[:, :, None]
        array = (ranks <= self.ranks[:, None, :]) & (ranks > 0) & (self.ranks[:, None, :] > 0)
        array |= np.eye(len(self.models), dtype=np.bool_)
        return Relations(items=self.voters, models=self.models, array=array)


def is_breaking(ranks: AnyArray, given: AnyArray) -> bool:
    """Return whether ranks are strict and contradict no strict preference of the given ones."""
    ranked = np.flatnonzero(given)
    if not np.array_equal(ranked, np.flatnonzero(ranks)) or len(np.unique(ranks[ranked])) != len(ranked):
        return False
    along = given[ranked][np.argsort(ranks[ranked])]
    return bool((np.diff(along) >= 0).all())


def _places(order: Any, where: str, faults: Faults) -> list[tuple[str, ...]]:
    """Return the places of one order, best first, each the names that tie there."""
    if isinstance(order, str | Mapping) or not isinstance(order, Iterable):
        faults.add(f"{where} must be a list of names or of tied names, best first; got {order!r}")
        return []
    tied = [place if isinstance(place, Iterable) and not isinstance(place, str) else (place,) for place in order]
    return [tuple(sorted(map(str, place))) for place in tied]


def _ranks(orders: list[list[tuple[str, ...]]], models: tuple[str, ...], faults: Faults) -> RanksArray:
    column = {model: position for position, model in enumerate(models)}
    ranks = np.zeros((len(orders), len(models)), dtype=np.int32)
    for row, order in enumerate(orders):
        for rank, place in enumerate((place for place in order if place), start=1):
            for model in place:
                if model not in column:
                    faults.add(f"order {row + 1} ranks {model!r}, which is not among the models")
                elif ranks[row, column[model]]:
                    faults.add(f"order {row + 1} ranks {model!r} twice")
                else:
                    ranks[row, column[model]] = rank
    return ranks


def dense_ranks(rows: FloatArray) -> RanksArray:
    """Return the dense ranks of each row of numbers: the greatest is 1, equal ones share a rank, NaN is 0."""
    ranks: RanksArray = np.zeros((rows.shape[0], rows.shape[1]), dtype=np.int32)
    height = max(1, BLOCK_CELLS // max(1, rows.shape[1]))
    for start in range(0, len(rows), height):
        block = -rows[start : start + height]
        row, order = np.arange(len(block))[:, None], np.argsort(block, axis=1)
        block = block[row, order]
        steps = np.ones(block.shape, dtype=np.int32)
        steps[:, 1:] = block[:, 1:] != block[:, :-1]
        places = np.where(np.isnan(block), 0, np.cumsum(steps, axis=1, dtype=np.int32))
        ranks[start : start + height][row, order] = places
    return ranks


def _is_dense(ranks: np.ndarray) -> np.ndarray:
    """Tell of each row whether its ranks are 1, 2, ... without a gap, or 0: as many as the greatest says."""
    count = ranks.shape[1]
    inside = (ranks >= 0) & (ranks <= count)
    found = np.zeros((len(ranks), count + 1), dtype=np.bool_)
    found[np.arange(len(ranks))[:, None], np.where(inside, ranks, 0)] = True
    return np.asarray(inside.all(axis=1) & (found[:, 1:].sum(axis=1) == ranks.max(axis=1, initial=0)))


def _order(ranks: np.ndarray, models: tuple[str, ...]) -> Order:
    return tuple(
        tuple(models[int(i)] for i in np.flatnonzero(ranks == rank)) for rank in range(1, int(ranks.max(initial=0)) + 1)
    )
