from __future__ import annotations

import csv
import io
import json
import shlex

import pytest

from weightlab.cli.inputs.known_studies import MOVED
from weightlab.data import Leaderboard
from weightlab.io import read_leaderboard
from weightlab.studies import disagreement, paired, single_changes

TASKS = [f"t{place}" for place in range(8)]
TABLE = ",".join(["model", *TASKS]) + "\n" + "".join(
    f"{model},{','.join(str(first + place * step % 7) for place in range(8))}\n"
    for model, first, step in (("ada x", 9, 3), ("bo", 7, 5), ("-cy", 8, 2), ("dee", 6, 4))
)  # fmt: skip
CALLS = {
    "paired": (["-m", "ada", "-m", "bo", "--seed", "3", "--repeats", "100", "--level", "90%"], "paired"),
    "disagreement": (["-r", "mean", "-r", "borda:ties=max", "--option", "norm=linf"], "disagreement"),
    "changes": (["-r", "mean", "-r", "borda", "--ties", "max", "--ranked", "ada", "--ranked", "bo"], "independence"),
}
ASKED = {
    "paired": lambda board: paired(board, "ada x", "bo", rng=3, repeats=100, level=0.9),
    "disagreement": lambda board: disagreement(board, "mean", "borda", norm="linf"),
    "changes": lambda board: single_changes(board, ["mean", "borda"], options={"ties": "max"}, models=["ada x", "bo"]),
}


@pytest.fixture
def board(tmp_path):
    """Return the table that is in the folder, with a blank and a sign in names."""
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    found = read_leaderboard(tmp_path / "t.csv", accept_reading=True)
    assert isinstance(found, Leaderboard)
    return found


@pytest.mark.parametrize("name", CALLS)
def test_the_command_says_what_the_function_does_in_words_and_in_a_document_that_verifies(weightlab, board, name):
    words, kind = CALLS[name]
    found = ASKED[name](board)
    told = weightlab(name, "t.csv", *words)
    assert told.code == 0
    assert str(found).replace("borda", "borda(ties=max)" if name == "disagreement" else "borda") in told.out
    document = json.loads(weightlab(name, "t.csv", *words, "--json", "--output", "proof.json").out)
    assert (document["command"], document["results"][0]["kind"]) == (name, kind)
    if name != "disagreement":
        assert document["results"][0] == json.loads(json.dumps(found.to_dict()))
    assert weightlab("verify", "proof.json", "t.csv").code == 0


@pytest.mark.parametrize("name", CALLS)
def test_the_rows_can_be_a_file(written, board, name):
    words, _ = CALLS[name]
    rows = list(csv.DictReader(io.StringIO(written(name, "t.csv", *words))))
    assert rows or name == "disagreement"


def test_documents_that_name_a_study_as_their_command_stay_valid(weightlab, board, tmp_path):
    weightlab("paired", "t.csv", "-m", "bo", "-m", "dee", "--output", "proof.json")
    text = (tmp_path / "proof.json").read_text(encoding="utf-8")
    old = text.replace('"command": "paired"', '"command": "study paired"')
    assert old != text
    (tmp_path / "old.json").write_text(old, encoding="utf-8")
    assert weightlab("verify", "old.json", "t.csv").code == 0


SPELT = {
    "paired": ["paired", "t.csv", "--option", "rival=bo", "--option=model=ada x", "--option", "level=90%"],
    "a dash first": ["--option", "model=-cy", "paired", "t.csv", "--option", "rival=bo", "--repeats=100"],
    "disagreement": ["disagreement", "t.csv", "-r", "mean", "-r", "borda", "--option", "norm=linf"],
    "single-changes": ["single-changes", "t.csv", "--option", "models=ada x,-cy", "-r", "borda"],
    "single_changes": ["single_changes", "t.csv", "--rule=borda", "--option", "ties=max"],
    "what it takes": ["paired", "--list"],
    "behind two dashes": ["--option", "model=bo", "--option", "rival=dee", "--", "paired", "t.csv"],
}


@pytest.mark.parametrize("name", SPELT)
def test_as_a_study_each_is_refused_with_the_call_that_runs(weightlab, board, name):
    told = weightlab("study", *SPELT[name])
    first, line = told.err.splitlines()
    assert (told.code, told.out) == (2, "")
    assert first.endswith(" is a command of its own:")
    program, command, *words = shlex.split(line)
    answer = weightlab(command, *words)
    assert (program, command in MOVED.values(), answer.code) == ("weightlab", True, 0), answer.err
    assert "is a command of its own" not in answer.err


def test_the_first_model_stays_the_first_and_a_secret_address_is_not_repeated(weightlab, board):
    line = weightlab("study", *SPELT["paired"]).err.splitlines()[1]
    assert shlex.split(line)[2:4] == ["--model=ada x", "--model=bo"]
    told = weightlab("study", "paired", "https://example.org/t.csv?token=secret")
    assert told.err == "weightlab: the study paired is a command of its own; see 'weightlab paired --help'\n"


def test_no_study_that_is_a_command_is_listed(weightlab):
    listed = {line.split()[0] for line in weightlab("study", "--list").out.splitlines()}
    assert not listed & {*MOVED, *MOVED.values()}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["paired", "t.csv"], "two models are compared: give --model twice; got 0"),
        (["paired", "t.csv", "-m", "bo"], "give --model twice; got 1"),
        (["paired", "t.csv", "-m", "bo", "-m", "b"], "two models are compared; got 'bo' twice"),
        (["paired", "t.csv", "-m", "bo", "-m", "zz"], "no model named 'zz'"),
        (["paired", "t.csv", "-m", "bo", "-m", "dee", "--repeats", "0"], "repeats"),
        (["disagreement", "t.csv"], "disagreement compares two rules; give --rule twice, not 0 times"),
        (["disagreement", "t.csv", "-r", "mean"], "disagreement compares two rules; give --rule twice, not 1 times"),
        (["disagreement", "t.csv", "-r", "mean", "-r", "mean"], "mean"),
        (["disagreement", "t.csv", "-r", "mean", "-r", "borda", "--option", "x=1"], "disagreement has no use for an"),
        (["changes", "t.csv", "--ranked", "zz"], "no model named 'zz'"),
        (["changes", "t.csv", "--ranked", "bo"], "two"),
        (["changes", "t.csv", "--jobs", "0"], "--jobs must be 1 or more"),
        (["changes", "t.csv", "-r", "bordda"], "--rule 'bordda'"),
    ],
)
def test_wrong_calls_end_with_2_and_one_message(weightlab, board, call, said):
    told = weightlab(*call)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    assert told.err.count("weightlab: ") == 1


def test_out_of_time_what_is_known_is_printed_and_the_exit_code_says_so(weightlab, board, monkeypatch):
    monkeypatch.setattr("weightlab.lp.sensitivity.least_change.ensure_time", lambda _: None)  # the time ends later
    call = ("disagreement", "--rule", "mean", "--rule", "borda", "--output", "proof.json")
    told = weightlab(*call, "--time-limit", "0")
    assert told.code == 3
    assert "the time limit passed" in told.out
    assert len(told.out.splitlines()) > 3
    assert weightlab("verify", "proof.json").code == 0
    assert weightlab(*call, "--time-limit", "0", "--option", "reconcile=no").code == 0


def test_nothing_to_tell_is_no_empty_table(weightlab, scores):
    answer = weightlab("disagreement", scores, "--rule", "mean", "--rule", "borda")
    first, *rest = answer.out.splitlines()
    assert (first[: first.index(".") + 1], rest) == ("mean and borda disagree on none of 6 pairs.", [])


def test_two_models_are_compared_on_the_instances_of_a_file(weightlab, tmp_path):
    rows = [f"{model},q{place},{int(place % size > 0)}" for place in range(24) for model, size in (("a", 4), ("b", 3))]
    (tmp_path / "answers.csv").write_text("\n".join(["system,question,solved", *rows]), encoding="utf-8")
    columns = ("--model-column", "system", "--instance-column", "question")
    told = weightlab("paired", "answers.csv", *columns, "-m", "a", "-m", "B", "--output", "proof.json")
    assert told.out.startswith("a leads b by 0.0833 on the mean of 24 instances")
    assert told.err == "Model 'B' is read as 'b'.\n"
    assert "McNemar's test, mid-p: 6 favour a, 4 favour b; the instances are assumed to be independent." in told.out
    assert weightlab("verify", "proof.json", "answers.csv").code == 0
