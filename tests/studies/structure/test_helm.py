"""Facts about HELM classic: 67 models, 16 scenarios, 6 metrics, many cells missing."""

from __future__ import annotations

import pandas as pd
import pytest

import weightlab as wl
from weightlab.studies import audit, flips, metric_cycles

CYCLIC = ("MMLU", "BoolQ", "HellaSwag", "TruthfulQA", "CNN/DailyMail", "XSUM", "IMDB", "CivilComments")


@pytest.fixture(scope="module")
def long(shared_data):
    return shared_data / "helm_classic" / "helm_classic_long.csv"


@pytest.fixture(scope="module")
def suite(long):
    return wl.read_suite(long)


@pytest.fixture(scope="module")
def found(suite):
    return audit(suite)


def test_each_dataset_is_audited_over_exactly_its_complete_models(long, found):
    frame = pd.read_csv(long)
    for dataset, rows in frame.groupby("dataset"):
        wide = rows.pivot_table(index="model", columns="metric", values="score", aggfunc="first")
        one = found[dataset]
        assert set(one.board.models) == set(wide.dropna().index)
        assert set(one.board.tasks) == set(wide.columns)
        assert set(one.left_out) == set(frame["model"]) - set(wide.dropna().index)
        for model, gaps in one.left_out.items():
            absent = set(wide.columns[wide.loc[model].isna()]) if model in wide.index else set(wide.columns)
            assert set(gaps) == absent
    assert {len(one.board.models) for one in found.datasets.values()} == {19, 20, 25, 26}


def test_who_beats_whom_is_what_pandas_counts(long, found):
    frame = pd.read_csv(long)
    for dataset, one in found.datasets.items():
        rows = frame[frame["dataset"] == dataset]
        wide = rows.pivot_table(index="model", columns="metric", values="score", aggfunc="first").dropna()
        higher = rows.drop_duplicates("metric").set_index("metric")["higher_is_better"]
        names = wide.index
        lead = 0
        for metric in wide.columns:
            value = (wide[metric] if higher[metric] else -wide[metric]).round(9)
            order = value.sort_index(kind="stable").sort_values(ascending=False, kind="stable")
            place = pd.Series(range(len(order)), index=order.index)[names].to_numpy()
            lead = lead + (place[:, None] < place[None, :]) * 2 - 1
        beats = {
            names[i]: {names[j] for j in range(len(names)) if i != j and lead[i, j] > 0} for i in range(len(names))
        }
        assert {model: set(below) for model, below in one.majority.beats.items()} == beats


def test_the_majority_has_a_cycle_on_half_of_the_datasets(found):
    assert found.together.cyclic.keys() == set(CYCLIC)
    assert (found.counts["acyclic"].holds, found.counts["acyclic"].asked) == (8, 16)
    assert found.counts["condorcet_winner"].holds == 9
    for name in ("single_peaked", "group_separable", "distance_restricted", "value_restricted", "single_crossing"):
        assert found.counts[name].holds == 0
    assert found.counts["single_peaked_on_tree"].holds == 2
    assert found.together.sharing is None
    assert found.together.forms_condorcet_domain is False
    dropped = {(one.goal, one.drop): len(one.dropped) for one in found.repairs}
    assert dropped == {("acyclic", "datasets"): 8, ("acyclic", "models"): 14, ("condorcet_domain", "metrics"): 4}


def test_it_is_proved_and_against_the_suite(found, suite):
    assert found.verify(suite)


def test_the_models_complete_everywhere_are_nineteen(suite):
    whole = suite.complete()
    common = audit(whole, repair=False)
    assert not any(one.left_out for one in common.datasets.values())
    assert len(common.models) == 19
    assert all(len(one.board.models) == 19 for one in common.datasets.values())
    assert len(common.together.models) == 19
    assert common.verify(suite)


def test_some_three_metrics_are_cyclic_everywhere_and_an_added_model_flips_often(suite):
    small = suite.select(datasets=["MMLU", "XSUM", "CNN/DailyMail"])
    assert metric_cycles(small).cyclic == ("MMLU", "XSUM", "CNN/DailyMail")
    turned = flips(suite, by="accuracy", metrics=["accuracy", "robustness", "efficiency"])
    assert len(turned.flipped) == 10
    assert len(turned.boards) == 14
    assert turned.verify(suite)
