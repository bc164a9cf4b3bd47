"""What shows that weights do what is claimed of them: they are allowed, and lead by so much. No solver takes part.

This is the primal side of every proof: feasible points and their exact values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import SignArray, common_denominator, exact_products
from weightlab._result import ensure, ensure_same_names, exact_series
from weightlab.data import Profile
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.signs import Signs
from weightlab.lp.space.space import WeightSpace, shares_of


def column_sums(signs: SignArray, blockers: Sequence[Fraction]) -> list[Fraction]:
    """Return the lead over a mixture of rivals on each task, exactly; rivals without a share cost nothing."""
    chosen = [index for index, share in enumerate(blockers) if share]
    if not chosen:
        return [Fraction(0)] * signs.shape[1]
    numerators, denominator = common_denominator([blockers[index] for index in chosen])
    products = exact_products(np.ascontiguousarray(signs[chosen].T), numerators).tolist()
    return [Fraction(int(product), denominator) for product in products]


def leads(signs: SignArray, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return G w exactly, one lead a rival."""
    numerators, denominator = common_denominator(weights)
    return [Fraction(int(lead), denominator) for lead in exact_products(signs, numerators).tolist()]


def least_lead(signs: SignArray, weights: Sequence[Fraction]) -> Fraction:
    """Return the least lead over all rivals, exactly."""
    # Few tasks have a weight at a vertex.
    used = [place for place, weight in enumerate(weights) if weight]
    numerators, denominator = common_denominator([weights[place] for place in used])
    return Fraction(int(exact_products(signs[:, used], numerators).min()), denominator)


def check_exact(**numbers: object) -> None:
    """Ensure that numbers are fractions: floats that look right prove nothing."""
    for name, number in numbers.items():
        ensure(isinstance(number, Fraction), f"{name} is {number!r}, which is no exact number")


def check_form(
    model: str,
    rivals: Sequence[str],
    tasks: Sequence[str],
    signs: SignArray,
    space: WeightSpace,
    *,
    source: SignsLike | None,
) -> None:
    """Ensure that names, signs and space belong together, and that a source has just these names and signs."""
    ensure(space.tasks == tuple(tasks), "the tasks of the space are not those of the weights, in the same order")
    ensure(len(set(rivals)) == len(rivals), "two rivals have the same name")
    ensure(model not in rivals, f"{model!r} is among its own rivals")
    ensure(signs.shape == (len(rivals), len(tasks)), "the signs do not fit the rivals and tasks")
    ensure(signs.dtype.kind == "i" and signs.size and -1 <= signs.min() <= signs.max() <= 1, "signs must be -1, 0 or 1")
    if source is None:
        return
    table = as_signs(source)
    ensure(model in table.models, f"the source has no model {model!r}")
    ensure_same_names("tasks", tasks, table.tasks)
    ensure_same_names("rivals", rivals, table.rivals(model))
    columns = [table.tasks.index(task) for task in tasks]
    own = table.over_all(table.position(model))[np.ix_([table.position(rival) for rival in rivals], columns)]
    for row, column in np.argwhere(own != signs)[:1].tolist():
        duel = f"the sign of {model!r} over {rivals[row]!r} on {tasks[column]!r}"
        ensure(holds=False, failure=f"{duel} is {own[row, column]} in the source, not {signs[row, column]}")


def check_table(signs: Signs, space: WeightSpace, source: SignsLike | None) -> None:
    """Ensure that a table has models to compare, that the space is about its tasks, and that a source has its signs."""
    ensure(len(signs.models) > 1, "there must be at least two models")
    ensure(len(set(signs.models)) == len(signs.models), "two models have the same name")
    ensure(space.tasks == signs.tasks, "the tasks of the space are not those of the signs, in order")
    if source is not None:
        signs.ensure_same(as_signs(source))


def check_weights(weights: Mapping[str, Fraction], space: WeightSpace) -> None:
    """Ensure that weights are not negative, sum to 1, and meet the conditions of a space."""
    negative = next((task for task, weight in weights.items() if weight.numerator < 0), None)
    if negative is not None:
        ensure(holds=False, failure=f"the weight of {negative!r} is negative: {weights[negative]}")
    kept = [task for task, weight in weights.items() if weight]
    numerators, denominator = common_denominator([weights[task] for task in kept])
    total = Fraction(sum(numerators), denominator)
    ensure(total == 1, f"the weights sum to {total}, not to 1")
    whole = dict(zip(kept, numerators, strict=True))
    broken = next((one for one in space.conditions if not one.holds(whole, denominator)), None)
    if broken is not None:
        ensure(holds=False, failure=f"the weights do not meet the condition {broken.text(space.groups)!r}")


def check_leads(signs: SignArray, rivals: Sequence[str], weights: Sequence[Fraction], least: Fraction) -> Fraction:
    """Ensure that weights lead every rival by at least so much, and return by how much they lead some rival least."""
    lead = least_lead(signs, weights) if rivals else least
    if lead < least:
        rival = rivals[leads(signs, weights).index(lead)]
        ensure(holds=False, failure=f"the lead over {rival!r} is {lead}, below {least}")
    return lead


def check_point(weights: Sequence[Fraction], space: WeightSpace) -> None:
    """Ensure that exact weights, listed in the order of the tasks, are in a space."""
    ensure(len(weights) == len(space.tasks), "there must be one weight a task")
    exact = dict(zip(space.tasks, weights, strict=True))
    check_exact(**{f"the weight of {task!r}": weight for task, weight in exact.items()})
    check_weights(exact, space)


def check_weighting(weights: pd.Series | Mapping[str, Fraction], space: WeightSpace) -> None:
    """Ensure that exact weights, named by the tasks in order, are in a space."""
    ensure(tuple(weights.keys()) == space.tasks, "the weights are not about the tasks of the space, in order")
    check_weights(series_dict(weights), space)


def nearby_steps(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, tuple[Fraction, ...]]]:
    """Yield the steps to weightings of a space tried before it is believed that none is better than those given.

    They lie on the ways to each task alone and to all tasks alike, which is the second part, equal shares of some
    tasks: as far as the space allows, and halfway there. The step is the share of the way, above 0.
    """
    within = room(space, weights)
    for corner in _corners(len(space.tasks)):
        # The room of each bound is concave along the way: no less than what lies between that of both ends.
        ends = [(own, own - other) for own, other in zip(within, room(space, corner), strict=True) if other < 0]
        most = min((own / lost for own, lost in ends), default=Fraction(1))
        for step in (most, most / 2) if most > 0 else ():
            yield step, corner


@cache
def _corners(count: int) -> list[tuple[Fraction, ...]]:
    """Return the weightings of each task alone, and that of all alike."""
    alone = [tuple(Fraction(place == own) for place in range(count)) for own in range(count)]
    return [*alone, (Fraction(1, count),) * count]


def nearby_weightings(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    """Yield the weightings that `nearby_steps` leads to."""
    for step, corner in nearby_steps(space, weights):
        pairs = zip(corner, weights, strict=True)
        yield tuple(own * (1 - step) + step * one if one else own * (1 - step) for one, own in pairs)


def room(space: WeightSpace, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return how far weights are inside each bound of the conditions; negative where one is not met."""
    numerators, denominator = common_denominator(weights)
    whole = dict(zip(space.tasks, numerators, strict=True))
    return [
        Fraction(one) / denominator for condition in space.conditions for one in condition.rooms(whole, denominator)
    ]


def todays_shares(board: object, tasks: Sequence[str]) -> pd.Series:
    """Return today's weights as shares by task: the board's own; equal ones for signs and points, which have none."""
    weights: Any = [1] * len(tasks)
    if isinstance(board, Leaderboard):
        weights = board.weights
    elif isinstance(board, Profile):
        weights = dict(zip(board.voters, board.weights, strict=True))
    shares = shares_of(weights, tasks)
    return exact_series([shares[task] for task in tasks], tasks, "weight")


def check_todays(source: SignsLike | None, weights: pd.Series) -> None:
    """Ensure that weights are today's of a source; a table of signs has none, so any are."""
    if isinstance(source, Leaderboard | Profile):
        tasks = [str(task) for task in weights.index]
        for task, own, weight in zip(tasks, todays_shares(source, tasks).tolist(), weights.tolist(), strict=True):
            ensure(weight == own, f"today's weight of {task!r} is {own} in the source, not {weight}")


def nonzero(values: Iterable[Fraction], names: Iterable[str]) -> dict[str, Fraction]:
    """Return the numbers that are not 0, by name."""
    return {name: value for name, value in zip(names, values, strict=True) if value}


def series_dict(series: pd.Series | Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return an exact Series as a dictionary, ensuring that it is exact and that no name occurs twice."""
    if isinstance(series, Mapping):
        return dict(series)
    # An index of texts is iterated over slowly, and listed fast.
    exact = {str(name): value for name, value in zip(series.index.tolist(), series.tolist(), strict=True)}
    ensure(len(exact) == len(series), f"{series.name}: a name occurs twice")
    strange = next((name for name, value in exact.items() if not isinstance(value, Fraction)), None)
    if strange is not None:
        ensure(holds=False, failure=f"{series.name}: {exact[strange]!r} of {strange!r} is no exact number")
    return exact
