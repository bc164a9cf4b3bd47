"""Twins of weightlab.graph straight from the definitions, by enumeration, in plain Python.

They read margins cell by cell and share no code with what they check.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product
from math import gcd, lcm
from operator import mul


class Duels:
    """The duels of some models: exact wins, ties and margins by name."""

    def __init__(self, margins):
        self.models = margins.models
        place = {model: row for row, model in enumerate(margins.models)}
        unit = margins.denominator
        pairs = [(a, b) for a in self.models for b in self.models]
        self.ties = {(a, b): Fraction(int(margins.ties[place[a], place[b]]), unit) for a, b in pairs}
        counts = {(a, b): int(margins.wins[place[a], place[b]]) for a, b in pairs}
        self.wins = {pair: Fraction(count, unit) for pair, count in counts.items()}
        self.margin = {(a, b): Fraction(counts[a, b] - counts[b, a], unit) for a, b in pairs}

    def beats(self, a, b):
        return self.margin[a, b] > 0

    def in_board_order(self, chosen):
        return tuple(model for model in self.models if model in chosen)

    def strength(self, kind):
        """Return {(winner, loser): strength} of the duels that are won."""
        size = self.margin if kind == "margins" else self.wins
        return {pair: size[pair] for pair in self.margin if self.beats(*pair)}


def subsets(items, least=1):
    return chain.from_iterable(combinations(items, size) for size in range(least, len(items) + 1))


def smith_set(duels):
    """Return the smallest set each of whose members beats every model outside."""
    return next(
        chosen
        for chosen in subsets(duels.models)
        if all(duels.beats(a, b) for a in chosen for b in duels.models if b not in chosen)
    )


def schwartz_set(duels):
    """Return the union of the minimal sets into which no model outside beats."""
    undominated = [
        set(chosen)
        for chosen in subsets(duels.models)
        if not any(duels.beats(b, a) for a in chosen for b in duels.models if b not in chosen)
    ]
    minimal = [one for one in undominated if not any(other < one for other in undominated)]
    return duels.in_board_order(set().union(*minimal))


def uncovered_set(duels, kind):
    above = {a: {b for b in duels.models if duels.beats(b, a)} for a in duels.models}
    below = {a: {b for b in duels.models if duels.beats(a, b)} for a in duels.models}
    covers = {
        "gillies": lambda x, y: duels.beats(x, y) and above[x] <= above[y],
        "fishburn": lambda x, y: above[x] < above[y],
        "bordes": lambda x, y: duels.beats(x, y) and below[y] <= below[x],
        "mckelvey": lambda x, y: duels.beats(x, y) and above[x] <= above[y] and below[y] <= below[x],
    }[kind]
    return duels.in_board_order({y for y in duels.models if not any(covers(x, y) for x in duels.models)})


def banks_set(duels):
    tops = set()
    for order in chain.from_iterable(permutations(duels.models, size) for size in range(1, len(duels.models) + 1)):
        is_chain = all(duels.beats(a, b) for a, b in combinations(order, 2))
        if is_chain and not any(all(duels.beats(other, one) for one in order) for other in duels.models):
            tops.add(order[0])
    return duels.in_board_order(tops)


def paths(duels, start, end):
    """Yield every path of won duels without a repeated model."""

    def onward(path):
        for following in duels.models:
            if duels.beats(path[-1], following) and following not in path[1:]:
                if following == end:
                    yield [*path, following]
                elif following != start:
                    yield from onward([*path, following])

    yield from onward([start])


def path_strength(duels, kind, start, end):
    size = duels.strength(kind)
    return max((min(size[pair] for pair in pairwise(path)) for path in paths(duels, start, end)), default=0)


def schulze_defeats(duels, kind):
    best = {(a, b): path_strength(duels, kind, a, b) for a in duels.models for b in duels.models if a != b}
    return {pair for pair in best if best[pair] > best[pair[1], pair[0]]}


def cycles(duels):
    """Return every cycle of majorities, once, from its first model in board order."""
    found = []
    for size in range(3, len(duels.models) + 1):
        for chosen in combinations(duels.models, size):
            for rest in permutations(chosen[1:]):
                cycle = (chosen[0], *rest)
                if all(duels.beats(*pair) for pair in around(cycle)):
                    found.append(cycle)
    return found


def around(cycle):
    return list(zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def split_cycle_defeats(duels, kind):
    size = duels.strength(kind)
    split = set()
    for cycle in cycles(duels):
        weakest = min(size[pair] for pair in around(cycle))
        split |= {pair for pair in around(cycle) if size[pair] == weakest}
    return set(size) - split


def reachable(locked, start):
    seen, waiting = set(), [start]
    while waiting:
        current = waiting.pop()
        for above, below in locked:
            if above == current and below not in seen:
                seen.add(below)
                waiting.append(below)
    return seen


def ranked_pairs_locked(sequence):
    locked = set()
    for winner, loser in sequence:
        if winner not in reachable(locked, loser):
            locked.add((winner, loser))
    return locked


def closed(locked):
    return {(above, below) for above in {pair[0] for pair in locked} for below in reachable(locked, above)}


def sequence(duels, kind, order):
    size = duels.strength(kind)
    return sorted(size, key=lambda pair: (-size[pair], order.index(pair[0]), order.index(pair[1])))


def all_sequences(duels, kind):
    """Yield every sequence of the won duels by falling strength."""
    size = duels.strength(kind)
    groups = [[pair for pair in size if size[pair] == one] for one in sorted(set(size.values()), reverse=True)]
    for choice in product(*[list(permutations(group)) for group in groups]):
        yield [pair for group in choice for pair in group]


def cheapest_orders(models, cost):
    """Return the least cost of an order and all orders that have it."""
    prices = {pair: Fraction(cost(*pair)) for pair in permutations(models, 2)}
    unit = lcm(*(price.denominator for price in prices.values()))
    counts = {pair: int(price * unit) for pair, price in prices.items()}
    costs = {order: sum(map(counts.__getitem__, combinations(order, 2))) for order in permutations(models)}
    least = min(costs.values())
    return Fraction(least, unit), [order for order in costs if costs[order] == least]


def vertices_of_lotteries(game):
    """Return every vertex of {p >= 0, sum p = 1, p A >= 0}: each solves as many tight conditions, and no other does."""
    count = len(game)
    gains = [[int(game[row][column]) for row in range(count)] for column in range(count)]
    signs = [[int(row == column) for row in range(count)] for column in range(count)]
    found = set()
    for tight in combinations(gains + signs, count - 1):
        solution = only_solution([*tight, [1] * count], [0] * (count - 1) + [1])
        if solution is None:
            continue
        unit = lcm(*(share.denominator for share in solution))
        whole = [int(share * unit) for share in solution]
        if all(sum(map(mul, row, whole)) >= 0 for row in gains + signs):
            found.add(tuple(solution))
    return found


def only_solution(rows, right):
    """Return the only solution of a square system, by elimination in integers, or None."""
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(work)
    for step in range(size):
        pivot = next((row for row in range(step, size) if work[row][step]), None)
        if pivot is None:
            return None
        work[step], work[pivot] = work[pivot], work[step]
        lead = work[step][step]
        for row in range(size):
            if row != step and (factor := work[row][step]):
                reduced = [lead * a - factor * b for a, b in zip(work[row], work[step], strict=True)]
                common = gcd(*reduced) or 1
                work[row] = [value // common for value in reduced]
    return [Fraction(row[-1], row[place]) for place, row in enumerate(work)]
