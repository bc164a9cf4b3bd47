from __future__ import annotations

import json

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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--what", "top", "-k", "99"], "k is 99, but the table has 4 models"),
        (["--what", "all"], "keep must be 'winner', 'top' or 'order'"),
        (["--margin", "0"], "margin must be above 0"),
    ],
)
def test_bad_input_is_told(weightlab, scores, options, message):
    answer = weightlab("smallest", scores, *options)
    assert answer.code == 2
    assert message in answer.err
