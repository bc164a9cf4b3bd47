"""The explorer as its readers use it: headless Chromium, mouse and keyboard, links, and names that look like markup."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import weightlab as wl
from tests.report.chromium import browser, drawn, opener, watched
from tests.report.explorer.explored import explorer_page, ranking_of, weighted
from weightlab.report.explorer import bare_page, explorer_part, payload

SCORES = {
    "t1": {"a": 3, "b": 2, "c": 1, "d": "0.5"},
    "t2": {"a": 1, "b": 3, "c": 2, "d": "0.5"},
    "t3": {"a": 2, "b": 1, "c": 3, "d": "0.5"},
    "t4": {"a": 1, "b": 1, "c": 0, "d": 2},
}
BOARD = wl.Leaderboard(
    SCORES, lower_is_better="t4", weights={"t1": 1, "t2": 1, "t3": 1, "t4": "0"}, groups={"first": ["t1", "t2"]}
)
"""Equal weights make a cycle of a, b and c; d is beaten by all of them on three tasks, and last on the fourth."""

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "</script><b>",
    "\"'&amp;",
    "\u2028モデル 🦊",
    "w" * 90,
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return how to open a board's explorer; at the end no page has complained, and none asked the network."""
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), explorer_page) as open_page:

        def open_board(board=BOARD, **options):
            return open_page(board, **options)

        yield open_board


def part(page, name):
    return page.locator(f'[data-part="{name}"]')


def by_majority(page, name):
    """Return what is told of the chosen model head-to-head."""
    return page.locator(f"[data-way=majority] [data-part={name}]")


def winner(page):
    """Return the sentence about who wins, once what was moved is drawn."""
    drawn(page)
    return part(page, "winner").inner_text()


def shown_weights(page):
    """Return the weights that the page's link carries, exactly."""
    drawn(page)
    href = part(page, "link").get_attribute("href")
    return [Fraction(one) for one in re.match(r"#weights=([^&]*)&", href)[1].split(",")]


def shown_ranking(page):
    script = """rows => rows.map((row) => [
        row.querySelector("td").textContent, row.querySelector("th").textContent, row.querySelector("data").value])"""
    return part(page, "ranking").locator("tbody tr").evaluate_all(script)


def slider(page, name):
    return page.get_by_role("slider", name=name)


def expected_winner(weights):
    board = weighted(BOARD, weights)
    winner = wl.graph.condorcet_winner(board)
    smith = f"has {len(wl.graph.smith_set(board))} models"
    first = wl.rules.rank(board, board.rule).winners
    by = {"mean": "By average", "borda": "By Borda"}[board.rule]
    own = f"{by}, {first[0]} is first" if len(first) == 1 else f"{by}, {' and '.join(first)} share first place."
    return own, f"Head-to-head, {winner} wins: it beats every other model." if winner else smith


def test_moving_a_slider_changes_the_winner_as_python_says(opened):
    page = opened()
    assert "The Smith set has 3 models: a, b and c." in winner(page)
    assert "majority cycle: a beats b beats c beats a" in winner(page)
    seen = set()
    for name, value in [("t1", 25), ("t2", 90), ("t1", 0), ("t3", 100), ("t2", 0), ("t4", 100)]:
        slider(page, name).fill(str(value))
        weights = shown_weights(page)
        assert weights[BOARD.tasks.index(name)] == Fraction(value, 10)
        assert all(one in winner(page) for one in expected_winner(weights))
        seen.add(wl.graph.condorcet_winner(weighted(BOARD, weights)))
    assert len(seen) > 2


def test_every_rule_of_the_menu_ranks_as_python_does(opened):
    page = opened()
    page.get_by_role("textbox", name="Exact weight of t1").fill("1/3")
    board = weighted(BOARD, shown_weights(page))
    assert board.weights["t1"] == Fraction(1, 3)
    for rule in payload(BOARD)["rules"]:
        part(page, "rule").select_option(rule["id"])
        assert part(page, "ties-choice").is_visible() == rule["ties"]
        order, scores = ranking_of(board, rule, "average")
        ranks = wl.rules.rank(board, rule["name"], **rule["options"]).ranks
        listed = [[str(ranks[BOARD.models[one]]), BOARD.models[one], scores[one]] for tied in order for one in tied]
        assert shown_ranking(page) == listed


def test_scores_of_different_ranks_are_shown_apart_and_of_one_rank_alike(opened):
    board = wl.Leaderboard({"x": {"a": "0.500000001", "b": "0.5", "c": "0.5", "d": "0.25"}})
    page = opened(board)
    part(page, "rule").select_option(next(one["id"] for one in payload(board)["rules"] if one["name"] == "mean"))
    drawn(page)
    assert part(page, "ranking").locator("tbody data").all_inner_texts() == ["0.500000001", "0.5", "0.5", "0.25"]


def test_a_group_moves_its_tasks_together_in_their_ratio(opened):
    page = opened()
    page.get_by_role("textbox", name="Exact weight of t2").fill("2")
    slider(page, "Weight of the group first").fill("12")
    before = shown_weights(page)
    assert before[1] == 2 * before[0] > 0
    slider(page, "Weight of the group first").fill("0")
    assert shown_weights(page)[:2] == [0, 0]
    page.get_by_role("textbox", name="Exact weight of the group first").fill("0.5")
    assert shown_weights(page) == [Fraction(1, 6), Fraction(1, 3), 1, 0]


def test_what_is_no_weight_is_marked_and_changes_nothing(opened):
    page = opened()
    box = page.get_by_role("textbox", name="Exact weight of t1")
    for text in ("x", "-1", "1/0", "1e3", ""):
        box.fill(text)
        assert box.get_attribute("aria-invalid") == "true"
        assert page.locator(f"#{box.get_attribute('aria-describedby')}").inner_text().startswith("Not a weight")
        assert shown_weights(page) == [1, 1, 1, 0]
    box.press("Tab")
    assert box.input_value() == "1"
    assert box.get_attribute("aria-invalid") is None


def test_all_weights_zero_is_said_and_mended_by_the_next_move(opened):
    page = opened()
    for name in ("t1", "t2", "t3"):
        slider(page, name).fill("0")
    assert "All weights are 0" in winner(page)
    slider(page, "t3").fill("1")
    assert "Head-to-head, c wins" in winner(page)


def test_the_nearest_weights_win_and_are_as_near_as_lp_proves(opened):
    page = opened()
    part(page, "model").select_option(label="b")
    value = wl.lp.scenario(BOARD, "b", wl.lp.closest_to()).value
    told = by_majority(page, "distance").locator("data")
    told.wait_for()
    assert Fraction(told.get_attribute("value")) == value / 2
    page.get_by_role("button", name="Nearest weights where b wins head-to-head").click()
    weights = shown_weights(page)
    assert wl.graph.condorcet_winner(weighted(BOARD, weights)) == "b"
    today = [one / sum(BOARD.weights) for one in BOARD.weights]
    moved = sum(abs(one / sum(weights) - other) for one, other in zip(weights, today, strict=True))
    assert value <= moved <= value + Fraction(1, 1000)
    assert part(page, "note").inner_text().startswith("b wins head-to-head here")
    page.get_by_role("button", name="Current weights").click()
    assert shown_weights(page) == [1, 1, 1, 0]


def test_the_most_robust_weights_have_the_widest_margin(opened):
    page = opened()
    part(page, "model").select_option(label="c")
    page.get_by_role("button", name="Most robust weights for c head-to-head").click()
    weights = shown_weights(page)
    margins = weighted(BOARD, weights).margins()
    least = min(margins.margin("c", rival) for rival in "abd") / sum(weights)
    assert wl.lp.prospect(BOARD, "c").margin - Fraction(1, 1000) <= least


def test_a_model_that_can_never_win_has_its_blockers_and_no_button(opened):
    assert wl.lp.prospect(BOARD, "d").verdict == "never"
    page = opened()
    part(page, "model").select_option(label="d")
    assert "Head-to-head, d can never win" in by_majority(page, "prospect").inner_text()
    assert "checked here, exactly" in by_majority(page, "blockers").inner_text()
    assert by_majority(page, "nearest").is_hidden()
    assert by_majority(page, "robust").is_hidden()


def test_a_link_brings_back_weights_rule_ties_and_model(opened):
    page = opened()
    page.get_by_role("textbox", name="Exact weight of t2").fill("100000000000000000001/7")
    part(page, "rule").select_option("dowdall")
    part(page, "ties").select_option("max")
    part(page, "model").select_option(label="c")
    weights = shown_weights(page)
    again = opened(fragment=part(page, "link").get_attribute("href"))
    assert shown_weights(again) == weights
    assert shown_ranking(again) == shown_ranking(page)
    assert [part(again, name).input_value() for name in ("rule", "ties", "model")] == ["dowdall", "max", "2"]
    assert part(again, "address").input_value() == again.url


NONSENSE = {
    "#weights=1,2,3": "another table",
    "#weights=&table={}": "holds 1 weights",
    "#weights=1,2,3,4,5&table={}": "holds 5 weights",
    "#weights=1,2,3,x&table={}": "no number",
    "#weights=1,2,3,-4&table={}": "no number",
    "#weights=1,2,3,1/0&table={}": "no number",
    "#weights=0,0,0,0/5&table={}": "all its weights are 0",
    "#weights=1,2,3,<script>alert(1)</script>&table={}": "no number",
}


def test_a_link_of_nonsense_is_refused_and_todays_weights_stay(opened):
    table = payload(BOARD)["fingerprint"]
    page = opened(fragment=next(iter(NONSENSE)).format(table))
    for fragment, fault in NONSENSE.items():
        page.evaluate("fragment => { window.location.hash = fragment; }", fragment.format(table))
        part(page, "message").filter(has_text=fault).wait_for()
        assert shown_weights(page) == [1, 1, 1, 0]


def test_choices_of_a_link_that_there_are_not_are_left_out(opened):
    page = opened(fragment=f"#weights=0,0,2/4,0&rule=__proto__&ties=x&model=9&table={payload(BOARD)['fingerprint']}")
    assert shown_weights(page) == [0, 0, Fraction(1, 2), 0]
    assert part(page, "rule").input_value() == BOARD.rule
    assert part(page, "message").is_hidden()
    assert opened(fragment="#some-section").locator('[data-part="message"]').is_hidden()


def test_names_that_look_like_markup_are_shown_and_not_run(opened):
    board = wl.Leaderboard(
        {
            task: {model: (row * (column + 2)) % 7 for row, model in enumerate(HOSTILE)}
            for column, task in enumerate(HOSTILE)
        },
        groups={name: [name] for name in HOSTILE[:3]},
    )
    page = opened(board)
    for name in HOSTILE[:4]:
        assert name in part(page, "duels").text_content() + part(page, "winner").text_content()
        assert name in [*part(page, "model").locator("option").all_text_contents()]
        assert page.get_by_role("slider", name=name, exact=True).count() == 1
    part(page, "model").select_option("0")
    page.get_by_role("button", name="Most robust").or_(part(page, "today")).first.click()
    assert page.locator("main script, main img, main b").count() == 0


def test_a_name_that_turns_the_writing_turns_only_itself(opened):
    right, turned = "\u05e9\u05dc\u05d5\u05dd", "\u202eturned"
    names = [turned, right, "bell\x07", "\U0001f469\u200d\U0001f680"]
    page = opened(wl.Leaderboard({name: {one: place for place, one in enumerate(names)} for name in names}))
    text = part(page, "model").inner_text().splitlines()
    assert text == ["\\u202eturned", f"\u2068{right}\u2069", "bell\\x07", names[3]]
    assert page.get_by_role("slider", name="\\u202eturned").count() == 1
    assert "\u202e" not in page.locator("main").inner_text()


def test_a_harness_that_sees_nothing_would_be_no_harness(opened, tmp_path):
    html = bare_page(explorer_part(BOARD)).replace(
        "</main>", '<p style="color:red" onclick="x()">x</p><img src="x:y"></main>'
    )
    _, complaints = watched(opened().context, tmp_path, html)
    assert len(complaints) >= 2
