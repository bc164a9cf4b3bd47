"""Counts of what happened under drawn weights, and what they say of its share: intervals of 95%."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen, Proof, ensure, part, read_integers, read_list
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.sampling.draws import Draws, Method, arithmetic
from weightlab.lp.space.space import WeightSpace

LEVEL = 0.95
"""Probability that an interval covers the share."""
AGREEING = 1 - 1e-9
"""Level of the intervals that must overlap where another NumPy or processor draws other weights."""


class SampledShares:
    """Shares of weightings, estimated from random ones: its ``draws``."""

    draws: Draws

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """The shares are ``sampled``; where the space is one weighting, nothing is drawn and all is ``exact``."""
        return {"shares": Proof.EXACT if self.draws.method is Method.POINT else Proof.SAMPLED}

    @property
    def space(self) -> WeightSpace:
        """The weights that were allowed."""
        return self.draws.space


class DrawCounts(Frozen):
    """How often each of several things happened.

    Attributes
    ----------
    counts : ndarray of int
        So often in all, one number a thing.
    squares : ndarray of int
        The sum over the chains of the squares of each chain's count.
    """

    counts: IntArray
    squares: IntArray

    @classmethod
    def of_chains(cls, counts: IntArray) -> DrawCounts:
        """Return the sums of counts whose last axis goes through the chains."""
        exact = counts.astype(np.int64)
        return cls(counts=exact.sum(axis=-1), squares=(exact**2).sum(axis=-1))

    @classmethod
    def of_parts(cls, parts: Iterable[tuple[int, NDArray[np.int64]]], shape: tuple[int, ...]) -> DrawCounts:
        """Return the sums of counts that come chain after chain, each in one part or several."""
        counts, squares, own = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        present = 0
        for chain, drawn in parts:
            if chain != present:
                squares += own**2
                own[...] = 0
                present = chain
            own += drawn
            counts += drawn
        return cls(counts=counts, squares=squares + own**2)

    def shares(self, draws: Draws) -> FloatArray:
        """Return counts as shares of all draws."""
        return np.asarray(self.counts / draws.samples)

    def effective(self, draws: Draws) -> FloatArray:
        """Return how many independent draws would leave each share as uncertain as it is.

        From the variance of the share between chains, which know nothing of each other. A thing that happened never,
        always or seldom says little about it, so that nothing counts for more than all things together do.
        """
        samples, chains = draws.samples, draws.chains
        if chains == 1:
            return np.full(self.counts.shape, float(samples))
        share = self.shares(draws)
        # The variance of the chains' shares, divided by their number: that of the overall share, whatever the
        # correlation within a chain.
        between = np.maximum(self.squares * (chains / samples) ** 2 - chains * share**2, 0.0) / (chains - 1) / chains
        spread = share * (1 - share)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Independent draws would have the variance ``share * (1 - share) / n``: solved for n.
            own = np.where(between > 0, spread / between, np.inf)
            pooled = spread.sum() / between.sum() if between.sum() > 0 else float(chains)
        return np.asarray(np.clip(np.minimum(own, pooled), 1.0, samples))

    def intervals(self, draws: Draws, level: float = LEVEL) -> tuple[FloatArray, FloatArray]:
        """Return the ends of Clopper-Pearson intervals; where nothing is drawn they are the share itself."""
        from scipy.special import betaincinv  # noqa: PLC0415 - takes as long to load as all of lp

        share = self.shares(draws)
        if draws.method is Method.POINT:
            return share, share.copy()
        count = self.effective(draws)
        hits, rest = share * count, (1 - share) * count
        tail = (1 - level) / 2
        # Clopper and Pearson's ends as quantiles of beta distributions, which take fractional numbers of hits, too.
        low = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-300), rest + 1, tail), 0.0)
        high = np.where(rest > 0, betaincinv(hits + 1, np.maximum(rest, 1e-300), 1 - tail), 1.0)
        return low, np.where(hits > 0, high, self.highest_unseen(draws, level))

    def highest_unseen(self, draws: Draws, level: float = LEVEL) -> FloatArray:
        """Return the upper end of the interval of a share of which nothing was drawn, and which needs no SciPy."""
        return np.asarray(1 - ((1 - level) / 2) ** (1 / self.effective(draws)))

    def check(self, again: DrawCounts, draws: Draws) -> None:
        """Ensure that drawing again has given the same counts.

        Raises
        ------
        ProofError
            If it has not, where the arithmetic is the same, or where chance does not explain the difference.
        UnprovedError
            If chance explains it: other arithmetic draws other weights, and whether these were drawn cannot be known.
        """
        if np.array_equal(self.counts, again.counts) and np.array_equal(self.squares, again.squares):
            return
        ensure(draws.numpy != arithmetic(), f"weights drawn again from seed {draws.seed} give other counts")
        (low, high), (other_low, other_high) = (one.intervals(draws, AGREEING) for one in (self, again))
        near = (low <= other_high) & (other_low <= high)
        ensure(near.all(), f"weights drawn again, with NumPy {arithmetic()}, give counts that chance does not explain")
        raise drawn_elsewhere(draws)

    def check_form(self, shape: tuple[int, ...], draws: Draws) -> None:
        """Ensure that the counts are whole numbers, one a thing, none above the number of draws."""
        for numbers in (self.counts, self.squares):
            ensure(numbers.shape == shape, "there must be one count a model")
            ensure(numbers.dtype.kind == "i", "counts must be whole numbers")
        ensure((self.counts >= 0).all() and (self.counts <= draws.samples).all(), "a count is above all draws")
        # Sum and sum of squares of what the chains counted: the first bound is Cauchy and Schwarz's, the second needs
        # no negative count.
        least = self.counts.astype(object) ** 2
        ensure((self.squares * draws.chains >= least).all() and (self.squares <= least).all(), "squares do not fit")

    def to_dict(self) -> dict[str, Any]:
        """Return the counts ready for JSON, in order and without the zeros: place, count, square."""
        counts, squares = self.counts.ravel(), self.squares.ravel()
        places = np.flatnonzero(counts)
        return {
            "shape": list(self.counts.shape),
            "entries": np.stack([places, counts[places], squares[places]], axis=1).tolist(),
        }

    @classmethod
    def from_dict(cls, document: Any, what: str, shape: tuple[int, ...]) -> DrawCounts:
        """Return the counts of this shape that ``to_dict`` wrote.

        Raises
        ------
        InputError
            If it has another shape, or holds what is not a whole number.
        """
        if part(document, "shape", what) != list(shape):
            raise InputError(f"{what}: the counts are of other models")
        entries = read_integers(part(document, "entries", what), what).tolist()
        if entries and len(entries[0]) != 3:
            raise InputError(f"{what}: a place, a count and a square are needed")
        counts, squares = (np.zeros(shape, dtype=np.int64) for _ in range(2))
        linear, flat_squares = counts.reshape(-1), squares.reshape(-1)
        for place, count, square in entries:
            if not 0 <= place < len(linear):
                raise InputError(f"{what}: {place} is not the place of a model")
            if linear[place] or not 0 < count < 2**31 or not 0 < square < 2**62:
                raise InputError("counts must be positive, and each place have one")
            linear[place], flat_squares[place] = count, square
        return cls(counts=counts, squares=squares)


def read_pairs(document: Any, what: str, models: Sequence[str]) -> DrawCounts:
    """Return the counts of all pairs of models, or of models and ranks, that ``DrawCounts.to_dict`` wrote."""
    return DrawCounts.from_dict(document, what, (len(models), len(models)))


def read_winners(document: Any, what: str, models: Sequence[str]) -> DrawCounts:
    """Return the counts of all models and of "no winner" that ``DrawCounts.to_dict`` wrote."""
    return DrawCounts.from_dict(document, what, (len(models) + 1,))


# Central weights: the mean of the weightings under which something happened.

ALMOST_ALL = 0.9994
"""Ends of intervals are printed as 99.9% at most: no sample makes a share certain, however it is rounded."""
NEAR = 1e-9
"""Means of the same weightings differ by less, whatever the order in which they were added."""


def central_frame(sums: FloatArray, counts: IntArray, models: Sequence[str], tasks: Sequence[str]) -> pd.DataFrame:
    """Return the means (models x tasks) of models with a count, from sums of weightings."""
    kept = np.flatnonzero(counts)
    means = sums[kept] / counts[kept, None]
    return pd.DataFrame(means, index=[models[place] for place in kept], columns=list(tasks))


def check_central(sums: FloatArray, counts: IntArray, again: FloatArray, again_counts: IntArray, draws: Draws) -> None:
    """Ensure that sums are of so many weightings, and that means are those found anew, but for rounding.

    Parameters
    ----------
    sums, again : ndarray of float, models x tasks
        Sums of weightings.
    counts, again_counts : ndarray of int, models
        Of so many.
    draws : Draws
        How they were drawn.

    Raises
    ------
    ProofError
        Naming what fails.
    UnprovedError
        If other arithmetic drew other weights.
    """
    ensure(
        sums.shape[:1] == counts.shape and np.isfinite(sums).all(), "central weights must be finite, one row a model"
    )
    ensure((sums >= 0).all(), "a central weight is negative")
    room = NEAR * np.maximum(counts, 1)
    ensure((np.abs(sums.sum(axis=1) - counts) <= room).all(), "central weights do not sum to 1")
    both = (counts > 0) & (again_counts > 0)
    means, others = sums[both] / counts[both, None], again[both] / again_counts[both, None]
    if not (np.abs(means - others) <= NEAR).all():
        ensure(draws.numpy != arithmetic(), "weights drawn again give other central weights")
        raise drawn_elsewhere(draws)


def drawn_elsewhere(draws: Draws) -> UnprovedError:
    """Return the error for weights that cannot be drawn here, and that those drawn here do not refute."""
    return UnprovedError(
        f"the weightings were drawn by NumPy {draws.numpy}, and here ({arithmetic()}) seed {draws.seed} draws others: "
        "these agree with the shares as far as chance goes, which proves nothing"
    )


def central_to_json(sums: FloatArray) -> list[list[float] | None]:
    """Return sums of weightings ready for JSON, a list of numbers a model, null for models that have none."""
    return [row.tolist() if row.any() else None for row in sums]


def central_from_json(listed: Any, what: str, models: Sequence[str], tasks: Sequence[str]) -> FloatArray:
    """Return the sums of weightings that ``central_to_json`` wrote, models x tasks."""
    sums = np.zeros((len(models), len(tasks)))
    if len(read_list(listed, what)) != len(models):
        raise InputError(f"{what}: there must be one entry a model")
    for place, row in enumerate(listed):
        if row is None:
            continue
        if not isinstance(row, list) or len(row) != len(tasks) or any(type(one) is not float for one in row):
            raise InputError(f"{what} of {models[place]!r} must be {len(tasks)} numbers")
        sums[place] = row
    return sums
