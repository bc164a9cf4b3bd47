"""Missing scores as unknown numbers: against every completion on a grid."""

from __future__ import annotations

import copy
import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp.answers import travelled
from tests.lp.forging import some_forgeries
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.lp.unknown_scores import brute_force_missing
from weightlab._result import result_from_dict
from weightlab.checker import Part, read_carried
from weightlab.lp.unknown_scores import deciding_cells
from weightlab.lp.unknown_scores.borda_leads import least_signs

LIMITS = st.sampled_from([None, None, Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)])


@st.composite
def questions(draw, *, most=2, tasks=(1, 3), models=(2, 3), tolerances=("none", "none", "absolute", "relative")):
    """Return boards of scores from 0 to 2 with a few gaps, and the range of each gap."""
    dice = draw(DICE)
    names = [f"t{i}" for i in range(dice.between(*tasks))]
    rows = [f"m{i}" for i in range(dice.between(*models))]
    frame = pd.DataFrame([[dice.between(0, 2) for _ in names] for _ in rows], rows, names, dtype=object)
    places = [(row, name) for row in rows for name in names]
    for row, name in draw(st.lists(st.sampled_from(places), unique=True, max_size=most)):
        if frame[name].drop(row).notna().any() and frame.loc[row].drop(name).notna().any():
            frame.loc[row, name] = None
    kinds = {name: dice.one_of(tolerances) for name in names}
    board = wl.Leaderboard(
        frame,
        lower_is_better=[name for name in names if dice.flag()],
        weights={name: dice.one_of([1, 1, 2, 3, 0]) for name in names[1:]},
        tolerance={name: "0.5" for name, kind in kinds.items() if kind == "absolute"},
        relative_tolerance={name: "0.5" for name, kind in kinds.items() if kind == "relative"},
    )
    ranges = {}
    for cell in board.missing_cells:
        low, high = draw(LIMITS), draw(LIMITS)
        ranges[cell] = (low, high) if None in (low, high) or low <= high else (high, low)
    return board, ranges


@settings(max_examples=40)
@given(questions(models=(2, 4)), DICE)
def test_by_the_mean_they_are_those_of_all_completions(question, dice):
    board, ranges = question
    free = [cell for cell, ends in ranges.items() if None in ends]
    if free:
        with pytest.raises(wl.InputError, match="by mean a missing score needs bounds on both sides"):
            wl.lp.missing(board, rule="mean", bounds=ranges)
        ranges |= {cell: (Fraction(0), Fraction(dice.between(0, 2))) for cell in free}
    rows = brute_force_missing.gains_of
    found = travelled(wl.lp.missing(board, rule="mean", bounds=ranges), board)
    necessary, possible, decide = brute_force_missing.deciding(board, ranges, rows)
    assert (set(found.necessary), set(found.possible)) == (necessary, possible)
    assert {(one.model, one.task): (set(one.rules_out), set(one.settles)) for one in found.cells} == decide
    assert "by average" in str(found)
    for model in found.possible:
        given = list(wl.lp.WeightSpace(board).today.values())
        row = brute_force_missing.gains_of(board, brute_force_missing.scores(found.completed(model)), model)
        assert all(sum(a * b for a, b in zip(one, given, strict=True)) > 0 for one in row)
    some = cuts_of(dice, board.tasks, 0, 1)
    space = space_of(board.tasks, some)
    expected = brute_force_missing.under_weights(board, ranges, inequalities_of(some), rows)
    try:
        free = travelled(wl.lp.missing(board, rule="mean", bounds=ranges, space=space), board)
    except wl.EmptySpaceError:
        return
    found = (free.possible, free.necessary, free.whatever_values, free.whatever_weights)
    assert tuple(map(set, found)) == expected


@settings(max_examples=40)
@given(questions(models=(2, 4), tolerances=("none",)), DICE)
def test_by_borda_they_are_those_of_all_completions_or_undecided(question, dice):
    board, ranges = question
    ranges = {cell: ends if None in ends else tuple(sorted(ends)) for cell, ends in ranges.items()}
    found = travelled(wl.lp.missing(board, rule="borda", bounds=ranges), board)
    necessary, possible, decide = brute_force_missing.deciding(board, ranges, brute_force_missing.points_of)
    assert set(found.necessary) == necessary
    assert set(found.possible) <= possible <= {*found.possible, *found.undecided}
    told = {(one.model, one.task): set(one.settles) for one in found.cells if one.settles}
    assert told == {cell: settled for cell, (_, settled) in decide.items() if settled}
    for one in found.cells:
        assert set(one.rules_out) <= decide[one.model, one.task][0]
    for model in found.possible:
        completed = found.completed(model)
        assert wl.rules.winners(completed, "borda") == (model,)
        for (row, task), (low, high) in ranges.items():
            value = brute_force_missing.scores(completed)[task][row]
            assert low is None or low <= value
            assert high is None or value <= high


def test_by_borda_least_leads_are_those_of_all_completions():
    for seed in range(60):
        dice = np.random.default_rng(seed)
        low = dice.integers(0, 5, size=dice.integers(2, 6)).tolist()
        high = [int(dice.integers(one, 5)) for one in low]
        found = least_signs(np.array(low), np.array(high))
        assert found.tolist() == brute_force_missing.least_sign_sums(low, high, found.tolist())


def test_borda_refuses_what_it_cannot_say():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": None, "b": 1, "c": 2}})
    with pytest.raises(wl.InputError, match="missing scores can be analysed by mean, majority or borda; got plurality"):
        wl.lp.missing(board, rule="plurality", bounds=(0, 5))
    with pytest.raises(wl.InputError, match="at the current weights, without conditions"):
        wl.lp.missing(board, rule="borda", space=wl.lp.WeightSpace(board))
    with pytest.raises(wl.InputError, match="tie within a tolerance have no places; see task 'y'"):
        wl.lp.missing(wl.Leaderboard(board.scores, tolerance={"y": 1}), rule="borda")
    found = wl.lp.missing(board, rule="borda", bounds=(0, 5))
    assert str(found) == (
        "With 1 missing score unknown, a can win by Borda at equal weights, but not for certain; "
        "known alone, this one decides something: a on y. Bounds: 0 to 5 for every missing score."
    )
    for model, best in (("a", False), ("c", True)):
        with pytest.raises(wl.InputError, match="only possible winners have a table"):
            found.completed(model, best=best)


def test_by_borda_deciding_cells_of_a_large_table_are_not_looked_for(monkeypatch):
    monkeypatch.setattr(deciding_cells, "_MOST_TRIED", 5)
    found = wl.lp.missing(BOARD, rule="borda")
    assert found.cells is None
    assert "decide" not in str(found)
    with pytest.raises(wl.InputError, match="by Borda this table is too large"):
        _ = found.deciding


@settings(max_examples=40)
@given(questions())
def test_the_winners_and_the_deciding_cells_are_those_of_all_completions(question):
    board, ranges = question
    found = travelled(wl.lp.missing(board, rule="majority", bounds=ranges), board)
    necessary, possible, decide = brute_force_missing.deciding(board, ranges)
    assert (set(found.necessary), set(found.possible)) == (necessary, possible)
    assert {(one.model, one.task): (set(one.rules_out), set(one.settles)) for one in found.cells} == decide
    for model in board.models:
        for best, names in ((True, found.possible), (False, found.necessary)):
            completed = found.completed(model, best=best)
            assert not completed.missing_cells
            rows = completed.signs().matrix(model)
            assert (min(rows @ board.weights.to_numpy()) > 0) == (model in names)


@settings(max_examples=15)
@given(questions(most=1, tasks=(1, 2)), DICE)
def test_with_a_space_the_winners_are_those_of_all_completions_and_corners(question, dice):
    board, ranges = question
    some = cuts_of(dice, board.tasks, 0, 1)
    try:
        found = travelled(
            wl.lp.missing(board, rule="majority", space=space_of(board.tasks, some), bounds=ranges), board
        )
    except wl.EmptySpaceError:
        return
    sets = (found.possible, found.necessary, found.whatever_values, found.whatever_weights)
    assert tuple(map(set, sets)) == brute_force_missing.under_weights(board, ranges, inequalities_of(some))


@settings(max_examples=20)
@given(questions())
def test_todays_weights_as_a_space_say_the_same(question):
    board, ranges = question
    today = wl.lp.missing(board, rule="majority", bounds=ranges)
    pinned = wl.lp.missing(board, rule="majority", bounds=ranges, space=wl.lp.WeightSpace(board).near(None, 0))
    assert pinned.possible == pinned.whatever_weights == today.possible
    assert pinned.necessary == pinned.whatever_values == today.necessary


@settings(max_examples=20)
@given(questions(), DICE)
def test_knowing_a_score_adds_no_possible_winner_and_removes_no_certain_one(question, dice):
    board, ranges = question
    if not board.missing_cells:
        return
    model, task = dice.one_of(board.missing_cells)
    value = dice.one_of(brute_force_missing.values_of(*ranges[model, task]))
    before = wl.lp.missing(board, rule="majority", bounds=ranges)
    after = wl.lp.missing(board, rule="majority", bounds=ranges | {(model, task): (value, value)})
    assert set(after.possible) <= set(before.possible)
    assert set(after.necessary) >= set(before.necessary)


BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": None, "b": 1, "c": 2}, "z": {"a": 4, "b": 5, "c": None}}
)


def test_the_sentence_names_who_can_win_and_what_decides():
    found = wl.lp.missing(BOARD, rule="majority")
    assert str(found) == (
        "With 2 missing scores unknown, a, b and c can win head-to-head at equal weights, none for certain; "
        "known alone, these decide something: a on y and c on z."
    )
    assert str(wl.lp.missing(BOARD, rule="majority", bounds={"y": (3, 9), "z": (0, 3)})).startswith(
        "a wins head-to-head at equal weights, whatever"
    )
    assert "no model wins head-to-head under all weights" in str(
        wl.lp.missing(BOARD, rule="majority", space=wl.lp.WeightSpace(BOARD))
    )
    assert (
        str(wl.lp.missing(BOARD.select(tasks="x"), rule="majority"))
        == "No score is missing: a wins head-to-head at equal weights."
    )


def test_the_table_of_deciding_cells_is_tidy():
    found = wl.lp.missing(BOARD, rule="majority")
    assert found.deciding.columns.tolist() == ["model", "task", "rules_out", "settles"]
    assert found.summary().loc["a", "least lead at best"] == pytest.approx(1 / 3)
    with pytest.raises(wl.InputError, match="today's weights only"):
        _ = wl.lp.missing(BOARD, rule="majority", space=wl.lp.WeightSpace(BOARD)).deciding


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"w": (0, 1)}, "no task named 'w'"),
        ({("d", "y"): (0, 1)}, "no model named 'd'"),
        (
            {("a", "x"): (0, 1)},
            "the score of 'a' on 'x', 3, is outside its bounds, 0 to 1: widen the bounds, or correct",
        ),
        ({"y": (2, 1)}, "the lowest score comes first"),
        ({"y": 3}, "a lowest and a highest"),
        ({"y": "01"}, "a lowest and a highest"),
        ((0, "much"), "a lowest and a highest"),
        ({1, 2}, "a lowest and a highest"),
        ({("a", "y", "z"): (0, 1)}, r"by task or by \(model, task\)"),
    ],
)
def test_wrong_bounds_are_refused(bounds, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.missing(BOARD, rule="majority", bounds=bounds)


def test_a_value_that_only_ties_rules_a_winner_out():
    board = wl.Leaderboard({"x": {"a": 3, "b": None}, "y": {"a": 1, "b": 1}})
    found = wl.lp.missing(board, rule="majority", bounds=(0, 3))
    assert (found.possible, found.necessary) == (("a",), ())
    assert [(one.rules_out, one.settles) for one in found.cells] == [(("a",), ("a",))]


def test_the_rule_and_bounds_are_those_that_the_table_declares(tmp_path):
    declared = {"bounds": {"y": ("0", "7.5"), "z": "0:"}, "rule": "majority"}
    board = wl.Leaderboard(BOARD.scores, **declared)
    assert board.bounds == {"y": (0, Fraction(15, 2)), "z": (0, None)}
    found = wl.lp.missing(board)
    assert found.rule.is_majority
    assert found.ranges == wl.lp.missing(BOARD, rule="majority", bounds=declared["bounds"]).ranges
    assert set(wl.lp.missing(board, bounds="1:2").ranges.values()) == {(1, 2)}
    assert wl.lp.missing(board, bounds={"z": (1, 2)}).ranges == found.ranges | {("c", "z"): (1, 2)}
    assert wl.lp.missing(wl.Leaderboard(BOARD.scores, bounds=(0, 10), rule="borda")).rule.name == "borda"
    kept = [board.select(models=list("abc")), board.rename(tasks={"x": "w"}), board.with_weights({"x": 2})]
    wl.write_leaderboard(board, tmp_path / "t.csv")
    kept += [wl.Leaderboard.from_dict(board.to_dict()), wl.read_leaderboard(tmp_path / "t.csv")]
    assert [one.bounds for one in kept] == [board.bounds] * 5
    assert board.select(tasks=["x", "z"]).bounds == {"z": (0, None)}
    read_carried(Part(board.to_dict(), "the table"))
    travelled(found, board)


def test_bounds_of_a_file_are_declared_for_all_or_by_task(tmp_path):
    (tmp_path / "t.csv").write_text("model,x,y\na,0.1,0.5\nb,0.2,\n", encoding="utf-8")
    (tmp_path / "t.toml").write_text("bounds = [0, 0.7]\n", encoding="utf-8")
    assert wl.lp.missing(wl.read_leaderboard(tmp_path / "t.csv")).ranges == {("b", "y"): (0, Fraction(7, 10))}
    for text, told in (
        ("bounds = [2, 1]", "bounds of 'x': the lowest score comes first: write 1:2"),
        ("bounds = [1]", "bounds must be a lowest and a highest score"),
        ("[bounds]\nz = [0, 1]", "no task named 'z'"),
    ):
        (tmp_path / "t.toml").write_text(f"{text}\n", encoding="utf-8")
        with pytest.raises(wl.InputError, match=told):
            wl.read_leaderboard(tmp_path / "t.csv")


@pytest.mark.parametrize(("scale", "usual"), [(Fraction(1, 10), "0:1"), (-20, "-100:100"), (1000, None), (1, "0:100")])
def test_by_mean_bounds_are_asked_for_and_those_offered_are_enough(scale, usual):
    scores = BOARD.scores.map(lambda one: None if pd.isna(one) else Fraction(int(one)) * scale)
    board = wl.Leaderboard(scores, rule="mean")
    with pytest.raises(wl.InputError, match="by mean a missing score needs bounds on both sides") as refused:
        wl.lp.missing(board)
    offered = {cure.argument: cure.value for cure in refused.value.cure}
    assert offered.pop("rule") == "majority"
    assert bool(offered) == (usual is not None)
    if offered:
        assert wl.lp.missing(board, **offered).verify(board)


def test_bounds_are_named():
    assert "Bounds" not in str(wl.lp.missing(BOARD, rule="majority"))
    assert str(wl.lp.missing(BOARD, rule="majority", bounds=(0, "7.5"))).endswith(
        " Bounds: 0 to 7.5 for every missing score."
    )
    found = wl.lp.missing(
        BOARD, rule="majority", bounds={"y": (0, None), ("c", "z"): (None, 4)}, space=wl.lp.WeightSpace(BOARD)
    )
    assert " Bounds: at least 0 for " in str(found)
    assert str(found).endswith("; at most 4 for c on z.")


def test_wrong_tables_are_refused():
    with pytest.raises(TypeError, match="a Leaderboard is needed"):
        wl.lp.missing(BOARD.signs(), rule="majority")
    wide = wl.Leaderboard(BOARD.scores, relative_tolerance={"y": 2})
    with pytest.raises(wl.InputError, match="'y'"):
        wl.lp.missing(wide, rule="majority")
    with pytest.raises(wl.EmptySpaceError):
        wl.lp.missing(BOARD, rule="majority", space=wl.lp.WeightSpace(BOARD).at_least("x", 2))


CLAIMS = {
    "today": lambda: wl.lp.missing(BOARD, rule="majority", bounds={"y": (0, 10), ("c", "z"): (None, 4)}),
    "for certain": lambda: wl.lp.missing(BOARD, rule="majority", bounds={"y": (3, 9), "z": (0, 3)}),
    "by Borda": lambda: wl.lp.missing(BOARD, rule="borda", bounds={"y": (0, 10), ("c", "z"): (None, 4)}),
    "some weights": lambda: wl.lp.missing(
        BOARD, rule="majority", space=wl.lp.WeightSpace(BOARD).near(None, "0.1"), bounds=(0, 6)
    ),
    "all weights": lambda: wl.lp.missing(
        BOARD, rule="majority", space=wl.lp.WeightSpace(BOARD).near(None, "0.1"), bounds={"y": (3, 9), "z": (0, 3)}
    ),
}


def is_true(claim):
    """Tell whether a claim holds about its own table, by asking anew."""
    again = wl.lp.missing(claim.table, rule=claim.rule, bounds=dict(claim.ranges), space=claim.space)
    names = ("possible", "necessary", "whatever_values", "whatever_weights", "cells")
    return all(getattr(again, name) == getattr(claim, name) for name in names)


@pytest.mark.parametrize("name", CLAIMS)
def test_no_part_of_a_document_can_be_replaced_so_that_a_false_claim_is_accepted(name):
    document = json.loads(json.dumps(CLAIMS[name]().to_dict()))
    made, accepted = some_forgeries(document, 60), 0
    for forged in made:
        try:
            claim = result_from_dict(forged)
            claim.verify()
        except (wl.ProofError, wl.InputError):
            continue
        accepted += 1
        assert is_true(claim), json.dumps(forged)
    assert accepted < len(made) / 2


@pytest.mark.parametrize("name", CLAIMS)
def test_no_part_of_a_document_can_be_left_out(name):
    document = CLAIMS[name]().to_dict()
    for key in document:
        with pytest.raises((wl.ProofError, wl.InputError)):
            result_from_dict({one: value for one, value in copy.deepcopy(document).items() if one != key}).verify()


@pytest.mark.parametrize("name", CLAIMS)
def test_names_cannot_be_added_or_taken(name):
    claim = CLAIMS[name]()
    for field in ("possible", "necessary", "whatever_values", "whatever_weights"):
        own = getattr(claim, field)
        for other in (tuple(set(BOARD.models) - set(own)), own + own[:1] if own else ("a",), ("nobody",)):
            if other != own:
                with pytest.raises(wl.ProofError):
                    dataclasses.replace(claim, **{field: other}).verify()


def test_a_result_is_about_its_own_table():
    found = wl.lp.missing(BOARD, rule="majority")
    assert found.verify(BOARD.select(models=["c", "a", "b"]))
    with pytest.raises(wl.ProofError, match="the score of 'a' on 'y'"):
        found.verify(found.completed("a"))
