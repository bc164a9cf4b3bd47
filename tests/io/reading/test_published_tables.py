"""Tables as their owners publish them, and what is proposed of each."""

from __future__ import annotations

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
}
ASKED = {
    "small/score_with_gain.md": (4, 2, 0),
    "real/tables2/asr_shortform.csv": (87, 9, 8),
    "real/tables2/bfcl_overall.csv": (109, 23, 4),
    "real/tables2/alpaca_gpt4.csv": (102, 2, 0),
    "real/tables2/heim_quality.tsv": (26, 12, 3),
    "real/tables2/kramabench_oracle.csv": (21, 6, 0),
    "real/tables2/timm_train.csv": (838, 2, 1),
    "real/tables3/pollster_2014.tsv": (337, 4, 4),
    "real/tables3/lingua_accuracy.csv": (82, 75, 0),
    "small/languages_as_rows.csv": (3, 5, 0),
    "small/number_first_name_second.tsv": (5, 2, 2),
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
