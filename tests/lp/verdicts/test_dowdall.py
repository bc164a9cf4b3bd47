"""Dowdall's points are exact up to a number of models, and refused above it by name."""

from __future__ import annotations

import pytest

import weightlab as wl


def of_size(count):
    return wl.Leaderboard(
        {task: {f"m{at}": at * step % count for at in range(count)} for task, step in (("x", 1), ("y", 7))}
    )


def test_the_largest_table_is_answered_and_a_larger_one_refused():
    assert wl.lp.prospect(of_size(300), "m299", rule="dowdall").verdict == "strict"
    with pytest.raises(wl.InputError, match="by Dowdall at most 300 models") as caught:
        wl.lp.prospect(of_size(301), "m299", rule="dowdall")
    assert [(one.argument, one.value) for one in caught.value.cure] == [("rule", "borda")]
    assert wl.lp.prospect(of_size(301), "m300", rule="borda").verdict == "strict"
