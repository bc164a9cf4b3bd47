from __future__ import annotations

import json
import re

import pytest

from tests.checker.whole import whole

LONG = """dataset,metric,model,score,higher_is_better
paradox,x,a,3,true
paradox,x,b,2,true
paradox,x,c,1,true
paradox,y,a,1,true
paradox,y,b,3,true
paradox,y,c,2,true
paradox,z,a,2,true
paradox,z,b,1,true
paradox,z,c,3,true
agreed,x,a,3,true
agreed,x,b,2,true
agreed,x,c,2,true
agreed,y,a,3,true
agreed,y,b,2,true
agreed,y,c,1,true
agreed,z,a,3,true
agreed,z,b,1,true
agreed,z,c,2,true
agreed,z,d,1,true
"""


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(LONG, encoding="utf-8")
    return path


VERDICT = (
    "The majority relation of the metrics is acyclic on 1 of 2 datasets; there is no representative ranking: the "
    "majority relation has a cycle among the 3 models in common on 1 of 2 datasets: paradox."
)


def test_what_holds_nowhere_is_told_once(weightlab, tmp_path):
    path = tmp_path / "twice.csv"
    head, *rows = LONG.splitlines()[:10]
    path.write_text("\n".join([head, *rows, *(row.replace("paradox", "again") for row in rows)]), encoding="utf-8")
    answer = weightlab("audit", path)
    assert "On no dataset" in answer.out
    assert "(0 of" not in answer.out


def test_the_verdict_comes_first_and_then_one_line_a_dataset(weightlab, suite):
    answer = weightlab("audit", suite)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == VERDICT
    said = {heading.strip(): text for heading, text in (re.split(r"\s{2,}", line, maxsplit=1) for line in lines[2:13])}
    assert said["Audited"] == "2 of 2 datasets, ties broken alphabetically"
    assert said["On some datasets"].startswith("single-peaked (1 of 2), ")
    assert "majorities acyclic (1 of 2), a Condorcet winner (1 of 2)" in said["On some datasets"]
    assert said["Representative ranking"].startswith("none: the majority relation has a cycle")
    assert said["For all to be acyclic"] == "drop 1 dataset: paradox (minimum)"
    grid = [re.split(r"\s{2,}", line) for line in lines[-5:-2]]
    assert grid == [
        ["dataset", "models", "metrics", "Condorcet winner", "majority cycle", "structure"],
        ["paradox", "3", "3", "none", "of 3 models", "none"],
        ["agreed", "3", "3", "a", "none", "all"],
    ]
    assert lines[-1] == "Each dataset's properties, with a witness for each: --all."
    assert answer.err.splitlines() == ["1 of 4 models lacks a score and is left out of 2 datasets."]


def test_a_table_a_dataset_is_printed_on_request(weightlab, suite):
    short, full = weightlab("audit", suite), weightlab("audit", suite, "--all")
    assert "Not a Condorcet domain" not in short.out
    lines = full.out.splitlines()
    assert "paradox: 3 models x 3 metrics, incomplete; left out: 1 model" in lines
    assert any(line.startswith("agreed: 3 models x 3 metrics, incomplete") for line in lines)
    assert any(line.startswith("Condorcet domain") and "Not a Condorcet domain" in line for line in lines)
    assert "c beats a" in full.out or "a > b > c > a" in full.out
    assert "--all" not in full.out


def test_one_dataset_is_spoken_of_as_one(weightlab, tmp_path):
    (tmp_path / "one.csv").write_text(LONG.partition("agreed")[0], encoding="utf-8")
    answer = weightlab("audit", "one.csv")
    assert answer.code == 0
    assert answer.out.startswith("paradox (3 models x 3 metrics): the rankings have none of the structures; no model ")
    assert "drop 1 dataset" not in answer.out
    assert "of 1 datasets" not in answer.out
    assert "Not a Condorcet domain" in answer.out


def test_without_a_file_the_suite_that_ships_is_audited(weightlab):
    answer = weightlab("audit", "--quick")
    assert (answer.code, answer.err) == (0, "")
    assert "12 of 12 datasets, ties broken alphabetically" in answer.out
    assert max(map(len, answer.out.splitlines()[-15:])) < 140


def test_a_suite_whose_majorities_run_in_no_circle_has_a_representative_ranking(weightlab, suite):
    answer = weightlab("audit", suite, "--metrics", "x", "--models", "a,b", "--models", "c", "--quiet")
    assert answer.code == 0
    assert answer.err == ""
    assert "The representative ranking is that of paradox and agreed, with depth 1: a > b > c." in answer.out


def test_only_the_models_with_every_score_anywhere_are_kept_on_request(weightlab, suite):
    answer = weightlab("audit", suite, "--complete")
    assert answer.err == "Left out: d (no score on some metric of some dataset).\n"


def test_ties_that_are_kept_leave_questions_about_strict_rankings_out(weightlab, suite):
    answer = weightlab("audit", suite, "--break-ties", "keep", "--quiet", "--all")
    agreed = answer.out.split("agreed: ")[1].split("\n\n")[0]
    assert "value-restricted" in agreed
    assert "group-separable" not in agreed
    assert "ties kept" in answer.out


def test_the_document_is_verified_alone_and_against_its_suite(weightlab, suite, tmp_path):
    answer = weightlab("audit", suite, "--json", "--output", "audit.json", "--repair", "single_peaked")
    document = json.loads(answer.out)
    assert document["command"] == "audit"
    assert [one["kind"] for one in document["results"]] == ["audit", "repair", "repair", "repair"]
    assert json.loads((tmp_path / "audit.json").read_text(encoding="utf-8")) == document
    for arguments in (("audit.json",), ("audit.json", suite)):
        assert weightlab("verify", *arguments).code == 0
    suite.write_text(LONG.replace("paradox,x,a,3", "paradox,x,a,0"), encoding="utf-8")
    false = weightlab("verify", "audit.json", suite)
    assert false.code == 1
    assert "false: audit: 'paradox'" in false.err


def test_a_forged_document_is_found_false(weightlab, suite, tmp_path):
    weightlab("audit", suite, "--output", "audit.json", "--quiet")
    document = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
    document["results"][0]["datasets"]["paradox"]["majority"]["condorcet_winner"] = "a"
    (tmp_path / "audit.json").write_text(json.dumps(document), encoding="utf-8")
    answer = weightlab("verify", "audit.json")
    assert (answer.code, answer.out) == (1, "")
    assert "the majority is another" in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--models", "a,e"), "no model named 'e'"),
        (("--metrics", "w"), "no metric named 'w'"),
        (("--break-ties", "coin"), "--break-ties must be alphabetical, reverse or keep; got 'coin'"),
        (
            ("--repair", "single_peeked"),
            "no goal named 'single_peeked'; the list of goals has 'acyclic'",
        ),
        (("--time-limit", "-1"), "time-limit"),
    ],
)
def test_wrong_calls_end_with_2_and_one_message(weightlab, suite, arguments, said):
    answer = weightlab("audit", suite, *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert said in answer.err


def test_a_repair_that_takes_too_long_ends_with_3_after_what_is_known(weightlab):
    answer = weightlab("audit", "--repair", "single_peaked", "--time-limit", "0")
    assert answer.code == 3
    assert "what to drop is not known" in answer.out
    assert "For all to be single-peaked        drop 12 datasets" in answer.out
    assert "the time limit came before the optimum was shown" in answer.err


def test_names_that_a_terminal_would_obey_are_shown_escaped(weightlab, tmp_path):
    evil = LONG.replace("paradox,", "\x1b[31mred,").replace(",a,", ",\x07a,")
    (tmp_path / "evil.csv").write_text(evil, encoding="utf-8")
    answer = weightlab("audit", "evil.csv")
    assert answer.code == 0
    assert "\x1b" not in answer.out + answer.err
    assert "\x07" not in answer.out + answer.err


def test_standard_input_is_read(weightlab):
    assert weightlab("audit", "-", "--quick", stdin=LONG.encode()).code == 0


def test_of_a_score_table_the_tasks_vote_on_one_dataset(weightlab, scores):
    scores.with_suffix(".toml").write_text('[groups]\nskills = ["reading", "code"]\n', encoding="utf-8")
    answer = weightlab("audit", scores)
    assert answer.code == 0
    assert answer.out.startswith("All tasks (4 models x 3 tasks): the rankings have none of the structures; no model ")
    assert "All tasks: 4 models x 3 tasks, complete\n" in answer.out
    assert re.search(r"^Condorcet winner +none$", answer.out, re.MULTILINE)
    assert answer.err == "This is a score table: its tasks rank the models.\n"
    assert weightlab("audit", "-", stdin=scores.read_bytes()).out == answer.out
    assert weightlab("audit", scores, "-o", "audit.json").code == 0
    assert weightlab("verify", "audit.json", scores).code == 0
    scores.write_text(scores.read_text(encoding="utf-8").replace("39.5", "50"), encoding="utf-8")
    assert weightlab("verify", "audit.json", scores).code == 1


def test_a_score_table_is_reported_on_and_audited_alike(weightlab, scores):
    reported = whole(json.loads(weightlab("report", scores, "--only", "behaved", "--as", "json").out)["results"][0])
    audited = whole(json.loads(weightlab("audit", scores, "--json").out)["results"][0])["datasets"]["All tasks"]
    assert reported["dataset"] == audited["dataset"] == "All tasks"
    assert (reported.pop("proved"), reported.pop("believed")) == (["everything"], [])  # said of what stands alone
    assert reported == audited


def test_of_a_long_table_each_data_set_and_metric_is_a_task_where_a_score_table_is_asked_for(weightlab, suite):
    for answer in (
        weightlab("win", suite),
        weightlab("rank", "-", "--rule", "borda", "--missing", "last", stdin=LONG.encode()),
    ):
        assert answer.code == 0
        assert "a row per score: data sets from dataset, metrics from metric, scores from score" in answer.read[0]


def test_columns_that_are_called_otherwise_tell_a_long_table_too(weightlab, suite):
    renamed = LONG.replace("dataset,metric", "scenario,measure", 1)
    suite.write_text(renamed, encoding="utf-8")
    suite.with_suffix(".toml").write_text('dataset = "scenario"\nmetric = "measure"\n', encoding="utf-8")
    assert (
        weightlab("audit", suite).err.splitlines()[-1] == "1 of 4 models lacks a score and is left out of 2 datasets."
    )
    assert weightlab("report", suite, "--as", "md", "--only", "behaved").out.startswith("# long: 2 datasets")


def test_searches_that_nobody_asked_for_are_cut_off_and_a_note_says_how_to_go_on(weightlab, monkeypatch):
    monkeypatch.setattr("weightlab.cli.commands.benchmark.PATIENCE", 0.0)
    answer = weightlab("audit")
    assert answer.code == 0
    assert "Searches that took more than 0 s were left off; --time-limit 60 gives each more." in answer.err
    assert "what to drop is not known" in answer.out
