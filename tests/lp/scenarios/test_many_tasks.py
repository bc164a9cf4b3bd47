"""Programs over many tasks, which begin with few of them: the same optima as with all at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests.strategies import boards
from weightlab.lp.certificates import max_margin
from weightlab.lp.scenarios import weight_ranges

RULES = st.sampled_from(["majority", "mean", "borda"])


@pytest.fixture(scope="module")
def few():
    with pytest.MonkeyPatch.context() as patch:
        yield lambda many: (
            patch.setattr(max_margin, "MANY", many),
            patch.setattr(weight_ranges, "MANY", many),
            patch.setattr(max_margin, "ADDED", 1),
        )


@settings(max_examples=40)
@given(boards(models=(2, 5), tasks=(2, 6), missing=False, plain=True), RULES, st.booleans())
def test_optima_are_those_of_all_tasks(few, board, rule, strict):
    found = []
    for many in (2, 10**6):
        few(many)
        own = []
        for model in board.models:
            one = wl.lp.prospect(board, model, rule=rule)
            own.append(one.margin)
            assert one.verify(board)
            if one.margin >= 0:
                margin = one.margin / 2 if strict else 0
                ranges = wl.lp.weight_ranges(board, model, rule=rule, margin=margin)
                assert ranges.verify(board)
                own += [ranges.low.tolist(), ranges.high.tolist()]
                own.append(ranges.to_frame()[["low_attained", "high_attained"]].to_numpy().tolist())
        found.append(own)
    assert found[0] == found[1]
