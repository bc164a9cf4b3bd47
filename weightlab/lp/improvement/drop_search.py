"""What leaving out tasks, models or votes does to a lead, and the fewest of them without which it is turned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np

from weightlab._exact import AnyArray, exact_products
from weightlab.data import Leaderboard, Margins
from weightlab.exceptions import InputError, UnprovedError
from weightlab.lp.improvement.lift_rules import LiftRule, LiftScores

Drop: TypeAlias = Literal["tasks", "models", "votes"]
"""What is left out."""
Classes: TypeAlias = dict[tuple[int, ...], list[int]]
"""Tasks of one kind, by what one brings to the model and to its rival."""
MANY = 2**62
"""More than the number of any things that can be left out."""
BUDGET = 20_000
"""Largest number of ways to choose tasks from classes of equal ones that one search tries."""


class TaskDrops:
    """Tasks of a table that are left out; those that stay keep their weights.

    Attributes
    ----------
    names : tuple of str
        What can be left out.
    """

    def __init__(self, table: Leaderboard, rule: LiftRule) -> None:
        self.names, self.rule, self.scores = table.tasks, rule, LiftScores(table, rule, None)
        self._leads = lru_cache(maxsize=4)(self.scores.leads)

    def lead(self, model: int, rival: int, dropped: Collection[int] = ()) -> int | None:
        """Return a number of the sign of a model's lead over a rival without some; None where one has no score."""
        kept = [task for task in range(len(self.names)) if task not in dropped]
        if self.rule.name == "median":
            own, other = (self.scores.median_on(one, kept) for one in (model, rival))
            return None if own is None or other is None else own - other
        if self.rule.missing == "skip":
            sums = (self.scores.worth, self.scores.counted_weights)
            (mine, theirs), (weight, other) = (one[[model, rival]][:, kept].sum(axis=1).tolist() for one in sums)
            return int(mine * other - theirs * weight) if weight and other else None
        return int(self._leads(model)[rival, kept].sum())

    def fewest(self, model: int, rival: int, below: int = MANY) -> Sequence[int] | None:
        """Return the fewest, fewer than ``below``, without which a rival that trails today is ahead; None if none do.

        A lead that is a sum is turned by leaving out its largest parts. Other leads are sums once it is known how many
        tasks of each weight are left out.

        Raises
        ------
        UnprovedError
            If there are too many ways to leave them out.
        """
        if self.rule.name == "median":
            return self._by_median(model, rival, below)
        if self.rule.missing == "skip":
            return self._by_quotients(model, rival, below)
        return fewest_to_turn(self._leads(model)[rival].tolist(), below)

    def _by_median(self, model: int, rival: int, below: int) -> list[int] | None:
        """Return the fewest tasks by the lower median, by thresholds: scores of the model that part the two medians."""
        best: list[int] | None = None
        for score in sorted(set(self.scores.matrix[model][self.scores.present[model]].tolist())):
            found = self._around(score, model, rival, below if best is None else len(best))
            best = best if found is None else found
        return best

    def _around(self, score: int, model: int, rival: int, below: int) -> list[int] | None:
        """Return the fewest tasks without which the model's median is not above a score, and the rival's is.

        That is so if half of the model's weight or more is at or below it, and less than half of the rival's: if a sum
        of weights, negative above it, is not negative, and another, negative up to it, is positive. Tasks that bring
        nothing negative to either stay.
        """
        matrix, present = (one[[model, rival]] for one in (self.scores.matrix, self.scores.present))
        low = (matrix <= score) == np.array([[True], [False]])
        parts = (np.where(low, 1, -1) * present).astype(object) * np.array(self.scores.weights, dtype=object)
        mine, theirs = parts.sum(axis=1).tolist()

        def turned(classes: Classes, taken: Sequence[int]) -> list[int] | None:
            own, other = _brought_by(classes, taken)
            if own > mine or other >= theirs:
                return None
            dropped = [task for tasks, count in zip(classes.values(), taken, strict=True) for task in tasks[:count]]
            return dropped if is_behind(self, model, rival, dropped) else None

        # Each sum alone, and both together, say how many must go at least: those that bring the least to it.
        rows = ((parts[0], mine), (parts[1], theirs - 1), (parts.sum(axis=0), mine + theirs - 1))
        enough = [np.cumsum([0, *sorted(row.tolist())]) <= bound for row, bound in rows]
        counts = range(max(int(np.argmax(one)) for one in enough), below if all(map(np.any, enough)) else 0)
        return fewest_of(classes_of(parts, lambda kind: min(kind) < 0), turned, counts)

    def _by_quotients(self, model: int, rival: int, below: int) -> list[int] | None:
        """Return the fewest tasks by means over the scores that there are: weights say by what sums are divided."""
        worth, weights = (one[[model, rival]] for one in (self.scores.worth, self.scores.counted_weights))
        totals = weights.sum(axis=1).tolist()

        def turned(classes: Classes, taken: Sequence[int]) -> list[int] | None:
            mine, theirs = (whole - gone for whole, gone in zip(totals, _brought_by(classes, taken), strict=True))
            parts = (worth[1] * mine - worth[0] * theirs).tolist()
            pairs = zip(classes.values(), taken, strict=True)
            dropped = [task for tasks, count in pairs for task in sorted(tasks, key=parts.__getitem__)[:count]]
            return dropped if is_behind(self, model, rival, dropped) else None

        return fewest_of(classes_of(weights, any), turned, range(1, below))


class ModelDrops:
    """Other models that are left out: by Borda and win rate a lead is a sum over them."""

    def __init__(self, table: Leaderboard, rule: LiftRule) -> None:
        self.names, self.today = table.models, TaskDrops(table, rule)
        self.adds_up = rule.name in ("borda", "mean_win_rate") and not (rule.missing == "skip" and table.missing_cells)
        if not self.adds_up and rule.name not in ("majority", "mean", "median"):
            raise InputError(
                f"by {rule} a lead is no sum over models; leave out models by Borda, or by mean_win_rate where no "
                "score is missing"
            )

    @cached_property
    def _duels(self) -> AnyArray:
        """The weighted signs of each model over each, added up over the tasks."""
        weights, matrix = self.today.scores.weights, self.today.scores.matrix
        return np.array([exact_products(np.sign(own - matrix).astype(np.int64), weights) for own in matrix])

    def _parts(self, model: int, rival: int) -> tuple[list[int], int]:
        """Return the share of each other model in twice the lead, and that of the head-to-head of the two."""
        parts = self._duels[model] - self._duels[rival]
        parts[[model, rival]] = 0
        return parts.tolist(), 2 * int(self._duels[model, rival])

    def lead(self, model: int, rival: int, dropped: Collection[int] = ()) -> int | None:
        """Return a number of the sign of a model's lead over a rival without some."""
        if not dropped or not self.adds_up:
            return self.today.lead(model, rival)
        parts, duel = self._parts(model, rival)
        return duel + sum(part for one, part in enumerate(parts) if one not in dropped)

    def fewest(self, model: int, rival: int, below: int = MANY) -> Sequence[int] | None:
        """Return the fewest models without which the rival is ahead; None by a rule that looks at no third model."""
        parts, duel = self._parts(model, rival)
        return fewest_to_turn(parts, below, duel) if self.adds_up else None


class VoteDrops:
    """Votes that a model won against a rival."""

    names = ()

    def __init__(self, votes: Margins, rule: LiftRule) -> None:
        if rule.name != "majority":
            raise InputError(f"votes are left out by majority, not by {rule}")
        if votes.denominator != 1:
            raise InputError("these votes have weights of their own, so they cannot be counted: read them without")
        self.wins = votes.wins

    def lead(self, model: int, rival: int, dropped: Collection[int] = ()) -> int | None:
        """Return by how many votes a model leads without some of those that it won; None if it won fewer."""
        won = int(self.wins[model, rival]) - len(dropped)
        return won - int(self.wins[rival, model]) if won >= 0 else None

    def fewest(self, model: int, rival: int, below: int = MANY) -> Sequence[int] | None:
        """Return as many as turn the lead; None where the rival won no vote."""
        count = int(self.wins[model, rival]) - int(self.wins[rival, model]) + 1
        return range(count) if count <= self.wins[model, rival] and count < below else None


Drops: TypeAlias = TaskDrops | ModelDrops | VoteDrops
"""What can be left out, and what becomes of leads without it."""


def drops_of(table: Leaderboard | Margins, rule: LiftRule, drop: Drop) -> Drops:
    """Return the tasks, models or votes that can be left out of a table.

    Raises
    ------
    InputError, MissingScoresError
        If the rule does not say what becomes of the leads, or the table has no such thing.
    """
    if isinstance(table, Margins) != (drop == "votes"):
        raise InputError(
            f"there are no {drop} to leave out: a score table has no votes, and of votes only votes can go"
        )
    if isinstance(table, Margins):
        return VoteDrops(table, rule)
    return TaskDrops(table, rule) if drop == "tasks" else ModelDrops(table, rule)


def is_behind(drops: Drops, model: int, rival: int, dropped: Collection[int]) -> bool:
    """Return whether a rival is ahead of a model without some."""
    lead = drops.lead(model, rival, dropped)
    return lead is not None and lead < 0


def fewest_to_turn(parts: Sequence[int], below: int = MANY, fixed: int = 0) -> list[int] | None:
    """Return the fewest parts without which sum and ``fixed`` are below 0, None if that takes ``below`` or more."""
    left, dropped = sum(parts) + fixed, list[int]()
    for one in sorted(range(len(parts)), key=lambda one: -parts[one]):
        if left < 0 or parts[one] <= 0:
            break
        left -= parts[one]
        dropped.append(one)
    return dropped if left < 0 and len(dropped) < below else None


def classes_of(brought: AnyArray, counts: Callable[[Sequence[int]], bool]) -> Classes:
    """Return the tasks of each kind that counts, of what they bring to the model and to its rival."""
    classes: Classes = {}
    for task, kind in enumerate(brought.T.tolist()):
        if counts(kind):
            classes.setdefault(tuple(kind), []).append(task)
    return classes


def fewest_of(
    classes: Classes, turned: Callable[[Classes, Sequence[int]], list[int] | None], counts: range
) -> list[int] | None:
    """Return the fewest tasks that turn a lead, given what becomes of it without some number of each class.

    Raises
    ------
    UnprovedError
        After `BUDGET` tries.
    """
    sizes, tried = [len(own) for own in classes.values()], 0
    for count in counts[: max(0, sum(sizes) + 1 - counts.start)]:
        for taken in splits(count, sizes):
            tried += 1
            if tried > BUDGET:
                raise UnprovedError(
                    f"leaving out {count - 1} tasks does not do; with weights that differ so much, more were not tried",
                    known={"more_than": count - 1},
                )
            if (dropped := turned(classes, taken)) is not None:
                return dropped
    return None


def splits(count: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to take ``count`` things from classes of these sizes."""
    if not sizes:
        yield from () if count else ((),)
        return
    for first in range(max(0, count - sum(sizes[1:])), min(sizes[0], count) + 1):
        for others in splits(count - first, sizes[1:]):
            yield first, *others


def _brought_by(classes: Classes, taken: Sequence[int]) -> tuple[int, int]:
    """Return the sums that ``taken`` tasks of each class bring to the model and to its rival."""
    own, other = (sum(kind[one] * count for kind, count in zip(classes, taken, strict=True)) for one in (0, 1))
    return own, other
