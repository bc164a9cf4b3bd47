"""Schulze, split cycle and ranked pairs against their definitions, and their proofs."""

from __future__ import annotations

from dataclasses import replace
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import assume, given

import weightlab as wl
from tests.graph import brute_force
from tests.graph.brute_force import Duels
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.graph.strategies import distinct_margins, huge_margins, margins
from tests.strategies import FEWER, boards
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.graph import ranked_pairs, schulze, smith_set, split_cycle
from weightlab.graph.rankings.ranking import MajorityRanking, levels_of, path_strengths, path_strengths_by_search

RULES = (schulze, split_cycle, ranked_pairs)
STRENGTHS = ("margins", "winning_votes")
CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
each_strength = pytest.mark.parametrize("strength", STRENGTHS)


def defeats_of(result):
    frame = result.defeats
    losers, rows = frame.columns.tolist(), frame.to_numpy().tolist()
    return {(a, b) for a, row in zip(frame.index, rows, strict=True) for b, won in zip(losers, row, strict=True) if won}


@each_strength
@given(table=margins())
def test_schulze_compares_strongest_paths(table, strength):
    assert defeats_of(schulze(table, strength=strength)) == brute_force.schulze_defeats(Duels(table), strength)


@each_strength
@given(table=margins(models=(1, 5)))
def test_split_cycle_drops_the_weakest_duels_of_every_cycle(table, strength):
    assert defeats_of(split_cycle(table, strength=strength)) == brute_force.split_cycle_defeats(Duels(table), strength)


@each_strength
@given(table=margins())
def test_ranked_pairs_locks_in_what_closes_no_cycle(table, strength):
    duels, result = Duels(table), ranked_pairs(table, strength=strength, tie_break="alphabetical")
    locked = brute_force.ranked_pairs_locked(brute_force.sequence(duels, strength, sorted(table.models)))
    assert defeats_of(result) == brute_force.closed(locked)


@pytest.mark.parametrize("tie_break", ["alphabetical", "board", "given"])
@given(table=margins(models=(2, 5)))
def test_equally_strong_duels_are_taken_up_in_the_order_asked_for(table, tie_break):
    order = {"alphabetical": sorted(table.models), "board": list(table.models), "given": list(table.models)[::-1]}
    asked = order["given"] if tie_break == "given" else tie_break
    sequence = brute_force.sequence(Duels(table), "margins", order[tie_break])
    result = ranked_pairs(table, tie_break=asked)
    assert result.tie_break == tuple(order[tie_break])
    assert defeats_of(result) == brute_force.closed(brute_force.ranked_pairs_locked(sequence))


@FEWER
@given(table=margins(models=(3, 5), most=4))
def test_the_tie_break_mattered_exactly_if_some_sequence_of_equals_gives_other_defeats(table):
    duels = Duels(table)
    sizes = list(duels.strength("margins").values())
    assume(prod(factorial(sizes.count(size)) for size in set(sizes)) <= 720)
    sequences = list(brute_force.all_sequences(duels, "margins"))
    pairs = {frozenset(brute_force.closed(brute_force.ranked_pairs_locked(one))) for one in sequences}
    found = ranked_pairs(table)
    assert found.tie_break_mattered == (len(pairs) > 1)
    # Without a tie-break: who is undefeated by some sequence, and what is locked in by every one.
    assert defeats_of(found) == set.intersection(*map(set, pairs))
    assert set(found.winners) == {one for way in pairs for one in table.models if all(one != b for _, b in way)}
    assert found.may_win == ()
    assert travelled(found).verify(table)


@pytest.mark.parametrize("most_duels", [0, 10**6])
@FEWER
@given(table=margins(models=(3, 5), most=2))
def test_beyond_the_ways_that_are_looked_at_winners_are_proved_or_open(most_duels, table):
    whole = ranked_pairs(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.graph.rankings.ranked_pairs.MOST_WORK", 0)
        patch.setattr("weightlab.graph.rankings.ranked_pairs.MOST_DUELS", most_duels)
        found = ranked_pairs(table)
        assert travelled(found).verify(table)
    assert set() < set(found.winners) <= set(whole.winners) <= {*found.winners, *found.may_win}
    assert defeats_of(found) <= defeats_of(whole)
    assert not found.may_win or "not decided" in str(found)


@given(distinct_margins())
def test_without_equals_no_tie_break_matters_and_ranked_pairs_is_a_linear_order(table):
    result = ranked_pairs(table)
    assert not result.tie_break_mattered
    assert [len(place) for place in result.order] == [1] * len(table.models)
    assert defeats_of(result) == defeats_of(ranked_pairs(table, tie_break="board"))


@given(distinct_margins())
def test_without_equals_the_rules_choose_among_the_winners_of_split_cycle(table):
    winners = set(split_cycle(table).winners)
    for rule in (schulze, ranked_pairs):
        assert len(rule(table).winners) == 1
        assert set(rule(table).winners) <= winners


@each_rule
@given(table=margins())
def test_some_model_is_undefeated_and_in_the_smith_set(table, rule):
    result = rule(table)
    assert result.winners
    if not (table.wins == table.wins.T).sum() > len(table.models):  # ties let ranked pairs leave it
        assert set(result.winners) <= set(smith_set(table))
    assert result.levels[0] == result.winners


@each_rule
@given(table=margins())
def test_the_order_exists_exactly_if_the_defeats_are_a_weak_order(table, rule):
    result = rule(table)
    models, defeats = table.models, defeats_of(result)
    apart = {(a, b) for a in models for b in models if (a, b) not in defeats and (b, a) not in defeats}
    weak = all((a, c) in apart for a, b in apart for other, c in apart if b == other)
    transitive = all((a, c) in defeats for a, b in defeats for other, c in defeats if b == other)
    assert (result.order is not None) == (weak and transitive)
    if result.order is not None:
        assert result.order == result.levels
    place = {model: at for at, tied in enumerate(result.levels) for model in tied}
    assert all(place[a] < place[b] for a, b in defeats)
    assert sorted(place) == sorted(models)


@each_rule
@each_strength
@given(table=margins())
def test_every_ranking_verifies_and_travels(table, rule, strength):
    result = rule(table, strength=strength)
    assert result.verify(table)
    again = travelled(result)
    assert again.verify(table)
    assert defeats_of(again) == defeats_of(result)
    assert str(again) == str(result)
    assert list(result.summary()["level"]) == sorted(result.summary()["level"])


@each_rule
@given(table=huge_margins())
def test_margins_beyond_every_machine_integer_are_ranked_as_well(table, rule):
    result = rule(table)
    assert travelled(result).verify(table)
    small = table.wins - table.wins.T
    ranks = np.unique(np.abs(small), return_inverse=True)[1].reshape(small.shape)
    wins = np.where(small > 0, ranks, 0)
    compact = wl.data.Margins(models=table.models, wins=wins, ties=np.zeros_like(wins), denominator=1)
    assert defeats_of(rule(compact)) == defeats_of(result)


@FEWER
@given(board=boards())
def test_a_ranking_of_a_board_is_checked_against_that_board(board):
    halved = replace(board.margins(), denominator=2 * board.margins().denominator)
    for rule in RULES:
        result = rule(board)
        assert result.verify(board)
        if halved.wins.any() or halved.ties.any():
            with pytest.raises(ProofError, match="in the source, not"):
                result.verify(halved)


@each_rule
def test_each_corrupted_field_is_seen(rule):
    result = rule(CYCLE)
    turned = result.defeats.T
    spoilt = {
        "defeats": [turned, result.defeats & False, result.defeats.iloc[:2], ~result.defeats],
        "strength": ["votes", None],
        "margins": [CYCLE.break_ties("reverse").select(models=["b", "a", "c"]).margins(), negative(result.margins)],
    }
    if rule is ranked_pairs:
        spoilt["tie_break"] = [("a", "b"), ("a", "b", "b"), ()]
        spoilt["tie_break_mattered"] = [True, None]
        spoilt["first"] = [("b",), (), ("a", "b")]
        spoilt["may_win"] = [("b",)]
    assert_each_spoilt_field_is_seen(result, spoilt)


def negative(table):
    return replace(table, wins=-table.wins)


@each_rule
def test_each_corrupted_part_of_a_document_is_seen(rule):
    spoilt = [
        (("winners",), ["b"]),
        (("strength",), "votes"),
        (("defeats",), ["01", "00"]),
        (("defeats", 0), "000"),
        (("defeats", 0), "021"),
        (("margins",), None),
        (("margins", "models"), ["a", "a", "b"]),
        (("margins", "models"), ["a", 1, "b"]),
        (("margins", "denominator"), 0),
        (("margins", "denominator"), 0.5),
        (("margins", "wins", 0), [0, 1]),
        (("margins", "wins", 0, 1), 1.5),
        (("margins", "wins", 0, 1), True),
        (("margins", "wins", 0, 0), 1),
        (("margins", "ties", 0, 1), 1),
        (("margins", "ties", 0, 1), -1),
    ]
    if rule is ranked_pairs:
        spoilt += [(("tie_break",), ["a"]), (("tie_break_mattered",), True), (("tie_break_mattered",), None)]
    assert_each_spoilt_part_is_seen(rule(CYCLE), spoilt)


def test_verify_names_what_the_source_has_instead():
    with pytest.raises(ProofError, match="the weight of the wins of 'a' over 'b' is 5 in the source, not 6"):
        schulze(CYCLE).verify(wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[3, 3, 2]))
    with pytest.raises(ProofError, match="the source has the models in another order"):
        schulze(CYCLE).verify(CYCLE.select(models=["b", "a", "c"]))
    claim = replace(schulze(CYCLE), defeats=schulze(CYCLE).defeats.T)
    with pytest.raises(ProofError, match="does not claim that 'a' defeats 'b'; the margins say otherwise"):
        claim.verify()


def test_ranked_pairs_says_which_majority_was_left_out_without_cause():
    result = ranked_pairs(CYCLE, tie_break="board")
    fewer = result.defeats.copy()
    fewer.loc["a", "b"] = fewer.loc["a", "c"] = False
    with pytest.raises(ProofError, match="'a' over 'b' is left out, yet no earlier majorities oppose it"):
        replace(result, defeats=fewer).verify()


def test_sentences_name_the_winners():
    assert str(schulze(CYCLE)) == "Schulze: a wins: no model defeats it."
    even = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))
    assert str(split_cycle(even)) == "Split cycle: a, b, c win: no model defeats any of them."
    assert str(ranked_pairs(even)) == (
        "By ranked pairs, a, b, c can win: it depends on how equally strong majorities are ordered."
    )
    assert str(ranked_pairs(even, tie_break="board")) == "Ranked pairs: a wins: no model defeats it."


@given(margins())
def test_two_algorithms_find_the_same_path_strengths(table):
    links = np.maximum(table.array, 0)
    assert np.array_equal(path_strengths(links), path_strengths_by_search(links))


def test_options_that_are_not_known_are_refused():
    with pytest.raises(InputError, match="strength must be 'margins' or 'winning_votes'; got 'votes'"):
        schulze(CYCLE, strength="votes")
    with pytest.raises(InputError, match="tie_break must be 'alphabetical', 'board' or an order of the models"):
        ranked_pairs(CYCLE, tie_break="random")
    with pytest.raises(InputError, match="tie_break must name every model once; missing: c"):
        ranked_pairs(CYCLE, tie_break=["a", "b"])
    with pytest.raises(InputError, match="tie_break must name every model once; one is there twice"):
        ranked_pairs(CYCLE, tie_break=["a", "b", "c", "a"])
    with pytest.raises(UnknownNameError, match="no model named 'z'"):
        ranked_pairs(CYCLE, tie_break=["a", "b", "z"])


def test_a_ranking_of_no_rule_claims_nothing():
    result = schulze(CYCLE)
    bare = MajorityRanking(defeats=result.defeats, strength="margins", margins=result.margins)
    with pytest.raises(ProofError, match="of no rule claims nothing"):
        bare.verify()


def test_a_relation_with_a_cycle_has_no_levels():
    with pytest.raises(InputError, match="a relation with a cycle has no levels"):
        levels_of(("a", "b"), np.array([[False, True], [True, False]]))
