"""Measure how often joint rank sets hold: data sets at random, whose truth is known, under what the package computes.

Every model has a level, a gap above the one before, and every task adds noise of standard deviation 1 to each. Of each
cell (rule, models x tasks, gaps, noise) so many data sets are drawn, with the seeds 0, 1, 2, ..., and asked for the
joint intervals of all differences at 95%. A line has

- holds: the share of data sets in which all intervals hold the true difference together;
- any: the share in which any pair is separated (where all models are equal in truth: wrongly);
- separated: the share of pairs separated, step by step; beside it by Bonferroni's interval with Student's t (by
  majorities Clopper and Pearson's), and pointwise, each pair on its own at 95%, which holds jointly for few;
- width: the mean width of the intervals in those of Bonferroni, of pairs that have one;
- pointwise: the share of data sets in which all pointwise intervals hold;
- undecided: the share of pairs that have no interval: what cannot be told does not count as held;
- error: the Monte-Carlo standard error of *holds*.

Of ten equal models there are harder noises, by the mean: heavy tails, scores of ten questions, families of models, one
task with a hundred times the variance, lognormal noise whose spread differs by model, models that fail on one task in
twenty, every task twice, clusters of tasks. With them come tables whose way of being asked is their own: bounded
scores, one new task (its ranks are to lie in their sets, and
*separated* is what part of all ranks they leave out), ten groups drawn, plurality with ties, a shipped table as the
population of tasks (ten of its models), and how often tasks are told to move together ("told": then *any* is that
share, and *separated* the tasks they are worth).

With ``--population FILE`` (repeatable) a score table is the population: its tasks are drawn with replacement, 10, 20
and as many as it has, of all its models and of ten drawn ones, by the mean and by Borda; *any* is then how often a pair
is separated the wrong way round.

With ``--gaps`` scores are missing, by Borda with ``missing="skip"`` and the mean: at random, on some tasks or of some
models more often than of others, or (where pairs may mislead) where they are low. The sizes, shares and noises are none
of those on which `pairwise_values` was corrected for few tasks in common. Data sets with a pair of fewer than five
tasks in common are refused; ``sets`` counts the others.

Further cases (groups, weights, plurality, instances, standard errors, votes) are asked of ``rank_sets`` itself, without
the columns that compare.

::

    python measure_rank_sets.py --output cells.csv --table table.md    # two hours on one core
    python measure_rank_sets.py --output hard.csv --hard --sets 1000   # the harder noises alone: three minutes
    python measure_rank_sets.py --output gaps.csv --gaps --sets 1000 --table gaps.md    # missing scores: ten minutes
    python measure_rank_sets.py --output trial.csv --quick             # seconds: few small data sets

A cell that is in the file already is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, stdtrit
from scipy.stats import binomtest, rankdata

import weightlab as wl
from weightlab.rules import rule as registered
from weightlab.studies.confidence.contributions import task_values
from weightlab.studies.confidence.sign_tests import binomial_leads
from weightlab.studies.confidence.simultaneous import (
    JointIntervals,
    Stratum,
    estimated,
    joint_intervals,
    mean_intervals,
    reach_of,
)

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
LEVEL = 0.95
SIZES = ((10, 10), (10, 27), (10, 100), (97, 14), (107, 27))
QUICK = ((4, 10),)
GAPS = ("0", "0.02", "0.1", "0.5", "one ahead")
NOISES = ("normal", "exponential")
ALONE = "borda, Bonferroni alone"
"""The same with Student's t as it is: what the package does not do."""
RULES = ("mean", "borda", "majority", ALONE)
HEADS = ("rule | models x tasks | noise | gap | sets | holds | any | separated | undecided | error | Bonferroni | "
         "pointwise | width | pointwise holds")  # fmt: skip
FIELDS = ["rule", "models", "tasks", "gap", "noise", "sets", "holds", "any", "separated", "undecided", "error",
          "by_bonferroni", "by_pointwise", "width", "pointwise"]  # fmt: skip


def main() -> int:
    """Measure the cells that are missing from a file."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--output", type=Path, required=True)
    options.add_argument("--sets", type=int, default=2000, help="data sets a cell")
    options.add_argument("--draws", type=int, default=500, help="sign flips a data set")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--hard", action="store_true", help="the harder noises alone")
    options.add_argument("--gaps", action="store_true", help="tables with missing scores alone")
    options.add_argument("--population", type=Path, action="append", default=[], help="a score table, alone")
    options.add_argument("--table", type=Path, help="write all cells of the file as a table in Markdown, too")
    given = options.parse_args()
    sets, sizes = (3, QUICK) if given.quick else (given.sets, SIZES)
    done = set()
    if given.output.exists():
        with given.output.open(newline="", encoding="utf-8") as file:
            done = {tuple(row[name] for name in FIELDS[:5]) for row in csv.DictReader(file)}
    with given.output.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if not done:
            writer.writeheader()
        alone = given.hard or given.gaps or given.population
        chosen = chain(
            population_cells(given.population),
            () if alone else cells(sizes),
            () if given.gaps or given.population else hard_cells(quick=given.quick),
            () if given.hard or given.population else gap_cells(quick=given.quick),
        )
        for cell in chosen:
            if tuple(map(str, cell)) not in done:
                writer.writerow(measure(*cell, sets=sets_of(cell[0], cell[1], cell[3], sets), draws=given.draws))
                file.flush()
    if given.table:
        with given.output.open(newline="", encoding="utf-8") as file:
            given.table.write_text("\n".join(table(list(csv.DictReader(file)))) + "\n", encoding="utf-8")
    return 0


def cells(sizes: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, int, int, str, str]]:
    """Go through the cells, those of few models first."""
    for models, tasks in sizes:
        every = (models, tasks) in {(10, 27), *QUICK}
        for rule in RULES if every else RULES[:3]:
            for noise in NOISES:
                for gap in GAPS:
                    yield rule, models, tasks, gap, noise
        for case in FURTHER if every else ():
            for noise in ("own",) if case.endswith(OF_ONE_NOISE) else NOISES:
                for gap in ("0", "0.5"):
                    yield case, models, tasks, gap, noise


def hard_cells(*, quick: bool) -> Iterator[tuple[str, int, int, str, str]]:
    """Go through the cells of ten equal models under harder noises, by the mean."""
    for noise, sizes in HARD.items():
        for tasks in sizes[:1] if quick else sizes:
            yield "mean", 10, tasks, "0", noise
    for case, (_, sizes) in OWN.items():
        for tasks in sizes[:1] if quick else sizes:
            yield case, 10, tasks, "0", "own"
    for case in OF_GROUPS:
        for noise in ("normal", "lognormal", "rare failures"):
            for groups in (6,) if quick else (6, 8, 12, 20):
                yield case, 10, groups, "0", noise


def gap_cells(*, quick: bool) -> Iterator[tuple[str, int, int, str, str]]:
    """Go through the cells of tables with missing scores."""
    for case, sizes in GAPPED.items():
        for models, tasks in QUICK if quick else sizes:
            for noise in NOISES[:1] if quick else NOISES:
                for gap in ("0", "0.3"):
                    yield case, models, tasks, gap, noise


def population_cells(paths: list[Path]) -> Iterator[tuple[str, int, int, str, str]]:
    """Go through the cells of tables whose tasks are the population, by models without missing scores."""
    for path in paths:
        whole = wl.read_leaderboard(path).complete()
        scores = np.where([task in whole.lower_is_better for task in whole.tasks], -1, 1) * whole.scores.to_numpy()
        for rule in ("mean", "borda"):
            POPULATIONS[f"{rule}, {path.stem}"] = task_values(board(scores), registered(rule))
            for models in sorted({min(10, len(scores)), len(scores)}):
                for tasks in (10, 20, len(whole.tasks)):
                    yield f"{rule}, {path.stem}", models, tasks, "0", "own"


def sets_of(rule: str, models: int, gap: str, sets: int) -> int:
    """Return of how many data sets a cell is made, fewer where each takes long."""
    if rule in POPULATIONS:
        return -(-sets // 5) if models > 50 else sets
    if rule in FURTHER:
        return -(-sets // 2)
    # By the mean coverage is the same at every gap: the residuals are.
    slow = models > 100 or (rule == "mean" and models > 50)
    return -(-sets // 5) if slow and gap != "0" else sets


def table(rows: list[dict[str, str]]) -> Iterator[str]:
    """Yield the lines of the table of a guide, of a second one of further cases, and of one of missing scores."""
    kinds = [(2 * (row["rule"] in GAPPED) or row["rule"] in CASES, row) for row in rows]
    for kind in sorted({one for one, _ in kinds}):
        heads = HEADS.split(" | ")[: 10 if kind else None]
        yield from (f"| {' | '.join(heads)} |", "|---" * len(heads) + "|")
        for one, row in kinds:
            if one == kind:
                size, sets = f"{row['models']} x {row['tasks']}", f"{int(row['sets']):,}"
                numbers = [f"{float(row[name]):.{2 if name in ('width', 'pointwise') else 3}f}" for name in FIELDS[6:]
                           if row[name]]  # fmt: skip
                yield f"| {' | '.join([row['rule'], size, row['noise'], row['gap'], sets, *numbers])} |"
        yield ""


def measure(rule: str, models: int, tasks: int, gap: str, noise: str, *, sets: int, draws: int) -> dict[str, object]:
    """Return the line of one cell."""
    levels = np.zeros(models) if gap == "one ahead" else np.arange(models) * float(gap)
    if gap == "one ahead":
        levels[0] = 2.0
    if rule in OF_GROUPS:
        found = np.array([of_groups(rule, models, tasks, noise, seed, draws) for seed in range(sets)])
    elif rule in POPULATIONS:
        found = np.array([of_population(rule, models, tasks, seed, draws) for seed in range(sets)])
    elif rule in CASES:
        found = np.array([further(rule, levels, tasks, noise, seed) for seed in range(sets)])
    elif rule in GAPPED:
        answers = (with_gaps(rule, levels, tasks, noise, seed) for seed in range(sets))
        found = np.array([one for one in answers if one is not None])
        sets = len(found)
    else:
        true = truth(rule, levels, noise)
        found = np.array([one_set(rule, levels, true, tasks, noise, seed, draws) for seed in range(sets)])
    told, numbers = int((~np.isnan(found[:, 0])).sum()), np.nanmean(found, axis=0).tolist()
    holds, any_apart = numbers[:2]
    numbers.insert(4, np.sqrt(holds * (1 - holds) / told))
    named = (rule, models, tasks, gap, noise, sets, *(round(one, 4) for one in numbers))
    line: dict[str, object] = dict(zip(FIELDS, named, strict=False))
    equal = gap == "0" and not rule.endswith("shipped tasks") and not rule.startswith("one new")
    equal = equal and rule not in POPULATIONS
    low = binomtest(round(holds * told), told, LEVEL, alternative="less").pvalue
    high = binomtest(round(any_apart * sets), sets, 1 - LEVEL, alternative="greater").pvalue if equal else 1.0
    if min(low, high) < 0.001 and not rule.startswith("told"):
        print(f"fails: {line}", file=sys.stderr)
    return line


def truth(rule: str, levels: Floats, noise: str) -> Floats:
    """Return the true differences of all pairs: of means, of mean Borda points, or of shares of tasks led."""
    rows, columns = np.triu_indices(len(levels), 1)
    gaps = levels[:, None] - levels[None, :]
    if rule == "mean":
        return np.asarray(gaps[rows, columns])
    leads = leads_of(levels, noise)
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
    scores = levels + DRAWN[noise](rng, size)
    rows, columns = np.triu_indices(len(levels), 1)
    if rule == "majority":
        won = (scores[:, rows] > scores[:, columns]).sum(axis=0).astype(np.float64)
        found = binomial_leads(won, tasks - won, LEVEL)
        plain, single = (found.low, found.high), clopper_pearson(won, tasks - won)
    else:
        values = scores if rule == "mean" else scores.argsort(axis=1).argsort(axis=1).astype(np.float64)
        strata = [Stratum(values=values, weights=np.ones(tasks))]
        own = estimated(strata)
        if rule == ALONE:
            found = joint_intervals(own, level=LEVEL, reach=reach_of(strata))
        else:
            _, found = mean_intervals(strata, places=rule == "borda", level=LEVEL, repeats=draws, seed=seed)
        plain, single = (
            (own.value - half * own.error, own.value + half * own.error)
            for half in (-stdtrit(tasks - 1, (1 - LEVEL) / 2 / count) for count in (len(rows), 1))
        )
    return (
        *outcome(found, true),
        float(apart(plain).mean()),
        float(apart(single).mean()),
        float(np.nanmean((found.high - found.low) / (plain[1] - plain[0]))) if (~np.isnan(found.low)).any() else np.nan,
        float(inside(single, true).all()),
    )


def outcome(found: JointIntervals, true: Floats) -> tuple[float, float, float, float]:
    """Return whether all intervals hold (NaN where there is none), any pair is separated, how many, and how many open.

    Of tests without intervals, those of p-values alone, nothing is open.
    """
    none = np.isnan(found.low)
    holds = np.nan if none.all() else float(inside((found.low, found.high), true).all())
    return holds, float(separated(found).any()), float(separated(found).mean()), float(none.mean())


def of_population(case: str, models: int, tasks: int, seed: int, draws: int) -> tuple[float, ...]:
    """Return the outcome of some models of a population on tasks drawn from it with replacement."""
    rng, values = np.random.default_rng(seed), POPULATIONS[case]
    values = values[:, np.sort(rng.choice(values.shape[1], models, replace=False))]
    rule = case.split(", ", maxsplit=1)[0]
    if rule == "borda":
        # Points among the models drawn alone.
        values = np.stack([np.sign(values[:, [one]] - values).sum(axis=1) / 2 for one in range(models)], axis=1)
    drawn, (rows, columns) = values[rng.integers(0, len(values), tasks)], np.triu_indices(models, 1)
    strata = [Stratum(values=drawn, weights=np.ones(tasks))]
    _, found = mean_intervals(strata, places=rule == "borda", level=LEVEL, repeats=draws, seed=seed)
    means = values.mean(axis=0)
    true = means[rows] - means[columns]
    wrong = separated(found) & (found.difference * true <= 0)
    holds, _, apart_in_all, open_in_all = outcome(found, true)
    return holds, float(wrong.any()), apart_in_all, open_in_all


def further(case: str, levels: Floats, tasks: int, noise: str, seed: int) -> tuple[float, ...]:
    """Return whether all intervals of `rank_sets` hold, whether any pair is separated, and the share of those."""
    source, rule, over, true = CASES[case](np.random.default_rng(seed), levels, tasks, noise)
    asked: dict[str, Any] = {"method": over} if over == "bounded" else {"over": over}
    found = wl.studies.rank_sets(source, rule, repeats=500, rng=seed, **asked)
    if case.startswith("told"):
        p, worth = found.together or 0.0, found.worth or 0.0
        return float(p > 0.05), float(p <= 0.05), worth / tasks, 0.0
    if over == "new_tasks":
        ranks, sets = rankdata(-true), found.ranks.loc[list(source.models)].to_numpy()
        low, high = sets.T
        wide = (high - low).mean() / (len(ranks) - 1)
        return float(((low <= ranks) & (ranks <= high)).all()), float(found.separated > 0), 1 - wide, 0.0
    rows, columns = np.triu_indices(len(levels), 1)
    joint = JointIntervals(difference=found.difference, low=found.low, high=found.high, p=found.p)
    gaps = np.subtract.outer(true, true) if true.ndim == 1 else true
    if rule == "plurality" and found.method == "sign_tests":
        gaps = gaps / np.add.outer(true, true)
    return outcome(joint, gaps[rows, columns])


def of_groups(  # noqa: PLR0917 - a cell, a seed and how many draws
    case: str, models: int, groups: int, noise: str, seed: int, draws: int
) -> tuple[float, ...]:
    """Return the outcome of equal models on groups of five tasks, alike within, by whole groups or signs of these."""
    rng, shape = np.random.default_rng(seed), (groups, models)
    own = np.mean([DRAWN[noise](rng, shape) for _ in range(5)], axis=0)
    strata = [Stratum(values=np.sqrt(0.3) * DRAWN[noise](rng, shape) + np.sqrt(0.7) * own, weights=np.ones(groups))]
    if case != WILD:
        _, found = mean_intervals(strata, places=False, level=LEVEL, repeats=draws, seed=seed)
        return outcome(found, np.zeros(len(found.p)))
    plain, (rows, columns) = estimated(strata), np.triu_indices(models, 1)
    rest = strata[0].values[:, rows] - strata[0].values[:, columns] - plain.value
    moved = rng.choice([-1.0, 1.0], (draws, groups)) @ rest / groups
    largest = np.max(np.abs(moved) / np.sqrt(((rest**2).mean(axis=0) - moved**2) / (groups - 1)), axis=1)
    half = np.quantile(largest, LEVEL, method="higher") * plain.error
    found = JointIntervals(
        difference=plain.value, low=plain.value - half, high=plain.value + half, p=np.ones(len(half))
    )
    return outcome(found, np.zeros(len(half)))


def with_gaps(case: str, levels: Floats, tasks: int, noise: str, seed: int) -> tuple[float, ...] | None:
    """Return what `further` does of a table with missing scores; None where a pair has too few tasks in common."""
    rng, (name, hidden) = np.random.default_rng(seed), case.split(", ")
    noises = DRAWN[noise](rng, (tasks, len(levels)))
    scores = np.where(HIDDEN[hidden](rng, noises), np.nan, levels + noises)
    scores = scores[~np.isnan(scores).all(axis=1)]
    table = board(scores.T)
    asked = registered(name, missing="skip") if name == "borda" else registered(name)
    try:
        strata = [Stratum(values=task_values(table, asked), weights=np.ones(len(scores)))]
    except wl.InputError:
        return None
    _, found = mean_intervals(strata, places=name == "borda", level=LEVEL, repeats=100, seed=seed)
    return outcome(found, truth(name, levels, noise))


# Noises of one mean, tasks x models.


def lognormal(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw lognormal noise, the more lopsided the later the model."""
    spread = np.linspace(0.2, 1.5, size[1])
    return np.asarray(np.exp(spread * rng.standard_normal(size)) - np.exp(spread**2 / 2))


def rare_failures(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw normal noise; the first five models fail on a task in twenty, 20 deviations down, and are 1 better else."""
    noise = rng.standard_normal(size)
    noise[:, :5] += 1.0 - 20.0 * (rng.random((size[0], 5)) < 0.05)
    return noise


def ten_items(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw accuracies on ten questions, tasks of several difficulties."""
    return rng.binomial(10, rng.beta(4, 2, (size[0], 1)), size) / 10.0


def families(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw two families of models, alike within."""
    common = np.repeat(rng.standard_normal((size[0], 2)), [size[1] // 2, size[1] - size[1] // 2], axis=1)
    return 0.9 * common + 0.3 * rng.standard_normal(size)


def one_wild_task(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw normal noise, a hundred times the variance on the first task."""
    noise = rng.standard_normal(size)
    noise[0] *= 10.0
    return noise


def twice(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw normal noise, every task twice."""
    return np.repeat(rng.standard_normal((size[0] // 2, size[1])), 2, axis=0)


def clusters(rng: np.random.Generator, size: tuple[int, int], alike: float) -> Floats:
    """Draw four clusters of tasks with an intra-class correlation."""
    shared = rng.standard_normal((4, size[1]))[np.arange(size[0]) % 4]
    return np.asarray(np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.standard_normal(size))


DRAWN: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {
    "normal": lambda rng, size: rng.standard_normal(size),
    "exponential": lambda rng, size: rng.exponential(size=size),
    "t2": lambda rng, size: rng.standard_t(2, size),
    "t3": lambda rng, size: rng.standard_t(3, size),
    "ten items": ten_items,
    "families": families,
    "one wild task": one_wild_task,
    "lognormal": lognormal,
    "rare failures": rare_failures,
    "every task twice": twice,
    **{f"clusters {alike}": partial(clusters, alike=alike) for alike in (0.1, 0.3, 0.5)},
}
HARD = {"normal": (10, 20, 57), "t2": (20,), "t3": (10,), "ten items": (10, 20), "families": (20,),
        "one wild task": (20,), "lognormal": (10, 20, 57), "rare failures": (10, 20, 57), "every task twice": (24,),
        "clusters 0.1": (57,), "clusters 0.3": (57,), "clusters 0.5": (57,)}  # fmt: skip
"""Noise and numbers of tasks."""

Case: TypeAlias = tuple["wl.Leaderboard | wl.Instances | wl.Margins", str, Any, Floats]
"""What is asked by which rule over what, and what each model has in truth, or more than each other model."""


def noisy(rng: np.random.Generator, levels: Floats, tasks: int, noise: str) -> Floats:
    """Return scores, models x tasks."""
    return levels[:, None] + DRAWN[noise](rng, (len(levels), tasks))


def board(scores: Floats, errors: Floats | None = None) -> wl.Leaderboard:
    """Return a table of scores."""
    names = [f"m{place}" for place in range(len(scores))], [f"t{place}" for place in range(len(scores.T))]
    return wl.Leaderboard(pd.DataFrame(scores, *names), standard_errors=None if errors is None else
                          pd.DataFrame(errors, *names))  # fmt: skip


def in_groups(rule: str, rng: np.random.Generator, levels: Floats, tasks: int, noise: str) -> Case:
    """Draw three groups of tasks, whose noise is once, twice and three times as large."""
    sizes = 1 + np.arange(tasks) * 3 // tasks
    rest = noisy(rng, np.zeros(len(levels)), tasks, noise) * sizes
    made = board(levels[:, None] + rest)
    named = {str(size): [made.tasks[place] for place in np.flatnonzero(sizes == size)] for size in (1, 2, 3)}
    points = np.mean([leads_of(levels / size, noise).sum(axis=1) for size in sizes], axis=0)
    return made.with_groups(named), rule, "tasks", {"mean": levels, "borda": points}[rule]


def leads_of(levels: Floats, noise: str) -> Floats:
    """Return the chance that a model leads another on a task, models x models, a half for each with itself."""
    gaps = levels[:, None] - levels
    if noise == "normal":
        return np.asarray(ndtr(gaps / np.sqrt(2)))
    return np.asarray(0.5 + np.sign(gaps) * (0.5 - 0.5 * np.exp(-np.abs(gaps))))


def weighted(rule: str, rng: np.random.Generator, levels: Floats, tasks: int, noise: str) -> Case:
    """Draw tasks of weight 1, 2, 3, 4, 1, ..."""
    made = board(noisy(rng, levels, tasks, noise)).with_weights([1 + place % 4 for place in range(tasks)])
    leads = leads_of(levels, noise)
    return made, rule, "tasks", {"mean": levels, "borda": leads.sum(axis=1), "copeland": 2 * leads - 1}[rule]


def plurality(rng: np.random.Generator, levels: Floats, tasks: int, noise: str) -> Case:
    """Give a point to the best model of each task."""
    at = np.linspace(levels.min() - 8, levels.max() + 30, 20_001)[:, None] - levels
    below = ndtr(at) if noise == "normal" else np.where(at > 0, 1 - np.exp(-at), 0.0)
    first = [
        float((np.diff(below[:, one]) * np.delete((below[1:] + below[:-1]) / 2, one, axis=1).prod(axis=1)).sum())
        for one in range(len(levels))
    ]
    return board(noisy(rng, levels, tasks, noise)), "plurality", "tasks", np.array(first)


def of_errors(rule: str, rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw scores with errors of a tenth to half of a unit, whose sizes are known."""
    errors = rng.uniform(0.1, 0.5, (len(levels), tasks))
    scores = levels[:, None] + errors * rng.standard_normal(errors.shape)
    points = np.sign(levels[:, None] - levels).sum(axis=1) / 2
    return board(scores, errors), rule, "standard_errors", levels if rule == "mean" else points


def of_instances(over: str, rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw right and wrong answers, 20 a task; where tasks are drawn, too, tasks suit some models more than others."""
    chance = 0.3 + 0.5 * levels / (levels.max() or 1.0)
    tables = {}
    for place in range(tasks):
        own = chance + (rng.uniform(-0.2, 0.2, len(chance)) if over == "both" else 0.0)
        right = (rng.random((20, len(chance))) < own).astype(int)
        names = [f"m{model}" for model in range(len(chance))], [f"i{one}" for one in range(len(right))]
        tables[f"t{place}"] = pd.DataFrame(right.T, *names)
    return wl.Instances(tables), "mean", over, chance


def votes(rng: np.random.Generator, levels: Floats, _tasks: int, _noise: str) -> Case:
    """Draw two hundred votes a pair by Bradley and Terry's model."""
    count = len(levels)
    wins = np.zeros((count, count), dtype=np.int64)
    for one in range(count):
        for other in range(one):
            wins[one, other] = rng.binomial(200, 1 / (1 + np.exp(levels[other] - levels[one])))
            wins[other, one] = 200 - wins[one, other]
    made = wl.Margins(models=tuple(f"m{place}" for place in range(count)), wins=wins, ties=0 * wins, denominator=1)
    return made, "bradley_terry", "votes", levels


FURTHER: dict[str, Callable[..., Case]] = {
    "mean, three groups": partial(in_groups, "mean"),
    "borda, three groups": partial(in_groups, "borda"),
    "mean, weights 1 to 4": partial(weighted, "mean"),
    "borda, weights 1 to 4": partial(weighted, "borda"),
    "copeland, weights 1 to 4": partial(weighted, "copeland"),
    "plurality": plurality,
    "mean, tasks and instances": partial(of_instances, "both"),
    "mean over instances": partial(of_instances, "instances"),
    "mean over standard errors": partial(of_errors, "mean"),
    "borda over standard errors": partial(of_errors, "borda"),
    "bradley_terry over votes": votes,
}


def between_bounds(rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw scores from 0 to 1, half of the models failing on a task in twenty, the others a little on each."""
    scores = 0.95 + rng.uniform(-0.05, 0.05, (len(levels), tasks))
    scores[::2] = rng.random((len(scores[::2]), tasks)) < 0.95
    made = board(scores)
    return wl.Leaderboard(made.scores, bounds=(0, 1)), "mean", "bounded", levels


def ten_groups(rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw ten groups of tasks, alike within."""
    which = np.arange(tasks) % 10
    shared, rest = rng.standard_normal((len(levels), 10))[:, which], rng.standard_normal((len(levels), tasks))
    made = board(levels[:, None] + np.sqrt(0.3) * shared + np.sqrt(0.7) * rest)
    named = {f"g{one}": [made.tasks[place] for place in np.flatnonzero(which == one)] for one in range(10)}
    return made.with_groups(named), "mean", "groups", levels


def new_task(noise: str, rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw tasks and one more, on which the models have the ranks that are to be told."""
    scores = noisy(rng, levels + 0.5 * np.arange(len(levels)), tasks + 1, noise)
    return board(scores[:, :-1]), "mean", "new_tasks", scores[:, -1]


def with_ties(rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw scores in whole steps of which many are best together."""
    return board(noisy(rng, levels, tasks, "normal").round()), "plurality", "tasks", levels


def of_shipped(rule: str, rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw tasks, with replacement, from those of a shipped table, and some of its models."""
    whole = wl.datasets.load_leaderboard("classifiers")
    whole = whole.select(tasks=[task for task in whole.tasks if task.startswith("accuracy/")])
    scores = whole.scores.to_numpy()[np.sort(rng.choice(len(whole.models), len(levels), replace=False))]
    true = task_values(board(scores), registered(rule)).mean(axis=0)
    return board(scores[:, rng.integers(0, len(whole.tasks), tasks)]), rule, "tasks", true


def told(noise: str, clusters_named: int, rng: np.random.Generator, levels: Floats, tasks: int, _noise: str) -> Case:
    """Draw a table of which it may be told that its tasks move together."""
    made = board(DRAWN[noise](rng, (tasks, len(levels))).T)
    named = {f"g{one}": list(made.tasks[one::clusters_named]) for one in range(clusters_named)}
    return made.with_groups(named), "borda", "tasks", levels


OWN: dict[str, tuple[Callable[..., Case], tuple[int, ...]]] = {
    "mean between bounds": (between_bounds, (5, 20, 57)),
    "mean, ten groups drawn": (ten_groups, (57,)),
    **{f"one new task, {noise}": (partial(new_task, noise), (20, 57)) for noise in ("normal", "lognormal")},
    "plurality with ties": (with_ties, (20, 57)),
    "mean, shipped tasks": (partial(of_shipped, "mean"), (10, 20)),
    "borda, shipped tasks": (partial(of_shipped, "borda"), (10, 20)),
    **{f"told, {noise}": (partial(told, noise, 0), (57,)) for noise in ("normal", "clusters 0.3", "clusters 0.5")},
    "told, every task twice": (partial(told, "every task twice", 0), (24,)),
    **{f"told of groups, {noise}": (partial(told, noise, 4), (57,)) for noise in ("normal", "clusters 0.3")},
}
"""What is asked in its own way, and numbers of tasks."""
WILD = "mean, wild cluster bootstrap"
OF_GROUPS = ("mean, whole groups", WILD)
"""Groups as what is drawn, and (what the package does not do for all pairs) with random signs; *tasks* are groups."""
POPULATIONS: dict[str, Floats] = {}
"""By rule and table what each task gives to each model."""
CASES = FURTHER | {name: drawn for name, (drawn, _) in OWN.items()}
# Which scores are missing, from the noise of each (tasks x models).


def on_tasks(rng: np.random.Generator, noise: Floats) -> Bools:
    """Leave out scores on some tasks more often than on others, 0 to 40%."""
    return np.asarray(rng.random(noise.shape) < np.linspace(0, 0.4, len(noise))[:, None])


def of_models(rng: np.random.Generator, noise: Floats) -> Bools:
    """Leave out scores of some models more often than of others, 0 to 40%."""
    return np.asarray(rng.random(noise.shape) < np.linspace(0, 0.4, noise.shape[1]))


def low_scores(rng: np.random.Generator, noise: Floats) -> Bools:
    """Leave out a low score more often than a high one: two in five of each model's lower half."""
    return np.asarray((noise < np.median(noise, axis=0)) & (rng.random(noise.shape) < 0.4))


def worst_of_one(_rng: np.random.Generator, noise: Floats) -> Bools:
    """Leave out the worst fifth of the scores of one model."""
    hidden = np.zeros(noise.shape, dtype=np.bool_)
    hidden[:, 0] = noise[:, 0] < np.quantile(noise[:, 0], 0.2)
    return hidden


def at_random(share: float, rng: np.random.Generator, noise: Floats) -> Bools:
    """Leave out a share of the scores at random."""
    return np.asarray(rng.random(noise.shape) < share)


HIDDEN: dict[str, Callable[[np.random.Generator, Floats], Bools]] = {
    **{f"{share:.0%} at random": partial(at_random, share) for share in (0.15, 0.25, 0.35)},
    "more on some tasks": on_tasks,
    "more of some models": of_models,
    "low scores": low_scores,
    "worst of one model": worst_of_one,
}
OF_SIZE = {"15% at random": ((8, 16), (20, 60)), "25% at random": ((14, 30),), "35% at random": ((8, 40), (20, 60))}
GAPPED = {f"{name}, {hidden}": OF_SIZE.get(hidden, ((12, 36),)) for name in ("borda", "mean") for hidden in HIDDEN}
"""Rules with what is missing, and the sizes of tables."""
OF_ONE_NOISE = ("instances", "errors", "votes")
"""Cases that say themselves what noise there is."""


def separated(found: JointIntervals) -> NDArray[np.bool_]:
    """Return which pairs are separated, as `RankSets` says it."""
    return (found.p <= 1 - LEVEL) | apart((found.low, found.high))


def apart(ends: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Return which intervals are without 0; one without an end is not."""
    return (ends[0] > 0) | (ends[1] < 0)


def inside(ends: tuple[Floats, Floats], true: Floats) -> NDArray[np.bool_]:
    """Return which intervals hold the truth, but for rounding; one without an end does."""
    return ~(ends[0] > true + 1e-9) & ~(true > ends[1] + 1e-9)


def clopper_pearson(won: Floats, lost: Floats) -> tuple[Floats, Floats]:
    """Return pointwise intervals of a lead."""
    tail = (1 - LEVEL) / 2
    low = np.where(won > 0, betaincinv(np.maximum(won, 1), lost + 1, tail), 0.0)
    high = np.where(lost > 0, betaincinv(won + 1, np.maximum(lost, 1), 1 - tail), 1.0)
    return 2 * low - 1, 2 * high - 1


if __name__ == "__main__":
    sys.exit(main())
