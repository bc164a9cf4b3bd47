"""Results about all models are mappings, and each gives one model's result, which proves itself."""

from __future__ import annotations

import pytest

import weightlab as wl

BOARD = wl.Leaderboard({"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 1, "b": 2, "c": 3}, "z": {"a": 2, "b": 3, "c": 1}})
ALL = {"prospects": wl.lp.prospects, "rank_ranges": wl.lp.rank_ranges, "lift_counts": wl.lp.fewest_lifts}


@pytest.mark.parametrize("kind", ALL)
def test_one_model_is_asked_for_by_name(kind):
    found = ALL[kind](BOARD)
    assert found.kind == kind
    assert list(found) == list(BOARD.models)
    assert len(found) == 3
    assert "b" in found
    assert [found[model].model for model in found] == list(BOARD.models)
    assert all(found[model].verify(BOARD) for model in found)
    for wrong in ("nobody", 0):
        with pytest.raises(wl.UnknownNameError, match="model"):
            found[wrong]
