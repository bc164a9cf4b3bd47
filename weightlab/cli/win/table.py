"""The table of ``weightlab win``: every model's verdict, how near a win is, and which share of weightings makes it."""

from __future__ import annotations

from functools import partial

from weightlab.cli.terminal.progress import Bar
from weightlab.cli.terminal.show import say, shown, table
from weightlab.data import Leaderboard
from weightlab.exceptions import UnprovedError
from weightlab.lp import Prospects, WeightSpace, WinningShares, prospects
from weightlab.report.text.prospect import proof_line
from weightlab.report.text.tables import distances, verdict_tables
from weightlab.report.text.unproved import Late, verdicts_known

__all__ = ["DETAILED", "print_all", "prove_all"]

DETAILED = 60
"""Up to so many models that can win, the table says how far their weights are without being asked."""
LONG = 300
"""Tables with more models show a progress bar."""


def prove_all(
    board: Leaderboard, space: WeightSpace | None, *, jobs: int, time_limit: float | None, quiet: bool
) -> Prospects:
    """Return every model's verdict, with a progress bar for long tables."""
    prove = partial(prospects, board, space=space, n_jobs=jobs, time_limit=time_limit)
    try:
        if quiet or len(board.models) < LONG:
            return prove(exact=len(board.models) < LONG)
        with Bar("Proving", len(board.models), silent=quiet) as bar:
            return prove(progress=bar.advance)
    except UnprovedError as error:
        raise verdicts_known(error, len(board.models)) from error


def print_all(
    board: Leaderboard,
    found: Prospects,
    shares: WinningShares | None,
    late: Late,
    *,
    detailed: bool,
    time_limit: float | None,
) -> None:
    """Print a row a model: those that can win or tie first, the nearest to today's weights on top."""
    far = distances(board, found, late, time_limit) if detailed else {}
    say(shown(found), "")
    for headings, rows, right in verdict_tables(board, found, shares, far):
        say(table(headings, rows, right=right), "")
    if shares is not None:
        say(shown(shares))
    say(proof_line(len(board.models) * (len(board.models) - 1), len(board.tasks), found.space))
