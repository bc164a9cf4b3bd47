"""Instances ranked task by task: large tables in seconds and gigabytes, small ones in milliseconds.

``python -m pytest -m benchmark -n 0 -s tests/benchmarks/test_instances.py`` prints the table.
"""

from __future__ import annotations

import json
import subprocess
import sys
from time import process_time
from timeit import repeat

import numpy as np
import pandas as pd
import pytest

import weightlab as wl

SECONDS, GIGABYTES = 60, 4
"""Allowed for 100 models x 10 tasks x 100,000 instances, reading the frames included."""

SMALL = 0.020
"""Seconds allowed for ten thousand scores of instances."""

SHAPES = [(10, 200, 5), (10, 5, 200), (200, 10, 5), (200, 5, 10), (5, 10, 200), (5, 200, 10)]
"""Models x tasks x instances: many small tables, a few larger ones, many models."""

LARGE = """
import json, resource, sys
from time import perf_counter, process_time
import weightlab as wl
from tests.benchmarks.test_instances import frames
digits = None if sys.argv[1] == "None" else int(sys.argv[1])
tables = frames(100, 10, 100_000, digits)
clock, start = perf_counter(), process_time()
instances = wl.Instances(tables)
read = process_time()
wl.rules.two_level(instances)
ranked, clock = process_time(), perf_counter() - clock
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
print(json.dumps({"read": read - start, "ranked": ranked - read, "clock": clock, "peak": peak}))
"""


def frames(models, tasks, instances, digits):
    """Return random scores, a frame a task; with few digits many tie."""
    rng = np.random.default_rng(0)
    names, columns = [f"m{place}" for place in range(models)], [f"i{place}" for place in range(instances)]
    found = {}
    for task in range(tasks):
        scores = rng.random((models, instances)) + np.linspace(0, 0.1, models)[:, None]
        found[f"t{task}"] = pd.DataFrame(scores if digits is None else scores.round(digits), names, columns)
    return found


def two_level_one_instance_at_a_time(tables):
    """Return who wins by two-level Borda as one would write it with pandas, points times two."""
    second = 0
    for table in tables.values():
        first = sum(len(table) - table[instance].rank(ascending=False) for instance in table.columns)
        second = second + len(table) - first.rank(ascending=False)
    return set(second.index[second == second.max()])


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_a_hundred_million_scores_are_ranked_within_a_minute_and_four_gigabytes(digits):
    """In a process of its own, whose peak of memory is that of this table (800 MB of it the frames themselves).

    Processor time, which depends less on who else is at work; nothing runs in parallel, so that an idle machine's clock
    shows the same.
    """
    run = [sys.executable, "-c", LARGE, str(digits)]
    found = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    print(
        f"\n100 models x 10 tasks x 100,000 instances, digits {digits}: read {found['read']:.1f} s, "
        f"two_level {found['ranked']:.1f} s (by the clock {found['clock']:.1f} s), peak {found['peak']:.2f} GiB"
    )
    assert found["read"] + found["ranked"] < SECONDS
    assert found["peak"] < GIGABYTES


@pytest.mark.parametrize("rule", ["borda", "dowdall", "mean"])
@pytest.mark.parametrize("shape", SHAPES)
def test_ten_thousand_scores_of_any_shape_take_milliseconds(shape, rule):
    """Processor time, which depends less on who else is at work."""
    instances = wl.Instances(frames(*shape, 1))
    taken = min(repeat(lambda: wl.rules.two_level(instances, rule), timer=process_time, number=1, repeat=20))
    models, tasks, each = shape
    print(f"\ntwo_level, {rule}, {models} models x {tasks} tasks x {each} instances: {1e3 * taken:.1f} ms")
    assert taken < SMALL


def test_instances_together_are_ranked_faster_than_one_by_one():
    """Processor time, which depends less on who else is at work."""
    tables = frames(100, 2, 2_000, 1)
    wl.rules.two_level(wl.Instances(frames(2, 2, 2, 1)))  # imports the rules
    start = process_time()
    winners = set(wl.rules.two_level(wl.Instances(tables)).winners)
    ours = process_time() - start
    start = process_time()
    assert two_level_one_instance_at_a_time(tables) == winners
    theirs = process_time() - start
    print(
        f"\n100 models x 2 tasks x 2,000 instances: {ours:.2f} s, with pandas one by one {theirs:.2f} s, "
        f"{theirs / ours:.0f} times"
    )
    assert theirs > 3 * ours
