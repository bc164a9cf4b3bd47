"""What each rule asks of a model that rises so that it is level with others or ahead: rows of an integer program."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._exact import as_objects
from weightlab.data import Margins, Profile
from weightlab.data.points import NAMED_VECTORS
from weightlab.exceptions import InputError
from weightlab.graph.duel_scores import copeland_values, minimax_values
from weightlab.rules.entry import number_option
from weightlab.rules.positional import points_by_task
from weightlab.rules.preparation import group_weighted
from weightlab.rules.rule import Rule
from weightlab.studies.questions import Question
from weightlab.studies.rise_groups import add_total, add_two_step
from weightlab.studies.rise_program import RiseProgram, Row

__all__ = ["add_rule", "reads_scores"]

COUNTS = {1: 1}, {-1: 1}, {1: 1, -1: -1}
"""What signs count for: those that lead, those that trail, and the margin."""

LED, TRAILED, MARGIN = COUNTS


def reads_scores(question: Question) -> bool:
    """Tell whether a question is a mean of scores, or an average by group."""
    return question.average is not None or (question.rule is not None and question.rule.name == "mean")


def add_rule(program: RiseProgram, question: Question, others: Sequence[int]) -> None:
    """Add the rows that by a rule the model does not stand below any of some others.

    Raises
    ------
    InputError
        If the rule is none whose rows are known.
    """
    rule = question.rule
    board = program.climber.board
    if question.average == "two_step_average":
        add_two_step(program, others)
    elif reads_scores(question):
        weights = (group_weighted(board) if question.average else board).weights
        add_total(program, [Fraction(weight) for weight in weights], others)
    elif rule is not None and (rule.name in NAMED_VECTORS or rule.name in {"k_approval", "scoring"}):
        _add_points(program, rule, others)
    elif rule is not None and rule.name == "copeland":
        _add_copeland(program, str(rule.options.get("score", "difference")), others)
    elif rule is not None and rule.name == "minimax":
        _add_minimax(program, str(rule.options.get("score", "winning_votes")), others)
    else:
        raise InputError(
            f"the least change of scores is not known for {question.name!r}: it is known for mean, macro_average, "
            "two_step_average, rules of points (borda, plurality, veto, dowdall, k_approval, scoring), copeland and "
            "minimax; .by_task of weightlab.studies.disagreement says what each task says of a pair"
        )


def _add_points(program: RiseProgram, rule: Rule, others: Sequence[int]) -> None:
    climber, count = program.climber, len(program.climber.board.models)
    levels = np.concatenate([climber.levels(task) for task in range(len(climber.ladders))], axis=1)
    names = [str(number) for number in range(levels.shape[1])]
    profile = Profile.from_levels(climber.board.models, names, levels, [Fraction(1)] * len(names))
    vector: Any = NAMED_VECTORS[rule.name](count) if rule.name in NAMED_VECTORS else rule.options.get("vector")
    if rule.name == "k_approval":
        vector = [Fraction(place < number_option("k", rule.options["k"])) for place in range(count)]
    options = {name: value for name, value in rule.options.items() if name in {"ties", "missing"}}
    points = as_objects(points_by_task(profile, vector, **options)[0])
    starts = np.cumsum([0, *map(len, climber.ladders)])
    for other in others:
        leads = (points[:, climber.place] - points[:, other]).tolist()
        parts = [leads[start:stop] for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
        program.at_least(0, program.sum_over_rungs(parts, program.weights))


def _todays_margins(program: RiseProgram) -> Margins:
    """Return the margins of today in the whole-numbered weights of the program."""
    return Margins.from_signs(program.climber.board.signs(), [Fraction(weight) for weight in program.weights])


def _others_alone(program: RiseProgram) -> Margins:
    """Return today's margins among all but the model that rises."""
    margins, kept = _todays_margins(program), program.climber.rivals
    return Margins(
        models=tuple(margins.models[row] for row in kept),
        wins=margins.wins[np.ix_(kept, kept)],
        ties=margins.ties[np.ix_(kept, kept)],
        denominator=margins.denominator,
    )


def _add_copeland(program: RiseProgram, score: str, others: Sequence[int]) -> None:
    """Add binaries for duels won and lost: what is said to be won is, and what is not said to be lost is not lost."""
    whole, rivals = sum(program.weights), program.climber.rivals
    half = "difference" if score == "half_ties" else score
    alone = copeland_values(_others_alone(program), half).tolist()
    up, down = {"difference": (1, 1), "wins": (1, 0), "losses": (0, 1)}[half]
    own: Row = {}
    outcome: list[tuple[int, int]] = []
    for number in range(len(rivals)):
        won, lost = program.column(0, 1), program.column(0, 1)
        margin = program.signs(number, MARGIN)
        program.at_least(-whole, {**margin, won: -(whole + 1)})
        program.at_least(0, {**margin, lost: whole})
        own.update({won: up, lost: -down})
        outcome.append((won, lost))
    for other in others:
        number = rivals.index(other)
        row = dict(own)
        for column, change in zip(outcome[number], (down, -up), strict=True):
            row[column] = row.get(column, 0) + change
        program.at_least(int(alone[number]), row)


def _add_minimax(program: RiseProgram, score: str, others: Sequence[int]) -> None:
    """Add the rows that the model's worst defeat is no worse than each other's, by another rival or by the model."""
    whole, rivals = sum(program.weights), program.climber.rivals
    worst = program.column(0 if score != "margins" else -whole, whole)
    for number in range(len(rivals)):
        if score == "margins":
            program.at_least(0, {worst: 1, **program.signs(number, MARGIN)})
            continue
        against: Row = {worst: 1, **{column: -value for column, value in program.signs(number, TRAILED).items()}}
        if score == "winning_votes":
            unbeaten = program.column(0, 1)
            program.at_least(-whole, {**program.signs(number, MARGIN), unbeaten: -whole})
            against[unbeaten] = whole
        program.at_least(0, against)
    alone = minimax_values(_others_alone(program), score).tolist()
    for other in others:
        number = rivals.index(other)
        # A lone rival's worst defeat is by the model, unless what is no defeat counts 0.
        known = -int(alone[number]) if len(rivals) > 1 else 0 if score == "winning_votes" else -whole
        by_model = program.column(0, 1)
        program.at_least(-known, {worst: -1, by_model: 2 * whole})
        defeat = program.signs(number, MARGIN if score == "margins" else LED)
        program.at_least(-2 * whole, {worst: -1, by_model: -2 * whole, **defeat})
        if score == "winning_votes":
            program.at_least(-whole, {by_model: -(whole + 1), **program.signs(number, MARGIN)})
