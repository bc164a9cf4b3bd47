"""Prospects of all models: the same verdicts as one by one, with bounds that enclose each margin."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab._text import percent
from weightlab.lp import Prospects, Verdict
from weightlab.lp.verdicts import all_models

SMALL = {"models": (2, 5), "tasks": (1, 4), "plain": True}


def random_board(models, tasks, *, seed, ties=False):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (models, tasks)) if ties else rng.random((models, tasks)).round(6)
    frame = pd.DataFrame(scores, [f"m{i}" for i in range(models)], [f"t{i}" for i in range(tasks)])
    return wl.Leaderboard(frame)


@settings(max_examples=30)
@given(boards(tolerant=True, **SMALL))
def test_the_bounds_enclose_the_best_vertex_and_prove_its_sign(board):
    found = wl.lp.prospects(board)
    assert found.verify(board)
    for model in board.models:
        margin = brute_force.margin(board, model)
        assert found.lower[model] <= margin <= found.upper[model]
        expected = Verdict.STRICT if margin > 0 else Verdict.WEAK if margin == 0 else Verdict.NEVER
        assert found.verdicts[model] is expected


@pytest.mark.parametrize("radius", ["1/3", "1/2", "1"])
def test_near_two_weightings_multipliers_of_floats_prove_each_sign(radius, monkeypatch):
    board = random_board(40, 8, seed=1)
    space = wl.lp.WeightSpace(board).near([1] * 8, radius).near(range(1, 9), radius)
    truth = wl.lp.prospects(board, space=space, exact=True)
    monkeypatch.setattr(all_models.Prover, "exact", None)
    found = wl.lp.prospects(board, space=space)
    assert found.verify(board)
    assert found.verdicts.tolist() == truth.verdicts.tolist()
    for model in board.models:
        assert found.lower[model] <= truth.lower[model] <= found.upper[model]


@settings(max_examples=15)
@given(boards(**SMALL), DICE)
def test_prospects_under_conditions_are_those_of_each_model(board, dice):
    space = space_of(board.tasks, cuts_of(dice, board.tasks, 0, 3))
    try:
        found = wl.lp.prospects(board, space=space, exact=True)
    except wl.EmptySpaceError:
        return
    assert found.lower.tolist() == found.upper.tolist()
    bounded = wl.lp.prospects(board, space=space)
    assert bounded.verify(board)
    assert bounded.verdicts.tolist() == found.verdicts.tolist()
    assert Prospects.from_dict(json.loads(json.dumps(bounded.to_dict()))).verify(board)
    for model in found:
        assert bounded.lower[model] <= found.lower[model] <= bounded.upper[model]
        assert found[model].margin == wl.lp.prospect(board, model, space=space).margin
        assert found[model].verify(board)


@pytest.mark.parametrize(("models", "tasks", "ties"), [(40, 8, False), (40, 8, True), (30, 20, True), (60, 3, True)])
def test_larger_tables_agree_with_the_exact_margins(models, tasks, ties):
    board = random_board(models, tasks, seed=models + tasks, ties=ties)
    found = wl.lp.prospects(board)
    assert found.verify(board)
    for model in board.models:
        alone = wl.lp.prospect(board, model)
        assert found.lower[model] <= alone.margin <= found.upper[model]
        assert found.verdicts[model] is alone.verdict


@settings(max_examples=20)
@given(boards(tolerant=True, **SMALL), st.booleans())
def test_prospects_travel_as_json(board, exact):
    found = wl.lp.prospects(board, exact=exact)
    document = json.loads(json.dumps(found.to_dict()))
    back = result_from_dict(document)
    assert back.verify(board)
    assert back.to_dict() == document
    assert back.verdicts.equals(found.verdicts)
    assert back.today.tolist() == [weight / sum(board.weights) for weight in board.weights]
    for model in board.models:
        alone = json.loads(json.dumps(back[model].to_dict()))
        assert result_from_dict(alone).verify(board)


def test_workers_find_what_one_process_finds_and_their_errors_say_what_is_known():
    pytest.importorskip("joblib", reason="joblib is absent: several processes need the extra 'parallel'")
    board = random_board(bounds_chunk() + 12, 6, seed=3, ties=True)
    alone = wl.lp.prospects(board)
    together = wl.lp.prospects(board, n_jobs=2)
    assert together.to_dict() == alone.to_dict()
    with pytest.raises(wl.TimeLimitError) as caught:
        wl.lp.prospects(board, space=wl.lp.WeightSpace(board).at_most("t0", "0.1"), time_limit=0, n_jobs=2)
    assert isinstance(caught.value.known["verdicts"], dict)


def bounds_chunk():
    from weightlab.lp.verdicts.all_models import CHUNK

    return CHUNK


@pytest.mark.parametrize("jobs", [0, 1.5, True, "all"])
def test_jobs_are_a_number_of_processes(jobs):
    with pytest.raises(wl.InputError, match="n_jobs must be 1 or more, or negative"):
        wl.lp.prospects(random_board(3, 2, seed=0), n_jobs=jobs)


@pytest.mark.parametrize("error", [wl.TimeLimitError, wl.UnprovedError])
def test_verdicts_proved_before_an_error_are_known(error, monkeypatch):
    board = random_board(bounds_chunk() + 12, 6, seed=3, ties=True)
    verdicts = wl.lp.prospects(board).verdicts.to_dict()
    refuse(monkeypatch, "bounds", last := bounds_chunk() + 7, error)
    with pytest.raises(error, match=f"'m{last}': (no proof within 5 s|too hard)") as caught:
        wl.lp.prospects(board, time_limit=5)
    assert caught.value.known["verdicts"] == {f"m{i}": verdicts[f"m{i}"] for i in range(last)}


def test_bounds_whose_gap_stays_open_are_known(monkeypatch):
    board = random_board(30, 6, seed=2)
    found = wl.lp.prospects(board)
    gap = next(position for position, one in enumerate(found.prospects) if one.lower != one.upper)
    refuse(monkeypatch, "exact", gap, wl.TimeLimitError)
    with pytest.raises(wl.TimeLimitError, match=f"'m{gap}': no exact margin within 5 s") as caught:
        wl.lp.prospects(board, exact=True, time_limit=5)
    known = caught.value.known
    assert (known["lower"], known["upper"]) == (found.prospects[gap].lower, found.prospects[gap].upper)
    assert known["verdicts"] == {f"m{i}": found.verdicts[f"m{i}"] for i in range(gap + 1)}


def refuse(monkeypatch, way, position, error):
    """Let a prover's way to bound a margin fail for one model."""
    ask = getattr(all_models.Prover, way)

    def refusing(self, duels, *rest):
        if duels.model == position:
            raise error("too hard")
        return ask(self, duels, *rest)

    monkeypatch.setattr(all_models.Prover, way, refusing)


def test_a_twin_ties_and_does_not_dominate():
    board = wl.Leaderboard({"x": {"p": 1, "p2": 1, "q": 2}, "y": {"p": 1, "p2": 1, "q": 1}})
    found = wl.lp.prospect(board, "p")
    assert (found.dominators, found.twins) == (("q",), ("p2",))
    assert wl.lp.prospect(board, "q").dominators == wl.lp.prospect(board, "q").twins == ()


def test_progress_adds_up_to_all_models():
    board = random_board(2 * bounds_chunk() + 7, 3, seed=1)
    steps = []
    wl.lp.prospects(board, progress=steps.append)
    assert steps == [bounds_chunk(), bounds_chunk(), 7]


def test_without_joblib_several_processes_are_refused_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "joblib", None)
    board = random_board(bounds_chunk() + 1, 2, seed=1)
    with pytest.raises(wl.InputError, match=r"n_jobs=2 needs joblib: install weightlab\[parallel\]"):
        wl.lp.prospects(board, n_jobs=2)


def test_another_source_is_seen():
    board = random_board(6, 3, seed=5)
    found = wl.lp.prospects(board)
    scores = board.scores.copy()
    scores.iloc[2, 1] = 9
    with pytest.raises(wl.ProofError, match="the sign of 'm0' over 'm2' on 't1' is -1 in the source"):
        found.verify(wl.Leaderboard(scores))
    with pytest.raises(wl.ProofError, match="the source has different models"):
        found.verify(board.select(models=board.models[1:]))
    with pytest.raises(wl.ProofError, match="the source has different tasks"):
        found.verify(board.select(tasks=board.tasks[1:]))
    assert found.verify(wl.Leaderboard(board.scores.iloc[::-1, ::-1]))


def test_tables_of_one_model_have_no_prospects():
    signs = random_board(2, 2, seed=0).signs()
    lone = type(signs)(models=("m0",), tasks=signs.tasks, levels=signs.levels[:1])
    with pytest.raises(wl.InputError, match="at least two models; got 1"):
        wl.lp.prospects(lone)


def test_results_read_like_tables():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 1}})
    found = wl.lp.prospects(board)
    assert str(found) == "Head-to-head, 2 of 3 models can win, 0 tie at best, 1 can never win."
    space = wl.lp.WeightSpace(board).at_most("x", "0.4")
    assert str(wl.lp.prospects(board, space=space)).endswith("Conditions: x at most 2/5.")
    assert found.with_verdict("strict") == ("a", "b")
    assert found.with_verdict("never", Verdict.WEAK) == ("c",)
    assert found.summary().loc["a"].tolist() == ["strict", 1.0, 1.0, 1.0]
    assert list(found) == ["a", "b", "c"]
    assert len(found) == 3
    with pytest.raises(wl.UnknownNameError, match="no model named 'd'"):
        found["d"]


def test_an_open_margin_says_its_bounds_and_one_model_alone_closes_them():
    board = random_board(30, 6, seed=2)
    found = wl.lp.prospects(board)
    model = next(model for model in found if found.lower[model] != found.upper[model])
    bounded = found.bounded(model)
    with pytest.raises(wl.UnprovedError, match=f"only bounds of the margin of '{model}' are known") as caught:
        _ = bounded.margin
    assert caught.value.known == {"lower": found.lower[model], "upper": found.upper[model]}
    assert bounded.verdict is found.verdicts[model]
    assert bounded.verify(board)
    assert found[model].margin == wl.lp.prospect(board, model).margin


def test_a_lower_bound_is_told_as_one():
    board = random_board(30, 6, seed=2)
    found = wl.lp.prospects(board)
    open_one = next(model for model in found.with_verdict("strict") if found.lower[model] != found.upper[model])
    assert f"leads every rival by at least {percent(found.lower[open_one], floor)} of the weight." in str(
        found.bounded(open_one)
    )
    assert f"leads every rival by at least {percent(found[open_one].margin, floor)} of the weight." in str(
        found[open_one]
    )


def test_rounded_integers_prove_their_bounds_or_nothing():
    signs = np.array([[0, 0], [1, -1], [-1, 1]], dtype=np.int8)
    weights, chosen = np.array([0.5, 0.5]), np.array([1, 2])
    board = wl.Leaderboard({"x": {"a": 1, "b": 0, "c": 2}, "y": {"a": 1, "b": 2, "c": 0}})
    prover, duels = (
        all_models.Prover(wl.lp.WeightSpace(["x", "y"]), board.signs()),
        all_models.RowsOf(model=0, rows=signs),
    )
    duals = np.array([0, -0.5, -0.5])
    assert prover._rounded(duels, weights, chosen, duals, simple=False).lower == 0
    assert prover._rounded(duels, np.array([0.5 + 1e-7, 0.5 - 1e-7]), chosen, duals, simple=False) is None
    for worthless in (np.zeros(2), np.full(2, np.nan), np.array([np.inf, 1.0])):
        assert prover._rounded(duels, weights, chosen, np.array([0, *-worthless]), simple=False) is None
        assert prover._rounded(duels, worthless, chosen, duals, simple=False) is None


def test_a_verdict_is_what_bounds_prove():
    from weightlab.lp.certificates.max_margin import verdict_between

    zero, small = Fraction(0), Fraction(1, 10**9)
    assert verdict_between(small, Fraction(1)) is Verdict.STRICT
    assert verdict_between(-Fraction(1), -small) is Verdict.NEVER
    assert verdict_between(zero, zero) is Verdict.WEAK
    assert verdict_between(zero, small) is None
    assert verdict_between(-small, zero) is None
    assert verdict_between(-small, small) is None


@pytest.mark.parametrize("place", [(), ("prospects", 0)])
def test_parts_that_nobody_checks_are_refused(place):
    document = wl.lp.prospects(wl.Leaderboard({"x": {"a": 2, "b": 1}})).to_dict()
    part = document
    for step in place:
        part = part[step]
    part["claim"] = "b can win"
    with pytest.raises(wl.InputError, match="has no part 'claim'; its parts are "):
        result_from_dict(document)


@pytest.mark.parametrize("today", [{"x": "1/2"}, {"x": "3/2", "y": "-1/2"}, {"x": "1/3", "y": "2/3"}, {"z": "1/1"}])
def test_other_weights_than_those_of_today_are_refused(today):
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 2, "b": 3}})
    document = wl.lp.prospects(board).to_dict()
    with pytest.raises((wl.ProofError, wl.InputError), match=r"weight|today"):
        result_from_dict(document | {"today": today}).verify(board)


def test_prospects_of_another_kind_are_refused():
    document = wl.lp.prospects(wl.Leaderboard({"x": {"a": 2, "b": 1}})).to_dict()
    with pytest.raises(wl.InputError, match="a prospects is needed; got a 'duels'"):
        wl.lp.Prospects.from_dict(document | {"kind": "duels"})
