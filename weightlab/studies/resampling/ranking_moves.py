"""How far rankings of changed tables move from a reference: what several studies count, draw by draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import NormalDist
from typing import Annotated, Self

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, BoolArray, IntArray
from weightlab._result import Codec, Record, ensure
from weightlab._text import counted
from weightlab.data import Order
from weightlab.rules import rho_matrix, tau_matrix, top_agreement
from weightlab.studies.independence.order_changes import pair_changes
from weightlab.studies.resampling.bootstrap import ensure_places, places_form, read_winners, winners_to_json
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
    reference: Annotated[IntArray, places_form(2)]
    reference_first: Annotated[BoolArray, Codec(winners_to_json, read_winners, ("reference",))]
    levels: Annotated[IntArray, places_form(4)]
    first: Annotated[BoolArray, Codec(winners_to_json, read_winners, ("levels",))]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
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
        """Return what was found, listed draw by draw, in each by setting, in each by rule."""
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
        reference = self.reference[rule]
        drawn = self.levels[setting, :, rule]
        places = zip(drawn, self.first[setting, :, rule], strict=True)
        rows = [self._one(reference, rule, levels, first) for levels, first in places]
        table = pd.DataFrame(rows, columns=["top", "reversed", "winners_kept", "best_wins"])
        return table.assign(draw=np.arange(len(rows)), **self._correlations(reference, drawn))

    def _one(self, reference: IntArray, rule: int, levels: IntArray, first: BoolArray) -> list[float]:
        if levels[0] < 0:
            return [np.nan] * 4
        own = self.reference_first[rule]
        shared = top_agreement(order_of(reference, self.models), order_of(levels, self.models), self.top)
        kept = bool((own == first).all())
        turned = (pair_changes(reference, levels)[:, 3] < 0).sum()
        return [float(shared), int(turned), float(kept), float((own & first).any())]

    def _correlations(self, reference: IntArray, levels: IntArray) -> dict[str, AnyArray]:
        found = {name: np.full(len(levels), np.nan) for name in ("tau_b", "rho", "top_rho")}
        best = np.flatnonzero(reference <= np.sort(reference)[self.top - 1])
        answered = np.flatnonzero(levels[:, 0] >= 0)
        for start in range(0, len(answered), CHUNK):
            rows = answered[start : start + CHUNK]
            orders = [order_of(one, self.models) for one in (reference, *levels[rows])]
            names = [self.models[place] for place in best.tolist()]
            tops = [order_of(one[best], names) for one in (reference, *levels[rows])]
            found["tau_b"][rows] = tau_matrix(orders)[0, 1:]
            found["rho"][rows] = rho_matrix(orders)[0, 1:]
            found["top_rho"][rows] = rho_matrix(tops)[0, 1:]
        return found

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
            same = np.array_equal(self.reference[rule], other.reference[rule]) and np.array_equal(
                self.reference_first[rule], other.reference_first[rule]
            )
            ensure(same, f"the ranking by {name!r} of the whole table is another one")
        differs = (self.levels != other.levels).any(axis=3) | (self.first != other.first).any(axis=3)
        wrong = np.argwhere(differs)
        if len(wrong):
            setting, draw, rule = wrong[0].tolist()
            name = self.rules[rule]
            ensure(
                holds=False, failure=f"draw {draw} of {self.settings[setting]}, {name!r}: the ranking is another one"
            )


def order_of(levels: AnyArray, models: Sequence[str]) -> Order:
    """Return the weak order, best first, of models whose places are given."""
    groups: dict[int, list[str]] = {}
    for place in np.argsort(levels, kind="stable").tolist():
        groups.setdefault(int(levels[place]), []).append(models[place])
    return tuple(tuple(group) for group in groups.values())


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
