"""The eight properties as searches: each function returns a sentence about a violation on one table, or None.

Tables are complete, without ties inside a task, and all tasks weigh the same; scores are integers. Where a rule has no
answer it ranks no models and none wins: that violates what demands a ranking or a winner, and nothing else.
"""

from __future__ import annotations

from functools import lru_cache

import pandas as pd

from weightlab.data import Leaderboard
from weightlab.rules import Property, rank
from weightlab.rules.refusal import NO_ANSWER


@lru_cache(maxsize=1 << 12)
def board_of(rows, models="abcdefgh"):
    """Return the board of rows of scores, one a model; it is made once for all rules."""
    names = list(models[: len(rows)])
    return Leaderboard(pd.DataFrame(list(rows), index=names, columns=[f"t{j}" for j in range(len(rows[0]))]))


def answer(rows, rule, models="abcdefgh"):
    """Return the ranking, or None where the rule has no answer; on small tables it is asked once."""
    return _answer(tuple(map(tuple, rows)), rule, models)


@lru_cache(maxsize=1 << 12)
def _answer(rows, rule, models):
    try:
        return rank(board_of(rows, models), rule)
    except NO_ANSWER:
        return None


def models_of(rows):
    return "abcdefgh"[: len(rows)]


def leads(rows, one, other):
    return sum(x > y for x, y in zip(rows[one], rows[other], strict=True))


def beats(rows, one, other):
    return leads(rows, one, other) > leads(rows, other, one)


def intransitive(rows, rule):
    ranking = answer(rows, rule)
    if ranking is None:
        return "no answer"
    placed = sorted(model for group in ranking.order for model in group)
    return None if placed == sorted(ranking.models) else f"the order is {ranking.order}"


def task_matters(rows, rule):
    turned = [row[1:] + row[:1] for row in rows]
    first, second = answer(rows, rule), answer(turned, rule)
    if first is None or second is None:
        return None if first is second else "one task more or less first, and there is no answer"
    return None if first.order == second.order else f"{first.order} becomes {second.order} when tasks change names"


def dominated_above(rows, rule):
    ranking = answer(rows, rule)
    if ranking is None:
        return None
    names, ranks = ranking.models, ranking.ranks.to_dict()
    for one in range(len(rows)):
        for other in range(len(rows)):
            if one != other and leads(rows, one, other) == len(rows[0]):
                if ranks[names[one]] > ranks[names[other]]:
                    return f"{names[one]} leads {names[other]} on every task and stands below it"
                if names[other] in ranking.winners:
                    return f"{names[one]} leads {names[other]} on every task, and that one wins"
    return None


def third_model_matters(rows, rule):
    ranking = answer(rows, rule)
    if len(rows) < 3:
        return None
    names = models_of(rows)
    for gone in range(len(rows)):
        rest = [row for place, row in enumerate(rows) if place != gone]
        without = answer(rest, rule, "".join(name for name in names if name != names[gone]))
        if without is None or ranking is None:
            if without is not ranking:
                return f"there is an answer with or without {names[gone]} alone"
            continue
        before, after = ranking.ranks.to_dict(), without.ranks.to_dict()
        for one in without.models:
            for other in without.models:
                if (before[one] > before[other]) != (after[one] > after[other]):
                    return f"{one} and {other} change places when {names[gone]} leaves"
    return None


def raised(rows, model, task):
    """Yield the rows with one model's score on one task raised past the next model, and far past all."""
    above = sorted(row[task] for row in rows if row[task] > rows[model][task])
    if not above:
        return
    ceiling = above[1] if len(above) > 1 else above[0] + 2
    for score in ((above[0] + ceiling) / 2, above[-1] + 1, above[-1] + 1000):
        yield [[*row[:task], score, *row[task + 1 :]] if place == model else row for place, row in enumerate(rows)]


def rising_hurts(rows, rule):
    ranking = answer(rows, rule)
    if ranking is None:
        return None
    for name in ranking.winners:
        model = ranking.models.index(name)
        for task in range(len(rows[0])):
            for better in raised(rows, model, task):
                after = answer(better, rule)
                if after is None or name not in after.winners:
                    return f"{name} wins, rises on task {task} and wins no more"
    return None


def majority_ignored(rows, rule):
    ranking = answer(rows, rule)
    winners = () if ranking is None else ranking.winners
    for model, name in enumerate(models_of(rows)):
        first = sum(all(rows[model][task] >= row[task] for row in rows) for task in range(len(rows[0])))
        if 2 * first > len(rows[0]) and winners != (name,):
            return f"{name} is first on {first} of {len(rows[0])} tasks, and {winners} win"
    return None


def condorcet_winner_ignored(rows, rule):
    ranking = answer(rows, rule)
    for model in range(len(rows)):
        if all(beats(rows, model, other) for other in range(len(rows)) if other != model):
            if ranking is None:
                return "no answer"
            if ranking.winners != (ranking.models[model],):
                return f"{ranking.models[model]} wins all duels, and {ranking.winners} win"
    return None


def condorcet_loser_wins(rows, rule):
    ranking = answer(rows, rule)
    if ranking is None:
        return None
    for model in range(len(rows)):
        name = ranking.models[model]
        if name in ranking.winners and all(beats(rows, other, model) for other in range(len(rows)) if other != model):
            return f"{name} loses all duels, and {ranking.winners} win"
    return None


SEARCHES = {
    Property.TRANSITIVITY: intransitive,
    Property.ANONYMITY: task_matters,
    Property.UNANIMITY: dominated_above,
    Property.INDEPENDENCE: third_model_matters,
    Property.MONOTONICITY: rising_hurts,
    Property.MAJORITY: majority_ignored,
    Property.CONDORCET_WINNER: condorcet_winner_ignored,
    Property.CONDORCET_LOSER: condorcet_loser_wins,
}
