"""Of true documents, forged ones and altered ones the page says what the second checker says."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import weightlab as wl
from tests.checker.documents import (
    about_rankings,
    about_weights,
    board,
    contradiction,
    csv_of,
    document_of,
    proved_by_an_odd_walk,
    spaces,
)
from tests.checker.test_lifts import claims
from tests.fuzz.documents import Unit
from tests.fuzz.in_browser import KNOWN, cases
from tests.lp.forging import BOARD, RESULTS, some_forgeries
from tests.report.browser.verdicts import Case, by_page, compared
from tests.report.chromium import browser, opener
from weightlab import checker
from weightlab.report.browser import table_page

FORGERIES = 4
"""Of each document."""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    html = table_page()
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), lambda _: html) as open_page:
        yield open_page(None)


def with_forgeries(result, table, seed=1, declared=None):
    """Return a document and some forgeries of it as cases, each with its table and without it."""
    document, declared = document_of(result), declared or checker.Declared()
    beside = [(table, declared)] if table is None else [(table, declared), (None, checker.Declared())]
    made = [document, *some_forgeries(document, FORGERIES, seed=seed)]
    return [Case(json.dumps(one), *own) for one in made for own in beside]


def of_the_tests_of_lp():
    return [case for make in RESULTS.values() for case in with_forgeries(make(), csv_of(BOARD.scores))]


def about_all_kinds_of_weights():
    for seed in range(7):
        frame = board(seed)
        for result in about_weights(frame, spaces(list(frame))[seed]):
            yield from with_forgeries(result, csv_of(frame), seed)
    yield from with_forgeries(contradiction(board(2)), csv_of(board(2)))


def about_all_kinds_of_rankings():
    for seed in range(0, 12, 2):
        frame = board(seed, models=3 + seed % 4, tasks=3 + seed % 3, highest=30)
        for result in [*about_rankings(frame), wl.rules.majority_overview(wl.Leaderboard(frame))]:
            yield from with_forgeries(result, csv_of(frame), seed)
    yield from with_forgeries(proved_by_an_odd_walk(), None)
    frame = board(6, models=24, tasks=3, highest=1000)
    yield from with_forgeries(wl.graph.slater(wl.Leaderboard(frame)), csv_of(frame))
    for ask in (wl.graph.slater, wl.graph.kemeny):
        with pytest.raises(wl.TimeLimitError) as caught:
            ask(wl.Leaderboard(frame), time_limit=0)
        yield from with_forgeries(caught.value.known["result"], csv_of(frame))


def about_lifts():
    weights = checker.Declared(weights={"t0": Fraction(2), "t1": Fraction(1, 2)})
    frame = board(2, models=4, tasks=4)
    for result in [*claims(frame)][::4]:
        yield from with_forgeries(result, csv_of(frame), declared=weights)
    gaps, groups = wl.Leaderboard(board(3)), wl.Leaderboard(board(2), groups={"g": ["t0"]})
    space = wl.lp.WeightSpace(gaps.tasks)
    for one, options in ((gaps, {}), (groups, {}), (gaps, {"space": space, "ties": "ok"})):
        yield from with_forgeries(wl.lp.fewest_lifts(one, **options), None)


def as_the_fuzzer_alters_them():
    return [case for number in range(len(KNOWN)) for case in cases(Unit("page", number, KNOWN), 12)]


CASES = [of_the_tests_of_lp, about_all_kinds_of_weights, about_all_kinds_of_rankings, about_lifts]


@pytest.mark.parametrize("made", [*CASES, as_the_fuzzer_alters_them], ids=lambda made: made.__name__)
def test_of_true_and_forged_documents_both_say_the_same(page, made):
    assert compared(page, list(made())) == ([], {True, False, None})


ODD = [
    "", "{", "[]", "null", "3", '{"results": []}', '{"results": 3}', '{"results": [3]}', '{"results": [{"kind": 3}]}',
    '{"kind": "prospect", "kind": "prospect"}', '{"kind": NaN}', '{"kind": "x", "y": -Infinity}', "[" * 100_000,
    '{"kind": "x", "y": ' + "9" * 4301 + "}", '{"kind": "x", "y": 1e999}', '{"kind": "prospect"}', "<html>",
    '{"options": [], "results": [{"kind": "x"}]}', '{"options": {"proved": true}, "results": [{"kind": "x"}]}',
    '{"weightlab": 1, "results": [{"kind": "x"}]}', '{"notes": [1], "results": [{"kind": "x"}]}',
    '{"kind": "__proto__"}', '{"kind": "constructor"}', '{"kind": "x", "\ud800": 1}',
    '{"results": [{"kind": "x"}], "results2": 1}', '{"options": {"table": "board"}, "results": [{"kind": "x"}]}',
    '{"options": {"toString": 1}, "results": [{"kind": "x"}]}',
]  # fmt: skip


def test_what_is_hardly_a_document_is_refused_by_both(page):
    assert compared(page, [Case(text) for text in ODD]) == ([], {False, None})


def test_a_claim_made_with_a_configuration_needs_it_to_be_declared(page):
    frame = board(2)
    claim = document_of(wl.lp.prospect(wl.Leaderboard(frame), "m0"))
    text = json.dumps({"options": {"config": "t.toml"}, "results": [claim]})
    declared = [checker.Declared(), checker.Declared(lower=("t0",))]
    cases = [Case(text, csv_of(frame), one) for one in declared] + [Case(text)]
    assert compared(page, cases) == ([], {True, False})
    assert "say above how that is read" in by_page(page, cases)[0][1]


def test_one_false_claim_among_true_ones_is_named(page):
    frame = board(2)
    document = document_of(wl.lp.prospects(wl.Leaderboard(frame)))
    lie = {**document, "prospects": [{**document["prospects"][0], "lower": "1/3"}, *document["prospects"][1:]]}
    ((holds, words),) = by_page(page, [Case(json.dumps({"results": [document, lie, {"kind": "else"}]}))])
    assert holds is False
    assert [line.partition(":")[0] for line in words.splitlines()] == ["Proved", "False", "Not checked here"]
