"""A suite is one score table, models x metrics, a dataset; metrics are its voters."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests import brute_force
from tests.strategies import FEWER, suites
from weightlab.exceptions import InputError, UnknownNameError

QA = pd.DataFrame({"f1": [0.9, 0.8, None], "seconds": [3, 1, 2]}, index=["ada", "bo", "cy"])
NLI = pd.DataFrame({"seconds": [5, None], "accuracy": ["0.30000000000000000001", "0.3"]}, index=["cy", "ada"])


def suite(**options):
    declared = {"lower_is_better": "seconds", "weights": {"f1": 2}, "tolerance": {"accuracy": "0.01"}, **options}
    return wl.Suite({"qa": QA, "nli": NLI}, **declared)


def test_a_suite_knows_its_names_and_declarations():
    made = suite(relative_tolerance={"f1": 0.1})
    assert made.datasets == ("qa", "nli")
    assert made.metrics == ("f1", "seconds", "accuracy")
    assert made.models == ("ada", "bo", "cy")
    assert made.lower_is_better == ("seconds",)
    assert made.weights.to_dict() == {"f1": 2, "seconds": 1, "accuracy": 1}
    assert dict(made.tolerance) == {"accuracy": Fraction(1, 100)}
    assert dict(made.relative_tolerance) == {"f1": Fraction(1, 10)}
    assert repr(made) == "Suite: 2 datasets, 3 metrics, 3 models"


def test_a_summary_counts_what_each_dataset_has():
    assert suite().summary().to_dict("index") == {
        "qa": {"models": 3, "metrics": 2, "missing": 1, "complete": 2},
        "nli": {"models": 2, "metrics": 2, "missing": 1, "complete": 1},
    }
    assert "qa" in suite()._repr_html_()


NO_LEVELS = (
    "a suite needs columns in two levels (dataset, metric), or rows in two levels (dataset, model); for a table of one "
    "dataset write Suite({'name': frame})"
)


@pytest.mark.parametrize(
    "tolerance",
    [0.1, "0.1", "1/10", Decimal("0.1"), Fraction(1, 10), np.float32(0.1), {"f1": 0.1}, pd.Series({"f1": 0.1})],
)
def test_a_tolerance_comes_in_many_shapes(tolerance):
    made = wl.Suite({"qa": QA}, tolerance=tolerance)
    assert made.tolerance["f1"] == Fraction(1, 10)
    assert ("seconds" in made.tolerance) == (not isinstance(tolerance, dict | pd.Series))


def test_what_has_no_score_on_a_dataset_is_left_out_of_it():
    frame = QA.assign(empty=[None] * 3)
    frame.loc["dee"] = None
    made = wl.Suite({"qa": frame, "nli": NLI})
    assert made.table("qa").models == ("ada", "bo", "cy")
    assert made.table("qa").columns == ("f1", "seconds")
    assert "dee" not in made.models
    assert "empty" not in made.metrics


@given(suites())
def test_the_leaderboard_of_a_dataset_is_its_table_with_what_is_declared(made):
    for dataset in made.datasets:
        board, table = made.leaderboard(dataset), made.table(dataset)
        assert (board.models, board.tasks) == (table.models, table.columns)
        assert board.scores.equals(table.frame())
        assert board.cells is table.cells
        assert board.weights.equals(made.weights[list(board.tasks)])
        assert set(board.lower_is_better) == set(made.lower_is_better) & set(board.tasks)


def test_the_tolerances_of_a_dataset_are_those_of_its_metrics():
    assert not suite().leaderboard("qa").tolerance
    assert dict(suite().leaderboard("nli").tolerance) == {"accuracy": Fraction(1, 100)}


@pytest.mark.parametrize("ask", ["leaderboard", "table"])
def test_an_unknown_dataset_is_refused(ask):
    with pytest.raises(
        UnknownNameError, match=r"^no dataset named 'nil'; the suite has 'qa', 'nli' \(did you mean 'nli'"
    ):
        getattr(suite(), ask)("nil")


def test_a_dataset_that_makes_no_leaderboard_is_named():
    made = wl.Suite({"qa": QA, "one": QA.iloc[:1]}, weights={"f1": 0})
    with pytest.raises(InputError, match=r"^dataset 'one': a leaderboard needs at least two models; got 1: 'ada'$"):
        made.leaderboard("one")
    weightless = wl.Suite({"qa": QA, "nli": NLI[["accuracy"]]}, weights={"accuracy": 0})
    with pytest.raises(InputError, match=r"^dataset 'nli': all weights are 0$"):
        weightless.leaderboard("nli")


@pytest.mark.parametrize(
    ("tables", "options", "faults"),
    [
        ({}, {}, ["at least one dataset is needed; got none"]),
        (None, {}, ["a mapping from datasets to tables is needed; got a NoneType"]),
        (
            QA,
            {"lower_is_better": "f1"},
            [NO_LEVELS],
        ),
        ({"qa": QA, "": QA}, {}, ["dataset number 2 has an empty name"]),
        ({1: QA, "1": QA}, {}, ["duplicate dataset name '1'"]),
        ({"qa": QA * np.nan}, {}, ["dataset 'qa' has no score at all"]),
        ({"qa": None}, {}, ["dataset 'qa': a table of scores is needed; got None"]),
        (
            {"qa": QA},
            {"lower_is_better": "second"},
            ["lower is better: no metric named 'second'; the suite has 'f1', 'seconds'"],
        ),
        ({"qa": QA}, {"weights": {"seconds": -1}}, ["weight of metric 'seconds' is negative: -1"]),
        ({"qa": QA}, {"weights": [0, 0]}, ["all weights are 0"]),
        ({"qa": QA}, {"tolerance": -1}, ["tolerance is negative: -1"]),
        (
            {"qa": QA},
            {"relative_tolerance": {"f1": "x"}},
            ["relative tolerance of metric 'f1': 'x' is not a finite number"],
        ),
        (
            {"qa": QA},
            {"tolerance": 1, "relative_tolerance": {"f1": 1}},
            ["metric 'f1' has both a tolerance and a relative tolerance; give one"],
        ),
        (
            {"qa": pd.DataFrame({"f1": ["x", 1], "em": [1, "y"]}, index=["a", "a"]), "nli": NLI.replace("0.3", np.inf)},
            {"lower_is_better": ["f1", "accuracy", "speed"]},
            [
                "dataset 'qa': duplicate model name 'a'",
                (
                    "dataset 'qa': model 'a', metric 'f1': 'x' is not a number (and 1 more likewise: model 'a', "
                    "metric 'em')"
                ),
                "dataset 'nli': model 'ada', metric 'accuracy': inf is infinite",
                "lower is better: no metric named 'speed'; the suite has 'f1', 'em', 'seconds', 'accuracy'",
            ],
        ),
    ],
)
def test_every_fault_of_a_suite_is_in_one_error(tables, options, faults):
    with pytest.raises(InputError) as caught:
        wl.Suite(tables, **options)
    found = [fault.split(" (did you mean")[0] for fault in caught.value.faults]
    if tables is None or isinstance(tables, pd.DataFrame):
        found = found[:1]
    assert found == faults


# One leaderboard over all datasets ------------------------------------------------------------------------------------


@given(suites(plain=True))
def test_one_leaderboard_has_a_task_for_each_metric_of_each_dataset(made):
    board = made.to_leaderboard()
    pairs = [(m, d) for m in made.metrics for d in made.datasets if m in made.table(d).columns]
    assert board.tasks == tuple(f"{metric}/{dataset}" for metric, dataset in pairs)
    assert board.models == made.models
    for task, (metric, dataset) in zip(board.tasks, pairs, strict=True):
        table = made.table(dataset)
        exact = dict(zip(table.models, table.cells.column(table.columns.index(metric)), strict=True))
        assert board.cells.column(board.tasks.index(task)) == [exact.get(model) for model in board.models]
        assert board.weights[task] == made.weights[metric]
        assert (task in board.lower_is_better) == (metric in made.lower_is_better)
    assert dict(board.groups) == {
        metric: tuple(f"{one}/{dataset}" for one, dataset in pairs if one == metric) for metric in made.metrics
    }


def test_one_leaderboard_keeps_tolerances():
    board = suite(relative_tolerance={"f1": "1/3"}).to_leaderboard()
    assert dict(board.tolerance) == {"accuracy/nli": Fraction(1, 100)}
    assert dict(board.relative_tolerance) == {"f1/qa": Fraction(1, 3)}


def test_groups_of_one_leaderboard_can_be_named():
    board = suite().to_leaderboard({"quality": ["accuracy", "f1"], "speed": "seconds"})
    assert dict(board.groups) == {"quality": ("f1/qa", "accuracy/nli"), "speed": ("seconds/qa", "seconds/nli")}


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (
            {"speed": ["second"]},
            "group 'speed': no metric named 'second'; the suite has 'f1', 'seconds', 'accuracy' (did",
        ),
        ({"none": []}, "group 'none' has no tasks"),
        ({"all": 3}, "group 'all': metric names are needed, one or a list; got 3"),
    ],
)
def test_groups_of_metrics_that_do_not_fit_are_refused(groups, message):
    with pytest.raises(InputError) as caught:
        suite().to_leaderboard(groups)
    assert str(caught.value).startswith(message)


def test_two_tasks_never_get_the_same_name():
    made = wl.Suite({"b/c": QA.rename(columns={"f1": "a"}), "c": QA.rename(columns={"f1": "a/b"})})
    with pytest.raises(InputError) as caught:
        made.to_leaderboard()
    assert str(caught.value) == (
        "metric 'a' on dataset 'b/c' and metric 'a/b' on dataset 'c' would both be the task 'a/b/c'; "
        "choose another separator"
    )
    assert made.to_leaderboard(separator=" @ ").tasks == ("a @ b/c", "seconds @ b/c", "seconds @ c", "a/b @ c")


# Majority relations ---------------------------------------------------------------------------------------------------


@FEWER
@given(suites(), st.booleans())
def test_majority_relations_are_those_of_each_datasets_leaderboard(made, strict):
    absent = [d for d in made.datasets if set(made.table(d).models) != set(made.models)]
    if absent:
        with pytest.raises(InputError, match="has no score of"):
            made.majority_relations(strict=strict)
        return
    relations = made.majority_relations(strict=strict)
    assert (relations.items, relations.models) == (made.datasets, made.models)
    for dataset in made.datasets:
        board, frame = made.leaderboard(dataset), relations.of(dataset)
        for one in made.models:
            for other in made.models:
                assert frame.loc[one, other] == brute_force.at_least_as_good(board, one, other, strict=strict)


def test_majority_relations_need_every_model_everywhere():
    with pytest.raises(InputError) as caught:
        suite().majority_relations()
    assert str(caught.value) == "dataset 'nli' has no score of 'bo'"
    many = wl.Suite({"x": pd.DataFrame({"f1": range(9)}, index=list("abcdefghi")), "y": {"f1": {"a": 1, "b": 2}}})
    with pytest.raises(InputError, match=r"^dataset 'y' has no score of 'c', 'd', 'e', 'f', 'g' and 2 more$"):
        many.majority_relations()


def test_models_in_another_order_are_the_same_models():
    made = wl.Suite({"x": {"f1": {"a": 1, "b": 2}}, "y": {"f1": {"b": 2, "a": 1}}})
    relations = made.majority_relations(strict=True)
    assert not relations.of("x").loc["a", "b"]
    assert (relations.of("x") == relations.of("y")).all(axis=None)


# Choosing -------------------------------------------------------------------------------------------------------------


@given(suites(missing=False), st.data())
def test_selecting_keeps_scores_and_declarations_of_what_is_kept(made, data):
    chosen = {
        kind: data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        for kind, names in (("datasets", made.datasets), ("models", made.models), ("metrics", made.metrics))
    }
    if not any(made.weights[metric] for metric in chosen["metrics"]):
        with pytest.raises(InputError, match=r"^all metrics that stay have weight 0$"):
            made.select(**chosen)
        return
    some = made.select(**chosen)
    assert (some.datasets, some.models, some.metrics) == tuple(map(tuple, chosen.values()))
    for dataset in some.datasets:
        kept = made.table(dataset).frame().loc[list(some.models), list(some.metrics)]
        assert some.table(dataset).frame().equals(kept)
    assert some.weights.equals(made.weights[list(some.metrics)])
    assert some.lower_is_better == tuple(metric for metric in some.metrics if metric in made.lower_is_better)


@FEWER
@given(suites())
def test_selecting_everything_changes_nothing(made):
    assert made.select().equals(made)
    assert made.select(datasets=made.datasets, models=made.models, metrics=made.metrics).models == made.models


def test_names_are_kept_once_and_need_no_list():
    some = suite().select(datasets="qa", models=["bo", "ada", "bo"], metrics=["f1", "f1"])
    assert (some.datasets, some.models, some.metrics) == (("qa",), ("bo", "ada"), ("f1",))


@pytest.mark.parametrize(
    ("chosen", "faults"),
    [
        ({"datasets": []}, ["at least one dataset is needed; got none"]),
        ({"models": "bo"}, ["dataset 'nli' has no score of what is kept"]),
        ({"metrics": []}, ["dataset 'qa' has no score of what is kept (and 1 more likewise: dataset 'nli')"]),
        (
            {"datasets": ["q"], "models": ["eve"], "metrics": ["speed"]},
            [
                "no dataset named 'q'; the suite has 'qa', 'nli' (did you mean 'qa'?)",
                "no model named 'eve'; the suite has 'ada', 'bo', 'cy'",
                "no metric named 'speed'; the suite has 'f1', 'seconds', 'accuracy'",
            ],
        ),
    ],
)
def test_selections_that_make_no_suite_are_refused(chosen, faults):
    with pytest.raises(InputError) as caught:
        suite().select(**chosen)
    assert list(caught.value.faults) == faults


@given(suites())
def test_complete_models_have_every_score_of_every_dataset(made):
    kept = [
        model
        for model in made.models
        if all(model in made.table(d).models and made.table(d).frame().loc[model].notna().all() for d in made.datasets)
    ]
    if len(kept) < 2:
        verb = "has" if len(kept) == 1 else "have"
        with pytest.raises(InputError) as caught:
            made.complete()
        start = f"only {len(kept)} of {len(made.models)} models {verb} every score on every dataset"
        assert str(caught.value) == f"{start}; two are needed"
    else:
        assert made.complete().equals(made.select(models=kept))
        assert not made.complete().summary()["missing"].any()


# Immutability ---------------------------------------------------------------------------------------------------------


@FEWER
@given(suites())
def test_a_suite_survives_pickling_and_copying(made):
    for back in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):  # noqa: S301 (our own pickle)
        assert back.equals(made)
        assert not any(back.table(dataset).cells.floats.flags.writeable for dataset in back.datasets)


@pytest.mark.parametrize(
    "changed",
    [{"lower_is_better": ()}, {"weights": {"f1": 1}}, {"tolerance": 0}, {"relative_tolerance": {"f1": 1}}],
)
def test_other_declarations_make_another_suite(changed):
    assert suite().equals(suite())
    assert not suite().equals(suite(**changed))


def test_other_scores_or_names_make_another_suite():
    assert not suite().equals(suite().select(datasets=["nli", "qa"]))
    assert not wl.Suite({"x": QA}).equals(wl.Suite({"y": QA}))
    assert not wl.Suite({"x": QA}).equals(wl.Suite({"x": QA + 1}))
    assert not wl.Suite({"x": QA}).equals(wl.Suite({"x": QA.rename(columns={"f1": "em"})}))


def test_a_suite_cannot_be_changed():
    with pytest.raises(AttributeError):
        suite().datasets = ()
    with pytest.raises(TypeError):
        suite().tolerance["f1"] = 1
    frame = QA.copy()
    made = wl.Suite({"qa": frame})
    frame.iloc[0, 0] = 5
    assert made.equals(wl.Suite({"qa": QA}))
