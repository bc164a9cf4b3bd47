"""Points are what each place of each task is worth, exact under every convention for ties."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests import brute_force
from tests.strategies import FEWER, boards, decimal_of
from weightlab.data.points import NAMED_VECTORS, made_complete, scoring_vector
from weightlab.exceptions import InputError, MissingScoresError

TIED = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 2, "d": 1}})


def exact(points, model, task):
    """Return the points of one model on one task."""
    row, column = points.models.index(model), points.tasks.index(task)
    return Fraction(int(points.numerators[row, column]), points.denominator)


def vectors(count):
    """Return scoring vectors by name, and ones that fall (or stay) from place to place."""
    falling = st.lists(st.fractions(-5, 5, max_denominator=9), min_size=count, max_size=count)
    return st.one_of(st.sampled_from(list(NAMED_VECTORS)), falling.map(lambda one: sorted(one, reverse=True)))


@given(boards(missing=False), st.data())
def test_points_by_place_are_those_of_the_definition(board, data):
    vector = data.draw(vectors(len(board.models)))
    ties = data.draw(st.sampled_from(["average", "min", "max"]))
    points = board.points(vector, ties=ties)
    for task in board.tasks:
        worth = brute_force.points(board, task, scoring_vector(vector, len(board.models)), ties)
        assert {model: exact(points, model, task) for model in board.models} == worth


@FEWER
@given(boards(missing=False), st.data())
def test_with_averages_every_task_hands_out_the_whole_vector(board, data):
    vector = data.draw(vectors(len(board.models)))
    points = board.points(vector)
    handed_out = sum(scoring_vector(vector, len(board.models)))
    for task in board.tasks:
        assert sum(exact(points, model, task) for model in board.models) == handed_out


@FEWER
@given(boards(missing=False, cells=decimal_of), st.data())
def test_least_ranks_give_no_less_than_averages_and_greatest_ranks_no_more(board, data):
    vector = data.draw(vectors(len(board.models)))
    least, average, greatest = (board.points(vector, ties=ties) for ties in ("min", "average", "max"))
    for task in board.tasks:
        for model in board.models:
            assert exact(least, model, task) >= exact(average, model, task) >= exact(greatest, model, task)


@given(boards(missing=False, cells=decimal_of, tolerant=True))
def test_scores_as_points_are_the_scores_negated_where_lower_is_better(board):
    points = board.points("scores")
    table = brute_force.scores(board)
    for task in board.tasks:
        sign = -1 if task in board.lower_is_better else 1
        assert {model: sign * exact(points, model, task) for model in board.models} == table[task]


@FEWER
@given(boards())
def test_missing_scores_tie_for_the_last_places(board):
    if not board.missing_cells:
        return
    with pytest.raises(MissingScoresError):
        board.points()
    points = board.points("borda", missing="last", ties="min")
    table = brute_force.scores(board)
    for task in board.tasks:
        there = table[task]
        for model in board.models:
            ahead = sum(brute_force.sign(board, rival, model, task) == 1 for rival in there)
            expected = len(board.models) - 1 - (ahead if model in there else len(there))
            assert exact(points, model, task) == expected


@pytest.mark.parametrize(
    ("vector", "ties", "expected"),
    [
        ("borda", "average", [3, "3/2", "3/2", 0]),
        ("borda", "min", [3, 2, 2, 0]),
        ("borda", "max", [3, 1, 1, 0]),
        ("plurality", "average", [1, 0, 0, 0]),
        ("veto", "average", [1, 1, 1, 0]),
        ("dowdall", "average", [1, "5/12", "5/12", "1/4"]),
        ("dowdall", "min", [1, "1/2", "1/2", "1/4"]),
        ("dowdall", "max", [1, "1/3", "1/3", "1/4"]),
        ([5, "0.3", 0.1, -1], "average", [5, "1/5", "1/5", -1]),
    ],
)
def test_worked_points(vector, ties, expected):
    points = TIED.points(vector, ties=ties)
    assert [exact(points, model, "x") for model in TIED.models] == [Fraction(value) for value in expected]


def test_average_is_the_convention_unless_another_is_named():
    assert TIED.points().frame().equals(TIED.points("borda", ties="average").frame())


@pytest.mark.parametrize(
    ("name", "three", "one"),
    [
        ("plurality", [1, 0, 0], [1]),
        ("veto", [1, 1, 0], [0]),
        ("borda", [2, 1, 0], [0]),
        ("dowdall", [1, Fraction(1, 2), Fraction(1, 3)], [1]),
    ],
)
def test_named_vectors(name, three, one):
    assert scoring_vector(name, 3) == three
    assert scoring_vector(name, 1) == one


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"vector": "bordo"},
            "no points named 'bordo'; there are 'plurality', 'veto', 'borda', 'dowdall', 'scores'",
        ),
        ({"vector": [1, 0]}, "a scoring vector for 4 models needs 4 numbers; got 2"),
        ({"vector": [1, 2, 0, 0]}, "a scoring vector must not rise from one place to the next"),
        ({"vector": [1, "x", 0, 0]}, "not a finite number: 'x'; a number is written like 3, 0.1, 1e-3 or 1/3"),
        ({"ties": "first"}, "ties must be 'average', 'min' or 'max'; got 'first'"),
        ({"vector": "scores", "ties": "first"}, "ties must be 'average', 'min' or 'max'; got 'first'"),
        ({"missing": "first"}, "missing must be 'error' or 'last'; got 'first'"),
    ],
)
def test_what_makes_no_points_is_refused(options, message):
    with pytest.raises(InputError) as caught:
        TIED.points(**options)
    assert str(caught.value) == message


def test_missing_scores_are_named():
    frame = pd.DataFrame([[1, 2], [None, 3]], index=["a", "b"], columns=["x", "y"])
    with pytest.raises(MissingScoresError) as caught:
        wl.Leaderboard(frame).points()
    without = "call .select(tasks=['y']) and .complete() (2 of 2 models have these scores)"
    assert str(caught.value) == f"1 missing score: 'b' on 'x'; {without} or pass missing='last'"
    with pytest.raises(MissingScoresError) as caught:
        wl.Leaderboard(frame).points("scores", missing="last")
    assert str(caught.value) == f"1 missing score: 'b' on 'x'; {without}"
    many = pd.DataFrame(np.where(np.eye(7, dtype=bool), np.nan, 1.0), index=list("abcdefg"), columns=list("tuvwxyz"))
    with pytest.raises(
        MissingScoresError, match=r"^7 missing scores: 'a' on 't', .*'e' on 'x' and 2 more; call \.select"
    ):
        wl.Leaderboard(many).points()


def test_points_by_place_refuse_ties_that_are_not_transitive():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 1}}, tolerance={"x": 1})
    with pytest.raises(InputError) as caught:
        board.points()
    assert str(caught.value) == (
        "points by place needs transitive ties, and ties within a score tolerance are not transitive; "
        "tasks with a tolerance: 'x'"
    )
    assert exact(board.points("scores"), "a", "x") == 3


def test_points_keep_integers_that_no_machine_type_holds():
    points = wl.Leaderboard({"x": {"a": 10**30, "b": Fraction(1, 3)}}).points("scores")
    assert points.numerators.dtype == object
    assert exact(points, "a", "x") == 10**30
    assert exact(points, "b", "x") == Fraction(1, 3)
    assert points.frame().loc["a", "x"] == 1e30


def test_points_cannot_be_changed():
    points = TIED.points()
    back = pickle.loads(pickle.dumps(points))  # noqa: S301 (our own pickle)
    assert back.frame().equals(points.frame())
    for one in (points, back):
        with pytest.raises(ValueError, match="read-only"):
            one.numerators[0, 0] = 9


def test_points_of_levels_know_only_these_conventions():
    with pytest.raises(InputError, match=r"^ties must be 'average', 'min' or 'max'; got 'first'$"):
        wl.Points.from_levels(("a", "b"), ("x",), np.array([[1.0], [2.0]]), [Fraction(1), Fraction(0)], "first")


@FEWER
@given(st.integers(2, 5), st.integers(1, 5), st.data())
def test_what_is_advised_where_scores_are_missing_leaves_what_it_says(models, tasks, data):
    gaps = np.array(data.draw(st.lists(st.booleans(), min_size=models * tasks, max_size=models * tasks)))
    gaps = gaps.reshape(models, tasks)
    names = [f"m{row}" for row in range(models)], [f"t{column}" for column in range(tasks)]
    cure = made_complete([(f"m{row}", f"t{column}") for row, column in np.argwhere(gaps)], *names)
    if not cure:
        assert ((~gaps).sum(axis=0) < 2).all()
        return
    chosen = cure[0].value.get("tasks", names[1])
    whole = cure[0].also or cure[0]
    complete = (~gaps[:, [names[1].index(task) for task in chosen]].any(axis=1)).sum()
    assert complete >= 2
    assert (cure[0].argument == ".complete") == ((~gaps.any(axis=1)).sum() >= 2)
    assert whole.argument == ".complete"
    assert whole.effect.startswith(f"({complete} of {models} models have ")
