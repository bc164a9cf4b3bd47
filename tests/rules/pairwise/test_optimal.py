"""Kemeny and Slater as rules: orders and winners by enumeration, and the gap of approximations."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings

from tests.rules.strategies import profile_of, profiles
from weightlab._result import Proof, result_from_dict
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, ProofError
from weightlab.graph import kemeny, slater
from weightlab.rules import compare, kemeny_gap, rank, rule, winners

CYCLE = profile_of(["abc", "bca", "cab"])


def enumerated(profile, cost_of_pair):
    """Return the least cost of an order and all orders that cost so little."""
    costs = {
        order: sum(cost_of_pair(upper, lower) for place, upper in enumerate(order) for lower in order[place + 1 :])
        for order in permutations(profile.models)
    }
    least = min(costs.values())
    return least, {order for order, cost in costs.items() if cost == least}


def disagreement(profile, penalty=0):
    margins = profile.margins()

    def cost(upper, lower):
        i, j = margins.position(upper), margins.position(lower)
        return (int(margins.wins[j, i]) + penalty * int(margins.ties[i, j])) / Fraction(margins.denominator)

    return cost


def turned(profile):
    margins = profile.margins()
    return lambda upper, lower: int(margins.margin(lower, upper) > 0)


@settings(max_examples=60)
@given(profile=profiles(gaps=True, most_models=5))
def test_kemeny_is_what_enumeration_finds_with_all_its_winners(profile):
    least, orders = enumerated(profile, disagreement(profile))
    ranking = rank(profile, "kemeny")
    assert tuple(model for (model,) in ranking.order) in orders
    assert set(ranking.winners) == {order[0] for order in orders}
    assert ranking.witness.cost == least
    assert ranking.verify(profile)


@settings(max_examples=40)
@given(profile=profiles(gaps=True, most_models=5))
def test_slater_is_what_enumeration_finds_with_all_its_winners(profile):
    least, orders = enumerated(profile, turned(profile))
    ranking = rank(profile, "slater")
    assert tuple(model for (model,) in ranking.order) in orders
    assert set(ranking.winners) == {order[0] for order in orders}
    assert ranking.witness.cost == least
    assert ranking.verify(profile)


@settings(max_examples=25)
@given(profile=profiles(most_models=4))
def test_a_penalty_for_ties_moves_the_cost_and_not_the_winners(profile):
    least, orders = enumerated(profile, disagreement(profile, Fraction(1, 2)))
    ranking = rank(profile, "kemeny", tie_penalty="0.5")
    assert ranking.witness.cost == least
    assert set(ranking.winners) == {order[0] for order in orders}
    assert ranking.winners == winners(profile, "kemeny")
    assert ranking.verify(profile)


def test_in_a_cycle_of_equals_every_model_takes_every_rank():
    ranking = rank(CYCLE, "kemeny")
    assert ranking.winners == ("a", "b", "c") == kemeny(CYCLE).winners
    assert ranking.ranks.to_dict() == {"a": 1, "b": 1, "c": 1}
    assert set(ranking.witness.places) == {"1 to 3"}
    assert ranking.order == kemeny(CYCLE).order
    assert ranking.places == (("a", "b", "c"),)
    assert str(ranking) == "By Kemeny, a, b or c is first among 3 models: 3 orders are optimal."
    assert ranking.proof is Proof.EXACT


@pytest.mark.parametrize("name", ["kemeny", "slater"])
@settings(max_examples=40)
@given(profile=profiles(gaps=True, most_models=5))
def test_ranges_are_the_ranks_in_all_optimal_orders(name, profile):
    cost = disagreement(profile) if name == "kemeny" else turned(profile)
    _, orders = enumerated(profile, cost)
    found, direct = rank(profile, name), {"kemeny": kemeny, "slater": slater}[name](profile)
    for model in profile.models:
        taken = [order.index(model) + 1 for order in orders]
        assert tuple(found.ranges.loc[model]) == (min(taken), max(taken), True, True)
        assert found.ranks[model] == min(taken)
    assert (found.order, found.winners) == (direct.order, direct.winners)
    assert found.ranks.equals(direct.ranks)
    assert direct.number == len(orders)


class TestDocument:
    @pytest.mark.parametrize(
        "change", [{"winners": ["a"]}, {"places": ["1", "2", "3"]}, {"blocks": []}, {"number": 2}, {"unique": True}]
    )
    def test_every_change_is_noticed(self, change):
        document = {**kemeny(CYCLE).to_dict(), **change}
        with pytest.raises((InputError, ProofError)):
            result_from_dict(document).verify(CYCLE)

    def test_a_witness_of_another_rule_is_refused(self):
        ranking = rank(CYCLE, "kemeny")
        for witness in (slater(CYCLE), kemeny(CYCLE, tie_penalty=1), kemeny(profile_of(["abc", "abc", "cab"])), None):
            with pytest.raises(ProofError):
                replace(ranking, witness=witness).verify(CYCLE)


class TestGap:
    profile = profile_of(["abcd"] * 3 + ["bcda"] * 2)

    def test_borda_is_measured_against_the_optimum(self):
        gap = kemeny_gap(self.profile, "borda")
        least, _ = enumerated(self.profile, disagreement(self.profile))
        assert gap.optimum == least
        assert gap.low == gap.high == gap.cost
        assert gap.tied_pairs == ()
        assert gap.verify(self.profile)

    @settings(max_examples=40)
    @given(profile=profiles(most_models=4))
    def test_every_way_to_break_the_ties_costs_between_low_and_high(self, profile):
        gap = kemeny_gap(profile, "plurality")
        cost = disagreement(profile)
        level = {model: place for place, group in enumerate(gap.ranking.order) for model in group}
        breaks = [
            sum(cost(upper, lower) for place, upper in enumerate(order) for lower in order[place + 1 :])
            for order in permutations(profile.models)
            if all(level[one] <= level[other] for one, other in pairwise(order))
        ]
        assert gap.low <= min(breaks) <= max(breaks) <= gap.high
        assert gap.cost <= gap.low
        assert gap.optimum <= min(breaks)

    def test_it_says_how_the_ties_were_counted(self):
        tied = kemeny_gap(profile_of([["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"]]), "borda")
        assert str(tied) == ("The order by Borda contradicts the tasks by 2: 0.00% more than the least possible, 2.")
        spread = kemeny_gap(profile_of(["abc", "abc", "bca"]), rule("scoring", vector=[0, 0, 0]))
        assert str(spread) == (
            "The order by scoring (vector=[0, 0, 0]) contradicts the tasks by 2 to 7 as its 3 tied pairs are broken: "
            "at least 0.00% more than the least possible, 2."
        )
        assert spread.summary()["cost"].tolist() == [2, 0, 2, 7]
        assert "against the least possible, 0" in str(kemeny_gap(profile_of(["ab"]), "borda"))

    def test_it_travels_and_notices_changes(self):
        gap = kemeny_gap(self.profile, "borda")
        assert result_from_dict(json.loads(json.dumps(gap.to_dict()))).verify(self.profile)
        assert gap.proof is Proof.EXACT
        other = profile_of(["abcd"] * 4 + ["bcad"] * 2)
        for change in ({"best": kemeny(other)}, {"ranking": rank(other, "borda")}, {"best": kemeny(CYCLE)}):
            with pytest.raises(ProofError):
                replace(gap, **change).verify()

    def test_both_costs_count_no_ties(self):
        board = Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 2}})
        gap = kemeny_gap(board, "borda")
        assert gap.optimum == 0
        other = kemeny(board, tie_penalty="1/2")
        assert (other.verify(board), other.cost) == (True, Fraction(1, 2))
        with pytest.raises(ProofError, match="counts pairs that tasks tie"):
            replace(gap, best=other).verify(board)

    def test_filled_scores_are_ranked_beside_the_duels_of_the_table(self):
        board = Leaderboard({"x": {"a": 1, "b": 2, "c": None}, "y": {"a": 3, "b": 1, "c": 2}})
        assert kemeny_gap(board, "mean", missing="median").verify(board)


def test_a_comparison_leaves_out_what_is_not_proved_in_time():
    comparison = compare(CYCLE, ["borda", "kemeny"], time_limit=0)
    assert "kemeny" in comparison.rankings or "time limit" in comparison.left_out["kemeny"]
    assert compare(CYCLE, ["kemeny"]).rankings["kemeny"].rule.options == {"time_limit": 10}
