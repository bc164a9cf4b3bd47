"""Every code block of the pages and every example of the docstrings does what it shows."""

from __future__ import annotations

import doctest
import importlib
import shutil
from pathlib import Path

import pytest

import weightlab
from tests.pages import FLAGS, Block, PageError, Reader, agree, blocks_of, carry_out, commands_of, lacks, needs_of_page

ROOT = Path(__file__).parents[2]
FILES = ROOT / "docs" / "files"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "weightlab").rglob("*.py"))
    if path.name != "__main__.py" and ">>>" in path.read_text(encoding="utf-8")
]


@pytest.fixture(autouse=True)
def _desk(tmp_path, monkeypatch):
    """Work where a reader would: a folder of their own with the files of the docs, and a plain wide terminal."""
    desk = tmp_path / "desk"
    shutil.copytree(FILES, desk)
    monkeypatch.chdir(desk)
    for name, value in {"COLUMNS": "120", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)


def block(language, text):
    return Block(page="page.md", line=1, language=language, text=text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_happens(page):
    text = page.read_text(encoding="utf-8")
    lacking = sorted({need for need in needs_of_page(text) if lacks(need)})
    if lacking:
        pytest.skip(f"the whole page needs {', '.join(lacking)}")
    reader, left_out = Reader(), []
    for one in blocks_of(str(page.relative_to(ROOT)), text):
        if one.needs is not None and lacks(one.needs):
            left_out.append(f"line {one.line} needs {one.needs}")
        else:
            reader.run(one)
    if left_out:
        pytest.skip(f"all other blocks hold; {', '.join(left_out)}")


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_commands_for_a_fresh_machine_stand_where_ci_reads_them(name):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count(f"<!-- command: {name} -->\n```sh\npython -m venv .venv && .venv/bin/pip install ") == 1
    assert f"\nrun_readme_command {name}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", [*(one for one in weightlab.__all__ if (ROOT / "weightlab" / one).is_dir()), "exceptions"]
)
def test_every_public_part_is_in_the_reference(name):
    pages = (ROOT / "docs" / "reference").glob("*.md")
    assert any(f"\n.. automodule:: weightlab.{name}\n" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_docstring_show_what_happens(name):
    module = importlib.import_module(name)
    told: list[str] = []
    for found in doctest.DocTestFinder(exclude_empty=True).find(module):
        doctest.DocTestRunner(optionflags=FLAGS, verbose=False).run(found, out=told.append)
    assert not told, "".join(told)


def test_blocks_are_found_with_their_line_language_and_remarks():
    text = "Text.\n\n```python\n>>> 1\n1\n```\n\n<!-- needs: WEIGHTLAB_DATA -->\n\n```console\n$ true\n```\n"
    text += "<!-- file: a.csv -->\n````csv\n```\n````\n"
    first, second, third = blocks_of("page.md", text)
    assert (first.line, first.language, first.text, first.needs) == (3, "python", ">>> 1\n1\n", None)
    assert (second.line, second.language, second.needs, second.file) == (10, "console", "WEIGHTLAB_DATA", None)
    assert (third.language, third.text, third.file) == ("csv", "```\n", "a.csv")


def test_a_page_may_say_what_all_of_it_needs():
    assert needs_of_page("# Title\n\n<!-- page needs: matplotlib -->\n") == ["matplotlib"]


def test_what_is_lacking_is_known(monkeypatch):
    monkeypatch.delenv("WEIGHTLAB_DATA", raising=False)
    assert lacks("WEIGHTLAB_DATA")
    assert lacks("no_such_package")
    assert not lacks("numpy")


def test_python_blocks_of_a_page_share_their_names():
    reader = Reader()
    reader.run(block("python", ">>> x = 2\n"))
    reader.run(block("python", "y = x + 1\n"))
    reader.run(block("python", ">>> y\n3\n"))


@pytest.mark.parametrize(
    "text",
    [">>> 1 + 1\n3\n", ">>> 1 / 0\n", ">>> import warnings; warnings.warn('old')\n"],
    ids=["wrong value", "error", "warning"],
)
def test_a_python_block_that_shows_something_else_is_refused(text):
    with pytest.raises(PageError, match=r"page\.md"):
        Reader().run(block("python", text))


def test_a_python_block_without_prompts_must_run():
    with pytest.raises(ZeroDivisionError):
        Reader().run(block("python", "1 / 0\n"))


def test_a_file_shown_on_a_page_lies_on_the_desk():
    Reader().run(Block(page="page.md", line=1, language="csv", text="a,b\n", file="scores.csv"))
    Reader().run(block("console", "$ cat scores.csv\na,b\n"))


def test_a_file_of_the_data_folder_lies_on_the_desk_where_a_block_needs_it(tmp_path, monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_DATA", str(tmp_path))
    assert lacks("WEIGHTLAB_DATA/boards/a.csv")
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "a.csv").write_text("a,b\n", encoding="utf-8")
    assert not lacks("WEIGHTLAB_DATA/boards/a.csv")
    text = "$ cat a.csv\na,b\n"
    Reader().run(Block(page="page.md", line=1, language="console", text=text, needs="WEIGHTLAB_DATA/boards/a.csv"))


def test_a_command_may_be_continued_and_has_its_output_below():
    text = "$ echo a \\\n> b\na b\n$ true\n"
    assert commands_of(block("console", text)) == [("echo a \\\nb", "a b\n"), ("true", "")]
    Reader().run(block("console", text))


def test_a_console_block_begins_with_a_command():
    with pytest.raises(PageError, match=r"page\.md:1: a console block begins with a command"):
        commands_of(block("console", "weightlab win\n"))


@pytest.mark.parametrize(
    "text",
    ["$ echo one\ntwo\n", "$ echo one\n", "$ true\nsomething\n", "$ echo kept; echo hidden >&2; exit 2\nkept\n"],
    ids=["other output", "hidden output", "invented output", "hidden failure"],
)
def test_a_console_block_that_shows_something_else_is_refused(text):
    with pytest.raises(PageError, match="the page shows"):
        Reader().run(block("console", text))


def test_the_exit_code_of_the_last_command_can_be_shown():
    Reader().run(block("console", "$ exit 3\n$ echo $?\n3\n"))


def test_the_command_line_runs_with_its_notes_and_its_exit_code():
    terminal, output, code = carry_out("weightlab --version")
    assert (code, weightlab.__version__ in output, terminal) == (0, True, output)
    terminal, output, code = carry_out("weightlab win no-such-file.csv")
    assert (code, "no-such-file.csv" in terminal, output) == (2, True, "")


def test_what_the_command_line_writes_goes_onward_as_in_a_shell():
    whole = carry_out("weightlab --version")[1]
    for real in ("weightlab --version | cat", "(weightlab --version) | cat"):  # the second is a shell's own process
        assert carry_out(real) == (whole, whole, 0)
    assert carry_out("weightlab --version > seen.txt") == ("", "", 0)
    assert carry_out("cat seen.txt")[1] == whole
    for onward in ("> seen.txt", "| cat"):
        terminal, _, code = carry_out(f"weightlab win 'no such file.csv' {onward}")
        assert ("no such file.csv" in terminal, code) == (True, 2 if onward.startswith(">") else 0)


def test_dots_stand_for_any_text_and_blanks_at_line_ends_do_not_count():
    assert agree("a ... z\n", "a b c z\n")
    assert agree("one\n\n", "one   \n")
    assert not agree("a ... z\n", "a b c\n")


def test_the_data_folder_is_written_as_the_reader_writes_it(monkeypatch):
    monkeypatch.setenv("WEIGHTLAB_DATA", str(ROOT))
    terminal, output, code = carry_out('echo "$WEIGHTLAB_DATA/table.csv"')
    assert (terminal, output, code) == ("$WEIGHTLAB_DATA/table.csv\n", "$WEIGHTLAB_DATA/table.csv\n", 0)
