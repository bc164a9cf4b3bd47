"""The list of slow tests names tests that are there, and leaves each module what it is checked by."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import COLLECTED, SLOW

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


def twins_of(tree):
    """Return by brute-force twin that a module imports: the tests that ask it, themselves or by what they name."""
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
    modules = {one.asname or one.name for more in imports for one in more.names if "brute_force" in one.name}
    alone = {one.asname or one.name for more in imports if "brute_force" in (more.module or "") for one in more.names}
    parts = {name: list(ast.walk(part)) for name, part in definitions(tree)}
    asked = {name: asked_in(nodes, modules, alone) for name, nodes in parts.items()}
    named = {name: {one.id if isinstance(one, ast.Name) else one.arg for one in nodes if isinstance(one, NAMED)}
             for name, nodes in parts.items()}  # fmt: skip
    for _ in parts:
        asked = {name: own.union(*(asked[one] for one in named[name] & asked.keys())) for name, own in asked.items()}
    tests = [name for name in asked if name.rpartition("::")[2].startswith("test")]
    twins = alone.union(*asked.values())
    return {twin: {name for name in tests if twin in asked[name]} for twin in twins}


NAMED = ast.Name | ast.arg
"""How a test names a function, a table of the module, or a fixture."""


def definitions(tree):
    """Yield what a module defines, methods by themselves."""
    for one in tree.body:
        if isinstance(one, ast.FunctionDef):
            yield one.name, one
        elif isinstance(one, ast.ClassDef):
            yield from ((f"{one.name}::{part.name}", part) for part in one.body if isinstance(part, ast.FunctionDef))
        elif isinstance(one, ast.Assign | ast.AnnAssign):
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                yield from ((part.id, one) for part in ast.walk(target) if isinstance(part, ast.Name))


def asked_in(nodes, modules, alone):
    """Return the twins that are named: by themselves, or as a part of their module."""
    own = {one.id for one in nodes if isinstance(one, ast.Name)} & alone
    return own | {
        f"{one.value.id}.{one.attr}"
        for one in nodes
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in modules
    }


def test_every_brute_force_twin_of_a_file_is_asked_in_the_quick_loop():
    seen = 0
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text, where = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
        for twin, tests in twins_of(ast.parse(text)).items() if "brute_force" in text else ():
            seen += 1
            assert {f"{where}::{test}" for test in tests} - SLOW, f"{where}: every test that asks {twin} is slow"
    assert seen > 150


def test_a_twin_that_only_slow_tests_ask_is_found_through_helpers_tables_and_fixtures():
    found = twins_of(
        ast.parse(
            "from tests.lp import brute_force as slow\nfrom tests.brute_force import sign, scores\n"
            "TABLE = {'a': slow.best}\ndef helper():\n    return TABLE\n@fixture\ndef given():\n    return sign\n"
            "def test_one(given):\n    helper()\nclass TestTwo:\n    def test_two(self):\n        slow.least()\n"
        )
    )
    assert found == {
        "slow.best": {"test_one"},
        "sign": {"test_one"},
        "slow.least": {"TestTwo::test_two"},
        "scores": set(),
    }


def test_at_most_three_tests_of_twenty_are_slow(request):
    files, slow, every = request.config.stash[COLLECTED]
    if files < len(list((ROOT / "tests").rglob("test_*.py"))):
        pytest.skip("only some of the tests are collected here")
    assert slow <= 0.15 * every, f"{slow} of {every} tests are slow"
