"""From what users hold to what a question reads: one call on entry."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from os import PathLike
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np

from weightlab._result import Result
from weightlab.data.frame.cells import Cells
from weightlab.data.frame.dataframes import FrameLike, is_dataframe, pandas_columns
from weightlab.data.instances import Instances
from weightlab.data.leaderboard import Leaderboard
from weightlab.data.margins import Margins, Relations
from weightlab.data.profile import Profile
from weightlab.data.signs import Signs
from weightlab.data.suite import Suite
from weightlab.exceptions import InputError, ProofError

T = TypeVar("T")
LeaderboardLike: TypeAlias = Leaderboard | FrameLike
"""A leaderboard, or a plain frame that ``Leaderboard(frame)`` takes."""
SignsLike: TypeAlias = LeaderboardLike | Profile | Signs
MarginsLike: TypeAlias = LeaderboardLike | Profile | Margins
ProfileLike: TypeAlias = LeaderboardLike | Profile
SuiteLike: TypeAlias = Suite | FrameLike
RelationsLike: TypeAlias = SuiteLike | Profile | Relations
Unlisted: TypeAlias = Literal["last", "unknown"]
"""What is known of models that a ranking leaves out: they are behind all that it lists, or nothing."""


def as_table(source: T | FrameLike) -> T | Leaderboard:
    """Return the leaderboard of a plain frame, and all else as it is; every question calls this first.

    Raises
    ------
    InputError
        If the frame is no leaderboard, or this is a path.
    """
    return Leaderboard(source) if _is_frame(source) else cast("T", source)


def as_scores(source: object, question: str) -> Leaderboard | Instances:
    """Return the table, of a plain frame its leaderboard, or the instances, whichever the question uses.

    Raises
    ------
    InputError
        If it is neither, in the words of the question.
    """
    table: object = as_table(source)
    if not isinstance(table, Leaderboard | Instances):
        raise InputError(f"{question} a Leaderboard or Instances; got a {type(table).__name__}")
    return table


def as_tables(source: T | FrameLike) -> T | Suite:
    """Return the suite of a plain frame whose columns or rows have two levels, and all else as it is."""
    return Suite(pandas_columns(source)) if _is_frame(source) else cast("T", source)


def as_leaderboard(source: ProfileLike) -> Leaderboard:
    """Return the leaderboard, or that of a profile: a task a voter with its weight, and places as scores, 1 the best.

    Raises
    ------
    InputError
        If the profile has fewer than two models, one that no voter ranks, or a voter that ranks none.
    """
    if isinstance(table := as_table(source), Leaderboard):
        return table
    profile = _checked(table, Profile)
    places = np.where(profile.ranks > 0, profile.ranks, np.nan).T.astype(np.float64)
    return Leaderboard.from_cells(
        profile.models,
        profile.voters,
        Cells(floats=places, exact={}),
        lower_is_better=profile.voters,
        weights=list(profile.weights),
        rule="borda",
    )


def as_signs(source: SignsLike) -> Signs:
    """Return the signs of a leaderboard or profile, or the signs themselves."""
    return table.signs() if isinstance(table := as_table(source), Leaderboard | Profile) else _checked(table, Signs)


def as_margins(source: MarginsLike) -> Margins:
    """Return the margins of a leaderboard or profile under its own weights, or the margins themselves."""
    return table.margins() if isinstance(table := as_table(source), Leaderboard | Profile) else _checked(table, Margins)


def as_listed(source: T, unlisted: Unlisted | None) -> T | Profile:
    """Return a table or profile, treating models that a task or voter leaves out as declared.

    With ``"last"`` they tie behind all others there; with ``"unknown"``, as with None, nothing changes: in a
    head-to-head with one of them a task counts as a tie.

    Raises
    ------
    InputError
        If ``unlisted`` is another word, or the source has only margins or signs.
    """
    if unlisted not in {None, "last", "unknown"}:
        raise InputError(f"unlisted must be 'last' or 'unknown'; got {unlisted!r}")
    table: object = as_table(source) if unlisted == "last" else None
    if isinstance(table, Margins | Signs):
        kind = type(table).__name__.lower()
        raise InputError(f"{kind} do not say which models a voter leaves out: omit unlisted")
    if isinstance(table, Leaderboard | Profile):
        profile = as_profile(table)
        return source if profile.is_complete else profile.with_unlisted_last()
    return source


def ensure_listed(check: Callable[[Any], None], source: Any) -> None:
    """Raise what a check raises of a source, unless it holds with models last where they are unlisted.

    A result stores its source, not how a profile was read; both come from that profile.
    """
    try:
        check(source)
    except ProofError:
        with suppress(InputError, ProofError):
            last = as_listed(source, "last")
            if last is not source:
                return check(last)
        raise


def as_profile(source: ProfileLike) -> Profile:
    """Return the rankings of a leaderboard with their ties, or the profile itself."""
    return table.rankings() if isinstance(table := as_table(source), Leaderboard) else _checked(table, Profile)


def as_relations(source: RelationsLike) -> Relations:
    """Return the weak majority relations of a suite, the weak orders of a profile, or the relations themselves."""
    table = as_tables(source) if _is_frame(source) else source
    if isinstance(table, Suite):
        return table.majority_relations()
    return table.relations() if isinstance(table, Profile) else _checked(table, Relations)


def _is_frame(source: object) -> bool:
    if isinstance(source, str | PathLike):
        raise InputError(f"a table is needed, not a path: wl.read_leaderboard({str(source)!r}) reads one")
    return is_dataframe(source)


def _checked(source: object, wanted: type[T]) -> T:
    if not isinstance(source, wanted):
        raise TypeError(f"a {wanted.__name__} or what it is made from is needed; got {type(source).__name__}")
    return source


Result.table_of = staticmethod(as_table)
