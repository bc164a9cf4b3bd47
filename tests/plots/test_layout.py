"""Pictures can be read: every word is inside its figure, and no two words lie over one another."""

from __future__ import annotations

import numpy as np
import pytest

import weightlab as wl

pytest.importorskip("matplotlib")

LONG = [f"organisation-{k % 3}/a-rather-long-name-of-a-model-{k}-instruct-v0.{k}-preview" for k in range(9)]


def board(models, tasks):
    rng = np.random.default_rng(len(models))
    columns = rng.permuted(np.tile(np.arange(len(models)), (len(tasks), 1)), axis=1).tolist()
    return wl.Leaderboard(
        {task: dict(zip(models, column, strict=True)) for task, column in zip(tasks, columns, strict=True)}
    )


BOARDS = {
    "letters": board("abc", "xyz"),
    "long": board(LONG, [f"a_task_of_a_long_name_{k} ($accuracy$, 5-shot)" for k in range(5)]),
    "many": board([f"model {k}" for k in range(34)], [f"task {k}" for k in range(7)]),
}


def things(table):
    """Return what is drawn of a table, by kind of picture."""
    rankings = table.rankings(break_ties="alphabetical")
    rules = ["mean", "borda", "plurality"]
    return {
        "majority_graph": table,
        "margins": table,
        "ranks": wl.rules.compare(table, rules),
        "ranking": wl.rules.rank(table, "plurality"),
        "winning_shares": wl.lp.winning_shares(table, samples=50, rng=0),
        "winner_map": wl.lp.map_of_winners(table, list(table.tasks[:3])),
        "rank_intervals": wl.studies.bootstrap(table, "borda", repeats=5, rng=0),
        "robustness": wl.studies.task_removal(table, rules, repeats=2, rng=0),
        "agreement": wl.studies.agreement(table, rules),
        "disagreement": wl.studies.disagreement(table, "mean", "plurality"),
        "dispersion": wl.studies.dispersion(table, rules, repeats=3, rng=0),
        "single_peaked": wl.domains.single_peaked(rankings),
        "separation_tree": wl.domains.group_separable(rankings),
        "depths": wl.domains.tukey_depth(rankings),
    }


def words(ax):
    """Return every upright or vertical text that is seen in a figure, with the box it takes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    figure = ax.get_figure(root=True)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    unseen = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        for label in (tick.label1, tick.label2)
    }
    texts = [
        one for one in figure.findobj(Text) if one.get_visible() and one.get_text().strip() and id(one) not in unseen
    ]
    return [
        (one.get_text(), one.get_window_extent(canvas.get_renderer())) for one in texts if one.get_rotation() in {0, 90}
    ]


@pytest.mark.parametrize("which", BOARDS)
def test_words_lie_inside_the_figure_and_apart(which):
    for kind, thing in things(BOARDS[which]).items():
        ax = wl.plots.draw(thing, kind=kind)
        figure, seen = ax.get_figure(root=True), words(ax)
        out = [
            text
            for text, box in seen
            if min(box.x0, box.y0) < -1 or box.x1 > figure.bbox.width + 1 or box.y1 > figure.bbox.height + 1
        ]
        assert (kind, out) == (kind, [])
        over = [
            (one, other)
            for place, (one, here) in enumerate(seen)
            for other, there in seen[place + 1 :]
            if min(here.x1, there.x1) - max(here.x0, there.x0) > 2
            and min(here.y1, there.y1) - max(here.y0, there.y0) > 3
        ]
        assert (kind, over) == (kind, [])
