"""Public score tables, where they are at hand."""

from __future__ import annotations

import json

import pytest

import weightlab as wl
from tests.io.strategies import FORMATS

BOARDS = {
    "votenrank/glue.csv": (100, 14, 3),
    "votenrank/superglue.csv": (24, 14, 12),
    "votenrank/user_performance.csv": (8, 13, 2),
    "votenrank/user_fairness.csv": (8, 5, 0),
    "votenrank/user_efficiency.csv": (7, 40, 0),
    "colombo/glue105.csv": (105, 14, 0),
    "colombo/superglue24.csv": (24, 14, 0),
    "colombo/xtreme15.csv": (15, 4, 0),
    "leaderboards/openllm.csv": (100, 6, 0),
    "leaderboards/vtab.csv": (16, 19, 0),
    "leaderboards/bigbench_hard.csv": (107, 27, 0),
}
INSTANCES = {
    "dialog_pc": (4, 19),
    "dialog_tc": (5, 19),
    "flickr": (8, 14),
    "real_sum": (25, 15),
    "sum_eval": (16, 17),
    "tac_08": (62, 15),
}


@pytest.mark.parametrize(("name", "shape"), BOARDS.items())
def test_leaderboards_are_read_and_written_without_a_change(shared_data, tmp_path, name, shape):
    board = wl.read_leaderboard(shared_data / name)
    assert (len(board.models), len(board.tasks), len(board.missing_cells)) == shape
    pytest.importorskip("pyarrow")
    for form in FORMATS:
        wl.write_leaderboard(board, tmp_path / f"x.{form}")
        assert wl.read_leaderboard(tmp_path / f"x.{form}").equals(board)


@pytest.mark.parametrize("name", ["glue", "superglue"])
def test_published_weights_and_groups_are_taken_from_a_configuration(shared_data, tmp_path, name):
    published = json.loads((shared_data / "votenrank" / "meta.json").read_text())[name]
    path = shared_data / "votenrank" / f"{name}.csv"
    board = wl.read_leaderboard(path, weights=published["weights"], groups=published["groups"])
    wl.write_leaderboard(board, tmp_path / "x.csv")
    assert "[groups]" in (tmp_path / "x.toml").read_text()
    assert wl.read_leaderboard(path, config=tmp_path / "x.toml").equals(board)
    assert dict(board.weights) == published["weights"]


def test_halves_joined_again_are_split_to_the_same_table(shared_data, tmp_path):
    board = wl.read_leaderboard(shared_data / "votenrank" / "glue.csv")
    frame = board.scores.astype(object).map(str)
    for task in ("MRPC", "STS-B", "QQP"):
        frame[f"{task}_n1"] += "/" + frame.pop(f"{task}_n2")
        frame = frame.rename(columns={f"{task}_n1": task})
    frame.rename_axis("model").to_csv(tmp_path / "x.csv")
    (tmp_path / "x.toml").write_text('split = { MRPC = "/", "STS-B" = "/", QQP = "/" }\n')
    again = wl.read_leaderboard(tmp_path / "x.csv")
    assert again.scores.equals(board.scores)
    assert list(again.weights)[-6:] == [0.5] * 6


def test_helm_is_a_suite(shared_data, tmp_path):
    suite = wl.read_suite(shared_data / "helm_classic" / "helm_classic_long.csv")
    assert (len(suite.datasets), len(suite.metrics), len(suite.models)) == (16, 6, 67)
    assert suite.lower_is_better
    pytest.importorskip("pyarrow")
    for form in FORMATS:
        wl.write_suite(suite, tmp_path / f"x.{form}")
        assert wl.read_suite(tmp_path / f"x.{form}").equals(suite)


@pytest.mark.parametrize(("name", "shape"), INSTANCES.items())
def test_instances_whose_header_misleads_are_read_by_naming_the_columns(shared_data, name, shape):
    path = shared_data / "colombo" / "instances" / f"{name}.csv"
    instances = wl.read_instances(path, model="Utterance", instance="System")
    assert (len(instances.models), len(instances.tasks)) == shape


def test_instances_are_written_without_a_change(shared_data, tmp_path):
    path = shared_data / "colombo" / "instances" / "dialog_tc.csv"
    instances = wl.read_instances(path, model="Utterance", instance="System")
    wl.write_instances(instances, tmp_path / "x.csv")
    assert wl.read_instances(tmp_path / "x.csv").equals(instances)
