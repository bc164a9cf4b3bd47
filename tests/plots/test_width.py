"""Pictures in a column of a paper: as wide as asked for, everything inside, unless the picture needs more."""

from __future__ import annotations

import pytest

import weightlab as wl

pytest.importorskip("matplotlib")

from tests.plots.test_layout import BOARDS, things, words

ROWS = ("ranking", "winning_shares", "rank_intervals", "robustness", "dispersion", "depths")


@pytest.mark.parametrize("which", BOARDS)
def test_rows_fit_into_a_column(which):
    drawn = things(BOARDS[which])
    for kind in ROWS:
        ax = wl.plots.draw(drawn[kind], kind=kind, width=3.3)
        figure, seen = ax.get_figure(root=True), words(ax)
        assert figure.get_figwidth() == 3.3
        out = [text for text, box in seen if box.x0 < -1 or box.x1 > figure.bbox.width + 1]
        assert (kind, out) == (kind, [])
        assert ax.get_position().width * 3.3 > 0.5


def test_what_has_a_column_for_each_model_is_as_wide_as_it_must_be():
    many = BOARDS["many"]
    assert wl.plots.draw(many, kind="margins", width=3.3).figure.get_figwidth() > 5
    assert wl.plots.draw(many, kind="majority_graph", width=3.3).figure.get_figwidth() > 4
