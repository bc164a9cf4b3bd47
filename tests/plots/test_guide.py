"""The pictures of the guide are those that its script draws."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plots.pictures import texts

pytest.importorskip("matplotlib")

ROOT = Path(__file__).parent.parent.parent
GUIDE = ROOT / "docs" / "how-to" / "draw-pictures.md"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the folder that the script has filled."""
    folder = tmp_path_factory.mktemp("pictures")
    script = ROOT / "examples" / "draw_pictures.py"
    subprocess.run([sys.executable, "-W", "error", str(script), str(folder)], check=True, capture_output=True)
    return folder


def test_the_script_draws_the_pictures_of_the_guide_and_no_others(drawn):
    shown = set(re.findall(r"\]\(pictures/([\w.]+)\)", GUIDE.read_text(encoding="utf-8")))
    assert {path.name for path in drawn.iterdir()} == shown
    # Screenshots lie there too.
    assert {path.name for path in (GUIDE.parent / "pictures").glob("*.svg")} == shown


def test_the_stored_pictures_say_what_they_say_now(drawn):
    for path in drawn.iterdir():
        stored = GUIDE.parent / "pictures" / path.name
        assert sorted(texts(stored.read_bytes())) == sorted(texts(path.read_bytes())), path.name
