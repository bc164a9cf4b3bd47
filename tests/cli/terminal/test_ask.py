"""At a terminal a reading that is only likely is a question; Enter answers it, and nowhere else anything is asked."""

from __future__ import annotations

import io
import sys

import pytest

TEXT = "model,p95 request latency,acc\na,1,2\nb,2,1\nc,3,4\n"


class Terminal(io.StringIO):
    """A stream that a person sits at."""

    def isatty(self):
        return True


@pytest.fixture
def asked(weightlab, tmp_path, monkeypatch):
    """Runs a command at a terminal whose reader types something."""
    (tmp_path / "t.csv").write_text(TEXT, encoding="utf-8")

    def run(typed, *words, everywhere=True):
        monkeypatch.setattr(sys, "stdin", Terminal(typed))
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: everywhere, raising=False)
        return weightlab("rank", "t.csv", *words)

    return run


@pytest.mark.parametrize("typed", ["\n", "y\n", "Yes\n"])
def test_enter_answers_at_once(asked, typed):
    answer = asked(typed)
    assert (answer.code, answer.err.count("Read it so? [Y/n/edit] ")) == (0, 1)
    assert "p95 request latency: likely lower is better" in answer.err
    assert len(answer.err.splitlines()) <= 10
    assert answer.out.strip()


@pytest.mark.parametrize("typed", ["n\n", "", "what?\n"])
def test_everything_else_ends_with_exit_code_2(asked, typed):
    answer = asked(typed)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("[Y/n/edit] ")


def test_edit_prints_the_command_with_all_that_the_reading_says(asked, weightlab):
    answer = asked("edit\n")
    assert answer.code == 2
    assert answer.err.endswith("  weightlab rank t.csv --lower 'p95 request latency'\n".lstrip())


@pytest.mark.parametrize("words", [["-q"], ["--json"], ["--quiet"]])
def test_nothing_is_asked_where_a_program_reads_the_answer(asked, words):
    answer = asked("\n", *words)
    assert answer.code == 2
    assert "[Y/n/edit]" not in answer.err
    assert "--accept-reading" in answer.err


def test_nothing_is_asked_in_a_pipe(asked):
    answer = asked("\n", everywhere=False)
    assert (answer.code, "[Y/n/edit]" in answer.err) == (2, False)
