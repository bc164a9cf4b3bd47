"""What orders cost by Kemeny's count: ties, missing scores, and the leaderboards that Colombo et al. rank."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests import brute_force as twins
from tests.graph.brute_force import Duels
from tests.graph.strategies import margins
from tests.strategies import FEWER, boards
from weightlab._result import Proof
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.graph import kemeny, kemeny_cost

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])


def names(order):
    return tuple(name for place in order for name in place)


@given(margins())
def test_the_cost_of_an_order_with_ties_is_fagins_distance(table):
    duels = Duels(table)
    half = (len(table.models) + 1) // 2
    order = (table.models[:half], table.models[half:]) if len(table.models) > 1 else (table.models,)
    place = {model: at for at, tied in enumerate(order) for model in tied}
    pairs = [(a, b) for row, a in enumerate(table.models) for b in table.models[row + 1 :]]
    strict = sum(duels.wins[b, a] for a, b in pairs if place[a] < place[b])
    one_sided = sum(duels.ties[a, b] if place[a] < place[b] else duels.wins[a, b] + duels.wins[b, a] for a, b in pairs)
    for penalty in (0, "1/2", 1):
        assert kemeny_cost(table, order, tie_penalty=penalty) == strict + Fraction(penalty) * one_sided


@given(margins())
def test_a_tie_penalty_raises_the_cost_of_every_order_alike(table):
    plain, dear = kemeny(table), kemeny(table, tie_penalty="1/2")
    duels = Duels(table)
    tied = sum(duels.ties.values()) / 2
    assert dear.cost == plain.cost + tied / 2
    assert dear.order == plain.order
    assert dear.cost == kemeny_cost(table, dear.order, tie_penalty=Fraction(1, 2))
    assert dear.verify(table)


@FEWER
@given(boards())
def test_only_the_tasks_that_rank_a_pair_the_other_way_cost_something(board):
    result = kemeny(board)
    order = names(result.order)
    contradicted = [(below, above) for row, above in enumerate(order) for below in order[row + 1 :]]
    assert result.cost == sum(twins.wins(board, below, above) for below, above in contradicted)
    assert result.verify(board)


def test_orders_and_penalties_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="tie_penalty must not be negative; got -1"):
        kemeny(CYCLE, tie_penalty=-1)
    with pytest.raises(InputError, match="tie_penalty must not be negative; got -1/2"):
        kemeny_cost(CYCLE, ["a", "b", "c"], tie_penalty="-1/2")
    with pytest.raises(InputError, match="an order holds every model once; missing: c"):
        kemeny_cost(CYCLE, ["a", "b"])
    with pytest.raises(InputError, match="an order holds every model once; one is there twice"):
        kemeny_cost(CYCLE, ["a", ("b", "c"), "a"])
    with pytest.raises(UnknownNameError, match="no model named 'z'"):
        kemeny_cost(CYCLE, ["a", "b", "z"])


def real_board(shared_data, name):
    return wl.read_leaderboard(shared_data / "colombo" / f"{name}.csv")


@pytest.mark.parametrize(("name", "cost"), [("glue105", 7248), ("superglue24", 539), ("xtreme15", 41)])
def test_kemeny_of_the_leaderboards_that_colombo_et_al_rank(shared_data, name, cost):
    board = real_board(shared_data, name)
    result = kemeny(board)
    assert result.cost == cost
    assert result.proof is Proof.EXACT
    assert result.verify(board)


def test_borda_contradicts_glues_tasks_more_whichever_way_its_five_ties_count(shared_data):
    board = real_board(shared_data, "glue105")
    borda = wl.rules.rank(board, "borda").order
    assert [len(place) for place in borda if len(place) > 1] == [2] * 5
    assert kemeny_cost(board, borda) == 7651  # a tied pair contradicts no task
    assert kemeny_cost(board, names(borda)) == 7681  # tied pairs stand in the order of the file
    broken = [sorted(pair_costs(board, *place)) for place in borda if len(place) > 1]
    assert 7651 + sum(cheap for cheap, _ in broken) == 7673
    assert 7651 + sum(dear for _, dear in broken) == 7698


def pair_costs(board, first, second):
    return twins.wins(board, first, second), twins.wins(board, second, first)


def test_the_mean_contradicts_them_most(shared_data):
    board = real_board(shared_data, "glue105")
    mean = wl.rules.rank(board, "mean").order
    assert kemeny_cost(board, mean) == 8406
    assert kemeny_cost(board, names(mean)) == 8412
