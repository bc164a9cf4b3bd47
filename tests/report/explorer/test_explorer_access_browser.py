"""The explorer without a mouse, without sight of colours, and on a small screen."""

from __future__ import annotations

import re

import pytest

import weightlab as wl
from tests.report.chromium import browser, drawn, opener
from tests.report.explorer.explored import drawn_board, explorer_page

BOARD = wl.Leaderboard(
    {
        "accuracy": {"ada": 3, "bo": 2, "cy": 1},
        "F1": {"ada": 1, "bo": 3, "cy": 2},
        "seconds": {"ada": 2, "bo": 3, "cy": 1},
    },
    lower_is_better="seconds",
    groups={"quality": ["accuracy", "F1"]},
)
WIDE = wl.Leaderboard(
    {f"{'task' * 12} {one}": {f"{'model' * 20}{two}": (one * two) % 5 for two in range(30)} for one in range(15)}
)
"""Names that no small screen holds in one line."""

NAMES = """() => Array.from(document.querySelectorAll("input, select, button, a, [role], table, summary"), (one) => {
    const labels = one.labels ? Array.from(one.labels, (label) => label.textContent) : [];
    const by = (one.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean);
    const named = by.map((id) => (document.getElementById(id) || {textContent: ""}).textContent);
    const caption = one.caption ? one.caption.textContent : "";
    const texts = [one.getAttribute("aria-label"), ...labels, ...named, caption, one.textContent];
    const name = texts.find((text) => text && text.trim());
    const live = one.getAttribute("role") === "status" || one.getAttribute("role") === "alert";
    return [one.outerHTML.slice(0, 120), live || one.closest("[hidden]") !== null || Boolean(name)];
})"""
CONTRASTS = """() => {
    const numbers = (text) => (text.match(/[0-9.]+/g) || []).map(Number);
    const light = ([red, green, blue]) => {
        const linear = (one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        const part = [red, green, blue].map((one) => linear(one / 255));
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    const behind = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const back = numbers(getComputedStyle(at).backgroundColor);
            if (back.length === 3 || back[3] > 0) return back;
        }
        return [255, 255, 255];
    };
    const found = [];
    for (const one of document.querySelectorAll("#weightlab-explorer *")) {
        const own = Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
        const text = (own && !one.matches("option, title")) || one.matches("input[type=text]");
        if (!text || !one.getClientRects().length || one.disabled) continue;
        const style = getComputedStyle(one);
        const colour = one instanceof SVGElement ? style.fill : style.color;
        const [front, back] = [light(numbers(colour)), light(behind(one))];
        const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        found.push([one.textContent.trim().slice(0, 40) || one.id, contrast]);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return how to open a board's explorer; at the end no page has complained, and none asked the network."""
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("pages"), explorer_page) as open_page:

        def open_board(board=BOARD, **options):
            return open_page(board, **options)

        yield open_board


def focused(page):
    return page.evaluate("""() => {
        const one = document.activeElement;
        const style = getComputedStyle(one);
        const label = one.labels && one.labels.length ? one.labels[0].textContent : one.tagName;
        const way = one.closest("[data-way]");
    if (way) return [`${one.getAttribute("data-part")} ${way.dataset.way}`, style.outlineStyle !== "none"];
    return [one.getAttribute("data-part") || one.getAttribute("aria-label") || label,
                style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
    }""")


def test_every_control_is_reached_with_tab_and_shows_where_it_is(opened):
    page = opened()
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        name, outlined = focused(page)
        if name in reached or name == "BODY":
            break
        assert outlined, name
        reached.append(name)
    controls = ["today", "Weight of the group quality", "Exact weight of the group quality", "accuracy", "F1"]
    controls += [
        "Exact weight of F1",
        "seconds lower is better",
        "Exact weight of seconds",
        "model",
        "robust borda",
        "robust majority",
    ]
    controls += ["duels", "rule", "ranking", "address", "copy", "link"]
    assert [name for name in controls if name not in reached] == []
    assert reached.index("today") < reached.index("accuracy") < reached.index("model") < reached.index("link")


def test_the_winner_changes_by_keys_alone(opened):
    page = opened()
    before = page.locator("[data-part=winner]").inner_text()
    page.get_by_role("slider", name="accuracy").focus()
    page.keyboard.press("End")
    drawn(page)
    assert page.locator("[data-part=winner]").inner_text().endswith("ada wins: it beats every other model.")
    assert before != page.locator("[data-part=winner]").inner_text()
    assert page.get_by_role("slider", name="accuracy").get_attribute("aria-valuetext") == "10, 83.3% of the weight"
    page.get_by_role("button", name="Current weights").focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-part=winner]").inner_text() == before


def test_a_burst_of_moves_is_spoken_of_once(opened):
    page = opened()
    page.wait_for_timeout(1_100)
    page.evaluate("""() => {
        window.spoken = [];
        const status = document.querySelector("[data-part=status]");
        new MutationObserver(() => window.spoken.push(status.textContent)).observe(status, {childList: true});
    }""")
    slider = page.get_by_role("slider", name="F1")
    slider.focus()
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1_500)
    (spoken,) = page.evaluate("window.spoken")
    assert page.locator("[data-part=winner]").inner_text() in spoken
    assert page.locator("[data-part=status]").get_attribute("role") == "status"


@pytest.mark.parametrize("seed", [0, 5], ids=str)
def test_every_control_and_table_has_a_name_and_every_reference_an_end(opened, seed):
    page = opened(drawn_board(seed))
    assert [element for element, named in page.evaluate(NAMES) if not named] == []
    html = page.content()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    meant = re.findall(r'\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"', html)
    assert {one for text in meant for one in text.split()} <= set(ids)
    headings = page.locator("h1, h2, h3").evaluate_all("all => all.map((one) => Number(one.tagName[1]))")
    assert headings[0] == 2
    assert set(headings[1:]) == {3}
    assert page.locator("fieldset > legend").count() == page.locator("fieldset").count() > 0
    assert page.locator("svg[role=img][aria-label]").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(opened, scheme):
    page = opened(color_scheme=scheme)
    page.get_by_role("textbox", name="Exact weight of F1").fill("x")
    page.locator("[data-part=model]").select_option(label="cy")
    found = page.evaluate(CONTRASTS)
    assert len(found) > 40
    assert [(text, round(contrast, 2)) for text, contrast in found if contrast < 4.5] == []


@pytest.mark.parametrize("board", [BOARD, WIDE], ids=["short names", "wide names"])
def test_nothing_runs_over_the_edge_of_a_small_screen(opened, board):
    page = opened(board, viewport={"width": 375, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    over = page.evaluate("""() => Array.from(document.querySelectorAll("#weightlab-explorer *"))
        .filter((one) => one.getBoundingClientRect().right > 376 && !one.closest(".scroll, svg"))
        .map((one) => one.outerHTML.slice(0, 100))""")
    assert over == []
    box = page.get_by_role("slider").first.bounding_box()
    assert box["height"] >= 24
    assert box["width"] >= 100


def test_nothing_moves_for_those_who_asked_for_calm(opened):
    calm, usual = opened(reduced_motion="reduce"), opened(reduced_motion="no-preference")
    lasting = "() => getComputedStyle(document.querySelector('button')).transitionDuration"
    assert calm.evaluate(lasting) == "0s"
    assert usual.evaluate(lasting) != "0s"


def test_the_graph_says_in_words_what_it_draws_and_how_much(opened):
    page = opened(WIDE)
    words = page.locator("[data-part=graph-words]").inner_text()
    shown = page.locator("svg .node").count()
    assert f"The top {shown} of 30 models." in words
    assert page.locator("svg").get_attribute("aria-label").startswith("Majority graph. The top")
    small = opened()
    assert small.locator("svg .node").count() == 3
    assert "top" not in small.locator("[data-part=graph-words]").inner_text()
