"""Distances between the tasks' rankings are counted from the duels, and estimated as the appendix says."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from examples.reproduce.dispersion import drawn_distances, radii, stopped
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, ProofError
from weightlab.studies.rules.dispersion import dispersion, distance, mean_distance, ranked_board, task_profile

FEW = settings(max_examples=15)
PENALTIES = st.sampled_from([0, "1/2", "1/3", 1])


@st.composite
def boards(draw, *, strict=False, gaps=False):
    dice = draw(DICE)
    count = dice.between(2, 4)
    columns = {}
    for name in "xyzw"[: dice.between(1, 4)]:
        cells = [1, 2, 3, *([None] if gaps else [])]
        row = dice.shuffled(range(count)) if strict else dice.many_of(cells, count)
        columns[name] = dict(zip("abcd", row, strict=False))
        columns[name]["a"] = 1 if columns[name]["a"] is None else columns[name]["a"]
    if gaps:
        columns["full"] = dict(zip("abcd", range(count), strict=False))
    return wl.Leaderboard(columns, weights={name: dice.one_of([1, 2, "0.5"]) for name in columns})


def kendall(first, second, penalty):
    """Count pair by pair."""
    total = Fraction(0)
    for one, other in combinations(range(len(first)), 2):
        here, there = first[one] - first[other], second[one] - second[other]
        if here * there < 0:
            total += 1
        elif (here == 0) != (there == 0):
            total += Fraction(penalty)
    return total


@FEW
@given(board=boards(gaps=True), penalty=PENALTIES)
def test_distances_are_those_counted_task_by_task(board, penalty):
    found = dispersion(
        board, ["borda", "copeland"], options={"missing": "last"}, missing="last", tie_penalty=penalty, rng=1
    )
    ranks = task_profile(board, "last").ranks.tolist()
    weights = board.weights.tolist()
    whole = sum(weights)
    tasks = list(zip(ranks, weights, strict=True))
    apart = sum(v * w * kendall(one, other, penalty) for (one, v), (other, w) in product(tasks, tasks))
    assert (found.total, found.between) == (apart, apart / whole**2)
    for name, answer in found.answers.items():
        levels = answer.levels(board.models).tolist()
        assert found.distances[name] == sum(w * kendall(levels, one, penalty) for one, w in tasks) / whole
    assert found.verify(board)


@FEW
@given(board=boards(), penalty=PENALTIES, data=st.data())
def test_no_weak_order_is_nearer_than_the_least_that_is_told(board, penalty, data):
    count = len(board.models)
    levels = np.array(data.draw(st.lists(st.integers(0, count), min_size=count, max_size=count)))
    found = dispersion(board, "borda", tie_penalty=penalty, repeats=0)
    assert mean_distance(task_profile(board, "error"), Fraction(penalty))(levels) >= found.least


def test_with_no_penalty_a_ranking_of_ties_may_be_near_to_contrary_tasks():
    found = dispersion(wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}}), tie_penalty=0, repeats=0)
    assert found.distances["borda"] == found.least == 0 < found.between
    assert "and none on less than 0." in str(found)


@given(pair=st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=2, max_size=2), penalty=PENALTIES)
def test_the_distance_of_two_orders_is_counted_pair_by_pair(pair, penalty):
    assert distance(*map(np.array, pair), Fraction(penalty)) == kendall(*pair, penalty)


@FEW
@given(board=boards())
def test_no_ranking_is_nearer_than_half_of_what_the_tasks_are_apart(board):
    found = dispersion(board, ["borda"], repeats=0)
    ranks, weights = task_profile(board, "error").ranks.tolist(), board.weights.tolist()
    for order in permutations(range(len(board.models))):
        mean = sum(w * kendall(order, one, "1/2") for one, w in zip(ranks, weights, strict=True)) / sum(weights)
        assert mean >= found.least


@FEW
@given(board=boards(strict=True))
def test_of_strict_rankings_kemeny_is_nearest_and_at_most_as_far_as_the_tasks_are_apart(board):
    found = dispersion(board, ["kemeny", "borda"], rng=0)
    assert found.least <= found.distances["kemeny"] <= found.between
    assert found.distances["kemeny"] <= min(found.distances["borda"], *found.random)


def test_random_rankings_are_half_of_the_pairs_away():
    board = wl.Leaderboard({"x": {f"m{place}": place for place in range(12)}})
    found = dispersion(board, ["borda"], repeats=400, rng=0)
    assert float(sum(found.random)) / 400 == pytest.approx(66 / 2, rel=0.05)
    assert dispersion(board, ["borda"], repeats=5, rng=0).random == found.random[:5]
    assert len(found.draws) == 400


def test_instances_rank_one_by_one():
    source = wl.Instances({"x": {"i": {"a": 1, "b": 0}, "j": {"a": 0, "b": 1}}, "y": {"i": {"a": 1, "b": 0}}})
    assert dispersion(source, ["borda"], repeats=0).between == Fraction(4, 9)
    assert dispersion(source, ["borda"], repeats=0).verify(source)


def test_wrong_questions_are_refused():
    board = wl.Leaderboard({"x": {"a": 1, "b": None}, "y": {"a": 1, "b": 2}})
    with pytest.raises(MissingScoresError):
        dispersion(board, ["copeland"])
    for options, message in (
        ({"tie_penalty": 2}, "tie_penalty must be a number from 0 to 1; got 2"),
        ({"repeats": -1}, "repeats must be a whole number from 0; got -1"),
    ):
        with pytest.raises(InputError, match=message):
            dispersion(board, ["copeland"], missing="last", **options)
    with pytest.raises(InputError, match="a Leaderboard or Instances; got a int"):
        ranked_board(3)


def test_a_dispersion_travels_and_lies_are_found():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 2}, "y": {"a": 2, "b": 1, "c": 3}})
    found = dispersion(board, ["borda"], repeats=3, rng=0)
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(board)
    assert str(again) == str(found)
    lies = ({"between": Fraction(1)}, {"distances": {"borda": Fraction(1, 7)}}, {"random": (Fraction(9),)}, {"seed": 1})
    for lie in lies:
        with pytest.raises(ProofError):
            replace(found, **lie).verify()


# Stopping -------------------------------------------------------------------------------------------------------------


def test_the_radii_are_those_of_the_inequalities():
    shares = np.array([0.2, 0.6, 0.4])
    chance = 0.05 * 0.1 / 1.1 / 3**1.1
    assert radii(shares, "hoeffding", 0.05)[2] == pytest.approx(math.sqrt(math.log(2 / chance) / 6))
    log = math.log(3 / chance) / 3
    assert radii(shares, "bernstein", 0.05)[2] == pytest.approx(math.sqrt(2 * shares.var() * log) + 3 * log)


@pytest.mark.parametrize("bound", ["bernstein", "hoeffding"])
def test_the_chances_of_failure_add_up_to_no_more_than_the_one_allowed(bound):
    """Two sides of Hoeffding's bound, three of the empirical Bernstein bound, at every draw."""
    number = np.arange(1, 200_001)
    shares = np.zeros(len(number)) if bound == "bernstein" else np.full(len(number), 0.5)
    reach = radii(shares, bound, 0.05)
    spent = 3 * np.exp(-number * reach / 3) if bound == "bernstein" else 2 * np.exp(-2 * number * reach**2)
    # The rest of the sum of t^-1.1 is below the integral beyond the last draw.
    assert spent.sum() + 0.05 / 1.1 * number[-1] ** -0.1 <= 0.05 + 1e-9


@pytest.mark.parametrize("bound", ["bernstein", "hoeffding"])
def test_the_estimate_is_within_the_error_as_often_as_is_said(bound):
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(40):
        estimate, draws = stopped(rng.beta(3, 7, size=20_000), bound, failure=0.1)
        assert draws is not None
        hits += abs(estimate - 0.3) <= 0.03
    assert hits >= 36


def test_where_draws_vary_little_bernstein_stops_sooner():
    shares = np.random.default_rng(0).uniform(0.19, 0.21, size=200_000)
    assert stopped(shares, "bernstein", error=0.05)[1] < stopped(shares, "hoeffding", error=0.05)[1] / 3


@pytest.mark.parametrize("bound", ["bernstein", "hoeffding"])
def test_a_stopped_estimate_is_near_the_exact_value(bound):
    rng = np.random.default_rng(1)
    board = wl.Leaderboard(
        {f"t{place}": dict(zip("abcdefgh", rng.permutation(8).tolist(), strict=True)) for place in range(9)}
    )
    estimate, draws = stopped(drawn_distances(board), bound, error=0.2)
    exact = float(dispersion(board, ["borda"], repeats=0).between) / 28
    assert abs(estimate - exact) <= 0.2 * exact
    shares = drawn_distances(board)[:draws]
    assert abs(shares.mean() - exact) <= radii(shares, bound, 0.05)[-1]


def test_tasks_that_all_agree_never_reach_a_relative_error():
    board = wl.Leaderboard({name: {"a": 1, "b": 2, "c": 3} for name in "xyz"})
    assert stopped(drawn_distances(board, batches=3), "bernstein") == (0.0, None)
