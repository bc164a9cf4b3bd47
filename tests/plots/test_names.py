"""Whatever a model, a task or a dataset is called: every kind of picture shows it as text, and nothing else of it."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

import weightlab as wl
from weightlab._text import shown

pytest.importorskip("matplotlib")

NAMES = ("</text><script>1</script>", "e\x1b[31m&lt;b&gt;", "$x^2$ \\alpha", "]]>\"'><a href='javascript:1'>")
TASKS = ("<![CDATA[t", "@team\u202e", 'onload="1" {0} %s')
DATASETS = ("d<script>", "-->\x07")
BOARD = wl.Leaderboard(
    {
        task: dict(zip(NAMES, scores, strict=True))
        for task, scores in zip(TASKS, ([4, 3, 2, 1], [1, 4, 3, 2], [2, 1, 4, 3]), strict=True)
    }
)
PROFILE = BOARD.rankings(break_ties="alphabetical")
PEAKED = wl.Profile.from_orders([NAMES, NAMES[::-1]], voters=TASKS[:2])
SUITE = wl.Suite(
    {
        dataset: {
            task: {model: (3 * place + 5 * shift + extra) % 7 for place, model in enumerate(NAMES)}
            for shift, task in enumerate(TASKS)
        }
        for extra, dataset in enumerate(DATASETS)
    }
)
DRAWN = {
    "majority_graph": lambda: BOARD,
    "margins": lambda: BOARD,
    "verdicts": lambda: wl.lp.prospects(BOARD),
    "winning_weights": lambda: wl.lp.prospect(BOARD, NAMES[0]),
    "winning_shares": lambda: wl.lp.winning_shares(BOARD, samples=50, rng=0),
    "weight_ranges": lambda: wl.lp.weight_ranges(BOARD, NAMES[0]),
    "winner_map": lambda: wl.lp.map_of_winners(BOARD, TASKS),
    "stability": lambda: wl.lp.stability(BOARD, rule="mean", of="ranking"),
    "fewest": lambda: wl.lp.fewest_lifts(BOARD, rule="borda"),
    "firmness": lambda: wl.studies.leave_one_out(BOARD),
    "mean_spans": lambda: wl.lp.settle(BOARD, rule="mean"),
    "rank_intervals": lambda: wl.studies.bootstrap(BOARD, "borda", repeats=20, rng=0),
    "cd": lambda: wl.studies.rank_sets(BOARD, "borda"),
    "robustness": lambda: wl.studies.missing_scores(BOARD, rules=["borda"], counts=[1], repeats=2, rng=0),
    "sweep": lambda: wl.studies.sweep(SUITE),
    "audit": lambda: wl.studies.audit(SUITE),
    "ranks": lambda: BOARD,
    "agreement": lambda: wl.studies.agreement(BOARD, ["mean", "borda"]),
    "disagreement": lambda: wl.studies.disagreement(BOARD, "mean", "borda"),
    "dispersion": lambda: wl.studies.dispersion(BOARD),
    "single_peaked": lambda: wl.domains.single_peaked(PEAKED),
    "depths": lambda: wl.domains.tukey_depth(PROFILE),
    "separation_tree": lambda: wl.domains.group_separable(PEAKED),
    "ranking": lambda: wl.rules.rank(BOARD, "borda"),
}
NAMELESS = {"agreement", "dispersion", "robustness", "sweep"}
"""Pictures of rules, of shares and of counts, with no name of the data in them."""


def test_every_kind_of_picture_is_drawn_of_such_names():
    assert DRAWN.keys() == wl.plots.PICTURES.keys()


@pytest.mark.parametrize("kind", DRAWN)
def test_names_are_text_in_every_kind_of_picture(kind):
    svg = wl.plots.rendered(DRAWN[kind](), "svg", kind=kind).decode()
    root = ET.fromstring(svg)  # noqa: S314 - ours
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", svg)
    for part in root.iter():
        assert part.tag.rpartition("}")[2] not in {"script", "a", "foreignObject", "iframe"}
        assert not [name for name in part.attrib if name.lower().startswith("on")]
        links = [value for name, value in part.attrib.items() if name.endswith("href")]
        assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    said = "".join(root.itertext())
    found = [name for name in (*NAMES, *TASKS, *DATASETS) if shown(name) in said]
    assert bool(found) != (kind in NAMELESS), found
