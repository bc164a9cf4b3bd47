"""What the majorities say together: winners, sets, rankings, cycles, and orders of least disagreement.

Every function takes a leaderboard, a profile, its margins, or a majority graph.
"""

from __future__ import annotations

from weightlab.graph.banks import banks_set
from weightlab.graph.condorcet import condorcet_loser, condorcet_winner, weak_condorcet_winners
from weightlab.graph.cycle_robustness import CycleRobustness, cycle_robustness, most_robust_cycle
from weightlab.graph.cycles import (
    StrongestCycle,
    count_three_cycles,
    intransitive_triple,
    is_acyclic,
    is_transitive,
    shortest_cycle,
    strongest_cycle,
)
from weightlab.graph.dominant_sets import schwartz_set, smith_set
from weightlab.graph.duel_scores import CopelandScore, MinimaxScore, copeland, minimax
from weightlab.graph.gap_table import GapTable, Scale
from weightlab.graph.kemeny import KemenyRanking, kemeny, kemeny_cost
from weightlab.graph.lottery import Duels, MaximalLottery, bipartisan_set, maximal_lottery
from weightlab.graph.majority import MajorityLike, majority_graph, margins_of
from weightlab.graph.optimal_order import OptimalOrder
from weightlab.graph.path_rankings import SchulzeRanking, SplitCycleRanking, schulze, split_cycle
from weightlab.graph.precedence import TieBreakOrder
from weightlab.graph.ranked_pairs import RankedPairsRanking, ranked_pairs
from weightlab.graph.ranking import MajorityRanking
from weightlab.graph.river import RiverRanking, river
from weightlab.graph.slater import FeedbackArcs, SlaterRanking, feedback_arcs, slater
from weightlab.graph.strength import Strength
from weightlab.graph.uncovered import Covering, uncovered_set

__all__ = [
    "CopelandScore",
    "Covering",
    "CycleRobustness",
    "Duels",
    "FeedbackArcs",
    "GapTable",
    "KemenyRanking",
    "MajorityLike",
    "MajorityRanking",
    "MaximalLottery",
    "MinimaxScore",
    "OptimalOrder",
    "RankedPairsRanking",
    "RiverRanking",
    "Scale",
    "SchulzeRanking",
    "SlaterRanking",
    "SplitCycleRanking",
    "Strength",
    "StrongestCycle",
    "TieBreakOrder",
    "banks_set",
    "bipartisan_set",
    "condorcet_loser",
    "condorcet_winner",
    "copeland",
    "count_three_cycles",
    "cycle_robustness",
    "feedback_arcs",
    "intransitive_triple",
    "is_acyclic",
    "is_transitive",
    "kemeny",
    "kemeny_cost",
    "majority_graph",
    "margins_of",
    "maximal_lottery",
    "minimax",
    "most_robust_cycle",
    "ranked_pairs",
    "river",
    "schulze",
    "schwartz_set",
    "shortest_cycle",
    "slater",
    "smith_set",
    "split_cycle",
    "strongest_cycle",
    "uncovered_set",
    "weak_condorcet_winners",
]
