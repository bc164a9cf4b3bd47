"""Lifts: the fewest tasks to rise on, against every set of tasks and against a plain integer program."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import Bounds, LinearConstraint, milp

import weightlab as wl
from tests.dice import DICE
from tests.lp.answers import read_back
from tests.lp.forging import some_forgeries
from tests.lp.improvement import brute_force_lifts
from weightlab._result import Proof, exact_series, result_from_dict
from weightlab._solver import covers as covers_module
from weightlab._solver.covers import Cover, fewest_cover

RULES = ["majority", "mean", "median", "mean_win_rate", "borda", "plurality", "dowdall"]
OTHER_WAY = {"mean": "skip", "median": "skip", "mean_win_rate": "skip", "majority": "error"}
SCORES = [0, 1, 2, 3, 4, 4, "2.5", -1]


def a_board(dice, *, tasks=(1, 4), models=(2, 5), gaps=True, tolerances=False):
    """Return a board with ties, directions and weights, maybe with gaps, equal models and tolerances."""
    names = [f"t{one}" for one in range(dice.between(*tasks))]
    rows = [f"m{one}" for one in range(dice.between(*models))]
    frame = {task: {row: dice.one_of(SCORES) for row in rows} for task in names}
    if dice.flag():
        for column in frame.values():
            column[rows[-1]] = column[rows[-2]]
    for task in names[1:] if gaps and dice.flag() else ():
        frame[task][dice.one_of(rows)] = None
    return wl.Leaderboard(
        frame,
        lower_is_better=[task for task in names if dice.below(4) == 3],
        weights={task: dice.one_of([1, 1, 2, "0.5"] if task == "t0" else [1, 1, 2, "0.5", 0]) for task in names},
        tolerance={task: dice.one_of(["0.5", 1]) for task in names if tolerances and dice.flag()},
    )


def answer(board, model, rule, **options):
    """Return the number of lifts, None for never, with everything re-checked on the way."""
    found = read_back(wl.lp.fewest_lifts, board, model, rule, **options)
    assert found.proof is Proof.EXACT
    return found.count


def options_of(dice, board, rule):
    missing = OTHER_WAY.get(rule if isinstance(rule, str) else "", "last") if board.missing_cells else "error"
    level = dice.one_of([None, None, Fraction(1), Fraction(3, 2)])
    return missing, level, dice.flag()


@pytest.mark.parametrize("rule", [*RULES, "custom points"])
def test_no_smaller_set_of_lifts_makes_a_model_win(rule):
    @settings(max_examples=25)
    @given(DICE)
    def agrees(dice):
        board = a_board(dice, tolerances=rule == "majority")
        asked = rule if rule in RULES else brute_force_lifts.vector_of(dice, len(board.models))
        missing, level, shared = options_of(dice, board, rule)
        twin = (board, "m0", asked, missing)
        try:
            expected = brute_force_lifts.fewest(*twin, level=level, shared=shared)
        except (wl.InputError, ZeroDivisionError, ValueError):
            with pytest.raises(wl.InputError):
                answer(board, "m0", asked, missing=missing)
            return
        given_level = "best" if level is None else level
        found = answer(board, "m0", asked, missing=missing, level=given_level, ties="ok" if shared else "no")
        assert found == expected

    agrees()


@settings(max_examples=25)
@given(DICE)
def test_the_table_of_all_is_what_each_model_needs_and_its_lifted_board_has_it_as_winner(dice):
    board, rule = a_board(dice, gaps=False), dice.one_of(RULES)
    table = wl.lp.fewest_lifts(board, rule=rule)
    assert result_from_dict(json.loads(json.dumps(table.to_dict()))).verify(board)
    for model in board.models:
        count = answer(board, model, rule)
        assert table.counts[model] == ("never" if count is None else count)
        if count is not None:
            after = table[model].board()
            assert brute_force_lifts.wins(after, model, rule, "error", shared=False)
            assert answer(after, model, rule) == 0


@settings(max_examples=15)
@given(DICE)
def test_a_shared_first_place_takes_no_more_lifts_and_weights_count_as_shares(dice):
    board, rule = a_board(dice, gaps=False), dice.one_of(RULES)
    strict, shared = (wl.lp.fewest_lifts(board, rule=rule, ties=ties) for ties in ("no", "ok"))
    for model in board.models:
        # Lifted on all tasks to the best scores, a model ties with the best or leads.
        assert shared.counts[model] != "never"
        assert strict.counts[model] == "never" or shared.counts[model] <= strict.counts[model]
    assert strict.verify(board.replace(weights={task: 7 * weight for task, weight in board.weights.items()}))


def test_where_scores_are_missing_the_win_rate_is_no_borda_count():
    board = wl.Leaderboard(
        {"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 2, "b": 1, "c": None}, "z": {"a": 1, "b": 2, "c": None}}
    )
    assert wl.lp.fewest_lifts(board, "c", "mean_win_rate", missing="skip").count == 0
    with pytest.raises(wl.ImpossibleError, match="does not pass"):
        wl.lp.fewest_lifts(board, "c", "borda", missing="last")


@pytest.mark.parametrize("seed", range(4))
def test_a_plain_integer_program_needs_as_many(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 30, (14, 16))
    board = wl.Leaderboard({f"t{one}": dict(enumerate(map(int, column))) for one, column in enumerate(scores.T)})
    found = {rule: wl.lp.fewest_lifts(board, rule=rule).counts for rule in ("majority", "mean", "borda")}
    best = scores.max(axis=0)
    for model in range(len(scores)):
        others = np.delete(scores, model, 0)
        places = {
            "majority": lambda own, others=others: np.sign(own - others),
            "mean": lambda own, others=others: own - others,
            "borda": lambda own, others=others: (
                np.sign(own - others)
                + np.array([np.sign(own - others).sum(axis=0) - np.sign(one - others).sum(axis=0) for one in others])
            ),
        }
        for rule, lead in places.items():
            today, then = lead(scores[model]), lead(np.maximum(best, scores[model]))
            rows = LinearConstraint(then - today, 1 - today.sum(axis=1), np.inf)
            solved = milp(np.ones(16), constraints=rows, bounds=Bounds(0, 1), integrality=np.ones(16))
            assert found[rule].iloc[model] == ("never" if solved.x is None else round(solved.fun))


def test_where_neither_the_dual_bound_nor_a_tree_shows_it_the_solver_is_named(monkeypatch):
    monkeypatch.setattr(covers_module, "branch_tree", lambda *_: None)
    # A set that meets every odd product with the vectors of F_2^4 spans it: 4 vectors, fractions of them sum to 15/8.
    odd = [[(one & other).bit_count() % 2 for one in range(1, 16)] for other in range(1, 16)]
    found = fewest_cover(Cover.of(np.array(odd), [1] * 15))
    assert len(found.tasks) == 4
    assert found.mixture == {}
    assert found.solver == "HiGHS"


def test_where_the_dual_bound_falls_short_a_tree_shows_it():
    odd = np.array([[(one & other).bit_count() % 2 for one in range(1, 16)] for other in range(1, 16)])
    cover = Cover.of(odd, [1] * 15)
    found = fewest_cover(cover)
    assert (len(found.tasks), found.mixture, found.solver) == (4, {}, None)
    found.tree.check(cover.program, 4)
    with pytest.raises(wl.ProofError, match="does not reach 5"):
        found.tree.check(cover.program, 5)


def test_a_solver_is_named_where_and_only_where_it_is_relied_on(monkeypatch):
    odd = [[(one & other).bit_count() % 2 for one in range(1, 16)] for other in range(1, 16)]
    # Rival v leads on the 8 tasks whose product with v is odd, and trails on 7: one lift on any of the 8 makes a tie.
    board = wl.Leaderboard(
        {f"t{one}": {"a": 0} | {f"r{v}": 2 * odd[v][one] - 1 for v in range(15)} for one in range(15)}
    )
    searched = wl.lp.fewest_lifts(board, "a", ties="ok")
    assert (searched.count, searched.proof, len(searched.lifts.mixture)) == (4, Proof.EXACT, 0)
    with pytest.raises(wl.ProofError, match="where its bound is not relied on"):
        dataclasses.replace(searched, lifts=dataclasses.replace(searched.lifts, solver="HiGHS")).verify()
    monkeypatch.setattr(covers_module, "branch_tree", lambda *_: None)
    named = wl.lp.fewest_lifts(board, "a", ties="ok")
    assert (named.count, named.proof) == (4, Proof.EXACT_WITNESS)
    assert named.believed == ("no smaller set is enough",)
    assert "by HiGHS's bound fewer are not enough" in str(named)
    assert named.verify(board)


def test_long_numbers_do_not_blur_who_wins():
    huge = 10**40
    scores = {"x": {"a": 0, "b": huge}, "y": {"a": huge + 1, "b": 1}, "z": {"a": 0, "b": 1}}
    board = wl.Leaderboard(
        {task: {one: str(score) for one, score in column.items()} for task, column in scores.items()}
    )
    assert answer(board, "a", "mean") == 1
    assert wl.lp.fewest_lifts(board, "a", "mean").tasks in {("x",), ("z",)}
    assert answer(board, "a", "mean", ties="ok") == 1


def test_a_close_call_in_long_numbers_is_decided_exactly():
    step = Fraction(1, 10**25)
    gains = [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3) - step, Fraction(1, 7)]
    lacking = 1
    scale = 3 * 7 * 10**25
    rows = [[int(gain * scale) for gain in gains]]
    assert len(fewest_cover(Cover.of(np.array(rows, dtype=object), [lacking * scale])).tasks) == 4
    assert len(fewest_cover(Cover.of(np.array(rows, dtype=object), [int((1 - step) * scale)])).tasks) == 3


BOARD = wl.Leaderboard(
    {
        "w": {"A": 5, "B": 1, "C": 1, "D": 3, "E": 2},
        "x": {"A": 4, "B": 5, "C": 1, "D": 3, "E": 2},
        "y": {"A": 4, "B": 1, "C": 5, "D": 3, "E": 2},
        "z": {"A": 3, "B": 1, "C": 2, "D": 2, "E": 3},
    },
    weights={"w": 2, "x": 1, "y": 1, "z": 1},
    lower_is_better=["z"],
)


def tells_no_lie(document):
    """Tell whether a document is refused, or its claim is what is asked anew."""
    try:
        claim = result_from_dict(document)
        claim.verify(BOARD)
    except (wl.ProofError, wl.InputError):
        return True
    one = claim.kind == "fewest_lifts"
    counts = {claim.model: claim.count} if one else claim.counts.replace("never", None).to_dict()
    level, shared = claim.level, claim.ties == "ok"
    rule = claim.rule.name if claim.rule.vector is None else claim.rule.vector
    return counts == {
        model: brute_force_lifts.fewest(claim.table, model, rule, claim.rule.missing, level=level, shared=shared)
        for model in counts
    }


@pytest.mark.parametrize("rule", ["majority", "mean", "median", "mean_win_rate", "borda"])
def test_forged_documents_are_refused_or_true(rule):
    for model in (None, "B"):
        document = wl.lp.fewest_lifts(BOARD, model, rule, ties="ok").to_dict()
        assert result_from_dict(document).verify(BOARD)
        for forged in some_forgeries(document, 60):
            assert tells_no_lie(forged), json.dumps(forged)


def test_each_part_of_a_proof_is_looked_at():
    found = wl.lp.fewest_lifts(BOARD, "B", "majority", ties="ok")
    lifts = found.lifts
    wrong = [
        {"tasks": None},
        {"tasks": BOARD.tasks},
        {"tasks": lifts.tasks[1:]},
        {"tasks": lifts.tasks[::-1] + lifts.tasks[:1]},
        {"tasks": ()},
        {"mixture": exact_series([Fraction(1)], ["C"], "share")},
        {"mixture": exact_series([Fraction(-1)], ["A"], "share")},
        {"mixture": exact_series([Fraction(1)], ["nobody"], "share")},
        {"solver": "HiGHS"},
    ]
    for changes in wrong:
        with pytest.raises(wl.ProofError):
            dataclasses.replace(found, lifts=dataclasses.replace(lifts, **changes)).verify()
    for changes in ({"model": "A"}, {"model": "nobody"}, {"level": Fraction(-1)}, {"level": Fraction(1, 9)}):
        with pytest.raises(wl.ProofError):
            dataclasses.replace(found, **changes).verify()
    with pytest.raises(wl.ProofError, match="the share of the weight that"):
        found.verify(BOARD.replace(weights={"w": 1}))


def test_never_names_a_rival_that_is_not_passed():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 5}, "y": {"a": 1, "b": 1, "c": 9}})
    with pytest.raises(wl.ImpossibleError, match="lifted by 1 on all tasks, it does not pass c") as error:
        wl.lp.fewest_lifts(board, "a", "Mean", level=1)
    document = error.value.proof.to_dict()
    document["lifts"]["mixture"] = {"b": "1/100", "c": "99/100"}
    with pytest.raises(wl.ProofError, match="one rival"):
        result_from_dict(document).verify()


def test_never_is_an_answer_with_its_proof():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}})
    for rule in ("majority", "mean", "median", "mean_win_rate", "borda"):
        with pytest.raises(wl.ImpossibleError, match=r"a never wins .*: .* it does not pass b") as caught:
            wl.lp.fewest_lifts(board, "a", rule)
        proof = caught.value.proof
        assert proof.verify(board)
        assert proof.count is None
        forged = dataclasses.replace(proof, ties="ok")
        with pytest.raises(wl.ProofError):
            forged.verify()
        table = wl.lp.fewest_lifts(board, rule=rule)
        assert table.counts.to_dict() == {"a": "never", "b": 0}
        assert table.median is None
        assert table.fewest == ()
        assert "half of the models do not win even lifted on all " in str(table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "copeland"}, "no rule named 'copeland'"),
        ({"rule": [3, 2]}, "needs 5 numbers"),
        ({"rule": [1, 2, 3, 4, 5]}, "must not rise"),
        ({"level": 0}, "above 0"),
        ({"level": "top"}, "must be 'best' or a number above 0; got 'top'"),
        ({"ties": "maybe"}, "'no' or 'ok'"),
        ({"missing": "skip"}, "by majority, missing must be 'error'"),
        ({"rule": "mean", "missing": "last"}, "'error' or 'skip'"),
        ({"rule": "borda", "missing": "skip"}, "'error' or 'last'"),
    ],
)
def test_bad_questions_are_refused(options, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.fewest_lifts(BOARD, "A", **options)


def test_missing_scores_are_refused_unless_something_is_said_about_them():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": None}})
    for rule, way in (("mean", "skip"), ("median", "skip"), ("mean_win_rate", "skip"), ("borda", "last")):
        with pytest.raises(wl.MissingScoresError, match=f"missing='{way}'"):
            wl.lp.fewest_lifts(board, "a", rule)
    # By majority missing scores tie; and a score that a model does not have cannot be lifted.
    assert wl.lp.fewest_lifts(board, rule="majority").counts.to_dict() == {"a": "never", "b": 0}
    assert wl.lp.fewest_lifts(board, "b", "mean", missing="skip", level=5).tasks == ()


def test_tolerances_make_no_places():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 2}}, tolerance={"x": 1})
    with pytest.raises(wl.InputError, match="tolerance"):
        wl.lp.fewest_lifts(board, "a", "borda")


def test_the_lifts_of_a_public_leaderboard_are_proved_without_a_solver(shared_data):
    board = wl.read_leaderboard(shared_data / "leaderboards" / "bigbench_hard.csv")
    medians = {"majority": 24, "mean": 26, "median": 14, "mean_win_rate": 26, "borda": 26}
    for rule, median in medians.items():
        table = wl.lp.fewest_lifts(board, rule=rule)
        assert (table.median, table.counts["GPT-4"], table.proof) == (median, 0, Proof.EXACT)


def test_a_level_beyond_all_doubles_is_refused_and_not_a_fault():
    board = wl.Leaderboard({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}})
    document = wl.lp.fewest_lifts(board, "a", rule="majority", level=4).to_dict()
    document["level"] = f"{10**400}/1"
    with pytest.raises((wl.ProofError, wl.InputError)):
        result_from_dict(document).verify()


def test_more_lifts_than_are_needed_are_refused_on_whoevers_word():
    board = wl.Leaderboard({task: {"a": 1, "b": 2} for task in "xyz"})
    claim = wl.lp.fewest_lifts(board, "a", "mean", ties="ok", level=3)
    assert claim.count == 1
    nothing = exact_series([], [], "share")
    for tasks in (("x", "y"), ("x", "y", "z")):
        for solver in (None, "HiGHS"):
            lifts = dataclasses.replace(claim.lifts, tasks=tasks, mixture=nothing, solver=solver)
            with pytest.raises(wl.ProofError, match="lifts do"):
                dataclasses.replace(claim, lifts=lifts).verify()
