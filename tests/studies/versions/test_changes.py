from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given

import weightlab as wl
from tests.dice import DICE
from weightlab._result import result_from_dict
from weightlab.exceptions import InputError

MODELS, TASKS = tuple("abcde"), tuple("wxyz")


def versions(dice):
    """Return two versions: models and tasks come and go, scores and weights change."""
    made = []
    for names in (MODELS[:4], MODELS[1:]):
        tasks = TASKS[: dice.between(2, 3)] if dice.flag() else TASKS[1:]
        made.append((names, tasks, {task: dice.between(0, 2) for task in tasks} if dice.flag() else {}))
    scores = {(model, task): Fraction(dice.between(0, 6), 2) for model in MODELS for task in TASKS}
    boards = []
    for names, tasks, weights in made:
        table = {task: {model: scores[model, task] for model in names} for task in tasks}
        boards.append(
            wl.Leaderboard(
                table, weights=weights if any(weights.values()) else None, lower_is_better=["y"] if "y" in tasks else []
            )
        )
        scores |= {(model, task): Fraction(dice.between(0, 6), 2) for model in MODELS for task in TASKS if dice.flag()}
    return boards


def mean(board, model, changed=None, weights=None):
    """Return the mean of a model by the book, some of its scores replaced."""
    exact = board.to_pandas()
    shares = board.weights if weights is None else weights
    total = Fraction(0)
    for task, weight in shares.items():
        score = (changed or {}).get((model, task))
        if score is None:
            score = Fraction(exact[task][model])
        total += weight * score * (-1 if task in board.lower_is_better else 1)
    return total / sum(shares)


@given(DICE)
def test_undoing_the_named_cell_changes_undoes_the_swap_and_fewer_do_not(dice):
    old, new = versions(dice)
    found = wl.studies.changes(old, new)
    for swap in found.swaps:
        before, after = (mean(one, swap.passed) - mean(one, swap.passing) for one in (old, new))
        assert (before, after) == (swap.before, -swap.after)
        assert before > 0 > after
        if swap.reweighted:
            continue
        undone = {(cell.model, cell.task): cell.old for cell in swap.cells}

        def lead(undone, swap=swap):
            return mean(new, swap.passed, undone) - mean(new, swap.passing, undone)

        assert lead(undone) > 0
        changed = [(model, task) for model in (swap.passed, swap.passing) for task in found.tasks]
        values = old.to_pandas()
        for fewer in combinations(changed, len(undone) - 1):
            assert lead({(model, task): Fraction(values[task][model]) for model, task in fewer}) <= 0


@given(DICE)
def test_where_tasks_or_weights_explain_a_swap_the_old_ones_with_the_named_cells_undo_it(dice):
    old, new = versions(dice)
    for swap in wl.studies.changes(old, new).swaps:
        if not swap.reweighted:
            continue
        now, was = new.to_pandas(), old.to_pandas()
        scores = {
            (model, task): Fraction(now[task][model] if task in new.tasks else was[task][model])
            for model in (swap.passed, swap.passing)
            for task in old.tasks
        }
        scores |= {(cell.model, cell.task): cell.old for cell in swap.cells}
        assert mean(old, swap.passed, scores) > mean(old, swap.passing, scores)


@given(DICE)
def test_scores_moves_and_swaps_are_those_of_a_walk_over_all_cells(dice):
    old, new = versions(dice)
    found = wl.studies.changes(old, new)
    was, now = old.to_pandas(), new.to_pandas()
    common = [model for model in new.models if model in old.models]
    cells = {
        (model, task)
        for model in common
        for task in new.tasks
        if task in old.tasks and was[task][model] != now[task][model]
    }
    assert {(row.model, row.task) for row in found.scores().itertuples()} == cells
    turned = {
        frozenset((one, other))
        for one, other in combinations(common, 2)
        if (mean(old, one) - mean(old, other)) * (mean(new, one) - mean(new, other)) < 0
    }
    told = {frozenset((swap.passed, swap.passing)) for swap in found.swaps}
    assert told == (turned if found.rule == "mean" else set())
    assert found.rule == (new.rule if new.rule in ("mean", "borda") else "borda")
    if not (old.missing_cells or new.missing_cells):
        was, now = (wl.rules.rank(one, found.rule).ranks.to_dict() for one in (old, new))
        assert dict(found.moves) == {one: (was[one], now[one]) for one in common if was[one] != now[one]}
    again = result_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.verify(new)
    assert str(again) == str(found)


@given(DICE)
def test_a_version_has_no_changes_against_itself(dice):
    board, _ = versions(dice)
    found = wl.studies.changes(board, board)
    assert str(found) == "Nothing changed between the two versions."
    assert (found.swaps, dict(found.moves), len(found.scores())) == ((), {}, 0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({"x": {"a": 1, "b": 2}}, {"y": {"a": 1, "b": 2}}, "2 models and 0 tasks in common"),
        ({"x": {"a": 1, "b": 2}}, {"x": {"a": 1, "c": 2}}, "1 model and 1 task in common"),
    ],
)
def test_versions_of_other_shapes_are_refused(old, new, message):
    with pytest.raises(InputError, match=message):
        wl.studies.changes(wl.Leaderboard(old), wl.Leaderboard(new))


def test_versions_of_other_directions_are_refused():
    scores = {"x": {"a": 1, "b": 2}}
    with pytest.raises(InputError, match="lower is better on 'x' in only one of the versions"):
        wl.studies.changes(wl.Leaderboard(scores), wl.Leaderboard(scores, lower_is_better=["x"]))


def test_models_without_a_score_have_no_place():
    old = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 9}, "y": {"a": 3, "b": 2, "c": None}})
    new = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 9}, "y": {"a": 3, "b": 2, "c": 9}})
    found = wl.studies.changes(old, new)
    assert dict(found.moves) == {"a": (1, 2)}
    assert found.scores()["model"].tolist() == ["a", "c"]


def test_instances_are_compared_by_their_means_with_standard_errors():
    frame = pd.DataFrame({"i": {"a": 1.0, "b": 0.0}, "j": {"a": 1.0, "b": 1.0}, "k": {"a": 0.0, "b": 1.0}})
    found = wl.studies.changes(wl.Instances({"t": frame}), wl.Instances({"t": frame}))
    assert found.new.standard_errors["t"].tolist() == pytest.approx([1 / 3, 1 / 3])
    assert found.new.to_pandas()["t"].tolist() == [Fraction(2, 3)] * 2


def test_who_is_tenth_in_either_version_is_among_the_first_ten_and_who_is_eleventh_in_both_is_not():
    old = {f"m{place}": 100 - place for place in range(1, 14)}
    new = {**old, "m10": old["m11"], "m11": old["m10"], "m12": old["m13"], "m13": old["m12"]}
    found = wl.studies.changes(*(wl.Leaderboard({"x": scores}) for scores in (old, new)))
    assert found.moves == {"m11": (11, 10), "m10": (10, 11)}
