"""What ``win`` tells besides verdicts: scenarios, shares, improvements, other rules, regions, unknown scores."""

from __future__ import annotations

import json

import pytest

from weightlab._result import result_from_dict


def results_of(answer):
    return [result_from_dict(one) for one in json.loads(answer.out)["results"]]


@pytest.mark.parametrize(
    ("options", "weights"),
    [
        (("--scenario", "most-weight=code", "--scenario", "least-weight=reading"), {"code": "0.5000"}),
        (("--scenario", "fewest-tasks"), {"reading": "1.0000"}),
        (("--scenario", "closest"), {"reading": "0.5000"}),
        (("--scenario", "widest-margin"), {"reading": "1.0000"}),
        (("--scenario", "least-weight=reading", "--margin", "1"), {"reading": "1.0000"}),
    ],
)
def test_scenarios_by_name_print_their_weights(weightlab, scores, options, weights):
    answer = weightlab("win", scores, "-m", "ada", *options)
    assert answer.code == 0
    rows = {line.split()[0]: line.split()[1] for line in answer.out.splitlines() if len(line.split()) >= 2}
    assert {task: rows[task] for task in weights} == weights


def test_a_scenario_in_turn_is_one_verifiable_result(weightlab, scores):
    asked = ("--scenario", "fewest-tasks-strict", "--scenario", "closest-linf", "--json")
    found = results_of(weightlab("win", scores, "-m", "ada", *asked))
    assert [one.kind for one in found] == ["scenario"]
    assert len(found[0].values) == 2
    assert found[0].verify()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scenario", "closest"), "--scenario is about single models"),
        (("-m", "ada", "--scenario", "nearest"), "--scenario 'nearest': there are closest, closest-linf"),
        (("-m", "ada", "--scenario", "least-weight=kode"), "did you mean 'code'?"),
        (("-m", "ada", "--scenario", "most-balanced=code"), "--scenario 'most-balanced=code': there are"),
        (("-m", "ada", "--margin", "0.1"), "--margin goes with --scenario"),
        (("-m", "ada", "--scenario", "closest", "--margin", "much"), "--margin 'much'"),
        (("-m", "ada", "--scenario", "closest", "--rule", "borda"), "ask one at a time"),
        (("--upset", "result"), "--upset is about single models"),
        (("--between", "0:100"), "--between goes with --unknown"),
        (("--unknown", "--between", "100"), "write LOWEST:HIGHEST"),
        (("--unknown", "--between", "a:b"), "--between 'a:b'"),
        (("--ties", "max"), "--ties or --missing goes with --rule"),
        (("--rule", "3,zwei,1"), "--rule '3,zwei,1'"),
        (("--rule", "approval"), "no rule named 'approval'"),
        (("--rule", "cope-land"), "(did you mean 'copeland'?)"),
        (("-m", "eve", "-m", "fay"), "2 faults"),
        (("-m", "dee", "--scenario", "closest"), "no weights"),
    ],
)
def test_a_wrong_call_is_one_message(weightlab, scores, options, message):
    answer = weightlab("win", scores, *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_a_story_tells_fewest_tasks_ranges_share_and_improvements(weightlab, scores):
    told = weightlab("win", scores, "-m", "ada").out
    assert "Smallest set of tasks              1: reading 1\n" in told
    assert "50% to 100%: reading\n" in told
    assert "0% to 50%: arithmetic, code\n" in told
    assert "Share of all weightings            " in told
    assert "95% interval" in told
    assert "at equal weights: " in told
    quiet = weightlab("win", scores, "-m", "ada", "--no-share", "--upset", "no").out
    assert "Share of" not in quiet
    assert "What to improve" not in quiet


def test_who_can_never_win_is_told_what_to_improve_under_any_weights(weightlab, scores):
    told = weightlab("win", scores, "-m", "dee").out
    assert "at equal weights: raise " in told
    assert "under some weights: raise " in told
    results = weightlab("win", scores, "-m", "dee", "--upset", "result").out
    assert "under some weights: " in results
    assert "raise" not in results
    found = results_of(weightlab("win", scores, "-m", "dee", "--json"))
    assert [one.kind for one in found] == ["prospect", "upset", "upset", "winning_shares"]
    assert all(one.verify() for one in found)


def test_the_table_has_shares_when_asked(weightlab, scores):
    assert "share" in weightlab("win", scores).out.splitlines()[2]
    assert "share" not in weightlab("win", scores, "--no-share").out
    bare = weightlab("win", scores, "--no-details").out.splitlines()[2]
    assert "share" not in bare
    assert weightlab("win", scores, "--no-details", "--share").out.splitlines()[2].split()[-1] == "share"
    again = [weightlab("win", scores, "--seed", "7", "--samples", "500").out for _ in range(2)]
    assert again[0] == again[1]
    assert "Of 500 weightings" in again[0]


@pytest.mark.parametrize("rule", ["mean", "borda", "3,1,0,0", "plurality"])
def test_ranks_by_a_linear_rule_are_a_table_or_a_story(weightlab, scores, rule):
    table = weightlab("win", scores, "--rule", rule)
    assert table.code == 0
    assert table.out.splitlines()[2].split() == ["model", "best", "rank", "worst", "rank", "proof"]
    story = weightlab("win", scores, "--rule", rule, "-m", "ada")
    assert "Best weights" in story.out
    assert "Rank 1 under" in story.out
    found = results_of(weightlab("win", scores, "--rule", rule, "-m", "ada", "--json"))
    assert [one.kind for one in found] == ["rule_prospect", "rank_range"]
    assert all(one.verify() for one in found)


@pytest.mark.parametrize(
    ("rule", "said"),
    [("copeland", "dee can never win by copeland."), ("minimax", "dee can share the first place by minimax")],
)
def test_rules_that_count_duels_have_verdicts(weightlab, scores, rule, said):
    table = weightlab("win", scores, "--rule", rule).out
    assert table.startswith(f"By {rule}, of 4 models 3 can be the only winner")
    alone = weightlab("win", scores, "--rule", rule, "-m", "dee").out
    assert alone.startswith(said)


def test_missing_scores_are_refused_or_last_by_linear_rules(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y\na,3,\nb,2,1\nc,1,2\n", encoding="utf-8")
    refused = weightlab("win", "gap.csv", "--rule", "borda")
    assert refused.code == 2
    assert "'a' on 'y'" in refused.err
    assert weightlab("win", "gap.csv", "--rule", "borda", "--missing", "last").code == 0


def test_the_region_has_share_centre_bounds_and_vertices(weightlab, scores):
    told = weightlab("win", scores, "-m", "ada", "--region").out
    assert told.startswith("ada wins under 25% of all weightings")
    assert "Rivals that bound it               cy\n" in told
    assert "     2      1/2           0   1/2\n" in told
    found = results_of(weightlab("win", scores, "-m", "ada", "--region", "--json"))
    assert found[0].verify()
    assert weightlab("win", scores, "-m", "dee", "--region").code == 2


def test_a_region_too_large_for_its_share_says_so(weightlab):
    told = weightlab("win", "-m", "Bagging", "--region", "--quiet").out
    assert "vertices" in told


def test_unknown_scores_have_possible_and_necessary_winners(weightlab, tmp_path):
    (tmp_path / "gap.csv").write_text("model,x,y,z\na,3,,4\nb,2,1,5\nc,1,2,\n", encoding="utf-8")
    free = weightlab("win", "gap.csv", "--unknown")
    assert (free.code, free.err) == (0, "")
    assert "a, b and c can win at equal weights, none for certain" in free.out
    assert "a on y: some value rules out" in free.out
    held = weightlab("win", "gap.csv", "--unknown", "--between", "3:10").out
    assert held != free.out
    under = weightlab("win", "gap.csv", "--unknown", "--max", "x=0.4").out
    assert "whatever weights" in under
    assert results_of(weightlab("win", "gap.csv", "--unknown", "--json"))[0].verify()


def test_the_map_has_a_row_an_area(weightlab, scores):
    corners = ("--map", "reading", "--map", "arithmetic", "--map", "code")
    told = weightlab("win", scores, *corners).out
    assert told.startswith("Shares of all weights of reading, arithmetic, code: won by ada 25%")
    assert "ada       winner    1/4  (1, 0, 0)" in told
    assert "none      none      1/4" in told
    assert results_of(weightlab("win", scores, *corners, "--json"))[0].verify()
    held = weightlab("win", scores, *corners, "--min", "reading=0.5").out
    assert held.startswith("Shares of the allowed weights of reading, arithmetic, code: won by ada 100%.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--map", "reading"), "--map: "),
        (("--map", "reading", "--map", "code", "--map", "kode"), "did you mean 'code'?"),
        (
            ("--map", "reading", "--map", "code", "--map", "arithmetic", "--fix", "code=0.5"),
            "leave a segment of the triangle",
        ),
        (("--map", "reading", "--unknown"), "ask one at a time"),
    ],
)
def test_a_wrong_map_is_one_message(weightlab, scores, options, message):
    answer = weightlab("win", scores, *options)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
