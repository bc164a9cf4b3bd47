"""Definitions of the domains, taken literally: every axis, every set, every row of voters, every breaking."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import numpy as np


def has_valley(row, axis):
    along = [int(row[model]) for model in axis if row[model] > 0]
    return any(
        along[place] > min(along[:place]) and along[place] > min(along[place + 1 :])
        for place in range(1, len(along) - 1)
    )


def axes(ranks):
    return [axis for axis in permutations(range(ranks.shape[1])) if not any(has_valley(row, axis) for row in ranks)]


def group_separable(ranks):
    models = range(ranks.shape[1])
    return all(_separated(ranks, some) for size in range(2, len(models) + 1) for some in combinations(models, size))


def _separated(ranks, some):
    for size in range(1, len(some)):
        for part in combinations(some, size):
            rest = [model for model in some if model not in part]
            if all(max(row[list(part)]) < min(row[rest]) or max(row[rest]) < min(row[list(part)]) for row in ranks):
                return True
    return False


def single_crossing(ranks):
    def swaps(order, a, b):
        ways = [ranks[voter][a] < ranks[voter][b] for voter in order]
        return sum(one != other for one, other in pairwise(ways))

    pairs = list(combinations(range(ranks.shape[1]), 2))
    return any(all(swaps(order, a, b) <= 1 for a, b in pairs) for order in permutations(range(len(ranks))))


def value_restricted(ranks):
    return all(_restricted(ranks[:, list(trio)]) for trio in combinations(range(ranks.shape[1]), 3))


def _restricted(rows):
    concerned = [row for row in rows.tolist() if len(set(row)) > 1]
    for model in range(3):
        y, z = (other for other in range(3) if other != model)
        best = any(row[model] <= min(row[y], row[z]) for row in concerned)
        worst = any(row[model] >= max(row[y], row[z]) for row in concerned)
        medium = any(min(row[y], row[z]) <= row[model] <= max(row[y], row[z]) for row in concerned)
        if not (best and medium and worst):
            return True
    return False


def largest_distance(ranks):
    pairs = list(combinations(range(ranks.shape[1]), 2))
    return max(
        (
            sum((one[a] - one[b]) * (other[a] - other[b]) < 0 for a, b in pairs)
            for one, other in combinations(ranks.astype(int), 2)
        ),
        default=0,
    )


def breakings(profile):
    """Return all profiles that break the ties of a profile, or None when there are more than 150."""
    choices = [[sum(one, ()) for one in product(*map(permutations, order))] for order in profile.orders]
    if np.prod([len(one) for one in choices]) > 150:
        return None
    return [type(profile).from_orders(orders, models=profile.models) for orders in product(*choices)]
