"""The card: three numbers that each end first place, and less of which does not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.studies import card

TINY = Fraction(1, 10**6)
SMALL = {
    "points": [[30, 70, 90], [70, 60, 20], [50, 50, 40]],
    "level": [[1, 2, 3], [3, 2, 1], [2, 2, 2]],
}


@st.composite
def tables(draw):
    models, tasks = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    scale = draw(st.sampled_from([1, 10]))
    cells = [[Fraction(draw(st.integers(0, 6)), scale) for _ in range(tasks)] for _ in range(models)]
    weights = [draw(st.integers(1, 3)) for _ in range(tasks)]
    return board_of(cells, weights, lower=draw(st.booleans()))


def board_of(cells, weights=None, *, lower=False):
    tasks = [f"t{at}" for at in range(len(cells[0]))]
    scores = {task: {f"m{row}": its[at] for row, its in enumerate(cells)} for at, task in enumerate(tasks)}
    return wl.Leaderboard(
        scores,
        weights=dict(zip(tasks, weights or [1] * len(tasks), strict=True)),
        lower_is_better=tasks[:1] if lower else [],
    )


def sign(value):
    return (value > 0) - (value < 0)


def score(board, model, task):
    value = board.cells.column(board.tasks.index(task))[board.models.index(model)]
    return -value if task in board.lower_is_better else value


def worst_lead(board, rule, pair, error, unit):
    """The least lead over a rival if each score is off by an error: third models tried at all that can matter."""
    first, rival = pair
    total = Fraction(0)
    for task in board.tasks:
        values = {model: score(board, model, task) for model in board.models}
        size = 1 if unit == "points" else max(values.values()) - min(values.values())
        off = error * size
        high, low = values[first] - off, values[rival] + off
        lead = Fraction(high - low) if rule == "mean" else Fraction(sign(high - low))
        if rule == "borda":
            lead *= 2
            for third in set(board.models) - {first, rival}:
                least, most = values[third] - off, values[third] + off
                ends = [least, most, *(one for one in (high, low, (high + low) / 2) if least <= one <= most)]
                near = [min(max(one + by, least), most) for one in ends for by in (-TINY / 7, TINY / 7)]
                lead += min(sign(high - one) - sign(low - one) for one in (*ends, *near))
        total += board.weights[task] * lead
    return total


@given(tables(), st.sampled_from(["mean", "borda", "majority"]))
def test_no_smaller_error_ends_first_place_and_a_larger_one_does(board, rule):
    try:
        found = card(board, rule)
    except wl.NoWinnerError:
        assert rule == "majority"
        return
    if len(found.winners) > 1:
        assert (found.tasks, found.weight, found.error) == (0, 0, None)
        return
    first, rivals = found.winners[0], [model for model in board.models if model != found.winners[0]]

    def least(error):
        return min(worst_lead(board, rule, (first, rival), error, found.unit) for rival in rivals)

    assert all(
        least(found.error * share) > 0 for share in (0, Fraction(1, 2), Fraction(9, 10)) if found.error or not share
    )
    assert found.error < TINY or least(found.error - TINY) > 0
    assert least(found.error + TINY) <= 0
    assert worst_lead(board, rule, (first, found.error_rival), found.error + TINY, found.unit) <= 0


@given(tables(), st.sampled_from(["mean", "borda"]))
def test_fewer_tasks_never_end_first_place(board, rule):
    found = card(board, rule)
    if len(found.winners) > 1:
        return
    first, most = found.winners[0], found.tasks if found.tasks is not None else len(board.tasks)
    for count in range(1, len(board.tasks)):
        passed = any(
            rank.ranks[first] > 1
            for gone in combinations(board.tasks, count)
            for rank in [wl.rules.rank(board.select(tasks=[one for one in board.tasks if one not in gone]), rule)]
        )
        assert passed <= (count >= most)
        assert passed or count != found.tasks


@pytest.mark.parametrize(
    ("rule", "told"), [("mean", "by average"), ("borda", "by Borda"), ("majority", "head-to-head")]
)
def test_the_sentence_names_the_rule_and_who_passes(rule, told):
    board = board_of([[9, 9, 1], [5, 5, 8], [1, 1, 1]])
    text = str(card(board, rule))
    assert text.startswith(f"m0 is first of 3 models {told}. That ends")
    assert "(m1 passes)" in text
    assert "of the weight shifts (m1 ties)" in text


def test_a_shared_first_place_is_as_loose_as_can_be():
    found = card(board_of([[1, 2], [2, 1]]), "mean")
    assert (found.tasks, found.weight, found.error, found.drops, found.move) == (0, 0, None, None, None)
    assert str(found) == "m0 and m1 share first place of 2 models by average."
    assert found.verify()


def test_models_without_a_score_are_left_out_and_said():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": None}, "y": {"a": 3, "b": 4, "c": 9}})
    found = card(board, "mean")
    assert found.left_out == ("c",)
    assert "2 models with every score" in str(found)
    assert found.verify(board)
    with pytest.raises(wl.ProofError, match="other models of the table lack scores"):
        found.verify(board.complete())
    assert card(board, "majority").left_out == ()


def test_scales_that_differ_are_told_as_shares_of_each_range():
    board = wl.Leaderboard({"x": {"a": 300, "b": 100, "c": 0}, "y": {"a": 0.5, "b": 0.4, "c": 0.1}})
    found = card(board)
    assert (found.rule, found.unit) == ("borda", "range")
    assert "of each task's range" in str(found)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("error", Fraction(5)),
        ("error", Fraction(7)),
        ("error", Fraction(-1)),
        ("error", None),
        ("error_rival", "m2"),
        ("error_rival", "no model"),
        ("winners", ("m1",)),
        ("winners", ("m0", "m1")),
        ("rule", "borda"),
        ("unit", "range"),
        ("left_out", ("m9",)),
        ("drops", None),
        ("move", None),
    ],
)
def test_a_forged_card_is_refused(part, value):
    board = board_of([[30, 70, 90], [70, 60, 20], [20, 20, 10]])
    found = card(board, "mean")
    assert found.error == Fraction(20, 3)
    with pytest.raises(wl.ProofError):
        replace(found, **{part: value}).verify(board)


def test_a_card_survives_its_document(tmp_path):
    board = board_of(SMALL["points"])
    found = card(board)
    again = wl.studies.Card.from_dict(found.to_dict())
    assert again.to_dict() == found.to_dict()
    assert again.verify(board)
    assert list(found.to_frame().index) == ["tasks left out", "weight shifted", "error in scores"]


def test_rules_without_a_known_worst_case_give_no_error():
    found = card(board_of(SMALL["points"]), "plurality")
    assert found.error is None
    assert "scores are off" not in str(found)
    with pytest.raises(wl.UnknownNameError):
        card(board_of(SMALL["points"]), "copeland")


@pytest.mark.parametrize(
    ("name", "tasks", "weight", "error"),
    [
        ("votenrank/superglue", 1, 0.00222, 0.0214),
        ("votenrank/glue", 1, 0.0134, 0.0392),
        ("leaderboards/vtab", 2, 0.0289, 0.0447),
        ("leaderboards/openllm", 1, 0.0471, 0.0308),
        ("leaderboards/bigbench_hard", 22, 0.528, 7.522),
    ],
)
def test_cards_of_public_boards(shared_data, name, tasks, weight, error):
    found = card(wl.read_leaderboard(shared_data / f"{name}.csv"), "mean")
    assert found.tasks == tasks
    assert float(found.weight) == pytest.approx(weight, rel=0.03)
    assert float(found.error) == pytest.approx(error, rel=0.01)


def test_products_of_all_small_tables_agree():
    for cells in product(range(3), repeat=4):
        board = board_of([list(cells[:2]), list(cells[2:])])
        found = card(board, "mean")
        lead = sum(cells[:2]) - sum(cells[2:])
        assert (found.error is None) == (lead == 0)
        assert found.error is None or (found.unit == "range") or found.error == Fraction(abs(lead), 4)
