"""Lifts where weights are free within a space: what a mixture of rivals asks of the lifted tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from weightlab._exact import AnyArray, common_denominator, largest_entry
from weightlab._result import Frozen, Record
from weightlab._solver import Formulation, Number, Rows, integer_optimum, solve, solver_name
from weightlab._solver.covers import PARTS, SCALE, Cover, CoverConstraint, FewestCover, fewest_cover
from weightlab.lp.certificate import check_bound, column_sums, nonzero
from weightlab.lp.certificates.lp_rows import allowed_rows
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.space.conditions import Near, Relation
from weightlab.lp.space.space import Vectors, WeightSpace


class LiftCut(Record):
    """A bound on the lead over a mixture of rivals, whatever the weights, with some tasks lifted.

    Attributes
    ----------
    lifted : tuple of str
        These tasks.
    mixture : mapping from rival to Fraction
        The shares of the rivals, all positive.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space.
    bound : Fraction
        What no weights of the space lead by.
    """

    lifted: tuple[str, ...]
    mixture: Mapping[str, Fraction]
    vectors: Vectors
    bound: Fraction


class LiftsInSpace(Frozen):
    """Leads of a model, today and lifted, under weights that are free within a space.

    Attributes
    ----------
    today, then : ndarray of Python integers, rivals x tasks
        By how much the model leads each rival on each task, as it is and lifted there.
    rivals : tuple of str
        Names of the rows.
    space : WeightSpace
        Allowed weights.
    shared : bool
        Whether a shared first place is enough.
    """

    today: AnyArray
    then: AnyArray
    rivals: tuple[str, ...]
    space: WeightSpace
    shared: bool

    def lifted(self, chosen: Sequence[int]) -> AnyArray:
        """Return the leads with some tasks lifted."""
        return np.where(np.isin(np.arange(self.today.shape[1]), list(chosen)), self.then, self.today)

    def wins(self, least: Fraction) -> bool:
        """Return whether a least lead is enough."""
        return least > 0 or (self.shared and least == 0)

    def row(self, cut: LiftCut) -> tuple[list[int], int]:
        """Return the row that lifted tasks meet because of a cut, ensuring that its vectors prove it.

        Under weights of the space, each further lift adds to the lead over the mixture at most its gain there times the
        most that its task may weigh. All of them must make up for what the bound lacks of a win.
        """
        before = self.lifted([self.space.tasks.index(task) for task in cut.lifted])
        check_bound(before, self.rivals, cut.mixture, cut.vectors, self.space, bound=cut.bound)
        gains = column_sums(self.then - before, [cut.mixture.get(rival, Fraction(0)) for rival in self.rivals])
        most = [cap * gain for cap, gain in zip(most_weights(self.space), gains, strict=True)]
        *numerators, lacking = common_denominator([*most, -cut.bound])[0]
        return numerators, lacking + (not self.shared)

    def fewest(self) -> tuple[FewestCover, tuple[LiftCut, ...], tuple[Fraction, ...]]:
        """Return the fewest tasks to lift, the proof that fewer are not enough, and weights with which the model wins.

        Raises
        ------
        EmptySpaceError
            If there are no weights.
        UnprovedError, TimeLimitError
            If the optimum was not shown.

        Notes
        -----
        An integer program with a weight, its lifted part and a choice for each task. It lets leads of 0 pass, and what
        rounding adds: a set on which no weights win is cut off (logic-based Benders decomposition).
        """
        count, cuts, never = len(self.space.tasks), list[LiftCut](), list[LiftCut]()
        if (weights := self._tried((), cuts)) is not None:
            return FewestCover(tasks=(), mixture={}, solver=None), (), weights
        if self._tried(range(count), never) is None:
            return FewestCover(tasks=None, mixture={0: Fraction(1)}, solver=None), tuple(never), ()
        program = self._program()
        duals = solve(program.relaxed()).duals
        chosen = tuple[int, ...]()
        while weights is None:
            # A mixture that blocks a set says something of all tasks, too: sets that tie like this one fail it.
            cuts += [self._mixed(cuts[-1].mixture)] if chosen else []
            asked = [CoverConstraint.of(*self.row(cut), most=SCALE) for cut in cuts[-2:]]
            matrix = np.zeros((len(asked), len(program.columns)), dtype=np.int64)
            matrix[:, -count:] = [one.coefficients for one in asked]
            rows = Rows.from_matrix(matrix, lower=[one.least for one in asked], labels=["cut"] * len(asked))
            program = program.with_rows(rows)
            x = integer_optimum(program).x
            chosen = tuple(task for task, one in enumerate(x[-count:]) if one)
            weights = self._tried(chosen, cuts)
        if duals is not None and (mixture := np.maximum(duals[: len(self.rivals)], 0)).any():
            parts = (PARTS * mixture / mixture.sum()).tolist()
            cuts.append(
                self._mixed({rival: Fraction(round(one)) for rival, one in zip(self.rivals, parts, strict=True)})
            )
        found = fewest_cover(self.cover(cuts))
        if found.tasks is None or len(found.tasks) < len(chosen):
            found = FewestCover(tasks=chosen, mixture={}, solver=solver_name())
        return replace(found, tasks=chosen), tuple(cuts), weights

    def cover(self, cuts: Sequence[LiftCut]) -> Cover:
        """Return the rows that lifted tasks meet because of all cuts."""
        rows = [self.row(cut) for cut in cuts]
        gains = np.array([own for own, _ in rows], dtype=object).reshape(len(rows), len(self.space.tasks))
        return Cover.of(gains, [lacking for _, lacking in rows])

    def _tried(self, chosen: Sequence[int], cuts: list[LiftCut]) -> tuple[Fraction, ...] | None:
        """Return weights under which the model wins with some tasks lifted; None after adding the cut that says no."""
        widest = widest_margin(self.lifted(chosen), self.rivals, self.space)
        if self.wins(widest.lower):
            return widest.weights
        cuts.append(self._cut(chosen, widest.blockers, widest.vectors, widest.upper))
        return None

    def _mixed(self, parts: Mapping[str, Fraction]) -> LiftCut:
        """Return the cut of a mixture of rivals, given in parts, with no task lifted."""
        blockers = [parts.get(rival, Fraction(0)) / sum(parts.values()) for rival in self.rivals]
        mixed, unit = common_denominator(column_sums(self.today, blockers))
        alone = widest_margin(np.array([mixed], dtype=object), ("mixture",), self.space)
        vectors = tuple({task: one / unit for task, one in vector.items()} for vector in alone.vectors)
        return self._cut((), blockers, vectors, alone.upper / unit)

    def _program(self) -> Formulation:
        """Return the program: weights, auxiliary variables of the space, lifted parts of the weights, choices."""
        count, first = len(self.space.tasks), len(self.space.tasks) + len(self.space.auxiliaries)
        width = first + 2 * count
        unit = max(1, largest_entry(self.then), largest_entry(self.today)) // SCALE + 1
        rounded = [-(-one // unit) for one in (self.today, self.then - self.today)]
        none = np.zeros((len(self.rivals), first - count), dtype=object)
        leads = np.hstack([rounded[0], none, rounded[1], 0 * rounded[1]])
        most = most_weights(self.space)
        links: list[dict[int, Number]] = [{task: 1, first + task: -1} for task in range(count)]
        links += [{first + task: -1, first + count + task: most[task]} for task in range(count)]
        rows = Rows.join(
            Rows.from_matrix(leads, lower=0, labels=self.rivals),
            Rows.from_dicts(links, width=width, lower=0, labels=[f"link {row}" for row in range(2 * count)]),
            allowed_rows(self.space.tasks, self.space.auxiliaries, self.space.rows, width),
        )
        return Formulation.over(
            [str(column) for column in range(width)],
            rows,
            name="fewest lifts",
            objective=[0] * (width - count) + [1] * count,
            upper=[None] * (width - count) + [1] * count,
            integral=[False] * (width - count) + [True] * count,
        )

    def _cut(self, chosen: Sequence[int], blockers: Sequence[Fraction], vectors: Vectors, bound: Fraction) -> LiftCut:
        return LiftCut(
            lifted=tuple(self.space.tasks[one] for one in chosen),
            mixture=nonzero(blockers, self.rivals),
            vectors=vectors,
            bound=bound,
        )


def most_weights(space: WeightSpace) -> list[Fraction]:
    """Return for each task a weight that it has at most: by conditions on it alone, and by its distance from today."""
    most = dict.fromkeys(space.tasks, Fraction(1))
    for row in space.rows:
        for task, factor in row.tasks.items() if len(row.tasks) == 1 and not row.auxiliaries else ():
            if row.relation is not Relation.AT_LEAST and factor > 0:
                most[task] = min(most[task], row.bound / factor)
    for near in (one for one in space.conditions if isinstance(one, Near) and one.norm == "l1"):
        most = {task: min(cap, near.centre[task] + near.radius / 2) for task, cap in most.items()}
    return list(most.values())
