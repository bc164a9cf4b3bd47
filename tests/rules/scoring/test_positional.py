"""Scoring rules give the points that are written down, shared as is said."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dice import DICE
from tests.rules import brute_force
from tests.rules.strategies import boards, profile_of, profiles, weighted_points
from weightlab.data import Leaderboard
from weightlab.exceptions import InputError, MissingScoresError
from weightlab.rules import rank
from weightlab.rules.inputs import InapplicableError
from weightlab.rules.scoring import positional

TIES = st.sampled_from(["average", "min", "max"])
NAMED = ["borda", "plurality", "veto", "dowdall"]
VECTORS = {
    "borda": brute_force.borda_vector,
    "plurality": brute_force.plurality_vector,
    "veto": brute_force.veto_vector,
    "dowdall": lambda count: [Fraction(1, place + 1) for place in range(count)],
}


@pytest.mark.parametrize("rule", NAMED)
@given(profile=profiles(gaps=True), ties=TIES)
def test_points_are_those_counted_place_by_place(rule, profile, ties):
    expected = brute_force.totals(profile, profile.models, VECTORS[rule](len(profile.models)), ties)
    ranking = rank(profile, rule, ties=ties, missing="last")
    assert ranking.scores.to_dict() == expected
    assert ranking.order == brute_force.by_score(expected)


@pytest.mark.parametrize("rule", NAMED)
@given(board=boards(lower=True), ties=TIES)
def test_points_are_those_of_the_board_weighted(rule, board, ties):
    expected = weighted_points(board, board.points(rule, ties=ties))
    assert rank(board, rule, ties=ties).scores.to_dict() == expected


@pytest.mark.parametrize("ties", ["average", "min", "max"])
@pytest.mark.parametrize("rule", ["borda", "dowdall"])
def test_points_that_no_machine_integer_holds_stay_exact(rule, ties):
    # Shares of places by 1, 2, ..., 41 models, and of points with denominators up to 861.
    names = iter(range(861))
    order = [tuple(f"m{next(names)}" for _ in range(size)) for size in range(1, 42)]
    profile = profile_of([order, order[::-1]])
    expected = brute_force.totals(profile, profile.models, VECTORS[rule](861), ties)
    assert rank(profile, rule, ties=ties).scores.to_dict() == expected


@given(profile=profiles(), ties=TIES, dice=DICE)
def test_k_approval_is_the_vector_of_k_ones(profile, ties, dice):
    k = dice.between(1, len(profile.models))
    vector = [1] * k + [0] * (len(profile.models) - k)
    approval = rank(profile, "k_approval", k=k, ties=ties).scores
    assert approval.equals(rank(profile, "scoring", vector=vector, ties=ties).scores.rename("k_approval"))


@given(profile=profiles(), ties=TIES)
def test_plurality_and_veto_are_the_two_ends_of_k_approval(profile, ties):
    ends = {"plurality": 1, "veto": len(profile.models) - 1}
    for name, k in ends.items():
        approval, end = rank(profile, "k_approval", k=k, ties=ties), rank(profile, name, ties=ties)
        assert approval.scores.to_dict() == end.scores.to_dict()


@given(profile=profiles(ties=False))
def test_without_ties_their_treatment_makes_no_difference(profile):
    for rule in (*NAMED, "baldwin", "nanson", "instant_runoff", "coombs", "threshold"):
        orders = {rank(profile, rule, ties=ties).order for ties in ("average", "min", "max")}
        assert len(orders) == 1


@given(profile=profiles())
def test_a_vector_may_be_stretched_and_shifted(profile):
    count = len(profile.models)
    moved = [Fraction(3, 7) * points - 2 for points in brute_force.borda_vector(count)]
    assert rank(profile, "scoring", vector=moved).order == rank(profile, "borda").order


def test_the_scoring_vector_of_the_song_contest():
    profile = profile_of(["abc", "acb", "bca"])
    assert rank(profile, "scoring", vector=[12, 10, "0.5"]).scores.to_dict() == {
        "a": Fraction(49, 2),
        "b": Fraction(45, 2),
        "c": Fraction(41, 2),
    }


@pytest.mark.parametrize(
    ("rule", "options", "message"),
    [
        ("k_approval", {"k": 0}, "k must be a whole number from 1 to the number of models"),
        ("k_approval", {"k": 4}, "k must be a whole number from 1 to the number of models"),
        ("k_approval", {"k": 1.5}, "k must be a whole number"),
        ("scoring", {"vector": [1, 2, 3]}, "must not rise"),
        ("scoring", {"vector": [2, 1]}, "needs 3 numbers; got 2"),
        ("scoring", {"vector": "bordo"}, "no scoring vector named 'bordo'"),
        ("borda", {"ties": "first"}, "ties must be 'average', 'min' or 'max'"),
        ("borda", {"tis": "max"}, r"no option 'tis'; it has 'ties', 'missing', 'unlisted' \(did you mean 'ties'\?\)"),
    ],
)
def test_wrong_options_are_refused(rule, options, message):
    with pytest.raises(InputError, match=message):
        rank(profile_of(["abc"]), rule, **options)


def test_gaps_are_refused_unless_it_is_said_what_they_count():
    board = Leaderboard({"x": {"ada": 2, "bo": None, "cy": 1}, "y": {"ada": 1, "bo": 2, "cy": 0}})
    ways = "pass missing='last' or missing='skip' or missing='median'"
    with pytest.raises(MissingScoresError, match=rf"'bo' on 'x'; .*or {ways}"):
        rank(board, "borda")
    assert rank(board, "borda", missing="last").scores.to_dict() == {"ada": 3, "bo": 2, "cy": 1}
    assert rank(board, "borda", missing="skip").scores.to_dict() == {"bo": 4, "ada": 2, "cy": 0}
    with pytest.raises(InapplicableError, match="missing must be 'error', 'last' or 'median'; got 'skip'"):
        rank(board, "plurality", missing="skip")


@given(profile=profiles(gaps=True), ties=TIES)
def test_points_that_skip_gaps_are_shares_of_the_tasks_in_common(profile, ties):
    expected = brute_force.points_on_shared_tasks(profile, ties)
    if None in expected.values():
        with pytest.raises(InapplicableError, match="compared on the tasks that both have: none; pass missing='last'"):
            rank(profile, "borda", ties=ties, missing="skip")
        return
    ranking = rank(profile, "borda", ties=ties, missing="skip")
    assert ranking.scores.to_dict() == expected
    assert ranking.order == brute_force.by_score(expected)


def test_two_models_that_never_meet_are_not_offered_to_be_compared():
    board = Leaderboard({"x": {"ada": 2, "bo": None, "cy": 1}, "y": {"ada": None, "bo": 2, "cy": 0}})
    with pytest.raises(MissingScoresError, match=r"missing='last' or missing='median'") as caught:
        rank(board, "borda")
    assert {cure.value for cure in caught.value.cure if cure.argument == "missing"} == {"last", "median"}


def test_a_board_with_a_tolerance_has_no_places():
    board = Leaderboard({"x": {"a": 1, "b": 2}}, tolerance=1)
    with pytest.raises(InapplicableError, match="ties within a score tolerance are not transitive"):
        rank(board, "borda")


def test_margins_have_no_places_and_no_scores():
    margins = Leaderboard({"x": {"a": 1, "b": 2}}).margins()
    with pytest.raises(InapplicableError, match=r"reads places on tasks: give it .*, not a Margins"):
        rank(margins, "borda")
    with pytest.raises(InapplicableError, match="reads scores: give it a Leaderboard, not a Margins"):
        rank(margins, "mean")


@pytest.mark.parametrize("rule", NAMED)
@given(profile=profiles(gaps=True), ties=TIES, size=st.integers(1, 12))
def test_points_do_not_depend_on_how_many_tasks_are_counted_together(rule, profile, ties, size):
    together = rank(profile, rule, ties=ties, missing="last")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positional, "BLOCK_CELLS", size)
        assert rank(profile, rule, ties=ties, missing="last").scores.to_dict() == together.scores.to_dict()
