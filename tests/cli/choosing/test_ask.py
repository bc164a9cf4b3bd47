from __future__ import annotations

import json
from pathlib import Path

import pytest

import weightlab as wl
from weightlab._result import result_from_dict
from weightlab.cli.commands import choice as asking


def test_answers_are_asked_for_and_saved_and_the_model_is_proved(weightlab, scores):
    answer = weightlab("ask", scores, "--answers", "mine.csv", typed=b"1\n" * 30)
    assert answer.code == 0
    assert "Proof checked in exact arithmetic.\n" in answer.out
    assert Path("mine.csv").read_text(encoding="utf-8").startswith("first,second,says\n")
    again = weightlab("ask", scores, "--answers", "mine.csv", "--json")
    (document,) = json.loads(again.out)["results"]
    found = result_from_dict(document)
    assert found.settled
    assert found.verify(wl.read_leaderboard(scores))


def test_strange_lines_are_asked_again_and_stopping_says_what_is_known(weightlab, scores):
    answer = weightlab("ask", scores, "--answers", "mine.csv", "--blind", typed=b"what\nb\ns\nb\nq\n")
    assert answer.code == 0
    assert "1: the first" in answer.out
    assert "sampled weightings" in answer.out
    assert "models can still be first" in answer.out
    assert "Answers are in mine.csv: the same command resumes.\n" in answer.out + answer.err


def test_a_contradiction_is_mended(weightlab, scores):
    models = wl.read_leaderboard(scores).models
    rows = f"{models[0]},{models[1]},first\n{models[1]},{models[0]},first\n"
    Path("mine.csv").write_text(f"first,second,says\n{rows}", encoding="utf-8")
    answer = weightlab("ask", scores, "--answers", "mine.csv", typed=b"y\nq\n")
    assert "no weights fit answers 1 (" in answer.out
    assert Path("mine.csv").read_text(encoding="utf-8").count("\n") == 2


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,b\n", [], "a table with the columns first, second, says is needed"),
        ("first,second,says\nnobody,x,first\n", [], "no model named 'nobody'"),
        ("first,second,says\n", ["--loss", "-1"], "loss must not be negative"),
    ],
)
def test_bad_input_is_told(weightlab, scores, text, options, message):
    Path("mine.csv").write_text(text, encoding="utf-8")
    answer = weightlab("ask", scores, "--answers", "mine.csv", *options, typed=b"")
    assert answer.code == 2
    assert message in answer.err


def test_without_a_terminal_nothing_is_asked_and_what_saved_answers_prove_is_printed(weightlab, scores):
    Path("mine.csv").write_text("first,second,says\nada,bo,first\n", encoding="utf-8")
    answer = weightlab("ask", scores, "--answers", "mine.csv", stdin=b"1\n" * 30)
    assert (answer.code, "Which would you rather have" in answer.out + answer.err) == (0, False)
    assert "sampled weightings" in answer.out
    assert "Proved so far by average: " in answer.out
    assert "Weights that fit your answers (any weight on the other 2 tasks):\n" in answer.out
    assert Path("mine.csv").read_text(encoding="utf-8") == "first,second,says\nada,bo,first\n"


def test_interrupted_what_is_known_is_printed_and_answers_stay(weightlab, scores, monkeypatch, capsys):
    lines = iter(["1", KeyboardInterrupt()])

    def typed(_):
        line = next(lines)
        if isinstance(line, KeyboardInterrupt):
            raise line
        return line

    monkeypatch.setattr(asking, "_typed", typed)
    monkeypatch.setattr(asking, "_has_terminal", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        weightlab("ask", scores, "--answers", "mine.csv")
    assert "weightings that fit" in capsys.readouterr().out
    assert Path("mine.csv").read_text(encoding="utf-8").count("\n") == 2


def test_a_question_shows_scores_in_the_units_of_the_board(weightlab):
    Path("ms.csv").write_text("model,ms,acc\na,7,0.5\nb,3,0.25\nc,9,0.75\n", encoding="utf-8")
    for rule in ("mean", "borda"):
        answer = weightlab("ask", "ms.csv", "--lower", "ms", "--rule", rule, typed=b"q\n")
        assert "ms (lower is better)" in answer.out
        assert " 0.75" in answer.out
