"""Why a model is not the nearest to win: its winning weights are farther away, or there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from weightlab._record import Record
from weightlab._result import ensure, exact_series
from weightlab._typing import SignArray
from weightlab.lp.certificate import check_bound, check_exact, column_sums
from weightlab.lp.distance import Norm
from weightlab.lp.space import WeightSpace
from weightlab.lp.tipping import check_distance_bound

__all__ = ["Blocked", "Farther"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Farther(Record):
    """A proof that all weights under which a model loses to nobody are some distance away.

    Attributes
    ----------
    model : str
        Who.
    value : Fraction
        No such weights are nearer.
    factors : mapping from rival to Fraction
        Multipliers of the duels that show it, all positive.
    level : Fraction
        Multiplier of "weights sum to 1"; 0 for the sum of changes, which needs none.
    multipliers : tuple of Fraction
        One a row of the space.
    """

    model: str
    value: Fraction
    factors: Mapping[str, Fraction]
    level: Fraction
    multipliers: tuple[Fraction, ...]

    def check(
        self, norm: Norm, signs: SignArray, rivals: Sequence[str], space: WeightSpace, *, centre: Sequence[Fraction]
    ) -> None:
        """Ensure that the multipliers prove the distance."""
        shares = _by_rival(self.factors, rivals, self.model)
        check_exact(value=self.value, level=self.level)
        for rival, factor in self.factors.items():
            ensure(factor >= 0, f"the multiplier of the duel of {self.model!r} with {rival!r} is negative: {factor}")
        costs = [-lead for lead in column_sums(signs, shares)]
        check_distance_bound(norm, costs, self.multipliers, space, centre=centre, level=self.level, bound=self.value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Blocked(Record):
    """A proof that no weights make a model beat everybody: a mixture of rivals over which it never leads.

    Attributes
    ----------
    model : str
        Who.
    upper : Fraction
        No weights lead by more over the mixture; 0 or less.
    blockers : mapping from rival to Fraction
        The mixture.
    multipliers : tuple of Fraction
        One a row of the space.
    """

    model: str
    upper: Fraction
    blockers: Mapping[str, Fraction]
    multipliers: tuple[Fraction, ...]

    def check(self, signs: SignArray, rivals: Sequence[str], space: WeightSpace) -> None:
        """Ensure that the mixture blocks the model."""
        check_exact(upper=self.upper)
        shares = _by_rival(self.blockers, rivals, self.model)
        ensure(len(self.multipliers) == len(space.rows), "there must be one multiplier a row of the space")
        multipliers = exact_series(self.multipliers, [row.name for row in space.rows], "multiplier")
        check_bound(signs, exact_series(shares, list(rivals), "blocker"), multipliers, space, self.upper)
        ensure(self.upper <= 0, f"{self.model!r} is only proved to lead by {self.upper} at most")


def _by_rival(factors: Mapping[str, Fraction], rivals: Sequence[str], model: str) -> list[Fraction]:
    """Return the factors in the order of the rivals, 0 where there is none; a name that is no rival is refused."""
    strange = [name for name in factors if name not in set(rivals)]
    ensure(not strange, f"{strange[:1]} are no rivals of {model!r}")
    check_exact(**factors)
    return [factors.get(rival, Fraction(0)) for rival in rivals]
