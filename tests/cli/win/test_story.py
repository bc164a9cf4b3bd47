"""Stories of single models: every sentence holds, rounded numbers and all."""

from __future__ import annotations

import pytest

ZERO = "would have to go to zero"


def test_tasks_go_to_zero_only_where_all_weights_as_near_say_so(weightlab, scores):
    assert ZERO not in weightlab("win", scores, "-m", "ada", "--min", "reading=2/3").out
    told = weightlab("win", scores, "-m", "ada", "--min", "reading=2/3", "--no-less", "arithmetic=reading").out
    assert ZERO not in told
    told = weightlab("win", scores, "-m", "ada", "--min", "reading=2/3", "--fix", "code=0").out
    assert f"distance 0.67 of 2 (L1): all but two tasks {ZERO}\n" in told
    told = weightlab("win", scores, "-m", "ada", "--min", "reading=1").out
    assert f"distance 1.33 of 2 (L1): all but one task {ZERO}\n" in told


def test_tasks_at_zero_today_do_not_go_there(weightlab, scores):
    scores.with_suffix(".toml").write_text("weights = { code = 0 }\n", encoding="utf-8")
    assert ZERO not in weightlab("win", scores, "-m", "ada", "--min", "reading=1").out


def test_nothing_goes_to_zero_where_the_weights_shown_are_not_the_nearest(weightlab, tmp_path):
    # Half the weight on x is nearest, and lets a tie; what is shown wins, and has weight on y.
    (tmp_path / "t.csv").write_text("model,x,y,z\na,2,1,1\nb,1,2,2\nc,1,1,2\n", encoding="utf-8")
    told = weightlab("win", "t.csv", "-m", "a").out
    assert "to win outright a little more" in told
    assert ZERO not in told


@pytest.mark.parametrize(
    ("reading", "least"), [("0.66668", "0.6666"), ("0.99999", "0.9999"), ("2/3", "2/3"), ("0.75", "3/4")]
)
def test_the_weight_below_which_nobody_wins_is_rounded_down(weightlab, scores, reading, least):
    told = weightlab("win", scores, "-m", "ada", "--min", f"reading={reading}").out
    assert f"Least largest weight               {least}: no winning weighting keeps every task below that\n" in told


@pytest.mark.parametrize(("code", "lead"), [("0.99999", "-0.9999"), ("0.500001", "-2.0e-6"), ("3/4", "-1/2")])
def test_the_lead_that_nobody_can_have_is_rounded_up(weightlab, scores, code, lead):
    told = weightlab("win", scores, "-m", "ada", "--min", f"code={code}").out
    assert f"no weighting gives ada a lead above {lead} over this rival\n" in told


def test_a_tiny_distance_is_no_zero(weightlab, scores):
    text = "weights = { reading = 49999, arithmetic = 0, code = 50001 }\n"
    scores.with_suffix(".toml").write_text(text, encoding="utf-8")
    assert "distance 2.0e-5 of 2 (L1)" in weightlab("win", scores, "-m", "ada").out


def test_one_rival_is_not_counted(weightlab, tmp_path):
    (tmp_path / "two.csv").write_text("model,x,y,z\na,2,2,1\nb,1,1,2\n", encoding="utf-8")
    assert "  beats its only rival: it is the Condorcet winner\n" in weightlab("win", "two.csv", "-m", "a").out
    assert "  loses to its only rival\n" in weightlab("win", "two.csv", "-m", "b").out
    (tmp_path / "tie.csv").write_text("model,x,y\na,2,1\nb,1,2\n", encoding="utf-8")
    assert "  ties its only rival\n" in weightlab("win", "tie.csv", "-m", "b").out


def test_who_can_only_tie_wins_under_no_weights(weightlab, tmp_path):
    (tmp_path / "twins.csv").write_text("model,x,y\np,2,1\np2,2,1\nq,1,2\n", encoding="utf-8")
    told = weightlab("win", "twins.csv", "-m", "p").out
    assert "Why it cannot win outright         level with p2 on every task\n" in told
    assert "Least largest weight               1/2: no such weighting keeps every task below that\n" in told
    assert "Share of all weightings            0 make it win outright\n" in told


def test_a_twin_is_no_reason_for_trailing(weightlab, tmp_path):
    table = "model,x,y,z\np,1,1,1\np2,1,1,1\na,2,2,0\nb,2,0,2\nc,0,2,2\n"
    (tmp_path / "trailing.csv").write_text(table, encoding="utf-8")
    told = weightlab("win", "trailing.csv", "-m", "p").out
    assert "level with" not in told
    assert "no weighting gives p a lead above -1/3 over this mixture\n" in told
