"""A weight space as a body: its affine hull and the point inside against its vertices."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.lp import brute_force
from tests.lp.strategies import inequalities_of, meets, some_cuts, space_of
from weightlab.lp.geometry.double_description import independent_columns
from weightlab.lp.sampling.body import body_of

TASKS = ["p", "q", "r", "s"]


def spanned(points):
    """Return the dimension of the hull of points, and which coordinates differ."""
    differences = [[a - b for a, b in zip(one, points[0], strict=True)] for one in points[1:]]
    scale = np.lcm.reduce([value.denominator for row in differences for value in row] or [1])
    rows = [[int(value * int(scale)) for value in row] for row in differences if any(row)]
    return len(independent_columns(rows)), [len({one[place] for one in points}) > 1 for place in range(len(points[0]))]


SOME_CUTS = some_cuts(TASKS, 0, 3)


@settings(max_examples=25, deadline=None)
@given(SOME_CUTS)
def test_the_hull_is_that_of_the_vertices(drawn):
    points = [point[:4] for point in brute_force.vertices(4, 0, inequalities_of(drawn))]
    space = space_of(TASKS, drawn)
    if not points:
        with pytest.raises(wl.EmptySpaceError):
            body_of(space)
        return
    body = body_of(space)
    dimension, moving = spanned(points)
    assert (body.dimension, body.moving.tolist()) == (dimension, moving)
    assert meets(drawn, body.exact)
    assert space.contains(body.exact)


@settings(max_examples=30, deadline=None)
@given(SOME_CUTS)
def test_the_interior_point_has_room_in_every_direction(drawn):
    space = space_of(TASKS, drawn)
    try:
        body = body_of(space)
    except wl.EmptySpaceError:
        return
    for vector in body.directions:
        for sign in (1, -1):
            step = Fraction(sign, 10**6) / max(map(abs, vector))
            there = [a + step * b for a, b in zip(body.exact, vector, strict=True)]
            assert min(there) >= 0
            assert meets(drawn, there)


def test_rows_that_are_constant_on_the_hull_are_found_exactly():
    space = wl.lp.WeightSpace(TASKS).no_less("p", "q").no_less("q", "p").fixed("r", "1/4")
    rows = np.array([[1, -1, 0, 0], [1, -1, 1, 0], [1, 1, -3, 1], [0, 0, 0, 0], [1, 0, 0, 0]])
    assert body_of(space).constant(rows).tolist() == [True, True, True, True, False]


def test_a_task_and_a_variable_of_the_same_name_are_told_apart():
    made = wl.lp.WeightSpace(TASKS).near([1, 1, 1, 1], "0.2").conditions[0]
    renamed = json.loads(json.dumps(made.to_dict()).replace("1: gain of p", "p"))
    space = wl.lp.WeightSpace(TASKS).and_condition(type(made).from_dict(renamed))
    assert body_of(space).dimension == 3


def test_equal_weights_with_room_to_spare_need_no_solver(monkeypatch):
    monkeypatch.setattr("weightlab.lp.sampling.body.exact_optimum", None)
    board = wl.Leaderboard(pd.DataFrame([[1, 2, 3, 4], [4, 3, 2, 1]], index=["a", "b"], columns=TASKS))
    space = wl.lp.WeightSpace(board)
    assert body_of(space.at_most("p", "0.3").at_least("q", "0.2")).exact == [Fraction(1, 4)] * 4
    with pytest.raises(TypeError):
        body_of(space.at_most("p", "0.25"))
