"""Scores, places or duels -> a ranking: one registry of rules."""

from weightlab._exports import name_all as _name_all
from weightlab.graph import kemeny as kemeny
from weightlab.rules.aggregation.two_step import TwoStepRanking as TwoStepRanking
from weightlab.rules.aggregation.two_step import grouped as grouped
from weightlab.rules.aggregation.two_step import one_level as one_level
from weightlab.rules.aggregation.two_step import two_level as two_level
from weightlab.rules.aggregation.two_step import two_step as two_step
from weightlab.rules.comparison import Comparison as Comparison
from weightlab.rules.comparison import compare as compare
from weightlab.rules.inputs import Needs as Needs
from weightlab.rules.inputs import Preparation as Preparation
from weightlab.rules.inputs import group_weighted as group_weighted
from weightlab.rules.inputs import pooled as pooled
from weightlab.rules.kemeny_gap import KemenyGap as KemenyGap
from weightlab.rules.kemeny_gap import kemeny_gap as kemeny_gap
from weightlab.rules.majority_overview import MajorityOverview as MajorityOverview
from weightlab.rules.majority_overview import majority_overview as majority_overview
from weightlab.rules.micro_macro import MicroMacro as MicroMacro
from weightlab.rules.micro_macro import micro_and_macro as micro_and_macro
from weightlab.rules.outcome import Outcome as Outcome
from weightlab.rules.outcome import Round as Round
from weightlab.rules.ranking import Ranking as Ranking
from weightlab.rules.ranking import rank as rank
from weightlab.rules.ranking import winners as winners
from weightlab.rules.registry import RULES as RULES
from weightlab.rules.registry import Claim as Claim
from weightlab.rules.registry import Property as Property
from weightlab.rules.registry import Rule as Rule
from weightlab.rules.registry import RuleLike as RuleLike
from weightlab.rules.registry import properties as properties
from weightlab.rules.registry import rule as rule
from weightlab.rules.scoring.bradley_terry import NoEstimate as NoEstimate
from weightlab.rules.similarity.pairs import pair_by_task as pair_by_task
from weightlab.rules.similarity.pairs import reversed_pairs as reversed_pairs
from weightlab.rules.similarity.rank_biased_overlap import rank_biased_overlap as rank_biased_overlap
from weightlab.rules.similarity.rank_correlation import kendall_tau as kendall_tau
from weightlab.rules.similarity.rank_correlation import rho_matrix as rho_matrix
from weightlab.rules.similarity.rank_correlation import spearman_rho as spearman_rho
from weightlab.rules.similarity.rank_correlation import tau_matrix as tau_matrix
from weightlab.rules.similarity.rank_correlation import top_agreement as top_agreement

_name_all(globals())
