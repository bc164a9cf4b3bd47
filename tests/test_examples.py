"""Every script in examples/ prints what is stored in examples/output/.

On a difference the new output is written beside the stored one, with the suffix ``.new``. If it is right, accept it::

    mv examples/output/NAME.txt.new examples/output/NAME.txt
"""

from __future__ import annotations

import os
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
STORED = EXAMPLES / "output"
NOT_COMPARED = {
    "draw_pictures.py": "needs matplotlib; tests/plots/test_guide.py runs it where that is installed",
    "measure_classifiers.py": "measures times, for ten minutes; tests/datasets/test_measuring.py runs its quick form",
}
COMPARED = [path for path in sorted(EXAMPLES.glob("*.py")) if path.name not in NOT_COMPARED]


def compare(script, stored, desk):
    """Run a script in the folder ``desk``; fail, and propose the new output, unless it prints what is stored."""
    plain = {"COLUMNS": "120", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "TERM": "dumb"}
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=desk,
        env={**os.environ, **plain},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, f"{script.name} failed with exit code {ran.returncode}:\n{ran.stderr}"
    known = stored.read_text(encoding="utf-8") if stored.exists() else ""
    if ran.stdout == known and stored.exists():
        return
    proposed = stored.with_name(f"{stored.name}.new")
    proposed.parent.mkdir(exist_ok=True)
    proposed.write_text(ran.stdout, encoding="utf-8")
    change = "".join(
        unified_diff(known.splitlines(keepends=True), ran.stdout.splitlines(keepends=True), stored.name, proposed.name)
    )
    pytest.fail(f"{script.name} prints something else than is stored. If it is right: mv {proposed} {stored}\n{change}")


@pytest.mark.parametrize("script", COMPARED, ids=lambda script: script.name)
def test_an_example_prints_what_is_stored(script, tmp_path):
    compare(script, STORED / f"{script.stem}.txt", tmp_path)


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
    compare(script, stored, tmp_path)
    assert not stored.with_name("hello.txt.new").exists()


@pytest.mark.parametrize("known", ["one\n", "one\ntwo\nthree\n", None], ids=["more", "less", "nothing stored"])
def test_another_output_fails_shows_the_change_and_proposes_itself(script, tmp_path, known):
    stored = tmp_path / "hello.txt"
    if known is not None:
        stored.write_text(known, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)mv .*hello\.txt\.new .*hello\.txt\n--- hello\.txt"):
        compare(script, stored, tmp_path)
    assert stored.with_name("hello.txt.new").read_text(encoding="utf-8") == "one\ntwo\n"


@pytest.mark.parametrize(
    "end", ["raise SystemExit(3)", "import warnings; warnings.warn('old')"], ids=["exit", "warning"]
)
def test_an_example_that_fails_or_warns_is_refused(script, tmp_path, end):
    script.write_text(end, encoding="utf-8")
    with pytest.raises(AssertionError, match=r"hello\.py failed with exit code"):
        compare(script, tmp_path / "hello.txt", tmp_path)
