"""The mean of scores on a scale of each task's own: the keyword says what the rule's name says."""

from __future__ import annotations

import pytest

import weightlab as wl
from weightlab.data.linear_rule import LinearRule

BOARD = wl.Leaderboard(
    {"x": {"a": 30, "b": 20, "c": 0}, "y": {"a": 0.1, "b": 0.4, "c": 0.2}, "z": {"a": 2, "b": 1, "c": 7}}
)
QUESTIONS = {
    "prospect": lambda **by: wl.lp.prospect(BOARD, "a", **by),
    "prospects": lambda **by: wl.lp.prospects(BOARD, **by),
    "scenario": lambda **by: wl.lp.scenario(BOARD, "b", wl.lp.closest_to(), **by),
    "weight_ranges": lambda **by: wl.lp.weight_ranges(BOARD, "b", **by),
    "winning_region": lambda **by: wl.lp.winning_region(BOARD, "b", **by),
    "winning_shares": lambda **by: wl.lp.winning_shares(BOARD, samples=100, rng=0, **by),
    "map_of_winners": lambda **by: wl.lp.map_of_winners(BOARD, **by),
    "fewest_task_sets": lambda **by: wl.lp.fewest_task_sets(BOARD, "b", **by),
    "stability": lambda **by: wl.lp.stability(BOARD, **by),
    "rank_range": lambda **by: wl.lp.rank_range(BOARD, "b", **by),
    "rank_ranges": lambda **by: wl.lp.rank_ranges(BOARD, **by),
    "pair_shares": lambda **by: wl.lp.pair_shares(BOARD, [("a", "b")], samples=100, rng=0, **by),
    "rank_shares": lambda **by: wl.lp.rank_shares(BOARD, samples=100, rng=0, **by),
    "shortlist": lambda **by: wl.lp.shortlist(BOARD, size=2, **by),
    "ask": lambda **by: wl.lp.ask(BOARD, [("a", "b")], **by),
    "prefers": lambda **by: wl.lp.prospects(BOARD, space=wl.lp.WeightSpace(BOARD).prefers("a", "b", **by)),
}


@pytest.mark.parametrize("scale", ["range", "z"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_keyword_is_the_rule_of_that_name(name, scale):
    ask = QUESTIONS[name]
    found, named, plain = ask(rule="mean", scaled=scale), ask(rule=f"mean:scaled={scale}"), ask(rule="mean")
    assert found.to_dict() == named.to_dict() != plain.to_dict()
    assert found.verify(BOARD)


@pytest.mark.parametrize("name", QUESTIONS)
def test_only_the_mean_reads_scores_on_a_scale(name):
    for rule in ("borda", "copeland", [3, 1, 0]) if name != "prefers" else ("borda", "majority"):
        with pytest.raises(wl.InputError, match="only the mean reads scores on a scale"):
            QUESTIONS[name](rule=rule, scaled="z")
    with pytest.raises(wl.InputError, match="scaled must be 'range' or 'z'"):
        QUESTIONS[name](rule="mean", scaled="rank")


def test_the_geometric_mean_answers_who_can_win_and_nothing_with_margins():
    for name, ask in QUESTIONS.items():
        if name in {"prospect", "prospects"}:
            assert ask(rule="geometric_mean").verify(BOARD)
            continue
        with pytest.raises(wl.InputError, match="leads are sums of logarithms, of which only the sign is proved"):
            ask(rule="geometric_mean")


def test_a_rule_that_is_read_again_needs_no_scale():
    rule = LinearRule.of("mean", scaled="range")
    assert LinearRule.of(rule) == LinearRule.of(rule, scaled="range") == LinearRule.of("mean:scaled=range")
