"""What the statistics of a HELM run say, and which of them count: by split, perturbation and metric."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from weightlab._cures import Cure, Fault
from weightlab._exact import fraction
from weightlab._validate import nearest_or_exact
from weightlab.exceptions import UnknownNameError
from weightlab.io.evaluations.results import listed_briefly
from weightlab.io.tables.json_table import finite_number
from weightlab.io.tables.sheet import FileFaults

Number: TypeAlias = float | Fraction
"""A decimal of a file, exactly: a double that prints as it, or else a fraction."""
WORST = "worst"
"""What HELM says of a statistic that is computed on the worst of an instance and its perturbed copies."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HelmStat:
    """One statistic.

    Attributes
    ----------
    name, split, sub_split, perturbation, computed_on : str
        What is told of it; empty where nothing is.
    mean : float or Fraction or None
        The decimal in the file, exactly; None where it has none, or no finite one.
    """

    name: str
    split: str
    sub_split: str
    perturbation: str
    computed_on: str
    mean: Number | None

    @property
    def metric(self) -> str:
        """The metric of the result: the name, with the part of the split that it is of."""
        return f"{self.name},{self.sub_split}" if self.sub_split else self.name


def helm_stats(document: Any, where: str, faults: FileFaults) -> list[HelmStat]:
    """Return the statistics in a list of them, noting what is none; of a file that could not be read there are none."""
    if document is None:
        return []
    if not isinstance(document, list):
        faults.add(f"{where}: a list of statistics is needed")
        return []
    stats = []
    for position, entry in enumerate(document, start=1):
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, dict) or not isinstance(name.get("name"), str):
            faults.add(f"{where}: statistic {position} has no name.name")
            continue
        perturbation = name.get("perturbation")
        told = perturbation if isinstance(perturbation, dict) else {}
        stats.append(
            HelmStat(
                name=name["name"],
                split=str(name.get("split") or ""),
                sub_split=str(name.get("sub_split") or ""),
                perturbation=str(told.get("name") or ""),
                computed_on=str(told.get("computed_on") or ""),
                mean=finite_number(entry.get("mean")),
            )
        )
    return stats


@dataclass(kw_only=True)
class Choice:
    """Which statistics count, and what was left out on the way.

    Attributes
    ----------
    split : str or None
        The split that counts; by default ``test`` where a metric has it, or else ``valid``, or else what has none.
    perturbation : str or None
        The perturbation that counts; by default none does.
    metrics : sequence of str or None
        The metrics to read; by default all but bookkeeping.
    directed : frozenset of str
        The bookkeeping that is read none the less.
    """

    split: str | None = None
    perturbation: str | None = None
    metrics: Sequence[str] | None = None
    directed: frozenset[str] = frozenset()
    seen: dict[str, None] = field(default_factory=dict)
    left: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    def keeps(self, stat: HelmStat) -> bool:
        """Tell whether a statistic is of a metric to read."""
        self.seen[stat.name] = self.seen[stat.metric] = None
        if self.metrics is not None:
            return stat.name in self.metrics or stat.metric in self.metrics
        if is_bookkeeping(stat.name) and stat.name not in self.directed:
            self.leave("bookkeeping", stat.name)
            return False
        return True

    def scores(self, stats: Iterable[HelmStat], owner: str) -> dict[str, tuple[str, Number]]:
        """Return the split of each metric that counts and its mean there, and note what is left out of one owner's.

        About a perturbation HELM's own tables take the worst of an instance and its perturbed copies: so does this.
        """
        by_metric: dict[str, dict[str, list[HelmStat]]] = {}
        for stat in filter(self.keeps, stats):
            if stat.perturbation != (self.perturbation or ""):
                self.leave("perturbation", stat.perturbation or "none")
            elif not stat.perturbation or stat.computed_on == WORST:
                by_metric.setdefault(stat.metric, {}).setdefault(stat.split, []).append(stat)
        scores: dict[str, tuple[str, Number]] = {}
        for metric, splits in by_metric.items():
            counts = self.split_of(splits)
            means = {stat.mean for stat in splits.get(counts, ())}
            if len(means) == 1 and None not in means:
                scores[metric] = (counts, next(mean for mean in means if mean is not None))
            elif means:
                self.leave("no mean" if means == {None} else "different means", owner, metric)
        return scores

    def split_of(self, splits: Iterable[str]) -> str:
        """Return the split that counts among those that there are, noting the others."""
        there = tuple(splits)
        ordered = ("test", "valid", "") if self.split is None else (self.split,)
        counts = next((split for split in ordered if split in there), "none of them")
        for split in there:
            if split != counts:
                self.leave("split", split or "none")
        return counts

    def leave(self, what: str, name: str, metric: str = "") -> None:
        """Remember that something was left out."""
        self.left.setdefault((what, metric), {})[name] = None

    def check_metrics(self) -> None:
        """Refuse metrics that no file has."""
        for metric in self.metrics or ():
            if metric not in self.seen:
                raise UnknownNameError("metric", metric, tuple(self.seen), holder="set of runs")

    def notes(self) -> list[str]:
        """Say what was left out."""
        return [
            Fault(_LEFT[what].format(metric=repr(metric), names=listed_briefly(names)), *_cure(what, [*names]))
            for (what, metric), names in self.left.items()
        ]


_LEFT = {
    "bookkeeping": "Left out as counts without a direction: {names}.",
    "perturbation": "Left out, by perturbation: {names}.",
    "split": "Left out, by split: {names} (another one counts).",
    "no mean": "Left out, no mean: {metric} of {names}.",
    "different means": "Left out, there more than once with different means: {metric} of {names}.",
}


def _cure(what: str, names: Sequence[str]) -> tuple[Cure, ...]:
    """Return how what was left out is read; ``none`` is no name."""
    other = next((name for name in names if name != "none"), None)
    if what == "bookkeeping":
        return (Cure("metrics", names, "to read nothing else"),)
    if what == "perturbation" and other is not None:
        return (Cure("perturbation", other, "to read it instead"),)
    return (Cure("split", other, "to read it instead"),) if what == "split" and other is not None else ()


def exact_mean(numbers: Sequence[Number]) -> Number:
    """Return the mean of at least one number, exactly."""
    if len(numbers) == 1:
        return numbers[0]
    return nearest_or_exact(sum(map(fraction, numbers), Fraction(0)) / len(numbers))


# In which direction the metrics of HELM lead: what its own schemas say, and nothing else.

_VARIANT = re.compile(r"@[0-9]+$| \(topk=[0-9]+\)$")
"""What the name of a metric may end in, without a change of what it measures."""


@cache
def direction_of(metric: str) -> bool | None:
    """Return whether higher is better by HELM's schemas, or None where they say nothing or contradict each other.

    A part of a split may stand behind the name (``toxic_frac,nontoxic``), and what HELM adds to it for the best of
    several outputs (``exact_match@10``) or for a choice among candidates.
    """
    name = metric.partition(",")[0]
    said = _direction(name)
    return _direction(_VARIANT.sub("", name)) if said is None else said


@cache
def beyond_arrow_lower() -> frozenset[str]:
    """Return the metrics that "Beyond Arrow" reads as lower is better; HELM itself says so of three of them."""
    return frozenset(_table()["beyond_arrow_lower"])


@cache
def is_bookkeeping(metric: str) -> bool:
    """Tell whether a metric counts what was done, and has no direction."""
    return _like_any(metric, _table()["bookkeeping_patterns"])


def _direction(name: str) -> bool | None:
    table = _table()
    if name in table["lower"] or _like_any(name, table["lower_patterns"]):
        return False
    return True if name in table["higher"] or _like_any(name, table["higher_patterns"]) else None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("helm_metrics.toml").read_text(encoding="utf-8"))


def _like_any(name: str, patterns: list[str]) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in patterns)
