"""Columns that hold several scores in a cell, such as 93.9/91.8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._exact import fraction
from weightlab._validate import Faults
from weightlab.exceptions import InputError
from weightlab.io.gather import Scores
from weightlab.io.numbers import ReadNumber, is_missing, numbers, shown

__all__ = ["extended_names", "extended_numbers", "extended_weights", "part_names", "split_scores"]

Parts = Mapping[str, tuple[str, ...]]
"""The tasks that each split column became."""


def part_names(column: str, count: int) -> tuple[str, ...]:
    """Return the names of a column's parts: MRPC_n1, MRPC_n2."""
    return tuple(f"{column}_n{number}" for number in range(1, count + 1))


def split_scores(
    cells: Sequence[Any], places: Sequence[str], column: str, separator: str, read: ReadNumber, faults: Faults
) -> list[Scores]:
    """Return the parts of a column; a cell that is missing as a whole is missing in each.

    The first cell that holds a value says how many parts there are.
    """
    held = [row for row, cell in enumerate(cells) if not _missing(cell)]
    if not held:
        faults.add(f"column {column!r} is to be split and holds no value")
        return []
    count = len(str(cells[held[0]]).split(separator))
    if count == 1:
        where = f"{places[held[0]]}, column {column!r}"
        faults.add(f"{where}: {shown(cells[held[0]])} has no {separator!r} to split at")
        return []
    parts: list[list[str]] = [[""] * len(cells) for _ in range(count)]
    for row in held:
        texts = str(cells[row]).split(separator)
        if len(texts) != count:
            faults.add(
                f"{places[row]}, column {column!r}: {shown(cells[row])} has {len(texts)} parts "
                f"where {shown(cells[held[0]])} ({places[held[0]]}) has {count}"
            )
            continue
        for part, text in zip(parts, texts, strict=True):
            part[row] = text
    return [
        _read(part, places, name, read, faults) for part, name in zip(parts, part_names(column, count), strict=True)
    ]


def extended_names(names: Sequence[str], parts: Parts) -> list[str]:
    """Return the names with each split column replaced by its parts."""
    return [part for name in names for part in parts.get(name, (name,))]


def extended_numbers(given: Any, parts: Parts) -> Any:
    """Return a mapping by task with what is said of a split column said of its parts; other values as they are."""
    if not isinstance(given, Mapping):
        return given
    return {part: number for name, number in given.items() for part in parts.get(str(name), (name,))}


def extended_weights(given: Any, parts: Parts, faults: Faults, place: str) -> Any:
    """Return weights by task in which each split column's weight (1 unless declared) is shared equally by its parts."""
    if not parts:
        return given
    by_name = {} if given is None else given
    if hasattr(by_name, "to_dict"):
        by_name = by_name.to_dict()
    if not isinstance(by_name, Mapping):
        return given
    weights: dict[str, Any] = {str(name): weight for name, weight in by_name.items() if str(name) not in parts}
    for column, its in parts.items():
        named = [part for part in its if part in weights]
        whole = {str(name): weight for name, weight in by_name.items()}.get(column)
        if named and whole is not None:
            faults.add(f"{place}: {column!r} and its part {named[0]!r} both have a weight; give one")
        elif not named:
            weights.update(dict.fromkeys(its, _share(1 if whole is None else whole, len(its))))
    return weights


def _share(weight: Any, count: int) -> Any:
    try:
        return fraction(weight) / count
    except InputError:
        return weight  # no number: refused with the other weights


def _missing(cell: Any) -> bool:
    return cell is None or cell != cell or (isinstance(cell, str) and is_missing(cell))  # noqa: PLR0124 (NaN)


def _read(texts: list[str], places: Sequence[str], name: str, read: ReadNumber, faults: Faults) -> Scores:
    part = numbers(texts, read)
    for row, matter in part.wrong.items():
        faults.add(f"{places[row]}, column {name!r}: {shown(texts[row])} {matter}")
    exact: dict[int, Fraction] = part.exact
    return Scores(floats=np.asarray(part.floats), exact=exact)
