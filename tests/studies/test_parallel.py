"""Random draws, each with its own seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import FEWER
from weightlab.exceptions import InputError
from weightlab.studies.parallel import checked_count, generator_of, parallel_map


def one_number(rng):
    return int(rng.integers(10**9))


def test_the_draws_are_the_children_that_numpy_spawns():
    spawned = [one_number(np.random.default_rng(child)) for child in np.random.SeedSequence(7).spawn(5)]
    assert [one_number(generator_of(7, draw)) for draw in range(5)] == spawned


@FEWER
@given(seed=st.integers(0, 2**64))
def test_draws_differ_from_each_other_and_between_seeds(seed):
    drawn = [one_number(generator_of(one, draw)) for one in (seed, seed + 1) for draw in range(20)]
    assert len(set(drawn)) > 35


def test_processes_change_nothing():
    pytest.importorskip("joblib")
    told = []
    assert parallel_map(str, range(40), n_jobs=2, progress=told.append) == parallel_map(str, range(40))
    assert sum(told) == 40


def test_joblib_is_asked_for_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    assert len(parallel_map(str, range(2))) == 2
    with pytest.raises(InputError, match=r"n_jobs=2 needs joblib: install weightlab\[parallel\]"):
        parallel_map(str, range(2), n_jobs=2)


@pytest.mark.parametrize("jobs", [0, 1.5, True, "2"])
def test_a_number_of_processes_that_is_none_is_refused(jobs):
    with pytest.raises(InputError, match="n_jobs must be 1 or more, or negative"):
        parallel_map(str, range(2), n_jobs=jobs)


@pytest.mark.parametrize("repeats", [0, -1, 2.0, True, None])
def test_a_number_of_draws_that_is_none_is_refused(repeats):
    with pytest.raises(InputError, match="repeats must be a whole number from 1; got"):
        checked_count("repeats", repeats, least=1)


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
