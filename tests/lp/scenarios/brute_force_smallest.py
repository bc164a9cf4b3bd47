"""Twins of the smallest benchmark: every set of tasks, smallest first, every pair asked by itself."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from tests.brute_force import scores, sign, weights


def leads(board, rule, one, other):
    """Return by how much a model leads another on each task: a sign, a score, or points of places."""
    found = []
    for task, there in scores(board).items():
        way = -1 if task in board.lower_is_better else 1
        if rule == "majority":
            found.append(sign(board, one, other, task))
        elif rule == "mean":
            found.append(way * (there[one] - there[other]))
        else:
            own = {model: way * score for model, score in there.items()}
            first, second = (
                sum(
                    Fraction(1 if own[model] > score else Fraction(1, 2) if own[model] == score else 0)
                    for rival, score in own.items()
                    if rival != model
                )
                for model in (one, other)
            )
            found.append(first - second)
    return found


def total(own, shares):
    return sum((Fraction(lead) * share for lead, share in zip(own, shares, strict=True)), Fraction(0))


def pairs_of(board, rule, k, margin, break_ties=None):
    """Return (leads, least lead, sign) of each kept pair; None where majorities give no such order."""
    today = [weights(board)[task] / sum(weights(board).values()) for task in board.tasks]
    models = board.models
    ahead = {}
    for one, other in itertools.permutations(models, 2):
        lead = total(leads(board, rule, one, other), today)
        ahead[one, other] = (lead > 0) - (lead < 0)
        if not lead and break_ties:
            ahead[one, other] = 1 if (one < other) == (break_ties == "alphabetical") else -1
    net = {one: sum(ahead[one, other] for other in models if other != one) for one in models}
    least = sorted(net.values())[-k]
    kept = [one for one in models if net[one] >= least]
    if any(
        ahead[one, other] != (net[one] > net[other]) - (net[one] < net[other])
        for one in kept
        for other in models
        if other != one
    ):
        return None
    spread = (
        1
        if rule == "majority"
        else max(total(leads(board, rule, one, other), today) for one, other in itertools.permutations(models, 2))
    )
    return [
        (leads(board, rule, one, other), margin * spread, ahead[one, other])
        for one in kept
        for other in models
        if other != one and ahead[one, other] >= 0
    ]


def keeps(pairs, shares):
    """Tell whether weights keep every pair."""
    found = [(total(own, shares), least, sign) for own, least, sign in pairs]
    return all(lead >= least if sign else lead == 0 for lead, least, sign in found)


def keeps_with_some(pairs, chosen, width):
    """Tell, by a linear program in floats, whether some weights on the chosen tasks keep every pair."""
    above = [[-float(own[task] - least) for task in chosen] for own, least, sign in pairs if sign]
    level = [[float(own[task]) for task in chosen] for own, _, sign in pairs if not sign]
    rows = np.array([*above, *level, *[[-one for one in row] for row in level]])
    slack = np.hstack([rows, -np.ones((len(rows), 1))])
    found = linprog(
        [0] * len(chosen) + [1],
        A_ub=slack,
        b_ub=np.zeros(len(rows)),
        A_eq=[[1] * len(chosen) + [0]],
        b_eq=[1],
        bounds=[(0, 1)] * len(chosen) + [(None, None)],
    )
    return found.x[-1] <= 1e-9


def smallest(board, rule, how, pairs):
    """Return every smallest set of tasks that keeps the pairs; none where no set does."""
    width = len(board.tasks)
    own = [Fraction(1)] * width if how == "equal" else [weights(board)[task] for task in board.tasks]
    for size in range(1, width + 1):
        found = []
        for chosen in itertools.combinations(range(width), size):
            if how == "free":
                good = keeps_with_some(pairs, chosen, width)
            else:
                sums = sum(own[task] for task in chosen)
                if not all(own[task] for task in chosen):
                    continue
                good = keeps(pairs, [own[task] / sums if task in chosen else 0 for task in range(width)])
            if good:
                found.append(tuple(board.tasks[task] for task in chosen))
        if found:
            return found
    return []


def named_pairs(board, rule, k, margin):
    """Return the pairs of a kept order with the names of the two models, and the kept models."""
    today = [weights(board)[task] / sum(weights(board).values()) for task in board.tasks]
    ahead = {
        (one, other): sign_of(total(leads(board, rule, one, other), today))
        for one, other in itertools.permutations(board.models, 2)
    }
    net = {one: sum(ahead[one, other] for other in board.models if other != one) for one in board.models}
    kept = [one for one in board.models if net[one] >= sorted(net.values())[-k]]
    names = [(one, other) for one in kept for other in board.models if other != one and ahead[one, other] >= 0]
    return list(zip(names, pairs_of(board, rule, k, margin), strict=True)), kept


def sign_of(number):
    return (number > 0) - (number < 0)


def cheapest(board, how, named, kept, *, cost, tolerance):
    """Return the least cost of tasks that keep all pairs without some of the kept models; None where none do."""
    best = None
    for count in range(tolerance + 1):
        for failing in itertools.combinations(kept, count):
            left = [own for pair, own in named if not set(pair) & set(failing)]
            for chosen in subsets(len(board.tasks)):
                price = sum(cost[board.tasks[task]] for task in chosen)
                if (best is None or price < best) and does(board, how, left, chosen):
                    best = price
    return best


def subsets(width):
    return itertools.chain.from_iterable(itertools.combinations(range(width), size) for size in range(1, width + 1))


def does(board, how, pairs, chosen):
    """Tell whether tasks keep pairs, by weights that are free or fixed."""
    width = len(board.tasks)
    if how == "free":
        return not pairs or keeps_with_some(pairs, chosen, width)
    own = [Fraction(1)] * width if how == "equal" else [weights(board)[task] for task in board.tasks]
    if not all(own[task] for task in chosen):
        return False
    whole = sum(own[task] for task in chosen)
    return keeps(pairs, [own[task] / whole if task in chosen else Fraction(0) for task in range(width)])
