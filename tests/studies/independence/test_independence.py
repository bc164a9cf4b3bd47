"""Models that come and go, and the order of the others: by random arrival, and one at a time."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from tests.rules.strategies import boards
from tests.strategies import FEWER
from tests.studies import brute_force
from tests.studies.strategies import suites
from weightlab._result import Proof, result_from_dict
from weightlab.exceptions import InputError, MissingScoresError, NoWinnerError, ProofError
from weightlab.rules import rank, rule
from weightlab.rules.refusal import Refusal
from weightlab.studies import flips, irrelevant_models, single_changes
from weightlab.studies.independence.independence import OneAtATime
from weightlab.studies.independence.order_changes import COUNTS

RULES = ["mean", "borda", "plurality", "copeland", "minimax", "dowdall", "mean_rank"]
SOME = st.lists(st.sampled_from(RULES), min_size=1, max_size=3, unique=True)
BREAKING = st.sampled_from([None, "alphabetical", "reverse"])
THREE = boards().filter(lambda board: len(board.models) > 2)
# Borda puts b before a because of c, which nobody puts first.
SPOILT = wl.Leaderboard({"x": {"a": 9, "b": 8, "c": 7}, "y": {"a": 5, "b": 7, "c": 6}}, weights={"x": 3, "y": 2})
LARGER = wl.Leaderboard(
    {
        "x": dict(zip("abcdef", (6, 5, 4, 3, 2, 1), strict=True)),
        "y": dict(zip("abcdef", (1, 3, 6, 2, 5, 4), strict=True)),
    },
    weights={"x": 3, "y": 2},
)

# a, b and c beat each other in a cycle; d beats them all.
CYCLE = wl.Leaderboard(
    pd.DataFrame([[4, 2, 3], [3, 4, 2], [2, 3, 4], [5, 5, 5]], index=list("abcd"), columns=list("xyz"))
)


class TestArrivals:
    """Models that arrive in random orders."""

    @given(board=THREE, rules=SOME, how=BREAKING, last=st.booleans(), data=st.data())
    def test_every_count_is_counted_pair_by_pair(self, board, rules, how, last, data):
        arrivals = data.draw(st.lists(st.permutations(board.models), min_size=1, max_size=2))
        found = irrelevant_models(board, rules, arrivals=arrivals, break_ties=how, last=last)
        for row in found.draws.to_dict(orient="records"):
            order = arrivals[row["draw"]]
            own = brute_force.arrivals(board, row["rule"], order if last else order[:-1], how)
            assert own == {name: row[name] for name in COUNTS}

    @FEWER
    @given(board=THREE, rules=SOME, how=BREAKING, seed=st.integers(0, 99))
    def test_it_travels_and_is_proved(self, board, rules, how, seed):
        found = irrelevant_models(board, rules, repeats=3, rng=seed, break_ties=how)
        back = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert back.verify(board)
        pd.testing.assert_frame_equal(back.draws, found.draws)
        assert (back.drawn, back.drawn.seed, str(back)) == (found.drawn, seed, str(found))
        assert back.proof is found.proof is Proof.SAMPLED

    @FEWER
    @given(board=THREE, seed=st.integers(0, 99))
    def test_the_mean_never_changes_and_broken_ties_only_hide(self, board, seed):
        weak = irrelevant_models(board, repeats=3, rng=seed, rules=["mean", "borda"])
        assert not weak.draws.query("rule == 'mean'")["changed"].any()
        first = weak.draws
        assert (first["changed"] <= first["changes"]).all()
        assert (first["reversed"] <= first["changed"]).all()
        assert (first["first_pair"] <= first["changed"]).all()
        assert (first["leader"] <= first["changed"]).all()

    def test_more_draws_begin_with_the_same_ones_and_processes_change_nothing(self):
        pytest.importorskip("joblib")
        told = []
        few = irrelevant_models(LARGER, ["borda", "copeland"], repeats=3, rng=7)
        many = irrelevant_models(LARGER, ["borda", "copeland"], repeats=12, rng=7, n_jobs=2, progress=told.append)
        assert many.drawn.orders[:3] == few.drawn.orders
        assert np.array_equal(many.counts[:6], few.counts)
        assert sum(told) == 12
        assert many.verify(LARGER)

    def test_the_summary_is_of_the_draws(self):
        found = irrelevant_models(LARGER, ["borda", "mean"], repeats=30, rng=1)
        changed = found.draws.query("rule == 'borda'")["changed"]
        row = found.summary().loc["borda"]
        assert row["mean"] == changed.mean()
        assert row["std"] == pytest.approx(changed.std(ddof=0))
        assert row["share"] == pytest.approx(changed.sum() / (30 * 4))
        assert row["high"] - row["low"] == pytest.approx(2 * 1.959964 * changed.std() / 30**0.5)
        assert (row["high"] + row["low"]) / 2 == pytest.approx(row["mean"])
        assert irrelevant_models(LARGER, "borda", repeats=1, rng=1).summary()[["low", "high"]].isna().all(axis=None)

    def test_a_rule_without_an_answer_on_the_way_is_counted(self):
        found = irrelevant_models(CYCLE, "condorcet", arrivals=["abcd", "abdc"])
        assert found.draws[["changes", "unanswered", "changed"]].to_numpy().tolist() == [[0, 2, 0], [2, 0, 1]]
        nobody = irrelevant_models(CYCLE, "condorcet", arrivals=["abcd"])
        assert nobody.summary()["share"].isna().all()
        assert nobody.verify(CYCLE)

    def test_functions_are_asked_about_parts_of_the_board(self):
        seen = []

        def total(board):
            seen.append(board.models)
            return board.scores.sum(axis=1)

        found = irrelevant_models(LARGER, total, arrivals=["fedcba"])
        assert seen == [LARGER.models, *[tuple("fedcba"[:count]) for count in range(2, 7)]]
        assert not found.draws["changed"].any()
        assert found.verify(LARGER)

    def test_with_given_orders_all_is_proved(self):
        assert irrelevant_models(LARGER, "borda", arrivals=["abcdef"]).proof is Proof.EXACT
        assert irrelevant_models(LARGER, "kemeny", arrivals=["abcdef"]).proof is Proof.EXACT_WITNESS

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"seed": 8}, "the orders of arrival are not those of the seed 8"),
            ({"seed": -1}, "a seed is not negative"),
            ({"last": False}, "the counts differ: .*'changes': 3"),
            ({"break_ties": "name"}, "ties are broken by 'name'"),
            ({"orders": (tuple("abcdef"),), "seed": None}, "a draw, a dataset or a rule is missing"),
            ({"orders": (tuple("abcdeg"),) * 2}, "an order of arrival is not of the models of the board"),
        ],
        ids=["seed", "negative", "last", "ties", "fewer", "models"],
    )
    def test_a_false_part_of_the_drawing_is_seen(self, change, error):
        found = irrelevant_models(LARGER, "borda", repeats=2, rng=7)
        with pytest.raises(ProofError, match=error):
            replace(found, drawn=replace(found.drawn, **change)).verify(LARGER)

    @pytest.mark.parametrize("forged", [{}, [], "name", 0, False, {"alphabetical": 1}])
    def test_a_document_that_breaks_ties_by_anything_else_is_refused(self, forged):
        document = irrelevant_models(LARGER, "borda", repeats=2, rng=7).to_dict()
        assert document["drawn"]["break_ties"] is None
        assert result_from_dict(document).verify(LARGER)
        document["drawn"]["break_ties"] = forged
        with pytest.raises((InputError, ProofError)):
            result_from_dict(document).verify(LARGER)

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"counts": np.zeros((2, len(COUNTS)), dtype=int)}, "the counts differ: .*'draw': 0, 'rule': 'borda'"),
            ({"counts": np.zeros((1, len(COUNTS)), dtype=int)}, "a draw, a dataset or a rule is missing"),
            ({"unanswered": (("borda", "a"),)}, "is claimed, and is not so"),
            ({"refusals": (Refusal(rule=rule("borda"), reason="no"),)}, "'borda' is left out, and has an answer"),
            ({"refusals": (Refusal(rule=rule("veto"), reason="no"),)}, "'veto' is left out, and has an answer"),
            ({"questions": {}}, "there is no rule"),
            ({"boards": {"x": LARGER}}, "models are added and removed on one board"),
        ],
        ids=["counts", "fewer", "unanswered", "left out", "invented", "no rule", "board"],
    )
    def test_a_false_part_is_seen(self, change, error):
        found = irrelevant_models(LARGER, "borda", repeats=2, rng=7)
        with pytest.raises(ProofError, match=error):
            replace(found, **change).verify()

    def test_another_board_is_seen(self):
        with pytest.raises(ProofError, match="the weight of 'x' is 1 in the source, not 3"):
            irrelevant_models(LARGER, "borda", repeats=2, rng=7).verify(wl.Leaderboard(LARGER.scores))

    def test_a_document_of_other_columns_is_refused(self):
        document = irrelevant_models(LARGER, "borda", repeats=2, rng=7).to_dict()
        for change in ({"columns": ["changed"]}, {"counts": [[0.5] * len(COUNTS)]}, {"counts": [1]}, {"counts": [[1]]}):
            with pytest.raises((InputError, ProofError), match=r"columns|counts|reshape"):
                result_from_dict({**document, **change})

    @pytest.mark.parametrize(
        ("options", "error"),
        [
            ({"repeats": 0}, "repeats must be a whole number from 1; got 0"),
            ({"rng": -1}, "rng must be a seed"),
            ({"n_jobs": 0}, "n_jobs must be 1 or more"),
            ({"break_ties": "name"}, "break_ties must be 'alphabetical', 'reverse' or None; got 'name'"),
            ({"arrivals": []}, "at least one order of arrival is needed"),
            ({"arrivals": ["abcde"]}, "order of arrival 0: each of the 6 models is needed once"),
            ({"arrivals": ["abcdef", "abcdee"]}, "order of arrival 1: each of the 6 models is needed once"),
        ],
    )
    def test_options_that_are_none_are_refused(self, options, error):
        with pytest.raises(InputError, match=error):
            irrelevant_models(LARGER, "borda", **options)

    def test_three_models_are_needed(self):
        with pytest.raises(InputError, match="three models are needed, for one to arrive where two are; got two"):
            irrelevant_models(LARGER.select(models=["a", "b"]), "borda")

    def test_the_sentence_names_the_rule_that_depends_most(self):
        assert str(irrelevant_models(LARGER, ["mean", "borda"], repeats=20, rng=0)) == (
            "In 20 orders of arrival of 6 models a new model changes the order of those already there most often by "
            "Borda: 32% of the time; never by average."
        )
        assert str(irrelevant_models(LARGER, "mean", repeats=1, rng=0)) == (
            "In 1 order of arrival of 6 models no new model changes the order of those already there, "
            "by any rule asked."
        )


class TestSingleChanges:
    """Models added or removed one at a time."""

    @given(board=boards(), rules=SOME, data=st.data())
    def test_every_flip_is_found_pair_by_pair(self, board, rules, data):
        ranked = data.draw(st.permutations(board.models))[: data.draw(st.integers(2, len(board.models)))]
        found = single_changes(board, rules, models=ranked)
        kept = tuple(model for model in board.models if model in ranked)
        assert found.drawn.ranked == kept
        for name in rules:
            own = brute_force.single_changes(board, name, kept)
            listed = {(f.change, f.model, f.first, f.second, f.before, f.after) for f in found.flips if f.rule == name}
            assert listed == own["flips"]
            leaders = {(one.change, one.model, one.before, one.after) for one in found.leaders if one.rule == name}
            assert leaders == own["leaders"]
        assert len(set(found.flips)) == len(found.flips)

    @FEWER
    @given(board=boards(), rules=SOME, data=st.data())
    def test_it_travels_and_is_proved(self, board, rules, data):
        ranked = data.draw(st.permutations(board.models))[: data.draw(st.integers(2, len(board.models)))]
        found = single_changes(board, rules, models=ranked)
        back = result_from_dict(json.loads(json.dumps(found.to_dict())))
        assert back.verify(board)
        assert (back.flips, back.leaders, back.drawn, str(back)) == (
            found.flips,
            found.leaders,
            found.drawn,
            str(found),
        )
        pd.testing.assert_frame_equal(back.summary(), found.summary())

    @FEWER
    @given(board=boards(), data=st.data())
    def test_scores_and_rules_that_look_at_two_models_alone_never_flip(self, board, data):
        ranked = data.draw(st.permutations(board.models))[: data.draw(st.integers(2, len(board.models)))]
        assert single_changes(board, ["mean", "median"], models=ranked).flips == ()

    @FEWER
    @given(board=THREE, rules=SOME, data=st.data())
    def test_adding_undoes_removing(self, board, rules, data):
        model = data.draw(st.sampled_from(board.models))
        removed = [f for f in single_changes(board, rules).flips if f.model == model]
        rest = [one for one in board.models if one != model]
        added = [f for f in single_changes(board, rules, models=rest).flips if f.change == "added"]

        def undone(flip):
            ahead = flip.after > 0 or (flip.after == 0 and flip.before > 0)
            pair = (flip.first, flip.second) if ahead else (flip.second, flip.first)
            return (flip.rule, *pair, abs(flip.after), flip.before if ahead else -flip.before)

        assert {undone(f) for f in removed} == {(f.rule, f.first, f.second, f.before, f.after) for f in added}

    @FEWER
    @given(suite=suites(gaps=False, most_models=5), top=st.integers(2, 4), data=st.data())
    def test_by_mean_rank_the_reversals_at_additions_are_the_flips_of_beyond_arrow(self, suite, top, data):
        by = data.draw(st.sampled_from(suite.metrics))
        counted = flips(suite, by=by, top=top)
        for dataset, board in counted.boards.items():
            best = board.rankings().ranks[board.tasks.index(by)].argsort(kind="stable")[:top]
            found = single_changes(board, "mean_rank", models=[board.models[place] for place in best])
            pairs = [{f.model, frozenset((f.first, f.second))} for f in counted.flips if f.dataset == dataset]
            added = [f for f in found.flips if f.change == "added"]
            assert all({f.model, frozenset((f.first, f.second))} in pairs for f in added)
            assert len(pairs) == len(added)
            assert sum(f.effect == "reversed" for f in added) == counted.summary().loc[dataset, "pairs_reversed"]

    def test_each_flip_is_a_witness(self):
        (flip,) = single_changes(SPOILT, "borda").flips
        assert str(flip) == "By Borda, b is ahead of a by 1; once c is removed, it is behind a by 1."
        assert (flip.effect, flip.gaps, flip.buffer) == ("reversed", (1, 1), 1)
        assert rank(SPOILT, "borda").order[0] == ("b",)
        assert rank(SPOILT.select(models=["a", "b"]), "borda").order[0] == ("a",)

    def test_who_is_best_of_the_others_is_told(self):
        (leader,) = single_changes(SPOILT, ["borda", "mean"]).leaders
        assert (leader.rule, leader.change, leader.model) == ("borda", "removed", "c")
        assert (leader.before, leader.after) == (("b",), ("a",))
        assert str(leader) == "Once c is removed, borda puts a first of the others, not b."

    def test_the_tables_count_models_and_pairs(self):
        found = single_changes(SPOILT, ["borda", "mean"])
        assert found.table().to_dict(orient="records") == [
            {
                "rule": "borda",
                "change": "removed",
                "model": "c",
                "first": "b",
                "second": "a",
                "before": 1,
                "after": -1,
                "gaps": (1, 1),
                "effect": "reversed",
            }
        ]
        assert found.summary().loc["borda"].to_dict() == {
            "changes": 3,
            "changed": 1,
            "reversed": 1,
            "leader": 1,
            "pairs_reversed": 1,
            "pairs_tied": 0,
            "pairs_split": 0,
        }
        assert found.summary().loc["mean", "changed"] == 0
        assert single_changes(SPOILT, "mean").table().empty

    def test_what_rests_on_a_solver_is_said_so(self):
        assert single_changes(SPOILT, ["borda", "schulze"]).proof is Proof.EXACT
        hard = single_changes(SPOILT, ["borda", "kemeny"])
        assert hard.proof is Proof.EXACT_WITNESS
        assert hard.verify(SPOILT)

    def test_of_two_ranked_models_none_is_removed(self):
        only = single_changes(SPOILT, "borda", models=["a", "b"])
        assert [walk.steps for walk in only.drawn.walks(only.boards)] == [((0, 1), (0, 1, 2))]
        every = single_changes(SPOILT, "borda")
        gone = [(1, 2), (0, 2), (0, 1)]
        assert [walk.steps for walk in every.drawn.walks(every.boards)] == [((0, 1, 2), rest) for rest in gone]

    def test_processes_change_nothing(self):
        pytest.importorskip("joblib")
        told = []
        side_by_side = single_changes(LARGER, ["borda", "mean"], models=list("abcd"), n_jobs=2, progress=told.append)
        assert side_by_side.flips == single_changes(LARGER, ["borda", "mean"], models=list("abcd")).flips
        assert sum(told) == 6

    def test_a_rule_without_an_answer_is_told(self):
        found = single_changes(CYCLE, "condorcet")
        assert found.unanswered == (("condorcet", "d"),)
        assert found.summary().loc["condorcet", "changes"] == 3
        assert found.verify(CYCLE)
        with pytest.raises(NoWinnerError):
            single_changes(CYCLE, "condorcet", models=["a", "b", "c"])

    def test_missing_scores_are_refused_where_a_rule_needs_them(self):
        gaps = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 1, "b": None, "c": 2}})
        with pytest.raises(MissingScoresError):
            single_changes(gaps, "borda")
        assert single_changes(gaps, "borda", models=["a", "c"]).unanswered == (("borda", "b"),)
        assert single_changes(gaps, "borda", options={"missing": "median"}).verify(gaps)

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            ({"flips": ()}, "flips: By Borda, b is ahead of a by 1; .* is missing"),
            ({"leaders": ()}, "leaders: Once c is removed, borda puts a first of the others, not b. is missing"),
            ({"unanswered": (("borda", "a"),)}, r"unanswered: \('borda', 'a'\) is claimed, and is not so"),
            ({"boards": {"": LARGER}}, "flips: By borda .* claimed, and is not so|is missing"),
            ({"boards": {"": SPOILT.select(models=["a", "b"])}}, "a model is ranked that is not on the board"),
            ({"boards": {}}, "models are added and removed on one board"),
            ({"counts": np.zeros((1, len(COUNTS)), dtype=int)}, "the counts differ: .*'rule': 'borda'"),
            ({"drawn": OneAtATime(ranked=("c", "b", "a"))}, "in their order, each once"),
            ({"drawn": OneAtATime(ranked=("a",))}, "two models are ranked or more"),
        ],
        ids=["flips", "leaders", "unanswered", "board", "smaller board", "no board", "counts", "order", "one model"],
    )
    def test_a_false_part_is_seen(self, change, error):
        found = single_changes(SPOILT, "borda")
        with pytest.raises(ProofError, match=error):
            replace(found, **change).verify()

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("first", "c"),
            ("before", 0),
            ("after", 0),
            ("change", "added"),
            ("rule", "mean"),
            ("gaps", None),
            ("dataset", "x"),
        ],
    )
    def test_a_false_flip_is_seen(self, part, value):
        found = single_changes(SPOILT, "borda")
        with pytest.raises(ProofError, match="flips: By"):
            replace(found, flips=(replace(found.flips[0], **{part: value}),)).verify()
        with pytest.raises(ProofError, match="flips: they are out of order, or one is duplicated"):
            replace(found, flips=found.flips * 2).verify()

    def test_another_source_is_seen(self):
        with pytest.raises(ProofError, match="the weight of 'x' is 1 in the source, not 3"):
            single_changes(SPOILT, "borda").verify(wl.Leaderboard(SPOILT.scores))

    @pytest.mark.parametrize(("part", "value"), [("before", 2), ("after", 0.5), ("after", True), ("change", "moved")])
    def test_a_document_of_another_form_is_refused(self, part, value):
        document = copy.deepcopy(single_changes(SPOILT, "borda").to_dict())
        document["flips"][0][part] = value
        with pytest.raises(InputError, match=r"one of 1, 0, -1 is needed|one of 'added', 'removed' is needed"):
            result_from_dict(document)

    def test_models_that_are_none_are_refused(self):
        with pytest.raises(InputError, match="no model named 'z'"):
            single_changes(SPOILT, "borda", models=["a", "z"])
        with pytest.raises(InputError, match="two models are needed to rank; got 1 model"):
            single_changes(SPOILT, "borda", models=["a"])
        with pytest.raises(InputError, match="this study is about a Leaderboard; got a dict"):
            single_changes({"x": {"a": 1}}, "borda")

    def test_the_sentence_counts_models(self):
        assert str(single_changes(SPOILT, ["mean", "borda"])) == (
            "Of 3 models added or removed one at a time, these change the order of the others: 1 by Borda; "
            "none by 1 other rule."
        )
        assert str(single_changes(SPOILT, "mean")) == (
            "Whichever one of 3 models is added or removed, no rule in question orders the others differently."
        )


def test_the_points_of_borda_depend_on_the_third_model_by_hand():
    points = rank(SPOILT, "borda").scores
    assert points.to_dict() == {"a": Fraction(6), "b": Fraction(7), "c": Fraction(2)}
