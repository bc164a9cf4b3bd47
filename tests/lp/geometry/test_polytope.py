"""Cones, polytopes and their volumes: what is found is all there is, and what is left out is missed."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.lp.brute_force import vertices
from tests.lp.geometry.brute_force_volume import share as lasserre_share
from tests.strategies import FEWER
from weightlab.lp import WeightSpace, winning_region
from weightlab.lp.geometry import double_description, polytope
from weightlab.lp.geometry.double_description import determinants, generators, independent_columns, inner_product
from weightlab.lp.geometry.polytope import Polytope, share_of

FALSE = (wl.ProofError, wl.InputError)


@st.composite
def rows(draw, *, width=(2, 5), count=(0, 6), size=2):
    wide = draw(st.integers(*width))
    row = st.tuples(*[st.integers(-size, size)] * wide)
    return wide, draw(st.lists(row, min_size=count[0], max_size=count[1]))


def scaled(corner):
    return tuple(Fraction(one, sum(corner)) for one in corner)


@settings(max_examples=60)
@given(rows())
def test_the_corners_are_the_vertices_that_all_bases_give(drawn):
    width, given_rows = drawn
    found = Polytope.of(given_rows, width)
    expected = {tuple(one) for one in vertices(width, 0, [([-one for one in row], 0) for row in given_rows])}
    assert {scaled(corner) for corner in found.corners} == expected
    assert len(found.corners) == len(expected)


@settings(max_examples=60)
@given(rows())
def test_a_polytope_is_whole_and_without_any_one_vertex_it_is_not(drawn):
    width, given_rows = drawn
    found = Polytope.of(given_rows, width)
    if not found.corners:
        with pytest.raises(wl.ProofError):
            found.check()
        return
    found.check()
    for place in range(len(found.corners)):
        fewer = found.corners[:place] + found.corners[place + 1 :]
        with pytest.raises(wl.ProofError, match=r"missing|without vertices"):
            Polytope(rows=found.rows, corners=fewer).check()


@FEWER
@given(rows(width=(3, 4), count=(1, 5)), st.randoms(use_true_random=False))
def test_several_missing_vertices_are_missed(drawn, random):
    width, given_rows = drawn
    found = Polytope.of(given_rows, width)
    for _ in range(5):
        kept = tuple(corner for corner in found.corners if random.random() < 0.6)
        if kept != found.corners:
            with pytest.raises(wl.ProofError):
                Polytope(rows=found.rows, corners=kept).check()


def test_points_at_the_edge_miss_a_vertex_that_an_enumeration_overlooks(monkeypatch):
    found = Polytope.of([(3, -1, -1, 0), (-1, 4, 0, -1), (1, 1, -1, 1)], 4)
    assert len(found.corners) > 5
    for place in range(len(found.corners)):
        fewer = dataclasses.replace(found, corners=found.corners[:place] + found.corners[place + 1 :])
        monkeypatch.setattr(
            polytope, "generators", lambda *_, kept=fewer.corners: double_description.Generators(lines=(), rays=kept)
        )
        with pytest.raises(wl.ProofError, match="no mixture of the vertices"):
            fewer.check()


@FEWER
@given(rows())
def test_a_point_between_vertices_is_no_vertex(drawn):
    width, given_rows = drawn
    found = Polytope.of(given_rows, width)
    if len(found.corners) > 1:
        middle = tuple(a + b for a, b in zip(*found.corners[:2], strict=True))
        with pytest.raises(wl.ProofError, match="too few bounds"):
            Polytope(rows=found.rows, corners=(*found.corners, middle)).check()
        outside = (1, *[0] * (width - 1))
        if outside not in found.corners:
            with pytest.raises(wl.ProofError):
                Polytope(rows=found.rows, corners=(*found.corners, outside)).check()


@settings(max_examples=60)
@given(rows(width=(1, 5), count=(0, 4)))
def test_the_share_of_a_polytope_is_that_of_another_formula(drawn):
    width, given_rows = drawn
    found, whole = Polytope.of(given_rows, width), Polytope.of([], width)
    expected = lasserre_share(given_rows, width)
    assert (share_of(found, whole, [1] * width) if found.corners else 0) == expected


@FEWER
@given(rows(width=(2, 3), count=(1, 3)), st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_equal_tasks_are_integrated_as_if_they_were_written_out(drawn, counts):
    width, given_rows = drawn
    counts = counts[:width] if sum(counts[:width]) < 7 else [1] * width
    found = Polytope.of(given_rows, width)
    written = [[one for one, count in zip(row, counts, strict=True) for _ in range(count)] for row in given_rows]
    expected = lasserre_share(written, sum(counts))
    assert (share_of(found, Polytope.of([], width), counts) if found.corners else 0) == expected


def test_the_shares_of_a_partition_sum_to_one_also_when_tasks_repeat():
    lines = [(1, -1, 0, 2), (2, 1, -3, 0), (0, 1, 1, -1)]
    counts = [3, 1, 2, 4]
    whole = Polytope.of([], 4)
    total = Fraction(0)
    for choice in range(8):
        signed = [row if choice >> k & 1 else tuple(-one for one in row) for k, row in enumerate(lines)]
        part = Polytope.of(signed, 4)
        total += share_of(part, whole, counts) if part.corners else 0
    assert total == 1


def test_two_merged_tasks_follow_a_beta_distribution():
    # P(Beta(a, b) >= 1/2) is a sum of binomial coefficients.
    for a, b in ((1, 1), (2, 5), (7, 3)):
        expected = Fraction(sum(math.comb(a + b - 1, k) for k in range(a)), 2 ** (a + b - 1))
        assert share_of(Polytope.of([(1, -1)], 2), Polytope.of([], 2), [a, b]) == expected


@settings(max_examples=60)
@given(rows(width=(1, 4), count=(0, 5)))
def test_lines_and_rays_lie_in_the_cone_and_on_as_many_rows_as_they_must(drawn):
    width, given_rows = drawn
    found = generators(given_rows, width)
    rank = len(independent_columns(given_rows)) if given_rows else 0
    assert len(found.lines) == width - rank
    for line in found.lines:
        assert all(inner_product(row, line) == 0 for row in given_rows)
    for ray in found.rays:
        assert all(inner_product(row, ray) >= 0 for row in given_rows)
        tight = [row for row in given_rows if inner_product(row, ray) == 0]
        assert (len(independent_columns(tight)) if tight else 0) == rank - 1
    assert len(set(found.rays)) == len(found.rays)


@settings(max_examples=40)
@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_determinants_are_those_of_floats(size, random):
    matrices = np.array(
        [[[random.choice([0, 0, 1, -1, 2, 3]) for _ in range(size)] for _ in range(size)] for _ in range(6)]
    )
    found = determinants(matrices.astype(object)).tolist()
    assert found == [round(one) for one in np.linalg.det(matrices.astype(float))]
    assert determinants(np.concatenate([matrices] * 3).astype(object)).tolist() == found * 3


def pivots(rows):
    """Return the columns in which Gauss's elimination, in fractions, finds a pivot."""
    left, found = [list(map(Fraction, row)) for row in rows], []
    for column in range(len(rows[0])):
        lead = next((row for row in left if row[column]), None)
        if lead is not None:
            left.remove(lead)
            left = [[a - row[column] / lead[column] * b for a, b in zip(row, lead, strict=True)] for row in left]
            found.append(column)
    return tuple(found)


@given(rows(width=(1, 6), count=(1, 6), size=3))
def test_independent_columns_are_those_of_an_elimination_in_fractions(drawn):
    _, given_rows = drawn
    assert independent_columns(given_rows) == pivots(given_rows)


class Watched(int):
    """An integer that notes the longest of its results."""

    longest = 0

    def __mul__(self, other):
        product = int(self) * int(other)
        Watched.longest = max(Watched.longest, product.bit_length())
        return Watched(product)

    def __sub__(self, other):
        return Watched(int(self) - int(other))

    def __floordiv__(self, other):
        return Watched(int(self) // int(other))


def test_elimination_multiplies_nothing_longer_than_minors(monkeypatch):
    monkeypatch.setattr(Watched, "longest", 0)
    matrix = np.random.default_rng(0).integers(-9, 10, (20, 14)).tolist()
    assert independent_columns([[Watched(one) for one in row] for row in matrix]) == tuple(range(14))
    hadamard = math.prod(math.isqrt(sum(one * one for one in column)) + 1 for column in zip(*matrix, strict=True))
    assert 14 < Watched.longest <= 2 * hadamard.bit_length()


def test_determinants_of_large_integers_are_exact():
    big = 10**30
    assert determinants(np.array([[[big, 1], [1, big]]], dtype=object)).tolist() == [big**2 - 1]


def test_too_many_rays_simplices_and_terms_are_refused_with_their_number(monkeypatch):
    whole = Polytope.of([(1, 1, -1, -1), (1, -1, 1, -1)], 4)
    monkeypatch.setattr(double_description, "MOST_RAYS", 3)
    with pytest.raises(wl.InputError, match="more than 3 on the way"):
        Polytope.of([(1, 1, -1, -1)], 4)
    with monkeypatch.context() as patch:
        patch.setattr(polytope, "MOST_STEPS", 64)
        with pytest.raises(wl.InputError, match=r"over 4 distinct columns.* at most 1 of this dimension"):
            _ = whole.triangulation
    with monkeypatch.context() as patch:
        patch.setattr(polytope, "MOST_FACES", 2)
        with pytest.raises(wl.InputError, match=r"more than 2 faces apart; sampling estimates it"):
            _ = whole.triangulation
    monkeypatch.setattr(polytope, "MOST_TERMS", 10)
    with pytest.raises(wl.InputError, match=r"a sum of 15 terms.*sampling"):
        share_of(Polytope.of([], 2), Polytope.of([], 2), [3, 5])


@pytest.fixture(scope="module")
def region():
    frame = pd.DataFrame([[0, 0, 0, 0], [-1, 1, -1, 0], [1, -1, -1, -1], [-1, -1, 1, 1]], columns=list("xyzu"))
    board = wl.Leaderboard(frame.set_axis(["own", "r0", "r1", "r2"]))
    return board, winning_region(board, "own", space=WeightSpace(board).at_most("x", "0.4").near([1, 1, 1, 1], "0.9"))


def test_no_field_of_a_region_can_be_changed(region):
    board, claim = region

    def refuses(**changes):
        with pytest.raises(FALSE):
            dataclasses.replace(claim, **changes).verify(board)

    tiny = Fraction(1, 10**12)
    refuses(model="r0")
    refuses(model="nobody")
    refuses(rivals=claim.rivals[::-1])
    refuses(unbeaten=claim.unbeaten + tiny)
    refuses(unbeaten=float(claim.unbeaten))
    refuses(corners=claim.corners.iloc[1:])
    refuses(corners=claim.corners.astype(float))
    refuses(corners=claim.corners[claim.corners.columns[::-1]])
    refuses(space=WeightSpace(claim.tasks))
    for place in np.ndindex(claim.signs.shape):
        signs = claim.signs.copy()
        signs[place] = -signs[place] if signs[place] else 1
        refuses(signs=signs)
    for place in np.ndindex(claim.corners.shape):
        corners = claim.corners.copy()
        corners.iloc[place] += tiny
        refuses(corners=corners)
        corners.iloc[place[0], place[1] - 1] -= tiny
        refuses(corners=corners)


def test_no_part_of_a_centre_can_be_changed(region):
    board, claim = region

    def refuses(**changes):
        with pytest.raises(FALSE):
            dataclasses.replace(claim, inmost=dataclasses.replace(claim.inmost, **changes)).verify(board)

    refuses(radius=claim.radius + Fraction(1, 10**9))
    refuses(radius=float(claim.radius))
    for name in ("weights", "blockers"):
        value = pd.Series(dict(getattr(claim.inmost, name)), dtype=object)
        for place in range(len(value)):
            other = value.copy()
            other.iloc[place] += Fraction(1, 10**9)
            refuses(**{name: other.to_dict()})
        refuses(**{name: value.iloc[1:].to_dict()})
    refuses(vectors=(*claim.inmost.vectors, {}))
    for place, vector in enumerate(claim.inmost.vectors):
        refuses(vectors=(*claim.inmost.vectors[:place], {**vector, "ghost": Fraction(1)}))
