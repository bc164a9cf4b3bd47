"""Ranks that hold together, at the prompt: beside each rank, by several rules, of instances, and in documents."""

from __future__ import annotations

import json

import numpy as np
import pytest

from weightlab import read_leaderboard
from weightlab._result import result_from_dict
from weightlab.studies import effects, rank_sets

MODELS = ["ada", "bo", "cy", "dee"]


@pytest.fixture
def table(tmp_path):
    """A table of twelve tasks on which ada is ahead and dee behind."""
    rng = np.random.default_rng(0)
    rows = [[model, *(70 - 4 * place + rng.standard_normal(12)).round(2)] for place, model in enumerate(MODELS)]
    path = tmp_path / "table.csv"
    lines = [["model", *(f"t{task}" for task in range(12))], *rows]
    path.write_text("\n".join(",".join(map(str, line)) for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path):
    """Scores on single instances: right or wrong on forty questions of two tasks."""
    rng = np.random.default_rng(1)
    path = tmp_path / "answers.csv"
    lines = ["model,instance,one,two"]
    for place, model in enumerate(MODELS):
        lines += [f"{model},q{number},{right[0]},{right[1]}" for number, right in enumerate(
            (rng.random((40, 2)) < 0.98 - 0.25 * place).astype(int).tolist()
        )]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_sets_and_letters_stand_beside_the_ranks(weightlab, table):
    answer = weightlab("rank", table, "--rule", "mean", "--level", "0.95")
    found = rank_sets(read_leaderboard(table), "mean")
    lines = answer.out.splitlines()
    assert lines[1] == f"{found} Models that share a letter are not separated."
    assert lines[3].split() == ["rank", "model", "mean", "score", "rank", "at", "95%", "letters", "gap", "to", "next"]
    for line, (model, (low, high)) in zip(lines[4:], found.rank_sets.items(), strict=True):
        cell = [str(low)] if low == high else [str(low), "to", str(high)]
        assert line.split()[3 : 4 + len(cell)] == [*cell, found.classes[model]]


def test_the_document_holds_ranking_and_sets_and_is_drawn_again(weightlab, table):
    document = json.loads(
        weightlab("rank", table, "--level", "0.9", "--seed", "3", "--json", "--output", "proof.json").out
    )
    assert [one["kind"] for one in document["results"]] == ["ranking", "rank_sets"]
    assert result_from_dict(document["results"][1]).seed == 3
    answer = weightlab("verify", "proof.json", table)
    assert answer.code == 0
    assert "rank_sets: coverage" in answer.out


def test_instances_vary_within_their_tasks(weightlab, answers):
    call = ("rank", answers, "--rule", "mean", "--level", "0.95", "--over", "instances")
    assert "instances drawn at random within 2 tasks" in weightlab(*call).out
    assert [one["kind"] for one in json.loads(weightlab(*call, "--json", "--output", "proof.json").out)["results"]] == [
        "rank_sets"
    ]
    assert weightlab("verify", "proof.json", answers).code == 0


def test_rules_side_by_side_have_their_sets(weightlab, table):
    rules = ("--rule", "mean", "--rule", "median", "--rule", "copeland")
    answer = weightlab("compare", table, *rules, "--level", "0.95")
    lines = [line.split() for line in answer.out.splitlines()]
    assert ["model", "mean", "copeland"] in lines
    assert "By Copeland" in answer.out
    document = json.loads(weightlab("compare", table, *rules, "--level", "0.95", "--json", "-o", "proof.json").out)
    assert [one["kind"] for one in document["results"]] == ["comparison", "rank_sets", "rank_sets"]
    assert weightlab("verify", "proof.json", table).code == 0


def test_groups_of_equal_weight_are_the_macro_average(weightlab, table):
    groups = ("--group", "a=" + ",".join(f"t{one}" for one in range(6)))
    groups += ("--group", "b=" + ",".join(f"t{one}" for one in range(6, 12)))
    answer = weightlab("rank", table, "--groups", "--rule", "mean", *groups, "--level", "0.95")
    assert "By macro average" in answer.out
    assert "within 2 groups" in answer.out


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ("--over", "tasks"),
            "--over, --seed, --model-column and --instance-column require --level",
        ),
        (("--level", "1.5"), "level must be between 0 and 1; got 1.5"),
        (("--level", "0.9", "--over", "models"), "over must be 'tasks', 'groups', 'new_tasks', 'instances', 'both'"),
        (("--level", "0.9", "--over", "standard-errors", "--rule", "mean"), "needs one of every score"),
        (("--level", "0.9", "--rule", "median"), "median is neither"),
        (("--level", "0.9", "--two-step", "--group", "a=t1"), "no group"),
    ],
)
def test_what_cannot_be_asked_is_refused(weightlab, table, options, error):
    answer = weightlab("rank", table, *options)
    assert answer.code == 2
    assert error in answer.err


def test_votes_have_sets_and_orders_have_none(weightlab, tmp_path):
    path = tmp_path / "votes.csv"
    votes = ["a,b,model_a", "b,c,model_a", "c,a,model_a"] * 4 + ["a,b,model_a", "a,c,model_a", "b,c,model_a"] * 40
    path.write_text("\n".join(["model_a,model_b,winner", *votes]) + "\n", encoding="utf-8")
    for rule in ("bradley-terry", "copeland"):
        answer = weightlab("rank", path, "--rule", rule, "--level", "0.9", "-o", "proof.json")
        assert "132 votes drawn at random" in answer.out
        assert weightlab("verify", "proof.json", path).code == 0
    orders = tmp_path / "orders.soc"
    orders.write_text("# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n2: 1,2\n1: 2,1\n", encoding="utf-8")
    answer = weightlab("rank", orders, "--level", "0.9")
    assert "--level needs scores on tasks, or votes; this file holds orders" in answer.err


def test_a_rule_that_can_have_no_sets_is_left_out_with_a_note(weightlab, table):
    asked = ("compare", table, "--level", "0.95", "--group", "pair=t0,t1")
    answer = weightlab(*asked, "--rule", "mean", "--rule", "copeland")
    assert answer.code == 0
    assert "No rank sets by average: tasks are drawn within groups, and group 'pair' has 2 tasks" in answer.err
    assert "By Copeland" in answer.out
    assert "By mean" not in answer.out
    assert weightlab(*asked, "--rule", "mean").code == 2


def test_levels_may_be_written_in_per_cent(weightlab, table):
    plain, percent = (weightlab("rank", table, "--level", level) for level in ("0.9", "90%"))
    assert plain.out == percent.out
    studied = weightlab("study", "rank-sets", table, "--option", "level=90%")
    assert "all ranks together at 90%" in studied.out
    assert "level must be between 0 and 1; got 1.5" in weightlab("rank", table, "--level", "150%").err
    assert "not a finite number: 'x'" in weightlab("rank", table, "--level", "x").err


def test_a_test_of_ranks_is_asked_for_by_name_and_drawn_as_a_diagram(weightlab, table, tmp_path):
    pytest.importorskip("matplotlib")
    call = ("rank", table, "--level", "95%", "--method", "nemenyi")
    answer = weightlab(*call, "--plot", "cd.svg", "--plot-kind", "cd")
    assert "(Nemenyi's test of average ranks)" in answer.out
    assert "CD = " in (tmp_path / "cd.svg").read_text(encoding="utf-8")
    assert weightlab(*call, "--json", "--output", "proof.json").code == 0
    assert weightlab("verify", "proof.json", table).code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--level", "95%", "--plot-kind", "cd"], "--plot-kind requires --plot FILE"),
        (["--plot", "cd.svg", "--plot-kind", "cd"], "--plot-kind requires --plot FILE"),
        (["--method", "nemenyi"], "--method, --between, --equivalent and --effect-size require --level"),
        (["--level", "95%", "--method", "tukey"], "--method must be bounded, nemenyi or wilcoxon; got 'tukey'"),
        (
            ["--level", "95%", "--rule", "mean", "--method", "nemenyi"],
            "are of average ranks: ask by Borda or mean_rank, not mean",
        ),
    ],
)
def test_what_does_not_go_with_a_test_or_a_diagram_is_refused(weightlab, table, words, told):
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    answer = weightlab("rank", table, *words)
    assert answer.code == 2
    assert told in answer.err


def test_sets_that_are_sure_are_asked_for_between_bounds_and_verified(weightlab, table):
    call = ("rank", table, "--rule", "mean", "--level", "95%", "--method", "bounded")
    assert "pass --between 0:100" in weightlab(*call).err
    answer = weightlab(*call, "--between", "0:100", "--json", "--output", "proof.json")
    assert answer.code == 0
    assert "Assumed: independent tasks, all scores between 0 and 100." in weightlab(*call, "--between", "0:100").out
    assert weightlab("verify", "proof.json", table).code == 0
    assert "there are bounds for the same" in weightlab(*call, "--between", "0:100", "--between", "0:9").err


def test_a_table_for_a_paper_is_written_with_its_paragraph_and_equivalent_pairs_are_proved(weightlab, table, tmp_path):
    call = ("rank", table, "--rule", "mean", "--level", "95%", "--equivalent", "20")
    answer = weightlab(*call, "--output", "ranks.tex")
    found = effects(read_leaderboard(table), "mean", margin=20)
    assert (tmp_path / "ranks.tex").read_text(encoding="utf-8") == found.to_latex()
    assert answer.out.splitlines()[2] == str(found)
    document = json.loads(weightlab(*call, "--json", "--output", "proof.json").out)
    assert [one["kind"] for one in document["results"]] == ["ranking", "effects"]
    assert document["results"][1]["equivalent_pairs"] == 6
    assert weightlab("verify", "proof.json", table).code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--equivalent", "1"], "--method, --between, --equivalent and --effect-size require --level"),
        (["--level", "95%", "--equivalent", "-1"], "--equivalent must be a number above 0"),
    ],
)
def test_what_does_not_go_with_a_table_for_a_paper_is_refused(weightlab, table, words, told):
    answer = weightlab("rank", table, *words)
    assert answer.code == 2
    assert told in answer.err


def test_effects_are_of_tasks_and_not_of_instances(weightlab, answers):
    call = ("rank", answers, "--rule", "mean", "--level", "0.95", "--over", "instances")
    assert "effect sizes are of differences between tasks" in weightlab(*call, "--equivalent", "1").err


def test_effect_sizes_by_gamma_are_said_and_gaps_send_back_to_d(weightlab, table):
    answer = weightlab("rank", table, "--rule", "borda", "--level", "95%", "--effect-size", "akinshin_gamma")
    assert answer.code == 0
    assert "the effect sizes of the others (Akinshin's gamma: medians apart" in answer.out
    assert weightlab("rank", table, "--effect-size", "cohen_d").code == 2
    table.write_text(table.read_text(encoding="utf-8").replace("\nada,", "\nada,,", 1).replace(",t11", ",t11,t12", 1),
                     encoding="utf-8")  # fmt: skip
    lines = table.read_text(encoding="utf-8").splitlines()
    table.write_text("\n".join([*lines[:2], *(f"{one},70" for one in lines[2:])]), encoding="utf-8")
    call = ["rank", table, "--rule", "borda", "--missing", "skip", "--level", "95%", "--effect-size"]
    refused = weightlab(*call, "akinshin_gamma")
    assert refused.err.endswith("pass --effect-size cohen_d\n")
    assert weightlab(*call, "cohen_d").code == 0


@pytest.mark.parametrize("rule", ["borda", "mean-rank"])
def test_the_cure_for_missing_scores_compares_each_pair_on_the_tasks_that_both_have(weightlab, table, rule):
    lines = [line.split(",") for line in table.read_text(encoding="utf-8").splitlines()]
    for place, line in enumerate(lines[1:], start=1):
        line[place] = ""
    table.write_text("\n".join(map(",".join, lines)), encoding="utf-8")
    assumed = "which scores are missing must have nothing to do with who is ahead there"
    for call in (["rank", table, "--rule", rule, "--level", "95%"], ["study", "rank-sets", table, "--rule", rule]):
        refused = weightlab(*call)
        assert refused.code == 2
        assert "--missing skip" in refused.err
        answer = weightlab(*call, "--missing", "skip")
        assert answer.code == 0
        assert assumed in answer.out
    paper = weightlab("study", "effects", table, "--rule", rule, "--missing", "skip")
    assert assumed in paper.out


def test_too_many_models_for_effect_sizes_are_refused_before_sets_are_drawn(weightlab, tmp_path, monkeypatch):
    path, paper = tmp_path / "many.csv", tmp_path / "ranks.tex"
    path.write_text("model,x,y\n" + "".join(f"m{k},{k},{k % 7}\n" for k in range(1001)), encoding="utf-8")
    monkeypatch.setattr("weightlab.studies.rank_sets", None)
    for more in (["--equivalent", "1"], ["--effect-size", "cohen_d"], ["--output", paper]):
        told = weightlab("rank", path, "--rule", "mean", "--level", "95%", "--accept-reading", *more)
        assert told.err.endswith("weightlab: effect sizes are of 1,000 models at most, and these are 1,001\n")
    assert not paper.exists()
