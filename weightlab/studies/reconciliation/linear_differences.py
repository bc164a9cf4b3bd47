"""Pairs of models under linear rules: what each task adds to the difference of two totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._typing import AnyArray
from weightlab.data import Leaderboard
from weightlab.data.points import Points
from weightlab.lp.verdicts.scoring_rule import POINT_RULES, PointRule
from weightlab.rules.inputs import weighing
from weightlab.studies.question import Question


def linear_points(question: Question, board: Leaderboard) -> Points | None:
    """Return the points that a rule sums up over the tasks of a board, times their weights; None for other rules.

    A rule is linear here if a model's score is the sum over tasks of weight times points, all of which the table tells.
    A mean that skips missing scores divides by weights, and is not; nor is one of scores that stand for missing ones.
    """
    rule = question.rule
    if rule is None or rule.name not in POINT_RULES:
        return None
    options = {name: value for name, value in rule.options.items() if name in {"ties", "missing"}}
    missing = options.get("missing", "error")
    if not board.missing_cells:
        options["missing"] = "error"
    elif missing not in {"error", "last"}:
        return None
    return PointRule.of(rule.name, **options).points(board)


def why_not_linear(questions: Mapping[str, Question], board: Leaderboard) -> str | None:
    """Return why no weights are searched for these questions: which is not linear in them; None where all are."""
    own = weighing(board)
    for name, question in questions.items():
        if linear_points(question, own) is None:
            linear = f"rules linear in them ({', '.join(POINT_RULES)}, no score skipped)"
            return f"no least change of weights is known for {name}, but for {linear}"
    return None


def linear_rows(
    question: Question, board: Leaderboard, pairs: Sequence[tuple[str, str]]
) -> tuple[AnyArray, int] | None:
    """Return the differences of points of pairs (pairs x tasks) times a number, and it; None where none are summed."""
    points = linear_points(question, board)
    if points is None:
        return None
    row = {model: place for place, model in enumerate(points.models)}
    upper, lower = ([row[pair[side]] for pair in pairs] for side in (0, 1))
    return np.asarray(points.numerators[upper] - points.numerators[lower]), points.denominator


def pair_leads(board: Leaderboard, upper: str, lower: str) -> pd.DataFrame:
    """Return the lead of one model over another on each task, and its sign."""
    signs = board.signs()
    rows = [board.models.index(name) for name in (upper, lower)]
    down = set(board.lower_is_better)
    leads: list[Fraction | float] = []
    for place, task in enumerate(board.tasks):
        scores = board.cells.column(place)
        one, other = (scores[row] for row in rows)
        lead = float("nan") if one is None or other is None else one - other
        leads.append(-lead if task in down else lead)
    sign = signs.matrix(upper)[signs.rivals(upper).index(lower)]
    index = list(board.tasks)
    return pd.DataFrame(
        {"lead": pd.Series(leads, index=index, dtype=object), "sign": pd.Series(sign, index=index, dtype="int64")}
    )
