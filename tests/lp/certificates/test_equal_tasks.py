"""Equal tasks solved as one give the answer of all tasks, proved for the whole table."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab.lp.certificates import max_margin
from weightlab.lp.certificates.max_margin import equal_tasks as merged


@st.composite
def repetitive(draw):
    """Return a board of few kinds of tasks, each there several times, with weights of all kinds."""
    models = draw(st.integers(2, 4))
    kinds = draw(st.lists(st.lists(st.integers(0, 2), min_size=models, max_size=models), min_size=1, max_size=3))
    columns = [kinds[place] for place in draw(st.lists(st.integers(0, len(kinds) - 1), min_size=6, max_size=12))]
    weights = draw(st.lists(st.integers(0, 3), min_size=len(columns), max_size=len(columns)).filter(any))
    frame = pd.DataFrame(np.array(columns).T, index=[f"m{row}" for row in range(models)])
    frame = frame.set_axis([f"t{column}" for column in range(len(columns))], axis=1)
    return wl.Leaderboard(frame, weights=weights)


def solved(board, model, objective, space):
    """Return the value, or that there is none."""
    try:
        return wl.lp.scenario(board, model, objective, space=space).value
    except wl.ImpossibleError:
        return None


@settings(max_examples=40)
@given(repetitive(), st.sampled_from(["l1", "linf"]), st.sampled_from([None, Fraction(1, 3), Fraction(1, 1)]))
def test_the_nearest_weights_are_those_of_the_whole_table(board, norm, within):
    space = None if within is None else wl.lp.WeightSpace(board).near(board.weights, within, norm="l1")
    for model in board.models:
        alone = solved(board, model, wl.lp.closest_to(norm=norm), space)
        with patch.object(max_margin, "ENOUGH", 1):
            assert solved(board, model, wl.lp.closest_to(norm=norm), space) == alone
            found = wl.lp.prospect(board, model, space=space)
        assert found.verify(board)
        assert found.margin == wl.lp.prospect(board, model, space=space).margin


def test_the_proof_travels_with_the_whole_table():
    scores = {f"t{task}": {"a": task % 3, "b": 1, "c": 2 - task % 2} for task in range(12)}
    board = wl.Leaderboard(scores, weights={"t1": 3})
    with patch.object(max_margin, "ENOUGH", 1):
        found = wl.lp.scenario(board, "a", wl.lp.closest_to())
    assert found.verify(board)
    assert type(found).from_dict(found.to_dict()).verify(board)
    assert len(found.weights) == 12


def test_other_conditions_keep_tasks_apart():
    signs = np.ones((1, 4), dtype=np.int8)
    space = wl.lp.WeightSpace(["a", "b", "c", "d"])
    with patch.object(max_margin, "ENOUGH", 1):
        assert merged(signs, space).signs.shape == (1, 1)
        assert merged(signs, space.at_most("a", "0.5")) is None
        assert merged(signs, space.near([1, 1, 1, 1], 1, norm="linf")) is None
        other = space.near([1, 1, 1, 1], 1, norm="l1").near([1, 0, 0, 0], 1, norm="l1")
        assert merged(signs, other) is None
        assert merged(signs.astype(object), space) is None
    assert merged(signs, space) is None


def test_an_empty_space_is_refused_in_its_own_words():
    scores = {f"t{task}": {"a": 1, "b": 2} for task in range(6)}
    space = wl.lp.WeightSpace(list(scores)).near([1, 1, 1, 0, 0, 0], "0.1").near([0, 0, 0, 1, 1, 1], "0.1")
    with patch.object(max_margin, "ENOUGH", 1), pytest.raises(wl.EmptySpaceError):
        wl.lp.prospect(wl.Leaderboard(scores), "a", space=space)
