"""How long reading large tables takes, and how much memory, beside a plain reader."""

from __future__ import annotations

import contextlib
import csv
import json
import shutil
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.io.evaluations.result_files import mteb_folder

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


RESULT_FILES = (674, 156)
"""Models and tasks of a folder as large as the public results of MTEB: some 105,000 files of 1.8 gigabytes."""
READ_RESULTS = """
import resource, sys, time, warnings
import weightlab as wl
warnings.simplefilter("ignore")
start = time.process_time()
board = wl.read_leaderboard(sys.argv[1], lower_is_better=[])
seconds = time.process_time() - start
scores = len(board.models) * len(board.tasks) - len(board.missing_cells)
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, scores)
"""


@pytest.fixture
def results_folder(tmp_path):
    """Write the folder; the files are removed afterwards."""
    rng = np.random.default_rng(0)
    beside = {f"precision_at_{at}": round(float(rng.random()), 6) for at in range(110)}
    folder = tmp_path / "results"
    models, tasks = RESULT_FILES
    yield (
        folder,
        len(
            mteb_folder(
                folder, lambda most: int(rng.integers(most)), models=models, tasks=tasks, subsets=9, beside=beside
            )
        ),
    )
    shutil.rmtree(folder)


def test_a_hundred_thousand_result_files_take_a_few_plain_readings(results_folder):
    folder, scores = results_folder
    start = time.process_time()
    for path in folder.rglob("*.json"):
        with path.open(encoding="utf-8") as file, contextlib.suppress(ValueError):
            json.load(file)
    plain = time.process_time() - start
    command = [sys.executable, "-c", READ_RESULTS, str(folder)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds, memory, read = map(float, ran)
    assert read == scores
    assert seconds < 4 * plain
    assert memory < 500e6


LONG = (100, 20, 500)
"""Datasets, metrics and models of a long table of a million rows."""


@pytest.fixture(scope="module")
def suite_file(tmp_path_factory):
    """Write a million scores of four digits, a row a score, with the directions of the metrics."""
    path = tmp_path_factory.mktemp("reading") / "suite.csv"
    datasets, metrics, _ = LONG
    scores = np.random.default_rng(0).random(LONG).round(4)
    with path.open("w") as file:
        file.write("dataset,metric,model,score,higher_is_better\n")
        for dataset in range(datasets):
            for metric in range(metrics):
                row = f"dataset {dataset},metric {metric},model %d,%r,{'true' if metric % 4 else 'false'}\n"
                file.writelines(row % pair for pair in enumerate(scores[dataset, metric].tolist()))
    return path


@pytest.fixture(scope="module")
def tall_file(tmp_path_factory):
    """Write a leaderboard of 5,000 models and 100 tasks, scores of four digits."""
    path = tmp_path_factory.mktemp("reading") / "tall.csv"
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join(["model", *(f"t{task}" for task in range(100))]) + "\n")
        for model in range(5_000):
            file.write(",".join([f"m{model}", *map(repr, rng.random(100).round(4).tolist())]) + "\n")
    return path


def floats_of_all_fields(path):
    with path.open(newline="") as file:
        records = csv.reader(file)
        next(records)
        return [list(map(float, record[1:])) for record in records]


def least_seconds(read, path):
    """Return the least processor time of five readings, and the last one's result."""
    best, found = np.inf, None
    for _ in range(5):
        start = time.process_time()
        found = read(path)
        best = min(best, time.process_time() - start)
    return best, found


def frame_of_doubles(path):
    """Read with pandas alone, as installed alone; PyArrow, where it is there, reads texts in half the time."""
    with pd.option_context("mode.string_storage", "python"):
        return pd.read_csv(path)


BESIDE = {
    "suite_file": (wl.read_suite, frame_of_doubles, 3),
    "tall_file": (wl.read_leaderboard, floats_of_all_fields, 2),
}
"""What reads each file exactly, what reads it into doubles, and how much longer the first may take."""


@pytest.mark.parametrize("fixture", BESIDE)
def test_plain_tables_take_a_few_readings_into_doubles(request, fixture, capsys):
    read, beside, most = BESIDE[fixture]
    path = request.getfixturevalue(fixture)
    doubles, _ = least_seconds(beside, path)
    exact, found = least_seconds(read, path)
    with capsys.disabled():
        print(f"\n{found}: {exact:.2f} s, into doubles {doubles:.2f} s, ratio {exact / doubles:.1f}")
    assert exact < most * doubles


@pytest.mark.benchmark
@pytest.mark.parametrize(("rows", "tasks"), [(1_000_000, 10), (1_000, 1_000)])
def test_a_proposal_takes_less_than_reading(tmp_path, rows, tasks):
    path = tmp_path / "board.csv"
    rng = np.random.default_rng(0)
    names = pd.Index([f"m{at}" for at in range(rows)], name="model")
    frame = pd.DataFrame(rng.random((rows, tasks)).round(4), index=names, columns=[f"t{at}" for at in range(tasks)])
    frame.to_csv(path)
    with_proposal, proposal = [], []
    for _ in range(3):
        start = time.process_time()
        wl.read_leaderboard(path)
        with_proposal.append(time.process_time() - start)
        start = time.process_time()
        assert len(wl.propose_reading(path).tasks) == tasks
        proposal.append(time.process_time() - start)
    print(f"{rows:,} x {tasks}: read {min(with_proposal):.2f} s, proposed alone {min(proposal):.2f} s")
