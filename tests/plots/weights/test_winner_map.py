"""The triangle map of winners: polygons are the exact areas, and everybody who is unbeaten is named in the key."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn, texts
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of
from weightlab.plots.weights.winner_map import weights_of_corners

THIRD = Fraction(1, 3)


def table(rows, columns=("x", "y", "z")):
    return wl.Leaderboard(pd.DataFrame(rows, index=list(columns)).T)


CYCLE = table({"a": [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]})
TWINS = table({"a": [3, 1, 1], "b": [3, 1, 1], "c": [1, 3, 2]})
# a is level with everybody at the centre alone and loses elsewhere.
POINT = table({"a": [2, 2, 2], "b": [3, 1, 2], "c": [2, 3, 1], "d": [1, 2, 3]})


def mapped(board, **options):
    found = wl.lp.map_of_winners(board)
    return found, wl.plots.winner_map_marks(found, **options)


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(3, 3), plain=True))
def test_the_shapes_are_the_areas_and_the_key_adds_up(board):
    found, marks = mapped(board)
    shapes = rows_of(marks, "area", "line", "spot")
    assert [one.exact for one in shapes] == [one.vertices for one in found.areas]
    assert [one.name for one in shapes] == [" = ".join(one.models) or "no model" for one in found.areas]
    keys = {one.name: one.share for one in rows_of(marks, "key")}
    assert sum(keys.values()) == 1
    assert set(keys) == {one.name for one in shapes}
    assert {model: keys.get(model, 0) for model in board.models if found.shares[model]} == {
        model: share for model, share in found.shares.items() if share
    }
    assert list(keys.values()) == sorted(keys.values(), reverse=True)
    assert [one.number for one in rows_of(marks, "key")] == list(range(1, len(keys) + 1))


@settings(max_examples=25)
@given(boards(models=(2, 5), tasks=(3, 3), plain=True))
def test_polygons_have_the_areas_that_their_shares_say(board):
    found, marks = mapped(board)
    for one, own in zip(rows_of(marks, "area"), found.areas, strict=False):
        turned = [*one.points[1:], one.points[0]]
        twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(one.points, turned, strict=True))
        assert twice / (3**0.5 / 2) == pytest.approx(float(own.share))


def test_each_name_is_written_once_where_it_fits():
    _, marks = mapped(CYCLE)
    assert sorted(one.label for one in rows_of(marks, "area")) == ["a", "b", "c", "no model"]
    _, wide = mapped(table({"a" * 60: [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]}))
    assert {one.label for one in rows_of(wide, "area")} == {"2", "b", "c", "no model"}
    assert next(one.label for one in rows_of(wide, "key") if one.number == 2).startswith("2  aaaa")


def test_a_name_of_two_words_may_take_two_lines():
    from weightlab.plots.weights.winner_map import _labels

    assert _labels("GPT Four", 3) == ["GPT Four", "GPT\nFour", "3"]
    assert _labels("alone", 3) == ["alone", "3"]


def test_weights_are_marked_where_they_are():
    found, marks = mapped(CYCLE, weights={"x": 1, "y": 1, "z": 2}, called="today's weights")
    (star,) = rows_of(marks, "weights")
    assert star.exact == ((Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),)
    assert (star.x, star.y, star.label) == (0.5, pytest.approx(3**0.5 / 4), "today's weights")
    assert notes_of(marks)[0].endswith("The star marks today's weights.")
    assert not rows_of(wl.plots.winner_map_marks(found), "weights")


def test_weights_of_tasks_are_those_of_groups_where_some_are():
    board = wl.Leaderboard({task: {"a": place % 2, "b": 1} for place, task in enumerate("uvwxyz")})
    found = wl.lp.map_of_winners(board, groups={"one": ["u", "v"], "two": ["w"], "three": ["x", "y"]})
    assert weights_of_corners(found, [1, 1, 2, 1, 1, 0]) == (THIRD, THIRD, THIRD)
    assert weights_of_corners(found, [2, 1, 2, 1, 1, 0]) is None
    with pytest.raises(wl.InputError, match=r"^these weights lie outside the triangle of one, two, three: "):
        wl.plots.winner_map_marks(found, weights=board.weights)


def test_lines_and_spots_are_numbered_as_in_the_key():
    _, marks = mapped(POINT)
    (spot,) = rows_of(marks, "spot")
    assert spot.exact == ((THIRD, THIRD, THIRD),)
    key = next(one for one in rows_of(marks, "key") if one.name == spot.name)
    assert spot.label == str(int(spot.number)) == str(int(key.number))
    assert key.label.endswith("on a line or point alone")
    assert "further models are undefeated" in notes_of(marks)[0]


def test_twins_share_an_area():
    _, marks = mapped(TWINS)
    assert ("a = b", "tie") in {(one.name, one.role) for one in rows_of(marks, "area")}
    assert "Names joined by = tie there." in notes_of(marks)[0]


def test_conditions_are_said():
    space = wl.lp.WeightSpace(CYCLE.tasks).at_most("x", "1/2")
    marks = wl.plots.winner_map_marks(wl.lp.map_of_winners(CYCLE, space=space))
    assert "of the weights allowed" in notes_of(marks)[0]


@pytest.mark.parametrize("board", [CYCLE, TWINS, POINT], ids=["cycle", "twins", "point"])
def test_everybody_who_is_unbeaten_somewhere_is_named(board):
    pytest.importorskip("matplotlib")
    found = wl.lp.map_of_winners(board)
    shown = " ".join(texts(wl.plots.rendered(found, weights=[1, 1, 1])))
    assert all(model in shown for one in found.areas for model in one.models)


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    rows = {name: [(3 * place + shift) % 7 for shift in range(3)] for place, name in enumerate(AWKWARD)}
    assert_is_drawn(wl.lp.map_of_winners(table(rows, ["$x$", "<b>", "a_b"])), "winner_map", names=["$x$ only"])
