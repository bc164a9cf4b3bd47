"""Depths of relations as a picture: every depth once, the deepest first and marked."""

from __future__ import annotations

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import profiles
from weightlab.plots.marks import notes_of, rows_of, title_of


@FEW
@given(profiles())
def test_each_relation_is_a_bar_of_its_depth_and_the_deepest_are_marked(profile):
    result = wl.domains.tukey_depth(profile)
    bars = rows_of(wl.plots.depths_marks(result, most=None), "bar")
    assert {one.item: one.depth for one in bars} == result.depths.to_dict()
    assert {one.item for one in bars if one.role == "first"} == set(result.deepest)
    assert [one.depth for one in bars] == sorted((one.depth for one in bars), reverse=True)
    assert [one.y for one in bars] == list(range(len(bars)))
    assert all(one.length == float(one.depth) for one in bars)


def test_what_is_left_out_is_said():
    profile = wl.Profile.from_orders([["a", "b"]] * 4 + [["b", "a"]])
    marks = wl.plots.depths_marks(wl.domains.tukey_depth(profile), most=2)
    assert title_of(marks) == "Tukey depth of the deepest 2 of 5 relations"
    assert [one.item for one in rows_of(marks, "bar")] == ["1", "2"]
    assert notes_of(marks)[0].startswith("Deepest, at 4/5: 1, 2, 3 and 1 more. ")


def test_a_depth_of_many_digits_is_written_as_a_decimal():
    profile = wl.Profile.from_orders([["a", "b"], ["b", "a"]])
    result = wl.domains.tukey_depth(profile, weights=[10**12 + 1, 10**12 - 1])
    assert notes_of(wl.plots.depths_marks(result))[0].startswith("Deepest, at 0.5: 1.")


def test_it_is_drawn_whatever_the_relations_are_called():
    pytest.importorskip("matplotlib")
    orders = [["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"]] * 3
    result = wl.domains.tukey_depth(wl.Profile.from_orders(orders, voters=AWKWARD))
    assert_is_drawn(result, "depths", names=["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07"])
