"""Random draws, each with its own seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import FEWER
from weightlab.exceptions import InputError
from weightlab.studies.parallel import checked_count, generator_of, map_draws, parallel_map


def one_number(rng):
    return int(rng.integers(10**9))


@given(seed=st.integers(0, 2**64), repeats=st.integers(1, 30))
def test_more_draws_begin_with_the_same_ones(seed, repeats):
    assert map_draws(one_number, repeats=30, seed=seed)[:repeats] == map_draws(one_number, repeats=repeats, seed=seed)


@given(seed=st.integers(0, 2**64), draw=st.integers(0, 99))
def test_any_draw_can_be_made_again_by_itself(seed, draw):
    assert map_draws(one_number, repeats=100, seed=seed)[draw] == one_number(generator_of(seed, draw))


def test_the_draws_are_the_children_that_numpy_spawns():
    spawned = [one_number(np.random.default_rng(child)) for child in np.random.SeedSequence(7).spawn(5)]
    assert map_draws(one_number, repeats=5, seed=7) == spawned


@FEWER
@given(seed=st.integers(0, 2**64))
def test_draws_differ_from_each_other_and_between_seeds(seed):
    drawn = map_draws(one_number, repeats=20, seed=seed) + map_draws(one_number, repeats=20, seed=seed + 1)
    assert len(set(drawn)) > 35


def test_processes_change_nothing():
    pytest.importorskip("joblib")
    told = []
    side_by_side = map_draws(one_number, repeats=40, seed=3, n_jobs=2, progress=told.append)
    assert side_by_side == map_draws(one_number, repeats=40, seed=3)
    assert sum(told) == 40


def test_progress_is_told_of_every_draw():
    told = []
    map_draws(one_number, repeats=7, seed=0, progress=told.append)
    assert told == [1] * 7


def test_joblib_is_asked_for_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    assert len(map_draws(one_number, repeats=2, seed=0)) == 2
    with pytest.raises(InputError, match=r"n_jobs=2 needs joblib: install weightlab\[parallel\]"):
        map_draws(one_number, repeats=2, seed=0, n_jobs=2)


@pytest.mark.parametrize("jobs", [0, 1.5, True, "2"])
def test_a_number_of_processes_that_is_none_is_refused(jobs):
    with pytest.raises(InputError, match="n_jobs must be 1 or more, or negative"):
        map_draws(one_number, repeats=2, seed=0, n_jobs=jobs)


@pytest.mark.parametrize("repeats", [0, -1, 2.0, True, None])
def test_a_number_of_draws_that_is_none_is_refused(repeats):
    with pytest.raises(InputError, match="repeats must be a whole number from 1; got"):
        map_draws(one_number, repeats=repeats, seed=0)


def test_a_count_is_returned_as_an_integer():
    assert type(checked_count("size", np.int32(3), least=1)) is int
    with pytest.raises(InputError, match="size must be a whole number from 4; got 3"):
        checked_count("size", 3, least=4)


def test_work_is_returned_in_the_order_of_its_items():
    pytest.importorskip("joblib")
    items = list(range(60))
    for jobs in (1, 2):
        told = []
        assert parallel_map(str, items, n_jobs=jobs, progress=told.append) == [str(item) for item in items]
        assert sum(told) == len(items)
    assert parallel_map(str, []) == parallel_map(str, [], n_jobs=2) == []
