"""What MTEB itself wrote: its two random baselines on sentence pairs in two languages and on two splits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import weightlab as wl
from weightlab.exceptions import InputError

RESULTS = Path(__file__).parents[2] / "fixtures" / "mteb"

DENSE, SPARSE = "mteb/baseline-random-encoder", "mteb/baseline-random-sparse-encoder"


def scores(results):
    return {(cell.model, cell.dataset): Fraction(str(cell.score)) for cell in results.cells}


def test_a_score_is_the_mean_over_the_languages_that_mteb_wrote():
    results = wl.io.read_mteb(RESULTS)
    assert results.models == (DENSE, SPARSE)
    assert scores(results) == {
        (DENSE, "Pairs"): Fraction(7, 10),
        (DENSE, "EnglishPairs"): 1,
        (SPARSE, "Pairs"): 0,
        (SPARSE, "EnglishPairs"): Fraction(-2, 5),
    }
    assert results.notes == ("Left out: 'validation' of 'EnglishPairs' (another split counts).",)


def test_a_language_and_a_split_can_be_chosen():
    assert scores(wl.io.read_mteb(RESULTS, languages="deu"))[DENSE, "Pairs"] == Fraction(2, 5)
    found = scores(wl.io.read_mteb(RESULTS, split="validation"))
    assert found == {(DENSE, "EnglishPairs"): 1, (SPARSE, "EnglishPairs"): Fraction(-1, 2)}


def test_the_direction_is_asked_for():
    with pytest.raises(InputError, match="do not say in which direction 'EnglishPairs', 'Pairs' lead"):
        wl.io.read_mteb(RESULTS).leaderboard()
