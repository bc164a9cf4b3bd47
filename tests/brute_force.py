"""Twins of the data layer straight from the definitions, in plain Python with fractions.

They read the exact scores cell by cell and share no code with what they check.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache


@lru_cache(maxsize=4)  # boards cannot change, and are told apart by identity
def scores(board):
    """Return {task: {model: Fraction}} of the scores there are."""
    table = {}
    for column, task in enumerate(board.tasks):
        texts = board.cells.texts(column)
        table[task] = {model: Fraction(text) for model, text in zip(board.models, texts, strict=True) if text}
    return table


@lru_cache(maxsize=4)
def weights(board):
    """Return {task: weight}; a board makes a new Series whenever it is asked."""
    return board.weights.to_dict()


def allowed(board, task, one, other):
    """Return by how much two scores of a task may differ and still tie."""
    share, most = board.relative_tolerance.get(task), board.tolerance.get(task, Fraction(0))
    return most if share is None else max(most, share * max(abs(one), abs(other)))


@lru_cache(maxsize=1 << 10)
def sign(board, model, rival, task):
    """Return R(model, rival, task) of Vote'n'Rank, equation (1): 1 leads, -1 trails, 0 ties or lacks a score."""
    there = scores(board)[task]
    if model not in there or rival not in there:
        return 0
    return sign_between(board, task, there[model], there[rival])


def sign_between(board, task, own, other):
    """Return 1 where a score leads another one of the task, -1 where it trails, 0 where they tie."""
    within = allowed(board, task, own, other)
    if own == other or (within and abs(own - other) <= within):
        return 0
    leads = own < other if task in board.lower_is_better else own > other
    return 1 if leads else -1


def signs(board):
    """Return {(model, rival, task): sign}."""
    pairs = [(model, rival) for model in board.models for rival in board.models]
    return {(model, rival, task): sign(board, model, rival, task) for model, rival in pairs for task in board.tasks}


def weight_of(board, holds):
    """Return the weight of the tasks for which ``holds(task)``."""
    return sum((weights(board)[task] for task in board.tasks if holds(task)), Fraction(0))


def wins(board, model, rival):
    """Return the weight of the tasks on which the model leads."""
    return weight_of(board, lambda task: sign(board, model, rival, task) == 1)


def ties(board, model, rival):
    """Return the weight of the tasks on which both have a score and tie; 0 of a model against itself."""
    table = scores(board)
    if model == rival:
        return Fraction(0)
    return weight_of(
        board,
        lambda task: model in table[task] and rival in table[task] and sign(board, model, rival, task) == 0,
    )


def margin(board, model, rival):
    """Return the weighted sum of signs."""
    return sum((weights(board)[task] * sign(board, model, rival, task) for task in board.tasks), Fraction(0))


def at_least_as_good(board, model, rival, *, strict=False):
    """Tell whether the model beats (or at least ties) the rival by weighted majority; each is related to itself."""
    lead = margin(board, model, rival)
    return model == rival or (lead > 0 if strict else lead >= 0)


def weak_order(board, task):
    """Return the models with a score, best first, as a tuple of tied tuples in board order."""
    there = scores(board)[task]
    values = sorted(set(there.values()), reverse=task not in board.lower_is_better)
    return tuple(tuple(model for model in board.models if there.get(model) == value) for value in values)


def without_ties(order, *, reverse=False):
    """Return the order with ties broken by code point, or against it."""
    return tuple((model,) for place in order for model in sorted(place, reverse=reverse))


def points(board, task, vector, ties):
    """Return {model: points} of a task with every score: by place, tied models by one of the three conventions."""
    worth = {}
    place = 0
    for tied in weak_order(board, task):
        own = vector[place : place + len(tied)]
        each = {"average": sum(own, Fraction(0)) / len(own), "min": own[0], "max": own[-1]}[ties]
        worth.update(dict.fromkeys(tied, each))
        place += len(tied)
    return worth


def condorcet_winners(board):
    """Return the models that beat every rival: one or none."""
    return [
        model
        for model in board.models
        if all(margin(board, model, rival) > 0 for rival in board.models if rival != model)
    ]
