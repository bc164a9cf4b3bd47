from __future__ import annotations

import json

import pytest

from weightlab.rules import RULES


def test_without_a_file_eight_rules_are_compared_on_the_table_that_ships(weightlab):
    answer = weightlab("compare")
    assert (answer.code, answer.err) == (0, "")
    usual = ["mean", "median", "mean_rank", "borda", "copeland", "minimax", "schulze", "kemeny"]
    assert [row.split()[0] for row in answer.out.splitlines()[3:]] == usual


def test_of_votes_eight_rules_that_read_them_are_compared(weightlab, tmp_path):
    duels = ("a,b,model_a", "a,b,model_b", "a,b,model_a", "b,c,model_a", "b,c,model_b", "b,c,model_a")
    (tmp_path / "votes.csv").write_text("\n".join(("model_a,model_b,winner", *duels, "")), encoding="utf-8")
    answer = weightlab("compare", "votes.csv")
    named = [row.split()[0] for row in answer.out.splitlines()[3:]]
    assert len(named) + answer.err.count("Left out: ") == 8
    assert named[:4] == ["copeland", "minimax", "schulze", "kemeny"]


def test_all_rules_are_compared_on_request(weightlab):
    answer = weightlab("compare", "--rules", "ALL", "--rule", "borda")
    assert answer.code == 0
    rows = answer.out.splitlines()[3:]
    named = {row.split()[0] for row in rows}
    left_out = {line.split(": ")[1] for line in answer.err.splitlines()}
    assert named | left_out == set(RULES)
    assert "Left out: k_approval: the rule 'k_approval' needs the option k." in answer.err


@pytest.fixture
def table(tmp_path):
    """A table on which rules disagree."""
    path = tmp_path / "table.csv"
    path.write_text("model,x,y,z,v\nada,9,1,3,2\nbo,8,5,5,1\ncy,1,2,9,3\ndi,4,4,4,4\n", encoding="utf-8")
    return path


def test_each_rule_has_its_row(weightlab, table):
    answer = weightlab("compare", table, "-r", "mean", "-r", "borda:ties=max", "-r", "plurality", "--top", "2")
    lines = answer.out.splitlines()
    assert lines[0] == "3 rules on 4 models, winners: bo by 1; bo and di by 1; ada, bo, cy and 1 more by 1."
    assert lines[2].split("  ")[0] == "rule"
    assert "tau with mean" in lines[2]
    assert "top 2 in common" in lines[2]
    assert [line.split() for line in lines[3:]] == [
        ["mean", "bo", "1.000", "1.00", "1"],
        ["borda(ties=max)", "bo,", "di", "0.800", "1.00", "1"],
        ["plurality", "ada,", "bo,", "cy", "and", "1", "more", "none", "0.50", "3"],
    ]


def test_the_rank_of_every_model_by_every_rule(weightlab, table):
    answer = weightlab("compare", table, "-r", "mean", "-r", "copeland", "--ranks")
    ranks = answer.out.split("\n\n")[2].splitlines()
    assert [line.split() for line in ranks] == [
        ["model", "mean", "copeland"],
        ["bo", "1", "1"],
        ["di", "2", "1"],
        ["ada", "3", "4"],
        ["cy", "3", "3"],
    ]


def test_options_go_to_the_rules_that_have_them(weightlab, scores):
    answer = weightlab(
        "compare", scores, "--rule", "all", "--option", "gamma=80", "--option", "k=2", "--ties", "min", "--quiet"
    )
    assert "optimality_gap(gamma=80)" in answer.out
    assert "k_approval(ties=min, k=2)" in answer.out
    assert answer.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--option", "tis=1"), "none of these rules has an option 'tis'; all there are: --rules all"),
        (("--rule", "bordo"), "--rule 'bordo': no rule named 'bordo'"),
        (("--rule", "borda:tis=1"), "--rule 'borda:tis=1': the rule 'borda' has no option 'tis'"),
        (("--ties", "first"), "--ties must be average, min or max; got 'first'"),
        (("--top", "0"), "--top must be at least 1; got 0"),
        (("--time-limit", "-0.5"), "--time-limit is a number of seconds, 0 or more; got -0.5"),
        (("-r", "k_approval"), "no rule has an answer"),
    ],
)
def test_wrong_calls_are_one_clear_message(weightlab, scores, arguments, message):
    answer = weightlab("compare", scores, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_a_comparison_is_verified_where_it_is_sent(weightlab, scores):
    answer = weightlab("compare", scores, "-r", "mean", "-r", "kemeny", "--json", "-o", "proof.json")
    assert json.loads(answer.out)["results"][0]["kind"] == "comparison"
    assert weightlab("verify", "proof.json", scores).code == 0
    scores.write_text(scores.read_text(encoding="utf-8").replace("81.0", "1.0"), encoding="utf-8")
    assert weightlab("verify", "proof.json", scores).code == 1


def test_gaps_are_for_every_rule_to_judge(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,1,\nb,2,3\nc,3,1\n", encoding="utf-8")
    answer = weightlab("compare", "gaps.csv", "--rules", "all")
    assert answer.read[0].endswith("Not ranked (missing scores): a.")
    assert "rules on 2 models" in answer.out
    alone = weightlab("compare", "gaps.csv", "-r", "condorcet", "-r", "copeland")
    assert "3 models" in alone.out
    assert "--complete" not in alone.err
    assert "2 rules on 3 models" in weightlab("compare", "gaps.csv", "-r", "minimax", "-r", "copeland").out
    filled = weightlab("compare", "gaps.csv", "--missing", "median")
    assert "borda(missing=median)" in filled.out
