"""Bradley-Terry strengths by maximum likelihood: whether they exist, what they are, and who is proved the stronger."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from weightlab._result import Result, ensure
from weightlab._text import first_few
from weightlab._typing import BoolArray, FloatArray
from weightlab.data import Margins
from weightlab.exceptions import ImpossibleError, UnprovedError
from weightlab.graph import margins_of
from weightlab.rules.likelihood import Duels, enclosure, fitted
from weightlab.rules.outcome import Outcome

__all__ = ["NoEstimate", "bradley_terry"]


@dataclass(frozen=True, kw_only=True, eq=False)
class NoEstimate(Result, kind="no_bradley_terry_estimate"):
    """The models fall into two parts of which one never scores against the other, so no strengths are most likely.

    Attributes
    ----------
    ahead : tuple of str
        Models against which none of the others ever wins or ties a task, in board order.
    margins : Margins
        The duels.
    """

    ahead: tuple[str, ...]
    margins: Margins = field(repr=False)

    def __str__(self) -> str:
        """Return what is missing."""
        rest = [model for model in self.margins.models if model not in self.ahead]
        return (
            f"Bradley-Terry strengths do not exist: on no task does {_any_of(rest)} win or tie "
            f"against {_any_of(self.ahead)}."
        )

    def summary(self) -> pd.DataFrame:
        """Return for each model whether it is in the part that is never scored against."""
        models = list(self.margins.models)
        return pd.DataFrame({"ahead": [model in self.ahead for model in models]}, index=models)

    def verify(self, source: Any = None) -> bool:
        """Re-check that the two parts are not empty and that one never scores against the other."""
        if source is not None:
            self.margins.ensure_same(margins_of(source))
        self.margins.check()
        inside = np.array([model in self.ahead for model in self.margins.models], dtype=np.bool_)
        ensure(inside.any() and not inside.all(), "one of the two parts is empty")
        ensure(int(inside.sum()) == len(self.ahead), "a model that is said to be ahead is unknown or named twice")
        scored = self.margins.wins + self.margins.ties > 0
        ensure(not scored[np.ix_(~inside, inside)].any(), "a model behind wins or ties a task against one ahead")
        return True


def bradley_terry(margins: Margins) -> Outcome:
    """Score each model with its maximum-likelihood strength; a tied task is half a win for either side.

    The strengths sum to 1. Who is the stronger is decided exactly: two models that meet all others equally often
    stand as their weights of wins do, strengths that differ are enclosed between fractions until they part, and equal
    ones are proved equal.
    """
    duels = Duels.of(margins)
    _refuse_split(margins, duels)
    logarithms = fitted(duels)
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


def _refuse_split(margins: Margins, duels: Duels) -> None:
    """Raise ImpossibleError unless every model scores against every other, at least by way of third models."""
    scored: BoolArray = duels.wins > 0
    # A maximum exists exactly if the relation "scores against" is strongly connected (Ford 1957): otherwise the
    # strengths of one part can grow without end.
    parts, part = connected_components(csr_array(scored.astype(np.int8)), connection="strong")
    if parts == 1:
        return
    for one in range(parts):
        inside = part == one
        if not scored[np.ix_(~inside, inside)].any():
            ahead = tuple(model for model, chosen in zip(margins.models, inside.tolist(), strict=True) if chosen)
            proof = NoEstimate(ahead=ahead, margins=margins)
            raise ImpossibleError(str(proof), proof=proof)
    raise AssertionError("a part that no other scores against")  # pragma: no cover - parts form no circle


def _any_of(models: Sequence[str]) -> str:
    return models[0] if len(models) == 1 else f"any of {first_few(models, 3)}"


class _Comparison:
    """Who is stronger than whom, exactly; enclosures are worked out when first asked for."""

    def __init__(self, duels: Duels, logarithms: FloatArray, models: Sequence[str]) -> None:
        self.duels, self.logarithms, self.models = duels, logarithms, models

    def order(self) -> tuple[tuple[int, ...], ...]:
        places = sorted(range(len(self.models)), key=functools.cmp_to_key(self.compare), reverse=True)
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
        low, high = self._enclosure
        return (low[one] > high[other]) - (high[one] < low[other])

    @functools.cached_property
    def _enclosure(self) -> tuple[list[int], list[int]]:
        return enclosure(self.duels, self.logarithms)

    def _meet_alike(self, one: int, other: int) -> bool:
        """Tell whether two models meet each third model equally often: the stronger is then who scores more."""
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
