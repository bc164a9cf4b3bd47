"""Questions about winning weights by every linear rule, against every vertex of the polytope of their rows."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.dice import DICE
from tests.lp import brute_force
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from tests.lp.verdicts import brute_force_rules
from tests.strategies import boards
from weightlab._result import result_from_dict
from weightlab.lp import Verdict

RULES = ["mean", "borda", "dowdall", "plurality", "veto"]
SMALL = {"models": (2, 4), "tasks": (1, 3), "plain": True, "missing": False}


class Asked:
    """A table, a rule, conditions, and a model's rows of points, all drawn."""

    def __init__(self, board, dice):
        self.board, self.rule = board, dice.one_of([*RULES, [5, *range(len(board.models) - 1, 0, -1)]])
        self.model = dice.one_of(board.models)
        self.rows = brute_force_rules.differences(brute_force_rules.points(board, self.rule), self.model)
        some = cuts_of(dice, board.tasks, 0, 1)
        self.cuts, self.options = inequalities_of(some), {"rule": self.rule, "space": space_of(board.tasks, some)}
        self.margin = brute_force.widest(self.rows, self.cuts)

    def refused(self, question, *arguments, **options):
        """Tell whether a question is refused, as it must be just where the model cannot win."""
        if self.margin is not None and self.margin >= options.get("margin", 0):
            return False
        with pytest.raises(wl.EmptySpaceError if self.margin is None else wl.ImpossibleError) as caught:
            question(self.board, self.model, *arguments, **self.options, **options)
        if self.margin is not None:
            assert caught.value.proof.verify(self.board)
            assert caught.value.proof.margin == self.margin
        return True

    def holds(self, found):
        """Ensure that a result verifies, also as a document, and names its rule."""
        assert found.verify(self.board)
        assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(self.board)
        assert found.rule.by[3:] in str(found)
        other = wl.Leaderboard(self.board.scores.iloc[:, ::-1].set_axis(list(self.board.tasks), axis=1))
        if brute_force_rules.points(other, self.rule) != brute_force_rules.points(self.board, self.rule):
            with pytest.raises(wl.ProofError):
                found.verify(other)
        return found


ASKED = st.builds(Asked, boards(**SMALL), DICE)


@settings(max_examples=20)
@given(ASKED)
def test_every_verdict_is_that_of_the_vertices(asked):
    try:
        found = wl.lp.prospects(asked.board, **asked.options)
        exact = wl.lp.prospects(asked.board, exact=True, **asked.options)
    except wl.EmptySpaceError:
        assert asked.margin is None
        return
    table = brute_force_rules.points(asked.board, asked.rule)
    margins = [brute_force_rules.margin(table, model, asked.cuts) for model in asked.board.models]
    for one in (asked.holds(found), asked.holds(exact)):
        assert [(verdict is Verdict.STRICT, verdict is Verdict.NEVER) for verdict in one.verdicts] == [
            (margin > 0, margin < 0) for margin in margins
        ]
        assert all(low <= margin <= high for low, margin, high in zip(one.lower, margins, one.upper, strict=True))
    assert exact.lower.tolist() == margins == exact.upper.tolist()
    assert [found[model].margin for model in asked.board.models] == margins
    assert (
        brute_force.widest(brute_force_rules.differences(table, asked.model), asked.cuts) == found[asked.model].margin
    )
    assert found.bounded(asked.model).verify(asked.board)


@settings(max_examples=20)
@given(ASKED, st.sampled_from(["l1", "linf", "most", "flat"]), st.sampled_from([Fraction(0), Fraction(1, 4)]))
def test_the_optimum_is_the_best_vertex(asked, goal, lead):
    board, tasks = asked.board, asked.board.tasks
    centre = [Fraction(1, len(tasks))] * len(tasks)
    objective, functions, sense = {
        "l1": (wl.lp.closest_to(centre), brute_force.signs_of_changes(centre), 1),
        "linf": (wl.lp.closest_to(centre, norm="linf"), brute_force.single_changes(centre), 1),
        "most": (wl.lp.most_weight(tasks[0]), [([int(one == tasks[0]) for one in tasks], 0)], -1),
        "flat": (wl.lp.most_balanced(), [([int(one == task) for one in tasks], 0) for task in tasks], 1),
    }[goal]
    if asked.refused(wl.lp.scenario, objective, margin=lead):
        return
    found = asked.holds(wl.lp.scenario(board, asked.model, objective, margin=lead, **asked.options))
    assert found.value == brute_force.least_over(asked.rows, functions, cuts=asked.cuts, lead=lead, sense=sense)
    at_best = [([sense * one for one in row], sense * (found.value + constant)) for row, constant in functions]
    assert found.attained == (brute_force.widest(asked.rows, [*asked.cuts, *at_best]) > 0)
    assert (found.strict_weights is None) == (asked.margin <= 0)
    widest = wl.lp.scenario(board, asked.model, [wl.lp.widest_margin(), objective], margin=lead, **asked.options)
    assert asked.holds(widest).value == asked.margin


@settings(max_examples=20)
@given(ASKED, st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 4)]))
def test_every_range_ends_at_a_vertex(asked, lead):
    if asked.refused(wl.lp.weight_ranges, margin=lead):
        return
    ranges = asked.holds(wl.lp.weight_ranges(asked.board, asked.model, margin=lead, **asked.options))
    for one in ranges.ranges:
        row = [int(task in one.tasks) for task in asked.board.tasks]
        for found, sense in ((one.least, 1), (one.most, -1)):
            assert found.value == brute_force.least_over(
                asked.rows, [(row, 0)], cuts=asked.cuts, lead=lead, sense=sense
            )
            at_best = ([sense * value for value in row], sense * found.value)
            assert ranges.attained(found) == (brute_force.widest(asked.rows, [*asked.cuts, at_best]) > 0)


@settings(max_examples=20)
@given(ASKED, st.booleans())
def test_the_smallest_sets_are_those_on_which_some_vertex_wins(asked, strict):
    if strict and asked.margin == 0:
        with pytest.raises(wl.ImpossibleError, match="it ties at best"):
            wl.lp.fewest_task_sets(asked.board, asked.model, strict=True, **asked.options)
        return
    if asked.refused(wl.lp.fewest_task_sets):
        return
    found = asked.holds(wl.lp.fewest_task_sets(asked.board, asked.model, strict=strict, **asked.options))
    tasks = asked.board.tasks
    for size in range(1, len(tasks) + 1):
        able = []
        for some in itertools.combinations(tasks, size):
            absent = ([int(task not in some) for task in tasks], 0)
            margin = brute_force.widest(asked.rows, [*asked.cuts, absent])
            if margin is not None and (margin > 0 or (margin == 0 and not strict)):
                able.append(some)
        if able:
            assert (found.size, sorted(found.sets)) == (size, sorted(able))
            return


@settings(max_examples=20)
@given(ASKED)
def test_the_region_has_the_vertices_of_the_rows(asked):
    if asked.refused(wl.lp.winning_region):
        return
    region = asked.holds(wl.lp.winning_region(asked.board, asked.model, **asked.options))
    behind = [([-one for one in row], 0) for row in asked.rows]
    expected = brute_force.vertices(len(asked.board.tasks), 0, [*behind, *asked.cuts])
    assert {tuple(row) for row in region.vertices.to_numpy().tolist()} == set(expected)
    assert region.share is None or (region.share > 0) <= (asked.margin > 0)


@settings(max_examples=10)
@given(boards(models=(2, 3), tasks=(2, 2), plain=True, missing=False), st.sampled_from(RULES))
def test_shares_are_those_of_the_exact_regions(board, rule):
    found = wl.lp.winning_shares(board, rule=rule, samples=400, rng=3)
    assert found.verify(board)
    for model in board.models:
        share, low, high, positive = found.shares.loc[model]
        prospect = found.prospects[model]
        assert positive == (prospect.verdict is Verdict.STRICT)
        exact = wl.lp.winning_region(board, model, rule=rule).share if prospect.margin >= 0 else 0
        # An interval fails once in twenty; four of its widths do not.
        assert abs(share - float(exact)) <= 2 * (high - low) + 1e-12
    own = [wl.lp.winning_region(board, one, rule=rule).share for one in board.models if found.prospects[one].margin > 0]
    assert abs(float(1 - sum(own)) - found.no_winner["share"]) < 0.15


def test_one_name_is_as_good_as_the_other():
    board = wl.Leaderboard(
        {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 1, "b": 2, "c": 1}}
    )
    asks = [
        wl.lp.prospects,
        lambda board, **rule: wl.lp.prospect(board, "b", **rule),
        lambda board, **rule: wl.lp.scenario(board, "b", wl.lp.closest_to(), **rule),
        lambda board, **rule: wl.lp.weight_ranges(board, "b", **rule),
        lambda board, **rule: wl.lp.fewest_task_sets(board, "b", **rule),
        lambda board, **rule: wl.lp.winning_region(board, "b", **rule),
        lambda board, **rule: wl.lp.winning_shares(board, samples=10, rng=0, **rule),
    ]
    for ask in asks:
        documents = [ask(board, **rule).to_dict() for rule in ({}, {"rule": "majority"}, {"rule": "condorcet"})]
        assert documents[0] == documents[1] == documents[2]
        with pytest.raises(wl.UnknownNameError, match=r"no (linear )?rule named 'schulze'"):
            ask(board, rule="schulze")
        with pytest.raises(wl.InputError, match="majority reads duels"):
            ask(board, missing="last")


def test_scores_of_many_digits_are_told_apart():
    rng = np.random.default_rng(5)
    scores = rng.integers(10**13, 10**14, (30, 8)) / 10**12
    board = wl.Leaderboard({f"t{one}": {f"m{row}": scores[row, one] for row in range(30)} for one in range(8)})
    found = wl.lp.prospects(board, rule="mean")
    assert found.verify(board)
    assert [found[model].verdict for model in board.models] == found.verdicts.tolist()


@settings(max_examples=12)
@given(boards(models=(2, 4), tasks=(3, 3), plain=True, missing=False), st.sampled_from(RULES), DICE)
def test_the_areas_of_a_map_are_the_regions_of_the_models(board, rule, dice):
    some = cuts_of(dice, board.tasks, 0, 1)
    space = space_of(board.tasks, some)
    try:
        found = wl.lp.map_of_winners(board, rule=rule, space=space)
    except (wl.EmptySpaceError, wl.InputError):
        return
    assert found.verify(board)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)
    assert found.cyclic == 0
    for model in board.models:
        try:
            share = wl.lp.winning_region(board, model, rule=rule, space=space).share
        except wl.ImpossibleError:
            share = 0
        assert share is None or found.shares[model] == share
    table = brute_force_rules.points(board, rule)
    weights = [dice.between(1, 5) for _ in board.tasks]
    totals = {model: sum(a * b for a, b in zip(own, weights, strict=True)) for model, own in table.items()}
    first = tuple(model for model in board.models if totals[model] == max(totals.values()))
    assert found.at(weights).unbeaten == first
    assert found.at(weights).winner == (first[0] if len(first) == 1 else None)
