"""Exact shares and sampled ones agree: in full, inside a space, with duplicated tasks, with missing scores."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards

SURE = 1 - 1e-7
"""Level of the intervals: a share outside of them is no accident of the sample."""


def exact_share(board, model, space):
    try:
        region = wl.lp.winning_region(board, model, space=space)
    except wl.ImpossibleError:
        return 0
    return region.share


def agree(board, space=None, samples=2000):
    """Tell whether each exact share, and what they leave for nobody, lies in the interval of the sampled one."""
    found = wl.lp.winning_shares(board, space=space, samples=samples, rng=3)
    low, high = found.wins.intervals(found.draws, SURE)
    exact = [exact_share(board, model, space) for model in board.models]
    assert [share > 0 for share in exact] == found.positive.tolist()
    shares = [*exact, 1 - sum(exact)]
    return all(one - 1e-12 <= share <= other + 1e-12 for one, share, other in zip(low, shares, high, strict=True))


def doubled(board):
    """Return a board whose first task occurs three times."""
    scores = board.scores
    copies = {f"copy {number} of {board.tasks[0]}": scores[board.tasks[0]] for number in (1, 2)}
    return wl.Leaderboard(scores.assign(**copies))


@settings(max_examples=30, deadline=None)
@given(board=boards(models=(2, 5), tasks=(1, 4), plain=True))
def test_exact_and_sampled_shares_agree(board):
    assert agree(board)
    assert agree(doubled(board))


@settings(max_examples=30, deadline=None)
@given(board=boards(models=(2, 4), tasks=(2, 4), plain=True), dice=DICE)
def test_exact_and_sampled_shares_agree_inside_a_space(board, dice):
    for table in (board, doubled(board)):
        space = space_of(list(table.tasks), cuts_of(dice, table.tasks, 1, 2))
        try:
            agreeing = agree(table, space, samples=1000)
        except wl.EmptySpaceError:
            continue
        assert agreeing


CYCLE = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}


@pytest.mark.parametrize(
    "narrowed",
    [
        lambda space: space.at_most("x", "0.4"),
        lambda space: space.near([1, 1, 1, 1], "0.3"),
        lambda space: space.near([2, 1, 1, 1], "0.1", norm="linf"),
        lambda space: space.no_less("x", "y").no_less("y", "x"),
        lambda space: space.fixed("z", "1/3"),
        lambda space: space.at_least(["x", "z"], "0.5").at_most(["x", "z"], "0.5"),
    ],
)
def test_they_agree_on_a_cycle_with_a_doubled_task_in_spaces_of_every_kind(narrowed):
    board = wl.Leaderboard(CYCLE | {"x again": CYCLE["x"]})
    space = narrowed(wl.lp.WeightSpace(board))
    assert agree(board, space, samples=20_000)


def test_a_doubled_task_is_weighted_twice_in_both():
    board = wl.Leaderboard(CYCLE | {"x again": CYCLE["x"]})
    region = wl.lp.winning_region(board, "a")
    assert region.bounds.multiplicities == (2, 1, 1)
    assert region.share > wl.lp.winning_region(wl.Leaderboard(CYCLE), "a").share
    assert agree(board, samples=50_000)
