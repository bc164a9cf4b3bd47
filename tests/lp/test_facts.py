"""Facts about public tables, the ones that Vote'n'Rank counts among them."""

from __future__ import annotations

import json
from fractions import Fraction

import pandas as pd
import pytest

import weightlab as wl
from weightlab.lp import Verdict

MACHAMP = "MaChAmp (bert-large, single task)"


@pytest.fixture(scope="module")
def table(shared_data):
    """Return a way to read a table of scores by its name."""
    return lambda name: pd.read_csv(shared_data / name, index_col="model")


@pytest.fixture(scope="module")
def scored(shared_data):
    """Return a way to read a table with the weights of the paper."""
    meta = json.loads((shared_data / "votenrank" / "meta.json").read_text(encoding="utf-8"))
    read = wl.read_leaderboard
    return lambda name: wl.Leaderboard(
        read(shared_data / "votenrank" / f"{name}.csv").scores, weights=meta[name]["weights"]
    )


def counts(board, **options):
    found = wl.lp.prospects(board, **options)
    assert found.verify(board)
    return tuple(len(found.with_verdict(verdict)) for verdict in Verdict), found


def test_glue_has_eight_strict_models_and_a_weak_one(table):
    board = wl.Leaderboard(table("votenrank/glue.csv")).complete()
    number, found = counts(board)
    assert number == (8, 1, 88)
    assert found.with_verdict("weak") == ("MT-DNN-SMART",)
    assert sum(margin == 1 for margin in found.lower[list(found.with_verdict("strict"))]) == 6


def test_glue_with_all_rows_kept(table):
    assert counts(wl.Leaderboard(table("votenrank/glue.csv")))[0] == (9, 3, 88)


def test_one_cell_makes_a_model_of_glue_strict(table):
    scores = table("votenrank/glue.csv")
    assert wl.lp.prospect(wl.Leaderboard(scores), MACHAMP).verdict is Verdict.STRICT
    assert scores.loc[MACHAMP, "STS-B_n2"] == 99.8
    scores.loc[MACHAMP, "STS-B_n2"] = None
    assert wl.lp.prospect(wl.Leaderboard(scores), MACHAMP).verdict is not Verdict.STRICT


def test_superglue_has_six_strict_and_four_weak_models(table):
    board = wl.Leaderboard(table("votenrank/superglue.csv"))
    assert counts(board.complete())[0] == (6, 4, 12)
    assert counts(board)[0] == (6, 6, 12)


def test_superglue_with_the_tasks_that_the_paper_scores(scored):
    board = scored("superglue").complete()
    unscored = [task for task in board.tasks if not board.weights[task]]
    assert counts(board, space=wl.lp.WeightSpace(board).fixed(unscored, 0))[0] == (4, 1, 17)
    assert counts(board.select(tasks=[task for task in board.tasks if task not in unscored]))[0] == (4, 1, 17)


def test_the_example_of_the_paper_can_only_tie_and_only_in_one_way(table):
    board = wl.Leaderboard(table("votenrank/superglue.csv")).complete()
    found = wl.lp.prospect(board, "T5")
    half = {"BoolQ": Fraction(1, 2), "MultiRC_n2": Fraction(1, 2)}
    assert found.verdict is Verdict.WEAK
    assert {task: weight for task, weight in found.weights.items() if weight} == half
    for task in board.tasks:
        for objective in (wl.lp.least_weight(task), wl.lp.most_weight(task)):
            assert wl.lp.scenario(board, "T5", objective).value == half.get(task, 0)
    nearest = wl.lp.scenario(board, "T5", wl.lp.closest_to([1] * len(board.tasks)))
    assert nearest.value == Fraction(12, 7)
    assert nearest.strict_weights is None
    assert (found.leads == 0).sum() == 2


def test_eleven_of_the_twelve_hopeless_models_of_superglue_are_dominated(table):
    board = wl.Leaderboard(table("votenrank/superglue.csv")).complete()
    hopeless = wl.lp.prospects(board).with_verdict("never")
    sizes = [len(wl.lp.prospect(board, model, fewest_blockers=True).fewest.rivals) for model in hopeless]
    assert sorted(sizes) == [1] * 11 + [2]


@pytest.mark.parametrize("name", ["openllm", "vtab", "bigbench_hard"])
def test_prospects_of_other_leaderboards_verify(table, name):
    board = wl.Leaderboard(table(f"leaderboards/{name}.csv"))
    number, found = counts(board)
    assert sum(number) == len(board.models)
    strict = found.with_verdict("strict")
    assert strict
    assert wl.lp.scenario(board, strict[0], wl.lp.closest_to()).verify(board)
