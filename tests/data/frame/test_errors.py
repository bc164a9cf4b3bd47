"""Standard errors stand beside the scores, travel with them, and decide no duel."""

from __future__ import annotations

import json
from fractions import Fraction
from statistics import stdev

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.data.frame.errors import standard_error

ERRORS = (None, 0, "0.5", Fraction(1, 3), 0.1, Fraction(1, 7), "0.12345678901234567890")
SCORES = pd.DataFrame({"f1": [0.9, 0.8, 0.7], "s": [3, None, 1]}, index=["ada", "bo", "cy"], dtype=object)
GIVEN = pd.DataFrame({"s": [0.5, None], "f1": [Fraction(1, 3), 0.01]}, index=["cy", "bo"], dtype=object)


def board(errors=GIVEN, **options):
    return wl.Leaderboard(SCORES, standard_errors=errors, **options)


def refusal(errors):
    with pytest.raises(wl.InputError) as refused:
        board(errors)
    return list(refused.value.faults)


def rolled_board(dice):
    """Return a board in which some scores have a standard error."""
    models, tasks = [f"m{at}" for at in range(dice.between(2, 4))], [f"t{at}" for at in range(dice.between(1, 3))]
    rolled = {task: dice.many_of((1, 2, "0.25", None), len(models)) for task in tasks}
    scores = pd.DataFrame(rolled, index=models, dtype=object)
    scores.iloc[0], scores.iloc[:, 0] = 1, 2
    errors = pd.DataFrame({task: dice.many_of(ERRORS, len(models)) for task in tasks}, index=models, dtype=object)
    return wl.Leaderboard(scores, standard_errors=errors.where(scores.notna(), None)), scores, errors


def error_of(board, model, task):
    """Return the exact standard error of one score, or None."""
    if board.error_cells is None:
        return None
    return board.error_cells.column(board.tasks.index(task))[board.models.index(model)]


@given(dice=DICE)
def test_every_score_keeps_its_own_error_through_selection_and_documents(dice):
    made, scores, errors = rolled_board(dice)
    models, tasks = dice.shuffled(made.models), ["t0", *dice.some_of(made.tasks[1:])]
    part = made.select(models=models, tasks=tasks)
    again = wl.Leaderboard.from_dict(json.loads(json.dumps(part.to_dict())))
    assert again.equals(part)
    for model in models:
        for task in tasks:
            written = errors.loc[model, task] if pd.notna(scores.loc[model, task]) else None
            exact = None if written is None else Fraction(str(written))
            assert error_of(part, model, task) == exact
            assert error_of(again, model, task) == exact


@given(dice=DICE)
def test_an_error_that_changes_is_another_board_and_no_other_duel(dice):
    made, scores, _ = rolled_board(dice)
    row, column = dice.one_of(made.models), dice.one_of(made.tasks)
    errors = made.standard_errors.astype(object)
    errors.loc[row, column] = None if error_of(made, row, column) is not None else 9
    if pd.isna(scores.loc[row, column]):
        return
    other = wl.Leaderboard(scores, standard_errors=errors)
    assert not other.equals(made)
    assert other.margins().array.tolist() == made.margins().array.tolist()
    with pytest.raises(wl.ProofError, match="the standard error of "):
        made.ensure_same(other)


def test_rows_and_columns_come_in_any_order_and_may_be_fewer():
    made = board()
    assert error_of(made, "cy", "f1") == Fraction(1, 3)
    assert made.standard_errors.isna().sum().sum() == 3
    assert repr(made) == "Leaderboard: 3 models x 2 tasks, 1 missing score, 3 standard errors"
    assert made.equals(board({"s": {"cy": 0.5}, "f1": {"cy": Fraction(1, 3), "bo": 0.01}}))


def test_a_table_without_names_has_those_of_the_scores():
    errors = np.array([[0.1, 0.2], [0.3, np.nan], [0.4, 0.5]])
    made = board(errors)
    assert made.standard_errors.to_numpy(na_value=-1).tolist() == [[0.1, 0.2], [0.3, -1], [0.4, 0.5]]
    assert board({"f1": [0.1, 0.3, 0.4], "s": [0.2, None, 0.5]}).equals(made)


@pytest.mark.parametrize("errors", [None, {}, GIVEN.where(GIVEN.isna()), pd.DataFrame(index=["ada"])])
def test_no_error_at_all_is_a_board_without_any(errors):
    made = board(errors)
    assert made.error_cells is None
    assert made.standard_errors.isna().all().all()
    assert "standard_errors" not in made.to_dict()
    assert made.equals(wl.Leaderboard(SCORES))


def test_an_error_of_0_is_said_and_is_no_absent_one():
    made = board({"f1": {"ada": 0}})
    assert made.to_dict()["standard_errors"] == {"f1": ["0/1", None, None]}
    assert not made.equals(board(None))


@pytest.mark.parametrize(
    ("errors", "faults"),
    [
        ({"f1": {"ada": -0.5}}, ["model 'ada', task 'f1' has a negative standard error"]),
        ({"s": {"bo": 0.5}}, ["model 'bo', task 's' has a standard error and no score"]),
        (
            {"g": {"dee": 1}},
            [
                "standard errors: no model named 'dee'; the leaderboard has 'ada', 'bo', 'cy'",
                "standard errors: no task named 'g'; the leaderboard has 'f1', 's'",
            ],
        ),
        ({"f1": {"ada": "much"}}, ["standard errors: model 'ada', task 'f1': 'much' is not a number"]),
        (3, ["standard errors: a table of scores is needed; got 3"]),
    ],
)
def test_errors_that_cannot_be_are_refused(errors, faults):
    assert refusal(errors) == faults


def test_other_weights_and_cells_keep_the_errors_that_still_have_a_score():
    made = board()
    assert made.replace(weights={"s": 2}).standard_errors.equals(made.standard_errors)
    gone = made.cells.missing.copy()
    gone[2] = [True, False]
    assert error_of(made.replace(cells=made.cells.where(~gone)), "cy", "f1") is None
    assert made.complete().error_cells is not None


@pytest.mark.parametrize(
    "document",
    [
        {"standard_errors": {"f1": ["1", None]}},
        {"standard_errors": {"f1": ["-1", None, None]}},
        {"standard_errors": {"f1": [1, None, None]}},
        {"standard_errors": {"s": [None, "1", None]}},
        {"standard_errors": {"t": ["1", None, None]}},
        {"standard_errors": [1]},
    ],
)
def test_documents_of_no_standard_errors_are_refused(document):
    with pytest.raises(wl.InputError):
        wl.Leaderboard.from_dict(board(None).to_dict() | document)


@pytest.mark.parametrize("rule", ["copeland", "mean", "borda"])
def test_a_result_that_carries_a_table_carries_its_errors_and_checks_them(rule):
    source = board().complete()
    document = json.loads(json.dumps(wl.rules.rank(source, rule).to_dict()))
    assert result_from_dict(document).verify(source)
    document["source"]["standard_errors"]["f1"][0] = "7"
    with pytest.raises(wl.ProofError, match="the standard error of 'ada' on 'f1' is None in the source, not 7"):
        result_from_dict(document).verify(source)


def test_the_standard_error_of_a_mean_is_the_root_of_the_sample_variance_over_the_count():
    values = [Fraction(3, 10), Fraction(1, 3), Fraction(5, 7), Fraction(2)]
    assert standard_error(values) == pytest.approx(stdev(map(float, values)) / 2, rel=1e-14)
    assert np.isnan(standard_error([Fraction(1)]))
    assert standard_error([Fraction(1)] * 3) == 0
