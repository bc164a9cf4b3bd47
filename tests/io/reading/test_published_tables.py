"""Tables as their owners publish them, and what is proposed of each."""

from __future__ import annotations

import json
import re

import pytest

import weightlab as wl

PLAIN = (
    *("votenrank/glue", "votenrank/superglue", "votenrank/user_fairness", "votenrank/user_performance"),
    *("votenrank/value", "colombo/glue105", "colombo/superglue24", "colombo/xtreme15"),
    *("leaderboards/bigbench_hard", "leaderboards/openllm", "leaderboards/vtab"),
)
AT_ONCE = {
    "real/tables3/airline_safety.csv": (56, 6, 6),
    "small/counts_of_harm.csv": (6, 3, 3),
    "small/run_export.csv": (4, 2, 1),
    "small/some_lower_some_not.md": (4, 4, 3),
    "real/tables2/robustbench_cifar100.csv": (13, 75, 0),
    "real/tables2/evalica_arena.csv": (2, 2, 2),
    "real/tables3/rlzoo_benchmark.md": (11, 55, 0),
    "small/long_of_algo_and_env.md": (3, 3, 0),
    "real/tables2/evalplus_results.json": (125, 4, 0),
    "small/forecast_errors_long.csv": (3, 6, 6),
    "real/tables2/ruler_README.md": (45, 6, 0),
    "small/number_first_name_second.tsv": (5, 2, 2),
}
ASKED = {
    "small/score_with_gain.md": (4, 2, 0),
    "real/tables2/asr_shortform.csv": (87, 9, 8),
    "real/tables2/bfcl_overall.csv": (109, 21, 2),
    "real/tables2/alpaca_gpt4.csv": (102, 2, 0),
    "real/tables2/heim_quality.tsv": (26, 12, 3),
    "real/tables2/kramabench_oracle.csv": (21, 6, 0),
    "real/tables2/timm_train.csv": (838, 2, 1),
    "real/tables3/pollster_2014.tsv": (337, 4, 4),
    "real/tables3/lingua_accuracy.csv": (82, 75, 0),
    "small/languages_as_rows.csv": (3, 5, 0),
    "real/tables3/moz_comet.json": (8, 418, 0),
    "small/pair_dataset_system.json": (4, 4, 0),
    "small/model_first.json": (4, 3, 0),
}


def shape(reading):
    return (reading.models, len(reading.tasks), len(reading.lower))


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_table_is_never_refused_and_keeps_every_task(shared_data, name):
    reading = wl.propose_reading(shared_data / f"{name}.csv", config={})
    assert not reading.is_doubtful
    assert {one.role for one in reading.columns} == {"key", "task"}
    assert reading.lower == ()


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_table_is_read_right_at_once(shared_data, name):
    reading = wl.propose_reading(shared_data / name, config={})
    assert (shape(reading), reading.is_doubtful) == (AT_ONCE[name], False)


@pytest.mark.parametrize("name", ASKED)
def test_a_table_with_doubtful_columns_is_proposed_right_and_asked_about(shared_data, name):
    reading = wl.propose_reading(shared_data / name, config={})
    assert (shape(reading), reading.is_doubtful) == (ASKED[name], True)


DESCRIBED = (
    *("alpaca_gpt4.csv", "asr_shortform.csv", "bfcl_overall.csv", "heim_quality.tsv", "kramabench_oracle.csv"),
    *("ruler_README.md", "timm_train.csv", "evalplus_results.json", "evalica_arena.csv"),
)
EXPECTED = (
    *("counts_of_harm.csv", "forecast_errors_long.csv", "languages_as_rows.csv", "long_of_algo_and_env.md"),
    *("model_first.json", "number_first_name_second.tsv", "pair_dataset_system.json", "run_export.csv"),
    "score_with_gain.md",
)


def described(text, name):
    """Return the models, tasks and optional columns with their directions that a description names of a file."""
    part = re.search(rf"^## {re.escape(name)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]
    models, tasks = re.search(r"^- (\d+) models x \d+ tasks: (.*)$", part, re.MULTILINE).groups()
    may = re.search(r"^- May count: (.*)$", part, re.MULTILINE)
    optional = dict(re.findall(r"`([^`]+)` \((lower|higher)\)", may[1] if may else ""))
    names = re.findall(r"`([^`]+)`", tasks)
    on = re.search(r"^- Lower is better on (.*)$", part, re.MULTILINE)[1]
    lower = names if on == "all" else re.findall(r"`([^`]+)`", on)
    return int(models), {one: "lower" if one in lower else "higher" for one in names}, optional


def bare(name):
    return name.replace(" [ sort ]", "").strip()


@pytest.mark.parametrize("name", DESCRIBED)
def test_tasks_are_those_described_and_else_only_what_may_count(shared_data, name):
    folder = shared_data / "real" / "tables2"
    models, tasks, optional = described((folder / "README.md").read_text(), name)
    reading = wl.propose_reading(folder / name, config={})
    found = {bare(one.name): one.direction for one in reading.columns if one.role == "task"}
    assert reading.models == models
    assert {bare(one): way for one, way in tasks.items()}.items() <= found.items()
    assert found.items() <= {bare(one): way for one, way in {**tasks, **optional}.items()}.items()


@pytest.mark.parametrize("name", EXPECTED)
def test_tasks_and_directions_of_a_small_table_are_those_expected(shared_data, name):
    right = json.loads((shared_data / "small" / "expected.json").read_text())[name]
    reading = wl.propose_reading(shared_data / "small" / name, config={})
    assert reading.models == len(right["models"])
    assert sorted(reading.tasks) == sorted(right["tasks"])
    assert sorted(reading.lower) == sorted(right["lower"])


PAGES = {
    "real/tables2/corl_README.md": (10, 9, 0),
    "real/tables3/kostya_README.md": (50, 3, 3),
    "real/tables3/maros_qp.md": (9, 5, 4),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_with_several_tables_is_right_by_its_first_command(shared_data, name):
    with pytest.raises(wl.ReadingError) as caught:
        wl.read_leaderboard(shared_data / name, config={})
    board = wl.read_leaderboard(shared_data / name, config={}, **caught.value.ways[0])
    assert (len(board.models), len(board.tasks), len(board.lower_is_better)) == PAGES[name]
