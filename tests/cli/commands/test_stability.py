from __future__ import annotations

import json

import pytest

from weightlab._result import result_from_dict
from weightlab.exceptions import TimeLimitError

DUELS = ("--rule", "majority")
CYCLE = "model,x,y,z\na,3,1,2\nb,2,3,1\nc,1,2,3\n"


@pytest.fixture
def cycle(tmp_path):
    path = tmp_path / "cycle.csv"
    path.write_text(CYCLE, encoding="utf-8")
    return path


@pytest.fixture
def winner(tmp_path):
    """A table whose winner leads one rival everywhere, ties another's best task, and loses a task to the third."""
    path = tmp_path / "winner.csv"
    path.write_text("model,x,y,z\nw,5,5,3\nlow,1,1,1\nlevel,5,2,2\nhigh,4,4,4\n", encoding="utf-8")
    return path


def test_the_table_that_ships_has_a_winner_that_one_duel_can_dethrone(weightlab):
    answer = weightlab("stability", *DUELS)
    assert answer.code == 0
    assert answer.out.startswith(
        "SVC is the Condorcet winner until 1.39% of the weight moves from equal weights, when LDA ties it."
    )
    assert "Smallest weight shift              1.39%: LDA" in answer.out
    assert answer.out.rstrip().endswith("Proof checked in exact arithmetic: 15 head-to-heads x 72 tasks.")


def test_rivals_are_listed_by_how_soon_they_draw_level(weightlab, winner):
    answer = weightlab("stability", *DUELS, winner)
    assert (answer.code, answer.err) == (0, "")
    rows = [line.split() for line in answer.out.splitlines() if line.startswith(("low", "level", "high"))]
    assert rows[2][-1] == "100%"
    assert [row[:5] for row in rows] == [
        ["high", "33.3%", "-100%", "16.7%", "16.7%"],
        ["level", "66.7%", "0%", "66.7%", "66.7%"],
        ["low", "100%", "100%", "never", "never"],
    ]


def test_one_norm_alone_is_shown_when_it_is_asked_for(weightlab, winner):
    answer = weightlab("stability", *DUELS, winner, "--norm", "linf")
    assert "weight to move" not in answer.out
    assert "Smallest maximum change            16.7%: high" in answer.out


def test_rankings_by_a_rule_tell_of_neighbours(weightlab, winner):
    answer = weightlab("stability", winner, "--rule", "mean", "--ranking")
    assert answer.code == 0
    assert answer.out.startswith(
        "The ranking by average of 4 models stays until 16.7% of the weight moves from equal weights: "
    )
    assert [line.split()[:2] for line in answer.out.splitlines() if line.startswith(("w ", "high ", "level "))] == [
        ["w", "high"],
        ["high", "level"],
        ["level", "low"],
    ]


def test_where_nobody_wins_the_nearest_winner_is_told(weightlab, cycle):
    answer = weightlab("stability", *DUELS, cycle)
    assert answer.code == 0
    assert answer.out.splitlines()[0] == "No model beats all others under today's weights."
    assert (
        "reached once 16.7% of the weight moves from equal weights: a, b or c can win just beyond that." in answer.out
    )
    assert weightlab("stability", *DUELS, cycle, "--quiet").out == answer.out


def test_where_nobody_ever_wins_the_proof_of_that_is_the_answer(weightlab, tmp_path):
    (tmp_path / "level.csv").write_text("model,x\na,1\nb,1\n", encoding="utf-8")
    answer = weightlab("stability", *DUELS, "level.csv", "--output", "proof.json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "No model beats all others under today's weights, nor under any allowed weights.",
        "Head-to-head, 0 of 2 models can win, 2 tie at best, 0 can never win.",
        "",
        "Proof checked in exact arithmetic: 2 head-to-heads x 1 task.",
    ]
    assert weightlab("verify", "proof.json", "level.csv").code == 0


def test_a_winner_that_conditions_protect_is_never_dethroned(weightlab, winner):
    answer = weightlab("stability", *DUELS, winner, "--max", "z=0.4", "--max", "x=0.9")
    assert "w beats every rival under all allowed weights: its lead is never below 10% of the weight." in answer.out
    assert "Conditions: z at most 2/5; x at most 9/10." in answer.out
    assert "under 2 conditions." in answer.out.splitlines()[-1]


def test_long_tables_are_cut_and_whole_on_request(weightlab, tmp_path):
    rows = "\n".join(f"m{number:02},{number},{30 - number % 7}" for number in range(30))
    (tmp_path / "long.csv").write_text(f"model,x,y\n{rows}\nbest,99,99\n", encoding="utf-8")
    answer = weightlab("stability", *DUELS, "long.csv")
    assert "\nShowing 20 of 30 rows; use --all for the rest.\n" in answer.out
    whole = weightlab("stability", *DUELS, "long.csv", "--all").out
    assert len(whole.splitlines()) == len(answer.out.splitlines()) - 1 + 10


@pytest.mark.parametrize("rule", [(), DUELS, ("--rule", "borda"), ("--rule", "borda", "--ranking")])
def test_documents_are_verified_and_forged_ones_refused(weightlab, winner, tmp_path, rule):
    answer = weightlab("stability", winner, *rule, "--json", "--output", "proof.json")
    result, *_ = json.loads(answer.out)["results"]
    assert result_from_dict(result).verify()
    checked = weightlab("verify", "proof.json", winner)
    assert checked.code == 0
    assert ", in exact arithmetic" in checked.out
    text = (tmp_path / "proof.json").read_text(encoding="utf-8")
    (tmp_path / "forged.json").write_text(text.replace('"value": "1/3"', '"value": "1/2"'), encoding="utf-8")
    if '"value": "1/3"' in text:
        assert weightlab("verify", "forged.json", winner).code == 1
    winner.write_text(winner.read_text(encoding="utf-8").replace("high,4", "high,6"), encoding="utf-8")
    assert weightlab("verify", "proof.json", winner).code == 1


def test_broken_cycles_travel_too(weightlab, cycle):
    weightlab("stability", *DUELS, cycle, "--norm", "linf", "--output", "proof.json")
    assert weightlab("verify", "proof.json", cycle).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--norm", "l2"], "norm must be 'l1' or 'linf'; got 'l2'"),
        (["--rule", "copeland"], "no rule named 'copeland'"),
        (["--ties", "min"], "the mean reads scores, not places: it takes no ties='min'"),
        ([*DUELS, "--ranking"], "majorities need not rank the models"),
        (["--max", "q=0.2"], "no task named 'q'"),
        (["--min", "x=0.7", "--min", "y=0.7"], "no weights satisfy these conditions together"),
    ],
)
def test_wrong_calls_are_one_message(weightlab, winner, arguments, message):
    answer = weightlab("stability", winner, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_with_missing_scores_all_are_compared_in_duels_and_whole_rows_ranked_by_a_rule(weightlab, tmp_path):
    (tmp_path / "gaps.csv").write_text("model,x,y\na,3,3\nb,1,\nc,2,1\n", encoding="utf-8")
    answer = weightlab("stability", *DUELS, "gaps.csv")
    assert answer.err == (
        "Head-to-head, two models are compared on the tasks both have; 1 of 6 scores is missing: b on y.\n"
    )
    assert weightlab("stability", *DUELS, "gaps.csv", "--complete", "--quiet").code == 0
    assert "Not ranked (missing scores): b;" in weightlab("stability", "gaps.csv", "--rule", "borda").read[0]
    assert weightlab("stability", "gaps.csv", "--rule", "borda", "--missing", "last").code == 0


def test_a_time_limit_that_ends_the_search_is_exit_code_3(weightlab, winner, monkeypatch):
    def late(*_arguments, **_options):
        raise TimeLimitError("too late", known={"value": 0.25})

    monkeypatch.setattr("weightlab.lp.stability", late)
    answer = weightlab("stability", *DUELS, winner, "--time-limit", "1")
    assert (answer.code, answer.err) == (3, "weightlab: too late\nvalue: 0.25\n")


def test_standard_input_is_read(weightlab):
    answer = weightlab("stability", *DUELS, "-", stdin=b"model,x,y\na,2,2\nb,1,1\n")
    assert answer.out.startswith("a beats every rival under all allowed weights")


def test_no_rule_is_the_tables_own_and_is_said_with_the_reason(weightlab, winner):
    answer = weightlab("stability", winner)
    assert answer.err == "By average, the table's own rule: all tasks have scores within -100 to 100.\n"
    assert answer.out.startswith(
        "w ranks first by average until 16.7% of the weight moves from equal weights, when high"
    )
    winner.with_suffix(".toml").write_text('rule = "Borda"\n', encoding="utf-8")
    assert weightlab("stability", winner).err == "By Borda, the table's own rule: declared.\n"
    winner.with_suffix(".toml").write_text('rule = "kemeny"\n', encoding="utf-8")
    refused = weightlab("stability", winner)
    assert (refused.code, refused.out) == (2, "")
    assert "the table's own rule is kemeny, by which this question cannot be asked; pass --rule mean" in refused.err


def test_every_task_left_out_in_turn(weightlab, tmp_path):
    (tmp_path / "split.csv").write_text("model,x,y,z\na,30,70,90\nb,70,60,20\nc,1,2,\n")
    answer = weightlab("stability", "split.csv", "--without-each", "tasks")
    assert answer.code == 0
    assert "a is first by average; without z, b is." in answer.out
    assert "Not ranked (missing scores): c." in answer.out
    assert "now complete, not ranked" in answer.out
    written = weightlab("stability", "split.csv", "--without-each", "models", "--rule", "copeland", "-o", "each.json")
    assert written.code == 0
    assert weightlab("verify", "each.json", "split.csv").code == 0


def test_what_is_left_out_in_turn_is_tasks_or_models(weightlab, tmp_path):
    (tmp_path / "split.csv").write_text("model,x,y\na,30,70\nb,70,60\nc,1,2\n")
    for words in (("--without-each", "votes"), ("--without-each", "tasks", "--norm", "l1")):
        answer = weightlab("stability", "split.csv", *words)
        assert (answer.code, answer.out) == (2, "")
        assert "--without-each" in answer.err
