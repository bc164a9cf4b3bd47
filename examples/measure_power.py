"""Measure what effect sizes claim: intervals that hold, differences that are shown, equivalence that is rarely wrong.

Data sets whose truth is known are drawn with the seeds 0, 1, 2, ... and asked. A line has what is claimed, the size of
the tables, the noise of a task, of how many data sets the share is, the share, what it should be, and its standard
error.

- ``interval of d``, ``interval of gamma``, ``share won``: how often an interval at 95% holds the truth of one pair.
- ``power, ...``: the first model is as far ahead of the others as ``detectable`` says (the median of the pairs, the
  mean over as many data sets of equal models): which share of its pairs is separated; about 0.8.
- ``equivalent at the margin``: one pair differs by just the margin; how often it is called equivalent. At most 0.05.
- ``equivalent, equal models``: how often equal models are called so, with margins of one and two standard deviations
  of a score.

::

    python measure_power.py --output power.csv --table power.md --sets 300   # five minutes
    python measure_power.py --output trial.csv --sets 3                      # seconds
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import weightlab as wl

Floats = NDArray[np.float64]
Line: TypeAlias = tuple[str, int, int, str, float | str]
"""What is claimed, models, tasks, noise and what the share should be."""
FIELDS = ["claim", "models", "tasks", "noise", "sets", "share", "should be", "standard error"]
AHEAD = np.array([0.6, 0.0])
"""How far the first of two models is ahead, in standard deviations of a score."""
MAD = 1.4826
NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "t5": lambda rng, size: rng.standard_t(5, size),
    "exponential": lambda rng, size: rng.exponential(size=size),
}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "joint, mean": ("mean", {"repeats": 500}),
    "joint, borda": ("borda", {}),
    "nemenyi": ("borda", {"method": "nemenyi"}),
    "sign tests": ("copeland", {}),
}


def main() -> int:
    """Write the lines."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--output", type=Path, required=True)
    options.add_argument("--sets", type=int, default=300, help="data sets a line")
    options.add_argument("--table", type=Path, help="write the lines as a table in Markdown, too")
    given = options.parse_args()
    rows = []
    with given.output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        for (claim, models, tasks, noise, should), held in lines(given.sets):
            share = float(np.mean(held))
            error = max(float(np.std(held)), 1 / len(held)) / len(held) ** 0.5
            rows.append([claim, models, tasks, noise, len(held), f"{share:.3f}", should, f"{error:.3f}"])
            writer.writerow(rows[-1])
            file.flush()
    if given.table:
        heads = ["claim", "models x tasks", "noise", "data sets", "share", "should be", "standard error"]
        cells = [[row[0], f"{row[1]} x {row[2]}", row[3], f"{row[4]:,}", *row[5:]] for row in rows]
        shown = [f"| {' | '.join(map(str, one))} |" for one in [heads, ["---"] * len(heads), *cells]]
        given.table.write_text("\n".join(shown) + "\n", encoding="utf-8")
    return 0


def lines(sets: int) -> Iterator[tuple[Line, Sequence[float]]]:
    """Yield each line with what held in each data set."""
    for tasks in (15, 40):
        for noise in ("normal", "exponential"):
            yield from intervals(tasks, noise, sets)
    for name in METHODS:
        for tasks in (20, 60):
            yield (f"power, {name}", 5, tasks, "normal", 0.8), power(name, 5, tasks, "normal", sets)
    for tasks in (20, 57):
        for noise in ("normal", "t5"):
            yield ("power, joint, mean", 10, tasks, noise, 0.8), power("joint, mean", 10, tasks, noise, sets)
    for tasks in (20, 60):
        yield from equivalence(tasks, sets)


def intervals(tasks: int, noise: str, sets: int) -> Iterator[tuple[Line, list[bool]]]:
    """Yield how often the intervals of effect sizes and of shares won hold."""
    rng = np.random.default_rng(0)
    large = NOISES[noise](rng, (200_000, 2)) + AHEAD
    gap, median = large[:, 0] - large[:, 1], np.median(large, axis=0)
    pooled = MAD * np.sqrt((np.median(np.abs(large - median), axis=0) ** 2).mean())
    truth = {"d": float(AHEAD[0] / gap.std()), "gamma": float(AHEAD[0] / pooled), "won": float((gap > 0).mean())}
    held: dict[str, list[bool]] = {name: [] for name in truth}
    for seed in range(sets):
        scores = NOISES[noise](np.random.default_rng(seed), (tasks, 2)) + AHEAD
        for measure, names in {"cohen_d": ("d", "won"), "akinshin_gamma": ("gamma",)}.items():
            found = wl.studies.effects(board(scores), "borda", effect_size=measure, repeats=500, rng=seed).pairs.iloc[0]
            for name in names:
                held[name].append(bool(found[f"{name}_low"] <= truth[name] <= found[f"{name}_high"]))
    for name, told in {"d": "interval of d", "gamma": "interval of gamma", "won": "interval of the share won"}.items():
        yield (told, 2, tasks, noise, 0.95), held[name]


def power(name: str, models: int, tasks: int, noise: str, sets: int) -> list[float]:
    """Return the share of rivals from which a model is separated if its lead is the smallest detectable one."""
    rule, given = METHODS[name]
    equal = [NOISES[noise](np.random.default_rng(10**6 + seed), (tasks, models)) for seed in range(sets)]
    told = [np.nanmedian(wl.studies.effects(board(scores), rule, **given).detectable) for scores in equal]
    size = float(np.mean(told))
    if rule == "borda":  # a model ahead of four equal ones by this many ranks leads each with this chance
        size = float(2**0.5 * ndtri(0.5 + size / models))
    elif rule == "copeland":
        size = float(2**0.5 * ndtri((1 + size) / 2))
    shown = []
    for seed in range(sets):
        scores = NOISES[noise](np.random.default_rng(seed), (tasks, models)) + size * np.eye(models)[0]
        found = wl.studies.rank_sets(board(scores), rule, **given)
        shown.append(float((found.low[: models - 1] > 0).mean()))
    return shown


def equivalence(tasks: int, sets: int) -> Iterator[tuple[Line, list[bool]]]:
    """Yield how often a pair that differs by just the margin is called equivalent, and how often equal models are."""
    wrong: list[bool] = []
    right: dict[float, list[bool]] = {1.0: [], 2.0: []}
    for seed in range(sets):
        noise = NOISES["normal"](np.random.default_rng(seed), (tasks, 4))
        wrong.append(("m0", "m1") in equivalent(noise + np.eye(4)[0], 1.0))
        for margin, found in right.items():
            found.append(("m0", "m1") in equivalent(noise, margin))
    yield ("equivalent at the margin", 4, tasks, "normal", "at most 0.05"), wrong
    for margin, found in right.items():
        yield (f"equivalent, equal models, margin {margin:g}", 4, tasks, "normal", "often"), found


def equivalent(scores: Floats, margin: float) -> set[tuple[str, ...]]:
    """Return the pairs that are called equivalent by the mean."""
    found = wl.studies.effects(board(scores), "mean", margin=margin, repeats=300).equivalent
    return {tuple(pair) for pair in found[["model", "rival"]].to_numpy().tolist()}


def board(scores: Floats) -> wl.Leaderboard:
    """Return the table of scores, tasks x models."""
    tasks, models = scores.shape
    names = [f"m{place}" for place in range(models)], [f"t{place}" for place in range(tasks)]
    return wl.Leaderboard(scores.T, models=names[0], tasks=names[1])


if __name__ == "__main__":
    sys.exit(main())
