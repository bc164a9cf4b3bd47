"""Heat maps of agreement: every cell is the correlation of two rankings."""

from __future__ import annotations

import pytest
from scipy.stats import kendalltau

import weightlab as wl
from tests.plots.pictures import AWKWARD, assert_is_drawn
from weightlab.plots.marks import notes_of, rows_of, title_of

BOARD = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
RULES = ["mean", "borda", "plurality"]


def test_each_pair_of_rules_is_a_cell_with_their_correlation():
    marks = wl.plots.agreement_marks(wl.studies.agreement(BOARD, RULES))
    cells = {(one.rule, one.other): one for one in rows_of(marks, "cell")}
    assert list(cells) == [(one, other) for one in RULES for other in RULES]
    ranks = {name: wl.rules.rank(BOARD, name).ranks.loc[list(BOARD.models)].tolist() for name in RULES}
    for (one, other), cell in cells.items():
        assert (cell.y, cell.x) == (RULES.index(one), RULES.index(other))
        if one != other:
            assert cell.shade == pytest.approx(kendalltau(ranks[one], ranks[other]).statistic)
            assert cell.label == f"{cell.shade:.2f}"
        else:
            assert (cell.role, cell.label) == ("self", "")


def test_another_statistic_is_named():
    marks = wl.plots.agreement_marks(wl.studies.agreement(BOARD, RULES), statistic="overlap")
    assert title_of(marks) == "How far 3 rules agree on 16 models: rank-biased overlap"
    with pytest.raises(wl.InputError, match=r"^statistic must be 'tau_b', 'rho' or 'overlap'; got 'tau'$"):
        wl.plots.agreement_marks(wl.studies.agreement(BOARD, RULES), statistic="tau")


def test_where_there_is_no_correlation_a_dash_stands():
    tied = wl.Leaderboard({name: {"a": 1, "b": 1, "c": 1} for name in "xy"})
    marks = wl.plots.agreement_marks(wl.studies.agreement(tied, ["mean", "borda"]))
    assert {one.label for one in rows_of(marks, "cell") if one.role == "none"} == {"\u2013"}
    assert any("A dash: no value" in text for text in notes_of(marks))


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({"x": {name: place for place, name in enumerate(AWKWARD)}, "y": dict.fromkeys(AWKWARD, 1)})
    assert_is_drawn(wl.studies.agreement(board, RULES), "agreement", names=["mean", "Kendall's tau-b", "1.00"])
