"""Solvers that lie: a verdict is right, or believed and said so, or there is an error; never a wrong one as a proof."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import weightlab as wl
from weightlab._result import Proof
from weightlab._solver import Solution, Status
from weightlab._solver.highs import Program

CYCLE = wl.Leaderboard(
    {
        "x": {"a": 3, "b": 2, "c": 1, "d": 0},
        "y": {"a": 1, "b": 3, "c": 2, "d": 0},
        "z": {"a": 2, "b": 1, "c": 3, "d": 1},
        "u": {"a": 1, "b": 1, "c": 0, "d": 2},
    }
)
WON = wl.Leaderboard(CYCLE.scores, weights={"x": 1, "y": 4, "z": 1, "u": 1})
GAPS = wl.Leaderboard(CYCLE.scores.mask(CYCLE.scores == 0))
SPACE = wl.lp.WeightSpace(CYCLE).at_most("x", "0.4")
ANSWERS = (wl.SolverError, wl.UnprovedError, wl.ImpossibleError)


def _worse(solution):
    """Return another point than the best, called the best."""
    if solution.x is None:
        return solution
    x = np.roll(solution.x, 1)
    return replace(solution, x=x, value=solution.value / 2, bound=solution.value / 2)


LIES = {
    "everything is infeasible": lambda _: Solution(status=Status.INFEASIBLE),
    "everything is unbounded": lambda _: Solution(status=Status.UNBOUNDED),
    "everything failed": lambda _: Solution(status=Status.FAILED),
    "no numbers": lambda one: one if one.x is None else replace(one, x=one.x * math.nan),
    "no bound": lambda one: replace(one, bound=math.nan),
    "worse points": _worse,
    "nothing": lambda one: one if one.x is None else replace(one, x=one.x * 0, value=0.0, bound=0.0),
    "infeasible is optimal": lambda one: replace(one, status=Status.OPTIMAL, x=np.zeros(1)) if one.x is None else one,
}
QUESTIONS = {
    "prospect": lambda model: wl.lp.prospect(CYCLE, model).verdict,
    "prospect in a space": lambda model: wl.lp.prospect(CYCLE, model, space=SPACE).verdict,
    "prospects": lambda model: wl.lp.prospects(CYCLE, exact=True)[model].verdict,
    "borda": lambda model: wl.lp.prospect(CYCLE, model, rule="borda").verdict,
    "weight ranges": lambda model: wl.lp.weight_ranges(CYCLE, model).summary().to_dict(),
    "nearest": lambda model: wl.lp.scenario(CYCLE, model, wl.lp.closest_to()).value,
    "duels": lambda model: wl.lp.duels(CYCLE).least.loc[model].tolist(),
    "realise": lambda model: wl.lp.realise(CYCLE, [(model, "a" if model != "a" else "b")]).margin,
    "region": lambda model: wl.lp.winning_region(CYCLE, model).share,
    "map": lambda _: wl.lp.map_of_winners(CYCLE, ["x", "y", "z"]).shares.to_dict(),
    "winning shares": lambda _: wl.lp.winning_shares(CYCLE, samples=50, rng=0).shares.round(9).to_dict(),
    "duel shares": lambda _: wl.lp.duel_shares(CYCLE, samples=50, rng=0, space=SPACE).shares.to_dict(),
    "rank shares": lambda _: wl.lp.rank_shares(CYCLE, samples=50, rng=0, space=SPACE).shares.to_dict(),
    "stability": lambda _: str(wl.lp.stability(WON, rule="majority")),
    "missing": lambda _: str(wl.lp.missing(GAPS, rule="majority")),
}
BELIEVED = {
    "copeland": lambda model: wl.lp.prospect(CYCLE, model, rule="copeland"),
    "minimax": lambda model: wl.lp.prospect(CYCLE, model, rule="minimax"),
    "rank range": lambda model: wl.lp.rank_range(CYCLE, model, rule="borda"),
    "fewest tasks": lambda model: wl.lp.scenario(CYCLE, model, wl.lp.fewest_tasks()),
    "task sets": lambda model: wl.lp.fewest_task_sets(CYCLE, model),
    "rank ranges": lambda _: wl.lp.rank_ranges(CYCLE, "borda"),
    "upset": lambda model: wl.lp.upset(CYCLE, model),
    "upset under some weights": lambda model: wl.lp.upset(CYCLE, model, space=SPACE),
    "shortlist": lambda _: wl.lp.shortlist(CYCLE, size=2),
    "cheapest shortlists": lambda _: wl.lp.shortlist(CYCLE, cost={"a": 1, "b": 2, "c": 3, "d": 4}),
    "smallest benchmark": lambda _: wl.lp.smallest_benchmark(CYCLE, k=1),
}


def answer(question, model):
    try:
        return question(model)
    except ANSWERS as error:
        return type(error)


@cache
def truths(name):
    """Return what an honest solver says of each model; it is asked once for all lies."""
    question = QUESTIONS.get(name) or BELIEVED[name]
    return {model: answer(question, model) for model in CYCLE.models}


@pytest.fixture(params=LIES, ids=lambda name: name.replace(" ", "-"))
def lying(request, monkeypatch):
    """Return what makes HiGHS lie from then on."""
    honest = Program.solve

    def begin():
        lie = LIES[request.param]
        monkeypatch.setattr(Program, "solve", lambda self, time_limit=None: lie(honest(self, time_limit)))

    return begin


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_exact_is_right_whatever_the_solver_says(name, lying):
    true = truths(name)
    lying()
    for model, known in true.items():
        found = answer(QUESTIONS[name], model)
        assert found == known or found in {wl.SolverError, wl.UnprovedError}, (model, found, known)


@pytest.mark.parametrize("name", BELIEVED)
def test_what_differs_from_the_truth_is_believed_and_not_proved(name, lying):
    true = truths(name)
    lying()
    for model, known in true.items():
        found = answer(BELIEVED[name], model)
        if isinstance(found, type):
            assert found in {wl.SolverError, wl.UnprovedError, known}
        elif found.proof is Proof.EXACT:
            assert str(found).split(",")[0].split(".")[0] == str(known).split(",")[0].split(".")[0]
        else:
            assert found.believed
            assert "HiGHS" in str(found)
        if not isinstance(found, type):
            assert found.verify(CYCLE)
