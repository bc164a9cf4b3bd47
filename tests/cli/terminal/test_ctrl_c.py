"""Ctrl-C ends a command with one sentence and exit code 130, and leaves nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

LOADED = """
import os, signal, sys
import weightlab.studies, weightlab.cli.commands.benchmark, weightlab.cli.commands.ranking
from weightlab.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
"""
LONG = ["sweep", "--size", "8", "--count", "10000", "-o", "cells.json"]
UNDER_WAY = f"{LOADED}print('under way', flush=True); main()"
AS_IT_WRITES = f"{LOADED}os.fsync = lambda _: os.kill(os.getpid(), signal.SIGINT); main()"
WRAPPED = f"""{LOADED}
import weightlab.cli.app
def made(_names):
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as interruption:
        raise RuntimeError("Error calling __set_name__") from interruption
weightlab.cli.app._made = made
main()
"""
SAID = (130, b"weightlab: interrupted\n")


def program(code, *arguments):
    return [sys.executable, "-c", code, *arguments]


def is_there(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_long_command_ends_soon_with_one_sentence_and_no_file(tmp_path):
    with subprocess.Popen(
        program(UNDER_WAY, *LONG), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"under way\n"
        time.sleep(0.5)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, err) == SAID
    assert out == b""
    assert time.monotonic() - started < 30
    assert list(tmp_path.iterdir()) == []


def test_so_does_one_that_works_in_several_processes_all_of_which_are_interrupted(tmp_path):
    """As a terminal does; the rows that were done are kept where ``--partial`` says so."""
    pytest.importorskip("joblib")
    with subprocess.Popen(
        program(UNDER_WAY, *LONG, "--jobs", "2", "--partial", "kept"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        while process.poll() is None and not (tmp_path / "kept").exists():
            time.sleep(0.1)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    deadline = time.monotonic() + 10
    while is_there(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_there(process.pid)
    # A worker that is interrupted while Python starts it, before it runs anything of ours, tells so itself.
    before, said, after = err.rpartition(SAID[1])
    assert (process.returncode, said, after) == (*SAID, b"")
    assert b"weightlab/cli/" not in before
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_an_old_file_outlives_an_interruption_while_the_new_one_is_written(tmp_path):
    (tmp_path / "old.json").write_text("old", encoding="utf-8")
    ended = subprocess.run(
        program(AS_IT_WRITES, "rank", "-o", "old.json"), cwd=tmp_path, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == SAID
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"old.json": "old"}


def test_what_a_library_makes_of_an_interruption_is_one(tmp_path):
    ended = subprocess.run(program(WRAPPED, "rank"), cwd=tmp_path, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == SAID


def test_who_calls_the_command_line_as_a_function_gets_the_interruption(weightlab, scores, monkeypatch):
    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("weightlab.lp.prospects", interrupted)
    with pytest.raises(KeyboardInterrupt):
        weightlab("win", scores)


def test_a_reader_that_wants_no_more_is_no_fault(tmp_path):
    (tmp_path / "s.csv").write_text(
        "model,a\n" + "".join(f"m{row},{row % 90}\n" for row in range(9000)), encoding="utf-8"
    )
    with subprocess.Popen(
        [sys.executable, "-m", "weightlab", "rank", "s.csv", "--rule", "mean"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")
