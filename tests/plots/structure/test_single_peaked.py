"""Rank curves along an axis: every rank once, one peak a curve where the rankings are single-peaked, else a valley."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import profiles
from weightlab.plots.marks import notes_of, rows_of, title_of

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))


def curves_of(marks):
    """Return the points of each curve along the axis."""
    points = rows_of(marks, "point")
    return {
        one.curve: sorted((point for point in points if point.curve == one.curve), key=lambda point: point.x)
        for one in rows_of(marks, "curve")
    }


@FEW
@given(profiles(strict=True))
def test_along_an_axis_that_fits_every_curve_rises_to_one_peak_and_falls(profile):
    result = wl.domains.single_peaked(profile)
    assume(result)
    marks = wl.plots.single_peaked_marks(result)
    assert [one.model for one in rows_of(marks, "model")] == list(result.axis)
    for points in curves_of(marks).values():
        ranks = [one.y for one in points]
        top = ranks.index(min(ranks))
        assert ranks[: top + 1] == sorted(ranks[: top + 1], reverse=True)
        assert ranks[top:] == sorted(ranks[top:])
        assert [one.x for one in points if one.role == "peak"] == [top]
        assert not any(one.role == "valley" for one in points)


@FEW
@given(profiles())
def test_each_voter_has_one_curve_that_holds_its_ranks(profile):
    result = wl.domains.single_peaked(profile)
    marks = wl.plots.single_peaked_marks(result, axis=profile.models)
    curves = curves_of(marks)
    voters = [voter for one in rows_of(marks, "curve") for voter in one.voters]
    assert sorted(voters) == sorted(result.profile.voters)
    for one in rows_of(marks, "curve"):
        for voter in one.voters:
            ranks = result.profile.ranks[result.profile.voters.index(voter)].tolist()
            assert {point.model: point.y for point in curves[one.curve]} == dict(
                zip(profile.models, ranks, strict=True)
            )


@FEW
@given(profiles(strict=True))
def test_a_valley_is_below_a_model_on_its_left_and_one_on_its_right(profile):
    marks = wl.plots.single_peaked_marks(wl.domains.single_peaked(profile), axis=profile.models)
    for points in curves_of(marks).values():
        for place, one in enumerate(points):
            left, right = ([other.y for other in side] for side in (points[:place], points[place + 1 :]))
            assert (one.role == "valley") == (min(left, default=one.y) < one.y > min(right, default=one.y))


@FEW
@given(profiles(strict=True, models=(4, 5), voters=(4, 5)))
def test_where_no_axis_fits_the_witness_shows_a_valley_in_whatever_order(profile):
    result = wl.domains.single_peaked(profile)
    assume(not result)
    marks = wl.plots.single_peaked_marks(result)
    assert {one.model for one in rows_of(marks, "model")} == set(result.witness.models)
    assert {voter for one in rows_of(marks, "curve") for voter in one.voters} == set(result.witness.voters)
    assert any(one.role == "valley" for one in rows_of(marks, "curve"))
    assert title_of(marks).startswith("Not single-peaked: ")


def test_single_caved_rankings_have_one_pit():
    profile = wl.Profile.from_orders([["a", "c", "b"], ["c", "a", "b"]])
    marks = wl.plots.marks(wl.domains.single_caved(profile))
    assert title_of(marks) == "The rankings are single-caved: 2 voters along an axis that fits all"
    assert {one.model for one in rows_of(marks, "point") if one.role == "peak"} == {"b"}
    assert not any(one.role == "valley" for one in rows_of(marks, "curve"))


def test_what_a_voter_leaves_out_has_no_point():
    profile = wl.Profile.from_orders([["a", "b"], ["b", "c"], ["c", "b", "a"]])
    marks = wl.plots.marks(wl.domains.single_peaked(profile, incomplete="solve"), axis=["a", "b", "c"])
    assert [len(points) for points in curves_of(marks).values()] == [2, 2, 3]


def test_the_sentence_of_the_witness_is_written_unless_names_make_it_long():
    result = wl.domains.single_peaked(CYCLE)
    assert notes_of(wl.plots.marks(result))[0] == f"Witness: {result.witness}."
    long = wl.Profile.from_orders([[name * 100 for name in order] for order in ("abc", "bca", "cab")])
    assert notes_of(wl.plots.marks(wl.domains.single_peaked(long)))[0].startswith("Larger points")


def test_voters_whose_long_names_are_alike_at_both_ends_stay_apart_in_the_legend():
    voters = [f"a long name of a task, number {number} of all of them, accuracy" for number in range(3)]
    profile = wl.Profile.from_orders([list(order) for order in ("abc", "bca", "cab")], voters=voters)
    marks = wl.plots.marks(wl.domains.single_peaked(profile))
    assert len({one.label for one in rows_of(marks, "curve")}) == 3


def test_curves_beyond_the_colours_are_counted():
    orders = [list(order) for order in ("abcdef", "bacdef", "cbadef", "dcbaef", "edcbaf", "fedcba", "bcadef", "cdbaef")]
    marks = wl.plots.marks(wl.domains.single_peaked(wl.Profile.from_orders(orders)))
    assert sorted(one.series for one in rows_of(marks, "curve")) == [-1, 0, 1, 2, 3, 4, 5, 6]
    assert notes_of(marks)[-1] == "1 of 8 curves are grey and not in the legend."


def test_an_axis_names_models_once():
    result = wl.domains.single_peaked(CYCLE)
    for axis in ([], ["a", "a"]):
        with pytest.raises(wl.InputError, match=r"^an axis names at least one model, and each at most once$"):
            wl.plots.single_peaked_marks(result, axis=axis)
    with pytest.raises(wl.UnknownNameError, match=r"^no model named 'x'; the profile has 'a', 'b', 'c'"):
        wl.plots.single_peaked_marks(result, axis=["a", "x"])


@pytest.mark.parametrize("orders", [[AWKWARD, AWKWARD[::-1]], [AWKWARD, AWKWARD[3:] + AWKWARD[:3], AWKWARD[::-1]]])
def test_it_is_drawn_whatever_the_models_are_called(orders):
    pytest.importorskip("matplotlib")
    profile = wl.Profile.from_orders(orders, voters=AWKWARD[: len(orders)])
    assert_is_drawn(wl.domains.single_peaked(profile), "single_peaked", names=["$x_1$", "<script>alert(1)</script>"])
