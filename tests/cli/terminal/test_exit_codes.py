"""Exit code 1 says that a claim is false or a policy broken, and nothing else does."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import weightlab
from weightlab.cli import app

if os.name == "posix":
    import resource

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")
INTERRUPTS = int(os.environ.get("WEIGHTLAB_INTERRUPTS", "3"))
"""How often a command is interrupted: each time takes as long as the command does."""
GUARDED = """
import os
from weightlab.cli import interruption, main
interruption.guard()
os.write(1, b"x")
main()
"""


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (MemoryError("Unable to allocate"), 4, "weightlab: there is not enough memory\n"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 4, "weightlab: there is not enough memory\n"),
        (
            KeyError("a\nb"),
            4,
            "weightlab: a fault of weightlab itself (KeyError: 'a\\nb'); WEIGHTLAB_DEBUG=1 shows where\n",
        ),
        (RecursionError("too deep"), 4, "(RecursionError: too deep)"),
        (SystemError("a\nb"), 4, "(SystemError: a b)"),
        (OSError(errno.ENOSPC, "No space left on device", "a.csv"), 2, "weightlab: a.csv: No space left on device\n"),
        (KeyboardInterrupt(), 130, "weightlab: interrupted\n"),
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
    assert ("Traceback" in weightlab("win").err) == (said.find("fault of") > 0 or said.startswith("("))


@POSIX
def test_an_interruption_at_any_moment_is_one_sentence_and_its_exit_code():
    """From the moment on when three small files are loaded; ``WEIGHTLAB_INTERRUPTS=40`` tries more moments."""
    seen, took = [], 1.0
    for moment in [0.0, *np.random.default_rng().random(INTERRUPTS - 1)]:
        with subprocess.Popen(
            [sys.executable, "-c", GUARDED, "win"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
        ) as process:
            assert process.stdout.read(1) == b"x"
            time.sleep(took * moment)
            process.send_signal(signal.SIGINT)
            seen.append((process.wait(), process.stderr.read()))
    assert seen == [(130, b"weightlab: interrupted\n")] * len(seen)


PROGRAM = """
import os, runpy, signal, sys
lines, where = 0, {folder!r}

def trace(frame, event, _):
    global lines
    ours = frame.f_code.co_filename.startswith(where)
    if ours and event == "line":
        lines += 1
        if lines == {line}:
            os.kill(os.getpid(), signal.SIGINT)
    return trace if ours else None

signal.signal(signal.SIGINT, signal.default_int_handler)
if {script!r}:
    sys.argv = [{script!r}, "rank"]
    sys.settrace(trace)
    runpy.run_path({script!r}, run_name="__main__")
else:
    sys.argv = ["-m", "rank"]
    sys.settrace(trace)
    runpy.run_module("weightlab", run_name="__main__", alter_sys=True)
"""
ENTRY = """#!/usr/bin/env python3
import re
import sys
from weightlab.cli import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""
"""What pip makes of the entry point."""


def interrupted_at(line, script=""):
    """Interrupt a command at a line of the package, counted from its first one."""
    program = PROGRAM.format(folder=os.path.dirname(weightlab.__file__), line=line, script=str(script))  # noqa: PTH120
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    return ended.returncode, ended.stderr


@POSIX
@pytest.mark.parametrize("line", [10, 11, 12, 14, 17, 20, 30, 40, 60, 90])
def test_an_interruption_of_the_first_lines_is_one_sentence_and_its_exit_code(line):
    """The first few lines of the package say that Ctrl-C is answered from there on."""
    assert interrupted_at(line) == (130, b"weightlab: interrupted\n")


@POSIX
def test_so_is_one_of_the_script_that_is_installed(tmp_path):
    """At random lines of the package, of which loading and answering take some ten thousand."""
    script = tmp_path / "weightlab"
    script.write_text(ENTRY, encoding="utf-8")
    lines = [10, 13, 25, *np.random.default_rng().integers(10, 12_000, INTERRUPTS).tolist()]
    seen = {line: interrupted_at(line, script) for line in lines}
    assert seen == dict.fromkeys(lines, (130, b"weightlab: interrupted\n"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits address space")
@pytest.mark.parametrize("megabytes", [150, 300, 400, 500, 600])
def test_too_little_memory_for_the_libraries_is_said_at_once(megabytes):
    """OpenBLAS asks the system for ever where it gets no memory, so there an answer would never come."""
    limits = (megabytes << 20, megabytes << 20)
    ended = subprocess.run(
        [sys.executable, "-m", "weightlab", "rank"],
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
    )
    assert (ended.returncode, ended.stderr) == (4, b"weightlab: there is not enough memory\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")  # noqa: PTH110
def test_an_answer_that_cannot_be_printed_is_no_answer():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        ended = subprocess.run(
            [sys.executable, "-m", "weightlab", "rank"], stdout=full, stderr=subprocess.PIPE, check=False
        )
        silent = subprocess.run([sys.executable, "-m", "weightlab", "rank"], stdout=full, stderr=full, check=False)
    assert (ended.returncode, silent.returncode) == (2, 2)
    assert ended.stderr == b"weightlab: standard output: No space left on device\n"
