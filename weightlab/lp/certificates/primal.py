"""What shows that weights do what is claimed of them: they are allowed, and lead by so much. No solver takes part.

This is the primal side of every proof (feasible points and their exact values); what multipliers prove is in ``dual``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import SignArray, common_denominator, exact_products
from weightlab._result import ensure, ensure_same_names, exact_series
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.profile import Profile
from weightlab.data.signs import Signs
from weightlab.lp.space.conditions import LinearRow, Relation, least_auxiliaries
from weightlab.lp.space.space import WeightSpace, shares_of


def leads(signs: SignArray, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return G w exactly, one lead a rival."""
    numerators, denominator = common_denominator(weights)
    return [Fraction(int(lead), denominator) for lead in exact_products(signs, numerators).tolist()]


def least_lead(signs: SignArray, weights: Sequence[Fraction]) -> Fraction:
    """Return the least lead over all rivals, exactly."""
    numerators, denominator = common_denominator(weights)
    return Fraction(int(exact_products(signs, numerators).min()), denominator)


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


def check_weights(weights: Mapping[str, Fraction], rows: Sequence[LinearRow], auxiliaries: Sequence[str]) -> None:
    """Ensure that weights are not negative, sum to 1, and meet the rows for some values of the auxiliary variables.

    Auxiliary variables get the least values that the rows with both weights and auxiliaries ask for.
    """
    negative = next((task for task, weight in weights.items() if weight.numerator < 0), None)
    if negative is not None:
        ensure(holds=False, failure=f"the weight of {negative!r} is negative: {weights[negative]}")
    numerators, denominator = common_denominator(list(weights.values()))
    total = Fraction(sum(numerators), denominator)
    ensure(total == 1, f"the weights sum to {total}, not to 1")
    values = least_auxiliaries(weights, rows, auxiliaries)
    for row in rows:
        found = row.total(weights, values)
        if not row.relation.holds(found, row.bound):
            ensure(holds=False, failure=f"{row.name}: {found} {row.relation} {row.bound} does not hold")


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
    check_weights(exact, space.rows, space.auxiliaries)


def check_weighting(weights: pd.Series, space: WeightSpace) -> None:
    """Ensure that exact weights, named by the tasks in order, are in a space."""
    ensure(tuple(weights.index) == space.tasks, "the weights are not about the tasks of the space, in order")
    check_weights(series_dict(weights), space.rows, space.auxiliaries)


def nearby_weightings(space: WeightSpace, weights: Sequence[Fraction]) -> Iterator[tuple[Fraction, ...]]:
    """Yield weightings of a space that are tried before it is believed that none is better than those given.

    They lie on the ways to each task alone and to all tasks alike: as far as the space allows, and halfway there.
    """
    count = len(space.tasks)
    corners = [tuple(Fraction(place == own) for place in range(count)) for own in range(count)]
    corners.append((Fraction(1, count),) * count)
    room = _room(space, weights)
    for corner in corners:
        # Of a row that can fail, the room is concave along the way: no less than what lies between that of both ends.
        ends = [(own, own - other) for own, other in zip(room, _room(space, corner), strict=True) if other < 0]
        most = min((own / lost for own, lost in ends), default=Fraction(1))
        for step in (most, most / 2) if most > 0 else ():
            pairs = zip(corner, weights, strict=True)
            yield tuple(own * (1 - step) + step * one if one else own * (1 - step) for one, own in pairs)


def _room(space: WeightSpace, weights: Sequence[Fraction]) -> list[Fraction]:
    """Return how far the sum of each row of a space is inside its bound; negative where the row does not hold."""
    named = dict(zip(space.tasks, weights, strict=True))
    values = least_auxiliaries(named, space.rows, space.auxiliaries)
    over = [(row.relation, row.total(named, values) - row.bound) for row in space.rows]
    return [-abs(by) if how is Relation.EQUAL else by if how is Relation.AT_LEAST else -by for how, by in over]


def todays_shares(board: SignsLike, tasks: Sequence[str]) -> pd.Series:
    """Return today's weights as shares by task: the board's own, or equal ones for signs, which have none."""
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


def nonzero_series(values: Iterable[Fraction], names: Iterable[str], what: str) -> pd.Series:
    """Return the numbers that are not 0, by name, as an exact Series."""
    kept = {name: value for name, value in zip(names, values, strict=True) if value}
    return exact_series(list(kept.values()), list(kept), what)


def series_dict(series: pd.Series | Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return an exact Series as a dictionary, ensuring that it is exact and that no name occurs twice."""
    if isinstance(series, Mapping):
        return dict(series)
    exact = {str(name): value for name, value in zip(series.index, series.tolist(), strict=True)}
    ensure(len(exact) == len(series), f"{series.name}: a name occurs twice")
    strange = next((name for name, value in exact.items() if not isinstance(value, Fraction)), None)
    if strange is not None:
        ensure(holds=False, failure=f"{series.name}: {exact[strange]!r} of {strange!r} is no exact number")
    return exact
