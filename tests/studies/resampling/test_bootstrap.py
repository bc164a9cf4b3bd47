"""A bootstrap ranks tables whose tasks or instances are drawn anew; each draw is the ranking of that very table."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, ProofError
from weightlab.rules import RULES, pooled, rank, two_level
from weightlab.rules.refusal import NO_ANSWER
from weightlab.studies.parallel import generator_of
from weightlab.studies.resampling.bootstrap import bootstrap

OPTIONS = {"k_approval": {"k": 1}, "optimality_gap": {"gamma": "2.5"}, "scoring": {"vector": "borda"}}
FEW = settings(max_examples=8)
SMALL = {"over": "tasks", "repeats": 6, "rng": 3}


@st.composite
def boards(draw, *, gaps=False, lower=False):
    """Return small boards with weights, many ties and, if wanted, gaps."""
    dice = draw(DICE)
    count = dice.between(2, 4)
    cell = [1, 2, "2.5", 3, *([None] if gaps else [])]
    columns = {}
    for name in "xyzw"[: dice.between(1, 4)]:
        columns[name] = dict(zip("abcd", dice.many_of(cell, count), strict=False))
        columns[name]["a"] = columns[name]["a"] or 1
    if gaps:
        columns["full"] = dict(zip("abcd", dice.many_of(range(1, 4), count), strict=False))
    weights = {name: dice.one_of([1, 2, "0.5"]) for name in columns}
    turned = dice.some_of(sorted(columns)) if lower else []
    return wl.Leaderboard(columns, weights=weights, lower_is_better=turned)


def drawn(board, seed, number):
    """Return the board of one draw, each task as often as it was drawn, or None where a model has no score."""
    size = len(board.tasks)
    chosen = sorted(generator_of(seed, number).integers(size, size=size).tolist())
    frame = pd.DataFrame(
        {f"{place}": board.cells.column(column) for place, column in enumerate(chosen)},
        index=board.models,
        dtype=object,
    )
    if frame.isna().all(axis=1).any():
        return None
    return wl.Leaderboard(
        frame,
        weights=[board.weights.iloc[column] for column in chosen],
        lower_is_better=[
            str(place) for place, column in enumerate(chosen) if board.tasks[column] in board.lower_is_better
        ],
    )


def ranking_of(board, rule, **options):
    try:
        ranking = rank(board, rule, **options)
    except NO_ANSWER:
        return None
    level = {model: place for place, group in enumerate(ranking.places) for model in group}
    return [level[model] for model in board.models]


def places(found, number):
    """Return the places of one draw."""
    return found.levels[0, number, 0].tolist()


def expected(board, rule, number, **options):
    one = drawn(board, SMALL["rng"], number)
    said = None if one is None else ranking_of(one, rule, **options)
    return [-1] * len(board.models) if said is None else said


@pytest.mark.parametrize("name", RULES)
@FEW
@given(board=boards())
def test_each_draw_is_the_ranking_of_the_tasks_drawn(name, board):
    options = OPTIONS.get(name, {})
    if ranking_of(board, name, **options) is None:
        return
    try:
        found = bootstrap(board, name, options=options, **SMALL)
    except InputError as error:
        assert "no answer in any" in str(error)  # noqa: PT017 - Condorcet winners may be missing in every draw
        return
    for number in range(found.repeats):
        own = expected(board, name, number, **options)
        assert places(found, number) == own
    assert found.verify(board)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("borda", "last"),
        ("borda", "median"),
        ("mean", "skip"),
        ("mean", "median"),
        ("mean_rank", "skip"),
        ("mean_win_rate", "skip"),
        ("coombs", "last"),
        ("copeland", None),
        ("schulze", None),
    ],
)
@FEW
@given(board=boards(gaps=True, lower=True))
def test_with_gaps_each_draw_is_the_ranking_of_the_tasks_drawn(name, missing, board):
    options = {} if missing is None else {"missing": missing}
    found = bootstrap(board, name, options=options, **SMALL)
    for number in range(found.repeats):
        assert places(found, number) == expected(board, name, number, **options)


@FEW
@given(board=boards())
def test_a_function_sees_each_task_as_often_as_it_was_drawn(board):
    by_function = bootstrap(board, lambda table: rank(table, "borda").order, **SMALL)
    assert np.array_equal(by_function.levels, bootstrap(board, "borda", **SMALL).levels)


@FEW
@given(board=boards(), level=st.sampled_from([0.5, 0.9, 0.95]))
def test_intervals_are_the_order_statistics_of_the_ranks(board, level):
    found = bootstrap(board, "borda", level=level, over="tasks", repeats=30, rng=1)
    skipped = int(round((1 - level) / 2 * 30, 9))
    for column, model in enumerate(board.models):
        least = sorted(int((row < row[column]).sum()) + 1 for row in found.levels[0, :, 0])
        greatest = sorted(int((row <= row[column]).sum()) for row in found.levels[0, :, 0])
        row = found.intervals().loc[model]
        assert (row["low"], row["high"]) == (least[skipped], greatest[-1 - skipped])
        assert row["rank"] == rank(board, "borda").ranks[model]
    assert found.intervals()["wins"].sum() == pytest.approx(1)


@FEW
@given(board=boards())
def test_a_pair_is_separable_if_the_percentile_interval_of_its_difference_is_above_zero(board):
    found = bootstrap(board, "borda", level=0.8, over="tasks", repeats=40, rng=2)
    scores = [rank(drawn(board, 2, number), "borda").scores for number in range(40)]
    for _, pair in found.adjacent().iterrows():
        differences = sorted(one[pair["model"]] - one[pair["next"]] for one in scores)
        own = rank(board, "borda").scores
        tied = own[pair["model"]] == own[pair["next"]]
        assert pair["separable"] == (differences[4] > 0 and not tied)
        assert pair["above"] == found.above().loc[pair["model"], pair["next"]]
        assert pair["above"] + pair["level"] + pair["below"] == pytest.approx(1)


def test_without_doubt_every_pair_is_separable_and_a_coin_never_is():
    clear = wl.Leaderboard({f"t{place}": {"a": 3, "b": 2, "c": 1} for place in range(9)})
    found = bootstrap(clear, "borda", repeats=100, rng=0)
    assert found.separable_share == 1
    assert found.contenders == ("a",)
    assert found.intervals()[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 2], [3, 3]]
    coin = wl.Leaderboard({f"t{place}": {"a": place % 2, "b": 1 - place % 2} for place in range(9)})
    found = bootstrap(coin, "mean", repeats=200, rng=0)
    assert found.separable_share == 0
    assert found.contenders == ("a", "b")
    assert str(found) == (
        "By average, 0 of 1 adjacent pair keep their order, each by itself, in 95% of the resamples of the tasks (200 "
        "draws), and all but 1 model stay below b; joint rank sets say what holds for all together."
    )


def test_more_draws_begin_with_the_same():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 3, "b": 1}})
    for rule in ("borda", "schulze"):
        few, more = (bootstrap(board, rule, repeats=repeats, rng=5) for repeats in (10, 30))
        assert np.array_equal(few.levels, more.levels[:, :10])


def test_processes_change_nothing():
    pytest.importorskip("joblib")
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}, "z": {"a": 3, "b": 1}})
    for rule in ("borda", "schulze"):
        alone, together = (bootstrap(board, rule, repeats=30, rng=5, n_jobs=jobs) for jobs in (1, 2))
        assert np.array_equal(alone.levels, together.levels)


def test_progress_tells_every_draw():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}})
    for rule in ("borda", "schulze"):
        told = []
        bootstrap(board, rule, repeats=7, rng=0, progress=told.append)
        assert sum(told) == 7


def test_missing_scores_are_declared_or_refused():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": None}})
    with pytest.raises(MissingScoresError, match="'b' on 'y'"):
        bootstrap(board, "borda")
    found = bootstrap(board, "borda", options={"missing": "last"}, repeats=50, rng=0)
    assert 0 < found.without_answer < 50
    assert found.draws["rank"].isna().sum() == 2 * found.without_answer
    assert found.verify(board)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": "models"}, "over must be 'tasks' or 'instances'; got 'models'"),
        ({"over": "instances"}, "a Leaderboard has no instances"),
        ({"level": 1}, "level must be between 0 and 1; got 1"),
        ({"repeats": 0}, "repeats must be a whole number from 1; got 0"),
        ({"rng": -1}, "rng must be"),
        ({"n_jobs": 0, "options": {}}, "n_jobs must be"),
    ],
)
def test_wrong_options_are_refused(options, message):
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}})
    with pytest.raises(InputError, match=message):
        bootstrap(board, "schulze", **options)


def test_a_bootstrap_travels_and_lies_are_found():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 2}, "y": {"a": 2, "b": 1, "c": 2}})
    found = bootstrap(board, "borda", repeats=20, rng=4)
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(board)
    assert again.summary().equals(found.summary())
    levels = found.levels.copy()
    draw = levels[0, 3, 0]
    draw[:] = draw[::-1] if draw[0] != draw[2] else [0, 1, 2]
    for lie in ({"levels": levels}, {"whole": found.whole[:, ::-1]}, {"seed": 5}, {"models": tuple("bac")}):
        with pytest.raises(ProofError):
            replace(found, **lie).verify(board)
    with pytest.raises(ProofError, match="without a gap"):
        replace(found, levels=levels + 1).verify()


# Instances ------------------------------------------------------------------------------------------------------------


@st.composite
def instances(draw, *, gaps=False):
    """Return instances of up to three tasks, if wanted with gaps."""
    dice = draw(DICE)
    models = "abc"[: dice.between(2, 3)]
    cell = [0, 1, "0.5", *([None] if gaps else [])]
    tables = {}
    for task in ("x", "y", "z")[: dice.between(1, 3)]:
        count = dice.between(1, 4)
        rows = {model: dice.many_of(cell, count) for model in models}
        rows["a"][0] = rows[models[-1]][0] = 1
        tables[task] = pd.DataFrame.from_dict(rows, orient="index", columns=[f"i{place}" for place in range(count)])
    weights = {task: dice.one_of([1, 2]) for task in tables}
    turned = dice.some_of(sorted(tables))
    return wl.Instances(tables, weights=weights, lower_is_better=turned)


def drawn_instances(source, seed, number):
    """Return the instances of one draw, each as often as it was drawn."""
    rng = generator_of(seed, number)
    tables = {}
    for task in source.tasks:
        cells = source.table(task).cells
        size = cells.floats.shape[1]
        chosen = sorted(rng.integers(size, size=size).tolist())
        frame = pd.DataFrame(
            {f"{place}": cells.column(column) for place, column in enumerate(chosen)},
            index=source.table(task).models,
            dtype=object,
        )
        tables[task] = frame
    return wl.Instances(tables, weights=source.weights, lower_is_better=source.lower_is_better)


@pytest.mark.parametrize("rule", ["borda", "mean", "copeland", "schulze", "median", "coombs"])
@FEW
@given(source=instances())
def test_means_of_drawn_instances_are_ranked(rule, source):
    found = bootstrap(source, rule, repeats=5, rng=1)
    for number in range(5):
        own = ranking_of(drawn_instances(source, 1, number).means(), rule)
        assert places(found, number) == own
    assert found.order == rank(source.means(), rule).order
    assert found.verify(source)


@FEW
@given(source=instances(gaps=True))
def test_means_are_over_the_instances_that_are_there(source):
    found = bootstrap(source, "copeland", repeats=5, rng=1)
    for number in range(5):
        if places(found, number)[0] >= 0:
            own = drawn_instances(source, 1, number).means().select(models=source.models)
            assert places(found, number) == ranking_of(own, "copeland")


@pytest.mark.parametrize("rule", ["borda", "copeland", "coombs"])
@FEW
@given(source=instances())
def test_drawn_instances_vote_at_one_level_and_at_two(rule, source):
    one, two = (bootstrap(source, rule, how=how, repeats=4, rng=1) for how in ("one_level", "two_level"))
    for number in range(4):
        own = drawn_instances(source, 1, number)
        assert places(one, number) == ranking_of(pooled(own), rule)
        order = two_level(own, rule).order
        level = {model: place for place, group in enumerate(order) for model in group}
        assert places(two, number) == [level[model] for model in source.models]
    assert one.verify(source)
    assert two.verify(source)


def test_tasks_of_instances_are_drawn_from_the_board_of_their_means():
    source = wl.Instances({"x": {"i": {"a": 1, "b": 0}}, "y": {"i": {"a": 0, "b": 1}, "j": {"a": 0, "b": 1}}})
    found = bootstrap(source, "borda", over="tasks", repeats=9, rng=0)
    assert np.array_equal(found.levels, bootstrap(source.means(), "borda", repeats=9, rng=0).levels)


def test_two_levels_need_places_or_duels():
    source = wl.Instances({"x": {"i": {"a": 1, "b": 0}}})
    with pytest.raises(InputError, match="mean reads no places or duels"):
        bootstrap(source, "mean", how="two_level")
