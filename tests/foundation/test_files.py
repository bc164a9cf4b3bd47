"""Files are written whole or not at all, whatever stands in their place."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from weightlab._files import write_whole

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions, links and limits of POSIX")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_files_that_belong_together_are_all_written_or_none(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("old")

    def breaks_off():
        yield b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_whole((one, "new"), (other, breaks_off()))
    assert (one.read_text(), names(tmp_path)) == ("old", ["one"])
    write_whole((one, "né"), (other, [b"a", b"b"]))
    assert (one.read_bytes(), other.read_bytes(), names(tmp_path)) == ("né".encode(), b"ab", ["one", "other"])


@POSIX
def test_a_file_keeps_its_permissions_and_a_link_its_target(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("target")
    write_whole((link, "new"))
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write_whole((tmp_path / "fresh", "new"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh").stat().st_mode) == 0o640


@POSIX
def test_what_is_no_file_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole((pipe, "through"))
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    script = "from weightlab._files import write_whole; write_whole(('/dev/stdout', 'out'))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"out"


@pytest.mark.parametrize("named", ["folder", "absent/file", "x" * 300])
def test_errors_name_the_file_that_was_asked_for(tmp_path, named):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"(?i)directory|name too long") as refused:
        write_whole((tmp_path / named, "new"))
    assert refused.value.filename == str(tmp_path / named)
    assert names(tmp_path) == ["folder"]


# In one process, for the sake of time.
FILLS_THE_DISK = """
import contextlib, resource, sys
sys.dont_write_bytecode = True
from weightlab.cli import run
with contextlib.suppress(ImportError):
    import matplotlib.font_manager  # writes a list of fonts where there is none yet
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for line in sys.argv[1:]:
    print(run(line.split()))
"""
LINES = {
    "old.html": "report -o old.html",
    "cells.csv": "sweep --size 4 --count 2 -o cells.csv",
    "old.json": "rank -o old.json",
    "old.csv": "convert table.csv old.csv --force",
}


@POSIX
def test_an_old_file_outlives_a_full_disk(tmp_path):
    table = (
        "model,x\n"
        + "".join(f"m{row},{row}\n" for row in range(90))
        + "".join(f"n{row},{row}\n" for row in range(90))
        + "".join(f"o{row},{row}\n" for row in range(90))
    )
    kept = {**dict.fromkeys(LINES, "old"), "table.csv": table}
    for name, text in kept.items():
        (tmp_path / name).write_text(text)
    ended = subprocess.run(
        [sys.executable, "-c", FILLS_THE_DISK, *LINES.values()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line.replace("cannot be written: ", "") for line in ended.stderr.splitlines()]
    assert said == [f"weightlab: {name}: File too large" for name in LINES]
    assert ended.stdout.splitlines().count("2") == len(LINES)  # behind answers, which are shown first
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == kept
