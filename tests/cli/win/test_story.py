"""Stories of single models: every sentence holds, rounded numbers and all."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from weightlab._result import result_from_dict


def line_of(told, heading):
    """Return what stands beside a heading."""
    (line,) = [line for line in told.splitlines() if line.startswith(heading)]
    return line.removeprefix(heading).strip()


def test_a_story_of_eight_lines_says_the_verdict_first(weightlab, scores):
    lines = weightlab("win", "--rule", "majority", scores, "-m", "ada").out.splitlines()
    assert lines[:2] == ["Head-to-head, ada can win: some weights make it beat every rival.", ""]
    headings = ["Now", "Loses to", "Nearest winning weights", "What it would take", "Share of weightings"]
    assert [line[:25].strip() for line in lines[2:-1]] == headings
    last = "Proved in exact arithmetic: 3 rivals, 3 tasks."
    assert lines[-1] == f"{last} More with --details; picture with --plot FILE.svg."


def test_who_beats_a_model_is_named_with_the_tasks(weightlab, scores):
    told = weightlab("win", "--rule", "majority", scores, "-m", "dee").out
    assert line_of(told, "Now") == "beats 0 of 3 rivals, loses to 3 (equal weights)"
    assert line_of(told, "Loses to").startswith("ada (ahead on reading and code); bo (ahead on reading and arithmetic)")


def test_the_lines_that_were_found_stand_before_a_late_one(weightlab, scores, monkeypatch, capsys):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("weightlab.views.prospect.upset", interrupted)
    with pytest.raises(KeyboardInterrupt):
        weightlab("win", "--rule", "majority", scores, "-m", "ada")
    assert capsys.readouterr().out.splitlines()[-1].startswith("Nearest winning weights")


def test_quick_stories_ask_nothing_that_takes_a_search(weightlab, scores, monkeypatch):
    for name in ("scenario_of", "upset", "weight_ranges"):
        monkeypatch.setattr(f"weightlab.views.prospect.{name}", None)
    monkeypatch.setattr("weightlab.lp.winning_shares", None)
    told = weightlab("win", "--rule", "majority", scores, "-m", "dee", "--quick").out
    assert line_of(told, "Blocked by").startswith("an even mixture of ada, bo and cy: under all weights dee trails it")
    assert "What it would take" not in told


def test_details_tell_leads_few_tasks_ranges_and_intervals(weightlab, scores):
    told = weightlab("win", "--rule", "majority", scores, "-m", "ada", "--details").out
    assert line_of(told, "Widest lead") == "100% of the weight over every rival, with reading 100%"
    assert line_of(told, "Smallest set of tasks") == "1: reading 100%"
    assert "  50% to 100%: reading\n" in told
    assert "  0% to 50%: arithmetic, code\n" in told
    assert line_of(told, "95% interval").endswith("from 10,000 weightings")
    assert "Widest lead" not in weightlab("win", "--rule", "majority", scores, "-m", "ada").out
    blocked = weightlab("win", "--rule", "majority", scores, "-m", "dee", "--details").out
    assert line_of(blocked, "Fewest blockers") == "an even mixture of ada and bo"


def test_only_weights_are_called_so_where_no_others_do_it(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,2,1,3\nb,1,2,2\nc,3,3,1\n", encoding="utf-8")
    only = line_of(weightlab("win", "--rule", "majority", "t.csv", "-m", "b").out, "At best")
    assert only == "undefeated with y 50%, z 50%, the only such weights; at least 33.3% of the weight must shift"
    (tmp_path / "more.csv").write_text("model,x,y,z\na,2,1,1\nb,1,2,2\nb2,1,2,2\n", encoding="utf-8")
    assert "the only" not in weightlab("win", "--rule", "majority", "more.csv", "-m", "b", "--min", "x=0.4").out


def test_tied_at_the_top_is_an_arbitrarily_small_change_from_a_win(weightlab, tmp_path):
    (tmp_path / "tie.csv").write_text("model,x,y\na,2,1\nb,1,2\nc,0,0\n", encoding="utf-8")
    told = weightlab("win", "--rule", "majority", "tie.csv", "-m", "b").out
    assert line_of(told, "Now") == "beats 1 of 2 rivals, ties a (equal weights)"
    near = line_of(told, "Nearest winning weights")
    assert near == "an arbitrarily small change of the current weights makes it win"


def test_weights_that_only_tie_are_not_called_winning(weightlab, tmp_path):
    # Half the weight on x is nearest, and lets a tie; what is shown wins, and has a little less weight on y.
    (tmp_path / "t.csv").write_text("model,x,y,z\na,2,1,1\nb,1,2,2\nc,1,1,2\n", encoding="utf-8")
    near = line_of(weightlab("win", "--rule", "majority", "t.csv", "-m", "a").out, "Nearest winning weights")
    assert near == "more than 16.6% of the weight must shift: x 50% (from 33.3%), y 16.6% (from 33.3%)"


@pytest.mark.parametrize(
    ("reading", "least"), [("0.6661", "66.7%"), ("0.99999", "100%"), ("2/3", "66.7%"), ("0.75", "75%")]
)
def test_the_largest_of_the_flattest_weights_is_rounded_up(weightlab, scores, reading, least):
    told = weightlab("win", "--rule", "majority", scores, "-m", "ada", "--details", "--min", f"reading={reading}").out
    assert line_of(told, "Flattest weights") == f"winning with no task above {least}"


@pytest.mark.parametrize(("code", "lead"), [("0.99999", "99.9%"), ("0.500001", "50%"), ("3/4", "75%")])
def test_the_lead_of_what_blocks_is_rounded_down(weightlab, scores, code, lead):
    told = weightlab("win", "--rule", "majority", scores, "-m", "dee", "--quick", "--min", f"code={code}").out
    assert told.splitlines()[-2].endswith(f"dee trails it by {lead} of the weight or more")


def test_by_borda_it_is_told_what_some_weights_would_take_of_a_model_that_can_never_win(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,9,8,7\nb,8,9,6\nc,7,7,5\n", encoding="utf-8")
    told = line_of(weightlab("win", "--rule", "borda", "t.csv", "-m", "c").out, "What it would take")
    board = wl.read_leaderboard(tmp_path / "t.csv")
    space = wl.lp.WeightSpace(board.tasks)
    task, *_ = wl.lp.fewest_lifts(board, "c", "borda", space=space).tasks
    assert f"some weights: reach the best score on {task}" in told


def test_a_tiny_distance_is_no_zero(weightlab, scores):
    text = "weights = { reading = 49999, arithmetic = 0, code = 50001 }\n"
    scores.with_suffix(".toml").write_text(text, encoding="utf-8")
    near = line_of(weightlab("win", "--rule", "majority", scores, "-m", "ada").out, "Nearest winning weights")
    assert near.startswith("more than 0.001% of the weight must shift (0.05% here)")


def test_scores_are_named_with_the_digits_of_the_source(weightlab, tmp_path):
    (tmp_path / "floats.csv").write_text(
        "model,x,y\na,0.7555555555555555,1\nb,0.7555555555555556,1\n", encoding="utf-8"
    )
    told = line_of(weightlab("win", "--rule", "majority", "floats.csv", "-m", "a").out, "What it would take")
    assert told == "current weights: pass b on x (both at 0.756); some weights: pass b on x (both at 0.756)"
    (tmp_path / "tenths.csv").write_text("model,x\na,61.5\nb,91.2\nc,90.4\n", encoding="utf-8")
    assert "pass b on x (61.5 to 91.3)" in line_of(
        weightlab("win", "--rule", "majority", "tenths.csv", "-m", "a").out, "What it would take"
    )


def test_one_rival_is_no_plural(weightlab, tmp_path):
    (tmp_path / "two.csv").write_text("model,x,y,z\na,2,2,1\nb,1,1,2\n", encoding="utf-8")
    told = line_of(weightlab("win", "--rule", "majority", "two.csv", "-m", "a").out, "Now")
    assert told == "beats 1 of 1 rival (equal weights): it wins head-to-head"
    assert line_of(weightlab("win", "--rule", "majority", "two.csv", "-m", "b").out, "Now").startswith(
        "beats 0 of 1 rival, loses to 1"
    )


def test_who_can_only_tie_wins_under_no_weights(weightlab, tmp_path):
    (tmp_path / "twins.csv").write_text("model,x,y\np,2,1\np2,2,1\nq,1,2\n", encoding="utf-8")
    told = weightlab("win", "--rule", "majority", "twins.csv", "-m", "p", "--details").out
    assert line_of(told, "At best") == "undefeated under the current weights"
    assert line_of(told, "Blocked by") == "p2 ties it on every task"
    assert line_of(told, "Flattest weights") == "undefeated with no task above 50%"
    assert line_of(told, "Share of weightings") == "0%"


def test_a_twin_is_no_reason_for_trailing(weightlab, tmp_path):
    table = "model,x,y,z\np,1,1,1\np2,1,1,1\na,2,2,0\nb,2,0,2\nc,0,2,2\n"
    (tmp_path / "trailing.csv").write_text(table, encoding="utf-8")
    blocked = line_of(weightlab("win", "--rule", "majority", "trailing.csv", "-m", "p", "--quick").out, "Blocked by")
    assert blocked == "an even mixture of a, b and c: under all weights p trails it by 33.3% of the weight or more"


def test_all_that_a_story_rests_on_is_in_its_document(weightlab, scores):
    told = json.loads(weightlab("win", "--rule", "majority", scores, "-m", "ada", "--details", "--json").out)["results"]
    found = [result_from_dict(one) for one in told]
    kinds = ["prospect", "scenario", "upset", "scenario", "scenario", "weight_ranges", "winning_shares"]
    assert [one.kind for one in found] == kinds
    assert all(one.verify() for one in found)


ROUND = "model,x,y,z\na,10,10,1\nb,10,1,10\nc,1,10,10\nd,9,9,9\n"
"""Two of a, b and c are ahead of d on every task, and none of them is as good on average."""


def test_both_verdicts_are_told_the_one_that_differs_first(weightlab, tmp_path):
    (tmp_path / "round.csv").write_text(ROUND, encoding="utf-8")
    told = weightlab("win", "round.csv", "-m", "d", "-o", "d.json").out
    lines = told.splitlines()
    assert lines[0] == "d can come first by average, but never head-to-head."
    assert lines[2].startswith("d can be the only winner by average: ")
    head = next(line for line in lines if line.startswith("Head-to-head, d can never win: "))
    own, duels = told.split(head)
    assert "rank 1 of 4 (equal weights), 2.00 points ahead of the next model" in own
    assert "Blocked by" not in own
    assert "What it would take       current weights: " in duels
    kinds = [one["kind"] for one in json.loads((tmp_path / "d.json").read_text())["results"]]
    assert kinds == ["prospect", "scenario", "prospect", "upset", "upset", "winning_shares"]
    assert weightlab("verify", "d.json", "round.csv").code == 0
    assert weightlab("win", "round.csv", "-m", "a").out.startswith("a can come first by average and head-to-head.\n")
    assert weightlab("win", "round.csv", "-m", "d", "--rule", "mean").out.startswith(
        "d can be the only winner by average"
    )


def test_what_it_would_take_by_average_and_by_borda(weightlab, tmp_path):
    (tmp_path / "round.csv").write_text(ROUND + "e,1,1,9\n", encoding="utf-8")
    mean = line_of(weightlab("win", "round.csv", "-m", "e", "--rule", "mean").out, "What it would take")
    assert mean.startswith("current weights: raise x from 1 to 10, raise y from 1 to 8, to tie with d; some weights: ")
    borda = line_of(weightlab("win", "round.csv", "-m", "e", "--rule", "borda").out, "What it would take")
    assert borda.startswith("current weights: reach the best score on ")


def test_a_model_that_the_tables_own_rule_does_not_rank_has_one_story(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text(ROUND + "e,10,10,\n", encoding="utf-8")
    told = weightlab("win", "gap.csv", "-m", "e", "--quick").out
    assert told.startswith("e is not ranked by average: it lacks scores.\n\nHead-to-head, e ties at best")


@pytest.mark.parametrize(
    ("text", "options", "by"),
    [(ROUND, ["--lower", "z"], "by Borda"), (ROUND.replace("9,9,9", "0.9,9,900"), ["--higher", "z"], "by Borda")],
    ids=["two directions", "two scales"],
)
def test_nothing_is_said_of_averages_that_mean_nothing(weightlab, tmp_path, text, options, by):
    (tmp_path / "round.csv").write_text(text, encoding="utf-8")
    found = weightlab("win", "round.csv", "-m", "d", "--quick", *options)
    assert found.code == 0
    assert by in found.out.splitlines()[0]
    assert "average" not in found.out
