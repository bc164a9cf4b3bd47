"""The geometry of the triangle: mixtures are solved exactly, and a label lies where it fits."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weightlab.plots.weights.winner_map import HEIGHT, corner_shares, label_place, spot_of

SHARES = st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any)
POINTS = st.tuples(*[st.integers(0, 5)] * 3).filter(any)


def share(numbers):
    return [Fraction(one, sum(numbers)) for one in numbers]


@settings(max_examples=60)
@given(st.tuples(SHARES, SHARES, SHARES), POINTS)
def test_a_mixture_is_found_again_whatever_the_corners(corners, weights):
    columns = [share(one) for one in corners]
    wanted = [sum(w * column[row] for w, column in zip(share(weights), columns, strict=True)) for row in range(4)]
    found = corner_shares(pd.DataFrame(dict(zip("abc", columns, strict=True)), dtype=object), wanted)
    assert found is not None
    assert min(found) >= 0
    assert sum(found) == 1
    assert wanted == [sum(w * column[row] for w, column in zip(found, columns, strict=True)) for row in range(4)]


@pytest.mark.parametrize("wanted", [[1, 0, 0, 0], [0, 0, 0, 1], [Fraction(1, 4)] * 4])
def test_what_no_mixture_gives_is_not_found(wanted):
    corners = pd.DataFrame({"a": [0, 1, 0, 0], "b": [Fraction(1, 2), 0, Fraction(1, 2), 0], "c": [0, 0, 1, 0]})
    assert corner_shares(corners.astype(object), [Fraction(one) for one in wanted]) is None


@given(POINTS)
def test_points_lie_in_the_triangle_that_stands_on_its_first_side(weights):
    x, y = spot_of(share(weights))
    assert -1e-12 <= y <= HEIGHT + 1e-12
    assert y / HEIGHT / 2 - 1e-12 <= x <= 1 - y / HEIGHT / 2 + 1e-12


BOXES = st.tuples(st.floats(0.01, 0.8), st.floats(0.01, 0.4))
TRIANGLES = st.tuples(*[st.tuples(st.floats(0, 1), st.floats(0, 1))] * 3)


@settings(max_examples=80)
@given(TRIANGLES, BOXES)
def test_a_label_that_is_placed_lies_inside(corners, box):
    (a, b), (c, d), (e, f) = corners
    place = label_place(corners, *box)
    if place is None:
        return
    turn = (c - a) * (f - b) - (e - a) * (d - b)
    for dx in (-1, 1):
        for dy in (-1, 1):
            x, y = place[0] + dx * box[0] / 2, place[1] + dy * box[1] / 2
            for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
                assert ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) * (1 if turn > 0 else -1) >= -1e-6


def test_a_label_has_room_around_it():
    place = label_place([(0, 0), (1, 0), (0.5, HEIGHT)], 0.2, 0.05)
    assert place == pytest.approx((0.5, 0.1), abs=0.03)
    assert label_place([(0, 0), (1, 0), (0.5, HEIGHT)], 1.0, 0.05) is None
    assert label_place([(0, 0), (1, 0), (1, 0.04), (0, 0.04)], 0.2, 0.05) is None
