"""Questions at the sizes of real leaderboards, each beside a slower way; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import os
import resource
import time
import tracemalloc
from functools import reduce
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from tests.benchmarks.test_stability import nearest_by_programs
from weightlab._solver import Rows, highs
from weightlab._solver.propose import smallest, smallest_program
from weightlab.data.signs import Signs
from weightlab.domains.nearly_structured import search
from weightlab.lp.certificate import leads
from weightlab.lp.certificates import max_margin
from weightlab.lp.certificates.max_margin import widest_margin
from weightlab.lp.geometry.polygons import TRIANGLE, clipped
from weightlab.lp.improvement import cheapest_levels
from weightlab.lp.scenarios import weight_ranges
from weightlab.lp.scenarios.weight_ranges import ExtremeSearch
from weightlab.lp.verdicts.all_models import Prover, RowsOf


def made_board(models, tasks, *, noise=5):
    """Return a board of ability plus task plus noise, with one decimal: few models can win, as on public boards."""
    draw = np.random.default_rng(0)
    scores = 50 + 10 * draw.normal(size=(models, 1)) + 10 * draw.normal(size=(1, tasks))
    scores = np.round(scores + noise * draw.normal(size=(models, tasks)), 1)
    names = [f"m{number}" for number in range(models)]
    return wl.Leaderboard(pd.DataFrame(scores, index=names, columns=[f"t{number}" for number in range(tasks)]))


def place(board, number):
    """Return the model of a place by mean, from 1."""
    return board.models[np.argsort(-board.scores.mean(axis=1).to_numpy(), kind="stable")[number - 1]]


def timed(function):
    """Return seconds of processor and the result."""
    start = time.process_time()
    found = function()
    return time.process_time() - start, found


def tell(capsys, what, own, beside, slow):
    with capsys.disabled():
        print(f"\n{what}: {own:.2f} s of processor; {beside} {slow:.2f} s, {slow / own:.1f} times as long")


@pytest.mark.parametrize(
    ("models", "tasks", "number"), [(500, 50, 2), (500, 50, 50), (500, 50, 250), (112, 1000, 2), (112, 1000, 3)]
)
def test_the_least_improvement_beside_one_program_of_all_rivals(models, tasks, number, capsys, monkeypatch):
    board = made_board(models, tasks)
    own, found = timed(lambda: wl.lp.upset(board, place(board, number)))
    monkeypatch.setattr(cheapest_levels, "JOINING", models)
    slow, other = timed(lambda: wl.lp.upset(board, place(board, number)))
    tell(capsys, f"upset, {models} x {tasks}, place {number}", own, "all rivals at once", slow)
    assert found.cost == other.cost


def test_a_map_of_winners_beside_clipping_by_every_duel(capsys):
    board = made_board(2_000, 50)
    own, found = timed(lambda: wl.lp.map_of_winners(board, groups={k: list(board.tasks[k::3]) for k in range(3)}))
    signs, some = board.signs(), range(0, 2_000, 50)
    groups = np.array([[task % 3 == k for task in range(50)] for k in range(3)], dtype=object).astype(int).T

    def every():
        leads = ((signs.over_all(model).astype(object) @ groups).tolist() for model in some)
        return [reduce(clipped, map(tuple, rows), TRIANGLE) for rows in leads]

    slow, _ = timed(every)
    tell(capsys, "map of winners, 2,000 x 50", own, "clipping by every duel", slow * 50)
    assert sum(one.share for one in found.areas) == 1


def test_verdicts_of_many_tasks_beside_presolved_programs(capsys, monkeypatch):
    board = made_board(112, 1000)
    own, found = timed(lambda: wl.lp.prospects(board))
    monkeypatch.setattr(highs, "_DENSE", 1e-9)
    slow, other = timed(lambda: wl.lp.prospects(board))
    tell(capsys, "who can win, 112 x 1000", own, "presolved programs", slow)
    assert found.verdicts.tolist() == other.verdicts.tolist()


@pytest.mark.parametrize("tasks", [20, 100])
def test_verdicts_of_twenty_thousand_models_on_two_processes(tasks, capsys):
    loky = pytest.importorskip("joblib.externals.loky", reason="joblib is not installed")
    scores = np.random.default_rng(0).integers(0, 101, size=(20_000, tasks))
    board = wl.Leaderboard(pd.DataFrame(scores, index=map(str, range(20_000)), columns=map(str, range(tasks))))
    before, start = os.times(), time.perf_counter()
    found = wl.lp.prospects(board, n_jobs=2)
    passed = time.perf_counter() - start
    loky.get_reusable_executor().shutdown(wait=True)  # only processes that have ended are counted
    used = sum(os.times()[:4]) - sum(before[:4])
    memory = [resource.getrusage(who).ru_maxrss / 1e6 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    signs = board.signs()
    prover = Prover(found.space, signs)
    slow, _ = timed(
        lambda: [prover.exact(RowsOf(model=one, rows=signs.over_all(one))) for one in range(0, 20_000, 500)]
    )
    tell(capsys, f"who can win, 20,000 x {tasks}", used, "an exact program each", slow * 500)
    with capsys.disabled():
        print(
            f"{passed:.0f} s by the clock; at most {memory[0]:.2f} GB, and {memory[1]:.2f} GB in each of two processes"
        )


def test_the_nearest_winner_beside_a_program_a_model(capsys):
    board = made_board(2_000, 50, noise=20)
    own, found = timed(lambda: wl.lp.break_cycle(board))
    slow, changes = timed(lambda: nearest_by_programs(board, board.models[::100]))
    tell(capsys, "nearest winner, 2,000 x 50", own, "a program each, in floats", 100 * slow)
    assert float(found.value) <= min(changes) + 1e-7


def test_rules_compared_beside_each_rule_alone(capsys):
    board = made_board(200, 50)
    own, found = timed(lambda: wl.rules.compare(board))
    slow, _ = timed(lambda: [wl.rules.rank(board, one.rule) for one in found.rankings.values()])
    tell(capsys, "rules compared, 200 x 50", own, "each rule alone", slow)


def test_regions_of_glue_beside_samples(shared_data, capsys):
    """All its winners; samples are so many that a share is known to within some 0.1%."""
    board = wl.read_leaderboard(shared_data / "votenrank" / "glue.csv").complete()
    winners = wl.lp.prospects(board).with_verdict("strict")
    own, found = timed(lambda: [wl.lp.winning_region(board, model) for model in winners])
    slow, sampled = timed(lambda: wl.lp.winning_shares(board, samples=1_000_000, rng=0))
    known = [one for one in found if one.share is not None]
    tell(capsys, f"regions of {len(known)} of {len(winners)} winners of GLUE", own, "a million weightings", slow)
    assert all(abs(float(one.share) - sampled.shares.loc[one.model].iloc[0]) < 0.005 for one in known)


@pytest.mark.parametrize("condition", ["at_most", "at_least", "near"])
def test_verdicts_under_a_condition_beside_an_exact_program_each(condition, capsys, monkeypatch):
    board = made_board(1_000, 50)
    space = wl.lp.WeightSpace(board)
    arguments = {"at_most": ("t0", "0.3"), "at_least": (board.tasks[:5], "0.2"), "near": (None, "0.5")}
    space = getattr(space, condition)(*arguments[condition])
    wl.lp.prospects(board)
    free, _ = timed(lambda: wl.lp.prospects(board))
    own, found = timed(lambda: wl.lp.prospects(board, space=space))
    tell(capsys, f"who can win, 1,000 x 50, {condition}", own, "all weights allowed", free)
    monkeypatch.setattr(Prover, "bounds", Prover.exact)
    slow, other = timed(lambda: wl.lp.prospects(board, space=space))
    tell(capsys, f"who can win, 1,000 x 50, {condition}", own, "an exact program each", slow)
    assert found.verdicts.tolist() == other.verdicts.tolist()


@pytest.mark.parametrize(("models", "tasks"), [(112, 100), (112, 1000)])
def test_ranges_of_weights_beside_a_program_each(models, tasks, capsys, monkeypatch):
    board = made_board(models, tasks)
    own, found = timed(lambda: wl.lp.weight_ranges(board, place(board, 1)))
    monkeypatch.setattr(ExtremeSearch, "_by_two", lambda *_: None)
    slow, other = timed(lambda: wl.lp.weight_ranges(board, place(board, 1)))
    tell(capsys, f"ranges of weights, {models} x {tasks}", own, "a program each", slow)
    assert found.high.tolist() == other.high.tolist()


def test_ranges_of_weights_by_mean_beside_programs_over_all_tasks(capsys, monkeypatch):
    board = made_board(112, 1000)
    first = board.scores.mean(axis=1).idxmax()
    own, found = timed(lambda: wl.lp.weight_ranges(board, first, rule="mean"))
    monkeypatch.setattr(weight_ranges, "MANY", 10**6)
    monkeypatch.setattr(max_margin, "MANY", 10**6)
    slow, other = timed(lambda: wl.lp.weight_ranges(board, first, rule="mean"))
    tell(capsys, "ranges of weights by mean, 112 x 1000", own, "programs over all tasks", slow)
    assert found.high.tolist() == other.high.tolist()


def test_shares_of_duels_beside_doubles(capsys):
    board = made_board(500, 50)
    own, found = timed(lambda: wl.lp.duel_shares(board, rng=0))
    signs: Signs = board.signs()
    weights = next(found.draws.blocks(2_000))
    rows = (signs.over_all(model).T.astype(np.float64) for model in range(0, 500, 5))
    slow, _ = timed(lambda: [(weights[:2_000] @ one > 0).sum(axis=0) for one in rows])
    tell(capsys, "shares of duels, 500 x 50", own, "every duel twice, in doubles", slow * 25)


def test_the_fewest_blockers_beside_one_set_to_hit_a_round(capsys):
    board = made_board(500, 50, noise=15)
    model = place(board, 142)
    own, found = timed(lambda: wl.lp.prospect(board, model, fewest_blockers=True))
    signs, rivals = found.signs, found.rivals

    def plainly():
        to_hit, chosen = [], [0]
        while (proof := widest_margin(signs[chosen], [rivals[r] for r in chosen], found.space)).upper > 0:
            to_hit.append(np.array([lead <= 0 for lead in leads(signs, proof.weights)]))
            rows = Rows.from_matrix(np.array(to_hit, dtype=np.int8), lower=1, labels=["to hit"] * len(to_hit))
            chosen = smallest(smallest_program(rivals, rows, "fewest blockers"))
        return chosen

    slow, others = timed(plainly)
    tell(capsys, "fewest blockers, 500 x 50", own, "one set to hit a round", slow)
    assert len(found.fewest.rivals) == len(others)


def drawn(models, voters):
    """Return a profile of orders drawn at random: next to nothing of it can stay together."""
    draw = np.random.default_rng(0)
    names = [f"m{number}" for number in range(models)]
    return wl.Profile.from_orders([[names[i] for i in draw.permutation(models)] for _ in range(voters)], models=names)


@pytest.mark.parametrize("domain", ["single_peaked", "single_crossing", "value_restricted"])
def test_the_fewest_voters_to_drop_beside_a_test_of_every_three(domain, capsys):
    profile = drawn(20, 50)
    own, found = timed(lambda: wl.domains.nearest(profile, domain, drop="voters"))
    some = list(combinations(profile.voters, 3))[::100]
    slow, _ = timed(lambda: [getattr(wl.domains, domain)(profile.select(voters=three)) for three in some])
    tell(capsys, f"nearest {domain}, drop voters, 20 x 50", own, "testing every three voters", slow * 100)
    assert found.exact


@pytest.mark.parametrize("domain", ["single_peaked", "value_restricted"])
def test_the_fewest_models_to_drop_beside_the_integer_program_alone(domain, capsys, monkeypatch):
    profile = drawn(40, 10)
    own, found = timed(lambda: wl.domains.nearest(profile, domain))
    monkeypatch.setattr(search, "WORK", 1)
    slow, other = timed(lambda: wl.domains.nearest(profile, domain))
    tell(capsys, f"nearest {domain}, drop models, 40 x 10", own, "HiGHS without a proof", slow)
    assert found.exact
    assert len(found.dropped) == len(other.dropped)


def test_memory_of_winning_shares(capsys):
    board = made_board(112, 1000)
    known = wl.lp.prospects(board)
    tracemalloc.start()
    wl.lp.winning_shares(board, rng=0, known=known)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    with capsys.disabled():
        print(f"\nwinning shares, 112 x 1000: {peak:.0f} MB; all weightings at once are 80 MB a copy")


def test_missing_scores_beside_a_completed_table_a_model(capsys):
    """The plain way completes the table for each model, and once more for each missing score that may decide."""
    frame = made_board(500, 50, noise=15).to_pandas().astype(float)
    board = wl.Leaderboard(frame.mask(np.random.default_rng(0).random(frame.shape) < 0.01))
    own, found = timed(lambda: wl.lp.missing(board, rule="majority"))
    some = board.models[::100]
    slow, wins = timed(lambda: [found.completed(model).margins().winner == model for model in some])
    tell(capsys, f"{len(found.ranges)} missing scores, 500 x 50", own, "a completed table a model", slow * 100)
    assert wins == [model in found.possible for model in some]
