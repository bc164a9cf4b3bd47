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
    assert "ties there, wins just beyond" in told
    assert ZERO not in told


@pytest.mark.parametrize(
    ("reading", "least"), [("0.6661", "66.7%"), ("0.99999", "100%"), ("2/3", "66.7%"), ("0.75", "75%")]
)
def test_the_largest_of_the_flattest_weights_is_rounded_up(weightlab, scores, reading, least):
    told = weightlab("win", scores, "-m", "ada", "--min", f"reading={reading}").out
    assert f"Flattest winning weights           no task above {least}\n" in told


@pytest.mark.parametrize(("code", "lead"), [("0.99999", "99.9%"), ("0.500001", "2.0e-4%"), ("3/4", "50%")])
def test_the_lead_of_what_blocks_is_rounded_down(weightlab, scores, code, lead):
    told = weightlab("win", scores, "-m", "ada", "--min", f"code={code}").out
    assert f"under every weighting ada trails this rival by at least {lead} of the weight\n" in told


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
    assert "Why it only ties                   ties p2 on every task\n" in told
    assert "Flattest undefeated weights        no task above 50%\n" in told
    assert "Share of all weightings            0%: it ties at best\n" in told


def test_a_twin_is_no_reason_for_trailing(weightlab, tmp_path):
    table = "model,x,y,z\np,1,1,1\np2,1,1,1\na,2,2,0\nb,2,0,2\nc,0,2,2\n"
    (tmp_path / "trailing.csv").write_text(table, encoding="utf-8")
    told = weightlab("win", "trailing.csv", "-m", "p").out
    assert "ties p2 on every task" not in told
    assert "under every weighting p trails this mixture by at least 33.3% of the weight\n" in told
