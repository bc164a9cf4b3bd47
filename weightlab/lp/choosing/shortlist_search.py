"""The search for shortlists: sets are proposed at some weightings, and refuted by weightings where they lose more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import ceil, floor

import numpy as np

from weightlab._exact import AnyArray, FloatArray, common_denominator, exact_products
from weightlab._result import Frozen
from weightlab._solver import (
    Formulation,
    OpenProgram,
    Rows,
    Sense,
    SolverIfAny,
    deadline_in,
    integer_optimum,
    opened,
    seconds_left,
    solver_name,
)
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.lp.certificate import most
from weightlab.lp.certificates.lp_rows import linear_rows
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.space.conditions import ZERO
from weightlab.lp.space.space import Vectors, WeightSpace

FINE = 2**20
"""Range of the scores in the programs that propose."""
ROUGH = 4 / FINE
"""Losses in those programs, as parts of the range, are off by less than this."""
REFUTED = 3
"""Models against which a proposed set is refuted at a time."""
COARSE, FINER = 10**3, 10**12
"""Multipliers of conditions on weights are rounded to multiples of one in these many, too."""
SAME = 1e-9
"""Swaps that make a set lose less by no more than this are left."""
PARTS = 10**6
"""Shares of mixtures are rounded to multiples of one in this many, where that proves enough."""


class Found(Frozen):
    """A set with what proves it; the parts are those of `Short`, mixtures being shares, vectors and loss."""

    models: tuple[str, ...]
    loss: Fraction
    mixtures: Mapping[str, tuple[dict[str, Fraction], Vectors, Fraction]]
    weightings: list[list[Fraction]] = field(default_factory=list)
    tree: BranchTree | None = None
    solver: SolverIfAny = ""


class Search:
    """Weightings found so far, and how much each model loses at them.

    Parameters
    ----------
    models : sequence of str
        All models.
    matrix : ndarray of int, models x tasks
        Points times ``unit``.
    unit : int
        Denominator of the points.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns.
    candidates : sequence of int
        Rows of the models that may be chosen.
    costs : sequence of int, optional
        What each of them costs; by default sets are compared by size.
    """

    def __init__(
        self,
        models: Sequence[str],
        matrix: AnyArray,
        unit: int,
        space: WeightSpace,
        candidates: Sequence[int],
        *,
        costs: Sequence[int] | None = None,
    ) -> None:
        self.models, self.matrix, self.unit, self.space = models, matrix, unit, space
        self.candidates = list(candidates)
        self.has_costs = costs is not None
        self.costs = [1] * len(self.candidates) if costs is None else list(costs)
        self.range = Fraction(max(1, int((matrix.max(axis=0) - matrix.min(axis=0)).max())), unit)
        centred = (matrix - matrix.min(axis=0)).astype(object) * FINE
        self._fine = (centred // max(1, int((matrix.max(axis=0) - matrix.min(axis=0)).max()))).astype(np.int64)
        self._undominated = _undominated(matrix[self.candidates], self.costs)
        self.points: list[list[Fraction]] = []
        self._scores: list[tuple[AnyArray, int, int]] = []  # of the candidates, the best of all, and their unit
        self._hot = list(range(len(models)))
        self._floats: list[FloatArray] = []  # what the undominated candidates lose, about
        self._last: list[int] = []
        self.strongest: int | None = None  # the model that refuted the last set
        if not space.conditions:
            count = len(space.tasks)
            for task in range(count):
                self._add([Fraction(task == one) for one in range(count)])
            self._add([Fraction(1, count)] * count)

    def _add(self, point: Sequence[Fraction]) -> None:
        """Add a weighting, with what each candidate loses there."""
        weights, under = common_denominator(point)
        values = exact_products(self.matrix, weights).astype(object)
        self.points.append(list(point))
        own, best = values[self.candidates], int(values.max())
        self._scores.append((own, best, self.unit * under))
        self._floats.append(((best - own[self._undominated]) / self.range / (self.unit * under)).astype(np.float64))

    def _near(self, level: Fraction, *, strict: bool = False) -> list[AnyArray]:
        """Return for each weighting which candidates lose at most the level, or less."""
        ends = [(own, best - level * over) for own, best, over in self._scores]
        return [own > floor(end) if strict else own >= ceil(end) for own, end in ends]

    # Sets by size, or by cost.

    def by_size(self) -> Iterator[Found]:
        """Yield for each size the set of least loss."""
        for size in range(1, len(self.candidates) + 1):
            found = self._least_loss(self._swapped(self._last, size), size)
            if found is not None:
                yield self._shown(found, size + 1)

    def by_cost(self) -> Iterator[Found]:
        """Yield the cheapest set, then the cheapest that loses less, and so on; of one cost the one that loses least.

        A set is yielded once the next is known: whatever loses less than the one costs at least as much as the other.
        """
        cheapest = min(range(len(self.costs)), key=self.costs.__getitem__)
        chosen: list[int] | None = [cheapest]
        before: Found | None = None
        while chosen is not None and (before is None or before.loss):
            price = self._price(chosen)
            found = self._least_loss(chosen, price, None if before is None else before.loss)
            if found is not None and before is not None:
                yield self._shown(before, price)
            before = found or before
            chosen = self._passing(before.loss) if before is not None and before.loss else None
        if before is not None:
            yield self._shown(before, self._price(self._last) + 1)

    def _price(self, chosen: Sequence[int]) -> int:
        return sum(self.costs[one] for one in chosen)

    def _least_loss(self, chosen: list[int], budget: int, below: Fraction | None = None) -> Found | None:
        """Return the set within a budget that loses least; None where none loses less than ``below``.

        A set is proposed, weightings refute it; where none does, a program shows that at the known weightings no other
        set loses less, or has one that does.
        """
        best, shown = below, dict[str, tuple[dict[str, Fraction], Vectors, Fraction]]()
        while best != ZERO:
            level = self._lost_by(chosen)
            if best is None or level < best:
                found = self.mixtures(chosen, level)
                if found is None:
                    chosen = chosen if self.has_costs else self._swapped(chosen, budget)
                    continue
                best, shown, self._last = level, found, chosen
            better = self._passing(best, budget) if best else None
            if better is None:
                break
            chosen = better if self.has_costs else self._swapped(better, budget)
        return None if best == below else Found(models=self._named(self._last), loss=best or ZERO, mixtures=shown)

    def _named(self, chosen: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.models[self.candidates[one]] for one in sorted(chosen))

    def _lost_by(self, chosen: Sequence[int]) -> Fraction:
        """Return a set's largest loss at the known weightings."""
        parts = [(best - max(own[list(chosen)].tolist()), over) for own, best, over in self._scores]
        return max((Fraction(lost, over) for lost, over in parts), default=ZERO)

    def _swapped(self, chosen: Sequence[int], size: int) -> list[int]:
        """Return a set filled up to a size, and with members swapped for as long as that makes it lose less."""
        kept = self._undominated
        lost = np.array(self._floats).reshape(len(self.points), len(kept))
        places = [kept.index(one) for one in chosen if one in kept][:size]

        def with_another(others: Sequence[int]) -> tuple[float, int]:
            rest = lost[:, others].min(axis=1, initial=np.inf)
            ends = np.minimum(lost, rest[:, None]).max(axis=0, initial=0)
            ends[others] = np.inf
            return float(ends.min()), int(ends.argmin())

        while len(places) < min(size, len(kept)):
            places.append(with_another(places)[1])
        end = float(lost[:, places].min(axis=1).max(initial=0))
        while True:
            tried = [(*with_another([one for one in places if one != out]), out) for out in places]
            least, into, out = min(tried)
            if least >= end - SAME:
                break
            places, end = [one for one in places if one != out] + [into], least
        return [*(kept[one] for one in places), *(one for one in range(len(self.candidates)) if one not in kept)][:size]

    def _passing(self, level: Fraction, budget: int | None = None, *, strict: bool = True) -> list[int] | None:
        """Return candidates that include one with less loss than the level at each weighting, or None.

        Within a budget, or the cheapest; where not strict, one that loses at most the level.
        """
        kept = self._undominated
        rows = _minimal({tuple(own[kept].tolist()) for own in self._near(level, strict=strict)})
        matrix = np.array(rows, dtype=np.int64).reshape(len(rows), len(kept))
        if not matrix.any(axis=1).all():
            return None
        some = _widest(matrix, [self.costs[one] for one in kept])
        kept, matrix = [kept[one] for one in some], matrix[:, some].astype(object)
        prices, least = [self.costs[one] for one in kept], [1] * len(rows)
        # Asking whether a budget is enough, not how little is, takes a solver far less time.
        if budget is not None:
            matrix, least = np.vstack([matrix, [-one for one in prices]]), [*least, -budget]
        program = Formulation.over(
            [str(one) for one in kept],
            Rows.from_matrix(matrix, lower=least, labels=[str(row) for row in range(len(least))]),
            name="shortlist",
            objective=prices if budget is None else 0,
            upper=1,
            integral=True,
        )
        try:
            x = integer_optimum(program, time_limit=seconds_left(deadline_in(None))).x
        except ImpossibleError:
            return None
        return sorted(one for one, value in zip(kept, x, strict=True) if value)

    def _shown(self, found: Found, claim: int, limit: Fraction | None = None) -> Found:
        """Return a set with what shows that sets which lose less, or at most a limit, cost at least the claim."""
        if limit is None and not found.loss:
            return found
        near = self._near(found.loss, strict=True) if limit is None else self._near(limit)
        rows = [tuple(own.tolist()) for own in near]
        minimal = set(_minimal(set(rows)))
        used = [place for place, row in enumerate(rows) if row in minimal and rows.index(row) == place]
        matrix = np.array([[int(one) for one in rows[place]] for place in used], dtype=object)
        packed = packing(matrix, self.costs, claim)
        if packed is not None:
            return replace(found, weightings=[self.points[used[row]] for row in packed])
        tree = branch_tree(IntegerRows.binary(matrix, [1] * len(used), self.costs), claim)
        solver: SolverIfAny = "" if tree is not None else solver_name()
        return replace(found, weightings=[self.points[row] for row in used], tree=tree, solver=solver)

    def cheapest(self, limit: Fraction) -> Found:
        """Return the cheapest set with at most this loss."""
        if not self.points:  # some weighting, at which a set needs a member
            row = np.zeros((1, len(self.space.tasks)), dtype=np.int8)
            self._add(widest_margin(row, ["none"], self.space).weights)
        while True:
            chosen = self._passing(limit, strict=False)
            if chosen is None:
                raise InputError(f"no set of the models to choose from has a loss of at most {limit}")
            shown, level = None, self._lost_by(chosen)
            while level <= limit and shown is None:
                shown, level = self.mixtures(chosen, level), self._lost_by(chosen)
            if shown is not None:
                found = Found(models=self._named(chosen), loss=level, mixtures=shown)
                return self._shown(found, self._price(chosen), limit)

    # Against a proposed set.

    def mixtures(
        self, chosen: Sequence[int], level: Fraction
    ) -> dict[str, tuple[dict[str, Fraction], Vectors, Fraction]] | None:
        """Return for each other model a mixture that shows the loss; None after adding weightings that refute it."""
        kept = [self.candidates[one] for one in chosen]
        inside, known = set(kept), len(self.points)
        others = [model for model in self._hot if model not in inside]
        nearly = float(level / self.range) + ROUGH
        duals: dict[int, FloatArray] = {}
        with opened(self._program(kept)) as program:
            above: list[tuple[float, int]] = []
            for model in others:
                lost, duals[model] = self._against(program, model)
                if lost > nearly:
                    above.append((lost, model))
                    if len(above) >= REFUTED:
                        break
        for lost, model in sorted(above, reverse=True):
            self.strongest = model if lost == max(above)[0] else self.strongest
            self._hot.remove(model)
            self._hot.insert(0, model)
            self._exactly(model, kept, level)
        if len(self.points) > known:  # else the floats were wrong: nothing was refuted
            return None
        found = {}
        for model in others:
            proved = self._rounded(model, kept, duals[model], level) if model in duals else None
            proved = proved or self._exactly(model, kept, level)
            if proved is None:
                self.strongest = model
                return None
            found[self.models[model]] = proved
        return found

    def _exactly(
        self, model: int, kept: Sequence[int], level: Fraction
    ) -> tuple[dict[str, Fraction], Vectors, Fraction] | None:
        """Return the exact mixture for a model; None after adding the weighting at which it is above the level."""
        names = [self.models[one] for one in kept]
        proof = widest_margin(self.matrix[model] - self.matrix[list(kept)], names, self.space)
        if proof.lower > level * self.unit:
            self._add(proof.weights)
            return None
        shares = {name: share for name, share in zip(names, proof.blockers, strict=True) if share}
        return shares, proof.vectors, proof.upper / self.unit

    def _rounded(
        self, model: int, kept: Sequence[int], duals: FloatArray, level: Fraction
    ) -> tuple[dict[str, Fraction], Vectors, Fraction] | None:
        """Return a mixture near floats if it shows enough, without vectors of conditions or with some near floats."""
        parts = np.rint(np.abs(duals[: len(kept)]) * FINE * PARTS).astype(np.int64)
        parts[int(np.argmax(parts))] += PARTS - int(parts.sum())
        if parts.min() < 0:
            return None
        used = np.flatnonzero(parts)
        shares = [Fraction(int(parts[place]), PARTS) for place in used]
        rows = self.matrix[model] - self.matrix[[kept[place] for place in used]]
        for vectors in self._vectors(duals[len(kept) + 1 :]):
            loss = most(self.space, vectors, rows, shares) / self.unit
            if loss <= level:
                return {self.models[kept[one]]: own for one, own in zip(used, shares, strict=True)}, vectors, loss
        return None

    def _vectors(self, duals: FloatArray) -> Iterator[Vectors]:
        """Yield vectors of the conditions: none, then those of duals rounded coarsely and finely, in points.

        An answer about two models is often the whole proof that one is ahead, with a multiplier of exactly 1.
        """
        yield tuple({} for _ in self.space.conditions)
        rows = self.space.rows
        if not rows:
            return
        # Floats near 0 may have the wrong sign, which proves nothing.
        scaled = [
            float(dual) * float(self.range) * row.scale if row.relation.allows(int(np.sign(dual))) else 0.0
            for dual, row in zip(duals, rows, strict=True)
        ]
        for parts in (COARSE, PARTS, FINER):
            yield self.space.vectors([Fraction(round(one * parts) * self.unit, parts) for one in scaled])

    def _program(self, kept: Sequence[int]) -> Formulation:
        """Return the program of the most that a model is above the best of a set: weights, auxiliaries, that best."""
        tasks, auxiliaries = self.space.tasks, self.space.auxiliaries
        width = len(tasks) + len(auxiliaries) + 1
        matrix = np.zeros((len(kept) + 1, width), dtype=np.int64)
        matrix[:-1, : len(tasks)] = -self._fine[list(kept)]
        matrix[:-1, -1] = FINE
        matrix[-1, : len(tasks)] = 1
        labels = [str(one) for one in range(len(kept) + 1)]
        rows = Rows.from_matrix(matrix, lower=[0] * len(kept) + [1], upper=[None] * len(kept) + [1], labels=labels)
        if self.space.rows:
            columns = {task: place for place, task in enumerate(tasks)}
            extra = {name: place for place, name in enumerate(auxiliaries, start=len(tasks))}
            rows = Rows.join(rows, linear_rows(self.space.rows, columns, extra, width))
        return Formulation.over(
            [*tasks, *auxiliaries, "best"],
            rows,
            name="loss of a set",
            sense=Sense.MAXIMISE,
            objective=[0] * (width - 1) + [-1],
        )

    def _against(self, program: OpenProgram, model: int) -> tuple[float, FloatArray]:
        """Return by how much a model is above a set at most, as a part of the range, and the duals that show it."""
        costs = np.zeros(len(program.formulation.columns))
        costs[: len(self.space.tasks)] = self._fine[model] / FINE
        costs[-1] = -1
        program.aim(costs)
        solution = program.solve(seconds_left(deadline_in(None)))
        if solution.x is None or solution.duals is None:
            return np.inf, np.zeros(len(program.formulation.rows))
        return float(solution.value), solution.duals


def packing(matrix: AnyArray, costs: Sequence[int], claim: int) -> list[int] | None:
    """Return rows of 0 and 1 such that no two share a column, so that sets that meet them cost at least the claim.

    A set pays for a column in each of them. None where there are no such rows: they need not exist.
    """
    least = [min((cost for cost, one in zip(costs, row, strict=True) if one), default=claim) for row in matrix]
    never = [row for row, one in enumerate(matrix) if not one.any()]
    if never or not len(matrix):
        return never[:1] or None
    columns = np.unique(matrix.astype(np.int8), axis=1)
    columns = columns[:, columns.sum(axis=0) > 1]
    rows = np.vstack([-columns.T.astype(object), least])
    program = Formulation.over(
        [str(row) for row in range(len(matrix))],
        Rows.from_matrix(rows, lower=[*[-1] * columns.shape[1], claim], labels=[str(one) for one in range(len(rows))]),
        name="packing",
        objective=0,
        upper=1,
        integral=True,
    )
    try:
        x = integer_optimum(program, time_limit=seconds_left(deadline_in(None))).x
    except ImpossibleError:
        return None
    return [row for row, one in enumerate(x) if one]


def _undominated(scores: AnyArray, costs: Sequence[int]) -> list[int]:
    """Return the rows that no other one, at most as dear, is as good as everywhere; of equal ones the first."""
    kept, prices = [], np.array(costs, dtype=object)
    for place, (row, price) in enumerate(zip(scores, prices, strict=True)):
        over = (scores >= row).all(axis=1) & (prices <= price)
        better = over & ((scores > row).any(axis=1) | (prices < price))
        if not better.any() and not over[:place].any():
            kept.append(place)
    return kept


def _widest(matrix: AnyArray, costs: Sequence[int]) -> list[int]:
    """Return the columns of a 0-1 matrix that no other column, at most as dear, contains; of equal ones the first."""
    hits = matrix.astype(np.float32)
    _, prices = np.unique(np.array(costs, dtype=object), return_inverse=True)
    shared, own = hits.T @ hits, hits.sum(axis=0)
    inside = (shared == own[:, None]) & (prices <= prices[:, None])
    equal = inside & inside.T
    worse = (inside & ~equal) | (equal & np.tri(len(own), k=-1, dtype=np.bool_))
    return [int(one) for one in np.flatnonzero(~worse.any(axis=1))]


def _minimal(rows: set[tuple[bool, ...]]) -> list[tuple[bool, ...]]:
    """Return the rows that contain no other row: a set that meets these meets all."""
    masks = {sum(1 << place for place, one in enumerate(row) if one): row for row in rows}
    ordered = sorted(masks, key=lambda mask: (mask.bit_count(), mask))
    kept: list[int] = []
    for mask in ordered:
        if not any(one & mask == one for one in kept):
            kept.append(mask)
    return [masks[mask] for mask in kept]
