"""How far rules agree, and how many models each leaves level."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.rules.strategies import boards
from tests.strategies import FEWER
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.rules import kendall_tau, rank, rank_biased_overlap, rule, spearman_rho, top_agreement
from weightlab.studies.rules.agreement import agreement
from weightlab.studies.rules.discrimination import discriminative_power

BOARD = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 1, "d": 1}, "y": {"a": 1, "b": 5, "c": 2, "d": 2}})
RULES = ["mean", "borda", "plurality", "copeland", "minimax", "dowdall"]
SOME = st.lists(st.sampled_from(RULES), min_size=2, max_size=4, unique=True)


def levels(order):
    return {model: place for place, group in enumerate(order) for model in group}


@given(board=boards(), rules=SOME)
def test_every_statistic_is_that_of_the_two_rankings(board, rules):
    found = agreement(board, rules, top=[1, 2], last=[2])
    pairs = found.pairs()
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        (one, other) for place, one in enumerate(rules) for other in rules[place + 1 :]
    ]
    for row in pairs.itertuples():
        one, other = rank(board, row.first).order, rank(board, row.second).order
        assert row._3 == top_agreement(one, other, 1)
        assert row._4 == top_agreement(one, other, 2)
        assert row._5 == top_agreement(one, other, 2, last=True)
        for statistic, measured in [
            (kendall_tau, row.tau_b),
            (spearman_rho, row.rho),
            (rank_biased_overlap, row.overlap),
        ]:
            assert statistic(one, other) == pytest.approx(measured, nan_ok=True)
        first, second = levels(one), levels(other)
        contrary = [(x, y) for x in first for y in first if first[x] < first[y] and second[x] > second[y]]
        assert row.reversed == len(contrary)
    assert found.verify(board)


@FEWER
@given(board=boards(), rules=SOME, dice=DICE)
def test_the_order_of_the_file_plays_no_part(board, rules, dice):
    shuffled = board.select(models=dice.shuffled(board.models))
    pd.testing.assert_frame_equal(agreement(board, rules).pairs(), agreement(shuffled, rules).pairs())


@FEWER
@given(board=boards(), rules=SOME, statistic=st.sampled_from(["tau_b", "rho", "overlap"]))
def test_a_matrix_is_symmetric_and_holds_the_pairs(board, rules, statistic):
    found = agreement(board, rules)
    matrix = found.matrix(statistic)
    assert list(matrix.index) == list(matrix.columns) == rules
    pd.testing.assert_frame_equal(matrix, matrix.T)
    for row in found.pairs().to_dict(orient="records"):
        assert matrix.loc[row["first"], row["second"]] == pytest.approx(row[statistic], nan_ok=True)


@FEWER
@given(board=boards(), rules=SOME)
def test_against_a_reference_the_rows_are_the_other_rules(board, rules):
    found = agreement(board, rules, reference=rules[-1])
    assert list(found.summary().index) == rules[:-1]
    every = agreement(board, rules).matrix()
    assert found.summary()["tau_b"].tolist() == pytest.approx(every.loc[rules[-1], rules[:-1]].tolist(), nan_ok=True)


@FEWER
@given(board=boards(), rules=SOME)
def test_agreement_travels(board, rules):
    found = agreement(board, rules, top=[1], persistence=0.5, overlap_ties="b", reference=rules[0])
    back = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert back.verify(board)
    pd.testing.assert_frame_equal(back.pairs(), found.pairs())
    assert str(back) == str(found)


@pytest.mark.parametrize(
    ("part", "value"), [("tau_b", 0.5), ("top-1", 0.25), ("reversed", 3), ("second", "dowdall"), ("rho", None)]
)
def test_a_false_statistic_of_a_document_is_seen(part, value):
    document = agreement(BOARD, ["mean", "borda", "plurality"]).to_dict()
    document["statistics"][1][part] = value
    with pytest.raises(ProofError, match="does not prove statistics"):
        result_from_dict(document)


def test_a_missing_pair_of_a_document_is_seen():
    document = agreement(BOARD, ["mean", "borda", "plurality"]).to_dict()
    del document["statistics"][0]
    with pytest.raises(ProofError, match="does not prove statistics"):
        result_from_dict(document)


@pytest.mark.parametrize("study", [agreement, discriminative_power])
def test_a_false_ranking_of_a_document_is_seen(study):
    document = study(BOARD, ["mean", "borda"]).to_dict()
    spoilt = copy.deepcopy(document)
    spoilt["answers"]["found"]["borda"] = study(BOARD, ["mean", rule("borda", ties="max")]).to_dict()["answers"][
        "found"
    ]["borda(ties=max)"]
    with pytest.raises(ProofError):
        result_from_dict(spoilt).verify(BOARD)
    assert result_from_dict(document).verify(BOARD)
    with pytest.raises(ProofError, match="in the source, not"):
        result_from_dict(document).verify(wl.Leaderboard(BOARD.scores + 1))


def test_a_reference_without_a_ranking_is_seen():
    with pytest.raises(ProofError, match="'median' has no ranking"):
        replace(agreement(BOARD, ["mean", "borda"]), reference="median").verify()


def test_functions_are_compared_with_rules():
    found = agreement(BOARD, {"total": lambda board: board.scores.sum(axis=1), "mean": "mean"})
    assert found.pairs().loc[0, "tau_b"] == 1
    assert found.verify(BOARD)
    with pytest.raises(InputError, match="the function 'total' has no JSON form"):
        found.to_dict()


def test_the_rules_of_the_paper_are_compared_as_far_as_they_apply():
    found = agreement(BOARD, reference="mean")
    assert list(found.left_out) == ["optimality_gap"]
    assert "needs the option gamma" in found.left_out["optimality_gap"]
    with_gap = agreement(BOARD, options={"gamma": 5}, reference="optimality_gap")
    assert with_gap.reference == "optimality_gap(gamma=5)"
    assert not with_gap.left_out


def test_as_many_models_are_compared_as_there_are():
    assert (agreement(BOARD, RULES).top, agreement(BOARD, RULES).last) == ((1, 3), (3,))
    with pytest.raises(InputError, match="top must be numbers of models, at most 4; got 5"):
        agreement(BOARD, RULES, top=[1, 5])
    with pytest.raises(InputError, match="last must be a whole number from 1; got 0"):
        agreement(BOARD, RULES, last=[0])


def test_a_rule_that_ties_all_has_no_correlation():
    level = wl.Leaderboard({"x": {"a": 1, "b": 1, "c": 2}})
    found = agreement(level, {"mean": "mean", "all": lambda board: board.models})
    assert math.isnan(found.pairs().loc[0, "tau_b"])
    assert str(found) == "1 pair of rules on 3 models: none has a rank correlation."
    back = found.pairs().loc[0]
    assert (back["top-1"], back["reversed"]) == (Fraction(1, 3), 0)


def test_a_correlation_that_is_none_is_null_in_a_document():
    level = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 1}})
    document = agreement(level, ["borda", "copeland"]).to_dict()
    assert document["statistics"][0]["tau_b"] is None
    assert result_from_dict(json.loads(json.dumps(document))).verify(level)


def test_the_sentence_names_the_extremes():
    assert str(agreement(BOARD, ["mean", "borda", "plurality"])) == (
        "3 pairs of rules on 4 models: Kendall's tau-b from 0.89 (mean and plurality) to 1.00 (mean and borda)."
    )
    assert str(agreement(BOARD, ["mean", "plurality"])).endswith("tau-b 0.89 (mean and plurality).")


def test_a_proof_is_as_good_as_its_weakest_ranking():
    assert agreement(BOARD, ["mean", "borda"]).proof is Proof.EXACT
    assert agreement(BOARD, ["mean", "kemeny"]).proof is rank(BOARD, "kemeny").proof


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"persistence": 1}, "persistence must be between 0 and 1; got 1"),
        ({"persistence": "0.9"}, "persistence must be between 0 and 1; got '0.9'"),
        ({"overlap_ties": "x"}, "overlap_ties must be 'w', 'a' or 'b'; got 'x'"),
        ({"reference": "median"}, "no rule named 'median'; the study has 'mean', 'borda'"),
    ],
)
def test_options_that_are_none_are_refused(options, error):
    with pytest.raises(InputError, match=error):
        agreement(BOARD, ["mean", "borda"], **options)


def test_two_rules_are_needed():
    with pytest.raises(InputError, match="two rules are needed to compare; got 1 rule"):
        agreement(BOARD, "mean")
    with pytest.raises(InputError, match="statistic must be 'tau_b', 'rho' or 'overlap'; got 'tau'"):
        agreement(BOARD, ["mean", "borda"]).matrix("tau")


class TestDiscriminativePower:
    """How many models a rule leaves level."""

    @given(board=boards(), rules=SOME)
    def test_ties_are_counted_pair_by_pair(self, board, rules):
        found = discriminative_power(board, rules)
        assert found.verify(board)
        table = found.table()
        assert list(table.index) == rules
        for name, row in table.iterrows():
            level = levels(rank(board, name).order)
            sharing = {x: [y for y in level if level[x] == level[y]] for x in level}
            assert row["places"] == len(set(level.values()))
            assert row["below_a_tie"] == len(level) - len(set(level.values()))
            assert row["tied"] == sum(len(others) > 1 for others in sharing.values())
            assert row["largest_tie"] == max(map(len, sharing.values()))
            assert row["first_place"] == list(level.values()).count(0)
            assert row["tied_pairs"] == sum(len(others) - 1 for others in sharing.values()) // 2
            assert row["decided"] == 1 - Fraction(2 * row["tied_pairs"], len(level) * (len(level) - 1))

    @FEWER
    @given(board=boards(), decimals=st.integers(-1, 3))
    def test_rounding_only_makes_ties(self, board, decimals):
        found = discriminative_power(board, ["mean", "borda"], decimals=decimals)
        for name in found.rules:
            before, after = (levels(order) for order in (rank(board, name).order, found.order(name)))
            scores = {model: round(score, decimals) for model, score in rank(board, name).scores.items()}
            for x in before:
                for y in before:
                    assert (after[x] == after[y]) == (scores[x] == scores[y])
                    assert after[x] <= after[y] or before[x] > before[y]

    @FEWER
    @given(board=boards(), rules=SOME)
    def test_it_travels(self, board, rules):
        found = discriminative_power(board, rules, decimals={rules[0]: 1})
        back = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert back.verify(board)
        pd.testing.assert_frame_equal(back.table(), found.table())
        assert str(back) == str(found)

    def test_a_false_count_of_a_document_is_seen(self):
        document = discriminative_power(BOARD, ["mean", "plurality"]).to_dict()
        spoilt = copy.deepcopy(document)
        spoilt["counts"]["plurality"]["tied"] = 0
        with pytest.raises(ProofError, match="does not prove counts"):
            result_from_dict(spoilt)
        spoilt = copy.deepcopy(document)
        spoilt["counts"]["median"] = spoilt["counts"]["mean"]
        with pytest.raises(ProofError, match="does not prove counts"):
            result_from_dict(spoilt)

    def test_rounding_of_a_rule_without_a_ranking_is_seen(self):
        with pytest.raises(ProofError, match="a rule is rounded that has no ranking"):
            replace(discriminative_power(BOARD, "mean"), decimals={"median": 1}).verify()

    def test_a_bare_name_stands_for_a_rule_with_options(self):
        found = discriminative_power(BOARD, options={"gamma": 6}, decimals={"optimality_gap": 0, "mean": 1})
        assert found.decimals == {"optimality_gap(gamma=6)": 0, "mean": 1}

    def test_infinite_scores_of_a_function_stay_what_they_are(self):
        scores = pd.Series({"a": math.inf, "b": 0.14, "c": 0.11, "d": -math.inf})
        found = discriminative_power(BOARD, {"mine": lambda _: scores}, decimals=1)
        assert found.order("mine") == (("a",), ("b", "c"), ("d",))

    @pytest.mark.parametrize(
        ("decimals", "error"),
        [
            (1.5, "decimals are a whole number of at most 400; got 1.5"),
            (True, "decimals are a whole number of at most 400; got True"),
            ({"meen": 1}, "no rule named 'meen'; the study has 'mean'"),
            ({"first": 1}, "'first' gives no scores that could be rounded"),
        ],
    )
    def test_decimals_that_are_none_are_refused(self, decimals, error):
        with pytest.raises(InputError, match=error):
            discriminative_power(BOARD, {"mean": "mean", "first": lambda board: board.models[0]}, decimals=decimals)

    def test_an_unknown_rule_is_an_unknown_name(self):
        with pytest.raises(UnknownNameError):
            discriminative_power(BOARD, "mean").order("borda")

    def test_the_sentence_names_the_worst(self):
        assert str(discriminative_power(BOARD, ["mean", "plurality"])) == (
            "0 of 2 rules put no two of 4 models level; plurality leaves 4 of them sharing a place with another."
        )
        strict = wl.Leaderboard({"x": {"a": 1, "b": 2}})
        assert str(discriminative_power(strict, "mean")) == "1 of 1 rule put no two of 2 models level."
