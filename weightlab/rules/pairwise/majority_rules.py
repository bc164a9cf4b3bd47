"""Rules that read margins alone: by head-to-heads, by paths of majorities, by orders of least cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

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


USUAL: Mapping[str, Any] = {"strength": "margins", "tie_break": None, "tie_penalty": 0}
"""Options that a proof depends on, where they are not set."""


def read_witness(kind: type[graph.MajorityRanking | graph.OptimalOrder], witness: Result, **options: Any) -> Outcome:
    """Return the outcome of a rule from a result of its kind that was made with the rule's options."""
    if not isinstance(witness, kind):
        raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness).__name__}")
    for name in USUAL.keys() & {one.name for one in fields(witness)}:
        wanted, own = options.get(name, USUAL[name]), getattr(witness, name)
        if name == "tie_break" and wanted is not None:
            wanted = tie_break_order(witness.margins.models, wanted)
        same = own == (fraction(wanted) if name == "tie_penalty" else wanted)
        ensure(same, f"the witness is of {name}={own}, the rule of {name}={wanted}")
    if isinstance(witness, graph.MajorityRanking):
        return read_levels(witness)
    ensure(not witness.gap, "the order is not proved to cost least")
    return _read_order(witness)


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


def _read_order(witness: graph.OptimalOrder) -> Outcome:
    """Return the models by their best rank in any order of least cost: a model that is first in one wins."""
    best = witness.ranges["best"].tolist()
    scores = tuple(Fraction(len(best) - rank) for rank in best)
    return Outcome(order=tied_groups(dict(enumerate(best))), scores=scores, witness=witness)
