"""The least change of weights under which two rules have a winner in common."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import weightlab as wl
from tests.dice import DICE
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, ProofError, SolverError, TimeLimitError, UnknownNameError, UnprovedError
from weightlab.rules import rank, rule
from weightlab.studies import common_winner, disagreement, macro_average
from weightlab.studies.reconciliation import disagreement as common
from weightlab.studies.reconciliation.disagreement import Bound

LINEAR = ["mean", "borda", "plurality", "dowdall", "veto"]
BOARD = wl.Leaderboard({"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}})


def points_by(board, name):
    """Return the points of each model on each task by a rule, from the ranking of each task alone."""
    columns = {
        task: rank(
            wl.Leaderboard(board.scores[[task]], lower_is_better=[one for one in board.lower_is_better if one == task]),
            name,
        ).scores.reindex(board.models)
        for task in board.tasks
    }
    return pd.DataFrame(columns).astype(float)


def nearest_by_programs(board, two, norm, candidates):
    """Return the least change after which a candidate has the most points by both: a program a candidate."""
    today = np.array([float(weight / sum(board.weights)) for weight in board.weights])
    count, tables, found = len(today), [points_by(board, name) for name in two], []
    slack = np.eye(count) if norm == "l1" else np.ones((count, 1))
    for model in candidates:
        leads = np.vstack([(table.loc[model] - table.drop(index=model)).to_numpy() for table in tables])
        bounds = np.vstack([np.hstack([sign * np.eye(count), -slack]) for sign in (1, -1)])
        rows = np.vstack([np.hstack([-leads, np.zeros((len(leads), slack.shape[1]))]), bounds])
        right = np.concatenate([np.zeros(len(leads)), today, -today])
        cost = np.append(np.zeros(count), np.ones(slack.shape[1]))
        total = np.append(np.ones(count), np.zeros(slack.shape[1]))[None, :]
        solved = linprog(cost, A_ub=rows, b_ub=right, A_eq=total, b_eq=[1])
        if solved.status == 0:
            found.append(solved.fun)
    return min(found, default=None)


@settings(max_examples=40)
@given(
    board=boards(lower=True),
    two=st.lists(st.sampled_from(LINEAR), min_size=2, max_size=2, unique=True),
    norm=st.sampled_from(["l1", "linf"]),
    dice=DICE,
)
def test_the_least_change_is_that_of_programs(board, two, norm, dice):
    model = dice.one_of([None, *board.models])
    found = common_winner(board, *two, model=model, norm=norm)
    assert found.proof is Proof.EXACT
    expected = nearest_by_programs(board, two, norm, board.models if model is None else [model])
    assert (found.value is None) == (expected is None)
    if expected is not None:
        assert float(found.value) == pytest.approx(expected, abs=1e-7)
        assert all(found.winner in group for group in found.winners_there.values())


@FEWER
@given(board=boards(), two=st.sampled_from([("mean", "borda"), ("plurality", "dowdall"), ("veto", "mean")]))
def test_it_travels_and_is_proved(board, two):
    found = common_winner(board, *two)
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert (str(back), back.value, back.winner, back.proof) == (str(found), found.value, found.winner, found.proof)
    pd.testing.assert_frame_equal(back.summary(), found.summary())


def test_a_common_winner_of_today_needs_no_change():
    found = common_winner(BOARD, "borda", "plurality")
    assert (found.value, found.winner, found.proof) == (0, "b", Proof.EXACT)
    assert found.weights.tolist() == [Fraction(1, 3)] * 3
    assert str(found) == "borda and plurality have a common winner at today's weights: b."


def test_a_model_that_never_wins_is_proved_to_be_none():
    found = common_winner(BOARD, "mean", "borda", model="c")
    assert (found.winner, found.weights, found.value, found.proof) == (None, None, None, Proof.EXACT)
    assert str(found) == "mean and borda have not c for a common winner, whatever the weights."
    assert found.winners_there == {"mean": ("a",), "borda": ("b",)}
    assert list(found.summary().columns) == ["today"]


def max_of(board):
    """Return the model with the largest score."""
    return str(board.scores.max(axis=1).idxmax())


def test_what_is_not_known_is_refused_in_words():
    grouped = wl.Leaderboard(BOARD.scores, groups={"one": ["x"], "rest": ["y", "z"]})
    for other, name in [("kemeny", "kemeny"), ("copeland", "copeland"), ("minimax", "minimax"), (max_of, "max_of")]:
        with pytest.raises(InputError, match=f"is known for {name}, only for rules linear in them"):
            common_winner(BOARD, "mean", other)
    for average in (macro_average, "two_step_average"):
        with pytest.raises(
            InputError, match=r"_average, only for rules linear in them \(mean, plurality, veto, borda, dowdall"
        ):
            common_winner(grouped, average, "borda")
    gaps = wl.Leaderboard({"x": {"a": 9, "b": 1}, "y": {"a": None, "b": 2}})
    with pytest.raises(InputError, match=r"is known for mean\(missing=skip\), only"):
        common_winner(gaps, rule("mean", missing="skip"), rule("borda", missing="last"))
    with pytest.raises(UnknownNameError, match="no model named 'd'"):
        common_winner(BOARD, "mean", "borda", model="d")
    with pytest.raises(InputError, match="norm must be"):
        common_winner(BOARD, "mean", "borda", norm="l2")


@pytest.mark.parametrize("part", ["norm", "asked", "bounds", "bound", "weights", "never"])
def test_a_false_part_is_seen(part):
    found = common_winner(BOARD, "mean", "borda")
    moved = found.weights.copy()
    moved["x"], moved["y"] = moved["y"], moved["x"]
    nearest = found.bounds["a"].nearest
    change = {
        "norm": {"norm": "linf"},
        "asked": {"asked": "b"},
        "bounds": {"bounds": dict(reversed(found.bounds.items()))},
        "bound": {"bounds": {**found.bounds, "a": replace(found.bounds["a"], nearest=replace(nearest, value=2))}},
        "weights": {"bounds": {**found.bounds, "a": Bound(nearest=replace(nearest, weights=moved))}},
        "never": {"bounds": {**found.bounds, "b": found.bounds["c"]}},
    }[part]
    with pytest.raises(ProofError):
        replace(found, **change).verify()


@pytest.mark.parametrize(("part", "false"), [("winner", "c"), ("weights", {"x": "1"}), ("value", "1/2")])
def test_what_the_bounds_do_not_tell_is_not_read(part, false):
    document = common_winner(BOARD, "mean", "borda").to_dict()
    with pytest.raises(ProofError, match=f"does not prove {part}"):
        result_from_dict({**document, part: false})


def test_a_blocker_that_is_false_is_seen():
    found = common_winner(BOARD, "mean", "borda", model="c")
    bound = found.bounds["c"]
    for change in (
        {"margin": bound.margin / 2},
        {"margin": -bound.margin},
        {"blockers": dict.fromkeys(bound.blockers, Fraction(0))},
    ):
        with pytest.raises(ProofError):
            replace(found, bounds={"c": replace(bound, **change)}).verify()


FAILURES = {
    "the time limit passed": TimeLimitError("late"),
    "nothing was proved": UnprovedError("near"),
    "the solver failed": SolverError("NaN"),
}


def failing(monkeypatch, failure, calls):
    """Let the programs of some candidates, by number, fail."""
    number, own = itertools.count(), common.best_over

    def sometimes(*args, **options):
        if next(number) in calls:
            raise failure
        return own(*args, **options)

    monkeypatch.setattr(common, "best_over", sometimes)


@pytest.mark.parametrize("reason", FAILURES)
def test_what_is_known_is_kept_where_a_program_fails(reason, monkeypatch):
    whole = common_winner(BOARD, "mean", "borda")
    failing(monkeypatch, FAILURES[reason], {1})
    found = disagreement(BOARD, "mean", "borda")
    part = found.reconciled
    assert dict(part.unsettled) == {"b": reason}
    assert {model: one.value for model, one in part.bounds.items()} == {
        model: one.value for model, one in whole.bounds.items() if model != "b"
    }
    assert str(part).endswith(f"the least of what is known. Nothing is known of b ({reason}).")
    assert found.verify(BOARD)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(BOARD)


@pytest.mark.parametrize("reason", FAILURES)
def test_where_every_program_fails_the_disagreement_is_still_told(reason, monkeypatch):
    failing(monkeypatch, FAILURES[reason], range(9))
    found = disagreement(BOARD, "mean", "borda")
    assert found.reconciled.winner is None
    assert f"Which common winner mean and borda can have was not found. Nothing is known of a ({reason})," in str(found)
    assert found.verify(BOARD)
    with pytest.raises(type(FAILURES[reason])):
        common_winner(BOARD, "mean", "borda")


def test_a_candidate_is_settled_or_not_and_never_neither():
    found = common_winner(BOARD, "mean", "borda")
    fewer = {model: one for model, one in found.bounds.items() if model != "b"}
    late = {"b": "the time limit passed"}
    assert replace(found, bounds=fewer, unsettled=late).verify(BOARD)
    for change in ({"bounds": fewer}, {"unsettled": late}, {"bounds": fewer, "unsettled": late | {"x": late["b"]}}):
        with pytest.raises(ProofError):
            replace(found, **change).verify(BOARD)
    with pytest.raises(InputError, match="one of 'the time limit passed'"):
        result_from_dict(found.to_dict() | {"unsettled": {"b": "it never wins"}})
