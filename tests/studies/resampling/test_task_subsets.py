"""Tasks that are removed and added at random: the rankings on some tasks, compared with the ranking on all."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, NoWinnerError, ProofError, UnknownNameError
from weightlab.rules import one_level, rank, two_level
from weightlab.studies.resampling.task_subsets import kept_tasks, task_addition, task_removal

RULES = ["mean", "borda", "copeland", "minimax", "dowdall", "schulze", "baldwin", "median"]
SOME = st.lists(st.sampled_from(RULES), min_size=1, max_size=3, unique=True)
SIX = wl.Leaderboard(
    {
        "x": dict(zip("abcdef", (6, 5, 4, 3, 2, 1), strict=True)),
        "y": dict(zip("abcdef", (1, 3, 6, 2, 5, 4), strict=True)),
        "z": dict(zip("abcdef", (5, 6, 1, 4, 2, 3), strict=True)),
        "v": dict(zip("abcdef", (6, 4, 5, 1, 2, 3), strict=True)),
    },
    weights={"x": 3, "y": 2},
)
# a, b and c beat each other in a cycle.
CYCLE = wl.Leaderboard(
    {
        "x": dict(zip("abc", (3, 2, 1), strict=True)),
        "y": dict(zip("abc", (1, 3, 2), strict=True)),
        "z": dict(zip("abc", (2, 1, 3), strict=True)),
    }
)
INSTANCES = wl.Instances(
    {
        "qa": {f"q{n}": dict(zip("abc", scores, strict=True)) for n, scores in enumerate([(3, 2, 1), (3, 1, 2)])},
        "nli": {"n0": dict(zip("abc", (1, 9, 2), strict=True))},
        "qe": {f"e{n}": dict(zip("abc", scores, strict=True)) for n, scores in enumerate([(1, 2, 3)] * 3)},
    },
    weights={"nli": 2},
)


def kept(found, size, draw, names):
    """Return the tasks of a draw, in board order."""
    return tuple(names[place] for place in kept_tasks(found.experiment, found.total, size, found.seed, draw))


def levels_of(order, models):
    level = {model: place for place, group in enumerate(order) for model in group}
    return [level[model] for model in models]


@FEWER
@given(board=boards(), rules=SOME, seed=st.integers(0, 99), nested=st.booleans(), data=st.data())
def test_every_draw_is_what_the_rules_say_of_these_tasks_alone(board, rules, seed, nested, data):
    sizes = data.draw(st.lists(st.integers(1, len(board.tasks)), min_size=1, max_size=2, unique=True))
    found = (task_addition if nested else task_removal)(board, rules, sizes=sizes, repeats=2, rng=seed)
    for number, size in enumerate(sizes):
        for draw in range(2):
            tasks = kept(found, size, draw, board.tasks)
            assert len(tasks) == size
            for place, name in enumerate(rules):
                own = rank(board.select(tasks=tasks), name)
                assert found.levels[number, draw, place].tolist() == levels_of(own.order, board.models)
    for place, name in enumerate(rules):
        assert found.whole[place].tolist() == levels_of(rank(board, name).order, board.models)


@settings(max_examples=10)
@given(board=boards(gaps=True), seed=st.integers(0, 99), nested=st.booleans())
def test_it_travels_and_is_proved(board, seed, nested):
    options = {"missing": "last"}
    found = (task_addition if nested else task_removal)(
        board, ["borda", "copeland"], options=options, repeats=2, rng=seed
    )
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    pd.testing.assert_frame_equal(back.draws, found.draws)
    assert (back.settings, back.total, str(back)) == (found.settings, found.total, str(found))
    assert back.proof is Proof.SAMPLED


@pytest.mark.parametrize("name", ["borda", "copeland", "dowdall"])
def test_instances_are_ranked_in_three_ways(name):
    for how in ("means", "one_level", "two_level"):
        found = task_removal(INSTANCES, name, how=how, sizes=[1, 2], repeats=6, rng=3)
        assert found.how == how
        for number, size in enumerate((1, 2)):
            for draw in range(6):
                part = INSTANCES.select(tasks=kept(found, size, draw, INSTANCES.tasks))
                own = {
                    "means": lambda: rank(part.means(), name),  # noqa: B023 - asked at once
                    "one_level": lambda: one_level(part, name),  # noqa: B023
                    "two_level": lambda: two_level(part, name),  # noqa: B023
                }[how]()
                assert found.levels[number, draw, 0].tolist() == levels_of(own.order, "abc")
        assert found.verify(INSTANCES)
        assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(INSTANCES)


def test_with_one_seed_all_ways_are_asked_of_the_same_tasks():
    one, other = (task_removal(INSTANCES, "borda", how=how, repeats=5, rng=3) for how in ("one_level", "two_level"))
    assert (one.experiment, one.total, one.seed) == (other.experiment, other.total, other.seed)


def test_tasks_that_are_added_stay():
    found = task_addition(SIX, "borda", repeats=5, rng=0)
    assert found.settings == {"tasks": (1, 2, 3)}
    for draw in range(5):
        one, two, three = (set(kept(found, size, draw, SIX.tasks)) for size in (1, 2, 3))
        assert one < two < three


def test_every_set_of_tasks_is_equally_likely():
    for experiment in ("task_addition", "task_removal"):
        seen = pd.Series([tuple(kept_tasks(experiment, 4, 2, 5, draw).tolist()) for draw in range(1200)])
        assert sorted(seen.unique()) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        assert abs(seen.value_counts() - 200).max() < 60


def test_other_sizes_and_more_draws_change_nothing():
    pytest.importorskip("joblib")
    told = []
    few = task_removal(SIX, ["borda", "mean"], sizes=[2], repeats=3, rng=7)
    many = task_removal(SIX, ["borda", "mean"], sizes=[3, 2], repeats=6, rng=7, n_jobs=2, progress=told.append)
    assert np.array_equal(many.levels[1, :3], few.levels[0])
    assert sum(told) == 6


def test_all_tasks_give_the_ranking_itself():
    table = task_removal(SIX, ["borda", "copeland"], sizes=[4], repeats=3, rng=0).draws
    assert (table[["tau_b", "top", "winners_kept", "best_wins"]] == 1).all(axis=None)
    assert not table["reversed"].any()


def test_tasks_without_weight_take_no_part():
    board = wl.Leaderboard(SIX.scores, weights={"x": 0})
    found = task_removal(board, "borda", repeats=2, rng=0)
    assert (found.total, found.settings) == (3, {"tasks": (1, 2)})
    assert np.array_equal(found.levels, task_removal(board.select(tasks=list("yzv")), "borda", repeats=2, rng=0).levels)


def test_models_without_a_score_on_the_tasks_leave_a_draw_unanswered():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": None, "c": 2}})
    found = task_removal(board, "copeland", sizes=[1], repeats=20, rng=0)
    lacking = [draw for draw in range(20) if kept(found, 1, draw, board.tasks) == ("y",)]
    assert 0 < len(lacking) < 20
    assert found.draws[found.draws["top"].isna()]["draw"].tolist() == lacking
    assert found.summary()["unanswered"].tolist() == [len(lacking)]


def test_defaults_that_do_not_apply_are_left_out():
    assert task_removal(SIX, repeats=1, rng=0).rules == ("mean", "borda")
    found = task_removal(INSTANCES, repeats=1, rng=0)
    assert found.rules == ("borda",)
    assert found.left_out == {"mean": "mean reads no places or duels"}
    gaps = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": None}})
    with pytest.raises(InputError, match="no rule has an answer"):
        task_removal(gaps, repeats=1, rng=0)
    with pytest.raises(InputError, match="1 missing score: 'b' on 'y'"):
        task_removal(gaps, "borda", repeats=1, rng=0)


def test_functions_are_given_the_tasks_that_are_kept():
    def total(board):
        return board.scores.sum(axis=1)

    found = task_removal(SIX, total, sizes=[2], repeats=2, rng=0)
    for draw in range(2):
        own = SIX.scores[list(kept(found, 2, draw, SIX.tasks))].sum(axis=1)
        levels = pd.Series(found.levels[0, draw, 0], index=SIX.models)
        assert levels.corr(own, method="spearman") == pytest.approx(-1)
    assert found.verify(SIX)
    with pytest.raises(InputError, match="the function 'total' has no JSON form"):
        found.to_dict()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"seed": 8}, "the ranking differs"),
        ({"experiment": "task_addition"}, "the ranking differs"),
        ({"settings": {"tasks": (1,)}}, "the ranking differs"),
        ({"settings": {"tasks": (1, 2)}}, "the draws are not of these settings, rules and models"),
        ({"rules": ("mean", "borda")}, "the rules, or what is changed, are others"),
        ({"total": 5}, "the rules, or what is changed, are others"),
    ],
    ids=["seed", "addition", "sizes", "more sizes", "rules", "tasks"],
)
def test_a_false_part_is_seen(change, error):
    found = task_removal(SIX, ["borda", "mean"], sizes=[2], repeats=3, rng=7)
    with pytest.raises(ProofError, match=error):
        replace(found, **change).verify(SIX)


def test_another_source_is_seen():
    found = task_removal(SIX, "borda", sizes=[2], repeats=3, rng=7)
    with pytest.raises(ProofError, match="the models are not those of the source"):
        found.verify(SIX.select(models=list("abcde")))
    with pytest.raises(ProofError, match="the ranking of the whole table differs"):
        found.verify(wl.Leaderboard(SIX.scores, weights={"y": 5}))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"sizes": []}, "sizes must be numbers of tasks, at most 4 .those with weight.; got none"),
        ({"sizes": [5]}, "sizes must be numbers of tasks, at most 4 .those with weight.; got 5"),
        ({"sizes": [0]}, "sizes must be a whole number from 1; got 0"),
        ({"sizes": 2}, r"sizes must be a list, such as \[3, 6\]; got 2"),
    ],
)
def test_options_that_are_none_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        task_removal(SIX, "borda", **{"repeats": 1, "rng": 0, **options})


def test_what_is_no_rule_source_way_or_draw_is_refused():
    with pytest.raises(UnknownNameError, match="no rule named 'bordo'"):
        task_removal(SIX, "bordo")
    with pytest.raises(InputError, match="tasks are removed from a Leaderboard or Instances; got a dict"):
        task_removal({}, "borda")
    with pytest.raises(InputError, match="how must be 'means', 'one_level' or 'two_level'; got 'three'"):
        task_removal(INSTANCES, "borda", how="three")
    with pytest.raises(NoWinnerError, match="Condorcet winner"):
        task_removal(CYCLE, "condorcet", repeats=1)


def test_the_sentence_names_who_keeps_the_ranking():
    assert str(task_removal(SIX, ["mean", "plurality"], repeats=40, rng=0)) == (
        "On 2 of 4 tasks plurality keeps its ranking best (mean tau-b 0.67, worst mean, 0.46; 40 draws)."
    )


# Colombo et al., figures 5 and 7: the ranking by Borda moves less than that by the mean.
@pytest.mark.parametrize("name", ["glue105", "superglue24", "xtreme15"])
def test_figures_5_and_7_borda_keeps_its_ranking_better_than_the_mean(shared_data, name):
    board = wl.read_leaderboard(shared_data / "colombo" / f"{name}.csv")
    half = len(board.tasks) // 2
    found = task_removal(board, sizes=[half], repeats=40, rng=0).summary()["tau_b"]
    assert found["borda", half] > found["mean", half]
