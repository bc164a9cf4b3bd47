"""Audits of the suite that ships and of HELM classic, and a sweep as large as the paper's suite.

``python -m pytest -m benchmark -n 0 -s tests/benchmarks/test_studies.py`` prints the figures.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab.studies import audit, random_model_sets, sweep
from weightlab.studies.grid.cell import cell_facts, rank_tables

MODELS, METRICS, DATASETS = 23, 6, 57
SIZE, CELL_METRICS = 7, 4
CELLS, SECONDS, CORES = 5_000, 600, 2
MEASURED = 40
"""So many cells are timed."""


def like_mmlu():
    """Return a suite of random scores in the shape of HELM MMLU: models of different strength, two decimals, ties."""
    rng = np.random.default_rng(0)
    models = [f"model {place:02}" for place in range(MODELS)]
    metrics = [f"metric {place}" for place in range(METRICS)]
    strength = rng.random((MODELS, 1)) / 2
    tables = {
        f"subject {place}": pd.DataFrame(
            np.round(strength + rng.random((MODELS, METRICS)), 2), index=models, columns=metrics
        )
        for place in range(DATASETS)
    }
    return wl.Suite(tables)


@pytest.mark.parametrize("agreeing", [False, True], ids=["random", "structured"])
def test_5000_cells_of_57_datasets_take_less_than_10_minutes_on_two_cores(agreeing):
    suite = like_mmlu()
    if agreeing:
        # Where all metrics agree every property holds, and nothing is refuted at a glance.
        tables = {name: suite.table(name).frame() for name in suite.datasets}
        suite = wl.Suite({name: t.apply(lambda _, t=t: t.iloc[:, 0]) for name, t in tables.items()})
    sets = random_model_sets(suite, size=SIZE, count=MEASURED, rng=0)
    started = time.process_time()
    found = sweep(suite, model_sets=sets, metric_sets=[suite.metrics[:CELL_METRICS]])
    spent = (time.process_time() - started) / MEASURED
    print(f"\none cell of {DATASETS} datasets, {SIZE} models x {CELL_METRICS} metrics: {1000 * spent:.0f} ms")
    assert len(found.facts) == MEASURED
    assert spent * CELLS < SECONDS * CORES


def test_the_suite_that_ships_is_audited_within_10_seconds():
    suite = wl.datasets.load("classifiers")
    started = time.process_time()
    found = audit(suite)
    audited = time.process_time() - started
    started = time.process_time()
    assert found.verify(suite)
    print(f"\nclassifiers: audited in {audited:.1f} s, verified in {time.process_time() - started:.1f} s")
    assert audited < 10


@pytest.mark.parametrize("complete", [False, True], ids=["complete on each", "complete everywhere"])
def test_helm_classic_is_audited_within_10_seconds(shared_data, complete):
    suite = wl.read_suite(shared_data / "helm_classic" / "helm_classic_long.csv")
    started = time.process_time()
    found = audit(suite.complete() if complete else suite)
    audited = time.process_time() - started
    started = time.process_time()
    assert found.verify(suite)
    print(f"\nHELM classic: audited in {audited:.1f} s, verified in {time.process_time() - started:.1f} s")
    assert audited < 10


def test_a_sweep_on_dask_beside_one_process():
    """Processor time of the client and of two workers, which have loaded weightlab but for the first line.

    The least of three runs, one process and Dask by turns: other programs take the same from both.
    """
    distributed = pytest.importorskip("dask.distributed", reason="dask.distributed is not installed")
    suite = like_mmlu()
    sets = random_model_sets(suite, size=SIZE, count=200, rng=0)
    ask = partial(sweep, suite, model_sets=sets, metric_sets=[suite.metrics[:CELL_METRICS]])
    alone, spread = [], []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        for _ in range(4):
            started = time.process_time()
            found = ask()
            alone.append(time.process_time() - started)
            before = time.process_time() + sum(client.run(time.process_time).values())
            same = ask(backend="dask", n_jobs=2)
            spread.append(time.process_time() + sum(client.run(time.process_time).values()) - before)
            assert same.facts == found.facts
    own, dask = min(alone), min(spread[1:])
    print(f"\n200 cells: {own:.1f} s, on Dask with workers that load weightlab {spread[0]:.1f} s", end="")
    print(f", with others {dask:.1f} s: {dask / own:.2f} times")


@pytest.mark.parametrize("count", [9, 38])
def test_a_sweep_of_helm_classic_in_two_processes_beside_one(shared_data, count):
    """By the clock, on an idle machine: with processes that have to start, and the least of three runs with others."""
    pytest.importorskip("joblib", reason="joblib is not installed")
    suite = wl.read_suite(shared_data / "helm_classic" / "helm_classic_long.csv")
    sets = random_model_sets(suite.complete(), size=7, count=count, rng=0)
    metric_sets = [one for size in range(3, 7) for one in combinations(suite.metrics, size)]
    ask = partial(sweep, suite, model_sets=sets, metric_sets=metric_sets)
    alone, spread = [], []
    for _ in range(4):
        started = time.perf_counter()
        found = ask()
        alone.append(time.perf_counter() - started)
        started = time.perf_counter()
        same = ask(n_jobs=2)
        spread.append(time.perf_counter() - started)
        assert same.facts == found.facts
    own, cold, warm = min(alone), spread[0], min(spread[1:])
    print(f"\n{len(found.facts)} cells of HELM classic: {own:.1f} s; two processes that start {cold:.1f} s", end="")
    print(f" ({own / cold:.2f} times faster), that run already {warm:.1f} s ({own / warm:.2f} times)")


def test_six_thousand_rankings_of_helm_classic_beside_cells_alone(shared_data):
    """All sets of three and more of the six metrics, nine sets of seven models: 378 cells of 16 datasets."""
    suite = wl.read_suite(shared_data / "helm_classic" / "helm_classic_long.csv")
    chosen = [[m for place, m in enumerate(suite.metrics) if number >> place & 1] for number in range(64)]
    metric_sets = [one for one in chosen if len(one) > 2]
    sets = random_model_sets(suite.complete(), size=7, count=9, rng=0)
    tables = rank_tables(suite)
    started = time.process_time()
    found = sweep(suite, model_sets=sets, metric_sets=metric_sets)
    spent = time.process_time() - started
    started = time.process_time()
    alone = [cell_facts(tables, cell, found.properties) for _, cell in found.cells[::7]]
    apart = 7 * (time.process_time() - started)
    print(f"\n{len(found.facts)} cells of HELM classic: {spent:.1f} s, each for itself {apart:.1f} s")
    assert list(found.facts[::7]) == alone


def test_two_versions_of_100_models_on_50_tasks_are_checked_within_5_seconds():
    rng = np.random.default_rng(0)
    names, tasks = [f"m{place}" for place in range(100)], [f"t{place}" for place in range(50)]
    strength = 60 + 10 * rng.normal(size=(100, 1))
    new = pd.DataFrame((strength + 5 * rng.normal(size=(100, 50))).round(2), index=names, columns=tasks)
    old = (new + (rng.random((100, 50)) < 0.1)).iloc[:95]
    policy = {"winner_stable_by": "5%", "never_above_place": 10, "acyclic_top": True, "directions_declared": True}
    policy |= {"missing": 0, "score_range": [0, 100], "saturated": 3, "rank_level": "95%"}
    board = wl.Leaderboard(new, standard_errors=new * 0 + 1)
    started = time.process_time()
    found = wl.studies.check(board, policy | {"unmoved_by_newcomers": "borda"}, against=wl.Leaderboard(old))
    spent = time.process_time() - started
    print(f"\ntwo versions of 100 models on 50 tasks, nine rules: {spent:.1f} s")
    assert all(one.holds is not None for one in found.findings)
    assert spent < 5
