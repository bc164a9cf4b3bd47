"""Weights drawn at random from a weight space, in a way that can be drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray, IntArray, Number, WeightsLike, fraction
from weightlab._result import Codec, Proof, Record, Result, ensure, read_integers, read_list
from weightlab._solver import ensure_time, within
from weightlab._validate import MOST_DRAWS, Faults, RngLike, ensure_few_draws, exact_numbers, is_scalar, seed_of
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.sampling.body import Body, Walk, body_of
from weightlab.lp.sampling.questions import Question
from weightlab.lp.space.space import WeightSpace

CHAINS = 100
"""Number of chains that run side by side where weights cannot be drawn independently."""
PILOT = 2_048
"""Number of independent draws that show what share of them falls inside a space."""
INSIDE = 1 / 50
"""Independent draws are taken where at least this share of them falls inside."""
SMALLEST, LARGEST = Fraction(1, 10**6), Fraction(10**9)
"""Concentrations between these can be drawn in floating point."""
MOST_WORK = 10**9
"""A sample is drawn again to check a result where samples x models x tasks (x steps of chains) are no more."""
A_SECOND = 25_000_000
"""Work done in a second, within a factor of ten."""
MOST_HELD = 10**8
"""Largest number of weights, over all samples, that are held in memory: 0.8 GB."""
NARROWEST = 1e-10
"""Floating-point leads cannot distinguish weights that differ by less."""


class Method(StrEnum):
    """How weights are drawn."""

    POINT = "one point"
    """The space is a single weighting: nothing is drawn."""

    INDEPENDENT = "independent"
    """From the prior, those outside the space being left out."""

    CHAINS = "hit-and-run"
    """By chains that move along chords of the space."""


class Draws(Record):
    """A random sample of weights that anyone can draw again.

    Attributes
    ----------
    space : WeightSpace
        The weights that are allowed.
    prior : mapping from task to Fraction
        Concentrations of the Dirichlet density; all 1 is uniform.
    samples : int
        How many weightings.
    seed : int
        All draws follow from it.
    method : Method
        How they are drawn.
    numpy : str
        The version of NumPy that drew: another one may turn the same seed into other numbers, and so may a processor
        that rounds another way.
    """

    space: WeightSpace
    prior: Mapping[str, Fraction]
    samples: int
    seed: int
    method: Method
    numpy: str

    @cached_property
    def body(self) -> Body:
        """The space with a point of its interior, found again and exactly."""
        return body_of(self.space)

    @property
    def chains(self) -> int:
        """Number of chains; independent draws count as one."""
        return min(CHAINS, self.samples) if self.method is Method.CHAINS else 1

    @property
    def thinning(self) -> int:
        """Steps of a chain from one sample to the next: a third of the dimension of the space."""
        return -(-self.body.dimension // 3) if self.method is Method.CHAINS else 1

    @property
    def burn_in(self) -> int:
        """Steps of a chain before its first sample."""
        return 10 * self.body.dimension + 100 if self.method is Method.CHAINS else 0

    @cached_property
    def shapes(self) -> FloatArray:
        """The concentrations of the weights that move; of the others 1, for they play no part."""
        return _shapes(self.body, self.prior)

    @property
    def is_uniform(self) -> bool:
        """Whether the density is the same everywhere."""
        return bool((self.shapes == 1).all())

    def __str__(self) -> str:
        """Say how the weights were drawn."""
        if self.method is Method.POINT:
            return "the only weighting allowed"
        how = "uniformly" if self.is_uniform else "from a Dirichlet density"
        by = "" if self.method is Method.INDEPENDENT else f" by {self.chains} hit-and-run chains"
        return f"{self.samples:,} weightings drawn {how}{by}"

    def blocks(self, most: int) -> Iterator[FloatArray]:
        """Yield the sample in blocks of at most ``most`` weightings (weightings x tasks), the same every time.

        Of chains, the first weighting of each comes first, then the second of each, and so on: the number of a
        weighting modulo ``chains`` is its chain.
        """
        if self.method is Method.POINT:
            yield self.body.point[None]
            return
        rng = np.random.default_rng(self.seed)
        parts = self._independent(rng) if self.method is Method.INDEPENDENT else self._chained(rng)
        # Parts come in the sizes that drawing makes; they are regrouped, so that the sequence does not depend on
        # ``most``.
        left = self.samples
        waiting: list[FloatArray] = []
        for part in parts:
            waiting.append(part[:left])
            left -= len(waiting[-1])
            if left == 0 or sum(map(len, waiting)) >= most:
                together = np.concatenate(waiting)
                yield from (together[start : start + most] for start in range(0, len(together), most))
                waiting = []
            if left == 0:
                return

    def by_chain(self, most: int) -> Iterator[tuple[int, FloatArray]]:
        """Yield the number of a chain with a block of at most ``most`` of its weightings, chain after chain.

        The weightings of all chains are held at once: O(samples x tasks) numbers.
        """
        if self.chains > 1 and self.samples * len(self.prior) > MOST_HELD:
            raise UnprovedError(f"{self.samples:,} weightings by chains do not fit into memory; take fewer samples")
        if self.chains == 1:
            yield from ((0, block) for block in self.blocks(most))
            return
        (together,) = self.blocks(self.samples)
        for chain in range(self.chains):
            own = together[chain :: self.chains]
            yield from ((chain, own[start : start + most]) for start in range(0, len(own), most))

    def _independent(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        size = max(1, min(self.samples, 2**18 // len(self.prior)))
        for weights in _dirichlet(self.body, self.shapes, size, rng):
            # Rejection from the prior: what falls inside is distributed as it should be, and independent.
            inside = self.body.inside(weights - self.body.point) if self.space.conditions else slice(None)
            yield weights[inside]

    def _chained(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        walk = Walk(self.body, self.chains, None if self.is_uniform else self.shapes - 1, rng)
        walk.burn_in(self.burn_in)
        while True:
            yield walk.sample(self.thinning)

    def check(self) -> None:
        """Ensure that the space, the prior and the way of drawing belong together; draws nothing.

        Raises
        ------
        ProofError
            Naming what fails.
        """
        ensure(self.prior.keys() == set(self.space.tasks), "the prior is not about the tasks of the space")
        for task, one in self.prior.items():
            ensure(SMALLEST <= one <= LARGEST, f"the concentration of {task!r} is out of range: {one}")
        whole = type(self.samples) is int and type(self.seed) is int
        ensure(whole and self.samples > 0 and self.seed >= 0, "samples and seed must be whole numbers")
        ensure(self.samples <= MOST_DRAWS + CHAINS, f"more than {MOST_DRAWS:,} samples are not drawn again")
        found = _method_by_shape(self.body)
        ensure(found in (None, self.method), f"the weights of this space are drawn as {found}, not {self.method}")
        ensure(found is not None or self.method is not Method.POINT, "the space is more than one point")
        together = self.samples == 1 if self.method is Method.POINT else self.samples % self.chains == 0
        ensure(together, f"{self.samples} draws are not what {self.method} makes")
        if self.method is Method.CHAINS:
            ensure(_pole(self.body, self.prior) is None, "the density may have no finite integral")
        if self.method is not Method.POINT and self.space.conditions:
            ensure(_width(self.body) >= NARROWEST, "the space is too narrow to draw from")

    def ensure_soon(self, models: int) -> None:
        """Raise UnprovedError where drawing the sample again takes longer than about a minute."""
        work = self.samples * self.thinning * models * len(self.prior)
        if self.method is not Method.POINT and work > MOST_WORK:
            minutes = work // (A_SECOND * 60) + 1
            raise UnprovedError(
                f"to draw {self.samples:,} weightings again would take some {minutes:,} minutes, so the shares are not "
                f"checked; repeat the question with the seed {self.seed} and compare"
            )


def draws_from(
    space: WeightSpace,
    *,
    samples: Any,
    rng: RngLike = None,
    prior: Number | WeightsLike | None = None,
    time_limit: float | None = None,
) -> Draws:
    """Return a random sample of a space's weights.

    Raises
    ------
    InputError
        If the number of samples, the seed or the prior is wrong, or the space cannot be drawn from.
    EmptySpaceError
        If no weights satisfy the conditions.
    """
    if isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < 1:
        raise InputError(f"samples must be a whole number from 1 on; got {samples!r}")
    ensure_few_draws("samples", int(samples))
    concentrations = _concentrations(prior, space)
    seed = seed_of(rng)
    with within(time_limit):
        body = body_of(space)
    method = _method_by_shape(body)
    if method is None:
        # Independently where the space is a large part of its hull, a simplex, as a pilot sample shows.
        pilot = next(_dirichlet(body, _shapes(body, concentrations), PILOT, np.random.default_rng([seed, PILOT])))
        method = Method.INDEPENDENT if body.inside(pilot - body.point).mean() >= INSIDE else Method.CHAINS
    if method is Method.CHAINS and (task := _pole(body, concentrations)) is not None:
        raise InputError(
            f"the concentration of {task!r} is below 1, and conditions tie weights to each other: the density may "
            "have no finite integral there; take concentrations of at least 1, or drop those conditions"
        )
    if method is not Method.POINT and space.conditions and (width := _width(body)) < NARROWEST:
        # Rounding would decide who leads.
        raise InputError(
            f"the space is too narrow to draw from: somewhere weights move by no more than {width:.1g}, and at least "
            f"{NARROWEST:g} is needed; `prospects` decides exactly who can win in it by which rule"
        )
    count = min(CHAINS, int(samples)) if method is Method.CHAINS else 1
    drawn = 1 if method is Method.POINT else -(-int(samples) // count) * count
    return Draws(space=space, prior=concentrations, samples=drawn, seed=seed, method=method, numpy=np.__version__)


def _concentrations(prior: Any, space: WeightSpace) -> dict[str, Fraction]:
    """Return one concentration a task."""
    faults = Faults()
    if prior is None or is_scalar(prior):
        by_task = dict.fromkeys(space.tasks, Fraction(1) if prior is None else fraction(prior))
    else:
        by_task = exact_numbers(prior, space.tasks, "task", faults, what="concentration", holder="weight space")
        for task in space.tasks:
            if task not in by_task and not faults:
                faults.add(f"no concentration for task {task!r}; every task needs one (1 each is uniform)")
    for task, one in by_task.items():
        if not SMALLEST <= one <= LARGEST:
            faults.add(f"concentration of task {task!r} must be between {SMALLEST} and {LARGEST}; got {one}")
    faults.raise_if_any()
    return {task: by_task[task] for task in space.tasks}


def _method_by_shape(body: Body) -> Method | None:
    """Return how to draw from a space; None where that depends on how small a part of its hull it is."""
    if body.dimension == 0:
        return Method.POINT
    if not body.space.conditions:
        return Method.INDEPENDENT
    return None if body.is_simplex else Method.CHAINS


def _pole(body: Body, prior: Mapping[str, Fraction]) -> str | None:
    """Return a task at whose zero the density has a pole that conditions may join with others, or None."""
    low = [task for task, moves in zip(body.space.tasks, body.moving, strict=True) if moves and prior[task] < 1]
    return low[0] if low and not body.is_simplex else None


def _width(body: Body) -> float:
    """Return how far weights move from the body's point in the direction in which they move least."""
    low, high = body.chords(np.zeros_like(body.steps), body.steps)
    return float(((high - low) * np.abs(body.steps).max(axis=1)).min())


def _shapes(body: Body, prior: Mapping[str, Fraction]) -> FloatArray:
    return np.where(body.moving, [float(prior.get(task, 1)) for task in body.space.tasks], 1.0)


def _dirichlet(body: Body, shapes: FloatArray, count: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield Dirichlet weights on the simplex that is the hull: fixed tasks keep their weight, the others share."""
    moving = np.flatnonzero(body.moving)
    shared = float(sum((body.exact[place] for place in moving.tolist()), Fraction(0)))
    shapes = shapes[moving]
    while True:
        weights = np.tile(body.point, (count, 1))
        if (shapes == 1).all():
            # Normalised exponentials are uniform on the simplex; normalised gammas are Dirichlet.
            parts = rng.standard_exponential((count, len(moving)))
        else:
            # In logarithms, since powers below 1 of small numbers underflow: x ** (1 / a) has shape a if x is uniform.
            # A gamma of shape a < 1 is one of shape a + 1 times ``uniform ** (1 / a)``. log1p(-u) with u below 1 is
            # never infinite.
            logs = np.log(rng.standard_gamma(shapes + (shapes < 1), (count, len(moving))))
            logs += np.where(shapes < 1, np.log1p(-rng.random((count, len(moving)))) / shapes, 0.0)
            parts = np.exp(logs - logs.max(axis=1, keepdims=True))
        weights[:, moving] = parts * (shared / parts.sum(axis=1, keepdims=True))
        yield weights


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
        happened, first = question.under(weights)
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
        ensure(sums.keys() == counts.keys(), "the central weights do not belong to the models that were first")
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
