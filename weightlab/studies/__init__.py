"""Questions about whole benchmarks: is a suite well behaved, where does it break, and what repairs it."""

from __future__ import annotations

from weightlab.studies.agreement_of_metrics import MetricAgreement
from weightlab.studies.among_datasets import AmongDatasets
from weightlab.studies.audit import Audit, audit
from weightlab.studies.counts import Count
from weightlab.studies.dataset_audit import DatasetAudit
from weightlab.studies.flips import DatasetFlips, Flip, Flips, flips
from weightlab.studies.joint_profile import Circle
from weightlab.studies.majority import Majority
from weightlab.studies.metric_cycles import DatasetCycles, MetricCycles, metric_cycles
from weightlab.studies.model_sets import random_model_sets
from weightlab.studies.repair import Repair
from weightlab.studies.sweep import Sweep, sweep
from weightlab.studies.tie_breaking import TieBreaking
from weightlab.studies.wilson import wilson_interval

__all__ = [
    "AmongDatasets",
    "Audit",
    "Circle",
    "Count",
    "DatasetAudit",
    "DatasetCycles",
    "DatasetFlips",
    "Flip",
    "Flips",
    "Majority",
    "MetricAgreement",
    "MetricCycles",
    "Repair",
    "Sweep",
    "TieBreaking",
    "audit",
    "flips",
    "metric_cycles",
    "random_model_sets",
    "sweep",
    "wilson_interval",
]
