"""The one certificate: what it proves is true, the best of it is accepted, and nothing beside it is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.space.test_support import vector_for
from tests.lp.strategies import cuts_of, inequalities_of, shares_of, space_of
from weightlab._solver import Sense
from weightlab.lp.certificate import check_bound, most, multipliers_of
from weightlab.lp.certificates.max_margin import best_over, widest_margin
from weightlab.lp.certificates.objectives import DistanceFrom, LargestWeight, WeightOf

TASKS = ("a", "b", "c", "d")
TINY = Fraction(1, 10**9)
ONE, HALF, ZERO = Fraction(1), Fraction(1, 2), Fraction(0)
EQUAL = dict.fromkeys(TASKS, ONE / 4)


def matrix_of(dice):
    """Return up to three rows of small integers."""
    return np.array([[dice.between(-2, 2) for _ in TASKS] for _ in range(dice.between(1, 3))])


@settings(max_examples=100, deadline=None)
@given(DICE)
def test_no_allowed_weights_are_beyond_what_vectors_and_shares_prove(dice):
    some = cuts_of(dice, TASKS, 0, 2)
    space, matrix, least = space_of(TASKS, some), matrix_of(dice), dice.ratio(3, 4)
    costs = {task: dice.ratio(3, 4) for task in TASKS if dice.flag()}
    shares = [abs(dice.ratio(3, 4)) for _ in matrix]
    vectors = tuple(vector_for(condition, dice) for condition in space.conditions)
    bound = most(space, vectors, matrix, shares, costs=costs, least=least)
    duels = [([-int(one) for one in row], -least) for row in matrix]
    corners = list(brute_force.vertices(len(TASKS), 0, [*duels, *inequalities_of(some)]))
    for weights in corners:
        assert brute_force.dot([costs.get(task, ZERO) for task in TASKS], weights) <= bound
    if bound < 0 and not costs:
        assert not corners


@pytest.mark.parametrize(
    ("space", "vector", "costs", "proved"),
    [
        (wl.lp.WeightSpace(TASKS).at_most("a", "1/3"), {"a": ONE}, {"a": ONE}, ONE / 3),
        (wl.lp.WeightSpace(TASKS).at_least("b", "1/3"), {"b": -ONE}, {"a": ONE, "c": ONE, "d": ONE}, ONE * 2 / 3),
        (wl.lp.WeightSpace(TASKS).near(EQUAL, "1/5"), {"a": ONE}, {"a": ONE}, ONE / 4 + ONE / 10),
        (wl.lp.WeightSpace(TASKS).near(EQUAL, "1/5", norm="linf"), {"a": ONE}, {"a": ONE}, ONE / 4 + ONE / 5),
    ],
    ids=["at most", "at least", "l1", "linf"],
)
def test_a_condition_bounds_a_weight_by_its_support(space, vector, costs, proved):
    assert most(space, (vector,), costs=costs) == proved


@settings(max_examples=40, deadline=None)
@given(DICE)
def test_the_blockers_of_the_widest_margin_prove_it_and_no_less(dice):
    matrix, some = matrix_of(dice), cuts_of(dice, TASKS, 0, 1)
    space, meant = space_of(TASKS, some), inequalities_of(some)
    names = [str(number) for number in range(len(matrix))]
    duels = [([*(-int(one) for one in row), 1], 0) for row in matrix]
    every = [*duels, *(([*row, 0], bound) for row, bound in meant)]
    best = max((x[-1] for x in brute_force.vertices(len(TASKS), 1, every)), default=None)
    assume(best is not None)
    proof = widest_margin(matrix, names, space)
    blockers = dict(zip(names, proof.blockers, strict=True))
    check_bound(matrix, names, blockers, proof.vectors, space, bound=best)
    for other in (best - TINY, best + TINY):
        with pytest.raises(wl.ProofError):
            check_bound(matrix, names, blockers, proof.vectors, space, bound=other)


@pytest.mark.parametrize(
    ("blockers", "claimed", "message"),
    [
        ([HALF, HALF], Fraction(1, 3), "prove a bound of 0, not 1/3"),
        ([HALF, HALF], -TINY, "prove a bound of 0, not -1/1000000000"),
        ([Fraction(3, 2), -HALF], ZERO, "the share of blocker 'b' is negative: -1/2"),
        ([HALF, Fraction(1, 3)], ZERO, "the shares of the blockers sum to 5/6, not to 1"),
        ([ONE, ZERO], ZERO, "prove a bound of 1, not 0"),
        ([0.5, 0.5], ZERO, "which is not an exact number"),
    ],
)
def test_no_share_of_a_blocker_can_be_changed(blockers, claimed, message):
    matrix, space = np.array([[1, -1, 0, 0], [-1, 1, 0, 0]], dtype=np.int8), wl.lp.WeightSpace(TASKS)
    check_bound(matrix, ["a", "b"], {"a": HALF, "b": HALF}, (), space, bound=ZERO)
    with pytest.raises(wl.ProofError, match=message):
        check_bound(matrix, ["a", "b"], dict(zip("ab", blockers, strict=True)), (), space, bound=claimed)


def test_a_bound_knows_only_the_rivals_of_its_rows():
    with pytest.raises(wl.ProofError, match="'c' is named, but is not a rival"):
        check_bound(np.array([[1]]), ["a"], {"c": ONE}, (), wl.lp.WeightSpace(["x"]), bound=ONE)


@pytest.mark.parametrize(
    ("vectors", "rows", "mixture", "message"),
    [
        ((), None, (), "one vector a condition"),
        (({}, {}), None, (), "one vector a condition"),
        (({"a": 0.5},), None, (), "which is not an exact number"),
        (({"a": -ONE},), None, (), "has the wrong sign: -1"),
        (({"b": ONE},), None, (), "is no multiple of it"),
        (({},), None, (ONE,), "shares of no rows"),
        (({},), np.array([[1, 0, 0, 0]]), (-ONE,), "the share of a row is negative"),
        (({},), np.array([[1, 0, 0]]), (ONE,), "the rows do not fit their shares"),
    ],
)
def test_what_is_no_certificate_is_refused(vectors, rows, mixture, message):
    space = wl.lp.WeightSpace(TASKS).at_most("a", "0.3")
    with pytest.raises(wl.ProofError, match=message):
        most(space, vectors, rows, mixture)


def test_multipliers_go_by_the_words_of_the_conditions():
    space = wl.lp.WeightSpace(TASKS).at_most("a", "0.3").near([1, 1, 1, 1], "0.2")
    found = multipliers_of(space, ({"a": Fraction(2)}, {"a": ONE, "b": -ONE}))
    assert found.to_dict() == {"a at most 3/10": 2, "within 1/5 of equal weights (sum of changes)": 1}


def objective_of(dice):
    """Return an objective of any form."""
    if dice.flag():
        named = dice.some_of(TASKS) or [dice.one_of(TASKS)]
        return WeightOf(tasks=tuple(named), goal=dice.one_of(list(Sense)))
    centre = dict(zip(TASKS, shares_of(dice, len(TASKS)), strict=True))
    norm = dice.one_of(["l1", "linf", None])
    return LargestWeight(tasks=TASKS) if norm is None else DistanceFrom(centre=centre, norm=norm, todays=False)


@settings(max_examples=60, deadline=None)
@given(DICE)
def test_the_combination_of_an_optimum_proves_its_value_and_no_other(dice):
    some = cuts_of(dice, TASKS, 0, 2)
    space, matrix, least, objective = space_of(TASKS, some), matrix_of(dice), dice.ratio(1, 4), objective_of(dice)
    names = [str(number) for number in range(len(matrix))]
    duels = [([-int(one) for one in row], -least) for row in matrix]
    corners = list(brute_force.vertices(len(TASKS), 0, [*duels, *inequalities_of(some)]))
    assume(corners)
    found = best_over(matrix, names, space, objective, least=least)
    assert found.check(matrix, names, space, objective, least) >= least
    values = [objective.value(dict(zip(TASKS, weights, strict=True))) for weights in corners]
    if objective.sense is Sense.MAXIMISE:
        assert found.value == max(values)
    else:  # of what is convex a corner need not be least
        assert found.value <= min(values)
    for other in (found.value - TINY, found.value + TINY):
        with pytest.raises(wl.ProofError):
            replace(found, value=other).check(matrix, names, space, objective, least)


@pytest.mark.parametrize(
    ("objective", "slope", "message"),
    [
        (WeightOf(tasks=("a",), goal=Sense.MINIMISE), {"a": ONE}, "is linear: no slope is to be given"),
        (LargestWeight(tasks=TASKS), {"a": ONE, "b": TINY, "c": -ONE}, "sums to 1000000001/1000000000"),
        (LargestWeight(tasks=TASKS), {"e": ONE}, "about other tasks"),
        (DistanceFrom(centre=EQUAL, norm="l1", todays=False), {"a": ONE, "b": -ONE - TINY}, "too steep"),
        (DistanceFrom(centre=EQUAL, norm="linf", todays=False), {"a": ONE, "b": -TINY}, "too steep"),
        (DistanceFrom(centre=EQUAL, norm="linf", todays=False), {"e": ONE}, "about other tasks"),
    ],
)
def test_a_slope_is_one_that_the_objective_has_somewhere(objective, slope, message):
    with pytest.raises(wl.ProofError, match=message):
        objective.slope(slope)


@settings(max_examples=100, deadline=None)
@given(DICE)
def test_a_convex_objective_is_nowhere_below_the_function_of_an_allowed_slope(dice):
    objective, weights = objective_of(dice), dict(zip(TASKS, shares_of(dice, len(TASKS)), strict=True))
    slope = {} if isinstance(objective, WeightOf) else {task: dice.ratio(1, 3) for task in TASKS}
    try:
        costs, constant = objective.slope(slope)
    except wl.ProofError:
        return
    line = sum((cost * weights[task] for task, cost in costs.items()), ZERO) - constant
    assert objective.value(weights) >= line
