"""Joint intervals and ranks one pair, one draw, one task at a time: slow twins of what is worked out in products."""

from __future__ import annotations

import math
import statistics
from itertools import product

import numpy as np
from scipy import stats


def pairs_of(count):
    """Return all pairs of models, the earlier one first."""
    return [(one, other) for one in range(count) for other in range(one + 1, count)]


def t_ratio(values, one, other):
    """Return Student's t of a pair's differences on all tasks."""
    gaps = [row[one] - row[other] for row in values]
    return float(stats.ttest_1samp(gaps, 0.0).statistic)


def bootstrap_ratios(strata, counts):
    """Return each pair's weighted mean error over its spread where every unit is drawn so often, unit by unit."""
    found = []
    for one, other in pairs_of(strata[0].values.shape[1]):
        mean = variance = 0.0
        for stratum, own in zip(strata, counts, strict=True):
            gaps = (stratum.values[:, one] - stratum.values[:, other]).tolist()
            weights = stratum.weights.tolist()
            true = sum(weight * gap for weight, gap in zip(weights, gaps, strict=True)) / sum(weights)
            drawn = [(w, gap) for w, gap, times in zip(weights, gaps, own, strict=True) for _ in range(times)]
            total = sum(weight for weight, _ in drawn)
            middle = sum(weight * gap for weight, gap in drawn) / total
            squares = sum((weight / total * (gap - middle)) ** 2 for weight, gap in drawn)
            mean += stratum.share * (middle - true)
            variance += stratum.share**2 * squares * len(drawn) / max(len(drawn) - 1, 1)
        found.append(mean / math.sqrt(variance) if variance > 1e-18 else math.copysign(math.inf, mean))
    return found


def share_alike(gaps):
    """Return in which share of all samples of one unit less than there are all are alike."""
    samples = list(product(gaps, repeat=len(gaps) - 1))
    return sum(len(set(sample)) == 1 for sample in samples) / len(samples)


def mean_squared_correlation(values):
    """Return the mean squared correlation of two models' places, less what is common to all, tasks at one scale."""
    rows = np.array([stats.zscore(stats.rankdata(own)) for own in np.transpose(values)]).T.tolist()
    rest = []
    for row in rows:
        gaps = [one - statistics.fmean(row) for one in row]
        size = math.sqrt(sum(gap**2 for gap in gaps))
        rest.append([gap / size if size > 1e-9 else 0.0 for gap in gaps])
    columns = list(zip(*rest, strict=True))
    constant = [max(one) - min(one) < 1e-9 for one in columns]
    return statistics.fmean(
        0.0 if constant[i] or constant[j] else statistics.correlation(columns[i], columns[j]) ** 2
        for i, j in pairs_of(len(columns))
    )


def step_down(ratios, drawn):
    """Return p-values pair by pair: each is compared with those no more distinct, and the contrary of the others."""
    count = len(ratios)
    order = sorted(range(count), key=lambda pair: -abs(ratios[pair]))
    found, least = [0.0] * count, 0.0
    for place, pair in enumerate(order):
        reached = 0
        for draw in drawn:
            later = max(abs(draw[one]) for one in order[place:])
            contrary = max((-draw[one] * math.copysign(1, ratios[one]) for one in order[:place]), default=-math.inf)
            reached += max(later, contrary) >= abs(ratios[pair])
        least = max(least, (1 + reached) / (len(drawn) + 1))
        found[pair] = least
    return found


def holm_steps(p_values):
    """Return Holm's p-values over two hypotheses a pair, one of which is still there once the other is rejected."""
    order = sorted(range(len(p_values)), key=lambda pair: p_values[pair])
    found, least = [0.0] * len(p_values), 0.0
    for place, pair in enumerate(order):
        least = max(least, min(1.0, (2 * len(p_values) - place) * p_values[pair] / 2))
        found[pair] = least
    return found


def hoeffding_leads(board, alpha):
    """Return weighted leads of all pairs as shares of what differs, how far they may be off, and their p-values."""
    leads, halves, p_values = [], [], []
    weights = [float(weight) for weight in board.weights]
    for one, other in pairs_of(len(board.models)):
        gaps = np.sign(board.scores.to_numpy()[one] - board.scores.to_numpy()[other])
        differ = [weight for weight, gap in zip(weights, gaps, strict=True) if gap]
        some = sum(differ) or 1.0
        leads.append(sum(weight * gap for weight, gap in zip(weights, gaps, strict=True)) / some)
        # Each task moves the lead by its share of the weight, up or down.
        spread = sum((weight / some) ** 2 for weight in differ) or math.inf
        halves.append(math.sqrt(2 * spread * math.log(2 / alpha)))
        p_values.append(min(1.0, 2 * math.exp(-(leads[-1] ** 2) / (2 * spread))))
    return leads, halves, p_values


def letters_are_right(letters, separated):
    """Tell whether models share a letter exactly if they are not separated."""
    count = len(letters)
    return all(bool(set(letters[one]) & set(letters[other])) != separated[one][other] for one, other in pairs_of(count))


def copeland_extremes(above):
    """Return the least and greatest rank by Copeland of each model, over all ways in which the open pairs may go."""
    count = len(above)
    open_pairs = [(one, other) for one, other in pairs_of(count) if not above[one][other] and not above[other][one]]
    low, high = [count] * count, [1] * count
    for number in range(3 ** len(open_pairs)):
        wins = [[float(above[one][other]) for other in range(count)] for one in range(count)]
        for place, (one, other) in enumerate(open_pairs):
            way = number // 3**place % 3
            wins[one][other], wins[other][one] = (1.0, 0.0) if way == 0 else (0.0, 1.0) if way == 1 else (0.0, 0.0)
        score = [sum(wins[one]) - sum(row[one] for row in wins) for one in range(count)]
        for one in range(count):
            low[one] = min(low[one], 1 + sum(other > score[one] for other in score))
            high[one] = max(high[one], sum(other >= score[one] for other in score))
    return low, high
