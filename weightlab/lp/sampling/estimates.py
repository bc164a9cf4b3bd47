"""Counts of what happened under drawn weights, and what they say of its share: intervals of 95%."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray, IntArray
from weightlab._result import Codec, Proof, Record, Result, ensure, read_integers, read_list
from weightlab._solver import ensure_time
from weightlab.exceptions import UnprovedError
from weightlab.lp.sampling.draws import Draws, Method
from weightlab.lp.sampling.questions import Question
from weightlab.lp.space.space import WeightSpace

LEVEL = 0.95
"""Probability that an interval covers the share."""
AGREEING = 1 - 1e-9
"""Level of the intervals that must overlap where the same seed draws other weights."""
ALMOST_ALL = 0.9994
"""Ends of intervals are printed as 99.9% at most: no sample makes a share certain, however it is rounded."""
NEAR = 1e-9
"""Means of the same weightings differ by less, whatever the order in which they were added."""


def _counts_from_json(listed: Any, what: str) -> IntArray:
    return read_integers(listed, what, dimensions=1 + any(isinstance(one, list) for one in read_list(listed, what)))


Counts = Annotated[IntArray, Codec(np.ndarray.tolist, _counts_from_json)]


class DrawCounts(Record):
    """How often each of several things happened.

    Attributes
    ----------
    counts : ndarray of int
        So often in all, one number a thing.
    squares : ndarray of int
        The sum over the chains of the squares of each chain's count.
    """

    counts: Counts
    squares: Counts

    def shares(self, draws: Draws) -> FloatArray:
        """Return counts as shares of all draws."""
        return np.asarray(self.counts / draws.samples)

    def effective(self, draws: Draws) -> FloatArray:
        """Return how many independent draws would leave each share as uncertain as it is.

        From the variance of the share between chains, which are independent. An event that happened never,
        always or seldom says little about it, so no event counts for more than all events together.
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
        """Return the upper end of the interval of a share without any draw, which needs no SciPy."""
        return np.asarray(1 - ((1 - level) / 2) ** (1 / self.effective(draws)))

    def check_form(self, shape: tuple[int, ...], draws: Draws) -> None:
        """Ensure that the counts are whole numbers, one a thing, none above the number of draws."""
        for numbers in (self.counts, self.squares):
            ensure(numbers.shape == shape and numbers.dtype.kind == "i", "there must be one whole number a model")
        ensure((self.counts >= 0).all() and (self.counts <= draws.samples).all(), "a count is above all draws")
        # Sum and sum of squares of what the chains counted: the first bound is Cauchy and Schwarz's, the second needs
        # no negative count.
        least = self.counts.astype(object) ** 2
        ensure((self.squares * draws.chains >= least).all() and (self.squares <= least).all(), "squares do not fit")


Sums = Mapping[str, tuple[float, ...]]
"""Of each model that was first under some of the weightings, the sum of these, one number per task."""


def counted(draws: Draws, models: Sequence[str], question: Question) -> tuple[DrawCounts, Sums]:
    """Return how often each thing happens under drawn weightings, and the sums of those under which who is first."""
    counts, squares, own = (np.zeros(question.shape, dtype=np.int64) for _ in range(3))
    sums, ever = np.zeros((len(models), len(draws.space.tasks))), np.zeros(len(models), dtype=np.bool_)
    present = 0
    for chain, weights in draws.by_chain(question.most):
        ensure_time("sampling")
        happened, first = question.at_point() if draws.method is Method.POINT else question.under(weights)
        if chain != present:
            squares += own**2
            own[...] = 0
            present = chain
        own += happened
        counts += happened
        some = np.flatnonzero(first.any(axis=0))
        sums[some] += first[:, some].T.astype(np.float64) @ weights
        ever[some] = True
    means = {models[place]: tuple(sums[place].tolist()) for place in np.flatnonzero(ever).tolist()}
    return DrawCounts(counts=counts, squares=squares + own**2), means


class SampledShares(Result):
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

    def means_of(self, sums: Sums, counts: Mapping[str, int]) -> pd.DataFrame:
        """Return the mean of the weightings under which each model was first (models x tasks)."""
        means = {model: np.divide(row, counts[model]) for model, row in sums.items()}
        return pd.DataFrame(means, index=list(self.space.tasks), dtype=np.float64).T

    def check_drawn(
        self, question: Question, models: Sequence[Any], own: DrawCounts, sums: Sums, first: Sequence[int]
    ) -> None:
        """Ensure that drawing again from the seed gives the same counts, and sums that differ by rounding alone.

        Parameters
        ----------
        question : Question
            What is counted.
        models : sequence
            All models, or pairs of models.
        own, sums
            What was found: see `counted`.
        first : sequence of int
            By model, under how many weightings it was first, where there are sums.

        Raises
        ------
        ProofError
            If they cannot be of one sample, or chance does not explain how those drawn here differ from them.
        UnprovedError
            If others are drawn here that agree with them as far as chance goes, which may be since NumPy or the
            processor differs; or if drawing them again would take longer than about a minute.
        """
        draws = self.draws
        counts = {model: count for model, count in zip(models, first, strict=bool(first)) if count}
        ensure(sums.keys() == counts.keys(), "the central weights are of other models than those that were first")
        for model, row in sums.items():
            ensure(len(row) == len(draws.space.tasks) and min(row) >= 0, f"central weights of {model!r} are no weights")
            ensure(abs(sum(row) - counts[model]) <= NEAR * counts[model], "central weights do not sum to 1")
        draws.ensure_soon(len(models))
        again, anew = counted(draws, models, question)
        same = np.array_equal(own.counts, again.counts) and np.array_equal(own.squares, again.squares)
        pairs = [(row, anew[model], counts[model]) for model, row in sums.items()] if same else []
        if same and all(np.allclose(one, other, rtol=0, atol=NEAR * count) for one, other, count in pairs):
            return
        (low, high), (other_low, other_high) = (one.intervals(draws, AGREEING) for one in (own, again))
        near = (low <= other_high) & (other_low <= high)
        ensure(near.all(), f"weights drawn again from seed {draws.seed} give counts that chance does not explain")
        raise UnprovedError(
            f"seed {draws.seed} draws other weightings here, by NumPy {np.__version__}, than by NumPy {draws.numpy} "
            "where the shares are from: they agree as far as chance goes, which proves nothing"
        )
