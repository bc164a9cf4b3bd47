"""A leaderboard holds what was measured and what is declared about it, and cannot be changed."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import FEWER, boards, decimal_of, frames
from weightlab._validate import is_missing
from weightlab.exceptions import InputError, UnknownNameError

SCORES = pd.DataFrame({"accuracy": [0.9, 0.8, None], "nli": [1, 2, 3], "seconds": [3, 1, 2]}, index=["ada", "bo", "cy"])


def board(**options):
    return wl.Leaderboard(
        SCORES,
        **{
            "lower_is_better": "seconds",
            "weights": {"nli": "0.1"},
            "groups": {"nli": ["nli", "accuracy"], "speed": "seconds"},
            **options,
        },
    )


@FEWER
@given(frames(cells=decimal_of))
def test_a_leaderboard_holds_the_names_and_scores_it_was_given(frame):
    made = wl.Leaderboard(frame)
    assert (made.models, made.tasks) == (tuple(frame.index), tuple(frame.columns))
    for task in made.tasks:
        column = made.cells.column(made.tasks.index(task))
        assert column == [None if is_missing(text) else Fraction(Decimal(text)) for text in frame[task]]


def test_what_is_declared_can_be_read():
    made = board(tolerance={"accuracy": 0.1}, relative_tolerance={"nli": "1/3", "seconds": 0})
    assert made.lower_is_better == ("seconds",)
    assert made.weights.to_dict() == {"accuracy": 1, "nli": Fraction(1, 10), "seconds": 1}
    assert all(isinstance(weight, Fraction) for weight in made.weights)
    assert dict(made.groups) == {"nli": ("accuracy", "nli"), "speed": ("seconds",)}
    assert dict(made.tolerance) == {"accuracy": Fraction(1, 10)}
    assert dict(made.relative_tolerance) == {"nli": Fraction(1, 3)}


def test_nothing_declared_means_higher_is_better_equal_weights_and_no_tolerance():
    made = wl.Leaderboard(SCORES)
    assert (made.lower_is_better, dict(made.groups)) == ((), {})
    assert made.weights.tolist() == [1, 1, 1]
    assert not made.tolerance
    assert not made.relative_tolerance


def test_one_number_is_the_tolerance_of_every_task():
    assert dict(board(tolerance="0.1").tolerance) == dict.fromkeys(SCORES.columns, Fraction(1, 10))
    assert dict(board(relative_tolerance=Fraction(1, 3)).relative_tolerance) == dict.fromkeys(SCORES, Fraction(1, 3))


@pytest.mark.parametrize(
    "weights",
    [
        {"accuracy": 2, "nli": "1/3", "seconds": 0.5},
        pd.Series({"seconds": 0.5, "nli": "1/3", "accuracy": 2}),
        [2, Fraction(1, 3), Decimal("0.5")],
        (2, "1/3", np.float32(0.5)),
    ],
)
def test_weights_come_in_many_shapes(weights):
    assert board(weights=weights).weights.tolist() == [2, Fraction(1, 3), Fraction(1, 2)]


@pytest.mark.parametrize(
    "scores",
    [
        SCORES.to_dict(),
        SCORES.to_dict("list") | {"": None},
        [[0.9, 1, 3], [0.8, 2, 1]],
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        SCORES["nli"],
        {"x": SCORES["nli"]},
    ],
    ids=["columns of dicts", "lists", "rows", "array", "Series", "dict of Series"],
)
def test_scores_come_as_anything_that_makes_a_frame(scores):
    if isinstance(scores, dict):
        scores.pop("", None)
    frame = scores.to_frame() if isinstance(scores, pd.Series) else pd.DataFrame(scores)
    assert wl.Leaderboard(scores).equals(wl.Leaderboard(frame))


def test_names_that_are_no_text_become_text():
    made = wl.Leaderboard(pd.DataFrame([[1, 2], [3, 4]], index=[10, 9], columns=[True, 7]), weights={7: 2})
    assert (made.models, made.tasks) == (("10", "9"), ("True", "7"))
    assert made.weights["7"] == 2
    assert made.select(models=[9, "10"]).models == ("9", "10")


def test_missing_scores_stay_missing():
    made = board()
    assert made.missing_cells == (("cy", "accuracy"),)
    assert made.missing.to_numpy().sum() == 1
    assert made.missing.loc["cy", "accuracy"]
    assert np.isnan(made.scores.loc["cy", "accuracy"])


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        (SCORES, "Leaderboard: 3 models x 3 tasks, 1 missing score"),
        (SCORES[["nli"]], "Leaderboard: 3 models x 1 task"),
        (SCORES.replace(0.8, np.nan), "Leaderboard: 3 models x 3 tasks, 2 missing scores"),
    ],
)
def test_a_leaderboard_says_its_size(scores, text):
    assert repr(wl.Leaderboard(scores)) == text


def test_names_are_no_markup_in_notebooks():
    page = wl.Leaderboard({"<b>": {"<i>x</i>": 1, "&": 2}})._repr_html_()
    assert "<i>" not in page
    assert "&lt;i&gt;" in page


def test_a_notebook_shows_scores_directions_and_weights_and_folds_long_tables():
    scores = pd.DataFrame({"f1": range(40), "seconds": range(40)}, index=[f"m{row}" for row in range(40)])
    page = wl.Leaderboard(scores, lower_is_better="seconds", weights={"f1": "1/2"})._repr_html_()
    assert page.startswith(
        "<div><p>Leaderboard: 40 models x 2 tasks; lower is better: seconds; weights: f1 1/2, the others 1</p>"
    )
    assert page.index("m14<") < page.index("<details>") < page.index("m15<")


# Immutability ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["models", "tasks", "scores", "cells", "weights", "groups", "lower_is_better", "new"])
def test_no_part_can_be_replaced(name):
    with pytest.raises(AttributeError):
        setattr(board(), name, None)


def test_what_a_leaderboard_hands_out_is_a_copy_or_cannot_be_changed():
    made, untouched = board(), board()
    for handed_out, value in ((made.scores, 5.0), (made.weights, Fraction(5)), (made.missing, True)):
        handed_out.iloc[0] = value
        assert np.all(handed_out.iloc[0] == value)
    for mapping in (made.groups, made.tolerance, made.relative_tolerance):
        with pytest.raises(TypeError):
            mapping["nli"] = ()
    assert made.equals(untouched)


def test_a_leaderboard_does_not_change_with_what_it_was_made_from():
    frame, weights, members, lower = SCORES.copy(), {"nli": 2}, ["nli"], ["seconds"]
    made = wl.Leaderboard(frame, weights=weights, groups={"g": members}, lower_is_better=lower)
    frame.iloc[0, 0], weights["nli"] = 5, 7
    members.append("accuracy")
    lower.append("nli")
    assert made.equals(wl.Leaderboard(SCORES, weights={"nli": 2}, groups={"g": ["nli"]}, lower_is_better=["seconds"]))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@FEWER
@given(made=boards(tolerant=True))
def test_a_leaderboard_survives_pickling(protocol, made):
    back = pickle.loads(pickle.dumps(made, protocol))  # noqa: S301 (our own pickle)
    assert back.equals(made)
    assert not back.cells.floats.flags.writeable


@FEWER
@given(boards(tolerant=True))
def test_copies_are_equal(made):
    assert copy.copy(made).equals(made)
    assert copy.deepcopy(made).equals(made)


def test_leaderboards_are_told_apart_by_identity_and_compared_by_equals():
    one, other = board(), board()
    assert one != other
    assert len({one, other}) == 2
    assert one.equals(other)


@pytest.mark.parametrize(
    "changed",
    [
        {"lower_is_better": ()},
        {"weights": {"nli": 0.2}},
        {"groups": {}},
        {"tolerance": 1},
        {"relative_tolerance": {"nli": 1}},
    ],
)
def test_other_declarations_make_another_leaderboard(changed):
    assert not board().equals(board(**changed))


@pytest.mark.parametrize(
    "scores",
    [
        SCORES.rename(index={"ada": "eve"}),
        SCORES.rename(columns={"nli": "qa"}),
        SCORES.iloc[::-1],
        SCORES.replace(0.9, 0.90000000001),
        SCORES.astype(object).replace(0.9, Decimal("0.90000000000000000001")),
        SCORES.fillna(0),
    ],
)
def test_other_scores_or_names_make_another_leaderboard(scores):
    assert not wl.Leaderboard(SCORES).equals(wl.Leaderboard(scores))


# Choosing -------------------------------------------------------------------------------------------------------------


@given(boards(models=(2, 5), tasks=(1, 4), missing=False, tolerant=True), st.data())
def test_selecting_keeps_scores_and_declarations_of_what_is_kept(made, data):
    rows = data.draw(st.lists(st.sampled_from(made.models), min_size=2, unique=True))
    tasks = data.draw(st.lists(st.sampled_from(made.tasks), min_size=1, unique=True))
    kept = tuple(task for task in made.tasks if task in tasks)
    if not any(made.weights[task] for task in kept):
        with pytest.raises(InputError, match=r"^all tasks that stay have weight 0$"):
            made.select(models=rows, tasks=tasks)
        return
    chosen = made.select(models=rows, tasks=tasks)
    assert (chosen.models, chosen.tasks) == (tuple(rows), kept)
    assert chosen.scores.equals(made.scores.loc[rows, list(kept)])
    assert chosen.weights.equals(made.weights[list(kept)])
    assert chosen.lower_is_better == tuple(task for task in made.lower_is_better if task in kept)
    assert dict(chosen.tolerance) == {task: size for task, size in made.tolerance.items() if task in kept}
    assert chosen.relative_tolerance.keys() == made.relative_tolerance.keys() & set(kept)
    shrunk = {name: tuple(task for task in members if task in kept) for name, members in made.groups.items()}
    assert dict(chosen.groups) == {name: members for name, members in shrunk.items() if members}


@FEWER
@given(boards())
def test_selecting_everything_changes_nothing(made):
    assert made.select().equals(made)
    assert made.select(models=made.models, tasks=made.tasks).equals(made)


def test_models_are_kept_in_the_order_given_and_once():
    assert board().select(models=["cy", "ada", "cy"]).models == ("cy", "ada")


def test_tasks_are_kept_in_board_order_whatever_names_them():
    made = board()
    assert made.select(tasks=["seconds", "accuracy"]).tasks == ("accuracy", "seconds")
    assert made.select(models=["ada", "bo"], tasks="nli").tasks == ("nli",)
    assert made.select(tasks=wl.group("nli")).tasks == ("accuracy", "nli")
    assert made.select(tasks=["seconds", wl.group("nli")]).tasks == ("accuracy", "nli", "seconds")
    assert made.tasks_named("nli") == ("nli",)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"models": ["eda", "bo"]},
            "no model named 'eda'; the leaderboard has 'ada', 'bo', 'cy' (did you mean 'ada'?)",
        ),
        ({"models": "eve"}, "no model named 'eve'; the leaderboard has 'ada', 'bo', 'cy'"),
        ({"tasks": "acuracy"}, "no task named 'acuracy'; the leaderboard has 'accuracy', 'nli', 'seconds'"),
        (
            {"tasks": [wl.group("nil")]},
            "no group named 'nil'; the leaderboard has 'nli', 'speed' (did you mean 'nli'?)",
        ),
    ],
)
def test_unknown_names_are_refused(chosen, message):
    with pytest.raises(UnknownNameError) as caught:
        board().select(**chosen)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"models": "ada"}, "a leaderboard needs at least two models; got 1: 'ada'"),
        ({"models": []}, "a leaderboard needs at least two models; got 0"),
        ({"tasks": []}, "a leaderboard needs at least one task; got none"),
        ({"models": ["ada", "cy"], "tasks": "accuracy"}, "model 'cy' has no score at all"),
    ],
)
def test_what_is_kept_must_be_a_leaderboard(chosen, message):
    with pytest.raises(InputError) as caught:
        board().select(**chosen)
    assert str(caught.value) == message


@FEWER
@given(boards(models=(2, 6)))
def test_complete_models_are_those_with_every_score(made):
    full = [model for model in made.models if not made.missing.loc[model].any()]
    if len(full) < 2:
        verb = "has" if len(full) == 1 else "have"
        with pytest.raises(InputError) as caught:
            made.complete()
        start = f"only {len(full)} of {len(made.models)} models {verb} every score"
        assert str(caught.value).startswith(f"{start}; a leaderboard needs two")
    else:
        assert made.complete().equals(made.select(models=full))


# Cells that are exact already -----------------------------------------------------------------------------------------


@FEWER
@given(boards(tolerant=True))
def test_a_leaderboard_of_cells_is_the_leaderboard(made):
    again = wl.Leaderboard.from_cells(
        made.models,
        made.tasks,
        made.cells,
        lower_is_better=made.lower_is_better,
        weights=made.weights,
        groups=made.groups,
        tolerance=made.tolerance,
        relative_tolerance=made.relative_tolerance,
    )
    assert again.equals(made)


def test_cells_must_fit_the_names():
    made = board()
    with pytest.raises(InputError, match=r"^2 models x 3 tasks for cells of shape \(3, 3\)$"):
        wl.Leaderboard.from_cells(("ada", "bo"), made.tasks, made.cells)
    with pytest.raises(InputError, match="duplicate model name 'ada'"):
        wl.Leaderboard.from_cells(("ada", "bo", "ada"), made.tasks, made.cells)
