"""Drops: the fewest tasks to leave out so that today's winner, or the first of a pair, falls behind."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import first_few, without
from weightlab._validate import counted
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp.improvement.lift_rules import LiftMissing, LiftRule, LiftRuleLike, LiftScores
from weightlab.lp.improvement.score_column import board_with_scores


class FewestDrops(Result, kind="fewest_drops"):
    """The fewest tasks without which a rival is ahead of a model, or the proof that no tasks do it.

    Attributes
    ----------
    model : str
        Who is ahead today: of the rivals, by the rule.
    rivals : tuple of str
        Of whom one is to be ahead of it, in the order of the table.
    rival : str or None
        Who is, without the tasks; None where none ever is.
    tasks : tuple of str, or None
        What is left out, in the order of the table.
    rule : LiftRule
        The rule.
    table : Leaderboard
        The table as it is.
    """

    derived = ("count",)
    model: str
    rivals: tuple[str, ...]
    rival: str | None
    tasks: tuple[str, ...] | None
    rule: LiftRule
    table: Leaderboard

    @property
    def count(self) -> int | None:
        """How many tasks are left out; None where no tasks do it."""
        return None if self.tasks is None else len(self.tasks)

    def __str__(self) -> str:
        """Say which tasks, and who is ahead without them."""
        every = len(self.rivals) == len(self.table.models) - 1
        over = "every rival" if every else first_few(self.rivals)
        if self.tasks is None:
            return f"{self.model} stays ahead of {over} by {self.rule}, or ties, whatever tasks are left out."
        tasks = f"{counted(len(self.tasks), 'task')} ({first_few(self.tasks)})"
        return f"Without {tasks} {self.rival} is ahead of {self.model} by {self.rule}; fewer do not do."

    def to_frame(self) -> pd.DataFrame:
        """Return one row a rival: how many tasks must go for it to be ahead, or never."""
        counts = {one: "never" if own is None else len(own) for one, own in self._drops().items()}
        return pd.DataFrame({"drops": pd.Series(counts, dtype=object)}).rename_axis(index="rival")

    def _drops(self) -> dict[str, list[int] | None]:
        """Return for each rival the fewest columns to leave out; ensure that it trails today."""
        leads = _leads(self.table, self.rule, self.model)
        behind = [one for one in self.rivals if sum(leads[one]) <= 0]
        ensure(not behind, f"{self.model!r} is not ahead of {behind[:1]} today")
        return {one: fewest_to_turn(leads[one]) for one in self.rivals}

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic that a rival is ahead without the tasks, and that fewer do not do.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores, declarations and shares of weight must be those that the result carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.table.ensure_same(source, weights="shares", groups=False)
        models = self.table.models
        ensure(self.model in models and self.rivals and self.model not in self.rivals, "there is no such pair")
        ensure(self.rivals == tuple(one for one in models if one in self.rivals), "the rivals are not of the table")
        ensure(len(self.rivals) in (1, len(models) - 1), "the question is about one rival or all of them")
        ensure((self.tasks is None) == (self.rival is None), "tasks and a rival belong together")
        found = self._drops()
        fewest = min((len(one) for one in found.values() if one is not None), default=None)
        ensure(fewest == self.count, f"the fewest tasks are {fewest}, not {self.count}")
        if self.tasks is not None:
            ensure(self.rival in self.rivals, f"{self.rival!r} is no rival")
            ensure(not without(self.tasks, self.table.tasks), "a task is not of the table")
            leads = _leads(self.table, self.rule, self.model)[str(self.rival)]
            left = [lead for task, lead in zip(self.table.tasks, leads, strict=True) if task not in self.tasks]
            ensure(sum(left) < 0, f"without {list(self.tasks)} {self.rival!r} is not ahead")
        return True


def fewest_drops(
    board: LeaderboardLike,
    rule: LiftRuleLike = "majority",
    *,
    pair: tuple[str, str] | None = None,
    missing: LiftMissing = "error",
) -> FewestDrops:
    """Find the fewest tasks to leave out so that today's winner falls behind a rival, or the first of a pair behind.

    Parameters
    ----------
    board : Leaderboard
        The table; the tasks that stay keep today's weights.
    rule : str or sequence of numbers
        ``"majority"``, ``"mean"``, ``"mean_win_rate"``, a scoring rule such as ``"borda"``, or points of the places.
    pair : (str, str), optional
        Who is ahead today, and who is to be; without it, today's only winner and any rival.
    missing : {"error", "last"}
        Missing scores are refused, or come last by points; by majority they tie.

    Returns
    -------
    FewestDrops
        ``.tasks``, ``.count``, ``.rival``; ``.summary()`` has the number for each rival.

    Raises
    ------
    ImpossibleError
        If no tasks do it, since the rival leads on none; its ``proof`` is the FewestDrops that says so.
    InputError
        If there is no only winner today, or the first of the pair is not ahead of another model.
    UnknownNameError, MissingScoresError
        For an unknown model or rule, and for missing scores that may not be.

    Notes
    -----
    A lead is the sum of its tasks' parts, so of all ways to leave out so many tasks, those with the largest parts leave
    the least: the fewest are found at once, O(models x tasks log tasks), and checked in the same way.

    References
    ----------
    arXiv 2508.11847 asks the same of votes on language models.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 2, "b": 3}, "y": {"a": 7, "b": 6}, "z": {"a": 5, "b": 4}})
    >>> print(wl.lp.fewest_drops(board, "mean"))
    Without 2 tasks (y, z) b is ahead of a by mean; fewer do not do.
    """
    table, asked = board_with_scores(board), LiftRule.of(rule, missing)
    signs = table.signs()
    named = table.models if pair is None else tuple(table.models[signs.position(one)] for one in pair)
    if pair is not None and len(set(named)) != 2:
        raise InputError(f"pair must be two different models, the one ahead today first; got {pair!r}")
    ahead = [one for one in named[: len(named) if pair is None else 1] if _is_ahead(table, asked, one, named)]
    if not ahead:
        raise InputError(f"by {asked} no model of {first_few(named)} is ahead of the others today")
    rivals = tuple(one for one in table.models if one in named and one != ahead[0])
    leads = _leads(table, asked, ahead[0])
    found = {one: own for one in rivals if (own := fewest_to_turn(leads[one])) is not None}
    rival = min(found, key=lambda one: len(found[one]), default=None)
    result = FewestDrops(
        model=ahead[0],
        rivals=rivals,
        rival=rival,
        tasks=None if rival is None else tuple(table.tasks[task] for task in sorted(found[rival])),
        rule=asked,
        table=table,
    ).verified()
    if rival is None:
        raise ImpossibleError(str(result), proof=result)
    return result


def fewest_to_turn(leads: Sequence[int]) -> list[int] | None:
    """Return the fewest tasks without which a lead, the sum of its tasks' parts, is below 0; None if it never is."""
    left, dropped = sum(leads), list[int]()
    for task in sorted(range(len(leads)), key=lambda task: -leads[task]):
        if left < 0 or leads[task] <= 0:
            break
        left -= leads[task]
        dropped.append(task)
    return dropped if left < 0 else None


def _leads(table: Leaderboard, rule: LiftRule, model: str) -> dict[str, list[int]]:
    """Return for each model what each task adds to a model's lead over it, as whole numbers."""
    if rule.name == "median" or rule.missing == "skip":
        raise InputError(
            f"a lead by {rule} is no sum over tasks; ask by majority, mean or points, without missing scores"
        )
    leads = LiftScores(table, rule, None).leads(table.models.index(model))
    return dict(zip(table.models, leads.tolist(), strict=True))


def _is_ahead(table: Leaderboard, rule: LiftRule, model: str, others: Sequence[str]) -> bool:
    leads = _leads(table, rule, model)
    return all(sum(leads[other]) > 0 for other in others if other != model)
