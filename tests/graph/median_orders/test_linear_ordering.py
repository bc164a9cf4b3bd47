"""Kemeny, Slater and feedback arcs against all orders, by every way of proof."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weightlab as wl
from tests.graph import brute_force
from tests.graph.brute_force import Duels
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.graph.strategies import huge_margins, margins
from weightlab import checker
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import ProofError, TimeLimitError, UnprovedError
from weightlab.graph import feedback_arcs, kemeny, kemeny_cost, majority_graph, slater
from weightlab.graph.median_orders import blocks, least_order
from weightlab.graph.median_orders.blocks import BlockProof
from weightlab.graph.median_orders.exact_search import TooManyIdealsError, optima_within
from weightlab.graph.median_orders.result import OptimalOrder

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
KNOWN = ("order", "cost", "bound")
EVEN = wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"]))


def names(result):
    return tuple(name for place in result.order for name in place)


def shared_by(orders, models):
    return {(a, b) for a in models for b in models if all(order.index(a) < order.index(b) for order in orders)}


def impartial_culture(count, voters, seed):
    ranks = np.argsort(np.random.default_rng(seed).random((voters, count)), axis=1)
    models = [f"m{row}" for row in range(count)]
    return wl.Profile.from_orders([[models[place] for place in order] for order in ranks], models=models)


def pairs_of(result):
    """Return the pairs that stand so in every order of least cost."""
    return {(one, other) for one in result.models for other in result.models if result.shared.loc[one, other]}


@given(margins())
def test_kemeny_is_the_least_of_all_orders_and_tells_all_of_them(table):
    duels = Duels(table)
    least, orders = brute_force.cheapest_orders(table.models, lambda a, b: duels.wins[b, a])
    result = kemeny(table)
    assert result.cost == least
    assert names(result) in orders
    assert result.number == len(orders)
    assert result.unique == (len(orders) == 1)
    assert pairs_of(result) == shared_by(orders, table.models)
    assert result.verify(table)
    assert result.proof is Proof.EXACT


@given(margins())
def test_slater_turns_the_fewest_majorities(table):
    duels = Duels(table)
    least, orders = brute_force.cheapest_orders(table.models, lambda a, b: duels.beats(b, a))
    result = slater(table)
    assert (result.cost, result.number, names(result) in orders) == (least, len(orders), True)
    assert len(result.turned) == least
    assert all(duels.beats(*pair) for pair in result.turned)
    assert result.verify(table)


@pytest.mark.parametrize("weighted", [True, False])
@given(table=margins())
def test_feedback_arcs_are_the_lightest_whose_removal_leaves_no_cycle(table, weighted):
    duels, result = Duels(table), feedback_arcs(table, weighted=weighted)
    weight = duels.margin if weighted else dict.fromkeys(duels.margin, 1)
    least, _ = brute_force.cheapest_orders(table.models, lambda a, b: weight[b, a] * duels.beats(b, a))
    assert result.cost == least == sum(weight[pair] for pair in result.arcs)
    graph = majority_graph(table)
    graph.remove_edges_from(result.arcs)
    assert all(names(result).index(a) < names(result).index(b) for a, b in graph.edges)
    assert result.verify(table)


@given(huge_margins())
def test_margins_beyond_every_machine_integer_are_ordered_exactly(table):
    duels = Duels(table)
    least, orders = brute_force.cheapest_orders(table.models, lambda a, b: duels.wins[b, a])
    result = travelled(kemeny(table))
    assert (result.cost, result.number, names(result) in orders) == (least, len(orders), True)
    assert result.verify(table)


@given(margins(models=(2, 6)))
def test_an_order_begins_with_the_condorcet_winner_and_travels(table):
    for result in (kemeny(table), slater(table), feedback_arcs(table)):
        winner = wl.graph.condorcet_winner(table)
        assert winner is None or result.winners == (winner,)
        again = travelled(result)
        assert again.verify(table)
        assert str(again) == str(result)
        assert again.summary().equals(result.summary())


@given(table=margins(models=(3, 6)), question=st.sampled_from([kemeny, slater]))
def test_where_too_many_orders_are_left_to_search_the_answers_are_the_same(table, question):
    whole = question(table)
    with pytest.MonkeyPatch.context() as patch:
        without_full_search(patch)
        partly = question(table)
    assume(partly.blocks)
    assert (partly.cost, partly.unique, partly.winners) == (whole.cost, whole.unique, whole.winners)
    ends, all_ends = partly.ranges, whole.ranges
    assert (ends["best"] >= all_ends["best"]).all()
    assert (ends["worst"] <= all_ends["worst"]).all()
    assert (ends["best"] == all_ends["best"])[ends["best_proved"]].all()
    assert (ends["worst"] == all_ends["worst"])[ends["worst_proved"]].all()
    assert partly.at_least <= whole.number
    assert partly.shared.equals(whole.shared)
    assert checker.check(json.dumps(partly.to_dict())).code in (0, 3)
    assert travelled(partly).verify(table)
    assert partly.proof is Proof.EXACT


def test_where_the_search_is_not_full_nearly_all_ends_are_proved(monkeypatch):
    without_full_search(monkeypatch)
    open_ends = proved = 0
    for seed in range(30):
        table = impartial_culture(9, 6, seed=seed).margins()
        ranges = kemeny(table).ranges
        proved += int(ranges[["best_proved", "worst_proved"]].to_numpy().sum())
        open_ends += int((~ranges[["best_proved", "worst_proved"]].to_numpy()).sum())
    assert proved > 20 * open_ends


def without_full_search(patch):
    """Let no search of all orders of least cost succeed."""
    searched = least_order._searched

    def of_components(net, relaxed, given, deadline):
        return None if given is blocks.sure_pairs else searched(net, relaxed, given, deadline)

    patch.setattr(least_order, "_searched", of_components)
    patch.setattr(least_order, "_searched_within", lambda *_: None)


def loose_table():
    """Return margins of eight models for which the relaxation's bound is 69 and the least order costs 70."""
    upper = np.triu(np.random.default_rng(224).integers(-20, 21, (8, 8)), 1)
    wins = np.maximum(upper - upper.T, 0)
    return wl.data.Margins(models=tuple("abcdefgh"), wins=wins, ties=np.zeros_like(wins), denominator=1)


@pytest.mark.parametrize("solver", ["highs", "cbc"])
def test_where_the_proof_rests_on_the_solvers_bound_it_says_so(solver, monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_SOLVER", solver)
    table = loose_table()
    exact = kemeny(table)
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse_any_search)
    monkeypatch.setattr("weightlab.graph.median_orders.triangle_relaxation.violated_walks", no_walks)
    result = kemeny(table)
    assert exact.cost == result.cost == 70
    assert exact.proof is Proof.EXACT
    assert result.proof is Proof.EXACT_WITNESS
    assert (result.unique, result.number) == (exact.unique, None) == (False, None)
    assert pairs_of(result) <= pairs_of(exact)
    name = {"highs": "HiGHS", "cbc": "CBC"}[solver]
    assert result.solver == name
    assert re.search(rf"by 70, and at least \d orders cost as little \(by {name}'s bound\)\.$", str(result))
    assert result.at_least <= exact.number
    assert travelled(result).verify(table)
    with pytest.raises(ProofError, match="the solver named is not the one that was needed"):
        replace(exact, solver=name).verify()
    with pytest.raises(ProofError, match="the solver named is not the one that was needed"):
        replace(result, solver=None).verify()


def test_the_search_is_for_dearer_orders_until_one_is_there(monkeypatch):
    targets = []

    def settled_within(net, triangles, target, given, deadline):
        targets.append(int(target))
        assert targets == sorted(set(targets))
        return optima_within(net, triangles, target, given, deadline)

    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", settled_within)
    assert kemeny(loose_table()).cost == 70
    assert targets == [69, 70]


def test_an_order_of_the_solver_that_meets_the_bound_needs_no_word_of_it(monkeypatch):
    table = impartial_culture(6, 5, seed=1)
    exact = kemeny(table)
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse_any_search)
    monkeypatch.setattr("weightlab.graph.median_orders.least_order.improved_order", lambda _net, order, *_: order[::-1])
    result = kemeny(table)
    assert result.cost == exact.cost
    assert {block.means for block in result.blocks} <= {BlockProof.TILTED, BlockProof.COST}
    assert result.proof is Proof.EXACT
    assert result.verify(table)


def no_walks(_):
    return np.zeros((0, 3), dtype=np.int64), np.zeros(0, dtype=np.int64)


def refuse_any_search(*_):
    raise TooManyIdealsError


def test_costs_too_large_for_the_solver_are_not_left_to_its_bound(monkeypatch):
    table = loose_table()
    huge = replace(table, wins=table.wins.astype(object) * 10**30 + (table.wins > 0))
    assert kemeny(huge).cost > 70 * 10**30
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse_any_search)
    with pytest.raises(UnprovedError, match="8 models are too entangled"):
        kemeny(huge)


def test_where_the_bound_meets_the_cost_no_search_is_needed(monkeypatch):
    profile = impartial_culture(12, 5, seed=3)
    exact = kemeny(profile)
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse_any_search)
    result = kemeny(profile)
    assert result.cost == exact.cost
    assert {block.means for block in result.blocks} <= {BlockProof.TILTED, BlockProof.COST}
    assert result.proof is Proof.EXACT
    assert travelled(result).verify(profile)


def test_a_time_limit_says_what_is_known():
    profile = impartial_culture(40, 5, seed=0)
    with pytest.raises(TimeLimitError, match="the time limit came: no order was proved") as caught:
        kemeny(profile, time_limit=0)
    known, best = caught.value.known, kemeny(profile)
    assert known["bound"] <= best.cost <= known["cost"]
    assert kemeny_cost(profile, known["order"]) == known["cost"]
    result = travelled(known["result"])
    assert result.verify(profile)
    assert (result.order, result.cost, result.bound, result.unique) == (*(known[name] for name in KNOWN), None)
    assert result.gap == known["cost"] - known["bound"] > 0
    assert f"by {result.cost}, and that is not proved to be the least: the bound is {result.bound}." in str(result)
    assert result.proofs[f"no order costs less than {result.bound}"] is Proof.EXACT
    for changes in ({"cost": 1}, {"triangles": best.blocks[0].triangles}):
        with pytest.raises(ProofError):
            replace(result, blocks=with_block(result, **changes)).verify()


@given(margins(models=(3, 7)), st.sampled_from([kemeny, slater, feedback_arcs]))
def test_without_the_program_the_order_and_the_bound_hold(table, question):
    exact = question(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.graph.median_orders.least_order.LARGEST", 2)
        patch.setattr("weightlab.graph.median_orders.least_order.LARGE", 2)
        try:
            result = question(table)
        except UnprovedError as error:
            result = error.known["result"]
    assert result.bound <= exact.cost <= result.cost
    assert (result.cost == exact.cost) or result.gap
    assert travelled(result).verify(table)


def test_a_component_too_large_for_the_program_says_so(monkeypatch):
    for limit in ("LARGEST", "LARGE"):
        monkeypatch.setattr(f"weightlab.graph.median_orders.least_order.{limit}", 2)
    with pytest.raises(UnprovedError, match="8 models are too entangled: no order was proved") as caught:
        kemeny(loose_table())
    known = caught.value.known
    assert (known["cost"], known["bound"]) == (70, 69)
    assert known["result"].verify(loose_table())


@given(margins(models=(3, 7)), st.sampled_from([kemeny, slater, feedback_arcs]))
def test_with_odd_walks_from_the_start_the_answers_are_the_same(table, question):
    whole = question(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.graph.median_orders.least_order.LARGE", 2)
        tight = question(table)
    assert (tight.cost, tight.number) == (whole.cost, whole.number)
    assert tight.shared.equals(whole.shared)
    assert travelled(tight).verify(table)


def test_an_odd_walk_proves_what_triangles_leave_open(monkeypatch):
    monkeypatch.setattr("weightlab.graph.median_orders.exact_search.optima_within", refuse_any_search)
    monkeypatch.setattr(least_order, "_with_shared_pairs", lambda _net, block, _deadline: block)
    result = kemeny(loose_table())
    (block,) = result.blocks
    assert (result.cost, result.bound, result.proof, block.means) == (70, 70, Proof.EXACT, BlockProof.COST)
    assert max(block.triangles.sizes) > 1
    assert travelled(result).verify(loose_table())
    apart = np.ones(len(block.triangles.corners), dtype=np.int64)
    for sizes in (apart, block.triangles.sizes[::-1]):
        weaker = replace(block.triangles, sizes=sizes, multipliers=np.zeros_like(sizes))
        with pytest.raises(ProofError):
            replace(result, blocks=with_block(result, triangles=weaker, means=BlockProof.NOTHING)).verify()


def with_block(result, **changes):
    largest = max(result.blocks, key=lambda block: len(block.models))
    return tuple(replace(block, **changes) if block is largest else block for block in result.blocks)


@pytest.mark.parametrize("question", [kemeny, slater, feedback_arcs], ids=lambda question: question.__name__)
def test_each_corrupted_field_is_seen(question):
    profile = impartial_culture(9, 7, seed=3)
    result = question(profile)
    block = max(result.blocks, key=lambda one: len(one.models))
    swapped = block.order[[1, 0, *range(2, len(block.order))]]
    spoilt = {
        "margins": [profile.select(voters=["1", "2"]).margins(), replace(result.margins, wins=-result.margins.wins)],
        "blocks": [
            result.blocks[1:],
            with_block(result, cost=block.cost - 1),
            with_block(result, order=block.order[::-1]),
            with_block(result, order=swapped),
            with_block(result, shared=block.shared.T),
            with_block(result, shared=np.zeros_like(block.shared)),
            with_block(result, number=block.number + 1),
            with_block(result, number=None),
            with_block(result, means=BlockProof.SOLVER),
            with_block(result, means=BlockProof.COST, number=None),
            with_block(result, means=BlockProof.NOTHING, number=None),
            with_block(result, triangles=replace(block.triangles, multipliers=-block.triangles.multipliers - 1)),
            with_block(result, triangles=replace(block.triangles, corners=block.triangles.corners * 0)),
            with_block(result, triangles=replace(block.triangles, sizes=block.triangles.sizes * 0)),
            with_block(result, triangles=replace(block.triangles, sizes=block.triangles.sizes[1:])),
            with_block(result, turned=(block.order,)),
            with_block(result, models=block.models[::-1]),
            with_block(result, first=block.first * 0),
            with_block(result, last=block.last * 0 + len(block.last) - 1),
        ],
        "solver": ["HiGHS"],
    }
    if question is kemeny:
        spoilt["tie_penalty"] = [Fraction(-1)]
    if question is feedback_arcs:
        spoilt["weighted"] = [False]
    assert_each_spoilt_field_is_seen(result, spoilt)


def test_a_false_claim_about_what_others_share_is_seen(monkeypatch):
    profile = impartial_culture(8, 4, seed=2)
    without_full_search(monkeypatch)
    result = kemeny(profile)
    block = max(result.blocks, key=lambda one: len(one.models))
    assert block.means is BlockProof.TILTED
    assert block.turned
    for changes in ({"turned": ()}, {"turned": (block.order,)}, {"turned": (block.order[::-1],)}):
        with pytest.raises(ProofError):
            replace(result, blocks=with_block(result, **changes)).verify()
    more = block.shared.copy()
    above = np.argsort(block.order)[:, None] < np.argsort(block.order)
    more[above] = True
    places = np.argsort(block.order)
    said = {"turned": (), "first": places, "last": places}
    with pytest.raises(ProofError, match="an order costs less, or as little while it turns a pair said to be shared"):
        replace(result, blocks=with_block(result, shared=more, **said)).verify()


@pytest.mark.parametrize("question", [kemeny, feedback_arcs], ids=lambda question: question.__name__)
def test_each_corrupted_part_of_a_document_is_seen(question):
    result = question(CYCLE)
    spoilt = [
        (("order",), [["a"], ["b"]]),
        (("order",), [["b"], ["a"], ["c"]]),
        (("cost",), "9/1"),
        (("cost",), 10),
        (("bound",), "9/1"),
        (("unique",), False),
        (("unique",), "yes"),
        (("number",), 2),
        (("number",), "one"),
        (("solver",), "HiGHS"),
        (("blocks",), []),
        (("blocks", 0, "models"), [0, 1]),
        (("blocks", 0, "models"), [0, 1, 5]),
        (("blocks", 0, "order"), [0, 1, 1]),
        (("blocks", 0, "order"), [0, 1, -1]),
        (("blocks", 0, "order"), [0, 1, 3]),
        (("blocks", 0, "order"), [0, 1, 10**30]),
        (("blocks", 0, "cost"), 0),
        (("blocks", 0, "cost"), 1.5),
        (("blocks", 0, "shared"), ["0"]),
        (("blocks", 0, "shared"), ["000", "000", "000"]),
        (("blocks", 0, "shared", 0), "012"),
        (("blocks", 0, "shared", 0), "0111"),
        (("blocks", 0, "number"), 3),
        (("blocks", 0, "means"), "guess"),
        (("blocks", 0, "triangles", "corners", 0), [0, 1]),
        (("blocks", 0, "triangles", "corners", 0), [0, 1, 1]),
        (("blocks", 0, "triangles", "corners", 0), [0, 1, 3]),
        (("blocks", 0, "triangles", "multipliers", 0), -1),
        (("blocks", 0, "triangles", "multipliers"), []),
        (("blocks", 0, "triangles", "sizes"), []),
        (("blocks", 0, "triangles", "sizes", 0), 0),
        (("blocks", 0, "triangles", "sizes", 0), 10**30),
        (("blocks", 0, "triangles", "scale"), 0),
        (("blocks", 0, "turned"), [[0, 1, 2]]),
        (("margins", "wins", 0, 1), 0),
    ]
    if question is kemeny:
        spoilt += [(("tie_penalty",), "-1/1"), (("tie_penalty",), 0)]
    else:
        spoilt += [(("weighted",), False), (("weighted",), None), (("arcs",), [])]
    assert_each_spoilt_part_is_seen(result, spoilt)


def test_multipliers_over_a_scale_beyond_machine_integers_are_read_exactly():
    document = kemeny(EVEN).to_dict()
    for block in document["blocks"]:
        block["triangles"]["scale"] = 10**30
    assert type(kemeny(EVEN)).from_dict(document).verify(EVEN)


def test_an_order_is_checked_against_its_source():
    with pytest.raises(ProofError, match="the weight of the wins of 'a' over 'b' is 2 in the source, not 6"):
        kemeny(CYCLE).verify(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"])))


def test_sentences_say_how_sure_they_are():
    assert (
        str(kemeny(CYCLE))
        == "Kemeny: a first; the order contradicts the tasks by 10, and no other order costs as little."
    )
    even = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))
    assert (
        str(kemeny(even))
        == "Kemeny: a, b or c first; the order contradicts the tasks by 4, and 3 orders cost as little."
    )
    assert str(slater(even)) == "Slater: a, b or c first; the order turns 1 majority, and 3 orders turn as few."
    assert str(feedback_arcs(even)) == "Without 1 majority there is no cycle (margins of 1 in all): c over a."
    assert str(feedback_arcs(wl.Profile.from_orders(map(list, ["abc"])))) == "The majorities have no cycle."


def test_what_all_least_orders_share_is_a_table():
    summary = kemeny(EVEN).summary()
    assert list(summary.index) == ["a", "b", "c", "d"]
    assert list(summary["ranks"]) == ["1 to 3", "1 to 3", "1 to 3", "4"]
    assert list(summary["always_above"]) == [0, 0, 0, 3]
    assert list(summary["always_below"]) == [1, 1, 1, 0]


def test_a_single_model_and_no_disagreement_cost_nothing():
    assert kemeny(wl.Profile.from_orders([["a"]])).order == (("a",),)
    agreed = kemeny(wl.Profile.from_orders(map(list, ["bca", "bca"])))
    assert (agreed.order, agreed.cost, agreed.unique) == ((("b",), ("c",), ("a",)), 0, True)


def test_an_order_of_no_question_proves_nothing():
    result = kemeny(CYCLE)
    kept = {one.name: getattr(result, one.name) for one in fields(OptimalOrder)}
    with pytest.raises(ProofError, match="of no question has no costs"):
        OptimalOrder(**kept).verify()


def test_a_block_may_hold_models_that_the_majorities_part():
    """A whole order as one block is a proof as well, and both checkers take it; a block that is behind is refused."""
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}, "z": {"a": 3, "b": 2, "c": 0}}
    )
    found = wl.graph.kemeny(board)
    coarse = json.loads(json.dumps(found.to_dict()))
    names = [found.models[place] for block in found.blocks for place in block.models[block.order]]
    none = {"scale": 1, "corners": [], "sizes": [], "multipliers": []}
    whole = coarse["blocks"][0] | {
        "models": [0, 1, 2],
        "order": [found.models.index(name) for name in names],
        "cost": sum(block.cost for block in found.blocks),
        "shared": ["011", "001", "000"],
        "first": [0, 1, 2],
        "last": [0, 1, 2],
        "triangles": coarse["blocks"][0]["triangles"] if coarse["blocks"] else none,
    }
    assert result_from_dict(coarse | {"blocks": [whole]}).verify(board)
    behind = coarse | {"blocks": coarse["blocks"][::-1], "order": [[name] for name in names[::-1]]}
    with pytest.raises(ProofError):
        result_from_dict(behind).verify(board)
