"""Scores on single instances from HELM, made by hand after what its version 0.5.16 writes (see helm_files.py)."""

from __future__ import annotations

import warnings
from fractions import Fraction

import pytest

import weightlab as wl
from tests.io.evaluations.helm_files import on_instance, run_folder
from tests.io.evaluations.result_files import written
from weightlab.exceptions import FileFormatError, InputError, UnknownNameError
from weightlab.io import ResultsWarning


def entries(first, second, **more):
    return [on_instance("id1", {"exact_match": first}, **more), on_instance("id2", {"exact_match": second}, **more)]


@pytest.fixture
def suite(tmp_path):
    for model, scores in (("org/ada", (1, 0)), ("org/bo", (0.5, 1))):
        for subject in ("law", "anatomy"):
            arguments = {"subject": subject}
            name = f"{subject},{model.replace('/', '_')}"
            run_folder(tmp_path, model, {}, name=name, arguments=arguments, instances=entries(*scores))
    return tmp_path


def test_a_task_is_a_dataset_and_an_instance_is_called_as_in_the_file(suite):
    instances = wl.io.read_helm_instances(suite)
    assert instances.tasks == ("mmlu:anatomy", "mmlu:law")
    assert instances.models == ("org/ada", "org/bo")
    assert instances.table("mmlu:law").columns == ("id1", "id2")
    assert instances.means().scores["mmlu:law"].tolist() == [0.5, 0.75]
    assert instances.lower_is_better == ()


def test_a_folder_is_read_where_a_file_of_instances_is(suite):
    assert wl.read_instances(suite).equals(wl.io.read_helm_instances(suite))


def test_metrics_of_one_instance_in_several_entries_belong_together(tmp_path):
    both = [*entries(1, 0), on_instance("id1", {"inference_runtime": 0.25, "num_bytes": 3})]
    run_folder(tmp_path, "ada", {}, instances=both)
    with pytest.warns(ResultsWarning, match=r"Left out as counts without a direction: 1 metric \(num_bytes\)"):
        instances = wl.io.read_helm_instances(tmp_path)
    assert instances.tasks == ("exact_match/mmlu:anatomy", "inference_runtime/mmlu:anatomy")
    assert instances.lower_is_better == ("inference_runtime/mmlu:anatomy",)
    assert wl.io.read_helm_instances(tmp_path, metrics="exact_match").tasks == ("mmlu:anatomy",)
    with pytest.raises(UnknownNameError, match="no metric named 'exact'"):
        wl.io.read_helm_instances(tmp_path, metrics="exact")


def test_trials_are_instances_of_their_own(tmp_path):
    run_folder(tmp_path, "ada", {}, instances=[*entries(1, 0), *entries(0.5, 0, trial=1)])
    run_folder(tmp_path, "bo", {}, instances=entries(1, 1))
    table = wl.io.read_helm_instances(tmp_path).table("mmlu:anatomy")
    assert table.columns == ("id1#0", "id2#0", "id1#1", "id2#1")
    assert wl.io.read_helm_instances(tmp_path).means().scores["mmlu:anatomy"].tolist() == [0.375, 1]


def test_perturbed_instances_are_read_when_they_are_asked_for(tmp_path):
    run_folder(tmp_path, "ada", {}, instances=[*entries(1, 0), *entries(0.5, 0, perturbation="typos")])
    with pytest.warns(ResultsWarning, match=r"Left out, by perturbation: 1 perturbation \(typos\)"):
        assert wl.io.read_helm_instances(tmp_path).table("mmlu:anatomy").columns == ("id1", "id2")
    with pytest.warns(ResultsWarning, match=r"Left out, by perturbation: 1 perturbation \(none\)"):
        typos = wl.io.read_helm_instances(tmp_path, perturbation="typos")
    assert typos.table("mmlu:anatomy").columns == ("id1 (typos)", "id2 (typos)")
    everything = wl.io.read_helm_instances(tmp_path, perturbation="all").table("mmlu:anatomy")
    assert everything.columns == ("id1", "id2", "id1 (typos)", "id2 (typos)")


def test_instances_of_another_split_are_left_out(tmp_path):
    run_folder(tmp_path, "ada", {}, instances=[*entries(1, 0), on_instance("id3", {"exact_match": 1}, split="valid")])
    with pytest.warns(ResultsWarning, match=r"Left out, by split, where another counts: 1 split \(valid\)"):
        assert wl.io.read_helm_instances(tmp_path).table("mmlu:anatomy").columns == ("id1", "id2")


def test_repeats_are_averaged_exactly_and_this_is_said(tmp_path):
    for suite, score in (("v1", 0.1), ("v2", 0.2), ("v3", 0.4)):
        run_folder(tmp_path / suite, "ada", {}, instances=entries(score, 1))
    with pytest.warns(ResultsWarning, match=r"of one setting: their mean counts: 1 case \(ada on mmlu"):
        instances = wl.io.read_helm_instances(tmp_path)
    assert instances.table("mmlu:anatomy").cells.exact[0, 0] == Fraction(7, 30)


def test_what_has_no_mean_or_two_is_left_out_and_named(tmp_path):
    doubtful = [*entries(1, 0), on_instance("id1", {"exact_match": 0.5}), on_instance("id3", {"exact_match": None})]
    run_folder(tmp_path, "ada", {}, instances=doubtful)
    with pytest.warns(ResultsWarning) as caught:
        instances = wl.io.read_helm_instances(tmp_path)
    assert instances.table("mmlu:anatomy").columns == ("id2",)
    assert str(caught[0].message).splitlines() == [
        "Left out, there more than once with different means: 1 score (exact_match of ada on mmlu:anatomy, id1).",
        "Left out, no mean: 1 score (exact_match of ada on mmlu:anatomy, id3).",
    ]


def test_a_direction_that_helm_does_not_say_is_asked_for(tmp_path):
    run_folder(tmp_path, "ada", {}, instances=[on_instance("id1", {"surprise": 1})])
    with pytest.raises(InputError, match="do not say in which direction 'mmlu:anatomy' lead"):
        wl.io.read_helm_instances(tmp_path)
    declared = wl.io.read_helm_instances(tmp_path, lower_is_better="surprise", weights={"mmlu:anatomy": "1/3"})
    assert declared.lower_is_better == ("mmlu:anatomy",)
    assert declared.weights.tolist() == [Fraction(1, 3)]


def test_every_fault_is_listed(suite):
    folders = sorted(suite.iterdir())
    (folders[0] / "per_instance_stats.json").write_text("[")
    written(folders[1] / "per_instance_stats.json", {})
    written(folders[2] / "per_instance_stats.json", [{"instance_id": "id1"}, {"stats": []}])
    with pytest.warns(ResultsWarning, match="Left out, cannot be read: 3 files") as caught:
        wl.io.read_helm_instances(suite)
    told = (
        "not JSON",
        "a list of instances is needed",
        "entry 1: a list of statistics is needed; entry 2 has no instance_id",
    )
    assert [fault in str(caught[0].message) for fault in told] == [True] * 3


def test_runs_without_scores_on_instances_are_named_or_refused(suite):
    run_folder(suite, "cy", {"exact_match": 1}, folder="plain")
    with pytest.warns(ResultsWarning, match=r"without per_instance_stats\.json: 1 file \(plain/"):
        wl.io.read_helm_instances(suite)
    with warnings.catch_warnings(), pytest.raises(FileFormatError, match="no score of HELM"):
        wl.io.read_helm_instances(suite / "plain")
