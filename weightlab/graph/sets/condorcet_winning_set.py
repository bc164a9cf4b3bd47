"""Condorcet winning sets: for any other model, one of a few is ahead on more than half of the weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd

from weightlab._exact import INT64_EXACT, AnyArray, BoolArray, IntArray, common_denominator, exact_products
from weightlab._result import ByName, Frozen, Proof, Result, Seen, ensure, exact_series, on_word_of
from weightlab._solver import Rows, Solver, solver_name
from weightlab._solver.propose import smallest, smallest_program
from weightlab._text import counted, first_few, without
from weightlab.data.convert import ProfileLike, Unlisted, as_leaderboard, as_listed, ensure_listed
from weightlab.data.signs import Signs
from weightlab.exceptions import ImpossibleError, InputError
from weightlab.graph.majority_graph import ensure_same_places

CHECKED = 3
"""A set of up to this many models is checked to be the smallest by examining all smaller ones."""


class CondorcetWinningSet(Result, kind="condorcet_winning_set"):
    """The smallest set of models such that no other model escapes it.

    For every other model, the tasks on which some member is strictly ahead of it have more than half of the weight. A
    model with the same scores as a member counts as one with it.

    Attributes
    ----------
    members : tuple of str
        In board order.
    weights : Series of Fraction by task
        The weights that the claim is about.
    signs : Signs
        The places of the scores that it is about.
    solver : Solver or None
        Whose bound proves that no smaller set suffices, where there are more than three members.
    """

    members: tuple[str, ...]
    weights: Seen[pd.Series] = ByName("signs.tasks")
    solver: Solver | None
    signs: Signs

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """Up to three members all smaller sets are examined again. Beyond, a solver's bound is relied on.

        That no two models do, and that no member may be left out, is checked in any case.
        """
        return {"the set": Proof.EXACT, "no smaller set will do": on_word_of(len(self.members) > CHECKED)}

    @property
    def least_share(self) -> Fraction:
        """The least share of the weight on which a member is ahead of a model outside; 1 where all are members."""
        found = self._covered()
        return min(found.values(), default=Fraction(1))

    def __str__(self) -> str:
        """Return the sentence that names the members."""
        count, named = len(self.members), first_few(self.members, 10)
        alike = count + len(self._covered()) < len(self.signs.models)
        others = "model with other scores" if alike else "other model"
        if count == 1:
            return f"{named} is strictly ahead of every {others} on more than half of the weight."
        fewest = "no fewer models do" if self.solver is None else f"no fewer models do by the bound of {self.solver}"
        return (
            f"{count} of {counted(len(self.signs.models), 'model')} suffice: {named}. For every {others} one of "
            f"them is strictly ahead on tasks of more than half of the weight; {fewest}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return, for each model outside, the share of the weight on which a member is ahead, least first."""
        shares = pd.Series(self._covered(), dtype=object)
        return shares.sort_values(kind="stable").to_frame("share_ahead")

    def _covered(self) -> dict[str, Fraction]:
        race = _Race.of(self.signs, self.weights.tolist())
        chosen = np.array([self.signs.position(member) for member in self.members], dtype=np.intp)
        outside = np.flatnonzero(~race.same[:, chosen].any(axis=1))
        return {self.signs.models[row]: Fraction(int(race.ahead(chosen)[row]), race.total) for row in outside}

    def verify(self, source: ProfileLike | None = None) -> bool:
        """Re-check the claim in exact arithmetic; given the source, also that places and weights are that source's.

        Returns
        -------
        bool
            True.

        Raises
        ------
        ProofError
            Naming the first thing that does not hold.
        """
        if source is not None:
            ensure_listed(partial(ensure_same_places, self.signs, self.weights), source)
        count, models = len(self.members), self.signs.models
        ensure(count and len(set(self.members)) == count, "there is no member, or one is named twice")
        unknown = without(self.members, models)
        ensure(not unknown, f"there is no model {unknown[:1]}")
        ensure(all(weight >= 0 for weight in self.weights.tolist()), "a weight is negative")
        ensure(any(self.weights.tolist()), "no task has a weight")
        race = _Race.of(self.signs, self.weights.tolist())
        escaping = race.escaping([self.signs.position(member) for member in self.members])
        ensure(not len(escaping), f"no member is ahead of {[models[row] for row in escaping[:1]]} on more than half")
        smaller = race.single() if count > 1 else None
        ensure(smaller is None, f"{[models[row] for row in smaller or ()]} suffices alone")
        smaller = race.pair() if count > 2 else None
        ensure(smaller is None, f"{[models[row] for row in smaller or ()]} suffice, so {count} are not the fewest")
        for left in self.members if count > CHECKED else ():
            others = [self.signs.position(member) for member in self.members if member != left]
            ensure(len(race.escaping(others)), f"the set suffices without {left!r}")
        ensure((self.solver is None) == (count <= CHECKED), "a solver is named where its bound is relied on")
        return True


def condorcet_winning_set(
    source: ProfileLike, *, size: int | None = None, time_limit: float | None = None, unlisted: Unlisted | None = None
) -> CondorcetWinningSet:
    """Return the smallest set in which, for any other model, some member is ahead on more than half of the weight.

    Parameters
    ----------
    source : Leaderboard or Profile
        Tasks or voters count with their weights. Where either of two scores is missing, or they tie (within a task's
        tolerance), neither is ahead; the weight of such a task counts in the half all the same.
    size : int, optional
        The most members wanted, at least 1.
    time_limit : float, optional
        Seconds, for sets of more than two models.
    unlisted : {"last", "unknown"}, optional
        Models that a voter leaves out are behind all that it ranks, or unknown: no model is ahead of them there.

    Returns
    -------
    CondorcetWinningSet
        ``.members``, ``.least_share``, ``.summary()``, ``.verify()``. One member: a Condorcet winner by an absolute
        majority. Models with equal scores count as one.

    Raises
    ------
    ImpossibleError
        If the smallest set has more than ``size`` members; ``proof`` is None: ask again without ``size`` for the set,
        whose ``verify`` re-checks that no fewer suffice up to three members, and names the solver beyond.
    UnprovedError, TimeLimitError
        If the limit came first.

    Notes
    -----
    Single models and pairs are all examined, exactly. Larger sets are proposed by an integer program, the
    smallest that hits, for every model that escaped an earlier proposal, those who could have caught it (implicit
    hitting sets, as in ``Prospect.fewest_blockers``). O(n^2 m) for n models and m tasks where one suffices, and as much
    for each pair that the sums of two margins do not rule out.

    References
    ----------
    E. Elkind, J. Lang and A. Saffidine, "Condorcet winning sets", Social Choice and Welfare 44 (2015).

    Examples
    --------
    >>> import weightlab as wl
    >>> cycle = wl.Profile.from_orders(map(list, ["abc", "bca", "cab"]))
    >>> condorcet_winning_set(cycle).members
    ('a', 'b')
    """
    _refuse_no_count(size)
    table = as_leaderboard(as_listed(source, unlisted))
    signs, weights = table.signs(), table.weights
    race = _Race.of(signs, weights.tolist())
    found = race.single() or (race.pair() if size != 1 else None)
    if found is None and (size is None or size > 2):
        found = _larger(race, time_limit)
    if found is None or (size is not None and len(found) > size):
        least = "more" if found is None else f"at least {len(found)}"
        raise ImpossibleError(f"no set of {counted(size or 0, 'model')} suffices; it takes {least}", proof=None)
    return CondorcetWinningSet(
        members=tuple(signs.models[row] for row in sorted(found)),
        weights=exact_series(weights.tolist(), signs.tasks, "weight"),
        solver=None if len(found) <= CHECKED else solver_name(),
        signs=signs,
    )


def _refuse_no_count(size: object) -> None:
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
        raise InputError(f"size must be an integer of at least 1; got {size!r}")


class _Race(Frozen):
    """Who is ahead of whom, and on how much of the weight.

    Attributes
    ----------
    signs : Signs
        Who leads whom on which task.
    weights : list of int
        One a task.
    total : int
        Their sum.
    wins : ndarray of int, models x models
        The weight on which the row is ahead of the column.
    same : ndarray of bool, models x models
        Which models have the same scores.
    """

    signs: Signs
    weights: list[int]
    total: int
    wins: IntArray
    same: BoolArray

    @classmethod
    def of(cls, signs: Signs, weights: Sequence[Fraction]) -> _Race:
        numerators, _ = common_denominator(weights)
        rows = range(len(signs.models))
        wins = np.array([exact_products(signs.over_all(row) > 0, numerators) for row in rows])
        _, twin = np.unique(signs.places.leading, axis=0, return_inverse=True)
        total, same = sum(numerators), np.asarray(twin.reshape(-1, 1) == twin.reshape(1, -1))
        wins = wins if total < INT64_EXACT // 4 else wins.astype(object)
        return cls(signs=signs, weights=numerators, total=total, wins=wins, same=same)

    def ahead(self, rows: Sequence[int] | AnyArray) -> IntArray:
        """Return on how much of the weight one of these models is ahead of each model."""
        union = np.logical_or.reduce([self.signs.over_all(int(row)) > 0 for row in rows])
        return exact_products(union, self.weights)

    def escaping(self, rows: Sequence[int]) -> IntArray:
        """Return the models that none of these beats on more than half, and that have no member's scores."""
        inside = self.same[:, list(rows)].any(axis=1)
        return np.flatnonzero(~inside & (2 * self.ahead(rows) <= self.total))

    def single(self) -> list[int] | None:
        """Return a model that suffices alone."""
        found = np.flatnonzero(((2 * self.wins > self.total) | self.same).all(axis=1))
        return [int(found[0])] if len(found) else None

    def pair(self) -> list[int] | None:
        """Return two models that suffice together, given that none does alone."""
        first, second = np.triu_indices(len(self.wins), 1)
        # Two models are ahead together on at most the sum of what each is ahead on. Models that are hard to catch come
        # first: they leave few pairs over.
        for model in np.argsort(self.wins.max(axis=0), kind="stable"):
            enough = 2 * (self.wins[first, model] + self.wins[second, model]) > self.total
            enough |= self.same[first, model] | self.same[second, model]
            first, second = first[enough], second[enough]
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return next(([a, b] for a, b in pairs if not len(self.escaping([a, b]))), None)

    def catchers(self, escaped: int, rows: Sequence[int]) -> BoolArray:
        """Return models of which any set that suffices has one, given a model that escapes this one.

        The tasks on which none of these models is ahead have at least half of the weight. As long as that is so, each
        of them may be left out: on one that is left, some member must be ahead, unless it has the model's own scores.
        """
        lead = np.array([self.signs.over_all(row)[escaped] > 0 for row in range(len(self.wins))])
        open_tasks = np.flatnonzero(~lead[list(rows)].any(axis=0))
        spare = 2 * sum(self.weights[task] for task in open_tasks) - self.total
        kept = []
        for task in sorted(open_tasks.tolist(), key=lambda one: -int(lead[:, one].sum())):
            if 2 * self.weights[task] <= spare:
                spare -= 2 * self.weights[task]
            else:
                kept.append(task)
        return np.asarray(lead[:, kept].any(axis=1) | self.same[escaped])


def _larger(race: _Race, time_limit: float | None) -> list[int]:
    """Return the smallest set that suffices, given that no two models do."""

    def refute(chosen: list[int]) -> Rows | None:
        catchers = [race.catchers(int(escaped), chosen) for escaped in race.escaping(chosen)]
        if not catchers:
            return None
        return Rows.from_matrix(np.array(catchers, dtype=np.int8), lower=1, labels=["catch"] * len(catchers))

    three = Rows.from_matrix(np.ones((1, len(race.wins)), dtype=np.int8), lower=3, labels=["no two do"])
    program = smallest_program(race.signs.models, three, "condorcet winning set")
    return smallest(program, refute, time_limit=time_limit)
