"""Duels over a weight space: who beats whom under all, some or no weights, and by how much, exact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd

from weightlab._exact import AnyArray, Number, SignArray, common_denominator, fraction, largest_entry
from weightlab._result import (
    ByName,
    ExactMatrix,
    IntMatrix,
    Record,
    Result,
    Seen,
    SignMatrix,
    ensure,
    exact_series,
)
from weightlab._solver import within
from weightlab._text import counted, number, percent
from weightlab._validate import Faults
from weightlab.data.convert import SignsLike, as_signs
from weightlab.data.linear_rule import MAJORITY, refuse_other_rules
from weightlab.data.signs import Signs
from weightlab.exceptions import InputError, UnknownNameError, UnprovedError
from weightlab.lp.certificate import (
    check_bound,
    check_exact,
    check_point,
    check_table,
    check_weighting,
    leads,
)
from weightlab.lp.certificates.max_margin import Verdict, verdict_at, widest_margin
from weightlab.lp.space.space import Vectors, WeightSpace, signs_and_space

FITS = 2**60
"""Numbers up to here, and their sums with signs, are held by int64."""
CLOSE = 1e-9
"""Float bounds closer than this are compared exactly."""


class PairBounds(Record):
    """The greatest margin of every model over every other, with weights that attain it and vectors that bound it.

    Attributes
    ----------
    greatest : ndarray of Fraction, models x models
        The greatest margin of the row over the column; 0 on the diagonal.
    weights : tuple of tuples of Fraction
        Weightings of the space, one number per task.
    attained : ndarray of int, models x models
        Which of them attains the greatest margin.
    vectors : tuple of tuples of mappings from task to Fraction
        Of each tuple one per condition of the space.
    bounded : ndarray of int, models x models
        Which of them prove that it is the greatest.
    """

    greatest: ExactMatrix
    weights: tuple[tuple[Fraction, ...], ...]
    attained: IntMatrix
    vectors: tuple[Vectors, ...]
    bounded: IntMatrix

    def check(self, signs: Signs, space: WeightSpace) -> None:
        """Ensure, pair by pair, that the weights attain the greatest margin and that the vectors allow no more."""
        self._check_form(len(signs.models))
        for one in self.weights:
            check_point(one, space)
        exact = [common_denominator(one) for one in self.weights]
        points, units = _integers([own for own, _ in exact]), _integers([[unit for _, unit in exact]])[0]
        # What vectors leave to each task and add does not depend on the objective: the largest of a pair's signs plus
        # what is left, with what is added, bounds its margin (`certificate.most`). So one pair's serve many others.
        priced = [common_denominator([*left, right]) for left, right in (_left(one, space) for one in self.vectors)]
        prices = _integers([[*own, scale] for own, scale in priced])
        numerators, denominators = (
            _integers([[getattr(one, part) for one in row] for row in self.greatest.tolist()])
            for part in ("numerator", "denominator")
        )
        for row, model in enumerate(signs.models):
            ensure(self.greatest[row, row] == 0, f"{model!r} cannot lead itself by {self.greatest[row, row]}")
            duels = signs.over_all(row)
            chosen, price = self.attained[row], prices[self.bounded[row]]
            totals = (points[chosen] * duels).sum(axis=1), units[chosen]
            most = (duels * price[:, -1:] + price[:, :-2]).max(axis=1) + price[:, -2]
            for (top, bottom), what in ((totals, "weights make"), ((most, price[:, -1]), "vectors let")):
                wrong = np.asarray(_times(top, denominators[row]) != _times(numerators[row], bottom))
                wrong[row] = False
                if wrong.any():
                    rival = int(wrong.argmax())
                    found, claimed = Fraction(int(top[rival]), int(bottom[rival])), self.greatest[row, rival]
                    lead = f"the {what} {model!r} lead {signs.models[rival]!r} by {found}, not {claimed}"
                    ensure(holds=False, failure=lead)

    def _check_form(self, count: int) -> None:
        square = (count, count)
        shapes = {self.greatest.shape, self.attained.shape, self.bounded.shape}
        ensure(shapes == {square}, "there must be a margin, weights and vectors for each pair of models")
        ensure(
            all(isinstance(one, Fraction) for one in self.greatest.ravel().tolist()), "margins must be exact numbers"
        )
        for known, used in ((self.weights, self.attained), (self.vectors, self.bounded)):
            ensure(used.min() >= 0 and used.max() < len(known), "weights or vectors are named that there are not")


def _left(vectors: Vectors, space: WeightSpace) -> tuple[list[Fraction], Fraction]:
    """Return the coefficients that vectors leave for each task with objective 0, and their constant."""
    ensure(len(vectors) == len(space.conditions), "there must be one vector a condition")
    exact = [value for vector in vectors for value in vector.values()]
    ensure(all(isinstance(value, Fraction) for value in exact), "a vector's entry is not an exact number")
    pairs = zip(space.conditions, vectors, strict=True)
    right = sum((condition.support(vector) for condition, vector in pairs), Fraction(0))
    return [-sum((one.get(task, Fraction(0)) for one in vectors), Fraction(0)) for task in space.tasks], right


def _times(one: AnyArray, other: AnyArray) -> AnyArray:
    """Return products of integers, exact whatever their size."""
    if largest_entry(one) * largest_entry(other) < FITS:
        return np.asarray(one * other)
    return np.asarray(one.astype(object) * other.astype(object))


def pair_bounds(signs: Signs, space: WeightSpace) -> PairBounds:
    """Return the greatest margin of every pair over a space that has weights.

    Without conditions the greatest margin is the greatest sign. Otherwise weightings and vectors found for one
    pair are tried on the others first; a linear program is solved only where they do not meet.
    """
    return _Pool(signs, space).bounds() if space.conditions else _over_all_weights(signs)


def _over_all_weights(signs: Signs) -> PairBounds:
    """Return the bounds without conditions: a margin is greatest at a corner of the simplex, all weight on one task."""
    count, tasks = len(signs.models), len(signs.tasks)
    greatest = np.empty((count, count), dtype=object)
    attained = np.zeros((count, count), dtype=np.int64)
    values = np.array([Fraction(-1), Fraction(0), Fraction(1)], dtype=object)
    for model in range(count):
        duels = signs.over_all(model)
        attained[model] = duels.argmax(axis=1)
        greatest[model] = values[duels.max(axis=1).astype(np.int64) + 1]
        greatest[model, model] = Fraction(0)
    return PairBounds(
        greatest=greatest,
        weights=tuple(tuple(Fraction(one == task) for one in range(tasks)) for task in range(tasks)),
        attained=attained,
        vectors=((),),
        bounded=np.zeros((count, count), dtype=np.int64),
    )


class _Pool:
    """Weightings and vectors met so far; each new pair is tried with all of them."""

    def __init__(self, signs: Signs, space: WeightSpace) -> None:
        self._signs, self._space = signs, space
        self._weights = _Numbered(len(space.tasks))
        self._prices = _Numbered(len(space.tasks) + 1)
        self._vectors: list[Vectors] = []

    def bounds(self) -> PairBounds:
        models, count = self._signs.models, len(self._signs.models)
        greatest = np.full((count, count), Fraction(0), dtype=object)
        attained, bounded = (np.zeros((count, count), dtype=np.int64) for _ in range(2))
        margins: dict[tuple[str, str], Fraction] = {}
        for model in range(count):
            duels = self._signs.over_all(model)
            for rival in (one for one in range(count) if one != model):
                try:
                    value, corner, price = self._settled(duels[rival])
                except UnprovedError as error:
                    error.known |= {"margins": margins, "settled": f"{len(margins)} of {count * (count - 1)} margins"}
                    raise
                greatest[model, rival], attained[model, rival], bounded[model, rival] = value, corner, price
                margins[models[model], models[rival]] = value
        return PairBounds(
            greatest=greatest,
            weights=tuple(self._weights.rows),
            attained=attained,
            vectors=tuple(self._vectors),
            bounded=bounded,
        )

    def _settled(self, duel: SignArray) -> tuple[Fraction, int, int]:
        """Return the greatest total of a row, with the numbers of the weights and vectors that prove it."""
        known, prices = self._weights.floats, self._prices.floats
        # Floats choose the most promising weights and vectors; whether they prove the pair's margin is decided
        # exactly.
        if len(known):
            totals, limits = known @ duel, (duel + prices[:, :-1]).max(axis=1) + prices[:, -1]
            corner, price = int(totals.argmax()), int(limits.argmin())
            if limits[price] - totals[corner] < CLOSE:
                weights, (*left, right) = self._weights.rows[corner], self._prices.rows[price]
                signs = duel.tolist()
                total = sum((sign * one for sign, one in zip(signs, weights, strict=True) if one), Fraction(0))
                # Weak duality with equality: the weights attain what by the vectors none exceed.
                if total == max(sign + one for sign, one in zip(signs, left, strict=True)) + right:
                    return total, corner, price
        found = widest_margin(duel[None, :], ["duel"], self._space)
        return found.upper, self._weights.number(found.weights), self._price(found.vectors)

    def _price(self, vectors: Vectors) -> int:
        left, right = _left(vectors, self._space)
        number = self._prices.number((*left, right))
        if number == len(self._vectors):
            self._vectors.append(vectors)
        return number


class _Numbered:
    """Rows of fractions, each kept once, with their floats."""

    def __init__(self, width: int) -> None:
        self.rows: list[tuple[Fraction, ...]] = []
        self.floats = np.empty((0, width))
        self._numbers: dict[tuple[Fraction, ...], int] = {}

    def number(self, row: tuple[Fraction, ...]) -> int:
        """Return the number of a row, a new one if it was not met before."""
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
            self.floats = np.vstack([self.floats, [float(value) for value in row]])
        return self._numbers[row]


def _integers(rows: Sequence[Sequence[int]]) -> AnyArray:
    fits = all(sum(map(abs, row)) < FITS for row in rows)
    return np.array(rows, dtype=np.int64 if fits else object)


class Outcome(StrEnum):
    """How a head-to-head can end under the weights of a space, seen from its first model."""

    ALWAYS_WINS = "always wins"
    NEVER_LOSES = "never loses"
    ALWAYS_TIES = "always ties"
    EITHER = "either wins"
    NEVER_WINS = "never wins"
    ALWAYS_LOSES = "always loses"

    @classmethod
    def between(cls, least: Fraction, greatest: Fraction) -> Outcome:
        """Return the outcome for margins from ``least`` to ``greatest``."""
        if least > 0:
            return cls.ALWAYS_WINS
        if greatest < 0:
            return cls.ALWAYS_LOSES
        if least == 0:
            return cls.NEVER_LOSES if greatest else cls.ALWAYS_TIES
        return cls.EITHER if greatest else cls.NEVER_WINS


class Duels(Result, kind="duels"):
    """For every pair of models the least and the greatest margin over the weights of a space.

    Attributes
    ----------
    signs : Signs
        The table's signs.
    space : WeightSpace
        The weights that were allowed.
    bounds : PairBounds
        The greatest margin of every model over every other, with the weights that attain it and the vectors that
        prove it greatest; the least margin follows from the other one's greatest.
    """

    signs: Signs
    space: WeightSpace
    bounds: PairBounds

    @property
    def models(self) -> tuple[str, ...]:
        """All models, in board order."""
        return self.signs.models

    @property
    def greatest(self) -> pd.DataFrame:
        """The greatest margin of the row over the column (Fractions, shares of total weight; 0 on the diagonal)."""
        return self._square(self.bounds.greatest)

    @property
    def least(self) -> pd.DataFrame:
        """The least margin of the row over the column."""
        return self._square(-self.bounds.greatest.T)

    def _square(self, values: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=list(self.models), columns=list(self.models))

    def margins(self, model: str, rival: str) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest margin of one model over another.

        Raises
        ------
        UnknownNameError
            If there is no such model.
        """
        row, column = self._pair(model, rival)
        return -self.bounds.greatest[column, row], self.bounds.greatest[row, column]

    def outcome(self, model: str, rival: str) -> Outcome:
        """Return the outcome of one model against another."""
        return Outcome.between(*self.margins(model, rival))

    def weights(self, model: str, rival: str) -> pd.Series:
        """Return weights under which one model's margin over another is the greatest."""
        row, column = self._pair(model, rival)
        return exact_series(self.bounds.weights[self.bounds.attained[row, column]], self.signs.tasks, "weight")

    def _pair(self, model: str, rival: str) -> tuple[int, int]:
        row, column = self.signs.position(model), self.signs.position(rival)
        if row == column:
            raise InputError(f"{model!r} has no head-to-head with itself")
        return row, column

    @property
    def under_some(self) -> pd.DataFrame:
        """Whether the row beats the column under some weights of the space."""
        return self._square((self.bounds.greatest > 0).astype(np.bool_))

    @property
    def necessary_winners(self) -> tuple[str, ...]:
        """The model that beats every rival under all weights, if there is one."""
        always = (self.bounds.greatest.T < 0).sum(axis=1) == len(self.models) - 1
        return tuple(model for model, one in zip(self.models, always.tolist(), strict=True) if one)

    def counts(self) -> dict[Outcome, int]:
        """Return how many pairs have each outcome; a win or a loss of the first model is counted as a win."""
        above = np.triu_indices(len(self.models), 1)
        least, greatest = -self.bounds.greatest.T[above], self.bounds.greatest[above]
        mirrored = {Outcome.ALWAYS_LOSES: Outcome.ALWAYS_WINS, Outcome.NEVER_WINS: Outcome.NEVER_LOSES}
        found = [Outcome.between(*pair) for pair in zip(least.tolist(), greatest.tolist(), strict=True)]
        kinds = [mirrored.get(one, one) for one in found]
        return {kind: kinds.count(kind) for kind in Outcome if kind not in mirrored}

    def __str__(self) -> str:
        """Count the outcomes in one sentence; another one names the conditions, if there are any."""
        counts = self.counts()
        total = sum(counts.values())
        fixed, loose = counts[Outcome.ALWAYS_WINS], counts[Outcome.EITHER]
        one_way = counts[Outcome.NEVER_LOSES]
        parts = [f"{fixed} have the same winner under all weights", f"{loose} can go either way"]
        parts += [f"{one_way} can be won by one side alone or tied"] if one_way else []
        parts += [f"{counts[Outcome.ALWAYS_TIES]} always tied"] if counts[Outcome.ALWAYS_TIES] else []
        winner = "".join(f" {model} beats every rival under all weights." for model in self.necessary_winners)
        return f"Of {counted(total, 'head-to-head')} {', '.join(parts)}.{winner}{self.space.conditions_sentence}"

    def to_frame(self) -> pd.DataFrame:
        """Return the least and greatest margin of each pair, and in words how its head-to-head can end."""
        rows, columns = np.triu_indices(len(self.models), 1)
        least, greatest = -self.bounds.greatest[columns, rows], self.bounds.greatest[rows, columns]
        names = [(self.models[row], self.models[column]) for row, column in zip(rows, columns, strict=True)]
        outcomes = [str(Outcome.between(*pair)) for pair in zip(least.tolist(), greatest.tolist(), strict=True)]
        table = {"least": least, "greatest": greatest, "outcome": outcomes}
        return pd.DataFrame(table, index=pd.MultiIndex.from_tuples(names, names=["model", "rival"]))

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check every least and greatest margin in exact arithmetic, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; its signs must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first pair and inequality that fail.
        """
        check_table(self.signs, self.space, source)
        self.bounds.check(self.signs, self.space)
        return True


def duels(
    board: SignsLike,
    *,
    space: WeightSpace | None = None,
    rule: object = MAJORITY,
    time_limit: float | None = None,
) -> Duels:
    """Find for every pair of models who beats whom by majority under all, some or no weights.

    It is about majorities between pairs. By another rule `rank_ranges` says between which ranks each model is.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    space : WeightSpace, optional
        Allowed weights; by default all that are not negative and sum to 1.
    rule : "majority"
        Every other rule is refused, with the question that answers by it.
    time_limit : float, optional
        Seconds for all programs.

    Returns
    -------
    Duels
        With the least and greatest margin of every pair, exact.

    Raises
    ------
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`; ``known["margins"]`` has the greatest margins found, by pair.

    Notes
    -----
    Without conditions the margin of a pair lies between its least and its greatest sign: O(models^2 x tasks), no
    program. With conditions, each of the models x (models - 1) greatest margins is a linear program; the weights and
    vectors of those already solved settle most of the others, exactly, and are carried once for all of them.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 1, "c": 2}})
    >>> found = wl.lp.duels(board)
    >>> print(found)
    Of 3 head-to-heads 2 have the same winner under all weights, 1 can go either way. \
a beats every rival under all weights.
    >>> found.outcome("b", "c")
    <Outcome.EITHER: 'either wins'>
    """
    refuse_other_rules("duels are between two models", rule, "lp.rank_ranges")
    signs, allowed = signs_and_space(board, space)
    with within(time_limit):
        bounds = pair_bounds(signs, allowed)
    return Duels(signs=signs, space=allowed, bounds=bounds).verified()


# Weights under which given head-to-heads are all won, or the proof that no weights do this.


SHOWN = 4
"""Number of head-to-heads named in a sentence."""


class Realisation(Result, kind="realisation"):
    """Whether some weights make all given head-to-heads come out as wanted, with weights or a proof that no weights do.

    Attributes
    ----------
    duels : tuple of (str, str)
        Who is to beat whom.
    wanted : Fraction
        The lead required in each of them; 0 means any lead.
    margin : Fraction
        The largest t such that some weights give every one of these leads t or more.
    weights : Series of Fraction by task
        Weights that do.
    blockers : tuple of Fraction
        One per head-to-head, summing to 1: over this mixture of them no weights lead by more than ``margin``.
    vectors : tuple of mappings from task to Fraction
        One per condition of the space, for that proof; empty without conditions.
    signs : ndarray of int8, duels x tasks
        The signs of each wanted winner over its rival.
    space : WeightSpace
        The weights that were allowed.
    """

    derived = ("verdict",)

    duels: tuple[tuple[str, str], ...]
    wanted: Fraction
    margin: Fraction
    weights: Seen[pd.Series] = ByName("space.tasks")
    blockers: tuple[Fraction, ...]
    vectors: Vectors
    signs: SignMatrix
    space: WeightSpace

    @property
    def verdict(self) -> Verdict:
        """``strict`` (all head-to-heads can be won at once), ``weak`` (none lost, at best), or ``never``."""
        return verdict_at(self.margin)

    @property
    def holds(self) -> bool:
        """Whether ``weights`` give every head-to-head the lead that was wanted."""
        return self.margin > 0 and self.margin >= self.wanted

    @property
    def leads(self) -> pd.Series:
        """The exact lead in each head-to-head under ``weights``."""
        return self._by_duel(leads(self.signs, self.weights.tolist()), "lead")

    @property
    def shares(self) -> pd.Series:
        """The blockers by head-to-head."""
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
        """Return the lead in each head-to-head under ``weights``, and the share of each in the mixture."""
        return pd.DataFrame({"lead": self.leads, "blocker": self.shares})

    def verify(self, source: SignsLike | None = None) -> bool:
        """Re-check in exact arithmetic that the weights reach the margin and that none reach more, without a solver.

        Parameters
        ----------
        source : Leaderboard, Profile or Signs, optional
            The table; the signs of these head-to-heads must be those that the result carries.

        Raises
        ------
        ProofError
            Naming the first inequality that fails.
        """
        ensure(self.duels and len(set(self.duels)) == len(self.duels), "the head-to-heads must be distinct, and some")
        for upper, lower in self.duels:
            ensure(upper != lower, f"{upper!r} is to beat itself")
        ensure(self.signs.shape == (len(self.duels), len(self.space.tasks)), "the signs do not fit the pairs and tasks")
        small = self.signs.dtype.kind == "i" and -1 <= self.signs.min() <= self.signs.max() <= 1
        ensure(small, "signs must be -1, 0 or 1")
        check_exact(margin=self.margin, wanted=self.wanted)
        ensure(self.wanted >= 0, f"a lead of {self.wanted} is not a win")
        if source is not None:
            self._verify_source(as_signs(source))
        check_weighting(self.weights, self.space)
        least = min(self.leads)
        ensure(least == self.margin, f"the smallest lead is {least}, not {self.margin}")
        ensure(len(self.blockers) == len(self.duels), "there must be one blocker per head-to-head")
        numbered = {str(number): share for number, share in enumerate(self.blockers)}
        check_bound(self.signs, list(numbered), numbered, self.vectors, self.space, bound=self.margin)
        return True

    def _verify_source(self, table: Signs) -> None:
        ensure(set(table.tasks) == set(self.space.tasks), "the source has different tasks")
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
    rule: object = MAJORITY,
    time_limit: float | None = None,
) -> Realisation:
    """Find weights under which given head-to-heads are all won by majority, or prove that no weights do so.

    It is about majorities between pairs. By another rule `WeightSpace.prefers` keeps the weights under which one model
    is not behind another one, and an empty space is refused with a proof.

    Parameters
    ----------
    board : Leaderboard, Profile or Signs
        The table; its weights play no part. Missing scores count as ties.
    duels : iterable of (str, str)
        Pairs, first to beat second: one, the adjacent pairs of a ranking, a partial order, or a cycle. Pairs given
        twice count once; contradictory ones get a proof.
    space : WeightSpace, optional
        Allowed weights.
    margin : number
        The lead wanted in each head-to-head, as a share of total weight; not negative, and 0 for any lead.
    rule : "majority"
        Every other rule is refused, with the question that answers by it.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Realisation
        Also when no weights do it: then its ``blockers`` say which head-to-heads exclude each other.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    InputError
        If there are no head-to-heads, one is not a pair of names or repeats a model, or the margin is negative.
    EmptySpaceError, UnprovedError, TimeLimitError
        As for `prospect`.

    Notes
    -----
    One linear program: the largest t with a lead of at least t in every head-to-head. Its multipliers are a mixture of
    the head-to-heads in which no weights lead by more.

    Examples
    --------
    >>> import weightlab as wl
    >>> board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    >>> print(wl.lp.realise(board, [("b", "a"), ("b", "c")]))
    No weights make 2 head-to-heads (b over a, b over c) come out as wanted: the lead in 1/2 of b over a + 1/2 \
of b over c is never above 0%.
    """
    refuse_other_rules("duels are between two models", rule, "WeightSpace.prefers")
    signs, allowed = signs_and_space(board, space)
    pairs = _checked(duels, signs)
    least = fraction(margin)
    if least < 0:
        raise InputError(f"margin must not be negative, since a model that trails does not win; got {least}")
    rows = _rows(signs, pairs)
    numbers = [str(number) for number in range(len(pairs))]
    found = widest_margin(rows, numbers, allowed, time_limit=time_limit)
    return Realisation(
        duels=pairs,
        wanted=least,
        margin=found.upper,
        weights=exact_series(found.weights, allowed.tasks, "weight"),
        blockers=found.blockers,
        vectors=found.vectors,
        signs=rows,
        space=allowed,
    ).verified()


def _checked(duels: Iterable[Any], signs: Signs) -> tuple[tuple[str, str], ...]:
    if isinstance(duels, str) or not isinstance(duels, Iterable):
        raise InputError(f"duels are pairs of names, such as [('a', 'b')]; got {duels!r}")
    faults, pairs = Faults(), []
    for duel in duels:
        if isinstance(duel, str) or not isinstance(duel, Sequence) or len(duel) != 2:
            faults.add(f"expected a pair of names (who is to beat whom); got {duel!r}")
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
