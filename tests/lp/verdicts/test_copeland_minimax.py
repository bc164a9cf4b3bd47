"""Winning by Copeland and minimax: against every face of the weights, and what is exact without a solver."""

from __future__ import annotations

import dataclasses
import json
from contextlib import nullcontext
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.lp.verdicts import brute_force_rules
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab._solver import Solution, Solver, Status
from weightlab.data.linear_rule import rule_words
from weightlab.lp import Verdict
from weightlab.lp.certificate import check_point, nearby_weightings

SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True}
RULES = ("copeland", "minimax")
LEADS = {"copeland": brute_force_rules.copeland_lead, "minimax": brute_force_rules.minimax_lead}
FALSE = (wl.ProofError, wl.InputError)


def sign(number):
    return (number > 0) - (number < 0)


VERDICTS = {1: Verdict.STRICT, 0: Verdict.WEAK, -1: Verdict.NEVER}


@settings(max_examples=20)
@given(boards(tolerant=True, **SMALL))
def test_the_copeland_verdict_is_that_of_the_best_face(board):
    for model in board.models:
        found = wl.lp.prospect(board, model, rule="copeland")
        assert found.verdict is VERDICTS[sign(brute_force_rules.best_copeland(board, model))]
        assert found.lead == brute_force_rules.copeland_lead(board, model, found.weights.tolist())
        assert found.verify(board)


@settings(max_examples=12)
@given(boards(models=(2, 4), tasks=(1, 3), tolerant=True, plain=True))
def test_the_minimax_verdict_is_that_of_the_best_vertex(board):
    for model in board.models:
        found = wl.lp.prospect(board, model, rule="minimax")
        assert found.verdict is VERDICTS[sign(brute_force_rules.best_minimax(board, model))]
        assert found.lead == brute_force_rules.minimax_lead(board, model, found.weights.tolist())
        assert found.verify(board)


@settings(max_examples=15)
@given(boards(missing=False, **SMALL), st.sampled_from(RULES))
def test_the_rule_itself_agrees_at_the_weights(board, rule):
    options = {"score": "margins"} if rule == "minimax" else {}
    for model in board.models:
        found = wl.lp.prospect(board, model, rule=rule)
        weights = found.weights.to_dict()
        scores = wl.rules.rank(board.margins(weights), rule, **options).scores
        assert found.lead == scores[model] - max(scores.drop(model))
        document = json.loads(json.dumps(found.to_dict()))
        assert result_from_dict(document).verify(board)


@settings(max_examples=15)
@given(boards(tolerant=True, **SMALL), st.sampled_from(RULES))
def test_who_can_beat_everybody_can_win_by_both_rules_and_that_is_exact(board, rule):
    for model in board.models:
        if wl.lp.prospect(board, model).verdict is Verdict.STRICT:
            found = wl.lp.prospect(board, model, rule=rule)
            assert (found.verdict, found.proof) == (Verdict.STRICT, Proof.EXACT)


def table(rows, models="abcdefgh"):
    frame = pd.DataFrame(rows)
    return wl.Leaderboard(
        frame.set_axis(list(models[: len(frame)])).set_axis([f"t{i}" for i in range(frame.shape[1])], axis=1)
    )


@pytest.mark.parametrize("rule", RULES)
def test_a_model_led_on_every_task_never_wins_exactly(rule):
    board = table([[1, 1], [2, 2], [3, 0]])
    found = wl.lp.prospect(board, "a", rule=rule)
    assert (found.verdict, found.proof, found.ahead) == (Verdict.NEVER, Proof.EXACT, "b")
    assert str(found) == f"a can never win {rule_words(rule)}. b leads it on every task."


@pytest.mark.parametrize("rule", RULES)
def test_a_twin_can_share_the_first_place_exactly(rule):
    board = table([[2, 1], [2, 1], [1, 2]])
    found = wl.lp.prospect(board, "a", rule=rule)
    assert (found.verdict, found.proof, found.ahead) == (Verdict.WEAK, Proof.EXACT, "b")
    assert str(found).endswith("never have it alone. b does no worse in any head-to-head.")


CYCLE = table([[4, 2, 3], [3, 4, 2], [2, 3, 4], [1, 1, 1]])


def test_a_winner_by_minimax_need_not_be_able_to_win_all_duels():
    """In a cycle of defeats by 1/5, 3/10 and 1/2 the model of the smallest wins, whoever beats it."""
    board = table([[3, 1, 2], [2, 3, 1], [1, 2, 3]])
    space = wl.lp.WeightSpace(board).fixed("t0", "0.4").fixed("t1", "0.35")
    assert wl.lp.prospect(board, "a", space=space).verdict is Verdict.NEVER
    found = wl.lp.prospect(board, "a", rule="minimax", space=space)
    assert (found.verdict, found.lead, found.proof) == (Verdict.STRICT, Fraction(1, 10), Proof.EXACT)
    assert wl.lp.prospect(board, "a", rule="copeland", space=space).verdict is Verdict.WEAK


def test_a_winner_by_copeland_need_not_be_able_to_win_all_duels():
    rows = [[2, 3, 5, 5, 2], [5, 5, 0, 4, 1], [4, 0, 1, 0, 5], [1, 2, 4, 3, 4], [3, 1, 2, 1, 0], [0, 4, 3, 2, 3]]
    board = table(rows)
    assert wl.lp.prospect(board, "d").verdict is Verdict.WEAK
    found = wl.lp.prospect(board, "d", rule="copeland")
    assert (found.verdict, found.proof) == (Verdict.STRICT, Proof.EXACT)
    assert brute_force_rules.copeland_lead(board, "d", found.weights.tolist()) == found.lead


LOSERS = [[[0, 2, 1], [0, 1, 1], [1, 0, 2], [0, 1, 0]], [[1, 1, 3], [3, 0, 0], [3, 0, 3], [3, 1, 1], [0, 2, 4]]]


@pytest.mark.parametrize("rows", LOSERS)
@pytest.mark.parametrize("rule", RULES)
def test_the_lead_of_who_never_wins_is_that_of_the_weights(rule, rows):
    """Weights tried beside those of the widest margin lead by more there, and the verdict stays."""
    board = table(rows)
    for model in board.models:
        found = wl.lp.prospect(board, model, rule=rule)
        assert brute_force_rules.copeland_lead(board, model, found.weights.tolist()) == found.lead or rule == "minimax"
        assert found.verify(board)


@pytest.mark.parametrize("rule", RULES)
def test_a_no_without_a_rival_that_shows_it_names_its_solver(rule):
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(40):
        board = table(rng.integers(0, 4, (5, 3)))
        for model in board.models:
            found = wl.lp.prospect(board, model, rule=rule)
            if found.solver is not None:
                assert found.proof is Proof.EXACT_WITNESS
                assert f"relies on the bound of {found.solver}" in str(found)
                assert found.lead <= 0
                with pytest.raises(wl.ProofError, match="needs a solver's bound"):
                    dataclasses.replace(found, solver=None).verify()
                seen.add(found.verdict)
        if seen == {Verdict.WEAK, Verdict.NEVER}:
            return
    pytest.fail(f"only {seen} rested on a solver")


@pytest.mark.parametrize("rule", RULES)
def test_conditions_are_kept_and_said(rule):
    space = wl.lp.WeightSpace(CYCLE).at_most("t0", "0.3").near([1, 1, 1], "0.2")
    for model in CYCLE.models:
        found = wl.lp.prospect(CYCLE, model, rule=rule, space=space)
        assert space.contains(found.weights.to_dict())
        assert found.verify(CYCLE)
        assert "Conditions: t0 at most 3/10; within 1/5 of equal weights" in str(found)
        back = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert back.verify(CYCLE)
        assert str(back) == str(found)
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.prospect(CYCLE, "a", rule=rule, space=space.at_least("t0", "0.4"))


@settings(max_examples=10)
@given(boards(models=(2, 4), tasks=(2, 3), plain=True), st.sampled_from(RULES), st.integers(1, 9))
def test_fixed_weights_leave_no_choice(board, rule, part):
    share = Fraction(part, 10)
    rest = dict.fromkeys(board.tasks[1:], (1 - share) / (len(board.tasks) - 1))
    space = wl.lp.WeightSpace(board)
    for task, one in {**rest, board.tasks[0]: share}.items():
        space = space.fixed(task, one)
    weights = [{**rest, board.tasks[0]: share}[task] for task in board.tasks]
    for model in board.models:
        assert wl.lp.prospect(board, model, rule=rule, space=space).lead == LEADS[rule](board, model, weights)


@pytest.mark.parametrize("rule", RULES)
def test_a_time_limit_says_what_is_known(rule, monkeypatch):
    board = table([[2, 3, 5, 5, 2], [5, 5, 0, 4, 1], [4, 0, 1, 0, 5], [1, 2, 4, 3, 4], [3, 1, 2, 1, 0]])
    ended = Solution(status=Status.TIME_LIMIT, bound=1.0)
    stopped = SimpleNamespace(solve=lambda _: ended)
    monkeypatch.setattr("weightlab._solver.propose.opened", lambda _: nullcontext(stopped))
    with pytest.raises(wl.TimeLimitError, match="the time limit came before the optimum was shown") as caught:
        wl.lp.prospect(board, "d", rule=rule)
    assert caught.value.known == {"lead": None, "bound": 1.0}


@pytest.mark.parametrize("rule", RULES)
def test_no_field_can_be_changed(rule):
    board = table([[3, 1, 2], [2, 3, 1], [1, 2, 3], [2, 2, 2]])
    for model in board.models:
        claim = wl.lp.prospect(board, model, rule=rule)

        def refused(claim=claim, **changes):
            try:
                dataclasses.replace(claim, **changes).verify(board)
            except FALSE:
                return True
            return False

        tiny = Fraction(1, 10**12)
        for other in (claim.lead + tiny, claim.lead - tiny, -claim.lead - 1, float(claim.lead), None):
            assert refused(lead=other)
        for place in range(3):
            moved = claim.weights.copy()
            moved.iloc[place] += tiny
            assert refused(weights=moved)
        assert dataclasses.replace(claim, weights=claim.weights.iloc[::-1]).weights.equals(claim.weights)
        assert refused(rule="condorcet")
        assert refused(model="nobody")
        assert refused(solver="HiGHS" if claim.solver is None else None)
        assert refused(space=wl.lp.WeightSpace(["t0", "t1"]))
        assert refused(space=claim.space.at_most("t0", 0).at_most("t1", 0).at_most("t2", "0.5"))
        assert refused(signs=board.select(models=["a", "b"]).signs())
        document = json.loads(json.dumps(claim.to_dict()))
        for verdict in {"strict", "weak", "never"} - {document["verdict"]}:
            with pytest.raises(wl.ProofError, match="does not prove"):
                result_from_dict({**document, "verdict": verdict})


def test_another_table_is_seen():
    claim = wl.lp.prospect(CYCLE, "a", rule="minimax")
    other = wl.Leaderboard(CYCLE.scores.assign(t0=[1, 2, 3, 4]))
    with pytest.raises(wl.ProofError, match="in the source"):
        claim.verify(other)


def test_duels_are_shown():
    claim = wl.lp.prospect(CYCLE, "a", rule="copeland")
    assert (claim.margins.loc["a"].drop("a") > 0).all() == (claim.lead > 0)
    assert claim.summary()["weight"].sum() == pytest.approx(1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("width", ["1/10000", "1/1000000000", "1/1000000000000000"])
def test_no_space_is_too_narrow_for_a_verdict(rule, width):
    """Who wins a duel turns in the middle of the space, and both ends lie within the width of it."""
    board = table([[3, 1, 2, 2], [2, 3, 1, 2], [1, 2, 3, 2], [0, 0, 0, 0]])
    rest, half = (
        wl.lp.WeightSpace(board).fixed("t3", "1/4").ratio("t1", "t2", at_least=1, at_most=1),
        Fraction(width) / 2,
    )
    space = rest.at_least("t0", Fraction(1, 4) - half).at_most("t0", Fraction(1, 4) + half)
    ends = [[share, (Fraction(3, 4) - share) / 2, (Fraction(3, 4) - share) / 2, Fraction(1, 4)] for share in (
        Fraction(1, 4) - half, Fraction(1, 4), Fraction(1, 4) + half)]  # fmt: skip
    for model in board.models:
        best = max(LEADS[rule](board, model, weights) for weights in ends)
        found = wl.lp.prospect(board, model, rule=rule, space=space)
        assert found.verdict is VERDICTS[sign(best)], model


@pytest.mark.parametrize("rule", RULES)
def test_worse_weights_and_a_worse_verdict_do_not_verify(rule):
    board = table([[2, 3, 5, 5, 2], [5, 5, 0, 4, 1], [4, 0, 1, 0, 5], [1, 2, 4, 3, 4], [3, 1, 2, 1, 0]])
    refuted = 0
    for model in board.models:
        claim = wl.lp.prospect(board, model, rule=rule)
        for task in board.tasks:
            worse = claim.weights * 0 + [Fraction(one == task) for one in board.tasks]
            lead = LEADS[rule](board, model, worse.tolist())
            if claim.lead > 0 > lead:
                forged = dataclasses.replace(claim, weights=worse, lead=Fraction(lead), solver=Solver.HIGHS)
                with pytest.raises(wl.ProofError, match=r"do better|is exact, not"):
                    forged.verify(board)
                refuted += 1
    assert refuted


@pytest.mark.parametrize("name", ["", "Gurobi", "highs", 3, True])
def test_a_solver_that_is_none_is_refused(name):
    board = table([[3, 1, 2], [2, 3, 1], [1, 2, 3], [2, 2, 2]])
    document = json.loads(json.dumps(wl.lp.prospect(board, "a", rule="copeland").to_dict()))
    with pytest.raises(FALSE, match="solver"):
        result_from_dict({**document, "solver": name})


@pytest.mark.parametrize("bound", ["2/5", "499999999/1000000000"])
def test_a_small_step_to_better_weights_refutes_a_solver(bound):
    frame = pd.DataFrame({"t": [2, 1, 0], "u": [1, 0, 2], "v": [0, 2, 1]}, index=["a", "b", "c"])
    board = wl.Leaderboard(frame)
    found = wl.lp.prospect(board, "a", rule="minimax", space=wl.lp.WeightSpace(board).at_least("v", "1/2"))
    assert found.verdict == "weak"
    document = found.to_dict()
    document["space"]["conditions"][0]["bound"] = bound
    with pytest.raises(wl.ProofError, match="do better"):
        result_from_dict(document).verify()


@given(boards(tasks=(2, 4)), st.integers(0, 3), st.sampled_from(["l1", "linf", None]))
def test_weightings_that_are_tried_are_allowed(board, place, norm):
    space = wl.lp.WeightSpace(board).at_least(board.tasks[place % len(board.tasks)], "1/3")
    space = space if norm is None else space.near(None, "1/2", norm=norm)
    try:
        own = wl.lp.prospect(board, board.models[0], space=space).weights.tolist()
    except wl.EmptySpaceError:
        return
    for weights in nearby_weightings(space, own):
        check_point(weights, space)
