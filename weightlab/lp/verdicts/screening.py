"""Proved bounds of many margins, fast: screens, constraint generation over rivals, and integer checks of what is found.

The floats of a solver only propose weights and blockers; both are rounded to integers over a power of two, and the
bounds are what these integers prove exactly. Verdicts that rounding cannot prove are settled by the exact program.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from weightlab._exact import FloatArray, IntArray, SignArray, common_denominator, exact_products, integer_weights
from weightlab._result import Frozen, ensure
from weightlab._solver import OpenProgram, Rows, deadline_in, open_program, optimal_point, seconds_left
from weightlab.exceptions import SolverError
from weightlab.lp.certificates.lp_rows import margin_program
from weightlab.lp.certificates.max_margin import MarginProof, verdict_between, widest_margin
from weightlab.lp.certificates.primal import check_exact
from weightlab.lp.space.space import WeightSpace

UNITS = 2**50
"""Rounded weights and blockers are multiples of 1 / UNITS; products with signs stay below 2**53, exact in floats."""
BATCH = 30
"""So many violated rivals are added at a time."""
CLEAR = 1e-7
"""A float margin nearer to 0 than this is settled exactly."""


class Bounds(Frozen):
    """Bounds of one model's margin with the integers that prove them.

    Attributes
    ----------
    lower, upper : Fraction
        The margin lies between them.
    weights : ndarray of int, tasks
        Weights times ``weight_units``; every lead under them is at least ``lower``.
    blockers : ndarray of int
        Shares of some rivals times ``blocker_units``.
    blocking : ndarray of int
        The positions of these rivals among all models.
    multipliers : tuple of Fraction
        One a row of the space.
    """

    lower: Fraction
    upper: Fraction
    weights: IntArray
    weight_units: int
    blocking: IntArray
    blockers: IntArray
    blocker_units: int
    multipliers: tuple[Fraction, ...] = ()

    def proof(self, model: int, names: Sequence[str]) -> MarginProof:
        """Return the bounds as fractions, one a rival."""
        pairs = zip(self.blocking.tolist(), self.blockers.tolist(), strict=True)
        shares = {rival: Fraction(share, self.blocker_units) for rival, share in pairs}
        none = Fraction(0)
        rivals = [position for position in range(len(names)) if position != model]
        return MarginProof(
            rivals=tuple(names[rival] for rival in rivals),
            lower=self.lower,
            upper=self.upper,
            weights=tuple(Fraction(weight, self.weight_units) for weight in self.weights.tolist()),
            blockers=tuple(shares.get(rival, none) for rival in rivals),
            multipliers=self.multipliers,
        )

    @classmethod
    def of_proof(cls, proof: MarginProof, model: int) -> Bounds:
        """Return an exact proof over all rivals as bounds."""
        weights, weight_units = common_denominator(proof.weights)
        rivals = [index for index, share in enumerate(proof.blockers) if share]
        blockers, blocker_units = common_denominator([proof.blockers[index] for index in rivals])
        return cls(
            lower=proof.lower,
            upper=proof.upper,
            weights=_integers(weights),
            weight_units=weight_units,
            blocking=np.array([index + (index >= model) for index in rivals], dtype=np.int64),
            blockers=_integers(blockers),
            blocker_units=blocker_units,
            multipliers=proof.multipliers,
        )

    def check(self, signs: SignArray, model: int) -> None:
        """Ensure, for all weights without conditions, that the integers prove the bounds (signs over all models).

        What ``check_weights`` and ``check_bound`` say of fractions, in whole numbers and for the blockers' rows alone:
        without rows of a space the bound is the largest column sum of the mixture.
        """
        check_exact(lower=self.lower, upper=self.upper)
        units = [self.weight_units, self.blocker_units]
        whole = [*self.weights.tolist(), *self.blockers.tolist(), *self.blocking.tolist(), *units]
        ensure(all(type(one) is int for one in whole), "weights and blockers must be whole numbers")
        ensure(self.weights.shape == signs.shape[1:], "there must be one weight a task")
        ensure(self.weight_units > 0 and self.blocker_units > 0, "weights and blockers need a positive unit")
        ensure(not self.multipliers, "multipliers need conditions")
        ensure(min(self.weights.tolist()) >= 0, "a weight is negative")
        ensure(sum(self.weights.tolist()) == self.weight_units, "the weights do not sum to 1")
        ensure(min(self.blockers.tolist(), default=-1) >= 0, "a blocker's share is negative, or there is none")
        ensure(sum(self.blockers.tolist()) == self.blocker_units, "the blockers' shares do not sum to 1")
        rivals = all(0 <= one < len(signs) and one != model for one in self.blocking.tolist())
        ensure(rivals, "the model blocks itself, or a blocker is no model")
        once = len(set(self.blocking.tolist())) == len(self.blocking) == len(self.blockers)
        ensure(once, "every blocker needs one share")
        least = _least_lead(signs, self.weights, model)
        ensure(Fraction(least, self.weight_units) == self.lower, f"the least lead is not {self.lower}")
        most = _most_lead(signs[self.blocking], self.blockers)
        ensure(Fraction(most, self.blocker_units) == self.upper, f"the blockers prove another bound than {self.upper}")
        ensure(verdict_between(self.lower, self.upper) is not None, "the bounds prove no verdict")


class Prover:
    """Bounds of one model after another over the same tasks and space.

    Parameters
    ----------
    space : WeightSpace
        Allowed weights, tasks in the order of the signs.
    """

    def __init__(self, space: WeightSpace) -> None:
        self.space = space
        self.free = not space.conditions
        self.tasks = len(space.tasks)
        self._base = margin_program(space.tasks, (), ())
        self._program: OpenProgram | None = None

    def bounds(self, signs: SignArray, model: int, names: Sequence[str], time_limit: float | None = None) -> Bounds:
        """Return bounds that prove the model's verdict, from its signs over all models (models x tasks).

        Raises
        ------
        EmptySpaceError, UnprovedError, TimeLimitError
            As for `prospect`.
        """
        if not self.free:
            return self.exact(signs, model, names, time_limit)
        floats = signs.astype(np.float32)
        # ``signs`` are rivals x tasks, 0 in the model's own row: a task on which it leads all others wins with all
        # weight.
        leads = np.ones(len(signs), dtype=np.float32) @ floats
        if leads.max() == len(signs) - 1:
            return _single(Fraction(1), _only(int(np.argmax(leads)), self.tasks), 0 if model else 1)
        # A rival ahead on every task blocks the model alone, whatever the weights.
        totals = floats @ np.ones(self.tasks, dtype=np.float32)
        if totals.min() == -self.tasks:
            return _single(Fraction(-1), _only(0, self.tasks), int(np.argmin(totals)))
        first = self._first(floats, leads, totals, model)
        deadline = deadline_in(time_limit)
        found = self._generated(signs, floats, model, first, deadline)
        return found or self.exact(signs, model, names, seconds_left(deadline))

    def exact(self, signs: SignArray, model: int, names: Sequence[str], time_limit: float | None = None) -> Bounds:
        """Return the exact margin."""
        rivals = [name for position, name in enumerate(names) if position != model]
        duels = np.delete(signs, model, axis=0)
        return Bounds.of_proof(widest_margin(duels, rivals, self.space, time_limit=time_limit), model)

    def _first(
        self, floats: NDArray[np.float32], leads: NDArray[np.float32], totals: NDArray[np.float32], model: int
    ) -> IntArray:
        """Return the rivals to begin with: strong ones all over, and strong ones where the model itself is."""
        # Tasks on which few rivals are ahead get most of the model's weight: whoever is strong there will be binding.
        ahead = (len(floats) - 1 - leads) / 2  # so many rivals by task, a tie counting as half a one
        strong = 1 / (1 + ahead)
        lead = floats @ (strong / strong.sum())
        totals[model] = lead[model] = np.inf
        count = min(len(totals) - 1, self.tasks // 3 + 10)
        return np.union1d(_smallest(totals, count), _smallest(lead, count))

    def _opened(self, rows: Rows) -> OpenProgram:
        """Return the program with these rows, in the solver's instance that served the model before."""
        if self._program is None:
            self._program = open_program(self._base.with_rows(rows))
        else:
            self._program.replace(self._base.with_rows(rows))
        return self._program

    def _generated(
        self, signs: SignArray, floats: NDArray[np.float32], model: int, chosen: IntArray, deadline: float | None
    ) -> Bounds | None:
        """Return bounds by constraint generation, stopping at the first that prove a verdict; None when near 0."""
        program = self._opened(self._rows(signs, chosen))
        known = np.zeros(len(signs), dtype=np.bool_)
        known[chosen] = known[model] = True
        while True:
            # Weights against a mixture of rivals is a zero-sum game, whose value is the margin (von Neumann's minimax
            # theorem): the chosen rivals alone give an upper bound, the weights' least lead over all rivals a lower
            # one.
            weights, margin, duals = _solved(program, deadline)
            lead = floats @ weights.astype(np.float32)
            lead[model] = np.inf
            # Only the sign is asked, so the search ends as soon as one of the two bounds shows it.
            if margin < -CLEAR or lead.min() > CLEAR:
                # The first dual is that of the row of weights. Maximising, rows "at least 0" have duals of at most 0:
                # turned round they are the shares of the blockers.
                return _rounded(signs, model, weights, chosen, np.maximum(-duals[1:], 0))
            fresh = _smallest(lead, min(len(signs) - 1, BATCH))
            fresh = fresh[(lead[fresh] < margin - CLEAR) & ~known[fresh]]
            if not len(fresh):
                return None
            chosen = np.concatenate([chosen, fresh])
            known[fresh] = True
            program.add_rows(self._rows(signs, fresh))

    @staticmethod
    def _rows(signs: SignArray, chosen: IntArray) -> Rows:
        matrix = np.concatenate([signs[chosen], np.full((len(chosen), 1), -1, dtype=np.int8)], axis=1)
        return Rows.from_matrix(matrix, lower=0, labels=[str(row) for row in chosen])


def _solved(program: OpenProgram, deadline: float | None) -> tuple[FloatArray, float, FloatArray]:
    solution = program.solve(seconds_left(deadline))
    point, duals = optimal_point(solution, "widest margin"), solution.duals
    if duals is None:
        raise SolverError("widest margin: an optimal solution without duals")
    return point[:-1], float(point[-1]), duals


def _rounded(
    signs: SignArray, model: int, weights: FloatArray, chosen: IntArray, blockers: FloatArray
) -> Bounds | None:
    """Return the bounds that rounded weights and blockers prove, or None when they prove no verdict."""
    # From here on integers only: any weights prove a lower bound and any mixture an upper one, so rounding can cost
    # sharpness but not truth.
    if not (np.isfinite(weights).all() and weights.sum() > 0 and np.isfinite(blockers).all() and blockers.sum() > 0):
        return None
    whole = integer_weights(weights, UNITS)
    shares = integer_weights(blockers, UNITS)
    kept = np.flatnonzero(shares)
    lower = Fraction(_least_lead(signs, whole, model), UNITS)
    upper = Fraction(_most_lead(signs[chosen[kept]], shares[kept]), UNITS)
    if verdict_between(lower, upper) is None:
        return None
    return Bounds(
        lower=lower,
        upper=upper,
        weights=whole,
        weight_units=UNITS,
        blocking=chosen[kept],
        blockers=shares[kept],
        blocker_units=UNITS,
    )


def _only(task: int, tasks: int) -> IntArray:
    """Return all weight on one task."""
    weights = np.zeros(tasks, dtype=np.int64)
    weights[task] = 1
    return weights


def _single(margin: Fraction, weights: IntArray, blocker: int) -> Bounds:
    return Bounds(
        lower=margin,
        upper=margin,
        weights=weights,
        weight_units=1,
        blocking=np.array([blocker], dtype=np.int64),
        blockers=np.array([1], dtype=np.int64),
        blocker_units=1,
    )


def _least_lead(signs: SignArray, weights: IntArray, model: int) -> int:
    # The model's own row (0 everywhere) must not count as a rival.
    leads = exact_products(signs, weights)
    return int(min(leads[:model].min(initial=leads.max()), leads[model + 1 :].min(initial=leads.max())))


def _most_lead(signs: SignArray, blockers: IntArray) -> int:
    return int(exact_products(np.ascontiguousarray(signs.T), blockers).max())


def _smallest(values: np.ndarray, count: int) -> IntArray:
    """Return the positions of so many smallest values."""
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, count)[:count]


def _integers(values: Sequence[int]) -> IntArray:
    fits = all(abs(value) < 2**62 for value in values)
    return np.array(values, dtype=np.int64 if fits else object)
