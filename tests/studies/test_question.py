"""Rules and functions as questions; parts of a table read as if they were the whole."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, weakest
from weightlab.exceptions import InputError, MissingScoresError, NoWinnerError, ProofError, UnknownNameError
from weightlab.rules import RULES, rank, rule
from weightlab.rules.inputs import Preparation
from weightlab.rules.ranking import ensure_same_source
from weightlab.rules.refusal import NO_ANSWER, Refusal
from weightlab.studies.independence.order_changes import part_of, ranker_of
from weightlab.studies.question import VOTENRANK, Answers, FunctionAnswer, Question, ask, questions

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 2, "c": 5}})
QUICK = [name for name in RULES if name not in {"kemeny", "slater", "scoring", "k_approval", "optimality_gap"}]
ASKED = st.sampled_from(
    [*QUICK, rule("k_approval", k=1), rule("optimality_gap", gamma=2), rule("minimax", score="margins")]
)


def say(said, board=BOARD):
    return questions({"f": lambda _: said})["f"].answer(board)


@given(board=boards(), one=ASKED)
def test_a_rule_is_asked_as_rank_asks_it(board, one):
    (question,) = questions(one).values()
    try:
        ranking = rank(board, one)
    except (InputError, *NO_ANSWER):
        assume(condition=False)
    answer = question.answer(board)
    assert (answer.order, answer.winners) == (ranking.order, ranking.winners)
    assert answer.scores.equals(ranking.scores)
    levels = answer.levels(board.models)
    assert sorted(set(levels.tolist())) == list(range(len(ranking.order)))
    assert [board.models[i] for i in np.flatnonzero(levels == 0)] == list(ranking.order[0])


@given(board=boards(gaps=True), one=ASKED, missing=st.sampled_from(["error", "last", "skip", "median"]), dice=DICE)
def test_a_part_is_ranked_as_if_there_were_no_others(board, one, missing, dice):
    rows = dice.shuffled(range(len(board.models)))[: dice.between(2, len(board.models))]
    chosen = rule(one)
    if "missing" in chosen.parameters:
        chosen = chosen.using(missing=missing)
    (question,) = questions(chosen).values()
    try:
        expected = question.answer(part_of(board, rows))
        found = ranker_of(question, board)(rows)
        again = ranker_of(question, board, afresh=True)(rows)
    except (InputError, *NO_ANSWER):
        assume(condition=False)
    assert found.levels.tolist() == expected.levels([board.models[row] for row in rows]).tolist()
    assert (found.levels.tolist(), found.scores) == (again.levels.tolist(), again.scores)


@FEWER
@given(board=boards(gaps=True), dice=DICE)
def test_a_part_leaves_out_only_tasks_on_which_nobody_has_a_score(board, dice):
    rows = dice.shuffled(range(len(board.models)))[: dice.between(2, len(board.models))]
    part = part_of(board, rows)
    assert part.models == tuple(board.models[row] for row in rows)
    scores = board.scores.loc[list(part.models)]
    assert part.tasks == tuple(task for task in board.tasks if not scores[task].isna().all())
    assert part.scores.equals(scores[list(part.tasks)])


def test_the_rules_of_the_paper_are_known_by_name():
    assert set(VOTENRANK) <= set(RULES)
    assert list(questions(None, options={"gamma": 5})) == [
        "optimality_gap(gamma=5)" if name == "optimality_gap" else name for name in VOTENRANK
    ]


def test_options_go_to_all_rules_that_have_them_unless_they_have_their_own():
    asked = questions(["plurality", rule("borda", ties="min"), "copeland"], options={"ties": "max"})
    assert list(asked) == ["plurality(ties=max)", "borda(ties=min)", "copeland"]


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("b", (("b",), ("a", "c"))),
        (["c", "a"], (("a", "c"), ("b",))),
        (("a", "b", "c"), (("a", "b", "c"),)),
        ((("b",), ("c", "a")), (("b",), ("a", "c"))),
        ([["c"], ["b"], ["a"]], (("c",), ("b",), ("a",))),
        (pd.Series({"b": 2, "a": 7, "c": 2}), (("a",), ("b", "c"))),
        (pd.Series({"c": Fraction(1, 3), "a": 0, "b": 0}), (("c",), ("a", "b"))),
    ],
    ids=["one winner", "winners", "all tie", "order", "strict order", "scores", "exact scores"],
)
def test_what_a_function_may_say(said, order):
    answer = say(said)
    assert answer.order == order
    assert answer.winners == order[0]


def test_a_function_may_return_a_ranking():
    (question,) = questions(lambda board: rank(board, "borda")).values()
    assert question.answer(BOARD).order == rank(BOARD, "borda").order


@pytest.mark.parametrize(
    "said",
    [None, 3, (), "nobody", ["a", "z"], (("a",), ("b",)), (("a",), ("b", "b"), ("c",)), (("a",), "b", "c"), {"a": 1}],
    ids=repr,
)
def test_anything_else_is_refused(said):
    with pytest.raises(InputError, match="the function 'f' must"):
        say(said)


def test_scores_must_be_of_all_models():
    with pytest.raises(InputError, match="must rank each of the 3 models once"):
        say(pd.Series({"a": 1, "b": 2}))
    with pytest.raises(InputError, match="gives no score to 'b'"):
        say(pd.Series({"a": 1, "b": None, "c": 2}))
    with pytest.raises(InputError, match="must rank each of the 3 models once"):
        say(pd.Series(dtype=float))


def test_a_flat_row_of_all_models_that_may_be_meant_as_an_order_is_refused():
    with pytest.raises(
        InputError, match=r"an order is written as a row of groups, such as \(\('c',\), \('a',\), ...\)"
    ):
        say(["c", "a", "b"])


@pytest.mark.parametrize(
    ("rules", "options", "error"),
    [
        (["borda", "borda"], {}, "two questions are called 'borda'"),
        ([], {}, "at least one rule is needed"),
        ([3], {}, "a question is a rule, the name of one, or a function of a leaderboard; got 3"),
        (["copeland"], {"ties": "max"}, "none of the rules has an option 'ties'"),
        (["bord"], {}, "no rule named 'bord'"),
    ],
)
def test_what_is_no_question_is_refused(rules, options, error):
    with pytest.raises(InputError, match=error):
        questions(rules, options=options)


def test_an_unknown_rule_is_an_unknown_name():
    with pytest.raises(UnknownNameError):
        questions("bordda")


def test_what_can_be_called_is_named_without_its_address():
    class Total:
        def __call__(self, board):
            return board.scores.sum(axis=1)

    assert list(questions([partial(max, key=len), Total()])) == ["max", "Total"]
    with pytest.raises(InputError, match="two questions are called '<lambda>'; name them in a mapping"):
        questions([lambda board: board.models, lambda board: board.models[0]])


def test_a_mapping_names_its_questions():
    asked = questions({"points": "borda", "mine": max})
    assert {name: str(one.rule or one.function.__name__) for name, one in asked.items()} == {
        "points (borda)": "borda",
        "mine": "max",
    }
    assert list(questions({"borda": "borda", "mine": "macro_average"})) == ["borda", "mine (macro_average)"]


def test_default_rules_without_an_answer_are_left_out_and_named_ones_are_not():
    gaps = wl.Leaderboard({"x": {"a": 3, "b": 2}, "y": {"a": 2}})
    answers = ask(gaps, None)
    assert list(answers) == ["copeland", "minimax"]
    assert answers.left_out["borda"].startswith("1 missing score: 'b' on 'y'")
    with pytest.raises(MissingScoresError):
        ask(gaps, ["copeland", "borda"])
    with pytest.raises(NoWinnerError):
        ask(wl.Leaderboard({"x": {"a": 1, "b": 1}}), "condorcet")


def test_a_study_without_any_answer_says_why():
    with (
        mock.patch.object(Question, "answer", side_effect=NoWinnerError("none")),
        pytest.raises(InputError, match=r"no rule has an answer \(mean: none; "),
    ):
        ask(BOARD, None)


def test_only_a_leaderboard_is_asked_about():
    with pytest.raises(InputError, match="this study is about a Leaderboard; got a Profile"):
        ask(BOARD.rankings(), None)


@FEWER
@given(board=boards(positive=True))
def test_answers_travel_and_are_proved(board):
    answers = ask(board, None, options={"gamma": 5})
    back = Answers.from_dict(json.loads(json.dumps(answers.to_dict())))
    back.verify(board)
    assert back.orders == answers.orders
    assert weakest(back.proofs.values()) is weakest(answers.proofs.values()) is Proof.EXACT


def test_what_a_function_said_is_proved_by_asking_it_again():
    said = iter(["a", "b", "b"])
    answers = ask(BOARD, {"moody": lambda _: next(said)})
    with pytest.raises(ProofError, match="the order by 'moody' is not the one claimed"):
        answers.verify()


def test_the_weakest_ranking_says_how_much_is_proved():
    assert weakest(ask(BOARD, ["borda", "kemeny"]).proofs.values()) is rank(BOARD, "kemeny").proof


GROUPED = Preparation(how="grouped", group_weights={})
OTHER = ask(wl.Leaderboard(BOARD.scores[["y"]]), ["borda", "mean"])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"board": BOARD.select(models=["b", "a", "c"])}, "the source has the models in another order"),
        ({"found": {**OTHER.found}}, "the source has different tasks"),
        ({"found": {"borda": OTHER.found["borda"]}}, "the questions and the answers do not fit"),
        ({"questions": {"borda": Question(rule=rule("mean")), "mean": Question(rule=rule("mean"))}}, "is by 'mean'"),
        ({"questions": questions(["borda", "mean"]), "found": {"borda": OTHER.found["mean"]}}, "do not fit"),
        ({"found": dict.fromkeys(["borda", "mean"], OTHER.found["mean"])}, "the ranking of 'borda' is by mean"),
        ({"questions": dict.fromkeys(["borda", "mean"], questions("mean")["mean"])}, "is by 'mean'"),
        ({"refusals": (Refusal(rule=rule("mean"), reason="no"),)}, "'mean' is left out, and has an answer"),
        ({"refusals": (Refusal(rule=rule("veto"), reason="no"),)}, "'veto' is left out, and has an answer"),
        ({"refusals": (Refusal(rule=rule("scoring"), reason="no"),)}, "'scoring' is left out for another reason"),
    ],
    ids=["board", "answers", "fewer", "rule", "lost", "by", "name", "left out", "invented", "another reason"],
)
def test_a_false_part_of_answers_is_seen(change, error):
    answers = ask(BOARD, ["borda", "mean"])
    answers.verify(BOARD)
    with pytest.raises(ProofError, match=error):
        replace(answers, **change).verify(BOARD)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"order": (("c",), ("a",), ("b",))}, "the order by borda is not the one claimed"),
        ({"winners": ("c",)}, r"the winners by borda are \('a',\)"),
        ({"scores": pd.Series({"a": 1, "b": 1, "c": 1})}, "the scores are not in the order of the ranking"),
        ({"scores": pd.Series({"a": 4, "c": 2, "b": 1})}, "the score of 'a' by borda is"),
        ({"preparation": GROUPED}, "the ranking of 'borda' is not of the board as it is"),
    ],
    ids=["order", "winners", "no order", "scores", "preparation"],
)
def test_a_false_part_of_an_answer_is_seen(change, error):
    answers = ask(BOARD, "borda")
    false = replace(answers, found={"borda": replace(answers["borda"], **change)})
    with pytest.raises(ProofError, match=error):
        false.verify()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"order": (("a",), ("c",), ("b",))}, "the order by 'macro_average' is not the one claimed"),
        ({"winners": ("a",)}, r"the winners by 'macro_average' are \('c',\)"),
        ({"scores": None}, "the scores by 'macro_average' are not those claimed"),
        ({"scores": pd.Series({"a": 1, "b": 1, "c": 1})}, "the scores by 'macro_average' are not those claimed"),
        ({"proof": Proof.SAMPLED}, "what 'macro_average' says is exact"),
    ],
)
def test_a_false_part_of_what_a_function_says_is_seen(change, error):
    answers = ask(wl.Leaderboard(BOARD.scores, groups={"all": ["x", "y"]}), "macro_average")
    back = Answers.from_dict(json.loads(json.dumps(answers.to_dict())))
    back.verify(answers.board)
    false = replace(back, found={"macro_average": replace(back["macro_average"], **change)})
    with pytest.raises(ProofError, match=error):
        false.verify()


def test_what_a_function_says_is_no_answer_of_a_rule():
    answers = ask(BOARD, "borda")
    false = replace(answers, found={"borda": FunctionAnswer(order=answers["borda"].order, winners=("a",), scores=None)})
    with pytest.raises(ProofError, match="what the rule 'borda' says carries no ranking"):
        false.verify()


def test_a_question_that_was_not_asked_is_unknown():
    with pytest.raises(UnknownNameError, match="no rule named 'bordda'; the study has 'borda'"):
        ask(BOARD, "borda")["bordda"]


def test_a_question_about_nothing_is_refused():
    with pytest.raises(InputError, match="neither a rule nor a function"):
        Question(label="empty").answer(BOARD)


@given(one=ASKED)
def test_a_rule_travels(one):
    (question,) = questions({"mine": one}).values()
    back = Question.from_dict(json.loads(json.dumps(question.to_dict())))
    assert (back.name, str(back.rule)) == (f"mine ({question.rule})", str(question.rule))


def test_a_name_that_hides_the_rule_is_no_name_of_it():
    document = Question(rule=rule("borda")).to_dict()
    for name in ("mean", "", "mine"):
        with pytest.raises(ProofError, match="it is 'borda'"):
            Question.from_dict(document | {"name": name})
    assert Question.from_dict(document | {"label": "mean", "name": "mean (borda)"}).name == "mean (borda)"


def test_a_function_does_not_travel():
    with pytest.raises(InputError, match="the function 'max' has no JSON form"):
        questions(max)["max"].to_dict()


DECLARED = wl.Leaderboard(
    {"x": {"a": "0.1", "b": Fraction(1, 3)}, "y": {"a": None, "b": 2}},
    lower_is_better=["y"],
    weights={"x": "0.3"},
    groups={"g": ["y"]},
    tolerance={"x": "0.01"},
    relative_tolerance={"y": "0.1"},
)


def test_a_board_travels_whole():
    assert wl.Leaderboard.from_dict(json.loads(json.dumps(DECLARED.to_dict()))).equals(DECLARED)


@FEWER
@given(board=boards(gaps=True, lower=True))
def test_any_board_travels_whole(board):
    back = wl.Leaderboard.from_dict(json.loads(json.dumps(board.to_dict())))
    assert back.equals(board)
    ensure_same_source(board, back)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"tolerance": {"x": "0.02"}}, "the source declares another tolerance"),
        ({"relative_tolerance": {"y": "0.2"}}, "the source declares another relative_tolerance"),
        ({"groups": {"g": ["x"]}}, "the source declares another groups"),
        ({"weights": {"x": "0.4"}}, "the weight of"),
    ],
)
def test_another_board_is_seen(change, error):
    declared = {
        "lower_is_better": DECLARED.lower_is_better,
        "weights": DECLARED.weights,
        "groups": DECLARED.groups,
        "tolerance": DECLARED.tolerance,
        "relative_tolerance": DECLARED.relative_tolerance,
    }
    other = wl.Leaderboard.from_cells(DECLARED.models, DECLARED.tasks, DECLARED.cells, **{**declared, **change})
    with pytest.raises(ProofError, match=error):
        ensure_same_source(DECLARED, other)


def test_a_source_of_another_kind_is_said_to_be_one():
    with pytest.raises(ProofError, match="the source must be a Leaderboard, not a DataFrame"):
        ensure_same_source(DECLARED, DECLARED.scores)
