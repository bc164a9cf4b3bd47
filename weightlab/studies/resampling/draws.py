"""Rankings of a table that is drawn again, cut or spoilt, beside that of the whole one: one record for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from statistics import NormalDist
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, FloatArray, IntArray
from weightlab._result import IntMatrix, Proof, Result, ensure, integers
from weightlab._text import counted
from weightlab._validate import seed_of
from weightlab.exceptions import InputError
from weightlab.rules.refusal import Refusal, check_refusals, reasons
from weightlab.studies.parallel import finished_parts
from weightlab.studies.question import Question, ensure_named
from weightlab.studies.resampling.places import Asked

Function = TypeVar("Function", bound=Callable[..., Any])
EXPERIMENTS: dict[str, Callable[..., Any]] = {}
"""The functions that make such records, by name: `Draws.reproduce` calls them again."""
STATISTICS = ("tau_b", "rho", "top_rho", "top", "reversed", "winners_kept", "best_wins")
"""What is measured of every draw."""
CHUNK = 8
"""Rankings correlated with their reference at a time."""
BLOCK, BLOCK_CELLS = 256, 1 << 24
"""Maximum number of draws evaluated together, and of their cells."""
REAL = ("dispersion", "factor")
"""Settings that are numbers of any kind; the others are counts."""
LARGEST = 10**30
"""No setting is greater."""


def experiment(function: Function) -> Function:
    """Register a function whose draws can be made again."""
    EXPERIMENTS[function.__name__] = function
    return function


class Draws(Result):
    """Base of results of experiments that draw: the rankings of every changed table, and those of the whole one.

    Attributes
    ----------
    experiment : str
        The function of `studies` that drew them.
    questions : dict from str to Question
        The rules in question.
    settings : dict from str to tuple of Fraction
        By how much the table was changed; all of several settings are combined.
    models, rules : tuple of str
        The names, and of rules also how instances are taken where a rule can take them in several ways.
    total : int
        How many tasks, scores or instances could be changed.
    seed : int
        Draw ``i`` is made from the child ``i`` of this seed.
    whole : ndarray of int, rules x models
        Places from 0 on the whole table, models that tie sharing one. Read-only, as is the next.
    levels : ndarray of int, settings x draws x rules x models
        Places on the changed tables; -1 where a rule has no answer or a model no score.
    refusals : tuple of Refusal
        Default rules that have no answer on the whole table, and why.
    """

    OPTIONS: ClassVar[tuple[str, ...]] = ()
    ARGUMENTS: ClassVar[Mapping[str, str]] = {}
    CLAIM: ClassVar[str] = "draws"
    RULE: ClassVar[str] = "rule"

    experiment: str
    questions: Mapping[str, Question]
    settings: Mapping[str, tuple[Fraction, ...]]
    models: tuple[str, ...]
    rules: tuple[str, ...]
    total: int
    seed: int
    whole: IntMatrix
    levels: Annotated[IntArray, integers(4)]
    refusals: tuple[Refusal, ...] = ()

    def __post_init__(self) -> None:
        """Make the places read-only; raise InputError for another experiment, an invalid seed or invalid settings."""
        if self.experiment not in EXPERIMENTS or list(self.settings) != list(self.ARGUMENTS):
            raise InputError(f"there is no experiment {self.experiment!r} with {', '.join(self.settings) or 'nothing'}")
        for name, values in self.settings.items():
            if not values or len(set(values)) < len(values):
                raise InputError(f"each of {name} must appear once; got {', '.join(map(str, values)) or 'none'}")
            if not all(0 <= one < LARGEST and (name in REAL or one.denominator == 1) for one in values):
                raise InputError(f"{name}: an amount to change is out of range")
        seed_of(self.seed)
        for array in (self.whole, self.levels):
            array.setflags(write=False)

    @property
    def repeats(self) -> int:
        """How many draws of each setting."""
        return int(self.levels.shape[1])

    @property
    def left_out(self) -> dict[str, str]:
        """Default rules that have no answer on the whole table, and why."""
        return reasons(self.refusals)

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {self.CLAIM: Proof.SAMPLED}

    def values(self, name: str) -> list[Any]:
        """Return the values of a setting: floats, or whole numbers where it counts something."""
        return [(float if name in REAL else int)(value) for value in self.settings[name]]

    def rows(self, **columns: AnyArray) -> pd.DataFrame:
        """Return one row a setting, draw and rule, with columns (settings x draws x rules)."""
        names = [*self.settings, "draw", self.RULE]
        parts = [*map(self.values, self.settings), range(self.repeats), self.rules]
        keys = pd.MultiIndex.from_product(parts, names=names).to_frame(index=False)
        return keys.assign(**{name: values.ravel() for name, values in columns.items()})

    def verify(self, source: Any = None) -> bool:
        """Check that the draws are rankings; given the source, draw and rank everything again from the seed.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.

        Notes
        -----
        With a source it takes as long as the study on one core.
        """
        count = prod(map(len, self.settings.values()))
        shape = (count, self.repeats, len(self.rules), len(self.models))
        ensure(self.levels.shape == shape and self.repeats, "the draws are not of these settings, rules and models")
        ensure(self.whole.shape == shape[2:], "a rule has no ranking of the whole table")
        ensure((self.whole >= 0).all(), "a rule has no ranking of the whole table")
        ensure_named(self.questions)
        ensure(self.has_source or source is None, "synthetic scores have no source")
        for number, row in enumerate([*self.whole, *self.levels.reshape(-1, shape[3])]):
            places = np.unique(row)
            one = np.array_equal(places, np.arange(len(places))) or np.array_equal(places, [-1])
            ensure(one, f"the places of draw {number} are not 0, 1, ... without a gap")
        if source is not None or not self.has_source:
            again = self.reproduce(source)
            ensure(again.models == self.models, "the models are not those of the source")
            ensure((again.rules, again.total) == (self.rules, self.total), "the rules, or what is changed, are others")
            ensure(np.array_equal(again.whole, self.whole), "the ranking of the whole table differs")
            for setting, draw, rule in np.argwhere((again.levels != self.levels).any(axis=3))[:1].tolist():
                told = f"setting {setting}, draw {draw} of seed {self.seed}, {self.rules[rule]!r}"
                ensure(holds=False, failure=f"{told}: the ranking differs")
            check_refusals(self.refusals, self.questions, lambda rule: self._asked(source, rule, repeats=1))
        return True

    has_source: ClassVar[bool] = True

    def reproduce(self, source: Any = None, *, n_jobs: int = 1) -> Any:
        """Repeat the same call, with the same seed, on a source."""
        asked = {one.label or name: one.rule or one.function for name, one in self.questions.items()}
        return self._asked(source, asked, repeats=self.repeats, n_jobs=n_jobs)

    def _asked(self, source: Any, rules: Any, **keywords: Any) -> Any:
        named: dict[str, Any] = {self.ARGUMENTS[name]: self.values(name) for name in self.settings}
        named |= {name: self.settings["factor"] for name in named if name == "factors"}
        named |= {name: getattr(self, name) for name in self.OPTIONS}
        tables = (source,) if self.has_source else ()
        return EXPERIMENTS[self.experiment](*tables, rules, **named, **keywords, rng=self.seed)


def drawn(
    asked: Mapping[str, Asked],
    change: Callable[[int, Any], Any],
    settings: Sequence[Any],
    *,
    repeats: int,
    width: int,
    n_jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> IntArray:
    """Ask each question of each change, many draws together and, if wanted, many side by side.

    Parameters
    ----------
    asked : dict from str to callable
        The questions.
    change : callable
        From the number of a draw and a setting to the changed table.
    settings : sequence
        Each of them.
    repeats, width : int
        How many draws, and how many cells a change has.
    n_jobs, progress
        As for `parallel_map`.

    Returns
    -------
    ndarray of int, settings x draws x rules x models
    """
    size = draws_together(repeats, width, n_jobs)
    blocks = [range(start, min(start + size, repeats)) for start in range(0, repeats, size)]
    found: list[IntArray] = []
    for part in finished_parts(partial(_block, asked, change, settings), blocks, n_jobs=n_jobs):
        found += part
        if progress is not None:
            progress(sum(one.shape[1] for one in part))
    return np.asarray(np.concatenate(found, axis=1), dtype=np.int64)


def draws_together(repeats: int, width: int, n_jobs: int) -> int:
    """Return how many draws are evaluated at once."""
    return max(1, min(BLOCK, BLOCK_CELLS // max(1, width), BLOCK if n_jobs == 1 else repeats // 16))


def _block(asked: Mapping[str, Asked], change: Any, settings: Sequence[Any], draws: range) -> IntArray:
    """Return the places of some draws, settings x draws x rules x models."""
    found = []
    for value in settings:
        changes = [change(draw, value) for draw in draws]
        found.append(np.stack([one(changes) for one in asked.values()], axis=1))
    return np.asarray(np.stack(found), dtype=np.int64)


class RankingMoves(Draws):
    """Base of results that compare rankings of changed tables with those of the whole one.

    Attributes
    ----------
    top : int
        How many of the first models ``top`` and ``top_rho`` look at.
    """

    top: int = 7

    def __post_init__(self) -> None:
        """Raise InputError for an invalid number of first models."""
        super().__post_init__()
        if not 1 <= self.top <= len(self.models):
            raise InputError(f"cannot compare the first {self.top} models of {len(self.models)}")

    @cached_property
    def _moves(self) -> pd.DataFrame:
        found = {name: np.full(self.levels.shape[:3], np.nan) for name in STATISTICS}
        for rule, own in enumerate(self.whole):
            for setting, levels in enumerate(self.levels[:, :, rule]):
                answered = np.flatnonzero(levels[:, 0] >= 0)
                for start in range(0, len(answered), CHUNK):
                    rows = answered[start : start + CHUNK]
                    for name, values in compared(np.vstack([own, levels[rows]]), self.top).items():
                        found[name][setting, rows, rule] = values
        if not np.isnan(found["reversed"]).any():
            found["reversed"] = found["reversed"].astype(np.int64)
        return self.rows(**found)

    @property
    def draws(self) -> pd.DataFrame:
        """One row a setting, draw and rule, comparing the ranking of a changed table with that of the whole one.

        The first column says how many scores were taken away, or how many tasks were kept. ``tau_b`` and ``rho`` are
        Kendall's and Spearman's correlations of the two weak orders; ``top_rho`` is Spearman's among the first models
        of the whole table alone (those tied with the last of them included); ``top`` the share of the first models
        that stay among the first, a tie that reaches beyond counting with the share that is within; ``reversed``
        counts pairs that swap; ``winners_kept`` is 1 if exactly the same models are first and ``best_wins``
        if one of them still is. A correlation with a ranking that ties all is NaN; so is everything where the rule has
        no answer, or a model no score.
        """
        return self._moves.copy()

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rule and setting: the mean of every statistic over the draws that have it, and more.

        ``std``, ``low`` and ``high`` are those of ``tau_b``: the standard deviation of the draws, and the normal 95%
        interval of their mean, cut off at -1 and 1. ``unanswered`` counts the draws in which the rule has no answer.
        """
        (setting,) = self.settings
        by = self._moves.groupby(["rule", setting], sort=False)
        tau = by["tau_b"]
        reach = NormalDist().inv_cdf(0.975) * tau.std(ddof=1) / tau.count() ** 0.5
        table = by[list(STATISTICS)].mean()
        table["std"] = tau.std(ddof=0).where(tau.count() > 1)
        table["low"], table["high"] = (tau.mean() - reach).clip(lower=-1.0), (tau.mean() + reach).clip(upper=1.0)
        table["unanswered"] = by.size() - by["top"].count()
        names = ["rule", setting]
        return table.reindex(pd.MultiIndex.from_product([self.rules, self.values(setting)], names=names))

    def best_and_worst(self, value: int) -> str:
        """Say which rule keeps its ranking best in one setting, and which worst."""
        (setting,) = self.settings
        table = self.to_frame()["tau_b"].xs(value, level=setting).reindex(list(self.rules))
        draws = counted(self.repeats, "draw")
        if table.isna().all():
            return f"no rule has a ranking to compare ({draws})."
        best, worst = str(table.idxmax()), str(table.idxmin())
        last = "" if best == worst else f", worst {worst}, {table[worst]:.2f}"
        return f"{best} keeps its ranking best (mean tau-b {table[best]:.2f}{last}; {draws})."


def compared(levels: IntArray, top: int) -> dict[str, AnyArray]:
    """Return the comparison of every other ranking with the first.

    With one sign per pair of models and order, tau-b is the cosine of two vectors of signs; of a model they add up to
    twice its mean rank less that of all models, so that rho is the cosine of the sums.
    """
    signs = np.sign(levels[:, :, None] - levels[:, None, :])
    best = np.flatnonzero(levels[0] <= np.sort(levels[0])[top - 1])
    # Of a tie that reaches beyond place k each model counts with the share within, a number of parts of the tie.
    above, tied = (signs > 0).sum(axis=2), (signs == 0).sum(axis=2)
    within = np.clip(top - above, 0, tied)
    part = np.where((within < tied) & (within > 0), tied, 1).max(axis=1)
    shares = within * part[:, None] // tied
    shared = np.minimum(shares[1:] * part[0], shares[0] * part[1:, None]).sum(axis=1)
    first = levels == 0
    return {
        "tau_b": _cosines(signs.reshape(len(levels), -1)),
        "rho": _cosines(signs.sum(axis=2)),
        "top_rho": _cosines(signs[:, best][:, :, best].sum(axis=2)),
        "top": shared / (part[0] * part[1:] * top),
        "reversed": (signs[1:] * signs[0] < 0).sum(axis=(1, 2)) // 2,
        "winners_kept": (first[1:] == first[0]).all(axis=1),
        "best_wins": (first[1:] & first[0]).any(axis=1),
    }


def _cosines(vectors: IntArray) -> FloatArray:
    """Return the cosine of each vector of integers but the first with that one, exact up to the square root."""
    products = (vectors @ vectors[0]).astype(np.float64)
    own = (vectors * vectors).sum(axis=1).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(products[1:] / np.sqrt(own[0] * own[1:]))
