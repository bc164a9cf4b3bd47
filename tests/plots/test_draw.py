"""One call for all pictures: what it takes, what it makes, and what it says where it cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest

import weightlab as wl

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}})


def test_the_part_is_there_without_matplotlib():
    code = "import sys, weightlab.plots; print('matplotlib' in sys.modules, bool(weightlab.plots.PICTURES))"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["False", "True"]


def test_marks_need_no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for kind in wl.plots.pictures_of(BOARD):
        assert len(wl.plots.marks(BOARD, kind))


@pytest.mark.parametrize("call", [wl.plots.draw, lambda board: wl.plots.save(board, "picture.svg"), wl.plots.rendered])
def test_drawing_without_matplotlib_says_what_to_install(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(wl.InputError, match=r"^pictures need matplotlib: pip install 'weightlab\[plot\]'$"):
        call(BOARD)


def test_a_kind_that_is_not_known_is_refused_by_name():
    with pytest.raises(wl.UnknownNameError, match=r"no picture named 'margin'; .*did you mean 'margins'"):
        wl.plots.marks(BOARD, "margin")


def test_what_has_no_picture_is_refused_with_what_has_one():
    with pytest.raises(wl.InputError, match=r"^there is no picture of a list; there are pictures of .*Leaderboard"):
        wl.plots.marks([1, 2])


def test_each_picture_is_listed_for_everything_it_takes():
    for kind, picture in wl.plots.PICTURES.items():
        assert picture.kind == kind
        assert picture.takes
        assert picture.about


def test_every_picture_has_its_two_functions_in_the_part():
    for kind in wl.plots.PICTURES:
        assert callable(getattr(wl.plots, f"{kind}_marks"))
        assert callable(getattr(wl.plots, f"draw_{kind}"))


def test_a_result_draws_itself_as_draw_does():
    pytest.importorskip("matplotlib")
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 1}})
    shares = wl.lp.winning_shares(board, samples=50)
    drawn, own = wl.plots.draw(shares, most=1), shares.plot(most=1)
    assert own.get_title() == drawn.get_title()
    assert [text.get_text() for text in own.texts] == [text.get_text() for text in drawn.texts]


def test_a_result_without_a_picture_says_which_have_one():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 1}})
    with pytest.raises(wl.InputError, match=r"there is no picture of a Duels; there are pictures of Agreement, Audit,"):
        wl.lp.duels(board).plot()
