"""Heat map of margins: every margin once, in an order that shows structure."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import of_kind, title_of


@FEW
@given(boards())
def test_each_ordered_pair_is_one_cell_with_the_margin_of_the_table(board):
    margins = board.margins()
    cells = of_kind(wl.plots.margins_marks(board), "cell")
    assert {(one.model, one.rival): one.margin for one in cells.itertuples()} == {
        (model, rival): margins.margin(model, rival) for model in board.models for rival in board.models
    }
    assert len(cells) == len(board.models) ** 2


@FEW
@given(boards())
def test_cells_stand_where_their_models_are_named(board):
    marks = wl.plots.margins_marks(board)
    place = of_kind(marks, "model").set_index("model")["y"].to_dict()
    assert sorted(place.values()) == list(range(len(board.models)))
    for one in of_kind(marks, "cell").itertuples():
        assert (one.y, one.x) == (place[one.model], place[one.rival])


@FEW
@given(boards())
def test_shade_role_and_upset_are_read_from_the_margin(board):
    cells = of_kind(wl.plots.margins_marks(board), "cell")
    largest = max(abs(one) for one in cells["margin"])
    for one in cells.itertuples():
        assert one.shade == (float(one.margin / largest) if largest else 0)
        expected = "for" if one.margin > 0 else "against" if one.margin < 0 else "even"
        assert one.role == ("self" if one.model == one.rival else expected)
        assert one.upset == (one.margin * (int(one.y) - int(one.x)) > 0)


@FEW
@given(boards())
def test_no_model_stands_above_one_of_greater_copeland_score(board):
    shown = of_kind(wl.plots.margins_marks(board), "model")["model"]
    scores = wl.graph.copeland(board)[list(shown)].tolist()
    assert scores == sorted(scores, reverse=True)


@FEW
@given(boards())
def test_in_kemeny_order_the_upsets_cost_as_little_as_can_be(board):
    cells = of_kind(wl.plots.margins_marks(board, order="kemeny"), "cell")
    above = cells[cells["y"] < cells["x"]]
    contradicted = sum((max(Fraction(0), -one) for one in above["margin"]), Fraction(0))
    least = wl.graph.kemeny(board.margins())
    assert contradicted == sum(
        (max(Fraction(0), board.margins().margin(low[0], high[0]))
         for place, high in enumerate(least.order) for low in least.order[place + 1 :]),
        Fraction(0),
    )  # fmt: skip


def test_of_several_kemeny_orders_one_is_drawn():
    board = wl.Leaderboard(
        {"a": {"a": 0, "b": 0, "c": 1, "0": None}, "b": {"a": 0, "b": 1, "c": 0.1, "0": 0.2}}, weights=[1, 0.1]
    )
    found = wl.graph.kemeny(board.margins())
    shown = of_kind(wl.plots.margins_marks(board, order="kemeny"), "model")["model"]
    assert found.number > 1
    assert [*shown] == [model for place in found.order for model in place]


@FEW
@given(boards())
def test_the_order_of_the_table_changes_no_cell(board):
    turned = board.select(models=board.models[::-1])
    assert _cells(turned) == _cells(board)


def _cells(board):
    cells = of_kind(wl.plots.margins_marks(board), "cell")
    return {(one.model, one.rival, one.margin, one.shade, one.role) for one in cells.itertuples()}


def test_what_is_left_out_is_said():
    board = wl.Leaderboard({"x": {f"m{place}": place for place in range(9)}})
    marks = wl.plots.margins_marks(board, most=4)
    assert of_kind(marks, "model")["model"].tolist() == ["m8", "m7", "m6", "m5"]
    assert title_of(marks) == "Margins of every head-to-head: the first 4 of 9 models by Copeland score"
    assert title_of(wl.plots.margins_marks(board, most=None)).endswith(": 9 models by Copeland score")


def test_values_are_written_in_small_tables_only():
    small, large = ({"x": {f"m{place}": place for place in range(count)}} for count in (16, 17))
    labels = [of_kind(wl.plots.margins_marks(wl.Leaderboard(one)), "cell")["label"] for one in (small, large)]
    assert sorted(set(labels[0])) == ["", "1", "\u22121"]
    assert set(labels[1]) == {""}


@pytest.mark.parametrize("most", [0, -1])
def test_at_least_one_model_is_shown(most):
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}})
    with pytest.raises(wl.InputError, match=rf"^most must be at least 1; got {most}$"):
        wl.plots.margins_marks(board, most=most)


def test_an_order_that_is_not_known_is_refused():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}})
    with pytest.raises(wl.InputError, match=r"^order must be 'copeland', 'kemeny' or 'board'; got 'borda'$"):
        wl.plots.margins_marks(board, order="borda")


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({
        task: {name: (3 * place + shift) % 7 for place, name in enumerate(AWKWARD)} for shift, task in enumerate("xyz")
    })  # fmt: skip
    assert_is_drawn(board, "margins", names=["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07", "a_b^c"])
