"""Weights drawn at random from a weight space, in a way that can be drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from hashlib import blake2b
from typing import Annotated, Any

import numpy as np
import pandas as pd

from weightlab._exact import FloatArray, Number, WeightsLike, fraction
from weightlab._result import IndexedBy, Record, ensure, exact_series
from weightlab._validate import MOST_DRAWS, Faults, RngLike, ensure_few_draws, exact_numbers, is_scalar, seed_of
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.certificates.dual import series_dict
from weightlab.lp.sampling.affine_hull import AffineHull, hull_of
from weightlab.lp.sampling.hit_and_run import SpaceBoundary, Walk, boundary_of
from weightlab.lp.space.space import WeightSpace

CHAINS = 100
"""So many chains run side by side where weights cannot be drawn independently."""
PILOT = 2_048
"""So many independent draws show how many of them fall inside a space."""
INSIDE = 1 / 50
"""Independent draws are taken where at least this share of them falls inside."""
SMALLEST, LARGEST = Fraction(1, 10**6), Fraction(10**9)
"""Concentrations between these can be drawn in floating point."""
MOST_WORK = 10**9
"""A sample is drawn again to check a result where samples x models x tasks (x steps of chains) are no more."""
A_SECOND = 25_000_000
"""So much of that is done in a second, give or take a factor of ten."""
MOST_HELD = 10**8
"""So many weights of all samples are held together at most: 0.8 GB."""
NARROWEST = 1e-10
"""Weights that move by less cannot be told apart by floating-point leads."""


@cache
def arithmetic() -> str:
    """Return the version of NumPy with a digest of how it rounds here.

    The last bits of products, logarithms and eigenvectors depend on which instructions of a processor NumPy and its
    linear algebra use, and a chain of thousands of steps makes other weights of a last bit.
    """
    sample = np.random.default_rng(0).standard_normal((100, 24))
    product = sample.T @ sample
    _, axes = np.linalg.eigh(product)
    parts = (
        sample @ axes,
        product,
        np.log(np.abs(sample)) @ np.abs(sample[0]),
        np.random.default_rng(1).dirichlet([0.5] * 24),
    )
    return f"{np.__version__} rounding {blake2b(b''.join(one.tobytes() for one in parts), digest_size=4).hexdigest()}"


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
    hull : AffineHull
        The affine hull of the space, proved.
    prior : Series of Fraction by task
        Concentrations of the Dirichlet density; all 1 is uniform.
    samples : int
        How many weightings.
    seed : int
        All draws follow from it.
    method : Method
        How they are drawn.
    numpy : str
        The version of NumPy that drew, and how processor and libraries round (`arithmetic`): others may turn the same
        seed into other numbers.
    """

    hull: AffineHull
    prior: Annotated[pd.Series, IndexedBy("hull.space.tasks", "concentration", 1)]
    samples: int
    seed: int
    method: Method
    numpy: str

    @property
    def space(self) -> WeightSpace:
        """The weights that are allowed."""
        return self.hull.space

    @property
    def chains(self) -> int:
        """Number of chains; independent draws count as one."""
        return min(CHAINS, self.samples) if self.method is Method.CHAINS else 1

    @property
    def thinning(self) -> int:
        """Steps of a chain from one sample to the next: a third of the dimension of the space."""
        return -(-self.hull.dimension // 3) if self.method is Method.CHAINS else 1

    @property
    def burn_in(self) -> int:
        """Steps of a chain before its first sample."""
        return 10 * self.hull.dimension + 100 if self.method is Method.CHAINS else 0

    @property
    def is_uniform(self) -> bool:
        """Whether the density is the same everywhere."""
        moving = self.prior[self.hull.moving]
        return all(one == 1 for one in moving)

    @cached_property
    def boundary(self) -> SpaceBoundary:
        """The boundary of the space."""
        return boundary_of(self.hull)

    def __str__(self) -> str:
        """Say how the weights were drawn."""
        if self.method is Method.POINT:
            return "the only weighting allowed"
        how = "uniformly" if self.is_uniform else "from a Dirichlet density"
        by = "" if self.method is Method.INDEPENDENT else f" by {self.chains} hit-and-run chains"
        return f"{self.samples:,} weightings drawn {how}{by}"

    def blocks(self, most: int) -> Iterator[FloatArray]:
        """Yield the sample in blocks of at most so many weightings (weightings x tasks), the same every time.

        Of chains, the first weighting of each comes first, then the second of each, and so on: the number of a
        weighting modulo ``chains`` is its chain.
        """
        if self.method is Method.POINT:
            yield np.array([[float(one) for one in self.hull.point.tolist()]])
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
        """Yield the number of a chain with a block of at most so many of its weightings, chain after chain.

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
        for weights in _dirichlet(self.hull, self.prior, size, rng):
            # Rejection from the prior: what falls inside is distributed as it should be, and independent.
            inside = self.boundary.inside(weights - self.boundary.point) if self.space.conditions else slice(None)
            yield weights[inside]

    def _chained(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        excess = None if self.is_uniform else np.array([float(one - 1) for one in self.prior]) * self.hull.moving
        walk = Walk(self.boundary, self.chains, excess, rng)
        walk.burn_in(self.burn_in)
        while True:
            yield walk.sample(self.thinning)

    def check(self) -> None:
        """Ensure that the space, the prior and the way of drawing belong together; draws nothing but the pilot.

        Raises
        ------
        ProofError
            Naming what fails.
        """
        self.hull.check()
        ensure(tuple(self.prior.index) == self.space.tasks, "the prior is not about the tasks of the space, in order")
        for task, one in series_dict(self.prior).items():
            ensure(SMALLEST <= one <= LARGEST, f"the concentration of {task!r} is out of range: {one}")
        whole = type(self.samples) is int and type(self.seed) is int
        ensure(whole and self.samples > 0 and self.seed >= 0, "samples and seed must be whole numbers")
        ensure(self.samples <= MOST_DRAWS + CHAINS, f"more than {MOST_DRAWS:,} samples are not drawn again")
        self._check_method()
        together = self.samples == 1 if self.method is Method.POINT else self.samples % self.chains == 0
        ensure(together, f"{self.samples} draws are not what {self.method} makes")
        if self.method is Method.CHAINS:
            ensure(_pole(self.hull, self.prior) is None, "the density may have no finite integral")
        if self.method is not Method.POINT and self.space.conditions:
            ensure(_width(self.hull) >= NARROWEST, "the space is too narrow to draw from")

    def ensure_soon(self, models: int) -> None:
        """Raise UnprovedError where drawing the sample again, for so many models, takes longer than some minute."""
        work = self.samples * self.thinning * models * len(self.prior)
        if self.method is not Method.POINT and work > MOST_WORK:
            minutes = work // (A_SECOND * 60) + 1
            raise UnprovedError(
                f"to draw {self.samples:,} weightings again would take some {minutes:,} minutes, so the shares are not "
                f"checked; ask the question anew with the seed {self.seed} and compare"
            )

    def _check_method(self) -> None:
        """Ensure that the weights are drawn as those of this space are, with whatever version of NumPy.

        Only where a pilot sample decides, and does so by little, may that of another version decide otherwise.
        """
        found = _method_by_shape(self.hull)
        if found is None:
            inside = _share_inside(self.hull, self.prior, self.seed)
            by_little = INSIDE / 4 < inside < INSIDE * 4
            if by_little and self.numpy != arithmetic() and self.method is not Method.POINT:
                return
            found = Method.INDEPENDENT if inside >= INSIDE else Method.CHAINS
        ensure(found is self.method, f"the weights of this space are drawn as {found}, not {self.method}")


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
    hull = hull_of(space, time_limit=time_limit)
    method = _method(hull, concentrations, seed)
    if method is Method.CHAINS and (task := _pole(hull, concentrations)) is not None:
        raise InputError(
            f"the concentration of {task!r} is below 1, and conditions tie weights to each other: the density may "
            "have no finite integral there; take concentrations of at least 1, or drop those conditions"
        )
    if method is not Method.POINT and space.conditions and (width := _width(hull)) < NARROWEST:
        # Rounding would decide who leads.
        raise InputError(
            f"the space is too narrow to draw from: somewhere weights move by no more than {width:.1g}, and at least "
            f"{NARROWEST:g} is needed; `prospects` decides exactly who can win in it by which rule"
        )
    count = min(CHAINS, int(samples)) if method is Method.CHAINS else 1
    return Draws(
        hull=hull,
        prior=concentrations,
        samples=1 if method is Method.POINT else -(-int(samples) // count) * count,
        seed=seed,
        method=method,
        numpy=arithmetic(),
    )


def _concentrations(prior: Any, space: WeightSpace) -> pd.Series:
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
    return exact_series([by_task[task] for task in space.tasks], space.tasks, "concentration")


def _method_by_shape(hull: AffineHull) -> Method | None:
    """Return how to draw from a space; None where that depends on how small a part of its hull it is."""
    if hull.dimension == 0:
        return Method.POINT
    if not hull.space.conditions:
        return Method.INDEPENDENT
    return None if hull.is_simplex else Method.CHAINS


def _share_inside(hull: AffineHull, prior: pd.Series, seed: int) -> float:
    """Return the share of a pilot sample from the simplex that is the hull which falls inside the space."""
    boundary = boundary_of(hull)
    weights = next(_dirichlet(hull, prior, PILOT, np.random.default_rng([seed, PILOT])))
    return float(boundary.inside(weights - boundary.point).mean())


def _method(hull: AffineHull, prior: pd.Series, seed: int) -> Method:
    """Return how to draw: independently where the hull is a simplex of which the space is no small part."""
    settled = _method_by_shape(hull)
    if settled is not None:
        return settled
    return Method.INDEPENDENT if _share_inside(hull, prior, seed) >= INSIDE else Method.CHAINS


def _pole(hull: AffineHull, prior: pd.Series) -> str | None:
    """Return a task at whose zero the density has a pole that conditions may join with others, or None."""
    low = [str(task) for task, one in prior[hull.moving].items() if one < 1]
    return low[0] if low and not hull.is_simplex else None


def _width(hull: AffineHull) -> float:
    """Return how far weights move from the hull's point in the direction in which they move least."""
    directions = np.array([[float(one) for one in vector] for vector in hull.directions])
    low, high = boundary_of(hull).chords(np.zeros_like(directions), directions)
    return float(((high - low) * np.abs(directions).max(axis=1)).min())


def _dirichlet(hull: AffineHull, prior: pd.Series, count: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield Dirichlet weights on the simplex that is the hull: fixed tasks keep their weight, the others share."""
    point = hull.point.tolist()
    fixed = np.array([float(one) for one in point])
    moving = np.flatnonzero(hull.moving)
    shared = float(sum((point[place] for place in moving.tolist()), Fraction(0)))
    shapes = np.array([float(one) for one in prior.tolist()])[moving]
    while True:
        weights = np.tile(fixed, (count, 1))
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
