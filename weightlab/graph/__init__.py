"""What the majorities say together: winners, sets, rankings, cycles, and orders of least disagreement.

Every function takes a leaderboard, a profile, its margins, or a majority graph.
"""

from __future__ import annotations

from weightlab.graph.condorcet import condorcet_loser, condorcet_winner, weak_condorcet_winners
from weightlab.graph.duel_scores import CopelandScore, MinimaxScore, copeland, minimax
from weightlab.graph.kemeny import KemenyRanking, kemeny, kemeny_cost
from weightlab.graph.majority import MajorityLike, majority_graph, margins_of
from weightlab.graph.path_rankings import SchulzeRanking, SplitCycleRanking, schulze, split_cycle
from weightlab.graph.precedence import TieBreakOrder
from weightlab.graph.ranked_pairs import RankedPairsRanking, ranked_pairs
from weightlab.graph.ranking import MajorityRanking
from weightlab.graph.river import RiverRanking, river
from weightlab.graph.strength import Strength

__all__ = [
    "CopelandScore",
    "KemenyRanking",
    "MajorityLike",
    "MajorityRanking",
    "MinimaxScore",
    "RankedPairsRanking",
    "RiverRanking",
    "SchulzeRanking",
    "SplitCycleRanking",
    "Strength",
    "TieBreakOrder",
    "condorcet_loser",
    "condorcet_winner",
    "copeland",
    "kemeny",
    "kemeny_cost",
    "majority_graph",
    "margins_of",
    "minimax",
    "ranked_pairs",
    "river",
    "schulze",
    "split_cycle",
    "weak_condorcet_winners",
]
