"""The rule of a table that declares none: the mean where its scores have a unit in common."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from weightlab._exact import FloatArray
from weightlab._text import counted

MEASURED_WORDS = frozenset(
    {"time", "times", "runtime", "latency", "duration", "second", "seconds", "sec", "secs", "ms", "minute", "minutes"}
    | {"min", "mins", "hour", "hours", "hrs", "day", "days", "throughput", "speed", "fps"}
    | {"cost", "costs", "price", "usd", "eur", "gbp", "dollar", "dollars", "euro", "euros"}
    | {"size", "param", "params", "parameter", "parameters"}
    | {"byte", "bytes", "kb", "mb", "gb", "tb", "kib", "mib", "gib"}
    | {"memory", "ram", "vram", "macs", "flop", "flops", "mflops", "gflops", "tflops"}
    | {"energy", "power", "watt", "watts", "joule", "joules", "wh", "kwh", "mwh", "co2", "emissions", "carbon"}
)
"""Whole words in the names of times, costs, sizes and energies, which are never averaged with scores."""
COUNT_WORDS = frozenset({"n", "num", "number", "count", "counts", "calls", "tokens", "wins", "votes", "battles"})
"""Whole words in the names of counts; whole numbers alone are counts, as "Clevr-Count" may be an accuracy."""
MEASURED_SIGNS = re.compile(r"[$€£¥#]|[(\[]\s*(?:s|h|d|b|j|w|m)\s*[)\]]", re.IGNORECASE)
"""Signs of money, numbers and units in brackets, as in ``"cost ($)"`` and ``"Encode [s]"``."""
SMALL, LARGE, APART = 1, 100, 1.5
"""Shares lie within the first, percentages within the second, and the largest of these is above the third."""


def own_rule(tasks: Sequence[str], lower: Collection[str], floats: FloatArray) -> tuple[str, str]:
    """Return the rule of a table that declares none, ``"mean"`` or ``"borda"``, and why it is that one.

    The mean needs scores that can be added: all tasks count in one direction, none is a time, cost, count, size or
    energy by a word or sign in its name, and all are shares (within -1 to 1) or all percentages (within -100 to 100,
    the largest above 1.5). O(models x tasks).
    """
    if 0 < len(lower) < len(tasks):
        return "borda", f"lower is better on {_tasks(len(lower))} and higher on the others"
    for column, task in enumerate(tasks):
        if _is_measured(task, floats[:, column]):
            return "borda", f"{task!r} is a time, cost, count, size or energy by its name"
    sizes = np.nanmax(np.abs(floats), axis=0)
    if (sizes <= SMALL).all():
        return "mean", f"all tasks have scores within -{SMALL} to {SMALL}"
    highest = np.nanmax(floats, axis=0)
    percentages = (sizes <= LARGE) & (highest > APART)
    if percentages.all():
        return "mean", f"all tasks have scores within -{LARGE} to {LARGE}"
    if ((sizes <= SMALL) | percentages).all():
        count = int((sizes <= SMALL).sum())
        return "borda", f"{_tasks(count)} {'has' if count == 1 else 'have'} scores within -1 to 1 and others do not"
    strange = tasks[int(np.argmin((sizes <= SMALL) | percentages))]
    return "borda", f"the scores on {strange!r} are neither shares nor percentages"


def _tasks(count: int) -> str:
    return counted(count, "task")


def _is_measured(task: str, scores: np.ndarray) -> bool:
    words = set(re.findall(r"[a-z]+2?", task.casefold()))
    if words & MEASURED_WORDS or MEASURED_SIGNS.search(task):
        return True
    known = scores[~np.isnan(scores)]
    return bool(words & COUNT_WORDS) and bool((known == np.round(known)).all())
