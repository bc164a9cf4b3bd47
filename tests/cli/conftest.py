from __future__ import annotations

import io
import re
import sys
from dataclasses import dataclass

import pytest

from weightlab.cli import run


@dataclass(frozen=True)
class Answer:
    """What a command said: how it read its tables, whichever stream says it, and the rest of both streams."""

    code: int
    out: str
    err: str
    read: tuple[str, ...] = ()


class Typed(io.TextIOWrapper):
    """Lines that a person types at a terminal."""

    def isatty(self):
        return True


def without_readings(text):
    """Return the lines that say how tables were read, and the rest of a stream."""
    lines, told = text.split("\n"), []
    while lines and READ.match(lines[0]):
        told.append(lines.pop(0))
        if lines[:1] == [""] and len(lines) > 1:
            lines.pop(0)
    return told, "\n".join(lines)


READ = re.compile(r"Read .+: .*(?:model|task|ranking|head-to-head).*\.$")


@pytest.fixture
def weightlab(capsys, monkeypatch, tmp_path):
    """Runs a command in an empty folder and returns its exit code and both streams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def answer(*arguments, stdin=None, typed=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        if typed is not None:
            monkeypatch.setattr(sys, "stdin", Typed(io.BytesIO(typed), encoding="utf-8"))
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        (told, out), (aside, err) = without_readings(captured.out), without_readings(captured.err)
        return Answer(code, out, err, (*told, *aside))

    return answer


@pytest.fixture
def written(weightlab, tmp_path):
    """Runs a command and returns what it writes to a file of an ending, its rows by default."""

    def answer(*call, ending=".csv"):
        assert weightlab(*call, "--output", f"written{ending}").code == 0
        return (tmp_path / f"written{ending}").read_text(encoding="utf-8")

    return answer


SCORES = """model,reading,arithmetic,code
ada,81.0,64.5,40.2
bo,78.5,70.1,38.0
cy,74.0,66.0,45.9
dee,76.0,65.0,39.5
"""


@pytest.fixture
def scores(tmp_path):
    """A table on which dee never wins and the others can."""
    path = tmp_path / "scores.csv"
    path.write_text(SCORES, encoding="utf-8")
    return path
