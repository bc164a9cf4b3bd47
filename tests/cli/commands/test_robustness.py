from __future__ import annotations

import json

import pytest

import weightlab as wl
from weightlab._result import result_from_dict
from weightlab.lp.improvement import lifts


def rows(answer):
    return [line.split() for line in answer.out.splitlines()[3:-2]]


def test_each_rule_has_a_row_with_the_median_the_fewest_and_todays_lead(weightlab, scores):
    answer = weightlab("robustness", scores)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("Tasks to raise to the best score for a win by each rule, of 3 tasks\n")
    assert rows(answer)[:3] == [
        ["mean", "1", "1", "ada,", "cy", "and", "1", "more", "bo", "0.233333", "in", "score"],
        ["majority", "1", "1", "ada,", "bo", "and", "1", "more", "none"],
        ["median", "never", "never", "bo", "4.1", "in", "score"],
    ]
    assert answer.out.endswith("Proof checked in exact arithmetic: 4 models by 5 rules.\n")


def test_the_table_is_what_the_function_finds(weightlab, scores):
    board = wl.read_leaderboard(scores)
    answer = weightlab("robustness", scores, "--rule", "mean", "--rule", "plurality", "--ties-ok", "--raise", "2.5")
    for row, rule in zip(rows(answer), ("mean", "plurality"), strict=True):
        found = wl.lp.fewest_lifts(board, rule=rule, ties="ok", level="2.5")
        assert row[:2] == [rule, "never" if found.median is None else str(found.median)]


def test_a_models_tasks_are_named_rule_by_rule(weightlab, scores):
    board = wl.read_leaderboard(scores)
    answer = weightlab("robustness", scores, "-m", "dee", "-r", "majority", "-r", "borda")
    assert answer.out.splitlines() == [
        str(wl.lp.fewest_lifts(board, rule=rule)["dee"]) for rule in ("majority", "borda")
    ]
    refused = weightlab("robustness", scores, "-m", "dex")
    assert refused.code == 2
    assert "did you mean 'dee'?" in refused.err


def test_the_document_is_verified(weightlab, scores):
    answer = weightlab("robustness", scores, "--json", "--output", "proof.json")
    document = json.loads(answer.out)
    assert [one["rule"]["name"] for one in document["results"]] == [
        "mean",
        "majority",
        "median",
        "mean_win_rate",
        "borda",
    ]
    assert all(result_from_dict(one).verify(wl.read_leaderboard(scores)) for one in document["results"])
    assert weightlab("verify", "proof.json", scores).code == 0


def test_with_missing_scores_only_whole_rows_take_part_but_by_majority_alone(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,2,1\nb,1,\nc,1,2\n", encoding="utf-8")
    answer = weightlab("robustness", "gaps.csv", "--output", "proof.json")
    assert answer.code == 0
    assert answer.read[0].endswith("Not ranked (missing scores): b.")
    assert "2 models by 5 rules" in answer.out
    assert "3 models by 1 rule" in weightlab("robustness", "gaps.csv", "--rule", "majority").out
    assert weightlab("verify", "proof.json", "gaps.csv").code == 0


def test_missing_scores_count_as_is_said_and_rules_that_do_not_know_the_way_are_named(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,9,8,7\nb,8,9,\nc,1,2,9\n", encoding="utf-8")
    board = wl.read_leaderboard(tmp_path / "t.csv")
    for way, rules, gone in (
        ("skip", ["mean", "median", "mean_win_rate"], "borda"),
        ("last", ["borda"], "mean, median"),
    ):
        answer = weightlab("robustness", "t.csv", "--missing", way, "--json")
        assert f"Left out, as they take no --missing {way}: {gone}" in answer.err
        found = {one["rule"]["name"]: one for one in json.loads(answer.out)["results"]}
        assert {*found} == {*rules, "majority"}
        for rule in rules:
            counts = wl.lp.fewest_lifts(board, rule=rule, missing=way).counts.to_dict()
            assert result_from_dict(found[rule]).counts.to_dict() == counts
    assert weightlab("robustness", "t.csv", "--missing", "error").code == 2
    dropped = weightlab("robustness", "t.csv", "--leave-out", "tasks", "--rule", "mean", "--missing", "skip")
    assert "mean (missing=skip)" in dropped.out


def test_the_tables_own_rule_comes_first(weightlab, scores):
    assert weightlab("robustness", scores).out.splitlines()[3].split()[0] == "mean"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "copeland"], "no rule named 'copeland'"),
        (["--raise", "top"], "level must be 'best' or a number above 0; got 'top'"),
        (["--raise", "-1"], "above 0"),
    ],
)
def test_a_wrong_call_is_one_message(weightlab, scores, arguments, message):
    answer = weightlab("robustness", scores, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_an_unknown_rule_is_told_with_its_flag(weightlab, scores):
    answer = weightlab("robustness", scores, "--rule", "foo")
    assert answer.code == 2
    assert answer.err.startswith("weightlab: no rule named 'foo'; the list of rules to win by has 'majority', 'mean', ")


def test_what_must_go_before_the_winner_falls_behind_is_what_the_function_finds(weightlab, scores):
    board = wl.read_leaderboard(scores)
    answer = weightlab("robustness", scores, "--leave-out", "tasks", "-r", "mean", "-r", "median")
    assert (answer.code, answer.err) == (0, "")
    for line, rule in zip(answer.out.splitlines()[3:5], ("mean", "median"), strict=True):
        found = wl.lp.fewest_drops(board, rule)
        assert line.split() == [rule, found.model, str(found.count), found.rival, *", ".join(found.tasks).split()]
    pair = weightlab("robustness", scores, "--leave-out", "tasks", "-r", "mean", "--pair", "bo", "dee")
    assert pair.out.startswith("How many tasks must be left out before bo is behind dee\n")
    assert wl.lp.fewest_drops(board, "mean", pair=("bo", "dee")).rival in pair.out


def test_models_that_are_left_out_count_for_some_rules_only(weightlab, scores):
    answer = weightlab("robustness", scores, "--leave-out", "models", "--json", "--output", "proof.json")
    assert answer.code == 0
    assert "No model is ahead of all others today head-to-head" in answer.err
    assert [one["count"] for one in json.loads(answer.out)["results"][:2]] == [None, None]
    assert weightlab("verify", "proof.json", scores).code == 0
    refused = weightlab("robustness", scores, "--leave-out", "models", "-r", "plurality")
    assert (refused.code, refused.out) == (2, "")
    assert "not a sum over models" in refused.err


def test_votes_are_left_out_of_votes(weightlab, tmp_path):
    rows = [*["a,b,model_a"] * 5, *["a,b,model_b"] * 3, *["c,a,tie"] * 2, *["a,c,model_a"], "b,c,model_b"]
    (tmp_path / "battles.csv").write_text("\n".join(["model_a,model_b,winner", *rows]), encoding="utf-8")
    for more in ([], ["--leave-out", "votes"]):
        answer = weightlab("robustness", "battles.csv", "--output", "proof.json", *more)
        assert answer.code == 0
        assert (
            answer.out.splitlines()[3]
            == "majority  a                    3  b           25% of all votes, won against b"
        )
        assert weightlab("verify", "proof.json", "battles.csv").code == 0
    refused = weightlab("robustness", "battles.csv", "--leave-out", "tasks")
    assert refused.code == 2
    assert "there are no tasks to leave out" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--leave-out", "cells"], "--leave-out must be tasks, models or votes; got 'cells'"),
        (["--leave-out", "votes"], "there are no votes to leave out"),
        (["--leave-out", "tasks", "--pair", "bo", "bo", "-r", "mean"], "two different models"),
        (["--leave-out", "tasks", "--pair", "bo", "dex"], "did you mean 'dee'?"),
    ],
)
def test_a_wrong_call_about_what_is_left_out_is_one_message(weightlab, scores, arguments, message):
    answer = weightlab("robustness", scores, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_options_that_do_not_go_together_are_refused(weightlab, scores):
    for words, said in (
        (("--pair", "ada", "bo"), "--pair does not apply to lifts; pass --leave-out too"),
        (("--leave-out", "tasks", "-m", "ada"), "--model does not apply to drops"),
        (("--leave-out", "tasks", "--raise", "3"), "--raise does not apply to drops"),
        (("--leave-out", "tasks", "--ties-ok"), "--ties-ok does not apply to drops"),
    ):
        answer = weightlab("robustness", scores, *words)
        assert (answer.code, answer.err) == (2, f"weightlab: {said}\n")


def test_out_of_time_what_was_found_is_said_and_saved(weightlab, scores, monkeypatch):
    asked, whole = [], lifts._lifts_of

    def late(counted, model, *given, **options):
        asked.append(model)
        if len(asked) > len(counted.table.models) + 1:
            raise wl.TimeLimitError("fewest lifts: the time limit came")
        return whole(counted, model, *given, **options)

    monkeypatch.setattr(lifts, "_lifts_of", late)
    answer = weightlab("robustness", str(scores), "--rule", "mean", "--rule", "borda", "--output", "proof.json")
    assert answer.code == 3
    assert [line.split()[0] for line in answer.out.splitlines() if line.startswith(("mean", "borda"))] == ["mean"]
    assert "lifts by Borda, known of 1 of " in answer.err
    monkeypatch.setattr(lifts, "_lifts_of", whole)
    assert weightlab("verify", "proof.json", str(scores)).code == 0
