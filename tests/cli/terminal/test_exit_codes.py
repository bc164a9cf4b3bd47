"""Exit code 1 says that a claim is false or a policy broken, and nothing else does."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from weightlab.cli import app


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (MemoryError("Unable to allocate"), 4, "weightlab: there is not enough memory\n"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 4, "weightlab: there is not enough memory\n"),
        (
            KeyError("a\nb"),
            4,
            "weightlab: internal error; please report it (KeyError: 'a\\nb'); WEIGHTLAB_DEBUG=1 shows where\n",
        ),
        (RecursionError("too deep"), 4, "(RecursionError: too deep)"),
        (SystemError("a\nb"), 4, "(SystemError: a b)"),
        (OSError(errno.ENOSPC, "No space left on device", "a.csv"), 2, "weightlab: a.csv: No space left on device\n"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_fault_is_one_line_and_its_exit_code(weightlab, monkeypatch, fault, code, said):
    def failing(_names):
        raise fault

    monkeypatch.delenv("WEIGHTLAB_DEBUG", raising=False)
    monkeypatch.setattr(app, "_made", failing)
    answer = weightlab("win")
    assert answer.code == code
    assert said in answer.err
    assert answer.err.count("\n") == 1
    monkeypatch.setenv("WEIGHTLAB_DEBUG", "1")
    assert ("Traceback" in weightlab("win").err) == ("internal error" in said or said.startswith("("))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")  # noqa: PTH110
def test_an_answer_that_cannot_be_printed_is_no_answer():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        ended = subprocess.run(
            [sys.executable, "-m", "weightlab", "rank"], stdout=full, stderr=subprocess.PIPE, check=False
        )
        silent = subprocess.run([sys.executable, "-m", "weightlab", "rank"], stdout=full, stderr=full, check=False)
    assert (ended.returncode, silent.returncode) == (2, 2)
    assert ended.stderr == b"weightlab: standard output: No space left on device\n"
