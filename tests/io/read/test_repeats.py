"""Tables with a row a repeat: exact means, and how far they are to be trusted."""

from __future__ import annotations

import io
import warnings
from fractions import Fraction
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE

TABLE = "model,seed,acc,f1\nada,1,0.5,1\nbo,1,0.6,1\nada,2,0.7,2\nbo,2,0.6,2\n"


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), **options)


def test_the_score_is_the_mean_over_the_repeats_and_its_error_beside():
    board = read(TABLE, repeats_by="seed")
    assert (board.models, board.tasks) == (("ada", "bo"), ("acc", "f1"))
    assert board.cells.column(0) == [Fraction(3, 5), Fraction(3, 5)]
    assert board.standard_errors.to_numpy().tolist() == [[pytest.approx(0.1), 0.5], [0, 0.5]]


@given(dice=DICE)
def test_means_and_errors_are_those_of_the_definition(dice):
    values = {model: [dice.one_of((None, 0, 1, 0.25, 7)) for _ in range(4)] for model in ("ada", "bo", "cy")}
    for own in values.values():
        own[0] = 2
    rows = dice.shuffled([(model, seed) for model in values for seed in range(4)])
    text = "".join(
        f"{seed},{model},{'' if values[model][seed] is None else values[model][seed]}\n" for model, seed in rows
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wl.io.ResultsWarning)
        board = read("seed,model,x\n" + text, repeats_by="seed")
    for model, own in values.items():
        there = [Fraction(value) for value in own if value is not None]
        row = board.models.index(model)
        assert board.cells.column(0)[row] == sum(there) / Fraction(len(there))
        error = board.standard_errors.loc[model, "x"]
        if len(there) == 1:
            assert np.isnan(error)
        else:
            assert error == pytest.approx(stdev(map(float, there)) / len(there) ** 0.5)


def test_models_with_other_repeats_are_named_in_a_warning():
    with pytest.warns(wl.io.ResultsWarning) as caught:
        board = read(TABLE.replace("bo,2,0.6", "bo,2,"), repeats_by="seed")
    assert board.standard_errors.loc["bo"].isna().tolist() == [True, False]
    assert [str(one.message) for one in caught] == [
        "Means over unequal repeats: 'bo' on 'acc' (1 of 2).",
        "Each task counts by its own weight, however many repeats it has ('acc' 1.5, 'f1' 2).",
    ]


@given(dice=DICE)
def test_tasks_that_weigh_as_many_repeats_as_they_have_give_the_mean_of_all_repeats(dice):
    counts = {task: dice.between(1, 4) for task in "xyz"}
    runs = {
        (model, task): [dice.between(50, 59) for _ in range(count)]
        for model in ("ada", "bo")
        for task, count in counts.items()
    }
    text = "".join(
        f"{model},{task},{seed},{score}\n" for (model, task), own in runs.items() for seed, score in enumerate(own)
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board = read("model,dataset,seed,score\n" + text, repeats_by="seed", weights_from="seed", accept_reading=True)
    assert board.weights.to_dict() == counts
    means = wl.rules.rank(board, "mean").scores
    for model in ("ada", "bo"):
        every = [score for (name, _), own in runs.items() if name == model for score in own]
        assert means[model] == Fraction(sum(every), len(every))
    told = [str(one.message) for one in caught if "Each repeat counts once" in str(one.message)]
    assert bool(told) == (len(set(counts.values())) > 1)


def test_a_task_weighs_as_many_repeats_as_a_model_has_in_the_mean():
    with pytest.warns(wl.io.ResultsWarning) as caught:
        board = read(TABLE.replace("bo,2,0.6", "bo,2,"), repeats_by="seed", weights_from="seed")
    assert board.weights.to_dict() == {"acc": Fraction(3, 2), "f1": 2}
    assert "Each repeat counts once: tasks weigh as many as a model has on them ('acc' 1.5, 'f1' 2)." in [
        str(one.message) for one in caught
    ]
    with pytest.raises(wl.FileFormatError, match="weights are declared, too; give one of them"):
        read(TABLE, repeats_by="seed", weights_from="seed", weights={"acc": 2})


@pytest.mark.parametrize(
    ("text", "options", "fault"),
    [
        (TABLE, {}, "line 4: model 'ada' is already in line 2"),
        (TABLE.replace("ada,2", "ada,1"), {"repeats_by": "seed"}, "line 4: model 'ada', seed '1' is already in line 2"),
        (TABLE, {"repeats_by": "fold"}, "repeats_by: no column named 'fold'"),
        (TABLE.replace("f1", "acc_stderr"), {"repeats_by": "seed"}, "column 'acc' has standard errors, and those of"),
        (
            TABLE.replace("bo,1,0.6,1\n", "bo,1,,\n").replace("bo,2,0.6,2", "bo,2,,"),
            {"repeats_by": "seed"},
            "model 'bo'",
        ),
    ],
)
def test_repeats_that_cannot_be_told_apart_are_refused(text, options, fault):
    with pytest.raises(wl.FileFormatError) as refused:
        read(text, **options)
    assert refused.value.faults[0].startswith(fault)
