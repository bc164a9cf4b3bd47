"""The search behind an upset: ladders of all tasks, and whether climbing them can win at all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from weightlab._result import exact_series
from weightlab._typing import SignArray
from weightlab.data.leaderboard import Leaderboard
from weightlab.exceptions import ImpossibleError
from weightlab.lp.certificate import leads
from weightlab.lp.climbing import Climb, cheapest_at, cheapest_in
from weightlab.lp.ladder import Ladder, signs_at
from weightlab.lp.margin import MarginProof, widest_margin
from weightlab.lp.prospect import Prospect
from weightlab.lp.space import WeightSpace

__all__ = ["UpsetQuestion", "where_it_wins"]


@dataclass(frozen=True, kw_only=True, eq=False)
class UpsetQuestion:
    """The ladders of a model and the weights under which it is to win."""

    model: str
    table: Leaderboard
    ladders: list[Ladder]
    space: WeightSpace | None
    weights: list[Fraction]

    def answer(self, time_limit: float | None) -> tuple[Climb, list[Fraction]]:
        """Return the cheapest rungs and weights under which they win, or raise ImpossibleError."""
        self._refuse_impossible(time_limit)
        if self.space is None:
            return cheapest_at(self.ladders, self.weights, time_limit=time_limit), self.weights
        climb = cheapest_in(self.ladders, self.space, time_limit=time_limit)
        return climb, list(self._margin(climb.rungs, self.space, time_limit).weights)

    def _margin(self, rungs: tuple[int, ...], space: WeightSpace, time_limit: float | None) -> MarginProof:
        rivals = [one for one in self.table.models if one != self.model]
        return widest_margin(signs_at(self.ladders, rungs), rivals, space, time_limit=time_limit)

    def _refuse_impossible(self, time_limit: float | None) -> None:
        top = tuple(len(ladder) - 1 for ladder in self.ladders)
        signs = signs_at(self.ladders, top)
        if self.space is None and min(leads(signs, self.weights)) > 0:
            return
        space = self.space or WeightSpace(self.table).near(None, 0, norm="linf")
        proof = self._margin(top, space, time_limit)
        if proof.upper > 0:
            return
        raise ImpossibleError(
            f"{self.model!r} does not win {where_it_wins(self.table, self.space)}, however much it improves within the "
            f"limits: its best possible smallest lead is {proof.upper}",
            proof=_prospect(self.model, signs, self.table.tasks, space, proof),
        )


def _prospect(model: str, signs: SignArray, tasks: tuple[str, ...], space: WeightSpace, proof: MarginProof) -> Prospect:
    result = Prospect(
        model=model,
        lower=proof.lower,
        upper=proof.upper,
        weights=exact_series(proof.weights, tasks, "weight"),
        blockers=exact_series(proof.blockers, proof.rivals, "blocker"),
        multipliers=exact_series(proof.multipliers, [row.name for row in space.rows], "multiplier"),
        signs=signs,
        space=space,
    )
    result.verify()
    return result


def where_it_wins(table: Leaderboard, space: WeightSpace | None) -> str:
    """Return under which weights, in words."""
    if space is not None:
        return "under some weights"
    return "at equal weights" if len(set(table.weights)) == 1 else "at today's weights"
