"""The fewest tasks that a model needs to win, and every set of so few."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd

from weightlab._exact import Number, SignArray, fraction
from weightlab._result import ByName, Proof, Record, Seen, ensure
from weightlab._solver import Solver, deadline_in, seconds_left, solver_name, within
from weightlab._solver.branch_tree import BranchTree, IntegerRows, branch_tree
from weightlab._solver.covers import BudgetError, CoverConstraint, covers
from weightlab._validate import truth
from weightlab.data.convert import SignsLike
from weightlab.data.linear_rule import MAJORITY, LeadsLike, RuleLike, Scale
from weightlab.data.points import Missing, Ties
from weightlab.lp.by_model import Asked, OfModel
from weightlab.lp.certificate import check_exact, check_weighting, least_lead
from weightlab.lp.scenarios.fewest_tasks_search import TaskCut, TaskSearch
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.verdicts.prospect import prospect_with_margin, refuse_ties


class TaskSets(OfModel, kind="task_sets"):
    """Every smallest set of tasks on which some weights make a model win, with the proof that there is no other.

    Attributes
    ----------
    model, rule, signs, points, space
        As of an `OfModel`.
    found : SmallestSets
        The sets with their weights, and the cuts that all other sets of that size and below fail.
    rivals : tuple of str
        All models but the one, in board order.
    """

    found: SmallestSets
    rivals: tuple[str, ...]

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"weights": Proof.EXACT, "no other set is as small": self.found.proof}

    @property
    def size(self) -> int:
        """The number of tasks in each set."""
        return len(self.found.sets[0])

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets, tasks in the order of the table."""
        return self.found.sets

    @property
    def margin(self) -> Fraction:
        """Required least lead, as a share of weight or in points."""
        return self.found.least / self.unit

    def __str__(self) -> str:
        """Say how few tasks suffice, and how many sets there are."""
        how = self.rule.by
        wins = f"win {how}" if self.found.strict else f"be undefeated {how}"
        if self.margin:
            wins = f"lead every rival {how} by at least {self.lead_words(self.margin)}"
        tasks = "1 task" if self.size == 1 else f"{self.size} tasks"
        count = len(self.sets)
        first = " + ".join(self.sets[0])
        sets = f"only on {first}" if count == 1 else f"on {count} sets, {first} among them"
        return f"{self.model} needs {tasks} to {wins}, and can do so {sets}.{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per set: weights that win on its tasks alone."""
        return pd.DataFrame(dict(enumerate(self.found.weights, start=1))).T.rename_axis(index="set")

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check the weights of each set, the cuts, and that no other set passes them, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        self.check_rows(self.rivals, source)
        ensure(self.found.size is not None, "there is no set of tasks")
        ensure(self.found.is_complete is True, "the sets are not all that there are")
        ensure(self.found.least >= 0, f"a margin of {self.found.least} is not a win")
        self.found.check(self.rows, self.rivals, self.space)
        return True


def fewest_task_sets(
    board: LeadsLike,
    model: str,
    *,
    rule: RuleLike = MAJORITY,
    ties: Ties | None = None,
    missing: Missing | None = None,
    scaled: Scale | None = None,
    strict: bool = False,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> TaskSets:
    """Find every smallest set of tasks such that a model wins under weights on these tasks alone.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table. Missing scores count as ties.
    model : str
        Who is to win.
    rule : str or sequence of numbers
        By which it wins: ``"majority"``, ``"mean"``, ``"borda"``, ``"dowdall"``, ``"plurality"``, ``"veto"`` or the
        points of the places.
    ties, missing : str, optional
        Options of rules by place, as for `prospect`.
    scaled : {"range", "z"}, optional
        By the mean: scores on a scale of each task's own, from 0 to 1 or in standard deviations from its mean.
    strict : bool
        Whether it must beat every rival; otherwise it may tie. A strict win can take more tasks.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        Least lead over every rival, as a share of total weight (by other rules in their points); not negative.
    time_limit : float, optional
        Seconds for the search and all its programs.

    Returns
    -------
    TaskSets

    Raises
    ------
    ImpossibleError
        If no weights of the space do it; its ``proof`` is the Prospect that shows it.
    InputError
        If the margin is negative, or ``strict`` is no truth value.
    UnknownNameError, EmptySpaceError
        As for `prospect`.
    TimeLimitError, UnprovedError
        ``known["size"]`` is the least size that was not ruled out.

    Notes
    -----
    NP-hard: a smallest set that meets every cut, cuts generated as sets fail. `scenario` with
    ``fewest_tasks()`` finds one such set, which is faster where there are many.

    Examples
    --------
    >>> import weightlab as wl
    >>> scores = {"x": {"a": 2, "b": 1, "c": 2}, "y": {"a": 1, "b": 1, "c": 0}, "z": {"a": 3, "b": 4, "c": 1}}
    >>> board = wl.Leaderboard(scores)
    >>> print(wl.lp.fewest_task_sets(board, "a"))
    a needs 1 task to be undefeated head-to-head, and can do so on 2 sets, x among them.
    >>> wl.lp.fewest_task_sets(board, "a", strict=True).sets
    (('x', 'y'), ('x', 'z'))
    """
    asked = Asked.of(board, rule, ties=ties, missing=missing, scaled=scaled, space=space)
    strictly = truth(strict, "strict")
    least = fraction(margin)
    with within(time_limit):
        widest = prospect_with_margin(asked, model, least)
        if strictly:
            refuse_ties(widest)
        matrix, rivals = widest.rows, widest.rivals
        least_in_rows = least * widest.unit
        found = smallest_sets(matrix, rivals, asked.space, least=least_in_rows, strict=strictly, most=None)
    return TaskSets(model=model, **asked.fields(model), found=found, rivals=rivals, space=asked.space).verified()


# Smallest sets of tasks on which weights win, with the cuts that rule out all smaller ones.

BUDGET = 20_000
"""Minimality is re-checked where at most this many partial sets must be examined."""


class SmallestSets(Record):
    """Smallest sets of tasks on which some weights of a space win.

    Attributes
    ----------
    least : Fraction
        Least lead over every rival.
    strict : bool
        Whether the weights must beat every rival.
    size : int or None
        The smallest number of tasks; None when no weights do it, on whatever tasks.
    weights : tuple of Series of Fraction by task
        For each set weights that do it and have weight on its tasks alone.
    is_complete : bool
        Whether these are all sets of that size.
    cuts : tuple of TaskCut
        What other sets fail.
    proof : Proof
        ``exact`` when a search re-checks that no smaller set (and no other, if they are all) meets the cuts;
        else that rests on a solver's bound.
    solver : Solver or None
        Whose bound that is.
    tree : BranchTree or None
        What shows it instead, where the search takes long.
    """

    least: Fraction
    strict: bool
    size: int | None
    weights: Seen[tuple[pd.Series, ...]] = ByName()
    is_complete: bool
    cuts: tuple[TaskCut, ...]
    proof: Proof
    solver: Solver | None = None
    tree: BranchTree | None = None

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets, one per weighting, tasks in the order of the table."""
        return tuple(_support(one) for one in self.weights)

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the weights win on ``size`` tasks, and that the cuts keep fewer tasks from it."""
        check_exact(least=self.least)
        for name in ("strict", "is_complete"):
            ensure(type(getattr(self, name)) is bool, f"{name} is no truth value")
        whole = self.size is None or type(self.size) is int
        ensure(whole, f"{self.size!r} is not a number of tasks")
        ensure(len(self.weights) == 0 if self.size is None else len(self.weights) > 0, "no weights come with a number")
        ensure(len(set(self.sets)) == len(self.sets), "a set of tasks occurs twice")
        for weights in self.weights:
            self._check_weights(weights, signs, space)
        constraints = [one.constraint(signs, rivals, space, least=self.least, strict=self.strict) for one in self.cuts]
        proof = self.proved_by(constraints, space)
        ensure(proof is self.proof, f"what is proved is {proof}, not {self.proof}")
        ensure((self.solver is None) == (proof is Proof.EXACT), "a solver is named where its bound is relied on")

    def _check_weights(self, weights: pd.Series, signs: SignArray, space: WeightSpace) -> None:
        check_weighting(weights, space)
        lead = least_lead(signs, weights.tolist())
        ensure(lead >= self.least, f"the least lead on {_support(weights)} is {lead}, below {self.least}")
        ensure(lead > 0 or not self.strict, f"the weights on {_support(weights)} do not win: the least lead is {lead}")
        count = len(_support(weights))
        ensure(count == self.size, f"the weights are on {count} tasks, not {self.size}")

    def proved_by(self, constraints: Sequence[CoverConstraint], space: WeightSpace) -> Proof:
        """Return how much the constraints of the cuts prove, ensuring that no set found in time contradicts it."""
        width, known = len(space.tasks), set(self.sets)
        if self.size is None:
            ensure(any(not one.is_met_by(range(width)) for one in constraints), "no cut keeps all tasks from doing it")
            return Proof.EXACT
        if self.tree is not None:
            self.tree.check(*self.program(constraints, width))
            return Proof.EXACT
        try:
            # A set that wins meets every constraint. So if no smaller set meets all of them, none wins: the proof needs
            # no solver.
            smaller = next(covers(constraints, width, self.size - 1, budget=BUDGET), None)
            ensure(smaller is None, f"no cut keeps {_named(smaller, space)} from doing it")
            if self.is_complete:
                for one in covers(constraints, width, self.size, budget=BUDGET):
                    ensure(_named(one, space) in known, f"no cut keeps {_named(one, space)} from doing it")
        except BudgetError:
            return Proof.EXACT_WITNESS
        return Proof.EXACT

    def program(self, constraints: Sequence[CoverConstraint], width: int) -> tuple[IntegerRows, int]:
        """Return the program of sets that meet the constraints, without those known if they are all, and its bound."""
        rows = [list(one.coefficients) for one in constraints]
        least = [one.least for one in constraints]
        for weights in self.weights if self.is_complete else ():
            # Of a set that is known at most all but one, so another one, or none that is a smaller part.
            rows.append([-int(weight > 0) for weight in weights.tolist()])
            least.append(1 - (self.size or 0))
        matrix = np.array(rows, dtype=object).reshape(len(rows), width)
        return IntegerRows.binary(matrix, least), (self.size or 0) + self.is_complete


def smallest_sets(
    signs: SignArray,
    rivals: Sequence[str],
    space: WeightSpace,
    *,
    least: Fraction,
    strict: bool,
    most: int | None,
    widen: bool = False,
    after: SmallestSets | None = None,
    time_limit: float | None = None,
) -> SmallestSets:
    """Return a smallest set of tasks on which weights of a space win, or every one.

    Parameters
    ----------
    signs : ndarray of int8, rivals x tasks
        G_m.
    rivals : sequence of str
        Names of its rows.
    space : WeightSpace
        Allowed weights, tasks in the order of the columns; some of them must lead by ``least``.
    least : Fraction
        Least lead over every rival.
    strict : bool
        Whether the model must beat every rival.
    most : int or None
        How many sets of the smallest size are wanted; None for every one.
    widen : bool
        Whether sets that fail are widened: see `TaskSearch`.
    after : SmallestSets, optional
        What was found when ties were allowed: a strict win takes as many tasks, or more.
    time_limit : float, optional
        Seconds for the whole search.

    Raises
    ------
    TimeLimitError, UnprovedError
        ``known["size"]`` is the least size that was not ruled out.

    Notes
    -----
    NP-hard. A set is proposed that meets all constraints known so far, by a search or, when that takes long, by an
    integer program; one linear program either finds winning weights on it or yields a cut, hence a new constraint.
    """
    deadline = deadline_in(time_limit)
    search = TaskSearch(signs, rivals, space, least=least, strict=strict and least == 0, deadline=deadline, widen=widen)
    if after is not None and after.size is not None:
        search.begin_with(after.cuts, after.size)
    exists = search.run(most=most)
    found = SmallestSets(
        least=least,
        strict=strict,
        size=search.size if exists else None,
        weights=tuple(sorted(search.found, key=lambda one: [not weight for weight in one.tolist()])),
        is_complete=most is None or len(search.found) < most,
        cuts=tuple(search.cuts),
        proof=Proof.EXACT,
    )
    if found.proved_by(search.constraints, space) is Proof.EXACT:
        return found
    tree = branch_tree(*found.program(search.constraints, len(space.tasks)), time_limit=seconds_left(deadline))
    if tree is not None:
        return replace(found, tree=tree)
    return replace(found, proof=Proof.EXACT_WITNESS, solver=solver_name())


def _support(weights: pd.Series) -> tuple[str, ...]:
    return tuple(str(task) for task, weight in weights.items() if weight)


def _named(chosen: Sequence[int] | None, space: WeightSpace) -> tuple[str, ...]:
    return tuple(space.tasks[place] for place in chosen or ())
