"""Twins of lifts: every set of tasks, smallest first, on a table made anew."""

from __future__ import annotations

import itertools
from fractions import Fraction

import weightlab as wl
from tests.brute_force import scores, sign, weights
from tests.lp.improvement.brute_force_upset import changed

LINEAR = ("mean", "mean_win_rate", "borda", "plurality", "dowdall")


def lifted(board, model, tasks, level):
    """Return the board with a model at the best score of these tasks, or improved by a level."""
    new = {}
    for task in tasks:
        there, lower = scores(board)[task], task in board.lower_is_better
        if model in there:
            best = (min if lower else max)(there.values())
            new[task] = best if level is None else there[model] + (-level if lower else level)
    return changed(board, model, new)


def lower_median(board, model):
    """Return the least score, negated where lower is better, with half of the model's weight at or below it."""
    own = [
        (-there[model] if task in board.lower_is_better else there[model], weights(board)[task])
        for task, there in scores(board).items()
        if model in there and weights(board)[task]
    ]
    total = sum(weight for _, weight in own)
    return min(one for one, _ in own if 2 * sum(weight for other, weight in own if other <= one) >= total)


def standings(board, rule, missing):
    """Return the score of each model by the registry of rules, greater being better; the lower median by hand."""
    if rule == "median":
        return {model: lower_median(board, model) for model in board.models}
    options = {"vector": rule} if not isinstance(rule, str) else {}
    name = "scoring" if options else rule
    return dict(wl.rules.rank(board, wl.rules.rule(name, missing=missing, **options)).scores)


def wins(board, model, rule, missing, *, shared):
    """Tell whether a model is the only winner, or shares the first place."""
    rivals = [one for one in board.models if one != model]
    if rule == "majority":
        leads = [
            sum(weight * sign(board, model, rival, task) for task, weight in weights(board).items()) for rival in rivals
        ]
    else:
        own = standings(board, rule, missing)
        leads = [own[model] - own[rival] for rival in rivals]
    return all(lead >= 0 if shared else lead > 0 for lead in leads)


def fewest(board, model, rule, missing="error", *, level=None, shared=False):
    """Return the least number of lifts after which a model wins, or None."""
    for size in range(len(board.tasks) + 1):
        for tasks in itertools.combinations(board.tasks, size):
            if wins(lifted(board, model, tasks, level), model, rule, missing, shared=shared):
                return size
    return None


def vector_of(dice, count):
    """Return points of places that never rise."""
    return sorted((Fraction(dice.between(0, 6), dice.one_of([1, 2, 3])) for _ in range(count)), reverse=True)
