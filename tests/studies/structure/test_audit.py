"""Audits against their definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings

import weightlab as wl
from tests.graph.corruption import assert_each_spoilt_part_is_seen, travelled
from tests.studies import brute_force
from tests.studies.strategies import suites
from weightlab import domains
from weightlab.exceptions import InputError, ProofError, TimeLimitError, UnknownNameError
from weightlab.studies import audit
from weightlab.studies.structure.properties import PROPERTIES

SOME = settings(max_examples=10)
FEW = settings(max_examples=8)

PARADOX = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 3, "c": 2}, "z": {"a": 2, "b": 1, "c": 3}}
AGREED = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 1, "c": 2}}


@given(suites())
@SOME
def test_an_audit_is_proved_by_what_it_carries_and_against_its_suite_also_after_a_journey(suite):
    found = audit(suite)
    assert found.verify(suite)
    assert travelled(found).verify(suite)
    assert str(travelled(found)) == str(found)


@given(suites())
@SOME
def test_on_each_dataset_exactly_the_models_with_every_score_are_audited(suite):
    found = audit(suite, repair=False)
    for dataset in suite.datasets:
        whole, metrics = brute_force.complete_models(suite, dataset, suite.models, suite.metrics)
        if len(whole) < 2:
            assert dataset in found.unaudited
            continue
        one = found[dataset]
        assert list(one.board.models) == whole
        assert sorted(one.board.tasks) == sorted(metrics)
        assert set(one.left_out) == set(suite.models) - set(whole)
        assert set(one.lacking) == set(suite.metrics) - set(metrics)
        assert one.complete == (set(whole) == set(suite.models) and set(metrics) == set(suite.metrics))
    assert set(found.datasets) | set(found.unaudited) == set(suite.datasets)


@pytest.mark.parametrize("break_ties", ["alphabetical", "reverse", None])
@given(suite=suites(gaps=False))
@FEW
def test_the_majority_is_that_of_the_definition(break_ties, suite):
    for one in audit(suite, break_ties=break_ties, repair=False).datasets.values():
        profile = one.board.rankings(break_ties)
        models = profile.models
        ranks = profile.ranks.tolist()
        sign = {
            (models[i], models[j]): brute_force.majority_sign(ranks, profile.weights, i, j)
            for i in range(len(models))
            for j in range(len(models))
            if i != j
        }
        beats = {pair for pair, lead in sign.items() if lead > 0}
        assert {(a, b) for a, below in one.majority.beats.items() for b in below} == beats
        weak = {pair for pair, lead in sign.items() if lead >= 0}
        assert one.majority.transitive == brute_force.is_transitive(beats, models)
        assert one.majority.weakly_transitive == brute_force.is_transitive(weak, models)
        assert one.majority.acyclic == (not brute_force.has_cycle(beats, models))
        cycles = {frozenset((a, b, c)) for a, b in beats for c in models if {(b, c), (c, a)} <= beats}
        assert one.majority.three_cycles == len(cycles)
        assert set(one.majority.tied) == {(a, b) for a, b in combinations(models, 2) if sign[a, b] == 0}
        strict = one.relation(strict=True)
        assert {(a, b) for a in models for b in models if a != b and strict.loc[a, b]} == beats
        at_least = one.relation()
        assert {(a, b) for a in models for b in models if a != b and at_least.loc[a, b]} == weak


@given(suites(gaps=False, scores=(1, 2, 3, 4)))
@SOME
def test_tau_is_kendalls(suite):
    for one in audit(suite, repair=False).datasets.values():
        every = {pair: brute_force.tau_b(one.board, *pair) for pair in combinations(one.board.tasks, 2)}
        taus = {pair: tau for pair, tau in every.items() if tau is not None}
        if not taus:
            assert one.agreement.mean is None
            assert one.agreement.least is None
        else:
            assert one.agreement.mean == pytest.approx(sum(taus.values()) / len(taus))
            assert one.agreement.least == pytest.approx(min(taus.values()))
            assert taus[one.agreement.farthest] == pytest.approx(min(taus.values()))


@given(suites(gaps=False, most_models=3, most_datasets=2))
@FEW
def test_what_other_breakings_change_is_what_all_breakings_show(suite):
    for one in audit(suite, repair=False).datasets.values():
        if one.ties is None:
            assert one.board.rankings().is_strict
            continue
        kept = one.board.rankings()
        broken = [
            wl.Profile.from_orders(
                [[kept.models[row.index(rank)] for rank in range(1, len(row) + 1)] for row in ranks],
                models=kept.models,
                voters=kept.voters,
            )
            for ranks in brute_force.all_broken(kept.ranks.tolist())
        ]
        for name, test in PROPERTIES.items():
            answers = {test(profile).holds for profile in broken}
            assert one.ties.under_every(name) in {answers == {True}, None}
            assert one.ties.under_some(name) in {True in answers, None}
            if name not in {"one_euclidean", "single_peaked_on_tree"}:
                assert None not in {one.ties.under_every(name), one.ties.under_some(name)}
        names = kept.models
        expected = brute_force.open_duels(kept.ranks.tolist(), kept.weights)
        assert one.ties.open_duels == tuple((names[i], names[j]) for i, j in expected)


@given(suites(gaps=False))
@SOME
def test_commonality_sharing_is_defined_exactly_where_no_majority_has_a_cycle(suite):
    found = audit(suite, repair=False)
    together = found.together
    acyclic = all(one.majority.acyclic for one in found.datasets.values())
    assert (together.sharing is not None) == acyclic
    assert set(together.cyclic) == {name for name, one in found.datasets.items() if not one.majority.acyclic}
    if together.sharing is None:
        assert "cycle" in together.why_not
        return
    relations = {
        name: {(a, b) for a in together.models for b in together.models if one.relation().loc[a, b]}
        for name, one in found.datasets.items()
    }
    depths = {name: brute_force.depth(own, list(relations.values())) for name, own in relations.items()}
    assert together.sharing.depth == max(depths.values())
    assert set(together.sharing.items) == {name for name, depth in depths.items() if depth == max(depths.values())}


@given(suites(gaps=False))
@SOME
def test_majorities_are_a_condorcet_domain_when_they_are_rankings_and_together_are_one(suite):
    found = audit(suite, repair=False)
    together = found.together
    rankings = all(one.majority.weakly_transitive for one in found.datasets.values())
    if not rankings:
        assert together.forms_condorcet_domain is False
        assert together.unranked
        return
    orders = []
    for one in found.datasets.values():
        wins = {model: len(below) for model, below in one.majority.beats.items()}
        orders.append([[m for m in wins if wins[m] == level] for level in sorted(set(wins.values()), reverse=True)])
    assert together.forms_condorcet_domain == domains.condorcet_domain(wl.Profile.from_orders(orders)).holds


def test_condorcets_paradox_is_found_with_its_robustness_and_what_repairs_it():
    suite = wl.Suite({"paradox": PARADOX, "agreed": AGREED})
    found = audit(suite)
    assert found["paradox"].majority.cycle == ("a", "b", "c")
    assert found["paradox"].majority.condorcet_winner is None
    robust = found["paradox"].robust_cycle
    assert (robust.buffer, robust.radius) == (Fraction(1), Fraction(1, 2))
    assert not found["paradox"].claims["condorcet_domain"]
    assert found["agreed"].majority.condorcet_winner == "a"
    assert (found.counts["acyclic"].holds, found.counts["acyclic"].asked) == (1, 2)
    assert found.together.sharing is None
    assert (
        found.together.why_not
        == "the majority relation has a cycle among the 3 models in common on 1 of 2 datasets: paradox"
    )
    assert {(one.drop, len(one.dropped)) for one in found.repairs} == {("datasets", 1), ("models", 1), ("metrics", 1)}
    assert found.repairs[0].dropped == ("paradox",)
    assert str(found) == (
        "The majority relation of the metrics is acyclic on 1 of 2 datasets; there is no representative ranking: "
        "the majority relation has a cycle among the 3 models in common on 1 of 2 datasets: paradox."
    )


def test_table_1_of_beyond_arrow_has_a_cycle():
    board = wl.datasets.load_leaderboard("beyond-arrow-table1")
    suite = wl.Suite({"MMLU": board.scores}, lower_is_better=board.lower_is_better)
    found = audit(suite)
    cycle = found["MMLU"].majority.cycle
    assert set(cycle) == set(board.models)
    beats = found["MMLU"].majority.beats
    gpt4, qwen, gpt35 = (next(m for m in board.models if m.startswith(name)) for name in ("GPT-4", "Qwen", "GPT-3.5"))
    assert beats == {gpt4: (qwen,), qwen: (gpt35,), gpt35: (gpt4,)}
    assert found.together.sharing is None


def test_weak_orders_that_are_possibly_single_peaked_may_still_have_a_majority_cycle():
    # a > {b, c} twice, b > a > c once, c > b > a twice.
    places = {"1": (3, 1, 1), "2": (3, 1, 1), "3": (2, 3, 1), "4": (1, 2, 3), "5": (1, 2, 3)}
    table = {voter: dict(zip("abc", row, strict=True)) for voter, row in places.items()}
    one = audit(wl.Suite({"d": table}), break_ties=None)["d"]
    assert one.claims["single_peaked"]
    assert not one.majority.acyclic
    assert one.ties.under_some("single_peaked")
    assert "group_separable" not in one.claims


def test_missing_names_unknown_names_and_tolerances_are_refused():
    suite = wl.Suite({"d": AGREED})
    with pytest.raises(InputError, match="no model named 'e'"):
        audit(suite, models=["a", "e"])
    with pytest.raises(InputError, match=r"two models are needed; got one, 'a', on 1 dataset$"):
        audit(suite, models=["a"])
    with pytest.raises(InputError, match="break_ties must be"):
        audit(suite, break_ties="random")
    with pytest.raises(InputError, match="ties within a score tolerance"):
        audit(wl.Suite({"d": AGREED}, tolerance={"x": 1}))
    with pytest.raises(InputError, match="a metric with a weight above 0"):
        audit(wl.Suite({"d": AGREED}, weights={"x": 0}), metrics=["x"])
    with pytest.raises(InputError, match="no dataset has two models with every score"):
        audit(wl.Suite({"d": {"x": {"a": 1, "b": None}, "y": {"a": None, "b": 1}}}))
    with pytest.raises(UnknownNameError):
        audit(suite)["e"]


def test_metrics_of_weight_0_have_no_say_and_are_named():
    found = audit(wl.Suite({"d": PARADOX}, weights={"z": 0}))
    assert found.weightless == ("z",)
    assert found.metrics == ("x", "y")
    assert found["d"].majority.acyclic


def test_what_cannot_be_audited_is_said_with_the_reason():
    few = {"x": {"a": 1, "b": 2, "c": None}, "y": {"a": None, "b": 2, "c": 1}}
    found = audit(wl.Suite({"agreed": AGREED, "few": few}))
    assert found.unaudited == {"few": "only 1 model has every score, and two are needed; 'x' lacks 1 of 3 scores"}
    assert found["agreed"].complete
    assert not found.complete


def test_what_is_not_found_in_time_is_said_and_not_guessed():
    tables = {}
    for name, shift in (("one", 1), ("two", 2)):
        tables[name] = {
            metric: {f"m{i}": (i * (3 + 2 * place) * shift) % 11 // 2 for i in range(10)}
            for place, metric in enumerate("xyz")
        }
    suite = wl.Suite(tables)
    found = audit(suite, time_limit=0)
    assert set(found.unrepaired) <= {"acyclic, models", "condorcet_domain, metrics"}
    assert found.unrepaired
    assert found.verify(suite)
    assert travelled(found).verify(suite)
    with pytest.raises(TimeLimitError):
        found.repair("single_peaked", time_limit=0)


def test_only_models_in_common_are_compared_across_datasets():
    # On the first dataset "d" closes a cycle; it has no score on the second.
    first = {
        "x": {"a": 4, "b": 3, "c": 2, "d": 1},
        "y": {"a": 1, "b": 4, "c": 3, "d": 2},
        "z": {"d": 4, "a": 3, "b": 1, "c": 2},
    }
    found = audit(wl.Suite({"first": first, "second": AGREED}))
    assert found.together.models == ("a", "b", "c")
    assert not found["first"].majority.acyclic
    assert found.together.cyclic == {}
    assert found.together.sharing is not None


SPOILT = [
    (("models",), ["a", "b"]),
    (("metrics",), ["x", "y"]),
    (("weightless",), ["z"]),
    (("break_ties",), "reverse"),
    (("counts", "acyclic", "holds"), 2),
    (("counts", "acyclic", "low"), 0.5),
    (("among", "alphabetical", "models"), ["a", "b"]),
    (("among", "alphabetical", "cyclic"), {}),
    (("among", "alphabetical", "unranked"), {}),
    (("repairs", 0, "dropped"), []),
    (("repairs", 1, "dropped"), ["a", "b"]),
    (("repairs", 1, "obstructions"), []),
    (("repairs", 2, "goal"), "single_peaked"),
    (("datasets", "paradox", "dataset"), "agreed"),
    (("datasets", "paradox", "break_ties"), "reverse"),
    (("datasets", "paradox", "left_out"), {"d": ["x"]}),
    (("datasets", "paradox", "lacking"), ["w"]),
    (("datasets", "paradox", "board", "scores", "x", 0), "0/1"),
    (("datasets", "paradox", "majority", "acyclic"), True),
    (("datasets", "paradox", "majority", "cycle"), None),
    (("datasets", "paradox", "majority", "three_cycles"), 2),
    (("datasets", "paradox", "majority", "condorcet_winner"), "a"),
    (("datasets", "paradox", "majority", "beats", "a"), []),
    (("datasets", "paradox", "majority", "tied"), [["a", "b"]]),
    (("datasets", "paradox", "agreement", "mean"), 0.5),
    (("datasets", "paradox", "agreement", "farthest"), ["y", "z"]),
    (("datasets", "paradox", "robust_cycle"), None),
    (("datasets", "paradox", "robust_cycle", "buffer"), "2/1"),
    (("datasets", "paradox", "claims", "single_peaked", "holds"), True),
    (("datasets", "paradox", "claims", "condorcet_domain", "witness", "models"), ["a", "c", "b"]),
    (("datasets", "tied", "ties", "open_duels"), [["a", "b"]]),
    (("datasets", "tied", "ties", "claims", "reverse", "single_peaked", "holds"), False),
    (("datasets", "tied", "ties", "every", "single_peaked", "holds"), False),
    (("datasets", "tied", "ties", "undecided"), {}),
    (("datasets", "tied", "ties", "majorities", "reverse", "acyclic"), False),
]


def test_each_spoilt_part_is_seen():
    tied = {"x": {"a": 3, "b": 2, "c": 2}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 1, "c": 2}}
    found = audit(wl.Suite({"paradox": PARADOX, "tied": tied}))
    assert_each_spoilt_part_is_seen(found, SPOILT)


def test_a_suite_with_other_scores_is_not_the_source():
    suite = wl.Suite({"paradox": PARADOX, "agreed": AGREED})
    found = audit(suite)
    swapped = {**PARADOX, "x": {"a": 1, "b": 2, "c": 3}}
    for other in (
        wl.Suite({"paradox": swapped, "agreed": AGREED}),
        wl.Suite({"paradox": PARADOX}),
        wl.Suite({"paradox": PARADOX, "agreed": AGREED}, weights={"x": 2}),
        wl.Suite({"paradox": PARADOX, "agreed": AGREED}, lower_is_better=["x"]),
        wl.Suite({"paradox": {"x": PARADOX["x"]}, "agreed": {"x": AGREED["x"]}}),
    ):
        with pytest.raises(ProofError):
            found.verify(other)
    with pytest.raises(ProofError):
        found["paradox"].verify(wl.Suite({"paradox": swapped}))
    with pytest.raises(ProofError):
        found["paradox"].verify(wl.Leaderboard(swapped))
    assert found["paradox"].verify(suite.leaderboard("paradox"))
    with pytest.raises(ProofError, match="lacks a model"):
        found["paradox"].verify(suite.leaderboard("paradox").select(models=["a", "b"]))
    with pytest.raises(ProofError, match="lacks a metric"):
        found["paradox"].verify(suite.leaderboard("paradox").select(tasks=["x", "y"]))


def test_results_of_other_datasets_in_place_of_their_own_are_seen():
    found = audit(wl.Suite({"paradox": PARADOX, "agreed": AGREED}))
    with pytest.raises(ProofError):
        replace(found, datasets={"agreed": found["agreed"]}).verify()
    with pytest.raises(ProofError):
        replace(found, repairs=found.repairs[:1]).verify()
    with pytest.raises(ProofError):
        replace(found, unaudited={"third": "none"}).verify(wl.Suite({"paradox": PARADOX, "agreed": AGREED}))
    with pytest.raises(ProofError):
        replace(found["paradox"], claims=found["agreed"].claims).verify()


def test_the_table_has_a_row_a_dataset_and_a_boolean_a_property():
    table = audit(wl.Suite({"paradox": PARADOX, "agreed": AGREED})).summary()
    assert list(table.index) == ["paradox", "agreed"]
    assert table.loc["agreed", "single_peaked"]
    assert not table.loc["paradox", "condorcet_domain"]
    assert table.loc["paradox", "buffer"] == 1.0
    assert table["acyclic"].tolist() == [False, True]


def test_repairs_in_another_order_are_refused():
    suite = wl.Suite({"qa": {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 2, "b": 3, "c": 1}}})
    found = wl.studies.audit(suite)
    assert len(found.repairs) > 1
    with pytest.raises(wl.ProofError, match="duplicated or out of order"):
        replace(found, repairs=found.repairs[::-1]).verify()
