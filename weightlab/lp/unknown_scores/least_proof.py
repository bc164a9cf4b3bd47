"""The cheapest scores that prove a claim in hindsight: no sound way of choosing what to measure can need less."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any, cast

import numpy as np
import pandas as pd

from weightlab._cures import Fault
from weightlab._exact import AnyArray, BoolArray
from weightlab._result import BoolMatrix, Proof, Result, ensure, on_word_of
from weightlab._solver import Formulation, Rows, SolverIfAny, integer_optimum, solver_name
from weightlab._text import counted, percent
from weightlab.data import Leaderboard, LeaderboardLike
from weightlab.data.linear_rule import MEAN, LinearRule, RuleLike
from weightlab.exceptions import InputError
from weightlab.lp.unknown_scores.bounds import BORDA, Bounds, Limit, usual_bounds
from weightlab.lp.unknown_scores.claims import CAN, CERTAIN, NEVER, ORDER, WINNER, Claim
from weightlab.lp.unknown_scores.proof_cells import proof_cells, threshold_cells, total_cost
from weightlab.lp.unknown_scores.settle import CostLike, Price, Settlement, settle
from weightlab.lp.unknown_scores.spans import Spans


class LeastProof(Result, kind="least_proof"):
    """The cheapest scores of a complete table that prove a claim, whatever all others are.

    Attributes
    ----------
    claim, rule, table, limits, prices
        As in `Settlement`.
    cells : ndarray of bool, models x tasks
        The scores that prove the claim.
    bound : Fraction
        No scores that prove it cost less. By Borda the scores are such that none can be left out, and may cost more.
    solver : str
        On whose word the bound rests; empty where it is proved.
    """

    derived = ("cost",)
    claim: Claim
    rule: LinearRule
    table: Leaderboard
    limits: tuple[Limit, ...]
    prices: tuple[Price, ...]
    cells: BoolMatrix
    bound: Fraction
    solver: SolverIfAny

    @cached_property
    def claimed(self) -> Settlement:
        """The claim with these cells as what proves it."""
        return Settlement(
            claim=self.claim,
            rule=self.rule,
            table=self.table,
            limits=self.limits,
            prices=self.prices,
            cells=self.cells,
            space=None,
            reach=None,
        )

    @property
    def cost(self) -> Fraction:
        """What the scores cost together."""
        return total_cost(self.cells, self.claimed.costs)

    @property
    def share(self) -> Fraction:
        """What part of the cost of all scores that is."""
        return self.cost / self.total

    @property
    def total(self) -> Fraction:
        """What all scores cost together."""
        return total_cost(np.ones_like(self.cells), self.claimed.costs)

    @property
    def models(self) -> tuple[str, ...]:
        """The models of the claim."""
        return self.claimed.certain

    @property
    def proofs(self) -> dict[str, Proof]:
        """That the scores prove the claim is checked; that none cheaper do, where no solver is named."""
        return {"the scores prove the claim": Proof.EXACT, "no cheaper scores do": on_word_of(self.solver)}

    def __str__(self) -> str:
        """Say how many scores prove the claim, and that no fewer or cheaper do."""
        count, every = int(self.cells.sum()), self.cells.size
        proved = f"{count:,} of {counted(every, 'score')} ({percent(Fraction(count, every))}) prove {self.claim.words}"
        proved += f" {self.rule.by}, {', '.join(self.models)}, whatever the others are"
        cost = f" at a cost of {self.cost}" if self.prices else ""
        if self.cost == self.bound:
            return f"{proved}{cost}; no {'cheaper' if self.prices else 'smaller'} set does."
        bound = f"any that do {'cost' if self.prices else 'are'} at least {self.bound}"
        return f"{proved}{cost}; none of them can be left out, and {bound}."

    def to_frame(self) -> pd.DataFrame:
        """Return the scores: model, task, score (Fraction)."""
        return cast("pd.DataFrame", self.claimed.certificate)

    def verify(self, source: Leaderboard | None = None) -> bool:
        """Re-check that the scores prove the claim, and what they cost; by the mean, with one price a row, the bound.

        Raises
        ------
        ProofError
            Naming what fails first.
        """
        ensure(not self.table.missing_cells, "scores are missing")
        self.claimed.verify(source)
        ensure(self.claimed.verdict == CERTAIN, "the claim does not hold")
        ensure(
            0 < self.bound <= self.cost, f"the scores cost {self.cost}, less than the bound {self.bound}, or it is 0"
        )
        if not self.solver:
            ensure(self.bound == _bound(self.claimed), "the bound differs")
        return True


def least_proof(
    board: LeaderboardLike,
    claim: str = WINNER,
    *,
    k: int | None = None,
    models: str | Sequence[str] | None = None,
    rule: RuleLike | None = None,
    bounds: Bounds | None = None,
    cost: CostLike | None = None,
    time_limit: float | None = None,
) -> LeastProof:
    """Find the cheapest scores of a complete table that prove a claim, whatever all others are.

    Parameters
    ----------
    board : Leaderboard
        A table without missing scores.
    claim, k, models, rule, bounds, cost
        As for `settle`.
    time_limit : float, optional
        Seconds for the integer program.

    Returns
    -------
    LeastProof

    Raises
    ------
    InputError, UnknownNameError
        As for `settle`; if scores are missing, the claim does not hold, or by the mean no score has bounds.
    TimeLimitError, UnprovedError
        If the integer program does not end in time.

    Notes
    -----
    By the mean, about the winner or the top, and with one price in each row: all pairs hold exactly when some h lies
    between the best sums outside and the worst inside, and given h each model takes its most useful cells first.
    O(cells log cells), exact. With any prices, for orders and by majority an integer program, whose bound
    comes from the solver. By Borda the scores are such that none can be left out, and the bound adds up what each row
    needs when all others are measured.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 90, "b": 40, "c": 10}, "y": {"a": 80, "b": 50, "c": 20}})
    >>> print(wl.lp.least_proof(board, rule="mean", bounds=(0, 100)))
    4 of 6 scores (66.7%) prove the winner by average, a, whatever the others are; no smaller set does.
    """
    if claim in (CAN, NEVER):
        raise InputError(f"in hindsight proofs are of winner, top and order; got {claim!r}")
    found = settle(board, claim, k=k, models=models, rule=rule, bounds=bounds, cost=cost)
    if found.table.missing_cells:
        raise InputError("a least proof is about a complete table: in hindsight all scores are known; pass .complete()")
    if found.verdict != CERTAIN:
        raise InputError("the claim does not hold, so no scores prove it")
    if found.rule.name == MEAN and not found.spans.bounded.any():
        told = "by mean scores need bounds on both sides, since without them none can be left out of a proof"
        raise InputError(Fault(told, *usual_bounds(found.table)))
    cells, bound, solver = _least(found, time_limit)
    return LeastProof(
        claim=found.claim,
        rule=found.rule,
        table=found.table,
        limits=found.limits,
        prices=found.prices,
        cells=cells,
        bound=bound,
        solver=solver,
    ).verified()


def _is_even(found: Settlement) -> bool:
    """Return whether thresholds decide: by the mean, about a set, and cells of one model cost the same."""
    return found.rule.name == MEAN and found.claim.what != ORDER and bool((found.costs == found.costs[:, :1]).all())


def _bound(found: Settlement) -> Fraction:
    """Return the lower bound on the cost of a proof, where it needs no solver."""
    if _is_even(found):
        return total_cost(threshold_cells(found.spans, found.rows, found.float_costs)[0] | _known(found), found.costs)
    ensure(found.rule.name == BORDA, "the result relies on a solver, and none is named")
    return _by_row(found)


def _least(found: Settlement, time_limit: float | None) -> tuple[BoolArray, Fraction, Any]:
    """Return cells that prove a claim, what such cells cost at least, and on whose word that is."""
    if _is_even(found) or found.rule.name == BORDA:
        cells = proof_cells(found.spans, found.claim, found.rows, found.float_costs)
        return cells, _bound(found), ""
    program = _mean_program(found) if found.rule.name == MEAN else _majority_program(found)
    best = integer_optimum(program, time_limit=time_limit)
    cells = np.array([one == 1 for one in best.x[: found.costs.size]]).reshape(found.costs.shape)
    known = _known(found)
    return cells | known, best.value + total_cost(known, found.costs), solver_name()


def _known(found: Settlement) -> BoolArray:
    """Return the scores without bounds by the mean: nothing else is known of them, so every proof has them."""
    weighing = np.array([one > 0 for one in found.spans.weights])
    return weighing & ~found.spans.bounded if found.rule.name == MEAN else np.zeros_like(found.spans.bounded)


def _program(
    found: Settlement, rows: list[dict[int, int]], least: list[int], extra: int, *, continuous: bool
) -> Formulation:
    """Return the program for the cheapest cells: a column per cell, further ones behind them, row sums >= least."""
    size = found.costs.size
    labels = [str(one) for one in range(len(rows))]
    return Formulation.over(
        [str(one) for one in range(size + extra)],
        Rows.from_dicts(rows, width=size + extra, lower=least, labels=labels),
        name="least proof",
        objective=[*found.costs.ravel().tolist(), *([0] * extra)],
        lower=[0] * size + [None if continuous else 0] * extra,
        upper=[1] * size + [None if continuous else 1] * extra,
        integral=[True] * size + [not continuous] * extra,
    )


def _mean_program(found: Settlement) -> Formulation:
    """Return the program by the mean: thresholds, and sums of the models on either side (one for an order's each)."""
    spans, (count, width) = found.spans, found.costs.shape
    weights = np.array(spans.weights)
    worst, best = spans.knowing(np.zeros_like(spans.measured)).totals
    up, down = (spans.scores - spans.least) * weights, (spans.most - spans.scores) * weights
    if found.claim.what == ORDER:
        after = [*([one] for one in found.rows[1:]), [row for row in range(count) if row not in found.rows]]
        sides = [([row], own) for row, own in zip(found.rows, after, strict=True)]
    else:
        sides = [([*found.rows], [row for row in range(count) if row not in found.rows])]
    rows, least = [], []
    for level, both in enumerate(sides):
        for members, gains, sign, needed in zip(both, (up, down), (-1, 1), (1 - worst, best), strict=True):
            for row in members:
                cells = {row * width + task: int(gains[row, task]) for task in np.flatnonzero(gains[row]).tolist()}
                rows.append(cells | {count * width + level: sign})
                least.append(int(needed[row]))
    return _program(found, rows, least, len(sides), continuous=True)


def _majority_program(found: Settlement) -> Formulation:
    """Return the program by majority: each pair's lead from the cells of both, a product where both matter together."""
    spans, (count, width) = found.spans, found.costs.shape
    pairs = np.argwhere(found.claim.pairs(found.rows, count)).tolist()
    rows: list[dict[int, int]] = []
    least: list[int] = []
    extra = 0
    every = slice(None)
    for x, y in pairs:
        sides = [(spans.least[x], spans.scores[x]), (spans.most[y], spans.scores[y])]
        signs = [[spans.signs(every, own, other) * np.array(spans.weights) for other in sides[1]] for own in sides[0]]
        none, second, first, both = signs[0][0], signs[0][1], signs[1][0], signs[1][1]
        row: dict[int, int] = {}
        for task in range(width):
            own, other, product = x * width + task, y * width + task, count * width + extra
            gains = {own: first - none, other: second - none, product: both - first - second + none}
            row |= {column: int(gain[task]) for column, gain in gains.items() if gain[task]}
            if joint := row.get(product):
                extra += 1
                cuts = [{own: 1, product: -1}, {other: 1, product: -1}]
                cuts = cuts if joint > 0 else [{product: 1, own: -1, other: -1}]
                rows += cuts
                least += [0] * len(cuts) if joint > 0 else [-1]
        rows.append(row)
        least.append(1 - int(none.sum()))
    return _program(found, rows, least, extra, continuous=False)


def _by_row(found: Settlement) -> Fraction:
    """Return by Borda what rows need at least, each when all others are measured: per pair a fractional knapsack."""
    spans, costs = found.spans, found.costs
    pairs = found.claim.pairs(found.rows, len(costs))
    full = spans.leads[0]
    columns = [spans.column(task, spans.scores[:, task], spans.scores[:, task]) for task in range(costs.shape[1])]
    total = Fraction(0)
    for row in range(len(costs)):
        losses = np.array([_loss(spans, row, task, columns[task])[pairs] for task in range(costs.shape[1])])
        spared = min(
            _most_spared(losses[:, at], costs[row], int(lead) - 1) for at, lead in enumerate(full[pairs].tolist())
        )
        needed = sum(costs[row], Fraction(0)) - spared
        total += ceil(needed) if all(one.denominator == 1 for one in costs[row].tolist()) else needed
    return total


def _loss(spans: Spans, row: int, task: int, column: AnyArray) -> AnyArray:
    """Return by how much the least leads fall where one score alone is not measured."""
    low, high = spans.scores[:, task].copy(), spans.scores[:, task].copy()
    low[row], high[row] = spans.least[row, task], spans.most[row, task]
    return np.asarray(spans.weights[task] * (column - spans.column(task, low, high)))


def _most_spared(losses: AnyArray, costs: AnyArray, room: int) -> Fraction:
    """Return the greatest cost of cells, the last one in part, whose losses together leave a pair its lead."""
    order = sorted(range(len(losses)), key=lambda task: Fraction(int(losses[task])) / costs[task])
    spared, left = Fraction(0), Fraction(room)
    for task in order:
        loss = int(losses[task])
        part = Fraction(1) if loss <= left else left / loss
        spared, left = spared + part * costs[task], left - part * loss
    return spared
