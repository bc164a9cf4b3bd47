"""The average over tasks compared with the average over instances."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import pandas as pd

from weightlab._exact import Number
from weightlab._result import Result, ensure
from weightlab._text import in_words, listed
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.convert import as_leaderboard
from weightlab.exceptions import InputError, ProofError
from weightlab.rules.ranking import Ranking, rank

NAMED = 4
"""Winners that a sentence names."""


class MicroMacro(Result, kind="micro_macro"):
    """Who ranks first by average score where each task counts by its weight, and where each instance counts once.

    Attributes
    ----------
    macro_winners, micro_winners : tuple of str
        Who is first by the average over tasks, and over instances.
    counts : mapping from task to Fraction
        Instances of each task, in the order of the table.
    board : Leaderboard
        The table, with the weights of the tasks.
    """

    macro_winners: tuple[str, ...]
    micro_winners: tuple[str, ...]
    counts: Mapping[str, Fraction]
    board: Leaderboard

    @cached_property
    def macro(self) -> Ranking:
        """The ranking by the average over tasks, by their weights."""
        return rank(self.board, "mean")

    @cached_property
    def micro(self) -> Ranking:
        """The ranking by the average over instances."""
        return rank(self.board.with_weights(self.counts), "mean")

    def __str__(self) -> str:
        """Say whether the winner survives."""
        first, other = in_words(self.macro_winners, NAMED), in_words(self.micro_winners, NAMED)
        each = "each task counts by its weight" if len(set(self.board.weights)) > 1 else "each task counts once"
        if set(self.macro_winners) == set(self.micro_winners):
            return f"By average score, {first} ranks first whether {each} (macro) or each instance does (micro)."
        return f"By average score, {first} ranks first where {each} (macro), {other} where each instance (micro)."

    def to_frame(self) -> pd.DataFrame:
        """Return each model's rank and mean over tasks and over instances, best over tasks first."""
        both = {"macro": self.macro, "micro": self.micro}
        columns = {(name, part): getattr(one, part) for name, one in both.items() for part in ("ranks", "scores")}
        frame = pd.DataFrame({f"{name} {part[:-1]}": column for (name, part), column in columns.items()})
        return frame.loc[list(self.macro.scores.index)]

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Rank the table again by both averages, in exact arithmetic.

        Parameters
        ----------
        source : Leaderboard, optional
            The table; scores and shares of weight must be those that the result carries. It knows no counts.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        if source is not None:
            self.board.ensure_same(source, weights="shares", groups=False)
        counts = [*self.counts.values()]
        ensure(tuple(self.counts) == self.board.tasks and min(counts) > 0, "each task needs a count above 0")
        try:
            first, other = self.macro.winners, self.micro.winners
        except InputError as error:
            raise ProofError(str(error)) from error
        ensure(first == self.macro_winners, f"first by the average over tasks is {in_words(first, NAMED)}")
        ensure(other == self.micro_winners, f"first by the average over instances is {in_words(other, NAMED)}")
        return True


def micro_and_macro(board: LeaderboardLike, counts: Mapping[str, Number]) -> MicroMacro:
    """Rank by the average over tasks (macro) and by the average over instances (micro).

    Parameters
    ----------
    board : Leaderboard
        The table, without missing scores; the average over tasks takes its weights.
    counts : mapping from task to number
        Instances of each task, above 0.

    Returns
    -------
    MicroMacro
        ``.macro`` and ``.micro`` are the two rankings, ``.to_frame()`` has them side by side.

    Raises
    ------
    InputError, MissingScoresError
        If a task has no count above 0, or a score is missing.

    Notes
    -----
    The score of a task is taken as the mean of its instances. O(models x tasks).

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 1}, "y": {"a": 1, "b": 2}})
    >>> print(wl.rules.micro_and_macro(board, {"x": 10, "y": 100}))
    By average score, a ranks first where each task counts once (macro), b where each instance (micro).
    """
    table = as_leaderboard(board)
    weighed = table.with_weights(counts)
    if lacking := [one for one in table.tasks if one not in counts or not weighed.weights[one]]:
        raise InputError(f"each task needs a count of instances above 0; {listed(map(repr, lacking), 5)} has none")
    found = dict(zip(weighed.tasks, map(Fraction, weighed.weights), strict=True))
    first, other = rank(table, "mean").winners, rank(weighed, "mean").winners
    return MicroMacro(macro_winners=first, micro_winners=other, counts=found, board=table).verified()
