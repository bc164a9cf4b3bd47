"""Questions about whole benchmarks: is a suite well behaved and what repairs it; how far rules can be trusted."""

from __future__ import annotations

from weightlab.studies.answers import Answers
from weightlab.studies.grid.model_sets import random_model_sets
from weightlab.studies.grid.sweep import Sweep, sweep
from weightlab.studies.independence.independence import Independence, flips, irrelevant_models, single_changes
from weightlab.studies.independence.metric_cycles import DatasetCycles, MetricCycles, metric_cycles
from weightlab.studies.question import Answer, FunctionAnswer, Question, macro_average, two_step_average
from weightlab.studies.reconciliation.common_winner import CommonWinner, common_winner
from weightlab.studies.reconciliation.disagreement import Disagreement, disagreement
from weightlab.studies.resampling.bootstrap import Bootstrap, bootstrap
from weightlab.studies.resampling.manipulation import Manipulation, manipulation
from weightlab.studies.resampling.missing_scores import OmittedScores, missing_scores
from weightlab.studies.resampling.synthetic import gumbel_scores
from weightlab.studies.resampling.task_subsets import TaskSubsets, task_addition, task_removal
from weightlab.studies.rules.agreement import Agreement, agreement
from weightlab.studies.rules.discrimination import DiscriminativePower, discriminative_power
from weightlab.studies.rules.dispersion import Dispersion, dispersion
from weightlab.studies.rules.user_ranking import UserRanking, user_ranking
from weightlab.studies.structure.across_datasets import AmongDatasets, DatasetCycle
from weightlab.studies.structure.audit import Audit, audit
from weightlab.studies.structure.dataset import DatasetAudit
from weightlab.studies.structure.majority import Majority, MetricAgreement
from weightlab.studies.structure.proportions import Count, wilson_interval
from weightlab.studies.structure.repair import Repair
from weightlab.studies.structure.tie_breaking import TieBreaking

__all__ = [
    "Agreement",
    "AmongDatasets",
    "Answer",
    "Answers",
    "Audit",
    "Bootstrap",
    "CommonWinner",
    "Count",
    "DatasetAudit",
    "DatasetCycle",
    "DatasetCycles",
    "Disagreement",
    "DiscriminativePower",
    "Dispersion",
    "FunctionAnswer",
    "Independence",
    "Majority",
    "Manipulation",
    "MetricAgreement",
    "MetricCycles",
    "OmittedScores",
    "Question",
    "Repair",
    "Sweep",
    "TaskSubsets",
    "TieBreaking",
    "UserRanking",
    "agreement",
    "audit",
    "bootstrap",
    "common_winner",
    "disagreement",
    "discriminative_power",
    "dispersion",
    "flips",
    "gumbel_scores",
    "irrelevant_models",
    "macro_average",
    "manipulation",
    "metric_cycles",
    "missing_scores",
    "random_model_sets",
    "single_changes",
    "sweep",
    "task_addition",
    "task_removal",
    "two_step_average",
    "user_ranking",
    "wilson_interval",
]
