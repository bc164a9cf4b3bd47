"""Drops: the fewest tasks, models or votes without which today's winner, or the first of a pair, falls behind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, exact_products
from weightlab._result import Result, ensure
from weightlab._text import among, counted, first_few, percent
from weightlab._validate import one_of
from weightlab.data import Leaderboard, LeaderboardLike, Margins
from weightlab.data.frame.arrays import OfModels
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import ImpossibleError, InputError, ProofError, UnprovedError
from weightlab.lp.improvement.lift_rules import LiftMissing, LiftRule, LiftRuleLike, LiftScores
from weightlab.lp.improvement.score_column import board_with_scores

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
                f"by {rule} a lead is not a sum over models; drop models by Borda, or by mean_win_rate where no "
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
                    f"dropping {count - 1} tasks is not enough; with such different weights, more were not tried",
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


class FewestDrops(Result, kind="fewest_drops"):
    """The fewest tasks, models or votes without which a rival is ahead of a model, or the proof that none do it.

    Attributes
    ----------
    model : str
        Who is ahead today: of the rivals, by the rule.
    rivals : tuple of str
        Of whom one is to be ahead of it, in the order of the table.
    rival : str or None
        Who is, without what is left out; None where none ever is.
    drop : {"tasks", "models", "votes"}
        What is left out. Of votes, those that the model won against the rival.
    dropped : tuple of str, or None
        The tasks or models, in the order of the table; None of votes, and where there is no rival.
    votes : int or None
        How many votes; None of tasks and models, and where there is no rival.
    rule : LiftRule
        The rule.
    table : Leaderboard or Margins
        The table, or the votes, as they are.
    """

    derived = ("count",)
    model: str
    rivals: tuple[str, ...]
    rival: str | None
    drop: Drop
    dropped: tuple[str, ...] | None
    votes: int | None
    rule: LiftRule
    table: Leaderboard | Margins

    @property
    def count(self) -> int | None:
        """How many are left out; None where that never does it."""
        return self.votes if self.dropped is None else len(self.dropped)

    @property
    def tasks(self) -> tuple[str, ...] | None:
        """The tasks that are left out; None where it is models or votes, and where no tasks do it."""
        return self.dropped if self.drop == "tasks" else None

    @property
    def share(self) -> Fraction | None:
        """Which share of all tasks, models or votes is left out; None where that never does it."""
        if isinstance(self.table, Leaderboard):
            whole = len(self.table.tasks if self.drop == "tasks" else self.table.models)
        else:
            whole = int(self.table.wins.sum()) + int(self.table.ties.sum()) // 2
        return None if self.count is None else Fraction(self.count, whole)

    @property
    def why_never(self) -> str:
        """Why no rival comes ahead, where none does."""
        if self.drop == "models" and self.rule.name in ("majority", "mean", "median"):
            return f"{rule_words(self.rule)} two models are compared without regard to a third"
        return f"whatever {self.drop} are left out"

    def __str__(self) -> str:
        """Say what is left out, and who is ahead without it."""
        every = len(self.rivals) == len(self.table.models) - 1
        over = "every rival" if every else first_few(self.rivals)
        if self.rival is None or self.count is None or self.share is None:
            return f"{self.model} stays ahead of {over} {rule_words(self.rule)}, or ties: {self.why_never}."
        gone = counted(self.count, self.drop.removesuffix("s"))
        named = f"against {self.rival} ({percent(self.share)} of all)" if self.dropped is None else ""
        named = named or f"({first_few(self.dropped or ())})"
        ahead = f"{self.rival} is ahead of {self.model} {rule_words(self.rule)}"
        return f"Without {gone} {named} {ahead}; fewer are not enough."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per rival: how much must go for it to be ahead, or never."""
        models, drops = self.table.models, drops_of(self.table, self.rule, self.drop)
        counts: dict[str, object] = {}
        for rival in self.rivals:
            try:
                found = drops.fewest(models.index(self.model), models.index(rival))
                counts[rival] = "never" if found is None else len(found)
            except UnprovedError as error:
                counts[rival] = f"more than {error.known['more_than']}"
        return pd.DataFrame({"drops": pd.Series(counts, dtype=object)}).rename_axis(index="rival")

    def verify(self, source: Leaderboard | Margins | None = None) -> bool:
        """Re-check in exact arithmetic that a rival is ahead without the dropped ones, and that fewer are not enough.

        Parameters
        ----------
        source : Leaderboard or Margins, optional
            The table; scores, declarations and shares of weight must be those that the result carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None and isinstance(self.table, Leaderboard):
            self.table.ensure_same(source, weights="shares", groups=False)
        elif source is not None and isinstance(self.table, Margins):
            self.table.ensure_same(source)
            self.table.check()
        models, drops = self.table.models, drops_of(self.table, self.rule, self.drop)
        ensure(self.model in models and self.rivals and self.model not in self.rivals, "there is no such pair")
        ensure(self.rivals == tuple(among(models, self.rivals)), "the rivals are not of the table")
        ensure(len(self.rivals) in (1, len(models) - 1), "the question is about one rival or all of them")
        model, rivals = models.index(self.model), [models.index(one) for one in self.rivals]
        behind = [models[one] for one in rivals if not _is_ahead(drops, model, one)]
        ensure(not behind, f"{self.model!r} is not ahead of {behind[:1]} today")
        found = self.rival is not None
        form = (found and self.drop != "votes", found and self.drop == "votes")
        ensure(form == (self.dropped is not None, self.votes is not None), "what is left out and a rival go together")
        try:
            fewer = [
                models[one]
                for one in rivals
                if drops.fewest(model, one, MANY if self.count is None else self.count) is not None
            ]
        except UnprovedError as error:
            raise ProofError(str(error)) from error
        ensure(not fewer, f"fewer {self.drop} do for {fewer[:1]}")
        if self.rival is not None:
            self._check_dropped(drops, self.rival)
        return True

    def _check_dropped(self, drops: Drops, rival: str) -> None:
        """Ensure that the rival is ahead without what is left out."""
        ensure(rival in self.rivals, f"{rival!r} is not a rival")
        pair = self.table.models.index(self.model), self.table.models.index(rival)
        if self.dropped is None:
            gone: Collection[int] = range(self.votes or 0)
        else:
            ensure(self.dropped == tuple(among(drops.names, self.dropped)), "what is left out is not of the table")
            gone = [drops.names.index(one) for one in self.dropped]
            ensure(self.drop == "tasks" or not set(pair) & set(gone), "one of the two is left out")
        ensure(is_behind(drops, *pair, gone), f"without {self.count} {self.drop} {rival!r} is not ahead")


def fewest_drops(
    board: LeaderboardLike | Margins,
    rule: LiftRuleLike = "majority",
    *,
    drop: Drop | None = None,
    pair: tuple[str, str] | None = None,
    missing: LiftMissing = "error",
) -> FewestDrops:
    """Find the fewest tasks, models or votes without which today's winner, or the first of a pair, falls behind.

    Parameters
    ----------
    board : Leaderboard or Margins
        The table; the tasks that stay keep today's weights. Or votes, as `read_votes` returns them.
    rule : str or sequence of numbers
        ``"majority"``, ``"mean"``, ``"median"`` (the lower weighted median), ``"mean_win_rate"``, a scoring rule
        such as ``"borda"``, or points of the places. Votes are counted by majority.
    drop : {"tasks", "models", "votes"}, optional
        What is left out; tasks of a table by default, and votes of votes. Of votes, those that the model won against
        its rival. Other models count by ``"borda"`` and ``"mean_win_rate"``; by majority, mean and median none does.
    pair : (str, str), optional
        Who is ahead today, and who is to be; without it, today's only winner and any rival. Neither is left out.
    missing : {"error", "skip", "last"}
        Missing scores are refused; left out (mean, median, mean win rate); or last (points). By majority they tie.

    Returns
    -------
    FewestDrops
        ``.dropped``, ``.count``, ``.share``, ``.rival``; ``.summary()`` has the number for each rival.

    Raises
    ------
    ImpossibleError
        If nothing that is left out does it; its ``proof`` is the FewestDrops that says so.
    InputError
        If there is no single winner today, the first of the pair is not ahead of another model, or the rule is
        undefined for the dropped items.
    UnknownNameError, MissingScoresError
        For an unknown model or rule, and for missing scores that may not be.
    UnprovedError
        If the weights differ too much for the search; ``known["more_than"]`` drops are needed.

    Notes
    -----
    By majority, mean and points a lead is the sum of its tasks' parts (by Borda and win rate, of its other models'), so
    of all ways to leave out so many, those with the largest parts leave the least: the fewest are found at once,
    O(models x tasks log tasks). By the median, and by means when some scores are missing, it is a sum once it
    is known how many tasks of each weight are dropped: all such numbers are tried. With one weight for all that
    is polynomial, with many it is as hard as knapsack. ``verify`` searches again, without a solver.

    References
    ----------
    arXiv 2508.11847 asks which votes on language models decide who is first, by another rule.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 3}, "y": {"a": 7, "b": 6}, "z": {"a": 5, "b": 4}})
    >>> print(wl.lp.fewest_drops(board, "mean"))
    Without 2 tasks (y, z) b is ahead of a by average; fewer are not enough.
    """
    table = board if isinstance(board, Margins) else board_with_scores(board)
    asked = LiftRule.of(rule, missing)
    kind: Drop = one_of("drop", drop or ("votes" if isinstance(table, Margins) else "tasks"), get_args(Drop))
    drops, models = drops_of(table, asked, kind), table.models
    named = list(range(len(models))) if pair is None else [_rows(table).position(one) for one in pair]
    if pair is not None and len(set(named)) != 2:
        raise InputError(f"pair must be two different models, the one ahead today first; got {pair[0]!r} twice")
    first = named[0]
    for one in named[1:] if pair is None else ():
        # Whoever is ahead of all others is ahead of each that was so far, and stays.
        first = first if _is_ahead(drops, first, one) else one
    if len(named) < 2 or not all(_is_ahead(drops, first, other) for other in named if other != first):
        who = "no model" if pair is None else repr(pair[0])
        what = "all others" if pair is None else repr(pair[1])
        raise InputError(f"{who} is {'' if pair is None else 'not '}ahead of {what} today {rule_words(asked)}")
    rivals = sorted(set(named) - {first})
    rival, gone = None, None
    for one in rivals:
        fewer = drops.fewest(first, one, _most(gone))
        rival, gone = (rival, gone) if fewer is None else (models[one], fewer)
    result = FewestDrops(
        model=models[first],
        rivals=tuple(models[one] for one in rivals),
        rival=rival,
        drop=kind,
        dropped=None if gone is None or kind == "votes" else tuple(drops.names[one] for one in sorted(gone)),
        votes=len(gone) if gone is not None and kind == "votes" else None,
        rule=asked,
        table=table,
    ).verified()
    if result.rival is None:
        raise ImpossibleError(str(result), proof=result)
    return result


def _rows(table: Leaderboard | Margins) -> OfModels:
    return table if isinstance(table, Margins) else table.signs()


def _most(known: Collection[int] | None) -> int:
    """Return the number of drops below which to search; unlimited where none are known."""
    return MANY if known is None else len(known)


def _is_ahead(drops: Drops, model: int, rival: int) -> bool:
    lead = drops.lead(model, rival)
    return lead is not None and lead > 0
