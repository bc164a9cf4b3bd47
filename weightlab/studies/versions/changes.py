"""What changed between two versions of a table, who moved, and which changes explain each swap of two models."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import as_float
from weightlab._result import Frozen, Record, Result, ensure
from weightlab._text import among, counted, first_few, in_words, percent, without
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.convert import as_scores
from weightlab.data.frame.cells import Cells, exact_text
from weightlab.data.linear_rule import POINT_RULES, rule_words
from weightlab.exceptions import InputError, ProofError
from weightlab.graph import condorcet_winner
from weightlab.rules import rank

TOP = 10
"""Number of first models of either version to compare."""


def in_short(gap: Fraction) -> str:
    """Return a difference of means in human-readable form: three digits."""
    return f"{as_float(gap):.3g}"


def own_rule(board: Leaderboard) -> str:
    """Return the rule by which a table's models have places: its own, where that is a linear one, else Borda's."""
    return board.rule if board.rule in POINT_RULES else "borda"


class Means(Frozen):
    """One version of a table, its models by mean or by another rule: those that lack a score that weighs have no place.

    Attributes
    ----------
    board : Leaderboard
        The version.
    rule : str
        By which they have places.
    """

    board: Leaderboard
    rule: str = "mean"

    @cached_property
    def values(self) -> dict[str, dict[str, Fraction | None]]:
        """The scores by task and model."""
        columns = (self.board.cells.column(place) for place in range(len(self.board.tasks)))
        models = self.board.models
        return {task: dict(zip(models, its, strict=True)) for task, its in zip(self.board.tasks, columns, strict=True)}

    @cached_property
    def shares(self) -> dict[str, Fraction]:
        """The tasks' shares of the weight, negative where lower is better: with them a mean is a weighted sum."""
        total, lower = sum(self.board.weights), set(self.board.lower_is_better)
        weights = zip(self.board.tasks, self.board.weights.tolist(), strict=True)
        return {task: (-weight if task in lower else weight) / total for task, weight in weights}

    @cached_property
    def means(self) -> dict[str, Fraction]:
        """The weighted mean of each model that has every score, best first."""
        found = {}
        for model in self.board.models:
            terms = [(share, self.values[task][model]) for task, share in self.shares.items() if share]
            if all(value is not None for _, value in terms):
                found[model] = sum((share * value for share, value in terms if value is not None), Fraction(0))
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each of them by the rule; models that tie share the first of theirs."""
        if self.rule != "mean":
            if len(self.means) < 2:
                return dict.fromkeys(self.means, 1)
            found = rank(self.board.select(models=[one for one in self.board.models if one in self.means]), self.rule)
            return {str(model): int(found.ranks[model]) for model in found.scores.index}
        means = list(self.means.values())
        first = {mean: place for place, mean in reversed(list(enumerate(means, start=1)))}
        return {model: first[mean] for model, mean in self.means.items()}


class CellChange(Record, eq=True):
    """A score that changed, and what that did to the lead of one model over another.

    Attributes
    ----------
    model, task : str
        Whose score on what.
    old, new : Fraction
        The scores.
    weight : Fraction
        The task's share of the weight.
    gap : Fraction
        By how much the change moved the difference of the two means; undone it moves back.
    """

    model: str
    task: str
    old: Fraction
    new: Fraction
    weight: Fraction
    gap: Fraction

    def __str__(self) -> str:
        """Say the change in half a sentence."""
        scores = f"from {exact_text(self.old)} to {exact_text(self.new)}"
        return f"{self.model} on {self.task} {scores} (weight {percent(self.weight)}, gap {in_short(self.gap)})"


class Swap(Record, eq=True):
    """Two models in another order than before, and the fewest changes that explain it.

    Attributes
    ----------
    passed, passing : str
        Who was ahead and is behind, and who was behind and is ahead.
    before, after : Fraction
        By how much the one was, and the other is, ahead in the mean.
    reweighted : bool
        Whether weights or tasks explain a part of it: scores of the two alone would not undo the swap.
    cells : tuple of CellChange
        The fewest of their scores that undo the swap when they are as before (with tasks and weights as before where
        ``reweighted`` says so); the greatest first.
    """

    passed: str
    passing: str
    before: Fraction
    after: Fraction
    reweighted: bool
    cells: tuple[CellChange, ...]

    @property
    def causes(self) -> str:
        """What undoes the swap, in words."""
        told = ["other tasks or weights"] * self.reweighted + [first_few(map(str, self.cells), 3)] * bool(self.cells)
        return "; ".join(told)

    def __str__(self) -> str:
        """Say who passes whom and why."""
        lead = f"{in_short(self.before)} behind, now {in_short(self.after)} ahead"
        return f"{self.passing} passes {self.passed} ({lead}): {self.causes}."


class Changes(Result, kind="changes"):
    """What changed between two versions of a table.

    Attributes
    ----------
    old, new : Leaderboard
        The versions.
    """

    derived = ("moves", "swaps")

    old: Leaderboard
    new: Leaderboard

    @cached_property
    def rule(self) -> str:
        """The rule by which models have places: the new version's own."""
        return own_rule(self.new)

    @cached_property
    def _means(self) -> tuple[Means, Means]:
        return Means(board=self.old, rule=self.rule), Means(board=self.new, rule=self.rule)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of both versions, in the order of the new one."""
        return tuple(among(self.new.models, self.old.models))

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of both versions, in the order of the new one."""
        return tuple(among(self.new.tasks, self.old.tasks))

    @property
    def newcomers(self) -> tuple[str, ...]:
        """The models of the new version alone."""
        return tuple(without(self.new.models, self.old.models))

    def scores(self) -> pd.DataFrame:
        """Return one row per changed score, of models and tasks of both: exact, None if missing."""
        old, new = (one.values for one in self._means)
        cells = ((model, task) for model in self.models for task in self.tasks)
        rows = [(*cell, old[cell[1]][cell[0]], new[cell[1]][cell[0]]) for cell in cells]
        changed = [row for row in rows if row[2] != row[3]]
        return pd.DataFrame(changed, columns=["model", "task", "old", "new"], dtype=object)

    @cached_property
    def _first(self) -> tuple[str, ...]:
        """The models of both versions that are among the first ten of either, in the order of the new one."""
        old, new = (one.places for one in self._means)
        return tuple(model for model in new if model in old and min(old[model], new[model]) <= TOP)

    @cached_property
    def moves(self) -> Mapping[str, tuple[int, int]]:
        """The places in both versions, by the table's own rule, of those of the first ten that moved."""
        old, new = (one.places for one in self._means)
        return {model: (old[model], new[model]) for model in self._first if old[model] != new[model]}

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        """Each pair of the first ten that changed places by mean, with the fewest changes that explain it.

        By another rule changes do not add up, and none is explained.

        The difference of two means is a weighted sum over scores: each change has its part in it, and undoing the
        greatest ones first undoes the swap with the fewest.
        """
        if self.rule != "mean":
            return ()
        was, now = (one.means for one in self._means)
        pairs = [(ahead, behind) for place, ahead in enumerate(self._first) for behind in self._first[place + 1 :]]
        return tuple(self._explained(two, one) for one, two in pairs if was[one] < was[two] and now[one] > now[two])

    def told(self) -> list[str]:
        """Return the swaps in sentences, those of one model for the same causes in one."""
        groups: dict[tuple[str, bool, str], list[Swap]] = {}
        for one in self.swaps:
            risen = all(cell.model == one.passing for cell in one.cells)
            groups.setdefault((one.passing if risen else one.passed, risen, one.causes), []).append(one)
        lines = []
        for (model, risen, causes), its in groups.items():
            others = in_words([one.passed if risen else one.passing for one in its], 4)
            who = f"{model} passes {others}" if risen else f"{others} pass {model}"
            lines.append(str(its[0]) if len(its) == 1 else f"{who}: {causes}.")
        return lines

    def _explained(self, passed: str, passing: str) -> Swap:
        old, new = self._means
        for reweighted in (False, True):
            cells, lead = self._parts(passed, passing, reweighted=reweighted)
            kept: list[CellChange] = []
            while lead <= 0 and len(kept) < len(cells):
                kept.append(cells[len(kept)])
                lead += kept[-1].gap
            if lead > 0:
                break
        return Swap(
            passed=passed,
            passing=passing,
            before=old.means[passed] - old.means[passing],
            after=new.means[passing] - new.means[passed],
            reweighted=reweighted,
            cells=tuple(kept),
        )

    def _parts(self, passed: str, passing: str, *, reweighted: bool) -> tuple[list[CellChange], Fraction]:
        """Return the changes of two models' scores against the one, greatest first, and its lead with all of them."""
        old, new = self._means
        lead, cells = Fraction(0), []
        for task, share in (old if reweighted else new).shares.items():
            for model, sign in ((passed, share), (passing, -share)) if share else ():
                was, now = (one.values.get(task, {}).get(model) for one in (old, new))
                value = was if now is None else now
                lead += sign * (value or 0)
                if was is not None and now is not None and sign * (was - now) > 0:
                    gap = sign * (was - now)
                    cells.append(CellChange(model=model, task=task, old=was, new=now, weight=abs(share), gap=gap))
        return sorted(cells, key=lambda one: -one.gap), lead

    @property
    def lines(self) -> list[str]:
        """What came, went and changed, a sentence each."""
        kinds = (("model", self.old.models, self.new.models), ("task", self.old.tasks, self.new.tasks))
        told = []
        for kind, old, new in kinds:
            for what, names in (("New", without(new, old)), ("Gone", without(old, new))):
                if names:
                    told.append(f"{what} {kind}{'s' * (len(names) > 1)}: {first_few(names)}.")
        changed = self.scores()
        if len(changed):
            of_models = counted(changed["model"].nunique(), "model")
            told.append(f"{counted(len(changed), 'score')} of {of_models} changed.")
        weights = [task for task in self.tasks if self._means[0].shares[task] != self._means[1].shares[task]]
        if weights:
            told.append(f"Other share of the weight: {first_few(weights)}.")
        was, now = (one.places for one in self._means)
        if gone := [model for model in self.models if model in was and model not in now]:
            told.append(f"No longer ranked (missing scores): {first_few(gone)}.")
        return told + self._leaders()

    def _leaders(self) -> list[str]:
        """Say who beats all others, where that is another model than before."""
        was, now = (condorcet_winner(one) or "no model" for one in (self.old, self.new))
        return [f"By weighted majority, {now} beats all others; before, {was} did."] if was != now else []

    def __str__(self) -> str:
        """Say what changed in one sentence."""
        if not (self.lines or self.moves):
            return "Nothing changed between the two versions."
        swapped = f", {counted(len(self.swaps), 'pair')} swapped" if self.rule == "mean" else ""
        moved = f"{counted(len(self.moves), 'model')} of the first {TOP} moved{swapped}"
        return " ".join([*self.lines, f"{rule_words(self.rule, begins=True)}, {moved}."])

    def to_frame(self) -> pd.DataFrame:
        """Return one row per model of the first ten that moved: its places before and now."""
        return pd.DataFrame.from_dict(dict(self.moves), orient="index", columns=["old", "new"])

    def verify(self, source: Any = None) -> bool:
        """Re-check that the versions can be compared and that undoing the named changes undoes each swap.

        Parameters
        ----------
        source : Leaderboard, optional
            The new version.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        if fault := compared_fault(self.old, self.new):
            raise ProofError(fault)
        if source is not None:
            self.new.ensure_same(source, in_order=True)
        for one in self.swaps:
            _, lead = self._parts(one.passed, one.passing, reweighted=one.reweighted)
            ensure(lead + sum(cell.gap for cell in one.cells) > 0, f"undone, {one.passed!r} is not ahead again")
        return True


def version_of(source: LeaderboardLike | Instances) -> Leaderboard:
    """Return the table of a version: of scores on single instances their means, with their standard errors.

    Raises
    ------
    InputError
        If it is neither.
    """
    table = as_scores(source, "versions are compared of")
    if isinstance(table, Leaderboard):
        return table
    means, errors = table.means(), np.full((len(table.models), len(table.tasks)), np.nan)
    rows = {model: row for row, model in enumerate(means.models)}
    for column, task in enumerate(means.tasks):
        scores = pd.DataFrame(table.table(task).cells.floats.T, columns=list(table.table(task).models))
        for model, error in scores.sem().items():
            errors[rows[str(model)], column] = error
    cells = Cells(floats=errors, exact={})
    return Leaderboard.from_cells(
        means.models, means.tasks, means.cells, standard_errors=cells, **means.declarations.options()
    )


def compared_fault(old: Leaderboard, new: Leaderboard) -> str:
    """Return why two versions cannot be compared; empty where they can."""
    tasks, models = among(new.tasks, old.tasks), among(new.models, old.models)
    if len(models) < 2 or not tasks:
        common = f"{counted(len(models), 'model')} and {counted(len(tasks), 'task')}"
        return f"the versions have {common} in common: two models and a task are needed"
    turned = [task for task in tasks if (task in old.lower_is_better) != (task in new.lower_is_better)]
    if turned:
        return f"lower is better on {turned[0]!r} in only one of the versions; declare it alike in both"
    return ""


def changes(old: LeaderboardLike | Instances, new: LeaderboardLike | Instances) -> Changes:
    """Return the changes between two versions of a table, who moved, and which changes explain each swap.

    Parameters
    ----------
    old, new : Leaderboard or Instances
        The versions, of instances their means. Models and tasks may be added and removed.

    Returns
    -------
    Changes
        ``.scores()`` ``.moves`` ``.swaps`` ``.newcomers`` ``.verify()``.

    Raises
    ------
    InputError
        If they have fewer than two models or no task in common, or a task's direction differs.

    Notes
    -----
    Places are by the weighted mean of the models that have every score. O(models x tasks), and O(tasks log tasks) for
    each pair among the first ten.

    Examples
    --------
    >>> import weightlab as wl
    >>> old = wl.Leaderboard({"x": {"a": 9, "b": 7}, "y": {"a": 6, "b": 6}})
    >>> new = wl.Leaderboard({"x": {"a": 9, "b": 7}, "y": {"a": 5, "b": 8}})
    >>> print(changes(old, new).swaps[0])
    b passes a (1 behind, now 0.5 ahead): b on y from 6 to 8 (weight 50%, gap 1).
    """
    was, now = version_of(old), version_of(new)
    if fault := compared_fault(was, now):
        raise InputError(fault)
    return Changes(old=was, new=now).verified()
