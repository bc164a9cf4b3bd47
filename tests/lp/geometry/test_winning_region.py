"""Winning regions: vertices, shares and centres against enumeration, another formula, floats and samples."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.spatial import ConvexHull

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.geometry.brute_force_volume import share as lasserre_share
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import WeightSpace, winning_region
from weightlab.lp.geometry import polytope

SMALL = {"models": (2, 4), "tasks": (1, 4), "plain": True}


def board_of(signs):
    """Return the board on which ``own`` has these signs over its rivals."""
    frame = pd.DataFrame({f"t{k}": [0, *(-one for one in column)] for k, column in enumerate(np.array(signs).T)})
    return wl.Leaderboard(frame.set_axis(["own", *(f"r{n}" for n in range(len(signs)))]))


def random_signs(rivals, tasks, seed, *, values=(-1, 0, 1)):
    """Return random rows of signs whose sum is positive, so that equal weights win."""
    drawn = np.random.default_rng(seed).choice(values, size=(50 * rivals, tasks))
    return drawn[drawn.sum(axis=1) > 0][:rivals]


def region_or_none(board, model, space=None):
    try:
        return winning_region(board, model, space=space)
    except wl.ImpossibleError as error:
        proof = error.proof
    assert proof.verify(board)
    assert proof.margin < 0
    return None


def as_set(frame):
    return {tuple(row) for row in frame.itertuples(index=False)}


@settings(max_examples=20)
@given(boards(**SMALL), DICE)
def test_the_vertices_are_those_found_by_looking_at_all_bases(board, dice):
    some = cuts_of(dice, board.tasks, 0, 2)
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    for model in board.models:
        duels = [([-one for one in row], 0) for row in brute_force.rows_of(board, model)]
        expected = {tuple(one) for one in brute_force.vertices(len(board.tasks), 0, [*duels, *meant])}
        try:
            region = region_or_none(board, model, space)
        except wl.EmptySpaceError:
            assert not expected
            return
        found = set() if region is None else as_set(region.vertices)
        assert found == expected
        assert region is None or region.verify(board)


@settings(max_examples=40)
@given(boards(models=(2, 4), tasks=(1, 4), plain=True))
def test_the_share_is_that_of_another_formula(board):
    for model in board.models:
        region = region_or_none(board, model)
        rows = brute_force.rows_of(board, model)
        if region is None:
            assert lasserre_share(rows, len(board.tasks)) == 0
        else:
            assert region.unbeaten == lasserre_share(rows, len(board.tasks))
            strict = brute_force.margin(board, model) > 0
            assert (region.share > 0) == strict == (not region.tied)


@pytest.mark.parametrize("seed", range(8))
def test_six_tasks_agree_with_all_bases_and_the_hull_of_the_vertices_in_floats(seed):
    # Ties among the signs make many bounds meet in one vertex.
    signs = random_signs(6, 6, seed, values=(-1, 1) if seed % 2 else (-1, 0, 1))
    region = winning_region(board_of(signs), "own")
    bounds = [([-int(one) for one in row], 0) for row in signs.tolist()]
    expected = {tuple(one) for one in brute_force.vertices(6, 0, bounds)}
    assert as_set(region.vertices) == expected
    hull = ConvexHull(np.array([[float(one) for one in vertex[:-1]] for vertex in sorted(expected)]))
    assert float(region.share) == pytest.approx(hull.volume * math.factorial(5), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_six_tasks_agree_with_another_exact_formula(seed):
    signs = random_signs(3, 6, seed)
    assert winning_region(board_of(signs), "own").share == lasserre_share(signs.tolist(), 6)


@pytest.mark.parametrize("seed", range(4))
def test_the_share_is_near_that_of_samples(seed):
    signs = random_signs(20, 6, seed)
    region = winning_region(board_of(signs), "own")
    weights = np.random.default_rng(seed).dirichlet(np.ones(6), 40_000)
    sampled = float((weights @ signs.T > 0).all(axis=1).mean())
    assert sampled == pytest.approx(float(region.share), abs=5 * math.sqrt(max(sampled, 1e-4) / 40_000))


@settings(max_examples=25)
@given(DICE)
def test_a_doubled_task_counts_as_two_dimensions_of_weight(dice):
    width = dice.between(2, 3)
    signs = [dice.many_of([-1, 0, 1, 1], width) for _ in range(dice.between(1, 3))]
    copies = dice.many_of([1, 2], width)
    doubled = [[one for one, count in zip(line, copies, strict=True) for _ in range(count)] for line in signs]
    region = region_or_none(board_of(doubled), "own")
    expected = lasserre_share(doubled, sum(copies))
    assert (Fraction(0) if region is None else region.unbeaten) == expected


def test_many_equal_tasks_are_a_beta_distribution():
    # With weights uniform, the sum of three of five equal tasks is Beta(3, 2): above 1/2 with chance 11/16.
    region = winning_region(board_of([[1, 1, 1, -1, -1]]), "own")
    assert region.classes == (("t0", "t1", "t2"), ("t3", "t4"))
    assert region.share == Fraction(11, 16)
    assert region.dimension == 4
    assert len(region.vertices) == 3 + 3 * 2
    assert region.facets["kind"].value_counts().to_dict() == {"task": 5, "duel": 1}


def test_equal_tasks_without_weight_in_the_space_do_not_weigh_on_the_share():
    board = board_of([[1, -1, 0, 0], [1, 0, -1, -1]])
    space = WeightSpace(board).fixed(["t2", "t3"], 0)
    region = winning_region(board, "own", space=space)
    assert region.classes == (("t0",), ("t1",), ("t2", "t3"))
    assert region.share == Fraction(1, 2)


@settings(max_examples=12)
@given(boards(models=(2, 3), tasks=(2, 3), plain=True), DICE)
def test_a_region_in_a_space_is_near_that_of_samples(board, dice):
    space = WeightSpace(board.tasks).near([1] * len(board.tasks), dice.one_of(["0.5", "0.8"]))
    space = space.at_most(board.tasks[0], "0.45")
    weights = np.random.default_rng(0).dirichlet(np.ones(len(board.tasks)), 30_000)
    near = weights[(np.abs(weights - 1 / len(board.tasks)).sum(axis=1) <= float(space_radius(space)))]
    near = near[near[:, 0] <= 0.45]
    for model in board.models:
        region = region_or_none(board, model, space)
        signs = np.array(brute_force.rows_of(board, model))
        sampled = float((near @ signs.T >= 0).all(axis=1).mean())
        assert (0 if region is None else float(region.unbeaten)) == pytest.approx(sampled, abs=0.05)


def space_radius(space):
    """Return the L1 radius that the first condition says."""
    return space.conditions[0].radius


@settings(max_examples=30)
@given(boards(models=(2, 4), tasks=(2, 4), plain=True))
def test_weight_can_be_moved_from_the_centre_by_the_radius_and_no_farther(board):
    for model in board.models:
        region = region_or_none(board, model)
        if region is None:
            continue
        rows, centre = brute_force.rows_of(board, model), region.centre.tolist()
        if region.tied:
            continue
        room = [brute_force.dot(row, centre) / (max(row) - min(row)) for row in rows if max(row) > min(row)]
        assert min([*room, *centre]) == region.radius
        moves = [(one, other) for one in range(len(centre)) for other in range(len(centre))]
        for origin, target in moves:
            moved = [*centre]
            moved[origin] -= region.radius
            moved[target] += region.radius
            assert min(moved) >= 0
            assert all(brute_force.dot(row, moved) >= 0 for row in rows)


def test_a_weak_model_has_no_share_and_a_region_of_lower_dimension():
    region = winning_region(board_of([[1, -1, 1], [-1, 1, 1], [0, 0, -1]]), "own")
    assert (region.share, region.unbeaten, region.dimension) == (0, 0, 0)
    assert region.centre.tolist() == [Fraction(1, 2), Fraction(1, 2), 0]
    assert (region.radius, region.tied, len(region.facets)) == (0, ("r0", "r1", "r2"), 0)
    assert str(region).startswith("Head-to-head, own wins under no weighting")


def test_a_twin_takes_all_the_share_though_the_region_is_as_wide_as_the_space():
    region = winning_region(board_of([[0, 0, 0], [1, 1, -1]]), "own")
    assert (region.share, region.unbeaten, region.dimension) == (0, Fraction(3, 4), 2)
    assert region.tied == ("r0",)


def test_one_task_two_models_all_ties_and_missing_scores():
    one = wl.Leaderboard({"x": {"a": 2, "b": 1}})
    assert winning_region(one, "a").share == 1
    assert winning_region(one, "a").vertices.to_numpy().tolist() == [[1]]
    ties = wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": None}, "z": {"a": None, "b": 5}})
    region = winning_region(ties, "a")
    assert (region.share, region.unbeaten, len(region.vertices), region.dimension) == (0, 1, 3, 2)
    lower = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}}, lower_is_better=["x"])
    assert [region_or_none(lower, model) is None for model in "ab"] == [True, False]


def test_facets_are_the_duels_and_tasks_that_bound():
    region = winning_region(board_of([[1, 1, -1], [1, 0, 0], [1, 1, -1]]), "own")
    assert set(region.facets.itertuples(index=False, name=None)) == {
        ("duel", "r0"),
        ("duel", "r2"),
        ("duel", "r1"),
        ("task", "t0"),
        ("task", "t1"),
        ("task", "t2"),
    }
    # Of two equal tasks each can be without weight, but the duel that only both can lose is no facet.
    merged = winning_region(board_of([[1, -1, 0, 0], [0, 0, 1, 1]]), "own")
    assert ("duel", "r1") not in set(merged.facets.itertuples(index=False, name=None))


def test_a_model_that_always_loses_has_no_region():
    with pytest.raises(wl.ImpossibleError, match="no winning region") as caught:
        winning_region(board_of([[-1, -1], [1, 1]]), "own")
    assert caught.value.proof.verdict is wl.lp.Verdict.NEVER


def test_too_many_simplices_are_counted_and_leave_the_vertices(monkeypatch):
    signs = np.eye(9, dtype=int) - np.eye(9, k=1, dtype=int)
    board = board_of(signs.tolist())
    assert winning_region(board, "own").share == Fraction(1, math.factorial(9))
    monkeypatch.setattr(polytope, "MOST_STEPS", 9**3 - 1)
    region = winning_region(board, "own")
    with pytest.raises(wl.InputError, match=r"over 9 distinct columns.*takes 1 simplices.*sampling estimates it"):
        _ = region.polytope.triangulation
    assert region.share is None
    assert region.verify(board)
    assert len(region.vertices) == 9


def test_a_share_is_withheld_only_where_it_takes_too_much(monkeypatch):
    board = board_of([[1, -1, 0], [0, 1, -1]])
    region = winning_region(board, "own")
    with pytest.raises(wl.ProofError, match=f"the share is {region.unbeaten}, not None"):
        wl.lp.WinningRegion.from_dict(region.to_dict() | {"unbeaten": None}).verify(board)
    monkeypatch.setattr(polytope, "MOST_STEPS", 1)
    assert winning_region(board, "own").unbeaten is None
    with pytest.raises(wl.ProofError, match="the share is None, not"):
        wl.lp.WinningRegion.from_dict(region.to_dict()).verify(board)
    hidden = winning_region(board, "own").to_dict()
    hidden["corners"] = {task: column[1:] for task, column in hidden["corners"].items()}
    with pytest.raises(wl.ProofError, match="missing"):
        wl.lp.WinningRegion.from_dict(hidden).verify(board)


def test_distances_over_many_tasks_are_refused_by_number():
    board = board_of(np.eye(9, dtype=int).tolist())
    with pytest.raises(wl.InputError, match=r"come to \d+ inequalities or more, and at most 200"):
        winning_region(board, "own", space=WeightSpace(board).near([1] * 9, "0.3"))


def test_all_models_that_can_win_superglue_have_exact_shares(shared_data):
    board = wl.read_leaderboard(shared_data / "votenrank" / "superglue.csv").complete()
    found = {model: winning_region(board, model) for model in wl.lp.prospects(board).with_verdict("strict", "weak")}
    assert sum(one.share > 0 for one in found.values()) == 6
    assert sum(one.share for one in found.values()) < 1
    weights = np.random.default_rng(0).dirichlet(np.ones(len(board.tasks)), 20_000)
    for model, region in found.items():
        sampled = float((weights @ region.signs.T > 0).all(axis=1).mean())
        assert float(region.share) == pytest.approx(sampled, abs=0.02), model
    t5 = found["T5"].vertices
    assert t5.loc[0, t5.iloc[0] != 0].to_dict() == {"BoolQ": Fraction(1, 2), "MultiRC_n2": Fraction(1, 2)}
    assert len(t5) == 1


def test_the_document_holds_and_knows_its_table():
    board = board_of(random_signs(4, 4, 1).tolist())
    region = winning_region(board, "own", space=WeightSpace(board).near([1, 1, 1, 1], "1.1"))
    document = json.loads(json.dumps(region.to_dict()))
    again = result_from_dict(document)
    assert again.verify(board)
    assert again.to_dict() == document
    other = board_of(random_signs(4, 4, 2).tolist())
    with pytest.raises(wl.ProofError):
        again.verify(other)
