"""Folders of HELM where files are asked for."""

from __future__ import annotations

import pytest

import weightlab as wl
from tests.io.evaluations.helm_files import run_folder
from tests.io.evaluations.result_files import lm_eval_file
from weightlab.exceptions import InputError
from weightlab.io import ResultsWarning


@pytest.fixture
def suite(tmp_path):
    for model, score in (("org/ada", 0.5), ("org/bo", 0.25)):
        run_folder(tmp_path / "v1", model, {"exact_match": score, "f1_score": score, "num_bytes": 3})
    return tmp_path / "v1"


@pytest.fixture
def declared(suite):
    return suite.with_suffix(".toml")


@pytest.mark.filterwarnings("ignore::weightlab.io.ResultsWarning")
def test_a_suite_is_read_where_a_table_is(suite):
    assert wl.read_leaderboard(suite).equals(wl.io.read_helm(suite).leaderboard())
    assert wl.read_suite(suite).equals(wl.io.read_helm(suite).suite())


def test_what_is_left_out_is_a_warning(suite):
    with pytest.warns(ResultsWarning, match="Left out as counts without a direction: 'num_bytes'"):
        wl.read_leaderboard(suite)


@pytest.mark.parametrize("metrics", ['"exact_match"', '["exact_match"]', '{ "mmlu:anatomy" = "exact_match" }'])
def test_the_file_beside_the_folder_chooses_metrics(suite, declared, metrics):
    declared.write_text(f"metrics = {metrics}")
    assert wl.read_leaderboard(suite).tasks == ("mmlu:anatomy",)


def test_counts_that_the_file_beside_the_folder_names_are_read(suite, declared):
    declared.write_text('metrics = ["exact_match", "num_bytes"]')
    with pytest.raises(InputError, match="do not say in which direction 'num_bytes' lead"):
        wl.read_suite(suite)
    declared.write_text('metrics = ["exact_match", "num_bytes"]\nlower_is_better = ["num_bytes"]')
    assert wl.read_suite(suite).lower_is_better == ("num_bytes",)


def test_the_file_beside_the_folder_names_the_preprocessing(suite, declared):
    declared.write_text('preprocessing = "beyond_arrow"')
    with pytest.warns(ResultsWarning, match="Every score is a mean over all splits and perturbations"):
        assert wl.read_suite(suite).lower_is_better == ("num_bytes",)


def test_preprocessing_is_for_helm(tmp_path):
    lm_eval_file(tmp_path / "runs", "ada", {"arc": {"acc,none": 1}})
    with pytest.raises(InputError, match="preprocessing is for results of HELM; these are of lm-evaluation-harness"):
        wl.read_suite(tmp_path / "runs", config={"preprocessing": "beyond_arrow"})


def test_results_of_another_program_in_the_folder_are_named(suite):
    lm_eval_file(suite, "ada", {"arc": {"acc,none": 1}})
    results = wl.io.read_results(suite)
    assert results.kind == "HELM"
    assert results.notes[-1] == "Left out, of other programs: results*.json of lm-evaluation-harness."
