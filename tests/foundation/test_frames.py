"""Tables of results: exact values in `to_frame`, the same rows as floats in `summary`, one line as `repr`."""

from __future__ import annotations

import math
from fractions import Fraction

import pandas as pd
import pytest

from tests.gallery import EXAMPLES
from weightlab._exact import as_float
from weightlab._result import in_floats

ESTIMATES = {
    "agreement", "bootstrap", "discriminative_power", "duel_shares", "effects", "independence: arrivals",
    "fewest_lifts", "kemeny_gap", "manipulation", "omitted_scores", "pair_shares", "paired", "rank_shares",
    "task_subsets", "audit", "sweep", "winning_shares",
}  # fmt: skip
"""Kinds with numbers that are floats themselves: estimates, correlations, scores as they were written."""


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_summary_is_the_exact_table_in_floats(kind):
    found = EXAMPLES[kind]()
    exact, shown = found.to_frame(), found.summary()
    assert exact.index.equals(shown.index)
    assert exact.columns.equals(shown.columns)
    for place in range(len(exact.columns)):
        for one, other in zip(exact.iloc[:, place], shown.iloc[:, place], strict=True):
            assert not isinstance(other, Fraction)
            if isinstance(one, Fraction):
                assert other == float(one)
            if isinstance(one, float) and not math.isnan(one):
                assert kind in ESTIMATES, f"column {exact.columns[place]!r} of {kind} is not exact"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_a_prompt_shows_is_one_line(kind):
    found = EXAMPLES[kind]()
    assert repr(found).startswith(f"{type(found).__name__}: ")
    assert "\n" not in repr(found)


def test_fractions_become_floats_and_nothing_else_does():
    table = pd.DataFrame({"a": [Fraction(1, 2), None], "b": ["x", "y"], "c": [1, 2], "d": [Fraction(10**400), 1]})
    shown = in_floats(table)
    assert shown["a"].tolist()[0] == 0.5
    assert math.isnan(shown["a"].tolist()[1])
    assert shown[["b", "c"]].equals(table[["b", "c"]])
    assert shown["d"].tolist() == [math.inf, 1.0]
    assert as_float(-Fraction(10**400)) == -math.inf
    assert table["a"].tolist() == [Fraction(1, 2), None]
