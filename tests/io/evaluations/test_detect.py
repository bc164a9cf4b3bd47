"""Folders where files are asked for."""

from __future__ import annotations

import io

import pytest

import weightlab as wl
from tests.io.evaluations.result_files import LATER, lm_eval_file, written
from tests.io.evaluations.test_lm_eval import ADA, BO
from tests.io.evaluations.test_lm_eval_samples import sample, samples_file
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io import ResultsWarning


@pytest.fixture
def folder(tmp_path):
    for model, scores in (("org/ada", ADA), ("org/bo", BO)):
        lm_eval_file(tmp_path / "runs", model, scores)
        samples_file(tmp_path / "runs", model, "arc", [sample(0, acc=1)])
    return tmp_path / "runs"


def test_a_folder_is_read_where_a_file_is(folder):
    with pytest.warns(ResultsWarning, match=r"Every metric is a task .* several: 'arc'; 'metrics' in runs\.toml keeps"):
        assert wl.read_leaderboard(folder).equals(wl.io.read_lm_eval(folder).leaderboard())
    assert wl.read_suite(str(folder)).equals(wl.io.read_lm_eval(folder).suite())
    assert wl.read_instances(folder).equals(wl.io.read_lm_eval_samples(folder))


def test_the_file_beside_a_folder_declares_what_counts(folder):
    folder.with_suffix(".toml").write_text(
        "[metrics]\narc = 'acc'\ngsm8k = 'exact_match,strict-match'\n[weights]\narc = 2\n"
    )
    board = wl.read_leaderboard(folder)
    assert board.tasks == ("arc", "gsm8k")
    assert board.weights.tolist() == [2, 1]
    with pytest.warns(ResultsWarning, match="Left out, without a metric that is kept: 'gsm8k'"):
        assert wl.read_leaderboard(folder, config={"metrics": "acc"}).tasks == ("arc",)


def test_a_folder_with_dots_in_its_name_has_a_file_of_its_own_beside_it(folder):
    version = folder.rename(folder.with_name("v1.0.1"))
    folder.with_name("v1.0.toml").write_text("metrics = 'none'")
    folder.with_name("v1.0.1.toml").write_text("metrics = 'acc_norm'\n[weights]\narc = 3")
    with pytest.warns(ResultsWarning):
        assert wl.read_leaderboard(version).weights.tolist() == [3]


def test_what_is_unknown_names_the_folder_and_what_would_declare_it(tmp_path):
    for model in ("org/ada", "org/bo"):
        lm_eval_file(tmp_path / "runs", model, {"arc": {"acc,none": 0.5}}, directions={})
    asked = r"runs: the files do not say .* 'acc' lead; pass lower_is_better=\['acc'\] where .* or higher_is_better="
    with pytest.raises(FileFormatError, match=asked):
        wl.read_leaderboard(tmp_path / "runs")


def test_the_split_of_mteb_is_a_name_or_one_by_task(tmp_path):
    for model in ("org/ada", "org/bo"):
        rows = {split: [{"main_score": score}] for split, score in (("dev", 0.5), ("train", 0.25))}
        path = tmp_path / model.replace("/", "__") / "r1" / "Pairs.json"
        written(path, {"task_name": "Pairs", "scores": rows})
    options = {"lower_is_better": []}
    with pytest.warns(ResultsWarning, match="Left out, splits other than the one that counts: 2 files"):
        assert wl.read_leaderboard(tmp_path, split="train", **options).scores["Pairs"].tolist() == [0.25, 0.25]
    with pytest.warns(ResultsWarning, match="Left out, splits other than the one that counts: 2 files"):
        assert wl.read_leaderboard(tmp_path, split={"Pairs": "dev"}, **options).scores["Pairs"].tolist() == [0.5, 0.5]
    with pytest.raises(InputError, match="no task named 'dev'"):
        wl.read_leaderboard(tmp_path, split={"dev": "/"}, **options)


def test_the_split_of_helm_is_one_name(tmp_path):
    written(tmp_path / "run" / "run_spec.json", {})
    with pytest.raises(InputError, match=r"of results split is the name of the split that counts; got \{'dev': '/'\}"):
        wl.read_leaderboard(tmp_path, split={"dev": "/"})


@pytest.mark.parametrize("name", ["run_spec.json", "stats.json", "per_instance_stats.json"])
def test_one_file_of_a_run_of_helm_is_refused_with_what_to_give(tmp_path, name):
    written(tmp_path / "run_spec.json", {})
    with pytest.raises(wl.FileFormatError, match=r"one file of a run of HELM; give the folder that holds the runs'"):
        wl.read_leaderboard(written(tmp_path / name, []))


def test_a_folder_of_which_nothing_can_be_read_says_why(tmp_path):
    (tmp_path / "Pairs.json").write_text('{"task_name": "Pairs", "scores": {}, "scores": {}}', encoding="utf-8")
    with pytest.raises(wl.FileFormatError, match=r"not read: Pairs.json \(the key 'scores' occurs more than once"):
        wl.read_leaderboard(tmp_path)


def test_notes_are_warnings(folder):
    lm_eval_file(folder, "org/ada", ADA, stamp=LATER)
    with pytest.warns(ResultsWarning, match=r": the newest counts: 2 cases \(org/ada on arc, org/ada on gsm8k"):
        wl.read_leaderboard(folder)


@pytest.mark.parametrize("options", [{"percent": "arc"}, {"drop": "arc"}, {"format": "csv"}])
def test_what_says_nothing_of_a_folder_is_refused(folder, options):
    with pytest.raises(InputError, match=r"this holds results, to which '.*' does not apply"):
        wl.read_leaderboard(folder, **options)


def test_what_is_said_of_another_program_is_refused(folder):
    with pytest.raises(InputError, match="split is for results of HELM or MTEB; these are of lm-evaluation-harness"):
        wl.read_leaderboard(folder, split={"arc": "/"})


def test_what_is_not_recognised_is_refused_with_what_there_is(tmp_path):
    (tmp_path / "board.csv").write_text("model,x\na,1\n")
    known = r"none of run_spec\.json of HELM, results\*\.json of .*, model_meta\.json of MTEB, .* \*\.eval of Inspect, "
    told = (
        known + r"README\.md with model-index or \.eval_results of Hugging Face; give one of its tables: 'board\.csv'"
    )
    with pytest.raises(FileFormatError, match=told):
        wl.read_leaderboard(tmp_path)
    with pytest.raises(
        FileFormatError, match=r"none of per_instance_stats\.json of HELM, samples_\*\.jsonl of .*, \*_samples"
    ):
        wl.read_instances(tmp_path)
    with pytest.raises(FileFormatError, match="there is no such file or folder"):
        wl.io.read_results(tmp_path / "none")


def test_metrics_say_nothing_of_a_table():
    with pytest.raises(InputError, match="metrics is nothing that read_leaderboard reads"):
        wl.read_leaderboard(io.StringIO("model,x\na,1\nb,2\n"), config={"metrics": "x"})
