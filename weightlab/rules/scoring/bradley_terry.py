"""Bradley-Terry strengths by maximum likelihood: whether they exist, what they are, and who is proved the stronger."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weightlab._cures import Cure, Fault
from weightlab._exact import AnyArray, BoolArray, FloatArray
from weightlab._result import Frozen, Result, ensure
from weightlab._text import first_few
from weightlab.data import Margins
from weightlab.data.components import strong_components
from weightlab.exceptions import ImpossibleError, UnprovedError
from weightlab.graph.majority_graph import check_margins
from weightlab.rules.outcome import Outcome, tied_groups


class NoEstimate(Result, kind="no_bradley_terry_estimate"):
    """The models fall into two parts, and one never scores against the other, so no strengths are most likely.

    Attributes
    ----------
    ahead : tuple of str
        Models against which none of the others ever wins or ties a task, in board order.
    margins : Margins
        The duels.
    """

    ahead: tuple[str, ...]
    margins: Margins

    def __str__(self) -> str:
        """Return the missing part."""
        rest = [model for model in self.margins.models if model not in self.ahead]
        return (
            f"Bradley-Terry strengths do not exist: nowhere does {_any_of(rest)} win or tie "
            f"against {_any_of(self.ahead)}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return for each model whether it is in the part that is never scored against."""
        models = list(self.margins.models)
        return pd.DataFrame({"ahead": [model in self.ahead for model in models]}, index=models)

    def verify(self, source: Any = None) -> bool:
        """Re-check that the two parts are not empty and that one never scores against the other."""
        check_margins(self.margins, source)
        inside = np.array([model in self.ahead for model in self.margins.models], dtype=np.bool_)
        ensure(inside.any() and not inside.all(), "one of the two parts is empty")
        ensure(int(inside.sum()) == len(self.ahead), "a model listed as ahead is unknown or named twice")
        scored = self.margins.wins + self.margins.ties > 0
        ensure(not scored[np.ix_(~inside, inside)].any(), "a model behind wins or ties a task against one ahead")
        return True


def bradley_terry(margins: Margins) -> Outcome:
    """Score each model with its maximum-likelihood strength; a tied task is half a win for either side.

    The strengths sum to 1. Who is the stronger is decided exactly: two models that meet all others equally often
    stand as their weights of wins do, strengths that differ are enclosed between fractions until they part, and equal
    ones are proved equal.
    """
    duels = Meetings.of(margins)
    _refuse_split(margins, duels)
    logarithms = maximum_likelihood(duels)
    if duels.round_robin:
        order = tied_groups({place: -total for place, total in enumerate(duels.totals)})
    else:
        order = _Comparison(duels, logarithms, margins.models).order()
    shares = np.exp(logarithms - logarithms.max())
    shares /= shares.sum()
    scores = [0.0] * len(shares)
    ceiling = math.inf
    for group in order:
        ceiling = min(ceiling, *(float(shares[place]) for place in group))
        for place in group:
            scores[place] = ceiling
    return Outcome(order=order, scores=tuple(scores))


def fitted(margins: Margins) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of the most likely strengths, and the chance that the row beats the column by them.

    Raises
    ------
    ImpossibleError, UnprovedError
        If there are no such strengths, or floats do not find them.
    """
    duels = Meetings.of(margins)
    _refuse_split(margins, duels)
    logarithms = maximum_likelihood(duels)
    return logarithms, _chance(np.exp(logarithms - (logarithms.max() + logarithms.min()) / 2))


def round_robin_points(margins: Margins) -> AnyArray | None:
    """Return twice the points of each model where strengths are known to exist and to stand as points do, or None.

    They do where all pairs meet equally often (Ford 1957): no strength need be worked out to know the order.
    """
    duels = Meetings.of(margins)
    known = duels.round_robin and strong_components(duels.wins > 0)[0] == 1
    return duels.wins.sum(axis=1) if known else None


def _refuse_split(margins: Margins, duels: Meetings) -> None:
    """Raise ImpossibleError unless every model scores against every other, at least by way of third models."""
    scored: BoolArray = duels.wins > 0
    # A maximum exists exactly if the relation "scores against" is strongly connected (Ford 1957): otherwise the
    # strengths of one part can grow without end.
    parts, part = strong_components(scored)
    if parts == 1:
        return
    for one in range(parts):
        inside = part == one
        if not scored[np.ix_(~inside, inside)].any():
            ahead = tuple(model for model, chosen in zip(margins.models, inside.tolist(), strict=True) if chosen)
            proof = NoEstimate(ahead=ahead, margins=margins)
            raise ImpossibleError(_with_the_rest(str(proof), margins, part), proof=proof)
    raise AssertionError("a part that no other scores against")  # pragma: no cover - parts form no cycle


def _with_the_rest(message: str, margins: Margins, part: AnyArray) -> str:
    """Return the error, with the strengths of the largest part whose models score against one another."""
    kept = [margins.models[place] for place in np.flatnonzero(part == np.bincount(part).argmax())]
    if len(kept) < 2:
        return message
    outcome = bradley_terry(margins.select(kept))
    listed = [f"{kept[place]} {outcome.scores[place]:.3g}" for group in outcome.order for place in group]
    lacking = len(margins.models) - len(kept)
    these = f"these {len(kept)} models" if len(kept) > 5 else first_few(kept)
    cure = Cure(".select", {"models": kept}, f"({these}, without {lacking}, have strengths: {first_few(listed)})")
    return Fault(message, cure)


def _any_of(models: Sequence[str]) -> str:
    return models[0] if len(models) == 1 else f"any of {first_few(models, 3)}"


class _Comparison:
    """Who is stronger than whom, exactly; enclosures are worked out when first asked for."""

    def __init__(self, duels: Meetings, logarithms: FloatArray, models: Sequence[str]) -> None:
        self.duels, self.logarithms, self.models = duels, logarithms, models

    def order(self) -> tuple[tuple[int, ...], ...]:
        # What floats have put in order is compared pair by pair down the list, and no further.
        nearly = np.argsort(-self.logarithms, kind="stable").tolist()
        places = sorted(nearly, key=functools.cmp_to_key(self.compare), reverse=True)
        groups: list[list[int]] = []
        for place in places:
            if groups and self.compare(groups[-1][-1], place) == 0:
                groups[-1].append(place)
            else:
                groups.append([place])
        cells = tuple(tuple(sorted(group)) for group in groups)
        for cell in cells:
            self._ensure_equal(cell, cells)
        return cells

    def compare(self, one: int, other: int) -> int:
        """Return the sign of a difference of strengths; 0 where it is not known to differ."""
        if self._meet_alike(one, other):
            first, second = self.duels.totals[one], self.duels.totals[other]
            return (first > second) - (first < second)
        return _parted(self._in_floats, one, other) or _parted(self._in_integers, one, other)

    @functools.cached_property
    def _in_floats(self) -> Enclosure:
        return float_enclosure(self.duels, self.logarithms)

    @functools.cached_property
    def _in_integers(self) -> Enclosure:
        return enclosure(self.duels, self.logarithms)

    def _meet_alike(self, one: int, other: int) -> bool:
        """Return whether two models meet each third model equally often: the stronger is then who scores more."""
        differ = np.flatnonzero(self.duels.meetings[one] != self.duels.meetings[other])
        return set(differ.tolist()) <= {one, other}

    def _ensure_equal(self, cell: Sequence[int], cells: Sequence[Sequence[int]]) -> None:
        """Raise UnprovedError unless the models of a cell are proved equally strong.

        Strengths that are constant on the cells satisfy all equations of a cell at once if these are multiples of one
        equation: meetings with the other cells, and points beyond half of the meetings inside, in the same proportions.
        Since the strengths are unique, they then are constant.
        """
        if len(cell) == 1 or all(self._meet_alike(cell[0], other) for other in cell[1:]):
            return
        equations = [self._equation(place, cell, cells) for place in cell]
        leader = max(equations, key=lambda equation: sum(equation[:-1]))
        total = sum(leader[:-1])
        for equation in equations:
            scale = Fraction(sum(equation[:-1]), total) if total else Fraction(0)
            if any(value != scale * expected for value, expected in zip(equation, leader, strict=True)):
                names = ", ".join(self.models[place] for place in cell)
                raise UnprovedError(f"Bradley-Terry strengths too near to tell whether they tie: {names}")

    def _equation(self, place: int, cell: Sequence[int], cells: Sequence[Sequence[int]]) -> list[int]:
        meetings = self.duels.meetings[place]
        outside = [sum(meetings[list(other)].tolist()) for other in cells if other is not cell]
        inside = sum(meetings[list(cell)].tolist())
        return [*outside, 2 * int(self.duels.totals[place]) - inside]


def _parted(bounds: Enclosure, one: int, other: int) -> int:
    low, high = bounds
    return int(low[one] > high[other]) - int(high[one] < low[other])


# The Bradley-Terry likelihood: its maximum in floats, and integers that enclose each strength.
#
# Strengths p are most likely when each model scores what they expect: sum over j of n_ij p_i / (p_i + p_j) = s_i,
# where n_ij counts the meetings and s_i the points of i. Let F_i be the left side minus the right. If a_r = p_r for one
# model r and F_i(a) <= 0 for all others, then a <= p: otherwise take the models at which a / p is greatest; r is not
# among them, one of them has met a model that is not, and that one expects more points from a than from p. In the same
# way F_i(b) >= 0 gives b >= p.

Enclosure: TypeAlias = tuple[Sequence[float], Sequence[float]]
"""What lies below and above each strength, integers or floats."""
BITS = 320
"""Binary places of strengths and expected points."""
WIDTHS = (120, 90, 60, 40)
"""Enclosures of relative width 2 ** -120 are tried first, then wider ones."""
FLOAT_WIDTH = 2.0**-32
"""Relative width of an enclosure in floats, far beyond the rounding of its sums."""
STEPS = 200
"""Newton's method needs a handful of steps; more than this number means that floats do not suffice."""
MANY_MODELS = 300
"""Above this number of models, conjugate gradients find a step sooner than elimination does."""
TOO_FAR = "the Bradley-Terry strengths are too far apart for floats to find them"


class Meetings(Frozen):
    """Points and meetings, doubled so that half a win is whole.

    Attributes
    ----------
    wins : ndarray of int, models x models
        Twice the weight of the wins of the row over the column, and the weight of their ties once.
    meetings : ndarray of int, models x models
        Twice the weight of the tasks on which both have a score.
    totals : list of int
        Points of each model: row sums of ``wins``.
    """

    wins: NDArray[Any]
    meetings: NDArray[Any]
    totals: list[int]

    @classmethod
    def of(cls, margins: Margins) -> Meetings:
        """Return the meetings behind margins."""
        largest = int(margins.wins.max(initial=0)) + int(margins.ties.max(initial=0))
        dtype = np.dtype(np.int64 if 8 * largest * len(margins.models) < 2**62 else object)
        wins = 2 * margins.wins.astype(dtype) + margins.ties.astype(dtype)
        return cls(wins=wins, meetings=wins + wins.T, totals=[int(total) for total in wins.sum(axis=1)])

    @functools.cached_property
    def round_robin(self) -> bool:
        """Whether all pairs meet equally often, as on complete tables: strengths then stand as points do."""
        meetings, count = self.meetings, len(self.totals)
        return count < 2 or bool(np.count_nonzero(meetings == meetings[0, 1]) == count * (count - 1))


def maximum_likelihood(duels: Meetings) -> FloatArray:
    """Return the logarithms of the most likely strengths, by damped Newton steps from a near guess.

    Notes
    -----
    The likelihood is strictly concave once one logarithm is held fixed. Along a step d each of its second derivatives
    grows at most by exp(t b), b being the range of d, so that it rises most surely at t = log(1 + b) / b: no height
    need be compared (Sun and Tran-Dinh, "Generalized self-concordant functions", Mathematical Programming 178, 2019).
    O(models^3) a step, O(models^2) times few where conjugate gradients do; some four steps where all meet alike.

    Raises
    ------
    UnprovedError
        If floats do not get there.
    """
    meetings, totals = _as_floats(duels.meetings), _as_floats(np.array(duels.totals))
    largest = meetings.max() or 1.0  # one model meets no other
    meetings, totals = meetings / largest, totals / largest
    logarithms = _first_guess(meetings, totals)
    for _ in range(STEPS):
        expected, laplacian = _expected(meetings, logarithms)
        step = _solved(laplacian, expected - totals)
        reach = float(np.ptp(step))
        logarithms = logarithms - step * (math.log1p(reach) / reach if reach > 1e-3 else 1.0)
        if reach < 1e-8:
            # Convergence is quadratic: after this step nothing is left that floats could see.
            return np.asarray(logarithms)
    raise UnprovedError(TOO_FAR)


def _first_guess(meetings: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the logarithms that explain each model's share of points, were all it met normally distributed."""
    share = np.clip(totals / np.maximum(meetings.sum(axis=1), 1e-300), 1e-6, 1 - 1e-6)
    odds = np.log(share / (1 - share))
    # E logistic(x - N(0, v)) is about logistic(x / sqrt(1 + 0.346 v)).
    return np.asarray(odds / math.sqrt(1 - min(0.346 * float(odds.var()), 0.75)))


def float_enclosure(duels: Meetings, logarithms: FloatArray) -> Enclosure:
    """Return floats that enclose each model's strength, proved in floats; 0 and infinity where that fails.

    Notes
    -----
    O(models^2). A term n a / (a + b) is rounded three times and their sum at most once a term, all being positive, so
    that the sum is within (models + 10) units of the last place of the true one.
    """
    meetings, totals = _as_floats(duels.meetings), _as_floats(np.array(duels.totals))
    reference, slack = int(np.argmax(logarithms)), (len(totals) + 10) * 2.0**-52
    spread = FLOAT_WIDTH * _solved(_expected(meetings, logarithms)[1], meetings.sum(axis=1), reference)
    strengths = np.exp(logarithms - logarithms.max())
    low, high = strengths * (1 - spread), strengths * (1 + spread)
    others = np.arange(len(totals)) != reference
    if low.min() > 0:
        most, least = ((meetings * _chance(one)).sum(axis=1)[others] for one in (low, high))
        if (most * (1 + slack) <= totals[others]).all() and (least * (1 - slack) >= totals[others]).all():
            return low.tolist(), high.tolist()
    return [0.0] * len(totals), [math.inf] * len(totals)


def enclosure(duels: Meetings, logarithms: FloatArray) -> tuple[list[int], list[int]]:
    """Return integers below and above each model's strength, in one unit, proved by the signs of exact sums.

    Notes
    -----
    O(models^2) integer divisions a try, after one float solution.

    Raises
    ------
    UnprovedError
        If no enclosure was proved.
    """
    meetings = _as_floats(duels.meetings)
    laplacian = _expected(meetings, logarithms)[1]
    reference = int(np.argmax(logarithms))
    strengths = _refined(duels, logarithms, laplacian, reference)
    # A direction in which, to first order, every F_i grows: the enclosure is widened along it, downwards and upwards.
    spread = [Fraction(one) for one in _solved(laplacian, meetings.sum(axis=1), reference).tolist()]
    for width in WIDTHS:
        reach = [int(p * by / 2**width) + 1 for p, by in zip(strengths, spread, strict=True)]
        reach[reference] = 0
        low = [p - by for p, by in zip(strengths, reach, strict=True)]
        high = [p + by for p, by in zip(strengths, reach, strict=True)]
        if _encloses(duels, low, high, reference):
            return low, high
    raise UnprovedError(TOO_FAR)


def _as_floats(counts: NDArray[Any]) -> FloatArray:
    try:
        return np.asarray(counts.astype(np.float64))
    except OverflowError as error:
        raise UnprovedError("the weights of the tasks are too far apart for floats") from error


def _encloses(duels: Meetings, low: list[int], high: list[int], reference: int) -> bool:
    if min(low) <= 0:
        return False
    # Rounding must not help: the upper bound of F at ``low``, its lower bound at ``high``.
    below, above = _excess(duels, low)[1], _excess(duels, high)[0]
    return all(below[place] <= 0 <= above[place] for place in range(len(low)) if place != reference)


def _refined(duels: Meetings, logarithms: FloatArray, laplacian: FloatArray, reference: int) -> list[int]:
    """Return the strengths as integers, far more exact than floats: exact residuals, float corrections."""
    shifted = logarithms - logarithms.max()
    if shifted.min() < -600:
        raise UnprovedError(TOO_FAR)
    # Enough places that the weakest strength has BITS of them, too.
    unit = BITS + math.ceil(-shifted.min() / math.log(2))
    strengths = [int(Fraction(math.exp(one)) * 2**unit) for one in shifted.tolist()]
    # Iterative refinement: the residual is exact, so each round leaves the error of the float step alone.
    for _ in range(3):
        residuals = [float(Fraction(low, 2**BITS)) for low in _excess(duels, strengths)[0]]
        steps = _solved(laplacian, np.array(residuals), reference).tolist()
        strengths = [p - int(p * Fraction(step)) for p, step in zip(strengths, steps, strict=True)]
    return strengths


def _excess(duels: Meetings, strengths: list[int]) -> tuple[list[int], list[int]]:
    """Return bounds of F_i, points expected minus points scored, in units of 2 ** -BITS."""
    below, above = [], []
    # Each division rounds down by less than 1, so all terms together are off by less than their number.
    for own, meetings, points in zip(strengths, duels.meetings.tolist(), duels.totals, strict=True):
        terms = [
            ((count * own) << BITS) // (own + other) for count, other in zip(meetings, strengths, strict=True) if count
        ]
        below.append(sum(terms) - (points << BITS))
        above.append(below[-1] + len(terms))
    return below, above


def _expected(meetings: FloatArray, logarithms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected points of each model and their derivatives by the logarithms, a weighted Laplacian."""
    if np.ptp(logarithms) > 1200:
        raise UnprovedError(TOO_FAR)
    chance = _chance(np.exp(logarithms - (logarithms.max() + logarithms.min()) / 2))
    laplacian = meetings * chance
    expected = laplacian.sum(axis=1)
    laplacian *= chance - 1
    np.fill_diagonal(laplacian, 0)
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    return expected, laplacian


def _chance(strengths: FloatArray) -> FloatArray:
    """Return the chance that the row beats the column."""
    return np.asarray(strengths[:, None] / np.add.outer(strengths, strengths))


def _solved(laplacian: FloatArray, right: FloatArray, reference: int = 0) -> FloatArray:
    """Return the solution that is 0 at one model."""
    others = np.delete(np.arange(len(right)), reference)
    solution = np.zeros(len(right))
    matrix, wanted = laplacian[np.ix_(others, others)], right[others]
    try:
        found, failed = right[others], 1
        if len(right) >= MANY_MODELS and matrix.diagonal().all():
            from scipy.sparse import diags_array  # noqa: PLC0415 - takes as long to load as all of weightlab
            from scipy.sparse.linalg import cg  # noqa: PLC0415

            found, failed = cg(matrix, wanted, rtol=1e-12, maxiter=60, M=diags_array(1 / matrix.diagonal()))
        solution[others] = np.linalg.solve(matrix, wanted) if failed else found
    except np.linalg.LinAlgError as error:
        raise UnprovedError(TOO_FAR) from error
    if not np.isfinite(solution).all():
        raise UnprovedError(TOO_FAR)
    return solution
