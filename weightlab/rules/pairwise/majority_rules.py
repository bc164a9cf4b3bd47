"""Rules that read margins alone: by head-to-heads, by paths of majorities, by orders of least cost."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

from weightlab import graph
from weightlab._exact import Number, fraction
from weightlab._result import Result, ensure
from weightlab.data import Margins
from weightlab.exceptions import NoWinnerError, ProofError
from weightlab.graph.rankings.ranking import tie_break_order
from weightlab.rules.outcome import Outcome, tied_groups


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
    margins: Margins, *, strength: graph.Strength = "margins", tie_break: graph.TieBreakOrder | None = None
) -> Outcome:
    """Rank the models by locking in the strongest majorities first."""
    return read_levels(graph.ranked_pairs(margins, strength=strength, tie_break=tie_break))


def read_defeats(
    kind: type[graph.MajorityRanking],
    witness: Result,
    *,
    strength: graph.Strength = "margins",
    tie_break: graph.TieBreakOrder | None = None,
) -> Outcome:
    """Return the outcome of a rule from a result of its kind that was made with the rule's options."""
    if not isinstance(witness, kind):
        raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness).__name__}")
    ensure(witness.strength == strength, f"the witness is by the strength {witness.strength!r}, not {strength!r}")
    if isinstance(witness, graph.RankedPairsRanking):
        order = None if tie_break is None else tie_break_order(witness.models, tie_break)
        ensure(witness.tie_break == order, "the witness does not break ties as the rule")
    return read_levels(witness)


def read_levels(witness: graph.MajorityRanking) -> Outcome:
    """Return the ranking by a relation of defeats: the undefeated first, then those undefeated without them, ..."""
    position = {model: place for place, model in enumerate(witness.models)}
    return Outcome.by_order([[position[model] for model in level] for level in witness.levels], witness=witness)


def _scored(margins: Margins, scores: Mapping[Any, Any]) -> Outcome:
    return Outcome.by_score([Fraction(scores[model]) for model in margins.models])


def kemeny(margins: Margins, *, tie_penalty: Number = 0, time_limit: float | None = None) -> Outcome:
    """Rank the models by the best rank that each takes in an order that the tasks contradict least."""
    return _read_order(graph.kemeny(margins, tie_penalty=tie_penalty, time_limit=time_limit))


def slater(margins: Margins, *, time_limit: float | None = None) -> Outcome:
    """Rank the models by the best rank that each takes in an order that turns the fewest duels."""
    return _read_order(graph.slater(margins, time_limit=time_limit))


def read_kemeny(witness: Result, *, tie_penalty: Number = 0, time_limit: float | None = None) -> Outcome:
    """Return the result of Kemeny's rule from the proof of an order that counts ties as the rule does."""
    del time_limit  # has no part in what is proved
    found = _proved_by(witness, graph.KemenyRanking)
    penalty = found.tie_penalty
    ensure(penalty == fraction(tie_penalty), f"the witness counts a tie as {penalty}, the rule as {tie_penalty}")
    return _read_order(found)


def read_slater(witness: Result, *, time_limit: float | None = None) -> Outcome:
    """Return the result of Slater's rule from the proof of an order."""
    del time_limit  # has no part in what is proved
    return _read_order(_proved_by(witness, graph.SlaterRanking))


Order = TypeVar("Order", bound=graph.OptimalOrder)


def _proved_by(witness: Result, kind: type[Order]) -> Order:
    if not isinstance(witness, kind):
        raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness).__name__}")
    ensure(not witness.gap, "the order is not proved to cost least")
    return witness


def _read_order(witness: graph.OptimalOrder) -> Outcome:
    """Return the models by the best rank that each takes in an order of least cost: whoever is first in one wins."""
    best = witness.ranges["best"].tolist()
    scores = tuple(Fraction(len(best) - rank) for rank in best)
    return Outcome(order=tied_groups(dict(enumerate(best))), scores=scores, witness=witness)
