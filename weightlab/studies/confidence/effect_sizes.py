"""Effect sizes, shares won and the smallest differences that could have been shown, pair by pair, as numbers."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import FloatArray, IntArray
from weightlab._result import Frozen
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.rules import rule as registered
from weightlab.rules.inputs import group_weighted, weighing
from weightlab.studies.confidence.contributions import shares, task_strata, task_values
from weightlab.studies.confidence.joint_differences import rule_asked
from weightlab.studies.confidence.rank_sets import RankSets
from weightlab.studies.confidence.rank_tests import legendre, task_ranks
from weightlab.studies.confidence.sign_tests import ONE_POINT, binomial_leads, counted_leads
from weightlab.studies.confidence.simultaneous import Stratum, estimated

NODES, STEPS = 96, 38
"""Nodes of the integral over the spread, and halvings of the range of a noncentrality."""
BLOCK_PAIRS = 1 << 12
"""Pairs are integrated over in blocks, some 10 MB."""
EffectSize: TypeAlias = Literal["cohen_d", "akinshin_gamma"]
"""How large a difference is, by which measure."""
CONSISTENT_MAD = 1.4826
"""Factor from a median absolute deviation to a standard deviation, for normal scores."""
MEASURED = frozenset({"bootstrap_t", "student", "nemenyi"})
"""Methods whose intervals are as many standard errors wide on either side."""


class Sizes(Frozen):
    """What `Effects` has of a table, by the same names."""

    mean: FloatArray
    deviation: FloatArray
    effect: FloatArray
    effect_low: FloatArray
    effect_high: FloatArray
    won: FloatArray
    won_low: FloatArray
    won_high: FloatArray
    detectable: FloatArray


def sizes_of(source: Leaderboard, found: RankSets, power: float, size: EffectSize) -> Sizes:
    """Return the numbers of `Effects` from a table and its rank sets.

    Raises
    ------
    InputError
        If the measure needs every score, or equal weights.
    """
    whole = weighing(group_weighted(source) if found.question.rule is None else source)
    board = whole.select(models=found.models)
    values, share = task_values(board, registered("mean")), shares(board)
    lower = set(board.tasks) <= set(board.lower_is_better)
    scores, there = -values if lower else values, ~np.isnan(values)
    effect, low, high = (_cohens if size == "cohen_d" else _akinshins)(values, share, found)
    rows, columns = np.triu_indices(len(board.models), 1)
    signs = board.signs()
    wins = np.stack([(signs.over_all(place) > 0).sum(axis=1) for place in range(len(board.models))]).astype(np.float64)
    won, lost = wins[rows, columns], wins[columns, rows]
    # Each by itself: Bonferroni's share of each pair is made the whole tail.
    alone = binomial_leads(won, lost, 1 - (1 - found.level) * len(won))
    some = won + lost > 0
    rule = found.question.rule
    differing = won + lost
    if rule is not None and rule.name in ONE_POINT:
        differing = np.sum(counted_leads(task_values(board, rule_asked(found.question))), axis=0)
    return Sizes(
        mean=np.nansum(share[:, None] * scores, axis=0) / (share @ there),
        deviation=deviations(scores),
        effect=effect,
        effect_low=low,
        effect_high=high,
        won=np.where(some, (1 + alone.difference) / 2, np.nan),
        won_low=np.where(some, (1 + alone.low) / 2, np.nan),
        won_high=np.where(some, (1 + alone.high) / 2, np.nan),
        detectable=detectable_leads(differing, found.level, power)
        if found.method == "sign_tests"
        else _detectable(board, found, power),
    )


def _cohens(values: FloatArray, share: FloatArray, found: RankSets) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Cohen's d of paired scores of each pair with its interval."""
    one, tail = estimated([Stratum(values=values, weights=share)]), (1 - found.level) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(one.error > 0, one.value / one.error, np.nan)
    units = np.sqrt(one.freedom + 1)
    low, high = (noncentrality(t, one.freedom, 1 - side) / units for side in (tail, 1 - tail))
    return t / units, low, high


def _akinshins(values: FloatArray, share: FloatArray, found: RankSets) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Akinshin's gamma of each pair with the percentiles of draws of whole tasks.

    Raises
    ------
    InputError
        If scores are missing or weights differ.
    """
    if np.isnan(values).any():
        told = "Akinshin's gamma is of medians over the same tasks, and scores are missing"
        raise InputError(Fault(told, Cure("effect_size", "cohen_d")))
    if len(set(share.tolist())) > 1:
        raise InputError(
            Fault("Akinshin's gamma counts every task once, and weights differ", Cure("effect_size", "cohen_d"))
        )
    rows, columns = np.triu_indices(values.shape[1], 1)
    rng = np.random.default_rng((found.seed, 2))
    places = rng.integers(0, len(values), size=(found.repeats, len(values)))
    drawn = np.stack([_robust(values[place]) for place in places])
    ends = [(1 - found.level) / 2, (1 + found.level) / 2]
    own = _gammas(_robust(values)[None], rows, columns)[0]
    low, high = np.empty((2, len(rows)))
    width = max(1, (1 << 20) // found.repeats)
    for start in range(0, len(rows), width):
        block = slice(start, start + width)
        sizes = np.sort(_gammas(drawn, rows[block], columns[block]), axis=0)
        low[block] = sizes[math.floor(ends[0] * (found.repeats - 1))]
        high[block] = sizes[math.ceil(ends[1] * (found.repeats - 1))]
    low, high = np.minimum(low, own), np.maximum(high, own)
    known = np.isfinite(own)
    return tuple(np.where(known & np.isfinite(one), one, np.nan) for one in (own, low, high))  # type: ignore[return-value]


def _robust(values: FloatArray) -> FloatArray:
    """Return the median of each column, and its median absolute deviation at the scale of a standard deviation."""
    median = np.median(values, axis=0)
    return np.stack([median, CONSISTENT_MAD * np.median(np.abs(values - median), axis=0)])


def _gammas(robust: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return the gamma of pairs in each draw (draws x pairs), infinite where medians differ and nothing varies."""
    median, deviation = robust[:, 0], robust[:, 1]
    gap = median[:, rows] - median[:, columns]
    pooled = np.sqrt((deviation[:, rows] ** 2 + deviation[:, columns] ** 2) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where((gap == 0) & (pooled == 0), 0.0, gap / pooled))


def deviations(scores: FloatArray) -> FloatArray:
    """Return the standard deviation of each column without its gaps; NaN of a single number."""
    there = (~np.isnan(scores)).sum(axis=0)
    squares = np.nansum((scores - np.nansum(scores, axis=0) / there) ** 2, axis=0)
    return np.asarray(np.sqrt(squares / np.where(there > 1, there - 1, np.nan)))


def _detectable(board: Leaderboard, found: RankSets, power: float) -> FloatArray:
    """Return the smallest difference of each pair that its joint interval excludes 0 from with this power."""
    if found.method not in MEASURED:
        return np.full(len(found.p), np.nan)
    if found.method == "nemenyi":
        strata = [Stratum(values=-task_ranks(board), weights=shares(board))]
    else:
        strata = task_strata(board, task_values(board, rule_asked(found.question)))
    one, half = estimated(strata), (found.high - found.low) / 2
    error = one.error / unbiasing(one.freedom)
    if found.method == "nemenyi":
        # Its interval is as long whatever the spread is: the difference alone varies.
        return np.asarray(np.where(error > 0, half + error * _normal_quantile(power), np.nan))
    with np.errstate(invalid="ignore", divide="ignore"):
        critical = np.where(one.error > 0, half / one.error, np.nan)
    return noncentrality(critical, one.freedom, 1 - power) * error


def unbiasing(freedom: FloatArray) -> FloatArray:
    """Return the mean of an estimated standard deviation as a share of the true one, of normal differences.

    Notes
    -----
    That of chi over the root of its freedom (c4 of quality control): a root is concave, so spreads seen are too small.
    """
    from scipy.special import gammaln  # noqa: PLC0415 - takes as long to load as all of weightlab

    some = np.maximum(freedom, 1e-3)
    return np.asarray(np.exp(gammaln((some + 1) / 2) - gammaln(some / 2)) * np.sqrt(2 / some))


def _normal_quantile(chance: float) -> float:
    from scipy.special import ndtri  # noqa: PLC0415 - takes as long to load as all of weightlab

    return float(ndtri(chance))


def detectable_leads(differing: FloatArray, level: float, power: float) -> FloatArray:
    """Return the smallest lead that sign tests would have separated with this power, by the tasks each pair differs on.

    Notes
    -----
    The interval of a lead excludes 0 from some number of wins on; a model that wins a task with chance q reaches it
    with a chance that is a beta distribution's in q: its quantile is the smallest q. NaN where all tasks are not
    enough.
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - takes as long to load as all of weightlab

    found, pairs = np.full(len(differing), np.nan), len(differing)
    for count in np.unique(differing).tolist():
        won = np.arange(count + 1)
        apart = won[betaincinv(np.maximum(won, 1), count - won + 1, (1 - level) / pairs / 2) > 0.5]
        if len(apart):
            found[differing == count] = 2 * betaincinv(apart[0], count - apart[0] + 1, power) - 1
    return found


def noncentrality(t: FloatArray, freedom: FloatArray, chance: float) -> FloatArray:
    """Return the noncentrality under which Student's t is at most ``t`` with this chance; NaN where t is.

    Notes
    -----
    Given the spread, t is normal: its chance is an integral over the quantiles of chi-squared (Gauss and Legendre), and
    falls in the noncentrality, which is found by halving.
    """
    from scipy.special import chdtri, ndtr  # noqa: PLC0415 - takes as long to load as all of weightlab

    nodes, weights = legendre(NODES)
    known = np.flatnonzero(np.isfinite(t) & (freedom > 0))
    each, which = np.unique(freedom[known], return_inverse=True)
    spread = np.sqrt(chdtri(each[:, None], (1 - nodes) / 2) / each[:, None])
    found = np.full(len(t), np.nan)
    for start in range(0, len(known), BLOCK_PAIRS):
        block = known[start : start + BLOCK_PAIRS]
        at = t[block, None] * spread[which[start : start + BLOCK_PAIRS]]
        low, high = at.min(axis=1, initial=0.0) - 8.0, at.max(axis=1, initial=0.0) + 8.0
        for _ in range(STEPS):
            middle = (low + high) / 2
            below = ndtr(at - middle[:, None]) @ weights / 2
            low, high = np.where(below > chance, middle, low), np.where(below > chance, high, middle)
        found[block] = (low + high) / 2
    return found
