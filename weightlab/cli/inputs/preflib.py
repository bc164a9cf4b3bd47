"""PrefLib files where a score table is expected: rankings and margins, recognised by their extension."""

from __future__ import annotations

from pathlib import Path

from weightlab._text import counted, listed
from weightlab.cli.terminal.show import NOTES, note
from weightlab.data import Leaderboard, Margins, Profile, Suite
from weightlab.data.convert import as_leaderboard
from weightlab.exceptions import InputError
from weightlab.io import read_margins, read_profile
from weightlab.io.preflib.margins import PAIRS
from weightlab.io.preflib.orders import is_of_preflib
from weightlab.io.preflib.rankings import holds_rankings, named
from weightlab.io.reading.told import reading_of
from weightlab.io.sources.urls import is_url


def holds_orders(file: str | None) -> bool:
    """Return whether a file is one of orders: by its name, or as it holds rankings."""
    return file is not None and (is_of_preflib(file) or (file != "-" and not is_url(file) and holds_rankings(file)))


def holds_margins(file: str | None) -> bool:
    """Return whether a file is one of margins."""
    return file is not None and named(file).suffix.casefold() in PAIRS


def is_preflib(file: str | None) -> bool:
    """Return whether a file is one of orders or margins."""
    return holds_orders(file) or holds_margins(file)


def read_preflib(file: str, config: str | None, *, complete: bool, unlisted: str | None = None) -> Profile | Margins:
    """Read the orders or margins in a file; models that ``complete`` drops are listed on standard error.

    Raises
    ------
    InputError
        If there is a configuration, which does not apply to such a file, or margins are to be made complete.
    """
    _ensure_plain(file, config)
    if holds_margins(file):
        if complete:
            raise InputError(f"{file}: --complete is about scores, and this file holds margins")
        margins = read_margins(file)
        NOTES.read(reading_of(file, margins))
        return margins
    profile = read_profile(file, unlisted="unknown")
    NOTES.read(reading_of(file, profile))
    left_out = _unlisted(profile)
    if not left_out:
        return profile
    if complete:
        note(f"Left out: {listed(left_out)} (not ranked by every voter).")
        return profile.complete()
    return with_unlisted(profile, unlisted)


def _unlisted(profile: Profile) -> list[str]:
    """Return the models that some voter does not rank."""
    return list(dict.fromkeys(model for models in profile.unranked.values() for model in models))


def with_unlisted(profile: Profile, unlisted: str | None) -> Profile:
    """Return orders with the models that a voter does not list behind all others, unless they are to be unknown.

    Raises
    ------
    InputError
        If it is neither of the expected kinds.
    """
    if unlisted not in {None, "last", "unknown"}:
        raise InputError(f"--unlisted must be last or unknown; got {unlisted!r}")
    left_out = _unlisted(profile)
    if not left_out:
        return profile
    if unlisted == "unknown":
        note(f"Not ranked by every voter: {listed(left_out)}.")
        return profile
    note(f"Last where a voter does not list them (--unlisted unknown leaves them unranked): {listed(left_out)}.")
    return profile.with_unlisted_last()


def board_of_orders(file: str, config: str | None, unlisted: str | None = None) -> Leaderboard:
    """Return the leaderboard of a file of orders, and say on standard error what its tasks and scores are.

    Raises
    ------
    InputError
        If it holds margins, which have no single tasks.
    """
    if holds_margins(file):
        raise InputError(
            f"{file}: this file holds margins, and the question is about single tasks; "
            "graph, rank and compare read margins"
        )
    _ensure_plain(file, config)
    profile = read_profile(file, unlisted="unknown")
    NOTES.read(reading_of(file, profile))
    profile = with_unlisted(profile, unlisted)
    told = f"{counted(len(profile.voters), 'order')} of {int(sum(profile.weights)):,} voters"
    note(f"{told}: each is a task that weighs its voters, and places (1 is best) are scores.")
    return as_leaderboard(profile)


def suite_of_orders(file: str, config: str | None, unlisted: str | None = None) -> Suite:
    """Return the suite whose one dataset is a file of orders."""
    board = board_of_orders(file, config, unlisted)
    return Suite({Path(file).stem: board.scores}, lower_is_better=board.lower_is_better, weights=board.weights)


def _ensure_plain(file: str, config: str | None) -> None:
    if config is not None:
        raise InputError(f"--config {config!r} does not apply to a PrefLib file such as {file}")
