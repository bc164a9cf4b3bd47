"""Files to data and data to files: CSV, TSV, JSON and Parquet, with a TOML file beside that declares the rest."""

from weightlab._exports import name_all as _name_all
from weightlab.exceptions import ResultsWarning as ResultsWarning
from weightlab.io.evaluations.detect import read_results as read_results
from weightlab.io.evaluations.helm import read_helm as read_helm
from weightlab.io.evaluations.helm import read_helm_instances as read_helm_instances
from weightlab.io.evaluations.hugging_face import read_hugging_face as read_hugging_face
from weightlab.io.evaluations.lm_eval import read_lm_eval as read_lm_eval
from weightlab.io.evaluations.lm_eval import read_lm_eval_samples as read_lm_eval_samples
from weightlab.io.evaluations.mteb import read_mteb as read_mteb
from weightlab.io.evaluations.open_llm import read_open_llm as read_open_llm
from weightlab.io.evaluations.records import read_every_eval_ever as read_every_eval_ever
from weightlab.io.evaluations.records import read_inspect as read_inspect
from weightlab.io.evaluations.records import read_record_instances as read_record_instances
from weightlab.io.evaluations.results import ResultCell as ResultCell
from weightlab.io.evaluations.results import Results as Results
from weightlab.io.preflib.margins import read_margins as read_margins
from weightlab.io.preflib.margins import write_margins as write_margins
from weightlab.io.preflib.orders import read_profile as read_profile
from weightlab.io.preflib.orders import write_profile as write_profile
from weightlab.io.read.instances import read_instances as read_instances
from weightlab.io.read.leaderboards import read_leaderboard as read_leaderboard
from weightlab.io.read.readings import propose_reading as propose_reading
from weightlab.io.read.suites import read_suite as read_suite
from weightlab.io.read.votes import read_votes as read_votes
from weightlab.io.reading.reading import ColumnReading as ColumnReading
from weightlab.io.reading.reading import Reading as Reading
from weightlab.io.tables.declarations import read_config as read_config
from weightlab.io.writing.write import write_instances as write_instances
from weightlab.io.writing.write import write_leaderboard as write_leaderboard
from weightlab.io.writing.write import write_suite as write_suite

_name_all(globals())
