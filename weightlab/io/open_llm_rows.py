"""Rows of the Open LLM Leaderboard: one a model, by what is declared and never silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from weightlab._exact import fraction
from weightlab._validate import is_missing, named_subset
from weightlab.exceptions import UnknownNameError
from weightlab.io.results import listed_briefly
from weightlab.io.sheet import FileFaults

__all__ = ["Duplicates", "OpenLlmRow", "one_a_model"]

Duplicates: TypeAlias = Literal["separate", "best", "newest", "first"]
"""What is done where a model has several rows with different scores."""


@dataclass(frozen=True, kw_only=True)
class OpenLlmRow:
    """One row.

    Attributes
    ----------
    model, place : str
        Whose it is, and where it stands.
    scores : mapping from int to number
        By the position of the column; missing ones are absent.
    told : mapping from str to cell
        What tells it from other rows of the model, and whether it is flagged.
    """

    model: str
    place: str
    scores: Mapping[int, float | Fraction]
    told: Mapping[str, Any]

    def text(self, key: str) -> str:
        """Return what a column tells, as text; empty where it tells nothing."""
        cell = self.told.get(key)
        return "" if is_missing(cell) else str(cell).strip()

    @property
    def submitted(self) -> str:
        """When it was submitted, as a text that sorts by time."""
        return self.text("submissiondate") or self.text("date")

    @property
    def flagged(self) -> bool:
        """Whether the leaderboard flags it."""
        return self.text("flagged").casefold() in {"true", "1", "yes"}

    @property
    def mean(self) -> Fraction:
        """The exact mean of its scores."""
        return sum(map(fraction, self.scores.values()), Fraction(0)) / len(self.scores)


def one_a_model(
    rows: Sequence[OpenLlmRow],
    notes: list[str],
    faults: FileFaults,
    *,
    precision: str | Iterable[str] | None,
    flagged: bool,
    duplicates: Duplicates | None,
) -> list[OpenLlmRow]:
    """Return a row a model, saying which others there are; note as a fault where nothing says which counts."""
    if duplicates is not None and duplicates not in get_args(Duplicates):
        raise UnknownNameError(
            "way with duplicates", duplicates, get_args(Duplicates), holder="reader of the leaderboard"
        )
    kept = _of_precision(rows, precision, notes, faults)
    kept = _by_flag(kept, notes, keep=flagged)
    if empty := [row.model for row in kept if not row.scores]:
        notes.append(f"Left out, no score: {listed_briefly(empty)}.")
    by_model: dict[str, list[OpenLlmRow]] = {}
    for row in kept:
        if row.scores:
            by_model.setdefault(row.model, []).append(row)
    chosen: list[OpenLlmRow] = []
    alike, several = [], []
    for model, its in by_model.items():
        distinct = _distinct(its)
        if len(distinct) < len(its):
            alike.append(model)
        if len(distinct) > 1:
            several.append(model)
        chosen += _chosen(distinct, duplicates, faults) if len(distinct) > 1 else distinct
    if alike:
        notes.append(f"Several rows with the same scores, of which the first counts: {listed_briefly(alike)}.")
    if several and duplicates is not None:
        notes.append(f"Several rows with different scores, {_SAID[duplicates]}: {listed_briefly(several)}.")
    return chosen


_SAID: Mapping[Duplicates, str] = {
    "separate": "each a model of its own",
    "best": "of which the one with the highest mean counts, the first of equals",
    "newest": "of which the one that was submitted last counts",
    "first": "of which the first counts",
}


def _of_precision(
    rows: Sequence[OpenLlmRow], precision: str | Iterable[str] | None, notes: list[str], faults: FileFaults
) -> list[OpenLlmRow]:
    if precision is None:
        return list(rows)
    known = tuple(dict.fromkeys(row.text("precision") for row in rows))
    wanted = named_subset(precision, known, "precision", faults, holder="file")
    left = [row.model for row in rows if row.text("precision") not in wanted]
    if left:
        notes.append(f"Left out, rows of other precisions: {len(left)}, of {listed_briefly(left)}.")
    return [row for row in rows if row.text("precision") in wanted]


def _by_flag(rows: Sequence[OpenLlmRow], notes: list[str], *, keep: bool) -> list[OpenLlmRow]:
    named = listed_briefly(row.model for row in rows if row.flagged)
    if named and keep:
        notes.append(f"Flagged by the leaderboard, and kept: {named}; flagged=False leaves them out.")
    elif named:
        notes.append(f"Left out, flagged by the leaderboard: {named}.")
    return [row for row in rows if keep or not row.flagged]


def _distinct(rows: Iterable[OpenLlmRow]) -> list[OpenLlmRow]:
    """Return the first of rows with the same scores."""
    kept: list[OpenLlmRow] = []
    for row in rows:
        if not any(row.scores == other.scores for other in kept):
            kept.append(row)
    return kept


def _chosen(rows: list[OpenLlmRow], duplicates: Duplicates | None, faults: FileFaults) -> list[OpenLlmRow]:
    """Return what counts of the rows of one model that differ, or note that nothing says it."""
    places = ", ".join(row.place for row in rows)
    if duplicates is None:
        of = ", ".join(dict.fromkeys(row.text("precision") or "unknown" for row in rows))
        faults.add(
            f"{rows[0].model!r} has {len(rows)} rows with different scores ({places}; precision {of}); say "
            "precision=..., or duplicates='separate', 'best', 'newest' or 'first'"
        )
        return []
    if duplicates == "separate":
        return _separate(rows)
    if duplicates == "first":
        return rows[:1]
    if duplicates == "best":
        return [max(rows, key=lambda row: row.mean)]
    last = max(row.submitted for row in rows)
    newest = [row for row in rows if row.submitted == last]
    if len(newest) > 1 or not last:
        faults.add(f"{rows[0].model!r}: no date tells which of its rows is the newest ({places})")
    return newest[:1]


def _separate(rows: list[OpenLlmRow]) -> list[OpenLlmRow]:
    """Return the rows under names of their own: with the precision, and what more is needed to tell them apart."""
    labels = [[row.text("precision"), row.text("modelsha")[:7], row.place] for row in rows]
    for parts in range(1, 4):
        names = [", ".join(filter(None, label[:parts])) for label in labels]
        if all(names) and len(set(names)) == len(names):
            break
    return [replace(row, model=f"{row.model} ({name})") for row, name in zip(rows, names, strict=True)]
