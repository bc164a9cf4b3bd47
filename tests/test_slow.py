"""The list of slow tests names tests that are there, and leaves each module what it is checked by."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.conftest import SLOW

ROOT = Path(__file__).parent.parent


@cache
def names_of(file):
    """Return the names of the tests in a file."""
    found = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {one.name for one in found if isinstance(one, ast.FunctionDef) and one.name.startswith("test")}


def test_every_test_of_the_list_is_there():
    listed = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").split()
    assert listed == sorted(SLOW)
    for name in listed:
        file, _, test = name.partition("::")
        assert (ROOT / file).is_file(), f"tests/slow.txt: {name}"
        assert test in names_of(ROOT / file), f"tests/slow.txt: {name}"


def test_a_file_that_asks_a_slow_twin_asks_one_in_the_quick_loop_too():
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        where = file.relative_to(ROOT).as_posix()
        if "brute_force import" in file.read_text(encoding="utf-8"):
            assert {f"{where}::{test}" for test in names_of(file)} - SLOW, f"{where}: all of it is slow"
