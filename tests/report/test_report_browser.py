"""The report in headless Chromium: its policy holds, names are text, and its explorer answers."""

from __future__ import annotations

import pytest

import weightlab as wl
from tests.report.chromium import browser, drawn, opener
from weightlab.report import report

HOSTILE = ("<script>alert(1)</script>", "</script><b>bold</b>", "<img src=x onerror=alert(2)>")
BOARD = wl.Leaderboard(
    {
        "first": dict(zip(HOSTILE, (3, 2, 1), strict=True)),
        "second": dict(zip(HOSTILE, (1, 3, 2), strict=True)),
        "third": dict(zip(HOSTILE, (2, 1, 3), strict=True)),
    }
)


@pytest.fixture(scope="module")
def html():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (weightlab[plot])")
    return report(BOARD, only=["win", "today", "rules", "explorer", "table"], samples=100).to_html()


@pytest.fixture(scope="module")
def opened(html, tmp_path_factory):
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("report"), lambda text: text) as open_page:
        yield lambda **options: open_page(html, **options)


def test_the_explorer_answers_inside_the_report(opened):
    page = opened()
    winner = page.locator("[data-part=winner]")
    assert "The Smith set has 3 models" in winner.inner_text()
    page.get_by_role("slider", name="second").fill("90")
    drawn(page)
    assert winner.inner_text() == f"{HOSTILE[1]} wins: it beats every other model."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_part_of_the_report_runs_over_the_edge_of_a_small_screen(opened, scheme):
    page = opened(viewport={"width": 375, "height": 700}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_names_in_the_report_are_text(opened):
    page = opened()
    text = page.locator("body").inner_text()
    assert all(name in text for name in HOSTILE)
    assert page.locator("main b, main script, img[src=x]").count() == 0
