"""Deciding cells: missing scores that alone, once known, change who can win by the rule, or who wins for certain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from weightlab._exact import AnyArray, IntArray
from weightlab._result import Frozen, Record
from weightlab.lp.unknown_scores.borda_leads import least_signs
from weightlab.lp.unknown_scores.bounds import BORDA
from weightlab.lp.unknown_scores.spans import Spans

_MOST_TRIED = 2 * 10**8
"""Values of missing cells times pairs of models that are tried by Borda."""


class DecidingCell(Record, eq=True):
    """A missing score that decides something alone.

    Attributes
    ----------
    model, task : str
        The cell.
    rules_out : tuple of str
        Models that by the rule can win so far and cannot any more after some value of this cell.
    settles : tuple of str
        Models that do not win for certain so far and do after some value of this cell.
    """

    model: str
    task: str
    rules_out: tuple[str, ...]
    settles: tuple[str, ...]


class ExtremeLeads(Frozen):
    """The leads of every model at the table's weights, in the completions that serve it best and worst."""

    spans: Spans

    @cached_property
    def _most(self) -> int:
        """More than any lead, in units."""
        return int(self.spans.leads[1].max()) + 1

    @cached_property
    def leads(self) -> tuple[AnyArray, AnyArray]:
        """Leads in units (models x rivals) in the worst and the best completions; above all others over oneself."""
        least, greatest = self.spans.leads
        return self._own(least), self._own(greatest)

    def _own(self, leads: AnyArray) -> AnyArray:
        found = leads.copy()
        np.fill_diagonal(found, self._most)
        return found

    def least(self, *, best: bool) -> list[Fraction]:
        """Return the least lead of each model."""
        return [Fraction(int(one), self.spans.lead_unit) for one in self.leads[best].min(axis=1)]

    def after(self, owner: int, task: int, *, up: bool) -> AnyArray:
        """Return each model's least lead, in units, where a missing cell is at the end that serves it best, or worst.

        All others are where they serve it worst, or best: for its owner the cell itself goes up, for its rivals down.
        """
        spans, leads, weight = self.spans, self.leads[not up], self.spans.weights[task]
        ends = spans.low[:, task], spans.high[:, task]
        mine, theirs = ends[not up], ends[up]
        # Another model's lead changes over the owner alone, and its least over all others is known.
        change = spans.ahead(task, mine, ends[not up][owner]) - spans.ahead(task, mine, theirs[owner])
        least = np.minimum(self._least_but(owner, best=not up), leads[:, owner] + weight * change)
        change = spans.ahead(task, ends[up][owner], theirs) - spans.ahead(task, mine[owner], theirs)
        least[owner] = np.delete(leads[owner] + weight * change, owner).min()
        return np.asarray(least)

    def _least_but(self, rival: int, *, best: bool) -> AnyArray:
        """Return each model's least lead over all rivals but one."""
        first, least, second = self._two_least[best]
        return np.asarray(np.where(first == rival, second, least))

    @cached_property
    def _two_least(self) -> list[tuple[IntArray, AnyArray, AnyArray]]:
        """The rival over whom each model leads least, that lead, and the least over the other rivals; by completion."""
        found = []
        for own in self.leads:
            rows, first = np.arange(len(own)), own.argmin(axis=1)
            others = own.copy()
            others[rows, first] = self._most
            found.append((first, own[rows, first], others.min(axis=1)))
        return found

    def changes(self, owner: int, task: int, can: AnyArray, sure: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return whom some value of a cell rules out, and for whom some value settles it.

        A model is ruled out at the value of the cell that is worst for it if at any, and settled at the best.
        """
        return can & (self.after(owner, task, up=False) <= 0), ~sure & (self.after(owner, task, up=True) > 0)

    def borda_changes(self, owner: int, task: int, can: AnyArray, sure: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return the same by Borda, trying all values that differ: one between two neighbours stands for all there."""
        low, high = (2 * end[:, task] for end in self.spans.places)
        weight = self.spans.weights[task]
        without = self.spans.leads[0] - weight * least_signs(low, high)
        rules_out, settles = np.zeros((2, len(low)), dtype=np.bool_)
        for value in range(int(low[owner]), int(high[owner]) + 1):
            low[owner] = high[owner] = value
            least = without + weight * least_signs(low, high)
            rules_out |= can & (self._own(-least.T).min(axis=1) <= 0)
            settles |= ~sure & (self._own(least).min(axis=1) > 0)
        return rules_out, settles


def deciding_cells(
    found: ExtremeLeads,
    models: Sequence[str],
    tasks: Sequence[str],
    possible: Collection[str],
    necessary: Collection[str],
) -> tuple[DecidingCell, ...] | None:
    """Return the cells that decide something alone; None by Borda where there is too much to try.

    Parameters
    ----------
    found : ExtremeLeads
        The leads.
    models, tasks : sequence of str
        Their names.
    possible, necessary : collection of str
        Who by the rule can win, and who wins for certain.
    """
    spans = found.spans
    can, sure = (np.array([model in some for model in models]) for some in (possible, necessary))
    changes = found.changes
    if spans.rule == BORDA:
        values = (2 * (spans.places[1] - spans.places[0]) + 1)[spans.free].sum()
        if int(values) * len(models) ** 2 > _MOST_TRIED:
            return None
        changes = found.borda_changes
    decide = []
    for owner, task in np.argwhere(spans.free).tolist():  # what can take one value only, or has no weight, changes none
        both = changes(owner, task, can, sure)
        if any(one.any() for one in both):
            out, settled = (tuple(models[row] for row in np.flatnonzero(one)) for one in both)
            decide.append(DecidingCell(model=models[owner], task=tasks[task], rules_out=out, settles=settled))
    return tuple(decide)
