"""Joint confidence intervals of all differences between models that are means of differences, and adjusted p-values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen
from weightlab.exceptions import InputError

BLOCK_CELLS = 1 << 17
"""Numbers held at once: pairs are compared in blocks with all draws of theirs, some 10 MB."""
STEPS = 128
"""Maximum number of steps in which p-values step down, so that each pair is drawn once."""
MOST_DRAWN = 2 * 10**9
"""Pairs times draws, some minutes: 1,414 models in 2,000 draws."""
USUAL, SLACK = 0.95, 1e-9
"""The level at which tails are examined, and what rounding may add to a count."""
LOPSIDED = 5 / 4
"""Multiple of Bonferroni's critical value above which that of the draws shows tails too heavy for the draws."""
OF_FREEDOM = 2 / 3
"""What of the degrees of freedom counts where differences are bounded, and so lopsided near the ends."""
ROUNDING = 1e-13
"""Differences and standard errors below this share of the largest value are rounding of 0."""

SMALLEST, LARGEST = 1e-60, 1e60
"""Fourth powers of what lies between, and of its rounding, are within the range of floats."""

Statistics: TypeAlias = Callable[[IntArray], FloatArray]
"""From some pairs to their studentised differences in all draws, pairs x draws."""


class Stratum(Frozen):
    """Units, tasks or instances, that are drawn together.

    Attributes
    ----------
    values : ndarray of float, units x models
        What each unit gives to each model, greater being better; NaN where missing.
    weights : ndarray of float, units
        Their weights, all positive.
    share : float
        Of the stratum in the score; those of all strata sum to 1.
    """

    values: FloatArray
    weights: FloatArray
    share: float = 1.0

    def __post_init__(self) -> None:
        """Raise InputError for values whose spread floats cannot hold."""
        ensure_spread(self.values, "scores")


class Differences(Frozen):
    """Estimated differences of all pairs of models, in the order of ``numpy.triu_indices(models, 1)``.

    Attributes
    ----------
    value : ndarray of float, pairs
        The model's score less the rival's; NaN where too few units have both.
    error : ndarray of float, pairs
        Standard errors; 0 where every unit shows the same difference.
    freedom : ndarray of float, pairs
        Degrees of freedom of Student's t; infinite where the errors are known.
    """

    value: FloatArray
    error: FloatArray
    freedom: FloatArray


class JointIntervals(Frozen):
    """Joint intervals of all differences, and step-down p-values, per pair.

    Attributes
    ----------
    difference, low, high : ndarray of float, pairs
        NaN where nothing is known: an interval without an end.
    p : ndarray of float, pairs
        Adjusted for all pairs; NaN where the method has none.
    """

    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray


def ensure_spread(values: FloatArray, what: str) -> None:
    """Raise InputError where powers of all values are too small or too large for floats: a spread of 0 is certainty."""
    size = float(np.nanmax(np.abs(values)))
    if size and not SMALLEST < size < LARGEST:
        raise InputError(
            f"{what} of the size of {size:.0e} are too extreme to estimate their spread; change their unit"
        )


def mean_intervals(
    strata: Sequence[Stratum], *, places: bool, level: float, repeats: int, seed: int
) -> tuple[Literal["bootstrap_t", "student"], JointIntervals]:
    """Return how joint intervals of all differences of means over drawn units were made, and these.

    Raises
    ------
    InputError
        If pairs times draws are more than `MOST_DRAWN`, of means of scores.

    Notes
    -----
    Chosen by simulation, see "How sure are the ranks?". The bootstrap is for values without gaps. What places give is
    bounded: intervals are no narrower than Bonferroni's with `OF_FREEDOM` of the degrees (on ten tasks a fifth wider
    than with all, on fifty hardly), which is also used where draws would take many minutes. With gaps it is
    Bonferroni's as it is. Where all units show one difference Student's interval is a point, and the pair has that of
    `joint_intervals`. A pair whose differences would be all alike in more than a fifth of (1 - level) of the bootstrap
    samples hangs on few units, and would make all intervals infinite: it takes no part in the draws, and by scores
    cannot be decided by these units.
    """
    models = strata[0].values.shape[1]
    drawing = not any(np.isnan(one.values).any() for one in strata)
    if drawing and not places:
        _refuse_many(models, repeats)
    drawing = drawing and models * (models - 1) // 2 * repeats <= MOST_DRAWN
    found, reach = estimated(strata), reach_of(strata)
    if places:
        found = replace(found, freedom=np.where(found.error > 0, OF_FREEDOM * found.freedom, found.freedom))
    if not drawing:
        return "student", joint_intervals(found, level=level, reach=reach)
    chance = np.prod([chance_alike(one.values) for one in strata], axis=0)
    apart = replace(found, error=np.where((found.error > 0) & (chance > (1 - level) / 5), np.nan, found.error))
    drawn = bootstrap_t(strata, apart, repeats, seed)
    kept = found if places else apart
    joint = joint_intervals(kept, level=level, reach=reach, repeats=repeats, statistics=drawn, floor=places)
    return "bootstrap_t", joint


def _refuse_many(models: int, repeats: int) -> None:
    """Raise InputError, before anything is drawn, where draws of all pairs would take many minutes."""
    pairs = models * (models - 1) // 2
    if pairs * repeats > MOST_DRAWN:
        most = (1 + math.isqrt(1 + 8 * (MOST_DRAWN // repeats))) // 2
        raise InputError(
            f"in {repeats:,} draws, joint intervals of means are of {most:,} models at most, and these are {models:,}; "
            "those of points for places, such as Borda's, are of any number"
        )


def estimated(strata: Sequence[Stratum]) -> Differences:
    """Return weighted means of the units' differences with their standard errors, each pair on the units of both.

    Notes
    -----
    O(units x models^2) time, O(units x models) memory. The error is the jackknife's, which for equal weights is that of
    Student's test, and which grows with the weight of single units. A stratum has as many degrees of freedom as Kish's
    effective number of units, less one; those of several combine as Welch and Satterthwaite say.
    """
    parts = [(one.share, _of_stratum(one)) for one in strata]
    with np.errstate(invalid="ignore", divide="ignore"):
        value = sum(share * mean for share, (mean, _, _) in parts)
        variance = sum(share**2 * own for share, (_, own, _) in parts)
        spread = sum((share**2 * own) ** 2 / (units - 1) for share, (_, own, units) in parts)
        least = sum(units for _, (_, _, units) in parts) - 1
        freedom = np.where(variance > 0, variance**2 / spread, least)
    scale = ROUNDING * max(float(np.nanmax(np.abs(one.values))) for one in strata)
    error = np.sqrt(variance)
    nothing = np.abs(value) <= scale
    return Differences(
        value=np.where(nothing, 0.0, value),
        error=np.where(error <= scale, 0.0, error),
        freedom=np.where(error <= scale, least, freedom),
    )


def _of_stratum(one: Stratum) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean difference, its jackknife variance and the effective number of units of each pair."""
    found = [_to_later(one, model) for model in range(one.values.shape[1] - 1)]
    mean, variance, units = np.concatenate(found, axis=1)
    return mean, variance, units


def _to_later(one: Stratum, model: int) -> FloatArray:
    gaps = one.values[:, [model]] - one.values[:, model + 1 :]
    there = ~np.isnan(gaps)
    gaps = np.where(there, gaps, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(there, one.weights[:, None], 0.0)
        share = share / share.sum(axis=0)
        mean = (share * gaps).sum(axis=0)
        # Leaving a unit out moves the mean by its leverage times its residual; alone it has no residual, hence NaN.
        moves = share / (1 - share) * np.where(there, gaps - mean, 0.0)
        variance = (1 - 1 / there.sum(axis=0)) * (moves**2).sum(axis=0)
        return np.array([mean, variance, 1 / (share**2).sum(axis=0)])


def reach_of(strata: Sequence[Stratum]) -> float:
    """Return the largest difference between two models on one unit."""
    return max(float(np.nanmax(np.nanmax(one.values, axis=1) - np.nanmin(one.values, axis=1))) for one in strata)


def chance_alike(values: FloatArray) -> FloatArray:
    """Return how likely a bootstrap sample, one unit smaller, shows one difference only, per pair.

    Where that is likely all depends on few units, and the sample does not show the spread.
    """
    count, scale = len(values), ROUNDING * float(np.abs(values).max())
    found = []
    for model in range(values.shape[1] - 1):
        gaps = np.sort(values[:, [model]] - values[:, model + 1 :], axis=0)
        new = np.vstack([np.ones_like(gaps[:1]), np.diff(gaps, axis=0) > scale]).astype(np.int64)
        which = new.cumsum(axis=0) - 1 + count * np.arange(gaps.shape[1])
        alike = np.bincount(which.ravel(), minlength=gaps.size).reshape(-1, count)
        found.append(((alike / count) ** max(count - 1, 1)).sum(axis=1))
    return np.concatenate(found)


def bootstrap_t(strata: Sequence[Stratum], found: Differences, repeats: int, seed: int) -> Statistics:
    """Return the studentised errors of bootstrap samples of whole units, all scores there.

    Notes
    -----
    From each stratum one unit less than it has is drawn, with replacement, so that the spread of the draws is that of
    the estimate (Rao and Wu 1988). Each pair is studentised by the spread in the same draw, so that the skewness of its
    differences is in the draws as it is in the data (Hall 1992); one critical value for all pairs carries what one pair
    shows of rare units over to those that have not met them. A draw whose differences are all alike has no spread: its
    statistic is infinite, and so is the critical value where such draws are many.

    Sums of squares are one product of matrices a block of pairs, all else is linear in the models.
    """
    rng, (rows, columns) = np.random.default_rng(seed), np.triu_indices(strata[0].values.shape[1], 1)
    parts = []
    for one in strata:
        drawn = max(len(one.values) - 1, 1)
        counts = rng.multinomial(drawn, np.full(len(one.values), 1 / len(one.values)), size=repeats).T
        first = one.weights[:, None] * counts
        first /= first.sum(axis=0)
        # Of one unit drawn nothing is spread.
        second = one.share**2 * drawn / max(drawn - 1, 1) * np.divide(first**2, counts, where=counts > 0, out=0 * first)
        rest = (one.values - one.weights @ one.values / one.weights.sum()).T
        parts.append((one.share, rest, second, second.sum(axis=0), rest @ first, 2 * rest @ second))

    def statistics(pairs: IntArray) -> FloatArray:
        one, other = rows[pairs], columns[pairs]
        mean, variance = np.zeros((2, len(pairs), repeats))
        for share, rest, second, total, moved, crossed in parts:
            own, twice = moved[one], crossed[one]
            own -= moved[other]
            twice -= crossed[other]
            variance += (rest[one] - rest[other]) ** 2 @ second
            mean += own if share == 1 else share * own
            variance += own * (own * total - twice)
        known = found.error[pairs] > 0
        alike = variance <= ROUNDING * np.where(known, found.error[pairs], 0.0)[:, None] ** 2
        variance[alike] = 1.0
        mean /= np.sqrt(variance, out=variance)
        mean[alike] = np.copysign(np.inf, mean[alike])
        mean[~known] = 0.0
        return mean

    return statistics


def normal_differences(scores: FloatArray, factor: FloatArray) -> Differences:
    """Return the differences of scores whose errors are normal, of known covariance F F'."""
    rows, columns = np.triu_indices(len(scores), 1)
    covariance = factor @ factor.T
    own = covariance.diagonal()
    error = np.sqrt(np.maximum(own[rows] + own[columns] - 2 * covariance[rows, columns], 0.0))
    return Differences(value=scores[rows] - scores[columns], error=error, freedom=np.full(len(rows), np.inf))


def normal_intervals(
    scores: FloatArray, factor: FloatArray, *, level: float, repeats: int, seed: int
) -> JointIntervals:
    """Return joint intervals of the differences of such scores, by the largest error in draws."""
    rows, columns = np.triu_indices(len(scores), 1)
    found = normal_differences(scores, factor)
    moved = factor @ np.random.default_rng(seed).standard_normal((repeats, factor.shape[1])).T

    def statistics(pairs: IntArray) -> FloatArray:
        mean = moved[rows[pairs]] - moved[columns[pairs]]
        size = found.error[pairs, None]
        return np.asarray(np.divide(mean, size, out=np.zeros_like(mean), where=size > 0))

    return joint_intervals(found, level=level, reach=0.0, repeats=repeats, statistics=statistics)


def joint_intervals(
    found: Differences,
    *,
    level: float,
    reach: float,
    repeats: int = 0,
    statistics: Statistics | None = None,
    floor: bool = False,
) -> JointIntervals:
    """Return joint intervals by the critical value of the draws, or by Bonferroni's of Student's t.

    Parameters
    ----------
    found : Differences
        The estimates.
    level : float
        Of all intervals together.
    reach : float
        The largest difference between any two models on one unit.
    repeats, statistics
        How many draws, and what they say; none for Bonferroni alone.
    floor : bool
        Whether intervals are no narrower than Bonferroni's, and p-values no smaller; draws are then taken as they are.

    Notes
    -----
    Where the value of the draws is more than `LOPSIDED` times Bonferroni's with `OF_FREEDOM` of the degrees, tails are
    heavier than these few units show, and the draws are used at half of what the level leaves, where that is finite:
    p-values are twice theirs.

    Where the errors are known Bonferroni's normal value bounds that of the draws, which only chance puts above it.

    Of a pair whose units all show one difference no spread is known. It is judged by the sign test: in the joint
    interval the share of units that would show another difference, at worst the opposite one, is as large as this many
    equal units allow (Clopper and Pearson). Where they show none at all, the other one is at worst the reach.
    """
    pairs, alpha = len(found.value), 1 - level
    known = (found.error > 0) & ~np.isnan(found.error)
    ratio = np.divide(found.value, found.error, out=np.zeros(pairs), where=known)
    p = np.where(known, holm(np.where(known, 2 * _tail(found.freedom, -np.abs(ratio)), 1.0)), 1.0)
    critical = _quantile(found.freedom, alpha / (2 * pairs))
    if statistics is not None:
        greatest, stepped = _step_down(statistics, ratio, repeats)
        sure, usual = np.isinf(found.freedom), OF_FREEDOM * np.median(found.freedom, keepdims=True)
        lopsided = _ranked(greatest, USUAL) > LOPSIDED * _quantile(usual, (1 - USUAL) / (2 * pairs))[0]
        lopsided &= math.isfinite(_ranked(greatest, 1 - alpha / 2)) and not (floor or sure.all())
        doubt = 2 if lopsided else 1
        stepped, drawn = np.minimum(1.0, doubt * stepped), _ranked(greatest, 1 - alpha / doubt)
        p = np.where(sure, np.minimum(p, stepped), np.where(known, np.maximum(stepped, floor * p), p))
        critical = np.where(sure, np.minimum(critical, drawn), np.maximum(drawn, floor * critical))
    units = found.freedom + 1
    with np.errstate(over="ignore", invalid="ignore"):
        others = 1 - (alpha / (2 * pairs)) ** (1 / units)
        same = np.where(found.value == 0, reach, 2 * np.abs(found.value)) * others
        half = np.where(known, critical * found.error, same)
        alike = np.where(found.value == 0, 1.0, np.minimum(1.0, pairs * 2.0 ** (1 - units)))
    unknown = np.isnan(found.error)
    half = np.where(unknown | ~np.isfinite(half), np.nan, half)
    p = np.where(unknown, 1.0, np.where(known, p, alike))
    return JointIntervals(difference=found.value, low=found.value - half, high=found.value + half, p=p)


def _ranked(drawn: FloatArray, level: float) -> float:
    """Return the number that so large a share of draws does not exceed, infinite where there are too few draws."""
    place = math.ceil((len(drawn) + 1) * level - SLACK) - 1
    return float(np.sort(drawn)[place]) if place < len(drawn) else math.inf


def _tail(freedom: FloatArray, at: FloatArray) -> FloatArray:
    from scipy.special import stdtr  # noqa: PLC0415 - takes as long to load as all of weightlab

    return np.asarray(stdtr(np.minimum(freedom, 1e300), at))


def _quantile(freedom: FloatArray, tail: float) -> FloatArray:
    """Return the critical values of Student's t, of the normal distribution where the freedom is infinite."""
    from scipy.special import ndtri, stdtrit  # noqa: PLC0415 - takes as long to load as all of weightlab

    known = np.where(np.isfinite(freedom), freedom, 1.0)
    return np.where(np.isinf(freedom), -ndtri(tail), -stdtrit(known, tail))


def holm(p: FloatArray) -> FloatArray:
    """Return two-sided p-values adjusted for all, direction included, whatever their dependence.

    Holm's steps over the two one-sided hypotheses of each pair: once a direction is rejected its opposite is still
    among those to be guarded, so that the factor falls by one half a step, from the number of pairs to half of it.
    """
    order = np.argsort(p, kind="stable")
    factors = len(p) - np.arange(len(p)) / 2
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * p[order]))
    return adjusted


def _step_down(statistics: Statistics, ratio: FloatArray, repeats: int) -> tuple[FloatArray, FloatArray]:
    """Return the greatest statistic of each draw, and the step-down adjusted p-values of Romano and Wolf.

    A pair is compared with the pairs that are no more distinct than it, in both directions, and with the others in the
    direction that is not theirs. Of more than `STEPS` pairs some step down together, which is no less sure.
    """
    order = np.argsort(-np.abs(ratio), kind="stable")
    # A little less than the ratios: what is reached up to rounding is reached on every machine.
    size, direction = np.abs(ratio)[order] * (1 - 1e-9), np.copysign(1.0, ratio[order])
    wide = -(-len(ratio) // STEPS)
    width = max(1, min(BLOCK_CELLS // repeats, wide))
    steps = np.arange(len(ratio)) // (-(-wide // width) * width)
    both, contrary = np.zeros((steps[-1] + 1, repeats)), np.full((steps[-1] + 2, repeats), -np.inf)
    for start in range(0, len(ratio), width):
        step, block = steps[start], slice(start, start + width)
        drawn = statistics(order[block]) * direction[block, None]
        least = -drawn.min(axis=0)
        both[step] = np.maximum(both[step], np.maximum(drawn.max(axis=0), least))
        contrary[step + 1] = np.maximum(contrary[step + 1], least)
    both = np.maximum.accumulate(both[::-1], axis=0)[::-1]
    reached = np.maximum(both, np.maximum.accumulate(contrary, axis=0)[:-1])
    counts = [(reached[step] >= one).sum() for step, one in zip(steps, size, strict=True)]
    adjusted = np.empty(len(ratio))
    adjusted[order] = np.maximum.accumulate((1 + np.array(counts)) / (repeats + 1))
    return both[0], adjusted
