from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import weightlab as wl
from weightlab._result import result_from_dict

BOARD = "model,x,y,z\na,90,80,70\nb,85,,60\nc,20,,20\nd,10,15,\n"


@pytest.fixture
def gaps(tmp_path):
    Path("gaps.csv").write_text(BOARD, encoding="utf-8")
    return "gaps.csv"


def test_what_to_measure_next_is_shown(weightlab, gaps):
    answer = weightlab("settle", gaps, "--between", "0:100", "--claim", "winner", "--next", "1")
    assert answer.code == 0
    assert "The winner by average is still open: 2 models are out" in answer.out
    assert "Can still matter    1 of 3 missing scores for this claim; skip the other 2" in answer.out
    assert "b             y        1" in answer.out


def test_a_claim_that_is_proved_is_told_with_its_certificate(weightlab, gaps):
    answer = weightlab("settle", gaps, "--between", "0:100", "--claim", "top:2")
    found = wl.lp.settle(wl.read_leaderboard(gaps), "top", k=2, bounds=(0, 100))
    assert found.verdict == "certain"
    assert str(found) in answer.out
    assert "Proved: a and b are the top 2 by average, whatever the 3 missing scores are." in answer.out


def test_the_document_is_verified(weightlab, gaps):
    answer = weightlab("settle", gaps, "--between", "0:100", "--json", "-o", "proof.json", "--claim", "top:2")
    (document,) = json.loads(answer.out)["results"]
    assert result_from_dict(document).verify(wl.read_leaderboard(gaps))
    assert weightlab("verify", "proof.json", gaps).code == 0


def test_the_list_goes_to_a_file_and_the_next_call_goes_on_from_there(weightlab, gaps):
    answer = weightlab("settle", gaps, "--between", "0:100", "-o", "todo.csv", "--plan")
    assert "1 score to measure for this claim: todo.csv." in answer.err
    with Path("todo.csv").open(encoding="utf-8") as lines:
        (todo,) = csv.DictReader(lines)
    assert (todo["model"], todo["task"], todo["cost"]) == ("b", "y", "1")
    assert todo["for this claim"] == "the winner by average"
    Path(gaps).write_text(BOARD.replace("b,85,,60", "b,85,75,60"), encoding="utf-8")
    assert "Proved: a is first by average" in weightlab("settle", gaps, "--between", "0:100").out


def test_idle_scores_are_listed(weightlab, gaps):
    answer = weightlab("settle", gaps, "--between", "0:100", "--idle")
    assert "Cannot matter any more for this claim: 2 missing scores." in answer.out
    assert "its model is decided" in answer.out


@pytest.mark.parametrize(("costs", "price"), [("task,cost\ny,7\n", "7"), ("model,task,cost\nb,y,1/2\n", "1/2")])
def test_costs_are_read(weightlab, gaps, costs, price):
    Path("costs.csv").write_text(costs, encoding="utf-8")
    answer = weightlab("settle", gaps, "--between", "0:100", "--cost", "costs.csv")
    assert f"about 1 more, at a cost of {price}, if the predictions hold" in answer.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "pass --between 0:100 or --rule majority"),
        (["--between", "0:50"], "the score of 'a' on 'x', 90"),
        (["--between", "0:100", "--claim", "best"], "claim must be"),
        (["--between", "0:100", "--claim", "top:many"], "write a number of models, such as top:10"),
        (["--between", "0:100", "--claim", "top:4"], "k must be from 1 to 3"),
        (["--between", "0:100", "--model", "nobody"], "no model named 'nobody'"),
        (["--between", "0:100", "--cost", "no.csv"], "file not found"),
        (["--between", "100:0"], "--between '100:0': the lowest score comes first: write 0:100"),
        (["--between", "0:100", "--cost", "free.csv"], "--cost 'free.csv', line 4: a cost must be positive; got 0"),
        (["--between", "0:100", "--cost", "bad.csv"], "--cost 'bad.csv', line 2: there is no model and no task 'w'"),
        (["--between", "0:100", "--next", "0"], "--next must be 1 or more"),
        (["--between", "0:100", "--rule", "veto"], "by mean, majority or borda"),
    ],
)
def test_bad_input_is_told(weightlab, gaps, options, message):
    Path("bad.csv").write_text("task,cost\nw,1\n", encoding="utf-8")
    Path("free.csv").write_text("task,cost\nx,1\n\ny,0\n", encoding="utf-8")
    answer = weightlab("settle", gaps, *options)
    assert answer.code == 2
    assert message in answer.err


def test_a_complete_table_is_replayed(weightlab, gaps):
    Path(gaps).write_text("model,x,y,z\na,90,80,70\nb,85,70,60\nc,20,30,40\n", encoding="utf-8")
    answer = weightlab("settle", gaps, "--between", "0:100", "--replay")
    found = wl.studies.replay(wl.read_leaderboard(gaps), bounds=(0, 100))
    assert answer.out == f"{found}\n"


def test_claims_under_free_weights_are_settled(weightlab, gaps):
    answer = weightlab("settle", gaps, "--claim", "can", "--model", "a", "--between", "0:100", "--max", "y=0.2")
    assert "Proved: a can win head-to-head under some allowed weights, whatever the 3 missing scores are." in answer.out
    answer = weightlab("settle", gaps, "--claim", "never", "--model", "b", "--next", "2")
    assert "is still open" in answer.out
    assert "Expected" not in answer.out
    assert weightlab("settle", gaps, "--claim", "winner", "--between", "0:100", "--max", "y=0.2").code == 2
