from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dice import DICE
from weightlab.exceptions import InputError
from weightlab.studies import wilson_interval


@given(st.integers(1, 200), DICE)
def test_the_ends_are_where_the_share_is_just_as_far_as_chance_allows(trials, dice):
    seen = dice.between(0, trials)
    z = NormalDist().inv_cdf(0.975)
    for end in wilson_interval(seen, trials):
        assert abs(abs(seen / trials - end) - z * sqrt(end * (1 - end) / trials)) < 1e-9


@given(st.integers(1, 200), DICE)
def test_the_interval_holds_the_share_and_turns_with_it(trials, dice):
    seen = dice.between(0, trials)
    low, high = wilson_interval(seen, trials)
    assert 0 <= low <= seen / trials <= high <= 1
    other_low, other_high = wilson_interval(trials - seen, trials)
    assert (other_low, other_high) == pytest.approx((1 - high, 1 - low))


def test_a_surer_interval_is_wider():
    low, high = wilson_interval(3, 10)
    wider_low, wider_high = wilson_interval(3, 10, level=0.99)
    assert wider_low < low < high < wider_high


@pytest.mark.parametrize(("seen", "trials", "level"), [(-1, 3, 0.95), (4, 3, 0.95), (0, 0, 0.95), (1, 3, 1), (1, 3, 0)])
def test_counts_that_are_none_are_refused(seen, trials, level):
    with pytest.raises(InputError):
        wilson_interval(seen, trials, level=level)
