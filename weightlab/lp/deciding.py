"""Deciding cells: missing scores that change who can win, or who wins for certain, when they alone become known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from weightlab._record import Record
from weightlab.lp.certificate import leads
from weightlab.lp.completions import Completions

__all__ = ["DecidingCell", "Leads", "deciding_cells"]


@dataclass(frozen=True, kw_only=True)
class DecidingCell(Record):
    """A missing score that decides something alone.

    Attributes
    ----------
    model, task : str
        The cell.
    rules_out : tuple of str
        Models that can win so far and cannot any more after some value of this cell.
    settles : tuple of str
        Models that do not win for certain so far and do after some value of this cell.
    """

    model: str
    task: str
    rules_out: tuple[str, ...]
    settles: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Leads:
    """The leads of every model at fixed weights, in the completions that serve it best and worst.

    Attributes
    ----------
    completions : Completions
        The table with its ranges.
    weights : sequence of Fraction
        One a task.
    """

    completions: Completions
    weights: Sequence[Fraction]

    @cached_property
    def best(self) -> list[list[Fraction]]:
        """The leads over all rivals, a list a model."""
        return self._all(best=True)

    @cached_property
    def worst(self) -> list[list[Fraction]]:
        """The same in the worst completion."""
        return self._all(best=False)

    def _all(self, *, best: bool) -> list[list[Fraction]]:
        count = len(self.completions.board.models)
        return [leads(self.completions.signs(model, best=best), self.weights) for model in range(count)]

    def after(self, model: int, cell: tuple[int, int], gain: Fraction, *, best: bool) -> Fraction:
        """Return a model's least lead in one of these completions, but with the gain of one missing cell known."""
        owner, task = cell
        found = (self.best if best else self.worst)[model]
        rivals = [rival for rival in range(len(self.best)) if rival != model]
        known, weight = {owner: gain}, self.weights[task]
        changed = []
        for rival, lead in zip(rivals, found, strict=True):
            if owner not in (model, rival):
                changed.append(lead)
                continue
            before, now = (self.completions.sign(model, rival, task, best=best, known=one) for one in (None, known))
            changed.append(lead + weight * (now - before))
        return min(changed)


def deciding_cells(found: Leads, possible: Collection[str], necessary: Collection[str]) -> tuple[DecidingCell, ...]:
    """Return the cells that decide something alone, given who can win and who wins for certain.

    A model is ruled out at the value of the cell that is worst for it if at any, and settled at the best.
    """
    board = found.completions.board
    models = board.models
    row = {model: place for place, model in enumerate(models)}
    decide = []
    for cell in board.missing_cells:
        low, high = (found.completions.extreme(cell, best=best) for best in (False, True))
        place = (row[cell[0]], board.tasks.index(cell[1]))
        if low == high or not found.weights[place[1]]:
            continue
        rules_out = tuple(
            model
            for model in models
            if model in possible and found.after(row[model], place, low if model == cell[0] else high, best=True) <= 0
        )
        settles = tuple(
            model
            for model in models
            if model not in necessary
            and found.after(row[model], place, high if model == cell[0] else low, best=False) > 0
        )
        if rules_out or settles:
            decide.append(DecidingCell(model=cell[0], task=cell[1], rules_out=rules_out, settles=settles))
    return tuple(decide)
