"""What the majorities say together: winners, sets, rankings, cycles, and orders of least disagreement.

Every function takes a leaderboard, a profile, its margins, or a majority graph.
"""

from __future__ import annotations

from weightlab.graph.copeland_minimax import CopelandScore, MinimaxScore, copeland, minimax
from weightlab.graph.cycles.cycles import (
    StrongestCycle,
    count_three_cycles,
    intransitive_triple,
    is_acyclic,
    is_transitive,
    shortest_cycle,
    strongest_cycle,
)
from weightlab.graph.cycles.robustness import CycleRobustness, cycle_robustness, most_robust_cycle
from weightlab.graph.cycles.score_gaps import GapTable, Scale
from weightlab.graph.majority_graph import (
    MajorityLike,
    condorcet_loser,
    condorcet_winner,
    majority_graph,
    margins_of,
    weak_condorcet_winners,
)
from weightlab.graph.median_orders.kemeny import KemenyRanking, kemeny, kemeny_cost
from weightlab.graph.median_orders.result import OptimalOrder
from weightlab.graph.median_orders.slater import FeedbackArcs, SlaterRanking, feedback_arcs, slater
from weightlab.graph.missing_scores import MissingScorePairs, missing_score_pairs
from weightlab.graph.rankings.ranked_pairs import RankedPairsRanking, ranked_pairs
from weightlab.graph.rankings.ranking import MajorityRanking, Strength, TieBreakOrder
from weightlab.graph.rankings.river import RiverRanking, river
from weightlab.graph.rankings.schulze_split_cycle import SchulzeRanking, SplitCycleRanking, schulze, split_cycle
from weightlab.graph.sets.banks import banks_set
from weightlab.graph.sets.condorcet_winning_set import CondorcetWinningSet, condorcet_winning_set
from weightlab.graph.sets.maximal_lottery import Duels, MaximalLottery, bipartisan_set, maximal_lottery
from weightlab.graph.sets.pareto import ParetoFront, front_layers, pareto_front
from weightlab.graph.sets.smith_schwartz import Covering, schwartz_set, smith_set, uncovered_set

__all__ = [
    "CondorcetWinningSet",
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
    "MissingScorePairs",
    "OptimalOrder",
    "ParetoFront",
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
    "condorcet_winning_set",
    "copeland",
    "count_three_cycles",
    "cycle_robustness",
    "feedback_arcs",
    "front_layers",
    "intransitive_triple",
    "is_acyclic",
    "is_transitive",
    "kemeny",
    "kemeny_cost",
    "majority_graph",
    "margins_of",
    "maximal_lottery",
    "minimax",
    "missing_score_pairs",
    "most_robust_cycle",
    "pareto_front",
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
