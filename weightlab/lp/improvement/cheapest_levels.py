"""The cheapest levels of all score thresholds at which a model wins: an integer program, and rows that its proof needs.

Where weights are free the program has none: levels that it proposes are tried, and their blockers become a row
(combinatorial Benders cuts: Codato and Fischetti, Operations Research 54, 2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from weightlab._exact import AnyArray, FloatArray, IntArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._solver import Formulation, Rows, Solver, deadline_in, seconds_left, solver_name
from weightlab._solver.branch_tree import IntegerRows
from weightlab._solver.covers import SCALE, Cover, CoverConstraint, rows_of
from weightlab._solver.propose import proposed
from weightlab.exceptions import ProofError, UnprovedError
from weightlab.lp.certificate import column_sums
from weightlab.lp.certificates.max_margin import MarginProof, widest_margin
from weightlab.lp.improvement.thresholds import ScoreThresholds, signs_at, total_cost
from weightlab.lp.space.conditions import ONE, ZERO, Condition, Near
from weightlab.lp.space.space import Vectors, WeightSpace

LARGEST_WEIGHT = 10**6
"""Whole-number weights up to here stand in rows of the program; larger ones are left to the blockers of proposals."""
MOST_CELLS = 2_000_000
"""Largest matrix, rows times columns, for which a tree is built."""
JOINING = 8
"""Largest number of rivals that join the program at a time. Levels that beat these beat most of the others, and each
rival brings rows and levels: with 20 at a time 500 models on 50 tasks took half as long again."""
Refusals = Callable[[Sequence[int]], Sequence[CoverConstraint]]
"""Returns nothing for levels that win, and else what levels must meet to win, and these do not."""


class CheapestLevels(Frozen):
    """The levels that were chosen.

    Attributes
    ----------
    levels : tuple of int
        One per task.
    cost : Fraction
        What they cost together.
    solver : Solver
        Whose bound says that nothing is cheaper.
    rivals : tuple of int
        At fixed weights: what beats these most cheaply beats all.
    refused : tuple of MarginProof
        Where weights are free: what proves that levels do not win.
    """

    levels: tuple[int, ...]
    cost: Fraction
    solver: Solver
    rivals: tuple[int, ...] = ()
    refused: tuple[MarginProof, ...] = ()


def cheapest_at(
    thresholds: Sequence[ScoreThresholds], weights: Sequence[Fraction], *, time_limit: float | None = None
) -> CheapestLevels:
    """Return the cheapest levels at which every lead under given weights is positive; the highest levels must win.

    A score that rises loses no head-to-head, so rivals that are beaten need no row. The program starts with those that
    lead most and the levels that matter to them; what beats these most cheaply and beats all is the answer, and
    otherwise some that it does not beat join them.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown; ``known["value"]`` is the cost of some levels that win.
    """
    numerators, _ = common_denominator(weights)
    # The least whole numbers in proportion: then a positive lead is a lead of at least 1.
    whole = [weight // math.gcd(*numerators) for weight in numerators]
    deadline, rivals, levels = deadline_in(time_limit), np.arange(0), [0] * len(thresholds)
    while len(unbeaten := _unbeaten(thresholds, levels, whole)):
        if np.isin(unbeaten[:JOINING], rivals).all():
            raise UnprovedError("least improvement: the solver proposes levels that do not win", known={})
        rivals = np.union1d(rivals, unbeaten[:JOINING])
        firsts = [(0, *own.tie_at[rivals].tolist(), *own.lead_at[rivals].tolist()) for own in thresholds]
        kept = [sorted({*some} - {len(own)}) for own, some in zip(thresholds, firsts, strict=True)]
        some = [own.with_levels(places).against(rivals) for own, places in zip(thresholds, kept, strict=True)]
        try:
            if max(whole) > LARGEST_WEIGHT:
                found, _ = _by_refusals(some, _only(weights), seconds_left(deadline))
            else:
                found = _proposed(some, duel_cover(some, whole), lambda _: [], seconds_left(deadline))
        except UnprovedError as error:
            highest = [len(own) - 1 for own in thresholds]
            error.known["value"] = total_cost(thresholds, _lowered_at(thresholds, highest, whole))
            raise
        levels = [places[level] for places, level in zip(kept, found, strict=True)]
    levels = _lowered_at(thresholds, levels, whole)
    return _chosen(thresholds, levels, rivals=tuple(rivals.tolist()))


def cheapest_in(
    thresholds: Sequence[ScoreThresholds], space: WeightSpace, *, time_limit: float | None = None
) -> CheapestLevels:
    """Return the cheapest levels at which some weights of a space beat every rival; at the highest levels some must.

    Raises
    ------
    TimeLimitError, UnprovedError
        If the optimum was not shown.
    """
    levels, refused = _by_refusals(thresholds, space, time_limit)

    def wins(some: Sequence[int]) -> bool:
        return _margin(thresholds, some, space, time_limit).upper > 0

    return _chosen(thresholds, _lowered(thresholds, levels, wins), refused=tuple(refused))


def _chosen(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], **shown: Any) -> CheapestLevels:
    cost = total_cost(thresholds, levels)
    return CheapestLevels(levels=tuple(levels), cost=cost, solver=solver_name(), **shown)


def _only(weights: Sequence[Fraction]) -> WeightSpace:
    """Return the space of a single weighting."""
    own = WeightSpace([str(place) for place in range(len(weights))])
    return own.near(dict(zip(own.tasks, weights, strict=True)), 0, norm="linf")


def _proposed(
    thresholds: Sequence[ScoreThresholds],
    cover: Cover,
    refusals: Refusals,
    time_limit: float | None,
) -> tuple[int, ...]:
    """Return the cheapest levels that meet a cover and that nothing refuses.

    A binary is a level at which a task ends; at most one of each task is 1, none where it stays as it is.
    """
    ends = np.cumsum([len(own) - 1 for own in thresholds]).tolist()
    width, blocks = ends[-1], list(zip([0, *ends[:-1]], ends, strict=True))
    if not width:
        return (0,) * len(thresholds)
    single = [dict.fromkeys(range(*block), 1) for block in blocks]
    gains = cover.gains.astype(np.int64)
    labels = [f"duel {row}" for row in range(len(gains))]
    rows = Rows.join(
        Rows.from_dicts(single, width=width, upper=1, labels=[f"task {task}" for task in range(len(single))]),
        Rows.from_matrix(gains, lower=cover.lacking, labels=labels),
    )
    prices = [cost for own in thresholds for cost in own.costs[1:]]
    columns = [str(column) for column in range(width)]
    program = Formulation.over(
        columns, rows, name="least improvement", objective=prices, upper=[1] * width, integral=[True] * width
    )
    asked = set[tuple[int, ...]]()

    def levels_of(point: FloatArray) -> tuple[int, ...]:
        return tuple(int(np.argmax(np.append(0.5, point[low:high]))) for low, high in blocks)

    def refute(point: FloatArray) -> Rows | None:
        levels = levels_of(point)
        asked_for = refusals(levels)
        if not asked_for:
            return None
        if levels in asked:
            raise UnprovedError("least improvement: the solver proposes what has been refused", known={})
        asked.add(levels)
        return rows_of(asked_for, width)

    point = proposed(program, refute, time_limit=time_limit)
    if point is None:
        raise UnprovedError(f"least improvement: {solver_name()} finds that no levels win", known={})
    return levels_of(point)


def _by_refusals(
    thresholds: Sequence[ScoreThresholds], space: WeightSpace, time_limit: float | None
) -> tuple[tuple[int, ...], list[MarginProof]]:
    """Return the cheapest levels that win under some weights of a space, with what refused others on the way.

    Levels are proposed, and the widest margin there either is positive, which is the answer, or comes with blockers.
    Raised as far as the same blockers still block, and again with those found there, the levels are refused: some task
    must go above its own, and where conditions leave little to the weights, together by enough.
    """
    proofs: list[MarginProof] = []

    def refusals(levels: Sequence[int]) -> list[CoverConstraint]:
        raised, proof = list(levels), _margin(thresholds, levels, space, time_limit)
        if proof.upper > 0:
            return []
        # New blockers at the raised levels may allow more still; levels are finitely many, so this ends.
        while (higher := _still_blocked(thresholds, raised, space, proof)) != raised:
            raised, proof = higher, _margin(thresholds, higher, space, time_limit)
        proofs.append(proof)
        # Scores that only rise lose nothing. So if levels lose, all below them lose, and some task must go higher.
        pairs = zip(thresholds, raised, strict=True)
        above = CoverConstraint.one_of([level > most for own, most in pairs for level in range(1, len(own))])
        blockers = {rival: share for rival, share in enumerate(proof.blockers) if share}
        found = blocked_rows(thresholds, space, blockers, proof.vectors)
        return [above, *(CoverConstraint.of(gains, lacking, most=SCALE) for gains, lacking in found if lacking > 0)]

    none = Cover.of(np.zeros((0, sum(len(own) - 1 for own in thresholds)), dtype=np.int64), [])
    return _proposed(thresholds, none, refusals, time_limit), proofs


def _margin(
    thresholds: Sequence[ScoreThresholds], levels: Sequence[int], space: WeightSpace, time_limit: float | None
) -> MarginProof:
    signs = signs_at(thresholds, levels)
    return widest_margin(signs, [str(rival) for rival in range(len(signs))], space, time_limit=time_limit)


def _still_blocked(
    thresholds: Sequence[ScoreThresholds], levels: Sequence[int], space: WeightSpace, proof: MarginProof
) -> list[int]:
    """Return the highest levels at which the same blockers and vectors still prove a margin of at most 0.

    The proof holds as long as, task by task, the lead over the mixture stays below what the vectors leave: each task
    may rise by itself.
    """
    pairs = zip(space.conditions, proof.vectors, strict=True)
    right = sum((condition.support(vector) for condition, vector in pairs), Fraction(0))
    raised = []
    for task, own, level in zip(space.tasks, thresholds, levels, strict=True):
        room = sum((vector.get(task, Fraction(0)) for vector in proof.vectors), Fraction(0)) - right
        led = column_sums(own.all_signs(), proof.blockers)
        # Leads only grow with the level.
        raised.append(max(level, sum(lead <= room for lead in led) - 1))
    return raised


def _unbeaten(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> IntArray:
    """Return the rivals that are not beaten at fixed weights, those that lead most first."""
    found = exact_products(signs_at(thresholds, levels), weights)
    order = np.argsort(found, kind="stable")
    return order[found[order] <= 0]


def _lowered(
    thresholds: Sequence[ScoreThresholds], levels: Sequence[int], wins: Callable[[Sequence[int]], bool]
) -> list[int]:
    """Return winning levels lowered, the dearest task first, as far as they win: floats overlook little.

    Once over the tasks is enough: scores that only rise lose nothing, so what could not be lower before cannot be
    afterwards.
    """
    lowered = list(levels)
    for task in sorted(range(len(levels)), key=lambda task: -thresholds[task].costs[levels[task]]):
        while lowered[task] and wins([*lowered[:task], lowered[task] - 1, *lowered[task + 1 :]]):
            lowered[task] -= 1
    return lowered


def _lowered_at(thresholds: Sequence[ScoreThresholds], levels: Sequence[int], weights: Sequence[int]) -> list[int]:
    return _lowered(thresholds, levels, lambda some: not len(_unbeaten(thresholds, some, weights)))


# The rows that winning levels meet, a column per level above today's: of the program, and of the tree that proves it.


def duel_cover(thresholds: Sequence[ScoreThresholds], weights: Sequence[int]) -> Cover:
    """Return the rows that levels meet if they beat every rival at fixed weights; a column per higher level.

    Two rows per rival. Its lead must be 1 or more. And the tasks on which the model does not trail must weigh more than
    half: their weight is the wins' and the ties', and the wins weigh more than the losses. Of each row that lacks an
    odd number also half, rounded up. All follow from the first rows alone, but not for fractions of levels: this
    makes the bounds tight (Chvátal 1973).
    """
    kind = np.int64 if sum(weights) < 2**31 else object
    signs = [own.all_signs().astype(kind) for own in thresholds]
    parts, lacking = list[AnyArray](), list[int]()
    for what, needed in ((signs, 1), ([(own >= 0).astype(kind) for own in signs], sum(weights) // 2 + 1)):
        weighed = [weight * own for own, weight in zip(what, weights, strict=True)]
        parts.append(np.concatenate([own[:, 1:] - own[:, :1] for own in weighed], axis=1))
        lacking += (needed - np.stack([own[:, 0] for own in weighed]).sum(axis=0)).tolist()
    whole = Cover.of(np.concatenate(parts), lacking)
    odd = [row for row, one in enumerate(whole.lacking) if one % 2]
    halves = [(whole.lacking[row] + 1) // 2 for row in odd]
    return Cover.of(np.concatenate([whole.gains, (whole.gains[odd] + 1) // 2]), [*whole.lacking, *halves])


def blocked_rows(
    thresholds: Sequence[ScoreThresholds], space: WeightSpace, blockers: Mapping[int, Fraction], vectors: Vectors
) -> Iterator[tuple[list[int], int]]:
    """Yield rows that winning levels meet against a mixture of rivals: gains of higher levels, and what is lacking.

    Winning weights w lead the mixture z, and vectors v of the conditions never exceed h: so the sum over tasks of
    ``w_t (z.s_t - v_t + h)`` is above 0, signs s_t being those at the level of the task. Each part is largest at an end
    of what the conditions, one by one, leave to w_t. Where one bounds the sum of changes of weights, those move at
    most half of it from one part to another, which is enough to say so of the weights that it starts from.
    """
    shares, over = common_denominator(list(blockers.values()))
    signs = [own.all_signs()[list(blockers)].astype(object) for own in thresholds]
    led = [[Fraction(one, over) for one in (np.array(shares, dtype=object) @ own).tolist()] for own in signs]
    pairs = list(zip(space.conditions, vectors, strict=True))

    def parts(without: Condition | None) -> list[list[Fraction]]:
        """Return the parts of the sum by task and level, of all conditions but one."""
        some = [pair for pair in pairs if pair[0] is not without]
        most = sum((condition.support(vector) for condition, vector in some), ZERO)
        beside = [most - sum((vector.get(task, ZERO) for _, vector in some), ZERO) for task in space.tasks]
        return [[one + more for one in own] for own, more in zip(led, beside, strict=True)]

    ends = task_bounds(space).values()
    yield _row([[max(a * one, b * one) for one in own] for (a, b), own in zip(ends, parts(None), strict=True)], ZERO)
    for near, _ in pairs:
        if isinstance(near, Near) and near.norm == "l1":
            own = parts(near)
            moved = near.radius / 2 * (max(map(max, own)) - min(map(min, own)))
            shared = zip(near.centre.values(), own, strict=True)
            yield _row([[share * one for one in levels] for share, levels in shared], moved)


def _row(worth: Sequence[Sequence[Fraction]], more: Fraction) -> tuple[list[int], int]:
    """Return the row that one level of each task and some more are worth more than 0."""
    gains = [one - own[0] for own in worth for one in own[1:]]
    (lacks, *whole), _ = common_denominator([-more - sum((own[0] for own in worth), ZERO), *gains])
    return whole, lacks + 1


def task_bounds(space: WeightSpace) -> dict[str, tuple[Fraction, Fraction]]:
    """Return by task the least and greatest weight that each condition by itself allows."""
    found = {}
    for task in space.tasks:
        ends = [ZERO, ONE]
        for end, side in enumerate((-ONE, ONE)):
            for condition in space.conditions:
                with suppress(ProofError):  # it does not bound the weight
                    ends[end] = side * min(side * ends[end], condition.support({task: side}))
        found[task] = (ends[0], ends[1])
    return found


def cheapest_levels(thresholds: Sequence[ScoreThresholds], cover: Cover) -> tuple[IntegerRows, Fraction]:
    """Return the program for the cheapest levels that meet a cover, at most one per task, and what a unit costs."""
    listed, under = common_denominator([cost for own in thresholds for cost in own.costs[1:]])
    unit = math.gcd(*listed) or 1
    tasks = np.repeat(np.arange(len(thresholds)), [len(own) - 1 for own in thresholds])
    single = -(tasks == np.arange(len(thresholds))[:, None]).astype(object)
    rows = np.concatenate([cover.gains, single])
    least = [*cover.lacking, *[-1] * len(thresholds)]
    return IntegerRows.binary(rows, least, [one // unit for one in listed]), Fraction(unit, under)
