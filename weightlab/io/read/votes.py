"""Reading votes between two models: battles of an arena, preferences of judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._cures import Cure, Fault, reworded
from weightlab._exact import AnyArray, BoolArray, IntArray, common_denominator
from weightlab._text import counted, first_few
from weightlab._validate import SHOWN_FAULTS
from weightlab.data import Margins
from weightlab.io.formats.open_sheet import open_sheet
from weightlab.io.tables.columns import ColumnData, Names, Scores, read_columns
from weightlab.io.tables.declarations import KEYS, ConfigLike, Settings
from weightlab.io.tables.delimited import SPELT
from weightlab.io.tables.exact_numbers import number, shown
from weightlab.io.tables.sheet import FileFaults, PathLike, Sheet

SIDES = ("model_a", "model_b")
COLUMNS = (*SIDES, "winner")
"""The columns that make a table one of votes; a configuration may call them otherwise."""
KEYWORDS = (*COLUMNS, "weight", "outcomes", *SPELT)
TIES = ("tie", "tie (bothbad)")
MORE_TIES = ("both", "bothbad", "both_bad", "both bad", "draw", "equal")
"""What arenas write where neither answer won; of two bad answers neither is the better one."""


STEMS = ("model", "system", "player", "method", "generation", "assistant")
BETWEEN = ("_", "", " ")
LEFT_AND_RIGHT = (
    ("left", "right"),
    *((f"left{between}{stem}", f"right{between}{stem}") for stem in STEMS for between in BETWEEN),
    *((f"{stem}{between}left", f"{stem}{between}right") for stem in STEMS for between in BETWEEN),
)
OTHERS = (
    *(
        (f"{stem}{between}{one}", f"{stem}{between}{two}")
        for stem in STEMS
        for between in BETWEEN
        for one, two in ("ab", "12")
    ),
    *LEFT_AND_RIGHT,
)
"""What the columns of both models may be called, too."""
WINNERS = ("winner", "vote", "preference", "preferred", "choice", "verdict")
"""What the column of who won may be called."""


def called_otherwise(header: Sequence[str]) -> dict[str, str]:
    """Return the columns of votes that are called as in `OTHERS` and `WINNERS`, by what they are; none without all."""
    known = {name.casefold(): name for name in header}
    pair = next((pair for pair in OTHERS if pair[0] in known and pair[1] in known), None)
    won = next((known[name] for name in WINNERS if name in known), None)
    if pair is None or won is None:
        return {}
    return {"model_a": known[pair[0]], "model_b": known[pair[1]], "winner": won}


class Outcome(IntEnum):
    """How one vote ends."""

    MODEL_A = 0
    MODEL_B = 1
    TIE = 2
    UNKNOWN = 3


MEANINGS = {"model_a": Outcome.MODEL_A, "model_b": Outcome.MODEL_B, "tie": Outcome.TIE}


def read_votes(
    path: PathLike,
    *,
    config: ConfigLike | None = None,
    model_a: str | None = None,
    model_b: str | None = None,
    winner: str | None = None,
    weight: str | None = None,
    outcomes: Mapping[str, str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    table: str | int | None = None,
    member: str | None = None,
    size_limit: float | None = None,
    format: str | None = None,  # noqa: A002
) -> Margins:
    r"""Read votes between two models, one row per vote, as the margins of all head-to-heads.

    Parameters
    ----------
    path : path or open file
        CSV, TSV, JSON, JSON Lines or Parquet with the columns ``model_a``, ``model_b`` and ``winner``, in any order;
        other columns are not read. Either model of a pair may be ``model_a``.
    config : path, open file or mapping, optional
        A TOML file with any of the keywords below; by default the one of the same stem next to the table.
    model_a, model_b, winner : str, optional
        Names of these columns in the file, if different, such as ``home`` and ``away``. Columns such as
        ``generation_a``, ``generation_b`` and ``vote`` are recognised by their names, and so are ``left``, ``right``,
        ``left_model`` and the like; then ``A`` and ``B``, the ends of both names, or ``left`` and ``right`` are
        outcomes, too.
    weight : str, optional
        The column of the weights of the votes; without one every vote weighs 1.
    outcomes : mapping from str to {"model_a", "model_b", "tie"}, optional
        What more words in the column ``winner`` mean, as in ``{"1": "model_a", "2": "model_b", "0": "tie"}``. Known
        are the names of the two columns of models, the name of either model of the row, and words for a tie: ``tie``,
        ``tie (bothbad)``, ``both``, ``draw``, ``equal``.
    separator, decimal, thousands, encoding, table, member, size_limit : optional
        How the file is written and unpacked, as for `read_leaderboard`.
    format : {"csv", "tsv", "json", "jsonl", "parquet"}, optional
        Instead of what the extension says.

    Returns
    -------
    Margins
        Exact wins and ties of every pair, in votes or in the weights of the file; models in order of appearance. A
        tie is half a win for neither: it counts in ``ties`` alone.

    Raises
    ------
    FileFormatError
        Listing everything that is wrong with the file, with its line: words that mean no outcome, missing names,
        models against themselves, weights that are missing or negative.
    InputError
        If the format is not known, or pyarrow is needed and not installed.

    Notes
    -----
    Time and memory are linear in the number of votes, memory quadratic in the number of models. Names are taken as
    they stand. Votes on the same question, or of the same person, are counted as often as they are there.

    References
    ----------
    Chiang et al., "Chatbot Arena: An open platform for evaluating LLMs by human preference", ICML 2024.

    Examples
    --------
    >>> import io
    >>> import weightlab as wl
    >>> file = io.StringIO("model_a,model_b,winner\nada,bo,model_a\nbo,ada,model_b\nbo,cy,tie\n")
    >>> margins = wl.read_votes(file)
    >>> margins.models
    ('ada', 'bo', 'cy')
    >>> margins.margin("ada", "bo")
    Fraction(2, 1)
    """
    given = {keyword: value for keyword, value in locals().items() if keyword in KEYWORDS}
    sheet, declared, faults = open_sheet(
        path,
        format,
        config,
        given,
        allowed=KEYWORDS,
        reader="read_votes",
        only=(*COLUMNS, "weight", *WINNERS, *(name for pair in OTHERS for name in pair)),
    )
    others = called_otherwise(sheet.header)
    declared = declared.with_values(**{**others, **declared.values})
    columns = {one: declared.position(one, sheet.header, faults) for one in COLUMNS}
    if "weight" in declared.values:
        columns["weight"] = declared.position("weight", sheet.header, faults)
    if len(set(columns.values())) < len(columns) and not faults:
        faults.add(f"{' and '.join(columns)} need a column each")
    meant = _meanings(declared, faults)
    faults.raise_here()
    return _counted(sheet, columns, meant, faults)


def _meanings(declared: Settings, faults: FileFaults) -> dict[str, Outcome]:
    """Return the meaning of each known word: the names of the columns, words for ties, and declarations."""
    meant = {str(declared.values.get(side, side)): MEANINGS[side] for side in SIDES}
    meant.update(dict.fromkeys((*TIES, *MORE_TIES), Outcome.TIE))
    if str(declared.values.get("model_a", "model_a")) != "model_a":
        ends = {str(declared.values[side])[-1:]: MEANINGS[side] for side in SIDES if side in declared.values}
        ends = ends if len(ends) == 2 else {}
        if (declared.values["model_a"].casefold(), str(declared.values.get("model_b")).casefold()) in LEFT_AND_RIGHT:
            ends = dict(zip(("left", "right"), MEANINGS.values(), strict=False))
        meant |= {form(end): way for end, way in ends.items() for form in (str.lower, str.upper, str.title)}
    given = declared.values.get("outcomes", {})
    if not isinstance(given, Mapping):
        faults.add(f"{declared.place('outcomes')} must be {KEYS['outcomes'][1]}; got {given!r}")
        return meant
    for word, meaning in given.items():
        if meaning in MEANINGS:
            meant[str(word)] = MEANINGS[meaning]
        else:
            faults.add(f"{declared.place('outcomes')}: {word!r} must be 'model_a', 'model_b' or 'tie'; got {meaning!r}")
    return meant


def _counted(sheet: Sheet, columns: Mapping[str, int], meant: Mapping[str, Outcome], faults: FileFaults) -> Margins:
    """Return the margins of the votes on a sheet, noting each vote that cannot be counted."""
    weighing = columns.get("weight")
    found = read_columns(
        sheet,
        faults,
        names=[columns[side] for side in SIDES],
        words=[columns["winner"]],
        scores={} if weighing is None else {weighing: number},
    )
    winners = found.names[columns["winner"]]
    outcomes = np.array([meant.get(word, Outcome.UNKNOWN) for word in winners.distinct], dtype=np.int8)[winners.codes]
    models, first, second = _merged(*(found.names[columns[side]] for side in SIDES))
    ended = _by_name(winners, outcomes, {name: at for at, name in enumerate(models)}, first, second)
    told = _Teller(sheet, found, faults)
    told.unknown(sheet.header[columns["winner"]], winners, ended, meant)
    for model in np.unique(first[first == second]).tolist()[:SHOWN_FAULTS]:
        told.rows(f"a vote between {models[model]!r} and itself", np.flatnonzero((first == second) & (first == model)))
    weights = None if weighing is None else found.scores[weighing]
    if weights is not None and not faults:
        name = sheet.header[columns["weight"]]
        told.rows(f"no weight in column {name!r}", np.flatnonzero(np.isnan(weights.floats)))
        told.rows(f"a negative weight in column {name!r}", np.flatnonzero(weights.floats < 0))
    faults.raise_here()
    return _margins(models, np.where(ended == Outcome.MODEL_B, [second, first], [first, second]), ended, weights)


def _by_name(winners: Names, outcomes: Any, place: Mapping[str, int], first: IntArray, second: IntArray) -> Any:
    """Return the outcomes where words that mean none may be the name of either model of the row."""
    won = np.array([place.get(word, -1) for word in winners.distinct], dtype=np.int64)[winners.codes]
    unknown = outcomes == Outcome.UNKNOWN
    named = np.where(won == first, Outcome.MODEL_A, np.where(won == second, Outcome.MODEL_B, Outcome.UNKNOWN))
    return np.where(unknown, named, outcomes)


class _Teller:
    """Notes what is wrong once a kind, with the first line and how many more there are."""

    def __init__(self, sheet: Sheet, found: ColumnData, faults: FileFaults) -> None:
        self.sheet, self.found, self.faults = sheet, found, faults

    def rows(self, what: str, rows: IntArray) -> None:
        """Note an error of some rows, if there are any."""
        if len(rows):
            more = f"; and in {counted(len(rows) - 1, 'more row')}" if len(rows) > 1 else ""
            self.faults.add(reworded(f"{self.sheet.place(int(self.found.rows[rows[0]]))}: {what}{more}", what))

    def unknown(self, column: str, winners: Names, outcomes: IntArray, meant: Mapping[str, Outcome]) -> None:
        """Note the words that mean no outcome."""
        rows = np.flatnonzero(outcomes == Outcome.UNKNOWN)
        words = [winners.distinct[code] for code in dict.fromkeys(winners.codes[rows].tolist())]
        if words:
            told = f"{first_few(map(shown, words), 3)} {'is' if len(words) == 1 else 'are'} no outcome"
            known = first_few((repr(one) for one in meant if one not in MORE_TIES), 8)
            cure = Cure("outcomes", dict.fromkeys(words, "tie"), "if it is a tie" if len(words) == 1 else "if all are")
            self.rows(Fault(f"column {column!r}: {told}; known are {known}", cure), rows)


def _merged(one: Names, other: Names) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Return the models of two columns, row by row in order of first appearance, and both columns as their numbers."""
    place: dict[str, int] = {}
    firsts = [(int(row), side, name) for side, names in enumerate((one, other)) for name, row in _first_rows(names)]
    for _, _, name in sorted(firsts):
        place.setdefault(name, len(place))
    first, second = (np.array([place[name] for name in n.distinct], dtype=np.int64)[n.codes] for n in (one, other))
    return tuple(place), first, second


def _first_rows(names: Names) -> zip[tuple[str, Any]]:
    codes, rows = np.unique(names.codes, return_index=True)
    return zip((names.distinct[code] for code in codes.tolist()), rows.tolist(), strict=True)


def _margins(models: tuple[str, ...], pairs: IntArray, outcomes: IntArray, weights: Scores | None) -> Margins:
    """Return the margins of votes, each for the first model of its pair over the second unless it is a tie."""
    numerators, denominator = _numerators(weights, pairs.shape[1])
    tied = outcomes == Outcome.TIE
    wins, ties = (_added(len(models), pairs[:, votes], numerators, votes) for votes in (~tied, tied))
    return Margins(models=models, wins=wins, ties=ties + ties.T, denominator=denominator)


def _added(count: int, pairs: IntArray, numerators: AnyArray | None, votes: BoolArray) -> AnyArray:
    """Return the total weight of the votes of each ordered pair (models x models)."""
    keys = pairs[0] * count + pairs[1]
    if numerators is None:
        return np.bincount(keys, minlength=count * count).reshape(count, count)
    totals = np.zeros(count * count, dtype=numerators.dtype)
    np.add.at(totals, keys, numerators[votes])
    return totals.reshape(count, count)


def _numerators(weights: Scores | None, votes: int) -> tuple[AnyArray | None, int]:
    """Return the weights as integers over a common denominator, int64 where their sum is; None where all are 1."""
    if weights is None:
        return None, 1
    floats, codes = np.unique(weights.floats, return_inverse=True)
    distinct = [Fraction(repr(value)) for value in floats.tolist()]
    for row, value in weights.exact.items():
        codes[row] = len(distinct)
        distinct.append(value)
    scaled, denominator = common_denominator(distinct)
    dtype = np.int64 if max(scaled, default=0) * votes < 1 << 62 else object
    return np.array(scaled, dtype=dtype)[codes], denominator
