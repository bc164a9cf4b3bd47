"""Under which share of weightings one model is ahead of another: against areas, and leads that never change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.lp import WeightSpace

PAIRS = [("a", "b"), ("b", "a"), ("c", "b"), ("c", "d"), ("d", "c")]


def shares_of(board, pairs, **options):
    found = wl.lp.pair_shares(board, pairs, rng=0, **options)
    assert found.verify(board)
    return found.shares["share"].tolist()


@pytest.mark.parametrize("factor", [1, 10**30])
def test_shares_are_those_of_the_segment(factor):
    scores = {"x": {"a": 3, "b": 0, "c": 1, "d": 1}, "y": {"a": 0, "b": 1, "c": 2, "d": 2}}
    board = wl.Leaderboard({task: {one: factor * own for one, own in its.items()} for task, its in scores.items()})
    # By the mean a lead of 3 w - (1 - w) is above 0 where w > 1/4; by majority where w > 1/2.
    for rule, share in (("mean", 3 / 4), ("majority", 1 / 2)):
        found = shares_of(board, PAIRS, rule=rule)
        assert found[:2] == pytest.approx([share, 1 - share], abs=0.02)
        assert found[2:] == [1, 0, 0]


def test_a_lead_that_conditions_hold_at_0_is_no_lead():
    board = wl.Leaderboard(
        {"x": {"a": 2, "b": 0, "c": 3}, "y": {"a": 0, "b": 1, "c": 0}, "z": {"a": 0, "b": 1, "c": 0}}
    )
    space = WeightSpace(board.tasks).fixed("x", "1/3")
    assert shares_of(board, [("a", "b"), ("c", "b")], rule="mean", space=space, samples=500) == [0, 1]
    point = space.fixed("y", "1/3")
    assert shares_of(board, [("a", "b"), ("b", "a")], rule="mean", space=point) == [0, 0]


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=4))
def test_a_pair_and_its_opposite_share_all_weightings_unless_they_tie(rows):
    board = wl.Leaderboard({f"t{task}": {f"m{row}": own[task] for row, own in enumerate(rows)} for task in range(3)})
    pairs = [("m0", f"m{row}") for row in range(1, len(rows))]
    one = shares_of(board, pairs, rule="mean", samples=400)
    other = shares_of(board, [(second, first) for first, second in pairs], rule="mean", samples=400)
    level = [own == rows[0] for own in rows[1:]]
    assert [first + second for first, second in zip(one, other, strict=True)] == pytest.approx(
        [0 if tied else 1 for tied in level]
    )


def test_what_is_no_pair_is_refused():
    board = wl.Leaderboard({"x": {"a": 3, "b": 0}})
    refused = [([], "must be some"), (None, "must be some"), ([None], "two different"), ([("a", "eve")], "no model")]
    refused += [(pairs, "two different") for pairs in ([("a", "a")], [("a",)], ["ab"], ("a", "b"))]
    for pairs, fault in refused:
        with pytest.raises(wl.InputError, match=fault):
            wl.lp.pair_shares(board, pairs)
