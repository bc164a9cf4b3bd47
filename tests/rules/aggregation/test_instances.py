"""Rankings from instances: all at once, or task by task."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.data import Instances
from weightlab.exceptions import InputError, MissingScoresError, ProofError
from weightlab.rules import one_level, pooled, rank, two_level

QA = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 3, "b": 1, "c": 2}, "q3": {"a": 3, "b": 2, "c": 1}}
NLI = {"n1": {"a": 1, "b": 3, "c": 2}}
INSTANCES = Instances({"qa": QA, "nli": NLI})


@st.composite
def instances(draw):
    """Return complete instances of up to three tasks, with weights and directions."""
    dice = draw(DICE)
    models = "abcd"[: dice.between(2, 4)]
    tables = {}
    for task in ("x", "y", "z")[: dice.between(1, 3)]:
        count = dice.between(1, 3)
        rows = {m: dice.many_of(range(4), count) for m in models}
        tables[task] = pd.DataFrame.from_dict(rows, orient="index", columns=[f"i{place}" for place in range(count)])
    weights = {task: dice.one_of([1, 2, "0.5"]) for task in tables}
    return Instances(tables, weights=weights, lower_is_better=dice.some_of(sorted(tables)))


def test_at_one_level_every_instance_votes():
    assert one_level(INSTANCES, "plurality").scores.to_dict() == {"a": 3, "b": 1, "c": 0}
    assert one_level(INSTANCES, "plurality", each="task").scores.to_dict() == {"a": 1, "b": 1, "c": 0}


def test_at_two_levels_every_task_votes():
    ranking = two_level(INSTANCES, "plurality")
    assert ranking.scores.to_dict() == {"a": 1, "b": 1, "c": 0}
    assert ranking.steps["qa"].scores.to_dict() == {"a": 3, "b": 0, "c": 0}


@given(table=instances())
def test_the_pooled_board_has_every_cell_once(table):
    board = pooled(table)
    expected = {
        f"{task}/{column}": [cells[model] for model in table.models]
        for task in table.tasks
        for column, cells in table.table(task).frame().items()
    }
    assert board.scores.to_dict("list") == expected
    assert board.weights.to_dict() == {name: table.weights[name[0]] for name in expected}
    assert set(board.lower_is_better) == {name for name in expected if name[0] in table.lower_is_better}


@given(table=instances())
def test_with_the_weight_a_task_pooling_means_is_averaging_means(table):
    usual = rank(table.means(), "mean").scores.to_dict()
    assert one_level(table, "mean", each="task").scores.to_dict() == usual
    assert two_level(table, "mean").scores.to_dict() == usual


@given(table=instances())
def test_borda_of_all_instances_is_the_sum_of_the_tasks_bordas(table):
    sums = dict.fromkeys(table.models, Fraction(0))
    for task, weight in table.weights.items():
        for model, score in rank(table.leaderboard(task), "borda").scores.items():
            sums[model] += weight * score
    assert one_level(table, "borda").scores.to_dict() == sums


@given(table=instances())
def test_the_first_level_is_each_tasks_own_ranking(table):
    for name in ("borda", "copeland", "instant_runoff"):
        ranking = two_level(table, name)
        for task, step in ranking.steps.items():
            assert step.order == rank(table.leaderboard(task), name).order
        assert ranking.verify(table)
        assert one_level(table, name).verify(table)


@st.composite
def uneven_instances(draw):
    """Return instances with gaps, tasks that models lack, and scores that no double holds."""
    dice, tables = draw(DICE), {}
    scores = [0, 1, 2, 3, None, Fraction(1, 3), "0.33333333333333333333", 10**14, -2]
    for task in ("w", "x", "y", "z")[: dice.between(1, 4)]:
        models = dice.one_of(["abc", "abc", "cab", "ab", "abcd"])
        count = dice.between(1, 4)
        rows = {m: dice.many_of(scores, count) for m in models}
        columns = [f"i{place}" for place in range(count)]
        table = pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=object)
        if (~table.isna()).any(axis=1).sum() > 1:
            tables[task] = table
    assume(tables)
    weights = {task: dice.one_of([1, 2, "0.5"]) for task in tables}
    return Instances(tables, weights=weights, lower_is_better=dice.some_of(sorted(tables)))


@given(
    table=st.one_of(instances(), uneven_instances()),
    rule=st.sampled_from(["borda", "plurality", "veto", "dowdall", "mean"]),
    then=st.sampled_from([None, "copeland", "mean", "instant_runoff"]),
    missing=st.sampled_from(["error", "last", "skip"]),
    ties=st.sampled_from(["average", "min", "max"]),
)
@settings(max_examples=150)
def test_both_steps_are_what_is_claimed(table, rule, then, missing, ties):
    assume(missing in ({"error", "skip"} if rule == "mean" else {"error", "last"}))
    options = {"missing": missing} if rule == "mean" else {"missing": missing, "ties": ties}
    try:
        found = two_level(table, rule, then=then, **options)
    except InputError:
        return
    assert found.verify(table)


def test_sums_beyond_machine_integers_are_exact():
    wide = {"i1": {"a": 9 * 10**14, "b": 1, "c": 0}, "i2": {"a": 1, "b": 9 * 10**14, "c": 0}}
    far = pd.DataFrame({f"i{place}": {"a": "1e300", "b": "1.000000000000000000001e300", "c": 0} for place in range(2)})
    table = Instances({"x": wide, "y": far, "z": wide})
    assert two_level(table, "mean").verify(table)


def test_instances_that_a_model_lacks_are_gaps():
    tables = {"qa": {**QA, "q4": {"a": 1, "b": None, "c": 2}}, "nli": NLI}
    for question in (one_level, two_level):
        with pytest.raises(MissingScoresError, match="'b' on"):
            question(Instances(tables), "borda")
    assert one_level(Instances(tables), "borda", missing="last").scores.to_dict() == {"a": 7, "b": 4, "c": 4}
    assert two_level(Instances(tables), "borda", missing="last").steps["qa"].order == (("a",), ("c",), ("b",))
    assert one_level(Instances(tables), "copeland").winners == ("a",)


def test_a_model_that_lacks_a_task_is_ranked_in_the_others():
    table = Instances({"qa": QA, "nli": {"n1": {"a": 1, "b": 3}}})
    ranking = two_level(table, "borda", missing="last")
    assert ranking.steps["nli"].models == ("a", "b")
    assert ranking.scores.to_dict() == {"a": 3, "b": 3, "c": 0}
    assert one_level(table, "mean", missing="skip").scores["c"] == Fraction(4, 3)


def test_tasks_of_weight_0_take_no_part():
    table = Instances({"qa": QA, "nli": NLI}, weights={"qa": 0})
    assert one_level(table, "borda").winners == two_level(table, "borda").winners == ("b",)
    assert pooled(table).tasks == ("nli/n1",)


def test_scores_that_no_double_holds_stay_exact_in_the_pool():
    third = Fraction(1, 3)
    table = Instances(
        {"x": pd.DataFrame({"i": {"a": third, "b": 0.3333333333333333}}, dtype=object), "y": {"j": {"a": 1, "b": 1}}}
    )
    assert one_level(table, "mean").winners == ("a",)


def test_instances_of_the_same_name_in_different_tasks_are_told_apart():
    table = Instances({"a": {"b/c": {"m": 1, "n": 2}}, "a/b": {"c": {"m": 2, "n": 1}}})
    assert pooled(table).tasks == ("'a'/'b/c'", "'a/b'/'c'")


def test_who_has_the_weight_is_one_of_two():
    with pytest.raises(InputError, match="each must be 'instance' or 'task'; got 'model'"):
        one_level(INSTANCES, "borda", each="model")


def test_rankings_of_instances_travel():
    for ranking in (one_level(INSTANCES, "baldwin"), two_level(INSTANCES, "baldwin", then="mean_rank")):
        again = result_from_dict(json.loads(json.dumps(ranking.to_dict())))
        assert again.verify(INSTANCES)
        assert again.order == ranking.order


def test_rankings_of_other_instances_are_refused():
    other = Instances({"qa": QA, "nli": NLI}, weights={"nli": 2})
    with pytest.raises(ProofError, match="the weight of"):
        one_level(INSTANCES, "borda").verify(other)
    with pytest.raises(ProofError, match="the weight of"):
        two_level(INSTANCES, "borda").verify(other)
    with pytest.raises(ProofError, match="the result is of Instances, not Leaderboard"):
        one_level(INSTANCES, "borda").verify(INSTANCES.means())
    with pytest.raises(InputError, match="this ranking is of Instances; got a Leaderboard"):
        replace(one_level(INSTANCES, "borda"), source=INSTANCES.means()).verify()
    with pytest.raises(ProofError, match="the tasks and their weights are not those of the source"):
        replace(two_level(INSTANCES, "borda"), source=other).verify()
