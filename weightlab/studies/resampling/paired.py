"""Is one model better than another: sign flips of whole tasks, or McNemar's test of right and wrong answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, common_denominator, exact_products, fraction
from weightlab._result import ByName, Proof, Result, Seen, ensure, ensure_same_names
from weightlab._text import counted, first_few, level_text, number
from weightlab._validate import RngLike, seed_of
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.convert import as_scores
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.studies.parallel import checked_count, checked_share

Units: TypeAlias = Literal["tasks", "groups", "instances"]
Test: TypeAlias = Literal["sign_flips", "mcnemar_mid_p"]
Found: TypeAlias = tuple[float, "float | None", "float | None"]
"""A p-value and the ends of an interval, None where it is unbounded."""
BLOCK_CELLS = 1 << 22
"""Flips are drawn in blocks of so many."""
OF = "two models are compared on"
MOST_REPEATS = 10**6
"""More flips would say no more, and are never believed of a document."""


class Paired(Result, kind="paired"):
    """A test of whether one model is better than another.

    Attributes
    ----------
    model, rival : str
        The two.
    over : {"tasks", "groups", "instances"}
        What the differences are of: whole tasks, whole groups of them, or the instances of one task.
    differences : Series
        Exact, one a unit on which both have a score; positive where ``model`` is better.
    weights : Series
        Of the units.
    test : {"sign_flips", "mcnemar_mid_p"}
        McNemar's for right and wrong answers, 0 and 1, to the instances of one task, else sign flips.
    difference : Fraction
        The weighted mean of the differences.
    low, high : float or None
        Confidence interval of the mean difference; None where the units are too few to bound it.
    p : float
        Two-sided: how often equals would differ as much. By sign flips the interval leaves 0 out exactly if
        ``p <= 1 - level``.
    level : float
        Of the interval.
    repeats : int
        Number of flips drawn; all, if there are no more.
    seed : int
        Of the draws.
    """

    model: str
    rival: str
    over: Units
    test: Test
    difference: Fraction
    low: float | None
    high: float | None
    p: float
    level: float
    repeats: int
    seed: int
    differences: Seen[pd.Series] = ByName()
    weights: Seen[pd.Series] = ByName()

    def __post_init__(self) -> None:
        """Raise InputError for an invalid seed, level or number of flips."""
        seed_of(self.seed)
        _ensure_options(self.level, self.repeats)

    @property
    def exhaustive(self) -> bool:
        """Whether nothing was drawn: McNemar's test, or all flips."""
        return self.test == "mcnemar_mid_p" or 2 ** len(self.differences) <= self.repeats

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"difference": Proof.EXACT, "p": Proof.EXACT if self.exhaustive else Proof.SAMPLED}

    def __str__(self) -> str:
        """Say who is better by how much, by which test, under which assumption; first what cannot be claimed."""
        size, units = abs(self.difference), counted(len(self.differences), self.over[:-1])
        leads = f"leads {self.rival} by" if self.difference > 0 else f"trails {self.rival} by"
        told = f"{float(size):.3g}" if "/" in number(size) else number(size)
        found = f"{leads} {told}" if size else f"and {self.rival} tie"
        sure = level_text(self.level)
        ends = "unbounded" if self.low is None else f"{self.low:.3g} to {self.high:.3g}"
        least = f"fewer than {math.ceil(math.log2(2 / (1 - self.level)))} {self.over}"
        few = least if self.exhaustive else f"no more than {self.repeats:,} flips drawn,"
        warning = f"With {few} sign flips separate no models at the level {sure}. "
        return (
            f"{warning if self.low is None else ''}{self.model} {found} on the mean of {units} "
            f"({sure} interval {ends}, p = {self.p:.2g}). {self._method()}{self._ruled()}"
        )

    def _method(self) -> str:
        if self.test == "mcnemar_mid_p":
            right, wrong = _discordant(self.differences.tolist())
            favour = f"{right:,} favour {self.model}, {wrong:,} favour {self.rival}"
            return f"McNemar's test, mid-p: {favour}; the instances are assumed to be independent."
        flips = "all" if self.exhaustive else f"{self.repeats:,} random"
        which = "instances: these" if self.over == "instances" else f"whole {self.over}: the {self.over}"
        rest = "are assumed to be independent, and their differences symmetric about the true one"
        return f"Sign-flip permutation test, {flips} flips of {which} {rest}."

    def _ruled(self) -> str:
        """Return which few tasks outweigh all others, as those of another unit do; empty where none do."""
        sizes = (self.differences * self.weights).abs().sort_values(ascending=False, kind="stable")
        most = sizes.iloc[: len(sizes) // 6]
        if self.over != "tasks" or 2 * most.sum() <= sizes.sum():
            return ""
        count = 1 + next(place for place, held in enumerate(most.cumsum()) if 2 * held > sizes.sum())
        verb = "makes" if count == 1 else "make"
        return (
            f" More than half of all differences is on {first_few(most.index[:count])}, which {verb} up the mean: if "
            "tasks have different units, choose tasks of one unit or rescale them."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row: the two models, their difference with its interval, p, the test and what it is over."""
        row = {name: getattr(self, name) for name in ("model", "rival", "low", "high", "p", "test")}
        return pd.DataFrame([{**row, "difference": self.difference, self.over: len(self.differences)}])[
            ["model", "rival", "difference", "low", "high", "p", "test", self.over]
        ]

    def verify(self, source: LeaderboardLike | Instances | None = None) -> bool:
        """Test again, with the same flips; given the source, check that the differences are its own.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        ensure(self.model != self.rival and len(self.differences) > 1, "there are no differences of two models")
        ensure_same_names(self.over, tuple(self.weights.index), tuple(self.differences.index), in_order=True)
        ensure(all(weight > 0 for weight in self.weights), "a weight is not positive")
        if source is not None:
            over, test, differences, weights = paired_differences(
                as_scores(source, OF), self.model, self.rival, grouped=self.over == "groups"
            )
            ensure(over == self.over, f"the source has {over} to compare, not {self.over}")
            ensure(differences.equals(self.differences), "the differences are not those of the source")
            ensure(weights.equals(self.weights), "the weights are not those of the source")
            ensure(test == self.test, f"the test is {test}")
        ensure(self.difference == _mean(self.differences, self.weights), "the difference is not the mean of all")
        answers = self.over == "instances" and set(self.differences) <= {-1, 0, 1}
        ensure(self.test == "sign_flips" or answers, "McNemar's test is of right and wrong answers to instances")
        own = (self.p, self.low, self.high)
        found = _found(
            self.test, self.differences, self.weights, level=self.level, repeats=self.repeats, seed=self.seed
        )
        for name, claim, fact in zip(("p", "low", "high"), own, found, strict=True):
            same = claim == fact or (claim is not None and fact is not None and math.isclose(claim, fact, rel_tol=1e-9))
            ensure(same, f"{name} is {fact}, not {claim}")
        return True


def paired(
    source: LeaderboardLike | Instances,
    model: str,
    rival: str,
    *,
    over: Literal["groups"] | None = None,
    level: float = 0.95,
    repeats: int = 10_000,
    rng: RngLike = 0,
) -> Paired:
    """Test whether one model is better than another on the tasks, or on the instances of one task, that both have.

    Parameters
    ----------
    source : Leaderboard or Instances
        With several tasks, whole tasks are compared (of `Instances`, by the mean over the instances that both have).
        Of one task, its instances.
    model, rival : str
        The two models. Where lower is better, differences are negated: positive always means that ``model`` is
        better.
    over : {"groups"}, optional
        Compare the means of whole groups of tasks, each with its weight, where tasks of a group move together; tasks
        outside all groups are on their own.
    level : float
        Of the interval.
    repeats : int
        Flips to draw, 100 or more. If there are no more than that, all are taken and nothing is random.
    rng : int, Generator or None
        The seed.

    Returns
    -------
    Paired
        ``.difference`` ``.low`` ``.high`` ``.p`` ``.test`` ``.verify()``; ``str()`` says it in words.

    Raises
    ------
    InputError
        If the models are the same, an option is wrong, or both have scores on fewer than two tasks (or instances).
    UnknownNameError
        If a model is not known.

    Notes
    -----
    *Sign flips.* Were the models equal, each task's difference would be as likely to have the other sign: p is how
    often the mean of randomly flipped differences is as far out, twice on the smaller side, the unflipped ones counted
    in. A flip of some tasks lowers the mean of (difference - x) exactly if the mean over those tasks is above x, so
    that the values of x which the same test does not reject lie between order statistics of means over random sets of
    tasks (Hartigan 1969): interval and p never contradict each other. Both hold their level where differences are
    independent and symmetric about the true one, however few; lopsided ones (rare failures of one of two models with
    equal means) separate too often. Of whole groups they are the wild cluster bootstrap with the null imposed (Cameron,
    Gelbach and Miller 2008). Integers are summed, so ties are ties. O(repeats x tasks).

    *McNemar's test*, mid-p, where all scores of instances are 0 or 1, with the interval by Bonett and Price, as
    recommended by Fagerland, Lydersen and Laake (2014). The mid-p is no bound for every sample; its rate of false
    alarms stays below the level except in rare cases, and close to it.

    References
    ----------
    J. A. Hartigan, "Using subsample values as typical values", Journal of the American Statistical Association 64
    (1969); M. W. Fagerland, S. Lydersen and P. Laake, "Recommended tests and confidence intervals for paired binomial
    proportions", Statistics in Medicine 33 (2014).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({f"t{place}": {"a": 5 + place, "b": 4} for place in range(8)})
    >>> found = paired(board, "a", "b")
    >>> found.difference, found.p
    (Fraction(9, 2), 0.0078125)
    """
    if over not in (None, "groups"):
        raise InputError(f"over must be 'groups' or omitted; got {over!r}")
    units, test, differences, weights = paired_differences(
        as_scores(source, OF), model, rival, grouped=over == "groups"
    )
    seed = seed_of(rng)
    _ensure_options(level, repeats)
    p, low, high = _found(test, differences, weights, level=level, repeats=repeats, seed=seed)
    return Paired(
        model=model,
        rival=rival,
        over=units,
        test=test,
        difference=_mean(differences, weights),
        low=low,
        high=high,
        p=p,
        level=float(level),
        repeats=int(repeats),
        seed=seed,
        differences=differences,
        weights=weights,
    )


def _ensure_options(level: float, repeats: int) -> None:
    checked_share("level", level)
    checked_count("repeats", repeats, least=100, most=MOST_REPEATS)


def paired_differences(
    source: Leaderboard | Instances, model: str, rival: str, *, grouped: bool = False
) -> tuple[Units, Test, pd.Series, pd.Series]:
    """Return the units compared, the test, and the differences and weights on units that both models have.

    Raises
    ------
    InputError
        If the models are the same, both have fewer than two of it, or there are no groups of tasks, or they overlap or
        one has the name of a task outside all.
    """
    if model == rival:
        raise InputError(f"two models are compared; got {model!r} twice")
    if isinstance(source, Leaderboard):
        over: Units = "tasks"
        of = {task: [pair] for task, pair in _scores(source, model, rival).items()}
    else:
        for name in (model, rival):
            if name not in source.models:
                raise UnknownNameError("model", name, source.models, holder="set of instances")
        both = [task for task in source.tasks if {model, rival} <= set(source.table(task).models)]
        each = {task: _scores(source.leaderboard(task), model, rival) for task in both}
        over = "tasks" if len(source.tasks) > 1 else "instances"
        of = {task: list(pairs.values()) for task, pairs in each.items() if pairs}
        if over == "instances":
            of = {unit: [pair] for pairs in each.values() for unit, pair in pairs.items()}
    found = {unit: sum((own - other for own, other in pairs), Fraction(0)) / len(pairs) for unit, pairs in of.items()}
    weigh = source.weights.to_dict()
    weights = {unit: Fraction(1) if over == "instances" else weigh[unit] for unit in found}
    if grouped:
        over = "groups"
        found, weights = _of_groups(source, found, weights)
    kept = [unit for unit in found if weights[unit]]
    if len(kept) < 2:
        hint = "" if isinstance(source, Instances) else "; scores on its single instances would say more"
        raise InputError(
            f"{model!r} and {rival!r} both have scores on {counted(len(kept), over[:-1])}, which shows no spread{hint}"
        )
    series = (pd.Series([of[unit] for unit in kept], index=kept, dtype=object) for of in (found, weights))
    differences, shares = (one.rename(name) for one, name in zip(series, ("difference", "weight"), strict=True))
    scores = {score for pairs in of.values() for pair in pairs for score in pair}
    answers = over == "instances" and any(scores <= {0, right} for right in (1, -1))
    return over, "mcnemar_mid_p" if answers else "sign_flips", differences, shares


def _of_groups(
    source: Leaderboard | Instances, found: dict[str, Fraction], weights: dict[str, Fraction]
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the weighted mean difference and the weight of each group, a task outside all being one of its own."""
    groups = source.groups if isinstance(source, Leaderboard) else {}
    group = {task: name for name, tasks in groups.items() for task in tasks}
    if not group or sum(map(len, groups.values())) > len(group):
        told = "these groups overlap" if group else "no groups of tasks are named"
        raise InputError(f"whole groups are compared, and {told}")
    if alike := next((task for task in found if task in groups and task not in group), None):
        raise InputError(f"whole groups are compared, and {alike!r} is a group as well as a task outside all groups")
    own = dict.fromkeys((group.get(task, task) for task in found), Fraction(0))
    total = dict(own)
    for task, difference in found.items():
        own[group.get(task, task)] += difference * weights[task]
        total[group.get(task, task)] += weights[task]
    return {name: one / total[name] for name, one in own.items() if total[name]}, total


def _scores(board: Leaderboard, model: str, rival: str) -> dict[str, tuple[Fraction, Fraction]]:
    """Return both models' scores on each task on which both have one, greater being better."""
    both = board.select(models=[model, rival])
    found = {}
    for column, task in enumerate(both.tasks):
        own, other = both.cells.column(column)
        if own is not None and other is not None:
            found[task] = (-own, -other) if task in both.lower_is_better else (own, other)
    return found


def _mean(differences: pd.Series, weights: pd.Series) -> Fraction:
    return Fraction((differences * weights).sum() / weights.sum())


def _discordant(differences: list[Fraction]) -> tuple[int, int]:
    return differences.count(Fraction(1)), differences.count(Fraction(-1))


def _found(test: Test, differences: pd.Series, weights: pd.Series, *, level: float, repeats: int, seed: int) -> Found:
    if test == "mcnemar_mid_p":
        return mcnemar(*_discordant(differences.tolist()), len(differences), level)
    return sign_flips(differences.tolist(), weights.tolist(), level=level, repeats=repeats, seed=seed)


def mcnemar(right: int, wrong: int, count: int, level: float) -> Found:
    """Return McNemar's mid-p and Bonett and Price's interval of the difference of two shares of the same instances."""
    fewer = min(right, wrong)
    from scipy.stats import binom  # noqa: PLC0415 - takes as long to load as all else

    p = 2 * binom.cdf(fewer, right + wrong, 0.5) - binom.pmf(fewer, right + wrong, 0.5)
    ours, theirs = (right + 1) / (count + 2), (wrong + 1) / (count + 2)
    spread = math.sqrt((ours + theirs - (ours - theirs) ** 2) / (count + 2))
    reach = NormalDist().inv_cdf((1 + level) / 2) * spread
    return min(1.0, float(p)), max(-1.0, ours - theirs - reach), min(1.0, ours - theirs + reach)


def sign_flips(differences: list[Fraction], weights: list[Fraction], *, level: float, repeats: int, seed: int) -> Found:
    """Return the two-sided p of a mean of 0 under sign flips, and the means that the same flips do not reject."""
    shares, _ = common_denominator(weights)
    worth, denominator = common_denominator([one * share for one, share in zip(differences, shares, strict=True)])
    drawn = [
        (exact_products(flips, worth), exact_products(flips, shares)) for flips in _flips(len(worth), repeats, seed)
    ]
    sums, sizes = (np.concatenate(part) for part in zip(*drawn, strict=True))
    # A flip leaves the mean as far up as it was exactly if the differences that it negates add up to 0 or less.
    smaller = min(int((sums <= 0).sum()), int((sums >= 0).sum()))
    some = sizes > 0
    # Python divides integers of any size; a float may not hold them.
    means = np.sort((sums[some].astype(object) / (sizes[some].astype(object) * denominator)).astype(np.float64))
    # The mean x is not rejected if more than this number of the means over turned tasks are at most x, and at least x;
    # turning nothing round counts on either side.
    at_most = math.floor((1 - fraction(level)) * len(sums) / 2) - int((~some).sum())
    low, high = (float(means[at_most]), float(means[-1 - at_most])) if at_most >= 0 else (None, None)
    return min(1.0, 2 * smaller / len(sums)), low, high


def _flips(count: int, repeats: int, seed: int) -> Iterator[AnyArray]:
    """Yield which units are flipped, flips x units: none at first; all flips where there are no more."""
    if 2**count <= repeats:
        yield (np.arange(2**count)[:, None] >> np.arange(count) & 1).astype(np.int8)
        return
    yield np.zeros((1, count), dtype=np.int8)
    rng, most = np.random.default_rng(seed), max(1, BLOCK_CELLS // count)
    for start in range(0, repeats, most):
        yield rng.integers(0, 2, size=(min(most, repeats - start), count), dtype=np.int8)
