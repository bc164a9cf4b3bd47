"""The atlas of public boards: its rows stand in the docs, its reports are verified, names in its index stay text."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from weightlab.report import read_document

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "examples" / "atlas.py"
PAGE = ROOT / "docs" / "explanation" / "who-can-win-on-public-benchmarks.md"
ATLAS = runpy.run_path(str(SCRIPT))
BOARDS = list(ATLAS["BOARDS"])


def ran(*arguments, data):
    env = {name: value for name, value in os.environ.items() if name != "WEIGHTLAB_DATA"}
    env |= {"PYTHONPATH": str(ROOT)} | ({"WEIGHTLAB_DATA": str(data)} if data else {})
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False, env=env)


def rows_of_page():
    told = PAGE.read_text(encoding="utf-8").split("<!-- atlas: begin -->")[1].split("<!-- atlas: end -->")[0]
    return told.strip().split("\n\n")


@pytest.mark.parametrize("data", [None, "/no/such/folder"])
def test_without_the_tables_the_atlas_says_what_it_needs(data):
    found = ran("atlas", data=data)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        "atlas.py: WEIGHTLAB_DATA must name the folder of public score tables; see CONTRIBUTING.md\n"
    )


@pytest.mark.parametrize(("arguments", "told"), [(["--boards", "NOPE", "x"], "no board named 'NOPE'"), ([], "--table")])
def test_a_wrong_call_is_told(arguments, told):
    found = ran(*arguments, data="/tmp")  # noqa: S108 - any folder will do
    assert found.returncode == 2
    assert told in found.stderr


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_has_the_rows_of_the_script(name, shared_data):
    assert shared_data.is_dir()
    made = ATLAS["markdown"](ATLAS["compared"]([name])).split("\n\n")
    for table, own in zip(rows_of_page(), made, strict=True):
        heading, _, row = own.splitlines()
        assert table.splitlines()[0] == heading
        assert row in table.splitlines()


def test_a_report_is_written_read_back_and_verified(shared_data, tmp_path, capsys):
    assert shared_data.is_dir()
    ATLAS["write_atlas"](["XTREME"], tmp_path)
    assert capsys.readouterr().out == "xtreme.html: 15 models x 4 tasks, verified\nindex.html: 1 board\n"
    assert read_document(tmp_path / "xtreme.html").verify(ATLAS["board_of"]("XTREME"))
    assert '<a href="xtreme.html">XTREME</a>' in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_names_stay_text_in_the_index():
    cells = dict.fromkeys(ATLAS["COLUMNS"], "1") | {"wins today": "<b>x</b>"}
    page = ATLAS["index"](pd.DataFrame({"A & B": cells}).T)
    assert "<b>" not in page
    assert "A &amp; B" in page
    assert '<a href="a-b.html">' in page
