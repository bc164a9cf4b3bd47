"""Result files of lm-evaluation-harness, made by hand after the format of version 0.4."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.io.evaluations.result_files import LATER, STAMP, lm_eval_document, lm_eval_file, written
from weightlab.exceptions import FileFormatError, InputError, UnknownNameError

ADA = {"arc": {"acc,none": 0.5, "acc_norm,none": 0.55}, "gsm8k": {"exact_match,strict-match": 0.25}}
BO = {"arc": {"acc,none": 0.625, "acc_norm,none": 0.4}, "gsm8k": {"exact_match,strict-match": 0.3}}


@pytest.fixture
def folder(tmp_path):
    lm_eval_file(tmp_path, "org/ada", ADA)
    lm_eval_file(tmp_path, "org/bo", BO)
    return tmp_path


def test_a_folder_becomes_a_board_of_its_scores(folder):
    board = wl.io.read_lm_eval(folder).leaderboard(metrics={"arc": "acc_norm", "gsm8k": "exact_match,strict-match"})
    assert board.models == ("org/ada", "org/bo")
    assert board.tasks == ("arc", "gsm8k")
    assert board.scores.to_numpy().tolist() == [[0.55, 0.25], [0.4, 0.3]]
    assert board.lower_is_better == ()


def test_several_metrics_of_a_task_are_tasks_of_their_own(folder):
    board = wl.io.read_lm_eval(folder).leaderboard()
    assert board.tasks == ("acc/arc", "acc_norm/arc", "exact_match,strict-match/gsm8k")


def test_the_suite_has_a_table_a_task(folder):
    suite = wl.io.read_lm_eval(folder).suite()
    assert suite.datasets == ("arc", "gsm8k")
    assert suite.leaderboard("arc").tasks == ("acc", "acc_norm")


def test_one_file_is_read_like_a_folder_of_it(folder):
    path = next((folder / "org__ada").iterdir())
    assert wl.io.read_lm_eval(path).frame().equals(wl.io.read_lm_eval(path.parent).frame())


@settings(max_examples=25)
@given(scores=st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_every_score_is_the_decimal_that_is_written(tmp_path_factory, scores):
    folder = tmp_path_factory.mktemp("runs")
    lm_eval_file(folder, "ada", {f"t{place}": {"acc,none": score} for place, score in enumerate(scores)})
    frame = wl.io.read_lm_eval(folder).frame()
    assert [Fraction(str(score)) for score in frame["score"]] == [Fraction(repr(score)) for score in scores]


def test_errors_and_directions_come_from_the_file(tmp_path):
    lm_eval_file(tmp_path, "ada", {"wiki": {"word_perplexity,none": 12.5}})
    lm_eval_file(tmp_path, "bo", {"wiki": {"word_perplexity,none": 11.5}})
    results = wl.io.read_lm_eval(tmp_path)
    assert results.frame()["error"].tolist() == [0.01, 0.01]
    assert results.leaderboard().lower_is_better == ("wiki",)
    assert results.suite().lower_is_better == ("word_perplexity",)
    lm_eval_file(tmp_path, "cy", {"arc": {"acc,none": 0.5}})
    results = wl.io.read_lm_eval(tmp_path)
    with pytest.raises(InputError, match="the files say higher is better"):
        results.leaderboard(lower_is_better=["arc"])


@pytest.mark.parametrize("directions", [{}, {"odd": {"surprise": None}}])
def test_a_direction_that_no_file_tells_is_asked_for(tmp_path, directions):
    for model, score in (("ada", 1), ("bo", 2)):
        lm_eval_file(tmp_path, model, {"odd": {"surprise,none": score}}, directions=directions)
    results = wl.io.read_lm_eval(tmp_path)
    for made in (results.leaderboard, results.suite):
        with pytest.raises(InputError, match=r"do not say in which direction '(odd|surprise)' lead"):
            made()
    assert results.leaderboard(lower_is_better=["odd"]).lower_is_better == ("odd",)
    assert results.leaderboard(lower_is_better=["surprise"]).lower_is_better == ("odd",)
    assert results.suite(lower_is_better=[]).lower_is_better == ()


def test_files_that_contradict_each_other_are_refused(tmp_path):
    lm_eval_file(tmp_path, "ada", {"odd": {"f,none": 1}}, directions={"odd": {"f": True}})
    lm_eval_file(tmp_path, "bo", {"odd": {"f,none": 2}}, directions={"odd": {"f": False}})
    with pytest.raises(InputError, match="'odd' is declared both lower and higher is better"):
        wl.io.read_lm_eval(tmp_path).leaderboard()


def test_of_several_runs_the_newest_counts_and_this_is_said(tmp_path):
    lm_eval_file(tmp_path, "ada", {"arc": {"acc,none": 0.7}, "old": {"acc,none": 0.1}}, stamp=STAMP)
    lm_eval_file(tmp_path, "ada", {"arc": {"acc,none": 0.5}}, stamp=LATER)
    results = wl.io.read_lm_eval(tmp_path)
    assert dict(zip(results.frame()["dataset"], results.frame()["score"], strict=True)) == {"arc": 0.5, "old": 0.1}
    assert "Several runs: the newest counts: 1 case (ada on arc)." in results.notes


def test_two_runs_without_a_time_are_refused(tmp_path):
    written(tmp_path / "one" / "results.json", lm_eval_document("ada", ADA))
    written(tmp_path / "two" / "results.json", lm_eval_document("ada", BO))
    with pytest.raises(FileFormatError, match=r"Nothing tells .*: 2 cases \(ada on arc in .*one.*, .*two"):
        wl.io.read_lm_eval(tmp_path)


def test_means_of_subtasks_are_left_out_and_the_subtasks_grouped(tmp_path):
    scores = {name: {"acc,none": 0.5} for name in ("mmlu", "mmlu_stem", "physics", "algebra", "law")}
    groups = {"mmlu": ["mmlu_stem", "law"], "mmlu_stem": ["physics", "algebra"]}
    for model in ("ada", "bo"):
        lm_eval_file(tmp_path, model, scores, groups=groups)
    results = wl.io.read_lm_eval(tmp_path)
    board = results.leaderboard()
    assert board.tasks == ("physics", "algebra", "law")
    assert dict(board.groups) == {"mmlu": ("physics", "algebra", "law"), "mmlu_stem": ("physics", "algebra")}
    assert "Left out as means of their subtasks: 2 tasks (mmlu, mmlu_stem)." in results.notes


def test_a_group_without_its_subtasks_stays_a_task(tmp_path):
    lm_eval_file(tmp_path, "ada", {"mmlu": {"acc,none": 0.5}}, groups={"mmlu": ["physics"]})
    assert wl.io.read_lm_eval(tmp_path).datasets == ("mmlu",)


def test_scores_from_a_part_of_the_instances_are_named(tmp_path):
    lm_eval_file(tmp_path, "ada", ADA, samples={"arc": {"original": 100, "effective": 10}})
    lm_eval_file(tmp_path, "bo", BO, **{"n-samples": {}, "config": {"limit": 5}})
    notes = wl.io.read_lm_eval(tmp_path).notes
    assert notes[0] == "From a part of the instances: 3 cases (ada on arc, bo on arc, bo on gsm8k)."


def test_models_that_were_asked_differently_are_named(tmp_path):
    lm_eval_file(tmp_path, "ada", ADA, **{"n-shot": {"arc": 25}})
    lm_eval_file(tmp_path, "bo", BO, **{"n-shot": {"arc": 0}, "versions": {"arc": 2.0}})
    notes = wl.io.read_lm_eval(tmp_path).notes
    assert "Different shots on 'arc': 25 for 'ada', 0 for 'bo'." in notes
    assert "Different version on 'arc': 1.0 for 'ada', 2.0 for 'bo'." in notes


def test_what_is_no_number_is_left_out_and_named(tmp_path):
    lm_eval_file(tmp_path, "ada", {"arc": {"acc,none": 0.5, "f1,none": float("nan"), "bleu,none": "N/A", " ": " "}})
    results = wl.io.read_lm_eval(tmp_path)
    assert results.metrics == ("acc",)
    assert [note for note in results.notes if "no number" in note] == [
        "Left out, no number: 2 scores (f1 of ada on arc, bleu of ada on arc)."
    ]


def test_the_older_form_without_filters_is_read(tmp_path):
    document = {"results": {"arc": {"acc": 0.5, "acc_stderr": 0.1}}, "versions": {"arc": 0}, "config": {"limit": None}}
    written(tmp_path / "org__ada" / "results.json", document)
    cell = wl.io.read_lm_eval(tmp_path).cells[0]
    assert (cell.model, cell.metric, cell.score, cell.error, cell.higher_is_better) == (
        "org/ada",
        "acc",
        0.5,
        0.1,
        None,
    )


@pytest.mark.parametrize("arguments", ["pretrained=org/ada,dtype=float", {"pretrained": "org/ada"}, "model=org/ada"])
def test_without_a_name_the_model_is_the_one_that_was_loaded(tmp_path, arguments):
    document = lm_eval_document("none", ADA, model_name="", config={"model_args": arguments})
    assert wl.io.read_lm_eval(written(tmp_path / "results_x.json", document)).models == ("org/ada",)


def test_unknown_metrics_and_datasets_are_named_with_what_there_is(folder):
    results = wl.io.read_lm_eval(folder)
    with pytest.raises(InputError, match="no metric named 'ac'"):
        results.leaderboard(metrics="ac")
    with pytest.raises(InputError, match="no dataset named 'arcc'"):
        results.leaderboard(metrics={"arcc": "acc"})
    with pytest.raises(UnknownNameError, match="dataset 'gsm8k' has 'exact_match,strict-match'"):
        results.leaderboard(metrics={"gsm8k": "acc"})


def test_what_is_no_results_file_is_refused(tmp_path):
    written(tmp_path / "results_x.json", {"a": {"b": 1}})
    with pytest.raises(FileFormatError, match=r"no score of .* \('results' by task and 'configs'\) is in it"):
        wl.io.read_lm_eval(tmp_path / "results_x.json")
    with pytest.raises(FileFormatError, match=r"nothing of lm-evaluation-harness: 1 file \(results_x\.json\)"):
        wl.io.read_lm_eval(tmp_path)
    (tmp_path / "results_x.json").write_text("{")
    with pytest.raises(FileFormatError, match="not JSON"):
        wl.io.read_lm_eval(tmp_path)
    with pytest.raises(FileFormatError, match="no score of lm-evaluation-harness"):
        wl.io.read_lm_eval(written(tmp_path / "results_x.json", {"results": {}, "configs": {}}))


def test_the_line_about_results_counts_them(folder):
    assert repr(wl.io.read_lm_eval(folder)) == ("Results of lm-evaluation-harness: 2 models, 2 datasets, 3 metrics")
    assert json.loads(wl.io.read_lm_eval(folder).frame().to_json())


@pytest.mark.parametrize("counts", [{"original": "many", "effective": "few"}, {"original": None}, [1, 2], "all"])
def test_counts_that_are_no_numbers_say_nothing(tmp_path, counts):
    lm_eval_file(tmp_path, "ada", ADA, samples={"arc": counts})
    assert wl.io.read_lm_eval(tmp_path).notes == ()


def test_a_file_called_like_results_that_holds_none_is_named(folder):
    written(folder / "org__cy" / f"results_{STAMP}.json", {"results": {"arc": 3}, "configs": {}})
    assert f"Left out, nothing of lm-evaluation-harness: 1 file (org__cy/results_{STAMP}.json)." in (
        wl.io.read_lm_eval(folder).notes
    )


def test_a_copy_of_a_file_changes_nothing_and_is_named(folder):
    before = wl.io.read_lm_eval(folder)
    written(folder / "z" / f"results_{STAMP}.json", lm_eval_document("org/ada", ADA))
    after = wl.io.read_lm_eval(folder)
    assert after.cells == before.cells
    assert after.notes == ("Several times with the same scores: 2 cases (org/ada on arc, org/ada on gsm8k).",)


def test_runs_of_one_name_with_other_arguments_are_named(folder):
    later = {"model": "hf", "model_args": "pretrained=org/ada,revision=step2"}
    lm_eval_file(folder, "org/ada", ADA, stamp=LATER, config=later)
    assert (
        "Loaded in several ways, whose runs count as those of one model: 1 model (org/ada: pretrained=org/ada, "
        "pretrained=org/ada,revision=step2)."
    ) in wl.io.read_lm_eval(folder).notes


def test_a_mean_that_is_the_only_score_of_another_model_is_named(tmp_path):
    groups = {"mmlu": ["law", "sets"]}
    row = {"acc,none": 0.5}
    lm_eval_file(tmp_path, "ada", {"mmlu": row, "law": row, "sets": row}, groups=groups)
    lm_eval_file(tmp_path, "bo", {"mmlu": row}, groups=groups)
    told = "Without scores of the subtasks for some models, which have the mean: 1 task (mmlu)."
    assert told in wl.io.read_lm_eval(tmp_path).notes


def test_files_of_lighteval_are_read_without_their_means(tmp_path):
    for model in ("ada", "bo"):
        row = {"acc": 0.5, "acc_stderr": 0.1}
        scores = {"harness|arc|25": row, "leaderboard|mmlu:law|5": row, "leaderboard|mmlu:_average|5": row, "all": row}
        document = {"results": scores, "versions": {}, "config_general": {"model_name": f"org/{model}"}}
        written(tmp_path / "org" / model / f"results_{STAMP}.json", document)
    results = wl.io.read_lm_eval(tmp_path)
    assert (results.models, results.datasets) == (("org/ada", "org/bo"), ("harness|arc|25", "leaderboard|mmlu:law|5"))
    assert results.cells[0].error == 0.1
    assert results.notes == ("Left out as means of their subtasks: 2 tasks (leaderboard|mmlu:_average|5, all).",)


def test_files_without_a_score_say_why(tmp_path):
    lm_eval_file(tmp_path, "ada", {"arc": {"acc,none": "high"}})
    with pytest.raises(FileFormatError, match=r"Left out, no number: 1 score \(acc of ada on arc\)"):
        wl.io.read_lm_eval(tmp_path)


OLD = {"ppl": 9.5, "ppl_stderr": 0.5, "acc": 0.25, "acc_stderr": 0.0125}


def old_file(path, model, revision, scores, **more):
    """Write a file as version 0.3 does: metrics by bare name, no directions, no date."""
    arguments = f"pretrained={model},revision={revision}"
    config = {"model": "hf-causal", "model_args": arguments, "limit": None}
    return written(path, {"results": scores, "versions": dict.fromkeys(scores, 0), "config": config} | more)


@pytest.fixture
def checkpoints(tmp_path):
    """Two checkpoints of one model, told apart by file, folder and revision."""
    old_file(tmp_path / "early" / "step1.json", "org/ada", "step1", {"lambada": OLD, "sciq": {"acc": 0.5}})
    old_file(tmp_path / "late" / "step2.json", "org/ada", "step2", {"lambada": OLD | {"acc": 0.75}, "sciq": {"acc": 1}})
    return tmp_path


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("file", ("step1", "step2")),
        ("folder", ("early", "late")),
        ("model_args", ("org/ada,revision=step1", "org/ada,revision=step2")),
    ],
)
def test_files_of_any_name_are_told_by_content_and_models_by_what_is_said(checkpoints, name, models):
    (checkpoints / "notes.json").write_text('{"results": "none yet"}')
    (checkpoints / "folder.json").mkdir()
    with pytest.warns(wl.io.ResultsWarning, match=r"^Left out, nothing of .*harness: 1 file \(notes\.json\)\.$"):
        board = wl.read_leaderboard(checkpoints, config={"name": name, "metrics": "acc"}, lower_is_better=[])
    assert (board.models, board.tasks) == (models, ("lambada", "sciq"))
    assert board.scores.to_numpy().tolist() == [[0.25, 0.5], [0.75, 1]]
    assert board.standard_errors["lambada"].tolist() == [0.0125, 0.0125]
    assert board.standard_errors["sciq"].isna().all()


def test_runs_that_are_not_told_apart_are_refused_with_both_files_and_what_would_tell(checkpoints):
    with pytest.raises(FileFormatError) as refused:
        wl.io.read_lm_eval(checkpoints)
    for told in ("step1.json", "step2.json", "name='file'", "name='folder'", "name='model_args'"):
        assert told in str(refused.value)
    with pytest.raises(InputError, match="name must be 'model', 'file', 'folder' or 'model_args'; got 'revision'"):
        wl.io.read_lm_eval(checkpoints, name="revision")


def test_of_files_without_a_time_in_their_names_the_later_date_counts(tmp_path):
    old_file(tmp_path / "b.json", "ada", "main", {"arc": {"acc": 0.25}}, date=1700000000.5)
    old_file(tmp_path / "a.json", "ada", "main", {"arc": {"acc": 0.75}}, date=999999999)
    results = wl.io.read_lm_eval(tmp_path)
    assert [cell.score for cell in results.cells] == [0.25]
    assert "Several runs: the newest counts: 1 case (ada on arc)." in results.notes


def test_a_direction_is_asked_for_once_a_metric(checkpoints):
    results = wl.io.read_lm_eval(checkpoints, name="file")
    with pytest.raises(InputError, match="in which direction 'ppl', 'acc' lead"):
        results.leaderboard()
    assert results.leaderboard(lower_is_better="ppl").lower_is_better == ("ppl/lambada",)


def test_a_broken_file_in_a_folder_is_left_out_and_named(checkpoints):
    (checkpoints / "late" / "step3.json").write_text('{"results": {}, "config": ')
    notes = wl.io.read_lm_eval(checkpoints, name="file").notes
    assert any(note.startswith("Left out, cannot be read: 1 file (late/step3.json: not JSON") for note in notes)


def test_a_folder_of_version_0_3_as_its_owners_publish_it(shared_data):
    folder = shared_data / "real" / "lm_eval_0.3_pythia"
    results = wl.io.read_results(folder)
    assert results.metrics == ("likelihood_difference", "pct_stereotype", "acc", "acc_norm", "ppl")
    board = results.leaderboard(lower_is_better=["ppl", "likelihood_difference", "pct_stereotype"])
    assert board.models == tuple(f"EleutherAI/pythia-v1.1-{size}" for size in ("160m", "410m", "70m"))
    assert (len(board.tasks), results.notes) == (172, ())
    small, middle = board.models[2], board.models[0]
    for model, task, score, error in (
        (small, "likelihood_difference/crows_pairs_english_socioeconomic", 3.950657894736842, 0.2574433600890588),
        (small, "acc/hendrycksTest-global_facts", 0.22, 0.04163331998932269),
        (small, "acc_norm/hendrycksTest-formal_logic", 0.29365079365079366, 0.040735243221471255),
        (middle, "pct_stereotype/crows_pairs_english_age", 0.4945054945054945, 0.05270144531112882),
        (middle, "likelihood_difference/crows_pairs_french_race_color", 3.998709239130435, 0.19318346167938652),
    ):
        assert (board.scores.loc[model, task], board.standard_errors.loc[model, task]) == (score, error)


def test_a_folder_of_version_0_4_as_its_owner_publishes_it(shared_data):
    folder = shared_data / "real" / "lm_eval_0.4"
    model = "RylanSchaeffer/mem_Qwen3-93M_minerva_math_rep_0_sbst_1.0000_epch_1_ot_1"
    results = wl.io.read_results(folder)
    assert (results.models, results.metrics, results.notes) == ((model,), ("exact_match",), ())
    found = [(cell.dataset, cell.score, cell.error, cell.higher_is_better) for cell in results.cells]
    assert found == [
        ("math_perturbed_full", 0.0, 0.0, True),
        ("math_rephrased_full", 0.0004, 0.0002828144211304471, True),
    ]
    with pytest.raises(wl.FileFormatError, match=r"these are results of one model, .* and a leaderboard needs two"):
        wl.read_leaderboard(folder)
    instances = wl.read_instances(folder)
    assert (instances.tasks, instances.models) == (("math_perturbed_full",), (model,))
    frame = instances.table("math_perturbed_full").frame()
    assert frame.loc[model].tolist() == [0] * 10
