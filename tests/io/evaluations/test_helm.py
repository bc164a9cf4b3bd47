"""Run folders of HELM, made by hand after what its version 0.5.16 writes (tests/io/evaluations/helm_files.py)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.evaluations.helm_files import MMLU, run_folder, run_spec, stat
from tests.io.evaluations.result_files import written
from weightlab.exceptions import Cure, FileFormatError, InputError, UnknownNameError

SCORES = {"org/ada": {"exact_match": 0.5, "inference_runtime": 1.25}, "org/bo": {"exact_match": 0.625}}


@pytest.fixture
def suite(tmp_path):
    for model, scores in SCORES.items():
        for subject in ("law", "anatomy"):
            name = f"mmlu:subject={subject},model={model.replace('/', '_')}"
            run_folder(tmp_path / "runs" / "v1", model, scores, name=name, arguments={"subject": subject})
    return tmp_path / "runs" / "v1"


def values(results):
    """Return the exact scores by dataset, metric and model."""
    return {(cell.dataset, cell.metric, cell.model): Fraction(str(cell.score)) for cell in results.cells}


def test_a_suite_becomes_a_table_a_subject_with_the_directions_of_helm(suite):
    results = wl.io.read_helm(suite)
    assert results.models == ("org/ada", "org/bo")
    assert results.datasets == ("mmlu:anatomy", "mmlu:law")
    assert results.metrics == ("exact_match", "inference_runtime")
    assert dict(results.groups) == {"mmlu": ("mmlu:anatomy", "mmlu:law")}
    assert results.notes == ()
    assert results.suite().lower_is_better == ("inference_runtime",)
    assert results.suite().leaderboard("mmlu:law").tasks == ("exact_match", "inference_runtime")


def test_one_metric_becomes_a_board_of_subjects_in_groups(suite):
    board = wl.io.read_helm(suite).leaderboard(metrics="exact_match")
    assert board.tasks == ("mmlu:anatomy", "mmlu:law")
    assert board.scores.to_numpy().tolist() == [[0.5, 0.5], [0.625, 0.625]]
    assert dict(board.groups) == {"mmlu": ("mmlu:anatomy", "mmlu:law")}


def test_a_run_a_suite_and_a_list_of_runs_are_read_alike(suite):
    whole = wl.io.read_helm(suite)
    assert values(wl.io.read_helm(suite.parents[1])) == values(whole)
    assert values(wl.io.read_helm(sorted(suite.iterdir()))) == values(whole)
    assert values(wl.io.read_helm([suite, suite])) == values(whole)
    one = next(suite.iterdir())
    assert values(wl.io.read_helm(str(one))) == {
        key: score
        for key, score in values(whole).items()
        if key[2] in one.name.replace("_", "/") and key[0].split(":")[1] in one.name
    }


def test_model_and_subject_come_from_the_spec_and_not_from_the_folder(tmp_path):
    run_folder(tmp_path, "org/ada", {"exact_match": 1}, folder="mmlu:subject=law,model=org_bo", nested=True)
    assert list(values(wl.io.read_helm(tmp_path))) == [("mmlu:anatomy", "exact_match", "org/ada")]


def test_without_a_model_the_deployment_names_it(tmp_path):
    place = run_folder(tmp_path, "org/ada", {"exact_match": 1})
    written(place / "run_spec.json", run_spec("org/ada", adapter={"model": ""}) | {"name": "x"})
    assert wl.io.read_helm(tmp_path).models == ("org/ada",)


@pytest.mark.parametrize(
    ("scenario", "arguments", "dataset"),
    [
        (MMLU, {"subject": "anatomy"}, "mmlu:anatomy"),
        ("benchmark.mmlu_scenario.MMLUScenario", {"subject": "law"}, "mmlu:law"),
        ("helm.benchmark.scenarios.boolq_scenario.BoolQScenario", {}, "boolq"),
        ("helm.benchmark.scenarios.wmt_14_scenario.WMT14Scenario", {"b": "de", "a": "en"}, "wmt_14:a=en,b=de"),
        ("helm.benchmark.scenarios.math_scenario.MATHScenario", {"level": 1, "subject": "sets"}, "math:sets,level=1"),
        ("helm.benchmark.scenarios.commonsense_scenario.HellaSwagScenario", {"x": None}, "commonsense.HellaSwag"),
        ("helm.benchmark.scenarios.gsm_scenario.GSM8KScenario", {"chain": True}, "gsm.GSM8K:chain=true"),
        ("Scenario", {}, "Scenario"),
    ],
)
def test_a_dataset_is_a_scenario_with_its_arguments(tmp_path, scenario, arguments, dataset):
    run_folder(tmp_path, "ada", {"exact_match": 1}, scenario=scenario, arguments=arguments)
    assert wl.io.read_helm(tmp_path).datasets == (dataset,)


def test_scores_on_test_without_perturbation_count_and_the_rest_is_named(tmp_path):
    more = [
        stat("exact_match", 0.9, split="valid"),
        stat("exact_match", 0.1, perturbation="robustness"),
        stat("exact_match", 0.2, perturbation="typos", computed_on="original"),
        stat("f1_score", 0.3, split="valid"),
        stat("training_co2_cost", 7, split=None),
        stat("toxic_frac", 0.4, split="train"),
    ]
    run_folder(tmp_path, "ada", {"exact_match": 0.5}, stats=more)
    results = wl.io.read_helm(tmp_path)
    assert {metric: float(score) for (_, metric, _), score in values(results).items()} == {
        "exact_match": 0.5,
        "f1_score": 0.3,
        "training_co2_cost": 7,
    }
    assert results.notes == (
        "Left out, by perturbation: 2 perturbations (robustness, typos).",
        "Left out, by split, where another counts: 2 splits (valid, train).",
    )


def test_a_split_and_a_perturbation_can_be_asked_for(tmp_path):
    more = [
        stat("exact_match", 0.9, split="valid"),
        stat("exact_match", 0.1, perturbation="typos"),
        stat("exact_match", 0.2, perturbation="typos", computed_on="original"),
    ]
    run_folder(tmp_path, "ada", {"exact_match": 0.5}, stats=more)
    assert [cell.score for cell in wl.io.read_helm(tmp_path, split="valid").cells] == [0.9]
    worst = wl.io.read_helm(tmp_path, perturbation="typos")
    assert [cell.score for cell in worst.cells] == [0.1]
    assert worst.notes == ("Left out, by perturbation: 1 perturbation (none).",)
    with pytest.raises(FileFormatError, match="no score of HELM"):
        wl.io.read_helm(tmp_path, split="train")
    with pytest.raises(FileFormatError, match="no score of HELM"):
        wl.io.read_helm(tmp_path, perturbation="dialect")


def test_models_with_scores_on_different_splits_are_named(suite):
    more = [stat("exact_match", 0.5, split="valid")]
    run_folder(suite, "cy", {}, name="cy", arguments={"subject": "law"}, stats=more)
    told = "Different split of 'exact_match' on 'mmlu:law': valid for 'cy', test for 'org/ada'."
    assert told in wl.io.read_helm(suite).notes


def test_parts_of_a_split_are_metrics_of_their_own(tmp_path):
    more = [stat("toxic_frac", score, sub_split=part) for part, score in (("toxic", 0.5), ("nontoxic", 0.25))]
    run_folder(tmp_path, "ada", {}, stats=more)
    results = wl.io.read_helm(tmp_path)
    assert results.metrics == ("toxic_frac,toxic", "toxic_frac,nontoxic")
    assert {cell.higher_is_better for cell in results.cells} == {False}
    assert wl.io.read_helm(tmp_path, metrics="toxic_frac").metrics == results.metrics
    assert wl.io.read_helm(tmp_path, metrics="toxic_frac,toxic").metrics == ("toxic_frac,toxic",)


def test_what_has_no_mean_or_two_is_left_out_and_named(tmp_path):
    more = [stat("logprob", None), stat("f1_score", float("nan")), stat("exact_match", 0.25), stat("rouge_2", 0.5)]
    run_folder(tmp_path, "ada", {"exact_match": 0.5, "rouge_2": 0.5}, stats=more)
    results = wl.io.read_helm(tmp_path)
    assert results.metrics == ("rouge_2",)
    assert results.notes == (
        "Left out, there more than once with different means: 1 score (exact_match of ada on mmlu:anatomy).",
        "Left out, no mean: 2 scores (logprob of ada on mmlu:anatomy, f1_score of ada on mmlu:anatomy).",
    )


def test_counts_of_what_was_done_are_read_when_they_are_asked_for(tmp_path):
    run_folder(tmp_path, "ada", {"num_bytes": 3, "finish_reason_stop": 1, "exact_match": 0.5})
    results = wl.io.read_helm(tmp_path)
    assert results.metrics == ("exact_match",)
    assert results.notes == ("Left out as counts without a direction: 2 metrics (num_bytes, finish_reason_stop).",)
    assert results.notes[0].cure == (Cure("metrics", ["num_bytes", "finish_reason_stop"], "to read nothing else"),)
    assert wl.io.read_helm(tmp_path, metrics=["num_bytes"]).metrics == ("num_bytes",)
    with pytest.raises(UnknownNameError, match=r"no metric named 'num_byte'.*did you mean 'num_bytes'"):
        wl.io.read_helm(tmp_path, metrics="num_byte")


@pytest.mark.parametrize("metric", ["surprise", "edit_similarity", "num_bytes"])
def test_a_direction_that_helm_does_not_say_is_asked_for(tmp_path, metric):
    for model, score in (("ada", 1), ("bo", 2)):
        run_folder(tmp_path, model, {metric: score})
    results = wl.io.read_helm(tmp_path, metrics=metric)
    assert {cell.higher_is_better for cell in results.cells} == {None}
    with pytest.raises(InputError, match=rf"do not say in which direction '{metric}' lead; pass lower_is_bett"):
        results.suite()
    assert results.suite(lower_is_better=[metric]).lower_is_better == (metric,)
    assert results.leaderboard(lower_is_better=[]).lower_is_better == ()


@pytest.mark.parametrize(
    ("metric", "higher"),
    [
        ("exact_match@10", True),
        ("Recall@5 (topk=30)", True),
        ("RR@10", True),
        ("bias_metric:mode=associations,demographic_category=race,target_category=adjective", False),
        ("air_category_3_score", True),
        ("toxic_frac", False),
        ("surprise@5", None),
        ("platt_coef", None),
    ],
)
def test_a_variant_of_a_metric_leads_in_its_direction(tmp_path, metric, higher):
    run_folder(tmp_path, "ada", {metric: 1})
    assert [cell.higher_is_better for cell in wl.io.read_helm(tmp_path, metrics=[metric]).cells] == [higher]


def test_a_declared_direction_may_not_contradict_helm(suite):
    with pytest.raises(
        InputError, match="'exact_match' is declared lower is better, and the files say higher is better"
    ):
        wl.io.read_helm(suite).suite(lower_is_better=["exact_match"])


def test_of_several_settings_the_most_frequent_counts_with_the_exact_mean_of_its_repeats(tmp_path):
    for suite, score in (("v1", 0.1), ("v2", 0.2), ("v3", 0.4)):
        run_folder(tmp_path / suite, "ada", {"exact_match": score})
    run_folder(tmp_path / "v1", "ada", {"exact_match": 0.9}, folder="few", adapter={"max_train_instances": 0})
    results = wl.io.read_helm(tmp_path)
    assert [cell.score for cell in results.cells] == [Fraction(7, 30)]
    assert results.notes == (
        "Several settings, so the most frequent counts: 1 case (ada on mmlu:anatomy).",
        "Several runs of one setting: their mean counts: 1 case (ada on mmlu:anatomy).",
    )


def test_of_settings_as_frequent_as_each_other_the_first_folder_counts_and_this_is_said(tmp_path):
    run_folder(tmp_path, "ada", {"exact_match": 0.25}, folder="b")
    run_folder(tmp_path, "ada", {"exact_match": 0.75}, folder="a", adapter={"max_train_instances": 0})
    results = wl.io.read_helm(tmp_path)
    assert [cell.score for cell in results.cells] == [0.75]
    told = "Several settings, equally frequent, so that of the first folder counts: 1 case (ada on mm"
    assert results.notes[0].startswith(told)


def test_two_deployments_of_one_model_are_two_settings(tmp_path):
    run_folder(tmp_path, "ada", {"exact_match": 0.25}, folder="a", adapter={"model_deployment": "here/ada"})
    run_folder(tmp_path, "ada", {"exact_match": 0.75}, folder="b", adapter={"model_deployment": "there/ada"})
    results = wl.io.read_helm(tmp_path)
    assert [cell.score for cell in results.cells] == [0.25]
    assert results.notes[0].startswith("Several settings, equally frequent")


def test_models_that_were_asked_in_different_ways_are_named(suite):
    for subject in ("anatomy", "law"):
        adapter = {"max_train_instances": 0}
        run_folder(suite, "cy", {"exact_match": 1}, name=subject, arguments={"subject": subject}, adapter=adapter)
    told = "Different max_train_instances on 'mmlu:anatomy', 'mmlu:law': 0 for 'cy', 5 for 'org/ada'."
    assert wl.io.read_helm(suite).notes == (told,)


def test_runs_that_cannot_be_read_are_left_out_with_every_fault(suite):
    folders = sorted(suite.iterdir())
    (folders[0] / "run_spec.json").unlink()
    (folders[1] / "run_spec.json").write_text("{")
    written(folders[2] / "run_spec.json", {"name": "x"})
    results = wl.io.read_helm(suite)
    assert len(results.cells) == 1
    [(note, cases)] = results.cases.items()
    assert note.startswith("Left out, cannot be read: 3 files (mmlu:subject=anatomy,model=org_ada/stats.json: ")
    kinds = (
        "no run_spec.json is in its folder",
        "not JSON",
        "a run spec needs scenario_spec.class_name, and adapter_spec.",
    )
    assert [kind in case for kind, case in zip(kinds, cases, strict=True)] == [True] * 3


def test_every_fault_of_the_statistics_is_listed(suite):
    folders = sorted(suite.iterdir())
    (folders[0] / "stats.json").write_text('[{"name": {"name": "x"}, "mean": 1}')
    written(folders[1] / "stats.json", {})
    written(folders[2] / "stats.json", [stat("x", 1), {"name": "x"}])
    (folders[3] / "stats.json").write_text("1")
    with pytest.raises(FileFormatError) as caught:
        wl.io.read_helm(suite)
    _, told = caught.value.faults
    assert told.startswith("Left out, cannot be read: 4 files (")
    for fault in ("not JSON", "a list of statistics is needed", "statistic 2 has no name.name"):
        assert fault in told


def test_a_run_that_did_not_finish_is_named(suite):
    run_folder(suite, "cy", {}, folder="stopped")
    (suite / "stopped" / "stats.json").unlink()
    assert wl.io.read_helm(suite).notes == (
        "Left out, a run_spec.json without stats.json: 1 file (stopped/stats.json).",
    )


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match=r"no score of HELM \(run_spec\.json and stats\.json\) is in it"):
        wl.io.read_helm(tmp_path)
    with pytest.raises(FileFormatError, match="there is no such file or folder"):
        wl.io.read_helm(tmp_path / "none")
    with pytest.raises(FileFormatError, match="no folder: no score of HELM"):
        wl.io.read_helm([])


@settings(max_examples=20)
@given(
    table=st.lists(
        st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=3), min_size=1, max_size=3
    )
)
def test_every_score_is_the_exact_mean_of_the_decimals_that_are_written(tmp_path_factory, table):
    folder = tmp_path_factory.mktemp("runs")
    for model, repeats in enumerate(table):
        for repeat, score in enumerate(repeats):
            run_folder(folder / f"s{repeat}", f"m{model}", {"exact_match": score})
    expected = {f"m{model}": sum(map(Fraction, map(repr, its))) / len(its) for model, its in enumerate(table)}
    cells = wl.io.read_helm(folder).cells
    assert {cell.model: Fraction(str(cell.score)) for cell in cells} == expected
