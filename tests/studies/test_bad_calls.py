"""Calls of studies that make no sense are refused in one clear sentence."""

from __future__ import annotations

import pytest

import weightlab as wl
from weightlab import studies
from weightlab.exceptions import InputError, MissingScoresError

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}})
GAPS = wl.Leaderboard({"x": {"a": 3, "b": None, "c": 1}, "y": {"a": 1, "b": 3, "c": None}})
SUITE = wl.Suite({"qa": {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}}})
SMALL = {"models": 3, "tasks": 2, "instances": 1, "repeats": 1, "rng": 0}


DRAWING = {
    "missing_scores": lambda **options: studies.missing_scores(BOARD, "borda", **options),
    "task_removal": lambda **options: studies.task_removal(BOARD, "borda", **options),
    "task_addition": lambda **options: studies.task_addition(BOARD, "borda", **options),
    "irrelevant_models": lambda **options: studies.irrelevant_models(BOARD, "borda", **options),
    "manipulation": lambda **options: studies.manipulation("borda", **{**SMALL, **options}),
    "bootstrap": lambda **options: studies.bootstrap(BOARD, "borda", **options),
}
"""Studies that draw at random, all of which take these options."""


@pytest.mark.parametrize("study", DRAWING)
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"repeats": 0}, "repeats must be a whole number from 1; got 0"),
        ({"rng": -1}, "rng must be a seed"),
        ({"n_jobs": 0}, "n_jobs must be 1 or more"),
    ],
    ids=["repeats", "rng", "n_jobs"],
)
def test_options_of_draws_are_looked_at(study, options, error):
    with pytest.raises(InputError, match=error):
        DRAWING[study](**{"repeats": 1, "rng": 0, **options})


@pytest.mark.parametrize("study", ["missing_scores", "task_removal", "task_addition"])
def test_as_many_models_as_are_looked_at_apart_are_a_whole_number(study):
    with pytest.raises(InputError, match="top must be a whole number from 1; got 0"):
        DRAWING[study](repeats=1, rng=0, top=0)


@pytest.mark.parametrize("options", [0, [], ["ties"], "ties", 7])
def test_options_are_a_mapping(options):
    with pytest.raises(InputError, match="options are a mapping"):
        studies.agreement(BOARD, ["borda", "mean"], options=options)


@pytest.mark.parametrize("rules", [0, 1.5, object()])
def test_rules_are_rules(rules):
    with pytest.raises(InputError, match="rules are one, several, or a mapping of them by name"):
        studies.dispersion(BOARD, rules, repeats=0)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("top", lambda: studies.agreement(BOARD, ["borda", "mean"], top=3)),
        ("last", lambda: studies.agreement(BOARD, ["borda", "mean"], last="3")),
        ("counts", lambda: studies.missing_scores(BOARD, "borda", counts=1)),
        ("sizes", lambda: studies.task_removal(BOARD, "borda", sizes=1)),
        ("factors", lambda: studies.manipulation("borda", factors=2, **SMALL)),
        ("dispersions", lambda: studies.manipulation("borda", dispersions=0.1, **SMALL)),
        ("reversed_tasks", lambda: studies.manipulation("borda", reversed_tasks=1, **SMALL)),
    ],
)
def test_lists_are_lists(name, call):
    with pytest.raises(InputError, match=f"{name} must be a list, such as "):
        call()


@pytest.mark.parametrize("arrivals", [3, "abc", [None]])
def test_orders_of_arrival_are_lists_of_lists(arrivals):
    with pytest.raises(InputError, match="arrivals are several orders, each a list of all models"):
        studies.irrelevant_models(BOARD, "borda", arrivals=arrivals)


def test_ways_to_break_ties_are_names():
    with pytest.raises(InputError, match="break_ties must be"):
        studies.irrelevant_models(BOARD, "borda", break_ties=[], rng=0)


def test_whether_the_last_model_arrives_is_true_or_false():
    with pytest.raises(InputError, match="last must be True or False; got 'no'"):
        studies.irrelevant_models(BOARD, "borda", last="no", rng=0)


@pytest.mark.parametrize("top", ["2", None, 1, 2.0, float("nan")])
def test_as_many_models_as_are_ranked_are_a_whole_number(top):
    with pytest.raises(InputError, match="top must be a whole number from 2"):
        studies.flips(SUITE, by="x", top=top)


@pytest.mark.parametrize("n_jobs", [0, "2", 1.5])
@pytest.mark.parametrize("rule", ["borda", "copeland"])
def test_a_number_of_processes_is_looked_at_even_where_one_will_do(rule, n_jobs):
    with pytest.raises(InputError, match="n_jobs must be 1 or more"):
        studies.bootstrap(BOARD, rule, repeats=2, rng=0, n_jobs=n_jobs)


def test_how_instances_are_taken_is_looked_at_even_where_there_are_none():
    with pytest.raises(InputError, match="how must be"):
        studies.bootstrap(BOARD, "borda", how="both", repeats=2, rng=0)
    with pytest.raises(InputError, match="how must be"):
        studies.task_removal(BOARD, "borda", how="both", repeats=2, rng=0)


def test_nobody_rounds_to_a_milliard_decimals():
    with pytest.raises(InputError, match="decimals are a whole number of at most 400"):
        studies.discriminative_power(BOARD, "mean", decimals=10**9)


@pytest.mark.parametrize("error", ["1", None, 0, 1.5, True])
def test_an_error_is_a_share(error):
    found = studies.manipulation("borda", **SMALL)
    with pytest.raises(InputError, match="error must be above 0 and at most 1"):
        found.breaking_points(error)


def test_a_reference_is_named():
    with pytest.raises(InputError, match="reference is the name of a rule"):
        studies.agreement(BOARD, ["borda", "mean"], reference=["mean"])


@pytest.mark.parametrize("study", [studies.task_removal, studies.task_addition])
def test_a_rule_without_an_answer_on_all_tasks_says_why(study):
    with pytest.raises(MissingScoresError, match="2 missing scores: 'b' on 'x'"):
        study(GAPS, "borda", repeats=1, rng=0)
    with pytest.raises(InputError, match="borda: 2 missing scores: 'b' on 'x'"):
        study(GAPS, repeats=1, rng=0)


def test_of_two_models_none_can_leave():
    two = wl.Leaderboard({"x": {"a": 3, "b": 2}})
    assert str(studies.single_changes(two, "borda")) == (
        "With two models, adding or removing one leaves no pair whose order could change."
    )
