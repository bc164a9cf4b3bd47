"""Scores, places or duels -> a ranking: one registry of rules."""

from __future__ import annotations

from weightlab.graph import kemeny
from weightlab.rules.aggregation.groups import grouped, two_step
from weightlab.rules.aggregation.instances import one_level, two_level
from weightlab.rules.aggregation.two_step import TwoStepRanking
from weightlab.rules.comparison import Comparison, compare
from weightlab.rules.inputs import Needs
from weightlab.rules.kemeny_gap import KemenyGap, kemeny_gap
from weightlab.rules.majority_overview import MajorityOverview, majority_overview
from weightlab.rules.outcome import Outcome, Round
from weightlab.rules.pairwise.optimal import FirstPlaces
from weightlab.rules.preparation import Preparation, group_weighted, pooled
from weightlab.rules.ranking import Ranking, rank, winners
from weightlab.rules.registry import RULES, RuleLike, properties, rule
from weightlab.rules.rule import Claim, Property, Rule
from weightlab.rules.scoring.bradley_terry import NoEstimate
from weightlab.rules.similarity.pairs import pair_by_task, reversed_pairs
from weightlab.rules.similarity.rank_biased_overlap import rank_biased_overlap
from weightlab.rules.similarity.rank_correlation import kendall_tau, rho_matrix, spearman_rho, tau_matrix, top_agreement

__all__ = [
    "RULES",
    "Claim",
    "Comparison",
    "FirstPlaces",
    "KemenyGap",
    "MajorityOverview",
    "Needs",
    "NoEstimate",
    "Outcome",
    "Preparation",
    "Property",
    "Ranking",
    "Round",
    "Rule",
    "RuleLike",
    "TwoStepRanking",
    "compare",
    "group_weighted",
    "grouped",
    "kemeny",
    "kemeny_gap",
    "kendall_tau",
    "majority_overview",
    "one_level",
    "pair_by_task",
    "pooled",
    "properties",
    "rank",
    "rank_biased_overlap",
    "reversed_pairs",
    "rho_matrix",
    "rule",
    "spearman_rho",
    "tau_matrix",
    "top_agreement",
    "two_level",
    "two_step",
    "winners",
]
