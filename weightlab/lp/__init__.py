"""What weights can and cannot do: prospects, weight spaces, scenarios, all with exact certificates."""

from __future__ import annotations

from weightlab.lp.certificates.infeasible_space import Contradiction
from weightlab.lp.certificates.max_margin import Verdict
from weightlab.lp.certificates.objectives import (
    Objective,
    closest_to,
    fewest_tasks,
    least_weight,
    most_balanced,
    most_weight,
    widest_margin,
)
from weightlab.lp.geometry.winner_map import Standing, WinnerMap, map_of_winners
from weightlab.lp.geometry.winner_map_cells import Area, AreaKind
from weightlab.lp.geometry.winning_region import WinningRegion, winning_region
from weightlab.lp.improvement.improve import Upset, upset
from weightlab.lp.improvement.lifts import FewestLifts, LiftCounts, fewest_lifts
from weightlab.lp.pairwise.duels import Duels, Outcome, duels
from weightlab.lp.pairwise.realisable import Realisation, realise
from weightlab.lp.problem import problem
from weightlab.lp.ranks.rank_range import RankRange, rank_range
from weightlab.lp.ranks.rank_ranges import RankRanges, rank_ranges
from weightlab.lp.sampling.duel_shares import DuelShares, duel_shares
from weightlab.lp.sampling.rank_shares import RankShares, rank_shares
from weightlab.lp.sampling.winning_shares import WinningShares, winning_shares
from weightlab.lp.scenarios.fewest_tasks import TaskSets, fewest_task_sets
from weightlab.lp.scenarios.scenario import Scenario, scenario
from weightlab.lp.scenarios.weight_ranges import WeightRange, WeightRanges, weight_ranges
from weightlab.lp.sensitivity.nearest_winner import BrokenCycle, break_cycle
from weightlab.lp.sensitivity.ranking import RankingStability
from weightlab.lp.sensitivity.winner import Stability, stability
from weightlab.lp.space.space import WeightSpace
from weightlab.lp.unknown_scores.necessary_winners import MissingScores, missing
from weightlab.lp.verdicts.all_models import Prospects, prospects
from weightlab.lp.verdicts.copeland_minimax import MajorityProspect
from weightlab.lp.verdicts.fewest_blockers import FewestBlockers
from weightlab.lp.verdicts.prospect import Prospect, prospect
from weightlab.lp.verdicts.scoring_rule import RuleProspect

__all__ = [
    "Area",
    "AreaKind",
    "BrokenCycle",
    "Contradiction",
    "DuelShares",
    "Duels",
    "FewestBlockers",
    "FewestLifts",
    "LiftCounts",
    "MajorityProspect",
    "MissingScores",
    "Objective",
    "Outcome",
    "Prospect",
    "Prospects",
    "RankRange",
    "RankRanges",
    "RankShares",
    "RankingStability",
    "Realisation",
    "RuleProspect",
    "Scenario",
    "Stability",
    "Standing",
    "TaskSets",
    "Upset",
    "Verdict",
    "WeightRange",
    "WeightRanges",
    "WeightSpace",
    "WinnerMap",
    "WinningRegion",
    "WinningShares",
    "break_cycle",
    "closest_to",
    "duel_shares",
    "duels",
    "fewest_lifts",
    "fewest_task_sets",
    "fewest_tasks",
    "least_weight",
    "map_of_winners",
    "missing",
    "most_balanced",
    "most_weight",
    "problem",
    "prospect",
    "prospects",
    "rank_range",
    "rank_ranges",
    "rank_shares",
    "realise",
    "scenario",
    "stability",
    "upset",
    "weight_ranges",
    "widest_margin",
    "winning_region",
    "winning_shares",
]
