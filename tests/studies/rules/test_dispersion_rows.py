"""Colombo et al., table 8, as coded and rightly: the rows of the page that says what reproduces."""

from __future__ import annotations

from itertools import pairwise

import pytest

import weightlab as wl
from examples.reproduce import dispersion
from examples.reproduce.file_order import quicksorted
from examples.reproduce.row import Verdict


@pytest.fixture(scope="module")
def found(shared_data):
    return {row.item: row for row in dispersion.table_rows(shared_data)}


@pytest.mark.parametrize(
    ("item", "ours"),
    [
        ("GLUE, Borda", "793.79"),
        ("GLUE, mean", "805.21"),
        ("SuperGLUE, Borda", "44.93"),
        ("SuperGLUE, mean", "47.21"),
        ("XTREME, Borda", "12.25"),
        ("XTREME, mean", "12.75"),
    ],
)
def test_table_8_reproduces_as_it_was_coded(found, item, ours):
    row = found[f"table 8, {item} as coded"]
    assert (row.ours, row.verdict) == (ours, Verdict.WITH_CONVENTION)


def test_the_averages_of_xtreme_are_in_the_order_of_the_file(shared_data):
    averages = dispersion.shifted_xtreme(wl.read_leaderboard(shared_data / "colombo" / "xtreme15.csv"))[0]
    assert all(one > other for one, other in pairwise(averages))


def test_between_rankings_the_distances_are_smaller_and_kemeny_is_nearest(found):
    assert found["table 8, GLUE"].ours == "667.36 719.36; Kemeny 636.14; two tasks 838.97 apart"
    assert found["table 8, SuperGLUE"].ours == "41.93 42.79; Kemeny 40.93; two tasks 57.91 apart"
    assert found["table 8, XTREME"].ours == "11.88 12.38; Kemeny 10.62; two tasks 13.81 apart"


def test_random_permutations_are_half_of_the_pairs_away(found):
    assert {found[f"table 8, {title}, random"].verdict for title in ("GLUE", "SuperGLUE", "XTREME")} == {
        Verdict.REPRODUCED
    }


def test_lists_in_order_and_ranks_have_distances_of_their_own():
    columns = [[1.0, 2.0, 3.0, 4.0], [4.0, 1.0, 2.0, 3.0], [2.0, 4.0, 1.0, 3.0]]
    coded = dispersion.distances_of_lists(columns, quicksorted)
    lists = [[0, 1, 2, 3], [1, 2, 3, 0], [2, 0, 3, 1]]

    def apart(one, other):
        return sum((one[i] - one[j]) * (other[i] - other[j]) < 0 for i in range(4) for j in range(i))

    # By the sums of the ranks, 4 4 3 7, the list is 2 0 1 3; by the means it is the same.
    assert coded == [pytest.approx(sum(apart([2, 0, 1, 3], other) for other in lists) / 3)] * 2
