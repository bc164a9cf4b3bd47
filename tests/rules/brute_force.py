"""The rules word by word, in fractions and loops: slow twins of what the package does fast."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

from tests.brute_force import weights


def place_points(order, vector, ties):
    """Return the points of each model of one weak order for a vector of points by place."""
    points, place = {}, 0
    for group in order:
        worth = vector[place : place + len(group)]
        shared = {"average": sum(worth, Fraction(0)) / len(group), "min": worth[0], "max": worth[-1]}[ties]
        points.update(dict.fromkeys(group, shared))
        place += len(group)
    return points


def restricted(order, models):
    """Return a weak order of some of its models."""
    kept = (tuple(model for model in group if model in models) for group in order)
    return tuple(group for group in kept if group)


def completed(profile):
    """Return the orders of a profile with those that a voter leaves out tied for last."""
    orders = []
    for order in profile.orders:
        named = {model for group in order for model in group}
        rest = tuple(model for model in profile.models if model not in named)
        orders.append((*order, rest) if rest else order)
    return orders


def totals(profile, models, vector, ties):
    """Return the weighted points of some models among themselves."""
    sums = dict.fromkeys(models, Fraction(0))
    for order, weight in zip(completed(profile), profile.weights, strict=True):
        for model, points in place_points(restricted(order, models), vector, ties).items():
            sums[model] += weight * points
    return sums


def points_on_shared_tasks(profile, ties):
    """Return Borda's points pair by pair, None for a model that shares no task with some other."""
    worth = {"average": Fraction(1, 2), "min": Fraction(1), "max": Fraction(0)}[ties]
    sums = dict.fromkeys(profile.models, Fraction(0))
    places = [{model: place for place, group in enumerate(order) for model in group} for order in profile.orders]
    for model in profile.models:
        for rival in (other for other in profile.models if other != model):
            won = shared = Fraction(0)
            for place, weight in zip(places, profile.weights, strict=True):
                if weight and model in place and rival in place:
                    shared += weight
                    gap = place[rival] - place[model]
                    won += weight * ((gap > 0) + (gap == 0) * worth)
            sums[model] = None if sums[model] is None or not shared else sums[model] + won / shared
    total = sum(profile.weights, Fraction(0))
    return {model: None if points is None else total * points for model, points in sums.items()}


def by_score(scores):
    """Return the weak order of scores, greatest first, tied models in the order of the mapping."""
    return tuple(
        tuple(model for model, score in scores.items() if score == level)
        for level in sorted(set(scores.values()), reverse=True)
    )


def borda_vector(count):
    return [Fraction(count - 1 - place) for place in range(count)]


def plurality_vector(count):
    return [Fraction(place == 0) for place in range(count)]


def veto_vector(count):
    return [Fraction(place < count - 1) for place in range(count)]


def in_rounds(profile, vector_of, leaving, ties):
    """Return order and rounds: in each round the models that ``leaving`` names leave, unless that is all of them."""
    alive, rounds, order = list(profile.models), [], []
    while len(alive) > 1:
        scores = totals(profile, alive, vector_of(len(alive)), ties)
        gone = leaving(alive, scores)
        gone = [] if len(gone) == len(alive) else gone
        rounds.append((tuple(alive), scores, tuple(gone)))
        if not gone:
            break
        order = [*by_score({model: scores[model] for model in gone}), *order]
        alive = [model for model in alive if model not in gone]
    return (tuple(alive), *order), rounds


def lowest(_, scores):
    return [model for model, score in scores.items() if score == min(scores.values())]


def baldwin(profile, ties):
    return in_rounds(profile, borda_vector, lowest, ties)


def instant_runoff(profile, ties):
    return in_rounds(profile, plurality_vector, lowest, ties)


def nanson(profile, ties, *, strictly):
    def leaving(alive, scores):
        mean = sum(scores.values(), Fraction(0)) / len(alive)
        if all(score == mean for score in scores.values()):
            return alive
        return [model for model, score in scores.items() if score < mean or (score == mean and not strictly)]

    return in_rounds(profile, borda_vector, leaving, ties)


def coombs(profile, ties, *, majority_stop):
    def leaving(alive, scores):
        firsts = totals(profile, alive, plurality_vector(len(alive)), ties)
        majority = [model for model in alive if firsts[model] > Fraction(sum(profile.weights)) / 2]
        if majority_stop and len(majority) == 1:
            return [model for model in alive if model not in majority]
        return lowest(alive, scores)

    return in_rounds(profile, veto_vector, leaving, ties)


def threshold(profile, ties):
    count, alive, rounds, order = len(profile.models), list(profile.models), [], []
    for places in range(count - 1, 0, -1):
        vector = [Fraction(place < places) for place in range(count)]
        everyone = totals(profile, profile.models, vector, ties)
        scores = {model: everyone[model] for model in alive}
        gone = [model for model in alive if scores[model] < max(scores.values())]
        rounds.append((tuple(alive), scores, tuple(gone)))
        order = [*by_score({model: scores[model] for model in gone}), *order]
        alive = [model for model in alive if model not in gone]
        if len(alive) == 1:
            break
    return (tuple(alive), *order), rounds


def rows(board, *, median=False):
    """Return for each model its (score, weight) pairs, directions turned and gaps left out or filled with medians."""
    columns = {}
    for place, task in enumerate(board.tasks):
        column = board.cells.column(place)
        if median:
            known = sorted(value for value in column if value is not None)
            middle = (known[(len(known) - 1) // 2] + known[len(known) // 2]) / 2
            column = [middle if value is None else value for value in column]
        turn = -1 if task in board.lower_is_better else 1
        columns[task] = [None if value is None else turn * value for value in column]
    return {
        model: [(columns[task][row], weights(board)[task]) for task in board.tasks if columns[task][row] is not None]
        for row, model in enumerate(board.models)
    }


def mean(row):
    return sum(x * w for x, w in row) / sum(w for _, w in row)


def harmonic(row):
    return sum(w for _, w in row) / sum(w / x for x, w in row)


def median(row):
    """Return the middle of the list in which each score stands as often as it weighs."""
    unit = min(w for _, w in row) / 60
    listed = sorted(x for x, w in row for _ in range(int(w / unit)))
    return (listed[(len(listed) - 1) // 2] + listed[len(listed) // 2]) / 2


def gap(row, gamma):
    return sum(max(gamma - x, 0) * w for x, w in row) / sum(w for _, w in row)


def precisely(make):
    """Return what ``make`` works out with 60 digits, rounded to 50."""
    with localcontext() as context:
        context.prec = 60
        value = make()
        context.prec = 50
        return +value


def decimal(number):
    return Decimal(number.numerator) / Decimal(number.denominator)


def log_geometric(row):
    def make():
        return sum((decimal(w) * decimal(x).ln() for x, w in row), Decimal(0)) / decimal(sum(w for _, w in row))

    return precisely(make)


def z_means(board):
    """Return each model's mean z-score over the tasks on which it has a score."""
    table = rows(board)
    columns = {task: [] for task in board.tasks}
    for place, task in enumerate(board.tasks):
        turn = -1 if task in board.lower_is_better else 1
        columns[task] = [None if value is None else turn * value for value in board.cells.column(place)]

    def make_for(row):
        def make():
            total = Decimal(0)
            weight = Decimal(0)
            for task in board.tasks:
                value = columns[task][row]
                if value is None:
                    continue
                known = [one for one in columns[task] if one is not None]
                middle = sum(known) / len(known)
                variance = sum((one - middle) ** 2 for one in known) / len(known)
                weight += decimal(weights(board)[task])
                if variance:
                    total += decimal(weights(board)[task]) * decimal(value - middle) / decimal(variance).sqrt()
            return total / weight

        return make

    assert len(table) == len(board.models)
    return {model: precisely(make_for(row)) for row, model in enumerate(board.models)}


def by_near_score(scores):
    """Return the weak order of decimals in which numbers that agree to 40 digits tie."""
    order = []
    for model in sorted(scores, key=lambda one: -scores[one]):
        if order and abs(scores[order[-1][0]] - scores[model]) < Decimal("1e-40"):
            order[-1].append(model)
        else:
            order.append([model])
    return tuple(tuple(sorted(group)) for group in order)


def win_rates(profile, ties):
    """Return each model's mean share of rivals led over the voters that rank it and someone else."""
    level, rates = {"average": Fraction(1, 2), "min": 1, "max": 0}[ties], {}
    for model in profile.models:
        top = bottom = Fraction(0)
        for order, weight in zip(profile.orders, profile.weights, strict=True):
            place = {one: level for level, group in enumerate(order) for one in group}
            rivals = [one for one in place if one != model]
            if model not in place or not rivals:
                continue
            won = sum((place[model] < place[one]) + level * (place[model] == place[one]) for one in rivals)
            top += weight * Fraction(won) / len(rivals)
            bottom += weight
        rates[model] = top / bottom if bottom else None
    return rates


def mean_ranks(profile, ties):
    ranks = {}
    for model in profile.models:
        top = bottom = Fraction(0)
        for order, weight in zip(profile.orders, profile.weights, strict=True):
            above = 0
            for group in order:
                if model in group:
                    first, last = above + 1, above + len(group)
                    top += weight * {"average": Fraction(first + last, 2), "min": first, "max": last}[ties]
                    bottom += weight
                above += len(group)
        ranks[model] = top / bottom if bottom else None
    return ranks


def tau_b(first, second):
    """Return Kendall's tau-b pair by pair, or None where an order ties all."""
    level = [{model: place for place, group in enumerate(order) for model in group} for order in (first, second)]
    agree, untied = 0, [0, 0]
    for one, other in combinations(level[0], 2):
        signs = [(place[one] > place[other]) - (place[one] < place[other]) for place in level]
        agree += signs[0] * signs[1]
        untied = [count + abs(sign) for count, sign in zip(untied, signs, strict=True)]
    return None if 0 in untied else agree / (untied[0] * untied[1]) ** 0.5


def strengths(margins, steps=20_000):
    """Return Bradley-Terry strengths by minorisation and maximisation (Hunter, 2004), summing to 1."""
    count = len(margins.models)
    wins = [[2 * int(margins.wins[i, j]) + int(margins.ties[i, j]) for j in range(count)] for i in range(count)]
    power = [1.0] * count
    for _ in range(steps):
        new = []
        for i in range(count):
            met = sum((wins[i][j] + wins[j][i]) / (power[i] + power[j]) for j in range(count) if j != i)
            new.append(sum(wins[i]) / met)
        total = sum(new)
        new = [one / total for one in new]
        if max(abs(a - b) for a, b in zip(new, power, strict=True)) < 1e-15:
            break
        power = new
    return dict(zip(margins.models, power, strict=True))
