"""Pictures of two rankings: lines cross exactly where the rules order a pair in opposite ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from weightlab._text import percent
from weightlab.plots.marks import notes_of, rows_of, title_of

SCORES = st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=2, max_size=4)


@FEW
@given(SCORES)
def test_lines_cross_where_the_rules_do(columns):
    board = wl.Leaderboard({f"task {k}": dict(zip("abcde", one, strict=True)) for k, one in enumerate(columns)})
    found = wl.studies.disagreement(board, "mean", "borda")
    marks = wl.plots.disagreement_marks(found)
    left, right = ({one.model: one.y for one in rows_of(marks, "point") if one.x == x} for x in (0, 1))
    crossing = {(m, n) for m in left for n in left if left[m] < left[n] and right[m] > right[n]}
    assert crossing == set(found.disputed)
    assert set(left) == ({model for pair in found.disputed for model in pair} or set("abcde"))


def test_what_is_left_out_and_what_settles_a_pair_is_said():
    board = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
    found = wl.studies.disagreement(board, "mean", "borda")
    marks = wl.plots.disagreement_marks(found, most=3)
    assert title_of(marks) == f"mean and borda disagree on {len(found.disputed)} of 120 pairs of models"
    assert len(rows_of(marks, "model")) == 3
    least = percent(min(found.changes.dropna()) / 2)
    assert any(text.startswith(f"If {least} of the weight moves, both can agree on ") for text in notes_of(marks))
    assert any(text.startswith("Shown are the first 3 of ") for text in notes_of(marks))
    with pytest.raises(wl.InputError, match=r"^most must be at least 1; got 0$"):
        wl.plots.disagreement_marks(found, most=0)


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    names = AWKWARD[:4]
    board = wl.Leaderboard(
        {"x": dict(zip(names, (9, 2, 1, 0), strict=True)), "y": dict(zip(names, (0, 3, 2, 1), strict=True)),
         "z": dict(zip(names, (1, 4, 3, 2), strict=True))}
    )  # fmt: skip
    assert_is_drawn(wl.studies.disagreement(board, "mean", "borda"), "disagreement", names=names[:3])
