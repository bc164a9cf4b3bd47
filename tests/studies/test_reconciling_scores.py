"""The least that one model must improve so that two rules no longer part."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weightlab as wl
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import ImpossibleError, InputError, ProofError, UnknownNameError
from weightlab.rules import rank, reversed_pairs, rule
from weightlab.studies import disagreement, macro_average, reconciling_scores, two_step_average

MARGINS = rule("minimax", score="margins")
PLACES = [
    "borda",
    "plurality",
    "veto",
    "dowdall",
    rule("borda", ties="max"),
    rule("dowdall", ties="min"),
    rule("k_approval", k=2),
    rule("scoring", vector=[5, 1, 0]),
    "copeland",
    rule("copeland", score="wins"),
    rule("copeland", score="losses"),
    rule("copeland", score="half_ties"),
    "minimax",
    MARGINS,
    rule("minimax", score="pairwise_opposition"),
]
BOARD = wl.Leaderboard({"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 2, "c": 0}, "z": {"a": 3, "b": 4, "c": 0}})


@st.composite
def small_boards(draw, *, groups=False):
    """Return a board of three models and up to three tasks with small whole scores, weights and directions."""
    tasks = ["x", "y", "z"][: draw(st.integers(2, 3))]
    scores = {task: dict(zip("abc", draw(st.tuples(*[st.integers(0, 3)] * 3)), strict=True)) for task in tasks}
    lower = draw(st.sets(st.sampled_from(tasks), max_size=1))
    weights = {task: draw(st.sampled_from([1, 2])) for task in tasks}
    named = {"one": tasks[:1], "rest": tasks[1:]} if groups else None
    return wl.Leaderboard(scores, lower_is_better=lower, weights=weights, groups=named)


def choices(columns):
    """Go through all ways to take one of each."""
    if not columns:
        yield ()
        return
    for first in columns[0]:
        for rest in choices(columns[1:]):
            yield (first, *rest)


def sign_of(number):
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def order_by(board, asked):
    """Return the order and the winners that a rule or function says."""
    found = asked(board) if callable(asked) else rank(board, asked)
    return found.order, found.winners


def reconciled(board, two, pair, model):
    """Tell whether two rules agree on a pair, or both have the model among their winners."""
    (one, first), (other, second) = (order_by(board, asked) for asked in two)
    if pair is None:
        return model in first and model in second
    return not {pair, pair[::-1]} & set(reversed_pairs(one, other))


def least_by_trying(board, two, pair, model, kind):
    """Return the least cost of new scores of a model that do, None if none of those tried does.

    Tried are the scores of rivals and halves beyond them or, by units, up to six steps a task.
    """
    options = []
    for task in board.tasks:
        sign = -1 if task in board.lower_is_better else 1
        gains = {name: sign * int(score) for name, score in board.scores[task].items()}
        own, rivals = gains[model], [gain for name, gain in gains.items() if name != model]
        news = {own, *(own + step for step in range(7) if kind == "score")}
        if kind == "result":
            news |= {gain + half for gain in rivals for half in (0, Fraction(1, 2)) if gain + half > own}
        changed = {new: sum(sign_of(new - one) != sign_of(own - one) for one in rivals) for new in news}
        options.append([(sign * new, new - own if kind == "score" else changed[new]) for new in news])
    for taken in sorted(choices(options), key=lambda one: sum(cost for _, cost in one)):
        scores = board.scores.astype(object)
        scores.loc[model] = [new for new, _ in taken]
        moved = wl.Leaderboard(
            scores, lower_is_better=board.lower_is_better, weights=board.weights, groups=dict(board.groups)
        )
        if reconciled(moved, two, pair, model):
            return sum(cost for _, cost in taken)
    return None


@settings(max_examples=20, deadline=None)
@given(board=small_boards(), two=st.lists(st.sampled_from(PLACES), min_size=2, max_size=2, unique_by=str))
def test_the_fewest_results_are_those_of_trying_all(board, two):
    found = reconciling_scores(board, *two)
    tried = [least_by_trying(board, two, None, model, "result") for model in board.models]
    assert found.cost == min(one for one in tried if one is not None)
    assert all(found.model in answer.winners for answer in found.answers_there.values())


@settings(max_examples=30, deadline=None)
@given(board=small_boards(), two=st.lists(st.sampled_from(PLACES), min_size=2, max_size=2, unique_by=str))
def test_a_disputed_pair_is_reconciled_by_the_fewest_results(board, two):
    for pair in disagreement(board, *two).disputed:
        found = reconciling_scores(board, *two, pair=pair)
        assert found.cost == min(least_by_trying(board, two, pair, model, "result") for model in pair)
        assert reconciled(found.board(), two, pair, None)


@settings(max_examples=10, deadline=None)
@given(
    board=small_boards(groups=True),
    two=st.lists(
        st.sampled_from(["mean", macro_average, two_step_average, "borda", "copeland"]), min_size=2, max_size=2
    ),
    data=st.data(),
)
def test_the_least_change_of_scores_is_that_of_trying_all(board, two, data):
    assume(two[0] != two[1])
    disputed = disagreement(board, *two).disputed
    pair = data.draw(st.sampled_from([None, *disputed]))
    model = data.draw(st.sampled_from(board.models if pair is None else pair))
    tried = least_by_trying(board, two, pair, model, "score")
    found = reconciling_scores(board, *two, pair=pair, model=model, kind="score")
    # What was tried goes no further than six steps.
    assert found.cost == tried if tried is not None else found.cost > 6
    assert found.verify(board)


@settings(max_examples=8, deadline=None)
@given(board=small_boards(), two=st.lists(st.sampled_from(PLACES), min_size=2, max_size=2, unique_by=str))
def test_it_travels_and_is_proved(board, two):
    found = reconciling_scores(board, *two, kind="score")
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    assert (str(back), back.cost, back.model, back.proof) == (str(found), found.cost, found.model, found.proof)
    pd.testing.assert_frame_equal(back.summary(), found.summary())


def test_rules_that_agree_need_no_change():
    found = reconciling_scores(BOARD, "borda", "copeland")
    assert (found.cost, found.model, found.proof, found.rises) == (0, "b", Proof.EXACT, ())
    assert str(found) == "borda and copeland have the common winner b as the scores are."


def test_what_costs_no_more_than_any_change_is_proved():
    found = reconciling_scores(BOARD, "mean", "borda", pair=("b", "a"), model="a")
    assert (found.cost, found.proof, found.goal.pair) == (1, Proof.EXACT, ("a", "b"))
    assert str(found) == "mean and borda agree on a and b if a can pass b on y: 1 result, the least that will do."
    (row,) = found.summary().reset_index().to_dict(orient="records")
    assert row == {"task": "y", "from": 1.0, "to": 3.0, "passed": "b", "tied": "", "cost": 1.0}


def test_the_solver_is_named_where_its_word_is_relied_on():
    found = reconciling_scores(BOARD, "plurality", "copeland", model="c")
    assert found.proof is Proof.EXACT_WITNESS
    assert found.solver == "HiGHS"
    assert str(found).endswith(f"{found.cost} results, the least that will do, by HiGHS's bound.")
    with pytest.raises(ProofError, match="a solver is named where, and only where"):
        replace(found, solver=None).verify()


def test_limits_and_prices_are_kept():
    dear = reconciling_scores(BOARD, "mean", "borda", model="a", kind="score", cost={"y": 10})
    assert list(dear.scores.index) == ["z"]
    assert "Terms: " in str(dear)
    capped = reconciling_scores(BOARD, "mean", "borda", model="b", kind="score", best=5)
    assert all(score <= 5 for score in capped.scores)
    assert capped.cost == 6
    with pytest.raises(ImpossibleError, match="within the limits not c can rise"):
        reconciling_scores(BOARD, "plurality", "borda", model="c", at_most=0)


def test_a_missing_score_does_not_rise():
    gaps = wl.Leaderboard(
        {"x": {"a": 1, "b": None, "c": 2}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 1, "b": 2, "c": 3}}
    )
    found = reconciling_scores(gaps, "copeland", "minimax", model="b")
    assert "x" not in found.scores.index
    last = rule("borda", missing="last")
    assert reconciling_scores(gaps, last, "copeland", model="a").verify(gaps)
    with pytest.raises(InputError, match="needs every score where a mean is asked"):
        reconciling_scores(gaps, rule("mean", missing="skip"), "copeland", model="a", kind="score")


def test_what_is_not_known_is_refused_in_words():
    with pytest.raises(InputError, match="mean can have 'a' ahead while no result changes"):
        reconciling_scores(BOARD, "mean", "borda")
    with pytest.raises(InputError, match="the least change of scores is not known for 'kemeny'"):
        reconciling_scores(BOARD, "kemeny", "borda", model="c")
    grouped = wl.Leaderboard(BOARD.scores, groups={"one": ["x"], "rest": ["y", "z"]})
    with pytest.raises(InputError, match="two_step_average can have 'c' ahead while no result changes"):
        reconciling_scores(grouped, two_step_average, "borda", model="c")
    with pytest.raises(UnknownNameError, match="no disputed pair named 'a and c'"):
        reconciling_scores(BOARD, "mean", "borda", pair=("a", "c"))
    with pytest.raises(UnknownNameError, match="no model named 'd'"):
        reconciling_scores(BOARD, "mean", "borda", model="d")
    with pytest.raises(InputError, match="one of the pair 'a' and 'b'; got 'c'"):
        reconciling_scores(BOARD, "mean", "borda", pair=("a", "b"), model="c")
    with pytest.raises(InputError, match="a pair is two models; got 'ab'"):
        reconciling_scores(BOARD, "mean", "borda", pair="ab")
    with pytest.raises(InputError, match="kind must be 'score' or 'result'; got 'rank'"):
        reconciling_scores(BOARD, "mean", "borda", kind="rank")


FALSE = {
    "model": {"model": "b"},
    "scores": {"scores": pd.Series([Fraction(1)], index=["z"], dtype=object)},
    "no scores": {"scores": pd.Series([], index=[], dtype=object)},
    "cost": {"cost": Fraction(7)},
    "counted": {"counted": "rank"},
    "terms": {"terms": {}},
    "pair": {"goal": ("b", "c")},
    "other": {"goal": ("b", "a")},
}


@pytest.mark.parametrize("part", list(FALSE))
def test_a_false_part_is_seen(part):
    found = reconciling_scores(BOARD, "mean", "borda", pair=("a", "b"), model="a", kind="score", cost={"x": 3, "y": 2})
    change = FALSE[part]
    if "goal" in change:
        change = {"goal": replace(found.goal, pair=change["goal"])}
    with pytest.raises(ProofError):
        replace(found, **change).verify()
    with pytest.raises(ProofError):
        found.verify(wl.Leaderboard(BOARD.scores, weights={"x": 2}))


def test_a_false_goal_does_not_travel():
    document = reconciling_scores(BOARD, "plurality", "borda", model="a").to_dict()
    with pytest.raises(InputError, match="a pair is two names; got 'ab'"):
        result_from_dict({**document, "goal": {"pair": "ab", "model": None}})
    with pytest.raises(InputError, match="is of two rules, in their order"):
        result_from_dict({**document, "rules": ["borda", "plurality"]})
