"""A page whose words do not follow from its results is refused, whatever was altered; an honest one never is."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from html.parser import HTMLParser

import pytest

import weightlab as wl
from tests.gallery import BOARD, NASTY, SUITE
from tests.report.reading import PACKED, holding, with_line
from weightlab._version import __version__
from weightlab.plots.canvas import NO_PICTURES
from weightlab.report import read_document, report
from weightlab.report.output.document import lines_in_page
from weightlab.report.page_words import _ensure_same as ensure_same_page
from weightlab.report.page_words import compared_words
from weightlab.views.unproved import REASONS


@pytest.fixture(scope="module")
def page():
    """A page with every part and small pictures, whether matplotlib is installed or not: they are not compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weightlab.report.output.rendering.rendered", lambda *_one, **_options: b"<svg/>")
        return report(BOARD, samples=200, models=[NASTY, "dee"], rules=["borda", "minimax"]).to_html()


def compared(page, source=None):
    return compared_words(read_document(io.StringIO(page)), source).reason


def altered(page, change):
    """Return a page with a change made to what its words are made from."""
    lines = lines_in_page(page)
    written = json.loads(lines[-2])
    change(written)
    return holding(page, [*lines[:-2], json.dumps(written, separators=(",", ":")), lines[-1]])


class _Texts(HTMLParser):
    """The places of all texts that a reader sees, or a script reads."""

    def __init__(self, page):
        super().__init__(convert_charrefs=False)
        self.places, self._lines = [], [0]
        for line in page.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(page)

    def handle_data(self, data):
        line, column = self.getpos()
        if data.strip():
            start = len(data) - len(data.lstrip())
            self.places.append(self._lines[line - 1] + column + start)


def test_an_honest_page_is_accepted_with_and_without_its_table(page):
    assert compared(page) == compared(page, BOARD) == ""
    assert not compared_words(read_document(io.StringIO(page))).unanswered
    assert compared(page.replace("\n", "\r\n")) == ""
    of_suite = report(SUITE).to_html()
    assert compared(of_suite) == compared(of_suite, SUITE) == ""


def test_every_text_of_a_page_altered_is_refused(page):
    """An honest page is the one that it makes, letter by letter, so that each alteration is compared with it."""
    assert compared(page) == ""
    places = _Texts(page).places
    assert len(places) > 500
    for place in places:
        letter = "x" if page[place] != "x" else "y"
        with pytest.raises(wl.WeightlabError, match=r"line .* of the page says|cannot be read"):
            ensure_same_page(page[:place] + letter + page[place + 1 :], page)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<p class="answer">By', '<p class="answer">Bye'),
        (r"(<td[^>]*>)[^<]+</td>", r"\g<1>9</td>"),
        ("<title>Report", "<title>A report"),
        ('<span class="badge exact">proved<', '<span class="badge exact">sampled<'),
        ("<main ", "<p>ada is best.</p><main "),
        ('alt="[^"]*"', 'alt="ada is best."'),
        (' class="n"', ' class="m"'),
        ("</html>", "</html><p>more"),
        ("</script>(?=\n</body>)", "alert(1)</script>"),
        ("svg[+]xml,", "svg+xml,#"),
    ],
    ids=["sentence", "cell", "title", "badge", "element", "alt", "attribute", "end", "script", "address"],
)
def test_a_page_with_one_thing_altered_is_refused(page, old, new):
    spoilt = re.sub(old, new, page, count=1)
    assert spoilt != page
    with pytest.raises(wl.ProofError):
        compared(spoilt)


def swap(asked):
    """Let the balanced weights of a model stand where its nearest ones were asked for."""
    places = [place for place, one in enumerate(asked["answers"]) if isinstance(one, dict)][:2]
    one, other = places
    asked["answers"][one], asked["answers"][other] = asked["answers"][other], asked["answers"][one]


@pytest.mark.parametrize(
    "change",
    [
        swap,
        lambda made: made["answers"].__setitem__(0, None),
        lambda made: made["answers"].__setitem__(0, "dee was bought"),
        lambda made: made["answers"].__setitem__(0, REASONS[0]),
        lambda made: made["answers"].__setitem__(0, 1),
        lambda made: made["answers"].__setitem__(0, 999),
        lambda made: made["answers"].pop(),
        lambda made: made.pop("source"),
        lambda made: made["asked"].__setitem__("title", 3),
        lambda made: made["asked"].__setitem__("samples", "many"),
        lambda made: made["asked"].__setitem__("others", 1),
        lambda made: made["asked"].__setitem__("call", []),
        lambda made: made["asked"].__setitem__("seed", 7),
    ],
)
def test_what_a_page_is_made_from_cannot_be_altered_either(page, change):
    with pytest.raises(wl.ProofError):
        compared(altered(page, change))


def test_a_page_about_another_table_is_refused(page):
    other = wl.Leaderboard.from_dict(BOARD.to_dict() | {"weights": {BOARD.tasks[0]: "7"}})
    with pytest.raises(wl.ProofError):
        compared(page, other)


def test_a_page_without_what_its_words_are_made_from_is_refused(page):
    lines = lines_in_page(page)
    with pytest.raises(wl.ProofError, match="cannot be made again"):
        compared(holding(page, [*lines[:-2], "null", lines[-1]]))


def test_a_page_deflated_by_another_library_is_the_same_page(page):
    lines = lines_in_page(page)
    text = base64.b64encode(zlib.compress("\n".join(lines).encode(), 1)).decode()
    other = PACKED.sub(f'"{text}"', page)
    assert other != page
    assert compared(other) == ""
    lines[-1] = lines[-1].replace('"lower":"', '"lower":"9', 1)
    with pytest.raises(wl.ProofError, match="of the page says"):
        compared(holding(page, lines))


def test_what_was_not_answered_in_time_is_said_again(monkeypatch):
    def late(*_arguments, **_options):
        raise wl.TimeLimitError("after 3 s: 7 to 9", known={"lower": 7})

    for name in ("board.shares_of", "trust.rank_ranges"):
        monkeypatch.setattr(f"weightlab.report.sections.{name}", late)
    monkeypatch.setattr("weightlab.views.verdicts.scenario_of", late)
    made = report(BOARD, only=["win", "trust"])
    assert "shares of weightings by average: after 3 s: 7 to 9" in made.unproved
    page = made.to_html()
    monkeypatch.undo()
    assert "shares of weightings by average: the time limit ended the search" in page
    found = compared_words(read_document(io.StringIO(page)), BOARD)
    assert found.reason == ""
    assert len(found.unanswered) >= 3
    assert "shares of weightings by average: the time limit ended the search" in found.unanswered


def test_a_page_without_pictures_is_accepted_where_they_can_be_drawn(monkeypatch):
    def missing(*_arguments, **_options):
        raise wl.InputError(NO_PICTURES)

    monkeypatch.setattr("weightlab.report.output.rendering.rendered", missing)
    page = report(BOARD, only=["today"]).to_html()
    monkeypatch.undo()
    assert compared(page) == ""
    with pytest.raises(wl.ProofError):
        compared(page.replace("pictures need", "pictures of ada need"))


def test_a_page_of_another_version_is_said_not_to_be_compared(page):
    other = with_line(page, 0, f'"weightlab":"{__version__}"', '"weightlab":"0.0.9"')
    assert compared(other) == "written by 0.0.9"
