"""Tests of ranks as papers report them: Friedman's, then Nemenyi's, or Wilcoxon's signed ranks with Holm.

Each task counts once. References: M. Friedman, "A comparison of alternative tests of significance for the problem of m
rankings", Annals of Mathematical Statistics 11 (1940); P. Nemenyi, Distribution-free multiple comparisons (1963);
F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1 (1945); S. Holm, "A simple sequentially rejective
multiple test procedure", Scandinavian Journal of Statistics 6 (1979); J. Demšar, "Statistical comparisons of
classifiers over multiple data sets", Journal of Machine Learning Research 7 (2006).
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, FloatArray
from weightlab._result import Record
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.rules import Rule
from weightlab.rules.inputs import InapplicableError
from weightlab.rules.scoring.score_table import ScoreTable
from weightlab.studies.confidence.simultaneous import JointIntervals

OF_RANKS = frozenset({"borda", "mean_rank"})
"""Rules by which models stand as their average ranks do."""
EXACT_UP_TO = 50
"""Of more differences the sum of signed ranks is taken as normal."""
BLOCK_VALUES = 1 << 12
"""Values are integrated over in blocks, some 10 MB."""
NODES, REACH = 400, 9.0
"""Nodes of the integral of the studentised range, and where it ends, in standard deviations."""


class Friedman(Record, eq=True):
    """Friedman's test whether the models have equal ranks, with average ranks for ties.

    Attributes
    ----------
    statistic : float
        Asymptotically chi-squared with as many degrees of freedom as models, less one.
    p : float
        Its p-value.
    """

    statistic: float
    p: float


def refuse_untestable(board: Leaderboard, rule: Rule) -> None:
    """Raise InapplicableError for a rule or a table that these tests do not read.

    Raises
    ------
    InapplicableError, InputError
        If the rule is not Borda or the mean rank with average ties, weights differ or scores are missing.
    """
    if rule.name not in OF_RANKS or rule.options.get("ties", "average") != "average":
        raise InapplicableError(
            f"Friedman's, Nemenyi's and Wilcoxon's tests are of average ranks: ask by Borda or mean_rank, not {rule}"
        )
    if len(set(board.weights)) > 1:
        raise InputError("Friedman's, Nemenyi's and Wilcoxon's tests count every task once, and these weights differ")
    if board.missing_cells:
        told = "Friedman's, Nemenyi's and Wilcoxon's tests need every score"
        raise InapplicableError(Fault(told, Cure(".complete", {})))


def task_ranks(board: Leaderboard) -> FloatArray:
    """Return ranks, tasks x models, 1 being best and ties at their average, of a table without gaps."""
    signs, count = board.signs(), len(board.models)
    ranks = [(count + 1 - signs.over_all(place).sum(axis=0, dtype=np.int64)) / 2 for place in range(count)]
    return np.asarray(np.stack(ranks, axis=1), dtype=np.float64)


def friedman(ranks: FloatArray) -> Friedman:
    """Return Friedman's test of ranks, tasks x models; with ties as Conover's form corrects for them."""
    from scipy.special import chdtrc  # noqa: PLC0415 - takes as long to load as all of weightlab

    tasks, models = ranks.shape
    middle = (models + 1) / 2
    spread = ((ranks - middle) ** 2).sum()
    statistic = float((models - 1) * (((ranks.sum(axis=0) - tasks * middle) ** 2).sum()) / spread) if spread else 0.0
    return Friedman(statistic=statistic, p=float(chdtrc(models - 1, statistic)))


def nemenyi(ranks: FloatArray, level: float) -> JointIntervals:
    """Return Nemenyi's intervals of the differences of average ranks, positive where the first is better, and p-values.

    Notes
    -----
    Half an interval is the critical difference q sqrt(k (k + 1) / (12 n)) of k models on n tasks, with q of the
    studentised range of k independent normal variables.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - takes as long to load as all of weightlab

    tasks, models = ranks.shape
    rows, columns = np.triu_indices(models, 1)
    mean, unit = ranks.mean(axis=0), np.sqrt(models * (models + 1) / (12 * tasks))
    lead = mean[columns] - mean[rows]
    critical = float(brentq(lambda q: range_tail(np.array([q]), models)[0] - (1 - level), 0.0, 2 * REACH)) * unit
    # Average ranks differ by halves over the number of tasks: of many pairs few differences are different.
    each, which = np.unique((np.abs(lead) * 2 * tasks).round(), return_inverse=True)
    p = range_tail(each / (2 * tasks) / unit, models)[which]
    return JointIntervals(difference=lead, low=lead - critical, high=lead + critical, p=p)


@cache
def legendre(count: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss and Legendre's rule on -1 to 1, which take long to make."""
    return np.polynomial.legendre.leggauss(count)


def range_tail(values: FloatArray, count: int) -> FloatArray:
    """Return how likely the range of a number of standard normal variables is above each value, to about 1e-12."""
    from scipy.special import ndtr  # noqa: PLC0415 - takes as long to load as all of weightlab

    nodes, weights = legendre(NODES)
    at = REACH * nodes
    density = REACH * weights * count * np.exp(-(at**2) / 2) / np.sqrt(2 * np.pi)
    starts = range(0, len(values), BLOCK_VALUES)
    blocks = [values[start : start + BLOCK_VALUES, None] for start in starts]
    below = np.concatenate([((ndtr(at) - ndtr(at - one)) ** (count - 1)) @ density for one in blocks])
    return np.asarray(np.clip(1 - below, 0.0, 1.0))


def wilcoxon(board: Leaderboard) -> JointIntervals:
    """Return of each pair the matched-pairs rank-biserial correlation of score differences, with Holm's p-values.

    Notes
    -----
    Differences of scores are exact, so ties are ties; zeros are left out, as Wilcoxon does, and a task without both
    scores takes no part. Up to `EXACT_UP_TO` differences the distribution of the signed ranks is exact, given the ties;
    of more it is normal, its variance corrected for ties. There are no intervals.
    """
    from scipy.special import ndtr  # noqa: PLC0415 - takes as long to load as all of weightlab

    table = ScoreTable.of(board, "skip")
    scores, there = table.matrix, table.present
    lead, p = [], []
    for row, column in zip(*np.triu_indices(len(scores), 1), strict=True):
        gaps = (scores[row] - scores[column])[there[row] & there[column]]
        gaps = gaps[gaps != 0]
        doubled = _doubled_ranks(np.abs(gaps))
        won, total = int(doubled[gaps > 0].sum()), int(doubled.sum())
        lead.append((2 * won - total) / total if total else 0.0)
        if len(gaps) <= EXACT_UP_TO:
            sums = signed_rank_sums(tuple(sorted(doubled.tolist())))
            p.append(min(1.0, 2 * float(sums[: min(won, total - won) + 1].sum())))
        else:
            p.append(2 * float(ndtr(-abs(2 * won - total) / np.sqrt((doubled.astype(np.float64) ** 2).sum()))))
    none = np.full(len(p), np.nan)
    return JointIntervals(difference=np.array(lead), low=none, high=none, p=step_down_holm(np.array(p)))


def _doubled_ranks(sizes: AnyArray) -> AnyArray:
    """Return twice the rank of each number among them, 1 being the smallest, ties at their average."""
    _, which, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    return np.asarray((2 * counts.cumsum() - counts + 1)[which])


@lru_cache(maxsize=1024)
def signed_rank_sums(ranks: tuple[int, ...]) -> FloatArray:
    """Return how likely each sum of the ranks with a positive sign is, from 0 on, where signs are random."""
    chance = np.zeros(sum(ranks) + 1)
    chance[0] = 1.0
    for rank in ranks:
        chance /= 2
        chance[rank:] += chance[:-rank].copy()
    return chance


def step_down_holm(p: FloatArray) -> FloatArray:
    """Return Holm's p-values as papers report them: the least times the number of pairs, the next times one less."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order]))
    return adjusted
