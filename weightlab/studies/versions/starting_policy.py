"""A policy to start with: what today's table keeps, as the text of a TOML file."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from weightlab import graph
from weightlab.data import Instances, Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import LinearRule
from weightlab.lp import prospects, stability
from weightlab.studies.confidence.rank_sets import rank_sets
from weightlab.studies.versions.changes import Means, own_rule, version_of
from weightlab.studies.versions.check import (
    LEVEL,
    errors_fault,
    has_stability,
    level_with_best,
    ranked_by_own,
    stability_rule,
    undeclared,
)

SCALES = ((0, 1), (-1, 1), (0, 100), (-100, 100))
"""Ranges of scores that are usual, the narrowest first."""

TEXT = """\
# What each new version of this table must keep: 'weightlab check NEW --against OLD' reads this file.
# Values are those of today's table; a rule behind '#' has no effect.

# Share of the weight that can move between tasks before another model ties the first by its own rule.
{winner_stable_by}

# Highest place, by its own rule, of models that can never win by that rule or head-to-head.
{never_above_place}

# The models that beat all others (the Smith set) hold no majority cycle.
{acyclic_top}

# Of every task it is declared whether lower or higher scores are better.
{directions_declared}

# Maximum number of missing scores.
{missing}

# Between which numbers scores lie; a table such as {{ BoolQ = [0, 100] }} says it task by task.
{score_range}

# On no task more models than this are statistically indistinguishable from the best, the best included.
{saturated}

# Only one model may be first by average at this level of confidence.
{rank_level}

# By this voting rule new models leave the order of the others as it is; needs --against.
{unmoved_by_newcomers}

# In each row of the file every total of other columns matches its parts, within rounding.
{totals_add_up}
"""


def starting_policy(board: LeaderboardLike | Instances) -> str:
    """Return the text of a policy that today's table keeps; rules that it does not keep are comments.

    Parameters
    ----------
    board : Leaderboard or Instances
        Today's table.
    """
    board = version_of(board)
    scale = _scale(board)
    first = _first_never(board)
    measured = not errors_fault(board)
    counts = level_with_best(board, LEVEL) if measured else {"": 1}
    alone = measured and len(rank_sets(board, "mean", over="standard_errors", level=float(LEVEL)).contenders) == 1
    winner = _stable_by(board)
    said = {
        "winner_stable_by": (f'"{float(100 * winner):g}%"' if winner else '"5%"', bool(winner)),
        "never_above_place": (str(first or 4), first is not None),
        "acyclic_top": ("true", graph.is_acyclic(graph.margins_of(board).select(graph.smith_set(board)))),
        "directions_declared": ("true", not undeclared(board)),
        "missing": (str(len(board.missing_cells)), True),
        "score_range": (str(list(scale or (0, 100))), scale is not None),
        "saturated": (str(max(counts.values())), measured),
        "rank_level": ('"95%"', alone),
        "unmoved_by_newcomers": (f'"{own_rule(board)}"', False),
        "totals_add_up": ("true", False),
    }
    return TEXT.format(**{rule: f"{'' if kept else '# '}{rule} = {value}" for rule, (value, kept) in said.items()})


def _stable_by(board: Leaderboard) -> Fraction | None:
    """Return which share of the weight may move, rounded down to tenths of a per cent; None where no model wins."""
    if not has_stability(board):
        return None
    radius = stability(board, norm="l1", rule=stability_rule(board)).radius()
    half = Fraction(99, 100) if radius is None else min(radius / 2, Fraction(99, 100))
    return Fraction(floor(1000 * half), 1000) or None


def _first_never(board: Leaderboard) -> int | None:
    """Return the place of the first model that can never win by the own rule or head-to-head; None where all can."""
    never, ranked = prospects(board).with_verdict("never"), ranked_by_own(board)
    never += () if ranked is None else prospects(ranked, rule=LinearRule.of(own_rule(board))).with_verdict("never")
    places = Means(board=board, rule=own_rule(board)).places
    return min((places[model] for model in never if model in places), default=None)


def _scale(board: Leaderboard) -> tuple[int, int] | None:
    """Return the narrowest usual range that holds all scores; None where none does."""
    scores = board.scores.to_numpy()
    return next((one for one in SCALES if not ((scores < one[0]) | (scores > one[1])).any()), None)
