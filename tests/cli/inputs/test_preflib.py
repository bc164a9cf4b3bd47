"""Commands take a PrefLib file of orders or margins wherever the question can be asked of it."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.checker.whole import whole
from weightlab._result import result_from_dict

CYCLE = [["ada", "bo", "cy"], ["bo", "cy", "ada"], ["cy", "ada", "bo"]]


@pytest.fixture
def votes(tmp_path):
    profile = wl.Profile.from_orders(CYCLE, weights=[4, 3, 2])
    wl.io.write_profile(profile, tmp_path / "votes.soc")
    wl.io.write_margins(profile.margins(), tmp_path / "votes.pwg")
    return profile


def answers(told):
    """Return the results of a document about duels, without what they were read from."""
    return [
        whole(one, without={"source"})
        for one in json.loads(told.out)["results"]
        if one["kind"] not in {"pareto_front", "condorcet_winning_set"}
    ]


@pytest.mark.parametrize("file", ["votes.soc", "votes.pwg"])
@pytest.mark.parametrize(
    "command", [("graph",), ("rank", "-r", "schulze"), ("compare", "-r", "schulze", "-r", "ranked_pairs")]
)
def test_what_reads_duels_takes_orders_and_margins_as_they_are(weightlab, votes, file, command):
    told = weightlab(*command, file, "--json", "--output", "proof.json")
    assert (told.code, told.err) == (0, "")
    other = weightlab(*command, "votes.soc" if file == "votes.pwg" else "votes.pwg", "--json")
    assert answers(told) == answers(other)
    assert weightlab("verify", "proof.json", file).code == 0


def test_places_are_ranked_as_the_profile_is(weightlab, votes):
    told = json.loads(weightlab("rank", "votes.soc", "-r", "borda", "--json").out)
    assert told["results"] == json.loads(json.dumps([wl.rules.rank(votes, "borda").to_dict()]))


@pytest.mark.parametrize("rule", ["mean", "median"])
def test_a_rule_that_reads_scores_refuses_orders(weightlab, votes, rule):
    told = weightlab("rank", "votes.soc", "-r", rule)
    assert told.code == 2
    assert "this rule reads scores: give it a Leaderboard, not a Profile" in told.err


@pytest.mark.parametrize("command", ["win", "duels", "stability"])
def test_what_reads_tasks_takes_each_order_for_one_and_says_so(weightlab, votes, command):
    told = weightlab(command, "votes.soc", "--output", "proof.json")
    assert told.code == 0
    tasks = "3 orders of 9 voters: each is a task that weighs its voters, and places (1 is best) are scores.\n"
    own_rule = "By Borda, the table's own rule: declared.\n"
    assert told.err == (tasks + own_rule if command == "stability" else tasks)
    assert weightlab("verify", "proof.json", "votes.soc", "--quiet").code == 0
    assert weightlab(command, "votes.soc", "--quiet").err == ""


def test_the_answer_on_orders_is_that_of_the_profile(weightlab, votes):
    told = json.loads(weightlab("win", "votes.soc", "--model", "cy", "--quick", "--json").out)
    found = wl.lp.prospect(votes, "cy")
    answer = result_from_dict(told["results"][0])
    assert (answer.verdict, answer.margin) == (found.verdict, found.margin)
    assert answer.verify(votes)


@pytest.mark.parametrize("command", ["win", "duels", "stability", "audit", "sweep"])
def test_what_reads_tasks_refuses_margins(weightlab, votes, command):
    told = weightlab(command, "votes.pwg")
    assert told.code == 2
    assert told.err == (
        "weightlab: votes.pwg: this file holds margins, and the question is about single tasks; "
        "graph, rank and compare read margins\n"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [("v.txt", "A > B > C\nB > C\n"), ("v.abif", "2: A>B\n1: C>A=B\n"), ("v.csv", "judge,1,2,3\nr1,A,B,C\nr2,B,A,\n")],
)
def test_rankings_of_other_forms_are_orders_to_every_command(weightlab, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    for command in (["graph"], ["rank"], ["win", "--quick"], ["audit", "--quick"], ["compare"]):
        told = weightlab(command[0], name, *command[1:])
        assert told.code == 0, told.err
        assert any("rankings" in line for line in told.read)
    assert weightlab("convert", name, "t.toi").code == 0
    kept, read = (
        wl.io.read_profile(tmp_path / "t.toi", unlisted="unknown"),
        wl.io.read_profile(tmp_path / name, unlisted="unknown"),
    )
    assert kept.margins().wins.tolist() == read.margins().wins.tolist()
    made = weightlab("rank", name, "--json")
    (tmp_path / "r.json").write_text(made.out)
    assert weightlab("verify", "r.json", name).code == 0


def test_what_is_said_of_rankings_is_refused_of_scores(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x\na,1\nb,2\n")
    assert "--unlisted is of rankings" in weightlab("rank", "t.csv", "--unlisted", "last").err


def test_orders_are_audited_as_one_dataset(weightlab, votes):
    told = weightlab("audit", "votes.soc", "--json", "--quick")
    assert told.code == 0
    assert list(json.loads(told.out)["results"][0]["datasets"]) == ["votes"]


def test_models_that_some_voter_leaves_out_are_named_or_left_out(weightlab, tmp_path):
    profile = wl.Profile.from_orders([["ada", "bo", "cy"], ["bo", "ada"]])
    wl.io.write_profile(profile, tmp_path / "votes.soi")
    last = "Last where a voter does not list them (--unlisted unknown leaves them unranked): cy.\n"
    assert weightlab("graph", "votes.soi").err == last
    assert weightlab("graph", "votes.soi", "--unlisted", "unknown").err == "Not ranked by every voter: cy.\n"
    assert weightlab("rank", "votes.soi").code == 0
    assert weightlab("win", "votes.soi", "--quick").code == 0
    assert weightlab("graph", "votes.soi", "--unlisted", "first").err.endswith("must be last or unknown; got 'first'\n")
    told = weightlab("graph", "votes.soi", "--complete")
    assert told.err == "Left out: cy (not ranked by every voter).\n"
    assert "of 2: ada" in told.out
    assert weightlab("rank", "votes.soi", "--complete").code == 0
    assert "pass --option unlisted=last or --complete (2 of 3 models have every score) or --missing skip" in (
        weightlab("rank", "votes.soi", "--unlisted", "unknown").err
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("graph", "votes.soc", "--config", "x.toml"),
            "--config 'x.toml' does not apply to a PrefLib file such as votes.soc",
        ),
        (("graph", "votes.pwg", "--complete"), "votes.pwg: --complete is about scores, and this file holds margins"),
        (("rank", "votes.soc", "--groups"), "--groups: only tables have groups"),
        (("rank", "votes.pwg", "--two-step"), "--two-step: only tables have groups"),
        (("win", "vote.soc"), "there is no such file (did you mean 'votes.soc'?)"),
    ],
)
def test_what_cannot_be_asked_of_such_a_file_is_one_message(weightlab, votes, arguments, message):
    told = weightlab(*arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err
