"""The script that measures how often rank sets hold runs, and on small tables they do."""

from __future__ import annotations

import csv
import runpy
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "examples" / "measure_rank_sets.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_the_quick_form_measures_every_cell_once(script, tmp_path, monkeypatch):
    path = tmp_path / "cells.csv"
    monkeypatch.setattr(sys, "argv", ["measure_rank_sets.py", "--quick", "--output", str(path)])
    for _ in range(2):
        assert script["main"]() == 0
    with path.open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == len({tuple(cell.values())[:5] for cell in cells}) == 30
    assert {cell["rule"] for cell in cells} == {"mean", "borda", "majority"}


@pytest.mark.parametrize("rule", ["mean", "borda", "majority"])
def test_all_intervals_hold_together_and_equal_models_are_seldom_separated(script, rule):
    # 200 data sets: below 0.88 (above 0.12) with a chance of one in a thousand where 0.95 (0.05) is true.
    line = script["measure"](rule, 6, 12, "0", "exponential", sets=200, draws=200)
    assert line["holds"] > 0.88
    assert line["any"] < 0.12
    assert line["pointwise"] < 0.8 or rule == "majority"
