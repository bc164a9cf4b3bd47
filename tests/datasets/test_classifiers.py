"""The classifiers suite is whole, plausible, declared, and says how it was measured."""

from __future__ import annotations

import datetime as dt
import re
from functools import cache

import numpy as np
import pytest

from weightlab import datasets

SHARES = ("accuracy", "accuracy_feature_noise", "accuracy_label_noise")
TIMES = ("fit_time", "predict_time")
LOWER = ("log_loss", *TIMES)

suite = cache(lambda: datasets.load("classifiers"))
board = cache(lambda: datasets.load_leaderboard("classifiers"))
instances = cache(lambda: datasets.load_instances("classifiers"))
details = cache(lambda: datasets.about("classifiers").details)


def metric_scores(metric):
    """Return models x datasets."""
    return board().scores[[f"{metric}/{dataset}" for dataset in suite().datasets]]


def test_it_has_many_models_datasets_and_six_metrics():
    assert len(suite().models) >= 12
    assert len(suite().datasets) >= 8
    assert suite().metrics == (*SHARES, *LOWER)


def test_no_score_is_missing():
    for dataset in suite().datasets:
        scores = suite().leaderboard(dataset).scores
        assert scores.shape == (len(suite().models), 6)
        assert not scores.isna().any(axis=None)


def test_directions_are_declared():
    assert suite().lower_is_better == LOWER
    assert {task.split("/")[0] for task in board().lower_is_better} == set(LOWER)
    described = {metric: entry["higher_is_better"] for metric, entry in details()["metrics"].items()}
    assert described == {metric: metric not in LOWER for metric in suite().metrics}


@pytest.mark.parametrize("metric", SHARES)
def test_accuracies_are_shares_with_four_decimals(metric):
    scores = metric_scores(metric)
    assert ((scores >= 0) & (scores <= 1)).all(axis=None)
    assert (scores == scores.round(4)).all(axis=None)


@pytest.mark.parametrize("metric", LOWER)
def test_losses_and_times_are_positive(metric):
    assert (metric_scores(metric) > 0).all(axis=None)


@pytest.mark.parametrize("metric", TIMES)
def test_times_have_three_digits(metric):
    scores = metric_scores(metric)
    assert (scores == scores.map(lambda time: float(f"{time:.3g}"))).all(axis=None)


def test_noise_costs_accuracy_on_the_whole():
    for noisy in SHARES[1:]:
        assert metric_scores(noisy).to_numpy().mean() < metric_scores("accuracy").to_numpy().mean()


def test_the_leaderboard_holds_the_scores_of_the_suite():
    assert board().models == suite().models
    for dataset in suite().datasets:
        tasks = [f"{metric}/{dataset}" for metric in suite().metrics]
        assert np.array_equal(board().scores[tasks].to_numpy(), suite().leaderboard(dataset).scores.to_numpy())


def test_the_groups_part_the_tasks_into_accuracy_robustness_and_speed():
    groups = board().groups
    assert {group: {task.split("/")[0] for task in tasks} for group, tasks in groups.items()} == {
        "accuracy": {"accuracy", "log_loss"},
        "robustness": {"accuracy_feature_noise", "accuracy_label_noise"},
        "speed": {"fit_time", "predict_time"},
    }
    assert sorted(task for tasks in groups.values() for task in tasks) == sorted(board().tasks)


def test_instances_are_counts_of_repeats_for_every_model_and_instance():
    repeats = details()["protocol"]["repeats"]
    assert len(instances().tasks) >= 2
    assert set(instances().models) == set(suite().models)
    for task in instances().tasks:
        table = instances().leaderboard(task)
        assert len(table.tasks) == details()["datasets"][task]["instances"]
        assert set(np.unique(table.scores)) <= set(range(repeats + 1))


def test_instances_average_to_the_accuracy_of_the_suite():
    repeats = details()["protocol"]["repeats"]
    for task in instances().tasks:
        means = instances().leaderboard(task).scores.mean(axis=1) / repeats
        accuracy = board().scores[f"accuracy/{task}"]
        assert (abs(means - accuracy.loc[means.index]) <= 0.00005 + 1e-12).all()


def test_it_says_with_what_when_and_where_it_was_measured():
    assert {"python", "scikit-learn", "numpy"} <= set(details()["versions"])
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in details()["versions"].values())
    assert dt.date.fromisoformat(details()["date"]) >= dt.date(2024, 1, 1)
    assert "core" in details()["hardware"]
    assert details()["command"].startswith("python examples/measure_classifiers.py")
    assert "--quick" not in details()["command"]
    assert "licence" in datasets.about("classifiers").source


def test_it_describes_every_dataset_model_and_metric():
    assert tuple(details()["datasets"]) == suite().datasets
    assert tuple(details()["models"]) == suite().models
    assert tuple(details()["metrics"]) == suite().metrics
    for metric in details()["metrics"].values():
        assert metric["unit"]
        assert metric["description"]
    for dataset in details()["datasets"].values():
        assert dataset["origin"].startswith("sklearn.datasets.")
