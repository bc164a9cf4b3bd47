"""Integer programs for Copeland and minimax: weights, and binaries that say how the duels end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from weightlab._solver import Formulation, Number, Rows, Sense, Solution, Status, exact_optimum, solve, solver_name
from weightlab._typing import FloatArray, SignArray
from weightlab.exceptions import ImpossibleError, SolverError, TimeLimitError, UnprovedError
from weightlab.lp.certificates.lp_rows import RivalRows, allowed_rows, margin_program
from weightlab.lp.space.space import WeightSpace

__all__ = ["SLACK", "best_copeland", "best_minimax"]

SLACK = {"copeland": Fraction(1, 10**4), "minimax": Fraction(1, 10**6)}
"""What a solver's bound leaves open: duels decided by less, by Copeland; smaller leads, by minimax."""


@dataclass(kw_only=True)
class _ProgramBuilder:
    """A program under construction: the weights and the auxiliary variables of the space come first."""

    space: WeightSpace
    columns: list[str] = field(default_factory=list)
    lower: list[Number | None] = field(default_factory=list)
    upper: list[Number | None] = field(default_factory=list)
    integral: list[bool] = field(default_factory=list)
    rows: list[dict[int, Number]] = field(default_factory=list)
    least: list[Number] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with the variables of the space."""
        for name in (*self.space.tasks, *self.space.auxiliaries):
            self.column(name, 0, None, integral=False)

    def column(self, name: str, lower: Number, upper: Number | None, *, integral: bool = True) -> int:
        """Add a variable and return its position."""
        self.columns.append(name)
        self.lower.append(lower)
        self.upper.append(upper)
        self.integral.append(integral)
        return len(self.columns) - 1

    def at_least(self, bound: Number, terms: dict[int, Number], signs: SignArray | None = None, sign: int = 1) -> None:
        """Add the row that the margin of a duel (times a sign) and some terms are at least a bound."""
        margin = {} if signs is None else {int(task): sign * int(signs[task]) for task in np.flatnonzero(signs)}
        self.rows.append({**margin, **terms})
        self.least.append(bound)

    def formulation(self, name: str, objective: int) -> Formulation:
        """Return the program that makes one variable large."""
        width = len(self.columns)
        return Formulation(
            name=name,
            sense=Sense.MAXIMISE,
            columns=tuple(self.columns),
            objective=tuple(int(place == objective) for place in range(width)),
            rows=Rows.join(
                allowed_rows(self.space.tasks, self.space.auxiliaries, self.space.rows, width),
                Rows.from_dicts(
                    self.rows, width=width, lower=self.least, labels=[str(row) for row in range(len(self.rows))]
                ),
            ),
            lower=tuple(self.lower),
            upper=tuple(self.upper),
            integral=tuple(self.integral),
        )


def best_copeland(
    signs: SignArray, model: int, space: WeightSpace, *, most: int = 1, time_limit: float | None = None
) -> tuple[Fraction, ...]:
    """Return exact weights whose Copeland lead no others improve on, up to a lead of one duel, on a solver's word.

    Parameters
    ----------
    signs : ndarray of int8, models x models x tasks
        Signs of all over all.
    model : int
        Whose lead it is.
    space : WeightSpace
        Allowed weights.
    most : int
        A lead that is enough: one duel, or 0 where more is known to be impossible.
    time_limit : float, optional
        Seconds.

    Notes
    -----
    Two binaries a duel say whether it is won or lost. A duel won has a margin of at least `SLACK`, one lost of at most
    minus that, any other of 0: margins lie between -1 and 1, so these are linear rows.
    """
    builder, count = _ProgramBuilder(space=space), len(signs)
    won: dict[tuple[int, int], int] = {}
    for one in range(count):
        for other in range(one + 1, count):
            won[one, other], won[other, one] = _duel_binaries(builder, signs[one, other], f"{one} {other}")
    lead = builder.column("lead", -2 * count, most)
    for rival in range(count):
        if rival != model:
            builder.at_least(0, {lead: -1, **_score_difference(won, model, rival, count)})
    solution = _solved(builder.formulation("best Copeland lead", lead), time_limit)
    ended = {pair: round(float(_point(solution)[place])) for pair, place in won.items()}
    decided = [signs[pair] for pair, wins in ended.items() if wins]
    tied = [signs[pair] for pair in ended if pair[0] < pair[1] and not ended[pair] and not ended[pair[::-1]]]
    return _weights_with(decided, tied, space, time_limit)


def _score_difference(won: dict[tuple[int, int], int], model: int, rival: int, count: int) -> dict[int, Number]:
    """Return the Copeland score of a model less that of a rival, as a sum of binaries."""
    terms: dict[int, Number] = {}
    for who, sign in ((model, 1), (rival, -1)):
        for other in range(count):
            if other != who:
                for place, factor in ((won[who, other], sign), (won[other, who], -sign)):
                    terms[place] = terms.get(place, 0) + factor
    return terms


def _duel_binaries(builder: _ProgramBuilder, signs: SignArray, name: str) -> tuple[int, int]:
    """Add the binaries of one duel and the rows that tie them to its margin."""
    places = []
    for sign, word in ((1, "won"), (-1, "lost")):
        # ``low <= sign * margin <= high`` for all weights: where that settles the duel the binary is fixed.
        low, high = sorted((sign * int(signs.min()), sign * int(signs.max())))
        place = builder.column(f"{name} {word}", int(low > 0), int(high > 0))
        places.append(place)
        if low <= 0 < high:
            slack = SLACK["copeland"]
            # At 1 the margin is at least the slack, at 0 the row says no more than ``low``.
            builder.at_least(low, {place: low - slack}, signs, sign)
            # At 0 the margin is at most 0, at 1 the row says no more than ``high``.
            builder.at_least(0, {place: high}, signs, -sign)
    return places[0], places[1]


def best_minimax(
    signs: SignArray, model: int, space: WeightSpace, *, most: int = 1, time_limit: float | None = None
) -> tuple[Fraction, ...]:
    """Return exact weights whose minimax lead (by margins) no others improve on, on a solver's word.

    Notes
    -----
    No defeat of the model is worse than a variable says; for each rival a binary picks a duel that it loses by at
    least that and the lead. Of the duels of a rival only those enter that no other exceeds on every task.
    """
    choices = {rival: _worst_duels(signs, rival) for rival in range(len(signs)) if rival != model}
    builder, worst, lead = _defeats(signs, model, space, most)
    picks: dict[int, SignArray] = {}
    for rival, duels in choices.items():
        own = {builder.column(f"{rival} by {number}", 0, 1): duel for number, duel in enumerate(duels)}
        for pick, duel in own.items():
            # ``worst + lead`` is a margin, so at most 1: a duel that is not picked asks for nothing.
            room = 1 - int(duel.min())
            builder.at_least(-room, {worst: -1, lead: -1, pick: -room}, duel)
        builder.at_least(1, dict.fromkeys(own, 1))
        picks |= own
    solution = _solved(builder.formulation("best minimax lead", lead), time_limit)
    # With the picks fixed a linear program is left, whose optimum is exact.
    chosen, worst, lead = _defeats(signs, model, space, most)
    for pick, duel in picks.items():
        if round(float(_point(solution)[pick])):
            chosen.at_least(0, {worst: -1, lead: -1}, duel)
    optimum = exact_optimum(chosen.formulation("minimax lead by chosen duels", lead), time_limit=time_limit)
    if float(optimum.value) < solution.bound - float(SLACK["minimax"]):
        known = {"lead": optimum.value, "bound": solution.bound}
        raise UnprovedError(
            f"{solver_name()} bounds the lead by {solution.bound}; found is {optimum.value}", known=known
        )
    return optimum.x[: len(space.tasks)]


def _defeats(signs: SignArray, model: int, space: WeightSpace, most: int) -> tuple[_ProgramBuilder, int, int]:
    """Return a program in which no rival's margin over the model exceeds a variable, that variable and the lead."""
    builder = _ProgramBuilder(space=space)
    worst = builder.column("worst defeat", -1, 1, integral=False)
    lead = builder.column("lead", -2, 2 * most, integral=False)
    for rival in range(len(signs)):
        if rival != model:
            builder.at_least(0, {worst: 1}, signs[rival, model], -1)
    return builder, worst, lead


def _worst_duels(signs: SignArray, rival: int) -> SignArray:
    """Return the signs of others over a rival, without those that another exceeds on every task."""
    duels = np.unique(np.delete(signs[:, rival], rival, axis=0), axis=0)
    exceeded = [bool(((duels >= duel).all(axis=1) & (duels > duel).any(axis=1)).any()) for duel in duels]
    return np.asarray(duels[~np.array(exceeded)])


def _solved(program: Formulation, time_limit: float | None) -> Solution:
    solution = solve(program, time_limit=time_limit)
    known = {"lead": None if solution.x is None else solution.value, "bound": solution.bound}
    if solution.status is Status.TIME_LIMIT:
        raise TimeLimitError(f"{program.name}: the time limit came before the optimum was shown", known=known)
    if solution.status is not Status.OPTIMAL:
        raise UnprovedError(f"{program.name}: {solver_name()} ended as {solution.status}", known=known)
    return solution


def _point(solution: Solution) -> FloatArray:
    if solution.x is None:
        raise SolverError("an optimal solution without a point")
    return solution.x


def _weights_with(
    decided: Sequence[SignArray], tied: Sequence[SignArray], space: WeightSpace, time_limit: float | None
) -> tuple[Fraction, ...]:
    """Return weights under which the decided duels are won by as much as they can be, the tied ones being tied."""
    program = margin_program(space.tasks, space.rows, space.auxiliaries)
    width = len(program.columns)
    ties = np.zeros((len(tied), width), dtype=np.int64)
    ties[:, : len(space.tasks)] = np.array(tied, dtype=np.int64).reshape(len(tied), len(space.tasks))
    program = program.with_rows(Rows.from_matrix(ties, lower=0, upper=0, labels=[str(row) for row in range(len(tied))]))
    won = np.array(decided) if decided else np.zeros((1, len(space.tasks)), dtype=np.int8)
    duels = RivalRows(won, [str(row) for row in range(len(won))], width=width, margin_column=width - 1)
    try:
        optimum = exact_optimum(program.with_rows(duels.rows(duels.first())), lazy=duels, time_limit=time_limit)
    except ImpossibleError as error:
        raise UnprovedError(f"{solver_name()} tied duels that no weights tie together") from error
    if decided and optimum.value <= 0:
        raise UnprovedError(f"{solver_name()} decided duels that no weights decide together")
    return optimum.x[: len(space.tasks)]
