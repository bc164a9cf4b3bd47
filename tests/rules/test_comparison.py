"""Rules side by side, and how far they agree."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import brute_force
from tests.rules.strategies import boards, profile_of
from weightlab._result import Proof, result_from_dict
from weightlab.data import Leaderboard
from weightlab.datasets import load_leaderboard
from weightlab.exceptions import InputError, ProofError, UnknownNameError, UnprovedError
from weightlab.rules import RULES, Comparison, compare, kendall_tau, rank, rule, tau_matrix, top_agreement
from weightlab.rules.refusal import UNSOLVED, Refusal
from weightlab.rules.similarity import rank_correlation as agreement

BOARD = Leaderboard(
    {
        "x": {"ada": 9, "bo": 8, "cy": 1, "di": 4},
        "y": {"ada": 1, "bo": 5, "cy": 2, "di": 4},
        "z": {"ada": 3, "bo": 5, "cy": 9, "di": 4},
    }
)


@st.composite
def orders(draw, count=None):
    """Return a weak order of some letters."""
    size = count or draw(st.integers(2, 6))
    levels = draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size))
    return tuple(
        tuple(model for model, level in zip("abcdef", levels, strict=False) if level == place)
        for place in sorted(set(levels))
    )


@given(data=st.data())
def test_tau_b_is_counted_pair_by_pair(data):
    first = data.draw(orders())
    second = data.draw(orders(count=sum(map(len, first))))
    expected = brute_force.tau_b(first, second)
    found = kendall_tau(first, second)
    assert math.isnan(found) if expected is None else found == pytest.approx(expected, abs=1e-14)


@given(data=st.data())
def test_tau_b_of_an_order_with_itself_is_exactly_1(data):
    first = data.draw(orders())
    if len(first) > 1:
        assert kendall_tau(first, first) == 1.0
        assert kendall_tau(first, first[::-1]) == -1.0


def test_tau_b_is_what_scipy_finds():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(3)
    levels = rng.integers(0, 12, (6, 40))
    names = [f"m{place}" for place in range(40)]
    listed = [
        tuple(tuple(name for name, at in zip(names, row, strict=True) if at == place) for place in sorted(set(row)))
        for row in levels.tolist()
    ]
    matrix = tau_matrix(listed)
    expected = [[kendalltau(one, other).statistic for other in levels] for one in levels]
    assert np.allclose(matrix, expected)


def test_tau_does_not_depend_on_the_blocks_it_is_counted_in(monkeypatch):
    listed = [
        (("a", "b"), ("c",), ("d", "e")),
        (("e",), ("a", "b", "c", "d")),
        (("c",), ("a",), ("b",), ("d",), ("e",)),
    ]
    whole = tau_matrix(listed)
    monkeypatch.setattr(agreement, "BLOCK_CELLS", 1)
    assert np.array_equal(tau_matrix(listed), whole)


@given(data=st.data())
def test_the_share_of_the_top_is_symmetric_and_1_with_itself(data):
    first = data.draw(orders())
    count = sum(map(len, first))
    second, k = data.draw(orders(count=count)), data.draw(st.integers(1, count))
    assert top_agreement(first, first, k) == 1
    assert top_agreement(first, second, k) == top_agreement(second, first, k)
    assert top_agreement(first, second, count) == 1
    assert top_agreement(first, second, k, last=True) == top_agreement(first[::-1], second[::-1], k)


@given(first=st.permutations("abcde"), second=st.permutations("abcde"), k=st.integers(1, 5))
def test_without_ties_the_share_of_the_top_counts_common_names(first, second, k):
    expected = Fraction(len(set(first[:k]) & set(second[:k])), k)
    assert top_agreement(tuple((m,) for m in first), tuple((m,) for m in second), k) == expected


def test_a_tie_across_the_edge_counts_with_the_share_that_is_within():
    tied = (("a",), ("b", "c", "d"))
    assert top_agreement(tied, (("a",), ("b",), ("c",), ("d",)), 2) == Fraction(2, 3)


@pytest.mark.parametrize("k", [0, 4])
def test_k_is_a_number_of_models(k):
    with pytest.raises(InputError, match=r"k must be from 1 to the number of models \(3\)"):
        top_agreement((("a", "b", "c"),), (("a", "b", "c"),), k)


def test_orders_of_other_models_are_not_compared():
    with pytest.raises(InputError, match="only if they rank the same models"):
        kendall_tau((("a",), ("b",)), (("a",), ("c",)))


def test_all_rules_are_compared_and_the_rest_is_explained():
    comparison = compare(BOARD, RULES)
    assert set(comparison.rankings) | set(comparison.left_out) == set(RULES)
    assert comparison.left_out["optimality_gap"] == "the rule 'optimality_gap' needs the option gamma"
    assert comparison.left_out["k_approval"] == "the rule 'k_approval' needs the option k"
    assert comparison.left_out["scoring"] == "the rule 'scoring' needs the option vector"
    for name, ranking in comparison.rankings.items():
        assert ranking.order == rank(BOARD, name).order


def test_a_tables_own_rule_and_seven_more_are_compared_where_none_is_named():
    mean = ["mean", "median", "mean_rank", "borda", "copeland", "minimax", "schulze", "kemeny"]
    assert list(compare(BOARD).rankings) == mean
    declared = Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 3, "b": 1, "c": 2}}, rule="dowdall")
    assert list(compare(declared).rankings) == ["dowdall", *mean[:-1]]
    assert rank(declared).rule.name == "dowdall"
    assert len(compare(declared.margins()).rankings) + len(compare(declared.margins()).left_out) == 8


def test_the_table_of_ranks_follows_the_first_rule():
    comparison = compare(BOARD, ["mean", "plurality", rule("borda", ties="max")])
    assert comparison.rules == ("mean", "plurality", "borda(ties=max)")
    assert comparison.ranks.index.tolist() == list(comparison.rankings["mean"].scores.index)
    assert comparison.ranks.loc["ada", "plurality"] == 1
    assert comparison.scores.loc["bo", "mean"] == 6.0
    assert comparison.winners["plurality"] == ("ada", "bo", "cy")
    assert comparison.models == BOARD.models
    assert comparison.summary().equals(comparison.ranks)


def test_agreement_is_tau_between_all_pairs():
    comparison = compare(BOARD, ["mean", "borda", "veto"])
    table = comparison.agreement
    assert table.loc["mean", "borda"] == kendall_tau(
        comparison.rankings["mean"].order, comparison.rankings["borda"].order
    )
    assert table.loc["veto", "veto"] == 1


def test_the_top_is_compared_with_the_first_rule_or_a_named_one():
    comparison = compare(BOARD, ["mean", "borda", "plurality"])
    assert comparison.top(1).to_dict() == {"mean": 1, "borda": 1, "plurality": Fraction(1, 3)}
    assert comparison.top(1, baseline="plurality")["plurality"] == 1
    assert comparison.top(2, last=True).name == "last-2"
    with pytest.raises(UnknownNameError, match="no rule named 'veto'; the comparison has"):
        comparison.top(1, baseline="veto")


def test_tied_models_are_those_level_with_one_above():
    comparison = compare(profile_of(["abcd", "badc"]), ["plurality", "borda", "veto"])
    assert comparison.tied.to_dict() == {"plurality": 2, "borda": 2, "veto": 2}


def test_options_go_to_the_rules_that_have_them():
    comparison = compare(BOARD, ["borda", "copeland", rule("plurality", ties="min")], ties="max")
    assert list(comparison.rankings) == ["borda(ties=max)", "copeland", "plurality(ties=min)"]
    assert comparison.rankings["borda(ties=max)"].rule.options == {"ties": "max"}
    assert comparison.rankings["plurality(ties=min)"].rule.options == {"ties": "min"}
    assert comparison.rankings["copeland"].rule.options == {}


def test_an_option_of_none_of_the_rules_is_refused():
    with pytest.raises(InputError, match="none of the rules has an option 'tis'"):
        compare(BOARD, ["borda"], tis="max")


def test_a_value_that_a_rule_does_not_know_is_no_reason_to_leave_it_out():
    with pytest.raises(InputError, match="ties must be 'average', 'min' or 'max'"):
        compare(BOARD, ties="first")


def test_gaps_leave_out_the_rules_that_do_not_take_them():
    board = Leaderboard({"x": {"a": 1, "b": 2, "c": None}, "y": {"a": 3, "b": 1, "c": 2}})
    comparison = compare(board, RULES)
    assert comparison.left_out["borda"] == "1 missing score: 'c' on 'x'"
    assert "copeland" in comparison.rankings
    skipping = compare(board, RULES, missing="skip")
    assert "mean(missing=skip)" in skipping.rankings
    assert "missing must be 'error', 'last' or 'median'; got 'skip'" in skipping.left_out["plurality(missing=skip)"]
    assert skipping.verify(board)
    with pytest.raises(InputError, match="missing must be"):
        compare(board, missing="guess")


def test_no_answer_at_all_is_an_error_with_all_reasons():
    with pytest.raises(
        InputError, match=r"no rule has an answer \(mean: this rule reads scores.*; condorcet: no model"
    ):
        compare(profile_of(["abc", "bca", "cab"]), ["mean", "condorcet"])


def test_where_a_proof_alone_is_missing_that_is_the_error_with_what_is_known():
    board = load_leaderboard("classifiers")
    with pytest.raises(UnprovedError, match=r"no rule has an answer \(k_approval: .*; kemeny: the time limit") as late:
        compare(board, ["k_approval", "kemeny"], time_limit=0)
    assert late.value.known["bound"] < late.value.known["cost"]
    with pytest.raises(UnprovedError) as late:
        compare(board, ["kemeny", rule("kemeny", tie_penalty="1/2")], time_limit=0)
    assert late.value.known == {}


def test_it_counts_the_outcomes_that_it_does_not_name():
    rankings = compare(BOARD, ["mean", "borda", "veto", "median", "copeland", "minimax"]).rankings
    groups = [("ada",), ("bo",), ("cy",), ("di",), ("ada", "bo"), ("cy", "di")]
    outcomes = {name: replace(one, winners=group) for (name, one), group in zip(rankings.items(), groups, strict=True)}
    assert str(Comparison(rankings=outcomes, source=BOARD)).endswith("di by 1; 2 more outcomes.")
    del outcomes["minimax"]
    assert str(Comparison(rankings=outcomes, source=BOARD)).endswith("di by 1; 1 more outcome.")


def test_it_says_who_wins_by_how_many_rules():
    comparison = compare(BOARD, ["mean", "borda", "plurality", "optimality_gap"])
    assert str(comparison) == ("3 rules on 4 models, winners: bo by 2; ada, bo and cy by 1. 1 rule has no answer.")
    assert str(compare(BOARD, ["mean"])) == "1 rule on 4 models, winners: bo by 1."


@settings(max_examples=5)
@given(board=boards())
def test_comparisons_verify_here_and_after_a_journey(board):
    comparison = compare(board)
    again = result_from_dict(json.loads(json.dumps(comparison.to_dict())))
    assert comparison.verify(board)
    assert again.verify(board)
    assert again.to_dict() == comparison.to_dict()
    assert comparison.proof in Proof


def test_one_wrong_ranking_spoils_a_comparison():
    comparison = compare(BOARD, ["mean", "borda"])
    wrong = replace(comparison.rankings["borda"], winners=("cy",))
    with pytest.raises(ProofError, match="the winners by borda"):
        replace(comparison, rankings={**comparison.rankings, "borda": wrong}).verify()


def test_a_comparison_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one ranking"):
        result_from_dict({**compare(BOARD, ["mean"]).to_dict(), "rankings": {}, "winners": {}})


def test_a_ranking_under_the_name_of_another_rule_is_refused():
    comparison = compare(BOARD, ["mean", "borda", "copeland"])
    swapped = {**comparison.rankings, "mean": comparison.rankings["borda"]}
    with pytest.raises(ProofError, match="the ranking of 'mean' is by 'borda'"):
        replace(comparison, rankings=swapped).verify()


@pytest.mark.parametrize(
    ("refusals", "message"),
    [
        ([Refusal(rule=rule("borda"), reason="no answer")], "'borda' is left out, and has an answer"),
        ([Refusal(rule=rule("veto"), reason="it skips missing scores")], "'veto' is left out, and has an answer"),
        ([Refusal(rule=rule("k_approval"), reason="it is broken")], "'k_approval' is left out for another reason"),
        ([Refusal(rule=rule("kemeny"), reason="it is broken")], "'kemeny' is left out only where it was not solved"),
        ([Refusal(rule=rule("kemeny"), reason=UNSOLVED)] * 2, "left out twice"),
    ],
)
def test_an_invented_reason_to_leave_a_rule_out_is_refused(refusals, message):
    comparison = replace(compare(BOARD, ["mean", "borda"]), refusals=tuple(refusals))
    for one in (comparison, result_from_dict(json.loads(json.dumps(comparison.to_dict())))):
        with pytest.raises(ProofError, match=message):
            one.verify(BOARD)


def test_that_a_hard_rule_was_not_solved_in_time_is_believed():
    comparison = compare(BOARD, ["mean", "borda"])
    late = replace(comparison, refusals=(Refusal(rule=rule("kemeny"), reason=UNSOLVED),))
    assert late.verify(BOARD)
    assert late.left_out == {"kemeny": "the time limit passed before its program was solved"}


def test_rankings_of_other_models_are_not_compared():
    comparison = compare(BOARD, ["mean", "borda"])
    other = rank(BOARD.select(models=BOARD.models[:2]), "borda")
    with pytest.raises(ProofError, match="'borda' ranks other models than 'mean'"):
        replace(comparison, rankings={**comparison.rankings, "borda": other}).verify()


def test_winners_that_are_not_those_of_the_rankings_are_refused():
    document = compare(BOARD, ["mean", "borda"]).to_dict()
    document["winners"]["mean"] = ["cy"]
    with pytest.raises(ProofError, match="does not prove winners"):
        result_from_dict(document)


def test_the_table_is_written_once_and_every_ranking_is_of_it():
    written = json.loads(json.dumps(compare(BOARD).to_dict()))
    assert json.dumps(written).count('"scores": {"x"') == 1
    assert all(one["source"] == written["source"] == {"table": 0} for one in written["rankings"].values())
    again = result_from_dict(json.loads(json.dumps(written)))
    assert again.rankings["schulze"].witness.margins.wins.tolist() == BOARD.margins().wins.tolist()
    fewer = BOARD.select(models=["bo", "ada", "cy"]).margins()
    for name, part, table in (("borda", "source", Leaderboard(BOARD.scores + 1)), ("schulze", "margins", fewer)):
        spoilt = json.loads(json.dumps(written))
        held = spoilt["rankings"][name]
        (held if part == "source" else held["witness"])[part] = table.to_dict()
        with pytest.raises((InputError, ProofError)):
            result_from_dict(spoilt).verify()


def test_rankings_of_another_table_are_not_compared():
    comparison = compare(BOARD, ["mean", "borda"])
    other = Leaderboard(BOARD.scores + 1)
    wrong = rank(other, "borda")
    with pytest.raises(ProofError, match="in the source"):
        replace(comparison, rankings={**comparison.rankings, "borda": wrong}).verify()
    with pytest.raises(ProofError, match="in the source"):
        comparison.verify(other)


def test_rules_that_read_the_table_in_their_own_way_keep_it_so():
    board = Leaderboard({"x": {"a": 3, "b": 2, "c": None}, "y": {"a": 1, "b": 2, "c": 3}})
    ways = [rule("mean", missing="skip"), rule("mean_rank", missing="skip"), rule("mean", missing="median"), "copeland"]
    comparison = compare(board, ways)
    written = comparison.to_dict()
    assert len(written["rankings"]) == 4
    assert result_from_dict(json.loads(json.dumps(written))).verify(board)
