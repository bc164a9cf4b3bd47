"""``weightlab region``: the exact region of the weights under which a model wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weightlab._text import listed, number, percent, shown
from weightlab.cli.options.shared import HERE, Ends
from weightlab.cli.options.table import Source
from weightlab.cli.options.weights import ANY_WEIGHTS, Conditions
from weightlab.cli.terminal.show import headed, say, table
from weightlab.cli.win.each_model import Models, ask_each
from weightlab.data import Leaderboard
from weightlab.lp import WeightSpace, WinningRegion, winning_region
from weightlab.report.context import Unproved
from weightlab.report.text.words import named_shares, weights_line

CORNERS = 20
"""So many vertices are printed."""


def region(source: Source, model: Models, conditions: Conditions = ANY_WEIGHTS, ends: Ends = HERE) -> None:
    """Find the exact region of the weights under which a model wins: its share, centre, bounds and vertices.

    Examples
    --------
    weightlab region -m SVC --tasks accuracy/iris,accuracy/wine,accuracy/digits
    weightlab region superglue.csv --model T5 --complete
    """

    def ask(board: Leaderboard, name: str, space: WeightSpace | None, _: Unproved) -> Iterable[WinningRegion]:
        return [winning_region(board, name, space=space, time_limit=ends.time_limit)]

    ask_each("region", source, model, conditions, ends, ask=ask, tell=_tell)


def _tell(found: WinningRegion) -> None:
    say(shown(found), "", headed(_lines(found)))
    corners = found.corners.head(CORNERS)
    rows = [[str(place), *map(number, row)] for place, row in enumerate(corners.itertuples(index=False), start=1)]
    say("", table(["vertex", *map(_class, found.classes)], rows, right=range(len(found.classes) + 1)))
    if len(found.corners) > CORNERS:
        say(f"{len(found.corners) - CORNERS} more vertices (all of them with --json)")


def _lines(found: WinningRegion) -> list[tuple[str, list[str]]]:
    duels = [str(name) for kind, name in found.facets.itertuples(index=False) if kind == "duel"]
    radius = f"{percent(found.radius)} of the weight may move in any way from there"
    lines = [("Centre", [weights_line(named_shares(found.centre)), radius])]
    lines += [("Rivals that bound it", [listed(duels)])] if duels else []
    if found.share is None:
        lines.append(("Share", ["too much to compute exactly; 'weightlab win' estimates it"]))
    return lines


def _class(tasks: Sequence[str]) -> str:
    return " + ".join(shown(task) for task in tasks)
