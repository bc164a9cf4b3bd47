"""How much more a ranking costs than Kemeny's: an approximation with its measured gap."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from weightlab._result import Proof, Result, ensure
from weightlab.data import Instances, as_table
from weightlab.data.linear_rule import rule_words
from weightlab.exceptions import ProofError
from weightlab.graph import KemenyRanking, kemeny, kemeny_cost
from weightlab.rules.inputs import Source
from weightlab.rules.ranking import Ranking, rank
from weightlab.rules.registry import RuleLike


class KemenyGap(Result, kind="kemeny_gap"):
    """A ranking beside an order of least Kemeny cost.

    Attributes
    ----------
    ranking : Ranking
        By any rule.
    best : KemenyRanking
        The order that the tasks contradict least, and its proof.

    Notes
    -----
    Orders without ties can be compared at once; a pair that the ranking ties is counted in three ways, all reported:
    not at all (``cost``), on its cheaper side (``low``), or on its dearer side (``high``). Every way to break the ties
    costs between ``low`` and ``high``.
    """

    ranking: Ranking
    best: KemenyRanking

    @property
    def optimum(self) -> Fraction:
        """The least cost of an order."""
        return self.best.cost

    @property
    def cost(self) -> Fraction:
        """What the ranking costs when pairs that it ties cost nothing."""
        return kemeny_cost(self.best.margins, self.ranking.order)

    @property
    def tied_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs that the ranking ties."""
        return tuple(
            (one, other)
            for group in self.ranking.order
            for place, one in enumerate(group)
            for other in group[place + 1 :]
        )

    @property
    def low(self) -> Fraction:
        """What the ranking costs at least, however its ties are broken."""
        return self.cost + sum((min(sides) for sides in self._sides()), Fraction(0))

    @property
    def high(self) -> Fraction:
        """What the ranking costs at most, however its ties are broken."""
        return self.cost + sum((max(sides) for sides in self._sides()), Fraction(0))

    def _sides(self) -> list[tuple[Fraction, Fraction]]:
        margins = self.best.margins
        places = [(margins.position(one), margins.position(other)) for one, other in self.tied_pairs]
        wins, unit = margins.wins, margins.denominator
        return [(Fraction(int(wins[i, j]), unit), Fraction(int(wins[j, i]), unit)) for i, j in places]

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"ranking": self.ranking.proof, "no order costs less": self.best.proof}

    def __str__(self) -> str:
        """Return the sentence that says how far the ranking is off."""
        low, high, pairs = _number(self.low), _number(self.high), len(self.tied_pairs)
        noun = "tied pair is" if pairs == 1 else f"{pairs} tied pairs are"
        spread = low if low == high else f"{low} to {high} as its {noun} broken"
        more = f"{float(self.low / self.optimum - 1):.2%} more than" if self.optimum else "against"
        return (
            f"The order {rule_words(self.ranking.rule)} contradicts the tasks by {spread}: "
            f"{'at least ' if low != high else ''}{more} the least possible, {_number(self.optimum)}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the costs."""
        costs = {"optimum": self.optimum, "ties cost nothing": self.cost, "low": self.low, "high": self.high}
        return pd.DataFrame({"cost": list(costs.values())}, index=list(costs))

    def verify(self, source: Source | None = None) -> bool:
        """Re-check the ranking and the order of least cost, and that both are about the same duels."""
        read = self.ranking.source
        if isinstance(read, Instances) or self.ranking.preparation.how != "none":
            raise ProofError("the ranking is not of the table as it is")
        ensure(not self.best.gap, "the order is not proved to cost least")
        ensure(self.best.tie_penalty == 0, "the least cost counts pairs that tasks tie, the ranking does not")
        self.ranking.verify(source)
        self.best.verify(read)
        return True


def kemeny_gap(
    source: Source, rule: RuleLike = "borda", *, time_limit: float | None = None, **options: Any
) -> KemenyGap:
    """Rank the models by a rule and measure how much more that costs than the best order.

    Parameters
    ----------
    source : Leaderboard, Profile or Margins
        As far as the rule can read it.
    rule : str or Rule
        Borda by default, the approximation of Kemeny's order in Colombo et al., section 3.2.
    time_limit : float, optional
        Seconds for the order of least cost, which is NP-hard to find.
    **options
        Options of the rule.

    Returns
    -------
    KemenyGap
        ``.cost`` ``.low`` ``.high`` of the ranking, ``.optimum``, ``.best``, ``.verify()``.

    Notes
    -----
    Borda's order costs at most five times the optimum: D. Coppersmith, L. Fleischer and A. Rudra, "Ordering by weighted
    number of wins gives a good ranking for weighted tournaments", SODA (2006).

    Examples
    --------
    >>> import weightlab as wl
    >>> profile = wl.Profile.from_orders([["a", "b", "c"]] * 3 + [["b", "c", "a"]] * 2)
    >>> gap = kemeny_gap(profile, "borda")
    >>> gap.low, gap.optimum
    (Fraction(5, 1), Fraction(4, 1))
    """
    source = as_table(source)
    return KemenyGap(ranking=rank(source, rule, **options), best=kemeny(source, time_limit=time_limit))


def _number(value: Fraction) -> str:
    return f"{float(value):,.6g}" if value.denominator > 1 else f"{value.numerator:,}"
