"""The door to matplotlib: fonts, what they cannot draw, and figures that stay as they were."""

from __future__ import annotations

import pytest

import weightlab as wl
from tests.plots.pictures import texts

pytest.importorskip("matplotlib")

from weightlab.plots import canvas

STRANGE = "\U0001f98a"
"""A fox, which no font that ships with matplotlib can draw."""


@pytest.fixture
def _one_font(monkeypatch):
    """Let there be matplotlib's own font alone."""
    canvas._characters.cache_clear()
    monkeypatch.setattr(canvas, "fonts", lambda: ("DejaVu Sans",))
    yield
    canvas._characters.cache_clear()


@pytest.mark.usefixtures("_one_font")
def test_a_character_that_no_font_has_is_shown_as_its_code_while_a_png_is_made(monkeypatch):
    ax = wl.plots.draw(wl.Leaderboard({"x": {STRANGE: 1, "b": 2}}), kind="margins")
    seen = []
    real = type(ax.figure).savefig

    def savefig(figure, *args, **options):
        real(figure, *args, **options)
        seen.extend(label.get_text() for label in ax.get_yticklabels())

    monkeypatch.setattr(type(ax.figure), "savefig", savefig)
    wl.plots.rendered(ax, "png")
    assert seen == ["b", "\\U0001f98a"]


@pytest.mark.usefixtures("_one_font")
def test_an_svg_keeps_every_character():
    board = wl.Leaderboard({"x": {STRANGE: 1, "模型": 2}})
    assert {STRANGE, "模型"} <= set(texts(wl.plots.rendered(board, "svg", kind="margins")))


@pytest.mark.usefixtures("_one_font")
def test_only_what_no_font_has_cannot_be_drawn():
    assert canvas.undrawable(f"abc…é\n{STRANGE}") == {STRANGE}


@pytest.mark.usefixtures("_one_font")
def test_a_figure_says_the_same_after_each_file():
    ax = wl.plots.draw(wl.Leaderboard({"x": {STRANGE: 1, "b": 2}}), kind="margins")
    first = texts(wl.plots.rendered(ax, "svg"))
    assert STRANGE in first
    wl.plots.rendered(ax, "png")
    wl.plots.rendered(ax, "pdf")
    assert texts(wl.plots.rendered(ax, "svg")) == first


def test_axes_that_left_their_figure_are_refused():
    ax = wl.plots.draw(wl.Leaderboard({"x": {"a": 1, "b": 2}}), kind="margins")
    ax.remove()
    with pytest.raises(wl.InputError, match=r"^these axes are on no figure any more$"):
        wl.plots.rendered(ax)
