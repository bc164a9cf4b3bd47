"""Reading leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._typing import Number, WeightsLike
from weightlab._validate import named_subset
from weightlab.data import Leaderboard, TasksLike
from weightlab.data.cells import Cells
from weightlab.data.groups import Group
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.config import ConfigLike, Settings, listed, settings
from weightlab.io.gather import Gathered, Scores, gathered
from weightlab.io.numbers import number, percentage
from weightlab.io.sheet import FileFaults, Sheet
from weightlab.io.sheets import sheet_of
from weightlab.io.source import PathLike, opened
from weightlab.io.split import extended_names, extended_numbers, extended_weights, part_names, split_scores

__all__ = ["read_leaderboard"]

DECLARED = ("lower_is_better", "weights", "groups", "tolerance", "relative_tolerance")
KEYWORDS = (*DECLARED, "split", "percent", "drop")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What each column of the sheet is, by position."""

    models: int
    tasks: tuple[int, ...]
    blank: tuple[int, ...]
    split: Mapping[int, str]
    percent: frozenset[int]


def read_leaderboard(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    lower_is_better: str | Iterable[str] | None = None,
    weights: WeightsLike | None = None,
    groups: Mapping[str, TasksLike] | None = None,
    split: Mapping[str, str] | None = None,
    percent: str | Iterable[str] | None = None,
    drop: str | Iterable[str] | None = None,
    tolerance: Number | Mapping[str, Number] | None = None,
    relative_tolerance: Number | Mapping[str, Number] | None = None,
    format: str | None = None,  # noqa: A002
) -> Leaderboard:
    """Read a leaderboard: the first column holds the model names, every other column is a task."""
    source = opened(path, format)
    given = {
        "lower_is_better": lower_is_better,
        "weights": weights,
        "groups": groups,
        "split": split,
        "percent": percent,
        "drop": drop,
        "tolerance": tolerance,
        "relative_tolerance": relative_tolerance,
    }
    declared = settings(source, config, given, KEYWORDS, "read_leaderboard")
    faults = FileFaults(source.name)
    sheet = sheet_of(source, faults)
    layout = _layout(sheet, declared, faults)
    found = _gathered(sheet, layout, faults)
    models = _models(sheet, layout, found, faults)
    columns, parts = _columns(sheet, layout, found, faults)
    faults.raise_here()
    try:
        return Leaderboard.from_cells(models, tuple(columns), _cells(columns), **_options(declared, parts, faults))
    except InputError as error:
        raise FileFormatError(source.name, error.faults) from None


def _layout(sheet: Sheet, declared: Settings, faults: FileFaults) -> Layout:
    header = sheet.header
    for keyword in ("split", "percent", "drop"):
        names = declared.names(keyword)
        named_subset(names, header, "column", faults, holder="file", where=declared.place(keyword))
    dropped = set(declared.names("drop"))
    kept = [position for position, name in enumerate(header) if name not in dropped]
    if not kept:
        faults.add("no column is left")
    faults.raise_here()
    models, rest = kept[0], kept[1:]
    tasks = tuple(position for position in rest if header[position].strip())
    _check_names(header, tasks, sheet, faults)
    separators = declared.values.get("split", {})
    percents = set(declared.names("percent"))
    return Layout(
        models=models,
        tasks=tasks,
        blank=tuple(position for position in rest if position not in set(tasks)),
        split={position: separators[header[position]] for position in tasks if header[position] in separators},
        percent=frozenset(position for position in tasks if header[position] in percents),
    )


def _check_names(header: tuple[str, ...], tasks: tuple[int, ...], sheet: Sheet, faults: FileFaults) -> None:
    first: dict[str, int] = {}
    for position in tasks:
        name = header[position]
        if name in first:
            faults.add(f"columns {first[name] + 1} and {position + 1} are both called {name!r}")
        first.setdefault(name, position)


def _gathered(sheet: Sheet, layout: Layout, faults: FileFaults) -> Gathered:
    return gathered(
        sheet,
        faults,
        names=[layout.models],
        scores={
            position: percentage if position in layout.percent else number
            for position in layout.tasks
            if position not in layout.split
        },
        texts=list(layout.split),
        blank=layout.blank,
    )


def _models(sheet: Sheet, layout: Layout, found: Gathered, faults: FileFaults) -> tuple[str, ...]:
    names = found.names[layout.models]
    first: dict[int, int] = {}
    for place, code in zip(found.places.tolist(), names.codes.tolist(), strict=True):
        if code in first and names.distinct[code].strip():
            faults.add(
                f"{sheet.row} {place}: model {names.distinct[code]!r} is there already, in {sheet.row} {first[code]}"
            )
        first.setdefault(code, place)
    return names.distinct


def _columns(
    sheet: Sheet, layout: Layout, found: Gathered, faults: FileFaults
) -> tuple[dict[str, Scores], dict[str, tuple[str, ...]]]:
    columns: dict[str, Scores] = {}
    parts: dict[str, tuple[str, ...]] = {}
    places = [f"{sheet.row} {place}" for place in found.places.tolist()] if layout.split else []
    for position in layout.tasks:
        name = sheet.header[position]
        if position not in layout.split:
            columns[name] = found.scores[position]
            continue
        read = percentage if position in layout.percent else number
        its = split_scores(found.texts[position], places, name, layout.split[position], read, faults)
        parts[name] = part_names(name, len(its))
        for part, scores in zip(parts[name], its, strict=True):
            if part in sheet.header:
                faults.add(f"column {name!r} would be split into {part!r}, which is there already")
            columns[part] = scores
    return columns, parts


def _cells(columns: Mapping[str, Scores]) -> Cells:
    exact: dict[tuple[int, int], Fraction] = {}
    for column, scores in enumerate(columns.values()):
        exact.update({(row, column): value for row, value in scores.exact.items()})
    floats = np.column_stack([scores.floats for scores in columns.values()]) if columns else np.empty((0, 0))
    return Cells(floats=floats, exact=exact)


def _options(declared: Settings, parts: Mapping[str, tuple[str, ...]], faults: FileFaults) -> dict[str, Any]:
    options = {keyword: declared.values[keyword] for keyword in DECLARED if keyword in declared.values}
    weights = extended_weights(options.get("weights"), parts, faults, declared.place("weights"))
    faults.raise_here()
    if weights is not None:
        options["weights"] = weights
    if "lower_is_better" in options:
        options["lower_is_better"] = extended_names(listed(options["lower_is_better"]), parts)
    for keyword in ("tolerance", "relative_tolerance"):
        if keyword in options:
            options[keyword] = extended_numbers(options[keyword], parts)
    if "groups" in options:
        options["groups"] = {
            name: extended_names([members] if isinstance(members, str | Group) else list(members), parts)
            for name, members in options["groups"].items()
        }
    return options
