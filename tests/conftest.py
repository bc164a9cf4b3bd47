"""Fixtures and settings that all tests share."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.skipping import in_one_line

BENCHMARKS = Path(__file__).parent / "benchmarks"

# A shared or busy machine makes single examples slow now and then: how long one takes is no property under test.
settings.register_profile("weightlab", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# The same examples at every run, so that a change is blamed only for what it did, and half as many; random search, with
# all of them, happens at desks.
settings.register_profile(
    "ci", parent=settings.get_profile("weightlab"), derandomize=True, database=None, max_examples=50
)
# A long search: HYPOTHESIS_PROFILE=thorough python -m pytest
settings.register_profile("thorough", parent=settings.get_profile("weightlab"), max_examples=2_000)
# A short one, for the loop of `pytest -m "not slow"`.
settings.register_profile("quick", parent=settings.get_profile("weightlab"), max_examples=10)

SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").split())
"""Tests over half a second and tests that start processes; tests/test_slow.py keeps the list true."""
COLLECTED = pytest.StashKey[tuple[int, int, int]]()
"""How many files of tests were collected, how many of their tests but benchmarks are slow, and how many there are."""
CHROMIUM = "tests.report.chromium"
"""Whose users test pages in a browser."""


def pytest_configure(config):
    """Choose how many examples hypothesis tries, before the tests are read, which go by it."""
    usual = "quick" if "not slow" in config.option.markexpr else "ci" if os.environ.get("CI") else "weightlab"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or usual)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark benchmarks, which run only when asked for, and slow tests; refuse names that differ between runs."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: the name holds a memory address; give the cases ids")
        if BENCHMARKS in item.path.parents:
            item.add_marker(pytest.mark.benchmark)
            item.add_marker(pytest.mark.slow)
        if item.nodeid.partition("[")[0] in SLOW or is_in_a_browser(item) or asks_cbc(item):
            item.add_marker(pytest.mark.slow)
        cap_examples(item)
    usual = [item for item in items if item.get_closest_marker("benchmark") is None]
    slow = sum(item.get_closest_marker("slow") is not None for item in usual)
    config.stash[COLLECTED] = (len({item.path for item in items}), slow, len(usual))


def is_in_a_browser(item):
    """Tell whether a test's module takes anything from the one that opens browsers."""
    named = vars(getattr(item, "module", None) or object).values()
    return any(getattr(one, "__module__", getattr(one, "__name__", "")) == CHROMIUM for one in named)


def asks_cbc(item):
    """Tell whether a test's solver is the one that runs as a process."""
    return hasattr(item, "callspec") and item.callspec.params.get("solver") == "cbc"


def cap_examples(item):
    """Let a property that names its own number of examples try no more than the quick profile does, where that runs."""
    test, most = getattr(item, "function", None), settings.default.max_examples
    own = getattr(test, "_hypothesis_internal_use_settings", None)
    if settings.get_current_profile_name() == "quick" and own is not None and own.max_examples > most:
        test._hypothesis_internal_use_settings = settings(own, max_examples=most)


def pytest_collection_finish():
    """Leave all that was imported and collected out of every later search for garbage, and search less often.

    Exact arithmetic makes many small objects and hardly a circle of them, and hypothesis is told of every search.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


_skipped: set[str] = set()


def pytest_runtest_logreport(report):
    """Note a test that is skipped."""
    if report.skipped:
        _skipped.add(report.nodeid)


def pytest_collectreport(report):
    """Note a file that is skipped as a whole."""
    if report.skipped:
        _skipped.add(report.nodeid)


def pytest_sessionfinish(session):
    """List what was skipped in the file that WEIGHTLAB_LIST_SKIPPED names, so that it can run with more installed."""
    named = os.environ.get("WEIGHTLAB_LIST_SKIPPED")
    if named and not hasattr(session.config, "workerinput"):
        Path(named).write_text("".join(f"{one}\n" for one in sorted(_skipped)), encoding="utf-8")


def pytest_terminal_summary(terminalreporter):
    """Say in one line how many tests were skipped and why; ``-rs`` lists them all."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.write_line(in_one_line(report.longrepr[2].removeprefix("Skipped: ") for report in skipped))


@pytest.fixture(scope="session")
def shared_data():
    """Return the folder of public score tables that WEIGHTLAB_DATA names; they do not ship with weightlab."""
    named = os.environ.get("WEIGHTLAB_DATA")
    if not named:
        pytest.skip("WEIGHTLAB_DATA is not set: it names the folder of public score tables (see CONTRIBUTING.md)")
    folder = Path(named).resolve()
    if not folder.is_dir():
        pytest.fail(f"WEIGHTLAB_DATA names {named!r}, which is not a folder")
    return folder
