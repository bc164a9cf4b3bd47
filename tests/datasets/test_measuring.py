"""The script that measured the classifiers still runs, and what it writes is what weightlab reads."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import weightlab as wl

SCRIPT = Path(__file__).parents[2] / "examples" / "measure_classifiers.py"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    pytest.importorskip("sklearn", reason="scikit-learn is absent: it is needed only to measure the classifiers anew")
    if not SCRIPT.exists():
        pytest.skip("the examples are not beside these tests")
    folder = tmp_path_factory.mktemp("measured")
    command = [sys.executable, str(SCRIPT), "--quick", "--output", str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return folder


def test_the_quick_run_writes_a_whole_suite(measured):
    suite = wl.read_suite(measured / "suite.csv")
    assert len(suite.models) == len(wl.datasets.load("classifiers").models)
    assert suite.metrics == wl.datasets.load("classifiers").metrics
    assert suite.complete().models == suite.models


def test_the_quick_run_writes_its_instances(measured):
    instances = wl.read_instances(measured / "instances.csv", model="model", instance="instance")
    assert len(instances.leaderboard("iris").tasks) == 150


def test_the_quick_run_says_that_it_was_quick(measured):
    about = tomllib.loads((measured / "about.toml").read_text(encoding="utf-8"))
    assert "--quick" in about["command"]
    assert about["protocol"]["repeats"] == 1
    assert "scikit-learn" in about["versions"]
