"""Realising duels: weights under which given duels are all won, or the proof that none do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import Number, SignArray, fraction
from weightlab._result import Result, SignMatrix, ensure, exact_series
from weightlab._text import counted, number, percent
from weightlab._validate import Faults
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError
from weightlab.lp.certificates.dual import check_bound, check_exact, check_weighting, leads
from weightlab.lp.certificates.max_margin import Verdict, verdict_at, widest_margin
from weightlab.lp.space.space import Multipliers, TaskShares, WeightSpace, signs_and_space

SHOWN = 4
"""So many duels are named in a sentence."""


class Realisation(Result, kind="realisation"):
    """Whether some weights make given duels all come out as wanted, with the weights or with what rules them out.

    Attributes
    ----------
    duels : tuple of (str, str)
        Who is to beat whom.
    wanted : Fraction
        The lead that was asked for in each of them; 0 means any lead.
    margin : Fraction
        The largest t such that some weights give every one of these leads t or more.
    weights : Series of Fraction by task
        Weights that do.
    blockers : tuple of Fraction
        One a duel, summing to 1: over this mixture of the duels no weights lead by more than ``margin``.
    multipliers : Series of Fraction by row name
        Multipliers of the rows of the space that take part in that proof; empty without conditions.
    signs : ndarray of int8, duels x tasks
        The signs of each wanted winner over its rival.
    space : WeightSpace
        The weights that were allowed.
    """

    derived = ("verdict",)

    duels: tuple[tuple[str, str], ...]
    wanted: Fraction
    margin: Fraction
    weights: TaskShares
    blockers: tuple[Fraction, ...]
    multipliers: Multipliers
    signs: SignMatrix
    space: WeightSpace

    @property
    def verdict(self) -> Verdict:
        """``strict`` (all duels can be won at once), ``weak`` (none lost, at best), or ``never``."""
        return verdict_at(self.margin)

    @property
    def holds(self) -> bool:
        """Whether ``weights`` give every duel the lead that was wanted."""
        return self.margin > 0 and self.margin >= self.wanted

    @property
    def leads(self) -> pd.Series:
        """The exact lead in each duel under ``weights``."""
        return self._by_duel(leads(self.signs, self.weights.tolist()), "lead")

    @property
    def shares(self) -> pd.Series:
        """The blockers by duel."""
        return self._by_duel(self.blockers, "blocker")

    def _by_duel(self, values: Sequence[Fraction], name: str) -> pd.Series:
        index = pd.MultiIndex.from_tuples(self.duels, names=["model", "rival"])
        return pd.Series(list(values), index=index, dtype=object, name=name)

    def __str__(self) -> str:
        """Say the answer in one sentence; another one names the conditions, if there are any."""
        return self._sentence() + self.space.conditions_sentence

    def _sentence(self) -> str:
        many = counted(len(self.duels), "head-to-head")
        named = f"{many} ({_words(self.duels)})"
        if self.holds:
            lead = percent(self.margin, floor)
            return f"Some weights make {named} come out as wanted, each by a lead of up to {lead} of the weight."
        mixed = [(duel, share) for duel, share in zip(self.duels, self.blockers, strict=True) if share]
        terms = [
            f"{upper} over {lower}" if share == 1 else f"{number(share)} of {upper} over {lower}"
            for (upper, lower), share in mixed[:SHOWN]
        ]
        over = " + ".join(terms) + (f" + {len(mixed) - SHOWN} more" if len(mixed) > SHOWN else "")
        leading = f" with leads of {percent(self.wanted)}" if self.wanted else ""
        most = percent(self.margin, ceil)
        return f"No weights make {named} come out as wanted{leading}: the lead in {over} is never above {most}."

    def to_frame(self) -> pd.DataFrame:
        """Return the lead in each duel under ``weights``, and the share of each in the mixture."""
        return pd.DataFrame({"lead": self.leads, "blocker": self.shares})

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check in exact arithmetic that the weights reach the margin and that none reach more, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; the signs of these duels must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        ensure(self.duels and len(set(self.duels)) == len(self.duels), "the duels must be some, and distinct")
        for upper, lower in self.duels:
            ensure(upper != lower, f"{upper!r} is to beat itself")
        ensure(self.signs.shape == (len(self.duels), len(self.space.tasks)), "the signs do not fit the duels and tasks")
        small = self.signs.dtype.kind == "i" and -1 <= self.signs.min() <= self.signs.max() <= 1
        ensure(small, "signs must be -1, 0 or 1")
        check_exact(margin=self.margin, wanted=self.wanted)
        ensure(self.wanted >= 0, f"a lead of {self.wanted} is no win")
        if source is not None:
            self._verify_source(as_signs(source))
        check_weighting(self.weights, self.space)
        least = min(self.leads)
        ensure(least == self.margin, f"the smallest lead is {least}, not {self.margin}")
        ensure(len(self.blockers) == len(self.duels), "there must be one blocker a duel")
        numbered = {str(number): share for number, share in enumerate(self.blockers)}
        check_bound(self.signs, list(numbered), numbered, self.multipliers, self.space, bound=self.margin)
        return True

    def _verify_source(self, table: Signs) -> None:
        ensure(set(table.tasks) == set(self.space.tasks), "the source has other tasks")
        ensure({name for duel in self.duels for name in duel} <= set(table.models), "the source lacks a model")
        columns = [table.tasks.index(task) for task in self.space.tasks]
        own = _rows(table, self.duels)[:, columns]
        wrong = np.argwhere(own != self.signs)
        if len(wrong):
            row, column = wrong[0].tolist()
            (upper, lower), task = self.duels[row], self.space.tasks[column]
            failure = f"the sign of {upper!r} over {lower!r} on {task!r} is {own[row, column]} in the source"
            ensure(holds=False, failure=failure)


def realise(
    board: SignsLike,
    duels: Iterable[Sequence[str]],
    *,
    space: WeightSpace | None = None,
    margin: Number = 0,
    time_limit: float | None = None,
) -> Realisation:
    """Find weights under which given duels are all won, or prove that there are none.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    duels : iterable of (str, str)
        Who is to beat whom: one duel, the neighbours of a ranking, a partial order, or a cycle. Those named twice
        count once; duels that contradict each other are proved to.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        The lead wanted in each duel, as a share of total weight; not negative, and 0 for any lead.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Realisation
        Also when no weights do it: then its ``blockers`` say which duels exclude each other.

    Raises
    ------
    UnknownNameError
        If a name is no model's.
    InputError
        If there are no duels, one is no pair of names or is of a model with itself, or the margin is negative.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    One linear program: the largest t with a lead of at least t in every duel. Its multipliers are a mixture of the
    duels in which no weights lead by more.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> print(wl.lp.realise(board, [("b", "a"), ("b", "c")]))
    No weights make 2 head-to-heads (b over a, b over c) come out as wanted: the lead in 1/2 of b over a + 1/2 \
of b over c is never above 0%.
    """
    signs, allowed = signs_and_space(board, space)
    pairs = _checked(duels, signs)
    least = fraction(margin)
    if least < 0:
        raise InputError(f"margin must not be negative, since whoever trails does not win; got {least}")
    rows = _rows(signs, pairs)
    numbers = [str(number) for number in range(len(pairs))]
    found = widest_margin(rows, numbers, allowed, time_limit=time_limit)
    return Realisation(
        duels=pairs,
        wanted=least,
        margin=found.upper,
        weights=exact_series(found.weights, allowed.tasks, "weight"),
        blockers=found.blockers,
        multipliers=exact_series(found.multipliers, allowed.row_names, "multiplier"),
        signs=rows,
        space=allowed,
    ).verified()


def _checked(duels: Iterable[Any], signs: Signs) -> tuple[tuple[str, str], ...]:
    if isinstance(duels, str) or not isinstance(duels, Iterable):
        raise InputError(f"duels are pairs of names, such as [('a', 'b')]; got {duels!r}")
    faults, pairs = Faults(), []
    for duel in duels:
        if isinstance(duel, str) or not isinstance(duel, Sequence) or len(duel) != 2:
            faults.add(f"a duel is a pair of names (who is to beat whom); got {duel!r}")
            continue
        for name in duel:
            if str(name) not in signs.models:
                raise UnknownNameError("model", name, signs.models)
        if str(duel[0]) == str(duel[1]):
            faults.add(f"{duel[0]!r} cannot beat itself")
        pairs.append((str(duel[0]), str(duel[1])))
    if not pairs and not faults:
        faults.add("at least one duel is needed")
    faults.raise_if_any()
    return tuple(dict.fromkeys(pairs))


def _rows(signs: Signs, duels: Sequence[tuple[str, str]]) -> SignArray:
    """Return the signs of each first model over the second, duels x tasks."""
    rows = np.empty((len(duels), len(signs.tasks)), dtype=np.int8)
    by_model: dict[str, SignArray] = {}
    for place, (upper, lower) in enumerate(duels):
        if upper not in by_model:
            by_model[upper] = signs.over_all(signs.position(upper))
        rows[place] = by_model[upper][signs.position(lower)]
    return rows


def _words(duels: Sequence[tuple[str, str]]) -> str:
    some = ", ".join(f"{upper} over {lower}" for upper, lower in duels[:SHOWN])
    return some + (", ..." if len(duels) > SHOWN else "")
