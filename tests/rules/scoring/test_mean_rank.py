"""Mean ranks and mean win rates."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules import brute_force
from tests.rules.strategies import profile_of, profiles
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.rules import rank
from weightlab.rules.inputs import InapplicableError

TIES = st.sampled_from(["average", "min", "max"])


@given(profile=profiles(gaps=True), ties=TIES)
def test_a_win_rate_is_the_share_of_rivals_led_where_both_have_a_score(profile, ties):
    expected = brute_force.win_rates(profile, ties)
    if None in expected.values():
        with pytest.raises(InputError, match="meets no rival on any task that weighs"):
            rank(profile, "mean_win_rate", ties=ties, missing="skip")
    else:
        ranking = rank(profile, "mean_win_rate", ties=ties, missing="skip")
        assert ranking.scores.to_dict() == expected
        assert ranking.order == brute_force.by_score(expected)


@given(profile=profiles(gaps=True), ties=TIES)
def test_a_mean_rank_is_taken_over_the_tasks_that_rank_the_model(profile, ties):
    expected = brute_force.mean_ranks(profile, ties)
    if None in expected.values():
        with pytest.raises(InputError, match="meets no rival on any task that weighs"):
            rank(profile, "mean_rank", ties=ties, missing="skip")
    else:
        ranking = rank(profile, "mean_rank", ties=ties, missing="skip")
        assert ranking.scores.to_dict() == expected
        assert ranking.order == tuple(reversed(brute_force.by_score(expected)))


@given(profile=profiles(), ties=TIES)
def test_without_gaps_both_rank_as_borda_does(profile, ties):
    borda = rank(profile, "borda", ties=ties)
    count, total = len(profile.models), sum(profile.weights)
    rates, ranks = rank(profile, "mean_win_rate", ties=ties), rank(profile, "mean_rank", ties=ties)
    assert rates.order == ranks.order == borda.order
    for model in profile.models:
        assert rates.scores[model] == borda.scores[model] / total / (count - 1)
        assert ranks.scores[model] == count - borda.scores[model] / total


def test_win_rates_as_helm_counts_them():
    # Ties count half; a scenario that a model lacks is left out of its mean, and a scenario with one model altogether.
    board = Leaderboard(
        {"s1": {"a": 3, "b": 2, "c": 2}, "s2": {"a": 1, "b": 2}, "s3": {"a": 5}, "s4": {"a": 1, "b": 1, "c": 0}}
    )
    expected = {
        "a": Fraction(1 + 0 + Fraction(3, 4), 3),
        "b": Fraction(1, 3) * (Fraction(1, 4) + 1 + Fraction(3, 4)),
        "c": Fraction(1, 2) * (Fraction(1, 4) + 0),
    }
    assert rank(board, "mean_win_rate", missing="skip").scores.to_dict() == expected


@pytest.mark.parametrize(
    ("columns", "lower", "rates"),
    [
        ({"s": [1, 2, 3, 4, 5]}, [], ["0", "0.25", "0.5", "0.75", "1"]),
        ({"s": [1, 2, 3, 4, 5]}, ["s"], ["1", "0.75", "0.5", "0.25", "0"]),
        ({"s": [1, 1, 1, 4, 5]}, [], ["0.25", "0.25", "0.25", "0.75", "1"]),
        ({"s": [1, 2, 3, 4, 5], "t": [3, 1, 2, 5, 4]}, [], ["0.25", "0.125", "0.375", "0.875", "0.875"]),
        ({"s": [1, 2, 3, 4, 5], "t": [3, 1, None, None, None]}, [], ["0.5", "0.125", "0.5", "0.75", "1"]),
        ({"s": [1, 2, 3, 4, 5], "t": [None, 1, None, None, None]}, [], ["0", "0.25", "0.5", "0.75", "1"]),
    ],
    ids=["in order", "lower is better", "ties", "two scenarios", "gaps", "a scenario with one model"],
)
def test_win_rates_are_those_that_helm_reports(columns, lower, rates):
    # What compute_aggregate_row_win_rates of crfm-helm (helm/benchmark/presentation/summarize.py) says of these tables.
    scores = {task: dict(zip("ABCDE", column, strict=True)) for task, column in columns.items()}
    ranking = rank(Leaderboard(scores, lower_is_better=lower), "mean_win_rate", missing="skip")
    assert ranking.scores.to_dict() == {model: Fraction(rate) for model, rate in zip("ABCDE", rates, strict=True)}


@pytest.mark.parametrize("rule", ["mean_rank", "mean_win_rate"])
def test_gaps_are_refused_with_what_may_be_said_about_them(rule):
    profile = profile_of([["ada", "bo"], ["ada"]])
    with pytest.raises(MissingScoresError, match=r"'bo' on '2'; pass unlisted='last' or missing='skip'"):
        rank(profile, rule)
    with pytest.raises(InapplicableError, match="medians need scores, and a profile has none"):
        rank(profile, rule, missing="median")
    with pytest.raises(InapplicableError, match="missing must be 'error', 'skip' or 'median'; got 'last'"):
        rank(profile, rule, missing="last")


@pytest.mark.parametrize("rule", ["mean_rank", "mean_win_rate"])
def test_an_unknown_way_with_ties_is_refused(rule):
    with pytest.raises(InputError, match="ties must be 'average', 'min' or 'max'; got 'first'"):
        rank(profile_of(["ab"]), rule, ties="first")
