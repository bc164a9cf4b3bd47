"""The page of a report: one file, nothing loaded, nothing run but its own scripts, every name a text."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tracemalloc
import zlib
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.gallery import BOARD, NASTY, SUITE
from tests.report.reading import PACKED, read, with_line
from weightlab._text import shown
from weightlab.plots.themed_svg import DARK
from weightlab.report import CommandLine, read_document, report
from weightlab.report.blocks import Drawing
from weightlab.report.output.document import lines_in_page
from weightlab.report.output.rendering import page_of

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def made(source, **options):
    return report(source, samples=200, **options)


@pytest.fixture(scope="module")
def whole():
    """A report with every part, and its page."""
    found = made(BOARD, models=[NASTY, "dee"], title="All <i>parts</i>", call=CommandLine(file="my scores.csv"))
    page = found.to_html()
    return found, page, read(page)


@pytest.fixture(scope="module")
def of_suite():
    found = made(SUITE)
    page = found.to_html()
    return found, page, read(page)


@pytest.fixture(params=["whole", "of_suite"])
def any_page(request):
    return request.getfixturevalue(request.param)


def test_every_id_is_there_once_and_every_link_leads_to_one(any_page):
    _, _, seen = any_page
    ids = [one.attributes["id"] for one in seen.all() if "id" in one.attributes]
    assert len(set(ids)) == len(ids)
    for one in seen.all("a"):
        assert one.attributes["href"][0] == "#"
        assert one.attributes["href"][1:] in ids
    for one in seen.all():
        for name in ("aria-labelledby", "aria-describedby", "for", "data-of"):
            assert set(one.attributes.get(name, "").split()) <= set(ids)


def test_nothing_is_loaded_and_nothing_runs_but_what_the_policy_names(any_page):
    _, _, seen = any_page
    (policy,) = (one.attributes["content"] for one in seen.all("meta") if "http-equiv" in one.attributes)
    rules = dict(part.split(" ", 1) for part in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    run = [one.text for one in seen.all("script") if one.attributes.get("type") != "application/json"]
    for text, name in ((run, "script-src"), ([one.text for one in seen.all("style")], "style-src")):
        hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in text]
        assert rules[name].split() == [f"'sha256-{one}'" for one in hashes]
    for one in seen.all():
        assert not any(name.startswith("on") or name == "style" for name in one.attributes)
        assert one.tag not in {"link", "iframe", "object", "embed", "base", "form"}
        for name in ("src", "srcset", "href", "poster", "action"):
            assert one.attributes.get(name, "#").startswith(("#", "data:image/svg+xml,"))
    style = "".join(one.text for one in seen.all("style"))
    assert "@import" not in style
    assert "url(" not in style


def test_headings_come_in_order_and_every_part_has_one(any_page):
    _, _, seen = any_page
    levels = [int(one.tag[1]) for one in seen.all(*HEADINGS)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert next(seen.all("html")).attributes["lang"] == "en"
    for tag in ("header", "main", "nav", "footer"):
        assert len(list(seen.all(tag))) == 1
    assert next(seen.all("a")).attributes["href"] == "#main"


def test_without_scripts_the_page_says_so_once(whole):
    _, _, seen = whole
    (said,) = seen.all("noscript")
    assert "requires JavaScript" in said.text


def test_no_two_parts_have_the_same_name(any_page):
    _, _, seen = any_page
    texts = {one.attributes["id"]: one.text for one in seen.all() if "id" in one.attributes}
    parts = [one.attributes for one in seen.all("section", "nav")]
    names = [one.get("aria-label") or texts[one["aria-labelledby"]] for one in parts]
    assert len(set(names)) == len(names)


def test_tables_say_what_they_are_and_images_what_is_to_be_seen(any_page):
    _, _, seen = any_page
    tables = [one for one in seen.all("table") if one.attributes.get("id")]
    assert tables
    for one in tables:
        assert next(one.all("caption")).text
        assert all(cell.attributes.get("scope") in {"row", "col"} for cell in one.all("th"))
    for one in seen.all("img"):
        assert one.attributes["alt"].endswith(".")


def test_names_are_shown_and_not_run(whole):
    found, _, seen = whole
    names = {one.text for one in seen.all("th")}
    assert set(found.board.models) <= names
    assert f"What about {NASTY}?" in {one.text for one in seen.all("h2")}
    assert next(seen.all("title")).text == next(seen.all("h1")).text == "All <i>parts</i>"
    assert not list(seen.all("b", "i"))


def test_every_answer_stands_in_short_and_before_its_proofs(any_page):
    found, _, seen = any_page
    (short,) = (one.text for one in seen.all("section") if one.attributes.get("id") == "short")
    contents = next(seen.all("nav")).text
    for section in found.sections:
        assert section.question in short
        assert section.question in contents
        assert section.answer in short
        (place,) = (one for one in seen.all("section") if one.attributes.get("id") == section.key)
        assert section.answer in place.text
        assert section.command in place.text
        assert all(
            any(a.attributes["href"] == f"#result-{one}" for a in place.all("a")) for one in found.places(section)
        )


def test_the_same_input_makes_the_same_bytes(whole):
    found, page, _ = whole
    again = made(BOARD, models=[NASTY, "dee"], title="All <i>parts</i>", call=CommandLine(file="my scores.csv"))
    assert page_of(again) == page
    assert found.to_json() == again.to_json()
    assert found.to_markdown() == again.to_markdown()


def test_a_page_without_a_date_shows_one_only_when_it_is_given():
    assert 'class="date"' not in made(BOARD, only=["table"]).to_html()
    assert '<p class="date">1 May</p>' in made(BOARD, only=["table"], date="1 May").to_html()


def test_the_proofs_in_a_page_are_read_back_and_verify(any_page):
    found, page, _ = any_page
    source = SUITE if found.board is None else BOARD
    document = read_document(io.StringIO(page))
    assert [one.to_dict() for one in document.results] == [one.to_dict() for one in found.results]
    assert dict(document.options) == dict(found.options)
    assert document.command == "report"
    assert all(one.verify(source) for one in document.results)
    assert found.verify(source)


def test_a_page_whose_proofs_were_changed_is_found_out(whole):
    _, page, _ = whole
    lines = lines_in_page(page)
    place = next(place for place, line in enumerate(lines) if '"never"' in line)
    with pytest.raises(wl.ProofError):
        read_document(io.StringIO(with_line(page, place, '"never"', '"strict"'))).results[0].verify(BOARD)


@pytest.mark.parametrize(
    ("place", "pattern", "instead", "message"),
    [
        (0, '"count":', '"counts":', "this page does not say how many results it holds"),
        (0, '"count":[0-9]+', '"count":-1', "this page does not say how many results it holds"),
        (0, '"count":[0-9]+', '"count":2', "this page should hold [0-9]+ lines of JSON; it holds [0-9]+"),
        (0, "{", "", "not JSON"),
        (0, '"options":', '"command":1,"options":', "the key 'command' occurs more than once"),
        (1, "^", "\n", "this page should hold [0-9]+ lines of JSON; it holds [0-9]+"),
    ],
)
def test_a_page_that_lacks_a_part_is_refused(whole, place, pattern, instead, message):
    with pytest.raises(wl.FileFormatError, match=message):
        read_document(io.StringIO(with_line(whole[1], place, pattern, instead)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cut off"),
        ('"e%30="', "cannot be read"),
        ('"AAAA"', "cannot be read"),
        (base64.b64encode(zlib.compress(b"{}" * 99)[:-1]).decode(), "cut off"),
        (base64.b64encode(zlib.compress(b"{}") + b"more").decode(), "followed by others"),
    ],
)
def test_a_page_whose_results_cannot_be_inflated_is_refused(whole, text, message):
    with pytest.raises(wl.FileFormatError, match=message):
        read_document(io.StringIO(PACKED.sub(text, whole[1])))


def test_a_page_is_not_inflated_beyond_what_a_page_may_hold(whole, monkeypatch):
    """A forged page of some kilobytes could claim gigabytes; what is too long to be read is not written either."""
    found, page, _ = whole
    monkeypatch.setattr("weightlab.report.output.document.MOST_BYTES", 1_000_000)
    bomb = PACKED.sub(base64.b64encode(zlib.compress(b" " * 100_000_000)).decode(), page)
    assert len(bomb) < len(page) + 200_000
    tracemalloc.start()
    with pytest.raises(wl.FileFormatError, match="inflate to more than 1,000,000 bytes"):
        read_document(io.StringIO(bomb))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    monkeypatch.setattr("weightlab.report.output.document.MOST_BYTES", 1_000)
    with pytest.raises(wl.InputError, match="leave parts out"):
        found.to_html()


def test_a_page_of_something_else_is_refused():
    with pytest.raises(wl.FileFormatError, match="holds no results of weightlab"):
        read_document(io.StringIO("<!doctype html><p>weightlab</p>"))


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)


@settings(max_examples=8, phases=[Phase.explicit, Phase.generate])
@example(["a\0b", "c", "d"], "x")
@given(st.lists(NAMES, min_size=3, max_size=3, unique=True), NAMES)
def test_whatever_models_and_tasks_are_called_they_are_texts_and_travel(models, task):
    board = wl.Leaderboard({task: dict(zip(models, (1, 2, 3), strict=True))})
    found = made(board, only=["win", "table"], models=models[:1], title=models[0])
    page = found.to_html()
    seen = read(page)
    cells = [one.text for one in seen.all("th", "td")]
    assert {shown(name) for name in (*models, task)} <= set(cells)
    assert all(one.verify(board) for one in read_document(io.StringIO(page)).results)
    HTMLParser().feed(page)


def test_long_tables_are_folded_and_lose_no_row():
    board = wl.Leaderboard({"x": {f"model {place}": place for place in range(40)}})
    seen = read(made(board, only=["table"]).to_html())
    assert [one.text for one in seen.all("summary") if "rows" in one.text] == ["All scores: rows 11 to 40"]
    rows = [next(row.all("th")).text for body in seen.all("tbody") for row in body.all("tr")]
    assert rows == list(board.models)


def test_every_figure_has_its_command_among_those_of_its_section(any_page):
    found, _, seen = any_page
    for section in found.sections:
        (place,) = (one for one in seen.all("section") if one.attributes.get("id") == section.key)
        commands = [code.text for pre in place.all("pre") for code in pre.all("code")]
        drawn = [one.command for one in section.blocks if isinstance(one, Drawing)]
        assert all(one in "".join(commands).split("\n") for one in drawn)
        assert all(re.match("weightlab [a-z]+ .*--plot [a-z]+[.]svg", one) for one in drawn)


def test_a_picture_holds_both_themes_and_is_written_once(any_page):
    _, _, seen = any_page
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (weightlab[plot])")
    sources = [one.attributes["src"] for one in seen.all("img")]
    assert sources
    assert len(set(sources)) == len(sources)
    for one in sources:
        ET.fromstring(unquote(one.partition(",")[2]))  # noqa: S314 - our own
        assert DARK in one


def test_without_matplotlib_the_page_says_which_figures_are_missing(monkeypatch):
    def missing(*_arguments, **_options):
        raise wl.InputError("pictures need matplotlib: pip install 'weightlab[plot]'")

    monkeypatch.setattr("weightlab.report.output.rendering.rendered", missing)
    seen = read(made(BOARD, only=["today"]).to_html())
    figures = list(seen.all("figure"))
    assert len(figures) == 2
    for one in figures:
        assert "This figure is missing: pictures need matplotlib: pip install 'weightlab[plot]'." in one.text
        assert "It would show this: " in one.text
        assert not list(one.all("img"))


SMALL = {
    "nobody can unseat the winner": {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}},
    "one task": {"x": {"a": 1, "b": 2}},
    "all level": {"x": {"a": 1, "b": 1, "c": 1}},
    "gaps": {"x": {"a": 1, "b": None}, "y": {"a": None, "b": 2}},
}


@pytest.mark.parametrize("cells", SMALL.values(), ids=SMALL)
def test_whatever_a_small_table_lacks_every_question_has_an_answer(cells):
    board = wl.Leaderboard(cells)
    found = report(board, only=["win", "today", "firm", "rules", "behaved"])
    assert [section.key for section in found.sections] == ["win", "today", "firm", "rules", "behaved"]
    for result in read_document(io.StringIO(found.to_json())).results:
        result.verify()
