"""Upsets: the least to improve, against every combination of new scores and against one program with products."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.brute_force import scores
from tests.dice import DICE
from tests.lp.forging import some_forgeries
from tests.lp.improvement import brute_force_upset
from tests.lp.strategies import cuts_of, inequalities_of, space_of
from weightlab._result import Proof, result_from_dict
from weightlab.lp.improvement import cheapest_levels
from weightlab.lp.improvement.cheapest_levels import cheapest_at
from weightlab.lp.improvement.costs import ImprovementCosts
from weightlab.lp.improvement.score_column import score_columns
from weightlab.lp.improvement.thresholds import thresholds_by_result, thresholds_by_score

GRID = Fraction(1, 4)
MOST = 40
SCORES = [0, 1, 1, 2, 2, 3, -1]


@st.composite
def small_boards(draw, *, tasks=(1, 3), models=(2, 4), weighted=True):
    """Return boards of small whole scores with gaps, directions and both kinds of tolerance."""
    dice = draw(DICE)
    names = [f"t{i}" for i in range(dice.between(*tasks))]
    rows = [f"m{i}" for i in range(dice.between(*models))]
    frame = {task: {row: dice.one_of(SCORES) for row in rows} for task in names}
    for task in names:
        for row in rows[1:]:
            if len(names) > 1 and task != names[int(row[1:]) % len(names)] and dice.between(0, 5) == 5:
                frame[task][row] = None
    kinds = {task: dice.one_of(["none", "none", "half", "one", "share", "all"]) for task in names}
    absolute = {task: {"half": "0.5", "one": 1}[kind] for task, kind in kinds.items() if kind in {"half", "one"}}
    relative = {task: {"share": "0.5", "all": 1}[kind] for task, kind in kinds.items() if kind in {"share", "all"}}
    return wl.Leaderboard(
        frame,
        lower_is_better=[task for task in names if dice.flag()],
        weights={task: dice.one_of([1, 1, 2, 3, "0.5"]) for task in names} if weighted else None,
        tolerance=absolute,
        relative_tolerance=relative,
    )


def answer(*arguments, **options):
    """Return the cost of an upset, or None when it is impossible."""
    found = upset_or_none(*arguments, **options)
    return None if found is None else found.cost


def upset_or_none(*arguments, **options):
    """Return an upset, or None when it is impossible, with everything re-checked on the way."""
    try:
        found, impossible = wl.lp.upset(*arguments, **options), None
    except wl.ImpossibleError as error:
        found, impossible = None, error.proof
    if found is None:
        assert impossible.upper <= 0
        assert impossible.verify()
        return None
    document = json.loads(json.dumps(found.to_dict()))
    again = result_from_dict(document)
    assert again.verify(arguments[0])
    assert again.to_dict() == document
    assert str(again) == str(found)
    assert min(found.duels) > 0
    return found


@settings(max_examples=25)
@given(small_boards(), st.sampled_from(["score", "result"]), DICE)
def test_nothing_cheaper_wins_at_todays_weights(board, kind, dice):
    costs = {task: Fraction(dice.one_of([1, 1, 2, "1/2", 0])) for task in board.tasks}
    step = dice.one_of([1, "0.5", "0.75"]) if kind == "score" else None
    meant, best = None if step is None else Fraction(step), {}
    for task in board.tasks:
        own = scores(board)[task].get("m0")
        if own is not None and dice.between(0, 2) == 0:
            best[task] = own + dice.between(0, 2) * (-1 if task in board.lower_is_better else 1)
    least = brute_force_upset.least(board, "m0", kind, grid=GRID, most=MOST, costs=costs, step=meant, best=best)
    assert answer(board, "m0", kind=kind, cost=costs, step=step, best=best) == least


@settings(max_examples=20)
@given(small_boards(models=(4, 9)), st.sampled_from(["score", "result"]))
def test_rivals_may_join_the_program_one_by_one(board, kind):
    together = answer(board, "m0", kind=kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cheapest_levels, "JOINING", 1)
        assert answer(board, "m0", kind=kind) == together


def test_a_time_limit_tells_what_beats_all_rivals(monkeypatch):
    def stopped(*_):
        raise wl.TimeLimitError("", known={"value": Fraction(1), "bound": 0.0})

    board = random_board(12, 3, seed=1)
    least = wl.lp.upset(board, "m0").cost
    monkeypatch.setattr(cheapest_levels, "_proposed", stopped)
    with pytest.raises(wl.TimeLimitError) as caught:
        wl.lp.upset(board, "m0")
    assert caught.value.known["value"] >= least


@settings(max_examples=10)
@given(small_boards(tasks=(1, 2), models=(2, 3)), st.sampled_from(["score", "result"]), DICE)
def test_nothing_cheaper_wins_under_some_weights(board, kind, dice):
    some = cuts_of(dice, board.tasks, 0, 1)
    space, meant = space_of(board.tasks, some), inequalities_of(some)
    costs = {task: Fraction(1) for task in board.tasks}
    step = Fraction(1) if kind == "score" else None
    try:
        found = answer(board, "m0", kind=kind, space=space if some else "any")
    except wl.EmptySpaceError:
        return
    assert found == brute_force_upset.least(board, "m0", kind, grid=GRID, most=MOST, costs=costs, cuts=meant, step=step)


@settings(max_examples=20)
@given(small_boards(), DICE)
def test_limits_are_kept(board, dice):
    task, most = dice.one_of(board.tasks), dice.between(0, 3)
    capped = upset_or_none(board, "m0", at_most={task: most})
    if capped is not None:
        free = answer(board, "m0")
        assert free is None or capped.cost >= free
        for improvement in capped.improvements:
            assert improvement.task != task or improvement.amount <= most


@settings(max_examples=10)
@given(small_boards(weighted=False), st.sampled_from(["score", "result"]))
def test_weights_that_may_move_cost_no_more_than_weights_that_may_not(board, kind):
    fixed, free = answer(board, "m0", kind=kind), answer(board, "m0", kind=kind, space="any")
    pinned = wl.lp.WeightSpace(board).near(None, 0)
    assert answer(board, "m0", kind=kind, space=pinned) == fixed
    assert fixed is None or free <= fixed


def random_board(models, tasks, *, seed, weights=None):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 100, (models, tasks)), [f"m{i}" for i in range(models)])
    return wl.Leaderboard(frame.set_axis([f"t{i}" for i in range(tasks)], axis=1), weights=weights)


def one_program(board, model, space_rows=(), *, gap=1e-3):
    """Solve the whole question as one program with McCormick products in floats: (cost, least lead allowed)."""
    scipy = pytest.importorskip("scipy.optimize")
    own, others = board.scores.loc[model].to_numpy(), board.scores.drop(model).to_numpy()
    levels = [
        [0, *sorted({int(r - o + e) for r in col if r >= o for e in (0, 1) if r - o + e > 0})]
        for o, col in zip(own, others.T, strict=True)
    ]
    first = np.cumsum([0, *map(len, levels)])
    count, tasks = int(first[-1]), len(levels)
    cost = np.array([*(k for level in levels for k in level), *[0] * (count + tasks)], dtype=float)
    rows, low, high = [], [], []

    def add(entries, least, most):
        row = np.zeros(2 * count + tasks)
        for column, value in entries:
            row[column] = value
        rows.append(row)
        low.append(least)
        high.append(most)

    for task in range(tasks):
        block = range(first[task], first[task + 1])
        add([(c, 1) for c in block], 1, 1)
        add([(count + c, 1) for c in block] + [(2 * count + task, -1)], 0, 0)
        for c in block:
            add([(count + c, 1), (c, -1)], -np.inf, 0)
    add([(2 * count + task, 1) for task in range(tasks)], 1, 1)
    for rival in others:
        leads = [np.sign(own[t] + k - rival[t]) for t in range(tasks) for k in levels[t]]
        add([(count + c, lead) for c, lead in enumerate(leads)], gap, np.inf)
    found = scipy.milp(
        cost,
        constraints=scipy.LinearConstraint(np.array(rows), low, high),
        integrality=[1] * count + [0] * (count + tasks),
        bounds=scipy.Bounds(0, 1),
    )
    return found.fun


@pytest.mark.parametrize("seed", range(6))
def test_cuts_find_what_one_program_with_products_finds(seed):
    board = random_board(9, 4, seed=seed)
    for model in board.models[:4]:
        found = wl.lp.upset(board, model, space="any")
        assert float(found.cost) == pytest.approx(one_program(board, model))


@pytest.mark.parametrize("seed", range(3))
def test_weights_too_large_for_rows_are_met_by_cuts(seed):
    board = random_board(8, 4, seed=seed)
    heavy = random_board(8, 4, seed=seed, weights=[10**30 + 1, 10**30, 10**30 + 7, 10**30 - 8])
    for model in board.models:
        slow = min(wl.lp.upset(heavy, model, kind=kind).cost for kind in ["score"])
        columns, position = score_columns(heavy), heavy.models.index(model)
        every = np.ones(7, dtype=bool)
        thresholds = [
            thresholds_by_score(one, position, ImprovementCosts(cost=Fraction(1), step=Fraction(1)), every)
            for one in columns
        ]
        exact = [Fraction(1, 4) + Fraction(d, 4 * 10**12) for d in (1, 0, 7, -8)]
        assert cheapest_at(thresholds, exact).cost == slow


@settings(max_examples=40)
@given(small_boards(), st.sampled_from(["score", "result"]))
def test_thresholds_say_what_the_table_says(board, kind):
    columns = score_columns(board)
    make = thresholds_by_score if kind == "score" else thresholds_by_result
    every = np.ones(len(board.models) - 1, dtype=bool)
    for place, column in enumerate(columns):
        found = make(column, 0, ImprovementCosts(cost=Fraction(1), step=Fraction(1, 2)), every)
        assert list(found.costs) == sorted(set(found.costs))
        for level, gain in enumerate(found.gains):
            new = {} if gain is None else {column.task: column.score(gain)}
            signs = brute_force_upset.changed(board, "m0", new).signs().matrix("m0")[:, place]
            assert signs.tolist() == found.signs(level).tolist()


PAIR = wl.Leaderboard(
    {"RTE": {"T": 92.5, "A": 93, "B": 90}, "WSC": {"T": 93.8, "A": 95.8, "B": 97.1}, "ms": {"T": 7, "A": 5, "B": 9}},
    lower_is_better=["ms"],
)


def test_the_sentence_says_what_to_raise_and_what_to_lower():
    assert str(wl.lp.upset(PAIR, "T")) == (
        "T wins head-to-head at equal weights if it can raise RTE from 92.5 to 93.1 and WSC from 93.8 to 95.9: "
        "the minimum that is enough."
    )
    only = wl.lp.upset(PAIR, "T", at_most={"WSC": 0})
    assert "raise RTE from 92.5 to 93.1 and lower ms from 7 to 4" in str(only)
    passed = wl.lp.upset(PAIR, "T", kind="result")
    assert "pass A on WSC and pass A on ms" in str(passed)
    assert passed.cost == 2


def test_the_changes_are_a_tidy_frame_of_exact_numbers():
    changes = wl.lp.upset(PAIR, "T").changes
    assert changes.columns.tolist() == ["task", "from", "to", "passed", "tied", "cost"]
    assert changes["to"].tolist() == [Fraction("93.1"), Fraction("95.9")]
    assert changes["passed"].tolist() == [("A",), ("A",)]
    assert wl.lp.upset(PAIR, "T").board().scores.loc["T"].tolist() == [93.1, 95.9, 7]


def test_a_winner_has_nothing_to_improve_and_that_is_exact():
    board = wl.lp.upset(PAIR, "T").board()
    for space in (None, "any"):
        found = wl.lp.upset(board, "T", space=space)
        assert (found.cost, found.proof, found.solver) == (0, Proof.EXACT, None)
        assert "nothing has to improve" in str(found)


def test_one_least_change_is_exactly_least():
    board = wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 2}})
    found = wl.lp.upset(board, "a")
    assert (found.cost, found.proof) == (1, Proof.EXACT)
    assert "HiGHS" not in str(found)


def test_an_upset_that_no_improvement_brings_is_impossible_with_proof():
    board = wl.Leaderboard({"x": {"a": 1, "b": 3}, "y": {"a": None, "b": 2}, "z": {"a": 0, "b": 5}})
    with pytest.raises(wl.ImpossibleError, match="some rival still ties it") as caught:
        wl.lp.upset(board, "a", best={"x": 2})
    assert caught.value.proof.verify()
    assert caught.value.proof.verdict == "weak"
    with pytest.raises(wl.ImpossibleError, match="under some weights"):
        wl.lp.upset(board, "a", at_most=0, space="any")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost": {"RTE": -1}}, "must not be negative"),
        ({"at_most": -1}, "must not be negative"),
        ({"step": 0}, "must be positive"),
        ({"step": {"nope": 1}}, "no task named 'nope'"),
        ({"best": {"RTE": 90}}, "the best score of task 'RTE' is 90, but the model has 92.5 already"),
        ({"kind": "result", "step": 1}, "needs kind='score'"),
        ({"kind": "result", "best": {"RTE": 90}}, "the best score of task 'RTE' is 90, but the model has 92.5 already"),
        ({"kind": "rank"}, "kind must be"),
        ({"cost": "cheap"}, "finite number"),
        ({"cost": 10**5000}, "got a number with more than 4,300 digits"),
        ({"space": "all"}, "WeightSpace, 'any', or None"),
    ],
)
def test_wrong_calls_are_refused(options, message):
    with pytest.raises(wl.InputError, match=message):
        wl.lp.upset(PAIR, "T", **options)


def test_terms_that_are_not_the_usual_ones_are_named():
    board = wl.Leaderboard({"x": {"a": "2.5", "b": 3}, "y": {"a": 1, "b": 2}, "z": {"a": 0, "b": 1}})
    assert "Terms" not in str(wl.lp.upset(board, "a"))
    assert str(wl.lp.upset(board, "a", cost=2, best=9, at_most={"z": 0})).endswith(
        " Terms: price 2 for every task; at most 0 for z; best score 9 for every task."
    )
    coarse = wl.lp.upset(board, "a", step={"x": 4, "y": 1})
    assert str(coarse).endswith(" Terms: steps of 4 for x.")
    assert str(wl.lp.upset(board, "a", kind="result", at_most=1)).endswith(" Terms: at most 1 for every task.")


def test_a_forger_who_makes_steps_coarse_has_to_say_so():
    board = wl.Leaderboard({"x": {"a": "2.5", "b": "3.1"}})
    forged = json.loads(json.dumps(wl.lp.upset(board, "a").to_dict()))
    assert forged["tree"]
    forged["terms"]["x"]["step"] = forged["cost"] = "7/1"
    forged["scores"]["x"], forged["tree"], forged["against"] = "19/2", None, []
    forged |= {"proved": ["everything"], "believed": []}
    claim = result_from_dict(forged)
    assert claim.verify(board)
    assert str(claim).endswith("the minimum that is enough. Terms: steps of 7 for every task.")


@pytest.mark.parametrize("kind", ["score", "result"])
@pytest.mark.parametrize("space", [None, "any"])
def test_a_plan_of_which_a_part_would_do_is_refused(kind, space):
    board = wl.Leaderboard({"x": {"a": 0, "b": 3}, "y": {"a": 0, "b": 4}, "z": {"a": 0, "b": 5}})
    claim = wl.lp.upset(board, "a", kind=kind, space=space)
    forged = 0
    for task, place in (("x", 4), ("y", 5), ("z", 6)):
        if task in claim.scores.index:
            continue
        scores = pd.concat([claim.scores, pd.Series({task: Fraction(place)})])
        cost = claim.cost + (place if kind == "score" else 1)
        without = {"tree": None, "against": (), "refused": (), "solver": "HiGHS"}
        wasteful = dataclasses.replace(claim, scores=scores, cost=Fraction(cost), **without)
        with pytest.raises(wl.ProofError, match="would be enough, for less"):
            wasteful.verify(board)
        forged += 1
    assert forged


@pytest.mark.parametrize("name", ["scores", "results", "one step"])
def test_no_part_of_a_document_can_be_replaced_so_that_a_false_claim_is_accepted(name):
    """What is accepted wins as it says, and is the least where that is said to be exact; else a solver is named."""
    document = json.loads(json.dumps((CLAIMS.get(name) or one_step)().to_dict()))
    made, accepted = some_forgeries(document, 75), 0
    for forged in made:
        try:
            claim = result_from_dict(forged)
            claim.verify()
        except (wl.ProofError, wl.InputError):
            continue
        accepted += 1
        again = asked_again(claim)
        assert again.cost == claim.cost if claim.proof is Proof.EXACT else again.cost <= claim.cost
    assert accepted < len(made) / 3


def one_step():
    return wl.lp.upset(wl.Leaderboard({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 2}}), "a")


def asked_again(claim):
    """Return the answer to the question that a claim answers, on the table that it carries."""
    given = {
        name: {task: getattr(one, part) for task, one in claim.terms.items() if getattr(one, part) is not None}
        for name, part in (("cost", "cost"), ("at_most", "most"), ("best", "best"), ("step", "step"))
    }
    if claim.cost_unit == "result":
        del given["best"], given["step"]
    return wl.lp.upset(claim.table, claim.model, space=claim.space, kind=claim.cost_unit, **given)


def test_wrong_tables_are_refused():
    with pytest.raises(TypeError, match="a Leaderboard is needed"):
        wl.lp.upset(PAIR.signs(), "T")
    with pytest.raises(wl.UnknownNameError, match="no model named 'S'"):
        wl.lp.upset(PAIR, "S")
    thirds = wl.Leaderboard({"x": {"a": Fraction(1, 3), "b": 1}})
    with pytest.raises(wl.InputError, match="pass step='1/10'"):
        wl.lp.upset(thirds, "a")
    assert wl.lp.upset(thirds, "a", step="1/3").cost == 1
    wide = wl.Leaderboard({"x": {"a": 0, "b": 1}}, relative_tolerance=2)
    with pytest.raises(wl.InputError, match="relative tolerances of at most 1"):
        wl.lp.upset(wide, "a")


CLAIMS = {
    "scores": lambda: wl.lp.upset(PAIR, "T", best={"RTE": 100}, at_most={"WSC": 5}),
    "results": lambda: wl.lp.upset(PAIR, "T", kind="result"),
    "some weights": lambda: wl.lp.upset(PAIR, "B", space=wl.lp.WeightSpace(PAIR).near(None, "0.2")),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_no_number_of_an_upset_can_be_changed(name):
    claim = CLAIMS[name]()
    assert claim.verify(PAIR)
    tiny = Fraction(1, 10**9)
    forged_fields = [{"cost": claim.cost + tiny}, {"cost": claim.cost - 1}, {"cost": float(claim.cost)}, {"model": "A"}]
    forged_fields += [{"solver": "HiGHS"}, {"tree": None}, {"cost_unit": "rank"}, {"scores": claim.scores.iloc[1:]}]
    forged_fields += [{"weights": claim.weights * 2}]
    forged_fields += [{"terms": {task: ImprovementCosts(cost=Fraction(3), step=Fraction(1)) for task in PAIR.tasks}}]
    for task in claim.scores.index:
        # Results do not say where between two rivals a score ends.
        worse = 1 if task in PAIR.lower_is_better else -1
        for by in (tiny, -tiny, 100, -100) if claim.cost_unit == "score" else (100 * worse, 2 * worse):
            moved = claim.scores.copy()
            moved[task] += by
            forged_fields.append({"scores": moved})
    for forged in forged_fields:
        with pytest.raises((wl.ProofError, wl.InputError)):
            dataclasses.replace(claim, **forged).verify(PAIR)


def test_an_upset_is_about_its_own_table():
    claim = wl.lp.upset(PAIR, "T")
    assert claim.verify(PAIR.select(models=["B", "T", "A"]))
    with pytest.raises(wl.ProofError, match="the score of 'A' on 'RTE'"):
        claim.verify(brute_force_upset.changed(PAIR, "A", {"RTE": 92}))
    other = wl.Leaderboard(PAIR.scores, lower_is_better=["ms"], weights={"ms": 2})
    with pytest.raises(wl.ProofError, match="the share of the weight that"):
        claim.verify(other)
    assert wl.lp.upset(PAIR, "T", space="any").verify(other)
    with pytest.raises(wl.ProofError, match="another lower_is_better"):
        claim.verify(wl.Leaderboard(PAIR.scores))
    with pytest.raises(wl.ProofError, match="different models"):
        claim.verify(PAIR.select(models=["T", "A"]))


def test_a_time_limit_is_told(monkeypatch):
    board = random_board(40, 8, seed=1)
    with pytest.raises(wl.UnprovedError):
        wl.lp.upset(board, "m3", time_limit=0)


def test_costs_that_floats_cannot_tell_apart_are_no_reason_to_refuse_an_answer():
    frame = {"x": {"a": "0", "b": "1", "c": "2"}, "y": {"a": "0", "b": "0.30000000000000004", "c": "0"}}
    board = wl.Leaderboard({**frame, "z": {"a": "0", "b": "0", "c": None}})
    assert wl.lp.upset(board, "a").verify(board)


@pytest.mark.parametrize("space", [None, "any"])
def test_a_saving_that_the_solver_overlooks_is_taken_exactly(monkeypatch, space):
    """To floats 10^9 and 10^9 + 0.001 are one: a solver may propose what a single task alone would do cheaper."""
    board = wl.Leaderboard({"x": {"a": 0, "b": 1, "c": 1}, "y": {"a": 0, "b": 5, "c": 0}}, weights={"x": 3, "y": 1})
    terms = {"space": space, "cost": {"x": 10**9, "y": Fraction(1, 1000)}, "at_most": {"y": 4}}
    truth = wl.lp.upset(board, "a", **terms)
    # A solver as lax as its tolerances allow.
    search = cheapest_levels._proposed
    monkeypatch.setattr(cheapest_levels, "_proposed", lambda some, *rest: (search(some, *rest)[0], len(some[1]) - 1))
    found = wl.lp.upset(board, "a", **terms)
    assert (found.cost, found.scores.to_dict()) == (truth.cost, truth.scores.to_dict())
    monkeypatch.setattr(cheapest_levels, "_lowered", lambda _, levels, __: levels)
    with pytest.raises(wl.ProofError, match="would be enough, for less"):
        wl.lp.upset(board, "a", **terms)


@pytest.mark.parametrize("kind", ["score", "result"])
def test_the_best_score_may_be_tied_and_not_passed(kind):
    board = wl.Leaderboard({"x": {"a": 94, "b": 100}})
    assert wl.lp.upset(board, "a", kind=kind).scores["x"] > 100
    with pytest.raises(wl.ImpossibleError, match="some rival still ties it"):
        wl.lp.upset(board, "a", kind=kind, best=100)


@pytest.mark.parametrize("kind", ["score", "result"])
@pytest.mark.parametrize(("lower", "bounds"), [([], (0, 10)), (["x"], (4, 10))])
def test_declared_bounds_are_the_best_scores_at_the_end_that_is_better(kind, lower, bounds):
    board = wl.Leaderboard({"x": {"a": 7, "b": bounds[not lower]}}, lower_is_better=lower, bounds={"x": bounds})
    with pytest.raises(wl.ImpossibleError, match="some rival still ties it"):
        wl.lp.upset(board, "a", kind=kind)
    near = wl.Leaderboard({"x": {"a": 7, "b": 6 if lower else 8}}, lower_is_better=lower, bounds={"x": bounds})
    assert wl.lp.upset(near, "a", kind=kind).cost == (2 if kind == "score" else 1)
