"""Rank-biased overlap and Spearman's rho between weak orders."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from tests.rules.strategies import profiles
from tests.strategies import FEWER
from weightlab.exceptions import InputError
from weightlab.rules import rank_biased_overlap, rho_matrix, spearman_rho
from weightlab.rules.similarity import rank_biased_overlap as overlap

PERSISTENCE = st.sampled_from([0.1, 0.5, 0.9, 0.99])
TIES = st.sampled_from(["w", "a", "b"])


@st.composite
def two_orders(draw, **options):
    """Return two weak orders of the same models."""
    return draw(profiles(most_voters=2, **options).filter(lambda profile: len(profile.voters) == 2)).orders


def strict(orders):
    return all(len(group) == 1 for order in orders for group in order)


def broken(order):
    """Return all strict rankings that a weak order may stand for."""
    return [sum(map(tuple, choice), ()) for choice in product(*(permutations(group) for group in order))]


def overlap_of_strict(one, other, p):
    """Return the definition: the mean overlap over all depths, the first n in common beyond the last model."""
    count = len(one)
    shares = [Fraction(len(set(one[:d]) & set(other[:d])), d) for d in range(1, count + 1)]
    return sum((1 - p) * p ** (d - 1) * share for d, share in enumerate(shares, start=1)) + p**count


def overlap_with_equal_ties(first, second, p):
    """Return the definition with whole ties: twice what is common over what both hold, at every depth."""
    count = sum(map(len, first))

    def held(order, depth):
        found = set()
        for group in order:
            if len(found) >= depth:
                break
            found |= set(group)
        return found

    total = p**count
    for depth in range(1, count + 1):
        one, other = held(first, depth), held(second, depth)
        total += (1 - p) * p ** (depth - 1) * Fraction(2 * len(one & other), len(one) + len(other))
    return total


@given(orders=two_orders(), p=PERSISTENCE)
def test_averaged_ties_are_the_mean_over_all_ways_to_break_them(orders, p):
    exact = Fraction(str(p))
    ways = [overlap_of_strict(one, other, exact) for one in broken(orders[0]) for other in broken(orders[1])]
    assert math.isclose(rank_biased_overlap(*orders, persistence=p, ties="a"), sum(ways) / len(ways))


@given(orders=two_orders(), p=PERSISTENCE)
def test_equal_ties_are_all_within_or_none(orders, p):
    expected = overlap_with_equal_ties(*orders, Fraction(str(p)))
    assert math.isclose(rank_biased_overlap(*orders, persistence=p, ties="w"), expected)


def corrected_overlap(first, second, p):
    """Return the definition with correction: the cosine of the shares of the ways in which each model is within."""
    ways = [broken(order) for order in (first, second)]
    names = ways[0][0]
    total = float(p) ** len(names)
    for depth in range(1, len(names) + 1):
        one, other = ([sum(name in way[:depth] for way in each) / len(each) for name in names] for each in ways)
        cosine = np.dot(one, other) / math.sqrt(np.dot(one, one) * np.dot(other, other))
        total += (1 - p) * p ** (depth - 1) * cosine
    return total


@given(orders=two_orders(), p=PERSISTENCE)
def test_corrected_ties_are_the_cosine_of_the_shares_that_are_within(orders, p):
    assert math.isclose(rank_biased_overlap(*orders, persistence=p, ties="b"), corrected_overlap(*orders, p))


@given(orders=two_orders(ties=False), p=PERSISTENCE)
def test_without_ties_all_treatments_are_one(orders, p):
    expected = float(overlap_of_strict(*(sum(order, ()) for order in orders), Fraction(str(p))))
    for ties in "wab":
        assert math.isclose(rank_biased_overlap(*orders, persistence=p, ties=ties), expected)


@given(orders=two_orders(), p=PERSISTENCE, ties=TIES)
def test_the_overlap_is_symmetric_and_from_0_to_1(orders, p, ties):
    found = rank_biased_overlap(*orders, persistence=p, ties=ties)
    assert 0 <= found <= 1 + 1e-12
    assert math.isclose(found, rank_biased_overlap(*orders[::-1], persistence=p, ties=ties))


@given(orders=two_orders(), p=PERSISTENCE, ties=st.sampled_from("wb"))
def test_a_ranking_agrees_wholly_with_itself_however_it_ties(orders, p, ties):
    assert math.isclose(rank_biased_overlap(orders[0], orders[0], persistence=p, ties=ties), 1)


@FEWER
@given(orders=two_orders(), p=PERSISTENCE)
def test_correcting_for_ties_never_lowers_the_overlap(orders, p):
    averaged, corrected = (rank_biased_overlap(*orders, persistence=p, ties=ties) for ties in "ab")
    assert corrected >= averaged - 1e-12


@FEWER
@given(orders=two_orders(), ties=TIES)
def test_blocks_of_depths_change_nothing(orders, ties):
    whole = rank_biased_overlap(*orders, ties=ties)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "BLOCK_CELLS", 1)
        assert math.isclose(rank_biased_overlap(*orders, ties=ties), whole)


def test_the_first_ten_places_have_most_of_the_weight_at_nine_tenths():
    # The weight of the first ten depths' ranks: Webber et al., equation 21.
    p, depth = 0.9, 10
    rest = sum(p**i / i for i in range(1, depth))
    weight = 1 - p ** (depth - 1) + (1 - p) / p * depth * (math.log(1 / (1 - p)) - rest)
    assert round(weight, 2) == 0.86


def test_disagreement_at_the_top_costs_more_than_at_the_bottom():
    names = tuple((name,) for name in "abcdefgh")
    top, bottom = (names[1], names[0], *names[2:]), (*names[:6], names[7], names[6])
    assert rank_biased_overlap(names, top) < rank_biased_overlap(names, bottom) < 1


@given(orders=two_orders())
def test_rho_is_scipys(orders):
    names = sorted(name for group in orders[0] for name in group)
    levels = [{m: place for place, group in enumerate(order) for m in group} for order in orders]
    assume(all(len(order) > 1 for order in orders))
    expected = stats.spearmanr(*[[level[name] for name in names] for level in levels]).statistic
    assert math.isclose(spearman_rho(*orders), expected, abs_tol=1e-12)


@given(orders=two_orders(ties=False))
def test_rho_of_strict_orders_is_the_formula_of_the_textbook(orders):
    one, other = (sum(order, ()) for order in orders)
    count = len(one)
    squares = sum((place - other.index(name)) ** 2 for place, name in enumerate(one))
    assert math.isclose(spearman_rho(*orders), 1 - Fraction(6 * squares, count * (count**2 - 1)), abs_tol=1e-12)


@FEWER
@given(profile=profiles())
def test_all_pairs_at_once_are_the_pairs_one_by_one(profile):
    orders = profile.orders
    found = rho_matrix(orders)
    one_by_one = [[spearman_rho(one, other) for other in orders] for one in orders]
    assert np.allclose(found, one_by_one, equal_nan=True)
    assert np.allclose(found, found.T, equal_nan=True)


def test_an_order_that_ties_all_has_no_rho():
    assert math.isnan(spearman_rho((("a", "b"),), (("a",), ("b",))))


@pytest.mark.parametrize("statistic", [spearman_rho, rank_biased_overlap])
def test_orders_of_other_models_are_refused(statistic):
    for other in ((("a",), ("c",)), (("a",),), (("a",), ("b",), ("b",))):
        with pytest.raises(InputError, match="only if they rank the same models"):
            statistic((("a",), ("b",)), other)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"persistence": 0}, "persistence must be between 0 and 1; got 0"),
        ({"persistence": 1}, "persistence must be between 0 and 1; got 1"),
        ({"persistence": math.nan}, "persistence must be between 0 and 1; got nan"),
        ({"ties": "c"}, "ties must be 'w', 'a' or 'b'; got 'c'"),
    ],
)
def test_options_that_are_none_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        rank_biased_overlap((("a",), ("b",)), (("b",), ("a",)), **options)
