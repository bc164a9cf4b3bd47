"""Questions: hidden weightings are found out, contradictions shown and mended, on both verifiers, forged."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.checker.documents import REFUSED
from tests.dice import DICE
from tests.lp.choosing.test_shortlist import a_board
from weightlab import checker
from weightlab._result import Proof, result_from_dict

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}})


def checked(found, board):
    """Return what was asked after both verifiers have passed its document."""
    text = json.dumps(found.to_dict())
    assert result_from_dict(json.loads(text)).verify(board)
    report = checker.check(text, board.to_pandas().to_csv(index_label="model"))
    assert (report.code == 0) == (found.proof is Proof.EXACT)
    return found


def totals(board, weights):
    """Return the exact totals of the models under integers as weights."""
    rows = board.to_pandas().to_numpy(int).tolist()
    return {model: sum(map(int.__mul__, row, weights)) for model, row in zip(board.models, rows, strict=True)}


def asked_until_settled(board, own, unit, loss=0, most=60):
    """Return what was asked with hidden totals, and how many answers it took."""
    answers = []
    while len(answers) <= most:
        found = wl.lp.ask(board, answers, loss=loss)
        if found.settled or found.next is None:
            return found, answers
        one, other = found.next
        says = "first" if own[one] != own[other] else "skip"
        one, other = (one, other) if own[one] >= own[other] else (other, one)
        answers.append((one, other, says))
    raise AssertionError(answers)


@settings(max_examples=8)
@given(DICE)
def test_a_hidden_weighting_is_found_out(dice):
    board = a_board(dice)
    weights = [dice.between(1, 9) for _ in board.tasks]
    own, loss = totals(board, weights), Fraction(dice.below(3), 2)
    found, answers = asked_until_settled(board, own, sum(weights), loss)
    checked(found, board)
    if found.settled:
        assert max(own.values()) - own[found.leader] <= loss * sum(weights)
    else:
        assert any(says == "skip" for *_, says in answers)


@settings(max_examples=25)
@given(DICE)
def test_contradictions_are_shown_and_mended(dice):
    board = a_board(dice)
    answers = []
    for _ in range(dice.between(1, 6)):
        one = dice.one_of(board.models)
        other = dice.one_of([model for model in board.models if model != one])
        answers.append((one, other, dice.one_of(["first", "first", "equal", "skip"])))
    found = checked(wl.lp.ask(board, answers), board)
    kept = [one for place, one in enumerate(answers, start=1) if place not in found.withdraw]
    assert wl.lp.ask(board, kept).conflict is None
    if found.conflict is not None:
        named = [answers[number - 1] for number in found.conflicting]
        assert wl.lp.ask(board, named).conflict is not None
        for place in range(len(named)):
            assert wl.lp.ask(board, named[:place] + named[place + 1 :]).conflict is None
        assert " together. Without " in str(found)


def test_contradictions_of_a_real_board_are_minimal(shared_data):
    board = wl.read_leaderboard(shared_data / "votenrank/superglue.csv").complete()
    scores, rng, met = board.to_pandas().to_numpy(), np.random.default_rng(7), 0
    for _ in range(12):
        answers = []
        for weights in rng.dirichlet(np.full(len(board.tasks), 0.3), 6):  # six persons' answers, taken for one's
            one, other = rng.choice(12, 2, replace=False)
            one, other = (one, other) if scores[one] @ weights >= scores[other] @ weights else (other, one)
            answers.append((board.models[one], board.models[other]))
        found = checked(wl.lp.ask(board, answers), board)
        named = [answers[number - 1] for number in found.conflicting]
        for place in range(len(named)):
            assert wl.lp.ask(board, named[:place] + named[place + 1 :]).conflict is None
        kept = [one for place, one in enumerate(answers, start=1) if place not in found.withdraw]
        assert wl.lp.ask(board, kept).conflict is None
        met += found.conflict is not None
    assert met


def test_the_same_answers_and_seed_give_the_same_question():
    answers = [("a", "c")]
    assert wl.lp.ask(BOARD, seed=3).to_dict() == wl.lp.ask(BOARD, seed=3).to_dict()
    assert wl.lp.ask(BOARD, answers).leader == "a"
    assert "of 1,000 sampled weightings, b under " in str(wl.lp.ask(BOARD))


def test_a_model_with_the_leaders_scores_is_named():
    twins = wl.Leaderboard({"x": {"a": 1, "b": 1, "c": 3}, "y": {"a": 2, "b": 2, "c": 0}})
    found = wl.lp.ask(twins, [("a", "c")])
    assert found.twins == ("b",)
    assert str(found).endswith("fits your 1 answer, by these scores. b has the same scores.")


def test_models_with_equal_rows_are_never_asked_about():
    board = wl.Leaderboard({"x": {"a": 3, "b": 3, "c": 1}, "y": {"a": 1, "b": 1, "c": 1}})
    found = checked(wl.lp.ask(board), board)
    assert (found.settled, found.leader) == (True, "a")
    assert checked(wl.lp.ask(board, [("a", "b")]), board).conflicting == (1,)
    assert wl.lp.ask(board, [("a", "b", "equal")]).settled


def test_the_leader_ranks_between_what_other_weights_say():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 1, "c": 2}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 0}}
    )
    found = wl.lp.ask(board, [("a", "c")])
    ranges = wl.lp.rank_ranges(board, rule="mean", space=found.allowed)
    assert found.ranks == (ranges.best[found.leader], ranges.worst[found.leader])
    assert wl.lp.ask(board, [("a", "c"), ("c", "a")]).ranks is None


def test_what_is_left_serves_other_questions():
    left = wl.lp.ask(BOARD, [("a", "b")], loss="1/100").allowed
    assert left.contains({"x": 1, "y": 1})
    assert not left.contains({"x": 1, "y": 2})
    assert wl.lp.prospect(BOARD, "b", rule="mean", space=left).verdict == "weak"


def test_conditions_count_before_any_answer():
    space = wl.lp.WeightSpace(BOARD).at_least("x", "0.6")
    assert checked(wl.lp.ask(BOARD, space=space), BOARD).leader == "a"


@settings(max_examples=10)
@given(DICE)
def test_forgeries_are_refused(dice):
    board = a_board(dice)
    weights = [dice.between(1, 9) for _ in board.tasks]
    found, _ = asked_until_settled(board, totals(board, weights), sum(weights))
    document = copy.deepcopy(found.to_dict())
    if not found.settled:
        return
    one = document["mixtures"][dice.one_of(sorted(document["mixtures"]))]
    way = dice.below(3)
    if way == 0:
        one["loss"] = str(Fraction(one["loss"]) - 1)
    elif way == 1:
        one["shares"] = {found.leader: "1/2"}
    else:
        document["leader"] = next(iter(document["mixtures"]))
    with pytest.raises(REFUSED):
        result_from_dict(document).verify()
    with pytest.raises((checker.FalseClaimError, checker.WrongInputError)):
        checker.check(json.dumps(document))


MOST = {
    "votenrank/glue.csv": 7,
    "votenrank/superglue.csv": 6,
    "leaderboards/openllm.csv": 12,
    "leaderboards/bigbench_hard.csv": 12,
    "leaderboards/vtab.csv": 8,
    "colombo/glue105.csv": 8,
    "colombo/superglue24.csv": 7,
    "colombo/xtreme15.csv": 2,
}


@pytest.mark.parametrize("name", MOST)
def test_real_boards(shared_data, name):
    board = wl.read_leaderboard(shared_data / name).complete()
    points = board.points("scores")
    rng = np.random.default_rng(3)
    for _ in range(2):
        weights = rng.dirichlet(np.ones(len(board.tasks)))
        sums = points.numerators.astype(float) @ weights
        own = dict(zip(board.models, sums.tolist(), strict=True))
        found, answers = asked_until_settled(board, own, 1)
        assert found.settled
        assert found.leader == max(own, key=lambda model: own[model])
        assert len(answers) <= MOST[name] + 1


@pytest.mark.parametrize(
    ("answers", "options", "message"),
    [
        ([("a", "d")], {}, "no model named 'd'"),
        ([("a", "a")], {}, "an answer is about two models; got 'a' twice"),
        ([("a",)], {}, "an answer is a pair of models"),
        (["ab"], {}, "an answer is a pair of models"),
        (None, {}, "answers is a list of pairs of models; got None"),
        ([("a", "b", "maybe")], {}, "says"),
        ([], {"loss": -1}, "loss must not be negative; got -1"),
        ([], {"equal": "-1/2"}, "equal must not be negative"),
        ([], {"rule": "majority"}, "no linear rule named 'majority'"),
    ],
)
def test_what_cannot_be_asked_is_told(answers, options, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.ask(BOARD, answers, **options)
