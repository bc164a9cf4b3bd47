"""What the statistics of a HELM run say, and which of them count: by split, perturbation and metric."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from weightlab._cures import Cure
from weightlab.exceptions import UnknownNameError
from weightlab.io.evaluations.engine import Number, part
from weightlab.io.evaluations.results import Cases
from weightlab.io.tables.json_table import finite_number
from weightlab.io.tables.sheet import FileFaults


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistic:
    """One statistic.

    Attributes
    ----------
    name, metric, split, perturbation, computed_on : str
        What is told of it; empty where nothing is. The metric is the name with the part of the split that it is of.
    mean : float or Fraction or None
        The decimal in the file, exactly; None where it has none, or no finite one.
    """

    name: str
    metric: str
    split: str
    perturbation: str
    computed_on: str
    mean: Number | None

    @classmethod
    def listed(cls, entries: Any, where: str, faults: FileFaults) -> Iterator[Statistic]:
        """Go through a list of statistics, noting what is none."""
        if not isinstance(entries, list):
            faults.add(f"{where}a list of statistics is needed")
            return
        for position, entry in enumerate(entries, start=1):
            told, under = part(entry, "name"), part(entry, "name", "perturbation")
            if not isinstance(told.get("name"), str):
                faults.add(f"{where}statistic {position} has no name.name")
                continue
            yield cls(
                name=told["name"],
                metric=",".join(filter(None, (told["name"], str(told.get("sub_split") or "")))),
                split=str(told.get("split") or ""),
                perturbation=str(under.get("name") or ""),
                computed_on=str(under.get("computed_on") or ""),
                mean=finite_number(entry.get("mean")),
            )


@dataclass(kw_only=True)
class Choice:
    """Which statistics count.

    Attributes
    ----------
    split : str or None
        The split that counts; by default ``test`` where a metric has it, or else ``valid``, or else what has none.
    perturbation : str or None
        The perturbation that counts; by default none does.
    metrics : sequence of str or None
        The metrics to read; by default all but bookkeeping.
    """

    split: str | None
    perturbation: str | None
    metrics: Sequence[str] | None
    seen: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, split: str | None, perturbation: str | None, metrics: str | Iterable[str] | None) -> Choice:
        """Return what is asked for."""
        wanted = None if metrics is None else (metrics,) if isinstance(metrics, str) else tuple(metrics)
        return cls(split=split, perturbation=perturbation, metrics=wanted)

    def keeps(self, stat: Statistic, cases: Cases) -> bool:
        """Tell whether a statistic is of a metric to read."""
        self.seen[stat.name] = self.seen[stat.metric] = None
        if self.metrics is not None:
            return stat.name in self.metrics or stat.metric in self.metrics
        if is_bookkeeping(stat.name):
            cure = Cure("metrics", [...], "to read nothing else")
            cases.add("Left out as counts without a direction", stat.name, noun="metric", cure=cure)
            return False
        return True

    def leave_perturbation(self, name: str, cases: Cases) -> None:
        """Say that statistics under another perturbation are left out."""
        cure = Cure("perturbation", name, "to read it instead") if name else None
        cases.add("Left out, by perturbation", name or "none", noun="perturbation", cure=cure)

    def scores(
        self, statistics: Iterable[tuple[Any, Statistic]], owner: str, cases: Cases
    ) -> tuple[dict[Any, Number], dict[str, str]]:
        """Return the means that count by key, and the split that counts of each metric; say what is left out."""
        by_metric: dict[str, dict[str, dict[Any, set[Number | None]]]] = {}
        for key, stat in statistics:
            by_metric.setdefault(stat.metric, {}).setdefault(stat.split, {}).setdefault(key, set()).add(stat.mean)
        scores: dict[Any, Number] = {}
        counted: dict[str, str] = {}
        for metric, splits in by_metric.items():
            ordered = ("test", "valid", "") if self.split is None else (self.split,)
            counts = next((split for split in ordered if split in splits), None)
            for other in splits:
                if other != counts:
                    cure = Cure("split", other, "to read it instead") if other else None
                    cases.add("Left out, by split, where another counts", other or "none", noun="split", cure=cure)
            for key, means in splits[counts].items() if counts is not None else ():
                mean = next(iter(means))
                if len(means) > 1 or mean is None:
                    what = "there more than once with different means" if len(means) > 1 else "no mean"
                    on = owner if key == metric else f"{owner}, {key[1][0]}"
                    cases.add(f"Left out, {what}", f"{metric} of {on}", noun="score")
                else:
                    scores[key], counted[metric] = mean, counts or ""
        return scores, counted

    def ensure_known(self) -> None:
        """Refuse metrics that no file has."""
        for metric in self.metrics or ():
            if self.seen and metric not in self.seen:
                raise UnknownNameError("metric", metric, tuple(self.seen), holder="set of runs")


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
