"""How fast an exact share is, beside samples and all bases; run with ``pytest -m benchmark -n 0 -s``."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pandas as pd
import pytest
from scipy.spatial import ConvexHull

import weightlab as wl

TASKS = 6
SAMPLES = 1_000_000


def seconds(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def signs_of_a_winner(rivals, seed=0):
    """Return random signs whose rows have a positive sum, so that equal weights win."""
    drawn = np.random.default_rng(seed).choice([-1, 0, 1], size=(50 * rivals, TASKS))
    return drawn[drawn.sum(axis=1) > 0][:rivals]


def board_of(signs):
    frame = pd.DataFrame(np.vstack([np.zeros(TASKS, dtype=int), -signs]), columns=[f"t{k}" for k in range(TASKS)])
    return wl.Leaderboard(frame.set_axis(["own", *(f"r{number}" for number in range(len(signs)))]))


def sampled(signs):
    """Return the share of random weightings that win, and the half-width of its 95% interval."""
    rng, wins = np.random.default_rng(0), 0
    for _ in range(10):
        wins += int((rng.dirichlet(np.ones(TASKS), SAMPLES // 10) @ signs.T > 0).all(axis=1).sum())
    share = wins / SAMPLES
    return share, 1.96 * math.sqrt(share * (1 - share) / SAMPLES)


def all_bases(signs):
    """Return the volume of the hull of all feasible points in which bounds meet, in floats, many bases at a time."""
    rows = np.vstack([np.eye(TASKS), signs]).astype(float)
    chosen = itertools.combinations(range(len(rows)), TASKS - 1)
    right = np.zeros((TASKS, 1))
    right[0] = 1
    found = []
    while block := list(itertools.islice(chosen, 50_000)):
        systems = np.concatenate([np.ones((len(block), 1, TASKS)), rows[np.array(block)]], axis=1)
        systems = systems[np.abs(np.linalg.det(systems)) > 1e-9]
        points = np.linalg.solve(systems, np.broadcast_to(right, (len(systems), TASKS, 1)))[:, :, 0]
        found.append(points[(points @ rows.T >= -1e-9).all(axis=1)])
    corners = np.unique(np.round(np.concatenate(found), 9), axis=0)
    return ConvexHull(corners[:, :-1], qhull_options="QJ").volume * math.factorial(TASKS - 1)


@pytest.mark.parametrize("rivals", [20, 50, 100])
def test_an_exact_share_beside_a_million_samples(rivals, capsys):
    signs = signs_of_a_winner(rivals)
    board = board_of(signs)
    wl.lp.winning_region(board_of(signs[:2]), "own")  # imports are paid here
    exact, region = seconds(wl.lp.winning_region, board, "own")
    checked, _ = seconds(region.verify)
    drawn, (share, width) = seconds(sampled, signs)
    with capsys.disabled():
        print(
            f"\n{rivals} rivals x {TASKS} tasks: {len(region.corners)} vertices and the exact share, verified, "
            f"{exact:.3f} s (of these re-checking {checked:.3f} s), {SAMPLES:,} samples {drawn:.2f} s "
            f"({drawn / exact:.0f} times as long, {share:.6f} +- {width:.6f} where {float(region.share):.9f} is exact)"
        )
    assert abs(share - float(region.share)) < 4 * width


def test_an_exact_share_beside_all_bases(capsys):
    signs = signs_of_a_winner(20)
    board = board_of(signs)
    wl.lp.winning_region(board_of(signs[:2]), "own")
    exact, region = seconds(wl.lp.winning_region, board, "own")
    naive, volume = seconds(all_bases, signs)
    with capsys.disabled():
        print(
            f"\n20 rivals x {TASKS} tasks: exact {exact:.3f} s, "
            f"all {math.comb(20 + TASKS, TASKS - 1):,} bases in floats {naive:.2f} s, {naive / exact:.0f} times as long"
        )
    assert volume == pytest.approx(float(region.share), rel=1e-6)
