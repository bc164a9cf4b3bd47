"""In which direction the metrics of HELM lead: what its own schemas say, and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["direction_of", "is_bookkeeping"]

_VARIANT = re.compile(r"@[0-9]+$| \(topk=[0-9]+\)$")
"""What the name of a metric may end in, without a change of what it measures."""


@cache
def direction_of(metric: str) -> bool | None:
    """Return whether higher is better by HELM's schemas, or None where they say nothing or contradict each other.

    A part of a split may stand behind the name (``toxic_frac,nontoxic``), and what HELM adds to it for the best of
    several outputs (``exact_match@10``) or for a choice among candidates.
    """
    name = metric.partition(",")[0]
    said = _said(name)
    return _said(_VARIANT.sub("", name)) if said is None else said


@cache
def is_bookkeeping(metric: str) -> bool:
    """Tell whether a metric counts what was done, and has no direction."""
    return _like_any(metric, _table()["bookkeeping_patterns"])


def _said(name: str) -> bool | None:
    table = _table()
    if name in table["lower"] or _like_any(name, table["lower_patterns"]):
        return False
    return True if name in table["higher"] or _like_any(name, table["higher_patterns"]) else None


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("helm_metrics.toml").read_text(encoding="utf-8"))


def _like_any(name: str, patterns: list[str]) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in patterns)
