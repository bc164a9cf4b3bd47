"""Rank ranges: against every subset of rivals, another program, the rules themselves, and forged claims."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

import weightlab as wl
from tests.dice import DICE
from tests.lp.strategies import cuts_of, inequalities_of, shares_of, space_of
from tests.lp.verdicts import brute_force_rules
from tests.strategies import boards
from weightlab._result import Proof, result_from_dict
from weightlab._solver import Solution, Status
from weightlab.lp.certificate import nearby_weightings
from weightlab.lp.ranks import branch_and_cut, max_satisfiable, rank_range

NAMES = ["mean", "borda", "dowdall", "plurality", "veto"]
WHOLE = boards(models=(2, 5), tasks=(1, 3), missing=False, plain=True)
FALSE = (wl.ProofError, wl.InputError)


@settings(max_examples=25)
@given(WHOLE, st.sampled_from(NAMES))
def test_the_range_is_that_of_all_subsets_of_rivals(board, rule):
    table = brute_force_rules.points(board, rule)
    found = wl.lp.rank_ranges(board, rule)
    assert found.verify(board)
    for model in board.models:
        assert found.best[model] == brute_force_rules.best_rank(table, model)
        assert found.worst[model] == brute_force_rules.worst_rank(table, model)


@pytest.mark.parametrize(
    "rows", [[[2, 1], [0, 1], [4, 0], [1, 2], [3, 1]], [[4, 4, 4], [4, 0, 0], [2, 1, 4], [3, 2, 2]]]
)
def test_cbc_finds_the_same_ranges(rows, monkeypatch):
    """Its search has columns without bounds."""
    board = wl.Leaderboard(pd.DataFrame(rows, index=list("abcde")[: len(rows)]))
    by_highs = wl.lp.rank_ranges(board)
    monkeypatch.setenv("WEIGHTLAB_SOLVER", "cbc")
    found = wl.lp.rank_ranges(board)
    assert found.best.equals(by_highs.best)
    assert found.worst.equals(by_highs.worst)


@settings(max_examples=20)
@given(boards(models=(2, 4), tasks=(1, 3), missing=False, plain=True), DICE)
def test_the_range_in_a_space_is_that_of_all_subsets_of_rivals(board, dice):
    some = cuts_of(dice, board.tasks, 1, 2)
    rule, model = dice.one_of(NAMES), dice.one_of(board.models)
    table, meant = brute_force_rules.points(board, rule), inequalities_of(some)
    space = space_of(board.tasks, some)
    best = brute_force_rules.best_rank(table, model, meant)
    if best is None:
        with pytest.raises(wl.EmptySpaceError):
            wl.lp.rank_range(board, model, rule, space=space)
        return
    found = wl.lp.rank_range(board, model, rule, space=space)
    assert (found.best, found.worst) == (best, brute_force_rules.worst_rank(table, model, meant))
    assert found.verify(board)
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)


@settings(max_examples=15)
@given(WHOLE, DICE)
def test_no_weights_rank_a_model_outside_its_range(board, dice):
    rule = dice.one_of(NAMES)
    weights = shares_of(dice, len(board.tasks))
    table = brute_force_rules.points(board, rule)
    found = wl.lp.rank_ranges(board, rule)
    for model in board.models:
        assert found.best[model] <= brute_force_rules.rank_at(table, model, weights) <= found.worst[model]


@settings(max_examples=12)
@given(WHOLE, st.sampled_from(NAMES))
def test_the_rule_itself_gives_these_ranks_at_the_weights(board, rule):
    for model in board.models:
        found = wl.lp.rank_range(board, model, rule)
        for rank, weights in ((found.best, found.best_weights), (found.worst, found.worst_weights)):
            ranking = wl.rules.rank(
                wl.Leaderboard.from_cells(
                    board.models,
                    board.tasks,
                    board.cells,
                    lower_is_better=board.lower_is_better,
                    weights=weights.to_dict(),
                ),
                rule,
            )
            assert ranking.ranks[model] == rank


@settings(max_examples=12)
@given(WHOLE, st.sampled_from(NAMES))
def test_who_can_be_first_is_who_is_prospective(board, rule):
    found = wl.lp.rank_ranges(board, rule)
    able = [model for model in board.models if wl.lp.prospect(board, model, rule=rule).margin >= 0]
    assert found.possible_winners == tuple(able)
    for model in board.models:
        range_ = found[model]
        assert (range_.best == 1) <= (range_.top.proof is Proof.EXACT)
        assert range_.best == 1 or range_.top.conflicts


def random_board(models, tasks, *, seed, decimals=3):
    """Return a table of a common strength and noise, so that ranges are wide and not trivial."""
    rng = np.random.default_rng(seed)
    scores = (rng.random((models, 1)) * 1.5 + rng.random((models, tasks))).round(decimals)
    return wl.Leaderboard(pd.DataFrame(scores, [f"m{i}" for i in range(models)], [f"t{i}" for i in range(tasks)]))


def rank_by_scipy(board, model, end, slack=1e-6):
    """Return the rank by SciPy's integer program: the binary of a rival is 1 where it is allowed to be above."""
    scores = board.scores
    rows = (scores.loc[model] - scores.drop(model)).to_numpy()
    rivals, tasks = rows.shape
    large = np.abs(rows).max(axis=1)
    if end == "best":  # level or below unless the binary says above
        switched, least, cost = np.hstack([rows, np.diag(large)]), np.zeros(rivals), np.ones(rivals)
    else:  # above by the slack where the binary says so
        switched = np.hstack([-rows, -np.diag(large * (1 + slack))])
        least, cost = -large, -np.ones(rivals)
    total = np.concatenate([np.ones(tasks), np.zeros(rivals)])
    found = milp(
        np.concatenate([np.zeros(tasks), cost]),
        constraints=[LinearConstraint(switched, lb=least), LinearConstraint(total[None], 1, 1)],
        integrality=np.concatenate([np.zeros(tasks), np.ones(rivals)]),
        bounds=Bounds(0, 1),
    )
    return 1 + round(abs(found.fun))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_larger_tables_agree_with_another_program(seed):
    board = random_board(14, 5, seed=seed)
    found = wl.lp.rank_ranges(board)
    assert found.verify(board)
    for model in board.models:
        assert found.best[model] == rank_by_scipy(board, model, "best")
        assert found.worst[model] == rank_by_scipy(board, model, "worst")


def test_what_conflicts_do_not_show_names_its_solver():
    found = wl.lp.rank_ranges(wl.Leaderboard(-random_board(14, 5, seed=1).scores))
    open_ends = [end for both in found.ends for end in both if end.solver is not None]
    assert open_ends
    assert found.proof is Proof.EXACT_WITNESS
    assert "2 of 28 bounds are HiGHS's" in str(found)
    model = next(m for m in found if found[m].bottom.solver is not None)
    assert "Taken from HiGHS, not proved: no worse rank." in str(found[model]).replace("no better rank, ", "")


@pytest.mark.parametrize("seed", [1, 3, 5, 7])
def test_ranks_are_the_same_however_narrow_a_space_around_a_point_where_all_are_level(seed):
    """At the centre all models tie, and each rival is above on one side of a line through it."""
    leads = np.random.default_rng(seed).integers(-200, 201, (8, 2)).tolist()
    rivals = {f"m{place}": (one, other, -one - other) for place, (one, other) in enumerate(leads)}
    board = wl.Leaderboard(pd.DataFrame({"m": (0, 0, 0)} | rivals, index=["x", "y", "z"]).T)
    free = wl.lp.rank_range(board, "m")
    for width in (Fraction(1, 10**6), Fraction(1, 10**9), Fraction(1, 10**12)):
        space = wl.lp.WeightSpace(board)
        for task in board.tasks:
            space = space.at_least(task, Fraction(1, 3) - width).at_most(task, Fraction(1, 3) + width)
        found = wl.lp.rank_range(board, "m", space=space)
        assert (found.best, found.worst) == (free.best, free.worst)


def test_conflicts_found_on_the_way_are_excluded_one_by_one(monkeypatch):
    """Rows that a solver thinks it satisfies are a conflict: its answers are asked for again, and the end is right."""
    board = random_board(9, 4, seed=4)
    expected = {
        model: (wl.lp.rank_range(board, model).best, wl.lp.rank_range(board, model).worst) for model in board.models
    }
    monkeypatch.setattr(branch_and_cut.BranchAndCut, "_conflict", lambda *_: None)  # none is seen in floats
    for model in board.models:
        found = wl.lp.rank_range(board, model)
        assert (found.best, found.worst) == expected[model]
        assert found.verify(board)


def test_the_middle_of_a_line_is_never_first_nor_last():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}})
    found = wl.lp.rank_ranges(board)
    assert (found.best.to_dict(), found.worst.to_dict()) == ({"a": 1, "b": 1, "c": 1}, {"a": 3, "b": 2, "c": 3})
    assert str(found) == "3 models of 3 can be first by average; 0 have the same rank under all weights."
    assert str(found["b"]) == "b can rank from 1 to 2 of 3 by average."
    assert found.proof is Proof.EXACT
    assert found.always_in_top(2) == ("b",)
    assert found.possibly_in_top(1) == found.possible_winners == ("a", "b", "c")
    assert found.necessary_winners == ()
    assert list(found) == ["a", "b", "c"]
    assert len(found) == 3
    assert found.summary().loc["b"].tolist() == [1, 2, "exact", "exact"]


def test_a_model_that_leads_everywhere_is_always_first():
    board = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 2, "c": 2}})
    found = wl.lp.rank_ranges(board, "borda")
    assert found.necessary_winners == ("a",)
    assert str(found["a"]) == "a ranks 1 of 3 by Borda under all weights."
    assert str(found["b"]) == "b ranks 2 of 3 by Borda under all weights."
    assert [conflict.rivals for conflict in found["b"].top.conflicts] == [("a",)]


def test_calls_that_are_wrong():
    board = random_board(4, 2, seed=0)
    with pytest.raises(wl.UnknownNameError, match="no linear rule named 'copeland'"):
        wl.lp.rank_range(board, "m0", "copeland")
    with pytest.raises(wl.UnknownNameError, match="no model named 'm9'"):
        wl.lp.rank_range(board, "m9")
    found = wl.lp.rank_ranges(board)
    with pytest.raises(wl.UnknownNameError, match="no model named 'm9'"):
        found["m9"]
    for count in (0, 5, 1.5, True):
        with pytest.raises(wl.InputError, match="a number of places from 1 to 4 is needed"):
            found.always_in_top(count)


def ensure_within(found, whole, board):
    """Every interval of a search that was cut short holds the end, and its weights give the rank that it found."""
    table = brute_force_rules.points(board, "mean")
    assert found.verify(board)
    for model in board.models:
        one, truth = found[model], whole[model]
        assert one.top.bound <= truth.best <= one.best <= one.worst <= truth.worst <= one.bottom.bound
        assert one.best == brute_force_rules.rank_at(table, model, one.best_weights.tolist())
        assert one.settled == (one.top.bound == one.best and one.bottom.bound == one.worst) == found.settled[model]
    for count in range(1, len(board.models) + 1):
        assert set(found.always_in_top(count)) <= set(whole.always_in_top(count))
        assert set(found.possibly_in_top(count)) <= set(whole.possibly_in_top(count))


def test_without_time_every_rank_is_an_interval():
    board = random_board(14, 5, seed=1)
    whole, found = wl.lp.rank_ranges(board), wl.lp.rank_ranges(board, time_limit=0)
    assert whole.settled.all()
    assert not found.settled.all()
    ensure_within(found, whole, board)
    assert "the time limit came first: other ranks are not excluded." in str(found)
    assert {"best not excluded", "worst not excluded"} <= set(found.to_frame().columns)
    assert str(found["m0"]).endswith("of 14 by average. Ranks from 6 to 13 are not excluded.")
    assert result_from_dict(json.loads(json.dumps(found.to_dict()))).verify(board)
    assert wl.lp.rank_range(board, "m0", time_limit=0).verify(board)


@pytest.mark.parametrize("programs", [0, 1, 5, 30, 70, 1000])
def test_a_time_limit_in_the_search_leaves_an_interval(monkeypatch, programs):
    board = random_board(14, 5, seed=1)
    whole = wl.lp.rank_ranges(board)
    real, solved = branch_and_cut.BranchAndCut._solved, {}

    def ended(search, program):
        solved[search] = solved.get(search, 0) + 1
        if solved[search] > programs:
            raise wl.TimeLimitError("over", known={})
        return real(search, program)

    monkeypatch.setattr(branch_and_cut.BranchAndCut, "_solved", ended)
    found = wl.lp.rank_ranges(board)
    ensure_within(found, whole, board)
    assert found.settled.all() == (programs == 1000)


@pytest.mark.parametrize("status", [Status.FAILED, Status.UNBOUNDED])
def test_a_solver_that_fails_in_the_search_leaves_an_interval(monkeypatch, status):
    board = random_board(14, 5, seed=1)
    whole = wl.lp.rank_ranges(board)
    monkeypatch.setattr(branch_and_cut.BranchAndCut, "_solved", lambda *_: Solution(status=status))
    ensure_within(wl.lp.rank_ranges(board), whole, board)


@pytest.mark.parametrize("limit", [None, 60])
def test_ranges_by_two_processes_are_those_of_one(limit):
    pytest.importorskip("joblib", reason="joblib is not installed")
    board = random_board(9, 4, seed=4)
    told = []
    found = wl.lp.rank_ranges(board, time_limit=limit, n_jobs=2, progress=told.append)
    assert found.to_dict() == wl.lp.rank_ranges(board, time_limit=limit).to_dict()
    assert sum(told) == 9
    with pytest.raises(wl.InputError, match="n_jobs must be 1 or more"):
        wl.lp.rank_ranges(board, n_jobs=0)


def test_with_a_limit_all_are_looked_at_before_any_is_searched(monkeypatch):
    board = random_board(14, 5, seed=1)
    calls = []
    real = rank_range.rank_end

    def noted(points, model, space, end, **options):
        calls.append((model, end, options.get("search", True)))
        return real(points, model, space, end, **options)

    monkeypatch.setattr(rank_range, "rank_end", noted)
    told = []
    found = wl.lp.rank_ranges(board, time_limit=600, progress=told.append)
    assert [search for *_, search in calls] == sorted(search for *_, search in calls)
    assert len([1 for *_, search in calls if not search]) == 28
    assert found.settled.all()
    assert sum(told) == 14
    assert len(told) > 5  # one after the other, not all at the end


def test_parts_of_a_search_in_which_nothing_is_possible_bound_nothing():
    search = branch_and_cut.BranchAndCut(
        np.array([[1, -1], [-1, 1], [-2, 1]]),
        wl.lp.WeightSpace(["x", "y"]),
        strictly=True,
        conflicts=[[0, 1]],
        fewest=2,
        decide=lambda _: None,
    )
    nothing, some = (branch_and_cut._Node(bound, np.zeros(3), np.ones(3)) for bound in (np.inf, 1.2))
    for nodes, least in (([nothing], 2), ([some, nothing], 2), ([], 2)):
        search._nodes = nodes
        assert search.least == least
    some.bound = 0.5
    search._nodes = [nothing, some]
    assert search.least == 1


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(1, 4))
def test_rows_that_exclude_each_other_are_those_that_some_mixture_refutes(seed, count, tasks):
    rows = np.random.default_rng(seed).integers(-6, 7, (count, tasks))
    rows = rows[(rows != 0).any(axis=1)].astype(object)
    found = branch_and_cut.exclusive(rows)
    pairs = {frozenset(pair) for clique in found for pair in combinations(clique, 2)}
    for one, other in combinations(range(len(rows)), 2):
        most = linprog(  # the greatest t with both rows at least t
            [*[0] * tasks, -1],
            A_ub=[[*(-int(entry) for entry in rows[row]), 1] for row in (one, other)],
            b_ub=[0, 0],
            A_eq=[[1] * tasks + [0]],
            b_eq=[1],
            bounds=[(0, None)] * tasks + [(None, None)],
        )
        if abs(most.fun) > 1e-6:
            assert ({one, other} in pairs) == (-most.fun < 0)


def test_pairs_are_left_to_the_solver_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(branch_and_cut, "MOST_PRODUCTS", 3)
    assert branch_and_cut.exclusive(np.array([[1, -2], [-2, 1]], dtype=object)) == []


SPACE = wl.lp.WeightSpace([f"t{i}" for i in range(5)]).at_most("t0", "0.3").near([1] * 5, "0.9")


@pytest.fixture(scope="module", params=["free", "in a space"])
def claims(request):
    board = random_board(9, 5, seed=6)
    return board, wl.lp.rank_ranges(board, space=SPACE if request.param == "in a space" else None)


def test_no_end_can_be_changed(claims):
    board, found = claims

    def refused(model, side, **changes):
        range_ = found[model]
        forged = dataclasses.replace(range_, **{side: dataclasses.replace(getattr(range_, side), **changes)})
        try:
            forged.verify(board)
        except FALSE:
            return True
        return False

    for model in found:
        for side in ("top", "bottom"):
            end = getattr(found[model], side)
            assert refused(model, side, rank=end.rank + 1)
            assert refused(model, side, rank=end.rank - 1)
            assert refused(model, side, solver="HiGHS" if end.solver is None else None)
            moved = end.weights.copy()
            moved.iloc[0] += Fraction(1, 10**12)
            assert refused(model, side, weights=moved)
            assert refused(model, side, weights=end.weights.iloc[::-1])
            if end.conflicts:
                assert refused(model, side, conflicts=end.conflicts + end.conflicts[:1])
                assert refused(model, side, conflicts=())
                first, *rest = end.conflicts
                for other in (
                    {"bound": first.bound + Fraction(1, 10**9)},
                    {"bound": first.bound - Fraction(1, 10**9)},
                    {"bound": float(first.bound)},
                    {"mixture": {name: 2 * share for name, share in first.mixture.items()}},
                    {"mixture": {f"{name}?": share for name, share in first.mixture.items()}},
                    {"mixture": dict(zip([model, *first.rivals[1:]], first.mixture.values(), strict=True))},
                    {"vectors": (*first.vectors, {})},
                    {"vectors": tuple({f"{task}?": one for task, one in own.items()} for own in first.vectors)}
                    if any(first.vectors)
                    else {"bound": -first.bound + 1},
                ):
                    assert refused(model, side, conflicts=(dataclasses.replace(first, **other), *rest))


def test_ranges_travel_as_json_and_their_parts_cannot_be_left_out(claims):
    board, found = claims
    document = json.loads(json.dumps(found.to_dict()))
    back = result_from_dict(document)
    assert back.verify(board)
    assert back.to_dict() == document
    assert str(back) == str(found)
    one = json.loads(json.dumps(found["m3"].to_dict()))
    assert result_from_dict(one).verify(board)
    for whole in (document, one):
        for part in whole:
            with pytest.raises(FALSE):
                result_from_dict({name: value for name, value in whole.items() if name != part}).verify(board)


def test_ranges_of_other_models_are_refused(claims):
    board, found = claims
    document = found.to_dict()
    document["ends"] = document["ends"][::-1]
    with pytest.raises(wl.ProofError):
        result_from_dict(document).verify()
    with pytest.raises(wl.ProofError, match="there must be a best and a worst rank a model"):
        dataclasses.replace(found, ends=found.ends[1:]).verify()
    with pytest.raises(wl.ProofError):
        dataclasses.replace(found, ends=found.ends[::-1]).verify()
    with pytest.raises(wl.ProofError, match="the source has different models"):
        found.verify(board.select(models=board.models[:5]))


def test_a_conflict_is_one_of_rivals_that_no_weights_put_below():
    rows = np.array([[2, -1], [-3, 1], [0, 1]])
    packing = max_satisfiable.disjoint_conflicts(rows, list("acd"), wl.lp.WeightSpace(["x", "y"]), strictly=False)
    assert [one.rivals for one in packing.conflicts] == [("a", "c")]
    assert dict(packing.conflicts[0].mixture) == {"a": Fraction(4, 7), "c": Fraction(3, 7)}
    assert packing.conflicts[0].bound == Fraction(-1, 7)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_most_rows_nearby_are_those_of_the_nearby_weightings(seed, strictly, narrowed):
    draw = np.random.default_rng(seed)
    rows = draw.integers(-5, 6, (6, 3))
    space = wl.lp.WeightSpace(["t0", "t1", "t2"])
    weights = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    if narrowed:
        space = space.at_most("t0", "0.6").at_least("t1", "0.1")
    count, best = max_satisfiable.most_nearby(rows, space, weights, strictly=strictly)
    near = list(nearby_weightings(space, weights))
    assert count == max(max_satisfiable.satisfied(rows, one, strictly=strictly) for one in near)
    assert best in near
    assert count == max_satisfiable.satisfied(rows, best, strictly=strictly)
