"""Every task or model left out in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import boards
from weightlab.studies import leave_one_out

SPLIT = wl.Leaderboard(
    {"x": {"a": 30, "b": 70, "c": 1}, "y": {"a": 70, "b": 60, "c": 2}, "z": {"a": 90, "b": 20, "c": 3}}
)


@given(
    boards(plain=True, weighted=True),
    st.sampled_from(["mean", "borda", "copeland"]),
    st.sampled_from(["tasks", "models"]),
)
def test_it_says_what_the_rule_says_without_each(board, rule, drop):
    try:
        found = leave_one_out(board, rule, drop=drop)
    except (wl.InputError, wl.WeightlabError):
        return
    whole = board.select(models=found.models)
    for one in found.parts:
        names = [name for name in (board.tasks if drop == "tasks" else found.models) if name != one.name]
        part = whole.select(**{drop: names})
        now, today = wl.rules.rank(part, found.rule).ranks, wl.rules.rank(whole, found.rule)
        assert one.winners == wl.rules.rank(part, found.rule).winners
        best = [model for level in today.order for model in level][:10]
        there = [model for model in best if model in now.index]
        assert one.swaps == sum(now[a] > now[b] for at, a in enumerate(there) for b in there[at + 1 :])
    assert found.verify(board)
    assert wl.studies.LeaveOneOut.from_dict(found.to_dict()).to_dict() == found.to_dict()


def test_the_deciding_tasks_come_first():
    found = leave_one_out(SPLIT, "mean")
    assert found.deciding == ("z",)
    assert str(found) == "a is first by average; without z, b is."
    assert found.to_frame().index[0] == "z"


def test_models_that_are_level_without_a_task_have_not_swapped():
    board = wl.Leaderboard({"x": {"a": 50, "b": 50, "c": 10}, "y": {"a": 60, "b": 40, "c": 10}})
    found = leave_one_out(board, "mean")
    assert [(one.name, one.winners, one.swaps) for one in found.parts] == [("x", ("a",), 0), ("y", ("a", "b"), 0)]


def test_the_winner_itself_decides_nothing():
    found = leave_one_out(SPLIT, "mean", drop="models")
    assert found.deciding == ()
    assert str(found) == "a is first by average, whichever other model is left out."


def test_a_model_that_becomes_complete_is_named_and_not_ranked():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 2, "c": 9}, "y": {"a": 3, "b": 4, "c": None}, "z": {"a": 2, "b": 2, "c": 9}}
    )
    found = leave_one_out(board, "mean")
    assert (found.models, found.left_out) == (("a", "b"), ("c",))
    assert [one.completed for one in found.parts] == [(), ("c",), ()]
    assert all("c" not in one.winners for one in found.parts)
    assert found.verify(board)


def test_a_rule_without_an_answer_leaves_no_model_first():
    cycle = wl.Leaderboard(
        {
            "x": {"a": 3, "b": 2, "c": 1},
            "y": {"a": 2, "b": 1, "c": 3},
            "z": {"a": 1, "b": 3, "c": 2},
            "w": {"a": 3, "b": 2, "c": 1},
        }
    )
    found = leave_one_out(cycle, "majority")
    assert () in [found.winners, *(one.winners for one in found.parts)]
    assert "no model is" in str(found)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("winners", ("b",)),
        ("parts", ()),
        ("models", ("a", "b")),
        ("left_out", ("c",)),
        ("rule", wl.rules.rule("borda")),
        ("board", SPLIT.select(models=["a", "b"])),
        ("drop", "models"),
    ],
)
def test_forged_ones_are_refused(part, value):
    found = leave_one_out(SPLIT, "mean")
    with pytest.raises(wl.WeightlabError):
        replace(found, **{part: value}).verify(SPLIT)


def test_another_winner_without_a_task_is_refused():
    found = leave_one_out(SPLIT, "mean")
    forged = replace(found.parts[2], winners=("a",), passed=())
    with pytest.raises(wl.ProofError, match="without 'z' the table says something else"):
        replace(found, parts=(*found.parts[:2], forged)).verify(SPLIT)


@pytest.mark.parametrize(
    ("board", "options", "message"),
    [
        (wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}}), {}, "2 tasks are needed; got 1"),
        (
            wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 2}}),
            {"drop": "models"},
            "3 models are needed; got 2",
        ),
        (SPLIT, {"drop": "votes"}, "drop must be"),
        (SPLIT, {"top": 1}, "top"),
    ],
)
def test_bad_calls(board, options, message):
    with pytest.raises(wl.InputError, match=message):
        leave_one_out(board, "mean", **options)


def test_the_six_tasks_that_decide_superglue(shared_data):
    found = leave_one_out(wl.read_leaderboard(shared_data / "votenrank" / "superglue.csv"))
    assert found.deciding == ("BoolQ", "CB_n1", "MultiRC_n1", "MultiRC_n2", "ReCoRD_n1", "ReCoRD_n2")
    assert {one.winners for one in found.parts if one.name in found.deciding} == {("SuperGLUE Human Baselines",)}
    assert str(found) == (
        "ERNIE 3.0 is first by average; without any one of BoolQ, CB_n1, MultiRC_n1, MultiRC_n2, ReCoRD_n1 or "
        "ReCoRD_n2, SuperGLUE Human Baselines is."
    )
