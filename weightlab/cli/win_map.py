"""``weightlab win --map``: who wins where in the triangle of three weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from weightlab.cli.show import listed, number, say, shown, table
from weightlab.cli.tables import named
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError
from weightlab.lp import WeightSpace, WinnerMap, map_of_winners

__all__ = ["ask_map", "print_map"]

CORNERS = 6
"""So many corners of an area are written out."""


def ask_map(board: Leaderboard, texts: Sequence[str], *, space: WeightSpace | None) -> WinnerMap:
    """Return the map of three tasks or groups.

    Raises
    ------
    InputError
        If there are not three, one is unknown, or conditions leave no area of the triangle.
    """
    try:
        return map_of_winners(board, [named(text, board) for text in texts], space=space)
    except InputError as error:
        raise InputError(f"--map: {error}") from None


def print_map(found: WinnerMap) -> None:
    """Print a row an area, largest first: who is unbeaten there, its share of the triangle, its corners as weights."""
    say(shown(found), "")
    rows = [
        (_who(list(one.models)), str(one.kind), number(found.share_of(one)), _corners(one.vertices))
        for one in sorted(found.areas, key=lambda one: -one.share)
    ]
    say(table(["unbeaten", "kind", "share", f"corners ({', '.join(map(shown, found.names))})"], rows, right=(2,)))


def _who(models: list[str]) -> str:
    return listed(models, 3) or "nobody"


def _corners(vertices: Sequence[Sequence[Fraction]]) -> str:
    said = [f"({', '.join(map(number, corner))})" for corner in vertices[:CORNERS]]
    more = [f"{len(vertices) - CORNERS} more"] if len(vertices) > CORNERS else []
    return " ".join([*said, *more])
