"""Every script in examples/ prints what is stored in examples/output/.

On a difference the new output is written beside the stored one, with the suffix ``.new``. If it is right, accept it::

    mv examples/output/NAME.txt.new examples/output/NAME.txt
"""

from __future__ import annotations

import contextlib
import io
import runpy
import warnings
from difflib import unified_diff
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
STORED = EXAMPLES / "output"
NOT_COMPARED = {
    "atlas.py": "needs the public score tables; tests/test_atlas.py runs it where they are",
    "draw_pictures.py": "needs matplotlib; tests/plots/test_guide.py runs it where that is installed",
    "draw_pages.py": "needs a browser, and draws what its fonts make of pages",
    "measure_rank_sets.py": "draws for an hour; tests/studies/confidence/test_coverage.py runs its quick form",
    "measure_power.py": "draws for minutes; tests/studies/confidence/test_coverage.py runs its quick form",
    "measure_classifiers.py": "measures times, for ten minutes; tests/datasets/test_measuring.py runs its quick form",
}
COMPARED = [path for path in sorted(EXAMPLES.glob("*.py")) if path.name not in NOT_COMPARED]


def printed(script):
    """Return what a script prints, run in this process, which saves the second that its imports take."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("error")
            runpy.run_path(str(script), run_name="__main__")
    except SystemExit as stop:
        if stop.code:
            pytest.fail(f"{script.name} failed with exit code {stop.code}:\n{out.getvalue()}")
    return out.getvalue()


def compare(script, stored):
    """Run a script; fail, and propose the new output, unless it prints what is stored."""
    found = printed(script)
    known = stored.read_text(encoding="utf-8") if stored.exists() else ""
    if found == known and stored.exists():
        return
    proposed = stored.with_name(f"{stored.name}.new")
    proposed.parent.mkdir(exist_ok=True)
    proposed.write_text(found, encoding="utf-8")
    change = "".join(
        unified_diff(known.splitlines(keepends=True), found.splitlines(keepends=True), stored.name, proposed.name)
    )
    pytest.fail(f"{script.name} prints something else than is stored. If it is right: mv {proposed} {stored}\n{change}")


@pytest.fixture(autouse=True)
def _desk(tmp_path, monkeypatch):
    """Run each script in an empty folder, and on a plain wide terminal."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("script", COMPARED, ids=lambda script: script.name)
def test_an_example_prints_what_is_stored(script):
    compare(script, STORED / f"{script.stem}.txt")


def test_every_stored_output_has_its_example():
    assert {path.stem for path in STORED.glob("*.txt")} <= {path.stem for path in COMPARED}


def test_examples_that_are_not_compared_exist():
    assert {path for path in NOT_COMPARED if not (EXAMPLES / path).is_file()} == set()


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "hello.py"
    path.write_text("print('one')\nprint('two')\n", encoding="utf-8")
    return path


def test_the_stored_output_passes_and_proposes_nothing(script, tmp_path):
    stored = tmp_path / "hello.txt"
    stored.write_text("one\ntwo\n", encoding="utf-8")
    compare(script, stored)
    assert not stored.with_name("hello.txt.new").exists()


@pytest.mark.parametrize("known", ["one\n", "one\ntwo\nthree\n", None], ids=["more", "less", "nothing stored"])
def test_another_output_fails_shows_the_change_and_proposes_itself(script, tmp_path, known):
    stored = tmp_path / "hello.txt"
    if known is not None:
        stored.write_text(known, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)mv .*hello\.txt\.new .*hello\.txt\n--- hello\.txt"):
        compare(script, stored)
    assert stored.with_name("hello.txt.new").read_text(encoding="utf-8") == "one\ntwo\n"


@pytest.mark.parametrize(
    ("end", "failure"),
    [("raise SystemExit(3)", pytest.fail.Exception), ("import warnings; warnings.warn('old')", UserWarning)],
    ids=["exit", "warning"],
)
def test_an_example_that_fails_or_warns_is_refused(script, tmp_path, end, failure):
    script.write_text(end, encoding="utf-8")
    with pytest.raises(failure, match=r"hello\.py failed with exit code 3|old"):
        compare(script, tmp_path / "hello.txt")
