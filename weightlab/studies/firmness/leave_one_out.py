"""Every task, or every model, left out in turn: who is first then, and how the order of the best changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import pandas as pd

from weightlab._result import Record, Result, ensure
from weightlab._solver import ensure_time, within
from weightlab._text import counted, first_few, in_words, without
from weightlab._validate import one_of
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import CONDORCET, MAJORITY, rule_words
from weightlab.exceptions import ImpossibleError, InputError, MissingScoresError, NoWinnerError, ProofError
from weightlab.rules import Rule, rank
from weightlab.rules import rule as registered
from weightlab.rules.registry import AnyRule
from weightlab.studies.parallel import checked_count
from weightlab.studies.question import checked_board

Dropped: TypeAlias = Literal["tasks", "models"]
NAMED = 6
"""Names that a sentence lists."""


class Without(Record, eq=True):
    """What a rule says without one task or model.

    Attributes
    ----------
    name : str
        What is left out.
    winners : tuple of str
        Who is first then; no model where the rule has no answer.
    passed : tuple of str
        Who was first and is no longer, of those that are still there.
    swaps : int
        Pairs of the best models that stand the other way round.
    completed : tuple of str
        Models that have all scores of the tasks that are left, and did not before; they are not ranked.
    """

    name: str
    winners: tuple[str, ...]
    passed: tuple[str, ...]
    swaps: int
    completed: tuple[str, ...]


class LeaveOneOut(Result, kind="leave_one_out"):
    """What a rule says of a table, and of the table without each task or model.

    Attributes
    ----------
    rule : Rule
        The rule with its options.
    drop : {"tasks", "models"}
        What is left out in turn.
    top : int
        Of how many models, the best today, pairs are counted.
    winners : tuple of str
        Who is first today.
    parts : tuple of Without
        In the order of the table.
    models : tuple of str
        Who is ranked.
    left_out : tuple of str
        Models without all scores, where the rule needs them.
    board : Leaderboard
        The table.
    """

    derived = ("deciding",)
    rule: AnyRule
    drop: Dropped
    top: int
    winners: tuple[str, ...]
    parts: tuple[Without, ...]
    models: tuple[str, ...]
    left_out: tuple[str, ...]
    board: Leaderboard

    @property
    def deciding(self) -> tuple[str, ...]:
        """What is left out where others are first without it; first places of what is left out itself do not count."""
        gone = [one.name if self.drop == "models" else None for one in self.parts]
        first = [set(self.winners) - {name} for name in gone]
        return tuple(
            one.name
            for one, its in zip(self.parts, first, strict=True)
            if (its or not self.winners) and set(one.winners) != its
        )

    def __str__(self) -> str:
        """Say which tasks or models decide who is first."""
        what = self.drop.removesuffix("s")
        first = f"{_are(self.winners)} first {rule_words(self.rule.name)}"
        if not self.deciding:
            return f"{first}, whichever {'other ' if what == 'model' else ''}{what} is left out."
        ends: dict[tuple[str, ...], list[str]] = {}
        for one in self.parts:
            if one.name in self.deciding:
                ends.setdefault(one.winners, []).append(one.name)
        told = [
            f"without {'any one of ' if names[1:] else ''}{_any_of(names)}, {_are(who)}" for who, names in ends.items()
        ]
        more = f"; {counted(len(told) - 2, 'other outcome')}" if len(told) > 2 else ""
        return f"{first}; {'; '.join(told[:2])}{more}."

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each task or model that is left out, those that decide first."""
        rows = [
            (first_few(one.winners) or "no model", one.swaps, one.name in self.deciding, first_few(one.completed))
            for one in self.parts
        ]
        index = pd.Index([one.name for one in self.parts], name="without")
        frame = pd.DataFrame(rows, index=index, columns=["first", "swaps", "decides", "now complete"])
        return frame.sort_values(["decides", "swaps"], ascending=False, kind="stable")

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Rank the table again, whole and without each task or model.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; it must be the one that the result carries.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.board.ensure_same(source, weights="shares", groups=False)
        ensure(self.top > 1, "pairs are of two models or more")
        try:
            found = _left_one_out(self.board, self.rule, self.drop, self.top)
        except InputError as error:
            raise ProofError(str(error)) from error
        ensure((found.winners, found.top) == (self.winners, self.top), "others are first in the table")
        ensure((found.models, found.left_out) == (self.models, self.left_out), "other models of the table are ranked")
        ensure(len(found.parts) == len(self.parts), f"not every one of the {self.drop} is left out")
        for own, other in zip(self.parts, found.parts, strict=True):
            ensure(own == other, f"without {other.name!r} the table says something else")
        return True


def leave_one_out(
    board: LeaderboardLike, rule: str | Rule | None = None, *, drop: Dropped = "tasks", top: int = 10
) -> LeaveOneOut:
    """Leave out every task, or every model, in turn, and say who is first then.

    Parameters
    ----------
    board : Leaderboard
        The table with today's weights; the tasks that stay keep them.
    rule : str or Rule, optional
        By default the table's own (`Leaderboard.rule`). A rule that needs all scores ranks the models that have them;
        the same ones whatever is left out.
    drop : {"tasks", "models"}
        What is left out.
    top : int
        Number of best models today among which swapped pairs are counted.

    Returns
    -------
    LeaveOneOut
        ``.deciding`` ``.parts`` ``.to_frame()`` ``.verify()``.

    Raises
    ------
    InputError
        If there are fewer than two tasks, or three models to leave one out, or no model is first today.
    UnknownNameError, MissingScoresError
        If there is no such rule, or fewer than two models have all scores.

    Notes
    -----
    One ranking for each task or model. A rule that looks at two models at a time, such as the mean, says the same
    of the others whichever model is left out.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 30, "b": 70}, "y": {"a": 70, "b": 60}, "z": {"a": 90, "b": 20}})
    >>> print(leave_one_out(board))
    a is first by average; without z, b is.
    """
    given = checked_board(board)
    asked = rule or given.rule
    chosen = registered(CONDORCET if asked == MAJORITY else asked)
    return _left_one_out(given, chosen, one_of("drop", drop, get_args(Dropped)), checked_count("top", top, least=2))


def _left_one_out(board: Leaderboard, rule: Rule, drop: Dropped, top: int) -> LeaveOneOut:
    whole = board.complete() if board.missing_cells and _needs_all(board, rule) else board
    names = [task for task in whole.tasks if whole.weights[task]] if drop == "tasks" else [*whole.models]
    least = 2 if drop == "tasks" else 3
    if len(names) < least:
        raise InputError(f"to leave one out, {least} {drop} are needed; got {len(names)}")
    today, parts = _ranked(whole, rule, top), list[Without]()
    for name in names:
        with within(None, settled=f"{len(parts)} of {counted(len(names), drop[:-1])}"):
            ensure_time("leaving each out")
        if drop == "tasks":
            part = whole.select(tasks=without(whole.tasks, [name]))
            completed = _completed(board, whole, part.tasks)
        else:
            part, completed = whole.select(models=without(whole.models, [name])), ()
        parts.append(replace(_said_of(part, rule, today, name), completed=completed))
    return LeaveOneOut(
        rule=rule,
        drop=drop,
        top=min(top, len(whole.models)),
        winners=today[0],
        parts=tuple(parts),
        models=whole.models,
        left_out=tuple(without(board.models, whole.models)),
        board=board,
    )


def _completed(board: Leaderboard, whole: Leaderboard, tasks: Sequence[str]) -> tuple[str, ...]:
    """Return the models that are not ranked and have all scores on some tasks."""
    if len(whole.models) == len(board.models):
        return ()
    lacking = board.missing[[*tasks]].any(axis=1)
    return tuple(model for model in without(board.models, whole.models) if not lacking[model])


_Order: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Who is first, and the best models in order."""


def _ranked(board: Leaderboard, rule: Rule, top: int) -> _Order:
    """Return who is first and the best by a rule; no model where it has no answer."""
    try:
        found = rank(board, rule)
    except (NoWinnerError, ImpossibleError):
        return (), ()
    return found.winners, tuple(model for level in found.order for model in level)[:top]


def _said_of(part: Leaderboard, rule: Rule, today: _Order, name: str) -> Without:
    """Return the result of the rule without one task or model."""
    try:
        found = rank(part, rule)
        winners, ranks = found.winners, found.ranks.to_dict()
    except (NoWinnerError, ImpossibleError):
        winners, ranks = (), {}
    there = [model for model in today[1] if model in ranks]
    swaps = sum(ranks[one] > ranks[other] for at, one in enumerate(there) for other in there[at + 1 :])
    passed = tuple(without(without(today[0], [name]), winners))
    return Without(name=name, winners=winners, passed=passed, swaps=swaps, completed=())


def _needs_all(board: Leaderboard, rule: Rule) -> bool:
    """Return whether the rule refuses missing scores."""
    try:
        rank(board, rule)
    except MissingScoresError:
        return True
    except (NoWinnerError, ImpossibleError):
        return False
    return False


def _any_of(names: Sequence[str]) -> str:
    """Return some names as alternatives."""
    if len(names) > NAMED:
        return first_few(names, NAMED)
    return " or ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])


def _are(winners: tuple[str, ...]) -> str:
    if not winners:
        return "no model is"
    return f"{in_words(winners, 3)} {'is' if len(winners) == 1 else 'are'}"
