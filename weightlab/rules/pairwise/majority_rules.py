"""Rules that read the duels: what the graph part answers, as rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from weightlab._result import Result, ensure
from weightlab.data import Margins
from weightlab.exceptions import NoWinnerError, ProofError
from weightlab.graph import (
    CopelandScore,
    MajorityRanking,
    MinimaxScore,
    RankedPairsRanking,
    RiverRanking,
    Strength,
    TieBreakOrder,
    condorcet_winner,
)
from weightlab.graph import copeland as copeland_scores
from weightlab.graph import minimax as minimax_scores
from weightlab.graph import ranked_pairs as locked_pairs
from weightlab.graph import river as river_of_defeats
from weightlab.graph import schulze as strongest_paths
from weightlab.graph import split_cycle as split_cycles
from weightlab.graph.rankings.ranking import tie_break_order
from weightlab.rules.outcome import Outcome


def condorcet(margins: Margins) -> Outcome:
    """Put the model that wins all its duels first and tie all others; refuse tables without such a model."""
    winner = condorcet_winner(margins)
    if winner is None:
        raise NoWinnerError("no model wins all its duels: there is no Condorcet winner")
    first = margins.position(winner)
    return Outcome.by_order([[first], [place for place in range(len(margins.models)) if place != first]])


def copeland(margins: Margins, *, score: CopelandScore = "difference") -> Outcome:
    """Score each model with its head-to-heads won minus those lost, or another count of them."""
    return _scored(margins, copeland_scores(margins, score=score).to_dict())


def minimax(margins: Margins, *, score: MinimaxScore = "winning_votes") -> Outcome:
    """Score each model with its worst defeat, as a negative number."""
    return _scored(margins, minimax_scores(margins, score=score).to_dict())


def schulze(margins: Margins, *, strength: Strength = "margins") -> Outcome:
    """Rank the models by strongest paths of majorities."""
    return read_levels(strongest_paths(margins, strength=strength))


def split_cycle(margins: Margins, *, strength: Strength = "margins") -> Outcome:
    """Rank the models by the defeats that no stronger cycle takes back."""
    return read_levels(split_cycles(margins, strength=strength))


def ranked_pairs(
    margins: Margins, *, strength: Strength = "margins", tie_break: TieBreakOrder = "alphabetical"
) -> Outcome:
    """Rank the models by locking in the strongest majorities first."""
    return read_levels(locked_pairs(margins, strength=strength, tie_break=tie_break))


def river(margins: Margins, *, strength: Strength = "margins", tie_break: TieBreakOrder = "alphabetical") -> Outcome:
    """Rank the models by the strongest majorities, one defeat a model."""
    return read_levels(river_of_defeats(margins, strength=strength, tie_break=tie_break))


def reader(kind: type[MajorityRanking]) -> Callable[..., Outcome]:
    """Return how the outcome of a rule is read from a result of its kind that was made with the rule's options."""

    def read(witness: Result, *, strength: Strength = "margins", tie_break: TieBreakOrder = "alphabetical") -> Outcome:
        if not isinstance(witness, kind):
            raise ProofError(f"the rule is proved by a {kind.__name__}, not by a {type(witness).__name__}")
        ensure(witness.strength == strength, f"the witness is by the strength {witness.strength!r}, not {strength!r}")
        if isinstance(witness, RankedPairsRanking | RiverRanking):
            same = witness.tie_break == tie_break_order(witness.models, tie_break)
            ensure(same, f"the witness breaks ties in the order of {', '.join(witness.tie_break)}, not as the rule")
        return read_levels(witness)

    return read


def read_levels(witness: MajorityRanking) -> Outcome:
    """Return what a relation of defeats says: the undefeated first, then those undefeated once they have left, ..."""
    position = {model: place for place, model in enumerate(witness.models)}
    return Outcome.by_order([[position[model] for model in level] for level in witness.levels], witness=witness)


def _scored(margins: Margins, scores: Mapping[Any, Any]) -> Outcome:
    return Outcome.by_score([Fraction(scores[model]) for model in margins.models])
