"""Folders of HELM where files are asked for."""

from __future__ import annotations

import pytest

import weightlab as wl
from tests.io.evaluations.helm_files import on_instance, run_folder
from tests.io.evaluations.result_files import lm_eval_file
from tests.io.evaluations.test_lm_eval_samples import sample, samples_file
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
    with pytest.warns(ResultsWarning, match=r"Left out as counts without a direction: 1 metric \(num_bytes\)"):
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


def test_a_perturbation_is_for_helm(tmp_path):
    lm_eval_file(tmp_path / "runs", "ada", {"arc": {"acc,none": 1}})
    with pytest.raises(InputError, match="perturbation is for results of HELM; these are of lm-evaluation-harness"):
        wl.read_suite(tmp_path / "runs", config={"perturbation": "typos"})


@pytest.mark.filterwarnings("ignore:Left out, a run_spec.json without:weightlab.io.ResultsWarning")
def test_results_of_another_program_in_the_folder_are_named(suite):
    lm_eval_file(suite, "ada", {"arc": {"acc,none": 1}})
    results = wl.io.read_results(suite)
    assert results.kind == "HELM"
    assert results.notes[-1] == "Left out, of other programs: results*.json of lm-evaluation-harness."
    samples_file(suite, "ada", "arc", [sample(0, acc=1)])
    run_folder(suite, "cy", {}, instances=[on_instance("id1", {"exact_match": 1})])
    with pytest.warns(ResultsWarning, match=r"Left out, of other programs: samples_\*\.jsonl of lm-evaluation-harness"):
        assert wl.read_instances(suite).models == ("cy",)


def test_runs_as_their_owners_publish_them(shared_data):
    folder = shared_data / "real" / "helm_runs"
    results = wl.io.read_results(folder)
    gpt2, pythia = "openai/gpt2", "eleutherai/pythia-1b-v0"
    assert (results.models, len(results.metrics)) == ((pythia, gpt2), 18)
    assert results.datasets == ("commonsense.HellaSwag", "mmlu:philosophy", "narrativeqa")
    found = {(cell.dataset, cell.metric, cell.model): (cell.score, cell.higher_is_better) for cell in results.cells}
    published = {
        ("commonsense.HellaSwag", "exact_match", pythia): (0.3, True),
        ("commonsense.HellaSwag", "inference_runtime", pythia): (14.876816749572754, False),
        ("mmlu:philosophy", "exact_match", gpt2): (0.1111111111111111, True),
        ("narrativeqa", "f1_score", gpt2): (0.17424242424242425, True),
        ("narrativeqa", "rouge_l", gpt2): (0.05365510777881912, True),
    }
    assert {cell: found[cell] for cell in published} == published
    kinds = ("counts without a direction", "by perturbation", "no mean: 6 scores", "1 split (valid)")
    assert [kind in note for kind, note in zip(kinds, results.notes, strict=True)] == [True] * 4


def test_samples_of_runs_as_their_owners_publish_them(shared_data):
    with pytest.warns(wl.io.ResultsWarning, match=r"Left out, by split, where another counts: 1 split \(valid\)"):
        instances = wl.read_instances(shared_data / "real" / "helm_runs")
    assert instances.models == ("eleutherai/pythia-1b-v0", "openai/gpt2")
    hella, mmlu, stories = (
        instances.table(task).frame()
        for task in ("exact_match/commonsense.HellaSwag", "exact_match/mmlu:philosophy", "f1_score/narrativeqa")
    )
    assert (hella.shape, mmlu.shape, stories.shape) == ((1, 10), (1, 9), (1, 4))
    assert hella.loc["eleutherai/pythia-1b-v0", ["id44874", "id45277"]].tolist() == [0, 1]
    assert mmlu.loc["openai/gpt2", "id222"] == 1
    assert stories.loc["openai/gpt2", ["id1332", "id1340"]].tolist() == [0.3333333333333333, 0.36363636363636365]
