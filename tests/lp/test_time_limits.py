"""Limits of time hold for a whole question, and what was found before them is handed over."""

from __future__ import annotations

import sys
from itertools import count
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import weightlab as wl
from weightlab._solver import deadline_in, seconds_left, within
from weightlab.exceptions import TimeLimitError
from weightlab.lp.improvement.lifts import Lifts

SCORES = pd.DataFrame(np.random.default_rng(4).integers(0, 9, (7, 5)), [f"m{i}" for i in range(7)]).add_prefix("t")
BOARD = wl.Leaderboard(SCORES)
NEAR = wl.lp.WeightSpace(BOARD).near(None, "1/2")
SURE = wl.Leaderboard(SCORES, standard_errors={task: dict.fromkeys(SCORES.index, 1) for task in SCORES})
GAPS = wl.Leaderboard(SCORES.astype(float).mask(SCORES.iloc[2, 3] == SCORES))
ABLE = next(model for model in BOARD.models if wl.lp.prospect(BOARD, model, space=NEAR).margin > 0)
GOALS = [wl.lp.closest_to(), wl.lp.most_weight("t0"), wl.lp.most_weight("t1")]


def margins(found):
    """Return the greatest margins by pair."""
    names = dict(enumerate(found.signs.models))
    return {(names[i], names[j]): value for (i, j), value in np.ndenumerate(found.bounds.greatest) if i != j}


# What is asked, under which name an error hands over what was found, and all that there is to be found.
QUESTIONS = {
    "prospects": (
        lambda **limit: wl.lp.prospects(BOARD, space=NEAR, **limit),
        "verdicts",
        lambda found: dict(found.verdicts),
    ),
    "duels": (lambda **limit: wl.lp.duels(BOARD, space=NEAR, **limit), "margins", margins),
    "stability": (
        lambda **limit: wl.lp.stability(BOARD, rule="mean", of="ranking", space=NEAR, norm="l1", **limit),
        "reversals",
        lambda found: found.reversals.points["l1"],
    ),
    "weight_ranges": (
        lambda **limit: wl.lp.weight_ranges(BOARD, ABLE, space=NEAR, **limit),
        "ranges",
        lambda found: found.ranges,
    ),
    "scenario": (
        lambda **limit: wl.lp.scenario(BOARD, ABLE, GOALS, **limit),
        "stages",
        lambda found: found.stages,
    ),
    "fewest_lifts": (lambda **limit: wl.lp.fewest_lifts(BOARD, **limit), "lifts", lambda found: found.lifts),
    "missing": (
        lambda **limit: wl.lp.missing(GAPS, rule="majority", space=NEAR, **limit),
        "answers",
        lambda found: found.answers,
    ),
    "noisy_verdicts": (
        lambda **limit: wl.studies.noisy_verdicts(SURE, over="standard_errors", **limit),
        "worst",
        lambda found: found.worst,
    ),
}


def items(found):
    """Return what was found, one after the other, fit to be compared."""
    if isinstance(found, dict) and "l1" in found:
        return items(found["l1"])
    if isinstance(found, dict) and all(isinstance(one, Lifts) for one in found.values()):
        return [(model, one.tasks and len(one.tasks)) for model, one in found.items()]  # equally few are equally good
    return list(map(repr, found.items() if isinstance(found, dict) else found))


@pytest.fixture
def clock(monkeypatch):
    """A clock on which every look takes a second."""
    looks = count()
    module = sys.modules["weightlab._solver.solution"]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(looks))))


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_was_found_before_the_limit_is_handed_over(question, clock):
    ask, name, part = QUESTIONS[question]
    whole = items(part(ask()))
    known = []
    for seconds in range(10**4):
        try:
            late = ask(time_limit=seconds)
        except TimeLimitError as error:
            known.append(items(error.known[name]))
        else:
            break
    assert items(part(late)) == whole
    assert all(one == whole[: len(one)] for one in known)
    assert any(0 < len(one) < len(whole) for one in known)


def test_the_earlier_of_two_limits_holds(monkeypatch):
    monkeypatch.setattr(sys.modules["weightlab._solver.solution"], "time", SimpleNamespace(monotonic=lambda: 100.0))
    assert deadline_in(None) is None
    with within(5):
        assert (deadline_in(None), deadline_in(3), deadline_in(9)) == (105, 103, 105)
        with within(9):
            assert deadline_in(None) == 105
        with within(2):
            assert seconds_left(deadline_in(None)) == 2
        assert deadline_in(None) == 105
    assert deadline_in(7) == 107


def test_candidates_after_the_limit_are_named(clock):
    found = wl.studies.common_winner(BOARD, "mean", "borda", time_limit=5)
    assert 0 < len(found.bounds) < len(BOARD.models) == len(found.bounds) + len(found.unsettled)
    assert set(found.unsettled.values()) == {"the time limit passed"}
    assert found.verify(BOARD)


def test_the_vertices_of_a_region_are_not_listed_for_ever(clock):
    looks = 0
    for seconds in range(10**4):
        try:
            found = wl.lp.winning_region(BOARD, ABLE, time_limit=seconds)
        except TimeLimitError as error:
            looks += "before all vertices of the region were found" in str(error)
        else:
            break
    assert looks
    assert found.vertices.equals(wl.lp.winning_region(BOARD, ABLE).vertices)


@pytest.mark.parametrize("limit", [-1, "3", float("nan"), True])
@pytest.mark.parametrize("ask", [wl.lp.duels, wl.lp.missing, wl.lp.prospects, wl.lp.rank_ranges, wl.lp.stability])
def test_a_limit_that_is_none_is_refused(ask, limit):
    with pytest.raises(wl.InputError, match="time_limit must be a number of seconds"):
        ask(BOARD, time_limit=limit)
