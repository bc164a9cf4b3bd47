from __future__ import annotations

import json

import pytest

from weightlab._result import result_from_dict
from weightlab.cli.terminal.show import Bar
from weightlab.datasets import load_leaderboard
from weightlab.rules import RULES

GROUPED = """lower_is_better = ["seconds"]

[groups]
skill = ["reading", "arithmetic"]
effort = ["seconds"]
"""


@pytest.fixture
def groups(tmp_path):
    """A table with two groups of tasks."""
    path = tmp_path / "grouped.csv"
    path.write_text("model,reading,arithmetic,seconds\nada,9,8,7\nbo,7,7,3\ncy,8,6,4\n", encoding="utf-8")
    path.with_suffix(".toml").write_text(GROUPED, encoding="utf-8")
    return path


@pytest.fixture
def gaps(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("model,x,y\na,1,\nb,2,3\nc,3,1\n", encoding="utf-8")
    return path


def test_without_a_file_the_table_that_ships_is_ranked(weightlab):
    answer = weightlab("rank")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0] == "By Borda, SVC wins among 16 models (points: 768)."
    assert lines[1] == "By Borda, the table's own rule: lower is better on 36 tasks and higher on the others."
    assert lines[2].startswith("SVC is first of 16 models by Borda. That ends without accuracy/moons and ")
    assert lines[4].split() == ["rank", "model", "points", "gap", "to", "next"]
    assert lines[5].split()[:3] == ["1", "SVC", "768"]
    assert len(lines) == 5 + 16


def test_a_table_is_ranked_by_its_own_rule_unless_one_is_named(weightlab, scores, groups):
    assert weightlab("rank", scores).out.startswith("By average, bo wins")
    assert weightlab("rank", groups).out.startswith("By Borda, ada wins")
    scores.with_suffix(".toml").write_text('rule = "kemeny"\n', encoding="utf-8")
    told = weightlab("rank", scores).out
    assert told.startswith("By Kemeny, ada, bo or cy is first among 4 models: 3 orders are optimal.")
    assert "gap to next" not in told
    assert weightlab("compare", scores).out.splitlines()[3].startswith("kemeny ")


def test_ranks_scores_and_models_stand_best_first(weightlab, scores):
    answer = weightlab("rank", scores, "--rule", "mean")
    assert [line.split() for line in answer.out.splitlines()[5:]] == [
        ["1", "bo", "62.2", "0.233"],
        ["2", "cy", "61.9667", "0.0667"],
        ["3", "ada", "61.9", "1.73"],
        ["4", "dee", "60.1667"],
    ]


def test_options_reach_the_rule(weightlab, scores):
    answer = weightlab("rank", scores, "--rule", "optimality-gap", "--option", "gamma=80.5")
    assert answer.out.startswith("By optimality gap (gamma=80.5), ")
    vector = weightlab("rank", scores, "--rule", "scoring", "--option", "vector=12,10,0.5,0")
    assert "By scoring (vector=['12', '10', '0.5', '0']), " in vector.out
    both = weightlab("rank", scores, "--rule", "scoring:vector=3,2,1,0,ties=min")
    assert both.out.startswith("By scoring (vector=['3', '2', '1', '0'], ties=min), ")
    own = weightlab("rank", scores, "--rule", "coombs:majority-stop=no", "--ties", "max")
    assert own.out.startswith("By Coombs (ties=max, majority_stop=False), ")
    pairs = weightlab("rank", scores, "--rule", "ranked_pairs", "--option", "tie_break=dee,cy,bo,ada")
    assert pairs.code == 0


def test_rounds_are_shown_when_asked_for(weightlab, scores):
    answer = weightlab("rank", scores, "--rule", "baldwin")
    rows = [line.split() for line in answer.out.split("round")[1].splitlines()[1:]]
    assert rows == [["1", "3", "5", "dee"], ["2", "3", "3", "none:", "all", "that", "are", "left", "tie"]]


def test_groups_share_weights_or_rank_first(weightlab, groups):
    assert weightlab("rank", groups).out.startswith("By Borda, ada wins")
    shared = weightlab("rank", groups, "--groups", "--group-weight", "@effort=2")
    assert shared.out.startswith("By Borda, bo wins among 3 models (points: 4.5).")
    steps = weightlab("rank", groups, "--two-step", "--then", "plurality:ties=min", "--group-weight", "effort=0.5")
    assert steps.out.splitlines()[0] == (
        "By plurality (ties=min), ada wins among 3 models (weight of first places: 1). "
        "Second of two steps: the first ranks by Borda in each of 2 groups."
    )
    assert steps.out.splitlines()[3].split() == ["1", "ada", "1", "0.5", "1", "3"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rule", "bordo"), "--rule 'bordo': no rule named 'bordo'"),
        (("--option", "tis=max"), "--rule 'mean': the rule 'mean' has no option 'tis'"),
        (("--option", "ties"), "--option 'ties': write NAME=VALUE"),
        (("--ties", "first"), "--ties must be average, min or max; got 'first'"),
        (("--rule", "coombs:majority_stop=maybe"), "majority_stop is yes or no; got 'maybe'"),
        (("--rule", "kemeny", "--option", "time_limit=soon"), "not a finite number: 'soon'"),
        (("--rule", "k-approval:k=all"), "k: not a finite number: 'all'"),
        (("--rule", "optimality-gap:gamma=most"), "gamma: not a finite number: 'most'"),
        (("--rule", "kemeny", "--time-limit", "-1"), "--time-limit is a number of seconds, 0 or more; got -1"),
        (("--rule", "kemeny", "--time-limit", "nan"), "--time-limit is a number of seconds, 0 or more; got nan"),
        (("--rule", "k-approval"), "the rule 'k_approval' needs the option k"),
        (("--groups", "--two-step"), "--groups and --two-step are two ways to use groups"),
        (("--then", "borda"), "--then is the rule of the second step"),
        (("--group-weight", "nli=2"), "--group-weight requires --groups or --two-step"),
        (("--group", "nli=reading", "--groups", "--group-weight", "nli"), "--group-weight 'nli': write GROUP=WEIGHT"),
        (("--groups",), "--groups: the table has no groups; --group NAME=TASK,TASK makes one, or a TOML file"),
        (("--two-step",), "--two-step: the table has no groups; --group NAME=TASK,TASK makes one"),
        (("--group", "nli=reading", "--two-step", "--then", "bordo"), "--then 'bordo': no rule named 'bordo'"),
    ],
)
def test_wrong_calls_are_one_clear_message(weightlab, scores, arguments, message):
    answer = weightlab("rank", scores, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", ["rank", "compare"])
@pytest.mark.parametrize(
    ("rule", "table", "reason"),
    [
        ("condorcet", b"model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n", "there is no Condorcet winner"),
        ("bradley_terry", b"model,x\na,3\nb,2\n", "win or tie against a"),
    ],
)
def test_a_table_on_which_a_rule_has_no_answer_is_the_wrong_input(weightlab, command, rule, table, reason):
    answer = weightlab(command, "-", "--rule", rule, stdin=table)
    assert (answer.code, answer.out) == (2, "")
    assert reason in answer.err


def test_an_order_that_was_not_proved_in_time_is_shown_as_orders_are(weightlab):
    answer = weightlab("compare", "--rule", "kemeny", "--time-limit", "0")
    assert (answer.code, answer.out) == (3, "")
    _, order, cost, bound = answer.err.splitlines()
    assert set(order.removeprefix("order: ").split(" > ")) == set(load_leaderboard("classifiers").models)
    assert (cost[:6], bound[:7]) == ("cost: ", "bound: ")


@pytest.mark.parametrize("rule", ["kemeny", "slater"])
def test_an_order_that_was_not_proved_in_time_is_ranked_and_travels(weightlab, rule):
    answer = weightlab("rank", "--rule", rule, "--time-limit", "0", "--output", "known.json")
    assert answer.code == 3
    sentence, _, _, *rows = answer.out.splitlines()
    assert "not proved to be the least: the bound is" in sentence
    assert {row.split(maxsplit=1)[1] for row in rows} == set(load_leaderboard("classifiers").models)
    message, cost, bound = answer.err.splitlines()
    assert message.startswith("weightlab: the time limit came: no order was proved to be of least cost")
    assert (cost[:6], bound[:7]) == ("cost: ", "bound: ")
    assert weightlab("verify", "known.json").code == 0
    document = json.loads(weightlab("rank", "--rule", rule, "--time-limit", "0", "--json").out)
    assert [one["kind"] for one in document["results"]] == [rule]
    assert document["results"][0]["unique"] is None


def test_gaps_on_tasks_of_weight_0_are_no_news(weightlab, gaps):
    gaps.with_suffix(".toml").write_text("[weights]\ny = 0\n", encoding="utf-8")
    answer = weightlab("rank", gaps)
    assert (answer.code, answer.err) == (0, "")


def test_in_two_steps_the_first_meets_the_gaps(weightlab, groups):
    groups.write_text(groups.read_text(encoding="utf-8").replace("cy,8,6", "cy,,6"), encoding="utf-8")
    answer = weightlab("rank", groups, "--two-step", "--rule", "mean:missing=skip", "--then", "copeland")
    assert (answer.code, answer.err) == (
        0,
        "Missing scores are skipped (means are over the tasks that a model has): cy on reading.\n",
    )


PAIRS = "Head-to-head, two models are compared on the tasks both have; 1 of {} scores is missing: a on y."


def test_missing_scores_are_an_error_where_that_is_said(weightlab, gaps):
    for call in (["rank"], ["win", "--rule", "borda"], ["stability", "--rule", "borda"]):
        refused = weightlab(call[0], gaps, *call[1:], "--missing", "error")
        assert refused.code == 2
        assert refused.err.startswith("weightlab: 1 missing score: 'a' on 'y'; pass --complete (2 of 3 models")


def test_a_rank_says_on_how_many_tasks_it_rests_where_that_differs(weightlab, gaps):
    answer = weightlab("rank", gaps, "--rule", "mean", "--missing", "skip")
    rows = [line.split() for line in answer.out.splitlines()[2:]]
    assert rows[0][-1] == "tasks"
    assert {row[1]: row[-1] for row in rows[1:]} == {"a": "1", "b": "2", "c": "2"}
    assert "tasks\n" not in weightlab("rank", gaps, "--complete").out


def test_what_is_made_of_missing_scores_is_said(weightlab, gaps):
    some = weightlab("rank", gaps)
    assert (some.code, some.err) == (0, "")
    assert some.read[0].endswith("Not ranked (missing scores): a; pass --missing skip or --missing median to rank all.")
    for way, sentence in {"last": "count as tied last places", "median": "count as the task's median"}.items():
        assert (
            weightlab("rank", gaps, "--rule", "borda", "--missing", way).err == f"Missing scores {sentence}: a on y.\n"
        )
    skips = {"mean": "means are over the tasks that a model has",
             "borda": "each pair of models is compared on the tasks that both have"}  # fmt: skip
    for rule, how in skips.items():
        skipped = weightlab("rank", gaps, "--rule", rule, "--missing", "skip")
        assert skipped.err == f"Missing scores are skipped ({how}): a on y.\n"
    rests = "2 of 3 head-to-heads depend on how missing scores count: a vs b and 1 more."
    copeland = weightlab("rank", gaps, "--rule", "copeland")
    assert copeland.err.splitlines() == [PAIRS.format("6"), rests]
    document = json.loads(weightlab("rank", gaps, "--rule", "copeland", "--json").out)
    assert [one["kind"] for one in document["results"]] == ["ranking", "missing_score_pairs"]
    assert weightlab("rank", gaps, "--rule", "copeland", "--quiet").err == ""
    assert weightlab("rank", gaps, "--complete").err == "Left out: a (missing scores).\n"


@pytest.mark.parametrize(
    "arguments",
    [("--rule", "kemeny"), ("--two-step",), ("--groups", "--group-weight", "effort=0.5"), ("--rule", "z-score")],
)
def test_a_ranking_is_verified_where_it_is_sent(weightlab, groups, arguments):
    answer = weightlab("rank", groups, *arguments, "--json", "--output", "proof.json")
    assert (answer.code, answer.err) == (0, "")
    document = json.loads(answer.out)
    assert document["command"] == "rank"
    assert result_from_dict(document["results"][0]).verify()
    assert weightlab("verify", "proof.json", groups).code == 0
    groups.write_text(groups.read_text(encoding="utf-8").replace("ada,9", "ada,1"), encoding="utf-8")
    false = weightlab("verify", "proof.json", groups)
    assert false.code == 1
    assert "in the source" in false.err


def test_names_are_data(weightlab):
    table = b"model,[bold]x\n[red]a,1\n<b>\x1b[31mb,2\n"
    answer = weightlab("rank", "-", stdin=table)
    assert "[red]a" in answer.out
    assert "<b>\\x1b[31mb" in answer.out
    assert "\x1b" not in answer.out


def test_weights_beyond_every_float_are_no_traceback(weightlab, groups):
    groups.with_suffix(".toml").write_text("[weights]\nreading = '1e400'\nseconds = '1/3'\n", encoding="utf-8")
    answer = weightlab("rank", groups, "--rule", "borda")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("By Borda, ada wins among 3 models (points: 2e+400).")


def test_the_list_of_rules_tells_what_each_reads_and_takes(weightlab):
    answer = weightlab("rank", "--list")
    lines = {line.split()[0]: line for line in answer.out.splitlines()[1:]}
    assert list(lines) == list(RULES)
    assert "gamma (needed), missing=error" in lines["optimality_gap"]
    told = {one["name"]: one for one in json.loads(weightlab("rank", "--list", "--json").out)}
    assert told["k_approval"]["needed"] == ["k"]
    assert told["borda"]["options"] == {"ties": "average", "missing": "error", "unlisted": None}


def test_ranks_under_all_weights_within_a_part_of_todays(weightlab, scores):
    told = weightlab("rank", scores, "--rule", "mean", "--within", "20%", "--output", "proof.json")
    assert told.code == 0
    assert "under all weights" in told.out
    assert "each task between 4/5 and 6/5 times its share of equal weights" in told.out
    assert weightlab("verify", "proof.json", scores).code == 0
    refused = weightlab("rank", scores, "--rule", "copeland", "--within", "20%")
    assert refused.code == 2
    assert "conditions on weights require a table of tasks and one of mean, borda, plurality" in refused.err


def test_searches_show_that_they_go_on_and_other_rules_do_not(weightlab, scores, monkeypatch):
    told = []

    class Told(Bar):
        def __init__(self, what, total=None):
            told.append(what)
            super().__init__(what, total)

    monkeypatch.setattr("weightlab.cli.commands.ranking.Bar", Told)
    assert weightlab("rank", scores, "--rule", "borda").code == 0
    assert told == []
    assert weightlab("rank", scores, "--rule", "slater").code == 0
    assert weightlab("rank", scores, "--rule", "borda", "--max", "code=0.5").code == 0
    assert told == ["Searching for an order by Slater", "Searching for ranges of ranks"]
