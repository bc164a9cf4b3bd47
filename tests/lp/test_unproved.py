"""Solvers that are wrong: nothing false is returned, whatever floats they give."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab._solver import Status
from weightlab._solver.highs import Program
from weightlab.lp.verdicts import all_models as bounds


def random_board(models, tasks, *, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 6, (models, tasks)), [f"m{i}" for i in range(models)])
    return wl.Leaderboard(frame.set_axis([f"t{i}" for i in range(tasks)], axis=1))


def wrong_by(size, seed=0):
    """Return a way to solve whose floats are off by about ``size``."""
    rng = np.random.default_rng(seed)
    solve = Program.solve

    def solve_wrongly(self, time_limit=None):
        found = solve(self, time_limit)
        if found.x is None or found.duals is None:
            return found
        x, duals = (one * (1 + size * rng.standard_normal(len(one))) for one in (found.x, found.duals))
        return dataclasses.replace(found, x=x, duals=duals, value=found.value * (1 + size))

    return solve_wrongly


def answers(board, *, space=None):
    """Return the true verdicts and margins."""
    return {model: wl.lp.prospect(board, model, space=space).margin for model in board.models}


@pytest.mark.parametrize("size", [1e-7, 1e-4, 0.3])
def test_floats_that_are_wrong_change_no_answer(size, monkeypatch):
    board = random_board(25, 6, seed=11)
    space = wl.lp.WeightSpace(board).at_most("t0", "0.2").near([1] * 6, "1.1")
    free, bounded = answers(board), answers(board, space=space)
    monkeypatch.setattr(Program, "solve", wrong_by(size))
    found = wl.lp.prospects(board)
    assert found.verify(board)
    for model in board.models:
        assert found.lower[model] <= free[model] <= found.upper[model]
        for allowed, truth in ((None, free), (space, bounded)):
            assert wl.lp.prospect(board, model, space=allowed).margin == truth[model]


@pytest.mark.parametrize("size", [1e-7, 1e-3])
def test_floats_that_are_wrong_change_no_scenario(size, monkeypatch):
    board = random_board(12, 5, seed=3)
    able = [model for model, margin in answers(board).items() if margin >= 0]
    values = {model: wl.lp.scenario(board, model, wl.lp.closest_to()).value for model in able}
    monkeypatch.setattr(Program, "solve", wrong_by(size))
    for model in able:
        found = wl.lp.scenario(board, model, wl.lp.closest_to())
        assert found.value == values[model]
        assert found.verify(board)


@pytest.mark.parametrize("duals", [0.0, np.nan, -1.0])
def test_multipliers_that_are_worthless_leave_it_to_the_exact_program(duals, monkeypatch):
    board = random_board(20, 4, seed=5)
    truth = answers(board)
    monkeypatch.setattr(bounds, "_solved", spoilt(bounds._solved, duals))
    found = wl.lp.prospects(board)
    assert found.verify(board)
    assert all(found.lower[model] <= truth[model] <= found.upper[model] for model in board.models)


def spoilt(solved, duals):
    def solved_badly(*asked):
        point, given = solved(*asked)
        return point, np.full_like(given, duals)

    return solved_badly


@pytest.mark.parametrize("status", [Status.FAILED, Status.UNBOUNDED])
def test_a_solver_that_fails_proves_nothing(status, monkeypatch):
    board = random_board(20, 4, seed=5)
    solve = Program.solve
    monkeypatch.setattr(
        Program, "solve", lambda self, limit=None: dataclasses.replace(solve(self, limit), status=status, x=None)
    )
    with pytest.raises((wl.UnprovedError, wl.SolverError)):
        wl.lp.prospects(board)


def test_a_time_limit_of_nothing_ends_without_an_answer():
    board = random_board(200, 30, seed=2)
    with pytest.raises(wl.TimeLimitError, match="time limit"):
        wl.lp.prospect(board, "m0", time_limit=0)
    with pytest.raises(wl.TimeLimitError, match="'m0': no proof within 0 s"):
        wl.lp.prospects(board, time_limit=0)
    with pytest.raises(wl.TimeLimitError, match="'m0': no proof within 0 s"):
        wl.lp.prospects(board, space=wl.lp.WeightSpace(board).at_most("t0", "0.1"), time_limit=0)
    assert wl.lp.prospects(board, time_limit=60).verify(board)
