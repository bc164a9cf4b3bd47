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
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "weightlab"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark all of tests/benchmarks, so that it runs only when asked for; refuse names that differ between runs."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: the name holds a memory address; give the cases ids")
        if BENCHMARKS in item.path.parents:
            item.add_marker(pytest.mark.benchmark)


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
