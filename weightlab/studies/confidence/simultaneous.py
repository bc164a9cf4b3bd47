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

BLOCK_CELLS = 1 << 18
"""Draws are compared in blocks of so many pairs: some 20 MB, or one draw at a time, whatever their number."""
ROUNDING = 1e-13
"""Differences and standard errors below this share of the largest value are rounding of 0."""

SMALLEST, LARGEST = 1e-60, 1e60
"""Fourth powers of what lies between, and of its rounding, are within the range of floats."""

Statistics: TypeAlias = Callable[[slice, IntArray], FloatArray]
"""From some draws and the order of the pairs to studentised differences, pairs x draws."""


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
    """Intervals that hold all differences together, and step-down p-values, a pair each.

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
) -> tuple[Literal["flips", "student", "shrunken"], JointIntervals]:
    """Return how joint intervals of all differences of means over drawn units were made, and these.

    Notes
    -----
    What is used for what was chosen by simulation, see the guide "Which ranks are real?". Flips are for means of
    scores, all of them there, in one stratum. Else it is Bonferroni's interval, for places around a difference that is
    shrunken a little: as wide as Bonferroni's, and no further from a tie. Where all units show one difference Student's
    interval is a point, and the pair has that of `joint_intervals`.
    """
    found, reach = estimated(strata), reach_of(strata)
    if not places and len(strata) == 1 and not np.isnan(strata[0].values).any():
        flips = sign_flips(strata[0], found, repeats, seed)
        return "flips", joint_intervals(found, level=level, reach=reach, repeats=repeats, statistics=flips)
    own = joint_intervals(found, level=level, reach=reach)
    if not places:
        return "student", own
    rows, columns = np.triu_indices(strata[0].values.shape[1], 1)
    moves = _moves_to_the_middle(strata)
    # No further than the interval reaches, so that it holds what was seen.
    half = (own.high - own.low) / 2
    moved = np.where(found.error > 0, np.clip(moves[rows] - moves[columns], -half, half), 0.0)
    shrunken = joint_intervals(replace(found, value=found.value + moved), level=level, reach=reach)
    return "shrunken", replace(shrunken, difference=found.value)


def _moves_to_the_middle(strata: Sequence[Stratum]) -> FloatArray:
    """Return how far each model's mean is moved to the middle of all before models are compared.

    Notes
    -----
    What places give is bounded, hence lopsided near its ends: a model that is nearly always ahead falls back on few
    units, which may all be missing, and then its mean is too far out and its error too small. So its mean moves as far
    as one more unit on which all models tie would move it, but by one standard error at most (with many models the
    middle is far), and by less the more standard deviations the end is away: far from it nothing is lopsided.
    """
    middles = [float(np.nanmean(one.values)) for one in strata]
    beside = [
        replace(one, values=np.insert(one.values, 0, own, axis=1)) for one, own in zip(strata, middles, strict=True)
    ]
    found = estimated(beside, models=1)
    to_middle, error, units = found.value, found.error, found.freedom + 1
    mean = sum(one.share * own for one, own in zip(strata, middles, strict=True)) - to_middle
    least, most = (extreme([extreme(one.values) for one in strata]) for extreme in (np.nanmin, np.nanmax))
    with np.errstate(invalid="ignore", over="ignore"):
        deviation = error * np.sqrt(units)
        room = np.maximum(np.minimum(mean - least, most - mean), deviation)
        near = np.divide(deviation, room, out=np.zeros_like(room), where=deviation > 0)
        moves = np.sign(to_middle) * np.minimum(np.abs(to_middle) / (units + 1), near * error)
    return np.where(np.isfinite(moves), moves, 0.0)


def estimated(strata: Sequence[Stratum], models: int | None = None) -> Differences:
    """Return weighted means of the units' differences with their standard errors, each pair on the units of both.

    The pairs are those of the first ``models`` models with all later ones, by default all.

    Notes
    -----
    O(units x models^2) time, O(units x models) memory. The error is the jackknife's, which for equal weights is that of
    Student's test, and which grows with the weight of single units. A stratum has as many degrees of freedom as Kish's
    effective number of units, less one; those of several combine as Welch and Satterthwaite say.
    """
    parts = [(one.share, _of_stratum(one, models)) for one in strata]
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


def _of_stratum(one: Stratum, models: int | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean difference, its jackknife variance and the effective number of units of each pair."""
    found = [_to_later(one, model) for model in range(models or one.values.shape[1] - 1)]
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


def sign_flips(one: Stratum, found: Differences, repeats: int, seed: int) -> Statistics:
    """Return the statistics of draws in which the residuals of whole units, all scores there, change sign at random.

    Notes
    -----
    Under flips the squares of the residuals stay, so that a draw's standard error follows from its mean: products of
    models x units with units x draws serve all pairs.
    """
    rows, columns = np.triu_indices(one.values.shape[1], 1)
    share = one.weights / one.weights.sum()
    leverage = (share / (1 - share)) ** 2
    rest = (one.values - share @ one.values).T
    signs = np.random.default_rng(seed).integers(2, size=(repeats, len(share))).T * 2.0 - 1
    moved, crossed = (rest * share) @ signs, (rest * leverage) @ signs
    part, total = 1 - 1 / len(share), leverage.sum()
    squares = found.error**2 / part
    alike = bool((one.weights == one.weights[0]).all())

    def statistics(draws: slice, order: IntArray) -> FloatArray:
        first, second = rows[order], columns[order]
        mean = moved[first, draws] - moved[second, draws]
        left = squares[order, None] - total * mean**2
        if not alike:
            left += 2 * mean * (total * mean - crossed[first, draws] + crossed[second, draws])
        # A draw whose residuals are all alike has no spread left but rounding: as good as infinite.
        spread = np.sqrt(part * np.maximum(left, ROUNDING * squares[order, None]))
        return np.asarray(np.divide(mean, spread, out=np.zeros_like(mean), where=spread > 0))

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

    def statistics(draws: slice, order: IntArray) -> FloatArray:
        mean = moved[rows[order], draws] - moved[columns[order], draws]
        size = found.error[order, None]
        return np.asarray(np.divide(mean, size, out=np.zeros_like(mean), where=size > 0))

    return joint_intervals(found, level=level, reach=0.0, repeats=repeats, statistics=statistics)


def joint_intervals(
    found: Differences, *, level: float, reach: float, repeats: int = 0, statistics: Statistics | None = None
) -> JointIntervals:
    """Return joint intervals by the lesser of Bonferroni's critical value of Student's t and that of the draws.

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

    Notes
    -----
    Of a pair whose units all show one difference no spread is known. It is judged by the sign test: in the joint
    interval the share of units that would show another difference, at worst the opposite one, is as large as so many
    equal units allow (Clopper and Pearson). Where they show none at all, the other one is at worst the reach.
    """
    pairs, alpha = len(found.value), 1 - level
    known = (found.error > 0) & ~np.isnan(found.error)
    ratio = np.divide(found.value, found.error, out=np.zeros(pairs), where=known)
    p = np.where(known, holm(np.where(known, 2 * _tail(found.freedom, -np.abs(ratio)), 1.0)), 1.0)
    critical = _quantile(found.freedom, alpha / (2 * pairs))
    if statistics is not None:
        greatest, stepped = _step_down(statistics, ratio, repeats)
        p = np.where(known, np.minimum(p, stepped), p)
        place = math.ceil((repeats + 1) * level) - 1
        critical = np.minimum(critical, np.sort(greatest)[place]) if place < repeats else critical
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
    direction that is not theirs.
    """
    order = np.argsort(-np.abs(ratio), kind="stable")
    # A little less than the ratios: what is reached but for rounding is reached on every machine.
    size, direction = np.abs(ratio)[order] * (1 - 1e-9), np.copysign(1.0, ratio[order])
    reached = np.zeros(len(ratio), dtype=np.int64)
    greatest = np.empty(repeats)
    width = max(1, BLOCK_CELLS // len(ratio))
    for start in range(0, repeats, width):
        draws = slice(start, min(start + width, repeats))
        drawn = statistics(draws, order) * direction[:, None]
        both = np.maximum.accumulate(np.abs(drawn)[::-1], axis=0)[::-1]
        greatest[draws] = both[0]
        contrary = np.maximum.accumulate(-drawn, axis=0)[:-1]
        reached[0] += (both[0] >= size[0]).sum()
        reached[1:] += (np.maximum(both[1:], contrary) >= size[1:, None]).sum(axis=1)
    adjusted = np.empty(len(ratio))
    adjusted[order] = np.maximum.accumulate((1 + reached) / (repeats + 1))
    return greatest, adjusted
