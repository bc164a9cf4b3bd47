"""How far rankings of changed tables move from a reference: what several studies count, draw by draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import NormalDist
from typing import Annotated, Self

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, FloatArray, IntArray
from weightlab._result import Codec, Record, ensure, integers, read_list
from weightlab._text import counted
from weightlab.exceptions import ProofError
from weightlab.studies.resampling.bootstrap import ensure_places, winners_of, winners_to_json
from weightlab.studies.resampling.resample import Places

STATISTICS = ("tau_b", "rho", "top_rho", "top", "reversed", "winners_kept", "best_wins")
"""What is measured of every draw."""
CHUNK = 8
"""So many rankings at a time are correlated with their reference."""


class RankingMoves(Record):
    """Rankings of changed tables by setting, draw and rule, with the ranking each of them is compared with.

    Attributes
    ----------
    models, rules : tuple of str
        The names.
    setting : str
        What is counted by ``settings``, as the columns of tables call it.
    settings : tuple of int
        How much was changed.
    top : int
        How many of the first models ``top`` and ``top_rho`` look at.
    reference : ndarray of int, rules x models
        Places from 0 on the whole table, models that tie sharing one.
    reference_first : ndarray of bool, rules x models
        Who wins on the whole table.
    levels : ndarray of int, settings x draws x rules x models
        Places on the changed tables; -1 where the rule has no answer. Read-only.
    first : ndarray of bool, settings x draws x rules x models
        Who wins there. Read-only.
    """

    models: tuple[str, ...]
    rules: tuple[str, ...]
    setting: str
    settings: tuple[int, ...]
    top: int
    reference: Annotated[IntArray, integers(2)]
    reference_first: Annotated[BoolArray, Codec(winners_to_json, read_list)]
    levels: Annotated[IntArray, integers(4)]
    first: Annotated[BoolArray, Codec(winners_to_json, read_list)]

    def __post_init__(self) -> None:
        """Make the arrays read-only; raise InputError for winners of other rankings."""
        object.__setattr__(self, "reference_first", winners_of(self.reference_first, self.reference))
        object.__setattr__(self, "first", winners_of(self.first, self.levels))
        for array in (self.reference, self.reference_first, self.levels, self.first):
            array.setflags(write=False)

    @classmethod
    def of(
        cls,
        models: Sequence[str],
        reference: Mapping[str, Places],
        draws: Sequence[Sequence[Sequence[Places]]],
        *,
        setting: str,
        settings: Sequence[int],
        top: int,
    ) -> Self:
        """Return the findings by draw, setting and rule."""
        rules = tuple(reference)
        shape = (len(settings), len(draws), len(rules), len(models))
        levels, first = np.full(shape, -1, dtype=np.int64), np.zeros(shape, dtype=np.bool_)
        for draw, by_setting in enumerate(draws):
            for row, by_rule in enumerate(by_setting):
                for rule, places in enumerate(by_rule):
                    if places is not None:
                        levels[row, draw, rule], first[row, draw, rule] = places
        whole = [one for one in reference.values() if one is not None]
        return cls(
            models=tuple(models),
            rules=rules,
            setting=setting,
            settings=tuple(settings),
            top=top,
            reference=np.array([places for places, _ in whole], dtype=np.int64),
            reference_first=np.array([first for _, first in whole], dtype=np.bool_),
            levels=levels,
            first=first,
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """Return one row a setting, draw and rule, with every statistic; NaN where there is no answer or value."""
        parts = [
            self._of(place, number).assign(rule=rule, **{self.setting: np.full(self.levels.shape[1], value)})
            for place, value in enumerate(self.settings)
            for number, rule in enumerate(self.rules)
        ]
        return pd.concat(parts, ignore_index=True)[[self.setting, "draw", "rule", *STATISTICS]]

    def summary(self) -> pd.DataFrame:
        """Return one row a rule and setting: the mean of every statistic over the draws that have it, and more.

        ``std``, ``low`` and ``high`` are those of ``tau_b``: the standard deviation of the draws, and the normal 95%
        interval of their mean, cut off at -1 and 1. ``unanswered`` counts the draws in which the rule has no answer.
        """
        rows = {}
        for key, part in self.table.groupby(["rule", self.setting], sort=False):
            taus = part["tau_b"].dropna().to_numpy(dtype=np.float64)
            means = {name: part[name].mean() for name in STATISTICS}
            rows[key] = {**means, **_spread(taus), "unanswered": int(part["top"].isna().sum())}
        found = pd.DataFrame.from_dict(rows, orient="index")
        found.index = pd.MultiIndex.from_tuples(list(rows), names=["rule", self.setting])
        order = [(rule, value) for rule in self.rules for value in self.settings]
        return found.loc[order]

    def _of(self, setting: int, rule: int) -> pd.DataFrame:
        levels, first = self.levels[setting, :, rule], self.first[setting, :, rule]
        found = {name: np.full(len(levels), np.nan) for name in STATISTICS}
        own = self.reference_first[rule]
        answered = np.flatnonzero(levels[:, 0] >= 0)
        for start in range(0, len(answered), CHUNK):
            rows = answered[start : start + CHUNK]
            for name, values in self._compared(np.vstack([self.reference[rule], levels[rows]])).items():
                found[name][rows] = values
            found["winners_kept"][rows] = (first[rows] == own).all(axis=1)
            found["best_wins"][rows] = (first[rows] & own).any(axis=1)
        if len(answered) == len(levels):
            found["reversed"] = found["reversed"].astype(np.int64)
        return pd.DataFrame({"draw": np.arange(len(levels)), **found})

    def _compared(self, levels: IntArray) -> dict[str, AnyArray]:
        """Return the comparison of every other ranking with the first.

        With a sign a pair of models and order, tau-b is the cosine of two vectors of signs; of a model they add up to
        twice its mean rank less that of all models, so that rho is the cosine of the sums.
        """
        signs = np.sign(levels[:, :, None] - levels[:, None, :])
        best = np.flatnonzero(levels[0] <= np.sort(levels[0])[self.top - 1])
        # Of a tie that reaches beyond place k each model counts with the share within, a number of parts of the tie.
        above, tied = (signs > 0).sum(axis=2), (signs == 0).sum(axis=2)
        within = np.clip(self.top - above, 0, tied)
        part = np.where(within < tied, np.where(within > 0, tied, 1), 1).max(axis=1)
        shares = within * part[:, None] // tied
        shared = np.minimum(shares[1:] * part[0], shares[0] * part[1:, None]).sum(axis=1)
        return {
            "tau_b": _cosines(signs.reshape(len(levels), -1)),
            "rho": _cosines(signs.sum(axis=2)),
            "top_rho": _cosines(signs[:, best][:, :, best].sum(axis=2)),
            "top": shared / (part[0] * part[1:] * self.top),
            "reversed": (signs[1:] * signs[0] < 0).sum(axis=(1, 2)) // 2,
        }

    def check(self, setting: str, draws: int) -> None:
        """Ensure that all are rankings of the models, or none at all, in settings of this kind."""
        count = len(self.models)
        ensure(self.setting == setting and self.settings, f"the settings are no numbers of {setting}")
        ensure(1 <= self.top <= count, f"the first {self.top} models are none")
        shape = (len(self.settings), draws, len(self.rules), count)
        ensure(self.levels.shape == shape and self.first.shape == shape, "the draws are not of these rules and models")
        ensure(self.reference.shape == (len(self.rules), count), "a rule has no ranking of the whole table")
        ensure(self.reference_first.shape == self.reference.shape, "a rule has no winner on the whole table")
        ensure((self.reference >= 0).all(), "a rule has no ranking of the whole table")
        rows = [*zip(self.reference, self.reference_first, strict=True)]
        rows += zip(self.levels.reshape(-1, count), self.first.reshape(-1, count), strict=True)
        for number, (levels, first) in enumerate(rows):
            ensure_places(number, levels, first)

    def ensure_same(self, other: RankingMoves) -> None:
        """Ensure that the claimed rankings (these) are those that were found again (the other's)."""
        for rule, name in enumerate(self.rules):
            pairs = ((self.reference, other.reference), (self.reference_first, other.reference_first))
            same = all(np.array_equal(own[rule], found[rule]) for own, found in pairs)
            ensure(same, f"the ranking by {name!r} of the whole table is another one")
        differs = (self.levels != other.levels).any(axis=3) | (self.first != other.first).any(axis=3)
        for setting, draw, rule in np.argwhere(differs)[:1].tolist():
            where = f"draw {draw} of {self.settings[setting]}, {self.rules[rule]!r}"
            raise ProofError(f"{where}: the ranking is another one")


def _cosines(vectors: IntArray) -> FloatArray:
    """Return the cosine of each vector of integers but the first with that one, exact up to the square root."""
    products = (vectors @ vectors[0]).astype(np.float64)
    own = (vectors * vectors).sum(axis=1).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(products[1:] / np.sqrt(own[0] * own[1:]))


def _spread(values: AnyArray) -> dict[str, float]:
    if len(values) < 2:
        return dict.fromkeys(("std", "low", "high"), np.nan)
    reach = NormalDist().inv_cdf(0.975) * float(values.std(ddof=1)) / len(values) ** 0.5
    mean = float(values.mean())
    return {"std": float(values.std()), "low": max(mean - reach, -1.0), "high": min(mean + reach, 1.0)}


class MovedRankings:
    """Base of results that compare rankings of changed tables with those of the whole one."""

    moves: RankingMoves
    repeats: int

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that were asked."""
        return self.moves.rules

    @property
    def draws(self) -> pd.DataFrame:
        """One row a setting, draw and rule, comparing the ranking of a changed table with that of the whole one.

        The first column says how many scores were taken away, or how many tasks were kept. ``tau_b`` and ``rho`` are
        Kendall's and Spearman's correlations of the two weak orders; ``top_rho`` is Spearman's among the first models
        of the whole table alone (those tied with the last of them included); ``top`` the share of the first models
        that stay among the first, a tie that reaches beyond counting with the share that is within; ``reversed``
        counts pairs that are turned round; ``winners_kept`` is 1 if exactly the same models win and ``best_wins`` if
        one of the winners still does. A correlation with a ranking that ties all is NaN; so is everything where the
        rule has no answer, or a model no score.
        """
        return self.moves.table.copy()

    def to_frame(self) -> pd.DataFrame:
        """Return one row a rule and setting: the means of the draws, and the spread of ``tau_b``."""
        return self.moves.summary()

    def best_and_worst(self, setting: int) -> str:
        """Say which rule keeps its ranking best in one setting, and which worst."""
        table = self.to_frame()["tau_b"].xs(setting, level=self.moves.setting).reindex(self.rules)
        drawn = counted(self.repeats, "draw")
        if table.isna().all():
            return f"no rule has a ranking to compare ({drawn})."
        best, worst = str(table.idxmax()), str(table.idxmin())
        last = "" if best == worst else f", worst {worst}, {table[worst]:.2f}"
        return f"{best} keeps its ranking best (mean tau-b {table[best]:.2f}{last}; {drawn})."
