"""Bradley-Terry strengths: when they exist, what they are, and who is proved the stronger."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.rules import brute_force
from tests.rules.strategies import profile_of, profiles
from weightlab.data import Leaderboard, Margins, Profile
from weightlab.exceptions import ImpossibleError, InputError, ProofError, UnprovedError
from weightlab.rules import NoEstimate, rank
from weightlab.rules.scoring.bradley_terry import (
    Meetings,
    enclosure,
    float_enclosure,
    maximum_likelihood,
    round_robin_points,
)


def margins_of(wins, ties=None):
    wins = np.array(wins, dtype=np.int64)
    ties = np.zeros_like(wins) if ties is None else np.array(ties, dtype=np.int64)
    return Margins(models=tuple("abcdefgh"[: len(wins)]), wins=wins, ties=ties, denominator=1)


def strengths_of(margins):
    """Return the ranking, or the proof that there is none."""
    try:
        return rank(margins, "bradley_terry")
    except ImpossibleError as error:
        error.proof.verify(margins)
        return error.proof


@settings(max_examples=60)
@given(profile=profiles(gaps=True, most_voters=6))
def test_the_strengths_are_those_that_minorisation_and_maximisation_finds(profile):
    found = strengths_of(profile.margins())
    if isinstance(found, NoEstimate):
        return
    expected = brute_force.strengths(profile.margins())
    for model, strength in found.scores.items():
        assert abs(strength - expected[model]) < 1e-6
    for upper, lower in zip(found.order, found.order[1:], strict=False):
        assert expected[upper[0]] > expected[lower[0]] - 1e-6


@settings(max_examples=60)
@given(profile=profiles(gaps=True, most_voters=6))
def test_there_is_no_estimate_exactly_where_some_models_are_never_scored_against(profile):
    margins = profile.margins()
    scored = (margins.wins + margins.ties) > 0
    reach = scored | np.eye(len(scored), dtype=bool)
    for _ in range(len(scored)):
        reach = reach | ((reach.astype(int) @ reach.astype(int)) > 0)
    assert isinstance(strengths_of(margins), NoEstimate) != bool(reach.all())


@given(profile=profiles(most_voters=6))
def test_where_all_meet_equally_often_the_order_is_that_of_borda(profile):
    found = strengths_of(profile.margins())
    if not isinstance(found, NoEstimate):
        assert found.order == rank(profile, "borda").order


@given(profile=profiles(gaps=True, most_voters=6))
def test_points_decide_exactly_where_all_meet_equally_often_and_strengths_exist(profile):
    margins = profile.margins()
    points, found = round_robin_points(margins), strengths_of(margins)
    met = {(margins.wins + margins.wins.T + margins.ties)[one, other] for one, other in pairs_of(margins)}
    assert (points is None) == (isinstance(found, NoEstimate) or len(met) > 1)
    if points is not None:
        of = dict(zip(margins.models, points.tolist(), strict=True))
        assert [{of[model] for model in group} for group in found.order] == [
            {total} for total in sorted(set(of.values()), reverse=True)
        ]


def pairs_of(margins):
    return [(one, other) for one in range(len(margins.models)) for other in range(one)]


def test_as_many_models_as_conjugate_gradients_serve_have_the_strengths_that_elimination_finds(monkeypatch):
    rng = np.random.default_rng(0)
    scores = np.linspace(0, 3, 40)[:, None] + rng.normal(size=(40, 20)).round(2)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    margins = Leaderboard(pd.DataFrame(scores, index=[f"m{place}" for place in range(40)])).margins()
    direct = rank(margins, "bradley_terry")
    monkeypatch.setattr("weightlab.rules.scoring.bradley_terry.MANY_MODELS", 2)
    iterated = rank(margins, "bradley_terry")
    assert iterated.order == direct.order
    assert iterated.scores.to_dict() == pytest.approx(direct.scores.to_dict(), rel=1e-12)


def test_the_strengths_of_two_models_are_the_odds():
    assert rank(margins_of([[0, 3], [1, 0]]), "bradley_terry").scores.to_dict() == pytest.approx({"a": 0.75, "b": 0.25})


def test_one_model_has_all_the_strength():
    assert rank(margins_of([[0]]), "bradley_terry").scores.to_dict() == {"a": 1.0}


def test_half_of_a_tied_task_goes_to_each_side():
    tied = rank(margins_of([[0, 1], [0, 0]], [[0, 2], [2, 0]]), "bradley_terry")
    assert tied.scores.to_dict() == pytest.approx({"a": 2 / 3, "b": 1 / 3})


def test_models_that_met_unequally_often_can_be_proved_to_tie():
    # a drew with c twice, b drew with c eight times: all three are equal, though no two rows are.
    ties = [[0, 0, 2], [0, 0, 8], [2, 8, 0]]
    assert rank(margins_of(np.zeros((3, 3)), ties), "bradley_terry").order == (("a", "b", "c"),)


def test_pairs_that_mirror_one_another_tie():
    # (a, b) and (c, d) play the same roles, and meet one another unequally often.
    wins = [[0, 2, 0, 1], [1, 0, 1, 0], [0, 1, 0, 2], [1, 0, 1, 0]]
    ranking = rank(margins_of(wins), "bradley_terry")
    assert ranking.order == (("a", "c"), ("b", "d"))
    assert ranking.verify()


def hair_apart():
    """Return margins in which b's record against c is a's, times a million, with one game more won."""
    million = 10**6
    return margins_of([[0, 1, 1], [1, 0, million + 1], [1, million, 0]])


def test_strengths_a_hair_apart_are_told_apart():
    assert rank(hair_apart(), "bradley_terry").order == (("b",), ("a",), ("c",))


def test_what_cannot_be_told_apart_is_not_guessed(monkeypatch):
    # Enclosures as wide as these do not part a from b, and nothing proves the two equal.
    monkeypatch.setattr("weightlab.rules.scoring.bradley_terry.WIDTHS", (16,))
    monkeypatch.setattr("weightlab.rules.scoring.bradley_terry.FLOAT_WIDTH", 1.0)
    with pytest.raises(UnprovedError, match="too near to tell whether they tie"):
        rank(hair_apart(), "bradley_terry")


@settings(max_examples=60)
@given(profile=profiles(gaps=True, most_voters=6, least_models=3))
def test_the_enclosures_hold_the_strengths(profile):
    margins = profile.margins()
    if isinstance(strengths_of(margins), NoEstimate):
        return
    duels = Meetings.of(margins)
    logarithms = maximum_likelihood(duels)
    ensure_enclosed(duels, *enclosure(duels, logarithms))
    rough = float_enclosure(duels, logarithms)
    if min(rough[0]) > 0:
        ensure_enclosed(duels, *(list(map(Fraction, bounds)) for bounds in rough))


def ensure_enclosed(duels, low, high):
    assert all(below <= above for below, above in zip(low, high, strict=True))
    reference = next(place for place, (below, above) in enumerate(zip(low, high, strict=True)) if below == above)
    for bounds, sign in ((low, 1), (high, -1)):
        for place, own in enumerate(bounds):
            expected = sum(
                Fraction(int(met) * own, own + other)
                for met, other in zip(duels.meetings[place].tolist(), bounds, strict=True)
                if met
            )
            assert place == reference or sign * (expected - duels.totals[place]) <= 0


def test_sixty_models_with_gaps_are_ranked_and_verified():
    rng = np.random.default_rng(5)
    scores = np.arange(60)[:, None] / 6 + rng.normal(size=(60, 30)).round(2)
    scores[rng.random(scores.shape) < 0.4] = np.nan
    board = Leaderboard(pd.DataFrame(scores, index=[f"m{place}" for place in range(60)], columns=map(str, range(30))))
    ranking = rank(board, "bradley_terry")
    assert ranking.verify(board)
    assert abs(ranking.scores.sum() - 1) < 1e-12
    assert ranking.scores.is_monotonic_decreasing


def test_strengths_beyond_the_floats_are_not_guessed():
    count = 40
    wins = np.zeros((count, count), dtype=np.int64)
    for place in range(count - 1):
        wins[place, place + 1], wins[place + 1, place] = 10**9, 1
    margins = Margins(models=tuple(map(str, range(count))), wins=wins, ties=np.zeros_like(wins), denominator=1)
    with pytest.raises(UnprovedError, match="too far apart"):
        rank(margins, "bradley_terry")


class TestWithoutEstimate:
    margins = profile_of(["abcd", "bacd", "abdc"]).margins()

    def proof(self):
        with pytest.raises(ImpossibleError, match="nowhere does any of c, d win or tie against any of a, b") as caught:
            rank(self.margins, "bradley_terry")
        return caught.value.proof

    def test_the_error_names_the_part_that_is_never_scored_against(self):
        proof = self.proof()
        assert proof.ahead == ("a", "b")
        assert proof.summary()["ahead"].tolist() == [True, True, False, False]
        assert proof.verify(self.margins)

    def test_the_proof_travels(self):
        proof = self.proof()
        again = NoEstimate.from_dict(proof.to_dict())
        assert again.verify(self.margins)
        assert again.to_dict() == proof.to_dict()

    @pytest.mark.parametrize(
        "ahead", [(), ("a", "b", "c", "d"), ("a", "c"), ("c", "d"), ("a", "b", "b"), ("a", "b", "x")]
    )
    def test_another_part_is_refused(self, ahead):
        with pytest.raises(ProofError):
            replace(self.proof(), ahead=ahead).verify()

    def test_other_margins_are_refused(self):
        with pytest.raises(ProofError, match="the weight of the wins of 'a' over 'b' is 3 in the source, not 2"):
            self.proof().verify(profile_of(["abcd", "abcd", "abcd"]).margins())

    @pytest.mark.parametrize(
        ("part", "value"), [("wins", []), ("wins", [[0]]), ("ties", [[0, 0]] * 4), ("denominator", 0)]
    )
    def test_margins_of_another_form_are_refused_before_they_are_compared(self, part, value):
        document = self.proof().to_dict()
        document["margins"][part] = value
        with pytest.raises(ProofError, match="margins"):
            NoEstimate.from_dict(document).verify(self.margins)

    def test_a_proof_about_something_else_than_margins_is_refused(self):
        document = self.proof().to_dict()
        document["margins"] = {"models": ["a"], "ranks": {"1": [1]}, "weights": {}}
        with pytest.raises(InputError, match="wins"):
            NoEstimate.from_dict(document)

    def test_long_lists_are_cut(self):
        orders = [[*"abcde", *"fghij"]]
        with pytest.raises(ImpossibleError, match=r"any of b, c, d and 6 more win or tie against a\."):
            rank(profile_of(orders), "bradley_terry")


def test_weights_too_far_apart_for_floats_leave_the_strengths_unproved():
    orders = [["a", "b"], ["b", "a"]]
    with pytest.raises(UnprovedError, match="too far apart for floats"):
        rank(Profile.from_orders(orders, weights=["1e200", "1e-200"]), "bradley_terry")
