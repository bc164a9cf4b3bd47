"""One file of results where a table is asked for."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.io.evaluations.result_files import STAMP, lm_eval_file, written
from weightlab.exceptions import FileFormatError, InputError

TASK = {"task_name": "Pairs", "scores": {"test": [{"main_score": 0.5, "hf_subset": "default"}]}}


@pytest.fixture
def run(tmp_path):
    return lm_eval_file(tmp_path / "runs", "org/ada", {"arc": {"acc,none": 0.5}, "wiki": {"word_perplexity,none": 9}})


def test_a_file_of_lm_eval_is_a_suite_of_one_model(run):
    suite = wl.read_suite(run)
    assert (suite.models, suite.datasets, suite.lower_is_better) == (
        ("org/ada",),
        ("arc", "wiki"),
        ("word_perplexity",),
    )
    assert suite.equals(wl.read_suite(run, format="json"))
    assert wl.io.read_results(run).frame().equals(wl.io.read_lm_eval(run).frame())


def test_a_file_of_mteb_is_a_suite_of_one_model(tmp_path):
    path = written(tmp_path / "org__ada" / "r1" / "Pairs.json", TASK)
    assert wl.read_suite(path, lower_is_better=[]).table("Pairs").frame().loc["org/ada", "main_score"] == 0.5


def test_a_leaderboard_of_one_model_is_refused_with_what_to_do(run):
    with pytest.raises(
        InputError, match=r"results of one model, 'org/ada', .* give the folder that holds those of other"
    ):
        wl.read_leaderboard(run)


def test_samples_are_instances_and_nothing_else(tmp_path):
    path = tmp_path / f"samples_arc_{STAMP}.jsonl"
    lines = [{"doc_id": number, "metrics": ["acc"], "acc": number % 2, "filter": "none"} for number in range(3)]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert len(wl.read_instances(path, lower_is_better=[]).table("arc").columns) == 3
    with pytest.raises(FileFormatError, match="scores on single instances, which studies"):
        wl.read_leaderboard(path)


def test_results_are_no_instances(run):
    with pytest.raises(FileFormatError, match="this file holds scores of whole tasks, not on single instances"):
        wl.read_instances(run)


@pytest.mark.parametrize(
    "document",
    [
        {"results": {"ada": 1, "bo": 2}, "config": {"ada": 1, "bo": 3}},
        {"task_name": {"ada": 1, "bo": 2}, "scores": {"ada": 2, "bo": 1}},
    ],
)
def test_a_table_whose_columns_are_called_so_stays_a_table(tmp_path, document):
    board = wl.read_leaderboard(written(tmp_path / "table.json", document))
    assert (board.models, board.tasks) == (("ada", "bo"), tuple(document))


def test_what_is_said_of_helm_says_nothing_of_a_file(run):
    with pytest.raises(InputError, match="perturbation is for results of HELM; these are of lm-evaluation-harness"):
        wl.read_suite(run, config={"perturbation": "typos"})


def test_another_file_holds_no_results(tmp_path):
    with pytest.raises(
        FileFormatError,
        match="not a file of results of lm-evaluation-harness, MTEB, Every Eval Ever, Inspect, Hugging Face or the",
    ):
        wl.io.read_results(written(tmp_path / "table.json", {"x": {"a": 1}}))


OPEN = "fullname,Precision,Model sha,Average,IFEval,BBH,MUSR\n"
ROWS = "org/ada,bfloat16,a1,40,45,40,35\norg/bo,float16,b1,42,40,45,41\n"


@pytest.mark.parametrize("name", ["contents.csv", "contents.tsv"])
def test_a_table_of_the_open_llm_leaderboard_is_told_by_its_columns(tmp_path, name):
    path = tmp_path / name
    path.write_text((OPEN + ROWS).replace(",", "\t" if name.endswith("tsv") else ","))
    with pytest.warns(wl.io.ResultsWarning, match="Left out as facts about the models: 'Precision', 'Model sha'"):
        board = wl.read_leaderboard(path)
    assert board.equals(wl.io.read_open_llm(path).leaderboard())
    assert (board.models, board.tasks) == (("org/ada", "org/bo"), ("IFEval", "BBH", "MUSR"))


@pytest.mark.parametrize("name", ["contents.json", "contents.jsonl"])
def test_its_records_are_told_likewise(tmp_path, name):
    keys, *rows = (line.split(",") for line in (OPEN + ROWS).splitlines())
    records = [json.dumps(dict(zip(keys, row[:3] + list(map(float, row[3:])), strict=True))) for row in rows]
    path = tmp_path / name
    path.write_text("\n".join(records) if name.endswith("l") else f"[{','.join(records)}]")
    assert wl.io.read_results(path).models == ("org/ada", "org/bo")


def test_what_is_declared_beside_such_a_table_says_which_rows_count(tmp_path):
    path = tmp_path / "contents.csv"
    path.write_text(OPEN + ROWS + "org/ada,float16,a2,40,46,40,36\n")
    with pytest.raises(FileFormatError, match="'org/ada' has 2 rows with different scores"):
        wl.read_leaderboard(path)
    path.with_suffix(".toml").write_text('precision = ["float16"]\ntasks = "MUSR"')
    with pytest.warns(wl.io.ResultsWarning):
        assert wl.read_leaderboard(path).scores["MUSR"].to_dict() == {"org/bo": 41, "org/ada": 36}


@pytest.mark.parametrize(
    "header", ["model,IFEval,BBH,MUSR", "model,Precision,IFEval,BBH,MUSR", "Precision,Flagged,fullname"]
)
def test_a_table_with_its_tasks_alone_or_its_words_alone_is_a_table(tmp_path, header):
    path = tmp_path / "board.csv"
    path.write_text(f"{header}\na{',1' * header.count(',')}\nb{',2' * header.count(',')}\n")
    assert wl.read_leaderboard(path).tasks == tuple(header.split(",")[1:])
