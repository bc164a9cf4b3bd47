"""The script that measures how often rank sets hold runs, and on small tables they do."""

from __future__ import annotations

import csv
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[3] / "examples" / "measure_rank_sets.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_the_quick_form_measures_every_cell_once(script, tmp_path, monkeypatch):
    path, table = tmp_path / "cells.csv", tmp_path / "table.md"
    monkeypatch.setattr(sys, "argv", ["measure_rank_sets.py", "--quick", "--output", str(path), "--table", str(table)])
    for _ in range(2):
        assert script["main"]() == 0
    with path.open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    count = 86 + len(script["OWN"]) + 3 * len(script["OF_GROUPS"]) + 2 * len(script["GAPPED"])
    assert len(cells) == len({tuple(cell.values())[:5] for cell in cells}) == count
    assert {cell["rule"] for cell in cells} == {
        *script["RULES"], *script["CASES"], *script["OF_GROUPS"], *script["GAPPED"],
    }  # fmt: skip
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[2].startswith("| mean | 4 x 10 | normal | 0 | 3 | ")
    assert sum(line.startswith("| ") for line in lines) == len(cells) + 3


@pytest.mark.parametrize("rule", ["borda", "mean"])
@pytest.mark.parametrize("hidden", ["25% at random", "more on some tasks", "more of some models"])
def test_all_intervals_hold_together_where_scores_are_missing_whoever_is_ahead(script, rule, hidden):
    # 100 data sets: below 0.86 with a chance of one in a thousand where 0.95 is true.
    assert script["measure"](f"{rule}, {hidden}", 6, 24, "0.3", "normal", sets=100, draws=100)["holds"] > 0.86


def test_the_quick_form_of_the_measurement_of_power_writes_each_claim(tmp_path, monkeypatch):
    path, table = tmp_path / "power.csv", tmp_path / "power.md"
    measure = runpy.run_path(str(SCRIPT.with_name("measure_power.py")))
    monkeypatch.setattr(sys, "argv", ["measure_power.py", "--sets", "1", "--output", str(path), "--table", str(table)])
    assert measure["main"]() == 0
    with path.open(newline="", encoding="utf-8") as file:
        claims = [row["claim"] for row in csv.DictReader(file)]
    assert len(claims) == len(table.read_text(encoding="utf-8").splitlines()) - 2 == 30
    assert {f"power, {name}" for name in measure["METHODS"]} <= set(claims)


@pytest.mark.parametrize("rule", ["mean", "borda", "majority"])
def test_all_intervals_hold_together_and_equal_models_are_seldom_separated(script, rule):
    # 200 data sets: below 0.88 (above 0.12) with a chance of one in a thousand where 0.95 (0.05) is true.
    line = script["measure"](rule, 6, 12, "0", "exponential", sets=200, draws=200)
    assert line["holds"] > 0.88
    assert line["any"] < 0.12
    assert line["pointwise"] < 0.8 or rule == "majority"


@pytest.mark.parametrize("levels", [[0.0] * 4, [0.0, 0.3, 0.6, 1.2]])
def test_intervals_hold_with_groups_weights_noise_of_instances_and_votes(script, levels):
    # 60 data sets a case: below 0.83 with a chance of one in a thousand where 0.95 is true.
    for case in script["FURTHER"]:
        found = [script["further"](case, np.array(levels), 12, "exponential", seed) for seed in range(60)]
        holds, any_apart, *_ = np.mean(found, axis=0)
        assert holds > 0.83, case
        assert any_apart < 0.17 or any(levels), case


def test_points_of_models_far_apart_hold_where_bonferronis_intervals_do_not(script):
    # Of these 400 data sets Student's intervals hold in 0.92; below 0.925 with a chance of one in a hundred at 0.95.
    line = script["measure"]("borda", 10, 27, "0.5", "exponential", sets=400, draws=100)
    assert line["holds"] > 0.935
    assert line["width"] == pytest.approx(1.14, abs=0.06)


def test_tasks_of_a_table_are_drawn_as_a_population(script, tmp_path, monkeypatch):
    source, path = tmp_path / "table.csv", tmp_path / "cells.csv"
    rng = np.random.default_rng(0)
    rows = [f"m{place}," + ",".join(map(str, rng.normal(size=12).round(3))) for place in range(4)]
    source.write_text("\n".join(["model," + ",".join(f"t{place}" for place in range(12)), *rows]), encoding="utf-8")
    call = ["measure_rank_sets.py", "--sets", "20", "--population", str(source), "--output", str(path)]
    monkeypatch.setattr(sys, "argv", call)
    assert script["main"]() == 0
    with path.open(newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    assert [(cell["rule"], cell["tasks"]) for cell in cells] == [
        (f"{rule}, table", tasks) for rule in ("mean", "borda") for tasks in ("10", "20", "12")
    ]
    assert all(float(cell["holds"]) > 0.6 and float(cell["undecided"]) < 0.1 for cell in cells)
