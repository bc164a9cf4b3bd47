"""What rests on a solver's word is said with the solver's name in the sentence itself, whatever the kind of result."""

from __future__ import annotations

from dataclasses import replace

import pytest

import weightlab as wl
from tests.gallery import EXAMPLES
from weightlab._result import KINDS, Proof

BOARD = wl.Leaderboard(
    {
        "x": {"a": 3, "b": 2, "c": 1, "d": 0},
        "y": {"a": 1, "b": 3, "c": 2, "d": 0},
        "z": {"a": 2, "b": 1, "c": 3, "d": 1},
        "u": {"a": 1, "b": 1, "c": 0, "d": 2},
    }
)


def _task_sets():
    sets = wl.lp.fewest_task_sets(BOARD, "a")
    return replace(sets, found=replace(sets.found, proof=Proof.EXACT_WITNESS, solver="HiGHS"))


def _blockers():
    found = wl.lp.prospect(wl.Leaderboard(BOARD.scores[["x", "y", "z"]]), "d", fewest_blockers=True)
    return replace(found, fewest=replace(found.fewest, proof=Proof.EXACT_WITNESS, solver="CBC"))


def _rank_range():
    found = wl.lp.rank_range(BOARD, "a", rule="borda")
    return replace(found, top=replace(found.top, solver="HiGHS"))


def _order():
    return replace(wl.graph.kemeny(BOARD), solver="CBC")


MADE = {
    "fewest_task_sets": _task_sets,
    "prospect": _blockers,
    "rank_range": _rank_range,
    "kemeny": _order,
    "upset": lambda: replace(wl.lp.upset(BOARD, "b"), tree=None, against=(), solver="HiGHS"),
    "copeland": lambda: replace(wl.lp.prospect(BOARD, "d", rule="copeland"), solver="HiGHS"),
}


@pytest.mark.parametrize("name", MADE)
def test_a_believed_result_names_its_solver_in_its_sentence(name):
    result = MADE[name]()
    assert result.believed
    assert any(solver in str(result) for solver in ("HiGHS", "CBC"))


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_of_every_kind_names_a_solver_where_one_is_believed(name):
    result = EXAMPLES[name]()
    if Proof.EXACT_WITNESS in result.proofs.values():
        assert any(solver in str(result) for solver in ("HiGHS", "CBC"))


def test_a_proved_result_names_none():
    assert "Taken from" not in str(wl.lp.fewest_task_sets(BOARD, "a"))


def test_the_sentence_of_every_kind_goes_through_what_names_the_solver():
    for package in wl.__all__:
        getattr(wl, package)
    made = [kind for kind, one in KINDS.items() if one.__module__.startswith("weightlab.")]
    assert len(made) > 40
    assert [kind for kind in made if not hasattr(KINDS[kind].__str__, "__wrapped__")] == []
