"""What a rule reads: scores, places or margins, taken from whatever the user holds; zero-weight tasks stay outside."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from statistics import median
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from weightlab._exact import IntArray, Number, fraction, shortest_decimal
from weightlab._result import told_of
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.data.convert import MarginsLike, as_profile
from weightlab.data.frame.cells import Cells
from weightlab.data.points import missing_scores
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.graph import margins_of

Source: TypeAlias = "MarginsLike | nx.DiGraph[Any]"
"""What users hand to a rule."""
Data: TypeAlias = Leaderboard | Profile | Margins
"""What a rule reads, and what its result carries."""
Missing: TypeAlias = str
"""What to do about missing scores: ``"error"``, ``"last"``, ``"skip"`` or ``"median"``, as far as the rule knows it."""
WAYS = ("error", "last", "skip", "median")


class InapplicableError(InputError):
    """A rule cannot be applied to this table, though another could."""


class Needs(StrEnum):
    """What a rule reads."""

    SCORES = "scores"
    """The scores themselves."""

    PLACES = "places"
    """How each task ranks the models."""

    MARGINS = "margins"
    """The weighted majorities of the duels."""


def rule_data(source: Any, needs: Needs, *, missing: Missing = "error") -> Data:
    """Return what a rule reads from a source, without the tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source does not hold it: a profile has no scores, margins have no places.
    """
    if needs is Needs.MARGINS:
        return margins_of(source)
    return score_data(source, missing) if needs is Needs.SCORES else place_data(source, missing)


def score_data(source: Any, missing: Missing = "error") -> Leaderboard:
    """Return the scores that a rule reads from a source, without the tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source has none.
    """
    if not isinstance(source, Leaderboard):
        raise InapplicableError(f"this rule reads scores: give it a Leaderboard, not a {type(source).__name__}")
    board = weighing(source)
    return with_medians(board) if missing == "median" else board


def place_data(source: Any, missing: Missing = "error") -> Profile:
    """Return the places that a rule reads from a source, without the tasks of weight 0.

    Raises
    ------
    InapplicableError
        If the source has none.
    """
    if not isinstance(source, Leaderboard | Profile):
        kind = type(source).__name__
        raise InapplicableError(f"this rule reads places on tasks: give it a Leaderboard or a Profile, not a {kind}")
    if missing == "median":
        if not isinstance(source, Leaderboard):
            raise InapplicableError("missing='median' needs scores, and a profile has none")
        source = with_medians(weighing(source))
    profile = _profile(source)
    voters = [voter for voter, weight in zip(profile.voters, profile.weights, strict=True) if weight]
    return profile if len(voters) == len(profile.voters) else profile.select(voters=voters)


def _profile(source: Leaderboard | Profile) -> Profile:
    try:
        return as_profile(source)
    except InputError as error:
        # A score tolerance: its ties are not transitive.
        raise InapplicableError(str(error)) from error


def weighing(board: Leaderboard) -> Leaderboard:
    """Return the board without the tasks of weight 0."""
    weighing = [task for task, weight in board.weights.items() if weight]
    return board if len(weighing) == len(board.tasks) else board.select(tasks=[str(task) for task in weighing])


def with_medians(board: Leaderboard) -> Leaderboard:
    """Return the board with each missing score replaced by the exact median of its task (Vote'n'Rank, section 3.3)."""
    if not board.missing_cells:
        return board
    floats = board.cells.floats.copy()
    exact: dict[tuple[int, int], Fraction] = dict(board.cells.exact)
    for column in sorted({board.tasks.index(task) for _, task in board.missing_cells}):
        values = board.cells.column(column)
        middle = Fraction(median([value for value in values if value is not None]))
        for row in [row for row, value in enumerate(values) if value is None]:
            floats[row, column] = float(middle)
            if shortest_decimal(float(middle)) != middle:
                exact[row, column] = middle
    return board.replace(cells=Cells(floats=floats, exact=exact))


def complete_ranks(profile: Profile, missing: Missing) -> IntArray:
    """Return dense ranks (voters x models) in which unranked models tie for the last place, if that was asked for.

    Raises
    ------
    MissingScoresError
        If models are unranked and may not be.
    """
    allowed = ("error", "last", "median")
    check_missing(missing, allowed)
    if profile.is_complete:
        return profile.ranks
    if missing != "last":
        raise unranked(profile, allowed)
    last = profile.ranks.max(axis=1, keepdims=True) + 1
    return np.where(profile.ranks > 0, profile.ranks, last)


def check_missing(missing: Missing, allowed: Sequence[str]) -> None:
    """Raise InputError unless the rule knows this way to treat missing scores."""
    if missing not in allowed:
        error = InapplicableError if missing in WAYS else InputError
        raise error(f"missing must be {', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}; got {missing!r}")


def number_option(name: str, value: Number) -> Fraction:
    """Return the exact number that an option of a rule says, or raise InputError with the option's name."""
    with told_of(name, InputError):
        return fraction(value)


def unranked(profile: Profile, allowed: Sequence[str]) -> MissingScoresError:
    """Return the error that names the first missing cells and what may be said about them."""
    cells = [(model, voter) for voter, models in profile.unranked.items() for model in models]
    return missing_scores(cells, *profile.ranks.shape[::-1], *(way for way in allowed if way != "error"))
