"""Under which share of weightings leads are kept: drawn shares against areas, and leads that never change."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weightlab.lp import WeightSpace
from weightlab.lp.sampling.estimates import kept_shares


@pytest.mark.parametrize("factor", [1, 10**30])
def test_shares_are_those_of_the_segment(factor):
    rows = np.array([[3 * factor, -factor], [-factor, factor], [1, 1], [0, 0], [-1, -2]], dtype=object)
    # A lead of 3 w - (1 - w) is above 0 where w > 1/4; -w + (1 - w) where w < 1/2.
    shares = kept_shares(rows, WeightSpace(("x", "y")))
    assert shares == pytest.approx([3 / 4, 1 / 2, 1, 0, 0], abs=0.02)
    assert shares[2:].tolist() == [1, 0, 0]


def test_a_lead_that_conditions_hold_at_0_is_no_lead():
    space = WeightSpace(("x", "y", "z")).fixed("x", "1/3")
    rows = np.array([[2, -1, -1], [3, -1, -1]])
    assert kept_shares(rows, space, samples=500).tolist() == [0, 1]
    point = WeightSpace(("x", "y")).fixed("x", Fraction(1, 3))
    assert kept_shares(np.array([[2, -1], [2, -2]]), point).tolist() == [0, 0]


@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_lead_and_its_opposite_share_all_weightings_unless_they_tie(rows):
    one, other = (kept_shares(sign * np.array(rows), WeightSpace(("x", "y", "z")), samples=400) for sign in (1, -1))
    never = [not any(row) for row in rows]
    assert (one + other).tolist() == pytest.approx([0 if none else 1 for none in never])
