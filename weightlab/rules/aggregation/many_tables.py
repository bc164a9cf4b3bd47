"""Many tables ranked at once: the scores of all tasks' instances in a few passes, however small each table is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from weightlab._exact import FLOAT_EXACT, INT64_SAFE, AnyArray
from weightlab._result import Frozen
from weightlab.data import Instances, Profile
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.named_tables import Table
from weightlab.data.points import NAMED_VECTORS
from weightlab.data.profile import dense_ranks
from weightlab.rules.ranking import Ranking, rank
from weightlab.rules.rule import Rule
from weightlab.rules.scoring import means, positional
from weightlab.rules.scoring.score_table import decimals

BLOCK_CELLS = 1 << 18
"""Tables are put together until they have so many cells; a larger one stands alone."""
Totals: TypeAlias = tuple[AnyArray, list[int]]
"""Scores (tables x models) as integers, and the denominator of each table."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LazyRankings(Mapping[str, Ranking]):
    """The rankings of some tasks of instances, each made when it is first asked for.

    Attributes
    ----------
    instances : Instances
        What is ranked.
    rule : Rule
        By what, with its options.
    names : tuple of str
        The tasks.
    """

    instances: Instances
    rule: Rule
    names: tuple[str, ...]
    _made: dict[str, Ranking] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Ranking:
        """Return the ranking of one task."""
        if name not in self.names:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = rank(self.instances.leaderboard(name), self.rule)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the tasks."""
        return iter(self.names)

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.names)


class TableScores(Frozen):
    """Exact scores of the models in each of many tables; the greater is better.

    Attributes
    ----------
    models, tables : tuple of str
        All models, and the names of the tables.
    rows : list of (list of int, list of int, int)
        For each table where its models stand among all, their scores as integers, and the denominator.
    """

    models: tuple[str, ...]
    tables: tuple[str, ...]
    rows: list[tuple[list[int], list[int], int]]

    def profile(self, weights: Sequence[Fraction]) -> Profile:
        """Return the profile whose voters are the tables; a model that a table lacks is not ranked by it."""
        largest = max(max(map(abs, scores)) for _, scores, _ in self.rows)
        levels = np.full((len(self.tables), len(self.models)), np.nan)
        for line, (places, scores, _) in zip(levels, self.rows, strict=True):
            line[places] = scores if largest < FLOAT_EXACT else _dense(scores)
        return Profile(models=self.models, voters=self.tables, ranks=dense_ranks(levels), weights=tuple(weights))

    def cells(self) -> Cells:
        """Return the scores as the cells of a board, models x tables."""
        shape = (len(self.models), len(self.tables))
        return self._plain_cells(shape) or Cells.from_fractions(self._fractions(), shape)

    def _fractions(self) -> dict[tuple[int, int], Fraction]:
        return {
            (place, column): Fraction(score, denominator)
            for column, (places, scores, denominator) in enumerate(self.rows)
            for place, score in zip(places, scores, strict=True)
        }

    def _plain_cells(self, shape: tuple[int, int]) -> Cells | None:
        """Return the cells without a fraction where all scores are short decimals."""
        tops, bottoms = np.zeros(shape, dtype=object), np.ones(shape, dtype=object)
        floats = np.full(shape, np.nan)
        for column, (places, scores, denominator) in enumerate(self.rows):
            tops[places, column], bottoms[places, column] = scores, denominator
            floats[places, column] = [score / denominator for score in scores]
        found = decimals(np.nan_to_num(floats))
        if found is None or not (found[0].astype(object) * bottoms == tops * found[1]).all():
            return None
        return Cells(floats=floats, exact={})


def scores_of_tables(instances: Instances, names: Sequence[str], rule: Rule) -> TableScores | None:
    """Return what a rule scores the models in some tasks of instances; None where each must be asked for itself.

    Notes
    -----
    The rules are the arithmetic mean and plurality, veto, Borda and Dowdall, on tables without gaps (the latter also
    with ``missing="last"``). O(models x instances x log models), with a fixed effort for each 2**18 cells, not for each
    task.
    """
    summed = _summing(rule)
    tables = [instances.table(name) for name in names]
    if summed is None or any(len(table.models) < 2 for table in tables):
        return None
    position = {model: place for place, model in enumerate(instances.models)}
    lower = set(instances.lower_is_better)
    rows: list[tuple[list[int], list[int], int]] = []
    for start, stop in _batches(tables):
        batch = tables[start:stop]
        totals = summed(
            _together(batch), [len(table.columns) for table in batch], [n in lower for n in names[start:stop]]
        )
        if totals is None:
            return None
        places = [position[model] for model in batch[0].models]
        rows.extend((places, scores, below) for scores, below in zip(totals[0].tolist(), totals[1], strict=True))
    return TableScores(models=instances.models, tables=tuple(names), rows=rows)


Summing: TypeAlias = Callable[[Cells, list[int], list[bool]], "Totals | None"]
"""From cells (models x all instances), the instances of each table, and where lower is better, to the scores."""


def _summing(rule: Rule) -> Summing | None:
    """Return how a rule's scores in many tables are summed at once, if they are sums over instances."""
    options = rule.options
    ties, missing = options.get("ties", "average"), options.get("missing", "error")
    if rule.function is means.mean and missing in {"error", "skip"}:
        return _means
    if rule.name not in NAMED_VECTORS or ties not in {"average", "min", "max"} or missing not in {"error", "last"}:
        return None

    def points(cells: Cells, sizes: list[int], lower: list[bool]) -> Totals | None:
        return _points(cells, sizes, lower, rule.name, ties=ties, last=missing == "last")

    return points


def _batches(tables: Sequence[Table]) -> Iterator[tuple[int, int]]:
    """Go through runs of tables of the same models with few cells in all, or of one table."""
    start, cells = 0, 0
    for place, table in enumerate(tables):
        size = table.cells.floats.size
        if place > start and (table.models != tables[start].models or cells + size > BLOCK_CELLS):
            yield start, place
            start, cells = place, 0
        cells += size
    yield start, len(tables)


def _together(tables: Sequence[Table]) -> Cells:
    """Return the cells of tables of the same models side by side."""
    if len(tables) == 1:
        return tables[0].cells
    exact: dict[tuple[int, int], Fraction] = {}
    before = 0
    for table in tables:
        exact.update({(row, before + column): value for (row, column), value in table.cells.exact.items()})
        before += len(table.columns)
    return Cells(floats=np.concatenate([table.cells.floats for table in tables], axis=1), exact=exact)


def _points(cells: Cells, sizes: list[int], lower: list[bool], vector: str, *, ties: Any, last: bool) -> Totals | None:
    """Return the sums of the points of places; None where a score is missing and may not be."""
    ranks = dense_ranks(cells.levels(lower_is_better=np.repeat(lower, sizes)).T)
    unranked = ranks == 0
    if unranked.any():
        if not last:
            return None
        ranks = np.where(unranked, ranks.max(axis=1, keepdims=True) + 1, ranks)
    return positional.points_of_tables(ranks, sizes, vector, ties)


def _means(cells: Cells, sizes: list[int], lower: list[bool]) -> Totals | None:
    """Return the means of scores; None where one is missing or has more digits than a double."""
    found = None if cells.exact or cells.missing.any() else decimals(cells.floats)
    if found is None:
        return None
    integers, denominator = found
    if int(np.abs(integers).max()) * max(sizes) >= INT64_SAFE:
        return None
    sums = np.add.reduceat(integers, positional.first_rows(sizes), axis=1).T
    sums[np.array(lower)] *= -1
    return sums, [denominator * size for size in sizes]


def _dense(scores: list[int]) -> list[int]:
    """Return small numbers in the same order."""
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    return [place[score] for score in scores]
