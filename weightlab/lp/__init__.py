"""What weights can and cannot do: prospects, weight spaces, scenarios, all with exact certificates."""

from __future__ import annotations

from weightlab.lp.break_cycle import BrokenCycle, break_cycle
from weightlab.lp.duel_shares import DuelShares, duel_shares
from weightlab.lp.duels import Duels, Outcome, duels
from weightlab.lp.emptiness import Contradiction
from weightlab.lp.fewest import Blockade
from weightlab.lp.majority_prospect import MajorityProspect
from weightlab.lp.missing import MissingScores, missing
from weightlab.lp.objectives import (
    Objective,
    closest_to,
    fewest_tasks,
    least_weight,
    most_balanced,
    most_weight,
    widest_margin,
)
from weightlab.lp.problem import problem
from weightlab.lp.prospect import Prospect, prospect
from weightlab.lp.prospects import Prospects, prospects
from weightlab.lp.rank_range import RankRange, rank_range
from weightlab.lp.rank_ranges import RankRanges, rank_ranges
from weightlab.lp.rank_shares import RankShares, rank_shares
from weightlab.lp.ranking_stability import RankingStability
from weightlab.lp.realise import Realisation, realise
from weightlab.lp.region import WinningRegion, winning_region
from weightlab.lp.rule_prospect import RuleProspect
from weightlab.lp.scenario import Scenario, scenario
from weightlab.lp.space import WeightSpace
from weightlab.lp.stability import Stability, stability
from weightlab.lp.task_sets import TaskSets, fewest_task_sets
from weightlab.lp.upset import Upset, upset
from weightlab.lp.verdict import Verdict
from weightlab.lp.weight_ranges import WeightRange, WeightRanges, weight_ranges
from weightlab.lp.winner_map import Area, AreaKind, Standing, WinnerMap, map_of_winners
from weightlab.lp.winning_shares import WinningShares, winning_shares

__all__ = [
    "Area",
    "AreaKind",
    "Blockade",
    "BrokenCycle",
    "Contradiction",
    "DuelShares",
    "Duels",
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
