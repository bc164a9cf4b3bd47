"""The report in headless Chromium: its policy holds, names are text, and its explorer answers."""

from __future__ import annotations

import io
import json
import re
import zlib
from importlib.resources import files

import pytest

import weightlab as wl
from tests.report.chromium import browser, drawn, opener
from weightlab.report import read_document, report

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
def show(tmp_path_factory):
    with browser() as chromium, opener(chromium, tmp_path_factory.mktemp("report"), lambda text: text) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def opened(html, show):
    return lambda **options: show(html, **options)


def test_the_explorer_answers_inside_the_report(opened):
    page = opened()
    winner = page.locator("[data-part=winner]")
    assert "The Smith set has 3 models" in winner.inner_text()
    page.get_by_role("slider", name="second").fill("90")
    drawn(page)
    assert winner.inner_text().endswith(f"Head-to-head, {HOSTILE[1]} wins: it beats every other model.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_part_of_the_report_runs_over_the_edge_of_a_small_screen(opened, scheme):
    page = opened(viewport={"width": 375, "height": 700}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    # Figures stay as wide as they can be read, and are moved sideways: with keys, too.
    assert min(page.locator("picture img").evaluate_all("all => all.map((one) => one.width)")) > 375
    assert set(page.locator("picture").evaluate_all("all => all.map((one) => one.tabIndex)")) == {0}
    page.set_viewport_size({"width": 1200, "height": 700})
    page.locator("picture[tabindex]").first.wait_for(state="detached")
    assert max(page.locator("picture img").evaluate_all("all => all.map((one) => one.width)")) <= 1200


WIDE = wl.Leaderboard({f"a task of number {place}": {"a": "12.345", "b": "2.5", "w" * 60: 3} for place in range(40)})
PAPER = """() => [
    getComputedStyle(document.body).backgroundColor,
    document.documentElement.scrollWidth,
    document.getElementById("explorer")?.checkVisibility() ?? false,
    [...document.querySelectorAll("button, .screen, [open]:not(.part) > summary")].some((one) => one.checkVisibility()),
    Array.from(document.querySelectorAll("picture img")).every((one) => one.currentSrc === one.src),
]"""


@pytest.mark.parametrize("pressed", [False, True], ids=["dark system", "dark by the button"])
def test_paper_is_white_and_shows_only_what_can_be_read_on_it(opened, pressed):
    a4 = {"width": 688, "height": 1000}
    page = opened(viewport=a4, color_scheme="light" if pressed else "dark")
    if pressed:
        page.get_by_role("button", name="Dark page").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    page.emulate_media(media="print")
    drawn(page)
    assert page.evaluate(PAPER) == ["rgb(255, 255, 255)", 688, False, False, True]


def test_a_wide_table_is_not_cut_off_on_paper(show):
    page = show(report(WIDE, only=["table"]).to_html(), viewport={"width": 688, "height": 1000})
    page.emulate_media(media="print")
    drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 688
    cells = "all => all.filter((one) => one.checkVisibility()).map((one) => one.rows[0].cells.length)"
    shown = page.locator("table").evaluate_all(cells)
    assert sum(shown) - len(shown) == 40
    page.emulate_media(media="screen")
    drawn(page)
    assert page.locator("table").evaluate_all(cells) == [41]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_report_is_two_pages_on_paper_until_its_parts_are_opened(show, scripts):
    page = show(report(BOARD, samples=100).to_html(), java_script_enabled=scripts)

    def pages():
        return len(re.findall(rb"/Type\s*/Page\b", page.pdf()))

    assert pages() <= 2
    if scripts:
        page.get_by_role("button", name="Open all parts").click()
        assert pages() > 2


def test_a_link_opens_the_part_that_it_leads_to(show):
    page = show(report(BOARD, samples=100).to_html())
    drawn(page)
    assert not page.locator("#firm .answer").is_visible()
    page.locator("nav a[href='#firm']").click()
    page.locator("#firm .answer").wait_for()
    page.locator("#firm a[href^='#result-']").first.click()
    page.locator(".proof").first.wait_for()


def test_names_in_the_report_are_text(opened):
    page = opened()
    text = page.locator("body").inner_text()
    assert all(name in text for name in HOSTILE)
    assert page.locator("main b, main script, img[src=x]").count() == 0


def test_a_table_with_columns_out_of_sight_says_so_until_they_are_seen(show):
    page = show(report(WIDE, only=["table"]).to_html(), viewport={"width": 390, "height": 700})
    box = page.locator(".scroll")
    page.locator(".scroll.over").wait_for()
    box.evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
    page.locator(".scroll:not(.over)").wait_for()


def test_the_contents_stay_in_view(opened):
    for width in (1280, 390):
        page = opened(viewport={"width": width, "height": 700})
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        drawn(page)
        top = page.locator("nav").bounding_box()["y"]
        assert 0 <= top < 40


def test_the_button_changes_the_pictures_too(opened):
    """The colour of the paper in the first pixel of a picture."""
    page = opened(color_scheme="light")
    page.get_by_role("button", name="Open all parts").click()
    image = page.locator("picture img").first

    def paper():
        image.scroll_into_view_if_needed()
        drawn(page)
        return luminance(image.screenshot())

    assert paper() > 0.9
    page.get_by_role("button", name="Dark page").click()
    image.evaluate("(one) => one.decode()")
    assert paper() < 0.2


def luminance(png):
    """Return the lightness of the middle of a picture's left edge, from 0 to 1."""
    image = pytest.importorskip("matplotlib.image", reason="matplotlib is not installed (weightlab[plot])")
    pixels = image.imread(io.BytesIO(png))
    return float(pixels[len(pixels) // 2, 5, :3].mean())


def test_the_json_that_the_page_shows_is_the_one_that_python_reads(html, opened):
    page = opened()
    page.get_by_role("button", name="Open all parts").click()
    found = read_document(io.StringIO(html)).results
    for place, one in enumerate(found):
        page.locator(".show-json").nth(place).click()
        assert json.loads(page.locator("pre.json").nth(place).inner_text()) == one.to_dict()
    assert len(found) == page.locator(".show-json").count() > 2


@pytest.mark.parametrize("level", [0, 1, 9])
@pytest.mark.parametrize("strategy", [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY])
def test_the_page_inflates_what_any_library_deflated(opened, level, strategy):
    """Stored, fixed and dynamic blocks, short and long texts: all forms of RFC 1951."""
    page = opened()
    script = (files("weightlab.report") / "templates" / "page.js").read_text(encoding="utf-8")
    inflate = script[script.index("  function inflate") : script.rindex("})();")]
    for text in ("", "a", "one cycle " * 9_000, json.dumps([place**3 % 100_003 for place in range(9_000)])):
        packing = zlib.compressobj(level, strategy=strategy)
        packed = packing.compress(text.encode()) + packing.flush()
        assert (
            page.evaluate(f"(bytes) => {{ {inflate} return inflate(Uint8Array.from(bytes)); }}", list(packed)) == text
        )
