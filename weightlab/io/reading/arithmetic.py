"""Columns that are made of other columns: means, sums, medians and the like, within the rounding of what is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from weightlab._exact import FloatArray, IntArray
from weightlab.io.reading.drafts import Draft, Total
from weightlab.io.reading.words import Hit, hit, words_of
from weightlab.io.tables.columns import cleaned

FEWEST_ROWS = 8
"""Rows that a mean of all other columns must hold in; one whose parts were sought, in three more than it has parts."""
MANY_COLUMNS, MOST_NAMED = 200, 50
"""Above this number, only means and sums of all other columns are tried, and what a word names."""
ANY_RUN = 40
"""Up to this number of columns, a word makes every run of columns be tried."""
SCREENED = 24
"""Rows on which candidates are tried before all of them."""
EXTREMES = {"minimum": {"min", "worst", "minimum"}, "maximum": {"max", "best", "maximum"}}
RELATIVE = 1e-9
"""What doubles add to the rounding of decimals."""


class Open:
    """The columns still undecided, and their numbers."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.drafts = [one for one in drafts if one.role == ""]
        self.table = np.column_stack([one.values for one in self.drafts]) if self.drafts else np.empty((0, 0))
        self.gaps = np.isnan(self.table).sum(axis=1)
        self.rounding = np.array([0.0 if one.whole else one.half_unit for one in self.drafts])
        self.kin: dict[str, list[int]] = {}
        for at, one in enumerate(self.drafts):
            self.kin.setdefault(_first(one.name), []).append(at)

    def worth_trying(self) -> list[Draft]:
        """Return the columns that may be totals: of many only those with a word, and means or sums of all others."""
        if len(self.drafts) <= MANY_COLUMNS:
            return self.drafts
        table = self.table[:: max(1, len(self.table) // SCREENED)]
        given = ~np.isnan(table)
        own, sums = np.where(given, table, 0), np.where(given, table, 0).sum(axis=1, keepdims=True)
        others = np.maximum(given.sum(axis=1, keepdims=True) - 1, 1)
        near = 2 * np.array([one.half_unit for one in self.drafts]) + float(self.rounding.max())
        close = (np.abs(own - (sums - own) / others) <= near) | (np.abs(own - (sums - own)) <= near * others)
        good = (close & given).sum(axis=0) >= 0.7 * np.maximum(given.sum(axis=0), 1)
        return [one for one, able in zip(self.drafts, good.tolist(), strict=True) if able or _word(one)]

    def some(self, at: int) -> FloatArray:
        """Return some rows that have a column, the fullest and spread over the table."""
        rows = np.flatnonzero(~np.isnan(self.table[:, at]))
        full = rows[self.gaps[rows] == 0]
        rows = full if len(full) >= SCREENED else rows[np.argsort(self.gaps[rows], kind="stable")][: 8 * SCREENED]
        return np.asarray(self.table[rows[:: max(1, len(rows) // SCREENED)]])


def find_totals(drafts: Sequence[Draft]) -> None:
    """Decide which columns are means, sums, medians, extremes or deviations of others, until no more are found.

    A column holds within half a unit of its own last place, and so do its parts; whole numbers were not rounded, and a
    total that a word names may have been cut, not rounded. With few rows a true task equals the mean of others by
    chance: on four rows in half of all tables. Hence the floors of rows, below which a word must agree.
    """
    for _ in range(4):
        if not _pass(Open(drafts)):
            return


def _pass(open_: Open) -> bool:
    """Look at each column once, and return whether any was found to be made of the others."""
    rows, found = len(open_.table), False
    tried = open_.worth_trying()
    if len(open_.drafts) > MANY_COLUMNS and len(tried) > MOST_NAMED:
        tried = []  # a word in many headers is part of their names
    for draft in [*tried]:
        word = _word(draft)
        if len(open_.drafts) < 3 or (rows < FEWEST_ROWS and not word) or draft.distinct < 3:
            continue
        total = _total(open_, open_.drafts.index(draft), named=word is not None)
        if total is None:
            continue
        searched = len(total.parts) < len(open_.drafts) - 1
        enough = total.rows >= (max(FEWEST_ROWS, len(total.parts) + 3) if searched else FEWEST_ROWS)
        if not enough and word is None:
            continue
        draft.decide("aggregate", *(("certain", str(total)) if enough else ("likely", f"{total}, and its name")))
        draft.total, found, open_ = total, True, Open(open_.drafts)
    return found


def _word(draft: Draft) -> Hit | None:
    return hit(draft.name, "aggregate") or hit(draft.name, "place")


def _first(name: str) -> str:
    return re.split(r"[\s_.:/-]", cleaned(name))[0].casefold()


def _total(open_: Open, at: int, *, named: bool) -> Total | None:
    """Return how a column is made of others, the largest set of them first."""
    draft, some = open_.drafts[at], open_.some(at)
    for parts in _sets(open_, some, at, named=named):
        whole = len(parts) == len(open_.drafts) - 1
        for kind in _kinds(draft, some[:, parts], whole=whole, named=named):
            slack = _slack(kind, draft, open_.rounding[parts], named=named)
            if kind == "sum" and len(parts) < 3 and not named:
                continue  # of two columns and their difference nothing says which is made of the others
            if _agreeing(some[:, at], _made(kind, some[:, parts]), slack) <= (0.7 if named else 0.999):
                continue
            names = [open_.drafts[one].name for one in parts]
            total = _verified(kind, draft, open_.table[:, parts], slack, names, named=named)
            if total is not None:
                return total
    return None


def _kinds(draft: Draft, parts: FloatArray, *, whole: bool, named: bool) -> list[str]:
    """Return the combinations of some parts to try."""
    kinds = ["mean", "sum"]
    if whole or named:
        kinds += ["median", "standard deviation"]
        kinds += [kind for kind, words in EXTREMES.items() if words.intersection(words_of(draft.name))]
        kinds += ["mean of those given"] if np.isnan(parts).any() else []
    return kinds


def _made(kind: str, parts: FloatArray) -> FloatArray:
    """Return the value the parts make in each row; NaN where one is missing, unless that is what the kind skips."""
    if kind == "mean":
        return np.asarray(parts.mean(axis=1))
    if kind == "sum":
        return np.asarray(parts.sum(axis=1))
    if kind == "median":
        return np.asarray(np.median(parts, axis=1))
    if kind == "standard deviation":
        return np.asarray(parts.std(axis=1, ddof=1))
    if kind in EXTREMES:
        return np.asarray(parts.min(axis=1) if kind == "minimum" else parts.max(axis=1))
    given = ~np.isnan(parts)
    sums, counts = np.where(given, parts, 0).sum(axis=1), given.sum(axis=1)
    return np.asarray(np.divide(sums, counts, out=np.full(len(parts), np.nan), where=counts > 0))


def _slack(kind: str, draft: Draft, rounding: FloatArray, *, named: bool) -> float:
    """Return how far a total may be from what its parts make: the roundings of all, once more its own where cut."""
    inside = float(rounding.sum() if kind == "sum" else rounding.mean() if kind.startswith("mean") else rounding.max())
    if kind == "sum" and inside == 0 and draft.whole:
        return 0.0
    return inside + draft.half_unit * (2 if named else 1)


def _agreeing(values: FloatArray, made: FloatArray, slack: float) -> float:
    """Return in what share of the rows that have both they agree; 0 where none has."""
    use = ~np.isnan(values) & ~np.isnan(made)
    close = np.abs(values[use] - made[use]) <= slack + RELATIVE * np.abs(values[use])
    return float(close.mean()) if use.any() else 0.0


def _verified(
    kind: str, draft: Draft, parts: FloatArray, slack: float, names: Sequence[str], *, named: bool
) -> Total | None:
    """Return the total, if it holds in all rows that have its parts, with a word in nine of ten of at least twenty."""
    made = _made(kind, parts)
    use = np.flatnonzero(~np.isnan(draft.values) & ~np.isnan(made))
    if len(use) < 3 or (kind == "sum" and (parts == 0).mean(axis=0).max() > 0.5):
        return None
    off = np.abs(draft.values[use] - made[use]) > slack + RELATIVE * np.abs(draft.values[use])
    spread = np.nanmax(np.where(np.isnan(parts[use]).any(axis=1), np.nan, np.ptp(parts[use], axis=1)), initial=0)
    if spread <= 8 * draft.half_unit or (off.any() and not (named and len(use) >= 20 and off.mean() <= 0.1)):
        return None  # parts that agree in every row prove nothing
    wrong = tuple((int(row), float(draft.values[row]), float(made[row])) for row in use[off])
    return Total(kind=kind, parts=tuple(names), rows=len(use), agree=len(use) - len(wrong), wrong=wrong)


def _sets(open_: Open, some: FloatArray, at: int, *, named: bool) -> Iterator[list[int]]:
    """Yield sets of columns that may make up one, the largest first: all others, those of its first word, runs."""
    count = len(open_.drafts)
    others = [one for one in range(count) if one != at]
    plain = [one for one in others if _word(open_.drafts[one]) is None] if named else others
    if 1 < len(plain) < len(others):
        yield plain  # a mean of all that is no total itself, rather than of these as well
    yield others
    kin = [one for one in open_.kin[_first(open_.drafts[at].name)] if one != at]
    runs = [kin] if 1 < len(kin) < len(others) else []
    if count <= MANY_COLUMNS:
        starts, ends = np.triu_indices(count + 1, 2)
        beside = (ends == at) | (starts == at + 1)
        tried = beside | ((ends < at) | (starts > at + 1)) if named and count <= ANY_RUN else beside
        loose = 2 * (open_.drafts[at].half_unit + float(open_.rounding.max()))
        runs += _agreeing_runs(some, at, (starts[tried], ends[tried]), loose, 0.7 if named else 1)
    yield from sorted((run for run in runs if len(run) < len(others)), key=len, reverse=True)


def _agreeing_runs(
    some: FloatArray, at: int, runs: tuple[IntArray, IntArray], slack: float, share: float
) -> list[list[int]]:
    """Return the runs whose mean or sum a column is in most of some rows, by differences of running sums."""
    sums = np.pad(np.cumsum(np.where(np.isnan(some), 0, some), axis=1), ((0, 0), (1, 0)))
    gaps = np.pad(np.cumsum(np.isnan(some), axis=1), ((0, 0), (1, 0)))
    low, high = runs
    made, given = sums[:, high] - sums[:, low], (high - low) - (gaps[:, high] - gaps[:, low])
    own = some[:, [at]]
    near = slack + RELATIVE * np.abs(own)
    close = np.abs(own - made / np.maximum(given, 1)) <= near
    close |= np.abs(own - made) <= near * np.maximum(given, 1)
    use = given > 0
    good = (close & use).sum(axis=0) >= share * np.maximum(use.sum(axis=0), 1)
    return [[*range(first, last)] for first, last in zip(low[good].tolist(), high[good].tolist(), strict=True)]
