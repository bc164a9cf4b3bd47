"""Result folders of MTEB: what is placed, what is left out with one note a kind, and what is asked for."""

from __future__ import annotations

import json
import re
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from tests.io.evaluations.result_files import mteb_file, mteb_folder, mteb_rows, old_mteb_file, written
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io import ResultsWarning


@pytest.fixture
def folder(tmp_path):
    mteb_file(tmp_path, "org/ada", "Banking", {"eng": 0.8})
    mteb_file(tmp_path, "org/ada", "Massive", {"eng": 0.7, "deu": 0.6, "fra": 0.6})
    mteb_file(tmp_path, "org/bo", "Banking", {"eng": 0.75}, meta=False)
    mteb_file(tmp_path, "org/bo", "Massive", {"eng": 0.9, "deu": 0.5, "fra": 0.1}, meta=False)
    return tmp_path


def scores(results):
    return {(cell.model, cell.dataset): cell.score for cell in results.cells}


def only(results, model, dataset):
    return Fraction(str(scores(results)[model, dataset]))


@settings(max_examples=25)
@given(dice=DICE)
def test_every_folder_is_read_as_far_as_it_can_be_placed(dice):
    with tempfile.TemporaryDirectory() as place:
        expected = mteb_folder(Path(place), dice.below)
        if not expected:
            with pytest.raises(FileFormatError, match="no score of MTEB"):
                wl.io.read_mteb(place)
            return
        results = wl.io.read_mteb(place)
        files = {path.name for path in Path(place).rglob("*.json")}
    revisions = {model: {revision for its, revision, _ in expected if its == model} for model, _, _ in expected}
    assert fractions_of(results) == {
        (model if len(revisions[model]) == 1 else f"{model}@{revision}", task): sum(
            (Fraction(str(score)) for score in its), Fraction(0)
        )
        / len(its)
        for (model, revision, task), its in expected.items()
    }
    assert files
    assert len(results.notes) <= 10
    assert tuple(results.cases) == results.notes
    json.dumps(dict(results.cases))


@given(dice=DICE)
@settings(max_examples=10)
def test_the_newest_revision_gives_each_task_of_a_model_one_score(dice):
    with tempfile.TemporaryDirectory() as place:
        if not mteb_folder(Path(place), dice.below):
            return
        newest, every = wl.io.read_mteb(place, revision="newest"), wl.io.read_mteb(place)
    assert len(scores(newest)) == len(newest.cells)
    by_name = {(model.partition("@")[0], task) for model, task in scores(every)}
    assert set(scores(newest)) == by_name
    assert not any("@" in model for model in newest.models)


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


def test_numbers_that_no_double_prints_as_are_read_exactly(tmp_path):
    place = tmp_path / "ada" / "r1"
    place.mkdir(parents=True)
    text = '{"task_name": "%s", "scores": {"test": [%s]}}'
    row = '{"main_score": %s, "hf_subset": "%s"}'
    (place / "A.json").write_text(text % ("A", row % ("0.12345678901234567890123", "x")))
    two = ", ".join([row % ("0.12345678901234567890123", "x"), row % ("1e-30", "y")])
    (place / "B.json").write_text(text % ("B", two))
    written_exactly = Fraction("0.12345678901234567890123")
    found = scores(wl.io.read_mteb(tmp_path))
    assert found == {("ada", "A"): written_exactly, ("ada", "B"): (written_exactly + Fraction(1, 10**30)) / 2}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "1e999999999", '"0.5"', "true", "[]"])
def test_what_is_no_number_in_the_range_of_doubles_is_left_out(folder, number):
    path = folder / "org__ada" / "r1" / "Other.json"
    path.write_text('{"task_name": "Other", "scores": {"test": [{"main_score": NUMBER}]}}'.replace("NUMBER", number))
    results = wl.io.read_mteb(folder)
    assert "Other" not in results.datasets
    assert results.notes == ("Left out, no score that is a number: 1 file (org__ada/r1/Other.json).",)


def test_higher_is_taken_as_better_and_said_unless_declared(folder):
    results = wl.io.read_mteb(folder)
    with pytest.warns(ResultsWarning, match="Higher main_score is taken as better"):
        board = results.leaderboard()
    assert board.lower_is_better == ()
    assert results.leaderboard(lower_is_better=[]).tasks == ("Banking", "Massive")
    assert results.leaderboard(lower_is_better=["Massive"]).lower_is_better == ("Massive",)
    with pytest.warns(ResultsWarning, match="Higher main_score is taken as better"):
        assert results.suite().lower_is_better == ()


@pytest.mark.parametrize("language", ["deu", "deu-Latn", ["deu"]])
def test_languages_choose_subsets(folder, language):
    frame = wl.io.read_mteb(folder, languages=language).frame()
    assert list(zip(frame["dataset"], frame["score"], strict=True)) == [("Massive", 0.6), ("Massive", 0.5)]


def test_a_subset_counts_only_if_all_its_languages_are_asked_for(tmp_path):
    mteb_file(tmp_path, "ada", "Pairs", {"eng": 0.25, "deu-eng": 0.5, "deu-fra": 1})
    assert only(wl.io.read_mteb(tmp_path, languages="eng"), "ada", "Pairs") == Fraction(1, 4)
    assert only(wl.io.read_mteb(tmp_path, languages=["eng", "deu"]), "ada", "Pairs") == Fraction(3, 8)
    with pytest.raises(FileFormatError, match="no requested subset: 1 file"):
        wl.io.read_mteb(tmp_path, languages="fra")
    with pytest.raises(InputError, match="no language named 'dan'"):
        wl.io.read_mteb(tmp_path, languages=["eng", "dan"])


def test_subsets_and_tasks_are_chosen_by_name(folder):
    assert only(wl.io.read_mteb(folder, subsets=["eng", "deu"]), "org/ada", "Massive") == Fraction(13, 20)
    by_task = wl.io.read_mteb(folder, subsets={"Massive": "fra"})
    assert only(by_task, "org/ada", "Massive") == Fraction(3, 5)
    assert only(by_task, "org/ada", "Banking") == Fraction(4, 5)
    assert wl.io.read_mteb(folder, tasks="Massive").datasets == ("Massive",)
    for asked, fault in (
        ({"tasks": ["Massiv"]}, "no task named 'Massiv'"),
        ({"subsets": ["english"]}, "no subset named 'english'"),
        ({"subsets": {"Massiv": "eng"}}, "no task named 'Massiv'"),
        ({"split": {"Massiv": "dev"}}, "no task named 'Massiv'"),
        ({"revision": "r1"}, "revision must be 'newest' or left out; got 'r1'"),
    ):
        with pytest.raises(InputError, match=fault):
            wl.io.read_mteb(folder, **asked)


def test_a_task_list_is_declared_in_the_file_beside_the_folder(folder, tmp_path_factory):
    place = tmp_path_factory.mktemp("declared") / "results"
    for model, revision, score in (("ada", "r1", 0.5), ("ada", "r2", 0.75), ("bo", "r1", 0.6)):
        version = "1.9.0" if revision == "r1" else "1.10.0"
        for task in ("A", "B", "C"):
            mteb_file(place, model, task, {"eng": score, "deu": 0.1}, revision=revision, version=version, split="dev")
    declared = 'tasks = ["B", "A"]\nrevision = "newest"\nsubsets = { A = "deu", B = ["eng"] }\nlower_is_better = []\n'
    place.with_name("results.toml").write_text(declared + 'split = { A = "dev", B = "dev" }\n')
    with pytest.warns(ResultsWarning, match="Left out, a newer revision has the task: 2 scores"):
        board = wl.read_leaderboard(place)
    assert board.models == ("ada", "bo")
    assert board.scores.to_dict() == {"A": {"ada": 0.1, "bo": 0.1}, "B": {"ada": 0.75, "bo": 0.6}}


def test_several_revisions_are_several_models_or_the_newest(folder):
    mteb_file(folder, "org/ada", "Banking", {"eng": 0.1}, revision="r2", version="2.0.9")
    mteb_file(folder, "org/ada", "Banking", {"eng": 0.2}, revision="external", version="9.0.0")
    every = wl.io.read_mteb(folder)
    assert every.models == ("org/ada@external", "org/ada@r1", "org/ada@r2", "org/bo")
    assert every.cases == {
        "Several revisions, each a model of its own (revision='newest' keeps one per task): 1 model "
        "(org/ada: external, r1, r2).": ("org/ada: external, r1, r2",)
    }
    newest = wl.io.read_mteb(folder, revision="newest")
    assert scores(newest)["org/ada", "Banking"] == 0.8
    mteb_file(folder, "org/ada", "Banking", {"eng": 0.1}, revision="r2", version="2.1.0")
    tied = wl.io.read_mteb(folder, revision="newest")
    assert scores(tied)["org/ada", "Banking"] == 0.1
    assert any("neither version nor date tells apart the last by name counts: 1 score" in note for note in tied.notes)
    assert any("Scores of several revisions under one name" in note for note in tied.notes)


@pytest.mark.parametrize("dates", [("2026-01-01T00:00:00", "2026-02-01T00:00:00Z"), (1.7e9, 1.8e9), (None, 1.8e9)])
def test_of_equal_versions_the_later_date_is_newer(tmp_path, dates):
    for revision, date, score in zip(("z", "a"), dates, (0.25, 0.5), strict=True):
        document = {
            "task_name": "T",
            "mteb_version": "2.1",
            "date": date,
            "scores": {"test": mteb_rows({"eng": score})},
        }
        written(tmp_path / "ada" / revision / "T.json", document)
    assert scores(wl.io.read_mteb(tmp_path, revision="newest")) == {("ada", "T"): 0.5}


def test_means_over_different_subsets_are_never_ranked_silently(folder):
    mteb_file(folder, "org/cy", "Massive", {"eng": 0.9, "deu": None})
    results = wl.io.read_mteb(folder)
    told = "hard to compare .*: 1 task .Massive .3 of 'test' for org/ada, 1 of 'test' for org/cy"
    with pytest.warns(ResultsWarning, match=told):
        results.leaderboard(lower_is_better=[])
    with pytest.warns(ResultsWarning) as caught:
        wl.read_leaderboard(folder, lower_is_better=[])
    assert sum("hard to compare" in str(one.message) for one in caught) == 1
    assert "Left out, subsets without a number as score: 1 file (org__cy/r1/Massive.json)." in results.notes
    assert wl.io.read_mteb(folder, subsets="eng").doubts == ()


def test_of_several_splits_test_counts_or_the_one_that_is_said(tmp_path):
    dev, path = mteb_rows({"eng": 0.5}), tmp_path / "ada" / "r1" / "Task.json"
    written(path, {"task_name": "Task", "scores": {"dev": dev, "test": mteb_rows({"eng": 0.25})}})
    results = wl.io.read_mteb(tmp_path)
    told = "Left out, splits other than the one that counts: 1 file (ada/r1/Task.json)."
    assert (results.cells[0].score, results.notes) == (0.25, (told,))
    assert wl.io.read_mteb(tmp_path, split="dev").cells[0].score == 0.5
    written(path, {"task_name": "Task", "scores": {"dev": dev, "train": mteb_rows({"eng": 0.75})}})
    with pytest.raises(FileFormatError, match="several splits and none is 'test'"):
        wl.io.read_mteb(tmp_path)
    assert wl.io.read_mteb(tmp_path, split={"Task": "train"}).cells[0].score == 0.75
    with pytest.raises(FileFormatError, match="not on the requested split: 1 file"):
        wl.io.read_mteb(tmp_path, split="test")


def test_a_note_counts_its_files_and_names_three_of_different_tasks(folder):
    for task in ("A", "B"):
        for at in range(600):
            path = folder / f"org__m{at}" / "r1" / f"{task}.json"
            written(path, {"task_name": task, "scores": {"long": [], "short": []}})
    (note,) = wl.io.read_mteb(folder).notes
    assert "1,200 files of 2 tasks (org__m0/r1/A.json, org__m0/r1/B.json, org__m1/r1/A.json and 1,197 more)" in note
    assert len(wl.io.read_mteb(folder).cases[note]) == 1_200


OLD = [
    ({"test": {"evaluation_time": 1, "p-MRR": -0.25}}, "T", "-1/4"),
    ({"test": {"ndcg_at_1": 0.1, "ndcg_at_10": 0.2, "map_at_10": 0.3}}, "T", "1/5"),
    ({"test": {"ndcg_at_1": 0.1, "ndcg_at_10": 0.2}}, "LEMBPasskeyRetrieval", "1/10"),
    ({"test": {"ndcg_at_10": 0.1, "recall_at_100": 0.2}}, "BSARDRetrieval", "1/5"),
    ({"test": {"cos_sim": {"pearson": 0.1, "spearman": 0.2}, "euclidean": {"spearman": 0.3}}}, "T", "1/5"),
    ({"test": {"cos_sim": {"ap": 0.1, "accuracy": 0.9}, "dot": {"ap": 0.2}}}, "T", "1/5"),
    ({"validation": {"cos_sim": {"ap": 0.1, "accuracy": 0.9}, "dot": {"accuracy": 0.5}}}, "Ocnli", "9/10"),
    ({"test": {"fr": {"map": 0.5}, "en": {"map": 0.25}, "evaluation_time": 3}}, "T", "3/8"),
    ({"test": {"accuracy": 0.5, "f1": 0.4}}, "T", "1/2"),
    ({"test": {"accuracy": 0.5, "f1": 0.4, "precision": 0.3, "recall": 0.2}}, "T", "2/5"),
    ({"test": {"accuracy": 0.5, "main_score": 0.75}}, "T", "3/4"),
]


@pytest.mark.parametrize(("splits", "task", "score"), OLD)
def test_files_of_mteb_1_are_read_by_the_metric_that_ranks_such_tasks(tmp_path, splits, task, score):
    old_mteb_file(tmp_path, "org/ada", task, splits)
    results = wl.io.read_mteb(tmp_path)
    assert only(results, "org/ada", task) == Fraction(score)
    assert len(results.notes) == ("main_score" not in json.dumps(splits))
    # As text: the standard error is not a number, which is never equal to itself.
    assert str(wl.io.read_results(next(tmp_path.rglob("*.json"))).cells) == str(results.cells)


def test_files_that_say_no_language_are_left_out_where_one_is_asked_for(folder):
    old_mteb_file(folder, "org/ada", "Old", {"test": {"ndcg_at_10": 0.5}}, revision="r1")
    results = wl.io.read_mteb(folder, languages="eng")
    assert "Old" not in results.datasets
    told = "Left out, subsets of unknown language, since languages are selected: 1 file"
    assert any(note.startswith(told) for note in results.notes)


def test_what_is_not_of_mteb_is_refused(tmp_path):
    written(tmp_path / "a.json", {"scores": {}})
    with pytest.raises(FileFormatError, match="no score of MTEB"):
        wl.io.read_mteb(tmp_path)
    with pytest.raises(FileFormatError, match="there is no such file or folder"):
        wl.io.read_mteb(tmp_path / "none")


DEEP = '{"task_name": "X", "scores": ' + "[" * 200_000


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (DEEP.encode(), "JSON that is too deeply nested"),
        (b"[1]", "other JSON than results on a task"),
        (b'{"task_name": 3, "scores": {}}', "other JSON than results on a task"),
        (b'{"task_name": "X", "scores": {}}', "several splits and none is 'test' .*"),
        (b'{"task_name": "X", "scores": {"test": 3}}', "no score that is a number"),
        (b'{"task_name": "X", "scores": {"test": [3, {"x": 1}]}}', "no score that is a number"),
        (b'{"task_name": "X", "task_name": "Y", "scores": {}}', "a JSON key twice in one object, with different .*"),
        (b'{"task_name": "\\ud800", "scores": {"test": [{"main_score": 1}]}}', "names with half a surrogate pair.*"),
        (
            b'{"task_name": "X", "scores": {"test": [{"main_score": 1}, {"main_score": 2}]}}',
            "a subset twice, with different scores",
        ),
    ],
)
def test_nothing_awkward_ends_the_reading(folder, data, kind):
    before = scores(wl.io.read_mteb(folder))
    (folder / "org__ada" / "r1" / "Awkward.json").write_bytes(data)
    results = wl.io.read_mteb(folder)
    assert scores(results) == before
    (note,) = results.notes
    assert note.startswith("Left out, ")
    assert note.endswith(": 1 file (org__ada/r1/Awkward.json).")
    assert re.fullmatch(f"Left out, {kind}: 1 file.*", note)


def test_a_task_twice_for_one_revision_is_read_once_if_both_say_the_same(folder):
    copy = folder / "org__ada" / "r1" / "copy.json"
    written(copy, {"task_name": "Banking", "scores": {"test": mteb_rows({"eng": 0.8})}})
    results = wl.io.read_mteb(folder)
    assert scores(results)["org/ada", "Banking"] == 0.8
    assert "Several times with the same scores: 1 case (org/ada on Banking)." in results.notes
    written(copy, {"task_name": "Banking", "scores": {"test": mteb_rows({"eng": 0.7})}})
    results = wl.io.read_mteb(folder)
    assert ("org/ada", "Banking") not in scores(results)
    assert any(note.startswith("Nothing tells which of several scores is the newest, a") for note in results.notes)


@pytest.mark.parametrize("meta", ["{", "3", '{"name": 3, "revision": null}', '{"name": ""}'])
def test_a_broken_description_of_a_model_leaves_its_folders_names(folder, meta):
    (folder / "org__ada" / "r1" / "model_meta.json").write_text(meta)
    assert wl.io.read_mteb(folder).models == ("org/ada", "org/bo")


def test_a_folder_whose_name_is_no_text_is_left_out(folder):
    try:
        mteb_file(folder, "org/\udc80", "Banking", {"eng": 0.5}, meta=False)
    except OSError:
        pytest.skip("this file system knows no such name")
    results = wl.io.read_mteb(folder)
    assert results.models == ("org/ada", "org/bo")
    assert results.notes[0].startswith("Left out, names with half a surrogate pair")
    assert results.notes[0].isascii()


def test_a_folder_of_mteb_is_read_where_a_file_is(folder):
    assert wl.read_leaderboard(folder, lower_is_better=[]).tasks == ("Banking", "Massive")


def test_files_without_any_score_say_why(tmp_path):
    mteb_file(tmp_path, "org/ada", "Banking", {"eng": float("nan")})
    with pytest.raises(FileFormatError, match="Left out, no score that is a number: 1 file"):
        wl.io.read_mteb(tmp_path)


def test_a_folder_without_what_is_told_of_models_is_known_by_its_files(tmp_path):
    for model in ("org/ada", "org/bo"):
        mteb_file(tmp_path, model, "Banking", {"eng": 0.5}, meta=False)
    assert wl.read_leaderboard(tmp_path, lower_is_better=[]).models == ("org/ada", "org/bo")


def test_the_awkward_files_of_the_public_results_are_read_around(shared_data):
    results = wl.io.read_mteb(shared_data / "real" / "mteb_odd")
    assert {pair: float(score) for pair, score in scores(results).items()} == {
        ("BAAI/bge-base-en", "News21InstructionRetrieval"): -0.0013215664258429544,
        ("HIT-TMG/KaLM-embedding-multilingual-mini-instruct-v1", "STS22"): pytest.approx(0.7013795633046799, rel=1e-15),
        ("codefuse-ai/F2LLM-v2-80M (model_kwargs_{})", "AILACasedocs"): 0.20234,
    }
    kinds = ("several splits", "MTEB 1.0 to 1.10", "a subset twice with the same", "a JSON key twice")
    assert [any(kind in note for note in results.notes) for kind in kinds] == [True] * len(results.notes)
    with pytest.warns(ResultsWarning, match="Left out, several splits"):
        board = wl.read_leaderboard(shared_data / "real" / "mteb_odd", lower_is_better=[])
    assert (len(board.models), len(board.tasks)) == (3, 3)
    split = {"OpusparcusPC": "validation.full"}
    chosen = scores(wl.io.read_mteb(shared_data / "real" / "mteb_odd", split=split, subsets={"OpusparcusPC": "de"}))
    assert float(chosen["Alibaba-NLP/gte-Qwen1.5-7B-instruct", "OpusparcusPC"]) == 0.978558


# What MTEB itself wrote: its two random baselines on sentence pairs in two languages and on two splits.

RESULTS = Path(__file__).parents[2] / "fixtures" / "mteb"

DENSE, SPARSE = "mteb/baseline-random-encoder", "mteb/baseline-random-sparse-encoder"


def fractions_of(results):
    return {pair: Fraction(str(score)) for pair, score in scores(results).items()}


def test_a_score_is_the_mean_over_the_languages_that_mteb_wrote():
    results = wl.io.read_mteb(RESULTS)
    assert results.models == (DENSE, SPARSE)
    assert fractions_of(results) == {
        (DENSE, "Pairs"): Fraction(7, 10),
        (DENSE, "EnglishPairs"): 1,
        (SPARSE, "Pairs"): 0,
        (SPARSE, "EnglishPairs"): Fraction(-2, 5),
    }
    (note,) = results.notes
    assert note.startswith("Left out, splits other than the one that counts: 2 files (mteb__baseline-random-encoder/")
    assert [Path(case).name for case in results.cases[note]] == ["EnglishPairs.json"] * 2


def test_a_language_and_a_split_can_be_chosen():
    assert fractions_of(wl.io.read_mteb(RESULTS, languages="deu"))[DENSE, "Pairs"] == Fraction(2, 5)
    found = fractions_of(wl.io.read_mteb(RESULTS, split="validation"))
    assert found == {(DENSE, "EnglishPairs"): 1, (SPARSE, "EnglishPairs"): Fraction(-1, 2)}


def test_higher_is_taken_as_better_with_a_warning():
    with pytest.warns(ResultsWarning, match="Higher main_score is taken as better"):
        assert wl.io.read_mteb(RESULTS).leaderboard().lower_is_better == ()
