"""What the majorities say together: winners, sets, rankings, cycles, and orders of least disagreement.

Every function takes a leaderboard, a profile, or its margins.
"""

from weightlab._exports import name_all as _name_all
from weightlab.graph.copeland_minimax import CopelandScore as CopelandScore
from weightlab.graph.copeland_minimax import MinimaxScore as MinimaxScore
from weightlab.graph.copeland_minimax import copeland as copeland
from weightlab.graph.copeland_minimax import minimax as minimax
from weightlab.graph.cycles.cycles import StrongestCycle as StrongestCycle
from weightlab.graph.cycles.cycles import count_three_cycles as count_three_cycles
from weightlab.graph.cycles.cycles import intransitive_triple as intransitive_triple
from weightlab.graph.cycles.cycles import is_acyclic as is_acyclic
from weightlab.graph.cycles.cycles import is_transitive as is_transitive
from weightlab.graph.cycles.cycles import shortest_cycle as shortest_cycle
from weightlab.graph.cycles.cycles import strongest_cycle as strongest_cycle
from weightlab.graph.cycles.robustness import CycleRobustness as CycleRobustness
from weightlab.graph.cycles.robustness import GapTable as GapTable
from weightlab.graph.cycles.robustness import Scale as Scale
from weightlab.graph.cycles.robustness import cycle_robustness as cycle_robustness
from weightlab.graph.cycles.robustness import most_robust_cycle as most_robust_cycle
from weightlab.graph.majority_graph import MajorityLike as MajorityLike
from weightlab.graph.majority_graph import condorcet_loser as condorcet_loser
from weightlab.graph.majority_graph import condorcet_winner as condorcet_winner
from weightlab.graph.majority_graph import majority_graph as majority_graph
from weightlab.graph.majority_graph import margins_of as margins_of
from weightlab.graph.majority_graph import weak_condorcet_winners as weak_condorcet_winners
from weightlab.graph.median_orders.kemeny import FeedbackArcs as FeedbackArcs
from weightlab.graph.median_orders.kemeny import KemenyRanking as KemenyRanking
from weightlab.graph.median_orders.kemeny import SlaterRanking as SlaterRanking
from weightlab.graph.median_orders.kemeny import feedback_arcs as feedback_arcs
from weightlab.graph.median_orders.kemeny import kemeny as kemeny
from weightlab.graph.median_orders.kemeny import kemeny_cost as kemeny_cost
from weightlab.graph.median_orders.kemeny import slater as slater
from weightlab.graph.median_orders.result import OptimalOrder as OptimalOrder
from weightlab.graph.missing_scores import MissingScorePairs as MissingScorePairs
from weightlab.graph.missing_scores import missing_score_pairs as missing_score_pairs
from weightlab.graph.rankings.ranked_pairs import RankedPairsRanking as RankedPairsRanking
from weightlab.graph.rankings.ranked_pairs import ranked_pairs as ranked_pairs
from weightlab.graph.rankings.ranking import MajorityRanking as MajorityRanking
from weightlab.graph.rankings.ranking import Strength as Strength
from weightlab.graph.rankings.ranking import TieBreakOrder as TieBreakOrder
from weightlab.graph.rankings.schulze_split_cycle import SchulzeRanking as SchulzeRanking
from weightlab.graph.rankings.schulze_split_cycle import SplitCycleRanking as SplitCycleRanking
from weightlab.graph.rankings.schulze_split_cycle import schulze as schulze
from weightlab.graph.rankings.schulze_split_cycle import split_cycle as split_cycle
from weightlab.graph.sets.condorcet_winning_set import CondorcetWinningSet as CondorcetWinningSet
from weightlab.graph.sets.condorcet_winning_set import condorcet_winning_set as condorcet_winning_set
from weightlab.graph.sets.majority_sets import Covering as Covering
from weightlab.graph.sets.majority_sets import banks_set as banks_set
from weightlab.graph.sets.majority_sets import schwartz_set as schwartz_set
from weightlab.graph.sets.majority_sets import smith_set as smith_set
from weightlab.graph.sets.majority_sets import uncovered_set as uncovered_set
from weightlab.graph.sets.maximal_lottery import MaximalLottery as MaximalLottery
from weightlab.graph.sets.maximal_lottery import Payoffs as Payoffs
from weightlab.graph.sets.maximal_lottery import bipartisan_set as bipartisan_set
from weightlab.graph.sets.maximal_lottery import maximal_lottery as maximal_lottery
from weightlab.graph.sets.pareto import ParetoFront as ParetoFront
from weightlab.graph.sets.pareto import pareto_front as pareto_front

_name_all(globals())
