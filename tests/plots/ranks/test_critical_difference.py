"""Critical-difference diagrams: ranks, bars over what is not separated, and words that stay apart in print."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from tests.plots.pictures import AWKWARD, FEW, assert_is_drawn
from tests.plots.test_layout import LONG, words
from weightlab.plots.marks import notes_of, rows_of
from weightlab.plots.ranks.critical_difference import _bars


def board_of(models, tasks=20, gap=0.4, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((len(models), tasks)).round(4) - gap * np.arange(len(models))[:, None]
    return wl.Leaderboard(scores, models=models, tasks=[f"t{place}" for place in range(tasks)])


@FEW
@given(dice=DICE)
def test_every_pair_that_is_not_separated_is_beneath_a_bar_and_none_reaches_further_than_it_must(dice):
    count = dice.between(2, 9)
    separated = np.zeros((count, count), dtype=bool)
    for one, other in zip(*np.triu_indices(count, 1), strict=True):
        separated[one, other] = separated[other, one] = dice.between(0, 1) == 1
    bars = [(int(bar["low"]), int(bar["high"]), bar["level"]) for bar in _bars(separated, np.arange(count) * 1.0)]
    open_pairs = {
        pair for pair in zip(*(one.tolist() for one in np.triu_indices(count, 1)), strict=True) if not separated[pair]
    }
    assert all(any(low <= one and other <= high for low, high, _ in bars) for one, other in open_pairs)
    assert {(low, high) for low, high, _ in bars} <= open_pairs
    assert not any(one != other and other[0] <= one[0] and one[1] <= other[1] for one in bars for other in bars)
    assert not any(
        one != other and one[2] == other[2] and one[0] <= other[1] and other[0] <= one[1]
        for one in bars
        for other in bars
    )


def groups_by_cliques(scores, ranks):
    """Return the groups that critdd draws, from its published method: scores are tasks x models.

    Pairs by Wilcoxon's exact test with Holm; maximal cliques of those not rejected, each with all models between its
    ends on the line, without those inside others and single models. (critdd is not on the package index.)
    """
    count = scores.shape[1]
    pairs = list(zip(*(one.tolist() for one in np.triu_indices(count, 1)), strict=True))
    p = np.array([stats.wilcoxon(scores[:, one], scores[:, other], method="exact").pvalue for one, other in pairs])
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    graph = nx.Graph([pair for pair, one in zip(pairs, adjusted, strict=True) if one > 0.05])
    graph.add_nodes_from(range(count))
    hulls = set()
    for clique in nx.find_cliques(graph):
        own = ranks[clique]
        hulls.add(tuple(np.flatnonzero((ranks >= own.min()) & (ranks <= own.max())).tolist()))
    return {one for one in hulls if len(one) > 1 and not any(set(one) < set(other) for other in hulls)}


@pytest.mark.parametrize("seed", range(6))
def test_ranks_and_bars_are_the_groups_of_critdd_by_the_same_test(seed):
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((14 + 4 * seed, 8)) + 0.3 * np.arange(8)
    board = wl.Leaderboard(scores.T, models=[f"m{k}" for k in range(8)], tasks=[f"t{k}" for k in range(len(scores))])
    found = wl.studies.rank_sets(board, "borda", method="wilcoxon")
    np.testing.assert_allclose(found.mean_ranks, stats.rankdata(-scores, axis=1).mean(axis=0))
    ranks = found.mean_ranks.round(9)
    bars = {
        tuple(np.flatnonzero((ranks >= round(one.low, 9)) & (ranks <= round(one.high, 9))).tolist())
        for one in rows_of(wl.plots.cd_marks(found), "bar")
    }
    assert bars == groups_by_cliques(scores, ranks)


def test_marks_are_the_average_ranks_and_the_note_counts_what_is_separated():
    found = wl.studies.rank_sets(board_of(list("abcdef")), "borda", method="nemenyi")
    marks = wl.plots.cd_marks(found)
    models = rows_of(marks, "model")
    assert [one.name for one in models] == list(found.order)
    assert [one.x for one in models] == sorted(found.mean_ranks)
    assert [(one.side, one.y) for one in models] == [("left", y) for y in (0, 1, 2)] + [("right", y) for y in (2, 1, 0)]
    (critical,) = rows_of(marks, "cd")
    assert critical.label == f"CD = {found.high[0] - found.difference[0]:.2f}"
    (told,) = notes_of(marks)
    assert told == (
        f"Two models that share no bar are separated ({found.separated} of 15 pairs): 95%, Nemenyi's test of average "
        "ranks, 20 tasks."
    )


@pytest.mark.parametrize(
    "models", [list("ab"), LONG, [f"model number {k}" for k in range(22)], [f"system-{k}-large" for k in range(97)]]
)
@pytest.mark.parametrize("width", [None, 3.3])
def test_words_lie_inside_the_figure_and_apart(models, width):
    pytest.importorskip("matplotlib")
    ax = wl.plots.draw(wl.studies.rank_sets(board_of(models), "borda"), kind="cd", width=width)
    figure, seen = ax.get_figure(root=True), words(ax)
    assert figure.get_figwidth() == (6.5 if width is None else width)
    out = [
        text
        for text, box in seen
        if min(box.x0, box.y0) < -1 or box.x1 > figure.bbox.width + 1 or box.y1 > figure.bbox.height + 1
    ]
    assert out == []
    over = [
        (one, other)
        for place, (one, here) in enumerate(seen)
        for other, there in seen[place + 1 :]
        if min(here.x1, there.x1) - max(here.x0, there.x0) > 1 and min(here.y1, there.y1) - max(here.y0, there.y0) > 2
    ]
    assert over == []


def test_it_is_drawn_whatever_the_models_are_called_and_on_axes_of_others():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    found = wl.studies.rank_sets(board_of(AWKWARD), "borda")
    assert_is_drawn(found, "cd", names=["$x_1$", "模型", "bell\\x07"])
    ax = Figure(figsize=(7, 3)).add_subplot()
    assert wl.plots.draw(found, kind="cd", ax=ax) is ax


def test_models_that_never_meet_have_no_average_rank():
    votes = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": None}, "y": {"a": None, "b": 2, "c": 1}}).margins()
    with pytest.raises(wl.exceptions.InputError, match="shares no task"):
        wl.plots.cd_marks(wl.studies.rank_sets(votes, "copeland"))
