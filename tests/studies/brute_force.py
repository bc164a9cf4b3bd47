"""Twins of the studies straight from the definitions, in plain Python; they share no code with what they check."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

from tests import brute_force as data
from weightlab.data import Leaderboard
from weightlab.rules import rank


def complete_models(suite, dataset, models, metrics):
    """Return the models with a score on every metric of the dataset, in suite order, and those metrics."""
    table = suite.table(dataset)
    there = {
        (model, metric): bool(text)
        for column, metric in enumerate(table.columns)
        for model, text in zip(table.models, table.cells.texts(column), strict=True)
    }
    weights = suite.weights
    used = [m for m in metrics if weights[m] and any(there.get((model, m)) for model in models)]
    return [model for model in models if used and all(there.get((model, m)) for m in used)], used


def breakings(row):
    """Yield every strict order (best first, by position) of one voter's weak order, given as ranks."""
    levels = [[i for i, rank in enumerate(row) if rank == level] for level in sorted(set(row))]
    for parts in product(*(permutations(level) for level in levels)):
        yield [i for part in parts for i in part]


def all_broken(ranks):
    """Yield every breaking of a profile's ties, each as ranks."""
    for orders in product(*(list(breakings(row)) for row in ranks)):
        yield [[order.index(i) + 1 for i in range(len(order))] for order in orders]


def majority_sign(ranks, weights, one, other):
    """Return who wins a duel: 1, 0 or -1."""
    lead = sum(w * ((row[one] < row[other]) - (row[one] > row[other])) for row, w in zip(ranks, weights, strict=True))
    return (lead > 0) - (lead < 0)


def open_duels(ranks, weights):
    """Return the pairs, by position, whose majority is not the same under all breakings."""
    count = len(ranks[0])
    seen = {pair: set() for pair in combinations(range(count), 2)}
    for broken in all_broken(ranks):
        for pair, signs in seen.items():
            signs.add(majority_sign(broken, weights, *pair))
    return [pair for pair, signs in seen.items() if len(signs) > 1]


def has_cycle(beats, models):
    """Tell whether some models beat one another in a cycle; ``beats`` is a set of pairs."""
    return any(
        all((around[i], around[(i + 1) % size]) in beats for i in range(size))
        for size in range(3, len(models) + 1)
        for around in permutations(models, size)
    )


def is_transitive(pairs, models):
    """Tell whether a relation is transitive; every model is related to itself."""
    related = set(pairs) | {(model, model) for model in models}
    return all(
        (a, c) in related for a in models for b in models for c in models if (a, b) in related and (b, c) in related
    )


def tau_b(board, one, other):
    """Return Kendall's tau-b of two tasks of a complete leaderboard, or None where one ties all."""
    pairs = list(combinations(board.models, 2))
    first = [data.sign(board, a, b, one) for a, b in pairs]
    second = [data.sign(board, a, b, other) for a, b in pairs]
    both = sum(map(abs, first)) * sum(map(abs, second))
    return None if not both else sum(x * y for x, y in zip(first, second, strict=True)) / both**0.5


def depth(relation, relations):
    """Return the Tukey depth of a relation (a set of pairs) among relations."""
    pairs = set().union(*relations, relation)
    against = [sum((pair in other) != (pair in relation) for other in relations) for pair in pairs]
    return 1 - Fraction(max(against, default=0), len(relations))


def fewest(things, good):
    """Return the least number of things without which all is good."""
    return next(
        size
        for size in range(len(things) + 1)
        for gone in combinations(things, size)
        if good([t for t in things if t not in gone])
    )


def places(board, rule, models, how=None):
    """Return the place of each model among these alone, ties broken by name where asked for, from a fresh table."""
    part = Leaderboard(
        board.scores.loc[list(models)], lower_is_better=board.lower_is_better, weights=board.weights.to_dict()
    )
    order = rank(part, rule).order
    if how is None:
        return {model: place for place, group in enumerate(order) for model in group}
    listed = [model for group in order for model in sorted(group, reverse=how == "reverse")]
    return {model: place for place, model in enumerate(listed)}


def reordered(before, after):
    """Return (first, second, sign before, sign after) of each pair of the models of ``before`` whose order changes."""
    found = set()
    for one in before:
        for other in before:
            was, now = ((place[one] < place[other]) - (place[one] > place[other]) for place in (before, after))
            if was != now and (was > 0 or (was == 0 and now > 0)):
                found.add((one, other, was, now))
    return found


def best(place, models):
    """Return the models of the least place among these, in their order."""
    least = min(place[model] for model in models)
    return tuple(model for model in models if place[model] == least)


def arrivals(board, rule, order, how):
    """Return how often an arriving model changes what, by rankings of fresh tables."""
    totals = dict.fromkeys(
        [
            *("changes", "unanswered", "changed", "reversed", "first_pair", "leader"),
            *("pairs_reversed", "pairs_tied", "pairs_split"),
        ],
        0,
    )
    for count in range(3, len(order) + 1):
        there = order[: count - 1]
        before, after = (places(board, rule, models, how) for models in (there, order[:count]))
        pairs = reordered(before, after)
        totals["changes"] += 1
        totals["changed"] += bool(pairs)
        totals["reversed"] += any(was and now for _, _, was, now in pairs)
        totals["first_pair"] += any({one, other} == set(order[:2]) for one, other, _, _ in pairs)
        totals["leader"] += set(best(before, there)) != set(best(after, there))
        totals["pairs_reversed"] += sum(bool(was and now) for _, _, was, now in pairs)
        totals["pairs_tied"] += sum(now == 0 for _, _, _, now in pairs)
        totals["pairs_split"] += sum(was == 0 for _, _, was, _ in pairs)
    return totals


def single_changes(board, rule, ranked):
    """Return all flips and changes of the leader when one model comes or goes, by rankings of fresh tables."""
    whole = places(board, rule, ranked)
    found = {"flips": set(), "leaders": set()}
    for model in board.models:
        stay = tuple(one for one in ranked if one != model)
        if model in ranked and len(ranked) < 3:
            continue
        change, there = ("removed", stay) if model in ranked else ("added", (*ranked, model))
        before, after = {one: whole[one] for one in stay}, places(board, rule, there)
        found["flips"] |= {(change, model, *pair) for pair in reordered(before, after)}
        was, now = best(before, stay), best(after, stay)
        if was != now:
            found["leaders"].add((change, model, was, now))
    return found
