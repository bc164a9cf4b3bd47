"""What searches and trackers of experiments export is read as they mean it."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import weightlab as wl

MLFLOW = (
    "run_id,experiment_id,status,start_time,metrics.accuracy,metrics.fit_seconds,params.depth,tags.mlflow.runName,"
    "tags.mlflow.user\n"
    "a1,0,FINISHED,2025-01-01 10:00:00,0.91,12.5,3,brave-fox,ada\n"
    "c3,0,FINISHED,2025-01-01 12:00:00,0.93,20.1,5,calm-owl,bo\n"
    "e5,0,FAILED,2025-01-01 14:00:00,,,5,sad-cat,bo\n"
)
WANDB = (
    "Name,State,User,Created,Runtime,Sweep,config.lr,_step,_runtime,_timestamp,val/accuracy\n"
    "brave-fox,finished,ada,2025-01-01T10:00:00Z,3600,,0.1,1000,3599.5,1735725600,0.91\n"
    "calm-owl,crashed,ada,2025-01-01T12:00:00Z,700,,0.01,200,699.5,1735732800,0.93\n"
)
MLFLOW_PAGE = (
    "Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,f1\n"
    "2025-01-01 10:00:00,12.3s,a1,fox,LOCAL,t.py,ada,FINISHED,0.91\n"
    "2025-01-01 11:00:00,14s,c3,owl,LOCAL,t.py,ada,FINISHED,1\n"
)


@pytest.mark.parametrize(
    ("text", "models", "tasks", "lower"),
    [
        (MLFLOW, ("brave-fox", "calm-owl"), ("metrics.accuracy", "metrics.fit_seconds"), ("metrics.fit_seconds",)),
        (WANDB, ("brave-fox", "calm-owl"), ("val/accuracy",), ()),
        (MLFLOW_PAGE, ("fox", "owl"), ("f1",), ()),
    ],
)
def test_the_name_of_a_run_is_the_model_and_its_settings_are_facts(text, models, tasks, lower):
    board, reading = wl.read_leaderboard(io.StringIO(text)), wl.propose_reading(io.StringIO(text))
    assert (board.models, board.tasks, board.lower_is_better) == (models, tasks, lower)
    assert "columns as" in reading.line
    assert not reading.is_doubtful


def test_settings_of_a_page_are_facts():
    head = "Run ID,Name,Source Type,Status,alpha,criterion_weight,max_depth,accuracy,rmse\n"
    text = f"{head}a1,fox,LOCAL,FINISHED,0.5,3,7,0.91,4\nc3,owl,LOCAL,FINISHED,0.25,4,9,0.93,3\n"
    board = wl.read_leaderboard(io.StringIO(text))
    assert (board.tasks, board.lower_is_better) == (("accuracy", "rmse"), ("rmse",))
    head = "Run ID,Name,Source Type,Status,n_trials,prune,cv mean acc b12,global_mcc,pretrain_epochs\n"
    page = io.StringIO(f"{head}a1,fox,LOCAL,FINISHED,9,0.1,0.5,0.7,100\nc3,owl,LOCAL,FINISHED,9,0.1,0.25,0.8,200\n")
    assert wl.read_leaderboard(page).tasks == ("cv mean acc b12", "global_mcc")
    head = "Name,State,Runtime,Sweep,batch_size,lr,timing_frequency,epoch,val/accuracy\n"
    page = io.StringIO(f"{head}fox,finished,3,s,8,0.1,50,1,0.9\nowl,done,4,s,9,0.2,60,2,0.8\n")
    assert wl.read_leaderboard(page).tasks == ("val/accuracy",)


def test_runs_of_one_name_are_told_apart_by_their_number():
    text = MLFLOW.replace("calm-owl", "brave-fox")
    assert wl.read_leaderboard(io.StringIO(text)).models == ("a1", "c3")


def search():
    frame = {"mean_fit_time": [0.1, 0.2, 0.3], "std_fit_time": [0.0, 0.1, 0.2], "param_depth": [1, 2, 3]}
    frame |= {"params": [{"depth": 1}, {"depth": 2}, {"depth": 3}]}
    frame |= {"split0_test_score": [0.1, 0.5, 0.7], "split1_test_score": [0.3, 0.5, 0.9]}
    return frame | {"mean_test_score": [0.2, 0.5, 0.8], "std_test_score": [0.1, 0, 0.1], "rank_test_score": [3, 2, 1]}


@pytest.mark.parametrize(
    "made", [pd.DataFrame, dict, lambda found: io.StringIO(pd.DataFrame(found).to_csv(index=False))]
)
def test_a_search_is_its_mean_test_scores(made):
    given = made(search())
    board = wl.read_leaderboard(given) if isinstance(given, io.StringIO) else wl.Leaderboard(given)
    assert board.models == ("{'depth': 1}", "{'depth': 2}", "{'depth': 3}")
    assert board.tasks == ("mean_test_score",)
    assert board.declarations.doubt("task") is None


def test_the_search_of_scikit_learn_is_one():
    selection = pytest.importorskip("sklearn.model_selection", reason="scikit-learn is absent")
    trees = pytest.importorskip("sklearn.tree", reason="scikit-learn is absent")
    tree = trees.DecisionTreeClassifier(random_state=0)
    found = selection.GridSearchCV(tree, {"max_depth": [1, 2]}, cv=2, scoring=["accuracy", "neg_log_loss"], refit=False)
    found.fit([[0], [1], [2], [3], [4], [5]] * 2, [0, 1, 0, 1, 0, 1] * 2)
    board = wl.Leaderboard(found.cv_results_)
    assert board.tasks == ("mean_test_accuracy", "mean_test_neg_log_loss")
    assert board.lower_is_better == ()


def test_the_frame_of_evaluations_that_inspect_makes_is_tasks_by_models():
    rows = [("e1", "arc", "a", 0.5), ("e2", "gsm", "a", 0.6), ("e3", "arc", "b", 0.7), ("e4", "gsm", "b", 0.2)]
    frame = pd.DataFrame(rows, columns=["eval_id", "task_name", "model", "score_headline_value"])
    frame = frame.assign(created="2025-01-01", status="success", total_samples=100, score_headline_metric="accuracy")
    board = wl.Leaderboard(frame)
    assert (board.models, board.tasks) == (("a", "b"), ("arc", "gsm"))


def test_other_tables_are_left_alone():
    text = "Name,State,Runtime\na,NY,5\nb,LA,6\n"
    assert "columns as" not in wl.propose_reading(io.StringIO(text)).line
