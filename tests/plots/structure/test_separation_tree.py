"""The tree of a group-separable profile as a picture: the cuts of the result, or the rankings that forbid one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import profiles
from weightlab.plots.marks import notes_of, rows_of, title_of

CROSSED = wl.Profile.from_orders(map(list, ["abcd", "bdac"]))


def nested(marks):
    """Return the tree that the marks say, as ``GroupSeparable.tree`` writes it."""
    at = {(one.x, one.y): one for one in rows_of(marks, "leaf", "cut")}

    def tree(one):
        if one.mark == "leaf":
            return one.models[0]
        return tree(at[one.first_x, one.first_y]), tree(at[one.second_x, one.second_y])

    return tree(max(at.values(), key=lambda one: one.x))


@FEW
@given(profiles(strict=True))
def test_the_marks_say_the_tree_of_the_result(profile):
    result = wl.domains.group_separable(profile)
    assume(result)
    assert nested(wl.plots.separation_tree_marks(result, most=None)) == result.tree


@FEW
@given(profiles(strict=True))
def test_each_cut_counts_the_voters_on_either_side(profile):
    result = wl.domains.group_separable(profile)
    assume(result)
    marks = wl.plots.separation_tree_marks(result, most=None)
    seen = result.profile
    assert [one.models for one in rows_of(marks, "leaf")] == [(model,) for model in result.order]
    assert len(rows_of(marks, "cut")) == len(result.order) - 1
    blocks = {upper + lower: (upper, lower) for upper, lower in result.splits()}
    for one in rows_of(marks, "cut"):
        upper, lower = blocks[one.models]
        places = [[seen.models.index(model) for model in part] for part in (upper, lower)]
        above = [ranks[places[0]].max() < ranks[places[1]].min() for ranks in seen.ranks]
        assert one.first == sum((w for w, top in zip(seen.weights, above, strict=True) if top), Fraction(0))
        assert one.first + one.second == sum(seen.weights, Fraction(0))
        assert (one.role == "first") == (one.second == 0)


@FEW
@given(profiles(strict=True, models=(3, 5)))
def test_where_there_is_no_tree_the_witness_is_shown(profile):
    result = wl.domains.group_separable(profile)
    assume(not result)
    marks = wl.plots.separation_tree_marks(result)
    points = {(one.column, one.model): one.rank for one in rows_of(marks, "point")}
    assert points == {
        (voter, place[0]): rank
        for voter, order in zip(result.witness.voters, result.witness.orders, strict=True)
        for rank, place in enumerate(order, start=1)
    }


def test_the_witness_is_told_in_words():
    result = wl.domains.group_separable(CROSSED)
    marks = wl.plots.marks(result)
    assert title_of(marks) == "Not group-separable: 2 voters and 4 models"
    assert notes_of(marks)[0] == f"Witness: {result.witness}."


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_the_largest_blocks_are_cut_first_and_what_stays_whole_says_so(most):
    result = wl.domains.group_separable(wl.Profile.from_orders([["a", "b", "c", "d", "e"]]))
    marks = wl.plots.separation_tree_marks(result, most=most)
    leaves = rows_of(marks, "leaf")
    assert len(leaves) == most
    assert tuple(model for one in leaves for model in one.models) == ("a", "b", "c", "d", "e")
    whole = [one for one in leaves if len(one.models) > 1]
    assert all(one.label == f"{len(one.models)} models: {one.models[0]}, ..." for one in whole)
    assert bool(whole) == any("whole" in text for text in notes_of(marks))
    with pytest.raises(wl.InputError, match=r"^most must be at least 1; got 0$"):
        wl.plots.separation_tree_marks(result, most=0)


@pytest.mark.parametrize(
    "orders", [[AWKWARD, AWKWARD[::-1]], [AWKWARD[:4], [AWKWARD[1], AWKWARD[3], AWKWARD[0], AWKWARD[2]]]]
)
def test_it_is_drawn_whatever_the_models_are_called(orders):
    pytest.importorskip("matplotlib")
    profile = wl.Profile.from_orders(orders, voters=AWKWARD[:2])
    result = wl.domains.group_separable(profile)
    assert_is_drawn(result, "separation_tree", names=["$x_1$", "<script>alert(1)</script>", "模型"])
