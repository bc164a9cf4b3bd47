"""Result folders of MTEB, made by hand after what its version 2.1 writes."""

from __future__ import annotations

from fractions import Fraction

import pytest

import weightlab as wl
from tests.io.evaluations.result_files import written
from weightlab.exceptions import FileFormatError, InputError


def task_file(folder, model, task, scores, *, revision="r1", split="test", meta=True):
    """Write one task: scores by subset, a subset in a language of its own."""
    place = folder / model.replace("/", "__") / revision
    if meta:
        written(place / "model_meta.json", {"name": model, "revision": revision})
    rows = [
        {"main_score": score, "hf_subset": subset, "languages": [f"{subset}-Latn"]} for subset, score in scores.items()
    ]
    document = {"task_name": task, "mteb_version": "2.1.0", "dataset_revision": "d", "scores": {split: rows}}
    return written(place / f"{task}.json", document)


@pytest.fixture
def folder(tmp_path):
    task_file(tmp_path, "org/ada", "Banking", {"eng": 0.8})
    task_file(tmp_path, "org/ada", "Massive", {"eng": 0.7, "deu": 0.6, "fra": 0.6})
    task_file(tmp_path, "org/bo", "Banking", {"eng": 0.75}, meta=False)
    task_file(tmp_path, "org/bo", "Massive", {"eng": 0.9, "deu": 0.5, "fra": 0.1}, meta=False)
    return tmp_path


def test_the_score_of_a_task_is_the_exact_mean_over_its_subsets(folder):
    results = wl.io.read_mteb(folder)
    assert results.models == ("org/ada", "org/bo")
    assert [Fraction(str(score)) for score in results.frame()["score"]] == [
        Fraction(4, 5),
        Fraction(19, 30),
        Fraction(3, 4),
        Fraction(1, 2),
    ]
    assert results.notes == ()


def test_the_direction_is_asked_for(folder):
    results = wl.io.read_mteb(folder)
    with pytest.raises(InputError, match="do not say in which direction 'Banking', 'Massive' lead"):
        results.leaderboard()
    assert results.leaderboard(lower_is_better=[]).tasks == ("Banking", "Massive")


@pytest.mark.parametrize("language", ["deu", "deu-Latn", ["deu"]])
def test_languages_choose_subsets(folder, language):
    frame = wl.io.read_mteb(folder, languages=language).frame()
    assert list(zip(frame["dataset"], frame["score"], strict=True)) == [("Massive", 0.6), ("Massive", 0.5)]


def test_several_revisions_are_several_models(folder):
    task_file(folder, "org/ada", "Banking", {"eng": 0.1}, revision="r2")
    told = "Several revisions of 'org/ada', each a model of its own: 'r1', 'r2'."
    assert told in wl.io.read_mteb(folder).notes
    assert wl.io.read_mteb(folder).models == ("org/ada@r1", "org/ada@r2", "org/bo")


def test_means_over_different_subsets_are_named(folder):
    task_file(folder, "org/cy", "Massive", {"eng": 0.9, "deu": None})
    notes = wl.io.read_mteb(folder).notes
    assert "Different subsets or splits on 'Massive': 3 of 'test' for 'org/ada', 1 of 'test' for 'org/cy'." in notes
    assert "Left out, no number: 'deu' of 'Massive' for 'org/cy'." in notes


def test_of_several_splits_test_counts_or_the_one_that_is_said(tmp_path):
    rows = [{"main_score": 0.5, "hf_subset": "default", "languages": ["eng-Latn"]}]
    path = tmp_path / "ada" / "r1" / "Task.json"
    written(path, {"task_name": "Task", "scores": {"dev": rows, "test": [rows[0] | {"main_score": 0.25}]}})
    results = wl.io.read_mteb(tmp_path)
    assert (results.cells[0].score, results.notes) == (0.25, ("Left out: 'dev' of 'Task' (another split counts).",))
    assert wl.io.read_mteb(tmp_path, split="dev").cells[0].score == 0.5
    written(path, {"task_name": "Task", "scores": {"dev": rows, "train": rows}})
    with pytest.raises(FileFormatError, match="several splits and no 'test': 'dev', 'train'"):
        wl.io.read_mteb(tmp_path)


def test_what_is_not_of_mteb_is_refused(tmp_path):
    written(tmp_path / "a.json", {"scores": {}})
    with pytest.raises(FileFormatError, match="no task file of MTEB"):
        wl.io.read_mteb(tmp_path)
    with pytest.raises(FileFormatError, match="there is no such file or folder"):
        wl.io.read_mteb(tmp_path / "none")
    twice = [{"main_score": 1, "hf_subset": "x"}] * 2
    written(tmp_path / "a.json", {"task_name": "T", "scores": {"test": twice}})
    with pytest.raises(FileFormatError, match="subset 'x' is there twice"):
        wl.io.read_mteb(tmp_path)


def test_two_files_of_one_model_and_task_are_refused(folder):
    written(folder / "org__ada" / "r1" / "copy.json", {"task_name": "Banking", "scores": {"test": [{"main_score": 1}]}})
    with pytest.raises(FileFormatError, match="'org/ada' has a score on 'Banking' in another file, too"):
        wl.io.read_mteb(folder)


def test_a_folder_of_mteb_is_read_where_a_file_is(folder):
    assert wl.read_leaderboard(folder, lower_is_better=[]).tasks == ("Banking", "Massive")


@pytest.mark.parametrize("rows", [3, [], [3, {"x": 1}]])
def test_files_without_a_score_are_named_with_their_models(folder, rows):
    for model in ("org__ada", "org__bo"):
        written(folder / model / "r1" / "{Task}.json", {"task_name": "{Task}", "scores": {"test": rows}})
    results = wl.io.read_mteb(folder)
    assert "Left out, no such score: '{Task}' on 'test' for 'org/ada', 'org/bo'." in results.notes
    assert "{Task}" not in results.datasets


def test_files_without_any_score_say_why(tmp_path):
    task_file(tmp_path, "org/ada", "Banking", {"eng": float("nan")})
    with pytest.raises(FileFormatError, match="Left out, no number: 'eng' of 'Banking' for 'org/ada'"):
        wl.io.read_mteb(tmp_path)


def test_a_folder_without_what_is_told_of_models_is_known_by_its_files(tmp_path):
    for model in ("org/ada", "org/bo"):
        task_file(tmp_path, model, "Banking", {"eng": 0.5}, meta=False)
    assert wl.read_leaderboard(tmp_path, lower_is_better=[]).models == ("org/ada", "org/bo")
