"""Documents of studies edited anywhere: they are refused, or what they say is still true; nothing else is raised."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError, ProofError
from weightlab.studies import (
    agreement,
    audit,
    bootstrap,
    disagreement,
    discriminative_power,
    dispersion,
    flips,
    irrelevant_models,
    manipulation,
    metric_cycles,
    missing_scores,
    paired,
    rank_sets,
    single_changes,
    sweep,
    task_removal,
    user_ranking,
)

PARADOX = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
TIED = {"x": {"a": 3, "b": 2, "c": 2}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 1, "c": 2}}
TURNED = {
    "x": {"a": 9, "b": 6, "c": 8, "d": 7, "e": 1},
    "y": {"a": 3, "b": 5, "c": 2, "d": 1, "e": 4},
    "z": {"a": 3, "b": 5, "c": 1, "d": 2, "e": 4},
}
SUITE = wl.Suite({"paradox": PARADOX, "tied": TIED})
AUDIT = audit(SUITE)
BOARD = wl.Leaderboard(PARADOX | {"w": {"a": 1, "b": 2, "c": 0}}, groups={"one": ["x", "y"], "other": ["z", "w"]})
INSTANCES = wl.Instances({"one": {"i": PARADOX["x"], "j": PARADOX["y"]}, "other": {"i": PARADOX["z"]}})
RESULTS = {
    "audit": AUDIT,
    "audit with ties kept": audit(SUITE, break_ties=None),
    "audit of one dataset": AUDIT["tied"],
    "repair of models": AUDIT.repair("single_peaked"),
    "repair of metrics": AUDIT.repair("condorcet_domain", drop="metrics"),
    "repair of datasets": AUDIT.repair("acyclic", drop="datasets"),
    "sweep": sweep(SUITE, break_ties=["alphabetical", None]),
    "paired": paired(BOARD, "a", "b", repeats=100),
    "cycles": metric_cycles(SUITE),
    "flips": flips(wl.Suite({"turned": TURNED}), by="x", top=4),
    "single changes": single_changes(wl.Leaderboard(TURNED), ["borda", "condorcet"], models=list("bcde")),
    "arrivals": irrelevant_models(wl.Leaderboard(TURNED), ["borda", "condorcet"], repeats=2, rng=0),
    "comparison": wl.rules.compare(BOARD, ["mean", "z_score", "borda", "baldwin", "copeland", "schulze", "kemeny"]),
    "ranking of duels": wl.rules.rank(BOARD.margins(), "ranked_pairs"),
    "ranking of instances": wl.rules.one_level(INSTANCES, "borda"),
    "two steps": wl.rules.two_step(BOARD, "mean", then="borda"),
    "two levels": wl.rules.two_level(INSTANCES, "borda"),
    "Kemeny gap": wl.rules.kemeny_gap(BOARD),
    "majorities": wl.rules.majority_overview(BOARD),
    "user ranking": user_ranking(BOARD),
    "agreement": agreement(BOARD, ["borda", "macro_average"]),
    "discriminative power": discriminative_power(BOARD, ["mean", "plurality"], decimals=1),
    "dispersion": dispersion(BOARD, ["borda"], repeats=2, rng=0),
    "bootstrap": bootstrap(BOARD, "borda", repeats=3, rng=0),
    "rank sets": rank_sets(BOARD.with_groups({}), "mean", repeats=100),
    "rank sets by majorities": rank_sets(BOARD, "schulze"),
    "disagreement": disagreement(BOARD, "mean", "borda"),
    "missing scores": missing_scores(BOARD, ["borda"], counts=[1], repeats=2, rng=0),
    "task removal": task_removal(BOARD, ["borda"], sizes=[2], repeats=2, rng=0),
    "manipulation": manipulation(["borda"], models=3, tasks=2, instances=2, repeats=1, dispersions=[0.1], rng=0),
}
JUNK = [None, True, False, 0, 1, -1, 7, 1.5, "a", "x", "1/2", "0/1", "reverse", "0 x", [], {}, ["a"], [[1]], {"a": 1}]


def places(part, path=()):
    """Yield the path to every part of a document but the whole."""
    steps = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, inner in steps:
        yield (*path, step)
        yield from places(inner, (*path, step))


@pytest.mark.parametrize("name", RESULTS)
@given(dice=DICE)
@settings(max_examples=40)
def test_an_edited_document_is_refused_or_still_verifies(name, dice):
    document = json.loads(json.dumps(RESULTS[name].to_dict()))
    path = dice.one_of(list(places(document)))
    part = document
    for step in path[:-1]:
        part = part[step]
    if dice.flag():
        part[path[-1]] = dice.one_of(JUNK)
    else:
        del part[path[-1]]
    try:
        read = result_from_dict(document)
        assert read.verify()
    except (InputError, ProofError):
        return
    # What verifies can be shown and sent on.
    assert str(read)
    assert len(read.summary()) >= 0
    assert result_from_dict(json.loads(json.dumps(read.to_dict()))).verify()
