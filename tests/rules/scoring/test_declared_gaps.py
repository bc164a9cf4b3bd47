"""What is declared of missing scores and unlisted models: a score for each, last places, or nothing known."""

from __future__ import annotations

import inspect
import json

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab import graph
from weightlab._cures import Cure
from weightlab._result import Result, result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, ProofError, WeightlabError
from weightlab.rules import RULES, Needs, compare, rank, rule

OPTIONS = {"k_approval": {"k": 2}, "scoring": {"vector": "borda"}, "optimality_gap": {"gamma": 9}}
GAPS = [[90, 80, 70], [85, None, 75], [70, 85, 60], [60, 70, None]]


def board_of(rows):
    return wl.Leaderboard(rows, models=list("abcdef"[: len(rows)]), tasks=[f"t{task}" for task in range(len(rows[0]))])


def asked(source, name, **options):
    try:
        return rank(source, name, **OPTIONS.get(name, {}), **options)
    except WeightlabError as error:
        return type(error)


def says(found):
    return found if isinstance(found, type) else (found.places, found.winners, found.scores.to_dict())


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=6)
@given(dice=DICE)
def test_a_score_stands_for_missing_ones_as_if_it_had_been_measured(name, dice):
    rows = [dice.many_of(range(1, 6), 3) for _ in range(4)]
    gaps = [
        [None if column and place and dice.below(4) == 3 else score for column, score in enumerate(row)]
        for place, row in enumerate(rows)
    ]
    filled = [[2 if score is None else score for score in row] for row in gaps]
    found = asked(board_of(gaps), name, missing=2)
    assert says(found) == says(asked(board_of(filled), name))
    if not isinstance(found, type):
        assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board_of(gaps))


@pytest.mark.parametrize("name", [name for name, one in RULES.items() if one.needs is not Needs.SCORES])
@settings(max_examples=6)
@given(dice=DICE)
def test_unlisted_models_are_last_or_unknown_as_reading_has_it(name, dice):
    orders = [dice.shuffled("abcd")[: dice.between(1, 4)] for _ in range(dice.between(2, 5))]
    profile = wl.Profile.from_orders(orders, models=list("abcd"))
    last = asked(profile, name, unlisted="last")
    assert says(last) == says(asked(profile.with_unlisted_last(), name))
    assert says(asked(profile, name, unlisted="unknown")) == says(asked(profile, name))
    if not isinstance(last, type):
        assert result_from_dict(json.loads(json.dumps(last.to_dict()))).verify(profile)


@pytest.mark.parametrize(
    "question",
    [
        one
        for name, one in vars(graph).items()
        if inspect.isfunction(one) and "unlisted" in inspect.signature(one).parameters and name != "kemeny_cost"
    ],
    ids=lambda one: one.__name__,
)
def test_questions_of_graphs_take_what_is_said_of_unlisted_models(question):
    orders = [["a", "d"], ["b", "a"], ["c", "b", "a"], ["d", "c"], ["b", "c", "d"]]
    profile = wl.Profile.from_orders(orders, models=list("abcd"), weights=[16, 1, 2, 4, 8])

    def told(found):
        return str(found.frame() if isinstance(found, wl.data.Margins) else found)

    assert told(question(profile, unlisted="last")) == told(question(profile.with_unlisted_last()))
    assert told(question(profile, unlisted="unknown")) == told(question(profile))
    for way in ("last", "unknown"):
        found = question(profile, unlisted=way)
        if isinstance(found, Result):
            again = result_from_dict(json.loads(json.dumps(found.to_dict())))
            assert again.verify(profile)
            with pytest.raises(ProofError):
                again.verify(profile.select(models=["d", "a", "b"]))
    with pytest.raises(InputError, match="unlisted must be 'last' or 'unknown'"):
        question(profile, unlisted="first")
    with pytest.raises(InputError, match="margins do not say which models a voter leaves out"):
        question(profile.margins(), unlisted="last")


def test_all_questions_that_take_profiles_take_it():
    signatures = {name: inspect.signature(one) for name, one in vars(graph).items() if inspect.isfunction(one)}
    kinds = ("MajorityLike", "ProfileLike", "SignsLike")
    taking = {name for name, one in signatures.items() if any(kind in str(one) for kind in kinds)}
    assert {name for name in taking if "unlisted" not in signatures[name].parameters} == set()


@settings(max_examples=30)
@given(dice=DICE)
def test_results_hold_against_the_profile_that_they_were_asked_of(dice):
    orders = [dice.shuffled("abcd")[: dice.between(1, 4)] for _ in range(dice.between(2, 5))]
    profile = wl.Profile.from_orders([list("abcd"), *orders, list("bdca")])
    last = profile.with_unlisted_last()
    for question in (graph.pareto_front, graph.condorcet_winning_set, graph.kemeny, graph.split_cycle):
        found = question(profile, unlisted="last")
        assert str(found) == str(question(last))
        assert found.verify(profile)
        assert found.verify(last)
        heavier = profile.select(voters=profile.voters[1:])
        with pytest.raises(ProofError):
            found.verify(heavier)


def test_a_result_does_not_hold_against_ballots_that_read_otherwise():
    read = wl.Profile.from_orders([["a", "b"], ["b", "a", "c"], ["c", "a"]])
    with pytest.raises(ProofError, match="in the source, not"):
        graph.kemeny(read).verify(read.with_unlisted_last())
    board = board_of(GAPS)
    for question in (graph.pareto_front, graph.condorcet_winning_set, graph.missing_score_pairs, graph.kemeny):
        assert question(board, unlisted="last").verify(board)
    assert not graph.missing_score_pairs(read, unlisted="last").pairs
    with pytest.raises(InputError, match="signs do not say which models a voter leaves out: omit unlisted"):
        graph.pareto_front(read.signs(), unlisted="last")


@pytest.mark.parametrize("name", [name for name, one in RULES.items() if one.needs is Needs.PLACES])
def test_cures_that_a_profile_is_offered_cure_it(name):
    profile = wl.Profile.from_orders([["a", "b"], ["b", "a", "c"], ["c", "a", "b"]])
    with pytest.raises(MissingScoresError) as caught:
        rank(profile, name, **OPTIONS.get(name, {}))
    assert Cure("unlisted", "last") in caught.value.cure
    for cure in caught.value.cure:
        said = {} if cure.argument == ".complete" else {cure.argument: cure.value}
        assert not isinstance(asked(profile if said else profile.complete(), name, **said), type)


@pytest.mark.parametrize("name", [name for name, one in RULES.items() if one.needs is Needs.MARGINS])
@pytest.mark.parametrize("way", ["last", "skip", "median"])
def test_a_rule_that_cannot_take_a_way_refuses_it_and_says_what_it_takes(name, way):
    with pytest.raises(InputError, match=f"to the rule '{name}' a missing score is a tie") as caught:
        rank(board_of(GAPS), name, missing=way)
    assert [(one.argument, one.value) for one in caught.value.cure] == [("unlisted", "last")]
    assert Cure("unlisted", "last", caught.value.cure[0].effect) in caught.value.cure
    assert not isinstance(asked(board_of(GAPS), name, unlisted="last"), str)


def test_a_comparison_fills_all_rules_or_names_those_that_cannot():
    board = board_of(GAPS)
    filled = compare(board, [*RULES], missing=0, gamma=90, k=1, vector="borda")
    assert not [why for why in filled.left_out.values() if "missing" in why]
    assert filled.verify(board)
    told = compare(board, ["borda", "kemeny"], missing="last")
    assert told.left_out == {"kemeny": "it has no option 'missing': to it a missing score is a tie"}
    last = compare(board, ["borda", "mean", "kemeny"], unlisted="last")
    assert list(last.rankings) == ["borda(unlisted=last)", "kemeny(unlisted=last)"]
    assert last.verify(board)


def test_what_is_no_score_is_refused():
    for wrong in ("often", [1], True):
        with pytest.raises((InputError, TypeError)):
            rank(board_of(GAPS), "mean", missing=wrong)
    profile = wl.Profile.from_orders([["a"], ["b", "a"]])
    with pytest.raises(InputError, match="missing=0 is a score, and rankings have none") as caught:
        rank(profile, "borda", missing=0)
    assert [(one.argument, one.value) for one in caught.value.cure] == [("unlisted", "last")]
    assert str(rule("mean", missing="1/2")) == "mean(missing=1/2)"
