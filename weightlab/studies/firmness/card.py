"""The card: how firm first place is, in tasks left out, in weight that shifts, in errors of the scores."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pandas as pd

from weightlab._result import Result, ensure
from weightlab._text import counted, in_words, percent, quoted, rounded, without
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import CONDORCET, MAJORITY, LinearRule, rule_words
from weightlab.exceptions import ImpossibleError
from weightlab.lp import FewestDrops, Stability, fewest_drops, stability
from weightlab.rules import rank
from weightlab.studies.firmness.score_error import WITH_ERROR, Unit, holds, largest_error
from weightlab.studies.question import checked_board

SHOWN = 3
"""Tasks that the sentence names."""


class Card(Result, kind="card"):
    """How firm first place is, by one rule.

    Attributes
    ----------
    rule : str
        The rule, with its default options.
    winners : tuple of str
        Who is first today; several share first place.
    drops : FewestDrops or None
        The fewest tasks without which a rival is ahead, where there are such; None where first place is shared. Its
        ``rival`` is None where no tasks do it.
    move : Stability or None
        The least share of the weight that must shift until a rival ties it; None where first place is shared.
    error : Fraction or None
        If every score is off by less, the first model stays first, alone; None where first place is shared and
        for rules whose worst case is not known (all but mean, Borda and majority).
    error_rival : str or None
        Who can be level then.
    unit : {"points", "range"}
        Errors in the unit that all scores share, or as a share of each task's range.
    left_out : tuple of str
        Models without all scores, which no rule but the majority ranks.
    board : Leaderboard
        The table, without them.
    """

    derived = ("tasks", "weight")
    rule: str
    winners: tuple[str, ...]
    drops: FewestDrops | None
    move: Stability | None
    error: Fraction | None
    error_rival: str | None
    unit: Unit
    left_out: tuple[str, ...]
    board: Leaderboard

    @property
    def tasks(self) -> int | None:
        """How many tasks, left out, end the lead: 0 where first place is shared, None where none do."""
        return 0 if self.drops is None else self.drops.count

    @property
    def weight(self) -> Fraction | None:
        """The share of the weight that must shift: 0 where first place is shared, None where none does it."""
        radius = Fraction(0) if self.move is None else self.move.radius("l1")
        return None if radius is None else radius / 2

    def __str__(self) -> str:
        """Say who is first, and what ends that."""
        whole = " with every score" if self.left_out else ""
        by = f"{counted(len(self.board.models), 'model')}{whole} {rule_words(self.rule)}"
        if len(self.winners) > 1:
            return f"{in_words([quoted(one) for one in self.winners])} share first place of {by}."
        ends = self._ends()
        return f"{self.winners[0]} is first of {by}. " + (
            f"That ends {', '.join([*ends[:-1], f'or {ends[-1]}' if ends[1:] else ends[-1]])}."
            if ends
            else "No tasks left out and no weights end that."
        )

    def _ends(self) -> list[str]:
        """Return the smallest change that ends the lead, and who overtakes."""
        told: list[str] = []
        if self.drops is not None and self.drops.count is not None:
            gone = self.drops.dropped or ()
            named = in_words(gone) if len(gone) <= SHOWN else f"{counted(len(gone), 'task')} such as {gone[0]}"
            told.append(f"without {named} ({self.drops.rival} passes)")
        if self.move is not None and self.weight is not None:
            level = self.move.takers("l1")[0]
            told.append(f"when {_at_least(self.weight)} of the weight shifts ({level} ties)")
        if self.error is not None:
            off = f"by {self.error_text}" if self.error else "by anything at all"
            told.append(f"if scores are off {off} ({self.error_rival} may tie)")
        return told

    @property
    def error_text(self) -> str:
        """The error as a sentence says it."""
        if self.error is None:
            return "not known"
        if self.unit == "range":
            return f"{percent(self.error, floor)} of each task's range"
        return f"{rounded(self.error, 2 if self.error >= 1 else 4, floor)} points"

    @property
    def amounts(self) -> tuple[str, str, str]:
        """Tasks, weight and error in words; ``"never"`` where none end first place."""
        tasks = "never" if self.tasks is None else f"{self.tasks} of {counted(len(self.board.tasks), 'task')}"
        return tasks, "never" if self.weight is None else _at_least(self.weight), self.error_text

    def to_frame(self) -> pd.DataFrame:
        """Return a row for tasks, weight and error: how much ends the lead, and who is ahead or level then."""
        drops, move = self.drops, self.move
        rows = [
            (self.tasks, None if drops is None else drops.rival),
            (self.weight, None if move is None or not move.takers("l1") else move.takers("l1")[0]),
            (self.error, self.error_rival),
        ]
        index = pd.Index(["tasks left out", "weight shifted", "error in scores"], name="what ends it")
        return pd.DataFrame(rows, index=index, columns=["amount", "rival"], dtype=object)

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check in exact arithmetic who is first, and that less of each of the three does not end it.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; without the models that the card leaves out it must be the one that the card carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            whole, left_out = _asked(source, self.rule)
            ensure(left_out == self.left_out, "other models of the table lack scores")
            self.board.ensure_same(whole, weights="shares", groups=False)
        ensure(self.winners == _winners(self.board, self.rule), "others are first today")
        ensure(self.unit == _unit(self.board), "the scores have another unit")
        alone = len(self.winners) == 1
        ensure(alone == (self.drops is not None) == (self.move is not None), "the parts require a single winner")
        if self.drops is not None and self.move is not None:
            ensure(self.drops.model == self.move.model == self.winners[0], "the parts are of another winner")
            ensure(self.drops.rule.name == self.rule == self.move.rule.name, "the parts are by another rule")
            ensure(len(self.drops.rivals) == len(self.board.models) - 1, "the drops are not of all rivals")
            ensure(self.drops.drop == "tasks" and self.move.of == "winner", "the parts ask something else")
            plain = LinearRule.or_own(self.rule).to_dict() == self.move.rule.to_dict()
            ensure(plain and not self.move.space.conditions, "the weights are not free, or the rule has options")
            ensure("l1" in self.move.norms, "the share of the weight is not known")
            self.drops.verify(self.board)
            self.move.verify(self.board)
        self._check_error(alone=alone)
        return True

    def _check_error(self, *, alone: bool) -> None:
        known = alone and self.rule in WITH_ERROR
        ensure(known == (self.error is not None) == (self.error_rival is not None), "the error does not match the rule")
        if self.error is None or self.error_rival is None:
            return
        models = self.board.models
        ensure(self.error >= 0 and self.error_rival in models, "an error is at least 0, and of a rival")
        stays, level = holds(self.board, self.rule, models.index(self.winners[0]), self.unit, self.error)
        ensure(stays, f"smaller errors end the lead of {self.winners[0]!r}")
        ensure(models.index(self.error_rival) in level, f"{self.error_rival!r} cannot be level at that error")


def card(board: LeaderboardLike, rule: str | None = None) -> Card:
    """Return how stable first place is: fewest tasks to drop, smallest weight shift, largest error in scores.

    Parameters
    ----------
    board : Leaderboard
        The table with today's weights. By rules other than the majority models without all scores are left out.
    rule : {"mean", "borda", "dowdall", "plurality", "veto", "majority"}, optional
        By default the table's own (`Leaderboard.rule`), where it is one of these.

    Returns
    -------
    Card
        ``.tasks`` ``.weight`` ``.error``, each exact; ``.drops`` and ``.move`` say which tasks and weights, and who.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    NoWinnerError
        If by majority no model beats all others today.
    InputError, MissingScoresError
        If fewer than two models have all scores, or the rule does not accept tasks with a tolerance.

    Notes
    -----
    Tasks as in `fewest_drops`, weight as in `stability`. Errors: by the mean half of the least lead. By Borda and
    majority a model's lead over a rival is least when its own scores are low, the rival's high, and each third model's
    where it takes most from it; that lead never rises with the error. O(models^2 x tasks) for each of some 30 errors.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 30, "b": 70}, "y": {"a": 70, "b": 60}, "z": {"a": 90, "b": 20}})
    >>> found = card(board)
    >>> found.tasks, found.error
    (1, Fraction(20, 3))
    >>> print(str(found).partition(", when")[0])
    a is first of 2 models by average. That ends without z (b passes)
    """
    given = checked_board(board)
    name = _named(rule or given.rule)
    whole, left_out = _asked(given, name)
    first = _winners(whole, name)
    drops = move = error = rival = None
    if len(first) == 1:
        try:
            drops = fewest_drops(whole, name)
        except ImpossibleError as never:
            drops = never.proof if isinstance(never.proof, FewestDrops) else None
        move = stability(whole, rule=name, norm="l1")
        if name in WITH_ERROR:
            error, row = largest_error(whole, name, whole.models.index(first[0]), _unit(whole))
            rival = whole.models[row]
    return Card(
        rule=name,
        winners=first,
        drops=drops,
        move=move,
        error=error,
        error_rival=rival,
        unit=_unit(whole),
        left_out=left_out,
        board=whole,
    ).verified()


def _at_least(share: Fraction) -> str:
    """Return a share that is shown whole as it is, another as more than what is shown of it, as in tables."""
    shown = percent(share, floor)
    return shown if Fraction(shown[:-1]) == 100 * share else f"more than {shown}"


def _named(rule: str) -> str:
    return MAJORITY if rule in (MAJORITY, CONDORCET) else LinearRule.of(rule).name


def _asked(board: Leaderboard, rule: str) -> tuple[Leaderboard, tuple[str, ...]]:
    """Return the models that the rule ranks, and those left out for a missing score."""
    whole = board if rule == MAJORITY or not board.missing_cells else board.complete()
    return whole, tuple(without(board.models, whole.models))


def _winners(board: Leaderboard, rule: str) -> tuple[str, ...]:
    return rank(board, "condorcet" if rule == MAJORITY else rule).winners


def _unit(board: Leaderboard) -> Unit:
    """Return the unit of an error: points if all tasks share a unit."""
    return "points" if board.usual_rule[0] == "mean" else "range"
