"""A notebook shows of a result the table that its command prints: columns, order, rounding and words."""

from __future__ import annotations

import io

import pytest

from tests.report.reading import read
from weightlab.cli import run
from weightlab.report import read_document

SCORES = """model,reading,arithmetic,code
ada,81.0,64.5,40.2
bo,78.5,70.1,38.0
cy,74.0,66.0,45.9
dee,76.0,65.0,39.5
"""
COMMANDS = (
    "stability wide.csv",
    "stability wide.csv --rule mean",
    "stability wide.csv --norm linf",
    "duels scores.csv",
    "duels scores.csv --want bo>cy",
    "nearest scores.csv -m cy",
    "region scores.csv -m ada",
    "improve scores.csv -m dee",
    "missing gaps.csv --rule majority",
    "missing gaps.csv --between 0:100 --max code=0.9",
    "map scores.csv --axis reading --axis arithmetic --axis code",
    "rank scores.csv --rule borda",
    "rank scores.csv --rule mean --group nli=reading,code --group math=arithmetic --two-step",
    "compare scores.csv",
    "smallest scores.csv",
    "audit",
    "audit scores.csv",
    "sweep",
    "study dispersion scores.csv",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    (tmp_path / "wide.csv").write_text(SCORES.replace("78.5", "83.5").replace("38.0", "41.0"), encoding="utf-8")
    (tmp_path / "gaps.csv").write_text(SCORES.replace("64.5", "").replace("45.9", ""), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def told(capsys, *arguments):
    code = run(list(arguments))
    answer = capsys.readouterr()
    assert code == 0, answer.err
    return answer.out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_notebook_shows_the_table_that_the_command_prints(folder, capsys, command):
    words = command.split()
    lines = [" ".join(line.split()) for line in told(capsys, *words).splitlines()]
    shown = [
        " ".join(" ".join(cell.text for cell in row.all("th", "td")).split())
        for one in read_document(io.StringIO(told(capsys, *words, "--json"))).results
        for row in read(one._repr_html_()).all("tr")
        if one.kind != "pair_shares"
    ]
    assert len(shown) > 1
    if command.startswith("stability"):  # whose last column is of the shares, a result of their own
        lines = [line.replace(" stays ahead", " stays").rpartition(" ")[0] for line in lines]
    assert [row for row in shown if row not in lines] == []
    places = [lines.index(row) for row in shown]
    assert command.startswith("improve") or places == sorted(places)  # two answers of one form to one command
