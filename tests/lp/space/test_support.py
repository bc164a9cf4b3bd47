"""What a condition says of weights, its support function says of vectors: no more, and no less."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import any_cut, meets, shares, some_cuts, space_of
from weightlab._solver import Formulation, Rows, Sense, exact_optimum
from weightlab.lp.space.conditions import Bounded, LinearRow, Near, Proportional, Relation

TASKS = ["a", "b", "c", "d"]
ONE = Fraction(1)


CUTS = some_cuts(TASKS, 1, 1).filter(lambda cut: len(space_of(TASKS, cut).conditions) == 1)


def vector_for(condition, dice):
    """Return a vector that the condition bounds."""
    if isinstance(condition, Near):
        return {task: dice.ratio(3, 4) for task in TASKS if dice.flag()}
    if isinstance(condition, Bounded):
        factor = dice.ratio(3, 4)
        turned = {Relation.AT_MOST: abs(factor), Relation.AT_LEAST: -abs(factor), Relation.EQUAL: factor}
        return {task: turned[condition.relation] * value for task, value in condition.tasks.items()}
    vector = {task: dice.ratio(3, 4) for task in condition.shares}
    anchor = max(condition.shares, key=condition.shares.get)
    rest = sum(vector[task] * share for task, share in condition.shares.items() if task != anchor)
    return vector | {anchor: -rest / condition.shares[anchor]}


def greatest(vector, condition):
    """Return the greatest value of a vector over weights that sum to 1, perhaps negative, and meet a condition."""
    rows = [LinearRow(name="sum", tasks=dict.fromkeys(TASKS, ONE), relation=Relation.EQUAL, bound=ONE)]
    rows += condition.rows(1)
    names = [*TASKS, *dict.fromkeys(name for row in rows for name in row.auxiliaries)]
    place = {name: number for number, name in enumerate(names)}
    program = Formulation.over(
        names,
        Rows.from_dicts(
            [
                {place[name]: value for part in (row.tasks, row.auxiliaries) for name, value in part.items()}
                for row in rows
            ],
            width=len(names),
            lower=[None if row.relation is Relation.AT_MOST else row.bound for row in rows],
            upper=[None if row.relation is Relation.AT_LEAST else row.bound for row in rows],
            labels=[row.name for row in rows],
        ),
        name="support",
        sense=Sense.MAXIMISE,
        objective=[vector.get(name, Fraction(0)) for name in names],
        lower=[None] * len(TASKS) + [0] * (len(names) - len(TASKS)),
    )
    return exact_optimum(program).value


@settings(max_examples=150)
@given(CUTS, DICE)
def test_the_support_function_is_the_optimum_of_the_linear_program(cut, dice):
    (condition,) = space_of(TASKS, cut).conditions
    if isinstance(condition, Bounded) and len({condition.tasks.get(task) for task in TASKS}) == 1:
        return  # of all weights alike: says nothing on the hyperplane, or leaves nothing
    vector = vector_for(condition, dice)
    assert condition.support(vector) == greatest(vector, condition)


@settings(max_examples=300)
@given(CUTS, DICE, shares(len(TASKS)))
def test_weights_meet_a_condition_as_its_inequalities_say_and_no_vector_exceeds_its_support(cut, dice, weights):
    (condition,) = space_of(TASKS, cut).conditions
    named = dict(zip(TASKS, weights, strict=True))
    assert condition.holds(named) == meets(cut, weights)
    whole = {task: int(60 * weight) for task, weight in named.items()}
    if all(Fraction(value, 60) == named[task] for task, value in whole.items()):
        assert condition.holds(whole, 60) == meets(cut, weights)
    if condition.holds(named):
        vector = vector_for(condition, dice)
        assert sum(value * named[task] for task, value in vector.items()) <= condition.support(vector)


@settings(max_examples=100)
@given(CUTS, DICE)
def test_a_multiplier_says_how_the_bound_moves(cut, dice):
    (condition,) = space_of(TASKS, cut).conditions
    vector, step = vector_for(condition, dice), Fraction(1, 7)
    if isinstance(condition, Proportional):
        assert (condition.multiplier(vector) == 0) == (not any(vector.values()))
        return
    bound = "radius" if isinstance(condition, Near) else "bound"
    moved = replace(condition, **{bound: getattr(condition, bound) + step})
    assert moved.support(vector) - condition.support(vector) == step * condition.multiplier(vector)


@given(st.sampled_from([("at_most", "0.3"), ("at_least", "0.3")]))
def test_a_vector_that_points_elsewhere_is_refused(bounded):
    method, bound = bounded
    (condition,) = getattr(wl.lp.WeightSpace(TASKS), method)(["a", "b"], bound).conditions
    wrong = -ONE if method == "at_most" else ONE
    for vector in ({"a": wrong, "b": wrong}, {"a": -wrong}, {"a": -wrong, "b": -wrong, "c": ONE}):
        with pytest.raises(wl.ProofError, match="of 'a \\+ b at"):
            condition.support(vector)
    (near,) = wl.lp.WeightSpace(TASKS).near([1, 1, 1, 1], "0.5").conditions
    with pytest.raises(wl.ProofError, match="about other tasks"):
        near.support({"e": ONE})
    (kept,) = wl.lp.WeightSpace(TASKS).proportional(["a", "b"], [1, 2, 1, 1]).conditions
    with pytest.raises(wl.ProofError, match="not at right angles"):
        kept.support({"a": ONE})
    assert kept.support({"a": ONE, "b": -ONE / 2}) == 0


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda space: space.at_most("a", "-0.1"), "a at most -1/10"),
        (lambda space: space.at_least(["a", "b"], "1.1"), "a + b at least 11/10"),
        (lambda space: space.fixed("a", 2), "a exactly 2"),
        (lambda space: space.at_most(TASKS, "0.9"), "a + b + c + d at most 9/10"),
        (lambda space: space.near([1, 1, 1, 1], -1), "within -1 of equal weights (sum of changes)"),
    ],
)
def test_a_condition_that_leaves_no_weights_by_itself_is_refused_when_it_is_made(made, said):
    with pytest.raises(wl.EmptySpaceError) as caught:
        made(wl.lp.WeightSpace(TASKS))
    assert caught.value.conditions == (said,)
    assert str(caught.value) == f"no weights satisfy {said!r}, since weights are not negative and sum to 1"


@settings(max_examples=100)
@given(DICE)
def test_a_condition_is_refused_exactly_when_no_weights_meet_it(dice):
    cut = [any_cut(dice, TASKS)]
    alone = [[int(task == own) for task in TASKS] for own in TASKS]
    centres = [[Fraction(one, sum(arguments)) for one in arguments] for arguments in _weightings(cut)]
    met = any(meets(cut, point) for point in [*alone, *centres, *_between(alone)])
    try:
        space_of(TASKS, cut)
    except wl.EmptySpaceError:
        assert not met
        return
    assert met


def _weightings(cuts):
    """Yield the weights that cuts are about."""
    for cut in cuts:
        yield from (one for one in cut.arguments if isinstance(one, list) and not isinstance(one[0], str))


def _between(corners):
    """Yield points between two corners."""
    for one in corners:
        for other in corners:
            for share in (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5), Fraction(3, 4)):
                yield [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]
