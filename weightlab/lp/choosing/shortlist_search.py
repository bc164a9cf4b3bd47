"""The search for shortlists: sets are proposed at some weightings, and refuted by weightings where they lose more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    weightings: list[list[Fraction]]
    tree: BranchTree | None
    solver: SolverIfAny


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
    """

    def __init__(
        self, models: Sequence[str], matrix: AnyArray, unit: int, space: WeightSpace, candidates: Sequence[int]
    ) -> None:
        self.models, self.matrix, self.unit, self.space = models, matrix, unit, space
        self.candidates = list(candidates)
        self.range = Fraction(max(1, int((matrix.max(axis=0) - matrix.min(axis=0)).max())), unit)
        centred = (matrix - matrix.min(axis=0)).astype(object) * FINE
        self._fine = (centred // max(1, int((matrix.max(axis=0) - matrix.min(axis=0)).max()))).astype(np.int64)
        self._undominated = _undominated(matrix, self.candidates)
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

    # Sets by size.

    def of_size(self, size: int) -> Found:
        """Return the set of this size with the least loss.

        Swaps propose a set, weightings refute it; where none does, a program shows that at the known weightings no
        other set loses less, or has one that does.
        """
        chosen, best, shown = (
            self._swapped(self._last, size),
            None,
            dict[str, tuple[dict[str, Fraction], Vectors, Fraction]](),
        )
        while best != ZERO:
            level = self._lost_by(chosen)
            if best is None or level < best:
                found = self.mixtures(chosen, level)
                if found is None:
                    chosen = self._swapped(chosen, size)
                    continue
                best, shown, self._last = level, found, chosen
            better = self._passing(best, size) if best else None
            if better is None:
                break
            chosen = self._swapped(better, size)
        least = best or ZERO
        rows = [own.tolist() for own in self._near(least, strict=True)]
        tree, solver, used = self._tree(rows, None, size + 1) if least else (None, "", [])
        return Found(
            models=tuple(self.models[self.candidates[one]] for one in sorted(self._last)),
            loss=least,
            mixtures=shown,
            weightings=[self.points[row] for row in used],
            tree=tree,
            solver=solver,
        )

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

    def _passing(self, level: Fraction, size: int, costs: Sequence[Fraction] | None = None) -> list[int] | None:
        """Return so few candidates with one that loses less than the level at each weighting, or none.

        With costs the cheapest, of which one loses at most the level.
        """
        kept = self._undominated if costs is None else list(range(len(self.candidates)))
        rows = _minimal({tuple(own[kept].tolist()) for own in self._near(level, strict=costs is None)})
        matrix = np.array(rows, dtype=np.int64).reshape(len(rows), len(kept))
        if not matrix.any(axis=1).all():
            return None
        if costs is None:
            some = _widest(matrix)
            kept, matrix = [kept[one] for one in some], matrix[:, some]
        # Asking whether this many are enough, not how few are, takes a solver far less time.
        few = np.vstack([matrix, np.full((1, len(kept)), -1)])
        program = Formulation.over(
            [str(one) for one in kept],
            Rows.from_matrix(few, lower=[*[1] * len(rows), -size], labels=[str(row) for row in range(len(few))]),
            name="shortlist",
            objective=0 if costs is None else [costs[one] for one in kept],
            upper=1,
            integral=True,
        )
        try:
            x = integer_optimum(program, time_limit=seconds_left(deadline_in(None))).x
        except ImpossibleError:
            return None
        chosen = [one for one, value in zip(kept, x, strict=True) if value]
        return sorted(chosen)

    def _tree(
        self, rows: list[list[bool]], costs: list[int] | None, claim: int
    ) -> tuple[BranchTree | None, SolverIfAny, list[int]]:
        """Return the tree that shows the bound of a cover, the solver otherwise, and the weightings that it uses."""
        minimal = set(_minimal({tuple(row) for row in rows}))
        used = [place for place, row in enumerate(rows) if tuple(row) in minimal and rows.index(row) == place]
        matrix = np.array([[int(one) for one in rows[place]] for place in used], dtype=object)
        tree = branch_tree(IntegerRows.binary(matrix, [1] * len(used), costs), claim)
        return (tree, "", used) if tree is not None else (None, solver_name(), [])

    def cheapest(self, limit: Fraction, costs: Sequence[Fraction]) -> Found:
        """Return the cheapest set with at most this loss."""
        if not self.points:  # some weighting, at which a set needs a member
            row = np.zeros((1, len(self.space.tasks)), dtype=np.int8)
            self._add(widest_margin(row, ["none"], self.space).weights)
        while True:
            chosen = self._passing(limit, len(self.candidates), costs)
            if chosen is None:
                raise InputError(f"no set of the models to choose from has a loss of at most {limit}")
            refuted = self.mixtures(chosen, limit)
            if isinstance(refuted, dict):
                break
        listed, over = common_denominator(costs)
        total = int(sum((costs[one] for one in chosen), ZERO) * over)
        rows = [own.tolist() for own in self._near(limit)]
        tree, solver, used = self._tree(rows, listed, total)
        return Found(
            models=tuple(self.models[self.candidates[one]] for one in chosen),
            loss=limit,
            mixtures=refuted,
            weightings=[self.points[row] for row in used],
            tree=tree,
            solver=solver,
        )

    # Against a proposed set.

    def mixtures(
        self, chosen: Sequence[int], level: Fraction
    ) -> dict[str, tuple[dict[str, Fraction], Vectors, Fraction]] | None:
        """Return for each other model a mixture that shows the loss; None after adding weightings that refute it."""
        kept = [self.candidates[one] for one in chosen]
        inside = set(kept)
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
        if above:
            return None
        found = {}
        for model in others:
            proved = self._rounded(model, kept, duals[model], level)
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


def _undominated(matrix: AnyArray, candidates: Sequence[int]) -> list[int]:
    """Return the places of candidates that no other one is at least as good as everywhere; of equal ones the first."""
    own = matrix[list(candidates)]
    kept = []
    for place, row in enumerate(own):
        over = (own >= row).all(axis=1)
        better = over & (own > row).any(axis=1)
        if not better.any() and not over[:place].any():
            kept.append(place)
    return kept


def _widest(matrix: AnyArray) -> list[int]:
    """Return the columns of a 0-1 matrix that no other column contains; of equal ones the first."""
    _, first = np.unique(matrix, axis=1, return_index=True)
    some = np.sort(first)
    hits = matrix[:, some].astype(np.float32)
    shared, own = hits.T @ hits, hits.sum(axis=0)
    inside = (shared == own[:, None]) & (own[None, :] > own[:, None])
    return [int(one) for one in some[~inside.any(axis=1)]]


def _minimal(rows: set[tuple[bool, ...]]) -> list[tuple[bool, ...]]:
    """Return the rows of which no other is a part: a set that meets these meets all."""
    masks = {sum(1 << place for place, one in enumerate(row) if one): row for row in rows}
    ordered = sorted(masks, key=lambda mask: (mask.bit_count(), mask))
    kept: list[int] = []
    for mask in ordered:
        if not any(one & mask == one for one in kept):
            kept.append(mask)
    return [masks[mask] for mask in kept]
