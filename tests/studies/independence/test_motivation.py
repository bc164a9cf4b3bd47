"""Cycles over triples of metrics and flips by an added model, against their definitions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests import brute_force as data
from tests.graph.corruption import assert_each_spoilt_part_is_seen, travelled
from tests.studies.strategies import suites
from weightlab.exceptions import InputError, ProofError, UnknownNameError
from weightlab.studies import flips, metric_cycles
from weightlab.studies.question import questions

SOME = settings(max_examples=25)
PARADOX = {"x": {"a": 9, "b": 5, "c": 1}, "y": {"a": 1, "b": 9, "c": 7}, "z": {"a": 4, "b": 1, "c": 8}}
AGREED = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 2, "c": 1}, "z": {"a": 3, "b": 1, "c": 2}}

# As in Table 2 of Beyond Arrow: "new" is the least accurate of all, and between "best" and "fast" on the other metrics.
STABILITY = {
    "accuracy": {"best": 90, "third": 80, "fourth": 70, "fast": 60, "new": 10},
    "seconds": {"fast": 1, "new": 2, "best": 3, "third": 4, "fourth": 5},
    "bytes": {"fast": 1, "new": 2, "best": 3, "third": 5, "fourth": 4},
}


def stability():
    return wl.Suite({"law": STABILITY}, lower_is_better=["seconds", "bytes"])


def cycles_of(board, metrics, tolerance):
    """Return {cycle: buffer} of the cycles of three models under three metrics."""
    table = data.scores(board)
    models = [model for model in board.models if all(model in table[metric] for metric in metrics)]

    def gap(a, b, metric):
        lead = table[metric][a] - table[metric][b]
        lead = -lead if metric in board.lower_is_better else lead
        return lead if abs(lead) > tolerance else 0

    def support(a, b):
        gaps = [gap(a, b, metric) for metric in metrics]
        won = sum(g > 0 for g in gaps) > sum(g < 0 for g in gaps)
        return min((g for g in gaps if g > 0), default=None) if won else None

    found = {}
    for around in permutations(models, 3):
        gaps = [support(around[i], around[(i + 1) % 3]) for i in range(3)]
        if None not in gaps:
            found[around] = min(gaps)
    return len(models) >= 3, found


@given(suites(most_models=4, most_metrics=4, scores=(1, 2, 4, 7)), st.sampled_from([0, 1]))
@SOME
def test_the_cycles_are_those_of_all_triples_of_metrics_and_the_widest_has_the_largest_buffer(suite, tolerance):
    if len(suite.metrics) < 3:
        with pytest.raises(InputError, match="three metrics"):
            metric_cycles(suite)
        return
    found = metric_cycles(suite, tolerance=tolerance)
    assert found.verify(suite)
    assert travelled(found).verify(suite)
    for dataset, one in found.datasets.items():
        board = found.boards[dataset]
        answers = {m: cycles_of(board, m, tolerance) for m in combinations(board.tasks, 3)}
        assert one.examined == sum(enough for enough, _ in answers.values())
        assert one.cyclic == tuple(metrics for metrics, (_, cycles) in answers.items() if cycles)
        widest = max((gap for _, cycles in answers.values() for gap in cycles.values()), default=None)
        assert (None if one.widest is None else one.widest.buffer) == widest


def test_the_paradox_is_found_with_its_buffer_and_its_radius():
    found = metric_cycles(wl.Suite({"paradox": PARADOX, "agreed": AGREED}))
    assert found.cyclic == ("paradox",)
    assert found["paradox"].widest.cycle == ("a", "b", "c")
    assert found["paradox"].widest.buffer == 2
    assert found["paradox"].widest.radius == 1
    assert str(found) == "Some three metrics make a majority cycle of three models on 1 of 2 datasets."
    assert found.summary().loc["agreed", "cyclic"] == 0
    with pytest.raises(UnknownNameError):
        found["third"]
    with pytest.raises(ProofError, match="a tolerance is of no metric asked about"):
        replace(found, tolerance={"a": Fraction(2)}).verify()


def test_table_1_of_beyond_arrow_is_a_cycle_of_its_three_metrics():
    board = wl.datasets.load_leaderboard("beyond-arrow-table1")
    found = metric_cycles(wl.Suite({"MMLU": board.scores}, lower_is_better=board.lower_is_better))
    assert found["MMLU"].cyclic == (board.tasks,)
    _, cycles = cycles_of(board, board.tasks, 0)
    assert {found["MMLU"].widest.buffer} == set(cycles.values())


def test_near_ties_abstain():
    suite = wl.Suite({"paradox": PARADOX})
    assert metric_cycles(suite, tolerance=2).cyclic == ()
    assert metric_cycles(suite, tolerance={"x": 1}).cyclic == ("paradox",)
    with pytest.raises(InputError, match="a tolerance is not negative"):
        metric_cycles(suite, tolerance=-1)
    with pytest.raises(InputError, match="of a metric asked about"):
        metric_cycles(suite, tolerance={"w": 1})


def test_each_spoilt_part_of_cycles_is_seen():
    found = metric_cycles(wl.Suite({"paradox": PARADOX, "agreed": AGREED}))
    other = metric_cycles(wl.Suite({"d": {**PARADOX, "x": {"a": 6, "b": 5, "c": 4}}})).to_dict()
    spoilt = [
        (("metrics",), ["x", "y"]),
        (("tolerance",), {"x": "-1/1"}),
        (("tolerance",), {"x": "4/1", "y": "4/1", "z": "4/1"}),
        (("boards", "paradox", "scores", "x", 0), "0/1"),
        (("boards",), {}),
        (("datasets", "paradox", "examined"), 2),
        (("datasets", "paradox", "cyclic"), []),
        (("datasets", "paradox", "widest"), None),
        (("datasets", "paradox", "widest"), other["datasets"]["d"]["widest"]),
        (("datasets", "paradox", "widest", "buffer"), "1/1"),
        (("datasets", "agreed", "cyclic"), [["x", "y", "z"]]),
    ]
    assert_each_spoilt_part_is_seen(found, spoilt)
    with pytest.raises(ProofError):
        found.verify(wl.Suite({"paradox": AGREED, "agreed": AGREED}))


def mean_rank(board, models, model):
    """Return the mean over the tasks of 1 + those that lead + half of those that tie."""
    ranks = {
        task: 1 + sum(Fraction(1 - data.sign(board, model, rival, task), 2) for rival in models if rival != model)
        for task in board.tasks
    }
    weights = board.weights
    return sum(weights[task] * rank for task, rank in ranks.items()) / sum(weights)


@given(suites(most_models=6, most_metrics=4, scores=(1, 2, 3, 4, 5)), st.integers(2, 4))
@SOME
def test_flips_are_those_of_mean_ranks_taken_twice(suite, top):
    found = flips(suite, by=suite.metrics[0], top=top)
    assert found.verify(suite)
    assert travelled(found).verify(suite)
    for dataset, board in found.boards.items():
        by = data.scores(board)[suite.metrics[0]]
        order = sorted(board.models, key=lambda m: by[m] if suite.metrics[0] in board.lower_is_better else -by[m])
        ranked, added = order[:top], order[top:]
        turned = {}
        for new in added:
            for a, b in permutations(ranked, 2):
                before = mean_rank(board, ranked, b) - mean_rank(board, ranked, a)
                more = (*ranked, new)
                after = mean_rank(board, more, a) - mean_rank(board, more, b)
                if before > 0 and after > 0:
                    turned[new, a, b] = (before, after)
        listed = [f for f in found.flips if f.dataset == dataset and f.effect == "reversed"]
        assert {(f.model, f.first, f.second): f.gaps for f in listed} == turned
        counts = found.summary().loc[dataset]
        assert (counts["changes"], counts["pairs_reversed"]) == (len(added), len(turned))
        widest = found.widest.get(dataset)
        assert (None if widest is None else widest.buffer) == max(map(min, turned.values()), default=None)


def test_a_worse_model_turns_two_better_ones_round_as_in_table_2():
    found = flips(stability(), by="accuracy", top=4)
    # Ranks of best: 1, 2, 2 and of fast: 4, 1, 1; with new between them twice, best has 1, 3, 3.
    widest = found.widest["law"]
    assert (widest.model, widest.first, widest.second) == ("new", "best", "fast")
    assert (widest.gaps, widest.buffer) == ((Fraction(1, 3), Fraction(1, 3)), Fraction(1, 3))
    assert str(widest) == ("By mean rank, best is ahead of fast by 1/3; once new is added, it is behind fast by 1/3.")
    assert found.summary().loc["law", "pairs_reversed"] == 1
    assert found.flipped == ("law",)
    assert str(found) == "Adding a model swaps two others on 1 of 1 dataset."


def test_wrong_questions_about_flips_are_refused():
    suite = stability()
    with pytest.raises(UnknownNameError):
        flips(suite, by="size")
    with pytest.raises(InputError, match="top must be a whole number from 2; got 1"):
        flips(suite, by="accuracy", top=1)


def test_each_spoilt_part_of_flips_is_seen():
    found = flips(stability(), by="accuracy", top=4)
    spoilt = [
        (("drawn", "by"), "seconds"),
        (("drawn", "by"), "size"),
        (("drawn", "top"), 2),
        (("drawn", "top"), 1),
        (("drawn", "metrics"), ["accuracy", "seconds"]),
        (("boards", "law", "scores", "accuracy", 0), "0/1"),
        (("boards", "law", "scores", "accuracy", 0), None),
        (("boards",), {}),
        (("questions", "mean_rank", "rule"), "borda"),
        (("counts",), []),
        (("counts", 0, 5), 7),
        (("flips",), []),
        (("leaders",), []),
        (("flips", 0, "dataset"), ""),
        (("flips", 0, "first"), found.flips[0].second),
        (("flips", 0, "model"), "third"),
        (("flips", 0, "gaps", 0), "1/1"),
        (("flips", 0, "gaps", 1), "1/1"),
        (("flips", 0, "gaps"), None),
    ]
    assert_each_spoilt_part_is_seen(found, spoilt)
    borda = questions("borda")
    flipped = tuple(replace(flip, rule="borda") for flip in found.flips)
    with pytest.raises(ProofError, match="by their mean rank"):
        replace(found, questions=borda, flips=flipped).verify()
    with pytest.raises(ProofError):
        found.verify(
            wl.Suite({"law": {**STABILITY, "bytes": STABILITY["seconds"]}}, lower_is_better=["seconds", "bytes"])
        )


def test_a_tolerance_that_the_suite_declares_is_not_passed_over():
    suite = wl.Suite({"paradox": PARADOX}, tolerance=2)
    assert metric_cycles(suite).cyclic == ()
    assert metric_cycles(suite, tolerance=0).cyclic == ("paradox",)
    assert metric_cycles(suite).tolerance == {"x": 2, "y": 2, "z": 2}
    with pytest.raises(InputError, match="relative to them: 'x'; declare them in raw scores"):
        metric_cycles(wl.Suite({"paradox": PARADOX}, relative_tolerance={"x": "0.5"}))
    with pytest.raises(InputError, match="metrics with a tolerance: 'x', 'y', 'z'"):
        flips(suite, by="x")
