"""One dual certificate: what it proves is true, the best of it is accepted, and nothing beside it is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, inequalities_of, shares_of, space_of
from weightlab._solver import Sense
from weightlab.lp.certificates.dual import DualBound, DuelRows, multipliers_by_row
from weightlab.lp.certificates.linear_optimum import best_over
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.certificates.objectives import WeightOf
from weightlab.lp.space.conditions import LinearRow, Relation

TASKS = ("x", "y", "z")
TINY = Fraction(1, 10**9)
ONE, HALF = Fraction(1), Fraction(1, 2)


def matrix_of(dice):
    """Return up to three rows of small integers."""
    return np.array([[dice.between(-2, 2) for _ in TASKS] for _ in range(dice.between(1, 3))])


def program_of(dice):
    """Return a matrix, a space with its meaning, a least lead and a sense."""
    some = cuts_of(dice, TASKS, 0, 2)
    matrix, least = matrix_of(dice), dice.ratio(3, 4)
    return matrix, space_of(TASKS, some), inequalities_of(some), least, dice.one_of(list(Sense))


PROGRAMS = DICE.map(program_of)


def corners(matrix, meant, least):
    """Return the vertices of the weights that meet the inequalities and have such leads."""
    duels = [([-int(one) for one in row], -least) for row in matrix]
    return list(brute_force.vertices(len(TASKS), 0, [*duels, *meant]))


def variables_too_dear(space, multipliers, sign):
    """Return the auxiliary variables, which cost nothing here, that would make the objective better than proved."""
    pairs = list(zip(space.rows, multipliers, strict=True))
    used = {name: sum(one * row.auxiliaries.get(name, 0) for row, one in pairs) for name in space.auxiliaries}
    return [name for name, value in used.items() if sign * value > 0]


@settings(max_examples=60)
@given(PROGRAMS, DICE)
def test_no_allowed_weights_are_beyond_what_multipliers_prove(program, dice):
    matrix, space, meant, least, sense = program
    sign = 1 if sense is Sense.MINIMISE else -1
    signed = {Relation.AT_MOST: -sign, Relation.AT_LEAST: sign}
    drawn = [
        dice.ratio(3, 4) if row.relation is Relation.EQUAL else signed[row.relation] * abs(dice.ratio(3, 4))
        for row in space.rows
    ]
    factors = {str(number): sign * abs(dice.ratio(3, 4)) for number in range(len(matrix))}
    costs = [dice.ratio(3, 4) for _ in TASKS]
    dual = DualBound(
        tasks=TASKS,
        objective=costs,
        rows=space.rows,
        multipliers=multipliers_by_row(space.rows, drawn),
        duels=DuelRows(matrix=matrix, factors=factors, least=least),
        sense=sense,
    )
    dear = variables_too_dear(space, drawn, sign)
    if dear:
        with pytest.raises(wl.ProofError, match="the multipliers sum to"):
            dual.reduced_costs()
        return
    left, right = dual.reduced_costs()
    bound = (min(left) if sign > 0 else max(left)) + right
    dual.check(bound)
    for weights in corners(matrix, meant, least):
        found = brute_force.dot(costs, weights)
        assert sign * found >= sign * (brute_force.dot(left, weights) + right) >= sign * bound


@settings(max_examples=40, deadline=None)
@given(PROGRAMS, DICE)
def test_the_multipliers_of_an_optimum_prove_its_value_and_no_other(program, dice):
    named = dice.some_of(TASKS) or [dice.one_of(TASKS)]
    matrix, space, meant, least, sense = program
    meant_corners = corners(matrix, meant, least)
    assume(meant_corners)
    sign = 1 if sense is Sense.MINIMISE else -1
    objective = WeightOf(tasks=tuple(task for task in TASKS if task in named), goal=sense)
    names = [str(number) for number in range(len(matrix))]
    found = best_over(matrix, names, space, objective, least=least)
    values = [sum(w for task, w in zip(TASKS, one, strict=True) if task in named) for one in meant_corners]
    assert found.value == (min(values) if sign > 0 else max(values))
    dual = DualBound(
        tasks=TASKS,
        objective=[Fraction(task in named) for task in TASKS],
        rows=space.rows,
        multipliers=multipliers_by_row(space.rows, [sign * one for one in found.multipliers]),
        duels=DuelRows(
            matrix=matrix, factors={n: sign * one for n, one in found.duel_multipliers.items()}, least=least
        ),
        sense=sense,
    )
    dual.check(found.value)
    for other in (found.value - TINY, found.value + TINY):
        with pytest.raises(wl.ProofError, match=f"prove a bound of {found.value}, not"):
            dual.check(other)


@settings(max_examples=40)
@given(DICE)
def test_without_rows_the_best_task_is_the_bound(dice):
    costs, weights = [dice.ratio(2, 3) for _ in TASKS], shares_of(dice, 3)
    dual = DualBound(tasks=TASKS, objective=costs, rows=(), multipliers={})
    dual.check(min(costs))
    assert brute_force.dot(costs, weights) >= min(costs)


def test_a_positive_bound_on_nothing_says_that_no_weights_meet_the_rows():
    rows = [at_least("x", "3/5"), at_least("y", "3/5")]
    dual = bound(rows=rows, multipliers={"x": ONE, "y": ONE}, objective=None, duels=None)
    dual.check(Fraction(1, 5))
    space = wl.lp.WeightSpace(TASKS).at_least("x", "0.6").at_least("y", "0.6")
    with pytest.raises(wl.EmptySpaceError):
        widest_margin(np.array([[1, 1, 1]]), ["a"], space)


def at_least(task, share, **auxiliaries):
    return LinearRow(
        name=task, tasks={task: ONE}, relation=Relation.AT_LEAST, bound=Fraction(share), auxiliaries=auxiliaries
    )


def bound(**changes):
    """Return a proof that 2 x + y + 2 g is at least 5/4 where x + g >= 1/2 and y >= z."""
    told = {
        "tasks": TASKS,
        "objective": [Fraction(2), ONE, Fraction(0)],
        "rows": [at_least("x", "1/2", g=ONE)],
        "multipliers": {"x": Fraction(3, 2)},
        "auxiliaries": {"g": Fraction(2)},
        "duels": DuelRows(matrix=np.array([[0, 1, -1]]), factors={"rival": HALF}),
    }
    return DualBound(**(told | changes))


def duels(**factors):
    return DuelRows(matrix=np.array([[0, 1, -1]]), factors=factors)


def test_the_example_is_a_proof():
    assert bound().reduced_costs() == ([HALF, HALF, HALF], Fraction(3, 4))
    bound().check(Fraction(5, 4))


@pytest.mark.parametrize(
    ("changes", "claimed", "message"),
    [
        ({}, Fraction(5, 4) + TINY, "they leave 1/2 to the weight of 'x', and 3/4 in all"),
        ({}, Fraction(5, 4) - TINY, r"prove a bound of 5/4, not 1249999999/1000000000"),
        ({}, 1.25, "bound is 1.25, which is no exact number"),
        (
            {"objective": [Fraction(2), ONE, -ONE]},
            Fraction(5, 4),
            "prove a bound of 1/4, not 5/4: they leave -1/2 to .*'z'",
        ),
        ({"multipliers": {"x": -HALF}}, Fraction(5, 4), "the multiplier of 'x' has the wrong sign: -1/2"),
        ({"multipliers": {"x": 1.5}}, Fraction(5, 4), "the multiplier of 'x' is 1.5, which is no exact number"),
        ({"multipliers": {"x": Fraction(5, 2)}}, Fraction(5, 4), "sum to 5/2 for 'g', above its cost 2"),
        ({"auxiliaries": {}}, Fraction(5, 4), "the multipliers sum to 3/2 for 'g', above its cost 0"),
        ({"auxiliaries": {"g": Fraction(2), "h": -ONE}}, Fraction(5, 4), "sum to 0 for 'h', above its cost -1"),
        ({"multipliers": {}}, Fraction(5, 4), "the multipliers are not those of the rows"),
        ({"multipliers": {"y": ONE}}, Fraction(5, 4), "the multipliers are not those of the rows"),
        ({"rows": [at_least("x", "1/2")] * 2}, Fraction(5, 4), "the multipliers are not those of the rows"),
        ({"rows": [at_least("x", "2/3", g=ONE)]}, Fraction(5, 4), "prove a bound of 3/2, not 5/4"),
        ({"rows": [at_least("y", "1/2")], "multipliers": {"y": HALF}}, Fraction(5, 4), "prove a bound of 1/4, not 5/4"),
        ({"duels": None}, Fraction(5, 4), "prove a bound of 3/4, not 5/4: they leave 0 to the weight of 'z'"),
        ({"duels": duels(rival=-HALF)}, Fraction(5, 4), "the multiplier of 'rival' has the wrong sign: -1/2"),
        ({"duels": duels(rival=0.5)}, Fraction(5, 4), "the multiplier of 'rival' is 0.5, which is no exact number"),
        ({"duels": duels()}, Fraction(5, 4), "there must be one multiplier a duel"),
        ({"sense": Sense.MAXIMISE}, Fraction(5, 4), "the multiplier of 'x' has the wrong sign: 3/2"),
    ],
)
def test_nothing_of_a_bound_can_be_changed(changes, claimed, message):
    with pytest.raises(wl.ProofError, match=message):
        bound(**changes).check(claimed)


def test_an_upper_bound_leaves_no_gain_to_a_variable():
    row = LinearRow(name="x", tasks={"x": ONE}, relation=Relation.AT_MOST, bound=HALF, auxiliaries={"g": Fraction(-1)})
    dual = bound(rows=[row], multipliers={"x": ONE}, auxiliaries={}, duels=None, sense=Sense.MAXIMISE)
    with pytest.raises(wl.ProofError, match="the multipliers sum to -1 for 'g', below its cost 0"):
        dual.reduced_costs()


def test_only_rivals_have_duels():
    matrix = np.array([[1, 0, 0], [0, 1, 0]])
    assert DuelRows.among(matrix, ["a", "b"], {"b": ONE}).matrix.tolist() == [[0, 1, 0]]
    assert not len(DuelRows.among(matrix, ["a", "b"], {}).matrix)
    with pytest.raises(wl.ProofError, match="'c' is named, but is no rival"):
        DuelRows.among(matrix, ["a", "b"], {"c": ONE})


def test_multipliers_are_one_a_row():
    assert multipliers_by_row([at_least("x", "1/2")], [ONE]) == {"x": ONE}
    with pytest.raises(wl.ProofError, match="there must be one multiplier a row: 1, not 2"):
        multipliers_by_row([at_least("x", "1/2")], [ONE, ONE])
