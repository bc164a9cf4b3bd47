from __future__ import annotations

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

from weightlab.cli.app import COMMANDS, app

pytest.importorskip("sphinx", reason="the extra docs is not installed: pip install 'weightlab[docs]'")

DOCS = Path(__file__).parents[2] / "docs"
CONF = f"""
import sys
sys.path.insert(0, {str(DOCS / "_ext")!r})
extensions = ["myst_parser", "manual"]
myst_enable_extensions = ["deflist"]
project, version = "weightlab", "1"
suppress_warnings = ["myst.xref_missing"]
man_pages = [("index", "weightlab", "proofs about score tables", "its developers", 1)]
"""


class Words(HTMLParser):
    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data


def plain(text):
    """Letters and digits alone: quotes and dashes are set differently on paper."""
    return "".join(sign for sign in text if sign.isalnum())


def built(folder, builder):
    (folder / "conf.py").write_text(CONF, encoding="utf-8")
    shutil.copy(DOCS / "reference" / "command-line.md", folder / "index.md")
    out = folder / builder
    # In a process of its own: what Sphinx deprecates inside MyST is no warning about weightlab.
    subprocess.run([sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, folder, out], check=True)
    return out


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual")
    words = Words()
    words.feed((built(folder, "html") / "index.html").read_text(encoding="utf-8"))
    sheet = (built(folder, "man") / "weightlab.1").read_text(encoding="utf-8").replace("\\-", "-")
    sheet = sheet.replace("\\(dq", '"').replace("\\(aq", "'")
    return {"html": words.text, "man": sheet}


@pytest.mark.parametrize("form", ["html", "man"])
def test_the_manual_holds_every_command_with_every_option_and_its_meaning(pages, form):
    found = typer.main.get_command(app()).commands
    told = " ".join(pages[form].split())
    for name in COMMANDS:
        assert f"weightlab {name} [OPTIONS]" in told
        examples = [line for line in (found[name].epilog or "").splitlines() if line.strip().startswith("weightlab")]
        assert examples
        assert all(plain(line) in plain(told) for line in examples), name
        for parameter in found[name].params:
            spelt = parameter.opts if parameter.opts[0].startswith("-") else [parameter.metavar]
            assert all(spelling in told for spelling in spelt), parameter.name
            assert plain((parameter.help or "").split("'")[0][:30]) in plain(told), parameter.help


@pytest.mark.parametrize("form", ["html", "man"])
def test_the_manual_tells_exit_status_environment_and_files(pages, form):
    told = pages[form].upper()
    assert all(part in told for part in ("EXIT STATUS", "ENVIRONMENT", "NO_COLOR", "FILES", "130"))
