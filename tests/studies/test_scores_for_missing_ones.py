"""A score that stands for missing ones: every study says what it says of the board with the number filled in."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab import studies
from weightlab._result import result_from_dict
from weightlab.exceptions import WeightlabError
from weightlab.studies.resampling.missing_scores import taken_away

RULES = ["mean", "median", "borda", "plurality", "mean_rank", "instant_runoff", "copeland", "kemeny", "minimax"]
STUDIES = {
    "bootstrap": lambda board, rule, options: studies.bootstrap(board, rule, options=options, repeats=20, rng=0),
    "task_removal": lambda board, rule, options: studies.task_removal(
        board, [rule], options=options, repeats=5, rng=0, top=2
    ),
    "task_addition": lambda board, rule, options: studies.task_addition(
        board, [rule], options=options, repeats=5, rng=0, top=2
    ),
    "irrelevant_models": lambda board, rule, options: studies.irrelevant_models(
        board, [rule], options=options, repeats=5, rng=0
    ),
    "single_changes": lambda board, rule, options: studies.single_changes(board, [rule], options=options),
    "rank_sets": lambda board, rule, options: studies.rank_sets(board, rule, options=options, repeats=100, rng=0),
}
GAPS = [[90, 80, 70, 66], [85, None, 75, 50], [70, 85, 60, 81], [60, 70, None, 40]]


def board_of(rows):
    return wl.Leaderboard(rows, models=list("abcd"), tasks=[f"t{place}" for place in range(len(rows[0]))])


def filled(rows, number):
    return [[number if score is None else score for score in row] for row in rows]


def said(study, board, rule, options):
    """Return the sentence and the tables of a study, or that it refuses, and the study."""
    try:
        found = STUDIES[study](board, rule, options)
    except WeightlabError as error:
        return type(error), None
    words = "".join([str(found), found.summary().to_string(), found.to_frame().to_string()])
    return re.sub(r" ?\(missing=65\)", "", words).split(), found


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("rule", RULES)
def test_a_study_is_that_of_the_board_with_the_number_filled_in(study, rule):
    words, found = said(study, board_of(GAPS), rule, {"missing": 65})
    assert words == said(study, board_of(filled(GAPS, 65)), rule, {})[0]
    if found is not None:
        assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board_of(GAPS))


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("rule", ["mean", "borda", "copeland"])
@settings(max_examples=5)
@given(dice=DICE)
def test_so_it_is_wherever_scores_are_missing(study, rule, dice):
    rows = [
        [None if row and column and not dice.below(4) else 60 + dice.below(9) for column in range(5)]
        for row in range(4)
    ]
    words, _ = said(study, board_of(rows), rule, {"missing": 65})
    assert words == said(study, board_of(filled(rows, 65)), rule, {})[0]


@pytest.mark.parametrize("rule", RULES)
def test_scores_that_are_taken_away_count_as_the_number(rule):
    whole = board_of(filled(GAPS, 65))
    found = studies.missing_scores(whole, [rule], options={"missing": 65}, counts=[3], repeats=6, rng=0, top=2)
    assert found.verify(whole)
    best = wl.rules.rank(whole, rule).winners
    for draw in range(6):
        cells = np.argwhere(taken_away(~whole.cells.missing, 3, 0, draw)).tolist()
        gone = {(whole.models[row], whole.tasks[column]) for row, column in cells}
        rows = [
            [65 if (model, task) in gone else score for task, score in zip(whole.tasks, row, strict=True)]
            for model, row in zip(whole.models, filled(GAPS, 65), strict=True)
        ]
        kept = wl.rules.rank(board_of(rows), rule).winners
        (row,) = found.draws[found.draws["draw"] == draw].to_dict("records")
        if len(kept) == len(best) == 1:
            assert row["winners_kept"] == (kept == best)


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "copeland"])
def test_rank_sets_do_not_pass_over_unlisted_models(rule):
    with pytest.raises(WeightlabError, match="missing=NUMBER says what a missing score counts as") as caught:
        studies.rank_sets(board_of(GAPS), rule, options={"unlisted": "last"}, repeats=100)
    assert [cure.argument for cure in caught.value.cure] == [".complete"]
    assert studies.rank_sets(board_of(filled(GAPS, 65)), rule, options={"unlisted": "last"}, repeats=100).verify()
