"""Margins from and to PrefLib's weighted graphs (.wmd, .pwg, .wmg) and square matrices (.dat)."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, common_denominator, fraction
from weightlab._validate import Faults
from weightlab.data import Margins
from weightlab.data.frame.cells import exact_text
from weightlab.exceptions import InputError
from weightlab.io.preflib.files import PrefLibText, check_alternatives, header_lines, preflib_text, write_lines
from weightlab.io.tables.sheet import FileFaults, PathLike, format_of

PAIRS = {".wmd": "wmd", ".pwg": "pwg", ".wmg": "wmg", ".mjg": "mjg", ".tog": "tog", ".dat": "dat"}
"""Weighted edges, counts of votes for every pair, of majorities, and unweighted majorities; a square of numbers."""
MARGINS_ONLY = ("wmg",)
COUNT_FIRST = ("pwg", "wmg", "mjg", "tog")
UNWEIGHTED = ("mjg", "tog")
_INDEX = re.compile(r"[0-9]{1,9}")
Weights = dict[tuple[int, int], Fraction]


def read_margins(path: PathLike, *, format: str | None = None) -> Margins:  # noqa: A002
    r"""Read margins from a PrefLib file of weighted pairs, or from a square matrix with a PrefLib header.

    Parameters
    ----------
    path : path or open file
        ``.wmd`` has rows ``winner, loser, weight``; the older ``.pwg`` (weight of the votes for each pair), ``.wmg``
        (of the majority), ``.mjg`` and ``.tog`` (majorities that count 1) have rows ``weight,winner,loser``. ``.dat``
        has a row of numbers a model, divided by commas or blanks.
    format : {"wmd", "pwg", "wmg", "mjg", "tog", "dat"}, optional
        Instead of what the extension says; needed for a stream.

    Returns
    -------
    Margins
        Exact. The wins are the weights of the file and the ties are 0: no such file holds them. A matrix with a
        negative number is one of margins, and must be antisymmetric; any other holds the wins.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong, with the line.

    Notes
    -----
    Time is linear in the size of the file, memory quadratic in the number of models.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> text = "# ALTERNATIVE NAME 1: ada\n# ALTERNATIVE NAME 2: bo\n1, 2, 2.5\n2, 1, 1\n"
    >>> wl.io.read_margins(io.StringIO(text), format="wmd").margin("ada", "bo")
    Fraction(3, 2)
    """
    text, faults = preflib_text(path, format, PAIRS)
    weights = _matrix(text, faults) if text.kind == "dat" else _edges(text, faults)
    _check_pairs(text, weights, faults)
    faults.raise_here()
    count = len(text.alternatives)
    numerators, denominator = common_denominator(list(weights.values()))
    fits = sum(map(abs, numerators)) < 1 << 62
    wins: AnyArray = np.zeros((count, count), dtype=np.int64 if fits else object)
    for place, numerator in zip(weights, numerators, strict=True):
        wins[place] = max(numerator, 0)
    return Margins(models=text.models, wins=wins, ties=np.zeros_like(wins), denominator=denominator)


def _edges(text: PrefLibText, faults: FileFaults) -> Weights:
    """Return the weights of the rows of three numbers."""
    column = text.column
    weights: Weights = {}
    for number, line in text.rows:
        parts = [part.strip() for part in line.split(",")]
        if len(parts) != 3:
            faults.add(f"line {number}: {line[:60]!r} is not a row of three numbers divided by commas")
            continue
        written, *pair = parts if text.kind in COUNT_FIRST else (parts[2], parts[0], parts[1])
        ends = [_index(text, number, one, faults) for one in pair]
        weight = _number(number, written, faults)
        if weight is None or None in ends:
            continue
        winner, loser = (column[one] for one in ends if one is not None)
        if (winner, loser) in weights:
            faults.add(f"line {number}: the pair {pair[0]}, {pair[1]} occurs twice")
        if winner == loser:
            faults.add(f"line {number}: {pair[0]} is paired with itself")
        weights[winner, loser] = weight
    if "NUMBER ROWS" in text.fields:
        text.check("NUMBER ROWS", len(text.rows), "row", faults)
    text.check("NUMBER EDGES", len(text.rows), "edge", faults)
    return weights


def _matrix(text: PrefLibText, faults: FileFaults) -> Weights:
    """Return the cells of a square matrix."""
    count = len(text.alternatives)
    if len(text.rows) != count:
        faults.add(f"a square matrix has a row per model: {count}, not {len(text.rows)}")
    weights: Weights = {}
    for row, (number, line) in enumerate(text.rows):
        cells = line.replace(",", " ").split()
        if len(cells) != count:
            faults.add(f"line {number}: a square matrix has {count} numbers a row; there are {len(cells)}")
        for column, cell in enumerate(cells):
            weight = _number(number, cell, faults)
            if weight:
                weights[row, column] = weight
    return weights


def _index(text: PrefLibText, number: int, written: str, faults: FileFaults) -> int | None:
    if _INDEX.fullmatch(written) and int(written) in text.alternatives:
        return int(written)
    faults.add(f"line {number}: {written[:40]!r} is the number of no alternative in the header")
    return None


def _number(number: int, written: str, faults: FileFaults) -> Fraction | None:
    try:
        return fraction(written)
    except InputError:
        faults.add(f"line {number}: {written[:40]!r} is not a number")
        return None


def _check_pairs(text: PrefLibText, weights: Weights, faults: FileFaults) -> None:
    """Note weights that are neither of wins nor of margins."""
    models = text.models
    of_margins = text.kind == "dat" and any(weight < 0 for weight in weights.values())
    for (row, column), weight in weights.items():
        duel = f"{models[row]!r} over {models[column]!r}" if max(row, column) < len(models) else ""
        back = weights.get((column, row), Fraction(0))
        if not duel:
            continue  # a row too long, noted already
        if of_margins and weight + back:
            faults.add(f"with negative numbers it is a matrix of margins, but {duel} is {weight} and back {back}")
        elif row == column and weight:
            faults.add(f"{models[row]!r} has the weight {weight} over itself; the diagonal is 0")
        elif weight < 0 and not of_margins:
            faults.add(f"the weight of {duel} is negative: {weight}")
        if text.kind in UNWEIGHTED and weight != 1:
            faults.add(f"the weight of {duel} is {weight}; in a .{text.kind} file every majority counts 1")
        if text.kind in (*MARGINS_ONLY, *UNWEIGHTED) and row < column and weight and back:
            faults.add(f"{duel} and back both have a weight; a .{text.kind} file holds majorities")


def write_margins(
    margins: Margins,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    scaled: bool = False,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write margins to a PrefLib file of weighted pairs, or to a square matrix with a PrefLib header.

    Parameters
    ----------
    margins : Margins
        What is to be written.
    path : path
        ``.wmd`` and ``.dat`` hold the wins, with a row a winning pair or as a square; ``.pwg`` holds the wins of every
        pair and ``.wmg`` the positive margins, both in the older form and in whole numbers.
    title : str
        For the header, if there is one.
    scaled : bool
        Whether all are multiplied by their common denominator; otherwise what the format cannot write is refused:
        fractions that no decimal equals, such as 1/3, and in the older form all fractions.
    format : {"wmd", "pwg", "wmg", "dat"}, optional
        Instead of what the extension says.

    Raises
    ------
    InputError
        If a weight or name cannot be written, or the format holds no weights.
    FileFormatError
        If the file cannot be written.

    Notes
    -----
    What `read_margins` reads back has equal margins (``scaled`` ones where asked for). The weight of ties is not kept.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import weightlab as wl
    >>> margins = wl.Profile.from_orders([["a", "b"], ["b", "a"], ["a", "b"]]).margins()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     wl.io.write_margins(margins, Path(folder) / "votes.pwg")
    ...     print((Path(folder) / "votes.pwg").read_text(), end="")
    2
    1,a
    2,b
    3,3,2
    2,1,2
    1,2,1
    """
    where = Path(path)
    kind = format_of(where, format, PAIRS)
    faults = Faults()
    check_alternatives(margins.models, faults)
    if kind in UNWEIGHTED:
        faults.add(f"a .{kind} file holds no weights; write .wmg, .pwg, .wmd or .dat")
        faults.raise_if_any()
    held = np.maximum(margins.array, 0) if kind in MARGINS_ONLY else margins.wins
    cells = _written(margins, held, whole=kind in COUNT_FIRST, scaled=scaled, faults=faults)
    faults.raise_if_any()
    if kind in COUNT_FIRST:
        lines = _old_lines(margins, cells, every=kind == "pwg", denominator=1 if not scaled else margins.denominator)
    else:
        body = [",".join(row) for row in cells] if kind == "dat" else _triples(cells)
        numbers = {"NUMBER ALTERNATIVES": len(margins.models)} | ({} if kind == "dat" else {"NUMBER EDGES": len(body)})
        lines = [*header_lines(where, kind, title, numbers, margins.models), *body]
    write_lines(where, lines)


def _written(margins: Margins, held: AnyArray, *, whole: bool, scaled: bool, faults: Faults) -> list[list[str]]:
    """Return the weights as text, models x models, noting those that have none."""
    cells: list[list[str]] = []
    for row, numbers in enumerate(held.tolist()):
        cells.append([])
        for column, numerator in enumerate(numbers):
            weight = Fraction(numerator, 1 if scaled else margins.denominator)
            text = exact_text(weight)
            cells[row].append(text)
            if (whole and weight.denominator > 1) or "/" in text:
                duel = f"{margins.models[row]!r} over {margins.models[column]!r}"
                form = "whole numbers" if whole else "decimals"
                cure = Cure("scaled", value=True, effect=f"to multiply by {margins.denominator}")
                faults.add(Fault(f"the weight of {duel} is {weight}, and the file holds {form}", cure))
    return cells


def _triples(cells: Sequence[Sequence[str]]) -> list[str]:
    return [
        f"{row},{column},{text}"
        for row, texts in enumerate(cells, start=1)
        for column, text in enumerate(texts, start=1)
        if text != "0"
    ]


def _old_lines(margins: Margins, cells: Sequence[Sequence[str]], *, every: bool, denominator: int) -> list[str]:
    """Return the whole of an older file: names, then voters, sum of counts and rows, then one row per pair."""
    rows = [
        f"{text},{row},{column}"
        for row, texts in enumerate(cells, start=1)
        for column, text in enumerate(texts, start=1)
        if row != column and (every or text != "0")
    ]
    total = sum(int(row.split(",", 1)[0]) for row in rows)
    duels = margins.wins + margins.wins.T + margins.ties
    voters = -(-int(duels.max(initial=0)) * denominator // margins.denominator)
    named = [f"{number},{model}" for number, model in enumerate(margins.models, start=1)]
    return [str(len(named)), *named, f"{voters},{total},{len(rows)}", *rows]
