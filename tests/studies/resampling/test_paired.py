"""Two models are compared by flips of whole tasks, or by McNemar's test; each test holds its level."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

import weightlab as wl
from tests.dice import DICE
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.studies import paired
from weightlab.studies.resampling.paired import mcnemar, sign_flips


def board_of(differences, **declared):
    return wl.Leaderboard({f"t{place}": {"a": one, "b": 0} for place, one in enumerate(differences)}, **declared)


def flipped(differences, weights, at):
    """Return the two-sided p of the mean ``at``, from every pattern of signs."""
    apart = [(one - at) * weight for one, weight in zip(differences, weights, strict=True)]
    own = sum(apart)
    sums = [sum(map(Fraction.__mul__, apart, map(Fraction, signs))) for signs in product((1, -1), repeat=len(apart))]
    above, below = (sum(test(one) for one in sums) for test in (lambda one: one >= own, lambda one: one <= own))
    return min(Fraction(1), Fraction(2 * min(above, below), len(sums)))


@settings(max_examples=40)
@given(dice=DICE)
def test_all_flips_give_p_and_the_interval_of_the_means_that_they_do_not_reject(dice):
    differences = [Fraction(dice.between(-4, 4), dice.one_of([1, 2])) for _ in range(dice.between(2, 7))]
    weights = [Fraction(dice.between(1, 3)) for _ in differences]
    level = dice.one_of([0.5, 0.8, 0.95])
    p, low, high = sign_flips(differences, weights, level=level, repeats=128, seed=0)
    assert p == float(flipped(differences, weights, Fraction(0)))
    ends = [Fraction(one) for one in (low, high) if one is not None]
    for at in {-9, 9, 0, *range(-4, 5), *(one + shift for one in ends for shift in (-0.001, 0.001))}:
        kept = flipped(differences, weights, Fraction(at)) > 1 - Fraction(str(level))
        assert kept == (low is None or low <= at <= high)


def test_all_flips_give_scipys_permutation_test():
    differences = np.random.default_rng(0).normal(0.3, 1, size=10).round(2)
    found = paired(board_of(differences.tolist()), "a", "b", repeats=2000)
    told = stats.permutation_test(
        (differences,),
        lambda x, axis: np.mean(x, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert found.p == pytest.approx(told.pvalue)
    assert found.exhaustive
    assert found.proof is Proof.EXACT


def test_mcnemars_mid_p_counts_half_of_what_was_seen():
    whole = stats.binomtest(3, 13, 0.5).pvalue
    assert mcnemar(3, 10, 40, 0.95)[0] == pytest.approx(whole - stats.binom.pmf(3, 13, 0.5))
    assert mcnemar(0, 0, 9, 0.95) == (1.0, pytest.approx(-mcnemar(0, 0, 9, 0.95)[2]), pytest.approx(0.25198, abs=1e-5))


@pytest.mark.parametrize(("count", "repeats"), [(8, 256), (27, 400)])
def test_equals_are_told_apart_no_more_often_than_the_level_says(count, repeats):
    rng, false = np.random.default_rng(count), 0
    for seed in range(600):
        scores = rng.exponential(size=(2, count)).round(6)
        differences = [Fraction(str(one)) for one in (scores[0] - scores[1]).round(6).tolist()]
        p, low, high = sign_flips(differences, [Fraction(1)] * count, level=0.95, repeats=repeats, seed=seed)
        assert (p <= 0.05) == (low > 0 or high < 0)
        false += p <= 0.05
    assert stats.binomtest(false, 600, 0.05, alternative="greater").pvalue > 0.001
    assert false > 10


def test_mcnemars_test_and_interval_hold_their_level_nearly():
    rng = np.random.default_rng(0)
    false = outside = 0
    for _ in range(2000):
        right, wrong, _ = rng.multinomial(200, [0.12, 0.12, 0.76]).tolist()
        false += mcnemar(right, wrong, 200, 0.95)[0] <= 0.05
        right, wrong, _ = rng.multinomial(200, [0.15, 0.05, 0.8]).tolist()
        _, low, high = mcnemar(right, wrong, 200, 0.95)
        outside += not low <= 0.1 <= high
    assert 60 < false < 125
    assert 60 < outside < 130


class TestOverInstances:
    right = pd.DataFrame({f"q{place}": {"a": place % 4 > 0, "b": place % 3 > 0} for place in range(24)}).astype(int)

    def test_right_and_wrong_answers_to_one_task_are_compared_by_mcnemars_test(self):
        found = paired(wl.Instances({"qa": self.right}), "a", "b")
        assert (found.over, found.test, found.difference) == ("instances", "mcnemar_mid_p", Fraction(2, 24))
        assert "McNemar's test, mid-p: 6 favour a, 4 favour b" in str(found)
        assert "instances are assumed to be independent" in str(found)

    def test_other_scores_on_one_task_are_flipped(self):
        assert paired(wl.Instances({"qa": self.right / 2}), "a", "b", repeats=100).test == "sign_flips"

    def test_differences_of_one_alone_are_no_right_and_wrong_answers(self):
        for shift, lower in [(1, []), (-1, []), (0, ["qa"])]:
            found = paired(wl.Instances({"qa": self.right + shift}, lower_is_better=lower), "a", "b", repeats=100)
            assert found.test == ("sign_flips" if shift == 1 else "mcnemar_mid_p")
            assert found.verify()
        with pytest.raises(ProofError, match="the test is"):
            paired(wl.Instances({"qa": self.right}), "a", "b").verify(wl.Instances({"qa": self.right + 1}))
        marks = pd.DataFrame({"q0": {"a": 1, "b": 0}, "q1": {"a": 0, "b": -1}, "q2": {"a": -1, "b": -1}})
        assert paired(wl.Instances({"qa": marks}), "a", "b", repeats=100).test == "sign_flips"

    def test_of_several_tasks_whole_tasks_are_flipped_with_means_over_shared_instances(self):
        other = pd.DataFrame({"q0": {"a": 1, "b": 0}, "q1": {"a": None, "b": 1}, "q2": {"a": 1, "b": 1}})
        found = paired(wl.Instances({"qa": self.right, "other": other}, weights={"other": 3}), "a", "b", repeats=100)
        assert found.over == "tasks"
        assert found.differences.to_dict() == {"qa": Fraction(1, 12), "other": Fraction(1, 2)}
        assert found.difference == (Fraction(1, 12) + 3 * Fraction(1, 2)) / 4


def test_lower_scores_are_turned_round_and_unshared_or_weightless_tasks_left_out():
    columns = {"x": {"a": 1, "b": 2}, "y": {"a": 5, "b": 3}, "z": {"a": None, "b": 1}, "w": {"a": 1, "b": 9}}
    board = wl.Leaderboard(columns, lower_is_better="x", weights={"w": 0})
    assert paired(board, "a", "b").differences.to_dict() == {"x": 1, "y": 2}


def test_too_few_tasks_are_said_first():
    text = str(paired(board_of([1, 2, 3]), "a", "b"))
    assert text.startswith("With fewer than 6 tasks sign flips separate no models at the level 95%. a leads b by 2 on")
    assert "interval unbounded" in text


def test_few_tasks_that_make_up_the_mean_are_named():
    board = board_of([*[Fraction(one, 10) for one in (1, 2, -1, 2, 3, 1, 2, 1, -2, 1, 2)], 190])
    said = "More than half of all differences is on t11, which makes up the mean: if tasks have different units, "
    assert said in str(paired(board, "a", "b"))
    assert "More than half" not in str(paired(board_of([1, 2, -1, 2, 3, 1, 2, 1, -2, 1, 2, 3]), "a", "b"))
    assert "More than half" not in str(paired(board.with_weights({"t11": "1/1000"}), "a", "b"))
    assert "More than half" not in str(paired(board_of([20, 21, 22, *[4] * 9]), "a", "b"))
    two = str(paired(board_of([1, -1, 1, 90, 1, 1, 2, -2, 1, 2, 80, 1]), "a", "b"))
    assert "is on t3 and t10, which make up the mean" in two or "is on t3, t10, which make up the mean" in two


def test_levels_are_told_with_all_their_digits():
    assert "at the level 99.99999%" in str(paired(board_of([1, 2, 3]), "a", "b", level=0.9999999))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rival": "a"}, "two models are compared; got 'a' twice"),
        ({"rival": "c"}, "no model named 'c'"),
        ({"level": 1}, "level must be between 0 and 1"),
        ({"repeats": 99}, "repeats must be a whole number from 100"),
        ({"repeats": 10**7}, "repeats must be at most 1,000,000"),
        ({"rng": -1}, "rng must be a seed"),
    ],
)
def test_bad_calls_are_refused(options, error):
    with pytest.raises((InputError, UnknownNameError), match=error):
        paired(board_of([1, 2]), **{"model": "a", "rival": "b", **options})


def test_votes_are_no_scores():
    votes = wl.Margins(models=("a", "b"), wins=[[0, 2], [1, 0]], ties=[[0, 0], [0, 0]], denominator=1)
    with pytest.raises(InputError, match="two models are compared on a Leaderboard or Instances; got a Margins"):
        paired(votes, "a", "b")


def test_one_task_shows_no_spread():
    with pytest.raises(
        InputError, match="both have scores on 1 task, which shows no spread; scores on its single instances"
    ):
        paired(board_of([1]), "a", "b")


class TestProof:
    board = board_of([3, 1, 2, "2.5", 1, 4, -1, 2], weights={"t0": 2})

    def found(self):
        return paired(self.board, "a", "b", repeats=200, rng=5)

    def test_the_document_travels(self):
        found = self.found()
        again = result_from_dict(found.to_dict())
        assert again.verify(self.board)
        assert again.to_dict() == found.to_dict()
        assert found.proof is Proof.SAMPLED

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("rival", "a"),
            ("over", "instances"),
            ("test", "mcnemar_mid_p"),
            ("difference", Fraction(1)),
            ("low", None),
            ("low", -0.25),
            ("high", 0.1),
            ("p", 0.5),
            ("level", 0.5),
            ("seed", 6),
            ("repeats", 100),
        ],
    )
    def test_no_field_can_be_altered(self, field, value):
        with pytest.raises(ProofError):
            replace(self.found(), **{field: value}).verify(self.board)

    def test_other_sources_are_refused(self):
        with pytest.raises(ProofError, match="differences are not those"):
            self.found().verify(board_of([3, 1, 2, "2.5", 1, 4, 1, 2], weights={"t0": 2}))
        with pytest.raises(ProofError, match="weights are not those"):
            self.found().verify(board_of([3, 1, 2, "2.5", 1, 4, -1, 2]))


@pytest.mark.parametrize("unit", ["1e-300", "1e155", "1e307"])
def test_the_unit_of_the_scores_does_not_matter(unit):
    differences = [Fraction(one) for one in (3, -1, 4, 1, 5, -9, 2, 6)]
    plain = paired(board_of(differences), "a", "b")
    found = paired(board_of([one * Fraction(unit) for one in differences]), "a", "b")
    assert found.p == plain.p
    assert found.low == pytest.approx(plain.low * float(unit))
    assert found.high == pytest.approx(plain.high * float(unit))


def test_too_few_flips_are_not_called_too_few_tasks():
    found = paired(board_of(list(range(1, 21))), "a", "b", level=0.999, repeats=100)
    assert str(found).startswith("With no more than 100 flips drawn, sign flips separate no models at the level 99.9%.")


def test_tasks_that_one_of_two_models_never_saw_are_left_out():
    tables = {f"t{task}": {f"i{one}": {"a": task, "b": one, "c": 1} for one in range(3)} for task in range(3)}
    tables["t3"] = {"i0": {"c": 1, "d": 2}}
    found = paired(wl.Instances(tables), "a", "b")
    assert list(found.differences.index) == ["t0", "t1", "t2"]
    with pytest.raises(InputError, match=r"have scores on 0 tasks, which shows no spread$"):
        paired(wl.Instances(tables), "a", "d")
    with pytest.raises(UnknownNameError, match="set of instances"):
        paired(wl.Instances(tables), "a", "z")


def test_whole_groups_are_compared_by_their_weighted_means_and_few_separate_nothing():
    differences = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    board = board_of(
        differences, weights={"t0": 3}, groups={f"g{at}": [f"t{at}", f"t{at + 1}"] for at in range(0, 10, 2)}
    )
    found = paired(board, "a", "b", over="groups")
    assert found.over == "groups"
    assert found.differences.to_dict() == {
        "g0": Fraction(5, 4), "g2": Fraction(7, 2), "g4": Fraction(11, 2), "g6": Fraction(15, 2), "g8": Fraction(19, 2),
        "t10": Fraction(11), "t11": Fraction(12),
    }  # fmt: skip
    assert found.weights.tolist() == [4, 2, 2, 2, 2, 1, 1]
    assert found.difference == paired(board, "a", "b").difference
    assert found.p == 2 / 2**7
    assert "all flips of whole groups: the groups are assumed to be independent" in str(found)
    assert found.verify(board)
    assert result_from_dict(found.to_dict()).verify(board)
    few = paired(board.select(tasks=list(board.tasks[:10])), "a", "b", over="groups")
    assert few.low is None
    assert str(few).startswith("With fewer than 6 groups sign flips separate no models at the level 95%")
    for other, told in (
        (board_of(differences), "no groups"),
        (board.with_groups({"g": ["t0"], "h": ["t0"]}), "overlap"),
        (board.with_groups({"t9": ["t0", "t1"]}), "'t9' is a group as well as a task outside all groups"),
    ):
        with pytest.raises(InputError, match=told):
            paired(other, "a", "b", over="groups")
    with pytest.raises(InputError, match="over must be 'groups' or omitted"):
        paired(board, "a", "b", over="tasks")
