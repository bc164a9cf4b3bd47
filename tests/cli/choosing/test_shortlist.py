from __future__ import annotations

import json
from pathlib import Path

import pytest

import weightlab as wl
from weightlab._result import result_from_dict
from weightlab.lp.choosing.shortlist_search import Search


def test_the_sentence_and_the_frontier_are_shown(weightlab, scores):
    answer = weightlab("shortlist", scores, "--size", "2", "--rule", "borda")
    found = wl.lp.shortlist(wl.read_leaderboard(scores), size=2, rule="borda")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{found}\n\nmodels")
    assert "Proof checked in exact arithmetic: 4 models, 3 tasks.\n" in answer.out


def test_the_document_is_verified(weightlab, scores):
    answer = weightlab("shortlist", scores, "--json", "--output", "proof.json", "--loss", "1%")
    (document,) = json.loads(answer.out)["results"]
    assert result_from_dict(document).verify(wl.read_leaderboard(scores))
    assert weightlab("verify", "proof.json", scores).code == 0


@pytest.mark.parametrize("heading", ["usd", "price", "cost"])
def test_costs_are_read_from_a_table(weightlab, scores, heading):
    board = wl.read_leaderboard(scores)
    cost = dict(zip(board.models, (3, 1, 2, 5), strict=True))
    Path("costs.csv").write_text(f"model,{heading}\n" + "".join(f"{model},{own}\n" for model, own in cost.items()))
    answer = weightlab("shortlist", scores, "--loss", "100", "--cost", "costs.csv")
    assert str(wl.lp.shortlist(board, loss=100, cost=cost)) in answer.out
    frontier = weightlab("shortlist", scores, "--cost", "costs.csv").out
    assert "\ncost" in frontier


def test_costs_of_other_models_are_not_read(weightlab, scores):
    Path("costs.csv").write_text(f"model,usd\n{wl.read_leaderboard(scores).models[0]},3\nnobody,1\n")
    answer = weightlab("shortlist", scores, "--cost", "costs.csv")
    assert (answer.code, "does not have (with all scores) are not read: nobody." in answer.err) == (0, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "99"], "got 99; pass --size 4"),
        (["--among", "nobody"], "no model named 'nobody'"),
        (["--cost", "no.csv"], "no.csv"),
        (["--theme", "dark"], "--theme dark requires --plot"),
    ],
)
def test_bad_input_is_told(weightlab, scores, options, message):
    answer = weightlab("shortlist", scores, *options)
    assert answer.code == 2
    assert message in answer.err


def test_out_of_time_the_sizes_found_are_printed_and_saved(weightlab, scores, monkeypatch):
    found = Search.by_size

    def until(self):
        yield next(found(self))
        raise wl.TimeLimitError("the time limit came")

    monkeypatch.setattr(Search, "by_size", until)
    answer = weightlab("shortlist", scores)
    assert (answer.code, "is enough" in answer.out) == (3, True)
    assert answer.err.endswith("weightlab: the time limit came\n")
    assert weightlab("shortlist", scores, "-o", "part.json").code == 3
    assert weightlab("verify", "part.json", scores).code == 0
