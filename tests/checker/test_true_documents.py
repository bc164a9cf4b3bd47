from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.checker.documents import (
    about_rankings,
    about_weights,
    board,
    code_of,
    contradiction,
    csv_of,
    document_of,
    spaces,
)
from weightlab import checker


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("place", range(7))
def test_what_is_proved_about_weights_is_accepted_with_and_without_the_table(seed, place):
    frame = board(seed)
    for result in about_weights(frame, spaces(list(frame))[place]):
        assert result.verify(wl.Leaderboard(frame))
        document = document_of(result)
        expected = 3 if result.proof != "exact" else 0
        assert code_of(document, csv_of(frame))[0] == expected, code_of(document, csv_of(frame))
        assert code_of(document)[0] == expected


@pytest.mark.parametrize("seed", range(0, 24, 2))
def test_what_is_proved_about_rankings_is_accepted_with_and_without_the_table(seed):
    frame = board(seed, models=3 + seed % 4, tasks=3 + seed % 3, highest=30)
    for result in about_rankings(frame):
        for table in (csv_of(frame), None):
            assert code_of(document_of(result), table)[0] == 0, (result, code_of(document_of(result), table))


def test_conditions_that_contradict_each_other_are_accepted():
    frame = board(2)
    code, words = code_of(document_of(contradiction(frame)), csv_of(frame))
    assert code == 0
    assert words.startswith("contradiction: no weights meet these 2 conditions together, and none of them can be")


def test_a_consensus_has_every_structure():
    frame = board(0, models=3, tasks=3) * 0
    for place, score in enumerate((3.0, 2.0, 1.0)):
        frame.iloc[place] = score
    assert [code_of(document_of(one), csv_of(frame))[0] for one in about_rankings(frame)] == [0] * 10


def test_a_block_of_many_models_is_proved_by_its_bound_or_said_to_rest_on_more():
    frame = board(6, models=24, tasks=3, highest=1000)
    found = wl.graph.slater(wl.Leaderboard(frame))
    assert max(len(block.models) for block in found.blocks) > checker.SEARCHED
    code, words = code_of(document_of(found), csv_of(frame))
    assert code == 3
    assert "not checked: how many orders of" in words


def test_a_kind_that_is_not_known_is_named_as_not_checked():
    frame = board(2)
    code, words = code_of(document_of(wl.lp.winning_region(wl.Leaderboard(frame), "m0")), csv_of(frame))
    assert code == 3
    assert words.startswith("winning_region: not checked, a kind that is not known here.")


def test_an_unknown_part_beside_known_ones_does_not_hide_what_was_checked():
    frame = board(2)
    table = wl.Leaderboard(frame)
    results = [wl.lp.winning_region(table, "m0"), wl.lp.prospect(table, "m1")]
    code, words = code_of({"results": [document_of(one) for one in results]}, csv_of(frame))
    assert code == 3
    assert "\nprospect: m1 can " in words


def test_tolerances_are_a_form_that_is_not_read():
    table = wl.Leaderboard(board(2), tolerance={"t0": 1})
    code, words = code_of(document_of(wl.lp.prospects(table)))
    assert code == 3
    assert "tie within a tolerance" in words


def test_a_group_is_compared_where_it_is_declared():
    frame = board(2)
    result = wl.lp.weight_ranges(wl.Leaderboard(frame, groups={"g": ["t0", "t1"]}), "m0")
    document = document_of(result)
    assert code_of(document, csv_of(frame))[0] == 3
    text = json.dumps(document)
    declared = checker.declared_in('[groups]\ng = ["t1", "t0"]')
    assert checker.check(text, csv_of(frame), declared).code == 0
    with pytest.raises(checker.FalseClaimError, match="stands for other tasks"):
        checker.check(text, csv_of(frame), checker.declared_in('[groups]\ng = ["t1"]'))
