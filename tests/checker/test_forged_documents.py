"""What one of the two checkers refuses the other refuses as well: where they disagree, one of them is wrong."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import weightlab as wl
from tests.checker.documents import (
    about_rankings,
    about_weights,
    board,
    code_of,
    contradiction,
    csv_of,
    document_of,
    package_holds,
    spaces,
)
from tests.lp.forging import BOARD, RESULTS, some_forgeries
from weightlab import checker
from weightlab._result import result_from_dict
from weightlab.report import read_document

SOME = 60


def ensure_agreement(document, source, table, count=SOME, seed=1):
    for forged in some_forgeries(document, count, seed=seed):
        code, words = code_of(forged, table)
        if code != 3:  # what is not checked is not accepted either
            assert package_holds(forged, source) == (code == 0), (forged, code, words)


CHECKED = [
    *("a strict model", "a model that never wins", "a weak model in a space", "a blocked model in a space"),
    *("all models", "all models in a space", "the nearest weights", "the nearest weights in a space"),
    *("the least change", "the most balanced weights", "the most of one task", "a contradiction"),
    "what each must carry",
]


@pytest.mark.parametrize("name", CHECKED)
def test_both_refuse_the_same_forgeries_of_what_the_tests_of_lp_forge(name):
    document = document_of(RESULTS[name]())
    table = csv_of(BOARD.scores)
    assert code_of(document, table)[0] == (3 if document.get("fewest") else 0)
    ensure_agreement(document, BOARD, table)


@pytest.mark.parametrize("seed", range(7))
def test_both_refuse_the_same_forgeries_about_weights(seed):
    frame = board(seed)
    for result in about_weights(frame, spaces(list(frame))[seed]):
        ensure_agreement(document_of(result), wl.Leaderboard(frame), csv_of(frame), 25, seed)


@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_both_refuse_the_same_forgeries_about_rankings(seed):
    frame = board(seed, models=3 + seed % 4, tasks=3 + seed % 3, highest=30)
    for result in about_rankings(frame):
        ensure_agreement(document_of(result), wl.Leaderboard(frame), csv_of(frame), 25, seed)


def refused_by_both(document, frame, **options):
    """Tell whether both checkers refuse a document, with the table and without it."""
    tables = [(csv_of(frame), wl.Leaderboard(frame, **options)), (None, None)]
    return all(
        code_of(document, table)[0] in {1, 2} and not package_holds(document, source) for table, source in tables
    )


LABELLED = {"text": "t0 at least 1/10", "rows": [], "auxiliaries": []}
UNBUILT = {
    "rows": [{"tasks": {"t0": "-1/1"}, "auxiliaries": {"t1": "1/1"}, "relation": ">=", "bound": "0/1"}],
    "auxiliaries": ["t1"],
}


@pytest.mark.parametrize("extra", [{"text": "t0 at least 1/10"}, {"name": "easy"}, {"auxiliaries": {"t1": "1/1"}}])
def test_no_condition_has_a_label_or_a_variable(extra):
    frame = board(2)
    space = spaces(list(frame))[1]
    for result in [contradiction(frame), *about_weights(frame, space)]:
        document = document_of(result)
        assert package_holds(document, wl.Leaderboard(frame))
        if "space" not in document:
            continue  # prospects one by one, each with its own
        space = result.space.to_dict()
        for other in ({**space["conditions"][0], **extra}, LABELLED, UNBUILT, UNBUILT | LABELLED):
            forged = json.loads(json.dumps(document))
            own = forged["space"]
            held = own if "conditions" in own else forged[checker.SHARED][own["table"]]
            held["conditions"][0] = other
            assert refused_by_both(forged, frame)


def test_words_of_a_contradiction_are_its_numbers():
    frame = board(2)
    document = document_of(contradiction(frame))
    code, words = code_of(document)
    assert code == 0
    assert "1 't0' + 1 't1' >= 7/10; within 3/10 (l1) of 't0' 1/4, 't1' 1/4, 't2' 1/4, 't3' 1/4." in words
    assert str(result_from_dict(document)).endswith(
        "t0 + t1 at least 7/10; within 3/10 of equal weights (sum of changes)"
    )


def test_weights_that_are_said_to_be_todays_are_compared_by_both():
    frame = board(2)
    heavier, winner = {"t1": 4}, None
    table = wl.Leaderboard(frame, weights=heavier)
    winner = next(one for one in table.models if wl.lp.prospect(table, one).verdict == "strict")
    document = document_of(wl.lp.scenario(table, winner, wl.lp.closest_to()))
    declared = checker.declared_in("[weights]\nt1 = 4")
    assert package_holds(document, table)
    assert checker.check(json.dumps(document), csv_of(frame), declared).code == 0
    assert not package_holds(document, wl.Leaderboard(frame))
    assert code_of(document, csv_of(frame)) == (1, "scenario: today's weight of 't0' is 1/4 in the table, not 1/7")


def test_no_norm_of_a_stability_is_left_out_unsaid():
    frame = board(2)
    frame.iloc[0] = 99.0
    document = document_of(wl.lp.stability(wl.Leaderboard(frame), rule="majority"))
    for norm in ("l1", "linf"):
        left = {name: points for name, points in document["reversals"]["points"].items() if name != norm}
        assert refused_by_both({**document, "reversals": {**document["reversals"], "points": left}}, frame)


@pytest.mark.parametrize("seed", range(4))
def test_a_score_that_changes_a_sign_is_seen(seed):
    frame = board(2 * seed)
    other = frame.copy()
    other.iloc[0, 0] = 99.0
    other.iloc[1, 0] = -99.0
    for result in about_weights(frame, None):
        expected = package_holds(document_of(result), wl.Leaderboard(other))
        code, _ = code_of(document_of(result), csv_of(other))
        assert code == 3 or (code == 0) == expected


@pytest.mark.parametrize("kind", sorted(checker.KINDS.keys() - {"slater"}))
@pytest.mark.parametrize("rest", [{}, {"signs": []}, {"space": None}, {"results": 1}])
def test_a_document_of_little_more_than_its_kind_is_refused(kind, rest):
    assert code_of({"kind": kind, **rest})[0] in {1, 2}


ODD_NAMES = ["", " ", "\n", "\ud800", "\u202e", "m1 ", "x" * 3000]


@pytest.mark.parametrize("name", ODD_NAMES, ids=map(ascii, ODD_NAMES))
def test_both_take_the_same_names_of_models_and_tasks(name):
    table = wl.Leaderboard(board(2))
    asked = [wl.lp.prospects(table), wl.lp.duels(table), wl.graph.slater(table), wl.graph.kemeny(table)]
    for result in (*asked, contradiction(board(2))):
        for old in ("m0", "t0"):
            renamed = json.loads(json.dumps(document_of(result)).replace(json.dumps(old), json.dumps(name)))
            holds = package_holds(renamed, None)
            assert holds == (code_of(renamed)[0] == 0), (result.kind, old)
            if not name.strip() and json.dumps(old) in json.dumps(document_of(result)):
                assert not holds


@pytest.mark.parametrize("digits", [1, 4200, 4300, 4301, 5000])
def test_both_take_numbers_of_the_same_length(digits):
    document = document_of(wl.lp.prospect(wl.Leaderboard(board(2) * 0), "m0"))
    assert document["upper"] == "0/1"
    for number in ("0" * digits, "-" + "0" * digits, f"0/1{'0' * (digits - 1)}"):
        written = {**document, "upper": number}
        assert package_holds(written, None) == (code_of(written)[0] == 0) == (digits <= 4300)


OPTIONS = {
    "file": [None, "", "x", 5, []], "config": [None, "", 1, {}], "complete": [True, False, None, 0, "x"],
    "table": ["board", "suite", "exact", None, []], "proved": [True],
    "columns": [{"model": None, "instance": "i"}, {"model": 3, "instance": "i"}, {"model": "m"}, [], None],
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(name, one) for name, own in OPTIONS.items() for one in own], ids=repr)
def test_both_take_the_same_options(name, value):
    claim = document_of(wl.lp.prospect(wl.Leaderboard(board(2)), "m0"))
    document = {"options": {name: value}, "results": [claim]}
    try:
        expected = 0 if read_document(io.StringIO(json.dumps(document))).verify() else 1
    except wl.InputError:
        expected = 2
    assert code_of(document)[0] == expected


def test_a_count_of_orders_that_is_not_told_is_refused_by_both():
    document = document_of(wl.graph.slater(wl.Leaderboard(board(2))))
    assert package_holds(document, None)
    for name in ("unique", "number"):
        assert not package_holds({**document, name: None}, None)
        assert code_of({**document, name: None})[0] in {1, 2}


def test_a_solver_is_named_where_and_only_where_something_is_believed():
    document = document_of(wl.lp.prospect(wl.Leaderboard(board(2)), "m0"))
    for proved, believed in ((["verdict"], ["optimality"]), ([], []), (["everything"], ["everything"]), ("all", [])):
        forged = {**document, "proved": proved, "believed": believed}
        assert code_of(forged)[0] in {1, 2}
        assert not package_holds(forged, None)


def test_a_score_in_another_unit_is_another_score_or_not_compared():
    frame = pd.DataFrame({"x": {"a": 0, "b": 1, "c": 0}, "y": {"a": 1, "b": 1, "c": 0}})
    document = document_of(wl.rules.majority_overview(wl.Leaderboard(frame)))
    document["source"]["scores"]["x"][1] = "1/2"
    assert code_of(document, csv_of(frame))[0] == 3
    assert not package_holds(document, wl.Leaderboard(frame))


@pytest.mark.parametrize(
    "number", [{}, {"format": 1}, {"format": 3}, {"format": "2"}, {"format": None}, {"format": 2.0}]
)
def test_a_document_of_another_format_is_refused_by_both(number):
    frame = board(2)
    for result in [*about_weights(frame, None), *about_rankings(frame), wl.rules.rank(wl.Leaderboard(frame))]:
        other = {name: value for name, value in document_of(result).items() if name != "format"} | number
        code, words = code_of(other, csv_of(frame))
        assert (code, "make it again, with the command that made it" in words) == (2, True)
        with pytest.raises(wl.InputError, match=r"make it again, with the command that made it$"):
            result_from_dict(other)


def test_tables_of_a_document_are_put_back_or_refused_by_both():
    frame = board(2)
    seen = 0
    for result in [
        *about_weights(frame, None),
        *about_rankings(frame),
        wl.rules.majority_overview(wl.Leaderboard(frame)),
    ]:
        document = document_of(result)
        if checker.SHARED not in document:
            continue
        seen += 1
        tables = document[checker.SHARED]
        assert code_of(document, csv_of(frame))[0] in {0, 3}
        plain = {name: one for name, one in document.items() if name != checker.SHARED}
        in_place = {**checker.with_tables(plain, tables)}
        assert code_of(in_place, csv_of(frame)) == code_of(document, csv_of(frame))
        assert package_holds(in_place, wl.Leaderboard(frame))
        for others in ([*tables, tables[0]], tables[:-1], tables[::-1], {}, [3] * len(tables)):
            other = {**document, checker.SHARED: others}
            if others != tables:
                assert code_of(other, csv_of(frame))[0] in {1, 2}, result.kind
                assert not package_holds(other, wl.Leaderboard(frame)), result.kind
    assert seen > 3


@pytest.mark.parametrize("asked", [[], ["m0"], ["m0", "m0"], ["m0", "m9"], ["m0", "m1", "m2"]])
def test_the_next_question_is_about_two_models_of_the_table(asked):
    table = wl.Leaderboard(board(2))
    document = document_of(wl.lp.ask(table))
    assert document["next"]
    assert code_of(document)[0] == 3
    assert code_of({**document, "next": asked})[0] == 1
    assert not package_holds({**document, "next": asked}, table)
