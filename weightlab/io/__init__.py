"""Files to data and data to files: CSV, TSV, JSON and Parquet, with a TOML file beside that declares the rest."""

from __future__ import annotations

from weightlab.io.evaluations.detect import read_results
from weightlab.io.evaluations.helm import read_helm
from weightlab.io.evaluations.helm_instances import read_helm_instances
from weightlab.io.evaluations.lm_eval import read_lm_eval
from weightlab.io.evaluations.lm_eval_samples import read_lm_eval_samples
from weightlab.io.evaluations.mteb import read_mteb
from weightlab.io.evaluations.open_llm import read_open_llm
from weightlab.io.evaluations.records import read_every_eval_ever, read_inspect, read_record_instances
from weightlab.io.evaluations.results import ResultCell, Results, ResultsWarning
from weightlab.io.preflib.margins import read_margins, write_margins
from weightlab.io.preflib.orders import read_profile, write_profile
from weightlab.io.read.instances import read_instances
from weightlab.io.read.leaderboards import read_leaderboard
from weightlab.io.read.suites import read_suite
from weightlab.io.read.votes import read_votes
from weightlab.io.tables.declarations import read_config
from weightlab.io.tables.write import write_instances, write_leaderboard, write_suite

__all__ = [
    "ResultCell",
    "Results",
    "ResultsWarning",
    "read_config",
    "read_every_eval_ever",
    "read_helm",
    "read_helm_instances",
    "read_inspect",
    "read_instances",
    "read_leaderboard",
    "read_lm_eval",
    "read_lm_eval_samples",
    "read_margins",
    "read_mteb",
    "read_open_llm",
    "read_profile",
    "read_record_instances",
    "read_results",
    "read_suite",
    "read_votes",
    "write_instances",
    "write_leaderboard",
    "write_margins",
    "write_profile",
    "write_suite",
]
