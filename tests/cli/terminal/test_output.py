"""One answer in every form: a document, rows for programs, Markdown, LaTeX, a page; an error keeps what is known."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.report.reading import read
from weightlab.exceptions import InputError

CALLS = {
    "win": (),
    "win -m": ("-m", "cy"),
    "nearest": ("-m", "cy"),
    "region": ("-m", "ada"),
    "improve": ("-m", "dee"),
    "map": ("--axis", "reading", "--axis", "arithmetic", "--axis", "code"),
    "rank": (),
    "compare": (),
    "graph": (),
    "stability": (),
    "robustness": (),
    "shortlist": (),
    "smallest": (),
    "duels": (),
    "paired": ("-m", "ada", "-m", "bo"),
    "changes": (),
    "audit": (),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_is_written_in_every_form(weightlab, written, scores, name):
    call = (name.partition(" ")[0], scores, *CALLS[name], "--quiet")
    printed = weightlab(*call).out
    first = printed.splitlines()[0].split(" ")[0]
    said = {ending: written(*call, ending=ending) for ending in (".md", ".tex", ".html", ".csv", ".tsv", ".json")}
    assert all(first in said[ending] for ending in (".md", ".tex", ".html"))
    rows = list(csv.reader(io.StringIO(said[".csv"])))
    assert rows == list(csv.reader(io.StringIO(said[".tsv"]), delimiter="\t"))
    tables = list(read(said[".html"]).all("table"))
    assert bool(tables) == ("\\begin{tabular}" in said[".tex"]) == ("| ---" in said[".md"])
    shown = [[cell.text for cell in row.all("th", "td")] for table in tables for row in table.all("tr")]
    assert rows
    assert name in {"paired", "changes"} or [row for row in shown if row not in rows] == []
    assert json.loads(said[".json"])["results"]
    assert weightlab("verify", "written.json", scores).code in {0, 3}


def test_an_error_after_the_first_view_keeps_what_is_known(weightlab, scores, tmp_path, monkeypatch):
    from weightlab import lp

    def failing(board, model, *given, **options):
        if model == "bo":
            raise InputError("bo is not to be asked")
        return asked(board, model, *given, **options)

    asked = lp.scenario
    monkeypatch.setattr("weightlab.lp.scenario", failing)
    answer = weightlab("nearest", scores, "-m", "cy", "-m", "bo", "--output", "known.json")
    assert (answer.code, answer.err) == (2, "weightlab: bo is not to be asked\n")
    assert answer.out.startswith("Head-to-head, cy")
    assert [one["model"] for one in json.loads((tmp_path / "known.json").read_text())["results"]] == ["cy"]
