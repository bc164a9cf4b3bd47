"""The program as a PuLP problem: readable, written to files, solved by another solver."""

from __future__ import annotations

import warnings

import pulp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests._solver.test_pulp_model import read_with_highs
from tests.dice import DICE
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards


def solved(problem):
    """Return the optimum that the CBC bundled with PuLP finds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        problem.solve(pulp.PULP_CBC_CMD(msg=False))
    assert pulp.LpStatus[problem.status] == "Optimal"
    return -pulp.value(problem.objective)


@settings(max_examples=12)
@given(boards(models=(2, 4), tasks=(1, 3)), DICE)
def test_its_optimum_is_the_margin(board, dice):
    model = dice.one_of(board.models)
    space = space_of(board.tasks, cuts_of(dice, board.tasks, 0, 1))
    try:
        margin = wl.lp.prospect(board, model, space=space).margin
    except wl.EmptySpaceError:
        return
    assert solved(wl.lp.problem(board, model, space=space)) == pytest.approx(float(margin), abs=1e-6)


@settings(max_examples=25)
@given(board=boards(models=(2, 4), tasks=(1, 4)), form=st.sampled_from(["lp", "mps"]), dice=DICE)
def test_a_reader_of_its_files_finds_the_negative_of_the_margin(board, form, dice, tmp_path_factory):
    space = space_of(board.tasks, cuts_of(dice, board.tasks, 0, 2))
    try:
        margin = wl.lp.prospect(board, board.models[0], space=space).margin
    except wl.EmptySpaceError:
        return
    problem = wl.lp.problem(board, board.models[0], space=space)
    path = tmp_path_factory.mktemp("written") / f"problem.{form}"
    {"lp": problem.writeLP, "mps": problem.writeMPS}[form](str(path))
    assert path.read_bytes().isascii()
    assert read_with_highs(path) == pytest.approx(-float(margin), abs=1e-6)


def test_names_are_readable_and_labels_are_as_given():
    board = wl.Leaderboard({"c-d": {"T5 (base)": 1, "größe": 2}, "c d": {"T5 (base)": 2, "größe": 1}})
    problem = wl.lp.problem(board, "T5 (base)", space=wl.lp.WeightSpace(board).at_least("c-d", "0.3"))
    assert list(problem.column_labels.values()) == ["c-d", "c d", "margin"]
    assert list(problem.row_labels.values()) == ["weights sum to 1", "c-d at least 3/10", "größe"]
    names = [variable.name for variable in problem.variables()]
    assert sorted(names) == ["w1_c_d", "w2_c_d", "w3_margin"]
    assert set(problem.row_labels) == {constraint.name for constraint in problem.constraints()}
    assert solved(problem) == pytest.approx(0.4)


def test_researchers_add_conditions_of_their_own():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}, "y": {"a": 1, "b": 2}})
    problem = wl.lp.problem(board, "a")
    x = next(one for one in problem.variables() if problem.column_labels[one.name] == "x")
    problem += x <= 0.25
    assert solved(problem) == pytest.approx(-0.5)


def test_an_unknown_model_is_refused():
    board = wl.Leaderboard({"x": {"a": 2, "b": 1}})
    with pytest.raises(wl.UnknownNameError):
        wl.lp.problem(board, "c")
