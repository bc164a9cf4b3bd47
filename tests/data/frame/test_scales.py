"""Means of scores on a scale of each task's own: against the definitions, and against the mean of such scores."""

from __future__ import annotations

import decimal
import json
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, space_of
from tests.strategies import boards
from weightlab import checker
from weightlab._result import result_from_dict
from weightlab.data.frame.scales import on_own_scale, rounded_root
from weightlab.data.linear_rule import LinearRule

SCALES = ("range", "z")
BOARD = wl.Leaderboard(
    {"x": {"a": 3, "b": 2, "c": 7}, "y": {"a": "0.1", "b": "0.4", "c": "0.3"}, "z": {"a": 1, "b": 1, "c": 1}},
    lower_is_better="x",
)
CSV = "model,x,y,z\na,3,0.1,1\nb,2,0.4,1\nc,7,0.3,1\n"


def scaled_twin(board, scaled):
    """Return the table whose scores are on scales of their own, by the definitions in 60 digits."""
    columns = {}
    for column, task in enumerate(board.tasks):
        scores = [-one if task in board.lower_is_better else one for one in board.cells.column(column)]
        low, width = min(scores), max(scores) - min(scores)
        if scaled == "z" and width:
            low = sum(scores) / len(scores)
            square = sum((one - low) ** 2 for one in scores) / len(scores)
            with decimal.localcontext(prec=60):
                root = (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()
            width = Fraction(decimal.Context(prec=12, rounding=decimal.ROUND_HALF_UP).create_decimal(root))
        columns[task] = dict(zip(board.models, [(one - low) / width if width else 0 for one in scores], strict=True))
    return wl.Leaderboard(pd.DataFrame(columns, dtype=object), weights=board.weights)


@settings(max_examples=60)
@given(boards(models=(2, 4), tasks=(1, 4), missing=False), st.sampled_from(SCALES), DICE)
def test_it_is_the_mean_of_scores_that_are_scaled_before(board, scaled, dice):
    rule, twin = f"mean:scaled={scaled}", scaled_twin(board, scaled)
    points = LinearRule.of(rule).points(board)
    own = {
        task: [Fraction(int(one), points.denominator) for one in points.numerators[:, at]]
        for at, task in enumerate(board.tasks)
    }
    assert own == {task: twin.cells.column(at) for at, task in enumerate(board.tasks)}
    space = space_of(board.tasks, cuts_of(dice, board.tasks, 1, 2))
    try:
        expected = wl.lp.prospects(twin, rule="mean", space=space, exact=True)
    except wl.EmptySpaceError:
        return
    found = wl.lp.prospects(board, rule=rule, space=space, exact=True)
    assert found.lower.equals(expected.lower)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)
    free = (wl.lp.prospects(board, rule=one).verdicts for one in (rule, "mean"))
    assert len({tuple(one) for one in free}) == 1  # a factor of a task moves its weights, and no verdict over all
    model = board.models[0]
    if found.verdicts[model] != "never":
        goal = wl.lp.most_weight(board.tasks[0])
        values = [
            wl.lp.scenario(one, model, goal, rule=by, space=space).value for one, by in ((board, rule), (twin, "mean"))
        ]
        assert values[0] == values[1]


@given(st.fractions(min_value="1/100000000000000000000", max_value=10**20), st.integers(-30, 30))
def test_a_root_is_rounded_to_twelve_digits(number, power):
    square = number * Fraction(10) ** power
    root = rounded_root(square)
    unit = Fraction(10) ** (len(str(int(root))) - 12) if root >= 1 else None
    error = abs(root * root / square - 1)
    assert error <= Fraction(11, 10**12)
    assert unit is None or (root / unit).denominator == 1
    assert rounded_root(root * root) == root


@pytest.mark.parametrize("scaled", SCALES)
def test_the_checker_reads_them_and_refuses_points_of_another_scale(scaled):
    document = wl.lp.prospects(BOARD, rule=f"mean:scaled={scaled}").to_dict()
    declared = checker.declared_in('lower_is_better = "x"')
    assert checker.check(json.dumps(document), CSV, declared).code == 0
    with pytest.raises(checker.FalseClaimError, match="are not those that mean"):
        checker.check(json.dumps(document), CSV.replace("0.4", "0.35"), declared)
    other = SCALES[scaled == "range"]
    for claimed in (f"mean:scaled={other}", "mean", "mean:scaled=rank"):
        forged = json.loads(json.dumps(document))
        forged["rule"]["name"] = claimed
        with pytest.raises((wl.ProofError, wl.InputError)):
            result_from_dict(forged).verify(BOARD)
        with pytest.raises((checker.FalseClaimError, checker.WrongInputError)):
            checker.check(json.dumps(forged), CSV, declared)


def test_scales_from_the_definitions():
    assert on_own_scale([Fraction(1), Fraction(3), Fraction(2)], "range") == [0, 1, Fraction(1, 2)]
    assert on_own_scale([Fraction(1), Fraction(3)], "z") == [-1, 1]
    assert on_own_scale([Fraction(5)] * 3, "z") == [0, 0, 0]
    assert rounded_root(Fraction(2)) == Fraction("1.41421356237")
    assert str(wl.lp.prospect(BOARD, "b", rule="mean:scaled=z")).startswith(
        "b can be the only winner by average of z-scores"
    )
    assert LinearRule.of("borda:ties=max,missing=last") == LinearRule.of("borda", ties="max", missing="last")


@pytest.mark.parametrize("rule", ["mean:scaled=rank", "mean:ties=max", "borda:scaled=z", "borda:ties=best"])
def test_options_that_a_rule_does_not_have_are_refused(rule):
    with pytest.raises(wl.InputError):
        wl.lp.prospects(BOARD, rule=rule)
