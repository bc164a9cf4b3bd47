from __future__ import annotations

import json
from fractions import Fraction

import pytest

import weightlab as wl
from weightlab._result import result_from_dict


def test_the_sentence_the_weights_and_what_fewer_tasks_keep_are_shown(weightlab, scores):
    answer = weightlab("smallest", scores, "--what", "order", "--weighted", "equal", "--rule", "borda")
    found = wl.lp.smallest_benchmark(wl.read_leaderboard(scores), keep="order", weights="equal", rule="borda")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{found}\n\ntask")
    assert answer.out.endswith("Proof checked in exact arithmetic: 3 tasks.\n")


def test_the_document_is_verified(weightlab, scores):
    answer = weightlab("smallest", scores, "--json", "--output", "proof.json", "--what", "top", "-k", "2")
    (document,) = json.loads(answer.out)["results"]
    assert result_from_dict(document).verify(wl.read_leaderboard(scores))
    assert weightlab("verify", "proof.json", scores).code == 0


def test_conditions_hold_and_other_sets_are_named(weightlab, scores):
    board = wl.read_leaderboard(scores)
    task = board.tasks[0]
    answer = weightlab("smallest", scores, "--max", f"{task}=0.1", "--sets", "9")
    found = wl.lp.smallest_benchmark(board, space=wl.lp.WeightSpace(board).at_most(task, "0.1"), most=9)
    assert answer.out.startswith(f"{found}\n")
    assert answer.out.count("Or: ") == len(found.sets) - 1


def test_costs_and_a_tolerance_are_options(weightlab, scores, tmp_path):
    board = wl.read_leaderboard(scores)
    prices = tmp_path / "prices.csv"
    prices.write_text("task,cost\n" + "".join(f"{task},{place + 1}/2\n" for place, task in enumerate(board.tasks)))
    options = ["--what", "top", "-k", "3", "--tolerance", "1", "--cost", str(prices)]
    answer = weightlab("smallest", scores, *options)
    cost = {task: Fraction(place + 1, 2) for place, task in enumerate(board.tasks)}
    found = wl.lp.smallest_benchmark(board, keep="top", k=3, tolerance=1, cost=cost)
    assert answer.out.startswith(f"{found}\n")
    assert "and no cheaper set does, whichever 1 model may fail" in answer.out
    weightlab("smallest", scores, "--json", "--output", "proof.json", *options)
    assert weightlab("verify", "proof.json", scores).code == 0


def test_the_nearest_compromise_is_said(weightlab, tmp_path):
    table = tmp_path / "two.csv"
    table.write_text("model,x,y\na,9,0\nb,5,8\nc,1,8\nd,0,0\n")
    answer = weightlab("smallest", str(table), "--what", "order", "--rule", "mean", "--weighted", "equal")
    assert "The nearest compromise: 1 of 2 tasks (x) keeps 3 of 4 models in order" in answer.out


def test_costs_are_of_tasks(weightlab, scores, tmp_path):
    board = wl.read_leaderboard(scores)
    prices = tmp_path / "prices.csv"
    prices.write_text(f"model,cost\n{board.models[0]},2\n")
    answer = weightlab("smallest", scores, "--cost", str(prices))
    assert answer.code == 2
    assert "which is not a task of the table" in answer.err


def test_missing_scores_count_as_is_said(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,9,8,7\nb,8,9,\nc,1,2,9\n", encoding="utf-8")
    board = wl.read_leaderboard(tmp_path / "t.csv")
    answer = weightlab("smallest", "t.csv", "--rule", "borda", "--missing", "last", "--json")
    (found,) = json.loads(answer.out)["results"]
    assert found["tasks"] == list(wl.lp.smallest_benchmark(board, rule="borda", missing="last").tasks)
    assert weightlab("smallest", "t.csv", "--rule", "borda", "--missing", "error").code == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--what", "top", "-k", "99"], "k is 99, but the table has 4 models"),
        (["--what", "all"], "keep must be 'winner', 'top' or 'order'"),
        (["--tolerance", "1"], "tolerance has no meaning for keep='winner'"),
        (["--margin", "0"], "margin must be above 0"),
    ],
)
def test_bad_input_is_told(weightlab, scores, options, message):
    answer = weightlab("smallest", scores, *options)
    assert answer.code == 2
    assert message in answer.err
