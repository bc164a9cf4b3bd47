"""Shortlists: against every set of their size by floats, on both verifiers, on real boards, forged."""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

import weightlab as wl
from tests.checker.documents import REFUSED
from tests.dice import DICE
from tests.lp.answers import read_back
from weightlab import checker
from weightlab._result import Proof, result_from_dict
from weightlab.lp.choosing import shortlist_search

NEARLY = 1e-7


def a_board(dice, models=(1, 6), tasks=(1, 4)):
    """Return a board of small integers without gaps, with ties."""
    size, width, high = dice.between(2, models[1]), dice.between(*tasks), dice.between(1, 9)
    cells = [[dice.below(high + 1) for _ in range(width)] for _ in range(size)]
    return wl.Leaderboard(pd.DataFrame(cells, [f"m{one}" for one in range(size)], [f"t{one}" for one in range(width)]))


def loss_of(scores, chosen, limits=()):
    """Return how far the best of some rows may be below the best of all, weights being at most the limits."""
    width, worst = scores.shape[1], 0.0
    below = np.hstack([scores[list(chosen)], -np.ones((len(chosen), 1))])
    bounds = [(0, limit) for limit in limits] or [(0, None)] * width
    for row in scores:
        found = linprog(
            np.append(-row, 1),
            A_ub=below,
            b_ub=np.zeros(len(chosen)),
            A_eq=[[*[1] * width, 0]],
            b_eq=[1],
            bounds=[*bounds, (None, None)],
        )
        worst = max(worst, -found.fun)
    return worst


def sets(models, size):
    return itertools.combinations(range(len(models)), size)


def checked(found, board=None):
    """Return the result after both verifiers have passed its document."""
    text = json.dumps(found.to_dict())
    assert result_from_dict(json.loads(text)).verify(board)
    table = None if board is None else board.to_pandas().to_csv(index_label="model")
    report = checker.check(text, table)
    assert (report.code == 0) == (found.proof is Proof.EXACT)
    return found


@settings(max_examples=25)
@given(DICE)
def test_no_set_of_the_size_loses_less(dice):
    board = a_board(dice)
    scores = board.to_pandas().to_numpy(float)
    found = checked(read_back(wl.lp.shortlist, board, size=len(board.models)), board)
    assert found.proof is Proof.EXACT
    for step in found.frontier:
        least = min(loss_of(scores, chosen) for chosen in sets(board.models, len(step.models)))
        assert abs(least - float(step.loss)) < NEARLY
        own = [board.models.index(model) for model in step.models]
        assert loss_of(scores, own) <= float(step.loss) + NEARLY


@settings(max_examples=25)
@given(DICE)
def test_no_cheaper_set_has_the_loss(dice):
    board = a_board(dice)
    scores = board.to_pandas().to_numpy(float)
    cost = {model: dice.ratio(4, 3) + 5 for model in board.models}
    limit = Fraction(dice.below(9), 2)
    found = checked(read_back(wl.lp.shortlist, board, loss=limit, cost=cost), board)
    passing = (
        chosen
        for size in range(1, len(board.models) + 1)
        for chosen in sets(board.models, size)
        if loss_of(scores, chosen) <= limit + NEARLY
    )
    assert found.cost == min(sum(cost[board.models[one]] for one in chosen) for chosen in passing)
    assert found.proof is Proof.EXACT


@settings(max_examples=25)
@given(DICE)
def test_each_cost_has_its_least_loss(dice):
    board = a_board(dice)
    scores = board.to_pandas().to_numpy(float)
    cost = {model: Fraction(dice.between(1, 9), dice.between(1, 3)) for model in board.models}
    found = checked(read_back(wl.lp.shortlist, board, cost=cost), board)
    assert found.proof is Proof.EXACT
    assert not found.loss
    every = [
        (sum(cost[board.models[one]] for one in chosen), loss_of(scores, chosen))
        for size in range(1, len(board.models) + 1)
        for chosen in sets(board.models, size)
    ]
    steps = [(found.price(one), float(one.loss)) for one in found.frontier]
    for price, loss in every:
        assert min(least for at, least in steps if at <= price) <= loss + NEARLY
    for price, loss in steps:
        assert any(at == price and abs(least - loss) < NEARLY for at, least in every)


@settings(max_examples=8)
@given(DICE)
def test_conditions_and_choices_count(dice):
    board = a_board(dice, tasks=(2, 4))
    scores = board.to_pandas().to_numpy(float)
    space = wl.lp.WeightSpace(board).at_most("t0", "0.6").at_most("t1", "0.7")
    limits = [0.6, 0.7, *[None] * (len(board.tasks) - 2)]
    among = list(board.models[: dice.between(1, len(board.models))])
    found = checked(wl.lp.shortlist(board, size=1, among=among, space=space), board)
    least = min(loss_of(scores, [one], limits) for one in range(len(among)))
    assert abs(least - float(found.loss)) < NEARLY
    assert set(found.models) <= set(among)


def test_a_loss_in_percent_is_of_the_range_of_each_task():
    frame = pd.DataFrame(
        {"x": {"a": 0, "b": 1000, "c": 500}, "y": {"a": 4, "b": 0, "c": 1}, "z": {"a": 1, "b": 1, "c": 1}}
    )
    found = checked(wl.lp.shortlist(wl.Leaderboard(frame), loss="60%"), wl.Leaderboard(frame))
    scaled = wl.Leaderboard(pd.DataFrame({"x": {"a": 0, "b": 1, "c": 0.5}, "y": {"a": 1, "b": 0, "c": 0.25}}))
    steps = wl.lp.shortlist(scaled, loss="0.6").frontier
    assert [step.loss for step in found.frontier] == [step.loss for step in steps] == [Fraction(3, 4), 0]
    assert str(found).startswith("By average, a and b together are enough: the best of them is first")


@pytest.mark.parametrize(
    ("name", "size", "loss"),
    [
        ("votenrank/glue.csv", 3, "0.94"),
        ("votenrank/superglue.csv", 3, "0.91"),
        ("leaderboards/openllm.csv", 5, "0.76"),
        ("leaderboards/bigbench_hard.csv", 5, "2.23"),
    ],
)
def test_real_boards(shared_data, name, size, loss):
    board = wl.read_leaderboard(shared_data / name)
    found = checked(wl.lp.shortlist(board.complete(), size=size))
    assert found.proof is Proof.EXACT
    assert Fraction(loss) - Fraction(1, 100) < found.loss <= Fraction(loss)


def loses_less(scores, chosen, limit):
    """Return whether the best of some rows is nowhere that far below the best of all."""
    width = scores.shape[1]
    below = np.hstack([scores[list(chosen)], -np.ones((len(chosen), 1))])
    for place in [*loses_less.hot, *range(len(scores))]:
        found = linprog(
            np.append(-scores[place], 1),
            A_ub=below,
            b_ub=np.zeros(len(chosen)),
            A_eq=[[*[1] * width, 0]],
            b_eq=[1],
            bounds=[*[(0, None)] * width, (None, None)],
        )
        if -found.fun > limit:
            loses_less.hot = [place]
            return False
    return True


@pytest.mark.parametrize(
    "name",
    [
        "votenrank/glue.csv",
        "votenrank/superglue.csv",
        "leaderboards/openllm.csv",
        "leaderboards/bigbench_hard.csv",
        "leaderboards/vtab.csv",
        "colombo/glue105.csv",
        "colombo/superglue24.csv",
        "colombo/xtreme15.csv",
    ],
)
def test_no_other_set_of_a_real_board_is_better_or_cheaper(shared_data, name):
    loses_less.hot = []
    board = wl.read_leaderboard(shared_data / name).complete()
    scores = board.to_pandas().to_numpy(float)
    kept = [
        row for row, own in enumerate(scores) if not ((scores >= own).all(axis=1) & (scores > own).any(axis=1)).any()
    ]
    found = wl.lp.shortlist(board, size=2)
    for step in found.frontier:
        others = itertools.combinations(kept, len(step.models))
        assert not any(loses_less(scores, chosen, float(step.loss) - NEARLY) for chosen in others)
    cost = {model: 5 + 3 * place % 7 for place, model in enumerate(board.models)}
    cheapest = wl.lp.shortlist(board, loss=found.frontier[0].loss, cost=cost)
    prices, whole = list(cost.values()), int(cheapest.cost)
    for size in range(1, whole // min(prices) + 1):
        for chosen in itertools.combinations(range(len(scores)), size):
            if sum(prices[one] for one in chosen) < whole:
                assert not loses_less(scores, chosen, float(found.frontier[0].loss) + NEARLY)


@settings(max_examples=8)
@given(DICE)
def test_forgeries_are_refused(dice):
    board = a_board(dice)
    document = wl.lp.shortlist(board, size=len(board.models)).to_dict()
    forged = copy.deepcopy(document)
    places = [place for place, step in enumerate(forged["frontier"]) if step["weightings"]]
    step = forged["frontier"][dice.one_of(places) if places else 0]
    way = dice.below(5)
    if way == 0 or not places:
        step["loss"] = str(Fraction(step["loss"]) - Fraction(1, 10**6)) if places else "-1/1"
    elif way == 1:
        step["weightings"] = step["weightings"][1:]
    elif not step["tree"]:
        step["weightings"] = [*step["weightings"][way - 2 :], step["weightings"][-1]]
    elif way == 2:
        leaf = next(node for node in step["tree"]["nodes"] if "rows" in node)
        leaf["multipliers"] = [0 for _ in leaf["multipliers"]]
    elif way == 3:
        step["tree"]["nodes"].append(step["tree"]["nodes"][-1])
    else:
        step["tree"] = None  # not all three weightings of a triangle are apart
        step["weightings"] = 2 * step["weightings"]
    with pytest.raises(REFUSED):
        result_from_dict(forged).verify()
    with pytest.raises((checker.FalseClaimError, checker.WrongInputError)):
        checker.check(json.dumps(forged))


def test_where_no_tree_closes_the_solver_is_named(monkeypatch):
    monkeypatch.setattr(shortlist_search, "branch_tree", lambda *_: None)
    monkeypatch.setattr(shortlist_search, "packing", lambda *_: None)
    board = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}})
    found = checked(wl.lp.shortlist(board, size=1), board)
    assert found.proof is Proof.EXACT_WITNESS
    assert "not proved: no better set of the size" in str(found)
    assert checked(wl.lp.shortlist(board, loss=1, cost={"c": 2}), board).believed == ("no cheaper set",)


BOARD = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size must be a whole number of models, 1 or more; got 0"),
        ({"size": 4}, "size must be at most 3, the number of models to choose from; got 4"),
        ({"size": 1, "loss": 1}, "size= and loss= are both given"),
        ({"loss": -1}, "loss must not be negative; got -1"),
        ({"loss": "some"}, "loss must be a number of points, or a percentage"),
        (
            {"loss": 0, "among": ["a"]},
            "no set has a loss of 0: all 1 model to choose from together lose up to 2 points",
        ),
        ({"loss": 0, "cost": {"a": 1}}, "no set of the models to choose from has a loss of at most 0"),
        ({"cost": {"a": 1}, "size": 1}, "size= and cost= are both given"),
        ({"loss": 1, "cost": {}}, "cost= names no model"),
        ({"loss": 1, "cost": {"a": 0}}, "the cost of 'a' must be positive; got 0"),
        ({"loss": 1, "cost": {"a": 1}, "among": ["a", "b"]}, "no cost for model 'b'"),
        ({"among": ["d"]}, "no model named 'd'"),
        ({"among": []}, "there is no model to choose from"),
        ({"among": "a"}, "among is a list of models; got 'a'"),
        ({"among": 3}, "among is a list of models; got 3"),
        ({"loss": 1, "cost": 3}, "cost is a mapping from model to number; got 3"),
        ({"rule": "majority"}, "no linear rule named 'majority'"),
        ({"loss": "1%", "space": wl.lp.WeightSpace(BOARD).at_most("x", "0.5")}, "a loss in percent reads scores"),
    ],
)
def test_what_cannot_be_asked_is_told(options, message):
    with pytest.raises(wl.InputError, match=message.replace("(", "\\(")):
        wl.lp.shortlist(BOARD, **options)


def test_where_no_two_weightings_share_a_model_the_set_needs_one_for_each():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 0, "c": 0}, "y": {"a": 0, "b": 3, "c": 0}, "z": {"a": 0, "b": 0, "c": 3}}
    )
    found = checked(wl.lp.shortlist(board, size=2), board)
    (last,) = found.frontier[1:]
    assert (len(last.packing), last.tree) == (3, None)
    assert str(found).endswith("each model comes closer at no more than one of 3 weightings.")


def test_where_all_pairs_of_weightings_share_a_model_a_tree_shows_it():
    cells = {f"t{one}": {f"m{other}": 0 if one == other else 2 for other in range(3)} for one in range(3)}
    found = checked(wl.lp.shortlist(wl.Leaderboard(cells), size=1))
    assert (found.loss, found.frontier[0].packing, found.frontier[0].tree is None) == (2, (), False)


def test_equal_models_and_one_task():
    level = wl.Leaderboard({"x": {"a": 1, "b": 1}})
    assert wl.lp.shortlist(level).models == ("a",)
    assert wl.lp.shortlist(level).loss == 0


def test_the_cheapest_set_has_a_member_where_any_model_is_within_the_loss():
    board = wl.Leaderboard({"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": 1}})
    space = wl.lp.WeightSpace(board).at_most("x", "0.6")
    found = wl.lp.shortlist(board, loss=5, cost={"a": 2, "b": 1}, space=space)
    assert (found.models, found.cost) == (("b",), 1)
    assert found.verify(board)


@pytest.mark.parametrize("error", [wl.TimeLimitError("no time left"), KeyboardInterrupt()])
def test_sizes_found_before_the_end_come_with_the_error(monkeypatch, error):
    found = shortlist_search.Search.by_size

    def until(self):
        yield next(found(self))
        raise error

    monkeypatch.setattr(shortlist_search.Search, "by_size", until)
    with pytest.raises(type(error)) as caught:
        wl.lp.shortlist(BOARD, size=2)
    part = checked(vars(caught.value)["known"]["result"], BOARD)
    assert [len(step.models) for step in part.frontier] == [1]
    assert part.proof is Proof.EXACT
