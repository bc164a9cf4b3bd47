"""Integer programs for Copeland and minimax: weights, and binaries that say how the duels end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from weightlab import _solver
from weightlab._exact import FloatArray, SignArray
from weightlab._result import Frozen
from weightlab.exceptions import ImpossibleError, UnprovedError
from weightlab.lp.certificates.lp_rows import allowed_rows, margin_program
from weightlab.lp.space.space import WeightSpace

MOST_ROUNDS = 500
"""So often a choice of a solver's is refuted exactly before the search ends without an answer."""


@dataclass(kw_only=True)
class _ProgramBuilder:
    """A program under construction: the weights and the auxiliary variables of the space come first."""

    space: WeightSpace
    columns: list[str] = field(default_factory=list)
    lower: list[_solver.Number | None] = field(default_factory=list)
    upper: list[_solver.Number | None] = field(default_factory=list)
    integral: list[bool] = field(default_factory=list)
    rows: list[dict[int, _solver.Number]] = field(default_factory=list)
    least: list[_solver.Number] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with the variables of the space."""
        for name in (*self.space.tasks, *self.space.auxiliaries):
            self.column(name, 0, None, integral=False)

    def column(self, name: str, lower: _solver.Number, upper: _solver.Number | None, *, integral: bool = True) -> int:
        """Add a variable and return its position."""
        self.columns.append(name)
        self.lower.append(lower)
        self.upper.append(upper)
        self.integral.append(integral)
        return len(self.columns) - 1

    def at_least(
        self, bound: _solver.Number, terms: dict[int, _solver.Number], signs: SignArray | None = None, sign: int = 1
    ) -> None:
        """Add the row that the margin of a duel (times a sign) and some terms are at least a bound."""
        margin = {} if signs is None else {int(task): sign * int(signs[task]) for task in np.flatnonzero(signs)}
        self.rows.append({**margin, **terms})
        self.least.append(bound)

    def formulation(self, name: str, objective: int | None = None) -> _solver.Formulation:
        """Return the program that makes one variable large, or asks for any point."""
        width = len(self.columns)
        return _solver.Formulation(
            name=name,
            sense=_solver.Sense.MAXIMISE,
            columns=tuple(self.columns),
            objective=tuple(int(place == objective) for place in range(width)),
            rows=_solver.Rows.join(
                allowed_rows(self.space.tasks, self.space.auxiliaries, self.space.rows, width),
                _solver.Rows.from_dicts(
                    self.rows, width=width, lower=self.least, labels=[str(row) for row in range(len(self.rows))]
                ),
            ),
            lower=tuple(self.lower),
            upper=tuple(self.upper),
            integral=tuple(self.integral),
        )


def copeland_weights(
    signs: SignArray, model: int, space: WeightSpace, *, strictly: bool, time_limit: float | None = None
) -> tuple[Fraction, ...] | None:
    """Return exact weights with a Copeland lead of 0 or more, or strictly more, or None: the solver's word for none.

    Parameters
    ----------
    signs : ndarray of int8, models x models x tasks
        Signs of all over all.
    model : int
        Whose lead it is.
    space : WeightSpace
        Allowed weights.
    strictly : bool
        Whether the lead must be of one duel at least.
    time_limit : float, optional
        Seconds.

    Notes
    -----
    Two binaries a duel say whether it is won or lost. Margins of those won are only asked not to be negative, so that
    however narrow the space is no weights are overlooked. Whether some weights decide the duels that are called won,
    and tie those that are neither, is then settled by an exact linear program; where none do, its multipliers name
    duels that exclude each other (combinatorial Benders cuts; Codato and Fischetti, 2006).
    """
    deadline, least = _solver.deadline_in(time_limit), int(strictly)
    builder, count = _ProgramBuilder(space=space), len(signs)
    won: dict[tuple[int, int], int] = {}
    for one in range(count):
        for other in range(one + 1, count):
            won[one, other], won[other, one] = _duel_binaries(builder, signs[one, other], f"{one} {other}")
    for rival in range(count):
        if rival != model:
            builder.at_least(least, _score_difference(won, model, rival, count))
    program = builder.formulation(f"a Copeland lead of {least}")
    for _ in range(MOST_ROUNDS):
        point = _solved(program, _solver.seconds_left(deadline))
        if point is None:
            return None
        ended = {pair: bool(round(float(point[place]))) for pair, place in won.items()}
        decided = [pair for pair, wins in ended.items() if wins]
        tied = [pair for pair in ended if pair[0] < pair[1] and not ended[pair] and not ended[pair[::-1]]]
        found = _weights_with(signs, decided, tied, space, _solver.seconds_left(deadline))
        if isinstance(found, tuple):
            return found
        # Of duels called won some is not, or of those called tied some is won by either side.
        pairs = [{won[one]: -1, won[other]: -1} for one, other in _opposed(signs, decided)]
        own = {won[pair]: -1 for pair in found.decided} | {
            won[side]: 1 for pair in found.tied for side in (pair, pair[::-1])
        }
        bounds = [-1] * len(pairs) + [1 - len(found.decided)]
        program = program.with_rows(_cuts([*pairs, own], bounds, len(program.columns)))
    raise UnprovedError(f"after {MOST_ROUNDS} rounds {_solver.solver_name()} has found no duels that can end together")


def _opposed(signs: SignArray, decided: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield pairs of duels that no weights decide together: on no task their signs sum to more than 0."""
    rows = np.array([signs[pair] for pair in decided])
    for place, row in enumerate(rows):
        for other in np.flatnonzero((rows[place + 1 :] + row <= 0).all(axis=1)).tolist():
            yield decided[place], decided[place + 1 + other]


def _cuts(rows: Sequence[dict[int, int]], least: Sequence[int], width: int) -> _solver.Rows:
    return _solver.Rows.from_dicts(rows, width=width, lower=least, labels=["not these together"] * len(rows))


def _score_difference(won: dict[tuple[int, int], int], model: int, rival: int, count: int) -> dict[int, _solver.Number]:
    """Return the Copeland score of a model less that of a rival, as a sum of binaries."""
    terms: dict[int, _solver.Number] = {}
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
            # At 1 the margin is not negative, at 0 the row says no more than ``low``.
            builder.at_least(low, {place: low}, signs, sign)
            # At 0 the margin is at most 0, at 1 the row says no more than ``high``.
            builder.at_least(0, {place: high}, signs, -sign)
    return places[0], places[1]


def minimax_weights(
    signs: SignArray, model: int, space: WeightSpace, *, strictly: bool, time_limit: float | None = None
) -> tuple[Fraction, ...] | None:
    """Return exact weights with a minimax lead (by margins) of 0 or more, or strictly more; None: there are none.

    Notes
    -----
    No defeat of the model is worse than a variable says; for each rival a binary picks a duel that it loses by at
    least that and the lead. Of the duels of a rival only those enter that no other exceeds on every task. With the
    picks fixed a linear program is left, whose optimum is exact; where it falls short, its multipliers name picks that
    fall short together, and others are tried until the solver finds none: no bound of its, in floats, is compared.
    """
    deadline = _solver.deadline_in(time_limit)
    builder, worst, lead = _defeats(signs, model, space, least=0)
    picks: dict[int, SignArray] = {}
    for rival in (one for one in range(len(signs)) if one != model):
        own = {builder.column(f"{rival} by {n}", 0, 1): duel for n, duel in enumerate(_worst_duels(signs, rival))}
        for pick, duel in own.items():
            # ``worst + lead`` is a margin, so at most 1: a duel that is not picked asks for nothing.
            room = 1 - int(duel.min())
            builder.at_least(-room, {worst: -1, lead: -1, pick: -room}, duel)
        builder.at_least(1, dict.fromkeys(own, 1))
        picks |= own
    program = builder.formulation("best minimax lead", lead)
    for _ in range(MOST_ROUNDS):
        point = _solved(program, _solver.seconds_left(deadline))
        if point is None:
            return None
        chosen, worst, lead = _defeats(signs, model, space, least=-2)
        picked = [pick for pick in picks if round(float(point[pick]))]
        first = len(chosen.formulation("without picks", lead).rows)
        for pick in picked:
            chosen.at_least(0, {worst: -1, lead: -1}, picks[pick])
        optimum = _solver.exact_optimum(
            chosen.formulation("minimax lead by picks", lead), time_limit=_solver.seconds_left(deadline)
        )
        if optimum.value > 0 or (optimum.value == 0 and not strictly):
            return optimum.x[: len(space.tasks)]
        short = {pick: -1 for pick, dual in zip(picked, optimum.duals[first:], strict=True) if dual}
        program = program.with_rows(_cuts([short], [1 - len(short)], len(program.columns)))
    raise UnprovedError(f"after {MOST_ROUNDS} rounds {_solver.solver_name()} has found no duels that give a lead")


def _defeats(signs: SignArray, model: int, space: WeightSpace, *, least: int) -> tuple[_ProgramBuilder, int, int]:
    """Return a program in which no rival's margin over the model exceeds a variable, that variable and the lead."""
    builder = _ProgramBuilder(space=space)
    worst = builder.column("worst defeat", -1, 1, integral=False)
    lead = builder.column("lead", least, 2, integral=False)
    for rival in range(len(signs)):
        if rival != model:
            builder.at_least(0, {worst: 1}, signs[rival, model], -1)
    return builder, worst, lead


def _worst_duels(signs: SignArray, rival: int) -> SignArray:
    """Return the signs of others over a rival, without those that another exceeds on every task."""
    duels = np.unique(np.delete(signs[:, rival], rival, axis=0), axis=0)
    exceeded = [bool(((duels >= duel).all(axis=1) & (duels > duel).any(axis=1)).any()) for duel in duels]
    return np.asarray(duels[~np.array(exceeded)])


def _solved(program: _solver.Formulation, time_limit: float | None) -> FloatArray | None:
    """Return an optimal point; None where the solver says that there is no point."""
    solution = _solver.solve(program, time_limit=time_limit)
    if solution.status is _solver.Status.INFEASIBLE:
        return None
    known = {"lead": None if solution.x is None else solution.value, "bound": solution.bound}
    return _solver.optimal_point(solution, program.name, known)


class _Excluded(Frozen, eq=True):
    """Duels that no weights of a space decide, and at the same time tie."""

    decided: list[tuple[int, int]]
    tied: list[tuple[int, int]]


def _weights_with(
    signs: SignArray,
    decided: Sequence[tuple[int, int]],
    tied: Sequence[tuple[int, int]],
    space: WeightSpace,
    time_limit: float | None,
) -> tuple[Fraction, ...] | _Excluded:
    """Return weights under which the decided duels are won by as much as they can be, the tied ones being tied."""
    program = margin_program(space.tasks, space.rows, space.auxiliaries)
    width, first = len(program.columns), len(program.rows)
    duels = np.zeros((len(tied) + len(decided), width), dtype=np.int64)
    for row, pair in enumerate([*tied, *decided]):
        duels[row, : len(space.tasks)] = signs[pair]
    duels[len(tied) :, width - 1] = -1
    above: list[_solver.Number | None] = [0] * len(tied) + [None] * len(decided)
    labels = [str(row) for row in range(len(duels))]
    rows = _solver.Rows.from_matrix(duels, lower=[0] * len(duels), upper=above, labels=labels)
    try:
        optimum = _solver.exact_optimum(program.with_rows(rows), time_limit=time_limit)
    except ImpossibleError as error:
        multipliers = error.proof.multipliers[first:]
    else:
        if not decided or optimum.value > 0:
            return optimum.x[: len(space.tasks)]
        multipliers = optimum.duals[first:]
    used = [pair for pair, one in zip([*tied, *decided], multipliers, strict=True) if one]
    return _Excluded(decided=[one for one in used if one in decided], tied=[one for one in used if one in tied])
