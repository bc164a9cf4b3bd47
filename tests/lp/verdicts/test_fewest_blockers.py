"""Fewest blockers: as few as any set of rivals, and said exactly where that takes no solver."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab.lp.verdicts import prospect as fewest


def board_of_signs(signs):
    """Return a leaderboard on which the model "own" has these signs over its rivals."""
    scores = pd.DataFrame([[0] * len(signs[0]), *(-np.array(signs)).tolist()])
    scores.index = ["own", *(f"r{number}" for number in range(len(signs)))]
    return wl.Leaderboard(scores.set_axis([f"t{n}" for n in range(len(signs[0]))], axis=1))


@st.composite
def blocked(draw, rivals=(1, 5), tasks=(1, 4)):
    """Return boards on which the model "own" leads nobody too much, so that it is often blocked."""
    width = draw(st.integers(*tasks))
    row = st.lists(st.sampled_from([-1, -1, 0, 1]), min_size=width, max_size=width)
    return board_of_signs(draw(st.lists(row, min_size=rivals[0], max_size=rivals[1])))


@settings(max_examples=60)
@given(blocked())
def test_as_few_block_as_any_set_of_rivals(board):
    found = wl.lp.prospect(board, "own", fewest_blockers=True)
    assert found.verify(board)
    if found.margin > 0:
        assert found.fewest is None
        return
    size = brute_force.fewest_blockers(board, "own")
    assert len(found.fewest.rivals) == size
    assert brute_force.blocks(board, "own", found.fewest.rivals)
    assert (size == 1) == bool(found.dominators or found.twins)
    assert found.proof is found.fewest.proof is (Proof.EXACT if size <= 3 else Proof.EXACT_WITNESS)
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert str(back.fewest) == str(found.fewest)


@settings(max_examples=25)
@given(blocked(rivals=(1, 4), tasks=(2, 3)), DICE)
def test_conditions_on_weights_can_only_make_fewer_rivals_suffice(board, dice):
    some = cuts_of(dice, board.tasks, 1, 1)
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    try:
        found = wl.lp.prospect(board, "own", space=space, fewest_blockers=True)
    except wl.EmptySpaceError:
        return
    assert found.verify(board)
    if found.margin > 0:
        assert found.fewest is None
        return
    assert len(found.fewest.rivals) == brute_force.fewest_blockers(board, "own", meant)
    assert found.fewest.proof is (Proof.EXACT if len(found.fewest.rivals) == 1 else Proof.EXACT_WITNESS)


@settings(max_examples=30)
@given(boards(models=(3, 5), tasks=(1, 3), plain=True))
def test_two_rivals_block_together_exactly_when_their_signs_sum_to_nothing_positive(board):
    for model in board.models:
        signs = board.signs().matrix(model)
        if signs.max(axis=1).min() <= 0:
            continue
        rivals = [rival for rival in board.models if rival != model]
        pairs = {(a, b) for a in rivals for b in rivals if a != b and brute_force.blocks(board, model, (a, b))}
        found = fewest._blocking_pair(signs)
        assert (found is None) == (not pairs)
        if found is not None:
            assert (rivals[found[0]], rivals[found[1]]) in pairs


def cycle(size):
    """Return signs of a model that is ahead of each rival on one task and behind on the next one."""
    return (np.eye(size, dtype=int) - np.roll(np.eye(size, dtype=int), 1, axis=1)).tolist()


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_a_cycle_of_rivals_blocks_only_as_a_whole(size):
    board = board_of_signs(cycle(size))
    found = wl.lp.prospect(board, "own", fewest_blockers=True)
    assert found.fewest.rivals == tuple(f"r{number}" for number in range(size))
    assert found.verify(board)


@pytest.mark.parametrize(("solver", "name"), [("highs", "HiGHS"), ("cbc", "CBC")])
def test_a_solver_is_named_where_its_bound_is_relied_on(solver, name, monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_SOLVER", solver)
    board = board_of_signs(cycle(4))
    found = wl.lp.prospect(board, "own", fewest_blockers=True)
    assert found.proof is Proof.EXACT_WITNESS
    assert found.fewest.solver == name
    assert found.verify(board)


def test_one_rival_that_is_never_behind_blocks_alone():
    board = board_of_signs([[1, -1], [0, -1], [-1, 1]])
    found = wl.lp.prospect(board, "own", fewest_blockers=True)
    assert found.fewest.rivals == found.dominators == ("r1",)
    assert str(found.fewest) == "r1 blocks alone."
    assert found.fewest.solver is None


def test_blockers_that_block_together_are_said_to():
    found = wl.lp.prospect(board_of_signs([[1, -1], [-1, 1]]), "own", fewest_blockers=True)
    assert str(found.fewest) == "r0, r1 block together: no weights lead by more than 0 over their mixture."


def test_no_time_is_no_answer():
    rng = np.random.default_rng(6)
    board = board_of_signs(rng.choice([-1, 0, 1], (40, 20), p=[0.45, 0.3, 0.25]).tolist())
    with pytest.raises(wl.TimeLimitError):
        wl.lp.prospect(board, "own", fewest_blockers=True, time_limit=0)


def test_the_verdict_outlives_a_search_for_the_fewest_that_ends_without_a_proof(monkeypatch):
    board = board_of_signs([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]])

    def refusing(*_arguments, **_options):
        raise wl.TimeLimitError("too hard", known={"bound": 2})

    monkeypatch.setattr(sys.modules["weightlab.lp.verdicts.prospect"], "fewest_blockers_of", refusing)
    with pytest.raises(wl.TimeLimitError) as caught:
        wl.lp.prospect(board, "own", fewest_blockers=True)
    assert caught.value.known["bound"] == 2
    assert caught.value.known["prospect"].to_dict() == wl.lp.prospect(board, "own").to_dict()
