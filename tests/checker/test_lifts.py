"""Lifts: what one of the two checkers refuses the other refuses as well."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import weightlab as wl
from tests.checker.documents import board, code_of, csv_of, document_of, package_holds
from tests.lp.forging import some_forgeries
from weightlab import checker

RULES = ("majority", "mean", "median", "mean_win_rate", "borda", "dowdall", "plurality", "veto", [5, 2, 2, 0])


def claims(frame):
    """Return lifts of each model and of all, by the rules that the checker knows."""
    table = wl.Leaderboard(frame, weights={"t0": 2, "t1": "1/2"})
    for rule in RULES:
        for options in ({}, {"ties": "ok"}, {"level": "3/2", "ties": "ok"}):
            yield wl.lp.fewest_lifts(table, rule=rule, **options)
            for model in table.models[:2]:
                try:
                    yield wl.lp.fewest_lifts(table, model, rule, **options)
                except wl.ImpossibleError as error:
                    yield error.proof


def held_by_mixtures(found):
    lifts = [found.lifts] if found.kind == "fewest_lifts" else found.lifts.values()
    return all(len(one.mixture) or one.tree is not None or one.tasks == () for one in lifts)


@pytest.mark.parametrize("seed", [2, 4, 6, 8])
def test_true_lifts_are_accepted_as_far_as_a_mixture_shows_them(seed):
    frame = board(seed, models=4, tasks=5)
    weights = checker.Declared(weights={"t0": checker.Fraction(2), "t1": checker.Fraction(1, 2)})
    codes = []
    for found in claims(frame):
        text = checker.json.dumps(document_of(found))
        report = checker.check(text, csv_of(frame), weights)
        codes.append(report.code)
        assert codes[-1] == (0 if held_by_mixtures(found) else 3)
        assert (" at most " in report.lines[0]) == (codes[-1] == 3)
        with pytest.raises(checker.FalseClaimError, match="the weights differ"):
            checker.check(text, csv_of(frame))
        other = frame.copy()
        other.iloc[0, 0] += 1
        with pytest.raises(checker.FalseClaimError, match="scores of 't0' are not the table's"):
            checker.check(text, csv_of(other), weights)
    assert codes.count(0) > len(codes) / 2


@pytest.mark.parametrize("seed", [2, 4])
def test_both_refuse_the_same_forgeries_of_lifts(seed):
    frame = board(seed, models=4, tasks=4)
    for found in claims(frame):
        for forged in some_forgeries(document_of(found), 40, seed=seed):
            code, words = code_of(forged)
            if code != 3:
                assert package_holds(forged, None) == (code == 0), (forged, words)


def test_what_is_not_known_of_lifts_is_named_as_not_checked():
    frame = board(2)
    table = wl.Leaderboard(frame)
    space = wl.lp.WeightSpace(table.tasks)
    for found, words in (
        (wl.lp.fewest_lifts(table, rule="mean", ties="ok", space=space), "where weights are free"),
        (wl.lp.fewest_lifts(wl.Leaderboard(board(3))), "scores are missing"),
        (wl.lp.fewest_lifts(wl.Leaderboard(frame, groups={"g": ["t0"]})), "groups"),
    ):
        code, told = code_of(document_of(found))
        assert code == 3
        assert words in told


def without(document, *path):
    """Return a document with what stands at a path, and how to put something there."""
    made = checker.json.loads(checker.json.dumps(document))
    holder = made
    for name in path[:-1]:
        holder = holder[name]
    return made, holder


MALFORMED = {
    "a way that there is not": (("rule", "missing"), 5),
    "a way that the rule has not": (("rule", "missing"), "last"),
    "a space that is none": (("space",), 5),
    "a space of other tasks": (("space",), {"tasks": ["t0"], "conditions": []}),
    "a solver that is none": (("lifts", "solver"), {}),
    "cuts that are none": (("lifts", "cuts"), [{"lifted": []}]),
    "a part that is not known": (("table", "ghost"), {}),
    "groups that are none": (("table", "groups"), {"g": "t0"}),
    "a group of no task": (("table", "groups"), {"g": ["t9"]}),
    "a tolerance below 0": (("table", "tolerance"), {"t0": "-1/1"}),
    "errors of another length": (("table", "standard_errors"), {"t0": ["1/2"]}),
    "weights of no task": (("table", "weights"), {"t9": "1/1"}),
    "a level that is none": (("level",), True),
}


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", MALFORMED)
def test_a_form_that_is_none_is_refused_though_the_claim_would_not_be_checked(name, seed, space):
    frame, (path, value) = board(seed, models=4, tasks=4), MALFORMED[name]
    table = wl.Leaderboard(frame)
    rule = "majority" if seed == 3 else "mean"
    options = {"space": wl.lp.WeightSpace(table.tasks)} if space else {}
    try:
        found = wl.lp.fewest_lifts(table, table.models[-1], rule, ties="ok", **options)
    except wl.ImpossibleError as error:
        found = error.proof
    document, holder = without(document_of(found), *path)
    assert code_of(document)[0] in {0, 3}
    holder[path[-1]] = value
    assert code_of(document)[0] in {1, 2}
    assert not package_holds(document, None)


def test_a_table_of_one_model_is_none():
    document = document_of(wl.lp.fewest_lifts(wl.Leaderboard(board(2)), "m0"))
    table = {"models": ["m0"], "scores": {task: own[:1] for task, own in document["table"]["scores"].items()}}
    lone = {**document, "table": table, "count": 0, "lifts": {**document["lifts"], "tasks": [], "mixture": {}}}
    assert code_of(lone)[0] in {1, 2}
    assert not package_holds(lone, None)


def test_a_tree_is_read_where_no_mixture_shows_that_fewer_lifts_do_not_do():
    odd = [[(one & other).bit_count() % 2 for one in range(1, 16)] for other in range(1, 16)]
    frame = pd.DataFrame({f"t{one}": {"a": 0} | {f"r{v}": 2 * odd[v][one] - 1 for v in range(15)} for one in range(15)})
    document = wl.lp.fewest_lifts(wl.Leaderboard(frame), "a", ties="ok").to_dict()
    assert len(document["lifts"]["tree"]["nodes"]) > 1
    table = frame.to_csv(index_label="model")
    assert checker.check(json.dumps(document), table).code == 0
    document["lifts"]["tree"]["nodes"].pop()
    with pytest.raises(checker.FalseClaimError, match="the tree ends before"):
        checker.check(json.dumps(document), table)
