"""Maximal lotteries and the bipartisan set against all vertices of the game's solutions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.graph import brute_force
from tests.graph.corruption import assert_each_spoilt_field_is_seen, assert_each_spoilt_part_is_seen, travelled
from tests.graph.sets.test_sets import random_tournament
from tests.graph.strategies import distinct_margins, huge_margins, margins
from tests.strategies import FEWER
from weightlab.exceptions import InputError, ProofError
from weightlab.graph import bipartisan_set, condorcet_winner, maximal_lottery, smith_set
from weightlab.graph.sets.maximal_lottery import game_of

CYCLE = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]), weights=[4, 3, 2])
EVEN = wl.Profile.from_orders(map(list, ["ab", "ba"]))
each_kind = pytest.mark.parametrize("duels", ["margins", "signs"])


@each_kind
@given(table=margins(models=(1, 5)))
def test_the_support_is_that_of_all_maximal_lotteries_and_one_vertex_means_unique(table, duels):
    vertices = brute_force.vertices_of_lotteries(game_of(table, duels))
    result = maximal_lottery(table, duels=duels)
    possible = {model for place, model in enumerate(table.models) if any(vertex[place] for vertex in vertices)}
    assert set(result.support) == possible
    assert result.unique == (len(vertices) == 1)
    if result.unique:
        assert {tuple(result.probabilities)} == vertices
    assert bipartisan_set(table, duels=duels) == result.support


@each_kind
@given(table=margins())
def test_a_lottery_verifies_and_travels(table, duels):
    result = maximal_lottery(table, duels=duels)
    assert result.verify(table)
    again = travelled(result)
    assert again.verify(table)
    assert again.probabilities.equals(result.probabilities)
    assert str(again) == str(result)
    assert set(result.support) <= set(smith_set(table))
    assert result.summary()["probability"].sum() == pytest.approx(1)


@FEWER
@given(huge_margins())
def test_margins_beyond_every_machine_integer_are_played_exactly(table):
    vertices = brute_force.vertices_of_lotteries(table.array)
    result = maximal_lottery(table)
    assert result.verify(table)
    assert result.unique == (len(vertices) == 1)


@given(margins(models=(2, 6)))
def test_a_condorcet_winner_has_probability_1(table):
    winner = condorcet_winner(table)
    if winner is not None:
        assert maximal_lottery(table).probabilities[winner] == 1
        assert bipartisan_set(table) == (winner,)


@given(distinct_margins(models=(1, 5)))
def test_a_tournament_has_one_maximal_lottery_over_an_odd_number_of_models(table):
    result = maximal_lottery(table, duels="signs")
    assert result.unique
    assert len(result.support) % 2 == 1


def test_three_in_a_cycle_are_drawn_by_the_duel_they_are_not_in():
    result = maximal_lottery(CYCLE)
    assert result.probabilities.to_dict() == {"a": Fraction(5, 9), "b": Fraction(1, 9), "c": Fraction(3, 9)}
    assert str(result) == "5/9 a, 1/9 b, 1/3 c: the only maximal lottery."
    assert bipartisan_set(CYCLE) == ("a", "b", "c")


def test_a_tied_duel_leaves_others_and_one_of_them_is_given():
    result = maximal_lottery(EVEN)
    assert not result.unique
    assert result.support == ("a", "b")
    assert not result.other.equals(result.probabilities)
    assert str(result).endswith(": a maximal lottery among others.")


def test_a_vertex_alone_would_miss_models_of_the_essential_set():
    table = wl.Profile.from_orders([[("a", "b"), "c"]]).margins()
    vertices = brute_force.vertices_of_lotteries(table.array)
    assert sorted(vertices) == [(0, 1, 0), (1, 0, 0)]
    assert bipartisan_set(table) == ("a", "b")


@pytest.mark.parametrize("at_once", [1, 3])
@pytest.mark.parametrize("duels", ["margins", "signs"])
@FEWER
@given(table=margins(models=(2, 7)))
def test_the_lottery_is_the_same_however_few_models_join_the_game_at_once(table, duels, at_once):
    whole = maximal_lottery(table, duels=duels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.graph.sets.maximal_lottery.AT_ONCE", at_once)
        grown = maximal_lottery(table, duels=duels)
    assert (grown.support, grown.unique) == (whole.support, whole.unique)
    assert grown.verify(table)


@pytest.mark.parametrize("count", [20, 40, 150])
def test_larger_tournaments_are_proved_too(count):
    table = random_tournament(count, seed=count)
    result = maximal_lottery(table, duels="signs")
    assert result.verify(table)
    assert result.unique
    assert len(result.support) % 2 == 1


@pytest.mark.parametrize("count", [12, 24, 90])
def test_larger_games_with_many_ties_are_proved_too(count):
    upper = np.triu(np.random.default_rng(count).integers(-1, 2, (count, count)), 1)
    wins = np.maximum(upper - upper.T, 0)
    models = tuple(f"m{row}" for row in range(count))
    table = wl.data.Margins(models=models, wins=wins, ties=np.zeros_like(wins), denominator=1)
    assert maximal_lottery(table).verify(table)


def shares(*values):
    return pd.Series([Fraction(value) for value in values], index=list("abc"), dtype=object)


def test_each_corrupted_field_is_seen():
    result = maximal_lottery(CYCLE)
    spoilt = {
        "probabilities": [
            shares("1/3", "1/3", "1/3"),
            shares("5/9", "1/9", "2/9"),
            shares("10/9", "1/9", "-2/9"),
            shares("1/9", "1/3", "5/9"),
        ],
        "unique": [False, None],
        "other": [result.probabilities],
        "duels": ["signs", "votes"],
        "margins": [replace(result.margins, wins=-result.margins.wins)],
    }
    assert_each_spoilt_field_is_seen(result, spoilt)


def test_each_corrupted_field_of_one_among_others_is_seen():
    result = maximal_lottery(EVEN)
    sure = pd.Series([Fraction(1), Fraction(0)], index=["a", "b"], dtype=object)
    assert result.verify()
    for changes in (
        {"probabilities": sure},
        {"unique": True},
        {"unique": True, "other": None},
        {"other": None},
        {"other": result.probabilities},
        {"other": sure * 2},
    ):
        with pytest.raises(ProofError):
            replace(result, **changes).verify()


def test_each_corrupted_part_of_a_document_is_seen():
    spoilt = [
        (("probabilities", "a"), "1/3"),
        (("probabilities", "a"), 0.5),
        (("probabilities",), {"a": "1/1"}),
        (("unique",), False),
        (("unique",), "yes"),
        (("other",), {"a": "1/1", "b": "0/1", "c": "0/1"}),
        (("duels",), "signs"),
        (("duels",), "votes"),
        (("margins", "wins", 0, 1), 0),
    ]
    assert_each_spoilt_part_is_seen(maximal_lottery(CYCLE), spoilt)


def test_a_lottery_is_checked_against_its_source():
    with pytest.raises(ProofError, match="wins of 'a' over 'b'"):
        maximal_lottery(CYCLE).verify(CYCLE.break_ties().select(voters=["1", "2"]))


def test_an_unknown_kind_of_duels_is_refused():
    with pytest.raises(InputError, match="duels must be 'margins' or 'signs'; got 'votes'"):
        maximal_lottery(CYCLE, duels="votes")
