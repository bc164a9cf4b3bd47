"""How long reading large tables takes, and how much memory, beside a plain reader."""

from __future__ import annotations

import csv
import subprocess
import sys
import time

import numpy as np
import pytest

MODELS, INSTANCES = 100, 10_000
VOTES = 1_000_000

READ = """
import resource, sys, time
import weightlab as wl
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
table = getattr(wl, sys.argv[1])(sys.argv[2])
print(time.process_time() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.fixture(scope="module")
def long_file(tmp_path_factory):
    """Write a million rows with two tasks: one right or wrong, one of seventeen digits."""
    path = tmp_path_factory.mktemp("reading") / "instances.csv"
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write("model,instance,right,loss\n")
        for model in range(MODELS):
            right, loss = rng.integers(0, 2, INSTANCES).tolist(), rng.random(INSTANCES).tolist()
            file.writelines(f"model {model},q{at},{right[at]},{loss[at]!r}\n" for at in range(INSTANCES))
    return path


@pytest.fixture(scope="module")
def wide_file(tmp_path_factory):
    """Write a leaderboard of 2,000 models and 1,000 tasks."""
    path = tmp_path_factory.mktemp("reading") / "board.csv"
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join(["model", *(f"t{task}" for task in range(1_000))]) + "\n")
        for model in range(2_000):
            file.write(",".join([f"m{model}", *map(repr, rng.random(1_000).round(7).tolist())]) + "\n")
    return path


@pytest.fixture(scope="module")
def votes_file(tmp_path_factory):
    """Write a million votes between 120 models as arenas publish them."""
    path = tmp_path_factory.mktemp("reading") / "votes.csv"
    rng = np.random.default_rng(0)
    first = rng.integers(0, 120, VOTES)
    second = (first + rng.integers(1, 120, VOTES)) % 120
    words = rng.choice(["model_a", "model_b", "tie", "tie (bothbad)"], VOTES).tolist()
    with path.open("w") as file:
        file.write("question_id,model_a,model_b,winner,judge,turn,language,tstamp\n")
        file.writelines(
            f"q{at},model {first[at]},model {second[at]},{words[at]},judge {at % 999},1,English,{1.6e9 + at:.4f}\n"
            for at in range(VOTES)
        )
    return path


def plain_seconds(path):
    """Return what Python's own reader takes for the fields and for turning each into a double where it can be."""
    start = time.process_time()
    with path.open(newline="") as file:
        for record in csv.reader(file):
            for field in record[2:]:
                try:
                    float(field)
                except ValueError:
                    continue
    return time.process_time() - start


@pytest.mark.parametrize(
    ("read", "fixture", "most"),
    [
        ("read_instances", "long_file", 12),
        ("read_leaderboard", "wide_file", 8),
        ("read_votes", "votes_file", 3),
    ],
)
def test_exact_reading_takes_a_few_plain_readings(request, read, fixture, most):
    path = request.getfixturevalue(fixture)
    plain = min(plain_seconds(path) for _ in range(2))
    command = [sys.executable, "-c", READ, read, str(path)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds, memory = map(float, ran)
    assert seconds < most * plain
    assert memory < 8 * path.stat().st_size
