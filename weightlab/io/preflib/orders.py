"""Profiles from and to PrefLib files of orders: .soc, .soi, .toc, .toi."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np

from weightlab._cures import Cure, Fault
from weightlab._exact import common_denominator
from weightlab._validate import Faults
from weightlab.data import Order, Profile
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.preflib.files import PrefLibText, check_alternatives, header_lines, preflib_text, write_lines
from weightlab.io.preflib.rankings import named, rankings_of
from weightlab.io.tables.sheet import FileFaults, PathLike, format_of

ORDERS = {".soc": "soc", ".soi": "soi", ".toc": "toc", ".toi": "toi"}
"""Strict or tied orders, complete or incomplete."""
_PLACE = r"(?:[0-9]{1,9}|\{(?:[0-9]{1,9}(?:,[0-9]{1,9})*)?\})"
_ROW = re.compile(rf"([0-9]{{1,400}}):((?:{_PLACE}(?:,{_PLACE})*,?)?)")


def read_profile(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002
    unlisted: Literal["last", "unknown"] = "last",
) -> Profile:
    r"""Read a profile from a PrefLib file of orders, rankings as text, ABIF, or a table of judges.

    Parameters
    ----------
    path : path or open file
        The extension says what it may hold: ``.soc`` and ``.soi`` strict orders, ``.toc`` and ``.toi`` orders with
        ties; ``.soc`` and ``.toc`` complete ones, ``.soi`` and ``.toi`` incomplete ones too. Other files hold a ranking
        per line, ``3: A > B = C``, where a number before the colon counts its voters; ABIF (``.abif``), where names may
        be in brackets and followed by scores; or a table: rows of judges with names under the ranks 1, 2, ..., columns
        of judges next to the ranks, or a column ``judge`` next to models with their ranks.
    format : {"soc", "soi", "toc", "toi"}, optional
        Instead of what the extension says; needed for a stream of PrefLib's.
    unlisted : {"last", "unknown"}
        What a voter says of models that it leaves out: as in elections they are behind all others, and tie there, or
        nothing.

    Returns
    -------
    Profile
        A voter a row of the file, called ``"1"``, ``"2"``, ..., whose weight is the multiplicity of the row. Models
        stand in the order of their numbers.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong: rows that are no orders, alternatives without a name or twice in an order,
        ties or gaps that the extension excludes, numbers in the header that the file does not bear out.

    Notes
    -----
    Both the form of today (``# KEY: value``) and that of the older collections are read. PrefLib does not say whether
    an alternative that an order leaves out is last or was not on the ballot: ``unlisted`` does.
    Time and memory are linear in the number of rows times the number of alternatives.

    References
    ----------
    N. Mattei and T. Walsh, "PrefLib: A Library for Preferences", ADT 2013.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> text = "# ALTERNATIVE NAME 1: ada\n# ALTERNATIVE NAME 2: bo\n# ALTERNATIVE NAME 3: cy\n3: 1,{2,3}\n2: 2\n"
    >>> profile = wl.io.read_profile(io.StringIO(text), format="toi")
    >>> profile.orders
    ((('ada',), ('bo', 'cy')), (('bo',), ('ada', 'cy')))
    >>> print(*profile.weights)
    3 2
    """
    if unlisted not in {"last", "unknown"}:
        raise InputError(f"unlisted must be 'last' or 'unknown'; got {unlisted!r}")
    found = _of_preflib(path, format) if is_of_preflib(path, format) else _of_rankings(path)
    return found.with_unlisted_last() if unlisted == "last" else found


def is_of_preflib(path: PathLike, format: str | None = None) -> bool:  # noqa: A002
    """Return whether a file is named like one of PrefLib's orders, or declared as one."""
    return format is not None or named(path).suffix.casefold() in ORDERS


def _of_rankings(path: PathLike) -> Profile:
    found, name = rankings_of(path)
    if found is None:
        raise FileFormatError(
            name, f"no rankings: lines such as '3: A > B = C', a table of judges or {_KINDS} are needed"
        )
    models = found.models or None
    try:
        return Profile.from_orders(found.orders, models=models, voters=found.voters, weights=found.weights)
    except InputError as error:
        raise FileFormatError(name, error.faults) from None


_KINDS = ", ".join(ORDERS)


def _of_preflib(path: PathLike, format: str | None) -> Profile:  # noqa: A002
    text, faults = preflib_text(path, format, ORDERS)
    column = text.column
    rows = [_row(text, number, line, faults) for number, line in text.rows]
    for (number, _), (_, order) in zip(text.rows, rows, strict=True):
        _check_order(text, number, order, faults)
    _check_counts(text, rows, faults)
    faults.raise_here()
    models = text.models
    orders = [[tuple(models[column[one]] for one in place) for place in order] for _, order in rows]
    try:
        return Profile.from_orders(orders, models=models, weights=[count for count, _ in rows])
    except InputError as error:
        raise FileFormatError(text.name, error.faults) from None


Row = tuple[int, tuple[tuple[int, ...], ...]]


def _row(text: PrefLibText, number: int, line: str, faults: FileFaults) -> Row:
    """Return the multiplicity and the order of a row."""
    bare = "".join(line.split())
    found = _ROW.fullmatch(bare.replace(",", ":", 1) if text.old and ":" not in bare else bare)
    if found is None:
        form = "3,1,{2,4}" if text.old else "3: 1,{2,4}"
        faults.add(f"line {number}: {line[:60]!r} is not a row such as '{form}' (a count, then numbers, best first)")
        return 0, ()
    places = [re.findall(r"[0-9]+", place) for place in re.findall(_PLACE, found[2])]
    return int(found[1]), tuple(tuple(map(int, place)) for place in places if place)


def _check_order(text: PrefLibText, number: int, order: tuple[tuple[int, ...], ...], faults: FileFaults) -> None:
    listed = [one for place in order for one in place]
    unknown = sorted(set(listed) - set(text.alternatives))
    twice = sorted({one for one in listed if listed.count(one) > 1}) if len(set(listed)) < len(listed) else []
    for one in unknown:
        faults.add(f"line {number}: alternative {one} has no name in the header")
    for one in twice:
        faults.add(f"line {number}: alternative {one} is ranked twice")
    if unknown or twice or not listed:
        return
    if text.kind[0] == "s" and len(order) < len(listed):
        tied = next(place for place in order if len(place) > 1)
        faults.add(f"line {number}: {tied[0]} and {tied[1]} tie; a .{text.kind} file holds strict orders")
    if text.kind[2] == "c" and len(listed) < len(text.alternatives):
        missing = next(one for one in sorted(text.alternatives) if one not in listed)
        faults.add(f"line {number}: alternative {missing} is not ranked; a .{text.kind} file holds complete orders")


def _check_counts(text: PrefLibText, rows: list[Row], faults: FileFaults) -> None:
    """Note if the header's counts of voters or orders do not match: this reveals a truncated file."""
    total = sum(count for count, _ in rows)
    text.check("NUMBER VOTERS", total, "voter", faults)
    text.check("SUM OF COUNTS", total, "voter", faults)
    text.check("NUMBER ROWS", len(rows), "row", faults)
    distinct = len({order for _, order in rows})
    if text.fields.get("NUMBER UNIQUE ORDERS") != str(len(rows)):
        text.check("NUMBER UNIQUE ORDERS", distinct, "distinct order", faults)
    if not rows:
        faults.add("there is no row below the header")


def write_profile(
    profile: Profile,
    path: str | os.PathLike[str],
    *,
    title: str = "",
    scaled: bool = False,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a profile to a PrefLib file of orders.

    Parameters
    ----------
    profile : Profile
        What is to be written.
    path : path
        Its extension must fit the profile: ``.toi`` fits any, ``.soc`` only strict and complete orders.
    title : str
        For the header.
    scaled : bool
        Whether weights that are not whole numbers are multiplied by their common denominator; otherwise they are
        refused, since PrefLib counts voters.
    format : {"soc", "soi", "toc", "toi"}, optional
        Instead of what the extension says.

    Raises
    ------
    InputError
        If the orders do not fit the extension, weights are not whole, or a name cannot be written.
    FileFormatError
        If the file cannot be written.

    Notes
    -----
    Equal orders become one row, so that every PrefLib reader counts them; names of voters are not kept. What
    `read_profile` reads back, models that are not listed ``unknown``, has the same weight of voters behind every order,
    and hence the same margins.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b"], ["b", "a"], ["a", "b"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     wl.io.write_profile(profile, Path(folder) / "votes.soc", title="three voters")
    ...     print((Path(folder) / "votes.soc").read_text(), end="")
    # FILE NAME: votes.soc
    # TITLE: three voters
    # DATA TYPE: soc
    # NUMBER ALTERNATIVES: 2
    # NUMBER VOTERS: 3
    # NUMBER UNIQUE ORDERS: 2
    # ALTERNATIVE NAME 1: a
    # ALTERNATIVE NAME 2: b
    2: 1,2
    1: 2,1
    """
    where = Path(path)
    kind = format_of(where, format, ORDERS)
    faults = Faults()
    check_alternatives(profile.models, faults)
    _check_fits(profile, kind, faults)
    counts = _whole(profile, faults, scaled=scaled)
    faults.raise_if_any()
    number = {model: str(position) for position, model in enumerate(profile.models, start=1)}
    rows: dict[str, int] = {}
    for order, count in zip(profile.orders, counts, strict=True):
        text = ",".join(_place_text([number[model] for model in place]) for place in order)
        rows[text] = rows.get(text, 0) + count
    numbers = {
        "NUMBER ALTERNATIVES": len(profile.models),
        "NUMBER VOTERS": sum(counts),
        "NUMBER UNIQUE ORDERS": len(rows),
    }
    body = [f"{count}: {order}".rstrip() for order, count in rows.items()]
    write_lines(where, [*header_lines(where, kind, title, numbers, profile.models), *body])


def _place_text(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{{{','.join(numbers)}}}"


def _check_fits(profile: Profile, kind: str, faults: Faults) -> None:
    tied = next((voter for voter, order in _orders(profile) if any(len(place) > 1 for place in order)), None)
    if kind[0] == "s" and tied is not None:
        told = f"voter {tied!r} ties models, and a .{kind} file holds strict orders; write .t{kind[1:]}"
        faults.add(Fault(told, Cure(".break_ties", {"how": "alphabetical"})))
    gaps = np.flatnonzero((profile.ranks == 0).any(axis=1))
    if kind[2] == "c" and len(gaps):
        voter = profile.voters[int(gaps[0])]
        faults.add(f"voter {voter!r} leaves models out, and a .{kind} file holds complete orders; write .{kind[:2]}i")


def _orders(profile: Profile) -> list[tuple[str, Order]]:
    return list(zip(profile.voters, profile.orders, strict=True))


def _whole(profile: Profile, faults: Faults, *, scaled: bool) -> list[int]:
    """Return the weights as whole numbers."""
    numerators, denominator = common_denominator(profile.weights)
    if denominator == 1 or scaled:
        return numerators
    voter, weight = next(
        (voter, weight)
        for voter, weight in zip(profile.voters, profile.weights, strict=True)
        if Fraction(weight).denominator > 1
    )
    told = f"voter {voter!r} weighs {weight}, and PrefLib counts whole voters"
    faults.add(Fault(told, Cure("scaled", value=True, effect=f"to multiply by {denominator}")))
    return numerators
