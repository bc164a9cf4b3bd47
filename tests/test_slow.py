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


def asking(tree):
    """Return the tests of a module that ask a brute-force twin, themselves or by what they call."""
    twins = {
        alias.asname or alias.name
        for one in ast.walk(tree)
        if isinstance(one, ast.ImportFrom) and "brute_force" in f"{one.module} {[alias.name for alias in one.names]}"
        for alias in one.names
    }
    used = {
        one.name: {part.id for part in ast.walk(one) if isinstance(part, ast.Name)}
        | {part.arg for part in ast.walk(one) if isinstance(part, ast.arg)}
        for one in tree.body
        if isinstance(one, ast.FunctionDef)
    }
    found = twins
    while more := {name for name, names in used.items() if names & found} - found:
        found = found | more
    return {name for name in found if name.startswith("test")} if twins else None


def test_a_file_that_asks_a_brute_force_twin_asks_one_in_the_quick_loop_too():
    seen = 0
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        tests, where = asking(ast.parse(file.read_text(encoding="utf-8"))), file.relative_to(ROOT).as_posix()
        if tests:
            seen += 1
            assert {f"{where}::{test}" for test in tests} - SLOW, f"{where}: every twin of it is slow"
    assert seen > 20
