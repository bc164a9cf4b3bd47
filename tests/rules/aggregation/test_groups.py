"""Groups as voters: weights that are shared, and rankings of rankings."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab.data import Leaderboard, Profile
from weightlab.exceptions import InputError, MissingScoresError, ProofError, UnknownNameError
from weightlab.rules import group_weighted, grouped, rank, rule, two_step

# Figure 1 of Vote'n'Rank: seven voters in groups of three, two and two.
COLUMNS = {
    "n1": {"a": 3, "b": 2, "c": 1},
    "n2": {"a": 3, "b": 1, "c": 2},
    "n3": {"a": 3, "b": 2, "c": 1},
    "s1": {"a": 1, "b": 3, "c": 2},
    "s2": {"a": 2, "b": 3, "c": 1},
    "q1": {"a": 1, "b": 3, "c": 2},
    "q2": {"a": 2, "b": 1, "c": 3},
}
GROUPS = {"nli": ["n1", "n2", "n3"], "sentiment": ["s1", "s2"], "qa": ["q1", "q2"]}
BOARD = Leaderboard(COLUMNS, groups=GROUPS)


@st.composite
def grouped_boards(draw, **options):
    """Return a board whose tasks are in groups of their own."""
    board = draw(boards(**options))
    homes = draw(st.lists(st.sampled_from("gh"), min_size=len(board.tasks), max_size=len(board.tasks)))
    groups = {}
    for task, home in zip(board.tasks, homes, strict=True):
        groups.setdefault(home, []).append(task)
    return Leaderboard(board.scores, weights=board.weights, lower_is_better=board.lower_is_better, groups=groups)


def test_each_group_has_one_weight_shared_among_its_tasks():
    weights = group_weighted(BOARD).weights
    assert weights.tolist() == [Fraction(1, 3)] * 3 + [Fraction(1, 2)] * 4
    assert grouped(BOARD, "plurality").scores.to_dict() == {"b": Fraction(3, 2), "a": 1, "c": Fraction(1, 2)}
    assert rank(BOARD, "plurality").winners == ("a", "b")


@given(board=grouped_boards(), weights=st.dictionaries(st.sampled_from("gh"), st.sampled_from(["0.5", 2, 3])))
def test_shares_add_up_to_the_weights_of_the_groups_in_proportion_to_the_tasks(board, weights):
    weights = {name: weight for name, weight in weights.items() if name in board.groups}
    shares, own = group_weighted(board, weights).weights, board.weights
    for name, tasks in board.groups.items():
        assert sum(shares[list(tasks)]) == Fraction(weights.get(name, 1))
        for task in tasks:
            assert shares[task] * sum(own[list(tasks)]) == own[task] * Fraction(weights.get(name, 1))


def test_a_task_in_two_groups_gets_a_share_of_each():
    board = Leaderboard(COLUMNS, groups={**GROUPS, "hard": ["n1"]})
    assert group_weighted(board, {"hard": "0.5"}).weights["n1"] == Fraction(1, 3) + Fraction(1, 2)


def test_in_two_steps_each_group_is_ranked_and_then_votes():
    ranking = two_step(BOARD, "borda")
    assert {name: step.order for name, step in ranking.steps.items()} == {
        "nli": (("a",), ("b",), ("c",)),
        "sentiment": (("b",), ("a", "c")),
        "qa": (("c",), ("b",), ("a",)),
    }
    assert ranking.final.data.voters == ("nli", "sentiment", "qa")
    assert ranking.scores.to_dict() == {"b": 4, "a": Fraction(5, 2), "c": Fraction(5, 2)}
    assert (ranking.winners, ranking.order, ranking.ranks["c"]) == (("b",), (("b",), ("a", "c")), 2)


def test_the_second_step_may_follow_another_rule_and_other_weights():
    ranking = two_step(BOARD, "borda", then=rule("plurality"), group_weights={"qa": "2.5", "nli": 0}, ties="max")
    assert str(ranking.final.rule) == "plurality"
    assert {str(step.rule) for step in ranking.steps.values()} == {"borda(ties=max)"}
    assert (ranking.winners, tuple(ranking.steps)) == (("c",), ("sentiment", "qa"))


def test_two_steps_of_a_mean_are_the_mean_of_group_means():
    ranking = two_step(BOARD, "mean")
    assert ranking.scores["a"] == Fraction(3 + Fraction(3, 2) + Fraction(3, 2), 3)
    assert ranking.order == grouped(BOARD, "mean").order


@given(board=grouped_boards(lower=True))
def test_two_steps_of_a_mean_are_the_group_weighted_mean(board):
    assert two_step(board, "mean").scores.to_dict() == grouped(board, "mean").scores.to_dict()


@given(board=boards())
def test_with_all_tasks_in_one_group_the_first_step_decides(board):
    board = Leaderboard(board.scores, weights=board.weights, groups={"all": list(board.tasks)})
    for name in ("borda", "copeland", "mean", "baldwin"):
        assert two_step(board, name).order == rank(board, name).order


@given(board=boards(lower=True))
def test_with_a_group_a_task_the_second_step_decides(board):
    groups = {f"only {task}": [task] for task in board.tasks}
    weights = {f"only {task}": weight for task, weight in board.weights.items()}
    board = Leaderboard(board.scores, lower_is_better=board.lower_is_better, weights=board.weights, groups=groups)
    for name in ("borda", "minimax", "plurality"):
        second = two_step(board, "borda", then=name, group_weights=weights)
        assert second.scores.to_dict() == rank(board, name).scores.to_dict()


def test_tasks_without_a_group_are_named():
    board = Leaderboard(COLUMNS, groups={"nli": ["n1", "n2"], "qa": ["q1"]}, weights={"s2": 0})
    for question in (two_step, grouped):
        with pytest.raises(InputError, match="3 tasks are in no group: 'n3', 's1', 'q2'; group every task that weighs"):
            question(board, "borda")
    lone = Leaderboard(COLUMNS, groups={"most": list(COLUMNS)[1:]})
    with pytest.raises(InputError, match="1 task is in no group: 'n1'"):
        two_step(lone)


def test_groups_that_overlap_are_named_in_two_steps():
    board = Leaderboard(COLUMNS, groups={**GROUPS, "hard": ["n1", "q2"]})
    message = r"may not overlap; in several groups: 'n1' \('nli', 'hard'\), 'q2' \('qa', 'hard'\)"
    with pytest.raises(InputError, match=message):
        two_step(board, "borda")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"nlp": 1}, r"no group named 'nlp'; .* \(did you mean 'nli'\?\)"),
        ({"nli": -1}, "weight of group 'nli' is negative: -1"),
        ({"nli": 0, "sentiment": 0, "qa": 0}, "all groups have weight 0"),
        ({"nli": "much"}, "weight of group 'nli': 'much' is not a finite number"),
    ],
)
def test_wrong_group_weights_are_refused(weights, message):
    for question in (two_step, grouped):
        with pytest.raises(InputError, match=message):
            question(BOARD, "borda", group_weights=weights)


def test_a_board_without_groups_is_refused():
    with pytest.raises(InputError, match="the leaderboard has no groups"):
        two_step(Leaderboard(COLUMNS), "borda")


def test_a_group_of_silent_tasks_has_nothing_to_say():
    board = Leaderboard(COLUMNS, groups=GROUPS, weights={"q1": 0, "q2": 0})
    with pytest.raises(InputError, match="group 'qa' weighs 1, but all its tasks have weight 0"):
        grouped(board, "borda")
    with pytest.raises(InputError, match="all tasks of a group have weight 0: 'q1', 'q2'"):
        two_step(board, "borda")
    assert two_step(board, "borda", group_weights={"qa": 0}).winners == ("b",)


def test_irrational_scores_are_not_averaged_again():
    with pytest.raises(InputError, match=r"the scores of 'geometric_mean' are irrational, .* then='borda'"):
        two_step(BOARD, "geometric_mean")
    assert two_step(BOARD, "geometric_mean", then="borda").steps["nli"].winners == ("a",)


def test_a_model_without_a_score_in_a_group_is_not_ranked_there():
    columns = {"x": {"a": 1, "b": 2, "c": None}, "y": {"a": 3, "b": 1, "c": 2}}
    board = Leaderboard(columns, groups={"left": ["x"], "right": ["y"]})
    with pytest.raises(MissingScoresError, match="'c' on 'left'"):
        two_step(board, "borda")
    ranking = two_step(board, "borda", missing="last")
    assert ranking.steps["left"].models == ("a", "b")
    assert ranking.scores.to_dict() == {"a": 3, "b": 2, "c": 1}
    assert two_step(board, "copeland").final.data.models == ("a", "b", "c")
    assert ranking.summary()["groups"]["left"].isna().tolist() == [False, False, True]


class TestProof:
    ranking = two_step(BOARD, "borda", group_weights={"qa": 2})

    def test_it_travels(self):
        again = result_from_dict(json.loads(json.dumps(self.ranking.to_dict())))
        assert again.verify(BOARD)
        assert again.to_dict() == self.ranking.to_dict()

    def test_it_is_as_strong_as_its_parts(self):
        assert self.ranking.proof is Proof.EXACT

    def test_steps_of_another_table_are_refused(self):
        other = Leaderboard({**COLUMNS, "q2": COLUMNS["q1"]}, groups=GROUPS)
        with pytest.raises(ProofError, match="the score of 'a' on 'q2' is 1 in the source, not 2"):
            self.ranking.verify(other)
        with pytest.raises(ProofError, match="the source declares another groups"):
            self.ranking.verify(Leaderboard(COLUMNS, groups={"all": list(COLUMNS)}))

    @pytest.mark.parametrize("field", ["steps", "weights", "final", "inner"])
    def test_every_change_is_noticed(self, field):
        changes = {
            "steps": {"steps": dict(reversed(self.ranking.steps.items()))},
            "weights": {"weights": (Fraction(1), Fraction(1), Fraction(1))},
            "final": {"final": replace(self.ranking.final, winners=("c",))},
            "inner": {
                "steps": {**self.ranking.steps, "qa": replace(self.ranking.steps["qa"], order=(("a", "b", "c"),))}
            },
        }
        with pytest.raises(ProofError):
            replace(self.ranking, **changes[field]).verify()

    def test_weights_must_match_the_groups(self):
        document = {**self.ranking.to_dict(), "weights": ["1/1"]}
        with pytest.raises(InputError, match="1 weights for 3 groups"):
            result_from_dict(document)

    def test_a_first_step_by_several_rules_is_refused(self):
        other = two_step(BOARD, "plurality").steps["qa"]
        with pytest.raises(ProofError, match="the first step is not by one rule"):
            replace(self.ranking, steps={**self.ranking.steps, "qa": other}).verify()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"winners": ["c"]}, "does not prove winners"),
            ({"weights": ["1/1", "0/1", "1/1"]}, "are positive"),
            ({"weights": ["1e999999999", "1/1", "1/1"]}, "not a fraction"),
        ],
    )
    def test_documents_of_another_form_are_refused(self, change, message):
        with pytest.raises((InputError, ProofError), match=message):
            result_from_dict({**self.ranking.to_dict(), **change})

    def test_it_says_who_wins_and_on_what(self):
        assert str(self.ranking).endswith(" in each of 3 groups.")
        assert self.ranking.models == ("a", "b", "c")


def test_a_ranking_by_shared_weights_verifies_against_the_users_own_table():
    ranking = grouped(BOARD, "borda", group_weights={"qa": "0.5"})
    assert ranking.verify(BOARD)
    again = result_from_dict(json.loads(json.dumps(ranking.to_dict())))
    assert again.verify(BOARD)
    assert again.preparation == ranking.preparation
    with pytest.raises(ProofError, match="the score of 'b' by borda is 11/3, not 19/6"):
        replace(ranking, preparation=replace(ranking.preparation, group_weights={"qa": Fraction(1)})).verify(BOARD)
    with pytest.raises(ProofError, match="the source must be a Leaderboard, not a Profile"):
        ranking.verify(BOARD.rankings())
    with pytest.raises(InputError, match="weights by group need a Leaderboard; got a Profile"):
        replace(ranking, source=BOARD.rankings()).verify()


@pytest.mark.parametrize("change", [{"how": "guessed"}, {"each": "model"}])
def test_an_unknown_preparation_is_refused(change):
    document = grouped(BOARD, "borda").to_dict()
    with pytest.raises(InputError, match="is needed; got"):
        result_from_dict({**document, "preparation": {**document["preparation"], **change}})


def test_profiles_are_not_boards():
    with pytest.raises(AttributeError):
        two_step(Profile.from_orders([["a", "b"]]), "borda")


def test_unknown_rules_are_refused():
    with pytest.raises(UnknownNameError, match="no rule named 'bord'"):
        two_step(BOARD, "borda", then="bord")
