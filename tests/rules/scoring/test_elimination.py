"""Rules in rounds do what their definitions say, round by round."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules import brute_force
from tests.rules.strategies import profile_of, profiles
from weightlab.data import Profile
from weightlab.exceptions import InputError
from weightlab.rules import rank

TIES = st.sampled_from(["average", "min", "max"])
CASES = {
    "baldwin": ("baldwin", {}, brute_force.baldwin),
    "nanson": ("nanson", {}, partial(brute_force.nanson, strictly=False)),
    "nanson, below": (
        "nanson",
        {"leaves": "below"},
        partial(brute_force.nanson, strictly=True),
    ),
    "instant runoff": ("instant_runoff", {}, brute_force.instant_runoff),
    "coombs": ("coombs", {}, partial(brute_force.coombs, majority_stop=True)),
    "coombs to the end": (
        "coombs",
        {"majority_stop": False},
        partial(brute_force.coombs, majority_stop=False),
    ),
    "threshold": ("threshold", {}, brute_force.threshold),
}


@pytest.mark.parametrize("case", CASES)
@given(profile=profiles(gaps=True), ties=TIES)
def test_every_round_is_as_defined(case, profile, ties):
    name, options, by_hand = CASES[case]
    order, rounds = by_hand(profile, ties)
    ranking = rank(profile, name, ties=ties, missing="last", **options)
    assert ranking.order == order
    assert [(one.models, one.scores.to_dict(), one.left) for one in ranking.rounds] == rounds


@pytest.mark.parametrize("case", CASES)
@given(profile=profiles(ties=False, weighted=False, most_models=4, most_voters=4))
def test_the_winners_are_the_models_that_never_leave(case, profile):
    name, options, _ = CASES[case]
    ranking = rank(profile, name, **options)
    gone = {model for one in ranking.rounds for model in one.left}
    assert set(ranking.winners) == set(profile.models) - gone
    left = [len(one.models) for one in ranking.rounds]
    assert left == sorted(left, reverse=True)


@pytest.mark.parametrize("rule", ["baldwin", "nanson"])
@given(profile=profiles(gaps=True))
def test_a_condorcet_winner_survives_when_tied_points_are_shared(rule, profile):
    complete = Profile.from_orders(brute_force.completed(profile), models=profile.models, weights=profile.weights)
    margins = complete.margins().array
    winners = [model for model, row in zip(profile.models, margins, strict=True) if (row > 0).sum() == len(margins) - 1]
    if winners:
        assert rank(complete, rule).winners == tuple(winners)


def test_baldwin_with_the_worst_of_tied_places_can_drop_a_condorcet_winner():
    # Table 8 has Baldwin choose the Condorcet winner; with max ranks on tied tasks that fails (a wins both its duels).
    profile = profile_of(["abc", [("a", "c"), "b"], [("a", "b", "c")], [("a", "b"), "c"], "cab", "bac"])
    margins = profile.margins()
    assert [margins.margin("a", rival) > 0 for rival in "bc"] == [True, True]
    assert rank(profile, "baldwin", ties="average").winners == ("a",)


def test_all_that_are_last_leave_together():
    ranking = rank(profile_of(["abcd", "abdc"]), "instant_runoff")
    assert [one.left for one in ranking.rounds] == [("b", "c", "d")]
    assert ranking.order == (("a",), ("b", "c", "d"))


def test_rounds_stop_when_all_that_are_left_tie():
    ranking = rank(profile_of(["abc", "bac"]), "baldwin")
    assert [(one.models, one.left) for one in ranking.rounds] == [(("a", "b", "c"), ("c",)), (("a", "b"), ())]
    assert ranking.winners == ("a", "b")


def test_a_majority_ends_the_rule_of_coombs():
    orders = ["abcd", "abcd", "acdb", "bcda", "cbda"]
    stopped = rank(profile_of(orders), "coombs")
    assert (stopped.winners, len(stopped.rounds)) == (("a",), 1)


def test_rounds_carry_exact_scores():
    profile = profile_of([[("a", "b"), "c"]], weights=["1/3"])
    first = rank(profile, "instant_runoff").rounds[0]
    assert first.scores.to_dict() == {"a": Fraction(1, 6), "b": Fraction(1, 6), "c": Fraction(0)}


def test_weights_with_enormous_denominators_stay_exact():
    big = Fraction(1, 10**30)
    profile = profile_of(["abc", "bca", "cab"], weights=[1, 1 + big, 1])
    for rule in ("baldwin", "instant_runoff", "coombs", "threshold", "nanson"):
        assert rank(profile, rule).order == brute_force_order(rule, profile)
    assert rank(profile, "plurality").winners == ("b",)


def brute_force_order(rule, profile):
    by_hand = next(case for name, options, case in CASES.values() if name == rule and not options)
    return by_hand(profile, "average")[0]


def test_nanson_knows_two_ways_to_leave():
    with pytest.raises(InputError, match="leaves must be 'at or below' or 'below'; got 'above'"):
        rank(profile_of(["ab"]), "nanson", leaves="above")
