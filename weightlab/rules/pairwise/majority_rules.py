"""Rules that read margins alone: by head-to-heads, by paths of majorities, by orders of least cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd

from weightlab import graph
from weightlab._exact import Number, fraction
from weightlab._result import Proof, Result, ensure
from weightlab._solver import deadline_in, seconds_left
from weightlab.data import Margins
from weightlab.exceptions import NoWinnerError, ProofError, UnprovedError
from weightlab.graph.majority_graph import check_margins
from weightlab.graph.rankings.ranking import tie_break_order
from weightlab.rules.outcome import Outcome


def condorcet(margins: Margins) -> Outcome:
    """Put the model that beats all its rivals first and tie all others; refuse tables without such a model."""
    winner = graph.condorcet_winner(margins)
    if winner is None:
        raise NoWinnerError("no model beats all its rivals: there is no Condorcet winner")
    first = margins.position(winner)
    return Outcome.by_order([[first], [place for place in range(len(margins.models)) if place != first]])


def copeland(margins: Margins, *, score: graph.CopelandScore = "difference") -> Outcome:
    """Score each model with its head-to-heads won minus those lost, or another count of them."""
    return _scored(margins, graph.copeland(margins, score=score).to_dict())


def minimax(margins: Margins, *, score: graph.MinimaxScore = "winning_votes") -> Outcome:
    """Score each model with its worst defeat, as a negative number."""
    return _scored(margins, graph.minimax(margins, score=score).to_dict())


def schulze(margins: Margins, *, strength: graph.Strength = "margins") -> Outcome:
    """Rank the models by strongest paths of majorities."""
    return read_levels(graph.schulze(margins, strength=strength))


def split_cycle(margins: Margins, *, strength: graph.Strength = "margins") -> Outcome:
    """Rank the models by the defeats that no stronger cycle takes back."""
    return read_levels(graph.split_cycle(margins, strength=strength))


def ranked_pairs(
    margins: Margins, *, strength: graph.Strength = "margins", tie_break: graph.TieBreakOrder = "alphabetical"
) -> Outcome:
    """Rank the models by locking in the strongest majorities first."""
    return read_levels(graph.ranked_pairs(margins, strength=strength, tie_break=tie_break))


def read_defeats(
    kind: type[graph.MajorityRanking],
    witness: Result,
    *,
    strength: graph.Strength = "margins",
    tie_break: graph.TieBreakOrder = "alphabetical",
) -> Outcome:
    """Return the outcome of a rule from a result of its kind that was made with the rule's options."""
    if not isinstance(witness, kind):
        raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness).__name__}")
    ensure(witness.strength == strength, f"the witness is by the strength {witness.strength!r}, not {strength!r}")
    if isinstance(witness, graph.RankedPairsRanking):
        same = witness.tie_break == tie_break_order(witness.models, tie_break)
        ensure(same, f"the witness breaks ties in the order of {', '.join(witness.tie_break)}, not as the rule")
    return read_levels(witness)


def read_levels(witness: graph.MajorityRanking) -> Outcome:
    """Return what a relation of defeats says: the undefeated first, then those undefeated once they have left, ..."""
    position = {model: place for place, model in enumerate(witness.models)}
    return Outcome.by_order([[position[model] for model in level] for level in witness.levels], witness=witness)


def _scored(margins: Margins, scores: Mapping[Any, Any]) -> Outcome:
    return Outcome.by_score([Fraction(scores[model]) for model in margins.models])


OptimalOrder: TypeAlias = graph.KemenyRanking | graph.SlaterRanking
"""An order of least cost, with its proof."""


def _without(margins: Margins, model: str) -> Margins:
    """Return the duels of all other models."""
    return margins.select([one for one in margins.models if one != model])


class FirstPlaces(Result, kind="first_places"):
    """Which models are first in some order of least cost.

    A model that no other one beats is: whoever it is put above would cost as much below it. For any other one the best
    order of the rest says what it costs to put it first.

    Attributes
    ----------
    margins : Margins
        The duels.
    best : OptimalOrder
        An order of least cost.
    others : dict from str to OptimalOrder
        For each model that is beaten, is not first in that order, and is not known to stand below some model in all
        orders of least cost: the best order of all models but that one.
    """

    derived: ClassVar[tuple[str, ...]] = ("winners",)

    best: OptimalOrder
    others: Mapping[str, OptimalOrder]
    margins: Margins

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that are first in some order of least cost, in board order."""
        unbeaten = _unbeaten(self.margins)
        first = self.best.order[0][0]
        return tuple(
            model
            for model in self.margins.models
            if model == first
            or model in unbeaten
            or (model in self.others and self._cost_with_first(model) == self.best.cost)
        )

    @property
    def proofs(self) -> Mapping[str, Proof]:
        """What is claimed, and how much of each claim ``verify`` re-checks."""
        return {"order": self.best.proof} | {f"{name} first costs more": one.proof for name, one in self.others.items()}

    def __str__(self) -> str:
        """Return the sentence of the order, and who else could be first."""
        more = [model for model in self.winners if model != self.best.order[0][0]]
        return f"{self.best}" + (f" First at the same cost: {', '.join(more)}." if more else "")

    def to_frame(self) -> pd.DataFrame:
        """Return the order as a table."""
        return self.best.to_frame()

    def verify(self, source: Any = None) -> bool:
        """Re-check every order, and that there is one for every model that needs it."""
        check_margins(self.margins, source)
        self.best.verify(self.margins)
        ensure(not any(one.gap for one in (self.best, *self.others.values())), "an order is not proved to cost least")
        needed = _candidates(self.best)
        ensure(set(self.others) == set(needed), f"the models to be tried in the first place are {needed}")
        for model, one in self.others.items():
            ensure(type(one) is type(self.best), "the orders are not by one rule")
            ensure(_penalty(one) == _penalty(self.best), "the orders do not count ties alike")
            one.verify(_without(self.margins, model))
            ensure(self._cost_with_first(model) >= self.best.cost, f"with {model!r} first an order costs less")
        return True

    def _cost_with_first(self, model: str) -> Fraction:
        """Return the least cost of an order with this model first."""
        margins, place = self.margins, self.margins.position(model)
        if isinstance(self.best, graph.SlaterRanking):
            return self.others[model].cost + int((margins.wins[:, place] > margins.wins[place]).sum())
        against = sum(int(one) for one in margins.wins[:, place].tolist())
        ties = _penalty(self.best) * sum(int(one) for one in margins.ties[:, place].tolist())
        return self.others[model].cost + (against + ties) / Fraction(margins.denominator)


def kemeny(margins: Margins, *, tie_penalty: Number = 0, time_limit: float | None = None) -> Outcome:
    """Rank the models in an order that the tasks contradict least; all models that are first in such an order win."""
    return _read_first_places(
        _first_places(
            margins, time_limit, lambda some, left: graph.kemeny(some, tie_penalty=tie_penalty, time_limit=left)
        )
    )


def slater(margins: Margins, *, time_limit: float | None = None) -> Outcome:
    """Rank the models in an order that turns the fewest duels; all models that are first in such an order win."""
    asked = _first_places(margins, time_limit, lambda some, left: graph.slater(some, time_limit=left))
    return _read_first_places(asked)


def read_kemeny(witness: Result, *, tie_penalty: Number = 0, time_limit: float | None = None) -> Outcome:
    """Return what Kemeny's rule says from the proof of an order that counts ties as the rule does."""
    del time_limit  # has no part in what is proved
    first = _proved_by(witness, graph.KemenyRanking)
    penalty = _penalty(first.best)
    ensure(penalty == fraction(tie_penalty), f"the witness counts a tie as {penalty}, the rule as {tie_penalty}")
    return _read_first_places(first)


def read_slater(witness: Result, *, time_limit: float | None = None) -> Outcome:
    """Return what Slater's rule says from the proof of an order."""
    del time_limit  # has no part in what is proved
    return _read_first_places(_proved_by(witness, graph.SlaterRanking))


def _proved_by(witness: Result, kind: type[OptimalOrder]) -> FirstPlaces:
    if not isinstance(witness, FirstPlaces):
        raise ProofError(f"the rule is proved by FirstPlaces, not by a {type(witness).__name__}")
    if not isinstance(witness.best, kind):
        raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness.best).__name__}")
    return witness


def _read_first_places(witness: FirstPlaces) -> Outcome:
    """Return the order of least cost, with all models that are first in some such order as winners."""
    position = {model: place for place, model in enumerate(witness.best.models)}
    order = [[position[model] for model in group] for group in witness.best.order]
    return Outcome.by_order(order, winners=tuple(position[model] for model in witness.winners), witness=witness)


def _first_places(
    margins: Margins, time_limit: float | None, optimal: Callable[[Margins, float | None], OptimalOrder]
) -> FirstPlaces:
    deadline = deadline_in(time_limit)
    best = optimal(margins, time_limit)
    try:
        others = {model: optimal(_without(margins, model), seconds_left(deadline)) for model in _candidates(best)}
    except UnprovedError as error:
        # An order of the rest is not proved; that of all models is, and is what is known.
        known = {"order": best.order, "cost": best.cost, "bound": best.bound, "result": best}
        raise type(error)(f"it is not known who else could be first: {error.message}", known=known) from error
    return FirstPlaces(best=best, others=others, margins=margins)


def _candidates(best: OptimalOrder) -> tuple[str, ...]:
    """Return the models of which it is open whether they are first in some order of least cost."""
    if best.unique:
        return ()
    # Whoever is below some model in all orders of least cost is first in none.
    below_one = np.flatnonzero(best.shared.to_numpy().any(axis=0))
    settled = {best.order[0][0], *_unbeaten(best.margins), *(best.models[place] for place in below_one)}
    return tuple(model for model in best.models if model not in settled)


def _unbeaten(margins: Margins) -> set[str]:
    beaten = np.flatnonzero((margins.wins < margins.wins.T).any(axis=1))
    return set(margins.models) - {margins.models[place] for place in beaten}


def _penalty(order: OptimalOrder) -> Fraction:
    return order.tie_penalty if isinstance(order, graph.KemenyRanking) else Fraction(0)
