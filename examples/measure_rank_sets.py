"""Measure how often joint rank sets hold: data sets at random, whose truth is known, under what the package computes.

Every model has a level, a gap above the one before, and every task adds noise of standard deviation 1 to each. Of each
cell (rule, models x tasks, gaps, noise) so many data sets are drawn, with the seeds 0, 1, 2, ..., and asked for the
joint intervals of all differences at 95%. A line has

- holds: the share of data sets in which all intervals hold the true difference together;
- any: the share in which any pair is separated (where all models are equal in truth: wrongly);
- separated: the share of pairs separated, step by step; beside it by Bonferroni's interval with Student's t (by
  majorities Clopper and Pearson's), and pointwise, each pair on its own at 95%, which holds jointly for few;
- width: the mean width of the intervals in those of Bonferroni;
- pointwise: the share of data sets in which all pointwise intervals hold together.

::

    python measure_rank_sets.py --output cells.csv               # some hours on one core
    python measure_rank_sets.py --output trial.csv --quick       # seconds: few small data sets

A cell that is in the file already is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, stdtrit
from scipy.stats import binomtest

from weightlab.studies.confidence.sign_tests import binomial_leads
from weightlab.studies.confidence.simultaneous import JointIntervals, Stratum, estimated, mean_intervals

Floats = NDArray[np.float64]
LEVEL = 0.95
SIZES = ((10, 27), (10, 100), (97, 14), (107, 27))
GAPS = ("0", "0.02", "0.1", "0.5", "one ahead")
NOISES = ("normal", "exponential")
RULES = ("mean", "borda", "majority")
FIELDS = ["rule", "models", "tasks", "gap", "noise", "sets", "holds", "any", "separated", "by_bonferroni",
          "by_pointwise", "width", "pointwise"]  # fmt: skip


def main() -> int:
    """Measure the cells that are missing from a file."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--output", type=Path, required=True)
    options.add_argument("--sets", type=int, default=2000, help="data sets a cell")
    options.add_argument("--draws", type=int, default=500, help="sign flips a data set")
    options.add_argument("--quick", action="store_true")
    given = options.parse_args()
    sets, sizes = (3, ((4, 10),)) if given.quick else (given.sets, SIZES)
    done = set()
    if given.output.exists():
        with given.output.open(newline="", encoding="utf-8") as file:
            done = {tuple(row[name] for name in FIELDS[:5]) for row in csv.DictReader(file)}
    with given.output.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if not done:
            writer.writeheader()
        for cell in cells(sizes):
            if tuple(map(str, cell)) not in done:
                # Flips take a second for a hundred models: fewer data sets, and the file says so.
                count = sets // 5 if cell[0] == "mean" and cell[1] > 50 else sets
                writer.writerow(measure(*cell, sets=count, draws=given.draws))
                file.flush()
    return 0


def cells(sizes: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, int, int, str, str]]:
    """Go through the cells, quick ones first."""
    for models, tasks in sizes:
        for rule in RULES:
            for noise in NOISES:
                for gap in GAPS:
                    yield rule, models, tasks, gap, noise


def measure(rule: str, models: int, tasks: int, gap: str, noise: str, *, sets: int, draws: int) -> dict[str, object]:
    """Return the line of one cell."""
    levels = np.zeros(models) if gap == "one ahead" else np.arange(models) * float(gap)
    if gap == "one ahead":
        levels[0] = 2.0
    true = truth(rule, levels, noise)
    found = np.array([one_set(rule, levels, true, tasks, noise, seed, draws) for seed in range(sets)])
    holds, any_apart, apart, plain, single, width, pointwise = found.mean(axis=0).tolist()
    numbers = (holds, any_apart, apart, plain, single, width, pointwise)
    named = (rule, models, tasks, gap, noise, sets, *(round(one, 4) for one in numbers))
    line: dict[str, object] = dict(zip(FIELDS, named, strict=True))
    low = binomtest(round(holds * sets), sets, LEVEL, alternative="less").pvalue
    high = binomtest(round(any_apart * sets), sets, 1 - LEVEL, alternative="greater").pvalue if gap == "0" else 1.0
    if min(low, high) < 0.001:
        print(f"fails: {line}", file=sys.stderr)
    return line


def truth(rule: str, levels: Floats, noise: str) -> Floats:
    """Return the true differences of all pairs: of means, of mean Borda points, or of shares of tasks led."""
    rows, columns = np.triu_indices(len(levels), 1)
    gaps = levels[:, None] - levels[None, :]
    if rule == "mean":
        return np.asarray(gaps[rows, columns])
    tail = 0.5 * np.exp(-np.abs(gaps))
    leads = ndtr(gaps / np.sqrt(2)) if noise == "normal" else np.where(gaps > 0, 1 - tail, tail)
    if rule == "majority":
        return np.asarray((2 * leads - 1)[rows, columns])
    points = leads.sum(axis=1)
    return np.asarray(points[rows] - points[columns])


def one_set(  # noqa: PLR0917 - a cell, a seed and how many draws
    rule: str, levels: Floats, true: Floats, tasks: int, noise: str, seed: int, draws: int
) -> tuple[float, ...]:
    """Return the numbers of one data set, in the order of a line."""
    rng = np.random.default_rng(seed)
    size = (tasks, len(levels))
    scores = levels + (rng.standard_normal(size) if noise == "normal" else rng.exponential(size=size))
    rows, columns = np.triu_indices(len(levels), 1)
    if rule == "majority":
        won = (scores[:, rows] > scores[:, columns]).sum(axis=0).astype(np.float64)
        found = binomial_leads(won, tasks - won, LEVEL)
        plain, single = (found.low, found.high), clopper_pearson(won, tasks - won)
    else:
        values = scores.argsort(axis=1).argsort(axis=1).astype(np.float64) if rule == "borda" else scores
        strata = [Stratum(values=values, weights=np.ones(tasks))]
        _, found = mean_intervals(strata, places=rule == "borda", level=LEVEL, repeats=draws, seed=seed)
        own = estimated(strata)
        plain, single = (
            (own.value - half * own.error, own.value + half * own.error)
            for half in (-stdtrit(tasks - 1, (1 - LEVEL) / 2 / count) for count in (len(rows), 1))
        )
    return (
        float(inside((found.low, found.high), true).all()),
        float(separated(found).any()),
        float(separated(found).mean()),
        float(apart(plain).mean()),
        float(apart(single).mean()),
        float((found.high - found.low).mean() / (plain[1] - plain[0]).mean()),
        float(inside(single, true).all()),
    )


def separated(found: JointIntervals) -> NDArray[np.bool_]:
    """Return which pairs are separated, as `RankSets` says it."""
    return (found.p <= 1 - LEVEL) | apart((found.low, found.high))


def apart(ends: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Return which intervals are without 0."""
    return (ends[0] > 0) | (ends[1] < 0)


def inside(ends: tuple[Floats, Floats], true: Floats) -> NDArray[np.bool_]:
    """Return which intervals hold the truth, but for rounding."""
    return (ends[0] <= true + 1e-9) & (true <= ends[1] + 1e-9)


def clopper_pearson(won: Floats, lost: Floats) -> tuple[Floats, Floats]:
    """Return pointwise intervals of a lead."""
    tail = (1 - LEVEL) / 2
    low = np.where(won > 0, betaincinv(np.maximum(won, 1), lost + 1, tail), 0.0)
    high = np.where(lost > 0, betaincinv(won + 1, np.maximum(lost, 1), 1 - tail), 1.0)
    return 2 * low - 1, 2 * high - 1


if __name__ == "__main__":
    sys.exit(main())
