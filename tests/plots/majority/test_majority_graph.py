"""The majority graph as a picture: every duel once, on the side that says who stands higher, in layers."""

from __future__ import annotations

import pytest
from hypothesis import given

import weightlab as wl
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.strategies import boards
from weightlab.plots.marks import notes_of, rows_of, title_of

CYCLE = wl.Profile.from_orders(map(list, ["abcd", "bcad", "cabd"]))


def whole(board, **options):
    return wl.plots.majority_graph_marks(board, edges="all", most=None, **options)


@FEW
@given(boards())
def test_the_arrows_are_the_edges_of_the_graph_with_their_margins(board):
    graph = wl.graph.majority_graph(board)
    drawn = {(one.model, one.rival): one.margin for one in rows_of(whole(board), "edge")}
    assert drawn == {(winner, loser): data["margin"] for winner, loser, data in graph.edges(data=True)}


@FEW
@given(boards())
def test_the_dotted_lines_are_the_tied_duels(board):
    ties = [frozenset((one.model, one.rival)) for one in rows_of(whole(board), "tie")]
    expected = {frozenset(pair) for pair in wl.graph.majority_graph(board).graph["tied_duels"]}
    assert len(ties) == len(expected)
    assert set(ties) == expected


@FEW
@given(boards())
def test_an_arrow_is_on_the_right_exactly_when_its_winner_stands_higher(board):
    marks = whole(board)
    place = {one.model: one.y for one in rows_of(marks, "node")}
    for one in rows_of(marks, "edge"):
        higher = place[one.model] < place[one.rival]
        assert (one.side, one.role) == (("right", "for") if higher else ("left", "against"))
        assert one.span == abs(place[one.model] - place[one.rival])
        assert abs(one.y - place[one.model]) < 0.36
        assert abs(one.to_y - place[one.rival]) < 0.36


@FEW
@given(boards())
def test_arrows_are_wider_the_larger_the_margin(board):
    edges = sorted(rows_of(whole(board), "edge"), key=lambda one: one.margin)
    widths = [one.width for one in edges]
    assert widths == sorted(widths)
    assert all(0.6 <= width <= 4 for width in widths)


@FEW
@given(boards())
def test_layers_are_the_least_sets_that_beat_all_below(board):
    margins = board.margins()
    nodes = sorted(rows_of(whole(board), "node"), key=lambda one: one.y)
    assert {one.model for one in nodes if one.role == "first"} == set(wl.graph.smith_set(board))
    left = [one.model for one in nodes]
    for layer in range(int(nodes[-1].layer) + 1):
        inside = [one.model for one in nodes if one.layer == layer]
        assert left[: len(inside)] == inside
        assert set(wl.graph.smith_set(margins.select(left))) == set(inside)
        left = left[len(inside) :]
    assert not left


@FEW
@given(boards())
def test_no_two_ends_meet_in_one_point(board):
    arcs = rows_of(whole(board), "edge", "tie")
    ends = [(one.side, one.model, one.y) for one in arcs] + [(one.side, one.rival, one.to_y) for one in arcs]
    assert len(set(ends)) == len(ends)


@FEW
@given(boards())
def test_what_goes_without_saying_is_counted_and_is_a_win_over_a_lower_model(board):
    every, telling = rows_of(whole(board), "edge", "tie"), wl.plots.majority_graph_marks(board, edges="telling")
    drawn = {(one.model, one.rival) for one in rows_of(telling, "edge", "tie")}
    gone = [one for one in every if (one.model, one.rival) not in drawn]
    assert all(one.mark == "edge" and one.side == "right" and one.span > 1 for one in gone)
    assert all(one.side == "left" or one.span == 1 or one.margin == 0 for one in rows_of(telling, "edge", "tie"))
    said = [text for text in notes_of(telling) if text.startswith("Not drawn: ")]
    assert [int(text.split()[2]) for text in said] == ([len(gone)] if gone else [])


@FEW
@given(boards())
def test_the_order_of_the_table_changes_no_arrow(board):
    turned = board.select(models=board.models[::-1])
    assert _arrows(turned) == _arrows(board)


def _arrows(board):
    return {(one.model, one.rival, one.margin, one.width) for one in rows_of(whole(board), "edge")}


def test_a_cycle_is_one_layer_with_an_arrow_that_leads_back():
    marks = wl.plots.majority_graph_marks(CYCLE)
    assert [(one.y, one.to_y, one.label) for one in rows_of(marks, "layer")] == [(0, 2, "Smith set")]
    assert [(one.model, one.rival) for one in rows_of(marks, "edge") if one.side == "left"] == [("c", "a")]


def test_what_is_left_out_is_said():
    board = wl.Leaderboard({task: {f"m{place}": (place * step) % 41 for place in range(40)} for task, step in
                            (("x", 1), ("y", 7), ("z", 12))})  # fmt: skip
    marks = wl.plots.majority_graph_marks(board)
    assert title_of(marks) == "Majority graph: the first 30 of 40 models by Copeland score"
    assert len(rows_of(marks, "node")) == 30
    last = rows_of(marks, "layer")[-1]
    layers = [one.layer for one in rows_of(whole(board), "node")]
    assert last.label.endswith(f", {30 - layers.index(last.layer)} of {layers.count(last.layer)}")
    shown = {one.model for one in rows_of(marks, "node")}
    assert all({one.model, one.rival} <= shown for one in rows_of(marks, "edge", "tie"))


def test_edges_that_are_not_known_are_refused():
    with pytest.raises(wl.InputError, match=r"^edges must be 'all' or 'telling'; got 'few'$"):
        wl.plots.majority_graph_marks(CYCLE, edges="few")


def test_it_is_drawn_whatever_the_models_are_called():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({
        task: {name: (3 * place + shift) % 7 for place, name in enumerate(AWKWARD)} for shift, task in enumerate("xyz")
    })  # fmt: skip
    assert_is_drawn(board, "majority_graph", names=["$x_1$", "<script>alert(1)</script>", "模型", "bell\\x07", "a_b^c"])
