"""Whose majority is real: exact sign tests of every pair at once, and what they leave to rules that read majorities."""

from __future__ import annotations

import numpy as np

from weightlab._exact import BoolArray, FloatArray, IntArray
from weightlab.data import Leaderboard, Margins
from weightlab.graph.sets.majority_sets import smith_members
from weightlab.studies.confidence.simultaneous import JointIntervals, holm

ONE_POINT = frozenset({"plurality", "veto", "k_approval"})
"""Rules that give each model a point, or part of one where models tie, or none: two differ by a sign alone."""
CONSISTENT = frozenset({"schulze", "ranked_pairs", "kemeny", "slater"})
"""Rules that put every model of one set above every other model where each of it beats each other."""
OF_MAJORITIES = CONSISTENT | {"condorcet", "copeland", "minimax", "split_cycle"}
"""Rules that read nothing but who beats whom, and by how much."""


def sign_tests(board: Leaderboard, level: float) -> JointIntervals:
    """Return each pair's lead, wins less losses as a share of the tasks on which it differs, with joint intervals.

    Notes
    -----
    Given the tasks on which a pair differs, a model's wins are binomial: intervals are Clopper and Pearson's at
    Bonferroni's level, p-values those of the exact two-sided sign test by Holm's steps. Ties and missing scores say
    nothing about the sign of a lead and take no part. With unequal weights wins are no longer binomial, and Hoeffding's
    inequality bounds the weighted share, with Kish's effective number of tasks; it needs no other assumption than
    independent tasks. The bounds hold for tasks of different kinds, too (Hoeffding 1956 and 1963).
    """
    weights = board.weights.tolist()
    rows, columns = np.triu_indices(len(board.models), 1)
    wins, squares = (
        np.asarray(one.wins / one.denominator, dtype=np.float64)
        for one in (Margins.from_signs(board.signs(), [weight**power for weight in weights]) for power in (1, 2))
    )
    won, lost = wins[rows, columns], wins[columns, rows]
    if len(set(weights)) == 1:
        return binomial_leads(np.rint(won / float(weights[0])), np.rint(lost / float(weights[0])), level)
    alpha, both = (1 - level) / len(rows), won + lost
    some = both > 0
    lead = np.divide(won - lost, both, out=np.zeros(len(rows)), where=some)
    summed = squares[rows, columns] + squares[columns, rows]
    effective = np.divide(both**2, summed, out=np.zeros(len(rows)), where=some)
    half = np.sqrt(2 * np.log(2 / alpha) / np.maximum(effective, 1e-300))
    p = np.minimum(1.0, 2 * np.exp(-effective * lead**2 / 2))
    low, high = np.maximum(lead - half, -1.0), np.minimum(lead + half, 1.0)
    return JointIntervals(difference=lead, low=low, high=high, p=holm(p))


def counted_leads(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return on how many tasks each model of a pair is given more than the other, of values tasks x models."""
    count = values.shape[1]
    gaps = (np.sign(values[:, [model]] - values[:, model + 1 :]) for model in range(count - 1))
    counts = [np.array([(one > 0).sum(axis=0), (one < 0).sum(axis=0)], dtype=np.float64) for one in gaps]
    won, lost = np.concatenate(counts, axis=1)
    return won, lost


def binomial_leads(won: FloatArray, lost: FloatArray, level: float) -> JointIntervals:
    """Return the leads of counted wins over losses with exact joint intervals and adjusted p-values, per pair."""
    from scipy.special import betainc, betaincinv  # noqa: PLC0415 - takes as long to load as all of weightlab

    tail, both = (1 - level) / len(won) / 2, won + lost
    low = np.where(won > 0, betaincinv(np.maximum(won, 1), lost + 1, tail), 0.0)
    high = np.where(lost > 0, betaincinv(won + 1, np.maximum(lost, 1), 1 - tail), 1.0)
    # At most k of n wins have the chance that a beta variable of n - k and k + 1 is below a half.
    fewer, more = np.minimum(won, lost), np.maximum(won, lost)
    p = np.minimum(1.0, 2 * betainc(np.maximum(more, 1), fewer + 1, 0.5))
    lead = np.divide(won - lost, both, out=np.zeros(len(won)), where=both > 0)
    return JointIntervals(difference=lead, low=2 * low - 1, high=2 * high - 1, p=holm(p))


def majority_ranks(rule: str, above: BoolArray) -> tuple[IntArray, IntArray]:
    """Return between which ranks a rule can put each model, given who surely beats whom and the other pairs open.

    By Copeland each model wins all or none of its open pairs. A rule of `CONSISTENT` ranks the Smith set that the pairs
    allow first, then that of the rest, and so on. Of the others only a model that surely beats all is certain: first.
    """
    count = len(above)
    if rule == "copeland":
        most, least = count - 1 - above.sum(axis=0), above.sum(axis=1)
        low = 1 + (least[None, :] > most[:, None]).sum(axis=1)
        return low, count - (most[None, :] < least[:, None]).sum(axis=1)
    low, high = np.ones(count, dtype=np.int64), np.full(count, count)
    rest = np.arange(count)
    while len(rest):
        first = smith_members(above[np.ix_(rest, rest)])
        if rule not in CONSISTENT and first.sum() > 1:
            break
        low[rest[first]], high[rest[first]] = count - len(rest) + 1, count - len(rest) + first.sum()
        rest = rest[~first]
        low[rest] = count - len(rest) + 1
        if rule not in CONSISTENT:
            break
    return low, high
