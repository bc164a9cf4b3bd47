from __future__ import annotations

import json
import re

import pytest

import weightlab as wl
from weightlab.rules import RULES


def test_without_a_file_eight_rules_are_compared_on_the_table_that_ships(weightlab):
    answer = weightlab("compare")
    assert (answer.code, answer.err) == (0, "")
    usual = ["borda", "mean", "median", "mean_rank", "copeland", "minimax", "schulze", "kemeny"]
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
    answer = weightlab("compare", table, "-r", "mean", "-r", "copeland", "--all")
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


WHY = "model,x,y,z\na,9,1,1\nb,1,2,2\nc,0,0,0\n"


def test_the_tasks_that_make_two_rules_differ_are_named_with_proof(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text(WHY, encoding="utf-8")
    call = ("compare", "t.csv", "--rule", "mean", "--rule", "borda", "--rule", "copeland", "--why")
    answer = weightlab(*call)
    rows = [re.split(r" {2,}", line) for line in answer.out.splitlines() if line.startswith(("mean ", "borda ", "cop"))]
    # By average, a is ahead of b for x alone; by Borda and head-to-head b is, on y and z: without one of them they tie.
    assert rows[-3:] == [
        ["mean", "a", "b", "x"],
        ["borda", "b", "a", "y, z"],
        ["copeland (head-to-head)", "b", "a", "y, z"],
    ]
    assert weightlab(*call, "--output", "proof.json").code == 0
    assert weightlab("verify", "proof.json", "t.csv").code == 0
    same = weightlab("compare", "t.csv", "--rule", "mean", "--rule", "mean_rank:ties=max", "--tasks", "x", "--why")
    assert "The rules that --why explains have the same winner." in same.out


COUNTS = {
    "x,100\ny,1\nz,1\n": "By average score, a ranks first whether each task counts once (macro) or each instance does",
    "task,count\nx,1\ny,100\nz,50\n": "first where each task counts once (macro), b where each instance (micro).",
}


@pytest.mark.parametrize("counts", COUNTS)
def test_micro_and_macro_averages_stand_side_by_side(weightlab, tmp_path, counts):
    (tmp_path / "t.csv").write_text(WHY, encoding="utf-8")
    (tmp_path / "counts.csv").write_text(counts, encoding="utf-8")
    answer = weightlab("compare", "t.csv", "--rule", "mean", "--counts", "counts.csv")
    assert COUNTS[counts] in answer.out
    weights = dict(line.split(",") for line in counts.splitlines() if not line.startswith("task"))
    micro = wl.rules.rank(wl.read_leaderboard("t.csv", lower_is_better=[]).with_weights(weights), "mean")
    table = answer.out.splitlines()[-3:]
    told = {line.split()[0]: int(re.split(r" {2,}", line)[-1].split()[0]) for line in table}
    assert told == micro.ranks.to_dict()
    document = weightlab("compare", "t.csv", "--rule", "mean", "--counts", "counts.csv", "--json")
    assert COUNTS[counts] in document.err
    written = json.loads(document.out)
    (own,) = [one for one in written["results"] if one["kind"] == "micro_macro"]
    (tmp_path / "p.json").write_text(document.out, encoding="utf-8")
    assert weightlab("verify", "p.json", "t.csv").code == 0
    own["micro_winners"] = ["c"]
    (tmp_path / "p.json").write_text(json.dumps(written), encoding="utf-8")
    assert "first by the average over instances is" in weightlab("verify", "p.json", "t.csv").err


def test_each_task_needs_a_count():
    table = wl.Leaderboard({"x": {"a": 3, "b": 1}, "y": {"a": 1, "b": 2}})
    for counts in ({"x": 1}, {"x": 1, "y": 0}):
        with pytest.raises(wl.InputError, match="each task needs a count of instances above 0; 'y' has none"):
            wl.rules.micro_and_macro(table, counts)


def test_counts_may_be_a_column_of_a_long_table(weightlab, tmp_path):
    rows = "dataset,model,score,n\nbig,a,0.9,1000\nbig,b,0.8,1000\nsmall,a,0.1,10\nsmall,b,0.5,{}\n"
    (tmp_path / "t.csv").write_text(rows.format(10), encoding="utf-8")
    answer = weightlab("compare", "t.csv", "--rule", "mean", "--counts", "n")
    assert "b ranks first where each task counts once (macro), a where each instance (micro)." in answer.out
    (tmp_path / "t.csv").write_text(rows.format(11), encoding="utf-8")
    refused = weightlab("compare", "t.csv", "--rule", "mean", "--counts", "n")
    assert refused.err == "weightlab: --counts 'n', line 5: 'small' has two counts, 10 and 11\n"


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ("x,1\ny,2\n", "--counts 'counts.csv': no count for 'z'"),
        ("x,1\ny,0\nz,1\n", "--counts 'counts.csv', line 2: expected a number of instances above 0; got '0'"),
        ("x,1,2\ny,1\nz,1\n", "--counts 'counts.csv', line 1: expected TASK,COUNT; got 'x,1,2'"),
        (None, "--counts 'counts.csv': file not found, and FILE is no long table with such a column"),
    ],
)
def test_wrong_counts_are_one_message(weightlab, tmp_path, counts, message):
    (tmp_path / "t.csv").write_text(WHY, encoding="utf-8")
    if counts is not None:
        (tmp_path / "counts.csv").write_text(counts, encoding="utf-8")
    refused = weightlab("compare", "t.csv", "--rule", "mean", "--counts", "counts.csv")
    assert (refused.code, refused.out, refused.err) == (2, "", f"weightlab: {message}\n")
