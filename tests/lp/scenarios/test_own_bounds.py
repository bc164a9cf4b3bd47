"""What a condition says of a vector where some tasks have no weight."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from tests.dice import DICE
from tests.lp.space.test_support import vector_for
from tests.lp.strategies import cuts_of, shares_of, space_of
from weightlab.lp.scenarios.fewest_tasks_search import own_bounds

TASKS = ["a", "b", "c", "d"]
ZERO = Fraction(0)


@settings(max_examples=300, deadline=None)
@given(DICE)
def test_weights_on_some_tasks_stay_below_what_the_others_take_off(dice):
    for condition in space_of(TASKS, cuts_of(dice, TASKS, 1, 2)).conditions:
        vector = vector_for(condition, dice)
        found = own_bounds(condition, vector)
        assert all(one >= 0 for one in found.relief.values())
        assert found.most >= condition.support(vector)
        weights = dict(zip(TASKS, shares_of(dice, len(TASKS)), strict=True))
        if condition.holds(weights):
            total = sum((value * weights[task] for task, value in vector.items()), ZERO)
            assert total <= found.most - sum((one for task, one in found.relief.items() if not weights[task]), ZERO)
