from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.studies.versions.test_changes import DICE, versions
from weightlab._result import result_from_dict
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import FileFormatError, InputError, ProofError
from weightlab.studies.versions.check import level_with_best

BOARD = wl.Leaderboard(
    {
        "x": {"a": 9, "b": 7, "c": 5, "d": 4},
        "y": {"a": 6, "b": 8, "c": 5, "d": 4},
        "z": {"a": 5, "b": 4, "c": 4, "d": 3},
    }
)
CYCLE = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 1, "c": 3}, "z": {"a": 1, "b": 3, "c": 2}})


def only(board, against=None, **policy):
    (found,) = wl.studies.check(board, policy, against=against).findings
    return found


def test_the_winner_is_stable_up_to_half_the_least_sum_of_changes():
    half = wl.lp.stability(BOARD, norm="l1").radius() / 2
    assert BOARD.rule == "mean"
    assert only(BOARD, winner_stable_by=half).holds
    broken = only(BOARD, winner_stable_by=half + Fraction(1, 1000))
    assert (broken.holds, broken.command) == (False, "weightlab stability NEW --rule mean --norm l1")
    gapped = wl.Leaderboard({"x": {"a": 9, "b": 7}, "y": {"a": 6, "b": None}})
    assert "a beats all others" in only(gapped, winner_stable_by="1%").sentence
    assert not only(CYCLE, winner_stable_by="1%").holds


@given(DICE)
def test_every_rule_says_what_the_rooms_say(dice):
    old, new = versions(dice)
    policy = {"never_above_place": 3, "acyclic_top": True, "missing": 0, "unmoved_by_newcomers": "borda"}
    found = wl.studies.check(new, policy, against=old)
    holds = {one.rule: one.holds for one in found.findings}
    ranks = wl.rules.rank(new, new.rule).ranks if not new.missing_cells else None
    by = {rule: wl.lp.prospects(new, rule=rule).with_verdict("never") for rule in (new.rule, "majority")}
    never = {rule: [model for model in new.models if model in its and ranks[model] < 3] for rule, its in by.items()}
    assert holds["never_above_place"] == (not any(never.values()))
    sentence = next(one.sentence for one in found.findings if one.rule == "never_above_place")
    assert all((f"can never win {rule_words(rule)}" in sentence) == bool(its) for rule, its in never.items())
    top = wl.graph.smith_set(new)
    assert holds["acyclic_top"] == (len(top) == 1 or wl.graph.is_acyclic(wl.graph.margins_of(new).select(top)))
    stay = [model for model in new.models if model in old.models]
    alone, whole = (wl.rules.rank(one, "borda").scores for one in (new.select(models=stay), new))
    same = all(
        ((alone[one] > alone[other]) - (alone[one] < alone[other]))
        == ((whole[one] > whole[other]) - (whole[one] < whole[other]))
        for one in stay
        for other in stay
    )
    assert holds["unmoved_by_newcomers"] == same
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(new)


def test_missing_scores_and_scores_out_of_range_are_counted_and_named():
    gapped = wl.Leaderboard({"x": {"a": 1, "b": None}, "y": {"a": 120, "b": 2}})
    assert only(gapped, missing=1).holds
    assert "1 missing score, of at most 0: b on x" in only(gapped, missing=0).sentence
    assert "a on y (120, not 0 to 100)" in only(gapped, score_range=[0, 100]).sentence
    assert only(gapped, score_range={"x": [0, 100]}).holds
    assert only(BOARD, score_range=[3, 9]).holds
    assert not only(BOARD, score_range=["3.1", 9]).holds
    assert not only(BOARD, score_range=[3, "8.9"]).holds


def test_directions_are_declared_task_by_task():
    scores = {"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 2}}
    assert only(wl.Leaderboard(scores, lower_is_better="x", higher_is_better="y"), directions_declared=True).holds
    broken = only(wl.Leaderboard(scores, lower_is_better="x"), directions_declared=True)
    assert "of 1 task no direction is declared: y" in broken.sentence


def noisy(spread):
    scores = pd.DataFrame({"x": {"a": 9, "b": 7, "c": 5}, "y": {"a": 6, "b": 5, "c": 4}})
    return wl.Leaderboard(scores, standard_errors=scores * 0 + spread)


def test_without_standard_errors_rules_that_need_them_are_skipped_and_say_so():
    for rule in ({"saturated": 1}, {"rank_level": "95%"}):
        found = only(BOARD, **rule)
        assert found.holds is None
        assert "needs standard errors" in found.sentence
    assert wl.studies.check(BOARD, {"saturated": 1}).broken == ()


def test_small_errors_tell_models_apart_and_large_ones_do_not():
    assert only(noisy(0.01), saturated=1).holds
    assert only(noisy(0.01), rank_level="95%").holds
    broken = only(noisy(5), saturated=2)
    assert broken.sentence.endswith("from the best at 95%, the best included, on x (3), y (3)")
    assert "at 95% 3 models may be first by average" in only(noisy(5), rank_level=0.95).sentence


def test_instances_stand_for_standard_errors():
    frame = pd.DataFrame({f"i{place}": {"a": 1, "b": place % 2, "c": place % 2} for place in range(60)})
    found = wl.studies.check(wl.Instances({"t": frame, "u": frame}), {"saturated": 1, "rank_level": "95%"})
    assert [one.holds for one in found.findings] == [True, True]
    assert found.verify(wl.Instances({"t": frame, "u": frame}))


def test_newcomers_are_asked_about_only_against_an_older_version():
    assert only(BOARD, unmoved_by_newcomers="borda").holds is None
    assert only(BOARD, against=BOARD, unmoved_by_newcomers="borda").sentence == "there is no new model"
    scores = {"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 7, "c": 6}}
    board = wl.Leaderboard(scores, weights={"x": 3, "y": 2})
    old = board.select(models=["a", "b"])
    assert only(board, against=old, unmoved_by_newcomers="mean").holds
    broken = only(board, against=old, unmoved_by_newcomers="borda")
    assert "the order of 1 pair of the others is another without c: then a is ahead of b" in broken.sentence


def test_a_voting_rule_that_cannot_rank_the_models_is_skipped_and_the_others_are_answered():
    gapped = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": None}, "y": {"a": 1, "b": 2, "c": 3}})
    old = gapped.select(models=["a", "b"])
    found = wl.studies.check(gapped, {"missing": 0, "unmoved_by_newcomers": "borda"}, against=old)
    assert [one.holds for one in found.findings] == [False, None]
    assert found.findings[1].sentence == "by Borda the models cannot be ranked: 1 missing score: 'c' on 'x'"
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(gapped)
    assert only(gapped, against=old, unmoved_by_newcomers="copeland").holds is not None
    level = wl.Leaderboard({"x": {"a": 1, "b": 1, "c": 1}})
    assert only(level, against=level.select(models=["a", "b"]), unmoved_by_newcomers="condorcet").holds is None


def test_rankings_that_can_be_had_are_not_left_out_of_a_document():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": 2, "c": 3}})
    found = wl.studies.check(board, {"unmoved_by_newcomers": "borda"}, against=board.select(models=["a", "b"]))
    hidden = replace(found, whole=None, alone=None)
    with pytest.raises(ProofError, match="parts are missing that the policy asks for"):
        hidden.verify(board)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"winer_stable_by": 0.1}, "no rule named 'winer_stable_by'.*did you mean 'winner_stable_by'"),
        ({"score_range": {"w": [0, 1]}}, "score_range: no task named 'w'"),
        ({"unmoved_by_newcomers": "bordo"}, "unmoved_by_newcomers: no rule named 'bordo'.*did you mean 'borda'"),
        ({"winner_stable_by": 2}, "winner_stable_by must be a share of the weight"),
        ({"winner_stable_by": 0}, "winner_stable_by must be a share of the weight"),
        ({"winner_stable_by": "100%"}, "winner_stable_by must be a share of the weight"),
        ({"winner_stable_by": "much"}, "winner_stable_by must be a share of the weight"),
        ({"never_above_place": 0}, "never_above_place must be a whole number, 1 or more; got 0"),
        ({"missing": True}, "missing must be a whole number, 0 or more; got True"),
        ({"acyclic_top": 3}, "acyclic_top must be true or false; got 3"),
        ({"score_range": [100, 0]}, "score_range must be the least and the greatest score"),
        ({"score_range": 3}, "score_range must be the least and the greatest score"),
        ({"rank_level": "100%"}, "rank_level must be a level of confidence between 0 and 1"),
        ({"unmoved_by_newcomers": 1}, "unmoved_by_newcomers must be the name of a voting rule"),
    ],
)
def test_a_policy_of_unknown_rules_tasks_or_values_is_refused(policy, message):
    with pytest.raises(InputError, match=message):
        wl.studies.check(BOARD, policy)


def test_a_policy_file_that_is_none_is_refused_by_its_name(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text("missing = ", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"policy\.toml: not TOML"):
        wl.studies.check(BOARD, path)
    path.write_text("mising = 0", encoding="utf-8")
    with pytest.raises(InputError, match=r"policy\.toml: no rule named 'mising'"):
        wl.studies.check(BOARD, path)


@given(DICE)
def test_the_policy_to_start_with_is_kept_by_its_table(dice):
    import tempfile
    from pathlib import Path

    _, board = versions(dice)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.toml"
        path.write_text(wl.studies.starting_policy(board), encoding="utf-8")
        found = wl.studies.check(board, path)
    assert len(found.findings) >= 1
    assert all(one.holds for one in found.findings)


def test_findings_that_are_forged_raise_and_parts_that_are_missing_do():
    document = wl.studies.check(BOARD, {"winner_stable_by": "1%", "never_above_place": 3}).to_dict()
    forged = json.loads(json.dumps(document))
    forged["findings"][0]["holds"] = False
    with pytest.raises(ProofError):
        result_from_dict(forged)
    for part in ("stability", "prospects", "own"):
        lacking = json.loads(json.dumps(document))
        lacking[part] = None if part == "stability" else {}
        with pytest.raises(ProofError):
            result_from_dict(lacking).verify()


def test_scores_that_floats_cannot_tell_apart_are_told_apart():
    big = 9 * 10**16
    table = wl.Leaderboard({"x": {"a": big + 3, "b": big}}, standard_errors={"x": {"a": "0.1", "b": "0.1"}})
    assert level_with_best(table, Fraction(95, 100)) == {"x": 1}


# Totals of other columns ---------------------------------------------------------------------------------------------


def with_totals(*changed):
    """Return a table of thirty models whose overall score is the mean of two others, but in some rows."""
    rows = [(f"m{at}", at % 7 + 0.5, at % 5 + 0.25) for at in range(30)]
    lines = [f"{name},{a},{b},{(a + b) / 2 + (0.5 if name in changed else 0):.3f}\n" for name, a, b in rows]
    return io.StringIO("model,x,y,overall\n" + "".join(lines))


def test_totals_that_add_up_hold_and_others_name_their_rows():
    for changed, holds in (((), True), (("m3",), False)):
        reading = wl.propose_reading(with_totals(*changed))
        board = wl.read_leaderboard(with_totals(*changed), drop="overall")
        found = wl.studies.check(board, {"totals_add_up": True}, reading=reading)
        assert found.findings[0].holds is holds
        assert type(found).from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)
    assert "overall of m3 (3.875, not 3.375)" in str(found)


def test_totals_are_asked_only_of_a_file_that_has_some():
    board = wl.read_leaderboard(with_totals(), drop="overall")
    none = wl.propose_reading(io.StringIO("model,x,y\na,1,2\nb,2,1\n"))
    for reading, told in ((None, "asked only of a file"), (none, "no column of the file is a total")):
        found = wl.studies.check(board, {"totals_add_up": True}, reading=reading).findings[0]
        assert (found.holds, told in str(found)) == (None, True)
    assert wl.studies.check(board, {"missing": 0}, reading=wl.propose_reading(with_totals())).totals is None


def test_totals_that_nothing_asks_for_are_refused():
    board = wl.read_leaderboard(with_totals(), drop="overall")
    document = wl.studies.check(board, {"missing": 0}).to_dict() | {"totals": {"overall": []}}
    with pytest.raises(ProofError, match="there are totals that the policy does not require"):
        wl.studies.Check.from_dict(document).verify(board)
