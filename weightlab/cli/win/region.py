"""``weightlab win --region`` and ``--unknown``: the exact region of winning weights, and missing scores as unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from weightlab._exact import fraction
from weightlab._result import told_of
from weightlab._text import number, rounded, shown
from weightlab._typing import Number
from weightlab._validate import counted
from weightlab.cli.inputs.names import named
from weightlab.cli.terminal.show import headed, say, table
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import MissingScores, WeightSpace, WinnerMap, WinningRegion, map_of_winners, missing, winning_region
from weightlab.report.context import Unproved
from weightlab.report.text.words import listed, named_shares, weights_line

CORNERS = 20
"""So many vertices are printed."""


def ask_regions(
    board: Leaderboard,
    models: Sequence[str],
    unproved: Unproved,
    *,
    space: WeightSpace | None,
    time_limit: float | None,
) -> list[WinningRegion]:
    """Return each model's region of winning weights, without its exact share where that takes too much."""
    ask = partial(winning_region, board, space=space, time_limit=time_limit)
    found = [unproved.ask(shown(model), partial(ask, model)) for model in dict.fromkeys(models)]
    return [one for one in found if one is not None]


def print_regions(found: Sequence[WinningRegion]) -> None:
    """Print each region's share, centre, bounds and vertices."""
    for position, one in enumerate(found):
        if position:
            say("")
        say(shown(one), "")
        say(headed(_lines(one)))
        corners = one.corners.head(CORNERS)
        rows = [[str(place), *map(number, row)] for place, row in enumerate(corners.itertuples(index=False), start=1)]
        say("", table(["vertex", *map(_class, one.classes)], rows, right=range(len(one.classes) + 1)))
        if len(one.corners) > CORNERS:
            say(f"{len(one.corners) - CORNERS} more vertices (all of them with --json)")


def _lines(one: WinningRegion) -> list[tuple[str, list[str]]]:
    facets = one.facets
    duels = [str(name) for kind, name in facets.itertuples(index=False) if kind == "duel"]
    lines = [
        (
            "Centre",
            [
                weights_line(named_shares(one.centre)),
                f"{number(one.radius)} of the weight may move in any way from there",
            ],
        )
    ]
    lines += [("Rivals that bound it", [listed(duels)])] if duels else []
    if one.share is None:
        lines.append(("Share", ["too much to compute exactly; --share estimates it"]))
    return lines


def _class(tasks: Sequence[str]) -> str:
    return " + ".join(shown(task) for task in tasks)


def ask_unknown(
    board: Leaderboard, between: str | None, *, space: WeightSpace | None, time_limit: float | None
) -> MissingScores:
    """Return who wins whatever the missing scores are, and for some of their values."""
    return missing(board, space=space, bounds=_bounds(between), time_limit=time_limit)


def _bounds(text: str | None) -> tuple[Number | None, Number | None] | None:
    if text is None:
        return None
    lowest, separator, highest = text.partition(":")
    if not separator:
        raise InputError(f"--between {text!r}: write LOWEST:HIGHEST, such as 0:100; either may be left out")
    with told_of(f"--between {text!r}", InputError):
        return tuple(fraction(one) if one else None for one in (lowest, highest))  # type: ignore[return-value]


def print_unknown(found: MissingScores) -> None:
    """Print who can win, and the scores that decide alone."""
    say(shown(found), "")
    frame = found.summary()
    names = [str(column) for column in frame.columns]
    rows = [
        (shown(model), *(_cell(frame[name][model]) for name in names))
        for model in frame.index
        if any(frame[name][model] for name in ("possible", "necessary"))
    ]
    if rows:
        say(table(["model", *(name.replace("_", " ") for name in names)], rows, right=range(1, len(names) + 1)), "")
    for cell in found.cells or ():
        does = [f"rules out {listed(cell.rules_out)}"] if cell.rules_out else []
        does += [f"settles it for {listed(cell.settles)}"] if cell.settles else []
        say(f"{shown(cell.model)} on {shown(cell.task)}: some value {' and '.join(does)}")
    say(f"{counted(len(found.ranges), 'missing score')} counted as unknown.")


def _cell(value: object) -> str:
    if isinstance(value, bool) or value in {True, False}:
        return "yes" if value else "no"
    return rounded(fraction(str(value)), 4)


# ``weightlab win --map``: who wins where in the triangle of three weights.

CORNERS_OF_AN_AREA = 6
"""So many corners of an area are written out."""


def ask_map(board: Leaderboard, texts: Sequence[str], *, space: WeightSpace | None, quiet: bool = False) -> WinnerMap:
    """Return the map of three tasks or groups.

    Raises
    ------
    InputError
        If there are not three, one is unknown, or conditions leave no area of the triangle.
    """
    with told_of("--map", InputError):
        return map_of_winners(board, [named(text, board, quiet=quiet) for text in texts], space=space)


def print_map(found: WinnerMap) -> None:
    """Print a row an area, largest first: who is unbeaten there, its share of the triangle, its corners as weights."""
    say(shown(found), "")
    rows = [
        (_who(list(one.models)), str(one.kind), number(found.share_of(one)), _corners(one.vertices))
        for one in sorted(found.areas, key=lambda one: -one.share)
    ]
    say(table(["unbeaten", "kind", "share", f"corners ({', '.join(map(shown, found.names))})"], rows, right=(2,)))


def _who(models: list[str]) -> str:
    return listed(models, 3) or "none"


def _corners(vertices: Sequence[Sequence[Fraction]]) -> str:
    said = [f"({', '.join(map(number, corner))})" for corner in vertices[:CORNERS_OF_AN_AREA]]
    more = [f"{len(vertices) - CORNERS_OF_AN_AREA} more"] if len(vertices) > CORNERS_OF_AN_AREA else []
    return " ".join([*said, *more])
