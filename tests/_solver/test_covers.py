"""Sets that meet rows, all of them up to a size, by exhaustive search."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab._solver.covers import BudgetError, CoverConstraint, covers


@settings(max_examples=40)
@given(st.data())
def test_the_search_finds_every_minimal_set_once(data):
    width = data.draw(st.integers(1, 6))
    numbers = st.lists(st.integers(0, 3), min_size=width, max_size=width)
    pairs = data.draw(st.lists(st.tuples(numbers, st.integers(1, 4)), max_size=4))
    constraints = [CoverConstraint(coefficients=tuple(min(c, least) for c in row), least=least) for row, least in pairs]
    size = data.draw(st.integers(0, width))
    found = list(covers(constraints, width, size, budget=10**6))
    assert len(found) == len(set(found))

    def meets(some):
        return all(one.is_met_by(some) for one in constraints)

    every = {some for count in range(size + 1) for some in itertools.combinations(range(width), count) if meets(some)}
    assert set(found) <= every
    assert {one for one in every if not any(meets(set(one) - {each}) for each in one)} <= set(found)


@settings(max_examples=60)
@given(st.data())
def test_constraints_that_come_while_sets_are_read_lose_no_set(data):
    width = data.draw(st.integers(1, 6))
    numbers = st.lists(st.integers(0, 3), min_size=width, max_size=width)
    pairs = data.draw(st.lists(st.tuples(numbers, st.integers(1, 4)), max_size=6))
    later = [CoverConstraint(coefficients=tuple(min(c, least) for c in row), least=least) for row, least in pairs]
    every = list(later)
    size = data.draw(st.integers(0, width))
    known, kept = [later.pop() for _ in later[:1]], []
    for some in covers(known, width, size, budget=10**6):
        assert all(one.is_met_by(some) for one in known)
        missed = [one for one in later if not one.is_met_by(some)]
        known.extend(missed[:1])
        later = [one for one in later if one not in missed[:1]]
        if not missed:
            kept.append(some)
    assert len(kept) == len(set(kept))

    def meets(some):
        return all(one.is_met_by(some) for one in every)

    meeting = {one for count in range(size + 1) for one in itertools.combinations(range(width), count) if meets(one)}
    assert set(kept) <= meeting
    assert {one for one in meeting if not any(meets(set(one) - {each}) for each in one)} <= set(kept)


def test_a_budget_is_kept():
    constraints = [CoverConstraint.one_of([True] * 6)] * 3
    with pytest.raises(BudgetError):
        list(covers(constraints, 6, 3, budget=3))


def test_constraints_of_large_fractions_are_rounded_to_weaker_ones():
    prime = 2**61 - 1
    constraint = CoverConstraint.of(
        [Fraction(1, prime), Fraction(1, 2), Fraction(1, 2) - Fraction(1, prime)], Fraction(1)
    )
    assert constraint.is_met_by([0, 1, 2])
    assert constraint.is_met_by([1, 2])  # short by less than can be said in such integers
    assert not constraint.is_met_by([0, 1])
    half = Fraction(1, 2)
    assert CoverConstraint.of([half, half], Fraction(1)).is_met_by([0, 1])
    assert not CoverConstraint.of([half, half], Fraction(1), above=True).is_met_by([0, 1])
    assert CoverConstraint.of([half, half, Fraction(9)], Fraction(1), above=True).is_met_by([2])
