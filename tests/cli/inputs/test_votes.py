"""Commands take a file of votes wherever the question is about duels."""

from __future__ import annotations

import json

import pytest

import weightlab as wl

VOTES = """question_id,model_a,model_b,winner
q1,ada,bo,model_a
q1,bo,ada,model_b
q2,bo,cy,model_a
q3,cy,ada,model_a
q4,cy,bo,tie (bothbad)
q5,ada,cy,tie
"""


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "battles.csv"
    path.write_text(VOTES, encoding="utf-8")
    return wl.read_votes(path)


def results(told):
    return json.loads(told.out)["results"]


@pytest.mark.parametrize(
    "rule",
    ["copeland", "minimax", "schulze", "ranked_pairs", "split_cycle", "kemeny", "slater", "bradley_terry"],
)
def test_a_rule_that_reads_duels_ranks_votes(weightlab, votes, rule):
    told = weightlab("rank", "battles.csv", "--rule", rule, "--json", "--output", "proof.json")
    assert (told.code, told.err) == (0, "6 votes between 3 models.\n")
    assert results(told) == json.loads(json.dumps([wl.rules.rank(votes, rule).to_dict()]))
    assert weightlab("verify", "proof.json", "battles.csv").code == 0


@pytest.mark.parametrize("command", ["graph", "compare"])
def test_graph_and_compare_read_votes_and_verify_against_them(weightlab, votes, tmp_path, command):
    assert weightlab(command, "battles.csv", "--output", "proof.json").code == 0
    assert weightlab("verify", "proof.json", "battles.csv").code == 0
    (tmp_path / "battles.csv").write_text(VOTES.replace("q1,ada,bo,model_a", "q1,ada,bo,tie"))
    assert weightlab("verify", "proof.json", "battles.csv").code == 1


def test_compare_asks_the_rules_that_can_read_votes(weightlab, votes):
    told = weightlab("compare", "battles.csv")
    assert told.code == 0
    assert all(f"\n{rule} " in told.out for rule in ("copeland", "kemeny", "bradley_terry"))
    assert "borda" not in told.out + told.err


def test_votes_come_from_standard_input_and_become_margins(weightlab, votes):
    told = weightlab("rank", "-", "--rule", "schulze", "--json", stdin=VOTES.encode())
    assert results(told) == results(weightlab("rank", "battles.csv", "--rule", "schulze", "--json"))
    assert weightlab("convert", "battles.csv", "battles.pwg").code == 0
    kept = wl.io.read_margins("battles.pwg")
    assert (kept.array == votes.array).all()
    assert weightlab("convert", "-", "-", "--to", "wmd", stdin=VOTES.encode()).out


@pytest.mark.parametrize("command", [("win",), ("duels",), ("stability",), ("audit",), ("report", "-o", "r.html")])
def test_questions_about_tasks_refuse_votes_in_one_line(weightlab, votes, command):
    told = weightlab(*command, "battles.csv")
    assert told.code == 2
    assert told.err == (
        "weightlab: battles.csv: this file holds votes, and the question is about single tasks; "
        "graph, rank, compare and robustness read votes\n"
    )


def test_a_rule_that_reads_tasks_names_those_that_read_duels(weightlab, votes):
    told = weightlab("rank", "battles.csv", "--quiet", "--rule", "Borda")
    assert told.code == 2
    assert "--rule 'borda' reads places on tasks, and this file holds duels alone; give one of condorcet" in told.err


def test_what_the_columns_are_called_is_declared_beside_the_file(weightlab, tmp_path):
    (tmp_path / "judged.csv").write_text("left,right,preference,n\nada,bo,left,0.5\nbo,ada,both,2\n")
    (tmp_path / "judged.toml").write_text(
        'model_a = "left"\nmodel_b = "right"\nwinner = "preference"\nweight = "n"\n[outcomes]\nboth = "tie"\n'
    )
    told = weightlab("rank", "judged.csv", "--rule", "copeland", "--output", "proof.json")
    assert (told.code, told.err) == (0, "Votes of weight 5/2 between 2 models.\n")
    assert weightlab("verify", "proof.json", "judged.csv").code == 0


def test_completeness_is_no_question_about_votes(weightlab, votes):
    told = weightlab("graph", "battles.csv", "--complete")
    assert told.code == 2
    assert told.err == "weightlab: battles.csv: --complete is about scores, and this file holds votes\n"


def test_the_independent_checker_says_that_it_reads_no_votes(weightlab, votes):
    weightlab("graph", "battles.csv", "--output", "proof.json")
    told = weightlab("verify", "--independent", "proof.json", "battles.csv")
    assert told.code == 2
    assert "the table is one of votes, which is not read here" in told.err
