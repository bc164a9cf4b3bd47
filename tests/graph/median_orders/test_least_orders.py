"""The parts of the linear ordering program: bounds, what they settle, the search, and orders to start from."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dice import DICE
from tests.graph.strategies import margins
from weightlab._exact import bits_of, places_of
from weightlab.graph.median_orders.blocks import (
    BlockProof,
    blocks_of,
    check_block,
    component_pairs,
    stands_above,
    sure_pairs,
    tilted,
)
from weightlab.graph.median_orders.exact_search import (
    TooManyIdealsError,
    forced_pairs,
    least_of_all_orders,
    least_orders,
    optima_within,
    order_cost,
    transitive_closure,
)
from weightlab.graph.median_orders.good_orders import good_order, improved_order, raised_bound
from weightlab.graph.median_orders.least_order import least_order
from weightlab.graph.median_orders.odd_walks import violated_walks
from weightlab.graph.median_orders.triangle_relaxation import CuttingPlanes, Triangles, violated_triangles

NETS = margins(models=(2, 6), most=4).map(lambda table: table.array.astype(np.int64))


@cache
def linear_orders(count):
    """Return who stands above whom in each order of so many models: orders x models x models."""
    return np.stack([stands_above(np.array(order)) for order in permutations(range(count))])


@given(NETS, DICE)
def test_all_sets_of_a_few_models_tell_the_least_orders_and_what_they_share(net, dice):
    cost, orders = np.maximum(-net, 0), linear_orders(len(net))
    forced = transitive_closure(orders[dice.below(len(orders))] & orders[dice.below(len(orders))])
    allowed = orders[~(forced & ~orders).any(axis=(1, 2))]
    costs = (allowed * cost).sum(axis=(1, 2))
    least = least_of_all_orders(cost, forced)
    best = allowed[costs == costs.min()]
    assert (least.cost, least.number) == (costs.min(), len(best))
    assert np.array_equal(least.shared, best.all(axis=0))
    assert any(np.array_equal(stands_above(least.order), one) for one in best)


def test_a_symmetric_block_of_nineteen_models_is_settled_by_all_its_sets():
    squares = {place * place % 19 for place in range(1, 19)}
    paley = np.array([[((i - j) % 19 in squares) - ((j - i) % 19 in squares) for j in range(19)] for i in range(19)])
    (block,) = least_order(paley)
    assert (block.cost, block.means) == (171 - 107, BlockProof.SEARCH)
    check_block(paley, block)


def costs_of(net):
    """Return the cost of each order: all that it turns."""
    return (linear_orders(len(net)) * np.maximum(-net, 0)).sum(axis=(1, 2))


def triangles_of(dice, count):
    """Return any triangles and odd walks with any multipliers: each set of them proves a bound."""
    if count < 3:
        return Triangles.none(4)
    walks = [[dice.shuffled(range(count))[:3]] for _ in range(dice.between(0, 4))]
    walks += [any_walk(dice, count) for _ in range(dice.between(0, 3))]
    return proof_of(walks, [dice.between(0, 9) for _ in walks])


def proof_of(walks, multipliers):
    return Triangles(
        corners=np.array([corners for walk in walks for corners in walk], dtype=np.int64).reshape(-1, 3),
        sizes=np.array([len(walk) for walk in walks], dtype=np.int64),
        multipliers=np.array(multipliers, dtype=object),
        scale=4,
    )


def any_walk(dice, count):
    """Return the triangles of a walk from "a above b" to "b above a" that changes one of both models at a time."""
    first, second = upper, lower = dice.shuffled(range(count))[:2]
    walk, detour = [], dice.between(0, 4)
    while len(walk) < detour or (upper, lower) != (second, first):
        other = next(one for one in dice.shuffled(range(count)) if one not in (upper, lower))
        rises = dice.flag()
        if len(walk) >= detour:  # now by the shortest way
            rises = second not in (upper, lower) or (upper, lower) == (first, second)
            other = other if (upper, lower) == (first, second) else second if rises else first
        pair = [upper, lower, other] if rises else [lower, upper, other]
        walk.append(pair[::-1] if dice.flag() else pair)
        upper, lower = (other, lower) if rises else (upper, other)
    return walk


@given(NETS, DICE)
def test_the_cost_of_an_order_is_all_that_it_turns(net, dice):
    orders = list(permutations(range(len(net))))
    place = dice.below(len(orders))
    assert order_cost(net, np.array(orders[place])) == costs_of(net)[place]


@given(st.integers(3, 6), DICE)
def test_a_walk_to_the_pair_turned_is_odd_and_with_a_triangle_less_or_more_it_is_not(count, dice):
    walk = any_walk(dice, count)
    assert proof_of([walk], [1]).are_sound(count)
    assert not any(proof_of([one], [1]).are_sound(count) for one in (walk[1:], [*walk, walk[0]], walk * 2))


@pytest.mark.parametrize("seed", [1508, 3750])
def test_walks_that_the_relaxation_violates_hold_for_every_order_and_close_its_gap(seed):
    """The points at which these relaxations cost least have halves."""
    upper = np.triu(np.random.default_rng(seed).integers(-20, 21, (7, 7)), 1)
    net, least = upper - upper.T, costs_of(upper - upper.T).min()
    planes, pairs = CuttingPlanes(net), np.triu_indices(7, 1)
    planes.lower(Triangles.none(), None)
    loose, position = planes.proof(2**20), planes.position
    rows = planes.rows(*violated_walks(position))
    assert (rows.violations(position[pairs]) > 0).all()
    products = linear_orders(7)[:, *pairs] @ rows.matrix.block(range(len(rows)), range(21)).T
    assert (products <= rows.upper).all()
    planes.lower(Triangles.none(), None, int(least))
    tight = planes.proof(2**20)
    bounds = [one.bound_and_excess(net)[0] / 2**20 for one in (loose, tight)]
    assert bounds[0] < least - 0.4
    assert least - 1e-3 < bounds[1] <= least


@given(NETS, DICE)
def test_any_multipliers_bound_the_cost_of_every_order_and_of_every_pair_in_it(net, dice):
    proof = triangles_of(dice, len(net))
    bound, excess = proof.bound_and_excess(net)
    bounds = bound + (linear_orders(len(net)) * excess).sum(axis=(1, 2))
    assert (bounds <= costs_of(net) * proof.scale).all()


@given(NETS, DICE)
def test_what_any_bound_leaves_is_searched_to_the_last_order(net, dice):
    proof = triangles_of(dice, len(net))
    costs = costs_of(net)
    target = dice.between(int(min(costs)) - 1, int(max(costs)))
    settled = optima_within(net, proof, target, sure_pairs(net))
    forced = forced_pairs(net, proof, target, np.zeros(net.shape, dtype=bool))
    assert linear_orders(len(net))[costs <= target][:, forced].all()
    if target < min(costs):
        assert settled is None
        return
    least = linear_orders(len(net))[costs == min(costs)]
    assert settled.cost == min(costs) == order_cost(net, settled.order)
    assert settled.number == len(least)
    assert np.array_equal(settled.shared, np.all(least, axis=0))


@given(NETS)
def test_pairs_of_different_components_cost_nothing_and_those_won_are_in_every_least_order(net):
    costs = costs_of(net)
    least = linear_orders(len(net))[costs == min(costs)]
    assert least[:, sure_pairs(net)].all()
    assert least[:, component_pairs(net)].all(axis=1).any()
    assert optima_within(net, Triangles.none(), int(min(costs)), component_pairs(net)).cost == min(costs)


@given(NETS)
def test_blocks_beat_all_that_follow(net):
    blocks = blocks_of(net)
    assert sorted(np.concatenate(blocks).tolist()) == list(range(len(net)))
    for place, block in enumerate(blocks):
        for later in blocks[place + 1 :]:
            assert np.all(net[np.ix_(block, later)] > 0)


@given(NETS)
def test_the_relaxation_proves_its_own_value_and_no_order_undercuts_it(net):
    planes = CuttingPlanes(net)
    if not len(violated_triangles(planes.position)[1]):
        return
    planes.lower(Triangles.none(), None)
    proof, position = planes.proof(2**20), planes.position
    bound, _ = proof.bound_and_excess(net)
    value = float((np.maximum(net.T, 0) * position).sum())
    assert bound / proof.scale == pytest.approx(value, abs=1e-3)
    assert not len(violated_triangles(position)[1])
    assert np.allclose(position + position.T, 1 - np.eye(len(net)))
    assert min(costs_of(net)) * proof.scale >= bound
    assert proof.are_sound(len(net))
    assert planes.program.formulation.columns[0] == "0 above 1"


@given(NETS, DICE)
def test_local_search_never_raises_the_cost_and_no_single_move_lowers_it_further(net, dice):
    start = np.array(dice.shuffled(range(len(net))))
    order = improved_order(net, start)
    assert sorted(order) == sorted(start)
    assert order_cost(net, order) <= order_cost(net, start)
    for model in order:
        rest = [one for one in order if one != model]
        for place in range(len(order)):
            moved = np.array([*rest[:place], model, *rest[place:]])
            assert order_cost(net, moved) >= order_cost(net, order)


@given(NETS, DICE)
def test_tilting_prefers_least_orders_that_turn_most_claimed_pairs(net, dice):
    claimed = stands_above(np.array(dice.shuffled(range(len(net)))))
    costs = tilted(net, claimed)
    assert np.array_equal(costs, -costs.T)
    turned = (claimed & linear_orders(len(net))).sum(axis=(1, 2))
    keys = list(zip(costs_of(net).tolist(), turned.tolist(), strict=True))
    assert [keys[place] for place in np.argsort(costs_of(costs))] == sorted(keys)


def test_tilting_margins_near_the_end_of_the_machines_integers_stays_exact():
    net = np.array([[0, 2**60, -1], [-(2**60), 0, 2**60], [1, -(2**60), 0]])
    costs = tilted(net, net > 0)
    assert costs.dtype == object
    assert costs[0, 1] == 4 * 2**60 - 1


@given(st.data())
def test_the_search_counts_all_orders_that_are_allowed(data):
    count = data.draw(st.integers(1, 5))
    cells = st.lists(st.integers(0, 3), min_size=count * count, max_size=count * count)
    cost, excess = (np.array(data.draw(cells)).reshape(count, count) for _ in range(2))
    forced = transitive_closure(np.triu(np.array(data.draw(cells)).reshape(count, count) > 2, 1))
    np.fill_diagonal(cost, 0)
    np.fill_diagonal(excess, 0)
    room = data.draw(st.integers(0, 3 * count))
    keeping = [above for above in linear_orders(count) if np.all(above[forced])]
    allowed = [above for above in keeping if excess[above].sum() <= room]
    found = least_orders(cost, excess, room, forced)
    if found is None:
        assert not allowed
        return
    # Pruning looks at the least excess of a set only: some orders beyond the room stay, none within it goes.
    assert found.cost <= min((cost[above].sum() for above in allowed), default=found.cost)
    assert found.cost in [cost[above].sum() for above in keeping]
    roomy = least_orders(cost, excess, 100, forced)
    least = min(cost[above].sum() for above in keeping)
    best = [above for above in keeping if cost[above].sum() == least]
    assert (roomy.cost, roomy.number) == (least, len(best))
    assert np.array_equal(roomy.shared, np.all(best, axis=0))
    assert cost[stands_above(roomy.order)].sum() == least


def test_the_search_gives_up_where_there_are_too_many_sets(monkeypatch):
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.MOST_IDEALS", 10)
    nothing = np.zeros((6, 6), dtype=np.int64)
    with pytest.raises(TooManyIdealsError):
        least_orders(nothing, nothing, 0, nothing > 0)


@pytest.mark.parametrize("count", [63, 64, 65, 130])
def test_sets_of_any_size_are_told_apart(count):
    """A chain in which each pair of neighbours may change places: as many sets as models, twice."""
    ahead = np.subtract.outer(np.arange(count), np.arange(count))
    forced = ahead < -1
    cost = np.where(ahead == 1, 1, 0)
    found = least_orders(cost, np.zeros_like(cost), 0, forced)
    assert (found.cost, found.number, found.order.tolist()) == (0, 1, list(range(count)))
    cost = np.zeros_like(cost)
    assert least_orders(cost, cost, 0, forced).number == fibonacci(count + 1)


def fibonacci(count):
    first, second = 0, 1
    for _ in range(count):
        first, second = second, first + second
    return first


@given(st.lists(st.booleans(), max_size=150))
def test_sets_as_bits_hold_their_places(members):
    (bits,) = bits_of(np.array([members], dtype=bool))
    assert list(places_of(bits)) == [place for place, member in enumerate(members) if member]


def test_nothing_has_no_blocks():
    assert blocks_of(np.zeros((0, 0), dtype=np.int64)) == []


@given(NETS)
def test_multipliers_raised_without_a_program_prove_a_bound_and_a_search_finds_an_order(net):
    order = improved_order(net, np.arange(len(net)))
    raised = raised_bound(net, order, 2**10, None)
    bound, _ = raised.bound_and_excess(net)
    assert raised.are_sound(len(net))
    assert bound <= costs_of(net).min() * 2**10
    found = good_order(net, order, 0)
    assert costs_of(net).min() <= order_cost(net, found) <= order_cost(net, order)


@given(NETS)
def test_the_solvers_own_search_finds_the_least_cost(net):
    order = CuttingPlanes(net).best_order(None)
    assert order_cost(net, order) == costs_of(net).min()
