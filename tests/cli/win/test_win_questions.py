"""What is asked of weights besides verdicts: objectives, improvements, other rules, regions, maps, missing scores."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import weightlab as wl
from weightlab import lp
from weightlab._result import result_from_dict
from weightlab._solver import deadline_in
from weightlab.data.linear_rule import rule_words
from weightlab.lp import WeightSpace
from weightlab.lp.geometry import polytope


def results_of(answer):
    return [result_from_dict(one) for one in json.loads(answer.out)["results"]]


@pytest.mark.parametrize(
    ("options", "weights"),
    [
        (("--objective", "most-weight=code", "--objective", "least-weight=reading"), {"code": "49.90%"}),
        (("--objective", "fewest-tasks"), {"reading": "100.00%"}),
        ((), {"reading": "50.05%", "arithmetic": "16.65%", "code": "33.30%"}),
        (("--objective", "widest-margin"), {"reading": "100.00%"}),
        (("--objective", "least-weight=reading", "--margin", "1"), {"reading": "100.00%"}),
    ],
)
def test_objectives_by_name_print_their_weights(weightlab, scores, options, weights):
    answer = weightlab("nearest", scores, "-m", "ada", *options)
    assert answer.code == 0
    cells = [line.split() for line in answer.out.splitlines() if line.endswith("%")]
    rows = {row[0]: row[2] if row[-1].startswith(("+", "-")) else row[1] for row in cells}
    assert {task: rows[task] for task in weights} == weights


def test_objectives_in_turn_are_one_verifiable_result(weightlab, scores):
    asked = ("--objective", "fewest-tasks-strict", "--objective", "closest-linf", "--json")
    found = results_of(weightlab("nearest", scores, "-m", "ada", *asked))
    assert [one.kind for one in found] == ["scenario"]
    assert len(found[0].values) == 2
    assert found[0].verify()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("nearest",), "missing option '--model' / '-m'; see 'weightlab nearest --help'"),
        (("region",), "missing option '--model' / '-m'; see 'weightlab region --help'"),
        (("improve",), "missing option '--model' / '-m'; see 'weightlab improve --help'"),
        (("nearest", "-m", "ada", "--objective", "near"), "--objective 'near': there are closest, closest-linf"),
        (("nearest", "-m", "ada", "--objective", "least-weight=kode"), "did you mean 'code'?"),
        (("nearest", "-m", "ada", "--objective", "most-balanced=code"), "--objective 'most-balanced=code': there are"),
        (("nearest", "-m", "ada", "--margin", "much"), "--margin 'much'"),
        (("nearest", "-m", "dee"), "no weights"),
        (("missing", "--between", "100"), "write LOWEST:HIGHEST"),
        (("missing", "--between", "0:9", "--between", "1:2"), "bounds for the same scores already"),
        (("missing", "--between", "reading=9:0"), "the lowest score comes first: write 0:9"),
        (("missing", "--between", "painting=0:9"), "no task named 'painting'"),
        (("missing", "--between", "a:b"), "--between 'a:b'"),
        (("win", "--ties", "max"), "--ties and --missing require --rule"),
        (("win", "--rule", "3,zwei,1"), "--rule '3,zwei,1'"),
        (("win", "--rule", "approval"), "no rule named 'approval'"),
        (("win", "--rule", "cope-land"), "(did you mean 'copeland'?)"),
        (("win", "-m", "eve", "-m", "fay"), "2 faults"),
    ],
)
def test_a_wrong_call_is_one_message(weightlab, scores, call, message):
    answer = weightlab(call[0], scores, *call[1:])
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_several_models_are_answered_in_turn(weightlab, scores):
    told = weightlab("nearest", scores, "-m", "ada", "-m", "bo").out
    assert "\n\nHead-to-head, bo is undefeated with the least weight to move" in told


def test_what_to_improve_is_told_task_by_task_today_and_under_some_weights(weightlab, scores):
    told = weightlab("improve", scores, "-m", "dee").out
    assert "dee wins head-to-head at equal weights by improving its scores by 4.5 in all, on 3 tasks" in told
    assert "arithmetic  pass cy   65 to 66.1\n" in told
    assert "\ndee wins head-to-head under some weights by improving its scores by" in told
    fewest = weightlab("improve", scores, "-m", "dee", "--fewest").out
    assert "by changing 3 results against rivals, on 2 tasks; no fewer are enough" in fewest
    found = results_of(weightlab("improve", scores, "-m", "dee", "--fewest", "--json"))
    assert [(one.kind, one.cost_unit) for one in found] == [("upset", "result")] * 2
    assert all(one.verify() for one in found)


def test_under_conditions_improvements_are_about_allowed_weights_alone(weightlab, scores):
    told = weightlab("improve", scores, "-m", "dee", "--min", "code=0.5").out
    assert told.startswith("dee wins head-to-head under some weights by improving its scores by ")
    assert "Conditions: code at least 1/2.\n" in told
    assert told.count("wins") == 1


def test_no_score_is_to_rise_beyond_its_bounds_and_one_that_would_says_so(weightlab, tmp_path):
    (tmp_path / "top.csv").write_text("model,x,y\na,94.5,3\nb,100,2\nc,90,1\n", encoding="utf-8")
    ask = ("improve", "top.csv", "-m", "a", "--fewest", "--weight", "x=2")
    told = weightlab(*ask).out
    assert "by changing 1 result against rivals, on 1 task; no fewer are enough" in told
    assert "94.5 to 100.1" in told
    assert told.count("x would have to exceed 100; if it cannot, pass --between x=0:100.") == 1
    bounded = weightlab(*ask, "--between", "x=0:100")
    assert "94.5 to 100 " in bounded.out.replace("\n", " ")
    assert "exceed" not in bounded.out
    passed = weightlab(*ask, "--between", "y=0:1")
    assert (passed.code, "the best score of task 'y' is 1, but the model has 3 already" in passed.err) == (2, True)


def test_a_winner_has_nothing_to_improve(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,2,2\nb,1,3\nc,1,1\n", encoding="utf-8")
    told = weightlab("improve", "t.csv", "-m", "a", "--weight", "x=2").out
    assert told == "a wins head-to-head at today's weights as it is: nothing has to improve.\n"


def test_what_no_improvement_reaches_is_said(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y,z\na,2,1,2\nb,2,3,1\nc,1,,\n", encoding="utf-8")
    answer = weightlab("improve", "gap.csv", "-m", "c", "--weight", "x=0")
    assert answer.code == 0
    assert "'c' does not win head-to-head at today's weights, however much it improves" in answer.err
    assert "c wins head-to-head under some weights by improving its scores by 2 in all, on 1 task" in answer.out
    refused = weightlab("improve", "gap.csv", "-m", "c", "--weight", "x=0", "--scored-only")
    assert (refused.code, refused.out) == (2, "")
    assert "'c' does not win head-to-head under some weights" in refused.err


def test_shares_follow_their_seed(weightlab, scores):
    again = [weightlab("win", scores, "--seed", "7", "--samples", "500").out for _ in range(2)]
    assert again[0] == again[1]
    assert "shares estimated from 500 weightings" in again[0]
    assert "shares" not in weightlab("win", scores, "--quick").out


@pytest.mark.parametrize("rule", ["mean", "borda", "3,1,0,0", "plurality"])
def test_ranks_by_a_linear_rule_are_a_table_or_a_story(weightlab, scores, rule):
    table = weightlab("win", scores, "--rule", rule)
    assert table.code == 0
    assert re.search(r"^By .*, 3 of 4 models can be the only winner, ", table.out, re.MULTILINE)
    assert re.search(r"^model +share by .* weight shift by .* nearest winning weights$", table.out, re.MULTILINE)
    assert re.search(r"^model +best rank +worst rank +proof$", table.out, re.MULTILINE)
    quick = weightlab("win", scores, "--rule", rule, "--quick").out
    assert "can be the only winner" in quick
    assert "worst rank" not in quick
    assert "share by" not in quick
    story = weightlab("win", scores, "--rule", rule, "-m", "ada")
    assert "ada can be the only winner by " in story.out
    assert "rank 1 with " in story.out
    found = results_of(weightlab("win", scores, "--rule", rule, "-m", "ada", "--json"))
    kinds = {one.kind for one in found}
    assert {"prospect", "scenario", "rank_range", "winning_shares"} <= kinds
    assert all(one.verify() for one in found)
    every = results_of(weightlab("win", scores, "--rule", rule, "--json"))
    assert {"prospects", "winning_shares", "rank_ranges"} <= {one.kind for one in every}
    assert all(one.verify() for one in every)


@pytest.mark.parametrize("rule", ["mean", "borda:ties=min", "mean:scaled=z", "5,2,1,0"])
def test_weights_and_regions_are_found_by_a_rule(weightlab, scores, rule):
    for command in ("nearest", "region"):
        found = results_of(weightlab(command, scores, "-m", "ada", "--rule", rule, "--json"))
        assert all(one.verify() for one in found)
        assert not found[0].rule.is_majority
        told = weightlab(command, scores, "-m", "ada", "--rule", rule).out
        assert told.splitlines()[0].startswith(f"{found[0].by_rule}, ada ")
        refused = weightlab(command, scores, "-m", "ada", "--ties", "min")
        assert (refused.code, refused.out) == (2, "")
        assert "--ties and --missing require --rule" in refused.err
        unknown = weightlab(command, scores, "-m", "ada", "--rule", "copeland")
        assert (unknown.code, unknown.out) == (2, "")
        assert "no rule named 'copeland'" in unknown.err


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("copeland", "dee can never win by Copeland."),
        ("minimax", "dee can share the first place by minimax"),
        ("geometric_mean", "dee can never win by geometric mean: "),
    ],
)
def test_rules_that_are_asked_about_one_model_at_a_time_have_verdicts(weightlab, scores, rule, said):
    table = weightlab("win", scores, "--rule", rule).out
    assert table.startswith(f"{rule_words(rule, begins=True)}, 3 of 4 models can be the only winner")
    alone = weightlab("win", scores, "--rule", rule, "-m", "dee").out
    assert alone.startswith(said)


def test_what_needs_margins_is_refused_by_the_geometric_mean_with_the_reason(weightlab, scores):
    asked = [("stability",), ("nearest", "-m", "ada"), ("region", "-m", "ada"), ("win", "--max", "code=0.5")]
    for command, *options in asked:
        answer = weightlab(command, scores, *options, "--rule", "geometric_mean")
        assert (answer.code, answer.out) == (2, "")
        reason = "only the verdict over all weights" if command == "win" else "of which only the sign is proved"
        assert reason in answer.err
    found = results_of(weightlab("win", scores, "--rule", "geometric_mean", "--json"))
    assert [one.kind for one in found] == ["geometric_prospect"] * 4
    assert all(one.verify() for one in found)


def test_a_preference_is_by_the_rule_of_the_command(weightlab, scores):
    for rule in ([], ["--rule", "mean"], ["--rule", "borda"]):
        space = WeightSpace(wl.read_leaderboard(scores)).prefers("bo", "ada", rule=rule[1] if rule else "majority")
        for command in ([["win"]] if rule else []) + [["nearest", "-m", "bo"], ["region", "-m", "bo"]]:
            found = results_of(weightlab(*command, scores, *rule, "--prefer", "bo > ada", "--json"))
            assert found[0].space.to_dict() == space.to_dict()
            assert all(one.verify() for one in found)
    refused = weightlab("win", scores, "--prefer", "bo")
    assert (refused.code, refused.out) == (2, "")
    assert "--prefer 'bo': write 'A > B', the winner first" in refused.err


def test_a_map_by_a_rule_says_whose(weightlab, scores):
    answer = weightlab(
        "map", scores, *(f"--axis={task}" for task in ("reading", "arithmetic", "code")), "--rule", "mean"
    )
    assert answer.code == 0
    assert "By average, shares of all weights of reading, arithmetic, code: won by" in answer.out


def test_models_without_all_scores_are_not_ranked_by_linear_rules_unless_that_is_said(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y\na,3,\nb,2,1\nc,1,2\n", encoding="utf-8")
    answer = weightlab("win", "gap.csv", "--rule", "borda", "--output", "proof.json")
    assert answer.code == 0
    assert "Not ranked (missing scores): a; pass --missing last to rank all." in answer.read[0]
    assert "of 2 models" in answer.out
    assert weightlab("verify", "proof.json", "gap.csv").code == 0
    assert "Covers 2 of 3 models" in weightlab("verify", "proof.json", "gap.csv", "--independent").out
    assert "of 3 models" in weightlab("win", "gap.csv", "--rule", "borda", "--missing", "last").out


def test_the_region_has_share_centre_bounds_and_vertices(weightlab, scores):
    told = weightlab("region", scores, "-m", "ada").out
    assert told.startswith("Head-to-head, ada wins under 25% of all weightings")
    assert "Rivals that bound it               cy\n" in told
    assert "     2      50%          0%   50%\n" in told
    found = results_of(weightlab("region", scores, "-m", "ada", "--json"))
    assert found[0].verify()
    assert weightlab("region", scores, "-m", "dee").code == 2


def test_a_region_too_large_for_its_share_says_so(weightlab):
    told = weightlab("region", "-m", "Bagging", "--quiet").out
    assert "vertices" in told


def test_a_share_that_takes_too_much_is_sampled(weightlab, scores, monkeypatch):
    exact = float(results_of(weightlab("region", scores, "-m", "ada", "--json"))[0].share)
    monkeypatch.setattr(polytope, "MOST_STEPS", 0)
    told = weightlab("region", scores, "-m", "ada").out
    assert "whose share takes too much to compute exactly" in told
    share, low, high = re.search(r"Share +(.*)% of 10,000 weightings \(95% interval (.*)% to (.*)%\)", told).groups()
    assert float(low) <= 100 * exact <= float(high)
    assert float(low) <= float(share) <= float(high)


def test_unknown_scores_have_possible_and_necessary_winners(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y,z\na,3,,4\nb,2,1,5\nc,1,2,\n", encoding="utf-8")
    free = weightlab("missing", "gap.csv", "--rule", "majority")
    assert (free.code, free.err) == (0, "")
    assert "a, b and c can win head-to-head at equal weights, none for certain" in free.out
    assert "a on y: some value rules out" in free.out
    mean = weightlab("missing", "gap.csv", "--between", "0:10", "--rule", "mean")
    assert (mean.code, mean.err) == (0, "")
    assert "by average at equal weights" in mean.out
    assert "%" not in mean.out
    borda = weightlab("missing", "gap.csv", "--between", "0:10", "--between", "z=5:5", "--rule", "borda")
    assert (borda.code, borda.err) == (0, "")
    assert "by Borda at equal weights" in borda.out
    assert "0 to 10 for a on y" in borda.out.replace("\n", " ")
    assert "5 for c on z" in borda.out.replace("\n", " ")
    refused = weightlab("missing", "gap.csv", "--rule", "mean")
    assert (refused.code, refused.out) == (2, "")
    assert "by mean a missing score needs bounds on both sides" in refused.err
    assert "pass --between 0:100 or --rule majority" in refused.err
    held = weightlab("missing", "gap.csv", "--rule", "majority", "--between", "3:10").out
    assert held != free.out
    under = weightlab("missing", "gap.csv", "--rule", "majority", "--max", "x=0.4").out
    assert "whatever weights" in under
    assert results_of(weightlab("missing", "gap.csv", "--between", "0:9", "--json"))[0].verify()


def test_the_map_has_a_row_an_area(weightlab, scores):
    corners = ("--axis", "reading", "--axis", "arithmetic", "--axis", "code")
    told = weightlab("map", scores, *corners).out
    assert told.startswith("Head-to-head shares of all weights of reading, arithmetic, code: won by ada 25%")
    assert "ada       winner    25%  (1, 0, 0)" in told
    assert "none      none      25%" in told
    assert results_of(weightlab("map", scores, *corners, "--json"))[0].verify()
    held = weightlab("map", scores, *corners, "--min", "reading=0.5").out
    assert held.startswith("Head-to-head shares of the allowed weights of reading, arithmetic, code: won by ada 100%.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--axis", "reading"), "--axis: "),
        (("--axis", "reading", "--axis", "code", "--axis", "kode"), "did you mean 'code'?"),
        (
            ("--axis", "reading", "--axis", "code", "--axis", "arithmetic", "--fix", "code=0.5"),
            "leave a segment of the triangle",
        ),
    ],
)
def test_a_wrong_map_is_one_message(weightlab, scores, options, message):
    answer = weightlab("map", scores, *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


NESTED = """
[speed]
tasks = "b"
at_most = 0.5

[all]
share = "1/2"

[all.parts.first]
tasks = ["a"]
at_least = 0.25
"""


def test_groups_of_groups_stand_in_a_file(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,a,b,c\nada,3,1,2\nbo,1,2,2\n", encoding="utf-8")
    (tmp_path / "parts.toml").write_text(NESTED, encoding="utf-8")
    call = ("region", "t.csv", "-m", "ada", "--nested", "parts.toml")
    answer = weightlab(*call)
    assert answer.code == 0
    assert "b at most 1/2; a exactly 1/2" in answer.out
    (tmp_path / "parts.toml").write_text(NESTED.replace('"a"', '"q"'), encoding="utf-8")
    refused = weightlab(*call)
    assert refused.code == 2
    assert "part 'first': no task named 'q'" in refused.err
    (tmp_path / "parts.toml").write_text("speed = 3\n", encoding="utf-8")
    assert "part 'speed': tasks or parts are needed" in weightlab(*call).err
    (tmp_path / "parts.toml").write_text("[speed]\ntasks = 3\n", encoding="utf-8")
    assert weightlab(*call).code == 2
    (tmp_path / "parts.toml").unlink()
    assert weightlab(*call).code == 2


def test_a_time_limit_is_of_the_whole_command(weightlab, scores, monkeypatch):
    ends = []

    def asked(*given, **options):
        ends.append(deadline_in(options["time_limit"]))
        return scenario(*given, **options)

    scenario = lp.scenario
    monkeypatch.setattr("weightlab.lp.scenario", asked)
    assert weightlab("nearest", scores, "-m", "ada", "-m", "cy", "--time-limit", "60").code == 0
    assert len(ends) == 2
    assert len({*ends}) == 1
    assert weightlab("nearest", scores, "-m", "ada").code == 0
    assert ends[-1] is None


LATE = "least changes of weights: the time limit came first"


@pytest.mark.parametrize(
    ("call", "known", "missing"),
    [
        (["rank"], "By average, ada wins", f"how firm first place is: {LATE}"),
        (["win"], "first by average", f"how firm first place is: {LATE}"),
        (["win"], "can never win", "shares of weightings by average: sampling: the time limit came first"),
        (["win"], " ?", "ada: nearest winning weights: the time limit came first"),
        (["stability"], "", LATE),
        (
            ["stability", "--without-each", "tasks"],
            "",
            "leaving each out: the time limit came first\nsettled: 0 of 3 tasks",
        ),
        (["rank", "--rule", "borda"], "By Borda", None),
        (["rank", "--rule", "copeland"], "By Copeland", None),
    ],
)
def test_what_is_found_before_the_time_limit_is_said(weightlab, tmp_path, call, known, missing):
    (tmp_path / "t.csv").write_text("model,x,y,z\nada,30,70,90\nbo,70,60,20\ncy,10,10,30\n", encoding="utf-8")
    answer = weightlab(*call, "t.csv", "--time-limit", "0")
    assert known in answer.out
    assert (answer.code, missing or "") == (3 if missing else 0, missing if missing and missing in answer.err else "")
    assert weightlab(*call, "t.csv", "--time-limit", "60").code == 0


def test_the_nearest_weights_show_every_task_that_changes_and_a_picture(weightlab, scores):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    answer = weightlab("nearest", scores, "-m", "ada", "--objective", "fewest-tasks", "--plot", "near.svg")
    lines = answer.out.splitlines()
    assert lines[2].split("  ")[0] == "task"
    assert [line.split() for line in lines[3:6]] == [
        ["reading", "33.33%", "100.00%", "+66.67%"],
        ["arithmetic", "33.33%", "0.00%", "-33.33%"],
        ["code", "33.33%", "0.00%", "-33.33%"],
    ]
    assert "<svg" in Path("near.svg").read_text(encoding="utf-8")
    refused = weightlab("nearest", scores, "-m", "ada", "-m", "cy", "--plot", "near.svg")
    assert refused.err == "weightlab: --plot draws the answer about one model: name one with --model\n"


def test_changes_that_are_slack_share_a_row(weightlab, tmp_path):
    scores = [["model", *(f"t{one}" for one in range(41))], ["a", *[2] * 20, *[1] * 21], ["b", *[1] * 20, *[2] * 21]]
    (tmp_path / "t.csv").write_text("\n".join(",".join(map(str, row)) for row in scores), encoding="utf-8")
    lines = weightlab("nearest", "t.csv", "-m", "a").out.splitlines()
    changes = [line.split()[-1] for line in lines if line.startswith("t") and line.endswith("%")]
    (rest,) = [line.split() for line in lines if "more task" in line]
    assert all(abs(float(one.rstrip("%"))) >= 0.01 for one in changes)
    assert rest[1:] == ["more", "tasks", "<", "0.01%", "each"]
    assert len(changes) + int(rest[0]) == 41


def test_where_no_weight_changes_that_is_said(weightlab, scores):
    answer = weightlab("nearest", scores, "-m", "bo", "--objective", "most-balanced", "--weight", "arithmetic=9")
    assert answer.code == 0
    answer = weightlab("nearest", scores, "-m", "bo", "--weight", "arithmetic=9")
    assert "No weight has to change from the current ones." in answer.out


def test_the_head_to_heads_of_a_model_show_lead_shift_and_share(weightlab, tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y,z\na,3,2,1\nb,2,3,2\nc,1,1,0\n", encoding="utf-8")
    lines = weightlab("duels", "t.csv", "-m", "a").out.splitlines()
    assert lines[2].split("  ")[0] == "a against"
    # a leads b on one of three tasks: it trails by a third, and ties once a sixth of the weight has shifted.
    assert lines[3].split()[:3] == ["b", "-33.3%", "16.7%"]
    assert abs(float(lines[3].split()[3].rstrip("%")) - 25) < 2
    assert lines[4].split()[:4] == ["c", "100%", "never", "100%"]
