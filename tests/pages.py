"""Reads the code blocks of a Markdown page and runs them in order, as a reader would.

What is run, page by page, in a new folder that holds a copy of ``docs/files``:

- ```` ```python ````: with ``>>>`` prompts each result must be what the page shows; without, it must run.
  The blocks of a page share their names.
- ```` ```console ````: each ``$ command`` must put on the terminal what the page shows below it. A command that
  succeeds may also be shown without its notes on standard error; one that fails must be shown whole.

``...`` stands for any text. Other languages (``sh``, ``text``, ``csv``) are shown and not run. A comment before a
block says more about it:

- ``<!-- file: scores.csv -->``: the block is written to that file, in a new folder where need be.
- ``<!-- needs: WEIGHTLAB_DATA -->``: the block is left out, and the test says so, where that environment variable is
  not set; with a lower-case name, where that package is not installed. ``WEIGHTLAB_DATA/votenrank/glue.csv`` lays that
  file of the folder on the reader's desk.
- ``<!-- page needs: ... -->``: the same for the whole page.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(
    r"(?:^<!--[ ]*(?P<word>needs|file):[ ]*(?P<value>[^\n]*?)[ ]*-->\n+)?"
    r"^(?P<ticks>`{3,})(?P<language>[\w-]*)[^\n`]*\n(?P<text>.*?)^(?P=ticks)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
NEEDS_OF_PAGE = re.compile(r"^<!--[ ]*page needs:[ ]*(?P<value>[^\n]*?)[ ]*-->$", re.MULTILINE)
# A command line of this package without signs of the shell outside of quotes, and where its output goes from there.
COMMAND = re.compile(
    r"""weightlab[ ](?P<arguments>(?:[^'"|&;<>()`\\*?\[\]{}~\#\n]|'[^']*'|"[^"`\\]*")*)"""
    r"""(?P<onward>(?<![0-9])[|>][^|&][^&]*)?"""
)
FLAGS = doctest.ELLIPSIS


class PageError(AssertionError):
    """A page shows what does not happen."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One code block of a page."""

    page: str
    line: int
    language: str
    text: str
    needs: str | None = None
    file: str | None = None

    @property
    def place(self) -> str:
        """Where the block stands, as an editor understands it."""
        return f"{self.page}:{self.line}"


@dataclass(kw_only=True)
class Reader:
    """Runs blocks one after the other and remembers the names they make and the last exit code."""

    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})
    code: int = 0

    def run(self, block: Block) -> None:
        """Run one block in the current folder, or raise ``PageError``."""
        if block.needs is not None and "/" in block.needs:
            name, _, file = block.needs.partition("/")
            shutil.copy(Path(os.environ[name], file), ".")
        if block.file is not None:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self._run_python(block)
        elif block.language == "console":
            for command, shown in commands_of(block):
                self._run_command(block, command, shown)

    def _run_python(self, block: Block) -> None:
        if ">>> " not in block.text:
            exec(compile(block.text, block.place, "exec"), self.names)  # noqa: S102 (the pages are ours)
            return
        parsed = doctest.DocTestParser().get_doctest(block.text, self.names, block.page, block.page, block.line)
        told: list[str] = []
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        runner.run(parsed, out=told.append, clear_globs=False)
        self.names.update(parsed.globs)
        if told:
            raise PageError("".join(told))

    def _run_command(self, block: Block, command: str, shown: str) -> None:
        terminal, output, self.code = carry_out(command, last_code=self.code)
        accepted = [terminal] if self.code else [terminal, output]
        if not any(agree(shown, text) for text in accepted):
            told = f"exit code {self.code}; the page shows\n{shown}\nnot\n{terminal}"
            raise PageError(f"{block.place}: $ {command}\n{told}")


def blocks_of(page: str, text: str) -> list[Block]:
    """Return the code blocks of a page in order."""
    return [
        Block(
            page=page,
            line=text.count("\n", 0, match.start("ticks")) + 1,
            language=match["language"],
            text=match["text"],
            needs=match["value"] if match["word"] == "needs" else None,
            file=match["value"] if match["word"] == "file" else None,
        )
        for match in FENCE.finditer(text)
    ]


def needs_of_page(text: str) -> list[str]:
    """Return what the page as a whole needs."""
    return [match["value"] for match in NEEDS_OF_PAGE.finditer(text)]


def lacks(need: str) -> bool:
    """Say whether an environment variable (in capitals), a file of its folder or a package is missing here."""
    name, _, file = need.partition("/")
    if not name.isupper():
        return importlib.util.find_spec(need) is None
    return not os.environ.get(name) or not Path(os.environ[name], file).exists()


def commands_of(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with what the page shows below it."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].rstrip("\n"), ""))
        elif found and line.startswith("> ") and not found[-1][1] and found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0]}\n{line[2:].rstrip()}", "")
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
        else:
            raise PageError(f"{block.place}: a console block begins with a command, as in '$ weightlab win'")
    return found


def carry_out(command: str, *, last_code: int = 0) -> tuple[str, str, int]:
    """Run a command; return what a terminal shows, what is on standard output alone, and the exit code."""
    if command == "echo $?":
        return f"{last_code}\n", f"{last_code}\n", 0
    ours = COMMAND.fullmatch(command)
    if ours is None:
        terminal, output, code = _shell(command)
    else:
        terminal, output, notes, code = _weightlab(shlex.split(os.path.expandvars(ours["arguments"])))
        if onward := ours["onward"]:
            shown, _, last = _shell(f"cat {onward}", given=output)
            terminal = output = notes + shown
            code = last if onward.startswith("|") else last or code
    data = os.environ.get("WEIGHTLAB_DATA")
    if data:
        terminal, output = terminal.replace(data, "$WEIGHTLAB_DATA"), output.replace(data, "$WEIGHTLAB_DATA")
    return terminal, output, code


def agree(shown: str, happened: str) -> bool:
    """Say whether what is shown is what happened; blanks at the ends of lines do not count, ``...`` is any text."""
    return doctest.OutputChecker().check_output(_trimmed(shown), _trimmed(happened), FLAGS)


class _Both(io.TextIOWrapper):
    """A stream with bytes behind it that also writes on the common terminal."""

    def __init__(self, terminal: io.StringIO) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)
        self.terminal = terminal

    def write(self, text: str) -> int:
        self.terminal.write(text)
        return super().write(text)


def _weightlab(arguments: list[str]) -> tuple[str, str, str, int]:
    """Run the command line in this process, which saves the second that its imports take; return also its notes."""
    from weightlab.cli import run

    terminal = io.StringIO()
    output, notes = _Both(terminal), _Both(terminal)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(notes):
        code = run(arguments)
    written, noted = (stream.buffer.getvalue().decode("utf-8") for stream in (output, notes))
    return terminal.getvalue(), written, noted, code


def _shell(command: str, *, given: str = "") -> tuple[str, str, int]:
    """Run a command in a shell that finds this interpreter's own programs first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    ran = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": path},
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.stdout, ran.stdout, ran.returncode


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())
