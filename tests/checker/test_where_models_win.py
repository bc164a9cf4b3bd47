"""Regions, maps, shares, task sets, prospects by further rules: both checkers refuse the nearest false claims."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds, spaces

FRAME = board(2)
TABLE = wl.Leaderboard(FRAME)
SPACE = spaces(list(FRAME))[1]
EQUAL = pd.DataFrame({"x": [3, 1, 2], "y": [3, 1, 2], "z": [1, 3, 2], "w": [0, 2, 2]}, ["a", "b", "c"], dtype=float)


def refused(document, frame=FRAME):
    return all(
        code_of(document, text)[0] in {1, 2} and not package_holds(document, source)
        for text, source in ((csv_of(frame), wl.Leaderboard(frame)), (None, None))
    )


def changed(document, path, value):
    """Return a document with the part at a path replaced, by what a function makes of it if one is given."""
    copy = json.loads(json.dumps(document))
    *rest, last = path
    part = copy
    for name in rest:
        part = part[name]
    part[last] = value(part[last]) if callable(value) else value
    return copy


def moved(by):
    """Return what adds a fraction to a number ``p/q``."""

    def to(number):
        made = Fraction(number) + Fraction(by)
        return f"{made.numerator}/{made.denominator}"

    return to


def without_last(listed):
    return listed[:-1]


@pytest.mark.parametrize("space", [None, SPACE])
@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_nearest_false_regions_are_refused(rule, space):
    document = document_of(wl.lp.winning_region(TABLE, "m0", rule=rule, space=space))
    assert code_of(document, csv_of(FRAME))[0] == 0
    for by in ("1/1000000", "-1/1000000"):
        assert refused(changed(document, ["unbeaten"], moved(by)))
        assert refused(changed(document, ["inmost", "radius"], moved(by)))
    columns = document["corners"]
    fewer = changed(document, ["corners"], {task: one[:-1] for task, one in columns.items()})
    middle = {task: [*one, moved(0)(sum(map(Fraction, one)) / len(one))] for task, one in columns.items()}
    assert refused(fewer)
    assert refused(changed(document, ["corners"], middle))
    away = changed(changed(document, ["corners", "t0", 0], moved("1/9")), ["corners", "t1", 0], moved("-1/9"))
    assert refused(away)
    weights = document["inmost"]["weights"]
    first, second = [task for task, one in weights.items() if one != "0/1"][:2]
    shifted = changed(document, ["inmost", "weights", first], moved("1/1000"))
    assert refused(changed(shifted, ["inmost", "weights", second], moved("-1/1000")))
    largest = max(document["inmost"]["blockers"], key=lambda one: Fraction(document["inmost"]["blockers"][one]))
    assert refused(changed(document, ["inmost", "blockers", largest], moved("-1/1000")))


def test_equal_tasks_count_as_often_as_they_are_there():
    document = document_of(wl.lp.winning_region(wl.Leaderboard(EQUAL), "a"))
    assert [*document["corners"]] == ["x", "z"]
    assert code_of(document, csv_of(EQUAL))[0] == 0
    for by in ("1/100", "-1/100"):
        assert refused(changed(document, ["unbeaten"], moved(by)), EQUAL)


@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_nearest_false_maps_are_refused(rule):
    document = document_of(wl.lp.map_of_winners(TABLE, ["t0", "t1", "t2"], rule=rule, space=SPACE))
    code, words = code_of(document, csv_of(FRAME))
    assert code == 0
    assert "shares of the triangle of t0, t1, t2" in words
    areas = document["areas"]
    assert len(areas) > 1
    assert refused(changed(document, ["areas"], without_last))
    assert refused(changed(document, ["areas"], [*areas, areas[0]]))
    assert refused(changed(document, ["areas", 0, "models"], areas[1]["models"]))
    assert refused(changed(document, ["areas", 0, "models"], []))
    assert refused(changed(document, ["areas", 0, "kind"], "tie"))
    assert refused(changed(document, ["areas", 0, "share"], moved("1/1000")))
    assert refused(changed(document, ["areas", 0, "corners"], lambda ring: ring[::-1]))
    corner = changed(document, ["areas", 0, "corners", 0, 0], moved("-1/50"))
    assert refused(changed(corner, ["areas", 0, "corners", 0, 1], moved("1/50")))
    assert refused(changed(document, ["corners", "t0"], {"t1": "1/1"}))


@pytest.mark.parametrize("rule", ["majority", "mean"])
@pytest.mark.parametrize("strict", [False, True])
def test_nearest_false_task_sets_are_refused(rule, strict):
    document = document_of(wl.lp.fewest_task_sets(TABLE, "m2", rule=rule, strict=strict))
    assert code_of(document, csv_of(FRAME))[0] == 0
    found = document["found"]
    assert refused(changed(document, ["found", "weights"], without_last))
    assert refused(changed(document, ["found", "size"], found["size"] + 1))
    assert refused(changed(document, ["found", "size"], found["size"] - 1))
    assert refused(changed(document, ["found", "cuts"], []))
    assert refused(changed(document, ["found", "weights"], lambda own: [*own, own[0]]))
    assert refused(changed(document, ["found", "least"], "1/1" if rule == "majority" and not strict else "100/1"))
    assert refused(changed(document, ["found", "is_complete"], value=False))
    assert refused(changed(document, ["found", "solver"], "HiGHS"))


def test_a_tree_shows_that_no_other_set_is_as_small(monkeypatch):
    monkeypatch.setattr("weightlab.lp.scenarios.fewest_tasks.BUDGET", 0)
    document = document_of(wl.lp.fewest_task_sets(TABLE, "m2", rule="mean", strict=True))
    assert document["found"]["tree"]
    assert code_of(document, csv_of(FRAME))[0] == 0
    assert refused(changed(document, ["found", "tree", "nodes"], without_last))
    assert refused(changed(document, ["found", "weights"], without_last))


def test_nearest_false_prospects_by_the_geometric_mean_are_refused():
    document = document_of(wl.lp.prospects(TABLE, rule="geometric_mean"))
    assert code_of(document, csv_of(FRAME))[0] == 0
    by_name = {one["model"]: place for place, one in enumerate(document["prospects"])}
    can, cannot = by_name["m2"], by_name["m3"]
    assert refused(changed(document, ["prospects", can, "weights"], {"t0": "1/1"}))
    assert refused(changed(document, ["prospects", can, "weights"], {"t1": "12/13", "t3": "2/13"}))
    assert refused(changed(document, ["prospects", cannot, "blockers"], {"m0": "1/1"}))
    assert refused(changed(document, ["prospects", cannot, "verdict"], "strict"))
    assert refused(changed(document, ["verdicts", "m3"], "strict"))
    assert refused(changed(document, ["prospects"], without_last))
    assert refused(changed(document, ["rule"], "copeland"))


@pytest.mark.parametrize("rule", ["copeland", "minimax"])
def test_nearest_false_prospects_by_copeland_and_minimax_are_refused(rule):
    document = document_of(wl.lp.prospects(TABLE, rule=rule))
    assert code_of(document, csv_of(FRAME))[0] in {0, 3}
    for place in range(len(document["prospects"])):
        for by in ("1/1", "-1/1", "1/1000"):
            assert refused(changed(document, ["prospects", place, "lead"], moved(by)))
        assert refused(changed(document, ["prospects", place, "verdict"], "weak"))
        believed = document["prospects"][place]["solver"]
        assert refused(changed(document, ["prospects", place, "solver"], None if believed else "HiGHS"))


@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_shares_that_contradict_what_is_proved_are_refused(rule):
    document = document_of(wl.lp.winning_shares(TABLE, rule=rule, samples=200, rng=1))
    code, words = code_of(document, csv_of(FRAME))
    assert code == 3
    assert "Consistent with it" in words.splitlines()[0]
    counts = document["wins"]["counts"]
    never = next(place for place, one in enumerate(counts[:-1]) if not one)
    most = max(range(len(counts)), key=counts.__getitem__)
    other = [one + (place == never) - (place == most) for place, one in enumerate(counts)]
    assert refused(changed(document, ["wins", "counts"], other))
    assert refused(changed(document, ["wins", "counts", most], counts[most] + 1))
    winner = f"m{most}"
    assert refused(changed(document, ["winning_weights", winner], lambda own: [1.0] + [0.0] * (len(own) - 1)))


@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_shares_of_pairs_that_no_weightings_give_are_refused(rule):
    table = wl.Leaderboard({"x": {"m0": 3, "m1": 2, "m2": 1}, "y": {"m0": 3, "m1": 1, "m2": 2}})
    document = document_of(wl.lp.pair_shares(table, [("m0", "m1"), ("m1", "m2")], rule=rule, samples=200, rng=1))
    code, words = code_of(document, csv_of(table.scores))
    assert (code, "not checked: how often each is ahead" in words) == (3, True)
    sure, open_ = document["ahead"]["counts"]
    assert (sure, 0 < open_ < 200) == (200, True)
    assert code_of(changed(document, ["ahead", "counts", 1], open_ + 1), csv_of(table.scores))[0] == 3
    for place, count in ((0, 199), (0, 201), (1, 201), (1, -1), (1, 0.5)):
        assert refused(changed(document, ["ahead", "counts", place], count))
    assert refused(changed(document, ["pairs", 0], ["m1", "m0"]))
    assert refused(changed(document, ["pairs", 0], ["m0", "m0"]))
    assert refused(changed(document, ["pairs", 0], ["m0", "eve"]))
    assert refused(changed(document, ["pairs"], [["m0", "m1"]]))


@pytest.mark.parametrize("rule", ["copeland", "minimax", "geometric_mean"])
def test_prospects_one_by_one_are_of_one_table_and_space(rule):
    given = [wl.lp.prospects(one, rule=rule) for one in (TABLE, wl.Leaderboard(board(4)))]
    if rule != "geometric_mean":
        given.append(wl.lp.prospects(TABLE, rule=rule, space=wl.lp.WeightSpace(TABLE).fixed("t0", "1/2")))
        assert "Conditions: " in code_of(document_of(given[-1]), csv_of(FRAME))[1]
    for other in given[1:]:
        mixed = replace(given[0], prospects=(*given[0].prospects[:-1], other.prospects[-1]))
        assert given[0].verify(TABLE)
        assert refused(document_of(mixed))
