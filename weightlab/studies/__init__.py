"""Questions about whole benchmarks: is a suite well behaved and what repairs it; how far rules can be trusted."""

from __future__ import annotations

from weightlab._exports import name_all as _name_all
from weightlab.studies.answers import Answers as Answers
from weightlab.studies.confidence.noisy_verdicts import NoisyVerdicts as NoisyVerdicts
from weightlab.studies.confidence.noisy_verdicts import noisy_verdicts as noisy_verdicts
from weightlab.studies.confidence.rank_sets import RankSets as RankSets
from weightlab.studies.confidence.rank_sets import rank_sets as rank_sets
from weightlab.studies.grid.model_sets import random_model_sets as random_model_sets
from weightlab.studies.grid.sweep import Sweep as Sweep
from weightlab.studies.grid.sweep import sweep as sweep
from weightlab.studies.independence.independence import Independence as Independence
from weightlab.studies.independence.independence import flips as flips
from weightlab.studies.independence.independence import irrelevant_models as irrelevant_models
from weightlab.studies.independence.independence import single_changes as single_changes
from weightlab.studies.independence.metric_cycles import DatasetCycles as DatasetCycles
from weightlab.studies.independence.metric_cycles import MetricCycles as MetricCycles
from weightlab.studies.independence.metric_cycles import metric_cycles as metric_cycles
from weightlab.studies.question import Answer as Answer
from weightlab.studies.question import FunctionAnswer as FunctionAnswer
from weightlab.studies.question import Question as Question
from weightlab.studies.question import macro_average as macro_average
from weightlab.studies.question import two_step_average as two_step_average
from weightlab.studies.reconciliation.common_winner import CommonWinner as CommonWinner
from weightlab.studies.reconciliation.common_winner import common_winner as common_winner
from weightlab.studies.reconciliation.disagreement import Disagreement as Disagreement
from weightlab.studies.reconciliation.disagreement import disagreement as disagreement
from weightlab.studies.resampling.bootstrap import Bootstrap as Bootstrap
from weightlab.studies.resampling.bootstrap import bootstrap as bootstrap
from weightlab.studies.resampling.manipulation import Manipulation as Manipulation
from weightlab.studies.resampling.manipulation import manipulation as manipulation
from weightlab.studies.resampling.missing_scores import OmittedScores as OmittedScores
from weightlab.studies.resampling.missing_scores import missing_scores as missing_scores
from weightlab.studies.resampling.paired import Paired as Paired
from weightlab.studies.resampling.paired import paired as paired
from weightlab.studies.resampling.synthetic import gumbel_scores as gumbel_scores
from weightlab.studies.resampling.task_subsets import TaskSubsets as TaskSubsets
from weightlab.studies.resampling.task_subsets import task_addition as task_addition
from weightlab.studies.resampling.task_subsets import task_removal as task_removal
from weightlab.studies.rules.agreement import Agreement as Agreement
from weightlab.studies.rules.agreement import agreement as agreement
from weightlab.studies.rules.discrimination import DiscriminativePower as DiscriminativePower
from weightlab.studies.rules.discrimination import discriminative_power as discriminative_power
from weightlab.studies.rules.dispersion import Dispersion as Dispersion
from weightlab.studies.rules.dispersion import dispersion as dispersion
from weightlab.studies.rules.user_ranking import UserRanking as UserRanking
from weightlab.studies.rules.user_ranking import user_ranking as user_ranking
from weightlab.studies.structure.across_datasets import AmongDatasets as AmongDatasets
from weightlab.studies.structure.across_datasets import DatasetCycle as DatasetCycle
from weightlab.studies.structure.audit import Audit as Audit
from weightlab.studies.structure.audit import audit as audit
from weightlab.studies.structure.dataset import DatasetAudit as DatasetAudit
from weightlab.studies.structure.majority import Majority as Majority
from weightlab.studies.structure.majority import MetricAgreement as MetricAgreement
from weightlab.studies.structure.proportions import Count as Count
from weightlab.studies.structure.proportions import wilson_interval as wilson_interval
from weightlab.studies.structure.repair import Repair as Repair
from weightlab.studies.structure.tie_breaking import TieBreaking as TieBreaking

_name_all(globals())
