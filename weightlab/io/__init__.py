"""Files to data and data to files: CSV, TSV, JSON and Parquet, with a TOML file beside that declares the rest."""

from __future__ import annotations

from weightlab.io.config import read_config
from weightlab.io.folders import read_results
from weightlab.io.helm import read_helm
from weightlab.io.helm_instances import read_helm_instances
from weightlab.io.instances import read_instances
from weightlab.io.leaderboards import read_leaderboard
from weightlab.io.lm_eval import read_lm_eval
from weightlab.io.lm_eval_samples import read_lm_eval_samples
from weightlab.io.mteb import read_mteb
from weightlab.io.open_llm import read_open_llm
from weightlab.io.pairwise import read_margins, write_margins
from weightlab.io.profiles import read_profile, write_profile
from weightlab.io.results import ResultCell, Results, ResultsWarning
from weightlab.io.suites import read_suite
from weightlab.io.writing import write_instances, write_leaderboard, write_suite

__all__ = [
    "ResultCell",
    "Results",
    "ResultsWarning",
    "read_config",
    "read_helm",
    "read_helm_instances",
    "read_instances",
    "read_leaderboard",
    "read_lm_eval",
    "read_lm_eval_samples",
    "read_margins",
    "read_mteb",
    "read_open_llm",
    "read_profile",
    "read_results",
    "read_suite",
    "write_instances",
    "write_leaderboard",
    "write_margins",
    "write_profile",
    "write_suite",
]
