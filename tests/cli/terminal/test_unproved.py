"""Limits of time: what was proved is printed, what was not is named, and the exit code is 3."""

from __future__ import annotations

import json

import pytest

from weightlab._result import result_from_dict
from weightlab.exceptions import TimeLimitError, UnprovedError
from weightlab.lp import prospect as prospect_of
from weightlab.lp import scenario as scenario_of
from weightlab.lp import upset, weight_ranges
from weightlab.lp.verdicts import all_models

LATE = "the time limit came"


def late_for(monkeypatch, name, ask, *, kinds=(), models=("bo",)):
    """Let a question of the command line take too long for some models (and kinds of objective)."""

    def asked(board, model, *rest, **options):
        if model in models and (not kinds or rest[0].kind in kinds):
            raise TimeLimitError(LATE, known={"value": None})
        return ask(board, model, *rest, **options)

    monkeypatch.setattr(name, asked)


def test_verdicts_settled_before_the_limit_are_counted_and_named(weightlab, scores, monkeypatch):
    settle = all_models.Prover.bounds

    def settling(self, duels, *rest):
        if duels.model == 2:
            raise TimeLimitError(LATE)
        return settle(self, duels, *rest)

    monkeypatch.setattr(all_models.Prover, "bounds", settling)
    expected = "weightlab: 'cy': no proof within 5.0 s\nsettled: 2 of 4 models\ncan win (2): ada, bo\n"
    for options in ((), ("--json",)):
        answer = weightlab("win", "--rule", "majority", scores, "--time-limit", "5", *options)
        assert (answer.code, answer.out, answer.err) == (3, "", expected)


def test_the_table_outlives_its_distances(weightlab, scores, monkeypatch):
    whole = weightlab("win", "--rule", "majority", scores)
    late_for(monkeypatch, "weightlab.views.verdicts.scenario_of", scenario_of, kinds=("closest_to",))
    answer = weightlab("win", "--rule", "majority", scores, "--time-limit", "5", "--quiet")
    assert answer.code == 3
    assert answer.err == f"weightlab: not found where the table has '?', for bo: bo: {LATE}\n"
    assert set(answer.out.split()) - set(whole.out.split()) == {"?"}
    able = [line.split() for line in answer.out.splitlines() if line.startswith("bo ")]
    assert able[-1][-2:] == ["?", "?"]


def test_other_models_are_told_first_and_the_late_one_is_named(weightlab, scores, monkeypatch):
    alone = weightlab("win", "--rule", "majority", scores, "-m", "ada").out
    late_for(monkeypatch, "weightlab.lp.prospect", prospect_of)
    answer = weightlab("win", "--rule", "majority", scores, "-m", "bo", "-m", "ada")
    assert (answer.code, answer.out, answer.err) == (3, alone, f"weightlab: bo head-to-head: {LATE}\n")
    document = weightlab("win", "--rule", "majority", scores, "-m", "bo", "-m", "ada", "--json")
    assert document.code == 3
    results = [result_from_dict(one) for one in json.loads(document.out)["results"]]
    assert {one.model for one in results if one.kind != "winning_shares"} == {"ada"}
    assert all(one.verify() for one in results)
    nothing = weightlab("win", "--rule", "majority", scores, "-m", "bo", "--json", "-o", "proof.json")
    assert (nothing.code, nothing.out) == (3, "")
    assert not (scores.parent / "proof.json").exists()


@pytest.mark.parametrize(("kind", "named"), [("closest_to", "nearest weights"), ("most_balanced", "flattest weights")])
def test_a_story_is_told_without_what_is_late(weightlab, scores, monkeypatch, kind, named):
    heading = {"closest_to": "Nearest winning", "most_balanced": "Flattest"}[kind]
    whole = weightlab("win", "--rule", "majority", scores, "-m", "bo", "--details").out
    late_for(monkeypatch, "weightlab.views.prospect.scenario_of", scenario_of, kinds=(kind,))
    answer = weightlab("win", "--rule", "majority", scores, "-m", "bo", "--details")
    assert (answer.code, answer.err) == (3, f"weightlab: bo, {named}: {LATE}\n")
    assert heading in whole
    assert heading not in answer.out
    assert set(answer.out.splitlines()) < set(whole.splitlines())


def test_what_is_not_proved_to_be_the_only_way_is_not_called_so(weightlab, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,2,1,3\nb,1,2,2\nc,3,3,1\n", encoding="utf-8")
    assert ", the only such weights" in weightlab("win", "--rule", "majority", "t.csv", "-m", "b").out
    late_for(monkeypatch, "weightlab.views.prospect.scenario_of", scenario_of, kinds=("most_weight",), models=("b",))
    answer = weightlab("win", "--rule", "majority", "t.csv", "-m", "b")
    assert answer.code == 3
    assert "the only" not in answer.out
    assert "weightlab: b, whether other weights do it: the time limit came\n" in answer.err


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (weight_ranges, ("least and most weights", "Weight of each task")),
        (upset, ("what to improve under current weights", "What it would take")),
    ],
)
def test_a_story_is_told_without_ranges_or_improvements_that_are_late(weightlab, scores, monkeypatch, question, words):
    named, heading = words
    whole = weightlab("win", "--rule", "majority", scores, "-m", "bo", "--details").out
    late_for(monkeypatch, f"weightlab.views.prospect.{question.__name__}", question)
    answer = weightlab("win", "--rule", "majority", scores, "-m", "bo", "--details")
    assert (answer.code, answer.err) == (3, f"weightlab: bo, {named}: {LATE}\n")
    assert heading in whole
    assert heading not in answer.out


def test_a_table_without_its_shares_says_so(weightlab, scores, monkeypatch):
    def late(*_arguments, **_options):
        raise TimeLimitError(LATE)

    whole = weightlab("win", "--rule", "majority", scores).out
    monkeypatch.setattr("weightlab.lp.winning_shares", late)
    answer = weightlab("win", "--rule", "majority", scores)
    assert (answer.code, answer.err) == (3, f"weightlab: shares of weightings head-to-head: {LATE}\n")
    assert "share head-to-head" in whole
    assert "share head-to-head" not in answer.out


def test_the_story_outlives_the_fewest_blockers(weightlab, scores, monkeypatch):
    whole = weightlab("win", "--rule", "majority", scores, "-m", "dee", "--details").out.splitlines()

    def refusing(board, model, **options):
        options["fewest_blockers"] = False
        raise UnprovedError(LATE, known={"bound": 2, "x": (1, 0), "prospect": prospect_of(board, model, **options)})

    monkeypatch.setattr("weightlab.views.prospect.prospect", refusing)
    answer = weightlab("win", "--rule", "majority", scores, "-m", "dee", "--details")
    assert (answer.code, answer.err) == (3, f"weightlab: dee, fewest blockers: {LATE}\nbound: 2\n")
    assert answer.out.splitlines() == [line for line in whole if not line.startswith("Fewest blockers")]
