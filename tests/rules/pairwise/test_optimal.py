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
from weightlab.rules.pairwise.majority_rules import FirstPlaces

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
    assert ranking.witness.best.cost == least
    assert ranking.verify(profile)


@settings(max_examples=40)
@given(profile=profiles(gaps=True, most_models=5))
def test_slater_is_what_enumeration_finds_with_all_its_winners(profile):
    least, orders = enumerated(profile, turned(profile))
    ranking = rank(profile, "slater")
    assert tuple(model for (model,) in ranking.order) in orders
    assert set(ranking.winners) == {order[0] for order in orders}
    assert ranking.witness.best.cost == least
    assert ranking.verify(profile)


@settings(max_examples=25)
@given(profile=profiles(most_models=4))
def test_a_penalty_for_ties_moves_the_cost_and_not_the_winners(profile):
    least, orders = enumerated(profile, disagreement(profile, Fraction(1, 2)))
    ranking = rank(profile, "kemeny", tie_penalty="0.5")
    assert ranking.witness.best.cost == least
    assert set(ranking.winners) == {order[0] for order in orders}
    assert ranking.winners == winners(profile, "kemeny")
    assert ranking.verify(profile)


def test_in_a_cycle_of_equals_every_model_is_first_in_some_best_order():
    ranking = rank(CYCLE, "kemeny")
    assert ranking.winners == ("a", "b", "c")
    assert set(ranking.witness.others) == set("abc") - set(ranking.order[0])
    assert "First at the same cost: " in str(ranking.witness)
    assert ranking.proof is Proof.EXACT


def test_models_that_nobody_beats_need_no_proof_of_their_own():
    ranking = rank(profile_of(["abcd", "bacd"]), "kemeny")
    assert ranking.winners == ("a", "b")
    assert ranking.witness.others == {}


def dearer(result):
    """Return the blocks of a least order, the first one said to cost one more."""
    block, *rest = result.blocks
    return (replace(block, cost=block.cost + 1), *rest)


class TestFirstPlaces:
    found = rank(CYCLE, "kemeny").witness

    def test_it_travels(self):
        again = result_from_dict(json.loads(json.dumps(self.found.to_dict())))
        assert again.verify(CYCLE)
        assert again.winners == self.found.winners
        assert again.summary().equals(self.found.summary())

    def changes(self):
        first = next(iter(self.found.others))
        other = profile_of(["abc", "abc", "cab"])
        yield {"others": {}}
        yield {"others": {**self.found.others, self.found.best.order[0][0]: self.found.others[first]}}
        yield {"best": kemeny(other)}
        yield {"best": replace(self.found.best, blocks=dearer(self.found.best))}
        pair = CYCLE.select(models=["a", "b"])
        for spoilt in (kemeny(CYCLE), slater(pair), kemeny(pair, tie_penalty=1)):
            yield {"others": {**self.found.others, first: spoilt}}
        yield {
            "others": {
                **self.found.others,
                first: replace(self.found.others[first], blocks=dearer(self.found.others[first])),
            }
        }

    def test_every_change_is_noticed(self):
        for change in self.changes():
            with pytest.raises(ProofError):
                replace(self.found, **change).verify(CYCLE)

    def test_a_result_that_is_no_order_is_refused(self):
        document = {**self.found.to_dict(), "best": rank(CYCLE, "borda").to_dict()}
        with pytest.raises(InputError, match="this is no KemenyRanking and no SlaterRanking"):
            FirstPlaces.from_dict(document)

    def test_winners_of_another_order_are_refused(self):
        with pytest.raises(ProofError, match="does not prove winners"):
            FirstPlaces.from_dict({**self.found.to_dict(), "winners": ["c"]})


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
        assert str(tied) == ("The order by borda contradicts the tasks by 2: 0.00% more than the least possible, 2.")
        spread = kemeny_gap(profile_of(["abc", "abc", "bca"]), rule("scoring", vector=[0, 0, 0]))
        assert str(spread) == (
            "The order by scoring(vector=[0, 0, 0]) contradicts the tasks by 2 to 7 as its 3 tied pairs are broken: "
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
