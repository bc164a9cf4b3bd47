"""Commands take a folder of results where they take a file."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.io.evaluations.helm_files import run_folder
from tests.io.evaluations.result_files import lm_eval_file, mteb_file
from tests.io.evaluations.test_lm_eval import ADA, BO
from tests.io.evaluations.test_records import log


@pytest.fixture
def folder(tmp_path):
    lm_eval_file(tmp_path / "runs", "org/ada", ADA)
    lm_eval_file(tmp_path / "runs", "org/bo", BO, **{"n-shot": {"arc": 5}})
    return tmp_path / "runs"


def test_a_folder_is_ranked_and_its_notes_go_to_standard_error(weightlab, folder):
    told = weightlab("rank", str(folder), "--rule", "mean", "--json")
    assert told.code == 0
    assert json.loads(told.out)
    assert "Different shots on 'arc': 0 for 'org/ada', 5 for 'org/bo'." in told.err
    assert "Different shots" not in weightlab("rank", str(folder), "--rule", "mean", "--quiet").err


def test_a_folder_is_audited_as_a_suite(weightlab, folder):
    told = weightlab("audit", str(folder))
    assert told.code == 0
    assert "Different shots" in told.err


def test_of_the_tasks_asked_for_alone_the_files_are_read(weightlab, tmp_path):
    for model, score in (("org/ada", 0.8), ("org/bo", 0.7)):
        for task in ("Banking", "Massive", "Needle"):
            mteb_file(tmp_path, model, task, {"eng": score})
    for broken in tmp_path.rglob("Needle.json"):
        broken.write_text("[")
    options = ("rank", str(tmp_path))
    assert "Left out, not JSON: 2 files" in weightlab(*options).err
    told = weightlab(*options, "--tasks", "Banking,Massive")
    assert (told.code, told.read[0].partition(":")[2]) == (0, " 2 models, 2 tasks, higher is better on all.")
    assert "not JSON" not in told.err
    assert "Left out, not JSON: 2 files" in weightlab(*options, "--tasks", "bank,massive").err  # not their whole names
    assert "no task named 'Bank!'" in weightlab(*options, "--tasks", "Bank!").err


def test_an_unknown_folder_is_one_message(weightlab, tmp_path):
    told = weightlab("win", str(tmp_path))
    assert told.code == 2
    programs = "run_spec.json of HELM, results*.json of lm-evaluation-harness, model_meta.json of MTEB"
    others = "*.json or *.parquet of Every Eval Ever, *.json or *.eval of Inspect"
    others += ", README.md with model-index or .eval_results of Hugging Face"
    assert f"this is a folder, and in it is none of {programs}, {others}\n" in told.err


@pytest.fixture
def suite(tmp_path):
    for model, scores in (("org/ada", (0.5, 0.25)), ("org/bo", (0.25, 0.5)), ("org/cy", (0.1, 0.1))):
        for subject, score in zip(("law", "sets"), scores, strict=True):
            name, values = f"{subject},{model.replace('/', '_')}", {"exact_match": score, "num_bytes": 3}
            run_folder(tmp_path / "v1", model, values, name=name, arguments={"subject": subject})
    return tmp_path / "v1"


def test_a_suite_of_helm_is_asked_who_can_win(weightlab, suite):
    told = weightlab("win", str(suite), "--model", "org/cy")
    assert told.code == 0
    assert "org/cy can never win" in told.out
    assert "Left out as counts without a direction: 1 metric (num_bytes)" in told.err
    assert "Head-to-head, org/bo can win: some weights" in weightlab("win", str(suite), "--model", "org/bo").out


def test_a_suite_of_helm_is_audited_as_the_file_beside_it_says(weightlab, suite):
    declared = 'metrics = ["exact_match", "num_bytes"]\nlower_is_better = ["num_bytes"]\n'
    (suite.parent / "v1.toml").write_text(declared)
    told = weightlab("audit", str(suite))
    assert told.code == 0
    assert "Left out as counts" not in told.err


def test_what_was_left_out_is_told_before_the_error_that_it_explains(weightlab, tmp_path):
    lm_eval_file(tmp_path, "org/ada", {"arc": {"acc,none": float("inf")}})
    lm_eval_file(tmp_path, "org/bo", {"arc": {"acc,none": 0.5}})
    told = weightlab("rank", str(tmp_path))
    assert told.code == 2
    note, error = told.err.splitlines()
    assert note == "Left out, no number: 1 score (acc of org/ada on arc)."
    assert "these are results of one model" in error


def test_the_folder_in_which_one_stands_is_read(weightlab, folder, monkeypatch):
    monkeypatch.chdir(folder)
    told = weightlab("rank", ".", "--json")
    assert told.code == 0
    assert json.loads(told.out)["options"]["config"] is None
    folder.with_name("runs.toml").write_text("metrics = 'acc'")
    assert json.loads(weightlab("rank", ".", "--json").out)["options"]["config"] == "runs.toml"


def test_documents_hold_the_notes_even_where_standard_error_is_quiet(weightlab, folder):
    told = weightlab("rank", str(folder), "--rule", "mean", "--json")
    document = json.loads(told.out)
    assert document["notes"] == told.err.splitlines()
    assert "Different shots on 'arc': 0 for 'org/ada', 5 for 'org/bo'." in document["notes"]
    silent = weightlab("rank", str(folder), "--rule", "mean", "--quiet", "--output", "rank.json")
    assert silent.err == ""
    read = wl.report.read_document("rank.json")
    assert list(read.notes) == document["notes"]
    assert read.to_dict(table=True) == document
    for code, *way in ((0, folder), (0, folder, "--exact"), (3, "--independent")):
        assert weightlab("verify", "rank.json", *way).code == code
    assert weightlab("report", str(folder), "--only", "win", "--samples", "9", "-o", "page.html").code == 0
    assert wl.report.read_document("page.html").notes[:1] == read.notes[:1]
    assert weightlab("verify", "page.html", str(folder)).code == 0
    # Of the next command nothing is told that the last one noted.
    assert "notes" not in json.loads(weightlab("win", "--quick", "--json").out)


def test_documents_name_every_case_of_which_notes_name_three(weightlab, tmp_path):
    for number in range(5):
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / f"odd{number}.json").write_text("[1, 2]")
    for model, score in (("org/a", 0.5), ("org/b", 0.25)):
        found = log(model=model, value=score)
        (tmp_path / "logs" / f"{model[-1]}.json").write_text(json.dumps(found))
    told = weightlab("win", "logs", "--json", "--quick")
    noted = "Left out, nothing of Inspect: 5 files (odd0.json, odd1.json, odd2.json and 2 more)."
    assert told.err.splitlines()[0] == noted
    names = ", ".join(f"odd{number}.json" for number in range(5))
    assert json.loads(told.out)["notes"][:2] == [noted, f"Left out, nothing of Inspect, all of them: {names}."]


DECLARED = """transpose = true
drop = ["type", "note"]
split = { two = "/" }
percent = "part"
"""


def test_what_is_dropped_turned_around_or_averaged_by_declaration_is_said(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("type,task,a,b,note\nx,two,1/2,2/1,?\nx,part,3%,4%,\n")
    (tmp_path / "t.toml").write_text(DECLARED)
    told = weightlab("rank", "t.csv", "--json")
    said = "As declared: rows of the file are tasks; left out type, note; split two; in percent: part."
    assert (told.err, json.loads(told.out)["notes"]) == (f"{said}\n", [said])
