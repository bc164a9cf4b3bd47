"""Maps of winners: every area against other formulas, and every point against the margins themselves."""

from __future__ import annotations

import copy
import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.brute_force import dot, rows_of
from tests.lp.geometry.brute_force_volume import share as lasserre_share
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import Area, AreaKind, map_of_winners
from weightlab.lp.geometry.polygons import TRIANGLE, area, clipped, difference, intersection, is_convex, merged

THREE = {"tasks": (3, 3), "plain": True}


def table(rows, columns=("x", "y", "z")):
    return wl.Leaderboard(pd.DataFrame(rows, index=list(columns)).T)


CYCLE = table({"a": [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]})
TWINS = table({"a": [3, 1, 1], "b": [3, 1, 1], "c": [1, 3, 2]})
# a is level with everybody at the centre alone and loses elsewhere.
POINT = table({"a": [2, 2, 2], "b": [3, 1, 2], "c": [2, 3, 1], "d": [1, 2, 3]})


def region_or_none(board, model, space=None):
    try:
        return wl.lp.winning_region(board, model, space=space)
    except wl.ImpossibleError:
        return None


def polygon_of(lines):
    polygon = TRIANGLE
    for line in lines:
        polygon = clipped(polygon, line)
    return polygon


def lines_of(dice):
    """Return up to four lines, each with a side."""
    return [line for _ in range(dice.between(0, 4)) if any(line := tuple(dice.between(-4, 4) for _ in range(3)))]


def polygons(made):
    return [one for one in made.areas if one.shape == "polygon"]


@settings(max_examples=40)
@given(boards(models=(2, 6), **THREE))
def test_the_shares_are_those_of_another_formula_and_sum_to_one(board):
    made = map_of_winners(board)
    assert made.verify(board)
    for model in board.models:
        rows = rows_of(board, model)
        strict = all(any(row) for row in rows)
        assert made.shares[model] == (lasserre_share(rows, 3) if strict else 0)
    assert sum(made.shares) + made.tied + made.cyclic == 1
    assert sum(one.share for one in made.areas) == 1


@settings(max_examples=40)
@given(boards(models=(2, 6), **THREE), DICE)
def test_every_point_is_won_by_who_leads_there(board, dice):
    made = map_of_winners(board)
    points = [[dice.between(0, 12) for _ in board.tasks] for _ in range(6)]
    points = [point for point in points if any(point)] or [[1, 0, 0]]
    for point in points:
        weights = [Fraction(one, sum(point)) for one in point]
        leads = {model: [dot(row, weights) for row in rows_of(board, model)] for model in board.models}
        standing = made.at(dict(zip(board.tasks, point, strict=True)))
        assert standing.unbeaten == tuple(model for model in board.models if min(leads[model]) >= 0)
        winners = [model for model in board.models if min(leads[model]) > 0]
        assert [standing.winner] == (winners or [None])
        assert standing.areas
        held = [made.areas[place] for place in standing.areas]
        # Whoever is unbeaten inside an area is so on its border, too.
        assert all(set(one.models) <= set(standing.unbeaten) for one in held)


@settings(max_examples=30)
@given(boards(models=(2, 12), tasks=(4, 6)), DICE)
def test_the_lines_that_are_kept_are_as_good_as_all(board, dice):
    groups = {f"g{k}": list(board.tasks[k::3]) for k in range(3)}
    made = map_of_winners(board, groups=groups)
    for model, lines in zip(board.models, made.lines, strict=True):
        spread = made.corners.to_numpy()
        leads = [[dot(row, spread[:, k].tolist()) for k in range(3)] for row in rows_of(board, model)]
        for _ in range(4):
            point = [dice.between(0, 9) for _ in range(3)]
            least = min(dot(lead, point) for lead in leads)
            kept = min(dot(line, point) for line in lines)
            # Lines are in proportion; of a model that loses a duel everywhere one lost duel is kept.
            assert (least > 0, least < 0) == (kept > 0, kept < 0)


@settings(max_examples=25)
@given(boards(models=(2, 5), **THREE))
def test_the_area_without_a_winner_is_as_large_as_samples_say(board):
    made = map_of_winners(board)
    weights = np.random.default_rng(0).dirichlet([1, 1, 1], 4_000)
    beaten = [(weights @ np.array(rows_of(board, model)).T < -1e-12).any(axis=1) for model in board.models]
    assert float(np.all(beaten, axis=0).mean()) == pytest.approx(float(made.cyclic), abs=0.05)


@settings(max_examples=25)
@given(boards(models=(2, 5), **THREE))
def test_a_map_agrees_with_the_winning_regions(board):
    made = map_of_winners(board)
    for model, share in made.shares.items():
        region = region_or_none(board, model)
        if region is None:
            assert not share
            assert not any(model in one.models for one in made.areas)
            continue
        assert share == region.share
        own = [one for one in made.areas if one.models == (model,) and one.kind is not AreaKind.NONE]
        if share:
            assert {vertex for one in own for vertex in one.vertices} == {
                tuple(row) for row in region.vertices.itertuples(index=False)
            }


@settings(max_examples=30)
@given(boards(models=(2, 6), tasks=(4, 6), plain=True), DICE)
def test_groups_in_any_proportions_are_divided_as_another_formula_says(board, dice):
    spread = {f"g{k}": {task: dice.between(0, 3) for task in board.tasks} for k in "abc"}
    spread = {name: shares if any(shares.values()) else {board.tasks[0]: 1} for name, shares in spread.items()}
    made = map_of_winners(board, groups=spread)
    assert made.verify(board)
    for model in board.models:
        rows = [
            [
                sum(Fraction(shares.get(t, 0)) * one for t, one in zip(board.tasks, row, strict=True))
                / sum(shares.values())
                for shares in spread.values()
            ]
            for row in rows_of(board, model)
        ]
        assert made.shares[model] == (lasserre_share(rows, 3) if all(any(row) for row in rows) else 0)
    assert sum(made.shares) + made.tied + made.cyclic == 1


@settings(max_examples=60)
@given(DICE)
def test_a_polygon_and_the_rest_fill_the_triangle(dice):
    first, second = (polygon_of(lines_of(dice)) for _ in range(2))
    if len(first) < 3 or len(second) < 3:
        return
    assert is_convex(first)
    assert is_convex(second)
    pieces = difference(first, second)
    assert all(is_convex(piece) for piece in pieces)
    assert area(first) == area(intersection(first, second)) + sum(map(area, pieces))
    assert all(not area(intersection(piece, second)) for piece in pieces)
    fewer = merged(pieces)
    assert len(fewer) <= len(pieces)
    assert all(is_convex(piece) for piece in fewer)
    assert sum(map(area, fewer)) == sum(map(area, pieces))


def test_a_cycle_leaves_the_middle_to_nobody():
    made = map_of_winners(CYCLE)
    assert made.shares.tolist() == [Fraction(1, 4)] * 3
    (middle,) = [one for one in made.areas if one.kind is AreaKind.NONE]
    half = Fraction(1, 2)
    assert set(middle.vertices) == {(half, half, 0), (half, 0, half), (0, half, half)}
    assert middle.share == made.cyclic == Fraction(1, 4)
    assert made.at([1, 1, 1]) == wl.lp.Standing(winner=None, unbeaten=(), areas=(3,))
    assert made.at([1, 1, 0]).unbeaten == ("a", "b")
    assert (
        str(made) == "Head-to-head shares of all weights of x, y, z: won by a 25%, b 25%, c 25%; "
        "none is undefeated head-to-head on 25%."
    )
    assert made.summary()[["kind", "models", "shape", "vertices", "share"]].to_numpy().tolist() == [
        ["winner", "a", "polygon", 3, 0.25],
        ["winner", "b", "polygon", 3, 0.25],
        ["winner", "c", "polygon", 3, 0.25],
        ["none", "", "polygon", 3, 0.25],
    ]


def test_twins_tie_on_an_area():
    made = map_of_winners(TWINS)
    assert [(one.kind, one.models, one.share) for one in made.areas] == [
        (AreaKind.WINNER, ("c",), Fraction(3, 4)),
        (AreaKind.TIE, ("a", "b"), Fraction(1, 4)),
    ]
    assert (made.tied, made.cyclic) == (Fraction(1, 4), 0)
    assert str(made).endswith("won by c 75%; ties on 25%.")


def test_a_model_unbeaten_at_one_point_has_a_point():
    made = map_of_winners(POINT)
    assert [(one.models, one.shape) for one in made.areas if one.shape != "polygon"] == [(("a",), "point")]
    third = Fraction(1, 3)
    assert made.areas[-1].vertices == ((third, third, third),)
    assert made.areas[-1].centre == (third, third, third)
    assert len(made.areas) - 1 in made.at([1, 1, 1]).areas
    assert made.at([1, 1, 1]).unbeaten == ("a",)


def test_a_segment_is_where_two_ties_meet():
    made = map_of_winners(table({"a": [1, 1, 0], "b": [2, 0, 0], "c": [0, 2, 0]}))
    flat = {one.models: one.shape for one in made.areas if one.shape != "polygon"}
    assert flat == {("a",): "segment"}
    assert made.at([1, 1, 2]).unbeaten == ("a", "b", "c")


def test_groups_spread_their_weight():
    board = wl.Leaderboard(
        pd.DataFrame([[2, 1, 2, 1], [1, 2, 1, 2]], index=["a", "b"], columns=["p", "q", "r", "s"]),
        groups={"mixed": ["p", "q"]},
    )
    equal = map_of_winners(board, [wl.group("mixed"), "r", "s"])
    assert equal.names == ("@mixed", "r", "s")
    assert equal.corners["@mixed"].tolist() == [Fraction(1, 2), Fraction(1, 2), 0, 0]
    assert equal.shares.tolist() == [Fraction(1, 2), Fraction(1, 2)]
    given_shares = map_of_winners(board, groups={"m": {"p": 3, "q": 1}, "r": "r", "s": ["s"]})
    # a leads by half at m, by 1 at r, and trails by 1 at s.
    assert given_shares.corners["m"].tolist() == [Fraction(3, 4), Fraction(1, 4), 0, 0]
    assert given_shares.shares["a"] == lasserre_share([[Fraction(1, 2), 1, -1]], 3)
    assert given_shares.verify(board)


@pytest.mark.parametrize(
    ("tasks", "groups", "message"),
    [
        (["x", "y"], None, "three tasks or groups; got 2"),
        (["x", "y", "x"], None, "must be three different ones; got x, y, x"),
        ("xyz", None, "three tasks are needed; got 'xyz'"),
        (["x", "y", "w"], None, "no task named 'w'"),
        (["x", "y", "z"], {"a": "x"}, "both given; omit groups"),
        (None, {"a": "x", "b": "y", "c": []}, "group 'c' has no task"),
        (None, {"a": "x", "b": "y", "c": {"z": -1}}, "negative"),
        (None, {"a": "x", "b": "y", "c": {"w": 1}}, "no task named 'w'"),
    ],
)
def test_what_is_no_triangle_is_refused(tasks, groups, message):
    with pytest.raises(wl.InputError, match=message):
        map_of_winners(CYCLE, tasks, groups=groups)


def test_a_table_of_four_tasks_needs_to_know_which():
    board = table({"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}, columns="wxyz")
    with pytest.raises(wl.InputError, match="got 4; pass tasks="):
        map_of_winners(board)
    assert map_of_winners(board, ["w", "y", "z"]).names == ("w", "y", "z")


def test_points_are_asked_for_by_all_three_weights():
    made = map_of_winners(CYCLE)
    with pytest.raises(wl.InputError, match="no weight for task 'z'"):
        made.at({"x": 1, "y": 1})


MAPS = {"a cycle": CYCLE, "twins": TWINS, "a point": POINT}


@pytest.mark.parametrize("name", list(MAPS))
def test_the_document_holds_and_knows_its_table(name):
    made = map_of_winners(MAPS[name])
    document = json.loads(json.dumps(made.to_dict()))
    again = result_from_dict(document)
    assert again.verify(MAPS[name])
    assert again.to_dict() == document
    other = table({model: [1, 2, 3] for model in MAPS[name].models})
    with pytest.raises(wl.ProofError):
        again.verify(other)


@pytest.mark.parametrize("name", list(MAPS))
def test_no_area_can_be_changed(name):
    made = map_of_winners(MAPS[name])

    def refuses(**changes):
        with pytest.raises((wl.ProofError, wl.InputError)):
            dataclasses.replace(made, **changes).verify(MAPS[name])

    for place, one in enumerate(made.areas):
        others = [*made.areas]
        del others[place]
        refuses(areas=tuple(others))
        refuses(areas=(*made.areas, one))
        wrong_models = ("a",) if one.models != ("a",) else ("b",)
        for changed in (
            dataclasses.replace(one, models=wrong_models),
            *(dataclasses.replace(one, kind=kind) for kind in AreaKind if kind is not one.kind),
            dataclasses.replace(one, corners=((5, 1, 1), *one.corners[1:])),
            dataclasses.replace(one, corners=one.corners[1:]),
        ):
            if changed.corners and (
                changed.corners != one.corners or changed.models != one.models or changed.kind != one.kind
            ):
                refuses(areas=(*made.areas[:place], changed, *made.areas[place + 1 :]))
    shifted = made.corners.copy()
    shifted.iloc[0, 0] += 1
    refuses(corners=shifted)
    refuses(corners=made.corners.rename(index={made.signs.tasks[0]: "another"}))
    refuses(corners=made.corners.astype(float))


def test_no_vertex_of_a_document_can_be_moved():
    document = map_of_winners(POINT).to_dict()
    for place, one in enumerate(document["areas"]):
        for corner, vertex in enumerate(one["corners"]):
            forged = copy.deepcopy(document)
            step = Fraction(1, 1000)
            moved = [Fraction(vertex[0]) + step, Fraction(vertex[1]) - step, Fraction(vertex[2])]
            forged["areas"][place]["corners"][corner] = [f"{m.numerator}/{m.denominator}" for m in moved]
            share = Area(
                kind=AreaKind.NONE, models=(), corners=tuple(ints(v) for v in forged["areas"][place]["corners"])
            ).share
            for claimed in (one["share"], f"{share.numerator}/{share.denominator}"):
                forged["areas"][place]["share"] = claimed
                with pytest.raises((wl.ProofError, wl.InputError)):
                    result_from_dict(forged).verify(POINT)


def ints(vertex):
    """Return a vertex as integers up to scale."""
    scale = np.lcm.reduce([Fraction(one).denominator for one in vertex])
    return tuple(int(Fraction(one) * int(scale)) for one in vertex)


@given(boards(**THREE), DICE)
def test_a_map_of_a_space_agrees_with_the_winning_regions_there(board, dice):
    x, y, _ = board.tasks
    bound, model = Fraction(dice.between(2, 9), 10), dice.one_of(board.models)
    whole = wl.lp.WeightSpace(board)
    narrowed = [("at_most", x, bound), ("at_least", [x, y], bound), ("no_less", x, y), ("near", None, bound)]
    method, *arguments = dice.one_of(narrowed)
    space = getattr(whole, method)(*arguments)
    found = map_of_winners(board, space=space)
    assert found.shares.sum() + found.tied + found.cyclic == 1
    region = region_or_none(board, model, space)
    assert found.shares[model] == (0 if region is None else region.share)
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(board)


@pytest.mark.parametrize("loosened", ["conditions", "areas"])
def test_a_map_of_another_space_is_refused(loosened):
    held = map_of_winners(CYCLE, space=wl.lp.WeightSpace(CYCLE).at_most("x", "0.6"))
    free = map_of_winners(CYCLE)
    forged = (
        dataclasses.replace(held, space=free.space)
        if loosened == "conditions"
        else dataclasses.replace(held, areas=free.areas)
    )
    with pytest.raises(wl.ProofError, match=r"the shares of the areas sum to|leaves what is allowed"):
        forged.verify(CYCLE)


@pytest.mark.parametrize(("share", "left"), [("0.5", "a segment"), ("1", "one weighting")])
def test_conditions_that_leave_no_area_are_refused(share, left):
    with pytest.raises(wl.InputError, match=f"the conditions leave {left} of the triangle"):
        map_of_winners(CYCLE, space=wl.lp.WeightSpace(CYCLE).fixed("x", share))


def forged(document, corners):
    return result_from_dict({**document, "corners": corners})


def test_a_corner_that_is_called_like_a_task_is_that_task():
    document = map_of_winners(CYCLE).to_dict()
    swapped = {"x": document["corners"]["z"], "y": document["corners"]["y"], "z": document["corners"]["x"]}
    for source in (None, CYCLE):
        with pytest.raises(wl.ProofError, match="corner 'x' is another task, or a group"):
            forged(document, swapped).verify(source)
    with pytest.raises(wl.InputError, match="'x' is a task of the table"):
        map_of_winners(CYCLE, groups={"x": ["z"], "y": ["y"], "w": ["x"]})
    for name in ("@x", "\ud800"):
        with pytest.raises(wl.InputError, match="names no group"):
            map_of_winners(CYCLE, groups={name: ["z"], "y": ["y"], "w": ["x"]})


def test_a_corner_that_is_called_like_a_group_of_the_table_is_of_its_tasks():
    board = wl.Leaderboard(CYCLE.scores, groups={"two": ["x", "y"]})
    with pytest.raises(wl.InputError, match="'two' is a group of the table"):
        map_of_winners(board, groups={"two": ["x"], "y": ["y"], "z": ["z"]})
    found = map_of_winners(CYCLE, groups={"two": ["x"], "y": ["y"], "z": ["z"]})
    assert found.verify(CYCLE)
    with pytest.raises(wl.ProofError, match="the group 'two' has different tasks"):
        found.verify(board)


def test_a_corner_that_is_a_group_says_its_tasks_and_is_a_group_of_the_table():
    board = wl.Leaderboard(CYCLE.scores, groups={"two": ["x", "y"]})
    found = map_of_winners(board, [wl.group("two"), "y", "z"])
    assert str(found).startswith("Head-to-head shares of all weights of @two (x, y in equal proportion), y, z: won by ")
    assert found.verify(board)
    with pytest.raises(wl.ProofError, match="the source has no group 'two'"):
        found.verify(CYCLE)
    document = found.to_dict()
    for other, fault in (
        ({"x": "1/1"}, "has different tasks"),
        ({"x": "1/3", "y": "2/3"}, "spread its weight equally"),
    ):
        with pytest.raises(wl.ProofError, match=fault):
            forged(document, {**document["corners"], "@two": other}).verify(board)
    free = map_of_winners(CYCLE, groups={"hard": {"x": 2, "y": 1}, "y": ["y"], "z": ["z"]})
    assert "of hard (x, y in proportion 2 : 1), y, z: won by" in str(free)


@pytest.mark.parametrize(
    "narrow", [("at_least", "x", 0), ("at_most", "x", 1), ("near", None, 2), ("no_less", "x", "x")]
)
def test_conditions_that_hold_trivially_change_nothing(narrow):
    method, *arguments = narrow
    space = getattr(wl.lp.WeightSpace(CYCLE), method)(*arguments)
    found = map_of_winners(CYCLE, space=space)
    assert found.shares.equals(map_of_winners(CYCLE).shares)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(CYCLE)
