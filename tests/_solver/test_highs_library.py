"""HiGHS loads beside OR-Tools, whichever comes first; where it does not load, CBC solves."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from tests._solver.test_solution import box
from weightlab._solver import Sense, solve, solver_name
from weightlab.exceptions import SolverError, SolverWarning

SOLVING = sys.modules["weightlab._solver.solve"]
"""The module; the package has a function of that name."""


@pytest.fixture
def no_highs(monkeypatch):
    """Let HiGHS fail to load, as a broken installation does."""

    def fails():
        raise ImportError("undefined symbol")

    monkeypatch.delenv("WEIGHTLAB_SOLVER", raising=False)
    monkeypatch.setattr(SOLVING, "load_highspy", fails)
    SOLVING._fault_of_highs.cache_clear()
    yield
    SOLVING._fault_of_highs.cache_clear()


def test_where_highs_does_not_load_cbc_solves_and_that_is_said_once(no_highs):
    formulation = box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5)
    with pytest.warns(SolverWarning, match=r"HiGHS cannot be loaded .*undefined symbol.*CBC solves"):
        assert solve(formulation).value == pytest.approx(15)
    # A second warning would be an error.
    assert solve(formulation).value == pytest.approx(15)
    assert solver_name() == "CBC"


def test_where_highs_is_asked_for_and_does_not_load_the_answer_says_what_to_do(no_highs, monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_SOLVER", "highs")
    with pytest.warns(SolverWarning), pytest.raises(SolverError, match="WEIGHTLAB_SOLVER=cbc"):
        solve(box(Sense.MAXIMISE, (1, 1), [{0: 1}], high=5))


# In a process of their own: what a process has loaded, it keeps. Each prints a Kemeny order and an integer optimum.
WEIGHTLAB = """
import weightlab as wl
from weightlab._solver import Formulation, Rows, Sense, solve, solver_name

scores = {"x": "4321", "y": "1432", "z": "2143", "v": "1243", "w": "3214"}
board = wl.Leaderboard({task: {m: -int(place) for m, place in zip("0123", row)} for task, row in scores.items()})
rows = Rows.from_dicts([{0: 2, 1: 3}], width=2, lower=None, upper=[7], labels=("r",))
program = Formulation(name="n", sense=Sense.MAXIMISE, columns=("x", "y"), objective=(3, 4), rows=rows, lower=(0, 0),
                      upper=(9, 9), integral=(True, True))
assert solver_name() == "HiGHS"
print(*(model for (model,) in wl.graph.kemeny(board).order), solve(program).value)
wl.lp.problem(board, "0")
"""
OR_TOOLS = """
from ortools.linear_solver import pywraplp
from pref_voting.other_methods import kemeny_young_rankings
from pref_voting.profiles import Profile

ballots = ["4321", "1432", "2143", "1243", "3214"]
profile = Profile([sorted(range(4), key=lambda one: row[one]) for row in ballots])
solver = pywraplp.Solver.CreateSolver("HIGHS")
x, y = (solver.IntVar(0, 9, name) for name in "xy")
solver.Add(2 * x + 3 * y <= 7)
solver.Maximize(3 * x + 4 * y)
assert solver.Solve() == solver.OPTIMAL
((order,), _) = kemeny_young_rankings(profile)
print(*order, solver.Objective().Value())
"""


@pytest.mark.peers
@pytest.mark.parametrize("script", [WEIGHTLAB + OR_TOOLS, OR_TOOLS + WEIGHTLAB], ids=["first", "second"])
def test_weightlab_and_pref_voting_answer_alike_in_one_process(script):
    if importlib.util.find_spec("pref_voting") is None:
        pytest.skip("pref_voting is absent: it gives the second opinion (extra 'peers')")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "WEIGHTLAB_SOLVER": ""}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = [line for line in done.stdout.splitlines() if not line.startswith("Running HiGHS")]
    assert len(answers) == 2
    assert answers[0] == answers[1]


WITHOUT_ROOM = """
import sys, tempfile, warnings
import pref_voting
from ortools.linear_solver import pywraplp

assert pywraplp.Solver.CreateSolver("HIGHS") is not None
tempfile.tempdir = "/nonexistent"  # the copy of its own that HiGHS is loaded from cannot be made
import weightlab as wl
from weightlab._solver import Formulation, Rows, Sense, solve, solver_name

rows = Rows.from_dicts([{0: 2, 1: 3}], width=2, lower=None, upper=[7], labels=("r",))
program = Formulation(name="n", sense=Sense.MAXIMISE, columns=("x", "y"), objective=(3, 4), rows=rows, lower=(0, 0),
                      upper=(9, 9), integral=(True, True))
warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as caught:
    found = solver_name()
    if found == "CBC":
        tempfile.tempdir = None  # CBC needs some room, too
    assert solve(program).value == solve(program).value == 10
    assert wl.lp.prospect(wl.Leaderboard({"x": {"a": 1, "b": 0, "c": 2}, "y": {"a": 1, "b": 2, "c": 0}}), "a").verify()
said = [str(one.message) for one in caught if issubclass(one.category, wl.SolverWarning)]
print(found, len(said), *said)
"""


@pytest.mark.peers
def test_where_or_tools_came_first_and_highs_has_no_copy_cbc_solves_and_that_is_said_once():
    if importlib.util.find_spec("pref_voting") is None or not sys.platform.startswith("linux"):
        pytest.skip("pref_voting is absent, or libraries are told apart by their paths")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "WEIGHTLAB_SOLVER": ""}
    script = [sys.executable, "-c", WITHOUT_ROOM]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (answer,) = [line for line in done.stdout.splitlines() if not line.startswith("Running HiGHS")]
    assert answer.startswith("CBC 1 HiGHS cannot be loaded")
