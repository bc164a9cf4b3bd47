from __future__ import annotations

import csv
import io
import json

import pytest

LONG = """dataset,metric,model,score,higher_is_better
first,x,a,3,true
first,x,b,2,true
first,x,c,1,true
first,y,a,1,true
first,y,b,3,true
first,y,c,2,true
second,x,a,3,true
second,x,b,2,true
second,x,c,2,true
second,y,a,3,true
second,y,b,2,true
second,y,c,1,true
"""


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(LONG, encoding="utf-8")
    return path


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_a_cell_is_printed(weightlab, suite):
    answer = weightlab("sweep", suite, "--models", "all=a,b,c", "--models", "a,b", "--metrics", "x")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "2 cells of 2 datasets: the majority relation is acyclic in 4 of 4 cases."
    assert lines[2].split()[:2] == ["model", "set"]
    assert lines[3].split() == ["all", "x", "alphabetical", "2", "2", "2", "2", "2", "2", "2", "2"]
    assert lines[4].split()[0] == "a,b"


def test_without_a_file_the_suite_that_ships_is_swept_and_a_seed_draws_the_same_sets(written):
    arguments = ("sweep", "--size", "3", "--count", "4", "--seed")
    first = written(*arguments, "1")
    assert first == written(*arguments, "1") != written(*arguments, "2")
    rows = rows_of(first)
    assert len(rows) == 4 * 12
    assert {row["models"] for row in rows} == {"3"}


def test_the_tidy_table_goes_to_a_file(weightlab, suite, tmp_path):
    answer = weightlab(
        "sweep",
        suite,
        "--break-ties",
        "reverse",
        "--break-ties",
        "keep",
        "--property",
        "value_restricted",
        "-o",
        "t.csv",
    )
    assert answer.code == 0
    rows = rows_of((tmp_path / "t.csv").read_text(encoding="utf-8"))
    assert [row["break_ties"] for row in rows] == ["reverse", "reverse", "kept", "kept"]
    assert "value_restricted" in rows[0]
    assert "single_peaked" not in rows[0]


def test_a_stopped_sweep_goes_on(weightlab, written, suite, tmp_path):
    arguments = ("sweep", suite, "--size", "2", "--count", "3", "--partial", "cells.jsonl")
    first = written(*arguments)
    path = tmp_path / "cells.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert written(*arguments) == first
    assert path.read_bytes() == whole
    path.write_bytes(b"notes\n")
    broken = weightlab(*arguments)
    assert broken.code == 2
    assert "line 1: not JSON" in broken.err


def test_the_document_is_verified_alone_and_against_its_suite(weightlab, suite, tmp_path):
    answer = weightlab("sweep", suite, "--json", "--output", "sweep.json")
    document = json.loads(answer.out)
    assert [one["kind"] for one in document["results"]] == ["sweep"]
    assert weightlab("verify", "sweep.json", suite).code == 0
    document["results"][0]["facts"][0]["first"]["acyclic"] = False
    (tmp_path / "sweep.json").write_text(json.dumps(document), encoding="utf-8")
    assert weightlab("verify", "sweep.json").code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--models", "a,e"), "no model named 'e'"),
        (("--models", "s=a,b", "--models", "s=b,c"), "the set 's' is given twice"),
        (("--metrics", "w"), "no metric named 'w'"),
        (("--break-ties", "coin"), "--break-ties must be"),
        (("--property", "single_peeked"), "no property named 'single_peeked'"),
        (("--size", "2", "--count", "9"), "there are 3 different sets of 2; 9 were requested"),
        (("--jobs", "0"), "got 0"),
        (("--output", "long.csv"), "is a file that is read; name another one"),
        (("--partial", "long.csv"), "is a file that is read; name another one"),
        (("--partial", "new.svg", "--plot", "new.svg"), "are the same file"),
        (("--partial", "new", "--output", "./new"), "--output and --partial are the same file"),
        (("--models", "random 1=a,b", "--size", "2", "--count", "1"), "has the name of one drawn at random"),
    ],
)
def test_wrong_calls_end_with_2_and_one_message(weightlab, suite, arguments, said):
    if "--plot" in arguments:
        pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    answer = weightlab("sweep", suite, *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert said in answer.err


def test_only_the_first_cells_of_many_are_shown(weightlab):
    answer = weightlab("sweep", "--size", "2", "--count", "33", "--metrics", "accuracy")
    assert answer.out.endswith("\nShowing 30 of 33 rows; use --all for the rest.\n")
    assert len(answer.out.splitlines()) == 2 + 1 + 30 + 1
