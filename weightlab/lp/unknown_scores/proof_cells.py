"""Cells that prove a claim: a minimal set of measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab.data.linear_rule import MEAN
from weightlab.lp.unknown_scores.claims import ORDER, Claim
from weightlab.lp.unknown_scores.spans import Spans

MOST_SORTED = 2 * 10**7
"""Cells that are sorted at once, at most."""
MOST_TRIED = 10**9
"""Cells that are tried one by one, times pairs that each is tried on, at most."""


def proof_cells(spans: Spans, claim: Claim, rows: Sequence[int], cost: FloatArray) -> BoolArray:
    """Return measured cells that prove a claim that is certain (models x tasks).

    No cell can be left out, the dearest being tried first, unless the table is too large to sort its cells or, by
    majority or by Borda, to try them one by one: then they are all that are measured and have weight.

    Parameters
    ----------
    spans, claim, rows
        As in `judged`; the claim is certain.
    cost : ndarray of float, models x tasks
        What each cell costs.
    """
    weighing = spans.measured & np.array([one > 0 for one in spans.weights])
    if weighing.size > MOST_SORTED:
        return np.asarray(weighing)
    kept, fixed = weighing & (spans.least < spans.most), weighing & ~spans.bounded
    if spans.rule != MEAN:
        return kept if kept.sum() * len(kept) ** 2 > MOST_TRIED else pruned(spans, claim, rows, kept, cost)
    even = bool((cost == cost[:, :1]).all())
    if claim.what != ORDER:
        kept = threshold_cells(spans.knowing(kept), rows, cost)[0]
    if claim.what == ORDER or not even:
        kept = _pruned_mean(spans.knowing(kept), claim, rows, cost)
    return np.asarray(kept | fixed)


def threshold_cells(spans: Spans, rows: Sequence[int], cost: FloatArray) -> tuple[BoolArray, float]:
    """Return by the mean the cheapest measured cells that prove which models are ahead of all others, and their cost.

    Notes
    -----
    All pairs hold exactly when some h has U <= h < L for each model outside and inside. Given h each model takes its
    most useful cells first, which is least where cells of one model cost the same (otherwise a good choice). What the
    models take changes only at the sums of their first few cells, and best is an h that is such a sum of one outside:
    all are sorted once, O(cells log cells).
    """
    inside = np.zeros(len(spans.scores), dtype=np.bool_)
    inside[list(rows)] = True
    use = np.where(inside[:, None], spans.scores - spans.least, spans.most - spans.scores) * np.array(spans.weights)
    use = np.where(spans.measured, use, 0)
    order = np.argsort(-(use / cost).astype(np.float64), axis=1, kind="stable")
    use, price = np.take_along_axis(use, order, axis=1), np.take_along_axis(cost, order, axis=1)
    worst, best = spans.knowing(np.zeros_like(spans.measured)).totals
    sums = np.cumsum(use, axis=1)
    # A cell is taken where the sum before it is not enough yet: from inside up to h, from outside still above h.
    before = np.where(inside[:, None], worst[:, None] + sums - use, best[:, None] - sums + use)
    taken_in, taken_out = _prices(before[inside], price[inside]), _prices(before[~inside], price[~inside])
    least, under = (best[~inside] - sums[~inside, -1]).max(), (worst[inside] + sums[inside, -1]).min()
    levels = np.append(taken_out[0][(taken_out[0] >= least) & (taken_out[0] < under)], least)
    at_in = np.searchsorted(taken_in[0], levels, side="right")
    at_out = np.searchsorted(taken_out[0], levels, side="right")
    costs = taken_in[1][at_in] + taken_out[1][-1] - taken_out[1][at_out]
    level, found = levels[int(np.argmin(costs))], np.zeros_like(spans.measured)
    np.put_along_axis(found, order, np.where(inside[:, None], before <= level, before > level) & (use > 0), axis=1)
    return found, float(costs.min())


def _prices(sums: AnyArray, price: FloatArray) -> tuple[AnyArray, FloatArray]:
    """Return sums in order, and what all cells up to each one cost."""
    order = np.argsort(sums, axis=None, kind="stable")
    return sums.ravel()[order], np.append(0.0, np.cumsum(price.ravel()[order]))


def _dearest_first(kept: BoolArray, cost: FloatArray, use: AnyArray) -> list[tuple[int, int]]:
    places = np.argwhere(kept)
    keys = [(-cost[row, task], use[row, task], row, task) for row, task in places.tolist()]
    return [(row, task) for *_, row, task in sorted(keys)]


def _pruned_mean(spans: Spans, claim: Claim, rows: Sequence[int], cost: FloatArray) -> BoolArray:
    """Return the cells of a proof by the mean without those that are not needed, the dearest first."""
    worst, best = (end.astype(object) for end in spans.totals)
    kept, pairs = spans.measured.copy(), claim.pairs(rows, len(spans.scores))
    weights = np.array(spans.weights)
    falls, rises = (spans.scores - spans.least) * weights, (spans.most - spans.scores) * weights
    used, beaten = (np.asarray(pairs.any(axis=axis)) for axis in (1, 0))
    for row, task in _dearest_first(kept, cost, np.where(used[:, None], falls, rises)):
        low, high = worst[row] - int(falls[row, task]), best[row] + int(rises[row, task])
        ahead = not used[row] or low > best[pairs[row]].max()
        if ahead and (not beaten[row] or high < worst[pairs[:, row]].min()):
            kept[row, task], worst[row], best[row] = False, low, high
    return kept


def pruned(spans: Spans, claim: Claim, rows: Sequence[int], kept: BoolArray, cost: FloatArray) -> BoolArray:
    """Return the cells of a proof without those that are not needed, the dearest first, trying each on all pairs."""
    kept, pairs = kept.copy(), claim.pairs(rows, len(kept))
    low, high = (end.copy() for end in (spans.low, spans.high))
    least = spans.leads[0]
    columns = [spans.column(task, low[:, task], high[:, task]) for task in range(low.shape[1])]
    for row, task in _dearest_first(kept, cost, spans.high):
        before = low[row, task], high[row, task]
        low[row, task], high[row, task] = spans.least[row, task], spans.most[row, task]
        column = spans.column(task, low[:, task], high[:, task])
        then = least + spans.weights[task] * (column - columns[task])
        if (then[pairs] > 0).all():
            kept[row, task], least, columns[task] = False, then, column
        else:
            low[row, task], high[row, task] = before
    return kept


def total_cost(cells: BoolArray, cost: AnyArray) -> Fraction:
    """Return the total cost of some cells."""
    return sum((Fraction(one) for one in cost[cells].tolist()), Fraction(0))
