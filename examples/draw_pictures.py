"""Draw the pictures of the guide "Draw pictures" into a folder.

Run it as ``python examples/draw_pictures.py docs/how-to/pictures``; without a folder it draws into the current one.
It needs matplotlib: ``pip install 'weightlab[plot]'``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import weightlab as wl

METRICS = ["accuracy", "accuracy_feature_noise", "accuracy_label_noise"]


def things() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return the objects to draw by file name, with the options of each picture."""
    suite = wl.datasets.load("classifiers")
    accuracy = wl.datasets.load_leaderboard("classifiers").select(tasks=wl.group("accuracy"))
    rankings = suite.leaderboard("iris").select(tasks=METRICS).rankings(break_ties="alphabetical")
    peaked = wl.domains.nearest(rankings, "single_peaked", drop="models").kept
    separable = wl.domains.nearest(rankings, "group_separable", drop="models").kept
    rules = ["mean", "median", "borda", "plurality", "copeland", "kemeny"]
    return {
        "majority_graph": (accuracy, {"kind": "majority_graph", "most": 7}),
        "majority_graph_long": (accuracy, {"kind": "majority_graph"}),
        "margins": (accuracy, {"kind": "margins"}),
        "ranks": (wl.rules.compare(accuracy, rules), {"most": 12}),
        "single_peaked": (wl.domains.single_peaked(peaked), {}),
        "not_single_peaked": (wl.domains.single_peaked(rankings), {}),
        "separation_tree": (wl.domains.group_separable(separable), {}),
        "not_group_separable": (wl.domains.group_separable(rankings), {}),
        "depths": (wl.domains.tukey_depth(suite.majority_relations()), {}),
    }


def answers() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return the answers about weights, rules and suites to draw, by file name, with their options."""
    suite = wl.datasets.load("classifiers")
    whole = wl.datasets.load_leaderboard("classifiers")
    accuracy = whole.select(tasks=wl.group("accuracy"))
    groups = [wl.group(name) for name in ("accuracy", "robustness", "speed")]
    models = wl.studies.random_model_sets(suite, size=5, count=10, rng=0)
    metrics = {str(count): suite.metrics[:count] for count in (2, 3, 4, 5, 6)}
    best = {"weights": wl.lp.prospect(accuracy, "QDA").weights, "called": "the weights of its widest lead"}
    today = {"weights": whole.weights, "called": "the weights of the table"}
    missing = wl.studies.missing_scores(accuracy, ["mean", "borda", "copeland"], repeats=20, rng=0)
    found, shares = wl.lp.prospects(whole), wl.lp.winning_shares(whole, samples=2000, rng=0)
    near = {model: wl.lp.scenario(whole, model, wl.lp.closest_to()) for model in ("GaussianNB", "LDA", "QDA")}
    return {
        "verdicts": (found, {"shares": shares, "nearest": near, "most": 6}),
        "winning_weights": (near["QDA"], {"most": 8}),
        "winning_shares": (wl.lp.winning_shares(accuracy, samples=2000, rng=0), {}),
        "weight_ranges": (wl.lp.weight_ranges(accuracy, "QDA"), best),
        "winner_map": (wl.lp.map_of_winners(whole, groups, rule="borda"), today),
        "stability": (wl.lp.stability(whole, rule="majority"), {}),
        "card": (wl.studies.card(accuracy), {}),
        "leave_one_out": (wl.studies.leave_one_out(wl.datasets.load_leaderboard("votenrank-a1")), {}),
        "mean_spans": (wl.lp.settle(_with_gaps(accuracy), "top", k=3, rule="mean", bounds=(0, 1)), {}),
        "rank_intervals": (wl.studies.rank_sets(accuracy, "borda"), {}),
        "cd": (wl.studies.rank_sets(accuracy, "borda", method="nemenyi"), {"kind": "cd"}),
        "robustness": (missing, {"statistic": "tau_b", "band": "mean"}),
        "ranking": (wl.rules.rank(accuracy, "copeland"), {}),
        "agreement": (wl.studies.agreement(accuracy), {}),
        "disagreement": (wl.studies.disagreement(accuracy, "mean", "borda"), {}),
        "dispersion": (wl.studies.dispersion(accuracy, ["mean", "median", "borda", "copeland"], rng=0), {}),
        "audit": (wl.studies.audit(suite, repair=False), {}),
        "sweep": (wl.studies.sweep(suite, model_sets=models, metric_sets=metrics), {}),
    }


def _with_gaps(board: wl.Leaderboard) -> wl.Leaderboard:
    """Return the accuracies of a table without every seventh one."""
    scores = board.scores[[task for task in board.tasks if task.startswith("accuracy/")]]
    for place in range(0, scores.size, 7):
        scores.iloc[place % len(scores), place // len(scores)] = None
    return wl.Leaderboard(scores)


def main() -> None:
    """Draw everything."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    for name, (thing, options) in {**things(), **answers()}.items():
        path = wl.plots.save(thing, folder / f"{name}.svg", **options)
        print(path.name)


if __name__ == "__main__":
    main()
