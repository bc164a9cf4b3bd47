"""The explorer's arithmetic in a real browser: it says of random boards exactly what Python says."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest

import weightlab as wl
from tests.report.chromium import browser, watched
from tests.report.explorer.explored import TIES, drawn_board, drawn_weights, layers_of, margins_of, ranking_of, weighted
from weightlab.report.explorer import bare_page, explorer_part, payload
from weightlab.views.ways import own_ways

BOARDS = 100
SLACK = Fraction(1, 1000)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with browser() as opened:
        part = explorer_part(drawn_board(0))
        made, complaints = watched(opened.new_context(), tmp_path_factory.mktemp("page"), bare_page(part))
        yield made
        assert complaints == []


@pytest.fixture(scope="module")
def boards():
    return [drawn_board(seed) for seed in range(BOARDS)]


@pytest.fixture(scope="module")
def payloads(boards):
    return [payload(board) for board in boards]


def asked(page, function, tables, asks):
    """Return what a function of the page says of tables (by position) and further arguments."""
    script = f"""text => {{
        const [tables, asks] = JSON.parse(text);
        const read = tables.map(weightlabExplorer.readTable);
        return JSON.stringify(asks.map(([table, ...rest]) => weightlabExplorer.{function}(read[table], ...rest)));
    }}"""
    return json.loads(page.evaluate(script, json.dumps([tables, asks])))


def exact(rows):
    return [[Fraction(one) for one in row] for row in rows]


def test_margins_smith_sets_and_rankings_are_those_of_python(page, boards, payloads):
    asks, expected = [], []
    for seed, (board, told) in enumerate(zip(boards, payloads, strict=True)):
        rng = random.Random(seed + 1_000)  # noqa: S311 - boards, not secrets
        for _ in range(2):
            weights = list(drawn_weights(rng, board.tasks).values())
            other = weighted(board, weights)
            duels = exact(margins_of(other)), layers_of(other)
            for rule in rng.sample(told["rules"], min(6, len(told["rules"]))):
                ties = rng.choice(TIES)
                asks.append([seed, weights, {"rule": rule["id"], "ties": ties}])
                expected.append((*duels, ranking_of(other, rule, ties)))
    found = asked(page, "answer", payloads, asks)
    assert {one["order"] is None for one in found} == {True, False}
    for ask, one, (margins, layers, ranking) in zip(asks, found, expected, strict=True):
        assert exact(one["margins"]) == margins, ask
        assert one["layers"] == layers, ask
        assert (None if one["order"] is None else (one["order"], one["scores"])) == ranking, ask


def least_lead(board, model, weights):
    """Return the least lead of a model as a share of all weight, by Python."""
    margins, total = weighted(board, weights).margins(), sum(weights)
    return min(margins.margin(model, rival) for rival in board.models if rival != model) / total


def changes(weights, others):
    """Return the sum of all changes of shares."""
    return sum(abs(one / sum(weights) - other / sum(others)) for one, other in zip(weights, others, strict=True))


def check_way(board, model, weights, way):
    """Compare one model's way to winning with what lp says and with an exact check of the weights that are shown."""
    prospect = wl.lp.prospect(board, model)
    if prospect.verdict == "never":
        assert way == {
            "kind": "never",
            "distance": None,
            "proved": None,
            "nearest": None,
            "robust": None,
            "blocked": True,
        }
        return
    strict = prospect.verdict == "strict"
    value = wl.lp.scenario(weighted(board, weights), model, wl.lp.closest_to()).value
    lead = least_lead(board, model, weights)
    assert (way["kind"] == "wins") == (lead > 0)
    if way["kind"] == "near":
        assert way["proved"]
        assert Fraction(way["distance"]) == value
        nearest = [Fraction(one) for one in way["nearest"]]
        assert (least_lead(board, model, nearest) > 0) == strict
        assert least_lead(board, model, nearest) >= 0
        assert changes(nearest, weights) <= value + SLACK
    robust = [Fraction(one) for one in way["robust"]]
    assert prospect.margin - SLACK <= least_lead(board, model, robust) <= prospect.margin
    assert (least_lead(board, model, robust) > 0) == strict


def test_the_way_to_winning_is_as_long_as_python_proves_and_ends_in_a_win(page, boards, payloads):
    asks = []
    for seed, board in enumerate(boards):
        rng = random.Random(seed + 2_000)  # noqa: S311 - boards, not secrets
        weights = list(drawn_weights(rng, board.tasks).values())
        asks.append([seed, weights, rng.randrange(len(board.models))])
    found = asked(page, "wayToWin", payloads, asks)
    assert {one["kind"] for one in found} == {"never", "wins", "near"}
    for (seed, weights, model), way in zip(asks, found, strict=True):
        board = boards[seed]
        check_way(board, board.models[model], [Fraction(one) for one in weights], way)


def test_the_way_to_first_place_by_the_own_rule_is_as_long_as_python_proves(page, boards, payloads):
    ways = [own_ways(board) for board in boards]
    both = [seed for seed, found in enumerate(ways) if len(found) == 2]
    asks = [
        [seed, [str(one) for one in boards[seed].weights], row, 0]
        for seed in both
        for row in payloads[seed]["ways"][0]["models"]
    ]
    found = asked(page, "wayToWin", payloads, asks)
    assert {one["kind"] for one in found} == {"never", "wins", "near"}
    for (seed, _, row, _), told in zip(asks, found, strict=True):
        way, model = ways[seed][0], boards[seed].models[row]
        proved = wl.lp.prospect(way.board, model, rule=way.rule)
        assert (told["kind"], told["blocked"]) == ("never", True) or proved.verdict != "never"
        if told["kind"] == "near":
            assert told["proved"]
            value = wl.lp.scenario(way.board, model, wl.lp.closest_to(), rule=way.rule).value
            assert Fraction(told["distance"]) == value
        for weights in (told["nearest"], told["robust"]):
            if weights is not None:
                winners = wl.rules.rank(weighted(way.board, weights), way.rule.name).winners
                assert winners == (model,) or (proved.verdict == "weak" and model in winners)


def test_a_larger_table_is_answered_exactly_too(page):
    rng = random.Random(7)  # noqa: S311 - boards, not secrets
    models, tasks = [f"m{place}" for place in range(40)], [f"t{place}" for place in range(25)]
    skill = {model: rng.gauss(0, 1) for model in models}
    scores = {task: {model: round(50 + 8 * skill[model] + rng.gauss(0, 10), 1) for model in models} for task in tasks}
    board = wl.Leaderboard(scores, weights={task: rng.randint(1, 9) for task in tasks})
    weights = board.weights.tolist()
    chosen = [place for place, model in enumerate(models) if wl.lp.prospect(board, model).verdict != "never"][:6]
    ways = asked(page, "wayToWin", [payload(board)], [[0, [str(one) for one in weights], place] for place in chosen])
    assert ways
    for place, way in zip(chosen, ways, strict=True):
        check_way(board, models[place], weights, way)


def test_integers_alone_find_the_same_optimum_as_doubles_do(page, boards, payloads):
    asks = [[seed, "1", model] for seed, board in enumerate(boards[:40]) for model in range(len(board.models))]
    script = """text => {
        const { readTable, nearestTwice } = weightlabExplorer;
        const [tables, asks] = JSON.parse(text);
        return JSON.stringify(asks.map(([table, , model]) => nearestTwice(readTable(tables[table]), model)));
    }"""
    pairs = json.loads(page.evaluate(script, json.dumps([payloads[:40], asks])))
    for (seed, _, model), (first, second) in zip(asks, pairs, strict=True):
        assert first == second, (seed, model)
    assert len({first for first, _ in pairs}) > 3


def test_numbers_are_read_and_shown_as_they_are_written(page):
    script = """texts => texts.map((text) => {
        const { readNumber, exactText, rounded, shortText, toFloat } = weightlabExplorer;
        const one = readNumber(text);
        return one && [exactText(one), rounded(one, 4), shortText(one), toFloat(one)];
    })"""
    good = ["0", "007", "1.50", ".5", "-.5", "5.", "1/3", "-2/4", " 3 ", "0.00005", "2/3", f"1/{10**300}", f"{10**300}"]
    shown = page.evaluate(script, good)
    for text, (exact_text, short, tidy, near) in zip(good, shown, strict=True):
        value = Fraction(text.strip().rstrip(".") if text.strip().endswith(".") else text.strip())
        assert Fraction(exact_text) == Fraction(tidy) == value
        assert abs(Fraction(short) - value) <= Fraction(1, 20_000)
        assert near == pytest.approx(float(value), rel=1e-15, abs=0)
    bad = ["", "x", "1e5", "1/0", "--1", "1,5", "1/2/3", "NaN", "Infinity", "0x10", "1" * 701, "٣"]
    assert page.evaluate(script, bad) == [None] * len(bad)
