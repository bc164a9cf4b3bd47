"""Streams as shells hand them over: other encodings, closed ones, an output that is the input."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

import pytest

from weightlab.cli.app import COMMANDS

SCORES = "model,tâche,b\n\u202eé,1,2\n<ü>,2,1\n"


def run(folder, *arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "weightlab", *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, **settings},
    )


# All in one process, for the sake of time: each document is printed, then verified from the file it went to.
PRINTED = """
import os, sys
from weightlab.cli import run
for encoding in ("ascii", "latin-1", "utf-8"):
    sys.stdout.reconfigure(encoding=encoding)
    with open(encoding, "wb") as file:
        os.dup2(file.fileno(), 1)
    code = run(["win", "s.csv", "--json"])
    sys.stdout.flush()
    if code or run(["verify", encoding, "s.csv"]):
        sys.exit(f"not with {encoding}")
    sys.stdout.flush()
"""


def test_a_document_is_utf_8_whatever_the_terminal_takes(tmp_path):
    (tmp_path / "s.csv").write_text(SCORES, encoding="utf-8")
    ended = subprocess.run([sys.executable, "-c", PRINTED], cwd=tmp_path, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_into_pipes_lines_go_whole_without_codes_and_nothing_is_said_without_need(tmp_path):
    name = "a-model-of-a-name-that-is-longer-than-any-terminal-" * 3
    (tmp_path / "s.csv").write_text(f"model,a,b\n{name},1,2\nb,2,1\n", encoding="utf-8")
    plain = run(tmp_path, "stability", "s.csv", "--rule", "majority")
    assert plain.stderr == b""
    assert b"\x1b" not in plain.stdout
    forced = run(tmp_path, "rank", "s.csv", FORCE_COLOR="1")
    assert name.encode() in forced.stdout
    assert b"\x1b[1m" in forced.stdout


@pytest.mark.parametrize("call", [[name, "--help"] for name in COMMANDS] + [["--help"], ["rank"]], ids=" ".join)
def test_a_reader_that_has_enough_is_no_fault(weightlab, monkeypatch, call):
    reads, writes = os.pipe()
    os.close(reads)
    closed = os.fdopen(writes, "w", encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", closed)
    try:
        answer = weightlab(*call)
    finally:
        with suppress(BrokenPipeError):
            closed.close()
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.skipif(os.name != "posix", reason="only a POSIX shell closes streams so")
def test_closed_streams_give_no_traceback(tmp_path):
    (tmp_path / "s.csv").write_text(SCORES, encoding="utf-8")
    both = "import sys; from weightlab.cli import run; sys.exit([run(['win', '-']), run(['verify', '-'])] != [2, 2])"
    for line in ("-m weightlab win s.csv >&-", f'-c "{both}" <&-'):
        ended = subprocess.run(
            ["sh", "-c", f"exec '{sys.executable}' {line}"], cwd=tmp_path, capture_output=True, check=False
        )
        assert ended.returncode == 0, line
        assert b"Traceback" not in ended.stderr


def test_a_table_that_was_read_is_not_replaced(weightlab, tmp_path):
    table = tmp_path / "s.csv"
    table.write_text(SCORES, encoding="utf-8")
    answer = weightlab("win", "s.csv", "--output", "s.csv")
    assert answer.code == 2
    assert "is a file that is read" in answer.err
    assert table.read_text(encoding="utf-8") == SCORES


def test_a_claim_made_with_declarations_says_so_where_they_are_missing(weightlab, tmp_path):
    (tmp_path / "s.csv").write_text("model,sec\na,1\nb,2\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text("tolerance = { sec = 5 }\n", encoding="utf-8")
    assert weightlab("win", "s.csv", "-o", "proof.json").code == 0
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "s.csv").write_bytes((tmp_path / "s.csv").read_bytes())
    answer = weightlab("verify", "proof.json", "alone/s.csv")
    assert answer.code == 1
    assert "made with s.toml next to the table; pass such a file with --config" in answer.err
    assert weightlab("verify", "proof.json", "alone/s.csv", "--config", "s.toml").code == 0


@pytest.mark.parametrize("share", ["30", "1.5", "-0.1", "1e999"])
def test_shares_are_between_nothing_and_all(weightlab, tmp_path, share):
    (tmp_path / "s.csv").write_text(SCORES, encoding="utf-8")
    answer = weightlab("win", "s.csv", "--max", f"b={share}")
    assert answer.code == 2
    assert "lies between 0 and 1" in answer.err
