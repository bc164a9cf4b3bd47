"""Questions about whole benchmarks: is a suite well behaved and what repairs it; how far rules can be trusted."""

from __future__ import annotations

from weightlab.studies.agreement import Agreement, agreement
from weightlab.studies.agreement_of_metrics import MetricAgreement
from weightlab.studies.among_datasets import AmongDatasets
from weightlab.studies.answers import Answers
from weightlab.studies.audit import Audit, audit
from weightlab.studies.averages import macro_average, two_step_average
from weightlab.studies.bootstrap import Bootstrap, bootstrap
from weightlab.studies.common_winner import CommonWinner, common_winner
from weightlab.studies.counts import Count
from weightlab.studies.dataset_audit import DatasetAudit
from weightlab.studies.disagreement import Disagreement, disagreement
from weightlab.studies.discrimination import DiscriminativePower, discriminative_power
from weightlab.studies.dispersion import Dispersion, dispersion
from weightlab.studies.independence import Independence, flips, irrelevant_models, single_changes
from weightlab.studies.joint_profile import Circle
from weightlab.studies.majority import Majority
from weightlab.studies.manipulation import Manipulation, manipulation
from weightlab.studies.metric_cycles import DatasetCycles, MetricCycles, metric_cycles
from weightlab.studies.missing_scores import OmittedScores, missing_scores
from weightlab.studies.model_sets import random_model_sets
from weightlab.studies.questions import Answer, FunctionAnswer, Question
from weightlab.studies.repair import Repair
from weightlab.studies.sweep import Sweep, sweep
from weightlab.studies.synthetic import gumbel_scores
from weightlab.studies.task_subsets import TaskSubsets, task_addition, task_removal
from weightlab.studies.tie_breaking import TieBreaking
from weightlab.studies.user_ranking import UserRanking, user_ranking
from weightlab.studies.wilson import wilson_interval

__all__ = [
    "Agreement",
    "AmongDatasets",
    "Answer",
    "Answers",
    "Audit",
    "Bootstrap",
    "Circle",
    "CommonWinner",
    "Count",
    "DatasetAudit",
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
