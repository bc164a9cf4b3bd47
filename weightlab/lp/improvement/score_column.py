"""One task as exact scores: from which score on a model ties or leads a rival, by the table's own comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from weightlab._result import Frozen
from weightlab.data import Leaderboard, as_table
from weightlab.data.frame.cells import decimal_places
from weightlab.exceptions import InputError


class ScoreColumn(Frozen, eq=True):
    """The scores of all models on one task as gains: exact, greater being better.

    A gain is the score, or its negative where lower is better.

    Attributes
    ----------
    task : str
        Its name.
    gains : tuple of Fraction or None
        One per model; None where the score is missing.
    lower_is_better : bool
        Whether gains are negated scores.
    tolerance : Fraction or int
        Gains that differ by no more tie.
    relative : bool
        Whether the tolerance is a share of the larger of the two sizes.

    Notes
    -----
    With a relative tolerance r of at most 1 the sign is monotone: a greater gain never does worse against a rival,
    and both thresholds below follow from ``|g - v| > r max(|g|, |v|)``. Above 1 a much greater gain can be within the
    tolerance again, hence `refuse_wide_tolerances`.
    """

    task: str
    gains: tuple[Fraction | None, ...]
    lower_is_better: bool
    tolerance: Fraction | int
    relative: bool

    def score(self, gain: Fraction) -> Fraction:
        """Return the score that is this gain, or the gain that is this score."""
        return -gain if self.lower_is_better else gain

    def lead_above(self, gain: Fraction) -> Fraction | None:
        """Return the gain above which one leads a rival with the given gain; None when no gain suffices."""
        if not self.relative:
            return gain + self.tolerance
        # From ``g - v > r * max(|g|, |v|)`` for g > v: below 0 the rival's |v| decides, from 0 on the model's |g|.
        if gain < 0:
            return gain * (1 - self.tolerance)
        return gain / (1 - self.tolerance) if self.tolerance < 1 else None

    def tie_from(self, gain: Fraction) -> Fraction | None:
        """Return the least gain that does not trail a rival with the given gain; None when no gain trails."""
        # The comparison is symmetric under negation of both, so "trails" is "leads" in the mirror.
        mirrored = self.lead_above(-gain)
        return None if mirrored is None else -mirrored

    def sign(self, gain: Fraction | None, rival: Fraction | None) -> int:
        """Return the sign of a gain over a rival's: 0 when either is missing."""
        if gain is None or rival is None:
            return 0
        lead, tie = self.lead_above(rival), self.tie_from(rival)
        if lead is not None and gain > lead:
            return 1
        return -1 if tie is not None and gain < tie else 0

    def last_place(self) -> Fraction | None:
        """Return one unit of the last decimal place of any score; None when one is not a decimal, such as 1/3."""
        places = [decimal_places(gain.denominator) for gain in self.gains if gain is not None]
        known = [count for count in places if count is not None]
        return Fraction(1, 10 ** max(known, default=0)) if len(known) == len(places) else None


def score_columns(board: Leaderboard) -> tuple[ScoreColumn, ...]:
    """Return the tasks of a board as exact scores."""
    return tuple(score_column(board, position) for position in range(len(board.tasks)))


def score_column(board: Leaderboard, position: int) -> ScoreColumn:
    """Return one task of a board as exact scores."""
    task, scores = board.tasks[position], board.cells.column(position)
    relative, lower = task in board.relative_tolerance, task in board.declarations.lower_is_better
    return ScoreColumn(
        task=task,
        gains=tuple(None if score is None else -score for score in scores) if lower else tuple(scores),
        lower_is_better=lower,
        tolerance=(board.relative_tolerance if relative else board.tolerance).get(task, Fraction(0)),
        relative=relative,
    )


def refuse_wide_tolerances(columns: Sequence[ScoreColumn], what: str) -> None:
    """Raise InputError when a task has a relative tolerance above 1: there a better score can do worse."""
    wide = [column.task for column in columns if column.relative and column.tolerance > 1]
    if wide:
        raise InputError(
            f"{what} needs relative tolerances of at most 1, since above it a better score can tie again; "
            f"larger ones: {', '.join(map(repr, wide))}"
        )


# Tables for questions about scores: with exact scores, and with some of them replaced.


def board_with_scores(board: object) -> Leaderboard:
    """Return the leaderboard, or that of a plain frame; signs and profiles do not hold the sizes of leads.

    Raises
    ------
    TypeError
        For anything else.
    """
    if not isinstance(table := as_table(board), Leaderboard):
        raise TypeError(f"a Leaderboard is needed, since this question is about scores; got {type(board).__name__}")
    return table


def with_scores(board: Leaderboard, scores: Mapping[tuple[str, str], Fraction]) -> Leaderboard:
    """Return the board with some scores replaced or filled in, by model and task."""
    row = {model: position for position, model in enumerate(board.models)}
    column = {task: position for position, task in enumerate(board.tasks)}
    cells = board.cells.replaced({(row[model], column[task]): score for (model, task), score in scores.items()})
    return Leaderboard.from_cells(board.models, board.tasks, cells, **board.declarations.options())
