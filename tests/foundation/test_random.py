"""Draws without end are refused, asked for or found in a document."""

from __future__ import annotations

from dataclasses import replace

import pytest

import weightlab as wl
from weightlab.lp.sampling.draws import draws_from

FOREVER = (10**8 + 1, 10**12, 10**25)
BOARD = wl.Leaderboard({"x": {"a": 1, "b": 2, "c": 3}, "y": {"a": 3, "b": 1, "c": 2}})


@pytest.mark.parametrize("count", FOREVER)
@pytest.mark.parametrize(
    "ask",
    [
        lambda count: wl.lp.winning_shares(BOARD, samples=count),
        lambda count: wl.lp.duel_shares(BOARD, samples=count),
        lambda count: wl.lp.rank_shares(BOARD, samples=count),
        lambda count: wl.studies.bootstrap(BOARD, "borda", repeats=count),
        lambda count: wl.studies.missing_scores(BOARD, "borda", repeats=count),
        lambda count: wl.studies.irrelevant_models(BOARD, "borda", repeats=count),
    ],
)
def test_more_draws_than_end_are_refused_with_the_time_they_would_take(ask, count):
    with pytest.raises(wl.InputError, match=r"must be at most 100,000,000; .* would take .* (days|years)"):
        ask(count)


@pytest.mark.parametrize("count", FOREVER[1:])
@pytest.mark.parametrize("ask", [wl.lp.winning_shares, wl.lp.duel_shares, wl.lp.rank_shares])
def test_a_forged_number_of_draws_is_refused_before_any_is_drawn(ask, count):
    found = ask(BOARD, samples=10, rng=0)
    with pytest.raises((wl.ProofError, wl.InputError)):
        replace(found, draws=replace(found.draws, samples=count)).verify()


def test_the_space_itself_refuses_too():
    with pytest.raises(wl.InputError, match="115 days"):
        draws_from(wl.lp.WeightSpace(["x", "y"]), samples=10**12)
