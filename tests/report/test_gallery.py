"""Every kind of result in a notebook, and as a document: nothing run, every name a text."""

from __future__ import annotations

import io
import json

import pytest

import weightlab.domains
import weightlab.graph
import weightlab.lp
import weightlab.rules
import weightlab.studies  # noqa: F401 - these bring the kinds
from tests.gallery import EXAMPLES, NASTY
from tests.report.reading import read
from weightlab._result import KINDS
from weightlab._text import shown
from weightlab.report import Document, read_document


def test_every_kind_of_result_has_an_example():
    known = {kind for kind, made in KINDS.items() if made.__module__.startswith("weightlab.")}
    shown_here = {name.partition(":")[0] for name in EXAMPLES}
    assert known - shown_here == set(), "add an example of these kinds to tests/gallery.py"
    assert shown_here - known == set()


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_a_result_of_every_kind_shows_itself_in_a_notebook_and_travels(name):
    result = EXAMPLES[name]()
    assert result.kind == name.partition(":")[0]
    page = result._repr_html_()
    seen = read(page)
    tags = {one.tag for one in seen.all()}
    assert tags <= {"div", "p", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "details"} | {
        "summary",
        "dl",
        "dt",
        "dd",
        "br",
    }
    assert not any(attribute.startswith("on") for one in seen.all() for attribute in one.attributes)
    assert "<b>" not in page
    assert result.kind in {"upset", "broken_cycle"} or next(seen.all("p")).text.startswith(shown(result))
    assert result.to_markdown()
    assert result.to_latex()
    assert next(seen.all("span")).text in {"proved", "proved by witness", "sampled"}
    assert all(any(table.all("caption")) for table in seen.all("table"))
    assert all(one.attributes["scope"] in {"row", "col"} for one in seen.all("th"))
    assert all("color:" not in one.attributes.get("style", "") for one in seen.all())
    again = read_document(io.StringIO(Document(results=(result,)).to_json())).results[0]
    assert json.dumps(again.to_dict()) == json.dumps(result.to_dict())
    assert again.verify()


def test_names_stand_in_the_tables_as_they_are():
    seen = read(EXAMPLES["prospects"]()._repr_html_())
    assert NASTY in [one.text for one in seen.all("th")]
