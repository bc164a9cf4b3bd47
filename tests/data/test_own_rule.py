"""The rule by which a table ranks where nobody names one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab.checker import Part, read_carried
from weightlab.data.own_rule import MEASURED_WORDS

DATA = os.environ.get("WEIGHTLAB_DATA")
REAL = {
    "votenrank/glue.csv": "mean",
    "votenrank/superglue.csv": "mean",
    "leaderboards/bigbench_hard.csv": "mean",
    "votenrank/value.csv": "borda",
    "votenrank/user_efficiency.csv": "borda",
}


def board_of(columns, **declared):
    columns = {task: dict(zip("abc", scores, strict=False)) for task, scores in columns.items()}
    return wl.Leaderboard(columns, **declared)


@pytest.mark.parametrize(("file", "rule"), REAL.items())
def test_published_tables_have_the_rule_of_their_boards(file, rule):
    if DATA is None:
        pytest.skip("WEIGHTLAB_DATA is not set")
    board = wl.read_leaderboard(Path(DATA) / file, accept_reading=True)
    assert (board.rule, board.complete().rule) == (rule, rule)


@pytest.mark.parametrize(
    ("columns", "declared", "rule", "reason"),
    [
        ({"qa": [90.1, 80, 70], "cola": [-3.5, 60, 55.5]}, {}, "mean", "within -100 to 100"),
        ({"f1": [0.9, 0.8, 0.7], "mcc": [-0.1, 0.6, 1]}, {}, "mean", "within -1 to 1"),
        ({"wer": [9.1, 3, 7], "cer": [2.5, 2, 1]}, {"lower_is_better": ["wer", "cer"]}, "mean", "within -100 to 100"),
        (
            {"f1": [0.9, 0.8, 0.7], "wer": [0.1, 0.6, 1]},
            {"lower_is_better": "wer"},
            "borda",
            "lower is better on 1 task",
        ),
        ({"qa": [90, 80, 70], "latency_ms": [3, 4, 5]}, {}, "borda", "'latency_ms' is a time"),
        ({"qa": [90, 80, 70], "run (s)": [3, 4, 5]}, {}, "borda", "'run (s)' is a time"),
        ({"qa": [90, 80, 70], "per run $": [3, 4, 5]}, {}, "borda", "'per run $' is a time, cost"),
        ({"qa": [90, 80, 70], "n wins": [3, 4, 5]}, {}, "borda", "'n wins' is a time, cost, count"),
        ({"qa": [90, 80, 70], "Clevr-Count": [93.5, 40.1, 5]}, {}, "mean", "within -100 to 100"),
        ({"qa": [90, 80, 70], "CIDEr": [143.2, 120, 99]}, {}, "borda", "'CIDEr' are neither shares nor percentages"),
        (
            {"qa": [90, 80, 70], "f1": [0.9, 0.8, 0.7]},
            {},
            "borda",
            "1 task has scores within -1 to 1 and others",
        ),
        ({"qa": [1.2, 0.8, 0.7]}, {}, "borda", "'qa' are neither shares nor percentages"),
        ({"qa": [90, None, 70], "cola": [None, 60, 55.5]}, {}, "mean", "within -100 to 100"),
        ({"qa": [90, 80, 70]}, {"rule": "Ranked-Pairs"}, "ranked_pairs", "declared"),
        ({"qa": [90, 80, 70]}, {"rule": "condorcet"}, "majority", "declared"),
    ],
)
@pytest.mark.filterwarnings("ignore::weightlab.DirectionWarning")
def test_the_rule_follows_from_what_the_scores_are(columns, declared, rule, reason):
    board = board_of(columns, **declared)
    assert board.rule == rule
    assert reason in board.rule_reason


def test_a_declared_rule_stays_with_the_table(tmp_path):
    board = board_of({"x": [3, 2, None], "y": [1, 2, 3]}, rule="kemeny")
    kept = [board.complete(), board.select(models=["a", "b"], tasks="y"), board.rename(tasks={"x": "z"})]
    kept += [board.with_weights({"x": 2}), wl.Leaderboard.from_dict(board.to_dict())]
    wl.write_leaderboard(board, tmp_path / "t.csv")
    kept.append(wl.read_leaderboard(tmp_path / "t.csv"))
    assert [one.rule for one in kept] == ["kemeny"] * 6
    assert "rule" not in board_of({"x": [3, 2, 1]}).to_dict()
    assert not board.equals(board_of({"x": [3, 2, None], "y": [1, 2, 3]}))
    read_carried(Part(board.to_dict(), "the table"))


@pytest.mark.parametrize("given_rule", ["kemmeny", 3, ["mean"]])
def test_a_rule_that_is_none_is_refused(given_rule):
    with pytest.raises(wl.InputError, match=r"^rule: "):
        board_of({"x": [3, 2, 1]}, rule=given_rule)


def test_a_rule_of_the_configuration_is_checked_where_it_stands(tmp_path):
    (tmp_path / "t.csv").write_text("model,x\na,1\nb,2\n", encoding="utf-8")
    (tmp_path / "t.toml").write_text('rule = "best"\n', encoding="utf-8")
    with pytest.raises(wl.InputError, match=r"t\.toml: rule: no rule named 'best'"):
        wl.read_leaderboard(tmp_path / "t.csv")
    assert wl.read_leaderboard(tmp_path / "t.csv", rule="median").rule == "median"


@settings(max_examples=100)
@given(dice=DICE)
def test_the_mean_needs_one_scale_one_direction_and_no_measured_task(dice):
    """The definition once more, cell by cell."""
    kinds = [dice.one_of(["share", "percent", "other"]) for _ in range(dice.between(1, 4))]
    span = {"share": 1.0, "percent": 100.0, "other": 300.0}
    rng = np.random.default_rng(dice.between(0, 10**6))
    names = [dice.one_of(["qa", "nli", min(MEASURED_WORDS)]) + f"-{place}" for place in range(len(kinds))]
    frame = pd.DataFrame({n: (rng.uniform(-1, 1, 4) * span[k]).round(2) for n, k in zip(names, kinds, strict=True)})
    lower = [name for name in names if dice.between(0, 3) == 0]
    board = wl.Leaderboard(frame, models=list("abcd"), lower_is_better=lower, higher_is_better=set(names) - {*lower})
    shares = [all(abs(one) <= 1 for one in frame[name]) for name in names]
    percents = [all(abs(one) <= 100 for one in frame[name]) and frame[name].max() > 1.5 for name in names]
    plain = not any(word in name.split("-") for word in MEASURED_WORDS for name in names)
    adds = len(lower) in (0, len(names)) and plain and (all(shares) or all(percents))
    assert board.rule == ("mean" if adds else "borda")
