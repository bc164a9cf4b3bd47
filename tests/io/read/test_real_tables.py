"""Public score tables, where they are at hand."""

from __future__ import annotations

import json
import warnings

import pytest

import weightlab as wl
from tests.io.strategies import FORMATS

BOARDS = {
    "votenrank/glue.csv": (100, 14, 3),
    "votenrank/superglue.csv": (24, 14, 12),
    "votenrank/value.csv": (7, 11, 5),
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
    "tac_09": (59, 15),
    "tac_11": (54, 15),
    "mlqe": (7, 10),
}


@pytest.mark.parametrize(("name", "shape"), BOARDS.items())
def test_leaderboards_are_read_and_written_without_a_change(shared_data, tmp_path, name, shape):
    doubtful = name == "votenrank/user_efficiency.csv"
    if doubtful:
        with pytest.raises(wl.ReadingError, match="likely lower is better"):
            wl.read_leaderboard(shared_data / name)
    board = wl.read_leaderboard(shared_data / name, **({"keep": "*"} if doubtful else {}))
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


@pytest.mark.parametrize(
    ("name", "count", "scores"),
    [
        (
            "tac_09",
            44,
            {
                ("H:pyr", "M9", "43"): 0.605,
                ("BLEU", "M57", "7"): 100.00000000000004,
                ("JS_2", "M57", "43"): -0.4076443642084953,
                ("MoverScore", "M9", "7"): 0.13767157521399623,
                ("H:resp", "M0", "0"): 0.3,
            },
        ),
        (
            "tac_11",
            44,
            {
                ("H:pyr", "M53", "43"): 0,
                ("ROUGE_WE_2", "M9", "7"): 0.16,
                ("BERTScore", "M53", "7"): 0.46343398094177246,
                ("JS_1", "M0", "0"): -0.3206652401640393,
                ("Chrfpp", "M9", "43"): 0.37345077486641276,
            },
        ),
        (
            "mlqe",
            1000,
            {
                ("H:mlqe", "en-de", "0"): 0.34937092778329654,
                ("XBERTScore", "si-en", "17"): 0.5747091174125671,
                ("XMoverScore (CLP)", "ro-en", "500"): -1.194739338252089,
                ("Fine-tuned ContrastScore", "si-en", "999"): 0.7720339894294739,
                ("Unsupervised XmoverScore + ContrastScore", "ro-en", "500"): -0.37247779965400696,
            },
        ),
    ],
)
def test_cells_of_instances_are_those_of_the_file(shared_data, name, count, scores):
    path = shared_data / "colombo" / "instances" / f"{name}.csv"
    instances, notes = read_noting(wl.read_instances, path, model="Utterance", instance="System")
    assert (instances.lower_is_better, notes) == ((), [])
    tables = {task: instances.table(task).frame() for task, _, _ in scores}
    assert {frame.shape for frame in tables.values()} == {(len(instances.models), count)}
    assert {cell: tables[cell[0]].loc[cell[1:]] for cell in scores} == scores


def test_a_human_without_some_scores_keeps_the_others(shared_data):
    board, notes = read_noting(wl.read_leaderboard, shared_data / "votenrank" / "value.csv")
    assert cells(board, ("Human", "TVQA"), ("HERO 4", "VLEP"), ("craig.starr", "YC2C")) == [89.41, 56.77, 143.17]
    assert cells(board, ("DuKG", "VATEX-EN-C"), ("HERO 1", "TVR")) == [62.3, 13.56]
    assert {model for model, _ in board.missing_cells} == {"Human"}
    assert [task for _, task in board.missing_cells] == ["TVR", "How2R", "YC2R", "VATEX-EN-R", "YC2C"]
    assert (board.lower_is_better, notes) == ((), [])


@pytest.mark.parametrize(
    ("name", "shape", "lower", "scores"),
    [
        (
            "pmlb",
            (63, 3, 6),
            (),
            {
                ("pmlb-00", "cre", "accuracy"): 0.31666666666666665,
                ("pmlb-00", "knn", "robustness_y"): 0.35,
                ("pmlb-30", "svmRadial", "robustness_y"): 0.7380645161290322,
                ("pmlb-30", "knn", "robustness_x"): 0.7186021505376344,
                ("pmlb-62", "knn", "accuracy"): 1,
            },
        ),
        (
            "openml",
            (80, 3, 7),
            ("train_time_ms", "test_time_ms"),
            {
                ("openml-767", "classif.multinom", "predictive_accuracy"): 0.941053,
                ("openml-779", "classif.xgboost", "train_time_ms"): 5.048,
                ("openml-1480", "classif.ranger", "test_time_ms"): 0.481999999999996,
                ("openml-949", "classif.glmnet", "train_time_ms"): 1.894,
                ("openml-1510", "classif.kknn", "test_time_ms"): 0.401,
            },
        ),
    ],
)
def test_suites_of_beyond_arrow_hold_their_directions(shared_data, name, shape, lower, scores):
    suite, notes = read_noting(wl.read_suite, shared_data / "beyond_arrow" / f"{name}.csv")
    assert (len(suite.datasets), len(suite.metrics), len(suite.models)) == shape
    assert (suite.lower_is_better, notes) == (lower, [])
    assert {cell: suite.leaderboard(cell[0]).scores.loc[cell[1:]] for cell in scores} == scores


def test_instances_are_written_without_a_change(shared_data, tmp_path):
    path = shared_data / "colombo" / "instances" / "dialog_tc.csv"
    instances = wl.read_instances(path, model="Utterance", instance="System")
    wl.write_instances(instances, tmp_path / "x.csv")
    assert wl.read_instances(tmp_path / "x.csv").equals(instances)


# Files exactly as their owners publish them: cells were looked up in the text by hand.


@pytest.fixture(scope="module")
def published(shared_data):
    return shared_data / "real" / "tables"


def read_noting(read, path, **options):
    """Return what is read, and the notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = read(path, **options)
    return table, [str(one.message) for one in caught]


def cells(board, *asked):
    return [board.scores.loc[model, task] for model, task in asked]


def test_a_long_table_with_a_column_a_metric_is_a_suite(published):
    suite, notes = read_noting(wl.read_suite, published / "chronos.csv", lower_is_better=["MASE", "WQL"])
    assert (len(suite.datasets), suite.metrics, len(suite.models)) == (27, ("MASE", "WQL"), 10)
    assert suite.lower_is_better == ("MASE", "WQL")
    base, mini = "amazon/chronos-bolt-base", "amazon/chronos-bolt-mini"
    assert cells(suite.leaderboard("ETTm"), (base, "MASE"), (mini, "WQL")) == [0.6334357237512225, 0.05129333450944573]
    assert cells(suite.leaderboard("exchange_rate"), (base, "WQL"), (mini, "MASE"), (base, "MASE")) == [
        0.01200682136751536,
        1.3520551553333662,
        1.7095176257412634,
    ]
    assert notes == []


def test_a_long_table_of_folds_is_a_suite_of_means(published):
    columns = {"dataset": "task", "model": "framework", "repeats_by": "fold", "keep": ["acc", "auc", "logloss"]}
    path = published / "results_large-8c4h.csv"
    suite, notes = read_noting(wl.read_suite, path, **columns, lower_is_better="logloss")
    assert (len(suite.datasets), len(suite.metrics), len(suite.models)) == (4, 3, 4)
    assert cells(suite.leaderboard("Airlines"), ("autosklearn", "auc"), ("AutoWEKA", "acc")) == [0.7261418, 0.6298289]
    assert cells(suite.leaderboard("Covertype"), ("H2OAutoML", "logloss")) == [0.2581793]
    assert cells(suite.leaderboard("Albert"), ("autosklearn", "acc")) == [pytest.approx(4.79428 / 7)]
    assert len(notes) == 1
    assert notes[0].startswith("Means over unequal repeats: 'autosklearn on Albert' on 'acc' (7 of 10)")
    with pytest.raises(wl.FileFormatError) as refused:
        wl.read_suite(path, dataset="task", model="framework", repeats_by="fold")
    assert "column 'tag' holds no number but 'stable'" in refused.value.faults


def test_datasets_as_rows_are_noted_and_turned_around(published):
    path = published / "score_summary.csv"
    with pytest.raises(wl.ReadingError, match="rows are tasks"):
        wl.read_leaderboard(path, drop="type")
    board, notes = read_noting(wl.read_leaderboard, path, drop="type", transpose=True, spread="dropped")
    assert (len(board.models), len(board.tasks), board.models[3], board.lower_is_better) == (7, 35, "h2oautoml", ())
    assert cells(board, ("autosklearn", "kc1"), ("tpot", "car"), ("autoweka", "car"), ("h2oautoml", "higgs")) == [
        0.84251,
        -0.000354137,
        -0.243389,
        0.813504,
    ]
    assert cells(board, ("randomforest", "blood-transfusion")) == [0.686283]
    assert notes == []


def test_cells_with_a_spread_hold_standard_errors(published):
    path = published / "results-mts-avg-std.csv"
    options = {"transpose": True, "spread": "standard_error", "accept_reading": True}
    board, notes = read_noting(wl.read_leaderboard, path, **options)
    assert (len(board.models), len(board.tasks)) == (9, 12)
    assert cells(board, ("MLP", "Libras"), ("TWIESN", "Libras"), ("MCDCNN", "Wafer")) == [78.0, 79.4, 65.8]
    assert board.standard_errors.loc[["MLP", "MCDCNN"], "Wafer"].tolist() == [0.0, 38.1]
    assert notes == []
    assert "Average_Rank" not in board.tasks


RATES = ("win_rate", "discrete_win_rate", "length_controlled_winrate")


def test_a_column_of_text_is_dropped_by_name(published):
    path = published / "weighted_alpaca_eval_gpt4_turbo_leaderboard.csv"
    with pytest.raises(
        wl.FileFormatError, match="column 'mode' holds no number but 'community', 'minimal', 'verified'"
    ):
        read_noting(wl.read_leaderboard, path, keep="*")
    errors = {"win_rate": "standard_error", "length_controlled_winrate": "lc_standard_error"}
    board, notes = read_noting(wl.read_leaderboard, path, drop="mode", standard_errors=errors)
    assert (len(board.models), board.tasks, notes) == (223, RATES, [])
    assert cells(board, ("claude", "win_rate"), ("gpt-4o-2024-05-13", "length_controlled_winrate")) == [
        16.98534361236025,
        57.45682883335095,
    ]
    counts = ["n_draws", "avg_length"]
    kept = wl.read_leaderboard(path, keep=counts)
    assert cells(kept, ("gpt4_1106_preview", "n_draws"), ("claude", "avg_length")) == [805, 1082]
    assert board.standard_errors.loc["claude", "win_rate"] == 1.1687959793014906


def test_a_model_once_an_image_size_has_the_mean(published):
    path = published / "results-imagenet.csv"
    options = {"drop": ["interpolation", "crop_pct"], "thousands": ",", "repeats_by": "img_size"}
    lower = ["top1_err", "top5_err", "param_count"]
    board, notes = read_noting(wl.read_leaderboard, path, **options, lower_is_better=lower)
    assert (len(board.models), board.tasks, board.lower_is_better) == (
        1266,
        ("top1", "top1_err", "top5", "top5_err", "param_count"),
        tuple(lower),
    )
    twice, once = "convnextv2_large.fcmae_ft_in22k_in1k", "eva_giant_patch14_560.m30m_ft_in22k_in1k"
    asked = ((twice, "top1"), (twice, "top5"), (twice, "top1_err"), (once, "top1"), (once, "param_count"))
    assert cells(board, *asked) == [87.38, 98.3, 12.62, 89.79, 1014.45]
    assert len(notes) == 1
    assert notes[0].startswith("Means over unequal repeats:")


def test_columns_of_standard_errors_are_no_tasks(published):
    path = published / "weighted_alpaca_eval_gpt4_turbo_leaderboard.csv"
    board = read_noting(wl.read_leaderboard, path, accept_reading=True)[0]
    assert not {"standard_error", "lc_standard_error", "mode", "n_draws"} & {*board.tasks}
