"""Rankings that are no PrefLib files: text such as ``3: A > B = C``, ABIF, and tables of names or places by judge."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from weightlab._result import Frozen
from weightlab._validate import is_missing
from weightlab.exceptions import FileFormatError, InputError
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.reading.propose import peeked
from weightlab.io.sources.urls import bare, is_url
from weightlab.io.tables.columns import plain_name
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet, Source, decoded, opened, unpacked

ABIF = ".abif"
TEXTS = {ABIF, ".txt", ".rankings", ""}
"""Extensions of files that may hold rankings as text."""
TABLES = {".csv", ".tsv", ".tab", ".txt"}
"""Extensions of tables that may hold rankings."""
MOST_DIGITS = 400
HEAD = 1 << 12
"""Bytes that tell whether a file may hold rankings."""
_DIVIDES = re.compile(r"[,;\t]")
MOST_BYTES = 1 << 22
"""Largest file examined for rankings unless it is declared to hold them, in bytes."""
ABOVE, LEVEL = re.compile("[>\u227b]"), re.compile("[=~,]")
FEW_LINES, FEWEST_LINES = 100, 3
"""Lines searched for recurring names, and lines in which a name must appear."""
_NUMBERS = re.compile(r"[-+\d.,%\s]+")
_DECIMAL = re.compile(r"\d++(?:\.\d++)?")
_PLACE = re.compile(r"(?:(?:rank|place|choice|pos|position|preference)[ _-]?)?(\d{1,4})(?:st|nd|rd|th)?", re.IGNORECASE)
_FIRST = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
PLACES = {"", "#", "no", "no.", "place", "pos", "position", "rank", "ranking"}
"""What the column of places is called beside columns of names."""
VOTERS = {"judge", "judges", "voter", "voters", "ranker", "ballot", "juror"}
"""Who gives places; others, such as raters and participants, may give grades, many of them the same."""
JUDGES = {
    *(*VOTERS, "annotator", "rater", "expert", "reviewer"),
    *("faculty", "member", "respondent", "participant", "panelist", "panellist", "critic", "evaluator", "assessor"),
}
"""What the first column of a table of judges is called."""
_JUDGE = re.compile(rf"(?:r|j|{'|'.join(sorted(JUDGES))})[ _-]?\w{{0,3}}", re.IGNORECASE)
"""How columns of judges are called."""

Order = list[tuple[str, ...]]


class Rankings(Frozen):
    """Orders, best first, with who gave them and how much each weighs."""

    orders: list[Order]
    voters: list[str]
    weights: list[Fraction]
    models: list[str]


def rankings_of(path: PathLike, format: str | None = None) -> tuple[Rankings | None, str]:  # noqa: A002
    """Return the rankings in a file, or None where it holds none, and what it is called.

    Raises
    ------
    FileFormatError
        Listing the lines that are no rankings, in a file whose others are.
    """
    suffix = named(path).suffix.casefold()
    source = opened(path, format or ("tsv" if suffix in TEXTS else None), remote=True)
    if suffix in TEXTS and (found := _of_text(source, sure=suffix == ABIF)) is not None:
        return found, source.name
    if suffix in TEXTS | TABLES and (found := _of_lists(decoded(source), suffix)) is not None:
        return found, source.name
    if suffix in {ABIF, ".rankings", ""}:
        return None, source.name
    try:
        sheet, _, faults = open_sheet(source, None, {}, {}, allowed=(), reader="read_profile")
        _, cells = peeked(sheet, None)
        faults.raise_here()
    except InputError:
        return None, source.name
    return _of_table(sheet, [[_text(one) for one in column] for column in cells]), source.name


def named(path: PathLike) -> Path:
    """Return the name of a file once unpacked; for an address, its path."""
    called = path if isinstance(path, str | os.PathLike) else getattr(path, "name", "")
    text = str(called) if isinstance(called, str | os.PathLike) else ""
    return unpacked(Path(bare(text) if is_url(text) else text))


def holds_rankings(file: str) -> bool:
    """Return whether a local file holds rankings as text or as a table."""
    suffix = unpacked(Path(file)).suffix.casefold()
    if suffix == ABIF:
        return True
    if suffix not in TEXTS | TABLES or not os.path.isfile(file) or Path(file).stat().st_size > MOST_BYTES:  # noqa: PTH113
        return False
    with Path(file).open("rb") as held:
        if not _may_hold(held.read(HEAD).decode(errors="replace")):
            return False
    try:
        return rankings_of(file)[0] is not None
    except FileFormatError:
        return False


def _may_hold(head: str) -> bool:
    """Return whether the first lines of a file may be rankings: most files do not hold rankings, and are not parsed."""
    first, _, rest = head.lstrip("\ufeff").partition("\n")
    cells, below = _DIVIDES.split(first), _DIVIDES.split(rest.partition("\n")[0])
    judged = (len(cells) > 1 and _JUDGE.fullmatch(cells[1].strip()) is not None) or cells[0].casefold().replace(
        "_", " "
    ).split(" ")[0] in JUDGES
    placed = any(_place(one) == 1 for one in cells[:2]) or (len(below) > 1 and _place(below[0]) == 1)
    return judged or placed or ABOVE.search(head) is not None or _recurs(head)


def _text(cell: Any) -> str:
    return "" if is_missing(cell) else plain_name(str(cell))


# Text: a ranking per line.


def _of_text(source: Source, *, sure: bool) -> Rankings | None:
    """Return the rankings of a text; None where fewer than half of its lines look like one."""
    lines = [(at, line.strip()) for at, line in enumerate(decoded(source).splitlines(), start=1)]
    lines = [(at, line) for at, line in lines if line and not line.startswith(("#", "{"))]
    called = dict(_called(line) for _, line in lines if line.startswith("="))
    lines = [(at, line) for at, line in lines if not line.startswith("=")]
    like = sum(bool(ABOVE.search(line)) and "\t" not in line for _, line in lines)
    if not lines or (not sure and like * 2 < len(lines)):
        return None
    faults = FileFaults(source.name)
    found = Rankings(orders=[], voters=[], weights=[], models=[*called.values()])
    for at, line in lines:
        label, rest = _labelled(line)
        order = _order(rest, called)
        names = [name for place in order for name in place]
        if not names or not all(names) or len({*names}) < len(names):
            faults.add(f"line {at}: {line[:60]!r} is not a ranking such as '3: A > B = C' of names that differ")
            continue
        is_count = label.isascii() and label.isdecimal() and len(label) < MOST_DIGITS
        found.orders.append(order)
        found.weights.append(Fraction(int(label)) if is_count else Fraction(1))
        found.voters.append(label if label and not is_count else str(len(found.voters) + 1))
    if len({*found.voters}) < len(found.voters):
        found.voters[:] = map(str, range(1, len(found.voters) + 1))
    faults.raise_here()
    every = (name for order in found.orders for place in order for name in place)
    return replace(found, models=[*dict.fromkeys([*called.values(), *every])])


def _recurs(text: str) -> bool:
    """Return whether the entries of the first line recur in lines below: then it is not a header."""
    lines = [_listed(line) for line in text.splitlines()[:FEW_LINES] if line.strip()]
    return len(lines) > 1 and {*lines[0]} <= {name for line in lines[1:] for name in line}


def _of_lists(text: str, suffix: str) -> Rankings | None:
    """Return the rankings of lines that list names, the best first; None where they are no such lists.

    No name is a number or stands twice in a line, those of the first line stand in two lines more, so that it is no
    header, and names stand in three lines on average, as those of candidates do; some line lists several. Names that
    keep to their columns are categories, unless all lines list the same.
    """
    lists = [_listed(line, "\t" if suffix in {".tsv", ".tab"} else ",") for line in text.splitlines() if line.strip()]
    counts = Counter(name for one in lists for name in one)
    if (
        not lists
        or not all(map(all, lists))
        or max(map(len, lists)) < 2
        or any(len({*one}) < len(one) for one in lists)
    ):
        return None
    few = counts.total() < FEWEST_LINES * len(counts) or min(map(counts.__getitem__, lists[0])) < FEWEST_LINES
    if few or any(map(_NUMBERS.fullmatch, counts)) or _keep_to_columns(lists):
        return None
    return _made([[(name,) for name in one] for one in lists], [], [*counts])


def _keep_to_columns(lists: Sequence[Sequence[str]]) -> bool:
    """Return whether lists hold more names than columns, most of them always in the same column."""
    places = Counter(name for name, _ in {(name, at) for one in lists for at, name in enumerate(one)})
    return len(places) > max(map(len, lists)) and 2 * [*places.values()].count(1) > len(places)


def _listed(line: str, sign: str = ",") -> list[str]:
    return [plain_name(one.strip().strip('"')) for one in line.strip().rstrip(sign).split(sign)]


def _called(line: str) -> tuple[str, str]:
    """Return the short name and the whole one of a line of ABIF, ``=Memph:[Memphis, TN]``."""
    short, _, whole = line[1:].partition(":")
    return short.strip(), whole.strip().removeprefix("[").removesuffix("]")


def _labelled(line: str) -> tuple[str, str]:
    """Return the text before the colon of a line, and the ranking after it."""
    label, colon, rest = line.partition(":")
    is_label = colon and not {*label} & set(">=[\u227b") and not rest.startswith("//")
    return (label.strip(), rest.strip()) if is_label else ("", line)


def _without_brackets(text: str) -> tuple[str, list[str]]:
    """Return a text with a number between NULs for each name in brackets, and these names."""
    first, *rest = text.split("[")
    made, held = [first], list[str]()
    for part in rest:
        inside, closed, after = part.partition("]")
        made.append(f"\0{len(held)}\0{after}" if closed else f"[{part}")
        held += [inside] if closed else []
    return "".join(made), held


def _order(text: str, called: Mapping[str, str]) -> Order:
    """Return the places of a ranking; of names with scores and commas between the scores tell the places."""
    plain, held = _without_brackets(text)
    scored: dict[str, Fraction] = {}

    def name(written: str) -> str:
        bare, slash, score = (one.strip() for one in written.rpartition("/"))
        is_scored = slash and bare and len(score) < MOST_DIGITS and _DECIMAL.fullmatch(score)
        bare = bare if is_scored else written.strip()
        bare = held[int(bare.strip("\0"))] if bare.startswith("\0") and bare.strip("\0").isdecimal() else bare
        bare = plain_name(called.get(bare, bare))
        if is_scored:
            scored[bare] = Fraction(score)
        return bare

    places = [tuple(name(one) for one in LEVEL.split(place)) for place in ABOVE.split(plain)]
    names = [one for place in places for one in place]
    if "," in plain and scored.keys() == {*names} and len({*names}) == len(names):
        levels = sorted({*scored.values()}, reverse=True)
        return [tuple(one for one in names if scored[one] == score) for score in levels]
    return places


# Tables: names by place, or places by name.


def _of_table(sheet: Sheet, cells: Sequence[Sequence[str]]) -> Rankings | None:
    """Return the rankings of a table whose rows or columns are judges; None of any other table."""
    header = [plain_name(one) for one in sheet.header]
    rows = [list(row) for row in zip(*cells, strict=True)]
    if len(header) < 2 or not rows:
        return None
    first_word = header[0].casefold().replace("_", " ").split(" ")[0]
    judged = first_word in JUDGES
    places = [_place(name) for name in header]
    start = 0 if places[0] is not None else 1
    # Data frames write 0 over the first of lists of names.
    counted = places[start:] in ([*range(1, len(header) - start + 1)], [*range(len(header))])
    if counted and len(header) - start > 1:
        return _of_names([row[start:] for row in rows], [row[0] for row in rows] if start else [], sure=judged)
    first = [_place(row[0].strip("Tt=- ")) or 0 for row in rows]
    strict = first == list(range(1, len(rows) + 1))
    if (strict or (_is_standing(first) and header[0].casefold() in PLACES)) and len(rows) > 1:
        columns = [[row[at] for row in rows] for at in range(1, len(header))]
        shared = set.intersection(*({*filter(None, one)} for one in columns))
        every = {one for column in columns for one in column if one}
        sure = len(shared) * 2 >= len(every)
        if len(columns) > 1 and (sure or header[0].casefold() in PLACES):
            return _of_names(columns, header[1:], sure=sure, places=first)
    if judged and (first_word in VOTERS or any(map(_is_strict, (row[1:] for row in rows)))):
        return _of_places([row[1:] for row in rows], [row[0] for row in rows], header[1:])
    ranked = len(rows) > 1 and all(map(_is_ranking, cells[1:])) and any(map(_is_strict, cells[1:]))
    if ranked and all(map(_JUDGE.fullmatch, header[1:])):
        return _of_places(cells[1:], header[1:], cells[0])
    return None


def _is_standing(places: Sequence[int]) -> bool:
    """Return whether places follow each other, those that are shared told as often as they are."""
    return places[:1] == [1] and all(one in {places[at - 1], at + 1} for at, one in enumerate(places[1:], start=1))


def _is_ranking(column: Sequence[str]) -> bool:
    """Return whether a column holds places from 1 on, those that are shared counted once or as often as they are."""
    places = [_place(one) or 0 for one in column]
    levels = sorted({*places})
    return levels in (list(range(1, len(levels) + 1)), [1 + sum(one < at for one in places) for at in levels])


def _is_strict(places: Sequence[str]) -> bool:
    """Return whether two places or more are given, and none is shared: grades hardly ever look so."""
    given = [one for one in places if one]
    return len({*given}) == len(given) > 1


def _place(name: str) -> int | None:
    found = _PLACE.fullmatch(name.strip())
    return int(found[1]) if found else _FIRST.get(name.strip().casefold())


def _of_names(
    orders: Sequence[Sequence[str]], voters: Sequence[str], *, sure: bool, places: Sequence[int] = ()
) -> Rankings | None:
    """Return the rankings of names in order of preference, where the names are no numbers and no order repeats one.

    Names with the same rank are tied.
    """
    listed = [[name for name in order if name] for order in orders]
    names = dict.fromkeys(name for order in listed for name in order)
    numbers = any(map(_NUMBERS.fullmatch, names))
    if not names or numbers or any(len({*order}) < len(order) or not order for order in listed):
        return None
    if not sure and len(names) * 2 > sum(map(len, listed)):
        return None  # names that hardly recur are no ballots
    return _made([_levels(order, places or range(len(order))) for order in orders], voters, list(names))


def _levels(names: Sequence[str], places: Sequence[int]) -> Order:
    held: dict[int, list[str]] = {}
    for place, name in zip(places, names, strict=True):
        if name:
            held.setdefault(place, []).append(name)
    return [tuple(level) for level in held.values()]


def _of_places(rows: Sequence[Sequence[str]], voters: Sequence[str], models: Sequence[str]) -> Rankings | None:
    """Return the rankings of places, whole numbers from 1 on in each row."""
    given = [one for row in rows for one in row if one]
    if not given or not all(one.isascii() and one.isdecimal() and 0 < int(one[:9]) <= len(models) for one in given):
        return None
    if len({*models}) < len(models) or not all(models) or not all(any(row) for row in rows):
        return None
    orders: list[Order] = []
    for row in rows:
        levels = sorted({int(one) for one in row if one})
        orders.append([tuple(m for m, one in zip(models, row, strict=True) if one and int(one) == at) for at in levels])
    return _made(orders, voters, list(models))


def _made(orders: list[Order], voters: Sequence[str], models: list[str]) -> Rankings:
    named = list(voters) if voters and all(voters) and len({*voters}) == len(voters) else []
    numbered = named or [str(at) for at in range(1, len(orders) + 1)]
    return Rankings(orders=orders, voters=numbered, weights=[Fraction(1)] * len(orders), models=models)
