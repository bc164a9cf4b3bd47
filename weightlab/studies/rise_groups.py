"""What the averages by group ask of a model that rises: rows of an integer program."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from weightlab._exact import common_denominator
from weightlab._solver import Number
from weightlab.exceptions import InputError
from weightlab.studies.rise_program import RiseProgram, Row

__all__ = ["add_total", "add_two_step"]


def add_total(program: RiseProgram, weights: Sequence[Fraction], others: Sequence[int]) -> None:
    """Add the row that the model's weighted sum of scores is no less than any of some others'."""
    refuse_missing(program)
    totals = {row: _total(program, row, weights) for row in others}
    most = max(totals.values())
    program.go_beyond(most - _total(program, program.climber.place, weights), weights)
    program.at_least(most, _own_total(program, weights))


def add_two_step(program: RiseProgram, others: Sequence[int]) -> None:
    """Add binaries for the rivals that the model is level with or ahead of in a group, and the rows of Borda over them.

    A model earns two in a group for each rival that it is ahead of, and one for each that it is level with.
    """
    refuse_missing(program)
    climber = program.climber
    earned: Row = {}
    duels: dict[int, Row] = {rival: {} for rival in climber.rivals}
    alone = dict.fromkeys(climber.rivals, 0)
    for tasks in climber.board.groups.values():
        weights = [
            weight if task in tasks else Fraction(0)
            for task, weight in zip(climber.board.tasks, climber.board.weights.tolist(), strict=True)
        ]
        totals = {row: _total(program, row, weights) for row in climber.rivals}
        for rival, places in _standing(program, weights, totals).items():
            earned.update(places)
            duels[rival].update(places)
            alone[rival] += sum(1 + _sign(totals[rival] - total) for row, total in totals.items() if row != rival)
    for other in others:
        row = dict(earned)
        for column in duels[other]:
            row[column] = row.get(column, 0) + 1
        program.at_least(alone[other] + 2 * len(climber.board.groups), row)


def refuse_missing(program: RiseProgram) -> None:
    """Raise InputError where a score is missing."""
    if program.climber.board.missing_cells:
        raise InputError("the least change of scores needs every score where a mean is asked: keep complete models")


def _standing(program: RiseProgram, weights: Sequence[Fraction], totals: dict[int, Fraction]) -> dict[int, Row]:
    """Return for each rival two binaries: one may be 1 if the model is level with it in a group, one if it is ahead."""
    today, unit = _total(program, program.climber.place, weights), _unit(program, weights, totals)
    program.go_beyond(max(totals.values()) + unit - today, weights)
    own = _own_total(program, weights)
    found: dict[int, Row] = {}
    for rival, total in totals.items():
        found[rival] = {program.column(0, 1): 1 for _ in range(2)}
        for column, needed in zip(found[rival], (total, total + unit), strict=True):
            short = max(needed - today, Fraction(0))
            program.at_least(needed - short, {**own, column: -short})
    return found


def _unit(program: RiseProgram, weights: Sequence[Fraction], totals: dict[int, Fraction]) -> Fraction:
    """Return a number of which all totals that there can be are multiples."""
    parts = list(totals.values())
    for weight, terms, ladder in zip(weights, program.climber.terms, program.climber.ladders, strict=True):
        parts += [weight * terms.step, *(weight * (gain or 0) for gain in ladder.gains)]
    return Fraction(1, common_denominator(parts)[1])


def _total(program: RiseProgram, row: int, weights: Sequence[Fraction]) -> Fraction:
    parts = zip(weights, program.climber.columns, strict=True)
    return sum((weight * (column.gains[row] or 0) for weight, column in parts), Fraction(0))


def _own_total(program: RiseProgram, weights: Sequence[Fraction]) -> Row:
    """Return the model's weighted sum of scores, at its rungs and beyond."""
    values: list[list[Number]] = [[gain or 0 for gain in ladder.gains] for ladder in program.climber.ladders]
    row = {column: value for column, value in program.sum_over_rungs(values, weights).items() if value}
    for task, column in program.beyond.items():
        if weights[task]:
            row[column] = weights[task] * program.climber.terms[task].step
    return row


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)
