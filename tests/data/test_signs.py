"""Signs are the operator R of Vote'n'Rank, section 3.2, equation (1): exact, with ties, gaps and tolerances."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests import brute_force
from tests.strategies import FEWER, boards, decimal_of
from weightlab.data.signs import Places, TolerantColumn
from weightlab.exceptions import InputError, UnknownNameError


def two(one, other, **options):
    """Return the sign of a first score over a second one on a single task."""
    board = wl.Leaderboard(pd.DataFrame({"x": [one, other]}, index=["a", "b"], dtype=object), **options)
    return int(board.signs().duel("a", "b")["x"])


def as_dict(signs):
    """Return {(model, rival, task): sign} from the matrices of all models."""
    return {
        (model, rival, task): int(signs.over_all(row)[other, column])
        for row, model in enumerate(signs.models)
        for other, rival in enumerate(signs.models)
        for column, task in enumerate(signs.tasks)
    }


@given(boards())
def test_signs_are_those_of_the_definition(board):
    assert as_dict(board.signs()) == brute_force.signs(board)


@given(boards(cells=decimal_of, models=(2, 4)))
def test_signs_compare_the_decimals_that_were_written(board):
    assert as_dict(board.signs()) == brute_force.signs(board)


@given(boards(tolerant=True, models=(2, 5)))
def test_signs_within_a_tolerance_are_ties(board):
    assert as_dict(board.signs()) == brute_force.signs(board)


@FEWER
@given(boards(tolerant=True, cells=decimal_of, models=(2, 4), tasks=(1, 3)))
def test_tolerances_are_exact_for_all_decimals(board):
    assert as_dict(board.signs()) == brute_force.signs(board)


@FEWER
@given(boards(tolerant=True))
def test_signs_are_antisymmetric(board):
    signs = board.signs()
    for row in range(len(board.models)):
        for other in range(len(board.models)):
            assert (signs.over_all(row)[other] == -signs.over_all(other)[row]).all()


@FEWER
@given(boards(tolerant=True))
def test_all_views_of_the_signs_agree(board):
    signs = board.signs()
    for row, model in enumerate(board.models):
        rivals = tuple(one for one in board.models if one != model)
        assert signs.position(model) == row
        assert signs.rivals(model) == rivals
        assert signs.matrix(model).dtype == np.int8
        assert (np.delete(signs.over_all(row), row, axis=0) == signs.matrix(model)).all()
        frame = signs.of(model)
        assert (tuple(frame.index), tuple(frame.columns)) == (rivals, board.tasks)
        for rival in rivals:
            assert signs.duel(model, rival).equals(frame.loc[rival].rename(f"{model} over {rival}"))


@FEWER
@given(boards(tolerant=True))
def test_signs_survive_pickling_and_cannot_be_changed(board):
    signs = board.signs()
    signs.over_all(0)[0] = 5
    back = pickle.loads(pickle.dumps(signs))  # noqa: S301 (our own pickle)
    assert as_dict(back) == as_dict(signs) == brute_force.signs(board)
    assert not back.levels.flags.writeable
    assert not back.places.leading.flags.writeable
    assert back.tolerant.keys() == signs.tolerant.keys()


@FEWER
@given(boards())
def test_weights_play_no_part(board):
    other = wl.Leaderboard.from_cells(board.models, board.tasks, board.cells, lower_is_better=board.lower_is_better)
    assert as_dict(other.signs()) == as_dict(board.signs())


@FEWER
@given(boards())
def test_turning_a_direction_turns_the_signs(board):
    turned = wl.Leaderboard.from_cells(
        board.models,
        board.tasks,
        board.cells,
        lower_is_better=[task for task in board.tasks if task not in board.lower_is_better],
    )
    for row in range(len(board.models)):
        assert (turned.signs().over_all(row) == -board.signs().over_all(row)).all()


@pytest.mark.parametrize("kind", ["task", "model"])
def test_names_that_are_not_there_are_refused(kind):
    signs = wl.Leaderboard({"x": {"ada": 1, "bo": 2}}).signs()
    with pytest.raises(UnknownNameError, match=r"no model named 'eda'; .*did you mean 'ada'"):
        signs.matrix("eda") if kind == "model" else signs.duel("ada", "eda")


# What was written -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "sign"),
    [
        (0.1 + 0.2, 0.3, 1),
        ("0.30000000000000004", 0.3, 1),
        ("0.30000000000000000001", "0.3", 1),
        ("0.3", "0.300", 0),
        (0.3, Fraction(3, 10), 0),
        (np.float32(0.3), 0.3, 0),
        (2**53 + 1, 2**53, 1),
        (2**53 + 1, float(2**53), 1),
        (10**30 + 1, 10**30, 1),
        (Fraction(1, 3), 0.3333333333333333, 1),
        (-0.0, 0.0, 0),
        ("-0", 0, 0),
        ("1e-350", 0, 1),
        (True, 1, 0),
    ],
)
def test_scores_are_compared_as_written(one, other, sign):
    assert two(one, other) == sign
    assert two(other, one) == -sign
    assert two(one, other, lower_is_better="x") == -sign


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_score_leads_nobody_and_trails_nobody(missing):
    board = wl.Leaderboard(pd.DataFrame({"x": [1, missing, 0], "y": [1, 2, 3]}, index=list("abc"), dtype=object))
    for row, model in enumerate("abc"):
        assert board.signs().over_all(row)[1, 0] == 0, model
    assert board.signs().over_all(1)[:, 0].tolist() == [0, 0, 0]


def test_minus_infinity_of_missing_scores_is_no_score_when_lower_is_better():
    board = wl.Leaderboard({"x": {"a": 1, "b": None, "c": 0}, "y": dict.fromkeys("abc", 0)}, lower_is_better="x")
    assert board.signs().over_all(0)[:, 0].tolist() == [0, 0, -1]


# Tolerances -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "tolerance", "sign"),
    [
        (0.8, 0.7, 0.1, 0),  # in doubles 0.8 - 0.7 > 0.1
        (0.8, 0.7, "0.0999999999999999999", 1),
        (0.3, 0.2, "0.1", 0),
        (10**30, 0, 10**30, 0),
        (10**30 + 1, 0, 10**30, 1),
        (2**61 - 1, -(2**61 - 1), 2**62 - 2, 0),
        (2**61 - 1, -(2**61 - 1), 2**62 - 3, 1),
        (1, 2, 10**40, 0),
        (1, "1e-300", "1e-300", 1),
        (0.5, 0.5, 0, 0),
    ],
)
def test_scores_tie_when_they_differ_by_no_more_than_the_tolerance(one, other, tolerance, sign):
    for lower in (False, True):
        options = {"tolerance": tolerance, "lower_is_better": ["x"] if lower else []}
        assert two(one, other, **options) == (-sign if lower else sign)
        assert two(other, one, **options) == (sign if lower else -sign)


@pytest.mark.parametrize(
    ("one", "other", "share", "sign"),
    [
        (100, 90, "0.1", 0),  # 10 <= 0.1 * 100
        (100, 89, "0.1", 1),
        (-100, -90, "0.1", 0),
        (-89, -100, "0.1", 1),
        (1, -1, 2, 0),
        (1, -1, "1.9", 1),
        (0, 0, "0.1", 0),
        (1, 0, "0.9", 1),
        (1, 0, 1, 0),
        (0.3, 0.2, Fraction(1, 3), 0),
        (10**30, 10**30 - 1, "1e-30", 0),
        (10**30, 10**30 - 2, "1e-30", 1),
        (3 * 10**17, 2 * 10**17, "1/3", 0),
        (3 * 10**17 + 1, 2 * 10**17, "1/3", 1),
    ],
)
def test_a_relative_tolerance_is_a_share_of_the_larger_size(one, other, share, sign):
    for lower in (False, True):
        options = {"relative_tolerance": share, "lower_is_better": "x" if lower else ()}
        assert two(one, other, **options) == (-sign if lower else sign)
        assert two(other, one, **options) == (sign if lower else -sign)


def test_ties_within_a_tolerance_are_not_transitive():
    board = wl.Leaderboard({"x": {"a": 0.3, "b": 0.2, "c": 0.1}}, tolerance=0.1)
    signs = board.signs()
    assert (signs.duel("a", "b")["x"], signs.duel("b", "c")["x"], signs.duel("a", "c")["x"]) == (0, 0, 1)


def test_a_missing_score_ties_whatever_the_tolerance():
    board = wl.Leaderboard({"x": {"a": 100, "b": None, "c": 0}, "y": dict.fromkeys("abc", 0)}, tolerance={"x": 1})
    assert board.signs().over_all(0)[:, 0].tolist() == [0, 0, 1]
    assert board.signs().over_all(1)[:, 0].tolist() == [0, 0, 0]


def test_machine_integers_are_used_only_where_they_hold_every_product():
    small, large = (
        TolerantColumn.of([Fraction(most), Fraction(1)], Fraction(1, 3), relative=True) for most in (2, 2**61)
    )
    assert (small.numbers.dtype, large.numbers.dtype) == (np.int64, object)


# Places ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "dtype"),
    [(1, np.int8), (127, np.int8), (128, np.int16), (2**15 - 1, np.int16), (2**15, np.int32)],
)
def test_places_are_the_smallest_integers_that_hold_them_and_one_more(count, dtype):
    levels = np.arange(count, dtype=np.float64)[:, None]
    places = Places.of(levels)
    assert places.leading.dtype == places.led.dtype == dtype
    assert (places.leading[:, 0] == np.arange(count)).all()


@pytest.mark.parametrize("count", [127, 128, 2**15 - 1, 2**15])
def test_the_last_place_still_trails_no_missing_score(count):
    levels = np.arange(count, dtype=np.float64)[:, None]
    levels[0] = np.nan
    names = tuple(map(str, range(count)))
    signs = wl.Signs(models=names, tasks=("x",), levels=levels)
    last = signs.over_all(count - 1)[:, 0]
    assert (last[0], last[-1], set(last[1:-1].tolist())) == (0, 0, {1})
    assert not signs.over_all(0).any()


# JSON -----------------------------------------------------------------------------------------------------------------


@FEWER
@given(boards(tolerant=True, cells=decimal_of, models=(2, 4), tasks=(1, 3)))
def test_signs_survive_the_journey_through_json(board):
    signs = board.signs()
    back = wl.Signs.from_dict(json.loads(json.dumps(signs.to_dict(), allow_nan=False)))
    assert (back.models, back.tasks) == (signs.models, signs.tasks)
    assert as_dict(back) == as_dict(signs)


TOLERANT = {"values": [1, None, 3], "allowed": 0, "scale": 1, "relative": False}


def tolerant_signs(**changes):
    """Return the document of the signs of three models on one task with a tolerance."""
    return {"models": ["a", "b", "c"], "places": {"x": {**TOLERANT, **changes}}}


def test_the_least_tolerance_and_scale_are_read():
    assert as_dict(wl.Signs.from_dict(tolerant_signs()))["a", "c", "x"] == -1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        *(
            ({name: value}, "a whole number is needed")
            for name in ("allowed", "scale")
            for value in (1.0, "1", True, None)
        ),
        *(({"values": [1, value, 3]}, "a whole number is needed") for value in (2.0, "2", True)),
        ({"allowed": -1}, "a tolerance of -1 in units of 1/1 is none"),
        ({"scale": 0}, "a tolerance of 0 in units of 1/0 is none"),
        ({"values": [1, 3]}, "task 'x' needs a place up to 3, or null, for each model"),
    ],
)
def test_scores_with_a_tolerance_that_are_none_are_refused(changes, error):
    with pytest.raises(InputError, match=error):
        wl.Signs.from_dict(tolerant_signs(**changes))


@pytest.mark.parametrize(
    "places", [[1, 2], [1, 2, 3, 3], [1, 2, 4], [1, 0, 2], [1, True, 2], [1, 1.5, 2], [1, "2", None]], ids=repr
)
def test_places_that_are_none_are_refused(places):
    with pytest.raises(InputError, match="task 'x' needs a place up to 3, or null, for each model"):
        wl.Signs.from_dict({"models": ["a", "b", "c"], "places": {"x": places}})


def test_models_of_one_name_are_refused():
    with pytest.raises(InputError, match="two models have the same name"):
        wl.Signs.from_dict({"models": ["a", "a"], "places": {"x": [1, 2]}})
