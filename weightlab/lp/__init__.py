"""What weights can and cannot do: prospects, weight spaces, scenarios, all with exact certificates."""

from __future__ import annotations

from weightlab._exports import name_all as _name_all
from weightlab.lp.certificates.infeasible_space import Contradiction as Contradiction
from weightlab.lp.certificates.max_margin import Verdict as Verdict
from weightlab.lp.certificates.objectives import Objective as Objective
from weightlab.lp.certificates.objectives import closest_to as closest_to
from weightlab.lp.certificates.objectives import fewest_tasks as fewest_tasks
from weightlab.lp.certificates.objectives import least_weight as least_weight
from weightlab.lp.certificates.objectives import most_balanced as most_balanced
from weightlab.lp.certificates.objectives import most_weight as most_weight
from weightlab.lp.certificates.objectives import widest_margin as widest_margin
from weightlab.lp.geometry.winner_map import Area as Area
from weightlab.lp.geometry.winner_map import AreaKind as AreaKind
from weightlab.lp.geometry.winner_map import Standing as Standing
from weightlab.lp.geometry.winner_map import WinnerMap as WinnerMap
from weightlab.lp.geometry.winner_map import map_of_winners as map_of_winners
from weightlab.lp.geometry.winning_region import WinningRegion as WinningRegion
from weightlab.lp.geometry.winning_region import winning_region as winning_region
from weightlab.lp.improvement.improve import Upset as Upset
from weightlab.lp.improvement.improve import upset as upset
from weightlab.lp.improvement.lifts import FewestLifts as FewestLifts
from weightlab.lp.improvement.lifts import LiftCounts as LiftCounts
from weightlab.lp.improvement.lifts import fewest_lifts as fewest_lifts
from weightlab.lp.pairwise.duels import Duels as Duels
from weightlab.lp.pairwise.duels import Outcome as Outcome
from weightlab.lp.pairwise.duels import duels as duels
from weightlab.lp.pairwise.realisable import Realisation as Realisation
from weightlab.lp.pairwise.realisable import realise as realise
from weightlab.lp.problem import problem as problem
from weightlab.lp.ranks.rank_range import RankRange as RankRange
from weightlab.lp.ranks.rank_range import RankRanges as RankRanges
from weightlab.lp.ranks.rank_range import rank_range as rank_range
from weightlab.lp.ranks.rank_range import rank_ranges as rank_ranges
from weightlab.lp.sampling.duel_shares import DuelShares as DuelShares
from weightlab.lp.sampling.duel_shares import duel_shares as duel_shares
from weightlab.lp.sampling.rank_shares import RankShares as RankShares
from weightlab.lp.sampling.rank_shares import rank_shares as rank_shares
from weightlab.lp.sampling.winning_shares import WinningShares as WinningShares
from weightlab.lp.sampling.winning_shares import winning_shares as winning_shares
from weightlab.lp.scenarios.fewest_tasks import TaskSets as TaskSets
from weightlab.lp.scenarios.fewest_tasks import fewest_task_sets as fewest_task_sets
from weightlab.lp.scenarios.scenario import Scenario as Scenario
from weightlab.lp.scenarios.scenario import scenario as scenario
from weightlab.lp.scenarios.smallest_benchmark import SmallestBenchmark as SmallestBenchmark
from weightlab.lp.scenarios.smallest_benchmark import smallest_benchmark as smallest_benchmark
from weightlab.lp.scenarios.weight_ranges import WeightRange as WeightRange
from weightlab.lp.scenarios.weight_ranges import WeightRanges as WeightRanges
from weightlab.lp.scenarios.weight_ranges import weight_ranges as weight_ranges
from weightlab.lp.sensitivity.nearest_winner import BrokenCycle as BrokenCycle
from weightlab.lp.sensitivity.nearest_winner import break_cycle as break_cycle
from weightlab.lp.sensitivity.stability import RankingStability as RankingStability
from weightlab.lp.sensitivity.stability import Stability as Stability
from weightlab.lp.sensitivity.stability import stability as stability
from weightlab.lp.space.space import WeightSpace as WeightSpace
from weightlab.lp.unknown_scores.necessary_winners import MissingScores as MissingScores
from weightlab.lp.unknown_scores.necessary_winners import missing as missing
from weightlab.lp.verdicts.all_models import Prospects as Prospects
from weightlab.lp.verdicts.all_models import prospects as prospects
from weightlab.lp.verdicts.copeland_minimax import MajorityProspect as MajorityProspect
from weightlab.lp.verdicts.fewest_blockers import FewestBlockers as FewestBlockers
from weightlab.lp.verdicts.prospect import Prospect as Prospect
from weightlab.lp.verdicts.prospect import prospect as prospect
from weightlab.lp.verdicts.scoring_rule import RuleProspect as RuleProspect

_name_all(globals())
