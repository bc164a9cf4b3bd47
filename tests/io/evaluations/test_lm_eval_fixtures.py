"""What lm-evaluation-harness itself wrote: two models that answer by rule, one of them evaluated twice."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import weightlab as wl

RUNS = Path(__file__).parents[2] / "fixtures" / "lm_eval"

CHOSEN = {
    "colours": "acc",
    "sums": "acc_norm",
    "products": "exact_match,flexible-extract",
    "prose": "word_perplexity",
}


@pytest.fixture(scope="module")
def results():
    return wl.io.read_lm_eval(RUNS)


def test_every_metric_of_every_task_is_there_once_with_its_direction(results):
    assert results.models == ("org/brief", "org/wordy")
    assert results.datasets == ("colours", "sums", "products", "prose")
    said = {(cell.dataset, cell.metric): cell.higher_is_better for cell in results.cells}
    assert said == {
        ("colours", "acc"): True,
        ("colours", "acc_norm"): True,
        ("sums", "acc"): True,
        ("sums", "acc_norm"): True,
        ("products", "exact_match,strict-match"): True,
        ("products", "exact_match,flexible-extract"): True,
        ("prose", "word_perplexity"): False,
        ("prose", "bits_per_byte"): False,
    }
    assert len(results.cells) == 2 * len(said)


def test_the_notes_say_what_is_doubtful(results):
    assert results.notes == (
        "Several runs: the newest counts: 1 case (org/brief on colours).",
        "Left out as means of their subtasks: 1 task (facts).",
        "From a part of the instances: 1 case (org/wordy on products).",
    )


def test_the_numbers_are_the_decimals_in_the_files(results):
    board = results.leaderboard(metrics=CHOSEN)
    assert board.scores.to_numpy().tolist() == [
        [0.75, 0.6666666666666666, 0.6666666666666666, 9.832707078469747],
        [0.5, 1.0, 1.0, 30.832564751815084],
    ]
    assert not board.cells.exact
    assert board.lower_is_better == ("prose",)
    assert dict(board.groups) == {"facts": ("colours", "sums")}


def test_standard_errors_stand_beside_the_scores_of_the_leaderboard(results):
    board = results.leaderboard(metrics="acc")
    held = {(cell.model, cell.dataset): cell.error for cell in results.cells if cell.metric == "acc"}
    for (model, task), error in held.items():
        own = board.standard_errors.loc[model, task]
        assert np.array_equal(own, error, equal_nan=True)


def test_standard_errors_are_the_files_and_none_where_there_is_none(results):
    errors = {(cell.model, cell.dataset, cell.metric): cell.error for cell in results.cells}
    assert errors["org/brief", "colours", "acc"] == 0.25
    assert errors["org/brief", "prose", "bits_per_byte"] != errors["org/brief", "prose", "bits_per_byte"]


def test_samples_agree_with_the_means_that_the_harness_made(results):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        instances = wl.io.read_lm_eval_samples(RUNS)
    assert "Left out, no single number: 4 metrics (word_perplexity of org/brief on prose, " in str(caught[0].message)
    means = instances.means().scores
    assert instances.lower_is_better == ()
    for cell in results.cells:
        if cell.dataset != "prose":
            assert means.loc[cell.model, f"{cell.metric}/{cell.dataset}"] == pytest.approx(float(cell.score), abs=1e-12)
    assert {task: len(instances.table(task).columns) for task in instances.tasks} == {
        "acc/colours": 4,
        "acc_norm/colours": 4,
        "exact_match,strict-match/products": 3,
        "exact_match,flexible-extract/products": 3,
        "acc/sums": 3,
        "acc_norm/sums": 3,
    }


def test_the_folder_is_read_where_a_table_is(results):
    with pytest.warns(wl.io.ResultsWarning, match="the newest counts"):
        board = wl.read_leaderboard(RUNS, config={"metrics": CHOSEN})
    assert board.equals(results.leaderboard(metrics=CHOSEN))
