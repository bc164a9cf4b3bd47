"""Directions that are declared of what a program wrote are told as such, those of nobody as assumed."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import weightlab as wl
from weightlab.io.reading.told import reading_of

LONG = "dataset,model,metric,score\n" + "".join(
    f"{data},{model},{metric},{at + len(metric)}\n"
    for data in ("d", "e")
    for at, model in enumerate("ab")
    for metric in ("ppl", "acc", "f")
)
SUITE = wl.read_suite(io.StringIO(LONG), lower_is_better=["ppl"], higher_is_better=["acc"])
FRAME = pd.DataFrame({"ppl": [1.0, 2.0], "acc": [0.5, 0.25], "f": [3.0, 4.0]}, index=["a", "b"])
BOARD = wl.Leaderboard(FRAME, lower_is_better=["ppl"], higher_is_better=["acc"])


@pytest.mark.parametrize("data", [SUITE, BOARD], ids=["suite", "board"])
def test_declared_directions_are_certain_and_others_are_assumed(data):
    told = {one.name: (one.lower, one.why, str(one.certainty)) for one in reading_of("t.csv", data).columns}
    assert told == {
        "ppl": (True, "as declared", "certain"),
        "acc": (False, "as declared", "certain"),
        "f": (False, "not declared", "assumed"),
    }
