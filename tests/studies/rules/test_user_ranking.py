"""Rankings for a user to whom groups of tasks matter differently; Vote'n'Rank, table 5."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from examples.reproduce import user_ranking as rows_of_table_5
from examples.reproduce.row import Verdict
from tests.rules.strategies import boards
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.rules import grouped, rank, two_step
from weightlab.studies.rules.user_ranking import user_ranking

RULES = st.sampled_from(["borda", "copeland", "plurality", "minimax", "kemeny"])
BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 1, "b": 3}},
    groups={"speed": ["x", "y"], "quality": ["z"]},
)


@st.composite
def grouped_boards(draw):
    board = draw(boards(most_tasks=4))
    homes = [draw(st.sampled_from("pq")) for _ in board.tasks]
    groups = {name: [task for task, home in zip(board.tasks, homes, strict=True) if home == name] for name in "pq"}
    groups = {name: tasks for name, tasks in groups.items() if tasks}
    return wl.Leaderboard(board.scores, weights=board.weights, groups=groups)


@settings(max_examples=25)
@given(board=grouped_boards(), rule=RULES, weights=st.lists(st.sampled_from([1, 2, "0.3"]), min_size=2, max_size=2))
def test_the_settings_are_those_of_the_rules_and_it_travels(board, rule, weights):
    given_weights = dict(zip(board.groups, weights, strict=False))
    found = user_ranking(board, rule, group_weights=given_weights)
    assert found.orders == {
        "basic": rank(board, rule).places,
        "weighted": grouped(board, rule, group_weights=given_weights).places,
        "two_step": two_step(board, rule, group_weights=given_weights).places,
    }
    for name, tasks in board.groups.items():
        assert found.groups[name].order == rank(board.select(tasks=tasks), rule).order
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert (back.orders, str(back), back.proof) == (found.orders, str(found), found.proof)
    pd.testing.assert_frame_equal(back.summary(), found.summary())
    pd.testing.assert_frame_equal(back.table(), found.table())


def test_the_tables_hold_ranks_and_scores_by_setting_and_group():
    found = user_ranking(BOARD, group_weights={"quality": 2})
    assert found.winners == {"basic": ("a",), "weighted": ("b",), "two_step": ("b",)}
    assert found.summary().loc["a"].to_dict() == {"basic": 1, "weighted": 2, "two_step": 2, "speed": 1, "quality": 2}
    assert found.table().loc["b"].to_dict() == {"basic": 1, "weighted": 2, "two_step": 2, "speed": 0, "quality": 1}


def test_a_group_without_weight_has_no_ranking_of_its_own():
    found = user_ranking(BOARD, group_weights={"quality": 0})
    assert list(found.groups) == ["speed"]
    assert found.verify(BOARD)


@pytest.mark.parametrize("part", ["group_weights", "basic", "weighted", "two_step"])
def test_a_false_part_is_seen(part):
    found = user_ranking(BOARD, group_weights={"quality": 2})
    other = user_ranking(wl.Leaderboard(BOARD.scores * 2 % 5, groups=BOARD.groups), "copeland")
    with pytest.raises(ProofError):
        replace(found, **{part: getattr(other, part)}).verify(BOARD)


def test_another_source_is_seen():
    found = user_ranking(BOARD)
    with pytest.raises(ProofError):
        found.verify(wl.Leaderboard(BOARD.scores, weights={"x": 2}, groups=BOARD.groups))
    with pytest.raises(ProofError):
        found.verify(wl.Leaderboard(BOARD.scores, groups={**BOARD.groups, "all": ["x", "y", "z"]}))


def test_groups_are_needed_and_hold_every_task():
    with pytest.raises(InputError, match="the leaderboard has no groups"):
        user_ranking(wl.Leaderboard(BOARD.scores))
    with pytest.raises(InputError, match="in no group"):
        user_ranking(wl.Leaderboard(BOARD.scores, groups={"speed": ["x", "y"]}))
    with pytest.raises(InputError, match="this study is about a Leaderboard; got a dict"):
        user_ranking({})


def test_table_5_reproduces_as_it_was_coded(shared_data):
    *coded, described = rows_of_table_5.rows(shared_data)
    assert [row.verdict for row in coded] == [Verdict.WITH_CONVENTION] * 7
    by_item = {row.item.split(", ")[1]: row.ours for row in coded}
    assert by_item["basic"] == "247.0 245.0 166.0 154.5 144.0 103.0 70.5"
    assert by_item["two-step"] == "4.30 3.60 3.40 3.00 2.90 2.60 0.90"
    assert described.verdict is Verdict.OTHERWISE


def test_the_weighted_column_of_table_5_is_without_its_weights(shared_data):
    whole = rows_of_table_5.user_board(shared_data)
    fairness = [task for task in whole.groups["fairness"] if task != rows_of_table_5.LEFT_OUT]
    board = rows_of_table_5.user_board(shared_data, fairness=fairness)
    assert rows_of_table_5.divided_by_columns(board).index[0] == "distilbert-base-uncased"
    weights = {name: Fraction(one) for name, one in rows_of_table_5.WEIGHTS.items()}
    assert sum(weights.values()) == 1
    assert user_ranking(board, group_weights=weights, ties="max").winners["two_step"] == ("albert-base-v2",)
