"""Head-to-heads that rest on missing scores: by definition, forged, on real tables with the gaps filled in."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

import weightlab as wl
from tests import brute_force
from tests.graph.corruption import assert_each_spoilt_field_is_seen, travelled
from tests.strategies import boards
from weightlab.exceptions import ProofError
from weightlab.graph import missing_score_pairs

BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": None, "b": 1, "c": 0}, "z": {"a": 4, "b": 5, "c": 3}},
    weights={"z": "1/2"},
)
SMALL = Fraction(1, 10**40)
WAYS = {"as ties": 0, "as the worst": 1, "as the best": -1}


def filled(board, way):
    """Return the board with its missing scores beyond all others and every tolerance: 1 the best, -1 the worst."""
    sizes = np.abs(board.cells.floats)
    far = (np.nanmax(sizes) + 1) * 10**6
    ends = [far * (-way if task in board.lower_is_better else way) for task in board.tasks]
    scores = board.scores.astype(object).where(~board.missing, [ends] * len(board.models))
    return wl.Leaderboard(scores, **board.declarations.options())


def resting(board):
    """Return who wins by each way, each told from a table of its own, of the pairs for which they differ."""
    tables = {"as ties": board, "as the worst": filled(board, -1), "as the best": filled(board, 1)}
    margins = {way: table.margins() for way, table in tables.items()}
    found = {}
    for one, other in combinations(board.models, 2):
        leads = {way: counted.margin(one, other) for way, counted in margins.items()}
        ways = {way: one if lead > 0 else other if lead < 0 else "" for way, lead in leads.items()}
        if len(set(ways.values())) > 1:
            found[one, other] = ways
    return found


def by_definition(board):
    """Return the same pair by pair and task by task: who has a score leads who has none, trails, or ties."""
    found = {}
    for one, other in combinations(board.models, 2):
        leads = dict.fromkeys(WAYS, Fraction(0))
        for task in board.tasks:
            there, weight = brute_force.scores(board)[task], brute_force.weights(board)[task]
            for way, turn in WAYS.items():
                alone = turn * ((one in there) - (other in there))
                leads[way] += weight * (alone or brute_force.sign(board, one, other, task))
        ways = {way: one if lead > 0 else other if lead < 0 else "" for way, lead in leads.items()}
        if len(set(ways.values())) > 1:
            found[one, other] = ways
    return found


@given(boards(tolerant=True))
def test_a_pair_is_listed_exactly_when_its_winner_differs_by_definition(board):
    found = travelled(missing_score_pairs(board))
    expected = by_definition(board)
    assert found.pairs == tuple(expected)
    assert found.verify(board)
    rows = found.summary().to_dict("records")
    assert rows == [{"model": one, "rival": other, **ways} for (one, other), ways in expected.items()]


@pytest.mark.parametrize(("weight", "pairs"), [(1 - SMALL, 1), (Fraction(1), 1), (1 + SMALL, 0)])
def test_weights_that_no_double_tells_apart_count_exactly(weight, pairs):
    scores = {"x": {"a": 1, "b": 0}, "y": {"a": 0, "b": None}, "z": {"a": None, "b": 1}, "k": {"a": 1, "b": 1}}
    found = missing_score_pairs(wl.Leaderboard(scores, weights={"x": weight, "y": 2, "k": SMALL}))
    assert len(found.pairs) == pairs
    assert found.verify()


def test_each_spoilt_field_is_seen():
    found = missing_score_pairs(BOARD)
    assert found.pairs == (("a", "b"),)
    complete = wl.Leaderboard(BOARD.scores.fillna(3)).signs()
    spoilt = {
        "pairs": [(), (("a", "c"),), (("b", "a"),), (("a", "b"), ("a", "c")), (("a", "b"), ("a", "b"))],
        "weights": [found.weights * [1, 0, 0], found.weights * -1],
        "signs": [complete],
    }
    assert_each_spoilt_field_is_seen(found, spoilt)
    for other in (BOARD.replace(weights={"y": 3}), wl.Leaderboard(BOARD.scores.fillna(1), weights=BOARD.weights)):
        with pytest.raises(ProofError):
            found.verify(other)


@pytest.mark.parametrize(("name", "count", "every"), [("glue", 5, 4950), ("superglue", 28, 276), ("value", 0, 21)])
def test_real_tables_tell_how_many_pairs_rest_on_missing_scores(shared_data, name, count, every):
    board = wl.read_leaderboard(shared_data / "votenrank" / f"{name}.csv")
    found = missing_score_pairs(board)
    assert len(found.pairs) == count
    assert str(found).startswith(f"{count or 'None'} of {every:,} head-to-heads depend")
    assert found.verify(board)
    assert found.pairs == tuple(resting(board)) == tuple(by_definition(board))
